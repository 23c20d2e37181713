//! Expands wildcards in paths, such as `mods\*.pak`, because the shells of Windows do not.

use std::path::{Component, Path, PathBuf};

/// The paths that match the wildcards in a path, sorted by name. Without a match, or on systems other than Windows, it
/// is the path itself.
pub(crate) fn expanded(path: &Path, root: Option<&Path>) -> Vec<PathBuf> {
    let found = if cfg!(windows) { matching(path, root) } else { Vec::new() };
    if found.is_empty() { vec![path.to_owned()] } else { found }
}

/// The paths that match a pattern of `*`, `?` and `**` in any case, below a root or the current folder.
fn matching(pattern: &Path, root: Option<&Path>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if pattern.to_str().is_some_and(|text| text.contains(['*', '?'])) {
        let parts: Vec<_> = pattern.components().collect();
        find(Path::new(""), &parts, root.unwrap_or(Path::new("")), &mut found);
    }
    found
}

/// Adds the paths that begin with `start` and continue as the parts of a pattern.
fn find(start: &Path, parts: &[Component<'_>], root: &Path, found: &mut Vec<PathBuf>) {
    let [part, rest @ ..] = parts else {
        if root.join(start).exists() {
            found.push(start.to_owned());
        }
        return;
    };
    let text = part.as_os_str().to_str().filter(|text| text.contains(['*', '?']));
    let Some(text) = text else { return find(&start.join(part), rest, root, found) };
    let folder = root.join(start);
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
    let mut entries: Vec<_> = folder.read_dir().into_iter().flatten().flatten().collect();
    entries.sort_unstable_by_key(std::fs::DirEntry::file_name);
    if text == "**" {
        find(start, rest, root, found);
        // links may lead in a circle
        entries.retain(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    }
    for entry in entries {
        let name = entry.file_name();
        if text == "**" {
            find(&start.join(name), parts, root, found);
        } else if name.to_str().is_some_and(|name| matches(&letters(text), &letters(name))) {
            find(&start.join(name), rest, root, found);
        }
    }
}

/// Whether a name matches a pattern of `*` and `?` in any case.
fn matches(pattern: &[char], name: &[char]) -> bool {
    match (pattern, name) {
        ([], _) => name.is_empty(),
        (['*', rest @ ..], []) => matches(rest, name),
        (['*', rest @ ..], [_, more @ ..]) => matches(rest, name) || matches(pattern, more),
        ([letter, rest @ ..], [first, more @ ..]) => {
            (*letter == '?' || letter.to_lowercase().eq(first.to_lowercase())) && matches(rest, more)
        }
        _ => false,
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
}
