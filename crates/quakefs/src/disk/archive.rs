//! An archive as a disk.

use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pak_format::verify::DecodeBudget;
use pak_format::{EntryName, NameFault};

use super::tree::{At, Tree};
use super::{Access, Content, Disk, FileKind, Item, Opened, Stat, SystemPath, path_of};
use crate::archive::{Archive, ArchiveEntry};
use crate::data::FileData;
use crate::finding::{Finding, FindingKind};
use crate::location::Location;
use crate::no_path::NoPath;

/// An archive as if it were unpacked: a folder with subfolders, loose files and further archives.
///
/// Each entry has its [`unpacked_name`](crate::archive::ArchiveEntry::unpacked_name). If two entries have the
/// same name, the later one counts, as after unpacking. Stored files are borrowed or read by position;
/// compressed files are decoded when opened. Decoded bytes in use at one time are limited to 100 times the
/// archive's size, or 1 GiB if that is more; opening a file beyond the limit fails. An entry becomes a
/// finding instead of a file if its name is not a path, or if the archive already has more than 4096 folders
/// plus 8 for each entry.
#[derive(Debug)]
pub struct ArchiveDisk {
    archive: Archive,
    /// The rows by path.
    tree: Tree,
    findings: Vec<Finding>,
    /// The number of bytes that may still be decoded.
    budget: Arc<AtomicU64>,
    /// The device number in identities, different for each disk.
    device: u64,
}

/// The next device number, counting down. [`MemoryDisk`](super::MemoryDisk) uses the number above.
static DEVICES: AtomicU64 = AtomicU64::new(u64::MAX - 1);

impl ArchiveDisk {
    /// Wraps an archive. `name` is its name in findings.
    #[must_use]
    pub fn new(archive: Archive, name: &str) -> ArchiveDisk {
        let mut tree = Tree::default();
        let damage = archive.damage().map(FindingKind::Damaged);
        let mut findings: Vec<_> =
            damage.map(|kind| Finding::of_archive(Location::layer(name), kind)).into_iter().collect();
        let most_folders = MOST_FOLDERS.saturating_add(archive.entries().len().saturating_mul(8));
        for entry in archive.entries() {
            if let Err(why) = insert(&mut tree, &entry, most_folders) {
                let place = entry.location(name);
                findings.push(Finding::of_archive(place, FindingKind::NotUnpacked(why)));
            }
        }
        let budget = AtomicU64::new(DecodeBudget::for_archive(archive.size()).limit());
        let device = DEVICES.fetch_sub(1, Ordering::Relaxed);
        ArchiveDisk { archive, tree, findings, budget: Arc::new(budget), device }
    }

    /// The entry at a path.
    fn file(&self, path: &Path) -> io::Result<ArchiveEntry<'_>> {
        match self.tree.get(path)? {
            At::Folder => Err(io::ErrorKind::IsADirectory.into()),
            At::File(row) => self.entry(row),
        }
    }

    fn entry(&self, row: u32) -> io::Result<ArchiveEntry<'_>> {
        self.archive.entry(row as usize).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn stat(&self, entry: &ArchiveEntry<'_>) -> Stat {
        // an open archive does not change
        let identity = Some((self.device, entry.index() as u64));
        Stat { modified: self.archive.modified(), identity, ..Stat::new(FileKind::File, entry.size()) }
    }

    /// Decodes an entry. Its bytes count against the budget until they are dropped.
    fn decode(&self, entry: &ArchiveEntry<'_>) -> io::Result<FileData> {
        let size = entry.size();
        let taken =
            self.budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(size));
        if let Err(left) = taken {
            let text =
                format!("its {size} bytes are more than the {left} that may still be decoded at a time");
            return Err(io::Error::new(io::ErrorKind::QuotaExceeded, text));
        }
        // returned to the budget also if decoding fails
        let mut held = Held { size, budget: Arc::clone(&self.budget), bytes: FileData::default() };
        held.bytes = entry.read()?;
        Ok(FileData::new(held))
    }
}

/// The longest path in bytes. This also limits the nesting of folders.
const LONGEST: usize = 1023;

/// The most folders, in addition to 8 for each entry. A single name of a thousand bytes can contain hundreds.
const MOST_FOLDERS: usize = 4096;

/// Adds an entry at the path that it would be unpacked to.
fn insert(tree: &mut Tree, entry: &ArchiveEntry<'_>, most_folders: usize) -> Result<(), NoPath> {
    let bytes = entry.unpacked_name();
    let is_folder = entry.row().is_folder || (bytes.ends_with(b"/") && entry.size() == 0);
    let bytes = bytes.strip_suffix(b"/").filter(|_| is_folder).unwrap_or(&bytes);
    let path = EntryName::from_bytes(bytes).to_disk_path().map_err(NoPath::Name)?;
    let path = path_of(&path).ok_or(NoPath::Name(NameFault::NotUtf8))?;
    if bytes.len() > LONGEST {
        return Err(NoPath::LongPath { found: bytes.len(), most: LONGEST });
    }
    if tree.made > most_folders {
        return Err(NoPath::ManyFolders { most: most_folders });
    }
    let row = u32::try_from(entry.index()).unwrap_or(u32::MAX);
    let inserted = if is_folder { tree.insert_folder(path) } else { tree.insert(path, row) };
    inserted.map_err(|_| NoPath::FolderOfThatName { winner: None })
}

