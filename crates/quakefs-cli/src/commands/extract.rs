//! `extract`: the merged tree, or what matches, onto disk.

use std::collections::{HashMap, HashSet};

use quakefs::{Hit, LayerKind, ProblemKind};

use crate::args::{Extract, Game};
use crate::commands::ls::matching;
use crate::console::{Console, Exit, Failure, Told};
use crate::extraction::{Extraction, File};

pub(crate) fn run(game: &Game, args: &Extract, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount(console)?;
    let Some(hits) = matching(&search_path, args.pattern.as_deref(), console)? else {
        return Ok(Exit::NotFound);
    };
    // what cannot be read will not be written, whatever its row claims
    let damaged: HashSet<_> = search_path
        .problems()
        .filter(|problem| matches!(problem.kind(), ProblemKind::Entry(_)))
        .map(|problem| (problem.place(), problem.entry().map(|(entry, _)| entry)))
        .collect();
    let size = |hit: &Hit<'_>| {
        if damaged.contains(&(hit.layer().name(), hit.entry())) { 0 } else { hit.size() }
    };
    let files =
        hits.iter().map(|hit| File { name: hit.name(), label: label(hit), size: size(hit) }).collect();
    let read = |number: usize| match hits.get(number) {
        // a loose file may be larger than the memory
        Some(hit) if hit.entry().is_none() => {
            let mapped = hit.path().and_then(|path| quakefs::FileData::map(path).ok());
            mapped.map_or_else(|| hit.read().map_err(|error| Told::from(&error)), Ok)
        }
        Some(hit) => hit.read().map_err(|error| Told::from(&error)),
        None => Ok(quakefs::FileData::new([])),
    };

    Extraction { files, read: &read, source_size: source_size(&hits) }.run(&args.into, game.json, console)
}

fn label(hit: &Hit<'_>) -> String {
    match hit.entry() {
        Some(entry) => format!("{}: entry {entry} ({})", hit.layer().name(), hit.stored()),
        None => format!("{}{}", hit.layer().name(), hit.stored()),
    }
}

/// Bytes on disk that the files come from: each archive once, and each loose file.
fn source_size(hits: &[Hit<'_>]) -> u64 {
    let mut archives = HashMap::new();
    let mut loose = 0;
    for hit in hits {
        if hit.layer().kind() == LayerKind::Folder {
            loose += hit.size();
        } else {
            archives.entry(hit.layer().name()).or_insert_with(|| {
                hit.layer().path().and_then(|path| path.metadata().ok()).map_or(0, |metadata| metadata.len())
            });
        }
    }
    loose + archives.values().sum::<u64>()
}
