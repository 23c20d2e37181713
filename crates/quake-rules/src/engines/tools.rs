//! Level editors and compilers, which find files like an engine.

use std::borrow::Cow::Borrowed;

use super::parts::{NO_LIMIT, ONLY_UNREADABLE, PAK, others};
use crate::{
    Case, CutDirectory, DuplicateMention, Duplicates, Games, LooseCase, LoosePosition, Obstacles, Order,
    PathRule, Rules, Unterminated, WrongArchive,
};

pub(super) fn trenchbroom(rules: &mut Rules) {
    // app/resources/games/Quake/GameConfig.cfg: searchpath id1, packageformat pak of idpak; GameFileSystem.cpp,
    // addGameFileSystems: the search path, then each mod in its order
    rules.directories.games = Games::Every;
    // GameFileSystem.cpp, addSearchPath: Disk::fixPath finds the folder in any case
    rules.directories.game_case = Case::Ignored;
    // GameFileSystem.cpp, addFileSystemPackages: all packages of the extension, sorted as paths, above the folder;
    // VirtualFileSystem.cpp, mount: the last mount is searched first. makeExtensionPathMatcher ignores case
    rules.archives.sets = vec![others(PAK, Case::Ignored, Order::Bytes)].into();
    // IdPakFileSystem.cpp, doReadDirectory: whole rows, the magic is not compared, a read past the end is an error;
    // GameFileSystem.cpp, addFileSystemPackages: kdl::fold ends at the first error
    rules.paks.cut_directory = CutDirectory::Refused;
    rules.archives.wrong = WrongArchive::EndsDirectory;
    rules.stops = Borrowed(&[]);
    rules.paks.unterminated = Unterminated::Whole;
    // ImageFileSystem.cpp, addFile: a later row replaces an earlier one; doOpenFile looks up the name in lower case
    rules.archives.case = Case::Ignored;
    rules.archives.duplicates = Duplicates::Last;
    // DiskIO.cpp, fixCase; VirtualFileSystem.cpp, doOpenFile: a folder with the name is found, but it is not a file
    rules.loose.case = LooseCase::Ignored;
    rules.loose.hides = Obstacles { folder: true, ..ONLY_UNREADABLE };
    // DiskFileSystem.cpp and ImageFileSystem.cpp accept only relative paths
    rules.requests.leading_slash = PathRule::Refused;
    rules.limits = NO_LIMIT;
}

pub(super) fn ericw_tools(rules: &mut Rules) {
    // common/bspfile.cc, gamedef_q1_like_t::init_filesystem: each -path in order, as a folder without archives
    rules.directories.games = Games::Every;
    rules.archives.sets = Borrowed(&[]);
    // common/fs.cc, addArchiveInternal: the last one is searched first; one that is already there keeps its position
    rules.directories.named_again = DuplicateMention::Stays;
    // common/fs.cc, where: loose files come first unless -filepriority is given
    rules.loose.position = LoosePosition::Above;
    // common/fs.cc, pak_archive: a map without case, in which a later row replaces an earlier one
    rules.archives.case = Case::Ignored;
    rules.archives.duplicates = Duplicates::Last;
    // common/fs.cc, addArchiveInternal: an unreadable archive is skipped
    rules.stops = Borrowed(&[]);
    // common/fs.cc, directory_archive: contains accepts anything that exists, but load reads only files
    rules.loose.hides = Obstacles { folder: true, special: true, ..ONLY_UNREADABLE };
    // common/fs.cc, where: an absolute path is not joined to a folder
    rules.requests.leading_slash = PathRule::Refused;
    rules.limits = NO_LIMIT;
}
