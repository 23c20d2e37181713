//! What names and first bytes tell about a file of a download.

use quakefs::content::ContentType;
use quakefs::{Engine, Rules};

/// A family of games, which share their formats and the way a game is started.
#[derive(Debug, Eq)]
#[non_exhaustive]
pub struct Family {
    /// The name, such as `Quake II`.
    pub name: &'static str,
    /// The directory of the base game, such as `baseq2`.
    pub base: &'static str,
    /// The words before the name of a game directory on an engine's command line.
    pub game_option: &'static [&'static str],
    /// An engine that many players use.
    pub engine: Engine,
    /// The folder of demos in a game directory; empty for the game directory itself.
    pub(super) demos: &'static str,
    /// Other game directories that come with a game of the family or are known by a flag.
    pub(super) others: &'static [&'static str],
    /// First bytes of levels and models.
    heads: &'static [&'static [u8]],
    /// Extensions that no other family has.
    extensions: &'static [&'static str],
    /// Names of files that no other family has.
    names: &'static [&'static str],
    /// Files without which no engine of the family starts. An archive with all of them is the base game's.
    pub(super) needed: &'static [&'static str],
}

pub(super) static QUAKE: Family = Family {
    name: "Quake",
    base: "id1",
    engine: Engine::QuakeSpasm,
    game_option: &["-game"],
    demos: "",
    others: &["hipnotic", "rogue", "quoth", "nehahra", "qw", "dopa", "mg1", "mg3"],
    heads: &[b"\x1d\0\0\0", b"BSP2", b"2PSB", b"IDPO"],
    extensions: &["lit", "qwd", "mvd"],
    names: &["progs.dat", "qwprogs.dat", "quake.rc"],
    needed: &["gfx.wad", "gfx/palette.lmp"],
};

pub(super) static QUAKE2: Family = Family {
    name: "Quake II",
    base: "baseq2",
    engine: Engine::YQuake2,
    game_option: &["+set", "game"],
    demos: "demos",
    others: &["ctf", "xatrix", "zaero"],
    heads: &[b"IBSP\x26\0\0\0", b"QBSP\x26\0\0\0", b"IDP2"],
    extensions: &["md2", "wal", "dm2", "pcx", "sp2"],
    names: &["gamex86.dll", "gamei386.so", "gamex86_64.so", "gameaxp.dll", "gamei386.dll"],
    needed: &["pics/colormap.pcx", "default.cfg"],
};

pub(super) static QUAKE3: Family = Family {
    name: "Quake III",
    base: "baseq3",
    engine: Engine::IoQuake3,
    game_option: &["+set", "fs_game"],
    demos: "demos",
    others: &["missionpack"],
    heads: &[b"IBSP\x2e\0\0\0", b"IBSP\x2f\0\0\0", b"RBSP", b"FBSP", b"IDP3"],
    extensions: &["qvm", "md3", "aas", "dm_68", "dm_67", "dm_66"],
    names: &[],
    needed: &["default.cfg", "gfx/2d/bigchars.tga"],
};

pub(super) static HALF_LIFE: Family = Family {
    name: "Half-Life",
    base: "valve",
    engine: Engine::GoldSrc,
    game_option: &["-game"],
    demos: "",
    others: &["gearbox", "bshift", "cstrike", "tfc"],
    heads: &[b"\x1e\0\0\0", b"IDST", b"IDSQ"],
    extensions: &["res"],
    names: &["liblist.gam"],
    needed: &["gfx.wad", "gfx/palette.lmp"],
};

/// Each family has its own name.
impl PartialEq for Family {
    fn eq(&self, other: &Family) -> bool {
        self.name == other.name
    }
}

/// The flags of missions that authors name.
pub(super) const FLAGS: &[&str] = &["hipnotic", "rogue", "quoth", "nehahra"];

pub(super) static FAMILIES: [&Family; 4] = [&QUAKE, &QUAKE2, &QUAKE3, &HALF_LIFE];

