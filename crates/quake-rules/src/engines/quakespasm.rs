//! QuakeSpasm, and the engines that are based on it.

use std::borrow::Cow::Borrowed;

use super::parts::{
    ANY_POP, NO_PATH, ONLY_UNREADABLE, PAK, PK3, POP, TEXTURES, WITH_QUOTH, also_stops, game_command, holds,
    instead, is, list, models_not_below, most_entries, music, no_other_model, not_below_level, others_once,
    own, sky, starts, substitute, textures, to_empty, unix_or_mac, with, words,
};
use crate::{
    ArchiveSet, Case, CutDirectory, DuplicateMention, EmptyArchive, EngineStop, Games, Gaps, InStore,
    LongZipName, LongestZipName, LoosePosition, MoreBases, Obstacles, OddGame, Order, OwnArchive, OwnPlace,
    ProgramFolder, Rules, Substitute, SubstituteBy, SubstituteKind, SubstituteRank, TooMany, UserDirectory,
    ZipEntryForm, ZipNames,
};

/// A side of a sky.
const SKY: &str = "gfx/env/{name}{part}";

pub(super) fn quakespasm(rules: &mut Rules) {
    // Quake/common.c, COM_Game_f
    rules.console = Some(game_command("game", Some(1), true, false));
    rules.companions = not_below_level();
    // Quake/gl_model.c, Mod_LoadTextures; Quake/gl_sky.c, Sky_LoadSkyBox; Quake/image.c, Image_LoadImage; Quake/bgmusic.c,
    // BGM_PlayCDtrack (all seen); Quake/gl_model.c, Mod_LoadModel and Mod_LoadAllSkins, which asks for no file
    rules.substitutes = list([
        textures(with("{tga,pcx}", TEXTURES)),
        sky(with("{tga,pcx}", &[SKY])),
        music(),
        no_other_model(),
        substitute(SubstituteKind::Skin, words([])),
    ]);
    // Quake/common.c, COM_InitFilesystem, which does not add a mission pack twice
    rules.directories.missions = WITH_QUOTH;
    rules.directories.named_again = DuplicateMention::MissionsStay;
    // Quake/common.c, COM_LoadPackFile: an archive without files is ignored, and COM_AddGameDirectory stops
    rules.archives.sets = vec![to_empty(EmptyArchive::EndsRun)].into();
    // Quake/common.c, COM_AddGameDirectory, at number 0 of the first directory, and once more at the user's copy of
    // it (seen)
    rules.archives.own = list([
        own("quakespasm.pak", OwnPlace::AboveEachFirst),
        // Quake/common.c, LOC_LoadFile: the search path, the base directory, this archive
        texts_of_remaster(),
    ]);
    // Quake/common.c, COM_InitFilesystem: a game with a slash; COM_LoadPackFile: a negative place
    rules.directories.odd_games = NO_PATH;
    // Quake/sys_sdl_unix.c, MAX_HANDLES: 32, the first is not used, and an opened file takes one
    rules.limits.archives = Some(30);
    also_stops(
        rules,
        [
            EngineStop::OddGame,
            EngineStop::NegativeDirectory,
            EngineStop::TooManyArchives,
            EngineStop::Unregistered,
            EngineStop::WrongRegistered,
        ],
    );
    // Quake/common.c, COM_CheckRegistered
    rules.registered = POP;
    // Quake/sys_sdl_unix.c, Sys_GetUserdir and SYS_USERDIR, if DO_USERDIRS is defined: not by the Makefile, but in
    // Debian's build (seen). The home folder comes from the password file and is usually $HOME. Quake/sys_sdl_win.c has
    // no user directory
    rules.user = Some(unix_or_mac(".quakespasm", "Library/Application Support/QuakeSpasm"));
}

