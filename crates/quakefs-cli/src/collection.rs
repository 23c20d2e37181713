//! The files that go into an archive: what is printed about the paths and folders that they come from.

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::folder::{self, CollectErrorKind, CollectOptions, CollectedFile, LeftOutBecause};
use pak_format::name::escape_path;

use crate::console::{Console, Failure, Message};

/// Finds the files of some paths, with names relative to `root` or to the current folder. What is left out of a folder
/// is reported, but for the archive itself.
pub(crate) fn collect(
    root: Option<&Utf8Path>,
    paths: &[Utf8PathBuf],
    archive: &Utf8Path,
    // the name of the one file, where it does not follow from its path
    name: Option<&str>,
    console: &mut Console<'_>,
) -> Result<Vec<CollectedFile>, Failure> {
    let mut options = CollectOptions::new().archive(archive);
    options.root = root.map(Into::into);
    options.name = name.map(Into::into);
    let collected = folder::collect(paths, &options);
    for left_out in &collected.left_out {
        let text = format!("{}: left out: {}", escape_path(&left_out.path), left_out.because);
        match left_out.because {
            LeftOutBecause::Archive => {}
            LeftOutBecause::Temporary => console.warn(&Message::new(text, "remove it")),
            _ => console.warn(&Message::without_help(text)),
        }
    }
    for error in &collected.errors {
        let help = match error.kind {
            CollectErrorKind::NoName => Some("name that folder by -C".to_owned()),
            CollectErrorKind::NotUtf8 => Some("rename it".to_owned()),
            _ => None,
        };
        console.error(&Message { text: error.to_string(), help });
    }
    if collected.errors.is_empty() {
        Ok(collected.files)
    } else {
        Err(Message::without_help("nothing was written").into())
    }
}
