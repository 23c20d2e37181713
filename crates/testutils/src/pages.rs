//! The pages of the guide, and the output in their console blocks.

use std::collections::BTreeMap;
use std::fs;

use camino::Utf8PathBuf;

use crate::{root, update};

/// The README and every page of `docs`, by name.
#[must_use]
pub fn pages() -> Vec<Utf8PathBuf> {
    let folder = fs::read_dir(root().join("docs")).unwrap();
    let paths = folder.map(|entry| Utf8PathBuf::from_path_buf(entry.unwrap().path()).unwrap());
    let mut pages: Vec<_> = paths.filter(|path| path.extension() == Some("md")).collect();
    pages.sort();
    pages.insert(0, root().join("README.md"));
    pages
}

/// Compares the console blocks of all pages with the output of their commands; `UPDATE=1` writes the output
/// into the pages.
///
/// The blocks `console NAME` of a page are one story, and so are those without a name. `print` receives its
/// commands, and returns the output of each.
pub fn check_pages(suite: &str, print: impl Fn(&[&str]) -> Vec<String>) {
    let (mut stale, mut commands) = (Vec::new(), 0);
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let mut stories: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (story, line) in lines(&page) {
            if let (Some(story), Some(command)) = (story, line.strip_prefix("$ ")) {
                stories.entry(story).or_default().push(command);
            }
        }
        let mut printed = BTreeMap::new();
        for (story, asked) in stories {
            let answers = print(&asked);
            assert_eq!(answers.len(), asked.len(), "{path}: the shell ended early: {answers:?}");
            commands += asked.len();
            printed.insert(story, answers.into_iter());
        }
        let mut fresh = String::new();
        for (story, line) in lines(&page) {
            let answers = story.and_then(|story| printed.get_mut(story));
            if answers.is_none() || line.starts_with("$ ") {
                fresh.extend([line, "\n"]);
            }
            if let Some(answers) = answers
                && line.starts_with("$ ")
            {
                fresh.push_str(&answers.next().unwrap());
            }
        }
        if fresh == page {
            continue;
        }
        if update() {
            fs::write(&path, fresh).unwrap();
        } else {
            stale.push(path.file_name().unwrap().to_owned());
        }
    }
    assert!(commands > 0, "no page shows a command");
    assert!(stale.is_empty(), "these pages are stale: {}; UPDATE=1 cargo test {suite}", stale.join(", "));
}

/// The lines of a page, each with its story. Fences have none.
fn lines(page: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    let mut story = None;
    page.lines().map(move |line| {
        if !line.starts_with("```") {
            return (story, line);
        }
        story = line.strip_prefix("```console").map(str::trim_start);
        (None, line)
    })
}
