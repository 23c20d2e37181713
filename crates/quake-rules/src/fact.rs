//! A fact that an engine's source tells, or that nobody has looked up yet.

use crate::List;

/// A fact about an engine. [`Unknown`](Fact::Unknown) is a value: an answer that depends on it says so, and
/// never uses another engine's fact instead. In a rule file it is the word `unknown`.
///
/// ```
/// use quake_rules::{Engine, Fact};
/// let daikatana = Engine::Daikatana.rules();
/// assert_eq!(daikatana.companions, Fact::Unknown);
/// assert!(daikatana.unknown().contains(&"companions"));
/// assert!(daikatana.companions.items().is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fact<T> {
    /// The fact.
    Known(T),
    /// It is not known.
    #[default]
    Unknown,
}

impl<T> Fact<T> {
    /// The fact, if it is known.
    #[must_use]
    pub const fn known(&self) -> Option<&T> {
        match self {
            Fact::Known(fact) => Some(fact),
            Fact::Unknown => None,
        }
    }

    /// Whether it is not known.
    #[must_use]
    pub const fn is_unknown(&self) -> bool {
        matches!(self, Fact::Unknown)
    }
}

impl<T: Clone> Fact<List<T>> {
    /// The known items; none if they are not known.
    #[must_use]
    pub fn items(&self) -> &[T] {
        self.known().map_or(&[], |items| items)
    }
}

/// A known list.
impl<T: Clone> From<Vec<T>> for Fact<List<T>> {
    fn from(items: Vec<T>) -> Self {
        Fact::Known(items.into())
    }
}

/// The word in a rule file.
#[cfg(feature = "serde")]
const UNKNOWN: &str = "unknown";

#[cfg(feature = "serde")]
mod serde_form {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
    use serde::de::{Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Fact, UNKNOWN};

    impl<T: Serialize> Serialize for Fact<T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self {
                Fact::Known(fact) => fact.serialize(serializer),
                Fact::Unknown => serializer.serialize_str(UNKNOWN),
            }
        }
    }

    struct OrUnknown<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for OrUnknown<T> {
        type Value = Fact<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a value or the word \"unknown\"")
        }

        fn visit_str<E: Error>(self, word: &str) -> Result<Fact<T>, E> {
            if word == UNKNOWN {
                return Ok(Fact::Unknown);
            }
            T::deserialize(word.into_deserializer()).map(Fact::Known)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Fact<T>, A::Error> {
            T::deserialize(SeqAccessDeserializer::new(seq)).map(Fact::Known)
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Fact<T>, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map)).map(Fact::Known)
        }
    }

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Fact<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(OrUnknown(PhantomData))
        }
    }
}
