//! Tables of the folders in which stores keep games.

use std::fmt;
use std::path::PathBuf;

/// The places to search for games. Only the caller's places are searched; the environment is not read.
#[derive(Clone, Debug, Default)]
#[must_use = "`games_in` looks there"]
pub struct Places {
    /// The home folder, which may contain the folders of Steam, GOG's installers, Heroic and Legendary, also
    /// from Flatpak and Snap.
    pub home: Option<PathBuf>,
    /// The root of the file system (`/`, `C:\`), below which packages and stores install games for all users.
    pub system: Option<PathBuf>,
    /// Steam folders, which contain `steamapps`.
    pub steam: Vec<PathBuf>,
    /// Folders of games that stores have installed.
    pub installs: Vec<(Store, PathBuf)>,
}

#[cfg(windows)]
impl Places {
    /// Adds Steam's folder and GOG's games from the Windows registry.
    pub fn registry(mut self) -> Self {
        use winreg::HKEY;
        use winreg::RegKey;
        use winreg::enums::{HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE, KEY_READ};

        let open = |root: HKEY, key: &str| RegKey::predef(root).open_subkey_with_flags(key, KEY_READ).ok();
        let text = |key: &RegKey, value: &str| key.get_value::<String, _>(value).ok();
        let steam = [
            (HKEY_LOCAL_MACHINE, r"SOFTWARE\WOW6432Node\Valve\Steam", "InstallPath"),
            (HKEY_LOCAL_MACHINE, r"SOFTWARE\Valve\Steam", "InstallPath"),
            (HKEY_CURRENT_USER, r"SOFTWARE\Valve\Steam", "SteamPath"),
        ];
        for (root, key, value) in steam {
            let found = open(root, key).and_then(|key| text(&key, value));
            self.steam.extend(found.map(PathBuf::from));
        }
        for key in [r"SOFTWARE\WOW6432Node\GOG.com\Games", r"SOFTWARE\GOG.com\Games"] {
            let Some(games) = open(HKEY_LOCAL_MACHINE, key) else { continue };
            for id in games.enum_keys().flatten() {
                let game = games.open_subkey_with_flags(id, KEY_READ).ok();
                let found = game.and_then(|game| text(&game, "path"));
                self.installs.extend(found.map(|path| (Store::Gog, path.into())));
            }
        }
        self
    }
}

/// The origin of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Store {
    /// Steam.
    Steam,
    /// GOG, through its installers, Galaxy or Heroic.
    Gog,
    /// Epic, through its launcher, Legendary or Heroic.
    Epic,
    /// Packages of the system, such as those made by Debian's game-data-packager.
    System,
}

impl Store {
    /// Every store.
    pub const ALL: &[Store] = &[Store::Steam, Store::Gog, Store::Epic, Store::System];

    /// The stable name of the store: `steam`, `gog`, `epic` or `system`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Store::Steam => "steam",
            Store::Gog => "gog",
            Store::Epic => "epic",
            Store::System => "system",
        }
    }
}

impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Steam's folder below the home folder: on Linux, from Debian's package, Flatpak and Snap, and on macOS.
pub(super) const STEAM: &[&str] = &[
    ".local/share/Steam",
    ".steam/steam",
    ".steam/root",
    ".steam/debian-installation",
    ".var/app/com.valvesoftware.Steam/.local/share/Steam",
    ".var/app/com.valvesoftware.Steam/data/Steam",
    "snap/steam/common/.local/share/Steam",
    "Library/Application Support/Steam",
];

/// Steam's folder below the root of the system.
pub(super) const STEAM_OF_SYSTEM: &[&str] = &["Program Files (x86)/Steam", "Program Files/Steam"];

/// Folders below the home folder whose subfolders are games.
pub(super) const LIBRARIES: &[(Store, &str)] = &[(Store::Gog, "GOG Games")];

/// Folders below the root of the system whose subfolders are games. Debian and packages built by hand use the
/// first two.
pub(super) const LIBRARIES_OF_SYSTEM: &[(Store, &str)] = &[
    (Store::System, "usr/share/games"),
    (Store::System, "usr/local/share/games"),
    (Store::Gog, "GOG Games"),
    (Store::Gog, "Program Files (x86)/GOG Galaxy/Games"),
    (Store::Epic, "Program Files/Epic Games"),
];

/// JSON files below the home folder that list games, and the key of a game's folder.
pub(super) const LISTS: &[(Store, &str, &str)] = &[
    (Store::Gog, ".config/heroic/gog_store/installed.json", "install_path"),
    (
        Store::Gog,
        ".var/app/com.heroicgameslauncher.hgl/config/heroic/gog_store/installed.json",
        "install_path",
    ),
    (Store::Gog, "Library/Application Support/heroic/gog_store/installed.json", "install_path"),
    (Store::Epic, ".config/legendary/installed.json", "install_path"),
    (Store::Epic, ".config/heroic/legendaryConfig/legendary/installed.json", "install_path"),
    (
        Store::Epic,
        ".var/app/com.heroicgameslauncher.hgl/config/heroic/legendaryConfig/legendary/installed.json",
        "install_path",
    ),
];

/// Folders below the home folder with a JSON file for each game; the extension, and the key of the game's
/// folder.
pub(super) const MANIFESTS: &[(Store, &str, &str, &str)] = &[(
    Store::Epic,
    "Library/Application Support/Epic/EpicGamesLauncher/Data/Manifests",
    "item",
    "InstallLocation",
)];

/// The same below the root of the system.
pub(super) const MANIFESTS_OF_SYSTEM: &[(Store, &str, &str, &str)] =
    &[(Store::Epic, "ProgramData/Epic/EpicGamesLauncher/Data/Manifests", "item", "InstallLocation")];

/// The base directory relative to a game's folder: the folder itself, Nightdive's edition beside the
/// original, and the layout of GOG's installers for Linux.
pub(super) const BASES: &[&str] = &["", "rerelease", "game", "game/rerelease"];