pub(super) fn ironwail(rules: &mut Rules) {
    // Quake/common.c, COM_Game_f
    rules.console = Some(game_command("game", None, true, false));
    rules.companions = not_below_level();
    // Quake/image.c, Image_LoadImage; Quake/gl_model.c, Mod_LoadTextures and Mod_LoadModel; Quake/gl_sky.c,
    // Sky_LoadSkyBox; Quake/bgmusic.c, BGM_PlayCDtrack; documented, not run
    rules.substitutes = list([
        textures(with("{png,tga,jpg,pcx,lmp}", TEXTURES)),
        sky(with("{png,tga,jpg,pcx,lmp}", &[SKY])),
        music(),
        models_not_below(),
    ]);
    // Quake/common.c, COM_InitFilesystem
    rules.directories.missions = WITH_QUOTH;
    rules.directories.games = Games::Every;
    // Quake/common.c, COM_LoadPackFile and COM_AddGameDirectory
    rules.archives.sets = vec![to_empty(EmptyArchive::EndsRun)].into();
    // COM_AddEnginePak: the first of several base directories, after the program's folder
    rules.directories.program_folder = Some(ProgramFolder::OwnArchives);
    rules.archives.own = list([
        own("ironwail.pak", OwnPlace::AboveFirst),
        // Quake/common.c, LOC_LoadFile
        texts_of_remaster(),
    ]);
    rules.paks.cut_directory = CutDirectory::Refused;
    // Quake/common.c, COM_InitFilesystem and COM_LoadPackFile, which checks how much it reads
    rules.directories.odd_games = NO_PATH;
    rules.limits.archives = Some(30);
    also_stops(
        rules,
        [
            EngineStop::OddGame,
            EngineStop::MissingGame,
            // Quake/host_cmd.c, Modlist_Check and Modlist_FindLocal, of version 0.8.0 and later
            EngineStop::OtherGame,
            EngineStop::TooManyArchives,
            EngineStop::MissingFirstArchive,
            EngineStop::NotAFile,
            EngineStop::NegativeDirectory,
            EngineStop::CutDirectory,
            EngineStop::CutEntry,
            EngineStop::EntryOutside,
            EngineStop::Unregistered,
            EngineStop::WrongRegistered,
        ],
    );
    // Quake/common.c, COM_FindFile: in a folder, CONFIG_NAME wins over config.cfg
    rules.requests.instead = list([instead("config.cfg", "ironwail.cfg")]);
    // Quake/common.c, COM_CheckRegistered
    rules.registered = POP;
    // Quake/common.c, COM_InitBaseDir, COM_AddBaseDir and COM_AddGameDirectory; COM_InitFilesystem
    rules.directories.more_bases = MoreBases::Above;
    rules.directories.base_games = Games::Every;
    // Quake/sys_sdl_unix.c, Sys_GetUserdir, if DO_USERDIRS is defined; Quake/quakedef.h, ENGINE_USERDIR_UNIX. It is the
    // last base directory. COM_InitBaseDir and Sys_GetAltUserPrefDir: another folder, if -basedir is not given and the
    // engine finds the game in a store's library
    rules.user = Some(UserDirectory {
        in_store: Some(InStore {
            linux: Borrowed(".ironwail/.{}"),
            macos: Borrowed("Library/Application Support/Ironwail/.{}"),
            windows: Borrowed("Saved Games/Ironwail/{}"),
        }),
        ..unix_or_mac(".ironwail", "Library/Application Support/Ironwail")
    });
}

