//! Extraction: the plan, and the files written to a folder.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pak_format::{Builder, Layout, Source};
use quakefs::archive::{Files, Row};
use quakefs::disk::ArchiveDisk;
use quakefs::findings::NoPath;
use quakefs::{Archive, Error, ErrorKind, File, FileData, SearchPath};
use quakefs_extract::{Existing, ExtractOptions, ExtractPlan, ExtractSink, NotWritten, Outcome, PlannedFile};

/// An archive of any names, each with itself as its content.
struct OwnNames(Vec<Vec<u8>>);

impl Files for OwnNames {
    fn len(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap()
    }
    fn name(&self, file: u32) -> &[u8] {
        &self.0[file as usize]
    }
    fn row(&self, file: u32) -> Row {
        Row::stored(self.0[file as usize].len() as u64)
    }
    fn read(&self, file: u32) -> Result<FileData, Error> {
        Ok(FileData::from(self.0[file as usize].clone()))
    }
}

fn files_of(archive: &Archive) -> impl Iterator<Item = File<'static>> {
    archive.files("x.pak")
}

fn plan<N: AsRef<[u8]>>(names: impl IntoIterator<Item = N>) -> ExtractPlan {
    let names = names.into_iter().map(|name| name.as_ref().to_vec()).collect();
    ExtractPlan::new(files_of(&Archive::from(OwnNames(names))))
}

