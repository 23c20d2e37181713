//! What is wrong with an archive, and where.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::daikatana::DecodeError;
use crate::layout::Layout;
#[cfg(feature = "edit")]
use crate::name::escape_path;
use crate::name::{EntryName, EntryNameBuf, NameFault};

/// An archive that cannot be read, written or changed.
///
/// [`kind`](Error::kind) says what is wrong, with what was expected and what was found; [`archive`](Error::archive),
/// [`entry`](Error::entry) and [`path`](Error::path) say where. A writer checks everything before it starts: an error of
/// its check can have many [`problems`](Error::problems).
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    archive: Option<String>,
    entry: Option<(usize, EntryNameBuf)>,
    path: Option<PathBuf>,
    cause: Option<Arc<io::Error>>,
    problems: Vec<Error>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The archive has fewer bytes than a header.
    #[error("the header is cut short: expected 12 bytes, found {found}")]
    ShortHeader {
        /// Bytes in the archive.
        found: usize,
    },
    /// The first four bytes are the magic of no layout.
    #[error("the file is not an archive: expected the magic PACK, SPAK or HROT, found \"{}\"", found.escape_ascii())]
    UnknownMagic {
        /// The first four bytes.
        found: [u8; 4],
    },
    /// The first four bytes are not the magic of the layout that the caller named.
    #[error(
        "the archive is not of the {layout} layout: expected the magic {}, found \"{}\"",
        layout.magic().escape_ascii(),
        found.escape_ascii()
    )]
    WrongMagic {
        /// The layout that the caller named.
        layout: Layout,
        /// The first four bytes.
        found: [u8; 4],
    },
    /// The directory starts inside the header.
    #[error("the directory starts inside the header: expected an offset of at least 12, found {offset}")]
    DirectoryInHeader {
        /// Where the header says the directory is.
        offset: u32,
    },
    /// The directory ends past the end of the archive.
    #[error(
        "the directory ends past the end of the archive: expected at most {image_size}, \
         found offset {offset} + size {size}"
    )]
    DirectoryOutside {
        /// Where the header says the directory is.
        offset: u32,
        /// Bytes that the header says the directory has.
        size: u32,
        /// Bytes in the archive.
        image_size: u64,
    },
    /// The directory is not a whole number of rows.
    /// [`ParseOptions::allow_partial_row`](crate::ParseOptions::allow_partial_row) allows that.
    #[error("the directory ends inside a row: expected a multiple of {}, found {size} bytes", row_sizes(*.layout))]
    PartialRow {
        /// Bytes in the directory.
        size: u32,
        /// The layout that the caller named, or the only one with this magic; `None` where two were tried.
        layout: Option<Layout>,
    },
    /// The directory reads equally well as rows of 64 bytes and as rows of 72.
    #[error(
        "the layout is ambiguous: {rows_quake} rows of 64 bytes and {rows_daikatana} rows of 72 read equally well"
    )]
    AmbiguousLayout {
        /// How many rows it has as a Quake archive.
        rows_quake: usize,
        /// How many rows it has as a Daikatana archive.
        rows_daikatana: usize,
    },
    /// The payload of an entry ends past the end of the archive.
    #[error(
        "the payload ends past the end of the archive: expected at most {image_size}, \
         found offset {offset} + size {stored_size}"
    )]
    EntryOutside {
        /// Where the row says the payload starts.
        offset: u32,
        /// Bytes that the row says the payload has.
        stored_size: u32,
        /// Bytes in the archive.
        image_size: u64,
    },
    /// A row claims more content than its compressed payload can give:
    /// [`MAX_EXPANSION`](crate::daikatana::MAX_EXPANSION) bytes for each of its own.
    #[error("{compressed_size} compressed bytes give at most {limit} bytes, the row claims {size}")]
    Expansion {
        /// Bytes that the row claims.
        size: u32,
        /// Bytes of the compressed payload.
        compressed_size: u32,
        /// The most that they can decode to.
        limit: u64,
    },
    /// The compressed payload is damaged.
    #[error("the compressed payload is damaged")]
    Codec(#[source] DecodeError),
    /// The name cannot be written.
    #[error("the name cannot be stored: {0}")]
    Name(NameFault),
    /// The archive would have more bytes than its 32-bit offsets can address.
    #[error("the archive would be {size} bytes: offsets have 32 bits, so 4294967295 is the most")]
    TooLarge {
        /// Bytes that the archive would have.
        size: u64,
    },
    /// The archive would have more entries than a ZIP can count without ZIP64, which engines do not read.
    #[error("the archive would have {entries} entries, and {most} is the most")]
    TooManyEntries {
        /// How many it would have.
        entries: usize,
        /// The most.
        most: usize,
    },
    /// There are several problems: [`Error::problems`] lists them.
    #[error("{count} things are wrong")]
    Several {
        /// How many.
        count: usize,
    },
    /// An entry before it has the same name.
    #[error("entry {first} has the same name")]
    Duplicate {
        /// The number of that entry.
        first: usize,
    },
    /// No entry has the name.
    #[error("no entry is called \"{name}\"")]
    NoEntry {
        /// The name.
        name: EntryNameBuf,
    },
    /// A row past the last one was asked for.
    #[error("there is no row {row}: the archive has {rows}")]
    NoSuchRow {
        /// The row that was asked for.
        row: usize,
        /// How many rows there are.
        rows: usize,
    },
    /// The entry is of another archive: this one has another row of that number.
    #[error("the entry is of another archive")]
    OtherArchive,
    /// A source has more or fewer bytes than its [`size`](crate::Source::size).
    #[error("the content changed while it was read: expected {expected} bytes, found {found}{}", more(*expected, *found))]
    ContentChanged {
        /// The size of the source.
        expected: u64,
        /// Bytes that were read; reading stops at the first that is too many.
        found: u64,
    },
    /// A payload is in the header, which an edit changes.
    #[error("the payload starts inside the header, at {offset}, and would change with it")]
    EntryInHeader {
        /// Where the row says the payload starts.
        offset: u32,
    },
    /// Another writer has the archive open.
    #[error("another program is writing the archive")]
    Locked,
    /// The archive on disk is no longer the one that was opened, or was made by another program meanwhile.
    #[error("another program changed the archive meanwhile")]
    ArchiveChanged,
    /// The caller's progress function ended the work. Nothing was changed.
    #[error("stopped as asked")]
    Stopped,
    /// An operation of the system failed; [`source`](std::error::Error::source) says why.
    #[error("cannot {doing}")]
    Io {
        /// The operation.
        doing: &'static str,
        /// The kind of the system's error.
        kind: io::ErrorKind,
    },
    /// The archive is written and in its place, but could not be flushed to the disk: a power failure may bring
    /// the old one back.
    #[error("the archive is written, but cannot be flushed to the disk")]
    NotDurable {
        /// The kind of the system's error.
        kind: io::ErrorKind,
    },
}

