//! Quake II, and the games on its engine.

use pak_format::Layout;

use super::prelude::*;
use super::programs::{KEY, key, sound};
use super::quake::ID_TECH;

pub(super) const QUAKE2: Rules = Rules {
    directories: Directories {
        // qcommon/files.c, FS_InitFilesystem and FS_SetGamedir
        base: texts!["baseq2"],
        games: Games::Last,
        game_option: texts!["+set", "game"],
        odd_games: SINGLE_FILE_NAME,
        ..ID_TECH.directories
    },
    // qcommon/files.c, FS_AddGameDirectory; FS_FOpenFile: Q_strcasecmp
    archives: Archives { sets: TEN, case: Case::Ignored, ..ID_TECH.archives },
    // qcommon/qfiles.h, MAX_FILES_IN_PACK; q_shared.h, MAX_OSPATH, to which FS_FOpenFile cuts a path
    limits: Limits { entries: Some(most_entries(4096, false)), path: Some(127), ..ID_TECH.limits },
    // qcommon/files.c, FS_Read: fails if it reads no bytes
    stops: stops![WrongArchive, TooManyEntries, CutEntry, FolderAsFile],
    // ref_gl/gl_warp.c, R_SetSky; ref_soft/r_main.c, R_SetSky, which asks for the .pcx
    // and no music but that of a CD
    substitutes: Known(list![SKY_OF_ENV, MUSIC]),
    // qcommon/cmodel.c, CMod_LoadEntityString: only from the level
    companions: Known(list![]),
    program: Program::Native,
    // game/g_target.c, SP_target_changelevel and SP_target_speaker; client/cl_view.c, CL_PrepRefresh
    keys: Known(list![
        key("target_changelevel", texts!["map"], KeyNames::Level),
        key("target_speaker", texts!["noise"], sound("sound/")),
        key("worldspawn", texts!["sky"], KeyNames::Sky),
        // a track of a CD, or its number for later engines
        key("worldspawn", texts!["sounds"], KeyNames::Track),
    ]),
    wads: Known(texts![]),
    requires_skins: true,
    player_model: Some(PLAYER),
    family: FAMILY,
    // ref_gl/gl_image.c, Draw_GetPalette; ref_gl/gl_draw.c, Draw_InitLocal, which crashes. A server needs
    // neither
    needed: Known(to_start!["pics/colormap.pcx", "pics/conchars.pcx"]),
    ..ID_TECH
};

/// A player, with the weapon in his hands.
///
/// Source: Quake II, `client/cl_parse.c`, `CL_LoadClientinfo`; `client/cl_view.c`, `CL_PrepRefresh`;
/// `client/snd_dma.c`, `S_RegisterSexedSound`; `game/g_spawn.c`, `SP_worldspawn`.
const PLAYER: PlayerModel = PlayerModel {
    models: texts!["players/{}/tris.md2"],
    files: texts!["players/{}/weapon.md2"],
    skin: Borrowed("players/{}/{skin}.pcx"),
    icon: Borrowed("players/{}/{skin}_i.pcx"),
    default_skin: Borrowed("grunt"),
    optional: texts![
        "players/{}/{w_blaster,w_shotgun,w_sshotgun,w_machinegun,w_chaingun,a_grenades}.md2",
        "players/{}/{w_glauncher,w_rlauncher,w_hyperblaster,w_railgun,w_bfg}.md2",
        "players/{}/{death1,death2,death3,death4,fall1,fall2,gurp1,gurp2,jump1}.wav",
        "players/{}/{pain25_1,pain25_2,pain50_1,pain50_2,pain75_1,pain75_2,pain100_1,pain100_2}.wav"
    ],
};

/// The games for Quake II.
const FAMILY: Option<Family> = Some(Family {
    name: Borrowed("Quake II"),
    engine: Borrowed("yquake2"),
    demos: Borrowed("demos"),
    // server/sv_ccmds.c, SV_DemoMap_f
    plays: Borrowed("demomap"),
    heads: texts!["IBSP\x26\0\0\0", "QBSP\x26\0\0\0", "IDP2"],
    extensions: texts!["md2", "wal", "dm2", "pcx", "sp2"],
    files: texts![
        "gamex86.dll",
        "gamex86_64.dll",
        "gamei386.so",
        "gamex86_64.so",
        "gameaxp.dll",
        "gamei386.dll"
    ],
    archives: None,
    base_files: texts!["pics/colormap.pcx", "default.cfg"],
    mods: list![],
});

