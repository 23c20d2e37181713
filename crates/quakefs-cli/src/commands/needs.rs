//! `needs`: the files that levels need, and which of them are missing.

use std::collections::{HashMap, HashSet};

use camino::Utf8Path;
use quakefs::File;
use quakefs::findings::Severity;
use quakefs::pak_format::EntryNameBuf;
use quakefs::sentences::Help as _;
use quakefs_archives::{Digest, DigestKind};
use quakefs_game::{Game, LayerRow, LevelProblem, NeedRow, Needed, first_incidents, of_entity};
use quakefs_needs::{Levels, Need, Needs, Trouble};

use crate::args::{GameArgs, Needs as Args};
use crate::commands::ls::{matching, with_levels};
use crate::console::{Console, Exit, Failure, Message, Part};
use crate::findings::Printer;
use crate::output::{self, Column, counted, grouped, named};
use crate::text::{SHELL, command_line, printable};

pub(crate) fn run(game: &GameArgs, args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut printer = Printer::new(&args.findings, console);
    let game = game.asking("needs").open(console)?;
    let levels = Levels::new(&game.search_path).modes(args.modes.modes());
    let (needed, exit) = if args.levels.is_empty() {
        (Needed::of_own(&levels, true), Exit::Done)
    } else {
        let (names, exit) = asked(&game, &levels, &args.levels, console)?;
        if names.is_empty() {
            return Ok(exit);
        }
        (Needed::of(&levels, names, false), exit)
    };
    for note in &needed.notes {
        console.note(note.clone());
    }
    let problems = needed.problems(&game.search_path);
    if printer.format.has_only_findings() {
        printer = printer.of_game(&game);
        let findings: Vec<_> = problems.iter().map(|problem| problem.problem(&game)).collect();
        printer.print(&findings, &game.rules().name, console)?;
        return printer.end(exit, console);
    }
    printer.count(problems.iter().map(LevelProblem::severity));
    for (name, needs) in &needed.levels {
        troubles(name, needs, console);
    }
    let program = needed.unsupported();
    output::answer(console, "incident", &program, |console| {
        for row in &program {
            console.note(format!("{}: {}", row.file, row.reason));
        }
        Ok(())
    })?;
    output::answer(console, "incident", needed.incidents(), |console| {
        needed.levels.iter().for_each(|(name, needs)| incidents_of(name, needs, console));
        Ok(())
    })?;
    if args.archives {
        archives(&game, &needed, &args.levels, console)?;
        return printer.end(exit, console);
    }
    let shown = needed.files().filter(|need| args.all || need.is_missing());
    let shown: Vec<_> = shown.map(|need| game.need(need)).collect();
    output::answer(console, "need", &shown, |console| {
        if args.all { table(&shown, console) } else { missing(&shown, console) }?;
        Ok(writeln!(console.out, "{needed}")?)
    })?;
    printer.end(exit, console)
}

/// The levels that the patterns name; without patterns, all levels of the game.
pub(super) fn asked(
    game: &Game,
    levels: &Levels,
    patterns: &[String],
    console: &mut Console<'_>,
) -> Result<(Vec<EntryNameBuf>, Exit), Failure> {
    if patterns.is_empty() {
        return Ok((levels.own(), Exit::Done));
    }
    let mut patterns = with_levels(game, patterns);
    let asked = patterns.len();
    // a word that is neither a file, a folder nor a pattern is meant for a level
    patterns.retain(|word| {
        let is_path = word.contains(['*', '?', '[', '{', '/', '\\']) || game.search_path.is_dir(word);
        let Some(error) = (!is_path).then(|| game.level_named(word.as_bytes()).err()).flatten() else {
            return true;
        };
        console.error(&Message { text: error.to_string(), help: error.help(SHELL) });
        false
    });
    if patterns.is_empty() {
        return Ok((Vec::new(), Exit::NotFound));
    }
    let (files, exit) = matching(game, &patterns, console)?;
    let exit = if patterns.len() < asked { Exit::NotFound } else { exit };
    // a folder stands for its levels, or else its models
    let is_level = |file: &&File<'_>| file.name().as_bytes().ends_with(b".bsp");
    let is_taken = |file: &&File<'_>| Levels::takes(file.name().as_bytes());
    let has_levels = files.iter().any(|file| is_level(&file));
    let names = files.iter().filter(|file| if has_levels { is_level(file) } else { is_taken(file) });
    let names: Vec<_> = names.map(|file| file.name().into()).collect();
    match files.first() {
        Some(file) if names.is_empty() => {
            if let Err(error) = game.level_named(file.name().as_bytes()) {
                console.error(&Message { text: error.to_string(), help: error.help(SHELL) });
            }
            Ok((names, Exit::NotFound))
        }
        _ => Ok((names, exit)),
    }
}

/// Prints why the answer about a level is not complete.
pub(super) fn troubles(level: &EntryNameBuf, needs: &Needs, console: &mut Console<'_>) {
    for trouble in &needs.troubles {
        let text = match trouble {
            // the sentence already names the level
            Trouble::Unreadable { name, .. } if name == level => trouble.to_string(),
            Trouble::NotLoaded(_) => trouble.to_string(),
            _ => format!("{level}: {trouble}"),
        };
        let message = Message { text, help: trouble.help(SHELL) };
        match trouble.severity() {
            Severity::Error => console.error(&message),
            Severity::Warning => console.warn(&message),
            Severity::Note => console.note(message.text),
        }
    }
}

