//! Writes a file completely or not at all.
//!
//! ```text
//! create           write                       commit
//! .quakefs-x.tmp   .quakefs-x.tmp grows   mode, owner, fsync, rename to target, fsync of the folder
//! target: old      target: old            target: old before the rename, new after it
//! ```
//!
//! - [`AtomicFile`]: the writer, which implements [`Write`](std::io::Write) and [`Seek`](std::io::Seek).
//! - [`Options`]: whether to replace an existing file, to survive a power failure, and which mode to set.
//! - [`CommitError`]: a failed commit, before or after the rename.
//! - [`Lock`]: excludes other writers of a file.
//! - [`Identity`]: the identity of a file, independent of its name.
//! - [`find_target`]: the target path, for callers that check it first.
//! - [`Disk`]: the operations that change the disk, for tests that make them fail.
//!
//! # Writing a file
//! ```
//! use std::io::Write;
//! use atomic_file::{AtomicFile, Options};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("config.cfg");
//!
//! let mut file = AtomicFile::create(&path, &Options::new())?;
//! file.write_all(b"sensitivity 3\n")?;
//! file.commit()?;
//! # assert_eq!(std::fs::read(&path)?, b"sensitivity 3\n");
//! # Ok::<(), std::io::Error>(())
//! ```
//! Dropping the file without a commit leaves the target unchanged and removes the temporary file.
//!
//! # Refusing to replace a file
//! # Two writers, and processes that are killed
//! A writer locks the file that it replaces; a second writer fails with
//! [`WouldBlock`](std::io::ErrorKind::WouldBlock). If the file did not exist, the first commit wins and the
//! second one fails. If a program without a lock replaces the file in the meantime, the commit fails: see
//! [`CommitError::is_conflict`].
//!
//! A killed process leaves its temporary file in the folder. The next writer in that folder removes it.

mod disk;
mod file;
mod identity;
mod lock;
mod target;
mod temporary;

pub use disk::{Disk, RealDisk};
pub use file::{AtomicFile, CommitError};
pub use identity::Identity;
pub use lock::{Lock, open_found, open_regular, regular};
pub use target::{Options, find_target};
pub use tempfile::{NamedTempFile, PersistError};
pub use temporary::{hold_temporary, ignores_case, is_temporary, remove_abandoned};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
