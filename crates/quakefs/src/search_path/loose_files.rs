//! How loose files are looked up.

/// How a search path looks up loose files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LooseFiles {
    /// Each lookup asks the disk, as the id engines do. New files are found at once.
    #[default]
    Live,
    /// The mount lists the folders. Lookups make no system call, and find new files only after
    /// [`SearchPath::remount`](crate::SearchPath::remount).
    Listed,
}
