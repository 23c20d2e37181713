//! Music, by the name or the number of a track.

use quakefs::disk::MemoryDisk;
use quakefs::rules::SubstituteKind;
use quakefs::{Engine, SearchPath};

/// The track that the engine plays: its layer and its name.
fn track(engine: Engine, game: Option<&str>, name: &str, files: &[&str]) -> String {
    let disk = MemoryDisk::new();
    let base = engine.rules().directories.base.iter().find(|base| *base != ".").unwrap();
    disk.insert(format!("/quake/{base}/default.cfg"), "").unwrap();
    for file in files {
        let (file, text) = file.split_once('=').unwrap_or((file, ""));
        disk.insert(format!("/quake/{file}"), text.replace('|', "\n")).unwrap();
    }
    let builder = SearchPath::builder("/quake").disk(disk).engine(engine);
    let builder = if let Some(game) = game { builder.game(game) } else { builder };
    let quake = builder.mount().unwrap();
    let found = quake.substitutes(SubstituteKind::Music, name, None).unwrap();
    let copy = found.first().and_then(|file| file.copies.first());
    copy.map_or_else(String::new, |copy| format!("{}{}", copy.file.layer().name(), copy.file.stored()))
}

#[test]
fn quake_ii_plays_tracks_from_folders_beside_the_search_path() {
    let gog = ["music/Track02.ogg", "music/Track08.ogg", "music/Track09.ogg"];
    for engine in [Engine::YQuake2, Engine::Q2Rtx] {
        assert_eq!(track(engine, None, "2", &gog), "music/Track02.ogg", "{engine}");
        // a mission has other tracks of GOG's
        let mission = ["music/Track15.ogg", "music/Track09.ogg", "music/Track02.ogg", "xatrix/x.cfg"];
        assert_eq!(track(engine, Some("xatrix"), "2", &mission), "music/Track09.ogg", "{engine}");
        // the highest folder with its sign serves all tracks
        let both = ["music/Track02.ogg", "music/Track08.ogg", "mod/music/02.ogg", "music/Track03.ogg"];
        assert_eq!(track(engine, Some("mod"), "2", &both), "mod/music/02.ogg", "{engine}");
        assert_eq!(track(engine, Some("mod"), "3", &both), "", "{engine}");
        // without a sign, a folder has no music
        assert_eq!(track(engine, None, "2", &["music/Track02.ogg"]), "", "{engine}");
    }
    assert_eq!(track(Engine::YQuake2, None, "own.ogg", &["baseq2/music/own.ogg"]), "baseq2/music/own.ogg");
}

#[test]
fn q2pro_plays_a_track_of_any_folder_and_kind() {
    let files = ["music/Track02.ogg", "mod/music/02.flac", "mod/music/03.mp3", "mod/x.cfg"];
    assert_eq!(track(Engine::Q2Pro, Some("mod"), "2", &files), "music/Track02.ogg");
    assert_eq!(track(Engine::Q2Pro, Some("mod"), "3", &files), "mod/music/03.mp3");
    assert_eq!(
        track(Engine::Q2Pro, None, "Theme.ogg", &["baseq2/music/theme.wav"]),
        "baseq2/music/theme.wav"
    );
}

#[test]
fn half_life_has_a_list_of_its_tracks() {
    let track = |name: &str, files: &[&str]| track(Engine::GoldSrc, None, name, files);
    assert_eq!(track("2", &["valve/media/Half-Life01.mp3"]), "valve/media/Half-Life01.mp3");
    assert_eq!(track("1", &["valve/media/Half-Life01.mp3"]), "");
    assert_eq!(track("200", &["valve/media/Half-Life01.mp3"]), "");
    let own = [
        "valve/media/cdaudio.txt=blank|own.ogg|/music/other",
        "valve/media/own.ogg",
        "valve/music/other.wav",
    ];
    assert_eq!(track("2", &own), "valve/media/own.ogg");
    assert_eq!(track("3", &own), "valve/music/other.wav");
    assert_eq!((track("1", &own), track("4", &own)), (String::new(), String::new()));
}

#[test]
fn each_engine_plays_its_own_kinds_of_files() {
    // Hexen II: the highest game, also for a MIDI
    let casa = ["data1/music/casa1.ogg", "portals/midi/casa1.mid"];
    assert_eq!(track(Engine::Hexen2, Some("portals"), "casa1", &casa), "portals/midi/casa1.mid");
    assert_eq!(track(Engine::Hexen2, None, "casa1", &casa), "data1/music/casa1.ogg");
    // JoeQuake: by number Ogg, by name MP3
    let both = ["id1/music/track02.mp3", "id1/music/track02.ogg"];
    assert_eq!(track(Engine::JoeQuake, None, "2", &both), "id1/music/track02.ogg");
    assert_eq!(track(Engine::JoeQuake, None, "track02", &both), "id1/music/track02.mp3");
    // QuakeSpasm: an unknown ending is no music
    assert_eq!(track(Engine::QuakeSpasm, None, "theme.txt", &["id1/music/theme.txt"]), "");
    assert_eq!(track(Engine::QuakeSpasm, None, "theme.MP3", &["id1/music/theme.MP3"]), "id1/music/theme.MP3");
    // Quake III's forks know other kinds
    let opus = ["baseq3/music/a.opus"];
    assert_eq!(track(Engine::IoQuake3, None, "music/a.wav", &opus), "baseq3/music/a.opus");
    assert_eq!(track(Engine::Quake3e, None, "music/a.wav", &opus), "");
    assert_eq!(track(Engine::IoQuake3, None, "music/a.mp3", &["baseq3/music/a.mp3"]), "");
    assert_eq!(track(Engine::EtLegacy, None, "music/a.wav", &["etmain/music/a.ogg"]), "");
    assert_eq!(track(Engine::EtLegacy, None, "music/a", &["etmain/music/a.ogg"]), "etmain/music/a.ogg");
    for engine in [Engine::EzQuake, Engine::Quake2] {
        assert_eq!(track(engine, None, "2", &[]), "", "{engine}");
    }
}