fn pak<C: AsRef<[u8]>>(files: impl IntoIterator<Item = (&'static str, C)>) -> Vec<u8> {
    testutils::pack(Layout::Quake, files)
}

/// The default options, but for files that are there already.
fn with(existing: Existing) -> ExtractOptions {
    ExtractOptions { existing, ..ExtractOptions::default() }
}

/// The planned and the rejected files, a line each.
fn shown(plan: &ExtractPlan) -> String {
    let mut out = String::new();
    for planned in plan.files() {
        let entry = planned.file.entry().unwrap();
        writeln!(out, "{} <- {entry}", planned.path).unwrap();
    }
    for without_path in plan.without_path() {
        writeln!(out, "{} not: {}", without_path.file.entry().unwrap(), without_path.because).unwrap();
    }
    out
}

/// Keeps the outcome of each path.
#[derive(Default)]
struct Outcomes(Mutex<BTreeMap<String, Outcome>>);

impl ExtractSink for Outcomes {
    fn file(&self, file: &PlannedFile, outcome: &Outcome) {
        let path = file.path.to_string();
        let before = self.0.lock().unwrap().insert(path, outcome.clone());
        assert!(before.is_none(), "an outcome comes once");
    }
}

fn outcomes(plan: &ExtractPlan, folder: &Path, options: &ExtractOptions) -> BTreeMap<String, Outcome> {
    let sink = Outcomes::default();
    let extracted = plan.write(folder, options, &sink).unwrap();
    let outcomes = sink.0.into_inner().unwrap();
    let count = |is: fn(&Outcome) -> bool| outcomes.values().filter(|outcome| is(outcome)).count() as u64;
    assert_eq!(extracted.written, count(|outcome| matches!(outcome, Outcome::Written { .. })));
    assert_eq!(extracted.kept, count(|outcome| matches!(outcome, Outcome::Kept)));
    assert_eq!(extracted.failed, count(|outcome| matches!(outcome, Outcome::Failed(_))));
    outcomes
}

/// The outcomes, a line each.
fn lines(plan: &ExtractPlan, folder: &Path, options: &ExtractOptions) -> Vec<String> {
    let line = |(path, outcome)| match outcome {
        Outcome::Written { bytes, .. } => format!("{path}: written, {bytes}"),
        Outcome::Failed(why) => format!("{path}: failed: {why}"),
        other => format!("{path}: {other:?}"),
    };
    outcomes(plan, folder, options).into_iter().map(line).collect()
}

/// All files in a folder and below.
fn tree(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            found.extend(tree(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

#[test]
fn each_path_belongs_to_one_file() {
    const FOLDER: &str = "makes the path both a file and a folder";
    for (names, expected) in [
        (&["b", "a/c", "a/b", "a.b"][..], "a.b <- 3\na/b <- 2\na/c <- 1\nb <- 0\n".to_owned()),
        (&["a", "a"], "a <- 0\n1 not: x.pak: entry 0 (a) has the same path\n".to_owned()),
        // the name that is the path comes before one that becomes it
        (&["./a", "a"], "a <- 1\n0 not: x.pak: entry 1 (a) has the same path\n".to_owned()),
        (&["./a", ".//a"], "a <- 0\n1 not: x.pak: entry 0 (./a) has the same path\n".to_owned()),
        (&["a/b", "a", "a/c"], format!("a/b <- 0\na/c <- 2\n1 not: x.pak: entry 0 (a/b) {FOLDER}\n")),
        (
            &["a/b/d", "a/b", "a/b/c"],
            format!("a/b/c <- 2\na/b/d <- 0\n1 not: x.pak: entry 0 (a/b/d) {FOLDER}\n"),
        ),
        (&["a", "a/b/c"], format!("a <- 0\n1 not: x.pak: entry 0 (a) {FOLDER}\n")),
        (&[], String::new()),
    ] {
        assert_eq!(shown(&plan(names)), expected, "{names:?}");
    }
}

#[test]
fn a_name_that_could_leave_the_folder_gives_no_path() {
    let names = ["../a", "/etc/passwd", "a/../../b", "C:x", "a\\b", "a\nb", "nul", "", ".", "a/", ".. /x"];
    let plan = plan(names);
    assert_eq!((plan.files().len(), plan.without_path().len()), (0, names.len()));
    assert!(plan.without_path().iter().all(|file| matches!(file.because, NoPath::Name(_))));
}

#[test]
fn a_plan_for_another_disk_replaces_no_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(["maps/a", "maps/A", "b"]);
    let ignores_case = atomic_file::ignores_case(folder.path()).unwrap();
    for existing in [Existing::Overwrite, Existing::Skip] {
        let options = with(existing);
        let failed =
            lines(&plan, folder.path(), &options).iter().filter(|line| line.contains("ignores case")).count();
        assert_eq!(failed, usize::from(ignores_case));
    }
}

#[test]
fn a_path_longer_than_systems_open_is_left_out() {
    let plan = plan([vec![b'a'; 1023], [b"d/".repeat(511), b"xx".to_vec()].concat()]);
    assert_eq!(plan.files().len(), 1);
    assert_eq!(plan.without_path()[0].because, NoPath::LongPath { found: 1024, most: 1023 });
}

#[test]
fn a_plan_counts_bytes_sources_and_folders_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("loose.cfg"), "12345").unwrap();
    let pak = pak([("a/b/one", "111"), ("a/b/two", "22"), ("a/c/three", "3")]);
    let size = pak.len() as u64;
    let quake = quakefs::Builder::new().folder(folder.path()).memory("x.pak", pak).mount().unwrap();
    let plan = ExtractPlan::new(quake.files().map(File::into_owned));
    let claims = |max_output, max_folders| {
        let options = ExtractOptions { max_output, max_folders, ..ExtractOptions::default() };
        plan.check(&options).unwrap_err().kind().clone()
    };
    let bytes = ErrorKind::TooManyBytes { claimed: 3 + 2 + 1 + 5, most: 0, source_size: size + 5 };
    assert_eq!(claims(Some(0), None), bytes);
    let folders = ErrorKind::TooManyFolders { claimed: 3, most: 0, files: 4 };
    assert_eq!(claims(None, Some(0)), folders);
}

#[test]
fn an_unreadable_entry_claims_nothing_and_only_it_fails() {
    let mut pak = pak([("a", "1"), ("b", "22")]);
    let end = pak.len();
    pak[end - 4..].copy_from_slice(&u32::MAX.to_le_bytes());
    let archive = Archive::from_data(FileData::from(pak)).unwrap();
    let plan = ExtractPlan::new(files_of(&archive));
    assert_eq!(plan.files().len(), 2);
    let most = |bytes| ExtractOptions { max_output: Some(bytes), ..ExtractOptions::default() };
    assert!(plan.check(&most(1)).is_ok() && plan.check(&most(0)).is_err());

    let folder = tempfile::tempdir().unwrap();
    let lines = lines(&plan, folder.path(), &ExtractOptions::default());
    assert_eq!(lines[0], "a: written, 1");
    assert!(lines[1].starts_with("b: failed: x.pak: entry 1 (b): "), "{lines:?}");
    assert_eq!(tree(folder.path()).len(), 1);
}

#[test]
fn claims_above_the_limits_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    let three = plan(["a", "bb"]);
    let error = three
        .write(&target, &ExtractOptions { max_output: Some(2), ..ExtractOptions::default() }, &())
        .unwrap_err();
    let expected = ErrorKind::TooManyBytes { claimed: 3, most: 2, source_size: 0 };
    assert_eq!(error.kind(), &expected);
    let three_bytes = ExtractOptions { max_output: Some(3), ..ExtractOptions::default() };
    assert!(three.check(&three_bytes).is_ok() && three.check(&ExtractOptions::default()).is_ok());

    // names that fit the 56 bytes of a PACK's rows
    let many = plan((0..100).map(|file| format!("{file:02}/{}x", "a/".repeat(26))));
    let error = many.write(&target, &ExtractOptions::default(), &()).unwrap_err();
    let expected = ErrorKind::TooManyFolders { claimed: 2700, most: 1000, files: 100 };
    assert_eq!(error.kind(), &expected);
    let text = "nothing was written: the extraction would create 2700 folders; the limit is 1000";
    assert_eq!(error.to_string(), text);
    assert!(!target.exists());
    assert_eq!(
        many.write(&target, &ExtractOptions { max_folders: Some(2700), ..ExtractOptions::default() }, &())
            .unwrap()
            .written,
        100
    );
}

