//! The known engines. Each has a row of [`Rules`].
//!
//! To add an engine, add a row to [`engines!`] below: its variant with a doc line, its name, and an [`AsOf`].
//! Then write a constant in the file of its family. It contains only the differences from the engine that it
//! comes from, or from [`ID_TECH`](quake::ID_TECH). Put the source beside each fact. The tests of the aspects
//! fail until their tables have a line for the new engine.
//!
//! A source is a file of the engine's repository and a function in it, at the commit of its [`AsOf`]. If the
//! engine was also run and its answers and its source seem to differ, the answers are right. A row that
//! begins with another engine's row repeats no source: the same file and function hold these facts in its own
//! repository.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::{Rules, UnknownName};

mod as_of;
mod darkplaces;
mod goldsrc;
mod hexen2;
mod known;
mod plain;
mod prelude;
mod programs;
mod quake;
mod quake2;
mod quake3;
mod quakespasm;
mod quakeworld;
mod tools;

pub use as_of::{AsOf, Evidence};
use as_of::{BY_HAND, COMPANIONS, CONSOLE, RANDOM, STARTS, SUBSTITUTES, TEXT};
use prelude::texts;

/// Makes [`Engine`] from a row for each engine. The last part of a row is the constant with its rules. After
/// it may come what no other row inherits: the names of the engine's programs, by which it is recognised in a
/// base directory, those that every copy from a store contains too, the titles that are played with it, and
/// what its next version changes.
macro_rules! engines {
    ($(
        $(#[doc = $doc:literal])+
        $engine:ident = $name:literal $(| $alias:literal)*, $as_of:expr, $rules:path
        $(, programs $($program:literal)|+)? $(, in_stores $($of_store:literal)|+)? $(, titles $titles:path)?
        $(, next $next:literal)?;
    )+) => {
        /// An engine whose rules quakefs knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum Engine {
            $(
                $(#[doc = $doc])+
                #[cfg_attr(feature = "serde", serde(rename = $name))]
                $engine,
            )+
        }

        impl Engine {
            /// Every engine.
            pub const ALL: &[Engine] = &[$(Engine::$engine),+];

            /// The engine's word on the command line: `winquake`, `quakespasm`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                self.of_all(&[$($name),+])
            }

            /// Other words that people type for the engine: `qs` for QuakeSpasm.
            #[must_use]
            pub const fn aliases(self) -> &'static [&'static str] {
                self.of_all(&[$(&[$($alias),*]),+])
            }

            /// The version of the program that the rules describe, and which of them were run.
            #[must_use]
            pub const fn as_of(self) -> AsOf {
                self.of_all(&[$($as_of),+])
            }

            /// The next version, as far as it has other rules; empty if none is known.
            #[must_use]
            pub const fn next(self) -> &'static str {
                self.of_all(&[$(concat!($($next)?)),+])
            }

            /// The engine's rules.
            // inlined, so that a program that names its engine links only that row
            #[inline]
            #[must_use]
            pub const fn rules(self) -> &'static Rules {
                self.of_all(const {
                    &[$({
                        static RULES: Rules = Rules {
                            name: Cow::Borrowed($name),
                            executables: texts![$($($program,)+)? $($($of_store),+)?],
                            executables_in_stores: texts![$($($of_store),+)?],
                            $(titles: $titles,)?
                            ..$rules
                        };
                        &RULES
                    }),+]
                })
            }

            /// The engine's value in a table of all engines.
            #[inline]
            #[expect(clippy::indexing_slicing, reason = "the table has a value for each engine")]
            const fn of_all<T: Copy>(self, table: &'static [T; Engine::ALL.len()]) -> T {
                table[self as usize]
            }
        }
    };
}

