//! The arguments of `quakefs mount`.

use camino::Utf8PathBuf;
use clap::Args;

use super::value::path;
use super::{Game, Printing};

/// Show the merged tree as a read-only folder that every program can open, until Ctrl-C
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod mount merged             the mod over the game, for an editor or a search
  quakefs --engine darkplaces mount --layers all

Loose files that change show at once, archives within a second.
It runs until Ctrl-C, or until the folder is unmounted: `umount DIR`, `fusermount3 -u DIR`.
Users other than root need fusermount3, of the package fuse3.
Exit codes: 0 it was mounted, 1 the engine would not start, 2 wrong use or a failure.")]
pub(crate) struct Mount {
    /// An empty folder outside of the game; made if it is not there, and removed afterwards
    #[arg(value_name = "DIR", value_parser = path())]
    pub(crate) folder: Utf8PathBuf,
    /// A folder for each layer, the highest first, instead of the merged tree
    #[arg(long)]
    pub(crate) layers: bool,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}
