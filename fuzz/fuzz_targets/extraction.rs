//! An extraction writes only below its folder, each path belongs to one file, and the written bytes equal the
//! entry.
#![no_main]

use std::collections::BTreeSet;
use std::num::NonZero;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Mutex;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use quakefs::{Archive, FileData};
use quakefs_extract::{Existing, ExtractOptions, ExtractPlan, ExtractSink, Outcome, PlannedFile};
use quakefs_fuzz::{DiskName, Image, pick};
use testutils::Folder;

#[derive(Arbitrary, Debug)]
struct Input {
    archives: Vec<Image>,
    /// The contents of the destination before.
    there: Vec<(DiskName, InTheWay)>,
    existing: u8,
    threads: Option<bool>,
}

#[derive(Arbitrary, Debug)]
enum InTheWay {
    File,
    Folder,
    LinkToFolder,
    LinkToFile,
    DanglingLink,
}

fuzz_target!(|input: Input| {
    let all = Folder::with([("outside/a", "a"), ("outside/d/b.cfg", "b"), ("to/keep", "")]);
    let to = all.join("to");
    for (DiskName(name), there) in &input.there {
        let path = to.join(name);
        // an existing file or folder may be in the way
        let _ = path.parent().map(std::fs::create_dir_all);
        let _ = match there {
            InTheWay::File => std::fs::write(path, "there"),
            InTheWay::Folder => std::fs::create_dir(path),
            InTheWay::LinkToFolder => symlink(all.join("outside"), path),
            InTheWay::LinkToFile => symlink(all.join("outside/a"), path),
            InTheWay::DanglingLink => symlink(all.join("outside/new"), path),
        };
    }
    let outside = all.tree("outside");

    let images = input.archives.iter().map(Image::to_bytes);
    let archives: Vec<_> = images.filter_map(|image| Archive::from_data(FileData::new(image)).ok()).collect();
    let files: Vec<_> = archives.iter().flat_map(|archive| archive.files("a.pak")).collect();
    let count = files.len();
    let plan = ExtractPlan::new(files);
    check_paths(&plan);
    assert_eq!(plan.files().len() + plan.without_path().len(), count);

    let existing = *pick(&[Existing::Refuse, Existing::Overwrite, Existing::Skip], input.existing);
    let threads = input.threads.and_then(|two| NonZero::new(1 + usize::from(two)));
    let options =
        ExtractOptions { existing, threads, max_folders: Some(u64::MAX), ..ExtractOptions::default() };
    let outcomes = Outcomes::default();
    let extracted = plan.write(&to, &options, &outcomes).unwrap();
    let outcomes = outcomes.0.into_inner().unwrap();
    assert_eq!(extracted.written + extracted.kept + extracted.failed, plan.files().len() as u64);
    assert_eq!(outcomes.len(), plan.files().len());

    assert_eq!(all.tree("outside"), outside);
    assert_eq!(all.names(""), ["outside", "to"]);
    for (path, expected) in outcomes {
        if let Some(expected) = expected {
            let path = to.as_std_path().join(Path::new(std::ffi::OsStr::from_bytes(&path)));
            assert!(path.symlink_metadata().unwrap().is_file());
            assert_eq!(std::fs::read(path).unwrap(), expected);
        }
    }
});

/// The path of each file, with its content if the file was written.
#[derive(Default)]
struct Outcomes(Mutex<Vec<(Vec<u8>, Option<Vec<u8>>)>>);

impl ExtractSink for Outcomes {
    fn file(&self, file: &PlannedFile, outcome: &Outcome) {
        let written = match outcome {
            Outcome::Written { .. } => Some(file.file.read().unwrap().to_vec()),
            _ => None,
        };
        self.0.lock().unwrap().push((file.path.as_bytes().to_vec(), written));
    }
}

/// Each path belongs to one file, is not the folder of another, and stays below the destination.
fn check_paths(plan: &ExtractPlan) {
    let paths: BTreeSet<&[u8]> = plan.files().iter().map(|planned| planned.path.as_bytes()).collect();
    assert_eq!(paths.len(), plan.files().len());
    let mut folders = BTreeSet::new();
    for path in &paths {
        assert!(!path.split(|byte| *byte == b'/').any(|part| matches!(part, b"" | b"." | b"..")));
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        folders.extend(ends.map(|(end, _)| &path[..end]));
    }
    assert!(folders.is_disjoint(&paths));
    let fits = |folders| {
        let options = ExtractOptions {
            max_output: Some(u64::MAX),
            max_folders: Some(folders),
            ..ExtractOptions::default()
        };
        plan.check(&options).is_ok()
    };
    let count = folders.len() as u64;
    assert!(fits(count) && (count == 0 || !fits(count - 1)));
}
