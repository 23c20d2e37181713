//! The results of one step below the destination, from a folder to a name in it.

use std::io;

use atomic_file::Identity;

/// What a folder of the destination contains under a name.
pub(super) enum Found {
    Nothing,
    Folder,
    /// A file, a link or a device, with its identity if that is known.
    File(Option<Identity>),
}

/// Why a folder cannot be entered.
pub(super) enum Blocked {
    Link,
    NotAFolder,
    Io(io::Error),
}
