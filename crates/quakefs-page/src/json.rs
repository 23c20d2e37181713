//! JSON for the script of the page.

use pak_format::name::steers;
use quakefs::EntryName;
use serde::Serialize;

/// JSON that is safe inside the page. It contains no `<`, and like the command it writes `\xNN` for
/// characters that control a terminal, reorder a line or are invisible.
#[must_use]
pub fn json(value: &impl Serialize) -> String {
    // numbers and text always have a form in JSON
    safe(&serde_json::to_string(value).unwrap_or_default())
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
