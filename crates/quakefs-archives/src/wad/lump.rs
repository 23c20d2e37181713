//! Converts files to entries of a WAD.

use std::collections::{HashMap, HashSet};

use quake_content::picture::Picture;
use quake_content::{FIRST_BRIGHT, HOLE};
use quake_content::{MipTexture, Palette};
use quake_content::{Wad, WadKind};

use super::decoded::{Decoded, entry_in_png};
use super::error::LumpError;
use super::pictures::{self, FileForm, LIQUID, LIQUID_ON_DISK, kind_of_lump, on_disk, without_number};
use super::{WadVersion, put_name};

/// An entry of a WAD.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lump {
    /// Its name.
    pub name: Vec<u8>,
    /// The number of its kind.
    pub kind: u8,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Colours of the file that are missing from the palette.
    pub missing_colours: Option<MissingColours>,
}

/// Colours missing from a palette. Each became the nearest colour that is not fullbright.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MissingColours {
    /// How many colours.
    pub colours: usize,
    /// How many pixels have one of them.
    pub pixels: usize,
    /// How many pixels there are.
    pub of: usize,
}

impl Lump {
    /// Converts a file to an entry. The entry has the file's name without folders and extension.
    ///
    /// A PNG becomes a texture, with the smaller copies that [`MipTexture::encode`] makes. A `.pic.png`
    /// becomes a picture. In a WAD2, a colour that is missing from the palette becomes the nearest colour
    /// that is not fullbright, and [`missing_colours`](Self::missing_colours) counts such colours. A PNG with
    /// the same palette keeps its pixels. A WAD3 keeps the colours of the PNG. Transparent pixels become
    /// holes in a picture, and in a texture whose name begins with `{`.
    ///
    /// An unchanged PNG of [`WadContents::as_pictures`](crate::WadContents::as_pictures) gives the same bytes
    /// again. The number of a kind may be before the extension: `font0.0x46.lmp` is the font `font0`
    /// of Half-Life.
    ///
    /// ```
    /// use quake_content::{Palette, WadVersion};
    /// use quakefs_archives::Lump;
    /// let lump = Lump::of_file(b"gfx/palette.lmp", &[0; 768], WadVersion::Wad2, &Palette::quake())?;
    /// assert_eq!((&*lump.name, lump.kind), (&b"palette"[..], 0x40));
    /// # Ok::<(), quakefs_archives::LumpError>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be an entry of a WAD, or a side of a texture is not a multiple of 16.
    pub fn of_file(
        path: &[u8],
        bytes: &[u8],
        version: WadVersion,
        palette: &Palette,
    ) -> Result<Lump, LumpError> {
        let file_name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        let without = |extension: &str| {
            let (stem, end) = file_name.split_at_checked(file_name.len().checked_sub(extension.len())?)?;
            (!stem.is_empty() && end.eq_ignore_ascii_case(extension.as_bytes())).then_some(stem)
        };
        let found = FileForm::ALL.into_iter().find_map(|form| Some((form, without(form.extension())?)));
        let Some((form, stem)) = found else {
            return of_mip(without(".mip").unwrap_or(file_name), bytes, version);
        };
        let (stem, number) = without_number(stem);
        let name = named(stem);
        let mut lump = match form {
            FileForm::Picture => picture(name, &Decoded::of_png(bytes)?, version, palette)?,
            FileForm::Texture => texture(name, &Decoded::of_png(bytes)?, version, palette)?,
            FileForm::Stored => as_stored(name, kind_of_lump(bytes), bytes, version),
        };
        lump.kind = number.unwrap_or(lump.kind);
        Ok(lump)
    }

    /// The version of the WAD that a file was extracted from, if the file tells.
    #[must_use]
    pub fn version_of_file(path: &[u8], bytes: &[u8]) -> Option<WadVersion> {
        const FONT: &[u8] = b".0x46.lmp";
        if let Some(wad) = entry_in_png(bytes) {
            return Wad::parse(wad).ok().map(|wad| wad.version());
        }
        let end = path.get(path.len().checked_sub(FONT.len())?..)?;
        end.eq_ignore_ascii_case(FONT).then_some(WadVersion::Wad3)
    }
}

fn as_stored(name: Vec<u8>, kind: WadKind, bytes: &[u8], version: WadVersion) -> Lump {
    Lump { name, kind: kind.number(version), bytes: bytes.to_vec(), missing_colours: None }
}

