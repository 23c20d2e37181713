//! id Software's Quake, and the rules that most engines inherit from it.

use pak_format::Layout;

use super::prelude::*;
use super::programs;

/// The common rules of id Software's engines and their descendants. Each row lists only the differences.
///
/// Source: WinQuake, `WinQuake/common.c`, `COM_InitFilesystem` and `COM_FindFile`, of 1999; Quake II keeps
/// the same in `qcommon/files.c`, `FS_InitFilesystem` and `FS_FOpenFile`.
pub(super) const ID_TECH: Rules = Rules {
    name: Borrowed(""),
    directories: Directories {
        // WinQuake/quakedef.h, GAMENAME
        base: texts!["id1"],
        stand_ins: list![],
        // COM_InitFilesystem: COM_CheckParm finds the first -game
        games: Games::First,
        default_game: None,
        game_option: texts!["-game"],
        most_games: None,
        // the name is joined to the base directory and given to the operating system
        game_case: Case::Exact,
        base_case: Case::Exact,
        odd_games: list![],
        game_folders: texts!["{}"],
        suffixes: texts![],
        // COM_AddGameDirectory makes each directory that it adds com_gamedir, where files are written
        read_only: texts![],
        created: texts![],
        engine_folders: texts![],
        // a directory that is added again is searched there first
        named_again: DuplicateMention::MovesUp,
        missions: list![],
        missions_taken: MissionsTaken::Every,
        base_games: Games::Ignored,
        settings: list![],
        listed_by: list![],
        // COM_InitFilesystem: COM_CheckParm finds the first -basedir
        more_bases: MoreBases::Ignored,
        program_folder: None,
    },
    archives: Archives {
        // COM_AddGameDirectory puts each archive at the head of the search path
        sets: list![numbered(PAK, None, TO_A_GAP)],
        own: list![],
        skips_hidden: false,
        prefixes: list![],
        skipped_entries: texts![],
        loose_instead: texts![],
        nested_paks: NestedPaks::Ignored,
        wrong_ends_directory: false,
        // COM_FindFile compares with strcmp, starting at the first row
        case: Case::Exact,
        duplicates: Duplicates::First,
    },
    paks: Paks {
        // COM_LoadPackFile divides the directory's size by sizeof(dpackfile_t)
        layout: Some(Layout::Quake),
        refuses_partial_row: false,
        // COM_LoadPackFile does not check how much it reads
        refuses_cut_directory: false,
        furthest_entry: None,
        // COM_LoadPackFile copies the name with strcpy, which reads past the field
        parts: NameParts::AsStored,
        unterminated: Unterminated::RunsOn,
    },
    zips: Zips {
        refused: list![],
        dropped: list![],
        longest_name: None,
        lower_cased: false,
        parts: NameParts::AsStored,
    },
    // COM_AddGameDirectory adds the directory before its archives; COM_FindFile joins path and request and
    // opens that
    loose: Loose {
        position: LoosePosition::Below,
        case: LooseCase::Exact,
        skips_hidden: false,
        only_ascii: false,
        hides: ONLY_UNREADABLE,
    },
    requests: AS_GIVEN,
    // WinQuake/common.c, MAX_FILES_IN_PACK; WinQuake/quakedef.h, MAX_QPATH: 64 with the NUL
    limits: Limits { entries: Some(most_entries(2048, false)), ..NO_LIMIT },
    needed: Unknown,
    // COM_LoadPackFile: Sys_Error at a wrong magic and at too many files
    stops: stops![WrongArchive, TooManyEntries],
    registered: None,
    user: None,
    companions: Unknown,
    text: None,
    substitutes: Unknown,
    console: Unknown,
    program: Program::Unknown,
    keys: Unknown,
    wads: Unknown,
    loads: Unknown,
    requires_skins: false,
    player_model: None,
    studio_groups: StudioGroups::None,
    music_folders: None,
    family: None,
    titles: list![],
    executables: texts![],
    executables_in_stores: texts![],
};

