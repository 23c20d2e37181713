//! WADs that are made, changed, and shown as pictures.

use std::fs;

use proptest::prelude::*;
use quake_content::{MipTexture, Palette, WadKind, WadVersion};
use quakefs::archive::OpenOptions;
use quakefs::pak_format::{Source, WriteOptions};
use quakefs::{Archive, Engine, FileData};
use quakefs_archives::{
    Collection, Contents, Diff, DigestOptions, Editor, Lump, WadContents, lumps, wad_builder,
};
use testutils::content::{level, lump, palette, texture, wad};

fn open(bytes: Vec<u8>) -> Archive {
    Archive::from_data(FileData::from(bytes)).unwrap()
}

fn named(archive: &Archive) -> Vec<(String, Vec<u8>)> {
    archive.entries().map(|entry| (entry.name().to_string(), entry.read().unwrap().to_vec())).collect()
}

/// A PNG of true colours.
fn png(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let rgba: Vec<u8> = pixels.flat_map(|(x, y)| pixel(x, y)).collect();
    encoder.write_header().unwrap().write_image_data(&rgba).unwrap();
    bytes
}

fn of_file(path: &str, bytes: &[u8], version: WadVersion) -> Lump {
    Lump::of_file(path.as_bytes(), bytes, version, &Palette::quake()).unwrap()
}

fn refused(path: &str, bytes: &[u8], version: WadVersion) -> &'static str {
    Lump::of_file(path.as_bytes(), bytes, version, &Palette::quake()).unwrap_err().name()
}

#[test]
fn entries_become_pictures_and_pictures_the_same_entries() {
    let colours = palette();
    for (magic, version, kind) in [(b"WAD2", WadVersion::Wad2, 0x44), (b"WAD3", WadVersion::Wad3, 0x43)] {
        let own = (version == WadVersion::Wad3).then_some(&*colours);
        let mut before = vec![
            ("*lava1", kind, texture("*lava1", 32, 16, own)),
            ("{fence", kind, texture("{fence", 16, 16, own)),
            ("palette", 0x40, colours.clone()),
            ("notes", 0x45, b"other bytes".to_vec()),
        ];
        if version == WadVersion::Wad2 {
            before.push(("num_0", 0x42, lump(24, 24)));
            before.push(("conchars", 0x44, vec![3; 128 * 128]));
        }
        let archive = open(wad(magic, &before));
        let contents = WadContents::of(&archive).unwrap();
        assert_eq!((contents.version(), contents.is_level()), (version, false));
        let shown = contents.as_pictures(Some(&Palette::quake()));
        let names: Vec<_> = shown.entries().map(|entry| entry.name().to_string()).collect();
        assert_eq!(names[..4], ["#lava1.png", "{fence.png", "palette.lmp", "notes.lmp"]);
        for (index, (name, kind, bytes)) in before.iter().enumerate() {
            let file = shown.entry(index).unwrap();
            let made = of_file(&file.name().to_string(), &file.read().unwrap(), version);
            assert_eq!((String::from_utf8(made.name).unwrap(), made.kind), ((*name).to_owned(), *kind));
            assert_eq!(made.missing_colours, None);
            if *kind == 0x43 || *kind == 0x44 && bytes.len() != 128 * 128 {
                let has_palette = version == WadVersion::Wad3;
                let (old, new) =
                    (MipTexture::parse(bytes, has_palette), MipTexture::parse(&made.bytes, has_palette));
                let (old, new) = (old.unwrap(), new.unwrap());
                assert_eq!(old.picture(0).unwrap(), new.picture(0).unwrap(), "{name}");
                assert_eq!(old.palette(), new.palette());
            } else {
                assert_eq!(made.bytes, *bytes, "{name}");
            }
        }
    }
}

