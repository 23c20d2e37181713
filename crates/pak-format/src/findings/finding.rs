//! What [`verify`](crate::verify()) finds.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::archive::Entry;
use crate::entry_name::{EntryName, EntryNameBuf, NameFault};
use crate::error::ErrorKind;
use crate::kinds::kinds;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Unusual, but every program still reads the same.
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

kinds! {
    /// A kind of [`Finding`].
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum FindingKind {
        /// The entry cannot be read: [`ErrorKind::EntryOutside`], [`ErrorKind::Expansion`] or
        /// [`ErrorKind::Codec`].
        Unreadable(error: ErrorKind) =>
            if matches!(error, ErrorKind::EntryOutside { .. }) { "outside" } else { "damaged" },
            Error, ["{}", unreadable(error)], "download the archive again";
        /// The payload shares bytes with the header.
        InHeader => "in-header", Warning, ["the payload overlaps the header"], DAMAGED_ROW;
        /// The payload shares bytes with the directory.
        InDirectory => "in-directory", Warning, ["the payload overlaps the directory"], DAMAGED_ROW;
        /// The payload shares some bytes with another payload.
        Overlap {
            /// The entry with the other payload.
            other: usize,
        } => "overlap", Warning, ["the payload overlaps the payload of entry {other}"],
            "one of the rows is probably damaged: check the content of both entries";
        /// An earlier entry has the same name.
        Duplicate {
            /// The first entry of that name.
            first: usize,
        } => "duplicate", Warning,
            ["entry {first} has the same name, and programs differ in which of the two they read"],
            "remove all but one";
        /// An earlier entry has the same name in another ASCII case.
        SameWithoutCase {
            /// The first entry of that name.
            first: usize,
        } => "same-without-case", Warning, ["the name differs from entry {first} only in case"], SAME_PATH;
        /// An earlier entry has the same name on Windows, which ignores case, dots and spaces at the end of a
        /// component, and empty and `.` components.
        SameOnWindows {
            /// The first entry of that name.
            first: usize,
        } => "same-on-windows", Warning,
            ["on Windows the name leads to the same file as entry {first}"], SAME_PATH;
        /// The name is also the folder of another entry. Names are compared as on Windows.
        FileAndFolder {
            /// An entry in that folder.
            entry: usize,
        } => "file-and-folder", Warning, ["the name is also a folder, which contains entry {entry}"],
            "rename it: a disk cannot store both";
        /// The name cannot be a path on disk: [`EntryName::to_disk_path`].
        UnsafeName(fault: NameFault) => "unsafe-name", Error,
            ["this entry cannot be extracted: {fault}"], "rename it";
        /// The name has an empty or `.` component, which extraction drops.
        DottedName => "dotted-name", Warning,
            ["the name has an empty or \".\" component, so a request without that component does not find \
                the entry"], "rename it";
        /// The name fills its field, so no NUL ends it.
        NoNul {
            /// Bytes in the name.
            length: usize,
        } => "no-nul", Warning,
            ["the name has {length} bytes and fills its field: programs that expect a NUL read past the \
                field"],
            "give it a shorter name";
        /// The name has bytes over 127, whose meaning depends on the program.
        NotAscii => "not-ascii", Note, ["the name is not ASCII"], "rename it if it is not found";
        /// The local header of a ZIP entry differs from the directory.
        LocalHeader {
            /// The names of the fields.
            fields: Vec<&'static str>,
        } => "local-header", Warning,
            ["the local header has another {}, and programs differ in which they read", fields.join(", ")],
            "pack the files again";
        /// The file contains a second ZIP directory.
        TwoDirectories {
            /// The offset of the directory that engines read.
            read: u64,
            /// The offset of the other one.
            other: u64,
        } => "two-directories", Warning,
            ["the file contains two archives: engines read the directory at {read}, other programs the one \
                at {other}"],
            "extract the files that you want, and pack them again";
        /// Name fields have bytes other than zero after the NUL.
        GarbageAfterNul {
            /// How many entries have such a field.
            entries: usize,
            /// The number of the first such entry.
            first: usize,
        } => "garbage-after-nul", Note,
            [
                "{} bytes after the NUL, first in entry {first}",
                counted(*entries, "name field has", "name fields have")
            ],
            "nothing to do: old packers leave such bytes";
        /// Several entries share a payload. The first entry of each payload does not count.
        Shared {
            /// How many entries share a payload.
            entries: usize,
            /// The number of the first such entry.
            first: usize,
            /// Bytes saved because these entries share one payload.
            bytes: u64,
        } => "shared", Note,
            [
                "{} the payload of another, which saves {bytes} bytes; the first is entry {first}",
                counted(*entries, "entry shares", "entries share")
            ],
            "nothing to do: it saves space";
        /// Unused bytes between header, payloads and directory, except those that align a payload to 16 bytes
        /// or less.
        Holes {
            /// How many holes.
            count: usize,
            /// Their total size.
            bytes: u64,
        } => "holes", Note,
            ["{bytes} bytes between the payloads are unused (holes: {count})"],
                "repack the archive to drop them";
        /// Unused bytes after the header, the directory and all payloads.
        Tail {
            /// How many bytes.
            bytes: u64,
        } => "tail", Note, ["{bytes} bytes at the end are unused"], "repack the archive to drop them";
        /// The entries together exceed the [`DecodeBudget`](crate::verify::DecodeBudget).
        Expansion {
            /// Bytes of all entries, decoded.
            content: u64,
            /// Bytes of the archive.
            archive: u64,
        } => "expansion", Warning, ["the files have {content} bytes, the archive only {archive} bytes"],
            "make sure that the disk has room before you extract it";
        /// Compressed entries past the [`DecodeBudget`](crate::verify::DecodeBudget), which were not decoded.
        NotDecoded {
            /// How many entries.
            entries: usize,
        } => "not-decoded", Warning,
            ["{} not decoded because it would take too long", counted(*entries, "entry was", "entries were")],
            "allow more bytes";
    }
}

const DAMAGED_ROW: &str = "the row is probably damaged: check the content of the entry";
const SAME_PATH: &str = "rename one of them, or one replaces the other when they are extracted";

fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

fn unreadable(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::Codec(damage) => format!("{kind}: {damage}"),
        _ => kind.to_string(),
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

    /// The kind of finding.
    #[must_use]
    pub fn kind(&self) -> &FindingKind {
        &self.kind
    }

    /// The number and the name of the entry, if any, and the kind.
    #[must_use]
    pub fn into_parts(self) -> (Option<(usize, EntryNameBuf)>, FindingKind) {
        (self.entry, self.kind)
    }

    /// The number and the name of the entry; `None` if the finding is about the whole archive.
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
