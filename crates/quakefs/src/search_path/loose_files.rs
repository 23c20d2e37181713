//! How loose files are looked up.

/// How loose files are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LooseFiles {
    /// The disk is asked at every lookup, as the id engines do: a file that is put into the folder is seen at once.
    #[default]
    Live,
    /// The folders are listed at the mount, and answer without a system call until
    /// [`SearchPath::refresh`](crate::SearchPath::refresh).
    Listed,
}
