//! The arguments of `quakefs pak`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use camino::{Utf8Path, Utf8PathBuf};
use clap::{Args, Subcommand};
use quakefs::Layout;
use quakefs_archives::{CatalogFormat, Digest, DigestKind, WadVersion, is_archive};

use super::value::{catalog_formats, layouts, path, sums, word};
use super::{Decode, EngineChoice, NamesAlone, Printing, Writing, expanded};
use crate::text::command_line;

/// The examples of a command, and how PATHs and NAMEs are told apart. A paragraph is one line, which the help wraps.
macro_rules! names_after_paths {
    ($examples:literal) => {
        concat!(
            $examples,
            "\n\n",
            "PATHs come first: the first argument is one, and so is each that follows as long as it is an archive, by its \
             extension or its first bytes, or, after folders alone, a folder. Everything from the first other argument on, \
             or after --, is a NAME or a PATTERN.\n\n",
            "A name that is spelled exactly so goes before a pattern, a folder's name means all below it, and in a pattern \
             * stops at /, ** does not."
        )
    };
}

/// Look at archives, make and change them, without a game
#[derive(Args, Debug)]
pub(crate) struct PakGroup {
    #[command(subcommand)]
    pub(crate) command: Pak,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Pak {
    #[command(visible_aliases = ["ls", "l"])]
    List(List),
    Info(Info),
    Cat(Cat),
    #[command(visible_alias = "x")]
    Extract(Extract),
    Find(Find),
    Diff(Diff),
    Duplicates(Duplicates),
    Catalog(Catalog),
    Verify(Verify),
    Create(Create),
    Merge(Merge),
    #[command(visible_alias = "a")]
    Add(Add),
    #[command(visible_alias = "rm")]
    Remove(Remove),
    #[command(visible_alias = "mv")]
    Rename(Rename),
    Repack(Repack),
    Convert(Convert),
}

/// Say what kind of archive it is and what it holds
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak info pak0.pak
  quakefs pak info mods")]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) archives: Archives,
    #[command(flatten)]
    pub(crate) printing: Printing,
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
    /// The entry's number instead of a name
    #[arg(long, value_name = "N")]
    pub(crate) entry: Option<usize>,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// Write the entries, or those that match, to a folder
#[derive(Args, Debug)]
#[command(
    override_usage = "quakefs pak extract [OPTIONS] <PATH>... [NAME|PATTERN]...",
    after_help = names_after_paths!("\
Examples:
  quakefs pak extract pak0.pak
  quakefs pak extract pak0.pak \"progs/*.mdl\" -o models --overwrite
  quakefs pak extract mods -o unpacked
  quakefs pak extract textures.wad
  quakefs pak extract maps/start.bsp -o textures

Of a WAD, and of the textures inside a level, each texture is written as a PNG, as other tools do: *lava1 as #lava1.png, which \
engines take in its place. --raw writes the bytes as they are stored.

Without -o the files of pak0.pak go to ./pak0. Several archives have a folder each, also below -o, by their paths \
below the folder that they share."))]
pub(crate) struct Extract {
    #[command(flatten)]
    pub(crate) archives: NamedArchives,
    /// The folder to write to; made if it is not there [default: one named after the archive]
    #[arg(short, long, value_name = "DIR", value_parser = path())]
    pub(crate) output: Option<Utf8PathBuf>,
    /// WADs and levels: the entries as they are stored, and not as pictures
    #[arg(long)]
    pub(crate) raw: bool,
    /// WADs and levels: the 256 colours, such as gfx/palette.lmp [default: those of the texture or the WAD, else of Quake]
    #[arg(long, value_name = "FILE", value_parser = path(), conflicts_with = "raw")]
    pub(crate) palette: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub(crate) writing: Writing,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// List the contents that are in several places, and the bytes that they waste
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak duplicates mods
  quakefs pak duplicates --json --blake3 id1/pak0.pak mymod/pak0.pak
  quakefs pak duplicates --names textures maps/*.bsp

With --names it is the other way round: names that stand for several contents, as textures of one name with different pixels do.")]
pub(crate) struct Duplicates {
    /// List instead the names that stand for different contents: textures by their pixels, names without case
    #[arg(long)]
    pub(crate) names: bool,
    #[command(flatten)]
    pub(crate) archives: Archives,
    #[command(flatten)]
    pub(crate) digests: Digests,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// List everything that is odd or wrong about archives
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak verify pak0.pak
  quakefs pak verify mods
  quakefs pak verify --deep /media/cdrom/id1/pak0.pak
  quakefs pak verify --json mod/textures.pk3
  quakefs pak verify --against SHA256SUMS mods

Of one archive everything is listed, of several one verdict a line, and with --long everything.

Compressed entries are decoded, and those of a ZIP are compared with their checksums. Stored entries of a PACK have no
checksum: their rows are checked, and --deep reads their bytes too.

A name of a list is that of an archive, by its path or by a file name that one archive has, or else that of entries.

Exit codes: 0 nothing worse than notes, 1 there are warnings or errors, 2 wrong use or a failure.")]
pub(crate) struct Verify {
    /// Everything about each of several archives
    #[arg(short, long)]
    pub(crate) long: bool,
    /// Read every byte of the archives, which finds places that a disk cannot read
    #[arg(long)]
    pub(crate) deep: bool,
    /// Compare with the sums of a list instead: those of sha256sum, md5sum or .sfv, of archives or of entries
    #[arg(long, value_name = "LIST", value_parser = path(), conflicts_with = "deep")]
    pub(crate) against: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub(crate) archives: Archives,
    #[command(flatten)]
    pub(crate) decode: Decode,
    #[command(flatten)]
    pub(crate) printing: Printing,
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
    /// Where each entry is and what it holds too
    #[arg(short, long)]
    pub(crate) long: bool,
    #[command(flatten)]
    pub(crate) names: NamesAlone,
    #[command(flatten)]
    pub(crate) archives: NamedArchives,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// Say which archives hold a file
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak find maps/start.bsp mods
  quakefs pak find -i \"**/*.bsp\" mods /media/cdrom
  quakefs pak find \"**\" --hash 99aa06d3014798d86001c324468d497f mods
  quakefs pak find --archives -0 progs.dat mods | xargs -0 ls -l
  quakefs pak find --nested maps/start.bsp ~/Downloads

A name that is spelled exactly so goes before a pattern, in each archive. A folder's name means all below it.

Exit codes: 0 found, 1 in none of them, 2 wrong use, or an archive that cannot be read.")]
#[expect(clippy::struct_excessive_bools, reason = "they are the flags of the command")]
pub(crate) struct Find {
    /// A name, or a glob over the names
    #[arg(value_name = "NAME|PATTERN")]
    pub(crate) name: OsString,
    /// Find names in upper and lower case alike
    #[arg(short, long)]
    pub(crate) ignore_case: bool,
    /// Only files whose content has this hash: XXH3-128 or BLAKE3, as a catalog has it, or sha256:, md5: or crc32: and the digits
    #[arg(long, value_name = "HASH")]
    pub(crate) hash: Option<Digest>,
    /// Search the archives within archives too, such as the paks of a ZIP as downloaded
    #[arg(long)]
    pub(crate) nested: bool,
    /// Print the archives alone, each once, one a line
    #[arg(long = "archives")]
    pub(crate) archives_alone: bool,
    /// End each archive with a NUL instead of a line end, its bytes as they are; implies --archives
    #[arg(short = '0', long)]
    pub(crate) null: bool,
    #[command(flatten)]
    pub(crate) archives: Archives,
    #[command(flatten)]
    pub(crate) decode: Decode,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// Say what differs between two archives, folders or games
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak diff old/pak0.pak new/pak0.pak
  quakefs pak diff mymod-1.0 mymod
  quakefs --engine quakespasm pak diff ~/quake ~/quake-new

Of an archive every entry counts. A folder is taken as a game directory, or as a game where it holds id1: what the \
engine would serve of it counts.

Exit codes: 0 they are the same, 1 they differ, 2 wrong use, or a file that cannot be read.")]
pub(crate) struct Diff {
    /// An archive, a game directory or a folder that holds id1
    #[arg(value_name = "OLD", value_parser = path())]
    pub(crate) old: Utf8PathBuf,
    /// Another one
    #[arg(value_name = "NEW", value_parser = path())]
    pub(crate) new: Utf8PathBuf,
    /// The layout, where an archive is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    #[command(flatten)]
    pub(crate) decode: Decode,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) engine: EngineChoice,
}

/// Write a row for every entry of every archive, for databases and spreadsheets
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak catalog mods -o mods.jsonl
  quakefs pak catalog mods -o mods.jsonl --update
  duckdb -c \"SELECT archive FROM 'mods.jsonl' WHERE name = 'maps/start.bsp'\"

Columns: archive, archive_size, archive_modified (nanoseconds since 1970), layout, entry, name, offset, stored_size, \
size, method, content_type, hash (32 digits of XXH3-128, as xxh128sum prints it, or 64 of BLAKE3, as b3sum does), fault; with --hash \
also sha256, archive_sha256 and so on. An archive without entries, or one that cannot be opened, has one row without an entry.")]
pub(crate) struct Catalog {
    #[command(flatten)]
    pub(crate) archives: Archives,
    /// The file to write, instead of standard output
    #[arg(short, long, value_name = "FILE", value_parser = path())]
    pub(crate) output: Option<Utf8PathBuf>,
    /// The form [default: by the extension of FILE, else jsonl]
    #[arg(long, value_name = "FORM", value_parser = catalog_formats())]
    pub(crate) format: Option<CatalogFormat>,
    /// Keep the rows of FILE for archives of the same size and time
    #[arg(long, requires = "output")]
    pub(crate) update: bool,
    /// Replace FILE if it is there
    #[arg(long, requires = "output", conflicts_with = "update")]
    pub(crate) overwrite: bool,
    /// Sums that other programs know, of each content and of each archive as a whole, apart by commas: sha256, md5, crc32
    #[arg(long = "hash", value_name = "SUMS", value_delimiter = ',', value_parser = sums())]
    pub(crate) sums: Vec<DigestKind>,
    #[command(flatten)]
    pub(crate) digests: Digests,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// How contents are hashed.
#[derive(Args, Debug)]
pub(crate) struct Digests {
    /// Hash with BLAKE3, which nobody can make a second content for, instead of XXH3-128
    #[arg(long)]
    pub(crate) blake3: bool,
    #[command(flatten)]
    pub(crate) decode: Decode,
}

/// Make an archive of several: later over earlier, as an engine would serve them
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak merge -o all.pak pak0.pak pak1.pak pak2.pak
  quakefs --engine quakespasm pak merge -o mymod.pak mymod
  quakefs pak merge -o all.wad brick.wad maps/start.bsp
  quakefs pak merge --dry-run -o all.pak a.pak b.pak

A file of a later PATH takes the place of one of the same name of an earlier PATH. A folder is taken as a game \
directory, or as a game where it holds id1: what the engine would serve of it counts. Of a folder that holds archives \
alone, and none that the engine loads, all are merged in the order of their names.")]
pub(crate) struct Merge {
    /// The archive to make
    #[arg(short, long, value_name = "OUT", value_parser = path())]
    pub(crate) output: Utf8PathBuf,
    /// Archives, game directories and games, the lowest first
    #[arg(value_name = "PATH", required = true, value_parser = path())]
    pub(crate) paths: Vec<Utf8PathBuf>,
    /// The layout of the new archive [default: a ZIP for OUT.pk3, a WAD for OUT.wad, sin for OUT.sin, else quake]
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// The layout of the archives, where it is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) from: Option<Layout>,
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    #[command(flatten)]
    pub(crate) wad: NewWad,
    /// Replace OUT if it is there
    #[arg(long)]
    pub(crate) overwrite: bool,
    #[command(flatten)]
    pub(crate) decode: Decode,
    /// Say what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) engine: EngineChoice,
}

/// Archives and folders of them.
#[derive(Args, Debug)]
pub(crate) struct Archives {
    /// The layout, where an archive is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// An archive, or a folder that is searched for archives; may be given again
    #[arg(value_name = "PATH", required = true, value_parser = path())]
    pub(crate) paths: Vec<Utf8PathBuf>,
}

/// Archives and folders of them, and names in them.
#[derive(Args, Debug)]
pub(crate) struct NamedArchives {
    /// The layout, where an archive is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// An archive, or a folder that is searched for archives; may be given again. Then names and patterns
    #[arg(value_name = "PATH", required_unless_present = "after_dashes", value_parser = word())]
    words: Vec<OsString>,
    /// A name in the archives, or a glob over the names; may be given again
    #[arg(value_name = "NAME|PATTERN", last = true)]
    after_dashes: Vec<OsString>,
}

impl NamedArchives {
    /// The paths and the names.
    pub(crate) fn split(&self) -> (Vec<PathBuf>, Vec<&OsStr>) {
        // after -- there are names alone, but for the first argument
        let (words, rest) = match (self.words.as_slice(), self.after_dashes.as_slice()) {
            ([], [first, rest @ ..]) => (std::slice::from_ref(first), rest),
            both => both,
        };
        let (mut count, mut folders_alone) = (0, true);
        let mut paths = Vec::new();
        for word in words {
            let expanded = expanded(Path::new(word), None);
            let are_folders = expanded.iter().all(|path| path.is_dir());
            let are_archives = || expanded.iter().all(is_archive);
            if count > 0 && !(are_folders && folders_alone) && !are_archives() {
                break;
            }
            folders_alone &= are_folders;
            count += 1;
            paths.extend(expanded);
        }
        let names = words.get(count..).unwrap_or_default();
        (paths, names.iter().chain(rest).map(OsString::as_os_str).collect())
    }
}

/// The files and folders that are put into an archive, each with the folder that its name is relative to.
#[derive(Debug)]
pub(crate) struct Inputs(pub(crate) Vec<Input>);

/// Paths that are named below one folder.
#[derive(Debug, Default)]
pub(crate) struct Input {
    /// The current one where none is given.
    pub(crate) root: Option<Utf8PathBuf>,
    pub(crate) paths: Vec<Utf8PathBuf>,
}

#[derive(Args, Debug)]
struct InputWords {
    /// Files and folders; for add, - is standard input, with --as
    #[arg(value_name = "PATH", required = true, value_parser = path())]
    paths: Vec<Utf8PathBuf>,
    /// The folder that the names of the paths after it are relative to; may be given again, from the folder before
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
                let text = format!("-C {root}: no path stands after it, as in `-C {root} .`\n");
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
    /// All paths, in their order.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Utf8PathBuf> {
        self.0.iter().flat_map(|input| &input.paths)
    }
}

/// What is taken of files and folders that are put into an archive, and how.
#[derive(Args, Debug)]
pub(crate) struct Packing {
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    /// Take what no game asks for too: saved games, and what editors and systems leave in folders
    #[arg(long)]
    pub(crate) all: bool,
    /// Say what would be written, and write nothing
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
    #[arg(long)]
    pub(crate) allow_overlap: bool,
}

/// How pictures become textures of a WAD.
#[derive(Args, Debug)]
pub(crate) struct Textures {
    /// WAD: the 256 colours, such as gfx/palette.lmp [default: those of Quake]
    #[arg(long, value_name = "FILE", value_parser = path())]
    pub(crate) palette: Option<Utf8PathBuf>,
}

/// Which WAD is made, and how pictures become textures of it.
#[derive(Args, Debug)]
pub(crate) struct NewWad {
    /// WAD: one of Half-Life, whose textures have palettes of their own
    #[arg(long)]
    wad3: bool,
    #[command(flatten)]
    pub(crate) textures: Textures,
}

impl NewWad {
    /// The version that is asked for.
    pub(crate) fn version(&self) -> Option<WadVersion> {
        self.wad3.then_some(WadVersion::Wad3)
    }
}

/// Make an archive of files and folders
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak create pak0.pak -C mymod progs.dat maps sound
  quakefs pak create textures.pak --layout daikatana --smallest -C build textures
  quakefs pak create mymod.pk3 -C mymod .
  quakefs pak create mymod.pak -C ~/src/maps maps -C ~/src/qc progs.dat
  quakefs pak create mymod.wad textures

Into a WAD go pictures: a PNG becomes a texture with its three smaller copies, or with a name in .pic.png a picture of the status \
bar, and colours that the palette lacks are reported. Its name is that of the file, of at most 15 bytes; #lava1.png becomes *lava1.

Names are the paths relative to the -C before them, or to the current folder.
What is in a folder comes in byte order.
Symbolic links in it are reported and left out, and so is what no game asks for, such as Thumbs.db, *~, *.bak and saved
games, without --all.")]
pub(crate) struct Create {
    /// The archive to make
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The layout [default: a ZIP for FILE.pk3, a WAD for FILE.wad, sin for FILE.sin, else quake]
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// Put the entries into the byte order of their names
    #[arg(long)]
    pub(crate) sort: bool,
    /// Replace FILE if it is there
    #[arg(long)]
    pub(crate) overwrite: bool,
    #[command(flatten)]
    pub(crate) packing: Packing,
    #[command(flatten)]
    pub(crate) wad: NewWad,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// Put files into an archive
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak add pak0.pak -C mymod maps/new.bsp
  echo 'exec default.cfg' | quakefs pak add pak0.pak - --as quake.rc --replace")]
pub(crate) struct Add {
    /// The archive
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
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
    pub(crate) packing: Packing,
    #[command(flatten)]
    pub(crate) textures: Textures,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// Take files out of an archive; their bytes stay in it until a repack
#[derive(Args, Debug)]
#[command(after_help = "Example: quakefs pak remove pak0.pak \"maps/old*.bsp\" notes.txt")]
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
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// Give an entry another name
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
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// Write an archive anew, without bytes that no entry names, or in another layout
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
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// Write an archive as one of another kind, such as a pak as a pk3
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs pak convert pak0.pak pak0.pk3
  quakefs pak convert mymod.pk3 pak0.pak
  quakefs pak convert maps/start.bsp start.wad

The textures of a level go into a WAD as they are. The extension of OUT says which kind it is. Entries keep their order and their names.")]
pub(crate) struct Convert {
    /// The archive
    #[arg(value_name = "FILE", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    /// The archive to make
    #[arg(value_name = "OUT", value_parser = path())]
    pub(crate) output: Utf8PathBuf,
    /// The layout of OUT, where it is no ZIP [default: that of the extension]
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) layout: Option<Layout>,
    /// The layout of FILE, where it is ambiguous
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub(crate) from: Option<Layout>,
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    #[command(flatten)]
    pub(crate) wad: NewWad,
    /// Replace OUT if it is there
    #[arg(long)]
    pub(crate) overwrite: bool,
    #[command(flatten)]
    pub(crate) decode: Decode,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// The command line that lists an archive, for a suggestion.
pub(crate) fn suggest_list(file: &Utf8Path, layout: Option<Layout>) -> String {
    let layout = layout.map(|layout| ["--layout", layout.name()]);
    let words = ["quakefs", "pak", "list"].into_iter().chain(layout.into_iter().flatten());
    command_line(words.chain([file.as_str()]))
}
