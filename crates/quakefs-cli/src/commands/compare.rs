//! `compare`: where engines load different files, and the rule that decides.

use quakefs::{Case, Difference, Engine, EntryName, Hit, LayerKind, Pattern, SearchPath, compare};
use serde::Serialize;

use crate::args::{Compare, Game};
use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, JsonCopy};
use crate::text::escaped;

#[derive(Serialize)]
struct JsonDifference {
    name: String,
    engines: Vec<JsonWinner>,
    rule: String,
}

#[derive(Serialize)]
struct JsonWinner {
    engine: String,
    #[serde(flatten)]
    winner: Option<JsonCopy>,
}

pub(crate) fn run(game: &Game, args: &Compare, console: &mut Console<'_>) -> Result<Exit, Failure> {
    game.refuse_for_compare()?;
    let mut stacks = Vec::new();
    for engine in &args.engines {
        let stack = game.mount_as(engine.rules().clone()).map_err(|failure| of_engine(failure, *engine))?;
        for finding in stack.findings().filter(|finding| finding.stops_engine()) {
            console.warn(&finding.into());
        }
        stacks.push(stack);
    }
    let pattern = match &args.only {
        Some(pattern) => Some(Pattern::new(pattern, Case::Ignored)?),
        None => None,
    };
    let comparison = compare(&stacks, |name| {
        pattern.as_ref().is_none_or(|pattern| pattern.matches(EntryName::from_bytes(name)))
    });
    if let (0, Some(pattern)) = (comparison.names, &args.only) {
        let matches = |below: &str| {
            let below = Pattern::new(below, Case::Ignored);
            below.is_ok_and(|below| {
                stacks.iter().any(|stack| stack.files().any(|hit| below.matches(hit.name())))
            })
        };
        let help = output::other_pattern(pattern, &game.suggest("ls"), matches);
        console.error(&Message::new(format!("nothing matches \"{pattern}\""), help));
        return Ok(Exit::NotFound);
    }
    let differences = &comparison.differences;
    if game.json {
        for difference in differences {
            output::json(console, "difference", &json(&stacks, difference))?;
        }
    } else if differences.is_empty() {
        let names = output::counted(comparison.names as u64, "name", "names");
        writeln!(console.out, "they load the same files: {names} compared")?;
    } else {
        let mut titles = vec!["name"];
        titles.extend(args.engines.iter().map(|engine| engine.name()));
        titles.push("because");
        let table = output::table(&titles, &[], differences.iter().map(row));
        console.out.write_all(table.as_bytes())?;
    }
    Ok(if differences.is_empty() { Exit::Done } else { Exit::NotFound })
}

/// What stops one of the mounts, with the name of its engine.
fn of_engine(failure: Failure, engine: Engine) -> Failure {
    match failure {
        Failure::Error(Message { text, help }) => Message { text: format!("{engine}: {text}"), help }.into(),
        Failure::ClosedPipe => failure,
    }
}

fn json(stacks: &[SearchPath], difference: &Difference<'_>) -> JsonDifference {
    let engines = stacks.iter().zip(&difference.winners).map(|(stack, winner)| JsonWinner {
        engine: stack.rules().name.to_string(),
        winner: winner.as_ref().map(JsonCopy::from),
    });
    JsonDifference {
        name: escaped(difference.name.as_name()),
        engines: engines.collect(),
        rule: difference.because.to_string(),
    }
}

fn row(difference: &Difference<'_>) -> Vec<String> {
    let mut row = vec![difference.name.as_name().to_string()];
    row.extend(difference.winners.iter().map(|winner| describe(winner.as_ref())));
    row.push(difference.because.to_string());
    row
}

fn describe(winner: Option<&Hit<'_>>) -> String {
    match winner {
        None => "-".to_owned(),
        Some(hit) if hit.layer().kind() == LayerKind::Folder => hit.place().to_string(),
        Some(hit) => hit.entry().map_or_else(String::new, |entry| format!("{}:{entry}", hit.layer().name())),
    }
}
