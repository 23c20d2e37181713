//! Quake III Arena.

use super::prelude::*;
use super::quake::ID_TECH;

pub(super) const IOQUAKE3: Rules = Rules {
    directories: Directories {
        // code/qcommon/files.c, FS_Startup: com_basegame, then fs_game
        base: texts!["baseq3"],
        games: Games::Last,
        // code/qcommon/files.c, FS_Startup: FS_InvalidGameDir
        odd_games: NO_PATH,
        ..ID_TECH.directories
    },
    archives: Archives {
        // code/qcommon/files.c, FS_AddGameDirectory: the pk3s sorted by paksort, which compares capitals, then the
        // directory and folders like them
        sets: list![others(texts!["pk3", "pk3dir"], Case::Ignored, Order::Capitals)],
        // code/qcommon/files.c, FS_LoadZipFile: a wrong archive is skipped; a later row is found before an earlier one
        duplicates: Duplicates::Last,
        // code/qcommon/files.c, FS_FilenameCompare and FS_HashFileName: a backslash is a slash
        case: Case::Ignored,
        ..ID_TECH.archives
    },
    zips: Zips {
        // code/qcommon/unzip.c, unzlocal_SearchCentralDir
        refused: list![ZipForm::Zip64, ZipForm::LongComment],
        parts: NameParts::Slashes,
        ..ID_TECH.zips
    },
    loose: Loose { position: LoosePosition::Above, ..ID_TECH.loose },
    requests: Requests {
        // code/qcommon/files.c, FS_FOpenFileReadDir: one slash at the start is dropped
        backslash: Backslash::Slash,
        leading_slash: PathRule::FirstDropped,
        // code/qcommon/cmd.c, Cmd_Exec_f, with which the engine was tested, adds an extension to such a name
        trailing_slash: PathRule::Refused,
        // code/qcommon/files.c, FS_FOpenFileReadDir and FS_FOpenFileRead
        refused: texts!["..", "::"],
        loose_only: texts!["autoexec.cfg", "q3config.cfg"],
        // code/sys/sys_win32.c, Sys_FOpen
        end_on_windows: PathRule::ArchivesOnly,
        ..ID_TECH.requests
    },
    limits: NO_LIMIT,
    stops: stops![OddGame, Pipe],
    // code/sys/sys_unix.c, Sys_HomeDataPath and Sys_ShouldUseLegacyHomePath; older sources have only .q3a.
    // code/sys/sys_win32.c, Sys_DefaultHomePath
    user: Some(UserDirectory {
        linux: texts![".local/share/Quake3", ".q3a"],
        macos: texts!["Library/Application Support/Quake3"],
        windows: texts!["AppData/Roaming/Quake3"],
        ..ALWAYS
    }),
    // code/renderergl1/tr_image.c, R_LoadImage and imageLoaders; code/client/snd_codec.c, S_CodecGetSound (seen, with
    // missing images and music)
    substitutes: list![
        Substitute {
            names: texts!["{file}", "{stem}.{tga,jpg,jpeg,png,pcx,bmp}"],
            beside: texts![],
            ..TEXTURE
        },
        Substitute { names: texts!["{file}", "{stem}.{wav,ogg,opus}"], ..MUSIC },
    ],
    ..ID_TECH
};

pub(super) const QUAKE3E: Rules = Rules {
    directories: Directories {
        // code/qcommon/files.c, FS_Startup: fs_basegame; OpenArena is played on this engine with `+set fs_basegame baseoa`
        base_games: Games::Every,
        stand_ins: list![stand_in("baseq3", "baseoa")],
        ..IOQUAKE3.directories
    },
    // code/qcommon/files.c, FS_ReorderSearchPaths: archives and folders like them, then directories
    loose: Loose { position: LoosePosition::Lowest, ..IOQUAKE3.loose },
    // code/unix/unix_shared.c, Sys_DefaultHomePath; code/win32/win_shared.c
    user: Some(UserDirectory {
        linux: texts![".q3a"],
        macos: texts!["Library/Application Support/Quake3"],
        windows: texts!["AppData/Roaming/Quake3"],
        ..ALWAYS
    }),
    ..IOQUAKE3
};

pub(super) const OPENARENA: Rules = Rules {
    // code/qcommon/q_shared.h, BASEGAME and HOMEPATH_NAME_UNIX of OpenArena's build
    directories: Directories { base: texts!["baseoa"], ..IOQUAKE3.directories },
    user: Some(UserDirectory {
        linux: texts![".openarena"],
        macos: texts!["Library/Application Support/OpenArena"],
        windows: texts!["AppData/Roaming/OpenArena"],
        ..ALWAYS
    }),
    ..IOQUAKE3
};
