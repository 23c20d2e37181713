//! Levels, textures and WADs.

use quake_content::WadKind;
use quake_content::{ErrorKind, Level, LevelFormat, Wad};
use testutils::content;

const WORLD: &str = "{ \"classname\" \"worldspawn\" }\n";

#[test]
fn the_first_bytes_say_which_format_a_level_has() {
    for (magic, format) in [
        ([29, 0, 0, 0], LevelFormat::Bsp29),
        ([30, 0, 0, 0], LevelFormat::Bsp30),
        (*b"BSP2", LevelFormat::Bsp2),
        (*b"2PSB", LevelFormat::Psb2),
    ] {
        let bytes = content::level(magic, WORLD, &[content::texture("wall", 16, 16, None)]);
        let level = Level::parse(&bytes).unwrap();
        assert_eq!(level.format(), format);
        assert_eq!(level.entities().unwrap().count(), 1);
        assert_eq!(level.surface_names().unwrap(), [b"wall"]);
    }
    assert_eq!(Level::parse(b"IBSP\x26\0\0\0").unwrap().format(), LevelFormat::Bsp38);
    assert_eq!(Level::parse(b"IBSP\x2e\0\0\0").unwrap().format(), LevelFormat::Bsp46);
    assert!(matches!(Level::parse(b"PACK").unwrap_err().kind(), ErrorKind::Format { .. }));
}

#[test]
fn textures_have_four_copies_and_in_half_life_a_palette() {
    let colours = content::palette();
    for (version, palette) in [(29, None), (30, Some(&*colours))] {
        let texture = content::texture("{grate", 32, 16, palette);
        let bytes = content::level([version, 0, 0, 0], WORLD, &[texture]);
        let level = Level::parse(&bytes).unwrap();
        let texture = level.textures().unwrap().next().unwrap().unwrap().unwrap();
        assert_eq!((texture.name, texture.width, texture.height), (&b"{grate"[..], 32, 16));
        for copy in 0..4 {
            let picture = texture.picture(copy).unwrap().unwrap();
            assert_eq!(picture.pixels, content::pixels(32 >> copy, 16 >> copy), "{copy}");
        }
        assert_eq!(
            texture.palette().map(|colours| colours.as_flattened().to_vec()),
            palette.map(<[u8]>::to_vec)
        );
    }
}

#[test]
fn a_cut_off_level_tells_which_part_is_missing() {
    let bytes = content::level([29, 0, 0, 0], WORLD, &[]);
    let level = Level::parse(&bytes[..20]).unwrap();
    let error = level.entity_text().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::CutOff { found: 20, .. }), "{error}");
}

#[test]
fn the_faces_of_the_world_have_corners() {
    for version in
        [&[29, 0, 0, 0], b"BSP2", b"2PSB", &[30, 0, 0, 0], &b"IBSP\x26\0\0\0"[..], b"IBSP\x2e\0\0\0"]
    {
        let bytes = content::room(version, WORLD, &[]);
        let level = Level::parse(&bytes).unwrap();
        assert_eq!(level.entities().unwrap().count(), 1);
        let faces: Vec<Vec<_>> = level.faces().unwrap().map(|face| face.corners().collect()).collect();
        assert_eq!(faces.len(), 6, "{:?}", level.format());
        let floor = [[-256.0, -128.0], [-256.0, 128.0], [256.0, 128.0], [256.0, -128.0]];
        assert_eq!(faces[0], floor.map(|[x, y]| [x, y, -64.0]), "{:?}", level.format());
        assert_eq!(faces[5][3..], [[256.0, -128.0, 64.0]]);
    }
    // a level without models has no world
    let bytes = content::level([29, 0, 0, 0], WORLD, &[]);
    assert_eq!(Level::parse(&bytes).unwrap().faces().unwrap().count(), 0);
}

#[test]
fn a_face_whose_corners_are_nowhere_is_left_out() {
    let mut bytes = content::room(&[29, 0, 0, 0], WORLD, &[]);
    let at = |bytes: &[u8], lump: usize| {
        u32::from_le_bytes(bytes[4 + lump * 8..][..4].try_into().unwrap()) as usize
    };
    let (faces, edges) = (at(&bytes, 7), at(&bytes, 13));
    bytes[faces + 4..faces + 8].fill(0xff);
    bytes[edges + 16..edges + 20].copy_from_slice(&i32::MIN.to_le_bytes());
    let level = Level::parse(&bytes).unwrap();
    let counts: Vec<_> = level.faces().unwrap().map(|face| (face.len(), face.corners().count())).collect();
    assert_eq!(counts, [(4, 3), (4, 4), (4, 4), (4, 4), (4, 4)]);
}

