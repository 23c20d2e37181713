//! What can be wrong with an archive, and where.

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::daikatana::DecodeError;
use crate::layout::Layout;
use crate::name::{EntryName, NameFault};

/// An archive or one of its entries is not as it should be.
///
/// [`kind`](Error::kind) says what, with what was expected and what was found; [`archive`](Error::archive)
/// and [`entry`](Error::entry) say where; [`help`](Error::help) says what to do. A writer looks at everything
/// before it starts: what it then refuses may have many [`problems`](Error::problems).
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    archive: Option<String>,
    entry: Option<Place>,
    cause: Option<Arc<io::Error>>,
    problems: Vec<Error>,
}

#[derive(Clone)]
struct Place {
    index: usize,
    name: Vec<u8>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Fewer bytes than a header has.
    #[error("the header is cut short: expected 12 bytes, found {found}")]
    ShortHeader {
        /// Bytes there are.
        found: usize,
    },
    /// The first four bytes are of no layout.
    #[error("not an archive: expected the magic PACK, SPAK or HROT, found \"{}\"", found.escape_ascii())]
    UnknownMagic {
        /// The first four bytes.
        found: [u8; 4],
    },
    /// The first four bytes are not those of the layout that was asked for.
    #[error(
        "not of the {layout} layout: expected the magic {}, found \"{}\"",
        layout.magic().escape_ascii(),
        found.escape_ascii()
    )]
    WrongMagic {
        /// The layout asked for.
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
    /// The directory reaches past the end.
    #[error(
        "the directory ends past the end of the archive: expected at most {image_size}, \
         found offset {offset} + size {size}"
    )]
    DirectoryOutside {
        /// Where the header says the directory is.
        offset: u32,
        /// How long the header says it is.
        size: u32,
        /// Bytes in the archive.
        image_size: u64,
    },
    /// The directory is not a whole number of rows.
    /// [`ParseOptions::allow_partial_row`](crate::ParseOptions::allow_partial_row) lets it pass.
    #[error("the directory ends inside a row: expected a multiple of {}, found {size} bytes", row_sizes(*.layout))]
    PartialRow {
        /// Bytes in the directory.
        size: u32,
        /// The layout asked for; `None` if any would have done.
        layout: Option<Layout>,
    },
    /// Rows of 64 bytes and rows of 72 make equal sense.
    #[error(
        "the layout is ambiguous: {rows_quake} rows of 64 bytes and {rows_daikatana} rows of 72 read equally well"
    )]
    AmbiguousLayout {
        /// Rows if it is a Quake archive.
        rows_quake: usize,
        /// Rows if it is a Daikatana archive.
        rows_daikatana: usize,
    },
    /// A payload reaches past the end of the archive or does not fit into memory.
    #[error(
        "the payload ends past the end of the archive: expected at most {image_size}, \
         found offset {offset} + size {stored_size}"
    )]
    EntryOutside {
        /// Where the row says the payload starts.
        offset: u32,
        /// How long the row says it is.
        stored_size: u32,
        /// Bytes in the archive.
        image_size: u64,
    },
    /// A compressed row claims more than its bytes could give.
    #[error("{compressed_size} compressed bytes give at most {limit} bytes, the row claims {size}")]
    Expansion {
        /// Bytes that the row claims.
        size: u32,
        /// Bytes of the compressed payload.
        compressed_size: u32,
        /// The most that they could decode to.
        limit: u64,
    },
    /// The compressed payload is damaged.
    #[error("the compressed payload is damaged")]
    Codec(#[source] DecodeError),
    /// The name cannot be written.
    #[error("the name cannot be stored: {0}")]
    Name(NameFault),
    /// The archive would not fit into 32-bit offsets.
    #[error("the archive would be {size} bytes: offsets have 32 bits, so 4294967295 is the most")]
    TooLarge {
        /// Bytes that the archive would have.
        size: u64,
    },
    /// Several things are wrong: [`Error::problems`] has them all.
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
    #[error("no entry is called \"{}\"", EntryName::from_bytes(name))]
    NoEntry {
        /// The name.
        name: Vec<u8>,
    },
    /// What was to be stored is not as long as it was said to be.
    #[error("the content changed while it was read: expected {expected} bytes, found {found}{}", more(*expected, *found))]
    ContentChanged {
        /// Bytes that were announced.
        expected: u64,
        /// Bytes that were read; reading stops at the first that is too many.
        found: u64,
    },
    /// A payload lies in the header, which an edit changes.
    #[error("the payload starts inside the header, at {offset}, and would change with it")]
    EntryInHeader {
        /// Where the row says the payload starts.
        offset: u32,
    },
    /// Another editor has the archive open.
    #[error("another program is editing the archive")]
    Locked,
    /// The archive on disk is not the one that was opened.
    #[error("the archive was changed by another program since it was opened")]
    ArchiveChanged,
    /// The caller of a long job asked for its end.
    #[error("stopped as asked")]
    Stopped,
    /// The system refuses; [`source`](std::error::Error::source) says why.
    #[error("cannot {doing}")]
    Io {
        /// What was tried.
        doing: &'static str,
        /// What the system says of it.
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

    /// The name of the archive, if the caller gave one by [`in_archive`](Error::in_archive).
    #[must_use]
    pub fn archive(&self) -> Option<&str> {
        self.0.archive.as_deref()
    }

    /// The number and the name of the entry, if it is about one.
    #[must_use]
    pub fn entry(&self) -> Option<(usize, EntryName<'_>)> {
        self.0.entry.as_ref().map(|place| (place.index, EntryName::from_bytes(&place.name)))
    }

    /// Everything that is wrong: the error itself, or each of [`ErrorKind::Several`].
    #[must_use]
    pub fn problems(&self) -> &[Error] {
        if self.0.problems.is_empty() { std::slice::from_ref(self) } else { &self.0.problems }
    }

    /// The same error, saying which archive it is about.
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
        let mut error = Error::from(ErrorKind::Io { doing, kind: cause.kind() });
        error.0.cause = Some(Arc::new(cause));
        error
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

    pub(crate) fn at_entry(mut self, index: usize, name: EntryName<'_>) -> Self {
        self.0.entry = Some(Place { index, name: name.as_bytes().to_vec() });
        self
    }

    /// What somebody who has such an archive can do.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self.kind() {
            ErrorKind::ShortHeader { .. } | ErrorKind::DirectoryOutside { .. } => {
                "the file is probably a cut-off download: get it again"
            }
            ErrorKind::WrongMagic { found, .. } if Layout::with_magic(*found).next().is_some() => {
                "name the layout that its magic stands for, or none"
            }
            ErrorKind::WrongMagic { .. } | ErrorKind::UnknownMagic { .. } => {
                "it is another kind of file, whatever its name says: look at it with `file`"
            }
            ErrorKind::DirectoryInHeader { .. } => "the header is damaged: get the archive again",
            ErrorKind::PartialRow { .. } => {
                "the header is damaged: get the archive again; if you named a layout, try without"
            }
            ErrorKind::AmbiguousLayout { .. } => "name the layout: quake or daikatana",
            ErrorKind::EntryOutside { .. } => {
                "the file is probably a cut-off download: get it again; the other entries can be read"
            }
            ErrorKind::Expansion { .. } | ErrorKind::Codec(_) => {
                "the entry is damaged: get the archive again; the other entries can be read"
            }
            ErrorKind::Name(_) => "choose another name",
            ErrorKind::TooLarge { .. } => "split the files over several archives",
            ErrorKind::Several { .. } => "see each of them; nothing was written",
            ErrorKind::Duplicate { .. } => "choose another name, or replace the entry that is there",
            ErrorKind::NoEntry { .. } => "names are compared byte for byte: look at the list of entries",
            ErrorKind::ContentChanged { .. } => "try again when nothing else writes to it",
            ErrorKind::EntryInHeader { .. } => "remove the entry, or repack the archive first",
            ErrorKind::Locked => "try again when the other program is done",
            ErrorKind::ArchiveChanged => "open the archive again",
            ErrorKind::Stopped => "start it again: nothing was changed",
            ErrorKind::Io { kind, .. } => match kind {
                io::ErrorKind::NotFound => "look at the path",
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "look at who owns the file and its folder, and who may write to them"
                }
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                    "make room on the disk"
                }
                io::ErrorKind::AlreadyExists => "choose another path, or ask for the file to be replaced",
                _ => "look at the disk and at the path",
            },
        }
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error(Box::new(Inner { kind, archive: None, entry: None, cause: None, problems: Vec::new() }))
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
