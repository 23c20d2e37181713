//! Decides which archives are opened, in which order, and which are skipped and why. Needs only the plan and
//! the survey.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::guess::nearest_folder;
use super::survey::{Copy, Listing, Root, Survey};
use crate::disk::FileKind;
use crate::finding::{Finding, FindingKind};
use crate::location::Location;
use crate::rules::{
    ArchiveKind, ArchiveSet, EngineStop, List, Loaded, LoosePosition, NotUsed, OwnArchive, OwnPlace, Planned,
    PlannedDirectory, Probe, Rules, Skipped, Spelling, Text, USER,
};
use crate::search_path::GameDirectory;

/// The steps of a mount, lowest layer first.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    pub(super) steps: Vec<Step>,
    /// The folder that the engine writes to: the highest game directory that it writes, in the highest root
    /// that has a copy or may get one.
    pub(super) write_dir: Option<Utf8PathBuf>,
    /// The layer of the loose files of the highest game directory, if it exists.
    pub(super) game_folder: Option<String>,
    /// Whether any game directory exists, apart from the base directory itself. An engine leaves folders with
    /// screenshots and settings in the user directory: without an archive they are no game.
    pub(super) has_directory: bool,
    /// The texts that list archives, named like layers.
    pub(super) lists: Vec<String>,
}

/// One step of a mount.
#[derive(Debug)]
pub(super) enum Step {
    Report(Box<Finding>),
    /// An archive that the rules skip.
    LeaveOut {
        name: String,
        path: Utf8PathBuf,
        why: Skipped,
        /// Whether to open the file, because the advice to rename it is right only for a real archive.
        look: bool,
    },
    /// Something with the name of a skipped archive that is not a regular file.
    NotRegular {
        name: String,
        path: Utf8PathBuf,
    },
    Archive {
        name: String,
        path: Utf8PathBuf,
        kind: ArchiveKind,
        part: Option<GamePart>,
        /// The only names that the engine looks up in it; empty for all.
        only: List<Text>,
    },
    Folder {
        name: String,
        path: Utf8PathBuf,
        spelling: Spelling,
        part: Option<GamePart>,
    },
}

impl Step {
    /// The archive that the step opens, named like a layer.
    pub(super) fn archive(&self) -> Option<&str> {
        match self {
            Step::Archive { name, .. } => Some(name),
            _ => None,
        }
    }
}

/// The game directory of a layer, and for an archive the set of the rules that matched it.
#[derive(Clone, Debug)]
pub(super) struct GamePart {
    pub(super) directory: Arc<GameDirectory>,
    pub(super) set: Option<usize>,
    /// The name that the engine uses, if the disk ignores case and spells it differently.
    pub(super) requested: Option<String>,
}

/// Looks into a file to tell whether it is an archive of this kind. It is called only if the search path
/// depends on the answer.
pub(super) type Ask<'a> = dyn FnMut(&Utf8Path, ArchiveKind) -> Probe + 'a;

/// Decides the steps of a mount.
pub(super) fn assemble(
    rules: &Rules,
    position: LoosePosition,
    planned: &Planned,
    survey: &Survey,
    ask: &mut Ask<'_>,
) -> Assembly {
    let main = survey.roots.iter().find(|root| root.is_main);
    let first = planned.directories.first().map_or("", |directory| &directory.name);
    let mut assembler = Assembler {
        rules,
        position,
        survey,
        main: main.map(|root| &*root.path.absolute),
        first,
        ask,
        has_first: false,
        assembly: Assembly::default(),
    };
    assembler.games(planned);
    assembler.bases();
    for own in rules.archives.own.iter().filter(|own| own.place == OwnPlace::Lowest) {
        if let Some(main) = main {
            assembler.own_archive(main, own, None);
        }
    }
    assembler.directories(&planned.directories);
    assembler.count_archives();
    assembler.sorted()
}

