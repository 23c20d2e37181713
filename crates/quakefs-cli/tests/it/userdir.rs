//! `--userdir`: a directory of the user's own.

use insta::assert_snapshot;
use testutils::Folder;

use crate::{Commands as _, archive, brief, layers};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("base/id1/pak0.pak", archive(&[(b"a.cfg", b"1"), (b"b.cfg", b"1")]));
    folder.write("base/mod/a.cfg", "2");
    folder.write("home/id1/pak0.pak", archive(&[(b"a.cfg", b"3"), (b"b.cfg", b"3")]));
    folder.write("home/mod/a.cfg", "4");
    folder
}

#[test]
fn user_game_directories_rank_above_base_directories() {
    let folder = folder();
    let line =
        |line: &str| folder.check(&format!("--basedir [DIR]/base --userdir [DIR]/home --game mod {line}"));
    assert_snapshot!(layers(line("--engine fte path")), @"[DIR]/home/mod/ > mod/ > [DIR]/home/id1/ > [DIR]/home/id1/pak0.pak > id1/ > id1/pak0.pak; user directory: [DIR]/home");
    assert_snapshot!(line("which -a a.cfg b.cfg"), @"
    a.cfg: [DIR]/home/mod/ (1 byte)
      overrides mod/ (1 byte): [game-directory]
      overrides [DIR]/home/id1/pak0.pak (entry 0, 1 byte): [game-directory]
      overrides id1/pak0.pak (entry 0, 1 byte): [game-directory]
    b.cfg: [DIR]/home/id1/pak0.pak (entry 1, 1 byte)
      overrides id1/pak0.pak (entry 1, 1 byte): [game-directory]
    ");
    assert_snapshot!(line("--engine fte --json path"), @r#"
    {"type":"chosen","engine":"fte","as_of":"FTE, 2026-01-05","because":"named","reason":"--engine names it","base":"[DIR]/base","base_because":"named","game":null,"texts":[]}
    {"type":"layer","layer":"[DIR]/home/mod/","kind":"dir","layout":null,"entries":null,"problems":0,"path":"[DIR]/home/mod","game_directory":"[DIR]/home/mod","rank":2,"known":null,"size":null,"pk3_checksum":null}
    {"type":"layer","layer":"mod/","kind":"dir","layout":null,"entries":null,"problems":0,"path":"[DIR]/base/mod","game_directory":"mod","rank":2,"known":null,"size":null,"pk3_checksum":null}
    {"type":"layer","layer":"[DIR]/home/id1/","kind":"dir","layout":null,"entries":null,"problems":0,"path":"[DIR]/home/id1","game_directory":"[DIR]/home/id1","rank":1,"known":null,"size":null,"pk3_checksum":null}
    {"type":"layer","layer":"[DIR]/home/id1/pak0.pak","kind":"pak","layout":"quake","entries":2,"problems":0,"path":"[DIR]/home/id1/pak0.pak","game_directory":"[DIR]/home/id1","rank":1,"known":null,"size":142,"pk3_checksum":null}
    {"type":"layer","layer":"id1/","kind":"dir","layout":null,"entries":null,"problems":0,"path":"[DIR]/base/id1","game_directory":"id1","rank":1,"known":null,"size":null,"pk3_checksum":null}
    {"type":"layer","layer":"id1/pak0.pak","kind":"pak","layout":"quake","entries":2,"problems":0,"path":"[DIR]/base/id1/pak0.pak","game_directory":"id1","rank":1,"known":null,"size":142,"pk3_checksum":null}
    {"type":"user-directory","path":"[DIR]/home","exists":true,"in_some_builds":false}
    "#);
    assert_snapshot!(line("--json which a.cfg"), @r#"{"type":"which","name":"a.cfg","found":true,"layer":"[DIR]/home/mod/","index":0,"kind":"dir","stored":"a.cfg","entry":null,"size":1,"content_type":"config","overridden":[{"name":"a.cfg","layer":"mod/","index":1,"kind":"dir","stored":"a.cfg","entry":null,"size":1,"content_type":"config","because":"game-directory","rule":"[game-directory]"},{"name":"a.cfg","layer":"[DIR]/home/id1/pak0.pak","index":2,"kind":"pak","stored":"a.cfg","entry":0,"size":1,"content_type":"config","because":"game-directory","rule":"[game-directory]"},{"name":"a.cfg","layer":"id1/pak0.pak","index":4,"kind":"pak","stored":"a.cfg","entry":0,"size":1,"content_type":"config","because":"game-directory","rule":"[game-directory]"}],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":null,"reason":null,"help":null,"advice":[]}"#);
    assert_snapshot!(line("compare winquake qss"), @"they load the same files: 2 names compared");
}

#[test]
fn a_mod_may_exist_only_in_the_user_directory() {
    let folder = folder();
    folder.write("home/mine/c.cfg", "5");
    let line = "--basedir [DIR]/base --userdir [DIR]/home --game mine which c.cfg";
    assert_snapshot!(folder.check(line), @"c.cfg: [DIR]/home/mine/ (1 byte)");
}

#[test]
fn a_missing_user_directory_is_a_warning() {
    let folder = folder();
    assert_snapshot!(folder.check("--basedir [DIR]/base --userdir [DIR]/nowhere which b.cfg"), @"
    b.cfg: id1/pak0.pak (entry 1, 1 byte)
    ! warning: [DIR]/nowhere: the folder does not exist +help
    ");
    assert_snapshot!(folder.check("--basedir [DIR]/base --userdir [DIR]/base/mod/a.cfg which b.cfg"), @"
    b.cfg: id1/pak0.pak (entry 1, 1 byte)
    ! warning: [DIR]/base/mod/a.cfg: the folder does not exist +help
    ");
}

#[test]
fn the_user_directory_may_be_the_base_directory() {
    let folder = folder();
    assert_snapshot!(layers(folder.check("--basedir [DIR]/base --userdir [DIR]/base --engine fte path")), @"id1/ > id1/pak0.pak; user directory: [DIR]/base");
}

/// The same folders, in the place where an engine of the QuakeSpasm family looks for them.
#[cfg(target_os = "linux")]
fn at_home() -> Folder {
    let folder = Folder::new();
    folder.write("base/id1/pak0.pak", archive(&[(b"a.cfg", b"1"), (b"filler.cfg", b"1")]));
    folder.write("base/mod/a.cfg", "2");
    folder.write("home/.quakespasm/id1/a.cfg", "3");
    folder.write("home/.quakespasm/mod/a.cfg", "4");
    folder
}

#[cfg(target_os = "linux")]
#[test]
fn the_user_directory_of_the_engine_is_looked_at_in_the_home_folder() {
    let folder = at_home();
    let line = |line: &str| folder.check_at_home(&format!("--basedir [DIR]/base --game mod {line}"));
    assert_snapshot!(layers(line("--engine quakespasm path")), @"[DIR]/home/.quakespasm/mod/ > mod/ > [DIR]/home/.quakespasm/id1/ > id1/pak0.pak > id1/; user directory: [DIR]/home/.quakespasm (some builds of the engine do not look there)");
    assert_snapshot!(line("--engine quakespasm which -a a.cfg"), @"
    a.cfg: [DIR]/home/.quakespasm/mod/ (1 byte)
      overrides mod/ (1 byte): [game-directory]
      overrides [DIR]/home/.quakespasm/id1/ (1 byte): [game-directory]
      overrides id1/pak0.pak (entry 0, 1 byte): [game-directory]
    ");
    assert_snapshot!(layers(line("--engine winquake path")), @"mod/ > id1/pak0.pak > id1/");
    assert_snapshot!(line("compare quakespasm winquake"), @"
    exit: 1
    1 name: skipped: [skipped]

    name   quakespasm                                  winquake
    a.cfg  [DIR]/home/.quakespasm/mod/a.cfg  mod/a.cfg
    ");
}

#[cfg(target_os = "linux")]
#[test]
fn no_userdir_ignores_the_user_directory() {
    let folder = at_home();
    let line = |line: &str| folder.check_at_home(&format!("--basedir [DIR]/base --engine quakespasm {line}"));
    assert_snapshot!(layers(line("--no-userdir --game mod path")), @"mod/ > id1/pak0.pak > id1/");
    assert_snapshot!(brief(line("--no-userdir --userdir [DIR]/home path")), @"exit 2: error: --no-userdir excludes --userdir DIR; help: leave one of them out");
    assert_snapshot!(brief(line("--no-userdir which nothing")), @"exit 1: error: nothing: not found +help");
}

#[cfg(target_os = "linux")]
#[test]
fn userdir_replaces_the_one_in_the_home_folder() {
    let folder = at_home();
    folder.write("mine/id1/a.cfg", "5");
    let line = "--basedir [DIR]/base --engine quakespasm --userdir [DIR]/mine path";
    assert_snapshot!(layers(folder.check_at_home(line)), @"[DIR]/mine/id1/ > id1/pak0.pak > id1/; user directory: [DIR]/mine");
}

#[cfg(target_os = "linux")]
#[test]
fn a_missing_user_directory_is_not_a_layer() {
    let folder = at_home();
    assert_snapshot!(layers(folder.check_at_home("--basedir [DIR]/base --engine darkplaces path")), @"id1/ > id1/pak0.pak; user directory: [DIR]/home/.darkplaces (missing)");
    assert_snapshot!(layers(folder.check_at_home("--basedir [DIR]/base --engine fte path")), @"id1/ > id1/pak0.pak");
}
