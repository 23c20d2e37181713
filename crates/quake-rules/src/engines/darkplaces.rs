//! DarkPlaces.

use std::borrow::Cow::Borrowed;

use super::parts::{
    ALL_REFUSED, ANY_POP, NO_LIMIT, NOWHERE, PAK, TEXTURES, companion, game_command, holds, lights, list,
    mission, most_entries, no_other_model, others_once, sky, starts, substitute, textures, with, words,
};
use crate::{
    Case, CutDirectory, DuplicateMention, Duplicates, EngineStop, GameName, Games, Limits, LongZipName,
    LongestZipName, LoosePosition, MissionsTaken, NameParts, OddGame, Order, PartialRow, Requests, Rules,
    Substitute, SubstituteKind, Text, TooMany, Unterminated, UserDirectory, UserLookedAt, ZipEntryForm,
    ZipForm, ZipNames, Zips,
};

pub(super) fn darkplaces(rules: &mut Rules) {
    // fs.c, FS_GameDir_f
    rules.console = Some(game_command("gamedir", None, false, false));
    // model_brush.c, Mod_Q1BSP_LoadLighting; sv_main.c, SV_SpawnServer
    rules.companions = list([lights(["{level}.lit"]), companion(["{level}.ent"])]);
    // image.c, loadimagepixelsbgra with imageformats_textures, _nopath, _gfx and _other; model_brush.c,
    // Mod_Q1BSP_LoadTextures; model_alias.c, Mod_IDP0_Load; cd_shared.c, CDAudio_Play_byName; documented, not run: a
    // server loads none of these
    let pictures = "{tga,png,jpg,pcx}";
    let skins = substitute(SubstituteKind::Skin, with(pictures, &["{stem}"]));
    rules.substitutes = list([
        textures(with("{tga,png,jpg,pcx,wal}", TEXTURES)),
        skies(pictures),
        substitute(SubstituteKind::Music, tracks()),
        no_other_model(),
        Substitute { beside: words(["_glow", "_luma"]), ..skins },
    ]);
    // fs.c, FS_Init: every -game; FS_AddPack_Fullpath skips an archive that is loaded already, but not a folder,
    // because it keeps folders under another name
    rules.directories.games = Games::Every;
    rules.directories.named_again = DuplicateMention::LooseMoveUp;
    // com_game.c, COM_InitGameType: the first game mode whose flag is given; fs.c, MAX_GAMEDIRS
    rules.directories.missions = list([mission("hipnotic"), mission("rogue"), mission("quoth")]);
    rules.directories.missions_taken = MissionsTaken::Highest;
    rules.directories.most_games = Some(17);
    // fs.c, FS_CheckGameDir: a nasty name
    rules.directories.odd_games = list([
        OddGame::Refused(holds("..")),
        OddGame::Refused(holds("./")),
        OddGame::Refused(holds("//")),
        OddGame::Refused(holds("\\")),
        OddGame::Refused(starts("/")),
        OddGame::Refused(GameName::Ends(Borrowed("/"))),
    ]);
    // fs.c, FS_AddGameDirectory: the sorted list, all paks and then all pk3s and folders like them
    rules.archives.sets = vec![
        others_once(PAK, Case::Ignored, Order::IgnoreCase),
        others_once(words(["pk3", "pk3dir"]), Case::Ignored, Order::IgnoreCase),
    ]
    .into();
    // FS_AddGameDirectory puts the directory itself at the head of the search path
    rules.loose.position = LoosePosition::Above;
    // fs.c, FS_LoadPackPAK: a directory of another size than whole rows, a wrong magic and too many files
    rules.paks.partial_row = PartialRow::Refused;
    rules.paks.cut_directory = CutDirectory::Refused;
    rules.paks.unterminated = Unterminated::Cut;
    // fs.c, PK3_GetEndOfCentralDir and PK3_BuildFileList
    rules.zips = Zips {
        refused: list([ZipForm::Zip64, ZipForm::CountTooLarge]),
        dropped: list([ZipEntryForm::Encrypted, ZipEntryForm::DosFolder, ZipEntryForm::FolderName]),
        longest_name: Some(LongestZipName { most: 127, then: LongZipName::EndsDirectory }),
        names: ZipNames::AsStored,
        parts: NameParts::AsStored,
    };
    // fs.c, FS_SysOpen and FS_LoadFile: a folder has an endless size
    rules.stops = list([EngineStop::OddGame, EngineStop::FolderAsFile, EngineStop::Pipe]);
    // fs.c, FS_AddFileToPack and FS_FindFile, strcasecmp: a row is put after those of an equal name
    rules.archives.case = Case::Ignored;
    rules.archives.duplicates = Duplicates::Searched;
    // fs.c, FS_CheckNastyPath
    rules.requests = Requests { refused: words(["..", "./", ":"]), ..ALL_REFUSED };
    // fs.c, MAX_FILES_IN_PACK; qdefs.h, MAX_QPATH
    rules.limits = Limits { entries: Some(most_entries(65536, TooMany::Skipped)), name: 127, ..NO_LIMIT };
    // fs.c, FS_Rescan: registered is set if gfx/pop.lmp is found, whatever its content
    rules.registered = ANY_POP;
    // fs.c, FS_ChooseUserDir: $HOME/.darkplaces (seen). On Windows FS_Init prefers the base directory for a game
    // whose folder is id1
    rules.user =
        Some(UserDirectory { linux: words([".darkplaces"]), looked_at: UserLookedAt::Always, ..NOWHERE });
}

