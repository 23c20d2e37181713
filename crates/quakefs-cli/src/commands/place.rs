//! `place`: where a download goes, how it is started, and what it changes.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::EntryNameBuf;
use quakefs::content::ContentType;
use quakefs::disk::{Disk, SystemDisk, folders_in};
use quakefs::findings::Severity;
use quakefs::sentences::Help as _;
use quakefs::{File, Finding, SearchPath};
use quakefs_extract::journal::Journal;
use quakefs_installed::{By, Download, Part, PlaceOptions, Placement, Selection, Start, mods, place};
use quakefs_needs::{Levels, Needs, Presence};
use serde_json::Value;

use crate::args::{Game, Place, Writing, say};
use crate::console::{Console, Exit, Failure, Message};
use crate::extraction::{extract_part, refused};
use crate::output::{self, counted};
use crate::progress::Progress;
use crate::text::{command_line, escaped};
use crate::undo::undo;

/// How many names of files are printed in a line.
const NAMED: usize = 4;
/// The most games that are tried for the program that levels were made for.
const TRIED: usize = 16;

pub(crate) fn run(args: &Place, console: &mut Console<'_>) -> Result<Exit, Failure> {
    if let Some(journal) = &args.undo {
        return undo("place", journal, console);
    }
    let mut exit = Exit::Done;
    for file in &args.files {
        exit = exit.max(Placing::new(file, args, console)?.run(console)?);
    }
    Ok(exit)
}

/// A download, and the game that it goes to.
struct Placing<'a> {
    file: &'a Utf8Path,
    args: &'a Place,
    /// The game with the engine that was named, or else one for the family of the download.
    game: Game,
    engine: String,
    /// The base directory, if it holds a game.
    base: Option<Utf8PathBuf>,
    directories: Vec<String>,
    placement: Placement,
}

impl<'a> Placing<'a> {
    fn new(file: &'a Utf8Path, args: &'a Place, console: &mut Console<'_>) -> Result<Self, Failure> {
        let disk: Arc<dyn Disk> = Arc::new(SystemDisk);
        let download = Download::open(&disk, file).map_err(|error| Message::from(&error))?;
        let named = args.game.named_rules(console)?;
        let base = args.game.base_directory(console).and_then(|base| Utf8PathBuf::from_path_buf(base).ok());
        let directories = base.as_ref().and_then(|base| folders_in(&disk, base).ok()).unwrap_or_default();
        let options = PlaceOptions {
            engine: named.as_ref(),
            name: args.name.as_deref(),
            directories: &directories,
            ..PlaceOptions::default()
        };
        let placement = place(&download, &options);
        let engine = placement.family.engine();
        let game = if named.is_some() { args.game.clone() } else { args.game.for_engine(engine) };
        let rules = named.as_ref().unwrap_or(engine.rules());
        let has_base =
            |name: &String| rules.directories.base.iter().any(|base| name.eq_ignore_ascii_case(base));
        let base = base.filter(|_| directories.iter().any(has_base));
        Ok(Placing { file, args, game, engine: rules.name.to_string(), base, directories, placement })
    }

    fn run(&self, console: &mut Console<'_>) -> Result<Exit, Failure> {
        for note in &self.placement.notes {
            say(self.file, note, console);
        }
        if let Some(nothing) = self.placement.nothing {
            let text = format!("{}: nothing of it goes into a game: {nothing}", self.file);
            console.error(&Message { text, help: nothing.help(None) });
            return Ok(Exit::NotFound);
        }
        self.print_parts(console)?;
        self.print_starts(console)?;
        let Some(base) = &self.base else {
            let help = "name the folder of the game with --basedir";
            if self.args.write {
                let text = format!("{}: there is no game to put it into", self.file);
                return Err(Message::new(text, help).into());
            }
            console.note(format!("{help} to see what the download changes"));
            return Ok(Exit::Done);
        };
        let different = self.print_existing(base, console)?;
        self.print_effects(console)?;
        if self.args.write { self.write(base, &different, console) } else { Ok(Exit::Done) }
    }

