//! `quakefs cat`

use insta::assert_snapshot;
use testutils::Folder;

use crate::{Commands as _, brief, game, run, words};

#[test]
fn cat_writes_the_winner() {
    assert_snapshot!(game("cat autoexec.cfg"), @"echo as id1/ has it");
    assert_snapshot!(game("cat config.cfg"), @"sensitivity 3");
    assert_snapshot!(game("--game mymod cat config.cfg"), @"sensitivity 5");
}

/// `7z`, `unzip -p` and `tar` take an archive first.
#[test]
fn cat_of_an_entry_of_an_archive_prints_no_file_of_the_game() {
    let folder = Folder::with_archive(&[(b"config.cfg", b"in the archive")]);
    folder.write("id1/config.cfg", "of the game");
    let answer = folder.run("--basedir [DIR] cat [DIR]/a.pak config.cfg");
    assert_eq!(answer.out(), "");
    assert!(answer.err().contains("for an archive it is `quakefs pak cat"), "{}", answer.err());
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn cat_of_a_missing_name_is_not_found() {
    assert_snapshot!(brief(game("cat ../id1/config.cfg")), @"exit 1: error: ../id1/config.cfg: not found: [request] +help");
    assert_snapshot!(brief(game("cat maps/nope.bsp")), @"exit 1: error: maps/nope.bsp: not found +help");
    assert_snapshot!(game("--game gapmod cat maps/gap3.bsp"), @"
    exit: 1
    ! error: maps/gap3.bsp: [skipped] [gap after-gap]
    !   help: rename gapmod/PAK2.PAK to pak2.pak
    ");
}

#[test]
fn cat_prints_json() {
    assert_snapshot!(game("--json cat config.cfg"), @r#"{"type":"content","name":"config.cfg","layer":"id1/","index":2,"kind":"dir","stored":"config.cfg","entry":null,"size":14,"content_type":"config","content":"sensitivity 3\n"}"#);
    assert_snapshot!(brief(game("--json cat nope")), @"exit 1: error: nope: not found +help");
    let folder = Folder::new();
    folder.write("id1/b", b"\x00\xff\\x41");
    let answer = folder.run("--basedir [DIR] --json cat b");
    let content = answer.json()[0]["content"].as_str().unwrap().to_owned();
    assert_eq!(*pak_format::name::unescape(&content), *b"\x00\xff\\x41");
}

#[test]
fn cat_of_a_damaged_entry_fails() {
    let folder = Folder::new();
    let mut image = crate::archive(&[(b"whole", b"abc"), (b"cut", b"def")]);
    let size_of_last = image.len() - 4;
    image[size_of_last] = 200;
    folder.write("id1/pak0.pak", image);
    assert_snapshot!(brief(folder.check("--basedir [DIR] cat cut")), @"exit 2: warning: id1/pak0.pak: entry 1 (cut): [engine-stops cut-entry] +help");
    assert_snapshot!(folder.check("--basedir [DIR] cat whole"), @"abc[no line end]");
}

#[test]
fn cat_prints_each_of_several_names() {
    let answer = run(&words("--basedir [GAME] cat quake.rc default.cfg"));
    assert_snapshot!(answer.text(), @"
    exec default.cfg
    exec config.cfg
    exec autoexec.cfg
    bind ESCAPE togglemenu
    bind TAB +showscores
    ");
}
