//! The pk3s of OpenArena and Nexuiz, from Debian's `openarena-data` and `nexuiz-data` if installed. Other
//! ones go to `pk3` of `QUAKEFS_DATA`, which may be a link to a folder.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::archive::{ArchiveKind, Method, OpenOptions};
use quakefs::{Access, Engine, SearchPath};
use testutils::data;

fn pk3s(folder: &Utf8Path, found: &mut Vec<Utf8PathBuf>) {
    for file in folder.read_dir_utf8().into_iter().flatten().map(Result::unwrap) {
        match file.file_type().unwrap() {
            kind if kind.is_dir() => pk3s(file.path(), found),
            kind if kind.is_file() && file.path().extension() == Some("pk3") => {
                found.push(file.path().into());
            }
            _ => {}
        }
    }
}

fn check(folder: &str) {
    let mut paths = Vec::new();
    pk3s(Utf8Path::new(folder), &mut paths);
    assert!(!paths.is_empty(), "{folder} has no pk3");
    paths.sort();
    every_entry_reads(&paths);
    every_entry_reads_by_position(&paths);
    each_is_a_layer(&paths);
}

#[testneeds::path("/usr/share/games/openarena")]
#[test]
fn the_pk3s_of_openarena_read_and_mount() {
    check("/usr/share/games/openarena");
}

#[testneeds::path("/usr/share/games/nexuiz")]
#[test]
fn the_pk3s_of_nexuiz_read_and_mount() {
    check("/usr/share/games/nexuiz");
}

#[testneeds::data("pk3")]
#[test]
fn other_pk3s_read_and_mount() {
    check(data("pk3").as_str());
}

fn every_entry_reads(paths: &[Utf8PathBuf]) {
    for path in paths {
        let archive = OpenOptions::new().access(Access::Map).open(path).unwrap();
        assert_eq!(archive.kind(), ArchiveKind::Zip);
        assert_eq!(
            archive.problems().map(|error| error.to_string()).collect::<Vec<_>>(),
            Vec::<String>::new()
        );
        let (mut bytes, mut deflated, mut folders, mut largest) = (0, 0, 0, 0);
        for entry in archive.entries() {
            let content = archive.read(entry.index()).unwrap();
            assert_eq!(content.len() as u64, entry.size());
            bytes += entry.size();
            deflated += usize::from(entry.row().method == Method::Deflate);
            folders += usize::from(entry.row().is_folder);
            largest = largest.max(entry.size());
            if let (Err(fault), false) = (entry.name().to_disk_path(), entry.row().is_folder) {
                println!("    not extracted: entry {} ({}): {fault}", entry.index(), entry.name());
            }
        }
        println!(
            "{path}: {} entries ({deflated} deflated, {folders} folders), {bytes} bytes of {}, the largest \
                {largest}",
            archive.entries().len(),
            archive.size()
        );
    }
}

/// Reading by position gives what the map gives; the larger archives would take long and say nothing more.
fn every_entry_reads_by_position(paths: &[Utf8PathBuf]) {
    for path in paths {
        let [mapped, read] =
            [Access::Map, Access::Read].map(|access| OpenOptions::new().access(access).open(path).unwrap());
        assert_eq!(mapped.entries().len(), read.entries().len());
        for (entry, other) in mapped.entries().zip(read.entries()).step_by(10) {
            assert_eq!(format!("{entry:?}"), format!("{other:?}"));
            assert_eq!(mapped.read(entry.index()).unwrap(), read.read(entry.index()).unwrap());
        }
    }
}

fn each_is_a_layer(paths: &[Utf8PathBuf]) {
    for path in paths {
        let base = tempfile::tempdir().unwrap();
        let base = Utf8Path::from_path(base.path()).unwrap();
        fs::create_dir(base.join("id1")).unwrap();
        let quake = SearchPath::builder(base).engine(Engine::DarkPlaces).archive(path).mount().unwrap();
        for problem in quake.findings() {
            println!("    {problem}");
        }
        let archive = quake.layers().next().unwrap().archive().unwrap();
        println!("{path}: {} files of {} entries", quake.files().count(), archive.entries().len());
        for entry in archive.entries().filter(|entry| !entry.row().is_folder) {
            let name = entry.name();
            let Some(file) = quake.find(name.as_bytes()) else {
                assert!(quake.findings().any(|problem| problem.location.entry() == Some(entry.index())));
                continue;
            };
            assert!(file.name().as_bytes().eq_ignore_ascii_case(name.as_bytes()));
        }
    }
}
