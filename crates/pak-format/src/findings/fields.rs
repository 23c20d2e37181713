//! Bytes in name fields that do not belong to a name.

use alloc::vec::Vec;

use crate::archive::Directory;
use crate::findings::finding::{Finding, FindingKind};

/// Finds name fields without a NUL, and name fields with bytes other than zero after it.
pub(super) fn fields(
    directory: &Directory<impl AsRef<[u8]>>,
    findings: &mut Vec<Finding>,
    all: &mut Vec<FindingKind>,
) {
    let mut garbage = None;
    for entry in directory.entries() {
        let (name, field) = (entry.name().as_bytes(), entry.row().name);
        if name.len() == field.len() {
            findings.push(Finding::of(&entry, FindingKind::NoNul { length: name.len() }));
        }
        // reading all bytes is faster than stopping at the first
        if field.iter().skip(name.len()).fold(0, |all, byte| all | byte) != 0 {
            let (entries, _) = garbage.get_or_insert((0, entry.index()));
            *entries += 1;
        }
    }
    all.extend(garbage.map(|(entries, first)| FindingKind::GarbageAfterNul { entries, first }));
}
