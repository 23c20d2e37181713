//! JSON for the script of the page.

use std::io;

use pak_format::name::steers;
use quakefs::EntryName;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// JSON that is safe inside the page. It contains no `<`, and like the command it writes `\xNN` for characters that
/// control a terminal, reorder a line or are invisible.
#[must_use]
pub fn json(value: &impl Serialize) -> String {
    let mut json = Vec::new();
    // numbers and text always have a form in JSON
    let _ = value.serialize(&mut Serializer::with_formatter(&mut json, Plain));
    safe(&String::from_utf8(json).unwrap_or_default())
}

/// Floats by the standard library. The faster conversion of `serde_json` would add 12 KB to the module of the page.
struct Plain;

impl Formatter for Plain {
    fn write_f32<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        write!(writer, "{value}")
    }

    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        write!(writer, "{value}")
    }
}

/// Replaces characters that JSON contains only inside strings.
fn safe(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for part in json.split_inclusive(|character| character == '<' || steers(character)) {
        let last = part.chars().next_back().filter(|last| *last == '<' || steers(*last));
        safe.push_str(last.and_then(|last| part.strip_suffix(last)).unwrap_or(part));
        match last {
            Some('<') => safe.push_str("\\u003c"),
            Some(last) => {
                let name = EntryName::from(&*last.encode_utf8(&mut [0; 4])).to_string();
                safe.push_str(&name.replace('\\', "\\\\"));
            }
            None => {}
        }
    }
    safe
}
