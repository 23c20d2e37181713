//! `place`: where a download goes, how it is started, and what it changes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::disk::{Disk, SystemDisk};
use quakefs::findings::Severity;
use quakefs::pak_format::EntryNameBuf;
use quakefs::{Engine, Rules, SearchPath};
use quakefs_installed::{Download, PlaceOptions, Placement, Start, mods, place};
use quakefs_needs::Levels;

use crate::args::{Game, Place, folders_in};
use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, counted};
use crate::text::{command_line, escaped};

/// How many files of a part without a folder are named.
const NAMED: usize = 3;
/// The most games that are tried for the program that levels were made for.
const TRIED: usize = 16;

pub(crate) fn run(args: &Place, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    for file in &args.files {
        exit = exit.max(one(file, args, console)?);
    }
    Ok(exit)
}

fn one(file: &Utf8Path, args: &Place, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let named = args.game.named_rules(&console.environment)?;
    let disk: Arc<dyn Disk> = Arc::new(SystemDisk);
    let download = Download::open(&disk, file).map_err(|error| Message::from(&error))?;
    let base = args.game.base_directory(console).and_then(|base| Utf8PathBuf::from_path_buf(base).ok());
    let directories = base.as_ref().map_or_else(Vec::new, |base| folders_in(&*disk, base));
    let options = PlaceOptions {
        engine: named.as_ref(),
        name: args.name.as_deref(),
        directories: &directories,
        pak: 0,
    };
    let placement = place(&download, &options);
    let rules = named.unwrap_or_else(|| placement.family.engine.rules().clone());
    for note in &placement.notes {
        console.warn(&Message::without_help(format!("{file}: {note}")));
    }
    if let Some(nothing) = placement.nothing {
        let text = format!("{file}: nothing of it goes into a game: {nothing}");
        console.error(&Message { text, help: nothing.help().map(ToOwned::to_owned) });
        return Ok(Exit::NotFound);
    }
    print_parts(file, &placement, console)?;
    print_starts(file, &placement, &rules, console)?;
    Ok(Exit::Done)
}

fn print_parts(file: &Utf8Path, placement: &Placement, console: &mut Console<'_>) -> Result<(), Failure> {
    if console.json {
        for part in &placement.parts {
            let pairs = [
                ("file", file.as_str().into()),
                ("from", (&*part.from).into()),
                ("to", (&*part.to).into()),
                ("by", part.by.name().into()),
                ("files", part.files.into()),
                ("game", part.game.clone().into()),
                ("text", part.by.line().into()),
            ];
            output::pairs(console, "placed", &pairs)?;
        }
        return Ok(());
    }
    writeln!(console.out, "{file}: for {}", placement.family.name)?;
    for (number, part) in placement.parts.iter().enumerate() {
        let from = if part.from.is_empty() { "everything" } else { &part.from };
        let files = counted(part.files as u64, "file", "files");
        writeln!(console.out, "  {from} goes to {} ({files}): {}", part.to, part.by)?;
        let _ = number;
    }
    Ok(())
}

fn print_starts(
    file: &Utf8Path,
    placement: &Placement,
    rules: &Rules,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    for start in &placement.starts {
        let words = start.words(placement.family);
        if console.json {
            let pairs = [
                ("file", file.as_str().into()),
                ("engine", (&*rules.name).into()),
                ("words", words.into()),
                ("missions", start.missions.clone().into()),
                ("games", start.games.clone().into()),
                ("level", start.level.clone().into()),
            ];
            output::pairs(console, "start", &pairs)?;
        } else {
            let words = [&*rules.name].into_iter().chain(words.iter().map(String::as_str));
            writeln!(console.out, "  start it with: {}", command_line(words))?;
        }
    }
    Ok(())
}
