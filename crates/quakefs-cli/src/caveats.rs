//! Problems of the whole game. Every answer about the game reports them.

use std::collections::HashSet;

use quakefs::findings::FindingKind;
use quakefs::{ErrorKind, Finding, SearchPath};

use crate::console::{Caveats, Console, Message};
use crate::words::does_not_start;

/// The engines that would not start, and what stops each.
fn stopping(search_paths: &[SearchPath]) -> Vec<(&str, Vec<Finding>)> {
    search_paths
        .iter()
        .filter_map(|search_path| {
            Some((&*search_path.rules().name, quakefs::why::starts(search_path).err()?))
        })
        .collect()
}

/// The problems of the whole game, for each search path.
fn of(search_paths: &[SearchPath], stopping: &[(&str, Vec<Finding>)]) -> Caveats {
    let line = |finding: &Finding| format!("{}: {}", finding.location, finding.reason());
    let mut stops = stopping.iter().filter_map(|(engine, stops)| {
        let first = line(stops.first()?);
        Some(if search_paths.len() > 1 { format!("{engine}: {first}") } else { first })
    });
    let first = |wanted: fn(&Finding) -> bool| {
        search_paths.iter().flat_map(SearchPath::findings).find(|finding| wanted(finding)).map(line)
    };
    Caveats {
        engine_stops: stops.next().map(|first| stops.fold(first, |text, more| format!("{text}; {more}"))),
        not_opened: first(is_not_opened),
        missing: first(is_missing),
    }
}

/// Stores the problems of the whole game for the command's JSON objects and its exit code.
pub(crate) fn keep(search_paths: &[SearchPath], console: &mut Console<'_>) {
    console.caveats = of(search_paths, &stopping(search_paths));
}

/// Stores the problems of the whole game, and warns of them, a misspelt game first. Also warns of each option that an
/// engine ignores. A message for several search paths is printed once.
pub(crate) fn report(search_paths: &[SearchPath], console: &mut Console<'_>) {
    let stopping = stopping(search_paths);
    console.caveats = of(search_paths, &stopping);
    let mut printed = HashSet::new();
    let mut warn = |message: Message, console: &mut Console<'_>| {
        if printed.insert(message.text.clone()) {
            console.warn(&message);
        }
    };
    let findings =
        || search_paths.iter().flat_map(SearchPath::findings).filter(|finding| !finding.stops_engine);
    for finding in findings().filter(|finding| is_missing(finding)) {
        // the answer is not about the game that the user meant
        console.insist(|console| warn(finding.into(), console));
    }
    for (engine, stops) in &stopping {
        if let Some((first, more)) = stops.split_first() {
            warn(Message { text: does_not_start(engine, first, more.len()), ..first.into() }, console);
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
    let stop = search_path.findings().find(|finding| finding.stops_engine);
    search_path.findings().filter(move |finding| {
        let is_first_stop = stop.is_some_and(|stop| std::ptr::eq(stop, *finding));
        let is_reported =
            is_missing(finding) || is_not_opened(finding) || matches!(finding.kind, FindingKind::NotUsed(_));
        !is_first_stop && (finding.stops_engine || !is_reported)
    })
}

fn is_missing(finding: &Finding) -> bool {
    matches!(finding.kind, FindingKind::MissingDirectory { .. })
}

fn is_not_opened(finding: &Finding) -> bool {
    match &finding.kind {
        FindingKind::WrongArchive { error, opened: true, .. } => matches!(error.kind(), ErrorKind::Io { .. }),
        FindingKind::Unreadable(_) => true,
        _ => false,
    }
}
