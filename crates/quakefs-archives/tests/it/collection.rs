//! Many archives: search, catalogs, duplicates, differences, merges.

use std::fs;

use camino::Utf8PathBuf;
use quakefs::archive::OpenOptions;
use quakefs::watch::ChangeKind;
use quakefs::{Access, Engine, File, Layout};
use quakefs_archives::{
    Catalog, CatalogError, CatalogFormat, Collection, Contents, Diff, Digest, DigestKind, DigestOptions,
    ExistingCatalog, NoDigest, Sums, is_archive, merge,
};
use testutils::{Folder, pack, zip, zip_deflated};

/// Forty archives of both kinds in several folders. They share some contents, and every fifth file is not an
/// archive.
fn many() -> Folder {
    let folder = Folder::new();
    for number in 0..40_u8 {
        let content = vec![number; 3000 + usize::from(number % 3)];
        let files = [
            (format!("maps/{number}.bsp"), content),
            ("progs.dat".to_owned(), vec![number % 7; 500]),
            ("empty".to_owned(), Vec::new()),
        ];
        let archive = match number % 5 {
            0 => b"no archive".to_vec(),
            1 => zip_deflated(files),
            2 => zip(files),
            _ => pack(Layout::Quake, files),
        };
        let extension = if matches!(number % 5, 1 | 2) { "pk3" } else { "pak" };
        folder.write(&format!("{}/{}/mod{number}.{extension}", number % 4, number % 3), archive);
        folder.write(&format!("{}/readme.txt", number % 4), "not looked at");
    }
    folder
}

/// What some work gives on one thread and on four.
fn on_threads<T: Send>(work: impl Fn() -> T + Sync) -> [T; 2] {
    [1, 4].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(&work))
}

