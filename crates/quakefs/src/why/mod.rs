//! Why a Quake engine loads a file, or does not: explanations, checks, hidden copies, comparisons of engines, and the
//! sentences for all of them.
//!
//! The crate [`quakefs`] says which file an engine would load. This crate says why, as data with stable names, and
//! [`words`] says it to people: a sentence and a piece of advice for each kind.
//!
//! # The functions by question
//! - Why is this file loaded, or not found? [`explain`] gives an [`Explanation`]; [`precedence`] gives the rule between
//!   two copies.
//! - What is wrong with the game? [`check`], with the files read too; [`starts`], for what keeps the engine from starting;
//!   [`check_file`], for one copy.
//! - What is hidden? [`shadows`] gives every hidden copy; [`layer_amounts`] counts what each layer serves and hides.
//! - Where do engines differ? [`compare`] gives a [`Comparison`] with its [causes](Cause).
//! - Is this a registered copy? [`registration`].
//! - Is a file loaded beside its level? [`companion_of`]; [`ignored_companions`], for all of them.
//!
//! # Why is a file not found?
//! ```
//! use quakefs::SearchPath;
//! use quakefs::why::words::Say as _;
//! use quakefs::why::{Explanation, explain};
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
//! let Explanation::Missing(missing) = explain(&quake, "maps/end.bsp") else { panic!("pak1.pak is missing") };
//! assert_eq!(missing.cause(), "left-out");
//! let said = missing.say();
//! assert_eq!(
//!     said.to_string(),
//!     "maps/end.bsp: not found: id1/pak2.pak has it, but winquake does not load that archive: pak1.pak is missing"
//! );
//! assert_eq!(said.help(), Some("rename it to pak1.pak, or add one of that name"));
//! # Ok::<(), quakefs::Error>(())
//! ```
//!
//! # What is wrong with a game?
//! ```
//! use quakefs::SearchPath;
//! use quakefs::why::check;
//! use quakefs::why::words::{self, Say as _};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let base = folder.path();
//! # std::fs::create_dir_all(base.join("id1")).unwrap();
//! # std::fs::write(base.join("id1/autoexec.cfg"), "loose").unwrap();
//! # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
//! # pak.add("autoexec.cfg", "packed").unwrap();
//! # std::fs::write(base.join("id1/pak0.pak"), pak.finish().unwrap()).unwrap();
//! let quake = SearchPath::builder(base).mount()?;
//! let findings = check(&quake);
//! assert_eq!(findings[0].kind.name(), "hidden-loose");
//! assert_eq!(
//!     words::in_place(&findings[0]),
//!     "id1/autoexec.cfg: id1/pak0.pak: entry 0 (autoexec.cfg) hides it: archives rank above loose files"
//! );
//! assert_eq!(findings[0].say().help(), Some("remove the copy that is not wanted"));
//! # Ok::<(), quakefs::Error>(())
//! ```
//!
//! # Where do two engines differ?
//! ```
//! use quakefs::{Engine, SearchPath};
//! use quakefs::why::compare;
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let base = folder.path();
//! # std::fs::create_dir_all(base.join("id1")).unwrap();
//! # std::fs::write(base.join("id1/autoexec.cfg"), "loose").unwrap();
//! # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
//! # pak.add("autoexec.cfg", "packed").unwrap();
//! # std::fs::write(base.join("id1/pak0.pak"), pak.finish().unwrap()).unwrap();
//! let mount = |engine| SearchPath::builder(base).engine(engine).mount();
//! let comparison = compare(&[mount(Engine::WinQuake)?, mount(Engine::Qss)?], |_| true);
//! let cause = &comparison.causes[0];
//! assert_eq!(cause.because.to_string(), "in winquake, archives rank above loose files");
//! assert_eq!(cause.names[0].as_bytes(), b"autoexec.cfg");
//! # Ok::<(), quakefs::Error>(())
//! ```
//!
//! # Costs
//! [`check`], [`shadows`], [`layer_amounts`] and [`compare`] list the folders once. [`check`] also reads the hidden copies,
//! as far as [`decode_budget`] allows. [`explain`] opens the archives that the engine leaves out only for a name that is
//! not found.
//!
//! # Out of scope
//! What is inside levels and models, and what a store has installed. Nothing here prints, or changes a file.

mod check;
mod companion;
mod compare;
mod explain;
#[cfg(feature = "fs")]
mod fix;
mod layers;
mod missing;
mod portability;
mod precedence;
mod registration;
mod shadows;

pub use self::check::{check, check_file, check_within, does_not_start, starts};
pub use self::companion::{companion_of, ignored_companions};
pub use self::compare::{Because, Cause, Comparison, compare};
pub use self::explain::{Explanation, Missing, disk_decides, explain, passed_over};
#[cfg(feature = "fs")]
pub use self::fix::{Fix, Rename, fix};
pub use self::layers::{Amount, LayerAmounts, layer_amounts};
pub use self::portability::portability;
pub use self::precedence::precedence;
pub use self::registration::{Registration, registration};
pub use self::shadows::{Shadow, decode_budget, shadows};
pub use crate::pak_help::of_system_error as help_of_system_error;
pub use crate::sentences::{Help, Reader, Shell, counted, grouped, one_of, with_causes};

/// Every row of every table of sentences, by subject.
#[doc(hidden)]
#[must_use]
pub fn sentences() -> Vec<(&'static str, &'static [crate::sentences::Row])> {
    vec![
        ("finding", crate::finding::findings::ROWS),
        ("companion", crate::companion::companions::ROWS),
        ("precedence", crate::precedence::precedences::ROWS),
        ("compare", compare::causes::ROWS),
        ("no path", crate::no_path::no_paths::ROWS),
        ("error", crate::error::errors::ROWS),
        ("not writable", crate::error::not_writable::ROWS),
        ("too much", crate::error::too_much::ROWS),
        ("zip", crate::error::zip_faults::ROWS),
    ]
}
