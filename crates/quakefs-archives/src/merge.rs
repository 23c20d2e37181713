//! Later over earlier: what an engine would serve of several archives and folders.

use std::collections::HashMap;

use quakefs::{File, Rules};

use crate::contents::Contents;

/// One content of several: of each name the file of the last that has it, in the byte order of the names. Names compare as
/// in the archives of an engine.
#[must_use]
pub fn merge(contents: impl IntoIterator<Item = Contents>, rules: &Rules) -> Contents {
    let mut merged = Contents::default();
    let mut files: HashMap<Vec<u8>, File<'static>> = HashMap::new();
    for content in contents {
        merged.findings.extend(content.findings);
        merged.source_size = merged.source_size.saturating_add(content.source_size);
        files.extend(
            content.files.into_iter().map(|file| (rules.archives.case.fold(file.name().as_bytes()), file)),
        );
    }
    merged.files = files.into_values().collect();
    merged.files.sort_by(|a, b| a.name().cmp(&b.name()));
    merged
}
