//! Where a command writes, and how it ends.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use quakefs::why::words::{self, Said, Say as _};
use serde::Serialize;

use crate::text::{SHELL, printable};

/// Where a command writes, what it may write there, and where it is run.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Console<'a> {
    /// What was asked for.
    pub out: &'a mut dyn Write,
    /// Errors and warnings.
    pub err: &'a mut dyn Write,
    /// Whether `out` shows colours.
    pub colour_out: bool,
    /// Whether `err` shows colours.
    pub colour_err: bool,
    /// How many columns the terminal has that `out` writes to. `None` where `out` is a pipe or a file, which gets each
    /// name whole and each number as digits alone.
    pub columns: Option<usize>,
    /// Whether long work may draw a bar on the terminal's error stream.
    pub progress: bool,
    /// Starts to listen for an interrupt (Ctrl-C), and returns the flag that an interrupt sets. A command calls this
    /// before it writes files, and stops between two of them.
    pub interrupts: fn() -> &'static AtomicBool,
    /// Ends that where nothing has come: an interrupt ends the process again.
    pub uncaught: fn(),
    /// Where the command is run, and by whom.
    pub environment: Environment,
    /// Whether errors alone are printed on the error stream.
    pub(crate) quiet: bool,
    /// Whether answers are objects of JSON, one a line.
    pub(crate) json: bool,
    /// The advice that was printed last.
    last_help: Option<String>,
    /// What is said once, and was.
    said: HashSet<String>,
    /// What is wrong with the game that the command answers about.
    pub(crate) caveats: Caveats,
}

/// What a command knows of the place where it is run. The library reads no environment: its caller does.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Environment {
    /// The user's home folder, where engines have a directory of the user's own. `None` looks at no such directory.
    pub home: Option<PathBuf>,
    /// The root of the file system, below which stores and packages install games for all users. `None` looks at none.
    pub system: Option<PathBuf>,
    /// The current folder, as the shell calls it: the links that led there are kept. Where no base directory is named and
    /// the current folder holds no game, the folders above it are looked at; `None` looks at none.
    pub folder: Option<PathBuf>,
    /// `QUAKEFS_BASEDIR`, which stands for `--basedir`.
    pub base_directory: Option<OsString>,
    /// `QUAKEFS_ENGINE`, which stands for `--engine`.
    pub engine: Option<OsString>,
    /// `PATH`: the folders in which programs are looked for. Where no folder of the engine's program is named, the engine is
    /// looked for there.
    pub programs: Vec<PathBuf>,
}

impl fmt::Debug for Console<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Console")
            .field("colour_out", &self.colour_out)
            .field("colour_err", &self.colour_err)
            .field("progress", &self.progress)
            .field("columns", &self.columns)
            .field("environment", &self.environment)
            .finish_non_exhaustive()
    }
}

impl<'a> Console<'a> {
    /// Text alone: no colour, no terminal, no bar, no interrupt, nothing known of the place.
    pub fn plain(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Console {
            out,
            err,
            colour_out: false,
            colour_err: false,
            columns: None,
            progress: false,
            interrupts: || &NEVER,
            uncaught: || {},
            environment: Environment::default(),
            quiet: false,
            json: false,
            last_help: None,
            said: HashSet::new(),
            caveats: Caveats::default(),
        }
    }

    /// What became of an answer that was printed after `done` was done: an output that cannot be written is reported
    /// beside that.
    pub(crate) fn after(&mut self, done: &str, printed: Result<(), Failure>) -> Result<(), Failure> {
        match printed.and_then(|()| Ok(self.out.flush()?)) {
            Err(Failure::Error(message)) if !done.is_empty() => {
                Err(Message { text: format!("{done}, but {}", message.text), ..message }.into())
            }
            printed => printed,
        }
    }

    pub(crate) fn warn(&mut self, message: &Message) {
        if !self.quiet {
            self.print("warning", "\x1b[1;33m", message);
        }
    }

