//! `extract`: the merged tree, or what matches, onto disk.

use std::collections::{HashMap, HashSet};

use quakefs::{FindingKind, Hit, LayerKind, Place};

use crate::args::{Extract, Game};
use crate::commands::ls::matching;
use crate::console::{Console, Exit, Failure, Message};
use crate::extraction::{Extraction, File};

pub(crate) fn run(game: &Game, args: &Extract, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount(console)?;
    let Some(hits) = matching(&search_path, args.pattern.as_deref(), console)? else {
        return Ok(Exit::NotFound);
    };
    // an entry that cannot be read is not written, whatever its row claims
    let damaged: HashSet<&Place> = search_path
        .findings()
        .filter(|finding| matches!(finding.kind, FindingKind::Entry(_)))
        .map(|finding| &finding.place)
        .collect();
    let size = |hit: &Hit<'_>| if damaged.contains(&hit.place()) { 0 } else { hit.size() };
    let files =
        hits.iter().map(|hit| File { name: hit.name(), label: hit.place().to_string(), size: size(hit) });
    let read = |number: usize| match hits.get(number) {
        // a loose file may be larger than the memory
        Some(hit) if hit.entry().is_none() => {
            let mapped = hit.path().and_then(|path| quakefs::FileData::map(path).ok());
            mapped.map_or_else(|| hit.read().map_err(|error| Message::from(&error)), Ok)
        }
        Some(hit) => hit.read().map_err(|error| Message::from(&error)),
        None => Ok(quakefs::FileData::default()),
    };
    Extraction { files: files.collect(), read: &read, source_size: source_size(&hits) }.run(
        &args.output,
        game.json,
        console,
    )
}

/// Bytes on disk that the files come from: each archive once, and each loose file.
fn source_size(hits: &[Hit<'_>]) -> u64 {
    let mut archives = HashMap::new();
    let mut loose = 0;
    for hit in hits {
        if hit.layer().kind() == LayerKind::Folder {
            loose += hit.size();
        } else {
            let size = || hit.layer().archive().map_or(0, quakefs::Archive::size);
            archives.entry(hit.layer().name()).or_insert_with(size);
        }
    }
    loose + archives.values().sum::<u64>()
}
