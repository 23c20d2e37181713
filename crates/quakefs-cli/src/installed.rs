//! Installed games, and their names for `--basedir`, such as `steam:quake`.

use std::path::PathBuf;

use quakefs::{Archive, SearchPath};
use quakefs_installed::{Install, Known, Places, Store, games_in};

use crate::console::{Environment, Failure, Message};

/// The places to search for installed games.
pub(crate) fn places(environment: &Environment) -> Places {
    let (home, system) = (environment.home.clone(), environment.system.clone());
    let places = Places { home, system, ..Places::default() };
    #[cfg(windows)]
    let places = if places.system.is_some() { places.registry() } else { places };
    places
}

/// The path of a base directory from the command line; if it names an installed game, also that game.
pub(crate) fn base_directory(
    given: PathBuf,
    environment: &Environment,
) -> Result<(PathBuf, Option<Install>), Failure> {
    let Some(name) = given.to_str().filter(|name| names_a_store(name)) else { return Ok((given, None)) };
    let games = games_in(&places(environment)).games;
    let named: Vec<&Install> = games.iter().filter(|game| game.to_string() == name).collect();
    match &named[..] {
        [game] => Ok((game.path.clone().into(), Some((*game).clone()))),
        [] => {
            let mut there: Vec<_> = games.iter().map(Install::to_string).collect();
            there.dedup();
            let help = if there.is_empty() {
                "no installed game was found: name the folder of the game".to_owned()
            } else {
                format!("name one of {}; `quakefs games` lists them with their folders", there.join(", "))
            };
            Err(Message::new(format!("{name}: no such game is installed"), help).into())
        }
        several => {
            let paths: Vec<_> = several.iter().map(|game| game.path.to_string()).collect();
            let text = format!("{name}: {} installs have this name", several.len());
            Err(Message::new(text, format!("name the folder: {}", paths.join(" or "))).into())
        }
    }
}

fn names_a_store(name: &str) -> bool {
    let store = name.split_once(':').map(|(store, _)| store);
    Store::ALL.iter().any(|known| store == Some(known.name()))
}

/// The name of a known archive. Other commands report an archive that cannot be read.
pub(crate) fn known_name(archive: &Archive) -> Option<String> {
    Known::of(archive).ok().flatten().map(|known| known.to_string())
}

/// The known archives of a game, lowest first. `check` reports an archive that cannot be read.
pub(crate) fn known_archives(search_path: &SearchPath) -> Vec<(String, Known)> {
    let named = |layer: &quakefs::Layer| {
        let known = Known::of(layer.archive()?).ok().flatten()?;
        Some((layer.name().to_owned(), known))
    };
    let mut known: Vec<_> = search_path.layers().filter_map(named).collect();
    known.reverse();
    known
}
