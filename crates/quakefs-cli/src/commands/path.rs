//! `path`: the layers, highest first, and the skipped archives.

use quakefs::{Archive, Engine, Layer};
use serde::Serialize;

use crate::args::{Chosen, Game};
use crate::caveats;
use crate::console::{Console, Exit, Failure, Message};
use crate::findings::{JsonFinding, Reported};
use crate::installed::known_name;
use crate::output;
use crate::text::with_slashes;
use crate::words;

/// A finding with the key names of this command: `place` is the layer, `problem` the reason.
#[derive(Serialize)]
struct JsonProblem {
    #[serde(flatten)]
    finding: JsonFinding,
    problem: String,
}

pub(crate) fn run(game: &Game, line: Option<&str>, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let Some(line) = line else { return print(game, console) };
    match game.after(line, console)? {
        Ok(game) => print(&game, console),
        Err(refusal) => {
            let reason = refusal.to_string();
            if console.json {
                let pairs = [("line", line.into()), ("refused", true.into()), ("reason", reason.into())];
                output::pairs(console, "console", &pairs)?;
            } else {
                let text = format!("{line}: the engine refuses this: {reason}");
                console.error(&Message::new(text, "`quakefs engines NAME` describes its console commands"));
            }
            Ok(Exit::NotFound)
        }
    }
}

fn print(game: &Game, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let Chosen { rules, because } = game.chosen(console)?;
    let as_of = Engine::of(&rules).map(|engine| engine.as_of().to_string());
    // each JSON object has the caveats
    let search_path = game.mount_as(None, rules, console)?;
    let tell = if console.json { caveats::keep } else { caveats::report };
    tell(std::slice::from_ref(&search_path), console);
    let findings: Vec<_> = search_path.findings().collect();
    // an engine creates a folder in its user directory when it first writes there
    let layers = || search_path.layers().filter(|layer| layer.exists());
    let problems_of = |layer: &Layer| {
        findings.iter().filter(|finding| finding.location.layer_name() == layer.name()).count()
    };
    let entries_of = |layer: &Layer| layer.archive().map(|archive| archive.entries().len());
    // `check` reports an archive that cannot be read
    let known = |layer: &Layer| known_name(layer.archive()?);
    let engine = &*search_path.rules().name;
    if console.json {
        let pairs = [
            ("engine", engine.into()),
            ("as_of", as_of.into()),
            ("because", because.name().into()),
            ("reason", because.to_string().into()),
        ];
        output::pairs(console, "engine", &pairs)?;
        for layer in layers() {
            let directory = layer.game_directory();
            let path = layer.system_path();
            let mut pairs = vec![
                ("layer", layer.name().into()),
                ("kind", layer.kind().name().into()),
                ("layout", layer.archive().and_then(Archive::layout).map(quakefs::Layout::name).into()),
                ("entries", entries_of(layer).into()),
                ("problems", problems_of(layer).into()),
                ("path", path.as_deref().map(|path| with_slashes(path.as_str())).into()),
                ("game_directory", directory.map(|directory| &*directory.name).into()),
                ("rank", directory.map(|directory| directory.rank).into()),
            ];
            pairs.extend(known(layer).map(|known| ("known", known.into())));
            output::pairs(console, "layer", &pairs)?;
        }
        for file in search_path.texts() {
            output::pairs(console, "text", &[("file", file.as_str().into())])?;
        }
        if let Some(user) = search_path.user_directory() {
            let pairs = [("path", with_slashes(user.as_str()).into()), ("there", user.is_dir().into())];
            output::pairs(console, "user-directory", &pairs)?;
        }
        if let Some(registration) = quakefs::why::registration(&search_path) {
            output::pairs(console, "registration", &[("registration", registration.name().into())])?;
        }
        for finding in findings {
            let problem = finding.sentence();
            let mut finding = JsonFinding::from(&Reported::from(finding.clone()));
            finding.place.clone_from(&finding.layer);
            output::json(console, "finding", &JsonProblem { finding, problem })?;
        }
        return Ok(Exit::Done);
    }
    let as_of = as_of.map_or_else(String::new, |as_of| format!(" ({as_of})"));
    writeln!(console.out, "{}{as_of}: {because}\n", crate::text::printable(engine))?;
    let rows = layers().map(|layer| {
        let count =
            |count: usize| if count == 0 { "-".to_owned() } else { output::cell(console, count as u64) };
        vec![
            layer.name().to_owned(),
            layer.kind().to_string(),
            entries_of(layer).map_or_else(|| "-".to_owned(), |entries| output::cell(console, entries as u64)),
            count(problems_of(layer)),
            known(layer).unwrap_or_default(),
        ]
    });
    let mut rows: Vec<_> = rows.collect();
    let mut titles = vec!["layer", "kind", "entries", "problems", "known as"];
    if rows.iter().filter_map(|row| row.last()).all(String::is_empty) {
        titles.pop();
        for row in &mut rows {
            row.pop();
        }
    }
    output::table(console, &titles, &[2, 3], rows)?;
    for text in search_path.texts() {
        writeln!(console.out, "\n{}: {}", crate::text::printable(text), words::OF_GAME_TEXT)?;
    }
    if let Some(user) = search_path.user_directory() {
        let remark =
            words::of_user_directory(search_path.rules(), user.is_dir(), game.folders.userdir.is_some());
        let remark = remark.map_or_else(String::new, |remark| format!(" ({remark})"));
        writeln!(console.out, "\nuser directory: {}{remark}", crate::text::printable(user.as_str()))?;
    }
    if let Some(registration) = quakefs::why::registration(&search_path) {
        let said = words::Registered { registration, rules: search_path.rules() }.to_string();
        writeln!(console.out, "\n{}: {}", registration.name(), crate::text::printable(&said))?;
    }
    output::warn_of(console, caveats::unreported(&search_path));
    Ok(Exit::Done)
}
