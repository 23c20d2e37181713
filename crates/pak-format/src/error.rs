//! What can be wrong with an archive, and where.

use std::fmt;

use crate::daikatana::DecodeError;
use crate::layout::Layout;
use crate::name::{EntryName, NameFault};

/// An archive or one of its entries is not as it should be.
///
/// [`kind`](Error::kind) says what, with what was expected and what was found; [`archive`](Error::archive)
/// and [`entry`](Error::entry) say where; [`help`](Error::help) says what to do.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    archive: Option<String>,
    entry: Option<Place>,
}

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

    /// The same error, saying which archive it is about.
    #[must_use]
    pub fn in_archive(mut self, archive: impl Into<String>) -> Self {
        self.0.archive = Some(archive.into());
        self
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
        }
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error(Box::new(Inner { kind, archive: None, entry: None }))
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
        self.kind().fmt(f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", self.kind())
            .field("archive", &self.archive())
            .field("entry", &self.entry())
            .finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::Codec(fault) => Some(fault),
            _ => None,
        }
    }
}
