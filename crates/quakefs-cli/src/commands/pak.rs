//! `pak`: archives without a game.

mod asked;
mod cat;
mod catalog;
mod diff;
mod duplicates;
mod extract;
mod find;
mod info;
mod list;
mod merge;
mod verify;
mod write;
mod written;

use crate::args::{Game, Pak};
use crate::console::{Console, Exit, Failure};

pub(crate) fn run(command: &Pak, game: &Game, console: &mut Console<'_>) -> Result<Exit, Failure> {
    game.refuse_for_pak(matches!(command, Pak::Diff(_) | Pak::Merge(_)))?;
    let json = game.json;
    match command {
        Pak::List(args) => list::run(args, json, console),
        Pak::Info { archives } => info::run(archives, json, console),
        Pak::Cat { archives, entry } => cat::run(archives, *entry, json, console),
        Pak::Extract { archives, output, writing } => {
            extract::run(archives, output.as_deref(), writing, json, console)
        }
        Pak::Find(args) => find::run(args, json, console),
        Pak::Diff(args) => diff::run(args, game, console),
        Pak::Duplicates { archives, digests } => duplicates::run(archives, digests, json, console),
        Pak::Catalog(args) => catalog::run(args, json, console),
        Pak::Verify { archives, long, deep, decode } => {
            verify::run(archives, *long, *deep, decode, json, console)
        }
        Pak::Create(args) => write::create(args, json, console),
        Pak::Merge(args) => merge::run(args, game, console),
        Pak::Add(args) => write::add(args, json, console),
        Pak::Remove(args) => write::remove(args, json, console),
        Pak::Rename(args) => write::rename(args, json, console),
        Pak::Repack(args) => write::repacked(args, json, console),
    }
}
