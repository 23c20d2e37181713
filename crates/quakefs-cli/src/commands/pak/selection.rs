//! The archives of a command line, and the selected names in them.

use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::name::escape_path;
use quakefs::archive::{ArchiveEntry, Method};
use quakefs::content::ContentType;
use quakefs::rules::{Case, spelling};
use quakefs::sentences::listed as listed_words;
use quakefs::{Archive, EntryName, Error, ErrorKind, Layout, Pattern};
use quakefs_archives::{Collection, is_archive};
use quakefs_game::some;

use crate::args::{
    Archives, ListedArchives, NamedArchives, Nested, Strict, by_position, expanded, name_bytes, pattern_text,
    suggest_list,
};
use crate::bounded;
use crate::console::{Console, Exit, Failure, Message};
use crate::output;
use crate::progress::Progress;
use crate::text::{command_line, printable, with_slashes};

/// The archives, and the names in them.
pub(super) struct Selection {
    pub(super) collection: Collection,
    /// Whether each answer has to name its archive.
    pub(super) many: bool,
    layout: Option<Layout>,
    words: Vec<String>,
    pub(super) patterns: Vec<Pattern>,
    /// The same without case, for WADs.
    in_wads: Vec<Pattern>,
    /// Whether an archive that cannot be read makes the command fail, although there are others.
    is_strict: bool,
    /// The exit code of the search for archives.
    pub(super) exit: Exit,
    /// The progress bar, for long work.
    progress: Option<Arc<Progress>>,
}

/// An archive, and the selected entries in it.
pub(super) struct SelectedArchive {
    pub(super) path: Utf8PathBuf,
    pub(super) archive: Archive,
    layout: Option<Layout>,
    rows: Vec<usize>,
    /// The names that match no entry.
    idle: Vec<usize>,
    /// The patterns among them that would match in a subfolder.
    below: Vec<usize>,
    /// Entries with a similar name, for each of these names that is no pattern.
    alike: Vec<(usize, String)>,
}

impl Selection {
    /// For a command that has no names among its paths.
    pub(super) fn archives(archives: &Archives, console: &mut Console<'_>) -> Result<Selection, Failure> {
        let mut paths = all_of(&archives.paths);
        if paths.is_empty() {
            paths.push(".".into());
        }
        Selection::new(&paths, &[], archives.layout, console)
    }

    /// For a command that looks for a word. An error: the word is a path, and the path is none.
    pub(super) fn searched(
        word: &str,
        command: &str,
        archives: &Archives,
        console: &mut Console<'_>,
    ) -> Result<Selection, Failure> {
        if let [path] = &*archives.paths
            && !path.exists()
            && Utf8Path::new(word).exists()
        {
            let text = format!("{path}: there is no such file or folder, and {word} is one");
            let line = command_line(["quakefs", "pak", command, path.as_str(), word]);
            return Err(Message::new(text, format!("the path comes last: `{line}`")).into());
        }
        if archives.paths.is_empty() && (Utf8Path::new(word).is_dir() || is_archive(word)) {
            let word = printable(word);
            let read = format!("{word} is read as what to find, and the current folder is searched");
            console.note(format!("{read}; write a pattern before {word}"));
        }
        Selection::archives(archives, console)
    }

    /// For a command about whole archives. An error: a word is an entry of the first archive.
    pub(super) fn whole(
        archives: &Archives,
        why: &str,
        console: &mut Console<'_>,
    ) -> Result<Selection, Failure> {
        if let Some((first, rest)) = archives.paths.split_first()
            && let Some(word) = rest.iter().find(|word| !word.exists())
            && let Ok(archive) = by_position().layout(archives.layout).open(first)
            && (archive.find(word.as_str()).is_some()
                || Pattern::new(word.as_str(), archive.case())
                    .is_ok_and(|pattern| archive.entries().any(|entry| pattern.matches(entry.name()))))
        {
            let text = format!("{word}: it is an entry of {first}, and {why}");
            let words = [suggest_list(first, archives.layout), command_line(["-l", word.as_str()])];
            return Err(Message::new(text, format!("`{}` shows the entry", words.join(" "))).into());
        }
        Selection::archives(archives, console)
    }

    pub(super) fn listed(archives: &ListedArchives, console: &mut Console<'_>) -> Result<Selection, Failure> {
        let mut paths = all_of(&archives.paths);
        if let Some(list) = &archives.from {
            paths.extend(listed(list, archives.null)?);
        }
        Selection::new(&paths, &[], archives.layout, console)
    }

