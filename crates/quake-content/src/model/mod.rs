//! Models and sprites: the pictures that they contain or name, and the shape of models in each frame.

mod alias;
mod any;
mod md2;
mod md3;
mod mesh;
mod sprite;
mod studio;

pub use alias::AliasModel;
pub use any::{Model, ModelFrame, Shape};
pub use md2::Md2;
pub use md3::Md3;
pub use mesh::{Mesh, Vertex};
pub use sprite::Sprite;
pub(crate) use studio::end_of_groups;
pub use studio::{Studio, StudioEvent};
