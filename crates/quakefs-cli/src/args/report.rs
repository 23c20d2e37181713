//! The arguments of `quakefs report`.

use camino::Utf8PathBuf;
use clap::Args;

use super::GameArgs;
use super::value::{path, size};

/// Write a page for a browser: layers, conflicts side by side, previews, and findings
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quakefs --game mymod report
  quakefs --engine ironwail --game mymod report -o mymod.html --overwrite
  quakefs --game textures report --max-size 20M

The page is one file that needs no network: open it in a browser, or send it to somebody. It lists every file. Previews
are added up to --max-size: first for conflicts, then for the smallest files.

Exit codes: 0 the page was written, 1 it was written but the engine would not start, 2 wrong use or a failure.")]
pub(crate) struct Report {
    /// The page to write; - is standard output
    #[arg(
        short = 'o',
        long = "output",
        value_name = "FILE",
        default_value = "report.html",
        value_parser = path()
    )]
    pub(crate) file: Utf8PathBuf,
    /// Replace the page if it exists
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// The largest size of the page with previews, such as 20M; 0 adds no previews
    #[arg(long, value_name = "SIZE", default_value = "4700K", value_parser = size)]
    pub(crate) max_size: u64,
    #[command(flatten)]
    pub(crate) game: GameArgs,
}
