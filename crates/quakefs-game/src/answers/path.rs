//! The layers of a game, and what is skipped.

use std::fmt;

#[cfg(feature = "fs")]
use quakefs::rules::{UserDirectory, UserLookedAt};
use quakefs::sentences::printable;
use quakefs::why::{pk3_checksum, registration, starts};
use quakefs::{Archive, Engine, Layer, Layout, SearchPath};
use quakefs_installed::Known;
use serde::Serialize;

use super::finding::{FindingRow, Problem};
use crate::game::Game;
use crate::words::Registered;

/// The search path of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PathAnswer {
    /// What was chosen.
    pub chosen: ChosenRow,
    /// The layers that exist, the highest first.
    pub layers: Vec<LayerRow>,
    /// The user directory, if there is one.
    pub user_directory: Option<UserDirectoryRow>,
    /// Whether it is a registered copy, for an engine that checks.
    pub registration: Option<RegistrationRow>,
    /// The problems of the mount: skipped archives, names that do not exist.
    pub findings: Vec<FindingRow>,
    /// Whether the engine starts, as far as the search path tells.
    pub starts: bool,
}

/// What was chosen, then a line for each layer, the highest first.
impl fmt::Display for PathAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.chosen)?;
        self.layers.iter().try_for_each(|layer| write!(f, "\n  {layer}"))
    }
}

/// The engine and the base directory of an answer, and why they were chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChosenRow {
    /// The name of the engine.
    pub engine: String,
    /// The version that the rules describe; null for rules of the caller.
    pub as_of: Option<String>,
    /// Why it was chosen: `named`, `environment`, `configured`, `program`, `game`, `layout` or `default`.
    pub because: &'static str,
    /// The same as a sentence.
    pub reason: String,
    /// The base directory; null if only archives and folders are mounted.
    pub base: Option<String>,
    /// Why it was chosen, as a word: `named`, `here`, `above`, `configured`, `below`, `archives`, `nothing`.
    pub base_because: &'static str,
    /// The game that was chosen because the folder is inside its directory.
    pub game: Option<String>,
    /// The texts of the game that change the search path.
    pub texts: Vec<String>,
}

/// `quakespasm: no engine is named`.
impl fmt::Display for ChosenRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.engine, self.reason)
    }
}

/// A layer of the search path: an archive, or the loose files of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LayerRow {
    /// Its name: the path from the base directory, with `/` at the end for loose files.
    pub layer: String,
    /// `pak`, `zip`, `dir`.
    pub kind: &'static str,
    /// The layout of an archive, such as `quake`.
    pub layout: Option<&'static str>,
    /// The number of entries; null for loose files.
    pub entries: Option<usize>,
    /// The number of findings about it.
    pub problems: usize,
    /// Its path on this computer.
    pub path: Option<String>,
    /// The game directory that it belongs to.
    pub game_directory: Option<String>,
    /// The rank of that directory, 1 for the lowest.
    pub rank: Option<u16>,
    /// The game and the edition of a known archive.
    pub known: Option<String>,
    /// The size of an archive in bytes.
    pub size: Option<u64>,
    /// The checksum of a ZIP by which Quake III's servers and clients name it, as in `sv_paks`.
    pub pk3_checksum: Option<i32>,
    /// How many of the files that levels need are in it, if levels were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<usize>,
    /// The SHA-256 of an archive, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// Its name, and what a known archive is.
impl fmt::Display for LayerRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.layer))?;
        self.known.iter().try_for_each(|known| write!(f, " ({})", printable(known)))
    }
}

/// The user directory of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UserDirectoryRow {
    /// Its path.
    pub path: String,
    /// Whether it exists.
    pub exists: bool,
    /// Whether only some builds of the engine look there.
    pub in_some_builds: bool,
}

/// Its path.
impl fmt::Display for UserDirectoryRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.path))
    }
}

/// Whether a game is a registered copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegistrationRow {
    /// `registered`, `shareware` or `corrupt`.
    pub registration: &'static str,
    /// The same as a sentence.
    pub reason: String,
}