    pub(super) fn named(archives: &NamedArchives, console: &mut Console<'_>) -> Result<Selection, Failure> {
        let mut first = None;
        let (paths, names) = archives.split(|path, word| {
            let open = || by_position().layout(archives.layout).open(path).ok();
            let archive = first.get_or_insert_with(open).as_ref();
            let is_entry = archive.is_some_and(|archive| archive.find(name_bytes(word)).is_some());
            if is_entry {
                let (word, first) = (escape_path(Path::new(word)), escape_path(path));
                console.note(format!("{word} is read as the entry of {first}; write ./{word} for the file"));
            }
            is_entry
        });
        Selection::new(&paths, &names, archives.layout, console)
    }

    /// Searches the folders among the paths, and reports folders that could not be searched.
    fn new(
        paths: &[PathBuf],
        names: &[&OsStr],
        layout: Option<Layout>,
        console: &mut Console<'_>,
    ) -> Result<Selection, Failure> {
        let words: Vec<String> = names.iter().map(|name| pattern_text(name)).collect();
        let patterns =
            |case| words.iter().map(|word| Pattern::new(word, case)).collect::<Result<Vec<_>, _>>();
        let (patterns, in_wads) = (patterns(Case::Exact)?, patterns(Case::Ignored)?);
        let collection = if paths.iter().any(|path| path.is_dir()) {
            let folders = paths.to_owned();
            let progress = Progress::of_start("the folders are searched for archives", console);
            progress.attend(move |_| Collection::search(&folders))?
        } else {
            Collection::search(paths)
        };
        if let foreign @ [first, ..] = collection.foreign() {
            let (file, opens) =
                if foreign.len() == 1 { ("file is", "an archive") } else { ("files are", "archives") };
            let names = some(foreign.iter().map(|path| path.file_name().unwrap_or(path.as_str())));
            let text = format!("{} {file} {opens} that quakefs does not open: {names}", foreign.len());
            let help = format!(
                "unpack them, and name the folder; `{}` tells more",
                command_line(["quakefs", "place", first.as_str()])
            );
            console.warn(&Message::new(text, help));
        }
        let many = !matches!(paths, [one] if !one.is_dir());
        let mut exit = console.errors(collection.faults());
        if let (Exit::Done, [], [first, ..]) = (exit, collection.archives(), paths) {
            let others = if paths.len() > 1 { ", nor do the other folders" } else { "" };
            console.error(&Message::new(
                format!("{}: this folder contains no archive{others}", escape_path(first)),
                "archives are known by their extensions: .pak, .pk2, .pk3, .pk4, .pkz, .sin, .zip, \
                    .kpf, .wad",
            ));
            exit = Exit::NotFound;
        }
        Ok(Selection {
            collection,
            many,
            layout,
            words,
            patterns,
            in_wads,
            is_strict: false,
            exit,
            progress: None,
        })
    }

    /// Fails because of an archive that cannot be read, if the option is given.
    pub(super) fn strict(self, option: &Strict) -> Selection {
        Selection { is_strict: option.strict, ..self }
    }

    /// Adds the archives inside the archives, if the option is given.
    pub(super) fn nested(
        mut self,
        option: &Nested,
        limit: Option<u64>,
        console: &mut Console<'_>,
    ) -> Selection {
        if option.nested {
            let known = self.collection.faults().len();
            self.collection = self.collection.nested(&by_position().layout(self.layout), limit);
            for fault in self.collection.faults().get(known..).unwrap_or_default() {
                let path = fault.path().map_or("", Utf8Path::as_str);
                let text = format!("{}: {}", printable(path), fault.reason());
                console.error(&Message::new(text, "allow more with --max-output"));
                self.exit = Exit::Failed;
            }
        }
        self
    }

    pub(super) fn damaged(&self) -> Damaged {
        Damaged { is_error: self.is_strict || !self.many, count: 0, has_failed: false }
    }

    /// Shows the progress of the work on the archives. From now on, an interrupt ends the work, not the
    /// process.
    pub(super) fn observed(mut self, console: &Console<'_>) -> Selection {
        let progress = Arc::new(Progress::of_bytes(console));
        self.progress = Some(Arc::clone(&progress));
        self.collection = self.collection.observed_by(move |done, all| progress.show(done, all));
        self
    }

