//! Paths that lead into archives, such as `mods.zip/id1/pak0.pak`.

use std::collections::HashMap;

use camino::Utf8Path;
use quakefs::content::ContentType;
use quakefs::disk::{Disk, FileKind};
use quakefs::{Archive, Error, Layer};

/// The entries with names of archives.
#[must_use]
pub fn nested_rows(archive: &Archive) -> Vec<usize> {
    let is_nested = |name: &[u8]| ContentType::of(name) == ContentType::Archive;
    let entries =
        archive.entries().filter(|entry| !entry.row().is_folder && is_nested(entry.name().as_bytes()));
    entries.map(|entry| entry.index()).collect()
}

/// The archives inside an archive: the part of their path, and the entry.
pub(crate) fn inside(archive: &Archive) -> Vec<(String, usize)> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let named = nested_rows(archive).into_iter().filter_map(|row| archive.entry(row)).map(|entry| {
        let name = entry.name().to_string();
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        (if *count > 1 { format!("{name} ({count})") } else { name }, entry.index())
    });
    named.collect()
}

/// Opens the archive in an entry.
pub(crate) fn opened(archive: &Archive, row: usize) -> Result<Archive, Error> {
    let file = Layer::of_archive("", archive.clone()).file(row).map(|file| file.read());
    Archive::from_data(file.transpose()?.unwrap_or_default())
}

/// The archive on a disk that a path leads into, and the path inside it. `None` if it leads to a file, or
/// nowhere.
pub(crate) fn outer<'p>(disk: &dyn Disk, path: &'p Utf8Path) -> Option<(&'p Utf8Path, &'p str)> {
    if disk.stat(path.as_std_path()).is_ok() {
        return None;
    }
    let is_file = |path: &&Utf8Path| {
        !path.as_str().is_empty()
            && disk.stat(path.as_std_path()).is_ok_and(|found| found.kind == FileKind::File)
    };
    let outer = path.ancestors().skip(1).find(is_file)?;
    Some((outer, path.as_str().get(outer.as_str().len() + 1..)?))
}

/// Opens the archive at a path inside an archive.
pub(crate) fn open_inside(archive: &Archive, path: &str) -> Option<Result<Archive, Error>> {
    inside(archive).into_iter().find_map(|(name, row)| match path.strip_prefix(&*name)? {
        "" => Some(opened(archive, row)),
        rest => match opened(archive, row) {
            Ok(archive) => open_inside(&archive, rest.strip_prefix('/')?),
            Err(_) => None,
        },
    })
}
