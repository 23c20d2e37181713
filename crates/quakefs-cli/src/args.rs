//! The command line.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

use camino::{Utf8Path, Utf8PathBuf};
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use pak_format::name::unescape;
use pak_format::verify::DecodeBudget;
use quakefs::{Builder, Engine, ErrorKind, Layout, Rules, SearchPath};

use crate::advice;
use crate::caveats;
use crate::console::{Console, Failure, Message};
use crate::text::command_line;

const THE_GAME: &str = "The game";

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
  quakefs pak list -l id1/pak0.pak                     what is in one archive

Exit codes: 0 done or found; 1 not found, findings, or an engine that would not start; 2 wrong use
or a failure.";

/// Which file a Quake engine would load, where it comes from, and what it hides.
#[derive(Parser, Debug)]
#[command(name = "quakefs", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) game: Game,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// The command line as help and errors show it: the options of a game are hidden from the commands that refuse them.
    /// It builds every subcommand, which takes half the time of a short command, and is not needed to read the arguments.
    pub(crate) fn shown() -> clap::Command {
        let mut command = Cli::command();
        // passes global options on to the subcommands
        command.build();
        command
            .mut_subcommand("pak", |pak| without(pak, &|_| true))
            .mut_subcommand("completions", |completions| without(completions, &|_| true))
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

/// Which game is asked, and by which engine.
#[derive(Args, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    clippy::struct_field_names,
    reason = "they are the flags of the engines"
)]
pub(crate) struct Game {
    /// The folder that holds id1 and the mods; may be given again for ironwail and vkquake [default: the current
    /// folder]
    #[arg(long, global = true, value_name = "DIR", help_heading = THE_GAME, value_parser = path())]
    basedir: Vec<Utf8PathBuf>,
    /// The engine whose rules count [default: winquake]
    #[arg(long, global = true, value_name = "NAME", help_heading = THE_GAME, value_parser = engines())]
    engine: Option<Engine>,
    /// A file of rules instead of an engine's; `quakefs engines --toml NAME` prints one to start from
    #[arg(long, global = true, value_name = "FILE", help_heading = THE_GAME, value_parser = path(),
        conflicts_with = "engine")]
    rules: Option<Utf8PathBuf>,
    /// A directory of the user's own, whose game directories stand just above the base directory's [default: the
    /// engine's in the home folder, such as ~/.quakespasm]
    #[arg(long, global = true, value_name = "DIR", help_heading = THE_GAME, value_parser = path())]
    pub(crate) userdir: Option<Utf8PathBuf>,
    /// Leave the user's own directory out
    #[arg(long, global = true, help_heading = THE_GAME, conflicts_with = "userdir")]
    no_userdir: bool,
    /// The home folder, if the command has one
    #[arg(skip)]
    pub(crate) home: Option<PathBuf>,
    /// A folder that stands in the place of id1, as -basegame of ironwail and vkquake; may be given again
    #[arg(long, global = true, value_name = "DIR", help_heading = THE_GAME)]
    basegame: Vec<String>,
    /// A mod's folder in the base directory, as the engine's -game; may be given again
    #[arg(long, global = true, value_name = "DIR", help_heading = THE_GAME)]
    game: Vec<String>,
    /// A mission flag of the engine without its dash, such as hipnotic; may be given again
    #[arg(long, global = true, value_name = "NAME", help_heading = THE_GAME,
        value_parser = NonEmptyStringValueParser::new())]
    mission: Vec<String>,
    /// Scourge of Armagon: --mission hipnotic
    #[arg(long, global = true, help_heading = THE_GAME)]
    hipnotic: bool,
    /// Dissolution of Eternity: --mission rogue
    #[arg(long, global = true, help_heading = THE_GAME)]
    rogue: bool,
    /// Quoth: --mission quoth
    #[arg(long, global = true, help_heading = THE_GAME)]
    quoth: bool,
    /// Put a folder or an archive on top; may be given again. Without --basedir, the current folder counts only
    /// if it holds a game
    #[arg(long, global = true, value_name = "PATH", help_heading = THE_GAME, value_parser = path())]
    mount: Vec<Utf8PathBuf>,
    /// Print one JSON object a line
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// An empty path is an unset variable of a script, and would mean the current folder.
fn path() -> impl TypedValueParser<Value = Utf8PathBuf> {
    NonEmptyStringValueParser::new().map(Utf8PathBuf::from)
}

