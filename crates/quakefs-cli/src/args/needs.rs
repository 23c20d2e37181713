//! What levels and programs ask for.

use camino::Utf8PathBuf;
use clap::Args;
use quakefs_needs::Mode;

use super::value::path;
use super::{Game, Printing};

/// Say which files levels ask for that nothing serves
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod needs                            every level of mymod
  quakefs --game mymod needs maps/e1m1.bsp              one level, in every skill and kind of game
  quakefs --game mymod --engine darkplaces needs --all --coop maps/e1m1.bsp

The program of the game is run as far as the engine runs it while a level loads.
Exit codes: 0 nothing is missing, 1 something is, or a level does not load; 2 wrong use or a failure.")]
pub(crate) struct Needs {
    /// Levels, such as maps/start.bsp, or globs; without one, every level of the last game directory, and the engine itself
    #[arg(value_name = "LEVEL")]
    pub(crate) levels: Vec<String>,
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

/// List the files of a mod that no level, program or engine asks for
#[derive(Args, Debug)]
#[command(after_help = "\
Example: quakefs --game mymod unused

Models, sprites, sounds, pictures of textures and files beside levels are looked at. A file whose name stands in the
program counts as used. Where a similar name is asked for and missing, that name is printed too.
Exit codes: 0 every file is asked for, 1 some are not, 2 wrong use or a failure.")]
pub(crate) struct Unused {
    #[command(flatten)]
    pub(crate) names: super::NamesAlone,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}

/// Write all files that levels need to an archive or a folder
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod pack maps/mymap.bsp -o release.pak
  quakefs --game mymod pack maps/mymap.bsp --exits --also readme.txt -o release/
  quakefs pack maps/start.bsp --without id1 --without ad -o release.pk3

Without --without, players have every game directory but the last.
Exit codes: 0 everything was found, 1 a file is missing, which is said, and the rest is written; 2 wrong use or a failure.")]
pub(crate) struct Pack {
    /// Levels, such as maps/start.bsp, or globs
    #[arg(required = true, value_name = "LEVEL")]
    pub(crate) levels: Vec<String>,
    /// What to write: .pk3, or another extension of an archive, or a folder whose name ends with /
    #[arg(short, long, value_name = "FILE|DIR/", value_parser = path())]
    pub(crate) output: Utf8PathBuf,
    /// A game directory that players have; may be given again
    #[arg(long, value_name = "DIR")]
    pub(crate) without: Vec<String>,
    /// Another file of the game to pack; may be given again
    #[arg(long, value_name = "NAME")]
    pub(crate) also: Vec<String>,
    /// The levels too that these lead to, and those after them
    #[arg(long)]
    pub(crate) exits: bool,
    #[command(flatten)]
    pub(crate) encoding: super::Encoding,
    /// Replace what is there
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Say what would be packed, and write nothing
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}
