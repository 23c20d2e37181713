//! What levels and programs ask for.

use std::ffi::OsString;

use clap::Args;
use quake_content::run::Mode;

use super::{Game, Printing};

/// Say which files a level asks for that nothing serves
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod needs                            every level of mymod
  quakefs --game mymod needs maps/e1m1.bsp              one level, in every skill and kind of game
  quakefs --game mymod --engine darkplaces needs --all --coop maps/e1m1.bsp

The program of the game is run as far as the engine runs it while a level loads.
Exit codes: 0 nothing is missing, 1 something is, 2 wrong use or a failure.")]
pub(crate) struct Needs {
    /// Levels, such as maps/start.bsp, or globs; without one, every level of the last game directory
    #[arg(value_name = "LEVEL")]
    pub(crate) levels: Vec<OsString>,
    /// Every file that is asked for, also those that are there
    #[arg(short, long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) modes: Modes,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}

/// For which games levels are looked at. Without one of the options, for all of them together.
#[derive(Args, Debug)]
pub(crate) struct Modes {
    /// For this skill alone: 0 easy, 1 normal, 2 hard, 3 nightmare
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(0..=3))]
    skill: Option<u8>,
    /// For several players against the monsters alone
    #[arg(long, conflicts_with = "deathmatch")]
    coop: bool,
    /// For players against each other alone
    #[arg(long)]
    deathmatch: bool,
}

impl Modes {
    /// The games that are asked for.
    pub(crate) fn modes(&self) -> Vec<Mode> {
        let single = Mode::single(self.skill.unwrap_or(1));
        match (self.skill, self.coop, self.deathmatch) {
            (_, true, _) => vec![single.coop()],
            (_, _, true) => vec![single.deathmatch()],
            (Some(_), ..) => vec![single],
            (None, ..) => Mode::ALL.to_vec(),
        }
    }
}
