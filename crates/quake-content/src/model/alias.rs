//! `.mdl`: a model of Quake and Hexen II.

use crate::Error;
use crate::fields::Fields;
use crate::picture::Picture;

/// A model of Quake, lent from its bytes. Its skins are in the file (Unofficial Quake Specs 3.4, `modelgen.h`).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AliasModel<'a> {
    /// How many skins it says that it has.
    pub skins: usize,
    /// Pixels of a skin from left to right.
    pub width: u32,
    /// Pixels of a skin from top to bottom.
    pub height: u32,
    bytes: &'a [u8],
}

/// A skin of a model: one picture, or several that change in turns.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Skin<'a> {
    /// The first picture.
    pub picture: Picture<'a>,
    /// How many pictures there are.
    pub pictures: usize,
}

const HEADER: usize = 84;

impl<'a> AliasModel<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// The bytes are no model, or the header is cut off.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        if !bytes.starts_with(b"IDPO") {
            return Err(Error::format("a model of Quake (IDPO)", bytes));
        }
        let fields = Fields(bytes);
        let skins = fields.size("the number of skins", 48)?;
        let (width, height) =
            (fields.u32("the width of the skins", 52)?, fields.u32("the height of the skins", 56)?);
        Ok(AliasModel { skins, width, height, bytes })
    }

    /// The skins. After one that is cut off, nothing follows: where a skin starts is known from the one before it.
    pub fn skins(&self) -> impl Iterator<Item = Result<Skin<'a>, Error>> + use<'a> {
        let (fields, size) = (Fields(self.bytes), (self.width, self.height));
        let mut next = Some(HEADER);
        (0..self.skins).map_while(move |_| {
            let at = next.take()?;
            let skin = skin(fields, at, size);
            if let Ok((_, end)) = &skin {
                next = Some(*end);
            }
            Some(skin.map(|(skin, _)| skin))
        })
    }
}

/// A skin, and where the next one starts.
fn skin(fields: Fields<'_>, at: usize, size: (u32, u32)) -> Result<(Skin<'_>, usize), Error> {
    let what = "a skin";
    let (pictures, first) = if fields.u32(what, at)? == 0 {
        (1, at.saturating_add(4))
    } else {
        let pictures = fields.size(what, at.saturating_add(4))?;
        (pictures, at.saturating_add(8).saturating_add(pictures.saturating_mul(4)))
    };
    let picture = Picture::of_size(fields.from(what, first)?.0, size)?;
    Ok((Skin { picture, pictures }, first.saturating_add(picture.pixels.len().saturating_mul(pictures))))
}
