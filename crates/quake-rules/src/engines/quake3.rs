//! Quake III Arena.

use super::parts::{NO_LIMIT, NO_PATH, list, others, stand_in, substitute, words};
use crate::{
    Backslash, Case, Duplicates, EngineStop, Games, LoosePosition, NameParts, Order, PathRule, Rules,
    SubstituteKind, UserDirectory, UserLookedAt, ZipForm,
};

pub(super) fn ioquake3(rules: &mut Rules) {
    // code/qcommon/files.c, FS_Startup: com_basegame, then fs_game
    rules.directories.base = words(["baseq3"]);
    rules.directories.games = Games::Last;
    // code/renderergl1/tr_image.c, R_LoadImage and imageLoaders; code/client/snd_codec.c, S_CodecGetSound (seen, with
    // missing images and music)
    rules.substitutes = list([
        substitute(SubstituteKind::Texture, words(["{file}", "{stem}.{tga,jpg,jpeg,png,pcx,bmp}"])),
        substitute(SubstituteKind::Music, words(["{file}", "{stem}.{wav,ogg,opus}"])),
    ]);
    // code/qcommon/files.c, FS_AddGameDirectory: the pk3s sorted by paksort, which compares capitals, then the directory
    // and folders like them
    rules.archives.sets = vec![others(words(["pk3", "pk3dir"]), Case::Ignored, Order::Capitals)].into();
    // code/qcommon/files.c, FS_Startup: FS_InvalidGameDir
    rules.directories.odd_games = NO_PATH;
    rules.loose.position = LoosePosition::Above;
    // code/qcommon/files.c, FS_LoadZipFile: a wrong archive is skipped; a later row is found before an earlier one
    rules.archives.duplicates = Duplicates::Last;
    rules.limits = NO_LIMIT;
    // code/qcommon/unzip.c, unzlocal_SearchCentralDir
    rules.zips.refused = list([ZipForm::Zip64, ZipForm::LongComment]);
    // code/qcommon/files.c, FS_FilenameCompare and FS_HashFileName: a backslash is a slash
    rules.archives.case = Case::Ignored;
    rules.zips.parts = NameParts::Slashes;
    // code/qcommon/files.c, FS_FOpenFileReadDir: one slash at the start is dropped
    rules.requests.backslash = Backslash::Slash;
    rules.requests.leading_slash = PathRule::FirstDropped;
    // code/qcommon/cmd.c, Cmd_Exec_f, with which the engine was tested, adds an extension to such a name
    rules.requests.trailing_slash = PathRule::Refused;
    // code/qcommon/files.c, FS_FOpenFileReadDir and FS_FOpenFileRead
    rules.requests.refused = words(["..", "::"]);
    rules.requests.loose_only = words(["autoexec.cfg", "q3config.cfg"]);
    // code/sys/sys_win32.c, Sys_FOpen
    rules.requests.end_on_windows = PathRule::ArchivesOnly;
    rules.stops = list([EngineStop::OddGame, EngineStop::Pipe]);
    // code/sys/sys_unix.c, Sys_HomeDataPath and Sys_ShouldUseLegacyHomePath; older sources have only .q3a.
    // code/sys/sys_win32.c, Sys_DefaultHomePath
    rules.user = Some(UserDirectory {
        linux: words([".local/share/Quake3", ".q3a"]),
        macos: words(["Library/Application Support/Quake3"]),
        windows: words(["AppData/Roaming/Quake3"]),
        looked_at: UserLookedAt::Always,
        in_store: None,
    });
}

pub(super) fn quake3e(rules: &mut Rules) {
    ioquake3(rules);
    // code/qcommon/files.c, FS_Startup: fs_basegame; OpenArena is played on this engine with `+set fs_basegame baseoa`
    rules.directories.base_games = Games::Every;
    rules.directories.stand_ins = list([stand_in("baseq3", "baseoa")]);
    // code/qcommon/files.c, FS_ReorderSearchPaths: archives and folders like them, then directories
    rules.loose.position = LoosePosition::Lowest;
    // code/unix/unix_shared.c, Sys_DefaultHomePath; code/win32/win_shared.c
    rules.user = Some(UserDirectory {
        linux: words([".q3a"]),
        macos: words(["Library/Application Support/Quake3"]),
        windows: words(["AppData/Roaming/Quake3"]),
        looked_at: UserLookedAt::Always,
        in_store: None,
    });
}

pub(super) fn openarena(rules: &mut Rules) {
    ioquake3(rules);
    // code/qcommon/q_shared.h, BASEGAME and HOMEPATH_NAME_UNIX of OpenArena's build
    rules.directories.base = words(["baseoa"]);
    rules.user = Some(UserDirectory {
        linux: words([".openarena"]),
        macos: words(["Library/Application Support/OpenArena"]),
        windows: words(["AppData/Roaming/OpenArena"]),
        looked_at: UserLookedAt::Always,
        in_store: None,
    });
}
