//! The virtual filesystem of the Quake family: which file an engine would load for a name, where the file comes from,
//! and what it hides.
//!
//! ```text
//!        request: maps/start.bsp
//!                     |
//!   mymod/pak1.pak    |             layers, highest first:
//!   mymod/pak0.pak    v             the first that has the name wins
//!   mymod/            hit  -------> these bytes
//!   id1/pak1.pak      (shadowed)
//!   id1/pak0.pak      (shadowed)
//!   id1/
//! ```
//!
//! A **game directory** is a folder in the **base directory** (`id1`, `mymod`). It holds **archives** (`pak0.pak`,
//! `maps.pk3`) and **loose files**. A **layer** is one archive, or the loose files of one game directory. The layers in
//! the order in which an engine searches them are the **search path**, and a name inside is a **qpath**.
//!
//! # The types by role
//! - Making a stack: [`SearchPath::builder`], [`Builder`], [`Engine`], [`Rules`] and the small types of [`rules`].
//! - What it stands on: [`disk`], with the system's disk, one in memory, an archive as a disk, and one over another.
//! - Asking it: [`SearchPath::find`], [`File`] (borrows the stack), [`File`] (kept), [`FileData`], [`FileReader`]; in
//!   [`search_path`], [`Extent`](search_path::Extent) and what else a stack gives.
//! - A level and what belongs to it: [`SearchPath::companions`] beside the level, and [`SearchPath::substitutes`] in the place of
//!   its textures, sky and music.
//! - Listing it: [`SearchPath::files`], [`SearchPath::read_dir`], [`Pattern`]; [`tree`] has the merged tree.
//! - Why: [`SearchPath::copies`], and [`findings`]; [`why`] explains, compares and checks.
//! - Changing it: [`SharedSearchPath`], [`SearchPath::remount`], [`SearchPath::write`]; [`watch`] has what changed, and with
//!   the feature `watch` a `Watcher` that says what changes on disk.
//! - Archives by themselves: [`Archive`]; [`archive`] has its entries and [`Files`](archive::Files), for a kind of your own;
//!   [`extract`] writes files below a folder. The crate [`pak_format`] makes and changes archives.
//!
//! # Looking a file up
//! ```
//! use quakefs::{Engine, SearchPath};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let base = folder.path();
//! # std::fs::create_dir_all(base.join("id1/maps")).unwrap();
//! # std::fs::write(base.join("id1/maps/start.bsp"), "loose").unwrap();
//! # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
//! # pak.add("maps/start.bsp", "from the pak").unwrap();
//! # std::fs::write(base.join("id1/pak0.pak"), pak.finish().unwrap()).unwrap();
//! let quake = SearchPath::builder(base).engine(Engine::WinQuake).mount()?;
//! let hit = quake.find("maps/start.bsp").expect("it is in the pak and beside it");
//! assert_eq!(hit.layer().name(), "id1/pak0.pak");
//! assert_eq!(hit.read()?, "from the pak");
//! assert_eq!(quake.copies("maps/start.bsp").len(), 2);
//! # Ok::<(), quakefs::Error>(())
//! ```
//!
//! # Why is my file not loaded?
//! [`SearchPath::findings`] lists what the engine skips and why. [`why::explain`] answers for one name, and [`why::check`] reads
//! the files too.
//!
//! ```
//! use quakefs::SearchPath;
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let base = folder.path();
//! # std::fs::create_dir_all(base.join("id1")).unwrap();
//! # for (pak, name) in [("pak0.pak", "maps/start.bsp"), ("pak2.pak", "maps/end.bsp")] {
//! #     let mut builder = pak_format::Builder::new(pak_format::Layout::Quake);
//! #     builder.add(name, "").unwrap();
//! #     std::fs::write(base.join("id1").join(pak), builder.finish().unwrap()).unwrap();
//! # }
//! let quake = SearchPath::builder(base).mount()?;
//! assert!(quake.find("maps/end.bsp").is_none());
//! let finding = quake.findings().next().expect("pak1.pak is missing");
//! assert_eq!((finding.place.layer.as_str(), finding.kind.name()), ("id1/pak2.pak", "gap"));
//! # Ok::<(), quakefs::Error>(())
//! ```
//!
//! # Rules of your own
//! An engine is a row of data. Change a clone of one, or read rules from a file that inherits one (feature `toml`).
//!
//! ```
//! use quakefs::rules::LoosePosition;
//! use quakefs::{Engine, SearchPath};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # std::fs::create_dir(folder.path().join("id1")).unwrap();
//! let mut rules = Engine::QuakeSpasm.rules().clone();
//! rules.name = "myengine".into();
//! rules.loose.position = LoosePosition::Above;
//! let quake = SearchPath::builder(folder.path()).rules(rules).mount()?;
//! # Ok::<(), quakefs::Error>(())
//! ```
//!
//! # Many threads, and swapping the mod
//! A [`SearchPath`] does not change after the mount, is `Send + Sync` and cheap to clone. [`SharedSearchPath`] holds the
//! current one; [`SearchPath::changes_since`] says what to load again. [`Builder::mount_after`] opens the archives alone that
//! the stack before has not open, and [`GameCommand::read`](rules::GameCommand::read) reads a line of the console as the engine
//! does.
//!
//! ```
//! use quakefs::{SearchPath, SharedSearchPath};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let base = folder.path();
//! # for game in ["id1", "mymod"] {
//! #     let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
//! #     pak.add(format!("{game}.cfg"), "").unwrap();
//! #     std::fs::create_dir(base.join(game)).unwrap();
//! #     std::fs::write(base.join(game).join("pak0.pak"), pak.finish().unwrap()).unwrap();
//! # }
//! let shared = SharedSearchPath::new(SearchPath::builder(base).mount()?);
//! let old = shared.load();
//! let new = SearchPath::builder(base).game("mymod").mount_after(Some(&old), &mut |_| ())?;
//! shared.store(new.clone());
//! let changed: Vec<_> = new.changes_since(&old).iter().map(|change| change.name().to_string()).collect();
//! assert_eq!(changed, ["mymod.cfg"]);
//! # Ok::<(), quakefs::Error>(())
//! ```
//!
//! # Changes while a game runs
#![cfg_attr(feature = "watch", doc = include_str!("watch/follow/page.md"))]
#![cfg_attr(
    not(feature = "watch"),
    doc = "With the feature `watch`, a stack says which of its files change on disk."
)]
//!
//! # Mapped or read?
//! [`Access::Map`], the default, maps archives: nothing is copied, and stored files are lent from the map. If another
//! program cuts a mapped file short, or the disk fails, the next access to the bytes that are gone ends the process. [`Access::Read`] reads
//! by position, and is the choice for folders that other programs write to: a read of 20 KiB then takes about 17 times
//! as long (`cargo bench`).
//!
#![cfg_attr(feature = "fs", doc = include_str!("access.md"))]
//!
//! # An archive in memory
//! ```
//! use quakefs::Builder;
//! use quakefs::pak_format::{self, Layout};
//!
//! let mut pak = pak_format::Builder::new(Layout::Quake);
//! pak.add("maps/test.bsp", "not saved yet")?;
//! let quake = Builder::new().memory("unsaved.pak", pak.finish()?).mount()?;
//! assert_eq!(quake.read("maps/test.bsp")?, "not saved yet");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Another disk than the system's
//! A stack asks its disk for everything: which folders there are, which archives lie in them, and what is at a path. A
//! [`Disk`](disk::Disk) is the [system's](disk::SystemDisk), which is the default; a tree in
//! [memory](disk::MemoryDisk), for tests, editors and browsers; an [archive](disk::ArchiveDisk) as the folder that it would be
//! unpacked to; one [over](disk::Overlay) another; or your own, which [`contract`] tests.
//!
//! ```
//! use quakefs::disk::{ArchiveDisk, MemoryDisk, Overlay};
//! use quakefs::{Archive, SearchPath};
//!
//! # let mut download = pak_format::Builder::new(pak_format::Layout::Quake);
//! # download.add("mymod/maps/start.bsp", "from the download")?;
//! # let download = download.finish()?;
//! let game = MemoryDisk::new();
//! game.insert("quake/id1/maps/start.bsp", "from memory")?;
//! // a mod as downloaded, as if it were unpacked into the base directory
//! let download = ArchiveDisk::new(Archive::from_data(download.into())?, "mymod.zip");
//! let disk = Overlay::new(download, game, "quake")?;
//! let quake = SearchPath::builder("quake").disk(disk).game("mymod").mount()?;
//! assert_eq!(quake.read("maps/start.bsp")?, "from the download");
//! assert_eq!(quake.copies("maps/start.bsp").len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Costs
//! A lookup in the archives is one hash and one probe however many there are; it allocates nothing, takes no
//! lock and makes no system call. A game directory's loose files are asked on disk while they rank above the
//! best archive, one system call each, unless [`LooseFiles::Listed`] is chosen.
//!
//! # Limits
//! - A request has at most [`QPath::MAX_LEN`] bytes, more than a known engine has room for ([`rules::Limits::name`], from
//!   the engines' sources). `..` is refused for every engine, though some serve such a name.
//! - Links in a game directory are followed, as the engines do. What is *written* never follows a link out.
//! - Paths on disk are UTF-8; names in archives are bytes.
//! - A stack has at most 65,535 layers.
//!
//! # Features
//! - `fs`, on by default: the system's disk, mapped archives, writing, extraction. Without it a stack stands on a
//!   [disk](disk) in memory, in an archive or of your own, and the crate builds for `wasm32-unknown-unknown`.
//! - `watch`: a stack that says what changes on the system's disk.
//! - `toml`: rules from a file. Rules are data of serde without it too.
//!
//! # Out of scope
//! What is inside levels and models, mounting an archive below a name, and running an engine.

