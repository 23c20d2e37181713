//! The documentation of rule types as data, so that a printed rule file explains each of its keys.

/// The form of a value in a rule file, with the documentation of its keys and words.
#[cfg(feature = "toml")]
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// A text, a number, `true` or `false`.
    Plain,
    /// A table with these keys.
    Table(&'static [Item]),
    /// One of these words. A word with a value is a table with the word as its only key.
    Words(&'static [Item]),
    /// A table in which the value of the key `tag` decides about the other keys.
    Tagged {
        /// The key.
        tag: &'static str,
        /// The values of the key, and the table for each.
        variants: &'static [Item],
    },
}

/// A key or a word.
#[cfg(feature = "toml")]
pub(crate) struct Item {
    /// The name in Rust, or the key itself.
    name: &'static str,
    /// The lines of its documentation. Any other attribute is an empty line.
    lines: &'static [&'static str],
    pub(crate) shape: Shape,
}

#[cfg(feature = "toml")]
impl Item {
    pub(crate) const fn new(name: &'static str, lines: &'static [&'static str], shape: Shape) -> Item {
        Item { name, lines, shape }
    }

    /// The key or word as serde writes it: `max_games` and `MaxGames` are `max-games`.
    pub(crate) fn key(&self) -> String {
        let mut key = String::new();
        for letter in self.name.chars() {
            if letter.is_ascii_uppercase() && !key.is_empty() {
                key.push('-');
            }
            key.push(if letter == '_' { '-' } else { letter.to_ascii_lowercase() });
        }
        key
    }

    /// The key and its value in a table. In some enums, serde keeps the Rust names of the fields.
    pub(crate) fn find<'t>(&self, table: &'t toml::Table) -> Option<(&'t str, &'t toml::Value)> {
        let found = table.get_key_value(&self.key()).or_else(|| table.get_key_value(self.name));
        found.map(|(key, value)| (key.as_str(), value))
    }

    /// The documentation in one line, without the links of rustdoc.
    pub(crate) fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join(" ").replace("[`", "`").replace("`]", "`")
    }
}

/// A type in rules.
#[cfg(feature = "toml")]
pub(crate) trait Documented {
    const SHAPE: Shape = Shape::Plain;
}

#[cfg(feature = "toml")]
mod values {
    use super::{Documented, Shape};

    impl Documented for bool {}
    impl Documented for u16 {}
    impl Documented for u32 {}
    impl Documented for str {}
    impl Documented for pak_format::Layout {}

    impl<T: Documented> Documented for crate::Fact<T> {
        const SHAPE: Shape = T::SHAPE;
    }

    impl<T: Documented, const N: usize> Documented for [T; N] {
        const SHAPE: Shape = T::SHAPE;
    }

    impl<T: Documented> Documented for Option<T> {
        const SHAPE: Shape = T::SHAPE;
    }

    impl<T: Documented> Documented for [T] {
        const SHAPE: Shape = T::SHAPE;
    }

    impl<T: Documented + ToOwned + ?Sized> Documented for std::borrow::Cow<'static, T> {
        const SHAPE: Shape = T::SHAPE;
    }
}

