//! What marks a registered copy of a game.

use serde::{Deserialize, Serialize};

use crate::Text;
use crate::fault::{FaultKind, Faults};
use crate::forms::or_none;

/// The file that marks a registered copy of a game, and how its content is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Registered {
    /// The name of the file inside the tree.
    pub file: Text,
    /// The size of the file in bytes. `None` where any size does.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "or_none")]
    pub size: Option<u32>,
    /// The SHA-256 of the file as 64 hexadecimal digits. `None` where any content does.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "or_none")]
    pub sha256: Option<Text>,
    /// The one archive of the shareware, which an engine that stops without the file still runs by itself.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "or_none")]
    pub shareware: Option<Shareware>,
}

impl Registered {
    pub(crate) fn validate(&self, faults: &mut Faults) {
        let is_sha256 = |hex: &str| hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        if self.sha256.as_deref().is_some_and(|hex| !is_sha256(hex)) {
            faults.add("registered.sha256", FaultKind::NotSha256);
        }
    }
}

/// The archive of a game's shareware.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Shareware {
    /// How many entries it has.
    pub entries: u32,
    /// The CRC-16 of its directory, of the polynomial 0x1021 from 0xffff on.
    pub crc: u16,
    /// Which loose files count where the shareware is there without the file of a registered copy.
    pub loose: LooseWithout,
}

/// Which loose files count in a shareware copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LooseWithout {
    /// All.
    All,
    /// Those straight in a game directory alone, as in quakeworld.
    TopLevel,
}

#[cfg(test)]
mod tests {
    use crate::fault::tests::check;

    #[test]
    fn a_hash_that_is_none_is_a_fault() {
        check(
            |rules| rules.registered.as_mut().unwrap().sha256 = Some("59a7".into()),
            &["registered.sha256: this is not 64 hexadecimal digits"],
        );
    }
}
