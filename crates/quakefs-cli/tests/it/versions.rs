//! Files that older versions wrote, in `testdata/versions`: they are read for ever. A new version of a format
//! adds files there and changes none.

use std::fs;
use std::time::{Duration, SystemTime};

use camino::Utf8Path;
use testutils::{Folder, testdata};

use crate::BINARY;

/// What the command prints, run in the folder.
fn run(folder: &Utf8Path, line: &str) -> String {
    let mut command = testutils::command(BINARY);
    let output = command.args(line.split(' ')).current_dir(folder).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{line}: {text}");
    text
}

fn old(name: &str) -> Vec<u8> {
    fs::read(testdata("versions").join(name)).unwrap()
}

#[test]
fn an_old_journal_of_a_download_is_undone() {
    let folder = Folder::with([("frogbot/readme.txt", "quake -game frogbot"), ("frogbot/progs.dat", "x")]);
    folder.write("quakefs-place-1.jsonl", old("place-1.jsonl"));
    run(folder.path(), "place --undo quakefs-place-1.jsonl");
    assert!(!folder.join("frogbot").exists() && !folder.join("quakefs-place-1.jsonl").exists());
}

#[test]
fn an_old_journal_of_renames_is_undone() {
    let folder = Folder::with([("id1/maps/start.bsp", "level"), ("id1/pak0.pak", "")]);
    folder.write("quakefs-fix-1.jsonl", old("fix-1.jsonl"));
    run(folder.path(), "fix --undo quakefs-fix-1.jsonl");
    let names = ["", "Id1", "Id1/Maps"].map(|name| folder.names(name).concat());
    assert_eq!(names, ["Id1", "MapsPAK0.PAK", "START.bsp"]);
}

#[test]
fn old_rules_answer_as_their_engine() {
    let which =
        |rules: &str| run(&testdata(""), &format!("{rules} --basedir game --game mymod which -a progs.dat"));
    assert_eq!(which("--rules versions/rules-1.toml"), which("--engine quakespasm"));
}

#[test]
fn an_old_catalog_is_continued() {
    let folder = Folder::new();
    for pak in ["pak0.pak", "pak1.pak"] {
        let path = format!("mods/{pak}");
        folder.write(&path, fs::read(testdata("game/mymod").join(pak)).unwrap());
        let file = fs::File::options().append(true).open(folder.join(&path)).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000)).unwrap();
    }
    for form in ["jsonl", "csv", "parquet"] {
        let name = format!("catalog-1.{form}");
        folder.write(&name, old(&name));
        let said = run(folder.path(), &format!("pak catalog mods -o {name} --hash crc32 --update"));
        assert!(said.contains("2 archives, 2 unchanged"), "{form}: {said}");
        assert_eq!(fs::read(folder.join(&name)).unwrap(), old(&name), "{form}");
    }
}