    /// Unpacks the download. Nothing is written if the place is a guess, or if a file there differs.
    fn write(&self, base: &Utf8Path, different: &[&str], console: &mut Console<'_>) -> Result<Exit, Failure> {
        if let Some(guess) = self.placement.guess() {
            let text = format!("{}: not unpacked: {} is a guess", self.file, guess.to);
            let name = guess.to.split('/').next().unwrap_or_default();
            let help = format!("name the game directory with {}", command_line(["--as", name]));
            return Err(Message::new(text, help).into());
        }
        if !different.is_empty() {
            let files = counted(different.len() as u64, "file differs", "files differ");
            let text = format!("{}: not unpacked: {files}: {}", self.file, some(different.iter().copied()));
            return Err(Message::new(text, "move them away, or choose another folder with --as").into());
        }
        let plan = self.placement.plan(base)?;
        let limits = self.placement.limits();
        let writing =
            Writing { overwrite: false, skip_existing: true, limit: limits.max_output, dry_run: false };
        plan.check(&limits).map_err(|error| refused(&error, base, &writing))?;
        let journal = Journal::of_plan(base, &plan)?;
        let progress = Progress::of_files(console);
        progress.begin(plan.files().len() as u64);
        let exit = extract_part(&plan, base, &writing, &progress, console)?;
        if progress.is_interrupted() {
            console.warn(&Message::new(progress.interrupted(), "the same command continues"));
        }
        if let Some(journal) = journal {
            let undo = command_line(["quakefs", "place", "--undo", journal.path().as_str()]);
            console.note(format!("`{undo}` undoes this"));
        }
        Ok(exit)
    }

