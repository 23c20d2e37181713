//! Building blocks of rows.

use std::borrow::Cow::Borrowed;

use crate::{
    ArchiveSet, Backslash, Case, Companion, CompanionFit, CompanionRank, DiskNames, EmptyArchive, EngineStop,
    GameCommand, GameName, Gaps, Limits, List, LoadOrderCase, LooseAlias, Mission, MostEntries, Obstacles,
    OddGame, Order, OwnArchive, OwnPlace, PathRule, Registered, Requests, Rules, Shareware, SharewareLoose,
    StandIn, Substitute, SubstituteBy, SubstituteKind, SubstituteRank, Text, TooMany, UserDirectory,
    UserLookedAt,
};

pub(super) const PAK: List<Text> = Borrowed(&[Borrowed("pak")]);
pub(super) const PK3: List<Text> = Borrowed(&[Borrowed("pk3")]);
pub(super) const PK3DIR: List<Text> = Borrowed(&[Borrowed("pk3dir")]);

pub(super) const ID1: List<Text> = Borrowed(&[Borrowed("id1")]);
pub(super) const BASEQ2: List<Text> = Borrowed(&[Borrowed("baseq2")]);

pub(super) const WITH_QUOTH: List<Mission> =
    Borrowed(&[mission("rogue"), mission("hipnotic"), mission("quoth")]);

pub(super) const TO_A_GAP: Gaps = Gaps::Stop { empty: EmptyArchive::Loaded };
/// `pak0.pak`, `pak1.pak`, … up to the first gap.
pub(super) const TO_THE_GAP: List<ArchiveSet> = Borrowed(&[numbered(PAK, None, TO_A_GAP)]);
/// `pak0.pak` to `pak9.pak`, with gaps.
pub(super) const TEN: List<ArchiveSet> = Borrowed(&[numbered(PAK, Some(10), Gaps::Skip)]);

/// The file of a registered Quake, from `id1/pak1.pak`.
///
/// Source: WinQuake, `WinQuake/common.c`, `COM_CheckRegistered`, which compares the 256 bytes with its array `pop`.
pub(super) const POP: Option<Registered> = Some(Registered {
    file: Borrowed("gfx/pop.lmp"),
    size: Some(256),
    crc32: Some(0xa3c8_9ff2),
    shareware: SHAREWARE,
});

/// Quake's shareware.
///
/// Source: WinQuake, `WinQuake/common.c`: `PAK0_COUNT` and `PAK0_CRC`, which `COM_LoadPackFile` compares.
pub(super) const SHAREWARE: Option<Shareware> =
    Some(Shareware { entries: 339, crc: 32981, loose: SharewareLoose::All });

/// The start of every row of user directories: no place on any system.
pub(super) const NOWHERE: UserDirectory = UserDirectory {
    linux: Borrowed(&[]),
    macos: Borrowed(&[]),
    windows: Borrowed(&[]),
    looked_at: UserLookedAt::InSomeBuilds,
    in_store: None,
};

/// [`POP`] for engines that do not compare its bytes.
pub(super) const ANY_POP: Option<Registered> =
    Some(Registered { file: Borrowed("gfx/pop.lmp"), size: None, crc32: None, shareware: SHAREWARE });

/// A loose file that cannot be opened is found and fails.
pub(super) const ONLY_UNREADABLE: Obstacles =
    Obstacles { folder: false, special: false, dangling_link: false, unreachable: false, unreadable: true };

/// No limit of the engine is known: the longest [`QPath`](crate::QPath).
pub(super) const ANY_LENGTH: u32 = 255;

/// The engines of QuakeSpasm's family refuse a game that is a path.
///
/// Source: QuakeSpasm, `Quake/common.c`, `COM_InitFilesystem`: "gamedir should be a single directory name, not a path".
pub(super) const NO_PATH: List<OddGame> = Borrowed(&[
    OddGame::Refused(is("")),
    OddGame::Refused(is(".")),
    OddGame::Refused(holds("..")),
    OddGame::Refused(holds("/")),
    OddGame::Refused(holds("\\")),
    OddGame::Refused(holds(":")),
]);

