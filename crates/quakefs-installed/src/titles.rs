//! The games that a folder contains, by the files that only they have.

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::Engine;
use quakefs::disk::{Disk, FileKind, folders_in};
use quakefs::rules::{Family, Rules, Text, Title};

use crate::mods::files_in;

/// Names of game directories that are also words for any folder, as in "the main directory".
pub(crate) const ANY_FOLDER: &[&str] = &["base", "data", "main"];

/// The titles that recognise this folder as their base directory, one edition each, with their engines.
pub(crate) fn titles_in(disk: &dyn Disk, base: &Utf8Path) -> Vec<(Engine, &'static Title)> {
    let is_file =
        |path: Utf8PathBuf| disk.stat(path.as_std_path()).is_ok_and(|stat| stat.kind == FileKind::File);
    let has = |file: &Text| in_any_case(disk, base, file).is_some_and(is_file);
    let is_there = |title: &Title| title.known_by.iter().any(has) && title.and_by.iter().all(has);
    let mut there: Vec<(Engine, &Title)> = Vec::new();
    for (engine, title) in Title::known() {
        if there.iter().all(|(_, other)| other.known_by != title.known_by) && is_there(title) {
            there.push((*engine, title));
        }
    }
    there
}

/// The engine that plays the game in a folder. `None` if the folder has no game, or Quake's, which many
/// engines play.
///
/// Engines whose game directory is there fit, except those of a known game that is not there: Nexuiz, Xonotic
/// and Daikatana all have a folder `data`. If several fit, it is the usual one of their family, unless its
/// game directory has a name of any folder, or else the one whose own game is there.
#[must_use]
pub fn engine_in(disk: &dyn Disk, base: &Utf8Path) -> Option<Engine> {
    let folders = folders_in(disk, base).unwrap_or_default();
    let has = |rules: &Rules| rules.directories.is_in(&folders);
    if has(Engine::default().rules()) {
        return None;
    }
    let titles: Vec<_> = titles_in(disk, base).into_iter().map(|(_, title)| title).collect();
    let is_there = |title: &Title| titles.contains(&title);
    let is_known = |rules: &'static Rules| {
        let played = titles_of(rules);
        played.is_empty() || played.into_iter().any(is_there)
    };
    let fitting: Vec<Engine> = Engine::with(|rules| has(rules) && is_known(rules)).collect();
    if let [only] = fitting[..] {
        return Some(only);
    }
    let is_shown = |family: &&&Family| {
        has(family.engine().rules()) && !ANY_FOLDER.contains(&&*family.base().to_ascii_lowercase())
    };
    let mut families = Family::known().iter().filter(is_shown).map(|family| family.engine());
    let mut own = fitting.iter().copied().filter(|engine| engine.rules().titles.iter().any(is_there));
    only(&mut families).or_else(|| only(&mut own))
}

/// The titles that an engine plays: its own, or else those of its family.
fn titles_of(rules: &'static Rules) -> Vec<&'static Title> {
    if rules.family.is_none() || !rules.titles.is_empty() {
        return rules.titles.iter().collect();
    }
    let engines = Engine::with(|other| other.family == rules.family);
    engines.flat_map(|engine| engine.rules().titles.iter()).collect()
}

/// The engine, if it is one.
fn only(engines: &mut dyn Iterator<Item = Engine>) -> Option<Engine> {
    engines.next().filter(|_| engines.next().is_none())
}

/// Finds a path below a folder in any case: as written, or else the first in byte order.
pub(crate) fn in_any_case(disk: &dyn Disk, folder: &Utf8Path, path: &str) -> Option<Utf8PathBuf> {
    path.split('/').try_fold(folder.to_owned(), |folder, part| {
        let exact = folder.join(part);
        if disk.stat(exact.as_std_path()).is_ok() {
            return Some(exact);
        }
        let alike = |name: &String| match part.split_once('*') {
            Some((start, end)) => {
                let rest = name.get(start.len()..).filter(|_| name.is_char_boundary(start.len()));
                let own = name.get(..start.len());
                own.is_some_and(|own| own.eq_ignore_ascii_case(start))
                    && rest.is_some_and(|rest| rest.to_ascii_lowercase().ends_with(end))
            }
            None => name.eq_ignore_ascii_case(part),
        };
        let mut names = files_in(disk, &folder);
        names.extend(folders_in(disk, &folder).unwrap_or_default());
        names.sort_unstable();
        names.into_iter().find(alike).map(|name| folder.join(name))
    })
}
