//! QuakeSpasm, and the engines that are based on it.

use super::prelude::*;
use super::programs;
use super::quake::{self, ID_TECH};

/// An archive without files ends the numbered run.
///
/// Source: `Quake/common.c`, `COM_LoadPackFile`, which ignores an empty archive, and `COM_AddGameDirectory`,
/// which then stops.
const TO_EMPTY: Gaps = Gaps::Stop { empty: EmptyArchive::EndsRun };

/// Source: `Quake/gl_model.c`, `Mod_LoadTextures` of QuakeSpasm, `Mod_LoadTextureTask` of vkQuake (run).
const TEXTURE: Substitute = Substitute { none_beside: texts!["*"], ..super::prelude::TEXTURE };

pub(super) const QUAKESPASM: Rules = Rules {
    directories: Directories {
        // Quake/common.c, COM_InitFilesystem, which does not add a mission pack twice
        missions: list![mission("rogue"), mission("hipnotic"), mission("quoth")],
        named_again: DuplicateMention::MissionsStay,
        // Quake/common.c, COM_InitFilesystem: a game with a slash
        odd_games: NO_PATH,
        ..ID_TECH.directories
    },
    archives: Archives {
        sets: list![numbered(PAK, None, TO_EMPTY)],
        own: list![
            // Quake/common.c, COM_AddGameDirectory, at number 0 of the first directory, and once more at the
            // user's copy of it (seen)
            own("quakespasm.pak", OwnPlace::AboveEachFirst),
            TEXTS_OF_REMASTER,
        ],
        ..ID_TECH.archives
    },
    // Quake/sys_sdl_unix.c, MAX_HANDLES: 32, the first is not used, and an opened file takes one
    limits: Limits { archives: Some(30), ..ID_TECH.limits },
    // Quake/common.c, COM_LoadPackFile and COM_LoadFile, which check how much they read since 0.96.0
    paks: Paks { refuses_cut_directory: true, ..ID_TECH.paks },
    stops: stops![
        WrongArchive,
        TooManyEntries,
        OddGame,
        NegativeDirectory,
        CutDirectory,
        CutEntry,
        EntryOutside,
        TooManyArchives,
        Unregistered,
        WrongRegistered,
    ],
    // Quake/wad.c, W_LoadWadFile; Quake/host.c, Host_Init; Quake/gl_texmgr.c, TexMgr_LoadPalette
    needed: Known(programs::NEEDED),
    // Quake/common.c, COM_CheckRegistered, and PAK0_CRC_V100 to PAK0_CRC_V106
    registered: Some(Registered {
        shareware: Some(Shareware { crcs: list![13900, 62751, 32981], ..SHAREWARE }),
        ..POP
    }),
    // Quake/sys_sdl_unix.c, Sys_GetUserdir and SYS_USERDIR, if DO_USERDIRS is defined: not by the Makefile,
    // but in Debian's build (seen). The home folder comes from the password file and is usually $HOME. No
    // user directory in Quake/sys_sdl_win.c, Sys_Init
    user: Some(UserDirectory {
        linux: texts![".quakespasm"],
        macos: texts!["Library/Application Support/QuakeSpasm"],
        ..IN_SOME_BUILDS
    }),
    // Quake/gl_model.c, Mod_LoadLighting, Mod_LoadEntities and Mod_FindVisibilityExternal, which compare the
    // path ids of the level and of the file; COM_FileBase leaves no name of one letter
    companions: Known(list![
        OWN_LIT,
        Companion { names: texts!["{level}@{crc}.ent", "{level}.ent"], ..OWN_ENT },
        VIS,
    ]),
    // Quake/gl_model.c, Mod_LoadTextures; Quake/gl_sky.c, Sky_LoadSkyBox; Quake/image.c, Image_LoadImage;
    // Quake/bgmusic.c, BGM_PlayCDtrack (all seen); Quake/gl_model.c, Mod_LoadModel and Mod_LoadAllSkins,
    // which asks for no file
    substitutes: Known(list![
        Substitute {
            names: texts!["textures/{level}/{name}.{tga,pcx}", "textures/{name}.{tga,pcx}"],
            ..TEXTURE
        },
        Substitute { names: texts!["gfx/env/{name}{part}.{tga,pcx}"], ..SKY },
        TRACKS,
        MODEL,
        SKIN,
    ]),
    // Quake/common.c, COM_Game_f
    console: Known(Some(GameCommand { must_exist: true, ..GAME_OF_QUAKESPASM })),
    program: Program::QuakeC(programs::QUAKE),
    keys: Known(KEYS),
    wads: Known(texts![]),
    family: quake::FAMILY,
    // Quake/gl_model.c, Mod_LoadBrushModel, Mod_LoadAliasModel, Mod_LoadAllSkins and Mod_LoadSpriteModel;
    // Quake/gl_model.h, MAXALIASFRAMES; Quake/snd_mem.c, S_LoadSound
    loads: Known(Loads {
        versions: VERSIONS,
        most: list![
            most("model", "vertices", 2000),
            most("model", "triangles", 4096),
            most("model", "frames", 1024),
            most("model", "skins", 32),
            most_of_sounds("channels", 1),
            most_of_sounds("bits", 16)
        ],
    }),
    ..ID_TECH
};

