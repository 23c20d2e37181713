//! `quakefs shadows`

use insta::assert_snapshot;
use testutils::Folder;

use crate::{Commands as _, brief, game, run, words};

#[test]
fn shadows_lists_every_overridden_copy() {
    assert_snapshot!(game("shadows"), @"
    id1/pak1.pak  overrides  id1/pak0.pak  different   default.cfg
    id1/pak0.pak  overrides  id1/          different   maps/start.bsp
    ");
    assert_eq!(
        game("--game mymod shadows").lines().filter(|line| line.contains("  overrides  ")).count(),
        10
    );
    assert_eq!(game("--engine quakespasm --game mymod shadows"), game("--game mymod shadows"));
}

#[test]
fn shadows_of_a_pattern_lists_the_names_that_match() {
    assert_snapshot!(game("--game mymod shadows **/*.lmp"), @"mymod/pak0.pak  overrides  id1/pak0.pak  same        gfx/conback.lmp");
}

#[test]
fn shadows_of_a_name_without_copies_finds_nothing() {
    assert_snapshot!(game("shadows quake.rc"), @"exit: 0");
}

#[test]
fn shadows_of_a_pattern_without_a_match_finds_nothing() {
    assert_snapshot!(brief(game("shadows *.wav")), @r#"exit 1: error: nothing matches "*.wav"; help: * stops at /: "**/*.wav" matches in every folder"#);
    assert_snapshot!(game("shadows maps"), @"id1/pak0.pak  overrides  id1/  different   maps/start.bsp");
    assert_snapshot!(brief(game("shadows [a")), @"exit 2: error: [pattern] unclosed character class; missing ']' +help");
}

#[test]
fn shadows_prints_json() {
    assert_snapshot!(game("--json --game mymod shadows progs.dat"), @r#"
    {"type":"overridden","name":"progs.dat","file":{"name":"progs.dat","layer":"mymod/pak0.pak","index":1,"kind":"pak","stored":"progs.dat","entry":0,"size":2127,"content_type":"program"},"overridden":{"name":"progs.dat","layer":"mymod/","index":2,"kind":"dir","stored":"progs.dat","entry":null,"size":2145,"content_type":"program"},"same":false,"because":"loose","rule":"[loose below]"}
    {"type":"overridden","name":"progs.dat","file":{"name":"progs.dat","layer":"mymod/pak0.pak","index":1,"kind":"pak","stored":"progs.dat","entry":0,"size":2127,"content_type":"program"},"overridden":{"name":"progs.dat","layer":"id1/pak0.pak","index":4,"kind":"pak","stored":"progs.dat","entry":2,"size":2125,"content_type":"program"},"same":false,"because":"game-directory","rule":"[game-directory]"}
    "#);
    assert_eq!(run(&words("--json --basedir [GAME] --game mymod shadows")).json().len(), 10);
}

#[test]
fn shadows_reports_a_copy_that_cannot_be_read() {
    let folder = Folder::new();
    let mut image = crate::archive(&[(b"a", b"abc")]);
    let offset = image.len() - 8;
    image[offset] = 200;
    folder.write("id1/pak0.pak", crate::archive(&[(b"a", b"abc"), (b"b", b"")]));
    folder.write("id1/pak1.pak", image);
    folder.write("id1/b", "");
    assert_snapshot!(folder.check("--basedir [DIR] shadows"), @"
    exit: 2
    id1/pak1.pak  overrides  id1/pak0.pak  unreadable  a
    id1/pak0.pak  overrides  id1/          same        b
    ! error: id1/pak1.pak: entry 0 (a): [entry-outside|outside] +help
    ");
    assert_snapshot!(folder.check("--basedir [DIR] --json shadows"), @r#"
    exit: 2
    {"type":"overridden","name":"a","file":{"name":"a","layer":"id1/pak1.pak","index":0,"kind":"pak","stored":"a","entry":0,"size":3,"content_type":"other"},"overridden":{"name":"a","layer":"id1/pak0.pak","index":1,"kind":"pak","stored":"a","entry":0,"size":3,"content_type":"other"},"same":null,"because":"archive-order","rule":"[archive-order number]"}
    {"type":"overridden","name":"b","file":{"name":"b","layer":"id1/pak0.pak","index":1,"kind":"pak","stored":"b","entry":1,"size":0,"content_type":"other"},"overridden":{"name":"b","layer":"id1/","index":2,"kind":"dir","stored":"b","entry":null,"size":0,"content_type":"other"},"same":true,"because":"loose","rule":"[loose below]"}
    ! error: id1/pak1.pak: entry 0 (a): [entry-outside|outside] +help
    "#);
}

#[test]
fn shadows_lists_the_second_of_two_equal_rows() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", crate::archive(&[(b"a", b"1"), (b"a", b"2")]));
    assert_snapshot!(folder.check("--basedir [DIR] shadows"), @"id1/pak0.pak  overrides  id1/pak0.pak  different   a");
    assert_snapshot!(folder.check("--basedir [DIR] which -a a"), @"
    a: id1/pak0.pak (entry 0, 1 byte)
      overrides id1/pak0.pak (entry 1, 1 byte): [equal-rows first]
    ");
}
