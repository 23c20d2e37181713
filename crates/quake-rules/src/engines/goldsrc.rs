//! Half-Life.

use super::prelude::*;
use super::programs::{EXIT, key, sound};
use super::quake::ID_TECH;

pub(super) const GOLDSRC: Rules = Rules {
    directories: Directories {
        // filesystem/searchpath.c, FS_Rescan and FS_AddGameHierarchy
        base: texts![".", "valve"],
        games: Games::Last,
        game_folders: texts!["{}_downloads", "{}", "{}/custom"],
        // filesystem/searchpath.c, FS_AddGameHierarchy: FS_MOUNT_HD and the like, of the settings
        // fs_mount_hd, fs_mount_addon, fs_mount_lv, and fs_mount_l10n with ui_language; from the source, not
        // run
        suffixes: list![with("hd"), with("addon"), with("lv"), Suffix::Other],
        // filesystem/searchpath.c, FS_AddGameHierarchy: FS_GAMEDIR_PATH is given to the game's own directory
        read_only: texts![".", "{}_downloads", "{}/custom"],
        // filesystem/searchpath.c, FS_LoadGameInfo: the game is found among the folders that were listed
        game_case: Case::Ignored,
        odd_games: list![
            OddGame::Ignored(is(".")),
            OddGame::Ignored(holds("..")),
            OddGame::Refused(starts(".")),
            OddGame::Refused(GameName::Longer(63)),
            OddGame::Ignored(holds("/")),
        ],
        ..ID_TECH.directories
    },
    archives: Archives {
        // filesystem/searchpath.c, FS_AddGameDirectory: each format in turn, its files sorted, then the
        // directory
        sets: list![
            others_once(PAK, Case::Ignored, Order::Bytes),
            others_once(PK3, Case::Ignored, Order::Bytes),
            others_once(PK3DIR, Case::Ignored, Order::Bytes),
        ],
        // filesystem/pak.c, FS_FindFile_PAK: Q_stricmp
        case: Case::Ignored,
        // filesystem/pak.c, FS_SortPak and FS_FindFile_PAK; filesystem/zip.c, FS_LoadZip, sorts by C's
        // qsort, which keeps the order of equal names in glibc
        duplicates: Duplicates::Searched,
        ..ID_TECH.archives
    },
    // filesystem/pak.c, FS_LoadPackPAK: a directory of another size than whole rows, a wrong magic and more
    // than MAX_FILES_IN_PACK files
    paks: Paks { refuses_partial_row: true, refuses_cut_directory: true, ..ID_TECH.paks },
    limits: Limits { entries: Some(most_entries(65536, true)), ..NO_LIMIT },
    // filesystem/zip.c, FS_LoadZip
    zips: Zips {
        refused: list![ZipForm::Zip64, ZipForm::BytesInFront, ZipForm::CountTooLarge, ZipForm::EntryOutside],
        dropped: list![ZipEntryForm::Empty],
        ..ID_TECH.zips
    },
    // filesystem/searchpath.c, FS_AddGameDirectory; filesystem/dir.c, FS_FixFileCase
    loose: Loose { position: LoosePosition::Above, case: LooseCase::Ignored, ..ID_TECH.loose },
    // filesystem/searchpath.c, FS_CheckNastyPath; filesystem/io.c, FS_OpenReadFile
    requests: Requests {
        backslash: Backslash::Literal,
        leading_slash: PathRule::Dropped,
        dot_component: PathRule::ArchivesOnly,
        empty_component: PathRule::ArchivesOnly,
        refused: texts![":", "..", "/."],
        ..ALL_REFUSED
    },
    stops: stops![OddGame, UnreadableGame, MissingGameInfo],
    // filesystem/gameinfo.c, FS_ReadGameInfo; filesystem/searchpath.c, FS_InitStdio
    text: Some(GameText::GameInfo {
        files: texts!["gameinfo.txt", "liblist.gam"],
        base_in: Borrowed("gameinfo.txt"),
    }),
    // engine/client/dll_int/ref_common.c, R_SetupSky; documented, not run
    substitutes: Known(list![Substitute { names: texts!["gfx/env/{name}{part}.{tga,bmp}"], ..SKY }]),
    // engine/server/sv_init.c, SV_ReadResourceList
    companions: Known(list![Companion {
        names: texts!["{level}.res"],
        kind: CompanionKind::List {
            line: Borrowed("\"{name}\""),
            crlf: true,
            extensions: texts![],
            longest: 0
        },
        ..COMPANION
    }]),
    program: Program::Native,
    // the Half-Life SDK: dlls/sound.cpp, CAmbientGeneric::Precache; dlls/effects.cpp, CSprite::Precache,
    // CEnvShooter::Precache and CLaser::Precache; dlls/triggers.cpp, CChangeLevel::KeyValue; dlls/world.cpp,
    // CWorld::KeyValue
    keys: Known(list![
        EXIT,
        key("ambient_generic", texts!["message"], sound("sound/")),
        key("env_sprite", texts!["model"], KeyNames::Model),
        key("env_glow", texts!["model"], KeyNames::Model),
        key("env_shooter", texts!["shootmodel"], KeyNames::Model),
        key("env_beam", texts!["texture"], KeyNames::Model),
        key("env_laser", texts!["texture"], KeyNames::Model),
        key("cycler", texts!["model"], KeyNames::Model),
        key("cycler_sprite", texts!["model"], KeyNames::Model),
        key("monster_generic", texts!["model"], KeyNames::Model),
        key("worldspawn", texts!["skyname"], KeyNames::Sky),
    ]),
    // ReHLDS, rehlds/engine/textures.cpp, TEX_InitFromWad
    wads: Known(texts![""]),
    family: Some(Family {
        name: Borrowed("Half-Life"),
        engine: Borrowed("goldsrc"),
        demos: Borrowed(""),
        heads: texts!["\u{1e}\0\0\0", "IDST", "IDSQ"],
        extensions: texts!["res"],
        files: texts!["liblist.gam"],
        archives: None,
        base_files: texts!["gfx.wad", "gfx/palette.lmp"],
    }),
    // engine/common/host.c, Host_InitCommon: gfx/conchars, which is a row of gfx.wad
    needed: Known(Needed {
        to_start: texts!["{gfx.wad,gfx/conchars}"],
        to_play: texts!["delta.lst"],
        ..Needed::NOTHING
    }),
    ..ID_TECH
};