/// Decides the steps for one more folder, above all game directories. The survey has only this folder.
pub(super) fn assemble_folder(
    rules: &Rules,
    position: LoosePosition,
    survey: &Survey,
    part: &GamePart,
    ask: &mut Ask<'_>,
) -> Vec<Step> {
    let assembly = Assembly::default();
    let mut assembler =
        Assembler { rules, position, survey, main: None, first: "", ask, has_first: false, assembly };
    let name = part.directory.name.clone();
    let planned = PlannedDirectory { name, archives: true, loose: true, ..PlannedDirectory::default() };
    for copy in survey.directories.iter().flatten() {
        if let Some(listing) = &copy.listing {
            assembler.game_directory(copy, listing, part, &planned);
        }
    }
    assembler.sorted().steps
}

struct Assembler<'a, 'f> {
    rules: &'a Rules,
    /// The position of loose files.
    position: LoosePosition,
    survey: &'a Survey,
    main: Option<&'a Utf8Path>,
    /// The name of the lowest game directory.
    first: &'a str,
    ask: &'a mut Ask<'f>,
    /// Whether the first game directory of the first base directory contains an archive with the number 0.
    has_first: bool,
    assembly: Assembly,
}

impl Assembler<'_, '_> {
    fn sorted(mut self) -> Assembly {
        // both parts keep the order of the game directories
        let is_loose =
            |step: &Step| matches!(step, Step::Folder { part: Some(part), .. } if part.set.is_none());
        let position = self.position;
        if matches!(position, LoosePosition::Lowest | LoosePosition::Highest) {
            let is_last = |step: &Step| is_loose(step) == (position == LoosePosition::Highest);
            let (last, first): (Vec<_>, Vec<_>) = self.assembly.steps.drain(..).partition(is_last);
            self.assembly.steps.extend(first.into_iter().chain(last));
        }
        self.assembly
    }

    fn report(&mut self, place: impl Into<String>, kind: FindingKind) {
        self.report_of(place, kind, false);
    }

    /// Reports a finding, which may stop the engine.
    fn report_of(&mut self, place: impl Into<String>, kind: FindingKind, stops: bool) {
        let finding = Finding::new(&self.rules.name, Location::layer(place), kind);
        let stops_engine = stops || finding.stops_engine;
        self.assembly.steps.push(Step::Report(Box::new(Finding { stops_engine, ..finding })));
    }

    fn stops(&self, stop: EngineStop) -> bool {
        self.rules.stops.contains(&stop)
    }

    /// Whether the engine stops at something other than a file that has the name of an archive.
    fn stops_at(&self, found: FileKind) -> bool {
        !matches!(found, FileKind::File | FileKind::Link) && self.stops(EngineStop::NotAFile)
    }

    /// Reports games, flags and base directories that have no effect or stop the engine.
    fn games(&mut self, planned: &Planned) {
        for game in &planned.stopping {
            self.report(folder_name(game), FindingKind::StopsAt(EngineStop::OddGame));
        }
        for (given, why) in &planned.not_used {
            let place = match why {
                NotUsed::UnknownFlag | NotUsed::OtherMission | NotUsed::GameInstead => format!("-{given}"),
                _ => folder_name(given),
            };
            self.report(place, FindingKind::NotUsed(*why));
        }
    }

    fn bases(&mut self) {
        for given in &self.survey.unused_bases {
            self.report(folder_name(given.as_str()), FindingKind::NotUsed(NotUsed::BaseDirectory));
        }
        for root in &self.survey.roots {
            if !root.is_main && !root.is_user && root.kind != Some(FileKind::Folder) {
                let directory = root.path.given.to_string();
                let place = folder_name(&directory);
                let kind =
                    FindingKind::MissingDirectory { directory, of_game: false, nearest: None, link: None };
                self.report(place, kind);
            }
        }
    }

