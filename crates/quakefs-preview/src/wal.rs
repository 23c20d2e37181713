//! `.wal`: a texture of Quake II.

use quake_content::picture::Wal;

use crate::{Error, Options, Picture};

pub(crate) fn read(bytes: &[u8], options: &Options<'_>) -> Result<Picture, Error> {
    let wal = Wal::parse(bytes)?;
    Picture::indexed(wal.name.to_vec(), wal.picture()?, None, options)
}
