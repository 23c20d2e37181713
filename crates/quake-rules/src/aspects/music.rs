//! Music beside the search path.

use super::loose::LooseCase;
use crate::documented::documented;
use crate::{List, Text};

documented! {
    /// Folders of music that are not part of the search path, such as `music` beside `baseq2`. The files are
    /// loose, and their names are those of the substitutes for music.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct MusicFolders {
        /// The folders, low to high. `{}` is the game, or else `game`.
        pub folders: List<Text>,
        /// The game, if no other is named.
        pub game: Text,
        /// How names compare with the files.
        pub case: LooseCase,
        /// For each pattern with a number, the track by which the engine chooses: the highest folder that has
        /// it serves all tracks with this pattern. Empty if each track may come from another folder.
        pub probes: List<TrackProbe>,
        /// Games with other numbers for their tracks.
        pub renumbered: List<Renumbered>,
    }
}

documented! {
    /// A track that shows which names a folder of music has.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct TrackProbe {
        /// The number of the track.
        pub track: u32,
        /// Whether a game's other numbers apply to these names.
        pub renumbered: bool,
    }
}

documented! {
    /// The tracks that a game plays for the numbers of its levels.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Renumbered {
        /// The game.
        pub game: Text,
        /// The tracks for 2, 3 and so on.
        pub tracks: List<u32>,
    }
}

impl MusicFolders {
    /// The track that a game plays for a number.
    #[must_use]
    pub fn track(&self, game: &str, number: u32) -> u32 {
        let tracks = self.renumbered.iter().find(|of| of.game == game).map(|of| &of.tracks);
        let place = number.checked_sub(2).and_then(|place| usize::try_from(place).ok());
        let other = tracks.zip(place).and_then(|(tracks, place)| tracks.get(place));
        other.copied().unwrap_or(number)
    }
}
