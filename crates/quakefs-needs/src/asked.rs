//! Levels of a stack, and what they ask for.

use quake_content::Program;
use quake_content::run::Mode;
use quakefs::{FileData, SearchPath};
use rayon::prelude::*;

use crate::dialect::Dialect;
use crate::level;
use crate::need::{Needs, Trouble};

/// For which games a level is looked at.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The skills and kinds of game.
    pub modes: Vec<Mode>,
}

impl Default for Options {
    /// All of them together.
    fn default() -> Self {
        Options { modes: Mode::ALL.to_vec() }
    }
}

impl Options {
    /// With these skills and kinds of game alone.
    #[must_use]
    pub fn modes(self, modes: impl Into<Vec<Mode>>) -> Self {
        Options { modes: modes.into() }
    }
}

/// A stack whose levels can be asked what they need. The program of the game is read once.
#[derive(Debug)]
pub struct Levels {
    stack: SearchPath,
    dialect: &'static Dialect,
    program: Option<FileData>,
    options: Options,
}

impl Levels {
    /// Reads the program of the game.
    #[must_use]
    pub fn new(stack: &SearchPath, options: Options) -> Self {
        let stack = stack.listed();
        let dialect = Dialect::of(&stack.rules().name);
        let program = dialect.program.and_then(|name| stack.read(name).ok());
        Levels { stack, dialect, program, options }
    }

    /// What some levels ask for, in their order, on all cores.
    #[must_use]
    pub fn of(&self, levels: &[impl AsRef<[u8]> + Sync]) -> Vec<Needs> {
        let program = self.program.as_ref().map(|bytes| Program::parse(bytes));
        let (program, unreadable) = match program {
            Some(Ok(program)) => (Some(program), None),
            Some(Err(error)) => (None, Some(error.to_string())),
            None => (None, None),
        };
        let of = |name: &[u8]| {
            let mut needs = level::needs(&self.stack, self.dialect, program.as_ref(), name, &self.options);
            match (&unreadable, self.dialect.program) {
                (Some(reason), Some(name)) => {
                    needs
                        .troubles
                        .push(Trouble::Unreadable { name: name.as_bytes().into(), reason: reason.clone() });
                }
                _ if program.is_none() => needs.troubles.push(Trouble::NoProgram),
                _ => {}
            }
            needs
        };
        levels.par_iter().map(|name| of(name.as_ref())).collect()
    }
}
