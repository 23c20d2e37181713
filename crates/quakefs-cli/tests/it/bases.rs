//! `--basedir` that is given again, and `--basegame`.

use insta::assert_snapshot;
use testutils::Folder;

use crate::{Commands as _, archive, layers};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("one/id1/pak0.pak", archive(&[(b"a.cfg", b"1"), (b"filler.cfg", b"1")]));
    folder.write("one/mod/a.cfg", "2");
    folder.write("two/id1/a.cfg", "3");
    folder.write("two/mod/b.cfg", "4");
    folder
}

#[test]
fn each_engine_ranks_a_second_base_directory_its_own_way() {
    let folder = folder();
    let line =
        |line: &str| folder.check(&format!("--basedir [DIR]/one --basedir [DIR]/two --game mod {line}"));
    assert_snapshot!(layers(line("--engine ironwail path")), @"[DIR]/two/mod/ > mod/ > [DIR]/two/id1/ > id1/pak0.pak > id1/");
    assert_snapshot!(line("--engine ironwail which -a a.cfg"), @"
    a.cfg: mod/ (1 byte)
      overrides [DIR]/two/id1/ (1 byte): [game-directory]
      overrides id1/pak0.pak (entry 0, 1 byte): [game-directory]
    ");
    assert_snapshot!(layers(line("--engine vkquake path")), @"mod/ > [DIR]/two/mod/ > id1/pak0.pak > id1/ > [DIR]/two/id1/");
    assert_snapshot!(layers(line("--engine quakespasm path")), @"mod/ > id1/pak0.pak > id1/; warning: [DIR]/two/: [base-directory-ignored base-directory] +help");
    assert_snapshot!(line("--engine quakespasm which b.cfg"), @"
    exit: 1
    ! warning: [DIR]/two/: [base-directory-ignored base-directory] +help
    ! error: b.cfg: not found +help
    ");
}

#[test]
fn a_second_base_directory_that_does_not_exist_is_a_warning() {
    let folder = folder();
    let line = "--basedir [DIR]/one --basedir [DIR]/nowhere --engine ironwail which a.cfg";
    assert_snapshot!(folder.check(line), @"
    exit: 1
    a.cfg: id1/pak0.pak (entry 0, 1 byte)
    ! warning: [DIR]/nowhere/: [engine-stops|missing-directory] +help
    ");
}

#[test]
fn basegame_replaces_id1() {
    let folder = folder();
    folder.write("one/lq1/c.cfg", "5");
    assert_snapshot!(layers(folder.check("--basedir [DIR]/one --basegame lq1 --engine vkquake path")), @"lq1/");
    assert_snapshot!(folder.check("--basedir [DIR]/one --basegame lq1 which a.cfg"), @"
    a.cfg: id1/pak0.pak (entry 0, 1 byte)
    ! warning: lq1/: [game-ignored base-game] +help
    ");
}

#[test]
fn the_folder_of_the_program_has_the_engines_own_archive_or_the_game() {
    let folder = folder();
    let own = archive(&[(b"own.cfg", b"1"), (b"a.cfg", b"5")]);
    folder.write("bin/ironwail.pak", &own);
    folder.write("bin/baseq2/pak0.pak", &own);
    folder.write("data/baseq2/a.cfg", "6");
    let layers = |line: &str| -> Vec<String> {
        let lines = folder.run(&format!("{line} --json path")).json();
        let layers = lines.iter().filter(|line| line["type"] == "layer");
        layers.map(|line| folder.redact(line["layer"].as_str().unwrap())).collect()
    };
    let ironwail = "--basedir [DIR]/one --engine ironwail";
    assert_eq!(layers(ironwail), ["id1/pak0.pak", "id1/"]);
    let with = layers(&format!("{ironwail} --exedir [DIR]/bin"));
    assert_eq!(with, ["[DIR]/bin/ironwail.pak", "id1/pak0.pak", "id1/"]);
    let yquake2 = layers("--basedir [DIR]/data --engine yquake2 --exedir [DIR]/bin");
    assert_eq!(yquake2[..2], ["[DIR]/bin/baseq2/pak0.pak", "[DIR]/bin/baseq2/"]);
    // the engine looks for nothing there
    assert_eq!(
        layers("--basedir [DIR]/one --engine quakespasm --exedir [DIR]/bin"),
        ["id1/pak0.pak", "id1/"]
    );
}

#[test]
fn an_engine_that_looks_for_nothing_beside_its_program_says_so() {
    let folder = folder();
    assert_snapshot!(folder.check("--basedir [DIR]/one --engine winquake --exedir [DIR]/two which a.cfg"), @"
    a.cfg: id1/pak0.pak (entry 0, 1 byte)
    ! warning: winquake does not look for files in the folder of its program
    !   help: leave out --exedir
    ");
}

#[test]
fn a_damaged_archive_costs_no_other_if_no_game_is_there() {
    let folder = Folder::new();
    folder.write("pak0.pak", archive(&[(b"a.cfg", b"1")]));
    folder.write("data.zip", "P");
    let (_, out, said) = crate::run_in(&folder, "--no-userdir ls");
    assert_snapshot!(out, @"pak0.pak  a.cfg");
    assert_snapshot!(said, @"
    warning: data.zip: not mounted: the header is cut short: expected 12 bytes, found 1
      help: the file is probably cut off: download it again
    warning: the folder has no game directory: only its 1 archive is mounted, by name
      help: name the folder of the game with --basedir
    ");
}

#[test]
fn of_two_games_below_the_other_is_named() {
    let folder = Folder::with([("new/id1/a.cfg", "1"), ("old one/id1/a.cfg", "2"), ("zip/x/id1/a.cfg", "3")]);
    let (_, out, said) = crate::run_in(&folder, "--no-userdir which a.cfg");
    assert!(out.contains("a.cfg: id1/"), "{out}");
    let quoted = if cfg!(windows) { "\"old one\"" } else { "'old one'" };
    let note = format!("the base directory is new; old one contains a game too: --basedir {quoted} names it");
    assert!(said.contains(&note), "{said}");
    std::fs::create_dir_all(folder.join("third/id1")).unwrap();
    let (_, _, said) = crate::run_in(&folder, "--no-userdir which a.cfg");
    assert!(said.contains("; old one and 1 other folder contain a game too: "), "{said}");
}

#[test]
fn the_search_for_a_game_below_ends_and_says_so() {
    let folder = Folder::new();
    for number in 0..1100 {
        std::fs::create_dir(folder.path().join(number.to_string())).unwrap();
    }
    let (_, _, said) = crate::run_in(&folder, "--no-userdir path");
    assert!(said.contains("of the folders below only 1 000 were searched"), "{said}");
    folder.write("0/id1/a.cfg", "1");
    let (_, out, said) = crate::run_in(&folder, "--no-userdir which a.cfg");
    assert!(out.contains("a.cfg: id1/"), "{said}");
}