#[test]
fn colours_beyond_the_palette_are_counted_and_are_not_bright() {
    let quake = Palette::quake();
    // one colour of the palette, and one between two
    let [red, green, blue] = quake.colour(20);
    let made = of_file(
        "textures/brick.png",
        &png(16, 16, |x, _| if x < 4 { [1, 2, 250, 255] } else { [red, green, blue, 255] }),
        WadVersion::Wad2,
    );
    let missing_colours = made.missing_colours.unwrap();
    assert_eq!((missing_colours.colours, missing_colours.pixels, missing_colours.of), (1, 64, 256));
    let texture = MipTexture::parse(&made.bytes, false).unwrap();
    let pixels = texture.picture(0).unwrap().unwrap().pixels;
    assert_eq!(pixels[4], 20);
    assert_eq!(pixels[0], quake.nearest([1, 2, 250], 0..=223));
}

#[test]
fn transparent_pixels_are_holes_only_under_certain_names() {
    let half = png(16, 16, |x, _| [10, 20, 30, if x < 8 { 0 } else { 255 }]);
    for version in [WadVersion::Wad2, WadVersion::Wad3] {
        let hole = |name: &str| {
            let made = of_file(name, &half, version);
            let texture = MipTexture::parse(&made.bytes, version == WadVersion::Wad3).unwrap();
            let pixels = texture.picture(0).unwrap().unwrap().pixels;
            (pixels[0], pixels[15] == 255)
        };
        assert_eq!(hole("{fence.png"), (255, false));
        assert_ne!(hole("fence.png").0, 255);
    }
}

/// A PNG with a palette, and the number of the colour of each pixel of a row.
fn indexed(colours: &[[u8; 3]], number: impl Fn(u8) -> u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 16, 16);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(colours.as_flattened());
    let mut writer = encoder.write_header().unwrap();
    let pixels: Vec<u8> = (0..16).flat_map(|_| 0..16).map(number).collect();
    writer.write_image_data(&pixels).unwrap();
    drop(writer);
    bytes
}

#[test]
fn the_last_colour_of_half_life_and_blue_are_holes() {
    let greys: Vec<[u8; 3]> = (0..=255).map(|grey| [grey; 3]).collect();
    let few = [[0, 0, 0], [255, 255, 255], [0, 0, 255]];
    for (image, hole) in [
        (indexed(&greys, |x| if x == 3 { 255 } else { x }), 3),
        (indexed(&few, |x| if x == 5 { 2 } else { x % 2 }), 5),
    ] {
        let made = of_file("{decal.png", &image, WadVersion::Wad3);
        assert_eq!(made.missing_colours, None);
        let texture = MipTexture::parse(&made.bytes, true).unwrap();
        let pixels = texture.picture(0).unwrap().unwrap().pixels;
        assert!(pixels.iter().enumerate().all(|(at, pixel)| (*pixel == 255) == (at % 16 == hole)));
    }
    assert_eq!(of_file("plain.png", &indexed(&few, |x| x % 3), WadVersion::Wad3).missing_colours, None);
}

#[test]
fn a_transparent_colour_of_half_life_leaves_the_last_one_solid() {
    let greys: Vec<[u8; 3]> = (0..=255).map(|grey| [grey; 3]).collect();
    let mut image = indexed(&greys, |x| if x == 3 { 255 } else { x });
    let content = b"tRNS\0";
    let crc = testutils::raw_zip::crc_of(content).to_be_bytes();
    let transparent = [&[0, 0, 0, 1], &content[..], &crc].concat();
    let at = image.windows(4).position(|bytes| bytes == b"IDAT").unwrap() - 4;
    image.splice(at..at, transparent);
    let made = of_file("{fence.png", &image, WadVersion::Wad3);
    let texture = MipTexture::parse(&made.bytes, true).unwrap();
    let pixels = texture.picture(0).unwrap().unwrap().pixels;
    let colour = |x: usize| texture.palette().unwrap()[usize::from(pixels[x])];
    assert_eq!((pixels[0], pixels[3] == 255, colour(3), colour(4)), (255, false, [255; 3], [4; 3]));
}

