//! Facts about a level.

use quakefs_preview::{Budget, Error, Kind, Level, Options, Palette, Preview, preview};
use testutils::content;

use crate::{limited, look};

fn level_of(name: &str, bytes: &[u8]) -> Level {
    match look(name, bytes) {
        Ok(Preview::Level(level)) => level,
        other => panic!("{other:?}"),
    }
}

const ENTITIES: &str = r#"{
"classname" "worldspawn"
"message" "The Slipgate Complex"
"wad" "gfx/base.wad;gfx/metal.wad"
"sky" "dusk"
}
{
"classname" "trigger_changelevel"
"map" "e1m2"
}
{
"classname" "ambient_generic"
"noise" "ambience/buzz1.wav"
}
{
"classname" "func_door"
"model" "*3"
"noise" "ambience/buzz1.wav"
}
{
"classname" "misc_model"
"model" "progs/flame.mdl"
"map" "nothing of an exit"
}"#;

#[test]
fn a_level_shows_its_title_and_the_files_of_its_entities() {
    for version in [[29, 0, 0, 0], *b"BSP2", *b"2PSB", [30, 0, 0, 0]] {
        let textures = [content::texture("floor", 16, 16, None), content::texture("*lava", 16, 16, None)];
        let level = content::level(version, ENTITIES, &textures);
        let level = level_of("maps/e1m1.bsp", &level);
        assert_eq!((level.title.as_deref(), level.entities), (Some("The Slipgate Complex"), 5));
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(
            level.uses,
            [
                ("models", names(&["progs/flame.mdl"])),
                ("sounds", names(&["ambience/buzz1.wav"])),
                ("WADs", names(&["gfx/base.wad", "gfx/metal.wad"])),
                ("sky", names(&["dusk"])),
                ("exits", names(&["e1m2"])),
            ]
        );
        assert_eq!((level.textures.all, level.textures.shown.len()), (2, 2));
    }
}

