//! `man`: the manual pages, one for each command.

use clap_mangen::Man;

use crate::args::{ManPages, built};
use crate::console::{Console, Exit, Failure, Message};
use crate::output::counted;
use crate::text::printable;

pub(crate) fn run(args: &ManPages, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let folder = &args.folder;
    let failed = |path: &dyn std::fmt::Display, error| {
        Failure::from(Message::without_help(format!("{path}: cannot be written: {error}")))
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let mut pages = Vec::new();
    collect(built(), &mut pages);
    for page in &pages {
        let path = folder.join(page.get_filename());
        let mut text = Vec::new();
        page.render(&mut text)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|error| failed(&path, error))?;
    }
    let count = counted(pages.len() as u64, "page", "pages");
    writeln!(console.out, "wrote {count} to {}", printable(folder.as_str()))?;
    Ok(Exit::Done)
}

/// Collects the pages of a command and of its subcommands.
fn collect(command: clap::Command, pages: &mut Vec<Man>) {
    let below: Vec<_> =
        command.get_subcommands().filter(|below| below.get_name() != "help").cloned().collect();
    pages.push(Man::new(command.version(env!("CARGO_PKG_VERSION"))));
    for below in below {
        collect(below, pages);
    }
}