    /// Reports the first archive for which the engine has no file handle left.
    fn count_archives(&mut self) {
        let Some(most) = self.rules.limits.archives.filter(|_| self.stops(EngineStop::TooManyArchives))
        else {
            return;
        };
        // an archive with a list of names is open only during reads
        let stays_open = |step: &&Step| !matches!(step, Step::Archive { only, .. } if !only.is_empty());
        let mut archives = self.assembly.steps.iter().filter(stays_open).filter_map(Step::archive);
        if let Some(beyond) = archives.nth(most as usize).map(str::to_owned) {
            self.report(beyond, FindingKind::StopsAt(EngineStop::TooManyArchives));
        }
    }

    fn directories(&mut self, planned: &[PlannedDirectory]) {
        let is_there =
            |file: &str| self.survey.roots.iter().any(|root| root.is_main && root.own(file).is_some());
        let replacing = self.rules.archives.own.iter().filter(|own| is_there(&own.file));
        let replaced: Vec<&str> = replacing.filter_map(|own| own.instead_of.as_deref()).collect();
        let mut rank: u16 = 0;
        // a folder that the engine creates on its first write, and its position among the steps
        let mut written_later: Option<(Step, usize)> = None;
        // the steps of a folder inside the next directory, and of that directory, by their base directory
        let mut held: Vec<(usize, Vec<Step>)> = Vec::new();
        for (index, (directory, copies)) in planned.iter().zip(&self.survey.directories).enumerate() {
            if replaced.contains(&&*directory.name) {
                continue;
            }
            let next = rank.saturating_add(1);
            let game =
                |name: &str| if directory.name == USER { name.to_owned() } else { directory.name.clone() };
            let directory_of = |copy: &Copy| {
                let name = self.name_of(copy);
                Arc::new(GameDirectory { rank: next, game: game(&name), name })
            };
            let part = |copy: &Copy| GamePart {
                directory: directory_of(copy),
                set: None,
                requested: copy.requested.clone(),
            };
            let parts: Vec<GamePart> = copies.iter().map(part).collect();
            let is_inside_next = planned.get(index + 1).is_some_and(|next| {
                directory.name.strip_prefix(&*next.name).is_some_and(|rest| rest.starts_with('/'))
            });
            for (copy, part) in copies.iter().zip(&parts) {
                let before = self.assembly.steps.len();
                match &copy.listing {
                    Some(listing) => self.game_directory(copy, listing, part, directory),
                    None if directory.own => {
                        self.archives_below(copy, part);
                        self.own_archives(copy, part);
                    }
                    None => {}
                }
                if is_inside_next || !held.is_empty() {
                    held.push((copy.root, self.assembly.steps.split_off(before)));
                }
            }
            if !is_inside_next {
                held.sort_by_key(|(root, _)| *root);
                self.assembly.steps.extend(held.drain(..).flat_map(|(_, steps)| steps));
            }
            let here = copies.iter().any(|copy| copy.listing.is_some());
            let counts = here || directory.created;
            rank = if counts { next } else { rank };
            if directory.name == "." {
                continue;
            }
            if let (Some(highest), Some(part)) = (copies.last(), parts.last())
                && counts
                && directory.written
            {
                let path = highest.path.absolute.clone();
                let root = self.survey.roots.get(highest.root);
                let later = highest.listing.is_none()
                    && root.is_none_or(|root| matches!(root.kind, None | Some(FileKind::Folder)));
                written_later = later.then(|| {
                    let name = format!("{}/", part.directory.name);
                    let (path, part) = (path.clone(), Some(part.clone()));
                    let step = Step::Folder { name, path, spelling: highest.spelling, part };
                    (step, self.assembly.steps.len())
                });
                self.assembly.write_dir = Some(path);
            }
            self.assembly.has_directory |= copies.iter().any(|copy| self.may_be_game(copy));
            if directory.name != USER {
                let highest = copies.iter().zip(&parts).rfind(|(copy, _)| copy.listing.is_some());
                self.assembly.game_folder = highest.map(|(_, part)| format!("{}/", part.directory.name));
            }
            if !here && directory.expected {
                self.missing(directory);
            }
        }
        if !self.has_first && self.stops(EngineStop::MissingFirstArchive) {
            self.report(format!("{}/", self.first), FindingKind::StopsAt(EngineStop::MissingFirstArchive));
        }
        if let Some((step, place)) = written_later {
            self.assembly.steps.insert(place, step);
        }
    }

