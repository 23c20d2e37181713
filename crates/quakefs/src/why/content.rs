//! Files that the engine cannot load, by their content.

use pak_format::verify::DecodeBudget;
use quake_content::{Examined, Format};

use super::on_all_cores;
use crate::archive::Method;
use crate::findings::FindingKind;
use crate::{Engine, Error, File, Finding, SearchPath};

/// Reads a file as an engine does when it loads it, whatever the engine's limits. Returns `None` for a file
/// of a kind that quakefs does not read.
///
/// # Errors
/// The file cannot be read, or no engine can load it.
pub fn examine(file: &File<'_>) -> Option<Result<Examined, FindingKind>> {
    let format = Format::of(file.name().as_bytes())?;
    let unreadable = |error: Error| match file.entry() {
        Some(_) => FindingKind::Entry(error),
        None => FindingKind::Unreadable(error),
    };
    let examined = || {
        let whole = || {
            let bytes = file.read().map_err(unreadable)?;
            format.examine(&bytes, bytes.len() as u64).map_err(FindingKind::WrongContent)
        };
        if format.reads_all(&[]) || file.size() <= Format::START as u64 {
            return whole();
        }
        let mut start = vec![0; Format::START];
        let filled = file.read_at(0, &mut start).map_err(unreadable)?;
        start.truncate(filled);
        if format.reads_all(&start) {
            return whole();
        }
        format.examine(&start, file.size()).map_err(FindingKind::WrongContent)
    };
    Some(examined())
}

/// Why the engine of a search path cannot load a file; `None` if it can, or if quakefs does not read files of
/// its kind.
#[must_use]
pub fn wrong_in(search_path: &SearchPath, file: &File<'_>) -> Option<Finding> {
    let rules = search_path.rules();
    let kind = match examine(file)? {
        Err(kind) => kind,
        Ok(examined) => {
            let name = file.name().as_bytes();
            let format = Format::of(name)?.name();
            let refused = rules.loads.known()?.refused(
                name,
                (format, &examined.version),
                examined.counts.iter().copied(),
            );
            let why = refused?;
            let loads = |other: &&Engine| {
                let loads = other.rules().loads.known();
                loads.is_some_and(|loads| {
                    loads
                        .refused(name, (format, &examined.version), examined.counts.iter().copied())
                        .is_none()
                })
            };
            let mut others =
                Engine::ALL.iter().filter(|other| other.rules().directories.share_base(&rules.directories));
            FindingKind::NotLoaded { why, by: others.find(loads).map(|engine| engine.rules().name.clone()) }
        }
    };
    Some(Finding::new(&rules.name, file.location(), kind))
}

/// The files that the engine cannot load. Counts in `not_read` the files of each layer that are beyond the
/// budget.
pub(super) fn wrong_content(
    search_path: &SearchPath,
    files: &[File<'_>],
    budget: &mut DecodeBudget,
    not_read: &mut [usize],
) -> Vec<Finding> {
    let is_read = |file: &&File<'_>| {
        if Format::of(file.name().as_bytes()).is_none() {
            return false;
        }
        let is_compressed = file.archive_entry().is_some_and(|entry| entry.row().method != Method::Stored);
        let is_read = !is_compressed || budget.take(file.size());
        if !is_read && let Some(count) = not_read.get_mut(file.layer().index()) {
            *count += 1;
        }
        is_read
    };
    let read: Vec<_> = files.iter().filter(is_read).collect();
    on_all_cores(&read, |file| wrong_in(search_path, file)).into_iter().flatten().collect()
}
