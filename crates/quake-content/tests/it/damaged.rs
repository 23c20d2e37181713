//! Any bytes: a view or an error, and an end.

use proptest::prelude::*;
use quake_content::model::{AliasModel, Md2, Md3, Mesh, Model, Sprite};
use quake_content::picture::{M8, M32, Picture, Wal};
use quake_content::program::Program;
use quake_content::{Demo, DemoFormat, Entities, Level, SavedGame, Sound, Wad, shader};
use testutils::{content, program};

/// Reads bytes as every format, as far as the reader goes.
fn read_all(bytes: &[u8]) {
    for name in [
        "a.bsp",
        "a.mdl",
        "a.spr",
        "a.wav",
        "a.ogg",
        "a.lmp",
        "a.wal",
        "a.m8",
        "a.m32",
        "a.tga",
        "a.wad",
        "progs.dat",
    ] {
        let format = quake_content::Format::of(name.as_bytes()).unwrap();
        for size in [bytes.len() as u64, u64::MAX] {
            let _ = format.examine(bytes, size);
        }
    }
    if let Ok(level) = Level::parse(bytes) {
        let _ = level.entities().map(Iterator::count);
        let _ = level.models().map(Iterator::count);
        let _ = level.surface_names();
        if let (Ok(shape), Ok(light)) = (level.shape(), level.light()) {
            assert!(shape.corners.len() <= bytes.len() && shape.triangles.len() <= bytes.len());
            if let Ok(atlas) = shape.light_atlas(&level) {
                assert_eq!(atlas.points.len(), shape.corners.len());
                assert_eq!(atlas.pixels.len(), (atlas.width * atlas.height * 3) as usize);
            }
            for found in shape.lights {
                let samples = (found.width * found.height * found.styles) as usize;
                assert!(found.start + samples * level.light_sample() <= light.len());
            }
        }
        for face in level.faces().into_iter().flatten() {
            assert!(face.corners().count() <= face.len() && lies_in(bytes, face.texture()));
        }
        for texture in level.textures().into_iter().flatten().flatten().flatten() {
            assert!(texture.name.len() <= 16);
            (0..6).for_each(|copy| drop(texture.picture(copy)));
            let _ = texture.palette();
        }
    }
    if let Ok(wad) = Wad::parse(bytes) {
        wad.entries().for_each(|entry| drop((entry.bytes(), entry.texture())));
    }
    let _ =
        AliasModel::parse(bytes).map(|model| (model.skins().count(), model.mesh(0).map(|mesh| whole(&mesh))));
    if let Ok(model) = AliasModel::parse(bytes) {
        let pictures = model.skin_groups().flatten().flatten();
        assert!(pictures.map(|(_, picture)| picture.pixels.len()).sum::<usize>() <= bytes.len());
        let frames = model.frames().into_iter().flatten().flatten().flatten();
        assert!(frames.map(|(_, _, places)| places.len()).sum::<usize>() <= bytes.len() / 4);
    }
    if let Ok(model) = Md2::parse(bytes) {
        let places = model.frames().flatten().map(|(_, places)| places.len());
        assert!(places.sum::<usize>() <= bytes.len() / 4);
    }
    let _ = Md2::parse(bytes).map(|model| (model.skins().count(), model.mesh(0).map(|mesh| whole(&mesh))));
    if let Ok(model) = Model::parse(bytes)
        && let Ok(shape) = model.shape()
    {
        let numbers = shape.triangles.as_flattened().iter();
        assert!(numbers.into_iter().all(|number| (*number as usize) < shape.points.len()));
        let frames = model.frames(&shape).unwrap_or_default();
        assert!(frames.iter().all(|frame| frame.places.len() == shape.points.len()));
    }
    for format in [DemoFormat::Quake, DemoFormat::Quake2, DemoFormat::QuakeWorld, DemoFormat::MultiView] {
        let _ =
            Demo::parse(format, bytes).map(|demo| assert!(demo.seconds >= 0.0 && lies_in(bytes, demo.title)));
    }
    let _ = SavedGame::parse(bytes).map(|game| game.entities().count());
    if let Ok(model) = Md3::parse(bytes) {
        let _ = model.shaders();
        model.meshes(0).into_iter().flatten().for_each(|(_, mesh)| whole(&mesh));
    }
    let _ = Sprite::parse(bytes)
        .map(|sprite| (sprite.pictures().map(Iterator::count), sprite.frames(), sprite.palette()));
    let _ = Picture::with_size(bytes);
    for sound in [Sound::wav(bytes), Sound::ogg(bytes)].into_iter().flatten() {
        assert!(sound.seconds.is_finite() && sound.seconds >= 0.0 && sound.samples.end <= bytes.len());
    }
    let _ = Wal::parse(bytes).map(|wal| wal.picture());
    let _ = M8::parse(bytes).map(|texture| (texture.palette(), texture.picture()));
    let _ = M32::parse(bytes).map(|texture| texture.pixels());
    for (key, value) in Entities::new(bytes).flat_map(|entity| entity.pairs) {
        assert!(lies_in(bytes, key) && lies_in(bytes, value));
    }
    assert!(shader::parse(bytes).all(|shader| lies_in(bytes, shader.name)));
    if let Ok(program) = Program::parse(bytes) {
        program.functions().iter().for_each(|function| assert!(function.name.len() <= 256));
        assert!(program.texts().count() <= bytes.len());
    }
}

fn lies_in(bytes: &[u8], token: &[u8]) -> bool {
    let (bytes, token) = (bytes.as_ptr_range(), token.as_ptr_range());
    token.is_empty() || (bytes.start <= token.start && token.end <= bytes.end)
}

/// A triangle uses existing vertices.
fn whole(mesh: &Mesh) {
    assert!(mesh.triangles.as_flattened().iter().all(|number| usize::from(*number) < mesh.vertices.len()));
}

fn samples() -> Vec<Vec<u8>> {
    let texture = content::texture("wall", 16, 16, None);
    vec![
        content::level([29, 0, 0, 0], "{ classname worldspawn }", std::slice::from_ref(&texture)),
        content::wad(b"WAD2", &[("wall", 0x44, texture)]),
        content::model(8, 4, 2),
        content::solid_mdl(),
        content::solid_md2("skin.pcx"),
        content::solid_md3("skin"),
        content::room(b"BSP2", "{ classname worldspawn }", &[]),
        content::room(b"IBSP\x2e\0\0\0", "", &[]),
        content::lump(5, 3),
        content::wal(16, 8),
        content::m8(16, 8, &content::palette()),
        content::m32(16, 8),
        content::wav(11025, 100),
        content::ogg(44100, 100),
        program::small(),
    ]
}

#[test]
fn files_that_are_cut_off_anywhere_do_no_harm() {
    for sample in samples() {
        (0..sample.len()).for_each(|length| read_all(&sample[..length]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testutils::scaled(300, 5000)))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        read_all(&bytes);
    }

    #[test]
    fn files_with_other_bytes_in_some_places_do_no_harm(
        which in 0_usize..13,
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let mut sample = samples().swap_remove(which);
        for (at, byte) in changes {
            let length = sample.len();
            sample[at.index(length)] = byte;
        }
        read_all(&sample);
    }
}
