//! JSON and TypeScript from one declaration. Serde's derives would be 20 KB of the module.

use std::fmt::Write as _;

/// A value of an answer.
pub(crate) trait Value {
    /// The type in TypeScript.
    fn typescript() -> String;

    fn write(&self, json: &mut String);
}

pub(crate) fn json(value: &impl Value) -> String {
    let mut json = String::new();
    value.write(&mut json);
    json
}

/// Declares structs with their JSON, and their TypeScript as `TYPES`.
macro_rules! rows {
    ($($(#[doc = $doc:literal])+ $row:ident { $($(#[doc = $about:literal])+ $field:ident: $kind:ty),+ $(,)? })+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Debug)]
            pub(crate) struct $row { $($(#[doc = $about])+ pub(crate) $field: $kind),+ }

            impl crate::rows::Value for $row {
                fn typescript() -> String {
                    stringify!($row).to_owned()
                }

                fn write(&self, json: &mut String) {
                    let mut mark = '{';
                    $(
                        crate::rows::key(json, mark, stringify!($field));
                        self.$field.write(json);
                        mark = ',';
                    )+
                    json.push(if mark == ',' { '}' } else { mark });
                }
            }

            impl $row {
                fn declaration() -> String {
                    let fields = [$((concat!($($about),+), stringify!($field), <$kind as crate::rows::Value>::typescript())),+];
                    crate::rows::declaration(concat!($($doc),+), stringify!($row), &fields)
                }
            }
        )+
        pub(crate) const TYPES: &[fn() -> String] = &[$($row::declaration),+];
    };
}
pub(crate) use rows;

pub(crate) fn key(json: &mut String, mark: char, name: &str) {
    json.push(mark);
    json.push('"');
    json.push_str(name);
    json.push_str("\":");
}

pub(crate) fn declaration(doc: &str, name: &str, fields: &[(&str, &str, String)]) -> String {
    let mut text = format!("/**{doc} */\nexport interface {name} {{\n");
    for (about, field, kind) in fields {
        let _ = writeln!(text, "  /**{about} */\n  readonly {field}: {kind};");
    }
    text.push_str("}\n");
    text
}

impl Value for str {
    fn typescript() -> String {
        "string".to_owned()
    }

    fn write(&self, json: &mut String) {
        json.push('"');
        for character in self.chars() {
            match character {
                '"' | '\\' => json.extend(['\\', character]),
                '\0'..' ' => {
                    let _ = write!(json, "\\u{:04x}", u32::from(character));
                }
                _ => json.push(character),
            }
        }
        json.push('"');
    }
}

impl Value for String {
    fn typescript() -> String {
        str::typescript()
    }

    fn write(&self, json: &mut String) {
        self.as_str().write(json);
    }
}

impl Value for &str {
    fn typescript() -> String {
        str::typescript()
    }

    fn write(&self, json: &mut String) {
        (**self).write(json);
    }
}

/// The words that a method `name` returns, with their type in TypeScript.
macro_rules! words {
    ($($kind:ty: $type:literal;)+) => {
        $(impl Value for $kind {
            fn typescript() -> String {
                $type.to_owned()
            }

            fn write(&self, json: &mut String) {
                self.name().write(json);
            }
        })+
    };
}

words! {
    quakefs::Engine: "Engine";
    quakefs::findings::Severity: r#""error" | "warning" | "note""#;
    quakefs_needs::Presence: r#""required" | "optional" | "packed""#;
    quakefs_needs::Kind: r#""level" | "program" | "model" | "sound" | "music" | "texture" | "wad" | "sky" | "image" | "skin" | "companion" | "file""#;
}

impl Value for bool {
    fn typescript() -> String {
        "boolean".to_owned()
    }

    fn write(&self, json: &mut String) {
        json.push_str(if *self { "true" } else { "false" });
    }
}

impl Value for u64 {
    fn typescript() -> String {
        "number".to_owned()
    }

    fn write(&self, json: &mut String) {
        let _ = write!(json, "{self}");
    }
}

impl Value for usize {
    fn typescript() -> String {
        "number".to_owned()
    }

    fn write(&self, json: &mut String) {
        (*self as u64).write(json);
    }
}

impl<T: Value> Value for Option<T> {
    fn typescript() -> String {
        format!("{} | null", T::typescript())
    }

    fn write(&self, json: &mut String) {
        match self {
            Some(value) => value.write(json),
            None => json.push_str("null"),
        }
    }
}

impl<T: Value> Value for Vec<T> {
    fn typescript() -> String {
        format!("readonly {}[]", T::typescript())
    }

    fn write(&self, json: &mut String) {
        json.push('[');
        for (index, value) in self.iter().enumerate() {
            if index > 0 {
                json.push(',');
            }
            value.write(json);
        }
        json.push(']');
    }
}
