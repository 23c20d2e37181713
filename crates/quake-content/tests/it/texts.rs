//! Texts: entities, shaders, sources of levels.

use quake_content::shader::{self, ImageRole};
use quake_content::{Entities, map};

#[test]
fn entities_are_pairs_and_the_last_value_of_a_key_counts() {
    let text = b"{ classname light \"light\" \"200\" light 300 } { } \0 { x y }";
    let entities: Vec<_> = Entities::new(text).collect();
    assert_eq!(entities.len(), 2);
    assert_eq!(entities[0].class(), b"light");
    assert_eq!(entities[0].value(b"light"), Some(&b"300"[..]));
    assert_eq!(entities[1].class(), b"");
}

#[test]
fn the_last_entity_of_a_cut_off_text_is_returned_incomplete() {
    let entities: Vec<_> = Entities::new(b"{ classname worldspawn \"message\" \"half").collect();
    assert_eq!(entities[0].value(b"message"), Some(&b"half"[..]));
}

#[test]
fn shaders_name_the_images_of_their_stages_and_of_their_sky() {
    let text = b"// a text\ntextures/sky { skyparms env/box 512 -\n qer_editorimage editor.tga\n\
        { map $lightmap }\n { clampmap a.tga } { animMap 4 b.tga c.tga\n } { videoMap film.roq } }\nlast { { map d.tga";
    let shaders: Vec<_> = shader::parse(text).collect();
    assert_eq!(shaders.len(), 2);
    assert_eq!((shaders[0].name, shaders[0].line), (&b"textures/sky"[..], 2));
    let images: Vec<_> = shaders[0].images.iter().map(|image| (image.name, image.role, image.line)).collect();
    assert_eq!(
        images,
        [
            (&b"env/box"[..], ImageRole::SkyBox, 2),
            (b"a.tga", ImageRole::Stage, 5),
            (b"b.tga", ImageRole::Animation, 5),
            (b"c.tga", ImageRole::Animation, 5),
            (b"film.roq", ImageRole::Video, 6),
        ]
    );
    assert_eq!(shaders[1].images[0].name, b"d.tga");
}

#[test]
fn the_source_of_a_level_names_the_textures_of_faces_and_patches() {
    let text = b"{ \"classname\" \"worldspawn\"\n{\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) WALL [ 1 0 0 0 ] [ 0 1 0 0 ] 0 1 1\n\
        ( 0 0 1 ) ( 1 0 1 ) ( 0 1 1 ) *LAVA 0 0 0 1 1\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) WALL 0 0 0 1 1\n}\n\
        { patchDef2 { common/caulk ( 3 3 0 0 0 ) ( ( ( 0 0 0 0 0 ) ) ) } }\n}\n{ classname light }";
    let entities: Vec<_> = map::entities(text).collect();
    assert_eq!(entities.len(), 2);
    assert_eq!(entities[0].textures, [&b"WALL"[..], b"*LAVA", b"common/caulk"]);
    assert_eq!(entities[1].entity.class(), b"light");
}
