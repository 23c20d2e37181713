//! What [`verify`](crate::verify()) finds.

use std::fmt;

use crate::archive::Entry;
use crate::error::ErrorKind;
use crate::name::{EntryName, EntryNameBuf, NameFault};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Unusual, and without effect on what a program reads.
    Note,
    /// Programs treat it differently, or it is probably not intended.
    Warning,
    /// An entry cannot be read, or cannot be extracted under its name, or an engine stops.
    Error,
}

impl Severity {
    /// The name in lower case: `note`, `warning` or `error`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Something odd or wrong with an archive or one of its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    entry: Option<(usize, EntryNameBuf)>,
    kind: FindingKind,
}

/// What is odd or wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FindingKind {
    /// The entry cannot be read: [`ErrorKind::EntryOutside`], [`ErrorKind::Expansion`] or [`ErrorKind::Codec`].
    #[error("{}", unreadable(.0))]
    Unreadable(ErrorKind),
    /// The payload shares bytes with the header.
    #[error("the payload overlaps the header")]
    InHeader,
    /// The payload shares bytes with the directory.
    #[error("the payload overlaps the directory")]
    InDirectory,
    /// The payload shares some bytes with another.
    #[error("the payload overlaps that of entry {other}")]
    Overlap {
        /// The entry whose payload that is.
        other: usize,
    },
    /// An entry before it has the same name.
    #[error("entry {first} has the same name, and programs differ in which of the two they read")]
    Duplicate {
        /// The first entry of that name.
        first: usize,
    },
    /// An entry before it has the same name but for the case of ASCII letters.
    #[error("the name differs from that of entry {first} in case alone")]
    SameWithoutCase {
        /// The first entry of that name.
        first: usize,
    },
    /// An entry before it has the same name on Windows: without case, without dots and spaces at the end of a
    /// component, and without empty and `.` components.
    #[error("the name leads to the same file as that of entry {first} on Windows")]
    SameOnWindows {
        /// The first entry of that name.
        first: usize,
    },
    /// The name is also that of a folder of another entry. Names are compared as on Windows.
    #[error("the name is also that of a folder, which entry {below} is in")]
    FileAndFolder {
        /// An entry in that folder.
        below: usize,
    },
    /// The name cannot be a path on disk: [`EntryName::to_disk_path`].
    #[error("it cannot be extracted: {0}")]
    UnsafeName(NameFault),
    /// The name has an empty or `.` component, which extraction drops.
    #[error(
        "the name has an empty or \".\" component: a request without that component does not find the entry"
    )]
    DottedName,
    /// The name fills its field, so that no NUL ends it.
    #[error(
        "the name has {length} bytes and fills its field: programs that expect a NUL read past the field"
    )]
    NoNul {
        /// Bytes in the name.
        length: usize,
    },
    /// The name has bytes over 127, whose meaning depends on the program.
    #[error("the name is not ASCII")]
    NotAscii,
    /// Name fields have other bytes than zeros after the NUL.
    #[error("{} something after the NUL, the first in entry {first}", counted(*.entries, "name field holds", "name fields hold"))]
    GarbageAfterNul {
        /// How many entries.
        entries: usize,
        /// The first of them.
        first: usize,
    },
    /// Entries whose payload is the same bytes of the archive as that of another entry, which is not counted.
    #[error("{} the payload of another one, which saves {bytes} bytes; the first is entry {first}", counted(*.entries, "entry has", "entries have"))]
    Shared {
        /// How many entries.
        entries: usize,
        /// The first of them.
        first: usize,
        /// Bytes that are stored once instead of for each.
        bytes: u64,
    },
    /// Bytes between header, payloads and directory that are part of none of them.
    #[error("{bytes} bytes between the payloads belong to no entry (holes: {count})")]
    Holes {
        /// How many holes.
        count: usize,
        /// Bytes in all of them.
        bytes: u64,
    },
    /// Bytes after the header, the directory and all payloads.
    #[error("{bytes} bytes at the end belong to no entry")]
    Tail {
        /// How many bytes.
        bytes: u64,
    },
    /// The entries together are larger than a [`DecodeBudget`](crate::verify::DecodeBudget) allows.
    #[error("{archive} bytes of archive hold {content} bytes of files")]
    Expansion {
        /// Bytes of all entries, decoded.
        content: u64,
        /// Bytes of the archive.
        archive: u64,
    },
    /// Compressed entries past the [`DecodeBudget`](crate::verify::DecodeBudget), which were not decoded.
    #[error("{} not decoded: it would take too long", counted(*.entries, "entry was", "entries were"))]
    NotDecoded {
        /// How many entries.
        entries: usize,
    },
}

fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

fn unreadable(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::Codec(damage) => format!("{kind}: {damage}"),
        _ => kind.to_string(),
    }
}

impl FindingKind {
    /// A name for programs, which stays the same in all versions.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            FindingKind::Unreadable(ErrorKind::EntryOutside { .. }) => "outside",
            FindingKind::Unreadable(_) => "damaged",
            FindingKind::InHeader => "in-header",
            FindingKind::InDirectory => "in-directory",
            FindingKind::Overlap { .. } => "overlap",
            FindingKind::Shared { .. } => "shared",
            FindingKind::Duplicate { .. } => "duplicate",
            FindingKind::SameWithoutCase { .. } => "same-without-case",
            FindingKind::SameOnWindows { .. } => "same-on-windows",
            FindingKind::FileAndFolder { .. } => "file-and-folder",
            FindingKind::UnsafeName(_) => "unsafe-name",
            FindingKind::DottedName => "dotted-name",
            FindingKind::NoNul { .. } => "no-nul",
            FindingKind::NotAscii => "not-ascii",
            FindingKind::GarbageAfterNul { .. } => "garbage-after-nul",
            FindingKind::Holes { .. } => "holes",
            FindingKind::Tail { .. } => "tail",
            FindingKind::Expansion { .. } => "expansion",
            FindingKind::NotDecoded { .. } => "not-decoded",
        }
    }

    /// How much it matters.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        match self {
            FindingKind::Unreadable(_) | FindingKind::UnsafeName(_) => Severity::Error,
            FindingKind::Shared { .. }
            | FindingKind::NotAscii
            | FindingKind::GarbageAfterNul { .. }
            | FindingKind::Holes { .. }
            | FindingKind::Tail { .. } => Severity::Note,
            _ => Severity::Warning,
        }
    }
}

impl Finding {
    /// A finding about an entry.
    #[must_use]
    pub fn of_entry(index: usize, name: EntryName<'_>, kind: FindingKind) -> Self {
        Finding { entry: Some((index, name.into())), kind }
    }

    /// A finding about the whole archive.
    #[must_use]
    pub fn of_archive(kind: FindingKind) -> Self {
        Finding { entry: None, kind }
    }

    pub(super) fn of(entry: &Entry<'_>, kind: FindingKind) -> Self {
        Finding::of_entry(entry.index(), entry.name(), kind)
    }

    /// How much the finding matters.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }

    /// What is odd or wrong.
    #[must_use]
    pub fn kind(&self) -> &FindingKind {
        &self.kind
    }

    /// The number and the name of the entry, if the finding is about one, and what it is.
    #[must_use]
    pub fn into_parts(self) -> (Option<(usize, EntryNameBuf)>, FindingKind) {
        (self.entry, self.kind)
    }

    /// The number and the name of the entry; `None` where the finding is about the whole archive.
    #[must_use]
    pub fn entry(&self) -> Option<(usize, EntryName<'_>)> {
        self.entry.as_ref().map(|(index, name)| (*index, name.as_name()))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((index, name)) = self.entry() {
            write!(f, "entry {index} ({name}): ")?;
        }
        self.kind.fmt(f)
    }
}
