//! Where loose files stand and which of them are found.

use serde::{Deserialize, Serialize};

use crate::documented::documented;

use super::host::Spelling;
use super::names::Hidden;

documented! {
    /// Where loose files stand and how their names compare.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[non_exhaustive]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub struct Loose {
        /// Above or below the archives of the same game directory.
        pub position: LoosePosition,
        /// How a request compares with the names on disk.
        pub case: LooseCase,
        /// Whether files and folders whose name begins with a dot are found. Not in mvdsv.
        pub hidden: Hidden,
        /// Whether a name with a byte outside visible ASCII is found. Not in q2pro.
        pub bytes: LooseBytes,
        /// Which things of the requested name that are no readable file hide every lower copy.
        pub hides: Obstacles,
    }
}

impl Loose {
    /// How the engine finds loose files in a folder whose names compare so.
    ///
    /// ```
    /// use quake_rules::{Engine, LooseCase, Spelling};
    /// let loose = Engine::WinQuake.rules().loose;
    /// assert_eq!(loose.in_folder(Spelling::IgnoresCase).case, LooseCase::IgnoredByDisk);
    /// assert_eq!(loose.in_folder(Spelling::Exact), loose);
    /// ```
    #[must_use]
    pub fn in_folder(self, spelling: Spelling) -> Loose {
        let case = if spelling.ignores_case() { LooseCase::IgnoredByDisk } else { self.case };
        Loose { case, ..self }
    }
}

documented! {
    /// Which bytes the name of a loose file may hold.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum LooseBytes {
        /// Any.
        Any,
        /// Spaces and visible ASCII.
        Ascii,
    }
}

documented! {
    /// Things of a requested name in a folder that are no readable file. Each is `true` where it hides every lower copy,
    /// and `false` where the lower copy is served.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub struct Obstacles {
        /// A folder.
        pub folder: bool,
        /// A socket or a device.
        pub special: bool,
        /// A link that leads nowhere, or to itself. `true` in mvdsv.
        pub dangling_link: bool,
        /// A name that the system does not look up: in a folder that is closed, below a file or a link to itself. `true` in q2pro.
        pub unreachable: bool,
        /// A file that cannot be opened for reading. Where it hides the lower copies, reading it fails.
        pub unreadable: bool,
    }
}

documented! {
    /// Where the loose files of a game directory stand.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum LoosePosition {
        /// Below the directory's archives: an entry hides a loose file.
        Below,
        /// Above the directory's archives: a loose file hides an entry.
        Above,
        /// Below the archives of all game directories, in the order of the directories, as in quake3e.
        Lowest,
    }
}

documented! {
    /// How a request compares with names on disk.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum LooseCase {
        /// As the disk has it.
        Exact,
        /// As the disk has it, then all in lower case.
        ExactThenLower,
        /// Each component without case; an exact match is taken first.
        Ignored,
        /// As the disk has it, which ignores case. No engine has this of itself: a search path says so of folders of such a
        /// disk.
        #[serde(skip)]
        IgnoredByDisk,
        /// Only an exact match is served, and a file whose name differs only in case hides every lower layer, as in
        /// mvdsv.
        ExactHidesOthers,
    }
}

impl LooseCase {
    /// Whether a file is found in every spelling.
    ///
    /// ```
    /// use quake_rules::LooseCase;
    /// assert!(LooseCase::IgnoredByDisk.is_ignored() && !LooseCase::ExactThenLower.is_ignored());
    /// ```
    #[must_use]
    pub fn is_ignored(self) -> bool {
        matches!(self, LooseCase::Ignored | LooseCase::IgnoredByDisk)
    }
}
