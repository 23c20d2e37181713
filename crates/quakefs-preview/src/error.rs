//! Why a file has no preview.

use std::fmt;

use quake_content::ErrorKind;

use crate::text::readable;

/// Why a file has no preview.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file ends before something that it should hold.
    #[error("cut off: {what} ends at byte {needed}, and the file at {found}")]
    CutOff {
        /// What is missing.
        what: &'static str,
        /// Where it would end.
        needed: u64,
        /// The bytes that are there.
        found: u64,
    },
    /// The first bytes are not those of the format.
    #[error("expected {expected}, found {}", Start(.found))]
    Format {
        /// The format or formats, in words.
        expected: &'static str,
        /// The first bytes, at most eight.
        found: Vec<u8>,
    },
    /// A picture of no pixels, or of more than the bytes can hold or a preview takes.
    #[error("a picture of {width} x {height} pixels, which the file cannot hold or a preview does not take")]
    Size {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
    },
    /// A model of more triangles than a preview takes.
    #[error("{found} triangles, and a preview takes at most {most}")]
    Triangles {
        /// How many the model says that it has.
        found: usize,
        /// The most that the [`Options`](crate::Options) take.
        most: usize,
    },
    /// The [`Budget`](crate::Budget) is used up.
    #[error("too much to decode: the budget of the previews is used up")]
    Budget,
    /// A decoder refused the file.
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
    /// A part that cannot be read costs itself; a budget that is used up costs the whole preview.
    pub(crate) fn of_part<T>(found: Result<T, Error>) -> Result<Result<T, Error>, Error> {
        match found {
            Err(Error::Budget) => Err(Error::Budget),
            found => Ok(found),
        }
    }

    /// What another crate says, in one line.
    pub(crate) fn decoder(error: &dyn std::error::Error) -> Self {
        let text = readable(error.to_string().as_bytes());
        Error::Decoder(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// The first bytes of a file, as one may print them.
struct Start<'a>(&'a [u8]);

impl fmt::Display for Start<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("an empty file");
        }
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}
