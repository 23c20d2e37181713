//! The output of a command, and its exit code.

use std::borrow::{Borrow, Cow};
use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::builder::StyledStr;
use quakefs::findings::Severity;
use quakefs::sentences::{Help, Shell, with_causes};
use quakefs_game::Caveats;
use serde::Serialize;

use crate::text::{SHELL, annotation, printable};

/// How far a SARIF log is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Log {
    None,
    Begun,
    Ended,
}

/// The output streams of a command, their abilities, and the environment.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Console<'a> {
    /// The answer.
    pub out: &'a mut dyn Write,
    /// Errors and warnings.
    pub err: &'a mut dyn Write,
    /// Whether `out` shows colours.
    pub colour_out: bool,
    /// Whether `err` shows colours.
    pub colour_err: bool,
    /// The width of the terminal that `out` writes to. `None` for a pipe or a file, in which tables are as
    /// wide as they need and numbers have no spaces.
    pub columns: Option<usize>,
    /// Whether long work may draw a progress bar on the error stream.
    pub progress: bool,
    /// Starts to catch interrupts (Ctrl-C), and returns the flag that an interrupt sets. A command calls this
    /// before it writes files, and stops between two files.
    pub interrupts: fn() -> &'static AtomicBool,
    /// Stops catching: the next interrupt ends the process.
    pub uncaught: fn(),
    /// The user's environment.
    pub environment: Environment,
    /// Whether only errors are printed on the error stream.
    pub(crate) quiet: bool,
    /// Whether answers are JSON objects, one per line.
    pub(crate) json: bool,
    /// Whether messages are annotations for GitHub.
    pub(crate) annotates: bool,
    /// How far a SARIF log is printed.
    pub(crate) log: Log,
    /// The words of the command line, for advice that repeats them.
    pub(crate) line: Vec<OsString>,
    /// The last help line printed.
    last_help: Option<String>,
    /// The messages of `warn_once` that are already printed.
    printed_once: HashSet<String>,
    /// The problems of the whole game. If there are any, the command ends with 1.
    pub(crate) caveats: Caveats,
}

/// The environment of a command. The library does not read it; the caller passes it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Environment {
    /// The user's home folder, which contains the user directories of engines. With `None`, no engine has a
    /// user directory.
    pub home: Option<PathBuf>,
    /// The root of the file system, for games that stores and packages install for all users. `None` ignores
    /// those.
    pub system: Option<PathBuf>,
    /// The current folder as the shell names it, with symbolic links. `None`: as the system names it. If no
    /// base directory is named, the game is looked for there, in the folders above, and in the folders below.
    pub folder: Option<PathBuf>,
    /// `QUAKEFS_BASEDIR`, the default of `--basedir`.
    pub base_directory: Option<OsString>,
    /// `QUAKEFS_ENGINE`, the default of `--engine`.
    pub engine: Option<OsString>,
    /// The file of the user's configuration. With `None`, there is none.
    pub configuration: Option<PathBuf>,
    /// The user's editor, perhaps with options: `VISUAL`, or else `EDITOR`.
    pub editor: Option<OsString>,
    /// The folder for temporary files. With `None`, commands that need one fail.
    pub temporary: Option<PathBuf>,
    /// The folders of `PATH`, searched for the engine's program if `--exedir` is missing.
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
    /// Plain text: no colour, no terminal, no progress bar, no interrupts, an empty environment.
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
            annotates: false,
            log: Log::None,
            line: Vec::new(),
            last_help: None,
            printed_once: HashSet::new(),
            caveats: Caveats::default(),
        }
    }

    /// The result of printing an answer after some work. If printing fails, the error mentions that the work
    /// is `done`.
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
            self.print(Severity::Warning, message);
        }
    }

    /// Prints warnings and notes even with `--quiet`.
    pub(crate) fn insist(&mut self, say: impl FnOnce(&mut Self)) {
        let quiet = std::mem::replace(&mut self.quiet, false);
        say(self);
        self.quiet = quiet;
    }

    /// Warns, but prints the same text only once.
    pub(crate) fn warn_once(&mut self, message: &Message) {
        if self.printed_once.insert(message.text.clone()) {
            self.warn(message);
        }
    }

    /// Notes an assumption of the command, once.
    pub(crate) fn note(&mut self, text: String) {
        if !self.quiet && self.printed_once.insert(text.clone()) {
            self.print(Severity::Note, &Message::without_help(text));
        }
    }

    pub(crate) fn error(&mut self, message: &Message) {
        self.print(Severity::Error, message);
    }

    /// Prints errors. The command fails if there are any.
    pub(crate) fn errors<E: Borrow<quakefs::Error>>(&mut self, errors: impl IntoIterator<Item = E>) -> Exit {
        let mut exit = Exit::Done;
        for error in errors {
            self.error(&error.borrow().into());
            exit = Exit::Failed;
        }
        exit
    }

    /// Prints a text of clap, with its colours on a terminal.
    pub(crate) fn print_styled(&mut self, text: &StyledStr) -> io::Result<()> {
        if self.colour_out { write!(self.out, "{}", text.ansi()) } else { write!(self.out, "{text}") }
    }

    /// A part of an answer, with its colour on a terminal. Text from outside must be
    /// [`printable`](crate::text::printable).
    pub(crate) fn paint<'t>(&self, part: Part, text: impl Into<Cow<'t, str>>) -> Cow<'t, str> {
        let text = text.into();
        if self.colour_out { Cow::Owned(format!("{}{text}{END}", part.colour())) } else { text }
    }

    /// The word for how severe a finding is, as wide as the longest.
    pub(crate) fn severity(&self, severity: Severity) -> Cow<'static, str> {
        self.paint(Part::Severity(severity), format!("{severity:8}"))
    }

    /// Prints a message on the error stream. A failure to write there cannot be reported.
    fn print(&mut self, severity: Severity, message: &Message) {
        let _ = self.out.flush();
        if self.annotates {
            let help = message.help.as_deref().unwrap_or_default();
            let _ = annotation(self.err, severity, &[], &message.text, help);
            return;
        }
        let word = severity.name();
        let (start, end) = if self.colour_err { (Part::Severity(severity).colour(), END) } else { ("", "") };
        let mut text = format!("{start}{word}:{end} {}\n", printable(&message.text));
        // the same help for a thousand files is printed once
        if let Some(help) = message.help.as_ref().filter(|help| self.last_help.as_ref() != Some(*help)) {
            text.extend(["  help: ", &*printable(help), "\n"]);
            self.last_help = Some(help.clone());
        }
        // in one piece: another program may write to the same terminal
        let _ = self.err.write_all(text.as_bytes());
    }
}