#[test]
fn a_plan_extracts_into_memory() {
    let plan = plan(["./maps//start.bsp", "b"]);
    let files: HashMap<&[u8], FileData> =
        plan.files().iter().map(|planned| (planned.path.as_bytes(), planned.file.read().unwrap())).collect();
    assert_eq!(files[&b"maps/start.bsp"[..]], "./maps//start.bsp");
}

#[test]
fn files_of_every_layer_are_written_with_their_content() {
    let source = tempfile::tempdir().unwrap();
    fs::create_dir(source.path().join("sound")).unwrap();
    let large = b"0123456789abcdef".repeat(1 << 19);
    fs::write(source.path().join("sound/large.wav"), &large).unwrap();
    let pak = pak([("maps/large.bsp", &*large), ("empty", b"")]);
    let quake = quakefs::Builder::new().folder(source.path()).memory("x.pak", pak).mount().unwrap();
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().join("new/folder");
    let plan = ExtractPlan::new(quake.files().map(File::into_owned));
    let extracted = plan.write(&folder, &ExtractOptions::default(), &()).unwrap();
    assert_eq!((extracted.written, extracted.bytes), (3, 2 * large.len() as u64));
    assert!(fs::read(folder.join("sound/large.wav")).unwrap() == large);
    assert!(fs::read(folder.join("maps/large.bsp")).unwrap() == large);
    assert_eq!(tree(&folder).len(), 3);
}

#[test]
fn an_existing_file_is_refused_kept_or_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(["dir", "new", "old"]);
    for (existing, old, content) in [
        (Existing::Refuse, "failed: the file exists already", "before"),
        (Existing::Skip, "Kept", "before"),
        (Existing::Overwrite, "written, 3", "old"),
    ] {
        let root = folder.path().join(format!("{existing:?}"));
        fs::create_dir_all(root.join("dir")).unwrap();
        fs::write(root.join("old"), "before").unwrap();
        let lines = lines(&plan, &root, &with(existing));
        let old = format!("old: {old}");
        assert_eq!(lines, ["dir: failed: the path is a folder", "new: written, 3", &old]);
        assert_eq!(fs::read_to_string(root.join("old")).unwrap(), content);
        assert_eq!(tree(&root).len(), 2, "no temporary stays");
    }
}

