//! `.wal`: a texture of Quake II.

use crate::fields::{Fields, name};
use crate::{Error, Options, Picture};

pub(crate) fn read(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    let fields = Fields(bytes);
    let name = name(fields.bytes("the name of the texture", 0, 32)?);
    let size = (fields.u32("the width", 32)?, fields.u32("the height", 36)?);
    let pixels = fields.from("the pixels", fields.size("the offset of the pixels", 40)?)?.0;
    Picture::indexed(name, size, pixels, None, options)
}
