//! Which base directory, which engine and which game: one rule for every caller, with the reason of each
//! choice.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::archive::OpenOptions;
use quakefs::disk::{Disk, FileKind, folders_in};
use quakefs::sentences::Shell;
use quakefs::{Access, Engine, Layout, Rules};
#[cfg(feature = "stores")]
use quakefs_installed::Install;
use quakefs_installed::engine_in;
use serde::Serialize;

use crate::error::Error;
use crate::options::{Options, Surroundings};

/// What was chosen for a game, and why.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Choices {
    /// The base directory, as it is written on the disk of the [`Surroundings`]; `None` if only archives and
    /// folders are mounted.
    pub base: Option<Utf8PathBuf>,
    /// Why it was chosen.
    pub base_because: BaseBecause,
    /// The other named base directories.
    pub more_bases: Vec<Utf8PathBuf>,
    /// The other folders that contain a game, if the base directory was found among folders below.
    pub other_bases: Vec<Utf8PathBuf>,
    /// The engine's rules.
    pub rules: Rules,
    /// Why they were chosen.
    pub engine_because: EngineBecause,
    /// The game that was chosen because the folder is inside its directory.
    pub game: Option<String>,
    /// The archives of a folder without a game, which are mounted alone.
    pub archives: Vec<Utf8PathBuf>,
    /// How many folders below were searched, if there are more and none of these contains a game.
    pub searched: Option<usize>,
    /// The installed game, if the base directory is one.
    #[cfg(feature = "stores")]
    pub install: Option<Install>,
}

/// Why a base directory was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BaseBecause {
    /// The options name it.
    Named,
    /// The folder contains the game.
    Here,
    /// A folder above contains the game.
    Above,
    /// The user's configuration names it.
    Configured,
    /// A folder below contains the game.
    Below,
    /// No folder contains the game of a download, but this is the only one that is installed.
    Installed,
    /// No folder contains a game, but the folder has archives.
    Archives,
    /// Nothing shows a game.
    Nothing,
}

impl BaseBecause {
    /// The stable word, such as `above`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            BaseBecause::Named => "named",
            BaseBecause::Here => "here",
            BaseBecause::Above => "above",
            BaseBecause::Configured => "configured",
            BaseBecause::Below => "below",
            BaseBecause::Installed => "installed",
            BaseBecause::Archives => "archives",
            BaseBecause::Nothing => "nothing",
        }
    }

    /// Whether it is not the folder that was named or searched from.
    #[must_use]
    pub(crate) const fn is_elsewhere(self) -> bool {
        matches!(self, BaseBecause::Above | BaseBecause::Below)
    }

    /// Whether somebody has to name it before files are written there.
    #[must_use]
    pub(crate) const fn is_guess(self) -> bool {
        matches!(self, BaseBecause::Below | BaseBecause::Installed)
    }
}

/// Why an engine was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EngineBecause {
    /// The options name it, or have rules.
    Named,
    /// `QUAKEFS_ENGINE` names it.
    Environment,
    /// The user's configuration names it.
    Configured,
    /// Its program is in the base directory: the sentence of [`Engine::of_base`].
    Program(String),
    /// It plays the game in the base directory, which is not Quake.
    Game,
    /// It reads the layout of the archives that are mounted without a base directory.
    Layout(Layout),
    /// Nothing shows another one.
    Default,
}

impl EngineBecause {
    /// The stable word, such as `program`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            EngineBecause::Named => "named",
            EngineBecause::Environment => "environment",
            EngineBecause::Configured => "configured",
            EngineBecause::Program(_) => "program",
            EngineBecause::Game => "game",
            EngineBecause::Layout(_) => "layout",
            EngineBecause::Default => "default",
        }
    }

    /// Whether nothing shows that the engine is meant.
    #[must_use]
    pub const fn is_guess(&self) -> bool {
        matches!(self, EngineBecause::Default)
    }
}

impl EngineBecause {
    /// The sentence for a reader, with the options of a shell.
    pub(crate) fn sentence(&self, has_rules: bool, shell: Option<&dyn Shell>) -> String {
        match (self, shell) {
            (EngineBecause::Named, Some(_)) if has_rules => "--rules names it".to_owned(),
            (EngineBecause::Named, Some(_)) => "--engine names it".to_owned(),
            (EngineBecause::Configured, Some(_)) => "`quakefs config` names it".to_owned(),
            (EngineBecause::Default, Some(_)) => "the default; --engine names another".to_owned(),
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for EngineBecause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineBecause::Named => f.write_str("as named"),
            EngineBecause::Environment => f.write_str("QUAKEFS_ENGINE names it"),
            EngineBecause::Configured => f.write_str("the user's configuration names it"),
            EngineBecause::Program(reason) => f.write_str(reason),
            EngineBecause::Game => f.write_str("it plays the game in the base directory"),
            EngineBecause::Layout(layout) => write!(f, "it reads the {layout} layout of the archives"),
            EngineBecause::Default => f.write_str("the default, because nothing shows another engine"),
        }
    }
}

