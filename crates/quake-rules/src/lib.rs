//! What an engine does with a folder and a name, as plain data, and the decisions that follow from that data.
//!
//! No lookup asks which engine it serves: each one reads the fields of [`Rules`]. The rows of the known engines
//! are in [`Engine::rules`]; a caller may change a copy of one:
//!
//! ```
//! use quake_rules::{Engine, LoosePosition, Rules};
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

mod archives;
mod directories;
mod engines;
#[cfg(feature = "serde")]
mod file;
mod qpath;
mod validate;

pub use archives::{
    In, LoadOrder, Loaded, NotLoaded, Probe, extension, is_archive_name, is_first, load_order,
};
pub use directories::{BadGame, NotUsed, PLACEHOLDER, Planned, PlannedDirectory, game_directories};
pub use engines::{Engine, Evidence, UnknownEngine};
#[cfg(feature = "serde")]
pub use file::{RuleError, RuleErrorKind};
pub use qpath::{QPath, RequestError, Rewritten};
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
    /// Archives in the base directory that belong to the engine rather than to a game directory.
    pub own_archives: List<OwnArchive>,
    /// Whether archives whose file name begins with a dot are loaded from a listed folder. Not by fte, mvdsv and q2pro.
    pub hidden_archives: Hidden,
    /// Whether paks that are entries of an archive are loaded.
    pub nested_paks: NestedPaks,
    /// Which extension is which kind of archive. See [`Rules::archive_kind`].
    #[cfg_attr(feature = "serde", serde(with = "file::formats"))]
    pub formats: List<Format>,
    /// How the bytes of a PACK archive are read.
    pub paks: PakReading,
    /// Which ZIP archives, and which of their entries, the engine does not take.
    pub zips: ZipReading,
    /// How the stored name of an entry becomes the name that requests are compared with.
    pub entry_names: EntryNames,
    /// Where loose files stand, and how their names compare.
    pub loose: Loose,
    /// How a requested name is read.
    pub requests: Requests,
    /// What the engine has no room for.
    pub limits: Limits,
    /// What makes the engine end with an error. A search path goes on and reports it.
    pub stops_at: List<Stop>,
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
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum ArchiveKind {
    /// An archive of the PACK family, in one of the layouts of [`Layout`].
    Pak,
    /// A ZIP.
    Zip,
    /// A folder that is mounted as an archive: `textures.pk3dir`.
    Folder,
}

/// An archive in the base directory that belongs to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct OwnArchive {
    /// The file in the base directory: `quakespasm.pak`.
    pub file: Text,
    /// Where the archive stands.
    pub place: OwnPlace,
    /// The directory of [`Directories::base`] that is not searched where the archive is there, as FTE's `qw`.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "file::or_none::deserialize"
        )
    )]
    pub instead_of: Option<Text>,
}

/// Where an engine's own archive stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum OwnPlace {
    /// Below everything.
    Lowest,
    /// Just above the archive number 0 of the first game directory, or in its place where it is missing. Of several
    /// base directories and the user's, the lowest that has the archive counts.
    AboveFirst,
    /// As `AboveFirst`, but the archive of the user directory stands in the user's copy of the first game directory,
    /// and both are loaded.
    AboveEachFirst,
}

/// Whether files whose name begins with a dot count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Hidden {
    /// They count as other files do.
    Seen,
    /// They are passed over.
    Skipped,
}

/// Whether paks that are entries of an archive are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum NestedPaks {
    /// They are entries like any other.
    Ignored,
    /// They stand just below the archive that holds them.
    Below,
    /// They stand just above the archive that holds them.
    Above,
}

/// Something at which an engine ends with an error, crashes or hangs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Stop {
    /// A game whose name the engine does not take: [`OddGameThen::Stops`] says which.
    OddGame,
    /// A game directory that is not there.
    MissingGame,
    /// A game directory that cannot be listed.
    UnreadableGame,
    /// No archive number 0 in the first game directory of the first base directory.
    MissingFirstArchive,
    /// A folder or a device with the name of a numbered archive.
    NotAFile,
    /// A PACK whose header gives a directory at a negative place.
    NegativeDirectory,
    /// A PACK whose directory ends past the end of the file.
    CutDirectory,
    /// An archive without entries.
    EmptyArchive,
    /// An archive that is in front of a ZIP's end record by more bytes than the record says.
    BytesInFront,
    /// A name in a ZIP of more bytes than the engine has room for: [`ZipReading::longest_name`].
    LongZipName,
    /// An entry of a PACK that ends past the end of the file, when it is read.
    CutEntry,
    /// An entry that starts past the end of the file, when it is read.
    EntryOutside,
    /// An entry of a ZIP whose local header is not there or differs from its row, or of a method besides 0, 8 and 12,
    /// when it is read.
    BadZipEntry,
    /// A file of 0 bytes, when it is read.
    EmptyFile,
    /// A folder of the requested name, when it is read.
    FolderAsFile,
    /// A pipe among the loose files, when it is read: the engine hangs.
    Pipe,
    /// The file of [`Rules::registered_by`] is not there.
    Unregistered,
    /// The file of [`Rules::registered_by`] holds other bytes.
    WrongRegistered,
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
    /// The one archive of the shareware, which an engine that stops without the file still runs by itself.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "file::or_none::deserialize"
        )
    )]
    pub shareware: Option<Shareware>,
    /// Which loose files count where the shareware is there without the file.
    pub loose_without: LooseWithout,
}