/// Quake II as sold, and its additions.
pub(super) const AS_SOLD: Title = Title {
    word: Borrowed("quake2"),
    name: Borrowed("Quake II"),
    expansions: list![
        expansion("xatrix", "The Reckoning"),
        expansion("rogue", "Ground Zero"),
        expansion("ctf", "Capture the Flag"),
        expansion("zaero", "Zaero"),
    ],
    known_by: texts!["baseq2/pak0.pak"],
    ..TITLE
};

/// The kinds of files that players take from a list.
const LISTED: List<Text> =
    texts!["pcx", "wal", "wav", "md2", "sp2", "tga", "png", "jpg", "bsp", "ent", "txt", "dm2", "loc"];

/// The list of a level's files that players download from the web server that the server names.
///
/// Source: Q2PRO, `src/client/http.c`, `HTTP_QueueDownload` and `check_and_queue_download`, and
/// `src/client/download.c`, `CL_CheckDownloadExtension`; `MAX_QPATH`, with the NUL.
const FILE_LIST: Companion = Companion {
    names: texts!["{level}.filelist"],
    kind: CompanionKind::List {
        line: Borrowed("{name}"),
        crlf: false,
        extensions: LISTED,
        archives: texts!["pak", "pkz"],
        longest: 63,
    },
    ..COMPANION
};

/// The same list. A CR would count to the name.
///
/// Source: Yamagi Quake II, `src/client/curl/download.c`, `CL_QueueHTTPDownload` and
/// `CL_CheckAndQueueDownload`.
const FILE_LIST_OF_YQUAKE2: Companion = Companion {
    kind: CompanionKind::List {
        line: Borrowed("{name}"),
        crlf: false,
        extensions: LISTED,
        archives: texts!["pak", "pk2", "pk3", "zip"],
        longest: 63,
    },
    ..FILE_LIST
};

const SKY_OF_ENV: Substitute = Substitute { names: texts!["env/{name}{part}.{tga,pcx}"], ..SKY };

const fn probe(track: u32, renumbered: bool) -> TrackProbe {
    TrackProbe { track, renumbered }
}

/// The tracks of the missions among those of all, as GOG installs them.
///
/// Source: yquake2, `src/client/sound/ogg.c`, `getMappedGOGtrack`.
const MISSIONS_OF_GOG: List<Renumbered> = list![
    Renumbered { game: Borrowed("xatrix"), tracks: list![9, 13, 14, 7, 16, 2, 15, 3, 4, 18] },
    Renumbered { game: Borrowed("rogue"), tracks: list![12, 13, 14, 15, 16, 17, 18, 19, 20, 21] }
];