#[test]
fn a_file_in_the_place_of_a_folder_stays() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a"), "before").unwrap();
    let options = with(Existing::Overwrite);
    let lines = lines(&plan(["a/b/c", "d"]), folder.path(), &options);
    assert_eq!(lines, ["a/b/c: failed: a is not a folder", "d: written, 1"]);
    assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), "before");
}

#[cfg(unix)]
#[test]
fn links_below_the_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(outside.path().join("secret"), "before").unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    symlink(outside.path(), folder.path().join("dir")).unwrap();
    symlink("../dir", folder.path().join("in/dir")).unwrap();
    symlink(outside.path().join("secret"), folder.path().join("file")).unwrap();
    symlink(outside.path().join("nothing"), folder.path().join("dangling")).unwrap();
    let plan = plan(["dangling", "dir/secret", "file", "in/dir/x"]);
    let dir = "dir/secret: failed: dir is a symbolic link, which is not followed";
    let in_dir = "in/dir/x: failed: in/dir is a symbolic link, which is not followed";

    let dangling = "dangling: failed: the file exists already";
    let file = "file: failed: the file exists already";
    assert_eq!(lines(&plan, folder.path(), &ExtractOptions::default()), [dangling, dir, file, in_dir]);
    let kept = lines(&plan, folder.path(), &with(Existing::Skip));
    let lost = "dangling: failed: dangling is a symbolic link, which is not followed";
    assert_eq!(kept, [lost, dir, "file: Kept", in_dir]);

    let options = with(Existing::Overwrite);
    let replaced = lines(&plan, folder.path(), &options);
    assert_eq!(replaced, ["dangling: written, 8", dir, "file: written, 4", in_dir]);
    assert!(folder.path().join("file").symlink_metadata().unwrap().is_file());
    assert_eq!(tree(outside.path()), [outside.path().join("secret")]);
    assert_eq!(fs::read_to_string(outside.path().join("secret")).unwrap(), "before");
}

#[cfg(unix)]
#[test]
fn the_destination_itself_may_be_a_link() {
    let (folder, real) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(real.path(), &link).unwrap();
    assert_eq!(plan(["a/b"]).write(&link, &ExtractOptions::default(), &()).unwrap().written, 1);
    assert_eq!(tree(real.path()), [real.path().join("a/b")]);
}

/// Does work while another program swaps the folder `a` for a link to `outside`, and back, as fast as it can.
#[cfg(unix)]
pub(crate) fn while_swapped<T>(folder: &Path, outside: &Path, work: impl FnOnce() -> T) -> T {
    let (a, aside) = (folder.join("a"), folder.join("aside"));
    let link = folder.join("link");
    std::os::unix::fs::symlink(outside, &link).unwrap();
    let (done, swaps) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                fs::rename(&a, &aside).unwrap();
                // fails if the work has created the folder again in between
                let linked = fs::rename(&link, &a).is_ok();
                std::thread::yield_now();
                if linked {
                    fs::rename(&a, &link).unwrap();
                    swaps.fetch_add(1, Ordering::Relaxed);
                }
                if fs::rename(&aside, &a).is_err() {
                    // the work may write into it meanwhile
                    while aside.exists() && fs::remove_dir_all(&aside).is_err() {}
                }
            }
        });
        while swaps.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
        let _done = Done(&done);
        work()
    })
}

