//! The engines that are known, a row of [`Rules`] each.

use std::borrow::Cow::Borrowed;
use std::fmt;
use std::str::FromStr;

use pak_format::Layout;

use crate::rules::{
    Alike, ArchiveSet, Backslash, Case, Directories, Duplicates, EmptyArchive, Games, Gaps, Limits, List,
    Loose, LooseCase, LoosePosition, Mission, NamedAgain, Order, PakReading, PartialRow, Reading, Requests,
    Rules, Text, WrongArchive, ZipNames,
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

const HIPNOTIC_AND_ROGUE: &[Mission] = &[mission("rogue"), mission("hipnotic")];
const AND_QUOTH: &[Mission] = &[mission("rogue"), mission("hipnotic"), mission("quoth")];

const PAK: List<Text> = Borrowed(&[Borrowed("pak")]);
const PK3: List<Text> = Borrowed(&[Borrowed("pk3")]);

const fn numbered(extensions: List<Text>, count: Option<u32>, gaps: Gaps) -> ArchiveSet {
    ArchiveSet::Numbered { extensions, count, gaps, empty: EmptyArchive::Loaded }
}

const fn numbered_to_empty(empty: EmptyArchive) -> ArchiveSet {
    ArchiveSet::Numbered { extensions: PAK, count: None, gaps: Gaps::Stop, empty }
}

const fn others(extensions: List<Text>, extension_case: Case, order: Order) -> ArchiveSet {
    ArchiveSet::Others { extensions, extension_case, alike: Alike::Loaded, order }
}

/// As [`others`], without those that are like a loaded one but for case.
const fn others_once(extensions: List<Text>, extension_case: Case, order: Order) -> ArchiveSet {
    ArchiveSet::Others { extensions, extension_case, alike: Alike::SkipSecond, order }
}

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

const SKIPPED: PakReading = PakReading {
    layout: Some(Layout::Quake),
    partial_row: PartialRow::Ignored,
    wrong_archive: WrongArchive::Skipped,
};

const STRICT: PakReading = PakReading { partial_row: PartialRow::Refused, ..SKIPPED };

const NO_LIMIT: Limits = Limits { entries: None, too_many: WrongArchive::Skipped, name: 63 };

/// `pak0.pak`, `pak1.pak`, … up to the first gap.
const TO_THE_GAP: &[ArchiveSet] = &[numbered(PAK, None, Gaps::Stop)];
/// The same, where an archive without entries is a gap.
const TO_GAP_OR_EMPTY: &[ArchiveSet] = &[numbered_to_empty(EmptyArchive::EndsRun)];
/// `pak0.pak` to `pak9.pak`, whichever there are.
const TEN: &[ArchiveSet] = &[numbered(PAK, Some(10), Gaps::Skip)];

const ID1: &[Text] = &[Borrowed("id1")];
const BASEQ2: &[Text] = &[Borrowed("baseq2")];

/// The file that a registered copy of Quake has.
const POP: Option<Text> = Some(Borrowed("gfx/pop.lmp"));

/// What the engines of id do that are the root of all: each row below says what its engine does otherwise.
///
/// A request is put behind a path and opened, and compared with the names in archives as it is; an archive that is
/// none stops the engine; names have room for 63 bytes and a NUL.
const fn id_tech(
    name: &'static str,
    base: &'static [Text],
    missions: &'static [Mission],
    archives: &'static [ArchiveSet],
    registered_by: Option<Text>,
) -> Rules {
    Rules {
        name: Borrowed(name),
        directories: Directories {
            base: Borrowed(base),
            missions: Borrowed(missions),
            games: Games::First,
            game_folders: Borrowed(&[Borrowed("{}")]),
            named_again: NamedAgain::MovesUp,
        },
        archives: Borrowed(archives),
        later_wins: true,
        paks: PakReading { wrong_archive: WrongArchive::Fatal, ..SKIPPED },
        zip_names: ZipNames::AsStored,
        case: Case::Exact,
        duplicates: Duplicates::First,
        loose: Loose { position: LoosePosition::Below, case: LooseCase::Exact },
        requests: Requests {
            backslash: Backslash::Literal,
            leading_slash: Reading::Literal,
            dot_component: Reading::Literal,
            empty_component: Reading::Literal,
        },
        limits: Limits { entries: Some(2048), too_many: WrongArchive::Fatal, name: 63 },
        registered_by,
    }
}

static WINQUAKE: Rules = id_tech("winquake", ID1, HIPNOTIC_AND_ROGUE, TO_THE_GAP, POP);

static QUAKESPASM: Rules = {
    let mut rules = id_tech("quakespasm", ID1, AND_QUOTH, TO_GAP_OR_EMPTY, POP);
    rules.directories.named_again = NamedAgain::MissionsStay;
    rules
};

static IRONWAIL: Rules = {
    let mut rules = id_tech("ironwail", ID1, AND_QUOTH, TO_GAP_OR_EMPTY, POP);
    rules.directories.games = Games::Every;
    rules
};

static QSS: Rules = {
    const ARCHIVES: &[ArchiveSet] = &[
        numbered(Borrowed(&[Borrowed("pak"), Borrowed("pk3")]), None, Gaps::Stop),
        others(PAK, Case::Ignored, Order::Bytes),
        others(PK3, Case::Ignored, Order::Bytes),
    ];
    let mut rules = id_tech("qss", ID1, AND_QUOTH, ARCHIVES, POP);
    rules.directories.games = Games::Every;
    rules.zip_names = ZipNames::LowerCased;
    rules.loose.position = LoosePosition::Above;
    rules.limits.entries = Some(4096);
    rules
};

static DARKPLACES: Rules = {
    const ARCHIVES: &[ArchiveSet] = &[
        others_once(PAK, Case::Ignored, Order::IgnoreCase),
        others_once(PK3, Case::Ignored, Order::IgnoreCase),
    ];
    let mut rules = id_tech("darkplaces", ID1, AND_QUOTH, ARCHIVES, POP);
    rules.directories.games = Games::Every;
    rules.directories.named_again = NamedAgain::LooseMoveUp;
    rules.paks = STRICT;
    rules.case = Case::Ignored;
    rules.loose.position = LoosePosition::Above;
    rules.requests = REFUSED;
    rules.limits = Limits { entries: Some(65536), too_many: WrongArchive::Skipped, name: 127 };
    rules
};

static FTE: Rules = {
    const BASE: &[Text] = &[Borrowed("id1"), Borrowed("qw"), Borrowed("fte")];
    const ARCHIVES: &[ArchiveSet] = &[
        numbered(PAK, None, Gaps::Stop),
        numbered(PK3, None, Gaps::Stop),
        others(PAK, Case::Ignored, Order::IgnoreCase),
        others(PK3, Case::Ignored, Order::IgnoreCase),
    ];
    let mut rules = id_tech("fte", BASE, AND_QUOTH, ARCHIVES, None);
    rules.directories.games = Games::Every;
    rules.paks = SKIPPED;
    rules.case = Case::Ignored;
    rules.loose.position = LoosePosition::Above;
    rules.requests = Requests { backslash: Backslash::Slash, empty_component: Reading::Dropped, ..REFUSED };
    rules.limits = Limits { name: 127, ..NO_LIMIT };
    rules
};

static MVDSV: Rules = {
    const BASE: &[Text] = &[Borrowed("id1"), Borrowed("qw")];
    const ARCHIVES: &[ArchiveSet] =
        &[numbered(PAK, None, Gaps::Stop), others_once(PAK, Case::Exact, Order::Bytes)];
    let mut rules = id_tech("mvdsv", BASE, &[], ARCHIVES, None);
    rules.directories.named_again = NamedAgain::Stays;
    rules.paks = SKIPPED;
    rules.case = Case::Ignored;
    rules.loose.case = LooseCase::ExactHidesOthers;
    rules.requests = Requests { backslash: Backslash::Slash, ..REFUSED };
    rules.limits = NO_LIMIT;
    rules
};

static QUAKE2: Rules = {
    let mut rules = id_tech("quake2", BASEQ2, &[], TEN, None);
    rules.directories.games = Games::Last;
    rules.case = Case::Ignored;
    rules.limits.entries = Some(4096);
    rules
};

static YQUAKE2: Rules = {
    const ARCHIVES: &[ArchiveSet] = &[
        numbered(PAK, Some(100), Gaps::Skip),
        numbered(PK3, Some(100), Gaps::Skip),
        ArchiveSet::Others {
            extensions: PAK,
            extension_case: Case::Exact,
            alike: Alike::SkipNumbered,
            order: Order::Bytes,
        },
        others(PK3, Case::Exact, Order::Bytes),
    ];
    let mut rules = id_tech("yquake2", BASEQ2, &[], ARCHIVES, None);
    rules.directories.games = Games::Last;
    rules.case = Case::Ignored;
    rules.loose.case = LooseCase::ExactThenLower;
    rules.requests = CLEANED;
    rules.limits.entries = Some(4096);
    rules
};

static Q2PRO: Rules = {
    const ARCHIVES: &[ArchiveSet] =
        &[others(Borrowed(&[Borrowed("pak"), Borrowed("pkz")]), Case::Ignored, Order::NumberThenName)];
    let mut rules = id_tech("q2pro", BASEQ2, &[], ARCHIVES, None);
    rules.directories.games = Games::Last;
    rules.paks = SKIPPED;
    rules.case = Case::Ignored;
    rules.duplicates = Duplicates::Last;
    rules.loose.case = LooseCase::ExactThenLower;
    rules.requests = Requests { backslash: Backslash::Slash, ..CLEANED };
    rules.limits = NO_LIMIT;
    rules
};

static GOLDSRC: Rules = Rules {
    name: Borrowed("goldsrc"),
    directories: Directories {
        base: Borrowed(&[Borrowed("."), Borrowed("valve")]),
        missions: Borrowed(&[]),
        games: Games::Last,
        game_folders: Borrowed(&[Borrowed("{}_downloads"), Borrowed("{}"), Borrowed("{}/custom")]),
        named_again: NamedAgain::MovesUp,
    },
    archives: Borrowed(&[others(PAK, Case::Ignored, Order::Bytes), others(PK3, Case::Ignored, Order::Bytes)]),
    later_wins: true,
    paks: STRICT,
    zip_names: ZipNames::AsStored,
    case: Case::Ignored,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Above, case: LooseCase::Ignored },
    requests: Requests { backslash: Backslash::Literal, leading_slash: Reading::Dropped, ..REFUSED },
    limits: Limits { entries: Some(65536), ..NO_LIMIT },
    registered_by: None,
};

