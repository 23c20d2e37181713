//! WADs: converts their entries to files that people can edit, and files to entries.
//!
//! ```text
//!   texture   <->  +0brick.png       the first letter * of water and other liquids is # in a file name, as
//!                                    engines look for pictures that replace such textures
//!   picture   <->  num_0.pic.png     what the status bar has
//!   the rest  <->  palette.lmp       bytes as they are; a file .mip is a texture with its copies
//!   any       <->  font0.0x46.lmp    the number of the kind, if the file would become another one without it
//! ```
//!
//! A PNG also has the stored entry in a chunk, so that an unchanged picture becomes the same bytes again.

mod decoded;
mod error;
mod lump;
mod pictures;
mod plain;

use quake_content::picture::Picture;
use quake_content::{MipTexture, Palette, Wad, WadKind, WadVersion};
use quakefs::archive::{ArchiveEntry, ArchiveKind, Files};
use quakefs::pak_format::Builder;
use quakefs::{Archive, Error, ErrorKind, File, FileData};

pub use self::error::LumpError;
pub use self::lump::{Lump, MissingColours};
use self::pictures::Pictures;
use self::plain::Plain;

/// An empty archive of this version.
#[must_use]
pub fn wad_builder<'a>(version: WadVersion) -> Builder<'a> {
    if version == WadVersion::Wad3 { Builder::wad3() } else { Builder::wad2() }
}

/// The entries of a WAD, or the textures inside a level.
#[derive(Clone, Debug)]
pub struct WadContents {
    archive: Archive,
    version: WadVersion,
    kinds: Vec<WadKind>,
    is_level: bool,
}

impl WadContents {
    /// `None` for an archive that is neither a WAD nor a level.
    #[must_use]
    pub fn of(archive: &Archive) -> Option<WadContents> {
        if archive.kind() != ArchiveKind::Wad {
            return None;
        }
        let magic = archive.bytes(0..4).ok()?;
        let is_level = !magic.starts_with(b"WAD");
        let (version, kinds) = if is_level {
            // textures in Half-Life's BSP30 have palettes, textures in Quake's levels do not
            let version = if magic.first() == Some(&30) { WadVersion::Wad3 } else { WadVersion::Wad2 };
            (version, vec![WadKind::Texture; archive.entries().len()])
        } else {
            let bytes = archive.bytes(0..archive.size()).ok()?;
            let wad = Wad::parse(&bytes).ok()?;
            (wad.version(), wad.entries().map(|entry| entry.kind).collect())
        };
        Some(WadContents { archive: archive.clone(), version, kinds, is_level })
    }

    /// The version of its textures.
    #[must_use]
    pub fn version(&self) -> WadVersion {
        self.version
    }

    /// Whether this is a level.
    #[must_use]
    pub fn is_level(&self) -> bool {
        self.is_level
    }

    /// The kind of an entry.
    #[must_use]
    pub fn kind(&self, entry: usize) -> Option<WadKind> {
        self.kinds.get(entry).copied()
    }

    /// The palette in the WAD. Some WADs of Quake have one.
    fn palette(&self) -> Option<Result<Palette, Error>> {
        let row = self.kinds.iter().position(|kind| *kind == WadKind::Palette)?;
        let read = self.archive.read(row).map(|bytes| Palette::from_lump(&bytes)).transpose()?;
        Some(read.map_err(|error| {
            std::io::Error::other(format!("the PALETTE of its WAD cannot be read: {}", error.reason())).into()
        }))
    }

    /// The entries as editable files: textures and pictures become PNG, in the same order. They are converted
    /// on demand.
    ///
    /// The palette is the first of these that exists: the texture's, `palette`, the WAD's, Quake's. If the
    /// WAD's cannot be read, its pictures cannot be read either.
    #[must_use]
    pub fn as_pictures(&self, palette: Option<&Palette>) -> Archive {
        let palette = palette.cloned().map(Ok).or_else(|| self.palette());
        let palette = palette.unwrap_or_else(|| Ok(Palette::quake()));
        Pictures::new(self.clone(), palette).into()
    }

