//! An undo changes nothing outside of the folder of its journal, and loses no content that the journal does
//! not record.
#![no_main]

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use quakefs_extract::journal::{Journal, Step};
use quakefs_fuzz::{DiskName, Name};
use testutils::Folder;

#[derive(Arbitrary, Debug)]
struct Input {
    /// The contents of the folder before.
    there: Vec<(DiskName, There)>,
    place: bool,
    steps: Vec<AnyStep>,
    /// Text after the steps.
    rest: String,
}

#[derive(Arbitrary, Debug)]
enum There {
    File,
    Folder,
    LinkToFolder,
    LinkToFile,
}

#[derive(Arbitrary, Debug)]
enum AnyStep {
    Renamed(AnyPath, AnyPath),
    Wrote(AnyPath, bool),
    MadeFolder(AnyPath),
}

#[derive(Arbitrary, Debug)]
enum AnyPath {
    OnDisk(DiskName),
    Any(Name),
}

impl AnyPath {
    fn text(&self) -> String {
        match self {
            AnyPath::OnDisk(DiskName(name)) => name.clone(),
            AnyPath::Any(Name(name)) => String::from_utf8_lossy(name).into_owned(),
        }
    }
}

/// The content of each file, and its CRC-32.
const CONTENT: &str = "there";
const CRC: u32 = 0x5a2f_e996;

fuzz_target!(|input: Input| {
    let all = Folder::with([("outside/a", CONTENT), ("outside/d/b.cfg", CONTENT), ("quake/keep", "kept")]);
    let quake = all.join("quake");
    for (DiskName(name), there) in &input.there {
        let path = quake.join(name);
        // an existing file or folder may be in the way
        let _ = path.parent().map(std::fs::create_dir_all);
        let _ = match there {
            There::File => std::fs::write(path, CONTENT),
            There::Folder => std::fs::create_dir(path),
            There::LinkToFolder => symlink(all.join("outside"), path),
            There::LinkToFile => symlink(all.join("outside/a"), path),
        };
    }
    let command = if input.place { "place" } else { "fix" };
    let mut text = format!("{{\"journal\":\"{command}\",\"version\":1}}\n");
    for step in &input.steps {
        let quoted = |path: &AnyPath| format!("{:?}", path.text());
        text += &match step {
            AnyStep::Renamed(path, name) => {
                format!("{{\"step\":\"renamed\",\"path\":{},\"name\":{}}}\n", quoted(path), quoted(name))
            }
            AnyStep::Wrote(path, right) => {
                let crc = if *right { CRC } else { 0 };
                format!("{{\"step\":\"wrote\",\"path\":{},\"size\":5,\"crc\":{crc}}}\n", quoted(path))
            }
            AnyStep::MadeFolder(path) => {
                format!("{{\"step\":\"made-folder\",\"path\":{}}}\n", quoted(path))
            }
        };
    }
    let path = quake.join("j.jsonl");
    std::fs::write(&path, text + &input.rest).unwrap();
    let outside = all.tree("outside");
    let before = lines(&all);

    let Ok(journal) = Journal::open(&path) else { return };
    let complete = journal.undo(&mut |_, _| ()).unwrap();
    assert_eq!(complete, !path.exists());
    assert_eq!(all.tree("outside"), outside);
    assert_eq!(all.names(""), ["outside", "quake"]);
    assert!(all.join("quake/keep").is_file());
    let after = lines(&all);
    if command == "fix" {
        // names differ in case alone
        let in_capitals =
            |names: &BTreeSet<String>| names.iter().map(|name| name.to_uppercase()).collect::<Vec<_>>();
        let (mut before, mut after) = (in_capitals(&before), in_capitals(&after));
        before.sort();
        after.sort();
        assert_eq!(before, after);
        return;
    }
    let recorded: BTreeSet<&str> = journal.steps().iter().map(Step::path).collect();
    for lost in before.difference(&after) {
        let name = lost.split([':', ' ']).next().unwrap_or(lost);
        assert!(!lost.contains(" -> ") && recorded.contains(name.trim_end_matches('/')), "{lost}");
    }
});

/// The files, links and empty folders below the folder of the journal, without the journal.
fn lines(all: &Folder) -> BTreeSet<String> {
    all.tree("quake").lines().filter(|line| !line.starts_with("j.jsonl")).map(str::to_owned).collect()
}
