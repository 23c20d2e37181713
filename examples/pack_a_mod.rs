//! Packs a mod from a build script. The same sources give the same bytes, so a build without changes leaves
//! the archive as it is.

use std::error::Error;
use std::fs;
use std::path::Path;

use pak_format::{Archive, Builder, Layout, Source, WriteOptions, verify};

/// The files to pack, from a folder of sources.
const FILES: [&str; 3] = ["progs.dat", "progs/ogre.mdl", "config.cfg"];

fn main() -> Result<(), Box<dyn Error>> {
    let sources = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/game/mymod"));
    let out = tempfile::tempdir()?;
    let archive = out.path().join("pak0.pak");

    let mut builder = Builder::new(Layout::Quake);
    builder.sorted(true).unique_names(true);
    for name in FILES {
        // the builder opens the file only when it writes the entry
        builder.push(name, Source::file(sources.join(name))?);
    }
    // an entry from bytes
    builder.push("version.txt", Source::bytes(concat!("mymod ", env!("CARGO_PKG_VERSION"), "\n")));
    for problem in builder.check() {
        eprintln!("{problem}");
    }
    let size = builder.write_file(&archive, &WriteOptions::default())?;

    let packed = Archive::parse(fs::read(&archive)?)?;
    println!("pak0.pak: {} entries, {size} bytes, {} findings", packed.len(), verify(&packed).len());
    for entry in packed.entries() {
        println!("  {:>4}  {}", entry.size(), entry.name());
    }
    Ok(())
}
