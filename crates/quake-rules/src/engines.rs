//! The known engines, a row of [`Rules`] each.
//!
//! To add an engine is to add a row to [`engines!`] below: its variant with a doc line, its name, its evidence, and
//! what it does otherwise than [`ID_TECH`], each fact with its source. All else follows from the row. The tests of this
//! folder then ask for the new engine's line in their tables.
//!
//! A source is a file of the engine's repository and a function in it. An engine whose evidence is
//! [`Evidence::Recorded`] was also asked: where its answers and its source seem to differ, the answers are right.

use std::borrow::Cow::Borrowed;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use pak_format::Layout;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::{
    Alike, ArchiveKind, ArchiveSet, Backslash, BaseGames, Case, CutDirectory, Directories, Duplicates,
    EmptyArchive, EntryNames, Format, GameName, Games, Gaps, Hidden, Instead, Limits, List, LongZipName,
    Loose, LooseBytes, LooseCase, LoosePosition, LooseWithout, Mission, MissionsTaken, MoreBases, NameParts,
    NamedAgain, NestedPaks, Obstacles, OddGame, OddGameThen, Order, OwnArchive, OwnPlace, PakReading,
    PartialRow, Reading, Registered, Requests, Rules, Shareware, Stop, Text, TooMany, Unterminated,
    UserDirectory, UserLookedAt, WrongArchive, ZipEntryForm, ZipForm, ZipNames, ZipReading,
};

/// How it is known what an engine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "kebab-case"))]
pub enum Evidence {
    /// The engine was run on random layouts, and every answer that it gave is a test of this project.
    Recorded,
    /// The rules follow the engine's documents and source; where those say nothing, they follow the engine of id
    /// Software that it comes from.
    Documented,
}

impl Evidence {
    /// The word for the evidence: `recorded` or `documented`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Evidence::Recorded => "recorded",
            Evidence::Documented => "documented",
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Evidence::Recorded => "Recorded: the engine was run, and every answer that it gave is a test.",
            Evidence::Documented => "Documented: these rules follow documents and source, and no run.",
        })
    }
}

/// Makes [`Engine`] from a row for each engine. The last part of a row changes [`ID_TECH`].
macro_rules! engines {
    ($(
        $(#[doc = $doc:literal])+
        $engine:ident = $name:literal $(| $alias:literal)*, $evidence:ident, |$rules:ident| $changes:block
    )+) => {
        /// An engine whose rules quakefs knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
        pub enum Engine {
            $(
                $(#[doc = $doc])+
                #[cfg_attr(feature = "serde", serde(rename = $name))]
                $engine,
            )+
        }

        impl Engine {
            /// Every engine.
            pub const ALL: &[Engine] = &[$(Engine::$engine),+];

            /// The engine's word on the command line: `winquake`, `quakespasm`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Engine::$engine => $name,)+
                }
            }

            /// Other words that people type for the engine: `qs` for QuakeSpasm.
            #[must_use]
            pub const fn aliases(self) -> &'static [&'static str] {
                match self {
                    $(Engine::$engine => &[$($alias),*],)+
                }
            }

            /// How it is known what the engine does.
            #[must_use]
            pub const fn evidence(self) -> Evidence {
                match self {
                    $(Engine::$engine => Evidence::$evidence,)+
                }
            }

            /// What the engine does.
            #[must_use]
            pub fn rules(self) -> &'static Rules {
                match self {
                    $(Engine::$engine => {
                        static RULES: LazyLock<Rules> = LazyLock::new(|| {
                            let mut $rules = ID_TECH;
                            $rules.name = $name.into();
                            $changes
                            $rules
                        });
                        &RULES
                    })+
                }
            }
        }
    };
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The word given is not the name of an [`Engine`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEngine(String);

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no engine is called \"{}\": expected ", self.0)?;
        for (index, engine) in Engine::ALL.iter().enumerate() {
            let between = if index == 0 { "" } else { ", " };
            write!(f, "{between}{engine}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownEngine {}

/// An engine's name or one of its [`aliases`](Engine::aliases), in any case.
impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let is_called = |name: &&str| name.eq_ignore_ascii_case(word);
        let mut engines = Engine::ALL.iter().copied();
        engines
            .find(|engine| is_called(&engine.name()) || engine.aliases().iter().any(&is_called))
            .ok_or_else(|| UnknownEngine(word.to_owned()))
    }
}

/// What the engines that come from id Software's have in common. Each row says what its engine does otherwise.
///
/// Source: id's WinQuake of 1999, `WinQuake/common.c`; Quake II keeps the same in `qcommon/files.c`.
const ID_TECH: Rules = Rules {
    name: Borrowed(""),
    // COM_AddGameDirectory: "%s/pak%i.pak"
    stem: Borrowed("pak"),
    // COM_AddGameDirectory puts each archive at the head of the search path
    later_wins: true,
    zip_names: ZipNames::AsStored,
    // COM_FindFile compares with strcmp, from the first row on
    case: Case::Exact,
    duplicates: Duplicates::First,
    directories: Directories {
        // GAMENAME in quakedef.h
        base: ID1,
        // COM_InitFilesystem: COM_CheckParm finds the first -game
        games: Games::First,
        most_games: None,
        // the name is joined to the base directory and given to the operating system
        game_case: Case::Exact,
        odd_games: Borrowed(&[]),
        game_folders: Borrowed(&[Borrowed("{}")]),
        // COM_AddGameDirectory makes each directory that it adds com_gamedir, where files are written
        read_only: Borrowed(&[]),
        // a directory that is added again is searched there first
        named_again: NamedAgain::MovesUp,
        missions: Borrowed(&[]),
        missions_taken: MissionsTaken::Every,
        base_games: BaseGames::Ignored,
        // COM_InitFilesystem: COM_CheckParm finds the first -basedir
        more_bases: MoreBases::Ignored,
        user: None,
    },
    archives: TO_THE_GAP,
    own_archives: Borrowed(&[]),
    hidden_archives: Hidden::Seen,
    nested_paks: NestedPaks::Ignored,
    formats: FORMATS,
    paks: PakReading {
        // COM_LoadPackFile divides the directory's size by sizeof(dpackfile_t), and Sys_Errors at a wrong magic
        layout: Some(Layout::Quake),
        partial_row: PartialRow::Ignored,
        // COM_LoadPackFile does not look at how much it reads
        cut_directory: CutDirectory::WholeRows,
        furthest_entry: None,
        wrong_archive: WrongArchive::Fatal,
    },
    zips: ZipReading {
        refused: Borrowed(&[]),
        dropped: Borrowed(&[]),
        longest_name: None,
        long_name: LongZipName::Dropped,
        parts: NameParts::AsStored,
    },
    // COM_LoadPackFile copies the name with strcpy, which goes on past the field
    entry_names: EntryNames { parts: NameParts::AsStored, unterminated: Unterminated::RunsOn },
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
        leading_slash: Reading::Literal,
        dot_component: Reading::Literal,
        empty_component: Reading::Literal,
        hidden_component: Reading::Literal,
        trailing_slash: Reading::Refused,
        longest: ANY_LENGTH,
        instead: Borrowed(&[]),
    },
    // MAX_FILES_IN_PACK, and Sys_Error in COM_LoadPackFile; MAX_QPATH in quakedef.h is 64 with the NUL
    limits: Limits { entries: Some(2048), too_many: TooMany::Fatal, name: 63, path: None },
    stops_at: Borrowed(&[]),
    registered_by: None,
};

