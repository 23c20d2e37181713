//! Readers for the files of Quake and later games: one for each format, which borrow from the bytes.
//!
//! - levels: [`Level`] with its [`Entities`] and [`MipTexture`]s
//! - QuakeC programs: [`program`]
//! - models and sprites: [`model`]
//! - pictures: [`picture`] and [`Palette`]
//! - texture archives: [`Wad`]
//! - sounds: [`Sound`]
//! - demos and saved games: [`Demo`], [`SavedGame`]
//! - shaders of Quake III: [`shader`]
//! - the text in files: [`Text`]
//! - any of them, as far as an engine reads it at a load: [`Format::examine`]
//!
//! ```
//! use quake_content::{Level, LevelFormat};
//! # let bytes = testutils::content::level([29, 0, 0, 0], "{ classname worldspawn }", &[]);
//! let level = Level::parse(&bytes)?;
//! assert_eq!(level.format(), LevelFormat::Bsp29);
//! assert_eq!(level.entities()?.next().expect("the world").class(), b"worldspawn");
//! # Ok::<(), quake_content::Error>(())
//! ```
//!
//! All input is safe: a reader returns an [`Error`] for damaged bytes, and its memory use is bounded by their
//! number. The crate opens no file, knows no archive and no engine, and has no dependencies.

#![forbid(unsafe_code)]

mod demo;
mod entities;
mod error;
mod examine;
mod fields;
mod level;
mod lexer;
mod mip_texture;
pub mod model;
pub mod music;
mod palette;
pub mod picture;
pub mod program;
mod saved;
pub mod shader;
pub mod skin;
mod sound;
mod texts;
mod wad;

pub use demo::{Demo, DemoFormat};
pub use entities::{Entities, Entity};
pub use error::{Error, ErrorKind};
pub use examine::{Examined, Format};
pub use level::{Bounds, Corner, Face, Level, LevelFormat, LevelShape, Light, LightAtlas, Textures};
pub use mip_texture::{FIRST_BRIGHT, HOLE, MipTexture, WadVersion};
pub use palette::Palette;
pub use saved::SavedGame;
pub use sound::{Sound, SoundFormat};
pub use texts::Text;
pub use wad::{Wad, WadEntry, WadKind};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