    /// Prints while the progress bar is hidden. Stops after an interrupt.
    pub(super) fn print<T>(
        &self,
        console: &mut Console<'_>,
        print: impl FnOnce(&mut Console<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let Some(progress) = &self.progress else { return print(console) };
        if progress.is_interrupted() {
            return Err(interrupted(progress));
        }
        progress.aside(console, print)
    }

    /// Ends the work on the archives and removes the bar. Returns an error after an interrupt. From now on,
    /// an interrupt ends the process.
    pub(super) fn finish(&self) -> Result<(), Failure> {
        let Some(progress) = &self.progress else { return Ok(()) };
        progress.end();
        if progress.is_interrupted() { Err(interrupted(progress)) } else { Ok(()) }
    }

    /// Adds finished bytes. Breaks after an interrupt.
    pub(super) fn advance(&self, by: u64) -> ControlFlow<()> {
        self.progress.as_ref().map_or(ControlFlow::Continue(()), |progress| progress.advance(by))
    }

    /// Whether an interrupt ended the work.
    pub(super) fn is_interrupted(&self) -> bool {
        self.progress.as_ref().is_some_and(|progress| progress.is_interrupted())
    }

    /// The progress until an interrupt.
    pub(super) fn interrupted(&self) -> String {
        self.progress.as_ref().map_or_else(String::new, |progress| progress.interrupted())
    }

    /// Opens the archives, several at a time, and calls `show` for each in order. Skips archives without a
    /// selected name. Reports archives that cannot be opened and names that no archive has.
    pub(super) fn each(
        &self,
        console: &mut Console<'_>,
        mut show: impl FnMut(&SelectedArchive, &mut Console<'_>) -> Result<Exit, Failure>,
    ) -> Result<Exit, Failure> {
        let mut exit = self.exit;
        let mut found = vec![false; self.words.len()];
        let (mut opened_any, mut entries, mut below) = (false, 0, BTreeSet::<usize>::new());
        let mut alike = BTreeSet::<(usize, String)>::new();
        let mut damaged = self.damaged();
        let options = by_position().layout(self.layout);
        self.collection.each(
            &options,
            |path, archive| self.select(path, archive),
            |opened| {
                let opened = match opened {
                    Ok(opened) => opened,
                    Err(error) => {
                        damaged.add_error(&error, console);
                        return Ok(());
                    }
                };
                opened_any = true;
                if let Some(damage) = opened.archive.damage() {
                    damaged.add_error(&damage.in_archive(opened.name()), console);
                }
                entries += opened.archive.entries().len() as u64;
                below.extend(&opened.below);
                alike.extend(opened.alike.iter().cloned());
                for (index, found) in found.iter_mut().enumerate() {
                    *found |= !opened.idle.contains(&index);
                }
                if !opened.rows.is_empty() || self.words.is_empty() {
                    exit = exit.max(show(&opened, console)?);
                }
                Ok::<(), Failure>(())
            },
        )?;
        let found_all = opened_any && found.iter().all(|found| *found);
        exit = exit.max(damaged.end(found_all, console));
        for (index, word) in self.words.iter().enumerate() {
            if !opened_any || found.get(index) == Some(&true) {
                continue;
            }
            let alike = alike.iter().filter(|(of, _)| *of == index).map(|(_, name)| name.clone());
            console.error(&self.missing(word, entries, below.contains(&index), &alike.collect::<Vec<_>>()));
            exit = exit.max(Exit::NotFound);
        }
        Ok(exit)
    }

    /// The patterns with the case rule of an archive.
    pub(super) fn patterns_of(&self, archive: &Archive) -> &[Pattern] {
        if archive.case() == Case::Ignored { &self.in_wads } else { &self.patterns }
    }

    fn select(&self, path: &Utf8Path, archive: Result<Archive, Error>) -> Result<SelectedArchive, Error> {
        let archive = archive?;
        let (rows, idle) = if self.patterns.is_empty() {
            ((0..archive.entries().len()).collect(), Vec::new())
        } else {
            // otherwise `maps/` would select only the ZIP's entry for the folder
            let folders = !self.words.iter().any(|word| word.ends_with('/'));
            let entries = archive.entries().filter(|entry| folders || !entry.row().is_folder);
            #[expect(
                clippy::redundant_closure_for_method_calls,
                reason = "the result lives as long as the archive"
            )]
            let selected = Pattern::select(self.patterns_of(&archive), entries, |entry| entry.name());
            (selected.items.iter().map(ArchiveEntry::index).collect(), selected.idle)
        };
        let is_below = |index: &usize| {
            let matches = |other: &str| {
                let other = Pattern::new(other, archive.case());
                other.is_ok_and(|other| archive.entries().any(|entry| other.matches(entry.name())))
            };
            self.words.get(*index).is_some_and(|word| output::better_pattern(word, matches).is_some())
        };
        let below = idle.iter().copied().filter(is_below).collect();
        let alike = idle.iter().flat_map(|index| {
            let word = self.words.get(*index).map_or("", String::as_str);
            alike(|| archive.entries().map(|entry| entry.name()), word).into_iter().map(|name| (*index, name))
        });
        let alike = alike.collect();
        Ok(SelectedArchive { path: path.to_owned(), archive, layout: self.layout, rows, idle, below, alike })
    }

