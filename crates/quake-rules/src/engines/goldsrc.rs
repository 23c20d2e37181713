//! Half-Life.

use super::prelude::*;
use super::programs::{EXIT, KEY, key};
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
    // engine/client/cl_cmds.c, CL_PlayCDTrack_f; engine/client/soundlib/snd_main.c, FS_OpenStream
    substitutes: Known(list![
        Substitute { names: texts!["gfx/env/{name}{part}.{tga,bmp}"], ..SKY },
        Substitute {
            names: texts![
                "{file:mp3,wav,ogg,opus}",
                "{bare}.{mp3,wav,ogg,opus}",
                "media/{file:mp3,wav,ogg,opus}",
                "media/{bare}.{mp3,wav,ogg,opus}"
            ],
            numbered: CD_AUDIO,
            // engine/client/dll_int/cl_game.c, CL_InitCDAudio
            numbered_in: Borrowed("media/cdaudio.txt"),
            ..MUSIC
        }
    ]),
    // engine/server/sv_init.c, SV_ReadResourceList
    companions: Known(list![
        Companion {
            names: texts!["{level}.res"],
            kind: CompanionKind::List {
                line: Borrowed("\"{name}\""),
                crlf: true,
                extensions: texts![],
                archives: texts![],
                longest: 0
            },
            ..COMPANION
        },
        // the Half-Life SDK: cl_dll/vgui_TeamFortressViewport.cpp, CreateTextWindow
        Companion { names: texts!["{level}.txt"], ..COMPANION },
        // engine/common/mod_bmodel.c, Mod_ParseDetailTextures
        Companion { names: texts!["{level}_detail.txt"], kind: CompanionKind::Details, ..COMPANION },
        // the Half-Life SDK: cl_dll/hud_spectator.cpp, ParseOverviewFile and LoadMapSprites
        Companion { names: texts!["overviews/{name}.txt"], kind: CompanionKind::Overview, ..COMPANION },
        // the Half-Life SDK: dlls/nodes.cpp, CheckNODFile
        Companion { names: texts!["maps/graphs/{name}.nod"], ..COMPANION },
    ]),
    program: Program::Native,
    keys: Known(KEYS_OF_SDK),
    // ReHLDS, rehlds/engine/textures.cpp, TEX_InitFromWad
    wads: Known(texts![""]),
    // engine/common/model.c, Mod_LoadModel; engine/common/mod_studio.c, Mod_SwapStudioModel;
    // engine/common/mod_sprite.c, Mod_SwapSprite
    loads: Known(Loads {
        versions: list![
            loaded("level", texts!["29", "30", "BSP2"]),
            loaded("model", texts!["6", "10"]),
            loaded("sprite", texts!["1", "2", "32"])
        ],
        most: list![],
    }),
    // engine/common/mod_studio.c, R_StudioGetAnim and Mod_StudioTexName
    studio_groups: StudioGroups::Derived,
    family: Some(Family {
        name: Borrowed("Half-Life"),
        engine: Borrowed("goldsrc"),
        demos: Borrowed(""),
        // engine/client/cl_demo.c, CL_PlayDemo_f
        plays: Borrowed("playdemo"),
        heads: texts!["\u{1e}\0\0\0", "IDST", "IDSQ"],
        extensions: texts!["res"],
        files: texts!["liblist.gam", "gameinfo.txt"],
        archives: None,
        base_files: texts!["gfx.wad", "gfx/palette.lmp"],
        mods: list![],
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
            stem: Borrowed(STEM),
            extensions: PAK,
            count: None,
            gaps: TO_A_GAP,
            case: NumberedCase::Ignored
        }],
        // rehlds/filesystem/FileSystem_Stdio/src/BaseFileSystem.cpp, PreparePackFile and FindFile;
        // rehlds/public/utlrbtree.h, CUtlRBTree; rehlds/public/utlsymbol.h, CUtlSymbol
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
    // rehlds/engine/model.cpp, Mod_LoadModel and Mod_LoadSpriteModel; a model of another version is replaced
    loads: Known(Loads {
        versions: list![
            loaded("level", texts!["29", "30"]),
            loaded("model", texts!["6", "10"]),
            loaded("sprite", texts!["2"])
        ],
        most: list![],
    }),
    // rehlds/engine/r_studio.cpp, R_GetAnim
    studio_groups: StudioGroups::Recorded,
    ..GOLDSRC
};

