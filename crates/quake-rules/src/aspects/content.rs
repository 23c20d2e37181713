//! What an engine and the entities of a level name.

use std::borrow::Cow;

use super::names::split_at_braces;
use crate::documented::documented;
use crate::fault::Faults;
use crate::{List, Text};

documented! {
    /// Files that the engine itself loads, whatever the level.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Needed {
        /// Files without which the engine exits with an error or crashes when it starts; of an engine with
        /// pictures and a dedicated server, what the former needs. A file of 0 bytes counts as missing,
        /// unless it has the name of an archive. One of `conchars.{pcx,png}` is enough.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub to_start: List<Text>,
        /// Archives without which the engine exits when it starts.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub archives: List<NeededArchives>,
        /// The editions of the game that the engine plays; none if it does not compare them.
        pub editions with "crate::forms::or_none": Option<Editions>,
        /// Other files: the engine reports that they are missing, or stops when it shows them.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub to_play: List<Text>,
    }
}

documented! {
    /// Archives of a game directory that all have to be mounted, if the directory is on the search path.
    /// Their names compare without case, and an archive without entries counts as missing.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct NeededArchives {
        /// The game directory.
        pub directory: Text,
        /// The files.
        pub files: List<Text>,
        /// The games with which the engine looks for them, with an empty text for none; empty for every game.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub games: List<Text>,
        /// An archive with its directory that replaces them all, such as a demo's; empty for none.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "str::is_empty"))]
        pub instead: Text,
    }
}

documented! {
    /// How an engine tells the editions of a game apart, and which of them it refuses.
    ///
    /// Each known archive that is mounted gives a word. So does an archive of the base game that is not known
    /// (`modified`), a chosen game (`game`), a mission (`mission`), and the right file of `registered`
    /// (`registered`).
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Editions {
        /// The archives that the engine knows.
        pub archives: List<KnownArchive>,
        /// What the engine refuses: the first that applies.
        pub refused: List<RefusedEdition>,
    }
}

documented! {
    /// An archive that an engine knows by its directory.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct KnownArchive {
        /// The file, with its game directory.
        pub file: Text,
        /// The number of entries.
        pub entries: u32,
        /// The CRC-16 of its directory (polynomial 0x1021, start value 0xffff).
        pub crc: u16,
        /// The word that it gives.
        pub word: Text,
    }
}

documented! {
    /// An edition that an engine refuses.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct RefusedEdition {
        /// It applies if there is a word of each of these lists. `!word` stands for its absence.
        pub when: List<List<Text>>,
        /// The reason, in a sentence.
        pub because: Text,
        /// The edition that the engine accepts, such as `Hexen II 1.11`.
        pub needed: Text,
    }
}

documented! {
    /// Keys of entities whose value names a file.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct EntityKey {
        /// The class of the entity; empty for any class.
        pub class: Text,
        /// The keys with this meaning. The first that the entity has counts.
        pub keys: List<Text>,
        /// The kind of file that the value names.
        pub names: KeyNames,
    }
}

documented! {
    /// The kind of file that the value of a key names.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub enum KeyNames {
        /// A level in `maps/`. In Quake II, the value may name several levels in turn, each with a spawn
        /// point.
        Level,
        /// A sound below a folder. The engine adds the extension if the value has none.
        Sound {
            /// The folder, with a slash at its end; empty for none.
            folder: Text,
        },
        /// A piece of music.
        Music,
        /// The number of a track.
        Track,
        /// The full name of a model or a sprite.
        Model,
        /// The pictures of a sky.
        Sky,
    }
}

impl Needed {
    /// No file.
    pub const NOTHING: Needed = Needed {
        to_start: Cow::Borrowed(&[]),
        archives: Cow::Borrowed(&[]),
        editions: None,
        to_play: Cow::Borrowed(&[]),
    };

    /// The names of each file of [`to_start`](Self::to_start); one of them is enough.
    pub fn choices_to_start(&self) -> impl Iterator<Item = Vec<String>> {
        self.to_start.iter().map(|name| {
            let Some((before, choices, after)) = split_at_braces(name) else { return vec![name.to_string()] };
            choices.split(',').map(|choice| format!("{before}{choice}{after}")).collect()
        })
    }

    pub(crate) fn validate(&self, faults: &mut Faults) {
        for (index, name) in self.to_start.iter().enumerate() {
            faults.parts(&format!("needed.to-start[{index}]"), name, &["pcx,png"]);
        }
        for (index, archives) in self.archives.iter().enumerate() {
            faults.list(&format!("needed.archives[{index}].files"), &archives.files);
        }
        if let Some(editions) = &self.editions {
            editions.validate(faults);
        }
        faults.twice("needed.to-start", &self.to_start);
        faults.twice("needed.to-play", &self.to_play);
    }
}

impl Editions {
    /// Words that come from something else than a known archive.
    const OTHER_WORDS: [&str; 4] = ["modified", "game", "mission", "registered"];

    /// What the engine refuses if these words are there.
    #[must_use]
    pub fn refused(&self, has: impl Fn(&str) -> bool) -> Option<&RefusedEdition> {
        let is_true = |word: &Text| word.strip_prefix('!').map_or_else(|| has(word), |word| !has(word));
        self.refused.iter().find(|refused| refused.when.iter().all(|words| words.iter().any(is_true)))
    }

    fn validate(&self, faults: &mut Faults) {
        faults.list("needed.editions.archives", &self.archives);
        let is_known = |word: &str| {
            Editions::OTHER_WORDS.contains(&word) || self.archives.iter().any(|archive| archive.word == word)
        };
        for (index, refused) in self.refused.iter().enumerate() {
            let key = format!("needed.editions.refused[{index}].when");
            faults.list(&key, &refused.when);
            let words = refused.when.iter().flat_map(|words| words.iter());
            let unknown = words.map(|word| word.trim_start_matches('!')).find(|word| !is_known(word));
            if let Some(word) = unknown {
                faults.add(key, format!("{word:?} is no word of an archive"));
            }
        }
    }
}

pub(crate) fn validate_keys(keys: &[EntityKey], faults: &mut Faults) {
    for (index, key) in keys.iter().enumerate() {
        faults.list(&format!("keys[{index}].keys"), &key.keys);
    }
    faults.twice("keys", keys);
}

#[cfg(test)]
mod tests {
    use crate::fault::tests::check;
    use crate::{Fact, Needed};

    #[test]
    fn a_key_without_names_and_a_file_that_is_needed_twice_are_faults() {
        check(
            |rules| {
                let mut keys = rules.keys.items().to_vec();
                keys[0].keys = Vec::new().into();
                rules.keys = keys.into();
                let twice = || vec!["a".into(), "a".into()].into();
                rules.needed = Fact::Known(Needed { to_play: twice(), ..Needed::NOTHING });
            },
            &[
                "needed.to-play[1]: no effect, because it is in the list already",
                "keys[0].keys: the list is empty",
            ],
        );
    }
}
