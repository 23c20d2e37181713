//! Merges several archives and folders; later ones override earlier ones.

use std::collections::HashMap;

use quakefs::{File, Rules};

use crate::contents::Contents;

/// Merges several contents. For each name, the last file wins. The result is in byte order of the names.
/// Names compare as in an engine's archives.
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
