//! Half-Life.

use std::borrow::Cow::Borrowed;

use super::parts::{
    ALL_REFUSED, NO_LIMIT, PAK, PK3, PK3DIR, holds, is, list, most_entries, others_once, sky, starts, words,
};
use crate::{
    Backslash, Case, CutDirectory, Duplicates, EngineStop, GameName, GameText, Games, Limits, LooseCase,
    LoosePosition, OddGame, Order, PLACEHOLDER, PartialRow, PathRule, Requests, Rules, TooMany, ZipEntryForm,
    ZipForm,
};

pub(super) fn goldsrc(rules: &mut Rules) {
    // filesystem/filesystem.c, FS_Rescan and FS_AddGameHierarchy
    rules.directories.base = words([".", "valve"]);
    rules.directories.games = Games::Last;
    rules.directories.game_folders = words(["{}_downloads", "{}", "{}/custom"]);
    // filesystem/searchpath.c, FS_AddGameHierarchy: FS_MOUNT_HD and the like, of the settings fs_mount_hd, fs_mount_addon,
    // fs_mount_lv, and fs_mount_l10n with ui_language; from the source, not run
    rules.directories.suffixes = words(["hd", "addon", "lv", PLACEHOLDER]);
    // filesystem/filesystem.c, FS_AddGameHierarchy: FS_GAMEDIR_PATH is given to the game's own directory
    rules.directories.read_only = words([".", "{}_downloads", "{}/custom"]);
    // filesystem/filesystem.c, FS_AddGameDirectory: each format in turn, its files sorted, then the directory
    rules.archives.sets = vec![
        others_once(PAK, Case::Ignored, Order::Bytes),
        others_once(PK3, Case::Ignored, Order::Bytes),
        others_once(PK3DIR, Case::Ignored, Order::Bytes),
    ]
    .into();
    // filesystem/filesystem.c, FS_LoadGameInfo: the game is found among the folders that were listed
    rules.directories.game_case = Case::Ignored;
    rules.directories.odd_games = list([
        OddGame::Ignored(is(".")),
        OddGame::Ignored(holds("..")),
        OddGame::Refused(starts(".")),
        OddGame::Refused(GameName::Longer(63)),
        OddGame::Ignored(holds("/")),
    ]);
    // engine/client/ref_common.c and ref/gl/gl_warp.c, R_SetupSky; documented, not run
    rules.substitutes = list([sky(words(["gfx/env/{name}{part}.{tga,bmp}"]))]);
    // filesystem/filesystem.c, FS_ReadGameInfo and FS_Init
    rules.text = Some(GameText::GameInfo {
        files: words(["gameinfo.txt", "liblist.gam"]),
        base_in: Borrowed("gameinfo.txt"),
    });
    rules.stops = list([EngineStop::OddGame, EngineStop::UnreadableGame, EngineStop::MissingGameInfo]);
    rules.loose.position = LoosePosition::Above;
    // filesystem/pak.c, FS_LoadPackPAK: a directory of another size than whole rows, a wrong magic and more than
    // MAX_FILES_IN_PACK files
    rules.paks.partial_row = PartialRow::Refused;
    rules.paks.cut_directory = CutDirectory::Refused;
    rules.limits = Limits { entries: Some(most_entries(65536, TooMany::Skipped)), ..NO_LIMIT };
    // filesystem/zip.c, FS_LoadZip
    rules.zips.refused =
        list([ZipForm::Zip64, ZipForm::BytesInFront, ZipForm::CountTooLarge, ZipForm::EntryOutside]);
    rules.zips.dropped = list([ZipEntryForm::Empty]);
    // filesystem/pak.c, FS_FindFile_PAK: Q_stricmp; filesystem/dir.c, FS_FixFileCase
    rules.archives.case = Case::Ignored;
    // filesystem/pak.c, FS_AddFileToPack and FS_FindFile_PAK; filesystem/zip.c, FS_LoadZip, sorts by C's qsort, which
    // keeps the order of equal names in glibc
    rules.archives.duplicates = Duplicates::Searched;
    rules.loose.case = LooseCase::Ignored;
    // filesystem/filesystem.c, FS_CheckNastyPath and FS_OpenReadFile
    rules.requests = Requests {
        backslash: Backslash::Literal,
        leading_slash: PathRule::Dropped,
        dot_component: PathRule::ArchivesOnly,
        empty_component: PathRule::ArchivesOnly,
        refused: words([":", "..", "/."]),
        ..ALL_REFUSED
    };
}