/// The versions of levels, models and sprites.
const VERSIONS: List<LoadedVersions> = list![
    loaded("level", texts!["29", "2PSB", "BSP2", "Q64"]),
    loaded("model", texts!["6"]),
    loaded("sprite", texts!["1"]),
];

pub(super) const QUAKESPASM_095: Rules = Rules {
    // Quake/common.c, COM_LoadPackFile, which checks no read: whole rows are mounted; a negative place stops
    // it
    paks: ID_TECH.paks,
    stops: stops![
        WrongArchive,
        TooManyEntries,
        OddGame,
        NegativeDirectory,
        TooManyArchives,
        Unregistered,
        WrongRegistered,
    ],
    console: Known(Some(GAME_OF_QUAKESPASM)),
    // Quake/gl_model.c, Mod_LoadBrushModel, Mod_LoadAliasModel and Mod_LoadAllSkins; Quake/gl_model.h,
    // MAXALIASFRAMES
    loads: Known(Loads {
        versions: VERSIONS,
        most: list![
            most("model", "vertices", 2000),
            most("model", "triangles", 4096),
            most("model", "frames", 256),
            most("model", "skins", 32),
            most_of_sounds("channels", 1),
            most_of_sounds("bits", 16)
        ],
    }),
    ..QUAKESPASM
};

/// The remaster's archive, which contains its texts.
///
/// Source: `Quake/common.c`, `LOC_LoadFile`: the search path, the base directory, this archive.
const TEXTS_OF_REMASTER: OwnArchive = OwnArchive {
    file: Borrowed("QuakeEX.kpf"),
    place: OwnPlace::Lowest,
    instead_of: None,
    only: texts!["localization/loc_english.txt"],
};

const OWN_LIT: Companion = Companion { names: texts!["{level}.lit"], rank: Rank::NotBelowDirectory, ..LIT };
const OWN_ENT: Companion = Companion { names: texts!["{level}.ent"], rank: Rank::NotBelowDirectory, ..ENT };
const VIS: Companion = Companion {
    names: texts!["maps/{name}.vis", "{game}.vis"],
    rank: Rank::NotBelowDirectory,
    shortest_level: 2,
    ..COMPANION
};

/// Keys of the world, and the exits of Quake's game code.
///
/// Source: QuakeSpasm, `Quake/gl_sky.c`, `Sky_NewMap`; the game code plays the track of `sounds`.
pub(super) const KEYS: List<EntityKey> = list![
    programs::EXIT,
    programs::key("worldspawn", texts!["sky", "skyname", "qlsky"], KeyNames::Sky),
    programs::key("worldspawn", texts!["sounds"], KeyNames::Track),
];

