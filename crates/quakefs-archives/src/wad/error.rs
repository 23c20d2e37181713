//! Why a file is no entry of a WAD.

use std::fmt;

/// Why a file is no entry of a WAD.
#[derive(Debug)]
pub struct LumpError {
    kind: LumpErrorKind,
}

/// What keeps a file from being an entry of a WAD.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LumpErrorKind {
    /// The extension and the bytes are of nothing that a WAD has.
    #[error("it is neither a PNG nor an entry of a WAD (.png, .lmp, .mip)")]
    Unknown,
    /// The PNG cannot be read.
    #[error("the PNG cannot be read: {0}")]
    Png(String),
    /// More pixels than any texture has, or than the file can hold.
    #[error("the PNG says that it has {width} x {height} pixels, which is too many")]
    TooLarge {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
    },
    /// More colours than a palette has.
    #[error("{found} colours, and a texture of Half-Life has at most {most}")]
    TooManyColours {
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// A texture of a level whose pixels are in a WAD.
    #[error("the pixels are in another file")]
    NoPixels,
    /// The bytes are not what they should be.
    #[error("{0}")]
    Content(quake_content::Error),
    /// The file cannot be read.
    #[error("{0}")]
    Read(quakefs::Error),
}

impl LumpErrorKind {
    /// A stable name, such as `too-many-colours`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            LumpErrorKind::Unknown => "unknown",
            LumpErrorKind::Png(_) => "png",
            LumpErrorKind::TooLarge { .. } => "too-large",
            LumpErrorKind::TooManyColours { .. } => "too-many-colours",
            LumpErrorKind::NoPixels => "no-pixels",
            LumpErrorKind::Content(_) => "content",
            LumpErrorKind::Read(_) => "read",
        }
    }
}

impl LumpError {
    /// What keeps the file from being an entry.
    #[must_use]
    pub fn kind(&self) -> &LumpErrorKind {
        &self.kind
    }
}

impl fmt::Display for LumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for LumpError {}

impl From<LumpErrorKind> for LumpError {
    fn from(kind: LumpErrorKind) -> Self {
        LumpError { kind }
    }
}

impl From<quakefs::Error> for LumpError {
    fn from(error: quakefs::Error) -> Self {
        LumpErrorKind::Read(error).into()
    }
}
