//! Quake III Arena.

use super::prelude::*;
use super::programs::{key, sound};
use super::quake::ID_TECH;

pub(super) const IOQUAKE3: Rules = Rules {
    directories: Directories {
        // code/qcommon/files.c, FS_Startup: com_basegame, then fs_game
        base: texts!["baseq3"],
        games: Games::Last,
        game_option: texts!["+set", "fs_game"],
        // code/qcommon/files.c, FS_Startup and FS_AddGameDirectory: a directory that is in the path already
        // is not added again, in any case
        named_again: DuplicateMention::StaysInAnyCase,
        base_games: Games::Every,
        // code/qcommon/files.c, FS_Startup: each game directory in the stores' folders, then in fs_basepath
        settings: list![
            game("fs_game"),
            Setting::Base(Borrowed("com_basegame")),
            above_base("fs_basegame"),
            base_directory("fs_gogpath"),
            base_directory("fs_steampath"),
        ],
        more_bases: MoreBases::Below,
        // code/qcommon/files.c, FS_Startup: FS_InvalidGameDir
        odd_games: NO_PATH,
        ..ID_TECH.directories
    },
    archives: Archives {
        // code/qcommon/files.c, FS_AddGameDirectory: the pk3s sorted by paksort, which compares capitals,
        // then the directory and folders like them
        sets: list![others(texts!["pk3", "pk3dir"], Case::Ignored, Order::Capitals)],
        // code/qcommon/files.c, FS_LoadZipFile: a wrong archive is skipped; a later row is found before an
        // earlier one
        duplicates: Duplicates::Last,
        // code/qcommon/files.c, FS_FilenameCompare and FS_HashFileName: a backslash is a slash
        case: Case::Ignored,
        ..ID_TECH.archives
    },
    zips: Zips {
        // code/qcommon/unzip.c, unzlocal_SearchCentralDir
        refused: list![ZipForm::Zip64, ZipForm::LongComment],
        parts: NameParts::Slashes,
        ..ID_TECH.zips
    },
    loose: Loose { position: LoosePosition::Above, ..ID_TECH.loose },
    requests: Requests {
        // code/qcommon/files.c, FS_FOpenFileReadDir: one slash at the start is dropped
        backslash: Backslash::Slash,
        leading_slash: PathRule::FirstDropped,
        // code/qcommon/cmd.c, Cmd_Exec_f, with which the engine was tested, adds an extension to such a name
        trailing_slash: PathRule::Refused,
        // code/qcommon/files.c, FS_FOpenFileReadDir and FS_FOpenFileRead
        refused: texts!["..", "::"],
        loose_only: texts!["autoexec.cfg", "q3config.cfg"],
        // code/sys/sys_win32.c, Sys_FOpen
        end_on_windows: PathRule::ArchivesOnly,
        ..ID_TECH.requests
    },
    limits: NO_LIMIT,
    stops: stops![OddGame, Pipe],
    // code/sys/sys_unix.c, Sys_HomeDataPath and Sys_ShouldUseLegacyHomePath; older sources have only .q3a.
    // code/sys/sys_win32.c, Sys_DefaultHomePath
    user: Some(UserDirectory {
        linux: texts![".local/share/Quake3", ".q3a"],
        macos: texts!["Library/Application Support/Quake3"],
        windows: texts!["AppData/Roaming/Quake3"],
        ..ALWAYS
    }),
    // code/renderergl1/tr_image.c, R_LoadImage and imageLoaders; code/client/snd_codec.c, S_CodecGetSound
    // (seen, with missing images and music)
    substitutes: Known(list![IMAGES, STREAMED, SKY_BOX, DEFAULT_SKIN]),
    // code/botlib/be_aas_main.c, AAS_LoadFiles
    companions: Known(list![Companion { names: texts!["maps/{name}.aas"], ..COMPANION }]),
    program: Program::Native,
    // code/game/g_target.c, SP_target_speaker; code/game/g_spawn.c, SP_worldspawn; code/game/g_mover.c,
    // InitMover
    keys: Known(list![
        key("target_speaker", texts!["noise"], sound("")),
        key("worldspawn", texts!["music"], KeyNames::Music),
        key("", texts!["model2"], KeyNames::Model),
    ]),
    wads: Known(texts![]),
    player_model: Some(PLAYER),
    family: Some(FAMILY),
    // code/qcommon/files.c, FS_InitFilesystem and FS_CheckPak0, which only warns of another checksum (run)
    needed: Known(Needed {
        archives: list![
            NeededArchives { directory: Borrowed("baseq3"), files: POINT_RELEASE, ..ARCHIVES },
            NeededArchives {
                directory: Borrowed("missionpack"),
                files: texts!["pak0.pk3", "pak1.pk3", "pak2.pk3", "pak3.pk3"],
                ..ARCHIVES
            },
        ],
        ..DEFAULT_CFG
    }),
    ..ID_TECH
};

