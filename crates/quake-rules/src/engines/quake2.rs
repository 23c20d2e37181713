//! Quake II, and the games on its engine.

use std::borrow::Cow::Borrowed;

use pak_format::Layout;

use super::parts::{
    BASEQ2, CLEANED, NO_LIMIT, ONLY_UNREADABLE, SINGLE_FILE_NAME, TEN, also_stops, companion, game_command,
    is, list, most_entries, numbered, others, sky, substitute, unix_or_mac, words,
};
use crate::{
    ArchiveSet, Backslash, Case, Companion, CutDirectory, Duplicates, EngineStop, GameName, Games, Gaps,
    Hidden, Limits, LoadOrderCase, LongZipName, LongestZipName, LooseBytes, LooseCase, LoosePosition,
    NameParts, Obstacles, OddGame, Order, PartialRow, PathRule, ProgramFolder, Requests, Rules,
    SubstituteKind, TooMany, Unterminated, UserDirectory, UserLookedAt, ZipEntryForm, ZipForm,
};

/// A side of a sky.
const SKY: &str = "env/{name}{part}.{tga,pcx}";

pub(super) fn quake2(rules: &mut Rules) {
    // qcommon/files.c, FS_InitFilesystem and FS_SetGamedir
    rules.directories.base = BASEQ2;
    rules.directories.games = Games::Last;
    // qcommon/files.c, FS_SetGamedir
    rules.directories.odd_games = SINGLE_FILE_NAME;
    // qcommon/files.c, FS_AddGameDirectory
    rules.archives.sets = TEN;
    // qcommon/files.c, FS_FOpenFile: Q_strcasecmp
    rules.archives.case = Case::Ignored;
    // qcommon/qfiles.h, MAX_FILES_IN_PACK; q_shared.h, MAX_OSPATH, to which FS_FOpenFile cuts a path
    rules.limits.entries = Some(most_entries(4096, TooMany::Loaded));
    rules.limits.path = Some(127);
    // qcommon/files.c, FS_Read: fails if it reads no bytes
    also_stops(rules, [EngineStop::CutEntry, EngineStop::FolderAsFile]);
    // ref_gl/gl_warp.c, R_SetSky; ref_soft/r_main.c asks for the .pcx
    rules.substitutes = list([sky(words([SKY]))]);
}

pub(super) fn yquake2(rules: &mut Rules) {
    // src/common/filesystem.c, FS_InitFilesystem and FS_BuildRawPath
    rules.directories.program_folder = Some(ProgramFolder::Base);
    // src/common/filesystem.c, FS_SetGamedir
    rules.console = Some(game_command("set game", Some(1), false, false));
    // src/common/collision.c, CMod_LoadEntityString
    rules.companions = list([companion(["{level}@{crc}.ent", "{level}.ent"])]);
    // src/client/refresh/gl3/gl3_image.c, GL3_FindImage, and src/client/refresh/files/stb.c, LoadSTB, with
    // gl_retexturing, which is on; src/client/refresh/gl3/gl3_warp.c, GL3_SetSky; documented, not run
    let pictures = |of, name| substitute(of, words([name]));
    rules.substitutes = list([
        pictures(SubstituteKind::Texture, "textures/{name}.{tga,png,jpg,wal}"),
        sky(words([SKY])),
        pictures(SubstituteKind::Skin, "{stem}.{tga,png,jpg,pcx}"),
    ]);
    // src/common/filesystem.c, FS_BuildGameSpecificSearchPath
    rules.directories.base = BASEQ2;
    rules.directories.games = Games::Last;
    // src/common/filesystem.c, FS_BuildGameSpecificSearchPath; src/common/cmdparser.c cuts a command at a semicolon
    let mut odd_games = vec![OddGame::CutAt(Borrowed(";"))];
    odd_games.extend_from_slice(&SINGLE_FILE_NAME);
    rules.directories.odd_games = odd_games.into();
    // src/common/filesystem.c, FS_AddDirToSearchPath: the numbered archives of each type, then the others in the disk's
    // order, except names that differ from a numbered one only in case
    let types = ["pak", "pk2", "pk3", "pkz", "zip"].map(|extension| words([extension]));
    let first = types.iter().map(|extension| numbered(extension.clone(), Some(100), Gaps::Skip));
    let then = types.iter().map(|extension| ArchiveSet::Others {
        extensions: extension.clone(),
        extension_case: Case::Exact,
        alike: LoadOrderCase::SkipNumbered,
        order: Order::Listed,
    });
    rules.archives.sets = first.chain(then).collect();
    // src/common/filesystem.c, FS_FOpenFile: a file that cannot be opened is ignored
    rules.loose.hides.unreadable = false;
    // src/common/unzip, unzlocal_SearchCentralDir
    rules.zips.refused = list([ZipForm::LongComment]);
    rules.zips.longest_name = Some(LongestZipName { most: 63, then: LongZipName::Dropped });
    // src/common/filesystem.c, FS_LoadPAK, FS_LoadPK3, FS_FOpenFile and FS_Read
    rules.stops = list([
        EngineStop::WrongArchive,
        EngineStop::NegativeDirectory,
        EngineStop::EmptyArchive,
        EngineStop::CutEntry,
        EngineStop::BadZipEntry,
        EngineStop::LongZipName,
    ]);
    // src/common/filesystem.c, FS_FOpenFile: Q_stricmp in archives; on disk the name, then the name in lower case
    rules.archives.case = Case::Ignored;
    rules.loose.case = LooseCase::ExactThenLower;
    // src/common/filesystem.c, FS_FOpenFile cleans the request
    rules.requests = Requests { longest: 63, ..CLEANED };
    // src/common/header/files.h, MAX_FILES_IN_PACK; FS_LoadPAK prints a message
    rules.limits.entries = Some(most_entries(4096, TooMany::Loaded));
    // src/backends/unix/system.c and src/backends/windows/system.c, Sys_GetHomeDir; CFGDIR in
    // src/common/header/common.h
    rules.user = Some(UserDirectory {
        linux: words([".yq2"]),
        macos: words([".yq2"]),
        windows: words(["Documents/YamagiQ2"]),
        looked_at: UserLookedAt::Always,
        in_store: None,
    });
}

