//! Mounting: makes a search path from a builder.
//!
//! ```text
//! plan      flags and games -> game directories            needs only the rules
//! survey    what the disk contains there, as plain data    lists folders, opens nothing
//! assemble  what to open, in order, and what to skip       needs only plan and survey
//! open      archives -> layers -> one index
//! ```

mod assemble;
mod builder;
mod given;
#[cfg_attr(not(feature = "why"), path = "no_guess.rs")]
mod guess;
#[cfg(feature = "why")]
mod mod_list;
mod music;
mod open;
mod other_games;
mod shared_rules;
mod survey;
mod texts;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use camino::Utf8Path;
use hashbrown::DefaultHashBuilder;
use tracing::field::Empty;

use self::assemble::Step;
pub use self::builder::Builder;
pub(crate) use self::builder::Pushed;
use self::given::{CallerPath, is_folder};
use self::open::Opening;
pub(crate) use self::shared_rules::SharedRules;
use self::survey::Survey;
use crate::disk::{Disk, broken_link, on_host};
use crate::error::{Error, ErrorKind};
use crate::finding::{Finding, FindingKind, Unreachable};
use crate::location::Location;
use crate::rules::{BadGame, EngineStop, LoosePosition, NotUsed, QPath, Rules, Setting, StandIn};
use crate::search_path::{FileId, Index, Layer, Layers, LooseFolder, Mounted, Places, SearchPath, reach};

impl SearchPath {
    /// Returns a builder with a base directory: the folder that contains `id1`.
    pub fn builder(base: impl AsRef<Path>) -> Builder {
        Builder::new().base_directory(base)
    }

    /// Mounts again with the same builder, which finds new archives, game directories and loose files.
    /// Unchanged archives are shared with this search path, which does not change.
    ///
    /// ```
    /// # let game = testutils::game("id1/: autoexec.cfg");
    /// # let pak = testutils::pack(quakefs::Layout::Quake, [("maps/start.bsp", "a level")]);
    /// let quake = quakefs::SearchPath::builder(game.path()).mount()?;
    /// std::fs::write(game.join("id1/pak0.pak"), pak)?;
    /// assert!(quake.find("maps/start.bsp").is_none());
    /// assert!(quake.remount()?.find("maps/start.bsp").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Builder::mount`].
    pub fn remount(&self) -> Result<SearchPath, Error> {
        let _span = tracing::info_span!("remount").entered();
        mount(self.0.mounted.builder.clone(), &self.0.mounted.layers.0)
    }

    /// Mounts again with a changed builder: with another game, for another system, or on a disk that wraps
    /// [`disk`](Self::disk).
    ///
    /// Unchanged archives are shared with this search path, unless the builder has another disk, other rules
    /// or another access.
    ///
    /// # Errors
    /// As [`Builder::mount`].
    pub fn remount_with(&self, change: impl FnOnce(Builder) -> Builder) -> Result<SearchPath, Error> {
        let _span = tracing::info_span!("remount").entered();
        let before = &self.0.mounted.builder;
        let builder = change(before.clone());
        let same_disk = match (&before.disk, &builder.disk) {
            (Some(before), Some(now)) => Arc::ptr_eq(before, now),
            (before, now) => before.is_none() && now.is_none(),
        };
        let shares = same_disk && *builder.rules == *before.rules && builder.access == before.access;
        mount(builder, if shares { &self.0.mounted.layers.0 } else { &[] })
    }

    /// Mounts another game by a line of the engine's console, such as `game mymod`. As in the engine, the
    /// games of the line replace the present ones, and missions stay only if the engine keeps them. Unchanged
    /// archives are shared.
    ///
    /// ```
    /// # let builder = testutils::search_path::game_in_memory("id1/: a.cfg; a/: b.cfg; b/: c.cfg");
    /// let quake = builder.game("a").mount()?.at_console("game b")?;
    /// assert!(quake.find("b.cfg").is_none() && quake.find("c.cfg").is_some());
    /// # Ok::<(), quakefs::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Console`] if the engine refuses the line or has no such command, and as
    /// [`Builder::mount`].
    pub fn at_console(&self, line: &str) -> Result<SearchPath, Error> {
        let asked = self.rules().at_console(line).map_err(ErrorKind::Console)?;
        let command = self.rules().console.known().and_then(Option::as_ref);
        self.remount_with(|mut builder| {
            let missions = std::mem::take(&mut builder.line.missions);
            let mut builder = builder.without_games();
            if command.is_some_and(|command| command.keeps_missions) {
                builder.line.missions = missions;
            }
            builder.refuses_missing_games |= command.is_some_and(|command| command.must_exist);
            builder.line.missions.extend(asked.missions);
            builder.line.games = asked.games;
            builder
        })
    }