/// Ends the swapping, also if the work panics.
struct Done<'d>(&'d AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(unix)]
#[test]
fn a_folder_replaced_by_a_link_does_not_lead_out() {
    const ROUNDS: usize = 60;
    const FILES: usize = 400;
    let plan = plan((0..FILES).map(|file| format!("a/b/{file:03}")));
    for round in 0..ROUNDS {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir_all(outside.path().join("b")).unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        let options = ExtractOptions { threads: NonZero::new(1 + round % 3), ..with(Existing::Overwrite) };
        let write = || plan.write(folder.path(), &options, &());
        let extracted = while_swapped(folder.path(), outside.path(), write).unwrap();
        assert_eq!(extracted.written + extracted.failed, FILES as u64);
        assert_eq!(tree(outside.path()).len(), 0, "round {round}");
    }
}

#[test]
fn an_archive_is_not_replaced_by_its_own_entry() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pak");
    let before = pak([("x.pak", "not a pak"), ("y.pak", "y")]);
    fs::write(&path, &before).unwrap();
    let archive = Archive::open(&path).unwrap();
    let plan = ExtractPlan::new(files_of(&archive));
    let options = with(Existing::Overwrite);
    let refused = format!("x.pak: failed: {} is an archive that these files come from", path.display());
    assert_eq!(lines(&plan, folder.path(), &options), [refused.as_str(), "y.pak: written, 1"]);
    assert_eq!(fs::read(&path).unwrap(), before);

    // the same archive by other names
    #[cfg(unix)]
    {
        let other = folder.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::hard_link(&path, other.join("x.pak")).unwrap();
        std::os::unix::fs::symlink(&path, other.join("y.pak")).unwrap();
        assert_eq!(plan.write(&other, &options, &()).unwrap().failed, 2);
    }
}

