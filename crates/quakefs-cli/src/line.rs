//! Lines of long listings, put together in memory that is used again: a listing of a million entries takes no allocation
//! and no formatting machinery for each of its fields.

use std::io::{self, Write};

use quakefs::EntryName;
use serde::Serialize as _;

use crate::text::{PrintableJson, escaped, print_name, printable};

/// One line of a listing, in columns two spaces apart.
#[derive(Default)]
pub(crate) struct Line(Vec<u8>);

impl Line {
    /// A number, on the right of a column.
    pub(crate) fn number(&mut self, number: u64, width: usize) {
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(number).as_bytes();
        self.spaces(width.saturating_sub(digits.len()));
        self.0.extend_from_slice(digits);
        self.spaces(2);
    }

    /// Text that may be printed, on the left of a column; [`printable`] makes other text so.
    pub(crate) fn text(&mut self, text: &str, width: usize) {
        self.0.extend_from_slice(text.as_bytes());
        self.spaces((width + 2).saturating_sub(text.chars().count()));
    }

    /// Text from outside, on the left of a column.
    pub(crate) fn printable(&mut self, text: &str, width: usize) {
        self.text(&printable(text), width);
    }

    /// Ends the line with a name, and writes the line.
    pub(crate) fn end(&mut self, name: EntryName<'_>, out: &mut dyn Write) -> io::Result<()> {
        print_name(&mut self.0, name)?;
        self.write(out)
    }

    fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.0.push(b'\n');
        out.write_all(&self.0)?;
        self.0.clear();
        Ok(())
    }

    fn spaces(&mut self, count: usize) {
        self.0.resize(self.0.len() + count, b' ');
    }

    /// Begins a line of JSON: an object with its `type`.
    pub(crate) fn object(&mut self, r#type: &'static str) -> Object<'_> {
        self.0.extend_from_slice(b"{\"type\":\"");
        self.0.extend_from_slice(r#type.as_bytes());
        self.0.push(b'"');
        Object(self)
    }
}

/// A line of JSON. Keys are words, which need no escape.
pub(crate) struct Object<'l>(&'l mut Line);

impl Object<'_> {
    fn key(&mut self, key: &'static str) -> &mut Vec<u8> {
        let Line(bytes) = &mut *self.0;
        bytes.extend_from_slice(b",\"");
        bytes.extend_from_slice(key.as_bytes());
        bytes.extend_from_slice(b"\":");
        bytes
    }

    pub(crate) fn number(mut self, key: &'static str, number: u64) -> Self {
        let mut digits = itoa::Buffer::new();
        self.key(key).extend_from_slice(digits.format(number).as_bytes());
        self
    }

    pub(crate) fn flag(mut self, key: &'static str, flag: bool) -> Self {
        self.key(key).extend_from_slice(if flag { b"true" } else { b"false" });
        self
    }

    /// A name as programs read it: `\xNN` for each byte that is not UTF-8.
    pub(crate) fn name(mut self, key: &'static str, name: EntryName<'_>) -> io::Result<Self> {
        let bytes = self.key(key);
        if let Some(text) = name.as_printable().filter(|text| !text.contains('"')) {
            bytes.push(b'"');
            bytes.extend_from_slice(text.as_bytes());
            bytes.push(b'"');
        } else {
            let mut serializer = serde_json::Serializer::with_formatter(bytes, PrintableJson);
            escaped(name).serialize(&mut serializer)?;
        }
        Ok(self)
    }

    /// Ends the object, and writes the line.
    pub(crate) fn end(self, out: &mut dyn Write) -> io::Result<()> {
        self.0.0.push(b'}');
        self.0.write(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_what_serde_json_reads() {
        let name = EntryName::from(b"a\"b\\x41\xff\x1b\xc2\x85");
        let mut out = Vec::new();
        let mut line = Line::default();
        line.object("entry")
            .number("size", 7)
            .flag("compressed", true)
            .name("name", name)
            .unwrap()
            .end(&mut out)
            .unwrap();
        let text = String::from_utf8(out).unwrap();
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["type"], "entry");
        assert_eq!((&read["size"], &read["compressed"]), (&7.into(), &true.into()));
        assert_eq!(read["name"], escaped(name));
        assert!(text.is_ascii() && !text.contains('\u{1b}'), "{text}");
    }
}
