//! What is opened, in which order, and what is left out and why: from the plan and the survey alone.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::survey::{Copy, Kind, Listing, Root, Survey};
use crate::disk::FileKind;
use crate::finding::{FindingKind, Place};
use crate::rules::{
    ArchiveKind, ArchiveSet, In, Loaded, LoosePosition, NotLoaded, NotUsed, OwnPlace, Planned,
    PlannedDirectory, Probe, Rules, Stop, WrongArchive, is_first, load_order,
};
use crate::spelling;
use crate::stack::GameDirectory;

/// What a mount does, in order, layers from the lowest up.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    pub(super) steps: Vec<Step>,
    /// The highest game directory that the engine writes to, in the highest root that has or may get a copy of it.
    pub(super) write_dir: Option<Utf8PathBuf>,
    /// Whether a game directory is there, besides the base directory itself.
    pub(super) has_directory: bool,
}

/// One step of a mount.
#[derive(Debug)]
pub(super) enum Step {
    Report(Place, FindingKind),
    /// An archive that the rules leave out.
    LeaveOut {
        name: String,
        path: Utf8PathBuf,
        why: NotLoaded,
        /// Whether the file is opened, as renaming one that is no archive would not help.
        look: bool,
    },
    /// Something named like an archive that the rules leave out, and that is no file.
    NotRegular {
        name: String,
        path: Utf8PathBuf,
    },
    Archive {
        name: String,
        path: Utf8PathBuf,
        kind: ArchiveKind,
        part: Option<Part>,
    },
    Folder {
        name: String,
        path: Utf8PathBuf,
        part: Option<Part>,
    },
}

/// The game directory that a layer is of; an archive says which set of the rules took it.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) directory: Arc<GameDirectory>,
    pub(super) set: Option<usize>,
}

/// Says what an archive is; it is asked only where that makes a difference.
pub(super) type Ask<'a> = dyn FnMut(&Utf8Path, ArchiveKind) -> Probe + 'a;

/// Decides what a mount does.
pub(super) fn assemble(rules: &Rules, planned: &Planned, survey: &Survey, ask: &mut Ask<'_>) -> Assembly {
    let main = survey.roots.iter().find(|root| root.is_main);
    let first = planned.directories.first().map_or("", |directory| &directory.name);
    let mut assembler = Assembler {
        rules,
        survey,
        main: main.map(|root| &*root.path.absolute),
        first,
        ask,
        has_first: false,
        assembly: Assembly::default(),
    };
    assembler.games(planned);
    assembler.bases();
    for own in rules.own_archives.iter().filter(|own| own.place == OwnPlace::Lowest) {
        main.into_iter().for_each(|root| assembler.own_archive(root, &own.file, None));
    }
    assembler.directories(&planned.directories);
    assembler.assembly
}

struct Assembler<'a, 'f> {
    rules: &'a Rules,
    survey: &'a Survey,
    main: Option<&'a Utf8Path>,
    /// The name of the lowest game directory.
    first: &'a str,
    ask: &'a mut Ask<'f>,
    /// Whether the first game directory of the first base directory has an archive with the number 0.
    has_first: bool,
    assembly: Assembly,
}

impl Assembler<'_, '_> {
    fn report(&mut self, place: impl Into<String>, kind: FindingKind) {
        self.assembly.steps.push(Step::Report(Place::layer(place), kind));
    }

    fn stops(&self, stop: Stop) -> bool {
        self.rules.stops_at.contains(&stop)
    }

    /// The games, flags and base directories that change nothing, or stop the engine.
    fn games(&mut self, planned: &Planned) {
        for game in &planned.stopping {
            self.report(folder_name(game), FindingKind::StopsAt(Stop::OddGame));
        }
        for (given, why) in &planned.not_used {
            let place = match why {
                NotUsed::UnknownFlag | NotUsed::OtherMission => format!("-{given}"),
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
                    FindingKind::MissingDirectory { directory, of_game: false, nearest: None, fatal: false };
                self.report(place, kind);
            }
        }
    }

