//! Mapped or read.

/// How archives on a disk are accessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Access {
    /// Map archives into memory. Nothing is copied, and stored files are borrowed. If another program
    /// shortens a mapped file or the disk fails, accessing the lost bytes ends the process. Archives up to 16
    /// KiB are read instead.
    #[default]
    Map,
    /// Read archives by position: the directory when mounting, and each payload when needed. For folders that
    /// other programs write to. Each mounted entry then also needs memory for its row.
    Read,
}
