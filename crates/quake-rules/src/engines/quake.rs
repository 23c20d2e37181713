//! id Software's Quake, and the rules that most engines inherit from it.

use std::borrow::Cow::Borrowed;

use pak_format::Layout;

use super::parts::{
    ANY_LENGTH, ID1, ONLY_UNREADABLE, POP, TO_THE_GAP, also_stops, list, mission, most_entries, words,
};
use crate::{
    Archives, Backslash, Case, CutDirectory, Directories, DiskNames, DuplicateMention, Duplicates,
    EngineStop, Games, Hidden, Limits, Loose, LooseBytes, LooseCase, LoosePosition, Mission, MissionsTaken,
    MoreBases, NameParts, NestedPaks, Obstacles, Paks, PartialRow, PathRule, Registered, Requests, Rules,
    Shareware, SharewareLoose, TooMany, Unterminated, WrongArchive, ZipNames, Zips,
};

/// The common rules of id Software's engines and their descendants. Each row lists only the differences.
///
/// Source: id's WinQuake of 1999, `WinQuake/common.c`; Quake II keeps the same in `qcommon/files.c`.
pub(super) const ID_TECH: Rules = Rules {
    name: Borrowed(""),
    directories: Directories {
        // GAMENAME in quakedef.h
        base: ID1,
        stand_ins: Borrowed(&[]),
        // COM_InitFilesystem: COM_CheckParm finds the first -game
        games: Games::First,
        most_games: None,
        // the name is joined to the base directory and given to the operating system
        game_case: Case::Exact,
        odd_games: Borrowed(&[]),
        game_folders: Borrowed(&[Borrowed("{}")]),
        suffixes: Borrowed(&[]),
        // COM_AddGameDirectory makes each directory that it adds com_gamedir, where files are written
        read_only: Borrowed(&[]),
        // a directory that is added again is searched there first
        named_again: DuplicateMention::MovesUp,
        missions: Borrowed(&[]),
        missions_taken: MissionsTaken::Every,
        base_games: Games::Ignored,
        // COM_InitFilesystem: COM_CheckParm finds the first -basedir
        more_bases: MoreBases::Ignored,
        program_folder: None,
    },
    archives: Archives {
        // COM_AddGameDirectory puts each archive at the head of the search path
        sets: TO_THE_GAP,
        own: Borrowed(&[]),
        hidden: Hidden::Seen,
        nested_paks: NestedPaks::Ignored,
        wrong: WrongArchive::Skipped,
        // COM_FindFile compares with strcmp, starting at the first row
        case: Case::Exact,
        duplicates: Duplicates::First,
    },
    paks: Paks {
        // COM_LoadPackFile divides the directory's size by sizeof(dpackfile_t)
        layout: Some(Layout::Quake),
        partial_row: PartialRow::Ignored,
        // COM_LoadPackFile does not check how much it reads
        cut_directory: CutDirectory::WholeRows,
        furthest_entry: None,
        // COM_LoadPackFile copies the name with strcpy, which reads past the field
        parts: NameParts::AsStored,
        unterminated: Unterminated::RunsOn,
    },
    zips: Zips {
        refused: Borrowed(&[]),
        dropped: Borrowed(&[]),
        longest_name: None,
        names: ZipNames::AsStored,
        parts: NameParts::AsStored,
    },
    // COM_AddGameDirectory adds the directory before its archives; COM_FindFile joins path and request and opens that
    loose: Loose {
        position: LoosePosition::Below,
        case: LooseCase::Exact,
        hidden: Hidden::Seen,
        bytes: LooseBytes::Any,
        hides: ONLY_UNREADABLE,
    },
    requests: Requests {
        backslash: Backslash::Literal,
        leading_slash: PathRule::Literal,
        dot_component: PathRule::Literal,
        empty_component: PathRule::Literal,
        hidden_component: PathRule::Literal,
        trailing_slash: PathRule::ArchivesOnly,
        longest: ANY_LENGTH,
        instead: Borrowed(&[]),
        end_on_windows: PathRule::Literal,
        refused: Borrowed(&[]),
        loose_only: Borrowed(&[]),
        disk_names: DiskNames::Unix,
    },
    // MAX_FILES_IN_PACK; MAX_QPATH in quakedef.h is 64 with the NUL
    limits: Limits {
        entries: Some(most_entries(2048, TooMany::Loaded)),
        name: 63,
        path: None,
        archives: None,
    },
    // COM_LoadPackFile: Sys_Error at a wrong magic and at too many files
    stops: Borrowed(&[EngineStop::WrongArchive, EngineStop::TooManyEntries]),
    registered: None,
    user: None,
    companions: Borrowed(&[]),
    text: None,
    substitutes: Borrowed(&[]),
    console: None,
};

pub(super) fn winquake(rules: &mut Rules) {
    // WinQuake/common.c, COM_InitFilesystem
    rules.directories.missions = vec![mission("rogue"), mission("hipnotic")].into();
    // WinQuake/common.c, COM_FindFile: Sys_FileTime calls access(), which also finds things that Sys_FileOpenRead
    // cannot open
    rules.loose.hides = Obstacles { special: true, ..ONLY_UNREADABLE };
    // WinQuake/common.c, COM_CheckRegistered
    rules.registered = POP;
    also_stops(rules, [EngineStop::Unregistered, EngineStop::WrongRegistered]);
}

pub(super) fn quakeworld(rules: &mut Rules) {
    // QW/client/common.c, COM_InitFilesystem: the game comes from the server, through COM_Gamedir
    rules.directories.base = words(["id1", "qw"]);
    rules.directories.games = Games::Ignored;
    // QW/client/common.c, COM_CheckRegistered; without the file, COM_FindFile ignores loose files in folders
    let top_level = |shareware| Shareware { loose: SharewareLoose::TopLevel, ..shareware };
    rules.registered = POP.map(|registered| {
        let shareware = registered.shareware.map(top_level);
        Registered { shareware, ..registered }
    });
    also_stops(rules, [EngineStop::WrongRegistered]);
}

pub(super) fn joequake(rules: &mut Rules) {
    // trunk/common.c, COM_InitFilesystem: joequake above id1, then the flags in this order, then the first -game
    rules.directories.base = words(["id1", "joequake"]);
    rules.directories.missions = list([
        mission("rogue"),
        mission("hipnotic"),
        mission("quoth"),
        Mission { flag: Borrowed("machine"), directory: Borrowed("mg1") },
        mission("nehahra"),
        mission("runequake"),
    ]);
}
