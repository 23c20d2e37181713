//! Values that need a special form in TOML.

/// An optional value that the word `none` removes. TOML has no null, so without this word a file could not
/// remove an inherited value.
pub(crate) mod or_none {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::value::MapAccessDeserializer;
    use serde::de::{Error, IntoDeserializer, MapAccess, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) const NONE: &str = "none";

    struct OrNone<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for OrNone<T> {
        type Value = Option<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a value or the word \"none\"")
        }

        fn visit_unit<E: Error>(self) -> Result<Option<T>, E> {
            Ok(None)
        }

        fn visit_str<E: Error>(self, word: &str) -> Result<Option<T>, E> {
            if word == NONE { Ok(None) } else { T::deserialize(word.into_deserializer()).map(Some) }
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<Option<T>, E> {
            T::deserialize(number.into_deserializer()).map(Some)
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<Option<T>, E> {
            T::deserialize(number.into_deserializer()).map(Some)
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Option<T>, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map)).map(Some)
        }
    }

    #[expect(clippy::ref_option, reason = "serde passes the field by reference")]
    pub(crate) fn serialize<T: Serialize, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => value.serialize(serializer),
            None => serializer.serialize_str(NONE),
        }
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        deserializer.deserialize_any(OrNone(PhantomData))
    }
}

/// A layout by its name, because pak-format does not use serde.
pub(crate) mod layout {
    use pak_format::Layout;
    use serde::{Deserialize, Deserializer, Serializer, de};

    use super::or_none::NONE;

    #[expect(clippy::ref_option, reason = "serde passes the field by reference")]
    pub(crate) fn serialize<S: Serializer>(
        layout: &Option<Layout>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(layout.map_or(NONE, Layout::name))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Layout>, D::Error> {
        let word = String::deserialize(deserializer)?;
        if word == NONE { Ok(None) } else { word.parse().map(Some).map_err(de::Error::custom) }
    }
}

/// A fact that may be none.
pub(crate) mod fact_or_none {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::or_none;
    use crate::Fact;

    #[derive(Serialize, Deserialize)]
    #[serde(transparent, bound = "T: Serialize + serde::de::DeserializeOwned")]
    struct OrNone<T>(#[serde(with = "or_none")] Option<T>);

    pub(crate) fn serialize<T, S>(fact: &Fact<Option<T>>, serializer: S) -> Result<S::Ok, S::Error>
    where
        T: Clone + Serialize + serde::de::DeserializeOwned,
        S: Serializer,
    {
        match fact {
            Fact::Known(value) => or_none::serialize(value, serializer),
            Fact::Unknown => Fact::<()>::Unknown.serialize(serializer),
        }
    }

    pub(crate) fn deserialize<'de, T, D>(deserializer: D) -> Result<Fact<Option<T>>, D::Error>
    where
        T: Serialize + serde::de::DeserializeOwned,
        D: Deserializer<'de>,
    {
        Ok(match Fact::<OrNone<T>>::deserialize(deserializer)? {
            Fact::Known(value) => Fact::Known(value.0),
            Fact::Unknown => Fact::Unknown,
        })
    }
}