engines! {
    /// id Software's WinQuake, the source of 1999.
    WinQuake = "winquake" | "quake" | "q1", Recorded, |rules| {
        // WinQuake/common.c, COM_InitFilesystem
        rules.directories.missions = vec![mission("rogue"), mission("hipnotic")].into();
        // WinQuake/common.c, COM_FindFile: Sys_FileTime asks access(), which finds what Sys_FileOpenRead cannot open
        rules.loose.hides = Obstacles { special: true, ..ONLY_UNREADABLE };
        // WinQuake/common.c, COM_CheckRegistered
        rules.registered_by = POP;
        rules.stops_at = list([Stop::Unregistered, Stop::WrongRegistered]);
    }

    /// QuakeSpasm 0.95.
    QuakeSpasm = "quakespasm" | "qs", Recorded, |rules| {
        // Quake/common.c, COM_InitFilesystem, which does not add a mission pack twice
        rules.directories.missions = WITH_QUOTH;
        rules.directories.named_again = NamedAgain::MissionsStay;
        // Quake/common.c, COM_LoadPackFile: an archive without files is ignored, and COM_AddGameDirectory stops
        rules.archives = vec![numbered_to_empty(EmptyArchive::EndsRun)].into();
        // Quake/common.c, COM_AddGameDirectory, at number 0 of the first directory, and once more at the user's copy of
        // it (seen)
        rules.own_archives = list([own("quakespasm.pak", OwnPlace::AboveEachFirst)]);
        // Quake/common.c, COM_InitFilesystem: a game with a slash; COM_LoadPackFile: a negative place
        rules.directories.odd_games = NO_PATH;
        rules.stops_at = list([Stop::NegativeDirectory, Stop::Unregistered, Stop::WrongRegistered]);
        // Quake/common.c, COM_CheckRegistered
        rules.registered_by = POP;
        // Quake/sys_sdl_unix.c, Sys_GetUserdir and SYS_USERDIR, where DO_USERDIRS is defined, which the Makefile leaves
        // off and Debian's build has on (seen). The folder is that of the user's entry in the password file, which
        // $HOME names as a rule. Quake/sys_sdl_win.c has none
        rules.directories.user = Some(unix_or_mac(".quakespasm", "Library/Application Support/QuakeSpasm"));
    }

    /// Ironwail, the source of 2026.
    Ironwail = "ironwail" | "iw", Recorded, |rules| {
        // Quake/common.c, COM_InitFilesystem
        rules.directories.missions = WITH_QUOTH;
        rules.directories.games = Games::Every;
        // Quake/common.c, COM_LoadPackFile and COM_AddGameDirectory
        rules.archives = vec![numbered_to_empty(EmptyArchive::EndsRun)].into();
        // COM_AddEnginePak: the first of several, after the program's own folder, which is not known here
        rules.own_archives = list([own("ironwail.pak", OwnPlace::AboveFirst)]);
        rules.paks.cut_directory = CutDirectory::Refused;
        // Quake/common.c, COM_InitFilesystem and COM_LoadPackFile, which looks at how much it reads
        rules.directories.odd_games = NO_PATH;
        rules.stops_at = list([
            Stop::MissingGame,
            Stop::MissingFirstArchive,
            Stop::NotAFile,
            Stop::NegativeDirectory,
            Stop::CutDirectory,
            Stop::CutEntry,
            Stop::EntryOutside,
            Stop::Unregistered,
            Stop::WrongRegistered,
        ]);
        // Quake/common.c, COM_FindFile: in a folder CONFIG_NAME goes before config.cfg
        rules.requests.instead = list([instead("config.cfg", "ironwail.cfg")]);
        // Quake/common.c, COM_CheckRegistered
        rules.registered_by = POP;
        // Quake/common.c, COM_InitBaseDir, COM_AddBaseDir and COM_AddGameDirectory; COM_InitFilesystem
        rules.directories.more_bases = MoreBases::Above;
        rules.directories.base_games = BaseGames::Every;
        // Quake/sys_sdl_unix.c, Sys_GetUserdir, where DO_USERDIRS is defined; Quake/quakedef.h, ENGINE_USERDIR_UNIX. It
        // is the last of the base directories. Its folders .original and .rerelease count only where no -basedir is
        // given and the engine finds the game in a store's library
        rules.directories.user = Some(unix_or_mac(".ironwail", "Library/Application Support/Ironwail"));
    }

    /// QuakeSpasm-Spiked, the source of July 2021.
    Qss = "qss" | "quakespasm-spiked" | "spiked", Recorded, |rules| {
        // Quake/common.c, COM_InitFilesystem: the loop of COM_CheckParmNext over -game
        rules.directories.missions = WITH_QUOTH;
        rules.directories.games = Games::Every;
        rules.directories.named_again = NamedAgain::LooseMoveUp;
        // Quake/common.c, COM_Game_f and COM_InitFilesystem: a path within the base directory will do
        rules.directories.odd_games = list([
            odd(GameName::Is(Borrowed("")), OddGameThen::Stops),
            odd(GameName::Is(Borrowed(".")), OddGameThen::Stops),
            odd(GameName::Holds(Borrowed("..")), OddGameThen::Stops),
            odd(GameName::Starts(Borrowed("/")), OddGameThen::Stops),
            odd(GameName::Holds(Borrowed("\\")), OddGameThen::Stops),
            odd(GameName::Holds(Borrowed(":")), OddGameThen::Stops),
        ]);
        // Quake/common.c, COM_AddGameDirectory: pakN.pak and pakN.pk3, then COM_ListSystemFiles for each extension,
        // in the disk's order; an archive that is loaded already is skipped, without case
        let numbered = ArchiveSet::Numbered {
            extensions: words(["pak", "pk3"]),
            count: None,
            gaps: Gaps::Stop,
            empty: EmptyArchive::EndsRun,
        };
        rules.archives = vec![
            numbered,
            others_once(PAK, Case::Ignored, Order::Listed),
            others_once(PK3, Case::Ignored, Order::Listed),
        ].into();
        rules.own_archives = list([own("quakespasm.pak", OwnPlace::AboveEachFirst)]);
        // COM_AddGameDirectory links the directory after its archives
        rules.loose.position = LoosePosition::Above;
        // Quake/fs_zip.c lower-cases the names, and COM_FindFile does not lower-case the request
        rules.zip_names = ZipNames::LowerCased;
        rules.requests.trailing_slash = Reading::ArchivesOnly;
        // Quake/fs_zip.c, FSZIP_EnumerateCentralDirectory: flags, method and attributes of each row
        rules.zips.dropped = list([
            ZipEntryForm::Encrypted,
            ZipEntryForm::OtherMethod,
            ZipEntryForm::Link,
            ZipEntryForm::NotAscii,
        ]);
        rules.zips.longest_name = Some(63);
        // Quake/common.c, COM_FindFile: a folder is opened like a file; a file that cannot be opened is passed over
        rules.loose.hides = Obstacles { folder: true, unreadable: false, ..ONLY_UNREADABLE };
        // Quake/common.c, MAX_FILES_IN_PACK
        rules.limits.entries = Some(4096);
        // Quake/common.c, COM_LoadPackFile; Quake/fs_zip.c writes past a block where it has to shift offsets
        rules.stops_at = list([
            Stop::NegativeDirectory,
            Stop::BytesInFront,
            Stop::Pipe,
            Stop::Unregistered,
            Stop::WrongRegistered,
        ]);
        // Quake/common.c, COM_CheckRegistered
        rules.registered_by = POP;
        // Quake/sys_sdl_unix.c, Sys_GetUserdir, as in QuakeSpasm
        rules.directories.user = Some(unix_or_mac(".quakespasm", "Library/Application Support/QuakeSpasm"));
    }

    /// DarkPlaces of 2018.
    DarkPlaces = "darkplaces" | "dp", Recorded, |rules| {
        // fs.c, FS_Init: every -game; FS_AddPack_Fullpath skips an archive that is loaded already, but not a folder, of
        // which it keeps another name
        rules.directories.games = Games::Every;
        rules.directories.named_again = NamedAgain::LooseMoveUp;
        // com_game.c, COM_InitGameType: the first game mode whose flag is given; fs.c, MAX_GAMEDIRS
        rules.directories.missions = list([mission("hipnotic"), mission("rogue"), mission("quoth")]);
        rules.directories.missions_taken = MissionsTaken::Highest;
        rules.directories.most_games = Some(17);
        // fs.c, FS_CheckGameDir: a nasty name
        rules.directories.odd_games = list([
            odd(GameName::Holds(Borrowed("..")), OddGameThen::Stops),
            odd(GameName::Holds(Borrowed("./")), OddGameThen::Stops),
            odd(GameName::Holds(Borrowed("//")), OddGameThen::Stops),
            odd(GameName::Holds(Borrowed("\\")), OddGameThen::Stops),
            odd(GameName::Starts(Borrowed("/")), OddGameThen::Stops),
            odd(GameName::Ends(Borrowed("/")), OddGameThen::Stops),
        ]);
        // fs.c, FS_AddGameDirectory: the sorted list, all paks and then all pk3s and folders like them
        rules.archives = vec![
            others_once(PAK, Case::Ignored, Order::IgnoreCase),
            others_once(words(["pk3", "pk3dir"]), Case::Ignored, Order::IgnoreCase),
        ].into();
        // FS_AddGameDirectory puts the directory itself at the head of the search path
        rules.loose.position = LoosePosition::Above;
        // fs.c, FS_LoadPackPAK: a directory of another size than whole rows, a wrong magic and too many files
        rules.paks.partial_row = PartialRow::Refused;
        rules.paks.cut_directory = CutDirectory::Refused;
        rules.paks.wrong_archive = WrongArchive::Skipped;
        rules.entry_names.unterminated = Unterminated::Cut;
        // fs.c, PK3_GetEndOfCentralDir and PK3_BuildFileList
        rules.zips = ZipReading {
            refused: list([ZipForm::Zip64, ZipForm::CountTooLarge]),
            dropped: list([ZipEntryForm::Encrypted, ZipEntryForm::DosFolder]),
            longest_name: Some(127),
            long_name: LongZipName::EndsDirectory,
            parts: NameParts::AsStored,
        };
        // fs.c, FS_SysOpen and FS_LoadFile: a folder has an endless size
        rules.stops_at = list([Stop::FolderAsFile, Stop::Pipe]);
        // fs.c, FS_AddFileToPack and FS_FindFile, strcasecmp: a row is put after those of an equal name
        rules.case = Case::Ignored;
        rules.duplicates = Duplicates::Searched;
        // fs.c, FS_CheckNastyPath
        rules.requests = ALL_REFUSED;
        // fs.c, MAX_FILES_IN_PACK; qdefs.h, MAX_QPATH
        rules.limits = Limits { entries: Some(65536), too_many: TooMany::Skipped, name: 127, path: None };
        // fs.c, FS_Rescan: registered is set where gfx/pop.lmp is found, whatever it holds
        rules.registered_by = ANY_POP;
        // fs.c, FS_ChooseUserDir: $HOME/.darkplaces (seen). On Windows FS_Init prefers the base directory for a game
        // whose folder is id1
        rules.directories.user =
            Some(UserDirectory { unix: words([".darkplaces"]), looked_at: UserLookedAt::Always, ..NOWHERE });
    }

    /// FTE's server, the source of 2026.
    Fte = "fte" | "fteqw" | "ftequake", Recorded, |rules| {
        // engine/common/fs.c, the game's manifest: id1, qw, the mission, fte; four -game; a directory that is there
        // stays where it is
        rules.directories.base = words(["id1", "qw", "{}", "fte"]);
        rules.directories.missions = list([mission("quoth"), mission("rogue"), mission("hipnotic")]);
        rules.directories.missions_taken = MissionsTaken::Highest;
        rules.directories.games = Games::Every;
        rules.directories.most_games = Some(4);
        rules.directories.named_again = NamedAgain::Stays;
        rules.directories.game_case = Case::Ignored;
        // engine/common/fs.c, FS_GamedirIsOkay
        let empty = GameName::Is(Borrowed(""));
        let holds = ["/", "\\", ":", "$", "\"", ".."].map(|text| GameName::Holds(Borrowed(text)));
        let starts = [".", "downloads", "docs", "help", "bin", "lib"].map(|text| GameName::Starts(Borrowed(text)));
        rules.directories.odd_games =
            holds.into_iter().chain(starts).chain([empty]).map(|name| odd(name, OddGameThen::Ignored)).collect();
        // engine/common/fs.c, the archive of the remaster, whose manifest has no qw
        rules.own_archives = list([OwnArchive {
            instead_of: Some(Borrowed("qw")),
            ..own("QuakeEX.kpf", OwnPlace::Lowest)
        }]);
        // engine/common/fs.c, FS_AddDataFiles: numbered runs of each format, then the wildcards, then folders; an
        // archive that is loaded already is skipped, without case; FS_AddDataFiles in an archive
        rules.archives = vec![
            numbered(PAK, None, Gaps::Stop),
            numbered(PK3, None, Gaps::Stop),
            others_once(PAK, Case::Ignored, Order::IgnoreCase),
            others_once(PK3, Case::Ignored, Order::IgnoreCase),
            others_once(PK3DIR, Case::Ignored, Order::IgnoreCase),
        ].into();
        rules.hidden_archives = Hidden::Skipped;
        rules.nested_paks = NestedPaks::Below;
        // engine/common/fs.c, FS_AddGameDirectory
        rules.loose.position = LoosePosition::Above;
        // engine/common/fs_pak.c, FSPAK_LoadArchive: no limit on files
        rules.paks.wrong_archive = WrongArchive::Skipped;
        // engine/common/fs_pak.c, FSPAK_LoadArchive cleans each name
        rules.entry_names = EntryNames { parts: NameParts::Cleaned, unterminated: Unterminated::Whole };
        // engine/common/fs_zip.c, FSZIP_EnumerateCentralDirectory: names are converted to UTF-8, into MAX_QPATH bytes
        rules.zips = ZipReading {
            refused: list([ZipForm::CountTooLarge]),
            dropped: list([ZipEntryForm::Utf8Flag, ZipEntryForm::NotAscii]),
            longest_name: Some(127),
            long_name: LongZipName::Cut,
            parts: NameParts::Slashes,
        };
        // engine/common/fs_pak.c and fs_zip.c: hashes of names without case
        rules.case = Case::Ignored;
        // engine/common/fs.c, FS_GetCleanPath
        rules.requests = Requests {
            backslash: Backslash::Slash,
            empty_component: Reading::Dropped,
            hidden_component: Reading::Refused,
            trailing_slash: Reading::ArchivesOnly,
            ..ALL_REFUSED
        };
        // MAX_QPATH is 128
        rules.limits = Limits { name: 127, ..NO_LIMIT };
        // engine/common/fs.c, FS_GetBestHomeDir: the name of the game's manifest below $XDG_DATA_HOME, or with a dot
        // below $HOME; older sources have .fte. The engine looks there too where it cannot write to the base directory
        rules.directories.user = Some(UserDirectory {
            unix: words([".local/share/quake", ".quake", ".fte"]),
            windows: words(["AppData/Local/FTE Quake", "Saved Games/FTE Quake", "Documents/My Games/FTE Quake"]),
            looked_at: UserLookedAt::WhereThere,
            ..NOWHERE
        });
    }

    /// MVDSV 0.35, a server for `QuakeWorld`.
    Mvdsv = "mvdsv", Recorded, |rules| {
        // src/fs.c, FS_InitEx; FS_AddGameDirectory returns where a directory is loaded already
        rules.directories.base = words(["id1", "qw"]);
        rules.directories.named_again = NamedAgain::Stays;
        // src/fs.c, FS_SetGamedir
        rules.directories.odd_games = SINGLE_FILE_NAME;
        // src/fs.c, FS_AddDataFiles: the numbered run, then the others in the disk's order, and the same in each
        // archive. FS_AddWildDataFiles skips an archive that is loaded already, without case
        rules.archives = vec![numbered(PAK, None, Gaps::Stop), others_once(PAK, Case::Exact, Order::Listed)].into();
        rules.hidden_archives = Hidden::Skipped;
        rules.nested_paks = NestedPaks::Above;
        // src/vfs_pak.c: an archive that cannot be read is left out, with no limit on files; src/fs.c, MAX_OSPATH
        rules.paks.wrong_archive = WrongArchive::Skipped;
        rules.limits = Limits { path: Some(127), ..NO_LIMIT };
        // src/fs.c, FS_FLocateFile: the hash of all names ignores case; opening a file on disk does not
        rules.case = Case::Ignored;
        rules.loose.case = LooseCase::ExactHidesOthers;
        // src/fs.c, FSOS_BuildHash: names that begin with a dot are no files, and anything else but a folder is
        rules.loose.hidden = Hidden::Skipped;
        rules.loose.hides = Obstacles { special: true, dangling_link: true, ..ONLY_UNREADABLE };
        rules.stops_at = list([Stop::Pipe]);
        // src/fs.c, FS_GetCleanPath
        rules.requests = Requests {
            backslash: Backslash::Slash,
            dot_component: Reading::ArchivesOnly,
            empty_component: Reading::ArchivesOnly,
            ..ALL_REFUSED
        };
    }

    /// id Software's Quake II 3.20, the source of 2001.
    Quake2 = "quake2" | "q2", Recorded, |rules| {
        // qcommon/files.c, FS_InitFilesystem and FS_SetGamedir
        rules.directories.base = BASEQ2;
        rules.directories.games = Games::Last;
        // qcommon/files.c, FS_SetGamedir
        rules.directories.odd_games = SINGLE_FILE_NAME;
        // qcommon/files.c, FS_AddGameDirectory
        rules.archives = TEN;
        // qcommon/files.c, FS_FOpenFile: Q_strcasecmp
        rules.case = Case::Ignored;
        // qcommon/qfiles.h, MAX_FILES_IN_PACK; q_shared.h, MAX_OSPATH, to which FS_FOpenFile cuts a path
        rules.limits.entries = Some(4096);
        rules.limits.path = Some(127);
        // qcommon/files.c, FS_Read: no bytes where some are expected
        rules.stops_at = list([Stop::CutEntry, Stop::FolderAsFile]);
    }

    /// Yamagi Quake II 8.71.
    YQuake2 = "yquake2" | "yq2", Recorded, |rules| {
        // src/common/filesystem.c, FS_BuildGameSpecificSearchPath
        rules.directories.base = BASEQ2;
        rules.directories.games = Games::Last;
        // src/common/filesystem.c, FS_BuildGameSpecificSearchPath; src/common/cmdparser.c cuts a command at a semicolon
        let mut odd_games = vec![odd(GameName::Holds(Borrowed(";")), OddGameThen::Cut)];
        odd_games.extend_from_slice(&SINGLE_FILE_NAME);
        rules.directories.odd_games = odd_games.into();
        // src/common/filesystem.c, FS_AddDirToSearchPath: the numbered archives of each type, then the others in the
        // disk's order, of which a name that is numbered but for its case is skipped
        let types = ["pak", "pk2", "pk3", "pkz", "zip"].map(|extension| words([extension]));
        let first = types.iter().map(|extension| numbered(extension.clone(), Some(100), Gaps::Skip));
        let then = types.iter().map(|extension| ArchiveSet::Others {
            extensions: extension.clone(),
            extension_case: Case::Exact,
            alike: Alike::SkipNumbered,
            order: Order::Listed,
        });
        rules.archives = first.chain(then).collect();
        // src/common/filesystem.c, FS_FOpenFile: a file that cannot be opened is passed over
        rules.loose.hides.unreadable = false;
        // src/common/unzip, unzlocal_SearchCentralDir
        rules.zips.refused = list([ZipForm::LongComment]);
        rules.zips.longest_name = Some(63);
        // src/common/filesystem.c, FS_LoadPAK, FS_LoadPK3, FS_FOpenFile and FS_Read
        rules.stops_at = list([
            Stop::NegativeDirectory,
            Stop::EmptyArchive,
            Stop::CutEntry,
            Stop::BadZipEntry,
            Stop::LongZipName,
        ]);
        // src/common/filesystem.c, FS_FOpenFile: Q_stricmp in archives; on disk the name, then the name in lower case
        rules.case = Case::Ignored;
        rules.loose.case = LooseCase::ExactThenLower;
        // src/common/filesystem.c, FS_FOpenFile cleans the request
        rules.requests = Requests { longest: 63, trailing_slash: Reading::ArchivesOnly, ..CLEANED };
        // src/common/header/files.h, MAX_FILES_IN_PACK; FS_LoadPAK prints a message
        rules.limits.entries = Some(4096);
        rules.limits.too_many = TooMany::Loaded;
        // src/backends/unix/system.c and src/backends/windows/system.c, Sys_GetHomeDir; CFGDIR in
        // src/common/header/common.h
        rules.directories.user = Some(UserDirectory {
            unix: words([".yq2"]),
            macos: words([".yq2"]),
            windows: words(["Documents/YamagiQ2"]),
            looked_at: UserLookedAt::Always,
        });
    }

    /// Q2PRO, the source of 2026.
    Q2Pro = "q2pro", Recorded, |rules| {
        // src/common/files.c, fs_game_changed
        rules.directories.base = BASEQ2;
        rules.directories.games = Games::Last;
        // src/common/files.c, fs_game_changed: COM_IsPath and MAX_QPATH
        rules.directories.odd_games = list([
            odd(GameName::Is(Borrowed("")), OddGameThen::Ignored),
            odd(GameName::OtherThan(Borrowed("_-")), OddGameThen::Ignored),
            odd(GameName::Longer(63), OddGameThen::Ignored),
        ]);
        // src/common/files.c, add_game_dir, sorted by pakcmp
        rules.archives = vec![others(
            words(["pak", "pkz"]),
            Case::Ignored,
            Order::NumberThenName,
        )].into();
        rules.hidden_archives = Hidden::Skipped;
        // src/common/files.c, load_pak_file: a wrong archive is left out, with no limit on files
        rules.paks = PakReading {
            partial_row: PartialRow::Refused,
            cut_directory: CutDirectory::Refused,
            furthest_entry: Some(i32::MAX.unsigned_abs()),
            wrong_archive: WrongArchive::Skipped,
            ..rules.paks
        };
        rules.limits = NO_LIMIT;
        // src/common/files.c, load_pak_file and load_zip_file normalise each name
        rules.entry_names = EntryNames { parts: NameParts::Cleaned, unterminated: Unterminated::Whole };
        // src/common/files.c, load_zip_file
        rules.zips.refused = list([ZipForm::CountTooLarge]);
        rules.zips.parts = NameParts::Cleaned;
        rules.zips.dropped = list([ZipEntryForm::Empty]);
        // src/common/files.c, pack_hash_file: a later row stands before an earlier one, and FS_HashPath ignores case
        rules.case = Case::Ignored;
        rules.duplicates = Duplicates::Last;
        // src/common/files.c: open_from_disk is called with the name, then with the name in lower case
        rules.loose.case = LooseCase::ExactThenLower;
        // src/common/files.c, open_from_disk: FS_ValidatePath, and any error but ENOENT ends the search
        rules.loose.bytes = LooseBytes::Ascii;
        rules.loose.hides = Obstacles { folder: true, special: true, unreachable: true, ..ONLY_UNREADABLE };
        rules.stops_at = list([Stop::Pipe]);
        // src/common/files.c, FS_NormalizePathBuffer
        rules.requests =
            Requests { backslash: Backslash::Slash, trailing_slash: Reading::Dropped, ..CLEANED };
        // src/unix/system.c, Sys_Init: HOMEDIR, which meson.build sets for builds that are installed system-wide
        rules.directories.user = Some(unix_or_mac(".q2pro", ".q2pro"));
    }

    /// GoldSrc, as Xash3D's filesystem of 2026 does it.
    GoldSrc = "goldsrc" | "half-life" | "hl", Recorded, |rules| {
        // filesystem/filesystem.c, FS_Rescan and FS_AddGameHierarchy
        rules.directories.base = words([".", "valve"]);
        rules.directories.games = Games::Last;
        rules.directories.game_folders =
            words(["{}_downloads", "{}", "{}/custom"]);
        // filesystem/filesystem.c, FS_AddGameHierarchy: FS_GAMEDIR_PATH is given to the game's own directory
        rules.directories.read_only =
            words([".", "{}_downloads", "{}/custom"]);
        // filesystem/filesystem.c, FS_AddGameDirectory: each format in turn, its files sorted, then the directory
        rules.archives = vec![
            others_once(PAK, Case::Ignored, Order::Bytes),
            others_once(PK3, Case::Ignored, Order::Bytes),
            others_once(PK3DIR, Case::Ignored, Order::Bytes),
        ].into();
        // filesystem/filesystem.c, FS_LoadGameInfo: the game is found among the folders that were listed
        rules.directories.game_case = Case::Ignored;
        rules.directories.odd_games = list([
            odd(GameName::Is(Borrowed(".")), OddGameThen::Ignored),
            odd(GameName::Holds(Borrowed("..")), OddGameThen::Ignored),
            odd(GameName::Starts(Borrowed(".")), OddGameThen::Stops),
            odd(GameName::Longer(63), OddGameThen::Stops),
            odd(GameName::Holds(Borrowed("/")), OddGameThen::Ignored),
        ]);
        rules.stops_at = list([Stop::UnreadableGame]);
        rules.loose.position = LoosePosition::Above;
        // filesystem/pak.c, FS_LoadPackPAK: a directory of another size than whole rows, a wrong magic and more than
        // MAX_FILES_IN_PACK files
        rules.paks.partial_row = PartialRow::Refused;
        rules.paks.cut_directory = CutDirectory::Refused;
        rules.paks.wrong_archive = WrongArchive::Skipped;
        rules.limits = Limits { entries: Some(65536), ..NO_LIMIT };
        // filesystem/zip.c, FS_LoadZip
        rules.zips.refused =
            list([ZipForm::Zip64, ZipForm::BytesInFront, ZipForm::CountTooLarge, ZipForm::EntryOutside]);
        rules.zips.dropped = list([ZipEntryForm::Empty]);
        // filesystem/pak.c, FS_FindFile_PAK: Q_stricmp; filesystem/dir.c, FS_FixFileCase
        rules.case = Case::Ignored;
        // filesystem/pak.c, FS_AddFileToPack and FS_FindFile_PAK; filesystem/zip.c, FS_LoadZip, sorts by C's qsort, which
        // keeps the order of equal names in glibc
        rules.duplicates = Duplicates::Searched;
        rules.loose.case = LooseCase::Ignored;
        // filesystem/filesystem.c, FS_CheckNastyPath and FS_OpenReadFile
        rules.requests = Requests {
            backslash: Backslash::Literal,
            leading_slash: Reading::Dropped,
            dot_component: Reading::ArchivesOnly,
            empty_component: Reading::ArchivesOnly,
            hidden_component: Reading::Refused,
            trailing_slash: Reading::ArchivesOnly,
            ..ALL_REFUSED
        };
    }

    /// id Software's `QuakeWorld`, client and server.
    QuakeWorld = "quakeworld" | "qw", Recorded, |rules| {
        // QW/client/common.c, COM_InitFilesystem: the game comes from the server, through COM_Gamedir
        rules.directories.base = words(["id1", "qw"]);
        rules.directories.games = Games::Ignored;
        // QW/client/common.c, COM_CheckRegistered; without the file COM_FindFile passes over loose files in folders
        rules.registered_by =
            POP.map(|registered| Registered { loose_without: LooseWithout::TopLevel, ..registered });
        rules.stops_at = list([Stop::WrongRegistered]);
    }

    /// vkQuake.
    VkQuake = "vkquake" | "vkq", Recorded, |rules| {
        // Quake/common.c, COM_InitFilesystem
        rules.directories.missions = WITH_QUOTH;
        rules.directories.games = Games::Every;
        // Quake/common.c, COM_LoadPackFile and COM_AddGameDirectory
        rules.archives = vec![numbered_to_empty(EmptyArchive::EndsRunUnlessFirst)].into();
        // Quake/common.c, COM_InitFilesystem, COM_LoadPackFile and Sys_FileRead
        let semicolon = odd(GameName::Holds(Borrowed(";")), OddGameThen::Stops);
        rules.directories.odd_games = NO_PATH.iter().cloned().chain([semicolon]).collect();
        rules.stops_at = list([Stop::NotAFile, Stop::NegativeDirectory, Stop::Unregistered]);
        // Quake/common.c, COM_FindFile: in a folder CONFIG_NAME goes before config.cfg
        rules.requests.instead = list([instead("config.cfg", "vkQuake.cfg")]);
        // Quake/common.c, COM_CheckRegistered, which does not look at the bytes
        rules.registered_by = ANY_POP;
        // Quake/common.c, COM_InitFilesystem: the user folder of the remaster is added before the base directory. The
        // first -basedir alone counts there, so another one stands for that folder; from the source, not run
        rules.directories.more_bases = MoreBases::Below;
        rules.directories.base_games = BaseGames::Every;
        // Quake/sys_sdl_unix.c, Sys_GetUserdir, where DO_USERDIRS is defined
        rules.directories.user = Some(unix_or_mac(".vkquake", "Library/Application Support/vkQuake"));
    }

    /// Hexen II, as Hammer of Thyrion does it.
    Hexen2 = "hexen2" | "h2", Recorded, |rules| {
        // engine/h2shared/quakefs.c, FS_Init
        rules.directories.base = words(["data1"]);
        rules.directories.missions = vec![mission("portals")].into();
        // engine/h2shared/quakefs.c, FS_AddGameDirectory: pak0 to pak9, then the directory
        rules.archives = TEN;
        rules.loose.position = LoosePosition::Above;
        // engine/h2shared/quakefs.c, FS_LoadPackFile and FS_OpenFile
        rules.duplicates = Duplicates::Last;
        rules.paks.cut_directory = CutDirectory::Refused;
        rules.paks.wrong_archive = WrongArchive::Skipped;
        rules.limits.too_many = TooMany::Skipped;
        // engine/h2shared/quakefs.c, FS_Init and FS_AddGameDirectory, whose buffers have 64 bytes for a name
        let long = odd(GameName::Longer(63), OddGameThen::Stops);
        rules.directories.odd_games = NO_PATH.iter().cloned().chain([long]).collect();
        // engine/h2shared/quakefs.c, FS_LoadPackFile and FS_LoadFile, which look at how much they read
        rules.stops_at =
            list([Stop::NegativeDirectory, Stop::CutDirectory, Stop::CutEntry, Stop::EmptyFile]);
        // engine/h2shared/userdir.h, SYS_USERDIR_UNIX and SYS_USERDIR_OSX; Sys_GetUserdir, where DO_USERDIRS is defined
        rules.directories.user = Some(unix_or_mac(".hexen2", "Library/Application Support/Hexen2"));
    }

    /// SiN, of 1998.
    Sin = "sin", Documented, |rules| {
        // no source is public: the folders and archives of the game as sold, and what its modding documents say; that
        // gaps are skipped and that loose files stand above is presumed from Quake II, which SiN comes from
        rules.directories.base = words(["base"]);
        rules.directories.games = Games::Last;
        rules.archives = vec![numbered(words(["sin"]), Some(32), Gaps::Skip)].into();
        rules.loose.position = LoosePosition::Above;
        rules.case = Case::Ignored;
        // the format of base/pak0.sin: rows of 128 bytes, 120 of them for the name
        rules.paks.layout = Some(Layout::Sin);
        rules.limits = Limits { entries: Some(16384), too_many: TooMany::Fatal, name: 119, path: None };
    }

    /// Daikatana.
    Daikatana = "daikatana", Documented, |rules| {
        // no source is public: the folders and archives of the game as sold; all else as in Quake II, which Daikatana
        // comes from: qcommon/files.c
        rules.directories.base = words(["data"]);
        rules.directories.games = Games::Last;
        rules.archives = TEN;
        rules.case = Case::Ignored;
        // Ion Storm's dkpak.exe writes rows of 72 bytes
        rules.paks.layout = Some(Layout::Daikatana);
        rules.limits.entries = Some(4096);
    }

    /// ioquake3.
    IoQuake3 = "ioquake3" | "q3" | "quake3" | "ioq3", Recorded, |rules| {
        // code/qcommon/files.c, FS_Startup: com_basegame, then fs_game
        rules.directories.base = words(["baseq3"]);
        rules.directories.games = Games::Last;
        // code/qcommon/files.c, FS_AddGameDirectory: the pk3s sorted by paksort, then the directory
        // and folders like them
        rules.archives = vec![others(words(["pk3", "pk3dir"]), Case::Ignored, Order::IgnoreCase)].into();
        // code/qcommon/files.c, FS_Startup: FS_InvalidGameDir
        rules.directories.odd_games = NO_PATH;
        rules.loose.position = LoosePosition::Above;
        // code/qcommon/files.c, FS_LoadZipFile: a wrong archive is left out; a later row stands before an earlier one
        rules.paks.wrong_archive = WrongArchive::Skipped;
        rules.duplicates = Duplicates::Last;
        rules.limits = NO_LIMIT;
        // code/qcommon/unzip.c, unzlocal_SearchCentralDir
        rules.zips.refused = list([ZipForm::Zip64, ZipForm::LongComment]);
        // code/qcommon/files.c, FS_FilenameCompare and FS_HashFileName: a backslash is a slash
        rules.case = Case::Ignored;
        rules.zips.parts = NameParts::Slashes;
        // code/qcommon/files.c, FS_FOpenFileReadDir: one slash at the start is passed over
        rules.requests.backslash = Backslash::Slash;
        rules.requests.leading_slash = Reading::FirstDropped;
        rules.stops_at = list([Stop::Pipe]);
        // code/sys/sys_unix.c, Sys_HomeDataPath and Sys_ShouldUseLegacyHomePath; older sources have .q3a alone.
        // code/sys/sys_win32.c, Sys_DefaultHomePath
        rules.directories.user = Some(UserDirectory {
            unix: words([".local/share/Quake3", ".q3a"]),
            macos: words(["Library/Application Support/Quake3"]),
            windows: words(["AppData/Roaming/Quake3"]),
            looked_at: UserLookedAt::Always,
        });
    }

    /// The level editor TrenchBroom, source of 2025, with its configuration for Quake. Its mods are games here. Below
    /// everything it searches its own `assets`, which is not in the base directory.
    TrenchBroom = "trenchbroom" | "tb", Documented, |rules| {
        // app/resources/games/Quake/GameConfig.cfg: searchpath id1, packageformat pak of idpak; GameFileSystem.cpp,
        // addGameFileSystems: the search path, then each mod in its order
        rules.directories.games = Games::Every;
        // GameFileSystem.cpp, addSearchPath: Disk::fixPath spells the folder as the disk does
        rules.directories.game_case = Case::Ignored;
        // GameFileSystem.cpp, addFileSystemPackages: all packages of the extension, sorted as paths, above the folder;
        // VirtualFileSystem.cpp, mount: what is mounted later is asked first. makeExtensionPathMatcher ignores case
        rules.archives = vec![others(PAK, Case::Ignored, Order::Bytes)].into();
        // IdPakFileSystem.cpp, doReadDirectory: whole rows, the magic is not compared, a read past the end is an error;
        // GameFileSystem.cpp, addFileSystemPackages: kdl::fold ends at the first error
        rules.paks.cut_directory = CutDirectory::Refused;
        rules.paks.wrong_archive = WrongArchive::EndsDirectory;
        rules.entry_names.unterminated = Unterminated::Whole;
        // ImageFileSystem.cpp, addFile: a later row replaces an earlier one; doOpenFile asks in lower case
        rules.case = Case::Ignored;
        rules.duplicates = Duplicates::Last;
        // DiskIO.cpp, fixCase; VirtualFileSystem.cpp, doOpenFile: a folder of the name is found, and is no file
        rules.loose.case = LooseCase::Ignored;
        rules.loose.hides = Obstacles { folder: true, ..ONLY_UNREADABLE };
        // DiskFileSystem.cpp and ImageFileSystem.cpp take relative paths alone
        rules.requests.leading_slash = Reading::Refused;
        rules.limits = NO_LIMIT;
    }

    /// The compilers of ericw-tools 2.0 (qbsp, vis, light) for a Quake level, called with `-path` for `id1` and for each
    /// game. They ask the current folder and the level's own before, which are not in the base directory.
    EricwTools = "ericw-tools" | "ericw", Documented, |rules| {
        // common/bspfile.cc, gamedef_q1_like_t::init_filesystem: each -path in its order, a folder without its archives
        rules.directories.games = Games::Every;
        rules.archives = Borrowed(&[]);
        // common/fs.cc, addArchiveInternal: the last one is asked first; one that is there stays where it is
        rules.directories.named_again = NamedAgain::Stays;
        // common/fs.cc, where: -filepriority is loose files first unless it is given
        rules.loose.position = LoosePosition::Above;
        // common/fs.cc, pak_archive: a map without case, in which a later row replaces an earlier one
        rules.case = Case::Ignored;
        rules.duplicates = Duplicates::Last;
        rules.paks.wrong_archive = WrongArchive::Skipped;
        // common/fs.cc, directory_archive: contains takes anything that exists, and load reads files alone
        rules.loose.hides = Obstacles { folder: true, special: true, ..ONLY_UNREADABLE };
        // common/fs.cc, where: an absolute path is not joined to a folder
        rules.requests.leading_slash = Reading::Refused;
        rules.limits = NO_LIMIT;
    }
}

