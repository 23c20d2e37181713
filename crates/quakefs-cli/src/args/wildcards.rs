//! Expands wildcards in paths, such as `mods\*.pak`, because the shells of Windows do not.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

/// The paths that match the wildcards in a path, sorted by name. Without a match, or on systems other than
/// Windows, it is the path itself.
pub(crate) fn expanded(path: &Path, root: Option<&Path>) -> Vec<PathBuf> {
    let found = if cfg!(windows) { matching(path, root) } else { Vec::new() };
    if found.is_empty() { vec![path.to_owned()] } else { found }
}

/// The paths that match a pattern of `*`, `?` and `**` in any case, below a root or the current folder.
///
/// No part of it recurses: a command line on Windows may have 32,767 letters.
fn matching(pattern: &Path, root: Option<&Path>) -> Vec<PathBuf> {
    let wildcards = |part: &OsStr| part.to_str().filter(|text| text.contains(['*', '?'])).map(letters);
    if wildcards(pattern.as_os_str()).is_none() {
        return Vec::new();
    }
    let root = root.unwrap_or(Path::new(""));
    let mut found = vec![PathBuf::new()];
    for part in pattern.components() {
        match wildcards(part.as_os_str()) {
            None => found.iter_mut().for_each(|path| path.push(part)),
            Some(text) if text == ['*', '*'] => found = with_folders_below(found, root),
            Some(text) => {
                let fits = |name: &Path| name.to_str().is_some_and(|name| matches(&text, &letters(name)));
                let inside = found.iter().flat_map(|folder| {
                    let entries = entries(root, folder).map(|entry| PathBuf::from(entry.file_name()));
                    entries.filter(|name| fits(name)).map(|name| folder.join(name))
                });
                found = inside.collect();
            }
        }
    }
    found.retain(|path| root.join(path).exists());
    found.sort_unstable();
    found
}

/// Folders and all folders below them, each once. Links do not count: they may lead in a circle.
fn with_folders_below(folders: Vec<PathBuf>, root: &Path) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    let mut waiting = folders;
    while let Some(folder) = waiting.pop() {
        if found.contains(&folder) {
            continue;
        }
        let is_folder = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        waiting.extend(entries(root, &folder).filter(is_folder).map(|entry| folder.join(entry.file_name())));
        found.insert(folder);
    }
    found.into_iter().collect()
}

/// The entries of a folder below a root. Empty if it cannot be read.
fn entries(root: &Path, folder: &Path) -> impl Iterator<Item = DirEntry> {
    let folder = root.join(folder);
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
    folder.read_dir().into_iter().flatten().flatten()
}

/// Whether a name matches a pattern of `*` and `?` in any case, in at most the product of their lengths.
fn matches(pattern: &[char], name: &[char]) -> bool {
    let (mut at, mut seen) = (0, 0);
    // behind the last star, and the letters that this star has taken
    let mut star = None;
    loop {
        match (pattern.get(at), name.get(seen)) {
            (Some('*'), _) => {
                at += 1;
                star = Some((at, seen));
            }
            (None, None) => return true,
            (Some(letter), Some(other))
                if *letter == '?' || letter.to_lowercase().eq(other.to_lowercase()) =>
            {
                at += 1;
                seen += 1;
            }
            (_, other) => match &mut star {
                // the star takes one letter more
                Some((behind, taken)) if other.is_some() => {
                    *taken += 1;
                    (at, seen) = (*behind, *taken);
                }
                _ => return false,
            },
        }
    }
}

fn letters(text: &str) -> Vec<char> {
    text.chars().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wildcard_stands_for_the_files_that_match() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("sub/deep")).unwrap();
        for name in ["b.PAK", "a.pak", "c.txt", "[x].pak", "sub/d.pak", "sub/deep/e.pak"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let names = |pattern: &str| -> Vec<_> {
            let found = matching(Path::new(pattern), Some(folder.path()));
            found.iter().map(|path| path.to_str().unwrap().replace('\\', "/")).collect()
        };
        assert_eq!(names("*.pak"), ["[x].pak", "a.pak", "b.PAK"]);
        assert_eq!(names("?.txt"), ["c.txt"]);
        assert_eq!(names("[x]*"), ["[x].pak"]);
        assert_eq!(names("s*/*"), ["sub/d.pak", "sub/deep"]);
        assert_eq!(names("**/?.pak"), ["a.pak", "b.PAK", "sub/d.pak", "sub/deep/e.pak"]);
        assert_eq!(names("*b/deep/e.pak"), ["sub/deep/e.pak"]);
        assert_eq!(names("a.pak"), [""; 0]);
        assert_eq!(names("none*"), [""; 0]);
        let whole = folder.path().join("*.txt");
        assert_eq!(matching(&whole, None), [folder.path().join("c.txt")]);
        let expected = if cfg!(windows) { folder.path().join("c.txt") } else { whole.clone() };
        assert_eq!(expanded(&whole, None), [expected]);
    }

    #[test]
    fn a_star_matches_any_letters_and_a_question_mark_one() {
        let matches = |pattern: &str, name: &str| matches(&letters(pattern), &letters(name));
        for (pattern, name) in
            [("*", ""), ("a*b*c", "aXbYbZc"), ("**a", "a"), ("?\u{e9}*", "x\u{c9}"), ("A.PAK", "a.pak")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("?", ""), ("a*b", "abc"), ("a", "ab"), ("*.pak", "pak"), ("[ab]", "a")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn a_pattern_of_any_length_is_matched_in_little_time() {
        assert!(matches(&letters(&"*".repeat(87_380)), &letters("a.pak")));
        assert!(!matches(&letters(&format!("{}b", "*a".repeat(500))), &letters(&"a".repeat(250))));
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("a/".repeat(20))).unwrap();
        let found = |pattern: &str| matching(Path::new(pattern), Some(folder.path())).len();
        assert_eq!(found(&"**/".repeat(40)), 21);
        assert_eq!(found(&format!("*/{}", "a/".repeat(16_000))), 0);
    }
}
