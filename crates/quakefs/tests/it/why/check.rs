//! The findings of a check.

use quakefs::findings::Severity;
use quakefs::{Builder, Engine, Layout};
use testutils::{Folder, content, game, pack};

use testutils::search_path::Mount as _;

/// A line for each finding: how severe, the name of its kind, the place.
fn findings_with(game: &Folder, set: impl FnOnce(Builder) -> Builder) -> String {
    let findings = quakefs::why::check(&set(game.builder()).mount().unwrap());
    let lines = findings
        .iter()
        .map(|finding| format!("{} {} {}", finding.severity, finding.kind.name(), finding.location));
    game.redact(&lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn a_right_game_has_no_findings() {
    let game = game("id1/pak0.pak: a b; id1/pak1.pak: b; id1/: c; mod/pak0.pak: a; mod/: d");
    assert_eq!(findings_with(&game, |quake| quake.engine(Engine::Fte).game("mod")), "");
    // id's engines take archives other than the shareware's for a changed game, which needs this file
    assert_eq!(findings_with(&game, |quake| quake), "error engine-stops id1/gfx/pop.lmp");
}

#[test]
fn findings_are_sorted_by_severity() {
    let game = game("id1/pak0.pak: a=x; id1/pak1.pak: a=x b; id1/: b; mod/: c");
    game.write("mod/pak0.pak", "no archive");
    insta::assert_snapshot!(findings_with(&game, |quake| quake.game("mod")), @"
    error engine-stops id1/gfx/pop.lmp
    error wrong-archive mod/pak0.pak
    warning overridden-loose id1/b
    note same-bytes id1/pak1.pak: entry 0 (a)
    ");
    let findings = quakefs::why::check(&game.builder().game("mod").mount().unwrap());
    assert!(findings.is_sorted_by(|a, b| a.severity >= b.severity));
    assert!(Severity::Error > Severity::Warning && Severity::Warning > Severity::Note);
}

#[test]
fn a_loose_file_hidden_by_its_own_pak_is_a_finding() {
    let game = game("id1/pak0.pak: a; id1/: a");
    insta::assert_snapshot!(findings_with(&game, |quake| quake), @"
    error engine-stops id1/gfx/pop.lmp
    warning overridden-loose id1/a
    ");
    insta::assert_snapshot!(findings_with(&game, |quake| quake.engine(Engine::Qss)), @"
    error engine-stops id1/gfx/pop.lmp
    warning overridden-entry id1/pak0.pak: entry 0 (a)
    ");
}

#[test]
fn a_mod_that_overrides_files_is_not_a_finding() {
    let game = game("id1/pak0.pak: a; id1/pak1.pak: a; mod/: a; mod/pak0.pak: b; gfx/: x");
    assert_eq!(findings_with(&game, |quake| quake.engine(Engine::Fte).game("mod")), "");
}

#[test]
fn a_copy_with_the_same_bytes_is_a_finding() {
    let game = game("id1/pak0.pak: a=same b=same; mod/: a=same; mod/pak0.pak: b=other");
    insta::assert_snapshot!(findings_with(&game, |quake| quake.engine(Engine::Fte).game("mod")), @"note same-bytes mod/a");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn names_that_no_game_requests_are_findings() {
    let game = game(r"id1/pak0.pak: Maps/Start.bsp maps\e1m1.bsp ./a /b c//d; id1/: CONFIG.CFG");
    insta::assert_snapshot!(findings_with(&game, |quake| quake), @r"
    error engine-stops id1/gfx/pop.lmp
    error wrong-content id1/pak0.pak: entry 0 (Maps/Start.bsp)
    error wrong-content id1/pak0.pak: entry 1 (maps\e1m1.bsp)
    warning unlikely-name id1/CONFIG.CFG
    warning unlikely-name id1/pak0.pak: entry 0 (Maps/Start.bsp)
    warning unlikely-name id1/pak0.pak: entry 1 (maps\e1m1.bsp)
    warning unlikely-name id1/pak0.pak: entry 2 (./a)
    warning unlikely-name id1/pak0.pak: entry 3 (/b)
    warning unlikely-name id1/pak0.pak: entry 4 (c//d)
    ");
    insta::assert_snapshot!(findings_with(&game, |quake| quake.engine(Engine::Fte)), @r"
    error wrong-content id1/pak0.pak: entry 0 (Maps/Start.bsp)
    error wrong-content id1/pak0.pak: entry 1 (maps\e1m1.bsp)
    warning unlikely-name id1/CONFIG.CFG
    warning unreachable id1/pak0.pak: entry 2 (./a)
    warning unreachable id1/pak0.pak: entry 4 (c//d)
    ");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn case_is_a_finding_only_if_the_engine_compares_it() {
    let game = game(
        "baseq2/pak0.pak: Maps/Start.bsp; baseq2/: CONFIG.CFG README.TXT NOTES; valve/: CONFIG.CFG \
            liblist.gam",
    );
    insta::assert_snapshot!(findings_with(&game, |quake| quake.engine(Engine::Quake2)), @"
    error engine-stops baseq2/pics/colormap.pcx
    error engine-stops baseq2/pics/conchars.pcx
    error wrong-content baseq2/pak0.pak: entry 0 (Maps/Start.bsp)
    warning unlikely-name baseq2/CONFIG.CFG
    ");
    insta::assert_snapshot!(findings_with(&game, |quake| quake.engine(Engine::YQuake2)), @"
    error engine-stops baseq2/pics/colormap.pcx
    error engine-stops baseq2/pics/conchars.tga
    error wrong-content baseq2/pak0.pak: entry 0 (Maps/Start.bsp)
    warning unlikely-name baseq2/CONFIG.CFG
    ");
    assert_eq!(
        findings_with(&game, |quake| quake.engine(Engine::GoldSrc)),
        "error engine-stops valve/gfx.wad"
    );
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn names_that_differ_only_in_case_are_findings() {
    let game = game("id1/pak0.pak: a.cfg A.cfg; id1/: B.cfg; mod/: b.cfg");
    insta::assert_snapshot!(findings_with(&game, |quake| quake.game("mod")), @"
    error engine-stops id1/gfx/pop.lmp
    warning unlikely-name id1/B.cfg
    warning case id1/pak0.pak: entry 0 (a.cfg)
    warning unlikely-name id1/pak0.pak: entry 1 (A.cfg)
    warning case mod/b.cfg
    ");
    insta::assert_snapshot!(findings_with(&game, |quake| quake.engine(Engine::Fte).game("mod")), @"
    warning unlikely-name id1/B.cfg
    warning equal-names id1/pak0.pak: entry 1 (A.cfg)
    warning case mod/b.cfg
    ");
    insta::assert_snapshot!(findings_with(&game, |quake| quake.engine(Engine::Mvdsv).game("mod")), @"warning equal-names id1/pak0.pak: entry 1 (A.cfg)");
}

#[test]
fn more_entries_than_the_engine_accepts_is_a_finding() {
    let game = game("id1/: x");
    let pak = |entries: usize| pack(Layout::Quake, (0..entries).map(|entry| (format!("{entry}"), "")));
    game.write("id1/pak0.pak", pak(2048));
    assert_eq!(findings_with(&game, |quake| quake), "error engine-stops id1/gfx/pop.lmp");
    game.write("id1/pak0.pak", pak(2049));
    insta::assert_snapshot!(findings_with(&game, |quake| quake), @"error too-many-entries id1/pak0.pak");
    insta::assert_snapshot!(findings_with(&game, |quake| quake.engine(Engine::Qss)), @"error engine-stops id1/gfx/pop.lmp");
    let long = "d/".repeat(40) + "a";
    let game = self::game(&format!("id1/: {long}"));
    insta::assert_snapshot!(findings_with(&game, |quake| quake.engine(Engine::WinQuake)), @"
    error engine-stops id1/gfx.wad
    error engine-stops id1/gfx/colormap.lmp
    error engine-stops id1/gfx/palette.lmp
    warning long-name id1/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/a
    ");
    assert_eq!(findings_with(&game, |quake| quake.engine(Engine::Fte)), "");
}

#[test]
fn a_zip_has_no_limit_of_rows() {
    let names: Vec<_> = (0..5000).map(|entry| entry.to_string()).collect();
    let game = game(&format!("id1/: x; id1/pak0.pk3: {}", names.join(" ")));
    assert!(!findings_with(&game, |quake| quake.engine(Engine::Qss)).contains("too-many"));
}

#[test]
fn a_missing_file_without_which_the_engine_stops_is_a_finding() {
    let game = game("baseq2/pak0.pak: default.cfg=a; mod/: x");
    for noise in ["0000", "0127"] {
        game.write(&format!("baseq2/blue_noise/256_256/HDR_RGBA_{noise}.png"), content::png(1, 1));
    }
    game.write("baseq2/pics/conchars.png", content::png(1, 1));
    game.write("mod/pics/colormap.pcx", content::pcx(1, 1, &content::palette()));
    let rtx = |quake: Builder| quake.engine(Engine::Q2Rtx);
    assert_eq!(findings_with(&game, rtx), "error engine-stops baseq2/pics/colormap.pcx");
    assert_eq!(findings_with(&game, |quake| rtx(quake).game("mod")), "");
}

#[test]
fn a_mod_on_the_shareware_game_is_a_finding() {
    let game = game("id1/pak0.pak: a; mod/: b; hipnotic/: c");
    insta::assert_snapshot!(findings_with(&game, |quake| quake.game("mod")), @"error engine-stops id1/gfx/pop.lmp");
    insta::assert_snapshot!(findings_with(&game, |quake| quake.mission("hipnotic")), @"error engine-stops id1/gfx/pop.lmp");
    let game = self::game("id1/pak0.pak: gfx/pop.lmp");
    insta::assert_snapshot!(findings_with(&game, |quake| quake), @"error engine-stops id1/pak0.pak");
}

#[test]
fn overriding_the_base_directory_from_the_user_directory_is_not_a_finding() {
    let game = game("base/id1/pak0.pak: a; base/id1/: b; home/id1/: a; home/id1/pak0.pak: b");
    let quake = quakefs::SearchPath::builder(game.join("base")).user_directory(game.join("home"));
    let findings = quakefs::why::check(&quake.engine(Engine::Fte).mount().unwrap());
    assert!(findings.is_empty(), "each directory is one of its own: {findings:?}");
}

#[test]
fn an_archive_that_is_packed_one_folder_too_deep_is_a_finding() {
    let deep = game(
        "id1/pak0.pak: maps/a.bsp; id1/pak1.pak: id1/maps/b.bsp id1/readme.txt; \
         id1/pak2.pak: foo/bar.txt; id1/: id1/gfx/c.lmp maps/d.bsp",
    );
    insta::assert_snapshot!(findings_with(&deep, |quake| quake), @"
    error engine-stops id1/gfx/pop.lmp
    error wrong-content id1/maps/d.bsp
    error wrong-content id1/pak0.pak: entry 0 (maps/a.bsp)
    error wrong-content id1/pak1.pak: entry 0 (id1/maps/b.bsp)
    warning folder-too-many id1/
    warning folder-too-many id1/pak1.pak
    ");
}

#[test]
fn a_cut_off_level_is_a_finding() {
    let level = content::level([29, 0, 0, 0], "{ \"classname\" \"worldspawn\" }", &[]);
    let cut = &level[..level.len() - 1];
    let game = game("id1/pak0.pak: a");
    game.write("id1/maps/whole.bsp", &level);
    game.write("id1/maps/cut.bsp", cut);
    game.write("id1/maps/header.bsp", &level[..100]);
    game.write("id1/maps/else.bsp", "no level");
    game.write("id1/pak1.pak", pack(Layout::Quake, [("maps/packed.bsp", cut), ("maps/right.bsp", &*level)]));
    insta::assert_snapshot!(findings_with(&game, |quake| quake), @"
    error engine-stops id1/gfx/pop.lmp
    error wrong-content id1/maps/cut.bsp
    error wrong-content id1/maps/else.bsp
    error wrong-content id1/maps/header.bsp
    error wrong-content id1/pak1.pak: entry 0 (maps/packed.bsp)
    ");
}

#[test]
fn a_file_in_the_folders_of_two_layers_has_its_findings_once() {
    let wrong = |engine, tree| {
        let all = findings_with(&game(tree), |quake| quake.engine(engine).game("mod"));
        let wrong = all.lines().filter(|line| line.starts_with("error wrong-content"));
        wrong.map(str::to_owned).collect::<Vec<_>>()
    };
    let of_goldsrc = wrong(Engine::GoldSrc, "valve/: a.cfg; mod/: liblist.gam b.mdl=x");
    assert_eq!(of_goldsrc, ["error wrong-content mod/b.mdl"]);
    let of_quake3 = wrong(Engine::IoQuake3, "baseq3/: a.cfg; mod/: a.cfg; mod/x.pk3dir/: b.md3=x");
    assert_eq!(of_quake3, ["error wrong-content mod/x.pk3dir/b.md3"]);
}