/// A player of three parts, whose skins are texts.
///
/// Source: ioquake3, `code/cgame/cg_players.c`, `CG_RegisterClientModelname`, `CG_LoadClientInfo` and
/// `cg_customSoundNames`.
const PLAYER: PlayerModel = PlayerModel {
    models: texts!["models/players/{}/{lower,upper,head}.md3"],
    files: texts!["models/players/{}/animation.cfg"],
    skin: Borrowed("models/players/{}/{lower,upper,head}_{skin}.skin"),
    icon: Borrowed("models/players/{}/icon_{skin}.tga"),
    default_skin: Borrowed("default"),
    optional: texts![
        // code/renderergl1/tr_model.c, R_RegisterMD3
        "models/players/{}/{lower_1,lower_2,upper_1,upper_2,head_1,head_2}.md3",
        "sound/player/{}/{death1,death2,death3,jump1,falling1,fall1,gasp,drown,taunt}.wav",
        "sound/player/{}/{pain25_1,pain50_1,pain75_1,pain100_1}.wav"
    ],
};

/// The config of the game. `FS_ReadFile` finds no file of 0 bytes.
const DEFAULT_CFG: Needed = to_start!["default.cfg"];

/// The archives of Quake III with its last patch.
const POINT_RELEASE: List<Text> = texts![
    "pak0.pk3", "pak1.pk3", "pak2.pk3", "pak3.pk3", "pak4.pk3", "pak5.pk3", "pak6.pk3", "pak7.pk3",
    "pak8.pk3",
];

/// The games for an engine that has the formats of Quake III.
const FAMILY: Family = Family {
    name: Borrowed("Quake III"),
    engine: Borrowed("ioquake3"),
    demos: Borrowed("demos"),
    // code/client/cl_main.c, CL_PlayDemo_f
    plays: Borrowed("demo"),
    heads: texts!["IBSP\x2e\0\0\0", "FBSP", "IDP3"],
    extensions: texts!["qvm", "md3", "aas", "dm_71", "dm_68", "dm_67", "dm_66"],
    files: texts![],
    archives: Some(Borrowed("pk3")),
    base_files: texts!["default.cfg", "gfx/2d/bigchars.tga"],
    mods: list![],
};

/// The games for the engines of Raven's Jedi Knight.
///
/// Source: `code/qcommon/qfiles.h`, `BSP_IDENT`, and `code/rd-common/mdx_format.h`, `MDXM_IDENT` and
/// `MDXA_IDENT`.
const JEDI_KNIGHT: Option<Family> = Some(Family {
    name: Borrowed("Jedi Knight"),
    engine: Borrowed("openjk"),
    demos: Borrowed("demos"),
    plays: Borrowed("demo"),
    heads: texts!["RBSP", "2LGM", "2LGA"],
    extensions: texts!["glm", "gla", "dm_26"],
    files: texts![],
    archives: Some(Borrowed("pk3")),
    base_files: texts!["mpdefault.cfg"],
    mods: list![],
});

