//! `compare`: where engines load different files, and the rule that decides.

use std::collections::BTreeSet;

use quakefs::{Case, Engine, EntryName, Hit, LayerKind, Pattern, Precedence, ProblemKind, SearchPath};
use serde::Serialize;

use crate::args::{Compare, Game};
use crate::console::{Console, Exit, Failure, Told};
use crate::output::{self, JsonCopy};

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
        for problem in stack.problems() {
            if let ProblemKind::WrongArchive { fatal: true, .. } = problem.kind() {
                console.warn(problem, Some(&problem.help()));
            }
        }
        stacks.push(stack);
    }
    let pattern = match &args.only {
        Some(pattern) => Some(Pattern::new(pattern, Case::Ignored)?),
        None => None,
    };
    let mut names: BTreeSet<Vec<u8>> = BTreeSet::new();
    for stack in &stacks {
        let wanted = |hit: &Hit<'_>| pattern.as_ref().is_none_or(|pattern| pattern.matches(hit.name()));
        names.extend(stack.files().filter(wanted).map(|hit| hit.name().as_bytes().to_vec()));
    }
    if let (true, Some(pattern)) = (names.is_empty(), &args.only) {
        let matches = |below: &str| {
            let below = Pattern::new(below, Case::Ignored);
            below.is_ok_and(|below| {
                stacks.iter().any(|stack| stack.files().any(|hit| below.matches(hit.name())))
            })
        };
        let help = output::other_pattern(pattern, "quakefs ls", matches);
        console.error(&Told::new(format!("nothing matches \"{pattern}\""), help));
        return Ok(Exit::NotFound);
    }
    // a game asks in lower case, however a file is spelled
    for name in names.clone() {
        let lower = name.to_ascii_lowercase();
        if stacks.iter().any(|stack| place(stack.find(&lower).as_ref()) != place(stack.find(&name).as_ref()))
        {
            names.insert(lower);
        }
    }
    let mut rows = Vec::new();
    for name in &names {
        let winners: Vec<_> = stacks.iter().map(|stack| stack.find(name)).collect();
        let Some(first) = winners.first().map(|winner| place(winner.as_ref())) else { continue };
        let Some(other) = winners.iter().position(|winner| place(winner.as_ref()) != first) else { continue };
        let (Some(one), Some(two)) = (stacks.first(), stacks.get(other)) else { continue };
        let rule = deciding_rule(one, two, name);
        if game.json {
            let engines = stacks.iter().zip(&winners).map(|(stack, winner)| JsonWinner {
                engine: stack.rules().name.to_string(),
                winner: winner.as_ref().map(JsonCopy::from),
            });
            let name = output::spelled(EntryName::from_bytes(name));
            let rule = rule.clone();
            output::json(console, &JsonDifference { name, engines: engines.collect(), rule })?;
        }
        let mut row = vec![EntryName::from_bytes(name).to_string()];
        row.extend(winners.iter().map(|winner| describe(winner.as_ref())));
        row.push(rule);
        rows.push(row);
    }
    let differ = !rows.is_empty();
    if !game.json {
        if differ {
            let mut titles = vec!["name"];
            titles.extend(args.engines.iter().map(|engine| engine.name()));
            titles.push("because");
            console.out.write_all(output::table(&titles, &[], rows).as_bytes())?;
        } else {
            writeln!(
                console.out,
                "they load the same files: {} compared",
                if names.len() == 1 {
                    "1 name".to_owned()
                } else {
                    format!("{} names", output::grouped(names.len() as u64))
                }
            )?;
        }
    }
    Ok(if differ { Exit::NotFound } else { Exit::Done })
}

/// What stops one of them, with its name.
fn of_engine(failure: Failure, engine: Engine) -> Failure {
    match failure {
        Failure::Told(Told { message, help }) => {
            Told { message: format!("{engine}: {message}"), help }.into()
        }
        Failure::ClosedPipe => failure,
    }
}

/// Where a copy is, for stacks of different engines.
fn place(hit: Option<&Hit<'_>>) -> Option<(String, Option<usize>, Vec<u8>)> {
    hit.map(|hit| (hit.layer().name().to_owned(), hit.entry(), hit.stored().as_bytes().to_vec()))
}

fn describe(winner: Option<&Hit<'_>>) -> String {
    match winner {
        None => "-".to_owned(),
        Some(hit) if hit.layer().kind() == LayerKind::Folder => {
            format!("{}{}", hit.layer().name(), hit.stored())
        }
        Some(hit) => hit.entry().map_or_else(String::new, |entry| format!("{}:{entry}", hit.layer().name())),
    }
}

/// The rule by which two engines come to different copies of a name, as the one that serves a copy would say it.
fn deciding_rule(one: &SearchPath, two: &SearchPath, name: &[u8]) -> String {
    match (one.find(name), two.find(name)) {
        (Some(in_one), Some(in_two)) => {
            not_seen(two, &in_one, name).or_else(|| not_seen(one, &in_two, name)).unwrap_or_else(|| {
                order(one, &in_one, &in_two, name).unwrap_or_else(|| {
                    order(two, &in_two, &in_one, name).unwrap_or_else(|| "the order of the layers".to_owned())
                })
            })
        }
        (Some(in_one), None) => not_seen(two, &in_one, name).unwrap_or_default(),
        (None, Some(in_two)) => not_seen(one, &in_two, name).unwrap_or_default(),
        (None, None) => String::new(),
    }
}

/// Why an engine does not come to a copy that another one serves.
fn not_seen(stack: &SearchPath, hit: &Hit<'_>, name: &[u8]) -> Option<String> {
    let engine = &stack.rules().name;
    let layer = hit.layer().name();
    if !stack.layers().any(|other| other.name() == layer) {
        let told = stack.problems().find(|problem| problem.place() == layer && problem.entry().is_none());
        return Some(match told {
            Some(problem) => format!("{layer} {}", problem.reason()),
            None => format!("{engine} does not load {layer}"),
        });
    }
    let is_hit = |copy: &Hit<'_>| {
        copy.layer().name() == layer && copy.entry() == hit.entry() && copy.stored() == hit.stored()
    };
    if stack.copies(name).iter().any(is_hit) {
        return None;
    }
    if hit.stored().as_bytes() != name && hit.stored().as_bytes().eq_ignore_ascii_case(name) {
        return Some(format!("case: {engine} takes a name as it is spelled"));
    }
    if stack.find(name).is_none() && stack.rules().loose.case == quakefs::LooseCase::ExactHidesOthers {
        return Some(format!("case: in {engine} a loose file of another spelling hides it"));
    }
    Some(format!("{engine} reads the name in another way"))
}

/// Why one engine puts its winner above the copy that the other one serves.
fn order(stack: &SearchPath, winner: &Hit<'_>, other: &Hit<'_>, name: &[u8]) -> Option<String> {
    let engine = &stack.rules().name;
    let copies = stack.copies(name);
    let same = |a: &Hit<'_>, b: &Hit<'_>| a.layer().name() == b.layer().name() && a.entry() == b.entry();
    let upper = copies.iter().find(|copy| same(copy, winner))?;
    let lower = copies.iter().find(|copy| same(copy, other))?;
    Some(match stack.precedence(upper, lower) {
        rule @ Precedence::GameDirectory { .. } => format!("game directories: {rule} in {engine}"),
        rule => format!("{rule} in {engine}"),
    })
}
