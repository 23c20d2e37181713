//! What an engine has no room for.

use serde::{Deserialize, Serialize};

use crate::documented::documented;
use crate::forms::or_none;

documented! {
    /// What an engine has no room for. See also [`Zips::longest_name`](crate::Zips::longest_name) and
    /// [`Requests::longest`](crate::Requests::longest).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[non_exhaustive]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub struct Limits {
        /// The most entries in one PACK archive; `None` where no limit is known.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "or_none")]
        pub entries: Option<MostEntries>,
        /// The longest name, in bytes.
        pub name: u32,
        /// The longest path of an archive or a loose file on disk, in bytes; what has a longer one is not found. `None`
        /// where no limit is known.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "or_none")]
        pub path: Option<u32>,
        /// The most archives, each of which takes one of the engine's handles; `None` where no limit is known. At more the
        /// engine stops, where [`EngineStop::TooManyArchives`](crate::EngineStop::TooManyArchives) says so.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "or_none")]
        pub archives: Option<u32>,
    }
}

documented! {
    /// The most entries that an engine takes in one PACK archive, and what becomes of an archive of more.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub struct MostEntries {
        /// The most entries.
        pub most: u32,
        /// What becomes of an archive of more entries. Where the engine stops there, which
        /// [`EngineStop::TooManyEntries`](crate::EngineStop::TooManyEntries) says, a search path goes on like this.
        pub then: TooMany,
    }
}

documented! {
    /// What becomes of a PACK archive of more entries than the engine has room for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum TooMany {
        /// It is not loaded.
        Skipped,
        /// It is loaded. An engine that goes on prints a message, as yquake2.
        Loaded,
    }
}
