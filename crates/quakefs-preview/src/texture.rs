//! Mip textures from levels and WADs.

use quake_content::MipTexture;

use crate::{Error, Options, Palette, Picture};

/// Returns `None` for a texture whose pixels are in another file.
pub(crate) fn show(texture: &MipTexture<'_>, options: &Options<'_>) -> Result<Option<Picture>, Error> {
    let Some(picture) = texture.picture(0) else { return Ok(None) };
    let own = texture.palette().map(Palette::of_colours);
    let options = own.as_ref().map_or(*options, |palette| options.palette(palette));
    Picture::indexed(texture.name.to_vec(), picture?, texture.hole(), &options).map(Some)
}