    /// Prints one object about the download.
    fn object(
        &self,
        r#type: &'static str,
        pairs: &[(&str, Value)],
        console: &mut Console<'_>,
    ) -> Result<(), Failure> {
        let pairs: Vec<_> =
            [("file", self.file.as_str().into())].into_iter().chain(pairs.iter().cloned()).collect();
        output::pairs(console, r#type, &pairs)
    }

    fn print_parts(&self, console: &mut Console<'_>) -> Result<(), Failure> {
        let placement = &self.placement;
        if !console.json {
            writeln!(console.out, "{}: for {}", self.file, placement.family.name)?;
        }
        let mut files: Vec<Vec<&str>> = vec![Vec::new(); placement.parts.len()];
        for file in &placement.files {
            if let Some(of_part) = files.get_mut(file.part) {
                of_part.push(&file.from);
            }
        }
        for (part, files) in placement.parts.iter().zip(files) {
            if console.json {
                let pairs = [
                    ("from", (&*part.from).into()),
                    ("to", (&*part.to).into()),
                    ("by", part.by.name().into()),
                    ("files", part.files.into()),
                    ("game", part.game.clone().into()),
                    ("text", part.by.line().into()),
                ];
                self.object("placed", &pairs, console)?;
                continue;
            }
            let to =
                self.base.as_ref().map_or_else(|| part.to.clone(), |base| base.join(&part.to).to_string());
            let count = counted(part.files as u64, "file", "files");
            writeln!(console.out, "  {} -> {to} ({count}): {}", named(part, files), part.by)?;
        }
        if !console.json && !placement.left.is_empty() {
            let left = &placement.left;
            let verb = if left.len() == 1 { "stays" } else { "stay" };
            let files = counted(left.len() as u64, "file", "files");
            writeln!(
                console.out,
                "  {files} {verb} in the download: {}",
                some(left.iter().map(String::as_str))
            )?;
        }
        Ok(())
    }

    fn print_starts(&self, console: &mut Console<'_>) -> Result<(), Failure> {
        for start in &self.placement.starts {
            let words = start.words(&self.placement.family);
            if console.json {
                let pairs = [
                    ("engine", (&*self.engine).into()),
                    ("words", words.into()),
                    ("missions", start.missions.clone().into()),
                    ("games", start.games.clone().into()),
                    ("level", start.level.clone().into()),
                ];
                self.object("start", &pairs, console)?;
            } else {
                let words = [&*self.engine].into_iter().chain(words.iter().map(String::as_str));
                writeln!(console.out, "  start it with: {}", command_line(words))?;
            }
        }
        Ok(())
    }

    /// Prints the files that are there already. Returns those with other bytes.
    fn print_existing(&self, base: &Utf8Path, console: &mut Console<'_>) -> Result<Vec<&str>, Failure> {
        let existing = self.placement.existing(&SystemDisk, base);
        let to = |number: usize| self.placement.files.get(number).map(|file| &*file.to);
        let other: Vec<&str> =
            existing.iter().filter(|(_, same)| !same).filter_map(|(number, _)| to(*number)).collect();
        if console.json {
            let same = existing.len() - other.len();
            let pairs = [("same", same.into()), ("different", other.clone().into())];
            self.object("existing", &pairs, console)?;
        } else if !existing.is_empty() {
            let there = counted(existing.len() as u64, "file is there already", "files are there already");
            let which = if other.is_empty() {
                "all the same".to_owned()
            } else {
                format!("different: {}", some(other.iter().copied()))
            };
            writeln!(console.out, "  {there}, {which}")?;
        }
        Ok(other)
    }

    /// Mounts the game without printing anything.
    fn mount(game: &Game, console: &mut Console<'_>) -> Result<SearchPath, Failure> {
        let quiet = std::mem::replace(&mut console.quiet, true);
        let mounted = game.mount_on(None, console);
        console.quiet = quiet;
        mounted
    }

    /// Prints what the engine would load differently, what would be wrong, and what levels need.
    fn print_effects(&self, console: &mut Console<'_>) -> Result<(), Failure> {
        let start = self.placement.starts.first().cloned().unwrap_or_default();
        let exists = |name: &String| self.directories.contains(name);
        let mut without = start.clone();
        without.games.retain(exists);
        without.missions.retain(exists);
        let before = Self::mount(&self.game.started(&without), console)?;
        let over = self.game.with_download(self.file, self.args.name.as_deref());
        let after = Self::mount(&over.started(&start), console)?;
        self.print_changes(&before, &after, console)?;
        self.print_problems(&before, &after, console)?;
        self.print_needs(&over, &start, &after, console)
    }

    fn print_changes(
        &self,
        before: &SearchPath,
        after: &SearchPath,
        console: &mut Console<'_>,
    ) -> Result<(), Failure> {
        let placed: HashSet<&str> = self.placement.files.iter().map(|file| &*file.to).collect();
        let is_new = |file: &File<'_>| {
            let layer = file.layer().name();
            placed.contains(layer) || placed.contains(&*format!("{layer}{}", file.stored()))
        };
        let mut added = 0;
        let mut overridden: BTreeMap<String, u64> = BTreeMap::new();
        for file in after.files().filter(is_new) {
            let known = before.find(file.name());
            let over = known.as_ref().map(|known| known.layer().name().to_owned());
            if self.args.changes {
                let name = escaped(file.name());
                if console.json {
                    let pairs = [
                        ("name", name.into()),
                        ("layer", file.layer().name().into()),
                        ("overrides", over.clone().into()),
                    ];
                    self.object("change", &pairs, console)?;
                } else {
                    let over = over.as_ref().map_or_else(String::new, |over| format!(" overrides {over}"));
                    writeln!(console.out, "    {name}: {}{over}", file.layer().name())?;
                }
            }
            match over {
                Some(over) => *overridden.entry(over).or_default() += 1,
                None => added += 1,
            }
        }
        if console.json {
            let overridden: serde_json::Map<_, _> =
                overridden.into_iter().map(|(layer, count)| (layer, count.into())).collect();
            return self.object(
                "changes",
                &[("added", added.into()), ("overridden", overridden.into())],
                console,
            );
        }
        let mut changes = vec![format!("adds {}", counted(added, "name", "names"))];
        changes.extend(
            overridden
                .iter()
                .map(|(layer, count)| format!("overrides {} of {layer}", output::grouped(*count))),
        );
        writeln!(console.out, "  {}", changes.join(", "))?;
        Ok(())
    }

