//! The engines that are known, a row of [`Rules`] each.

use std::borrow::Cow::Borrowed;
use std::fmt;
use std::str::FromStr;

use pak_format::Layout;

use crate::rules::{
    ArchiveSet, Backslash, Case, Directories, Duplicates, EmptyArchive, Games, Gaps, Limits, List, Loose,
    LooseCase, LoosePosition, Mission, Order, PakReading, PartialRow, Reading, Requests, Rules, Text,
    WrongArchive, ZipNames,
};

/// An engine whose answers quakefs gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Engine {
    /// id Software's `WinQuake`, the source of 1999.
    WinQuake,
    /// QuakeSpasm 0.95.
    QuakeSpasm,
    /// Ironwail, the source of 2026.
    Ironwail,
    /// QuakeSpasm-Spiked, the source of July 2021.
    Qss,
    /// DarkPlaces of 2018.
    DarkPlaces,
    /// FTE's server, the source of 2026.
    Fte,
    /// MVDSV 0.35, a server for `QuakeWorld`.
    Mvdsv,
    /// id Software's Quake II 3.20, the source of 2001.
    Quake2,
    /// Yamagi Quake II 8.71.
    YQuake2,
    /// Q2PRO, the source of 2026.
    Q2Pro,
    /// GoldSrc, as Xash3D's filesystem of 2026 does it.
    GoldSrc,
    /// id Software's `QuakeWorld`, client and server.
    QuakeWorld,
    /// vkQuake.
    VkQuake,
    /// Hexen II, as Hammer of Thyrion does it.
    Hexen2,
    /// SiN, of 1998.
    Sin,
    /// Daikatana.
    Daikatana,
    /// ioquake3.
    IoQuake3,
}

/// How it is known what an engine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// It was run on random layouts, and every answer that it gave is a test of this project.
    Recorded,
    /// It is what its documents and its source say; where they are silent, it does as the engine of id's that it
    /// comes from.
    Documented,
}

impl Engine {
    /// Every engine.
    pub const ALL: &[Engine] = &[
        Engine::WinQuake,
        Engine::QuakeSpasm,
        Engine::Ironwail,
        Engine::Qss,
        Engine::DarkPlaces,
        Engine::Fte,
        Engine::Mvdsv,
        Engine::Quake2,
        Engine::YQuake2,
        Engine::Q2Pro,
        Engine::GoldSrc,
        Engine::QuakeWorld,
        Engine::VkQuake,
        Engine::Hexen2,
        Engine::Sin,
        Engine::Daikatana,
        Engine::IoQuake3,
    ];

    /// The word for it on the command line: `winquake`, `quakespasm`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match &self.rules().name {
            Borrowed(name) => name,
            std::borrow::Cow::Owned(_) => "",
        }
    }

    /// How it is known what it does.
    #[must_use]
    pub const fn evidence(self) -> Evidence {
        match self {
            Engine::QuakeWorld
            | Engine::VkQuake
            | Engine::Hexen2
            | Engine::Sin
            | Engine::Daikatana
            | Engine::IoQuake3 => Evidence::Documented,
            _ => Evidence::Recorded,
        }
    }

    /// What it does.
    #[must_use]
    pub const fn rules(self) -> &'static Rules {
        match self {
            Engine::WinQuake => &WINQUAKE,
            Engine::QuakeSpasm => &QUAKESPASM,
            Engine::Ironwail => &IRONWAIL,
            Engine::Qss => &QSS,
            Engine::DarkPlaces => &DARKPLACES,
            Engine::Fte => &FTE,
            Engine::Mvdsv => &MVDSV,
            Engine::Quake2 => &QUAKE2,
            Engine::YQuake2 => &YQUAKE2,
            Engine::Q2Pro => &Q2PRO,
            Engine::GoldSrc => &GOLDSRC,
            Engine::QuakeWorld => &QUAKEWORLD,
            Engine::VkQuake => &VKQUAKE,
            Engine::Hexen2 => &HEXEN2,
            Engine::Sin => &SIN,
            Engine::Daikatana => &DAIKATANA,
            Engine::IoQuake3 => &IOQUAKE3,
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No engine has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEngine(String);

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no engine is called \"{}\": expected ", self.0)?;
        for (index, engine) in Engine::ALL.iter().enumerate() {
            let between = if index == 0 { "" } else { ", " };
            write!(f, "{between}{engine}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownEngine {}

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Engine::ALL
            .iter()
            .copied()
            .find(|engine| engine.name().eq_ignore_ascii_case(word))
            .ok_or_else(|| UnknownEngine(word.to_owned()))
    }
}

