//! Engines of the `QuakeWorld` community.

use super::prelude::*;
use super::programs;
use super::quake::{self, ID_TECH};
use super::quakespasm;

pub(super) const FTE: Rules = Rules {
    directories: Directories {
        // engine/client/m_download.c, PM_FileInstalled_Internal
        engine_folders: texts!["dlcache", "downloads"],
        // engine/common/fs.c, FS_Manifest_SetDefaultSettings: id1, qw, the mission, fte; four -game; a
        // directory that is already on the search path keeps its position
        base: texts!["id1", "qw", "{}", "fte"],
        missions: list![mission("quoth"), mission("rogue"), mission("hipnotic")],
        missions_taken: MissionsTaken::Highest,
        games: Games::Every,
        most_games: Some(4),
        named_again: DuplicateMention::Stays,
        game_case: Case::Ignored,
        // engine/common/fs.c, FS_GamedirIsOkay
        odd_games: ignored![
            holds("/"),
            holds("\\"),
            holds(":"),
            holds("$"),
            holds("\""),
            holds(".."),
            starts("."),
            starts("downloads"),
            starts("docs"),
            starts("help"),
            starts("bin"),
            starts("lib"),
            is("")
        ],
        ..ID_TECH.directories
    },
    archives: Archives {
        // engine/common/fs.c, FS_AddDataFiles: numbered runs of each format, then the wildcards, then
        // folders; an archive that is loaded already is skipped, without case; FS_AddDataFiles in an archive
        sets: list![
            numbered(PAK, None, TO_A_GAP),
            numbered(PK3, None, TO_A_GAP),
            others_once(PAK, Case::Ignored, Order::IgnoreCase),
            others_once(PK3, Case::Ignored, Order::IgnoreCase),
            others_once(PK3DIR, Case::Ignored, Order::IgnoreCase),
        ],
        // engine/common/fs.c, gamemode_info: the archive of the remaster, whose manifest has no qw
        own: list![OwnArchive {
            file: Borrowed("QuakeEX.kpf"),
            place: OwnPlace::Lowest,
            instead_of: Some(Borrowed("qw")),
            only: texts![],
        }],
        skips_hidden: true,
        nested_paks: NestedPaks::Below,
        // engine/common/fs_pak.c, FSPAK_FLocate, and engine/common/fs_zip.c, FSZIP_FLocate: names without
        // case
        case: Case::Ignored,
        ..ID_TECH.archives
    },
    // engine/common/common.c, COM_CleanUpPath; engine/common/fs_pak.c, FSPAK_LoadArchive, which calls it for
    // each name
    paks: Paks { parts: NameParts::WithoutParents, unterminated: Unterminated::Whole, ..ID_TECH.paks },
    // engine/common/fs_zip.c, FSZIP_EnumerateCentralDirectory: names are converted to UTF-8, into MAX_QPATH
    // bytes
    zips: Zips {
        refused: list![ZipForm::CountTooLarge],
        dropped: list![ZipEntryForm::Utf8Flag, ZipEntryForm::NotAscii],
        longest_name: Some(LongestZipName { most: 127, then: LongZipName::Cut }),
        parts: NameParts::Slashes,
        ..ID_TECH.zips
    },
    // engine/common/fs.c, FS_AddGameDirectory
    loose: Loose { position: LoosePosition::Above, ..ID_TECH.loose },
    // engine/common/fs.c, FS_GetCleanPath
    requests: Requests {
        backslash: Backslash::Slash,
        empty_component: PathRule::Dropped,
        hidden_component: PathRule::Refused,
        refused: texts![":"],
        ..ALL_REFUSED
    },
    // MAX_QPATH is 128
    limits: Limits { name: 127, ..NO_LIMIT },
    // engine/common/fs_pak.c, FSPAK_LoadArchive: unlimited files, and a wrong archive is skipped
    stops: stops![],
    // engine/common/fs.c, FS_GetBestHomeDir: the name of the game's manifest below $XDG_DATA_HOME, or with a
    // dot below $HOME; older sources have .fte. The engine also uses it if it cannot write to the base
    // directory
    user: Some(UserDirectory {
        linux: texts![".local/share/quake", ".quake", ".fte"],
        windows: texts!["AppData/Local/FTE Quake", "Saved Games/FTE Quake", "Documents/My Games/FTE Quake"],
        looked_at: UserLookedAt::WhereThere,
        ..IN_SOME_BUILDS
    }),
    // engine/client/renderer.c, R_ApplyRenderer; engine/client/wad.c, W_LoadWadFile;
    // engine/gl/gl_font.c, Font_LoadFallbackConchars: all have something of their own instead
    needed: Known(Needed::NOTHING),
    // engine/gl/gl_model.c, Mod_LoadEntitiesBlob; a server loads no lights
    companions: Known(list![Companion { names: texts!["{level}.ent"], ..ENT }]),
    // engine/common/fs.c, FS_ReadDefaultManifest: the name of the program (the server), then the default;
    // FS_Manifest_ParseTokens
    text: Some(GameText::Manifest { files: texts!["fteqw-sv.fmf", "default.fmf"] }),
    // of the client; a server loads none of these. engine/client/image.c, r_defaultimageextensions, tex_path,
    // Image_LocateHighResTexture and Image_LoadCubemapTextureData; engine/gl/gl_warp.c, R_SetSky;
    // engine/gl/gl_shader.c, R_BuildLegacyTexnums; engine/client/m_mp3.c, Media_CleanupTrackName;
    // engine/gl/gl_model.c, Mod_LoadModelWorker with r_replacemodels; documented, not run. A sky in one file
    // wins over one in six files and is not in the row
    substitutes: Known(list![
        Substitute {
            names: texts![
                "dds/{name}.dds",
                "textures/{level}/{name}.{dds,ktx,tga,png,jpg,pcx}",
                "{level}/{name}.{dds,ktx,tga,png,jpg,pcx}",
                "textures/{name}.{dds,ktx,tga,png,jpg,pcx}",
                "override/{name}.{dds,ktx,tga,png,jpg,pcx}",
                "{name}.lmp"
            ],
            decides: SubstituteBy::Layer,
            beside: list![texts!["_luma", "_glow"]],
            ..TEXTURE
        },
        Substitute {
            names: texts![
                "{name}{part}.{dds,ktx,tga,png,jpg,pcx}",
                "env/{name}{part}.{dds,ktx,tga,png,jpg,pcx}",
                "gfx/env/{name}{part}.{dds,ktx,tga,png,jpg,pcx}"
            ],
            parts: list![
                texts!["_rt", "_lf", "_bk", "_ft", "_up", "_dn"],
                texts!["rt", "lf", "bk", "ft", "up", "dn"],
                texts!["_px", "_nx", "_py", "_ny", "_pz", "_nz"],
                texts!["px", "nx", "py", "ny", "pz", "nz"],
                texts!["_posx", "_negx", "_posy", "_negy", "_posz", "_negz"],
                texts!["posx", "negx", "posy", "negy", "posz", "negz"],
            ],
            ..SKY
        },
        Substitute {
            // the name itself is the first of its extensions; on Windows .mp3 comes before .wav
            names: texts![
                "music/track{nnn}{,.opus,.ogg,.wav,.mp3,.flac}",
                "music/track{nn}{,.opus,.ogg,.wav,.mp3,.flac}",
                "sound/cdtracks/track{nnn}{,.opus,.ogg,.wav,.mp3,.flac}",
                "sound/cdtracks/track{nn}{,.opus,.ogg,.wav,.mp3,.flac}",
                "music/{name}{,.opus,.ogg,.wav,.mp3,.flac}",
                "sound/cdtracks/{name}{,.opus,.ogg,.wav,.mp3,.flac}",
                "{name}{,.opus,.ogg,.wav,.mp3,.flac}"
            ],
            decides: SubstituteBy::Layer,
            ..MUSIC
        },
        Substitute {
            named: texts!["mdl", "md2", "md3", "bsp"],
            names: texts!["{stem}.{md3,md2}", "{name}"],
            rank: Rank::NotBelowLayer,
            ..MODEL
        },
    ]),
    // engine/server/sv_ccmds.c, SV_Gamedir_f; the flags of the command line stay in effect
    console: Known(Some(GameCommand { keeps_missions: true, ..GAMEDIR })),
    program: Program::QuakeC(programs::EXTENDED),
    // engine/client/wad.c, Mod_ParseInfoFromEntityLump
    keys: Known(quakespasm::KEYS),
    family: quake::FAMILY,
    // engine/gl/gl_model.c, Mod_LoadBrushModel; engine/common/com_mesh.c, Mod_LoadQ1Model
    loads: Known(Loads {
        versions: list![
            loaded("level", texts!["29", "30", "2PSB", "BSP2", "Q64", "38", "46", "47", "RBSP", "FBSP"]),
            loaded("model", texts!["6"]),
            loaded("sprite", texts!["1", "2", "32"])
        ],
        most: list![],
    }),
    ..ID_TECH
};