/// The games for Return to Castle Wolfenstein, whose levels have Enemy Territory's version.
const WOLFENSTEIN: Option<Family> = Some(Family {
    name: Borrowed("Wolfenstein"),
    engine: Borrowed("iortcw"),
    demos: Borrowed("demos"),
    plays: Borrowed("demo"),
    heads: LEVEL_OF_WOLFENSTEIN,
    extensions: texts!["dm_60"],
    files: texts![],
    archives: Some(Borrowed("pk3")),
    base_files: texts!["default.cfg", "gfx/2d/bigchars.tga"],
    mods: list![],
});

const ENEMY_TERRITORY: Option<Family> = Some(Family {
    name: Borrowed("Enemy Territory"),
    engine: Borrowed("etlegacy"),
    demos: Borrowed("demos"),
    plays: Borrowed("demo"),
    heads: LEVEL_OF_WOLFENSTEIN,
    extensions: texts!["objdata", "dm_84", "dm_83"],
    files: texts![],
    archives: Some(Borrowed("pk3")),
    base_files: texts!["default.cfg", "gfx/2d/bigchars.tga"],
    mods: list![],
});

/// Source: ET: Legacy, `src/qcommon/qfiles.h`, `BSP_VERSION`, and the same in iortcw.
const LEVEL_OF_WOLFENSTEIN: List<Text> = texts!["IBSP\x2f\0\0\0"];

/// Source: ioquake3, `code/renderergl1/tr_image.c`, `R_LoadImage` and `imageLoaders`.
const IMAGES: Substitute =
    Substitute { names: texts!["{file}", "{stem}.{tga,jpg,jpeg,png,pcx,bmp}"], beside: list![], ..TEXTURE };

/// The sky that a shader names.
///
/// Source: ioquake3, `code/renderergl1/tr_shader.c`, `ParseSkyParms`.
const SKY_BOX: Substitute = Substitute { names: texts!["{name}_{part}.{tga,jpg,jpeg,png,pcx,bmp}"], ..SKY };

/// The text with the skin of a player's model.
///
/// Source: ioquake3, `code/cgame/cg_players.c`, `CG_FindClientModelFile` and `CG_RegisterClientSkin`.
const DEFAULT_SKIN: Substitute =
    Substitute { of: SubstituteKind::Skin, names: texts!["{stem:md3}_default.skin"], ..IMAGES };

/// Music, by its extension or by all that are known.
///
/// Source: ioquake3, `code/client/snd_codec.c`, `S_CodecGetSound`.
const STREAMED: Substitute =
    Substitute { names: texts!["{file:wav,ogg,opus}", "{stem}.{wav,ogg,opus}"], ..MUSIC };

pub(super) const QUAKE3E: Rules = Rules {
    // code/client/snd_codec.c, S_CodecInit: no Opus
    substitutes: Known(list![
        IMAGES,
        Substitute { names: texts!["{file:wav,ogg}", "{stem}.{wav,ogg}"], ..MUSIC },
        SKY_BOX,
        DEFAULT_SKIN,
    ]),
    directories: Directories {
        // code/qcommon/files.c, FS_Startup: fs_basegame; OpenArena is played on this engine with `+set
        // fs_basegame baseoa`
        settings: list![game("fs_game"), Setting::Base(Borrowed("fs_basegame"))],
        more_bases: MoreBases::Ignored,
        stand_ins: list![stand_in("baseq3", "baseoa")],
        ..IOQUAKE3.directories
    },
    // code/qcommon/files.c, FS_ReorderSearchPaths: archives and folders like them, then directories
    loose: Loose { position: LoosePosition::Lowest, ..IOQUAKE3.loose },
    // code/unix/unix_shared.c and code/win32/win_shared.c, Sys_DefaultHomePath
    user: Some(UserDirectory {
        linux: texts![".q3a"],
        macos: texts!["Library/Application Support/Quake3"],
        windows: texts!["AppData/Roaming/Quake3"],
        ..ALWAYS
    }),
    // code/qcommon/files.c, FS_CheckIdPaks, pak_checksums and FS_Restart
    needed: Known(Needed {
        archives: list![NeededArchives {
            games: texts!["", "baseq3", "missionpack"],
            instead: Borrowed("demoq3/pak0.pk3"),
            directory: Borrowed("baseq3"),
            files: POINT_RELEASE,
            checksums: list![
                1_566_731_103,
                298_122_907,
                412_165_236,
                2_991_495_316,
                1_197_932_710,
                4_087_071_573,
                3_709_064_859,
                908_855_077,
                977_125_798,
            ],
        }],
        ..DEFAULT_CFG
    }),
    ..IOQUAKE3
};

