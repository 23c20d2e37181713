//! Mounts a search path as a read-only folder for all programs, through FUSE. On systems other than Linux
//! this crate is empty.
//!
//! ```no_run
//! # #[cfg(target_os = "linux")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use quakefs::SearchPath;
//! use quakefs_fuse::{View, mount};
//!
//! let quake = SearchPath::builder("/games/quake").game("mymod").mount()?;
//! let mounted = mount(View::merged(quake), "/tmp/quake")?;
//! println!("{}", std::fs::read_to_string("/tmp/quake/quake.rc")?);
//! mounted.unmount()?;
//! # Ok(())
//! # }
//! # #[cfg(not(target_os = "linux"))]
//! # fn main() {}
//! ```
//!
//! # Contents
//! A [`View`] shows either the merged tree, with each name once, or a folder for each layer. Names are looked
//! up on each access by the engine's rules. Added, changed and removed loose files therefore appear at once.
//! If the engine ignores case, `MAPS/START.BSP` is found too. Archives stay as they were when mounted, as in
//! a running engine, until [`Mounted::refresh`].
//!
//! Sizes are sizes of the decoded content. The modification time comes from the loose file or the archive.
//!
//! # Costs
//! An uncompressed entry is read from its mapped archive. A compressed entry is decoded at the first read,
//! once for all programs that have it open, and kept until the last one closes it. The system caches file
//! contents until the file changes.
//!
//! # Limits
//! - Links into a folder that this crate has mounted, here or in another process, are not followed.
//! - A name is shown only if it is a valid path by
//!   [`EntryName::to_disk_path`](quakefs::EntryName::to_disk_path), as for extraction. [`View::not_shown`]
//!   lists the others.
//! - If another program shortens a mapped archive, the next read of it ends the process, and the folder has
//!   to be unmounted by hand. Use [`Access::Read`](quakefs::Access::Read) if archives are changed in place.

#[cfg(target_os = "linux")]
mod filesystem;
#[cfg(target_os = "linux")]
mod inodes;
#[cfg(target_os = "linux")]
mod mounted;
#[cfg(target_os = "linux")]
mod opened;
#[cfg(target_os = "linux")]
mod outside;
#[cfg(target_os = "linux")]
mod view;

#[cfg(target_os = "linux")]
pub use mounted::{MountError, Mounted, mount};
#[cfg(target_os = "linux")]
pub use view::View;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
