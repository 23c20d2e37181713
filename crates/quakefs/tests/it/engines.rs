//! The rows that are known from documents do as the documents say, and rules go to a file and back.

use quakefs::archive::ArchiveKind;
use quakefs::rules::{Games, LoosePosition};
use quakefs::{Engine, Layout, Rules, SearchPath};
use testutils::search_path::named;
use testutils::{Folder, game, pack};

use crate::{Mount as _, check_rules, layers, places, with_games};

/// The layers, highest first, then its findings, a line each.
fn findings_with(game: &Folder, engine: Engine, games: &str) -> String {
    findings_of(&with_games(game.builder().engine(engine), games).mount().unwrap())
}

fn findings_of(quake: &SearchPath) -> String {
    let problems = quake.findings().map(|problem| format!("\n{}", named(problem)));
    layers(quake) + &problems.collect::<String>()
}

fn check(engine: Engine, tree: &str, games: &str, request: &str, expected: &str) {
    check_rules(engine.rules(), tree, games, request, expected);
}

#[test]
fn a_base_game_that_is_named_as_the_mod_is_found_in_any_case() {
    let game = game("ID1/loose: a.cfg");
    let quake = with_games(game.builder().engine(Engine::TrenchBroom), "id1").mount().unwrap();
    assert_eq!(layers(&quake), "ID1/");
}

