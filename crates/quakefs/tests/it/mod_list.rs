//! Other games of engines that mount each game once.

use quakefs::disk::MemoryDisk;
use quakefs::findings::FindingKind;
use quakefs::rules::{EngineStop, Host};
use quakefs::{Builder, Engine, Layout, SearchPath};
use testutils::pack;

fn disk(others: &[(&str, &[u8])]) -> MemoryDisk {
    let disk = MemoryDisk::new();
    for game in ["id1", "good"] {
        disk.insert(format!("quake/{game}/pak0.pak"), pack(Layout::Quake, [("progs.dat", "a program")]))
            .unwrap();
    }
    for (path, content) in others {
        disk.insert(format!("quake/{path}"), content.to_vec()).unwrap();
    }
    disk
}

fn stops(engine: Engine, others: &[(&str, &[u8])], change: fn(Builder) -> Builder) -> Vec<String> {
    let builder = SearchPath::builder("quake").disk(disk(others)).engine(engine).host(Host::Linux);
    let search_path = change(builder).mount().unwrap();
    let stops = search_path
        .findings()
        .filter(|finding| matches!(finding.kind, FindingKind::StopsAt(EngineStop::OtherGame)));
    stops.map(|finding| finding.location.layer_name().to_owned()).collect()
}

#[test]
fn ironwail_stops_at_the_archive_of_another_game() {
    let others: &[(&str, &[u8])] = &[("other/pak0.pak", b"a text"), ("third/pak0.pak", b"a text")];
    let expected = ["other/pak0.pak", "third/pak0.pak"];
    assert_eq!(stops(Engine::Ironwail, others, |builder| builder.game("good")), expected);
    assert_eq!(stops(Engine::Ironwail, others, |builder| builder), expected);
    assert!(stops(Engine::QuakeSpasm, others, |builder| builder.game("good")).is_empty());
}

#[test]
fn archives_beyond_the_stop_are_not_in_the_result() {
    let sound = pack(Layout::Quake, [("a", "a")]);
    for others in [
        &[("other/pak0.pak", &*sound)][..],
        // after a gap, under another name, in a folder that is not a game, in a macOS program
        &[("other/pak0.pak", &*sound), ("other/pak2.pak", b"a text")],
        &[("other/maps.pak", b"a text"), ("other/readme.txt", b"a text")],
        &[("other/sub/pak0.pak", b"a text")],
        &[("Other.app/pak0.pak", b"a text")],
    ] {
        assert!(stops(Engine::Ironwail, others, |builder| builder).is_empty(), "{others:?}");
    }
}

#[test]
fn a_folder_is_a_game_by_its_program_or_its_contents() {
    for sign in ["other/progs.dat", "other/csprogs.dat", "other/maps/a.bsp", "other/sound/a.wav"] {
        let others: &[(&str, &[u8])] =
            &[(sign, b"a"), ("other/pak0.pak/a", b"a folder in the place of an archive")];
        assert_eq!(stops(Engine::Ironwail, others, |builder| builder), ["other/pak0.pak"], "{sign}");
    }
    let others: &[(&str, &[u8])] = &[("other/pak0.pak/a", b"a folder")];
    assert_eq!(stops(Engine::Ironwail, others, |builder| builder), ["other/pak0.pak"]);
    let others: &[(&str, &[u8])] = &[("other/pak1.pak/a", b"a folder")];
    assert!(stops(Engine::Ironwail, others, |builder| builder).is_empty());
}

#[test]
fn problems_of_the_mounted_game_are_not_reported_twice() {
    let others: &[(&str, &[u8])] = &[("good/pak1.pak", b"a text")];
    assert!(stops(Engine::Ironwail, others, |builder| builder.game("good")).is_empty());
    assert_eq!(stops(Engine::Ironwail, others, |builder| builder), ["good/pak1.pak"]);
}

fn on_windows(builder: Builder) -> Builder {
    builder.host(Host::Windows)
}

#[test]
fn windows_opens_no_folder_as_an_archive_and_has_no_programs_of_macos() {
    let others: &[(&str, &[u8])] = &[("other/progs.dat", b"a"), ("other/pak0.pak/a", b"a folder")];
    assert!(stops(Engine::Ironwail, others, on_windows).is_empty());
    let others: &[(&str, &[u8])] = &[("Other.app/pak0.pak", b"a text")];
    assert_eq!(stops(Engine::Ironwail, others, on_windows), ["Other.app/pak0.pak"]);
    // the game that is mounted, as the disk spells it
    let others: &[(&str, &[u8])] = &[("Mine/pak0.pak", b"a text")];
    assert!(stops(Engine::Ironwail, others, |builder| on_windows(builder).game("mine")).is_empty());
    assert_eq!(stops(Engine::Ironwail, others, on_windows), ["Mine/pak0.pak"]);
}
