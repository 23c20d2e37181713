//! Writes a file whole or not at all.
//!
//! ```text
//! create           write                       commit
//! .quakefs-x.tmp   .quakefs-x.tmp grows   mode, owner, fsync, rename to target, fsync of the folder
//! target: old      target: old            target: old, and from the rename on new
//! ```
//!
//! - [`AtomicFile`]: the file that is being written; it implements [`Write`](std::io::Write) and
//!   [`Seek`](std::io::Seek).
//! - [`Options`]: whether a file may be replaced, whether the new one has to survive a power failure, which mode it
//!   gets.
//! - [`CommitError`]: a commit that failed, before or after the new file took its place.
//! - [`Lock`]: the one writer of a file.
//! - [`Identity`]: which file it is, whatever its name.
//! - [`Target`]: where the file will be, for callers that check before they start.
//! - [`Disk`]: the operations that change the disk, so that a test can make each of them fail.
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
//! A file that is dropped without a commit leaves the target as it was and removes the temporary.
//!
//! # Refusing to replace a file
//! ```
//! use std::io::ErrorKind;
//! use atomic_file::{AtomicFile, Options};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("config.cfg");
//!
//! std::fs::write(&path, "old")?;
//! let error = AtomicFile::create(&path, &Options::new().replace(false)).unwrap_err();
//! assert_eq!(error.kind(), ErrorKind::AlreadyExists);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Two writers, and processes that are killed
//! A writer locks the file that it replaces; a second writer fails with [`WouldBlock`](std::io::ErrorKind::WouldBlock).
//! Where there was no file, the first commit wins and the second one fails. A program that takes no lock can replace the
//! file meanwhile: the commit then fails, see [`CommitError::is_conflict`].
//!
//! A process that is killed leaves its temporary in the folder. The next writer in that folder removes the temporaries
//! that no process holds.

mod disk;
mod file;
mod identity;
mod lock;
mod rename;
mod target;
mod temporary;

pub use disk::{Disk, RealDisk};
pub use file::{AtomicFile, CommitError};
pub use identity::Identity;
pub use lock::{Lock, open_found, open_regular, regular};
pub use rename::rename;
pub use target::{Options, Target};
pub use tempfile::{NamedTempFile, PersistError};
pub use temporary::{hold_temporary, ignores_case, is_temporary, remove_abandoned};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
