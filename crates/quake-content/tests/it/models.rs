//! Models, sprites and pictures.

use quake_content::model::{AliasModel, Md2, Md3, Mesh, Model, Sprite};
use quake_content::picture::{Picture, Wal};
use quake_content::{ErrorKind, Sound};
use testutils::content;

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn padded(name: &str, size: usize) -> Vec<u8> {
    let mut name = name.as_bytes().to_vec();
    name.resize(size, 0);
    name
}

#[test]
fn a_model_of_quake_contains_its_skins() {
    let bytes = content::model(8, 4, 3);
    let model = AliasModel::parse(&bytes).unwrap();
    assert_eq!((model.skins, model.width, model.height), (3, 8, 4));
    let skins: Vec<_> = model.skins().map(Result::unwrap).collect();
    assert_eq!(skins.len(), 3);
    assert!(skins.iter().all(|skin| skin.pixels.len() == 32));
    let cut = AliasModel::parse(&bytes[..120]).unwrap();
    assert_eq!(cut.skins().filter(Result::is_err).count(), 1);
}

#[test]
fn models_of_quake_ii_and_iii_name_their_pictures() {
    let mut md2 = [&b"IDP2"[..], &words(&[8, 0, 0, 0, 2, 0, 0, 0, 0, 0, 68, 0, 0, 0, 0, 0])].concat();
    md2.extend([padded("models/a/skin.pcx", 64), padded("models/a/pain.pcx", 64)].concat());
    let skins: Vec<_> = Md2::parse(&md2).unwrap().skins().collect();
    assert_eq!(skins, [&b"models/a/skin.pcx"[..], b"models/a/pain.pcx"]);
    let mut md3 = [&b"IDP3"[..], &words(&[15])].concat();
    md3.resize(84, 0);
    md3.extend(words(&[1, 0, 0, 0, 108, 0]));
    let mut surface = b"IDP3".to_vec();
    surface.resize(76, 0);
    surface.extend(words(&[1, 0, 0, 0, 108, 0, 0, 176]));
    surface.extend(padded("models/a/body.tga", 68));
    md3.extend(surface);
    assert_eq!(Md3::parse(&md3).unwrap().shaders().unwrap(), [b"models/a/body.tga"]);
}

/// Where the corners of each side of [`content::solid_mdl`] and its like are.
fn sides(mesh: &Mesh) -> Vec<[[f32; 3]; 3]> {
    let place = |number: u16| mesh.vertices[usize::from(number)].place;
    mesh.triangles.iter().map(|side| side.map(place)).collect()
}

#[test]
fn a_model_has_the_shape_of_its_first_frame() {
    let mdl = content::solid_mdl();
    let mesh = AliasModel::parse(&mdl).unwrap().mesh(0).unwrap();
    let corners = [[-50.0, -50.0, 0.0], [50.0, -50.0, 0.0], [-50.0, 50.0, 0.0], [-50.0, -50.0, 125.0]];
    let expected = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]].map(|side| side.map(|at: usize| corners[at]));
    assert_eq!(sides(&mesh), expected);
    // the side on the back has separate vertices, half a skin further
    assert_eq!(mesh.vertices.len(), 7);
    let points: Vec<_> = [0, 1, 4].iter().map(|at| mesh.vertices[*at].point).collect();
    assert_eq!(points, [[0.5 / 16.0, 0.5 / 16.0], [15.5 / 16.0, 0.5 / 16.0], [1.0 + 7.5 / 16.0, 0.5 / 16.0]]);

    let md2 = content::solid_md2("models/a/skin.pcx");
    let mesh = Md2::parse(&md2).unwrap().mesh(0).unwrap();
    assert_eq!(sides(&mesh), expected);
    assert_eq!((mesh.vertices.len(), mesh.vertices[3].point), (4, [15.0 / 16.0, 15.0 / 16.0]));

    let md3 = content::solid_md3("models/a/body");
    let meshes = Md3::parse(&md3).unwrap().meshes(0).unwrap();
    let [(b"models/a/body", mesh)] = &meshes[..] else { panic!("{meshes:?}") };
    let moved = expected.map(|side| side.map(|[x, y, z]| [x + 50.0, y + 50.0, z]));
    assert_eq!(sides(mesh), moved);
    assert_eq!(mesh.vertices[2].point[..], [0.0, 15.0 / 16.0]);
}