pub(super) const YQUAKE2: Rules = Rules {
    directories: Directories {
        // src/client/sound/ogg.c, OGG_InitTrackList: of a mod, of the base directory, of baseq2
        engine_folders: texts!["music"],
        // src/common/filesystem.c, FS_InitFilesystem and FS_BuildRawPath
        program_folder: Some(ProgramFolder::Base),
        // src/common/filesystem.c, FS_BuildGameSpecificSearchPath; src/common/cmdparser.c, Cbuf_Execute,
        // which cuts a command at a semicolon
        odd_games: list![
            OddGame::CutAt(Borrowed(";")),
            OddGame::Ignored(is("")),
            OddGame::Ignored(holds("..")),
            OddGame::Ignored(holds("/")),
            OddGame::Ignored(holds("\\")),
            OddGame::Ignored(holds(":")),
        ],
        ..QUAKE2.directories
    },
    archives: Archives {
        // src/common/filesystem.c, FS_AddDirToSearchPath: the numbered archives of each type, then the others
        // in the disk's order, except names that differ from a numbered one only in case
        sets: list![
            numbered(texts!["pak"], Some(100), Gaps::Skip),
            numbered(texts!["pk2"], Some(100), Gaps::Skip),
            numbered(texts!["pk3"], Some(100), Gaps::Skip),
            numbered(texts!["pkz"], Some(100), Gaps::Skip),
            numbered(texts!["zip"], Some(100), Gaps::Skip),
            others_in_disk_order(texts!["pak"], LoadOrderCase::SkipNumbered),
            others_in_disk_order(texts!["pk2"], LoadOrderCase::SkipNumbered),
            others_in_disk_order(texts!["pk3"], LoadOrderCase::SkipNumbered),
            others_in_disk_order(texts!["pkz"], LoadOrderCase::SkipNumbered),
            others_in_disk_order(texts!["zip"], LoadOrderCase::SkipNumbered),
        ],
        // src/common/filesystem.c, FS_LoadPAK and FS_LoadPK3 sort the rows; FS_FOpenFile: a binary search
        duplicates: Duplicates::Searched,
        ..QUAKE2.archives
    },
    // src/common/unzip, unzlocal_SearchCentralDir
    zips: Zips {
        refused: list![ZipForm::LongComment],
        longest_name: Some(LongestZipName { most: 63, then: LongZipName::Dropped }),
        ..QUAKE2.zips
    },
    // src/common/filesystem.c, FS_FOpenFile: Q_stricmp in archives; on disk the name, then the name in lower
    // case; a file that cannot be opened is ignored
    loose: Loose {
        case: LooseCase::ExactThenLower,
        hides: Obstacles { unreadable: false, ..ONLY_UNREADABLE },
        ..QUAKE2.loose
    },
    // src/common/filesystem.c, FS_FOpenFile cleans the request
    requests: Requests { longest: 63, ..CLEANED },
    // src/common/header/files.h, MAX_FILES_IN_PACK; FS_LoadPAK prints a message
    limits: Limits { path: None, ..QUAKE2.limits },
    // src/common/filesystem.c, FS_LoadPAK, FS_LoadPK3, FS_FOpenFile and FS_Read
    stops: stops![WrongArchive, NegativeDirectory, EmptyArchive, CutEntry, BadZipEntry, LongZipName],
    // src/backends/unix/system.c and src/backends/windows/system.c, Sys_GetHomeDir;
    // src/common/header/common.h, CFGDIRNAME
    user: Some(UserDirectory {
        // Sys_GetHomeDir: the second unless the first is there
        linux: texts![".yq2", ".local/share/YamagiQ2"],
        macos: texts![".yq2"],
        windows: texts!["Documents/YamagiQ2"],
        ..ALWAYS
    }),
    // src/common/collision.c, CMod_LoadEntityString
    companions: Known(list![
        Companion { names: texts!["{level}@{crc}.ent", "{level}.ent"], ..ENT },
        FILE_LIST_OF_YQUAKE2,
    ]),
    // src/client/refresh/gl3/gl3_image.c, GL3_FindImage, and src/client/refresh/files/stb.c, LoadSTB, with
    // gl_retexturing, which is on; src/client/refresh/gl3/gl3_warp.c, GL3_SetSky; documented, not run
    substitutes: Known(list![
        Substitute { names: texts!["textures/{name}.{tga,png,jpg,wal}"], beside: list![], ..TEXTURE },
        SKY_OF_ENV,
        Substitute { names: texts!["{stem}.{tga,png,jpg,pcx}"], ..SKIN },
        // src/client/sound/ogg.c, OGG_InitTrackList and OGG_PlayTrack
        Substitute { names: texts!["{nn}.ogg", "Track{nn}.ogg", "track{nn}.ogg", "{name}"], ..MUSIC },
    ]),
    music_folders: Some(MusicFolders {
        folders: texts!["baseq2/music", "music", "{}/music"],
        game: Borrowed("baseq2"),
        case: LooseCase::Exact,
        probes: list![probe(2, false), probe(8, true), probe(8, true)],
        renumbered: MISSIONS_OF_GOG,
    }),
    // src/common/filesystem.c, FS_BuildGameSpecificSearchPath
    console: Known(Some(GameCommand { command: Borrowed("set game"), most_games: Some(1), ..GAMEDIR })),
    // src/client/refresh/files/pcx.c, GetPCXPalette; src/client/refresh/gl3/gl3_draw.c, GL3_Draw_InitLocal;
    // src/client/refresh/files/stb.c, R_FindPic
    needed: Known(to_start!["pics/colormap.pcx", "pics/conchars.{tga,png,jpg,pcx}"]),
    ..QUAKE2
};

const fn others_in_disk_order(extensions: List<Text>, alike: LoadOrderCase) -> ArchiveSet {
    ArchiveSet::Others { extensions, extension_case: Case::Exact, alike, order: Order::Listed }
}