const fn files(from: u32, to: u32, files: List<Text>) -> NumberedFiles {
    NumberedFiles { from, to, files }
}

const fn numbers(files: List<NumberedFiles>) -> KeyNames {
    KeyNames::Numbers { files, others: texts![] }
}

/// A sound below `sound/`, which a `*` in front makes a stream.
const SOUND: KeyNames = KeyNames::Sound { folder: Borrowed("sound/"), streams: true };

/// The sounds of buttons and locks. Of 0, which buttons play, the world has the file.
///
/// Source: the Half-Life SDK, `dlls/buttons.cpp`, `ButtonSound`.
const BUTTONS: KeyNames = KeyNames::Numbers {
    files: list![
        files(0, 0, texts![]),
        files(1, 11, texts!["sound/buttons/button{n}.wav"]),
        files(12, 12, texts!["sound/buttons/latchlocked1.wav"]),
        files(13, 13, texts!["sound/buttons/latchunlocked1.wav"]),
        files(14, 14, texts!["sound/buttons/lightswitch2.wav"]),
        files(21, 21, texts!["sound/buttons/lever1.wav"]),
        files(22, 22, texts!["sound/buttons/lever2.wav"]),
        files(23, 23, texts!["sound/buttons/lever3.wav"]),
        files(24, 24, texts!["sound/buttons/lever4.wav"]),
        files(25, 25, texts!["sound/buttons/lever5.wav"])
    ],
    others: texts!["sound/buttons/button9.wav"],
};

/// The pieces of something that breaks.
///
/// Source: the Half-Life SDK, `dlls/func_break.cpp`, `CBreakable::Precache`; `KeyValue` makes wood of a
/// number without a material.
const PIECES: KeyNames = KeyNames::Numbers {
    files: list![
        files(0, 0, texts!["models/glassgibs.mdl"]),
        files(1, 1, texts!["models/woodgibs.mdl"]),
        files(2, 2, texts!["models/metalplategibs.mdl"]),
        files(3, 3, texts!["models/fleshgibs.mdl"]),
        files(4, 4, texts!["models/cindergibs.mdl"]),
        files(5, 5, texts!["models/ceilinggibs.mdl"]),
        files(6, 6, texts!["models/computergibs.mdl"]),
        files(7, 7, texts!["models/glassgibs.mdl"]),
        files(8, 8, texts!["models/rockgibs.mdl"]),
        files(9, 9, texts![])
    ],
    others: texts!["models/woodgibs.mdl"],
};

/// The sounds of something that breaks.
///
/// Source: the Half-Life SDK, `dlls/func_break.cpp`, `CBreakable::Precache` and `MaterialSoundList`.
const BREAKS: KeyNames = KeyNames::Numbers {
    files: list![
        files(0, 0, texts!["sound/debris/bustglass{1,2}.wav", "sound/debris/glass{1,2,3}.wav"]),
        files(1, 1, texts!["sound/debris/bustcrate{1,2}.wav", "sound/debris/wood{1,2,3}.wav"]),
        files(2, 2, texts!["sound/debris/bustmetal{1,2}.wav", "sound/debris/metal{1,2,3}.wav"]),
        files(3, 3, texts!["sound/debris/bustflesh{1,2}.wav", "sound/debris/flesh{1,2,3,5,6,7}.wav"]),
        files(4, 4, texts!["sound/debris/bustconcrete{1,2}.wav", "sound/debris/concrete{1,2,3}.wav"]),
        files(5, 5, texts!["sound/debris/bustceiling.wav"]),
        files(
            6,
            6,
            texts![
                "sound/debris/bustmetal{1,2}.wav",
                "sound/debris/glass{1,2,3}.wav",
                "sound/buttons/spark{5,6}.wav"
            ]
        ),
        files(7, 7, texts!["sound/debris/bustglass{1,2}.wav", "sound/debris/glass{1,2,3}.wav"]),
        files(8, 8, texts!["sound/debris/bustconcrete{1,2}.wav", "sound/debris/concrete{1,2,3}.wav"]),
        files(9, 9, texts![])
    ],
    others: texts!["sound/debris/bustcrate{1,2}.wav", "sound/debris/wood{1,2,3}.wav"],
};

