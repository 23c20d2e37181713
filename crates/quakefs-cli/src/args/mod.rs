//! The command line.

mod game;
#[cfg(all(target_os = "linux", feature = "mount"))]
mod mount;
mod needs;
pub(crate) mod pak;
mod parse;
mod report;
mod sibling;
mod value;
mod wildcards;
mod wrong;

use std::ffi::{OsStr, OsString};

use camino::Utf8PathBuf;
use clap::builder::NonEmptyStringValueParser;
use clap::{ArgMatches, Args, ColorChoice, FromArgMatches as _, Subcommand};
use clap_complete::Shell;
use pak_format::verify::DecodeBudget;
use quakefs::Engine;
use quakefs::findings::Severity;
use quakefs_game::EngineOn;

use value::{
    EngineName, EnginesOnSystems, failing_severities, finding_formats, kinds, named_settings, path, pattern,
    size,
};

use crate::console::Console;

pub(crate) use game::{
    EngineArgs, FolderArgs, GameArgs, engine_named, engine_of, note_engine, own_rules, say,
};
#[cfg(all(target_os = "linux", feature = "mount"))]
pub(crate) use mount::Mount;
pub(crate) use needs::{Needs, Pack, Unused};
pub(crate) use pak::{
    Add, Archives, Catalog, Convert, Create, Diff, Digests, Duplicates, Edit, Encoding,
    Extract as ExtractArchives, Find, GrepArchives, Input, Inputs, List, ListedArchives, Merge,
    NamedArchives, Nested, NewWad, Pak, Remove, Rename, Repack, Strict, Textures, Verify, suggest_list,
};
pub(crate) use parse::{Other, built, kept_quote, parse, parse_unfinished};
pub(crate) use report::Report;
pub(crate) use sibling::under_pak;
pub(crate) use value::{Format, Setting, Thing, by_position, name_bytes, pattern_text};
pub(crate) use wildcards::expanded;
pub(crate) use wrong::archives_folder;

/// The name of the program.
const NAME: &str = "quakefs";

const HAS_MOUNT: bool = cfg!(all(target_os = "linux", feature = "mount"));

const THE_GAME: &str = "The game";

/// What `quakefs` alone prints.
const OVERVIEW: &str = "\
Show which file a Quake engine would load, where it comes from, and what it
overrides.

Usage: quakefs [--basedir DIR] [--game MOD] [--engine NAME] COMMAND ...

Most used:
  which NAME      which copy of a file the engine loads, and why
  path            the search path: its layers, and the skipped archives
  check           errors and likely mistakes in a game
  needs LEVEL     the files that a level lacks
  place FILE      where a download goes, and how to start it
  pak list FILE   what is in an archive

All commands:
  one game        path which ls cat grep extract shadows check fix compare
                  watch report mount
  its levels      needs unused pack
  more games      place games mods
  archives, pak   list info cat grep extract find diff duplicates catalog
                  verify create merge add edit remove rename repack convert
  other           engines config

Examples:
  quakefs --basedir ~/quake --game mymod which -a maps/start.bsp
  quakefs --basedir steam:quake check

`quakefs COMMAND -h` explains a command, `quakefs help game` the options of the
game, and `quakefs --help` all options, variables and exit codes.
";

const OF_THE_GAME: &str = "And the options of the game: `quakefs help game`.";

const EXAMPLES: &str = "\
Examples:
  quakefs --basedir ~/quake which maps/start.bsp       which copy the engine loads
  quakefs --engine quakespasm --game mymod which -a progs.dat
                                                       every copy, the winner first
  quakefs --game mymod path                            the search path, and the skipped archives
  quakefs ls -l \"maps/*.bsp\"                           every level, with its layer
  quakefs extract \"sound/**\" -o out                    the sounds that the engine would play
  quakefs --mount new.pak which gfx.wad                what a pak would change
  quakefs --game mymod check                           errors and likely mistakes
  quakefs --game mymod compare quakespasm darkplaces   where two engines load different files
  quakefs --game mymod report                          all of it as a page with pictures
  quakefs --game mymod watch                           what changes while you work
  quakefs --game mymod mount merged                    the merged files as a folder
  quakefs --basedir steam:quake mods                   the game directories of an installed game
  quakefs pak list -l id1/pak0.pak                     the entries of one archive

