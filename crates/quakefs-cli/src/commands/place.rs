//! `place`: where a download goes, how it is started, and what it changes.

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::ErrorKind;
use quakefs_game::{EffectsRow, Error, Over, PartRow, PlaceAnswer, Placed, StartRow, some};

use crate::args::{Place, Writing, say};
use crate::console::{Console, Exit, Failure, Message};
use crate::extraction::{extract_part, refused};
use crate::output::{self, counted};
use crate::progress::Progress;
use crate::text::{command_line, printable};
use crate::undo::undo;

pub(crate) fn run(args: &Place, console: &mut Console<'_>) -> Result<Exit, Failure> {
    if let Some(journal) = &args.undo {
        return undo("place", journal, console);
    }
    of_files(&args.files, args, console)
}

/// Goes on after a download that fails, because the others may be right.
fn of_files(files: &[Utf8PathBuf], args: &Place, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let (mut exit, mut told) = (Exit::Done, String::new());
    for file in files {
        let mut within = Vec::new();
        match of_file(file, args, &mut within, console) {
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
        exit = exit.max(of_files(&within, args, console)?);
    }
    Ok(exit)
}

/// Adds the downloads within a folder to `within`.
fn of_file(
    file: &Utf8Path,
    args: &Place,
    within: &mut Vec<Utf8PathBuf>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let options = args.game.options(&console.environment)?;
    let surroundings = args.game.surroundings(&console.environment)?;
    let over = Over { name: args.name.clone(), file: file.to_owned() };
    let placed = Placed::of(&options, &surroundings, &over)?;
    within.clone_from(&placed.placement.downloads);
    placed.notes.iter().for_each(|note| say(note, console));
    let answer = &placed.answer;
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
    // a level in the game that fits it
    let best = effects.as_ref().and_then(|effects| effects.start.as_ref());
    let is_of_level = |start: &StartRow| best.filter(|best| best.level == start.level).cloned();
    let starts = answer.starts.iter().map(|start| is_of_level(start).unwrap_or_else(|| start.clone()));
    let starts = &*starts.collect::<Vec<_>>();
    output::answer(console, "placed", &answer.parts, |console| {
        print(answer, starts, placed.base.as_deref(), console)
    })?;
    output::answer(console, "start", starts, |_| Ok(()))?;
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
    if args.write { write(&placed, console) } else { Ok(Exit::Done) }
}

/// Unpacks the download. Nothing is written if the place is a guess, or if a file there differs.
fn write(placed: &Placed, console: &mut Console<'_>) -> Result<Exit, Failure> {
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
    if let Some(journal) = journal {
        let undo = command_line(["quakefs", "place", "--undo", journal.path().as_str()]);
        console.note(format!("`{undo}` undoes this"));
    }
    // a warning has told which
    let is_whole = placed.placement.unplaceable() == 0;
    Ok(if is_whole { exit } else { exit.max(Exit::Failed) })
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
        let (from, to) = (named(part, answer.parts.len() == 1), printable(&to));
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
