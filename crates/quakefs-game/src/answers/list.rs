//! The files of the merged tree.

use std::fmt;

use quakefs::content::ContentType;
use quakefs::{EntryName, Error, File};
use serde::{Serialize, Serializer};

use super::text;
use crate::game::Game;

/// One copy of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileRow {
    /// The name that finds the file. A byte that is not UTF-8 is `\xNN`.
    pub name: String,
    /// The name of its layer, such as `id1/pak0.pak`, or `id1/` for loose files.
    pub layer: String,
    /// The index of the layer, 0 for the highest.
    pub index: usize,
    /// The kind of the layer: `pak`, `zip`, `dir`.
    pub kind: &'static str,
    /// The name as the archive or the folder spells it.
    pub stored: String,
    /// The number of the entry in its archive; null for a loose file.
    pub entry: Option<usize>,
    /// The size of the content in bytes.
    pub size: u64,
    /// What the name says that it contains, such as `level`.
    pub content_type: &'static str,
}

/// `maps/start.bsp: id1/pak0.pak (entry 3, 812 bytes)`.
impl fmt::Display for FileRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.place(&self.name))
    }
}

impl FileRow {
    /// The row of a file under the name that was asked for.
    #[must_use]
    pub fn new(name: EntryName<'_>, file: &File<'_>) -> Self {
        FileRow {
            name: text(name),
            layer: file.layer().name().to_owned(),
            index: file.layer().index(),
            kind: file.layer().kind().name(),
            stored: text(file.stored()),
            entry: file.entry(),
            size: file.size(),
            content_type: ContentType::of(file.stored().as_bytes()).name(),
        }
    }
}

impl From<&File<'_>> for FileRow {
    fn from(file: &File<'_>) -> Self {
        FileRow::new(file.name(), file)
    }
}

/// Where a file is, without its name: for a row that has another name.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Location<'f> {
    /// The name of the layer, such as `id1/pak0.pak`, or `id1/` for loose files.
    layer: &'f str,
    /// The index of the layer, 0 for the highest.
    index: usize,
    /// The kind of the layer: `pak`, `zip`, `dir`.
    kind: &'f str,
    /// The name as the archive or the folder spells it.
    stored: &'f str,
    /// The number of the entry in its archive; null for a loose file.
    entry: Option<usize>,
    /// The size of the content in bytes.
    size: u64,
    /// What the name says that it contains, such as `level`.
    content_type: &'f str,
}

/// Serializes where a file is into the object around it.
#[expect(clippy::ref_option, reason = "serde passes the field")]
pub(super) fn location<S: Serializer>(file: &Option<FileRow>, serializer: S) -> Result<S::Ok, S::Error> {
    let location = file.as_ref().map(|file| Location {
        layer: &file.layer,
        index: file.index,
        kind: file.kind,
        stored: &file.stored,
        entry: file.entry,
        size: file.size,
        content_type: file.content_type,
    });
    location.serialize(serializer)
}

impl Game {
    /// The file that the engine loads for a name.
    #[must_use]
    pub fn find(&self, name: impl AsRef<[u8]>) -> Option<FileRow> {
        self.search_path.find(name).map(|file| FileRow::from(&file))
    }

    /// All copies of a name: the winner, then the overridden ones, the highest first.
    #[must_use]
    pub fn copies(&self, name: impl AsRef<[u8]>) -> Vec<FileRow> {
        self.search_path.copies(name).iter().map(FileRow::from).collect()
    }

    /// The winner of each name, sorted by name.
    pub fn list(&self) -> impl Iterator<Item = FileRow> {
        self.search_path.files().map(|file| FileRow::from(&file))
    }

    /// The winners whose names match a pattern, such as `maps/*.bsp`.
    ///
    /// # Errors
    /// The pattern is wrong.
    pub fn glob(&self, pattern: &str) -> Result<Vec<FileRow>, Error> {
        Ok(self.search_path.glob(pattern)?.map(|file| FileRow::from(&file)).collect())
    }
}
