//! Entries of a WAD in a normal form for comparisons.

use std::sync::OnceLock;

use pak_format::verify::DecodeBudget;
use quake_content::MipTexture;
use quake_content::WadKind;
use quakefs::archive::{ArchiveEntry, Row};

use super::{Error, FileData, Files, WadContents, WadVersion};

/// Textures in a normal form: names in lower case and without bytes after the NUL, no gaps between the
/// copies, no bytes after the last copy. Two textures of the same name have equal bytes if their pixels and
/// colours are equal.
pub(super) struct Plain {
    contents: WadContents,
    /// The size of each texture in its normal form, which is known when it was read.
    sizes: Vec<OnceLock<u64>>,
    /// The first texture that keeps its form: entries may share bytes, and all together are too many to read.
    over: usize,
}

impl Plain {
    pub(super) fn new(contents: WadContents) -> Plain {
        let mut budget = DecodeBudget::for_archive(contents.archive.size());
        let over = contents.archive.entries().position(|entry| !budget.take(entry.size()));
        let sizes: Vec<_> = contents.archive.entries().map(|_| OnceLock::new()).collect();
        Plain { over: over.unwrap_or(sizes.len()), sizes, contents }
    }

    fn entry(&self, file: u32) -> Option<ArchiveEntry<'_>> {
        self.contents.archive.entry(file as usize)
    }

    fn is_texture(&self, file: u32) -> bool {
        (file as usize) < self.over && self.contents.kind(file as usize) == Some(WadKind::Texture)
    }
}

fn laid_out(name: &[u8], bytes: &[u8], has_palette: bool) -> Option<Vec<u8>> {
    let texture = MipTexture::parse(bytes, has_palette).ok()?;
    let copies: Option<Vec<_>> = (0..4).map(|copy| texture.picture(copy)?.ok()).collect();
    let mut plain = name.to_ascii_lowercase();
    plain.resize(16, 0);
    plain.extend(texture.width.to_le_bytes());
    plain.extend(texture.height.to_le_bytes());
    let mut offset = 40;
    for copy in copies.iter().flatten() {
        plain.extend(u32::try_from(offset).ok()?.to_le_bytes());
        offset += copy.pixels.len();
    }
    copies.iter().flatten().for_each(|copy| plain.extend(copy.pixels));
    if let Some(colours) = texture.palette() {
        plain.extend(u16::try_from(colours.len()).ok()?.to_le_bytes());
        plain.extend(colours.as_flattened());
    }
    Some(plain)
}

impl Files for Plain {
    fn len(&self) -> u32 {
        u32::try_from(self.contents.archive.entries().len()).unwrap_or(u32::MAX)
    }

    fn name(&self, file: u32) -> &[u8] {
        self.entry(file).map_or(&[], |entry| entry.name().as_bytes())
    }

    fn row(&self, file: u32) -> Row {
        let stored = || self.entry(file).map_or(0, |entry| entry.size());
        let read = || self.read(file).map_or(0, |bytes| bytes.len() as u64);
        let size = self.sizes.get(file as usize).filter(|_| self.is_texture(file));
        Row::stored(size.map_or_else(stored, |size| *size.get_or_init(read)))
    }

    fn read(&self, file: u32) -> Result<FileData, Error> {
        let bytes = self.contents.archive.read(file as usize)?;
        let has_palette = self.contents.version == WadVersion::Wad3;
        let plain = self.is_texture(file).then(|| laid_out(self.name(file), &bytes, has_palette));
        Ok(plain.flatten().map_or(bytes, FileData::from))
    }

    fn check(&self, file: u32) -> Result<(), Error> {
        self.entry(file).map_or(Ok(()), |entry| entry.check())
    }

    fn size(&self) -> u64 {
        self.contents.archive.size()
    }
}
