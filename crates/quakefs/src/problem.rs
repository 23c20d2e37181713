//! What was left out at a mount, or will not work later, and is no reason to stop.

use std::fmt;

use pak_format::{EntryName, ErrorKind, Layout};

use crate::error::Error;
use crate::qpath::RequestError;

/// Something that is not as its author will have meant it: where, what, and what to do.
#[derive(Debug)]
pub struct Problem {
    place: String,
    entry: Option<Place>,
    engine: String,
    kind: ProblemKind,
}

#[derive(Debug)]
struct Place {
    index: usize,
    name: Box<[u8]>,
}

/// What is not as it should be.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A directory that was asked for does not exist.
    MissingDirectory,
    /// A game that the engine does not look at.
    GameIgnored {
        /// Which it does look at, in words.
        taken: &'static str,
    },
    /// A flag that the engine does not know.
    UnknownFlag,
    /// An archive behind a gap in the numbers.
    AfterGap {
        /// The archive that is missing.
        missing: String,
        /// The name under which this one would be loaded.
        free: String,
    },
    /// An archive behind an empty one, which counts as missing.
    AfterEmpty {
        /// The archive without entries.
        empty: String,
    },
    /// An archive without entries, which ends the numbered run.
    EmptyEndsRun,
    /// A number higher than the engine tries.
    BeyondLast {
        /// The highest that it does.
        last: String,
    },
    /// A name that would be numbered but for its case.
    WrongCase {
        /// The name that the engine looks for.
        expected: String,
    },
    /// A name that differs only in case from that of an archive that is loaded.
    AlikeLoaded {
        /// The one that is.
        loaded: String,
    },
    /// An archive whose name is not one that the engine looks for.
    NotNumbered,
    /// An archive of a kind that the engine does not read.
    KindIgnored,
    /// A folder, a pipe or a link to nowhere that is named like an archive.
    NotRegular,
    /// A link to a folder that it is in.
    LinkLoop,
    /// A file name that is not UTF-8.
    NotUtf8,
    /// A file or folder that the system does not let be read.
    Unreadable(std::io::Error),
    /// A file that is named like an archive and cannot be read as one.
    WrongArchive {
        /// Why not.
        error: Error,
        /// Whether the engine would open it, as its name has it.
        opened: bool,
        /// Whether the engine stops there.
        fatal: bool,
    },
    /// A directory whose rows make sense in another layout than the engine's.
    OtherLayout {
        /// The layout that they make sense in.
        found: Layout,
        /// The layout that the engine reads.
        read_as: Layout,
    },
    /// Bytes behind the last whole row of a directory.
    PartialRow {
        /// How many.
        ignored: usize,
    },
    /// An archive of which a part is lost.
    Damaged(Error),
    /// An entry that cannot be read.
    Entry(Error),
    /// An entry whose name no request can reach.
    Unreachable(Unreachable),
}

/// Why no request reaches a stored name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unreachable {
    /// A request for it is refused.
    Refused(RequestError),
    /// A request for it is read as another name.
    ReadDifferently,
}

impl Problem {
    pub(crate) fn new(place: impl Into<String>, engine: &str, kind: ProblemKind) -> Self {
        Problem { place: place.into(), entry: None, engine: engine.to_owned(), kind }
    }

    pub(crate) fn at_entry(mut self, index: usize, name: EntryName<'_>) -> Self {
        self.entry = Some(Place { index, name: name.as_bytes().into() });
        self
    }

    /// What is not as it should be.
    #[must_use]
    pub fn kind(&self) -> &ProblemKind {
        &self.kind
    }

    /// The file, folder or flag, as layers are named: relative to the base directory.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The number and the name of the entry, if it is about one.
    #[must_use]
    pub fn entry(&self) -> Option<(usize, EntryName<'_>)> {
        self.entry.as_ref().map(|place| (place.index, EntryName::from_bytes(&place.name)))
    }

