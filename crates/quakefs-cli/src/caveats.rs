//! Problems of the whole game. Every answer about the game reports them.

use std::collections::HashSet;

use quakefs::findings::FindingKind;
use quakefs::{Finding, SearchPath};
use quakefs_game::{Caveats, Game, does_not_start, is_missing, is_not_opened};

use crate::console::{Console, Message};
use crate::output;

/// Stores the problems of the whole game for the command's JSON objects and its exit code.
pub(crate) fn keep(search_paths: &[&SearchPath], console: &mut Console<'_>) {
    console.caveats = Caveats::of(search_paths);
}

/// Lists the folders of the game for an answer about all files, and warns of each that cannot be listed.
pub(crate) fn list(game: &mut Game, console: &mut Console<'_>) {
    let mounted = game.search_path.findings().count();
    game.search_path = game.search_path.listed();
    warn_unread(game.search_path.findings().skip(mounted), console);
}

/// Warns of these findings that keep files out of the answer.
pub(crate) fn warn_unread<'f>(findings: impl Iterator<Item = &'f Finding>, console: &mut Console<'_>) {
    output::warn_of(console, findings.filter(|finding| is_not_opened(finding)));
}

/// Stores the problems of the whole game, and warns of them, a misspelt game first. Also warns of each option
/// that an engine ignores. A message for several search paths is printed once.
pub(crate) fn report(search_paths: &[&SearchPath], console: &mut Console<'_>) {
    keep(search_paths, console);
    let mut printed = HashSet::new();
    let mut warn = |message: Message, console: &mut Console<'_>| {
        if printed.insert(message.text.clone()) {
            console.warn(&message);
        }
    };
    let findings = || search_paths.iter().flat_map(|search_path| search_path.findings());
    let findings = || findings().filter(|finding| !finding.stops_engine);
    for finding in findings().filter(|finding| is_missing(finding)) {
        // the answer is not about the game that the user meant
        console.insist(|console| warn(finding.into(), console));
    }
    for search_path in search_paths {
        let stops = quakefs::why::starts(search_path).err().unwrap_or_default();
        if let Some((first, more)) = stops.split_first() {
            let text = does_not_start(&search_path.rules().name, first, more.len());
            warn(Message { text, ..first.into() }, console);
        }
    }
    for finding in findings() {
        if is_not_opened(finding) || matches!(finding.kind, FindingKind::NotUsed(_)) {
            warn(finding.into(), console);
        }
    }
}

/// The findings of the mount that [`report`] does not print.
pub(crate) fn unreported(search_path: &SearchPath) -> impl Iterator<Item = &Finding> {
    let stops = quakefs::why::starts(search_path).err().unwrap_or_default();
    let stop = stops.into_iter().next().map(|stop| stop.location);
    search_path.findings().filter(move |finding| {
        let is_first_stop = stop.as_ref() == Some(&finding.location);
        let is_reported =
            is_missing(finding) || is_not_opened(finding) || matches!(finding.kind, FindingKind::NotUsed(_));
        !is_first_stop && (finding.stops_engine || !is_reported)
    })
}
