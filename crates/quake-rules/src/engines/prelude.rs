//! What rows are made of: the types of rules, and parts that several rows have.

pub(super) use std::borrow::Cow::Borrowed;

pub(super) use crate::Fact::{Known, Unknown};
pub(super) use crate::*;

/// A list, also of items that functions return. The inner `const` keeps these out of the row: another row can
/// begin with it only if nothing in it needs a destructor.
macro_rules! list {
    ($($item:expr),* $(,)?) => {
        std::borrow::Cow::Borrowed(const { &[$($item),*] })
    };
}

/// A list of texts.
macro_rules! texts {
    ($($text:literal),* $(,)?) => {
        std::borrow::Cow::Borrowed(&[$(std::borrow::Cow::Borrowed($text)),*])
    };
}

/// The engine stops at games with such a name.
macro_rules! refused {
    ($($name:expr),* $(,)?) => { list![$(OddGame::Refused($name)),*] };
}

/// The engine ignores games with such a name.
macro_rules! ignored {
    ($($name:expr),* $(,)?) => { list![$(OddGame::Ignored($name)),*] };
}

/// What stops the engine.
macro_rules! stops {
    ($($stop:ident),* $(,)?) => {
        list![$(EngineStop::$stop),*]
    };
}

/// Files that the engine needs to start.
macro_rules! to_start {
    ($($file:literal),* $(,)?) => {
        Needed { to_start: texts![$($file),*], ..Needed::NOTHING }
    };
}

pub(super) use {ignored, list, refused, stops, texts, to_start};

pub(super) const PAK: List<Text> = texts!["pak"];
pub(super) const PK3: List<Text> = texts!["pk3"];
pub(super) const PK3DIR: List<Text> = texts!["pk3dir"];

pub(super) const TO_A_GAP: Gaps = Gaps::Stop { empty: EmptyArchive::Loaded };

/// `pak0.pak` to `pak9.pak`, with gaps.
pub(super) const TEN: List<ArchiveSet> = list![numbered(PAK, Some(10), Gaps::Skip)];

/// The file of a registered Quake, from `id1/pak1.pak`.
///
/// Source: WinQuake, `WinQuake/common.c`, `COM_CheckRegistered`, which compares the 256 bytes with its array
/// `pop`.
pub(super) const POP: Registered = Registered {
    file: Borrowed("gfx/pop.lmp"),
    size: Some(256),
    crc32: Some(0xa3c8_9ff2),
    shareware: Some(SHAREWARE),
};

/// [`POP`] for engines that do not compare its bytes.
pub(super) const ANY_POP: Registered = Registered { size: None, crc32: None, ..POP };

/// Quake's shareware.
///
/// Source: WinQuake, `WinQuake/common.c`, `PAK0_COUNT` and `PAK0_CRC`, which `COM_LoadPackFile` compares.
pub(super) const SHAREWARE: Shareware = Shareware { entries: 339, crcs: list![32981], only_top_level: false };

/// A user directory; each row has its places.
pub(super) const ALWAYS: UserDirectory = UserDirectory {
    linux: texts![],
    macos: texts![],
    windows: texts![],
    looked_at: UserLookedAt::Always,
    in_store: None,
};

/// A user directory that an option of the build turns on.
pub(super) const IN_SOME_BUILDS: UserDirectory =
    UserDirectory { looked_at: UserLookedAt::InSomeBuilds, ..ALWAYS };

/// The console command that changes the game.
pub(super) const GAMEDIR: GameCommand = GameCommand {
    command: Borrowed("gamedir"),
    most_games: None,
    missions: list![],
    keeps_missions: false,
    must_exist: false,
};

/// A loose file that cannot be opened is found and fails.
pub(super) const ONLY_UNREADABLE: Obstacles =
    Obstacles { folder: false, special: false, dangling_link: false, unreachable: false, unreadable: true };

/// The engines of QuakeSpasm's family refuse a game that is a path.
///
/// Source: QuakeSpasm, `Quake/common.c`, `COM_InitFilesystem`: "gamedir should be a single directory name,
/// not a path".
pub(super) const NO_PATH: List<OddGame> =
    refused![is(""), is("."), holds(".."), holds("/"), holds("\\"), holds(":")];

