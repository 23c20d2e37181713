//! What is wrong or unexpected about a stack or an archive, as data.

use std::borrow::Cow;
use std::fmt;

use pak_format::{EntryName, EntryNameBuf, Layout, Severity};

use crate::error::{Error, ErrorKind, ZipFault};
use crate::precedence::Precedence;
use crate::rules::{Games, NotLoaded, NotUsed, RequestError, Stop, Text, TooMany};

/// A fault, or a thing that an author is likely to have meant otherwise: how severe, where, and what.
///
/// Mounting gives the findings that are known from directories and rows ([`SearchPath::findings`]);
/// [`SearchPath::check`] adds those that need the loose files and the hidden copies, and [`Archive::verify`] those of
/// one archive. `Display` prints one line; a program that speaks to people adds what to do, from the kind.
///
/// [`SearchPath::findings`]: crate::SearchPath::findings
/// [`SearchPath::check`]: crate::SearchPath::check
/// [`Archive::verify`]: crate::Archive::verify
#[derive(Clone, Debug)]
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

/// Where a finding is: a layer or a file on disk, and an entry or a loose file in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Place {
    /// The layer, archive, folder or flag, named as layers are: relative to the base directory, `/` at the end of a
    /// folder.
    pub layer: String,
    /// The number of the entry, in an archive.
    pub entry: Option<usize>,
    /// The name of the entry or of the loose file, as stored.
    pub name: Option<EntryNameBuf>,
}

impl Place {
    /// A layer, an archive or a folder as a whole.
    pub fn layer(layer: impl Into<String>) -> Self {
        Place { layer: layer.into(), entry: None, name: None }
    }

    /// An entry of an archive.
    #[must_use]
    pub fn entry(layer: impl Into<String>, entry: usize, name: EntryName<'_>) -> Self {
        Place { layer: layer.into(), entry: Some(entry), name: Some(name.into()) }
    }

    /// A loose file.
    #[must_use]
    pub fn loose(layer: impl Into<String>, name: EntryName<'_>) -> Self {
        Place { layer: layer.into(), entry: None, name: Some(name.into()) }
    }

    /// The name of the entry or of the loose file.
    #[must_use]
    pub fn name(&self) -> Option<EntryName<'_>> {
        self.name.as_ref().map(EntryNameBuf::as_name)
    }
}

impl fmt::Display for Place {
    /// `id1/pak0.pak: entry 3 (maps/start.bsp)`, `id1/config.cfg`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.layer)?;
        match (self.entry, self.name()) {
            (Some(entry), Some(name)) => write!(f, ": entry {entry} ({name})"),
            (None, Some(name)) => write!(f, "{name}"),
            _ => Ok(()),
        }
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
    StopsAt(Stop),
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
    /// A name under which games do not ask.
    UnlikelyName(Unlikely),
    /// Another file that is served differs in case alone.
    CaseTwin {
        /// The other file.
        other: Place,
    },
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

/// Why no request reaches a stored name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unreachable {
    /// A request for the name is refused.
    Refused(RequestError),
    /// A request for the name is read as another name.
    ReadDifferently,
    /// The engine passes over such an entry when it loads the archive.
    Dropped,
}

