//! `.wad`: WAD2 of Quake, WAD3 of Half-Life.

use std::ops::Range;

use crate::Error;
use crate::fields::{Fields, name};
use crate::mip_texture::{MipTexture, WadVersion};

/// A texture archive. Borrows from the bytes.
///
/// Sources: Unofficial Quake Specs 3.4; `wadlib.h` of Quake's and Half-Life's tools.
#[derive(Clone, Copy, Debug)]
pub struct Wad<'a> {
    /// The file, or only its header.
    bytes: &'a [u8],
    version: WadVersion,
    rows: &'a [[u8; ROW]],
}

const ROW: usize = 32;
const PALETTE: usize = 256 * 3;

/// A row of the directory.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct WadEntry<'a> {
    /// The name, up to its NUL.
    pub name: &'a [u8],
    /// The kind of entry.
    pub kind: WadKind,
    /// Whether it is compressed. No known tool supports that.
    pub is_compressed: bool,
    /// The offset of its bytes.
    pub offset: usize,
    /// The number of its bytes in the file.
    pub length: usize,
    wad: Wad<'a>,
}

/// The kind of a WAD entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WadKind {
    /// 256 colours.
    Palette,
    /// A mip texture under the number of a palette, as Half-Life stores the spray in `tempdecal.wad`. What a
    /// WAD3 holds under that number and is larger than a palette.
    Decal,
    /// A picture with a size header, as in the status bar.
    Picture,
    /// A mip texture.
    Texture,
    /// A picture without mip levels, or the console font.
    Raw,
    /// A font of Half-Life.
    Font,
    /// Another number.
    Other(u8),
}

impl WadKind {
    /// Its type number in a WAD of this version.
    #[must_use]
    pub const fn number(self, version: WadVersion) -> u8 {
        match self {
            WadKind::Palette | WadKind::Decal => 0x40,
            WadKind::Picture => 0x42,
            WadKind::Texture if matches!(version, WadVersion::Wad3) => 0x43,
            WadKind::Texture => 0x44,
            WadKind::Raw => 0x45,
            WadKind::Font => 0x46,
            WadKind::Other(number) => number,
        }
    }
}

impl<'a> Wad<'a> {
    /// The size of the header.
    pub const HEADER: usize = 12;

    /// Reads the header and locates the directory.
    ///
    /// # Errors
    /// The bytes are not a WAD, or the directory is outside them.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let (version, range) = header(bytes)?;
        let directory = Fields(bytes).bytes("the directory", range.start, range.len())?;
        Ok(Wad { bytes, version, rows: directory.as_chunks().0 })
    }

    /// The range of the directory, from the header; for [`from_parts`](Self::from_parts).
    ///
    /// # Errors
    /// The bytes are not the header of a WAD.
    pub fn directory_range(header: &[u8]) -> Result<Range<usize>, Error> {
        self::header(header).map(|(_, range)| range)
    }

    /// Creates a WAD from only its header and directory, for a file that is read by position. Its entries
    /// have no bytes.
    ///
    /// # Errors
    /// The first bytes are not the header of a WAD.
    pub fn from_parts(header: &'a [u8], directory: &'a [u8]) -> Result<Self, Error> {
        let (version, _) = self::header(header)?;
        Ok(Wad { bytes: header, version, rows: directory.as_chunks().0 })
    }

    /// The version.
    #[must_use]
    pub fn version(&self) -> WadVersion {
        self.version
    }

    /// Its entries, in the order of the directory.
    #[must_use]
    pub fn entries(&self) -> impl ExactSizeIterator<Item = WadEntry<'a>> + use<'a> {
        let wad = *self;
        self.rows.iter().map(move |row| {
            let at = |offset| Fields(row).size("a row", offset).unwrap_or_default();
            let [.., kind, compression, _, _] = row.first_chunk::<16>().copied().unwrap_or_default();
            let length = at(4);
            let kind = match kind {
                // Xash3D writes a spray of one colour so (`Image_SaveWAD` of img_wad.c, 633203e1)
                0x40 if wad.version == WadVersion::Wad3 && length > PALETTE => WadKind::Decal,
                0x40 => WadKind::Palette,
                0x42 => WadKind::Picture,
                0x43 if wad.version == WadVersion::Wad3 => WadKind::Texture,
                0x44 if wad.version == WadVersion::Wad2 => WadKind::Texture,
                0x45 => WadKind::Raw,
                0x46 if wad.version == WadVersion::Wad3 => WadKind::Font,
                other => WadKind::Other(other),
            };
            WadEntry {
                name: name(row.get(16..).unwrap_or_default()),
                kind,
                is_compressed: compression != 0,
                offset: at(0),
                length,
                wad,
            }
        })
    }
}

/// The version and the range of the directory.
fn header(bytes: &[u8]) -> Result<(WadVersion, Range<usize>), Error> {
    let version = match bytes.first_chunk() {
        Some(b"WAD2") => WadVersion::Wad2,
        Some(b"WAD3") => WadVersion::Wad3,
        _ => return Err(Error::format("WAD2 or WAD3", bytes)),
    };
    let fields = Fields(bytes);
    let count = fields.size("the number of rows", 4)?;
    let start = fields.size("the offset of the directory", 8)?;
    Ok((version, start..start.saturating_add(count.saturating_mul(ROW))))
}

impl<'a> WadEntry<'a> {
    /// The stored bytes.
    ///
    /// # Errors
    /// The bytes are outside the file.
    pub fn bytes(&self) -> Result<&'a [u8], Error> {
        Fields(self.wad.bytes).bytes("an entry", self.offset, self.length)
    }

    /// Reads the texture.
    ///
    /// # Errors
    /// The bytes are outside the file, or the header is truncated.
    pub fn texture(&self) -> Result<MipTexture<'a>, Error> {
        MipTexture::parse(self.bytes()?, self.wad.version == WadVersion::Wad3)
    }
}
