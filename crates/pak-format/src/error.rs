//! Errors of archives.

#[cfg(feature = "std")]
mod system;

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
#[cfg(feature = "std")]
use std::io;

#[cfg(feature = "edit")]
pub(crate) use self::system::help_for;
use crate::daikatana::DecodeError;
use crate::entry_name::{EntryName, EntryNameBuf, NameFault};
use crate::kinds::kinds;
use crate::layout::Layout;

/// An archive that cannot be read, written or changed.
///
/// [`kind`](Error::kind) is the problem; [`archive`](Error::archive), [`entry`](Error::entry) and
/// [`path`](Error::path) are the place. A writer checks everything before it starts, so its error can have
/// many [`problems`](Error::problems).
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    archive: Option<String>,
    entry: Option<(usize, EntryNameBuf)>,
    problems: Vec<Error>,
    #[cfg(feature = "std")]
    system: system::Facts,
}

kinds! {
    /// Why an archive cannot be read, written or changed.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ErrorKind {
        /// The archive has fewer bytes than a header.
        ShortHeader {
            /// Bytes in the archive.
            found: usize,
        } => "short-header", ["the header is cut short: expected 12 bytes, found {found}"], CUT_OFF;
        /// The first four bytes are not the magic of any layout.
        UnknownMagic {
            /// The first four bytes.
            found: [u8; 4],
        } => "unknown-magic",
            [
                "the file is not an archive: expected the magic PACK, SPAK or HROT, found \"{}\"",
                found.escape_ascii()
            ],
            other_format(*found);
        /// The first four bytes are not the magic of the layout that the caller named.
        WrongMagic {
            /// The layout that the caller named.
            layout: Layout,
            /// The first four bytes.
            found: [u8; 4],
        } => "wrong-magic", [
            "the archive does not have the {layout} layout: expected the magic {}, found \"{}\"",
            layout.magic().escape_ascii(),
            found.escape_ascii()
        ], if Layout::with_magic(*found).next().is_some() {
            "do not name a layout, or name the one with this magic"
        } else {
            other_format(*found)
        };
        /// The directory starts inside the header.
        DirectoryInHeader {
            /// Offset of the directory.
            offset: u32,
        } => "directory-in-header",
            ["the directory starts inside the header: expected an offset of at least 12, found {offset}"],
            "the header is damaged: download the archive again";
        /// The directory ends past the end of the archive.
        DirectoryOutside {
            /// Offset of the directory.
            offset: u32,
            /// Bytes in the directory, according to the header.
            size: u32,
            /// Bytes in the archive.
            image_size: u64,
        } => "directory-outside", [
            "the directory ends past the end of the archive: expected at most {image_size}, found offset \
                {offset} + size {size}"
        ], CUT_OFF;
        /// The directory ends in the middle of a row.
        /// [`ParseOptions::allow_partial_row`](crate::ParseOptions::allow_partial_row) allows that.
        PartialRow {
            /// Bytes in the directory.
            size: u32,
            /// The layout that the caller named, or the only one with this magic; `None` after two were
            /// tried.
            layout: Option<Layout>,
        } => "partial-row", [
            "the directory ends inside a row: expected a multiple of {}, found {size} bytes",
            row_sizes(*layout)
        ], "the header is damaged: download the archive again; if you named a layout, leave it out";
        /// The directory reads equally well as rows of 64 bytes and as rows of 72.
        AmbiguousLayout {
            /// The number of rows if it is a Quake archive.
            rows_quake: usize,
            /// The number of rows if it is a Daikatana archive.
            rows_daikatana: usize,
        } => "ambiguous-layout", [
            "the layout is ambiguous: {rows_quake} rows of 64 bytes and {rows_daikatana} rows of 72 read \
                equally well"
        ], "name the layout: quake or daikatana";
        /// No layout has this name.
        UnknownLayout {
            /// The given name.
            name: String,
        } => "unknown-layout",
            ["no layout is called \"{name}\": expected quake, sin, hrot or daikatana"],
                "choose one of these names";
        /// The payload of an entry ends past the end of the archive.
        EntryOutside {
            /// Offset of the payload, according to the row.
            offset: u32,
            /// Bytes in the payload, according to the row.
            stored_size: u32,
            /// Bytes in the archive.
            image_size: u64,
        } => "entry-outside", [
            "the payload ends past the end of the archive: expected at most {image_size}, found offset \
                {offset} + size {stored_size}"
        ], "the file is probably cut off: download it again; the other entries can be read";
        /// A row claims more content than its compressed payload can decode to:
        /// [`MAX_EXPANSION`](crate::daikatana::MAX_EXPANSION) times its size.
        Expansion {
            /// Bytes that the row claims.
            size: u32,
            /// Bytes of the compressed payload.
            compressed_size: u32,
            /// The most that they can decode to.
            limit: u64,
        } => "expansion", ["{compressed_size} compressed bytes decode to at most {limit} bytes, but the row \
            claims {size}"], DAMAGED_ENTRY;
        /// The compressed payload is damaged.
        Codec(damage: DecodeError) => "codec", ["the compressed payload is damaged"], DAMAGED_ENTRY;
        /// The name cannot be stored.
        Name(fault: NameFault) => "name", ["the name cannot be stored: {fault}"], OTHER_NAME;
        /// The archive would be larger than its 32-bit offsets can address.
        TooLarge {
            /// Bytes that the archive would have.
            size: u64,
        } => "too-large",
            ["the archive would have {size} bytes; the limit is 4294967295, because offsets have 32 bits"],
            SPLIT;
        /// The archive would have more entries than a ZIP can count without ZIP64, which engines do not read.
        TooManyEntries {
            /// The number of entries that it would have.
            entries: usize,
            /// The most.
            most: usize,
        } => "too-many-entries", ["the archive would have {entries} entries; the limit is {most}"], SPLIT;
        /// Several problems, which [`Error::problems`] lists.
        Several {
            /// How many.
            count: usize,
        } => "several", ["{count} problems"], "correct each of them; nothing was written";
        /// An earlier entry has the same name.
        Duplicate {
            /// The number of that entry.
            first: usize,
        } => "duplicate", ["entry {first} has the same name"], OTHER_NAME;
        /// No entry has this name.
        NoEntry {
            /// The name.
            name: EntryNameBuf,
        } => "no-entry", ["no entry is called \"{name}\""], COMPARED;
        /// The row is past the last one.
        NoSuchRow {
            /// The given row.
            row: usize,
            /// How many rows the archive has.
            rows: usize,
        } => "no-such-row", ["there is no row {row}: the archive has {rows}"], COMPARED;
        /// The entry belongs to another archive: the row with its number is different here.
        OtherArchive => "other-archive", ["the entry belongs to another archive"], "open the archive again";
        /// A source has more or fewer bytes than its [`size`](crate::Source::size).
        ContentChanged {
            /// The size of the source.
            expected: u64,
            /// Bytes that were read, at most one more than `expected`.
            found: u64,
        } => "content-changed", [
            "the content changed while it was read: expected {expected} bytes, found {found}{}",
            more(*expected, *found)
        ], "try again when nothing else writes to it";
        /// The payload is in the header, which an edit changes.
        EntryInHeader {
            /// Offset of the payload, according to the row.
            offset: u32,
        } => "entry-in-header",
            ["the payload starts inside the header, at {offset}, and would change with it"],
            "remove the entry, or repack the archive first";
        /// Another writer has the archive open.
        Locked => "locked",
            ["another program is writing the archive"], "try again when the other program is done";
        /// Another program changed, replaced or created the archive in the meantime.
        ArchiveChanged => "archive-changed", ["another program changed the archive in the meantime"],
            "check the archive, then try again";
        /// The caller's progress function ended the work. Nothing was changed.
        Stopped => "stopped", ["the work was stopped"], "nothing was changed: start it again";
        /// The system returned an error, which is the [`source`](core::error::Error::source).
        #[cfg(feature = "std")]
        Io {
            /// The operation.
            doing: &'static str,
            /// The kind of the system's error.
            kind: io::ErrorKind,
        } => "io", ["cannot {doing}"], system::help_for(*kind);
        /// The new archive is in place, but was not flushed to the disk. A power failure may bring the old
        /// one back.
        #[cfg(feature = "std")]
        NotDurable {
            /// The kind of the system's error.
            kind: io::ErrorKind,
        } => "not-durable", ["the archive is written, but cannot be flushed to the disk"],
            "check the disk; the new archive is in place";
    }
}

