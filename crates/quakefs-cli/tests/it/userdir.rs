//! `--userdir`: a directory of the user's own.

use insta::assert_snapshot;
use testutils::Folder;

use crate::{Commands as _, archive};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("base/id1/pak0.pak", archive(&[(b"a.cfg", b"1"), (b"b.cfg", b"1")]));
    folder.write("base/mod/a.cfg", "2");
    folder.write("home/id1/pak0.pak", archive(&[(b"a.cfg", b"3"), (b"b.cfg", b"3")]));
    folder.write("home/mod/a.cfg", "4");
    folder
}

#[test]
fn game_directories_of_the_user_are_above_those_of_the_base_directory() {
    let folder = folder();
    let line =
        |line: &str| folder.check(&format!("--basedir [DIR]/base --userdir [DIR]/home --game mod {line}"));
    assert_snapshot!(line("--engine fte path"), @"
    exit: 0
    -- stdout
    layer                              kind  entries  problems
    [DIR]/home/mod/          dir         -         -
    mod/                               dir         -         -
    [DIR]/home/id1/          dir         -         -
    [DIR]/home/id1/pak0.pak  pak         2         -
    id1/                               dir         -         -
    id1/pak0.pak                       pak         2         -
    -- stderr
    ");
    assert_snapshot!(line("which -a a.cfg b.cfg"), @"
    exit: 0
    -- stdout
    a.cfg: [DIR]/home/mod/ (1 byte)
      hides mod/ (1 byte): [DIR]/home/mod/ above mod/
      hides [DIR]/home/id1/pak0.pak (entry 0, 1 byte): [DIR]/home/mod/ above [DIR]/home/id1/
      hides id1/pak0.pak (entry 0, 1 byte): [DIR]/home/mod/ above id1/
    b.cfg: [DIR]/home/id1/pak0.pak (entry 1, 1 byte)
      hides id1/pak0.pak (entry 1, 1 byte): [DIR]/home/id1/ above id1/
    -- stderr
    ");
    assert_snapshot!(line("--engine fte --json path"), @r#"
    exit: 0
    -- stdout
    {"type":"layer","layer":"[DIR]/home/mod/","kind":"dir","layout":null,"entries":null,"problems":0,"path":"[DIR]/home/mod","game_directory":"[DIR]/home/mod","rank":4}
    {"type":"layer","layer":"mod/","kind":"dir","layout":null,"entries":null,"problems":0,"path":"[DIR]/base/mod","game_directory":"mod","rank":3}
    {"type":"layer","layer":"[DIR]/home/id1/","kind":"dir","layout":null,"entries":null,"problems":0,"path":"[DIR]/home/id1","game_directory":"[DIR]/home/id1","rank":2}
    {"type":"layer","layer":"[DIR]/home/id1/pak0.pak","kind":"pak","layout":"quake","entries":2,"problems":0,"path":"[DIR]/home/id1/pak0.pak","game_directory":"[DIR]/home/id1","rank":2}
    {"type":"layer","layer":"id1/","kind":"dir","layout":null,"entries":null,"problems":0,"path":"[DIR]/base/id1","game_directory":"id1","rank":1}
    {"type":"layer","layer":"id1/pak0.pak","kind":"pak","layout":"quake","entries":2,"problems":0,"path":"[DIR]/base/id1/pak0.pak","game_directory":"id1","rank":1}
    -- stderr
    "#);
    assert_snapshot!(line("--json which a.cfg"), @r#"
    exit: 0
    -- stdout
    {"type":"which","name":"a.cfg","found":true,"layer":"[DIR]/home/mod/","kind":"dir","stored":"a.cfg","entry":null,"size":1}
    -- stderr
    "#);
    assert_snapshot!(line("compare winquake qss"), @"
    exit: 0
    -- stdout
    they load the same files: 2 names compared
    -- stderr
    ");
}

#[test]
fn a_mod_may_be_in_the_user_directory_alone() {
    let folder = folder();
    folder.write("home/mine/c.cfg", "5");
    let line = "--basedir [DIR]/base --userdir [DIR]/home --game mine which c.cfg";
    assert_snapshot!(folder.check(line), @"
    exit: 0
    -- stdout
    c.cfg: [DIR]/home/mine/ (1 byte)
    -- stderr
    ");
}

#[test]
fn a_missing_user_directory_is_a_warning() {
    let folder = folder();
    assert_snapshot!(folder.check("--basedir [DIR]/base --userdir [DIR]/nowhere which b.cfg"), @"
    exit: 0
    -- stdout
    b.cfg: id1/pak0.pak (entry 1, 1 byte)
    -- stderr
    warning: [DIR]/nowhere: there is no such folder
      help: look at its spelling and case
    ");
    assert_snapshot!(folder.check("--basedir [DIR]/base --userdir [DIR]/base/mod/a.cfg which b.cfg"), @"
    exit: 0
    -- stdout
    b.cfg: id1/pak0.pak (entry 1, 1 byte)
    -- stderr
    warning: [DIR]/base/mod/a.cfg: there is no such folder
      help: look at its spelling and case
    ");
    assert_snapshot!(folder.check("--basedir [DIR]/base --userdir= which b.cfg"), @"
    exit: 2
    -- stdout
    -- stderr
    error: a value is required for '--userdir <DIR>' but none was supplied

    For more information, try '--help'.
    ");
}

#[test]
fn the_user_directory_may_be_the_base_directory() {
    let folder = folder();
    assert_snapshot!(folder.check("--basedir [DIR]/base --userdir [DIR]/base --engine fte path"), @"
    exit: 0
    -- stdout
    layer         kind  entries  problems
    id1/          dir         -         -
    id1/pak0.pak  pak         2         -
    -- stderr
    ");
}

#[test]
fn the_user_directory_is_refused_for_an_archive() {
    let folder = folder();
    assert_snapshot!(folder.check("--userdir [DIR]/home pak list [DIR]/base/id1/pak0.pak"), @"
    exit: 2
    -- stdout
    -- stderr
    error: --userdir says which game is asked, and `quakefs pak` looks at one archive
      help: leave it out, or use the command without `pak`
    ");
}