const PAK: List<Text> = Borrowed(&[Borrowed("pak")]);
const PK3: List<Text> = Borrowed(&[Borrowed("pk3")]);
const PK3DIR: List<Text> = Borrowed(&[Borrowed("pk3dir")]);

const ID1: List<Text> = Borrowed(&[Borrowed("id1")]);
const BASEQ2: List<Text> = Borrowed(&[Borrowed("baseq2")]);

/// What the field's extensions stand for, by their bytes. That an extension is here does not make an engine load it.
///
/// Sources: FTE, `engine/common/fs.c`, `FS_RegisterDefaultFileSystems` (pak, pk3, pk4, zip); yquake2,
/// `src/common/filesystem.c`, `fs_packtypes` (pk2, pkz); DarkPlaces, `fs.c`, `FS_AddGameDirectory` (pk3dir); QuakeSpasm-Spiked, `Quake/common.c`, `COM_InitFilesystem`
/// (kpf); SiN's `base/pak0.sin`.
const FORMATS: List<Format> = Borrowed(&[
    format("kpf", ArchiveKind::Zip),
    format("pak", ArchiveKind::Pak),
    format("pk2", ArchiveKind::Zip),
    format("pk3", ArchiveKind::Zip),
    format("pk3dir", ArchiveKind::Folder),
    format("pk4", ArchiveKind::Zip),
    format("pkz", ArchiveKind::Zip),
    format("sin", ArchiveKind::Pak),
    format("zip", ArchiveKind::Zip),
]);

