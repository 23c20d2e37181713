//! Rules in a file.

use std::fmt;
use std::ops::Range;

use serde::Deserialize as _;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Deserializer};

use super::{Engine, Rules};

mod print;

/// The key of a list whose inherited items belong to rules that a file may change.
const STOPS: &str = "stops";

/// The key that names the engine whose rules a file changes.
const INHERIT: &str = "inherit";

impl Rules {
    /// Reads rules from TOML.
    ///
    /// A file begins with `inherit = "quakespasm"`, or with another engine, and then lists only the
    /// differences. The keys of a table replace the engine's keys one by one; a list replaces the whole list.
    /// The word `"none"` removes an optional value, as in `limits.entries = "none"`. Inherited `stops` that
    /// the other keys make impossible are dropped, unless the file has its own `stops`. A file without
    /// `inherit` must have every key that is not optional.
    ///
    /// ```
    /// use quake_rules::{Engine, LoosePosition, Rules};
    ///
    /// let mine = Rules::from_toml(
    ///     r#"
    ///     inherit = "quakespasm"
    ///     name = "my engine"
    ///     loose.position = "above"
    ///     "#,
    /// )?;
    /// let mut expected = Engine::QuakeSpasm.rules().clone();
    /// expected.name = "my engine".into();
    /// expected.loose.position = LoosePosition::Above;
    /// assert_eq!(mine, expected);
    /// # Ok::<(), quake_rules::RuleError>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the text is not TOML, names an unknown engine, has an unknown key or word, lacks a key, or
    /// has a fault that [`validate`](Self::validate) finds.
    pub fn from_toml(text: &str) -> Result<Rules, RuleError> {
        let document = parse(text)?;
        let mut table = document.clone();
        let below;
        let inherits = table.contains_key(INHERIT);
        let mut sets_stops = true;
        if let Some(engine) = table.remove(INHERIT) {
            let word = engine.get_ref().as_str().ok_or("expected the name of an engine".to_owned());
            let engine = word.and_then(|word| word.parse::<Engine>().map_err(|error| error.to_string()));
            let engine = engine
                .map_err(|what| RuleError::at(INHERIT, &document, text, format!("{INHERIT}: {what}")))?;
            below = engine.rules().to_table().to_string();
            let mut inherited = parse(&below)?;
            sets_stops = table.contains_key(STOPS);
            merge(&mut inherited, table);
            table = inherited;
        }
        let deserializer = Deserializer::from(Spanned::new(0..0, table));
        let mut rules = Rules::deserialize(deserializer).map_err(|error| {
            let mut what = in_words(error.message());
            if !inherits && what.starts_with(MISSING_KEY) {
                what += BEGIN;
            }
            let found = error.span().and_then(|span| Some((key_at(&document, &span)?, span.start)));
            let Some((key, start)) = found else { return RuleError { what, key: None, line: None } };
            RuleError { what: format!("{key}: {what}"), key: Some(key), line: Some(line_at(text, start)) }
        })?;
        if !sets_stops {
            rules.drop_impossible_stops();
        }
        let faults = rules.validate();
        let Some(first) = faults.first() else { return Ok(rules) };
        let all: Vec<_> = faults.iter().map(ToString::to_string).collect();
        Err(RuleError::at(first.key(), &document, text, all.join("; ")))
    }

    /// Writes a file that [`from_toml`](Self::from_toml) reads. Comments explain each key, and each word in
    /// its value, at the first use.
    #[must_use]
    pub fn to_toml(&self) -> String {
        print::file(&self.to_table())
    }

    #[expect(
        clippy::expect_used,
        reason = "rules are strings, numbers, lists and tables, and TOML can hold each of them"
    )]
    fn to_table(&self) -> toml::Table {
        toml::Table::try_from(self).expect("rules have a TOML form")
    }
}

/// An error in a rule file: the text is not TOML, `inherit` names no engine, a key is unknown or missing, a
/// value is not one of those that its key takes, or [`Rules::validate`] finds faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    what: String,
    key: Option<String>,
    line: Option<usize>,
}

