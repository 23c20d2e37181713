//! Texts: entities, shaders, sources of levels.

use quake_content::{Entities, shader};

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
    assert_eq!(shaders[0].name, b"textures/sky");
    let images: Vec<_> =
        shaders[0].images.iter().map(|image| (image.name, image.is_sky_box, image.line)).collect();
    assert_eq!(
        images,
        [(&b"env/box"[..], true, 2), (b"a.tga", false, 5), (b"b.tga", false, 5), (b"c.tga", false, 5),]
    );
    assert_eq!(shaders[1].images[0].name, b"d.tga");
}
