//! `quakefs compare`: where engines load different files, and the rule that decides.

use insta::assert_snapshot;
use quakefs_cli::Exit;
use testutils::Folder;

use crate::samples::by_name;
use crate::{Commands as _, archive, brief, check, game, layers, run};

fn compare(text: &str, line: &str) -> String {
    testutils::game(text).check(&format!("--basedir [DIR] {line}"))
}

/// The differences, a line each: the cause and the row of its table. Then the warnings.
fn differences(tree: &str, line: &str) -> String {
    let answer = compare(tree, line);
    let mut sections = answer.split("\n\n");
    let causes: Vec<_> = sections.next().unwrap().lines().collect();
    assert_eq!((causes[0], sections.clone().count()), ("exit: 1", causes.len() - 1), "{answer}");
    // the title, and the cause if it is not the only one
    let titles = if causes.len() == 2 { 1 } else { 2 };
    let mut text = String::new();
    for (cause, section) in causes[1..].iter().zip(sections) {
        for row in section.lines().skip(titles) {
            match row.strip_prefix("! ") {
                Some(warning) => text += warning,
                None => text.extend([cause.split_once(": ").unwrap().1, ": ", &crate::words(row).join(" ")]),
            }
            text += "\n";
        }
    }
    text
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn compare_names_the_cause_of_a_difference() {
    let q2pro = "baseq2/pak0.pak: a; baseq2/pak10.pak: a; baseq2/pak2.pak: a b; baseq2/Pak3.pkz: b; \
        baseq2/x.pak: c; baseq2/PAK5.pak: c";
    let cases = [
        ("id1/pak0.pak: a.cfg b.cfg; id1/: a.cfg", "compare winquake darkplaces"),
        ("id1/pak0.pak: Maps/Start.bsp; id1/: Readme.TXT", "compare quakespasm darkplaces"),
        ("id1/pak0.pak: a.cfg; mod/: A.cfg", "--game mod compare mvdsv darkplaces"),
        ("baseq2/pak0.pak: a b a", "compare quake2 q2pro"),
        (q2pro, "compare q2pro yquake2"),
    ];
    assert_snapshot!(cases.map(|(tree, line)| differences(tree, line)).concat(), @"
    loose: in winquake, [loose below]: a.cfg id1/pak0.pak:0 id1/a.cfg
    case: [case]: maps/start.bsp - id1/pak0.pak:0
    spelling: [spelling]: a.cfg - id1/pak0.pak:0
    equal-rows: in quake2, [equal-rows first]: a baseq2/pak0.pak:0 baseq2/pak0.pak:2
    skipped: yquake2 skips baseq2/Pak3.pkz: [archive-case wrong-case]: b baseq2/Pak3.pkz:0 baseq2/pak2.pak:1
    ");
    assert_snapshot!(compare("baseq2/: PICS/A.pcx; baseq2/pak0.pak: PICS/B.pcx", "compare quake2 yquake2 q2pro"), @"they load the same files: 3 names compared");
}

#[test]
fn compare_names_the_order_of_archives() {
    let tree = "id1/pak0.pak: x; id1/pak1.pak: x; id1/pak2.pak: x a; id1/pak3.pak: x; id1/pak4.pak: x;
        id1/pak5.pak: x; id1/pak6.pak: x; id1/pak7.pak: x; id1/pak8.pak: x; id1/pak9.pak: x; id1/pak10.pak: x a";
    assert_snapshot!(differences(tree, "compare winquake darkplaces fte"), @"
    archive-order: in winquake, [archive-order number]: a id1/pak10.pak:1 id1/pak2.pak:1 id1/pak10.pak:1
    archive-order: in winquake, [archive-order number]: x id1/pak10.pak:0 id1/pak9.pak:0 id1/pak10.pak:0
    ");
    assert_snapshot!(differences(tree, "compare darkplaces winquake"), @"
    archive-order: in darkplaces, [archive-order name-ignoring-case]: a id1/pak2.pak:1 id1/pak10.pak:1
    archive-order: in darkplaces, [archive-order name-ignoring-case]: x id1/pak9.pak:0 id1/pak10.pak:0
    ");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn compare_names_archives_that_an_engine_does_not_load() {
    let tree = "id1/pak0.pak: a b; id1/pak2.pak: a; id1/maps.pak: b; id1/more.pk3: c; id1/PAK1.PAK: d";
    assert_snapshot!(compare(tree, "compare quakespasm fte"), @"
    exit: 1
    1 name: skipped: quakespasm skips id1/PAK1.PAK: [archive-case wrong-case]
    1 name: skipped: quakespasm skips id1/maps.pak: [archive-skipped not-numbered]
    1 name: skipped: quakespasm skips id1/more.pk3: [archive-skipped other-kind]
    1 name: skipped: quakespasm skips id1/pak2.pak: [gap after-gap]

    1 name: skipped: quakespasm skips id1/PAK1.PAK: [archive-case wrong-case]
    name  quakespasm  fte
    d     -           id1/PAK1.PAK:0

    1 name: skipped: quakespasm skips id1/maps.pak: [archive-skipped not-numbered]
    name  quakespasm      fte
    b     id1/pak0.pak:1  id1/maps.pak:0

    1 name: skipped: quakespasm skips id1/more.pk3: [archive-skipped other-kind]
    name  quakespasm  fte
    c     -           id1/more.pk3:0

    1 name: skipped: quakespasm skips id1/pak2.pak: [gap after-gap]
    name  quakespasm      fte
    a     id1/pak0.pak:0  id1/pak2.pak:0
    ");
    assert_snapshot!(differences(tree, "compare quakespasm mvdsv winquake"), @"
    skipped: quakespasm skips id1/maps.pak: [archive-skipped not-numbered]: b id1/pak0.pak:1 id1/maps.pak:0 id1/pak0.pak:1
    skipped: quakespasm skips id1/pak2.pak: [gap after-gap]: a id1/pak0.pak:0 id1/pak2.pak:0 id1/pak0.pak:0
    ");
}

#[test]
fn compare_names_the_reading_of_requests() {
    let tree = r"id1/pak0.pak: maps\a.bsp /b ./c";
    assert_snapshot!(differences(tree, "compare winquake fte"), @"
    request: [request]: ./c id1/pak0.pak:2 -
    request: [request]: /b id1/pak0.pak:1 -
    request: [request]: b - id1/pak0.pak:1
    request: [request]: maps/a.bsp - id1/pak0.pak:0
    ");
}

#[test]
fn compare_names_the_games_that_count() {
    let tree = "id1/: a; one/: a b; two/: a";
    assert_snapshot!(differences(tree, "--game one --game two compare quakespasm qss quakeworld"), @"
    skipped: quakespasm skips two/: [game-ignored first]: a one/a two/a id1/a
    skipped: quakeworld skips one/: [game-ignored|no-games]: b one/b one/b -
    warning: two/: [game-ignored first] +help
    warning: one/: [game-ignored|no-games]
    warning: two/: [game-ignored|no-games]
    ");
}

#[test]
fn compare_reports_a_damaged_archive() {
    let folder = testutils::game("id1/pak0.pak: a; id1/pak2.pak: a");
    folder.write("id1/pak1.pak", "no archive");
    assert_snapshot!(folder.check("--basedir [DIR] compare winquake fte"), @"
    exit: 1
    they load the same files: 1 name compared
    ! warning: winquake does not start: id1/pak1.pak: [wrong-magic] +help
    ");
    std::fs::remove_file(folder.join("id1/pak2.pak")).unwrap();
    folder.write("id1/pak1.pak", archive(&[(b"a", b"")]));
    let mut ragged = std::fs::read(folder.join("id1/pak1.pak")).unwrap();
    ragged[8] += 1;
    ragged.push(0);
    folder.write("id1/pak1.pak", ragged);
    assert_snapshot!(folder.check("--basedir [DIR] compare winquake darkplaces --only a"), @"
    exit: 1
    1 name: skipped: darkplaces skips id1/pak1.pak: [partial-row]

    name  winquake        darkplaces
    a     id1/pak1.pak:0  id1/pak0.pak:0
    ");
}

#[test]
fn compare_without_differences_says_so() {
    assert_snapshot!(game("compare winquake quakespasm"), @"they load the same files: 15 names compared");
    assert_snapshot!(game("--json compare winquake quakespasm"), @"exit: 0");
}

#[test]
fn compare_of_a_pattern_shows_the_names_that_match() {
    let tree = "id1/pak0.pak: maps/a.bsp maps/b.bsp a.cfg; id1/: maps/a.bsp a.cfg";
    let folder = testutils::game(tree);
    assert_snapshot!(folder.check("--basedir [DIR] compare winquake qss --only maps/*"), @"
    exit: 1
    1 name: loose: in winquake, [loose below]

    name        winquake        qss
    maps/a.bsp  id1/pak0.pak:0  id1/maps/a.bsp
    ");
    assert_snapshot!(brief(folder.check("--basedir [DIR] compare winquake qss --only progs/*")), @r#"exit 1: error: nothing matches "progs/*" +help"#);
    assert_snapshot!(brief(folder.check("--basedir [DIR] compare winquake qss --only [a")), @"exit 2: error: [pattern] unclosed character class; missing ']' +help");
}

#[test]
fn compare_prints_json() {
    let tree = "id1/pak0.pak: a.cfg; id1/: a.cfg; id1/x.pk3: b";
    let answer = testutils::game(tree).run("--basedir [DIR] --json compare winquake darkplaces fte");
    assert_eq!(answer.exit, Exit::NotFound);
    assert_snapshot!(by_name(answer.out()), @r#"
    {"type":"cause","because":"loose","rule":"in winquake, [loose below]","names":1}
    {"type":"cause","because":"skipped","rule":"winquake skips id1/x.pk3: [archive-skipped other-kind]","names":1}
    {"type":"difference","name":"a.cfg","engines":[{"engine":"winquake","layer":"id1/pak0.pak","index":0,"kind":"pak","stored":"a.cfg","entry":0,"size":14,"content_type":"config"},{"engine":"darkplaces","layer":"id1/","index":0,"kind":"dir","stored":"a.cfg","entry":null,"size":9,"content_type":"config"},{"engine":"fte","layer":"id1/","index":0,"kind":"dir","stored":"a.cfg","entry":null,"size":9,"content_type":"config"}],"because":"loose","rule":"in winquake, [loose below]"}
    {"type":"difference","name":"b","engines":[{"engine":"winquake"},{"engine":"darkplaces","layer":"id1/x.pk3","index":1,"kind":"zip","stored":"b","entry":0,"size":11,"content_type":"other"},{"engine":"fte","layer":"id1/x.pk3","index":1,"kind":"zip","stored":"b","entry":0,"size":11,"content_type":"other"}],"because":"skipped","rule":"winquake skips id1/x.pk3: [archive-skipped other-kind]"}
    "#);
    assert_eq!(answer.json().len(), 4);
}

#[test]
fn compare_refuses_wrong_arguments() {
    assert_snapshot!(brief(game("compare winquake")), @"exit 2: error: compare needs 2 or more of ENGINE[@SYSTEM]...; help: quakefs compare [OPTIONS] ENGINE[@SYSTEM] ENGINE[@SYSTEM]...; `quakefs compare -h` explains it");
    assert_snapshot!(game("compare winquake darkplases"), @"
    exit: 2
    ! error: 'darkplases' is no value of ENGINE[@SYSTEM]...
    !   help: […] `quakefs engines` lists all engines
    ");
    assert_snapshot!(brief(game("compare winquake quake2")), @"exit 2: error: winquake and quake2 are for different games: winquake looks in id1; quake2 in baseq2; help: name engines of one game, or add --force");
    assert_snapshot!(brief(game("--engine fte compare winquake qss")), @"exit 2: error: --engine is no option of compare; help: quakefs compare [OPTIONS] ENGINE[@SYSTEM] ENGINE[@SYSTEM]...; `quakefs compare -h` explains it");
    assert_snapshot!(brief(check("--basedir nowhere compare winquake qss")), @"exit 2: error: nowhere: [no-base-directory] +help");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn compare_shows_the_files_that_work_only_in_the_editor() {
    let tree = "id1/pak0.pak: a; mod/pak0.pak: maps/Start.bsp; mod/textures.pak: textures/rock.tga; mod/: \
        progs/Hat.mdl";
    assert_snapshot!(differences(tree, "--game mod compare quakespasm trenchbroom"), @"
    case: [case]: maps/start.bsp - mod/pak0.pak:0
    case: [case]: progs/hat.mdl - mod/progs/Hat.mdl
    skipped: quakespasm skips mod/textures.pak: [archive-skipped not-numbered]: textures/rock.tga - mod/textures.pak:0
    ");
    assert_snapshot!(differences(tree, "--game mod compare trenchbroom ericw-tools"), @"
    case: [case]: progs/hat.mdl mod/progs/Hat.mdl -
    skipped: ericw-tools skips id1/pak0.pak: [archive-skipped none-loaded]: a id1/pak0.pak:0 -
    skipped: ericw-tools skips mod/pak0.pak: [archive-skipped none-loaded]: maps/Start.bsp mod/pak0.pak:0 -
    skipped: ericw-tools skips mod/textures.pak: [archive-skipped none-loaded]: textures/rock.tga mod/textures.pak:0 -
    ");
}

#[test]
fn an_archive_that_trenchbroom_cannot_read_ends_its_directory() {
    let folder = testutils::game("id1/pak0.pak: a; id1/pak1.pak: b; id1/pak3.pak: c");
    let mut cut = std::fs::read(folder.join("id1/pak1.pak")).unwrap();
    cut.pop();
    folder.write("id1/pak1.pak", cut);
    assert_snapshot!(layers(folder.check("--basedir [DIR] --engine trenchbroom path")), @"id1/pak0.pak > id1/; warning: id1/pak1.pak: skipped: [directory-outside] +help; warning: id1/pak3.pak: [after-wrong-archive after-unusable] +help");
}

#[test]
fn compare_of_engines_of_different_games_needs_force() {
    let tree = "id1/: a; baseq2/: a b";
    assert_snapshot!(brief(compare(tree, "compare fte quakeworld daikatana")), @"exit 2: error: fte and daikatana are for different games: fte looks in id1, qw, fte; daikatana in data; help: name engines of one game, or add --force");
    assert_snapshot!(differences(tree, "compare --force winquake quake2"), @"
    skipped: [skipped]: a id1/a baseq2/a
    skipped: [skipped]: b - baseq2/b
    ");
}

#[test]
fn compare_warns_once_of_a_missing_game() {
    assert_snapshot!(game("--game nosuch --mission nosuch compare quakespasm qss ironwail"), @"
    exit: 1
    1 name: loose: in quakespasm, [loose below]

    name            quakespasm      qss                 ironwail
    maps/start.bsp  id1/pak0.pak:4  id1/maps/start.bsp  id1/pak0.pak:4
    ! warning: nosuch/: [engine-stops|missing-directory] +help
    ! warning: ironwail does not start: nosuch/: [engine-stops|missing-directory]
    ! warning: -nosuch: [unknown-flag unknown-flag] +help
    ! warning: -nosuch: [unknown-flag unknown-flag]
    ! warning: -nosuch: [unknown-flag unknown-flag]
    ");
}

#[test]
fn compare_of_one_cause_shows_its_names() {
    let folder = testutils::game("id1/pak0.pak: a.cfg Maps/b.bsp; id1/: a.cfg");
    assert_snapshot!(folder.check("--basedir [DIR] compare winquake darkplaces --only case"), @"
    exit: 1
    1 name: case: [case]

    name        winquake  darkplaces
    maps/b.bsp  -         id1/pak0.pak:1
    ");
    assert_snapshot!(folder.check("--basedir [DIR] compare winquake darkplaces --only loose --only maps/*"), @"no name differs by loose: 2 names compared, 1 differs by other causes");
    assert_snapshot!(folder.check("--basedir [DIR] compare winquake darkplaces --only equal-rows"), @"no name differs by equal-rows: 3 names compared, 2 differ by other causes");
    assert_snapshot!(brief(folder.check("--basedir [DIR] compare winquake darkplaces --only cases")), @r#"exit 1: error: nothing matches "cases"; help: a cause is one of skipped, case, spelling, request, on-top, game-directory, loose, archive-order, equal-rows, layers, content-limit; anything else is a glob over names"#);
    let help = run(&["compare", "--help"]);
    for cause in quakefs::why::Because::NAMES {
        assert!(help.out().contains(&format!("\n  {cause} ")), "{cause}: {}", help.out());
    }
    assert!(!help.out().contains("--engine") && !help.out().contains("--rules"), "{}", help.out());
}

#[test]
fn compare_escapes_control_bytes() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", archive(&[(b"\x1b[2J\xff", b"1")]));
    folder.write("id1/x.pak", archive(&[(b"\x1b[2J\xff", b"2")]));
    assert_snapshot!(folder.check("--basedir [DIR] compare winquake fte"), @r"
    exit: 1
    2 names: skipped: winquake skips id1/x.pak: [archive-skipped not-numbered]

    name         winquake        fte
    \x1B[2J\xFF  id1/pak0.pak:0  id1/x.pak:0
    \x1B[2j\xFF  -               id1/x.pak:0
    ");
}
