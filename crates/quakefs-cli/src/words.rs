//! Sentences that only the command prints.

use std::fmt;

use quakefs::sentences::{Help, Shell, counted};

/// The remark about a text of the game that changes the search path.
pub const OF_GAME_TEXT: &str = "a text of the game that sets the search path";

/// An archive with more entries than some engines can load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooManyFor {
    /// How many entries the archive has.
    pub entries: usize,
    /// The engines that cannot load them, and the limit of each.
    pub engines: Vec<(String, u32)>,
}

impl fmt::Display for TooManyFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engines: Vec<_> =
            self.engines.iter().map(|(engine, most)| format!("{engine} has room for {most}")).collect();
        let entries = counted(self.entries as u64, "entry", "entries");
        write!(f, "the archive has {entries}; {}", engines.join(", "))
    }
}

impl Help for TooManyFor {
    fn help(&self, _: Option<&dyn Shell>) -> Option<String> {
        Some("split it into several archives for these engines".to_owned())
    }
}

/// Archives and folders that were not searched for what is not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MayHaveIt(pub usize);

impl fmt::Display for MayHaveIt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let them = counted(self.0 as u64, "archive or folder that is", "archives or folders that are");
        write!(f, "it may be in {them} skipped")
    }
}

impl Help for MayHaveIt {
    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        Some(match shell {
            Some(shell) => format!("`{}` lists what is skipped and why", shell.command("path", None)),
            None => "check the list of findings".to_owned(),
        })
    }
}

/// An extraction that claims more bytes than its limit, and the limit that the caller set, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuchWritten {
    /// Bytes that the files claim.
    pub claimed: u64,
    /// Bytes of the archives.
    pub source_size: u64,
    /// The user's limit.
    pub limit: Option<u64>,
}

impl fmt::Display for TooMuchWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = |number| counted(number, "byte", "bytes");
        write!(f, "nothing was written: the files would have {}, and ", bytes(self.claimed))?;
        match self.limit {
            Some(limit) => write!(f, "the limit is {}", bytes(limit)),
            None => write!(f, "the archives have {}", bytes(self.source_size)),
        }
    }
}

impl Help for TooMuchWritten {
    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        let help = match shell {
            Some(_) => "allow more with --max-output, or extract less, by a pattern",
            None => "allow more, or extract fewer files",
        };
        Some(help.to_owned())
    }
}
