//! What a person can say about a game, and what surrounds it.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use camino::Utf8PathBuf;
use quakefs::disk::Disk;
use quakefs::rules::{Host, UnknownName};
use quakefs::sentences::Shell;
use quakefs::{Engine, Rules};
#[cfg(feature = "stores")]
use quakefs_installed::Places;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// All that a person can say about a game: the options of the command, the keywords of Python, the object of
/// the npm package, the setters of C. Everything is optional.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The base directories, each the folder that contains `id1` and the mods, or a game of a store such as
    /// `steam:quake`. Some engines use several, and each has its own order for them. Without any, the game is
    /// looked for from the current folder, in the folders above it and below it.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub bases: Vec<Utf8PathBuf>,
    /// The engine. Without one, the game decides.
    #[serde(deserialize_with = "by_name")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub engine: Option<Engine>,
    /// Rules to use instead of an engine's.
    #[serde(skip)]
    pub rules: Option<Rules>,
    /// The games, as after `-game` of the engine, the last one highest.
    pub games: Vec<String>,
    /// The mission flags without their dash, such as `hipnotic`.
    pub missions: Vec<String>,
    /// Folders that replace `id1`, as after `-basegame`.
    pub base_games: Vec<String>,
    /// Settings of the engine by name, such as `fs_basegame`.
    pub settings: BTreeMap<String, String>,
    /// Downloads that are laid over the base directory, the last one highest.
    pub over: Vec<Over>,
    /// Archives and folders above the game directories, the last one highest.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub mounts: Vec<Utf8PathBuf>,
    /// The user directory. Without one, it is the engine's in the home folder.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub user_directory: Option<Utf8PathBuf>,
    /// Whether no user directory is used.
    pub no_user_directory: bool,
    /// The folder of the engine's program. Without one, it is looked for in `PATH`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub program_directory: Option<Utf8PathBuf>,
    /// The system that the engine runs on. Without one, it is this system, with the case rules of each
    /// folder.
    #[serde(deserialize_with = "by_name")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub on: Option<Host>,
    /// Whether a game without a folder is an error.
    pub games_exist: bool,
}

/// An engine or a system by each of its names, as at the command line.
fn by_name<'de, T: FromStr<Err = UnknownName>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    let name = Option::<String>::deserialize(from)?;
    name.map(|name| name.parse().map_err(D::Error::custom)).transpose()
}

/// A download over the base directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Over {
    /// The name of the game directory. Without one, it is as `place` finds it.
    #[serde(default)]
    pub name: Option<String>,
    /// The archive, level, demo or unpacked folder.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub file: Utf8PathBuf,
}

/// `NAME=FILE`, or only the file.
impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.iter().try_for_each(|name| write!(f, "{name}="))?;
        f.write_str(self.file.as_str())
    }
}

/// What surrounds a game on its computer. The caller passes it, because no library reads the environment.
#[derive(Clone)]
pub struct Surroundings {
    /// The disk of all paths.
    pub disk: Arc<dyn Disk>,
    /// The folder where a game is looked for if no base directory is named: there, in the folders above, in
    /// the folders below. `None` looks nowhere.
    pub folder: Option<Utf8PathBuf>,
    /// The absolute path of `folder` as the person named it, perhaps with links; `None`: as the disk names
    /// it.
    pub folder_name: Option<Utf8PathBuf>,
    /// The home folder, in which engines have their user directories.
    pub home: Option<Utf8PathBuf>,
    /// The folders of `PATH`, for engines that look for files beside their program.
    pub programs: Vec<Utf8PathBuf>,
    /// The engine that is used if the options name none: `QUAKEFS_ENGINE`.
    pub engine: Option<Engine>,
    /// The engine of the user's configuration, which is used if `engine` is none.
    pub configured_engine: Option<Engine>,
    /// The base directory of the user's configuration, which is used if the options name none and the folder
    /// is not inside a game.
    pub configured_base: Option<Utf8PathBuf>,
    /// The places of the stores.
    #[cfg(feature = "stores")]
    pub stores: Places,
    /// The command line of the reader, for advice that names its options; `None` for a page, a window or a
    /// program.
    pub shell: Option<Arc<dyn Shell + Send + Sync>>,
}

impl fmt::Debug for Surroundings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surroundings")
            .field("disk", &self.disk)
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

impl Surroundings {
    /// A disk, and nothing else.
    #[must_use]
    pub fn of(disk: Arc<dyn Disk>) -> Self {
        Surroundings {
            disk,
            folder: None,
            folder_name: None,
            home: None,
            programs: Vec::new(),
            engine: None,
            configured_engine: None,
            configured_base: None,
            #[cfg(feature = "stores")]
            stores: Places::default(),
            shell: None,
        }
    }

    pub(crate) fn shell(&self) -> Option<&dyn Shell> {
        let shell: &dyn Shell = self.shell.as_deref()?;
        Some(shell)
    }
}

/// The disk of this system, and nothing else.
#[cfg(feature = "fs")]
impl Default for Surroundings {
    fn default() -> Self {
        Surroundings::of(Arc::new(quakefs::disk::SystemDisk))
    }
}
