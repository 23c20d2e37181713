//! At what an engine stops.

use crate::rules::EngineStop;

use super::advice::{DAMAGED_ENTRY, PERMISSIONS};

/// What is wrong, without what the engine does then.
pub(super) fn cause(stop: EngineStop) -> &'static str {
    match stop {
        EngineStop::OddGame => "this cannot be the name of a game",
        EngineStop::MissingGame => "there is no such folder",
        EngineStop::OtherGame => {
            "the engine mounts each game of the base directory when it starts, and cannot read this archive"
        }
        EngineStop::UnreadableGame => "the folder of the game cannot be listed",
        EngineStop::MissingGameInfo => "the folder of the game has neither gameinfo.txt nor liblist.gam",
        EngineStop::MissingFirstArchive => "there is no archive with the number 0",
        EngineStop::NotAFile => "it is not a regular file",
        EngineStop::WrongArchive => "the file is no archive",
        EngineStop::TooManyEntries => "the archive has too many entries",
        EngineStop::TooManyArchives => "the game has more archives than the engine has handles for",
        EngineStop::NegativeDirectory => "the directory has a negative offset",
        EngineStop::CutDirectory => "the directory ends past the end of the archive",
        EngineStop::EmptyArchive => "the archive has no entries",
        EngineStop::BytesInFront => "the offsets in this ZIP do not count the bytes in front of it",
        EngineStop::LongZipName => "a name in this ZIP is too long",
        EngineStop::CutEntry => "the entry ends past the end of the archive",
        EngineStop::EntryOutside => "the entry starts past the end of the archive",
        EngineStop::BadZipEntry => "the entry cannot be decoded",
        EngineStop::EmptyFile => "the file is empty",
        EngineStop::FolderAsFile => "a folder has the name of a file",
        EngineStop::Pipe => "the file is a pipe",
        EngineStop::Unregistered => "the file of the registered version is missing",
        EngineStop::WrongRegistered => "the file is not that of the registered version",
    }
}

pub(super) fn help(stop: EngineStop) -> &'static str {
    match stop {
        EngineStop::OddGame => "give the folder's name alone, such as mymod",
        EngineStop::MissingGame => "look at its spelling and case",
        EngineStop::OtherGame => "get the archive again, or move its game out of the base directory",
        EngineStop::UnreadableGame => PERMISSIONS,
        EngineStop::MissingGameInfo => "add a liblist.gam with the line: game \"NAME\"",
        EngineStop::MissingFirstArchive => "add the archives of the game",
        EngineStop::NotAFile => "replace it with an archive, or rename it",
        EngineStop::WrongArchive
        | EngineStop::NegativeDirectory
        | EngineStop::CutDirectory
        | EngineStop::BytesInFront => "the file is probably a cut-off download: get it again",
        EngineStop::EmptyArchive => "put a file into it, or remove it and renumber",
        EngineStop::LongZipName => "give the file in it a shorter name",
        EngineStop::CutEntry | EngineStop::EntryOutside | EngineStop::BadZipEntry => DAMAGED_ENTRY,
        EngineStop::TooManyEntries => "split it into two archives",
        EngineStop::TooManyArchives => "merge some of the archives into one",
        EngineStop::EmptyFile => "put something into it, or remove it",
        EngineStop::FolderAsFile => "rename the folder",
        EngineStop::Pipe => "remove the pipe",
        EngineStop::Unregistered => "add the archives of the registered version",
        EngineStop::WrongRegistered => "remove the file that stands in its place",
    }
}
