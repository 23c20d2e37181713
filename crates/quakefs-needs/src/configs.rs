//! The configs that an engine executes at its start, as far as they set console variables.

use std::cell::OnceCell;
use std::collections::HashMap;

use quakefs::SearchPath;
use quakefs::rules::{Case, QuakeC};

/// Console variables and aliases by name.
type Texts = HashMap<Box<[u8]>, Box<[u8]>>;

/// The variables that configs set, as texts.
#[derive(Debug, Default)]
pub(crate) struct Cvars(Texts);

impl Cvars {
    pub(crate) fn get(&self, name: &[u8]) -> Option<&[u8]> {
        self.0.get(name).map(|value| &**value)
    }
}

/// The most bytes of commands, and the deepest nesting of configs and aliases. No known game comes near.
const MOST_BYTES: usize = 1 << 22;
const DEEPEST: usize = 32;

/// Executes the configs of a game: `set`, `seta`, `alias`, `exec`, and lines that change one of the known
/// variables.
pub(crate) fn execute(search_path: &SearchPath, quake_c: &QuakeC) -> Cvars {
    let mut console = Console {
        search_path,
        quake_c,
        cvars: Texts::new(),
        aliases: Texts::new(),
        left: MOST_BYTES,
        names: OnceCell::new(),
    };
    let mut configs = quake_c.configs.iter();
    let first = configs.next().and_then(|first| search_path.read(&**first).ok());
    let texts = match first {
        Some(text) => vec![text],
        None => configs.filter_map(|config| search_path.read(&**config).ok()).collect(),
    };
    for text in texts {
        console.run(&text, 0);
    }
    Cvars(console.cvars)
}

struct Console<'c> {
    search_path: &'c SearchPath,
    quake_c: &'c QuakeC,
    cvars: Texts,
    aliases: Texts,
    left: usize,
    /// The names of configs by their names in lower case, for an engine that executes them in any case.
    names: OnceCell<HashMap<Vec<u8>, Vec<Vec<u8>>>>,
}

impl Console<'_> {
    /// The configs that `exec` executes.
    fn configs(&self, name: &[u8]) -> Vec<Vec<u8>> {
        if self.quake_c.exec_case == Case::Exact {
            return vec![name.to_vec()];
        }
        let names = self.names.get_or_init(|| {
            let mut names: HashMap<Vec<u8>, Vec<Vec<u8>>> = HashMap::new();
            for file in self.search_path.files() {
                let name = file.name().as_bytes();
                names.entry(name.to_ascii_lowercase()).or_default().push(name.to_vec());
            }
            for names in names.values_mut() {
                names.sort();
            }
            names
        });
        names.get(&name.to_ascii_lowercase()).cloned().unwrap_or_default()
    }

    fn run(&mut self, text: &[u8], depth: usize) {
        let Some(left) = self.left.checked_sub(text.len()).filter(|_| depth < DEEPEST) else { return };
        self.left = left;
        for command in commands(text) {
            let words: Vec<Vec<u8>> = words(command).map(|word| self.expanded(word)).collect();
            let Some((first, rest)) = words.split_first() else { continue };
            // as Cmd_ExecuteString compares commands and aliases; the names of variables are compared exactly
            let command = first.to_ascii_lowercase();
            match (&*command, rest) {
                (b"set" | b"seta" | b"set_temp", [name, value, ..]) => self.set(name, value),
                (b"alias", [name, rest @ ..]) => {
                    self.aliases.insert(name.to_ascii_lowercase().into(), rest.join(&b' ').into());
                }
                (b"exec", [name, ..]) => {
                    for name in self.configs(name) {
                        if let Ok(text) = self.search_path.read(&name) {
                            self.run(&text, depth + 1);
                        }
                    }
                }
                _ => {
                    if let Some(text) = self.aliases.get(&*command).cloned() {
                        self.run(&text, depth + 1);
                    } else if let Some(value) = rest.first()
                        && (self.cvars.contains_key(&**first) || self.quake_c.cvar(first).is_some())
                    {
                        self.set(first, value);
                    }
                }
            }
        }
    }

    fn set(&mut self, name: &[u8], value: &[u8]) {
        self.cvars.insert(name.into(), value.into());
    }

    /// A word, or the value of the variable that `$name` names.
    fn expanded(&self, word: &[u8]) -> Vec<u8> {
        let value = word.strip_prefix(b"$").and_then(|name| self.cvars.get(name));
        value.map_or(word, |value| value).to_vec()
    }
}

/// Commands end at a line's end or at `;` outside of quotes. `//` starts a comment outside of quotes.
fn commands(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.flat_map(|line| {
        let (mut is_quoted, mut is_comment) = (false, false);
        let mut before = 0;
        line.split(move |byte| {
            is_quoted ^= *byte == b'"';
            is_comment |= !is_quoted && *byte == b'/' && before == b'/';
            before = *byte;
            *byte == b';' && !is_quoted && !is_comment
        })
    })
}

fn words(command: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = command;
    std::iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        if rest.is_empty() || rest.starts_with(b"//") {
            return None;
        }
        let (word, after) = if let Some(quoted) = rest.strip_prefix(b"\"") {
            let end = quoted.iter().position(|byte| *byte == b'"').unwrap_or(quoted.len());
            (quoted.get(..end), quoted.get(end + 1..))
        } else {
            let end = rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'"');
            let end = end.unwrap_or(rest.len());
            (rest.get(..end), rest.get(end..))
        };
        rest = after.unwrap_or_default();
        word
    })
}
