//! The contracts of [`Disk`] and [`Files`], for tests of implementations.
//!
//! ```
//! use quakefs::contract;
//! use quakefs::disk::MemoryDisk;
//! let disk = MemoryDisk::new();
//! disk.insert("quake/id1/autoexec.cfg", "echo")?;
//! assert_eq!(contract::of_disk(&disk, "quake"), Vec::<String>::new());
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io::{self, Read as _};
use std::path::Path;

use crate::archive::Files;
use crate::disk::{Access, Content, Disk, FileKind, Item, bytes_of, with_path};

/// Checks a disk in a folder and below, and returns a sentence for each fault. Links are followed once.
pub fn of_disk(disk: &dyn Disk, folder: impl AsRef<Path>) -> Vec<String> {
    let mut faults = Vec::new();
    check_folder(disk, folder.as_ref(), 0, &mut faults);
    faults
}

/// Deeper folders are not checked.
const DEEPEST: usize = 32;

fn check_folder(disk: &dyn Disk, folder: &Path, depth: usize, faults: &mut Vec<String>) {
    let shown = folder.display();
    let mut items = match disk.list(folder) {
        Ok(items) => items,
        Err(error) => return faults.push(format!("{shown} cannot be listed: {error}")),
    };
    if !disk.stat(folder).is_ok_and(|stat| stat.kind == FileKind::Folder) {
        faults.push(format!("{shown} can be listed, but stat does not return a folder"));
    }
    if disk.open(folder, Access::Read).is_ok() {
        faults.push(format!("{shown} is a folder, but can be opened as a file"));
    }
    items.sort_unstable();
    if items.windows(2).any(|pair| matches!(pair, [one, other] if one.name == other.name)) {
        faults.push(format!("{shown} contains a name twice"));
    }
    let missing = free_name(&items);
    match with_path(folder, &missing, |path| disk.stat(path)) {
        Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => {}
        _ => faults.push(format!(
            "{shown} does not contain {}, but stat does not return \"not found\"",
            missing.escape_ascii()
        )),
    }
    check_spelling(disk, folder, &items, faults);
    for Item { name, kind } in items {
        if name.is_empty() || name.contains(&b'/') || name == b"." || name == b".." {
            faults.push(format!("{shown} contains {}, which is not a valid name", name.escape_ascii()));
            continue;
        }
        with_path(folder, &name, |path| {
            if path.file_name().and_then(bytes_of) != Some(&name) {
                faults.push(format!("{} is not the path of its name", path.display()));
            }
            check_item(disk, path, kind, depth, faults);
        });
    }
}

/// Compares a folder's declared spelling with actual lookups.
fn check_spelling(disk: &dyn Disk, folder: &Path, items: &[Item], faults: &mut Vec<String>) {
    let first = items.first().map_or(&b""[..], |item| &item.name);
    let spelling = disk.spelling(folder, first);
    for Item { name, .. } in items {
        let other = name.to_ascii_uppercase();
        if items.iter().any(|item| item.name == other) {
            continue;
        }
        let found = with_path(folder, &other, |path| disk.stat(path).is_ok()).unwrap_or_default();
        if found != spelling.ignores_case() {
            let (folder, other) = (folder.display(), other.escape_ascii());
            let finds = if found { "finds" } else { "does not find" };
            faults.push(format!("{folder} has the spelling {spelling:?}, but stat {finds} {other}"));
        }
    }
}

/// A name that no item has.
fn free_name(items: &[Item]) -> Vec<u8> {
    let mut name = b"nothing".to_vec();
    while items.iter().any(|item| item.name.eq_ignore_ascii_case(&name)) {
        name.push(b'x');
    }
    name
}

fn check_item(disk: &dyn Disk, path: &Path, kind: FileKind, depth: usize, faults: &mut Vec<String>) {
    let shown = path.display();
    let found = disk.stat(path);
    if kind == FileKind::Link {
        if disk.link_target(path).is_none() {
            faults.push(format!("{shown} is listed as a link, but link_target returns None"));
        }
        return;
    }
    match &found {
        Ok(stat) if stat.kind == kind => {}
        Ok(stat) => faults.push(format!("{shown} is listed as {kind:?}, but stat returns {:?}", stat.kind)),
        Err(error) => faults.push(format!("{shown} is listed, but stat fails: {error}")),
    }
    match kind {
        FileKind::Folder if depth < DEEPEST => check_folder(disk, path, depth + 1, faults),
        FileKind::File => check_file(disk, path, faults),
        _ => {}
    }
}

