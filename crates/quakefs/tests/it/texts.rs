//! Text files of a game that change the search path.

use quakefs::disk::MemoryDisk;
use quakefs::findings::FindingKind;
use quakefs::rules::{EngineStop, Skipped};
use quakefs::{Engine, Layer, SearchPath};
use testutils::{Folder, pack};

fn mounted(engine: Engine, games: &[&str], files: &[(&str, &str)]) -> SearchPath {
    let disk = MemoryDisk::new();
    for (path, text) in files {
        let content = match path.rsplit('.').next() {
            Some("pak") => pack(pak_format::Layout::Quake, [("a.cfg", *text)]),
            _ => text.as_bytes().to_vec(),
        };
        disk.insert(format!("quake/{path}"), content).unwrap();
    }
    let builder = SearchPath::builder("quake").disk(disk).engine(engine);
    games.iter().fold(builder, |builder, game| builder.game(*game)).mount().unwrap()
}

fn layers(quake: &SearchPath) -> Vec<&str> {
    quake.layers().map(Layer::name).collect()
}

#[test]
fn a_manifest_names_the_game_directories() {
    let files = [
        ("default.fmf", "FTEMANIFEST 1\ngamedir b\nbasegame a\n"),
        ("id1/a.cfg", ""),
        ("a/a.cfg", ""),
        ("b/a.cfg", ""),
        ("mod/a.cfg", ""),
    ];
    let quake = mounted(Engine::Fte, &["mod"], &files);
    assert_eq!(layers(&quake), ["mod/", "b/", "a/"]);
    assert_eq!(quake.texts(), ["default.fmf"]);
    // an engine that reads none
    let quake = mounted(Engine::QuakeSpasm, &["mod"], &files);
    assert_eq!(layers(&quake), ["mod/", "id1/"]);
    assert!(quake.texts().is_empty());
}

#[test]
fn a_manifest_is_not_read_with_a_mission_flag() {
    let disk = MemoryDisk::new();
    disk.insert("quake/default.fmf", "basegame a").unwrap();
    disk.insert("quake/id1/a.cfg", "").unwrap();
    disk.insert("quake/rogue/a.cfg", "").unwrap();
    let quake = SearchPath::builder("quake").disk(disk).engine(Engine::Fte).mission("rogue").mount().unwrap();
    assert_eq!(layers(&quake), ["rogue/", "id1/"]);
}

#[test]
fn a_manifest_that_is_huge_a_folder_or_a_list_of_paths_is_harmless() {
    let huge = format!("basegame a\n{}", "basegame b\n".repeat(1 << 20));
    let quake = mounted(Engine::Fte, &[], &[("default.fmf", &huge), ("a/x", ""), ("b/x", ""), ("id1/x", "")]);
    assert_eq!(layers(&quake), ["b/", "a/"]);
    let folder = Folder::with([("default.fmf/x", ""), ("id1/x", "")]);
    let quake = SearchPath::builder(folder.path()).engine(Engine::Fte).mount().unwrap();
    assert_eq!(layers(&quake), ["id1/"]);
    let outside = "basegame ../a\nbasegame /etc/x\nbasegame C:\\x\ngamedir ..\n";
    let quake = mounted(Engine::Fte, &[], &[("default.fmf", outside), ("id1/x", "")]);
    assert_eq!(layers(&quake), ["id1/"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_text_is_not_waited_for() {
    let folder = Folder::with([("id1/x", "")]);
    for pipe in ["default.fmf", "id1/pak.lst"] {
        assert!(std::process::Command::new("mkfifo").arg(folder.join(pipe)).status().unwrap().success());
    }
    for (engine, expected) in [(Engine::Fte, &["id1/"][..]), (Engine::EzQuake, &["qw/", "id1/"])] {
        let quake = SearchPath::builder(folder.path()).engine(engine).mount().unwrap();
        assert_eq!(layers(&quake), expected, "{engine}");
    }
}

#[test]
fn a_game_of_goldsrc_names_the_games_below_it_and_stops_the_engine_without_a_text() {
    let files = [
        ("valve/a.cfg", ""),
        ("gearbox/a.cfg", ""),
        ("Czero/a.cfg", ""),
        ("mod/LIBLIST.GAM", "game \"mod\"\nfallback_dir \"gearbox\"\n"),
        ("other/a.cfg", ""),
    ];
    let quake = mounted(Engine::GoldSrc, &["mod"], &files);
    assert_eq!(layers(&quake), ["mod/", "gearbox/", "valve/", "./"]);
    assert_eq!(quake.texts(), ["mod/LIBLIST.GAM"]);
    let joined = quake.remount_with(|builder| builder.without_games().server_game("mod")).unwrap();
    assert_eq!(layers(&joined), layers(&quake));
    let stops = |quake: &SearchPath| {
        quake
            .findings()
            .any(|finding| matches!(finding.kind, FindingKind::StopsAt(EngineStop::MissingGameInfo)))
    };
    assert!(!stops(&quake));
    assert!(stops(&mounted(Engine::GoldSrc, &["other"], &files)));
}

#[test]
fn a_list_of_archives_is_loaded_in_its_order_and_no_other_archive() {
    let files = [
        ("id1/pak0.pak", "0"),
        ("id1/a.pak", "a"),
        ("id1/b.pak", "b"),
        ("id1/c.pak", "c"),
        ("id1/soft.pak", "s"),
        ("id1/pak.lst", "b.pak\r\nsoft.pak\r\nnone.pak\na.pak\n../x.pak\n"),
    ];
    let quake = mounted(Engine::EzQuake, &[], &files);
    assert_eq!(layers(&quake), ["qw/", "id1/a.pak", "id1/b.pak", "id1/pak0.pak", "id1/"]);
    assert_eq!(quake.texts(), ["id1/pak.lst"]);
    let skipped = quake.findings().filter_map(|finding| match &finding.kind {
        FindingKind::Skipped(Skipped::NotListed { list }) => Some((finding.location.layer_name(), &**list)),
        _ => None,
    });
    assert_eq!(skipped.collect::<Vec<_>>(), [("id1/c.pak", "pak.lst"), ("id1/soft.pak", "pak.lst")]);
}
