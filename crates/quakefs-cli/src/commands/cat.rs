//! `cat`: the bytes of a file.

use std::ffi::OsString;
use std::path::Path;

use quakefs::content::ContentType;
use quakefs::{File, SearchPath};
use quakefs_game::{FileRow, Game};
use serde::Serialize;

use crate::args::{Cat, GameArgs, name_bytes};
use crate::console::{Console, Exit, Failure};
use crate::missing::{Missed, mention_skipped, missing};
use crate::output::{self, Raw};
use crate::text::command_line;

#[derive(Serialize)]
struct ContentRow {
    #[serde(flatten)]
    file: FileRow,
    /// Escaped like names: `\xNN` for each byte that is not UTF-8.
    content: String,
}

pub(crate) fn run(game: &GameArgs, args: &Cat, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let game = game.asking("cat").open(console)?;
    let search_path = &game.search_path;
    let (mut exit, mut is_unexplained) = (Exit::Done, false);
    for name in named(args, search_path) {
        let name = name_bytes(name);
        let Some(file) = search_path.find(&name) else {
            let (message, nothing_explains) = missing(&game, &name, console);
            console.error(&message);
            exit = exit.max(Exit::NotFound);
            is_unexplained |= nothing_explains;
            continue;
        };
        let finding = quakefs::why::check_file(search_path, &file);
        if let Some(finding) = finding.filter(|finding| finding.stops_engine) {
            console.warn(&(&finding).into());
            exit = exit.max(Exit::NotFound);
        }
        exit = exit.max(print_one(&game, &file, &name, console)?);
    }
    if is_unexplained {
        mention_skipped(Missed::Name, &game, console);
    }
    Ok(exit)
}

/// The names to print. If an archive that is no file of the game comes first, it was meant for `pak cat`:
/// then only the archive, which is not found, and not the files of its entries' names.
fn named<'a>(args: &'a Cat, search_path: &SearchPath) -> &'a [OsString] {
    match &*args.names {
        [first, _, ..]
            if ContentType::of(first.as_encoded_bytes()) == ContentType::Archive
                && Path::new(first).is_file()
                && search_path.find(name_bytes(first)).is_none() =>
        {
            std::slice::from_ref(first)
        }
        names => names,
    }
}

/// Prints files one after the other.
pub(crate) fn print(game: &Game, files: &[File<'_>], console: &mut Console<'_>) -> Result<Exit, Failure> {
    let one = |file: &File<'_>, console: &mut _| print_one(game, file, file.name().as_bytes(), console);
    files.iter().try_fold(Exit::Done, |exit, file| Ok(exit.max(one(file, console)?)))
}

/// Prints a file. One that cannot be read does not stop the others.
fn print_one(game: &Game, file: &File<'_>, asked: &[u8], console: &mut Console<'_>) -> Result<Exit, Failure> {
    let row = || {
        let content = pak_format::name::escape(&file.read()?).into_owned();
        Ok(ContentRow { file: FileRow::new(asked.into(), file), content })
    };
    let printed = output::one(console, "content", row, |console| {
        let (extract, name) = (output::suggest(game, "extract"), command_line([&*file.name().to_string()]));
        Raw::new(file.location().to_string(), format!("{extract} {name} -o DIR")).copy(
            file.open()?,
            console,
            |error| quakefs::Error::from(error).into(),
        )
    });
    match printed {
        Err(Failure::Error(message)) => {
            console.error(&message);
            Ok(Exit::Failed)
        }
        printed => printed.map(|()| Exit::Done),
    }
}
