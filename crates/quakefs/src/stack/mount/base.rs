//! What a mount finds on disk: the base directory, its game directories, and the paths that are put on top.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::name::escape_path;

use super::super::folder::Folder;
use super::super::layer::{GameDirectory, Layer, Source};
use super::{Mount, wrong_base};
use crate::archive::{Access, Archive, Image, OpenOptions, Pak};
use crate::error::{Error, ErrorKind, utf8};
use crate::finding::{FindingKind, Place};
use crate::rules::{
    ArchiveKind, ArchiveSet, Asked, Case, Host, LoosePosition, MoreBases, NestedPaks, NotLoaded, NotUsed,
    OwnArchive, OwnPlace, Rules, Stop, TooMany, UserLookedAt, WrongArchive,
};
use crate::rules::{In, Loaded, PlannedDirectory, Probe};

/// How many archives may be nested in one another.
const DEEPEST: usize = 4;

/// What stands in the place of an archive's name: a file, a folder, or a thing that is neither.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Folder,
    Odd,
    /// A link that leads nowhere.
    Dangling,
}

/// An archive that was opened, and what was found on the way; or why it was not loaded.
struct Opened {
    archive: Option<Archive>,
    findings: Vec<FindingKind>,
    probe: Probe,
}

/// A path as it was given, and from the root.
struct Given<'g> {
    given: &'g Utf8Path,
    absolute: Utf8PathBuf,
}

impl<'g> Given<'g> {
    fn new(path: &'g Path, doing: &'static str) -> Result<Self, Error> {
        let given = utf8(path)?;
        let absolute = camino::absolute_utf8(given).map_err(|error| Error::io(given, doing, error))?;
        Ok(Given { given, absolute })
    }
}

/// A folder that may have a copy of each game directory: a base directory, or the user's.
struct Root {
    /// The folder as it was given.
    given: Utf8PathBuf,
    absolute: Utf8PathBuf,
    /// Whether it is the first base directory.
    is_main: bool,
}

/// A game directory in one of the roots.
struct DirectoryCopy<'r> {
    directory: Arc<GameDirectory>,
    path: Utf8PathBuf,
    there: bool,
    root: &'r Root,
    /// Whether no other game directory stands below it.
    is_first: bool,
}