fn engines() -> impl TypedValueParser<Value = Engine> {
    PossibleValuesParser::new(Engine::ALL.iter().map(|engine| engine.name()))
        .try_map(|word| word.parse::<Engine>())
}

fn layouts() -> impl TypedValueParser<Value = Layout> {
    PossibleValuesParser::new(Layout::ALL.iter().map(|layout| layout.name()))
        .try_map(|word| word.parse::<Layout>())
}

/// The command line that lists an archive, for a suggestion.
pub(crate) fn suggest_list(file: &Utf8Path, layout: Option<Layout>) -> String {
    let layout = layout.map(|layout| ["--layout", layout.name()]);
    let words = ["quakefs", "pak", "list"].into_iter().chain(layout.into_iter().flatten());
    command_line(words.chain([file.as_str()]))
}

impl Game {
    /// Mounts the stack that was asked for, and warns of what is wrong with the game as a whole.
    pub(crate) fn mount(&self, console: &mut Console<'_>) -> Result<SearchPath, Failure> {
        let search_path = self.mount_unwarned()?;
        caveats::report(std::slice::from_ref(&search_path), console);
        Ok(search_path)
    }

    /// Mounts the stack that was asked for.
    pub(crate) fn mount_unwarned(&self) -> Result<SearchPath, Failure> {
        let own = self.own_rules()?;
        self.mount_as(own.unwrap_or_else(|| self.engine.unwrap_or(Engine::WinQuake).rules().clone()))
    }

    /// Mounts the stack as it is under some rules.
    pub(crate) fn mount_as(&self, rules: Rules) -> Result<SearchPath, Failure> {
        let mut builder = match &self.basedir[..] {
            [base, more @ ..] => more.iter().fold(SearchPath::builder(base), Builder::base_directory),
            [] if self.mount.is_empty() || holds_game(&rules) => SearchPath::builder("."),
            [] => SearchPath::layers_only(),
        };
        builder = builder.rules(rules);
        if let Some(home) = self.home.as_ref().filter(|_| !self.no_userdir) {
            builder = builder.home(home);
        }
        if let Some(user) = &self.userdir {
            builder = builder.user_directory(user);
        }
        for game in &self.basegame {
            builder = builder.base_game(game);
        }
        for flag in self.missions() {
            builder = builder.mission(flag);
        }
        for game in &self.game {
            builder = builder.game(game);
        }
        for path in &self.mount {
            builder = if path.is_dir() { builder.folder(path) } else { builder.archive(path) };
        }
        builder.mount().map_err(|error| {
            let mut message = Message::from(&error);
            match error.kind() {
                ErrorKind::Pak(pak_format::ErrorKind::AmbiguousLayout { .. }) => {
                    let help = "`quakefs pak` looks at the archive with --layout; it cannot be mounted";
                    message.help = Some(help.to_owned());
                }
                ErrorKind::NoGameDirectory { because: Some(wrong), .. } => {
                    message.help = Some(advice::of_wrong_base(wrong));
                }
                _ => {}
            }
            message.into()
        })
    }

    /// A command line that asks the same game, for a suggestion.
    pub(crate) fn suggest(&self, command: &str) -> String {
        let mut words = vec!["quakefs"];
        let single = [
            ("--engine", self.engine.map(Engine::name)),
            ("--rules", self.rules.as_deref().map(Utf8Path::as_str)),
            ("--userdir", self.userdir.as_deref().map(Utf8Path::as_str)),
        ];
        let bases = self.basedir.iter().map(|base| ("--basedir", base.as_str()));
        let base_games = self.basegame.iter().map(|game| ("--basegame", &**game));
        let games = self.game.iter().map(|game| ("--game", &**game));
        let missions = self.missions().map(|flag| ("--mission", flag));
        let mounts = self.mount.iter().map(|path| ("--mount", path.as_str()));
        let single = single.into_iter().filter_map(|(option, value)| Some((option, value?)));
        let options = bases.chain(single).chain(base_games).chain(games).chain(missions).chain(mounts);
        words.extend(options.flat_map(|(option, value)| [option, value]));
        words.extend(self.no_userdir.then_some("--no-userdir"));
        words.push(command);
        command_line(words)
    }

