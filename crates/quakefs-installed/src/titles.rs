//! The table of known games and the files that identify them.

use std::fmt;

use quakefs::rules::Engine;

/// One edition of a game.
#[derive(Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Title {
    /// The stable name, such as `quake2-remaster`.
    pub word: &'static str,
    /// The full name.
    pub name: &'static str,
    /// The edition.
    pub edition: Edition,
    /// An engine that runs this edition.
    pub engine: Engine,
    /// The expansions and official additions.
    pub expansions: &'static [Expansion],
    /// Files in the base directory, compared without regard to case. One of them must exist. A `*` in the name of a file
    /// stands for any characters.
    pub(super) known_by: &'static [&'static str],
    /// A file in the base directory that only this edition has.
    pub(super) and_by: Option<&'static str>,
    /// The folder with game directories that the store's engine has downloaded, below the user's folder. Some other
    /// engines search it too.
    pub(super) downloads: Option<&'static str>,
}

/// The edition of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Edition {
    /// The original game with its patches.
    Original,
    /// Nightdive's edition of 2021 or 2023, in Steam's folder `rerelease`.
    Remaster,
}

impl Edition {
    /// The stable name of the edition: `original` or `remaster`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Edition::Original => "original",
            Edition::Remaster => "remaster",
        }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An expansion with a separate game directory.
#[derive(Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Expansion {
    /// The game directory.
    pub directory: &'static str,
    /// The name.
    pub name: &'static str,
}

const fn expansion(directory: &'static str, name: &'static str) -> Expansion {
    Expansion { directory, name }
}

const QUAKE: &[Expansion] = &[
    expansion("hipnotic", "Scourge of Armagon"),
    expansion("rogue", "Dissolution of Eternity"),
    expansion("dopa", "Dimension of the Past"),
    expansion("mg1", "Dimension of the Machine"),
    expansion("mg3", "Dawn of the Machine"),
    expansion("ctf", "Capture the Flag"),
];

const QUAKE2: &[Expansion] = &[
    expansion("xatrix", "The Reckoning"),
    expansion("rogue", "Ground Zero"),
    expansion("ctf", "Capture the Flag"),
];

/// If several editions share their files, the first one whose own file exists is used.
///
/// The files are from the games as sold. The editions are distinguished by the archives of Nightdive's engines, which are in the base
/// directory.
pub(super) const TITLES: &[Title] = &[
    Title {
        word: "quake-remaster",
        name: "Quake",
        edition: Edition::Remaster,
        engine: Engine::Ironwail,
        expansions: QUAKE,
        known_by: &["id1/pak0.pak"],
        and_by: Some("QuakeEX.kpf"),
        // Ironwail, Quake/sys_sdl_unix.c, Sys_GetSteamQuakeUserDir
        downloads: Some("Saved Games/Nightdive Studios/Quake"),
    },
    Title {
        word: "quake",
        name: "Quake",
        edition: Edition::Original,
        engine: Engine::QuakeSpasm,
        expansions: QUAKE,
        known_by: &["id1/pak0.pak"],
        and_by: None,
        downloads: None,
    },
    Title {
        word: "quake2-remaster",
        name: "Quake II",
        edition: Edition::Remaster,
        engine: Engine::YQuake2,
        expansions: QUAKE2,
        known_by: &["baseq2/pak0.pak"],
        and_by: Some("Q2Game.kpf"),
        downloads: None,
    },
    Title {
        word: "quake2",
        name: "Quake II",
        edition: Edition::Original,
        engine: Engine::Quake2,
        expansions: QUAKE2,
        known_by: &["baseq2/pak0.pak"],
        and_by: None,
        downloads: None,
    },
    Title {
        word: "quake3",
        name: "Quake III Arena",
        edition: Edition::Original,
        engine: Engine::IoQuake3,
        expansions: &[expansion("missionpack", "Team Arena")],
        known_by: &["baseq3/pak0.pk3"],
        and_by: None,
        downloads: None,
    },
    Title {
        word: "hexen2",
        name: "Hexen II",
        edition: Edition::Original,
        engine: Engine::Hexen2,
        expansions: &[expansion("portals", "Portal of Praevus")],
        known_by: &["data1/pak0.pak"],
        and_by: None,
        downloads: None,
    },
    Title {
        word: "half-life",
        name: "Half-Life",
        edition: Edition::Original,
        engine: Engine::GoldSrc,
        expansions: &[
            expansion("gearbox", "Opposing Force"),
            expansion("bshift", "Blue Shift"),
            expansion("cstrike", "Counter-Strike"),
            expansion("czero", "Counter-Strike: Condition Zero"),
            expansion("dmc", "Deathmatch Classic"),
            expansion("dod", "Day of Defeat"),
            expansion("ricochet", "Ricochet"),
            expansion("tfc", "Team Fortress Classic"),
        ],
        // Steam's version contains no archive since 2013
        known_by: &["valve/liblist.gam", "valve/pak0.pak"],
        and_by: None,
        downloads: None,
    },
    Title {
        word: "sin",
        name: "SiN",
        edition: Edition::Original,
        engine: Engine::Sin,
        expansions: &[expansion("2015", "Wages of Sin")],
        known_by: &["base/pak0.sin"],
        and_by: None,
        downloads: None,
    },
    Title {
        word: "daikatana",
        name: "Daikatana",
        edition: Edition::Original,
        engine: Engine::Daikatana,
        expansions: &[],
        known_by: &["data/pak1.pak", "data/pak0.pak"],
        and_by: None,
        downloads: None,
    },
    Title {
        word: "openarena",
        name: "OpenArena",
        edition: Edition::Original,
        engine: Engine::OpenArena,
        expansions: &[expansion("missionpack", "Mission Pack")],
        known_by: &["baseoa/pak0.pk3"],
        and_by: None,
        downloads: None,
    },
    Title {
        word: "nexuiz",
        name: "Nexuiz",
        edition: Edition::Original,
        engine: Engine::Nexuiz,
        expansions: &[],
        // Debian's nexuiz-data 2.5.2 has data.pk3; the release of 2009 has data20091001.pk3
        known_by: &["data/data*.pk3"],
        and_by: None,
        downloads: None,
    },
    Title {
        word: "xonotic",
        name: "Xonotic",
        edition: Edition::Original,
        engine: Engine::Xonotic,
        expansions: &[],
        // releases have xonotic-20230620-data.pk3
        known_by: &["data/xonotic-*data.pk3"],
        and_by: None,
        downloads: None,
    },
];
