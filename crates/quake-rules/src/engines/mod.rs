//! The known engines. Each has a row of [`Rules`].
//!
//! To add an engine, add a row to [`engines!`] below: its variant with a doc line, its name, its version and its evidence.
//! Then write a constant in the file of its family. It contains only the differences from the engine that it comes from,
//! or from [`ID_TECH`](quake::ID_TECH). Put the source beside each fact. The tests of the aspects fail until their tables have a line
//! for the new engine.
//!
//! A source is a file of the engine's repository and a function in it. An engine with [`Evidence::Recorded`] was also
//! run; if its answers and its source seem to differ, the answers are right. A row that begins with another
//! engine's row repeats no source: the same file and function hold these facts in its own repository.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Rules, UnknownName};

mod darkplaces;
mod goldsrc;
mod hexen2;
mod known;
mod prelude;
mod quake;
mod quake2;
mod quake3;
mod quakespasm;
mod quakeworld;
mod tools;

/// The evidence for an engine's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// The engine was run on random layouts, and its answers are tests of this project.
    Recorded,
    /// The rules follow the engine's documents and source. If these give no answer, the rules follow the engine of
    /// id Software that it is based on.
    Documented,
}

impl Evidence {
    /// The word for the evidence: `recorded` or `documented`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Evidence::Recorded => "recorded",
            Evidence::Documented => "documented",
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Evidence::Recorded => "Recorded: the engine was run, and every answer that it gave is a test.",
            Evidence::Documented => "Documented: these rules follow documents and source, and no run.",
        })
    }
}

/// Makes [`Engine`] from a row for each engine. The last part of a row is the constant with its rules.
macro_rules! engines {
    ($(
        $(#[doc = $doc:literal])+
        $engine:ident = $name:literal $(| $alias:literal)*, $version:literal, $evidence:ident, $rules:path;
    )+) => {
        /// An engine whose rules quakefs knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum Engine {
            $(
                $(#[doc = $doc])+
                #[serde(rename = $name)]
                $engine,
            )+
        }

        impl Engine {
            /// Every engine.
            pub const ALL: &[Engine] = &[$(Engine::$engine),+];

            /// The engine's word on the command line: `winquake`, `quakespasm`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Engine::$engine => $name,)+
                }
            }

            /// Other words that people type for the engine: `qs` for QuakeSpasm.
            #[must_use]
            pub const fn aliases(self) -> &'static [&'static str] {
                match self {
                    $(Engine::$engine => &[$($alias),*],)+
                }
            }

            /// The evidence for the engine's rules.
            #[must_use]
            pub const fn evidence(self) -> Evidence {
                match self {
                    $(Engine::$engine => Evidence::$evidence,)+
                }
            }

            /// The program and version that the rules describe: `QuakeSpasm 0.95.1`.
            #[must_use]
            pub const fn version(self) -> &'static str {
                match self {
                    $(Engine::$engine => $version,)+
                }
            }

            /// The engine's rules.
            #[must_use]
            pub const fn rules(self) -> &'static Rules {
                match self {
                    $(Engine::$engine => {
                        static RULES: Rules = Rules { name: Cow::Borrowed($name), ..$rules };
                        &RULES
                    })+
                }
            }
        }
    };
}

