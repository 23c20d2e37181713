//! Why a file has no preview.

use std::fmt;

use quake_content::ErrorKind;

use crate::text::readable;

/// Why a file has no preview.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file ends too early.
    #[error("cut off: {what} ends at byte {needed}, and the file at {found}")]
    CutOff {
        /// The missing part.
        what: &'static str,
        /// The offset at which it would end.
        needed: u64,
        /// The size of the file in bytes.
        found: u64,
    },
    /// The file does not start like this format.
    #[error("expected {expected}, found {}", Start(.found))]
    Format {
        /// The expected formats in words.
        expected: &'static str,
        /// The first bytes, at most eight.
        found: Vec<u8>,
    },
    /// A picture has no pixels, or more than the file can contain or a preview allows.
    #[error("a picture of {width} x {height} pixels, which the file cannot hold or a preview does not take")]
    Size {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
    /// A model has more triangles than a preview allows.
    #[error("{found} triangles, and a preview takes at most {most}")]
    Triangles {
        /// The number of triangles.
        found: usize,
        /// The limit in the [`Options`](crate::Options).
        most: usize,
    },
    /// The [`Budget`](crate::Budget) is used up.
    #[error("too much to decode: the budget of the previews is used up")]
    Budget,
    /// A decoder rejected the file.
    #[error("{0}")]
    Decoder(String),
}

impl From<quake_content::Error> for Error {
    fn from(error: quake_content::Error) -> Self {
        match error.kind().clone() {
            ErrorKind::CutOff { what, needed, found } => Error::CutOff { what, needed, found },
            ErrorKind::Format { expected, found } => Error::Format { expected, found },
            ErrorKind::Size { width, height } => Error::Size { width, height },
            _ => Error::decoder(&error),
        }
    }
}

impl Error {
    /// Separates an exhausted budget, which ends the whole preview, from an error in one part, without which the
    /// preview continues.
    pub(crate) fn of_part<T>(found: Result<T, Error>) -> Result<Result<T, Error>, Error> {
        match found {
            Err(Error::Budget) => Err(Error::Budget),
            found => Ok(found),
        }
    }

    /// The error of another crate in one line.
    pub(crate) fn decoder(error: &dyn std::error::Error) -> Self {
        let text = readable(error.to_string().as_bytes());
        Error::Decoder(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// The first bytes of a file in printable form.
struct Start<'a>(&'a [u8]);

impl fmt::Display for Start<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("an empty file");
        }
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}
