//! The differences between two search paths, for hot reload and for a change of the mod.

use std::cmp::Ordering;
use std::fmt;
use std::time::SystemTime;

use super::file::File;
use super::index::FileId;
use super::key::key_of;
use super::layer::Layer;
use super::listing::Listing;
use super::lookup::{Core, Located};
use super::surface::SearchPath;
use crate::archive::Archive;
use crate::disk::Version;
use crate::error::Error;

/// A name whose file differs between two search paths or two archives.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Change {
    /// What happened to the name.
    pub kind: ChangeKind,
    /// The file before; `None` for an added name.
    pub before: Option<File<'static>>,
    /// The file now; `None` for a removed name.
    pub after: Option<File<'static>>,
    key: Vec<u8>,
}

/// What happened to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// No file had the name before.
    Added,
    /// No file has the name any more.
    Removed,
    /// The bytes differ, a loose file was written since, or a copy cannot be read.
    Changed,
    /// The same bytes are in another layer of a search path, or under a new name in an archive.
    Moved,
}

impl ChangeKind {
    /// The word for the kind: `added`, `removed`, `changed` or `moved`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ChangeKind::Added => "added",
            ChangeKind::Removed => "removed",
            ChangeKind::Changed => "changed",
            ChangeKind::Moved => "moved",
        }
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Change {
    /// A change of one file. At least one side must be given.
    #[must_use]
    pub fn new(kind: ChangeKind, before: Option<File<'static>>, after: Option<File<'static>>) -> Self {
        let mut change = Change { kind, before, after, key: Vec::new() };
        change.key = change.name().as_bytes().to_vec();
        change
    }

    /// The key of the name: [`SearchPath::key`] of each request that the change is about. Between two
    /// archives it is the name.
    #[must_use]
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// The name of the file; the new one if it moved.
    #[must_use]
    pub fn name(&self) -> pak_format::EntryName<'_> {
        let file = self.after.as_ref().or(self.before.as_ref());
        file.map_or(pak_format::EntryName::from_bytes(&[]), File::name)
    }
}

impl SearchPath {
    /// Compares the winners with an older search path's, and returns the changes sorted by name.
    ///
    /// Two copies are equal if they are the same entry of an archive that was not opened again, or the same
    /// loose file with the same size and time. Otherwise their sizes and then their bytes decide, so an
    /// engine reloads only files that differ. An archive that was overwritten in place has lost its old
    /// bytes: all its files count as changed.
    ///
    /// If loose files are [`Live`](crate::LooseFiles::Live), this lists the folders of both search paths. An
    /// edit of a loose file between the two mounts is then noticed only if the older search path is
    /// [`Listed`](crate::LooseFiles::Listed).
    ///
    /// ```
    /// # let game = "id1/pak0.pak: a.cfg=echo; id1/pak1.pak: a.cfg=echo";
    /// # let quake = testutils::search_path::game_in_memory(game).mount()?;
    /// let without = quake.keep_layers(|layer| layer.name() != "id1/pak1.pak")?;
    /// let changes = without.changes_since(&quake);
    /// assert_eq!(changes[0].kind.name(), "moved"); // pak0.pak serves the same bytes
    /// # Ok::<(), quakefs::Error>(())
    /// ```
    #[must_use]
    pub fn changes_since(&self, old: &SearchPath) -> Vec<Change> {
        self.changes_by(old, &|_| true, &|before, after| same_bytes(before, after))
    }

    /// Like [`changes_since`](Self::changes_since), but the caller decides which times of loose files count,
    /// and whether two copies of equal size have the same bytes (`None` if unknown).
    pub(crate) fn changes_by(
        &self,
        old: &SearchPath,
        counts: &dyn Fn(SystemTime) -> bool,
        same_bytes: &dyn Fn(&File<'_>, &File<'_>) -> Option<bool>,
    ) -> Vec<Change> {
        self.0.with_listing(|new_listing| {
            old.0.with_listing(|old_listing| {
                let (old, new) = (Side(&old.0, old_listing), Side(&self.0, new_listing));
                compare(&old, &new, counts, same_bytes)
            })
        })
    }
}

/// A search path and the listing of its folders, to compare.
struct Side<'s>(&'s Core, &'s Listing);

