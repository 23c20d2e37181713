//! The stack of layers: from what a builder collects to the answers of a lookup.

mod answer;
mod changes;
mod folder;
mod folder_list;
mod hit;
mod index;
mod layer;
mod listing;
mod lookup;
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

#[cfg(feature = "watch")]
pub(crate) use self::changes::same_bytes;
pub use self::changes::{Change, ChangeKind};
pub(crate) use self::folder::Folder;
pub use self::folder::list_folder;
pub use self::folder_list::NoFile;
pub use self::hit::{Extent, File, Hit};
pub use self::index::FileId;
pub(crate) use self::index::Index;
pub(crate) use self::layer::Source;
pub use self::layer::{GameDirectory, Layer, LayerKind};
pub use self::listing::LooseFiles;
pub(crate) use self::listing::reach;
pub(crate) use self::lookup::{Layers, Mounted};
pub use self::near::Near;
pub use self::search_path::{Findings, Layered, SearchPath};
pub use self::served::Hits;
pub use self::shared::SharedSearchPath;
pub use self::tree::{Counts, DirEntry, LeftOut, ReadDir, Tree, TreeChildren, TreeNode};
