//! What marks a registered copy of a game.

use serde::{Deserialize, Serialize};

use crate::Text;
use crate::documented::documented;
use crate::forms::or_none;

documented! {
    /// The file that marks a registered copy of a game, and how its content is known.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub struct Registered {
        /// The name of the file inside the tree.
        pub file: Text,
        /// The size of the file in bytes. `None` where any size does.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "or_none")]
        pub size: Option<u32>,
        /// The CRC-32 of the file. `None` if any content does.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "or_none")]
        pub crc32: Option<u32>,
        /// The one archive of the shareware, which an engine that stops without the file still runs by itself.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "or_none")]
        pub shareware: Option<Shareware>,
    }
}

documented! {
    /// The archive of a game's shareware.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub struct Shareware {
        /// How many entries it has.
        pub entries: u32,
        /// The CRC-16 of its directory, of the polynomial 0x1021 from 0xffff on.
        pub crc: u16,
        /// Which loose files count where the shareware is there without the file of a registered copy.
        pub loose: SharewareLoose,
    }
}

documented! {
    /// Which loose files count in a shareware copy.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum SharewareLoose {
        /// All.
        All,
        /// Those straight in a game directory alone, as in quakeworld.
        TopLevel,
    }
}
