//! What a step below the destination meets: from a folder to a name straight in it.

use std::io;

use atomic_file::Identity;

/// What has a name in a folder of the destination.
pub(super) enum Found {
    Nothing,
    Folder,
    /// A file, a link or a device, and which one, where that can be said.
    File(Option<Identity>),
}

/// Why a folder cannot be entered.
pub(super) enum Blocked {
    Link,
    NotAFolder,
    Io(io::Error),
}