/// How many levels of folders below are searched for a base directory, and how many folders at most.
const DEPTH: usize = 3;
const FOLDERS: usize = 1000;

impl Choices {
    /// Decides the base directory, the engine and the game.
    ///
    /// The base directory is the named one, exactly. Without one, it is the folder of the surroundings, or
    /// the nearest above it, that contains a game directory of the engine; without a named engine, of any. If
    /// there is none, it is that of the configuration, or else the topmost folder below with such a
    /// directory.
    ///
    /// The engine is the named one; that of `QUAKEFS_ENGINE`; that of the configuration; the one whose
    /// program is in the base directory; the one that plays the game there if it is not Quake;
    /// [`Engine::default`].
    ///
    /// # Errors
    /// No such game is installed, or several are.
    pub fn of(options: &Options, surroundings: &Surroundings) -> Result<Choices, Error> {
        Choices::with_archives(options, surroundings, &[])
    }

    /// Like [`of`](Self::of), for a caller that mounts archives of its own above the game, such as archives
    /// in memory: `own` has the layout of each.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn with_archives(
        options: &Options,
        surroundings: &Surroundings,
        own: &[Option<Layout>],
    ) -> Result<Choices, Error> {
        let disk = &surroundings.disk;
        let named = match (&options.rules, options.engine, surroundings.engine) {
            (Some(rules), ..) => Some((rules.clone(), EngineBecause::Named)),
            (None, Some(engine), _) => Some((engine.rules().clone(), EngineBecause::Named)),
            (None, None, Some(engine)) => Some((engine.rules().clone(), EngineBecause::Environment)),
            (None, None, None) => surroundings
                .configured_engine
                .map(|engine| (engine.rules().clone(), EngineBecause::Configured)),
        };
        let rules = named.as_ref().map(|(rules, _)| rules);
        let mut choices = Choices {
            base: None,
            base_because: BaseBecause::Nothing,
            more_bases: options.bases.iter().skip(1).cloned().collect(),
            other_bases: Vec::new(),
            rules: rules.unwrap_or(Engine::default().rules()).clone(),
            engine_because: EngineBecause::Default,
            game: None,
            archives: Vec::new(),
            searched: None,
            #[cfg(feature = "stores")]
            install: None,
        };
        if let Some(base) = options.bases.first() {
            choices.base_because = BaseBecause::Named;
            choices.base = Some(base.clone());
        } else if let Some(folder) = &surroundings.folder {
            let absolute = || disk.absolute(folder).unwrap_or_else(|_| folder.clone());
            let name = surroundings.folder_name.clone().unwrap_or_else(absolute);
            let has_mounts = !own.is_empty() || !options.mounts.is_empty();
            choices.look_around(surroundings, (folder, &name), rules, options, has_mounts);
        } else if let Some(base) = &surroundings.configured_base {
            choices.base_because = BaseBecause::Configured;
            choices.base = Some(base.clone());
        }
        #[cfg(feature = "stores")]
        if matches!(choices.base_because, BaseBecause::Named | BaseBecause::Configured) {
            for (number, base) in choices.base.iter_mut().chain(&mut choices.more_bases).enumerate() {
                let Some(install) = crate::installed::named(base.as_str(), &surroundings.stores)? else {
                    continue;
                };
                base.clone_from(&install.path);
                if number == 0 {
                    choices.install = Some(install);
                }
            }
        }
        let engine = named.or_else(|| choices.shown(disk, options, own));
        if let Some((rules, because)) = engine {
            (choices.rules, choices.engine_because) = (rules, because);
        }
        Ok(choices)
    }

    /// Looks for the base directory from a folder, which has an absolute name too.
    fn look_around(
        &mut self,
        surroundings: &Surroundings,
        (here, folder): (&Utf8Path, &Utf8Path),
        own: Option<&Rules>,
        options: &Options,
        has_mounts: bool,
    ) {
        let disk = &*surroundings.disk;
        let holds_game = |folder: &Utf8Path| match own {
            Some(rules) => rules.directories.is_in(&folders(disk, folder)),
            None => {
                Engine::default().rules().directories.is_in(&folders(disk, folder))
                    || engine_in(disk, folder).is_some()
            }
        };
        let found = |base: &Utf8Path, because| (Some(base.to_owned()), because);
        if holds_game(folder) {
            (self.base, self.base_because) = found(here, BaseBecause::Here);
        } else if let Some(above) = folder.ancestors().skip(1).find(|above| holds_game(above)) {
            // a path of a disk is never empty
            let base = if above == "" { ".".into() } else { above };
            (self.base, self.base_because) = found(base, BaseBecause::Above);
            let inside = folder.strip_prefix(above).ok().and_then(|below| below.components().next());
            let rules = own.or_else(|| Some(engine_in(disk, above)?.rules()));
            let base = &rules.unwrap_or(Engine::default().rules()).directories;
            let is_mod = |name: &&str| options.games.is_empty() && !base.is_in(&[*name]);
            self.game = inside.map(|name| name.as_str()).filter(is_mod).map(str::to_owned);
        } else if let Some(base) = &surroundings.configured_base {
            (self.base, self.base_because) = found(base, BaseBecause::Configured);
        } else if has_mounts {
            // what is mounted is enough
        } else {
            match topmost(disk, here, &holds_game) {
                Ok((below, others)) => {
                    (self.base, self.base_because) = found(&below, BaseBecause::Below);
                    self.other_bases = others;
                }
                Err(searched) => {
                    self.searched = searched;
                    self.look_for_archives(disk, here, own);
                }
            }
        }
    }

    /// Chooses the archives of a folder without a game.
    fn look_for_archives(&mut self, disk: &dyn Disk, here: &Utf8Path, own: Option<&Rules>) {
        let is_archive = |name: &str| match own {
            Some(rules) => rules.archives.is_archive_name(name),
            None => Engine::with(|rules| rules.archives.is_archive_name(name)).next().is_some(),
        };
        self.archives = files(disk, here);
        self.archives.retain(|file| file.file_name().is_some_and(is_archive));
        if self.archives.is_empty() {
            // the mount tells what it expects there
            self.base = Some(here.to_owned());
        } else {
            self.base_because = BaseBecause::Archives;
        }
    }

    /// The engine that the base directory shows, or without one the archives.
    fn shown(
        &self,
        disk: &Arc<dyn Disk>,
        options: &Options,
        own: &[Option<Layout>],
    ) -> Option<(Rules, EngineBecause)> {
        let of = |engine: Engine, because| Some((engine.rules().clone(), because));
        let Some(base) = &self.base else {
            let mut paths = self.archives.iter().chain(&options.mounts);
            let layout = own.iter().copied().flatten().next();
            let layout = layout.or_else(|| paths.find_map(|path| layout_of(disk, path)))?;
            let mut engines =
                Engine::with(|rules| layout != Layout::Quake && rules.paks.layout == Some(layout));
            return of(engines.next()?, EngineBecause::Layout(layout));
        };
        let entries = items(disk, base);
        if let Some((engine, reason)) = Engine::of_base(&entries) {
            return of(engine, EngineBecause::Program(reason));
        }
        if !options.base_games.is_empty() {
            return None;
        }
        of(engine_in(disk, base)?, EngineBecause::Game)
    }
}

