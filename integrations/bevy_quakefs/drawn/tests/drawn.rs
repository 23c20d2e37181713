//! The picture of a level, by the renderer of this computer or by Mesa's, which needs no graphics card.

use std::path::Path;
use std::process::Command;

use pak_format::Layout;
use testutils::content::{lit_room, palette};
use testutils::{Folder, pack};

const ENTITIES: &str =
    r#"{ "classname" "worldspawn" } { "classname" "info_player_start" "origin" "-200 40 24" "angle" "340" }"#;

/// A lit room whose faces all have the light of the first.
fn room(light: u8) -> Vec<u8> {
    let mut bytes = lit_room(ENTITIES);
    let number = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (faces, lights) = (number(&bytes, 4 + 7 * 8), number(&bytes, 4 + 8 * 8));
    for face in 0..6 {
        bytes[faces + face * 20 + 12..][..8].copy_from_slice(&[0, 255, 255, 255, 0, 0, 0, 0]);
    }
    bytes[lights..].fill(light);
    bytes
}

fn drawn(light: u8, file: &Path) -> image::RgbaImage {
    let folder = Folder::new();
    let files = [("gfx/palette.lmp", palette()), ("maps/room.bsp", room(light))];
    folder.write("id1/pak0.pak", pack(Layout::Quake, files));
    let mut command = Command::new(env!("CARGO_BIN_EXE_drawn"));
    let made = command.arg(folder.path()).arg("room").arg(file).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    image::open(file).unwrap().into_rgba8()
}

/// The mean of red, green and blue.
fn brightness(picture: &image::RgbaImage) -> u64 {
    let all = picture.pixels().flat_map(|pixel| &pixel.0[..3]).map(|part| u64::from(*part));
    all.sum::<u64>() / (u64::from(picture.width() * picture.height()) * 3)
}

#[test]
fn a_level_is_drawn_with_its_textures_and_its_light() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let bright = drawn(128, &folder.join("bright.png"));
    let dim = drawn(40, &folder.join("dim.png"));
    let colours: std::collections::HashSet<_> = bright.pixels().map(|pixel| pixel.0).collect();
    assert!(colours.len() > 100, "{} colours", colours.len());
    assert!(!colours.contains(&[0, 0, 0, 255]), "no wall is missing");
    assert!(brightness(&bright) > 2 * brightness(&dim), "{} {}", brightness(&bright), brightness(&dim));
}

#[test]
fn a_level_that_is_not_there_is_an_error() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", pack(Layout::Quake, [("gfx/palette.lmp", palette())]));
    let file = folder.path().join("none.png");
    let mut command = Command::new(env!("CARGO_BIN_EXE_drawn"));
    let made = command.arg(folder.path()).arg("none").arg(&file).output().unwrap();
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert!(made.status.code() == Some(1) && said.contains("maps/none.bsp"), "{said}");
    assert!(!file.exists());
}
