//! The pk3s of OpenArena and Nexuiz, where they are installed: Debian's `openarena-data` and `nexuiz-data`.
//! `QUAKEFS_REAL_PK3` names another folder, which is searched whole.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::{Access, Archive, ArchiveFormat, Engine, Method, SearchPath};

fn pk3s(folder: &Utf8Path, found: &mut Vec<Utf8PathBuf>) {
    for file in folder.read_dir_utf8().into_iter().flatten().map(Result::unwrap) {
        match file.file_type().unwrap() {
            kind if kind.is_dir() => pk3s(file.path(), found),
            kind if kind.is_file() && file.path().extension() == Some("pk3") => {
                found.push(file.path().into())
            }
            _ => {}
        }
    }
}

/// Every pk3 that there is, or none and a line that says so.
fn installed() -> Vec<Utf8PathBuf> {
    let mut found = Vec::new();
    match std::env::var("QUAKEFS_REAL_PK3") {
        Ok(folder) => pk3s(Utf8Path::new(&folder), &mut found),
        Err(_) => {
            for game in ["openarena", "nexuiz"] {
                pk3s(&Utf8Path::new("/usr/share/games").join(game), &mut found);
            }
        }
    }
    if found.is_empty() {
        eprintln!("skipped: there are no pk3s in $QUAKEFS_REAL_PK3 or /usr/share/games");
    }
    found.sort();
    found
}

#[test]
fn every_entry_reads() {
    for path in installed() {
        let archive = Archive::open(&path, Access::Map, None).unwrap();
        assert_eq!(archive.format(), ArchiveFormat::Zip);
        assert_eq!(
            archive.problems().map(|error| error.to_string()).collect::<Vec<_>>(),
            Vec::<String>::new()
        );
        let (mut bytes, mut deflated, mut folders, mut largest) = (0, 0, 0, 0);
        for entry in archive.entries() {
            let content = archive.read(entry.index()).unwrap();
            assert_eq!(content.len() as u64, entry.size());
            assert_eq!(content.is_mapped(), entry.method() == Method::Stored);
            bytes += entry.size();
            deflated += usize::from(entry.method() == Method::Deflate);
            folders += usize::from(entry.is_folder());
            largest = largest.max(entry.size());
            if let (Err(fault), false) = (entry.name().to_disk_path(), entry.is_folder()) {
                println!("    not extracted: entry {} ({}): {fault}", entry.index(), entry.name());
            }
        }
        println!(
            "{path}: {} entries ({deflated} deflated, {folders} folders), {bytes} bytes of {}, the largest {largest}",
            archive.len(),
            archive.size()
        );
    }
}

/// Reading by position gives what the map gives; the larger archives would take long and say nothing more.
#[test]
fn every_entry_reads_by_position() {
    for path in installed() {
        let [mapped, read] =
            [Access::Map, Access::Read].map(|access| Archive::open(&path, access, None).unwrap());
        assert_eq!(mapped.len(), read.len());
        for (entry, other) in mapped.entries().zip(read.entries()).step_by(10) {
            assert_eq!(format!("{entry:?}"), format!("{other:?}"));
            assert_eq!(mapped.read(entry.index()).unwrap(), read.read(entry.index()).unwrap());
        }
    }
}

#[test]
fn each_is_a_layer() {
    for path in installed() {
        let base = tempfile::tempdir().unwrap();
        let base = Utf8Path::from_path(base.path()).unwrap();
        fs::create_dir(base.join("id1")).unwrap();
        let quake = SearchPath::builder(base).engine(Engine::DarkPlaces).archive(&path).mount().unwrap();
        for problem in quake.problems() {
            println!("    {problem}");
        }
        let archive = quake.layers().next().unwrap().archive().unwrap();
        println!("{path}: {} files of {} entries", quake.files().count(), archive.len());
        for entry in archive.entries().filter(|entry| !entry.is_folder()) {
            let name = entry.name();
            let Some(hit) = quake.find(name.as_bytes()) else {
                assert!(quake.problems().any(|problem| problem.entry() == Some((entry.index(), name))));
                continue;
            };
            assert!(hit.name().as_bytes().eq_ignore_ascii_case(name.as_bytes()));
        }
    }
}
