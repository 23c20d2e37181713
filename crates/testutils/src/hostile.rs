//! An archive of names and sizes that attack, and what every door does with each.

use pak_format::Layout;
use serde_json::Value;

use crate::{Pack, testdata};

/// A row of `testdata/hostile.json`.
#[derive(Debug)]
pub struct Hostile {
    /// The stored name.
    pub entry: String,
    /// The content. `None`: the row claims a size that the archive does not have, and reading it fails.
    pub text: Option<String>,
    /// Whether a request with this name finds the entry.
    pub asked: bool,
    /// Whether the entry becomes a file below a folder.
    pub written: bool,
}

/// The rows, and the archive that has them, for a game of `DarkPlaces`.
#[must_use]
pub fn hostile() -> (Vec<Hostile>, Vec<u8>) {
    let text = std::fs::read(testdata("hostile.json")).unwrap();
    let rows: Vec<Value> = serde_json::from_slice(&text).unwrap();
    let mut pack = Pack::new(Layout::Quake);
    let row = |row: &Value| {
        let [entry, text] = ["entry", "text"].map(|key| row[key].as_str().map(str::to_owned));
        let entry = entry.unwrap();
        let content = text.clone().unwrap_or_default().into_bytes();
        let offset = pack.payload(&content);
        let size = row["size"].as_u64().unwrap_or(content.len() as u64);
        pack.row(entry.as_bytes(), offset, u32::try_from(size).unwrap());
        Hostile { entry, text, asked: row["asked"] == true, written: row["written"] == true }
    };
    let rows = rows.iter().map(row).collect();
    (rows, pack.finish())
}