/// The layout of an archive; `None` for a folder, for an archive without one, and if it cannot be read.
#[must_use]
pub fn layout_of(disk: &Arc<dyn Disk>, path: &Utf8Path) -> Option<Layout> {
    OpenOptions::new().access(Access::Read).open_on(disk, path).ok()?.layout()
}

/// The topmost folder below this one that contains a game; of several, the first in byte order, and the
/// others. If there is none, how many folders were searched, unless these are all.
fn topmost(
    disk: &dyn Disk,
    folder: &Utf8Path,
    holds_game: &dyn Fn(&Utf8Path) -> bool,
) -> Result<(Utf8PathBuf, Vec<Utf8PathBuf>), Option<usize>> {
    let mut waiting = VecDeque::from([(folder.to_owned(), 0)]);
    let mut searched = 0;
    while let Some((folder, depth)) = waiting.pop_front() {
        if depth > 0 {
            if searched == FOLDERS {
                return Err(Some(searched));
            }
            searched += 1;
            if holds_game(&folder) {
                let beside = waiting.into_iter().take(FOLDERS - searched);
                let beside = beside.filter(|(other, level)| *level == depth && holds_game(other));
                return Ok((folder, beside.map(|(other, _)| other).collect()));
            }
        }
        // more than can be looked at are not kept
        if depth < DEPTH && waiting.len() <= FOLDERS {
            let mut below = folders(disk, &folder);
            below.retain(|name| !name.starts_with('.'));
            below.sort_unstable();
            waiting.extend(below.into_iter().take(FOLDERS + 1).map(|name| (join(&folder, &name), depth + 1)));
        }
    }
    Err(None)
}

/// The path of a name in a folder, without `./`.
fn join(folder: &Utf8Path, name: &str) -> Utf8PathBuf {
    if folder == "." { name.into() } else { folder.join(name) }
}

fn folders(disk: &dyn Disk, folder: &Utf8Path) -> Vec<String> {
    folders_in(disk, folder).unwrap_or_default()
}

/// The files directly in a folder, in byte order.
fn files(disk: &dyn Disk, folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let files = items(disk, folder).into_iter().filter(|(_, is_file)| *is_file);
    let mut files: Vec<_> = files.map(|(name, _)| join(folder, &name)).collect();
    files.sort_unstable();
    files
}

/// The names directly in a folder, and whether each is a file.
fn items(disk: &dyn Disk, folder: &Utf8Path) -> Vec<(String, bool)> {
    let items = disk.list(folder.as_std_path()).unwrap_or_default().into_iter();
    let named = items.filter_map(|item| {
        let name = String::from_utf8(item.name).ok()?;
        let is_file = match item.kind {
            FileKind::Link => {
                disk.stat(folder.join(&name).as_std_path()).is_ok_and(|stat| stat.kind == FileKind::File)
            }
            kind => kind == FileKind::File,
        };
        Some((name, is_file))
    });
    named.collect()
}
