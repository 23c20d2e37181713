//! A tool over many archives: finds a file in all of them, and lists repeated contents.
//!
//! `cargo run --example many_archives -- NAME PATH...` searches files and folders; without arguments, the
//! test data.

#![expect(clippy::disallowed_methods, reason = "a program reads its arguments")]

use std::env;
use std::error::Error;

use quakefs::archive::OpenOptions;
use quakefs::sentences::counted;
use quakefs_archives::{Collection, DigestOptions};

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/game");

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "maps/start.bsp".to_owned());
    let mut paths: Vec<_> = arguments.collect();
    if paths.is_empty() {
        paths.push(TESTDATA.to_owned());
    }

    // unreadable folders and archives are part of the answer
    let collection = Collection::search(&paths);
    for fault in collection.faults() {
        println!("not searched: {fault}");
    }
    println!("{}", counted(collection.archives().len() as u64, "archive", "archives"));

    println!("\n{name} is in");
    for (path, archive) in collection.open(&OpenOptions::new()) {
        let archive = match archive {
            Ok(archive) => archive,
            Err(error) => {
                println!("  not opened: {error}");
                continue;
            }
        };
        if let Some(entry) = archive.find(&name) {
            let size = counted(entry.size(), "byte", "bytes");
            println!("  {path}: entry {}, {size}, {}", entry.index(), archive.format());
        }
    }

    // contents of a unique size are not decoded
    let duplicates = collection.duplicates(&DigestOptions::default());
    let saved = counted(duplicates.saved(), "byte", "bytes");
    println!("\nof {} entries, copies take {saved}", duplicates.entries);
    for content in &duplicates.contents {
        println!("  {} of {}", content.digest, counted(content.size, "byte", "bytes"));
        for copy in &content.copies {
            println!("    {}", copy.location());
        }
    }
    Ok(())
}
