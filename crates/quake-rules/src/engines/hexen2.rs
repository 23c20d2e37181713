//! Hexen II.

use super::parts::{NO_PATH, TEN, list, mission, most_entries, unix_or_mac, words};
use crate::{CutDirectory, Duplicates, EngineStop, GameName, LoosePosition, OddGame, Rules, TooMany};

pub(super) fn hexen2(rules: &mut Rules) {
    // engine/h2shared/quakefs.c, FS_Init
    rules.directories.base = words(["data1"]);
    rules.directories.missions = vec![mission("portals")].into();
    // engine/h2shared/quakefs.c, FS_AddGameDirectory: pak0 to pak9, then the directory
    rules.archives.sets = TEN;
    rules.loose.position = LoosePosition::Above;
    // engine/h2shared/quakefs.c, FS_LoadPackFile and FS_OpenFile
    rules.archives.duplicates = Duplicates::Last;
    rules.paks.cut_directory = CutDirectory::Refused;
    rules.limits.entries = Some(most_entries(2048, TooMany::Skipped));
    // engine/h2shared/quakefs.c, FS_Init and FS_AddGameDirectory, whose buffers have 64 bytes for a name
    let long = OddGame::Refused(GameName::Longer(63));
    rules.directories.odd_games = NO_PATH.iter().cloned().chain([long]).collect();
    // engine/h2shared/quakefs.c, FS_LoadPackFile and FS_LoadFile, which look at how much they read
    rules.stops = list([
        EngineStop::OddGame,
        EngineStop::NegativeDirectory,
        EngineStop::CutDirectory,
        EngineStop::CutEntry,
        EngineStop::EmptyFile,
    ]);
    // engine/h2shared/userdir.h, SYS_USERDIR_UNIX and SYS_USERDIR_OSX; Sys_GetUserdir, if DO_USERDIRS is defined
    rules.user = Some(unix_or_mac(".hexen2", "Library/Application Support/Hexen2"));
}
