//! Which levels, models, sprites and sounds an engine loads.

use crate::documented::documented;
use crate::fault::Faults;
use crate::{List, Text};

documented! {
    /// Which levels, models, sprites and sounds the engine loads. At others it ends the game, or goes on
    /// without the file.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Loads {
        /// The versions of formats. A format that is not here has one version, or is not known.
        pub versions: List<LoadedVersions>,
        /// The most of something in a file.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub most: List<MostLoaded>,
    }
}

documented! {
    /// The versions of a format that the engine loads.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct LoadedVersions {
        /// `level`, `model` or `sprite`.
        pub of: Text,
        /// The versions.
        pub loaded: List<Text>,
    }
}

documented! {
    /// The most of something in a file.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct MostLoaded {
        /// `level`, `model`, `sprite` or `sound`.
        pub of: Text,
        /// What is counted, such as `vertices`.
        pub what: Text,
        /// The most.
        pub most: u32,
        /// The folder of the files, with a slash at its end; empty for all folders.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "str::is_empty"))]
        pub below: Text,
    }
}

/// Why an engine does not load a file that is not damaged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotLoaded {
    /// It is of another version.
    #[non_exhaustive]
    Version {
        /// The format.
        of: &'static str,
        /// The version of the file.
        found: String,
        /// The versions that the engine loads, separated by commas.
        loaded: String,
    },
    /// It has more of something than the engine has room for.
    #[non_exhaustive]
    TooMany {
        /// The format.
        of: &'static str,
        /// What is counted.
        what: &'static str,
        /// How many the file has.
        found: u64,
        /// How many are possible.
        most: u32,
    },
}

impl Loads {
    /// Why the engine does not load a file of this name, format, version and numbers; `None` if nothing is
    /// known against it.
    pub fn refused(
        &self,
        name: &[u8],
        (of, version): (&'static str, &str),
        counts: impl IntoIterator<Item = (&'static str, u64)>,
    ) -> Option<NotLoaded> {
        let versions = self.versions.iter().find(|versions| versions.of == of && !version.is_empty());
        if let Some(versions) = versions.filter(|versions| versions.loaded.iter().all(|one| one != version)) {
            let loaded = versions.loaded.join(", ");
            return Some(NotLoaded::Version { of, found: version.to_owned(), loaded });
        }
        let mut counts = counts.into_iter();
        counts.find_map(|(what, found)| {
            let is_limit = |most: &&MostLoaded| {
                most.of == of && most.what == what && name.starts_with(most.below.as_bytes())
            };
            let most = self.most.iter().find(is_limit)?.most;
            (found > most.into()).then_some(NotLoaded::TooMany { of, what, found, most })
        })
    }

    pub(crate) fn validate(&self, faults: &mut Faults) {
        for (index, versions) in self.versions.iter().enumerate() {
            faults.list(&format!("loads.versions[{index}].loaded"), &versions.loaded);
        }
        faults.twice("loads.most", &self.most);
    }
}

#[cfg(test)]
mod tests {
    use super::NotLoaded;
    use crate::{Engine, Fact};

    #[test]
    fn quakespasm_has_no_room_for_a_model_that_ironwail_loads() {
        let refused = |engine: Engine| {
            let Fact::Known(loads) = &engine.rules().loads else { panic!("{engine}: not known") };
            loads.refused(b"progs/a.mdl", ("model", "6"), [("triangles", 9), ("vertices", 2556)])
        };
        let expected = NotLoaded::TooMany { of: "model", what: "vertices", found: 2556, most: 2000 };
        assert_eq!(refused(Engine::QuakeSpasm), Some(expected));
        assert_eq!(refused(Engine::Ironwail), None);
    }
}
