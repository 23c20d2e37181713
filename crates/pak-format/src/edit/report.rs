//! What a change did to an archive.

/// What a change did to an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Entries in the new archive.
    pub entries: usize,
    /// The size of the file before.
    pub before: u64,
    /// The size of the file after.
    pub after: u64,
    /// Unused bytes that were removed. Only a repack removes any.
    pub dropped: u64,
}

impl Report {
    /// A report about a change that removed no unused bytes.
    #[must_use]
    pub const fn new(entries: usize, before: u64, after: u64) -> Self {
        Report { entries, before, after, dropped: 0 }
    }
}
