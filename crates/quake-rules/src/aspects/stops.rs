//! The conditions at which an engine stops.

use crate::documented::documented;

documented! {
    /// Something that makes an engine exit with an error, crash or hang.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum EngineStop {
        /// A game name that `directories.odd-games` refuses.
        OddGame,
        /// A missing game directory. Stops ironwail.
        MissingGame,
        /// An archive that stops the engine, in another game of the base directories: ironwail mounts each of
        /// them once when it starts.
        OtherGame,
        /// A game directory that cannot be listed. Stops goldsrc.
        UnreadableGame,
        /// A game directory without the text of `text = "game-info"`. Stops goldsrc.
        MissingGameInfo,
        /// No archive number 0 in the first game directory of the first base directory. Stops ironwail.
        MissingFirstArchive,
        /// A folder or a device with the name of a numbered archive.
        NotAFile,
        /// An unreadable PACK archive, except for `cut-directory`.
        WrongArchive,
        /// A PACK with more entries than `limits.entries`.
        TooManyEntries,
        /// More archives than `limits.archives`.
        TooManyArchives,
        /// A PACK with a negative directory offset.
        NegativeDirectory,
        /// A PACK whose directory ends past the end of the file.
        CutDirectory,
        /// A PACK with an entry that ends past `paks.furthest-entry`. Stops q2rtx.
        FarEntry,
        /// An archive without entries. Stops yquake2.
        EmptyArchive,
        /// A ZIP with more bytes in front than its end record claims. Stops qss.
        BytesInFront,
        /// A ZIP name longer than `zips.longest-name`. Stops yquake2.
        LongZipName,
        /// The engine reads an entry of a PACK that ends past the end of the file.
        CutEntry,
        /// The engine reads an entry that starts past the end of the file. Stops ironwail.
        EntryOutside,
        /// The engine reads a ZIP entry with a missing or different local header, or with a method other than
        /// 0, 8 and 12. Stops yquake2.
        BadZipEntry,
        /// The engine reads a file of 0 bytes. Stops hexen2.
        EmptyFile,
        /// A folder with the requested name, when it is read.
        FolderAsFile,
        /// A pipe among the loose files, when it is read: the engine hangs.
        Pipe,
        /// A link to a folder that contains it, in the first game directory. mvdsv follows it, and often
        /// crashes.
        LinkLoop,
        /// An archive or a folder in a game directory whose name has a byte below 32 or above 126. etlegacy
        /// deletes it.
        OddFileName,
        /// The file of `registered` is missing.
        Unregistered,
        /// The file of `registered` has other content.
        WrongRegistered,
    }
}