pub(super) const OPENARENA: Rules = Rules {
    // code/client/snd_codec.c, S_CodecInit, with USE_CODEC_XMP: modules are registered last and come first
    substitutes: Known(list![
        IMAGES,
        Substitute {
            names: texts!["{file:it,xm,s3m,mod,umx,wav,ogg,opus}", "{stem}.{it,xm,s3m,mod,umx,wav,ogg,opus}"],
            ..MUSIC
        },
        SKY_BOX,
        DEFAULT_SKIN,
    ]),
    // code/qcommon/q_shared.h, BASEGAME and HOMEPATH_NAME_UNIX of OpenArena's build
    directories: Directories { base: texts!["baseoa"], ..IOQUAKE3.directories },
    user: Some(UserDirectory {
        linux: texts![".openarena"],
        macos: texts!["Library/Application Support/OpenArena"],
        windows: texts!["AppData/Roaming/OpenArena"],
        ..ALWAYS
    }),
    family: Some(Family { name: Borrowed("OpenArena"), engine: Borrowed("openarena"), ..FAMILY }),
    // code/qcommon/files.c, FS_InitFilesystem; a base game of its own needs no archive of Quake III (run)
    needed: Known(DEFAULT_CFG),
    ..IOQUAKE3
};

pub(super) const URBAN_TERROR: Rules = Rules {
    // code/client/snd_codec.c, S_FindCodecForFile: an extension is final; its Makefile builds no Vorbis
    substitutes: Known(list![
        IMAGES,
        Substitute { names: texts!["{file:wav}", "{bare}.wav"], ..MUSIC },
        SKY_BOX
    ]),
    directories: Directories {
        // code/qcommon/q_shared.h, BASEGAME; code/qcommon/files.c, FS_Startup: q3ut4/download is below q3ut4.
        // There, each copy of it is just below the same copy of q3ut4
        base: texts!["q3ut4/download", "q3ut4"],
        base_games: Games::Ignored,
        settings: list![game("fs_game"), above_base("fs_basegame")],
        more_bases: MoreBases::Ignored,
        ..IOQUAKE3.directories
    },
    // code/qcommon/files.c, FS_AddGameDirectory, as in ioquake3 1.35 (run): only pk3s, above the directory
    archives: Archives {
        sets: list![others(texts!["pk3"], Case::Ignored, Order::Capitals)],
        ..IOQUAKE3.archives
    },
    loose: Loose { position: LoosePosition::Below, ..IOQUAKE3.loose },
    // code/qcommon/files.c, FS_FOpenFileRead: Q_stricmp; no name with q3key (run)
    requests: Requests {
        loose_only_case: Case::Ignored,
        refused: texts!["..", "::", "q3key"],
        ..IOQUAKE3.requests
    },
    // Makefile, HOMEPATH; code/sys/sys_unix.c, Sys_DefaultHomePath; the folder on Windows is not known
    user: Some(UserDirectory {
        linux: texts![".ioUrbanTerror", ".q3a"],
        macos: texts!["Library/Application Support/Quake3"],
        ..ALWAYS
    }),
    family: None,
    // code/qcommon/files.c, FS_InitFilesystem; FS_CheckPak0 does nothing
    needed: Known(DEFAULT_CFG),
    // its code names others
    player_model: None,
    ..IOQUAKE3
};