/// Which loose files count in a shareware copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum LooseWithout {
    /// All.
    All,
    /// Those straight in a game directory alone, as in quakeworld.
    TopLevel,
}

/// The archive of a game's shareware.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Shareware {
    /// How many entries it has.
    pub entries: u32,
    /// The CRC-16 of its directory, of the polynomial 0x1021 from 0xffff on.
    pub crc: u16,
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
    /// The directories that are always searched, low to high; `.` is the base directory itself. Where `{}` stands
    /// among them, there stand the directories of mission flags, which otherwise stand above them all.
    pub base: List<Text>,
    /// Which of the games that were asked for count.
    pub games: Games,
    /// How many games count at most; `None` for no limit.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "file::or_none::deserialize"
        )
    )]
    pub most_games: Option<u32>,
    /// How the name of a game compares with the folders in the base directory.
    pub game_case: Case,
    /// Which names of games the engine does not take as they stand; the first that fits decides.
    pub odd_games: List<OddGame>,
    /// The directories that a game stands for, low to high, `{}` being its name. Most engines have `{}` alone.
    pub game_folders: List<Text>,
    /// Which entries of `base` and `game_folders`, spelled as there, the engine does not write to.
    pub read_only: List<Text>,
    /// Where a directory stands that is named again, as by `-rogue -game rogue`.
    pub named_again: NamedAgain,
    /// The directories that a flag adds, low to high; the order of the flags does not matter.
    pub missions: List<Mission>,
    /// Which of several mission flags count.
    pub missions_taken: MissionsTaken,
    /// Whether directories that the caller names stand in the place of `base`.
    pub base_games: BaseGames,
    /// Where the base directories beside the first one stand.
    pub more_bases: MoreBases,
    /// The directory of the user's own, whose copy of each game directory stands above those of the base directories.
    /// `None` where the engine has none.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "file::or_none::deserialize"
        )
    )]
    pub user: Option<UserDirectory>,
}

/// Whether directories that the caller names stand in the place of [`Directories::base`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum BaseGames {
    /// The engine has no such flag.
    Ignored,
    /// All of them, low to high, as with `-basegame` of ironwail. Their names are taken as those of games are.
    Every,
}

/// Where the base directories beside the first one stand. A game directory has a copy in each, and all of its copies
/// stand below the next game directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum MoreBases {
    /// The engine takes the first one alone.
    Ignored,
    /// Each stands above the one that was named before, as in ironwail.
    Above,
    /// They stand below the first one, each above the one that was named before, as in vkquake.
    Below,
}

/// Where an engine looks for the directory of the user's own.
///
/// The places are folders below the home folder, written with `/`. Of several, the first that is there counts, and
/// the first one where none is there. An empty list says that the engine looks nowhere on such a system, or that it is
/// not known where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct UserDirectory {
    /// The places on Linux and what is like it.
    pub unix: List<Text>,
    /// The places on macOS.
    pub macos: List<Text>,
    /// The places on Windows.
    pub windows: List<Text>,
    /// When the engine looks there.
    pub looked_at: UserLookedAt,
}

impl UserDirectory {
    /// The places on the system that this program is built for.
    #[must_use]
    pub fn places(&self) -> &[Text] {
        if cfg!(windows) {
            &self.windows
        } else if cfg!(target_os = "macos") {
            &self.macos
        } else {
            &self.unix
        }
    }
}

/// When an engine looks at the user's own directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum UserLookedAt {
    /// Always.
    Always,
    /// In builds for which a switch was set, as distributions do.
    InSomeBuilds,
    /// Where the directory is there; otherwise the engine writes to the base directory.
    WhereThere,
}

/// Which of several mission flags count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum MissionsTaken {
    /// Every one.
    Every,
    /// The one whose directory is the highest.
    Highest,
}

/// Names of games that an engine does not take as they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct OddGame {
    /// Which names.
    pub name: GameName,
    /// What the engine does with them.
    pub then: OddGameThen,
}