    /// The name of a game directory: relative to the first base directory if it is inside, else the caller's
    /// path.
    fn name_of(&self, copy: &Copy) -> String {
        super::name_of(self.main, &copy.path.given, &copy.path.absolute)
    }

    /// Whether a copy is there, in the user directory with an archive.
    fn may_be_game(&self, copy: &Copy) -> bool {
        let is_user = || self.survey.roots.get(copy.root).is_some_and(|root| root.is_user);
        copy.listing.as_ref().is_some_and(|listing| !listing.files.is_empty() || !is_user())
    }

    /// Reports a missing game directory.
    fn missing(&mut self, planned: &PlannedDirectory) {
        let PlannedDirectory { name, of_game, .. } = planned.clone();
        let stops = of_game && self.stops(EngineStop::MissingGame);
        let folders = &self.survey.folders;
        let nearest = folders.iter().find(|folder| folder.eq_ignore_ascii_case(&name)).map(String::as_str);
        let nearest = nearest.or_else(|| nearest_folder(&name, folders).filter(|_| of_game));
        let nearest = nearest.map(str::to_owned);
        let kind = FindingKind::MissingDirectory { directory: name.clone(), of_game, nearest, link: None };
        self.report_of(format!("{name}/"), kind, stops);
    }

    /// Adds one of the engine's own archives, if the folder contains it.
    fn own_archive(&mut self, root: &Root, own: &OwnArchive, part: Option<&GamePart>) {
        let file = &*own.file;
        if let Some(stored) = root.own(file) {
            let (given, path) = (root.path.given.join(stored), root.path.absolute.join(stored));
            let name = super::name_of(self.main, &given, &path);
            let kind = ArchiveKind::of(file).unwrap_or(ArchiveKind::Pak);
            let requested = (stored != file).then(|| file.to_owned());
            let part = part.map(|part| GamePart { requested, ..part.clone() });
            let only = own.only.clone();
            self.assembly.steps.push(Step::Archive { name, path, kind, part, only });
        }
    }

    /// Adds the engine's own archives that rank just below this copy of the first game directory.
    fn archives_below(&mut self, copy: &Copy, part: &GamePart) {
        let Some(here) = self.survey.roots.get(copy.root) else { return };
        let own = &self.rules.archives.own;
        for own in own.iter().filter(|own| own.place == OwnPlace::BelowEachFirst) {
            self.own_archive(here, own, Some(part));
        }
    }

    /// Adds the engine's own archives that rank inside this copy of the first game directory.
    fn own_archives(&mut self, copy: &Copy, part: &GamePart) {
        let roots = &self.survey.roots;
        let Some(here) = roots.get(copy.root) else { return };
        for own in &*self.rules.archives.own {
            let root = match own.place {
                OwnPlace::AboveFirst if here.is_main => {
                    let mut roots = self.survey.program.iter().chain(roots);
                    roots.find(|root| root.own(&own.file).is_some())
                }
                OwnPlace::AboveEachFirst => Some(here),
                OwnPlace::Lowest | OwnPlace::BelowEachFirst | OwnPlace::AboveFirst => None,
            };
            if let Some(root) = root {
                self.own_archive(root, own, Some(part));
            }
        }
    }

