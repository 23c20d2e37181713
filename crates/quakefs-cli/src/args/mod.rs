//! The command line.

mod game;
#[cfg(all(target_os = "linux", feature = "mount"))]
mod mount;
mod needs;
pub(crate) mod pak;
mod report;
mod table;
mod value;
mod wildcards;

use std::ffi::OsString;

use camino::Utf8PathBuf;
use clap::{Args, ColorChoice, FromArgMatches as _};
use clap_complete::Shell;
use pak_format::verify::DecodeBudget;
use quakefs::Engine;
use quakefs::rules::SubstituteKind;

use table::{CommandLine, Kind, NAME, Row};
use value::{EnginesOnSystems, engines, path, size, substitutes};

use crate::console::Console;

pub(crate) use game::{EngineChoice, Folders, Game, named_engine, own_rules};
#[cfg(all(target_os = "linux", feature = "mount"))]
pub(crate) use mount::Mount;
pub(crate) use needs::{Needs, Pack, Unused};
pub(crate) use pak::{
    Add, Archives, Catalog, Convert, Create, Diff, Digests, Duplicates, Encoding, Extract as ExtractArchives,
    Find, Input, Inputs, List, Merge, NamedArchives, NewWad, Pak, Remove, Rename, Repack, Textures, Verify,
    by_position, suggest_list,
};
pub(crate) use report::Report;
pub(crate) use value::{EngineOn, name_bytes, pattern_text};
pub(crate) use wildcards::expanded;

const THE_GAME: &str = "The game";

const SHORT: &str = "`quakefs --help` shows all options and examples.";

const EXAMPLES: &str = "\
Examples:
  quakefs --basedir ~/quake which maps/start.bsp       which copy WinQuake loads
  quakefs --engine quakespasm --game mymod which -a progs.dat
                                                       every copy, the one served first
  quakefs --game mymod path                            the layers, and what was left out
  quakefs ls -l \"maps/*.bsp\"                           every level, with its layer
  quakefs extract \"sound/**\" -o out                    the sounds that would be heard
  quakefs --mount new.pak which gfx.wad                what a pak would change
  quakefs --game mymod check                           what is wrong, and what may be unintended
  quakefs --game mymod compare quakespasm darkplaces   where two engines load different files
  quakefs --game mymod report                          all of it as a page with pictures
  quakefs --game mymod watch                           what changes while you work on it
  quakefs --game mymod mount merged                    the same tree as a folder, for other programs
  quakefs --basedir steam:quake mods                   the game directories of an installed game
  quakefs pak list -l id1/pak0.pak                     what is in one archive

Options stand before or after the name of a command. The help of a command lists those that it takes.
Exit codes: 0 done or found; 1 not found, findings, or an engine that would not start; 2 wrong use
or a failure.";

/// The command line.
pub(crate) const COMMAND_LINE: CommandLine<Asked> = CommandLine { root, rows: COMMANDS };

/// Declares the options that may stand before the name of a command, where that takes them.
fn root() -> clap::Command {
    let command = clap::Command::new(NAME).version(env!("CARGO_PKG_VERSION"));
    Game::augment_args(Printing::augment_args(command))
        .about("Which file a Quake engine would load, where it comes from, and what it hides")
        .after_help(SHORT)
        .after_long_help(EXAMPLES)
}

/// What a command line asks for.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) printing: Printing,
    pub(crate) command: Command,
}

/// A command with its arguments.
#[derive(Debug)]
pub(crate) enum Command {
    Path(Path),
    Which(Which),
    Ls(Ls),
    Watch(Watch),
    Cat(Cat),
    Extract(Extract),
    Shadows(Shadows),
    Check(Check),
    Fix(Fix),
    Companions(Companions),
    Compare(Compare),
    Engines(Engines),
    Needs(Needs),
    Unused(Unused),
    Pack(Pack),
    Report(Report),
    Games(Games),
    Mods(Mods),
    #[cfg(all(target_os = "linux", feature = "mount"))]
    Mount(Mount),
    Pak(Pak),
    Completions(Completions),
    Man(ManPages),
}

/// The row of a command: its names, the type of its arguments, and the variant that holds them.
macro_rules! row {
    ($name:literal $(| $alias:literal)*, $args:ty, $command:expr) => {
        Row {
            name: $name,
            aliases: &[$($alias),*],
            declare: <$args>::augment_args,
            kind: Kind::Command {
                read: |found| {
                    let args = <$args>::from_arg_matches_mut(found)?;
                    Ok(Asked { printing: args.printing.into(), command: $command(args).into() })
                },
            },
        }
    };
}
use row;

