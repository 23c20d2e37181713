//! The games of an engine: its family, by which a download shows where it belongs, and the titles that it
//! plays.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::documented::documented;
use crate::fault::Faults;
use crate::{Engine, List, Text};

documented! {
    /// A family of games, which share their formats and the way a game is started.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub struct Family {
        /// The name, such as `Quake II`.
        pub name: Text,
        /// The name of an engine that many players of the family use.
        pub engine: Text,
        /// The folder of demos in a game directory; empty for the game directory itself.
        pub demos: Text,
        /// The console's command that plays a demo, such as `playdemo`; empty if none is known.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "str::is_empty"))]
        pub plays: Text,
        /// The first bytes of levels and models.
        pub heads: List<Text>,
        /// Extensions that no other family has.
        pub extensions: List<Text>,
        /// Names of files that no other family has, and only a game directory directly contains.
        pub files: List<Text>,
        /// The extension of archives that show the family if nothing else does. An archive without a program
        /// then belongs to the base game. None if no extension does.
        pub archives with "crate::forms::or_none": Option<Text>,
        /// Files that every base game of the family has. An archive with all of them is the base game's.
        pub base_files: List<Text>,
        /// Mods that the texts of levels ask for by their names.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub mods: List<Expansion>,
    }
}

documented! {
    /// One edition of a game.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub struct Title {
        /// The stable name, such as `quake2-remaster`.
        pub word: Text,
        /// The full name.
        pub name: Text,
        /// Whether it is Nightdive's edition of 2021 or 2023, in Steam's folder `rerelease`.
        pub remaster: bool,
        /// The expansions and official additions.
        pub expansions: List<Expansion>,
        /// Files in the base directory, compared without regard to case. One of them must exist. A `*` in the
        /// name of a file stands for any characters.
        pub known_by: List<Text>,
        /// A file in the base directory that only this edition has; none if it has none.
        pub and_by with "crate::forms::or_none": Option<Text>,
        /// The folder with game directories that the store's engine has downloaded, below the user's folder.
        /// Some other engines search it too. None if there is no such folder.
        pub downloads with "crate::forms::or_none": Option<Text>,
    }
}

documented! {
    /// An expansion with a separate game directory.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Expansion {
        /// The game directory.
        pub directory: Text,
        /// The name.
        pub name: Text,
        /// How the names of its levels begin, such as `de_`. Empty if nothing tells them from others.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub levels: List<Text>,
    }
}

impl Expansion {
    /// How the name of a level begins, if names of this expansion's levels begin so.
    #[must_use]
    pub fn prefix_of(&self, level: &str) -> Option<&str> {
        let begins = |prefix: &&Text| {
            level.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        };
        self.levels.iter().find(begins).map(|prefix| &**prefix)
    }
}

impl Title {
    /// The name of the edition: `original` or `remaster`.
    #[must_use]
    pub const fn edition(&self) -> &'static str {
        if self.remaster { "remaster" } else { "original" }
    }

    /// The titles of all engines, each with its engine. An edition with a file of its own comes before the
    /// others of its game.
    #[must_use]
    pub fn known() -> &'static [(Engine, &'static Title)] {
        static KNOWN: LazyLock<Vec<(Engine, &'static Title)>> = LazyLock::new(|| {
            let of = |engine: Engine| engine.rules().titles.iter().map(move |title| (engine, title));
            let mut known: Vec<_> = Engine::ALL.iter().copied().flat_map(of).collect();
            let games: Vec<_> = known.iter().map(|(_, title)| &title.known_by).collect();
            let game = |title: &Title| games.iter().position(|known_by| **known_by == title.known_by);
            known.sort_by_key(|(_, title)| (game(title), title.and_by.is_none()));
            known
        });
        &KNOWN
    }
}