Options go before or after the name of a command. The help of a command lists the options that it takes.
Variables: QUAKEFS_BASEDIR and QUAKEFS_ENGINE are the defaults of --basedir and --engine. Below them rank those of `quakefs config`.
QUAKEFS_LOG=info prints to stderr what each mount opens, with counts and times; also error, warn, debug and trace.
NO_COLOR=1 prints without colours.
Exit codes: 0 done or found; 1 not found, findings, or the engine would not start; 2 wrong use or a failure.";

/// Declares the options that may precede the name of a command.
fn declare_root(command: clap::Command) -> clap::Command {
    GameArgs::augment_args(command.version(env!("CARGO_PKG_VERSION")))
        .about("Show which file a Quake engine would load, where it comes from, and what it overrides")
        .after_help(examples())
}

/// What is printed without a look at the commands: the help of `quakefs` alone, that of the options of the
/// game, and the version.
pub(crate) fn own_help(words: &[OsString]) -> Option<String> {
    let words: Vec<_> = words.iter().skip(1).map(|word| word.to_str()).collect::<Option<_>>()?;
    match words[..] {
        [] | ["-h" | "help" | "/?" | "-?" | "/h" | "/help"] | ["help", "/?" | "-h"] => {
            Some(if HAS_MOUNT { OVERVIEW.to_owned() } else { OVERVIEW.replace("report mount", "report") })
        }
        ["--version" | "-V"] => Some(format!("{} {}\n", NAME, env!("CARGO_PKG_VERSION"))),
        ["help", "game"] => {
            let game = GameArgs::augment_args(clap::Command::new("game")).disable_help_flag(true);
            let mut game = game
                .help_template("The options of the game, for all commands that ask about one\n{all-args}\n");
            Some(game.render_long_help().to_string())
        }
        _ => None,
    }
}

/// The examples, without `mount` if this build lacks that command.
fn examples() -> String {
    EXAMPLES.split_inclusive('\n').filter(|line| HAS_MOUNT || !line.contains(" mount ")).collect()
}

/// Whether a command takes options of the game.
fn asks_about_a_game(command: &clap::Command) -> bool {
    command.get_arguments().any(is_of_game)
}

fn is_of_game(option: &clap::Arg) -> bool {
    option.get_help_heading() == Some(THE_GAME)
}

/// A parsed command line.
#[derive(Debug)]
pub(crate) struct CommandLine {
    pub(crate) printing: Printing,
    pub(crate) command: Command,
    /// Words of an engine's command line that change no search path.
    pub(crate) ignored: Vec<String>,
}

// Not a doc comment, which clap would print as the description of `quakefs` itself.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Path(Path),
    Which(Which),
    Ls(Ls),
    Watch(Watch),
    Cat(Cat),
    Grep(Grep),
    Extract(Extract),
    Shadows(Shadows),
    Check(Check),
    Fix(Fix),
    Compare(Compare),
    Engines(Engines),
    Needs(Needs),
    Unused(Unused),
    Pack(Pack),
    Report(Report),
    Place(Place),
    Games(Games),
    Mods(Mods),
    #[cfg(all(target_os = "linux", feature = "mount"))]
    Mount(Mount),
    #[command(subcommand)]
    Pak(Pak),
    Config(Config),
    Completions(Completions),
    Man(ManPages),
}

type Augment = fn(clap::Command) -> clap::Command;