/// The sounds of platforms and trains that move.
///
/// Source: the Half-Life SDK, `dlls/plats.cpp`, `CBasePlatTrain::Precache`.
const PLATFORM_MOVES: KeyNames = numbers(list![
    files(1, 2, texts!["sound/plats/bigmove{n}.wav"]),
    files(3, 3, texts!["sound/plats/elevmove1.wav"]),
    files(4, 4, texts!["sound/plats/elevmove2.wav"]),
    files(5, 5, texts!["sound/plats/elevmove3.wav"]),
    files(6, 6, texts!["sound/plats/freightmove1.wav"]),
    files(7, 7, texts!["sound/plats/freightmove2.wav"]),
    files(8, 8, texts!["sound/plats/heavymove1.wav"]),
    files(9, 9, texts!["sound/plats/rackmove1.wav"]),
    files(10, 10, texts!["sound/plats/railmove1.wav"]),
    files(11, 11, texts!["sound/plats/squeekmove1.wav"]),
    files(12, 12, texts!["sound/plats/talkmove1.wav"]),
    files(13, 13, texts!["sound/plats/talkmove2.wav"])
]);

/// The sounds of platforms and trains that stop.
///
/// Source: the Half-Life SDK, `dlls/plats.cpp`, `CBasePlatTrain::Precache`.
const PLATFORM_STOPS: KeyNames = numbers(list![
    files(1, 2, texts!["sound/plats/bigstop{n}.wav"]),
    files(3, 3, texts!["sound/plats/freightstop1.wav"]),
    files(4, 4, texts!["sound/plats/heavystop2.wav"]),
    files(5, 5, texts!["sound/plats/rackstop1.wav"]),
    files(6, 6, texts!["sound/plats/railstop1.wav"]),
    files(7, 7, texts!["sound/plats/squeekstop1.wav"]),
    files(8, 8, texts!["sound/plats/talkstop1.wav"])
]);

const DOORS: &str = "func_{door,door_rotating,water}";
const BREAKABLE: &str = "func_breakable";
const PUSHABLE: &str = "func_pushable";

/// A pushable thing breaks only with this spawn flag.
const BREAKS_TOO: u32 = 128;

/// The tracks of the CD, unless the game has a `media/cdaudio.txt` of its own.
///
/// Source: Xash3D, `engine/client/dll_int/cl_game.c`, `CL_CreatePlaylist`.
const CD_AUDIO: List<Text> = texts![
    "",
    "media/Half-Life01.mp3",
    "media/Prospero01.mp3",
    "media/Half-Life12.mp3",
    "media/Half-Life07.mp3",
    "media/Half-Life10.mp3",
    "media/Suspense01.mp3",
    "media/Suspense03.mp3",
    "media/Half-Life09.mp3",
    "media/Half-Life02.mp3",
    "media/Half-Life13.mp3",
    "media/Half-Life04.mp3",
    "media/Half-Life15.mp3",
    "media/Half-Life14.mp3",
    "media/Half-Life16.mp3",
    "media/Suspense02.mp3",
    "media/Half-Life03.mp3",
    "media/Half-Life08.mp3",
    "media/Prospero02.mp3",
    "media/Half-Life05.mp3",
    "media/Prospero04.mp3",
    "media/Half-Life11.mp3",
    "media/Half-Life06.mp3",
    "media/Prospero03.mp3",
    "media/Half-Life17.mp3",
    "media/Prospero05.mp3",
    "media/Suspense05.mp3",
    "media/Suspense07.mp3"
];