pub(super) const PADMAN: Rules = Rules {
    // code/qcommon/q_shared.h, BASEGAME, HOMEPATH_NAME_UNIX, HOMEPATH_NAME_WIN and HOMEPATH_NAME_MACOSX
    directories: Directories { base: texts!["wop"], ..IOQUAKE3.directories },
    user: Some(UserDirectory {
        linux: texts![".local/share/worldofpadman"],
        macos: texts!["Library/Application Support/worldofpadman"],
        windows: texts!["AppData/Roaming/worldofpadman"],
        ..ALWAYS
    }),
    family: Some(Family { name: Borrowed("World of Padman"), engine: Borrowed("padman"), ..FAMILY }),
    // code/qcommon/files.c, FS_InitFilesystem
    needed: Known(DEFAULT_CFG),
    // its code names others
    player_model: None,
    ..IOQUAKE3
};

pub(super) const SMOKIN_GUNS: Rules = Rules {
    directories: Directories {
        // code/qcommon/files.c, FS_Startup, and code/qcommon/q_shared.h, SDK_BASEGAME and BASEGAME: the first
        // is below the second
        base: texts!["baseq3", "smokinguns"],
        base_games: Games::Ignored,
        settings: list![game("fs_game"), above_base("fs_basegame")],
        more_bases: MoreBases::Ignored,
        ..IOQUAKE3.directories
    },
    // code/qcommon/files.c, FS_FOpenFileReadDir: autoexec.cfg is taken from archives, and no name with q3key
    // is found (run)
    requests: Requests {
        loose_only: texts!["q3config.cfg"],
        refused: texts!["..", "::", "q3key"],
        ..IOQUAKE3.requests
    },
    // code/qcommon/q_shared.h, HOMEPATH_NAME_UNIX, HOMEPATH_NAME_WIN and HOMEPATH_NAME_MACOSX
    user: Some(UserDirectory {
        linux: texts![".smokinguns"],
        macos: texts!["Library/Application Support/SmokinGuns"],
        windows: texts!["AppData/Roaming/Smokin' Guns"],
        ..ALWAYS
    }),
    // code/qcommon/files.c, FS_InitFilesystem; code/qcommon/q_shared.h, STANDALONE
    needed: Known(DEFAULT_CFG),
    // its code names others
    player_model: None,
    ..IOQUAKE3
};

pub(super) const ETLEGACY: Rules = Rules {
    directories: Directories {
        // src/qcommon/qcommon.h, FS_CONTAINER
        engine_folders: texts!["dlcache"],
        // src/qcommon/files.c, FS_InitFilesystem: without fs_game, the game is legacy
        base: texts!["etmain"],
        default_game: Some(Borrowed("legacy")),
        odd_games: NO_SLASH,
        base_games: Games::Ignored,
        // src/qcommon/files.c, FS_Startup
        settings: list![game("fs_game"), above_base("fs_basegame")],
        more_bases: MoreBases::Ignored,
        ..IOQUAKE3.directories
    },
    // src/qcommon/files.c, FS_ReorderLocalFoldersToTop: folders like archives stay where they are
    loose: Loose { position: LoosePosition::Highest, ..IOQUAKE3.loose },
    requests: Requests {
        // src/qcommon/files.c, FS_FOpenFileReadDir; archives may have an autoexec.cfg
        refused: texts!["..", "::", "etkey"],
        loose_only: texts![],
        ..IOQUAKE3.requests
    },
    // MAX_OSPATH
    limits: Limits { path: Some(255), ..NO_LIMIT },
    // src/qcommon/files.c, FS_CheckRequiredFiles
    needed: Known(to_start!["pak0.pk3"]),
    // src/sys/sys_unix.c, Sys_ListFiles
    stops: stops![OddGame, OddFileName, Pipe],
    // src/sys/sys_unix.c and sys_win32.c, Sys_DefaultHomePath
    user: Some(UserDirectory {
        linux: texts![".etlegacy"],
        macos: texts!["Library/Application Support/etlegacy"],
        windows: texts!["Documents/ETLegacy"],
        ..ALWAYS
    }),
    // src/renderercommon/tr_common.c, imageLoaders
    substitutes: Known(list![
        Substitute { names: texts!["{file}", "{stem}.{png,tga,jpg,jpeg,pcx,bmp}"], ..IMAGES },
        // src/client/snd_codec.c, S_FindCodecForFile: an extension is final
        Substitute { names: texts!["{file:ogg,wav}", "{bare}.{ogg,wav}"], ..MUSIC },
        // src/renderer/tr_shader.c, ParseSkyParms
        Substitute { names: texts!["{name}_{part}.{tga,png,jpg,jpeg,pcx,bmp}"], ..SKY },
    ]),
    family: ENEMY_TERRITORY,
    // its code names others
    player_model: None,
    ..IOQUAKE3
};

