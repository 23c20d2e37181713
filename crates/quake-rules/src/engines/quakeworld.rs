//! Engines of the `QuakeWorld` community.

use std::borrow::Cow::Borrowed;

use super::parts::{
    ALL_REFUSED, NO_LIMIT, NOWHERE, ONLY_UNREADABLE, PAK, PK3, PK3DIR, SINGLE_FILE_NAME, TO_A_GAP, companion,
    game_command, is, lights, list, mission, numbered, others_once, own, sky, stand_in, substitute, textures,
    with, words,
};
use crate::{
    ArchiveSet, Backslash, Case, DuplicateMention, EngineStop, GameName, GameText, Games, Hidden, Limits,
    List, LongZipName, LongestZipName, LooseCase, LoosePosition, MissionsTaken, NameParts, NestedPaks,
    Obstacles, OddGame, Order, OwnArchive, OwnPlace, PathRule, Requests, Rules, Substitute, SubstituteBy,
    SubstituteKind, SubstituteRank, Text, USER, Unterminated, UserDirectory, UserLookedAt, ZipEntryForm,
    ZipForm, ZipNames, Zips,
};

pub(super) fn fte(rules: &mut Rules) {
    // engine/common/fs.c, FS_Gamedir_f; the flags of the command line stay in effect
    rules.console = Some(game_command("gamedir", None, false, true));
    // engine/gl/gl_model.c, Mod_LoadEntitiesBlob; a server loads no lights
    rules.companions = list([companion(["{level}.ent"])]);
    rules.substitutes = of_client();
    // engine/common/fs.c, the game's manifest: id1, qw, the mission, fte; four -game; a directory that is already on
    // the search path keeps its position
    rules.directories.base = words(["id1", "qw", "{}", "fte"]);
    // engine/common/fs.c, FS_ReadDefaultManifest: the name of the program (the server), then the default;
    // FS_Manifest_ParseTokens
    rules.text = Some(GameText::Manifest { files: words(["fteqw-sv.fmf", "default.fmf"]) });
    rules.directories.missions = list([mission("quoth"), mission("rogue"), mission("hipnotic")]);
    rules.directories.missions_taken = MissionsTaken::Highest;
    rules.directories.games = Games::Every;
    rules.directories.most_games = Some(4);
    rules.directories.named_again = DuplicateMention::Stays;
    rules.directories.game_case = Case::Ignored;
    // engine/common/fs.c, FS_GamedirIsOkay
    let empty = is("");
    let holds = ["/", "\\", ":", "$", "\"", ".."].map(|text| GameName::Holds(Borrowed(text)));
    let starts =
        [".", "downloads", "docs", "help", "bin", "lib"].map(|text| GameName::Starts(Borrowed(text)));
    rules.directories.odd_games =
        holds.into_iter().chain(starts).chain([empty]).map(OddGame::Ignored).collect();
    // engine/common/fs.c, the archive of the remaster, whose manifest has no qw
    rules.archives.own =
        list([OwnArchive { instead_of: Some(Borrowed("qw")), ..own("QuakeEX.kpf", OwnPlace::Lowest) }]);
    // engine/common/fs.c, FS_AddDataFiles: numbered runs of each format, then the wildcards, then folders; an
    // archive that is loaded already is skipped, without case; FS_AddDataFiles in an archive
    rules.archives.sets = vec![
        numbered(PAK, None, TO_A_GAP),
        numbered(PK3, None, TO_A_GAP),
        others_once(PAK, Case::Ignored, Order::IgnoreCase),
        others_once(PK3, Case::Ignored, Order::IgnoreCase),
        others_once(PK3DIR, Case::Ignored, Order::IgnoreCase),
    ]
    .into();
    rules.archives.hidden = Hidden::Skipped;
    rules.archives.nested_paks = NestedPaks::Below;
    // engine/common/fs.c, FS_AddGameDirectory
    rules.loose.position = LoosePosition::Above;
    // engine/common/fs_pak.c, FSPAK_LoadArchive: unlimited files, and a wrong archive is skipped
    rules.stops = Borrowed(&[]);
    // engine/common/common.c, COM_CleanUpPath, which FSPAK_LoadArchive in engine/common/fs_pak.c calls for each name
    rules.paks.parts = NameParts::WithoutParents;
    rules.paks.unterminated = Unterminated::Whole;
    // engine/common/fs_zip.c, FSZIP_EnumerateCentralDirectory: names are converted to UTF-8, into MAX_QPATH bytes
    rules.zips = Zips {
        refused: list([ZipForm::CountTooLarge]),
        dropped: list([ZipEntryForm::Utf8Flag, ZipEntryForm::NotAscii]),
        longest_name: Some(LongestZipName { most: 127, then: LongZipName::Cut }),
        names: ZipNames::AsStored,
        parts: NameParts::Slashes,
    };
    // engine/common/fs_pak.c and fs_zip.c: hashes of names without case
    rules.archives.case = Case::Ignored;
    // engine/common/fs.c, FS_GetCleanPath
    rules.requests = Requests {
        backslash: Backslash::Slash,
        empty_component: PathRule::Dropped,
        hidden_component: PathRule::Refused,
        refused: words([":"]),
        ..ALL_REFUSED
    };
    // MAX_QPATH is 128
    rules.limits = Limits { name: 127, ..NO_LIMIT };
    // engine/common/fs.c, FS_GetBestHomeDir: the name of the game's manifest below $XDG_DATA_HOME, or with a dot below
    // $HOME; older sources have .fte. The engine also uses it if it cannot write to the base directory
    rules.user = Some(UserDirectory {
        linux: words([".local/share/quake", ".quake", ".fte"]),
        windows: words(["AppData/Local/FTE Quake", "Saved Games/FTE Quake", "Documents/My Games/FTE Quake"]),
        looked_at: UserLookedAt::WhereThere,
        ..NOWHERE
    });
}