const fn mission(name: &'static str) -> Mission {
    Mission { flag: Borrowed(name), directory: Borrowed(name) }
}

const ROGUE: Mission = mission("rogue");
const HIPNOTIC: Mission = mission("hipnotic");
const QUOTH: Mission = mission("quoth");

const TWO_MISSIONS: List<Mission> = Borrowed(&[ROGUE, HIPNOTIC]);
const THREE_MISSIONS: List<Mission> = Borrowed(&[ROGUE, HIPNOTIC, QUOTH]);
const PORTALS: List<Mission> = Borrowed(&[mission("portals")]);

const PAK: List<Text> = Borrowed(&[Borrowed("pak")]);
const PK3: List<Text> = Borrowed(&[Borrowed("pk3")]);

const fn numbered(extensions: List<Text>, count: Option<u32>, gaps: Gaps) -> ArchiveSet {
    ArchiveSet::Numbered { extensions, count, gaps, empty: EmptyArchive::Loaded }
}

const fn others(extensions: List<Text>, extension_case: Case, order: Order) -> ArchiveSet {
    ArchiveSet::Others { extensions, extension_case, skip_numbered_in_other_case: false, order }
}

/// The archives compare a request as it is, and the loose files leave it to the system: the way of the id
/// engines, which put a name behind a path and open it.
const AS_GIVEN: Requests = Requests {
    backslash: Backslash::Literal,
    leading_slash: Reading::Literal,
    dot_component: Reading::Literal,
    empty_component: Reading::Literal,
};

/// What is not of a game is not asked for.
const REFUSED: Requests = Requests {
    backslash: Backslash::Refused,
    leading_slash: Reading::Refused,
    dot_component: Reading::Refused,
    empty_component: Reading::Refused,
};

const CLEANED: Requests = Requests {
    backslash: Backslash::Literal,
    leading_slash: Reading::Dropped,
    dot_component: Reading::Dropped,
    empty_component: Reading::Dropped,
};

const FATAL: PakReading = PakReading {
    layout: Some(Layout::Quake),
    partial_row: PartialRow::Ignored,
    wrong_archive: WrongArchive::Fatal,
};

const SKIPPED: PakReading = PakReading { wrong_archive: WrongArchive::Skipped, ..FATAL };

const STRICT: PakReading = PakReading { partial_row: PartialRow::Refused, ..SKIPPED };

const fn limits(entries: Option<u32>, too_many: WrongArchive, name: u32) -> Limits {
    Limits { entries, too_many, name }
}

/// What `id Tech` has room for: names of 64 bytes with their NUL.
const NO_LIMIT: Limits = limits(None, WrongArchive::Skipped, 63);

/// The file that a registered copy of Quake has.
const POP: Option<Text> = Some(Borrowed("gfx/pop.lmp"));

const fn directories(base: List<Text>, missions: List<Mission>, games: Games) -> Directories {
    Directories { base, missions, games, game_folders: Borrowed(&[Borrowed("{}")]) }
}

static WINQUAKE: Rules = Rules {
    name: Borrowed("winquake"),
    directories: directories(Borrowed(&[Borrowed("id1")]), TWO_MISSIONS, Games::First),
    archives: Borrowed(&[numbered(PAK, None, Gaps::Stop)]),
    later_wins: true,
    paks: FATAL,
    zip_names: ZipNames::AsStored,
    case: Case::Exact,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Below, case: LooseCase::Exact },
    requests: AS_GIVEN,
    limits: limits(Some(2048), WrongArchive::Fatal, 63),
    registered_by: POP,
};

