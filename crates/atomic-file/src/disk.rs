//! The operations that change a disk.

use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::temporary;

/// The operations that change a disk. [`RealDisk`] performs them; a test performs them up to the one that fails.
///
/// # Errors
/// Each operation fails as the system call that it makes.
#[expect(clippy::missing_errors_doc, reason = "each step fails with what the system says")]
pub trait Disk {
    /// Writes all bytes at an offset, past the end too.
    fn write_at(&mut self, file: &File, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Cuts or extends a file.
    fn set_len(&mut self, file: &File, length: u64) -> io::Result<()>;

    /// Makes the content of a file survive a power failure.
    fn sync(&mut self, file: &File) -> io::Result<()>;

    /// Makes a temporary file in a folder. A `private` one is for its owner alone; any other has the mode of a new
    /// file.
    fn temporary(&mut self, folder: &Path, private: bool) -> io::Result<NamedTempFile>;

    /// Moves a temporary file to its target, or removes the temporary. Fails if `replace` is false and the target
    /// exists.
    fn persist(&mut self, file: NamedTempFile, target: &Path, replace: bool) -> io::Result<()>;

    /// Makes the names in a folder survive a power failure.
    fn sync_folder(&mut self, folder: &Path) -> io::Result<()>;
}

/// The disk as the system gives it.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    #[cfg(unix)]
    fn write_at(&mut self, file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
    }

    #[cfg(not(unix))]
    fn write_at(&mut self, mut file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        use std::io::{Seek as _, SeekFrom, Write as _};
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }

    fn set_len(&mut self, file: &File, length: u64) -> io::Result<()> {
        file.set_len(length)
    }

    fn sync(&mut self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn temporary(&mut self, folder: &Path, private: bool) -> io::Result<NamedTempFile> {
        temporary::make(folder, private)
    }

    fn persist(&mut self, file: NamedTempFile, target: &Path, replace: bool) -> io::Result<()> {
        let moved = if replace { file.persist(target) } else { file.persist_noclobber(target) };
        moved.map_err(|error| error.error).map(|file| {
            // a process that is being started has a copy of the open file for a moment, and the lock with it
            let _ = file.unlock();
        })
    }

    #[cfg(unix)]
    fn sync_folder(&mut self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }

    /// Other systems have no such call.
    #[cfg(not(unix))]
    fn sync_folder(&mut self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

impl<D: Disk + ?Sized> Disk for &mut D {
    fn write_at(&mut self, file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        (**self).write_at(file, offset, bytes)
    }

    fn set_len(&mut self, file: &File, length: u64) -> io::Result<()> {
        (**self).set_len(file, length)
    }

    fn sync(&mut self, file: &File) -> io::Result<()> {
        (**self).sync(file)
    }

    fn temporary(&mut self, folder: &Path, private: bool) -> io::Result<NamedTempFile> {
        (**self).temporary(folder, private)
    }

    fn persist(&mut self, file: NamedTempFile, target: &Path, replace: bool) -> io::Result<()> {
        (**self).persist(file, target, replace)
    }

    fn sync_folder(&mut self, folder: &Path) -> io::Result<()> {
        (**self).sync_folder(folder)
    }
}
