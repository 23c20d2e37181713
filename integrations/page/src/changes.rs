//! What a drop changes: the game with and without it.

use std::collections::BTreeMap;

use quakefs::File;
use quakefs_game::{FindingRow, Game};
use serde::Serialize;

use crate::dropped::Mounted;

/// What differs between two games.
#[derive(Serialize)]
pub(crate) struct ChangesRow {
    /// The verdict before and after, if they differ.
    verdict: Option<[String; 2]>,
    broken: Rows,
    overridden: Rows,
    lost: Rows,
    added: Rows,
    mended: Rows,
}

/// Rows of one kind: a name, before and after.
#[derive(Default, Serialize)]
struct Rows {
    count: usize,
    /// The first of them.
    shown: Vec<[String; 3]>,
}

/// The most rows of one kind that the page lists.
const LISTED: usize = 500;

/// What stands for a file in a game without it.
const NONE: &str = "\u{2013}";

impl Rows {
    fn add(&mut self, name: &impl ToString, before: &str, after: &str) {
        self.count += 1;
        if self.shown.len() < LISTED {
            self.shown.push([name.to_string(), before.to_owned(), after.to_owned()]);
        }
    }
}

/// Compares a game before and after a drop: names, missing files, and what stops the engine or is wrong.
pub(crate) fn changes(before: &Mounted, after: &Mounted) -> ChangesRow {
    let (old, new) = (Facts::of(before), Facts::of(after));
    let (before, after) = (&before.game, &after.game);
    let mut row = ChangesRow {
        verdict: (old.verdict != new.verdict).then(|| [old.verdict.clone(), new.verdict.clone()]),
        broken: Rows::default(),
        overridden: Rows::default(),
        lost: Rows::default(),
        added: Rows::default(),
        mended: Rows::default(),
    };
    let facts = |file: &File<'_>| (file.layer().name().to_owned(), file.size(), file.entry());
    for file in after.search_path.files() {
        match before.search_path.find(file.name()) {
            None => row.added.add(&file.name(), NONE, file.layer().name()),
            Some(other) if facts(&other) != facts(&file) => {
                row.overridden.add(&file.name(), other.layer().name(), file.layer().name());
            }
            Some(_) => {}
        }
    }
    let gone = before.search_path.files().filter(|file| after.search_path.find(file.name()).is_none());
    gone.for_each(|file| row.lost.add(&file.name(), file.layer().name(), NONE));
    let there = |game: &Game, name: &str| {
        let file = game.search_path.find(name);
        file.map_or("not needed".to_owned(), |file| file.layer().name().to_owned())
    };
    for (name, by) in new.missing.iter().filter(|(name, _)| !old.missing.contains_key(*name)) {
        row.broken.add(name, &there(before, name), &format!("missing, needed by {by}"));
    }
    for name in old.missing.keys().filter(|name| !new.missing.contains_key(*name)) {
        row.mended.add(name, "missing", &there(after, name));
    }
    let is_in = |rows: &[FindingRow], row: &FindingRow| {
        rows.iter().any(|one| (&one.location, &one.reason) == (&row.location, &row.reason))
    };
    for found in new.findings.iter().filter(|found| !is_in(&old.findings, found)) {
        row.broken.add(&found.location, NONE, &found.reason);
    }
    for found in old.findings.iter().filter(|found| !is_in(&new.findings, found)) {
        row.mended.add(&found.location, &found.reason, NONE);
    }
    row
}

/// What reading a game tells.
struct Facts {
    verdict: String,
    /// The missing files, each with the chain of files that first needs it.
    missing: BTreeMap<String, String>,
    /// What is wrong, or stops the engine.
    findings: Vec<FindingRow>,
}

impl Facts {
    fn of(mounted: &Mounted) -> Facts {
        let (game, checked) = (&mounted.game, mounted.checked());
        let mut missing = BTreeMap::new();
        for need in checked.needed.levels.iter().flat_map(|(_, needs)| needs.missing()) {
            missing.entry(need.name.to_string()).or_insert_with(|| need.chain());
        }
        let mut findings = checked.rows(None);
        findings.retain(|row| row.stops || row.severity == "error");
        findings.truncate(LISTED);
        Facts { verdict: game.verdict_of(checked).reason, missing, findings }
    }
}
