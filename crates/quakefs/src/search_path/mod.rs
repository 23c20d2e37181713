//! The search path: its layers, its lookups, and the types of their answers.

// first, so that their methods are the first that a reader of the documentation meets
pub(crate) mod file;
pub(crate) mod surface;

mod answer;
pub(crate) mod changes;
mod companions;
mod folder;
mod folder_list;
mod index;
mod key;
pub(crate) mod layer;
mod listing;
mod lookup;
pub(crate) mod loose_files;
mod mounted;
mod names;
#[cfg(feature = "why")]
pub(crate) mod near;
#[cfg(feature = "why")]
mod numbered;
mod red_black;
mod served;
pub(crate) mod shared;
mod substitutes;
mod tracks;
pub(crate) mod tree;
#[cfg(feature = "watch")]
mod watched;
#[cfg(feature = "fs")]
mod write;

pub use self::companions::{CompanionCopy, Companions, names_beside};
pub use self::file::Extent;
pub(crate) use self::folder::LooseFolder;
pub use self::folder::list_folder;
pub(crate) use self::folder_list::NotAFile;
pub(crate) use self::index::{FileId, Index};
pub use self::layer::GameDirectory;
pub(crate) use self::layer::{Layer, Source};

pub(crate) use self::listing::reach;
pub(crate) use self::lookup::{Core, Hidden, OtherGame};
pub(crate) use self::loose_files::LooseFiles;
pub(crate) use self::mounted::{Layers, Mounted, Places};
pub use self::served::FileIter;
pub use self::substitutes::{SubstituteCopy, Substitution};
pub(crate) use self::surface::SearchPath;
#[cfg(feature = "fs")]
pub use self::write::FileWriter;
pub use crate::companion::CompanionBecause;
pub use crate::mount::Progress;