engines! {
    /// id Software's WinQuake, the source of 1999.
    ///
    /// Chocolate Quake has the same file code: `src/common/src/com_fs.c`, `COM_FindFile`.
    WinQuake = "winquake" | "quake" | "q1" | "chocolate-quake",
        AsOf { version: "WinQuake, id's source", commit: "", date: "1999", run: &[RANDOM, BY_HAND] },
        quake::WINQUAKE, in_stores "winquake" | "glquake";

    /// QuakeSpasm 0.96.
    QuakeSpasm = "quakespasm" | "qs",
        AsOf { version: "QuakeSpasm 0.96.3", commit: "cc32abe0", date: "2024-07-31",
            run: &[RANDOM, BY_HAND, CONSOLE] },
        quakespasm::QUAKESPASM, programs "quakespasm", titles quake::TITLES,
        next "0.97.0 (commit f5fe1786, 2026-08-11, not released) takes textures from the WADs that a \
            level names, 4,096 models, music of any format for a track's number, gray TGA pictures, and \
            localization from the highest game; -userdir names the user directory";

    /// QuakeSpasm 0.95, the one of Debian 12.
    QuakeSpasm095 = "quakespasm-0.95",
        AsOf { version: "QuakeSpasm 0.95.1", commit: "4aa8a76d", date: "2022-11-03",
            run: &[RANDOM, BY_HAND, COMPANIONS, SUBSTITUTES, STARTS] },
        quakespasm::QUAKESPASM_095;

    /// Ironwail, the source of 2026.
    Ironwail = "ironwail" | "iw",
        AsOf { version: "Ironwail after 0.8.2", commit: "7ff4ec57", date: "2026-08-20",
            run: &[RANDOM, BY_HAND, COMPANIONS] },
        quakespasm::IRONWAIL, programs "ironwail", titles quakespasm::TITLES_OF_IRONWAIL;

    /// QuakeSpasm-Spiked, the source of July 2021.
    Qss = "qss" | "quakespasm-spiked" | "spiked",
        AsOf { version: "QuakeSpasm-Spiked", commit: "c4893638", date: "2021-07-10",
            run: &[RANDOM, BY_HAND] },
        quakespasm::QSS, programs "quakespasm-spiked";

    /// QSS-M of October 2024, which comes from QuakeSpasm-Spiked.
    QssM = "qss-m" | "qssm",
        AsOf { version: "QSS-M after 1.5.5", commit: "46a47195", date: "2024-10-23", run: &[RANDOM] },
        quakespasm::QSS_M, programs "qss-m";

    /// `JoeQuake` of April 2026.
    JoeQuake = "joequake" | "jq",
        AsOf { version: "JoeQuake 0.18.1", commit: "496ed634", date: "2026-04-06", run: &[RANDOM] },
        quake::JOEQUAKE, programs "joequake";

    /// DarkPlaces of 2018.
    DarkPlaces = "darkplaces" | "dp",
        AsOf { version: "DarkPlaces", commit: "", date: "2018-09-08", run: &[RANDOM, BY_HAND, COMPANIONS] },
        darkplaces::DARKPLACES, programs "darkplaces";

    /// DarkPlaces of August 2024.
    DarkPlaces2024 = "darkplaces-2024" | "dp-2024",
        AsOf { version: "DarkPlaces", commit: "c6b823ca", date: "2025-11-23", run: &[RANDOM, COMPANIONS] },
        darkplaces::DARKPLACES_2024;

    /// Xonotic, on DarkPlaces of 2018.
    Xonotic = "xonotic",
        AsOf { version: "Xonotic, on DarkPlaces", commit: "", date: "2018-09-08", run: &[RANDOM] },
        darkplaces::XONOTIC, programs "xonotic", titles darkplaces::TITLES_OF_XONOTIC;

    /// Nexuiz, on DarkPlaces of 2018.
    Nexuiz = "nexuiz",
        AsOf { version: "Nexuiz, on DarkPlaces", commit: "", date: "2018-09-08", run: &[RANDOM] },
        darkplaces::NEXUIZ, programs "nexuiz", titles darkplaces::TITLES_OF_NEXUIZ;

    /// FTE, by the example of its server's source of 2026.
    Fte = "fte" | "fteqw" | "ftequake",
        AsOf { version: "FTE", commit: "93257c1a", date: "2026-01-05",
            run: &[RANDOM, BY_HAND, COMPANIONS, TEXT] },
        quakeworld::FTE, programs "fteqw" | "fteqw64" | "fteglqw" | "fteglqw64" | "fteqwsv";

    /// MVDSV 1.11, a server for `QuakeWorld`. It was run as 0.35, whose file code is the same.
    Mvdsv = "mvdsv",
        AsOf { version: "MVDSV 1.11", commit: "11166a7", date: "2025-02-27",
            run: &[RANDOM, BY_HAND, STARTS] },
        quakeworld::MVDSV, programs "mvdsv";

    /// ezQuake, the source of 2026.
    EzQuake = "ezquake" | "ez",
        AsOf { version: "ezQuake after 3.6.9", commit: "c0e22c45", date: "2026-08-19", run: &[RANDOM] },
        quakeworld::EZQUAKE, programs "ezquake";

    /// id Software's Quake II 3.20, the source of 2001.
    Quake2 = "quake2" | "q2",
        AsOf { version: "Quake II 3.20, id's source", commit: "", date: "2001", run: &[RANDOM, BY_HAND] },
        quake2::QUAKE2, in_stores "quake2", titles quake2::TITLES;

    /// Yamagi Quake II 8.71.
    YQuake2 = "yquake2" | "yq2",
        AsOf { version: "Yamagi Quake II 8.71pre", commit: "69599f5a", date: "2026-08-08",
            run: &[RANDOM, BY_HAND, COMPANIONS, STARTS] },
        quake2::YQUAKE2, programs "yquake2", titles quake2::TITLES_OF_REMASTER;

    /// `KMQuake2`, Knightmare's Quake II, by the example of its portable mode.
    KmQuake2 = "kmquake2" | "kmq2",
        AsOf { version: "KMQuake2 0.20 update 8", commit: "4635d4a5", date: "2021-10-11",
            run: &[RANDOM, BY_HAND] },
        quake2::KMQUAKE2, programs "kmquake2";

    /// Q2PRO, the source of 2026.
    Q2Pro = "q2pro",
        AsOf { version: "Q2PRO", commit: "3aa0d40b", date: "2025-07-21",
            run: &[RANDOM, BY_HAND, COMPANIONS] },
        quake2::Q2PRO, programs "q2pro" | "q2proded";

    /// Q2RTX, the source of December 2025.
    Q2Rtx = "q2rtx",
        AsOf { version: "Q2RTX after 1.8.1", commit: "f2526e9a", date: "2025-12-10",
            run: &[RANDOM, BY_HAND] },
        quake2::Q2RTX, programs "q2rtx";

    /// GoldSrc, by the example of Xash3D's filesystem of 2026.
    GoldSrc = "goldsrc" | "half-life" | "hl",
        AsOf { version: "Xash3D FWGS", commit: "633203e1", date: "2026-08-22",
            run: &[RANDOM, BY_HAND, TEXT] },
        goldsrc::GOLDSRC, programs "xash3d", in_stores "hl" | "hl_linux" | "hlds", titles goldsrc::TITLES;

    /// GoldSrc itself, Half-Life of 2023, by the example of `ReHLDS`.
    GoldSrc2023 = "goldsrc-2023" | "half-life-2023",
        AsOf { version: "GoldSrc of 2023, by ReHLDS", commit: "1963001", date: "2026-05-05",
            run: &[RANDOM] },
        goldsrc::GOLDSRC_2023, in_stores "hl" | "hl_linux" | "hlds";

    /// id Software's `QuakeWorld`, client and server.
    QuakeWorld = "quakeworld" | "qw",
        AsOf { version: "QuakeWorld client, id's source", commit: "", date: "1999", run: &[RANDOM, BY_HAND] },
        quake::QUAKEWORLD;

    /// vkQuake.
    VkQuake = "vkquake" | "vkq",
        AsOf { version: "vkQuake after 1.35.0", commit: "46e5e6dd", date: "2026-08-21",
            run: &[RANDOM, BY_HAND, SUBSTITUTES] },
        quakespasm::VKQUAKE, programs "vkquake";

    /// vkQuake 1.35, which prefers a kind of picture to a directory.
    VkQuake135 = "vkquake-1.35",
        AsOf { version: "vkQuake 1.35.0", commit: "30c76a7b", date: "2026-07-07", run: &[] },
        quakespasm::VKQUAKE_135;

    /// vkQuake 1.34, which takes no texture from a directory below the level's.
    VkQuake134 = "vkquake-1.34",
        AsOf { version: "vkQuake 1.34.1", commit: "f060b8ac", date: "2026-03-30",
            run: &[RANDOM, BY_HAND, SUBSTITUTES] },
        quakespasm::VKQUAKE_134;

    /// vkQuake 1.32, which takes no texture and no sky from there.
    VkQuake132 = "vkquake-1.32",
        AsOf { version: "vkQuake 1.32.3", commit: "d5ec19e2", date: "2025-06-22",
            run: &[RANDOM, BY_HAND, SUBSTITUTES] },
        quakespasm::VKQUAKE_132;

    /// Hexen II, by the example of Hammer of Thyrion.
    Hexen2 = "hexen2" | "h2",
        AsOf { version: "Hammer of Thyrion", commit: "bf2121f7", date: "2026-08-21",
            run: &[RANDOM, BY_HAND] },
        hexen2::HEXEN2, programs "hexen2" | "glhexen2" | "glh2", in_stores "h2", titles hexen2::TITLES;

    /// Heretic II, by the example of `Heretic2R`, which runs on Windows.
    Heretic2R = "heretic2r" | "heretic2" | "heretic-2" | "h2r",
        AsOf { version: "Heretic2R", commit: "a69ae762", date: "2026-07-23", run: &[RANDOM, BY_HAND] },
        quake2::HERETIC2R, programs "heretic2r", in_stores "heretic2", titles quake2::TITLES_OF_HERETIC2;

    /// SiN, of 1998.
    Sin = "sin",
        AsOf { version: "SiN", commit: "", date: "1998", run: &[] },
        quake2::SIN, programs "sin", titles quake2::TITLES_OF_SIN;

    /// Daikatana.
    Daikatana = "daikatana",
        AsOf { version: "Daikatana", commit: "", date: "2000", run: &[] },
        quake2::DAIKATANA, programs "daikatana", titles quake2::TITLES_OF_DAIKATANA;

    /// ioquake3.
    IoQuake3 = "ioquake3" | "q3" | "quake3" | "ioq3",
        AsOf { version: "ioquake3", commit: "5956299e", date: "2026-03-09", run: &[RANDOM, BY_HAND] },
        quake3::IOQUAKE3, programs "ioquake3" | "ioq3ded", in_stores "quake3", titles quake3::TITLES;

    /// Quake3e, the source of 2026.
    Quake3e = "quake3e" | "q3e",
        AsOf { version: "Quake3e", commit: "f8372fd8", date: "2026-08-20", run: &[RANDOM, STARTS] },
        quake3::QUAKE3E, programs "quake3e";

    /// OpenArena, on its ioquake3.
    OpenArena = "openarena" | "oa",
        AsOf { version: "OpenArena, on ioquake3", commit: "70d07d9", date: "2022-11-23",
            run: &[RANDOM, STARTS] },
        quake3::OPENARENA, programs "openarena", titles quake3::TITLES_OF_OPENARENA;

    /// ET: Legacy, the engine of Wolfenstein: Enemy Territory.
    EtLegacy = "etlegacy" | "et",
        AsOf { version: "ET: Legacy 2.85 development, server", commit: "a8e5f856", date: "2026-08-22",
            run: &[RANDOM] },
        quake3::ETLEGACY, programs "etl" | "etlded", titles quake3::TITLES_OF_ENEMY_TERRITORY;

    /// `OpenJK`, the multiplayer engine of Jedi Academy.
    OpenJk = "openjk" | "jka" | "jedi-academy",
        AsOf { version: "OpenJK, server", commit: "8cce3ea2", date: "2026-05-13", run: &[RANDOM, STARTS] },
        quake3::OPENJK, programs "openjk" | "openjkded", titles quake3::TITLES_OF_JEDI_ACADEMY;

    /// `OpenJK`, the single player engine of Jedi Academy.
    OpenJkSp = "openjk-sp" | "openjk_sp",
        AsOf { version: "OpenJK, single player", commit: "8cce3ea2", date: "2026-05-13", run: &[RANDOM] },
        quake3::OPENJK_SP, programs "openjk_sp";

    /// `OpenJO`, the single player engine of Jedi Outcast, a build of `OpenJK`.
    OpenJoSp = "openjo-sp" | "openjo" | "openjo_sp" | "jk2" | "jedi-outcast",
        AsOf { version: "OpenJO, single player", commit: "8cce3ea2", date: "2026-05-13", run: &[] },
        quake3::OPENJO_SP, programs "openjo_sp", titles quake3::TITLES_OF_JEDI_OUTCAST;

    /// iortcw, the multiplayer engine of Return to Castle Wolfenstein.
    IoRtcw = "iortcw" | "rtcw",
        AsOf { version: "iortcw 1.51d, server", commit: "a4e6f501", date: "2024-03-12",
            run: &[RANDOM, STARTS] },
        quake3::IORTCW, programs "iowolfmp" | "iowolfded", titles quake3::TITLES_OF_WOLFENSTEIN;

    /// iortcw, the single player engine of Return to Castle Wolfenstein.
    IoRtcwSp = "iortcw-sp" | "rtcw-sp",
        AsOf { version: "iortcw 1.51d, single player", commit: "a4e6f501", date: "2024-03-12",
            run: &[RANDOM] },
        quake3::IORTCW_SP, programs "iowolfsp";

    /// Urban Terror, on its ioquake3.
    UrbanTerror = "urban-terror" | "urbanterror" | "urt",
        AsOf { version: "Urban Terror 4.3, on ioquake3", commit: "dae99817", date: "2023-02-03",
            run: &[RANDOM] },
        quake3::URBAN_TERROR, programs "quake3-urt", titles quake3::TITLES_OF_URBAN_TERROR;

    /// World of Padman, on its ioquake3.
    Padman = "padman" | "worldofpadman" | "wop",
        AsOf { version: "World of Padman, on ioquake3", commit: "c865cbee", date: "2026-06-13",
            run: &[RANDOM] },
        quake3::PADMAN;

    /// Smokin' Guns, on its ioquake3.
    SmokinGuns = "smokin-guns" | "smokinguns",
        AsOf { version: "Smokin' Guns, on ioquake3", commit: "f5d9ecf2", date: "2014-04-19",
            run: &[RANDOM] },
        quake3::SMOKIN_GUNS;

    /// Nightdive's remaster of Quake, on the KEX engine. What its documents do not tell is as in id's engine.
    QuakeKex = "quake-kex" | "kex" | "quake-remaster",
        AsOf { version: "Quake's remaster, on KEX", commit: "", date: "2021", run: &[] },
        quake::QUAKE_KEX,
        programs "quake_x64_steam" | "quake_shipping_playfab_gog_x64" | "quake_gog" | "quake_egs";

    /// Nightdive's remaster of Quake II, on the KEX engine. What its documents do not tell is as in id's
    /// engine.
    Quake2Kex = "quake2-kex" | "quake2-remaster",
        AsOf { version: "Quake II's remaster, on KEX", commit: "", date: "2023", run: &[] },
        quake2::QUAKE2_KEX, programs "quake2ex_steam" | "quake2ex_gog" | "quake2ex";

    /// The level editor TrenchBroom, source of 2026, with its configuration for Quake. It calls games mods.
    /// The lowest folder that it searches, its own `assets`, is outside of the base directory and not part of
    /// the rules.
    TrenchBroom = "trenchbroom" | "tb",
        AsOf { version: "TrenchBroom 2026.2", commit: "fec1fdae", date: "2026-08-21",
            run: &[RANDOM] },
        tools::TRENCHBROOM;

    /// The compilers of ericw-tools 2.0 (qbsp, vis, light) for a Quake level, called with `-path` for `id1`
    /// and for each game. Before these, they search the current folder and the level's folder, which are not
    /// part of the rules.
    EricwTools = "ericw-tools" | "ericw",
        AsOf { version: "ericw-tools 2.0.0-alpha11", commit: "c243aa34", date: "2026-06-04",
            run: &[RANDOM] },
        tools::ERICW_TOOLS;
}

