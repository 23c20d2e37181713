//! What is in the files of Quake and the games after it: one reader a format, from bytes to views that lend from them.
//!
//! - Levels: [`Level`], its [`Entities`] and [`MipTexture`]s; the source of one: [`map`].
//! - Programs of QuakeC: [`Program`].
//! - Models and sprites: [`model`]. Pictures: [`picture`]. Sounds: [`Sound`]. Archives of textures: [`Wad`];
//!   their colours: [`Palette`].
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
//! Any bytes may be given: a reader gives an [`Error`] and takes no more memory than the bytes pay for. Nothing here opens a
//! file, knows an archive or decides for an engine; no crate is used.

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
