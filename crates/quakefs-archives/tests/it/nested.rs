//! Attacks by archives inside archives.

use std::time::{Duration, Instant};

use pak_format::Layout;
use quakefs::archive::OpenOptions;
use quakefs_archives::{Collection, DigestOptions};
use testutils::raw_zip::{self, stored};
use testutils::{Folder, pack, zip, zip_deflated};

fn pak(name: &str) -> Vec<u8> {
    pack(Layout::Quake, [(name, "x")])
}

fn nested(folder: &Folder, limit: Option<u64>) -> Collection {
    Collection::search([folder.path()]).nested(&OpenOptions::new(), limit)
}

/// The name of the first entry of each archive, or the reason why it cannot be opened.
fn first_names(folder: &Folder, collection: &Collection) -> Vec<String> {
    let opened = collection.open(&OpenOptions::new());
    let names = opened.map(|(path, archive)| {
        let path = path.strip_prefix(folder.path()).unwrap();
        let first = archive.unwrap().entry(0).map(|entry| entry.name().to_string());
        format!("{path}: {}", first.unwrap_or_default())
    });
    names.collect()
}

#[test]
fn two_archives_of_one_path_are_both_read() {
    let folder = Folder::new();
    let inner = zip([("b.pak", pak("inside"))]);
    folder.write(
        "m.zip",
        zip([("a.zip/b.pak", pak("beside")), ("a.zip", inner), ("a.zip/b.pak (2)/c.pak", pak("third"))]),
    );
    assert_eq!(
        first_names(&folder, &nested(&folder, None)),
        [
            "m.zip: a.zip/b.pak",
            "m.zip/a.zip/b.pak: beside",
            "m.zip/a.zip: b.pak",
            "m.zip/a.zip/b.pak (2): inside",
            "m.zip/a.zip/b.pak (2)/c.pak: third",
        ]
    );
}

#[test]
fn archives_that_are_nested_too_deep_are_faults() {
    let folder = Folder::new();
    let mut archive = pak("deepest");
    for name in ["5.pak", "4.zip", "3.zip", "2.zip", "1.zip"] {
        archive = zip([(name, archive)]);
    }
    folder.write("0.zip", archive);
    let collection = nested(&folder, None);
    assert_eq!(collection.archives().len(), 5);
    let faults: Vec<_> =
        collection.faults().iter().map(|fault| format!("{fault}: {}", fault.reason())).collect();
    assert!(faults.len() == 1 && faults[0].contains("4.zip") && faults[0].contains("too deep"), "{faults:?}");
}

/// 11 KB with 50 records that share an entry, four deep: 6 million archives.
#[test]
fn records_that_share_an_archive_do_not_multiply() {
    let folder = Folder::new();
    let mut archive = pak("x");
    for _ in 0..4 {
        let members: Vec<_> = (0..50)
            .map(|number| {
                let member = stored(format!("{number:02}.zip"), &archive);
                // only the first has the bytes
                if number == 0 {
                    member
                } else {
                    member.with(|member| {
                        member.offset = Some(0);
                        member.payload.clear();
                    })
                }
            })
            .collect();
        archive = raw_zip::zip(&members);
    }
    assert!(archive.len() < 30_000, "{}", archive.len());
    folder.write("bomb.zip", archive);
    let begun = Instant::now();
    let collection = nested(&folder, None);
    assert!(collection.archives().len() <= 10_001, "{}", collection.archives().len());
    assert!(!collection.faults().is_empty());
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

/// An outer archive is decoded once for all inner archives, and not once for each.
#[test]
fn an_outer_archive_is_opened_once() {
    let folder = Folder::new();
    let paks = (0..8_000).map(|number| (format!("{number}.pak"), pak("x")));
    folder.write("many.zip", zip_deflated([("inner.zip", zip_deflated(paks))]));
    let begun = Instant::now();
    let collection = nested(&folder, None);
    assert_eq!(collection.archives().len(), 8_002);
    let mut rows = 0;
    let read = collection.each_digested(
        &DigestOptions::default(),
        |archive| archive.entries().map(|entry| entry.index()).collect(),
        |_, digested| digested.map_or(0, |digested| digested.entries.len()),
        |count| {
            rows += count;
            Ok::<_, ()>(())
        },
    );
    read.unwrap();
    assert_eq!(rows, 8_000 + 8_000 + 1);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

/// All archives together have one budget, also for what is deep inside.
#[test]
fn the_limit_counts_the_archives_inside_of_all_archives() {
    let folder = Folder::new();
    let large = pack(Layout::Quake, [("zeros", vec![0; 100_000])]);
    for number in 0..20 {
        let inner = zip_deflated([("1.pak", &large), ("2.pak", &large)]);
        folder.write(&format!("{number:02}.zip"), zip_deflated([("inner.zip", inner)]));
    }
    let limit = 1_000_000;
    let collection = nested(&folder, Some(limit));
    let paks = collection.archives().iter().filter(|path| path.as_str().ends_with(".pak")).count();
    assert_eq!((paks, collection.faults().len()), (9, 31));
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let again = one.install(|| nested(&folder, Some(limit)));
    assert_eq!(again.archives(), collection.archives());
}
