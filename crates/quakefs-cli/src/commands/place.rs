//! `place`: where a download goes, how it is started, and what it changes.

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::ErrorKind;
use quakefs_game::{
    EffectsRow, Error, JournalRow, Options, Over, PartRow, PlaceAnswer, Placed, StartRow, Surroundings, some,
};

use crate::args::{Place, Writing, say};
use crate::console::{Console, Exit, Failure, Message};
use crate::extraction::{extract_part, refused};
use crate::output::{self, Column, counted};
use crate::progress::Progress;
use crate::text::{command_line, printable};
use crate::undo::undo;

pub(crate) fn run(args: &Place, console: &mut Console<'_>) -> Result<Exit, Failure> {
    if args.list {
        return list(args, console);
    }
    if let Some(name) = &args.undo {
        return undo("place", &journal(name, args, console)?, console);
    }
    let mut told = Vec::new();
    let exit = of_files(&args.files, args, &mut told, console)?;
    output::for_people(console, |console| summary(told, args, console))?;
    Ok(exit)
}

/// Lists what was placed in the base directory.
fn list(args: &Place, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let (options, surroundings) = asked(args, console)?;
    let rows = JournalRow::all(&options, &surroundings)?;
    output::answer(console, "journal", &rows, |console| {
        let titles = [
            Column::Copied("download"),
            Column::Number("files"),
            Column::Text("folders"),
            Column::Copied("journal"),
        ];
        let cells = rows.iter().map(|row| {
            let download = row.download.clone().unwrap_or_else(|| "-".to_owned());
            vec![download, row.files.to_string(), row.folders.join(" "), row.journal.clone()]
        });
        output::table(console, &titles, cells)?;
        if rows.is_empty() {
            writeln!(console.out, "no download was placed here with --write")?;
        }
        Ok(())
    })?;
    Ok(if rows.is_empty() { Exit::NotFound } else { Exit::Done })
}

/// The path of a journal, or else the journal of a download, by its name or its path.
fn journal(name: &Utf8Path, args: &Place, console: &mut Console<'_>) -> Result<Utf8PathBuf, Failure> {
    let Some(download) = name.file_name().filter(|_| name.extension() != Some("jsonl")) else {
        return Ok(name.to_owned());
    };
    let (options, surroundings) = asked(args, console)?;
    Ok(JournalRow::named(download, &options, &surroundings)?.journal.into())
}

/// What the command line says, and what surrounds it.
fn asked(args: &Place, console: &Console<'_>) -> Result<(Options, Surroundings), Failure> {
    Ok((args.game.options(&console.environment)?, args.game.surroundings(&console.environment)?))
}

/// What became of a download.
struct Told {
    file: String,
    /// The folders that its parts go to.
    to: String,
    outcome: Outcome,
    /// The downloads within the folder.
    within: Vec<Utf8PathBuf>,
}

#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    Placed,
    ThereAlready,
    /// `--write` would place it.
    NotYet,
    Guess,
    NotPlaced,
}

impl Outcome {
    fn text(self) -> &'static str {
        match self {
            Outcome::Placed => "placed",
            Outcome::ThereAlready => "there already",
            Outcome::NotYet => "not written yet",
            Outcome::Guess => "a guess",
            Outcome::NotPlaced => "not placed",
        }
    }
}

/// Tells of several downloads what became of each, and how they are written.
fn summary(told: Vec<Told>, args: &Place, console: &mut Console<'_>) -> Result<(), Failure> {
    let waits = told.iter().filter(|told| told.outcome == Outcome::NotYet).count();
    if told.len() > 1 {
        let titles = [Column::Text("outcome"), Column::Text("goes to"), Column::Copied("download")];
        let cells = told.into_iter().map(|told| {
            let to = if told.to.is_empty() { "-".to_owned() } else { told.to };
            vec![told.outcome.text().to_owned(), to, told.file]
        });
        writeln!(console.out)?;
        output::table(console, &titles, cells)?;
    }
    if waits > 0 {
        let name = args.name.as_deref().map(|name| ["--as", name]);
        let files = args.files.iter().map(|file| file.as_str());
        let words = command_line(files.chain(name.into_iter().flatten()).chain(["--write"]));
        let them = if waits == 1 { "it" } else { "them" };
        console
            .note(format!("nothing is written yet: `{} {words}` unpacks {them}", args.game.suggest("place")));
    }
    Ok(())
}