impl Command {
    /// How each command is declared.
    const EACH: &[(&str, Augment)] = &[
        ("path", Path::augment_args),
        ("which", Which::augment_args),
        ("ls", Ls::augment_args),
        ("watch", Watch::augment_args),
        ("cat", Cat::augment_args),
        ("grep", Grep::augment_args),
        ("extract", Extract::augment_args),
        ("shadows", Shadows::augment_args),
        ("check", Check::augment_args),
        ("fix", Fix::augment_args),
        ("compare", Compare::augment_args),
        ("engines", Engines::augment_args),
        ("needs", Needs::augment_args),
        ("unused", Unused::augment_args),
        ("pack", Pack::augment_args),
        ("report", Report::augment_args),
        ("place", Place::augment_args),
        ("games", Games::augment_args),
        ("mods", Mods::augment_args),
        #[cfg(all(target_os = "linux", feature = "mount"))]
        ("mount", Mount::augment_args),
        ("pak", |pak| Pak::augment_subcommands(pak).subcommand_required(true).arg_required_else_help(true)),
        ("config", Config::augment_args),
        ("completions", Completions::augment_args),
        ("man", ManPages::augment_args),
    ];

    /// Declares only the command of this name; `None` if there is none.
    fn one(name: &OsStr) -> Option<clap::Command> {
        let (name, augment) = Self::EACH.iter().find(|(each, _)| *each == name)?;
        Some(augment(clap::Command::new(*name)))
    }
}

// How a command prints. Every command has these options, so `Printing::declare` adds them, and no command
// names them. Clap would print a doc comment as the summary of each command.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Printing {
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    text: TextPrinting,
}

// The options of a command without JSON output.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct TextPrinting {
    /// Print no warnings, notes or progress
    #[arg(short, long)]
    quiet: bool,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value_t, hide_default_value = true, hide_short_help = true)]
    color: ColorChoice,
}

impl Printing {
    /// Declares the options of a command, and of the commands below it.
    fn declare(command: clap::Command) -> clap::Command {
        let command = match command.get_name() {
            "completions" | "man" => TextPrinting::augment_args(command),
            _ => Printing::augment_args(command),
        };
        let command = if command.has_subcommands() { command } else { Self::with_short_help(command) };
        command.mut_subcommands(Printing::declare)
    }

    /// Leaves what follows the examples to the long help, and the options of the game to a page of their own.
    fn with_short_help(command: clap::Command) -> clap::Command {
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let examples = text.split("\n\n").next().unwrap_or_default();
        let short = if asks_about_a_game(&command) {
            format!("{OF_THE_GAME}\n\n{examples}")
        } else {
            examples.to_owned()
        };
        let short = short.trim_end().to_owned();
        let long = command.get_after_long_help().map_or_else(|| text.clone(), ToString::to_string);
        command.after_help(short).after_long_help(long)
    }

    /// The options of a command, which may have no JSON output.
    fn of(found: &ArgMatches) -> Result<Self, clap::Error> {
        let json = matches!(found.try_get_one("json"), Ok(Some(true)));
        Ok(Printing { json, text: TextPrinting::from_arg_matches(found)? })
    }