#[test]
fn a_level_of_quake_ii_says_its_title() {
    let mut level = b"IBSP\x26\0\0\0".to_vec();
    level.extend([160_u32, 60].into_iter().flat_map(u32::to_le_bytes));
    level.resize(160, 0);
    level.extend(br#"{ "classname" "worldspawn" "message" "Outer Base" "sky" "" }"#);
    let level = level_of("maps/base1.bsp", &level);
    assert_eq!((level.title.as_deref(), level.textures.all), (Some("Outer Base"), 0));
    assert!(level.uses.is_empty());
}

#[test]
fn a_level_whose_textures_are_cut_off_still_says_its_title() {
    let level = content::level([29, 0, 0, 0], ENTITIES, &[content::texture("floor", 16, 16, None)]);
    let level = level_of("maps/e1m1.bsp", &level[..level.len() - 300]);
    assert_eq!((level.entities, level.textures.shown.len(), level.textures.damaged), (5, 0, 1));
}

#[test]
fn a_title_that_steers_a_screen_is_made_harmless() {
    let entities = "{ \"classname\" \"worldspawn\" \"message\" \"\u{1b}[31mred\u{202e}\" }";
    let level = level_of("a.bsp", &content::level([29, 0, 0, 0], entities, &[]));
    assert_eq!(level.title.as_deref(), Some("9[31mred\u{fffd}"));
}

/// Reading the rest of the text at each brace would take hours.
#[test]
fn a_text_of_braces_is_read_once() {
    for end in ["", "\"", "\"classname\""] {
        let level = content::level([29, 0, 0, 0], &("{".repeat(4 << 20) + end), &[]);
        let level = level_of("maps/e1m1.bsp", &level);
        assert_eq!((level.title, level.entities), (None, 1), "{end:?}");
    }
    let text = "{ \"classname\" \"worldspawn\" } { \"message\" \"cut off";
    let level = level_of("a.bsp", &content::level([29, 0, 0, 0], text, &[]));
    assert_eq!(level.entities, 2);
}

#[test]
fn a_budget_is_used_up_by_the_text_and_by_each_texture() {
    let level = content::level(
        [29, 0, 0, 0],
        "{ }",
        &[content::texture("floor", 16, 16, None), content::texture("wall", 16, 16, None)],
    );
    let palette = Palette::grey();
    let of = |steps| {
        let budget = Budget::new(steps);
        preview(Kind::Level, &level, &limited(&palette, &budget))
    };
    let text = 3;
    assert!(of(text + 512).is_ok());
    for steps in [0, text - 1, text, text + 256, text + 511] {
        assert_eq!(of(steps), Err(Error::Budget), "{steps}");
    }
}

const ROOM: &str = r#"{ "classname" "worldspawn" } { "classname" "light" "origin" "0 0 10" }
{ "classname" "light" "origin" " 256 -128.5 0" } { "classname" "monster_ogre" "origin" "-128 64 0" }
{ "classname" "light" "origin" "9000 0 0" } { "classname" "info_null" "origin" "here" } { "classname" "trigger_once" "model" "*1" }"#;

#[test]
fn a_level_has_its_walls_from_above_and_its_entities_by_class() {
    for version in
        [&[29, 0, 0, 0], b"BSP2", b"2PSB", &[30, 0, 0, 0], &b"IBSP\x26\0\0\0"[..], b"IBSP\x2e\0\0\0"]
    {
        let level = level_of("a.bsp", &content::room(version, ROOM, &[]));
        let outline = level.outline.unwrap();
        assert_eq!((outline.corner, outline.units, outline.all), ([-256, 128], [512, 256], 4));
        // floor and ceiling are not walls, and the corners of the room give no lines; north is at the top
        let (east, south) = (65535, 32768);
        let walls = [[0, 0, east, 0], [0, south, east, south], [0, 0, 0, south], [east, 0, east, south]];
        assert_eq!(outline.lines, walls, "{version:?}");
        let classes: Vec<_> =
            outline.classes.iter().map(|class| (&*class.name, class.all, &class.places[..])).collect();
        let (middle, quarter) = (south / 2, 16384);
        let lights = [[32768, middle], [east, south]];
        assert_eq!(classes, [("light", 3, &lights[..]), ("monster_ogre", 1, &[[quarter, 8192]])]);
    }
}

#[test]
fn of_too_many_lines_the_longest_are_shown() {
    let palette = Palette::grey();
    let level = content::room(&[29, 0, 0, 0], ROOM, &[]);
    let mut options = Options::new(&palette);
    options.shape = 2;
    let Ok(Preview::Level(level)) = preview(Kind::Level, &level, &options) else { panic!("no level") };
    let outline = level.outline.unwrap();
    assert_eq!((outline.all, &outline.lines[..]), (4, &[[0, 0, 65535, 0], [0, 32768, 65535, 32768]][..]));
    assert_eq!(outline.classes.iter().map(|class| class.places.len()).sum::<usize>(), 2);
}

#[test]
fn a_level_whose_faces_are_cut_off_still_says_its_title() {
    let mut level = content::room(&[29, 0, 0, 0], ENTITIES, &[]);
    let faces = 4 + 7 * 8;
    level[faces..faces + 4].fill(0xff);
    let level = level_of("a.bsp", &level);
    assert_eq!(level.title.as_deref(), Some("The Slipgate Complex"));
    let error = level.outline.unwrap_err().to_string();
    assert!(error.starts_with("cut off: the faces would end"), "{error}");
}

#[test]
fn faces_that_share_corners_take_steps_from_the_budget() {
    let level = content::room(b"BSP2", "", &[]);
    let palette = Palette::grey();
    let of = |steps| preview(Kind::Level, &level, &limited(&palette, &Budget::new(steps))).map(|_| ());
    assert_eq!(of(24), Ok(()));
    assert_eq!(of(23), Err(Error::Budget));
}
