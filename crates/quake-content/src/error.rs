//! The error type of all readers.

use std::fmt;

/// The error of all readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    /// The name of the entry of a WAD that it is about.
    within: Option<Box<[u8]>>,
}

/// The kind of an [`Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file ends too early.
    CutOff {
        /// The missing part.
        what: &'static str,
        /// The offset at which it would end.
        needed: u64,
        /// The size of the file in bytes.
        found: u64,
    },
    /// The file does not start like this format.
    Format {
        /// The expected formats in words.
        expected: &'static str,
        /// The first bytes, at most eight.
        found: Vec<u8>,
    },
    /// A picture has no pixels, or more than the file has bytes.
    Size {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
    /// A texture's size is not a multiple of 16.
    Uneven {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
    /// The file has the format, in another version.
    Version {
        /// The format.
        what: &'static str,
        /// The version.
        found: u32,
        /// The version that engines load.
        expected: u32,
    },
    /// A table whose size is not a multiple of the size of its rows: engines refuse the file.
    Rows {
        /// The table.
        what: &'static str,
        /// Its size in bytes.
        size: u64,
        /// The size of a row in bytes.
        row: u64,
    },
    /// A number is too large.
    Number {
        /// The thing with the number.
        what: &'static str,
        /// The number.
        found: u64,
        /// The largest possible number.
        most: u64,
    },
}

impl ErrorKind {
    /// A stable name, such as `cut-off`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            ErrorKind::CutOff { .. } => "cut-off",
            ErrorKind::Format { .. } => "format",
            ErrorKind::Size { .. } => "size",
            ErrorKind::Uneven { .. } => "uneven",
            ErrorKind::Version { .. } => "version",
            ErrorKind::Rows { .. } => "rows",
            ErrorKind::Number { .. } => "number",
        }
    }
}

impl Error {
    /// The kind of error.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// A file of `found` bytes ends before `what`, which would end at `needed`.
    #[must_use]
    pub fn cut_off(what: &'static str, needed: usize, found: usize) -> Self {
        ErrorKind::CutOff { what, needed: needed as u64, found: found as u64 }.into()
    }

    pub(crate) fn format(expected: &'static str, bytes: &[u8]) -> Self {
        ErrorKind::Format { expected, found: bytes.iter().take(8).copied().collect() }.into()
    }

    pub(crate) fn size(width: u32, height: u32) -> Self {
        ErrorKind::Size { width, height }.into()
    }

    pub(crate) fn uneven(width: u32, height: u32) -> Self {
        ErrorKind::Uneven { width, height }.into()
    }

    pub(crate) fn version(what: &'static str, found: u32, expected: u32) -> Self {
        ErrorKind::Version { what, found, expected }.into()
    }

    /// The same about an entry of a WAD.
    pub(crate) fn within(self, name: &[u8]) -> Self {
        Error { within: Some(name.into()), ..self }
    }

    pub(crate) fn number(what: &'static str, found: usize, most: usize) -> Self {
        ErrorKind::Number { what, found: found as u64, most: most as u64 }.into()
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error { kind, within: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.within {
            write!(f, "{}: ", name.escape_ascii())?;
        }
        match &self.kind {
            ErrorKind::CutOff { what, needed, found } => {
                write!(f, "cut off: {what} would end at byte {needed}, and the file ends at {found}")
            }
            ErrorKind::Format { expected, found } if found.is_empty() => {
                write!(f, "expected {expected}, found an empty file")
            }
            ErrorKind::Format { expected, found } => {
                write!(f, "expected {expected}, found \"{}\"", found.escape_ascii())
            }
            ErrorKind::Size { width, height } => {
                write!(f, "a picture of {width} x {height} pixels, which the file does not hold")
            }
            ErrorKind::Uneven { width, height } => {
                write!(f, "a texture of {width} x {height} pixels: both have to be multiples of 16")
            }
            ErrorKind::Version { what, found, expected } => {
                write!(f, "{what} of version {found}, and engines load version {expected}")
            }
            ErrorKind::Rows { what, size, row } => {
                write!(f, "{what}: {size} bytes, and a row takes {row}")
            }
            ErrorKind::Number { what, found, most } => {
                write!(f, "{what} is {found}, and at most {most} is possible")
            }
        }
    }
}

impl std::error::Error for Error {}