static QUAKESPASM: Rules = Rules {
    name: Borrowed("quakespasm"),
    directories: directories(Borrowed(&[Borrowed("id1")]), THREE_MISSIONS, Games::First),
    archives: Borrowed(&[ArchiveSet::Numbered {
        extensions: PAK,
        count: None,
        gaps: Gaps::Stop,
        empty: EmptyArchive::EndsRun,
    }]),
    later_wins: true,
    paks: FATAL,
    zip_names: ZipNames::AsStored,
    case: Case::Exact,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Below, case: LooseCase::Exact },
    requests: AS_GIVEN,
    limits: limits(Some(2048), WrongArchive::Fatal, 63),
    registered_by: POP,
};

static IRONWAIL: Rules = Rules {
    name: Borrowed("ironwail"),
    directories: directories(Borrowed(&[Borrowed("id1")]), THREE_MISSIONS, Games::Every),
    archives: Borrowed(&[ArchiveSet::Numbered {
        extensions: PAK,
        count: None,
        gaps: Gaps::Stop,
        empty: EmptyArchive::EndsRun,
    }]),
    later_wins: true,
    paks: FATAL,
    zip_names: ZipNames::AsStored,
    case: Case::Exact,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Below, case: LooseCase::Exact },
    requests: AS_GIVEN,
    limits: limits(Some(2048), WrongArchive::Fatal, 63),
    registered_by: POP,
};

static QSS: Rules = Rules {
    name: Borrowed("qss"),
    directories: directories(Borrowed(&[Borrowed("id1")]), THREE_MISSIONS, Games::Every),
    archives: Borrowed(&[
        numbered(Borrowed(&[Borrowed("pak"), Borrowed("pk3")]), None, Gaps::Stop),
        others(PAK, Case::Ignored, Order::Bytes),
        others(PK3, Case::Ignored, Order::Bytes),
    ]),
    later_wins: true,
    paks: FATAL,
    zip_names: ZipNames::LowerCased,
    case: Case::Exact,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Above, case: LooseCase::Exact },
    requests: AS_GIVEN,
    limits: limits(Some(4096), WrongArchive::Fatal, 63),
    registered_by: POP,
};

static DARKPLACES: Rules = Rules {
    name: Borrowed("darkplaces"),
    directories: directories(Borrowed(&[Borrowed("id1")]), THREE_MISSIONS, Games::Every),
    archives: Borrowed(&[
        others(PAK, Case::Ignored, Order::IgnoreCase),
        others(PK3, Case::Ignored, Order::IgnoreCase),
    ]),
    later_wins: true,
    paks: STRICT,
    zip_names: ZipNames::AsStored,
    case: Case::Ignored,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Above, case: LooseCase::Exact },
    requests: REFUSED,
    limits: limits(Some(65536), WrongArchive::Skipped, 127),
    registered_by: POP,
};

static FTE: Rules = Rules {
    name: Borrowed("fte"),
    directories: directories(
        Borrowed(&[Borrowed("id1"), Borrowed("qw"), Borrowed("fte")]),
        THREE_MISSIONS,
        Games::Every,
    ),
    archives: Borrowed(&[
        numbered(PAK, None, Gaps::Stop),
        numbered(PK3, None, Gaps::Stop),
        others(PAK, Case::Ignored, Order::IgnoreCase),
        others(PK3, Case::Ignored, Order::IgnoreCase),
    ]),
    later_wins: true,
    paks: SKIPPED,
    zip_names: ZipNames::AsStored,
    case: Case::Ignored,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Above, case: LooseCase::Exact },
    requests: Requests { backslash: Backslash::Slash, empty_component: Reading::Dropped, ..REFUSED },
    limits: limits(None, WrongArchive::Skipped, 127),
    registered_by: None,
};