#[test]
fn the_advice_about_many_colours_fits_the_limit() {
    let solid = png(32, 16, |x, y| [u8::try_from(x).unwrap(), u8::try_from(y).unwrap(), 0, 255]);
    for (name, limit, advised) in
        [("a.png", "at most 256", "256 colours"), ("{a.png", "at most 255", "the hole")]
    {
        let error = Lump::of_file(name.as_bytes(), &solid, WadVersion::Wad3, &Palette::quake()).unwrap_err();
        assert!(
            error.to_string().contains(limit) && error.help().contains(advised),
            "{error}: {}",
            error.help()
        );
    }
    // as the advice says
    let greys: Vec<[u8; 3]> = (0..=255).map(|grey| [grey; 3]).collect();
    assert_eq!(of_file("{a.png", &indexed(&greys, |x| x), WadVersion::Wad3).missing_colours, None);
}

#[test]
fn a_texture_of_half_life_has_the_colours_of_its_file_and_at_most_256() {
    let many = png(32, 32, |x, y| [u8::try_from(x).unwrap(), u8::try_from(y).unwrap(), 0, 255]);
    assert_eq!(refused("a.png", &many, WadVersion::Wad3), "too-many-colours");
    let few = png(16, 16, |x, y| [u8::try_from(x * 16 + y).unwrap(), 7, 9, 255]);
    let made = of_file("a.png", &few, WadVersion::Wad3);
    assert_eq!((made.kind, made.missing_colours), (0x43, None));
    let texture = MipTexture::parse(&made.bytes, true).unwrap();
    let picture = texture.picture(0).unwrap().unwrap();
    let colour = texture.palette().unwrap()[usize::from(picture.pixels[5 * 16 + 3])];
    assert_eq!(colour, [3 * 16 + 5, 7, 9]);
}

#[test]
fn files_that_no_wad_has_are_refused() {
    let kind = |path: &str, bytes: &[u8]| refused(path, bytes, WadVersion::Wad2);
    assert_eq!(kind("readme.txt", b"hello"), "unknown");
    assert_eq!(kind("brick.tga", &[0; 40]), "unknown");
    assert_eq!(kind("a.png", b"no PNG"), "png");
    assert_eq!(kind("a.png", &png(16, 16, |_, _| [0; 4])[..50]), "png");
    assert_eq!(kind("a.png", &png(20, 16, |_, _| [0, 0, 0, 255])), "content");
    // a few bytes that claim many pixels
    let mut claims = png(16, 16, |_, _| [0, 0, 0, 255]);
    claims[16..24].copy_from_slice(&[0, 0, 16, 0, 0, 0, 16, 0]);
    let crc = testutils::raw_zip::crc_of(&claims[12..29]);
    claims[29..33].copy_from_slice(&crc.to_be_bytes());
    assert_eq!(kind("a.png", &claims), "too-large");
}

#[test]
fn textures_of_a_level_become_a_wad_of_its_version() {
    let colours = palette();
    let map = open(level([29, 0, 0, 0], "{}", &[texture("wall", 16, 16, None)]));
    let files: Vec<_> = map.files("start.bsp").collect();
    let made = lumps(&files, WadVersion::Wad2, &Palette::quake());
    let made: Vec<_> = made.into_iter().map(Result::unwrap).collect();
    assert_eq!((made[0].kind, &made[0].bytes), (0x44, &texture("wall", 16, 16, None)));
    // as one of Half-Life it has a palette, and back it is what it was
    let made = lumps(&files, WadVersion::Wad3, &Palette::quake()).remove(0).unwrap();
    let texture_of_3 = MipTexture::parse(&made.bytes, true).unwrap();
    assert_eq!(texture_of_3.palette().unwrap(), Palette::quake().colours());
    let map = open(level([30, 0, 0, 0], "{}", &[texture("wall", 16, 16, Some(&colours))]));
    assert_eq!(WadContents::of(&map).unwrap().version(), WadVersion::Wad3);
    let files: Vec<_> = map.files("hl.bsp").collect();
    let made = lumps(&files, WadVersion::Wad2, &Palette::quake()).remove(0).unwrap();
    assert!(made.missing_colours.is_some());
}