/// The games for Quake.
///
/// Source: WinQuake, `WinQuake/cl_demo.c`, `CL_PlayDemo_f`.
pub(super) const FAMILY: Option<Family> = Some(Family {
    name: Borrowed("Quake"),
    engine: Borrowed("quakespasm"),
    demos: Borrowed(""),
    plays: Borrowed("playdemo"),
    heads: texts!["\u{1d}\0\0\0", "BSP2", "2PSB", "IDPO"],
    extensions: texts!["lit", "qwd", "mvd"],
    files: texts!["progs.dat", "qwprogs.dat", "qwprogs.so", "qwprogs.dll", "qwprogs.qvm", "quake.rc"],
    archives: None,
    base_files: texts!["gfx.wad", "gfx/palette.lmp"],
    // the folders in the releases of their authors
    mods: list![
        expansion("ad", "Arcane Dimensions"),
        expansion("alkaline", "Alkaline"),
        expansion("copper", "Copper"),
        expansion("ktx", "KTX"),
        expansion("mjolnir", "Mjolnir"),
        expansion("nehahra", "Nehahra"),
        expansion("pd", "progs_dump"),
        expansion("quoth", "Quoth"),
    ],
});

/// Quake as sold, and its additions.
pub(super) const AS_SOLD: Title = Title {
    word: Borrowed("quake"),
    name: Borrowed("Quake"),
    expansions: list![
        expansion("hipnotic", "Scourge of Armagon"),
        expansion("rogue", "Dissolution of Eternity"),
        expansion("dopa", "Dimension of the Past"),
        expansion("mg1", "Dimension of the Machine"),
        expansion("mg3", "Dawn of the Machine"),
        expansion("ctf", "Capture the Flag"),
    ],
    known_by: texts!["id1/pak0.pak"],
    ..TITLE
};

pub(super) const WINQUAKE: Rules = Rules {
    directories: Directories {
        // WinQuake/common.c, COM_InitFilesystem
        missions: list![mission("rogue"), mission("hipnotic")],
        ..ID_TECH.directories
    },
    // WinQuake/common.c, COM_FindFile: Sys_FileTime calls access(), which also finds things that
    // Sys_FileOpenRead cannot open
    loose: Loose { hides: Obstacles { special: true, ..ONLY_UNREADABLE }, ..ID_TECH.loose },
    // WinQuake/common.c, COM_CheckRegistered
    stops: stops![WrongArchive, TooManyEntries, Unregistered, WrongRegistered],
    registered: Some(POP),
    needed: Known(programs::NEEDED),
    // WinQuake/model.c, Mod_LoadEntities, Mod_LoadLighting and Mod_LoadTextures; WinQuake/r_sky.c, R_InitSky:
    // all from the level; music from the CD
    companions: Known(list![]),
    substitutes: Known(NO_REPLACEMENTS),
    console: Known(None),
    program: Program::QuakeC(programs::WINQUAKE),
    keys: Known(list![programs::EXIT]),
    wads: Known(texts![]),
    family: FAMILY,
    // WinQuake/model.c, Mod_LoadBrushModel, Mod_LoadAliasModel and Mod_LoadSpriteModel, of the software
    // renderer; WinQuake/modelgen.h, MAXALIASVERTS; WinQuake/snd_mem.c, S_LoadSound
    loads: Known(Loads {
        versions: list![
            loaded("level", texts!["29"]),
            loaded("model", texts!["6"]),
            loaded("sprite", texts!["1"])
        ],
        most: list![
            most("model", "vertices", 2000),
            most("model", "skin height", 480),
            most_of_sounds("channels", 1),
            most_of_sounds("bits", 16)
        ],
    }),
    ..ID_TECH
};