engines! {
    /// id Software's WinQuake, the source of 1999.
    WinQuake = "winquake" | "quake" | "q1", "WinQuake, source of 1999", Recorded, quake::WINQUAKE;

    /// QuakeSpasm 0.95.
    QuakeSpasm = "quakespasm" | "qs", "QuakeSpasm 0.95.1", Recorded, quakespasm::QUAKESPASM;

    /// Ironwail, the source of 2026.
    Ironwail = "ironwail" | "iw", "Ironwail, source of 2026", Recorded, quakespasm::IRONWAIL;

    /// QuakeSpasm-Spiked, the source of July 2021.
    Qss = "qss" | "quakespasm-spiked" | "spiked", "QuakeSpasm-Spiked, source of July 2021", Recorded, quakespasm::QSS;

    /// QSS-M of October 2024, which comes from QuakeSpasm-Spiked.
    QssM = "qss-m" | "qssm", "QSS-M of October 2024", Recorded, quakespasm::QSS_M;

    /// `JoeQuake` of April 2026.
    JoeQuake = "joequake" | "jq", "JoeQuake of April 2026", Recorded, quake::JOEQUAKE;

    /// DarkPlaces of 2018.
    DarkPlaces = "darkplaces" | "dp", "DarkPlaces of 2018-09-08", Recorded, darkplaces::DARKPLACES;

    /// DarkPlaces of August 2024.
    DarkPlaces2024 = "darkplaces-2024" | "dp-2024", "DarkPlaces of August 2024", Recorded, darkplaces::DARKPLACES_2024;

    /// Xonotic, on DarkPlaces of 2018.
    Xonotic = "xonotic", "Xonotic, on DarkPlaces of 2018-09-08", Recorded, darkplaces::XONOTIC;

    /// Nexuiz, on DarkPlaces of 2018.
    Nexuiz = "nexuiz", "Nexuiz, on DarkPlaces of 2018-09-08", Documented, darkplaces::NEXUIZ;

    /// FTE's server, the source of 2026.
    Fte = "fte" | "fteqw" | "ftequake", "FTE's QuakeWorld server, source of 2026", Recorded, quakeworld::FTE;

    /// MVDSV 0.35, a server for `QuakeWorld`.
    Mvdsv = "mvdsv", "MVDSV 0.35", Recorded, quakeworld::MVDSV;

    /// ezQuake, the source of 2026.
    EzQuake = "ezquake" | "ez", "ezQuake, source of 2026", Recorded, quakeworld::EZQUAKE;

    /// id Software's Quake II 3.20, the source of 2001.
    Quake2 = "quake2" | "q2", "Quake II 3.20, source of 2001", Recorded, quake2::QUAKE2;

    /// Yamagi Quake II 8.71.
    YQuake2 = "yquake2" | "yq2", "Yamagi Quake II 8.71pre", Recorded, quake2::YQUAKE2;

    /// Q2PRO, the source of 2026.
    Q2Pro = "q2pro", "Q2PRO, source of 2026", Recorded, quake2::Q2PRO;

    /// GoldSrc, by the example of Xash3D's filesystem of 2026.
    GoldSrc = "goldsrc" | "half-life" | "hl", "Xash3D FWGS, source of 2026", Recorded, goldsrc::GOLDSRC;

    /// id Software's `QuakeWorld`, client and server.
    QuakeWorld = "quakeworld" | "qw", "QuakeWorld client, source of 1999", Recorded, quake::QUAKEWORLD;

    /// vkQuake.
    VkQuake = "vkquake" | "vkq", "vkQuake, source of 2026", Recorded, quakespasm::VKQUAKE;

    /// Hexen II, by the example of Hammer of Thyrion.
    Hexen2 = "hexen2" | "h2", "Hammer of Thyrion", Recorded, hexen2::HEXEN2;

    /// SiN, of 1998.
    Sin = "sin", "SiN of 1998", Documented, quake2::SIN;

    /// Daikatana.
    Daikatana = "daikatana", "Daikatana", Documented, quake2::DAIKATANA;

    /// ioquake3.
    IoQuake3 = "ioquake3" | "q3" | "quake3" | "ioq3", "ioquake3, source of 2026", Recorded, quake3::IOQUAKE3;

    /// Quake3e, the source of 2026.
    Quake3e = "quake3e" | "q3e", "Quake3e, source of 2026", Recorded, quake3::QUAKE3E;

    /// OpenArena, on its ioquake3.
    OpenArena = "openarena" | "oa", "OpenArena, on ioquake3", Recorded, quake3::OPENARENA;

    /// ET: Legacy, the engine of Wolfenstein: Enemy Territory.
    EtLegacy = "etlegacy" | "et", "ET: Legacy 2.85 development, server", Recorded, quake3::ETLEGACY;

    /// `OpenJK`, the multiplayer engine of Jedi Academy.
    OpenJk = "openjk" | "jka" | "jedi-academy", "OpenJK of May 2026, server", Recorded, quake3::OPENJK;

    /// `OpenJK`, the single player engine of Jedi Academy.
    OpenJkSp = "openjk-sp" | "openjk_sp", "OpenJK of May 2026, single player", Recorded, quake3::OPENJK_SP;

    /// iortcw, the multiplayer engine of Return to Castle Wolfenstein.
    IoRtcw = "iortcw" | "rtcw", "iortcw 1.51d, server", Recorded, quake3::IORTCW;

    /// iortcw, the single player engine of Return to Castle Wolfenstein.
    IoRtcwSp = "iortcw-sp" | "rtcw-sp", "iortcw 1.51d, single player", Recorded, quake3::IORTCW_SP;

    /// The level editor TrenchBroom, source of 2025, with its configuration for Quake. It calls games mods. The lowest
    /// folder that it searches, its own `assets`, is outside of the base directory and not part of the rules.
    TrenchBroom = "trenchbroom" | "tb", "TrenchBroom, source of 2025", Documented, tools::TRENCHBROOM;

    /// The compilers of ericw-tools 2.0 (qbsp, vis, light) for a Quake level, called with `-path` for `id1` and for
    /// each game. Before these, they search the current folder and the level's folder, which are not part of the rules.
    EricwTools = "ericw-tools" | "ericw", "ericw-tools 2.0", Documented, tools::ERICW_TOOLS;
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An engine's name or one of its [`aliases`](Engine::aliases), in any case.
impl FromStr for Engine {
    type Err = UnknownName;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let is_called = |name: &&str| name.eq_ignore_ascii_case(word);
        let mut engines = Engine::ALL.iter().copied();
        engines
            .find(|engine| is_called(&engine.name()) || engine.aliases().iter().any(&is_called))
            .ok_or_else(|| unknown(word))
    }
}

fn unknown(word: &str) -> UnknownName {
    let names: Vec<_> = Engine::ALL.iter().map(|engine| engine.name()).collect();
    let aliases = Engine::ALL.iter().flat_map(|engine| engine.aliases());
    let near = crate::spelling::nearest(word, names.iter().chain(aliases).copied());
    let near = near.map_or_else(String::new, |near| format!(" (did you mean {near}?)"));
    UnknownName(format!("no engine is called \"{word}\"{near}: expected {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_found_by_its_name_in_any_case() {
        for engine in Engine::ALL {
            assert_eq!(engine.rules().name, engine.name());
            assert_eq!(engine.name().parse(), Ok(*engine));
            assert_eq!(engine.name().to_uppercase().parse(), Ok(*engine));
        }
        assert_eq!(format!("{:>8}", Engine::Fte), "     fte");
    }

    #[test]
    fn an_unknown_name_is_an_error_that_lists_the_engines() {
        let error = "doom".parse::<Engine>().unwrap_err().to_string();
        assert!(
            error.starts_with("no engine is called \"doom\": expected winquake, quakespasm, "),
            "{error}"
        );
        assert!(error.ends_with(", ericw-tools"), "{error}");
    }

    #[test]
    fn every_engine_and_its_rules_are_in_all_once() {
        let mut names: Vec<_> = Engine::ALL.iter().map(|engine| engine.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Engine::ALL.len());
    }
}