#[test]
fn pictures_and_the_font_convert_to_the_other_version() {
    let font = vec![3; 128 * 128];
    let archive = open(wad(b"WAD2", &[("num_0", 0x42, lump(24, 24)), ("conchars", 0x44, font.clone())]));
    let contents = WadContents::of(&archive).unwrap();
    let made = contents.lump(0, WadVersion::Wad3, &Palette::quake()).unwrap();
    assert_eq!((made.kind, made.bytes.len()), (0x42, 8 + 24 * 24 + 2 + 768 + 2));
    assert_eq!(made.bytes[..8 + 24 * 24], lump(24, 24));
    let made_font = contents.lump(1, WadVersion::Wad3, &Palette::quake()).unwrap();
    assert_eq!(made_font.bytes, font);
    // and back
    let archive = open(wad(b"WAD3", &[("num_0", 0x42, made.bytes)]));
    let made = WadContents::of(&archive).unwrap().lump(0, WadVersion::Wad2, &Palette::quake()).unwrap();
    assert_eq!((made.bytes, made.missing_colours), (lump(24, 24), None));
}

#[test]
fn a_wad_is_changed_with_the_kinds_of_its_entries_and_renamed_textures_have_the_name_inside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wad");
    let bytes = wad(
        b"WAD2",
        &[("Brick", 0x44, texture("Brick", 16, 16, None)), ("pic", 0x42, lump(8, 8)), ("odd", 0x99, vec![1])],
    );
    fs::write(&path, &bytes).unwrap();
    let mut editor = Editor::open(&path).unwrap();
    assert_eq!(editor.wad(), Some(WadVersion::Wad2));
    assert!(editor.add("BRICK", Source::bytes([])).is_err(), "engines take names without case");
    editor.rename("brick", "*water").unwrap();
    editor.add("new", Source::bytes(lump(4, 4))).unwrap();
    editor.set_kind("new", 0x42);
    assert_eq!(editor.remove_where(|name| name == "pic"), 1);
    assert!(editor.check().is_empty());
    editor.commit(None).unwrap();
    let archive = Archive::open(&path).unwrap();
    let contents = WadContents::of(&archive).unwrap();
    let kinds: Vec<_> = (0..3).map(|entry| contents.kind(entry).unwrap()).collect();
    assert_eq!(kinds, [WadKind::Texture, WadKind::Other(0x99), WadKind::Picture]);
    let files = named(&archive);
    assert_eq!(files[0], ("*water".to_owned(), texture("*water", 16, 16, None)));
    assert_eq!(files[1], ("odd".to_owned(), vec![1]));
    let mut editor = Editor::open(&path).unwrap();
    editor.add("sixteen_letters_", Source::bytes([])).unwrap();
    assert_eq!(editor.check().len(), 1);
}

#[test]
fn a_level_cannot_be_changed_as_an_archive() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bsp");
    fs::write(&path, level([29, 0, 0, 0], "{}", &[texture("wall", 16, 16, None)])).unwrap();
    assert!(Editor::open(&path).is_err());
}

#[test]
fn a_written_wad_equals_one_of_other_tools() {
    let entries = [("brick", 0x44, texture("brick", 16, 16, None)), ("pic", 0x42, lump(3, 2))];
    let mut builder = wad_builder(WadVersion::Wad2);
    for (name, kind, bytes) in &entries {
        builder.push(name, Source::bytes(bytes)).kind(*kind);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wad");
    builder.write_file(&path, &WriteOptions::default()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), wad(b"WAD2", &entries));
}

