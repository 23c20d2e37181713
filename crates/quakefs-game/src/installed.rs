//! Games of stores by their names.

use quakefs_installed::{Install, Places, Store, games_in};

use crate::error::Error;

/// The installed game that a base directory names, such as `steam:quake`; `None` for a path.
pub(crate) fn named(name: &str, places: &Places) -> Result<Option<Install>, Error> {
    let store = name.split_once(':').map(|(store, _)| store);
    if !Store::ALL.iter().any(|known| store == Some(known.name())) {
        return Ok(None);
    }
    let games = games_in(places).games;
    let named: Vec<&Install> = games.iter().filter(|game| game.to_string() == name).collect();
    match &named[..] {
        [game] => Ok(Some((*game).clone())),
        [] => {
            let mut installed: Vec<_> = games.iter().map(Install::to_string).collect();
            installed.dedup();
            Err(Error::NotInstalled { name: name.to_owned(), installed })
        }
        several => {
            let paths = several.iter().map(|game| game.path.to_string()).collect();
            Err(Error::SeveralInstalled { name: name.to_owned(), paths })
        }
    }
}
