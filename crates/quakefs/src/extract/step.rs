//! What a step below the destination meets: from a folder to a name straight in it.

use std::io;

/// What has a name in a folder of the destination. `I` is how the system identifies a file.
pub(super) enum Found<I> {
    Nothing,
    Folder,
    /// A file, a link or a device.
    File(I),
}

/// Why a folder cannot be entered.
pub(super) enum Blocked {
    Link,
    NotAFolder,
    Io(io::Error),
}