#[test]
fn each_pose_of_a_group_is_a_frame() {
    let mut mdl = content::solid_mdl();
    let frame = mdl.len() - 16 - 28;
    mdl.splice(frame..frame + 4, words(&[1, 2, 0, 0, 0, 0]));
    mdl.extend([0; 24]);
    mdl.extend([[7, 7, 7, 0]; 4].concat());
    let model = AliasModel::parse(&mdl).unwrap();
    assert_eq!(model.frame_count().unwrap(), 2);
    assert_eq!(sides(&model.mesh(0).unwrap())[0][1..2], [[50.0, -50.0, 0.0]]);
    assert_eq!(sides(&model.mesh(1).unwrap())[0][1..2], [[-46.5, -46.5, 3.5]]);
    assert!(model.mesh(2).is_err());
    // a truncated frame hides its group
    mdl.pop();
    assert_eq!(AliasModel::parse(&mdl).unwrap().frame_count().unwrap(), 0);
}

#[test]
fn models_of_quake_ii_and_iii_have_a_shape_in_each_frame() {
    let mut md2 = content::solid_md2("a");
    md2[40..44].copy_from_slice(&words(&[2]));
    let frame = md2[196..].to_vec();
    md2.extend(&frame);
    md2[252..256].copy_from_slice(&1_f32.to_le_bytes());
    let model = Md2::parse(&md2).unwrap();
    assert_eq!((model.frame_count().unwrap(), sides(&model.mesh(1).unwrap())[0][1][0]), (2, 150.0));
    assert!(model.mesh(2).is_err());
    let mut md3 = content::solid_md3("a");
    md3[76..80].copy_from_slice(&words(&[2]));
    md3[108 + 72..108 + 76].copy_from_slice(&words(&[2]));
    md3.extend([64, 0, 0, 0, 0, 0, 0, 0].repeat(4));
    let model = Md3::parse(&md3).unwrap();
    assert_eq!(
        (model.frame_count().unwrap(), sides(&model.meshes(1).unwrap()[0].1)[0][0]),
        (2, [1.0, 0.0, 0.0])
    );
    assert!(model.meshes(2).is_err());
}

#[test]
fn a_sprite_has_the_pictures_of_its_frames() {
    let picture = |pixels: &[u8]| [words(&[0, 0, 2, 1]), pixels.to_vec()].concat();
    let head = |version, rest: &[u32]| [&b"IDSP"[..], &words(&[version]), &words(rest)].concat();
    let group = [words(&[1, 2, 0, 0]), picture(&[3, 4]), picture(&[5, 6])].concat();
    let mut quake = [head(1, &[2, 0, 2, 1, 2, 0, 0]), words(&[0]), picture(&[1, 2]), group].concat();
    let pixels = |bytes: &[u8]| {
        Sprite::parse(bytes)
            .unwrap()
            .frames()
            .unwrap()
            .iter()
            .map(|one| one.pixels.to_vec())
            .collect::<Vec<_>>()
    };
    assert_eq!(pixels(&quake), [[1, 2], [3, 4], [5, 6]]);
    quake.pop();
    assert_eq!(pixels(&quake), [[1, 2], [3, 4]]);
    let of_half_life = [
        &head(2, &[2, 0, 0, 2, 1, 1, 0, 0])[..],
        &[2, 0],
        &[9, 8, 7, 6, 5, 4],
        &words(&[0]),
        &picture(&[0, 1]),
    ]
    .concat();
    assert_eq!(pixels(&of_half_life), [[0, 1]]);
    let palette = Sprite::parse(&of_half_life).unwrap().palette().unwrap();
    assert_eq!([palette.colour(0), palette.colour(1)], [[9, 8, 7], [6, 5, 4]]);
    let colours =
        [head(32, &[2, 0, 2, 1, 1, 0, 0]), words(&[0]), picture(&[1, 2, 3, 4, 5, 6, 7, 8])].concat();
    let sprite = Sprite::parse(&colours).unwrap();
    assert_eq!((sprite.pixel_size(), sprite.frames().unwrap()[0].width), (4, 8));
    assert!(Sprite::parse(&quake[..40]).unwrap().frames().is_err());
}

fn are_same(one: [f32; 3], other: [f32; 3]) -> bool {
    one.map(f32::to_bits) == other.map(f32::to_bits)
}

