//! What is wrong with a game as a whole, and is said with every answer about it.

use quakefs::{ErrorKind, Finding, FindingKind, SearchPath};
use serde::Serialize;

use crate::console::{Console, Message};
use crate::output::counted;

/// What makes the answers of a command other than those of the game that was meant. The command ends with 1 then.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Caveats {
    /// What stops the engine on this folder. The answers are those that it would give if the cause were mended.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine_stops: Option<String>,
    /// An archive or a folder that could not be opened: the answers come without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_opened: Option<String>,
    /// A game that is not there: the answers come without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
}

impl Caveats {
    /// The caveats of a stack.
    pub(crate) fn of(search_path: &SearchPath) -> Self {
        let stopping = search_path.starts().err().unwrap_or_default();
        let line = |finding: &Finding| format!("{}: {}", finding.place, finding.cause());
        Caveats {
            engine_stops: stopping.first().map(line),
            not_opened: search_path.findings().find(|finding| is_not_opened(finding)).map(line),
            missing: search_path.findings().find(|finding| is_missing(finding)).map(line),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let Caveats { engine_stops, not_opened, missing } = self;
        engine_stops.is_none() && not_opened.is_none() && missing.is_none()
    }
}

/// Warns of what is wrong with the game as a whole, a misspelt game first, and of each part of the request that the
/// engine ignores.
pub(crate) fn report(search_path: &SearchPath, console: &mut Console<'_>) {
    let missing = search_path.findings().filter(|finding| is_missing(finding) && !finding.stops_engine());
    missing.for_each(|finding| console.warn(&finding.into()));
    let stopping = search_path.starts().err().unwrap_or_default();
    if let [first, more @ ..] = &*stopping {
        let engine = &search_path.rules().name;
        let mut message = Message::from(first);
        message.text = format!("{engine} does not start: {}: {}", first.place, first.cause());
        if !more.is_empty() {
            let more = counted(more.len() as u64, "cause", "causes");
            message.text = format!("{}; and for {more} more", message.text);
        }
        console.warn(&message);
    }
    for finding in search_path.findings().filter(|finding| !finding.stops_engine()) {
        if is_not_opened(finding) || matches!(finding.kind, FindingKind::NotUsed(_)) {
            console.warn(&finding.into());
        }
    }
}

/// The findings of the mount for which [`report`] prints no line.
pub(crate) fn unreported(search_path: &SearchPath) -> impl Iterator<Item = &Finding> {
    let stop = search_path.findings().find(|finding| finding.stops_engine());
    search_path.findings().filter(move |finding| {
        let is_first_stop = stop.is_some_and(|stop| std::ptr::eq(stop, *finding));
        let is_reported =
            is_missing(finding) || is_not_opened(finding) || matches!(finding.kind, FindingKind::NotUsed(_));
        !is_first_stop && (finding.stops_engine() || !is_reported)
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
