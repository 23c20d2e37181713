//! Checks archives for problems.
//!
//! The checks know no engine: the crate `quakefs` checks an engine's limits and its rules for case.

mod budget;
mod fields;
mod finding;
mod names;
mod payloads;
mod places;

pub use self::budget::DecodeBudget;
pub use self::finding::{Finding, FindingKind, Severity};
pub use self::names::names;
use alloc::vec::Vec;
use core::ops::Range;

use crate::archive::{Archive, Directory, Entry};

/// Checks every row and decodes every compressed payload. Findings about entries come first, in the order of
/// the rows, then those about the whole archive.
///
/// The check takes memory for the names, reads payloads only to decode them, and decodes them in pieces.
#[must_use]
pub fn verify<D: AsRef<[u8]>>(archive: &Archive<D>) -> Vec<Finding> {
    verify_within(archive, DecodeBudget::for_archive(archive.image_size()))
}

/// Like [`verify`](crate::verify()) with another budget than [`DecodeBudget::for_archive`].
#[must_use]
pub fn verify_within<D: AsRef<[u8]>>(archive: &Archive<D>, budget: DecodeBudget) -> Vec<Finding> {
    let Range { start, end } = archive.directory_range();
    let range = start as u64..end as u64;
    verify_by_position(&archive.directory(), range, budget, |entry| archive.raw(entry).ok())
}

/// Like [`verify_within`] for an archive that is not in memory. `range` is the place of its directory. `read`
/// returns the stored payload of a compressed entry, or `None` if reading it fails. The caller reports such
/// failures.
#[must_use]
pub fn verify_by_position<D: AsRef<[u8]>, P: AsRef<[u8]>>(
    directory: &Directory<D>,
    range: Range<u64>,
    budget: DecodeBudget,
    read: impl FnMut(&Entry<'_>) -> Option<P>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut about_all = Vec::new();
    payloads::payloads(directory, budget, read, &mut findings, &mut about_all);
    places::places(directory, range, &mut findings, &mut about_all);
    fields::fields(directory, &mut findings, &mut about_all);
    findings.extend(names(directory.entries().map(|entry| (entry.index(), entry.name()))));
    findings.sort_by_key(|finding| finding.entry().map(|(index, _)| index));
    findings.extend(about_all.into_iter().map(Finding::of_archive));
    findings
}