    /// Applies the options to a console.
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

/// Show the search path: its layers, highest first, and the skipped archives
#[derive(Args, Debug)]
pub(crate) struct Path {
    /// Show the search path after this command at the engine's console, such as "game ad -hipnotic"
    #[arg(long, value_name = "LINE")]
    pub(crate) console: Option<String>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

/// List the errors and likely mistakes in a game
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod check
  quakefs --engine darkplaces --game mymod --json check
  quakefs --game mymod check --format github --fail-on error

Missing files of levels are one line: `quakefs needs` lists them.
Exit codes: 0 no warnings or errors, 1 warnings or errors, 2 wrong use or a failure.")]
pub(crate) struct Check {
    /// List each missing file, each name with capitals, findings in the publisher's archives, and files that
    /// the base game has twice
    #[arg(short, long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) findings: Findings,
    #[command(flatten)]
    pub(crate) decode: Decode,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

/// Rename files so that they load on Linux too
///
/// Windows and macOS ignore upper and lower case in file names; Linux does not. Archives and folders get the
/// names that the engine looks for, and loose files get lower-case names. Without --write the command only
/// lists the renames. No rename replaces another file, nothing outside of the base directory is renamed, and
/// nothing that a symbolic link leads through.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod fix
  quakefs --game mymod fix --write
  quakefs fix --undo quakefs-fix-1.jsonl

Exit codes: 0 nothing is left to rename, 1 something is, 2 wrong use or a failure.")]
pub(crate) struct Fix {
    /// Rename the files, and write a journal to the base directory that --undo can read
    #[arg(long)]
    pub(crate) write: bool,
    /// Undo the renames of a journal, in its folder, and then remove the journal
    #[arg(long, value_name = "FILE", value_parser = path(), conflicts_with = "write")]
    pub(crate) undo: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

/// List the games that Steam, GOG, Epic and packages have installed
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs games
  quakefs --engine ironwail games                     whether Ironwail would start on each
  quakefs --basedir steam:quake ls \"maps/*.bsp\"   the name of a game stands for its base directory

Exit codes: 0 games were found, 1 none was found, 2 wrong use or a failure.")]
pub(crate) struct Games {
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    /// Tell whether this engine would start on each game [default: QUAKEFS_ENGINE, or else an engine for each
    /// game]
    #[arg(long, value_name = "NAME", value_parser = EngineName, hide_possible_values = true,
        ignore_case = true)]
    pub(crate) engine: Option<Engine>,
}

/// List the game directories of a base directory: archives, maps, programs, sizes
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --basedir ~/quake mods
  quakefs --basedir steam:quake --engine quakespasm --json mods

Exit codes: 0 done, 1 there is no base directory to search, 2 wrong use or a failure.")]
pub(crate) struct Mods {
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

/// Show or set the base directory and the engine for commands that name none
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs config                        what is set, and the file
  quakefs config basedir ~/quake
  quakefs config basedir steam:quake
  quakefs config engine ironwail
  quakefs config --unset engine

Options rank above, and so do the variables that `quakefs --help` lists. The base directory is used in folders that are not inside \
a game.

Exit codes: 0 done, 1 NAME is not set, 2 wrong use or a failure.")]
pub(crate) struct Config {
    /// basedir or engine
    #[arg(value_name = "NAME", value_parser = named_settings())]
    pub(crate) name: Option<Setting>,
    /// The new value: a folder, a game of `quakefs games`, or the name of an engine
    #[arg(value_name = "VALUE", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) value: Option<String>,
    /// Forget the value of basedir or engine
    #[arg(long, value_name = "NAME", value_parser = named_settings(), conflicts_with = "name")]
    pub(crate) unset: Option<Setting>,
}

/// Show where a download goes, how to start it, and what it changes
///
/// A download is a ZIP, an archive of the game, a level, a demo, or a folder that was unpacked somewhere. The
/// folders in it, the author's text, and the names of its files tell where it belongs. Without --write the
/// command only shows what it would do.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs place pd.zip
  quakefs --basedir ~/quake --engine ironwail place mymap.zip --changes
  quakefs --basedir ~/quake place frikbot.zip --as frikbot --write
  quakefs --basedir ~/quake place --list
  quakefs --basedir ~/quake place --undo frikbot

--write never replaces a file. A place that is only a guess needs --as.
Exit codes: 0 placed, 1 nothing of it goes into a game, 2 wrong use or a failure.")]
pub(crate) struct Place {
    /// The name of the game directory, instead of the one that is found
    #[arg(long = "as", value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) name: Option<String>,
    /// List each name that the download adds or overrides
    #[arg(long)]
    pub(crate) changes: bool,
    /// Unpack the files to their places, and write a file to the base directory that --undo can read
    #[arg(long)]
    pub(crate) write: bool,
    /// List the downloads that --write has placed in the base directory
    #[arg(long, conflicts_with_all = ["write", "files", "undo"])]
    pub(crate) list: bool,
    /// Remove the files of a download that --write has placed, unless they have changed; also by the file
    /// that --write has written
    #[arg(long, value_name = "NAME", value_parser = path(), conflicts_with_all = ["write", "files"])]
    pub(crate) undo: Option<Utf8PathBuf>,
    /// The downloads
    #[arg(value_name = "FILE", required_unless_present_any = ["undo", "list"], value_parser = path())]
    pub(crate) files: Vec<Utf8PathBuf>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  echo 'source <(quakefs completions bash)' >> ~/.bashrc
  echo 'source <(quakefs completions zsh)' >> ~/.zshrc
  quakefs completions fish > ~/.config/fish/completions/quakefs.fish
  quakefs completions powershell >> $PROFILE

The script calls quakefs, which completes names in games and archives too.")]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: Shell,
}

/// Print the manual page of a command, or write all pages to a folder
///
/// A terminal shows the page as text. A file or a pipe gets it in the format of `man`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs man which
  quakefs man pak list | man -l -
  quakefs man --to ~/.local/share/man/man1")]
pub(crate) struct ManPages {
    /// The command, such as which or pak list [default: quakefs itself]
    #[arg(value_name = "COMMAND", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) command: Vec<String>,
    /// Write all pages to this folder, created if it is missing. Existing pages are replaced
    #[arg(long, value_name = "DIR", value_parser = path(), conflicts_with = "command")]
    pub(crate) to: Option<Utf8PathBuf>,
}

/// Show which copy of a file the engine loads
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs which maps/start.bsp
  quakefs --game mymod which -a progs.dat gfx.wad
  quakefs --json which -a maps/start.bsp
  quakefs --engine quakespasm which --as texture brick1 --level e1m1
  quakefs ls -0 sound | quakefs --engine fte which -0 -

Bytes of a name that are not UTF-8 are written as \\xNN, in arguments and in the output.
Exit codes: 0 every name was found, 1 a name was not found, 2 wrong use or a failure.")]
pub(crate) struct Which {
    /// List every copy, the winner first
    #[arg(short, long)]
    pub(crate) all: bool,
    /// Names on standard input end with a NUL, as `ls -0` writes them
    #[arg(short = '0', long)]
    pub(crate) null: bool,
    /// Show what the engine loads instead of the texture, sky, music track, model or skin of this name, or
    /// beside the level of this name
    #[arg(long = "as", value_name = "KIND", value_parser = kinds())]
    pub(crate) kind: Option<Thing>,
    /// The level that uses the texture, such as e1m1
    #[arg(long, value_name = "LEVEL", requires = "kind")]
    pub(crate) level: Option<String>,
    /// Names in the game, such as maps/start.bsp; - reads names from standard input, one per line
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<OsString>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

/// Find the lines of texts, entities and programs that match a pattern
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod grep func_breakable \"maps/*.bsp\"
  quakefs grep -i track02
  quakefs grep -l \"\\\"map\\\" \\\"e[12]m1\\\"\"

The command reads the files that the engine would load. A level counts with its entities, a program with its texts. Pictures, \
models and sounds are not searched. `quakefs pak grep` searches archives.

Exit codes: 0 found, 1 not found, 2 wrong use, or a file cannot be read.")]
pub(crate) struct Grep {
    #[command(flatten)]
    pub(crate) searched: Searched,
    /// Names, folders, or globs to search in; * stops at /, ** does not [default: all files]
    #[arg(value_name = "NAME|GLOB", value_parser = pattern())]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) decode: Decode,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

/// What to look for in files.
#[derive(Args, Debug)]
pub(crate) struct Searched {
    /// A regular expression
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
    /// Ignore upper and lower case
    #[arg(short, long)]
    pub(crate) ignore_case: bool,
    /// Look for the text as it is
    #[arg(short = 'F', long = "fixed-strings")]
    pub(crate) fixed: bool,
    /// Print only the files that have a match
    #[arg(short = 'l', long = "files-with-matches")]
    pub(crate) files: bool,
}

/// List every file that the engine would load, with its layer
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs ls
  quakefs ls maps progs.dat
  quakefs ls -l \"**/*.wav\" \"maps/*.bsp\"
  quakefs ls --names sound | wc -l")]
pub(crate) struct Ls {
    /// Show sizes and content types too
    #[arg(short, long)]
    pub(crate) long: bool,
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    /// Names, folders, or globs; * stops at /, ** does not
    #[arg(value_name = "PATTERN", value_parser = pattern())]
    pub(crate) patterns: Vec<String>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

/// Options for lists that other programs read.
#[derive(Args, Debug)]
pub(crate) struct NamesAlone {
    /// Print only the names, one per line
    #[arg(long)]
    names: bool,
    /// End each name with a NUL instead of a line end, and print its bytes unescaped; implies --names
    #[arg(short = '0', long)]
    null: bool,
}

impl NamesAlone {
    /// The byte that ends each name, if only names are printed. Programs that ask for objects get objects.
    pub(crate) fn end(&self, console: &Console<'_>) -> Option<u8> {
        let end = if self.null { Some(0) } else { self.names.then_some(b'\n') };
        end.filter(|_| !console.json)
    }
}

/// Watch the game folder and report every file whose winning copy changes
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod watch
  quakefs --game mymod watch maps \"*.cfg\"
  quakefs --game mymod watch --once progs.dat && echo 'the game code was built'

If you save a loose file that another copy overrides, a line names the winner. The command waits for an
archive that is still being written. Ctrl-C ends the command.
Exit codes: 0 ended, 2 wrong use or a failure.")]
pub(crate) struct Watch {
    /// End after the first change
    #[arg(long)]
    pub(crate) once: bool,
    /// Names, folders, or globs; * stops at /, ** does not
    #[arg(value_name = "PATTERN", value_parser = pattern())]
    pub(crate) patterns: Vec<String>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

/// Write the bytes of files to standard output
#[derive(Args, Debug)]
#[command(after_help = "Example: quakefs --game mymod cat quake.rc default.cfg")]
pub(crate) struct Cat {
    /// Names in the game
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<OsString>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

/// Write the files that the engine would load to a folder
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod extract -o everything
  quakefs extract sound \"maps/*.bsp\" -o levels --skip-existing")]
pub(crate) struct Extract {
    /// Names, folders, or globs; * stops at /, ** does not
    #[arg(value_name = "PATTERN", value_parser = pattern())]
    pub(crate) patterns: Vec<String>,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

/// List every overridden copy, its winner, and whether their bytes differ
#[derive(Args, Debug)]
#[command(after_help = "Example: quakefs --game mymod shadows maps \"sound/**/*.wav\"")]
pub(crate) struct Shadows {
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    /// Names, folders, or globs; * stops at /, ** does not
    #[arg(value_name = "PATTERN", value_parser = pattern())]
    pub(crate) patterns: Vec<String>,
    #[command(flatten)]
    pub(crate) decode: Decode,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}

/// Show where engines load different files
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod compare quakespasm trenchbroom   works in the editor, not in the game
  quakefs compare quakespasm fte --only \"maps/*.bsp\"
  quakefs compare quakespasm darkplaces --only case --only loose
  quakefs --game mymod compare quakespasm darkplaces --needs

Causes, for --only:
  skipped         one of the engines skips an archive or a game directory
  case            one of the engines distinguishes upper and lower case
  spelling        a name has several spellings, and the engines prefer different ones
  request         the engines read the name in different ways
  on-top          layers that --mount added
  game-directory  the order of the game directories
  loose           whether loose files rank above or below archives
  archive-order   the order of the archives
  equal-rows      which of two entries with one name in an archive wins
  layers          the order of the layers, if no single rule explains it
  content-limit   its version or its size is too much for an engine

Exit codes: 0 the engines load the same files, 1 they differ or one would not start, 2 wrong use or a failure.")]
pub(crate) struct Compare {
    /// Two or more engines; ENGINE@SYSTEM is an engine on that system, such as quakespasm@windows
    #[arg(required = true, num_args = 2.., value_name = "ENGINE[@SYSTEM]", value_parser = EnginesOnSystems,
        hide_possible_values = true, ignore_case = true)]
    pub(crate) engines: Vec<EngineOn>,
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    /// Show only this cause, or this name, folder or glob; may be repeated
    #[arg(long, value_name = "CAUSE|PATTERN", value_parser = pattern())]
    pub(crate) only: Vec<String>,
    /// Compare which of the files that levels need each engine finds
    #[arg(long, conflicts_with = "only")]
    pub(crate) needs: bool,
    /// Compare engines even if they are for different games
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) folders: FolderArgs,
}

/// Show the rules of all engines side by side, or all rules of one
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs engines
  quakefs engines quakespasm
  quakefs engines quakespasm > mine.toml
  quakefs --rules mine.toml engines
  quakefs --rules mine.toml which maps/start.bsp")]
pub(crate) struct Engines {
    /// Print all rules of this engine as a file for --rules, with comments; default: all engines side by side
    #[arg(value_name = "NAME", value_parser = EngineName, hide_possible_values = true, ignore_case = true,
        conflicts_with = "toml")]
    pub(crate) name: Option<Engine>,
    /// The same as NAME
    #[arg(long, value_name = "NAME", value_parser = EngineName, hide_possible_values = true,
        ignore_case = true)]
    pub(crate) toml: Option<Engine>,
    /// Print what is known of each engine, and whether it was seen in a run or read in the source
    #[arg(long, conflicts_with_all = ["name", "toml", "rules"])]
    pub(crate) depth: bool,
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    /// Print all rules of this file; `quakefs engines NAME` prints one to start from
    #[arg(long, value_name = "FILE", value_parser = path(), conflicts_with_all = ["name", "toml"])]
    pub(crate) rules: Option<Utf8PathBuf>,
}

