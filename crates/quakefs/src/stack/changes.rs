//! What differs between two stacks: for hot reload, and for a change of the mod.

use std::cmp::Ordering;

use super::hit::{File, Hit, fill};
use super::layer::Source;
use super::listing::Listing;
use super::lookup::{Found, Stack};
use super::search_path::SearchPath;
use crate::archive::Archive;
use crate::error::Error;

/// A name whose served copy differs between two stacks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Change {
    /// What happened to the name.
    pub kind: ChangeKind,
    /// The copy that was served before; `None` for an added name.
    pub before: Option<File>,
    /// The copy that is served now; `None` for a removed name.
    pub after: Option<File>,
}

/// What happened to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// No copy was served before.
    Added,
    /// No copy is served any more.
    Removed,
    /// The bytes differ, or a loose file was written to since, or a copy cannot be read.
    Changed,
    /// Another layer serves the same bytes.
    Moved,
}

impl Change {
    /// The name.
    #[must_use]
    pub fn name(&self) -> pak_format::EntryName<'_> {
        let file = self.after.as_ref().or(self.before.as_ref());
        file.map_or(pak_format::EntryName::from_bytes(&[]), File::name)
    }
}

impl SearchPath {
    /// The names whose served copy differs from an older stack's, sorted by name.
    ///
    /// Two copies are the same where they are one entry of one archive that was not opened again, or one loose file of
    /// the same size and time. Else their sizes and then their bytes decide, so that an engine reloads what differs and
    /// nothing else.
    ///
    /// Of stacks whose loose files are [`Live`](crate::LooseFiles::Live), the folders are listed now for both: a loose
    /// file that was edited between the two mounts is seen only where the older stack is
    /// [`Listed`](crate::LooseFiles::Listed).
    #[must_use]
    pub fn changes_since(&self, old: &SearchPath) -> Vec<Change> {
        self.0.with_listing(|new_listing, _| {
            old.0.with_listing(|old_listing, _| compare(&old.0, old_listing, &self.0, new_listing))
        })
    }
}

fn compare(old: &Stack, old_listing: &Listing, new: &Stack, new_listing: &Listing) -> Vec<Change> {
    let mut changes = Vec::new();
    let (olds, news) = (old.files(old_listing), new.files(new_listing));
    let (mut olds, mut news) = (olds.iter().peekable(), news.iter().peekable());
    loop {
        let order = match (olds.peek(), news.peek()) {
            (None, None) => return changes,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(old), Some(new)) => old.name().cmp(&new.name()),
        };
        let before = if order.is_le() { olds.next() } else { None };
        let after = if order.is_ge() { news.next() } else { None };
        let kind = match (before, after) {
            (Some(before), Some(after)) => {
                let times_differ = || {
                    let name = after.name();
                    modified(old, old_listing, name.as_bytes()) != modified(new, new_listing, name.as_bytes())
                };
                match difference(before, after, times_differ) {
                    Some(kind) => kind,
                    None => continue,
                }
            }
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
        };
        changes.push(Change { kind, before: before.map(Hit::to_file), after: after.map(Hit::to_file) });
    }
}

/// The time of a loose file, as a listing has it or else as the disk says now.
fn modified(stack: &Stack, listing: &Listing, name: &[u8]) -> Option<std::time::SystemTime> {
    match stack.locate(Some(listing), name) {
        Some(Found::Listed(id)) => {
            listing.modified(id).or_else(|| match &stack.layers.get(id.layer)?.source {
                Source::Folder(folder) => folder.modified(listing.name(id)),
                Source::Archive(_) => None,
            })
        }
        _ => None,
    }
}

fn difference(before: &Hit<'_>, after: &Hit<'_>, times_differ: impl FnOnce() -> bool) -> Option<ChangeKind> {
    let same_layer = before.layer().name() == after.layer().name();
    let both_loose = before.entry().is_none() && after.entry().is_none();
    let one_archive = match (before.layer().archive(), after.layer().archive()) {
        (Some(before), Some(after)) => Archive::is_same(before, after),
        _ => false,
    };
    if one_archive && before.entry() == after.entry() {
        return None;
    }
    if before.size() != after.size() {
        return Some(ChangeKind::Changed);
    }
    if same_layer && both_loose {
        // the bytes from before are gone where the file was written to
        return times_differ().then_some(ChangeKind::Changed);
    }
    match is_same_content(before, after) {
        Ok(true) if same_layer => None,
        Ok(true) => Some(ChangeKind::Moved),
        Ok(false) | Err(_) => Some(ChangeKind::Changed),
    }
}

/// Bytes compared at once: loose files may be larger than the memory.
const CHUNK: usize = 1 << 16;

/// Whether two files hold the same bytes. Reads both, unless their sizes differ.
pub(crate) fn is_same_content(one: &Hit<'_>, other: &Hit<'_>) -> Result<bool, Error> {
    if one.size() != other.size() {
        return Ok(false);
    }
    if one.size() <= CHUNK as u64 {
        return Ok(one.read()? == other.read()?);
    }
    let (mut left, mut right) = (one.open()?, other.open()?);
    let (mut in_left, mut in_right) = (vec![0; CHUNK], vec![0; CHUNK]);
    loop {
        let read = fill(&mut left, &mut in_left).map_err(|error| one.to_file().of_stream(error))?;
        let other = fill(&mut right, &mut in_right).map_err(|error| other.to_file().of_stream(error))?;
        if in_left.get(..read) != in_right.get(..other) {
            return Ok(false);
        }
        if read < CHUNK {
            return Ok(true);
        }
    }
}
