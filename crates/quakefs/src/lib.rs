//! The virtual filesystem of the Quake family. It finds the file that an engine would load for a name, and
//! tells which layer it comes from and which copies it overrides.
//!
//! ```text
//!        request: maps/start.bsp
//!                     |
//!   mymod/pak1.pak    |             layers, highest first:
//!   mymod/pak0.pak    v             the first that has the name wins
//!   mymod/            file  -------> these bytes
//!   id1/pak1.pak      (overridden)
//!   id1/pak0.pak      (overridden)
//!   id1/
//! ```
//!
//! A **game directory** is a folder in the **base directory** (`id1`, `mymod`). It contains **archives**
//! (`pak0.pak`, `maps.pk3`) and **loose files**. A **layer** is one archive, or the loose files of one game
//! directory. The layers in the order in which an engine searches them are the **search path**, and a name
//! inside is a **qpath**.
//!
//! # The types by role
//! - Mount a game: [`SearchPath::builder`], [`Builder`], [`Engine`], [`Rules`] and the small types of
//!   [`rules`].
//! - Mount from elsewhere: [`disk`] has the system's disk, a disk in memory, an archive as a disk, and
//!   overlays.
//! - Look up and read files: [`SearchPath::find`], [`File`], [`FileData`], [`FileReader`]. [`search_path`]
//!   has the smaller types of the answers.
//! - Follow a level: [`SearchPath::companions`] finds its `.lit` and `.ent` files,
//!   [`SearchPath::substitutes`] replacements of its textures, sky and music.
//! - List files: [`SearchPath::files`], [`SearchPath::read_dir`], [`Pattern`] and the merged [`tree`].
//! - Why: [`SearchPath::copies`], and [`findings`]; with the feature `why`, [`why`] explains, compares and
//!   checks. [`sentences`] has the advice of errors and findings.
//! - Change the game: [`SharedSearchPath`], [`SearchPath::at_console`], [`SearchPath::remount`]. [`watch`]
//!   has the list of changes and, with the feature `watch`, a `Watcher` of the disk.
//! - Write files: [`SearchPath::write`], [`SearchPath::create`] for streams, [`SearchPath::download`] for
//!   files of a server.
//! - Keep what files became in a cache: [`SearchPath::key`].
//! - Use single archives: [`Archive`], its entries in [`archive`], and [`Files`](archive::Files) for a custom
//!   kind. The crate [`pak_format`] makes and changes archives; `quakefs-extract` writes many files to a
//!   folder, and keeps journals.
//!
//! # Looking a file up
//! ```
//! use quakefs::{Engine, SearchPath};
//!
//! # let game = testutils::game("id1/: maps/start.bsp; id1/pak0.pak: maps/start.bsp=packed");
//! # let base = game.path();
//! let quake = SearchPath::builder(base).engine(Engine::WinQuake).mount()?;
//! let file = quake.find("maps/start.bsp").expect("it is in the pak and beside it");
//! assert_eq!(file.layer().name(), "id1/pak0.pak");
//! assert_eq!(file.read()?, "packed");
//! assert_eq!(quake.copies("maps/start.bsp").len(), 2);
//! # Ok::<(), quakefs::Error>(())
//! ```
//!
//! # Why is my file not loaded?
//! [`SearchPath::findings`] lists what the engine skips and why. [`why::explain`] answers for one name, and
//! [`why::check`] reads the files too.
//!
//! ```
//! use quakefs::SearchPath;
//!
//! # let game = testutils::game("id1/pak0.pak: maps/start.bsp; id1/pak2.pak: maps/end.bsp");
//! # let base = game.path();
//! let quake = SearchPath::builder(base).mount()?;
//! assert!(quake.find("maps/end.bsp").is_none());
//! let finding = quake.findings().next().expect("pak1.pak is missing");
//! assert_eq!((finding.location.layer_name(), finding.kind.name()), ("id1/pak2.pak", "gap"));
//! # Ok::<(), quakefs::Error>(())
//! ```
//!
//! # Rules of your own
//! The rules of an engine are data. Change a clone of them, or read a file that inherits them (feature
//! `toml`). A game that is not of the family takes [`Rules::plain`].
//!
//! ```
//! use quakefs::rules::LoosePosition;
//! use quakefs::{Engine, SearchPath};
//!
//! # let game = testutils::game("id1/: autoexec.cfg");
//! let mut rules = Engine::QuakeSpasm.rules().clone();
//! rules.name = "myengine".into();
//! rules.loose.position = LoosePosition::Above;
//! let quake = SearchPath::builder(game.path()).rules(rules).mount()?;
//! # Ok::<(), quakefs::Error>(())
//! ```
//!
//! # Many threads, and swapping the mod
//! A [`SearchPath`] does not change after the mount, is `Send + Sync` and cheap to clone.
//! [`SharedSearchPath`] holds the current one, and [`SearchPath::changes_since`] lists the files to reload.
//! [`Builder::mount_after`] shares unchanged archives with an earlier search path.
//! [`GameCommand::read`](rules::GameCommand::read) reads a console line as the engine does.
//!
//! ```
//! use quakefs::{SearchPath, SharedSearchPath};
//!
//! # let game = testutils::game("id1/pak0.pak: id1.cfg; mymod/pak0.pak: mymod.cfg");
//! # let base = game.path();
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
    doc = "With the feature `watch`, a search path says which of its files change on disk."
)]
//!
//! # Mapped or read?
//! [`Access::Map`], the default, maps archives: stored files are borrowed from the map without a copy. If
//! another program truncates a mapped file, or the disk fails, the next access to the lost bytes kills the
//! process. Choose [`Access::Read`] for folders that other programs write to. It reads by position, and a
//! read of 20 KiB takes about 17 times as long (`cargo bench`).
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
//! A search path reads everything from its disk: folders, archives and loose files. The default
//! [`Disk`](disk::Disk) is the [system's](disk::SystemDisk). Others are a tree in [memory](disk::MemoryDisk)
//! for tests, editors and browsers, an [archive](disk::ArchiveDisk) that acts as its unpacked folder, and one
//! disk [over](disk::Overlay) another. [`contract`] tests your own disk.
//!
//! ```
//! use quakefs::disk::{ArchiveDisk, MemoryDisk, Overlay};
//! use quakefs::{Archive, SearchPath};
//!
//! # let download = testutils::zip([("mymod/maps/start.bsp", "from the download")]);
//! let game = MemoryDisk::new();
//! game.insert("quake/id1/maps/start.bsp", "from memory")?;
//! // an archive with the folder of a mod, as if it were unpacked into the base directory
//! let download = ArchiveDisk::new(Archive::from_data(download.into())?, "mymod.zip");
//! let disk = Overlay::new(download, game, "quake")?;
//! let quake = SearchPath::builder("quake").disk(disk).game("mymod").mount()?;
//! assert_eq!(quake.read("maps/start.bsp")?, "from the download");
//! assert_eq!(quake.copies("maps/start.bsp").len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Costs
//! A lookup in any number of archives takes one hash and one probe. It allocates nothing, takes no lock and
//! makes no system call. Each game directory of loose files above the match costs one system call, unless you
//! choose [`LooseFiles::Listed`].
//!
//! # Limits
//! - A request has at most [`QPath::MAX_LEN`] bytes, more than any known engine allows
//!   ([`rules::Limits::name`], from the engines' sources). `..` is refused for every engine, although some
//!   accept it.
//! - Reads follow links in a game directory, as the engines do. Writes never follow a link out of it.
//! - Paths on disk are UTF-8; names in archives are bytes.
//! - A search path has at most 65,535 layers.
//!
//! # Features
//! - `fs`, on by default: the system's disk, mapped archives, writing. Without it, mount from another
//!   [disk](disk). The crate then builds for `wasm32-unknown-unknown`.
//! - `why`: the module [`why`]. Errors and findings also suggest similar names and the probable base
//!   directory, and report games beside this one that stop the engine.
//! - `watch`: reports changes on the system's disk.
//! - `toml`: rules from a file. `serde`: rules as data.
//! - `unicode`: the tables by which Windows and macOS compare letters beyond ASCII.
//! - `edit`: [`pak_format`] also makes and changes archives on disk.
//!
//! `docs/library.md` in the repository has what each of them costs.
//!
//! # Out of scope
//! The content of levels and models, mount points inside the tree, and running an engine.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "why"), allow(dead_code, unused_imports, reason = "their callers are below `why`"))]

