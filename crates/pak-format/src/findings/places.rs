//! Checks where header, directory and payloads are.

use alloc::vec::Vec;
use core::ops::Range;

use crate::archive::{Directory, join};
use crate::findings::finding::{Finding, FindingKind};
use crate::record::Header;

/// Findings about payloads that overlap something, and about unused bytes.
pub(super) fn places(
    directory: &Directory<impl AsRef<[u8]>>,
    rows: Range<u64>,
    findings: &mut Vec<Finding>,
    all: &mut Vec<FindingKind>,
) {
    let size = directory.image_size();
    let header = 0..Header::SIZE as u64;
    let mut extents: Vec<(Range<u64>, usize)> = directory
        .entries()
        .filter_map(|entry| Some((entry.extent().ok()?, entry.index())))
        .filter(|(extent, _)| !extent.is_empty())
        .collect();
    extents.sort_by_key(|(extent, index)| (extent.start, extent.end, *index));

    let mut find = |index: usize, kind| {
        findings.extend(directory.entry(index).map(|entry| Finding::of(&entry, kind)));
    };
    let overlaps = |one: &Range<u64>, other: &Range<u64>| one.start < other.end && other.start < one.end;
    // of the previous payloads: the last one that is not shared, and the one that ends last
    let mut last: Option<&(Range<u64>, usize)> = None;
    let mut longest: Option<&(Range<u64>, usize)> = None;
    let (mut sharing, mut first_sharing, mut shared) = (0, usize::MAX, 0);
    for this in &extents {
        let (extent, index) = this;
        if overlaps(extent, &header) {
            find(*index, FindingKind::InHeader);
        }
        if overlaps(extent, &rows) {
            find(*index, FindingKind::InDirectory);
        }
        match (last, longest) {
            (Some((same, _)), _) if same == extent => {
                sharing += 1;
                first_sharing = first_sharing.min(*index);
                shared += extent.end - extent.start;
                continue;
            }
            (_, Some((before, other))) if overlaps(extent, before) => {
                find(*index, FindingKind::Overlap { other: *other });
            }
            _ => {}
        }
        last = Some(this);
        if longest.is_none_or(|(before, _)| before.end < extent.end) {
            longest = Some(this);
        }
    }

    if sharing > 0 {
        all.push(FindingKind::Shared { entries: sharing, first: first_sharing, bytes: shared });
    }
    let mut used: Vec<_> = extents.into_iter().map(|(extent, _)| extent).collect();
    used.extend([header, rows]);
    join(&mut used);
    let holes = used.iter().zip(used.iter().skip(1)).map(|(one, next)| one.end..next.start);
    let holes = holes.filter(|hole| !is_alignment(hole)).map(|hole| hole.end - hole.start);
    let (count, bytes) = holes.fold((0, 0), |(count, bytes), hole| (count + 1, bytes + hole));
    if count > 0 {
        all.push(FindingKind::Holes { count, bytes });
    }
    let bytes = used.last().map_or(0, |last| size.saturating_sub(last.end));
    if bytes > 0 {
        all.push(FindingKind::Tail { bytes });
    }
}

/// Whether a packer left the bytes free so that the next payload begins at a multiple of 2, 4, 8 or 16.
fn is_alignment(hole: &Range<u64>) -> bool {
    let size = hole.end - hole.start;
    [2, 4, 8, 16].iter().any(|unit| size < *unit && hole.end.is_multiple_of(*unit))
}