#[test]
fn a_model_has_all_frames_and_all_pictures_of_its_skins() {
    let mut mdl = content::solid_mdl();
    let start = mdl.len() - 16 - 28;
    let frame = mdl[start + 4..].to_vec();
    let model = AliasModel::parse(&mdl).unwrap();
    let frames: Vec<_> = model.frames().unwrap().map(Result::unwrap).collect();
    let [[(time, _, places)]] = &frames.iter().map(Vec::as_slice).collect::<Vec<_>>()[..] else {
        panic!("{frames:?}")
    };
    assert_eq!((*time, places[1]), (0.0, [50.0, -50.0, 0.0]));
    let mesh = model.mesh(0).unwrap();
    for (vertex, number) in mesh.vertices.iter().zip(&mesh.numbers) {
        assert!(are_same(vertex.place, places[usize::from(*number)]));
    }

    // a group of two frames, then one by itself; a group of two pictures in front of them
    let times = |times: [f32; 2]| times.iter().flat_map(|time| time.to_le_bytes()).collect::<Vec<_>>();
    mdl.truncate(start);
    mdl.extend(
        [words(&[1, 2, 0, 0]), times([0.1, 0.2]), frame.clone(), frame.clone(), words(&[0]), frame].concat(),
    );
    mdl[68] = 2;
    let skin = mdl[88..88 + 256].to_vec();
    mdl.splice(84..88, [words(&[1, 2]), times([0.5, 1.0]), vec![7; 256]].concat());
    let model = AliasModel::parse(&mdl).unwrap();
    let frames: Vec<_> = model.frames().unwrap().map(Result::unwrap).collect();
    let shown: Vec<Vec<f32>> =
        frames.iter().map(|group| group.iter().map(|(time, ..)| *time).collect()).collect();
    assert_eq!(shown, [vec![0.1, 0.2], vec![0.0]]);
    assert_eq!(frames[0][1], (0.2, frames[1][0].1, frames[1][0].2.clone()));
    let skins: Vec<_> = model.skin_groups().map(Result::unwrap).collect();
    let [[(first, one), (second, other)]] = &skins.iter().map(Vec::as_slice).collect::<Vec<_>>()[..] else {
        panic!()
    };
    assert_eq!((*first, one.pixels, *second, other.pixels), (0.5, &[7; 256][..], 1.0, &skin[..]));
    assert_eq!(model.mesh(0).unwrap(), mesh);
    let cut = AliasModel::parse(&mdl[..mdl.len() - 1]).unwrap();
    assert_eq!(cut.frames().unwrap().map(|group| group.is_ok()).collect::<Vec<_>>(), [true, false]);

    let md2 = content::solid_md2("models/a/skin.pcx");
    let model = Md2::parse(&md2).unwrap();
    let frames: Vec<_> = model.frames().map(Result::unwrap).collect();
    let mesh = model.mesh(0).unwrap();
    assert!(!frames.is_empty());
    for (vertex, number) in mesh.vertices.iter().zip(&mesh.numbers) {
        assert!(are_same(vertex.place, frames[0].1[usize::from(*number)]));
    }
}

#[test]
fn the_samples_of_a_sound_are_in_its_last_bytes() {
    let wav = content::wav(11025, 100);
    let sound = Sound::wav(&wav).unwrap();
    assert_eq!(&wav[sound.samples], &wav[wav.len() - 100..]);
    assert!(Sound::ogg(&content::ogg(44100, 5)).unwrap().samples.is_empty());
}

#[test]
fn a_triangle_with_a_missing_vertex_is_an_error() {
    let mut mdl = content::solid_mdl();
    let side = 84 + 4 + 256 + 4 * 12;
    mdl[side + 4] = 4;
    let error = AliasModel::parse(&mdl).unwrap().mesh(0).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Number { what: "a vertex of a triangle", found: 4, most: 3 });
    let mut md2 = content::solid_md2("a");
    md2[148 + 6] = 9;
    let error = Md2::parse(&md2).unwrap().mesh(0).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Number { what: "a point of a triangle", found: 9, most: 3 });
    let mut md3 = content::solid_md3("a");
    md3[108 + 176] = 7;
    assert!(matches!(Md3::parse(&md3).unwrap().meshes(0).unwrap_err().kind(), ErrorKind::Number { .. }));
    for cut in [mdl, md2, md3] {
        let cut = &cut[..cut.len() - 1];
        assert!(AliasModel::parse(cut).map_or(true, |model| model.mesh(0).is_err()));
        assert!(Md2::parse(cut).map_or(true, |model| model.mesh(0).is_err()));
        assert!(Md3::parse(cut).map_or(true, |model| model.meshes(0).is_err()));
    }
}