const WITH_QUOTH: List<Mission> = Borrowed(&[mission("rogue"), mission("hipnotic"), mission("quoth")]);

/// `pak0.pak`, `pak1.pak`, … up to the first gap.
const TO_THE_GAP: List<ArchiveSet> = Borrowed(&[numbered(PAK, None, Gaps::Stop)]);
/// Those of `pak0.pak` to `pak9.pak` that there are.
const TEN: List<ArchiveSet> = Borrowed(&[numbered(PAK, Some(10), Gaps::Skip)]);

/// The file of a registered Quake, from `id1/pak1.pak`.
///
/// Source: WinQuake, `WinQuake/common.c`, `COM_CheckRegistered`, which compares the 256 bytes with its array `pop`.
const POP: Option<Registered> = Some(Registered {
    file: Borrowed("gfx/pop.lmp"),
    size: Some(256),
    sha256: Some(Borrowed("59a7a58a257ae6a231ca4201a8330fa9d90779ea5e230e07d530f2478521bb9a")),
    shareware: SHAREWARE,
    loose_without: LooseWithout::All,
});

/// Quake's shareware.
///
/// Source: WinQuake, `WinQuake/common.c`: `PAK0_COUNT` and `PAK0_CRC`, which `COM_LoadPackFile` compares.
const SHAREWARE: Option<Shareware> = Some(Shareware { entries: 339, crc: 32981 });