    /// Prints the warnings and errors of the game that it has only with the download.
    fn print_problems(
        &self,
        before: &SearchPath,
        after: &SearchPath,
        console: &mut Console<'_>,
    ) -> Result<(), Failure> {
        let known: HashSet<String> = quakefs::why::check(before).iter().map(Finding::to_string).collect();
        for finding in quakefs::why::check(after) {
            if finding.severity < Severity::Warning || known.contains(&finding.to_string()) {
                continue;
            }
            if console.json {
                let pairs = [
                    ("severity", finding.severity.name().into()),
                    ("kind", finding.kind.name().into()),
                    ("location", finding.location.to_string().into()),
                    ("reason", finding.sentence().into()),
                ];
                self.object("problem", &pairs, console)?;
            } else {
                console.warn(&Message::from(&finding));
            }
        }
        Ok(())
    }

    /// Prints which game has the program that the levels of the download were made for.
    fn print_needs(
        &self,
        over: &Game,
        start: &Start,
        after: &SearchPath,
        console: &mut Console<'_>,
    ) -> Result<(), Failure> {
        let files = || self.placement.files.iter();
        let is = |path: &str, content| ContentType::of(path.as_bytes()) == content;
        let levels: Vec<EntryNameBuf> = files()
            .filter(|file| is(&file.to, ContentType::Level))
            .filter_map(|file| file.to.split_once('/').map(|(_, name)| name.as_bytes().into()))
            .collect();
        if levels.is_empty() || files().any(|file| is(&file.to, ContentType::Program)) {
            return Ok(());
        }
        let found = mods(after);
        let games =
            found.iter().filter(|found| !found.programs.is_empty() && found.selection.is_selectable());
        let mut tried = Vec::new();
        for found in games.take(TRIED) {
            let mut start = start.clone();
            match &found.selection {
                Selection::Mission(flag) => start.missions.insert(0, flag.clone()),
                Selection::Game if !start.games.contains(&found.name) => {
                    start.games.insert(0, found.name.clone());
                }
                _ => {}
            }
            let Ok(search_path) = Self::mount(&over.started(&start), console) else { continue };
            let needs = Levels::new(&search_path).of(&levels);
            let missing = needs.iter().flat_map(Needs::missing);
            let missing = missing.filter(|need| need.presence == Presence::Required);
            let mut lost: BTreeSet<String> = missing.map(|need| need.name.as_name().to_string()).collect();
            let ends = needs.iter().flat_map(|needs| &needs.incidents).filter(|(incident, _)| incident.ends);
            lost.extend(ends.map(|(incident, _)| incident.to_string()));
            tried.push((found.name.as_str(), lost));
        }
        let Some(least) = tried.iter().map(|(_, lost)| lost.len()).min() else { return Ok(()) };
        if console.json {
            for (name, lost) in &tried {
                let pairs = [
                    ("game", (*name).into()),
                    ("missing", lost.iter().map(String::as_str).collect()),
                    ("best", (lost.len() == least).into()),
                ];
                self.object("needs", &pairs, console)?;
            }
            return Ok(());
        }
        let best: Vec<_> = tried.iter().filter(|(_, lost)| lost.len() == least).collect();
        let names = some(best.iter().map(|(name, _)| *name));
        match best.first() {
            Some((_, lost)) if !lost.is_empty() => {
                let missing = some(lost.iter().map(String::as_str));
                writeln!(console.out, "  its levels fit best to {names}, which lacks {missing}")?;
            }
            _ => writeln!(console.out, "  its levels find everything that they need in {names}")?,
        }
        Ok(())
    }
}

/// A part by its folder, or by its files if they have none.
fn named(part: &Part, files: Vec<&str>) -> String {
    if part.by == By::Levels || !part.from.is_empty() && part.files == 1 {
        some(files.into_iter())
    } else if part.from.is_empty() {
        "everything".to_owned()
    } else {
        part.from.clone()
    }
}

/// The first names, and how many more there are.
fn some<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    let more = names.len().saturating_sub(NAMED);
    let mut shown: Vec<String> = names.into_iter().take(NAMED).map(ToOwned::to_owned).collect();
    if more > 0 {
        shown.push(format!("and {}", counted(more as u64, "other", "others")));
    }
    shown.join(", ")
}