/// The Quake II engines ignore a game that is a path.
///
/// Source: Quake II, `qcommon/files.c`, `FS_SetGamedir`.
pub(super) const SINGLE_FILE_NAME: List<OddGame> = Borrowed(&[
    OddGame::Ignored(is("")),
    OddGame::Ignored(holds("..")),
    OddGame::Ignored(holds("/")),
    OddGame::Ignored(holds("\\")),
    OddGame::Ignored(holds(":")),
]);

pub(super) const ALL_REFUSED: Requests = Requests {
    backslash: Backslash::Refused,
    leading_slash: PathRule::Refused,
    dot_component: PathRule::Refused,
    empty_component: PathRule::Refused,
    hidden_component: PathRule::Literal,
    trailing_slash: PathRule::ArchivesOnly,
    longest: ANY_LENGTH,
    instead: Borrowed(&[]),
    end_on_windows: PathRule::Literal,
    refused: Borrowed(&[]),
    loose_only: Borrowed(&[]),
    disk_names: DiskNames::Unix,
};

pub(super) const CLEANED: Requests = Requests {
    backslash: Backslash::Literal,
    leading_slash: PathRule::Dropped,
    dot_component: PathRule::Dropped,
    empty_component: PathRule::Dropped,
    hidden_component: PathRule::Literal,
    trailing_slash: PathRule::ArchivesOnly,
    longest: ANY_LENGTH,
    instead: Borrowed(&[]),
    end_on_windows: PathRule::Literal,
    refused: Borrowed(&[]),
    loose_only: Borrowed(&[]),
    disk_names: DiskNames::Unix,
};

pub(super) const NO_LIMIT: Limits = Limits { entries: None, name: 63, path: None, archives: None };

