//! The arguments of `needs`, `unused` and `pack`.

use camino::Utf8PathBuf;
use clap::Args;
use quakefs_needs::Mode;

use super::value::{path, pattern};
use super::{Findings, GameArgs};

/// Find the missing files of levels
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod needs                            every level of mymod
  quakefs --game mymod needs maps/e1m1.bsp              one level, in every skill and mode
  quakefs --game mymod --engine darkplaces needs --all --coop maps/e1m1.bsp
  quakefs --game mymod needs --archives q3dm1 q3dm6      what clients of a server must have
  quakefs --game mymod needs --format sarif > needs.sarif

The command runs the game's program as far as the engine does while a level loads. A missing file is a warning, and a
level that does not load is an error.
Exit codes: 0 nothing is missing, 1 files are missing or a level does not load, 2 wrong use or a failure.")]
pub(crate) struct Needs {
    /// Levels, such as start or maps/start.bsp, models, or globs [default: the engine, and all levels of the
    /// last game directory]
    #[arg(value_name = "LEVEL", value_parser = pattern())]
    pub(crate) levels: Vec<String>,
    /// List every file that is needed, not only the missing ones
    #[arg(short, long)]
    pub(crate) all: bool,
    /// List the archives instead, with how many of the needed files each has, sizes and checksums: what
    /// clients of a server must have, and what nothing needs
    #[arg(long, conflicts_with = "all")]
    pub(crate) archives: bool,
    #[command(flatten)]
    pub(crate) findings: Findings,
    #[command(flatten)]
    pub(crate) modes: Modes,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

/// The modes in which levels load: all of them without an option.
#[derive(Args, Debug)]
pub(crate) struct Modes {
    /// Load levels only in this skill: 0 easy, 1 normal, 2 hard, 3 nightmare
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(0..=3))]
    skill: Option<u8>,
    /// Load levels only in coop
    #[arg(long, conflicts_with = "deathmatch")]
    coop: bool,
    /// Load levels only in deathmatch
    #[arg(long)]
    deathmatch: bool,
}

impl Modes {
    /// The chosen modes.
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

/// List the files of a mod that no level, program or engine needs
#[derive(Args, Debug)]
#[command(after_help = "\
Example: quakefs --game mymod unused

Covers models, sprites, sounds, texture images and files beside levels. A file counts as used if the program mentions
its name. If a missing file has a similar name, that name is printed too.
Exit codes: 0 every file is used, 1 some are unused, 2 wrong use or a failure.")]
pub(crate) struct Unused {
    #[command(flatten)]
    pub(crate) names: super::NamesAlone,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

/// Pack all files that levels need into an archive or a folder
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod pack maps/mymap.bsp -o release.pak
  quakefs --game mymod pack maps/mymap.bsp --exits --also readme.txt -o release/
  quakefs pack maps/start.bsp --without id1 --without ad -o release.pk3
  quakefs --engine q2pro --game mymod pack maps/mymap.bsp --list -o web/mymod/

`quakefs pak create` archives a folder as it is. Without --without, players are expected to have every game directory
except the last; with the base game alone, its archives. If a file is missing, nothing is written without --incomplete.
Exit codes: 0 written, 1 files are missing (listed in the output), 2 wrong use or a failure.")]
#[expect(clippy::struct_excessive_bools, reason = "they are the flags of the command")]
pub(crate) struct Pack {
    /// Levels, such as start or maps/start.bsp, or globs
    #[arg(required = true, value_name = "LEVEL", value_parser = pattern())]
    pub(crate) levels: Vec<String>,
    /// The archive to write (.pk3, .pak, ...), or a folder with / at the end; - is standard output, as a PACK
    /// archive
    #[arg(short, long, value_name = "FILE|DIR/", value_parser = path())]
    pub(crate) output: Utf8PathBuf,
    /// Leave out this game directory, because players have it; repeatable
    #[arg(long, value_name = "DIR")]
    pub(crate) without: Vec<String>,
    /// Also pack this file of the game; repeatable
    #[arg(long, value_name = "NAME")]
    pub(crate) also: Vec<String>,
    /// Also pack the levels that these lead to, and so on
    #[arg(long)]
    pub(crate) exits: bool,
    /// Also write the list of each level's files: maps/x.res for servers of Half-Life, maps/x.filelist for
    /// players of Q2PRO, Q2RTX and yquake2, beside an archive with its name
    #[arg(long)]
    pub(crate) list: bool,
    #[command(flatten)]
    pub(crate) encoding: super::Encoding,
    /// Write the release although files are missing
    #[arg(long)]
    pub(crate) incomplete: bool,
    /// Replace existing files
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Print what would be packed, and write nothing
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}
