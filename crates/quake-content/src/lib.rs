//! Readers for the files of Quake and later games. Each format has one reader, which borrows from the bytes.
//!
//! - Levels: [`Level`], its [`Entities`] and [`MipTexture`]s; the source of one: [`map`].
//! - Programs of QuakeC: [`Program`].
//! - Models and sprites: [`model`]. Pictures: [`picture`] and their [`Palette`]. Sounds: [`Sound`]. Texture archives: [`Wad`].
//! - Texts: [`lexer`], [`shader`].
//!
//! ```
//! use quake_content::{Level, LevelFormat};
//! # let mut bytes = 29_u32.to_le_bytes().to_vec();
//! # bytes.resize(124, 0);
//! # bytes[4] = 124;
//! # bytes[8] = 29;
//! # bytes.extend(b"{ \"classname\" \"worldspawn\" }\n");
//! let level = Level::parse(&bytes)?;
//! assert_eq!(level.format(), LevelFormat::Bsp29);
//! assert_eq!(level.entities()?.next().expect("the world").class(), b"worldspawn");
//! # Ok::<(), quake_content::Error>(())
//! ```
//!
//! All input is safe: bad bytes give an [`Error`], and memory is bounded by the size of the input. The crate opens no files, knows no
//! archives and no engines, and has no dependencies.

#![forbid(unsafe_code)]

mod entities;
mod error;
mod fields;
pub mod level;
pub mod lexer;
pub mod map;
pub mod mip_texture;
pub mod model;
mod palette;
pub mod picture;
pub mod program;
pub mod shader;
mod sound;
pub mod wad;

pub use entities::{Entities, Entity};
pub use error::{Error, ErrorKind};
pub use level::{Bounds, Level, LevelFormat};
pub use mip_texture::MipTexture;
pub use palette::Palette;
pub use program::Program;
pub use sound::{Sound, SoundFormat};
pub use wad::Wad;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