/// Music tracks. For a track number, the file in the highest game directory wins. For a track name, the first
/// name in this list that exists wins.
///
/// Source: `Quake/bgmusic.c`, `BGM_PlayCDtrack`, `BGM_Play` and `BGM_Play_noext` (seen).
const TRACKS: Substitute = Substitute {
    names: texts![
        "music/track{nn}.{ogg,opus,mp3,flac,wav}",
        // a name with another extension is unhandled
        "music/{file:ogg,opus,mp3,flac,wav,it,s3m,xm,mod,umx}",
        "music/{bare}.ogg",
        "music/{bare}.opus",
        "music/{bare}.mp3",
        "music/{bare}.flac",
        "music/{bare}.wav",
        "music/{bare}.it",
        "music/{bare}.s3m",
        "music/{bare}.xm",
        "music/{bare}.mod",
        "music/{bare}.umx"
    ],
    decides: SubstituteBy::Directory,
    ..MUSIC
};

/// Models of other kinds that replace an MDL if they are not below it.
///
/// Source: vkQuake, `Quake/gl_model.c`, `Mod_LoadModel`: the higher of the two wins, and in one layer md3
/// before md5mesh.
const MODELS: Substitute = Substitute {
    named: texts!["mdl"],
    names: texts!["{stem}.{md3,md5mesh}", "{name}"],
    decides: SubstituteBy::Directory,
    rank: Rank::NotBelowDirectory,
    ..MODEL
};

/// The pictures that Ironwail and vkQuake look for instead of a texture and of a side of a sky.
const TEXTURES: List<Text> =
    texts!["textures/{level}/{name}.{png,tga,jpg,pcx,lmp}", "textures/{name}.{png,tga,jpg,pcx,lmp}"];
const SKIES: List<Text> = texts!["gfx/env/{name}{part}.{png,tga,jpg,pcx,lmp}"];

/// The command of the engines with several games.
///
/// Source: `Quake/common.c`, `COM_Game_f`.
const GAME: GameCommand = GameCommand { command: Borrowed("game"), missions: texts!["{}"], ..GAMEDIR };

/// Source: `Quake/common.c`, `COM_Game_f`.
const GAME_OF_QUAKESPASM: GameCommand =
    GameCommand { most_games: Some(1), missions: texts!["hipnotic", "rogue", "quoth"], ..GAME };