    /// The mission flags that were given, in the short form and in the long one.
    fn missions(&self) -> impl Iterator<Item = &str> {
        let short = [(self.hipnotic, "hipnotic"), (self.rogue, "rogue"), (self.quoth, "quoth")];
        let short = short.into_iter().filter(|(given, _)| *given).map(|(_, flag)| flag);
        short.chain(self.mission.iter().map(String::as_str))
    }

    /// Warns of a user directory that does not exist. An engine makes the directory when it first writes there, so the
    /// library mounts without one; on the command line, a directory that is not there is probably misspelled.
    pub(crate) fn warn_of_user_directory(&self, console: &mut Console<'_>) {
        if let Some(user) = self.userdir.as_ref().filter(|user| !user.is_dir()) {
            let text = format!("{user}: there is no such folder");
            console.warn(&Message::new(text, "look at its spelling and case"));
        }
    }

    /// Refuses the options that name one engine for a comparison, which takes its engines by name.
    pub(crate) fn refuse_for_compare(&self) -> Result<(), Failure> {
        let given = [(self.engine.is_some(), "--engine"), (self.rules.is_some(), RULES)];
        let why = "names one engine, and `quakefs compare` two or more";
        refuse(&given, why, "name the engines after `compare`")
    }

    /// Refuses the options of a game for commands on one archive, which would ignore them.
    pub(crate) fn refuse_for_pak(&self) -> Result<(), Failure> {
        let why = "says which game is asked, and `quakefs pak` looks at one archive";
        refuse(&self.given(), why, "leave it out, or use the command without `pak`")
    }

    /// Refuses the options of a game for the command that prints rules, which takes a file of rules alone.
    pub(crate) fn refuse_for_engines(&self, args: &Engines) -> Result<(), Failure> {
        let given: Vec<_> = self.given().into_iter().filter(|(_, flag)| *flag != RULES).collect();
        let why = "says which game is asked, and `quakefs engines` prints rules";
        refuse(&given, why, "leave it out; `quakefs engines NAME` prints the rules of one engine")?;
        let names_two = self.rules.is_some() && (args.name.is_some() || args.toml.is_some());
        let why = "names a file of rules, and the engine that is named has others";
        refuse(&[(names_two, RULES)], why, "name one of them")
    }

    /// The options that say which game is asked, and whether each was given.
    fn given(&self) -> [(bool, &'static str); 12] {
        [
            (!self.basedir.is_empty(), "--basedir"),
            (self.engine.is_some(), "--engine"),
            (self.rules.is_some(), RULES),
            (self.userdir.is_some(), "--userdir"),
            (self.no_userdir, "--no-userdir"),
            (!self.basegame.is_empty(), "--basegame"),
            (!self.game.is_empty(), "--game"),
            (!self.mission.is_empty(), "--mission"),
            (self.hipnotic, "--hipnotic"),
            (self.rogue, "--rogue"),
            (self.quoth, "--quoth"),
            (!self.mount.is_empty(), "--mount"),
        ]
    }

    /// The rules in the file that was named.
    pub(crate) fn own_rules(&self) -> Result<Option<Rules>, Failure> {
        self.rules.as_deref().map(own_rules).transpose()
    }
}

const RULES: &str = "--rules";

/// Refuses the first option that was given.
fn refuse(given: &[(bool, &str)], why: &str, help: &str) -> Result<(), Failure> {
    match given.iter().find(|(given, _)| *given) {
        Some((_, flag)) => Err(Message::new(format!("{flag} {why}"), help).into()),
        None => Ok(()),
    }
}

/// The most bytes of a rule file: more than any engine's rules take.
const RULES_SIZE: u64 = 1 << 20;

/// Reads rules from a file, and refuses rules that no engine could follow.
fn own_rules(file: &Utf8Path) -> Result<Rules, Failure> {
    let help = "`quakefs engines --toml winquake` prints rules to start from";
    let unreadable = |error| Message::without_help(format!("{file}: cannot be read: {error}"));
    let mut bytes = Vec::new();
    // a pipe may never have a writer
    if file.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(Message::new(format!("{file}: it is not a regular file"), help).into());
    }
    let opened = File::open(file).map_err(unreadable)?;
    opened.take(RULES_SIZE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > RULES_SIZE {
        return Err(Message::new(
            format!("{file}: a rule file has at most 1 MiB, and this one has more"),
            help,
        )
        .into());
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        Message::new(format!("{file}: the rules are not UTF-8: {}", error.utf8_error()), help)
    })?;
    let rules = Rules::from_toml(&text).map_err(|error| Message::new(format!("{file}: {error}"), help))?;
    let faults: Vec<_> = rules.validate().iter().map(ToString::to_string).collect();
    if !faults.is_empty() {
        let text = format!("{file}: no engine could follow these rules: {}", faults.join("; "));
        return Err(Message::new(text, help).into());
    }
    Ok(rules)
}