/// ET: Legacy and iortcw stop at a game that is a path, and take names such as `x..y` and `a:b`.
///
/// Source: ET: Legacy, `src/qcommon/files.c`, `FS_InvalidGameDir`.
pub(super) const NO_SLASH: List<OddGame> = refused![is("."), is(".."), holds("/"), holds("\\")];

/// The Quake II engines ignore a game that is a path.
///
/// Source: Quake II, `qcommon/files.c`, `FS_SetGamedir`.
pub(super) const SINGLE_FILE_NAME: List<OddGame> =
    ignored![is(""), holds(".."), holds("/"), holds("\\"), holds(":")];

/// The engine looks for the name as it is requested.
pub(super) const AS_GIVEN: Requests = Requests {
    backslash: Backslash::Literal,
    leading_slash: PathRule::Literal,
    dot_component: PathRule::Literal,
    empty_component: PathRule::Literal,
    hidden_component: PathRule::Literal,
    trailing_slash: PathRule::ArchivesOnly,
    // no limit of the engine is known: as long as a `QPath` may be
    longest: 255,
    instead: list![],
    end_on_windows: PathRule::Literal,
    refused: texts![],
    loose_only: texts![],
    loose_only_case: Case::Exact,
    host: Host::Linux,
};

/// The engine refuses unusual names.
pub(super) const ALL_REFUSED: Requests = Requests {
    backslash: Backslash::Refused,
    leading_slash: PathRule::Refused,
    dot_component: PathRule::Refused,
    empty_component: PathRule::Refused,
    ..AS_GIVEN
};

/// The engine drops the unusual parts of a name.
pub(super) const CLEANED: Requests = Requests {
    leading_slash: PathRule::Dropped,
    dot_component: PathRule::Dropped,
    empty_component: PathRule::Dropped,
    ..AS_GIVEN
};

pub(super) const NO_LIMIT: Limits = Limits { entries: None, name: 63, path: None, archives: None };

/// A file beside a level; each row has its names.
pub(super) const COMPANION: Companion = Companion {
    names: texts![],
    rank: Rank::Any,
    kind: CompanionKind::Addition,
    shortest_level: 1,
    setting: None,
};

/// Lights, whose size has to fit the level.
pub(super) const LIT: Companion = Companion { kind: CompanionKind::Lights, ..COMPANION };

/// Entities, instead of the ones in the level.
pub(super) const ENT: Companion = Companion { kind: CompanionKind::Entities, ..COMPANION };

/// Replacements for a level's texture, with pictures of its glowing parts; each row has its names.
pub(super) const TEXTURE: Substitute = Substitute {
    of: SubstituteKind::Texture,
    folder: Borrowed(""),
    named: texts![],
    names: texts![],
    parts: list![texts![""]],
    // the first name wins
    decides: SubstituteBy::Extension,
    rank: Rank::Any,
    beside: list![texts!["_glow", "_luma"]],
    numbered: list![],
    numbered_in: Borrowed(""),
    none_beside: list![],
};

/// The six sides of a sky.
///
/// Source: QuakeSpasm, `Quake/gl_sky.c`, `Sky_LoadSkyBox`.
pub(super) const SKY: Substitute = Substitute {
    of: SubstituteKind::Sky,
    parts: list![texts!["rt", "bk", "lf", "ft", "up", "dn"]],
    beside: list![],
    ..TEXTURE
};

pub(super) const MUSIC: Substitute = Substitute { of: SubstituteKind::Music, beside: list![], ..TEXTURE };

/// A model that is loaded as it is.
pub(super) const MODEL: Substitute =
    Substitute { of: SubstituteKind::Model, names: texts!["{name}"], beside: list![], ..TEXTURE };

pub(super) const SKIN: Substitute = Substitute { of: SubstituteKind::Skin, beside: list![], ..TEXTURE };

pub(super) const IMAGE: Substitute = Substitute { of: SubstituteKind::Image, beside: list![], ..TEXTURE };

/// The engine loads no replacement of any kind.
pub(super) const NO_REPLACEMENTS: List<Substitute> = list![TEXTURE, SKY, MUSIC, MODEL, SKIN];