pub(super) const IRONWAIL: Rules = Rules {
    directories: Directories {
        // Quake/common.c, COM_InitFilesystem
        games: Games::Every,
        named_again: DuplicateMention::MovesUp,
        // COM_AddEnginePak: the first of several base directories, after the program's folder
        program_folder: Some(ProgramFolder::OwnArchives),
        // Quake/common.c, COM_InitBaseDir, COM_AddBaseDir and COM_AddGameDirectory; COM_InitFilesystem
        more_bases: MoreBases::Above,
        base_games: Games::Every,
        // Quake/host_cmd.c, Modlist_Check
        listed_by: texts!["pak0.pak", "progs.dat", "csprogs.dat", "maps/", "progs/", "gfx/", "sound/"],
        ..QUAKESPASM.directories
    },
    archives: Archives {
        own: list![own("ironwail.pak", OwnPlace::AboveFirst), TEXTS_OF_REMASTER],
        ..QUAKESPASM.archives
    },
    // Quake/common.c, COM_FindFile: in a folder, CONFIG_NAME wins over config.cfg
    requests: Requests { instead: list![instead("config.cfg", "ironwail.cfg")], ..QUAKESPASM.requests },
    // Quake/common.c, COM_InitFilesystem and COM_LoadPackFile
    stops: stops![
        WrongArchive,
        TooManyEntries,
        OddGame,
        MissingGame,
        // Quake/host_cmd.c, Modlist_Check and Modlist_FindLocal, of version 0.8.0 and later
        OtherGame,
        TooManyArchives,
        MissingFirstArchive,
        NotAFile,
        NegativeDirectory,
        CutDirectory,
        CutEntry,
        EntryOutside,
        Unregistered,
        WrongRegistered,
    ],
    // Quake/sys_sdl_unix.c, Sys_GetUserdir, if DO_USERDIRS is defined; Quake/quakedef.h, ENGINE_USERDIR_UNIX.
    // It is the last base directory. COM_InitBaseDir and Sys_GetAltUserPrefDir: another folder, if -basedir
    // is not given and the engine finds the game in a store's library
    user: Some(UserDirectory {
        linux: texts![".ironwail"],
        macos: texts!["Library/Application Support/Ironwail"],
        in_store: Some(InStore {
            linux: Borrowed(".ironwail/.{}"),
            macos: Borrowed("Library/Application Support/Ironwail/.{}"),
            windows: Borrowed("Saved Games/Ironwail/{}"),
        }),
        ..IN_SOME_BUILDS
    }),
    // Quake/image.c, Image_LoadImage; Quake/gl_model.c, Mod_LoadTextures and Mod_LoadModel; Quake/gl_sky.c,
    // Sky_LoadSkyBox; Quake/bgmusic.c, BGM_PlayCDtrack; documented, not run
    substitutes: Known(list![
        Substitute { names: TEXTURES, ..TEXTURE },
        Substitute { names: SKIES, ..SKY },
        TRACKS,
        MODELS,
    ]),
    // Quake/common.c, COM_ValidateGameDirs
    console: Known(Some(GameCommand { must_exist: true, ..GAME })),
    program: Program::QuakeC(programs::IRONWAIL),
    // Quake/gl_model.c, Mod_LoadBrushModel, Mod_LoadAliasModel and Mod_LoadAllSkins; Quake/gl_model.h,
    // MAXALIASVERTS_QS
    loads: Known(Loads {
        versions: VERSIONS,
        most: list![
            most("model", "vertices", 32767),
            most("model", "frames", 1024),
            most("model", "skins", 32),
            most_of_sounds("channels", 1),
            most_of_sounds("bits", 16)
        ],
    }),
    ..QUAKESPASM
};

