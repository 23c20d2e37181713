//! Attacks by downloads, and by what lies where a download goes.

use std::fs;

use quakefs_cli::Exit;
use testutils::raw_zip::{self, deflated, stored};
use testutils::{Folder, zip};

use crate::Commands as _;
use crate::place::scene;

const PLACE: &str = "--basedir [DIR]/quake place --write";

#[test]
fn files_whose_names_cannot_be_written_are_named_and_fail() {
    let folder = scene();
    let long = format!("pd/maps/{}.bsp", "x".repeat(260));
    let names: [&[u8]; 4] = [b"pd/progs.dat", b"pd/gr\x84\xe1e.txt", b"pd/../../out.txt", long.as_bytes()];
    folder.write("dos.zip", raw_zip::zip(&names.map(|name| stored(name, "x"))));
    let answer = folder.run(&format!("{PLACE} [DIR]/dos.zip"));
    assert_eq!(answer.exit, Exit::Failed, "{}", answer.err());
    assert!(answer.err().contains(r"pd/gr\x84\xE1e.txt: not placed"), "{}", answer.err());
    assert!(answer.err().contains("nor 2 other files"), "{}", answer.err());
    assert_eq!(folder.names("quake/pd"), ["progs.dat"]);
}

#[test]
fn a_file_named_like_a_temporary_one_is_not_written_because_a_later_command_would_remove_it() {
    let folder = scene();
    folder.write("own.zip", zip([("pd/progs.dat", "x"), ("pd/maps/.quakefs-x.tmp", "x")]));
    let answer = folder.run(&format!("{PLACE} [DIR]/own.zip"));
    assert_eq!(answer.exit, Exit::Failed, "{}", answer.err());
    assert!(answer.err().contains("pd/maps/.quakefs-x.tmp: not placed"), "{}", answer.err());
    let answer = folder.run("pak extract [DIR]/own.zip -o [DIR]/out");
    assert_eq!(answer.exit, Exit::Failed, "{}", answer.err());
    assert!(answer.err().contains("a temporary file of quakefs"), "{}", answer.err());
    assert_eq!(folder.names("out/pd"), ["progs.dat"]);
}

#[test]
fn files_that_differ_in_case_and_hidden_files_are_all_placed_or_named() {
    let folder = scene();
    let ignores_case = folder.join("QUAKE").is_dir();
    let names = ["pd/A.cfg", "pd/a.cfg", "pd/.hidden/b.cfg", "pd/progs.dat"];
    folder.write("case.zip", zip(names.map(|name| (name, "x"))));
    let answer = folder.run(&format!("{PLACE} [DIR]/case.zip"));
    if ignores_case {
        assert_eq!(answer.exit, Exit::Failed, "{}", answer.err());
        assert!(answer.err().contains("pd/a.cfg: not written"), "{}", answer.err());
        assert_eq!(folder.names("quake/pd"), [".hidden", "A.cfg", "progs.dat"]);
    } else {
        assert_eq!(answer.exit, Exit::Done, "{}", answer.err());
        assert_eq!(folder.names("quake/pd"), [".hidden", "A.cfg", "a.cfg", "progs.dat"]);
    }
}

