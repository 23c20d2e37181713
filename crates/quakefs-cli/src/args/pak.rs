//! The arguments of `quakefs pak`.

use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use camino::{Utf8Path, Utf8PathBuf};
use clap::{Args, Subcommand};
use quake_content::WadVersion;
use quakefs::Layout;
use quakefs_archives::{CatalogFormat, Digest, DigestKind, is_archive};

use super::value::{catalog_formats, layouts, path, pattern, sums, word};
use super::{Decode, EngineArgs, Findings, NamesAlone, Searched, Writing, expanded};
use crate::text::command_line;

/// Appends to the examples of a command how it distinguishes PATHs and NAMEs. Each paragraph is one line,
/// which clap wraps.
macro_rules! names_after_paths {
    ($examples:literal) => {
        concat!(
            $examples,
            "\n\n",
            "PATHs come first: archives, and before the first archive also folders to search for archives. \
                The first word that is neither, that is an entry of the first archive, or that follows --, \
                is a NAME, and so are all after it.\n\n",
            "If a name equals a pattern literally, only that name is selected. The name of a folder selects \
                everything in it. * stops at /, ** does not."
        )
    };
}

/// Inspect, create and change archives, without a game
#[derive(Debug, Subcommand)]
pub(crate) enum Pak {
    #[command(visible_aliases = ["ls", "l"])]
    List(List),
    Info(Info),
    Cat(Cat),
    #[command(visible_alias = "x")]
    Extract(Extract),
    Find(Find),
    Grep(GrepArchives),
    Diff(Diff),
    Duplicates(Duplicates),
    Catalog(Catalog),
    Verify(Verify),
    Create(Create),
    Merge(Merge),
    #[command(visible_alias = "a")]
    Add(Add),
    Edit(Edit),
    #[command(visible_alias = "rm")]
    Remove(Remove),
    #[command(visible_alias = "mv")]
    Rename(Rename),
    Repack(Repack),
    Convert(Convert),
}

/// Show the kind of an archive and a summary of its content
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak info pak0.pak
  quakefs pak info mods

Each word is a PATH: the command sums up whole archives. `quakefs pak list -l FILE NAME` shows an entry.")]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) archives: Archives,
    #[command(flatten)]
    pub(crate) strict: Strict,
}

