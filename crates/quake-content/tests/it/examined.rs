//! Files as an engine reads them at a load.

use quake_content::{ErrorKind, Format, WadKind};
use testutils::{content, program};

/// A whole file of each format.
fn whole() -> Vec<(&'static str, Vec<u8>)> {
    let textures = [content::texture("floor", 16, 16, None)];
    let world = "{ classname worldspawn }";
    let entries = [("PIC", 0x42, content::lump(8, 8)), ("floor", 0x44, textures[0].clone())];
    vec![
        ("maps/a.bsp", content::level([29, 0, 0, 0], world, &textures)),
        ("maps/room.bsp", content::room(b"BSP2", world, &textures)),
        ("progs/a.mdl", content::moving_mdl()),
        ("progs/a.md2", content::solid_md2("a.pcx")),
        ("progs/a.md3", content::solid_md3("a")),
        ("progs/a.spr", content::sprite(2, 8, 8)),
        ("sound/a.wav", content::wav(11_025, 100)),
        ("music/a.ogg", content::ogg(44_100, 100)),
        ("gfx/a.lmp", content::lump(24, 24)),
        ("textures/a.wal", content::wal(16, 16)),
        ("textures/a.m8", content::m8(16, 16, &content::palette())),
        ("textures/a.m32", content::m32(16, 16)),
        ("pics/a.pcx", content::pcx(4, 4, &content::palette())),
        ("gfx/a.png", content::png(4, 4)),
        ("gfx.wad", content::wad(b"WAD2", &entries)),
        ("progs.dat", program::small()),
    ]
}

fn examined(name: &str, bytes: &[u8], size: u64) -> Result<(), quake_content::Error> {
    Format::of(name.as_bytes()).unwrap().examine(bytes, size).map(drop)
}

#[test]
fn a_whole_file_is_good_and_an_empty_one_is_not() {
    for (name, bytes) in whole() {
        assert_eq!(examined(name, &bytes, bytes.len() as u64), Ok(()), "{name}");
        assert!(examined(name, &[], 0).is_err(), "{name}");
        // a lump may be any bytes whose meaning the engine knows
        let is_any = name == "gfx/a.lmp";
        assert!(is_any || examined(name, b"This is a text, and no such file at all", 39).is_err(), "{name}");
    }
}

/// Of most formats the start is enough, which a ZIP decodes in a moment.
#[test]
fn a_file_that_is_cut_off_is_not_good() {
    // their headers do not tell where they end
    let open = ["music/a.ogg", "sound/a.wav", "pics/a.pcx"];
    for (name, bytes) in whole().into_iter().filter(|(name, _)| !open.contains(name)) {
        let cut = &bytes[..bytes.len() - 1];
        let format = Format::of(name.as_bytes()).unwrap();
        let start = &cut[..cut.len().min(Format::START)];
        let is_enough = !format.reads_all(start);
        assert!(examined(name, cut, cut.len() as u64).is_err(), "{name}");
        if is_enough {
            assert!(examined(name, start, cut.len() as u64).is_err(), "{name}");
        }
    }
}

#[test]
fn another_version_and_a_table_with_a_part_of_a_row_are_not_good() {
    let mut model = content::solid_mdl();
    model[4] = 7;
    let error = examined("a.mdl", &model, model.len() as u64).unwrap_err();
    assert_eq!(error.to_string(), "a model of version 7, and engines load version 6");
    let mut level = content::room(&[29, 0, 0, 0], "{ classname worldspawn }", &[]);
    level[4 + 8 + 4] += 1;
    let error = examined("a.bsp", &level, level.len() as u64).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Rows { what: "planes", row: 20, .. }), "{error}");
}

#[test]
fn the_error_of_a_wad_names_the_entry() {
    let mut huge = content::texture("glass", 16, 16, None);
    huge[16..20].copy_from_slice(&1600_u32.to_le_bytes());
    let uneven = content::texture("wall", 24, 20, None);
    for (name, kind, bytes, expected) in [
        ("glass", 0x44, huge, "glass: a picture of 1600 x 16 pixels, which the file does not hold"),
        ("wall", 0x44, uneven, "wall: a texture of 24 x 20 pixels: both have to be multiples of 16"),
        ("sb", 0x42, vec![0; 3], "sb: cut off: the width would end at byte 4, and the file ends at 3"),
    ] {
        let wad = content::wad(b"WAD2", &[(name, kind, bytes)]);
        assert_eq!(examined("a.wad", &wad, wad.len() as u64).unwrap_err().to_string(), expected);
    }
    // the console's letters have the type of a texture
    let letters = content::wad(b"WAD2", &[("CONCHARS", 0x44, vec![1; 128 * 128])]);
    assert_eq!(examined("gfx.wad", &letters, letters.len() as u64), Ok(()));
}

#[test]
fn the_spray_of_half_life_is_a_texture_under_the_number_of_a_palette() {
    let spray = content::texture("{LOGO", 16, 16, Some(&content::palette()));
    let kinds = |magic, bytes: &[u8]| {
        let wad = content::wad(magic, &[("tempdecal", 0x40, bytes.to_vec())]);
        let kind = quake_content::Wad::parse(&wad).unwrap().entries().next().unwrap().kind;
        (kind, examined("tempdecal.wad", &wad, wad.len() as u64).is_ok())
    };
    assert_eq!(kinds(b"WAD3", &spray), (WadKind::Decal, true));
    assert_eq!(kinds(b"WAD3", &spray[..spray.len() - 1]), (WadKind::Decal, false));
    assert_eq!(kinds(b"WAD3", &content::palette()), (WadKind::Palette, true));
    assert_eq!(kinds(b"WAD2", &spray), (WadKind::Palette, true));
}

#[test]
fn counts_and_versions_tell_what_engines_limit() {
    let model = Format::Model.examine(&content::moving_mdl(), content::moving_mdl().len() as u64).unwrap();
    let count = |what| model.counts.iter().find(|(of, _)| *of == what).unwrap().1;
    assert!(model.version == "6" && count("vertices") > 2 && count("frames") > 1 && count("skins") == 1);
    let of = |version: [u8; 4]| {
        let level = content::level(version, "", &[]);
        Format::Level.examine(&level, level.len() as u64).unwrap().version.into_owned()
    };
    assert_eq!([of([29, 0, 0, 0]), of([30, 0, 0, 0]), of(*b"2PSB")], ["29", "30", "2PSB"]);
}
