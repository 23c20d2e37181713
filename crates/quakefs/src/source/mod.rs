//! Where the files of a layer are. A source numbers its files and reads one; it knows no precedence.

pub(crate) mod archive;
pub(crate) mod folder;
pub(crate) mod image;
pub(crate) mod pak;
pub(crate) mod zip;

pub(crate) use archive::Archive;
pub(crate) use folder::{Folder, FolderAnswer, FolderList};

/// The backend of a layer.
pub(crate) enum Source {
    Folder(Folder),
    Archive(Archive),
}