pub(super) fn qss(rules: &mut Rules) {
    // Quake/common.c, COM_Game_f
    rules.console = Some(game_command("game", None, true, false));
    rules.companions = not_below_level();
    // Quake/image.c, Image_LoadImage, which tries a name, then textures/ and the name, then textures/ and its last
    // part, and at the end a .lmp; Quake/gl_model.c, Mod_LoadTextures and Mod_LoadAllSkins; Quake/gl_sky.c,
    // Sky_LoadSkyBox; Quake/bgmusic.c, BGM_PlayCDtrack; documented, not run
    let pictures = |stems: [&str; 3]| {
        let mut names = with("{dds,tga,png,jpeg,jpg,pcx}", &stems);
        names.extend(with("lmp", &stems[..1]));
        names
    };
    let [of_level, of_all] = ["textures/{level}/{name}", "textures/{name}"];
    let mut in_folders = pictures([of_level, "textures/textures/{level}/{name}", of_all]);
    // then in the folder for all levels, which was seen
    in_folders.extend(with("{dds,tga,png,jpeg,jpg,pcx}", &["textures/textures/{name}"]));
    in_folders.extend(with("lmp", &[of_all]));
    let sides = pictures([SKY, "textures/gfx/env/{name}{part}", "textures/{name}{part}"]);
    let skins = pictures(["{name}", "textures/{name}", "textures/{base}"]);
    rules.substitutes =
        list([textures(in_folders), sky(sides), music(), substitute(SubstituteKind::Skin, skins)]);
    // Quake/common.c, COM_InitFilesystem: the loop of COM_CheckParmNext over -game
    rules.directories.missions = WITH_QUOTH;
    rules.directories.games = Games::Every;
    rules.directories.named_again = DuplicateMention::LooseMoveUp;
    // Quake/common.c, COM_Game_f and COM_InitFilesystem: a path inside the base directory is accepted
    rules.directories.odd_games = list([
        OddGame::Refused(is("")),
        OddGame::Refused(is(".")),
        OddGame::Refused(holds("..")),
        OddGame::Refused(starts("/")),
        OddGame::Refused(holds("\\")),
        OddGame::Refused(holds(":")),
    ]);
    // Quake/common.c, COM_AddGameDirectory: pakN.pak and pakN.pk3, then COM_ListSystemFiles for each extension,
    // in the disk's order; an archive that is loaded already is skipped, without case
    let numbered = ArchiveSet::Numbered {
        extensions: words(["pak", "pk3"]),
        count: None,
        gaps: Gaps::Stop { empty: EmptyArchive::EndsRun },
        capitals: false,
    };
    rules.archives.sets = vec![
        numbered,
        others_once(PAK, Case::Ignored, Order::Listed),
        others_once(PK3, Case::Ignored, Order::Listed),
    ]
    .into();
    rules.archives.own = list([own("quakespasm.pak", OwnPlace::AboveEachFirst)]);
    // COM_AddGameDirectory links the directory after its archives
    rules.loose.position = LoosePosition::Above;
    // Quake/fs_zip.c lower-cases the names, and COM_FindFile does not lower-case the request
    rules.zips.names = ZipNames::LowerCased;
    // a drive letter finds nothing (seen)
    rules.requests.refused = words([":"]);
    // Quake/fs_zip.c, FSZIP_EnumerateCentralDirectory: flags, method and attributes of each row
    rules.zips.dropped = list([
        ZipEntryForm::Encrypted,
        ZipEntryForm::OtherMethod,
        ZipEntryForm::Link,
        ZipEntryForm::NotAscii,
    ]);
    rules.zips.longest_name = Some(LongestZipName { most: 63, then: LongZipName::Dropped });
    // Quake/common.c, COM_FindFile: a folder is opened like a file; a file that cannot be opened is ignored
    rules.loose.hides = Obstacles { folder: true, unreadable: false, ..ONLY_UNREADABLE };
    // Quake/common.c, MAX_FILES_IN_PACK
    rules.limits.entries = Some(most_entries(4096, TooMany::Loaded));
    // Quake/common.c, COM_LoadPackFile; Quake/fs_zip.c writes past a block if it has to shift offsets
    also_stops(
        rules,
        [
            EngineStop::OddGame,
            EngineStop::NegativeDirectory,
            EngineStop::BytesInFront,
            EngineStop::Pipe,
            EngineStop::Unregistered,
            EngineStop::WrongRegistered,
        ],
    );
    // Quake/common.c, COM_CheckRegistered
    rules.registered = POP;
    // Quake/sys_sdl_unix.c, Sys_GetUserdir, as in QuakeSpasm
    rules.user = Some(unix_or_mac(".quakespasm", "Library/Application Support/QuakeSpasm"));
}