fn more(expected: u64, found: u64) -> &'static str {
    if found > expected { " or more" } else { "" }
}

fn row_sizes(layout: Option<Layout>) -> String {
    layout.map_or_else(|| "64 or 72".to_owned(), |layout| layout.row_size().to_string())
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

    /// The file on disk that the error is about, where it is known: the archive, or the source of an entry.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Whether something is not there: an entry ([`ErrorKind::NoEntry`], [`ErrorKind::NoSuchRow`]) or a file.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(
            self.kind(),
            ErrorKind::NoEntry { .. }
                | ErrorKind::NoSuchRow { .. }
                | ErrorKind::Io { kind: io::ErrorKind::NotFound, .. }
        )
    }

    /// Whether the first bytes are not those of a PACK archive: the file may be another kind of archive.
    #[must_use]
    pub fn is_other_format(&self) -> bool {
        matches!(self.kind(), ErrorKind::UnknownMagic { .. } | ErrorKind::ShortHeader { .. })
    }

    /// Each problem of [`ErrorKind::Several`], or the error itself.
    #[must_use]
    pub fn problems(&self) -> &[Error] {
        if self.0.problems.is_empty() { std::slice::from_ref(self) } else { &self.0.problems }
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

    pub(crate) fn io(doing: &'static str, cause: io::Error) -> Self {
        Self::with_cause(ErrorKind::Io { doing, kind: cause.kind() }, cause)
    }

    #[cfg(feature = "edit")]
    pub(crate) fn not_durable(cause: io::Error) -> Self {
        Self::with_cause(ErrorKind::NotDurable { kind: cause.kind() }, cause)
    }

    fn with_cause(kind: ErrorKind, cause: io::Error) -> Self {
        let mut error = Error::from(kind);
        error.0.cause = Some(Arc::new(cause));
        error
    }

    /// The same error with the file that it is about, unless that is known already.
    pub(crate) fn at_path(mut self, path: &Path) -> Self {
        self.0.path.get_or_insert_with(|| path.to_owned());
        self
    }

    /// The same error, about an archive on disk.
    #[cfg(feature = "edit")]
    pub(crate) fn in_file(self, path: &Path) -> Self {
        let error = self.in_archive(escape_path(path));
        // the content of an entry may have a file of its own
        if error.entry().is_none() { error.at_path(path) } else { error }
    }

    /// Fails with all of the problems, if there are any.
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
        let (archive, entry, path, cause) = (None, None, None, None);
        Error(Box::new(Inner { kind, archive, entry, path, cause, problems: Vec::new() }))
    }
}