fn holds_game(rules: &Rules) -> bool {
    rules.directories.base.iter().any(|directory| Utf8PathBuf::from(directory.as_ref()).is_dir())
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Show the layers, highest first, and what was left out
    Path,
    /// Say which copy of a file is served
    Which(Which),
    /// List each name once, with the layer that serves it
    Ls(Ls),
    /// Write a file's bytes to standard output
    Cat(Cat),
    /// Write the merged tree, or what matches, to a folder
    Extract(Extract),
    /// List every hidden copy, what hides it, and whether the bytes differ
    Shadows(Shadows),
    /// List everything that is wrong, or that an author may not have intended
    #[command(after_help = "\
Examples:
  quakefs --game mymod check
  quakefs --engine darkplaces --game mymod --json check

Exit codes: 0 nothing worse than notes, 1 there are warnings or errors, 2 wrong use or a failure.")]
    Check(Decode),
    /// Say where engines load different files
    Compare(Compare),
    /// Show the rules of each engine side by side, or those of one in sentences
    Engines(Engines),
    /// Look at archives, make and change them, without a game
    #[command(subcommand)]
    Pak(Pak),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example: quakefs completions bash > ~/.local/share/bash-completion/completions/quakefs"
    )]
    Completions {
        /// The shell
        shell: Shell,
    },
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs which maps/start.bsp
  quakefs --game mymod which -a progs.dat gfx.wad
  quakefs --json which -a maps/start.bsp

Bytes of a name that are not UTF-8 are written \\xNN, here and in what is printed.
Exit codes: 0 all were found, 1 one was not, 2 wrong use or a failure.")]
pub(crate) struct Which {
    /// Every copy, the one that is served first
    #[arg(short, long)]
    pub(crate) all: bool,
    /// Names inside the game, such as maps/start.bsp
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<OsString>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs ls
  quakefs ls 'maps/*.bsp'
  quakefs ls -l '**/*.wav'")]
pub(crate) struct Ls {
    /// Sizes and what each file holds too
    #[arg(short, long)]
    pub(crate) long: bool,
    /// A glob; * stops at /, ** does not
    pub(crate) pattern: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_help = "Example: quakefs --game mymod cat quake.rc")]
pub(crate) struct Cat {
    /// A name inside the game
    #[arg(value_name = "NAME")]
    pub(crate) name: OsString,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod extract -o everything
  quakefs extract 'maps/*.bsp' -o levels --skip-existing")]
pub(crate) struct Extract {
    /// A glob; * stops at /, ** does not
    pub(crate) pattern: Option<String>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Args, Debug)]