    /// Adds a copy of a game directory.
    fn game_directory(
        &mut self,
        copy: &Copy,
        listing: &Listing,
        part: &GamePart,
        planned: &PlannedDirectory,
    ) {
        let rules = self.rules;
        let path = &copy.path.absolute;
        let is_main = self.survey.roots.get(copy.root).is_some_and(|root| root.is_main);
        let is_lowest = planned.name == self.first;
        let is_first_base = is_lowest && is_main;
        let loose_name = format!("{}/", part.directory.name);
        let prefix = if part.directory.name == "." { "" } else { &*loose_name };
        let spelling = copy.spelling;
        let loose = || {
            let (name, path, part) = (loose_name.clone(), path.clone(), Some(part.clone()));
            Step::Folder { name, path, spelling, part }
        };
        if planned.own {
            self.archives_below(copy, part);
        }
        let is_above = matches!(self.position, LoosePosition::Above | LoosePosition::Highest);
        if planned.loose && !is_above {
            self.assembly.steps.push(loose());
        }
        if is_first_base {
            // the engine only looks whether the file is there
            let is_first = |file: &str| {
                rules.archives.sets.iter().any(|set| set.is_first(file))
                    && (spelling.ignores_case() || !file.bytes().any(|byte| byte.is_ascii_uppercase()))
            };
            let mut files = listing.files.iter();
            self.has_first |= files.any(|(file, kind)| *kind == FileKind::File && is_first(file));
        }
        let files = self.files_here(prefix, path, listing, planned);
        let kind_of = |file: &str| ArchiveKind::of(file).unwrap_or(ArchiveKind::Pak);
        let probe = |assembler: &mut Self, file: &str| match (listing.kind(file), kind_of(file)) {
            (Some(FileKind::File), kind) => (assembler.ask)(&path.join(file), kind),
            (Some(FileKind::Folder), ArchiveKind::Folder) => Probe::Usable,
            (Some(found), _) if assembler.stops_at(found) => Probe::Fatal,
            _ => Probe::Unusable,
        };
        let mut order = rules.archives.load_order(files, is_first_base, spelling, |file| probe(self, file));
        if let Some((list, archives)) = &listing.list {
            self.assembly.lists.push(format!("{prefix}{list}"));
            rules.archives.follow_list(&mut order, list, archives, |file| listing.kind(file).is_some());
        }
        for (file, other) in order.listed {
            let other = format!("{prefix}{other}");
            self.report(format!("{prefix}{file}"), FindingKind::DiskOrder { other });
        }
        for (file, why) in order.skipped {
            let (name, path) = (format!("{prefix}{file}"), path.join(&file));
            let why = if is_lowest { of_base_game(rules, why) } else { why };
            self.assembly.steps.push(match listing.kind(&file) {
                Some(FileKind::File) | None => {
                    let look =
                        matches!(why, Skipped::NotNumbered { .. } | Skipped::OtherKind | Skipped::NoneLoaded);
                    Step::LeaveOut { name, path, why, look }
                }
                Some(_) => Step::NotRegular { name, path },
            });
        }
        let mut own_first = planned.own;
        let mut ended_by: Option<String> = None;
        for Loaded { file, requested, set, kind } in order.archives {
            let (name, path) = (format!("{prefix}{file}"), path.join(&file));
            if let Some(unusable) = ended_by.clone() {
                let why = Skipped::AfterUnusable { unusable };
                self.assembly.steps.push(Step::LeaveOut { name, path, why, look: false });
                continue;
            }
            let of_set = rules.archives.sets.get(set);
            let numbered = matches!(of_set, Some(ArchiveSet::Numbered { .. }));
            let is_first = is_lowest && of_set.is_some_and(|set| set.is_first(&file));
            if own_first && !is_first {
                own_first = false;
                self.own_archives(copy, part);
            }
            let ends = rules.archives.wrong_ends_directory
                && !matches!(probe(self, &file), Probe::Usable | Probe::Empty);
            let part = Some(GamePart { set: Some(set), requested, ..part.clone() });
            match listing.kind(&file) {
                Some(FileKind::File) => {
                    let only = List::default();
                    self.assembly.steps.push(Step::Archive { name, path, kind, part, only });
                }
                Some(FileKind::Folder) if kind == ArchiveKind::Folder => {
                    self.assembly.steps.push(Step::Folder { name: format!("{name}/"), path, spelling, part });
                }
                Some(found) if numbered && self.stops_at(found) => {
                    self.report(name, FindingKind::StopsAt(EngineStop::NotAFile));
                }
                _ => self.assembly.steps.push(Step::NotRegular { name, path }),
            }
            if ends {
                ended_by = Some(file);
            }
        }
        if own_first {
            self.own_archives(copy, part);
        }
        if planned.loose && is_above {
            self.assembly.steps.push(loose());
        }
    }