/// What the rows of user directories start from: no place on any system.
const NOWHERE: UserDirectory = UserDirectory {
    unix: Borrowed(&[]),
    macos: Borrowed(&[]),
    windows: Borrowed(&[]),
    looked_at: UserLookedAt::InSomeBuilds,
};

/// The same for engines that do not look at its bytes.
const ANY_POP: Option<Registered> = Some(Registered {
    file: Borrowed("gfx/pop.lmp"),
    size: None,
    sha256: None,
    shareware: SHAREWARE,
    loose_without: LooseWithout::All,
});

/// A loose file that cannot be opened is found and fails.
const ONLY_UNREADABLE: Obstacles =
    Obstacles { folder: false, special: false, dangling_link: false, unreachable: false, unreadable: true };

/// No limit of the engine is known: as long as a [`QPath`](super::QPath) may be.
const ANY_LENGTH: u32 = 255;

/// The engines of QuakeSpasm's family stop at a path for a game.
///
/// Source: QuakeSpasm, `Quake/common.c`, `COM_InitFilesystem`: "gamedir should be a single directory name, not a path".
const NO_PATH: List<OddGame> = Borrowed(&[
    odd(GameName::Is(Borrowed("")), OddGameThen::Stops),
    odd(GameName::Is(Borrowed(".")), OddGameThen::Stops),
    odd(GameName::Holds(Borrowed("..")), OddGameThen::Stops),
    odd(GameName::Holds(Borrowed("/")), OddGameThen::Stops),
    odd(GameName::Holds(Borrowed("\\")), OddGameThen::Stops),
    odd(GameName::Holds(Borrowed(":")), OddGameThen::Stops),
]);