impl From<Error> for io::Error {
    /// Keeps the kind of a system's error. Damage is [`InvalidData`](io::ErrorKind::InvalidData), what the caller gave
    /// wrongly is [`InvalidInput`](io::ErrorKind::InvalidInput).
    fn from(error: Error) -> io::Error {
        let kind = error.problems().first().map_or(io::ErrorKind::Other, |first| match first.kind() {
            ErrorKind::Io { kind, .. } | ErrorKind::NotDurable { kind } => *kind,
            ErrorKind::NoEntry { .. } | ErrorKind::NoSuchRow { .. } => io::ErrorKind::NotFound,
            ErrorKind::Name(_) | ErrorKind::OtherArchive => io::ErrorKind::InvalidInput,
            ErrorKind::Duplicate { .. } => io::ErrorKind::AlreadyExists,
            ErrorKind::TooLarge { .. } | ErrorKind::TooManyEntries { .. } => io::ErrorKind::FileTooLarge,
            ErrorKind::Locked => io::ErrorKind::ResourceBusy,
            // not `Interrupted`, after which callers try again
            ErrorKind::Stopped | ErrorKind::ArchiveChanged | ErrorKind::Several { .. } => {
                io::ErrorKind::Other
            }
            ErrorKind::ShortHeader { .. }
            | ErrorKind::UnknownMagic { .. }
            | ErrorKind::WrongMagic { .. }
            | ErrorKind::DirectoryInHeader { .. }
            | ErrorKind::DirectoryOutside { .. }
            | ErrorKind::PartialRow { .. }
            | ErrorKind::AmbiguousLayout { .. }
            | ErrorKind::EntryOutside { .. }
            | ErrorKind::EntryInHeader { .. }
            | ErrorKind::Expansion { .. }
            | ErrorKind::Codec(_)
            | ErrorKind::ContentChanged { .. } => io::ErrorKind::InvalidData,
        });
        io::Error::new(kind, error)
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
        f.debug_struct("Error")
            .field("kind", self.kind())
            .field("archive", &self.archive())
            .field("entry", &self.entry())
            .field("path", &self.path())
            .field("cause", &self.0.cause)
            .field("problems", &self.0.problems)
            .finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::Codec(fault) => Some(fault),
            _ => self.0.cause.as_deref().map(|cause| cause as _),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_prints_names_as_text() {
        let kind = ErrorKind::NoEntry { name: EntryName::from_bytes(b"caf\xe9.wav").into() };
        let text = format!("{:?}", Error::from(kind).at_entry(3, EntryName::from_bytes(b"a.cfg")));
        assert!(text.contains(r#"NoEntry { name: "caf\xE9.wav" }"#), "{text}");
        assert!(text.contains(r#"entry: Some((3, "a.cfg"))"#), "{text}");
    }

    #[test]
    fn an_error_of_this_crate_is_one_of_the_system() {
        let of = |error: Error| io::Error::from(error).kind();
        assert_eq!(of(ErrorKind::ShortHeader { found: 3 }.into()), io::ErrorKind::InvalidData);
        assert_eq!(of(ErrorKind::Name(NameFault::Empty).into()), io::ErrorKind::InvalidInput);
        assert_eq!(of(ErrorKind::NoSuchRow { row: 3, rows: 3 }.into()), io::ErrorKind::NotFound);
        assert_eq!(of(Error::io("x", io::ErrorKind::StorageFull.into())), io::ErrorKind::StorageFull);
        let name = || Error::from(ErrorKind::Name(NameFault::Empty));
        let several = Error::refuse(vec![name(), name()]).unwrap_err();
        assert_eq!(of(several.clone()), io::ErrorKind::InvalidInput);
        let error = io::Error::from(several.in_archive("pak0.pak"));
        assert!(error.to_string().starts_with("pak0.pak: 2 things are wrong"), "{error}");
    }

    #[test]
    fn a_missing_entry_row_or_file_is_not_found_and_nothing_else_is() {
        assert!(Error::io("x", io::ErrorKind::NotFound.into()).is_not_found());
        assert!(Error::from(ErrorKind::NoEntry { name: EntryName::from_bytes(b"a").into() }).is_not_found());
        assert!(!Error::from(ErrorKind::OtherArchive).is_not_found());
        assert!(!Error::io("x", io::ErrorKind::PermissionDenied.into()).is_not_found());
    }
}