pub(super) const OPENJK: Rules = Rules {
    directories: Directories {
        base: texts!["base"],
        // codemp/qcommon/files.cpp, FS_Startup: fs_game is not examined
        odd_games: list![],
        base_games: Games::Ignored,
        settings: list![
            game("fs_game"),
            above_base("fs_basegame"),
            Setting::AboveGames(Borrowed("fs_forcegame")),
            base_directory("fs_cdpath"),
            Setting::LooseAbove(Borrowed("fs_dirbeforepak")),
        ],
        ..IOQUAKE3.directories
    },
    archives: Archives {
        // codemp/qcommon/files.cpp, FS_AddGameDirectory: an archive that a server sent is loaded only for
        // that server
        sets: list![others(PK3, Case::Ignored, Order::Capitals)],
        prefixes: list![skipped("dl_", Case::Ignored)],
        ..IOQUAKE3.archives
    },
    // codemp/qcommon/files.cpp, FS_AddGameDirectory; fs_dirbeforepak turns it around
    loose: Loose { position: LoosePosition::Below, ..IOQUAKE3.loose },
    requests: Requests {
        // codemp/qcommon/files.cpp, FS_FOpenFileRead; in the client, openjk.cfg has the place of
        // openjk_server.cfg
        refused: texts!["..", "::", "q3key"],
        loose_only: texts!["autoexec.cfg", "openjk_server.cfg"],
        loose_only_case: Case::Ignored,
        ..IOQUAKE3.requests
    },
    // codemp/qcommon/files.cpp, FS_InitFilesystem
    needed: Known(to_start!["mpdefault.cfg", "ui/jampmenus.txt"]),
    // on Linux, fopen opens a folder
    stops: stops![FolderAsFile, Pipe],
    // shared/sys/sys_unix.cpp and sys_win32.cpp, Sys_DefaultHomePath
    user: Some(UserDirectory {
        linux: texts![".local/share/openjk"],
        macos: texts!["Library/Application Support/OpenJK"],
        windows: texts!["Documents/My Games/OpenJK"],
        ..ALWAYS
    }),
    // codemp/rd-common/tr_image_load.cpp, R_ImageLoader_Init and R_LoadImage
    substitutes: Known(list![
        Substitute { names: texts!["{file}", "{stem}.{jpg,png,tga}"], ..IMAGES },
        // codemp/rd-vanilla/tr_shader.cpp, ParseSkyParms
        Substitute { names: texts!["{name}_{part}.{jpg,png,tga}"], ..SKY },
        // codemp/client/snd_dma.cpp, S_StartBackgroundTrack and S_StartBackgroundTrack_Actual
        Substitute { names: texts!["{file}", "{bare}.mp3"], ..MUSIC },
    ]),
    // codemp/game/g_target.c, SP_target_speaker and SP_target_play_music; codemp/game/g_spawn.c,
    // SP_worldspawn; codemp/game/g_mover.c, InitMover; codemp/client/snd_music.cpp, Music_ParseLeveldata
    keys: Known(list![
        key("target_speaker", texts!["noise"], sound("")),
        key("worldspawn", texts!["music"], KeyNames::MusicSet { of: Borrowed("ext_data/dms.dat") }),
        key("target_play_music", texts!["music"], KeyNames::MusicSet { of: Borrowed("ext_data/dms.dat") }),
        key("", texts!["model2"], KeyNames::Model),
    ]),
    family: JEDI_KNIGHT,
    // its code names others
    player_model: None,
    ..IOQUAKE3
};

