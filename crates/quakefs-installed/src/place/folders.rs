//! Folders of a download that are game directories, and the names that a game directory can have.

use std::collections::HashSet;

use quakefs::EntryName;
use quakefs::content::is_content_folder;

use super::signs::{self, is_mark};

/// The folders that hold files of a game. None is in another one, except base games.
pub(super) fn roots<'p>(paths: impl Iterator<Item = &'p str>, known: &[String]) -> HashSet<&'p str> {
    let all: HashSet<&str> = paths.filter_map(|path| root_of(path, known)).collect();
    let is_inside =
        |root: &str| !root.is_empty() && (all.contains("") || above(root).any(|folder| all.contains(folder)));
    all.iter().copied().filter(|root| is_base(last(root), known) || !is_inside(root)).collect()
}

/// The game directory that a path shows: above `maps/`, a folder like `id1`, or around a file like
/// `progs.dat`.
pub(super) fn root_of<'p>(path: &'p str, known: &[String]) -> Option<&'p str> {
    let mut start = 0;
    while let Some(length) = path.get(start..)?.find('/') {
        let end = start + length;
        let folder = path.get(start..end)?;
        if is_base(folder, known) {
            return path.get(..end);
        }
        if is_content_folder(folder) {
            return path.get(..start.saturating_sub(1));
        }
        start = end + 1;
    }
    is_mark(path.get(start..)?).then(|| path.get(..start.saturating_sub(1)).unwrap_or_default())
}

/// Whether a folder is a base game's, or a game directory that exists.
pub(super) fn is_base(folder: &str, known: &[String]) -> bool {
    let is = |name: &str| folder.eq_ignore_ascii_case(name);
    signs::is_base(folder)
        || signs::is_beside_base(folder)
        || (known.iter().any(|name| is(name)) && !is_content_folder(folder))
}

/// The folders above a folder.
pub(super) fn above(folder: &str) -> impl Iterator<Item = &str> {
    folder.rmatch_indices('/').filter_map(|(end, _)| folder.get(..end))
}

/// The folder of a path and its name there.
pub(super) fn halves(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

pub(super) fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The rest of a path below a folder.
pub(super) fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

/// A folder with a slash at its end; empty if it has no name.
pub(super) fn with_slash(folder: &str) -> String {
    if folder.is_empty() { String::new() } else { format!("{folder}/") }
}

/// A name for a game directory from a file name.
pub(super) fn guess(file: &str) -> String {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_ascii_lowercase();
    let is_kept = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
    let name: String = stem.chars().map(|letter| if is_kept(letter) { letter } else { '_' }).collect();
    let name = name.trim_matches(['.', '_', '-']);
    if is_folder(name) && !is_content_folder(name) { name.to_owned() } else { "download".to_owned() }
}

/// Whether a name can name one folder, on each system.
pub(super) fn is_folder(name: &str) -> bool {
    !name.contains('/') && EntryName::from(name).to_windows_path().is_ok_and(|path| *path == *name.as_bytes())
}
