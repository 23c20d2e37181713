//! The questions, for the module and for the disk.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use quakefs::disk::Disk;
use quakefs::{Builder, Engine, SearchPath};

/// Mounts a base directory for an engine and its games: `quakespasm mymod`.
///
/// # Errors
/// The message of the mount, or of an unknown engine.
pub fn mount(disk: impl Disk + 'static, base: &str, case: &str) -> Result<SearchPath, String> {
    let mut words = case.split_whitespace();
    let engine: Engine = words.next().unwrap_or_default().parse().map_err(|error| format!("{error}"))?;
    let builder = SearchPath::builder(base).disk(disk).engine(engine);
    words.fold(builder, Builder::game).mount().map_err(|error| error.to_string())
}

/// Everything about a search path: layers, findings, the check, the merged tree; for each name every copy with its
/// bytes, and why it wins or is missing. It skips paths on this computer, because a disk in memory has none.
#[must_use]
pub fn answers(quake: &SearchPath) -> String {
    let mut text = String::new();
    // writing to a string does not fail
    let _ = write_answers(quake, &mut text);
    text
}

fn write_answers(quake: &SearchPath, text: &mut String) -> std::fmt::Result {
    for layer in quake.layers() {
        writeln!(text, "layer {layer:?} {:?} {:?}", layer.path(), layer.game_directory())?;
    }
    for finding in quake.findings() {
        writeln!(text, "finding {finding:?}")?;
    }
    for finding in quakefs::why::check(quake) {
        writeln!(text, "check {finding:?}: {finding}")?;
    }
    writeln!(text, "starts {:?}", quakefs::why::starts(quake).is_ok())?;
    for name in names(quake) {
        writeln!(text, "name {}", name.escape_ascii())?;
        for copy in quake.copies(&name) {
            let bytes = copy.read().map(|bytes| bytes.escape_ascii().to_string());
            writeln!(text, "  copy {copy:?} {} {bytes:?}", copy.location())?;
        }
        writeln!(text, "  {:?}", quakefs::why::explain(quake, &name))?;
    }
    for node in quake.tree().root().children() {
        writeln!(text, "tree {} {:?} {:?}", node.name, node.counts, node.file)?;
    }
    for hit in quake.glob("**/*.{bsp,cfg}").into_iter().flatten() {
        writeln!(text, "glob {hit:?}")?;
    }
    Ok(())
}

/// Every name in a layer or a skipped archive, also in capitals, and some missing names.
fn names(quake: &SearchPath) -> BTreeSet<Vec<u8>> {
    let missing: [&[u8]; 4] = [b"maps/none.bsp", b"../id1/config.cfg", b"", b"maps"];
    let mut names: BTreeSet<Vec<u8>> = missing.into_iter().map(Vec::from).collect();
    names.extend(quake.listed().files().map(|file| file.name().as_bytes().to_vec()));
    let left_out: Vec<_> =
        quake.left_out().iter().filter_map(|(_, path)| quake.open_left_out(path).ok()).collect();
    for archive in quake.layers().filter_map(|layer| layer.archive()).chain(&left_out) {
        names.extend(archive.entries().map(|entry| entry.name().as_bytes().to_vec()));
    }
    names.extend(names.iter().map(|name| name.to_ascii_uppercase()).collect::<Vec<_>>());
    names
}