impl Mount<'_> {
    /// Mounts the game directories of the base directory, if there is one.
    pub(super) fn base(&mut self) -> Result<(), Error> {
        let builder = Arc::clone(self.builder);
        let Some(base) = builder.bases.first() else { return Ok(()) };
        let base = Given::new(base, "open")?;
        match base.given.as_std_path().metadata() {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(metadata) if metadata.is_file() => return Err(not_a_folder(base.given)),
            _ => return Err(Error::from(ErrorKind::NoBaseDirectory).at_path(base.given)),
        }
        let asked =
            Asked { base_games: &builder.base_games, missions: &builder.missions, games: &builder.games };
        let planned = builder
            .rules
            .directories
            .plan(&asked, &builder.rules.stops)
            .map_err(|bad| ErrorKind::BadGame { game: bad.0 })?;
        for game in planned.stopping {
            let place = format!("{}/", game.trim_end_matches('/'));
            self.find(Place::layer(place), FindingKind::StopsAt(Stop::OddGame));
        }
        for (given, why) in planned.not_used {
            let place = match why {
                NotUsed::UnknownFlag | NotUsed::OtherMission => format!("-{given}"),
                _ => format!("{}/", given.trim_end_matches('/')),
            };
            self.find(Place::layer(place), FindingKind::NotUsed(why));
        }
        self.main_base = Some(base.absolute.clone());
        let roots = self.roots(&base)?;
        let Given { given, absolute: base } = base;
        let mut any = false;
        let mut rank: u16 = 0;
        // a folder that the engine makes when it first writes there: its path and its place among the layers
        let mut written_later: Option<(Arc<GameDirectory>, Utf8PathBuf, usize)> = None;
        let main = roots.iter().filter(|root| root.is_main);
        for own in builder.rules.archives.own.iter().filter(|own| own.place == OwnPlace::Lowest) {
            main.clone().for_each(|root| self.own_archive(root, own));
        }
        let replacing = builder.rules.archives.own.iter().filter(|own| own.instead_of.is_some());
        let replacing: Vec<_> = replacing.filter(|own| base.join(&*own.file).is_file()).collect();
        let replaced = |name: &str| replacing.iter().any(|own| own.instead_of.as_deref() == Some(name));
        let first = planned.directories.first().map(|directory| directory.name.clone()).unwrap_or_default();
        for directory in &planned.directories {
            if replaced(&directory.name) {
                continue;
            }
            let is_first = directory.name == first;
            let case = if directory.of_game { builder.rules.directories.game_case } else { Case::Exact };
            let copies = self.copies(&roots, &directory.name, case, rank.saturating_add(1), is_first);
            let here = copies.iter().any(|copy| copy.there);
            for copy in &copies {
                if copy.there {
                    self.game_directory(copy, &roots, directory);
                } else if directory.own {
                    self.own_archives(copy, &roots);
                }
            }
            rank = rank.saturating_add(u16::from(here));
            if directory.name == "." {
                continue;
            }
            if let Some(highest) = copies.last().filter(|_| here && directory.written) {
                self.write_dir = Some(highest.path.clone());
                let later = !highest.there && !highest.root.absolute.is_file();
                written_later =
                    later.then(|| (Arc::clone(&highest.directory), highest.path.clone(), self.layers.len()));
            }
            any |= here;
            if !here && directory.expected {
                self.missing_directory(&base, directory);
            }
        }
        if !self.has_first {
            self.find_stop(Place::layer(format!("{first}/")), Stop::MissingFirstArchive);
        }
        if let Some((directory, path, place)) = written_later {
            let layer = folder_layer(format!("{}/", directory.name), path, self.rules());
            self.layers.insert(place, layer.of(&directory, None));
        }
        if !any && builder.pushed.is_empty() {
            let names = planned.directories.into_iter().map(|directory| directory.name);
            let expected: Vec<_> = names.filter(|name| name != ".").collect();
            let because = wrong_base::likely(given, &base, &expected, &builder.rules);
            return Err(Error::from(ErrorKind::NoGameDirectory { expected, because }).at_path(&base));
        }
        Ok(())
    }

    /// Reports a game directory that is not there.
    fn missing_directory(&mut self, base: &Utf8Path, planned: &PlannedDirectory) {
        let PlannedDirectory { name, of_game, .. } = planned.clone();
        let fatal = of_game && self.rules().stops.contains(&Stop::MissingGame);
        let nearest = wrong_base::nearest_folder(base, &name)
            .filter(|nearest| of_game || nearest.eq_ignore_ascii_case(&name));
        let place = Place::layer(format!("{name}/"));
        self.find(place, FindingKind::MissingDirectory { directory: name, of_game, nearest, fatal });
    }

    /// The base directories and the user's, low to high.
    fn roots(&mut self, base: &Given<'_>) -> Result<Vec<Root>, Error> {
        let builder = Arc::clone(self.builder);
        let more_bases = builder.rules.directories.more_bases;
        let mut more: Vec<Root> = Vec::new();
        for given in builder.bases.iter().skip(1) {
            let root = Given::new(given, "open")?;
            let place = Place::layer(format!("{}/", root.given.as_str().trim_end_matches('/')));
            if more_bases == MoreBases::Ignored {
                self.find(place, FindingKind::NotUsed(NotUsed::BaseDirectory));
                continue;
            }
            if !root.absolute.is_dir() {
                let directory = root.given.to_string();
                let kind =
                    FindingKind::MissingDirectory { directory, of_game: false, nearest: None, fatal: false };
                self.find(place, kind);
            }
            more.push(Root { given: root.given.to_owned(), absolute: root.absolute, is_main: false });
        }
        let below = more_bases == MoreBases::Below;
        let place = if below { more.len() } else { 0 };
        more.insert(
            place,
            Root { given: base.given.to_owned(), absolute: base.absolute.clone(), is_main: true },
        );
        let user = self.user_directory()?;
        self.user = user.as_ref().map(|user| user.absolute.clone());
        let mut roots: Vec<Root> = Vec::new();
        for root in more.into_iter().chain(user) {
            let again = root.absolute == base.absolute && !root.is_main;
            if !again && roots.iter().all(|there| there.absolute != root.absolute) {
                roots.push(root);
            }
        }
        Ok(roots)
    }

    /// The user directory that is named, or that of the engine below the home folder.
    fn user_directory(&self) -> Result<Option<Root>, Error> {
        let root = |given: &Path| -> Result<Root, Error> {
            let Given { given, absolute } = Given::new(given, "open")?;
            Ok(Root { given: given.to_owned(), absolute, is_main: false })
        };
        if let Some(named) = &self.builder.user {
            return root(named).map(Some);
        }
        let (Some(home), Some(rule)) = (&self.builder.home, &self.rules().user) else {
            return Ok(None);
        };
        let places: Vec<_> = rule.places(Host::here()).iter().map(|place| home.join(&**place)).collect();
        let found = places.iter().find(|place| place.is_dir());
        let first = places.first().filter(|_| rule.looked_at != UserLookedAt::WhereThere);
        found.or(first).map(|place| root(place)).transpose()
    }

    /// A game directory in each of the roots, whether it is there or not.
    fn copies<'r>(
        &self,
        roots: &'r [Root],
        name: &str,
        case: Case,
        rank: u16,
        is_first: bool,
    ) -> Vec<DirectoryCopy<'r>> {
        let copy = |root: &'r Root, given: Utf8PathBuf, path: Utf8PathBuf| {
            let directory = Arc::new(GameDirectory { rank, name: self.name_of(&given, &path) });
            DirectoryCopy { directory, there: path.is_dir(), path, root, is_first }
        };
        if name == "." {
            // the base directory itself has no copy
            let main = roots.iter().filter(|root| root.is_main);
            return main.map(|root| copy(root, root.given.clone(), root.absolute.clone())).collect();
        }
        let below = |root: &'r Root| {
            let spelled = spelled_in(&root.absolute, name, case);
            copy(root, root.given.join(&spelled), root.absolute.join(&spelled))
        };
        roots.iter().map(below).collect()
    }

    /// Reports something at which the engine stops, if the rules say that it does.
    fn find_stop(&mut self, place: Place, stop: Stop) -> bool {
        let stops = self.rules().stops.contains(&stop);
        if stops {
            self.find(place, FindingKind::StopsAt(stop));
        }
        stops
    }

    /// Mounts an archive of the engine's own, if the folder has it.
    fn own_archive(&mut self, root: &Root, own: &OwnArchive) {
        let path = root.absolute.join(&*own.file);
        if path.is_file() {
            let kind = ArchiveKind::of(&own.file).unwrap_or(ArchiveKind::Pak);
            let opened = self.open_found(&path, kind);
            self.opened_archive(&self.name_of(&root.given.join(&*own.file), &path), opened, 0);
        }
    }

    /// Mounts the engine's own archives that stand in a copy of the first game directory.
    fn own_archives(&mut self, copy: &DirectoryCopy<'_>, roots: &[Root]) {
        let builder = Arc::clone(self.builder);
        let first = self.layers.len();
        for own in &*builder.rules.archives.own {
            let root = match own.place {
                OwnPlace::AboveFirst if copy.root.is_main => {
                    roots.iter().find(|root| root.absolute.join(&*own.file).is_file())
                }
                OwnPlace::AboveEachFirst => Some(copy.root),
                OwnPlace::Lowest | OwnPlace::AboveFirst => None,
            };
            if let Some(root) = root {
                self.own_archive(root, own);
            }
        }
        for layer in self.layers.iter_mut().skip(first) {
            *layer = layer.clone().of(&copy.directory, None);
        }
    }

    /// Mounts a copy of a game directory.
    fn game_directory(&mut self, copy: &DirectoryCopy<'_>, roots: &[Root], planned: &PlannedDirectory) {
        let builder = Arc::clone(self.builder);
        let rules = &builder.rules;
        let DirectoryCopy { directory, path, .. } = copy;
        let within = if copy.is_first && copy.root.is_main { In::FirstBase } else { In::Other };
        let loose_name = format!("{}/", directory.name);
        let prefix = if directory.name == "." { String::new() } else { loose_name.clone() };
        let loose = |mount: &mut Self| {
            tracing::info!(layer = loose_name, "mounted a folder");
            let layer = folder_layer(loose_name.clone(), path.clone(), rules);
            mount.layers.push(layer.of(directory, None));
        };
        if planned.loose && rules.loose.position == LoosePosition::Below {
            loose(self);
        }
        let files = self.files_here(&prefix, path, planned);
        let mut opened: BTreeMap<String, Opened> = BTreeMap::new();
        let order = rules.archives.load_order(files.keys().cloned().collect(), within, |file| {
            let kind = ArchiveKind::of(file).unwrap_or(ArchiveKind::Pak);
            match files.get(file) {
                Some(Kind::File) => {
                    let found = self.open_found(&path.join(file), kind);
                    let probe = found.probe;
                    opened.insert(file.to_owned(), found);
                    probe
                }
                Some(Kind::Folder) if kind == ArchiveKind::Folder => Probe::Usable,
                Some(Kind::Folder | Kind::Odd) if rules.stops.contains(&Stop::NotAFile) => Probe::Fatal,
                _ => Probe::Unusable,
            }
        });
        for (file, other) in order.listed {
            let other = format!("{prefix}{other}");
            self.find(Place::layer(format!("{prefix}{file}")), FindingKind::DiskOrder { other });
        }
        for (file, why) in order.left_out {
            let (name, path) = (format!("{prefix}{file}"), path.join(&file));
            // renaming a file that is no archive would not help
            let kind = match (&why, files.get(&file)) {
                (_, Some(Kind::Folder | Kind::Odd | Kind::Dangling)) => FindingKind::NotRegular,
                (NotLoaded::NotNumbered, _) => match Archive::open(&path) {
                    Err(error) => FindingKind::WrongArchive { error, opened: false, fatal: false },
                    Ok(_) => FindingKind::NotLoaded(why),
                },
                _ => FindingKind::NotLoaded(why),
            };
            self.left_out.push((name.clone(), path));
            self.find(Place::layer(name), kind);
        }
        let mut own_first = planned.own;
        let mut ended_by: Option<String> = None;
        for Loaded { file, set, kind } in order.archives {
            if let Some(unusable) = ended_by.clone() {
                let name = format!("{prefix}{file}");
                self.left_out.push((name.clone(), path.join(&file)));
                self.find(Place::layer(name), FindingKind::NotLoaded(NotLoaded::AfterUnusable { unusable }));
                continue;
            }
            let first = self.layers.len();
            let numbered = matches!(rules.archives.sets.get(set), Some(ArchiveSet::Numbered { .. }));
            let is_first =
                copy.is_first && rules.archives.sets.get(set).is_some_and(|set| set.is_first(&file));
            if own_first && !is_first {
                own_first = false;
                self.own_archives(copy, roots);
            }
            let name = format!("{prefix}{file}");
            let below = self.layers.len();
            match files.get(&file) {
                Some(Kind::File) => {
                    let found =
                        opened.remove(&file).unwrap_or_else(|| self.open_found(&path.join(&file), kind));
                    self.has_first |= is_first && copy.root.is_main && found.archive.is_some();
                    if found.archive.is_none() {
                        self.left_out.push((name.clone(), path.join(&file)));
                    }
                    self.opened_archive(&name, found, 0);
                }
                Some(Kind::Folder) if kind == ArchiveKind::Folder => {
                    let layer = folder_layer(format!("{name}/"), path.join(&file), rules);
                    self.layers.push(layer);
                }
                Some(Kind::Folder | Kind::Odd) if numbered && rules.stops.contains(&Stop::NotAFile) => {
                    self.find(Place::layer(name), FindingKind::StopsAt(Stop::NotAFile));
                }
                _ => self.find(Place::layer(name), FindingKind::NotRegular),
            }
            for layer in self.layers.iter_mut().skip(first) {
                *layer = layer.clone().of(directory, Some(set));
            }
            if self.layers.len() == below && rules.archives.wrong == WrongArchive::EndsDirectory {
                ended_by = Some(file);
            }
        }
        if own_first {
            self.own_archives(copy, roots);
        }
        if planned.loose && rules.loose.position != LoosePosition::Below {
            loose(self);
        }
    }

    /// The names of [`list_files`](Self::list_files) whose archives stand at this place of the directory.
    fn files_here(
        &mut self,
        prefix: &str,
        path: &Utf8Path,
        planned: &PlannedDirectory,
    ) -> BTreeMap<String, Kind> {
        let reported = self.findings.len();
        let mut files = self.list_files(prefix, path, planned.of_game);
        if !planned.archives {
            // reported where the archives stand
            self.findings.truncate(reported);
        }
        files.retain(|file, _| match ArchiveKind::of(file) {
            Some(ArchiveKind::Folder) => planned.loose,
            _ => planned.archives,
        });
        files
    }

    /// The names straight in a folder that are those of archives, and what stands there.
    fn list_files(&mut self, prefix: &str, path: &Utf8Path, of_game: bool) -> BTreeMap<String, Kind> {
        let unreadable = |error| FindingKind::Unreadable(Error::io(path, "list", error));
        let mut files = BTreeMap::new();
        let entries = match path.as_std_path().read_dir() {
            Ok(entries) => entries,
            Err(error) => {
                if !(of_game && self.find_stop(Place::layer(prefix), Stop::UnreadableGame)) {
                    self.find(Place::layer(prefix), unreadable(error));
                }
                return files;
            }
        };
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.find(Place::layer(prefix), unreadable(error));
                    continue;
                }
            };
            match entry.file_name().into_string() {
                Ok(name) if !self.rules().archives.is_archive_name(&name) => {}
                Ok(name) => {
                    let is_folder_kind = ArchiveKind::of(&name) == Some(ArchiveKind::Folder);
                    let file_type = match entry.file_type() {
                        Ok(link) if link.is_symlink() => {
                            entry.path().metadata().map(|metadata| metadata.file_type())
                        }
                        file_type => file_type,
                    };
                    let kind = match file_type {
                        // a file with the name of such a folder is a file like any other
                        Ok(file_type) if file_type.is_file() && is_folder_kind => continue,
                        Ok(file_type) if file_type.is_file() => Kind::File,
                        Ok(file_type) if file_type.is_dir() => Kind::Folder,
                        Ok(_) => Kind::Odd,
                        Err(_) => Kind::Dangling,
                    };
                    let too_long = self
                        .rules()
                        .limits
                        .path
                        .is_some_and(|most| path.as_str().len() + 1 + name.len() > most as usize);
                    if too_long {
                        self.find(
                            Place::layer(format!("{prefix}{name}")),
                            FindingKind::NotLoaded(NotLoaded::LongPath),
                        );
                        continue;
                    }
                    files.insert(name, kind);
                }
                Err(name) if self.rules().archives.is_archive_name(&name.to_string_lossy()) => {
                    let name = escape_path(Path::new(&name));
                    self.find(Place::layer(format!("{prefix}{name}")), FindingKind::NotUtf8);
                }
                Err(_) => {}
            }
        }
        files
    }

    /// Adds the layers of an archive that was opened: the archive, and those that are nested in it.
    fn opened_archive(&mut self, name: &str, opened: Opened, depth: usize) {
        for kind in opened.findings {
            self.find(Place::layer(name), kind);
        }
        let Some(archive) = opened.archive else { return };
        if let (Some(pak), Some(read_as)) = (archive.as_pak(), self.rules().paks.layout) {
            self.compare_layouts(name, pak, read_as);
        }
        match self.rules().archives.nested_paks {
            NestedPaks::Ignored => self.archive(name.to_owned(), archive),
            NestedPaks::Below => {
                self.nested(name, &archive, depth);
                self.archive(name.to_owned(), archive);
            }
            NestedPaks::Above => {
                self.archive(name.to_owned(), archive.clone());
                self.nested(name, &archive, depth);
            }
        }
    }

    /// Adds the paks that are entries of an archive.
    fn nested(&mut self, name: &str, container: &Archive, depth: usize) {
        let builder = Arc::clone(self.builder);
        let rules = &builder.rules;
        if depth >= DEEPEST {
            return;
        }
        let mut rows: BTreeMap<String, u32> = BTreeMap::new();
        for row in 0..container.rows() {
            let name = container.name(row);
            // most names are in a folder
            let Some(entry) = (!name.contains(&b'/')).then(|| std::str::from_utf8(name).ok()).flatten()
            else {
                continue;
            };
            if ArchiveKind::of(entry) == Some(ArchiveKind::Pak) && !container.is_folder(row) {
                rows.entry(entry.to_owned()).or_insert(row);
            }
        }
        let mut opened: BTreeMap<String, Opened> = BTreeMap::new();
        let open = |file: &str| {
            let row = rows.get(file)?;
            let image = Image::from(container.read(*row as usize).ok()?);
            let archive = Archive::open_as(image, ArchiveKind::Pak, rules).ok()?;
            Some(Opened { archive: Some(archive), findings: Vec::new(), probe: Probe::Usable })
        };
        let order =
            rules.archives.load_order(rows.keys().cloned().collect(), In::Other, |file| match open(file) {
                Some(found) => {
                    opened.insert(file.to_owned(), found);
                    Probe::Usable
                }
                None => Probe::Unusable,
            });
        for Loaded { file, .. } in order.archives {
            if let Some(found) = opened.remove(&file).or_else(|| open(&file)) {
                self.opened_archive(&format!("{name}/{file}"), found, depth + 1);
            }
        }
    }

    /// Opens an archive as the engine would: the rules say what kind it is, and how its bytes are read.
    fn open_found(&self, path: &Utf8Path, kind: ArchiveKind) -> Opened {
        let rules = self.rules();
        let stops = |stop| rules.stops.contains(&stop);
        let mut findings = Vec::new();
        let found = self.open(path, self.builder.access, |image| Archive::open_as(image, kind, rules));
        let archive = match found {
            Ok(archive) => archive,
            Err(error) => {
                use pak_format::ErrorKind as Pak;
                let fatal = kind == ArchiveKind::Pak
                    && match error.kind() {
                        // a file that cannot be opened is a missing one
                        ErrorKind::Io { .. } => false,
                        ErrorKind::Pak(Pak::DirectoryOutside { .. }) => stops(Stop::CutDirectory),
                        _ => stops(Stop::WrongArchive),
                    };
                findings.push(FindingKind::WrongArchive { error, opened: true, fatal });
                let probe = if fatal { Probe::Fatal } else { Probe::Unusable };
                return Opened { archive: None, findings, probe };
            }
        };
        if let Some(error) = archive.damage()
            && let ErrorKind::Pak(pak_format::ErrorKind::DirectoryOutside { offset, size, .. }) = error.kind()
            && (is_negative(*offset) || is_negative(*size))
            && stops(Stop::NegativeDirectory)
        {
            findings.push(FindingKind::StopsAt(Stop::NegativeDirectory));
        }
        // a directory that was cut off had rows
        let is_empty = archive.is_empty() && archive.as_pak().is_none_or(|pak| pak.damage().is_none());
        if is_empty && stops(Stop::EmptyArchive) {
            findings.push(FindingKind::StopsAt(Stop::EmptyArchive));
        }
        if let Some(zip) = archive.as_zip() {
            if zip.is_shifted() && stops(Stop::BytesInFront) {
                findings.push(FindingKind::StopsAt(Stop::BytesInFront));
            }
            let longest = rules.zips.longest_name.map_or(usize::MAX, |longest| longest.most as usize);
            let mut names = archive.entries().map(|entry| entry.name().as_bytes().len());
            if stops(Stop::LongZipName) && names.any(|length| length > longest) {
                findings.push(FindingKind::StopsAt(Stop::LongZipName));
            }
        }
        let entries = archive.as_pak().map_or(0, Pak::stated_rows);
        if let Some(limit) = rules.limits.entries.filter(|limit| entries > limit.most as usize) {
            let (then, fatal) = (limit.then, stops(Stop::TooManyEntries));
            findings.push(FindingKind::TooManyEntries { entries, most: limit.most, then, fatal });
            if then == TooMany::Skipped {
                return Opened { archive: None, findings, probe: Probe::Unusable };
            }
        }
        let probe = if is_empty { Probe::Empty } else { Probe::Usable };
        Opened { archive: Some(archive), findings, probe }
    }

    /// Opens an archive, unless it is open already and the file did not change.
    fn open(
        &self,
        path: &Utf8Path,
        access: Access,
        open: impl FnOnce(Image) -> Result<Archive, Error>,
    ) -> Result<Archive, Error> {
        let opened = self.opened.iter().filter_map(Layer::archive);
        if let Some(archive) = opened.filter(|archive| archive.path() == Some(path)).find(|a| a.is_current())
        {
            return Ok(archive.clone());
        }
        open(Image::open(path, access)?)
    }

    pub(super) fn push_folder(&mut self, path: &Path) -> Result<(), Error> {
        let path = Given::new(path, "mount")?;
        if !path.given.is_dir() {
            return Err(not_a_folder(path.given));
        }
        let name = format!("{}/", self.name_of(path.given, &path.absolute).trim_end_matches('/'));
        tracing::info!(layer = name, "mounted a folder");
        let layer = folder_layer(name, path.absolute, self.rules());
        self.layers.push(layer);
        Ok(())
    }

    pub(super) fn push_archive(&mut self, path: &Path, options: &OpenOptions) -> Result<(), Error> {
        let path = Given::new(path, "mount")?;
        let name = self.name_of(path.given, &path.absolute);
        let opened =
            self.open(&path.absolute, options.access, |image| Archive::of_any_kind(image, options.layout));
        self.archive(name.clone(), opened.map_err(|error| error.in_archive(name))?);
        Ok(())
    }

    /// A path as layers are named: relative to the base directory if it is inside, else as it was given.
    fn name_of(&self, given: &Utf8Path, absolute: &Utf8Path) -> String {
        match self.main_base.as_ref().and_then(|base| absolute.strip_prefix(base).ok()) {
            Some(inside) if inside == "" => ".".to_owned(),
            Some(inside) => inside.components().map(|part| part.as_str()).collect::<Vec<_>>().join("/"),
            None => given.to_string(),
        }
    }
}

fn folder_layer(name: String, path: Utf8PathBuf, rules: &Rules) -> Layer {
    Layer::new(name, Source::Folder(Arc::new(Folder::new(path, rules))))
}

/// Whether a number in a header is below 0 for an engine that reads it with a sign.
fn is_negative(number: u32) -> bool {
    number > i32::MAX.unsigned_abs()
}

/// How the disk spells the name of a folder: as given, or where case does not count as the first that is there, by
/// bytes.
fn spelled_in(base: &Utf8Path, name: &str, case: Case) -> String {
    if case == Case::Exact || base.join(name).is_dir() {
        return name.to_owned();
    }
    let entries = base.as_std_path().read_dir().into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let alike = names.filter(|found| found.eq_ignore_ascii_case(name) && base.join(found).is_dir());
    alike.min().unwrap_or_else(|| name.to_owned())
}

fn not_a_folder(path: &Utf8Path) -> Error {
    let why = if path.exists() {
        io::Error::new(io::ErrorKind::NotADirectory, "it is not a folder")
    } else {
        io::Error::new(io::ErrorKind::NotFound, "there is no such folder")
    };
    Error::io(path, "mount", why)
}
