//! A game with pictures, levels and models: the sample of the page, and the game in its picture.

use pak_format::Layout;

use crate::{content, pack, program};

/// The rows of the palette, 16 shades each: stone, wood, slate, gold.
const ROWS: [[u32; 3]; 4] = [[190, 178, 160], [170, 112, 66], [128, 150, 184], [255, 200, 90]];
const STONE: u8 = 0;
const WOOD: u8 = 16;
const SLATE: u8 = 32;
const GOLD: u8 = 48;

/// The paths and contents of a base game and of a mod with another console background and level, with a text
/// file named like an archive, and levels whose lamp needs a model that is missing. FTE accepts any
/// `gfx/pop.lmp` as proof of a registered game.
#[must_use]
pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    let base = [
        ("gfx/palette.lmp", palette()),
        ("gfx/pop.lmp", content::lump(16, 16)),
        ("gfx/conback.lmp", lump(320, 200, |x, y| wall(WOOD, x, y))),
        ("maps/start.bsp", level("The Entrance", WOOD)),
        ("progs/crystal.mdl", content::moving_mdl()),
        ("quake.rc", b"exec default.cfg\nexec autoexec.cfg\nstartdemos demo1\n".to_vec()),
        ("sound/misc/secret.wav", content::wav(11_025, 9_000)),
    ];
    let first = [
        ("gfx/conback.lmp", lump(320, 200, |x, y| lamp(x, y).unwrap_or_else(|| wall(SLATE, x, y)))),
        ("quake.rc", b"exec default.cfg\nexec cellar.cfg\nexec autoexec.cfg\n".to_vec()),
    ];
    vec![
        ("id1/pak0.pak", pack(Layout::Quake, base)),
        ("cellar/pak0.pak", pack(Layout::Quake, first)),
        (
            "cellar/pak1.pak",
            pack(
                Layout::Quake,
                [("maps/start.bsp", level("The Cellar", SLATE)), ("progs.dat", program::small())],
            ),
        ),
        ("cellar/pak2.pak", pack(Layout::Quake, [("maps/cellar2.bsp", level("Further Down", STONE))])),
        ("cellar/notes.pak", b"To do: light the stairs.\n".to_vec()),
        ("cellar/cellar.cfg", b"gamma 0.9\n".to_vec()),
    ]
}

fn palette() -> Vec<u8> {
    let mut palette: Vec<u8> = Vec::new();
    for row in ROWS {
        for shade in 1..=16 {
            palette.extend(row.map(|part| u8::try_from(part * shade / 16).unwrap()));
        }
    }
    palette.resize(768, 0);
    palette
}

fn lump(width: u32, height: u32, pixel: impl Fn(u32, u32) -> u8) -> Vec<u8> {
    let mut lump = content::lump(width, height);
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    lump.truncate(8);
    lump.extend(pixels.map(|(x, y)| pixel(x, y)));
    lump
}

/// A wall of 32 x 16 stones in different shades, darker towards the bottom.
fn wall(colour: u8, x: u32, y: u32) -> u8 {
    let row = y / 16;
    let x = x + row % 2 * 16;
    let stone = (x / 32 * 7 + row * 5) % 4;
    let (left, top) = (x % 32, y % 16);
    let edge = if left == 0 || top == 0 {
        0
    } else if left == 31 || top == 15 {
        3
    } else {
        6
    };
    colour + u8::try_from((edge + stone) * (320 - y) / 320).unwrap()
}

/// Rings of light around a lamp.
fn lamp(x: u32, y: u32) -> Option<u8> {
    let distance = (x.abs_diff(160).pow(2) + y.abs_diff(80).pow(2)).isqrt();
    let shade = 15_u32.checked_sub(distance / 4)?;
    Some(GOLD + u8::try_from(shade).unwrap())
}

/// A level with a title and two textures.
fn level(title: &str, colour: u8) -> Vec<u8> {
    let entities = format!(
        "{{ \"classname\" \"worldspawn\" \"message\" \"{title}\" }}\n\
         {{ \"classname\" \"info_player_start\" \"origin\" \"-200 0 0\" }}\n\
         {{ \"classname\" \"light_lamp\" \"origin\" \"0 80 0\" }}\n{{ \"classname\" \"light\" \"origin\" \"120 -60 0\" }}\n\
         {{ \"classname\" \"monster_ogre\" \"origin\" \"180 40 0\" }}\n{{ \"classname\" \"trigger_secret\" }}"
    );
    let texture = |name, colour| {
        let mut texture = content::texture(name, 64, 64, None);
        let pixels = (0..64).flat_map(|y| (0..64).map(move |x| wall(colour, x, y)));
        texture.splice(40..40 + 64 * 64, pixels);
        texture
    };
    content::room(&[29, 0, 0, 0], &entities, &[texture("wall", colour), texture("floor", STONE)])
}
