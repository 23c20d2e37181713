//! Wildcards in paths, where the shell leaves them to the program: `mods\*.pak`.

use std::path::{Path, PathBuf};

/// The files that a path stands for: those that match, in order of their names, where the path has `*` or `?` and this system
/// has no such names. Otherwise the path itself.
pub(crate) fn expanded(path: &Path, root: Option<&Path>) -> Vec<PathBuf> {
    let found = if cfg!(windows) { matching(path, root) } else { Vec::new() };
    if found.is_empty() { vec![path.to_owned()] } else { found }
}

#[cfg(not(windows))]
fn matching(_: &Path, _: Option<&Path>) -> Vec<PathBuf> {
    Vec::new()
}

#[cfg(windows)]
fn matching(path: &Path, root: Option<&Path>) -> Vec<PathBuf> {
    let options = glob::MatchOptions {
        case_sensitive: false,
        require_literal_separator: true,
        require_literal_leading_dot: false,
    };
    let Some(pattern) = path.to_str().filter(|path| path.contains(['*', '?'])) else { return Vec::new() };
    // a bracket is a letter of names there
    let pattern = pattern.replace('[', "[[]");
    let root = root.map(|root| glob::Pattern::escape(&root.to_string_lossy()));
    let whole = root.as_ref().map_or(pattern.clone(), |root| format!(r"{root}\{pattern}"));
    let found = glob::glob_with(&whole, options).into_iter().flatten().flatten();
    let below = |path: PathBuf| match &root {
        Some(root) => path.strip_prefix(root).map_or(path.clone(), Path::to_owned),
        None => path,
    };
    found.map(below).collect()
}

#[cfg(all(test, windows))]
mod tests {
    use super::*;

    #[test]
    fn a_wildcard_stands_for_the_files_that_match() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.PAK", "a.pak", "c.txt", "[x].pak"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let names = |pattern: &str| -> Vec<_> {
            let found = expanded(Path::new(pattern), Some(folder.path()));
            found.iter().map(|path| path.to_str().unwrap().to_owned()).collect()
        };
        assert_eq!(names("*.pak"), ["[x].pak", "a.pak", "b.PAK"]);
        assert_eq!(names("?.txt"), ["c.txt"]);
        assert_eq!(names("[x]*"), ["[x].pak"]);
        assert_eq!(names("a.pak"), ["a.pak"]);
        assert_eq!(names("none*"), ["none*"]);
        let whole = folder.path().join("*.txt");
        assert_eq!(expanded(&whole, None), [folder.path().join("c.txt")]);
    }
}