    fn directories(&mut self, planned: &[PlannedDirectory]) {
        let is_there = |file: &str| {
            self.survey.roots.iter().any(|root| root.is_main && root.own.iter().any(|own| own == file))
        };
        let replacing = self.rules.own_archives.iter().filter(|own| is_there(&own.file));
        let replaced: Vec<&str> = replacing.filter_map(|own| own.instead_of.as_deref()).collect();
        let mut rank: u16 = 0;
        // a folder that the engine makes when it first writes there, and its place among the steps
        let mut written_later: Option<(Step, usize)> = None;
        for (directory, copies) in planned.iter().zip(&self.survey.directories) {
            if replaced.contains(&&*directory.name) {
                continue;
            }
            let next = rank.saturating_add(1);
            let part = |copy: &Copy| Part {
                directory: Arc::new(GameDirectory { rank: next, name: self.name_of(copy) }),
                set: None,
            };
            let parts: Vec<Part> = copies.iter().map(part).collect();
            for (copy, part) in copies.iter().zip(&parts) {
                match &copy.listing {
                    Some(listing) => self.game_directory(copy, listing, part, directory),
                    None if directory.own => self.own_archives(copy, part),
                    None => {}
                }
            }
            let here = copies.iter().any(|copy| copy.listing.is_some());
            rank = if here { next } else { rank };
            if directory.name == "." {
                continue;
            }
            if let (Some(highest), Some(part)) = (copies.last(), parts.last())
                && here
                && directory.written
            {
                let path = highest.path.absolute.clone();
                let root = self.survey.roots.get(highest.root);
                let later = highest.listing.is_none()
                    && root.is_none_or(|root| matches!(root.kind, None | Some(FileKind::Folder)));
                written_later = later.then(|| {
                    let name = format!("{}/", part.directory.name);
                    let step = Step::Folder { name, path: path.clone(), part: Some(part.clone()) };
                    (step, self.assembly.steps.len())
                });
                self.assembly.write_dir = Some(path);
            }
            self.assembly.has_directory |= here;
            if !here && directory.expected {
                self.missing(directory);
            }
        }
        if !self.has_first && self.stops(Stop::MissingFirstArchive) {
            self.report(format!("{}/", self.first), FindingKind::StopsAt(Stop::MissingFirstArchive));
        }
        if let Some((step, place)) = written_later {
            self.assembly.steps.insert(place, step);
        }
    }

    /// The name of a game directory: relative to the first base directory if it is inside, else as it was given.
    fn name_of(&self, copy: &Copy) -> String {
        super::name_of(self.main, &copy.path.given, &copy.path.absolute)
    }

    /// Reports a game directory that is not there.
    fn missing(&mut self, planned: &PlannedDirectory) {
        let PlannedDirectory { name, of_game, .. } = planned.clone();
        let fatal = of_game && self.stops(Stop::MissingGame);
        let folders = &self.survey.folders;
        let nearest = folders.iter().find(|folder| folder.eq_ignore_ascii_case(&name)).map(String::as_str);
        let nearest = nearest
            .or_else(|| spelling::nearest(&name, folders.iter().map(String::as_str)).filter(|_| of_game));
        let nearest = nearest.map(str::to_owned);
        self.report(
            format!("{name}/"),
            FindingKind::MissingDirectory { directory: name, of_game, nearest, fatal },
        );
    }

    /// An archive of the engine's own, if the folder has it.
    fn own_archive(&mut self, root: &Root, file: &str, part: Option<&Part>) {
        if root.own.iter().any(|own| own == file) {
            let (given, path) = (root.path.given.join(file), root.path.absolute.join(file));
            let name = super::name_of(self.main, &given, &path);
            let kind = self.rules.archive_kind(file).unwrap_or(ArchiveKind::Pak);
            self.assembly.steps.push(Step::Archive { name, path, kind, part: part.cloned() });
        }
    }

    /// The engine's own archives that stand in a copy of the first game directory.
    fn own_archives(&mut self, copy: &Copy, part: &Part) {
        let roots = &self.survey.roots;
        let Some(here) = roots.get(copy.root) else { return };
        for own in &*self.rules.own_archives {
            let root = match own.place {
                OwnPlace::AboveFirst if here.is_main => {
                    roots.iter().find(|root| root.own.iter().any(|file| *file == own.file))
                }
                OwnPlace::AboveEachFirst => Some(here),
                OwnPlace::Lowest | OwnPlace::AboveFirst => None,
            };
            if let Some(root) = root {
                self.own_archive(root, &own.file, Some(part));
            }
        }
    }