/// Why games do not ask for a name, though a request would find the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unlikely {
    /// The name holds a backslash.
    Backslash,
    /// The name has an empty or `.` component.
    DotComponent,
    /// The name has capital letters, and the engine compares case.
    Capitals,
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

    /// What is wrong, without what the engine does then: why an archive is not loaded, or what stops the engine.
    #[must_use]
    pub fn cause(&self) -> String {
        match &self.kind {
            FindingKind::NotLoaded(why) => not_loaded(why, self.engine()),
            FindingKind::NotRegular => "not a regular file".to_owned(),
            FindingKind::WrongArchive { error, .. } => error.reason(),
            FindingKind::StopsAt(stop) => stops_at(*stop).to_owned(),
            FindingKind::MissingDirectory { .. } => "there is no such folder".to_owned(),
            _ => self.reason(),
        }
    }

    fn engine(&self) -> &str {
        if self.engine.is_empty() { "the engine" } else { &self.engine }
    }

    /// What is wrong, in a sentence without the place.
    #[must_use]
    pub fn reason(&self) -> String {
        let engine = self.engine();
        match &self.kind {
            FindingKind::MissingDirectory { fatal: false, .. } => self.cause(),
            FindingKind::StopsAt(_) | FindingKind::MissingDirectory { fatal: true, .. } => {
                format!("{}: {engine} stops with an error here", self.cause())
            }
            FindingKind::NotUsed(why) => format!("not used: {}", not_used(*why, engine)),
            FindingKind::NotLoaded(_) | FindingKind::NotRegular => format!("not loaded: {}", self.cause()),
            FindingKind::DiskOrder { other } => {
                format!("the order of this archive and {other} is that in which the disk lists the folder")
            }
            FindingKind::LinkLoop => "left out: the link leads to a folder that contains it".to_owned(),
            FindingKind::ManyLinks => "left out: the folder was listed through 16 other links".to_owned(),
            FindingKind::NotUtf8 => "left out: the file name is not UTF-8".to_owned(),
            FindingKind::Unreadable(error) => format!("left out: {}", error.reason()),
            FindingKind::WrongArchive { fatal, .. } => {
                let then =
                    if *fatal { format!("; {engine} stops with an error here") } else { String::new() };
                format!("not loaded: {}{then}", self.cause())
            }
            FindingKind::TooManyEntries { entries, most, then, fatal } => {
                let then = match then {
                    _ if *fatal => "stops with an error",
                    TooMany::Loaded => "prints a message",
                    TooMany::Skipped => "does not load it",
                };
                format!("the archive has {entries} entries, {engine} takes {most} and {then}")
            }
            FindingKind::OtherLayout { found, read_as } => format!(
                "the rows are {found}'s, of {} bytes; {engine} reads rows of {} and takes what they hold for names",
                found.row_size(),
                read_as.row_size()
            ),
            FindingKind::PartialRow { ignored } => {
                format!(
                    "the last {ignored} bytes of the directory are no whole row, and {engine} ignores them"
                )
            }
            FindingKind::Entry(error) | FindingKind::Damaged(error) | FindingKind::NotAnArchive(error) => {
                error.reason()
            }
            FindingKind::Unreachable(Unreachable::Refused(reason)) => {
                format!("no request reaches it: {reason}")
            }
            FindingKind::Unreachable(Unreachable::ReadDifferently) => {
                format!("no request reaches it: {engine} reads this name as another")
            }
            FindingKind::Unreachable(Unreachable::Dropped) => {
                format!("no request reaches it: {engine} passes over such an entry")
            }
            FindingKind::LongName { length, most } => {
                format!("the name has {length} bytes, {engine} has room for {most}")
            }
            FindingKind::UnlikelyName(why) => {
                format!("{engine} serves it under this very name alone, and {why}")
            }
            FindingKind::CaseTwin { other } => {
                format!("{other} differs from it in case alone, and both are served")
            }
            FindingKind::SameBytes { hidden } => {
                format!("it holds the same bytes as {hidden}, which it hides")
            }
            FindingKind::Hidden { by, rule, .. } => format!("it is hidden by {by}: {rule}"),
            FindingKind::Shareware { file } => {
                format!("this is the shareware, which has no {file}")
            }
            FindingKind::WrongRegistered { file } => {
                format!("{file} is not the file of the registered version")
            }
            FindingKind::Archive(kind) => kind.to_string(),
        }
    }
}

fn not_used(why: NotUsed, engine: &str) -> String {
    match why {
        NotUsed::UnknownFlag => format!("{engine} has no such flag"),
        NotUsed::OddGame => format!("{engine} takes no game of this name"),
        NotUsed::TooManyGames => format!("{engine} has no room for another game"),
        NotUsed::OtherMission => format!("{engine} takes one mission, and another one goes before"),
        NotUsed::BaseGame => format!("{engine} takes no other base game"),
        NotUsed::BaseDirectory => format!("{engine} takes the first base directory alone"),
        NotUsed::Game { taken } => {
            let taken = match taken {
                Games::Ignored => "no game from its command line",
                Games::First => "the first game alone",
                Games::Last => "the last game alone",
                Games::Every => "every game",
            };
            format!("{engine} takes {taken}")
        }
    }
}

