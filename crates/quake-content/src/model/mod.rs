//! Models and sprites: what they are called inside, and the pictures that they name or hold.

mod alias;
mod md2;
mod md3;
mod sprite;

pub use alias::{AliasModel, Skin};
pub use md2::Md2;
pub use md3::Md3;
pub use sprite::{Sprite, SpriteFormat};