/// Goes on after a download that fails, because the others may be right.
fn of_files(
    files: &[Utf8PathBuf],
    args: &Place,
    all: &mut Vec<Told>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let (mut exit, mut told) = (Exit::Done, String::new());
    for file in files {
        let (to, within) = (String::new(), Vec::new());
        let mut this = Told { file: file.to_string(), to, outcome: Outcome::NotPlaced, within };
        match of_file(file, args, &mut this, console) {
            Ok(of_file) => exit = exit.max(of_file),
            Err(Failure::Error(message)) => {
                // a wrong option fails for each of them
                if message.text != told {
                    console.error(&message);
                }
                (exit, told) = (Exit::Failed, message.text);
            }
            Err(closed) => return Err(closed),
        }
        let within = std::mem::take(&mut this.within);
        if within.is_empty() || !this.to.is_empty() {
            all.push(this);
        }
        exit = exit.max(of_files(&within, args, all, console)?);
    }
    Ok(exit)
}

/// Tells where a download goes, and notes it in `told`, also before an error.
fn of_file(
    file: &Utf8Path,
    args: &Place,
    told: &mut Told,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let (options, surroundings) = asked(args, console)?;
    let over = Over { name: args.name.clone(), file: file.to_owned() };
    let placed = Placed::of(&options, &surroundings, &over)?;
    told.within.clone_from(&placed.placement.downloads);
    placed.notes.iter().for_each(|note| say(note, console));
    let answer = &placed.answer;
    told.to = answer.parts.iter().map(|part| &*part.to).collect::<Vec<_>>().join(" ");
    let is_placed = answer.nothing.is_none();
    let effects = if is_placed && placed.base.is_some() { placed.effects()? } else { None };
    if !is_placed {
        console.error(&Message { text: answer.to_string(), help: answer.help.clone() });
        return Ok(Exit::NotFound);
    }
    if answer.parts.is_empty() {
        if !answer.left.is_empty() {
            output::answer(console, "placed", &answer.parts, |console| print(answer, &[], None, console))?;
        }
        return Ok(Exit::Done);
    }
    let starts: Vec<StartRow> = answer.starts_with(effects.as_ref()).into_iter().cloned().collect();
    output::answer(console, "placed", &answer.parts, |console| {
        print(answer, &starts, placed.base.as_deref(), console)
    })?;
    output::answer(console, "start", &starts, |_| Ok(()))?;
    output::answer(console, "existing", answer.existing.as_slice(), |_| Ok(()))?;
    if args.write && placed.base.is_none() {
        placed.check_write()?;
    }
    let Some(mut effects) = effects else {
        console
            .note("name the folder of the game with --basedir to see what the download changes".to_owned());
        return Ok(Exit::Done);
    };
    if !args.changes {
        effects.changes.clear();
    }
    output::answer(console, "effects", [&effects], |console| print_effects(&effects, console))?;
    if args.write {
        let (outcome, exit) = write(&placed, console)?;
        told.outcome = outcome;
        return Ok(exit);
    }
    match placed.check_write() {
        Ok(_) if answer.existing.as_ref().is_some_and(|there| there.same == placed.placement.files.len()) => {
            told.outcome = Outcome::ThereAlready;
        }
        Ok(_) => told.outcome = Outcome::NotYet,
        Err(error) => {
            told.outcome = if answer.guess { Outcome::Guess } else { Outcome::NotPlaced };
            let Message { text, help } = Message::from(&error);
            console.note([Some(text), help].into_iter().flatten().collect::<Vec<_>>().join("; "));
        }
    }
    Ok(Exit::Done)
}