    /// A copy of a game directory.
    fn game_directory(&mut self, copy: &Copy, listing: &Listing, part: &Part, planned: &PlannedDirectory) {
        let rules = self.rules;
        let path = &copy.path.absolute;
        let is_main = self.survey.roots.get(copy.root).is_some_and(|root| root.is_main);
        let is_lowest = planned.name == self.first;
        let within = if is_lowest && is_main { In::FirstBase } else { In::Other };
        let loose_name = format!("{}/", part.directory.name);
        let prefix = if part.directory.name == "." { "" } else { &*loose_name };
        let loose =
            || Step::Folder { name: loose_name.clone(), path: path.clone(), part: Some(part.clone()) };
        if planned.loose && rules.loose.position == LoosePosition::Below {
            self.assembly.steps.push(loose());
        }
        let files = self.files_here(prefix, path, listing, planned);
        let kind_of = |file: &str| rules.archive_kind(file).unwrap_or(ArchiveKind::Pak);
        let probe = |assembler: &mut Self, file: &str| match (listing.files.get(file), kind_of(file)) {
            (Some(Kind::File), kind) => (assembler.ask)(&path.join(file), kind),
            (Some(Kind::Folder), ArchiveKind::Folder) => Probe::Usable,
            (Some(Kind::Folder | Kind::Odd), _) if assembler.stops(Stop::NotAFile) => Probe::Fatal,
            _ => Probe::Unusable,
        };
        let order = load_order(files, rules, within, |file| probe(self, file));
        for (file, other) in order.listed {
            let other = format!("{prefix}{other}");
            self.report(format!("{prefix}{file}"), FindingKind::DiskOrder { other });
        }
        for (file, why) in order.left_out {
            let (name, path) = (format!("{prefix}{file}"), path.join(&file));
            self.assembly.steps.push(match listing.files.get(&file) {
                Some(Kind::File) | None => {
                    let look = why == NotLoaded::NotNumbered;
                    Step::LeaveOut { name, path, why, look }
                }
                Some(Kind::Folder | Kind::Odd | Kind::Dangling) => Step::NotRegular { name, path },
            });
        }
        let mut own_first = planned.own;
        let mut ended_by: Option<String> = None;
        for Loaded { file, set, kind } in order.archives {
            let (name, path) = (format!("{prefix}{file}"), path.join(&file));
            if let Some(unusable) = ended_by.clone() {
                let why = NotLoaded::AfterUnusable { unusable };
                self.assembly.steps.push(Step::LeaveOut { name, path, why, look: false });
                continue;
            }
            let numbered = matches!(rules.archives.get(set), Some(ArchiveSet::Numbered { .. }));
            let is_first = numbered && is_lowest && is_first(&file, rules);
            if own_first && !is_first {
                own_first = false;
                self.own_archives(copy, part);
            }
            if is_first && is_main && self.stops(Stop::MissingFirstArchive) {
                let found = listing.files.get(&file) == Some(&Kind::File);
                self.has_first |= found && matches!(probe(self, &file), Probe::Usable | Probe::Empty);
            }
            let ends = rules.paks.wrong_archive == WrongArchive::EndsDirectory
                && !matches!(probe(self, &file), Probe::Usable | Probe::Empty);
            let part = Some(Part { set: Some(set), ..part.clone() });
            match listing.files.get(&file) {
                Some(Kind::File) => self.assembly.steps.push(Step::Archive { name, path, kind, part }),
                Some(Kind::Folder) if kind == ArchiveKind::Folder => {
                    self.assembly.steps.push(Step::Folder { name: format!("{name}/"), path, part });
                }
                Some(Kind::Folder | Kind::Odd) if numbered && self.stops(Stop::NotAFile) => {
                    self.report(name, FindingKind::StopsAt(Stop::NotAFile));
                }
                _ => self.report(name, FindingKind::NotRegular),
            }
            if ends {
                ended_by = Some(file);
            }
        }
        if own_first {
            self.own_archives(copy, part);
        }
        if planned.loose && rules.loose.position != LoosePosition::Below {
            self.assembly.steps.push(loose());
        }
    }

    /// The archives in a listing that stand at this place of the directory. What is wrong with the listing is reported
    /// where the archives stand.
    fn files_here(
        &mut self,
        prefix: &str,
        path: &Utf8Path,
        listing: &Listing,
        planned: &PlannedDirectory,
    ) -> Vec<String> {
        if planned.archives {
            if let Some(error) = &listing.fault {
                let stop = Stop::UnreadableGame;
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
        }
        let longest = self.rules.limits.path.map_or(usize::MAX, |longest| longest as usize);
        let mut here = Vec::new();
        for (file, kind) in &listing.files {
            let is_folder_kind = self.rules.archive_kind(file) == Some(ArchiveKind::Folder);
            // a file with the name of such a folder is a file like any other
            if is_folder_kind && *kind == Kind::File {
                continue;
            }
            let stands_here = if is_folder_kind { planned.loose } else { planned.archives };
            if path.as_str().len() + 1 + file.len() > longest {
                if planned.archives {
                    let kind = FindingKind::NotLoaded(NotLoaded::LongPath);
                    self.report(format!("{prefix}{file}"), kind);
                }
            } else if stands_here {
                here.push(file.clone());
            }
        }
        here
    }
}

fn folder_name(given: &str) -> String {
    format!("{}/", given.trim_end_matches('/'))
}
