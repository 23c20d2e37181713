//! The command line.

mod deferred;
mod game;
#[cfg(all(target_os = "linux", feature = "mount"))]
mod mount;
mod pak;
mod report;
mod value;

use std::ffi::OsString;

use camino::Utf8PathBuf;
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, ColorChoice, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use pak_format::verify::DecodeBudget;
use quakefs::Engine;

use deferred::Deferred;
use value::{engines, path, size};

use crate::console::Console;

pub(crate) use game::Game;
#[cfg(all(target_os = "linux", feature = "mount"))]
pub(crate) use mount::Mount;
pub(crate) use pak::{
    Add, Archives, Catalog, Create, Diff, Digests, Encoding, Find, List, Merge, NamedArchives, Pak, Remove,
    Rename, Repack, suggest_list,
};
pub(crate) use report::Report;
pub(crate) use value::{name_bytes, pattern_text};

const NAME: &str = "quakefs";

const THE_GAME: &str = "The game";

const SHORT: &str = "`quakefs --help` shows all options and examples.";

const EXAMPLES: &str = "\
Examples:
  quakefs --basedir ~/quake which maps/start.bsp       which copy WinQuake loads
  quakefs --engine quakespasm --game mymod which -a progs.dat
                                                       every copy, the one served first
  quakefs --game mymod path                            the layers, and what was left out
  quakefs ls -l 'maps/*.bsp'                           every level, with its layer
  quakefs extract 'sound/**' -o out                    the sounds that would be heard
  quakefs --mount new.pak which gfx.wad                what a pak would change
  quakefs --game mymod check                           what is wrong, and what may be unintended
  quakefs --game mymod compare quakespasm darkplaces   where two engines load different files
  quakefs --game mymod report                          all of it as a page with pictures
  quakefs --game mymod watch                           what changes while you work on it
  quakefs --game mymod mount merged                    the same tree as a folder, for other programs
  quakefs --basedir steam:quake mods                   the game directories of an installed game
  quakefs pak list -l id1/pak0.pak                     what is in one archive

Exit codes: 0 done or found; 1 not found, findings, or an engine that would not start; 2 wrong use
or a failure.";

/// Which file a Quake engine would load, where it comes from, and what it hides.
#[derive(Parser, Debug)]
#[command(name = NAME, version, after_help = SHORT, after_long_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) options: Options,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The options that may stand before and after a subcommand.
#[derive(Args, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) game: Game,
    /// Print errors alone on the error stream: no warnings, notes or progress
    #[arg(short, long, global = true)]
    quiet: bool,
    /// When to print in colours
    #[arg(long, global = true, value_name = "WHEN", default_value_t, hide_default_value = true)]
    color: ColorChoice,
}

impl Options {
    /// Makes a console as the options say.
    pub(crate) fn apply_to(&self, console: &mut Console<'_>) {
        console.quiet = self.quiet;
        console.progress &= !self.quiet;
        if self.color != ColorChoice::Auto {
            console.colour_out = self.color == ColorChoice::Always;
            console.colour_err = console.colour_out;
        }
    }
}

impl Cli {
    /// The command line with the one subcommand that is asked for, or whole where none is: clap repeats the options for
    /// each subcommand that it knows of, which takes longer than the rest of a start.
    pub(crate) fn for_reading(args: &[OsString]) -> clap::Command {
        let outline = || Options::augment_args(clap::Command::new(NAME)).version(env!("CARGO_PKG_VERSION"));
        let found = match outline().allow_external_subcommands(true).try_get_matches_from(args) {
            Err(error) if error.kind() == ErrorKind::DisplayVersion => return outline(),
            found => found.ok(),
        };
        let whole = Cli::command();
        let asked = found.as_ref().and_then(ArgMatches::subcommand_name);
        match asked.and_then(|name| whole.find_subcommand(name)) {
            Some(asked) => outline().subcommand(asked.clone()),
            None => whole,
        }
    }

    /// The command line as help and errors show it: the options of a game are hidden from the commands that refuse them.
    /// It builds every subcommand, which takes half the time of a short command, and is not needed to read the arguments.
    pub(crate) fn shown() -> clap::Command {
        let mut command = Cli::command();
        // passes global options on to the subcommands
        command.build();
        command
            .mut_subcommand("pak", |pak| {
                let serves = |command: clap::Command| {
                    command.mut_arg("engine", |arg| arg.hide(false)).mut_arg("rules", |arg| arg.hide(false))
                };
                without(pak, &|_| true).mut_subcommand("diff", serves).mut_subcommand("merge", serves)
            })
            .mut_subcommand("completions", |completions| without(completions, &|_| true))
            .mut_subcommand("man", |man| without(man, &|_| true))
            .mut_subcommand("games", |games| without(games, &|option| option != "engine"))
            .mut_subcommand("engines", |engines| without(engines, &|option| option != "rules"))
            .mut_subcommand("compare", |compare| {
                without(compare, &|option| matches!(option, "engine" | "rules"))
            })
    }
}