#[test]
fn a_file_that_cannot_be_read_is_not_written_without_a_journal() {
    let folder = scene();
    let damaged = deflated("pd/maps/a.bsp", b"no stream", "x");
    folder.write("bad.zip", raw_zip::zip(&[stored("pd/progs.dat", "x"), damaged]));
    let before = folder.tree("quake");
    let answer = folder.run(&format!("{PLACE} [DIR]/bad.zip"));
    assert_eq!(answer.exit, Exit::Failed, "{}", answer.err());
    assert!(answer.err().contains("pd/maps/a.bsp"), "{}", answer.err());
    assert_eq!(folder.tree("quake"), before);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_no_file_of_the_download() {
    let folder = scene();
    fs::create_dir(folder.join("quake/pd")).unwrap();
    std::os::unix::fs::symlink(folder.join("nowhere"), folder.join("quake/pd/progs.dat")).unwrap();
    let answer = folder.run(&format!("{PLACE} [DIR]/pd.zip"));
    assert_eq!(answer.exit, Exit::Failed, "{}", answer.err());
    assert!(answer.err().contains("pd/progs.dat"), "{}", answer.err());
    assert!(!folder.join("nowhere").exists());
}

#[cfg(unix)]
#[test]
fn no_journal_is_written_through_a_link() {
    let folder = scene();
    let link = folder.join("quake/quakefs-place-1.jsonl");
    std::os::unix::fs::symlink(folder.join("outside.jsonl"), &link).unwrap();
    assert_eq!(folder.run(&format!("{PLACE} [DIR]/pd.zip")).exit, Exit::Done);
    assert!(!folder.join("outside.jsonl").exists());
    assert!(folder.join("quake/quakefs-place-2.jsonl").is_file());
}

#[cfg(unix)]
#[test]
fn links_in_a_folder_are_not_followed_into_the_game() {
    let folder = scene();
    folder.write("secret/id_rsa", "mine");
    folder.write("mod/pd/progs.dat", "x");
    std::os::unix::fs::symlink(folder.join("secret/id_rsa"), folder.join("mod/pd/notes.txt")).unwrap();
    std::os::unix::fs::symlink(folder.join("secret"), folder.join("mod/pd/maps")).unwrap();
    let answer = folder.run(&format!("{PLACE} [DIR]/mod"));
    assert_eq!(answer.exit, Exit::Failed, "{}", answer.err());
    assert!(answer.err().contains("pd/maps") && answer.err().contains("1 other file"), "{}", answer.err());
    assert_eq!(folder.names("quake/pd"), ["progs.dat"]);
}

/// Its undo would remove id1/pak0.pak, whose size and CRC everybody knows.
#[test]
fn a_journal_in_a_download_is_not_placed() {
    let folder = scene();
    let journal = "{\"journal\":\"place\",\"version\":1}\n";
    folder.write("evil.zip", zip([("id1/quakefs-place-1.jsonl", journal), ("id1/maps/a.ent", "x")]));
    let answer = folder.run(&format!("{PLACE} [DIR]/evil.zip"));
    assert_eq!(answer.exit, Exit::Failed, "{}", answer.err());
    assert!(answer.err().contains("id1/quakefs-place-1.jsonl"), "{}", answer.err());
    assert_eq!(folder.names("quake/id1"), ["maps", "pak0.pak"]);
}

#[test]
fn an_undo_keeps_a_file_that_another_download_has_too() {
    let folder = scene();
    let start = folder.tree("quake");
    folder.write("one.zip", zip([("pd/progs.dat", "same"), ("pd/one.cfg", "1")]));
    folder.write("two.zip", zip([("pd/progs.dat", "same"), ("pd/two.cfg", "2")]));
    folder.write("three.zip", zip([("pd/progs.dat", "same")]));
    for download in ["one", "two", "three", "three", "one"] {
        assert_eq!(folder.run(&format!("{PLACE} [DIR]/{download}.zip")).exit, Exit::Done);
    }
    let journals = |folder: &Folder| {
        folder.names("quake").into_iter().filter(|name| name.starts_with("quakefs")).collect::<Vec<_>>()
    };
    assert_eq!(journals(&folder).len(), 3, "the same download twice needs no second journal");
    let undo = |number: u8| folder.run(&format!("place --undo [DIR]/quake/quakefs-place-{number}.jsonl"));
    let answer = undo(1);
    assert_eq!(answer.exit, Exit::NotFound, "{}", answer.out());
    assert!(answer.out().contains("needs it: undo that one first"), "{}", answer.out());
    assert_eq!(folder.names("quake/pd"), ["progs.dat", "two.cfg"]);
    assert_eq!(undo(2).exit, Exit::Done);
    assert_eq!(undo(1).exit, Exit::NotFound);
    assert_eq!(undo(3).exit, Exit::Done);
    assert_eq!(undo(1).exit, Exit::Done);
    assert_eq!(folder.tree("quake"), start);
}