static MVDSV: Rules = Rules {
    name: Borrowed("mvdsv"),
    directories: directories(Borrowed(&[Borrowed("id1"), Borrowed("qw")]), Borrowed(&[]), Games::First),
    archives: Borrowed(&[numbered(PAK, None, Gaps::Stop), others(PAK, Case::Exact, Order::Bytes)]),
    later_wins: true,
    paks: SKIPPED,
    zip_names: ZipNames::AsStored,
    case: Case::Ignored,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Below, case: LooseCase::ExactHidesOthers },
    requests: Requests { backslash: Backslash::Slash, ..REFUSED },
    limits: NO_LIMIT,
    registered_by: None,
};

static QUAKE2: Rules = Rules {
    name: Borrowed("quake2"),
    directories: directories(Borrowed(&[Borrowed("baseq2")]), Borrowed(&[]), Games::Last),
    archives: Borrowed(&[numbered(PAK, Some(10), Gaps::Skip)]),
    later_wins: true,
    paks: FATAL,
    zip_names: ZipNames::AsStored,
    case: Case::Ignored,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Below, case: LooseCase::Exact },
    requests: AS_GIVEN,
    limits: limits(Some(4096), WrongArchive::Fatal, 63),
    registered_by: None,
};

static YQUAKE2: Rules = Rules {
    name: Borrowed("yquake2"),
    directories: directories(Borrowed(&[Borrowed("baseq2")]), Borrowed(&[]), Games::Last),
    archives: Borrowed(&[
        numbered(PAK, Some(100), Gaps::Skip),
        numbered(PK3, Some(100), Gaps::Skip),
        ArchiveSet::Others {
            extensions: PAK,
            extension_case: Case::Exact,
            skip_numbered_in_other_case: true,
            order: Order::Bytes,
        },
        others(PK3, Case::Exact, Order::Bytes),
    ]),
    later_wins: true,
    paks: FATAL,
    zip_names: ZipNames::AsStored,
    case: Case::Ignored,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Below, case: LooseCase::ExactThenLower },
    requests: CLEANED,
    limits: limits(Some(4096), WrongArchive::Fatal, 63),
    registered_by: None,
};

static Q2PRO: Rules = Rules {
    name: Borrowed("q2pro"),
    directories: directories(Borrowed(&[Borrowed("baseq2")]), Borrowed(&[]), Games::Last),
    archives: Borrowed(&[others(
        Borrowed(&[Borrowed("pak"), Borrowed("pkz")]),
        Case::Ignored,
        Order::NumberThenName,
    )]),
    later_wins: true,
    paks: SKIPPED,
    zip_names: ZipNames::AsStored,
    case: Case::Ignored,
    duplicates: Duplicates::Last,
    loose: Loose { position: LoosePosition::Below, case: LooseCase::ExactThenLower },
    requests: Requests { backslash: Backslash::Slash, ..CLEANED },
    limits: NO_LIMIT,
    registered_by: None,
};

static GOLDSRC: Rules = Rules {
    name: Borrowed("goldsrc"),
    directories: Directories {
        base: Borrowed(&[Borrowed("."), Borrowed("valve")]),
        missions: Borrowed(&[]),
        games: Games::Last,
        game_folders: Borrowed(&[Borrowed("{}_downloads"), Borrowed("{}"), Borrowed("{}/custom")]),
    },
    archives: Borrowed(&[others(PAK, Case::Ignored, Order::Bytes), others(PK3, Case::Ignored, Order::Bytes)]),
    later_wins: true,
    paks: STRICT,
    zip_names: ZipNames::AsStored,
    case: Case::Ignored,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Above, case: LooseCase::Ignored },
    requests: Requests { backslash: Backslash::Literal, leading_slash: Reading::Dropped, ..REFUSED },
    limits: limits(Some(65536), WrongArchive::Skipped, 63),
    registered_by: None,
};

