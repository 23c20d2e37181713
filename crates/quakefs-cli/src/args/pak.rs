//! The arguments of `quakefs pak`.

use std::ffi::OsString;

use camino::{Utf8Path, Utf8PathBuf};
use clap::{Args, Subcommand};
use quakefs::Layout;

use super::value::{layouts, path};
use super::{Decode, Output};
use crate::text::command_line;

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
Symbolic links in it are reported and left out, and so is what no game asks for, such as Thumbs.db, *~, *.bak and saved
games, without --all.")]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
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
    /// Take what no game asks for too: saved games, and what editors and systems leave in folders
    #[arg(long)]
    pub(crate) all: bool,
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
    /// Take what no game asks for too: saved games, and what editors and systems leave in folders
    #[arg(long)]
    pub(crate) all: bool,
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

/// The command line that lists an archive, for a suggestion.
pub(crate) fn suggest_list(file: &Utf8Path, layout: Option<Layout>) -> String {
    let layout = layout.map(|layout| ["--layout", layout.name()]);
    let words = ["quakefs", "pak", "list"].into_iter().chain(layout.into_iter().flatten());
    command_line(words.chain([file.as_str()]))
}