/// Source: `ReHLDS`, which is made from GoldSrc's own code.
pub(super) const GOLDSRC_2023: Rules = Rules {
    directories: Directories {
        // rehlds/engine/filesystem.cpp, FileSystem_SetGameDirectory; the folders of other settings above the
        // base directory are only there with a language
        base: texts!["platform", "valve", "."],
        default_game: Some(Borrowed("valve")),
        game_folders: texts!["{}_downloads", "{}"],
        // rehlds/engine/filesystem.cpp, BEnabledHDAddon
        suffixes: list![
            Suffix::Unless { suffix: Borrowed("hd"), flag: Borrowed("nohdmodels") },
            Suffix::Other,
            with("addon"),
            with("lv")
        ],
        read_only: texts!["platform", "valve", ".", "{}_downloads"],
        ..GOLDSRC.directories
    },
    archives: Archives {
        // rehlds/filesystem/FileSystem_Stdio/src/BaseFileSystem.cpp, AddPackFiles;
        // rehlds/filesystem/FileSystem_Stdio/src/linux_support.cpp, findFileInDirCaseInsensitive
        sets: list![ArchiveSet::Numbered {
            extensions: PAK,
            count: None,
            gaps: TO_A_GAP,
            case: NumberedCase::Ignored
        }],
        // rehlds/filesystem/FileSystem_Stdio/src/BaseFileSystem.cpp, PreparePackFile and FindFile;
        // rehlds/public/utlrbtree.h; rehlds/public/utlsymbol.h
        duplicates: Duplicates::InTree,
        ..GOLDSRC.archives
    },
    // rehlds/filesystem/FileSystem_Stdio/src/BaseFileSystem.cpp, PreparePackFile
    paks: Paks { refuses_partial_row: false, parts: NameParts::Slashes, ..ID_TECH.paks },
    limits: NO_LIMIT,
    zips: ID_TECH.zips,
    // rehlds/filesystem/FileSystem_Stdio/src/BaseFileSystem.cpp, FindFile
    requests: Requests { backslash: Backslash::Slash, ..AS_GIVEN },
    stops: stops![],
    // rehlds/engine/filesystem.cpp, CheckLiblistForFallbackDir
    text: Some(GameText::GameInfo { files: texts!["liblist.gam"], base_in: Borrowed("liblist.gam") }),
    // rehlds/engine/host.cpp, Host_Init; rehlds/engine/wad.cpp, W_LoadWadFile; rehlds/engine/decals.cpp,
    // Decal_Init; rehlds/engine/delta.cpp, DELTA_Load
    needed: Known(to_start!["gfx.wad", "decals.wad", "delta.lst", "gfx/palette.lmp"]),
    ..GOLDSRC
};

const fn with(flag: &'static str) -> Suffix {
    Suffix::With(Borrowed(flag))
}

/// Steam's version contains no archive since 2013.
pub(super) const TITLES: List<Title> = list![Title {
    word: Borrowed("half-life"),
    name: Borrowed("Half-Life"),
    expansions: list![
        expansion("gearbox", "Opposing Force"),
        expansion("bshift", "Blue Shift"),
        expansion("cstrike", "Counter-Strike"),
        expansion("czero", "Counter-Strike: Condition Zero"),
        expansion("dmc", "Deathmatch Classic"),
        expansion("dod", "Day of Defeat"),
        expansion("ricochet", "Ricochet"),
        expansion("tfc", "Team Fortress Classic")
    ],
    known_by: texts!["valve/liblist.gam", "valve/pak0.pak"],
    ..TITLE
}];
