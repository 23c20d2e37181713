//! Why an engine loads a file or skips it: explanations, checks, overridden copies, and differences between
//! engines.
//!
//! - Why does this copy win, or why is the file missing? [`explain`] returns an [`Explanation`], with the
//!   rule that puts the winner above each other copy.
//! - What is wrong with the game? [`check`] reads the files too; [`starts`] reports what keeps the engine
//!   from starting; [`check_file`] examines one copy, and [`examine`] its content.
//! - What is overridden? [`overridden`] returns every overridden copy with its winner.
//! - Where do engines differ? [`compare`] returns a [`Comparison`] with its [causes](Cause).
//! - Is this a registered copy? [`registration`].
//! - Which files beside levels does the engine ignore? [`skipped_companions`] lists them.
//!
//! `Display` prints the sentence of a finding, an error or a reason. [`Help`](crate::sentences::Help) has the
//! advice, for a reader in a window or in a shell.
//!
//! # Why is a file missing?
//! ```
//! use quakefs::SearchPath;
//! use quakefs::sentences::Help as _;
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
//! let Explanation::Missing(missing) = explain(&quake, "maps/end.bsp") else {
//!     panic!("pak1.pak is missing")
//! };
//! assert_eq!(missing.cause, "skipped");
//! assert_eq!(
//!     missing.to_string(),
//!     "maps/end.bsp: not found: id1/pak2.pak has it, but quakespasm skips that archive: pak1.pak is missing"
//! );
//! assert_eq!(missing.help(None).as_deref(), Some("rename the archive to pak1.pak"));
//! # Ok::<(), quakefs::Error>(())
//! ```
//!
//! # What is wrong with a game, and where do engines differ?
//! ```
//! use quakefs::why::{check, compare};
//! use quakefs::{Engine, SearchPath};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let base = folder.path();
//! # std::fs::create_dir_all(base.join("id1")).unwrap();
//! # std::fs::write(base.join("id1/autoexec.cfg"), "loose").unwrap();
//! # let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
//! # pak.add("autoexec.cfg", "packed").unwrap();
//! # std::fs::write(base.join("id1/pak0.pak"), pak.finish().unwrap()).unwrap();
//! let mount = |engine| SearchPath::builder(base).engine(engine).mount();
//! let quake = mount(Engine::WinQuake)?;
//! let findings = check(&quake);
//! let is_loose = |finding: &&quakefs::Finding| finding.location.to_string() == "id1/autoexec.cfg";
//! let overridden = findings.iter().find(is_loose).unwrap();
//! assert_eq!(
//!     overridden.sentence(),
//!     "id1/pak0.pak: entry 0 (autoexec.cfg) overrides it: archives rank above loose files"
//! );
//! let comparison = compare(&[quake, mount(Engine::Qss)?], |_| true);
//! assert_eq!(comparison.causes[0].because.to_string(), "in winquake, archives rank above loose files");
//! assert_eq!(comparison.causes[0].names[0].as_bytes(), b"autoexec.cfg");
//! # Ok::<(), quakefs::Error>(())
//! ```
//!
//! # Costs
//! [`check`], [`overridden`] and [`compare`] list the folders once. [`check`] also reads the overridden
//! copies, within [`decode_budget`]. [`explain`] opens skipped archives only for a missing name.

mod advice;
mod check;
mod companion;
mod compare;
mod content;
mod cores;
mod elsewhere;
mod explain;
mod hidden;
mod missing;
mod overridden;
mod portability;
mod precedence;
mod registration;
mod skipped;
mod start;

use crate::findings::Location;

pub use self::advice::taken;
pub use self::check::{check, check_file, check_within};
pub use self::companion::skipped_companions;
pub use self::compare::{Because, Cause, Comparison, compare, compare_content};
pub use self::content::{examine, wrong_in};
pub use self::cores::on_all_cores;
pub use self::elsewhere::copies_elsewhere;
pub use self::explain::{Explanation, Missing, explain};
pub use self::overridden::{Overridden, decode_budget, overridden};
pub use self::portability::{portable_layer, portable_name};
pub use self::registration::Registration;
pub use self::skipped::{SkippedBecause, SkippedCopy, skipped_copies};
pub use self::start::{has_base_game, pk3_checksum, registration, starts};

/// Every row of every table of sentences, by subject. Advice is about the location.
#[doc(hidden)]
#[must_use]
pub fn sentences(at: &Location) -> Vec<(&'static str, Vec<crate::sentences::SentenceRow>)> {
    vec![
        ("finding", crate::finding::findings::rows(at)),
        ("companion", crate::companion::companions::rows(at)),
        ("precedence", crate::precedence::precedences::rows(at)),
        ("compare", compare::causes::rows(at)),
        ("no path", crate::no_path::no_paths::rows(at)),
        ("error", crate::error::errors::rows(at)),
        ("not writable", crate::error::not_writable::rows(at)),
        ("zip", crate::error::zip_faults::rows(at)),
    ]
}
