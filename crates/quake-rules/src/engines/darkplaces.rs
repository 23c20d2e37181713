//! DarkPlaces.

use super::prelude::*;
use super::programs;
use super::quake::{self, ID_TECH};

/// The pictures beside a texture or a skin.
///
/// Source: DarkPlaces of 2018, `gl_rmain.c`, `R_SkinFrame_LoadExternal`.
const BESIDE: List<List<Text>> = list![
    texts!["_norm", "_bump"],
    texts!["_glow", "_luma"],
    texts!["_gloss"],
    texts!["_pants"],
    texts!["_shirt"],
    texts!["_reflect"]
];

/// The replacements of a texture in 2018; later, a level's own comes first.
///
/// Source: `image.c`, `imageformats_textures`; `model_brush.c`, `Mod_Q1BSP_LoadTextures`.
const TEXTURES: Substitute = Substitute {
    names: texts![
        "textures/{name}.{tga,png,jpg}",
        "textures/{level}/{name}.{tga,png,jpg}",
        "textures/{name}.{pcx,wal}",
        "textures/{level}/{name}.{pcx,wal}"
    ],
    beside: BESIDE,
    ..TEXTURE
};

/// Source: `r_sky.c`, `R_LoadSkyBox`: the first set with an existing side; `image.c`, `imageformats_gfx` and
/// `imageformats_other`.
const SKIES: Substitute = Substitute {
    names: texts![
        "override/{name}_{part}.{tga,png,jpg}",
        "textures/{name}_{part}.{tga,png,jpg}",
        "{name}_{part}.{tga,png,jpg,pcx,lmp}",
        "override/{name}{part}.{tga,png,jpg}",
        "textures/{name}{part}.{tga,png,jpg}",
        "{name}{part}.{tga,png,jpg,pcx,lmp}",
        "override/env/{name}{part}.{tga,png,jpg}",
        "textures/env/{name}{part}.{tga,png,jpg}",
        "env/{name}{part}.{tga,png,jpg,pcx,lmp}",
        "gfx/env/{name}{part}.{tga,png,jpg,pcx,lmp}"
    ],
    parts: list![
        texts!["px", "nx", "py", "ny", "pz", "nz"],
        texts!["posx", "negx", "posy", "negy", "posz", "negz"],
        texts!["rt", "lf", "bk", "ft", "up", "dn"],
    ],
    ..SKY
};

/// Source: `cd_shared.c`, `CDAudio_Play_byName`.
const CD_TRACKS: Substitute = Substitute {
    names: texts![
        "sound/cdtracks/track{nnn}.{wav,ogg}",
        "music/track{nnn}.ogg",
        "music/cdtracks/track{nnn}.ogg",
        "sound/cdtracks/track{nn}.{wav,ogg}",
        "music/track{nn}.ogg",
        "music/cdtracks/track{nn}.ogg",
        "{name}{,.wav,.ogg}",
        "sound/{name}{,.wav,.ogg}",
        "sound/cdtracks/{name}{,.wav,.ogg}",
        "music/{name}.ogg",
        "music/cdtracks/{name}.ogg"
    ],
    ..MUSIC
};

/// Source: `model_alias.c`, `Mod_IDP0_Load`.
const SKINS: Substitute = Substitute { names: texts!["{stem}.{tga,png,jpg,pcx}"], beside: BESIDE, ..SKIN };

/// Images of shaders below `textures/`.
///
/// Source: `image.c`, `imageformats_textures`.
const IN_TEXTURES: Substitute =
    Substitute { folder: Borrowed("textures"), names: texts!["{stem}.{tga,png,jpg,pcx,wal}"], ..IMAGE };

/// Images of shaders below `gfx/`.
///
/// Source: `image.c`, `imageformats_gfx`.
const IN_GFX: Substitute =
    Substitute { folder: Borrowed("gfx"), names: texts!["{stem}.{tga,png,jpg,pcx,lmp}"], ..IMAGE };

/// Images of shaders in other folders.
///
/// Source: `image.c`, `imageformats_other`.
const IMAGES: Substitute = Substitute {
    names: texts![
        "override/{stem}.{tga,png,jpg}",
        "textures/{stem}.{tga,png,jpg}",
        "{stem}.{tga,png,jpg,pcx,lmp}"
    ],
    ..IMAGE
};

/// Source: `snd_mem.c`, `S_LoadSound`.
const SOUNDS: Substitute = Substitute {
    of: SubstituteKind::Sound,
    names: texts!["sound/{name}", "sound/{stem:wav}.ogg", "{name}", "{stem:wav}.ogg"],
    beside: list![],
    ..TEXTURE
};