fn check_file(disk: &dyn Disk, path: &Path, faults: &mut Vec<String>) {
    let shown = path.display();
    if disk.list(path).is_ok() {
        faults.push(format!("{shown} is a file, but can be listed"));
    }
    if with_path(path, b"below", |below| disk.stat(below)).is_some_and(|found| found.is_ok()) {
        faults.push(format!("{shown} is a file, but stat finds a name below it"));
    }
    for access in [Access::Map, Access::Read] {
        let opened = match disk.open(path, access) {
            Ok(opened) => opened,
            Err(error) => {
                if disk.can_read(path) {
                    faults.push(format!("{shown} cannot be opened, but can_read returns true: {error}"));
                }
                continue;
            }
        };
        if disk.stat(path).ok() != Some(opened.stat) {
            faults.push(format!("{shown} has a different size, time or identity after opening"));
        }
        let size = opened.stat.size;
        match &opened.content {
            Content::Bytes(bytes) if bytes.len() as u64 != size => {
                faults.push(format!("{shown} has {size} bytes, but returns {}", bytes.len()));
            }
            Content::Bytes(_) => {}
            Content::At(file) => {
                let (mut whole, mut end) = (vec![0; usize::try_from(size).unwrap_or(0)], [0]);
                match file.fill_at(&mut whole, 0) {
                    Ok(read) if read as u64 == size => {}
                    Ok(read) => faults.push(format!("{shown} has {size} bytes, but returns {read}")),
                    Err(error) => faults.push(format!("{shown} cannot be read: {error}")),
                }
                for place in [size, size.saturating_add(1), u64::MAX] {
                    if !matches!(file.read_at(&mut end, place), Ok(0)) {
                        faults.push(format!("{shown} returns bytes or an error at {place}, after its end"));
                    }
                }
                let middle = size / 2;
                let mut half = vec![0; whole.len() - usize::try_from(middle).unwrap_or(0)];
                if file.fill_at(&mut half, middle).is_err() || !whole.ends_with(&half) {
                    faults.push(format!("{shown} returns different bytes if read from the middle"));
                }
            }
        }
    }
}

/// Checks a custom implementation of [`Files`], and returns a sentence for each fault.
pub fn of_files(files: &dyn Files) -> Vec<String> {
    let mut faults = Vec::new();
    for file in 0..files.len() {
        let name = files.name(file);
        let shown = pak_format::EntryName::from_bytes(name);
        if name.contains(&0) {
            faults.push(format!("file {file} ({shown}) has a NUL in its name"));
        }
        if files.name(file) != name {
            faults.push(format!("file {file} ({shown}) changes its name"));
        }
        if files.check(file).is_err() {
            continue;
        }
        let (read, mut streamed) = (files.read(file), Vec::new());
        let stream = files.open(file).map_err(io::Error::from);
        let stream = stream.and_then(|mut reader| reader.read_to_end(&mut streamed));
        match (read, stream) {
            (Ok(bytes), Ok(_)) => {
                if bytes.len() as u64 != files.row(file).size {
                    let (size, found) = (files.row(file).size, bytes.len());
                    faults.push(format!("file {file} ({shown}) has {size} bytes, but returns {found}"));
                }
                if *bytes != *streamed {
                    faults.push(format!("file {file} ({shown}) returns different bytes as a stream"));
                }
                let length = files.payload_range(file).map(|range| range.end.saturating_sub(range.start));
                if length.is_some_and(|length| length != files.row(file).stored_size) {
                    faults.push(format!(
                        "file {file} ({shown}) has a payload range that differs from the stored size in its \
                            row"
                    ));
                }
            }
            (Err(_), Err(_)) => {}
            (Err(error), Ok(_)) => {
                faults.push(format!("file {file} ({shown}) can be streamed, but not read: {error}"));
            }
            (Ok(_), Err(error)) => {
                faults.push(format!("file {file} ({shown}) can be read, but not streamed: {error}"));
            }
        }
    }
    faults
}