pub(super) const MVDSV: Rules = Rules {
    directories: Directories {
        // src/fs.c, FS_InitEx; FS_AddGameDirectory returns if a directory is already loaded
        base: texts!["id1", "qw"],
        named_again: DuplicateMention::Stays,
        // src/fs.c, FS_SetGamedir
        odd_games: SINGLE_FILE_NAME,
        ..ID_TECH.directories
    },
    archives: Archives {
        // src/fs.c, FS_AddDataFiles: the numbered run, then the others in the disk's order, and the same in
        // each archive. FS_AddWildDataFiles skips an archive that is loaded already, without case
        sets: list![numbered(PAK, None, TO_A_GAP), others_once(PAK, Case::Exact, Order::Listed)],
        skips_hidden: true,
        nested_paks: NestedPaks::Above,
        // src/fs.c, FS_FLocateFile: the hash of all names ignores case; opening a file on disk does not
        case: Case::Ignored,
        ..ID_TECH.archives
    },
    loose: Loose {
        case: LooseCase::ExactHidesOthers,
        // src/vfs_os.c, FSOS_BuildHash: ignores names that begin with a dot; everything else except a folder
        // is a file
        skips_hidden: true,
        hides: Obstacles { special: true, dangling_link: true, ..ONLY_UNREADABLE },
        ..ID_TECH.loose
    },
    // src/fs.c, FS_GetCleanPath
    requests: Requests {
        backslash: Backslash::Slash,
        dot_component: PathRule::ArchivesOnly,
        empty_component: PathRule::ArchivesOnly,
        refused: texts![":"],
        ..ALL_REFUSED
    },
    // src/vfs_pak.c, FSPAK_LoadPackFile: an unreadable archive is skipped; the number of files is unlimited;
    // src/fs.c, MAX_OSPATH
    limits: Limits { path: Some(127), ..NO_LIMIT },
    // src/vfs_os.c, FSOS_BuildHash, which follows links
    stops: stops![Pipe, LinkLoop],
    // src/sv_ccmds.c, SV_Gamedir_f
    console: Known(Some(GameCommand { most_games: Some(1), ..GAMEDIR })),
    // a server shows and plays nothing
    substitutes: Known(NO_REPLACEMENTS),
    // src/pr_edict.c, PR1_LoadProgs
    needed: Known(Needed::NOTHING),
    // src/sv_init.c, SV_SpawnServer
    companions: Known(list![Companion {
        names: texts!["maps/{name}.ent"],
        setting: Some(Borrowed("sv_loadentfiles 1")),
        ..ENT
    }]),
    // src/pr_edict.c, PR1_LoadProgs
    program: Program::QuakeC(programs::QUAKEWORLD_SERVER),
    keys: Known(list![programs::EXIT]),
    wads: Known(texts![]),
    family: quake::FAMILY,
    // src/cmodel.c, CM_LoadMap
    loads: Known(Loads {
        versions: list![loaded("level", texts!["29", "30", "2PSB", "BSP2"])],
        most: list![],
    }),
    ..ID_TECH
};