const CUT_OFF: &str = "the file is probably cut off: download it again";
const DAMAGED_ENTRY: &str = "the entry is damaged: download the archive again; the other entries can be read";
const OTHER_NAME: &str = "choose another name";
const SPLIT: &str = "split the files over several archives";
const COMPARED: &str = "check the list of entries: names are compared byte for byte";

const fn other_format(found: [u8; 4]) -> &'static str {
    match (found, foreign(found)) {
        ([b'P', b'K', ..], _) => "it is a ZIP, not a PACK archive",
        ([b'W', b'A', b'D', _], _) => "it is a WAD: give it the extension .wad",
        (_, Some(help)) => help,
        _ => "this is not an archive: download it again, or give it another extension",
    }
}

/// What to do about an archive of another program.
const fn foreign(found: [u8; 4]) -> Option<&'static str> {
    Some(match found {
        [b'A', b'D', b'A', b'T'] => "it is an archive of Anachronox: unpack it with `quakefs pak extract`",
        [b'7', b'z', 0xbc, 0xaf] => "it is a 7-Zip archive: unpack it with 7-Zip",
        [b'R', b'a', b'r', b'!'] => "it is a RAR archive: unpack it with 7-Zip or another program",
        [0x1f, 0x8b, ..] => "it is compressed with gzip: unpack it with 7-Zip or another program",
        _ => return None,
    })
}

