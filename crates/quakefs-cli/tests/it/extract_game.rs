//! `quakefs extract`: the merged tree.

use insta::assert_snapshot;
use testutils::Folder;

use crate::Commands as _;

#[test]
fn extract_of_a_game_writes_the_merged_tree() {
    let folder = Folder::new();
    assert_snapshot!(folder.check("--basedir [GAME] --game mymod extract -o [DIR]/out"), @"wrote 17 files (689 bytes) to [DIR]/out");
    assert_snapshot!(folder.tree("out"), @r"
    autoexec.cfg: echo as id1/ has it\n
    config.cfg: sensitivity 5\n
    default.cfg: bind ESCAPE togglemenu\nbind TAB +showscores\n
    gfx/conback.lmp: a picture: behind the console\n
    maps/e1m1.bsp: a level: e1m1, as id1/pak0.pak has it\n
    maps/e2m1.bsp: a level: e2m1, as id1/pak1.pak has it\n
    maps/mine.bsp: a level: mine, loose in id1/\n
    maps/mymod1.bsp: a level: mymod1, as mymod/pak1.pak has it\n
    maps/start.bsp: a level: start, as mymod/pak1.pak has it\n
    notes.pak: To do: a better ogre. This is a text, whatever its name says.\n
    progs/ogre.mdl: a model: an ogre, loose in mymod/\n
    progs/player.mdl: a model: the player, as id1/pak0.pak has it\n
    progs/shambler.mdl: a model: a shambler, as id1/pak1.pak has it\n
    progs.dat: the game\'s rules, as mymod/pak0.pak has them\n
    quake.rc: exec default.cfg\nexec config.cfg\nexec autoexec.cfg\n
    sound/misc/secret.wav: a sound: a secret is found, as mymod/pak0.pak has it\n
    sound/ogre/ogdrag.wav: a sound: an ogre drags its chainsaw, as id1/pak0.pak has it\n
    ");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn extract_of_a_game_writes_the_names_that_match() {
    let folder = Folder::new();
    assert_snapshot!(folder.check("--basedir [GAME] --json extract maps/*.bsp -o [DIR]/out"), @r#"
    {"type":"extracted","name":"maps/e1m1.bsp","from":"id1/pak0.pak: entry 5 (maps/e1m1.bsp)","written":true,"size":38,"error":null}
    {"type":"extracted","name":"maps/e2m1.bsp","from":"id1/pak1.pak: entry 1 (maps/e2m1.bsp)","written":true,"size":38,"error":null}
    {"type":"extracted","name":"maps/mine.bsp","from":"id1/maps/mine.bsp","written":true,"size":29,"error":null}
    {"type":"extracted","name":"maps/start.bsp","from":"id1/pak0.pak: entry 4 (maps/start.bsp)","written":true,"size":39,"error":null}
    "#);
    assert_snapshot!(folder.tree("out"), @r"
    maps/e1m1.bsp: a level: e1m1, as id1/pak0.pak has it\n
    maps/e2m1.bsp: a level: e2m1, as id1/pak1.pak has it\n
    maps/mine.bsp: a level: mine, loose in id1/\n
    maps/start.bsp: a level: start, as id1/pak0.pak has it\n
    ");
    assert_snapshot!(folder.check("--basedir [GAME] extract maps -o [DIR]/maps"), @"wrote 4 files (144 bytes) to [DIR]/maps");
    assert_snapshot!(folder.check("--basedir [GAME] --game gapmod extract maps/gap3.bsp -o [DIR]/nothing"), @"
    exit: 1
    ! error: maps/gap3.bsp: [skipped] [gap after-gap] +help
    ! warning: [problems] +help
    ");
    assert!(!folder.join("nothing").exists());
}

#[test]
fn extract_of_a_game_keeps_or_replaces_existing_files() {
    let folder = Folder::new();
    folder.run("--basedir [GAME] extract *.cfg -o [DIR]/out");
    assert_snapshot!(folder.check("--basedir [GAME] extract *.{cfg,rc} -o [DIR]/out"), @"
    exit: 2
    wrote 1 file (51 bytes) to [DIR]/out; 3 files could not be written
    ! error: [DIR]/out/autoexec.cfg: [already-there]
    !   help: replace such files with --overwrite, or keep them with --skip-existing
    ! error: [DIR]/out/config.cfg: [already-there]
    ! error: [DIR]/out/default.cfg: [already-there]
    ");
    assert_snapshot!(folder.check("--basedir [GAME] extract *.{cfg,rc} -o [DIR]/out --skip-existing"), @"wrote 0 files (0 bytes) to [DIR]/out; 4 files were there already");
    assert_snapshot!(folder.check("--basedir [GAME] extract *.{cfg,rc} -o [DIR]/out --overwrite"), @"wrote 4 files (129 bytes) to [DIR]/out");
}
