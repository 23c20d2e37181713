//! What an engine does with a folder and a name, as plain data.
//!
//! Nothing in a lookup asks which engine it works for: it reads these fields. The rows for the engines that are
//! known are in [`Engine::rules`](crate::Engine::rules); a caller may change a copy of one:
//!
//! ```
//! use quakefs::{Engine, LoosePosition, Rules};
//!
//! let mut mine: Rules = Engine::WinQuake.rules().clone();
//! mine.name = "my engine".into();
//! mine.loose.position = LoosePosition::Above;
//! ```

use std::borrow::Cow;

use pak_format::Layout;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A string that is a constant in the rows of this crate and may be made by a caller.
pub type Text = Cow<'static, str>;

/// A list that is a constant in the rows of this crate and may be made by a caller.
pub type List<T> = Cow<'static, [T]>;

/// How an engine finds a file: which directories, which archives in what order, and how names compare.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Rules {
    /// The engine's name, for messages.
    pub name: Text,
    /// Which game directories there are, low to high.
    pub directories: Directories,
    /// Which archives of a game directory are loaded: the sets low to high, each in its own order.
    pub archives: List<ArchiveSet>,
    /// Whether, of two archives of one game directory, the later one in that order wins. True of every engine
    /// that is known.
    pub later_wins: bool,
    /// How the bytes of a `.pak` are read.
    pub paks: PakReading,
    /// How the names in a ZIP are read.
    pub zip_names: ZipNames,
    /// How a request compares with the names in archives.
    pub case: Case,
    /// Which of two equal names in one archive is served.
    pub duplicates: Duplicates,
    /// Where loose files stand, and how their names compare.
    pub loose: Loose,
    /// How a requested name is read.
    pub requests: Requests,
    /// What the engine has no room for. This is told, not enforced.
    pub limits: Limits,
    /// The file that tells a registered copy of the game from the shareware, where the engine asks for one.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub registered_by: Option<Text>,
}

/// Which game directories make up the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Directories {
    /// Always there, low to high; `.` is the base directory itself.
    pub base: List<Text>,
    /// Directories that a flag adds, low to high, whatever the order of the flags.
    pub missions: List<Mission>,
    /// Which of the games that were asked for count.
    pub games: Games,
    /// What a game stands for, low to high, `{}` being its name. Mostly `{}` alone.
    pub game_folders: List<Text>,
    /// What it means that a directory is named again, as by `-rogue -game rogue`.
    pub named_again: NamedAgain,
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

/// What it means that a game directory is named again: by a flag and a game, or by two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum NamedAgain {
    /// It stands where it is named last.
    MovesUp,
    /// Its loose files stand where it is named last, its archives where it is named first.
    LooseMoveUp,
    /// A mission's stands where the flag puts it, any other where it is named last.
    MissionsStay,
    /// It stands where it is named first.
    Stays,
}

/// Which of the games that were asked for an engine takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Games {
    /// None: the game comes from elsewhere.
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
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", tag = "set", deny_unknown_fields)
)]
pub enum ArchiveSet {
    /// `pak0`, `pak1`, … in exactly this spelling.
    Numbered {
        /// The extensions, low to high, that each number is tried with before the next number.
        extensions: List<Text>,
        /// How many numbers are tried; `None` for no limit.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        count: Option<u32>,
        /// What a missing number means.
        gaps: Gaps,
        /// What an archive without entries means.
        empty: EmptyArchive,
    },
    /// Every archive with one of these extensions that no earlier set has taken.
    Others {
        /// The extensions.
        extensions: List<Text>,
        /// Whether `.PAK` is `.pak`.
        extension_case: Case,
        /// Whether `Pak3.pak` is left out for `pak3.pak`.
        alike: Alike,
        /// Which is low and which is high.
        order: Order,
    },
}

/// What a missing number means in a numbered run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Gaps {
    /// The run ends.
    Stop,
    /// It goes on with the next number.
    Skip,
}

