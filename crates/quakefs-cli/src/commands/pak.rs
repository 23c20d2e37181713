//! `pak`: archives without a game.

mod against;
mod cat;
mod catalog;
mod convert;
mod diff;
mod duplicates;
mod extract;
mod find;
mod info;
mod list;
mod merge;
mod selection;
mod unwanted;
mod verify;
mod wad;
pub(super) mod write;
mod written;

use crate::args::{Pak, Verify};
use crate::console::{Console, Exit, Failure};

pub(crate) fn run(command: &Pak, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let json = console.json;
    match command {
        Pak::List(args) => list::run(args, json, console),
        Pak::Info(args) => info::run(&args.archives, json, console),
        Pak::Cat(args) => cat::run(&args.archives, args.entry, json, console),
        Pak::Extract(args) => extract::run(args, json, console),
        Pak::Find(args) => find::run(args, json, console),
        Pak::Diff(args) => diff::run(args, console),
        Pak::Duplicates(args) if args.names => duplicates::names(args, json, console),
        Pak::Duplicates(args) => duplicates::run(&args.archives, &args.digests, json, console),
        Pak::Catalog(args) => catalog::run(args, json, console),
        Pak::Verify(Verify { against: Some(list), archives, long, decode, .. }) => {
            against::run(archives, list, *long, decode, console)
        }
        Pak::Verify(args) => verify::run(&args.archives, args.long, args.deep, &args.decode, json, console),
        Pak::Create(args) => write::create(args, json, console),
        Pak::Merge(args) => merge::run(args, console),
        Pak::Add(args) => write::add(args, json, console),
        Pak::Remove(args) => write::remove(args, json, console),
        Pak::Rename(args) => write::rename(args, json, console),
        Pak::Repack(args) => write::repacked(args, json, console),
        Pak::Convert(args) => convert::run(args, json, console),
    }
}
