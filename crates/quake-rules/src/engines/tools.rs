//! Level editors and compilers, which find files like an engine.

use super::prelude::*;
use super::quake::{FAMILY, ID_TECH};

pub(super) const TRENCHBROOM: Rules = Rules {
    directories: Directories {
        // app/resources/games/Quake/GameConfig.cfg: searchpath id1, packageformat pak of idpak;
        // GameFileSystem.cpp, addGameFileSystems: the search path, then each mod in its order
        games: Games::Every,
        // GameFileSystem.cpp, addSearchPath: Disk::fixPath finds the folder in any case
        game_case: Case::Ignored,
        base_case: Case::Ignored,
        ..ID_TECH.directories
    },
    archives: Archives {
        // GameFileSystem.cpp, addFileSystemPackages: all packages of the extension, sorted as paths, above
        // the folder; VirtualFileSystem.cpp, VirtualFileSystem::mount: the last mount is searched first.
        // makeExtensionPathMatcher ignores case
        sets: list![others(PAK, Case::Ignored, Order::Bytes)],
        // GameFileSystem.cpp, addFileSystemPackages: kdl::fold ends at the first error
        wrong_ends_directory: true,
        // ImageFileSystem.cpp, addFile: a later row replaces an earlier one; doOpenFile looks up the name in
        // lower case
        case: Case::Ignored,
        duplicates: Duplicates::Last,
        ..ID_TECH.archives
    },
    // IdPakFileSystem.cpp, doReadDirectory: whole rows, the magic is not compared, a read past the end is an
    // error
    paks: Paks { refuses_cut_directory: true, unterminated: Unterminated::Whole, ..ID_TECH.paks },
    // DiskIO.cpp, fixCase; VirtualFileSystem.cpp, doOpenFile: a folder with the name is found, but it is not
    // a file
    loose: Loose {
        case: LooseCase::Ignored,
        hides: Obstacles { folder: true, ..ONLY_UNREADABLE },
        ..ID_TECH.loose
    },
    // FileSystem.cpp, FileSystem::openFile: only relative paths; CachedFileTree.h, withCachedEntry: parts of
    // a path that std::filesystem separates
    requests: Requests {
        leading_slash: PathRule::Refused,
        empty_component: PathRule::Dropped,
        trailing_slash: PathRule::Dropped,
        ..ID_TECH.requests
    },
    limits: NO_LIMIT,
    stops: stops![],
    // lib/TbMdlLib/src/LoadMaterialCollections.cpp, loadMaterialCollections
    needed: Known(Needed { to_play: texts!["gfx/palette.lmp"], ..Needed::NOTHING }),
    companions: Known(list![]),
    // an editor plays no music
    substitutes: Known(list![MUSIC]),
    console: Known(None),
    program: Program::None,
    keys: Known(list![]),
    wads: Known(texts![]),
    family: FAMILY,
    ..ID_TECH
};

pub(super) const ERICW_TOOLS: Rules = Rules {
    directories: Directories {
        // common/bspfile.cc, gamedef_q1_like_t::init_filesystem: each -path in order, as a folder without
        // archives
        games: Games::Every,
        game_option: texts!["-path"],
        // common/fs.cc, addArchiveInternal: the last one is searched first; one that is already there keeps
        // its position
        named_again: DuplicateMention::Stays,
        ..ID_TECH.directories
    },
    // common/fs.cc, pak_archive: a map without case, in which a later row replaces an earlier one
    archives: Archives {
        sets: list![],
        case: Case::Ignored,
        duplicates: Duplicates::Last,
        ..ID_TECH.archives
    },
    loose: Loose {
        // common/fs.cc, resolve_result and where: loose files come first unless -filepriority is given
        position: LoosePosition::Above,
        // common/fs.cc, directory_archive: contains accepts anything that exists, but load reads only files
        hides: Obstacles { folder: true, special: true, ..ONLY_UNREADABLE },
        ..ID_TECH.loose
    },
    // common/fs.cc, resolve_result and where: an absolute path is not joined to a folder
    requests: Requests { leading_slash: PathRule::Refused, ..ID_TECH.requests },
    limits: NO_LIMIT,
    // common/fs.cc, addArchiveInternal: an unreadable archive is skipped
    stops: stops![],
    // common/imglib.cc, init_palette, which has the palette of Quake
    needed: Known(Needed::NOTHING),
    companions: TRENCHBROOM.companions,
    substitutes: TRENCHBROOM.substitutes,
    console: TRENCHBROOM.console,
    program: Program::None,
    keys: TRENCHBROOM.keys,
    wads: TRENCHBROOM.wads,
    family: FAMILY,
    ..ID_TECH
};
