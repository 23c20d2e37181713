//! Whether a Quake is a registered copy or the shareware.

use sha2::{Digest, Sha256};

use crate::search_path::SearchPath;

/// What the file that marks a registered copy says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Registration {
    /// The file is there and right.
    Registered,
    /// It is not there. The id engines then refuse a game, and hide loose files whose names contain `/`; quakefs
    /// hides nothing.
    Shareware,
    /// A file of that name is there and holds something else: the engines of id stop.
    Corrupt,
}

impl Registration {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Registration::Registered => "registered",
            Registration::Shareware => "shareware",
            Registration::Corrupt => "corrupt",
        }
    }
}

/// The SHA-256 of the 256 bytes of id's `gfx/pop.lmp`.
const POP: [u8; 32] = [
    0x59, 0xa7, 0xa5, 0x8a, 0x25, 0x7a, 0xe6, 0xa2, 0x31, 0xca, 0x42, 0x01, 0xa8, 0x33, 0x0f, 0xa9, 0xd9,
    0x07, 0x79, 0xea, 0x5e, 0x23, 0x0e, 0x07, 0xd5, 0x30, 0xf2, 0x47, 0x85, 0x21, 0xbb, 0x9a,
];

impl SearchPath {
    /// Whether this is a registered copy of Quake; `None` for engines that do not ask, and where there is no game
    /// directory.
    #[must_use]
    pub fn registration(&self) -> Option<Registration> {
        let name = self.rules().registered_by.as_deref()?;
        self.layers().find(|layer| layer.directory.is_some())?;
        let Some(hit) = self.find(name) else { return Some(Registration::Shareware) };
        let right = hit.size() == 256
            && hit.read().is_ok_and(|bytes| <[u8; 32]>::from(Sha256::digest(&*bytes)) == POP);
        Some(if right { Registration::Registered } else { Registration::Corrupt })
    }
}
