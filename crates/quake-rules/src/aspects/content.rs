//! What an engine and the entities of a level name.

use std::borrow::Cow;

use super::names::{PLACEHOLDER, choices, split_at_braces};
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
        /// The only checksum of each file that the engine accepts, in their order; 0, or none at the end, for
        /// any. It is Quake III's: an MD4 over the CRC-32 of each entry that is not empty, its words xored.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub checksums: List<u32>,
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
        /// The class of the entity, with choices in braces: `func_{door,water}`. Empty for any class.
        pub class: Text,
        /// The keys with this meaning. The first that the entity has counts.
        pub keys: List<Text>,
        /// The kind of file that the value names.
        pub names: KeyNames,
        /// The value that counts if the entity has none of the keys; empty for none.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "str::is_empty"))]
        pub default: Text,
        /// A key that comes in the place of these if it has a value; empty for none.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "str::is_empty"))]
        pub unless: Text,
        /// Bits of the key `spawnflags`, of which the entity must have one; 0 for all entities.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
        pub with_flags: u32,
    }
}

documented! {
    /// The files of a player's model. In each name, `{}` is the player, and `{a,b}` are two files.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    pub struct PlayerModel {
        /// The models that the engine shows together: `players/{}/tris.md2`.
        pub models: List<Text>,
        /// Other files that the engine requires: `players/{}/weapon.md2`.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub files: List<Text>,
        /// The files of a skin, with its name for `{skin}`: `players/{}/{skin}.pcx`. Each needs its icon.
        pub skin: Text,
        /// The picture in menus of each skin: `players/{}/{skin}_i.pcx`.
        pub icon: Text,
        /// The skin that the engine takes if a player has none.
        pub default_skin: Text,
        /// Files that the engine can do without, such as sounds, for which it plays those of another player.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub optional: List<Text>,
    }
}

/// The part of a path between two texts in any case, if it is one name.
fn between<'n>(path: &'n [u8], before: &[u8], after: &[u8]) -> Option<&'n [u8]> {
    let (start, rest) = path.split_at_checked(before.len())?;
    let (part, end) = rest.split_at_checked(rest.len().checked_sub(after.len())?)?;
    let is_framed = start.eq_ignore_ascii_case(before) && end.eq_ignore_ascii_case(after);
    (is_framed && !part.is_empty() && !part.contains(&b'/')).then_some(part)
}

/// The skin in [`PlayerModel::icon`].
const SKIN: &str = "{skin}";

impl PlayerModel {
    /// The player whose model this is, or one of his others. The comparison ignores case.
    #[must_use]
    pub fn player<'n>(&self, model: &'n [u8]) -> Option<&'n [u8]> {
        let player = |pattern: &Text| {
            let (before, after) = pattern.split_once(PLACEHOLDER)?;
            choices(after).iter().find_map(|end| between(model, before.as_bytes(), end.as_bytes()))
        };
        self.models.iter().chain(&*self.files).chain(&*self.optional).find_map(player)
    }

    /// The names that a pattern of these rules means for a player.
    pub fn of<'n>(pattern: &'n str, player: &'n [u8]) -> impl Iterator<Item = Vec<u8>> + use<'n> {
        let (before, after) = pattern.split_once(PLACEHOLDER).unwrap_or((pattern, ""));
        choices(after).into_iter().map(move |end| [before.as_bytes(), player, end.as_bytes()].concat())
    }

    /// The skin of a player that a file is.
    #[must_use]
    pub fn skin_of<'n>(&self, player: &[u8], file: &'n [u8]) -> Option<&'n [u8]> {
        let (before, end) = self.skin.split_once(SKIN)?;
        PlayerModel::of(before, player).find_map(|before| between(file, &before, end.as_bytes()))
    }

    /// The picture in menus of a skin.
    #[must_use]
    pub fn icon_of(&self, player: &[u8], skin: &[u8]) -> Option<Vec<u8>> {
        PlayerModel::with_skin(&self.icon, player, skin).next()
    }

    /// The files of a skin: itself, and its picture in menus.
    pub fn files_of<'n>(&'n self, player: &'n [u8], skin: &'n [u8]) -> impl Iterator<Item = Vec<u8>> {
        let own = PlayerModel::with_skin(&self.skin, player, skin);
        own.chain(PlayerModel::with_skin(&self.icon, player, skin))
    }

    fn with_skin<'n>(
        pattern: &'n str,
        player: &'n [u8],
        skin: &'n [u8],
    ) -> impl Iterator<Item = Vec<u8>> + use<'n> {
        let (before, after) = pattern.split_once(SKIN).unwrap_or((pattern, ""));
        PlayerModel::of(before, player).map(move |before| [&*before, skin, after.as_bytes()].concat())
    }
}