/// Which names of games.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum GameName {
    /// This text alone.
    Is(Text),
    /// Those that hold this text.
    Holds(Text),
    /// Those that begin with this text, in any case.
    Starts(Text),
    /// Those that end in this text.
    Ends(Text),
    /// Those of more bytes.
    Longer(u32),
    /// Those with a byte that is neither a letter or digit of ASCII nor one of these.
    OtherThan(Text),
}

/// What an engine does with the name of a game that it does not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum OddGameThen {
    /// It goes on as if the game had not been given.
    Ignored,
    /// It ends with an error.
    Stops,
    /// It takes the part before the text, as a console does at a `;`.
    Cut,
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
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum NamedAgain {
    /// It stands where it is named last.
    MovesUp,
    /// Its loose files, and the folders that are mounted as archives, stand where it is named last, its archives where
    /// it is named first.
    LooseMoveUp,
    /// A mission's directory stands where its flag puts it, any other where it is named last.
    MissionsStay,
    /// It stands where it is named first.
    Stays,
}

/// Which of the games that were asked for an engine uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Gaps {
    /// The run ends.
    Stop,
    /// The run goes on with the next number.
    Skip,
}

/// What an archive without entries does in a numbered run that stops at a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum EmptyArchive {
    /// The archive is loaded as any other.
    Loaded,
    /// The archive counts as missing: the run ends, unless it tries another extension with the same number.
    EndsRun,
    /// The same, unless the archive has the number 0 and is in the first base directory.
    EndsRunUnlessFirst,
}

/// Which archives are left out because their name differs only in case from another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Order {
    /// By the bytes of the names.
    Bytes,
    /// As the disk lists the folder. quakefs takes the bytes of the names, and reports where there is more than one.
    Listed,
    /// By the names without case.
    IgnoreCase,
    /// Names that begin with [`Rules::stem`] first, by the number that follows as C's `strtoul` reads it and then by
    /// what follows the number, then the others; each without case.
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

impl Case {
    /// A name as it compares: names that are equal are the same bytes then.
    #[must_use]
    pub fn fold(self, name: &[u8]) -> Vec<u8> {
        match self {
            Case::Exact => name.to_vec(),
            Case::Ignored => name.to_ascii_lowercase(),
        }
    }
}

/// Which of two equal names in one archive is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Duplicates {
    /// The one in the first row.
    First,
    /// The one in the last row.
    Last,
    /// The one that a binary search meets. The names of the archive are sorted, equal names stay in the order of
    /// their rows, and the search starts at the middle of all of them: at `(count - 1) / 2`, rounded down.
    Searched,
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
    /// What the engine does when the directory ends past the end of the file, as in a download that was cut off.
    pub cut_directory: CutDirectory,
    /// The furthest that an entry may end, in bytes from the start; an archive with one that ends further is not
    /// loaded. `None` where the engine does not look.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "file::or_none::deserialize"
        )
    )]
    pub furthest_entry: Option<u32>,
    /// What the engine does with a file that is not an archive.
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

/// What an engine does when the directory of a PACK ends past the end of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum CutDirectory {
    /// It reads the whole rows that are there.
    WholeRows,
    /// It does not load the archive.
    Refused,
}

/// How an engine reads the bytes of a ZIP archive.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct ZipReading {
    /// The archives that are not loaded.
    pub refused: List<ZipForm>,
    /// The entries that are passed over, so that a lower copy is served.
    pub dropped: List<ZipEntryForm>,
    /// The longest name of an entry in bytes; `None` where no limit is known.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "file::or_none::deserialize"
        )
    )]
    pub longest_name: Option<u32>,
    /// What becomes of an entry with a longer name.
    pub long_name: LongZipName,
    /// What unusual parts of a name become.
    pub parts: NameParts,
}

/// What becomes of an entry of a ZIP whose name is too long for the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum LongZipName {
    /// Its name is cut to the length.
    Cut,
    /// It is passed over.
    Dropped,
    /// It is passed over with every entry after it.
    EndsDirectory,
}

/// A form of ZIP archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum ZipForm {
    /// One with the end record of ZIP64.
    Zip64,
    /// One that does not begin with an entry, such as a program that unpacks itself.
    BytesInFront,
    /// One whose comment leaves no room for the end record in its last 65,535 bytes.
    LongComment,
    /// One whose end record counts more rows than there are.
    CountTooLarge,
    /// One with an entry that starts past the end of the file.
    EntryOutside,
}

