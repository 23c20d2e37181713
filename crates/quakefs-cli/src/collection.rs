//! Finds the files to put into an archive, and reports skipped ones.

use std::path::Path;

use pak_format::folder::{self, CollectOptions, CollectedFile, NotCollected, SkipReason};
use pak_format::name::escape_path;

use crate::args::{Input, Inputs, expanded};
use crate::console::{Console, Failure, Message};
use crate::output::grouped;
use crate::text::command_line;

/// How many unwanted files are printed. The rest are counted.
const PRINTED: usize = 10;

/// Finds the files below some paths, and warns of skipped ones except the archive itself.
pub(crate) fn collect(
    inputs: &Inputs,
    options: &CollectOptions,
    console: &mut Console<'_>,
) -> Result<Vec<CollectedFile>, Failure> {
    let (mut files, mut skipped) = (Vec::new(), Vec::new());
    for Input { root, paths } in &inputs.0 {
        let mut options = options.clone();
        options.root = root.as_ref().map(Into::into);
        let paths = paths.iter().flat_map(|path| expanded(path.as_std_path(), options.root.as_deref()));
        let found = folder::collect(paths, &options);
        files.extend(found.0);
        skipped.extend(found.1);
    }
    let (errors, skipped): (Vec<_>, Vec<_>) = skipped.iter().partition(|skipped| skipped.is_error);
    let (unwanted, others): (Vec<&NotCollected>, Vec<_>) =
        skipped.into_iter().partition(|skipped| matches!(skipped.reason, SkipReason::Unwanted));
    let others = others.into_iter().filter(|skipped| !matches!(skipped.reason, SkipReason::Archive));
    // a version control folder contains thousands
    for NotCollected { path, reason, .. } in others.chain(unwanted.iter().copied().take(PRINTED)) {
        let text = format!("{}: not packed: {reason}", escape_path(path));
        console.warn(&Message::new(text, help(path, reason)));
    }
    if let Some(more @ 1..) = unwanted.len().checked_sub(PRINTED) {
        console.warn(&Message::without_help(format!("and {} more like this", grouped(more as u64))));
    }
    for error in &errors {
        console.error(&Message::new(error.to_string(), help(&error.path, &error.reason)));
    }
    if errors.is_empty() { Ok(files) } else { Err(Message::without_help("nothing was written").into()) }
}

/// The advice for a reader in a shell.
fn help(path: &Path, reason: &SkipReason) -> String {
    match (reason, path.parent(), path.file_name()) {
        (SkipReason::NoName, Some(folder), Some(name)) => {
            let (folder, name) = if path.is_dir() { (path, ".".as_ref()) } else { (folder, name) };
            let [folder, name] = [folder, Path::new(name)].map(escape_path);
            format!("name it and its folder apart: {}", command_line(["-C", &*folder, &*name]))
        }
        (SkipReason::NoName, ..) => "name that folder with -C".to_owned(),
        (SkipReason::Unwanted, ..) => "--all packs it too".to_owned(),
        _ => reason.help().to_owned(),
    }
}
