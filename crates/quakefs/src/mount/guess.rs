//! Guesses that need the rows of all engines or the distance between names. `no_guess.rs` replaces them without the feature `why`.

use camino::Utf8Path;

use super::given::names_in;
use crate::disk::{Disk, FileKind};
use crate::error::WrongBase;
use crate::rules::spelling;
use crate::rules::{Engine, Rules, Text};

/// The folder with the most similar name.
pub(super) fn nearest_folder<'n>(name: &str, folders: &'n [String]) -> Option<&'n str> {
    spelling::nearest(name, folders.iter().map(String::as_str))
}

/// An existing game directory of another engine that contains an archive.
pub(super) fn other_engine(disk: &dyn Disk, base: &Utf8Path, rules: &Rules) -> Option<WrongBase> {
    // a base game may replace one of the engine's own directories
    let is_other = |name: &&Text| *name != "." && !rules.directories.base.contains(name);
    let first = |engine: &Engine| engine.rules().directories.base.iter().find(is_other);
    let has = |engine: &&Engine| {
        first(engine).is_some_and(|name| holds_archives(disk, &base.join(&**name), engine.rules()))
    };
    let directory = first(Engine::ALL.iter().find(has)?)?;
    let engines = Engine::ALL.iter().copied().filter(|engine| first(engine) == Some(directory));
    Some(WrongBase::OtherEngine { directory: directory.to_string(), engines: engines.collect() })
}

fn holds_archives(disk: &dyn Disk, folder: &Utf8Path, rules: &Rules) -> bool {
    !names_in(disk, folder, &|file, kind| kind == FileKind::File && rules.archives.is_archive_name(file))
        .is_empty()
}
