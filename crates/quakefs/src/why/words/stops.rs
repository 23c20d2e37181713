//! At what an engine stops.

use crate::rules::Stop;

use super::advice::{DAMAGED_ENTRY, PERMISSIONS};

/// What is wrong, without what the engine does then.
pub(super) fn cause(stop: Stop) -> &'static str {
    match stop {
        Stop::OddGame => "this cannot be the name of a game",
        Stop::MissingGame => "there is no such folder",
        Stop::OtherGame => {
            "the engine mounts each game of the base directory when it starts, and cannot read this archive"
        }
        Stop::UnreadableGame => "the folder of the game cannot be listed",
        Stop::MissingGameInfo => "the folder of the game has neither gameinfo.txt nor liblist.gam",
        Stop::MissingFirstArchive => "there is no archive with the number 0",
        Stop::NotAFile => "it is not a regular file",
        Stop::WrongArchive => "the file is no archive",
        Stop::TooManyEntries => "the archive has too many entries",
        Stop::TooManyArchives => "the game has more archives than the engine has handles for",
        Stop::NegativeDirectory => "the directory has a negative offset",
        Stop::CutDirectory => "the directory ends past the end of the archive",
        Stop::EmptyArchive => "the archive has no entries",
        Stop::BytesInFront => "the offsets in this ZIP do not count the bytes in front of it",
        Stop::LongZipName => "a name in this ZIP is too long",
        Stop::CutEntry => "the entry ends past the end of the archive",
        Stop::EntryOutside => "the entry starts past the end of the archive",
        Stop::BadZipEntry => "the entry cannot be decoded",
        Stop::EmptyFile => "the file is empty",
        Stop::FolderAsFile => "a folder has the name of a file",
        Stop::Pipe => "the file is a pipe",
        Stop::Unregistered => "the file of the registered version is missing",
        Stop::WrongRegistered => "the file is not that of the registered version",
    }
}

pub(super) fn help(stop: Stop) -> &'static str {
    match stop {
        Stop::OddGame => "give the folder's name alone, such as mymod",
        Stop::MissingGame => "look at its spelling and case",
        Stop::OtherGame => "get the archive again, or move its game out of the base directory",
        Stop::UnreadableGame => PERMISSIONS,
        Stop::MissingGameInfo => "add a liblist.gam with the line: game \"NAME\"",
        Stop::MissingFirstArchive => "add the archives of the game",
        Stop::NotAFile => "replace it with an archive, or rename it",
        Stop::WrongArchive | Stop::NegativeDirectory | Stop::CutDirectory | Stop::BytesInFront => {
            "the file is probably a cut-off download: get it again"
        }
        Stop::EmptyArchive => "put a file into it, or remove it and renumber",
        Stop::LongZipName => "give the file in it a shorter name",
        Stop::CutEntry | Stop::EntryOutside | Stop::BadZipEntry => DAMAGED_ENTRY,
        Stop::TooManyEntries => "split it into two archives",
        Stop::TooManyArchives => "merge some of the archives into one",
        Stop::EmptyFile => "put something into it, or remove it",
        Stop::FolderAsFile => "rename the folder",
        Stop::Pipe => "remove the pipe",
        Stop::Unregistered => "add the archives of the registered version",
        Stop::WrongRegistered => "remove the file that stands in its place",
    }
}