/// What an archive without entries means in a numbered run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum EmptyArchive {
    /// Nothing: it is loaded.
    Loaded,
    /// The run ends, as at a gap.
    EndsRun,
    /// The run ends, unless it is the first of it.
    EndsRunUnlessFirst,
}

/// Which archives are left out because their name is another's but for its case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Alike {
    /// None.
    Loaded,
    /// One that would be numbered in lower case, whether or not there is such an archive.
    SkipNumbered,
    /// One like an archive of the same game directory that is already loaded.
    SkipSecond,
}

/// In what order a set of archives stands, low to high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Order {
    /// By the bytes of the names.
    Bytes,
    /// By the names without case.
    IgnoreCase,
    /// Names that begin with `pak` first, by the number that follows, then the others; each without case.
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

/// How an engine reads the bytes of a `.pak`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct PakReading {
    /// The one layout that it knows; `None` tells the layout from the bytes.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none", with = "layout_name")
    )]
    pub layout: Option<Layout>,
    /// What it does when the directory ends inside a row.
    pub partial_row: PartialRow,
    /// What it does with a file that is no archive.
    pub wrong_archive: WrongArchive,
}

/// What an engine does when a directory is not a whole number of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum PartialRow {
    /// It reads the whole rows.
    Ignored,
    /// It does not load the archive.
    Refused,
}

/// What an engine does with a file that is named like an archive and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum WrongArchive {
    /// It goes on without it.
    Skipped,
    /// It stops with an error. A search path still mounts, without the archive, and says so.
    Fatal,
}

/// How an engine reads the names in a ZIP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum ZipNames {
    /// As they are stored.
    AsStored,
    /// In lower case, while a request stays as it is.
    LowerCased,
}

/// Where loose files stand and how their names compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// Below its archives: a pak hides a loose file.
    Below,
    /// Above its archives: a loose file hides a pak's.
    Above,
}

/// How a request compares with names on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum LooseCase {
    /// As the disk has it.
    Exact,
    /// As the disk has it, then all in lower case.
    ExactThenLower,
    /// Each component without case; an exact match is taken first.
    Ignored,
    /// Only an exact match is served, but one that differs in case alone hides every lower layer.
    ExactHidesOthers,
}

/// How a requested name is read before it is compared.
///
/// Once anything of a request is dropped, or a backslash becomes a `/`, archives are asked for the name as folders
/// are: clean of every unusual part, also of those that are [`Reading::Literal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Requests {
    /// What a backslash is.
    pub backslash: Backslash,
    /// What a `/` in front does.
    pub leading_slash: Reading,
    /// What a `.` component does, as in `./a` and `a/./b`.
    pub dot_component: Reading,
    /// What an empty component does, as in `a//b`.
    pub empty_component: Reading,
}

/// What a backslash in a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Reading {
    /// It stays: archives compare it byte for byte, and for loose files the system, which drops it, decides.
    Literal,
    /// It is dropped before anything is compared.
    Dropped,
    /// Nothing is found.
    Refused,
}

/// What an engine has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Limits {
    /// The most entries in one `.pak`; `None` where there is no limit, or none is known.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub entries: Option<u32>,
    /// What it does with a `.pak` of more.
    pub too_many: WrongArchive,
    /// The longest name, in bytes.
    pub name: u32,
}

/// A layout by its name, so that the formats need to know nothing of serde.
#[cfg(feature = "serde")]
mod layout_name {
    use pak_format::Layout;
    use serde::{Deserialize, Deserializer, Serializer, de};

    #[expect(clippy::ref_option, reason = "serde hands the field over so")]
    pub(super) fn serialize<S: Serializer>(
        layout: &Option<Layout>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match layout {
            Some(layout) => serializer.serialize_str(layout.name()),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Layout>, D::Error> {
        let word = String::deserialize(deserializer)?;
        word.parse().map(Some).map_err(de::Error::custom)
    }
}
