//! Sentences for people.
//!
//! What the crates of the house give is data: kinds with a `name()`. This module is where a kind becomes a sentence and
//! a piece of advice, so that a command, a page, an engine's console and an editor's window say the same ones.
//!
//! ```
//! use quakefs::SearchPath;
//! use quakefs::why::words::Say as _;
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let base = folder.path();
//! # std::fs::create_dir_all(base.join("id1")).unwrap();
//! # for pak in ["pak0.pak", "pak2.pak"] {
//! #     let empty = pak_format::Builder::new(pak_format::Layout::Quake).finish().unwrap();
//! #     std::fs::write(base.join("id1").join(pak), empty).unwrap();
//! # }
//! let quake = SearchPath::builder(base).mount()?;
//! let finding = quake.findings().next().expect("pak1.pak is missing");
//! let said = finding.say();
//! assert_eq!(said.to_string(), "the archive is not loaded: pak1.pak is missing");
//! assert_eq!(said.help(), Some("rename it to pak1.pak, or add one of that name"));
//! # Ok::<(), quakefs::Error>(())
//! ```

mod advice;
mod companions;
mod compare;
mod findings;
mod game;
mod missing;
mod mount;
mod precedence;
mod stops;
mod substitutes;
mod written;

use std::fmt;

use crate::search_path::OtherGame;

pub use self::advice::of_system_error;
pub use self::findings::{cause, does_not_start, in_place};
pub use self::game::{MoreFindings, NoGame, OF_GAME_TEXT, Registered, TooManyFor, of_user_directory};
pub use self::missing::PASSED_OVER;
pub use self::substitutes::NoSubstitute;
pub use self::written::TooMuchWritten;

/// Whatever has a sentence: a finding, a rule between copies, the cause of a miss, an error.
pub trait Say {
    /// The sentence, and the advice for a reader. The sentence of an error names its place and its causes; that of a finding
    /// does not, and [`in_place`] puts the place before it.
    fn say_to(&self, reader: Reader<'_>) -> Said;

    /// The sentence, and the advice for a reader who sees no command line.
    fn say(&self) -> Said {
        self.say_to(Reader::Window)
    }
}

/// Who reads an advice.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Reader<'a> {
    /// Somebody who sees no command line: in a page, a window, an engine's console. The advice names no options.
    Window,
    /// Somebody who runs `quakefs` in a shell: the advice names options and commands.
    Shell(&'a dyn Shell),
}

/// The command line that a reader has given.
pub trait Shell {
    /// A command line that asks the same game by another command: `quakefs --game ad ls`.
    fn command(&self, name: &str) -> String;

    /// A command line that asks another game of the same base directory: `quakefs --game ad which`.
    fn other_game(&self, game: &OtherGame, name: &str) -> String;

    /// Words as the reader's shell reads them.
    fn quoted(&self, words: &[&str]) -> String;
}

impl Reader<'_> {
    /// The first of two texts for a shell, else the second.
    fn either(self, shell: &'static str, window: &'static str) -> &'static str {
        match self {
            Reader::Shell(_) => shell,
            Reader::Window => window,
        }
    }
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reader::Window => "Window",
            Reader::Shell(_) => "Shell",
        })
    }
}

/// A sentence, and what to do about what it says. `Display` prints the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    sentence: String,
    help: Option<String>,
}

impl Said {
    /// A sentence and an advice.
    #[must_use]
    pub fn new(sentence: impl Into<String>, help: impl Into<String>) -> Self {
        Said { sentence: sentence.into(), help: Some(help.into()) }
    }

    /// A sentence alone.
    #[must_use]
    pub fn without_help(sentence: impl Into<String>) -> Self {
        Said { sentence: sentence.into(), help: None }
    }

    fn with_help(sentence: impl Into<String>, help: Option<impl Into<String>>) -> Self {
        Said { sentence: sentence.into(), help: help.map(Into::into) }
    }

    /// The sentence.
    #[must_use]
    pub fn sentence(&self) -> &str {
        &self.sentence
    }

    /// What to do, if anything is known.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// The sentence and the advice.
    #[must_use]
    pub fn into_parts(self) -> (String, Option<String>) {
        (self.sentence, self.help)
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// `a`, `a or b`, `a, b or c`.
#[must_use]
pub fn one_of(items: &[String]) -> String {
    listed(items, "or")
}

fn listed(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// An error with its causes, in one line.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// `1 byte`, `1 234 bytes`: a number with spaces between thousands, and what is counted.
#[must_use]
pub fn counted(number: u64, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{} {many}", grouped(number)) }
}

/// A number with spaces between thousands.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