mod advice;
pub mod archive;
mod companion;
pub mod content;
pub mod contract;
mod damage;
mod data;
pub mod disk;
mod error;
mod finding;
mod glob;
mod location;
mod mount;
mod no_path;
mod pak_help;
mod pattern;
mod precedence;
mod reader;
pub mod search_path;
pub mod sentences;
mod shell;
pub mod watch;
#[cfg(feature = "why")]
pub mod why;

/// The parts of an [`ErrorKind`].
pub mod errors {
    pub use crate::error::{NotWritable, WrongBase, ZipFault, utf8};
}

/// Findings: non-fatal problems, their locations, and the rules that decided.
pub mod findings {
    pub use pak_format::Severity;

    pub use crate::advice::Advice;
    pub use crate::finding::{FindingKind, Portability, Unreachable};
    pub use crate::location::Location;
    pub use crate::no_path::NoPath;
    pub use crate::precedence::{OrderBy, Precedence};
}

/// The merged tree: the files of a search path by folder.
pub mod tree {
    pub use crate::search_path::tree::{Counts, DirEntry, Tree, TreeNode, WithoutPath};
}

pub use camino;
pub use pak_format;
pub use quake_rules as rules;

#[doc(inline)]
pub use archive::archive::Archive;
pub use data::FileData;
#[doc(inline)]
pub use disk::access::Access;
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