/// A limit on decoding: a small archive can claim terabytes.
#[derive(Args, Debug)]
pub(crate) struct Decode {
    /// The most bytes to decode, such as 4G [default: 100 times the size of the archives, at least 1 GiB]
    #[arg(long = "max-output", value_name = "SIZE", value_parser = size)]
    limit: Option<u64>,
}

impl Decode {
    pub(crate) fn budget(&self, default: DecodeBudget) -> DecodeBudget {
        self.limit.map_or(default, DecodeBudget::new)
    }

    /// The limit, if the command line has one.
    pub(crate) fn limit(&self) -> Option<u64> {
        self.limit
    }
}

/// How to print findings, and which make the command fail.
#[derive(Args, Debug)]
pub(crate) struct Findings {
    /// Print the findings as text, as JSON like --json, as annotations of a GitHub workflow, or as a SARIF
    /// 2.1.0 log [default: text]
    #[arg(long, value_name = "FORMAT", value_parser = finding_formats(), conflicts_with = "json")]
    pub(crate) format: Option<Format>,
    /// Exit with 1 only if a finding has this severity or a higher one
    #[arg(long, value_name = "SEVERITY", value_parser = failing_severities(), default_value = "warning")]
    pub(crate) fail_on: Severity,
}

/// The folder to write files to.
#[derive(Args, Debug)]
pub(crate) struct Output {
    /// The folder to write to, created if it is missing; - prints the files instead; -d of unzip is
    /// understood too
    #[arg(short = 'o', long = "output", short_alias = 'd', value_name = "DIR", value_parser = path())]
    pub(crate) folder: Utf8PathBuf,
    #[command(flatten)]
    pub(crate) writing: Writing,
}

/// Options for writing files.
#[derive(Args, Debug)]
pub(crate) struct Writing {
    /// Replace existing files
    #[arg(long, conflicts_with = "skip_existing")]
    pub(crate) overwrite: bool,
    /// Keep existing files
    #[arg(long)]
    pub(crate) skip_existing: bool,
    /// The most bytes to write, such as 500M or 4G [default: 100 times the size of the archives, at least 1
    /// GiB]
    #[arg(long = "max-output", value_name = "SIZE", value_parser = size)]
    pub(crate) limit: Option<u64>,
    /// List what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claps_own_checks_pass() {
        built().debug_assert();
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
