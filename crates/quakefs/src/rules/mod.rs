//! What an engine does with a folder and a name, as plain data, and the decisions that follow from that data.
//!
//! No lookup asks which engine it serves: each one reads the fields of [`Rules`]. The rows of the known engines
//! are in [`Engine::rules`]; a caller may change a copy of one:
//!
//! ```
//! use quakefs::rules::{Engine, LoosePosition, Rules};
//!
//! let mut mine: Rules = Engine::WinQuake.rules().clone();
//! mine.name = "my engine".into();
//! mine.loose.position = LoosePosition::Above;
//! assert!(mine.validate().is_empty());
//! ```
//!
//! With the feature `serde`, rules come from a file that names an engine and says what differs
//! (`Rules::from_toml`).
//!
//! This module opens no file and reads no environment. Its decisions are functions of text: which game
//! directories there are, which archives of a directory are loaded in which order, how a request is read.

use std::borrow::Cow;

use pak_format::Layout;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

pub(crate) mod archives;
pub(crate) mod directories;
pub(crate) mod engines;
#[cfg(feature = "serde")]
mod file;
pub(crate) mod qpath;
mod validate;

pub use archives::NotLoaded;
pub use directories::NotUsed;
pub use engines::{Engine, Evidence, UnknownEngine};
#[cfg(feature = "serde")]
pub use file::{RuleError, RuleErrorKind};
pub use qpath::{QPath, RequestError};
pub use validate::RulesFault;

/// A string that is a constant in the rows of this crate and may be made by a caller.
pub type Text = Cow<'static, str>;

/// A list that is a constant in the rows of this crate and may be made by a caller.
pub type List<T> = Cow<'static, [T]>;

/// How an engine finds a file: which directories, which archives in what order, and how names compare.
///
/// Rules are made by changing a clone of an engine's row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Rules {
    /// The engine's name, for messages.
    pub name: Text,
    /// The start of the name of a numbered archive: `pak` for `pak0.pak`.
    pub stem: Text,
    /// Whether, of two archives of one game directory, the one that is loaded later wins. True of every known
    /// engine.
    pub later_wins: bool,
    /// How the names in a ZIP are read.
    pub zip_names: ZipNames,
    /// How a request compares with the names in archives.
    pub case: Case,
    /// Which of two equal names in one archive is served.
    pub duplicates: Duplicates,
    /// Which game directories there are, low to high.
    pub directories: Directories,
    /// Which archives of a game directory are loaded: the sets low to high, each in its own order.
    pub archives: List<ArchiveSet>,
    /// Which extension is which kind of archive. See [`Rules::archive_kind`].
    #[cfg_attr(feature = "serde", serde(with = "file::formats"))]
    pub formats: List<Format>,
    /// How the bytes of a PACK archive are read.
    pub paks: PakReading,
    /// Where loose files stand, and how their names compare.
    pub loose: Loose,
    /// How a requested name is read.
    pub requests: Requests,
    /// What the engine has no room for. A search path reports it and serves the files all the same.
    pub limits: Limits,
    /// The file that a registered copy of the game has and the shareware has not. `None` where the engine asks for
    /// no such file.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "file::or_none::deserialize"
        )
    )]
    pub registered_by: Option<Registered>,
}

impl Rules {
    /// The kind of archive that a file's extension stands for. `None` where [`formats`](Self::formats) has no such
    /// extension: an archive set that names the extension all the same reads the file as [`ArchiveKind::Pak`], and
    /// [`validate`](Self::validate) reports it.
    #[must_use]
    pub fn archive_kind(&self, file_name: &str) -> Option<ArchiveKind> {
        let found = archives::extension(file_name)?;
        let format = self.formats.iter().find(|format| format.extension.eq_ignore_ascii_case(found))?;
        Some(format.kind)
    }
}

/// A kind of archive and an extension that stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    /// The extension without its dot, in any case.
    pub extension: Text,
    /// The kind of archive.
    pub kind: ArchiveKind,
}

