//! `path`: the layers, highest first, and what was left out.

use quakefs::Registration;
use serde::Serialize;

use crate::args::Game;
use crate::console::{Console, Exit, Failure};
use crate::output::{self, JsonProblem};

#[derive(Serialize)]
struct JsonLayer<'a> {
    layer: &'a str,
    kind: &'static str,
    layout: Option<&'static str>,
    entries: Option<usize>,
    problems: usize,
    path: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonRegistration {
    registration: &'static str,
}

fn registration_reason(registration: Registration, file: &str) -> String {
    match registration {
        Registration::Registered => format!("{file} is there"),
        Registration::Shareware => format!("{file} is not there"),
        Registration::Corrupt => format!("{file} is another file than id's"),
    }
}

pub(crate) fn run(game: &Game, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount_unwarned()?;
    let problems: Vec<_> = search_path.problems().collect();
    let problems_of = |layer: &str| problems.iter().filter(|problem| problem.place() == layer).count();
    if game.json {
        for layer in search_path.layers() {
            let line = JsonLayer {
                layer: layer.name(),
                kind: layer.kind().name(),
                layout: layer.layout().map(quakefs::Layout::name),
                entries: layer.entries(),
                problems: problems_of(layer.name()),
                path: layer.path().map(camino::Utf8Path::as_str),
            };
            output::json(console, &line)?;
        }
        if let Some(registration) = search_path.registration() {
            output::json(console, &JsonRegistration { registration: registration.name() })?;
        }
        for problem in problems {
            output::json(console, &JsonProblem::from(problem))?;
        }
        return Ok(Exit::Done);
    }
    let rows = search_path.layers().map(|layer| {
        let count = |count: usize| if count == 0 { "-".to_owned() } else { output::grouped(count as u64) };
        vec![
            layer.name().to_owned(),
            layer.kind().to_string(),
            layer.entries().map_or_else(|| "-".to_owned(), |entries| output::grouped(entries as u64)),
            count(problems_of(layer.name())),
        ]
    });
    let table = output::table(&["layer", "kind", "entries", "problems"], &[2, 3], rows.collect());
    console.out.write_all(table.as_bytes())?;
    if let (Some(registration), Some(file)) = (search_path.registration(), &search_path.rules().registered_by)
    {
        writeln!(console.out, "\n{}: {}", registration.name(), registration_reason(registration, file))?;
    }
    output::warn_of(console, &problems);
    Ok(Exit::Done)
}
