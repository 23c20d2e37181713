//! Any bytes as each kind of file with a preview: a preview within the requested size, or an error. A picture
//! reads back from its encoded file. The first byte selects the kind.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quakefs_preview::{Kind, Level, Model, Options, Palette, Pictures, Preview, preview, readable};

const SIDE: u32 = 16;
const PICTURES: usize = 3;
const TEXT: usize = 64;
const SHAPE: usize = 9;

const NAMES: [&[u8]; 19] = [
    b"a.lmp",
    b"a.wad",
    b"a.bsp",
    b"a.mdl",
    b"a.wal",
    b"a.pcx",
    b"a.tga",
    b"a.png",
    b"a.jpg",
    b"a.wav",
    b"a.ogg",
    b"a.txt",
    b"a.dem",
    b"a.dm2",
    b"a.qwd",
    b"a.mvd",
    b"a.sav",
    b"a.lit",
    b"progs.dat",
];

fuzz_target!(|input: &[u8]| {
    let Some((&kind, bytes)) = input.split_first() else { return };
    let kind = Kind::of(NAMES[usize::from(kind) % NAMES.len()]).unwrap();
    let palette =
        Palette::from_lump(bytes).or_else(|| Palette::from_pcx(bytes)).unwrap_or_else(Palette::grey);
    let mut options = Options::new(&palette);
    (options.side, options.pictures, options.text, options.shape) = (SIDE, PICTURES, TEXT, SHAPE);
    match preview(kind, bytes, &options) {
        Ok(Preview::Pictures(pictures)) => check(&pictures),
        Ok(Preview::Model(Model { skins, shape, .. })) => {
            for surface in shape.iter().flatten() {
                assert!(surface.triangles.len() <= SHAPE && surface.vertices.len() <= SHAPE * 3);
                let mut numbers = surface.triangles.as_flattened().iter();
                assert!(numbers.all(|number| usize::from(*number) < surface.vertices.len()));
            }
            check(&skins);
        }
        Ok(Preview::Level(Level { title, uses, textures, outline, .. })) => {
            let outline = outline.unwrap_or_default();
            let mut names = uses
                .iter()
                .flat_map(|(_, names)| names)
                .chain(&title)
                .chain(outline.classes.iter().map(|class| &class.name));
            assert!(names.all(|name| is_harmless(name)));
            assert!(outline.lines.len() <= SHAPE);
            assert!(outline.classes.iter().map(|class| class.places.len()).sum::<usize>() <= SHAPE);
            check(&textures);
        }
        Ok(Preview::Sound(sound)) => assert!(sound.seconds.is_finite() && sound.seconds >= 0.0),
        Ok(Preview::Text { text, more }) => {
            assert!(text.chars().count() <= TEXT && is_harmless(&text));
            assert!(more <= bytes.len() as u64);
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().contains(char::is_control)),
    }
    assert!(is_harmless(&readable(bytes)));
});

fn is_harmless(text: &str) -> bool {
    text.chars().all(|letter| matches!(letter, '\n' | '\t') || !letter.is_control())
}

fn check(pictures: &Pictures) {
    assert!(pictures.shown.len() <= PICTURES);
    for picture in &pictures.shown {
        let image = &picture.image;
        assert!((1..=SIDE).contains(&image.width()) && (1..=SIDE).contains(&image.height()));
        assert_eq!(image.rgba().len() as u32, image.width() * image.height() * 4);
        let (media_type, encoded) = image.encode().unwrap();
        let name: &[u8] = if media_type == "image/png" { b"a.png" } else { b"a.jpg" };
        let grey = Palette::grey();
        let mut options = Options::new(&grey);
        options.side = SIDE;
        let Ok(Preview::Pictures(again)) = preview(Kind::of(name).unwrap(), &encoded, &options) else {
            panic!("{media_type}")
        };
        if media_type == "image/png" {
            assert_eq!(again.shown[0].image, *image);
        }
    }
}
