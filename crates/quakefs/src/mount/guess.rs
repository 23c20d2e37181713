//! Guesses which folder the caller meant if a base directory has no game directories or a game is missing.
//! Without the feature `why`, `no_guess.rs` is this module.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::given::{CallerPath, folders_in, is_folder, names_in};
use crate::disk::{Disk, FileKind};
use crate::error::WrongBase;
use crate::rules::{Engine, Family, LoadOrder, Probe, Rules, Skipped, Spelling, Text, spelling};

/// The folder with the most similar name.
pub(super) fn nearest_folder<'n>(name: &str, folders: &'n [String]) -> Option<&'n str> {
    spelling::nearest(name, folders.iter().map(String::as_str))
}

/// How many levels up the base directory is, and the mod's folder on the way.
fn above(
    folder: &Utf8Path,
    holds_game: impl Fn(&Utf8Path) -> bool,
    rules: &Rules,
) -> Option<(usize, Option<String>)> {
    let (steps, found) = folder.ancestors().enumerate().skip(1).find(|(_, above)| holds_game(above))?;
    let leading = folder.strip_prefix(found).ok()?.components().next()?.as_str();
    let game = Some(leading.to_owned()).filter(|game| !rules.directories.base.contains(&(&**game).into()));
    Some((steps, game))
}

/// The probable mistake in a base directory that contains none of the expected game directories.
pub(super) fn likely(
    disk: &dyn Disk,
    given: &CallerPath,
    expected: &[String],
    rules: &Rules,
) -> Option<WrongBase> {
    let base = &Utf8PathBuf::from_path_buf(disk.real(given.absolute.as_std_path()).ok()?).ok()?;
    let given = &*given.given;
    let folders = folders_in(disk, base);
    let holds_game = |folder: &Utf8Path| expected.iter().any(|name| is_folder(disk, &folder.join(name)));
    let own_name = base.file_name();
    let above_in_other_case = || {
        let above = base.parent()?;
        let is_own = |name: &&String| own_name.is_some_and(|own| own.eq_ignore_ascii_case(name));
        let name = expected.iter().find(is_own).filter(|name| !is_folder(disk, &above.join(name)))?;
        in_other_case(disk, above, &folders_in(disk, above), std::slice::from_ref(name), rules)
    };
    in_other_case(disk, base, &folders, expected, rules)
        .or_else(above_in_other_case)
        .or_else(|| other_engine(disk, base, rules))
        .or_else(|| {
            let (steps, game) = above(base, holds_game, rules)?;
            Some(WrongBase::Above { base: above_given(given, steps), game })
        })
        .or_else(|| {
            let below = folders.iter().find(|folder| holds_game(&base.join(folder)))?;
            Some(WrongBase::Below { base: if given == "." { below.into() } else { given.join(below) } })
        })
}

/// An existing game directory of other engines that contains an archive that they load.
fn other_engine(disk: &dyn Disk, base: &Utf8Path, rules: &Rules) -> Option<WrongBase> {
    // a base game may replace one of the engine's own directories
    let is_other = |name: &&Text| *name != "." && !rules.directories.base.contains(name);
    let first = |rules: &'static Rules| rules.directories.base.iter().find(is_other);
    let has = |rules: &'static Rules| {
        first(rules).is_some_and(|name| holds_archives(disk, &base.join(&**name), rules))
    };
    let directory = first(Engine::with(has).next()?.rules())?;
    let mut engines: Vec<_> = Engine::with(|rules| first(rules) == Some(directory) && has(rules)).collect();
    let families = engines.iter().filter_map(|engine| engine.rules().family.as_ref());
    let likely: Vec<_> = families.map(Family::engine).collect();
    // a folder with the name of a game of its own
    let folder = base.file_name().unwrap_or_default().to_ascii_lowercase();
    let is_titled = |engine: &Engine| engine.rules().titles.iter().any(|title| folder.contains(&*title.word));
    engines.sort_by_key(|engine| (!is_titled(engine), !likely.contains(engine)));
    Some(WrongBase::OtherEngine { directory: directory.to_string(), engines })
}

/// Whether the engine loads an archive of a folder, or would by another case of its name.
fn holds_archives(disk: &dyn Disk, folder: &Utf8Path, rules: &Rules) -> bool {
    let LoadOrder { archives, skipped, .. } = order_in(disk, folder, rules);
    !archives.is_empty() || skipped.iter().any(|(_, why)| matches!(why, Skipped::WrongCase { .. }))
}

fn order_in(disk: &dyn Disk, folder: &Utf8Path, rules: &Rules) -> LoadOrder {
    let files = names_in(disk, folder, &|_, kind| kind == FileKind::File);
    rules.archives.load_order(files, true, Spelling::Exact, |_| Probe::Usable)
}

/// An existing game directory whose name differs in case, and those of its archives whose names differ in
/// case too.
fn in_other_case(
    disk: &dyn Disk,
    base: &Utf8Path,
    folders: &[String],
    expected: &[String],
    rules: &Rules,
) -> Option<WrongBase> {
    let (found, name) = expected
        .iter()
        .find_map(|name| Some((folders.iter().find(|folder| folder.eq_ignore_ascii_case(name))?, name)))?;
    let mut renames = vec![(found.clone(), name.clone())];
    for (file, why) in order_in(disk, &base.join(found), rules).skipped {
        if let Skipped::WrongCase { expected } = why {
            renames.push((file, expected));
        }
    }
    Some(WrongBase::Case { renames })
}

/// The folder some levels up, written like the caller's path.
fn above_given(given: &Utf8Path, steps: usize) -> Utf8PathBuf {
    let named = given.components().rev().take(steps);
    let is_named = named.filter(|part| matches!(part, Utf8Component::Normal(_))).count() == steps;
    match given.ancestors().nth(steps).filter(|_| is_named) {
        Some(above) if above == "" => ".".into(),
        Some(above) => above.to_owned(),
        None => std::iter::repeat_n("..", steps)
            .fold(given.to_owned(), |path, up| if path == "." { up.into() } else { path.join(up) }),
    }
}
