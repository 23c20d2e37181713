//! Hashes of archive contents, to compare archives that are overwritten in place.

use std::hash::{BuildHasher as _, Hasher as _};

use hashbrown::DefaultHashBuilder;

use super::signal::Signal;
use crate::File;
use crate::archive::{Archive, Method};
use crate::search_path::SearchPath;
use crate::search_path::changes::same_bytes;

/// The number of bytes hashed at once.
const CHUNK: u64 = 1 << 20;

/// The compression method of a payload and the hash of its stored bytes; `None` if it was not read.
type Stored = Option<(Method, u64)>;

/// The payloads in each archive on disk.
#[derive(Clone, Default)]
pub(super) struct Contents {
    hasher: DefaultHashBuilder,
    archives: Vec<(Archive, Vec<Stored>)>,
}

impl Contents {
    /// Reads the archives of a search path, unless they were read before or the watcher was dropped.
    pub(super) fn of(search_path: &SearchPath, before: &Contents, signal: &Signal) -> Contents {
        let hasher = before.hasher.clone();
        let archives = search_path.archives_on_disk().map(|archive| {
            let known = before.archives.iter().find(|(known, _)| Archive::is_same(known, archive));
            known.cloned().unwrap_or_else(|| (archive.clone(), read(archive, &hasher, signal)))
        });
        let archives = archives.collect();
        Contents { hasher, archives }
    }

    fn stored(&self, file: &File<'_>) -> Stored {
        let archive = file.layer().archive()?;
        let (_, payloads) = self.archives.iter().find(|(known, _)| Archive::is_same(known, archive))?;
        *payloads.get(file.entry()?)?
    }

    /// Whether two copies of equal size have the same content, the first one from `before`; `None` if that is
    /// unknown.
    pub(super) fn is_same(&self, before: &Contents, one: &File<'_>, other: &File<'_>) -> Option<bool> {
        match (before.stored(one), self.stored(other)) {
            (Some((method, hash)), Some((other_method, other))) if method == other_method => {
                Some(hash == other)
            }
            _ => same_bytes(one, other),
        }
    }
}

fn read(archive: &Archive, hasher: &DefaultHashBuilder, signal: &Signal) -> Vec<Stored> {
    // entries may overlap, so the total that is read is bounded by the archive's size
    let mut left = archive.size().saturating_mul(2);
    let payloads = archive.entries().map(|entry| {
        let range = archive.payload_range(u32::try_from(entry.index()).ok()?)?;
        left = left.checked_sub(range.end.saturating_sub(range.start))?;
        let mut hash = hasher.build_hasher();
        let mut start = range.start;
        while start < range.end {
            if signal.is_stopped() {
                return None;
            }
            let end = start.saturating_add(CHUNK).min(range.end);
            hash.write(&archive.bytes(start..end).ok()?);
            start = end;
        }
        Some((entry.row().method, hash.finish()))
    });
    let payloads = payloads.collect();
    // if the archive was overwritten in the meantime, the hashes mix two states
    if archive.is_current() { payloads } else { Vec::new() }
}
