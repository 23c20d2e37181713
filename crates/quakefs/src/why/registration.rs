//! Tells a registered copy of Quake from the shareware.

use std::io::Read as _;

use crate::archive::crc32;
use crate::rules::Shareware;
use crate::{Archive, Layer, SearchPath};

/// The state of the file that marks a registered copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Registration {
    /// The file has the right bytes.
    Registered,
    /// The file is missing. id's engines then refuse to start mods, and some ignore loose files whose names
    /// contain `/`: [`Shareware::only_top_level`](crate::rules::Shareware::only_top_level).
    Shareware,
    /// The file has other bytes. id's engines stop.
    Corrupt,
}

impl Registration {
    /// The word for it: `registered`, `shareware` or `corrupt`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Registration::Registered => "registered",
            Registration::Shareware => "shareware",
            Registration::Corrupt => "corrupt",
        }
    }
}

/// What the files that the engine finds show: `None` if it does not check them or no game directory is
/// mounted.
pub(super) fn shown(search_path: &SearchPath) -> Option<Registration> {
    let registered = search_path.rules().registered.as_ref()?;
    search_path.layers().find(|layer| layer.game_directory().is_some())?;
    let Some(found) = search_path.find(registered.file.as_bytes()) else {
        return Some(Registration::Shareware);
    };
    // `COM_CheckRegistered` in Quake's `common.c` reads this many bytes, and ignores the rest of a longer
    // file
    let read = registered.size.map_or(u64::MAX, u64::from);
    let right_size = registered.size.is_none() || found.size() >= read;
    let has_crc = |expected| {
        let mut bytes = Vec::new();
        let copied = found.open().and_then(|file| Ok(file.take(read).read_to_end(&mut bytes)?));
        copied.is_ok() && crc32(&bytes) == expected
    };
    let right_bytes = || registered.crc32.is_none_or(has_crc);
    Some(if right_size && right_bytes() { Registration::Registered } else { Registration::Corrupt })
}

/// Whether the lowest archive has as many entries as the shareware's.
pub(crate) fn is_shareware(search_path: &SearchPath) -> bool {
    shareware(search_path).is_some()
}

/// Whether the engine takes the archives for a changed game: there are some, and not only the shareware's.
pub(crate) fn is_modified(search_path: &SearchPath) -> bool {
    let is_own = |(pak, shareware): (&Archive, &Shareware)| {
        pak.bytes(pak.directory_range()).is_ok_and(|rows| shareware.is_directory(&rows))
    };
    match of_game(search_path).count() {
        0 => false,
        1 => !shareware(search_path).is_some_and(is_own),
        _ => true,
    }
}

fn shareware(search_path: &SearchPath) -> Option<(&Archive, &Shareware)> {
    let shareware = search_path.rules().registered.as_ref()?.shareware.as_ref()?;
    let lowest = of_game(search_path).next_back()?;
    let pak = lowest.archive().filter(|archive| archive.layout().is_some())?;
    (pak.rows() == shareware.entries).then_some((pak, shareware))
}

/// The archives of the game and of layers on top of it, without the engine's own.
fn of_game(search_path: &SearchPath) -> impl DoubleEndedIterator<Item = &Layer> {
    let is_own = |layer: &Layer| layer.game_directory().is_some() && layer.set().is_none();
    search_path
        .layers()
        .filter(move |layer| layer.archive().is_some() && search_path.rank(layer) > 0 && !is_own(layer))
}