fn skies(pictures: &str) -> Substitute {
    // r_sky.c, R_LoadSkyBox: the first set with an existing side
    let without_folder = |stem: &str| {
        let mut names = with("{tga,png,jpg}", &[&format!("override/{stem}"), &format!("textures/{stem}")]);
        names.extend(with(pictures, &[stem]));
        names
    };
    let in_folders = with(pictures, &["env/{name}{part}", "gfx/env/{name}{part}"]);
    let names = [without_folder("{name}_{part}"), without_folder("{name}{part}"), in_folders].concat();
    let parts = list([
        words(["px", "nx", "py", "ny", "pz", "nz"]),
        words(["posx", "negx", "posy", "negy", "posz", "negz"]),
        words(["rt", "lf", "bk", "ft", "up", "dn"]),
    ]);
    Substitute { parts, ..sky(names) }
}

fn tracks() -> Vec<Text> {
    let folders = ["track{nnn}", "track{nn}"].map(|track| {
        let mut names = with("{wav,ogg}", &[&format!("sound/cdtracks/{track}")]);
        names.extend(with("ogg", &[&format!("music/{track}"), &format!("music/cdtracks/{track}")]));
        names
    });
    let mut names = folders.concat();
    names.extend(
        words(["{name}{,.wav,.ogg}", "sound/{name}{,.wav,.ogg}", "sound/cdtracks/{name}{,.wav,.ogg}"])
            .into_owned(),
    );
    names.extend(with("ogg", &["music/{name}", "music/cdtracks/{name}"]));
    names
}

pub(super) fn darkplaces_2024(rules: &mut Rules) {
    darkplaces(rules);
    // fs.c, FS_AddGameDirectory
    rules.archives.sets = vec![
        others_once(PAK, Case::Ignored, Order::IgnoreCase),
        others_once(words(["pk3", "pk3dir", "dpk", "dpkdir", "obb"]), Case::Ignored, Order::IgnoreCase),
    ]
    .into();
    // fs.c, FS_SetGameDirs: the last mention of a game counts
    rules.directories.named_again = DuplicateMention::MovesUp;
    // com_game.c, COM_ChangeGameTypeForGameDirs: the last game that is the directory of a game mode decides
    rules.directories.missions_taken = MissionsTaken::HighestUnlessGame;
}

pub(super) fn xonotic(rules: &mut Rules) {
    of_data(rules, ".xonotic");
}

pub(super) fn nexuiz(rules: &mut Rules) {
    of_data(rules, ".nexuiz");
}

/// A separate game on this engine: its directory is `data`.
fn of_data(rules: &mut Rules, user: &'static str) {
    darkplaces(rules);
    // com_game.c, gamemode_info: gamedirname1 and gameuserdirname; no other mode is of the same group
    rules.directories.base = words(["data"]);
    rules.directories.missions = Borrowed(&[]);
    rules.directories.missions_taken = MissionsTaken::Every;
    rules.registered = None;
    rules.user = Some(UserDirectory { linux: words([user]), looked_at: UserLookedAt::Always, ..NOWHERE });
}
