//! The replacement files that the engine's rules list: `SearchPath::substitutes`.

use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::SubstituteKind;

use crate::gathered::{Gathered, any_of};
use crate::need::{By, Kind, Need};

/// One need for each file; none if the rules list no replacements of this kind. Files tried beside another
/// file are needs only if they exist. Textures can have replacements for one `level`.
pub(crate) fn needs(
    gathered: &Gathered<'_>,
    (of, name): (SubstituteKind, &[u8]),
    level: Option<&[u8]>,
    kind: Kind,
    by: &[By],
) -> Vec<Need> {
    if gathered.is_ended() {
        return Vec::new();
    }
    let files = gathered.search_path.substitutes(of, name, level).unwrap_or_default();
    let files = files.into_iter().filter(|file| !file.beside || !file.copies.is_empty());
    let need = |file: quakefs::search_path::Substitution<'_>| {
        // the engine loads the first copy that it finds
        let mut names: Vec<EntryNameBuf> = file.copies.iter().map(|copy| copy.name.clone()).collect();
        let is_skipped = |name: &EntryNameBuf| file.skipped.iter().any(|copy| copy.name == *name);
        for name in file.tried.iter().filter(|name| !is_skipped(name)) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        let is_found = !file.copies.is_empty();
        if of == SubstituteKind::Music && gathered.rules().music_folders.is_some() {
            // in a folder of a game, or beside the search path
            let in_music = |name: EntryNameBuf| [b"music/", name.as_bytes()].concat().into();
            names = names.into_iter().map(in_music).collect();
        }
        let need = any_of(names, kind, by.to_vec())?;
        let need = Need { is_found, ..need };
        Some(if file.beside { need.optional() } else { need })
    };
    files.filter_map(need).collect()
}
