//! The results of one step below the destination, from a folder to a name in it.

use std::io;

use atomic_file::Identity;

/// The folder and the name of a path.
pub(crate) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    let slash = path.iter().rposition(|byte| *byte == b'/');
    slash.map_or((&[], path), |slash| {
        (path.get(..slash).unwrap_or_default(), path.get(slash + 1..).unwrap_or_default())
    })
}

/// What a folder of the destination contains under a name.
pub(crate) enum Occupant {
    Nothing,
    Folder,
    /// A file, a link to one or a device, with its identity if that is known.
    File(Option<Identity>),
    /// A link that leads nowhere.
    LostLink,
}

/// Why a folder cannot be entered.
pub(crate) enum Blocked {
    Link,
    NotAFolder,
    Io(io::Error),
}

/// Why a link is not opened.
pub(crate) const LINK: &str = "it is a symbolic link, which is not followed";

impl From<Blocked> for io::Error {
    fn from(blocked: Blocked) -> Self {
        let reason = match blocked {
            Blocked::Io(error) => return error,
            Blocked::Link => "a folder on the way is a symbolic link, which is not followed",
            Blocked::NotAFolder => "a folder on the way is a file",
        };
        io::Error::new(io::ErrorKind::InvalidInput, reason)
    }
}
