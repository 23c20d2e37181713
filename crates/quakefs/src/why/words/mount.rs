//! Why a game cannot be mounted.

use crate::error::WrongBase;

use super::{Reader, listed, one_of};

/// What to do about a base directory without the engine's game directories.
pub(super) fn help(wrong: &WrongBase, reader: Reader<'_>) -> String {
    match (wrong, reader) {
        (WrongBase::Case { renames }, _) => {
            let renames: Vec<_> = renames.iter().map(|(from, to)| format!("{from} to {to}")).collect();
            format!("rename {}", listed(&renames, "and"))
        }
        (WrongBase::Above { base, game: None }, Reader::Shell(shell)) => {
            let base = shell.quoted(&["--basedir", base.as_str()]);
            format!("this is a game directory: name the folder above it by {base}")
        }
        (WrongBase::Above { base, game: None }, Reader::Window) => {
            format!("this is a game directory: name the folder above it, {base}")
        }
        (WrongBase::Above { base, game: Some(game) }, Reader::Shell(shell)) => {
            let options = shell.quoted(&["--basedir", base.as_str(), "--game", game]);
            format!("this is in the folder of a game: ask by {options}")
        }
        (WrongBase::Above { base, game: Some(game) }, Reader::Window) => {
            format!("this is in the folder of a game: name the base directory {base} and the game {game}")
        }
        (WrongBase::Below { base }, Reader::Shell(shell)) => {
            let base = shell.quoted(&["--basedir", base.as_str()]);
            format!("the game directories are one folder deeper: name that folder by {base}")
        }
        (WrongBase::Below { base }, Reader::Window) => {
            format!("the game directories are one folder deeper: name that folder, {base}")
        }
        (WrongBase::OtherEngine { directory, engines }, _) => {
            let engines: Vec<_> = engines.iter().map(ToString::to_string).collect();
            let engines = one_of(&engines);
            match reader {
                Reader::Shell(_) => {
                    format!("this folder has {directory}: name its engine by --engine {engines}")
                }
                Reader::Window => format!("this folder has {directory}: name one of its engines, {engines}"),
            }
        }
    }
}
