//! An archive format that quakefs does not know, as a layer: the lumps of a Quake WAD2, read-only.
//!
//! `cargo run --example wad_layer`

use std::error::Error;

use quakefs::archive::{Files, Row};
use quakefs::{FileData, SearchPath};

/// A WAD2: `WAD2`, the number of lumps, the offset of the directory; then 32 bytes a lump: offset, size on
/// disk, size, type, compression (never used), two bytes unused, 16 bytes of name. Integers are little-endian
/// (Unofficial Quake Specs 3.4, section 6.1).
struct Wad {
    bytes: FileData,
    lumps: Vec<Lump>,
}

struct Lump {
    name: Vec<u8>,
    start: u64,
    size: u64,
}

const HEADER: usize = 12;
const ROW: usize = 32;

impl Wad {
    /// Reads the directory. Lumps get file names such as `conchars.lmp`.
    fn parse(bytes: FileData) -> Result<Wad, Box<dyn Error>> {
        if bytes.len() < HEADER || !bytes.starts_with(b"WAD2") {
            return Err("not a WAD2".into());
        }
        let (count, start) = (number(&bytes, 4)?, number(&bytes, 8)?);
        let mut lumps = Vec::new();
        for row in 0..count {
            let at = usize::try_from(start + row * ROW as u64)?;
            let row = bytes.get(at..at + ROW).ok_or("the directory ends past the end of the file")?;
            let (start, size) = (number(row, 0)?, number(row, 8)?);
            let name = row[16..].split(|&byte| byte == 0).next().unwrap_or_default();
            lumps.push(Lump { name: [&name.to_ascii_lowercase(), &b".lmp"[..]].concat(), start, size });
        }
        Ok(Wad { bytes, lumps })
    }
}

fn number(bytes: &[u8], at: usize) -> Result<u64, Box<dyn Error>> {
    let bytes = bytes.get(at..at + 4).ok_or("the file is cut short")?;
    Ok(u32::from_le_bytes(bytes.try_into()?).into())
}

impl Files for Wad {
    fn len(&self) -> u32 {
        self.lumps.len().try_into().unwrap_or(u32::MAX)
    }

    fn name(&self, file: u32) -> &[u8] {
        &self.lumps[file as usize].name
    }

    fn row(&self, file: u32) -> Row {
        Row::stored(self.lumps[file as usize].size)
    }

    fn read(&self, file: u32) -> Result<FileData, quakefs::Error> {
        let lump = &self.lumps[file as usize];
        let content = self.bytes.slice(lump.start..lump.start.saturating_add(lump.size));
        content.ok_or_else(|| std::io::Error::other("the lump ends past the end of the file").into())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/game");
    let wad = Wad::parse(sample()?.into())?;
    let quake = SearchPath::builder(game).files("gfx.wad", wad).mount()?;
    for name in ["conchars.lmp", "face1.lmp", "maps/start.bsp", "lost.lmp"] {
        match quake.find(name) {
            Some(file) => println!("{name:15} {:15} {} bytes", file.layer().name(), file.size()),
            None => println!("{name:15} not found"),
        }
    }
    println!("{}", quake.read("lost.lmp").unwrap_err());
    Ok(())
}

/// A WAD2 of three lumps; the last ends past the end of the file.
fn sample() -> Result<Vec<u8>, Box<dyn Error>> {
    let lumps: [(&[u8], u32, &[u8]); 3] =
        [(b"CONCHARS", 5, b"12345"), (b"FACE1", 3, b"678"), (b"LOST", 999, b"")];
    let (mut payloads, mut rows) = (Vec::new(), Vec::new());
    for (name, size, content) in lumps {
        let start = u32::try_from(HEADER + payloads.len())?;
        for field in [start, size, size] {
            rows.extend(field.to_le_bytes());
        }
        rows.extend([0x42, 0, 0, 0]);
        let mut field = name.to_vec();
        field.resize(16, 0);
        rows.extend(field);
        payloads.extend(content);
    }
    let directory = u32::try_from(HEADER + payloads.len())?;
    let count = u32::try_from(lumps.len())?;
    Ok([b"WAD2", &count.to_le_bytes()[..], &directory.to_le_bytes(), &payloads, &rows].concat())
}
