//! Makes previews of files from Quake and later games: small pictures, facts and texts that an archive
//! browser shows beside a name. It turns bytes into a bounded [`Preview`], without engine, archive or disk.
//!
//! - [`Kind::of`]: the kind of preview for a file name, if it has one.
//! - [`preview`]: makes the preview. [`Options`] set the [`Palette`] and the largest picture and text.
//! - [`Preview`]: [`Pictures`], a [`Model`], a [`Level`], a [`Sound`], a text, or a [`Fact`] after another.
//!
//! ```
//! use quakefs_preview::{Kind, Options, Palette, Preview, preview};
//!
//! let kind = Kind::of(b"autoexec.cfg").expect("a text has a preview");
//! let palette = Palette::grey();
//! let Preview::Text { text, .. } = preview(kind, b"sensitivity 3\n", &Options::new(&palette))? else {
//!     panic!("no text")
//! };
//! assert_eq!(text, "sensitivity 3\n");
//! # Ok::<(), quakefs_preview::Error>(())
//! ```
//!
//! All input is safe. Claimed sizes are checked against the file before anything is allocated, and a decoded
//! picture has at most [`MAX_PIXELS`] pixels. Previews of many files can share a [`Budget`].
//!
//! The crate [`quake_content`] reads the files, except PCX, TGA, PNG and JPEG.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod budget;
#[cfg(feature = "png")]
mod compressed;
#[cfg(any(feature = "jpeg", feature = "png"))]
mod decoded;
mod encoded;
mod entities;
mod error;
mod facts;
mod kind;
mod level;
mod lump;
mod model;
mod outline;
mod packed;
mod picture;
mod sprite;
mod steps;
mod text;
mod texture;
mod wad;
mod wal;

pub use budget::Budget;
pub use error::Error;
pub use facts::{Fact, FactValue};
pub use kind::Kind;
pub use level::Level;
pub use model::{Model, Surface};
pub use outline::{Class, Outline};
pub use picture::{Image, MAX_PIXELS, Picture, Pictures};
pub use quake_content::Palette;
pub use quake_content::{Sound, SoundFormat};
pub use text::readable;

/// The preview of a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Preview {
    /// One picture, the first textures of a texture archive, or the first frames of a sprite.
    Pictures(Pictures),
    /// A model.
    Model(Model),
    /// A level.
    Level(Level),
    /// A sound.
    Sound(Sound),
    /// What a demo, a saved game, a program or coloured light tells about itself.
    Facts(Vec<Fact>),
    /// The start of a text.
    Text {
        /// The text, without characters that control a terminal or reorder a line.
        text: String,
        /// The number of bytes that are not shown.
        more: u64,
    },
}

/// The options of a preview.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options<'p> {
    /// The palette for pictures without one.
    pub palette: &'p Palette,
    /// The longest side of a picture in pixels. Larger pictures are scaled down.
    pub side: u32,
    /// The most pictures for one file.
    pub pictures: usize,
    /// The frame of a model.
    pub frame: usize,
    /// The most triangles of a model, and the most lines and entities of a level's outline.
    pub shape: usize,
    /// The most bytes of a text.
    pub text: usize,
    /// A limit shared with other previews; `None` if only the limits of a single preview apply.
    pub budget: Option<&'p Budget>,
    /// Whether the palette comes from the file itself.
    of_file: bool,
}

impl<'p> Options<'p> {
    /// The defaults: pictures up to 128 pixels a side, 12 per file, shapes with 4096 parts, and 4 KiB of
    /// text.
    #[must_use]
    pub fn new(palette: &'p Palette) -> Self {
        Options {
            palette,
            side: 128,
            pictures: 12,
            frame: 0,
            shape: 4096,
            text: 4096,
            budget: None,
            of_file: false,
        }
    }

    pub(crate) fn palette<'q>(self, palette: &'q Palette) -> Options<'q>
    where
        'p: 'q,
    {
        Options { palette, of_file: true, ..self }
    }

    /// Takes steps from the budget in advance.
    pub(crate) fn take(&self, steps: u64) -> Result<(), Error> {
        self.budget.map_or(Ok(()), |budget| budget.take(steps))
    }
}

/// Makes the preview of a file of this kind.
///
/// # Errors
/// The bytes are not a file of this kind, are truncated, or claim a wrong size, or the [`Budget`] is used up.
pub fn preview(kind: Kind, bytes: &[u8], options: &Options<'_>) -> Result<Preview, Error> {
    Ok(match kind {
        Kind::Lump => Preview::Pictures(Pictures::one(lump::read(bytes, options)?)),
        Kind::TextureArchive => Preview::Pictures(wad::read(bytes, options)?),
        Kind::Level => Preview::Level(level::read(bytes, options)?),
        Kind::Model => Preview::Model(model::read(bytes, options)?),
        Kind::Sprite => Preview::Pictures(sprite::read(bytes, options)?),
        Kind::Wal => Preview::Pictures(Pictures::one(wal::wal(bytes, options)?)),
        Kind::M8 => Preview::Pictures(Pictures::one(wal::m8(bytes, options)?)),
        Kind::M32 => Preview::Pictures(Pictures::one(wal::m32(bytes, options)?)),
        Kind::Pcx => Preview::Pictures(Pictures::one(packed::pcx(bytes, options)?)),
        Kind::Tga => Preview::Pictures(Pictures::one(packed::tga(bytes, options)?)),
        #[cfg(feature = "png")]
        Kind::Png => Preview::Pictures(Pictures::one(decoded::png(bytes, options)?)),
        #[cfg(feature = "jpeg")]
        Kind::Jpeg => Preview::Pictures(Pictures::one(decoded::jpeg(bytes, options)?)),
        Kind::Wav => Preview::Sound(Sound::wav(bytes)?),
        Kind::Ogg => Preview::Sound(Sound::ogg(bytes)?),
        Kind::Demo(format) => Preview::Facts(facts::demo(format, bytes, options)?),
        Kind::SavedGame => Preview::Facts(facts::saved(bytes, options)?),
        Kind::Program => Preview::Facts(facts::program(bytes, options)?),
        Kind::Light => Preview::Facts(facts::light(bytes)?),
        Kind::Text => text::read(bytes, options.text),
        #[cfg(not(all(feature = "jpeg", feature = "png")))]
        other => return Err(Error::Decoder(format!("{other:?} is not read here"))),
    })
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
