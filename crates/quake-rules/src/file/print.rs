//! Rules as a TOML file in which a comment explains each key.

use std::collections::HashSet;

use toml::{Table, Value};

use crate::Rules;
use crate::documented::{Documented as _, Item, Shape};

/// The longest line of a comment or of a list.
const WIDTH: usize = 100;

pub(super) fn file(rules: &Table) -> String {
    let mut printer = Printer { text: String::new(), explained: HashSet::new() };
    printer.table("", rules, Rules::SHAPE);
    printer.text
}

struct Printer {
    text: String,
    /// The documentation that was printed before, each with its key.
    explained: HashSet<(String, String)>,
}

impl Printer {
    /// Writes the keys of a table, and then its tables, because TOML requires this order.
    fn table(&mut self, path: &str, table: &Table, shape: Shape) {
        let items = items_of(table, shape);
        let is_later =
            |item: &&Item| item.find(table).is_some_and(|(_, value)| has_header(value, item.shape));
        let (later, first): (Vec<&Item>, Vec<&Item>) = items.iter().partition(is_later);
        if let Shape::Tagged { tag, .. } = shape
            && let Some(value) = table.get(tag)
        {
            let lines = self.word_docs(value, shape);
            self.comment(&lines, "");
            self.line(&format!("{tag} = {value}"));
        }
        for item in first {
            if let Some((key, value)) = item.find(table) {
                self.value(key, value, item);
            }
        }
        for item in later {
            let Some((key, value)) = item.find(table) else { continue };
            let mut path = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            let mut lines = self.docs(item);
            match value {
                Value::Table(inner) => {
                    self.blank();
                    let (mut inner, mut shape) = (inner, item.shape);
                    if let Some((item, word, value)) = word_with_table(inner, shape) {
                        lines.extend(self.docs(item).into_iter().map(|text| format!("{word}: {text}")));
                        path = format!("{path}.{word}");
                        (inner, shape) = (value, item.shape);
                    }
                    self.comment(&lines, "");
                    self.line(&format!("[{path}]"));
                    self.table(&path, inner, shape);
                }
                Value::Array(list) => {
                    for (index, inner) in list.iter().filter_map(Value::as_table).enumerate() {
                        self.blank();
                        self.comment(if index == 0 { &lines } else { &[] }, "");
                        self.line(&format!("[[{path}]]"));
                        self.table(&path, inner, item.shape);
                    }
                }
                _ => {}
            }
        }
    }

    /// Writes a key with its value on one line, or a long list with one item per line.
    fn value(&mut self, key: &str, value: &Value, item: &Item) {
        let mut lines = self.docs(item);
        let Value::Array(list) = value else {
            lines.extend(self.word_docs(value, item.shape));
            self.before_key(&lines);
            return self.line(&format!("{key} = {value}"));
        };
        self.before_key(&lines);
        let docs: Vec<_> = list.iter().map(|value| self.word_docs(value, item.shape)).collect();
        let line = format!("{key} = {value}");
        if line.len() <= WIDTH && docs.iter().all(Vec::is_empty) {
            return self.line(&line);
        }
        self.line(&format!("{key} = ["));
        for (value, docs) in list.iter().zip(docs) {
            self.comment(&docs, "    ");
            self.line(&format!("    {value},"));
        }
        self.line("]");
    }

    /// The documentation of a key, unless it was printed before.
    fn docs(&mut self, item: &Item) -> Vec<String> {
        let text = item.text();
        let is_new = !text.is_empty() && self.explained.insert((item.key(), text.clone()));
        if is_new { vec![text] } else { Vec::new() }
    }

    /// The documentation of the words in a value, without those that were printed before.
    fn word_docs(&mut self, value: &Value, shape: Shape) -> Vec<String> {
        let (word, inner, items) = match (value, shape) {
            (Value::String(word), Shape::Words(items)) => (word, None, items),
            (Value::String(word), Shape::Tagged { variants, .. }) => (word, None, variants),
            (Value::Table(table), Shape::Words(items)) => match table.iter().next() {
                Some((word, inner)) => (word, Some(inner), items),
                None => return Vec::new(),
            },
            (Value::Table(table), Shape::Table(items)) => {
                let mut lines = Vec::new();
                for item in items {
                    let Some((key, value)) = item.find(table) else { continue };
                    lines.extend(self.docs(item).into_iter().map(|text| format!("{key}: {text}")));
                    lines.extend(self.word_docs(value, item.shape));
                }
                return lines;
            }
            _ => return Vec::new(),
        };
        let Some(item) = items.iter().find(|item| item.key() == *word) else { return Vec::new() };
        let mut lines: Vec<_> = self.docs(item).into_iter().map(|text| format!("{word}: {text}")).collect();
        lines.extend(inner.map(|inner| self.word_docs(inner, item.shape)).unwrap_or_default());
        lines
    }

