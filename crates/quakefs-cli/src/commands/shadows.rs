//! `shadows`: every overridden copy with its winner, and each companion of a level that the engine ignores.

use quakefs::{EntryName, Pattern};
use quakefs_game::{CompanionRow, OverriddenRow};

use crate::args::{GameArgs, Shadows};
use crate::caveats;
use crate::commands::ls::{globs, matching};
use crate::console::{Console, Exit, Failure, Message, Part};
use crate::line::{LayerColumn, Line, print_names};
use crate::output;
use crate::text::printable;

pub(crate) fn run(game: &GameArgs, args: &Shadows, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut game = game.open(console)?;
    caveats::list(&mut game, console);
    let search_path = &game.search_path;
    let mut pairs = quakefs::why::overridden(search_path);
    let mut budget = args.decode.budget(quakefs::why::decode_budget(search_path));
    let mut skipped = quakefs::why::skipped_companions(search_path, &mut budget);
    let mut copies = quakefs::why::skipped_copies(search_path);
    let mut exit = Exit::Done;
    if !args.patterns.is_empty() {
        let globs = globs(search_path, &args.patterns)?;
        let selected = Pattern::select(&globs, pairs, |pair| pair.winner.name());
        pairs = selected.items;
        skipped = Pattern::select(&globs, skipped, |(_, copy)| copy.name.as_name()).items;
        copies = Pattern::select(&globs, copies, |copy| copy.name.as_name()).items;
        // a file without overridden copies is no mistake
        let idle: Vec<_> =
            selected.idle.iter().filter_map(|index| args.patterns.get(*index).cloned()).collect();
        if !idle.is_empty() {
            exit = matching(&game, &idle, console)?.1;
        }
    }
    if let Some(end) = args.names.end(console) {
        // the copies that one file overrides follow one another
        let groups = pairs.chunk_by(|a, b| a.winner.name() == b.winner.name());
        let winners = groups.filter_map(|group| Some(group.first()?.winner.name()));
        let is_overridden = |name: &EntryName<'_>| pairs.iter().any(|pair| pair.winner.name() == *name);
        let others = skipped.iter().map(|(_, copy)| copy.name.as_name()).filter(|name| !is_overridden(name));
        print_names(winners.chain(others), end, console)?;
        return Ok(exit);
    }
    let winners = LayerColumn::new(pairs.iter().map(|pair| pair.winner.layer().name()), Part::Place, console);
    let overridden =
        LayerColumn::new(pairs.iter().map(|pair| pair.copy.layer().name()), Part::Passed, console);
    let mut not_read = 0;
    let mut line = Line::new(console);
    for pair in &pairs {
        let same = pair.is_same_content(&mut budget);
        match &same {
            Ok(None) => not_read += 1,
            Ok(Some(_)) => {}
            Err(error) => {
                console.error(&error.into());
                exit = Exit::Failed;
            }
        }
        let (winner, copy) = (&pair.winner, &pair.copy);
        let row = || Ok(OverriddenRow::new(pair, same.as_ref().ok().copied().flatten()));
        output::one(console, "overridden", row, |console| {
            let same = match same {
                Ok(Some(true)) => "same",
                Ok(Some(false)) => "different",
                Ok(None) => "not read",
                Err(_) => "unreadable",
            };
            line.cell(winners.of(winner.layer().name()));
            line.text("overrides", 9);
            line.cell(overridden.of(copy.layer().name()));
            line.text(same, 10);
            Ok(line.end(winner.name(), console.out)?)
        })?;
    }
    let rows: Vec<_> = copies.iter().map(|copy| game.skipped_row(copy)).collect();
    output::answer(console, "skipped", &rows, |console| {
        for row in &rows {
            let (location, reason) = (printable(&row.location), printable(&row.reason));
            let skipped = console.paint(Part::Passed, "skipped");
            writeln!(console.out, "{skipped}    {location}: {reason}")?;
        }
        Ok(())
    })?;
    let rows = skipped.iter().map(|(level, copy)| CompanionRow::new(level.as_name(), copy));
    output::answer(console, "companion", rows, |console| {
        for (level, copy) in &skipped {
            let layer = printable(copy.file.layer().name());
            let text = copy.to_string();
            let because = printable(&text);
            writeln!(console.out, "{layer}  {}  beside {}: {because}", copy.name.as_name(), level.as_name())?;
        }
        Ok(())
    })?;
    if not_read > 0 {
        let pairs = output::counted(not_read, "pair was", "pairs were");
        let text = format!("{pairs} not compared: it would take too long");
        console.warn(&Message::new(text, "allow more bytes with --max-output"));
    }
    Ok(exit)
}