pub(super) fn mvdsv(rules: &mut Rules) {
    // src/sv_ccmds.c, SV_Gamedir_f
    rules.console = Some(game_command("gamedir", Some(1), false, false));
    // src/fs.c, FS_InitEx; FS_AddGameDirectory returns if a directory is already loaded
    rules.directories.base = words(["id1", "qw"]);
    rules.directories.named_again = DuplicateMention::Stays;
    // src/fs.c, FS_SetGamedir
    rules.directories.odd_games = SINGLE_FILE_NAME;
    // src/fs.c, FS_AddDataFiles: the numbered run, then the others in the disk's order, and the same in each
    // archive. FS_AddWildDataFiles skips an archive that is loaded already, without case
    rules.archives.sets =
        vec![numbered(PAK, None, TO_A_GAP), others_once(PAK, Case::Exact, Order::Listed)].into();
    rules.archives.hidden = Hidden::Skipped;
    rules.archives.nested_paks = NestedPaks::Above;
    // src/vfs_pak.c: an unreadable archive is skipped; the number of files is unlimited; src/fs.c, MAX_OSPATH
    rules.limits = Limits { path: Some(127), ..NO_LIMIT };
    // src/fs.c, FS_FLocateFile: the hash of all names ignores case; opening a file on disk does not
    rules.archives.case = Case::Ignored;
    rules.loose.case = LooseCase::ExactHidesOthers;
    // src/fs.c, FSOS_BuildHash: ignores names that begin with a dot; everything else except a folder is a file
    rules.loose.hidden = Hidden::Skipped;
    rules.loose.hides = Obstacles { special: true, dangling_link: true, ..ONLY_UNREADABLE };
    rules.stops = list([EngineStop::Pipe]);
    // src/fs.c, FS_GetCleanPath
    rules.requests = Requests {
        backslash: Backslash::Slash,
        dot_component: PathRule::ArchivesOnly,
        empty_component: PathRule::ArchivesOnly,
        refused: words([":"]),
        ..ALL_REFUSED
    };
}

