//! How the bytes of a PACK archive are read.

use super::names::NameParts;
use crate::documented::documented;
use pak_format::Layout;

documented! {
    /// How an engine reads the bytes of a PACK archive.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub struct Paks {
        /// The layout that the engine reads; none to detect it from the bytes.
        pub layout with "crate::forms::layout": Option<Layout>,
        /// Whether the engine skips an archive whose directory ends inside a row. Otherwise it reads the
        /// complete rows.
        pub refuses_partial_row: bool,
        /// Whether the engine skips an archive whose directory ends past the end of the file, as in an
        /// incomplete download. Otherwise it reads the complete rows.
        pub refuses_cut_directory: bool,
        /// The highest offset at which an entry may end; an archive with a higher one is skipped. None if the
        /// engine does not check. Only q2pro does.
        pub furthest_entry with "crate::forms::or_none": Option<u32>,
        /// How the engine changes names.
        pub parts: NameParts,
        /// How the engine reads a name that fills its field without a NUL.
        pub unterminated: Unterminated,
    }
}

documented! {
    /// How an engine reads a PACK name that fills its field.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Unterminated {
        /// The whole field is the name.
        Whole,
        /// The whole field except its last byte, as in darkplaces.
        Cut,
        /// The name goes on into the following bytes of the row, up to a NUL.
        RunsOn,
    }
}
