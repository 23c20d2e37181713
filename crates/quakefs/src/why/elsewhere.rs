//! Copies of a name where the engine does not look.

use super::explain::{Differs, Match, Reason, in_other_games, too_deep};
use super::skipped::{SkippedBecause, SkippedCopy};
use crate::SearchPath;
use crate::disk::FileKind;
use crate::findings::Location;
use crate::pak_format::EntryName;

/// Copies of a name in folders and archives where the engine does not look, and in the other games of the
/// base directories. The first call opens the archives of these games.
#[must_use]
pub fn copies_elsewhere<'s>(search_path: &'s SearchPath, name: &[u8]) -> Vec<SkippedCopy<'s>> {
    let mut copies = in_own_folders(search_path, name);
    copies.extend(too_deep(search_path, name).into_iter().filter_map(|reason| match reason {
        Reason::TooDeep { archive, directory, .. } => Some(SkippedCopy {
            name: name.into(),
            location: Location::layer(&*archive),
            because: SkippedBecause::TooDeep { directory },
        }),
        _ => None,
    }));
    copies.extend(in_other_games(search_path, name).filter_map(|reason| match reason {
        Reason::Elsewhere { at: Match::OtherGame { game, file }, name: differs }
            if differs == Differs::default() =>
        {
            let because = SkippedBecause::OtherGame { game: &game.directory };
            Some(SkippedCopy { name: name.into(), location: file.location(), because })
        }
        _ => None,
    }));
    copies
}

/// Files in a folder with the name of the game directory that contains it: `mymod/mymod/maps/start.bsp`.
fn in_own_folders<'s>(search_path: &'s SearchPath, name: &[u8]) -> Vec<SkippedCopy<'s>> {
    let folders = search_path.layers().filter(|layer| layer.archive().is_none());
    let found = folders.filter_map(|layer| {
        let last = layer.game_directory()?.name.rsplit('/').next()?;
        let below = format!("{last}/{}", std::str::from_utf8(name).ok()?);
        let path = layer.system_path()?.join(&below);
        let stat = search_path.disk().stat(path.as_std_path()).ok()?;
        let because = SkippedBecause::TooDeep { directory: layer.name().to_owned() };
        let location = Location::file(layer.name(), EntryName::from(&*below));
        (stat.kind == FileKind::File).then_some(SkippedCopy { name: name.into(), location, because })
    });
    found.collect()
}