#[test]
fn archives_on_any_disk_have_the_rows_of_the_same_files() {
    use std::sync::Arc;

    use quakefs::disk::{Disk, SystemDisk};

    /// The system's disk with other paths.
    #[derive(Debug)]
    struct Bucket(camino::Utf8PathBuf);

    impl Bucket {
        fn path(&self, path: &std::path::Path) -> std::path::PathBuf {
            self.0.as_std_path().join(path.strip_prefix("bucket").unwrap())
        }
    }

    impl Disk for Bucket {
        fn list(&self, folder: &std::path::Path) -> std::io::Result<Vec<quakefs::disk::Item>> {
            SystemDisk.list(&self.path(folder))
        }
        fn stat(&self, path: &std::path::Path) -> std::io::Result<quakefs::disk::Stat> {
            SystemDisk.stat(&self.path(path))
        }
        fn open(
            &self,
            path: &std::path::Path,
            access: quakefs::Access,
        ) -> std::io::Result<quakefs::disk::Opened> {
            SystemDisk.open(&self.path(path), access)
        }
    }

    let folder = testutils::game("a.pak: maps/start.bsp, progs.dat\n b.pk3: maps/b.bsp");
    let inner = std::fs::read(folder.path().join("a.pak")).unwrap();
    folder.write("mods.zip", testutils::zip_deflated([("id1/pak0.pak", inner)]));
    folder.write("bad.pak", "no archive");
    let disk: Arc<dyn Disk> = Arc::new(Bucket(folder.path().to_owned()));
    let names = ["a.pak", "b.pk3", "bad.pak", "mods.zip", "none.pak"];
    for sums in [Sums::default(), Sums::of(&[DigestKind::Sha256])] {
        let digests = DigestOptions { sums, ..DigestOptions::default() };
        let rows = |collection: Collection| {
            let mut out = Vec::new();
            let nested = collection.nested(&OpenOptions::new(), None);
            Catalog { digests, ..Catalog::default() }.write(&nested, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let on_disk = Collection::on(Arc::clone(&disk), names.map(|name| format!("bucket/{name}").into()));
        let here = Collection::search(names.map(|name| folder.path().join(name)));
        let expected = rows(here).replace(&folder.path().as_str().replace('\\', "/"), "bucket");
        assert_eq!(rows(on_disk), expected);
        assert!(expected.contains(r#""container":"id1/pak0.pak""#), "{expected}");
    }
}

#[test]
fn archives_come_in_the_order_of_their_paths() {
    let folder = many();
    let collection = Collection::search([folder.path()]);
    let found = collection.archives();
    assert_eq!((found.len(), collection.faults().len()), (40, 0));
    assert!(found.is_sorted());
    // paths in the order that they were named
    let named = [folder.join("3"), folder.join("1/1/mod13.pak"), folder.join("none.pak"), folder.join("0")];
    let some = Collection::search(&named);
    let parts: Vec<_> =
        some.archives().iter().map(|path| path.strip_prefix(folder.path()).unwrap()).collect();
    let start = |path: &Utf8PathBuf| path.strip_prefix(folder.path()).unwrap().as_str()[..1].to_owned();
    let starts: String = some.archives().iter().map(start).collect();
    assert_eq!(starts, format!("{}1n{}", "3".repeat(10), "0".repeat(10)), "{parts:?}");
}

#[test]
fn answers_are_the_same_on_every_number_of_threads() {
    let folder = many();
    let collection = || Collection::search([folder.path()]);
    let catalog = || {
        let mut out = Vec::new();
        let sum = Catalog::default().write(&collection(), &mut out).unwrap();
        (String::from_utf8(out).unwrap(), sum.rows, sum.faults.len())
    };
    let [one, four] = on_threads(catalog);
    assert_eq!(one, four);
    assert_eq!((one.1, one.2), (96, 8));

    let duplicates = || {
        let found = collection().duplicates(&DigestOptions::default());
        format!("{:?} {} {}", found.contents, found.over_limit, found.faults.len())
    };
    let [one, four] = on_threads(duplicates);
    assert_eq!(one, four);

    // the same entries stay undecoded
    let limited = || {
        let mut out = Vec::new();
        let options = DigestOptions { limit: Some(20_000), ..DigestOptions::default() };
        Catalog { digests: options, ..Catalog::default() }.write(&collection(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let [one, four] = on_threads(limited);
    assert_eq!(one, four);
    let over = NoDigest::OverLimit.to_string();
    assert!(one.matches(&over).count() > 40, "{}", one.matches(&over).count());
}

#[test]
fn duplicates_agree_with_a_comparison_of_all_bytes() {
    let folder = many();
    let collection = Collection::search([folder.path()]);
    let found =
        collection.duplicates(&DigestOptions { kind: DigestKind::Blake3, ..DigestOptions::default() });
    let mut contents: std::collections::HashMap<Vec<u8>, Vec<String>> = std::collections::HashMap::new();
    for path in collection.archives() {
        let Ok(archive) = quakefs::Archive::open(path) else { continue };
        for entry in archive.entries().filter(|entry| entry.size() > 0) {
            let place = format!("{path}: entry {} ({})", entry.index(), entry.name());
            contents.entry(entry.read().unwrap().to_vec()).or_default().push(place);
        }
    }
    let mut expected: Vec<_> = contents.into_values().filter(|places| places.len() > 1).collect();
    let places = |copies: &[quakefs_archives::Copy]| {
        copies.iter().map(|copy| copy.location().to_string()).collect::<Vec<_>>()
    };
    let mut found: Vec<_> = found.contents.iter().map(|content| places(&content.copies)).collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_digest_is_that_of_the_bytes_however_they_are_stored() {
    let folder = Folder::new();
    let large: Vec<u8> = (0..3_000_000_u32).map(|number| (number % 251) as u8).collect();
    folder.write("stored.pak", pack(Layout::Quake, [("large", &large)]));
    folder.write("stored.pk3", zip([("large", &large)]));
    folder.write("deflated.pk3", zip_deflated([("large", &large)]));
    let mut daikatana = pak_format::Builder::new(Layout::Daikatana);
    daikatana.add("large.tga", vec![7; 3_000_000]).unwrap();
    folder.write("daikatana.pak", daikatana.finish().unwrap());
    for (archive, content) in [
        ("stored.pak", &large),
        ("stored.pk3", &large),
        ("deflated.pk3", &large),
        ("daikatana.pak", &vec![7; 3_000_000]),
    ] {
        for access in [Access::Map, Access::Read] {
            let opened = OpenOptions::new().access(access).open(folder.join(archive));
            let file = opened.unwrap().files(archive).next().unwrap();
            for kind in [DigestKind::Xxh3, DigestKind::Blake3] {
                let digest = Digest::of_file(kind, &file).unwrap();
                assert_eq!(digest, Digest::of_bytes(kind, content), "{archive} {access:?}");
                assert_eq!(digest.to_string().parse(), Ok(digest));
                assert_eq!(digest.kind(), kind);
            }
        }
    }
    for text in ["", "0", "+aa06d3014798d86001c324468d497f0", "99aa06d3014798d86001c324468d497g"] {
        assert!(text.parse::<Digest>().is_err(), "{text}");
    }
}

#[test]
fn a_damaged_entry_has_no_digest_and_says_why() {
    let folder = Folder::new();
    let mut image = zip_deflated([("a", "a".repeat(100))]);
    image[40] ^= 0xff;
    folder.write("a.pk3", image);
    let mut faults = Vec::new();
    let collection = Collection::search([folder.join("a.pk3")]);
    let done = collection.each_digested(
        &DigestOptions::default(),
        |archive| (0..archive.entries().len()).collect(),
        |_, digested| digested.unwrap().entries,
        |entries| {
            faults.extend(entries);
            Ok::<(), std::convert::Infallible>(())
        },
    );
    let Ok(()) = done;
    let [(0, Err(NoDigest::Unreadable(error)))] = &faults[..] else { panic!("{faults:?}") };
    assert_eq!(error.entry().unwrap().0, 0);
    assert!(error.archive().unwrap().ends_with("a.pk3"));
}

#[test]
fn a_catalog_is_written_completely_or_not_at_all() {
    let folder = many();
    let collection = Collection::search([folder.path()]);
    let file = folder.join("catalog.jsonl");
    let write = |existing| Catalog::default().write_file(&collection, &file, existing);
    write(ExistingCatalog::Refuse).unwrap();
    let first = fs::read(&file).unwrap();
    assert!(matches!(write(ExistingCatalog::Refuse), Err(CatalogError::Write(_))));
    let kept = write(ExistingCatalog::Update).unwrap();
    // archives that could not be opened are tried again
    assert_eq!((kept.kept, kept.archives, kept.faults.len()), (32, 40, 8));
    assert_eq!(fs::read(&file).unwrap(), first);

    // a cut-off catalog is refused, because a line without an end could be a row with other values
    fs::write(&file, &first[..first.len() - 1]).unwrap();
    let Err(CatalogError::Earlier(error)) = write(ExistingCatalog::Update) else { panic!() };
    assert!(error.to_string().ends_with("this is not a row of a catalog: the line has no end"), "{error}");
    assert_eq!(fs::read(&file).unwrap(), &first[..first.len() - 1]);
    assert_eq!(folder.names("").len(), 5);

    // rows in another order are read again
    let mut lines: Vec<_> = first.split_inclusive(|byte| *byte == b'\n').collect();
    lines.sort_unstable_by_key(|line| std::cmp::Reverse(line.len()));
    fs::write(&file, lines.concat()).unwrap();
    assert!(write(ExistingCatalog::Update).unwrap().kept < 32);
    assert_eq!(fs::read(&file).unwrap(), first);
}

#[test]
fn the_forms_of_a_catalog_are_known_by_extension() {
    let form = |name: &str| CatalogFormat::of_path(name.into());
    assert_eq!(form("a.jsonl"), Some(CatalogFormat::JsonLines));
    assert_eq!(form("a.CSV"), Some(CatalogFormat::Csv));
    #[cfg(feature = "parquet")]
    assert_eq!(form("a.parquet"), Some(CatalogFormat::Parquet));
    assert_eq!(form("a.xlsx"), None);
    assert_eq!(form("csv"), None);
}

#[test]
fn an_archive_is_known_by_its_extension_or_its_first_bytes() {
    let folder = Folder::with([
        ("a.pak", &b"anything"[..]),
        ("b.PK3", b""),
        ("pack", b"PACK then more"),
        ("zipped", b"PK\x03\x04"),
        ("notes", b"PAC"),
        ("notes.txt", b"To do"),
        ("folder.pak/file", b""),
    ]);
    let names = ["a.pak", "b.PK3", "pack", "zipped", "notes", "notes.txt", "folder.pak", "none.pak"];
    let known: Vec<_> = names.into_iter().filter(|name| is_archive(folder.join(name))).collect();
    assert_eq!(known, ["a.pak", "b.PK3", "pack", "zipped"]);
}

#[test]
fn merged_contents_equal_a_search_path_of_the_same_archives() {
    let folder = Folder::new();
    let names = ["maps/a.bsp", "MAPS/A.BSP", "progs.dat", "x", "y"];
    for number in 0..6_usize {
        let files = names.iter().enumerate().filter(|(index, _)| (number * 7 + index * 3) % 4 != 0);
        let files = files.map(|(index, name)| (*name, format!("{number}.{index}")));
        folder.write(&format!("{number}.pak"), pack(Layout::Quake, files));
    }
    let paths: Vec<_> = (0..6).map(|number| folder.join(&format!("{number}.pak"))).collect();
    for engine in Engine::ALL {
        let rules = engine.rules();
        let contents =
            paths.iter().map(|path| Contents::served_of(path, rules, &OpenOptions::new()).unwrap());
        let merged = merge(contents, rules);
        let builder = quakefs::Builder::new().engine(*engine);
        let search_path = paths.iter().fold(builder, quakefs::Builder::archive).mount().unwrap();
        let of = |file: &File<'_>| (file.name().to_string().to_lowercase(), file.read().unwrap().to_vec());
        let mut merged: Vec<_> = merged.files.iter().map(of).collect();
        let mut served: Vec<_> = search_path.files().map(|found| of(&found.into_owned())).collect();
        merged.sort();
        served.sort();
        assert_eq!(merged, served, "{engine}");
    }
}

#[test]
fn applying_a_difference_turns_the_old_contents_into_the_new() {
    let folder = Folder::new();
    let content = |number: usize| format!("content {}", number % 5);
    let old = (0..40).map(|number| (format!("f{number}"), content(number * number)));
    let new = (20..60).map(|number| (format!("f{number}"), content(number * 3)));
    folder.write("old.pak", pack(Layout::Quake, old));
    folder.write("new.pak", pack(Layout::Quake, new));
    let rules = Engine::WinQuake.rules();
    let open = |name: &str| Contents::of(folder.join(name), rules, &OpenOptions::new()).unwrap();
    let (old, new) = (open("old.pak"), open("new.pak"));
    let diff = Diff::new(&old, &new, None);
    assert!(diff.faults.is_empty() && diff.not_compared.is_empty());
    let files = |contents: &Contents| -> std::collections::BTreeMap<String, Vec<u8>> {
        contents.files.iter().map(|file| (file.name().to_string(), file.read().unwrap().to_vec())).collect()
    };
    let mut patched = files(&old);
    for change in &diff.changes {
        if let (Some(gone), ChangeKind::Removed | ChangeKind::Moved) = (&change.before, change.kind) {
            let content = patched.remove(&gone.name().to_string()).unwrap();
            assert!(change.after.as_ref().is_none_or(|new| content == *new.read().unwrap()));
        }
        if let Some(new) = &change.after {
            patched.insert(new.name().to_string(), new.read().unwrap().to_vec());
        }
    }
    assert_eq!(patched, files(&new));
    assert_eq!(diff.same + diff.changes.iter().filter(|one| one.after.is_some()).count() as u64, 40);
    assert!(Diff::new(&old, &old, None).changes.is_empty());
}

#[test]
fn opened_archives_come_in_order_each_with_its_path() {
    let folder = many();
    let collection = Collection::search([folder.path()]);
    let opened = on_threads(|| {
        let opened = collection.open(&OpenOptions::new());
        opened
            .map(|(path, archive)| (path.to_owned(), archive.map_or(0, |archive| archive.entries().len())))
            .collect()
    });
    let [one, four]: [Vec<_>; 2] = opened;
    assert_eq!(one, four);
    assert!(one.iter().map(|(path, _)| path).eq(collection.archives()));
    assert_eq!(one.iter().filter(|(_, entries)| *entries == 0).count(), 8);
}