#[command(after_help = "Example: quakefs --game mymod shadows 'maps/**'")]
pub(crate) struct Shadows {
    /// A glob; * stops at /, ** does not
    pub(crate) pattern: Option<String>,
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
    #[arg(required = true, num_args = 2.., value_name = "ENGINE", value_parser = engines())]
    pub(crate) engines: Vec<Engine>,
    /// Only this cause, or only names that match this glob; may be given again
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
    #[arg(value_name = "NAME", value_parser = engines(), conflicts_with = "toml")]
    pub(crate) name: Option<Engine>,
    /// Print the rules of one engine, in the form that --rules takes
    #[arg(long, value_name = "NAME", value_parser = engines())]
    pub(crate) toml: Option<Engine>,
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
}

/// Where files are written, and when not.
#[derive(Args, Debug)]
pub(crate) struct Output {
    /// The folder to write to; made if it is not there
    #[arg(short = 'o', long = "output", value_name = "DIR", value_parser = path())]
    pub(crate) folder: Utf8PathBuf,
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

fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = text.get(digits.len()..).unwrap_or_default().to_ascii_uppercase();
    let shift = match unit.trim_end_matches("IB").trim_end_matches('B') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err("expected a number with K, M, G or T after it, such as 500M".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| "expected a whole number, such as 500M".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "this is more than a disk can hold".to_owned())
}