fn more(expected: u64, found: u64) -> &'static str {
    if found > expected { " or more" } else { "" }
}

fn row_sizes(layout: Option<Layout>) -> String {
    layout.map_or_else(|| "64 or 72".to_owned(), |layout| layout.row_size().to_string())
}

impl ErrorKind {
    /// Whether the first bytes are those of another program's archive, which the advice names.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        matches!(self, ErrorKind::UnknownMagic { found } | ErrorKind::WrongMagic { found, .. }
            if foreign(*found).is_some())
    }
}

impl Error {
    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The name of the archive, if [`in_archive`](Error::in_archive) set one.
    #[must_use]
    pub fn archive(&self) -> Option<&str> {
        self.0.archive.as_deref()
    }

    /// The number and the name of the entry, if the error is about one.
    #[must_use]
    pub fn entry(&self) -> Option<(usize, EntryName<'_>)> {
        self.0.entry.as_ref().map(|(index, name)| (*index, name.as_name()))
    }

    /// Whether an entry ([`ErrorKind::NoEntry`], [`ErrorKind::NoSuchRow`]) or a file is missing.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        match self.kind() {
            ErrorKind::NoEntry { .. } | ErrorKind::NoSuchRow { .. } => true,
            #[cfg(feature = "std")]
            ErrorKind::Io { kind, .. } => *kind == io::ErrorKind::NotFound,
            _ => false,
        }
    }

    /// Whether the first bytes show that this is not a PACK archive, but perhaps another kind.
    #[must_use]
    pub fn is_other_format(&self) -> bool {
        matches!(self.kind(), ErrorKind::UnknownMagic { .. } | ErrorKind::ShortHeader { .. })
    }

    /// Each problem of [`ErrorKind::Several`], or the error itself.
    #[must_use]
    pub fn problems(&self) -> &[Error] {
        if self.0.problems.is_empty() { core::slice::from_ref(self) } else { &self.0.problems }
    }

    /// The same error with the name of the archive.
    #[must_use]
    pub fn in_archive(mut self, archive: impl Into<String>) -> Self {
        let archive = archive.into();
        for problem in &mut self.0.problems {
            problem.0.archive = Some(archive.clone());
        }
        self.0.archive = Some(archive);
        self
    }

    /// Returns an error with all problems, if there are any.
    #[cfg(feature = "std")]
    pub(crate) fn refuse(mut problems: Vec<Error>) -> Result<(), Error> {
        let Some(last) = problems.pop() else { return Ok(()) };
        if problems.is_empty() {
            return Err(last);
        }
        problems.push(last);
        let mut error = Error::from(ErrorKind::Several { count: problems.len() });
        error.0.problems = problems;
        Err(error)
    }

    /// The same error, about an entry.
    #[must_use]
    pub fn at_entry(mut self, index: usize, name: EntryName<'_>) -> Self {
        self.0.entry = Some((index, name.into()));
        self
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error(Box::new(Inner {
            kind,
            archive: None,
            entry: None,
            problems: Vec::new(),
            #[cfg(feature = "std")]
            system: system::Facts::default(),
        }))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(archive) = self.archive() {
            write!(f, "{archive}: ")?;
        }
        if let Some((index, name)) = self.entry() {
            write!(f, "entry {index} ({name}): ")?;
        }
        self.kind().fmt(f)?;
        match self.0.problems.first() {
            Some(first) => match first.entry() {
                Some((index, name)) => write!(f, ", the first with entry {index} ({name}): {}", first.kind()),
                None => write!(f, ", the first: {}", first.kind()),
            },
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Error").field(&format_args!("{self}")).finish()
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::Codec(fault) => Some(fault),
            #[cfg(feature = "std")]
            _ => self.0.system.cause.as_deref().map(|cause| cause as _),
            #[cfg(not(feature = "std"))]
            _ => None,
        }
    }
}

impl FromStr for Layout {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Layout::ALL
            .into_iter()
            .find(|layout| layout.name().eq_ignore_ascii_case(word))
            .ok_or_else(|| ErrorKind::UnknownLayout { name: word.to_owned() }.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_prints_names_as_text() {
        let kind = ErrorKind::NoEntry { name: EntryName::from_bytes(b"caf\xe9.wav").into() };
        let text = format!("{:?}", Error::from(kind).at_entry(3, EntryName::from_bytes(b"a.cfg")));
        assert!(text.starts_with("Error(entry 3 (a.cfg): "), "{text}");
        assert!(text.contains(r"caf\xE9.wav"), "{text}");
    }
}
