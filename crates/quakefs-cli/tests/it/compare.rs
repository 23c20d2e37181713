//! `quakefs compare`: where engines load different files, and the rule that decides.

use insta::assert_snapshot;
use quakefs_cli::Exit;
use testutils::Folder;

use crate::{Commands as _, archive, check, game};

fn compare(text: &str, line: &str) -> String {
    testutils::game(text).check(&format!("--basedir [DIR] {line}"))
}

#[test]
fn compare_names_the_position_of_loose_files() {
    assert_snapshot!(compare("id1/pak0.pak: a.cfg b.cfg; id1/: a.cfg", "compare winquake darkplaces"), @"
    exit: 1
    -- stdout
    name   winquake        darkplaces  because
    a.cfg  id1/pak0.pak:0  id1/a.cfg   archives above loose files in winquake
    -- stderr
    ");
}

#[test]
fn compare_names_the_order_of_archives() {
    let tree = "id1/pak0.pak: x; id1/pak1.pak: x; id1/pak2.pak: x a; id1/pak3.pak: x; id1/pak4.pak: x;
        id1/pak5.pak: x; id1/pak6.pak: x; id1/pak7.pak: x; id1/pak8.pak: x; id1/pak9.pak: x; id1/pak10.pak: x a";
    assert_snapshot!(compare(tree, "compare winquake darkplaces fte"), @"
    exit: 1
    -- stdout
    name  winquake         darkplaces      fte              because
    a     id1/pak10.pak:1  id1/pak2.pak:1  id1/pak10.pak:1  pak10.pak after pak2.pak by number in winquake
    x     id1/pak10.pak:0  id1/pak9.pak:0  id1/pak10.pak:0  pak10.pak after pak9.pak by number in winquake
    -- stderr
    ");
    assert_snapshot!(compare(tree, "compare darkplaces winquake"), @"
    exit: 1
    -- stdout
    name  darkplaces      winquake         because
    a     id1/pak2.pak:1  id1/pak10.pak:1  pak2.pak after pak10.pak by name without case in darkplaces
    x     id1/pak9.pak:0  id1/pak10.pak:0  pak9.pak after pak10.pak by name without case in darkplaces
    -- stderr
    ");
}

#[test]
fn compare_names_archives_that_an_engine_does_not_load() {
    let tree = "id1/pak0.pak: a b; id1/pak2.pak: a; id1/maps.pak: b; id1/more.pk3: c; id1/PAK1.PAK: d";
    assert_snapshot!(compare(tree, "compare quakespasm fte"), @"
    exit: 1
    -- stdout
    name  quakespasm      fte             because
    a     id1/pak0.pak:0  id1/pak2.pak:0  id1/pak2.pak not loaded: pak1.pak is missing
    b     id1/pak0.pak:1  id1/maps.pak:0  id1/maps.pak not loaded: quakespasm looks for numbered archives alone
    c     -               id1/more.pk3:0  id1/more.pk3 not loaded: quakespasm does not read this kind of archive
    d     -               id1/PAK1.PAK:0  id1/PAK1.PAK not loaded: quakespasm looks for pak1.pak
    -- stderr
    ");
    assert_snapshot!(compare(tree, "compare quakespasm mvdsv winquake"), @"
    exit: 1
    -- stdout
    name  quakespasm      mvdsv           winquake        because
    a     id1/pak0.pak:0  id1/pak2.pak:0  id1/pak0.pak:0  id1/pak2.pak not loaded: pak1.pak is missing
    b     id1/pak0.pak:1  id1/maps.pak:0  id1/pak0.pak:1  id1/maps.pak not loaded: quakespasm looks for numbered archives alone
    -- stderr
    ");
}

#[test]
fn compare_names_the_case_of_names() {
    let tree = "id1/pak0.pak: Maps/Start.bsp; id1/: Readme.TXT";
    assert_snapshot!(compare(tree, "compare quakespasm darkplaces"), @"
    exit: 1
    -- stdout
    name            quakespasm  darkplaces      because
    maps/start.bsp  -           id1/pak0.pak:0  case: quakespasm takes a name as it is spelled
    -- stderr
    ");
    assert_snapshot!(compare("baseq2/: PICS/A.pcx; baseq2/pak0.pak: PICS/B.pcx", "compare quake2 yquake2 q2pro"), @"
    exit: 0
    -- stdout
    they load the same files: 3 names compared
    -- stderr
    ");
    let tree = "id1/pak0.pak: a.cfg; mod/: A.cfg";
    assert_snapshot!(compare(tree, "--game mod compare mvdsv darkplaces"), @"
    exit: 1
    -- stdout
    name   mvdsv  darkplaces      because
    a.cfg  -      id1/pak0.pak:0  case: in mvdsv a loose file of another spelling hides it
    -- stderr
    ");
}

#[test]
fn compare_names_the_reading_of_requests() {
    let tree = r"id1/pak0.pak: maps\a.bsp /b ./c";
    assert_snapshot!(compare(tree, "compare winquake fte"), @"
    exit: 1
    -- stdout
    name        winquake        fte             because
    ./c         id1/pak0.pak:2  -               fte reads the name in another way
    /b          id1/pak0.pak:1  -               fte reads the name in another way
    b           -               id1/pak0.pak:1  winquake reads the name in another way
    c           -               id1/pak0.pak:2  winquake reads the name in another way
    maps/a.bsp  -               id1/pak0.pak:0  winquake reads the name in another way
    -- stderr
    ");
}

#[test]
fn compare_names_which_of_two_rows_counts() {
    assert_snapshot!(compare("baseq2/pak0.pak: a b a", "compare quake2 q2pro"), @"
    exit: 1
    -- stdout
    name  quake2             q2pro              because
    a     baseq2/pak0.pak:0  baseq2/pak0.pak:2  first of equal rows in quake2
    -- stderr
    ");
}

#[test]
fn compare_names_the_games_that_count() {
    let tree = "id1/: a; one/: a b; two/: a";
    assert_snapshot!(compare(tree, "--game one --game two compare quakespasm qss quakeworld"), @"
    exit: 1
    -- stdout
    name  quakespasm  qss    quakeworld  because
    a     one/a       two/a  id1/a       two/ not used: quakespasm takes the first game alone
    b     one/b       one/b  -           one/ not used: quakeworld takes no game from its command line
    -- stderr
    ");
}

#[test]
fn compare_names_the_order_of_q2pro() {
    let tree = "baseq2/pak0.pak: a; baseq2/pak10.pak: a; baseq2/pak2.pak: a b; baseq2/Pak3.pkz: b; baseq2/x.pak: c; baseq2/PAK5.pak: c";
    assert_snapshot!(compare(tree, "compare q2pro yquake2"), @"
    exit: 1
    -- stdout
    name  q2pro              yquake2            because
    b     baseq2/Pak3.pkz:0  baseq2/pak2.pak:1  baseq2/Pak3.pkz not loaded: yquake2 looks for pak3.pkz
    -- stderr
    ");
}

#[test]
fn compare_reports_a_damaged_archive() {
    let folder = testutils::game("id1/pak0.pak: a; id1/pak2.pak: a");
    folder.write("id1/pak1.pak", "no archive");
    assert_snapshot!(folder.check("--basedir [DIR] compare winquake fte"), @r#"
    exit: 0
    -- stdout
    they load the same files: 2 names compared
    -- stderr
    warning: id1/pak1.pak: not loaded: not of the quake layout: expected the magic PACK, found "no a"; winquake stops with an error here
      help: it is another kind of file, whatever its name says: look at it with `file`
    "#);
    std::fs::remove_file(folder.join("id1/pak2.pak")).unwrap();
    folder.write("id1/pak1.pak", archive(&[(b"a", b"")]));
    let mut ragged = std::fs::read(folder.join("id1/pak1.pak")).unwrap();
    ragged[8] += 1;
    ragged.push(0);
    folder.write("id1/pak1.pak", ragged);
    assert_snapshot!(folder.check("--basedir [DIR] compare winquake darkplaces --only a"), @"
    exit: 1
    -- stdout
    name  winquake        darkplaces      because
    a     id1/pak1.pak:0  id1/pak0.pak:0  id1/pak1.pak not loaded: the directory ends inside a row: expected a multiple of 64, found 65 bytes
    -- stderr
    ");
}

#[test]
fn compare_without_differences_says_so() {
    assert_snapshot!(game("compare winquake quakespasm"), @"
    exit: 0
    -- stdout
    they load the same files: 15 names compared
    -- stderr
    ");
    assert_snapshot!(game("--json compare winquake quakespasm"), @"
    exit: 0
    -- stdout
    -- stderr
    ");
}

#[test]
fn compare_of_a_pattern_shows_the_names_that_match() {
    let tree = "id1/pak0.pak: maps/a.bsp maps/b.bsp a.cfg; id1/: maps/a.bsp a.cfg";
    let folder = testutils::game(tree);
    assert_snapshot!(folder.check("--basedir [DIR] compare winquake qss --only maps/*"), @"
    exit: 1
    -- stdout
    name        winquake        qss             because
    maps/a.bsp  id1/pak0.pak:0  id1/maps/a.bsp  archives above loose files in winquake
    -- stderr
    ");
    assert_snapshot!(folder.check("--basedir [DIR] compare winquake qss --only progs/*"), @r#"
    exit: 1
    -- stdout
    -- stderr
    error: nothing matches "progs/*"
      help: * stops at /: '**/*.wav' matches in every folder
    "#);
    assert_snapshot!(folder.check("--basedir [DIR] compare winquake qss --only [a"), @r#"
    exit: 2
    -- stdout
    -- stderr
    error: "[a" is not a pattern: unclosed character class; missing ']'
      help: write [*] for a star, and close every [ and {
    "#);
}

#[test]
fn compare_prints_json() {
    let tree = "id1/pak0.pak: a.cfg; id1/: a.cfg; id1/x.pk3: b";
    let answer = testutils::game(tree).run("--basedir [DIR] --json compare winquake darkplaces fte");
    assert_eq!(answer.exit, Exit::NotFound);
    assert_snapshot!(answer.out(), @r#"
    {"type":"difference","name":"a.cfg","engines":[{"engine":"winquake","layer":"id1/pak0.pak","kind":"pak","stored":"a.cfg","entry":0,"size":14},{"engine":"darkplaces","layer":"id1/","kind":"dir","stored":"a.cfg","entry":null,"size":9},{"engine":"fte","layer":"id1/","kind":"dir","stored":"a.cfg","entry":null,"size":9}],"rule":"archives above loose files in winquake"}
    {"type":"difference","name":"b","engines":[{"engine":"winquake"},{"engine":"darkplaces","layer":"id1/x.pk3","kind":"zip","stored":"b","entry":0,"size":11},{"engine":"fte","layer":"id1/x.pk3","kind":"zip","stored":"b","entry":0,"size":11}],"rule":"id1/x.pk3 not loaded: winquake does not read this kind of archive"}
    "#);
    assert_eq!(answer.json().len(), 2);
}

#[test]
fn compare_refuses_wrong_arguments() {
    assert_snapshot!(game("compare winquake"), @"
    exit: 2
    -- stdout
    -- stderr
    error: 2 values required by '<ENGINE> <ENGINE>...'; only 1 was provided

    Usage: quakefs compare [OPTIONS] <ENGINE> <ENGINE>...

    For more information, try '--help'.
    ");
    assert_snapshot!(game("compare winquake darkplases"), @"
    exit: 2
    -- stdout
    -- stderr
    error: invalid value 'darkplases' for '<ENGINE> <ENGINE>...'
      [possible values: ENGINES]

      tip: a similar value exists: 'darkplaces'

    For more information, try '--help'.
    ");
    assert_snapshot!(game("compare winquake quake2"), @"
    exit: 2
    -- stdout
    -- stderr
    error: quake2: [GAME]: expected a folder baseq2, found none
      help: this folder has id1: ask by --engine winquake, quakespasm, ironwail, qss, darkplaces, fte, mvdsv, quakeworld or vkquake
    ");
    assert_snapshot!(game("--engine fte compare winquake qss"), @"
    exit: 2
    -- stdout
    -- stderr
    error: --engine names one engine, and `quakefs compare` two or more
      help: name the engines after `compare`
    ");
    assert_snapshot!(check("--basedir nowhere compare winquake qss"), @"
    exit: 2
    -- stdout
    -- stderr
    error: winquake: nowhere: no such base directory
      help: name the folder that holds the game directories, not one of them
    ");
}

#[test]
fn compare_escapes_control_bytes() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", archive(&[(b"\x1b[2J\xff", b"1")]));
    folder.write("id1/x.pak", archive(&[(b"\x1b[2J\xff", b"2")]));
    assert_snapshot!(folder.check("--basedir [DIR] compare winquake fte"), @r"
    exit: 1
    -- stdout
    name         winquake        fte          because
    \x1B[2J\xFF  id1/pak0.pak:0  id1/x.pak:0  id1/x.pak not loaded: winquake looks for numbered archives alone
    \x1B[2j\xFF  -               id1/x.pak:0  id1/x.pak not loaded: winquake looks for numbered archives alone
    -- stderr
    ");
}