pub(super) fn words<const N: usize>(words: [&'static str; N]) -> List<Text> {
    words.into_iter().map(Borrowed).collect()
}

pub(super) fn list<T: Clone, const N: usize>(items: [T; N]) -> List<T> {
    Vec::from(items).into()
}

pub(super) const fn own(file: &'static str, place: OwnPlace) -> OwnArchive {
    OwnArchive { file: Borrowed(file), place, instead_of: None, only: Borrowed(&[]) }
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

pub(super) const fn most_entries(most: u32, then: TooMany) -> MostEntries {
    MostEntries { most, then }
}

/// Adds conditions at which the engine stops.
pub(super) fn also_stops<const N: usize>(rules: &mut Rules, stops: [EngineStop; N]) {
    rules.stops.to_mut().extend(stops);
}

pub(super) const fn instead(of: &'static str, file: &'static str) -> LooseAlias {
    LooseAlias { of: Borrowed(of), file: Borrowed(file) }
}

/// A user directory that exists only with a build option, and not on Windows.
pub(super) fn unix_or_mac(unix: &'static str, macos: &'static str) -> UserDirectory {
    UserDirectory { linux: words([unix]), macos: words([macos]), ..NOWHERE }
}

pub(super) const fn mission(name: &'static str) -> Mission {
    Mission { flag: Borrowed(name), directory: Borrowed(name) }
}

/// The console command that changes the game.
pub(super) const fn game_command(
    command: &'static str,
    most_games: Option<u32>,
    missions: bool,
    keeps_missions: bool,
) -> GameCommand {
    GameCommand { command: Borrowed(command), most_games, missions, keeps_missions }
}

/// Patterns of names: each stem with the extensions.
pub(super) fn with(extensions: &str, stems: &[&str]) -> Vec<Text> {
    stems.iter().map(|stem| format!("{stem}.{extensions}").into()).collect()
}

/// A replacement with one file, where the first name wins.
pub(super) fn substitute(of: SubstituteKind, names: impl Into<List<Text>>) -> Substitute {
    Substitute {
        of,
        named: list([]),
        names: names.into(),
        parts: list([words([""])]),
        decides: SubstituteBy::Extension,
        rank: SubstituteRank::Any,
        beside: list([]),
    }
}

/// The folders of textures, the level's folder first.
pub(super) const TEXTURES: &[&str] = &["textures/{level}/{name}", "textures/{name}"];

/// Replacements for a level's texture, with pictures of its glowing parts.
pub(super) fn textures(names: impl Into<List<Text>>) -> Substitute {
    Substitute { beside: words(["_glow", "_luma"]), ..substitute(SubstituteKind::Texture, names) }
}

/// The six sides of a sky, as in QuakeSpasm's `gl_sky.c`.
pub(super) fn sky(names: impl Into<List<Text>>) -> Substitute {
    let parts = list([words(["rt", "bk", "lf", "ft", "up", "dn"])]);
    Substitute { parts, ..substitute(SubstituteKind::Sky, names) }
}

/// A model that is loaded as it is.
pub(super) fn no_other_model() -> Substitute {
    substitute(SubstituteKind::Model, words(["{name}"]))
}

/// Models of other kinds that replace an MDL if they are not below it.
///
/// Source: vkQuake, `Quake/gl_model.c`, `Mod_LoadModel`: the higher of the two wins, and in one layer md3 before
/// md5mesh.
pub(super) fn models_not_below() -> Substitute {
    Substitute {
        named: words(["mdl"]),
        decides: SubstituteBy::Directory,
        rank: SubstituteRank::NotBelowDirectory,
        ..substitute(SubstituteKind::Model, words(["{stem}.{md3,md5mesh}", "{name}"]))
    }
}

/// The tracks of music: by number the one in the highest game directory, by name the first one.
///
/// Source: QuakeSpasm, `Quake/bgmusic.c`, `BGM_PlayCDtrack`, `BGM_Play` and `BGM_Play_noext` (seen).
pub(super) fn music() -> Substitute {
    let mut names = words(["music/track{nn}.{ogg,opus,mp3,flac,wav}", "music/{file}"]).into_owned();
    for extension in ["ogg", "opus", "mp3", "flac", "wav", "it", "s3m", "xm", "mod", "umx"] {
        names.extend(with(extension, &["music/{bare}"]));
    }
    Substitute { decides: SubstituteBy::Directory, ..substitute(SubstituteKind::Music, names) }
}

pub(super) fn companion<const N: usize>(names: [&'static str; N]) -> Companion {
    Companion {
        names: words(names),
        rank: CompanionRank::Any,
        fits: CompanionFit::Any,
        shortest_level: 1,
        setting: None,
    }
}

pub(super) fn lights<const N: usize>(names: [&'static str; N]) -> Companion {
    Companion { fits: CompanionFit::LightLump, ..companion(names) }
}

/// The companion files of QuakeSpasm's family.
///
/// Source: QuakeSpasm, `Quake/gl_model.c`, `Mod_LoadLighting`, `Mod_LoadEntities` and `Mod_FindVisibilityExternal`, which
/// compare the path ids of the level and of the file; `COM_FileBase` leaves no name of one letter.
pub(super) fn not_below_level() -> List<Companion> {
    let visibility = Companion { shortest_level: 2, ..companion(["maps/{name}.vis", "{game}.vis"]) };
    let all = [lights(["{level}.lit"]), companion(["{level}@{crc}.ent", "{level}.ent"]), visibility];
    all.into_iter().map(|companion| Companion { rank: CompanionRank::NotBelowLevel, ..companion }).collect()
}

pub(super) const fn stand_in(missing: &'static str, directory: &'static str) -> StandIn {
    StandIn { missing: Borrowed(missing), directory: Borrowed(directory) }
}

pub(super) const fn numbered(extensions: List<Text>, count: Option<u32>, gaps: Gaps) -> ArchiveSet {
    ArchiveSet::Numbered { extensions, count, gaps, capitals: false }
}

pub(super) fn to_empty(empty: EmptyArchive) -> ArchiveSet {
    numbered(PAK, None, Gaps::Stop { empty })
}

pub(super) fn others(extensions: List<Text>, extension_case: Case, order: Order) -> ArchiveSet {
    ArchiveSet::Others { extensions, extension_case, alike: LoadOrderCase::Loaded, order }
}

/// Like [`others`], but skips an archive if a loaded one's name differs only in case.
pub(super) fn others_once(extensions: List<Text>, extension_case: Case, order: Order) -> ArchiveSet {
    ArchiveSet::Others { extensions, extension_case, alike: LoadOrderCase::SkipSecond, order }
}