#[test]
fn the_header_of_a_level_tells_where_it_ends() {
    for magic in [[29, 0, 0, 0], [30, 0, 0, 0], *b"BSP2", *b"2PSB"] {
        let bytes = content::level(magic, WORLD, &[content::texture("wall", 16, 16, None)]);
        let level = Level::parse(&bytes).unwrap();
        assert_eq!(level.end(), bytes.len() as u64, "{magic:?}");
        assert_eq!(Level::parse(&bytes[..Level::HEADER]).unwrap().end(), level.end());
        // a header that is cut off is not whole either
        assert!(Level::parse(&bytes[..20]).unwrap().end() > 20);
    }
    for (magic, lumps) in [(*b"IBSP\x26\0\0\0", 19), (*b"IBSP\x2e\0\0\0", 17), (*b"RBSP\x01\0\0\0", 18)] {
        let mut bytes = magic.to_vec();
        bytes.resize(8 + lumps * 8, 0);
        assert_eq!(Level::parse(&bytes).unwrap().end(), bytes.len() as u64);
        // the last lump has the last 9 bytes of 1009, an empty one is anywhere
        let last = 8 + (lumps - 1) * 8;
        bytes[last..].copy_from_slice(&[0xe8, 3, 0, 0, 9, 0, 0, 0]);
        bytes[8..12].fill(0xff);
        assert_eq!(Level::parse(&bytes).unwrap().end(), 1009);
    }
}

#[test]
fn entries_of_a_wad_have_kinds_and_textures() {
    let texture = content::texture("brick", 16, 16, None);
    let bytes = content::wad(b"WAD2", &[("brick", 0x44, texture), ("pic", 0x42, content::lump(3, 2))]);
    let wad = Wad::parse(&bytes).unwrap();
    let kinds: Vec<_> = wad.entries().map(|entry| (entry.name, entry.kind)).collect();
    assert_eq!(kinds, [(&b"brick"[..], WadKind::Texture), (b"pic", WadKind::Picture)]);
    assert_eq!(wad.entries().next().unwrap().texture().unwrap().width, 16);
}

#[testneeds::data("paks/librequake/vektar")]
#[test]
fn faces_of_a_real_level_are_inside_the_box_of_its_world() {
    for (name, expected) in [("start", 6), ("bg", 13)] {
        let bytes =
            std::fs::read(testutils::data(&format!("paks/librequake/vektar/maps/{name}.bsp"))).unwrap();
        let level = Level::parse(&bytes).unwrap();
        let world = level.models().unwrap().next().unwrap();
        let faces: Vec<_> = level.faces().unwrap().collect();
        let names = level.surface_names().unwrap();
        assert!(faces.iter().all(|face| names.contains(&face.texture())));
        assert_eq!(faces.len(), expected);
        for face in faces {
            assert_eq!(face.corners().count(), face.len());
            for (axis, at) in face.corners().flat_map(|corner| corner.into_iter().enumerate()) {
                assert!((world.least[axis]..=world.greatest[axis]).contains(&at), "{name}: {at} {world:?}");
            }
        }
    }
}

#[test]
fn faces_have_positions_on_their_texture_and_in_their_light() {
    let bytes = content::lit_room(WORLD);
    let level = Level::parse(&bytes).unwrap();
    let shape = level.shape().unwrap();
    let atlas = shape.light_atlas(&level).unwrap();
    assert_eq!((atlas.width, atlas.height, atlas.points.len()), (36, 17, 24));
    // the first pixels are neutral, for faces without light, and the light is beside them
    let pixel = |x: usize, y: usize| atlas.pixels[(y * 36 + x) * 3..][..3].to_vec();
    assert_eq!((pixel(1, 1), pixel(2, 0), pixel(35, 16)), (vec![128; 3], vec![7; 3], vec![7; 3]));
    assert_eq!(atlas.points[2][..], [35.0 / 36.0, 0.5 / 17.0]);
    assert_eq!(atlas.points[23][..], [1.0 / 36.0, 1.0 / 17.0]);
    assert_eq!((shape.counts, shape.triangles.len()), (vec![4; 6], 12));
    assert_eq!(shape.triangles[2], [4, 5, 6]);
    assert_eq!((shape.textures[0].0, shape.textures_of_faces), (&b"wall"[..], vec![0; 6]));
    assert_eq!(shape.corners[2].point[..], [264.0, -128.0]);
    // from -248 to 264 are the samples -16 to 17
    let light = shape.lights[0];
    assert_eq!((light.start, light.width, light.height, light.styles), (90, 34, 17, 1));
    assert_eq!(shape.corners[2].light[..], [33.0 / 34.0, 0.5 / 17.0]);
    assert_eq!((shape.lights[1].width, level.light().unwrap().len(), level.light_sample()), (0, 700, 1));
}