/// The keys of the game code that name files, but for files that a class always loads, which are the game's
/// own. A door's key `sounds` and that of a `func_train` are read by nothing.
///
/// Source: the Half-Life SDK, `dlls/sound.cpp`, `CAmbientGeneric::Precache`; `dlls/effects.cpp`,
/// `CSprite::Precache`, `CGlow::Spawn`, `CLightning::Precache`, `CLaser::Precache`, `CMessage::Precache` and
/// `CEnvShooter::Precache`; `dlls/func_tank.cpp`, `CFuncTank::Precache`; `dlls/bmodels.cpp`,
/// `CFuncRotating::Precache`; `dlls/h_cycler.cpp`, `CGenericCycler::Spawn`; `dlls/genericmonster.cpp`,
/// `CGenericMonster::Precache`; `dlls/scripted.cpp`, `CFurniture::Spawn`; `dlls/func_break.cpp`,
/// `CBreakable::KeyValue`; `dlls/doors.cpp`, `CBaseDoor::Precache`; `dlls/buttons.cpp`, `ButtonSound`;
/// `dlls/plats.cpp`, `CFuncTrackTrain::Precache`; `dlls/vehicle.cpp`, `CFuncVehicle::Precache`;
/// `dlls/triggers.cpp`, `CChangeLevel::KeyValue`; `dlls/world.cpp`, `CWorld::KeyValue`.
const KEYS_OF_SDK: List<EntityKey> = list![
    EXIT,
    key("worldspawn", texts!["skyname"], KeyNames::Sky),
    key("worldspawn", texts!["sounds"], KeyNames::Track),
    key("{trigger,target}_cdaudio", texts!["health"], KeyNames::Track),
    key("ambient_generic", texts!["message"], SOUND),
    key("env_message", texts!["messagesound", "noise"], SOUND),
    key("env_message", texts!["message"], KeyNames::Entry { of: Borrowed("titles.txt") }),
    key("func_tank{,laser,rocket,mortar}", texts!["rotatesound", "noise"], SOUND),
    key("func_tank{,laser,rocket,mortar}", texts!["spritesmoke"], KeyNames::Model),
    key("func_tank{,laser,rocket,mortar}", texts!["spriteflash"], KeyNames::Model),
    key("{env_beam,env_lightning,trip_beam}", texts!["texture"], KeyNames::Model),
    key("env_laser", texts!["texture", "model"], KeyNames::Model),
    key("env_laser", texts!["EndSprite"], KeyNames::Model),
    key("env_{glow,sprite}", texts!["model"], KeyNames::Model),
    key("env_shooter", texts!["shootmodel", "model"], KeyNames::Model),
    key("cycler{,_sprite,_weapon,_wreckage}", texts!["model"], KeyNames::Model),
    key("monster_{generic,furniture}", texts!["model"], KeyNames::Model),
    key("infodecal", texts!["texture"], KeyNames::Entry { of: Borrowed("decals.wad") }),
    key(BREAKABLE, texts!["gibmodel"], KeyNames::Model),
    EntityKey {
        default: Borrowed("0"),
        unless: Borrowed("gibmodel"),
        class: Borrowed(BREAKABLE),
        keys: texts!["material"],
        names: PIECES,
        ..KEY
    },
    EntityKey {
        default: Borrowed("0"),
        class: Borrowed(BREAKABLE),
        keys: texts!["material"],
        names: BREAKS,
        ..KEY
    },
    EntityKey {
        with_flags: BREAKS_TOO,
        class: Borrowed(PUSHABLE),
        keys: texts!["gibmodel"],
        names: KeyNames::Model,
        ..KEY
    },
    EntityKey {
        default: Borrowed("0"),
        unless: Borrowed("gibmodel"),
        with_flags: BREAKS_TOO,
        class: Borrowed(PUSHABLE),
        keys: texts!["material"],
        names: PIECES,
    },
    EntityKey {
        default: Borrowed("0"),
        with_flags: BREAKS_TOO,
        class: Borrowed(PUSHABLE),
        keys: texts!["material"],
        names: BREAKS,
        ..KEY
    },
    key(DOORS, texts!["movesnd"], numbers(list![files(1, 10, texts!["sound/doors/doormove{n}.wav"])])),
    key(DOORS, texts!["stopsnd"], numbers(list![files(1, 8, texts!["sound/doors/doorstop{n}.wav"])])),
    key(
        "momentary_door",
        texts!["movesnd"],
        numbers(list![files(1, 8, texts!["sound/doors/doormove{n}.wav"])])
    ),
    key("func_{door,door_rotating,water,button}", texts!["locked_sound"], BUTTONS),
    key("func_{door,door_rotating,water,button}", texts!["unlocked_sound"], BUTTONS),
    key("{func_button,func_rot_button,momentary_rot_button}", texts!["sounds"], BUTTONS),
    EntityKey {
        with_flags: 64,
        default: Borrowed("0"),
        class: Borrowed("func_button"),
        keys: texts!["spawnflags"],
        names: KeyNames::Numbers { files: list![], others: texts!["sound/buttons/spark{1,2,3,4,5,6}.wav"] },
        ..KEY
    },
    key("func_{plat,platrot,train,trackchange,trackautochange}", texts!["movesnd"], PLATFORM_MOVES),
    key("func_{plat,platrot,train,trackchange,trackautochange}", texts!["stopsnd"], PLATFORM_STOPS),
    key(
        "func_tracktrain",
        texts!["sounds"],
        numbers(list![
            files(1, 4, texts!["sound/plats/ttrain{n}.wav"]),
            files(5, 5, texts!["sound/plats/ttrain6.wav"]),
            files(6, 6, texts!["sound/plats/ttrain7.wav"])
        ])
    ),
    key(
        "func_vehicle",
        texts!["sounds"],
        KeyNames::Numbers {
            files: list![
                files(0, 0, texts!["sound/plats/vehicle3.wav"]),
                files(1, 4, texts!["sound/plats/vehicle{n}.wav"]),
                files(5, 5, texts!["sound/plats/vehicle6.wav"])
            ],
            others: texts!["sound/plats/vehicle7.wav"]
        }
    ),
    key("func_rotating", texts!["message"], SOUND),
    EntityKey {
        unless: Borrowed("message"),
        class: Borrowed("func_rotating"),
        keys: texts!["sounds"],
        names: numbers(list![files(1, 5, texts!["sound/fans/fan{n}.wav"])]),
        ..KEY
    },
    key("", texts![], KeyNames::OwnCode),
];

const fn with(flag: &'static str) -> Suffix {
    Suffix::With(Borrowed(flag))
}

const fn with_levels(directory: &'static str, name: &'static str, levels: List<Text>) -> Expansion {
    Expansion { directory: Borrowed(directory), name: Borrowed(name), levels }
}

/// Steam's version contains no archive since 2013. Each game's own levels have names that begin so.
pub(super) const TITLES: List<Title> = list![Title {
    word: Borrowed("half-life"),
    name: Borrowed("Half-Life"),
    expansions: list![
        with_levels("gearbox", "Opposing Force", texts!["op4_", "op4ctf_"]),
        expansion("bshift", "Blue Shift"),
        with_levels("cstrike", "Counter-Strike", texts!["cs_", "de_", "as_"]),
        expansion("czero", "Counter-Strike: Condition Zero"),
        expansion("dmc", "Deathmatch Classic"),
        with_levels("dod", "Day of Defeat", texts!["dod_"]),
        with_levels("ricochet", "Ricochet", texts!["rc_"]),
        expansion("tfc", "Team Fortress Classic")
    ],
    known_by: texts!["valve/liblist.gam", "valve/pak0.pak"],
    ..TITLE
}];
