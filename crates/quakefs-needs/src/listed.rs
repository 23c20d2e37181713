//! Files of one folder, as the engine lists them.

use quakefs::rules::Case;
use quakefs::{File, SearchPath};

/// The files directly in a folder with this ending, sorted by name. A glob would add its compiler to the
/// module for browsers.
pub(crate) fn straight_in<'s>(
    search_path: &'s SearchPath,
    folder: &'static [u8],
    end: &'static [u8],
) -> impl Iterator<Item = File<'s>> {
    let ignores_case = search_path.loose().pattern_case(search_path.rules().archives.case) == Case::Ignored;
    let is = move |part: &[u8], wanted: &[u8]| {
        if ignores_case { part.eq_ignore_ascii_case(wanted) } else { part == wanted }
    };
    search_path.files().filter(move |file| {
        let name = file.name().as_bytes();
        let last =
            name.split_at_checked(folder.len()).filter(|(start, _)| is(start, folder)).map(|(_, last)| last);
        last.filter(|last| !last.contains(&b'/'))
            .and_then(|last| last.get(last.len().checked_sub(end.len())?..))
            .is_some_and(|last| is(last, end))
    })
}
