//! Any bytes: a bounded preview or an error.

use proptest::prelude::*;
use quake_content::DemoFormat;
use quakefs_preview::{Kind, Options, Palette, Preview, preview};
use testutils::content;

use crate::look;

const SIDE: u32 = 32;
const PICTURES: usize = 3;
const TEXT: usize = 100;
const SHAPE: usize = 5;

const KINDS: [Kind; 21] = [
    Kind::Lump,
    Kind::TextureArchive,
    Kind::Level,
    Kind::Model,
    Kind::Wal,
    Kind::M8,
    Kind::M32,
    Kind::Pcx,
    Kind::Tga,
    Kind::Png,
    Kind::Jpeg,
    Kind::Wav,
    Kind::Ogg,
    Kind::Demo(DemoFormat::Quake),
    Kind::Demo(DemoFormat::Quake2),
    Kind::Demo(DemoFormat::QuakeWorld),
    Kind::Demo(DemoFormat::MultiView),
    Kind::SavedGame,
    Kind::Program,
    Kind::Light,
    Kind::Text,
];

/// Looks at bytes as every kind. The result is within the requested size.
fn look_at(bytes: &[u8]) {
    let palette = Palette::grey();
    let mut options = Options::new(&palette);
    (options.side, options.pictures, options.text, options.shape) = (SIDE, PICTURES, TEXT, SHAPE);
    for kind in KINDS {
        let pictures = match preview(kind, bytes, &options) {
            Ok(Preview::Pictures(pictures)) => pictures,
            Ok(Preview::Level(level)) => {
                assert!(level.outline.iter().all(|outline| outline.lines.len() <= SHAPE));
                level.textures
            }
            Ok(Preview::Model(model)) => {
                for surface in model.shape.iter().flatten() {
                    assert!(surface.triangles.len() <= SHAPE && surface.vertices.len() <= SHAPE * 3);
                    let numbers = surface.triangles.as_flattened().iter();
                    assert!(numbers.into_iter().all(|number| usize::from(*number) < surface.vertices.len()));
                }
                model.skins
            }
            Ok(Preview::Text { text, .. }) => {
                assert!(text.chars().count() <= TEXT);
                continue;
            }
            Ok(_) => continue,
            Err(error) => {
                assert!(!error.to_string().contains(char::is_control));
                continue;
            }
        };
        assert!(pictures.shown.len() <= PICTURES);
        for picture in pictures.shown {
            let (width, height) = (picture.image.width(), picture.image.height());
            assert!((1..=SIDE).contains(&width) && (1..=SIDE).contains(&height));
            assert_eq!(picture.image.rgba().len(), width as usize * height as usize * 4);
        }
    }
}

fn samples() -> Vec<Vec<u8>> {
    let image = image::DynamicImage::new_rgba8(5, 7);
    let encoded = |format| {
        let mut file = std::io::Cursor::new(Vec::new());
        image.write_to(&mut file, format).unwrap();
        file.into_inner()
    };
    let rgb = image::DynamicImage::new_rgb8(9, 9);
    let mut jpeg = std::io::Cursor::new(Vec::new());
    rgb.write_to(&mut jpeg, image::ImageFormat::Jpeg).unwrap();
    let texture = content::texture("floor", 16, 16, None);
    vec![
        content::lump(8, 8),
        content::wad(b"WAD2", &[("a", 0x42, content::lump(4, 4)), ("floor", 0x44, texture.clone())]),
        content::wad(b"WAD3", &[("floor", 0x43, content::texture("floor", 8, 8, Some(&content::palette())))]),
        content::level([29, 0, 0, 0], "{ \"classname\" \"worldspawn\" \"message\" \"a\" }", &[texture]),
        content::model(4, 4, 3),
        content::solid_mdl(),
        content::solid_md2("a.pcx"),
        content::solid_md3("a"),
        content::room(&[29, 0, 0, 0], "{ classname light origin \"1 2 3\" }", &[]),
        content::wal(8, 8),
        content::m8(8, 8, &content::palette()),
        content::m32(8, 8),
        content::pcx(9, 5, &content::palette()),
        encoded(image::ImageFormat::Tga),
        encoded(image::ImageFormat::Png),
        jpeg.into_inner(),
        content::wav(8000, 30),
        content::ogg(8000, 30),
    ]
}

#[test]
fn a_file_that_ends_anywhere_is_a_preview_or_an_error() {
    for sample in samples() {
        (0..=sample.len()).for_each(|end| look_at(&sample[..end]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_file_is_a_preview_or_an_error(
        sample in 0..16_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = samples().swap_remove(sample);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        look_at(&bytes);
    }

    #[test]
    fn any_bytes_are_a_preview_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        look_at(&bytes);
    }
}

#[test]
fn an_error_tells_the_expected_and_the_found_value() {
    assert_eq!(quakefs_preview::Kind::of(b"vispatch.exe"), None);
    let message = |name, bytes: &[u8]| look(name, bytes).unwrap_err().to_string();
    assert_eq!(message("a.wad", b"PACK\x1b[2J and more"), r#"expected WAD2 or WAD3, found "PACK\x1b[2J""#);
    assert_eq!(message("a.mdl", b""), "expected a model of Quake (IDPO), found an empty file");
    assert_eq!(
        message("a.lmp", b"\x01\0\0\0"),
        "cut off: the height would end at byte 8, and the file ends at 4"
    );
    assert_eq!(
        message("a.lmp", &[9; 300]),
        "a picture of 151587081 x 151587081 pixels, which the file cannot hold or a preview does not take"
    );
}