/// The Quake II engines take no path for a game.
///
/// Source: Quake II, `qcommon/files.c`, `FS_SetGamedir`.
const SINGLE_FILE_NAME: List<OddGame> = Borrowed(&[
    odd(GameName::Is(Borrowed("")), OddGameThen::Ignored),
    odd(GameName::Holds(Borrowed("..")), OddGameThen::Ignored),
    odd(GameName::Holds(Borrowed("/")), OddGameThen::Ignored),
    odd(GameName::Holds(Borrowed("\\")), OddGameThen::Ignored),
    odd(GameName::Holds(Borrowed(":")), OddGameThen::Ignored),
]);

const ALL_REFUSED: Requests = Requests {
    backslash: Backslash::Refused,
    leading_slash: Reading::Refused,
    dot_component: Reading::Refused,
    empty_component: Reading::Refused,
    hidden_component: Reading::Literal,
    trailing_slash: Reading::Refused,
    longest: ANY_LENGTH,
    instead: Borrowed(&[]),
};

const CLEANED: Requests = Requests {
    backslash: Backslash::Literal,
    leading_slash: Reading::Dropped,
    dot_component: Reading::Dropped,
    empty_component: Reading::Dropped,
    hidden_component: Reading::Literal,
    trailing_slash: Reading::Refused,
    longest: ANY_LENGTH,
    instead: Borrowed(&[]),
};

