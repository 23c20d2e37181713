//! Finds the files to put into an archive, and reports skipped ones.

use pak_format::folder::{self, CollectOptions, Collected, CollectedFile, LeftOutBecause};
use quakefs::why::words::Say as _;

use crate::args::{Input, Inputs, expanded};
use crate::console::{Console, Failure, Message};
use crate::output::grouped;
use crate::text::SHELL;

/// How many unwanted files are named before the rest are counted.
const PRINTED: usize = 10;

/// Finds the files below some paths, and warns of skipped ones except the archive itself.
pub(crate) fn collect(
    inputs: &Inputs,
    options: &CollectOptions,
    console: &mut Console<'_>,
) -> Result<Vec<CollectedFile>, Failure> {
    let mut collected = Collected::default();
    for Input { root, paths } in &inputs.0 {
        let mut options = options.clone();
        options.root = root.as_ref().map(Into::into);
        let paths = paths.iter().flat_map(|path| expanded(path.as_std_path(), options.root.as_deref()));
        let found = folder::collect(paths, &options);
        collected.files.extend(found.files);
        collected.left_out.extend(found.left_out);
        collected.errors.extend(found.errors);
    }
    let (unwanted, others): (Vec<_>, Vec<_>) =
        collected.left_out.iter().partition(|left_out| left_out.because == LeftOutBecause::Unwanted);
    for left_out in others.iter().filter(|left_out| left_out.because != LeftOutBecause::Archive) {
        console.warn(&left_out.say_to(SHELL).into());
    }
    // a version control folder contains thousands
    for left_out in unwanted.iter().take(PRINTED) {
        console.warn(&left_out.say_to(SHELL).into());
    }
    if let Some(more @ 1..) = unwanted.len().checked_sub(PRINTED) {
        console.warn(&Message::without_help(format!("and {} more like this", grouped(more as u64))));
    }
    for error in &collected.errors {
        console.error(&error.say_to(SHELL).into());
    }
    if collected.errors.is_empty() {
        Ok(collected.files)
    } else {
        Err(Message::without_help("nothing was written").into())
    }
}
