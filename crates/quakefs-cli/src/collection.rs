//! The files that go into an archive: what is printed about the paths and folders that they come from.

use camino::Utf8PathBuf;
use pak_format::folder::{self, CollectErrorKind, CollectOptions, CollectedFile, LeftOut, LeftOutBecause};
use pak_format::name::escape_path;

use crate::console::{Console, Failure, Message};
use crate::output::grouped;

/// How many files that no game asks for are named before the rest are counted.
const PRINTED: usize = 10;

/// Finds the files of some paths. What is left out of a folder is reported, but for the archive itself.
pub(crate) fn collect(
    paths: &[Utf8PathBuf],
    options: &CollectOptions,
    console: &mut Console<'_>,
) -> Result<Vec<CollectedFile>, Failure> {
    let collected = folder::collect(paths, options);
    let (unwanted, others): (Vec<_>, Vec<_>) =
        collected.left_out.iter().partition(|left_out| left_out.because == LeftOutBecause::Unwanted);
    let text =
        |left_out: &LeftOut| format!("{}: left out: {}", escape_path(&left_out.path), left_out.because);
    for left_out in others {
        match left_out.because {
            LeftOutBecause::Archive => {}
            LeftOutBecause::Temporary => console.warn(&Message::new(text(left_out), "remove it")),
            _ => console.warn(&Message::without_help(text(left_out))),
        }
    }
    // a folder of version control holds thousands
    for left_out in unwanted.iter().take(PRINTED) {
        console.warn(&Message::new(text(left_out), "--all takes it too"));
    }
    if let Some(more @ 1..) = unwanted.len().checked_sub(PRINTED) {
        console.warn(&Message::without_help(format!("and {} more like this", grouped(more as u64))));
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