pub(super) const KMQUAKE2: Rules = Rules {
    directories: Directories {
        // qcommon/filesystem.c, FS_SetGamedir, which looks at them only with a game
        settings: list![above_base("basegame"), above_base("basegame2"), above_base("basegame3")],
        ..QUAKE2.directories
    },
    archives: Archives {
        // qcommon/filesystem.c, FS_AddPaksInDirectory: the numbered archives, then the others in the disk's
        // order
        sets: list![
            numbered(texts!["pak"], Some(100), Gaps::Skip),
            numbered(texts!["pk3"], Some(100), Gaps::Skip),
            others_in_disk_order(texts!["pak"], LoadOrderCase::Loaded),
            others_in_disk_order(texts!["pk3"], LoadOrderCase::Loaded),
        ],
        // qcommon/filesystem.c, pakfile_ignore_names and FS_FileInPakBlacklist, which compares their lengths
        skipped_entries: texts![
            "*/save/*",
            "*/scrnshot/*",
            "*/screenshots/*",
            "*/autoexec.cfg*",
            "*/kmq2config.cfg*",
        ],
        // qcommon/filesystem.c, pakfile_tryExtFirst_names and FS_FileInPakBlacklist
        loose_instead: texts!["players/", "maps.lst"],
        ..QUAKE2.archives
    },
    zips: Zips {
        // unix/zip/unzip.c, unzlocal_SearchCentralDir, which knows no ZIP64; qcommon/filesystem.c,
        // FS_LoadPK3: the hash of a longer name is not its own
        refused: list![ZipForm::Zip64, ZipForm::LongComment],
        longest_name: Some(LongestZipName { most: 63, then: LongZipName::Dropped }),
        ..QUAKE2.zips
    },
    loose: Loose {
        // qcommon/filesystem.c, FS_FOpenFileRead: the length of a folder, -1, ends the search
        hides: Obstacles { folder: true, unreadable: false, ..ONLY_UNREADABLE },
        ..QUAKE2.loose
    },
    // qcommon/filesystem.h, fsHandle_t
    requests: Requests { longest: 63, ..QUAKE2.requests },
    // qcommon/qfiles.h, MAX_FILES_IN_PACK; game/q_shared.h, MAX_OSPATH
    limits: Limits { path: Some(255), ..QUAKE2.limits },
    // qcommon/filesystem.c, FS_LoadPAK, FS_LoadPK3 and FS_FOpenFileRead; an entry that is cut off is filled
    // with zeros
    stops: stops![WrongArchive, TooManyEntries, EmptyArchive, BadZipEntry],
    // qcommon/filesystem.c, FS_AddSaveGameDirectory: except in its portable mode, the engine also finds loose
    // files of ~/.local/share/quake2/GAME, and copies the game's *.cfg there at its first start. It opens no
    // archive there
    user: None,
    // qcommon/cmodel.c, CMod_LoadEntityString, with sv_entfile, which is on
    companions: Known(list![Companion {
        names: texts!["{level}.ent"],
        setting: Some(Borrowed("sv_entfile 1")),
        ..ENT
    }]),
    // renderer/r_image.c, R_FindImage; renderer/r_sky.c, R_SetSky; client/cl_parse.c, CL_PlayBackgroundTrack
    substitutes: Known(list![
        Substitute {
            names: texts!["textures/{name}.{tga,png,jpg,wal}"],
            beside: list![texts!["_glow"]],
            ..TEXTURE
        },
        Substitute { names: texts!["env/{name}{part}.{tga,png,jpg}"], ..SKY },
        Substitute { names: texts!["{stem}.{tga,png,jpg,pcx}"], ..SKIN },
        Substitute { names: texts!["track{nn}.ogg", "{name}.ogg"], ..MUSIC },
    ]),
    // client/cl_parse.c, CL_MissionPackCDTrack; the engine also plays music in archives
    music_folders: Some(MusicFolders {
        folders: texts!["baseq2/music", "{}/music"],
        game: Borrowed("baseq2"),
        case: LooseCase::Exact,
        probes: list![],
        renumbered: MISSIONS_OF_GOG,
    }),
    // server/sv_ccmds.c, SV_ChangeGame_f
    console: Known(Some(GameCommand { command: Borrowed("changegame"), most_games: Some(1), ..GAMEDIR })),
    // renderer/r_image.c, Draw_GetPalette; renderer/r_draw.c, R_RefreshFont
    needed: Known(to_start!["pics/colormap.pcx", "{fonts/default,pics/conchars}.{tga,png,jpg,pcx}"]),
    ..QUAKE2
};

