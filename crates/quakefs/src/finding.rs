//! What is wrong or unexpected about a stack or an archive, as data.

use std::borrow::Cow;
use std::fmt;

use pak_format::{EntryNameBuf, Layout, Severity};

use crate::companion::CompanionBecause;
use crate::error::{Error, ErrorKind, ZipFault};
use crate::no_path::NoPath;
use crate::place::Place;
use crate::precedence::Precedence;
use crate::rules::{EngineStop, NotLoaded, NotUsed, RequestError, Text, TooMany};

/// A fault, or a thing that an author is likely to have meant otherwise: how severe, where, and what.
///
/// Mounting gives the findings that are known from directories and rows ([`SearchPath::findings`]);
/// [`check`](crate::why::check) adds those that need the loose files and the hidden copies, and
/// [`Archive::verify`] those of one archive. `Display` prints the place and the [`name`](FindingKind::name) of the kind,
/// for logs; the sentence for people and what to do are in [`words`](crate::why::words).
///
/// [`SearchPath::findings`]: crate::SearchPath::findings
/// [`Archive::verify`]: crate::Archive::verify
#[derive(Debug)]
#[non_exhaustive]
pub struct Finding {
    /// How severe the finding is.
    pub severity: Severity,
    /// Where it is.
    pub place: Place,
    /// What it is.
    pub kind: FindingKind,
    /// The name of the engine whose rules were asked; empty for a finding about an archive alone.
    pub engine: Text,
}

/// A derived one would be compiled anew in each crate that copies findings, which are large.
impl Clone for Finding {
    fn clone(&self) -> Self {
        let Finding { severity, place, kind, engine } = self;
        Finding { severity: *severity, place: place.clone(), kind: kind.clone(), engine: engine.clone() }
    }
}

/// What a finding says.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum FindingKind {
    /// A game directory that was asked for does not exist.
    MissingDirectory {
        /// The directory.
        directory: String,
        /// Whether a game names it; else it is the engine's own or a mission's.
        of_game: bool,
        /// The folder that was probably meant: one spelled almost so, or for other directories than a game's one whose
        /// name differs in case alone.
        nearest: Option<String>,
        /// Whether the engine stops without the directory.
        fatal: bool,
    },
    /// A game, a mission flag or a base directory that the engine does not use.
    NotUsed(NotUsed),
    /// An archive that the rules leave out.
    NotLoaded(NotLoaded),
    /// Something at which the engine ends with an error, crashes or hangs.
    StopsAt(EngineStop),
    /// An archive whose place among others depends on the order in which the disk lists the folder.
    DiskOrder {
        /// The other archive.
        other: String,
    },
    /// A folder, a pipe or a dangling link that is named like an archive.
    NotRegular,
    /// A link to a folder that contains the link.
    LinkLoop,
    /// A folder that so many links lead to that it is not listed by all of its paths. A lookup still finds its files by
    /// each of them where loose files are [`Live`](crate::LooseFiles::Live).
    ManyLinks,
    /// A file name that is not UTF-8, where paths have to be.
    NotUtf8,
    /// An entry of an archive that lies over a folder, and that would have no path there.
    NotUnpacked(NoPath),
    /// A file or folder that cannot be read.
    Unreadable(Error),
    /// A file that is named like an archive and cannot be read as one.
    WrongArchive {
        /// Why not.
        error: Error,
        /// Whether the engine would open the file, as its name has it.
        opened: bool,
        /// Whether the engine stops at the file.
        fatal: bool,
    },
    /// An archive of more entries than the engine has room for.
    TooManyEntries {
        /// Entries in the archive.
        entries: usize,
        /// The most that the engine takes.
        most: u32,
        /// What becomes of the archive.
        then: TooMany,
        /// Whether the engine stops at the archive.
        fatal: bool,
    },
    /// A directory whose rows make sense in another layout than the engine's.
    OtherLayout {
        /// The layout that the rows make sense in.
        found: Layout,
        /// The layout that the engine reads.
        read_as: Layout,
    },
    /// An archive or a folder whose files lie in one folder too many, where the engine does not look.
    FolderTooMany {
        /// The folder.
        folder: String,
    },
    /// A file that ends before what its header names: a download that was cut off.
    CutOff {
        /// The bytes that the header names.
        expected: u64,
        /// The bytes of the file.
        found: u64,
    },
    /// Bytes after the last whole row of a directory, which the engine ignores.
    PartialRow {
        /// How many bytes.
        ignored: usize,
    },
    /// An archive of which a part is lost.
    Damaged(Error),
    /// An entry that cannot be read.
    Entry(Error),
    /// An entry or a loose file whose name no request can reach.
    Unreachable(Unreachable),
    /// A name longer than the engine has room for.
    LongName {
        /// Bytes in the name.
        length: usize,
        /// The most that the engine takes.
        most: u32,
    },
    /// A name for which games do not ask, though a request would find the file.
    UnlikelyName(Unreachable),
    /// Another file that is served differs in case alone.
    CaseTwin {
        /// The other file.
        other: Place,
    },
    /// A name that is another one for players on another system.
    Portability(Portability),
    /// A copy that holds the same bytes as the one that it hides.
    SameBytes {
        /// The hidden copy.
        hidden: Place,
    },
    /// A copy that another one of the same game directory hides, and that holds other bytes.
    Hidden {
        /// What kinds of files the two are.
        pair: HiddenPair,
        /// The copy that is served.
        by: Place,
        /// The rule that puts it above.
        rule: Precedence,
    },
    /// A file that the search path serves, and that the engine ignores beside the level for which it is.
    Companion {
        /// The level.
        level: EntryNameBuf,
        /// Why the file is ignored.
        because: CompanionBecause,
    },
    /// An archive in a folder of a game directory, or in another archive, where the engine looks for none: a download that was
    /// unpacked or packed one folder too deep.
    TooDeep {
        /// The folder or the archive in which it lies, as layers are named.
        folder: String,
        /// The game directory.
        directory: String,
    },
    /// A game is asked for with the shareware, which the engines of id refuse.
    Shareware {
        /// The file that a registered copy has.
        file: String,
    },
    /// The file that marks a registered copy holds other bytes: the engines of id stop.
    WrongRegistered {
        /// The file.
        file: String,
    },
    /// A file that is no archive of any kind known here.
    NotAnArchive(Error),
    /// What verifying an archive found.
    Archive(pak_format::FindingKind),
}