    /// Why a name matches no entry.
    fn missing(&self, word: &str, entries: u64, matches_below: bool, alike: &[String]) -> Message {
        let (place, lister) = match self.collection.archives() {
            [file] if !self.many => {
                (format!("{file}: "), format!("`{}` lists", suggest_list(file, self.layout)))
            }
            _ => (String::new(), "`quakefs pak list` with the same paths lists".to_owned()),
        };
        let is_pattern = word.contains(['*', '?', '[', '{']);
        let text = if is_pattern {
            format!("{place}nothing matches \"{word}\"")
        } else {
            let entries = output::counted(entries, "entry", "entries");
            format!("{place}{word}: not found among {entries}")
        };
        if ContentType::of(word.as_bytes()) == ContentType::Archive && !Path::new(word).exists() {
            return Message::new(text, "no file has this name, so it counts as a name in the archives");
        }
        if Path::new(word).is_dir() {
            return Message::new(text, "name folders to search before the names");
        }
        if word.ends_with('/') {
            return Message::new(text, "-o DIR names a folder to write to");
        }
        let other = || output::other_pattern(word, &lister, |_| matches_below);
        Message::new(text, did_you_mean(alike).unwrap_or_else(other))
    }
}

/// The most names that are suggested for a word.
const ALIKE: usize = 3;

/// Help that suggests names, if they are few.
pub(super) fn did_you_mean(alike: &[String]) -> Option<String> {
    (1..=ALIKE).contains(&alike.len()).then(|| format!("did you mean {}?", listed_words(alike, "or")))
}

/// The names of an archive's entries that a word may mean: in another case, without its folder or with one
/// too many, or else a similar one.
pub(super) fn alike<'n, N: Iterator<Item = EntryName<'n>>>(
    entries: impl Fn() -> N,
    word: &str,
) -> Vec<String> {
    if word.is_empty() || word.contains(['*', '?', '[', '{']) {
        return Vec::new();
    }
    let is_end = |end: &str, of: &str| {
        let split = of.len().checked_sub(end.len()).and_then(|start| of.split_at_checked(start));
        split.is_some_and(|(folder, rest)| {
            rest.eq_ignore_ascii_case(end) && (folder.is_empty() || folder.ends_with('/'))
        })
    };
    let names = || entries().filter_map(EntryName::to_str);
    let alike = names().filter(|name| is_end(word, name) || is_end(name, word));
    let alike: Vec<_> = alike.take(ALIKE + 1).map(str::to_owned).collect();
    let nearest = || spelling::nearest(word, names()).into_iter().map(str::to_owned);
    if alike.is_empty() { nearest().collect() } else { alike }
}

/// The paths that the words of a command line mean.
fn all_of(words: &[Utf8PathBuf]) -> Vec<PathBuf> {
    words.iter().flat_map(|word| expanded(word.as_std_path(), None)).collect()
}

/// The most bytes of a list of paths.
const LIST_SIZE: u64 = 256 << 20;

/// The paths in a list, without empty ones.
fn listed(list: &Utf8Path, null: bool) -> Result<Vec<PathBuf>, Failure> {
    let name = if list == "-" { "standard input" } else { list.as_str() };
    let read = if list == "-" {
        bounded::read_all(io::stdin().lock(), LIST_SIZE)
    } else {
        bounded::read(list, LIST_SIZE)
    };
    let failed = |error| Message::new(format!("{name}: cannot read the list: {error}"), "check the path");
    let bytes = read.map_err(failed)?;
    let paths: Vec<_> = if null {
        bytes.split(|byte| *byte == 0).filter_map(path_of).collect()
    } else {
        let lines = bytes.split(|byte| *byte == b'\n');
        lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line)).filter_map(path_of).collect()
    };
    if paths.is_empty() {
        let help = if null { "end each path with NUL" } else { "write one path in each line" };
        return Err(Message::new(format!("{name}: the list contains no path"), help).into());
    }
    Ok(paths)
}