/// The sentence.
impl fmt::Display for RegistrationRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl Game {
    /// The engine and the base directory, and why they were chosen.
    #[must_use]
    pub fn chosen(&self) -> ChosenRow {
        let rules = self.rules();
        ChosenRow {
            engine: rules.name.to_string(),
            as_of: Engine::of(rules).map(|engine| engine.as_of().to_string()),
            because: self.choices.engine_because.name(),
            reason: self.choices.engine_because.sentence(self.options.rules.is_some(), self.shell()),
            base: self.choices.base.as_ref().map(|base| slashed(base.as_str())),
            base_because: self.choices.base_because.name(),
            game: self.choices.game.clone(),
            texts: self.search_path.texts().iter().map(|text| text.as_str().to_owned()).collect(),
        }
    }

    /// The layers that exist, the highest first. An engine creates a folder in its user directory only when
    /// it writes there.
    #[must_use]
    pub fn layers(&self) -> Vec<LayerRow> {
        self.layers_with(true)
    }

    /// The layers without [`LayerRow::known`] and [`LayerRow::pk3_checksum`], for which archives are read.
    #[must_use]
    pub fn mounted_layers(&self) -> Vec<LayerRow> {
        self.layers_with(false)
    }

    fn layers_with(&self, reads: bool) -> Vec<LayerRow> {
        let findings: Vec<_> = self.search_path.findings().collect();
        let row = |layer: &Layer| {
            let directory = layer.game_directory();
            let problems = findings.iter().filter(|finding| finding.location.layer_name() == layer.name());
            LayerRow {
                layer: layer.name().to_owned(),
                kind: layer.kind().name(),
                layout: layer.archive().and_then(Archive::layout).map(Layout::name),
                entries: layer.archive().map(|archive| archive.entries().len()),
                problems: problems.count(),
                path: layer.system_path().map(|path| slashed(path.as_str())),
                game_directory: directory.map(|directory| directory.name.clone()),
                rank: directory.map(|directory| directory.rank),
                known: layer.archive().filter(|_| reads).and_then(known),
                size: layer.archive().map(Archive::size),
                // engines print it as a signed number
                pk3_checksum: layer
                    .archive()
                    .filter(|_| reads)
                    .and_then(|archive| pk3_checksum(archive, None))
                    .map(u32::cast_signed),
                needed: None,
                sha256: None,
            }
        };
        self.search_path.layers().filter(|layer| layer.exists()).map(row).collect()
    }

    /// The problems of the mount, which needs no file to be read.
    #[must_use]
    pub fn findings(&self) -> Vec<FindingRow> {
        self.search_path.findings().map(|found| Problem::from(found.clone()).row(self.shell())).collect()
    }

    /// The search path: layers, what is skipped and why, the user directory.
    #[must_use]
    pub fn path(&self) -> PathAnswer {
        let rules = self.rules();
        PathAnswer {
            chosen: self.chosen(),
            layers: self.layers(),
            #[cfg(feature = "fs")]
            user_directory: self.user_directory(),
            // only the system's disk has one
            #[cfg(not(feature = "fs"))]
            user_directory: None,
            registration: registration(&self.search_path).map(|registration| RegistrationRow {
                registration: registration.name(),
                reason: Registered { registration, rules }.to_string(),
            }),
            findings: self.findings(),
            starts: starts(&self.search_path).is_ok(),
        }
    }
}

#[cfg(feature = "fs")]
impl Game {
    /// The user directory of the engine, whether it exists or not.
    fn user_directory(&self) -> Option<UserDirectoryRow> {
        let path = self.search_path.user_directory()?;
        let in_some_builds = |user: &UserDirectory| user.looked_at == UserLookedAt::InSomeBuilds;
        Some(UserDirectoryRow {
            path: slashed(path.as_str()),
            exists: self.surroundings.disk.stat(path.as_std_path()).is_ok(),
            in_some_builds: self.options.user_directory.is_none()
                && self.rules().user.as_ref().is_some_and(in_some_builds),
        })
    }
}

/// The game and the edition of a known archive. `check` reports an archive that cannot be read.
#[must_use]
pub fn known(archive: &Archive) -> Option<String> {
    Known::of(archive).ok().flatten().map(|known| known.to_string())
}

/// The known archives of a game, lowest first.
pub(super) fn known_archives(search_path: &SearchPath) -> Vec<(String, Known)> {
    let named = |layer: &Layer| {
        let known = Known::of(layer.archive()?).ok().flatten()?;
        Some((layer.name().to_owned(), known))
    };
    let mut known: Vec<_> = search_path.layers().filter_map(named).collect();
    known.reverse();
    known
}

/// A path with `/` on every system.
pub(crate) fn slashed(path: &str) -> String {
    if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() }
}