pub(super) const Q2PRO: Rules = Rules {
    directories: Directories {
        // src/common/files.c, fs_game_changed: COM_IsPath and MAX_QPATH
        odd_games: ignored![is(""), GameName::OtherThan(Borrowed("_-")), GameName::Longer(63)],
        ..QUAKE2.directories
    },
    archives: Archives {
        // src/common/files.c, add_game_dir, sorted by pakcmp
        sets: list![others(texts!["pak", "pkz"], Case::Ignored, Order::NumberThenName)],
        // src/common/files.c, add_game_kpf, which setup_base_paths calls for the base directory and for the
        // home directory
        own: list![own("Q2Game.kpf", OwnPlace::BelowEachFirst)],
        skips_hidden: true,
        // src/common/files.c, pack_calc_hashes: a later row is found before an earlier one, and FS_HashPath
        // ignores case
        duplicates: Duplicates::Last,
        ..QUAKE2.archives
    },
    // src/common/files.c, load_pak_file: a wrong archive is skipped; the number of files is unlimited;
    // load_pak_file and load_zip_file normalise each name
    paks: Paks {
        refuses_partial_row: true,
        refuses_cut_directory: true,
        furthest_entry: Some(i32::MAX.unsigned_abs()),
        parts: NameParts::Cleaned,
        unterminated: Unterminated::Whole,
        ..QUAKE2.paks
    },
    // src/common/files.c, load_zip_file
    zips: Zips {
        refused: list![ZipForm::CountTooLarge],
        dropped: list![ZipEntryForm::Empty],
        parts: NameParts::Cleaned,
        ..QUAKE2.zips
    },
    loose: Loose {
        // src/common/files.c, open_from_disk, which is called with the name, then with the name in lower case
        case: LooseCase::ExactThenLower,
        // src/common/files.c, open_from_disk: FS_ValidatePath, and any error but ENOENT ends the search
        only_ascii: true,
        hides: Obstacles { folder: true, special: true, unreachable: true, ..ONLY_UNREADABLE },
        ..QUAKE2.loose
    },
    // src/common/files.c, FS_NormalizePathBuffer
    requests: Requests { backslash: Backslash::Slash, trailing_slash: PathRule::Dropped, ..CLEANED },
    limits: NO_LIMIT,
    stops: stops![Pipe],
    // src/unix/system.c, Sys_Init: HOMEDIR, which meson.build sets for builds that are installed system-wide
    user: Some(UserDirectory { linux: texts![".q2pro"], macos: texts![".q2pro"], ..IN_SOME_BUILDS }),
    // src/common/cmodel.c, load_entstring_override
    companions: Known(list![
        Companion {
            names: texts!["{level}@{crc}.ent", "{level}.ent"],
            setting: Some(Borrowed("map_override_path maps")),
            ..ENT
        },
        FILE_LIST,
    ]),
    // src/refresh/sky.c, R_SetSky; src/client/sound/ogg.c, OGG_LoadTrackList and OGG_Play: the tracks of all
    // folders by one name, then by the other
    substitutes: Known(list![
        SKY_OF_ENV,
        Substitute {
            names: texts![
                "track{nn}.{flac,mp3,ogg,opus,wav}",
                "{nn}.{flac,mp3,ogg,opus,wav}",
                "{stem}.{flac,mp3,ogg,opus,wav}"
            ],
            ..MUSIC
        }
    ]),
    music_folders: Some(MusicFolders {
        folders: texts!["music", "baseq2/music", "{}/music"],
        game: Borrowed("baseq2"),
        case: LooseCase::Ignored,
        probes: list![],
        renumbered: MISSIONS_OF_GOG,
    }),
    // src/refresh/images.c, IMG_GetPalette; src/client/console.c, Con_RegisterMedia
    needed: Known(to_start!["pics/colormap.pcx", "pics/conchars.{pcx,png,jpg,tga}"]),
    ..QUAKE2
};