/// A texture in the format of WADs.
fn of_mip(stem: &[u8], bytes: &[u8], version: WadVersion) -> Result<Lump, LumpError> {
    let parsed = MipTexture::parse(bytes, version == WadVersion::Wad3);
    match parsed.map(|texture| (texture.picture(0), texture.picture(3), texture.palette())) {
        Ok((Some(Ok(_)), Some(Ok(_)), own)) if own.is_some() || version == WadVersion::Wad2 => {
            let mut lump = as_stored(named(stem), WadKind::Texture, bytes, version);
            put_name(&mut lump.bytes, &lump.name);
            Ok(lump)
        }
        _ => Err(LumpError::Unknown),
    }
}

fn named(stem: &[u8]) -> Vec<u8> {
    let mut name = stem.to_vec();
    if let Some(first @ &mut LIQUID_ON_DISK) = name.first_mut() {
        *first = LIQUID;
    }
    name
}

/// A texture of these pixels.
pub(super) fn texture(
    name: Vec<u8>,
    decoded: &Decoded,
    version: WadVersion,
    palette: &Palette,
) -> Result<Lump, LumpError> {
    let fitted = Fitted::of(decoded, version, palette, name.starts_with(b"{"))?;
    if let Some(kept) = kept(decoded, &name, version, |bytes| fitted.is_texture(bytes, version)) {
        return Ok(kept);
    }
    let picture = fitted.picture()?;
    let bytes = MipTexture::encode(&name, picture, &fitted.palette, version);
    let bytes = bytes.map_err(LumpError::Content)?;
    Ok(Lump { name, kind: WadKind::Texture.number(version), bytes, missing_colours: fitted.missing_colours })
}

pub(super) fn picture(
    name: Vec<u8>,
    decoded: &Decoded,
    version: WadVersion,
    palette: &Palette,
) -> Result<Lump, LumpError> {
    let fitted = Fitted::of(decoded, version, palette, true)?;
    if let Some(kept) = kept(decoded, &name, version, |bytes| fitted.is_picture(bytes, version)) {
        return Ok(kept);
    }
    let mut bytes = [decoded.width.to_le_bytes(), decoded.height.to_le_bytes()].concat();
    bytes.extend(&fitted.indices);
    if version == WadVersion::Wad3 {
        bytes.extend(256_u16.to_le_bytes());
        bytes.extend(fitted.palette.colours().as_flattened());
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    Ok(Lump { name, kind: WadKind::Picture.number(version), bytes, missing_colours: fitted.missing_colours })
}

/// The entry that a PNG was made of, if the PNG still shows it: with its smaller copies, and its bytes of no
/// meaning.
fn kept(
    decoded: &Decoded,
    name: &[u8],
    version: WadVersion,
    is_shown: impl Fn(&[u8]) -> bool,
) -> Option<Lump> {
    let wad = Wad::parse(decoded.entry.as_deref()?).ok().filter(|wad| wad.version() == version)?;
    let entry = wad.entries().next()?;
    let bytes = entry.bytes().ok().filter(|bytes| is_shown(bytes))?;
    if on_disk(entry.name) == on_disk(name) {
        return Some(as_stored(entry.name.to_vec(), entry.kind, bytes, version));
    }
    let mut lump = as_stored(name.to_vec(), entry.kind, bytes, version);
    if entry.kind != WadKind::Picture {
        put_name(&mut lump.bytes, name);
    }
    Some(lump)
}

/// Pixels in a palette.
struct Fitted {
    size: (u32, u32),
    indices: Vec<u8>,
    palette: Palette,
    missing_colours: Option<MissingColours>,
}

impl Fitted {
    fn of(
        decoded: &Decoded,
        version: WadVersion,
        palette: &Palette,
        has_holes: bool,
    ) -> Result<Fitted, LumpError> {
        let holes = Holes::of(decoded, version, has_holes);
        let table: Vec<[u8; 3]> =
            decoded.colours.iter().map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
        let palette = match version {
            WadVersion::Wad3 => own_palette(decoded, &table, &holes)?,
            _ => palette.clone(),
        };
        let is_same = decoded.is_indexed && palette.colours().starts_with(&table);
        let mut places = PaletteIndex { palette: &palette, version, has_holes, exact: HashMap::new() };
        let mut new = Vec::with_capacity(table.len());
        for (number, (colour, whole)) in table.iter().zip(&decoded.colours).enumerate() {
            new.push(if holes.has(number, whole) {
                (HOLE, true)
            } else if is_same {
                (u8::try_from(number).unwrap_or(HOLE), true)
            } else {
                places.of(*colour)
            });
        }
        let mut counts = vec![0_usize; new.len()];
        let mut indices = Vec::with_capacity(decoded.pixels.len());
        for number in &decoded.pixels {
            // an index without a colour is black, as in other PNG readers
            let (index, _) = new.get(*number as usize).copied().unwrap_or_default();
            indices.push(index);
            if let Some(count) = counts.get_mut(*number as usize) {
                *count += 1;
            }
        }
        let others = || new.iter().zip(&counts).filter(|((_, exact), count)| !exact && **count > 0);
        let missing_colours = (others().count() > 0).then(|| MissingColours {
            colours: others().count(),
            pixels: others().map(|(_, count)| count).sum(),
            of: indices.len(),
        });
        Ok(Fitted { size: (decoded.width, decoded.height), indices, palette, missing_colours })
    }

    fn is_texture(&self, bytes: &[u8], version: WadVersion) -> bool {
        let Ok(texture) = MipTexture::parse(bytes, version == WadVersion::Wad3) else { return false };
        let is_same = texture.picture(0).is_some_and(|found| found.is_ok_and(|found| self.shows(found)));
        is_same && texture.palette().is_none_or(|own| Palette::of_colours(own) == self.palette)
    }

    fn is_picture(&self, bytes: &[u8], version: WadVersion) -> bool {
        let Ok(picture) = Picture::with_size(bytes) else { return false };
        let own = (version == WadVersion::Wad3).then(|| pictures::own_palette(bytes, picture)).flatten();
        self.shows(picture) && own.is_none_or(|own| own == self.palette)
    }

    fn shows(&self, picture: Picture<'_>) -> bool {
        (picture.width, picture.height) == self.size && picture.pixels == self.indices
    }

    fn picture(&self) -> Result<Picture<'_>, LumpError> {
        Picture::of_size(&self.indices, self.size).map_err(LumpError::Content)
    }
}