    /// Returns the search path with only some of its layers. [`remount`](Self::remount) of the result brings
    /// the others back.
    ///
    /// ```
    /// # let game = "id1/pak0.pak: a.cfg; id1/pak1.pak: a.cfg";
    /// # let quake = testutils::search_path::game_in_memory(game).mount()?;
    /// let lower = quake.keep_layers(|layer| layer.name() != "id1/pak1.pak")?;
    /// assert_eq!(lower.find("a.cfg").unwrap().layer().name(), "id1/pak0.pak");
    /// # Ok::<(), quakefs::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NothingToMount`] if no layer is left.
    pub fn keep_layers(&self, is_kept: impl Fn(&Layer) -> bool) -> Result<SearchPath, Error> {
        keeping(&self.0.mounted, is_kept)
    }
}

/// A search path without layers, which finds nothing: for an engine before its game is chosen.
impl Default for SearchPath {
    fn default() -> SearchPath {
        let (builder, layers) = (Builder::new(), Layers(Vec::new()));
        let (archives, _) = index(&layers, &builder.rules);
        SearchPath::mounted(Mounted {
            loose: builder.rules.loose,
            rules: builder.rules.clone(),
            layers,
            archives,
            disk: builder.disk_or_default(),
            builder,
            places: Places::default(),
            skipped: Vec::new(),
            findings: Vec::new(),
        })
    }
}

impl Builder {
    /// Opens every archive and indexes its names.
    ///
    /// Each archive that cannot be loaded or is skipped becomes a [`Finding`](crate::Finding) of the search
    /// path.
    ///
    /// # Errors
    /// [`ErrorKind::NoBaseDirectory`](crate::ErrorKind::NoBaseDirectory),
    /// [`ErrorKind::BaseIsFile`](crate::ErrorKind::BaseIsFile),
    /// [`ErrorKind::NoGameDirectory`](crate::ErrorKind::NoGameDirectory),
    /// [`ErrorKind::BadGame`](crate::ErrorKind::BadGame),
    /// [`ErrorKind::UnknownSetting`](crate::ErrorKind::UnknownSetting),
    /// [`ErrorKind::MissingGame`](crate::ErrorKind::MissingGame),
    /// [`ErrorKind::NothingToMount`](crate::ErrorKind::NothingToMount),
    /// [`ErrorKind::PathNotUtf8`](crate::ErrorKind::PathNotUtf8), and any error that opening an added layer
    /// returns.
    pub fn mount(self) -> Result<SearchPath, Error> {
        mount(self, &[])
    }

    /// Like [`mount`](Self::mount), with progress and sharing. `opening` is called before each archive is
    /// opened. Archives that `before` has open are shared if they did not change and both builders open them
    /// in the same way. A second game on the same base game therefore opens only its own archives.
    ///
    /// # Errors
    /// As [`mount`](Self::mount).
    pub fn mount_after(
        self,
        before: Option<&SearchPath>,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<SearchPath, Error> {
        let alike = before.filter(|before| before.0.mounted.builder.opens_like(&self));
        let layers = alike.map_or(&[][..], |before| &before.0.mounted.layers.0);
        // archives that the caller added may be opened with other options
        let layers: Vec<_> =
            layers.iter().filter(|layer| layer.game_directory().is_some()).cloned().collect();
        mount_reporting(self, &layers, progress)
    }
}

/// Progress of a mount: see [`Builder::mount_after`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// The archive that is opened next, named like a layer.
    pub archive: &'a str,
    /// The number of archives opened before it.
    pub done: usize,
    /// The number of all archives.
    pub total: usize,
}

/// Mounts a builder. Unchanged archives are taken from `before`.
pub(crate) fn mount(builder: Builder, before: &[Layer]) -> Result<SearchPath, Error> {
    mount_reporting(builder, before, &mut |_| ())
}

