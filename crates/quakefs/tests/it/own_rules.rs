//! Custom rules: each field has its effect, for live and listed loose files.

use quakefs::rules::Case;
use quakefs::rules::{
    ArchiveSet, Backslash, Duplicates, EmptyArchive, Games, Gaps, LooseCase, LoosePosition, Mission, Order,
    PathRule, SubstituteKind,
};
use quakefs::{Archive, Engine, Error, FileData, Layout, Rules};
use testutils::game;

use crate::{Mount as _, check_rules, layers, places, with_games};

fn rules(change: impl FnOnce(&mut Rules)) -> Rules {
    let mut rules = Engine::WinQuake.rules().clone();
    rules.name = "mine".into();
    change(&mut rules);
    rules
}

fn numbered(count: Option<u32>, gaps: Gaps) -> ArchiveSet {
    ArchiveSet::Numbered {
        stem: quakefs::rules::STEM.into(),
        extensions: vec!["pak".into()].into(),
        count,
        gaps,
        case: quakefs::rules::NumberedCase::Lower,
    }
}

fn others(extension_case: Case, order: Order) -> ArchiveSet {
    ArchiveSet::Others {
        extensions: vec!["pak".into()].into(),
        extension_case,
        alike: quakefs::rules::LoadOrderCase::Loaded,
        order,
    }
}