const NO_LIMIT: Limits = Limits { entries: None, too_many: TooMany::Skipped, name: 63, path: None };

const fn format(extension: &'static str, kind: ArchiveKind) -> Format {
    Format { extension: Borrowed(extension), kind }
}

fn words<const N: usize>(words: [&'static str; N]) -> List<Text> {
    words.into_iter().map(Borrowed).collect()
}

fn list<T: Clone, const N: usize>(items: [T; N]) -> List<T> {
    Vec::from(items).into()
}

const fn own(file: &'static str, place: OwnPlace) -> OwnArchive {
    OwnArchive { file: Borrowed(file), place, instead_of: None }
}

const fn odd(name: GameName, then: OddGameThen) -> OddGame {
    OddGame { name, then }
}

const fn instead(of: &'static str, file: &'static str) -> Instead {
    Instead { of: Borrowed(of), file: Borrowed(file) }
}

/// A user directory that a switch of the build turns on, and that Windows has not.
fn unix_or_mac(unix: &'static str, macos: &'static str) -> UserDirectory {
    UserDirectory { unix: words([unix]), macos: words([macos]), ..NOWHERE }
}

const fn mission(name: &'static str) -> Mission {
    Mission { flag: Borrowed(name), directory: Borrowed(name) }
}

const fn numbered(extensions: List<Text>, count: Option<u32>, gaps: Gaps) -> ArchiveSet {
    ArchiveSet::Numbered { extensions, count, gaps, empty: EmptyArchive::Loaded }
}

fn numbered_to_empty(empty: EmptyArchive) -> ArchiveSet {
    ArchiveSet::Numbered { extensions: PAK, count: None, gaps: Gaps::Stop, empty }
}

fn others(extensions: List<Text>, extension_case: Case, order: Order) -> ArchiveSet {
    ArchiveSet::Others { extensions, extension_case, alike: Alike::Loaded, order }
}

/// As [`others`], without an archive whose name differs only in case from a loaded one's.
fn others_once(extensions: List<Text>, extension_case: Case, order: Order) -> ArchiveSet {
    ArchiveSet::Others { extensions, extension_case, alike: Alike::SkipSecond, order }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_found_by_its_name_in_any_case() {
        for engine in Engine::ALL {
            assert_eq!(engine.rules().name, engine.name());
            assert_eq!(engine.name().parse(), Ok(*engine));
            assert_eq!(engine.name().to_uppercase().parse(), Ok(*engine));
        }
        assert_eq!(format!("{:>8}", Engine::Fte), "     fte");
    }

    #[test]
    fn an_unknown_name_is_an_error_that_lists_the_engines() {
        let error = "quake9".parse::<Engine>().unwrap_err().to_string();
        assert!(
            error.starts_with("no engine is called \"quake9\": expected winquake, quakespasm, "),
            "{error}"
        );
        assert!(error.ends_with(", ericw-tools"), "{error}");
    }

    #[test]
    fn every_engine_and_its_rules_are_in_all_once() {
        let mut names: Vec<_> = Engine::ALL.iter().map(|engine| engine.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Engine::ALL.len());
    }
}
