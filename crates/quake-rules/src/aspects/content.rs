//! What an engine and the entities of a level name.

use super::names::split_at_braces;
use crate::documented::documented;
use crate::fault::Faults;
use crate::{List, Text};

documented! {
    /// Files that the engine itself loads, whatever the level.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Needed {
        /// Files without which the engine exits, if `missing-file` is in `stops`. A file of 0 bytes counts as
        /// missing, unless it has the name of an archive. One of `conchars.{pcx,png}` is enough.
        pub to_start: List<Text>,
        /// Other files: the engine reports that they are missing, or stops when it shows them.
        pub to_play: List<Text>,
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
        faults.twice("needed.to-start", &self.to_start);
        faults.twice("needed.to-play", &self.to_play);
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
                rules.needed = Fact::Known(Needed { to_start: Vec::new().into(), to_play: twice() });
            },
            &[
                "needed.to-play[1]: no effect, because it is in the list already",
                "keys[0].keys: the list is empty",
            ],
        );
    }
}
