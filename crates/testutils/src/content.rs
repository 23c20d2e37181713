//! Small files of the kinds that games hold: pictures, textures, levels, models, sounds.

/// 256 colours: the index in red, its double in green, the rest to 255 in blue.
#[must_use]
pub fn palette() -> Vec<u8> {
    (0..=u8::MAX).flat_map(|index| [index, index.wrapping_mul(2), 255 - index]).collect()
}

/// Pixels that count up from 0, without the index 255.
#[must_use]
pub fn pixels(width: u32, height: u32) -> Vec<u8> {
    (0..width * height).map(|number| u8::try_from(number % 255).unwrap()).collect()
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn number(size: usize) -> u32 {
    u32::try_from(size).unwrap()
}

/// A `.lmp` of one picture.
#[must_use]
pub fn lump(width: u32, height: u32) -> Vec<u8> {
    [words(&[width, height]), pixels(width, height)].concat()
}

/// A texture with its four copies. `colours` is the palette of one of Half-Life.
#[must_use]
pub fn texture(name: &str, width: u32, height: u32, colours: Option<&[u8]>) -> Vec<u8> {
    let mut texture = name.as_bytes().to_vec();
    texture.resize(16, 0);
    let copies: Vec<_> = (0..4).map(|level| pixels(width >> level, height >> level)).collect();
    let mut next = 40;
    let mut sizes = vec![width, height];
    for copy in &copies {
        sizes.push(next);
        next += number(copy.len());
    }
    texture.extend(words(&sizes));
    texture.extend(copies.concat());
    if let Some(colours) = colours {
        texture.extend(u16::try_from(colours.len() / 3).unwrap().to_le_bytes());
        texture.extend(colours);
    }
    texture
}

/// A `.wad` of entries, each with its name and its type.
#[must_use]
pub fn wad(magic: &[u8; 4], entries: &[(&str, u8, Vec<u8>)]) -> Vec<u8> {
    let mut wad = [&magic[..], &words(&[number(entries.len()), 0])].concat();
    let mut rows = Vec::new();
    for (name, kind, content) in entries {
        let size = number(content.len());
        rows.extend(words(&[number(wad.len()), size, size]));
        rows.extend([*kind, 0, 0, 0]);
        rows.extend(name.as_bytes());
        rows.resize(rows.len().next_multiple_of(32), 0);
        wad.extend(content);
    }
    let directory = number(wad.len());
    wad[8..12].copy_from_slice(&directory.to_le_bytes());
    wad.extend(rows);
    wad
}

/// A `.bsp` of entities and textures alone. `version` is its first four bytes.
#[must_use]
pub fn level(version: [u8; 4], entities: &str, textures: &[Vec<u8>]) -> Vec<u8> {
    let mut lump = words(&[number(textures.len())]);
    let mut next = 4 + 4 * textures.len();
    for texture in textures {
        lump.extend(number(next).to_le_bytes());
        next += texture.len();
    }
    lump.extend(textures.concat());
    let header = 4 + 15 * 8;
    let mut rows = vec![number(header), number(entities.len()), 0, 0];
    rows.extend([number(header + entities.len()), number(lump.len())]);
    rows.resize(30, 0);
    [&version[..], &words(&rows), entities.as_bytes(), &lump].concat()
}

/// A `.mdl` of skins alone.
#[must_use]
pub fn model(width: u32, height: u32, skins: u32) -> Vec<u8> {
    let mut model = b"IDPO\x06\0\0\0".to_vec();
    model.resize(48, 0);
    model.extend(words(&[skins, width, height]));
    model.resize(84, 0);
    for _ in 0..skins {
        model.extend(words(&[0]));
        model.extend(pixels(width, height));
    }
    model
}

/// A `.wal` of Quake II.
#[must_use]
pub fn wal(width: u32, height: u32) -> Vec<u8> {
    let mut wal = b"e1u1/floor".to_vec();
    wal.resize(32, 0);
    wal.extend(words(&[width, height, 100, 100, 100, 100]));
    wal.resize(100, 0);
    wal.extend(pixels(width, height));
    wal
}

/// A `.pcx` of 256 colours, with its palette at the end.
#[must_use]
pub fn pcx(width: u16, height: u16, colours: &[u8]) -> Vec<u8> {
    let mut pcx = vec![10, 5, 1, 8];
    pcx.extend([0, 0, width - 1, height - 1].into_iter().flat_map(u16::to_le_bytes));
    pcx.resize(65, 0);
    pcx.push(1);
    pcx.extend(width.next_multiple_of(2).to_le_bytes());
    pcx.resize(128, 0);
    for row in pixels(width.into(), height.into()).chunks(width.into()) {
        let padding = vec![0; usize::from(width % 2)];
        // a run of one is a pixel of any value
        pcx.extend(row.iter().chain(&padding).flat_map(|pixel| [0xc1, *pixel]));
    }
    pcx.push(12);
    pcx.extend(colours);
    pcx
}

/// A `.wav` of 8 bits and one channel: a tone.
#[must_use]
pub fn wav(rate: u32, samples: u32) -> Vec<u8> {
    let wave = (0..samples).map(|sample| if sample / 25 % 2 == 0 { 0x60 } else { 0xa0 });
    let mut wav = [b"RIFF", &words(&[36 + samples])[..], b"WAVEfmt ", &words(&[16])].concat();
    wav.extend([1, 0, 1, 0]);
    wav.extend(words(&[rate, rate]));
    wav.extend([1, 0, 8, 0]);
    wav.extend([b"data", &words(&[samples])[..]].concat());
    wav.extend(wave);
    wav
}

/// The first and the last page of an Ogg Vorbis, without sound between.
#[must_use]
pub fn ogg(rate: u32, samples: u64) -> Vec<u8> {
    let page = |position: u64, packet: &[u8]| {
        let mut page = b"OggS\0\0".to_vec();
        page.extend(position.to_le_bytes());
        page.resize(26, 0);
        page.extend([1, u8::try_from(packet.len()).unwrap()]);
        [&page, packet].concat()
    };
    let mut first = b"\x01vorbis\0\0\0\0\x02".to_vec();
    first.extend(rate.to_le_bytes());
    first.resize(30, 0);
    [page(0, &first), page(samples, &[0; 8])].concat()
}