pub(super) const QUAKEWORLD: Rules = Rules {
    directories: Directories {
        // QW/client/common.c, COM_InitFilesystem: the game comes from the server, through COM_Gamedir, which
        // refuses a path and does nothing for id1 and qw
        base: texts!["id1", "qw"],
        games: Games::Ignored,
        odd_games: SINGLE_FILE_NAME,
        named_again: DuplicateMention::Stays,
        // QW/client/common.c, COM_AddGameDirectory sets com_gamedir, and COM_WriteFile writes there
        created: texts!["qw"],
        ..ID_TECH.directories
    },
    // QW/client/common.c, COM_CheckRegistered; without the file, COM_FindFile ignores loose files in folders
    stops: stops![WrongArchive, TooManyEntries, WrongRegistered],
    registered: Some(Registered { shareware: Some(Shareware { only_top_level: true, ..SHAREWARE }), ..POP }),
    loose: ID_TECH.loose,
    program: Program::QuakeC(programs::QUAKEWORLD),
    ..WINQUAKE
};

pub(super) const JOEQUAKE: Rules = Rules {
    directories: Directories {
        // trunk/common.c, COM_InitFilesystem: joequake above id1, then the flags in this order, then the
        // first -game
        base: texts!["id1", "joequake"],
        missions: list![
            mission("rogue"),
            mission("hipnotic"),
            mission("quoth"),
            Mission { flag: Borrowed("machine"), directory: Borrowed("mg1") },
            mission("nehahra"),
            mission("runequake"),
        ],
        ..ID_TECH.directories
    },
    // trunk/host.c, Host_Init; trunk/wad.c, W_LoadWadFile; trunk/gl_draw.c, Draw_InitConback
    needed: Known(Needed {
        to_start: texts!["gfx.wad", "gfx/palette.lmp", "gfx/colormap.lmp", "gfx/conback.lmp"],
        ..programs::NEEDED
    }),
    // trunk/gl_model.c, LoadColoredLighting and Mod_LoadEntities
    companions: Known(list![
        Companion { names: texts!["maps/{name}.lit", "lits/{name}.lit"], ..LIT },
        Companion { names: texts!["{level}@{crc}.ent", "{level}.ent"], ..ENT },
    ]),
    program: Program::QuakeC(programs::JOEQUAKE),
    keys: Known(list![programs::EXIT, programs::key("worldspawn", texts!["sounds"], KeyNames::Track),]),
    // trunk/bgmusic.c, BGM_PlayCDtrack: the last kind that is there; BGM_Play
    substitutes: Known(list![Substitute {
        names: texts!["music/track{nn}.{ogg,mp3}", "music/{file:mp3,ogg}", "music/{bare}.{mp3,ogg}"],
        ..MUSIC
    }]),
    wads: Known(texts![]),
    family: FAMILY,
    // trunk/gl_model.c, Mod_LoadBrushModel, Mod_LoadAliasModel and Mod_LoadSpriteModel; trunk/snd_mem.c,
    // S_LoadSound
    loads: Known(Loads {
        versions: list![
            loaded("level", texts!["29", "2PSB", "BSP2", "Q64"]),
            loaded("model", texts!["6"]),
            loaded("sprite", texts!["1", "32"])
        ],
        most: list![
            most("model", "vertices", 2000),
            most("model", "triangles", 4096),
            most("model", "skins", 32),
            most_of_sounds("channels", 1)
        ],
    }),
    ..ID_TECH
};

pub(super) const QUAKE_KEX: Rules = Rules {
    directories: Directories { games: Games::Last, ..ID_TECH.directories },
    archives: Archives {
        // QuakeSpasm-Spiked, Quake/common.c, COM_InitFilesystem, which reads the remaster's archive as the
        // lowest layer
        own: list![own("QuakeEX.kpf", OwnPlace::Lowest)],
        ..ID_TECH.archives
    },
    limits: NO_LIMIT,
    stops: stops![],
    // Ironwail, Quake/common.c, COM_InitFilesystem, which adds the remaster's folder of the user; its add-ons
    // are there
    user: Some(UserDirectory { windows: texts!["Saved Games/Nightdive Studios/Quake"], ..ALWAYS }),
    program: Program::QuakeC(programs::EXTENDED),
    keys: Known(list![programs::EXIT]),
    family: FAMILY,
    ..ID_TECH
};

pub(super) const TITLES: List<Title> = list![AS_SOLD];
