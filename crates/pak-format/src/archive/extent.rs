//! Ranges of bytes in an archive.

use alloc::vec::Vec;
use core::ops::Range;

/// Sorts extents and joins those that overlap or touch.
pub(crate) fn join(extents: &mut Vec<Range<u64>>) {
    extents.sort_unstable_by_key(|extent| extent.start);
    extents.dedup_by(|next, last| {
        let joins = next.start <= last.end;
        if joins {
            last.end = last.end.max(next.end);
        }
        joins
    });
}