/// A form of entry in a ZIP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum ZipEntryForm {
    /// One that is encrypted.
    Encrypted,
    /// One compressed by another method than deflate.
    OtherMethod,
    /// One whose name is marked as UTF-8.
    Utf8Flag,
    /// One whose name has a byte that is not ASCII, and is not marked as UTF-8.
    NotAscii,
    /// One of 0 bytes.
    Empty,
    /// A symbolic link.
    Link,
    /// One that is marked as a folder of DOS by its attributes.
    DosFolder,
}

/// How the stored name of an entry becomes the name that requests are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct EntryNames {
    /// What unusual parts of a name in a PACK become; [`ZipReading::parts`] says so of a ZIP.
    pub parts: NameParts,
    /// What a name in a PACK is that fills its whole field, without a NUL.
    pub unterminated: Unterminated,
}

/// What unusual parts of a stored name become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum NameParts {
    /// They stay.
    AsStored,
    /// A backslash is a `/`.
    Slashes,
    /// A backslash is a `/`; empty and `.` parts are dropped, and a `..` takes the part before it away.
    Cleaned,
}

/// What a name in a PACK is that fills its whole field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Unterminated {
    /// All of the field.
    Whole,
    /// All of the field but its last byte.
    Cut,
    /// The field and the bytes of the row that follow, up to a NUL.
    RunsOn,
}

/// What an engine does with a file that is named like an archive and cannot be read as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum WrongArchive {
    /// It goes on without the archive.
    Skipped,
    /// It goes on without the archive and without those of the same game directory that would stand above it, as
    /// trenchbroom.
    EndsDirectory,
    /// It stops with an error. A search path still mounts without the archive, and reports it.
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
    /// Whether files and folders whose name begins with a dot are found.
    pub hidden: Hidden,
    /// Whether a name with a byte outside visible ASCII is found. Not in q2pro.
    pub bytes: LooseBytes,
    /// Which things of the requested name that are no readable file hide every lower copy.
    pub hides: Obstacles,
}

/// Which bytes the name of a loose file may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum LooseBytes {
    /// Any.
    Any,
    /// Spaces and visible ASCII.
    Ascii,
}

/// Things of a requested name in a folder that are no readable file. Each is `true` where it hides every lower copy,
/// and `false` where the lower copy is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, and all combinations occur")]
pub struct Obstacles {
    /// A folder.
    pub folder: bool,
    /// A socket or a device.
    pub special: bool,
    /// A link that leads nowhere.
    pub dangling_link: bool,
    /// A name that the system does not let the user look up.
    pub unreachable: bool,
    /// A file that cannot be opened for reading. Where it hides the lower copies, reading it fails.
    pub unreadable: bool,
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
/// Archives and folders may be asked for two different names: see [`QPath`].
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// What a component does that begins with a dot, as in `a/.b`: it stays, unless it is refused.
    pub hidden_component: Reading,
    /// What a `/` at the end does: such a name can be that of an entry, and never that of a loose file.
    pub trailing_slash: Reading,
    /// The longest request in bytes; nothing is found for a longer one.
    pub longest: u32,
    /// Loose files that are served for another name, where they are.
    pub instead: List<Instead>,
}

/// A loose file that an engine serves for another name: `ironwail.cfg` for `config.cfg`, which it serves where its
/// own is not in the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(Serialize, Deserialize),
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub struct Instead {
    /// The name that is requested, in any case.
    pub of: Text,
    /// The loose file.
    pub file: Text,
}

/// The loose file that goes before the one of this name.
#[must_use]
pub fn instead_of<'r>(instead: &'r [Instead], name: &[u8]) -> Option<&'r [u8]> {
    let found = instead.iter().find(|instead| instead.of.as_bytes().eq_ignore_ascii_case(name));
    found.map(|instead| instead.file.as_bytes())
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
    /// It stays: archives compare it byte for byte; for loose files the operating system reads it, and drops it.
    Literal,
    /// It is dropped before anything is compared.
    Dropped,
    /// The first one is dropped, and any others stay.
    FirstDropped,
    /// It stays, and no loose file is found.
    ArchivesOnly,
    /// Nothing is found.
    Refused,
}

/// What an engine has no room for. See also [`ZipReading::longest_name`] and [`Requests::longest`].
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
    pub too_many: TooMany,
    /// The longest name, in bytes.
    pub name: u32,
    /// The longest path of an archive or a loose file on disk, in bytes; what has a longer one is not found. `None`
    /// where no limit is known.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "file::or_none::deserialize"
        )
    )]
    pub path: Option<u32>,
}

/// What an engine does with a PACK archive of more entries than it has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum TooMany {
    /// It goes on without the archive.
    Skipped,
    /// It loads the archive and prints a message.
    Loaded,
    /// It stops with an error. A search path still loads the archive, and reports it.
    Fatal,
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