/// The layers, highest first, and the findings.
fn check_layers(rules: &Rules, tree: &str, games: &str, expected: &str, skipped: &str) {
    let game = game(tree);
    let quake = with_games(game.builder().rules(rules.clone()), games).mount().unwrap();
    assert_eq!(layers(&quake), expected);
    assert_eq!(quake.rules(), rules);
    let problems: Vec<_> = quake.findings().map(|finding| finding.location.layer_name()).collect();
    assert_eq!(problems.join(" "), skipped);
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn archives_are_in_the_order_of_the_rules() {
    let tree = "id1/pak10.pak: a; id1/pak2.pak: a; id1/b.pak: a; id1/A.PAK: a; id1/: x";
    for (order, expected) in [
        (Order::Bytes, "id1/pak2.pak > id1/pak10.pak > id1/b.pak > id1/A.PAK > id1/"),
        (Order::IgnoreCase, "id1/pak2.pak > id1/pak10.pak > id1/b.pak > id1/A.PAK > id1/"),
        (Order::NumberThenName, "id1/b.pak > id1/A.PAK > id1/pak10.pak > id1/pak2.pak > id1/"),
    ] {
        let rules = rules(|rules| rules.archives.sets = vec![others(Case::Ignored, order)].into());
        check_layers(&rules, tree, "", expected, "");
    }
    let exact = rules(|rules| rules.archives.sets = vec![others(Case::Exact, Order::Bytes)].into());
    check_layers(&exact, tree, "", "id1/pak2.pak > id1/pak10.pak > id1/b.pak > id1/", "id1/A.PAK");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn a_later_set_of_archives_is_above_an_earlier_one() {
    let sets =
        vec![numbered(None, Gaps::Stop { empty: EmptyArchive::Loaded }), others(Case::Exact, Order::Bytes)];
    let sets = rules(|rules| rules.archives.sets = sets.into());
    let tree = "id1/pak0.pak: a; id1/pak1.pak: a; id1/z.pak: a; id1/b.pak: a; id1/: x";
    check_layers(&sets, tree, "", "id1/z.pak > id1/b.pak > id1/pak1.pak > id1/pak0.pak > id1/", "");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn gaps_may_be_skipped_and_numbers_may_end() {
    let tree = "id1/pak1.pak: a; id1/pak3.pak: a; id1/pak9.pak: a; id1/pak10.pak: a; id1/: x";
    let skip = rules(|rules| rules.archives.sets = vec![numbered(Some(10), Gaps::Skip)].into());
    check_layers(&skip, tree, "", "id1/pak9.pak > id1/pak3.pak > id1/pak1.pak > id1/", "id1/pak10.pak");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn the_largest_archive_number_is_loaded() {
    let tree = "id1/pak4294967295.pak: a; id1/pak4294967296.pak: a; id1/: x";
    let skip = rules(|rules| rules.archives.sets = vec![numbered(None, Gaps::Skip)].into());
    check_layers(&skip, tree, "", "id1/pak4294967295.pak > id1/", "id1/pak4294967296.pak");
}

#[test]
fn loose_files_may_be_above_archives() {
    let rules = rules(|rules| rules.loose.position = LoosePosition::Above);
    let tree = "id1/pak0.pak: a b; id1/: a; mod/pak0.pak: a b; mod/: c";
    check_rules(&rules, tree, "mod", "a", "mod/pak0.pak:0 > id1/a > id1/pak0.pak:0");
    check_rules(&rules, "id1/pak0.pak: a; id1/: a", "", "a", "id1/a > id1/pak0.pak:0");
}

#[test]
fn the_last_of_two_equal_rows_may_win() {
    let rules = rules(|rules| rules.archives.duplicates = Duplicates::Last);
    check_rules(&rules, "id1/pak0.pak: a b a a", "", "a", "id1/pak0.pak:3 > id1/pak0.pak:2 > id1/pak0.pak:0");
}

#[test]
fn a_binary_search_may_decide_between_equal_rows() {
    let rules = rules(|rules| {
        rules.archives.duplicates = Duplicates::Searched;
        rules.archives.case = Case::Ignored;
    });
    // sorted: a A a b, searched from the second on
    let tree = "id1/pak0.pak: a b A a";
    check_rules(&rules, tree, "", "a", "id1/pak0.pak:2 > id1/pak0.pak:0 > id1/pak0.pak:3");
    let game = game(tree);
    let quake = game.builder().rules(rules.clone()).mount().unwrap();
    assert_eq!(places(quake.files()), "id1/pak0.pak:2 > id1/pak0.pak:1");
    // a name that no request reaches is one of the sorted names
    check_rules(&rules, "id1/pak0.pak: a A", "", "a", "id1/pak0.pak:0 > id1/pak0.pak:1");
    check_rules(&rules, "id1/pak0.pak: a A ../b", "", "a", "id1/pak0.pak:0 > id1/pak0.pak:1");
    check_rules(&rules, "id1/pak0.pak: a A b/../c", "", "a", "id1/pak0.pak:1 > id1/pak0.pak:0");
    // copies that rank below a higher archive's
    check_rules(
        &rules,
        "id1/pak0.pak: a A b; id1/pak1.pak: a",
        "",
        "a",
        "id1/pak1.pak:0 > id1/pak0.pak:1 > id1/pak0.pak:0",
    );
}

#[test]
fn case_may_be_ignored_in_archives() {
    let rules = rules(|rules| rules.archives.case = Case::Ignored);
    let tree = "id1/pak0.pak: Maps/START.bsp maps/start.BSP; mod/pak0.pak: MAPS/start.bsp; id1/: x";
    for request in ["maps/start.bsp", "MAPS/START.BSP", "Maps/START.bsp"] {
        check_rules(&rules, tree, "mod", request, "mod/pak0.pak:0 > id1/pak0.pak:0 > id1/pak0.pak:1");
    }
    check_rules(&rules, "id1/pak0.pak: caf\u{c9} [; id1/: x", "", "caf\u{e9}", "");
    check_rules(&rules, "id1/pak0.pak: caf\u{c9} [; id1/: x", "", "{", "");
    let game = game(tree);
    let quake = game.builder().rules(rules).game("mod").mount().unwrap();
    assert_eq!(places(quake.files()), "mod/pak0.pak:0 > id1/x");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn games_count_according_to_the_rules() {
    let tree = "id1/: a; one/: a; two/: a";
    for (games, asked, expected, ignored) in [
        (Games::First, "one two", "one/ > id1/", "two/"),
        (Games::Last, "one two", "two/ > id1/", "one/"),
        (Games::Every, "one two", "two/ > one/ > id1/", ""),
        (Games::Every, "one two one", "one/ > two/ > id1/", ""),
        (Games::Every, "one id1", "id1/ > one/", ""),
        (Games::Ignored, "one two", "id1/", "one/ two/"),
    ] {
        check_layers(&rules(|rules| rules.directories.games = games), tree, asked, expected, ignored);
    }
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn base_directories_come_from_the_rules() {
    let rules = rules(|rules| {
        rules.directories.base = vec![".".into(), "valve".into()].into();
        rules.directories.missions = vec![Mission { flag: "hd".into(), directory: "valve_hd".into() }].into();
        rules.directories.game_folders = vec!["{}_downloads".into(), "{}".into(), "{}/custom".into()].into();
    });
    let tree = "valve/pak0.pak: a; mod/custom/pak0.pak: a; mod_downloads/: a; valve_hd/: a; pak0.pak: a b";
    let game = game(tree);
    let quake = game.builder().rules(rules).game("mod").mission("hd").mount().unwrap();
    assert_eq!(
        layers(&quake),
        "mod/custom/pak0.pak > mod/custom/ > mod/ > mod_downloads/ > valve_hd/ > valve/pak0.pak > valve/ > \
            pak0.pak > ./"
    );
    assert_eq!(places(quake.find("b")), "pak0.pak:1");
    assert_eq!(places(quake.find("valve/pak0.pak")), "./valve/pak0.pak");
    let files = places(quake.files());
    assert!(!files.contains("./valve/pak0.pak") && files.contains("./mod_downloads/a"), "{files}");
}

#[test]
fn unusual_requests_are_read_according_to_the_rules() {
    let tree = "id1/pak0.pak: cfg/a; id1/: cfg/b";
    let all = |reading| {
        move |rules: &mut Rules| {
            rules.requests.leading_slash = reading;
            rules.requests.dot_component = reading;
            rules.requests.empty_component = reading;
        }
    };
    for request in ["/cfg/", "./cfg/", "cfg//", "cfg/./"] {
        for (name, place) in [("a", "id1/pak0.pak:0"), ("b", "id1/cfg/b")] {
            let request = format!("{request}{name}");
            check_rules(&rules(all(PathRule::Dropped)), tree, "", &request, place);
            check_rules(&rules(all(PathRule::Refused)), tree, "", &request, "");
        }
    }
    let slash = rules(|rules| rules.requests.backslash = Backslash::Slash);
    check_rules(&slash, tree, "", r"cfg\a", "id1/pak0.pak:0");
    check_rules(&slash, tree, "", r"cfg\b", "id1/cfg/b");
    let refused = rules(|rules| rules.requests.backslash = Backslash::Refused);
    check_rules(&refused, r"id1/pak0.pak: cfg\a; id1/: x", "", r"cfg\a", "");
    check_rules(&rules(|_| {}), r"id1/pak0.pak: cfg\a; id1/: x", "", r"cfg\a", "id1/pak0.pak:0");
}

// a disk that ignores case answers for itself
#[cfg(target_os = "linux")]
mod loose_case {
    use super::*;

    fn check(case: LooseCase, tree: &str, games: &str, request: &str, expected: &str) {
        check_rules(&rules(|rules| rules.loose.case = case), tree, games, request, expected);
    }

    #[test]
    fn exact_case_finds_the_spelling_on_disk() {
        check(LooseCase::Exact, "id1/: Cfg/A", "", "cfg/a", "");
        check(LooseCase::Exact, "id1/: Cfg/A", "", "Cfg/A", "id1/Cfg/A");
    }

    #[test]
    fn exact_then_lower_tries_both_spellings_in_each_folder() {
        let case = LooseCase::ExactThenLower;
        check(case, "id1/: cfg/a", "", "CFG/a", "id1/cfg/a");
        check(case, "id1/: cfg/a Cfg/A", "", "Cfg/A", "id1/Cfg/A");
        check(case, "id1/: Cfg/A", "", "cfg/a", "");
        check(case, "id1/: Cfg/A; mod/: cfg/a", "mod", "Cfg/A", "mod/cfg/a > id1/Cfg/A");
        check(case, "id1/: cfg/a; id1/pak0.pak: Cfg/A", "", "Cfg/A", "id1/pak0.pak:0 > id1/cfg/a");
    }

    #[test]
    fn ignored_case_finds_any_spelling_and_prefers_the_exact_one() {
        let case = LooseCase::Ignored;
        check(case, "id1/: Cfg/A", "", "cfg/a", "id1/Cfg/A");
        check(case, "id1/: Cfg/A cfg/a cfg/A", "", "cfg/A", "id1/cfg/A");
        check(case, "id1/: Cfg/B cfg/a", "", "CFG/A", "id1/cfg/a");
        check(case, "id1/: Cfg/a/b cfg/A", "", "CFG/A", "id1/cfg/A");
        check(case, "id1/: cfg/a; mod/: CFG/A", "mod", "cfg/a", "mod/CFG/A > id1/cfg/a");
        check(case, "id1/: Cfg/A", "", "/./CFG//a", "id1/Cfg/A");
    }

    #[test]
    fn a_file_that_differs_only_in_case_may_hide_every_lower_layer() {
        let case = LooseCase::ExactHidesOthers;
        check(case, "id1/: cfg/a; mod/: CFG/a", "mod", "cfg/a", "");
        check(case, "id1/: cfg/a; mod/: CFG/a", "mod", "CFG/a", "mod/CFG/a");
        check(case, "id1/: cfg/a; mod/: CFG/a", "", "cfg/a", "id1/cfg/a");
        check(case, "id1/: cfg/a; mod/: CFG/a cfg/a", "mod", "cfg/a", "mod/cfg/a > id1/cfg/a");
        check(
            case,
            "id1/: x; id1/pak0.pak: a; mod/: A; mod/pak0.pak: a",
            "mod",
            "a",
            "mod/pak0.pak:0 > id1/pak0.pak:0",
        );
    }

    #[test]
    fn each_listed_name_is_found_if_case_is_ignored() {
        let game = game("id1/: Cfg/A b; mod/: cfg/a");
        for loose in [quakefs::LooseFiles::Live, quakefs::LooseFiles::Listed] {
            let rules = rules(|rules| rules.loose.case = LooseCase::Ignored);
            let quake = game.builder().rules(rules).loose_files(loose).game("mod").mount().unwrap();
            assert_eq!(places(quake.files()), "id1/b > mod/cfg/a");
            assert_eq!(quakefs::why::overridden(&quake).len(), 1);
        }
    }
}

#[test]
fn further_files_beside_a_substitute_are_looked_up_if_the_kind_has_them() {
    let rules = rules(|rules| {
        let mut row = Engine::VkQuake.rules().substitute(SubstituteKind::Model, b"a.mdl").unwrap().clone();
        row.beside = vec![vec!["_glow".into()].into()].into();
        rules.substitutes = vec![row].into();
    });
    let game = game("id1/: a.mdl");
    let quake = game.builder().rules(rules).mount().unwrap();
    let files = quake.substitutes(SubstituteKind::Model, "a.mdl", None).unwrap();
    let copies: Vec<_> = files.iter().map(|file| (file.beside, file.copies.len())).collect();
    assert_eq!(copies, [(false, 1), (true, 0)]);
}

#[test]
fn archives_of_an_own_kind_are_loaded_in_order_with_paks() {
    let game = game("id1/pak0.pak: a.cfg; id1/pak1.pak: a.cfg; id1/: b.cfg");
    // a GRP as in Build: names of 12 bytes and sizes, then the contents
    let mut grp = b"KenSilverman\x01\0\0\0a.cfg\0\0\0\0\0\0\0".to_vec();
    grp.extend_from_slice(b"\x03\0\0\0grp");
    game.write("id1/pak0.grp", &grp);
    game.write("id1/pak1.grp", "no archive");
    let read = |bytes: FileData| {
        let content = bytes.strip_prefix(b"KenSilverman\x01\0\0\0").and_then(|rest| rest.get(16..));
        let content = content.ok_or_else(|| Error::from(std::io::Error::other("it is no GRP")))?;
        Archive::from_data(testutils::pack(Layout::Quake, [("a.cfg", content)]).into())
    };
    let rules = rules(|rules| {
        let extensions = vec!["pak".into(), "grp".into()].into();
        let gaps = Gaps::Stop { empty: EmptyArchive::Loaded };
        rules.archives.sets = vec![ArchiveSet::Numbered {
            stem: quakefs::rules::STEM.into(),
            extensions,
            count: None,
            gaps,
            case: quakefs::rules::NumberedCase::Lower,
        }]
        .into();
        rules.stops = Vec::new().into();
    });
    let quake = game.builder().rules(rules).reader("grp", read).mount().unwrap();
    assert_eq!(layers(&quake), "id1/pak1.pak > id1/pak0.grp > id1/pak0.pak > id1/");
    assert_eq!(quake.copies("a.cfg")[1].read().unwrap(), "grp");
    let finding = quake.findings().next().unwrap();
    assert_eq!(finding.location.layer_name(), "id1/pak1.grp");
    let names: Vec<_> = quake.files().map(|file| file.name().to_string()).collect();
    assert_eq!(names, ["a.cfg", "b.cfg", "pak1.grp"]);
}
