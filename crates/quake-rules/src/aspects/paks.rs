//! How the bytes of a PACK archive are read.

use pak_format::Layout;
use serde::{Deserialize, Serialize};

use super::names::NameParts;
use crate::documented::documented;
use crate::forms::{layout, or_none};

documented! {
    /// How an engine reads the bytes of a PACK archive.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[non_exhaustive]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub struct Paks {
        /// The one layout that the engine reads; `None` detects the layout from the bytes.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "layout")]
        pub layout: Option<Layout>,
        /// What the engine does when the directory ends inside a row.
        pub partial_row: PartialRow,
        /// What the engine does when the directory ends past the end of the file, as in a download that was cut off.
        pub cut_directory: CutDirectory,
        /// The furthest that an entry may end, in bytes from the start; an archive with one that ends further is not
        /// loaded. `None` where the engine does not look, as all but q2pro.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "or_none")]
        pub furthest_entry: Option<u32>,
        /// What unusual parts of a name become; [`Zips::parts`](crate::Zips::parts) says so of a ZIP.
        pub parts: NameParts,
        /// What a name is that fills its whole field, without a NUL.
        pub unterminated: Unterminated,
    }
}

documented! {
    /// What an engine does when a directory is not a whole number of rows.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum PartialRow {
        /// It reads the whole rows.
        Ignored,
        /// It does not load the archive.
        Refused,
    }
}

documented! {
    /// What an engine does when the directory of a PACK ends past the end of the file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum CutDirectory {
        /// It reads the whole rows that are there.
        WholeRows,
        /// It does not load the archive.
        Refused,
    }
}

documented! {
    /// What a name in a PACK is that fills its whole field.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Unterminated {
        /// All of the field.
        Whole,
        /// All of the field but its last byte, as in darkplaces.
        Cut,
        /// The field and the bytes of the row that follow, up to a NUL.
        RunsOn,
    }
}
