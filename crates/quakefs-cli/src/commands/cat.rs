//! `cat`: the bytes of a file.

use quakefs::File;
use quakefs_game::FileRow;
use serde::Serialize;

use crate::args::{Cat, GameArgs, name_bytes};
use crate::console::{Console, Exit, Failure};
use crate::missing::{mention_findings, missing};
use crate::output::{self, Raw};

#[derive(Serialize)]
struct ContentRow {
    #[serde(flatten)]
    file: FileRow,
    /// Escaped like names: `\xNN` for each byte that is not UTF-8.
    content: String,
}

pub(crate) fn run(game: &GameArgs, args: &Cat, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let game = game.open(console)?;
    let search_path = &game.search_path;
    let (mut exit, mut is_missing) = (Exit::Done, false);
    for name in &args.names {
        let name = name_bytes(name);
        let Some(file) = search_path.find(&name) else {
            console.error(&missing(&game, &name));
            (exit, is_missing) = (exit.max(Exit::NotFound), true);
            continue;
        };
        let finding = quakefs::why::check_file(search_path, &file);
        if let Some(finding) = finding.filter(|finding| finding.stops_engine) {
            console.warn(&(&finding).into());
            exit = exit.max(Exit::NotFound);
        }
        match print(&file, &name, console) {
            Err(Failure::Error(message)) => {
                console.error(&message);
                exit = Exit::Failed;
            }
            printed => printed?,
        }
    }
    if is_missing {
        mention_findings(console, &game);
    }
    Ok(exit)
}

fn print(file: &File<'_>, asked: &[u8], console: &mut Console<'_>) -> Result<(), Failure> {
    let row = || {
        let content = pak_format::name::escape(&file.read()?).into_owned();
        Ok(ContentRow { file: FileRow::new(asked.into(), file), content })
    };
    output::one(console, "content", row, |console| {
        Raw::new(file.location().to_string())
            .copy(file.open()?, console, |error| quakefs::Error::from(error).into())
    })
}
