//! `--mount`

use insta::assert_snapshot;
use testutils::Folder;

use crate::squeezed;
use crate::{Commands as _, brief, check, game, layers};

fn folder() -> Folder {
    let folder = Folder::with_archive(&[(b"quake.rc", b"of a.pak\n"), (b"new.cfg", b"")]);
    folder.write("loose/quake.rc", "loose\n");
    folder.write("text.pak", "This is no archive.\n");
    folder
}

#[test]
fn mount_puts_layers_on_top_of_a_game() {
    let folder = folder();
    let line = |command: &str| {
        squeezed(
            &folder.check(&format!("--basedir [GAME] --mount [DIR]/a.pak --mount [DIR]/loose {command}")),
        )
    };
    assert_snapshot!(layers(line("path")), @"[DIR]/loose/ > [DIR]/a.pak > id1/pak1.pak > id1/pak0.pak > id1/");
    assert_snapshot!(line("which -a quake.rc"), @"
    quake.rc: [DIR]/loose/ (6 bytes)
    overrides [DIR]/a.pak (entry 0, 9 bytes): it was added with --mount
    overrides id1/pak0.pak (entry 0, 51 bytes): it was added with --mount
    ");
    assert_snapshot!(line("--json which -a quake.rc"), @r#"{"type":"which","name":"quake.rc","found":true,"layer":"[DIR]/loose/","index":0,"kind":"dir","stored":"quake.rc","entry":null,"size":6,"content_type":"config","overridden":[{"name":"quake.rc","layer":"[DIR]/a.pak","index":1,"kind":"pak","stored":"quake.rc","entry":0,"size":9,"content_type":"config","because":"on-top","rule":"it was added with --mount"},{"name":"quake.rc","layer":"id1/pak0.pak","index":3,"kind":"pak","stored":"quake.rc","entry":0,"size":51,"content_type":"config","because":"on-top","rule":"it was added with --mount"}],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":null,"reason":null,"help":null,"advice":[]}"#);
    assert_snapshot!(line("shadows"), @"
    id1/pak1.pak overrides id1/pak0.pak different default.cfg
    id1/pak0.pak overrides id1/ different maps/start.bsp
    [DIR]/loose/ overrides [DIR]/a.pak different quake.rc
    [DIR]/loose/ overrides id1/pak0.pak different quake.rc
    ");
    assert_snapshot!(line("cat quake.rc"), @"loose");
}

#[test]
fn mount_works_without_a_game() {
    // the tests run in the repository's root, which contains no game
    let folder = folder();
    assert_snapshot!(layers(folder.check("--mount [DIR]/a.pak path")), @"[DIR]/a.pak");
    assert_snapshot!(squeezed(&folder.check("--mount [DIR]/a.pak ls -l")), @"
    exit: 0
    0 config [DIR]/a.pak new.cfg
    9 config [DIR]/a.pak quake.rc
    ");
    assert_snapshot!(folder.check("--mount [DIR]/loose --mount [DIR]/a.pak which -a quake.rc"), @"
    quake.rc: [DIR]/a.pak (entry 0, 9 bytes)
      overrides [DIR]/loose/ (6 bytes): it was added with --mount
    ");
    assert_snapshot!(check("--mount [PAK]/ok/daikatana-dkpak.pak cat notes.txt"), @"Pakka DK fixture; see README.md.");
}

#[test]
fn mount_refuses_anything_except_a_folder_or_an_archive() {
    let folder = folder();
    assert_snapshot!(brief(folder.check("--mount [DIR]/nope.pak path")), @"exit 2: error: [DIR]/nope.pak: open failed: No such file or directory (os error 2) +help");
    assert_snapshot!(brief(folder.check("--basedir [GAME] --mount [DIR]/text.pak path")), @"exit 2: error: [DIR]/text.pak: [unknown-magic] +help");
    assert_snapshot!(brief(game("--mount [PAK]/malformed/header-11-bytes.pak path")), @"exit 2: error: [PAK]/malformed/header-11-bytes.pak: [short-header] +help");
    assert_snapshot!(brief(check("--mount [PAK]/malformed/rows-ambiguous-all-text.pak path")), @"exit 2: error: [PAK]/malformed/rows-ambiguous-all-text.pak: [ambiguous-layout]; help: it cannot be mounted; `quakefs pak list --layout NAME` shows its entries");
}

#[cfg(unix)]
#[test]
fn mount_refuses_a_device() {
    assert_snapshot!(brief(check("--mount /dev/null path")), @"exit 2: error: /dev/null: open failed: [engine-stops|not-a-file]");
}

#[test]
fn mount_warns_of_a_damaged_entry() {
    assert_snapshot!(layers(check("--mount [PAK]/malformed/payload-past-end-by-one.pak path")), @"[PAK]/malformed/payload-past-end-by-one.pak; warning: [PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b): [entry-outside|outside] +help");
    assert_snapshot!(brief(check("--mount [PAK]/malformed/payload-past-end-by-one.pak cat b")), @"exit 2: warning: [PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b): [engine-stops cut-entry] +help");
    assert_snapshot!(check("--mount [PAK]/malformed/payload-past-end-by-one.pak cat nope"), @"
    exit: 1
    ! error: nope: not found +help
    ");
}