#[cfg(feature = "serde")]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl EntityKey {
    /// Whether it is about entities of this class.
    #[must_use]
    pub fn is_of(&self, class: &[u8]) -> bool {
        let Some((before, choices, after)) = split_at_braces(&self.class) else {
            return self.class.is_empty() || self.class.as_bytes() == class;
        };
        let inner =
            class.strip_prefix(before.as_bytes()).and_then(|rest| rest.strip_suffix(after.as_bytes()));
        inner.is_some_and(|inner| choices.split(',').any(|choice| choice.as_bytes() == inner))
    }
}

documented! {
    /// The names of the files with further sequences of a model of Half-Life, whose textures are in
    /// `NAMET.mdl`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum StudioGroups {
        /// The engine loads no such models.
        #[default]
        None,
        /// `NAME01.mdl`, `NAME02.mdl` and so on, by the name of the model.
        Derived,
        /// The names in the model.
        Recorded,
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
            /// Whether a `*` in front marks a stream, as in Half-Life. Otherwise such a value is no file.
            #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
            streams: bool,
        },
        /// The value is a number, and each number has files.
        Numbers {
            /// The files of numbers.
            files: List<NumberedFiles>,
            /// The files of all other numbers.
            #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
            others: List<Text>,
        },
        /// An entry of a WAD or of a text. The engine goes on without it.
        Entry {
            /// The WAD or the text.
            of: Text,
        },
        /// Every key that no other row is about, if its value ends in `.mdl`, `.spr` or `.wav`: the game's
        /// own code decides whether it loads the file. Sounds are below `sound/`.
        OwnCode,
        /// A piece of music.
        Music,
        /// A piece of music, or the name of a set of pieces; without a value, the set of the level's name.
        MusicSet {
            /// The text that tells the pieces of each set.
            of: Text,
        },
        /// The number of a track.
        Track,
        /// The full name of a model or a sprite.
        Model,
        /// The pictures of a sky.
        Sky,
    }
}

documented! {
    /// The files of some numbers.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct NumberedFiles {
        /// The first number.
        pub from: u32,
        /// The last number.
        pub to: u32,
        /// The files. `{n}` is the number, and `{a,b}` are two files.
        pub files: List<Text>,
    }
}

impl KeyNames {
    /// The files of a number, if the value is one.
    #[must_use]
    pub fn of_number(&self, value: &[u8]) -> Vec<String> {
        let KeyNames::Numbers { files, others } = self else { return Vec::new() };
        let of_value = whole_number(value).and_then(|number| {
            let of = files.iter().find(|of| (of.from..=of.to).contains(&number))?;
            Some((&of.files, number))
        });
        let (patterns, number) = of_value.unwrap_or((others, 0));
        patterns.iter().flat_map(|name| choices(&name.replace("{n}", &number.to_string()))).collect()
    }
}

/// The number at the start of a value, as C's `atoi` reads it; `None` below zero.
fn whole_number(value: &[u8]) -> Option<u32> {
    let value = value.trim_ascii_start();
    let digits = value.strip_prefix(b"+").unwrap_or(value);
    if value.starts_with(b"-") {
        return None;
    }
    let end = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
    let digits = digits.get(..end).and_then(|digits| std::str::from_utf8(digits).ok())?;
    Some(digits.parse().unwrap_or(0))
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
        self.to_start.iter().map(|name| choices(name))
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
        if key.names != KeyNames::OwnCode {
            faults.list(&format!("keys[{index}].keys"), &key.keys);
        }
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
