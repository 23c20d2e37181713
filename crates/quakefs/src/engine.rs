//! The engines that are known, a row of [`Rules`] each.

use std::borrow::Cow::Borrowed;
use std::fmt;
use std::str::FromStr;

use pak_format::Layout;

use crate::rules::{
    ArchiveSet, Backslash, Case, Directories, Duplicates, Games, Gaps, Loose, LooseCase, LoosePosition,
    Mission, PakReading, PartialRow, Reading, Requests, Rules, WrongArchive,
};

/// An engine whose answers quakefs gives.
///
/// Each was run on random layouts, and every answer that it gave is a test of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Engine {
    /// id Software's WinQuake, the source of 1999.
    WinQuake,
    /// QuakeSpasm 0.95.
    QuakeSpasm,
}

impl Engine {
    /// Every engine.
    pub const ALL: &[Engine] = &[Engine::WinQuake, Engine::QuakeSpasm];

    /// The word for it on the command line: `winquake`, `quakespasm`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match &self.rules().name {
            Borrowed(name) => name,
            std::borrow::Cow::Owned(_) => "",
        }
    }

    /// What it does.
    #[must_use]
    pub const fn rules(self) -> &'static Rules {
        match self {
            Engine::WinQuake => &WINQUAKE,
            Engine::QuakeSpasm => &QUAKESPASM,
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

const ROGUE: Mission = Mission { flag: Borrowed("rogue"), directory: Borrowed("rogue") };
const HIPNOTIC: Mission = Mission { flag: Borrowed("hipnotic"), directory: Borrowed("hipnotic") };
const QUOTH: Mission = Mission { flag: Borrowed("quoth"), directory: Borrowed("quoth") };

/// The archives compare a request as it is, and the loose files leave it to the system: the way of the id
/// engines, which put a name behind a path and open it.
const AS_GIVEN: Requests = Requests {
    backslash: Backslash::Literal,
    leading_slash: Reading::Literal,
    dot_component: Reading::Literal,
    empty_component: Reading::Literal,
};

static WINQUAKE: Rules = Rules {
    name: Borrowed("winquake"),
    directories: Directories {
        base: Borrowed(&[Borrowed("id1")]),
        missions: Borrowed(&[ROGUE, HIPNOTIC]),
        games: Games::First,
        game_folders: Borrowed(&[Borrowed("{}")]),
    },
    archives: Borrowed(&[ArchiveSet::Numbered {
        extensions: Borrowed(&[Borrowed("pak")]),
        count: None,
        gaps: Gaps::Stop,
        empty_is_missing: false,
    }]),
    later_wins: true,
    paks: PakReading {
        layout: Some(Layout::Quake),
        partial_row: PartialRow::Ignored,
        wrong_archive: WrongArchive::Fatal,
    },
    case: Case::Exact,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Below, case: LooseCase::Exact },
    requests: AS_GIVEN,
};

static QUAKESPASM: Rules = Rules {
    name: Borrowed("quakespasm"),
    directories: Directories {
        base: Borrowed(&[Borrowed("id1")]),
        missions: Borrowed(&[ROGUE, HIPNOTIC, QUOTH]),
        games: Games::First,
        game_folders: Borrowed(&[Borrowed("{}")]),
    },
    archives: Borrowed(&[ArchiveSet::Numbered {
        extensions: Borrowed(&[Borrowed("pak")]),
        count: None,
        gaps: Gaps::Stop,
        empty_is_missing: true,
    }]),
    later_wins: true,
    paks: PakReading {
        layout: Some(Layout::Quake),
        partial_row: PartialRow::Ignored,
        wrong_archive: WrongArchive::Fatal,
    },
    case: Case::Exact,
    duplicates: Duplicates::First,
    loose: Loose { position: LoosePosition::Below, case: LooseCase::Exact },
    requests: AS_GIVEN,
};