/// A texture with other bytes of no meaning: after its name, and between its copies.
fn with_other_bytes(name: &str) -> Vec<u8> {
    let mut bytes = texture(name, 16, 16, None);
    bytes[15] = 7;
    bytes.splice(40..40, [1, 2, 3, 4]);
    for at in [24, 28, 32, 36] {
        let offset = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) + 4;
        bytes[at..at + 4].copy_from_slice(&offset.to_le_bytes());
    }
    bytes
}

/// A texture with one other pixel.
fn with_another_pixel(name: &str) -> Vec<u8> {
    let mut bytes = texture(name, 16, 16, None);
    bytes[50] ^= 1;
    bytes
}

#[test]
fn textures_differ_by_their_pixels_and_not_by_bytes_of_no_meaning() {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, textures: &[(&str, u8, Vec<u8>)]| {
        let path = folder.path().join(file);
        fs::write(&path, wad(b"WAD2", textures)).unwrap();
        Contents::of(path, Engine::QuakeSpasm.rules(), &OpenOptions::new()).unwrap()
    };
    let old = write(
        "old.wad",
        &[("brick", 0x44, texture("brick", 16, 16, None)), ("wall", 0x44, texture("wall", 16, 16, None))],
    );
    let new = write(
        "new.wad",
        &[("brick", 0x44, with_other_bytes("brick")), ("wall", 0x44, with_another_pixel("wall"))],
    );
    let diff = Diff::new(&old, &new, None);
    let names: Vec<_> = diff.changes.iter().map(|change| change.name().to_string()).collect();
    assert_eq!((diff.same, names), (1, vec!["wall".to_owned()]));
}

#[test]
fn a_name_of_several_contents_is_found_in_wads_and_levels() {
    let folder = tempfile::tempdir().unwrap();
    let brick = texture("brick", 16, 16, None);
    let files = [
        (
            "a.wad",
            wad(b"WAD2", &[("brick", 0x44, brick.clone()), ("wall", 0x44, texture("wall", 16, 16, None))]),
        ),
        (
            "b.wad",
            wad(
                b"WAD2",
                &[("Brick", 0x44, with_other_bytes("Brick")), ("wall", 0x44, with_another_pixel("wall"))],
            ),
        ),
        ("c.bsp", level([29, 0, 0, 0], "{}", &[brick, with_another_pixel("alone")])),
    ];
    let paths = files.map(|(name, bytes)| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    });
    let found = Collection::search(&paths).differing(&DigestOptions::default());
    assert!(found.faults.is_empty());
    assert_eq!((found.archives, found.shared), (3, 2));
    let names: Vec<_> = found.names.iter().map(|name| (name.name.to_string(), name.contents.len())).collect();
    assert_eq!(names, [("wall".to_owned(), 2)]);
}

/// The bytes that tools leave where no engine looks.
fn with_tail(mut bytes: Vec<u8>, tail: &[u8]) -> Vec<u8> {
    bytes.extend(tail);
    bytes
}

/// Each entry through its file, as kind and bytes by name.
fn there_and_back(magic: &[u8; 4], version: WadVersion, entries: &[(&str, u8, Vec<u8>)]) -> Vec<String> {
    let archive = open(wad(magic, entries));
    let shown = WadContents::of(&archive).unwrap().as_pictures(None);
    let mut wrong = Vec::new();
    for (file, (name, kind, bytes)) in shown.entries().zip(entries) {
        let path = file.name().to_string();
        match Lump::of_file(path.as_bytes(), &file.read().unwrap(), version, &Palette::quake()) {
            Ok(made) if (&*made.name, made.kind, &made.bytes) == (name.as_bytes(), *kind, bytes) => {}
            made => wrong.push(format!("{name} as {path}: {:x?}", made.map(|made| (made.name, made.kind)))),
        }
    }
    wrong
}