const COMMANDS: &[Row<Asked>] = &[
    row!("path", Path, Command::Path),
    row!("which", Which, Command::Which),
    row!("ls", Ls, Command::Ls),
    row!("watch", Watch, Command::Watch),
    row!("cat", Cat, Command::Cat),
    row!("extract", Extract, Command::Extract),
    row!("shadows", Shadows, Command::Shadows),
    row!("check", Check, Command::Check),
    row!("fix", Fix, Command::Fix),
    row!("companions", Companions, Command::Companions),
    row!("compare", Compare, Command::Compare),
    row!("engines", Engines, Command::Engines),
    row!("needs", Needs, Command::Needs),
    row!("unused", Unused, Command::Unused),
    row!("pack", Pack, Command::Pack),
    row!("report", Report, Command::Report),
    row!("games", Games, Command::Games),
    row!("mods", Mods, Command::Mods),
    #[cfg(all(target_os = "linux", feature = "mount"))]
    row!("mount", Mount, Command::Mount),
    pak::ROW,
    row!("completions", Completions, Command::Completions),
    row!("man", ManPages, Command::Man),
];

/// How a command prints.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Printing {
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    text: TextPrinting,
}

/// How a command prints that has no answer in JSON.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct TextPrinting {
    /// Print errors alone on the error stream: no warnings, notes or progress
    #[arg(short, long)]
    quiet: bool,
    /// When to print in colours
    #[arg(long, value_name = "WHEN", default_value_t, hide_default_value = true)]
    color: ColorChoice,
}

impl From<TextPrinting> for Printing {
    fn from(text: TextPrinting) -> Self {
        Printing { json: false, text }
    }
}

impl Printing {
    /// Makes a console as the options say.
    pub(crate) fn apply_to(self, console: &mut Console<'_>) {
        let TextPrinting { quiet, color } = self.text;
        console.json = self.json;
        console.quiet = quiet;
        console.progress &= !quiet;
        if color != ColorChoice::Auto {
            console.colour_out = color == ColorChoice::Always;
            console.colour_err = console.colour_out;
        }
    }
}

/// Show the layers, highest first, and what was left out
#[derive(Args, Debug)]
pub(crate) struct Path {
    /// A line of the engine's console that changes the game, such as "game ad -hipnotic": the search path that results
    #[arg(long, value_name = "LINE")]
    pub(crate) console: Option<String>,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}

/// List everything that is wrong, or that an author may not have intended
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod check
  quakefs --engine darkplaces --game mymod --json check

Exit codes: 0 nothing worse than notes, 1 there are warnings or errors, 2 wrong use or a failure.")]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) decode: Decode,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}

/// Rename what is loaded on Windows and macOS and not on Linux
///
/// Archives and folders get the names that the engine asks for, and loose files with capitals get small letters. Without
/// --write the renames are listed and nothing is done. No rename replaces another file, and each is whole.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod fix
  quakefs --game mymod fix --write
  quakefs fix --undo quakefs-fix-1.jsonl

Exit codes: 0 nothing is left to rename, 1 something is, 2 wrong use or a failure.")]
pub(crate) struct Fix {
    /// Rename them, after a file is written to the base directory that takes the renames back
    #[arg(long)]
    pub(crate) write: bool,
    /// Take back what a file says that --write has written
    #[arg(long, value_name = "FILE", value_parser = path(), conflicts_with = "write")]
    pub(crate) undo: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}

/// List the games that Steam, GOG, Epic and packages have installed
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs games
  quakefs --engine ironwail games                     whether Ironwail would start on each
  quakefs --basedir steam:quake ls \"maps/*.bsp\"       the name of a game stands for its base directory

