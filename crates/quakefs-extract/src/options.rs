//! Options of an extraction.

use std::num::NonZero;

/// What to do with a file that exists already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Existing {
    /// Keep it and report that it is already there.
    #[default]
    Refuse,
    /// Replace it by a new file with the mode of a new file. A symbolic link is replaced itself; the file
    /// that it leads to stays.
    Overwrite,
    /// Keep it, which is no failure.
    Skip,
}

/// Options of an extraction. Fill the rest with `..ExtractOptions::default()`: fields may be added.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExtractOptions {
    /// What happens to a file that is there already.
    pub existing: Existing,
    /// The most bytes that the files may claim. The default is the larger of 1 GiB and 100 × the size of
    /// their sources: each archive once, and each loose file. Real archives stay far below; small archives
    /// that claim to contain a disk full of zeros do not.
    pub max_output: Option<u64>,
    /// The most folders that the files may be in. The default is the larger of 1,000 and 4 × the number of
    /// files. In real archives many files share a folder, but a single name of 56 bytes can claim 28 folders.
    pub max_folders: Option<u64>,
    /// The number of threads; `None` for one per core and at most 16.
    pub threads: Option<NonZero<usize>>,
    /// Whether the files survive a power failure from the end of
    /// [`ExtractPlan::write`](crate::ExtractPlan::write) on, and are whole or missing after one before it.
    /// Takes the time that the disk needs for each file.
    pub durable: bool,
}
