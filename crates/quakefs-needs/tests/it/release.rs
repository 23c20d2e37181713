//! Unused files, and the contents of a release.

use quakefs::disk::MemoryDisk;
use quakefs::{Archive, Engine, Layer, Layout, SearchPath};
use quakefs_needs::{Levels, Trouble};
use testutils::content::level;
use testutils::pack;
use testutils::program::small;

use crate::mount;

fn map(exits: &[&str]) -> Vec<u8> {
    let exit = |exit: &&str| format!("{{ classname trigger_changelevel map {exit} }}");
    let exits = exits.iter().map(exit).collect::<Vec<_>>().concat();
    level([29, 0, 0, 0], format!("{{ classname worldspawn }} {{ classname light_lamp }} {exits}"), &[])
}

#[test]
fn unneeded_files_are_unused_and_may_match_a_missing_name() {
    let files = [
        ("mod/maps/a.bsp", map(&[])),
        ("mod/maps/b_box.bsp", level([29, 0, 0, 0], "{ classname worldspawn }", &[])),
        ("mod/maps/old.lit", Vec::new()),
        ("mod/progs.dat", small()),
        ("mod/progs/lamp.mdl", Vec::new()),
        ("mod/progs/low.mdl", Vec::new()),
        ("mod/progs/spare.mdl", Vec::new()),
        ("mod/sound/lamp/hmu.wav", Vec::new()),
        ("mod/readme.txt", Vec::new()),
        ("BASE/progs/other.mdl", Vec::new()),
    ];
    let search_path = mount(Engine::QuakeSpasm, files);
    let levels = Levels::new(&search_path);
    assert_eq!(levels.own(), ["maps/a.bsp"]);
    let unused = levels.unused().unwrap();
    let shown: Vec<_> = unused
        .iter()
        .map(|file| (file.file.name().to_string(), file.meant.as_ref().map(ToString::to_string)))
        .collect();
    // the program contains the name progs/low.mdl, and may load it in another level
    assert_eq!(
        shown,
        [
            ("maps/b_box.bsp".to_owned(), None),
            ("maps/old.lit".to_owned(), None),
            ("progs/spare.mdl".to_owned(), None),
            ("sound/lamp/hmu.wav".to_owned(), Some("sound/lamp/hum.wav".to_owned())),
        ]
    );
}

/// All pairs of these names would take minutes.
#[test]
fn many_unused_and_missing_names_are_not_compared_in_a_square() {
    let many = testutils::scaled(500, 20_000);
    let exits: Vec<_> = (0..many).map(|number| format!("b_a{number:06}")).collect();
    let exits: Vec<&str> = exits.iter().map(String::as_str).collect();
    let files = (0..many).map(|number| {
        (format!("mod/maps/b_b{number:06}.bsp"), level([29, 0, 0, 0], "{ classname worldspawn }", &[]))
    });
    let files =
        files.chain([("mod/maps/a.bsp".to_owned(), map(&exits)), ("mod/progs.dat".to_owned(), small())]);
    let files: Vec<_> = files.collect();
    let search_path = mount(Engine::QuakeSpasm, files.iter().map(|(path, bytes)| (&**path, bytes.clone())));
    let levels = Levels::new(&search_path);
    let unused = levels.unused().unwrap();
    assert_eq!(unused.len(), many);
    let meant = unused.first().and_then(|file| file.meant.as_ref()).map(ToString::to_string);
    assert_eq!(meant.as_deref(), Some("maps/b_a000000.bsp"));
}

#[test]
fn built_in_files_do_not_belong_to_the_game() {
    let disk = MemoryDisk::new();
    disk.insert("quake/id1/maps/a.bsp", map(&[])).unwrap();
    let built_in = pack(Layout::Quake, [("maps/b.bsp", map(&[]))]);
    let built_in = Archive::from_data(built_in.into()).unwrap();
    let search_path = SearchPath::builder("quake").disk(disk).built_in("built in", built_in).mount().unwrap();
    assert_eq!(Levels::new(&search_path).own(), ["maps/a.bsp"]);
}

#[test]
fn nothing_is_unused_if_the_game_code_is_native_or_no_game_is_played() {
    let search_path = mount(Engine::Quake2, [("mod/models/a.md2", b"")]);
    assert!(matches!(Levels::new(&search_path).unused(), Err(Trouble::NativeCode { .. })));
    let search_path = mount(Engine::TrenchBroom, [("mod/progs/a.mdl", b"")]);
    assert!(matches!(Levels::new(&search_path).unused(), Err(Trouble::NoGame { .. })));
}

#[test]
fn a_release_contains_the_needed_files_that_players_lack() {
    let files = [
        ("mod/maps/a.bsp", map(&["b"])),
        ("mod/maps/b.bsp", map(&["c", "start"])),
        ("mod/maps/a.lit", Vec::new()),
        ("BASE/maps/start.bsp", map(&[])),
        ("mod/progs.dat", small()),
        ("mod/progs/lamp.mdl", Vec::new()),
        ("BASE/progs/player.mdl", Vec::new()),
    ];
    let search_path = mount(Engine::QuakeSpasm, files);
    let levels = Levels::new(&search_path);
    let closure = |exits, all: bool| {
        levels.closure(&["maps/a.bsp"], exits, |layer: &Layer| !all && !levels.is_own(layer))
    };
    let names =
        |exits, all| -> Vec<String> { closure(exits, all).files.keys().map(ToString::to_string).collect() };
    let alone = ["maps/a.bsp", "maps/a.lit", "progs.dat", "progs/lamp.mdl"];
    assert_eq!(names(false, false), alone);
    assert_eq!(names(true, false), ["maps/a.bsp", "maps/a.lit", "maps/b.bsp", "progs.dat", "progs/lamp.mdl"]);
    assert!(names(true, true).contains(&"maps/start.bsp".to_owned()));
    assert_eq!(closure(false, false).players_have, 1);
    let missing: Vec<_> = closure(true, false).missing().iter().map(|need| need.name.to_string()).collect();
    assert_eq!(missing, ["sound/lamp/hum.wav", "maps/c.bsp"]);
}