static QUAKEWORLD: Rules = Rules {
    name: Borrowed("quakeworld"),
    directories: directories(Borrowed(&[Borrowed("id1"), Borrowed("qw")]), Borrowed(&[]), Games::Ignored),
    archives: Borrowed(&[numbered(PAK, None, Gaps::Stop)]),
    later_wins: true,
    paks: FATAL,
    zip_names: ZipNames::AsStored,
    case: Case::Exact,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Below, case: LooseCase::Exact },
    requests: AS_GIVEN,
    limits: limits(Some(2048), WrongArchive::Fatal, 63),
    registered_by: POP,
};

static VKQUAKE: Rules = Rules {
    name: Borrowed("vkquake"),
    directories: directories(Borrowed(&[Borrowed("id1")]), THREE_MISSIONS, Games::Every),
    archives: Borrowed(&[ArchiveSet::Numbered {
        extensions: PAK,
        count: None,
        gaps: Gaps::Stop,
        empty: EmptyArchive::EndsRunUnlessFirst,
    }]),
    later_wins: true,
    paks: FATAL,
    zip_names: ZipNames::AsStored,
    case: Case::Exact,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Below, case: LooseCase::Exact },
    requests: AS_GIVEN,
    limits: limits(Some(2048), WrongArchive::Fatal, 63),
    registered_by: POP,
};

static HEXEN2: Rules = Rules {
    name: Borrowed("hexen2"),
    directories: directories(Borrowed(&[Borrowed("data1")]), PORTALS, Games::First),
    archives: Borrowed(&[numbered(PAK, Some(10), Gaps::Skip)]),
    later_wins: true,
    paks: FATAL,
    zip_names: ZipNames::AsStored,
    case: Case::Exact,
    duplicates: Duplicates::Last,
    loose: Loose { position: LoosePosition::Above, case: LooseCase::Exact },
    requests: AS_GIVEN,
    limits: limits(Some(2048), WrongArchive::Fatal, 63),
    registered_by: None,
};

static SIN: Rules = Rules {
    name: Borrowed("sin"),
    directories: directories(Borrowed(&[Borrowed("base")]), Borrowed(&[]), Games::Last),
    archives: Borrowed(&[numbered(Borrowed(&[Borrowed("sin")]), Some(32), Gaps::Skip)]),
    later_wins: true,
    paks: PakReading { layout: Some(Layout::Sin), ..FATAL },
    zip_names: ZipNames::AsStored,
    case: Case::Ignored,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Above, case: LooseCase::Exact },
    requests: AS_GIVEN,
    limits: limits(Some(16384), WrongArchive::Fatal, 119),
    registered_by: None,
};

static DAIKATANA: Rules = Rules {
    name: Borrowed("daikatana"),
    directories: directories(Borrowed(&[Borrowed("data")]), Borrowed(&[]), Games::Last),
    archives: Borrowed(&[numbered(PAK, Some(10), Gaps::Skip)]),
    later_wins: true,
    paks: PakReading { layout: Some(Layout::Daikatana), ..FATAL },
    zip_names: ZipNames::AsStored,
    case: Case::Ignored,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Below, case: LooseCase::Exact },
    requests: AS_GIVEN,
    limits: limits(Some(4096), WrongArchive::Fatal, 63),
    registered_by: None,
};

static IOQUAKE3: Rules = Rules {
    name: Borrowed("ioquake3"),
    directories: directories(Borrowed(&[Borrowed("baseq3")]), Borrowed(&[]), Games::Last),
    archives: Borrowed(&[others(PK3, Case::Ignored, Order::IgnoreCase)]),
    later_wins: true,
    paks: SKIPPED,
    zip_names: ZipNames::AsStored,
    case: Case::Ignored,
    duplicates: Duplicates::Last,
    loose: Loose { position: LoosePosition::Above, case: LooseCase::Exact },
    requests: AS_GIVEN,
    limits: NO_LIMIT,
    registered_by: None,
};
