//! The arguments of `quakefs report`.

use camino::Utf8PathBuf;
use clap::Args;

use super::value::{path, size};
use super::{Game, Printing};

/// Write a page to look at: layers, conflicts side by side, files with previews, and what is wrong
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod report
  quakefs --engine ironwail --game mymod report -o mymod.html --overwrite
  quakefs --game textures report --max-size 20M

The page is one file that needs no network: open it in a browser, or send it to somebody. It lists every file. Previews
fill it up to its size: those of conflicts first, then the smallest files.

Exit codes: 0 the page is written, 1 the same, and the engine would not start, 2 wrong use or a failure.")]
pub(crate) struct Report {
    /// The page to write; - is standard output
    #[arg(short = 'o', long = "output", value_name = "FILE", default_value = "report.html", value_parser = path())]
    pub(crate) file: Utf8PathBuf,
    /// Replace the page if it is there
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// How large the page may grow by previews, such as 20M; 0 leaves them out
    #[arg(long, value_name = "SIZE", default_value = "4700K", value_parser = size)]
    pub(crate) max_size: u64,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) game: Game,
}
