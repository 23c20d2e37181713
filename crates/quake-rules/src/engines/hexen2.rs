//! Hexen II.

use super::prelude::*;
use super::programs;
use super::quake::ID_TECH;

pub(super) const HEXEN2: Rules = Rules {
    directories: Directories {
        // engine/h2shared/quakefs.c, FS_Init
        base: texts!["data1"],
        missions: list![mission("portals")],
        // engine/h2shared/quakefs.c, FS_Init and FS_AddGameDirectory, whose buffers have 64 bytes for a name
        odd_games: refused![
            is(""),
            is("."),
            holds(".."),
            holds("/"),
            holds("\\"),
            holds(":"),
            GameName::Longer(63)
        ],
        ..ID_TECH.directories
    },
    // engine/h2shared/quakefs.c, FS_AddGameDirectory: pak0 to pak9, then the directory; FS_LoadPackFile and
    // FS_OpenFile
    archives: Archives { sets: TEN, duplicates: Duplicates::Last, ..ID_TECH.archives },
    paks: Paks { refuses_cut_directory: true, ..ID_TECH.paks },
    loose: Loose { position: LoosePosition::Above, ..ID_TECH.loose },
    limits: Limits { entries: Some(most_entries(2048, true)), ..ID_TECH.limits },
    // engine/h2shared/quakefs.c, FS_LoadPackFile and FS_LoadFile, which look at how much they read
    stops: stops![OddGame, NegativeDirectory, CutDirectory, CutEntry, EmptyFile],
    // engine/h2shared/quakefs.c, CheckRegistered: the 256 bytes of Quake's file
    registered: Some(Registered { shareware: None, ..POP }),
    // engine/h2shared/userdir.h, SYS_USERDIR_UNIX and SYS_USERDIR_OSX; Sys_GetUserdir, if DO_USERDIRS is
    // defined
    user: Some(UserDirectory {
        linux: texts![".hexen2"],
        macos: texts!["Library/Application Support/Hexen2"],
        ..IN_SOME_BUILDS
    }),
    // engine/h2shared/gl_model.c, Mod_LoadLighting and Mod_LoadEntities
    companions: Known(list![
        Companion { names: texts!["{level}.lit"], rank: Rank::NotBelowDirectory, ..COMPANION },
        Companion { names: texts!["{level}.ent"], rank: Rank::NotBelowDirectory, ..ENT },
    ]),
    program: Program::QuakeC(programs::HEXEN2),
    // engine/h2shared/pr_edict.c, ED_ParseEdict, of any entity
    keys: Known(list![programs::EXIT, programs::key("", texts!["MIDI", "midi"], KeyNames::Music)]),
    // engine/h2shared/bgmusic.c, BGM_PlayMIDIorMusic; a number is a track of a CD
    substitutes: Known(list![Substitute {
        names: texts![
            "music/{file:ogg,opus,mp3,flac,wav,it,s3m,xm,mod,umx}",
            "midi/{file:mid}",
            "music/{bare}.{ogg,opus,mp3,flac,wav,it,s3m,xm,mod,umx}",
            "midi/{bare}.mid"
        ],
        decides: SubstituteBy::Directories,
        ..MUSIC
    }]),
    wads: Known(texts![]),
    // engine/hexen2/host.c, Host_Init; engine/h2shared/gl_draw.c, Draw_Init; engine/hexen2/gl_rmisc.c,
    // R_Init: of glhexen2. engine/h2shared/pr_edict.c, PR_LoadProgs; engine/h2shared/host_string.c,
    // Host_LoadStrings
    needed: Known(Needed {
        to_start: texts![
            "gfx.wad",
            "gfx/palette.lmp",
            "gfx/colormap.lmp",
            "gfx/player.lmp",
            "gfx/menu/conchars.lmp",
            "gfx/menu/backtile.lmp",
            "gfx/menu/conback.lmp",
            "gfx/menu/{bigfont2,bigfont}.lmp",
        ],
        editions: Some(EDITIONS),
        to_play: texts!["strings.txt"],
        ..Needed::NOTHING
    }),
    // common/genmodel.h, RAPOLYHEADER: levels and models like Quake's, and models with more vertices
    family: Some(Family {
        name: Borrowed("Hexen II"),
        engine: Borrowed("hexen2"),
        demos: Borrowed(""),
        plays: Borrowed("playdemo"),
        heads: texts!["\u{1d}\0\0\0", "IDPO", "RAPO"],
        extensions: texts![],
        files: texts!["hexen.rc", "progs2.dat", "puzzles.txt", "strings.txt"],
        archives: None,
        base_files: texts!["gfx.wad", "gfx/menu/conchars.lmp"],
        mods: list![],
    }),
    ..ID_TECH
};

