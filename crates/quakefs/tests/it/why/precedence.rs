//! The rule of each pair, in words.

use quakefs::why::{Explanation, explain};
use quakefs::{Engine, Rules, SearchPath};
use testutils::game;

use testutils::search_path::{Mount as _, places, with_games};

fn rule_of(quake: &SearchPath, request: &str) -> String {
    let Explanation::Served { winner, overridden, .. } = explain(quake, request) else { panic!("{request}") };
    let rules = overridden.into_iter().map(|(copy, rule)| format!("{}: {rule:?}", places([copy])));
    format!("{}\n{}", places([winner]), rules.collect::<Vec<_>>().join("\n"))
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
    extra/a: Pushed
    id1/pak0.pak:0: Pushed
    ");
}

#[test]
fn a_later_game_directory_wins() {
    let winquake = Engine::WinQuake.rules();
    insta::assert_snapshot!(rule(winquake, "id1/pak0.pak: a; id1/: a; mod/pak0.pak: a", "mod"), @r#"
    mod/pak0.pak:0
    id1/pak0.pak:0: GameDirectory { above: "mod/", below: "id1/" }
    id1/a: GameDirectory { above: "mod/", below: "id1/" }
    "#);
    insta::assert_snapshot!(rule(winquake, "id1/pak0.pak: a; mods/mine/: a", "mods/mine"), @r#"
    mods/mine/a
    id1/pak0.pak:0: GameDirectory { above: "mods/mine/", below: "id1/" }
    "#);
    let goldsrc = Engine::GoldSrc.rules();
    insta::assert_snapshot!(rule(goldsrc, "./: a; x.pak: a; valve/: a; mod/custom/x.pak: a; mod/: a", "mod"), @r#"
    mod/custom/x.pak:0
    mod/a: GameDirectory { above: "mod/custom/", below: "mod/" }
    valve/a: GameDirectory { above: "mod/custom/", below: "valve/" }
    ./a: GameDirectory { above: "mod/custom/", below: "./" }
    x.pak:0: GameDirectory { above: "mod/custom/", below: "./" }
    "#);
}

#[test]
fn the_user_directory_wins_over_the_base_directory() {
    let game = game("base/id1/pak0.pak: a; home/id1/: a");
    let quake = SearchPath::builder(game.join("base")).user_directory(game.join("home")).mount().unwrap();
    insta::assert_snapshot!(game.redact(&rule_of(&quake, "a")), @r#"
    [DIR]/home/id1/a
    id1/pak0.pak:0: GameDirectory { above: "[DIR]/home/id1/", below: "id1/" }
    "#);
}

#[test]
fn the_position_of_loose_files_decides() {
    let tree = "id1/pak0.pak: a; id1/: a";
    insta::assert_snapshot!(rule(Engine::WinQuake.rules(), tree, ""), @"
    id1/pak0.pak:0
    id1/a: Loose(Below)
    ");
    insta::assert_snapshot!(rule(Engine::DarkPlaces.rules(), tree, ""), @"
    id1/a
    id1/pak0.pak:0: Loose(Above)
    ");
}

#[test]
#[cfg_attr(windows, ignore = "Windows lists a folder in another order")]
fn the_number_of_an_archive_decides() {
    let tree = "id1/pak2.pak: a; id1/pak10.pak: a; id1/pak0.pak: a; id1/pak1.pak: a; id1/x.pk3: a; \
        id1/B.pak: a; id1/c.pak: a";
    insta::assert_snapshot!(rule(Engine::WinQuake.rules(), tree, ""), @r#"
    id1/pak2.pak:0
    id1/pak1.pak:0: ArchiveOrder { above: "pak2.pak", below: "pak1.pak", by: Number }
    id1/pak0.pak:0: ArchiveOrder { above: "pak2.pak", below: "pak0.pak", by: Number }
    "#);
    insta::assert_snapshot!(rule(Engine::DarkPlaces.rules(), tree, ""), @r#"
    id1/x.pk3:0
    id1/pak2.pak:0: ArchiveOrder { above: "x.pk3", below: "pak2.pak", by: Kind }
    id1/pak10.pak:0: ArchiveOrder { above: "x.pk3", below: "pak10.pak", by: Kind }
    id1/pak1.pak:0: ArchiveOrder { above: "x.pk3", below: "pak1.pak", by: Kind }
    id1/pak0.pak:0: ArchiveOrder { above: "x.pk3", below: "pak0.pak", by: Kind }
    id1/c.pak:0: ArchiveOrder { above: "x.pk3", below: "c.pak", by: Kind }
    id1/B.pak:0: ArchiveOrder { above: "x.pk3", below: "B.pak", by: Kind }
    "#);
    insta::assert_snapshot!(rule(Engine::Fte.rules(), tree, ""), @r#"
    id1/x.pk3:0
    id1/pak10.pak:0: ArchiveOrder { above: "x.pk3", below: "pak10.pak", by: Kind }
    id1/c.pak:0: ArchiveOrder { above: "x.pk3", below: "c.pak", by: Kind }
    id1/B.pak:0: ArchiveOrder { above: "x.pk3", below: "B.pak", by: Kind }
    id1/pak2.pak:0: ArchiveOrder { above: "x.pk3", below: "pak2.pak", by: Kind }
    id1/pak1.pak:0: ArchiveOrder { above: "x.pk3", below: "pak1.pak", by: Kind }
    id1/pak0.pak:0: ArchiveOrder { above: "x.pk3", below: "pak0.pak", by: Kind }
    "#);
    insta::assert_snapshot!(rule(Engine::Mvdsv.rules(), tree, ""), @r#"
    id1/pak10.pak:0
    id1/c.pak:0: ArchiveOrder { above: "pak10.pak", below: "c.pak", by: Listed }
    id1/B.pak:0: ArchiveOrder { above: "pak10.pak", below: "B.pak", by: Listed }
    id1/pak2.pak:0: ArchiveOrder { above: "pak10.pak", below: "pak2.pak", by: NumberedFirst }
    id1/pak1.pak:0: ArchiveOrder { above: "pak10.pak", below: "pak1.pak", by: NumberedFirst }
    id1/pak0.pak:0: ArchiveOrder { above: "pak10.pak", below: "pak0.pak", by: NumberedFirst }
    "#);
    let q2pro = "baseq2/pak2.pak: a; baseq2/pak10.pkz: a; baseq2/x.pak: a";
    insta::assert_snapshot!(rule(Engine::Q2Pro.rules(), q2pro, ""), @r#"
    baseq2/x.pak:0
    baseq2/pak10.pkz:0: ArchiveOrder { above: "x.pak", below: "pak10.pkz", by: NumberThenName }
    baseq2/pak2.pak:0: ArchiveOrder { above: "x.pak", below: "pak2.pak", by: NumberThenName }
    "#);
    let goldsrc = "valve/pak2.pak: a; valve/pak10.pak: a; valve/a.pk3: a";
    insta::assert_snapshot!(rule(Engine::GoldSrc.rules(), goldsrc, ""), @r#"
    valve/a.pk3:0
    valve/pak2.pak:0: ArchiveOrder { above: "a.pk3", below: "pak2.pak", by: Kind }
    valve/pak10.pak:0: ArchiveOrder { above: "a.pk3", below: "pak10.pak", by: Kind }
    "#);
}

#[test]
#[cfg_attr(windows, ignore = "Windows lists a folder in another order")]
fn archives_after_the_numbered_run_win() {
    let tree = "baseq2/pak0.pak: a; baseq2/pak100.pak: a; baseq2/pak99.pak: a; baseq2/b.pak: a";
    insta::assert_snapshot!(rule(Engine::YQuake2.rules(), tree, ""), @r#"
    baseq2/pak100.pak:0
    baseq2/b.pak:0: ArchiveOrder { above: "pak100.pak", below: "b.pak", by: Listed }
    baseq2/pak99.pak:0: ArchiveOrder { above: "pak100.pak", below: "pak99.pak", by: NumberedFirst }
    baseq2/pak0.pak:0: ArchiveOrder { above: "pak100.pak", below: "pak0.pak", by: NumberedFirst }
    "#);
    let gap = "id1/pak0.pak: a; id1/pak5.pak: a; id1/pak3.pak: a";
    insta::assert_snapshot!(rule(Engine::Mvdsv.rules(), gap, ""), @r#"
    id1/pak5.pak:0
    id1/pak3.pak:0: ArchiveOrder { above: "pak5.pak", below: "pak3.pak", by: Listed }
    id1/pak0.pak:0: ArchiveOrder { above: "pak5.pak", below: "pak0.pak", by: NumberedFirst }
    "#);
}

#[test]
fn the_order_of_rows_decides_within_an_archive() {
    insta::assert_snapshot!(rule(Engine::WinQuake.rules(), "id1/pak0.pak: a b a", ""), @"
    id1/pak0.pak:0
    id1/pak0.pak:2: Row(First)
    ");
    insta::assert_snapshot!(rule(Engine::Q2Pro.rules(), "baseq2/pak0.pak: a b A", ""), @"
    baseq2/pak0.pak:2
    baseq2/pak0.pak:0: Row(Last)
    ");
}
