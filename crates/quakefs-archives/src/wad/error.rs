//! Why a file cannot become an entry of a WAD.

/// Why a file cannot become an entry of a WAD.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LumpError {
    /// Neither the extension nor the bytes match an entry of a WAD.
    #[error("it is neither a PNG nor an entry of a WAD (.png, .lmp, .mip)")]
    Unknown,
    /// The PNG cannot be read.
    #[error("the PNG cannot be read: {0}")]
    Png(String),
    /// The PNG claims more pixels than a texture or the file can have.
    #[error("the PNG says that it has {width} x {height} pixels, which is too many")]
    TooLarge {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
    },
    /// The picture has more colours than a palette.
    #[error("{found} colours, and a texture of Half-Life has at most {most}")]
    TooManyColours {
        /// The number of colours.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// The pixels of a level's texture are in a WAD.
    #[error("the pixels are in another file")]
    NoPixels,
    /// The content is malformed.
    #[error("{0}")]
    Content(quake_content::Error),
    /// The file cannot be read.
    #[error("{0}")]
    Read(quakefs::Error),
}

impl LumpError {
    /// A stable name, such as `too-many-colours`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            LumpError::Unknown => "unknown",
            LumpError::Png(_) => "png",
            LumpError::TooLarge { .. } => "too-large",
            LumpError::TooManyColours { .. } => "too-many-colours",
            LumpError::NoPixels => "no-pixels",
            LumpError::Content(_) => "content",
            LumpError::Read(_) => "read",
        }
    }

    /// The advice.
    #[must_use]
    pub fn help(&self) -> &'static str {
        use quake_content::ErrorKind;
        match self {
            LumpError::Unknown => "leave it out, or save the picture as a PNG",
            LumpError::TooManyColours { most: 256, .. } => "save it with a palette of at most 256 colours",
            LumpError::TooManyColours { .. } => {
                "save it with a palette of at most 256 colours, of which the last is the hole"
            }
            LumpError::Content(error) => match error.kind() {
                ErrorKind::Uneven { .. } => {
                    "make both sides multiples of 16, or name it NAME.pic.png if it is a picture of the \
                        status bar"
                }
                ErrorKind::Number { .. } => "give the file a shorter name",
                _ => "leave it out, or save it again",
            },
            LumpError::NoPixels => "leave it out",
            LumpError::Png(_) | LumpError::TooLarge { .. } | LumpError::Read(_) => {
                "leave it out, or save it again"
            }
        }
    }
}

impl From<quakefs::Error> for LumpError {
    fn from(error: quakefs::Error) -> Self {
        LumpError::Read(error)
    }
}