fn mount_reporting(
    mut builder: Builder,
    before: &[Layer],
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<SearchPath, Error> {
    let (engine, opened, layers, entries, findings) = (&*builder.rules.name, Empty, Empty, Empty, Empty);
    let span = tracing::info_span!("mount", engine, opened, layers, entries, findings).entered();
    builder.refused.take().map_or(Ok(()), |fault| Err(ErrorKind::Rules(fault)))?;
    let settings = &builder.rules.directories.settings;
    builder.line.check_settings(settings).map_err(ErrorKind::UnknownSetting)?;
    let loose_above = builder.line.is_on(settings, |setting| matches!(setting, Setting::LooseAbove(_)));
    let disk = builder.disk_or_default();
    builder.anchor(&*disk);
    let bases = CallerPath::all(&*disk, &builder, &builder.all_bases())?;
    let main = bases.first().map(|base| base.absolute.clone());
    let disk = disk_on_host(&builder, disk, &bases)?;
    let rules = builder.rules_on_host();
    let mut loose = rules.loose;
    if loose_above {
        loose.position = LoosePosition::Above;
    }
    let mut opening = Opening::new(&builder, &rules, loose, &disk, main, before);
    for below in builder.below.iter().rev() {
        opening.push(below)?;
    }
    let places = if bases.is_empty() {
        Places::default()
    } else {
        mount_bases(&builder, &rules, &disk, &bases, &mut opening, progress)?
    };
    for pushed in &builder.pushed {
        opening.push(pushed)?;
    }
    let layers = checked(std::mem::take(&mut opening.layers))?;
    let (archives, of_entries) = index(&layers, &rules);
    for finding in of_entries {
        if !opening.misread.iter().any(|layer| layer == finding.location.layer_name()) {
            opening.report(finding);
        }
    }
    let (skipped, findings) = (opening.skipped, opening.findings);
    let entries: u64 =
        layers.0.iter().filter_map(Layer::archive).map(|archive| u64::from(archive.rows())).sum();
    let (opened, count) = (opening.opened.get(), layers.0.len());
    tracing::record_all!(span, opened, layers = count, entries, findings = findings.len());
    if let Some(spelling) = layers
        .0
        .iter()
        .filter_map(Layer::folder)
        .map(LooseFolder::spelling)
        .find(|found| found.ignores_case())
    {
        loose = loose.in_folder(spelling);
    }
    let mounted = Mounted { rules, loose, layers, archives, builder, disk, places, skipped, findings };
    Ok(SearchPath::mounted(mounted))
}

/// The builder's disk. If the builder has a `host`, its names compare as on that system.
fn disk_on_host(
    builder: &Builder,
    disk: Arc<dyn Disk>,
    bases: &[CallerPath],
) -> Result<Arc<dyn Disk>, Error> {
    let Some(host) = builder.host else { return Ok(disk) };
    let mut below: Vec<_> = bases.iter().map(|base| base.absolute.clone()).collect();
    let folders = builder.pushed.iter().filter_map(|pushed| match pushed {
        Pushed::Folder(path) | Pushed::GameDirectory(path) => Some(path),
        _ => None,
    });
    for folder in folders.chain(&builder.user).chain(&builder.home).chain(&builder.program) {
        below.push(CallerPath::new(&*disk, builder, folder, "open")?.absolute);
    }
    Ok(on_host(disk, host, below))
}

/// Mounts the game directories of the base directories.
fn mount_bases(
    builder: &Builder,
    rules: &Rules,
    disk: &Arc<dyn Disk>,
    bases: &[CallerPath],
    opening: &mut Opening<'_>,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Places, Error> {
    let Some(base) = bases.first().cloned() else { return Ok(Places::default()) };
    let mut always = Cow::Borrowed(&*rules.directories.base);
    for StandIn { missing, directory } in &*rules.directories.stand_ins {
        let is_there = |name: &str| is_folder(&**disk, &base.absolute.join(name));
        if !is_there(missing) && is_there(directory) {
            let bases = always.to_mut().iter_mut();
            bases.filter(|base| *base == missing).for_each(|base| base.clone_from(directory));
        }
    }
    let settings = texts::read(&**disk, builder, rules, &base, &always);
    let always = settings.base.as_deref().unwrap_or(&always);
    let planned = rules.directories.plan_on(always, &builder.line, &rules.stops);
    let planned = planned.or_else(|BadGame(game)| {
        check_base(&**disk, &base)?;
        Err(Error::from(ErrorKind::BadGame { game }))
    })?;
    let survey = Survey::new(&**disk, builder, rules, bases.to_vec(), &planned.directories)?;
    if !survey.has_main() {
        check_base(&**disk, &base)?;
    }
    let assembly = assemble::assemble(rules, opening.loose.position, &planned, &survey, &mut |path, kind| {
        opening.probe(path, kind)
    });
    opening.sort_probed();
    if !assembly.has_directory && builder.pushed.is_empty() {
        let names = planned.directories.iter().map(|directory| directory.name.clone());
        let mut expected: Vec<_> = names.filter(|name| name != ".").collect();
        expected.dedup();
        expected.iter().try_for_each(|name| check_link(&**disk, &base, name))?;
        let because = guess::likely(&**disk, &base, &expected, rules);
        return Err(Error::from(ErrorKind::NoGameDirectory { expected, because }).at_path(&base.absolute));
    }
    let is_game =
        |why: &NotUsed| matches!(why, NotUsed::Game { .. } | NotUsed::OddGame | NotUsed::TooManyGames);
    if builder.refuses_missing_games
        && let Some((game, why)) = planned.not_used.iter().find(|(_, why)| is_game(why))
    {
        return Err(ErrorKind::UnusedGame { game: game.clone(), why: *why }.into());
    }
    let missing = |step: &Step| match step {
        Step::Report(finding) => match &finding.kind {
            FindingKind::MissingDirectory { directory, of_game: true, nearest, .. } => {
                Some(ErrorKind::MissingGame { game: directory.clone(), nearest: nearest.clone() })
            }
            _ => None,
        },
        _ => None,
    };
    if builder.refuses_missing_games
        && let Some(missing) = assembly.steps.iter().find_map(missing)
    {
        if let ErrorKind::MissingGame { game, .. } = &missing {
            check_link(&**disk, &base, game)?;
        }
        return Err(missing.into());
    }
    if let Some(game) = settings.without.filter(|_| rules.stops.contains(&EngineStop::MissingGameInfo)) {
        let kind = FindingKind::StopsAt(EngineStop::MissingGameInfo);
        opening.find(Location::layer(game), kind);
    }
    let total = assembly.steps.iter().filter_map(Step::archive).count();
    let mut done = 0;
    for step in assembly.steps {
        if let Some(archive) = step.archive() {
            progress(Progress { archive, done, total });
            done += 1;
        }
        opening.step(step);
    }
    #[cfg(feature = "why")]
    if rules.stops.contains(&EngineStop::OtherGame) && !builder.is_one_of_many {
        mod_list::report(builder, rules, &**disk, bases, &planned, opening)?;
    }
    Ok(Places {
        bases: bases.iter().map(|base| base.absolute.clone()).collect(),
        user: survey.user,
        write_dir: assembly.write_dir,
        game_folder: assembly.game_folder,
        texts: settings.file.into_iter().chain(assembly.lists).collect(),
    })
}

/// Fails if a base directory is not a folder.
fn check_base(disk: &dyn Disk, base: &CallerPath) -> Result<(), Error> {
    let wrong = match disk.stat(base.absolute.as_std_path()) {
        Ok(stat) if stat.is_folder() => return Ok(()),
        Ok(_) => ErrorKind::BaseIsFile,
        Err(_) => match broken_link(disk, base.absolute.as_std_path()) {
            Some(target) => ErrorKind::BrokenLink { target },
            None => ErrorKind::NoBaseDirectory,
        },
    };
    Err(Error::from(wrong).at_path(&base.given))
}

/// Fails if the folder of a game is a link to something that does not exist.
fn check_link(disk: &dyn Disk, base: &CallerPath, game: &str) -> Result<(), Error> {
    let folder = base.absolute.join(game);
    match broken_link(disk, folder.as_std_path()) {
        Some(target) => Err(Error::from(ErrorKind::BrokenLink { target }).at_path(&folder)),
        None => Ok(()),
    }
}

/// The name of a layer: its path relative to the first base directory if it is inside, else the caller's
/// path, with `/` on every system.
fn name_of(main: Option<&Utf8Path>, given: &Utf8Path, absolute: &Utf8Path) -> String {
    match main.and_then(|base| absolute.strip_prefix(base).ok()) {
        Some(inside) if inside == "" => ".".to_owned(),
        Some(inside) => inside.components().map(|part| part.as_str()).collect::<Vec<_>>().join("/"),
        None if cfg!(windows) => given.as_str().replace('\\', "/"),
        None => given.to_string(),
    }
}

/// A search path with some of the layers.
fn keeping(search_path: &Mounted, is_kept: impl Fn(&Layer) -> bool) -> Result<SearchPath, Error> {
    let (kept, others): (Vec<Layer>, Vec<Layer>) = search_path.layers.0.iter().cloned().partition(is_kept);
    let layers = checked(kept)?;
    let (archives, _) = index(&layers, &search_path.rules);
    let findings = search_path
        .findings
        .iter()
        .filter(|finding| !others.iter().any(|layer| layer.contains(&finding.location)));
    Ok(SearchPath::mounted(Mounted {
        rules: search_path.rules.clone(),
        loose: search_path.loose,
        layers,
        archives,
        builder: search_path.builder.clone(),
        disk: Arc::clone(&search_path.disk),
        places: search_path.places.clone(),
        skipped: search_path.skipped.clone(),
        findings: findings.cloned().collect(),
    }))
}

fn checked(mut layers: Vec<Layer>) -> Result<Layers, Error> {
    if layers.is_empty() {
        return Err(ErrorKind::NothingToMount.into());
    }
    if layers.len() > usize::from(u16::MAX) {
        return Err(ErrorKind::TooManyLayers { found: layers.len() }.into());
    }
    Layer::number(&mut layers);
    Ok(Layers(layers))
}

/// Indexes the names in all archives, and reports the entries that cannot be read or reached.
fn index(layers: &Layers, rules: &Rules) -> (Index, Vec<Finding>) {
    let mut findings = Vec::new();
    let archives = layers.numbered().filter_map(|(number, layer)| Some((number, layer.archive()?)));
    let sizes: Vec<_> = archives.map(|(number, archive)| (number, archive.rows())).rev().collect();
    let skips_entries = !rules.archives.skipped_entries.is_empty();
    let passes_over = |layer: u16, name: &[u8]| {
        let file = layers.get(layer).map_or("", Layer::name).rsplit('/').next().unwrap_or_default();
        rules.archives.passes_over_entry(file, name)
    };
    let has_loose = |layer: u16, name: &[u8]| {
        let directory = layers.get(layer).and_then(Layer::game_directory);
        let here = |other: &&Layer| directory.is_some() && other.game_directory() == directory;
        let name = QPath::new(name, &rules.requests);
        let has = |folder: &LooseFolder| name.as_ref().is_ok_and(|name| folder.has_file(name.in_folders()));
        layers.0.iter().filter(here).filter_map(Layer::folder).any(has)
    };
    let index = Index::build(
        &sizes,
        rules.archives.case,
        DefaultHashBuilder::default(),
        rules.archives.duplicates,
        layers,
        &mut |id, name| {
            let Some(archive) = layers.get(id.layer).and_then(Layer::archive) else { return false };
            let mut found = |kind, is_reached| {
                findings.push((id, kind));
                is_reached
            };
            if archive.is_never_requested(id.file) {
                return false;
            }
            if archive.is_dropped(id.file) {
                return found(FindingKind::Unreachable(Unreachable::Dropped), false);
            }
            if skips_entries && passes_over(id.layer, name)
                || rules.archives.is_loose_instead(name) && has_loose(id.layer, name)
            {
                return found(FindingKind::Unreachable(Unreachable::Skipped), false);
            }
            if let Err(why) = reach(name, rules, |qpath| qpath.in_archives()) {
                // a request in another case may find such an entry
                return found(FindingKind::Unreachable(why), why == Unreachable::LooseOnly);
            }
            archive.check(id.file).err().is_none_or(|error| found(FindingKind::Entry(error), true))
        },
    );
    findings.sort_unstable_by_key(|(id, _)| *id);
    let finding = |(id, kind): (FileId, _)| {
        let layer = layers.get(id.layer)?;
        let entry = layer.archive()?.entry(id.file as usize)?;
        Some(Finding::new(&rules.name, entry.location(layer.name()), kind))
    };
    (index, findings.into_iter().filter_map(finding).collect())
}
