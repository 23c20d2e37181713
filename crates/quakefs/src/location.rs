//! The place of a finding.

use std::cmp::Ordering;
use std::fmt;

use pak_format::{EntryName, EntryNameBuf};

/// The place of a finding. Archives and folders have the names of layers: relative to the base directory,
/// with `/` at the end of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Location {
    /// An archive.
    Archive(String),
    /// A folder, such as a game directory.
    Folder(String),
    /// A flag or a game of the command line: `-hipnotic`.
    Flag(String),
    /// An entry of an archive.
    Entry {
        /// The archive.
        archive: String,
        /// The number of the entry.
        entry: usize,
        /// The stored name.
        name: EntryNameBuf,
    },
    /// A loose file, or a file that is missing.
    File {
        /// The folder of the layer.
        folder: String,
        /// The name below it.
        name: EntryNameBuf,
    },
}

impl Location {
    /// A folder if the name ends in `/`, a flag if it begins with `-`, otherwise an archive.
    pub fn layer(name: impl Into<String>) -> Self {
        let name = name.into();
        if name.ends_with('/') {
            Location::Folder(name)
        } else if name.starts_with('-') {
            Location::Flag(name)
        } else {
            Location::Archive(name)
        }
    }

    /// An entry of an archive.
    pub(crate) fn of_entry(archive: impl Into<String>, entry: usize, name: EntryName<'_>) -> Self {
        Location::Entry { archive: archive.into(), entry, name: name.into() }
    }

    /// A loose file.
    pub(crate) fn file(folder: impl Into<String>, name: EntryName<'_>) -> Self {
        Location::File { folder: folder.into(), name: name.into() }
    }

    /// The name of the archive, the folder or the flag.
    #[must_use]
    pub fn layer_name(&self) -> &str {
        match self {
            Location::Archive(name)
            | Location::Folder(name)
            | Location::Flag(name)
            | Location::Entry { archive: name, .. }
            | Location::File { folder: name, .. } => name,
        }
    }

    /// The number of the entry.
    #[must_use]
    pub fn entry(&self) -> Option<usize> {
        match self {
            Location::Entry { entry, .. } => Some(*entry),
            _ => None,
        }
    }

    /// The name of the entry or of the loose file.
    #[must_use]
    pub fn name(&self) -> Option<EntryName<'_>> {
        match self {
            Location::Entry { name, .. } | Location::File { name, .. } => Some(name.as_name()),
            _ => None,
        }
    }
}

impl Ord for Location {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |location: &Self| (location.entry(), location.name().map(|name| name.as_bytes().to_vec()));
        self.layer_name().cmp(other.layer_name()).then_with(|| key(self).cmp(&key(other)))
    }
}

impl PartialOrd for Location {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Location {
    /// `id1/pak0.pak: entry 3 (maps/start.bsp)`, `id1/config.cfg`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Archive(name) | Location::Folder(name) | Location::Flag(name) => f.write_str(name),
            Location::Entry { archive, entry, name } => write!(f, "{archive}: entry {entry} ({name})"),
            Location::File { folder, name } => write!(f, "{folder}{name}"),
        }
    }
}
