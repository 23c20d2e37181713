//! How often the disk is asked, in games with many files and deep folders. Counts, because times differ
//! between computers.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use quakefs::disk::{Disk, Item, MemoryDisk, Opened, Overlay, Stat, on_host};
use quakefs::rules::Host;
use quakefs::why::{check, compare};
use quakefs::{Access, Builder, Engine, SearchPath};
use quakefs_extract::{ExtractPlan, fix};

/// A disk in memory that counts how often each folder is listed.
#[derive(Debug, Default)]
struct Counting {
    files: MemoryDisk,
    /// Whether a search for one name lists the folder, as on the system's disk.
    searches_by_listing: bool,
    listed: Mutex<HashMap<PathBuf, usize>>,
}

impl Disk for Counting {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        *self.listed.lock().unwrap().entry(folder.to_owned()).or_default() += 1;
        self.files.list(folder)
    }

    fn list_any_case(&self, folder: &Path, name: &[u8]) -> io::Result<Vec<Item>> {
        if self.searches_by_listing {
            self.list(folder)?;
        }
        self.files.list_any_case(folder, name)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.files.stat(path)
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        self.files.open(path, access)
    }

    fn system_path(&self, path: &Path) -> Option<quakefs::disk::SystemPath> {
        Some(quakefs::disk::SystemPath::File(path.to_owned()))
    }
}

impl Counting {
    fn with(searches_by_listing: bool, files: impl IntoIterator<Item = String>) -> Arc<Counting> {
        let disk = Counting { searches_by_listing, ..Counting::default() };
        for file in files {
            disk.files.insert(file, "echo").unwrap();
        }
        Arc::new(disk)
    }

    /// The most listings of one folder since the last call, and of all folders.
    fn take(&self) -> (usize, usize) {
        let listed = std::mem::take(&mut *self.listed.lock().unwrap());
        (listed.values().copied().max().unwrap_or_default(), listed.values().sum())
    }
}

type Work = fn(&SearchPath);

const WORK: [(&str, Work); 4] = [
    ("check", |quake| drop(check(quake))),
    ("extract", |quake| {
        let plan = ExtractPlan::new(quake.listed().files().map(quakefs::File::into_owned));
        for planned in plan.files() {
            assert_eq!(planned.file.read().unwrap(), "echo");
        }
        assert!(plan.files().len() >= 20);
    }),
    ("compare", |quake| {
        let other = quake.remount_with(|builder| builder.engine(Engine::WinQuake).host(Host::Linux)).unwrap();
        drop(compare(&[quake.clone(), other], |_| true));
    }),
    ("fix", |quake| drop(fix(quake).unwrap())),
];

/// The work as on Windows: on that system's disk, with a download over the base directory, and with one over
/// a disk that ignores case by itself.
fn check_counts(
    what: &str,
    files: impl Fn(usize) -> Vec<String>,
    is_allowed: impl Fn((usize, usize), (usize, usize)) -> bool,
) {
    let counts = |number: usize| {
        let (game, download) = (files(number), Counting::with(false, files(number)));
        let in_game = |file: &String| format!("quake/{file}");
        let lower = Counting::with(true, game.iter().map(in_game));
        let ignoring = on_host(Counting::with(false, game.iter().map(in_game)), Host::Windows, ["quake"]);
        let over = |lower: Arc<dyn Disk>| Overlay::new(download.clone(), lower, "quake").unwrap();
        let builders: [(&str, Builder); 3] = [
            ("alone", SearchPath::builder("quake").disk(lower.clone())),
            ("over", SearchPath::builder("quake").disk(over(lower.clone()))),
            ("over a disk that ignores case", SearchPath::builder("quake").disk(over(ignoring))),
        ];
        let mut counts = Vec::new();
        for (way, builder) in builders {
            let quake = builder.host(Host::Windows).engine(Engine::QuakeSpasm).mount().unwrap();
            for (name, work) in WORK {
                lower.take();
                download.take();
                work(&quake);
                counts.push((format!("{what}: {name}, {way}"), lower.take(), download.take()));
            }
        }
        counts
    };
    for (few, many) in counts(20).into_iter().zip(counts(80)) {
        assert!(is_allowed(few.1, many.1) && is_allowed(few.2, many.2), "{few:?} {many:?}");
    }
}

#[test]
fn a_folder_is_listed_as_often_for_many_files_as_for_few() {
    let files = |number| (0..number).map(|file| format!("id1/Maps/{file}.ent")).collect();
    check_counts("many files", files, |few, many| many == few);
}

#[test]
fn listings_grow_with_the_depth_of_a_file_and_not_faster() {
    let files = |depth: usize| {
        let deep = format!("id1/{}a.cfg", "Deep/".repeat(depth));
        std::iter::once(deep).chain((0..60).map(|file| format!("id1/{file}.cfg"))).collect()
    };
    check_counts("deep", files, |few, many| many.1 <= 4 * few.1 + 8);
}
