//! Where the files of a layer are. A source numbers its files and reads one; it knows no precedence.

pub(crate) mod folder;
pub(crate) mod pak;

pub(crate) use folder::{Folder, FolderAnswer, FolderList};
pub use pak::Access;
pub(crate) use pak::Pak;

/// The backend of a layer.
pub(crate) enum Source {
    Folder(Folder),
    Pak(Pak),
}
