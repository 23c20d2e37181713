//! The reasons why a name is not found, and suggestions.

use insta::assert_snapshot;
use testutils::{Folder, game};

use quakefs_cli::Exit;

use crate::{Commands as _, archive, brief, run, words};

#[test]
fn a_skipped_archive_has_the_name() {
    let quake = game("id1/pak0.pak: a; ad/pak0.pak: b; ad/pak5.pak: maps/c.bsp; ad/extra.pk3: d");
    assert_snapshot!(quake.check("--basedir [DIR] --engine quakespasm --game ad which maps/c.bsp"), @"
    exit: 1
    ! error: maps/c.bsp: [skipped] [gap after-gap]
    !   help: rename the archive to pak1.pak
    ");
    assert_snapshot!(quake.check("--basedir [DIR] --engine quakespasm --game ad --json which maps/c.bsp"), @r#"
    exit: 1
    {"type":"which","name":"maps/c.bsp","found":false,"overridden":[],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":"skipped","reason":"maps/c.bsp: [skipped] [gap after-gap]","help":"rename the archive to pak1.pak","advice":[{"step":"rename","of":["ad/pak5.pak"],"to":"ad/pak1.pak","content":null,"entry":null}]}
    "#);
}

#[test]
#[cfg_attr(windows, ignore = "the shell there has other quotes")]
fn a_part_of_a_name_leads_to_a_search_for_it() {
    let quake = game("id1/pak0.pak: gfx/palette.lmp maps/start.bsp; id1/: progs/ogre.mdl");
    let tip = |line: &str| brief(quake.check(&format!("--basedir [DIR] --engine quakespasm --quiet {line}")));
    assert_snapshot!(tip("which palette"), @"exit 1: error: palette: not found: it is only a part of other names; help: `quakefs --basedir [DIR] --engine quakespasm ls '**/*palette*'` lists what it matches");
    assert_snapshot!(tip("ls ogre"), @"exit 1: error: ogre: not found: it is only a part of other names; help: `quakefs --basedir [DIR] --engine quakespasm ls '**/*ogre*'` lists what it matches");
    assert_snapshot!(tip("which *.mdl"), @"exit 1: error: *.mdl: not found: it is a pattern, but only a name is taken here; help: `quakefs --basedir [DIR] --engine quakespasm ls '**/*.mdl'` lists what it matches");
    assert_snapshot!(tip("which 'progs/ogre.mdl'"), @r#"exit 1: error: 'progs/ogre.mdl': not found: the single quotes are a part of it; help: write "progs/ogre.mdl""#);
    assert_snapshot!(tip("ls '*.mdl'"), @r#"exit 1: error: nothing matches "'*.mdl'"; help: the single quotes are a part of it: write "*.mdl""#);
    assert_snapshot!(tip("needs nosuch"), @"exit 1: error: nosuch: not found; help: `quakefs --basedir [DIR] --engine quakespasm ls 'maps/*.bsp'` lists the levels");
    assert_snapshot!(tip("needs start.map"), @"exit 1: error: start.map: the source of a level, which no engine loads; help: compile it, for example with ericw-tools, and name the .bsp");
    assert_snapshot!(brief(quake.check("pak find palette [DIR]/id1")), @"exit 1: error: palette: not found in 1 archive; help: `quakefs pak find '**/*palette*'` finds it in these archives");
}

#[test]
fn an_archive_that_the_engine_cannot_read_has_the_name() {
    let quake = game("id1/pak0.pak: a; id1/pak1.pak: b c");
    let pak = std::fs::read(quake.join("id1/pak1.pak")).unwrap();
    quake.write("id1/pak1.pak", &pak[..pak.len() - 64]);
    assert_snapshot!(quake.check("--basedir [DIR] --engine darkplaces which b"), @"
    exit: 1
    ! error: b: [skipped] [directory-outside] +help
    ");
}

#[test]
fn an_archive_that_nobody_can_read_may_have_the_name() {
    let quake = game("id1/pak0.pak: a; id1/pak2.pak: c");
    let warns = |line: &str| {
        let answer = quake.run(&format!("--basedir [DIR] --engine quakespasm {line}"));
        answer.err().matches("it may be in ").count()
    };
    assert_eq!(["which zzzz", "cat zzzz", "ls zzzz", "ls z*"].map(warns), [0, 0, 0, 1]);
    quake.write("id1/notes.pak", "no archive");
    assert_eq!(["which zzzz yyyy", "cat zzzz", "ls zzzz z*", "which A"].map(warns), [1, 1, 1, 0]);
}

/// What `which` answers for names that are missing, without the exit code 1.
fn errors(tree: &str, options: &str, names: &[&str]) -> String {
    let quake = game(tree);
    let answer = |name: &&str| {
        let answer = quake.check(&format!("--basedir [DIR] {options} which {name}"));
        answer.strip_prefix("exit: 1\n! error: ").unwrap_or_else(|| panic!("{answer}")).to_owned()
    };
    names.iter().map(answer).collect()
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn the_name_has_another_case_or_other_slashes() {
    let tree = r"id1/pak0.pak: Maps/E1M1.bsp sound\door.wav; id1/: Progs/Player.mdl";
    let names = ["maps/e1m1.bsp", "sound/door.wav", r"Maps\E1M1.bsp", "progs/player.mdl"];
    assert_snapshot!(errors(tree, "", &names), @r"
    maps/e1m1.bsp: [other-spelling] +help
    sound/door.wav: [other-spelling] +help
    Maps\E1M1.bsp: [other-spelling] +help
    progs/player.mdl: [other-spelling] +help
    ");
}

#[test]
fn the_name_is_in_another_folder_or_has_another_extension() {
    let packed = "id1/pak0.pak: a; mymod/pak0.pak: mymod/textures/lava.tga maps/c.bsp";
    assert_snapshot!(errors(packed, "--game mymod", &["textures/lava.tga", "mymod/maps/c.bsp"]), @"
    textures/lava.tga: [deeper] +help
    mymod/maps/c.bsp: [deeper]: names do not include the game directory
    !   help: request maps/c.bsp
    ");
    assert_snapshot!(errors("id1/pak0.pak: a; mymod/: mymod/maps/c.bsp", "--game mymod", &["maps/c.bsp"]), @"
    maps/c.bsp: [deeper]
    !   help: move the contents of mymod/mymod/ to mymod/
    ");
    let tree = "id1/pak0.pak: maps/start.bsp gfx/conback.lmp";
    assert_snapshot!(errors(tree, "", &["start.bsp", "gfx/conback.tga"]), @"
    start.bsp: [deeper]
    !   help: request maps/start.bsp
    gfx/conback.tga: not found: id1/pak0.pak has gfx/conback.lmp
    !   help: request gfx/conback.lmp
    ");
}

#[test]
fn similar_names_are_suggested() {
    let tree = "id1/pak0.pak: maps/start.bsp maps/e1m1.bsp maps/e1m2.bsp; id1/: textures/wall.tga";
    let names = ["maps/strat.bsp", "maps/e1m3.bsp", "texture/wall.tga", "no/such/name.at.all"];
    assert_snapshot!(errors(tree, "", &names), @"
    maps/strat.bsp: not found +help
    maps/e1m3.bsp: not found +help
    texture/wall.tga: not found +help
    no/such/name.at.all: not found +help
    ");
}

#[test]
#[cfg_attr(windows, ignore = "Windows shells quote differently")]
fn which_recognises_a_pattern() {
    let answer = run(&words("--basedir [GAME] which maps/*.bsp"));
    assert_eq!(answer.exit, Exit::NotFound);
    assert!(
        answer.err().contains("it is a pattern") && answer.err().contains("ls 'maps/*.bsp'"),
        "{}",
        answer.err()
    );
    let answer = run(&words("--basedir [GAME] which maps/no*.bsp"));
    assert!(!answer.err().contains("it is a pattern"), "{}", answer.err());
}

#[test]
fn the_hint_about_a_star_appears_only_if_it_explains_the_miss() {
    let help = |line: &str| run(&words(line)).err().lines().nth(1).unwrap_or_default().to_owned();
    for (pattern, other) in [
        ("*.bsp", Some("**/*.bsp")),
        ("sound/*.wav", Some("sound/**/*.wav")),
        ("zz/*", None),
        ("**/x", None),
        ("*.zzz", None),
    ] {
        for line in [
            format!("--basedir [GAME] ls {pattern}"),
            format!("pak list [GAME]/id1/pak0.pak {pattern}"),
            format!("--basedir [GAME] compare winquake fte --only {pattern}"),
        ] {
            let help = help(&line);
            assert_eq!(help.contains("stops at /"), other.is_some(), "{line}: {help}");
            assert!(help.contains(other.unwrap_or("lists the names")), "{line}: {help}");
        }
    }
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn two_files_are_not_renamed_to_one_name() {
    let help = |place: &str| {
        let answer = run(&words("--basedir [GAME] --game gapmod --json check"));
        let found = answer.json().into_iter().find(|line| line["location"] == place).unwrap();
        found["help"].as_str().unwrap().to_owned()
    };
    assert!(help("gapmod/PAK2.PAK").starts_with("rename it to pak2.pak"), "{}", help("gapmod/PAK2.PAK"));
    assert_eq!(help("gapmod/pak3.pak"), "rename PAK2.PAK to pak2.pak");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn a_file_in_the_wrong_folder_comes_with_advice() {
    let folder = Folder::with([("id1/newmap.bsp", ""), ("id1/maps/a.bsp", ""), ("id1/maps/BIG.BSP", "")]);
    folder.write("mod/mod/pak0.pak", archive(&[(b"maps/deep.bsp", b"1"), (b"filler", b"1")]));
    folder.write("id1/pak0.pak", archive(&[(b"mymap/maps/packed.bsp", b"1"), (b"gfx.wad", b"1")]));
    let cause = |name: &str| {
        let line = format!("--basedir [DIR] --game mod --json which {name}");
        let line = folder.run(&line).json().remove(0);
        [line["because"].as_str().unwrap().to_owned(), line["help"].as_str().unwrap().to_owned()]
    };
    assert_eq!(cause("maps/deep.bsp"), ["too-deep", "move the contents of mod/mod/ to mod/"]);
    assert_eq!(cause("maps/newmap.bsp"), ["shallower", "move it to id1/maps/"]);
    folder.write("mod/progs/ogre.mdl", "");
    folder.write("id1/pak3.pak", archive(&[(b"progs/dog.mdl", b"1"), (b"filler", b"1")]));
    for asked in ["./mod/progs/ogre.mdl", "./gfx.wad"] {
        let plain = asked.trim_start_matches("./").trim_start_matches("mod/");
        assert_eq!(cause(asked)[1], format!("request {plain}"));
    }
    folder.write("mod/progs/progs/two.mdl", "");
    assert_eq!(cause("progs/two.mdl"), ["deeper", "rename it to progs/two.mdl"]);
    folder.write("base.bsp", "");
    assert_eq!(cause("base.bsp"), cause("maps/base.bsp"));
    assert_eq!(cause("base.bsp")[0], "misplaced");
    folder.write("maps/beside.bsp", "");
    assert_eq!(cause("maps/beside.bsp"), ["misplaced", "move the contents of maps/ to id1/maps/"]);
    folder.write("mod/sound/death1.wav_", "");
    assert_eq!(cause("sound/death1.wav"), ["other-extension", "rename it to sound/death1.wav"]);
    assert_eq!(cause("maps/big.bsp")[0], "other-spelling");
    assert!(cause("maps/big.bsp")[1].starts_with("rename it to maps/big.bsp"));
    assert_eq!(cause("maps/packed.bsp")[0], "deeper");
    assert!(cause("maps/packed.bsp")[1].contains("pack the contents of mymap"));
    let inner = archive(&[(b"maps/inner.bsp", b"1"), (b"filler", b"1")]);
    folder.write("mod/pak0.pak", archive(&[(b"inner.pak", &inner), (b"filler", b"1")]));
    assert_eq!(cause("maps/inner.bsp"), ["too-deep", "unpack mod/pak0.pak into mod/"]);
    let check = |engine: &str| {
        let lines = folder.run(&format!("--basedir [DIR] --engine {engine} --game mod --json check")).json();
        let deep = lines.iter().filter(|line| line["kind"] == "too-deep");
        deep.map(|line| line["entry"].as_u64()).collect::<Vec<_>>()
    };
    assert_eq!(check("winquake"), [None, Some(0)]);
    assert_eq!(check("fte"), [None]);
    std::fs::remove_file(folder.join("mod/pak0.pak")).unwrap();
    let lines = folder.run("--basedir [DIR] --game mod --json check").json();
    let deep: Vec<_> = lines.iter().filter(|line| line["kind"] == "too-deep").collect();
    assert_eq!((deep.len(), deep[0]["location"].as_str()), (1, Some("mod/mod/pak0.pak")));
}

#[test]
#[cfg_attr(windows, ignore = "Windows shells quote differently")]
fn another_game_of_the_base_directory_has_the_name() {
    let quake = game("id1/pak0.pak: a; ad/pak0.pak: b; vektar/pak0.pak: maps/v.bsp; hipnotic/: maps/h.bsp");
    assert_snapshot!(brief(quake.check("--basedir [DIR] --engine quakespasm --game ad which maps/v.bsp")), @"exit 1: error: maps/v.bsp: [other-game] +help");
    assert_snapshot!(quake.check("--basedir [DIR] --engine quakespasm --game ad --json which maps/h.bsp"), @r#"
    exit: 1
    {"type":"which","name":"maps/h.bsp","found":false,"overridden":[],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":"other-game","reason":"maps/h.bsp: [other-game]","help":"`quakefs --basedir [DIR] --engine quakespasm --mission hipnotic which maps/h.bsp` looks there","advice":[{"step":"ask","of":["maps/h.bsp"],"to":"--mission hipnotic","content":null,"entry":null}]}
    "#);
    let answer = run(&words(&format!("--basedir {} --game ad which maps/v.bsp", quake.path())));
    let command = answer.err().split('`').nth(1).unwrap().strip_prefix("quakefs ").unwrap().to_owned();
    assert_eq!(run(&words(&command)).exit, Exit::Done, "{command}");
}

#[test]
#[cfg_attr(windows, ignore = "Windows shells quote differently")]
fn a_name_that_begins_with_a_game_directory_leads_into_it() {
    let quake = game("id1/pak0.pak: a sound/misc/b.wav; mod/pak0.pak: a; mod/pak2.pak: c");
    let help = |line: &str| {
        let answer = quake.run(&format!("--basedir [DIR] --engine quakespasm {line}"));
        answer
            .err()
            .lines()
            .filter_map(|line| line.trim().strip_prefix("help: "))
            .collect::<Vec<_>>()
            .join("; ")
    };
    let inside = |name: &str| {
        let line = quake.path().as_str();
        format!("`quakefs --basedir {line} --engine quakespasm --game mod {name}` looks there")
    };
    for name in ["mod/a", "mod/c", "mod/sound/misc/b.wav"] {
        let rest = name.strip_prefix("mod/").unwrap();
        assert_eq!(help(&format!("which {name}")), inside(&format!("which {rest}")));
        for command in ["cat", "ls"] {
            assert_eq!(help(&format!("{command} {name}")), inside(&format!("{command} {rest}")));
        }
    }
    assert_eq!(help("which id1/a"), "request a");
    assert_eq!(help("which nowhere/a"), "request a");
    assert_eq!(help("which misc/b.wav"), "request sound/misc/b.wav");
    assert_eq!(help("--game mod/ which a"), "did you mean --game mod?");
}

#[test]
#[cfg_attr(windows, ignore = "Windows shells quote differently")]
fn the_path_of_a_file_leads_to_its_name_or_over_the_game() {
    let quake = game("q/id1/: maps/a.bsp; q/mod/: maps/b.bsp; other/: maps/c.bsp");
    let base = quake.path().join("q");
    let help = |path: &str| {
        let line = format!("--basedir [DIR]/q --engine quakespasm needs {path}");
        let answer = quake.run(&line);
        answer.err().lines().find_map(|line| line.trim().strip_prefix("help: ").map(str::to_owned)).unwrap()
    };
    assert_eq!(help("[DIR]/q/id1/maps/a.bsp"), "request maps/a.bsp");
    let inside =
        format!("`quakefs --basedir {base} --engine quakespasm --game mod needs maps/b.bsp` looks there");
    assert_eq!(help("[DIR]/q/mod/maps/b.bsp"), inside);
    let outside = quake.path().join("other/maps/c.bsp");
    let over = format!(
        "`quakefs --basedir {base} --engine quakespasm --over {outside} needs c` lays it over the game"
    );
    assert_eq!(help("[DIR]/other/maps/c.bsp"), over);
    assert_eq!(help("[DIR]/q/../other/maps/c.bsp"), over);
}
