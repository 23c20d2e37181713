//! The stack of layers: what it is made of, and the answers of a lookup.

// first, so that their methods are the first that a reader of the documentation meets
mod file;
mod surface;

mod answer;
pub(crate) mod changes;
mod companions;
mod folder;
mod folder_list;
mod index;
mod layer;
mod listing;
mod lookup;
mod mounted;
mod names;
mod near;
mod numbered;
mod served;
mod shared;
mod substitutes;
pub(crate) mod tree;
#[cfg(feature = "watch")]
mod watched;
#[cfg(feature = "fs")]
mod write;

#[cfg(feature = "watch")]
pub(crate) use self::changes::same_bytes;
pub use self::companions::{CompanionCopy, Companions};
pub use self::file::{Extent, File};
pub(crate) use self::folder::Folder;
pub use self::folder::list_folder;
pub use self::folder_list::NoFile;
pub use self::index::FileId;
pub(crate) use self::index::Index;
pub(crate) use self::layer::Source;
pub use self::layer::{GameDirectory, Layer};
pub use self::listing::LooseFiles;
pub(crate) use self::listing::reach;
pub(crate) use self::mounted::{Layers, Mounted};
pub use self::near::Near;
pub use self::served::FileIter;
pub use self::shared::SharedSearchPath;
pub use self::substitutes::{SubstituteCopy, Substitution};
pub use self::surface::SearchPath;
pub use crate::companion::CompanionBecause;
pub use crate::mount::{BaseAbove, Builder, OtherGame, Progress, base_above};