pub(super) fn qss_m(rules: &mut Rules) {
    qss(rules);
    // Quake/common.c, COM_InitFilesystem and COM_AddGameDirectory: the archive of the remaster lowest, qssm.pak beside
    // quakespasm.pak, and folders instead of numbered archives
    rules.archives.own = list([
        own("QuakeEX.kpf", OwnPlace::Lowest),
        own("quakespasm.pak", OwnPlace::AboveEachFirst),
        own("qssm.pak", OwnPlace::AboveEachFirst),
    ]);
    if let Some(ArchiveSet::Numbered { extensions, .. }) = rules.archives.sets.to_mut().first_mut() {
        *extensions = words(["pak", "pakdir", "pk3", "pk3dir"]);
    }
}

pub(super) fn vkquake(rules: &mut Rules) {
    // Quake/common.c, COM_Game_f
    rules.console = Some(game_command("game", None, true, false));
    rules.companions = not_below_level();
    // Quake/image.c, Image_LoadImage; Quake/gl_model.c, Mod_LoadTextureTask, Mod_LoadModel and Mod_LoadSkinTask;
    // Quake/gl_sky.c, Sky_LoadSkyBox; Quake/bgmusic.c, BGM_PlayCDtrack; documented, not run
    let in_highest = |row| Substitute { decides: SubstituteBy::Directory, ..row };
    let pictures = "{png,tga,jpg,pcx,lmp}";
    let skins = with(pictures, &["{name}", "progs/{name}", "textures/{name}"]);
    rules.substitutes = list([
        in_highest(textures(with(pictures, TEXTURES))),
        in_highest(sky(with(pictures, &[SKY]))),
        music(),
        models_not_below(),
        in_highest(Substitute {
            rank: SubstituteRank::NotBelowDirectory,
            beside: words(["_glow", "_luma"]),
            ..substitute(SubstituteKind::Skin, skins)
        }),
    ]);
    // Quake/common.c, COM_InitFilesystem
    rules.directories.missions = WITH_QUOTH;
    rules.directories.games = Games::Every;
    // Quake/common.c, COM_LoadPackFile and COM_AddGameDirectory
    rules.archives.sets = vec![to_empty(EmptyArchive::EndsRunUnlessFirst)].into();
    // Quake/common.c, LOC_LoadFile
    rules.archives.own = list([texts_of_remaster()]);
    // Quake/common.c, COM_InitFilesystem, COM_LoadPackFile and Sys_FileRead
    let semicolon = OddGame::Refused(holds(";"));
    rules.directories.odd_games = NO_PATH.iter().cloned().chain([semicolon]).collect();
    also_stops(
        rules,
        [EngineStop::OddGame, EngineStop::NotAFile, EngineStop::NegativeDirectory, EngineStop::Unregistered],
    );
    // Quake/common.c, COM_FindFile: in a folder, CONFIG_NAME wins over config.cfg
    rules.requests.instead = list([instead("config.cfg", "vkQuake.cfg")]);
    // Quake/common.c, COM_CheckRegistered, which does not compare the bytes
    rules.registered = ANY_POP;
    // Quake/common.c, COM_InitFilesystem: the user folder of the remaster is added before the base directory. Only the
    // first -basedir counts there, so further ones play the role of that folder; from the source, not run
    rules.directories.more_bases = MoreBases::Below;
    rules.directories.base_games = Games::Every;
    // Quake/sys_sdl_unix.c, Sys_GetUserdir, if DO_USERDIRS is defined
    rules.user = Some(unix_or_mac(".vkquake", "Library/Application Support/vkQuake"));
}

/// The remaster's archive, which contains its texts.
fn texts_of_remaster() -> OwnArchive {
    OwnArchive { only: words(["localization/loc_english.txt"]), ..own("QuakeEX.kpf", OwnPlace::Lowest) }
}
