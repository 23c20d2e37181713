//! Archives inside other archives.

use pak_format::verify::DecodeBudget;
use quakefs::content::ContentType;
use quakefs::{Archive, Error, Layer};

use crate::digested::NoDigest;

/// The deepest nesting of archives that are opened: more than anybody packs, and a limit for an archive that contains
/// itself.
const DEEPEST: usize = 4;

/// The entries with names of archives.
#[must_use]
pub fn nested_rows(archive: &Archive) -> Vec<usize> {
    let is_nested = |name: &[u8]| ContentType::of(name) == ContentType::Archive;
    let entries =
        archive.entries().filter(|entry| !entry.row().is_folder && is_nested(entry.name().as_bytes()));
    entries.map(|entry| entry.index()).collect()
}

/// Opens the archives inside an archive, and the archives inside these, in stored order. Each has a path that joins the
/// archive and the entry: `mods.zip/id1/pak0.pak`. Decoding them uses the budget. An archive that exceeds it is not
/// opened.
pub fn each_nested(
    path: &str,
    archive: &Archive,
    budget: &mut DecodeBudget,
    each: &mut impl FnMut(&str, Result<&Archive, NoDigest>, &mut DecodeBudget),
) {
    below(path, archive, budget, each, DEEPEST);
}

fn below(
    path: &str,
    archive: &Archive,
    budget: &mut DecodeBudget,
    each: &mut impl FnMut(&str, Result<&Archive, NoDigest>, &mut DecodeBudget),
    deeper: usize,
) {
    let Some(deeper) = deeper.checked_sub(1) else { return };
    let layer = Layer::of_archive(path, archive.clone());
    for entry in nested_rows(archive).into_iter().filter_map(|row| archive.entry(row)) {
        let inside = format!("{path}/{}", entry.name());
        if entry.check().is_ok() && !budget.take(entry.size()) {
            each(&inside, Err(NoDigest::OverLimit), budget);
            continue;
        }
        let Some(file) = layer.file(entry.index()) else { continue };
        let opened = file.read().and_then(|bytes| {
            let opened = Archive::from_data(bytes);
            opened.map_err(|error: Error| error.in_archive(&*inside))
        });
        match opened {
            Ok(opened) => {
                each(&inside, Ok(&opened), budget);
                below(&inside, &opened, budget, each, deeper);
            }
            Err(error) => each(&inside, Err(NoDigest::Unreadable(error)), budget),
        }
    }
}