/// Defines a struct or an enum of rules, and keeps the doc comments of its fields or variants as data too.
/// The word `with` names the module that reads and writes an optional field.
macro_rules! documented {
    (
        $(#[$($meta:tt)*])*
        pub struct $name:ident {
            $($(#[$($attr:tt)*])* pub $field:ident $(= $key:literal)? $(with $with:literal)?: $type:ty,)+
        }
    ) => {
        $(#[$($meta)*])*
        #[cfg_attr(
            feature = "serde",
            derive(serde::Serialize, serde::Deserialize),
            serde(rename_all = "kebab-case", deny_unknown_fields)
        )]
        pub struct $name {
            $(
                $(#[$($attr)*])*
                $(#[cfg_attr(feature = "serde", serde(rename = $key))])?
                $(#[cfg_attr(
                    feature = "serde",
                    serde(default, skip_serializing_if = "Option::is_none", with = $with)
                )])?
                pub $field: $type,
            )+
        }

        #[cfg(feature = "toml")]
        impl $crate::documented::Documented for $name {
            const SHAPE: $crate::documented::Shape = $crate::documented::Shape::Table(&[
                $($crate::documented::item!([$($key)?] $field [$([$($attr)*])*] $type)),+
            ]);
        }
    };
    (
        $(#[$($meta:tt)*])*
        pub enum $name:ident by $tag:literal {
            $($(#[$($attr:tt)*])* $variant:ident {
                $($(#[$($inner:tt)*])* $field:ident $(with $with:literal)?: $type:ty,)+
            },)+
        }
    ) => {
        $(#[$($meta)*])*
        #[cfg_attr(
            feature = "serde",
            derive(serde::Serialize, serde::Deserialize),
            serde(
                tag = $tag,
                rename_all = "kebab-case",
                rename_all_fields = "kebab-case",
                deny_unknown_fields
            )
        )]
        pub enum $name {
            $($(#[$($attr)*])* $variant {
                $(
                    $(#[$($inner)*])*
                    $(#[cfg_attr(
                    feature = "serde",
                    serde(default, skip_serializing_if = "Option::is_none", with = $with)
                )])?
                    $field: $type,
                )+
            },)+
        }

        #[cfg(feature = "toml")]
        impl $crate::documented::Documented for $name {
            const SHAPE: $crate::documented::Shape = $crate::documented::Shape::Tagged {
                tag: $tag,
                variants: &[$($crate::documented::Item::new(
                    stringify!($variant),
                    &[$($crate::documented::doc_line!($($attr)*)),*],
                    $crate::documented::Shape::Table(&[
                        $($crate::documented::item!([] $field [$([$($inner)*])*] $type)),+
                    ]),
                )),+],
            };
        }
    };
    (
        $(#[$($meta:tt)*])*
        pub enum $name:ident {
            $($(#[$($attr:tt)*])* $variant:ident $(($value:ty))? $({
                $($(#[$($inner:tt)*])* $field:ident: $type:ty,)+
            })?,)+
        }
    ) => {
        $(#[$($meta)*])*
        #[cfg_attr(
            feature = "serde",
            derive(serde::Serialize, serde::Deserialize),
            serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)
        )]
        pub enum $name {
            $($(#[$($attr)*])* $variant $(($value))? $({
                $($(#[$($inner)*])* $field: $type,)+
            })?,)+
        }

        #[cfg(feature = "toml")]
        impl $crate::documented::Documented for $name {
            const SHAPE: $crate::documented::Shape = $crate::documented::Shape::Words(&[
                $($crate::documented::Item::new(
                    stringify!($variant),
                    &[$($crate::documented::doc_line!($($attr)*)),*],
                    $crate::documented::payload!($($value)? $({
                        $($crate::documented::item!([] $field [$([$($inner)*])*] $type)),+
                    })?),
                )),+
            ]);
        }
    };
}

/// The item of a field.
#[cfg(feature = "toml")]
macro_rules! item {
    ([] $field:ident $attrs:tt $type:ty) => {
        $crate::documented::item!(@ stringify!($field), $attrs $type)
    };
    ([$key:literal] $field:ident $attrs:tt $type:ty) => {
        $crate::documented::item!(@ $key, $attrs $type)
    };
    (@ $name:expr, [$([$($attr:tt)*])*] $type:ty) => {
        $crate::documented::Item::new(
            $name,
            &[$($crate::documented::doc_line!($($attr)*)),*],
            <$type as $crate::documented::Documented>::SHAPE,
        )
    };
}

/// The form of a word's value.
#[cfg(feature = "toml")]
macro_rules! payload {
    () => {
        $crate::documented::Shape::Plain
    };
    ({ $($item:expr),+ }) => {
        $crate::documented::Shape::Table(&[$($item),+])
    };
    ($type:ty) => {
        <$type as $crate::documented::Documented>::SHAPE
    };
}

/// The text of a doc comment; empty for any other attribute.
#[cfg(feature = "toml")]
macro_rules! doc_line {
    (doc = $text:literal) => {
        $text
    };
    ($($other:tt)*) => {
        ""
    };
}

pub(crate) use documented;
#[cfg(feature = "toml")]
pub(crate) use {doc_line, item, payload};
