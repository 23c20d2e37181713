//! The files that the engine asks for in the place of another thing, as its rules say: `SearchPath::substitutes`.

use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::SubstituteKind;

use crate::gathered::{Gathered, any_of};
use crate::need::{By, Kind, Need};

/// The thing that is named.
#[derive(Clone, Copy)]
pub(crate) struct Thing<'a> {
    pub(crate) of: SubstituteKind,
    pub(crate) name: &'a [u8],
    /// The name of the level, of its textures.
    pub(crate) level: Option<&'a [u8]>,
}

/// A need for each file; none where the rules say nothing of the kind. What is looked for beside a file is a need where it is
/// there.
pub(crate) fn needs(gathered: &Gathered<'_>, thing: Thing<'_>, kind: Kind, by: &[By]) -> Vec<Need> {
    let files = gathered.stack.substitutes(thing.of, thing.name, thing.level).unwrap_or_default();
    let files = files.into_iter().filter(|file| !file.beside || !file.copies.is_empty());
    let need = |file: quakefs::search_path::Substitution<'_>| {
        // the copy that is loaded is the first that is found
        let mut names: Vec<EntryNameBuf> = file.copies.iter().map(|copy| copy.name.clone()).collect();
        let is_ignored = |name: &EntryNameBuf| file.ignored.iter().any(|copy| copy.name == *name);
        for name in file.asked.iter().filter(|name| !is_ignored(name)) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        let need = any_of(names, kind, by.to_vec())?;
        Some(if file.beside { need.optional() } else { need })
    };
    files.filter_map(need).collect()
}