fn compare(
    old: &Side<'_>,
    new: &Side<'_>,
    counts: &dyn Fn(SystemTime) -> bool,
    same_bytes: &dyn Fn(&File<'_>, &File<'_>) -> Option<bool>,
) -> Vec<Change> {
    let mut changes = Vec::new();
    let (olds, news) = (old.0.names_served(old.1), new.0.names_served(new.1));
    let mut olds = old.0.files_of(&olds, old.1).peekable();
    let mut news = new.0.files_of(&news, new.1).peekable();
    loop {
        let order = match (olds.peek(), news.peek()) {
            (None, None) => return changes,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(old), Some(new)) => old.name().cmp(&new.name()),
        };
        let before = if order.is_le() { olds.next() } else { None };
        let after = if order.is_ge() { news.next() } else { None };
        let kind = match (&before, &after) {
            (Some(before), Some(after)) => {
                let edited = before.entry().is_none() && is_edited(old, new, after, counts);
                match difference(before, after, edited, same_bytes) {
                    Some(kind) => kind,
                    None => continue,
                }
            }
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
        };
        let mut change = Change::new(kind, before.map(File::into_owned), after.map(File::into_owned));
        change.key = key_of(new.0, change.name().as_bytes());
        changes.push(change);
    }
}

impl Side<'_> {
    /// The loose file that wins a name.
    fn loose(&self, name: &[u8]) -> Option<FileId> {
        match self.0.locate(Some(self.1), name) {
            Some(Located::Listed(id)) => Some(id),
            _ => None,
        }
    }

    /// The name of a file's layer.
    fn name_of(&self, id: FileId) -> Option<&str> {
        self.0.layers.get(id.layer).map(Layer::name)
    }

    /// The state of a loose file, from the listing or else from the disk.
    fn version_of(&self, id: FileId) -> Option<Version> {
        self.1.version(id).or_else(|| self.version_on_disk(id))
    }

    fn version_on_disk(&self, id: FileId) -> Option<Version> {
        self.0.layers.get(id.layer)?.folder()?.version(self.1.name(id))
    }
}

/// Whether the loose file that won the name of `after` in `old` was written since.
fn is_edited(old: &Side<'_>, new: &Side<'_>, after: &File<'_>, counts: &dyn Fn(SystemTime) -> bool) -> bool {
    let name = after.name();
    let Some(file) = old.loose(name.as_bytes()) else { return true };
    let was = old.version_of(file);
    let is = match new.loose(name.as_bytes()) {
        Some(same) if new.name_of(same) == old.name_of(file) => new.version_of(same),
        // another copy wins now, perhaps one made from the edited file
        _ => old.version_on_disk(file),
    };
    was != is || was.is_none_or(|was| was.time().is_some_and(|time| !counts(time)))
}

/// Compares two winners of a name. `edited` tells that the old loose file was written since.
fn difference(
    before: &File<'_>,
    after: &File<'_>,
    edited: bool,
    same_bytes: &dyn Fn(&File<'_>, &File<'_>) -> Option<bool>,
) -> Option<ChangeKind> {
    let same_layer = before.layer().name() == after.layer().name();
    let was_loose = before.entry().is_none();
    let one_archive = match (before.layer().archive(), after.layer().archive()) {
        (Some(before), Some(after)) => Archive::is_same(before, after),
        _ => false,
    };
    if one_archive && before.entry() == after.entry() {
        return None;
    }
    // if the file was overwritten, its old bytes are gone
    if before.size() != after.size() || (was_loose && edited) {
        return Some(ChangeKind::Changed);
    }
    if same_layer && was_loose && after.entry().is_none() {
        return None;
    }
    match same_bytes(before, after) {
        Some(true) if same_layer => None,
        Some(true) => Some(ChangeKind::Moved),
        Some(false) | None => Some(ChangeKind::Changed),
    }
}

/// Whether two copies of equal size have the same bytes. Returns `None` if the old bytes are gone or a copy
/// cannot be read.
pub(crate) fn same_bytes(before: &File<'_>, after: &File<'_>) -> Option<bool> {
    if before.layer().archive().is_some_and(Archive::is_overwritten) {
        return None;
    }
    before.is_same_content(after).ok()
}

/// The number of bytes compared at once, because loose files may not fit into memory.
const CHUNK: usize = 1 << 16;

impl File<'_> {
    /// Whether two files have the same bytes. This reads both files, unless their sizes differ.
    ///
    /// # Errors
    /// As [`read`](File::read).
    pub fn is_same_content(&self, other: &File<'_>) -> Result<bool, Error> {
        if self.size() != other.size() {
            return Ok(false);
        }
        if self.size() <= CHUNK as u64 {
            return Ok(self.read()? == other.read()?);
        }
        let (mut left, mut right) = (self.open()?, other.open()?);
        let (mut in_left, mut in_right) = (vec![0; CHUNK], vec![0; CHUNK]);
        loop {
            let read = left.fill(&mut in_left)?;
            let there = right.fill(&mut in_right)?;
            if in_left.get(..read) != in_right.get(..there) {
                return Ok(false);
            }
            if read < CHUNK {
                return Ok(true);
            }
        }
    }
}
