//! Which file it is.

use std::fs::File;
use std::io;
use std::path::Path;

/// Which file it is, whatever its name: the number of its disk, and its number there. Two names of one file have the same
/// one, and a file that takes the place of another has its own.
///
/// ```
/// use atomic_file::Identity;
/// # let folder = tempfile::tempdir()?;
/// # let (one, other) = (folder.path().join("pak0.pak"), folder.path().join("pak1.pak"));
/// # std::fs::write(&one, "PACK")?;
/// # std::fs::hard_link(&one, &other)?;
/// assert_eq!(Identity::at(&one)?, Identity::at(&other)?);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    disk: u64,
    number: u64,
}

impl Identity {
    /// The identity of a file by its numbers, for callers that asked the system themselves.
    #[must_use]
    pub const fn new(disk: u64, number: u64) -> Identity {
        Identity { disk, number }
    }

    /// The identity of an open file.
    ///
    /// # Errors
    /// Those of the system; on Windows some disks of other computers have no such numbers.
    pub fn of(file: &File) -> io::Result<Identity> {
        #[cfg(unix)]
        return file.metadata().map(|found| of_metadata(&found));
        #[cfg(windows)]
        return winapi_util::file::information(file)
            .map(|found| Identity::new(found.volume_serial_number(), found.file_index()));
        #[cfg(not(any(unix, windows)))]
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The identity of the file or the folder at a path. Links are followed.
    ///
    /// # Errors
    /// Those of the system.
    pub fn at(path: impl AsRef<Path>) -> io::Result<Identity> {
        let path = path.as_ref();
        #[cfg(unix)]
        return path.metadata().map(|found| of_metadata(&found));
        #[cfg(not(unix))]
        {
            let mut options = File::options();
            #[cfg(windows)]
            {
                use std::os::windows::fs::OpenOptionsExt as _;
                // no right to read is needed, and a folder is opened with this flag alone
                options.access_mode(0).custom_flags(BACKUP_SEMANTICS);
            }
            Identity::of(&options.open(path)?)
        }
    }
}

/// `FILE_FLAG_BACKUP_SEMANTICS`
#[cfg(windows)]
const BACKUP_SEMANTICS: u32 = 0x0200_0000;

#[cfg(unix)]
fn of_metadata(found: &std::fs::Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    Identity::new(found.dev(), found.ino())
}
