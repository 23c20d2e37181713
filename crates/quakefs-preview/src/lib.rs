//! Small pictures, facts and texts of the files of Quake and the games after it: what a browser of archives shows beside
//! a name. Bytes in, a bounded [`Preview`] out; no engine, no archive, no disk.
//!
//! - [`Kind::of`]: whether a file of this name has a preview.
//! - [`preview`]: makes one, with the [`Options`]: the [`Palette`] and how large a picture and a text may be.
//! - [`Preview`]: [`Pictures`], a [`Model`], a [`Level`], a [`Sound`] or a [`Text`].
//!
//! ```
//! use quakefs_preview::{Kind, Options, Palette, Preview, preview};
//!
//! let kind = Kind::of(b"autoexec.cfg").expect("a text has a preview");
//! let Preview::Text(text) = preview(kind, b"sensitivity 3\n", &Options::new(&Palette::grey()))? else { panic!("no text") };
//! assert_eq!(text.text, "sensitivity 3\n");
//! # Ok::<(), quakefs_preview::Error>(())
//! ```
//!
//! Any bytes may be given. A size is compared with the bytes that are there before anything is allocated: pictures of one
//! byte a pixel take their memory from the file, and a decoded picture has at most [`MAX_PIXELS`] pixels. Previews of many
//! files share a [`Budget`].
//!
//! What is in the files is read by the crate [`quake_content`], but for PCX, TGA, PNG and JPEG.

mod budget;
#[cfg(feature = "png")]
mod compressed;
mod decoded;
mod entities;
mod error;
mod kind;
mod level;
mod lump;
mod model;
mod outline;
mod picture;
mod steps;
mod text;
mod texture;
mod wad;
mod wal;

pub use budget::Budget;
pub use entities::{Use, Uses};
pub use error::Error;
pub use kind::Kind;
pub use level::Level;
pub use model::{Model, Surface};
pub use outline::{Class, Outline};
pub use picture::{Encoded, Image, MAX_PIXELS, Picture, Pictures};
pub use quake_content::Palette;
pub use quake_content::{Sound, SoundFormat};
pub use text::{Text, readable};

/// What a file shows.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Preview {
    /// One picture, or the first textures of an archive of textures.
    Pictures(Pictures),
    /// A model.
    Model(Model),
    /// A level.
    Level(Level),
    /// A sound.
    Sound(Sound),
    /// A text.
    Text(Text),
}

/// How a preview is made.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options<'p> {
    /// The palette of pictures that have none of their own.
    pub palette: &'p Palette,
    /// The most pixels of a picture's longer side; a larger picture is made smaller.
    pub side: u32,
    /// The most pictures of one file.
    pub pictures: usize,
    /// The most triangles of a model, and the most lines and the most entities of a level from above.
    pub shape: usize,
    /// The most bytes of a text that are read.
    pub text: usize,
    /// What this preview and others may take together; `None` for no limit but that of one file.
    pub budget: Option<&'p Budget>,
    /// Whether the palette is one that the file has itself.
    of_file: bool,
}

impl<'p> Options<'p> {
    /// Pictures of up to 128 pixels a side, 12 a file, shapes of 4096 parts, and 4 KiB of a text.
    #[must_use]
    pub fn new(palette: &'p Palette) -> Self {
        Options { palette, side: 128, pictures: 12, shape: 4096, text: 4096, budget: None, of_file: false }
    }

    pub(crate) fn palette<'q>(self, palette: &'q Palette) -> Options<'q>
    where
        'p: 'q,
    {
        Options { palette, of_file: true, ..self }
    }

    /// With another [`side`](Self::side), at least 1.
    #[must_use]
    pub fn side(self, side: u32) -> Self {
        Options { side: side.max(1), ..self }
    }

    /// With another number of [`pictures`](Self::pictures).
    #[must_use]
    pub fn pictures(self, pictures: usize) -> Self {
        Options { pictures, ..self }
    }

    /// With another size of a [`shape`](Self::shape).
    #[must_use]
    pub fn shape(self, shape: usize) -> Self {
        Options { shape, ..self }
    }

    /// With another length of a [`text`](Self::text).
    #[must_use]
    pub fn text(self, text: usize) -> Self {
        Options { text, ..self }
    }

    /// With a [`Budget`] that previews share.
    #[must_use]
    pub fn budget(self, budget: &'p Budget) -> Self {
        Options { budget: Some(budget), ..self }
    }

    /// Takes steps from the budget before they are done.
    pub(crate) fn take(&self, steps: u64) -> Result<(), Error> {
        self.budget.map_or(Ok(()), |budget| budget.take(steps))
    }
}

/// Makes the preview of a file of this kind.
///
/// # Errors
/// The bytes are no file of the kind, are cut off, or claim a size that they do not have; the [`Budget`] is used up.
pub fn preview(kind: Kind, bytes: &[u8], options: &Options<'_>) -> Result<Preview, Error> {
    Ok(match kind {
        Kind::Lump => Preview::Pictures(Pictures::one(lump::read(bytes, options)?)),
        Kind::TextureArchive => Preview::Pictures(wad::read(bytes, options)?),
        Kind::Level => Preview::Level(level::read(bytes, options)?),
        Kind::Model => Preview::Model(model::read(bytes, options)?),
        Kind::Wal => Preview::Pictures(Pictures::one(wal::read(bytes, options)?)),
        Kind::Pcx => Preview::Pictures(Pictures::one(decoded::pcx(bytes, options)?)),
        Kind::Tga => Preview::Pictures(Pictures::one(decoded::tga(bytes, options)?)),
        #[cfg(feature = "png")]
        Kind::Png => Preview::Pictures(Pictures::one(decoded::png(bytes, options)?)),
        #[cfg(feature = "jpeg")]
        Kind::Jpeg => Preview::Pictures(Pictures::one(decoded::jpeg(bytes, options)?)),
        Kind::Wav => Preview::Sound(Sound::wav(bytes)?),
        Kind::Ogg => Preview::Sound(Sound::ogg(bytes)?),
        Kind::Text => Preview::Text(text::read(bytes, options.text)),
        #[cfg(not(all(feature = "jpeg", feature = "png")))]
        other => return Err(Error::Decoder(format!("{other:?} is not read here"))),
    })
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
