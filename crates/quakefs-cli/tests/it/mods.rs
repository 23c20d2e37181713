//! `mods`

use insta::assert_snapshot;
use testutils::game as folder_of;

use crate::{Commands as _, brief, check, game};

#[test]
fn mods_are_listed_with_their_options() {
    assert_snapshot!(game("mods"), @"
    mod     archives  maps  files  bytes  programs   option
    gapmod         4     4      5   1399  -          --game gapmod
    id1            2     4      6   6094  progs.dat  always
    mymod          3     2      6   6109  progs.dat  --game mymod
    ! warning: mymod/notes.pak: [unknown-magic] +help
    ");
    assert_snapshot!(game("--json mods"), @r#"
    {"type":"mod","name":"gapmod","folders":["[GAME]/gapmod"],"archives":4,"unread":[],"levels":4,"programs":[],"files":5,"bytes":1399,"selectable":true,"game":"gapmod","mission":null,"reason":null}
    {"type":"mod","name":"id1","folders":["[GAME]/id1"],"archives":2,"unread":[],"levels":4,"programs":["progs.dat"],"files":6,"bytes":6094,"selectable":true,"game":null,"mission":null,"reason":null}
    {"type":"mod","name":"mymod","folders":["[GAME]/mymod"],"archives":3,"unread":[{"reason":"mymod/notes.pak: [unknown-magic]","help":"[…]"}],"levels":2,"programs":["progs.dat"],"files":6,"bytes":6109,"selectable":true,"game":"mymod","mission":null,"reason":null}
    "#);
}

#[test]
fn a_name_that_the_engine_refuses_is_reported() {
    let folder = folder_of(
        "id1/: a.cfg; hipnotic/pak0.pak: a.cfg; my..mod/: a.cfg; one/: vm/qagame.qvm src/files.dat a.dat \
            b.dat c.dat d.dat",
    );
    folder.write("broken/pak0.pak", "This is no archive.\n");
    assert_snapshot!(folder.check("--basedir [DIR] --engine quakespasm mods"), @"
    mod       archives  maps  files  bytes  programs                  option
    broken           1     -      1     20  -                         --game broken
    hipnotic         1     -      1     95  -                         --mission hipnotic
    id1              -     -      1      9  -                         always
    my..mod          -     -      1     13  -                         no: [stops]
    one              -     -      6     70  a.dat b.dat and 3 others  --game one
    ! warning: broken/pak0.pak: [unknown-magic] +help
    ");
    let quakeworld = folder.check("--basedir [DIR] --engine quakeworld mods");
    assert_eq!(quakeworld.matches("  no: [game-ignored|no-games]\n").count(), 4, "{quakeworld}");
    assert_snapshot!(folder.check("--basedir [DIR] --engine quakespasm --json mods"), @r#"
    {"type":"mod","name":"broken","folders":["[DIR]/broken"],"archives":1,"unread":[{"reason":"broken/pak0.pak: [unknown-magic]","help":"[…]"}],"levels":0,"programs":[],"files":1,"bytes":20,"selectable":true,"game":"broken","mission":null,"reason":null}
    {"type":"mod","name":"hipnotic","folders":["[DIR]/hipnotic"],"archives":1,"unread":[],"levels":0,"programs":[],"files":1,"bytes":95,"selectable":true,"game":null,"mission":"hipnotic","reason":null}
    {"type":"mod","name":"id1","folders":["[DIR]/id1"],"archives":0,"unread":[],"levels":0,"programs":[],"files":1,"bytes":9,"selectable":true,"game":null,"mission":null,"reason":null}
    {"type":"mod","name":"my..mod","folders":["[DIR]/my..mod"],"archives":0,"unread":[],"levels":0,"programs":[],"files":1,"bytes":13,"selectable":false,"game":null,"mission":null,"reason":"[stops]"}
    {"type":"mod","name":"one","folders":["[DIR]/one"],"archives":0,"unread":[],"levels":0,"programs":["a.dat","b.dat","c.dat","d.dat","vm/qagame.qvm"],"files":6,"bytes":70,"selectable":true,"game":"one","mission":null,"reason":null}
    "#);
}

#[test]
fn folders_beside_a_game_are_no_mods_of_their_own() {
    let folder = folder_of(
        "valve/: liblist.gam; valve_hd/: maps/a.bsp; valve_downloads/: maps/b.bsp; cstrike/: liblist.gam \
            maps/c.bsp; cstrike_german/: maps/d.bsp; valve_other/: liblist.gam maps/e.bsp; \
            my_mod/: maps/f.bsp",
    );
    let rows = folder.run("--basedir [DIR] --engine goldsrc --json mods").json();
    let names: Vec<_> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["cstrike", "my_mod", "valve", "valve_other"]);
}

#[test]
fn a_stack_without_a_base_directory_has_no_mods() {
    assert_snapshot!(brief(check("--mount [PAK]/ok/hrot.pak mods")), @"exit 1: error: there is no base directory to search; help: […] with --basedir");
    assert_snapshot!(brief(check("--basedir [PAK] mods")), @"exit 2: error: [PAK]: [no-game-directory] +help");
}
