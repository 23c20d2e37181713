//! Why a file has no preview.

use quake_content::ErrorKind;

/// Why a file has no preview.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file is damaged, or has another format.
    #[error("{0}")]
    Content(quake_content::Error),
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
        match *error.kind() {
            ErrorKind::Size { width, height } => Error::Size { width, height },
            _ => Error::Content(error),
        }
    }
}

impl Error {
    /// Separates an exhausted budget, which ends the whole preview, from an error in one part, without which
    /// the preview continues.
    pub(crate) fn of_part<T>(found: Result<T, Error>) -> Result<Result<T, Error>, Error> {
        match found {
            Err(Error::Budget) => Err(Error::Budget),
            found => Ok(found),
        }
    }

    /// The error of another crate in one line.
    #[cfg(any(feature = "jpeg", feature = "png"))]
    pub(crate) fn decoder(error: &dyn std::error::Error) -> Self {
        let text = crate::text::readable(error.to_string().as_bytes());
        Error::Decoder(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}