pub(super) const DARKPLACES: Rules = Rules {
    directories: Directories {
        // libcurl.c, Curl_Begin
        engine_folders: texts!["dlcache"],
        // fs.c, FS_Init: every -game; FS_AddPack_Fullpath skips an archive that is loaded already, but not a
        // folder, because it keeps folders under another name
        games: Games::Every,
        named_again: DuplicateMention::LooseMoveUp,
        // com_game.c, COM_InitGameType: the first game mode whose flag is given; fs.c, MAX_GAMEDIRS
        missions: list![mission("hipnotic"), mission("rogue"), mission("quoth")],
        missions_taken: MissionsTaken::Highest,
        most_games: Some(17),
        // fs.c, FS_CheckGameDir: a nasty name
        odd_games: refused![
            holds(".."),
            holds("./"),
            holds("//"),
            holds("\\"),
            starts("/"),
            GameName::Ends(Borrowed("/"))
        ],
        ..ID_TECH.directories
    },
    archives: Archives {
        // fs.c, FS_AddGameDirectory: the sorted list, all paks and then all pk3s and folders like them
        sets: list![
            others_once(PAK, Case::Ignored, Order::IgnoreCase),
            others_once(texts!["pk3", "pk3dir"], Case::Ignored, Order::IgnoreCase),
        ],
        // fs.c, FS_AddFileToPack and FS_FindFile, strcasecmp: a row is put after those of an equal name
        case: Case::Ignored,
        duplicates: Duplicates::Searched,
        ..ID_TECH.archives
    },
    // fs.c, FS_LoadPackPAK: a directory of another size than whole rows, a wrong magic and too many files
    paks: Paks {
        refuses_partial_row: true,
        refuses_cut_directory: true,
        unterminated: Unterminated::Cut,
        ..ID_TECH.paks
    },
    // fs.c, PK3_GetEndOfCentralDir and PK3_BuildFileList
    zips: Zips {
        refused: list![ZipForm::Zip64, ZipForm::CountTooLarge],
        dropped: list![ZipEntryForm::Encrypted, ZipEntryForm::DosFolder, ZipEntryForm::FolderName],
        longest_name: Some(LongestZipName { most: 127, then: LongZipName::EndsDirectory }),
        ..ID_TECH.zips
    },
    // FS_AddGameDirectory puts the directory itself at the head of the search path
    loose: Loose { position: LoosePosition::Above, ..ID_TECH.loose },
    // fs.c, FS_CheckNastyPath
    requests: Requests { refused: texts!["..", "./", ":"], ..ALL_REFUSED },
    // fs.c, MAX_FILES_IN_PACK; qdefs.h, MAX_QPATH
    limits: Limits { entries: Some(most_entries(65536, true)), name: 127, ..NO_LIMIT },
    // fs.c, FS_SysOpen and FS_LoadFile: a folder has an endless size
    stops: stops![OddGame, FolderAsFile, Pipe],
    // fs.c, FS_Rescan: registered is set if gfx/pop.lmp is found, whatever its content
    registered: Some(ANY_POP),
    // fs.c, FS_ChooseUserDir: $HOME/.darkplaces (seen). On Windows FS_Init prefers the base directory for a
    // game whose folder is id1
    user: Some(UserDirectory { linux: texts![".darkplaces"], ..ALWAYS }),
    // model_brush.c, Mod_Q1BSP_LoadLighting; sv_main.c, SV_SpawnServer; r_shadow.c, R_Shadow_LoadWorldLights;
    // cl_main.c, CL_Locs_Reload_f
    companions: Known(list![
        Companion { names: texts!["{level}.lit"], ..LIT },
        Companion { names: texts!["{level}.ent"], ..ENT },
        Companion { names: texts!["{level}.dlit"], ..COMPANION },
        Companion { names: texts!["{level}.rtlights"], ..COMPANION },
        Companion { names: texts!["{level}.loc", "locs/{name}.loc"], ..COMPANION },
    ]),
    // documented, not run: a server loads none of these
    substitutes: Known(list![TEXTURES, SKIES, CD_TRACKS, MODEL, SKINS, IN_TEXTURES, IN_GFX, IMAGES, SOUNDS]),
    // fs.c, FS_GameDir_f
    console: Known(Some(GAMEDIR)),
    needed: Known(Needed {
        to_play: programs::to_play!["gfx.wad", "gfx/palette.lmp", "gfx/colormap.lmp"],
        ..Needed::NOTHING
    }),
    program: Program::QuakeC(programs::DARKPLACES),
    // model_brush.c, Mod_Q1BSP_LoadEntities; cl_parse.c, CL_ParseEntityLump
    keys: Known(list![
        programs::EXIT,
        programs::key("worldspawn", texts!["sky", "skyname"], KeyNames::Sky),
        programs::key("worldspawn", texts!["sounds"], KeyNames::Track),
    ]),
    // model_brush.c, Mod_Q1BSP_LoadEntities; wad.c, W_LoadTextureWadFile
    wads: Known(texts![""]),
    family: quake::FAMILY,
    // model_shared.c, Mod_LoadModel; model_alias.c, Mod_IDP0_Load; model_sprite.c, Mod_IDSP_Load;
    // snd_wav.c, S_LoadWavFile
    loads: Known(Loads {
        versions: list![
            loaded("level", texts!["29", "30", "2PSB", "BSP2", "38", "46"]),
            loaded("model", texts!["6"]),
            loaded("sprite", texts!["1", "2", "32"])
        ],
        most: list![
            most("model", "vertices", 65535),
            most("model", "triangles", 65535),
            most("model", "frames", 65535),
            most("model", "skins", 65535),
            most_of_sounds("channels", 2)
        ],
    }),
    ..ID_TECH
};