Exit codes: 0 games were found, 1 none was found, 2 wrong use or a failure.")]
pub(crate) struct Games {
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    /// Say whether this engine would start on each game [default: QUAKEFS_ENGINE, or else an engine for each game]
    #[arg(long, value_name = "NAME", value_parser = engines(), ignore_case = true)]
    pub(crate) engine: Option<Engine>,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// List the game directories of a base directory: archives, maps, programs, sizes
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --basedir ~/quake mods
  quakefs --basedir steam:quake --engine quakespasm --json mods

Exit codes: 0 done, 1 there is no base directory to look into, 2 wrong use or a failure.")]
pub(crate) struct Mods {
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  echo 'source <(quakefs completions bash)' >> ~/.bashrc
  echo 'source <(quakefs completions zsh)' >> ~/.zshrc
  quakefs completions fish > ~/.config/fish/completions/quakefs.fish
  quakefs completions powershell >> $PROFILE

The script asks the command, which completes names in the game and in the archive too.")]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: Shell,
    #[command(flatten)]
    pub(crate) printing: TextPrinting,
}

/// Write the manual pages to a folder
#[derive(Args, Debug)]
#[command(after_help = "Example: quakefs man ~/.local/share/man/man1")]
pub(crate) struct ManPages {
    /// The folder; made if it is not there. Pages that are there are replaced
    #[arg(value_name = "DIR", value_parser = path())]
    pub(crate) folder: Utf8PathBuf,
    #[command(flatten)]
    pub(crate) printing: TextPrinting,
}

/// Say which copy of a file is served
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs which maps/start.bsp
  quakefs --game mymod which -a progs.dat gfx.wad
  quakefs --json which -a maps/start.bsp
  quakefs --engine quakespasm which --as texture brick1 --level e1m1
  quakefs ls -0 sound | quakefs --engine fte which -0 -

Bytes of a name that are not UTF-8 are written \\xNN, here and in what is printed.
Exit codes: 0 all were found, 1 one was not, 2 wrong use or a failure.")]
pub(crate) struct Which {
    /// Every copy, the one that is served first
    #[arg(short, long)]
    pub(crate) all: bool,
    /// The names on standard input end with a NUL each, as `ls -0` writes them
    #[arg(short = '0', long)]
    pub(crate) null: bool,
    /// What the engine loads in the place of a texture, a sky, a track of music, a model or a skin of this name
    #[arg(long = "as", value_name = "KIND", value_parser = substitutes())]
    pub(crate) substitute: Option<SubstituteKind>,
    /// The level that names the texture, such as e1m1
    #[arg(long, value_name = "LEVEL", requires = "substitute")]
    pub(crate) level: Option<String>,
    /// Names inside the game, such as maps/start.bsp; - reads names from standard input, one a line
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<OsString>,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}

/// List the files that the engine loads beside a level
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs companions maps/start.bsp
  quakefs --engine quakespasm --game mymod companions maps/start.bsp
  quakefs --json companions maps/start.bsp

Each file that is found under the name of a companion is listed, also where the engine ignores it.
Exit codes: 0 the level was found, 1 it was not, 2 wrong use or a failure.")]
pub(crate) struct Companions {
    /// Levels inside the game, such as maps/start.bsp
    #[arg(required = true, value_name = "LEVEL")]
    pub(crate) levels: Vec<OsString>,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}

/// List each name once, with the layer that serves it
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs ls
  quakefs ls maps progs.dat
  quakefs ls -l \"**/*.wav\" \"maps/*.bsp\"
  quakefs ls --names sound | wc -l")]
pub(crate) struct Ls {
    /// Sizes and what each file holds too
    #[arg(short, long)]
    pub(crate) long: bool,
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    /// Names, folders, or globs; * stops at /, ** does not
    #[arg(value_name = "PATTERN")]
    pub(crate) patterns: Vec<String>,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}

/// How a list is printed for a pipe.
#[derive(Args, Debug)]
pub(crate) struct NamesAlone {
    /// Print the names alone, one a line
    #[arg(long)]
    names: bool,
    /// End each name with a NUL instead of a line end, its bytes as they are; implies --names
    #[arg(short = '0', long)]
    null: bool,
}

impl NamesAlone {
    /// What ends each name, where the names alone are asked for.
    pub(crate) fn end(&self) -> Option<u8> {
        match (self.null, self.names) {
            (true, _) => Some(0),
            (false, names) => names.then_some(b'\n'),
        }
    }
}

/// Say which names another copy is served for, whenever files change on disk
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod watch
  quakefs --game mymod watch maps \"*.cfg\"
  quakefs --game mymod watch --once progs.dat && echo 'the game code was built'

An edit of a copy that another one hides is not printed. An archive that is still being written is
waited for. Ctrl-C ends the command.
Exit codes: 0 ended or, with --once, something changed; 2 wrong use or a failure.")]
pub(crate) struct Watch {
    /// End after the first change
    #[arg(long)]
    pub(crate) once: bool,
    /// Names, folders, or globs; * stops at /, ** does not
    #[arg(value_name = "PATTERN")]
    pub(crate) patterns: Vec<String>,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}

/// Write a file's bytes to standard output
#[derive(Args, Debug)]
#[command(after_help = "Example: quakefs --game mymod cat quake.rc default.cfg")]
pub(crate) struct Cat {
    /// Names inside the game
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<OsString>,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}

/// Write the merged tree, or what matches, to a folder
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod extract -o everything
  quakefs extract sound \"maps/*.bsp\" -o levels --skip-existing")]
pub(crate) struct Extract {
    /// Names, folders, or globs; * stops at /, ** does not
    #[arg(value_name = "PATTERN")]
    pub(crate) patterns: Vec<String>,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}

/// List every hidden copy, what hides it, and whether the bytes differ
#[derive(Args, Debug)]
#[command(after_help = "Example: quakefs --game mymod shadows maps \"sound/**/*.wav\"")]
pub(crate) struct Shadows {
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    /// Names, folders, or globs; * stops at /, ** does not
    #[arg(value_name = "PATTERN")]
    pub(crate) patterns: Vec<String>,
    #[command(flatten)]
    pub(crate) decode: Decode,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}