pub(super) fn q2pro(rules: &mut Rules) {
    // src/refresh/sky.c, R_SetSky; documented, not run
    rules.substitutes = list([sky(words([SKY]))]);
    // src/common/cmodel.c, load_entstring_override
    let entities = companion(["{level}@{crc}.ent", "{level}.ent"]);
    let setting = Some(Borrowed("map_override_path maps"));
    rules.companions = list([Companion { setting, ..entities }]);
    // src/common/files.c, fs_game_changed
    rules.directories.base = BASEQ2;
    rules.directories.games = Games::Last;
    // src/common/files.c, fs_game_changed: COM_IsPath and MAX_QPATH
    rules.directories.odd_games = list([
        OddGame::Ignored(is("")),
        OddGame::Ignored(GameName::OtherThan(Borrowed("_-"))),
        OddGame::Ignored(GameName::Longer(63)),
    ]);
    // src/common/files.c, add_game_dir, sorted by pakcmp
    rules.archives.sets = vec![others(words(["pak", "pkz"]), Case::Ignored, Order::NumberThenName)].into();
    rules.archives.hidden = Hidden::Skipped;
    // src/common/files.c, load_pak_file: a wrong archive is skipped; the number of files is unlimited
    rules.paks.partial_row = PartialRow::Refused;
    rules.paks.cut_directory = CutDirectory::Refused;
    rules.paks.furthest_entry = Some(i32::MAX.unsigned_abs());
    rules.limits = NO_LIMIT;
    // src/common/files.c, load_pak_file and load_zip_file normalise each name
    rules.paks.parts = NameParts::Cleaned;
    rules.paks.unterminated = Unterminated::Whole;
    // src/common/files.c, load_zip_file
    rules.zips.refused = list([ZipForm::CountTooLarge]);
    rules.zips.parts = NameParts::Cleaned;
    rules.zips.dropped = list([ZipEntryForm::Empty]);
    // src/common/files.c, pack_hash_file: a later row is found before an earlier one, and FS_HashPath ignores case
    rules.archives.case = Case::Ignored;
    rules.archives.duplicates = Duplicates::Last;
    // src/common/files.c: open_from_disk is called with the name, then with the name in lower case
    rules.loose.case = LooseCase::ExactThenLower;
    // src/common/files.c, open_from_disk: FS_ValidatePath, and any error but ENOENT ends the search
    rules.loose.bytes = LooseBytes::Ascii;
    rules.loose.hides = Obstacles { folder: true, special: true, unreachable: true, ..ONLY_UNREADABLE };
    rules.stops = list([EngineStop::Pipe]);
    // src/common/files.c, FS_NormalizePathBuffer
    rules.requests = Requests { backslash: Backslash::Slash, trailing_slash: PathRule::Dropped, ..CLEANED };
    // src/unix/system.c, Sys_Init: HOMEDIR, which meson.build sets for builds that are installed system-wide
    rules.user = Some(unix_or_mac(".q2pro", ".q2pro"));
}

pub(super) fn sin(rules: &mut Rules) {
    // as in Quake II
    rules.substitutes = list([sky(words([SKY]))]);
    // no source is public: the folders and archives of the game as sold, and its modding documents. Skipped gaps and
    // loose files above archives are assumed, as in Quake II, on which SiN is based
    rules.directories.base = words(["base"]);
    rules.directories.games = Games::Last;
    rules.archives.sets = vec![numbered(words(["sin"]), Some(32), Gaps::Skip)].into();
    rules.loose.position = LoosePosition::Above;
    rules.archives.case = Case::Ignored;
    // the format of base/pak0.sin: rows of 128 bytes, 120 of them for the name
    rules.paks.layout = Some(Layout::Sin);
    rules.limits = Limits { entries: Some(most_entries(16384, TooMany::Loaded)), name: 119, ..NO_LIMIT };
}

pub(super) fn daikatana(rules: &mut Rules) {
    // no source is public: the folders and archives of the game as sold; the rest as in Quake II, on which Daikatana is
    // based: qcommon/files.c
    rules.substitutes = list([sky(words([SKY]))]);
    rules.directories.base = words(["data"]);
    rules.directories.games = Games::Last;
    rules.archives.sets = TEN;
    rules.archives.case = Case::Ignored;
    // Ion Storm's dkpak.exe writes rows of 72 bytes
    rules.paks.layout = Some(Layout::Daikatana);
    rules.limits.entries = Some(most_entries(4096, TooMany::Loaded));
}
