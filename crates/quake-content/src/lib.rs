#![forbid(unsafe_code)]
mod entities;
mod error;
mod fields;
pub mod level;
pub mod lexer;
mod mip_texture;
pub mod program;
pub mod run;
pub mod wad;
pub use entities::{Entities, Entity};
pub use error::{Error, ErrorKind};
pub use level::{Bounds, Level, LevelFormat};
pub use mip_texture::MipTexture;
pub use program::Program;
pub use wad::Wad;
