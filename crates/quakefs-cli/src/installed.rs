//! The games that are installed, and `--basedir steam:quake`, which names one of them.

use std::path::PathBuf;

use quakefs_installed::{Install, Places, Store, games_in};

use crate::console::{Environment, Failure, Message};
use quakefs::why::words::one_of;

/// Where installed games are looked for.
pub(crate) fn places(environment: &Environment) -> Places {
    let mut places = Places::new();
    if let Some(home) = &environment.home {
        places = places.home(home);
    }
    if let Some(root) = &environment.system {
        places = places.system(root);
        #[cfg(windows)]
        {
            places = places.registry();
        }
    }
    places
}

/// A base directory as it was given: a path, or the name of a game that is installed, with that game.
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
                "no game was found: name its folder".to_owned()
            } else {
                format!("there is {}; `quakefs games` says where", one_of(&there))
            };
            Err(Message::new(format!("{name}: no such game is installed"), help).into())
        }
        several => {
            let paths: Vec<_> = several.iter().map(|game| game.path.to_string()).collect();
            let text = format!("{name}: {} installs have this name", several.len());
            Err(Message::new(text, format!("name the folder: {}", one_of(&paths))).into())
        }
    }
}

fn names_a_store(name: &str) -> bool {
    let store = name.split_once(':').map(|(store, _)| store);
    Store::ALL.iter().any(|known| store == Some(known.name()))
}
