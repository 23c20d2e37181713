//! The rule of each shadow, in words.

use quakefs::rules::LooseCase;
use quakefs::{Engine, Precedence, Rules, SearchPath};
use testutils::game;

use testutils::stack::{Mount as _, places, with_games};

fn rule_of(quake: &SearchPath, request: &str) -> String {
    let copies = quake.copies(request);
    let (winner, hidden) = copies.split_first().unwrap();
    let rules = hidden.iter().map(|copy| {
        format!("{}: {}", places([copy.clone()]), quakefs_report::precedence(quake, winner, copy))
    });
    format!("{}\n{}", places([winner.clone()]), rules.collect::<Vec<_>>().join("\n"))
}

fn rule(rules: &Rules, tree: &str, games: &str) -> String {
    let game = game(tree);
    rule_of(&with_games(game.builder().rules(rules.clone()), games).mount().unwrap(), "a")
}

#[test]
fn a_pushed_layer_wins_by_its_rank() {
    let game = game("id1/pak0.pak: a; extra/: a; more/: a");
    let quake = game.builder().folder(game.join("extra")).folder(game.join("more")).mount().unwrap();
    insta::assert_snapshot!(rule_of(&quake, "a"), @"
    more/a
    extra/a: put on top
    id1/pak0.pak:0: put on top
    ");
}

#[test]
fn a_later_game_directory_wins() {
    let winquake = Engine::WinQuake.rules();
    insta::assert_snapshot!(rule(winquake, "id1/pak0.pak: a; id1/: a; mod/pak0.pak: a", "mod"), @"
    mod/pak0.pak:0
    id1/pak0.pak:0: mod/ above id1/
    id1/a: mod/ above id1/
    ");
    insta::assert_snapshot!(rule(winquake, "id1/pak0.pak: a; mods/mine/: a", "mods/mine"), @"
    mods/mine/a
    id1/pak0.pak:0: mods/mine/ above id1/
    ");
    let goldsrc = Engine::GoldSrc.rules();
    insta::assert_snapshot!(rule(goldsrc, "./: a; x.pak: a; valve/: a; mod/custom/x.pak: a; mod/: a", "mod"), @"
    mod/custom/x.pak:0
    mod/a: mod/custom/ above mod/
    valve/a: mod/custom/ above valve/
    ./a: mod/custom/ above ./
    x.pak:0: mod/custom/ above ./
    ");
}

#[test]
fn the_user_directory_wins_over_the_base_directory() {
    let game = game("base/id1/pak0.pak: a; home/id1/: a");
    let quake = SearchPath::builder(game.join("base")).user_directory(game.join("home")).mount().unwrap();
    insta::assert_snapshot!(game.redact(&rule_of(&quake, "a")), @"
    [DIR]/home/id1/a
    id1/pak0.pak:0: [DIR]/home/id1/ above id1/
    ");
}

#[test]
fn the_position_of_loose_files_decides() {
    let tree = "id1/pak0.pak: a; id1/: a";
    insta::assert_snapshot!(rule(Engine::WinQuake.rules(), tree, ""), @"
    id1/pak0.pak:0
    id1/a: archives above loose files
    ");
    insta::assert_snapshot!(rule(Engine::DarkPlaces.rules(), tree, ""), @"
    id1/a
    id1/pak0.pak:0: loose files above archives
    ");
}

#[test]
fn the_number_of_an_archive_decides() {
    let tree = "id1/pak2.pak: a; id1/pak10.pak: a; id1/pak0.pak: a; id1/pak1.pak: a; id1/x.pk3: a; id1/B.pak: a; id1/c.pak: a";
    insta::assert_snapshot!(rule(Engine::WinQuake.rules(), tree, ""), @"
    id1/pak2.pak:0
    id1/pak1.pak:0: pak2.pak after pak1.pak by number
    id1/pak0.pak:0: pak2.pak after pak0.pak by number
    ");
    insta::assert_snapshot!(rule(Engine::DarkPlaces.rules(), tree, ""), @"
    id1/x.pk3:0
    id1/pak2.pak:0: x.pk3 after pak2.pak by kind
    id1/pak10.pak:0: x.pk3 after pak10.pak by kind
    id1/pak1.pak:0: x.pk3 after pak1.pak by kind
    id1/pak0.pak:0: x.pk3 after pak0.pak by kind
    id1/c.pak:0: x.pk3 after c.pak by kind
    id1/B.pak:0: x.pk3 after B.pak by kind
    ");
    insta::assert_snapshot!(rule(Engine::Fte.rules(), tree, ""), @"
    id1/x.pk3:0
    id1/pak10.pak:0: x.pk3 after pak10.pak by kind
    id1/c.pak:0: x.pk3 after c.pak by kind
    id1/B.pak:0: x.pk3 after B.pak by kind
    id1/pak2.pak:0: x.pk3 after pak2.pak by kind
    id1/pak1.pak:0: x.pk3 after pak1.pak by kind
    id1/pak0.pak:0: x.pk3 after pak0.pak by kind
    ");
    insta::assert_snapshot!(rule(Engine::Mvdsv.rules(), tree, ""), @"
    id1/pak10.pak:0
    id1/c.pak:0: pak10.pak after c.pak by name, where the disk decides
    id1/B.pak:0: pak10.pak after B.pak by name, where the disk decides
    id1/pak2.pak:0: pak10.pak after pak2.pak as the numbered ones come first
    id1/pak1.pak:0: pak10.pak after pak1.pak as the numbered ones come first
    id1/pak0.pak:0: pak10.pak after pak0.pak as the numbered ones come first
    ");
    let q2pro = "baseq2/pak2.pak: a; baseq2/pak10.pkz: a; baseq2/x.pak: a";
    insta::assert_snapshot!(rule(Engine::Q2Pro.rules(), q2pro, ""), @"
    baseq2/x.pak:0
    baseq2/pak10.pkz:0: x.pak after pak10.pkz by number, then name
    baseq2/pak2.pak:0: x.pak after pak2.pak by number, then name
    ");
    let goldsrc = "valve/pak2.pak: a; valve/pak10.pak: a; valve/a.pk3: a";
    insta::assert_snapshot!(rule(Engine::GoldSrc.rules(), goldsrc, ""), @"
    valve/a.pk3:0
    valve/pak2.pak:0: a.pk3 after pak2.pak by kind
    valve/pak10.pak:0: a.pk3 after pak10.pak by kind
    ");
}

#[test]
fn archives_after_the_numbered_run_win() {
    let tree = "baseq2/pak0.pak: a; baseq2/pak100.pak: a; baseq2/pak99.pak: a; baseq2/b.pak: a";
    insta::assert_snapshot!(rule(Engine::YQuake2.rules(), tree, ""), @"
    baseq2/pak100.pak:0
    baseq2/b.pak:0: pak100.pak after b.pak by name, where the disk decides
    baseq2/pak99.pak:0: pak100.pak after pak99.pak as the numbered ones come first
    baseq2/pak0.pak:0: pak100.pak after pak0.pak as the numbered ones come first
    ");
    let gap = "id1/pak0.pak: a; id1/pak5.pak: a; id1/pak3.pak: a";
    insta::assert_snapshot!(rule(Engine::Mvdsv.rules(), gap, ""), @"
    id1/pak5.pak:0
    id1/pak3.pak:0: pak5.pak after pak3.pak by name, where the disk decides
    id1/pak0.pak:0: pak5.pak after pak0.pak as the numbered ones come first
    ");
}

#[test]
fn the_order_of_rows_decides_within_an_archive() {
    insta::assert_snapshot!(rule(Engine::WinQuake.rules(), "id1/pak0.pak: a b a", ""), @"
    id1/pak0.pak:0
    id1/pak0.pak:2: first of equal rows
    ");
    insta::assert_snapshot!(rule(Engine::Q2Pro.rules(), "baseq2/pak0.pak: a b A", ""), @"
    baseq2/pak0.pak:2
    baseq2/pak0.pak:0: last of equal rows
    ");
}

// a disk that ignores case answers for itself
#[cfg(target_os = "linux")]
#[test]
fn the_spelling_decides_within_a_folder() {
    let game = game("id1/: a A");
    let mut rules = Engine::WinQuake.rules().clone();
    rules.loose.case = LooseCase::Ignored;
    let quake = game.builder().rules(rules).mount().unwrap();
    let (upper, lower) = (quake.find("A").unwrap(), quake.find("a").unwrap());
    let rule = quakefs_report::precedence(&quake, &upper, &lower);
    assert_eq!(rule, Precedence::Spelling);
    assert_eq!(rule.to_string(), "the requested spelling, else the first in byte order");
}
