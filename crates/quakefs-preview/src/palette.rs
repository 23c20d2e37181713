//! The 256 colours that the bytes of a picture stand for.

use std::fmt;

/// 256 colours.
#[derive(Clone, PartialEq, Eq)]
pub struct Palette([[u8; 3]; 256]);

impl Palette {
    /// From black to white, for a game without a palette.
    #[must_use]
    pub fn grey() -> Palette {
        let mut shade = 0_u8;
        Palette(std::array::from_fn(|_| {
            let colour = [shade; 3];
            shade = shade.wrapping_add(1);
            colour
        }))
    }

    /// The palette of Quake and Hexen II, `gfx/palette.lmp`: 256 times red, green and blue. `None` where there are fewer
    /// bytes.
    #[must_use]
    pub fn from_lump(bytes: &[u8]) -> Option<Palette> {
        let (colours, _) = bytes.as_chunks();
        colours.first_chunk().copied().map(Palette)
    }

    /// The palette at the end of a PCX, as `pics/colormap.pcx` of Quake II has it. `None` where there is none.
    #[must_use]
    pub fn from_pcx(bytes: &[u8]) -> Option<Palette> {
        /// What comes before the palette (PCX technical reference manual).
        const MARK: u8 = 12;
        let (&mark, colours) = bytes.last_chunk::<769>()?.split_first()?;
        Palette::from_lump(colours).filter(|_| mark == MARK)
    }

    /// Of a palette with fewer colours, the rest is black.
    pub(crate) fn of_colours(bytes: &[u8]) -> Palette {
        let (colours, _) = bytes.as_chunks();
        let mut colours = colours.iter().copied();
        Palette(std::array::from_fn(|_| colours.next().unwrap_or_default()))
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
