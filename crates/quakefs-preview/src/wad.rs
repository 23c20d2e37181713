//! `.wad`: WAD2 of Quake, WAD3 of Half-Life.

use quake_content::Wad;
use quake_content::{WadEntry, WadKind};

use crate::{Error, Options, Picture, Pictures, lump, texture};

pub(crate) fn read(bytes: &[u8], options: &Options<'_>) -> Result<Pictures, Error> {
    let wad = Wad::parse(bytes)?;
    let entries = || wad.entries().filter(holds_picture);
    let pictures = entries().map(|entry| picture(&entry, options));
    Pictures::first(options.pictures, entries().count(), pictures)
}

fn holds_picture(entry: &WadEntry<'_>) -> bool {
    let kinds = [WadKind::Texture, WadKind::Decal, WadKind::Picture, WadKind::Raw];
    !entry.is_compressed && kinds.contains(&entry.kind)
}

fn picture(entry: &WadEntry<'_>, options: &Options<'_>) -> Result<Option<Picture>, Error> {
    let (name, bytes) = (entry.name.to_vec(), entry.bytes()?);
    match entry.kind {
        WadKind::Texture => match lump::characters(name, bytes, options) {
            // the console font is marked as a texture
            Some(font) => font.map(Some),
            None => texture::show(&entry.texture()?, options),
        },
        WadKind::Decal => texture::show(&entry.texture()?, options),
        _ => lump::with_size(name, bytes, options).map(Some),
    }
}