/// Replacement files of the client. A server loads none of these.
fn of_client() -> List<Substitute> {
    // engine/client/image.c, r_defaultimageextensions, tex_path, Image_LocateHighResTexture and
    // Image_LoadCubemapTextureData; engine/gl/gl_warp.c, R_SetSky; engine/gl/gl_shader.c, R_BuildLegacyTexnums;
    // engine/client/m_mp3.c, Media_CleanupTrackName; engine/gl/gl_model.c, Mod_LoadModelWorker with r_replacemodels;
    // documented, not run. A sky in one file wins over one in six files and is not in the row
    let pictures = "{dds,ktx,tga,png,jpg,pcx}";
    let in_folders = ["textures/{level}/{name}", "{level}/{name}", "textures/{name}", "override/{name}"];
    let ends = [words(["dds/{name}.dds"]), words(["{name}.lmp"])];
    let texture_names = [&*ends[0], &with(pictures, &in_folders), &*ends[1]].concat();
    let sides = |of: [&'static str; 6]| words(of);
    let tracks =
        ["music/track{nnn}", "music/track{nn}", "sound/cdtracks/track{nnn}", "sound/cdtracks/track{nn}"];
    let names = ["music/{name}", "sound/cdtracks/{name}", "{name}"];
    // the name without an extension comes first
    let formats = |name: &&str| Text::from(format!("{name}{{,.opus,.ogg,.mp3,.wav,.flac}}"));
    let tracks: Vec<_> = tracks.iter().chain(&names).map(formats).collect();
    let by_layer = |row| Substitute { decides: SubstituteBy::Layer, ..row };
    list([
        by_layer(Substitute { beside: words(["_luma", "_glow"]), ..textures(texture_names) }),
        Substitute {
            parts: list([
                sides(["_rt", "_lf", "_bk", "_ft", "_up", "_dn"]),
                sides(["rt", "lf", "bk", "ft", "up", "dn"]),
                sides(["_px", "_nx", "_py", "_ny", "_pz", "_nz"]),
                sides(["px", "nx", "py", "ny", "pz", "nz"]),
                sides(["_posx", "_negx", "_posy", "_negy", "_posz", "_negz"]),
                sides(["posx", "negx", "posy", "negy", "posz", "negz"]),
            ]),
            ..sky(with(pictures, &["{name}{part}", "env/{name}{part}", "gfx/env/{name}{part}"]))
        },
        by_layer(substitute(SubstituteKind::Music, tracks)),
        Substitute {
            named: words(["mdl", "md2", "md3", "bsp"]),
            rank: SubstituteRank::NotBelowLayer,
            ..substitute(SubstituteKind::Model, words(["{stem}.{md3,md2}", "{name}"]))
        },
    ])
}

pub(super) fn ezquake(rules: &mut Rules) {
    mvdsv(rules);
    rules.console = None;
    // src/fs.c, FS_InitFilesystemEx: id1, ezquake, qw, the user's directory itself, then the first -game or +gamedir;
    // FS_AddUserDirectory. FS_SetGamedir refuses a path
    rules.directories.base = words(["id1", "ezquake", "qw", USER]);
    rules.directories.stand_ins = list([stand_in("id1", "ID1")]);
    // src/vfs_pak.c and src/fs.c, FS_AddDataFiles: for each kind the numbered run and the others
    let of = |extensions: List<Text>| {
        let numbered = ArchiveSet::Numbered {
            extensions: extensions.clone(),
            count: None,
            gaps: TO_A_GAP,
            capitals: true,
        };
        [numbered, others_once(extensions, Case::Exact, Order::Listed)]
    };
    rules.archives.sets = [PAK, PK3, words(["pk4"])].into_iter().flat_map(of).collect();
    rules.limits = NO_LIMIT;
    // src/fs.c, FS_AddUserPaks; from the source, not run
    rules.text = Some(GameText::ArchiveList { file: Borrowed("pak.lst"), skipped: Borrowed("soft") });
    // src/r_brushmodel_load.c, Mod_LoadLighting; from the source, not run
    rules.companions = list([lights(["maps/lits/{name}.lit", "maps/{name}.lit", "lits/{name}.lit"])]);
    // src/fs.c, FS_OpenVFS: if nothing is found, a file in com_gamedir is opened
    rules.requests.leading_slash = PathRule::GameFolder;
    rules.requests.dot_component = PathRule::GameFolder;
    rules.requests.empty_component = PathRule::GameFolder;
    // src/sys_posix.c, Sys_HomeDirectory; -nohome turns it off
    rules.user =
        Some(UserDirectory { linux: words([".ezquake"]), looked_at: UserLookedAt::Always, ..NOWHERE });
}
