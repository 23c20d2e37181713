//! Checks the list of games that an engine builds at start, because some archives stop it there.

use camino::Utf8Path;

use super::Builder;
use super::assemble::{self, Step};
use super::given::{CallerPath, folders_in};
use super::open::Opening;
use super::survey::Survey;
use crate::disk::Disk;
use crate::error::Error;
use crate::finding::FindingKind;
use crate::location::Location;
use crate::rules::order::sort_by_name;
use crate::rules::{EngineStop, Host, Planned, PlannedDirectory, Rules, Text};

/// Reports archives of other games that stop the engine. To build the list, the engine briefly adds every
/// folder that looks like a game to its search path.
pub(super) fn report(
    builder: &Builder,
    rules: &Rules,
    disk: &dyn Disk,
    bases: &[CallerPath],
    planned: &Planned,
    opening: &mut Opening<'_>,
) -> Result<(), Error> {
    let games = |base: &CallerPath| {
        let mut folders = folders_in(disk, &base.absolute);
        let known = folders.first().map_or(&b""[..], |name| name.as_bytes());
        let spelling = disk.spelling(base.absolute.as_std_path(), known);
        let is_same = |one: &str, other: &str| spelling.same(one.as_bytes(), other.as_bytes());
        let searched =
            |name: &str| planned.directories.iter().any(|directory| is_same(&directory.name, name));
        folders.retain(|name| {
            !searched(name) && is_game(disk, rules, builder.host_or_here(), &base.absolute.join(name))
        });
        folders
    };
    let mut games: Vec<String> = bases.iter().flat_map(games).collect();
    sort_by_name(&mut games, String::as_bytes);
    games.dedup();
    for name in games {
        let directory =
            PlannedDirectory { name, archives: true, of_game: true, ..PlannedDirectory::default() };
        let planned = Planned { directories: vec![directory], not_used: Vec::new(), stopping: Vec::new() };
        let survey = Survey::new(disk, builder, rules, bases.to_vec(), &planned.directories)?;
        let assembly =
            assemble::assemble(rules, opening.loose.position, &planned, &survey, &mut |path, kind| {
                opening.look_at(path, kind).0
            });
        for step in assembly.steps {
            let place = match step {
                Step::Report(finding)
                    if matches!(finding.kind, FindingKind::StopsAt(EngineStop::NotAFile)) =>
                {
                    finding.location
                }
                Step::Archive { name, path, kind, part: Some(_), .. } if opening.look_at(&path, kind).1 => {
                    Location::layer(name)
                }
                _ => continue,
            };
            opening.find(place, FindingKind::StopsAt(EngineStop::OtherGame));
        }
    }
    Ok(())
}

fn is_game(disk: &dyn Disk, rules: &Rules, host: Host, folder: &Utf8Path) -> bool {
    // a macOS program is such a folder
    let is_program =
        host != Host::Windows && folder.extension().is_some_and(|given| given.eq_ignore_ascii_case("app"));
    let shows_it = |name: &Text| match name.strip_suffix('/') {
        Some(inner) => disk.list(folder.join(inner).as_std_path()).is_ok_and(|items| !items.is_empty()),
        None => disk.stat(folder.join(&**name).as_std_path()).is_ok(),
    };
    !is_program && rules.directories.listed_by.iter().any(shows_it)
}
