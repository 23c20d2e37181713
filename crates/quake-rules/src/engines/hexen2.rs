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
    keys: Known(list![programs::EXIT]),
    wads: Known(texts![]),
    ..ID_TECH
};

pub(super) const TITLES: List<Title> = list![Title {
    word: Borrowed("hexen2"),
    name: Borrowed("Hexen II"),
    expansions: list![expansion("portals", "Portal of Praevus")],
    known_by: texts!["data1/pak0.pak"],
    ..TITLE
}];
