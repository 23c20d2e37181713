//! Palettes of 256 colours.

use std::fmt;
use std::ops::RangeInclusive;

/// A palette of 256 colours.
#[derive(Clone, PartialEq, Eq)]
pub struct Palette([[u8; 3]; 256]);

impl Palette {
    /// Quake's palette, as published by LibreQuake (BSD-3-Clause).
    #[must_use]
    pub fn quake() -> Palette {
        let (colours, _) = include_bytes!("quake.palette").as_chunks();
        Palette::of_colours(colours)
    }

    /// A palette from black to white, for games without one.
    #[must_use]
    pub fn grey() -> Palette {
        let mut shade = 0_u8;
        Palette(std::array::from_fn(|_| {
            let colour = [shade; 3];
            shade = shade.wrapping_add(1);
            colour
        }))
    }

    /// Reads `gfx/palette.lmp` of Quake and Hexen II: 256 times red, green and blue. `None` if the file is
    /// too short.
    #[must_use]
    pub fn from_lump(bytes: &[u8]) -> Option<Palette> {
        let (colours, _) = bytes.as_chunks();
        colours.first_chunk().copied().map(Palette)
    }

    /// Reads the palette at the end of a PCX, such as `pics/colormap.pcx` of Quake II. Returns `None` if the
    /// PCX has no palette.
    #[must_use]
    pub fn from_pcx(bytes: &[u8]) -> Option<Palette> {
        /// The byte before the palette (PCX technical reference manual).
        const MARK: u8 = 12;
        let (&mark, colours) = bytes.last_chunk::<769>()?.split_first()?;
        Palette::from_lump(colours).filter(|_| mark == MARK)
    }

    /// Takes the first 256 of these colours and fills missing ones with black.
    #[must_use]
    pub fn of_colours(colours: &[[u8; 3]]) -> Palette {
        let mut colours = colours.iter().copied();
        Palette(std::array::from_fn(|_| colours.next().unwrap_or_default()))
    }

    /// All colours.
    #[must_use]
    pub fn colours(&self) -> &[[u8; 3]; 256] {
        &self.0
    }

    /// The colours of pixels as red, green, blue and opacity. `transparent` is the index without a colour.
    #[must_use]
    pub fn rgba(&self, pixels: &[u8], transparent: Option<u8>) -> Vec<u8> {
        let colour = |index: &u8| match self.colour(*index) {
            _ if Some(*index) == transparent => [0; 4],
            [red, green, blue] => [red, green, blue, 255],
        };
        pixels.iter().flat_map(colour).collect()
    }

    /// The index of the nearest colour among some indices, by the sum of squared differences. The first of
    /// several equally near ones.
    #[must_use]
    pub fn nearest(&self, colour: [u8; 3], among: RangeInclusive<u8>) -> u8 {
        let distance = |index: &u8| -> u32 {
            let parts = self.colour(*index).into_iter().zip(colour);
            parts.map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
        };
        among.min_by_key(distance).unwrap_or_default()
    }

    /// The colour of an index.
    #[must_use]
    pub fn colour(&self, index: u8) -> [u8; 3] {
        self.0.get(usize::from(index)).copied().unwrap_or_default()
    }
}

impl fmt::Debug for Palette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Palette").finish_non_exhaustive()
    }
}
