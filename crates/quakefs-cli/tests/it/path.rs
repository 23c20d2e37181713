//! `quakefs path`

use insta::assert_snapshot;
use quakefs_cli::{Console, Exit};
use testutils::{Folder, game as game_of};

use crate::{Commands as _, game, in_folder, layers, run, run_with, strs, words};

#[test]
fn path_shows_the_layers_of_the_base_game() {
    assert_snapshot!(game("path"), @"
    quakespasm (QuakeSpasm 0.96.3, 2024-07-31): the default; --engine names another

    layer         kind  entries  problems
    id1/pak1.pak  pak         3         -
    id1/pak0.pak  pak        10         -
    id1/          dir         -         -

    shareware: [shareware]
    ");
}

#[test]
fn path_shows_a_mod_and_its_file_that_is_not_an_archive() {
    assert_snapshot!(game("--game mymod path"), @"
    quakespasm (QuakeSpasm 0.96.3, 2024-07-31): the default; --engine names another

    layer           kind  entries  problems
    mymod/pak1.pak  pak         2         -
    mymod/pak0.pak  pak         4         -
    mymod/          dir         -         -
    id1/pak1.pak    pak         3         -
    id1/pak0.pak    pak        10         -
    id1/            dir         -         -

    shareware: [shareware]
    ! warning: mymod/notes.pak: skipped: [unknown-magic] +help
    ");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn path_warns_of_a_gap_in_the_numbers() {
    assert_snapshot!(layers(game("--game gapmod path")), @"gapmod/pak1.pak > gapmod/pak0.pak > gapmod/ > id1/pak1.pak > id1/pak0.pak > id1/; warning: gapmod/PAK2.PAK: [archive-case wrong-case] +help; warning: gapmod/pak3.pak: [gap after-gap]; help: rename PAK2.PAK to pak2.pak");
}

#[test]
fn path_shows_the_games_that_the_engine_accepts() {
    assert_snapshot!(layers(game("--game mymod --game gapmod path")), @"mymod/pak1.pak > mymod/pak0.pak > mymod/ > id1/pak1.pak > id1/pak0.pak > id1/; warning: gapmod/: [game-ignored first] +help; warning: mymod/notes.pak: skipped: [unknown-magic] +help");
}

#[test]
fn the_first_line_of_path_names_the_engine_and_why_it_was_taken() {
    let quake = game_of("id1/pak0.pak: a");
    let first = |files: &[&str], line: &str, variable: Option<&str>| {
        for file in files {
            quake.write(file, "");
        }
        let set = |console: &mut Console<'_>| console.environment.engine = variable.map(Into::into);
        let ask = |line: &str| run_with(set, &strs(&in_folder(&quake, line)));
        let (answer, json) = (ask(line), ask(&format!("--json {line}")).json().remove(0));
        for file in files {
            std::fs::remove_file(quake.join(file)).unwrap();
        }
        let line = answer.out().lines().next().unwrap();
        assert!(line.starts_with(json["engine"].as_str().unwrap()), "{line}: {json}");
        assert!(line.ends_with(json["reason"].as_str().unwrap()), "{line}: {json}");
        let (engine, reason) = (line.split_once(' ').unwrap().0, line.split_once("): ").unwrap().1);
        format!("{engine}: {reason}")
    };
    let path = "--basedir [DIR] path";
    assert_snapshot!([
        first(&[], path, None),
        first(&["Ironwail.exe", "ironwail.pak", "readme.txt"], path, None),
        first(&["quakespasm-spiked-win64.exe"], path, None),
        first(&["ioquake3.x86_64"], path, None),
        first(&["id1/vkQuake.exe", "vkQuake.txt", "vkquake.pak"], path, None),
        // every copy from a store has id's programs
        first(&["Winquake.exe", "Glquake.exe", "vkQuake.exe"], path, None),
        first(&["GLQUAKE.EXE", "Winquake.exe"], path, None),
        first(&["Quake_x64_steam.exe"], path, None),
        first(&["vkquake.exe", "ironwail.exe"], path, None),
        first(&["ironwail.exe"], path, Some("fte")),
        first(&["ironwail.exe"], "--basedir [DIR] --engine qss path", Some("fte")),
    ].join("\n"), @"
    quakespasm: the default; --engine names another
    ironwail: its program Ironwail.exe is in the base directory
    qss: its program quakespasm-spiked-win64.exe is in the base directory
    quakespasm: the default; --engine names another
    quakespasm: the default; --engine names another
    vkquake: its program vkQuake.exe is in the base directory
    quakespasm: the default; --engine names another
    quake-kex: its program Quake_x64_steam.exe is in the base directory
    ironwail: a guess: its program ironwail.exe is in the base directory, and so is vkquake.exe
    fte: QUAKEFS_ENGINE names it
    qss: --engine names it
    ");
}

#[test]
fn path_warns_of_a_missing_game_or_mission() {
    let layers = |answer: &str| answer.split_once("\n\n").unwrap().1.to_owned();
    let base = layers(&game("path"));
    for (line, exit, warning) in [
        ("--hipnotic", "exit: 1\n", "hipnotic/: [engine-stops|missing-directory]"),
        ("--quoth", "exit: 1\n", "quoth/: [engine-stops|missing-directory]"),
        ("--engine winquake --quoth", "", "-quoth: [unknown-flag unknown-flag]"),
        ("--game nomod", "exit: 1\n", "nomod/: [engine-stops|missing-directory]"),
    ] {
        let answer = game(&format!("{line} path"));
        assert!(answer.starts_with(exit), "{answer}");
        assert_eq!(layers(&answer), format!("{base}! warning: {warning} +help\n"));
    }
}

#[test]
fn path_refuses_a_folder_that_is_not_a_base_directory() {
    let folder = Folder::with([("file", ""), ("quake/maps/a.bsp", "")]);
    for (line, error) in [
        ("--basedir [GAME] --engine winquake --game ../elsewhere", "[bad-game]"),
        ("--basedir [GAME]/nowhere", "[GAME]/nowhere: [no-base-directory]"),
        ("--basedir [GAME]/id1", "[GAME]/id1: [no-game-directory]"),
        ("--basedir [GAME]/id1/pak0.pak", "[GAME]/id1/pak0.pak: [base-is-file]"),
        ("--basedir [DIR]", "[DIR]: [no-game-directory]"),
    ] {
        assert_eq!(folder.check(&format!("{line} path")), format!("exit: 2\n! error: {error} +help\n"));
    }
}

#[test]
fn an_empty_game_directory_is_a_game() {
    let folder = game_of("id1/:");
    assert_snapshot!(layers(folder.check("--basedir [DIR] path")), @"id1/");
    for command in ["ls", "shadows"] {
        assert_eq!(folder.check(&format!("--basedir [DIR] {command}")), "exit: 0\n");
    }
}

#[test]
fn path_counts_many_problems() {
    let folder = Folder::new();
    let rows: Vec<_> = (0..14).map(|number| format!("../{number}")).collect();
    let rows: Vec<_> = rows.iter().map(|name| (name.as_bytes(), &b"x"[..])).collect();
    folder.write("id1/pak0.pak", crate::archive(&rows));
    let answer = folder.check("--basedir [DIR] path");
    assert!(answer.contains("\nid1/pak0.pak  pak        14        14\n"), "{answer}");
    assert_snapshot!(answer.lines().skip_while(|line| !line.starts_with('!')).step_by(11).collect::<Vec<_>>().join("\n"), @"! warning: id1/pak0.pak: entry 0 (../0): [unreachable refused] [request] +help");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn path_prints_json() {
    assert_snapshot!(game("--json --game gapmod path"), @r#"
    {"type":"chosen","engine":"quakespasm","as_of":"QuakeSpasm 0.96.3, 2024-07-31","because":"default","reason":"the default; --engine names another","base":"[GAME]","base_because":"named","game":null,"texts":[]}
    {"type":"layer","layer":"gapmod/pak1.pak","kind":"pak","layout":"quake","entries":1,"problems":0,"path":"[GAME]/gapmod/pak1.pak","game_directory":"gapmod","rank":2,"known":null,"size":279,"pk3_checksum":null}
    {"type":"layer","layer":"gapmod/pak0.pak","kind":"pak","layout":"quake","entries":1,"problems":0,"path":"[GAME]/gapmod/pak0.pak","game_directory":"gapmod","rank":2,"known":null,"size":280,"pk3_checksum":null}
    {"type":"layer","layer":"gapmod/","kind":"dir","layout":null,"entries":null,"problems":0,"path":"[GAME]/gapmod","game_directory":"gapmod","rank":2,"known":null,"size":null,"pk3_checksum":null}
    {"type":"layer","layer":"id1/pak1.pak","kind":"pak","layout":"quake","entries":3,"problems":0,"path":"[GAME]/id1/pak1.pak","game_directory":"id1","rank":1,"known":null,"size":992,"pk3_checksum":null}
    {"type":"layer","layer":"id1/pak0.pak","kind":"pak","layout":"quake","entries":10,"problems":0,"path":"[GAME]/id1/pak0.pak","game_directory":"id1","rank":1,"known":null,"size":4658,"pk3_checksum":null}
    {"type":"layer","layer":"id1/","kind":"dir","layout":null,"entries":null,"problems":0,"path":"[GAME]/id1","game_directory":"id1","rank":1,"known":null,"size":null,"pk3_checksum":null}
    {"type":"registration","registration":"shareware","reason":"[shareware]"}
    {"type":"finding","severity":"warning","kind":"archive-case","location":"gapmod/PAK2.PAK","layer":"gapmod/PAK2.PAK","entry":null,"name":null,"reason":"[archive-case wrong-case]","help":"[…]","stops":false,"advice":[{"step":"rename","of":["gapmod/PAK2.PAK"],"to":"gapmod/pak2.pak","content":null,"entry":null}]}
    {"type":"finding","severity":"warning","kind":"gap","location":"gapmod/pak3.pak","layer":"gapmod/pak3.pak","entry":null,"name":null,"reason":"[gap after-gap]","help":"rename PAK2.PAK to pak2.pak","stops":false,"advice":[{"step":"rename","of":["gapmod/PAK2.PAK"],"to":"gapmod/pak2.pak","content":null,"entry":null}]}
    "#);
    for line in ["--game mymod", "--engine quakespasm --game gapmod", "--game nomod", "--rogue"] {
        let answer = run(&words(&format!("--json --basedir [GAME] {line} path")));
        assert!(answer.json().len() >= 3, "{line}");
        assert!(answer.err.is_empty(), "{line}");
    }
}

#[test]
fn a_mission_is_a_flag_of_the_engine() {
    for mission in ["hipnotic", "rogue", "quoth"] {
        for engine in ["winquake", "quakespasm"] {
            let long = game(&format!("--engine {engine} --mission {mission} path"));
            assert_eq!(long, game(&format!("--engine {engine} --{mission} path")));
        }
    }
    assert_snapshot!(game("--mission nosuch --mission rogue path"), @"
    exit: 1
    quakespasm (QuakeSpasm 0.96.3, 2024-07-31): the default; --engine names another

    layer         kind  entries  problems
    id1/pak1.pak  pak         3         -
    id1/pak0.pak  pak        10         -
    id1/          dir         -         -

    shareware: [shareware]
    ! warning: rogue/: [engine-stops|missing-directory] +help
    ! warning: -nosuch: [unknown-flag unknown-flag] +help
    ");
}

#[test]
fn path_shows_the_file_that_lists_game_directories() {
    let folder = Folder::with([("default.fmf", "basegame id1"), ("id1/a.cfg", "")]);
    let text = folder.check("--basedir [DIR] --engine fte path");
    assert!(text.contains("\ndefault.fmf: "), "{text}");
    let lines = folder.run("--basedir [DIR] --engine fte --json path").json();
    let texts = |line: &serde_json::Value| line["type"] == "chosen" && line["texts"][0] == "default.fmf";
    assert!(lines.iter().any(texts), "{lines:?}");
    let lines = folder.run("--basedir [DIR] --engine quakespasm --json path").json();
    assert!(!lines.iter().any(texts), "{lines:?}");
}

#[test]
fn console_changes_the_game_like_the_engine() {
    let folder = Folder::with([("id1/a.cfg", ""), ("a/a.cfg", ""), ("b/a.cfg", ""), ("hipnotic/a.cfg", "")]);
    let path = |line: &str, console: &[&str]| {
        let mut words: Vec<_> = line.split(' ').collect();
        words.extend(["--json", "--basedir", folder.path().as_str(), "path"]);
        words.extend(console);
        run(&words).out().to_owned()
    };
    for (engine, start, line, same) in [
        ("quakespasm", "--game b", "game a -hipnotic", "--hipnotic --game a"),
        ("ironwail", "--hipnotic", "game a b", "--game a --game b"),
        ("darkplaces", "--hipnotic --game b", "gamedir a", "--game a"),
        ("fte", "--hipnotic --game b", "gamedir a", "--hipnotic --game a"),
        ("mvdsv", "--game b", "gamedir a", "--game a"),
    ] {
        let changed = path(&format!("--engine {engine} {start}"), &["--console", line]);
        assert_eq!(changed, path(&format!("--engine {engine} {same}"), &[]), "{engine}: {line}");
        assert!(changed.contains("\"a/\""), "{changed}");
    }
    let refused = path("--engine quakespasm", &["--console", "game a b"]);
    assert!(refused.contains(r#""type":"console","line":"game a b","refused":true"#), "{refused}");
    let exit = |line: &str| folder.check(&format!("--basedir [DIR] {line}"))[..7].to_owned();
    assert_eq!(exit("--engine quakespasm path --console nonsense"), "exit: 1");
    assert_eq!(exit("--engine winquake path --console game"), "exit: 2");
    let missing = |engine| {
        let words =
            ["--basedir", folder.path().as_str(), "--engine", engine, "path", "--console", "game nosuch"];
        run(&words).exit
    };
    assert_eq!(["quakespasm", "ironwail"].map(missing), [Exit::Failed; 2]);
    assert_eq!(missing("quakespasm-0.95"), Exit::NotFound);
}