/// Why a game does not reach a stored name: no request finds the file, or no game makes the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unreachable {
    /// A request for the name is refused.
    Refused(RequestError),
    /// A request for the name is read as another name.
    ReadDifferently,
    /// The engine passes over such an entry when it loads the archive.
    Dropped,
    /// The engine takes a file of this name from a folder alone, and this one is an entry.
    LooseOnly,
    /// No file on the system that the engine is asked to run on can have the name, such as one of a device.
    NoFileName,
    /// A request would find the file, but its name holds a backslash.
    Backslash,
    /// A request would find the file, but its name has an empty or `.` component.
    DotComponent,
    /// A request would find the file, but its name has capital letters, and the engine compares case.
    Capitals,
}

/// What a name is on another system.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Portability {
    /// The archive or folder is loaded where the disk ignores case, and not where case counts.
    OtherCase {
        /// The name that the engine asks for.
        expected: String,
    },
    /// The loose file is found in any case where the disk ignores case, and by its capitals alone where case counts.
    Capitals,
    /// This and another file are one where the disk ignores case.
    OneFile {
        /// The other file.
        other: Place,
    },
    /// No file of Windows can have the name.
    NoWindowsName,
}

/// Which of two copies in one game directory is loose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HiddenPair {
    /// An entry hides a loose file.
    LooseByEntry,
    /// A loose file hides an entry.
    EntryByLoose,
    /// An entry hides another of the same name in the same archive.
    EqualNames,
}

impl Finding {
    /// A finding of a stack that is mounted under an engine's rules.
    #[must_use]
    pub fn new(engine: &Text, place: Place, kind: FindingKind) -> Self {
        Finding { severity: kind.severity(), place, kind, engine: engine.clone() }
    }

    /// A finding about an archive alone.
    #[must_use]
    pub fn of_archive(place: Place, kind: FindingKind) -> Self {
        Finding::new(&Cow::Borrowed(""), place, kind)
    }

