//! Finds entries that cannot be read.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::archive::{Directory, Entry};
use crate::daikatana::{DecodeError, Decoder};
use crate::error::ErrorKind;
use crate::findings::budget::DecodeBudget;
use crate::findings::finding::{Finding, FindingKind};

/// Whether each entry can be read.
pub(super) fn payloads<P: AsRef<[u8]>>(
    directory: &Directory<impl AsRef<[u8]>>,
    mut budget: DecodeBudget,
    mut read: impl FnMut(&Entry<'_>) -> Option<P>,
    findings: &mut Vec<Finding>,
    all: &mut Vec<FindingKind>,
) {
    let size = directory.image_size();
    let content = directory.entries().map(|entry| u64::from(entry.size())).fold(0, u64::saturating_add);
    if content > budget.limit() {
        all.push(FindingKind::Expansion { content, archive: size });
    }
    let mut skipped = 0;
    let mut whole = BTreeSet::new();
    for entry in directory.entries() {
        if let Err(error) = entry.check() {
            findings.push(Finding::of(&entry, FindingKind::Unreadable(error.kind().clone())));
            continue;
        }
        if !entry.is_compressed() || whole.contains(&(entry.offset(), entry.stored_size(), entry.size())) {
            continue;
        }
        if !budget.take(u64::from(entry.size())) {
            skipped += 1;
            continue;
        }
        let Some(stream) = read(&entry) else { continue };
        match decode(stream.as_ref(), usize::try_from(entry.size()).unwrap_or(usize::MAX)) {
            Ok(()) => drop(whole.insert((entry.offset(), entry.stored_size(), entry.size()))),
            Err(damage) => {
                findings.push(Finding::of(&entry, FindingKind::Unreadable(ErrorKind::Codec(damage))));
            }
        }
    }
    if skipped > 0 {
        all.push(FindingKind::NotDecoded { entries: skipped });
    }
}

/// Decodes a stream in pieces and discards them.
fn decode(stream: &[u8], size: usize) -> Result<(), DecodeError> {
    let mut decoder = Decoder::new(size);
    while !decoder.piece(stream)?.is_empty() {}
    Ok(())
}
