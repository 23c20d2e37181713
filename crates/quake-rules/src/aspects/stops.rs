//! What an engine stops at. Whatever stops an engine is in this one set.

use serde::{Deserialize, Serialize};

use crate::documented::documented;

documented! {
    /// Something at which an engine ends with an error, crashes or hangs.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum EngineStop {
        /// A game whose name the engine does not take: [`OddGame::Refused`](crate::OddGame::Refused) says which.
        OddGame,
        /// A game directory that is not there. Stops ironwail.
        MissingGame,
        /// An archive at which the engine stops, in another game of the base directories: it mounts each of them once when it
        /// starts. Stops ironwail.
        OtherGame,
        /// A game directory that cannot be listed. Stops goldsrc.
        UnreadableGame,
        /// A game directory without the text of [`GameText::GameInfo`](crate::GameText::GameInfo). Stops goldsrc.
        MissingGameInfo,
        /// No archive number 0 in the first game directory of the first base directory. Stops ironwail.
        MissingFirstArchive,
        /// A folder or a device with the name of a numbered archive.
        NotAFile,
        /// A file with the name of a PACK that cannot be read as one, other than by the [`CutDirectory`](Self::CutDirectory).
        WrongArchive,
        /// A PACK of more entries than the engine has room for: [`Limits::entries`](crate::Limits::entries).
        TooManyEntries,
        /// More archives than the engine has handles for: [`Limits::archives`](crate::Limits::archives).
        TooManyArchives,
        /// A PACK whose header gives a directory at a negative place.
        NegativeDirectory,
        /// A PACK whose directory ends past the end of the file.
        CutDirectory,
        /// An archive without entries. Stops yquake2.
        EmptyArchive,
        /// An archive that is in front of a ZIP's end record by more bytes than the record says. Stops qss.
        BytesInFront,
        /// A name in a ZIP of more bytes than the engine has room for:
        /// [`Zips::longest_name`](crate::Zips::longest_name). Stops yquake2.
        LongZipName,
        /// An entry of a PACK that ends past the end of the file, when it is read.
        CutEntry,
        /// An entry that starts past the end of the file, when it is read. Stops ironwail.
        EntryOutside,
        /// An entry of a ZIP whose local header is not there or differs from its row, or of a method besides 0, 8 and 12,
        /// when it is read. Stops yquake2.
        BadZipEntry,
        /// A file of 0 bytes, when it is read. Stops hexen2.
        EmptyFile,
        /// A folder of the requested name, when it is read.
        FolderAsFile,
        /// A pipe among the loose files, when it is read: the engine hangs.
        Pipe,
        /// The file of [`Rules::registered`](crate::Rules::registered) is not there.
        Unregistered,
        /// The file of [`Rules::registered`](crate::Rules::registered) holds other bytes.
        WrongRegistered,
    }
}

impl EngineStop {
    /// Every stop.
    pub const ALL: &[EngineStop] = &[
        EngineStop::OddGame,
        EngineStop::MissingGame,
        EngineStop::OtherGame,
        EngineStop::UnreadableGame,
        EngineStop::MissingGameInfo,
        EngineStop::MissingFirstArchive,
        EngineStop::NotAFile,
        EngineStop::WrongArchive,
        EngineStop::TooManyEntries,
        EngineStop::TooManyArchives,
        EngineStop::NegativeDirectory,
        EngineStop::CutDirectory,
        EngineStop::EmptyArchive,
        EngineStop::BytesInFront,
        EngineStop::LongZipName,
        EngineStop::CutEntry,
        EngineStop::EntryOutside,
        EngineStop::BadZipEntry,
        EngineStop::EmptyFile,
        EngineStop::FolderAsFile,
        EngineStop::Pipe,
        EngineStop::Unregistered,
        EngineStop::WrongRegistered,
    ];
}
