//! Small files as in games: pictures, textures, levels, models, sounds.

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

/// A `.lmp` with one picture.
#[must_use]
pub fn lump(width: u32, height: u32) -> Vec<u8> {
    [words(&[width, height]), pixels(width, height)].concat()
}

/// A texture with its four copies. `colours` is the palette for a texture of Half-Life.
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

/// A `.wad` with these entries, each a name and a type.
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

/// A `.bsp` with only entities and textures. `version` is its first four bytes.
#[must_use]
pub fn level(version: [u8; 4], entities: impl AsRef<[u8]>, textures: &[Vec<u8>]) -> Vec<u8> {
    let entities = entities.as_ref();
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
    [&version[..], &words(&rows), entities, &lump].concat()
}

/// A `.mdl` with only skins.
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

/// A `.spr` with some frames of this size.
#[must_use]
pub fn sprite(frames: u32, width: u32, height: u32) -> Vec<u8> {
    let mut sprite = [&b"IDSP"[..], &words(&[1, 2, 0, width, height, frames, 0, 0])].concat();
    for number in 0..frames {
        sprite.extend(words(&[0, 0, 0, width, height]));
        sprite.extend(pixels(width, height).iter().map(|pixel| pixel.wrapping_add(number.to_le_bytes()[0])));
    }
    sprite
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

/// A `.m8` of Heretic II with its palette.
#[must_use]
pub fn m8(width: u32, height: u32, colours: &[u8]) -> Vec<u8> {
    let mut texture = [&words(&[2]), &b"general/floor"[..]].concat();
    for (end, number) in [(36, width), (100, height), (164, 1040)] {
        texture.resize(end, 0);
        texture.extend(words(&[number]));
    }
    texture.resize(260, 0);
    texture.extend(colours);
    texture.resize(1040, 0);
    texture.extend(pixels(width, height));
    texture
}

/// A `.m32` of Heretic II, in shades of grey.
#[must_use]
pub fn m32(width: u32, height: u32) -> Vec<u8> {
    let mut texture = [&words(&[4]), &b"menu/floor"[..]].concat();
    for (end, number) in [(516, width), (580, height), (644, 968)] {
        texture.resize(end, 0);
        texture.extend(words(&[number]));
    }
    texture.resize(968, 0);
    texture.extend(pixels(width, height).into_iter().flat_map(|shade| [shade, shade, shade, 128]));
    texture
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
        // a run of length one can be any pixel value
        pcx.extend(row.iter().chain(&padding).flat_map(|pixel| [0xc1, *pixel]));
    }
    pcx.push(12);
    pcx.extend(colours);
    pcx
}

