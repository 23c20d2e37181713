//! The stack of layers: from what a builder collects to the answers of a lookup.

mod builder;
mod changes;
#[cfg(feature = "fs")]
mod folder;
#[cfg(not(feature = "fs"))]
#[path = "no_folder.rs"]
mod folder;
mod folder_list;
mod hit;
mod index;
mod layer;
mod listing;
mod lookup;
mod mount;
mod names;
mod near;
mod numbered;
mod search_path;
mod served;
mod shared;
mod tree;
#[cfg(feature = "watch")]
mod watched;
#[cfg(feature = "fs")]
mod write;

pub use self::builder::Builder;
#[cfg(feature = "watch")]
pub(crate) use self::changes::same_bytes;
pub use self::changes::{Change, ChangeKind};
#[cfg(feature = "fs")]
pub use self::folder::list_folder;
pub use self::folder_list::NoFile;
pub use self::hit::{Extent, File, Hit};
pub use self::index::FileId;
pub use self::layer::{GameDirectory, Layer, LayerKind};
pub use self::listing::LooseFiles;
#[cfg(feature = "fs")]
pub use self::mount::{BaseAbove, base_above};
pub use self::near::Near;
pub use self::search_path::{Findings, Layered, SearchPath};
pub use self::served::Hits;
pub use self::shared::SharedSearchPath;
pub use self::tree::{Counts, DirEntry, LeftOut, ReadDir, Tree, TreeChildren, TreeNode};