/// Write the bytes of entries to standard output
#[derive(Args, Debug)]
#[command(
    override_usage = "quakefs pak cat [OPTIONS] <PATH>... <NAME|PATTERN>...",
    after_help = names_after_paths!("\
Examples:
  quakefs pak cat pak0.pak quake.rc
  quakefs pak cat --entry 12 pak0.pak"))]
pub(crate) struct Cat {
    #[command(flatten)]
    pub(crate) archives: NamedArchives,
    #[command(flatten)]
    pub(crate) strict: Strict,
    /// Select an entry by number instead of name
    #[arg(long, value_name = "N")]
    pub(crate) entry: Option<usize>,
}

/// Write entries to a folder
#[derive(Args, Debug)]
#[command(
    override_usage = "quakefs pak extract [OPTIONS] <PATH>... [NAME|PATTERN]...",
    after_help = names_after_paths!("\
Examples:
  quakefs pak extract pak0.pak
  quakefs pak extract pak0.pak \"progs/*.mdl\" -o models --overwrite
  quakefs pak extract -j pak0.pak \"**/*.wav\" -o sounds
  quakefs pak extract mods -o unpacked
  quakefs pak extract textures.wad
  quakefs pak extract maps/start.bsp -o textures

Textures of a WAD or a level are written as PNG, with the names that other tools use: *lava1 becomes #lava1.png, which \
engines load as a replacement. --raw writes the stored bytes.

Without -o the files of pak0.pak go to ./pak0. If there are several archives, each one gets its own folder, named by its path \
below the common folder."))]
pub(crate) struct Extract {
    #[command(flatten)]
    pub(crate) archives: NamedArchives,
    #[command(flatten)]
    pub(crate) strict: Strict,
    /// The folder to write to, created if it is missing; - prints the files [default: named after the
    /// archive]
    #[arg(short, long, short_alias = 'd', value_name = "DIR", value_parser = path())]
    pub(crate) output: Option<Utf8PathBuf>,
    /// Write the files without their folders
    #[arg(short = 'j', long, visible_alias = "junk-paths")]
    pub(crate) flat: bool,
    /// WADs and levels: write the stored bytes instead of pictures
    #[arg(long)]
    pub(crate) raw: bool,
    /// WADs and levels: the palette of 256 colours, such as gfx/palette.lmp [default: the palette of the
    /// texture or the WAD, else the one of Quake]
    #[arg(long, value_name = "FILE", value_parser = path(), conflicts_with = "raw")]
    pub(crate) palette: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub(crate) writing: Writing,
}

/// List contents that are stored several times, and the bytes that the copies waste
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak duplicates mods
  quakefs pak duplicates --json --blake3 id1/pak0.pak mymod/pak0.pak
  quakefs pak duplicates --names textures maps/*.bsp

--names lists the opposite: names with several different contents, such as textures of one name with different pixels.")]
pub(crate) struct Duplicates {
    /// List names with different contents instead; ignores the case of names, and compares textures by their
    /// pixels
    #[arg(long)]
    pub(crate) names: bool,
    #[command(flatten)]
    pub(crate) archives: Archives,
    #[command(flatten)]
    pub(crate) nested: Nested,
    #[command(flatten)]
    pub(crate) strict: Strict,
    #[command(flatten)]
    pub(crate) digests: Digests,
}

/// Check archives, and list errors and oddities
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak verify pak0.pak
  quakefs pak verify mods
  quakefs pak verify --deep /media/cdrom/id1/pak0.pak
  quakefs pak verify --json mod/textures.pk3
  quakefs pak verify --format github releases
  quakefs pak verify --against SHA256SUMS mods

For one archive the command lists all findings. For several it prints one verdict per line, or all findings with --long. Each word \
is a PATH: an entry is sound only together with its neighbours, so whole archives are checked.

The command decodes compressed entries and compares the entries of a ZIP with their checksums. Stored entries of a PACK have no
checksum: the command checks their rows, and with --deep it also reads their bytes. Textures, pictures and fonts of a WAD are
checked as engines read them; with --deep so are levels, models, programs, sounds and pictures in any archive. In a ZIP, local
headers that differ from the directory are a warning, and so is a second directory: programs differ in which they read.

A name in a list of checksums means an archive with this path, or the only archive with this file name, or else entries.

Exit codes: 0 no warnings or errors, 1 warnings or errors, 2 wrong use or a failure.")]
pub(crate) struct Verify {
    /// List all findings of each archive, even if there are several
    #[arg(short, long)]
    pub(crate) long: bool,
    /// Read every byte of the archives and the content of their files, to find what cannot be read or loaded
    #[arg(long)]
    pub(crate) deep: bool,
    /// Compare archives or entries with a list of checksums instead, from sha256sum, md5sum or an .sfv file
    #[arg(long, value_name = "LIST", value_parser = path(),
        conflicts_with_all = ["deep", "nested", "format", "fail_on"])]
    pub(crate) against: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub(crate) findings: Findings,
    #[command(flatten)]
    pub(crate) archives: Archives,
    #[command(flatten)]
    pub(crate) nested: Nested,
    #[command(flatten)]
    pub(crate) decode: Decode,
}

/// List the entries, in stored order
#[derive(Args, Debug)]
#[command(
    override_usage = "quakefs pak list [OPTIONS] <PATH>... [NAME|PATTERN]...",
    after_help = names_after_paths!("\
Examples:
  quakefs pak list pak0.pak
  quakefs pak list -l pak0.pak \"maps/*\" progs.dat
  quakefs pak list --names -0 pak0.pak | xargs -0 -n1 echo
  quakefs pak list --json mods"))]
pub(crate) struct List {
    /// Show offsets, sizes and content types too
    #[arg(short, long)]
    pub(crate) long: bool,
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    #[command(flatten)]
    pub(crate) archives: NamedArchives,
    #[command(flatten)]
    pub(crate) strict: Strict,
}

/// Find the archives that contain a file
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak find maps/start.bsp mods
  quakefs pak find -i \"**/*.bsp\" mods /media/cdrom
  quakefs pak find \"**\" --hash 99aa06d3014798d86001c324468d497f mods
  quakefs pak find --archives -0 progs.dat mods | xargs -0 ls -l
  quakefs pak find --nested maps/start.bsp ~/Downloads

If a name in an archive equals the pattern literally, only that name is selected. The name of a folder selects everything in it.
Without a PATH the current folder is searched.

Exit codes: 0 found, 1 not found, 2 wrong use, or not found and an archive cannot be read.")]
#[command(mut_arg("paths", |paths| paths.required(false)))]
pub(crate) struct Find {
    /// A name, or a glob for names
    #[arg(value_name = "NAME|PATTERN")]
    pub(crate) name: OsString,
    /// Ignore upper and lower case in names
    #[arg(short, long)]
    pub(crate) ignore_case: bool,
    /// Find only files with this hash: hexadecimal digits of XXH3-128 or BLAKE3, or digits after sha256:,
    /// md5: or crc32:
    #[arg(long, value_name = "HASH")]
    pub(crate) hash: Option<Digest>,
    #[command(flatten)]
    pub(crate) nested: Nested,
    /// Print only the archives, each once, one per line
    #[arg(long = "archives")]
    pub(crate) archives_alone: bool,
    /// End each archive with a NUL instead of a line end, and print its bytes unescaped; implies --archives
    #[arg(hide_short_help = true, short = '0', long)]
    pub(crate) null: bool,
    #[command(flatten)]
    pub(crate) archives: Archives,
    #[command(flatten)]
    pub(crate) strict: Strict,
    #[command(flatten)]
    pub(crate) decode: Decode,
}

/// Find the lines of texts, entities and programs in archives that match a pattern
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak grep func_breakable mods
  quakefs pak grep -l -F \"sound/ambience/\" pak0.pak
  quakefs pak grep --nested -i \"author.*romero\" ~/Downloads

A level counts with its entities, a program with its texts. Pictures, models and sounds are not searched. Without a PATH the current \
folder is searched. `quakefs grep` searches the files that an engine would load.

Exit codes: 0 found, 1 not found, 2 wrong use, or not found and an archive cannot be read.")]
#[command(mut_arg("paths", |paths| paths.required(false)))]
pub(crate) struct GrepArchives {
    #[command(flatten)]
    pub(crate) searched: Searched,
    #[command(flatten)]
    pub(crate) archives: Archives,
    #[command(flatten)]
    pub(crate) nested: Nested,
    #[command(flatten)]
    pub(crate) strict: Strict,
    #[command(flatten)]
    pub(crate) decode: Decode,
}

/// Compare two archives, folders or games
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak diff old/pak0.pak new/pak0.pak
  quakefs pak diff mymod-1.0 mymod
  quakefs --engine quakespasm pak diff ~/quake ~/quake-new

The command compares every entry of an archive. A folder with id1 in it is a game, and any other folder is a game directory: \
the command compares the files that the engine would load from it.

Exit codes: 0 no difference, 1 differences, 2 wrong use, or a file cannot be read.")]
pub(crate) struct Diff {
    /// An archive, a game directory, or a folder that contains id1
    #[arg(value_name = "OLD", value_parser = path())]
    pub(crate) old: Utf8PathBuf,
    /// The second archive or folder
    #[arg(value_name = "NEW", value_parser = path())]
    pub(crate) new: Utf8PathBuf,
    /// The layout of an ambiguous archive
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    #[command(flatten)]
    pub(crate) nested: Nested,
    #[command(flatten)]
    pub(crate) decode: Decode,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

/// Write a row for every entry of every archive, for databases and spreadsheets
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak catalog mods -o mods.jsonl
  quakefs pak catalog mods -o mods.jsonl --update
  quakefs pak catalog --nested downloads -o downloads.parquet
  quakefs pak catalog --from list.txt --format parquet -o catalog/
  duckdb -c \"SELECT archive FROM 'mods.jsonl' WHERE name = 'maps/start.bsp'\"

docs/archives.md lists the columns. Their types are the same in every row. The hash is XXH3-128, as xxh128sum prints it, or BLAKE3, as \
b3sum does. An empty or unreadable archive has one row without an entry.")]
pub(crate) struct Catalog {
    #[command(flatten)]
    pub(crate) archives: ListedArchives,
    #[command(flatten)]
    pub(crate) nested: Nested,
    #[command(flatten)]
    pub(crate) strict: Strict,
    /// The file to write; - is standard output, as without it; FOLDER/ is a folder of several files
    #[arg(short, long, value_name = "FILE", value_parser = path())]
    pub(crate) output: Option<Utf8PathBuf>,
    /// How many archives each file of FOLDER/ describes
    #[arg(hide_short_help = true, long, value_name = "N", requires = "output", default_value = "10000")]
    pub(crate) per_file: NonZeroUsize,
    /// The format [default: by the extension of FILE, else jsonl]
    #[arg(long, value_name = "FORM", value_parser = catalog_formats())]
    pub(crate) format: Option<CatalogFormat>,
    /// Keep the rows of FILE for archives with the same size and modification time
    #[arg(long, requires = "output")]
    pub(crate) update: bool,
    /// Replace FILE if it exists
    #[arg(long, requires = "output", conflicts_with = "update")]
    pub(crate) overwrite: bool,
    /// Also hash each content and each whole archive with these, separated by commas: sha256, md5, crc32
    #[arg(long = "hash", value_name = "SUMS", value_delimiter = ',', value_parser = sums())]
    pub(crate) sums: Vec<DigestKind>,
    /// Read only the directories of archives, which is fast, and write no hash
    #[arg(long, conflicts_with_all = ["sums", "blake3"])]
    pub(crate) no_hash: bool,
    /// Write TEXT before the path of each archive, such as disk1/
    #[arg(hide_short_help = true, long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) prefix: String,
    #[command(flatten)]
    pub(crate) digests: Digests,
}

/// How contents are hashed.
#[derive(Args, Debug)]
pub(crate) struct Digests {
    /// Hash with BLAKE3, which is safe against forged collisions, instead of XXH3-128
    #[arg(hide_short_help = true, long)]
    pub(crate) blake3: bool,
    #[command(flatten)]
    pub(crate) decode: Decode,
}

/// Merge archives: files of a later one replace files of an earlier one
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak merge -o all.pak pak0.pak pak1.pak pak2.pak
  quakefs --engine quakespasm pak merge -o mymod.pak mymod
  quakefs pak merge -o all.wad brick.wad maps/start.bsp
  quakefs pak merge --dry-run -o all.pak a.pak b.pak

A file of a later PATH replaces a file with the same name of an earlier PATH. A folder with id1 in it is a game, and any other \
folder is a game directory: the command merges the files that the engine would load from it. If a folder contains only archives, \
and none that the engine loads, all of them are merged in the order of their names.")]
pub(crate) struct Merge {
    /// The archive to create; - is standard output, as a PACK archive
    #[arg(short, long, value_name = "OUT", value_parser = path())]
    pub(crate) output: Utf8PathBuf,
    /// Archives, game directories and games, the lowest first
    #[arg(value_name = "PATH", required = true, value_parser = path())]
    pub(crate) paths: Vec<Utf8PathBuf>,
    /// The layout of the new archive [default: a ZIP for OUT.pk3, a WAD for OUT.wad, sin for OUT.sin, else
    /// quake]
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// The layout of ambiguous archives
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) from: Option<Layout>,
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    #[command(flatten)]
    pub(crate) wad: NewWad,
    /// Replace OUT if it exists
    #[arg(long)]
    pub(crate) overwrite: bool,
    #[command(flatten)]
    pub(crate) decode: Decode,
    /// List what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

/// Whether an archive that cannot be read makes a command over several archives fail.
#[derive(Args, Debug)]
pub(crate) struct Strict {
    /// Exit with 2 if one of several archives cannot be read, even if the others gave an answer
    #[arg(long)]
    pub(crate) strict: bool,
}

/// Whether archives inside archives count.
#[derive(Args, Debug)]
pub(crate) struct Nested {
    /// Search archives inside archives too, such as the paks in a downloaded ZIP
    #[arg(long)]
    pub(crate) nested: bool,
}

/// Archives, and folders to search for archives.
#[derive(Args, Debug)]
pub(crate) struct Archives {
    /// The layout of an ambiguous archive
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// An archive, or a folder to search for archives; may be repeated
    #[arg(value_name = "PATH", required = true, value_parser = path())]
    pub(crate) paths: Vec<Utf8PathBuf>,
}

/// Archives, and folders to search for archives, from the command line and from a list.
#[derive(Args, Debug)]
pub(crate) struct ListedArchives {
    /// The layout of an ambiguous archive
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// An archive, or a folder to search for archives; may be repeated
    #[arg(value_name = "PATH", required_unless_present = "from", value_parser = path())]
    pub(crate) paths: Vec<Utf8PathBuf>,
    /// Also read paths from LIST, one in each line; - is standard input
    #[arg(long, value_name = "LIST", value_parser = path())]
    pub(crate) from: Option<Utf8PathBuf>,
    /// The paths in LIST end with NUL instead, as from `find -print0`
    #[arg(hide_short_help = true, short = '0', long, requires = "from")]
    pub(crate) null: bool,
}

/// Archives, folders to search for archives, and names in the archives.
#[derive(Args, Debug)]
pub(crate) struct NamedArchives {
    /// The layout of an ambiguous archive
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// An archive, or a folder to search for archives; may be repeated. Then names and patterns
    #[arg(value_name = "PATH", required_unless_present = "after_dashes", value_parser = word())]
    words: Vec<OsString>,
    /// A name in the archives, or a glob for names; may be repeated
    #[arg(value_name = "NAME|PATTERN", last = true)]
    after_dashes: Vec<OsString>,
}

impl NamedArchives {
    /// The paths and the names. `is_entry` tells whether the first archive of the paths has an entry of this
    /// name.
    pub(crate) fn split(
        &self,
        mut is_entry: impl FnMut(&Path, &OsStr) -> bool,
    ) -> (Vec<PathBuf>, Vec<&OsStr>) {
        // all arguments after -- are names, except the first argument
        let (words, rest) = match (self.words.as_slice(), self.after_dashes.as_slice()) {
            ([], [first, rest @ ..]) => (std::slice::from_ref(first), rest),
            both => both,
        };
        let mut count = 0;
        let mut paths: Vec<PathBuf> = Vec::new();
        for word in words {
            let expanded = expanded(Path::new(word), None);
            let is_path = match paths.iter().find(|path| !path.is_dir()) {
                _ if count == 0 => true,
                None => expanded.iter().all(|path| path.is_dir() || is_archive(path)),
                Some(archive) => expanded.iter().all(is_archive) && !is_entry(archive, word),
            };
            if !is_path {
                break;
            }
            count += 1;
            paths.extend(expanded);
        }
        let names = words.get(count..).unwrap_or_default();
        (paths, names.iter().chain(rest).map(OsString::as_os_str).collect())
    }
}

/// The files and folders to put into an archive, each with the folder that its name is relative to.
#[derive(Debug)]
pub(crate) struct Inputs(pub(crate) Vec<Input>);

/// Paths whose names are relative to one folder.
#[derive(Debug, Default)]
pub(crate) struct Input {
    /// `None` is the current folder.
    pub(crate) root: Option<Utf8PathBuf>,
    pub(crate) paths: Vec<Utf8PathBuf>,
}

#[derive(Args, Debug)]
struct InputWords {
    /// Files and folders; for add, - is standard input and needs --as
    #[arg(value_name = "PATH", required = true, value_parser = path())]
    paths: Vec<Utf8PathBuf>,
    /// Paths after it, and their names in the archive, are relative to this folder; a second -C is relative
    /// to the first
    #[arg(short = 'C', value_name = "DIR", value_parser = path())]
    root: Vec<Utf8PathBuf>,
}

impl Args for Inputs {
    fn augment_args(command: clap::Command) -> clap::Command {
        InputWords::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        InputWords::augment_args_for_update(command)
    }
}

impl clap::FromArgMatches for Inputs {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        let places = |id| matches.indices_of(id).into_iter().flatten();
        let places: Vec<_> = places("root")
            .map(|place| (place, true))
            .chain(places("paths").map(|place| (place, false)))
            .collect();
        let InputWords { paths, root } = InputWords::from_arg_matches(matches)?;
        let words = root.into_iter().chain(paths);
        let mut words: Vec<_> = places.into_iter().zip(words).collect();
        words.sort_by_key(|((place, _), _)| *place);
        let mut inputs = vec![Input::default()];
        for ((_, is_root), word) in words {
            match inputs.last_mut() {
                Some(Input { root, paths }) if is_root && paths.is_empty() => {
                    *root = Some(root.take().unwrap_or_default().join(word));
                }
                Some(last) if is_root => {
                    let root = Some(last.root.clone().unwrap_or_default().join(word));
                    inputs.push(Input { root, paths: Vec::new() });
                }
                Some(last) => last.paths.push(word),
                None => {}
            }
        }
        match inputs.last() {
            Some(Input { root: Some(root), paths }) if paths.is_empty() => {
                let text = format!("-C {root}: expected a path after it, as in `-C {root} .`\n");
                Err(clap::Error::raw(clap::error::ErrorKind::MissingRequiredArgument, text))
            }
            _ => Ok(Inputs(inputs)),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Inputs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Inputs {
    /// All paths, in order.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Utf8PathBuf> {
        self.0.iter().flat_map(|input| &input.paths)
    }
}

/// Which files to put into an archive.
#[derive(Args, Debug)]
pub(crate) struct Packing {
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    /// Also add files that no game loads: saved games, backups of editors, files of the system
    #[arg(long)]
    pub(crate) all: bool,
    /// List what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// How payloads are compressed.
#[derive(Args, Debug)]
pub(crate) struct Encoding {
    /// ZIP: 0 stores, 9 is the smallest [default: 6]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(0..=9))]
    pub(crate) level: Option<u32>,
    /// Daikatana: find the shortest form of each file, at a tenth of the speed
    #[arg(long)]
    pub(crate) smallest: bool,
    /// Daikatana: let a copy overlap itself; smaller, but pakextract and TrenchBroom decode it wrongly
    #[arg(hide_short_help = true, long)]
    pub(crate) allow_overlap: bool,
}

/// How to convert pictures to textures of a WAD.
#[derive(Args, Debug)]
pub(crate) struct Textures {
    /// WAD: the palette of 256 colours, such as gfx/palette.lmp [default: the palette of Quake]
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub(crate) palette: Option<Utf8PathBuf>,
}

/// The kind of a new WAD, and how to convert pictures to its textures.
#[derive(Args, Debug)]
pub(crate) struct NewWad {
    /// WAD: make one for Quake [default: the version of the WAD that the files are from, else this]
    #[arg(long, conflicts_with = "wad3")]
    wad2: bool,
    /// WAD: make one for Half-Life, in which each texture has its palette
    #[arg(long)]
    wad3: bool,
    #[command(flatten)]
    pub(crate) textures: Textures,
}

impl NewWad {
    /// The version of the options.
    pub(crate) fn version(&self) -> Option<WadVersion> {
        let of_wad2 = self.wad2.then_some(WadVersion::Wad2);
        of_wad2.or(self.wad3.then_some(WadVersion::Wad3))
    }
}

/// Create an archive from files and folders
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak create pak0.pak -C mymod progs.dat maps sound
  quakefs pak create textures.pak --layout daikatana --smallest -C build textures
  quakefs pak create mymod.pk3 -C mymod .
  quakefs pak create mymod.pak -C ~/src/maps maps -C ~/src/qc progs.dat
  quakefs pak create mymod.wad textures

A WAD contains pictures. A PNG becomes a texture with its three smaller copies; a file named .pic.png becomes a picture for the status \
bar. The command reports colours that are not in the palette. The entry gets the name of the file, with at most 15 bytes; \
#lava1.png becomes *lava1.

A folder that `pak extract` made of a WAD becomes the same WAD: a PNG that was not changed gives the same bytes, and font0.0x46.lmp \
becomes font0 of type 0x46.

`quakefs pack` packs what a level needs instead.

Names are relative to the -C before them, or to the current folder. Files of a folder are added in byte order of their names.
Symbolic links are reported and skipped. Without --all, so are files that no game loads, such as Thumbs.db, *~, *.bak and saved
games.")]
pub(crate) struct Create {
    /// The archive to create
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The layout [default: a ZIP for FILE.pk3, a WAD for FILE.wad, sin for FILE.sin, else quake]
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// Sort the entries by name, in byte order
    #[arg(long)]
    pub(crate) sort: bool,
    /// Replace FILE if it exists
    #[arg(long)]
    pub(crate) overwrite: bool,
    #[command(flatten)]
    pub(crate) packing: Packing,
    #[command(flatten)]
    pub(crate) wad: NewWad,
}

/// Add files to an archive
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak add pak0.pak -C mymod maps/new.bsp
  echo exec default.cfg | quakefs pak add pak0.pak - --as quake.rc --overwrite")]
pub(crate) struct Add {
    /// The archive
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The name for the entry, if one file is added
    #[arg(long = "as", value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Replace existing entries
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// The layout, if the archive is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    #[command(flatten)]
    pub(crate) packing: Packing,
    #[command(flatten)]
    pub(crate) textures: Textures,
}

/// Open an entry in your editor, and put the changed file back
#[derive(Args, Debug)]
#[command(after_help = "\
Example: quakefs pak edit pak0.pak quake.rc

The editor is the program in the variable VISUAL, or else in EDITOR, perhaps with options, such as `code --wait`; on Windows it is \
Notepad without them. If the editor fails or changes nothing, the archive stays as it is.

Exit codes: 0 done, or nothing was changed; 1 not found; 2 wrong use or a failure.")]
pub(crate) struct Edit {
    /// The archive
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    /// The name of the entry
    #[arg(value_name = "NAME", value_parser = word())]
    pub(crate) name: OsString,
    /// The layout, if the archive is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
}

/// Remove entries from an archive; their bytes stay in it until a repack
#[derive(Args, Debug)]
#[command(after_help = "Example: quakefs pak remove pak0.pak \"maps/old*.bsp\" notes.txt")]
pub(crate) struct Remove {
    /// The archive
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    /// Names or globs; * stops at /, ** does not
    #[arg(value_name = "PATTERN", required = true, value_parser = pattern())]
    pub(crate) patterns: Vec<String>,
    /// The layout, if the archive is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// Show what would be done, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Rename an entry, a folder, or all entries that match a pattern
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak rename pak0.pak maps/START.BSP maps/start.bsp
  quakefs pak rename pak0.pak maps/ levels/
  quakefs pak rename pak0.pak \"sound/*.WAV\" \"sound/*.wav\"
  quakefs pak rename pak0.pak \"*.bsp\" maps/

Each * of NEW is what the same * of OLD stands for; * stops at /, ** does not. Into a NEW that ends with / the entries go with their \
file names.")]
pub(crate) struct Rename {
    /// The archive
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    /// The old name, a folder, or a pattern with *
    #[arg(value_name = "OLD")]
    pub(crate) old: OsString,
    /// The new name
    #[arg(value_name = "NEW")]
    pub(crate) new: OsString,
    /// The layout, if the archive is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// Show what would be done, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Rewrite an archive without unused bytes, or in another layout
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak repack pak0.pak
  quakefs pak repack mymod.pk3 --level 9
  quakefs pak repack pak0.pak -o small.pak --layout daikatana --smallest")]
pub(crate) struct Repack {
    /// The archive
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    /// Write the new archive to this file instead of FILE; - is standard output
    #[arg(short, long, value_name = "OUT", value_parser = path())]
    pub(crate) output: Option<Utf8PathBuf>,
    /// Replace OUT if it exists
    #[arg(long, requires = "output")]
    pub(crate) overwrite: bool,
    /// The layout of the new archive [default: the same]
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// The layout of FILE, if it is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) from: Option<Layout>,
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    /// Show what would be done, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Convert an archive to another kind, such as a pak to a pk3
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak convert pak0.pak -o pak0.pk3
  quakefs pak convert mymod.pk3 -o pak0.pak
  quakefs pak convert maps/start.bsp -o start.wad

The extension of OUT determines its kind. Entries keep their order and names. A WAD made from a level contains its textures unchanged.")]
pub(crate) struct Convert {
    /// The archive
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    /// The archive to create; - is standard output, as a PACK archive
    #[arg(short, long, value_name = "OUT", value_parser = path())]
    pub(crate) output: Utf8PathBuf,
    /// The layout of OUT, unless it is a ZIP [default: by the extension]
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// The layout of FILE, if it is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) from: Option<Layout>,
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    #[command(flatten)]
    pub(crate) wad: NewWad,
    /// Replace OUT if it exists
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Show what would be done, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) decode: Decode,
}

/// The command line that lists an archive, for a suggestion.
pub(crate) fn suggest_list(file: &Utf8Path, layout: Option<Layout>) -> String {
    let layout = layout.map(|layout| ["--layout", layout.name()]);
    let words = ["quakefs", "pak", "list"].into_iter().chain(layout.into_iter().flatten());
    command_line(words.chain([file.as_str()]))
}
