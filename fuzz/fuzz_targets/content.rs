//! Any bytes as each format of `quake-content`: a borrowed part is within the bytes and its size is bounded
//! by them, or there is an error. The first byte selects the format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quake_content::model::{AliasModel, Md2, Md3, Mesh, Sprite};
use quake_content::picture::{M8, M32, Picture, Wal};
use quake_content::{Entities, Entity, Error, Level, Sound, Wad, music, shader, skin};

fuzz_target!(|input: &[u8]| {
    let Some((&format, bytes)) = input.split_first() else { return };
    let read = match format % 12 {
        0 => level(bytes),
        1 => wad(bytes),
        2 => AliasModel::parse(bytes).map(|model| {
            model.skins().flatten().for_each(|skin| picture(bytes, skin));
            model.skin_groups().flatten().flatten().for_each(|(_, skin)| picture(bytes, skin));
            let frames = model.frames().into_iter().flatten().flatten().flatten();
            assert!(frames.map(|(_, _, places)| places.len()).sum::<usize>() <= bytes.len() / 4);
            model.mesh(0).iter().for_each(|found| mesh(bytes, found));
        }),
        3 => Md2::parse(bytes).map(|model| {
            model.skins().for_each(|name| lies_in(bytes, name));
            model.mesh(0).iter().for_each(|found| mesh(bytes, found));
        }),
        4 => Md3::parse(bytes).and_then(|model| {
            model.shaders()?.into_iter().for_each(|name| lies_in(bytes, name));
            model.meshes(0)?.iter().for_each(|(_, found)| mesh(bytes, found));
            Ok(())
        }),
        5 => Sprite::parse(bytes).and_then(|sprite| {
            let _ = sprite.palette();
            sprite.frames()?.into_iter().for_each(|found| picture(bytes, found));
            Ok(sprite.pictures()?.for_each(|name| lies_in(bytes, name)))
        }),
        6 => Picture::with_size(bytes).map(|found| picture(bytes, found)),
        7 => {
            if let Ok(texture) = M8::parse(bytes) {
                let _ = texture.palette();
                texture.picture().into_iter().for_each(|found| picture(bytes, found));
            }
            let pixels = M32::parse(bytes).and_then(|texture| texture.pixels());
            pixels.into_iter().for_each(|pixels| lies_in(bytes, pixels.as_flattened()));
            Wal::parse(bytes).and_then(|wal| Ok(picture(bytes, wal.picture()?)))
        }
        8 => {
            texts(bytes);
            Ok(())
        }
        9 => Sound::wav(bytes).map(|sound| assert!(sound.seconds.is_finite() && sound.seconds >= 0.0)),
        10 => {
            let endings =
                "bsp mdl spr wav lmp wal m8 m32 tga wad".split(' ').map(|ending| format!("a.{ending}"));
            let names = endings.chain(["progs.dat".to_owned()]);
            let formats: Vec<_> =
                names.filter_map(|name| quake_content::Format::of(name.as_bytes())).collect();
            formats.into_iter().for_each(|format| drop(format.examine(bytes, bytes.len() as u64)));
            Ok(())
        }
        _ => Sound::ogg(bytes).map(|sound| assert!(sound.seconds.is_finite() && sound.seconds >= 0.0)),
    };
    if let Err(error) = read {
        assert!(!error.to_string().contains(char::is_control));
    }
});

fn lies_in(bytes: &[u8], part: &[u8]) {
    let (bytes, range) = (bytes.as_ptr_range(), part.as_ptr_range());
    assert!(part.is_empty() || (bytes.start <= range.start && range.end <= bytes.end));
}

fn mesh(bytes: &[u8], mesh: &Mesh) {
    // surfaces may share rows: 32 of them at most
    assert!(mesh.triangles.len() <= bytes.len() / 12 && mesh.vertices.len() <= mesh.triangles.len() * 3);
    let mut numbers = mesh.triangles.as_flattened().iter();
    assert!(numbers.all(|number| usize::from(*number) < mesh.vertices.len()));
}

fn picture(bytes: &[u8], picture: Picture<'_>) {
    lies_in(bytes, picture.pixels);
    assert_eq!(u64::from(picture.width) * u64::from(picture.height), picture.pixels.len() as u64);
}

fn level(bytes: &[u8]) -> Result<(), Error> {
    let level = Level::parse(bytes)?;
    if let Ok(entities) = level.entities() {
        entities.for_each(|found| entity(bytes, &found));
    }
    assert!(level.models().map_or(0, Iterator::count) <= bytes.len() / 40);
    for face in level.faces().into_iter().flatten().take(1000) {
        assert!(face.corners().take(1000).count() <= face.len());
        lies_in(bytes, face.texture());
    }
    level.surface_names().into_iter().flatten().for_each(|name| lies_in(bytes, name));
    for texture in level.textures()?.flatten().flatten() {
        (0..5).filter_map(|copy| texture.picture(copy)).flatten().for_each(|found| picture(bytes, found));
        let _ = texture.palette();
    }
    Ok(())
}

fn wad(bytes: &[u8]) -> Result<(), Error> {
    for entry in Wad::parse(bytes)?.entries() {
        lies_in(bytes, entry.name);
        if let Ok(texture) = entry.texture() {
            (0..4).filter_map(|copy| texture.picture(copy)).flatten().for_each(|found| picture(bytes, found));
        }
    }
    Ok(())
}

/// Keys and values are tokens.
fn entity(bytes: &[u8], entity: &Entity<'_>) {
    entity.pairs.iter().flat_map(|(key, value)| [key, value]).for_each(|token| lies_in(bytes, token));
}

fn texts(bytes: &[u8]) {
    assert!(Entities::new(bytes).count() <= bytes.len());
    Entities::new(bytes).for_each(|found| entity(bytes, &found));
    skin::surfaces(bytes).for_each(|(surface, shader)| {
        lies_in(bytes, surface);
        lies_in(bytes, shader);
    });
    assert!(music::set(bytes, b"a").into_iter().flatten().count() <= bytes.len());
    for shader in shader::parse(bytes) {
        lies_in(bytes, shader.name);
        shader.images.iter().for_each(|image| lies_in(bytes, image.name));
    }
}
