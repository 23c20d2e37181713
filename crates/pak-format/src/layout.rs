//! The four layouts, as one table.

use core::fmt;

/// The layout of an archive: its magic, row size, name width, and whether payloads may be compressed.
///
/// Quake's names have 56 bytes and its rows 64 (`dpackfile_t` in `common.c`); SiN's `SPAK` and HROT's `HROT`
/// have 120 and 128. Daikatana's rows have 72 bytes, with two more fields for compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Layout {
    /// `PACK` with 64-byte rows: Quake, Quake II, Hexen II, Half-Life.
    Quake,
    /// `SPAK` with 128-byte rows: SiN.
    Sin,
    /// `HROT` with 128-byte rows: HROT.
    Hrot,
    /// `PACK` with 72-byte rows, whose payloads may be compressed: Daikatana.
    Daikatana,
}

struct Spec {
    name: &'static str,
    magic: [u8; 4],
    name_width: usize,
    compresses: bool,
}

const QUAKE: Spec = Spec { name: "quake", magic: *b"PACK", name_width: 56, compresses: false };
const SIN: Spec = Spec { name: "sin", magic: *b"SPAK", name_width: 120, compresses: false };
const HROT: Spec = Spec { name: "hrot", magic: *b"HROT", name_width: 120, compresses: false };
const DAIKATANA: Spec = Spec { name: "daikatana", magic: *b"PACK", name_width: 56, compresses: true };

impl Layout {
    /// Every layout.
    pub const ALL: [Layout; 4] = [Layout::Quake, Layout::Sin, Layout::Hrot, Layout::Daikatana];

    const fn spec(self) -> &'static Spec {
        match self {
            Layout::Quake => &QUAKE,
            Layout::Sin => &SIN,
            Layout::Hrot => &HROT,
            Layout::Daikatana => &DAIKATANA,
        }
    }

    /// The name in lower case: `quake`, `sin`, `hrot` or `daikatana`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.spec().name
    }

    /// The first four bytes of an archive.
    #[must_use]
    pub const fn magic(self) -> [u8; 4] {
        self.spec().magic
    }

    /// Bytes in the name field of a row. A name that fills the field has no NUL.
    #[must_use]
    pub const fn name_width(self) -> usize {
        self.spec().name_width
    }

    /// Bytes in a row of the directory.
    #[must_use]
    pub const fn row_size(self) -> usize {
        self.name_width() + if self.compresses() { 16 } else { 8 }
    }

    /// Whether rows have fields for compression.
    #[must_use]
    pub const fn compresses(self) -> bool {
        self.spec().compresses
    }

    /// The layouts that an archive with this magic can have.
    pub fn with_magic(magic: [u8; 4]) -> impl Iterator<Item = Layout> {
        Layout::ALL.into_iter().filter(move |layout| layout.magic() == magic)
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