    /// Prints what is said also where errors alone are wanted.
    pub(crate) fn insist(&mut self, say: impl FnOnce(&mut Self)) {
        let quiet = std::mem::replace(&mut self.quiet, false);
        say(self);
        self.quiet = quiet;
    }

    /// The same, once where several stacks have the same cause.
    pub(crate) fn warn_once(&mut self, message: &Message) {
        if self.said.insert(message.text.clone()) {
            self.warn(message);
        }
    }

    /// Says what the command took for granted. The same note is printed once.
    pub(crate) fn note(&mut self, text: String) {
        if !self.quiet && self.said.insert(text.clone()) {
            self.print("note", "\x1b[1;36m", &Message::without_help(text));
        }
    }

    pub(crate) fn error(&mut self, message: &Message) {
        self.print("error", "\x1b[1;31m", message);
    }

    /// Prints a message on the error stream. A failure to write there cannot be reported anywhere.
    fn print(&mut self, word: &str, colour: &str, message: &Message) {
        let _ = self.out.flush();
        let (start, end) = if self.colour_err { (colour, "\x1b[0m") } else { ("", "") };
        let _ = writeln!(self.err, "{start}{word}:{end} {}", printable(&message.text));
        // the same advice for a thousand files is printed once
        if let Some(help) = message.help.as_ref().filter(|help| self.last_help.as_ref() != Some(*help)) {
            let _ = writeln!(self.err, "  help: {}", printable(help));
            self.last_help = Some(help.clone());
        }
    }
}

/// What makes the answers of a command other than those of the game that was meant. The command ends with 1 then.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Caveats {
    /// What stops the engine on this folder. The answers are those that it would give if the cause were mended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) engine_stops: Option<String>,
    /// An archive or a folder that could not be opened: the answers come without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) not_opened: Option<String>,
    /// A game that is not there: the answers come without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) missing: Option<String>,
}

impl Caveats {
    pub(crate) fn is_empty(&self) -> bool {
        let Caveats { engine_stops, not_opened, missing } = self;
        engine_stops.is_none() && not_opened.is_none() && missing.is_none()
    }
}

/// How a command ended, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Done, or found: 0.
    Done,
    /// Not found, or there are findings: 1.
    NotFound,
    /// Wrong use, or a failure: 2.
    Failed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::NotFound => 1,
            Exit::Failed => 2,
        })
    }
}

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader of the output has closed the pipe.
    ClosedPipe,
    /// An error that is still to be printed.
    Error(Message),
}

/// An error or a warning, and what to do about it.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) text: String,
    pub(crate) help: Option<String>,
}

impl Message {
    pub(crate) fn new(text: impl Into<String>, help: impl Into<String>) -> Self {
        Message { text: text.into(), help: Some(help.into()) }
    }

    pub(crate) fn without_help(text: impl Into<String>) -> Self {
        Message { text: text.into(), help: None }
    }
}

impl From<Said> for Message {
    fn from(said: Said) -> Self {
        let (text, help) = said.into_parts();
        Message { text, help }
    }
}

impl From<&quakefs::Error> for Message {
    fn from(error: &quakefs::Error) -> Self {
        error.say_to(SHELL).into()
    }
}

impl From<&pak_format::Error> for Message {
    fn from(error: &pak_format::Error) -> Self {
        error.say_to(SHELL).into()
    }
}

impl From<&quakefs::Finding> for Message {
    fn from(finding: &quakefs::Finding) -> Self {
        Message { text: words::in_place(finding), ..finding.say_to(SHELL).into() }
    }
}

impl From<Message> for Failure {
    fn from(message: Message) -> Self {
        Failure::Error(message)
    }
}

impl From<quakefs::Error> for Failure {
    fn from(error: quakefs::Error) -> Self {
        Message::from(&error).into()
    }
}

impl From<pak_format::Error> for Failure {
    fn from(error: pak_format::Error) -> Self {
        Message::from(&error).into()
    }
}

/// A bare error of the system comes from writing to the console alone.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure::ClosedPipe;
        }
        Message::without_help(format!("the output cannot be written: {error}")).into()
    }
}
