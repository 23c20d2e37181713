//! `quakefs ls`

use insta::assert_snapshot;
use testutils::Folder;

use crate::{Commands as _, brief, game, run, words};

#[test]
fn ls_lists_each_name_once() {
    assert_snapshot!(game("ls"), @"
    id1/          autoexec.cfg
    id1/          config.cfg
    id1/pak1.pak  default.cfg
    id1/pak0.pak  gfx/conback.lmp
    id1/pak0.pak  maps/e1m1.bsp
    id1/pak1.pak  maps/e2m1.bsp
    id1/          maps/mine.bsp
    id1/pak0.pak  maps/start.bsp
    id1/pak0.pak  progs.dat
    id1/pak0.pak  progs/ogre.mdl
    id1/pak0.pak  progs/player.mdl
    id1/pak1.pak  progs/shambler.mdl
    id1/pak0.pak  quake.rc
    id1/pak0.pak  sound/misc/secret.wav
    id1/pak0.pak  sound/ogre/ogdrag.wav
    ");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn ls_of_a_pattern_lists_the_names_that_match() {
    assert_snapshot!(game("--game gapmod ls maps/*"), @"
    id1/pak0.pak     maps/e1m1.bsp
    id1/pak1.pak     maps/e2m1.bsp
    gapmod/pak1.pak  maps/gap1.bsp
    id1/             maps/mine.bsp
    gapmod/pak0.pak  maps/start.bsp
    ");
    assert_snapshot!(game("ls **/*.{wav,mdl}"), @"
    id1/pak0.pak  progs/ogre.mdl
    id1/pak0.pak  progs/player.mdl
    id1/pak1.pak  progs/shambler.mdl
    id1/pak0.pak  sound/misc/secret.wav
    id1/pak0.pak  sound/ogre/ogdrag.wav
    ");
}

#[test]
fn ls_long_shows_sizes_and_types() {
    assert_snapshot!(game("--game mymod ls -l *.* maps/m*"), @"
    exit: 0
               20  config      id1/            autoexec.cfg
               14  config      mymod/          config.cfg
               44  config      id1/pak1.pak    default.cfg
              191  level       id1/            maps/mine.bsp
              204  level       mymod/pak1.pak  maps/mymod1.bsp
               62  archive     mymod/          notes.pak
             2127  program     mymod/pak0.pak  progs.dat
               51  config      id1/pak0.pak    quake.rc
    ");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn ls_of_a_pattern_without_a_match_finds_nothing() {
    assert_snapshot!(brief(game("ls *.wav")), @r#"exit 1: error: nothing matches "*.wav"; help: * stops at /: "**/*.wav" matches in every folder"#);
    assert_snapshot!(game("--game gapmod ls maps/gap3.bsp"), @"
    exit: 1
    ! error: maps/gap3.bsp: [skipped] [gap after-gap]
    !   help: rename gapmod/PAK2.PAK to pak2.pak
    ");
    assert_snapshot!(brief(game("ls MAPS/*")), @r#"exit 1: error: nothing matches "MAPS/*" +help"#);
}

#[test]
fn ls_of_a_folder_lists_its_files() {
    assert_snapshot!(game("ls maps"), @"
    id1/pak0.pak  maps/e1m1.bsp
    id1/pak1.pak  maps/e2m1.bsp
    id1/          maps/mine.bsp
    id1/pak0.pak  maps/start.bsp
    ");
    assert_snapshot!(game("ls sound/"), @"
    id1/pak0.pak  sound/misc/secret.wav
    id1/pak0.pak  sound/ogre/ogdrag.wav
    ");
}

#[test]
fn ls_refuses_a_bad_pattern() {
    assert_snapshot!(brief(game("ls maps/[a")), @"exit 2: error: [pattern] unclosed character class; missing ']' +help");
    assert_snapshot!(brief(game("ls {a")), @"exit 2: error: [pattern] unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?) +help");
}

#[test]
fn ls_prints_json() {
    assert_snapshot!(game("--json ls maps/*"), @r#"
    {"type":"file","name":"maps/e1m1.bsp","layer":"id1/pak0.pak","index":1,"kind":"pak","stored":"maps/e1m1.bsp","entry":5,"size":200,"content_type":"level"}
    {"type":"file","name":"maps/e2m1.bsp","layer":"id1/pak1.pak","index":0,"kind":"pak","stored":"maps/e2m1.bsp","entry":1,"size":200,"content_type":"level"}
    {"type":"file","name":"maps/mine.bsp","layer":"id1/","index":2,"kind":"dir","stored":"maps/mine.bsp","entry":null,"size":191,"content_type":"level"}
    {"type":"file","name":"maps/start.bsp","layer":"id1/pak0.pak","index":1,"kind":"pak","stored":"maps/start.bsp","entry":4,"size":201,"content_type":"level"}
    "#);
    assert_snapshot!(game("--json ls -l maps/start.bsp"), @r#"{"type":"file","name":"maps/start.bsp","layer":"id1/pak0.pak","index":1,"kind":"pak","stored":"maps/start.bsp","entry":4,"size":201,"content_type":"level"}"#);
    assert_snapshot!(brief(game("--json ls nothing")), @"exit 1: error: nothing: not found +help");
    assert_eq!(run(&words("--json --basedir [GAME] --game mymod ls")).json().len(), 17);
}

#[test]
fn ls_escapes_bytes_that_are_not_utf8() {
    let folder = Folder::new();
    let rows: [(&[u8], &[u8]); 4] =
        [(b"caf\xe9.wav", b"x"), (b"a\x1b[2Jb", b"y"), (b"back\\slash", b"z"), ("caf\u{e9}".as_bytes(), b"")];
    folder.write("id1/pak0.pak", crate::archive(&rows));
    assert_snapshot!(folder.check("--basedir [DIR] ls"), @r"
    id1/pak0.pak  a\x1B[2Jb
    id1/pak0.pak  back\slash
    id1/pak0.pak  café
    id1/pak0.pak  caf\xE9.wav
    ");
    assert_snapshot!(folder.check(r"--basedir [DIR] ls caf\xE9*"), @r"id1/pak0.pak  caf\xE9.wav");
    // on Windows it separates folders in a pattern too
    #[cfg(not(windows))]
    assert_snapshot!(folder.check(r"--basedir [DIR] ls *\*"), @r"
    id1/pak0.pak  back\slash
    id1/pak0.pak  caf\xE9.wav
    ");
    assert_snapshot!(folder.check("--basedir [DIR] --json ls"), @r#"
    {"type":"file","name":"a\u001b[2Jb","layer":"id1/pak0.pak","index":0,"kind":"pak","stored":"a\u001b[2Jb","entry":1,"size":1,"content_type":"other"}
    {"type":"file","name":"back\\slash","layer":"id1/pak0.pak","index":0,"kind":"pak","stored":"back\\slash","entry":2,"size":1,"content_type":"other"}
    {"type":"file","name":"café","layer":"id1/pak0.pak","index":0,"kind":"pak","stored":"café","entry":3,"size":0,"content_type":"other"}
    {"type":"file","name":"caf\\xE9.wav","layer":"id1/pak0.pak","index":0,"kind":"pak","stored":"caf\\xE9.wav","entry":0,"size":1,"content_type":"sound"}
    "#);
}

#[test]
fn a_suggested_command_can_be_pasted_into_a_shell() {
    let folder = Folder::new();
    folder.write("my game/id1/autoexec.cfg", "");
    folder.write("my game/it's/autoexec.cfg", "");
    let base = folder.join("my game");
    let line = ["--basedir", base.as_str(), "--engine", "fte", "--game", "it's", "--rogue", "which", "nope"];
    let text = folder.redact(&crate::run(&line).text());
    // as the shells of Windows read it
    assert_snapshot!(text.replace("\"[DIR]/my game\"", "'[DIR]/my game'"), @r#"
    exit: 1
    ! warning: rogue/: [engine-stops|missing-directory] +help
    ! error: nope: not found
    !   help: `quakefs --basedir '[DIR]/my game' --engine fte --game "it's" --mission rogue ls` lists the names
    "#);
}