#[test]
fn quakeworld_ignores_the_game() {
    let game = game("id1/pak0.pak: a; qw/pak0.pak: a; mod/pak0.pak: a");
    insta::assert_snapshot!(findings_with(&game, Engine::QuakeWorld, "mod"), @r"
    qw/pak0.pak > qw/ > id1/pak0.pak > id1/
    mod/: game-ignored
    ");
    check(Engine::QuakeWorld, "id1/pak0.pak: a; qw/: a", "", "a", "qw/a > id1/pak0.pak:0");
    check(Engine::QuakeWorld, "id1/pak0.pak: a; id1/: a", "", "a", "id1/pak0.pak:0 > id1/a");
    check(Engine::QuakeWorld, "id1/pak0.pak: a", "", "A", "");
}

#[test]
fn an_empty_pak_ends_the_run_of_vkquake_unless_it_is_the_first() {
    let empty_first = game("id1/pak0.pak: ; id1/pak1.pak: a");
    insta::assert_snapshot!(findings_with(&empty_first, Engine::VkQuake, ""), @"id1/pak1.pak > id1/pak0.pak > id1/");
    let empty_second = game("id1/pak0.pak: a; id1/pak1.pak: ; id1/pak2.pak: a");
    insta::assert_snapshot!(findings_with(&empty_second, Engine::VkQuake, ""), @r"
    id1/pak0.pak > id1/
    id1/pak1.pak: empty-archive
    id1/pak2.pak: empty-archive
    ");
    check(Engine::VkQuake, "id1/: x; one/: a; two/: a", "one two", "a", "two/a > one/a");
}

#[test]
fn hexen2_loads_ten_paks_with_gaps_the_last_row_and_loose_files_first() {
    let game =
        game("data1/pak0.pak: a; data1/pak4.pak: a; data1/pak9.pak: a; data1/pak10.pak: a; portals/: a");
    insta::assert_snapshot!(findings_with(&game, Engine::Hexen2, ""), @r"
    data1/ > data1/pak9.pak > data1/pak4.pak > data1/pak0.pak
    data1/pak10.pak: number-too-high
    ");
    let portals = game.builder().engine(Engine::Hexen2).mission("portals").mount().unwrap();
    assert_eq!(places(portals.find("a")), "portals/a");
    let expected = "data1/a > data1/pak0.pak:2 > data1/pak0.pak:0";
    check(Engine::Hexen2, "data1/pak0.pak: a b a; data1/: a", "", "a", expected);
    check(Engine::Hexen2, "data1/: x; one/: a; two/: a", "one two", "a", "one/a");
}

#[test]
fn sin_loads_32_archives_of_its_own_layout_below_loose_files() {
    let game = game("base/pak0.sin: a; base/pak31.sin: a; base/pak32.sin: a; base/pak1.pak: a; mod/: a");
    insta::assert_snapshot!(findings_with(&game, Engine::Sin, "mod"), @r"
    mod/ > base/ > base/pak31.sin > base/pak0.sin
    base/pak1.pak: archive-skipped
    base/pak32.sin: number-too-high
    ");
    let quake = game.builder().engine(Engine::Sin).mount().unwrap();
    assert!(quake.layers().skip(1).all(|layer| layer.archive().unwrap().layout() == Some(Layout::Sin)));
    check(Engine::Sin, "base/pak0.sin: A a; base/: a", "", "a", "base/a > base/pak0.sin:0 > base/pak0.sin:1");
    let long = format!("maps/{}.bsp", "a".repeat(100));
    let tree = format!("base/pak0.sin: {long}");
    check(Engine::Sin, &tree, "", &long, "base/pak0.sin:0");
}

#[test]
fn daikatana_reads_rows_of_72_bytes_whatever_they_are() {
    let game = game("data/pak9.pak: a; data/: x");
    for number in [0, 2, 10] {
        let image = pack(Layout::Daikatana, [("maps/a.bsp", "a level")]);
        game.write(&format!("data/pak{number}.pak"), image);
    }
    let quake = game.builder().engine(Engine::Daikatana).mount().unwrap();
    insta::assert_snapshot!(findings_of(&quake), @r"
    data/pak9.pak > data/pak2.pak > data/pak0.pak > data/
    data/pak10.pak: number-too-high
    data/pak9.pak: other-layout
    ");
    assert_eq!(*quake.read("MAPS/a.bsp").unwrap(), *b"a level");
    assert_eq!(quake.layers().next().unwrap().archive().unwrap().layout(), Some(Layout::Daikatana));
}

#[test]
fn ioquake3_loads_every_pk3_by_name_the_last_row_and_loose_files_first() {
    let game = game("baseq3/pak0.pk3: a; baseq3/B.pk3: a; baseq3/a.PK3: a; baseq3/pak9.pak: a; mod/: a");
    insta::assert_snapshot!(findings_with(&game, Engine::IoQuake3, "mod"), @r"
    mod/ > baseq3/ > baseq3/pak0.pk3 > baseq3/B.pk3 > baseq3/a.PK3
    baseq3/pak9.pak: archive-skipped
    ");
    let quake = game.builder().engine(Engine::IoQuake3).mount().unwrap();
    assert!(quake.layers().skip(1).all(|layer| layer.kind() == ArchiveKind::Zip));
    let expected = "baseq3/a > baseq3/z.pk3:2 > baseq3/z.pk3:0 > baseq3/pak0.pk3:0";
    check(Engine::IoQuake3, "baseq3/z.pk3: a b A; baseq3/pak0.pk3: a; baseq3/: a", "", "a", expected);
}

#[test]
fn fte_drops_the_part_before_two_dots_from_names_in_a_pak() {
    let names = ["./dot", "x//y", "/abs", "../esc", "up/../a", r"back\s", "c/./d", "n/a..b"];
    let low = "id1/pak0.pak: dot x/y abs esc up/a back/s c/d nb a n/a..b";
    let tree = format!("{low}; id1/pak1.pak: {}", names.join(" "));
    for (request, expected) in [
        ("dot", "id1/pak0.pak:0"),
        ("x/y", "id1/pak0.pak:1"),
        ("x//y", "id1/pak0.pak:1"),
        ("abs", "id1/pak1.pak:2 > id1/pak0.pak:2"),
        ("esc", "id1/pak1.pak:3 > id1/pak0.pak:3"),
        ("up/a", "id1/pak1.pak:4 > id1/pak0.pak:4"),
        ("back/s", "id1/pak1.pak:5 > id1/pak0.pak:5"),
        ("c/d", "id1/pak0.pak:6"),
        ("nb", "id1/pak1.pak:7 > id1/pak0.pak:7 > id1/pak0.pak:9"),
        ("a", "id1/pak0.pak:8"),
        ("n/a..b", ""),
        ("./dot", ""),
    ] {
        check(Engine::Fte, &tree, "", request, expected);
    }
}

#[test]
fn goldsrc_refuses_parts_that_begin_with_a_dot_except_the_first() {
    let tree =
        "valve/pak0.pak: ./dot c/./d x//y a..b .hid e/.hid; valve/: .loose g/.loose l..m lg/z liblist.gam";
    for (request, expected) in [
        ("./dot", "valve/pak0.pak:0"),
        ("c/./d", ""),
        ("x//y", "valve/pak0.pak:2"),
        ("a..b", ""),
        (".hid", "valve/pak0.pak:4"),
        ("/.hid", "valve/pak0.pak:4"),
        ("e/.hid", ""),
        (".loose", "valve/.loose"),
        ("g/.loose", ""),
        ("l..m", ""),
        ("lg//z", ""),
    ] {
        check(Engine::GoldSrc, tree, "", request, expected);
    }
}

#[test]
fn a_setting_adds_a_base_directory_a_game_directory_or_turns_the_loose_files_around() {
    let game = game(
        "base/base/x.pk3: a; base/base/: a; cd/base/: a; base/bg/: a; base/mod/: a; base/force/: a; cd/mod/: \
            a",
    );
    let with = |settings: &[(&str, &str)]| {
        let builder = SearchPath::builder(game.join("base")).engine(Engine::OpenJk).game("mod");
        let quake =
            settings.iter().fold(builder, |builder, (name, value)| builder.set(*name, *value)).mount();
        quake.map(|quake| game.redact(&layers(&quake)))
    };
    let cd = game.join("cd");
    let cd = ("fs_cdpath", cd.as_str());
    assert_eq!(with(&[]).unwrap(), "mod/ > base/x.pk3 > base/");
    assert_eq!(with(&[cd]).unwrap(), "mod/ > [DIR]/cd/mod/ > base/x.pk3 > base/ > [DIR]/cd/base/");
    let all = [("FS_BASEGAME", "bg"), ("fs_forcegame", "force"), ("fs_dirbeforepak", "1")];
    assert_eq!(with(&all).unwrap(), "force/ > mod/ > bg/ > base/ > base/x.pk3");
    assert_eq!(with(&[("fs_dirbeforepak", "0"), ("fs_basegame", "")]).unwrap(), with(&[]).unwrap());
    let error = with(&[("fs_basegam", "bg")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the engine has no setting \"fs_basegam\" (did you mean fs_basegame?): expected fs_game, \
            fs_basegame, fs_forcegame, fs_cdpath, fs_dirbeforepak"
    );
}

// not every disk allows such names
#[cfg(target_os = "linux")]
#[test]
fn an_archive_or_a_folder_that_the_engine_deletes_for_its_name_is_reported() {
    let game = game(
        "etmain/pak0.pk3: a; etmain/m\u{fc}.pk3: a; etmain/m\u{fc}.txt: a; etmain/sub/m\u{fc}.pk3: a; \
         etmain/\u{fc}/: a; legacy/a\u{7f}.pk3: a; mod/\u{fc}.pk3: a",
    );
    let stops = |engine| {
        let quake = game.builder().engine(engine).mount().unwrap();
        let findings = quake.findings().filter(|finding| finding.stops_engine);
        findings.map(|finding| finding.location.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(stops(Engine::EtLegacy), "etmain/m\u{fc}.pk3 etmain/\u{fc} legacy/a\u{7f}.pk3");
    let game_of_quake3 = game.builder().engine(Engine::IoQuake3).base_game("etmain").mount().unwrap();
    assert_eq!(game_of_quake3.findings().count(), 0);
}

#[test]
fn a_file_without_which_the_engine_stops_may_be_in_any_layer_but_not_empty() {
    let missing = |engine: Engine, tree: &str| {
        let found = quakefs::why::check(&game(tree).builder().engine(engine).game("mod").mount().unwrap());
        let stops = found.iter().filter(|finding| finding.stops_engine);
        stops.map(|finding| finding.location.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(missing(Engine::OpenJk, "base/: a; mod/: ui/jampmenus.txt=a"), "base/mpdefault.cfg");
    assert_eq!(missing(Engine::OpenJk, "base/: ui/jampmenus.txt=a mpdefault.cfg="), "base/mpdefault.cfg");
    assert_eq!(missing(Engine::OpenJk, "base/: ui/jampmenus.txt=a; mod/x.pk3: MPDEFAULT.cfg=a"), "");
    // Windows finds it by any spelling
    let by_case = if cfg!(windows) { "" } else { "etmain/pak0.pk3" };
    assert_eq!(missing(Engine::EtLegacy, "etmain/PAK0.PK3: a; mod/: a"), by_case);
    assert_eq!(missing(Engine::EtLegacy, "etmain/: a; mod/: pak0.pk3="), "");
    let packs = ["sp_pak1", "sp_pak2", "sp_pak3", "sp_pak4"].map(|pack| format!("; main/{pack}.pk3: a"));
    let rtcw = format!("main/: default.cfg=a; mod/: a{}", packs.concat());
    assert_eq!(missing(Engine::IoRtcwSp, &rtcw), "main/pak0.pk3");
    let without = game(&rtcw.replace("; main/sp_pak3.pk3: a", ""));
    let found = quakefs::why::check(&without.builder().engine(Engine::IoRtcwSp).game("mod").mount().unwrap());
    assert!(found.iter().any(|finding| finding.reason().ends_with("as well as sp_pak3.pk3")), "{found:?}");
    assert_eq!(missing(Engine::IoRtcwSp, &format!("{rtcw}; main/PAK0.pk3: a")), "main/PAK0.pk3");
}

#[test]
fn every_engine_ranks_the_mod_above_the_game() {
    for engine in Engine::ALL {
        let rules = engine.rules();
        if rules.directories.games == Games::Ignored {
            continue;
        }
        let base = rules.directories.base.iter().find(|base| *base != ".").unwrap();
        let loads = |extension| rules.archives.loads(&format!("a.{extension}"));
        let expected = match rules.loose.position {
            LoosePosition::Above => format!("two/a > {base}/a"),
            LoosePosition::Lowest => format!("{base}/z.pk3:0 > two/a > {base}/a"),
            LoosePosition::Highest => format!("two/a > {base}/a > two/z.pk3:0"),
            LoosePosition::Below if rules.paks.layout == Some(Layout::Quake) && loads("pak") => {
                format!("two/pak0.pak:0 > two/a > {base}/pak0.pak:0 > {base}/a")
            }
            LoosePosition::Below => format!("two/z.pk3:0 > two/a > {base}/z.pk3:0 > {base}/a"),
        };
        let tree = match rules.loose.position {
            LoosePosition::Above => format!("{base}/: a; two/: a"),
            LoosePosition::Lowest => format!("{base}/z.pk3: a; {base}/: a; two/: a"),
            LoosePosition::Highest => format!("two/z.pk3: a; {base}/: a; two/: a"),
            LoosePosition::Below if rules.paks.layout == Some(Layout::Quake) && loads("pak") => {
                format!("{base}/pak0.pak: a; {base}/: a; two/pak0.pak: a; two/: a")
            }
            LoosePosition::Below if loads("pk3") => {
                format!("{base}/z.pk3: a; {base}/: a; two/z.pk3: a; two/: a")
            }
            LoosePosition::Below => continue,
        };
        check(*engine, &tree, "two", "a", &expected);
    }
}

#[test]
fn the_rules_of_every_engine_go_to_a_file_and_back() {
    for engine in Engine::ALL {
        let rules = engine.rules();
        let text = toml::to_string(rules).unwrap();
        assert_eq!(toml::from_str::<Rules>(&text).unwrap(), *rules, "{text}");
        let text = serde_json::to_string(rules).unwrap();
        assert_eq!(serde_json::from_str::<Rules>(&text).unwrap(), *rules, "{text}");
    }
}

#[test]
fn an_error_in_a_rule_file_tells_the_expected_values() {
    let text = toml::to_string(Engine::Q2Pro.rules()).unwrap();
    let error = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        toml::from_str::<Rules>(&text.replace(from, to)).unwrap_err().message().to_owned()
    };
    insta::assert_snapshot!(error("stops =", "stop ="), @"unknown field `stop`, expected one of `name`, `directories`, `archives`, `paks`, `zips`, `loose`, `requests`, `limits`, `needed`, `stops`, `registered`, `user`, `companions`, `text`, `substitutes`, `music-folders`, `console`, `program`, `keys`, `wads`, `loads`, `requires-skins`, `player-model`, `studio-groups`, `family`, `titles`, `executables`, `executables-in-stores`");
    insta::assert_snapshot!(error("case = \"ignored\"", "case = \"ignore\""), @"unknown variant `ignore`, expected `exact` or `ignored`");
    insta::assert_snapshot!(error("games = \"last\"", "games = 1"), @"wanted string or table");
    insta::assert_snapshot!(error("order = \"number-then-name\"", "order = \"name\""), @"unknown variant `name`, expected one of `bytes`, `listed`, `ignore-case`, `capitals`, `number-then-name`");
    insta::assert_snapshot!(error("set = \"others\"", "set = \"other\""), @"unknown variant `other`, expected `numbered` or `others`");
    insta::assert_snapshot!(error("layout = \"quake\"", "layout = \"quake3\""), @r#"no layout is called "quake3": expected quake, sin, hrot or daikatana"#);
    insta::assert_snapshot!(error("duplicates = \"last\"\n", ""), @"missing field `duplicates`");
}