pub(super) const Q2RTX: Rules = Rules {
    archives: Archives { own: list![], ..Q2PRO.archives },
    // src/common/files.c, FS_NormalizePathBuffer: a slash at the end stays
    paks: Paks { parts: NameParts::CleanedButEnd, ..Q2PRO.paks },
    zips: Zips { parts: NameParts::CleanedButEnd, ..Q2PRO.zips },
    requests: Requests { trailing_slash: PathRule::ArchivesOnly, ..Q2PRO.requests },
    // src/common/files.c, add_game_dir: the directory is added after its archives
    loose: Loose { position: LoosePosition::Above, ..Q2PRO.loose },
    // src/client/sound/ogg.c, map_track and get_track_path: yquake2's of before
    substitutes: Known(list![
        SKY_OF_ENV,
        Substitute { names: texts!["{nn}.ogg", "Track{nn}.ogg", "track{nn}.ogg", "{name}.ogg"], ..MUSIC },
    ]),
    music_folders: YQUAKE2.music_folders,
    // src/common/files.c, fs_game_changed, if no file is found: "No game data files detected"; from the
    // source, not run
    // src/refresh/vkpt/textures.c, load_blue_noise, and src/refresh/vkpt/main.c, vkpt_initialize_all: the
    // first and the last of 128 files of blue_noise.pkz
    needed: Known(to_start![
        "default.cfg",
        "pics/colormap.pcx",
        "pics/conchars.{pcx,png}",
        "blue_noise/256_256/HDR_RGBA_0000.png",
        "blue_noise/256_256/HDR_RGBA_0127.png",
    ]),
    // src/common/files.c, load_pak_file: an archive is freed twice after these errors, and not after others
    stops: stops![Pipe, CutDirectory, FarEntry],
    // src/unix/system.c, Sys_Init: $XDG_DATA_HOME/quake2rtx, else this folder. The base directory is
    // /usr/share/quake2rtx if it exists
    user: Some(UserDirectory { linux: texts![".local/share/quake2rtx"], ..ALWAYS }),
    ..Q2PRO
};

pub(super) const HERETIC2R: Rules = Rules {
    directories: Directories {
        // src/quake2/src/cs_shared/files.c, FS_InitFilesystem, FS_SetGamedir and FS_IsValidDirName
        base: texts!["base"],
        games: Games::First,
        game_option: texts!["-game"],
        ..QUAKE2.directories
    },
    // src/quake2/src/cs_shared/files.c, FS_AddGameDirectory
    archives: Archives {
        sets: list![ArchiveSet::Numbered {
            stem: Borrowed("Htic2-"),
            extensions: PAK,
            count: Some(10),
            gaps: Gaps::Skip,
            case: NumberedCase::Lower,
        }],
        // src/quake2/src/cs_shared/files.c, FS_LoadPackFile and FS_FOpenFile: a binary search; which of equal
        // names comes first is the C library's choice, and was not run
        duplicates: Duplicates::Searched,
        ..QUAKE2.archives
    },
    // src/quake2/src/cs_shared/files.c, FS_AddGameDirectory; pakfirst, which is off, turns it around
    loose: Loose { position: LoosePosition::Above, ..QUAKE2.loose },
    // src/quake2/src/cs_shared/files.c, FS_LoadPackFile and FS_Read; Windows opens no folder
    stops: stops![WrongArchive, TooManyEntries, CutEntry],
    // src/quake2/src/cs_shared/files.c, FS_FOpenFile; it also drops spaces at the end
    requests: Requests { backslash: Backslash::Slash, ..QUAKE2.requests },
    // src/qcommon/qfiles.h, MAX_FILES_IN_PACK; src/game/src/q_Shared.h, MAX_OSPATH
    limits: Limits { entries: Some(most_entries(6144, false)), path: Some(259), ..QUAKE2.limits },
    // src/ref_gl1/src/gl1_Sky.c, RI_SetSky; src/ref_gl1/src/gl1_Model.c, Mod_LoadTexinfo;
    // src/snd_sdl3/src/snd_ogg.c, OGG_PlayTrack
    substitutes: Known(list![
        Substitute { names: texts!["textures/{name}.m8"], beside: list![], ..TEXTURE },
        Substitute { names: texts!["pics/skies/{name}{part}.m8"], ..SKY },
        Substitute { names: texts!["Track{nn}.ogg"], ..MUSIC },
    ]),
    music_folders: Some(MusicFolders {
        folders: texts!["{}/music"],
        game: Borrowed("base"),
        case: LooseCase::Exact,
        probes: list![],
        renumbered: list![],
    }),
    // src/game/src/g_SpawnFuncs.c, SP_worldspawn; src/game/src/GameObjects/g_Target.c,
    // SP_target_changelevel
    keys: Known(list![
        key("target_changelevel", texts!["map"], KeyNames::Level),
        EntityKey {
            class: Borrowed("worldspawn"),
            keys: texts!["sky"],
            names: KeyNames::Sky,
            default: Borrowed("desert"),
            ..KEY
        },
        key("worldspawn", texts!["sounds"], KeyNames::Track),
    ]),
    // src/ref_gl1/src/gl1_Draw.c, Draw_InitLocal; src/quake2/src/cs_shared/common.c, Qcommon_Init
    needed: Known(to_start!["textures/general/notex.m8"]),
    family: Some(Family {
        name: Borrowed("Heretic II"),
        engine: Borrowed("heretic2r"),
        demos: Borrowed("demos"),
        plays: Borrowed("demomap"),
        heads: texts!["IBSP\x26\0\0\0"],
        extensions: texts!["m8", "m32", "fm", "ds", "os", "hsm"],
        files: texts!["gamex86.dll"],
        archives: None,
        base_files: texts!["textures/general/notex.m8"],
        mods: list![],
    }),
    // its code names others
    player_model: None,
    ..QUAKE2
};