/// What a part of an answer is.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// The name of a file.
    Name,
    /// Where a file is.
    Place,
    /// What is overridden or skipped.
    Passed,
    /// What is missing.
    Missing,
    /// The word for how severe it is.
    Severity(Severity),
}

/// Ends a colour.
const END: &str = "\x1b[0m";

impl Part {
    /// The sequence that starts its colour.
    fn colour(self) -> &'static str {
        match self {
            Part::Name => "\x1b[1m",
            Part::Place => "\x1b[32m",
            Part::Passed => "\x1b[33m",
            Part::Missing | Part::Severity(Severity::Error) => "\x1b[1;31m",
            Part::Severity(Severity::Warning) => "\x1b[1;33m",
            Part::Severity(_) => "\x1b[1;36m",
        }
    }
}

/// The exit code of a command, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: done, or found.
    Done,
    /// 1: not found, or findings.
    NotFound,
    /// 2: wrong use, or a failure.
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
    /// The reader of the output closed the pipe.
    ClosedPipe,
    /// An error to print.
    Error(Message),
}

/// An error or a warning, with help.
#[derive(Debug, Serialize)]
pub(crate) struct Message {
    #[serde(rename = "reason")]
    pub(crate) text: String,
    pub(crate) help: Option<String>,
}

impl Message {
    pub(crate) fn new(text: impl Into<String>, help: impl Into<String>) -> Self {
        Message { text: text.into(), help: Some(help.into()) }
    }

    /// A sentence, and its advice for a reader.
    pub(crate) fn of(kind: &impl Help, shell: Option<&dyn Shell>) -> Self {
        Message { text: kind.to_string(), help: kind.help(shell) }
    }

    pub(crate) fn without_help(text: impl Into<String>) -> Self {
        Message { text: text.into(), help: None }
    }

    /// Puts the subject of the message in front of its text.
    pub(crate) fn about(self, subject: impl fmt::Display) -> Self {
        Message { text: format!("{subject}: {}", self.text), ..self }
    }
}

impl From<&quakefs::Error> for Message {
    fn from(error: &quakefs::Error) -> Self {
        Message { text: with_causes(error), help: error.help(SHELL) }
    }
}

impl From<&quakefs_game::Error> for Message {
    fn from(error: &quakefs_game::Error) -> Self {
        Message::of(error, SHELL)
    }
}

impl From<&quakefs_game::ReasonRow> for Message {
    fn from(row: &quakefs_game::ReasonRow) -> Self {
        Message { text: row.reason.clone(), help: row.help.clone() }
    }
}

impl From<&quakefs_game::FindingRow> for Message {
    fn from(row: &quakefs_game::FindingRow) -> Self {
        Message { text: row.to_string(), help: row.help.clone() }
    }
}

impl From<&quakefs_game::Problem> for Message {
    fn from(problem: &quakefs_game::Problem) -> Self {
        Message::of(problem, SHELL)
    }
}

impl From<&pak_format::Error> for Message {
    fn from(error: &pak_format::Error) -> Self {
        Message { text: with_causes(error), help: error.help(SHELL) }
    }
}

impl From<&quakefs::Finding> for Message {
    fn from(finding: &quakefs::Finding) -> Self {
        Message { text: finding.to_string(), help: finding.help(SHELL) }
    }
}

impl Failure {
    /// [`Message::about`] of an error.
    pub(crate) fn about(self, subject: impl fmt::Display) -> Self {
        match self {
            Failure::Error(message) => message.about(subject).into(),
            Failure::ClosedPipe => Failure::ClosedPipe,
        }
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

impl From<quakefs_game::Error> for Failure {
    fn from(error: quakefs_game::Error) -> Self {
        Message::from(&error).into()
    }
}

impl From<pak_format::Error> for Failure {
    fn from(error: pak_format::Error) -> Self {
        Message::from(&error).into()
    }
}

/// A bare error of the system comes only from writing to the console.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure::ClosedPipe;
        }
        Message::without_help(format!("the output cannot be written: {error}")).into()
    }
}