/// How the bytes of an archive are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum ArchiveKind {
    /// An archive of the PACK family, in one of the layouts of [`Layout`].
    Pak,
    /// A ZIP.
    Zip,
}

/// The file that marks a registered copy of a game, and how its content is known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Registered {
    /// The name of the file inside the tree.
    pub file: Text,
    /// The size of the file in bytes. `None` where any size does.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "file::or_none::deserialize"
        )
    )]
    pub size: Option<u32>,
    /// The SHA-256 of the file as 64 hexadecimal digits. `None` where any content does.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "file::or_none::deserialize"
        )
    )]
    pub sha256: Option<Text>,
}

/// Which game directories make up the search path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Directories {
    /// The directories that are always searched, low to high; `.` is the base directory itself.
    pub base: List<Text>,
    /// Which of the games that were asked for count.
    pub games: Games,
    /// The directories that a game stands for, low to high, `{}` being its name. Most engines have `{}` alone.
    pub game_folders: List<Text>,
    /// Which entries of `base` and `game_folders`, spelled as there, the engine does not write to.
    pub read_only: List<Text>,
    /// Where a directory stands that is named again, as by `-rogue -game rogue`.
    pub named_again: NamedAgain,
    /// The directories that a flag adds, low to high; the order of the flags does not matter.
    pub missions: List<Mission>,
}

/// A directory that a flag of the command line adds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Mission {
    /// The flag, without its dash: `hipnotic`.
    pub flag: Text,
    /// The directory.
    pub directory: Text,
}

/// Where a game directory stands that is named again, by a flag and a game or by two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum NamedAgain {
    /// It stands where it is named last.
    MovesUp,
    /// Its loose files stand where it is named last, its archives where it is named first.
    LooseMoveUp,
    /// A mission's directory stands where its flag puts it, any other where it is named last.
    MissionsStay,
    /// It stands where it is named first.
    Stays,
}

/// Which of the games that were asked for an engine uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Games {
    /// None: the engine reads no game from its command line.
    Ignored,
    /// The first one.
    First,
    /// The last one.
    Last,
    /// Every one, in order.
    Every,
}

/// A set of archives in a game directory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", tag = "set", deny_unknown_fields)
)]
pub enum ArchiveSet {
    /// `pak0`, `pak1`, … in exactly this spelling, with [`Rules::stem`] for `pak`.
    Numbered {
        /// The extensions, low to high, that each number is tried with before the next number.
        extensions: List<Text>,
        /// How many numbers are tried; `None` for no limit.
        #[cfg_attr(
            feature = "serde",
            serde(
                default,
                skip_serializing_if = "Option::is_none",
                deserialize_with = "file::or_none::deserialize"
            )
        )]
        count: Option<u32>,
        /// What a missing number does.
        gaps: Gaps,
        /// What an archive without entries does.
        empty: EmptyArchive,
    },
    /// Every archive with one of these extensions that no earlier set has loaded.
    Others {
        /// The extensions.
        extensions: List<Text>,
        /// Whether `.PAK` is `.pak`.
        extension_case: Case,
        /// Whether `Pak3.pak` is left out because of `pak3.pak`.
        alike: Alike,
        /// Which archive is low and which is high.
        order: Order,
    },
}

impl ArchiveSet {
    /// The extensions of the set's archives.
    #[must_use]
    pub fn extensions(&self) -> &[Text] {
        match self {
            ArchiveSet::Numbered { extensions, .. } | ArchiveSet::Others { extensions, .. } => extensions,
        }
    }
}

/// What a missing number does in a numbered run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Gaps {
    /// The run ends.
    Stop,
    /// The run goes on with the next number.
    Skip,
}

/// What an archive without entries does in a numbered run that stops at a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum EmptyArchive {
    /// The archive is loaded as any other.
    Loaded,
    /// The run ends, as at a gap.
    EndsRun,
    /// The run ends, unless the archive has the number 0.
    EndsRunUnlessFirst,
}

