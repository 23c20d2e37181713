//! Directories beside the one of a game, such as `valve_hd`.

use crate::Text;
use crate::documented::documented;

documented! {
    /// The end of the names of directories beside a game's.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub enum Suffix {
        /// A flag of the command line, or a setting: `_addon` for `addon`.
        With(Text),
        /// Always there, unless a flag is given.
        Unless {
            /// The end, without its `_`: `hd`.
            suffix: Text,
            /// The flag, without its dash: `nohdmodels`.
            flag: Text,
        },
        /// Any other flag made of letters, such as a language; the last such flag counts.
        Other,
    }
}

impl Suffix {
    /// The flags that have an effect; the suffix itself is one that changes nothing where it is always there.
    pub(super) fn flags(&self) -> impl Iterator<Item = &Text> {
        let (one, other) = match self {
            Suffix::With(flag) => (Some(flag), None),
            Suffix::Unless { suffix, flag } => (Some(suffix), Some(flag)),
            Suffix::Other => (None, None),
        };
        one.into_iter().chain(other)
    }
}