    /// Adds the archives of a listing that rank at this position of the directory. Problems of the listing
    /// are reported at the same position.
    fn files_here(
        &mut self,
        prefix: &str,
        path: &Utf8Path,
        listing: &Listing,
        planned: &PlannedDirectory,
    ) -> Vec<String> {
        if planned.archives {
            if let Some(error) = &listing.fault {
                let stop = EngineStop::UnreadableGame;
                let kind = if planned.of_game && self.stops(stop) {
                    FindingKind::StopsAt(stop)
                } else {
                    FindingKind::Unreadable(error.clone())
                };
                self.report(prefix, kind);
            }
            for name in &listing.not_utf8 {
                self.report(format!("{prefix}{name}"), FindingKind::NotUtf8);
            }
            for name in &listing.odd {
                let stop = FindingKind::StopsAt(EngineStop::OddFileName);
                self.report(format!("{prefix}{name}"), stop);
            }
        }
        let longest = self.rules.limits.path.map_or(usize::MAX, |longest| longest as usize);
        let mut here = Vec::new();
        for (file, kind) in &listing.files {
            let is_folder_kind = ArchiveKind::of(file) == Some(ArchiveKind::Folder);
            // a file with the name of such a folder is an ordinary file
            if is_folder_kind && *kind == FileKind::File {
                continue;
            }
            let stands_here = if is_folder_kind { planned.loose } else { planned.archives };
            if path.as_str().len() + 1 + file.len() > longest {
                if planned.archives {
                    let kind = FindingKind::Skipped(Skipped::LongPath);
                    self.report(format!("{prefix}{file}"), kind);
                }
            } else if stands_here {
                here.push(file.clone());
            }
        }
        here
    }
}

/// Why the engine skips an archive of the base game. If the first one is missing, no other takes its place.
fn of_base_game(rules: &Rules, why: Skipped) -> Skipped {
    match why {
        Skipped::AfterGap { missing, .. } if rules.archives.sets.iter().any(|set| set.is_first(&missing)) => {
            Skipped::AfterGap { missing, renames: Arc::default() }
        }
        why => why,
    }
}

