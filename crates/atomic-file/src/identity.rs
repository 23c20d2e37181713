//! The identity of a file.

use std::fs::File;
use std::io;
use std::path::Path;

/// The identity of a file, independent of its name: the device number and the file number. Hard links share
/// it; a file that replaces another has a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    disk: u64,
    number: u64,
}

impl Identity {
    /// Creates an identity from numbers that the caller already has.
    #[must_use]
    pub const fn new(disk: u64, number: u64) -> Identity {
        Identity { disk, number }
    }

    /// The identity of an open file.
    ///
    /// # Errors
    /// The errors of the system. On Windows, some network disks have no file numbers.
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
    /// The errors of the system.
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
                // needs no permission to read; folders can be opened only with this flag
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
