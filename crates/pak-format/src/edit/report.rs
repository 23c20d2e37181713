//! What a change did to an archive.

/// What a change did to an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Entries in the archive now.
    pub entries: usize,
    /// Bytes that the file had.
    pub before: u64,
    /// Bytes that the file has now.
    pub after: u64,
    /// Bytes that no entry named and that are gone. Only a repack drops any.
    pub dropped: u64,
}

impl Report {
    /// What a change did that dropped nothing.
    #[must_use]
    pub const fn new(entries: usize, before: u64, after: u64) -> Self {
        Report { entries, before, after, dropped: 0 }
    }
}