impl RuleError {
    fn at(key: &str, document: &DeTable<'_>, text: &str, what: String) -> Self {
        RuleError { what, key: Some(key.to_owned()), line: line_of(key, document, text) }
    }

    /// The path of the key, as in `paks.layout` and `archives[0]`. `None` if the error has no key, or if the
    /// file lacks it.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// The line of the key or of its table, counted from 1. `None` if the error is about the whole file.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for RuleError {}

/// The start of a message about a missing key.
const MISSING_KEY: &str = "missing key";

/// The advice for a missing key in a file without `inherit`.
const BEGIN: &str =
    ": begin the file with `inherit = \"quakespasm\"`, or another engine, and say what differs";

/// Translates a message of serde into the words of a rule file.
fn in_words(message: &str) -> String {
    let starts = [
        ("missing field", MISSING_KEY),
        ("unknown field", "unknown key"),
        ("unknown variant", "unknown word"),
        ("wanted string or table", "invalid type, expected a word"),
        ("invalid type: map", "invalid type: table"),
        ("invalid type: sequence", "invalid type: list"),
    ];
    let ends = [
        ("a map", "a table"),
        ("a sequence", "a list"),
        ("a boolean", "true or false"),
        ("u32", "a whole number from 0 to 4294967295"),
    ];
    let start = starts.iter().find_map(|(rust, words)| Some((words, message.strip_prefix(rust)?)));
    let message = start.map_or_else(|| message.to_owned(), |(words, rest)| format!("{words}{rest}"));
    let Some((found, expected)) = message.rsplit_once(", expected ") else { return message };
    let expected = match ends.iter().find(|(rust, _)| *rust == expected) {
        Some((_, words)) => words,
        None if expected.starts_with("struct ") || expected.starts_with("internally tagged") => "a table",
        None => expected,
    };
    format!("{found}, expected {expected}")
}

fn parse(text: &str) -> Result<DeTable<'_>, RuleError> {
    DeTable::parse(text).map(Spanned::into_inner).map_err(|error| RuleError {
        what: error.message().to_owned(),
        key: None,
        line: error.span().map(|span| line_at(text, span.start)),
    })
}

/// Merges two tables: `above` wins, and nested tables are merged key by key.
fn merge<'t>(below: &mut DeTable<'t>, above: DeTable<'t>) {
    for (key, mut value) in above {
        if let (Some(inherited), DeValue::Table(own)) = (below.get_mut(&**key.get_ref()), value.get_mut())
            && let DeValue::Table(inherited) = inherited.get_mut()
        {
            merge(inherited, std::mem::take(own));
            std::mem::swap(inherited, own);
        }
        below.insert(key, value);
    }
}

/// The path of the deepest key or value with this span, as in `archives.sets[0]`.
fn key_at(table: &DeTable<'_>, span: &Range<usize>) -> Option<String> {
    table.iter().find_map(|(key, value)| {
        let below = below_at(value, span).or_else(|| (key.span() == *span).then(String::new))?;
        Some(format!("{}{below}", key.get_ref()))
    })
}

fn below_at(value: &Spanned<DeValue<'_>>, span: &Range<usize>) -> Option<String> {
    let below = match value.get_ref() {
        DeValue::Table(table) => key_at(table, span).map(|key| format!(".{key}")),
        DeValue::Array(list) => list
            .iter()
            .enumerate()
            .find_map(|(index, value)| below_at(value, span).map(|below| format!("[{index}]{below}"))),
        _ => None,
    };
    below.or_else(|| (value.span() == *span).then(String::new))
}