#[test]
fn files_of_a_wad_become_the_same_entries_byte_for_byte() {
    let colours = palette();
    let own = Some(&*colours);
    let font = [vec![0; 16 + 1024], vec![7; 256 * 16], vec![0, 1], colours.clone(), vec![0; 64]].concat();
    let picture = [lump(8, 8), vec![0, 1], colours.clone(), vec![9, 9]].concat();
    let few = [texture("few", 16, 16, Some(&colours[..30])), vec![0, 0]].concat();
    let entries = [
        ("font0", 0x46, font),
        ("tempdecal", 0x40, with_tail(texture("{LOGO", 16, 16, own), &[0, 0])),
        ("palette", 0x40, colours.clone()),
        ("large", 0x40, vec![5; 900]),
        ("{fence", 0x43, with_tail(texture("{FENCE", 16, 16, own), &[1, 2])),
        ("*water", 0x43, texture("*water", 32, 16, own)),
        ("#hash", 0x43, texture("#hash", 16, 16, own)),
        ("uneven", 0x43, texture("uneven", 24, 20, own)),
        ("few", 0x43, few),
        ("num_0", 0x42, picture),
        ("dds", 0x41, vec![1, 2, 3]),
        ("script", 0x44, b"text".to_vec()),
        ("notes", 0x45, b"text".to_vec()),
        ("conchars", 0x43, vec![3; 128 * 128]),
        ("a.0x40", 0x43, texture("a.0x40", 16, 16, own)),
        ("b.0x46", 0x45, b"text".to_vec()),
    ];
    assert_eq!(there_and_back(b"WAD3", WadVersion::Wad3, &entries), [""; 0]);
    let entries = [
        ("+0wall", 0x44, with_other_bytes("+0wall")),
        ("num_0", 0x42, with_tail(lump(24, 24), &[0, 7])),
        ("conchars", 0x44, vec![3; 128 * 128]),
        ("odd", 0x99, vec![1]),
    ];
    assert_eq!(there_and_back(b"WAD2", WadVersion::Wad2, &entries), [""; 0]);
}

