//! JSON for the script of the page.

use std::fmt::{self, Write as _};

use pak_format::name::steers;
use quakefs::EntryName;
use serde::Serialize;
use serde::ser::{self, Serializer};

/// JSON that is safe inside the page. It contains no `<`, and like the command it writes `\xNN` for characters that
/// control a terminal, reorder a line or are invisible.
#[must_use]
pub fn json(value: &impl Serialize) -> String {
    let mut json = String::new();
    // numbers and text always have a form in JSON
    let _ = value.serialize(Json(&mut json));
    json
}

/// Writes JSON. `serde_json` would be 10 KB more in the module of the page.
struct Json<'j>(&'j mut String);

/// No value of this crate has it.
#[derive(Debug)]
struct Failed;

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value has no form in JSON")
    }
}

impl std::error::Error for Failed {}

impl ser::Error for Failed {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Failed
    }
}

type Done = Result<(), Failed>;

impl<'j> Json<'j> {
    fn number(self, number: impl fmt::Display) {
        let _ = write!(self.0, "{number}");
    }

    fn parts(self, start: char, end: &'static str) -> Parts<'j> {
        Parts { json: self.0, before: start, start, end }
    }

    /// `{"name":`, which `end` has to close.
    fn variant(self, name: &str) -> &'j mut String {
        self.0.push('{');
        text(self.0, name);
        self.0.push(':');
        self.0
    }
}

fn text(json: &mut String, text: &str) {
    json.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\n' => json.push_str("\\n"),
            '\0'..' ' | '<' => {
                let _ = write!(json, "\\u{:04x}", u32::from(character));
            }
            _ if steers(character) => {
                let name = EntryName::from(&*character.encode_utf8(&mut [0; 4])).to_string();
                json.push_str(&name.replace('\\', "\\\\"));
            }
            _ => json.push(character),
        }
    }
    json.push('"');
}

/// The parts of an array or an object.
struct Parts<'j> {
    json: &'j mut String,
    /// What stands before the next part.
    before: char,
    start: char,
    end: &'static str,
}

impl Parts<'_> {
    fn part(&mut self, value: &(impl Serialize + ?Sized)) -> Done {
        self.json.push(self.before);
        self.before = ',';
        value.serialize(Json(self.json))
    }

    fn field(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Done {
        self.json.push(self.before);
        self.before = ',';
        text(self.json, name);
        self.json.push(':');
        value.serialize(Json(self.json))
    }

    fn finish(self) {
        if self.before == self.start {
            self.json.push(self.start);
        }
        self.json.push_str(self.end);
    }
}

macro_rules! numbers {
    ($($function:ident: $kind:ty),+) => {
        $(fn $function(self, number: $kind) -> Done {
            self.number(number);
            Ok(())
        })+
    };
}

impl<'j> Serializer for Json<'j> {
    type Ok = ();
    type Error = Failed;
    type SerializeSeq = Parts<'j>;
    type SerializeTuple = Parts<'j>;
    type SerializeTupleStruct = Parts<'j>;
    type SerializeTupleVariant = Parts<'j>;
    type SerializeMap = Parts<'j>;
    type SerializeStruct = Parts<'j>;
    type SerializeStructVariant = Parts<'j>;

    numbers! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_f32: f32, serialize_f64: f64
    }

    fn serialize_char(self, character: char) -> Done {
        text(self.0, character.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, part: &str) -> Done {
        text(self.0, part);
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Done {
        self.collect_seq(bytes)
    }

    fn serialize_none(self) -> Done {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        self.0.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Done {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Done {
        let json = self.variant(variant);
        value.serialize(Json(json))?;
        json.push('}');
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'j>, Failed> {
        Ok(self.parts('[', "]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'j>, Failed> {
        Ok(self.parts('[', "]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'j>, Failed> {
        Ok(self.parts('[', "]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'j>, Failed> {
        Ok(Json(self.variant(variant)).parts('[', "]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'j>, Failed> {
        Ok(self.parts('{', "}"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'j>, Failed> {
        Ok(self.parts('{', "}"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'j>, Failed> {
        Ok(Json(self.variant(variant)).parts('{', "}}"))
    }
}

/// The traits of parts that differ in a name.
macro_rules! arrays {
    ($($kind:ident: $function:ident),+) => {
        $(impl ser::$kind for Parts<'_> {
            type Ok = ();
            type Error = Failed;

            fn $function<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
                self.part(value)
            }

            fn end(self) -> Done {
                self.finish();
                Ok(())
            }
        })+
    };
}

arrays! {
    SerializeSeq: serialize_element, SerializeTuple: serialize_element, SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field
}

macro_rules! objects {
    ($($kind:ident),+) => {
        $(impl ser::$kind for Parts<'_> {
            type Ok = ();
            type Error = Failed;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Done {
                self.field(name, value)
            }

            fn end(self) -> Done {
                self.finish();
                Ok(())
            }
        })+
    };
}

objects!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Failed;

    /// Keys are texts.
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        self.part(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        self.json.push(':');
        value.serialize(Json(self.json))
    }

    fn end(self) -> Done {
        self.finish();
        Ok(())
    }
}
