//! `quakefs --on` and `quakefs fix`: the same game on every system.

use insta::assert_snapshot;
use testutils::Folder;

use crate::{Commands as _, archive, brief, check, layers};

/// A game as a store installs it on Windows.
fn steam() -> Folder {
    let folder = Folder::new();
    folder.write("Id1/PAK0.PAK", archive(&[(b"quake.rc", b"1")]));
    folder.write("Id1/Maps/START.bsp", "level");
    folder.write("mod/config.cfg", "1");
    folder
}

#[test]
fn on_answers_for_another_system() {
    let folder = steam();
    assert_snapshot!(layers(folder.check("--basedir [DIR] --on windows --game MOD path")), @"mod/ > Id1/PAK0.PAK > Id1/");
    assert_snapshot!(folder.check("--basedir [DIR] --on windows which -a maps/start.bsp"), @"maps/start.bsp: Id1/ (as Maps/START.bsp, 5 bytes)");
    assert_snapshot!(folder.check("--basedir [DIR] --on MacOS ls maps"), @"Id1/  Maps/START.bsp");
    assert_snapshot!(brief(folder.check("--basedir [DIR] --on linux path")), @"exit 2: error: [DIR]: [no-game-directory]; help: […] and PAK0.PAK to pak0.pak");
    assert_snapshot!(check("--on beos path"), @"
    exit: 2
    ! error: invalid value 'beos' for '--on <SYSTEM>'
    !   [possible values: linux, macos, windows]
    ");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn an_engine_is_compared_with_itself_on_another_system() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", archive(&[(b"quake.rc", b"1")]));
    folder.write("id1/PAK1.PAK", archive(&[(b"quake.rc", b"2")]));
    assert_snapshot!(folder.check("--basedir [DIR] compare quakespasm quakespasm@windows"), @"
    exit: 1
    1 name: not-loaded: quakespasm skips id1/PAK1.PAK: [archive-case wrong-case]

    name      quakespasm      quakespasm@windows
    quake.rc  id1/pak0.pak:0  id1/PAK1.PAK:0
    ");
    assert_snapshot!(folder.check("--basedir [DIR] compare quakespasm@windows ironwail@macos"), @"they load the same files: 1 name compared");
    assert_snapshot!(folder.check("--basedir [DIR] compare quakespasm quakespasm@amiga"), @"
    exit: 2
    ! error: invalid value 'amiga' for '<ENGINE[@SYSTEM]> <ENGINE[@SYSTEM]>...'
    !   [possible values: linux, macos, windows]
    ");
}

#[test]
#[cfg_attr(windows, ignore = "the list has a backslash after the folder on Windows")]
fn fix_lists_renames_does_them_and_undoes_them() {
    let folder = steam();
    let before = folder.tree("");
    assert_snapshot!(folder.check("--basedir [DIR] fix"), @"
    exit: 1
    path                new name
    Id1/Maps/START.bsp  start.bsp
    Id1/Maps            maps
    Id1/PAK0.PAK        pak0.pak
    Id1                 id1

    4 names to rename
    ! note: `quakefs --basedir [DIR] fix --write` renames them
    ");
    assert_eq!(folder.tree(""), before, "nothing is done without --write");
    assert_snapshot!(folder.check("--basedir [DIR] --json fix"), @r#"
    exit: 1
    {"type":"rename","from":"[DIR]/Id1/Maps/START.bsp","to":"[DIR]/Id1/Maps/start.bsp","done":false,"error":null}
    {"type":"rename","from":"[DIR]/Id1/Maps","to":"[DIR]/Id1/maps","done":false,"error":null}
    {"type":"rename","from":"[DIR]/Id1/PAK0.PAK","to":"[DIR]/Id1/pak0.pak","done":false,"error":null}
    {"type":"rename","from":"[DIR]/Id1","to":"[DIR]/id1","done":false,"error":null}
    "#);
    assert_snapshot!(folder.check("--basedir [DIR] fix --write"), @"
    path                new name
    Id1/Maps/START.bsp  start.bsp
    Id1/Maps            maps
    Id1/PAK0.PAK        pak0.pak
    Id1                 id1

    4 names renamed
    ! note: `quakefs fix --undo [DIR]/quakefs-fix-1.jsonl` undoes this
    ");
    assert_eq!(folder.names(""), ["id1", "mod", "quakefs-fix-1.jsonl"]);
    assert_eq!(folder.names("id1"), ["maps", "pak0.pak"]);
    assert_snapshot!(folder.check("--basedir [DIR] fix"), @"nothing to rename");
    assert_snapshot!(folder.check("fix --undo [DIR]/quakefs-fix-1.jsonl"), @"
    path                new name
    id1                 Id1
    Id1/pak0.pak        PAK0.PAK
    Id1/maps            Maps
    Id1/Maps/start.bsp  START.bsp

    4 names renamed
    ");
    std::fs::remove_file(folder.join("quakefs-fix-1.jsonl")).unwrap();
    assert_eq!(folder.tree(""), before);
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn fix_reports_a_taken_name_and_renames_the_others() {
    let folder = steam();
    std::fs::rename(folder.join("Id1"), folder.join("id1")).unwrap();
    folder.write("id1/pak0.pak", "another");
    assert_snapshot!(folder.check("--basedir [DIR] fix --write"), @"
    exit: 1
    path                new name   problem
    id1/Maps/START.bsp  start.bsp  -
    id1/Maps            maps       -
    id1/PAK0.PAK        pak0.pak   pak0.pak already exists

    2 names renamed
    ! note: `quakefs fix --undo [DIR]/quakefs-fix-1.jsonl` undoes this
    ");
    assert_eq!(folder.names("id1"), ["PAK0.PAK", "maps", "pak0.pak"]);
}

#[test]
fn undo_refuses_a_file_without_renames() {
    let folder = Folder::with([("notes.txt", "text"), ("moved.jsonl", r#"{"from":"a/x","to":"b/x"}"#)]);
    assert_snapshot!(brief(folder.check("fix --undo [DIR]/notes.txt")), @"exit 2: error: [DIR]/notes.txt: line 1: not a rename: expected ident at line 1 column 2; help: name a file that `quakefs fix --write` wrote");
    assert_snapshot!(brief(folder.check("fix --undo [DIR]/moved.jsonl")), @"exit 2: error: [DIR]/moved.jsonl: line 1: the two paths are in different folders; help: name a file that `quakefs fix --write` wrote");
    assert_snapshot!(brief(folder.check("fix --undo [DIR]/nowhere.jsonl")), @"exit 2: error: [DIR]/nowhere.jsonl: cannot be read: No such file or directory (os error 2); help: name a file that `quakefs fix --write` wrote");
    assert_snapshot!(brief(folder.check("--basedir [DIR]/nowhere fix")), @"exit 2: error: [DIR]/nowhere: [no-base-directory] +help");
}

#[test]
#[cfg_attr(windows, ignore = "Windows reports another reason")]
fn undo_reports_a_file_that_is_gone() {
    let folder = steam();
    folder.check("--basedir [DIR] fix --write");
    std::fs::remove_file(folder.join("id1/maps/start.bsp")).unwrap();
    assert_snapshot!(folder.check("fix --undo [DIR]/quakefs-fix-1.jsonl"), @"
    exit: 1
    path                new name   problem
    id1                 Id1        -
    Id1/pak0.pak        PAK0.PAK   -
    Id1/maps            Maps       -
    Id1/Maps/start.bsp  START.bsp  No such file or directory (os error 2)

    3 names renamed
    ");
    assert_eq!(folder.names("Id1"), ["Maps", "PAK0.PAK"]);
}
