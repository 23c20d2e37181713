//! Repairs a truncated archive: keeps the readable entries and reports the others.

use std::error::Error;
use std::fs;

use pak_format::{Archive, Builder, Editor, Layout, RepackOptions, Severity, repack, verify};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("pak0.pak");
    fs::write(&path, damaged()?)?;

    let archive = Archive::parse(fs::read(&path)?)?;
    let mut lost = Vec::new();
    for finding in verify(&archive) {
        println!("{}: {finding}", finding.severity());
        if let (Severity::Error, Some((row, _))) = (finding.severity(), finding.entry()) {
            lost.push(row);
        }
    }

    // until the last moment the old archive is untouched: an interrupted repair changes nothing
    let mut editor = Editor::open(&path)?;
    for row in lost {
        editor.remove_row(row);
    }
    editor.commit(None)?;
    let report = repack(&path, &RepackOptions::default())?;
    println!("kept {} entries; {} bytes before, {} after", report.entries, report.before, report.after);

    let repaired = Archive::parse(fs::read(&path)?)?;
    println!("{} findings left", verify(&repaired).len());
    Ok(())
}

/// An archive with a row that claims more bytes than the file has.
fn damaged() -> Result<Vec<u8>, pak_format::Error> {
    let mut builder = Builder::new(Layout::Quake);
    for name in ["maps/start.bsp", "maps/e1m1.bsp", "progs.dat"] {
        builder.add(name, format!("what {name} holds\n"))?;
    }
    let mut bytes = builder.finish()?;
    let rows = bytes.len() - 3 * 64;
    // the size of the second row
    bytes[rows + 64 + 60..rows + 64 + 64].copy_from_slice(&u32::MAX.to_le_bytes());
    Ok(bytes)
}
