//! The file that marks a registered copy of a game.

use super::companions::crc16;
use crate::documented::documented;
use crate::{List, Text};

documented! {
    /// The file that marks a registered copy of a game, and its expected content.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Registered {
        /// The name of the file.
        pub file: Text,
        /// The size of the file in bytes; none for any size.
        pub size with "crate::forms::or_none": Option<u32>,
        /// The CRC-32 of the file; none for any content.
        pub crc32 with "crate::forms::or_none": Option<u32>,
        /// The archive of the shareware. An engine that exits without the file still runs the shareware.
        pub shareware with "crate::forms::or_none": Option<Shareware>,
    }
}

documented! {
    /// The archive of a game's shareware.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Shareware {
        /// The number of entries.
        pub entries: u32,
        /// The CRC-16 of its directory (polynomial 0x1021, start value 0xffff), in each release that the
        /// engine knows.
        pub crcs: List<u16>,
        /// Whether the engine loads only loose files directly in a game directory with the shareware, as
        /// quakeworld does.
        pub only_top_level: bool,
    }
}

impl Shareware {
    /// Whether an archive with these rows is the shareware's.
    #[must_use]
    pub fn is_directory(&self, rows: &[u8]) -> bool {
        self.crcs.contains(&directory_crc(rows))
    }
}

/// The CRC-16 by which engines know an archive: of the rows of its directory, as they are stored.
#[must_use]
pub fn directory_crc(rows: &[u8]) -> u16 {
    crc16(rows)
}
