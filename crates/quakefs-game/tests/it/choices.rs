//! Which base directory and which engine a folder gives: the rows of `testdata/choices.json`, which the
//! suites of all tongues read.

use std::sync::Arc;

use quakefs::camino::Utf8Path;
use quakefs::disk::MemoryDisk;
use quakefs_game::{BaseBecause, Choices, Game, Options, Surroundings};
use serde_json::Value;

/// A disk with the files of a row; an archive has one file.
fn disk(files: &Value) -> MemoryDisk {
    let disk = MemoryDisk::new();
    for file in files.as_array().unwrap() {
        let path = file.as_str().unwrap();
        let content = match path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()) {
            Some(extension) if extension == "pak" => {
                testutils::pack(quakefs::Layout::Quake, [("default.cfg", "bind")])
            }
            Some(extension) if extension == "pk3" => testutils::zip([("default.cfg", "bind")]),
            _ => b"content".to_vec(),
        };
        disk.insert(format!("./{path}"), content).unwrap();
    }
    disk
}

#[test]
fn a_folder_gives_the_same_engine_and_base_in_every_tongue() {
    let rows: Vec<Value> = serde_json::from_str(include_str!("../../../../testdata/choices.json")).unwrap();
    for row in rows {
        let surroundings =
            Surroundings { folder: Some(".".into()), ..Surroundings::of(Arc::new(disk(&row["files"]))) };
        let on = row["on"].as_str().map(|on| on.parse().unwrap());
        let options = Options { on, ..Options::default() };
        let choices = Choices::of(&options, &surroundings).unwrap();
        assert_eq!(choices.base.as_deref().map(Utf8Path::as_str), row["base"].as_str(), "{row}");
        assert_eq!(choices.rules.name, row["engine"].as_str().unwrap(), "{row}");
        assert_eq!(choices.engine_because.name(), row["because"].as_str().unwrap(), "{row}");
        let game = Game::open(&options, &surroundings);
        assert_eq!(game.is_err(), row["refused"] == true, "{row}: {game:?}");
        if let Ok(game) = game {
            let verdict = game.verdict();
            assert_eq!(verdict.verdict, row["verdict"].as_str().unwrap(), "{row}: {verdict}");
        }
    }
}

#[test]
fn a_named_base_directory_is_taken_exactly() {
    let row = serde_json::json!(["games/id1/pak0.pak"]);
    let surroundings = Surroundings { folder: Some(".".into()), ..Surroundings::of(Arc::new(disk(&row))) };
    let below = Choices::of(&Options::default(), &surroundings).unwrap();
    assert_eq!((below.base.unwrap().as_str(), below.base_because), ("games", BaseBecause::Below));
    let named = Options { bases: vec![".".into()], ..Options::default() };
    assert!(Game::open(&named, &surroundings).unwrap_err().is_no_game());
}

#[test]
fn a_folder_inside_the_game_is_not_the_base_directory() {
    let files = serde_json::json!(["id1/pak0.pak", "mymod/progs.dat"]);
    for (folder, game) in [("id1", None), ("mymod", Some("mymod"))] {
        let disk = Arc::new(disk(&files));
        let surroundings = Surroundings { folder: Some(folder.into()), ..Surroundings::of(disk) };
        let choices = Choices::of(&Options::default(), &surroundings).unwrap();
        assert_eq!((choices.base.unwrap().as_str(), choices.base_because), (".", BaseBecause::Above));
        assert_eq!(choices.game.as_deref(), game);
    }
}

#[test]
fn an_archive_of_the_caller_shows_its_engine() {
    let surroundings = Surroundings::of(Arc::new(MemoryDisk::new()));
    let of = |layout| Choices::with_archives(&Options::default(), &surroundings, &[layout]).unwrap();
    let name = |choices: Choices| choices.rules.name.to_string();
    assert_eq!(name(of(Some(quakefs::Layout::Sin))), "sin");
    assert_eq!(name(of(Some(quakefs::Layout::Quake))), "quakespasm");
    assert_eq!(name(of(None)), "quakespasm");
}