/// The start of a PNG of this size: signature, header and end, without pixels.
#[must_use]
pub fn png(width: u32, height: u32) -> Vec<u8> {
    let header = [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &width.to_be_bytes(), &height.to_be_bytes()];
    [&header.concat()[..], &[8, 0, 0, 0, 0], &[0; 4], b"\0\0\0\0IEND\xaeB`\x82"].concat()
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

/// The vertices and triangles of a model with four sides, and its texture coordinates in sixteenths.
const PLACES: [[u8; 3]; 4] = [[0, 0, 0], [200, 0, 0], [0, 200, 0], [0, 0, 250]];
const SIDES: [[u16; 3]; 4] = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
const POINTS: [[u16; 2]; 4] = [[0, 0], [15, 0], [0, 15], [15, 15]];

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn shorts(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A `.mdl` with four sides and one skin of 16 by 16. Its last side is on the back of the skin; all points
/// are on the seam.
#[must_use]
pub fn solid_mdl() -> Vec<u8> {
    let mut model = model(16, 16, 1);
    model[8..32].copy_from_slice(&floats(&[0.5, 0.5, 0.5, -50.0, -50.0, 0.0]));
    model[60..72].copy_from_slice(&words(&[4, 4, 1]));
    for [across, down] in POINTS {
        model.extend(words(&[0x20, across.into(), down.into()]));
    }
    for (side, numbers) in SIDES.iter().enumerate() {
        model.extend(words(&[u32::from(side != 3)]));
        model.extend(words(&numbers.map(u32::from)));
    }
    model.extend([0; 28]);
    model.extend(PLACES.iter().flat_map(|&[x, y, z]| [x, y, z, 0]));
    model
}

/// [`solid_mdl`] with a second frame, in which it is lower.
#[must_use]
pub fn moving_mdl() -> Vec<u8> {
    let mut model = solid_mdl();
    model[68..72].copy_from_slice(&words(&[2]));
    model.extend([0; 28]);
    model.extend(PLACES.iter().flat_map(|&[x, y, z]| [x, y, z / 4, 0]));
    model
}

/// A `.md2` with four sides and the name of a skin of 16 by 16.
#[must_use]
pub fn solid_md2(skin: &str) -> Vec<u8> {
    let (skins, points, sides, frames, end) = (68, 132, 148, 196, 252);
    let header = [8, 16, 16, 56, 1, 4, 4, 4, 0, 1, skins, points, sides, frames, end, end];
    let mut model = [&b"IDP2"[..], &words(&header), skin.as_bytes()].concat();
    model.resize(132, 0);
    model.extend(shorts(POINTS.as_flattened()));
    for side in SIDES {
        model.extend(shorts(&[side, side].concat()));
    }
    model.extend(floats(&[0.5, 0.5, 0.5, -50.0, -50.0, 0.0]));
    model.extend([0; 16]);
    model.extend(PLACES.iter().flat_map(|&[x, y, z]| [x, y, z, 0]));
    model
}

/// A `.md3` with one surface of four sides and the name of a shader.
#[must_use]
pub fn solid_md3(shader: &str) -> Vec<u8> {
    let mut model = [&b"IDP3"[..], &words(&[15])].concat();
    model.resize(76, 0);
    let (shaders, sides, points, places, end) = (108, 176, 224, 256, 288);
    model.extend(words(&[1, 0, 1, 0, 108, 108, 108, 108 + end]));
    let mut surface = b"IDP3".to_vec();
    surface.resize(72, 0);
    surface.extend(words(&[1, 1, 4, 4, sides, shaders, points, places, end]));
    surface.extend(shader.as_bytes());
    surface.resize(176, 0);
    surface.extend(words(&SIDES.as_flattened().iter().copied().map(u32::from).collect::<Vec<_>>()));
    surface.extend(floats(
        &POINTS.as_flattened().iter().map(|&point| f32::from(point) / 16.0).collect::<Vec<_>>(),
    ));
    for place in PLACES {
        surface.extend(shorts(&place.map(|step| u16::from(step) * 32)));
        surface.extend([0, 0]);
    }
    [model, surface].concat()
}

/// The offset of the list of lumps in a level of this version.
fn rows_of(version: &[u8]) -> usize {
    if version.len() > 4 { 8 } else { 4 }
}

/// A `.bsp` with one room of 512 by 256 by 128 units around the origin: a floor, a ceiling, and textures if
/// the format stores them in the file. `version` is its first four bytes, or eight for formats after
/// Half-Life's.
#[must_use]
pub fn room(version: &[u8], entities: &str, textures: &[Vec<u8>]) -> Vec<u8> {
    let corner = |number: usize| {
        let side = |bit: usize, half: f32| if number & bit == 0 { -half } else { half };
        [side(1, 256.0), side(2, 128.0), side(4, 64.0)]
    };
    let corners: Vec<[f32; 3]> = (0..8).map(corner).collect();
    // clockwise, seen from inside
    let faces: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let of_quake3 = matches!(version.get(4), Some(46));
    let wide = matches!(version, b"BSP2" | b"2PSB");
    let [models, face_lump, row_lump, edge_lump, corner_lump, textures_lump] = match version.get(4) {
        None => [14, 7, 13, 12, 3, 2],
        Some(38) => [13, 6, 12, 11, 2, 99],
        _ => [7, 13, 10, 98, 97, 99],
    };
    let mut lumps: Vec<(usize, Vec<u8>)> = vec![(0, entities.as_bytes().to_vec())];
    let first = if of_quake3 {
        24
    } else if version.len() > 4 {
        40
    } else {
        56
    };
    let mut world = vec![0; first];
    world.extend(words(&[0, number(faces.len())]));
    if of_quake3 {
        world.resize(40, 0);
    }
    lumps.push((models, world));
    let mut rows = Vec::new();
    let (mut edges, mut stored) = (if wide { vec![0; 8] } else { vec![0; 4] }, Vec::new());
    for (index, face) in (0..).zip(faces) {
        stored.extend(match (of_quake3, wide) {
            (true, _) => [words(&[0, 0, 1, index * 4, 4]), vec![0; 84]].concat(),
            (_, true) => words(&[0, 0, index * 4, 4, 0, 0, 0]),
            _ => [words(&[0, index * 4]), shorts(&[4, 0]), vec![0; 8]].concat(),
        });
        for (at, from) in face.into_iter().enumerate() {
            if of_quake3 {
                rows.extend(floats(&corners[from as usize]));
                rows.resize(rows.len() + 32, 0);
                continue;
            }
            let to = face[(at + 1) % 4];
            let edge = number(edges.len() / if wide { 8 } else { 4 });
            // every other edge is used in reverse
            let (pair, walked) =
                if at % 2 == 0 { ([from, to], edge) } else { ([to, from], edge.wrapping_neg()) };
            rows.extend(words(&[walked]));
            let narrow = || shorts(&pair.map(|corner| u16::try_from(corner).unwrap()));
            edges.extend(if wide { words(&pair) } else { narrow() });
        }
    }
    lumps.extend([(face_lump, stored), (row_lump, rows)]);
    if !of_quake3 {
        lumps.extend([(edge_lump, edges), (corner_lump, floats(corners.as_flattened()))]);
    }
    if textures_lump < 90 {
        let level = level([29, 0, 0, 0], "", textures);
        lumps.push((textures_lump, level[124..].to_vec()));
    }
    let count = match version.get(4) {
        None => 15,
        Some(38) => 19,
        _ => 17,
    };
    let mut level = version.to_vec();
    level.resize(rows_of(version) + count * 8, 0);
    for (lump, bytes) in lumps {
        let row = rows_of(version) + lump * 8;
        let place = words(&[number(level.len()), number(bytes.len())]);
        level[row..row + 8].copy_from_slice(&place);
        level.extend(bytes);
    }
    level
}

/// A [`room`] for Quake with a texture on all faces, and light on the first.
#[must_use]
pub fn lit_room(entities: &str) -> Vec<u8> {
    let mut bytes = room(&[29, 0, 0, 0], entities, &[texture("wall", 16, 16, None)]);
    let put = |bytes: &mut Vec<u8>, lump: usize, content: &[u8]| {
        let row = 4 + lump * 8;
        let place = [bytes.len(), content.len()].map(|number| u32::try_from(number).unwrap().to_le_bytes());
        bytes[row..row + 8].copy_from_slice(place.as_flattened());
        bytes.extend(content);
    };
    // a pixel of the texture for each unit, east and south
    let axes = [1.0, 0.0, 0.0, 8.0, 0.0, -1.0, 0.0, 0.0].map(f32::to_le_bytes);
    put(&mut bytes, 6, &[axes.as_flattened(), &[0; 8]].concat());
    put(&mut bytes, 8, &[7; 700]);
    let faces = u32::from_le_bytes(bytes[4 + 7 * 8..][..4].try_into().unwrap()) as usize;
    bytes[faces + 12..faces + 20].copy_from_slice(&[0, 255, 255, 255, 90, 0, 0, 0]);
    for face in 1..6 {
        bytes[faces + face * 20 + 12..][..8].fill(255);
    }
    bytes
}