/// Decoded bytes. Dropping them returns their size to the budget.
struct Held {
    bytes: FileData,
    size: u64,
    budget: Arc<AtomicU64>,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.budget.fetch_add(self.size, Ordering::Relaxed);
    }
}

impl Disk for ArchiveDisk {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        self.tree.list(folder)
    }

    fn list_any_case(&self, folder: &Path, name: &[u8]) -> io::Result<Vec<Item>> {
        self.tree.list_any_case(folder, name)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        Ok(match self.tree.get(path)? {
            At::Folder => Stat::new(FileKind::Folder, 0),
            At::File(row) => self.stat(&self.entry(row)?),
        })
    }

    fn open(&self, path: &Path, _: Access) -> io::Result<Opened> {
        let entry = self.file(path)?;
        entry.check()?;
        let stat = self.stat(&entry);
        let content = match entry.range() {
            Some(range) => match self.archive.by_position(range) {
                Some(content) => content,
                None => Content::Bytes(entry.read()?),
            },
            None => Content::Bytes(self.decode(&entry)?),
        };
        Ok(Opened { stat, content })
    }

    fn start(&self, path: &Path, length: usize) -> io::Result<Vec<u8>> {
        let entry = self.file(path)?;
        entry.check()?;
        let length = entry.size().min(length as u64);
        let mut start = Vec::new();
        match entry.range() {
            Some(range) => {
                let bytes = self.archive.bytes(range.start..range.end.min(range.start + length))?;
                start.extend_from_slice(&bytes);
            }
            None => drop(entry.open()?.take(length).read_to_end(&mut start)?),
        }
        Ok(start)
    }

    fn can_read(&self, path: &Path) -> bool {
        // without decoding anything
        match self.tree.get(path) {
            Ok(At::Folder) => true,
            Ok(At::File(row)) => self.entry(row).is_ok_and(|entry| entry.check().is_ok()),
            Err(_) => false,
        }
    }

    fn system_path(&self, _: &Path) -> Option<SystemPath> {
        self.archive.source_file().map(|path| SystemPath::Inside(path.into()))
    }

    fn findings(&self) -> Vec<Finding> {
        self.findings.clone()
    }
}

#[cfg(test)]
mod tests {
    use testutils::raw_zip::{stored, zip};
    use testutils::zip_deflated;

    use super::*;
    use crate::{ErrorKind, SearchPath};

    fn within(limit: u64, files: &[(&str, Vec<u8>)]) -> ArchiveDisk {
        let archive = Archive::from_data(zip_deflated(files.iter().cloned()).into()).unwrap();
        ArchiveDisk { budget: Arc::new(AtomicU64::new(limit)), ..ArchiveDisk::new(archive, "mod.zip") }
    }

    #[test]
    fn decoded_bytes_are_bounded_and_returned_to_the_budget() {
        let zeros = vec![0; 1 << 20];
        let disk = within(3 << 19, &[("id1/a.dat", zeros.clone()), ("id1/b.dat", zeros.clone())]);
        let quake = SearchPath::builder(".").disk(disk).mount().unwrap();
        let first = quake.read("a.dat").unwrap();
        assert_eq!(first, zeros);
        let error = quake.read("b.dat").unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Io { kind: io::ErrorKind::QuotaExceeded, .. }),
            "{error:?}"
        );
        drop(first);
        assert_eq!(quake.read("b.dat").unwrap(), zeros);
    }

    #[test]
    fn backslashes_separate_folders_where_the_writer_meant_folders() {
        let shown = |hosts: [u8; 2], other: &str| {
            let [mine, its] = hosts;
            let level = stored("pd\\maps\\x.bsp", "x").with(|member| member.host = mine);
            let members = [level, stored(other, "x").with(|member| member.host = its)];
            let disk = ArchiveDisk::new(Archive::from_data(zip(&members).into()).unwrap(), "mod.zip");
            (disk.list(Path::new("pd/maps")).is_ok(), disk.findings().len())
        };
        let (dos, unix, ntfs) = (0, 3, 10);
        assert_eq!(shown([unix, unix], "readme.txt"), (true, 0), "no name has a slash");
        assert_eq!(shown([dos, unix], "a/b"), (true, 0));
        assert_eq!(shown([ntfs, unix], "a/b"), (true, 0));
        assert_eq!(shown([unix, unix], "a/b"), (false, 1), "it is a part of the name");
    }

    #[test]
    fn whether_a_file_opens_is_answered_without_decoding_it() {
        let disk = within(0, &[("id1/a.dat", vec![0; 1 << 16])]);
        assert!(disk.can_read("id1/a.dat".as_ref()) && disk.can_read("id1".as_ref()));
        assert!(disk.open("id1/a.dat".as_ref(), Access::Read).is_err());
    }
}