fn folder_name(given: &str) -> String {
    format!("{}/", given.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::mount::given::CallerPath;
    use crate::rules::{CommandLine, Engine};

    /// A base directory `/q` as text: `id1: pak0.pak pak1.pak=empty; mod: a.pak=folder`. A `|` separates the
    /// base directory from the user directory. `own:` lists the engine's own archives in a root.
    struct Disk {
        roots: Vec<Root>,
        folders: Vec<BTreeMap<String, Arc<Listing>>>,
        probes: BTreeMap<Utf8PathBuf, Probe>,
    }

    impl Disk {
        fn new(text: &str) -> Disk {
            let mut disk = Disk { roots: Vec::new(), folders: Vec::new(), probes: BTreeMap::new() };
            for (number, root) in text.split('|').enumerate() {
                let path = ["/q", "/home"][number];
                let mut own = Vec::new();
                let mut folders = BTreeMap::new();
                for folder in root.split(';').map(str::trim).filter(|folder| !folder.is_empty()) {
                    let (name, files) = folder.split_once(':').unwrap();
                    let mut listing = Listing::default();
                    for file in files.split_whitespace() {
                        let (file, is) = file.split_once('=').unwrap_or((file, "archive"));
                        let kind = match is {
                            "folder" => FileKind::Folder,
                            "pipe" => FileKind::Pipe,
                            "dangling" => FileKind::Link,
                            _ => FileKind::File,
                        };
                        let probe = match is {
                            "empty" => Probe::Empty,
                            "text" => Probe::Unusable,
                            "fatal" => Probe::Fatal,
                            _ => Probe::Usable,
                        };
                        disk.probes.insert(format!("{path}/{name}/{file}").into(), probe);
                        if name == "own" {
                            own.push((file.to_owned(), file.to_owned()));
                        } else {
                            listing.files.push((file.to_owned(), kind));
                        }
                    }
                    listing.files.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
                    folders.insert(name.to_owned(), Arc::new(listing));
                }
                let path = CallerPath { given: path.into(), absolute: path.into() };
                let is_main = number == 0;
                let kind = Some(FileKind::Folder);
                let spelling = Spelling::Exact;
                disk.roots.push(Root { path, is_main, is_user: !is_main, kind, spelling, own });
                disk.folders.push(folders);
            }
            disk
        }

        fn survey(&self, planned: &Planned) -> Survey {
            let copy = |directory: &PlannedDirectory, root: usize| Copy {
                root,
                path: self.roots[root].path.join(&directory.name),
                requested: None,
                spelling: Spelling::Exact,
                listing: self.folders[root].get(&directory.name).cloned(),
            };
            let copies = |directory| (0..self.roots.len()).map(|root| copy(directory, root)).collect();
            Survey {
                roots: self.roots.clone(),
                program: None,
                unused_bases: Vec::new(),
                user: None,
                directories: planned.directories.iter().map(copies).collect(),
                folders: self.folders[0].keys().cloned().collect(),
            }
        }
    }

    fn line(step: &Step) -> String {
        match step {
            Step::Archive { name, .. } | Step::Folder { name, .. } => name.clone(),
            Step::LeaveOut { name, why, look, .. } => {
                format!("({name}: {why:?}{})", if *look { ", looked at" } else { "" })
            }
            Step::NotRegular { name, .. } => format!("({name}: no file)"),
            Step::Report(finding) => format!("[{}: {:?}]", finding.location, finding.kind),
        }
    }

    /// The steps of an engine with these games on a disk, low to high, and the probed archives.
    fn check(engine: Engine, games: &str, disk: &str, expected: &[&str]) -> Vec<String> {
        let games: Vec<_> = games.split_whitespace().map(str::to_owned).collect();
        let mut asked = CommandLine::default();
        asked.games.clone_from(&games);
        let planned = engine.rules().directories.plan(&asked, &engine.rules().stops).unwrap();
        let disk = Disk::new(disk);
        let survey = disk.survey(&planned);
        let mut asked = Vec::new();
        let mut ask = |path: &Utf8Path, _| {
            asked.push(path.to_string());
            disk.probes.get(path).copied().unwrap_or(Probe::Unusable)
        };
        let assembly = assemble(engine.rules(), engine.rules().loose.position, &planned, &survey, &mut ask);
        let lines: Vec<_> = assembly.steps.iter().map(line).collect();
        assert_eq!(lines, expected, "{engine} {games:?}");
        asked
    }

    #[test]
    fn archives_rank_above_or_below_the_loose_files_of_their_directory() {
        let disk = "id1: pak0.pak; mod: pak0.pak";
        check(Engine::WinQuake, "mod", disk, &["id1/", "id1/pak0.pak", "mod/", "mod/pak0.pak"]);
        check(Engine::DarkPlaces, "mod", disk, &["id1/pak0.pak", "id1/", "mod/pak0.pak", "mod/"]);
    }

    #[test]
    fn an_archive_is_probed_only_if_the_result_depends_on_it() {
        let asked = check(Engine::DarkPlaces, "", "id1: a.pak b.pak", &["id1/a.pak", "id1/b.pak", "id1/"]);
        assert!(asked.is_empty(), "{asked:?}");
        let lines = &["id1/", "(id1/pak1.pak: AfterGap { missing: \"pak0.pak\", renames: [] })"];
        let asked = check(Engine::WinQuake, "", "id1: pak1.pak", lines);
        assert!(asked.is_empty(), "{asked:?}");
        let lines = &[
            "id1/",
            "id1/pak0.pak",
            "mod/",
            "(mod/pak1.pak: AfterGap { missing: \"pak0.pak\", renames: [(\"pak1.pak\", \"pak0.pak\")] })",
        ];
        check(Engine::WinQuake, "mod", "id1: pak0.pak; mod: pak1.pak", lines);
    }

    #[test]
    fn a_run_ends_according_to_the_rules() {
        let disk = "id1: pak0.pak pak1.pak=empty pak2.pak";
        check(Engine::WinQuake, "", disk, &["id1/", "id1/pak0.pak", "id1/pak1.pak", "id1/pak2.pak"]);
        let lines = [
            "id1/",
            "(id1/pak1.pak: EmptyEndsRun)",
            "(id1/pak2.pak: AfterEmpty { empty: \"pak1.pak\" })",
            "id1/pak0.pak",
        ];
        check(Engine::QuakeSpasm, "", disk, &lines);
    }

    #[test]
    fn something_that_is_not_a_file_is_skipped_or_stops_the_engine() {
        let disk = "id1: pak0.pak pak1.pak=folder";
        check(Engine::WinQuake, "", disk, &["id1/", "id1/pak0.pak", "(id1/pak1.pak: no file)"]);
        let stops = "[id1/pak1.pak: StopsAt(NotAFile)]";
        check(Engine::Ironwail, "", disk, &["id1/", "id1/pak0.pak", stops]);
        let disk = "id1: pak0.pak a.pak=dangling";
        check(Engine::WinQuake, "", disk, &["id1/", "(id1/a.pak: no file)", "id1/pak0.pak"]);
    }

    #[test]
    fn an_archive_of_the_engine_ranks_above_the_first_of_the_game() {
        let disk = "own: quakespasm.pak; id1: pak0.pak pak1.pak";
        let lines = ["id1/", "id1/pak0.pak", "quakespasm.pak", "id1/pak1.pak"];
        check(Engine::QuakeSpasm, "", disk, &lines);
        let disk = "own: quakespasm.pak; id1:";
        check(Engine::QuakeSpasm, "", disk, &["id1/", "quakespasm.pak"]);
    }

    #[test]
    fn the_user_directorys_copy_ranks_just_above_the_base_directorys() {
        let disk = "id1: pak0.pak; mod: pak0.pak | id1: pak0.pak";
        let lines = [
            "id1/",
            "id1/pak0.pak",
            "/home/id1/",
            "/home/id1/pak0.pak",
            "mod/",
            "mod/pak0.pak",
            // the engine will write here
            "/home/mod/",
        ];
        check(Engine::WinQuake, "mod", disk, &lines);
    }

    #[test]
    fn a_missing_directory_is_reported_with_the_nearest_folder() {
        let missing = "[mymood/: MissingDirectory { directory: \"mymood\", of_game: true, nearest: \
                       Some(\"mymod\"), link: None }]";
        check(Engine::WinQuake, "mymood", "id1: ; mymod:", &["id1/", "mymood/", missing]);
    }

    #[test]
    fn a_file_that_is_not_an_archive_ends_a_directory_under_some_rules() {
        let lines = ["id1/", "id1/a.pak", "id1/b.pak", "(id1/c.pak: AfterUnusable { unusable: \"b.pak\" })"];
        check(Engine::TrenchBroom, "", "id1: a.pak b.pak=text c.pak", &lines);
    }
}