/// The line of the deepest part of a fault's key, such as `archives.sets[0].extensions`, that the text has.
fn line_of(key: &str, document: &DeTable<'_>, text: &str) -> Option<usize> {
    let mut line = None;
    let (mut table, mut list) = (Some(document), None::<&DeArray<'_>>);
    for part in key.split(['.', '[', ']']).filter(|part| !part.is_empty()) {
        let found = match (table, list) {
            (Some(table), _) => table.get_key_value(part).map(|(key, value)| (key.span(), value)),
            (None, Some(list)) => {
                part.parse().ok().and_then(|index: usize| list.get(index)).map(|value| (value.span(), value))
            }
            (None, None) => None,
        };
        let Some((span, value)) = found else { break };
        line = Some(line_at(text, span.start));
        (table, list) = (value.get_ref().as_table(), value.get_ref().as_array());
    }
    line
}

/// The number of the line with this byte.
fn line_at(text: &str, place: usize) -> usize {
    let before = text.as_bytes().iter().take(place);
    1 + before.filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArchiveSet, Mission, MostEntries, Text};

    fn check_inherited(text: &str, change: impl FnOnce(&mut Rules)) {
        let mut expected = Engine::QuakeSpasm.rules().clone();
        change(&mut expected);
        let rules = Rules::from_toml(&format!("inherit = \"quakespasm\"\n{text}"));
        assert_eq!(rules.as_ref(), Ok(&expected), "{text}");
        assert_eq!(Rules::from_toml(&expected.to_toml()), Ok(expected));
    }

    /// Compares the text of the error, with `engine` standing for all engines.
    fn check_error(text: &str, expected: &str) {
        let error = Rules::from_toml(text).unwrap_err();
        let engines: Vec<_> = Engine::ALL.iter().map(ToString::to_string).collect();
        assert_eq!(error.to_string().replace(&engines.join(", "), "[engines]"), expected, "{text}");
    }

    /// The same for many texts, a line each with ` | ` between their lines, and the error below.
    fn check_errors(cases: &str) {
        let mut lines = cases.lines().map(str::trim).filter(|line| !line.is_empty());
        while let (Some(text), Some(expected)) = (lines.next(), lines.next()) {
            check_error(&text.replace(" | ", "\n"), expected);
        }
    }

    fn changed(from: &str, to: &str) -> String {
        let text = Engine::Q2Pro.rules().to_toml();
        let is_rule = |line: &&str| !line.starts_with('#') && *line != "\n";
        let text: String = text.split_inclusive('\n').filter(is_rule).collect();
        assert!(text.contains(from), "{text}");
        text.replacen(from, to, 1)
    }

    #[test]
    fn the_rules_of_every_engine_go_to_toml_and_back() {
        for engine in Engine::ALL {
            let text = engine.rules().to_toml();
            assert_eq!(Rules::from_toml(&text).as_ref(), Ok(engine.rules()), "{text}");
            let inherited = format!("inherit = \"{engine}\"");
            assert_eq!(Rules::from_toml(&inherited).as_ref(), Ok(engine.rules()));
            let json = serde_json::to_string(engine.rules()).unwrap();
            assert_eq!(serde_json::from_str::<Rules>(&json).unwrap(), *engine.rules(), "{json}");
        }
    }

    #[test]
    fn any_text_in_the_rules_goes_to_toml_and_back() {
        let mut rules = Engine::GoldSrc.rules().clone();
        rules.name = "\"\"\" \'\'\' \\ \0 \r\n \u{7f} \u{e9}".into();
        rules.directories.game_folders = vec!["a = \"c\" {}".into()].into();
        rules.directories.read_only = Vec::new().into();
        rules.archives.sets = Vec::new().into();
        assert_eq!(Rules::from_toml(&rules.to_toml()), Ok(rules));
    }

    #[test]
    fn deeply_nested_toml_is_an_error() {
        for text in [
            "a = ".to_owned() + &"[".repeat(100_000),
            format!("inherit = 'fte'\n[{}a]", "a.".repeat(100_000)),
        ] {
            assert!(Rules::from_toml(&text).is_err());
        }
    }

    #[test]
    fn an_engine_is_its_name_in_a_file() {
        for engine in Engine::ALL {
            let json = serde_json::to_string(engine).unwrap();
            assert_eq!(json, format!("\"{engine}\""));
            assert_eq!(serde_json::from_str::<Engine>(&json).unwrap(), *engine);
        }
    }

    #[test]
    fn only_the_changed_key_differs_from_the_inherited_rules() {
        check_inherited("name = \"mine\"", |rules| rules.name = "mine".into());
        check_inherited("[limits]\nentries = { most = 7 }", |rules| {
            rules.limits.entries = Some(MostEntries { most: 7, skips: false });
        });
        check_inherited("[registered]\nfile = 'gfx/other.lmp'", |rules| {
            rules.registered.as_mut().unwrap().file = "gfx/other.lmp".into();
        });
    }

    #[test]
    fn an_inherited_list_is_replaced() {
        check_inherited("[directories]\nbase = ['id1', 'rerelease']", |rules| {
            rules.directories.base = vec!["id1".into(), "rerelease".into()].into();
        });
        check_inherited("[[directories.missions]]\nflag = 'hd'\ndirectory = 'hd_pack'", |rules| {
            rules.directories.missions =
                vec![Mission { flag: "hd".into(), directory: "hd_pack".into() }].into();
        });
        let set = "[[archives.sets]]\nset = 'numbered'\nextensions = ['pak', 'kpf']\ncount = 10\ngaps = { \
            stop = { empty = 'ends-run' } }";
        check_inherited(set, |rules| {
            let [ArchiveSet::Numbered { extensions, count, .. }] =
                rules.archives.sets.to_mut().as_mut_slice()
            else {
                panic!("QuakeSpasm has one set")
            };
            *extensions = ["pak", "kpf"].map(Text::from).to_vec().into();
            *count = Some(10);
        });
    }

    #[test]
    fn the_word_none_removes_an_inherited_value() {
        check_inherited("stops = []\nregistered = 'none'", |rules| {
            rules.stops = Vec::new().into();
            rules.registered = None;
        });
        check_inherited("stops = []\nlimits.entries = 'none'", |rules| {
            rules.stops = Vec::new().into();
            rules.limits.entries = None;
        });
        check_inherited("paks.layout = 'none'", |rules| rules.paks.layout = None);
        check_inherited(
            "stops = ['unregistered']\nregistered = { size = 'none', crc32 = 'none' }",
            |rules| {
                rules.stops = vec![crate::EngineStop::Unregistered].into();
                let registered = rules.registered.as_mut().unwrap();
                (registered.size, registered.crc32) = (None, None);
            },
        );
    }

    #[test]
    fn inherited_stops_that_cannot_happen_are_dropped() {
        check_inherited("directories.odd-games = []", |rules| {
            rules.directories.odd_games = Vec::new().into();
            rules.stops.to_mut().retain(|stop| *stop != crate::EngineStop::OddGame);
        });
    }

    #[test]
    fn a_file_that_is_not_toml_is_an_error_with_its_line() {
        check_error("inherit = 'fte'\n[paks", "line 2: unclosed table, expected `]`");
        check_error("a = 1\na = 2", "line 2: duplicate key");
        check_error("\n\nbind w +forward", "line 3: key with no value, expected `=`");
    }

    #[test]
    fn an_error_names_the_key_and_its_expected_values() {
        check_errors(
            r#"
            name = 'mine' | [directories]
              line 2: directories: missing key `base`: begin the file with `inherit = "quakespasm"`, or another engine, and say what differs
            inherit = 'quakspasm'
              line 1: inherit: no engine is called "quakspasm" (did you mean quakespasm?): expected [engines]
            inherit = 'fte' |  | [paks] | layuot = 'quake'
              line 4: paks.layuot: unknown key `layuot`, expected one of `layout`, `refuses-partial-row`, `refuses-cut-directory`, `furthest-entry`, `parts`, `unterminated`
            inherit = 'fte' | paks.layout = 'quake2'
              line 2: paks.layout: no layout is called "quake2": expected quake, sin, hrot or daikatana
            inherit = 'fte' | archives.case = 'ignore'
              line 2: archives.case: unknown word `ignore`, expected `exact` or `ignored`
            inherit = 'fte' | [limits] | name = -1
              line 3: limits.name: invalid value: integer `-1`, expected a whole number from 0 to 4294967295
            inherit = 'fte' | [limits] | path = -1
              line 3: limits.path: invalid value: integer `-1`, expected a whole number from 0 to 4294967295
            inherit = 'fte' | [limits] | path = 1.5
              line 3: limits.path: invalid type: floating point `1.5`, expected a value or the word "none"
            inherit = 'fte' | loose = 'above'
              line 2: loose: invalid type: string "above", expected a table
            inherit = 'fte' | loose = ', expected u32'
              line 2: loose: invalid type: string ", expected u32", expected a table
            inherit = 'fte' | stops = {}
              line 2: stops: invalid type: table, expected a list
            inherit = 'fte' | loose.position = 1
              line 2: loose.position: invalid type, expected a word
            inherit = 'fte' | loose.hides.folder = 1
              line 2: loose.hides.folder: invalid type: integer `1`, expected true or false
            inherit = 'fte' | archives.sets = [1]
              line 2: archives.sets[0]: invalid type: integer `1`, expected a table
            inherit = 'fte' | registered = {size = 1}
              line 2: registered: missing key `file`
            inherit = 'fte' | [[archives.sets]] | set = 'other'
              line 3: archives.sets[0].set: unknown word `other`, expected `numbered` or `others`
            "#,
        );
        check_error(
            "",
            "missing key `name`: begin the file with `inherit = \"quakespasm\"`, or another engine, and say \
                what differs",
        );
        check_error("\ninherit = 9", "line 2: inherit: expected the name of an engine");
        check_error(
            &changed("order = \"number-then-name\"", "order = \"name\""),
            "line 49: archives.sets[0]: unknown word `name`, expected one of `bytes`, `listed`, \
                `ignore-case`, `capitals`, `number-then-name`",
        );
        check_error(
            &changed("[archives]", "[archive]"),
            "line 36: archive: unknown key `archive`, expected one of `name`, `directories`, `archives`, \
                `paks`, `zips`, `loose`, `requests`, `limits`, `needed`, `stops`, `registered`, `user`, \
                `companions`, `text`, `substitutes`, `music-folders`, `console`, `program`, `keys`, `wads`, \
                `loads`, \
                `requires-skins`, `player-model`, `studio-groups`, `family`, `titles`, `executables`, \
                `executables-in-stores`",
        );
    }

    #[test]
    fn contradictory_rules_cannot_be_written() {
        check_errors(
            r"
            inherit = 'quakespasm' | [[archives.sets]] | set = 'numbered' | extensions = ['pak'] | gaps = 'skip' | empty = 'ends-run'
              line 2: archives.sets[0]: unknown key `empty`, expected one of `stem`, `extensions`, `count`, `gaps`, `case`
            inherit = 'quakespasm' | [[archives.sets]] | set = 'numbered' | extensions = ['pak'] | gaps = 'skip' | extension-case = 'exact'
              line 2: archives.sets[0]: unknown key `extension-case`, expected one of `stem`, `extensions`, `count`, `gaps`, `case`
            inherit = 'quakespasm' | limits.too-many = 'loaded'
              line 2: limits.too-many: unknown key `too-many`, expected one of `entries`, `name`, `path`, `archives`
            inherit = 'quakespasm' | directories.odd-games = [{ cut-at = { starts = 'a' } }]
              line 2: directories.odd-games[0].cut-at: invalid type: table, expected a string
            ",
        );
    }

    #[test]
    fn a_value_without_effect_is_an_error_that_names_its_key() {
        check_errors(
            r"
            inherit = 'winquake' |  | stops = ['pipe', 'odd-game']
              line 3: stops[1]: no effect, because directories.odd-games refuses no name
            inherit = 'winquake' | [directories] | most-games = 2 | named-again = 'missions-stay' | missions = []
              line 4: directories.named-again: no effect, because there are no missions; directories.most-games: no effect, because directories.games is not every
            inherit = 'winquake' | registered = 'none' | stops = ['pipe', 'empty-file', 'unregistered', 'wrong-registered']
              line 3: stops[2]: no effect, because registered is none; stops[3]: no effect, because registered is none
            ",
        );
        // the key is inherited: no line of the file has it
        let error = Rules::from_toml("inherit = 'winquake'\n[directories]\nmost-games = 2").unwrap_err();
        assert_eq!((error.key(), error.line()), (Some("directories.most-games"), Some(3)));
    }
}