    fn before_key(&mut self, lines: &[String]) {
        if !lines.is_empty() {
            self.blank();
        }
        self.comment(lines, "");
    }

    fn comment(&mut self, lines: &[String], indent: &str) {
        for text in lines {
            let mut line = format!("{indent}#");
            for word in text.split_whitespace() {
                if line.len() + 1 + word.len() > WIDTH {
                    self.line(&line);
                    line = format!("{indent}#");
                }
                line.push(' ');
                line.push_str(word);
            }
            self.line(&line);
        }
    }

    /// Writes an empty line, except at the start and below a header.
    fn blank(&mut self) {
        let is_header = |line: &str| line.starts_with('[') || line.starts_with('#');
        if self.text.lines().next_back().is_some_and(|line| !is_header(line)) {
            self.text.push('\n');
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}

/// The keys of a table. If it has a tag, they depend on its value.
fn items_of(table: &Table, shape: Shape) -> &'static [Item] {
    match shape {
        Shape::Table(items) => items,
        Shape::Tagged { tag, variants } => {
            let word = table.get(tag).and_then(Value::as_str).unwrap_or_default();
            let variant = variants.iter().find(|variant| variant.key() == word);
            variant.map(|variant| items_of(table, variant.shape)).unwrap_or_default()
        }
        Shape::Plain | Shape::Words(_) => &[],
    }
}

/// The word of a value that is a table with lists, and the table.
fn word_with_table(value: &Table, shape: Shape) -> Option<(&'static Item, &str, &Table)> {
    let Shape::Words(items) = shape else { return None };
    let (word, inner) = value.iter().next()?;
    let item = items.iter().find(|item| item.key() == *word)?;
    let table = inner.as_table().filter(|table| table.values().any(Value::is_array));
    Some((item, word, table?))
}

/// Whether a value is written as a table with a header. A list of small tables is written as a list.
fn has_header(value: &Value, shape: Shape) -> bool {
    let is_table = matches!(shape, Shape::Table(_) | Shape::Tagged { .. });
    let is_small = |item: &Value| {
        let has_list = |table: &Table| table.values().any(|value| value.is_array() || value.is_table());
        item.as_table().is_some_and(|table| table.len() <= 3 && !has_list(table))
    };
    match value {
        Value::Table(table) => is_table || word_with_table(table, shape).is_some(),
        Value::Array(list) => is_table && !list.is_empty() && !list.iter().all(is_small),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Engine, Rules};

    /// The keys of a printed file.
    fn keys(text: &str) -> Vec<&str> {
        let lines = text.lines().filter(|line| !line.starts_with([' ', '#', '[', ']']) && !line.is_empty());
        lines.map(|line| line.split_once(" = ").expect("a key and its value").0).collect()
    }

    #[test]
    fn the_printed_rules_of_every_engine_read_back_equal() {
        for engine in Engine::ALL {
            let text = engine.rules().to_toml();
            assert_eq!(Rules::from_toml(&text).as_ref(), Ok(engine.rules()), "{text}");
            assert!(
                text.lines().filter(|line| line.starts_with('#')).all(|line| line.len() <= 100),
                "{text}"
            );
        }
    }

    #[test]
    fn a_comment_explains_each_key_at_its_first_use() {
        for engine in Engine::ALL {
            let text = engine.rules().to_toml();
            let mut explained = std::collections::HashSet::new();
            let mut after_comment = false;
            for line in text.lines() {
                if let Some((key, _)) = line.split_once(" = ").filter(|_| !line.starts_with([' ', '#'])) {
                    assert!(!explained.insert(key) || after_comment, "{engine}: {key}\n{text}");
                }
                after_comment = line.starts_with('#') || line.starts_with('[');
            }
            assert!(keys(&text).len() > 40, "{text}");
        }
    }

    #[test]
    fn each_word_in_a_list_has_its_own_comment() {
        let text = Engine::WinQuake.rules().to_toml();
        let (_, stops) = text.split_once("stops = [\n").unwrap();
        let (stops, _) = stops.split_once("]\n").unwrap();
        let words = stops.lines().filter(|line| line.trim_start().starts_with('"')).count();
        assert_eq!(words, Engine::WinQuake.rules().stops.len());
        assert!(stops.matches("# ").count() >= words, "{stops}");
    }
}
