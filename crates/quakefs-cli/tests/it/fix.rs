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
    assert_snapshot!(brief(folder.check("--basedir [DIR] --on linux path")), @"exit 2: error: [DIR]: [no-game-directory]; help: rename Id1 to id1 and PAK0.PAK to pak0.pak");
    assert_snapshot!(check("--on beos path"), @"
    exit: 2
    ! error: 'beos' is no value of --on SYSTEM
    !   help: expected linux, macos, windows
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
    1 name: skipped: quakespasm skips id1/PAK1.PAK: [archive-case wrong-case]

    name      quakespasm      quakespasm@windows
    quake.rc  id1/pak0.pak:0  id1/PAK1.PAK:0
    ");
    assert_snapshot!(folder.check("--basedir [DIR] compare quakespasm@windows ironwail@macos"), @"they load the same files: 1 name compared");
    assert_snapshot!(folder.check("--basedir [DIR] compare quakespasm quakespasm@amiga"), @"
    exit: 2
    ! error: 'amiga' is no value of ENGINE[@SYSTEM]...
    !   help: expected linux, macos, windows
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
    path                outcome
    id1                 renamed to Id1
    Id1/pak0.pak        renamed to PAK0.PAK
    Id1/maps            renamed to Maps
    Id1/Maps/start.bsp  renamed to START.bsp

    4 changes undone
    ");
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
    id1/PAK0.PAK        pak0.pak   [taken]

    2 names renamed
    ! note: `quakefs fix --undo [DIR]/quakefs-fix-1.jsonl` undoes this
    ");
    assert_eq!(folder.names("id1"), ["PAK0.PAK", "maps", "pak0.pak"]);
}

#[test]
fn undo_refuses_a_file_without_renames() {
    let folder = Folder::with([
        ("notes.txt", "text"),
        ("old.jsonl", r#"{"from":"a/X","to":"a/x"}"#),
        ("place.jsonl", r#"{"journal":"place","version":1}"#),
    ]);
    assert_snapshot!(brief(folder.check("fix --undo [DIR]/notes.txt")), @"exit 2: error: [DIR]/notes.txt: line 1: this file is not a journal of quakefs +help");
    assert_snapshot!(brief(folder.check("fix --undo [DIR]/old.jsonl")), @"exit 2: error: [DIR]/old.jsonl: line 1: this file is not a journal of quakefs +help");
    assert_snapshot!(brief(folder.check("fix --undo [DIR]/place.jsonl")), @"exit 2: error: [DIR]/place.jsonl: it is a journal of `quakefs place`; help: `quakefs place --undo [DIR]/place.jsonl` undoes it");
    assert!(folder.check("fix --undo [DIR]/nowhere.jsonl").contains("error: [DIR]/nowhere.jsonl: "));
    assert_snapshot!(brief(folder.check("--basedir [DIR]/nowhere fix")), @"exit 2: error: [DIR]/nowhere: [no-base-directory] +help");
}

#[test]
#[cfg_attr(windows, ignore = "Windows reports another reason")]
fn undo_reports_a_file_that_is_gone() {
    let folder = steam();
    folder.check("--basedir [DIR] fix --write");
    std::fs::remove_file(folder.join("id1/maps/start.bsp")).unwrap();
    assert_snapshot!(folder.check("fix --undo [DIR]/quakefs-fix-1.jsonl"), @"
    path                outcome
    id1                 renamed to Id1
    Id1/pak0.pak        renamed to PAK0.PAK
    Id1/maps            renamed to Maps
    Id1/Maps/start.bsp  not there

    3 changes undone
    ");
    assert_eq!(folder.names("Id1"), ["Maps", "PAK0.PAK"]);
}

#[cfg(unix)]
fn link(to: &str, path: camino::Utf8PathBuf) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(to, path).unwrap();
}

#[cfg(unix)]
#[test]
fn fix_leaves_alone_what_a_link_leads_through() {
    let folder = steam();
    folder.write("Id1/Music/Track02.ogg", "track");
    link("../Id1/Music", folder.join("mod/music"));
    link("../Id1/Music/Track02.ogg", folder.join("mod/theme.ogg"));
    assert_snapshot!(folder.check("--basedir [DIR] --on windows --game mod fix --write"), @"
    exit: 1
    path                   new name     problem
    Id1/Maps/START.bsp     start.bsp    -
    Id1/Maps               maps         -
    Id1/PAK0.PAK           pak0.pak     -
    Id1                    id1          [linked]
    Id1/Music/Track02.ogg  track02.ogg  [linked]

    3 names renamed
    ! note: `quakefs fix --undo [DIR]/quakefs-fix-1.jsonl` undoes this
    ");
    assert_eq!(std::fs::read(folder.join("mod/music/Track02.ogg")).unwrap(), b"track");
    assert_eq!(std::fs::read(folder.join("mod/theme.ogg")).unwrap(), b"track");
}

/// A modder's folder is often elsewhere, with a link in the base directory.
#[cfg(unix)]
#[test]
fn fix_leaves_alone_what_a_link_of_a_linked_mod_leads_through() {
    let folder = Folder::with([
        ("quake/id1/pak0.pak", archive(&[(b"quake.rc", b"1")])),
        ("quake/id1/Music/track02.ogg", b"track".to_vec()),
        ("mods/mod/config.cfg", b"1".to_vec()),
    ]);
    link("../mods/mod", folder.join("quake/mod"));
    link("../../quake/id1/Music", folder.join("mods/mod/music"));
    folder.check("--basedir [DIR]/quake --game mod fix --write");
    assert_eq!(std::fs::read(folder.join("quake/mod/music/track02.ogg")).unwrap(), b"track");
    assert_snapshot!(folder.check("--basedir [DIR]/quake fix --write"), @"
    exit: 1
    path       new name  problem
    id1/Music  music     [linked]

    0 names renamed
    ");
}

#[cfg(unix)]
#[test]
fn fix_renames_nothing_outside_of_the_base_directory() {
    let folder = Folder::with([
        ("quake/id1/pak0.pak", archive(&[(b"quake.rc", b"1")])),
        ("out/Door.wav", b"sound".to_vec()),
    ]);
    link("../../out", folder.join("quake/id1/Sound"));
    assert_snapshot!(folder.check("--basedir [DIR]/quake fix --write"), @"
    exit: 1
    path                new name  problem
    id1/Sound           sound     -
    id1/Sound/Door.wav  door.wav  [outside]

    1 name renamed
    ! note: `quakefs fix --undo [DIR]/quake/quakefs-fix-1.jsonl` undoes this
    ");
    assert_eq!(folder.names("out"), ["Door.wav"]);
}

#[cfg(unix)]
#[test]
fn fix_renames_a_file_once_that_a_link_shows_twice() {
    let folder = Folder::with([
        ("id1/pak0.pak", archive(&[(b"quake.rc", b"1")])),
        ("id1/maps/E1M1.bsp", b"level".to_vec()),
    ]);
    link("maps", folder.join("id1/levels"));
    link("id1", folder.join("mod"));
    assert_snapshot!(folder.check("--basedir [DIR] --game mod fix --write"), @"
    path               new name
    id1/maps/E1M1.bsp  e1m1.bsp

    1 name renamed
    ! note: `quakefs fix --undo [DIR]/quakefs-fix-1.jsonl` undoes this
    ");
    assert_eq!(folder.names("id1/levels"), ["e1m1.bsp"]);
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn undo_in_a_copied_game_leaves_the_original_alone() {
    let folder = steam();
    folder.check("--basedir [DIR] fix --write");
    let journal = std::fs::read(folder.join("quakefs-fix-1.jsonl")).unwrap();
    folder.write("copy/quakefs-fix-1.jsonl", journal);
    folder.write("copy/id1/pak0.pak", "another game");
    let before = folder.tree("id1");
    assert_snapshot!(folder.check("fix --undo [DIR]/copy/quakefs-fix-1.jsonl"), @"
    path                outcome
    id1                 renamed to Id1
    Id1/pak0.pak        renamed to PAK0.PAK
    Id1/maps            not there
    Id1/Maps/start.bsp  not there

    2 changes undone
    ");
    assert_eq!(folder.tree("id1"), before);
    assert_eq!(folder.names("copy/Id1"), ["PAK0.PAK"]);
    assert_eq!(folder.names("copy"), ["Id1"]);
}