pub(super) const OPENJK_SP: Rules = Rules {
    directories: Directories {
        // code/qcommon/files.cpp, FS_Startup
        settings: list![
            game("fs_game"),
            above_base("fs_basegame"),
            base_directory("fs_cdpath"),
            Setting::LooseAbove(Borrowed("fs_dirbeforepak")),
        ],
        ..OPENJK.directories
    },
    // code/qcommon/files.cpp, FS_AddGameDirectory
    archives: Archives { prefixes: list![], ..OPENJK.archives },
    // code/qcommon/files.cpp, FS_FOpenFileRead
    requests: Requests { loose_only: texts!["openjk_sp.cfg", "autoexec_sp.cfg"], ..OPENJK.requests },
    // code/qcommon/files.cpp, FS_InitFilesystem
    needed: Known(to_start!["default.cfg", "ui/menus.txt"]),
    ..OPENJK
};

/// The file code is `OPENJK_SP`'s; `JK2_MODE` changes names.
pub(super) const OPENJO_SP: Rules = Rules {
    // code/qcommon/files.cpp, FS_FOpenFileRead; code/qcommon/q_shared.h, PRODUCT_NAME
    requests: Requests { loose_only: texts!["openjo_sp.cfg", "autoexec_sp.cfg"], ..OPENJK_SP.requests },
    // code/qcommon/q_shared.h, HOMEPATH_NAME_UNIX and HOMEPATH_NAME_WIN
    user: Some(UserDirectory {
        linux: texts![".local/share/openjo"],
        macos: texts!["Library/Application Support/OpenJO"],
        windows: texts!["Documents/My Games/OpenJO"],
        ..ALWAYS
    }),
    ..OPENJK_SP
};

pub(super) const IORTCW: Rules = Rules {
    // MP/code/qcommon/files.c, FS_Startup: each game directory in the stores' folders, then in fs_basepath
    directories: Directories { base: texts!["main"], odd_games: NO_SLASH, ..IOQUAKE3.directories },
    archives: Archives {
        // MP/code/qcommon/files.c, FS_AddGameDirectory: mp_ is sorted as zz_, and zz_ is opened as mp_
        sets: list![others(PK3, Case::Ignored, Order::Capitals)],
        prefixes: list![sorted_as("mp_", "zz_"), skipped("zz_", Case::Exact), skipped("sp_", Case::Exact)],
        // MP/code/qcommon/files.c, FS_FOpenFileReadDir: the levels of the single player game
        skipped_entries: texts!["pak0.pk3/*.bsp"],
        ..IOQUAKE3.archives
    },
    requests: Requests {
        // MP/code/qcommon/files.c, FS_FOpenFileReadDir; in the client, wolfconfig_mp.cfg has the place of
        // wolfconfig_server.cfg
        refused: texts!["..", "::", "rtcwkey"],
        loose_only: texts!["autoexec.cfg", "wolfconfig_server.cfg"],
        ..IOQUAKE3.requests
    },
    // MP/code/qcommon/files.c, FS_InitFilesystem
    needed: Known(Needed {
        // MP/code/qcommon/files.c, FS_CheckPak0, pak_checksums and FS_CheckMPPaks: of another checksum than
        // that of pak0.pk3 it only warns
        archives: list![NeededArchives {
            instead: Borrowed("demomain/pak0.pk3"),
            directory: Borrowed("main"),
            files: texts![
                "pak0.pk3",
                "mp_pak0.pk3",
                "mp_pak1.pk3",
                "mp_pak2.pk3",
                "mp_pak3.pk3",
                "mp_pak4.pk3",
                "mp_pak5.pk3",
            ],
            checksums: list![1_886_207_346],
            ..ARCHIVES
        }],
        ..DEFAULT_CFG
    }),
    stops: stops![OddGame, Pipe],
    // MP/code/sys/sys_unix.c and sys_win32.c, Sys_DefaultHomePath; the folder on macOS is not known
    user: Some(UserDirectory { linux: texts![".wolf"], windows: texts!["Documents/RTCW"], ..ALWAYS }),
    // MP/code/renderer/tr_image.c, imageLoaders; MP/code/renderer/tr_shader.c, ParseSkyParms
    substitutes: Known(list![IMAGES, STREAMED, SKY_BOX]),
    family: WOLFENSTEIN,
    // its code names others
    player_model: None,
    ..IOQUAKE3
};