pub(super) const QSS: Rules = Rules {
    directories: Directories {
        // Quake/common.c, COM_InitFilesystem: the loop of COM_CheckParmNext over -game
        games: Games::Every,
        named_again: DuplicateMention::LooseMoveUp,
        // Quake/common.c, COM_Game_f and COM_InitFilesystem: a path inside the base directory is accepted
        odd_games: refused![is(""), is("."), holds(".."), starts("/"), holds("\\"), holds(":")],
        ..QUAKESPASM.directories
    },
    archives: Archives {
        // Quake/common.c, COM_AddGameDirectory: pakN.pak and pakN.pk3, then COM_ListSystemFiles for each
        // extension, in the disk's order; an archive that is loaded already is skipped, without case
        sets: list![
            numbered(texts!["pak", "pk3"], None, TO_EMPTY),
            others_once(PAK, Case::Ignored, Order::Listed),
            others_once(PK3, Case::Ignored, Order::Listed),
        ],
        own: list![own("quakespasm.pak", OwnPlace::AboveEachFirst)],
        ..QUAKESPASM.archives
    },
    paks: ID_TECH.paks,
    zips: Zips {
        // Quake/fs_zip.c, FSZIP_EnumerateCentralDirectory: names in lower case; COM_FindFile does not
        // lower-case the request
        lower_cased: true,
        // Quake/fs_zip.c, FSZIP_EnumerateCentralDirectory: flags, method and attributes of each row
        dropped: list![
            ZipEntryForm::Encrypted,
            ZipEntryForm::OtherMethod,
            ZipEntryForm::Link,
            ZipEntryForm::NotAscii,
        ],
        longest_name: Some(LongestZipName { most: 63, then: LongZipName::Dropped }),
        ..QUAKESPASM.zips
    },
    loose: Loose {
        // COM_AddGameDirectory links the directory after its archives
        position: LoosePosition::Above,
        // Quake/common.c, COM_FindFile: a folder is opened like a file; a file that cannot be opened is
        // ignored
        hides: Obstacles { folder: true, unreadable: false, ..ONLY_UNREADABLE },
        ..QUAKESPASM.loose
    },
    // a drive letter finds nothing (seen)
    requests: Requests { refused: texts![":"], ..QUAKESPASM.requests },
    // Quake/common.c, MAX_FILES_IN_PACK
    limits: Limits { entries: Some(most_entries(4096, false)), ..ID_TECH.limits },
    // Quake/common.c, COM_LoadPackFile; Quake/fs_zip.c, FSZIP_EnumerateCentralDirectory, which writes past a
    // block if it has to shift offsets
    stops: stops![
        WrongArchive,
        TooManyEntries,
        OddGame,
        NegativeDirectory,
        BytesInFront,
        Pipe,
        Unregistered,
        WrongRegistered,
    ],
    // Quake/image.c, Image_LoadImage, which tries a name, then textures/ and the name, then textures/ and its
    // last part, and at the end a .lmp; Quake/gl_model.c, Mod_LoadTextures and Mod_LoadAllSkins;
    // Quake/gl_sky.c, Sky_LoadSkyBox; Quake/bgmusic.c, BGM_PlayCDtrack; documented, not run
    substitutes: Known(list![
        Substitute {
            names: texts![
                "textures/{level}/{name}.{dds,tga,png,jpeg,jpg,pcx}",
                "textures/textures/{level}/{name}.{dds,tga,png,jpeg,jpg,pcx}",
                "textures/{name}.{dds,tga,png,jpeg,jpg,pcx}",
                "textures/{level}/{name}.lmp",
                // then for that of all levels, which was asked for
                "textures/textures/{name}.{dds,tga,png,jpeg,jpg,pcx}",
                "textures/{name}.lmp"
            ],
            ..TEXTURE
        },
        Substitute {
            names: texts![
                "gfx/env/{name}{part}.{dds,tga,png,jpeg,jpg,pcx}",
                "textures/gfx/env/{name}{part}.{dds,tga,png,jpeg,jpg,pcx}",
                "textures/{name}{part}.{dds,tga,png,jpeg,jpg,pcx}",
                "gfx/env/{name}{part}.lmp"
            ],
            ..SKY
        },
        TRACKS,
        Substitute {
            names: texts![
                "{name}.{dds,tga,png,jpeg,jpg,pcx}",
                "textures/{name}.{dds,tga,png,jpeg,jpg,pcx}",
                "textures/{base}.{dds,tga,png,jpeg,jpg,pcx}",
                "{name}.lmp"
            ],
            ..SKIN
        },
    ]),
    console: Known(Some(GAME)),
    // quakespasm/Quake/gl_model.c, Mod_LoadLighting and Mod_LoadEntities
    companions: Known(list![OWN_LIT, OWN_ENT]),
    program: Program::QuakeC(programs::QSS),
    // Quake/gl_model.c, Mod_LoadBrushModel, Mod_LoadAliasModel, Mod_LoadAllSkins and Mod_LoadSpriteModel;
    // Quake/snd_mem.c, S_LoadSound
    loads: Known(Loads {
        versions: list![
            loaded("level", texts!["29", "2PSB", "BSP2"]),
            loaded("model", texts!["6"]),
            loaded("sprite", texts!["1", "32"])
        ],
        most: list![
            most("model", "vertices", 65536),
            most("model", "frames", 1024),
            most("model", "skins", 32),
            most_of_sounds("channels", 2),
            most_of_sounds("bits", 16)
        ],
    }),
    ..QUAKESPASM
};

