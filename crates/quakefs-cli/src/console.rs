//! Where a command writes, and how it ends.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

/// Where a command writes, and what it may write there.
pub struct Console<'a> {
    /// What was asked for.
    pub out: &'a mut dyn Write,
    /// Errors and warnings.
    pub err: &'a mut dyn Write,
    /// Whether `out` shows colours.
    pub colour_out: bool,
    /// Whether `err` shows colours.
    pub colour_err: bool,
    /// Whether long work may draw a bar on the terminal's error stream.
    pub progress: bool,
    /// Starts to listen for an interrupt (Ctrl-C), and gives what it sets. A command calls it before it writes
    /// files, to stop between two of them and leave nothing half done.
    pub interrupts: fn() -> &'static AtomicBool,
    /// What was advised last.
    last_help: Option<String>,
}

impl fmt::Debug for Console<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Console")
            .field("colour_out", &self.colour_out)
            .field("colour_err", &self.colour_err)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}

impl<'a> Console<'a> {
    /// Text alone: no colour, no bar.
    pub fn plain(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Console {
            out,
            err,
            colour_out: false,
            colour_err: false,
            progress: false,
            interrupts: || &NEVER,
            last_help: None,
        }
    }

    pub(crate) fn warn(&mut self, message: impl fmt::Display, help: Option<&str>) {
        self.tell("warning", "\x1b[1;33m", &message, help);
    }

    pub(crate) fn error(&mut self, error: &Told) {
        self.tell("error", "\x1b[1;31m", &error.message, error.help.as_deref());
    }

    /// A message on the error stream. If that cannot be written to, there is nobody left to tell.
    fn tell(&mut self, word: &str, colour: &str, message: &dyn fmt::Display, help: Option<&str>) {
        let _ = self.out.flush();
        let (start, end) = if self.colour_err { (colour, "\x1b[0m") } else { ("", "") };
        let _ = writeln!(self.err, "{start}{word}:{end} {}", harmless(&message.to_string()));
        if let Some(help) = help.filter(|help| self.last_help.as_deref() != Some(*help)) {
            // once is enough for a thousand files
            let _ = writeln!(self.err, "  help: {}", harmless(help));
            self.last_help = Some(help.to_owned());
        }
    }
}

/// Messages hold names of files on disk, and those may hold what steers a terminal.
pub(crate) fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() {
            let mut bytes = [0; 4];
            out.extend(letter.encode_utf8(&mut bytes).bytes().map(|byte| format!("\\x{byte:02X}")));
        } else {
            out.push(letter);
        }
    }
    out
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
    /// Nobody reads on.
    ClosedPipe,
    Told(Told),
}

/// An error with what to do about it.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Told {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Told { message: message.into(), help: Some(help.into()) }
    }

    /// An error with its causes, in one line.
    fn from_error(error: &dyn std::error::Error, help: Option<&str>) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            message.push_str(": ");
            message.push_str(&error.to_string());
            cause = error.source();
        }
        Told { message, help: help.map(str::to_owned) }
    }
}

impl From<&quakefs::Error> for Told {
    fn from(error: &quakefs::Error) -> Self {
        Told::from_error(error, error.help())
    }
}

impl From<&pak_format::Error> for Told {
    fn from(error: &pak_format::Error) -> Self {
        Told::from_error(error, Some(error.help()))
    }
}

impl From<Told> for Failure {
    fn from(told: Told) -> Self {
        Failure::Told(told)
    }
}

impl From<quakefs::Error> for Failure {
    fn from(error: quakefs::Error) -> Self {
        Told::from(&error).into()
    }
}

impl From<pak_format::Error> for Failure {
    fn from(error: pak_format::Error) -> Self {
        Told::from(&error).into()
    }
}

/// Only writing to the console gives a bare one.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure::ClosedPipe;
        }
        Told { message: format!("the output cannot be written: {error}"), help: None }.into()
    }
}