pub(super) const IORTCW_SP: Rules = Rules {
    archives: Archives {
        // SP/code/qcommon/files.c, FS_AddGameDirectory
        prefixes: list![sorted_as("sp_", "zz_"), skipped("zz_", Case::Exact), skipped("mp_", Case::Exact)],
        skipped_entries: texts![],
        ..IORTCW.archives
    },
    // SP/code/qcommon/files.c, FS_AddGameDirectory
    loose: Loose { position: LoosePosition::Below, ..IORTCW.loose },
    // SP/code/qcommon/files.c, FS_FOpenFileRead
    requests: Requests { loose_only: texts!["autoexec.cfg", "wolfconfig.cfg"], ..IORTCW.requests },
    // MAX_OSPATH
    limits: Limits { path: Some(255), ..NO_LIMIT },
    // SP/code/qcommon/files.c, FS_CheckPak0 and FS_CheckSPPaks
    needed: Known(Needed {
        archives: list![NeededArchives {
            instead: Borrowed("demomain/pak0.pk3"),
            directory: Borrowed("main"),
            files: texts!["pak0.pk3", "sp_pak1.pk3", "sp_pak2.pk3", "sp_pak3.pk3", "sp_pak4.pk3"],
            checksums: list![1_886_207_346],
            ..ARCHIVES
        }],
        ..DEFAULT_CFG
    }),
    ..IORTCW
};

pub(super) const TITLES: List<Title> = list![Title {
    word: Borrowed("quake3"),
    name: Borrowed("Quake III Arena"),
    expansions: list![expansion("missionpack", "Team Arena")],
    known_by: texts!["baseq3/pak0.pk3"],
    ..TITLE
}];

pub(super) const TITLES_OF_OPENARENA: List<Title> = list![Title {
    word: Borrowed("openarena"),
    name: Borrowed("OpenArena"),
    expansions: list![expansion("missionpack", "Mission Pack")],
    known_by: texts!["baseoa/pak0.pk3"],
    ..TITLE
}];

pub(super) const TITLES_OF_JEDI_ACADEMY: List<Title> = list![Title {
    word: Borrowed("jedi-academy"),
    name: Borrowed("Jedi Knight: Jedi Academy"),
    known_by: texts!["base/assets3.pk3"],
    ..TITLE
}];

pub(super) const TITLES_OF_JEDI_OUTCAST: List<Title> = list![Title {
    word: Borrowed("jedi-outcast"),
    name: Borrowed("Jedi Knight II: Jedi Outcast"),
    known_by: texts!["base/assets5.pk3"],
    ..TITLE
}];

pub(super) const TITLES_OF_WOLFENSTEIN: List<Title> = list![Title {
    word: Borrowed("rtcw"),
    name: Borrowed("Return to Castle Wolfenstein"),
    known_by: texts!["main/pak0.pk3"],
    ..TITLE
}];

pub(super) const TITLES_OF_ENEMY_TERRITORY: List<Title> = list![Title {
    word: Borrowed("enemy-territory"),
    name: Borrowed("Wolfenstein: Enemy Territory"),
    known_by: texts!["etmain/pak0.pk3"],
    ..TITLE
}];

pub(super) const TITLES_OF_URBAN_TERROR: List<Title> = list![Title {
    word: Borrowed("urban-terror"),
    name: Borrowed("Urban Terror"),
    known_by: texts!["q3ut4/zUrT4*.pk3"],
    ..TITLE
}];