impl Family {
    /// The families of all engines, each once.
    #[must_use]
    pub fn known() -> &'static [&'static Family] {
        static KNOWN: LazyLock<Vec<&'static Family>> = LazyLock::new(|| {
            let mut known: Vec<&Family> = Vec::new();
            for family in Engine::ALL.iter().filter_map(|engine| engine.rules().family.as_ref()) {
                if !known.contains(&family) {
                    known.push(family);
                }
            }
            known
        });
        &KNOWN
    }

    /// All engines by the game that they play, and last those whose game is no family. In each, the one that
    /// many players use comes first, then the one with the latest version.
    #[must_use]
    pub fn engines() -> Vec<(Option<&'static Family>, Vec<Engine>)> {
        let families = Family::known().iter().copied().map(Some).chain([None]);
        let of = |family: Option<&'static Family>| {
            let plays = |engine: &Engine| engine.rules().family.as_ref() == family;
            let mut engines: Vec<_> = Engine::ALL.iter().copied().filter(plays).collect();
            let many = family.map(Family::engine);
            engines.sort_by(|a, b| {
                let date = |engine: &Engine| engine.as_of().date;
                (Some(*b) == many, date(b)).cmp(&(Some(*a) == many, date(a)))
            });
            (family, engines)
        };
        families.map(of).collect()
    }

    /// The engine that many players of the family use.
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.engine.parse().unwrap_or_default()
    }

    /// The directory of the base game, such as `baseq2`.
    #[must_use]
    pub fn base(&self) -> &'static str {
        self.engine().rules().directories.first_name().unwrap_or_default()
    }

    /// The families with a game directory of this name, in any case: it comes with an engine or a title of
    /// the family, or a mission flag adds it.
    #[must_use]
    pub fn with_directory(folder: &str) -> &'static [&'static Family] {
        static OWNERS: LazyLock<HashMap<String, Vec<&'static Family>>> = LazyLock::new(|| {
            let mut owners: HashMap<String, Vec<&Family>> = HashMap::new();
            for rules in Engine::ALL.iter().map(|engine| engine.rules()) {
                let known = |own: &Family| Family::known().iter().copied().find(|family| *family == own);
                let Some(family) = rules.family.as_ref().and_then(known) else { continue };
                let missions = rules.directories.missions.iter().map(|mission| &mission.directory);
                let expansions = rules.titles.iter().flat_map(|title| &*title.expansions);
                let names = missions
                    .chain(expansions.map(|own| &own.directory))
                    .chain(&*rules.directories.base)
                    .chain(&rules.directories.default_game);
                for name in names {
                    let of_name = owners.entry(name.to_ascii_lowercase()).or_default();
                    if !of_name.contains(&family) {
                        of_name.push(family);
                    }
                }
            }
            owners
        });
        OWNERS.get(&folder.to_ascii_lowercase()).map_or(&[], Vec::as_slice)
    }

    /// Whether a folder is a game directory that comes with an engine or a title of any family, or that a
    /// mission flag adds.
    #[must_use]
    pub fn comes_with_one(folder: &str) -> bool {
        !Family::with_directory(folder).is_empty()
    }

    pub(crate) fn validate(&self, faults: &mut Faults) {
        if let Err(error) = self.engine.parse::<Engine>() {
            faults.add("family.engine", error.to_string());
        }
    }
}

pub(crate) fn validate_titles(titles: &[Title], faults: &mut Faults) {
    for (index, title) in titles.iter().enumerate() {
        faults.list(&format!("titles[{index}].known-by"), &title.known_by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_engine_stands_with_the_others_of_its_game_the_likely_one_first() {
        let engines = Family::engines();
        let mut all: Vec<_> = engines.iter().flat_map(|(_, engines)| engines).copied().collect();
        let first: Vec<_> = engines
            .iter()
            .map(|(family, engines)| (family.map_or("", |family| &family.name), engines[0].name()))
            .collect();
        assert_eq!(
            first,
            [
                ("Quake", "quakespasm"),
                ("Quake II", "yquake2"),
                ("Half-Life", "goldsrc"),
                ("Hexen II", "hexen2"),
                ("Heretic II", "heretic2r"),
                ("Quake III", "ioquake3"),
                ("OpenArena", "openarena"),
                ("Enemy Territory", "etlegacy"),
                ("Jedi Knight", "openjk"),
                ("Wolfenstein", "iortcw"),
                ("World of Padman", "padman"),
                ("", "urban-terror")
            ]
        );
        all.sort_unstable();
        let mut expected = Engine::ALL.to_vec();
        expected.sort_unstable();
        assert_eq!(all, expected);
    }
    use crate::fault::tests::check;

    #[test]
    fn each_family_has_an_engine_that_plays_it() {
        let known: Vec<_> = Family::known()
            .iter()
            .map(|family| {
                assert_eq!(family.engine().rules().family.as_ref(), Some(*family));
                format!("{} {} {}", family.name, family.engine, family.base())
            })
            .collect();
        assert_eq!(
            known,
            [
                "Quake quakespasm id1",
                "Quake II yquake2 baseq2",
                "Half-Life goldsrc valve",
                "Hexen II hexen2 data1",
                "Heretic II heretic2r base",
                "Quake III ioquake3 baseq3",
                "OpenArena openarena baseoa",
                "Enemy Territory etlegacy etmain",
                "Jedi Knight openjk base",
                "Wolfenstein iortcw main",
                "World of Padman padman wop",
            ]
        );
        let beside = |folder: &'static str| {
            let found = |engine: Engine| engine.rules().directories.game_beside(folder);
            [Engine::GoldSrc, Engine::QuakeSpasm].map(found)
        };
        for folder in ["valve_hd", "valve_ADDON", "valve_downloads", "valve_german"] {
            assert_eq!(beside(folder), [Some("valve"), None], "{folder}");
        }
        for folder in ["valve", "_hd", "valve_", "my_mod2"] {
            assert_eq!(beside(folder), [None, None], "{folder}");
        }
        assert!(
            ["id1", "Hipnotic", "nehahra", "zaero", "cstrike", "data1"]
                .into_iter()
                .all(Family::comes_with_one)
        );
        assert!(!["mymod", ""].into_iter().any(Family::comes_with_one));
    }

    #[test]
    fn a_remaster_is_recognised_before_the_original() {
        let words: Vec<_> = Title::known().iter().map(|(_, title)| &*title.word).collect();
        let place = |wanted: &str| words.iter().position(|word| *word == wanted).unwrap();
        assert_eq!(place("quake"), place("quake-remaster") + 1);
        assert_eq!(place("quake2"), place("quake2-remaster") + 1);
        assert_eq!(words.len(), 18);
    }

    #[test]
    fn a_family_of_an_unknown_engine_is_a_fault() {
        let mut rules = Engine::WinQuake.rules().clone();
        rules.family.as_mut().unwrap().engine = "doom".into();
        assert_eq!(rules.validate()[0].key(), "family.engine");
        check(|rules| rules.family = None, &[]);
    }
}