/// QuakeSpasm, which most players of Quake have or an engine that comes from it.
impl Default for Engine {
    fn default() -> Self {
        Engine::QuakeSpasm
    }
}

impl Engine {
    /// The engines whose rules are such, in the order of [`ALL`](Self::ALL).
    ///
    /// ```
    /// use quake_rules::Engine;
    /// let mut found = Engine::with(|rules| rules.directories.base.contains(&"baseoa".into()));
    /// assert_eq!(found.next(), Some(Engine::OpenArena));
    /// ```
    pub fn with(is: impl Fn(&'static Rules) -> bool) -> impl Iterator<Item = Engine> {
        Engine::ALL.iter().copied().filter(move |engine| is(engine.rules()))
    }

    /// The engine whose program is in a base directory with its game, and the reason as a sentence. `entries`
    /// are the names there, with whether each is a file or else a folder. Files count if they look like
    /// programs: `vkQuake.exe`, `quakespasm`, `ioquake3.x86_64`. Programs that every copy of a store contains
    /// do not count, because players use another one. Of several engines, the first of [`ALL`](Self::ALL)
    /// counts.
    ///
    /// ```
    /// use quake_rules::Engine;
    /// let entries = [("id1", false), ("Ironwail.exe", true), ("ironwail.pak", true), ("glquake.exe", true)];
    /// let (engine, reason) = Engine::of_base(&entries).unwrap();
    /// assert_eq!(engine, Engine::Ironwail);
    /// assert_eq!(&*reason, "its program Ironwail.exe is in the base directory");
    /// ```
    #[must_use]
    pub fn of_base<S: AsRef<str>>(entries: &[(S, bool)]) -> Option<(Engine, String)> {
        let entries = || entries.iter().map(|(entry, is_file)| (entry.as_ref(), *is_file));
        let has_folder =
            |name: &str| entries().any(|(entry, is_file)| !is_file && entry.eq_ignore_ascii_case(name));
        let has_game = |engine: Engine| engine.rules().directories.base.iter().any(|base| has_folder(base));
        let files = entries().filter(|(_, is_file)| *is_file);
        let programs = files.filter_map(|(file, _)| Some((Engine::of_program(file)?, file)));
        let programs: Vec<_> = programs.filter(|(engine, _)| has_game(*engine)).collect();
        let (engine, file) = *programs.iter().min()?;
        let other = programs.iter().filter(|(of, _)| *of != engine).min();
        let reason = match other {
            None => format!("its program {file} is in the base directory"),
            Some((_, other)) => {
                format!("a guess: its program {file} is in the base directory, and so is {other}")
            }
        };
        Some((engine, reason))
    }

    /// The engine that has a program of this file name, such as `vkQuake.exe`, unless every copy of a store
    /// contains it.
    #[must_use]
    pub fn of_program(file: &str) -> Option<Engine> {
        let stem = program_stem(file)?;
        let is_it = |program: &str| is_program(&stem, program);
        let programs =
            |engine: Engine| engine.rules().executables.iter().map(move |program| (engine, program));
        // quakespasm-spiked also begins with quakespasm
        Engine::ALL
            .iter()
            .copied()
            .flat_map(programs)
            .filter(|(_, program)| is_it(program))
            .max_by_key(|(_, program)| program.len())
            .filter(|(engine, program)| !engine.rules().executables_in_stores.contains(program))
            .map(|(engine, _)| engine)
    }
}

/// The name of a program without its extension, in lower case.
fn program_stem(file: &str) -> Option<String> {
    let lower = file.to_ascii_lowercase();
    match lower.rsplit_once('.') {
        // ioquake3.x86_64.exe
        Some((stem, "exe")) if stem.contains('.') => program_stem(stem).or_else(|| Some(stem.to_owned())),
        Some((stem, "exe" | "sh" | "appimage" | "x86_64" | "x64" | "x86" | "i386" | "aarch64")) => {
            Some(stem.to_owned())
        }
        Some(_) => None,
        None => Some(lower),
    }
}

/// Whether a file without its extension is the program, also before a dash: `darkplaces-sdl`.
fn is_program(stem: &str, program: &str) -> bool {
    stem.strip_prefix(program).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

impl Rules {
    /// The program of the engine among the files of a base directory: of several, the first of `executables`.
    ///
    /// ```
    /// use quake_rules::Engine;
    /// let files = ["hl.exe", "HLDS.exe", "steam.dll"];
    /// assert_eq!(Engine::GoldSrc.rules().program_among(files), Some("hl.exe"));
    /// assert_eq!(Engine::QuakeSpasm.rules().program_among(files), None);
    /// ```
    #[must_use]
    pub fn program_among<'f>(&self, files: impl IntoIterator<Item = &'f str>) -> Option<&'f str> {
        let rank = |file: &'f str| {
            let stem = program_stem(file)?;
            Some((self.executables.iter().position(|program| is_program(&stem, program))?, file))
        };
        files.into_iter().filter_map(rank).min().map(|(_, file)| file)
    }
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
