//! The form of the data for the script of the page.

use std::io;

use pak_format::name::steers;
use quakefs::EntryName;
use serde::Serialize;
use serde_json::ser::Formatter;

/// JSON as it stands in a page: without `<`, and in strings what steers a terminal, reorders a line or is invisible is `\xNN`, as
/// the command prints it.
#[must_use]
pub fn json(value: &impl Serialize) -> String {
    // a page of numbers and text has a form in JSON
    let mut data = Vec::new();
    let _ = value.serialize(&mut serde_json::Serializer::with_formatter(&mut data, Shown));
    String::from_utf8(data).unwrap_or_default().replace('<', "\\u003c")
}

/// The form of strings in [`json`].
struct Shown;

impl Formatter for Shown {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for part in fragment.split_inclusive(steers) {
            match part.chars().next_back().filter(|last| steers(*last)) {
                Some(last) => {
                    let before = part.strip_suffix(last).unwrap_or_default();
                    let last =
                        EntryName::from(&*last.encode_utf8(&mut [0; 4])).to_string().replace('\\', "\\\\");
                    write!(out, "{before}{last}")?;
                }
                None => out.write_all(part.as_bytes())?,
            }
        }
        Ok(())
    }
}