impl Family {
    /// The family whose base game an engine loads. Engines of other games, such as Hexen II, have none.
    #[must_use]
    pub fn of_engine(rules: &Rules) -> Option<&'static Family> {
        let base = &rules.directories.base;
        FAMILIES.into_iter().find(|family| base.iter().any(|name| name == family.base))
    }

    /// Whether a folder is a game directory that comes with a game of the family.
    pub(super) fn has_directory(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case(self.base) || self.others.iter().any(|own| name.eq_ignore_ascii_case(own))
    }
}

/// How many files speak for each family: by their first bytes, by their name or a folder around them, and by their extension.
#[derive(Default)]
pub(super) struct Votes([(usize, usize, usize); FAMILIES.len()]);

impl Votes {
    pub(super) fn count(&mut self, path: &str, head: &[u8]) {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        for (family, votes) in FAMILIES.iter().zip(&mut self.0) {
            let named = |known: &[&str], name: &str| known.iter().any(|one| name.eq_ignore_ascii_case(one));
            votes.0 += usize::from(family.heads.iter().any(|known| head.starts_with(known)));
            let is_base = |folder: &str| folder.eq_ignore_ascii_case(family.base);
            votes.1 += usize::from(named(family.names, name) || folders.split('/').any(is_base));
            votes.2 += usize::from(named(family.extensions, extension));
        }
    }

    /// The family with the best votes, if any file shows one. First bytes count most, extensions least.
    pub(super) fn best(&self) -> Option<&'static Family> {
        let best = FAMILIES.into_iter().zip(self.0).rev().max_by_key(|(_, votes)| *votes)?;
        (best.1 != (0, 0, 0)).then_some(best.0)
    }
}

/// Whether only a game directory directly contains a file of this name.
pub(super) fn is_mark(name: &str) -> bool {
    const NAMES: &[&str] = &["progs.dat", "qwprogs.dat", "quake.rc", "liblist.gam"];
    const LIBRARIES: &[&str] = &["dll", "so", "dylib"];
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let is = |known: &&str| extension.eq_ignore_ascii_case(known);
    let begins = |start: &str| stem.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start));
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
        || is(&"pk3")
        || is(&"pak")
        || (begins("game") && LIBRARIES.iter().any(is))
}

/// The number in `pak0.pak`.
pub(super) fn pak_number(name: &str) -> Option<u32> {
    let (stem, extension) = name.rsplit_once('.')?;
    let (start, number) = stem.split_at_checked(3)?;
    let is_pak = start.eq_ignore_ascii_case("pak") && extension.eq_ignore_ascii_case("pak");
    number.parse().ok().filter(|_| is_pak && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a file is left by a system or a tool, and no part of a download.
pub(super) fn is_junk(path: &str) -> bool {
    const FOLDERS: &[&str] = &["__MACOSX", ".git", ".svn"];
    const FILES: &[&str] = &[".DS_Store", "Thumbs.db", "desktop.ini"];
    let is_one_of = |known: &[&str], name: &str| known.iter().any(|one| name.eq_ignore_ascii_case(one));
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    is_one_of(FILES, name) || folders.split('/').any(|folder| is_one_of(FOLDERS, folder))
}

/// Whether a file may hold the author's words.
pub(super) fn is_text(path: &str) -> bool {
    const EXTENSIONS: &[&str] =
        &["txt", "doc", "me", "1st", "nfo", "htm", "html", "diz", "bat", "cmd", "sh", "md", "rtf"];
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    name.contains("readme") || name.rsplit_once('.').is_some_and(|(_, end)| EXTENSIONS.contains(&end))
}

/// The folder of a game directory in which an engine looks for a file without a folder, if it looks for such files at all.
pub(super) fn loose_folder(path: &str, family: &'static Family) -> Option<&'static str> {
    /// Files that an engine loads beside a level.
    const BESIDE: &[&str] = &["lit", "vis", "ent"];
    match ContentType::of(path.as_bytes()) {
        ContentType::Level => Some("maps"),
        ContentType::LevelData => {
            let extension = path.rsplit_once('.')?.1;
            BESIDE.iter().any(|known| extension.eq_ignore_ascii_case(known)).then_some("maps")
        }
        ContentType::Demo => Some(family.demos),
        _ => None,
    }
}