#[test]
fn a_sink_stops_the_extraction_between_two_files() {
    struct Stop(AtomicUsize);
    impl ExtractSink for Stop {
        fn file(&self, _: &PlannedFile, _: &Outcome) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
        fn go_on(&self) -> bool {
            self.0.load(Ordering::Relaxed) < 100
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let plan = plan((0..1000).map(|file| format!("{file:04}")));
    let extracted =
        plan.write(folder.path(), &ExtractOptions::default(), &Stop(AtomicUsize::new(0))).unwrap();
    assert!(extracted.stopped && (100..1000).contains(&extracted.written), "{extracted:?}");
    let found = tree(folder.path());
    assert_eq!(found.len() as u64, extracted.written);
    assert!(found.iter().all(|path| fs::read(path).unwrap().len() == 4), "each file is whole");

    let rest = plan.write(folder.path(), &with(Existing::Skip), &()).unwrap();
    assert_eq!((rest.kept, rest.written), (extracted.written, 1000 - extracted.written));
    assert!(!rest.stopped);
}

#[test]
fn a_sink_stops_the_extraction_within_a_large_file() {
    struct Stop(AtomicUsize);
    impl ExtractSink for Stop {
        fn go_on(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed) < 3
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let zip = testutils::zip_deflated([("large", vec![7; 8 << 20])]);
    let archive = Archive::from_data(zip.into()).unwrap();
    let plan = ExtractPlan::new(archive.files("a.pk3"));
    let extracted =
        plan.write(folder.path(), &ExtractOptions::default(), &Stop(AtomicUsize::new(0))).unwrap();
    assert!(extracted.stopped, "{extracted:?}");
    assert_eq!((extracted.written, extracted.failed), (0, 0));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_destination_that_is_a_file_is_an_error_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = plan(["a"]).write(&file, &ExtractOptions::default(), &()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io { .. }));
    assert_eq!(error.path().unwrap().as_std_path(), file);
}

#[test]
fn a_write_that_the_system_refuses_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let long = format!("a/{}", "x".repeat(300));
    let mut outcomes = outcomes(&plan([&long]), folder.path(), &ExtractOptions::default());
    let Some(Outcome::Failed(NotWritten::Write(error))) = outcomes.remove(&long) else {
        panic!("another outcome")
    };
    assert_eq!(error.path().unwrap().as_std_path(), folder.path().join(long));
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf8_is_written_as_its_bytes() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    plan([b"caf\xe9"]).write(folder.path(), &ExtractOptions::default(), &()).unwrap();
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    assert_eq!(fs::read(path).unwrap(), b"caf\xe9");
}

#[test]
fn thousands_of_files_are_written() {
    let count = testutils::scaled(2_000_u32, 20_000);
    let folder = tempfile::tempdir().unwrap();
    let mut pak = Builder::new(Layout::Quake);
    for file in 0..count {
        let name = format!("d{}/e{}/{file}", file % 20, file % 7);
        pak.push(&name, Source::bytes(file.to_le_bytes()));
    }
    let archive = Archive::from_data(FileData::from(pak.finish().unwrap())).unwrap();
    let plan = ExtractPlan::new(files_of(&archive));
    assert_eq!(plan.files().len(), count as usize);
    let extracted = plan.write(folder.path(), &ExtractOptions::default(), &()).unwrap();
    assert_eq!(
        (extracted.written, extracted.bytes, extracted.failed),
        (u64::from(count), 4 * u64::from(count), 0)
    );
    assert_eq!(tree(folder.path()).len(), count as usize);
    let file = count - 661;
    let path = format!("d{}/e{}/{file}", file % 20, file % 7);
    assert_eq!(fs::read(folder.path().join(path)).unwrap(), file.to_le_bytes());
}

#[cfg(unix)]
#[test]
fn a_file_that_another_writer_has_is_not_replaced_and_costs_the_others_nothing() {
    let folder = testutils::game("id1/pak0.pak: a.cfg b.cfg");
    folder.write("out/a.cfg", "being written");
    let search_path = SearchPath::builder(folder.path()).mount().unwrap();
    let plan = ExtractPlan::new(search_path.files().map(File::into_owned));
    let lock = atomic_file::Lock::exclusive(folder.join("out/a.cfg")).unwrap();
    let options = with(Existing::Overwrite);
    let extract = || plan.write(folder.join("out"), &options, &()).unwrap().written;
    assert_eq!(extract(), 1);
    assert_eq!(folder.tree("out"), "a.cfg: being written\nb.cfg: id1/pak0.pak:1\n");
    drop(lock);
    assert_eq!(extract(), 2);
    assert_eq!(folder.tree("out"), "a.cfg: id1/pak0.pak:0\nb.cfg: id1/pak0.pak:1\n");
}

#[test]
fn all_entries_of_an_archive_are_extracted() {
    let files = [("maps/a.bsp", "level"), ("gfx/b.tga", "picture"), ("nul", "nowhere")];
    for bytes in [pak(files), testutils::zip_deflated(files)] {
        let archive = Archive::from_data(FileData::from(bytes)).unwrap();
        let folder = testutils::Folder::new();
        let plan = ExtractPlan::for_folder(folder.join("out"), archive.files("a.pak"));
        let extracted = plan.write(folder.join("out"), &ExtractOptions::default(), &()).unwrap();
        assert_eq!((extracted.written, plan.without_path().len()), (2, 1));
        assert_eq!(std::fs::read(folder.join("out/maps/a.bsp")).unwrap(), b"level");
    }
}

#[test]
fn an_archive_over_the_game_is_extracted_like_a_folder() {
    let files = [("mod/autoexec.cfg", "first"), ("mod/autoexec.cfg", "second"), ("readme.txt", "")];
    let archive = Archive::from_data(testutils::zip_deflated(files).into()).unwrap();
    let quake =
        SearchPath::builder(".").disk(ArchiveDisk::new(archive, "mod.zip")).game("mod").mount().unwrap();
    let out = testutils::Folder::new();
    let plan = ExtractPlan::new(quake.files().map(quakefs::File::into_owned));
    plan.write(out.join("out"), &ExtractOptions::default(), &()).unwrap();
    assert_eq!(fs::read(out.join("out/autoexec.cfg")).unwrap(), b"second");
}