/// Which archives are left out because their name differs only in case from another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Alike {
    /// None.
    Loaded,
    /// An archive that would be numbered in lower case, whether or not there is such an archive.
    SkipNumbered,
    /// An archive whose name differs only in case from one of the same game directory that is already loaded.
    SkipSecond,
}

/// In what order a set of archives stands, low to high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Order {
    /// By the bytes of the names.
    Bytes,
    /// By the names without case.
    IgnoreCase,
    /// Names that begin with [`Rules::stem`] first, by the number that follows, then the others; each without case.
    NumberThenName,
}

/// How names compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Case {
    /// Byte for byte.
    Exact,
    /// The letters A to Z count as a to z.
    Ignored,
}

/// Which of two equal names in one archive is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Duplicates {
    /// The one in the first row.
    First,
    /// The one in the last row.
    Last,
}

/// How an engine reads the bytes of a PACK archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct PakReading {
    /// The one layout that the engine reads; `None` detects the layout from the bytes.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none", with = "file::layout")
    )]
    pub layout: Option<Layout>,
    /// What the engine does when the directory ends inside a row.
    pub partial_row: PartialRow,
    /// What the engine does with a file that is not an archive.
    pub wrong_archive: WrongArchive,
}

/// What an engine does when a directory is not a whole number of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum PartialRow {
    /// It reads the whole rows.
    Ignored,
    /// It does not load the archive.
    Refused,
}

/// What an engine does with a file that is named like an archive and cannot be read as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum WrongArchive {
    /// It goes on without the archive.
    Skipped,
    /// It stops with an error. A search path still mounts without the archive, and reports it.
    Fatal,
}

/// How an engine reads the names in a ZIP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum ZipNames {
    /// As they are stored.
    AsStored,
    /// In lower case, while a request stays as it is.
    LowerCased,
}

/// Where loose files stand and how their names compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Loose {
    /// Above or below the archives of the same game directory.
    pub position: LoosePosition,
    /// How a request compares with the names on disk.
    pub case: LooseCase,
}

/// Where the loose files of a game directory stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum LoosePosition {
    /// Below the directory's archives: an entry hides a loose file.
    Below,
    /// Above the directory's archives: a loose file hides an entry.
    Above,
}

/// How a request compares with names on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum LooseCase {
    /// As the disk has it.
    Exact,
    /// As the disk has it, then all in lower case.
    ExactThenLower,
    /// Each component without case; an exact match is taken first.
    Ignored,
    /// Only an exact match is served, and a file whose name differs only in case hides every lower layer.
    ExactHidesOthers,
}

/// How a requested name is read before it is compared.
///
/// If any part of a request is dropped, or a backslash becomes a `/`, archives are asked for the same name as
/// folders are: without any unusual part, also without those that are [`Reading::Literal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Requests {
    /// What a backslash is.
    pub backslash: Backslash,
    /// What a `/` at the start does.
    pub leading_slash: Reading,
    /// What a `.` component does, as in `./a` and `a/./b`.
    pub dot_component: Reading,
    /// What an empty component does, as in `a//b`.
    pub empty_component: Reading,
}

/// What a backslash in a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Backslash {
    /// A byte like any other.
    Literal,
    /// The same as `/`.
    Slash,
    /// A reason to find nothing.
    Refused,
}

/// What an unusual part of a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Reading {
    /// It stays: archives compare it byte for byte; for loose files the operating system reads it, and drops it.
    Literal,
    /// It is dropped before anything is compared.
    Dropped,
    /// Nothing is found.
    Refused,
}

/// What an engine has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Limits {
    /// The most entries in one PACK archive; `None` where no limit is known.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "file::or_none::deserialize"
        )
    )]
    pub entries: Option<u32>,
    /// What the engine does with a PACK archive of more entries.
    pub too_many: WrongArchive,
    /// The longest name, in bytes.
    pub name: u32,
}