/// The command without some options of a game in its help, and the commands below it.
fn without(command: clap::Command, refused: &dyn Fn(&str) -> bool) -> clap::Command {
    let command = command.mut_args(|arg| {
        let hide = arg.get_help_heading() == Some(THE_GAME) && refused(arg.get_id().as_str());
        if hide { arg.hide(true) } else { arg }
    });
    let names: Vec<_> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    names
        .into_iter()
        .fold(command, |command, name| command.mut_subcommand(name, |below| without(below, refused)))
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Show the layers, highest first, and what was left out
    Path,
    /// Say which copy of a file is served
    Which(Deferred<Which>),
    /// List each name once, with the layer that serves it
    Ls(Deferred<Ls>),
    /// Say which names another copy is served for, whenever files change on disk
    Watch(Deferred<Watch>),
    /// Write a file's bytes to standard output
    Cat(Deferred<Cat>),
    /// Write the merged tree, or what matches, to a folder
    Extract(Deferred<Extract>),
    /// List every hidden copy, what hides it, and whether the bytes differ
    Shadows(Deferred<Shadows>),
    /// List everything that is wrong, or that an author may not have intended
    #[command(after_help = "\
Examples:
  quakefs --game mymod check
  quakefs --engine darkplaces --game mymod --json check

Exit codes: 0 nothing worse than notes, 1 there are warnings or errors, 2 wrong use or a failure.")]
    Check(Deferred<Decode>),
    /// Say where engines load different files
    Compare(Deferred<Compare>),
    /// Show the rules of each engine side by side, or those of one in sentences
    Engines(Deferred<Engines>),
    /// Write a page to look at: layers, conflicts side by side, files with previews, and what is wrong
    Report(Deferred<Report>),
    /// List the games that Steam, GOG, Epic and packages have installed
    #[command(after_help = "\
Examples:
  quakefs games
  quakefs --engine ironwail games                     whether Ironwail would start on each
  quakefs --basedir steam:quake ls 'maps/*.bsp'       the name of a game stands for its base directory

Exit codes: 0 games were found, 1 none was found, 2 wrong use or a failure.")]
    Games(Deferred<NamesAlone>),
    /// List the game directories of a base directory: archives, maps, programs, sizes
    #[command(after_help = "\
Examples:
  quakefs --basedir ~/quake mods
  quakefs --basedir steam:quake --engine quakespasm --json mods

Exit codes: 0 done, 1 there is no base directory to look into, 2 wrong use or a failure.")]
    Mods(Deferred<NamesAlone>),
    /// Show the merged tree as a read-only folder that every program can open, until Ctrl-C
    #[cfg(all(target_os = "linux", feature = "mount"))]
    Mount(Deferred<Mount>),
    /// Look at archives, make and change them, without a game
    #[command(subcommand)]
    Pak(Deferred<Pak>),
    /// Print a completion script for a shell
    #[command(after_help = "\
Examples:
  echo 'source <(quakefs completions bash)' >> ~/.bashrc
  echo 'source <(quakefs completions zsh)' >> ~/.zshrc
  quakefs completions fish > ~/.config/fish/completions/quakefs.fish

The script asks the command, which completes names in the game and in the archive too.")]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual pages to a folder
    #[command(after_help = "Example: quakefs man ~/.local/share/man/man1")]
    Man(Deferred<ManPages>),
}

#[derive(Args, Debug)]
pub(crate) struct ManPages {
    /// The folder; made if it is not there. Pages that are there are replaced
    #[arg(value_name = "DIR", value_parser = path())]
    pub(crate) folder: Utf8PathBuf,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs which maps/start.bsp
  quakefs --game mymod which -a progs.dat gfx.wad
  quakefs --json which -a maps/start.bsp
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
    /// Names inside the game, such as maps/start.bsp; - reads names from standard input, one a line
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<OsString>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs ls
  quakefs ls maps progs.dat
  quakefs ls -l '**/*.wav' 'maps/*.bsp'
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

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod watch
  quakefs --game mymod watch maps '*.cfg'
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
}

#[derive(Args, Debug)]
#[command(after_help = "Example: quakefs --game mymod cat quake.rc default.cfg")]
pub(crate) struct Cat {
    /// Names inside the game
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<OsString>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod extract -o everything
  quakefs extract sound 'maps/*.bsp' -o levels --skip-existing")]
pub(crate) struct Extract {
    /// Names, folders, or globs; * stops at /, ** does not
    #[arg(value_name = "PATTERN")]
    pub(crate) patterns: Vec<String>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
#[command(after_help = "Example: quakefs --game mymod shadows maps 'sound/**/*.wav'")]
pub(crate) struct Shadows {
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    /// Names, folders, or globs; * stops at /, ** does not
    #[arg(value_name = "PATTERN")]
    pub(crate) patterns: Vec<String>,
    #[command(flatten)]
    pub(crate) decode: Decode,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod compare quakespasm trenchbroom      what works in the editor, and not in the game
  quakefs compare quakespasm fte --only 'maps/*.bsp'
  quakefs compare quakespasm darkplaces --only case --only loose

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
    /// The engines, two or more
    #[arg(required = true, num_args = 2.., value_name = "ENGINE", value_parser = engines(), ignore_case = true)]
    pub(crate) engines: Vec<Engine>,
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    /// Only this cause, or only this name, folder or glob; may be given again
    #[arg(long, value_name = "CAUSE|PATTERN")]
    pub(crate) only: Vec<String>,
    /// Compare engines of different games too
    #[arg(long)]
    pub(crate) force: bool,
}

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
        Cli::shown().debug_assert();
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
