//! Whether an engine starts on a folder.

use quakefs::rules::directory_crc;
use quakefs::{Archive, Engine, Layout};
use testutils::{Folder, game, raw_zip, zip};

use testutils::search_path::Mount as _;

/// What stops an engine at its start.
fn stops(folder: &Folder, engine: Engine, games: &[&str]) -> String {
    let start = folder.builder().engine(engine);
    let builder = games.iter().fold(start, |builder, game| builder.game(*game));
    let stops = quakefs::why::starts(&builder.mount().unwrap()).err().unwrap_or_default();
    stops.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// ioquake3 of Debian was run on these folders, and stops at the same ones.
#[test]
fn quake3_needs_the_archives_of_its_last_patch() {
    let folder = game("baseq3/: default.cfg=x; baseq3/PAK0.PK3: a; baseq3/pak8.pk3dir/: a");
    let stop = "baseq3/pak1.pk3: ioquake3 stops with an error: the archive is missing, as well as 7 \
        others from pak2.pk3 to pak8.pk3";
    assert_eq!(stops(&folder, Engine::IoQuake3, &[]), stop);
    for number in 1..9 {
        folder.write(&format!("baseq3/pak{number}.pk3"), zip([("a", "x")]));
    }
    assert_eq!(stops(&folder, Engine::IoQuake3, &[]), "");
    // an archive without entries counts as missing
    folder.write("baseq3/pak4.pk3", zip::<&str, &str>([]));
    assert!(stops(&folder, Engine::IoQuake3, &[]).starts_with("baseq3/pak4.pk3: "));
    folder.write("mymod/a.cfg", "x");
    assert!(stops(&folder, Engine::IoQuake3, &["mymod"]).starts_with("baseq3/pak4.pk3: "));
    folder.write("missionpack/pak0.pk3", zip([("a", "x")]));
    folder.write("baseq3/pak4.pk3", zip([("a", "x")]));
    assert!(stops(&folder, Engine::IoQuake3, &["missionpack"]).starts_with("missionpack/pak1.pk3: "));
}

/// The archive is the one of which ioquake3 of Debian printed this checksum when it was run.
#[test]
fn some_engines_of_quake3_refuse_another_archive_than_ids() {
    let made = raw_zip::zip(&[
        raw_zip::stored("default.cfg", "// a\n"),
        raw_zip::stored("maps/", ""),
        raw_zip::stored("empty.txt", ""),
        raw_zip::stored("vm/x.qvm", "hello".repeat(100)),
    ]);
    let checksum = |feed| quakefs::why::pk3_checksum(&Archive::from_data(made.clone().into()).unwrap(), feed);
    assert_eq!(checksum(None), Some(1_353_588_302));
    assert_ne!(checksum(Some(0)), checksum(None));
    let folder = game("baseq3/: default.cfg=x; main/: default.cfg=x");
    folder.write("baseq3/PAK0.pk3", &made);
    folder.write("main/pak0.pk3", &made);
    let refused = |file: &str, engine: &str, accepted: &str| {
        format!(
            "{file}: {engine} stops with an error: it is not the game's: its checksum is \
             1353588302, and {engine} accepts only {accepted}"
        )
    };
    for games in [&[][..], &["mymod"]] {
        let stop = refused("baseq3/PAK0.pk3", "quake3e", "1566731103");
        assert_eq!(stops(&folder, Engine::Quake3e, games), stop);
    }
    for (engine, name) in [(Engine::IoRtcw, "iortcw"), (Engine::IoRtcwSp, "iortcw-sp")] {
        assert_eq!(stops(&folder, engine, &[]), refused("main/pak0.pk3", name, "1886207346"));
    }
    // another is not compared, and is missing
    std::fs::remove_file(folder.join("baseq3/PAK0.pk3")).unwrap();
    folder.write("baseq3/pak9.pk3", &made);
    assert!(stops(&folder, Engine::Quake3e, &[]).starts_with("baseq3/pak0.pk3: "));
    // quake3e looks for them only with a game of id's, and a demo replaces them
    folder.write("mymod/a.cfg", "x");
    assert_eq!(stops(&folder, Engine::Quake3e, &["mymod"]), "");
}

#[test]
fn a_fork_of_quake3_needs_its_config_and_no_archive_of_ids() {
    let folder = game("baseoa/pak0.pk3: gfx/2d/bigchars.tga");
    let check = || {
        let findings = quakefs::why::check(&folder.builder().engine(Engine::OpenArena).mount().unwrap());
        let stops = findings.iter().filter(|finding| finding.stops_engine);
        stops.map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let stop = "baseoa/default.cfg: openarena stops with an error: the file is missing";
    assert_eq!(check(), stop);
    folder.write("baseoa/default.cfg", "");
    assert_eq!(check(), stop, "a config of 0 bytes is none");
    assert_eq!(stops(&folder, Engine::OpenArena, &[]), stop);
    folder.write("baseoa/default.cfg", "x");
    assert_eq!(check(), "");
}

#[test]
fn nothing_of_a_game_is_not_enough_to_say_that_it_does_not_start() {
    assert_eq!(stops(&game("id1/: maps/mine.bsp"), Engine::WinQuake, &[]), "");
    assert_eq!(stops(&game("mymod/: maps/mine.bsp; id1/: a.cfg"), Engine::DarkPlaces, &["mymod"]), "");
    let part = game("id1/: gfx.wad=x gfx/pop.lmp");
    assert!(
        stops(&part, Engine::WinQuake, &[]).contains("id1/gfx/palette.lmp: winquake stops with an error")
    );
}

/// An archive with so many rows whose directory has this CRC.
fn known(rows: usize, crc: u16) -> Vec<u8> {
    let names = (0..rows).map(|row| (if row == 0 { "gfx/pop.lmp".into() } else { format!("f{row}") }, ""));
    let mut pak = testutils::pack(Layout::Quake, names);
    // two bytes behind the name of the last row decide: each bit of them changes the CRC by its own pattern
    let at = pak.len() - 64 + 40;
    let with = |pak: &mut Vec<u8>, number: u16| {
        pak[at..at + 2].copy_from_slice(&number.to_le_bytes());
        directory_crc(&pak[12..])
    };
    let none = with(&mut pak, 0);
    let bits: Vec<u16> = (0..16).map(|bit| with(&mut pak, 1 << bit) ^ none).collect();
    let made =
        |number: u16| (0..16).filter(|bit| number >> bit & 1 == 1).fold(none, |made, bit| made ^ bits[bit]);
    let number = (0..=u16::MAX).find(|number| made(*number) == crc).unwrap();
    assert_eq!(with(&mut pak, number), crc);
    pak
}

/// The folders and the answers are those of Hammer of Thyrion's server.
#[test]
fn hexen2_refuses_mixed_old_and_repacked_editions() {
    let (retail, second, demo, old) =
        (known(696, 34289), known(523, 2995), known(797, 22780), known(697, 53062));
    let because = |files: &[(&str, &Vec<u8>)], games: &[&str]| {
        let folder = Folder::with(files.iter().map(|(name, bytes)| (*name, bytes)));
        folder.write("data1/a.cfg", "x");
        folder.write("mymod/a.cfg", "x");
        let stop = stops(&folder, Engine::Hexen2, games);
        stop.split_once("edition of the game: ").map_or(String::new(), |(_, because)| because.to_owned())
    };
    let (pak0, pak1) = ("data1/pak0.pak", "data1/pak1.pak");
    let mixed = "its archives are of different editions";
    assert_eq!(because(&[(pak0, &demo), (pak1, &second)], &[]), mixed);
    assert_eq!(because(&[(pak0, &old)], &[]), "the archives are older than version 1.11");
    let unknown = "pak0.pak and pak1.pak of data1 are not those of a known edition";
    assert_eq!(because(&[(pak0, &retail)], &[]), unknown);
    assert_eq!(because(&[(pak0, &known(5, 1))], &[]), unknown);
    assert_eq!(because(&[(pak0, &demo)], &["mymod"]), "only the full version plays other games");
    assert_eq!(because(&[(pak0, &demo)], &[]), "");
    let registered = "gfx/pop.lmp is missing or is not that of the retail version";
    assert_eq!(because(&[(pak0, &retail), (pak1, &second)], &[]), registered);
}