pub mod archive;
mod companion;
pub mod content;
pub mod contract;
mod data;
pub mod disk;
pub mod error;
pub mod extract;
mod finding;
mod mount;
mod no_path;
mod pattern;
mod place;
mod precedence;
mod reader;
pub mod search_path;
pub mod watch;
pub mod why;

/// What is wrong or unexpected: findings, where they are, and which rule decided.
pub mod findings {
    pub use pak_format::Severity;

    pub use crate::finding::{FindingKind, HiddenPair, Portability, Unreachable};
    pub use crate::no_path::NoPath;
    pub use crate::place::Place;
    pub use crate::precedence::{OrderBy, Precedence};
}

/// The merged tree: the files of a stack by folder.
pub mod tree {
    pub use crate::search_path::tree::{Counts, DirEntry, LeftOut, Tree, TreeNode};
}

pub use camino;
pub use pak_format;
pub use quake_rules as rules;
pub use quake_rules::spelling;

#[doc(inline)]
pub use archive::archive::Archive;
pub use data::FileData;
#[doc(inline)]
pub use disk::access::Access;
#[doc(inline)]
pub use error::{Error, ErrorKind};
pub use finding::Finding;
#[doc(inline)]
pub use mount::Builder;
pub use pak_format::{EntryName, Layout};
#[doc(inline)]
pub use pattern::{Pattern, Selected};
pub use reader::FileReader;
#[doc(inline)]
pub use rules::{Engine, QPath, Rules};
#[doc(inline)]
pub use search_path::{
    file::File, layer::Layer, loose_files::LooseFiles, shared::SharedSearchPath, surface::SearchPath,
};

#[cfg(all(doctest, feature = "fs"))]
#[doc = include_str!("../README.md")]
struct Readme;
