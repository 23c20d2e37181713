//! Loose files: their position, and how they are found.

use crate::documented::documented;

use super::host::Spelling;
use super::names::Case;

documented! {
    /// The position of loose files, and how their names compare.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub struct Loose {
        /// The position relative to the archives of the same game directory.
        pub position: LoosePosition,
        /// How a request compares with the names on disk.
        pub case: LooseCase,
        /// Whether the engine ignores files and folders with names that begin with a dot, as mvdsv does.
        pub skips_hidden: bool,
        /// Whether the engine finds no names with bytes outside visible ASCII, as q2pro.
        pub only_ascii: bool,
        /// Obstacles with the requested name that hide all lower copies.
        pub hides: Obstacles,
    }
}

impl Loose {
    /// How a pattern compares names, if names in archives compare by `archives`: it ignores case if either
    /// does.
    #[must_use]
    pub fn pattern_case(self, archives: Case) -> Case {
        if self.case.is_ignored() { Case::Ignored } else { archives }
    }

    /// These rules for a folder that compares names by `spelling`.
    #[must_use]
    pub fn in_folder(self, spelling: Spelling) -> Loose {
        let case = if spelling.ignores_case() { LooseCase::IgnoredByDisk } else { self.case };
        Loose { case, ..self }
    }
}

documented! {
    /// Things with the requested name that are not readable files. With `true` such a thing hides every lower
    /// copy; with `false` the lower copy wins.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Obstacles {
        /// A folder.
        pub folder: bool,
        /// A socket or a device.
        pub special: bool,
        /// A link to nothing or to itself. `true` in mvdsv.
        pub dangling_link: bool,
        /// A path that the system cannot follow: in a folder without permission, below a file, through a link
        /// to itself. `true` in q2pro.
        pub unreachable: bool,
        /// An unreadable file. If it hides the lower copies, reading it fails.
        pub unreadable: bool,
    }
}

documented! {
    /// The position of the loose files of a game directory.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum LoosePosition {
        /// Below the directory's archives: an entry overrides a loose file.
        Below,
        /// Above the directory's archives: a loose file overrides an entry.
        Above,
        /// Below the archives of all game directories, in the order of the directories, as in quake3e.
        Lowest,
        /// Above the archives of all game directories, in the order of the directories, as in etlegacy.
        Highest,
    }
}

documented! {
    /// How a request compares with names on disk.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum LooseCase {
        /// Exactly.
        Exact,
        /// Exactly, then all in lower case.
        ExactThenLower,
        /// Without case; an exact match wins.
        Ignored,
        /// The disk ignores case, so the engine does too. No engine's row has this: a search path sets it for
        /// folders of such a disk.
        #[cfg_attr(feature = "serde", serde(skip))]
        IgnoredByDisk,
        /// Exactly, and a file whose name differs only in case hides every lower layer, as in mvdsv.
        ExactHidesOthers,
    }
}

impl LooseCase {
    /// Whether a file is found in any case.
    #[must_use]
    pub fn is_ignored(self) -> bool {
        matches!(self, LooseCase::Ignored | LooseCase::IgnoredByDisk)
    }
}
