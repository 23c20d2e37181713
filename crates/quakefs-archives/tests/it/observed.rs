//! Work on many archives that is followed, and that is stopped.

use std::fs;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use quakefs::archive::OpenOptions;
use quakefs::{Access, Layout};
use quakefs_archives::{
    Budgeted, Catalog, CatalogError, CatalogFormat, Catalogued, Collection, DigestKind, DigestOptions,
    ExistingCatalog, Sums,
};
use testutils::{Folder, pack, zip_deflated};

/// Nine archives of both kinds.
fn archives() -> Folder {
    let folder = Folder::new();
    for number in 0..9_u8 {
        let files = [("progs.dat", vec![number % 2; 5000]), ("own", vec![number; 100])];
        match number % 3 {
            0 => folder.write(&format!("{number}.pk3"), zip_deflated(files)),
            _ => folder.write(&format!("{number}.pak"), pack(Layout::Quake, files)),
        }
    }
    folder
}

/// The collection of a folder whose work is stopped at a call, and how many calls there were.
fn stopped_at(call: u64, folder: &Folder) -> (Collection, Arc<AtomicU64>) {
    let calls = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&calls);
    let collection = Collection::search([folder.path()]).observed_by(move |_, _| {
        let goes_on = counted.fetch_add(1, Ordering::Relaxed) < call;
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    (collection, calls)
}

type Work = fn(&Collection) -> u64;

/// How many archives each kind of work has done.
const WORK: [(&str, Work); 6] = [
    ("each", |collection| {
        let mut done = 0;
        let options = OpenOptions::new().access(Access::Read);
        let Ok(()) = collection.each(
            &options,
            |_, archive| archive.map(|archive| archive.entries().len()),
            |read| {
                assert_eq!(read.unwrap(), 2);
                done += 1;
                Ok::<(), std::convert::Infallible>(())
            },
        );
        done
    }),
    ("verify", |collection| {
        let mut done = 0;
        let Ok(()) = collection.each_within(
            &OpenOptions::new().access(Access::Read),
            None,
            |archive| (0..archive.entries().len()).collect(),
            |path, budgeted| {
                budgeted.map(|Budgeted { archive, budget, .. }| archive.verify(path.as_str(), Some(budget)))
            },
            |findings| {
                assert!(findings.unwrap().is_empty());
                done += 1;
                Ok::<(), std::convert::Infallible>(())
            },
        );
        done
    }),
    ("digests", |collection| {
        let mut done = 0;
        let Ok(()) = collection.each_digested(
            &DigestOptions::default(),
            |archive| (0..archive.entries().len()).collect(),
            |_, digested| digested,
            |digested| {
                let digested = digested.unwrap();
                assert!(digested.entries.iter().all(|(_, digest)| digest.is_ok()));
                done += 1;
                Ok::<(), std::convert::Infallible>(())
            },
        );
        done
    }),
    ("duplicates", |collection| {
        let found = collection.duplicates(&DigestOptions::default());
        assert!(found.faults.is_empty(), "{:?}", found.faults);
        found.archives
    }),
    ("differing", |collection| {
        let found = collection.differing(&DigestOptions::default());
        assert!(found.faults.is_empty(), "{:?}", found.faults);
        found.archives
    }),
    ("catalog", |collection| {
        let Catalogued { archives, faults, faulty, .. } =
            Catalog::default().write(collection, &mut Vec::new()).unwrap();
        assert_eq!((faults.len(), faulty), (0, 0));
        archives
    }),
];

#[test]
fn all_is_reported_once_and_no_more() {
    let folder = archives();
    let size: u64 =
        folder.path().read_dir().unwrap().map(|file| file.unwrap().metadata().unwrap().len()).sum();
    for (name, work) in WORK {
        let reports = Arc::new(Mutex::new(Vec::new()));
        let reported = Arc::clone(&reports);
        let collection = Collection::search([folder.path()]).observed_by(move |done, all| {
            reported.lock().unwrap().push((done, all));
            ControlFlow::Continue(())
        });
        assert_eq!((work(&collection), collection.is_stopped()), (9, false), "{name}");
        let reports = reports.lock().unwrap();
        assert!(reports.iter().all(|(done, all)| done <= all), "{name}: {reports:?}");
        assert!(reports.contains(&(size, size)), "{name}: {reports:?}");
        // before each archive, and in each
        assert!(reports.len() > 18, "{name}: {reports:?}");
    }
}

#[test]
fn stopped_work_returns_only_complete_archives() {
    let folder = archives();
    for (name, work) in WORK {
        let mut counts = Vec::new();
        for call in 0.. {
            let (collection, calls) = stopped_at(call, &folder);
            let done = work(&collection);
            assert_eq!(collection.is_stopped(), calls.load(Ordering::Relaxed) > call, "{name} {call}");
            if !collection.is_stopped() {
                assert_eq!(done, 9, "{name} {call}");
                break;
            }
            counts.push(done);
        }
        assert_eq!(counts[0], 0, "{name}");
        assert!(counts.len() > 18, "{name}: {counts:?}");
    }
}

#[test]
fn work_is_stopped_within_a_large_archive() {
    const SIZE: u64 = 32 << 20;
    let folder = Folder::new();
    folder.write("large.pak", pack(Layout::Quake, [("large", vec![7; usize::try_from(SIZE).unwrap()])]));
    // the others need not read a single stored entry
    let reads = |name: &&str| !["each", "duplicates", "differing", "verify"].contains(name);
    for (name, work) in WORK.into_iter().filter(|(name, _)| reads(name)) {
        let most = Arc::new(AtomicU64::new(0));
        let reported = Arc::clone(&most);
        let collection = Collection::search([folder.path()]).observed_by(move |done, _| {
            reported.fetch_max(done, Ordering::Relaxed);
            if done > 4 << 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((work(&collection), collection.is_stopped()), (0, true), "{name}");
        let most = most.load(Ordering::Relaxed);
        assert!((4 << 20..8 << 20).contains(&most), "{name}: {most}");
    }
}

#[test]
fn a_stopped_catalog_continues_to_the_same_rows() {
    for (file, sums) in [
        ("mods.jsonl", Sums::default()),
        ("mods.csv", Sums::default()),
        ("mods.jsonl", Sums::of(&[DigestKind::Sha256])),
        #[cfg(feature = "parquet")]
        ("mods.parquet", Sums::of(&[DigestKind::Sha256])),
    ] {
        let (folder, out) = (archives(), Folder::new());
        let digests = DigestOptions { sums, ..DigestOptions::default() };
        let format = CatalogFormat::of_path(file.into()).unwrap();
        let catalog = Catalog { format, digests, ..Catalog::default() };
        let (whole, path) = (out.join("whole"), out.join(file));
        let all = Collection::search([folder.path()]);
        catalog.write_file(&all, &whole, ExistingCatalog::Refuse).unwrap();
        let whole = fs::read(whole).unwrap();
        let partial = Catalog::partial(&path);
        let mut kept_some = 0;
        for call in 0.. {
            let (collection, _) = stopped_at(call, &folder);
            let stopped = catalog.write_file(&collection, &path, ExistingCatalog::Update);
            let Err(CatalogError::Stopped { done, all: 9, kept, .. }) = stopped else {
                assert_eq!(stopped.unwrap().archives, 9);
                break;
            };
            assert!(!path.exists(), "{call}");
            assert_eq!(kept.is_some(), done > 0, "{call}");
            assert_eq!(kept.is_some(), partial.exists(), "{call}");
            kept_some += usize::from(kept.is_some());
            let written = catalog.write_file(&all, &path, ExistingCatalog::Update).unwrap();
            assert_eq!((written.kept, written.archives), (done, 9), "{call}");
            assert_eq!(fs::read(&path).unwrap(), whole, "{call}");
            assert!(!partial.exists(), "{call}");
            fs::remove_file(&path).unwrap();
        }
        assert!(kept_some > 0, "{file}");
    }
}

/// The same with a folder of files.
#[test]
fn a_catalog_of_several_files_that_is_stopped_continues_where_it_was() {
    let (folder, out) = (archives(), Folder::new());
    let (catalog, path) = (Catalog::default(), out.join("mods"));
    let partial = out.join(".quakefs-mods.catalog/partial");
    let write = |collection: &Collection| {
        catalog.write_folder(collection, &path, 2.try_into().unwrap(), ExistingCatalog::Update)
    };
    let files = || out.tree("mods");
    let all = Collection::search([folder.path()]);
    write(&all).unwrap();
    let whole = files();
    assert_eq!(whole.lines().count(), 5, "{whole}");
    fs::remove_dir_all(&path).unwrap();
    let mut kept_some = 0;
    for call in 0.. {
        let (collection, _) = stopped_at(call, &folder);
        let stopped = write(&collection);
        let Err(CatalogError::Stopped { done, all: 9, kept, .. }) = stopped else {
            assert_eq!(stopped.unwrap().archives, 9);
            break;
        };
        assert!(!path.exists(), "{call}");
        assert_eq!((kept.is_some(), partial.exists()), (done > 0, done > 0), "{call}");
        kept_some += usize::from(kept.is_some());
        let written = write(&all).unwrap();
        assert_eq!((written.kept, written.archives), (done, 9), "{call}");
        assert_eq!(files(), whole, "{call}");
        assert_eq!(out.names(""), ["mods"], "{call}");
        fs::remove_dir_all(&path).unwrap();
    }
    assert!(kept_some > 0);
}

#[test]
fn a_folder_with_other_files_is_not_replaced_by_a_catalog() {
    let (folder, out) = (archives(), Folder::new());
    let all = Collection::search([folder.path()]);
    let write = |name: &str, existing| {
        Catalog::default().write_folder(&all, out.join(name), 2.try_into().unwrap(), existing)
    };
    out.write("a/pak0.pak", "mine");
    for existing in [ExistingCatalog::Update, ExistingCatalog::Replace] {
        assert!(matches!(write("a", existing), Err(CatalogError::Write(_))), "{existing:?}");
    }
    assert_eq!(fs::read(out.join("a/pak0.pak")).unwrap(), b"mine");
    write("e", ExistingCatalog::Refuse).unwrap();
    write("e", ExistingCatalog::Refuse).unwrap_err();
    write("e", ExistingCatalog::Replace).unwrap();
    assert_eq!(write("e", ExistingCatalog::Update).unwrap().kept, 9);
}

/// Rows of an interrupted run are kept, even if the next run is interrupted earlier or other rows changed.
#[test]
fn a_catalog_that_is_stopped_again_keeps_its_rows() {
    let (folder, out) = (archives(), Folder::new());
    let path = out.join("mods.jsonl");
    // on one thread, so that the first archive is whole before the other is begun
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let update = |collection: &Collection| {
        one.install(|| Catalog::default().write_file(collection, &path, ExistingCatalog::Update))
    };
    let all = Collection::search([folder.path()]);
    update(&all).unwrap();
    let old = fs::read(&path).unwrap();
    folder.write("0.pk3", zip_deflated([("progs.dat", "another")]));
    folder.write("8.pak", pack(Layout::Quake, [("progs.dat", "another")]));
    for call in 0.. {
        let (collection, _) = stopped_at(call, &folder);
        let Err(CatalogError::Stopped { done, kept, .. }) = update(&collection) else { break };
        assert!(done == 7 || done == 8, "{done}");
        assert_eq!(fs::read(&path).unwrap(), old);
        let Some(kept) = kept else { continue };
        // stopped at once, but the rows still exist
        let rows = fs::read(&kept).unwrap();
        let (at_once, _) = stopped_at(0, &folder);
        assert!(matches!(update(&at_once), Err(CatalogError::Stopped { kept: Some(_), .. })));
        assert_eq!(fs::read(&kept).unwrap(), rows);
        assert_eq!(update(&all).unwrap().kept, 8);
        return;
    }
    panic!("no row was kept");
}

#[test]
fn a_file_without_rows_beside_a_catalog_is_not_replaced() {
    let (folder, out) = (archives(), Folder::new());
    let path = out.join("mods.jsonl");
    let partial = Catalog::partial(&path);
    fs::write(&partial, "notes\n").unwrap();
    let all = Collection::search([folder.path()]);
    for existing in [ExistingCatalog::Update, ExistingCatalog::Replace] {
        let written = Catalog::default().write_file(&all, &path, existing);
        assert!(matches!(written, Err(CatalogError::Partial(at, _)) if at == partial), "{existing:?}");
    }
    let refused = Catalog::default().write_file(&all, &path, ExistingCatalog::Refuse);
    assert!(matches!(refused, Err(CatalogError::Interrupted(at)) if at == partial));
    assert_eq!(fs::read(&partial).unwrap(), b"notes\n");
}