static QUAKEWORLD: Rules = {
    const BASE: &[Text] = &[Borrowed("id1"), Borrowed("qw")];
    let mut rules = id_tech("quakeworld", BASE, &[], TO_THE_GAP, POP);
    rules.directories.games = Games::Ignored;
    rules
};

static VKQUAKE: Rules = {
    const ARCHIVES: &[ArchiveSet] = &[numbered_to_empty(EmptyArchive::EndsRunUnlessFirst)];
    let mut rules = id_tech("vkquake", ID1, AND_QUOTH, ARCHIVES, POP);
    rules.directories.games = Games::Every;
    rules
};

static HEXEN2: Rules = {
    const BASE: &[Text] = &[Borrowed("data1")];
    const MISSIONS: &[Mission] = &[mission("portals")];
    let mut rules = id_tech("hexen2", BASE, MISSIONS, TEN, None);
    rules.duplicates = Duplicates::Last;
    rules.loose.position = LoosePosition::Above;
    rules
};

static SIN: Rules = {
    const BASE: &[Text] = &[Borrowed("base")];
    const ARCHIVES: &[ArchiveSet] = &[numbered(Borrowed(&[Borrowed("sin")]), Some(32), Gaps::Skip)];
    let mut rules = id_tech("sin", BASE, &[], ARCHIVES, None);
    rules.directories.games = Games::Last;
    rules.paks.layout = Some(Layout::Sin);
    rules.case = Case::Ignored;
    rules.loose.position = LoosePosition::Above;
    rules.limits = Limits { entries: Some(16384), too_many: WrongArchive::Fatal, name: 119 };
    rules
};

static DAIKATANA: Rules = {
    const BASE: &[Text] = &[Borrowed("data")];
    let mut rules = id_tech("daikatana", BASE, &[], TEN, None);
    rules.directories.games = Games::Last;
    rules.paks.layout = Some(Layout::Daikatana);
    rules.case = Case::Ignored;
    rules.limits.entries = Some(4096);
    rules
};

static IOQUAKE3: Rules = {
    const BASE: &[Text] = &[Borrowed("baseq3")];
    const ARCHIVES: &[ArchiveSet] = &[others(PK3, Case::Ignored, Order::IgnoreCase)];
    let mut rules = id_tech("ioquake3", BASE, &[], ARCHIVES, None);
    rules.directories.games = Games::Last;
    rules.paks = SKIPPED;
    rules.case = Case::Ignored;
    rules.duplicates = Duplicates::Last;
    rules.loose.position = LoosePosition::Above;
    rules.limits = NO_LIMIT;
    rules
};