/// The colour that Half-Life's tools use for holes.
const BLUE: [u8; 3] = [0, 0, 255];

/// Which colours of a picture are holes: the transparent ones. If no colour is transparent, in Half-Life's
/// textures it is the last of 256, as its tools write it, or else blue.
struct Holes {
    any: bool,
    last: bool,
    blue: bool,
}

impl Holes {
    fn of(decoded: &Decoded, version: WadVersion, any: bool) -> Holes {
        let is_transparent = decoded.colours.iter().any(|[.., opacity]| *opacity < 128);
        let last = any && version == WadVersion::Wad3 && decoded.is_indexed && !is_transparent;
        Holes { any, last, blue: last && decoded.colours.len() <= usize::from(HOLE) }
    }

    fn has(&self, number: usize, [red, green, blue, opacity]: &[u8; 4]) -> bool {
        self.any && *opacity < 128
            || self.last && number == usize::from(HOLE)
            || self.blue && [*red, *green, *blue] == BLUE
    }
}

/// A palette of the colours in a picture, with room for the transparent colour.
fn own_palette(decoded: &Decoded, table: &[[u8; 3]], holes: &Holes) -> Result<Palette, LumpError> {
    let most = if holes.any { usize::from(HOLE) } else { 256 };
    let in_place = |(number, colour): (usize, &[u8; 4])| {
        holes.has(number, colour) == (holes.any && number == usize::from(HOLE))
    };
    if decoded.is_indexed && table.len() <= 256 && decoded.colours.iter().enumerate().all(in_place) {
        return Ok(Palette::of_colours(table));
    }
    let mut seen = HashSet::new();
    let solid = decoded.colours.iter().enumerate().filter(|(number, colour)| !holes.has(*number, colour));
    let solid = solid.map(|(_, [red, green, blue, _])| [*red, *green, *blue]);
    let mut solid: Vec<[u8; 3]> = solid.filter(|colour| seen.insert(*colour)).collect();
    if solid.len() > most {
        return Err(LumpError::TooManyColours { found: solid.len(), most });
    }
    if holes.any {
        solid.resize(usize::from(HOLE), [0; 3]);
        solid.push(BLUE);
    }
    Ok(Palette::of_colours(&solid))
}

/// Finds colours in a palette.
struct PaletteIndex<'p> {
    palette: &'p Palette,
    version: WadVersion,
    has_holes: bool,
    exact: HashMap<[u8; 3], u8>,
}

impl PaletteIndex<'_> {
    /// The index of a colour or of the nearest one, and whether it is exact.
    fn of(&mut self, colour: [u8; 3]) -> (u8, bool) {
        let last = if self.has_holes { HOLE - 1 } else { HOLE };
        if self.exact.is_empty() {
            // of equal colours the first counts, because it is not fullbright
            for index in (0..=last).rev() {
                self.exact.insert(self.palette.colour(index), index);
            }
        }
        let near = match self.version {
            WadVersion::Wad3 => 0..=last,
            _ => 0..=FIRST_BRIGHT - 1,
        };
        match self.exact.get(&colour) {
            Some(index) => (*index, true),
            None => (self.palette.nearest(colour, near), false),
        }
    }
}