/// Prints the first incident of each kind of a level.
fn incidents_of(level: &EntryNameBuf, needs: &Needs, console: &mut Console<'_>) {
    for (incident, more) in first_incidents(needs) {
        let text = format!("{level}: {}", of_entity(incident, more));
        console.warn(&Message { text, help: incident.help(SHELL) });
    }
}

/// Prints each missing file once, with the first need and the number of further ones.
pub(super) fn missing(needs: &[NeedRow], console: &mut Console<'_>) -> Result<(), Failure> {
    let mut order: Vec<&NeedRow> = Vec::new();
    let mut more: HashMap<&str, u64> = HashMap::new();
    for need in needs {
        let count = more.entry(&need.name).or_default();
        if *count == 0 {
            order.push(need);
        }
        *count += 1;
    }
    // many names have the same advice
    let mut advised = HashSet::new();
    for need in order {
        let text = need.reason.as_ref().unwrap_or(&need.name);
        let missing = console.paint(Part::Missing, "missing");
        writeln!(console.out, "{missing} {}: {}", need.kind, printable(text))?;
        let others = match more.get(&*need.name).map_or(0, |count| count - 1) {
            0 => String::new(),
            count => format!(", and by {}", counted(count, "more level", "more levels")),
        };
        let modes = if need.modes.is_empty() { String::new() } else { format!(" ({})", need.modes) };
        writeln!(console.out, "  needed by {}{modes}{others}", printable(&need.by.join(", ")))?;
        if let Some(help) = need.help.as_ref().filter(|help| advised.insert(*help)) {
            writeln!(console.out, "  help: {}", printable(help))?;
        }
    }
    Ok(())
}

/// Prints the archives with how many of the files that these levels need each has.
fn archives(
    game: &Game,
    needed: &Needed,
    levels: &[String],
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let mut rows = game.layers_needed(needed);
    let loose: usize = rows.iter().filter(|row| row.size.is_none()).filter_map(|row| row.needed).sum();
    rows.retain(|row| row.size.is_some());
    for row in &mut rows {
        // what is in another archive or in memory has no file of its own
        let path = row.path.as_deref().filter(|path| Utf8Path::new(path).is_file());
        let Some(path) = path else { continue };
        let sums = Digest::several_at(&[DigestKind::Sha256], path)
            .map_err(|error| Message::without_help(format!("{path}: cannot be read: {error}")))?;
        row.sha256 = sums.first().map(ToString::to_string);
    }
    output::answer(console, "layer", &rows, |console| {
        let number =
            |number: Option<u64>| number.map_or_else(String::new, |size| output::cell(console, size));
        let row = |row: &LayerRow| {
            let checksum = row.pk3_checksum.map_or_else(|| "-".to_owned(), |sum| sum.to_string());
            let sha256 = row.sha256.clone().unwrap_or_else(|| "-".to_owned());
            let needed = number(row.needed.map(|count| count as u64));
            vec![row.layer.clone(), needed, number(row.size), checksum, sha256]
        };
        let titles = [
            Column::Copied("archive"),
            Column::Number("files needed"),
            Column::Number("bytes"),
            Column::Number("pk3 checksum"),
            Column::Copied("sha-256"),
        ];
        let cells: Vec<_> = rows.iter().map(row).collect();
        output::table(console, &titles, cells)?;
        let idle = rows.iter().filter(|row| row.needed == Some(0)).count();
        let (all, idle) = (counted(rows.len() as u64, "archive", "archives"), grouped(idle as u64));
        let between = if rows.is_empty() { "" } else { "\n" };
        write!(console.out, "{between}{needed}; {all}, {idle} without any of them")?;
        if loose > 0 {
            write!(console.out, "; {} loose", counted(loose as u64, "file is", "files are"))?;
        }
        writeln!(console.out)?;
        let named = command_line(levels.iter().map(String::as_str));
        let about = |command| format!("{} {named}", output::suggest(game, command)).trim_end().to_owned();
        if needed.files().any(Need::is_missing) {
            console.note(format!("`{}` lists the missing files", about("needs")));
        }
        if loose > 0 && !levels.is_empty() {
            console.note(format!("`{} -o FILE` archives the loose files too", about("pack")));
        }
        Ok(())
    })
}

fn table(needs: &[NeedRow], console: &mut Console<'_>) -> Result<(), Failure> {
    let row = |need: &&NeedRow| {
        let layer = match &need.layer {
            Some(layer) => layer.clone(),
            None if need.missing => "missing".to_owned(),
            None => "-".to_owned(),
        };
        vec![need.name.clone(), need.kind.to_owned(), need.presence.to_owned(), layer, need.by.join(", ")]
    };
    let mut rows: Vec<&NeedRow> = needs.iter().collect();
    // missing ones first
    rows.sort_by_key(|need| !need.missing);
    let titles = named("name", &["kind", "presence", "layer", "needed by"]);
    output::table(console, &titles, rows.iter().map(row))
}