#[test]
fn a_texture_whose_name_fills_its_field_is_shown() {
    let stored = texture("sixteen_letters_", 16, 16, None);
    let archive = open(wad(b"WAD2", &[("sixteen_letters_", 0x44, stored)]));
    let shown = WadContents::of(&archive).unwrap().as_pictures(None);
    assert!(shown.read(0).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_changed_or_renamed_picture_of_a_wad_is_not_the_entry_that_it_was() {
    let colours = palette();
    let stored = with_tail(texture("wall", 16, 16, Some(&colours)), &[1, 2]);
    let other = texture("wall", 16, 16, Some(&colours.iter().map(|part| part / 2).collect::<Vec<_>>()));
    let shown = |bytes: &[u8]| {
        let archive = open(wad(b"WAD3", &[("wall", 0x43, bytes.to_vec())]));
        let shown = WadContents::of(&archive).unwrap().as_pictures(None);
        shown.read(0).unwrap().to_vec()
    };
    let png = shown(&stored);
    let renamed = of_file("brick.png", &png, WadVersion::Wad3);
    assert_eq!((&renamed.bytes[..6], &renamed.bytes[16..]), (&b"brick\0"[..], &stored[16..]));
    // a program that keeps the chunk beside other colours
    let chunk = |png: &[u8]| {
        let at = png.windows(4).position(|bytes| bytes == b"quWD").unwrap() - 4;
        let length = u32::from_be_bytes(png[at..at + 4].try_into().unwrap()) as usize;
        at..at + 12 + length
    };
    let mut changed = shown(&other);
    changed.splice(chunk(&changed), png[chunk(&png)].iter().copied());
    assert_eq!(of_file("wall.png", &changed, WadVersion::Wad3).bytes[382..382 + 768], other[382..382 + 768]);
    // and one in a WAD of the other version
    let made = of_file("wall.png", &png, WadVersion::Wad2);
    assert_eq!((made.kind, made.bytes.len()), (0x44, 40 + 340));
}

/// Some bytes with a few of them changed: two bytes say where, and one to what.
fn changed(mut bytes: Vec<u8>, changes: &[u8]) -> Vec<u8> {
    for change in changes.chunks_exact(3).take(8) {
        let at = (usize::from(change[0]) << 8 | usize::from(change[1])) % bytes.len();
        bytes[at] = change[2];
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_an_entry_or_refused(
        bytes in proptest::collection::vec(any::<u8>(), 0..1200),
        name in "[#*{a-z]{0,18}(\\.png|\\.pic\\.png|\\.lmp|\\.mip|)",
        like in 0..3_usize,
    ) {
        let picture = png(16, 16, |x, _| [u8::try_from(x).unwrap(), 0, 0, 255]);
        let start = [Vec::new(), picture, texture("a", 16, 16, None)];
        let bytes = if start[like].is_empty() { bytes } else { changed(start[like].clone(), &bytes) };
        for version in [WadVersion::Wad2, WadVersion::Wad3] {
            if let Ok(lump) = Lump::of_file(name.as_bytes(), &bytes, version, &Palette::quake()) {
                prop_assert!(lump.name.len() <= 18);
            }
        }
    }

    #[test]
    fn a_damaged_wad_or_level_affects_only_its_entries(
        places in proptest::collection::vec((any::<u16>(), any::<u8>()), 0..12),
        which in 0..3_usize,
    ) {
        let a = texture("a", 16, 16, None);
        let entries = [("a", 0x44, a), ("b", 0x42, lump(8, 8)), ("c", 0x45, vec![1, 2])];
        let mut bytes = match which {
            0 => wad(b"WAD2", &entries),
            1 => wad(b"WAD3", &entries),
            _ => level([29, 0, 0, 0], "{}", &[texture("a", 16, 16, None), texture("b", 16, 16, None)]),
        };
        for (at, byte) in places {
            let at = usize::from(at) % bytes.len();
            bytes[at] = byte;
        }
        let Ok(archive) = Archive::from_data(FileData::from(bytes)) else { return Ok(()) };
        let Some(contents) = WadContents::of(&archive) else { return Ok(()) };
        for entry in contents.as_pictures(None).entries() {
            let _ = entry.read();
        }
        for entry in 0..archive.entries().len() {
            let _ = contents.lump(entry, WadVersion::Wad3, &Palette::quake());
        }
    }
}

/// A WAD whose textures all have the same bytes.
fn shared(count: u32) -> Vec<u8> {
    let texture = texture("shared", 1 << 11, 1 << 10, None);
    let size = u32::try_from(texture.len()).unwrap();
    let mut wad = [&b"WAD2"[..], &count.to_le_bytes(), &(12 + size).to_le_bytes(), &texture].concat();
    for number in 0..count {
        wad.extend([12, size, size].iter().flat_map(|number| number.to_le_bytes()));
        wad.extend([0x44, 0, 0, 0]);
        let mut name = format!("t{number}").into_bytes();
        name.resize(16, 0);
        wad.extend(name);
    }
    wad
}

/// Two WADs of 3 MB with 20,000 textures on the same bytes took more than 100 seconds.
#[test]
fn textures_that_share_bytes_are_read_within_a_budget() {
    let folder = testutils::Folder::new();
    folder.write("old.wad", shared(20_000));
    folder.write("new.wad", shared(20_000));
    let begun = std::time::Instant::now();
    let contents = ["old.wad", "new.wad"].map(|name| {
        let rules = Engine::default().rules();
        Contents::of(folder.join(name), rules, &OpenOptions::new()).unwrap()
    });
    let diff = Diff::new(&contents[0], &contents[1], Some(1 << 24));
    assert!(diff.not_compared.len() > 10_000 && diff.changes.is_empty());
    let opened = OpenOptions::new().open(folder.join("old.wad")).unwrap();
    let pictures = WadContents::of(&opened).unwrap().as_pictures(None);
    let error = pictures.entry(19_999).unwrap().check().unwrap_err();
    assert!(error.reason().contains("more than the limit"), "{}", error.reason());
    assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{:?}", begun.elapsed());
}
