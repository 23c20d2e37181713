//! The engine's limits.

use crate::documented::documented;

documented! {
    /// The engine's limits. See also [`Zips::longest_name`](crate::Zips::longest_name) and
    /// [`Requests::longest`](crate::Requests::longest).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub struct Limits {
        /// The most entries in one PACK archive; none if no limit is known.
        pub entries with "crate::forms::or_none": Option<MostEntries>,
        /// The longest name, in bytes.
        pub name: u32,
        /// The longest path of an archive or a loose file on disk, in bytes. Files with longer paths are not
        /// found. None if no limit is known.
        pub path with "crate::forms::or_none": Option<u32>,
        /// The most archives, because each needs a file handle; none if no limit is known. With
        /// `too-many-archives` in `stops`, the engine exits above this limit.
        pub archives with "crate::forms::or_none": Option<u32>,
    }
}

documented! {
    /// The most entries in one PACK archive, and the effect of more.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct MostEntries {
        /// The most entries.
        pub most: u32,
        /// Whether the engine skips an archive with more entries. Otherwise it loads it; yquake2 also prints
        /// a message. With `too-many-entries` in `stops`, the engine exits, and this value tells what a
        /// search path does.
        pub skips: bool,
    }
}