pub(super) const QSS_M: Rules = Rules {
    // Quake/common.c, COM_InitFilesystem and COM_AddGameDirectory: the archive of the remaster lowest,
    // qssm.pak beside quakespasm.pak, and folders instead of numbered archives
    archives: Archives {
        sets: list![
            numbered(texts!["pak", "pakdir", "pk3", "pk3dir"], None, TO_EMPTY),
            others_once(PAK, Case::Ignored, Order::Listed),
            others_once(PK3, Case::Ignored, Order::Listed),
        ],
        own: list![
            own("QuakeEX.kpf", OwnPlace::Lowest),
            own("quakespasm.pak", OwnPlace::AboveEachFirst),
            own("qssm.pak", OwnPlace::AboveEachFirst),
        ],
        ..QSS.archives
    },
    // Quake/gl_model.c, Mod_LoadEntities and Mod_FindVisibilityExternal; Quake/location.c, LOC_LoadLocations
    companions: Known(list![
        OWN_LIT,
        Companion { names: texts!["{level}@{crc}.ent", "{level}.ent"], ..OWN_ENT },
        VIS,
        Companion { names: texts!["locs/{name}.loc"], ..COMPANION },
    ]),
    program: Program::QuakeC(programs::QSS_M),
    // Quake/gl_model.c, Mod_LoadBrushModel, Mod_LoadAliasModel, Mod_LoadAllSkins and Mod_LoadSpriteModel
    loads: Known(Loads {
        versions: list![
            loaded("level", texts!["29", "2PSB", "BSP2", "Q64"]),
            loaded("model", texts!["6"]),
            loaded("sprite", texts!["1", "32"])
        ],
        most: list![
            most("model", "vertices", 65536),
            most("model", "frames", 1024),
            most("model", "skins", 32),
            most_of_sounds("channels", 2),
            most_of_sounds("bits", 16)
        ],
    }),
    ..QSS
};

pub(super) const VKQUAKE: Rules = Rules {
    directories: Directories {
        // Quake/common.c, COM_InitFilesystem
        games: Games::Every,
        named_again: DuplicateMention::MovesUp,
        odd_games: refused![is(""), is("."), holds(".."), holds("/"), holds("\\"), holds(":"), holds(";")],
        // Quake/common.c, COM_InitFilesystem: the user folder of the remaster is added before the base
        // directory. Only the first -basedir counts there, so further ones play the role of that folder; from
        // the source, not run
        more_bases: MoreBases::Below,
        base_games: Games::Every,
        ..QUAKESPASM.directories
    },
    archives: Archives {
        // Quake/common.c, COM_LoadPackFile and COM_AddGameDirectory
        sets: list![numbered(PAK, None, Gaps::Stop { empty: EmptyArchive::EndsRunUnlessFirst })],
        own: list![TEXTS_OF_REMASTER],
        ..QUAKESPASM.archives
    },
    paks: ID_TECH.paks,
    // Quake/common.c, COM_FindFile: in a folder, CONFIG_NAME wins over config.cfg
    requests: Requests { instead: list![instead("config.cfg", "vkQuake.cfg")], ..QUAKESPASM.requests },
    limits: ID_TECH.limits,
    // Quake/common.c, COM_InitFilesystem, COM_LoadPackFile and Sys_FileRead
    stops: stops![WrongArchive, TooManyEntries, OddGame, NotAFile, NegativeDirectory, Unregistered],
    needed: Known(programs::NEEDED),
    // Quake/common.c, COM_CheckRegistered, which does not compare the bytes
    registered: Some(ANY_POP),
    // Quake/common.c, COM_SetUserPrefDir: SDL_GetPrefPath, for a game from a store or with -multiuser
    user: Some(UserDirectory {
        in_store: Some(InStore {
            linux: Borrowed(".local/share/vkQuake"),
            macos: Borrowed("Library/Application Support/vkQuake"),
            windows: Borrowed("AppData/Roaming/vkQuake"),
        }),
        ..VKQUAKES_USER
    }),
    // Quake/image.c, Image_LoadImage; Quake/gl_model.c, Mod_LoadTextureTask, Mod_LoadModel and
    // Mod_LoadSkinTask; Quake/gl_sky.c, Sky_LoadSkyBox; Quake/bgmusic.c, BGM_PlayCDtrack; textures and skies
    // were run
    substitutes: Known(list![
        Substitute { names: TEXTURES, decides: SubstituteBy::Directory, ..TEXTURE },
        Substitute { names: SKIES, decides: SubstituteBy::Directory, ..SKY },
        TRACKS,
        MODELS,
        Substitute { decides: SubstituteBy::Directory, ..VKQUAKE_SKIN },
    ]),
    console: Known(Some(GAME)),
    program: Program::QuakeC(programs::VKQUAKE),
    // Quake/wad.c, W_LoadWadList
    wads: Known(texts!["", "gfx/"]),
    // Quake/gl_model.c, Mod_LoadBrushModel, Mod_LoadAliasModel and Mod_LoadAllSkins; Quake/gl_model.h,
    // MAXALIASVERTS and MAXALIASFRAMES
    loads: Known(Loads {
        versions: list![
            loaded("level", texts!["29", "2PSB", "BSP2", "Q64", "30"]),
            loaded("model", texts!["6"]),
            loaded("sprite", texts!["1"])
        ],
        most: list![
            most("model", "vertices", 32767),
            most("model", "frames", 2048),
            most("model", "skins", 32),
            most_of_sounds("channels", 1),
            most_of_sounds("bits", 16)
        ],
    }),
    ..QUAKESPASM
};