pub(super) const DARKPLACES_2024: Rules = Rules {
    directories: Directories {
        // fs.c, FS_SetGameDirs: the last mention of a game counts
        named_again: DuplicateMention::MovesUp,
        // com_game.c, COM_ChangeGameTypeForGameDirs: the last game that is the directory of a game mode
        // decides
        missions_taken: MissionsTaken::HighestUnlessGame,
        ..DARKPLACES.directories
    },
    archives: Archives {
        // fs.c, FS_AddGameDirectory
        sets: list![
            others_once(PAK, Case::Ignored, Order::IgnoreCase),
            others_once(texts!["pk3", "pk3dir", "dpk", "dpkdir", "obb"], Case::Ignored, Order::IgnoreCase),
        ],
        ..DARKPLACES.archives
    },
    // fs.c, FS_SetGameDirs: a nasty name of a game is rejected with a warning
    stops: stops![FolderAsFile, Pipe],
    // model_brush.c, Mod_Q1BSP_LoadTextures; gl_rmain.c, R_SkinFrame_LoadExternal_SkinFrame
    substitutes: Known(list![
        Substitute {
            names: texts![
                "textures/{level}/{name}.{tga,png,jpg}",
                "textures/{name}.{tga,png,jpg}",
                "textures/{level}/{name}.{pcx,wal}",
                "textures/{name}.{pcx,wal}"
            ],
            beside: BESIDE_2024,
            ..TEXTURE
        },
        SKIES,
        CD_TRACKS,
        MODEL,
        Substitute { beside: BESIDE_2024, ..SKINS },
        IN_TEXTURES,
        IN_GFX,
        IMAGES,
        SOUNDS
    ]),
    ..DARKPLACES
};

const BESIDE_2024: List<List<Text>> = list![
    texts!["_norm", "_bump"],
    texts!["_glow", ".blend", "_blend", "_luma"],
    texts!["_gloss"],
    texts!["_pants"],
    texts!["_shirt"],
    texts!["_reflect"]
];

pub(super) const XONOTIC: Rules = Rules {
    // com_game.c, gamemode_info: gamedirname1 and gameuserdirname; no other mode is of the same group
    directories: Directories {
        base: texts!["data"],
        missions: list![],
        missions_taken: MissionsTaken::Every,
        ..DARKPLACES.directories
    },
    registered: None,
    user: Some(UserDirectory { linux: texts![".xonotic"], ..ALWAYS }),
    // the engine starts without files; those of Quake are not in this game
    needed: Known(Needed::NOTHING),
    family: None,
    ..DARKPLACES
};

pub(super) const NEXUIZ: Rules = Rules {
    // com_game.c, gamemode_info, as for Xonotic
    user: Some(UserDirectory { linux: texts![".nexuiz"], ..ALWAYS }),
    ..XONOTIC
};

/// Debian's nexuiz-data 2.5.2 has data.pk3; the release of 2009 has data20091001.pk3.
pub(super) const TITLES_OF_NEXUIZ: List<Title> = list![Title {
    word: Borrowed("nexuiz"),
    name: Borrowed("Nexuiz"),
    known_by: texts!["data/data*.pk3"],
    ..TITLE
}];

/// Releases have xonotic-20230620-data.pk3.
pub(super) const TITLES_OF_XONOTIC: List<Title> = list![Title {
    word: Borrowed("xonotic"),
    name: Borrowed("Xonotic"),
    known_by: texts!["data/xonotic-*data.pk3"],
    ..TITLE
}];