    /// What is wrong, in a sentence without the place.
    #[must_use]
    pub fn reason(&self) -> String {
        let engine = &self.engine;
        match &self.kind {
            ProblemKind::MissingDirectory => "there is no such folder".to_owned(),
            ProblemKind::GameIgnored { taken } => format!("not used: {engine} takes {taken}"),
            ProblemKind::UnknownFlag => format!("not used: {engine} has no such flag"),
            ProblemKind::AfterGap { missing, .. } => format!("not loaded: {missing} is missing"),
            ProblemKind::AfterEmpty { empty } => {
                format!("not loaded: {empty} has no entries, and {engine} stops there")
            }
            ProblemKind::EmptyEndsRun => format!("not loaded: it has no entries, and {engine} stops there"),
            ProblemKind::BeyondLast { last } => format!("not loaded: {engine} tries nothing above {last}"),
            ProblemKind::WrongCase { expected } => format!("not loaded: {engine} looks for {expected}"),
            ProblemKind::AlikeLoaded { loaded } => {
                format!("not loaded: {engine} takes it for {loaded}, which is")
            }
            ProblemKind::NotNumbered => format!("not loaded: {engine} looks for numbered archives alone"),
            ProblemKind::KindIgnored => format!("not loaded: {engine} does not read this kind of archive"),
            ProblemKind::NotRegular => "not loaded: it is not a regular file".to_owned(),
            ProblemKind::LinkLoop => "left out: it is a link to a folder that it is in".to_owned(),
            ProblemKind::NotUtf8 => "left out: the file name is not UTF-8".to_owned(),
            ProblemKind::Unreadable(error) => format!("left out: {error}"),
            ProblemKind::WrongArchive { error, fatal, .. } => {
                let then =
                    if *fatal { format!("; {engine} stops with an error here") } else { String::new() };
                format!("not loaded: {}{then}", error.reason())
            }
            ProblemKind::OtherLayout { found, read_as } => format!(
                "its rows are {found}'s, of {} bytes; {engine} reads {} and takes what they hold for names",
                found.row_size(),
                read_as.row_size()
            ),
            ProblemKind::PartialRow { ignored } => {
                format!(
                    "the last {ignored} bytes of the directory are no whole row, and {engine} ignores them"
                )
            }
            ProblemKind::Entry(error) | ProblemKind::Damaged(error) => error.reason(),
            ProblemKind::Unreachable(Unreachable::Refused(reason)) => {
                format!("no request reaches it: {reason}")
            }
            ProblemKind::Unreachable(Unreachable::ReadDifferently) => {
                format!("no request reaches it: {engine} reads this name as another")
            }
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> String {
        match &self.kind {
            ProblemKind::MissingDirectory => "look at its spelling and case".to_owned(),
            ProblemKind::GameIgnored { .. } => "name one game, or another engine".to_owned(),
            ProblemKind::UnknownFlag => "leave it out, or name another engine".to_owned(),
            ProblemKind::AfterGap { missing, free } if missing == free => {
                format!("rename it to {free}, or add one of that name")
            }
            ProblemKind::AfterGap { missing, free } => format!("rename it to {free} when {missing} is there"),
            ProblemKind::AfterEmpty { empty } => {
                format!("put a file into {empty}, or remove it and renumber")
            }
            ProblemKind::EmptyEndsRun => "remove it, or put a file into it".to_owned(),
            ProblemKind::BeyondLast { .. } => "give it a lower number".to_owned(),
            ProblemKind::WrongCase { expected } => format!("rename it to {expected}"),
            ProblemKind::AlikeLoaded { .. } => "give it a name of its own".to_owned(),
            ProblemKind::NotNumbered => "rename it to the next free pakN.pak".to_owned(),
            ProblemKind::KindIgnored => "repack it, or use an engine that reads it".to_owned(),
            ProblemKind::NotRegular => "replace it with an archive, or rename it".to_owned(),
            ProblemKind::LinkLoop => "remove the link".to_owned(),
            ProblemKind::NotUtf8 | ProblemKind::Unreachable(_) => "rename it".to_owned(),
            ProblemKind::Unreadable(_) => "look at its permissions".to_owned(),
            // whoever plays a game names no layouts
            ProblemKind::WrongArchive { error, .. } => match error.pak_kind() {
                Some(ErrorKind::WrongMagic { layout, found })
                    if Layout::with_magic(*found).next().is_some() =>
                {
                    format!("repack it in the {layout} layout")
                }
                Some(ErrorKind::PartialRow { .. }) => {
                    "the header is damaged: get the archive again".to_owned()
                }
                _ => error.help().unwrap_or("look at its permissions").to_owned(),
            },
            ProblemKind::Entry(error) | ProblemKind::Damaged(error) => {
                error.help().unwrap_or_default().to_owned()
            }
            ProblemKind::OtherLayout { read_as, .. } => format!("repack it in the {read_as} layout"),
            ProblemKind::PartialRow { .. } => "the archive is damaged: get it again, or repack it".to_owned(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        if let Some((index, name)) = self.entry() {
            write!(f, "entry {index} ({name}): ")?;
        }
        f.write_str(&self.reason())
    }
}
