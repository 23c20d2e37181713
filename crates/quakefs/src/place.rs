//! Where something is, for findings and messages.

use std::fmt;

use pak_format::{EntryName, EntryNameBuf};

/// Where a finding is: a layer or a file on disk, and an entry or a loose file in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Place {
    /// The layer, archive, folder or flag, named as layers are: relative to the base directory, `/` at the end of a
    /// folder.
    pub layer: String,
    /// The number of the entry, in an archive.
    pub entry: Option<usize>,
    /// The name of the entry or of the loose file, as stored.
    pub name: Option<EntryNameBuf>,
}

impl Place {
    /// A layer, an archive or a folder as a whole.
    pub fn layer(layer: impl Into<String>) -> Self {
        Place { layer: layer.into(), entry: None, name: None }
    }

    /// An entry of an archive.
    #[must_use]
    pub fn entry(layer: impl Into<String>, entry: usize, name: EntryName<'_>) -> Self {
        Place { layer: layer.into(), entry: Some(entry), name: Some(name.into()) }
    }

    /// A loose file.
    #[must_use]
    pub fn loose(layer: impl Into<String>, name: EntryName<'_>) -> Self {
        Place { layer: layer.into(), entry: None, name: Some(name.into()) }
    }

    /// The name of the entry or of the loose file.
    #[must_use]
    pub fn name(&self) -> Option<EntryName<'_>> {
        self.name.as_ref().map(EntryNameBuf::as_name)
    }
}

impl fmt::Display for Place {
    /// `id1/pak0.pak: entry 3 (maps/start.bsp)`, `id1/config.cfg`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.layer)?;
        match (self.entry, self.name()) {
            (Some(entry), Some(name)) => write!(f, ": entry {entry} ({name})"),
            (None, Some(name)) => write!(f, "{name}"),
            _ => Ok(()),
        }
    }
}