pub(super) const TITLES: List<Title> = list![Title {
    word: Borrowed("hexen2"),
    name: Borrowed("Hexen II"),
    expansions: list![expansion("portals", "Portal of Praevus")],
    known_by: texts!["data1/pak0.pak"],
    ..TITLE
}];

const PAK0: &str = "data1/pak0.pak";
const PAK1: &str = "data1/pak1.pak";
const PAK2: &str = "data1/pak2.pak";

/// The editions of Hexen II that the engine takes: the retail version 1.11, that of the Matrox m3D (`oem`)
/// and the demo of 1997, also with the mission pack.
///
/// Source: `engine/h2shared/quakefs.c`, `check_known_paks`, `FS_LoadPackFile` and `FS_Init`; run with h2ded.
const EDITIONS: Editions = Editions {
    archives: list![
        known(PAK0, 696, 34289, "retail-0"),
        known(PAK1, 523, 2995, "retail-1"),
        known(PAK2, 183, 4807, "oem-2"),
        known("portals/pak3.pak", 245, 1478, "portals"),
        known(PAK0, 797, 22780, "demo"),
        known(PAK0, 697, 9787, "oem-0"),
        known(PAK0, 697, 53062, "old-0"),
        known(PAK1, 525, 47762, "old-1"),
        known(PAK0, 701, 20870, "old-demo"),
        known(PAK0, 697, 43990, "old-oem-0"),
        known(PAK2, 183, 43596, "old-oem-2"),
    ],
    refused: list![
        refused(list![texts!["retail-0"], texts!["old-1"]], MIXED, SAME_EDITION),
        refused(list![texts!["retail-1"], texts!["old-0"]], MIXED, SAME_EDITION),
        refused(list![texts!["oem-2", "old-oem-2"], texts!["demo", "old-demo"]], MIXED, SAME_EDITION),
        refused(
            list![texts!["oem-2", "old-oem-2"], texts!["retail-0", "old-0"], texts!["retail-1", "old-1"]],
            MIXED,
            SAME_EDITION,
        ),
        refused(
            list![
                texts!["retail-1", "old-1"],
                texts!["demo", "old-demo", "oem-0", "old-oem-0", "oem-2", "old-oem-2"],
            ],
            MIXED,
            SAME_EDITION,
        ),
        refused(
            list![texts!["old-demo"]],
            "pak0.pak is of the first demo, which it does not play",
            "the demo of November 1997",
        ),
        refused(
            list![texts!["old-0", "old-1", "old-oem-0", "old-oem-2"]],
            "the archives are older than version 1.11",
            "Hexen II with Raven's patch 1.11",
        ),
        refused(
            list![texts!["!retail-0", "!retail-1"], texts!["!oem-0", "!oem-2"], texts!["!demo"]],
            "pak0.pak and pak1.pak of data1 are not those of a known edition",
            FULL_VERSION,
        ),
        refused(
            list![texts!["retail-0"], texts!["retail-1"], texts!["!registered"]],
            "gfx/pop.lmp is missing or is not that of the retail version",
            "the retail version",
        ),
        refused(
            list![texts!["!retail-0", "!retail-1"], texts!["modified"]],
            "data1 has another archive, and only the full version plays changed games",
            FULL_VERSION,
        ),
        refused(
            list![texts!["mission"], texts!["!retail-0", "!retail-1"]],
            "Portal of Praevus requires the full version",
            FULL_VERSION,
        ),
        refused(
            list![texts!["mission"], texts!["!portals"]],
            "portals/pak3.pak is missing or is not that of Portal of Praevus",
            "Portal of Praevus (portals/pak3.pak)",
        ),
        refused(
            list![texts!["game"], texts!["!retail-0", "!retail-1"]],
            "only the full version plays other games",
            FULL_VERSION,
        ),
    ],
};

const MIXED: &str = "its archives are of different editions";
const SAME_EDITION: &str = "one edition";
const FULL_VERSION: &str = "Hexen II 1.11";

const fn known(file: &'static str, entries: u32, crc: u16, word: &'static str) -> KnownArchive {
    KnownArchive { file: Borrowed(file), entries, crc, word: Borrowed(word) }
}

const fn refused(when: List<List<Text>>, because: &'static str, needed: &'static str) -> RefusedEdition {
    RefusedEdition { when, because: Borrowed(because), needed: Borrowed(needed) }
}