fn not_loaded(why: &NotLoaded, engine: &str) -> String {
    match why {
        NotLoaded::AfterGap { missing, .. } => format!("{missing} is missing"),
        NotLoaded::AfterEmpty { empty } => format!("{empty} has no entries, and {engine} stops there"),
        NotLoaded::AfterUnusable { unusable } => {
            format!("{unusable} cannot be used, and {engine} loads no archive after it")
        }
        NotLoaded::LongPath => format!("{engine} has no room for so long a path"),
        NotLoaded::Hidden => format!("{engine} passes over files whose name begins with a dot"),
        NotLoaded::EmptyEndsRun => format!("it has no entries, and {engine} stops there"),
        NotLoaded::BeyondLast { last } => format!("{engine} tries nothing above {last}"),
        NotLoaded::WrongCase { expected } => format!("{engine} looks for {expected}"),
        NotLoaded::AlikeLoaded { loaded } => format!("{engine} takes it for {loaded}, which is"),
        NotLoaded::NotNumbered => format!("{engine} looks for numbered archives alone"),
        NotLoaded::KindIgnored => format!("{engine} does not read this kind of archive"),
        NotLoaded::NoneLoaded => format!("{engine} loads no archive of a game directory"),
    }
}

fn stops_at(stop: Stop) -> &'static str {
    match stop {
        Stop::OddGame => "this cannot be the name of a game",
        Stop::MissingGame => "there is no such folder",
        Stop::UnreadableGame => "the game cannot be listed",
        Stop::MissingFirstArchive => "there is no archive with the number 0",
        Stop::NotAFile => "this is not a regular file",
        Stop::WrongArchive => "the file is no archive",
        Stop::TooManyEntries => "the archive has too many entries",
        Stop::NegativeDirectory => "the directory is at a negative place",
        Stop::CutDirectory => "the directory ends past the end of the archive",
        Stop::EmptyArchive => "the archive has no entries",
        Stop::BytesInFront => "the offsets in this ZIP do not count the bytes in front of it",
        Stop::LongZipName => "a name in this ZIP is too long",
        Stop::CutEntry => "the entry ends past the end of the archive",
        Stop::EntryOutside => "the entry starts past the end of the archive",
        Stop::BadZipEntry => "the entry cannot be decoded",
        Stop::EmptyFile => "the file is empty",
        Stop::FolderAsFile => "a folder has the name of a file",
        Stop::Pipe => "this is a pipe",
        Stop::Unregistered => "the file of the registered version is missing",
        Stop::WrongRegistered => "this is not the file of the registered version",
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason())
    }
}

impl fmt::Display for Unlikely {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unlikely::Backslash => "no game asks with a backslash",
            Unlikely::DotComponent => "no game asks with an empty or \".\" component",
            Unlikely::Capitals => "most games ask in lower case",
        })
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
                | NotLoaded::LongPath => "archive-ignored",
            },
            FindingKind::NotRegular => "not-a-file",
            FindingKind::LinkLoop => "link-loop",
            FindingKind::ManyLinks => "many-links",
            FindingKind::NotUtf8 => "not-utf8",
            FindingKind::Unreadable(_) => "unreadable",
            FindingKind::WrongArchive { .. } => "wrong-archive",
            FindingKind::TooManyEntries { .. } => "too-many-entries",
            FindingKind::OtherLayout { .. } => "other-layout",
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
            FindingKind::SameBytes { .. } => "same-bytes",
            FindingKind::Hidden { pair: HiddenPair::LooseByEntry, .. } => "hidden-loose",
            FindingKind::Hidden { pair: HiddenPair::EntryByLoose, .. } => "hidden-entry",
            FindingKind::Hidden { pair: HiddenPair::EqualNames, .. } => "equal-names",
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
            | FindingKind::NotAnArchive(_)
            | FindingKind::WrongArchive { opened: true, .. } => Severity::Error,
            FindingKind::SameBytes { .. } => Severity::Note,
            FindingKind::Archive(kind) => kind.severity(),
            // a file that the engine does not open does no harm
            _ => Severity::Warning,
        }
    }
}
