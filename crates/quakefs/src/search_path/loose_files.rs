//! How loose files are looked up.

/// How a search path looks up loose files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LooseFiles {
    /// Each lookup accesses the disk, as in id's engines, and finds new files at once.
    #[default]
    Live,
    /// The mount lists the folders. Lookups make no system call, and find new files only after
    /// [`SearchPath::remount`](crate::SearchPath::remount).
    Listed,
}