/// Unpacks the download. Nothing is written if the place is a guess, or if a file there differs.
fn write(placed: &Placed, console: &mut Console<'_>) -> Result<(Outcome, Exit), Failure> {
    let progress = Progress::of_files(console);
    let limit = placed.placement.limits().max_output;
    let writing = Writing { overwrite: false, skip_existing: true, limit, dry_run: false };
    let written = placed.write(|plan, base, options| {
        progress.begin(plan.files().len() as u64);
        extract_part(plan, base, &writing, options, &progress, console)
    });
    let (journal, exit) = written.map_err(|error| match (&error, &placed.base) {
        (Error::Quake(quake), Some(base)) if matches!(quake.kind(), ErrorKind::TooManyBytes { .. }) => {
            refused(quake, base, &writing).into()
        }
        _ => Failure::from(error),
    })?;
    let exit = exit?;
    if progress.is_interrupted() {
        console.warn(&Message::new(progress.interrupted(), "the same command continues"));
    }
    let outcome = if journal.is_some() { Outcome::Placed } else { Outcome::ThereAlready };
    if let Some(journal) = journal {
        let undo = command_line(["quakefs", "place", "--undo", journal.path().as_str()]);
        console.note(format!("`{undo}` undoes this"));
    }
    // a warning has told which
    let is_whole = placed.placement.unplaceable() == 0;
    Ok((outcome, if is_whole { exit } else { exit.max(Exit::Failed) }))
}

fn print(
    answer: &PlaceAnswer,
    starts: &[StartRow],
    base: Option<&Utf8Path>,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    match answer.parts.len() {
        0 => writeln!(console.out, "{answer}")?,
        _ => writeln!(console.out, "{}: for {}", printable(&answer.file), answer.family)?,
    }
    for part in &answer.parts {
        let to = base.map_or_else(|| part.to.clone(), |base| base.join(&part.to).to_string());
        let count = counted(part.files.len() as u64, "file", "files");
        let (from, to) = (named(part, answer.parts.len() == 1 && answer.left.is_empty()), printable(&to));
        writeln!(console.out, "  {} -> {to} ({count}): {}", printable(&from), printable(&part.reason))?;
    }
    if !answer.left.is_empty() {
        let verb = if answer.left.len() == 1 { "stays" } else { "stay" };
        let files = counted(answer.left.len() as u64, "file", "files");
        let names = some(answer.left.iter().map(String::as_str));
        writeln!(console.out, "  {files} {verb} in the download: {}", printable(&names))?;
    }
    for StartRow { words, .. } in starts {
        let words = [&*answer.program].into_iter().chain(words.iter().map(String::as_str));
        writeln!(console.out, "  start it with: {}", command_line(words))?;
    }
    let Some(existing) = &answer.existing else { return Ok(()) };
    if existing.same + existing.different.len() > 0 {
        writeln!(console.out, "  {}", printable(&existing.to_string()))?;
    }
    Ok(())
}

/// Prints what the engine would load differently, what would be wrong, and which game fits the levels.
fn print_effects(effects: &EffectsRow, console: &mut Console<'_>) -> Result<(), Failure> {
    for change in &effects.changes {
        writeln!(console.out, "    {}", printable(&change.to_string()))?;
    }
    for line in effects.to_string().lines() {
        writeln!(console.out, "  {}", printable(line))?;
    }
    for problem in &effects.problems {
        console.warn(&problem.into());
    }
    Ok(())
}

/// A part by its folder, or by its files if they have none.
fn named(part: &PartRow, is_only: bool) -> String {
    if part.from.is_empty() && is_only && part.by != "levels" {
        "everything".to_owned()
    } else if part.from.is_empty() || part.files.len() == 1 {
        some(part.files.iter().map(String::as_str))
    } else {
        part.from.clone()
    }
}
