//! Files that get into archives by mistake.

use quakefs::content::ContentType;

/// Names of files and folders that editors, version control and systems leave behind.
const LEFT_BEHIND: &[&str] = &[
    "thumbs.db",
    "ehthumbs.db",
    "desktop.ini",
    ".ds_store",
    "__macosx",
    ".git",
    ".gitignore",
    ".gitattributes",
    ".svn",
    ".hg",
];

/// The ends of names of backups and of files in use.
const BACKUPS: &[&str] = &["~", ".bak", ".orig", ".swp"];

/// Whether no game requests a file of this name: a saved game, a backup of an editor, a file of version
/// control or of a system.
pub(super) fn is_unwanted(name: &str) -> bool {
    let is_left_behind = |part: &str| LEFT_BEHIND.iter().any(|left| part.eq_ignore_ascii_case(left));
    let ends = |end: &&str| {
        let start = name.len().checked_sub(end.len());
        start.and_then(|start| name.get(start..)).is_some_and(|last| last.eq_ignore_ascii_case(end))
    };
    ContentType::of(name.as_bytes()) == ContentType::Save
        || BACKUPS.iter().any(ends)
        || name.split('/').any(is_left_behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_backups_and_saved_games_are_unwanted() {
        for name in ["maps/Thumbs.db", "maps/start.map~", "__MACOSX/a.cfg", "s0.sav"] {
            assert!(is_unwanted(name), "{name}");
        }
        assert!(!is_unwanted("maps/start.bsp"));
    }
}
