//! `pak`: archives without a game.

mod against;
mod cat;
mod catalog;
mod convert;
mod diff;
mod duplicates;
mod edit;
mod extract;
mod find;
mod grep;
mod info;
mod list;
mod merge;
mod rename;
mod selection;
mod verify;
mod wad;
pub(super) mod write;
mod written;

use crate::args::{Pak, Verify};
use crate::console::{Console, Exit, Failure};

pub(crate) fn run(command: &Pak, console: &mut Console<'_>) -> Result<Exit, Failure> {
    match command {
        Pak::List(args) => list::run(args, console),
        Pak::Info(args) => info::run(&args.archives, &args.strict, console),
        Pak::Cat(args) => cat::run(&args.archives, args.entry, &args.strict, console),
        Pak::Extract(args) => extract::run(args, console),
        Pak::Find(args) => find::run(args, console),
        Pak::Grep(args) => grep::run(args, console),
        Pak::Diff(args) => diff::run(args, console),
        Pak::Duplicates(args) if args.names => duplicates::names(args, console),
        Pak::Duplicates(args) => duplicates::run(args, console),
        Pak::Catalog(args) => catalog::run(args, console),
        Pak::Verify(Verify { against: Some(list), archives, long, decode, .. }) => {
            against::run(archives, list, *long, decode, console)
        }
        Pak::Verify(args) => verify::run(args, console),
        Pak::Create(args) => write::create(args, console),
        Pak::Merge(args) => merge::run(args, console),
        Pak::Add(args) => write::add(args, console),
        Pak::Edit(args) => edit::run(args, console),
        Pak::Remove(args) => write::remove(args, console),
        Pak::Rename(args) => rename::run(args, console),
        Pak::Repack(args) => write::repacked(args, console),
        Pak::Convert(args) => convert::run(args, console),
    }
}
