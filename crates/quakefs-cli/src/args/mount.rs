//! The arguments of `quakefs mount`.

use camino::Utf8PathBuf;
use clap::Args;

use super::GameArgs;
use super::value::path;

/// Mount the merged tree as a read-only folder for other programs, until Ctrl-C
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod mount merged             the mod over the game, for an editor or a search
  quakefs --engine darkplaces mount --layers all

Changes to loose files show at once, changes to archives within a second.
Press Ctrl-C or unmount the folder to end it: `umount DIR`, `fusermount3 -u DIR`.
Users other than root need fusermount3 from the package fuse3.
Exit codes: 0 the folder was mounted, 1 the engine would not start, 2 wrong use or a failure.")]
pub(crate) struct Mount {
    /// An empty folder outside the game; created if it is missing, and removed afterwards
    #[arg(value_name = "DIR", value_parser = path())]
    pub(crate) folder: Utf8PathBuf,
    /// Show a folder for each layer, highest first, instead of the merged tree
    #[arg(long)]
    pub(crate) layers: bool,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}