/// Say where engines load different files
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod compare quakespasm trenchbroom      what works in the editor, and not in the game
  quakefs compare quakespasm fte --only \"maps/*.bsp\"
  quakefs compare quakespasm darkplaces --only case --only loose
  quakefs --game mymod compare quakespasm darkplaces --needs

Causes, as --only takes them:
  not-loaded      an archive, or the directory of a game, that one of the engines leaves out
  case            one of the engines takes a name as it is spelled
  spelling        which of several spellings counts, or that another one hides the file
  request         the engines read the name in different ways
  on-top          what --mount put on top
  game-directory  the order of the game directories
  loose           loose files above or below archives
  archive-order   the order of the archives
  equal-rows      which of two equal names in one archive counts
  layers          the order of the layers, which no single rule explains

Exit codes: 0 they load the same files, 1 they differ or one would not start, 2 wrong use or a failure.")]
pub(crate) struct Compare {
    /// The engines, two or more; with @SYSTEM as on that system: quakespasm@windows
    #[arg(required = true, num_args = 2.., value_name = "ENGINE[@SYSTEM]", value_parser = EnginesOnSystems,
        ignore_case = true)]
    pub(crate) engines: Vec<EngineOn>,
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    /// Only this cause, or only this name, folder or glob; may be given again
    #[arg(long, value_name = "CAUSE|PATTERN")]
    pub(crate) only: Vec<String>,
    /// Compare what the levels of the game ask for, and which of it each engine finds
    #[arg(long, conflicts_with = "only")]
    pub(crate) needs: bool,
    /// Compare engines of different games too
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) folders: Folders,
}

/// Show the rules of each engine side by side, or those of one in sentences
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs engines
  quakefs engines quakespasm
  quakefs engines --toml quakespasm > mine.toml
  quakefs --rules mine.toml engines
  quakefs --rules mine.toml which maps/start.bsp")]
pub(crate) struct Engines {
    /// Say all rules of this engine, in sentences; without it and without --rules, all engines side by side
    #[arg(value_name = "NAME", value_parser = engines(), ignore_case = true, conflicts_with = "toml")]
    pub(crate) name: Option<Engine>,
    /// Print the rules of one engine, in the form that --rules takes
    #[arg(long, value_name = "NAME", value_parser = engines(), ignore_case = true)]
    pub(crate) toml: Option<Engine>,
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    /// Say the rules of this file; `quakefs engines --toml NAME` prints one to start from
    #[arg(long, value_name = "FILE", value_parser = path(), conflicts_with_all = ["name", "toml"])]
    pub(crate) rules: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// How much is decoded. A small archive can claim terabytes.
#[derive(Args, Debug)]
pub(crate) struct Decode {
    /// The most bytes to decode, such as 4G [default: 100 times the archives, and at least 1 GiB]
    #[arg(long = "max-output", value_name = "SIZE", value_parser = size)]
    limit: Option<u64>,
}

impl Decode {
    pub(crate) fn budget(&self, default: DecodeBudget) -> DecodeBudget {
        self.limit.map_or(default, DecodeBudget::new)
    }

    /// The most bytes, where they were named.
    pub(crate) fn limit(&self) -> Option<u64> {
        self.limit
    }
}

/// Where files are written, and when not.
#[derive(Args, Debug)]
pub(crate) struct Output {
    /// The folder to write to; made if it is not there
    #[arg(short = 'o', long = "output", value_name = "DIR", value_parser = path())]
    pub(crate) folder: Utf8PathBuf,
    #[command(flatten)]
    pub(crate) writing: Writing,
}

/// When files are not written.
#[derive(Args, Debug)]
pub(crate) struct Writing {
    /// Replace files that are there
    #[arg(long, conflicts_with = "skip_existing")]
    pub(crate) overwrite: bool,
    /// Leave files that are there as they are
    #[arg(long)]
    pub(crate) skip_existing: bool,
    /// The most bytes to write, such as 500M or 4G. Without it, more than 1 GiB is refused where that is more
    /// than 100 times the archives
    #[arg(long = "max-output", value_name = "SIZE", value_parser = size)]
    pub(crate) limit: Option<u64>,
    /// Say what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        COMMAND_LINE.built().debug_assert();
    }

    #[test]
    fn sizes_are_read_with_their_unit() {
        assert_eq!(size("500"), Ok(500));
        assert_eq!(size("2K"), Ok(2048));
        assert_eq!(size("3MiB"), Ok(3 << 20));
        assert_eq!(size("1gb"), Ok(1 << 30));
        assert!(size("1X").is_err());
        assert!(size("G").is_err());
        assert!(size("99999999999T").is_err());
    }
}