/// Source: `Quake/sys_sdl_unix.c`, `Sys_GetUserdir`, if `DO_USERDIRS` is defined.
const VKQUAKES_USER: UserDirectory = UserDirectory {
    linux: texts![".vkquake"],
    macos: texts!["Library/Application Support/vkQuake"],
    ..IN_SOME_BUILDS
};

/// A model and the skins of models, which all releases load alike.
const VKQUAKE_SKIN: Substitute = Substitute {
    names: texts![
        "{name}.{png,tga,jpg,pcx,lmp}",
        "progs/{name}.{png,tga,jpg,pcx,lmp}",
        "textures/{name}.{png,tga,jpg,pcx,lmp}"
    ],
    rank: Rank::NotBelowDirectory,
    beside: list![texts!["_glow", "_luma"]],
    ..SKIN
};

pub(super) const VKQUAKE_135: Rules = Rules {
    // Quake/image.c, Image_LoadImage: the kind before the directory, until 5e6b61bb of 2026-07-10
    substitutes: Known(list![
        Substitute { names: TEXTURES, ..TEXTURE },
        Substitute { names: SKIES, ..SKY },
        TRACKS,
        MODELS,
        VKQUAKE_SKIN,
    ]),
    user: Some(VKQUAKES_USER),
    ..VKQUAKE
};

pub(super) const VKQUAKE_134: Rules = Rules {
    // Quake/gl_model.c, Mod_LoadTextureTask: not from a directory below the level's, until 2d4a9069 of
    // 2026-05-29
    substitutes: Known(list![
        Substitute { names: TEXTURES, rank: Rank::NotBelowDirectory, ..TEXTURE },
        Substitute { names: SKIES, ..SKY },
        TRACKS,
        MODELS,
        VKQUAKE_SKIN,
    ]),
    ..VKQUAKE_135
};

pub(super) const VKQUAKE_132: Rules = Rules {
    // Quake/gl_sky.c, Sky_LoadSkyBox: skies too, until 8b33aa30 of 2026-02-23
    substitutes: Known(list![
        Substitute { names: TEXTURES, rank: Rank::NotBelowDirectory, ..TEXTURE },
        Substitute { names: SKIES, rank: Rank::NotBelowDirectory, ..SKY },
        TRACKS,
        MODELS,
        VKQUAKE_SKIN,
    ]),
    ..VKQUAKE_135
};

pub(super) const TITLES_OF_IRONWAIL: List<Title> = list![Title {
    word: Borrowed("quake-remaster"),
    remaster: true,
    and_by: Some(Borrowed("QuakeEX.kpf")),
    // Quake/sys_sdl_unix.c, Sys_GetSteamQuakeUserDir
    downloads: Some(Borrowed("Saved Games/Nightdive Studios/Quake")),
    ..quake::AS_SOLD
}];
