//! A texture with its smaller copies, as levels and WADs hold it.

use quake_content::MipTexture;

use crate::{Error, Options, Palette, Picture};

/// `None` for a texture whose pixels are in another file.
pub(crate) fn show(texture: &MipTexture<'_>, options: &Options<'_>) -> Result<Option<Picture>, Error> {
    let Some(picture) = texture.picture(0) else { return Ok(None) };
    let own = texture.palette().map(Palette::of_colours);
    let options = own.as_ref().map_or(*options, |palette| options.palette(palette));
    // a name that begins so has holes, in Half-Life and in engines after Quake
    let transparent = texture.name.starts_with(b"{").then_some(255);
    Picture::indexed(texture.name.to_vec(), picture?, transparent, &options).map(Some)
}