    /// Whether the engine stops with an error because of this, rather than going on without.
    #[must_use]
    pub fn stops_engine(&self) -> bool {
        matches!(
            self.kind,
            FindingKind::StopsAt(_)
                | FindingKind::MissingDirectory { fatal: true, .. }
                | FindingKind::WrongArchive { fatal: true, .. }
                | FindingKind::TooManyEntries { fatal: true, .. }
        )
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind.name())
    }
}

impl FindingKind {
    /// A word for the kind that stays the same, for programs: `gap`, `hidden-loose`, `case`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            FindingKind::MissingDirectory { .. } => "missing-directory",
            FindingKind::StopsAt(_) => "engine-stops",
            FindingKind::DiskOrder { .. } => "disk-order",
            FindingKind::NotUsed(NotUsed::UnknownFlag) => "unknown-flag",
            FindingKind::NotUsed(NotUsed::BaseDirectory) => "base-directory-ignored",
            FindingKind::NotUsed(_) => "game-ignored",
            FindingKind::NotLoaded(why) => match why {
                NotLoaded::AfterGap { .. } => "gap",
                NotLoaded::AfterEmpty { .. } | NotLoaded::EmptyEndsRun => "empty-archive",
                NotLoaded::AfterUnusable { .. } => "after-wrong-archive",
                NotLoaded::BeyondLast { .. } => "number-too-high",
                NotLoaded::WrongCase { .. } | NotLoaded::AlikeLoaded { .. } => "archive-case",
                NotLoaded::NotNumbered
                | NotLoaded::KindIgnored
                | NotLoaded::NoneLoaded
                | NotLoaded::Hidden
                | NotLoaded::LongPath
                | NotLoaded::NotListed { .. } => "archive-ignored",
            },
            FindingKind::NotRegular => "not-a-file",
            FindingKind::LinkLoop => "link-loop",
            FindingKind::ManyLinks => "many-links",
            FindingKind::NotUtf8 => "not-utf8",
            FindingKind::NotUnpacked(_) => "not-unpacked",
            FindingKind::Unreadable(_) => "unreadable",
            FindingKind::WrongArchive { .. } => "wrong-archive",
            FindingKind::TooManyEntries { .. } => "too-many-entries",
            FindingKind::OtherLayout { .. } => "other-layout",
            FindingKind::FolderTooMany { .. } => "folder-too-many",
            FindingKind::CutOff { .. } => "cut-off",
            FindingKind::PartialRow { .. } => "partial-row",
            FindingKind::Damaged(_) => "damaged-archive",
            FindingKind::Entry(error) => match error.kind() {
                ErrorKind::Pak(pak_format::ErrorKind::EntryOutside { .. })
                | ErrorKind::Zip(ZipFault::Outside { .. }) => "outside",
                _ => "damaged",
            },
            FindingKind::Unreachable(_) => "unreachable",
            FindingKind::LongName { .. } => "long-name",
            FindingKind::UnlikelyName(_) => "unlikely-name",
            FindingKind::CaseTwin { .. } => "case",
            FindingKind::Portability(_) => "portability",
            FindingKind::SameBytes { .. } => "same-bytes",
            FindingKind::Hidden { pair: HiddenPair::LooseByEntry, .. } => "hidden-loose",
            FindingKind::Hidden { pair: HiddenPair::EntryByLoose, .. } => "hidden-entry",
            FindingKind::Hidden { pair: HiddenPair::EqualNames, .. } => "equal-names",
            FindingKind::Companion { .. } => "companion-ignored",
            FindingKind::TooDeep { .. } => "too-deep",
            FindingKind::Shareware { .. } => "shareware",
            FindingKind::WrongRegistered { .. } => "corrupt",
            FindingKind::NotAnArchive(_) => "not-an-archive",
            FindingKind::Archive(kind) => kind.name(),
        }
    }

    /// How severe such a finding is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self {
            FindingKind::Unreadable(_)
            | FindingKind::StopsAt(_)
            | FindingKind::OtherLayout { .. }
            | FindingKind::TooManyEntries { .. }
            | FindingKind::Damaged(_)
            | FindingKind::Entry(_)
            | FindingKind::CutOff { .. }
            | FindingKind::NotAnArchive(_)
            | FindingKind::WrongArchive { opened: true, .. } => Severity::Error,
            FindingKind::SameBytes { .. } => Severity::Note,
            FindingKind::Archive(kind) => kind.severity(),
            // a file that the engine does not open does no harm
            _ => Severity::Warning,
        }
    }
}