/// The path of these bytes, if there are any.
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    let path: &OsStr = std::os::unix::ffi::OsStrExt::from_bytes(bytes);
    #[cfg(not(unix))]
    let path = String::from_utf8_lossy(bytes).into_owned();
    (!bytes.is_empty()).then(|| path.into())
}

/// The archives and entries that cannot be read. The first are printed, and the others counted.
pub(super) struct Damaged {
    is_error: bool,
    count: u64,
    /// Whether a file is missing, or the disk failed.
    has_failed: bool,
}

impl Damaged {
    const PRINTED: u64 = 5;

    pub(super) fn add_error(&mut self, error: &Error, console: &mut Console<'_>) {
        if matches!(error.kind(), ErrorKind::Io { .. }) {
            console.error(&Message::from(error));
            self.has_failed = true;
        } else {
            self.add(&Message::from(error), console);
        }
    }

    pub(super) fn add(&mut self, message: &Message, console: &mut Console<'_>) {
        self.count += 1;
        if self.count <= Self::PRINTED {
            self.print(message, console);
        }
    }

    pub(super) fn add_all(mut self, errors: &[Error], console: &mut Console<'_>) -> Self {
        for error in errors {
            self.add_error(error, console);
        }
        self
    }

    /// Prints the count. The command fails if it found nothing, because the answer may be in what cannot be
    /// read.
    pub(super) fn end(&self, has_found: bool, console: &mut Console<'_>) -> Exit {
        if let Some(more @ 1..) = self.count.checked_sub(Self::PRINTED) {
            let text = format!("{} more cannot be read", output::grouped(more));
            self.print(&Message::new(text, "`quakefs pak verify` lists all of them"), console);
        }
        let is_done = self.count == 0 || (has_found && !self.is_error);
        if is_done && !self.has_failed { Exit::Done } else { Exit::Failed }
    }

    fn print(&self, message: &Message, console: &mut Console<'_>) {
        if self.is_error { console.error(message) } else { console.warn(message) }
    }
}

fn interrupted(progress: &Progress) -> Failure {
    let help = "the output is incomplete: start it again, or name fewer archives";
    Message::new(progress.interrupted(), help).into()
}

impl SelectedArchive {
    /// The path of the archive, for messages.
    pub(super) fn name(&self) -> &str {
        self.path.as_str()
    }

    /// The selected entries, in stored order.
    pub(super) fn entries(&self) -> impl Iterator<Item = ArchiveEntry<'_>> {
        self.rows.iter().filter_map(|row| self.archive.entry(*row))
    }

    /// The command line that lists the archive, for a suggestion.
    pub(super) fn list(&self) -> String {
        suggest_list(&self.path, self.layout)
    }

    pub(super) fn warn_of_problems(&self, console: &mut Console<'_>) {
        const PRINTED: usize = 10;
        // the damage of the directory is reported when the archive is opened
        let mut problems = self.archive.entries().filter_map(|entry| entry.check().err());
        for problem in problems.by_ref().take(PRINTED) {
            console.warn(&Message::from(&problem.in_archive(self.name())));
        }
        let more = problems.count();
        if more > 0 {
            let text = format!("{}: {} more like this", self.name(), output::grouped(more as u64));
            console.warn(&Message::without_help(text));
        }
    }
}

/// An entry of an archive.
#[derive(Serialize)]
pub(super) struct EntryRow<'e> {
    /// The archive, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    archive: Option<Cow<'e, str>>,
    entry: usize,
    name: Cow<'e, str>,
    offset: u64,
    size: u64,
    stored_size: u64,
    compressed: bool,
    content_type: &'static str,
    /// Its bytes, escaped like names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) content: Option<String>,
}

impl<'e> EntryRow<'e> {
    pub(super) fn new(archive: Option<&'e str>, entry: ArchiveEntry<'e>) -> Self {
        EntryRow {
            archive: archive.map(with_slashes),
            entry: entry.index(),
            name: pak_format::name::escape(entry.name().as_bytes()),
            offset: entry.row().offset,
            size: entry.size(),
            stored_size: entry.row().stored_size,
            compressed: entry.row().method != Method::Stored,
            content_type: entry.content_type().name(),
            content: None,
        }
    }
}