#[testneeds::data("paks/librequake/vektar")]
#[test]
fn models_of_a_game_have_a_shape() {
    for (name, size) in [("quaddama", ["6", "29", "38"]), ("statue", ["42", "37", "52"])] {
        let bytes =
            std::fs::read(testutils::data(&format!("paks/librequake/vektar/progs/{name}.mdl"))).unwrap();
        let model = AliasModel::parse(&bytes).unwrap();
        let mesh = model.mesh(0).unwrap();
        assert_eq!(mesh.triangles.len(), model.triangles().unwrap());
        assert!(
            mesh.vertices.iter().flat_map(|vertex| vertex.point).all(|at| (0.0..1.0).contains(&at)),
            "{name}"
        );
        let side = |axis: usize| {
            let places = || mesh.vertices.iter().map(|vertex| vertex.place[axis]);
            let side = places().fold(f32::MIN, f32::max) - places().fold(f32::MAX, f32::min);
            format!("{side:.0}")
        };
        assert_eq!([side(0), side(1), side(2)], size, "{name}");
    }
}

#[test]
fn only_sprites_of_quake_ii_name_their_pictures() {
    let mut sprite = [&b"IDS2"[..], &words(&[2, 1, 16, 16, 8, 8])].concat();
    sprite.extend(padded("sprites/s_bfg1_0.pcx", 64));
    let sprite = Sprite::parse(&sprite).unwrap();
    assert_eq!(sprite.pictures().unwrap().collect::<Vec<_>>(), [b"sprites/s_bfg1_0.pcx"]);
    let sprite = [&b"IDSP"[..], &words(&[1, 2, 0, 8, 8, 4, 0, 0])].concat();
    let sprite = Sprite::parse(&sprite).unwrap();
    assert_eq!(sprite.count, 4);
    assert_eq!(sprite.pictures().unwrap().len(), 0);
}

#[test]
fn pictures_have_as_many_bytes_as_pixels() {
    let lump = content::lump(5, 3);
    let picture = Picture::with_size(&lump).unwrap();
    assert_eq!((picture.width, picture.height, picture.pixels.len()), (5, 3, 15));
    assert!(Picture::with_size(&lump[..20]).is_err());
    assert!(Picture::with_size(&words(&[0, 3])).is_err());
    let bytes = content::wal(16, 8);
    let wal = Wal::parse(&bytes).unwrap();
    assert_eq!(wal.picture().unwrap().pixels, content::pixels(16, 8));
}

#[test]
fn models_of_all_formats_have_one_shape_and_frames() {
    let mut md3 = content::solid_md3("models/a/body");
    // the table of frames, whose only name is at 40
    let end = words(&[u32::try_from(md3.len()).unwrap()]);
    md3[92..96].copy_from_slice(&end);
    md3.extend([vec![0; 40], padded("stand", 16)].concat());
    let models = [content::moving_mdl(), content::solid_md2("a.pcx"), md3];
    for (bytes, frames, surface) in
        models.iter().zip([2, 1, 1]).zip(["", "a.pcx", "models/a/body"]).map(|((a, b), c)| (a, b, c))
    {
        let model = Model::parse(bytes).unwrap();
        let shape = model.shape().unwrap();
        assert_eq!(shape.surfaces, [(surface.as_bytes(), 0..4)]);
        let found = model.frames(&shape).unwrap();
        assert_eq!((found.len(), model.frame_count().unwrap()), (frames, frames));
        for (number, frame) in found.iter().enumerate() {
            let mesh = &model.meshes(number).unwrap()[0].1;
            let places: Vec<_> = mesh.vertices.iter().map(|vertex| vertex.place).collect();
            assert_eq!(frame.places, places, "{surface}");
            assert_eq!(frame.group, number);
        }
        assert_eq!(shape.points.len(), found[0].places.len());
    }
    assert_eq!(
        Model::parse(&models[2])
            .unwrap()
            .frames(&Model::parse(&models[2]).unwrap().shape().unwrap())
            .unwrap()[0]
            .name,
        b"stand"
    );
}
