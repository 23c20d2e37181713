//! `check`: everything that would surprise somebody.

use quakefs::{Finding, Severity};
use serde::Serialize;

use crate::args::Game;
use crate::console::{Console, Exit, Failure, harmless};
use crate::output;

/// How many findings of one kind are told before the rest are counted.
const TOLD: usize = 20;

#[derive(Serialize)]
struct JsonFinding<'a> {
    severity: &'static str,
    kind: &'static str,
    place: &'a str,
    reason: &'a str,
    help: &'a str,
}

pub(crate) fn run(game: &Game, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount_unwarned()?;
    let findings = search_path.check();
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings, notes) = (count(Severity::Error), count(Severity::Warning), count(Severity::Note));
    if game.json {
        for Finding { severity, kind, place, reason, help, .. } in &findings {
            output::json(console, &JsonFinding { severity: severity.name(), kind, place, reason, help })?;
        }
    } else {
        let mut told = std::collections::HashMap::new();
        for Finding { severity, kind, place, reason, help, .. } in &findings {
            let of_kind: &mut usize = told.entry(*kind).or_default();
            *of_kind += 1;
            if *of_kind <= TOLD {
                writeln!(console.out, "{severity:8} {}: {}", harmless(place), harmless(reason))?;
                writeln!(console.out, "         help: {}", harmless(help))?;
            }
        }
        let mut left_out: Vec<_> = told.into_iter().filter(|(_, count)| *count > TOLD).collect();
        left_out.sort_unstable();
        for (kind, count) in left_out {
            writeln!(
                console.out,
                "and {} more findings of the kind {kind}",
                output::grouped((count - TOLD) as u64)
            )?;
        }
        let counted =
            |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
        let engine = &search_path.rules().name;
        let sums = [counted(errors, "error"), counted(warnings, "warning"), counted(notes, "note")];
        writeln!(console.out, "{} for {engine}", sums.join(", "))?;
    }
    Ok(if errors + warnings > 0 { Exit::NotFound } else { Exit::Done })
}