/// 131 KB of light would have been a picture of 13 GB.
#[test]
fn a_wide_and_a_high_face_pay_for_no_picture_of_both() {
    const LONG: u16 = 16384;
    let far = f32::from(LONG - 1) * 16.0;
    let numbers =
        |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let corners = [[0.0; 3], [far, 0.0, 0.0], [far, 0.0, 0.0], [0.0; 3], [0.0, far, 0.0], [0.0, far, 0.0]];
    let edges = [[0_u16, 0], [0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3]];
    let face =
        |first: u32| [vec![0; 4], words(&[first]), vec![3, 0, 0, 0, 0, 255, 255, 255], words(&[0])].concat();
    let mut lumps = vec![Vec::new(); 15];
    lumps[0] = b"{ classname worldspawn }\0".to_vec();
    lumps[1] = [numbers(&[0.0, 0.0, 1.0, 0.0]), words(&[2])].concat();
    lumps[2] = [words(&[1, 8]), content::texture("wall", 16, 16, None)].concat();
    lumps[3] = numbers(corners.as_flattened());
    lumps[6] = [numbers(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]), words(&[0, 0])].concat();
    lumps[7] = [face(0), face(3)].concat();
    lumps[8] = vec![0; 2 * usize::from(LONG)];
    lumps[12] = edges.as_flattened().iter().flat_map(|corner| corner.to_le_bytes()).collect();
    lumps[13] = words(&[1, 2, 3, 4, 5, 6]);
    lumps[14] = [numbers(&[0.0; 9]), words(&[0, 0, 0, 0, 0, 0, 2])].concat();
    let (mut bytes, mut body) = (words(&[29]), Vec::new());
    for lump in lumps {
        let at = 4 + 15 * 8 + body.len();
        bytes.extend(words(&[u32::try_from(at).unwrap(), u32::try_from(lump.len()).unwrap()]));
        body.extend(lump);
    }
    bytes.extend(body);
    let level = Level::parse(&bytes).unwrap();
    let shape = level.shape().unwrap();
    let sizes: Vec<_> = shape.lights.iter().map(|light| (light.width, light.height)).collect();
    assert_eq!(sizes, [(u32::from(LONG), 1), (1, u32::from(LONG))]);
    assert!(shape.light_atlas(&level).is_err());
}

#[test]
fn the_light_of_quake3_is_half_as_bright() {
    let mut bytes = content::room(b"IBSP\x2e\0\0\0", WORLD, &[]);
    let page = [vec![100, 50, 0], [200, 100, 0].repeat(128 * 128 - 1)].concat();
    let row = [bytes.len(), page.len()].map(|number| u32::try_from(number).unwrap().to_le_bytes());
    bytes.extend(page);
    bytes[8 + 14 * 8..][..8].copy_from_slice(row.as_flattened());
    let level = Level::parse(&bytes).unwrap();
    let atlas = level.shape().unwrap().light_atlas(&level).unwrap();
    assert_eq!(atlas.pixels[6..12], [200, 100, 0, 255, 127, 0]);
}

#[test]
fn faces_of_quake3_store_their_triangles() {
    let mut bytes = content::room(b"IBSP\x2e\0\0\0", WORLD, &[]);
    let at = |lump: usize| u32::from_le_bytes(bytes[8 + lump * 8..][..4].try_into().unwrap()) as usize;
    let (faces, end) = (at(13), u32::try_from(bytes.len()).unwrap());
    let order = [3_u32, 0, 2, 2, 0, 1, 1, 2, 3, 9, 0, 1].map(u32::to_le_bytes);
    bytes.extend(order.as_flattened());
    bytes[8 + 11 * 8..][..8].copy_from_slice([end, 48].map(u32::to_le_bytes).as_flattened());
    let row = |first: u32, count: u32| [first, count].map(u32::to_le_bytes).concat();
    // one triangle of the second face has a corner that the face does not have
    bytes[faces + 20..][..8].copy_from_slice(&row(0, 6));
    bytes[faces + 104 + 20..][..8].copy_from_slice(&row(6, 6));
    let triangles = Level::parse(&bytes).unwrap().shape().unwrap().triangles;
    assert_eq!(triangles[..4], [[3, 0, 2], [2, 0, 1], [5, 6, 7], [8, 9, 10]]);
    assert_eq!(triangles.len(), 11);
}

#[test]
fn a_small_level_that_claims_many_corners_has_no_shape() {
    let mut bytes = content::room(&[29, 0, 0, 0], WORLD, &[]);
    let at = |lump: usize| u32::from_le_bytes(bytes[4 + lump * 8..][..4].try_into().unwrap()) as usize;
    let (faces, edges) = (at(7), at(13));
    let many = vec![0; 4 * 60_000];
    let row = [bytes.len(), many.len()].map(|number| u32::try_from(number).unwrap().to_le_bytes());
    assert!(edges < bytes.len());
    bytes[4 + 13 * 8..][..8].copy_from_slice(row.as_flattened());
    bytes.extend(many);
    for face in 0..6 {
        bytes[faces + face * 20 + 4..][..6].copy_from_slice(&[0, 0, 0, 0, 0x60, 0xea]);
    }
    let error = Level::parse(&bytes).unwrap().shape().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Number { what: "the corners of all faces", .. }), "{error}");
}
