//! The tables of a level, as its header tells them.

use super::{Level, LevelFormat};
use crate::fields::Fields;
use crate::{Error, ErrorKind};

/// What a table has, and the size of a row in bytes.
type Table = (&'static str, u64);

/// Quake: the models have 64 bytes a row, those of Hexen II 80.
const QUAKE: [Table; 15] = [
    ("entities", 1),
    ("planes", 20),
    ("textures", 1),
    ("vertices", 12),
    ("visibility", 1),
    ("nodes", 24),
    ("texture infos", 40),
    ("faces", 20),
    ("light", 1),
    ("clip nodes", 8),
    ("leaves", 28),
    ("faces of leaves", 2),
    ("edges", 4),
    ("edges of faces", 4),
    ("models", 16),
];
const QUAKE2: [Table; 19] = [
    ("entities", 1),
    ("planes", 20),
    ("vertices", 12),
    ("visibility", 1),
    ("nodes", 28),
    ("texture infos", 76),
    ("faces", 20),
    ("light", 1),
    ("leaves", 28),
    ("faces of leaves", 2),
    ("brushes of leaves", 2),
    ("edges", 4),
    ("edges of faces", 4),
    ("models", 48),
    ("brushes", 12),
    ("sides of brushes", 4),
    ("pop", 1),
    ("areas", 8),
    ("portals of areas", 8),
];
/// The sides of brushes, the corners and the surfaces are larger in the formats of Raven and `QFusion`.
const QUAKE3: [Table; 17] = [
    ("entities", 1),
    ("shaders", 72),
    ("planes", 16),
    ("nodes", 36),
    ("leaves", 48),
    ("surfaces of leaves", 4),
    ("brushes of leaves", 4),
    ("models", 40),
    ("brushes", 12),
    ("sides of brushes", 8),
    ("corners", 44),
    ("triangles", 4),
    ("fogs", 72),
    ("surfaces", 104),
    ("light", 1),
    ("light grid", 1),
    ("visibility", 1),
];

impl Level<'_> {
    /// Checks each table of a level of `size` bytes: it is in the file and has whole rows. Returns the number
    /// of rows of each. Only the header is read.
    ///
    /// Sources: `Mod_LoadModel` and the functions that it calls in Quake, Quake II and Quake III ("funny lump
    /// size"), and `bspfile.h` of their compilers and of `ericw-tools`.
    pub(crate) fn tables(&self, size: u64) -> Result<Vec<(&'static str, u64)>, Error> {
        let tables: &[Table] = match self.format {
            LevelFormat::Bsp38 | LevelFormat::Qbsp => &QUAKE2,
            LevelFormat::Bsp46 | LevelFormat::Rbsp | LevelFormat::Fbsp => &QUAKE3,
            _ => &QUAKE,
        };
        let header = self.format.layout().0;
        let mut counts = Vec::with_capacity(tables.len());
        for (number, &(what, row)) in tables.iter().enumerate() {
            let field = |at| Fields(self.bytes).u32("the header", header + number * 8 + at).map(u64::from);
            let (start, length) = (field(0)?, field(4)?);
            let end = start + length;
            if length > 0 && end > size {
                return Err(ErrorKind::CutOff { what, needed: end, found: size }.into());
            }
            let row = self.row(what, row);
            if length % row != 0 {
                return Err(ErrorKind::Rows { what, size: length, row }.into());
            }
            counts.push((what, length / row));
        }
        Ok(counts)
    }

    /// The size of a row in formats that widen some tables.
    fn row(&self, what: &str, row: u64) -> u64 {
        use LevelFormat::{Bsp2, Fbsp, Psb2, Qbsp, Rbsp};
        match (self.format, what) {
            (Bsp2, "nodes" | "leaves") | (Qbsp, "nodes") => 44,
            (Qbsp, "leaves") => 52,
            (Psb2, "nodes" | "leaves") => 32,
            (Bsp2 | Psb2 | Qbsp, "faces") => 28,
            (Bsp2 | Psb2, "clip nodes") | (Rbsp | Fbsp, "sides of brushes") => 12,
            (Bsp2 | Psb2 | Qbsp, "faces of leaves") | (Qbsp, "brushes of leaves") => 4,
            (Bsp2 | Psb2 | Qbsp, "edges") | (Qbsp, "sides of brushes") => 8,
            (Rbsp | Fbsp, "corners") => 80,
            (Rbsp | Fbsp, "surfaces") => 148,
            _ => row,
        }
    }
}
