//! A stack of layers as a read-only folder that every program can open, through FUSE. Linux alone: elsewhere the crate is
//! empty.
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
//! # What is shown
//! A [`View`] is the merged tree, each name once, or a folder for each layer. A name is looked up when it is asked for,
//! by the rules of the engine: a loose file that is added, changed or removed shows at once, and an engine that ignores
//! case has `MAPS/START.BSP` too. Archives are those of the moment of the mount, as for an engine that runs, or of the last
//! [`Mounted::refresh`].
//!
//! Sizes are those of the content, and the time of a file is that of its loose file or of its archive.
//!
//! # Costs
//! A stored entry is lent from its mapped archive. A compressed one is decoded once for all that have it open, at the
//! first read, and its bytes are kept until it is closed. The system keeps what was read while the file does not change.
//!
//! # Limits
//! - A link that leads into a folder which this command has mounted, this mount or another one, leads nowhere.
//! - A name is shown where it is a path on disk by [`EntryName::to_disk_path`](quakefs::EntryName::to_disk_path), which
//!   is the rule of extraction. [`View::not_shown`] lists the others.
//! - If another program cuts a mapped archive short, the next read of it ends the process, and the folder then has to be
//!   unmounted by hand: [`Access::Read`](quakefs::Access::Read) is the choice where archives are changed in place.

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
pub use mounted::{MountError, Mounted, Unmounted, mount};
#[cfg(target_os = "linux")]
pub use view::{NotShown, View};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
