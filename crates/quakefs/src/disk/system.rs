//! The system's disk.

use std::fs::{self, File, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use atomic_file::{AtomicFile, Options};
use camino::{Utf8Path, Utf8PathBuf};

use super::{Access, Content, Disk, FileKind, Item, NewFile, Opened, ReadAt, Stat, SystemPath, bytes_at};
use crate::data::FileData;
use crate::error::{Error, ErrorKind, NotWritable};
use crate::rules::Spelling;

/// The disk of the system that this program runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemDisk;

impl Disk for SystemDisk {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        folder.read_dir()?.map(|entry| entry.map(|entry| item(&entry))).collect()
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        path.metadata().map(|found| stat_of(&found))
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        // opening a pipe directly would wait for a writer
        let (file, metadata) = atomic_file::open_found(path, File::options().read(true))?;
        let stat = stat_of(&metadata);
        let content = match access {
            // for small files, reading is faster than mapping
            Access::Map if stat.size <= 1 << 14 => {
                Content::Bytes(bytes_at(&ByPosition(file), 0, stat.size)?.into())
            }
            Access::Map => Content::Bytes(FileData::map_file(&file, stat.size)?),
            Access::Read => Content::At(Arc::new(ByPosition(file))),
        };
        Ok(Opened { stat, content })
    }

    fn can_read(&self, path: &Path) -> bool {
        atomic_file::open_found(path, File::options().read(true)).is_ok() || path.read_dir().is_ok()
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        path.read_link().ok()
    }

    fn spelling(&self, folder: &Path, has: &[u8]) -> Spelling {
        match super::spelled::ask(self, folder, has) {
            // macOS disks that ignore case ignore the Unicode normal form too
            Spelling::IgnoresCase if cfg!(target_os = "macos") => Spelling::IgnoresCaseAndForm,
            spelling => spelling,
        }
    }

    fn absolute(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        camino::absolute_utf8(path)
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        path.canonicalize()
    }

    fn system_path(&self, path: &Path) -> Option<SystemPath> {
        Some(SystemPath::File(path.to_owned()))
    }

    fn make_folder(&self, root: &Path, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(root).map_err(|error| at(root, "make", error))?;
        let mut path = root.to_owned();
        for part in folder.strip_prefix(root).map_err(io::Error::other)? {
            path.push(part);
            match fs::create_dir(&path) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(at(&path, "make", error));
                }
                // there may be links, so each step is checked before the next
                _ => stay_inside(root, &path)?,
            }
        }
        Ok(())
    }

    fn create_file(&self, path: &Path) -> io::Result<Box<dyn NewFile + '_>> {
        Ok(Box::new(AtomicFile::create(path, &Options::new().replace(true).follow_links(false))?))
    }

    fn remove_file(&self, root: &Path, path: &Path) -> io::Result<()> {
        if path.symlink_metadata()?.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let folder = path.parent().unwrap_or(root);
        stay_inside(root, folder)?;
        fs::remove_file(path)?;
        // makes the change to the folder durable
        let flushed = if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) };
        flushed.map_err(|error| at(folder, "flush", error))
    }
}

impl NewFile for AtomicFile {
    fn commit(self: Box<Self>, durable: bool) -> io::Result<()> {
        let path = self.path().to_owned();
        self.durable(durable).commit().map_err(|error| {
            let doing = if error.is_in_place() { "flush" } else { "write" };
            at(&path, doing, error.into_cause())
        })
    }
}

/// Adds to an error the path and the operation that failed.
fn at(path: &Path, doing: &'static str, error: io::Error) -> io::Error {
    match Utf8Path::from_path(path) {
        Some(path) => Error::io(path, doing, error).into(),
        None => error,
    }
}

fn stay_inside(root: &Path, folder: &Path) -> io::Result<()> {
    let real = |path: &Path| path.canonicalize().map_err(|error| at(path, "open", error));
    if real(folder)?.starts_with(real(root)?) {
        return Ok(());
    }
    let shown = |path: &Path| Utf8PathBuf::from(path.to_string_lossy().into_owned());
    let why = NotWritable::LeadsOut { link: shown(folder), root: shown(root) };
    Err(Error::from(ErrorKind::NotWritable { name: Vec::new().into(), why }).into())
}

fn item(entry: &fs::DirEntry) -> Item {
    let kind = entry.file_type().map_or(FileKind::Special, kind_of);
    Item { name: entry.file_name().into_encoded_bytes(), kind }
}

fn kind_of(found: FileType) -> FileKind {
    if found.is_file() {
        FileKind::File
    } else if found.is_dir() {
        FileKind::Folder
    } else if found.is_symlink() {
        FileKind::Link
    } else if is_pipe(found) {
        FileKind::Pipe
    } else {
        FileKind::Special
    }
}

#[cfg(unix)]
fn is_pipe(found: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&found)
}

#[cfg(not(unix))]
fn is_pipe(_: FileType) -> bool {
    false
}

fn stat_of(metadata: &Metadata) -> Stat {
    #[cfg(unix)]
    let identity = {
        use std::os::unix::fs::MetadataExt as _;
        Some((metadata.dev(), metadata.ino()))
    };
    #[cfg(not(unix))]
    let identity = None;
    let kind = kind_of(metadata.file_type());
    Stat { kind, size: metadata.len(), modified: metadata.modified().ok(), identity }
}

/// A file of the system that is read by position.
#[derive(Debug)]
struct ByPosition(File);

impl ReadAt for ByPosition {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // offsets have 63 bits; systems report larger ones as errors instead of as the end of the file
        let end = offset.checked_add(buffer.len() as u64);
        let is_in_reach = end.is_some_and(|end| i64::try_from(end).is_ok());
        if is_in_reach { ask(&self.0, buffer, offset) } else { Ok(0) }
    }
}

#[cfg(unix)]
fn ask(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, offset)
}

#[cfg(windows)]
fn ask(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, offset)
}

#[cfg(not(any(unix, windows)))]
fn ask(mut file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::io::{Read as _, Seek as _};
    file.seek(io::SeekFrom::Start(offset))?;
    file.read(bytes)
}