#[derive(Subcommand, Debug)]
pub(crate) enum Pak {
    /// List the entries, in stored order
    #[command(after_help = "\
Examples:
  quakefs pak list pak0.pak
  quakefs pak list -l pak0.pak 'maps/*'
  quakefs pak list --json pak0.pak")]
    List {
        /// Where each entry is and what it holds too
        #[arg(short, long)]
        long: bool,
        #[command(flatten)]
        archive: ArchiveFile,
        /// A glob; * stops at /, ** does not
        pattern: Option<String>,
    },
    /// Say what kind of archive it is and what it holds
    #[command(after_help = "Example: quakefs pak info pak0.pak")]
    Info {
        #[command(flatten)]
        archive: ArchiveFile,
    },
    /// Write an entry's bytes to standard output
    #[command(after_help = "\
Examples:
  quakefs pak cat pak0.pak quake.rc
  quakefs pak cat --entry 12 pak0.pak")]
    Cat {
        #[command(flatten)]
        archive: ArchiveFile,
        /// The entry's name, as stored; of two, the first
        #[arg(value_name = "NAME", required_unless_present = "entry")]
        name: Option<OsString>,
        /// The entry's number instead of a name
        #[arg(long, value_name = "N", conflicts_with = "name")]
        entry: Option<usize>,
    },
    /// List everything that is odd or wrong about archives
    #[command(after_help = "\
Examples:
  quakefs pak verify id1/*.pak
  quakefs pak verify --deep /media/cdrom/id1/pak0.pak
  quakefs pak verify --json mod/textures.pk3

Compressed entries are decoded, and those of a ZIP are compared with their checksums. Stored entries of a PACK have no
checksum: their rows are checked, and --deep reads their bytes too.

Exit codes: 0 nothing worse than notes, 1 there are warnings or errors, 2 wrong use or a failure.")]
    Verify {
        /// Read every byte of the archives, which finds places that a disk cannot read
        #[arg(long)]
        deep: bool,
        /// The layout, where an archive is ambiguous
        #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
        layout: Option<Layout>,
        /// The archives
        #[arg(value_name = "FILE", required = true, value_parser = path())]
        files: Vec<Utf8PathBuf>,
        #[command(flatten)]
        decode: Decode,
    },
    /// Make an archive of files and folders
    Create(Create),
    /// Put files into an archive
    Add(Add),
    /// Take files out of an archive; their bytes stay in it until a repack
    Remove(Remove),
    /// Give an entry another name
    Rename(Rename),
    /// Write an archive anew, without bytes that no entry names, or in another layout
    Repack(Repack),
    /// Write the entries, or those that match, to a folder
    #[command(after_help = "\
Examples:
  quakefs pak extract pak0.pak -o out
  quakefs pak extract pak0.pak 'progs/*.mdl' -o models --overwrite")]
    Extract {
        #[command(flatten)]
        archive: ArchiveFile,
        /// A glob; * stops at /, ** does not
        pattern: Option<String>,
        #[command(flatten)]
        output: Output,
    },
}

/// How Daikatana's payloads are compressed.
#[derive(Args, Debug)]
pub(crate) struct Encoding {
    /// Daikatana: find the shortest form of each file, at a tenth of the speed
    #[arg(long)]
    pub(crate) smallest: bool,
    /// Daikatana: let a copy overlap itself; smaller, but pakextract and TrenchBroom decode it wrongly
    #[arg(long)]
    pub(crate) allow_overlap: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak create pak0.pak -C mymod progs.dat maps sound
  quakefs pak create textures.pak --layout daikatana --smallest -C build textures

Names are the paths relative to -C, or to the current folder.
What is in a folder comes in byte order.
Symbolic links in it are reported and left out.")]
pub(crate) struct Create {
    /// The archive to make
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    /// Files and folders
    #[arg(value_name = "PATH", required = true, value_parser = path())]
    pub(crate) paths: Vec<Utf8PathBuf>,
    /// The folder that names are relative to
    #[arg(short = 'C', value_name = "DIR", value_parser = path())]
    pub(crate) root: Option<Utf8PathBuf>,
    /// The layout [default: sin for FILE.sin, else quake]
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    /// Put the entries into the byte order of their names
    #[arg(long)]
    pub(crate) sort: bool,
    /// Replace FILE if it is there
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Say what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak add pak0.pak -C mymod maps/new.bsp
  echo 'exec default.cfg' | quakefs pak add pak0.pak - --as quake.rc --replace")]
pub(crate) struct Add {
    /// The archive
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    /// Files and folders; - is standard input, with --as
    #[arg(value_name = "PATH", required = true, value_parser = path())]
    pub(crate) paths: Vec<Utf8PathBuf>,
    /// The folder that names are relative to
    #[arg(short = 'C', value_name = "DIR", value_parser = path())]
    pub(crate) root: Option<Utf8PathBuf>,
    /// The name of the one file that is added
    #[arg(long = "as", value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Replace entries that are there
    #[arg(long)]
    pub(crate) replace: bool,
    /// The layout, where the archive is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    /// Say what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Example: quakefs pak remove pak0.pak 'maps/old*.bsp' notes.txt")]
pub(crate) struct Remove {
    /// The archive
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    /// Globs over the names; * stops at /, ** does not
    #[arg(value_name = "PATTERN", required = true)]
    pub(crate) patterns: Vec<String>,
    /// The layout, where the archive is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// Say what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Example: quakefs pak rename pak0.pak maps/START.BSP maps/start.bsp")]
pub(crate) struct Rename {
    /// The archive
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    /// The name that it has
    #[arg(value_name = "OLD")]
    pub(crate) old: OsString,
    /// The name that it gets
    #[arg(value_name = "NEW")]
    pub(crate) new: OsString,
    /// The layout, where the archive is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// Say what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak repack pak0.pak
  quakefs pak repack pak0.pak -o small.pak --layout daikatana --smallest")]
pub(crate) struct Repack {
    /// The archive
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    /// Where the new archive goes, instead of FILE
    #[arg(short, long, value_name = "OUT", value_parser = path())]
    pub(crate) output: Option<Utf8PathBuf>,
    /// Replace OUT if it is there
    #[arg(long, requires = "output")]
    pub(crate) overwrite: bool,
    /// The layout of the new archive [default: the same]
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// The layout of FILE, where it is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) from: Option<Layout>,
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    /// Say what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ArchiveFile {
    /// The layout, where the archive is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// The archive
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
}

/// A name from the command line as bytes: `\xNN` is a byte, and so is each byte that is not UTF-8.
pub(crate) fn name_bytes(name: &OsStr) -> Vec<u8> {
    match name.to_str() {
        Some(text) => unescape(text).into_owned(),
        None => raw_bytes(name),
    }
}

#[cfg(unix)]
fn raw_bytes(name: &OsStr) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(name).to_vec()
}

#[cfg(not(unix))]
fn raw_bytes(name: &OsStr) -> Vec<u8> {
    name.to_string_lossy().into_owned().into_bytes()
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