    /// Converts an entry to another version; an entry of the same version is copied.
    ///
    /// # Errors
    /// The entry cannot be read or converted.
    pub fn lump(&self, entry: usize, version: WadVersion, palette: &Palette) -> Result<Lump, LumpError> {
        let stored = self.archive.read(entry)?;
        let name =
            self.archive.entry(entry).map(|entry| entry.name().as_bytes().to_vec()).unwrap_or_default();
        let kind = self.kind(entry).unwrap_or(WadKind::Raw);
        let as_stored =
            |name| Lump { name, kind: kind.number(version), bytes: stored.to_vec(), missing_colours: None };
        let has_palette = self.version == WadVersion::Wad3;
        if version == self.version || stored.len() == pictures::FONT_BYTES {
            return Ok(as_stored(name));
        }
        match kind {
            WadKind::Texture | WadKind::Decal => {
                let texture = MipTexture::parse(&stored, has_palette).map_err(LumpError::Content)?;
                let own = texture.palette().map(Palette::of_colours);
                let picture = texture.picture(0).transpose().map_err(LumpError::Content)?;
                let picture = picture.ok_or(LumpError::NoPixels)?;
                let has_holes = name.starts_with(b"{");
                let decoded = decoded::Decoded::of(picture, own.as_ref().unwrap_or(palette), has_holes);
                lump::texture(name, &decoded, version, palette)
            }
            WadKind::Picture => {
                let picture = Picture::with_size(&stored).map_err(LumpError::Content)?;
                let own = has_palette.then(|| pictures::own_palette(&stored, picture)).flatten();
                let decoded = decoded::Decoded::of(picture, own.as_ref().unwrap_or(palette), true);
                lump::picture(name, &decoded, version, palette)
            }
            _ => Ok(as_stored(name)),
        }
    }
}

/// The archive for comparisons. In a WAD or a level, textures get a normal form, so that textures with equal
/// pixels have equal bytes.
pub(crate) fn compared(archive: Archive) -> Archive {
    WadContents::of(&archive).map_or(archive, |contents| Plain::new(contents).into())
}

/// Converts files of any archives to entries of a WAD. Entries of WADs and textures of levels are copied,
/// others go through [`Lump::of_file`].
#[must_use]
pub fn lumps(
    files: &[File<'static>],
    version: WadVersion,
    palette: &Palette,
) -> Vec<Result<Lump, LumpError>> {
    let mut known: Vec<(String, Option<WadContents>)> = Vec::new();
    let mut lump = |file: &File<'_>| {
        if let (Some(archive), Some(entry)) = (file.layer().archive(), file.entry()) {
            let place = file.location().layer_name().to_owned();
            if !known.iter().any(|(name, _)| *name == place) {
                known.push((place.clone(), WadContents::of(archive)));
            }
            if let Some((_, Some(contents))) = known.iter().find(|(name, _)| *name == place) {
                return contents.lump(entry, version, palette);
            }
        }
        Lump::of_file(file.name().as_bytes(), &file.read()?, version, palette)
    };
    files.iter().map(&mut lump).collect()
}

/// The bytes of a renamed entry. If a texture contains the old name, it is replaced too.
pub(crate) fn renamed(entry: &ArchiveEntry<'_>, name: &[u8]) -> Result<Vec<u8>, Error> {
    let mut bytes = entry.read()?.to_vec();
    let is_named = MipTexture::parse(&bytes, false)
        .is_ok_and(|texture| texture.name.eq_ignore_ascii_case(entry.name().as_bytes()));
    if is_named {
        put_name(&mut bytes, name);
    }
    Ok(bytes)
}

/// Writes the name into the first 16 bytes of a texture. The last of them is NUL.
fn put_name(texture: &mut [u8], name: &[u8]) {
    let bytes = name.iter().copied().take(15).chain(std::iter::repeat(0));
    for (place, byte) in texture.iter_mut().take(16).zip(bytes) {
        *place = byte;
    }
}

fn content(error: quake_content::Error) -> Error {
    ErrorKind::Directory(error).into()
}