pub(super) const EZQUAKE: Rules = Rules {
    directories: Directories {
        // src/fs.c, FS_InitFilesystemEx: id1, ezquake, qw, the user's directory itself, then the first -game
        // or +gamedir; FS_AddUserDirectory. FS_SetGamedir refuses a path
        base: texts!["id1", "ezquake", "qw", "~"],
        // src/fs.c, FS_AddGameDirectory sets com_gamedir
        created: texts!["qw"],
        stand_ins: list![stand_in("id1", "ID1")],
        ..MVDSV.directories
    },
    archives: Archives {
        // src/fs.c, FS_AddDataFiles: for each kind the numbered run and the others
        sets: list![
            numbered_in_any_case(PAK),
            others_once(PAK, Case::Exact, Order::Listed),
            numbered_in_any_case(PK3),
            others_once(PK3, Case::Exact, Order::Listed),
            numbered_in_any_case(texts!["pk4"]),
            others_once(texts!["pk4"], Case::Exact, Order::Listed),
        ],
        ..MVDSV.archives
    },
    requests: Requests {
        // src/fs.c, FS_OpenVFS: if nothing is found, a file in com_gamedir is opened
        leading_slash: PathRule::GameFolder,
        dot_component: PathRule::GameFolder,
        empty_component: PathRule::GameFolder,
        ..MVDSV.requests
    },
    limits: NO_LIMIT,
    stops: stops![Pipe],
    // src/sys_posix.c, Sys_HomeDirectory; -nohome turns it off
    user: Some(UserDirectory { linux: texts![".ezquake"], ..ALWAYS }),
    // src/r_brushmodel_load.c, Mod_LoadLighting; from the source, not run
    companions: Known(list![Companion {
        names: texts!["maps/lits/{name}.lit", "maps/{name}.lit", "lits/{name}.lit"],
        ..LIT
    }]),
    // src/cl_main.c, ReloadPaletteAndColormap; src/wad.c, W_LoadWadFile; src/r_draw.c, Draw_InitConback,
    // Draw_Precache and Draw_CachePicSafe, which takes a picture of another format too
    needed: Known(to_start![
        "gfx/palette.lmp",
        "gfx/colormap.lmp",
        "gfx.wad",
        "gfx/conback.lmp",
        "gfx/pause.{lmp,tga,png,jpg,pcx}",
        "gfx/loading.{lmp,tga,png,jpg,pcx}",
        "gfx/box_tl.{lmp,tga,png,jpg,pcx}",
        "gfx/box_ml.{lmp,tga,png,jpg,pcx}",
        "gfx/box_bl.{lmp,tga,png,jpg,pcx}",
        "gfx/box_tm.{lmp,tga,png,jpg,pcx}",
        "gfx/box_mm.{lmp,tga,png,jpg,pcx}",
        "gfx/box_mm2.{lmp,tga,png,jpg,pcx}",
        "gfx/box_bm.{lmp,tga,png,jpg,pcx}",
        "gfx/box_tr.{lmp,tga,png,jpg,pcx}",
        "gfx/box_mr.{lmp,tga,png,jpg,pcx}",
        "gfx/box_br.{lmp,tga,png,jpg,pcx}",
        "gfx/ttl_main.{lmp,tga,png,jpg,pcx}",
        "gfx/mainmenu.{lmp,tga,png,jpg,pcx}",
        "gfx/menudot1.{lmp,tga,png,jpg,pcx}",
        "gfx/menudot2.{lmp,tga,png,jpg,pcx}",
        "gfx/menudot3.{lmp,tga,png,jpg,pcx}",
        "gfx/menudot4.{lmp,tga,png,jpg,pcx}",
        "gfx/menudot5.{lmp,tga,png,jpg,pcx}",
        "gfx/menudot6.{lmp,tga,png,jpg,pcx}",
        "gfx/ttl_sgl.{lmp,tga,png,jpg,pcx}",
        "gfx/qplaque.{lmp,tga,png,jpg,pcx}",
        "gfx/sp_menu.{lmp,tga,png,jpg,pcx}",
        "gfx/p_load.{lmp,tga,png,jpg,pcx}",
        "gfx/p_save.{lmp,tga,png,jpg,pcx}",
        "gfx/p_multi.{lmp,tga,png,jpg,pcx}",
        "gfx/ranking.{lmp,tga,png,jpg,pcx}",
        "gfx/complete.{lmp,tga,png,jpg,pcx}",
        "gfx/inter.{lmp,tga,png,jpg,pcx}",
        "gfx/finale.{lmp,tga,png,jpg,pcx}",
    ]),
    // src/r_brushmodel_load.c, Mod_ParseWadsFromEntityLump; src/wad.c, WAD3_LoadWadFile
    keys: Known(list![programs::EXIT, programs::key("worldspawn", texts!["sky", "skyname"], KeyNames::Sky),]),
    wads: Known(texts!["textures/wad3/"]),
    // src/r_brushmodel_textures.c, Mod_LoadExternalTexture; src/r_brushmodel_sky.c, R_LoadSkyTexturePixels;
    // src/r_texture_load.c, R_LoadImagePixels; from the source, not run
    substitutes: Known(list![
        // CMakeLists.txt builds no CD code that plays
        MUSIC,
        Substitute {
            names: texts!["textures/{level}/{name}.{tga,png,jpg,pcx}", "textures/{name}.{tga,png,jpg,pcx}"],
            beside: list![texts!["_luma"]],
            none_beside: texts!["*"],
            ..TEXTURE
        },
        Substitute {
            names: texts![
                "env/{name}{part}.{tga,png,jpg,pcx}",
                "gfx/env/{name}{part}.{tga,png,jpg,pcx}",
                "env/{name}_{part}.{tga,png,jpg,pcx}",
                "gfx/env/{name}_{part}.{tga,png,jpg,pcx}"
            ],
            ..SKY
        },
    ]),
    // src/fs.c, FS_AddUserPaks; from the source, not run
    text: Some(GameText::ArchiveList { file: Borrowed("pak.lst"), skipped: Borrowed("soft") }),
    console: Unknown,
    // src/r_brushmodel_load.c, Mod_LoadBrushModel; src/r_aliasmodel.c, Mod_LoadAliasModel; src/r_sprites.c,
    // Mod_LoadSpriteModel
    loads: Known(Loads {
        versions: list![
            loaded("level", texts!["29", "30", "2PSB", "BSP2"]),
            loaded("model", texts!["6"]),
            loaded("sprite", texts!["1"])
        ],
        most: list![
            most("model", "vertices", 2048),
            most("model", "skins", 32),
            most("model", "skin height", 480),
            most("sprite", "frames", 512)
        ],
    }),
    ..MVDSV
};

const fn numbered_in_any_case(extensions: List<Text>) -> ArchiveSet {
    ArchiveSet::Numbered {
        stem: Borrowed(STEM),
        extensions,
        count: None,
        gaps: TO_A_GAP,
        case: NumberedCase::Capitals,
    }
}