pub(super) const SIN: Rules = Rules {
    // no source is public: the folders and archives of the game as sold, and its modding documents. Skipped
    // gaps and loose files above archives are assumed, as in Quake II, on which SiN is based
    directories: Directories { base: texts!["base"], games: Games::Last, ..ID_TECH.directories },
    archives: Archives { sets: list![numbered(texts!["sin"], Some(32), Gaps::Skip)], ..QUAKE2.archives },
    // the format of base/pak0.sin: rows of 128 bytes, 120 of them for the name
    paks: Paks { layout: Some(Layout::Sin), ..ID_TECH.paks },
    loose: Loose { position: LoosePosition::Above, ..ID_TECH.loose },
    limits: Limits { entries: Some(most_entries(16384, false)), name: 119, ..NO_LIMIT },
    substitutes: Known(list![SKY_OF_ENV]),
    program: Program::Native,
    ..ID_TECH
};

pub(super) const DAIKATANA: Rules = Rules {
    // no source is public: the folders and archives of the game as sold; the rest as in Quake II, on which
    // Daikatana is based: qcommon/files.c, FS_InitFilesystem
    directories: Directories { base: texts!["data"], games: Games::Last, ..ID_TECH.directories },
    archives: QUAKE2.archives,
    // Ion Storm's dkpak.exe writes rows of 72 bytes
    paks: Paks { layout: Some(Layout::Daikatana), ..ID_TECH.paks },
    limits: Limits { path: None, ..QUAKE2.limits },
    substitutes: Known(list![SKY_OF_ENV]),
    program: Program::Native,
    ..ID_TECH
};

pub(super) const QUAKE2_KEX: Rules = Rules {
    archives: Archives {
        // Q2PRO, src/common/files.c, add_game_kpf, which reads the remaster's archive below baseq2
        own: list![own("Q2Game.kpf", OwnPlace::Lowest)],
        ..QUAKE2.archives
    },
    limits: NO_LIMIT,
    stops: stops![],
    // as for Quake
    user: Some(UserDirectory { windows: texts!["Saved Games/Nightdive Studios/Quake II"], ..ALWAYS }),
    substitutes: Unknown,
    companions: Unknown,
    // the engine's source is not public, and its game code names no such file
    needed: Unknown,
    ..QUAKE2
};

pub(super) const TITLES: List<Title> = list![AS_SOLD];

pub(super) const TITLES_OF_REMASTER: List<Title> = list![Title {
    word: Borrowed("quake2-remaster"),
    remaster: true,
    and_by: Some(Borrowed("Q2Game.kpf")),
    ..AS_SOLD
}];

pub(super) const TITLES_OF_HERETIC2: List<Title> = list![Title {
    word: Borrowed("heretic2"),
    name: Borrowed("Heretic II"),
    known_by: texts!["base/Htic2-0.pak"],
    ..TITLE
}];

pub(super) const TITLES_OF_SIN: List<Title> = list![Title {
    word: Borrowed("sin"),
    name: Borrowed("SiN"),
    expansions: list![expansion("2015", "Wages of Sin")],
    known_by: texts!["base/pak0.sin"],
    ..TITLE
}];

pub(super) const TITLES_OF_DAIKATANA: List<Title> = list![Title {
    word: Borrowed("daikatana"),
    name: Borrowed("Daikatana"),
    known_by: texts!["data/pak1.pak", "data/pak0.pak"],
    ..TITLE
}];