/// Archives of a directory that the engine needs to start; each row has its names.
pub(super) const ARCHIVES: NeededArchives = NeededArchives {
    directory: Borrowed(""),
    files: texts![],
    checksums: list![],
    games: texts![],
    instead: Borrowed(""),
};

/// The versions of a format that the engine loads.
pub(super) const fn loaded(of: &'static str, loaded: List<Text>) -> LoadedVersions {
    LoadedVersions { of: Borrowed(of), loaded }
}

/// The most of something in a file that the engine loads.
pub(super) const fn most(of: &'static str, what: &'static str, most: u32) -> MostLoaded {
    MostLoaded { of: Borrowed(of), what: Borrowed(what), most, below: Borrowed("") }
}

/// The most of something in a sound that the engine plays; music has other readers.
pub(super) const fn most_of_sounds(what: &'static str, most: u32) -> MostLoaded {
    MostLoaded { of: Borrowed("sound"), what: Borrowed(what), most, below: Borrowed("sound/") }
}

/// A limit above which the engine skips an archive, or else loads it.
pub(super) const fn most_entries(most: u32, skips: bool) -> MostEntries {
    MostEntries { most, skips }
}

pub(super) const fn own(file: &'static str, place: OwnPlace) -> OwnArchive {
    OwnArchive { file: Borrowed(file), place, instead_of: None, only: texts![] }
}

pub(super) const fn is(text: &'static str) -> GameName {
    GameName::Is(Borrowed(text))
}

pub(super) const fn holds(text: &'static str) -> GameName {
    GameName::Holds(Borrowed(text))
}

pub(super) const fn starts(text: &'static str) -> GameName {
    GameName::Starts(Borrowed(text))
}

pub(super) const fn instead(of: &'static str, file: &'static str) -> LooseAlias {
    LooseAlias { of: Borrowed(of), file: Borrowed(file) }
}

/// An edition of a game; each row has its names and files.
pub(super) const TITLE: Title = Title {
    word: Borrowed(""),
    name: Borrowed(""),
    remaster: false,
    expansions: list![],
    known_by: texts![],
    and_by: None,
    downloads: None,
};

pub(super) const fn expansion(directory: &'static str, name: &'static str) -> Expansion {
    Expansion { directory: Borrowed(directory), name: Borrowed(name), levels: list![] }
}

pub(super) const fn mission(name: &'static str) -> Mission {
    Mission { flag: Borrowed(name), directory: Borrowed(name) }
}

pub(super) const fn stand_in(missing: &'static str, directory: &'static str) -> StandIn {
    StandIn { missing: Borrowed(missing), directory: Borrowed(directory) }
}

pub(super) const fn game(name: &'static str) -> Setting {
    Setting::Game(Borrowed(name))
}

pub(super) const fn above_base(name: &'static str) -> Setting {
    Setting::AboveBase(Borrowed(name))
}

pub(super) const fn base_directory(name: &'static str) -> Setting {
    Setting::BaseDirectory(Borrowed(name))
}

/// Archives that the engine skips.
pub(super) const fn skipped(starts: &'static str, case: Case) -> ArchivePrefix {
    ArchivePrefix { starts: Borrowed(starts), case, sorts_as: None }
}

/// Archives that the engine sorts under another name.
pub(super) const fn sorted_as(starts: &'static str, other: &'static str) -> ArchivePrefix {
    ArchivePrefix { starts: Borrowed(starts), case: Case::Exact, sorts_as: Some(Borrowed(other)) }
}

pub(super) const fn numbered(extensions: List<Text>, count: Option<u32>, gaps: Gaps) -> ArchiveSet {
    ArchiveSet::Numbered { stem: Borrowed(STEM), extensions, count, gaps, case: NumberedCase::Lower }
}

pub(super) const fn others(extensions: List<Text>, extension_case: Case, order: Order) -> ArchiveSet {
    ArchiveSet::Others { extensions, extension_case, alike: LoadOrderCase::Loaded, order }
}

/// Like [`others`], but skips an archive if a loaded one's name differs only in case.
pub(super) const fn others_once(extensions: List<Text>, extension_case: Case, order: Order) -> ArchiveSet {
    ArchiveSet::Others { extensions, extension_case, alike: LoadOrderCase::SkipSecond, order }
}
