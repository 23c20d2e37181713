//! `unused`: the files of a mod that nothing needs.

use quakefs_needs::Levels;
use serde::Serialize;

use crate::args::{Game, Unused as Args};
use crate::console::{Console, Exit, Failure, Message};
use crate::line::print_names;
use crate::output::{self, JsonNamed};
use crate::text::escaped;

#[derive(Serialize)]
struct JsonUnused {
    #[serde(flatten)]
    named: JsonNamed,
    /// A missing file with a similar name.
    meant: Option<String>,
}

pub(crate) fn run(game: &Game, args: &Args, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let stack = game.mount(console)?;
    let levels = Levels::new(&stack);
    let unused = levels
        .unused()
        .map_err(|trouble| Message::of(&trouble, Some(game)).about("the unused files are unknown"))?;
    if let Some(end) = args.names.end() {
        print_names(unused.iter().map(|file| file.file.name()), end, console)?;
    } else if console.json {
        for file in &unused {
            let line = JsonUnused {
                named: JsonNamed::new(file.file.name(), &file.file),
                meant: file.meant.as_ref().map(|name| escaped(name.as_name())),
            };
            output::json(console, "unused", &line)?;
        }
    } else {
        let rows: Vec<_> = unused
            .iter()
            .map(|file| {
                let meant = file.meant.as_ref().map_or_else(String::new, ToString::to_string);
                let size = output::cell(console, file.file.size());
                vec![file.file.name().to_string(), size, file.file.layer().name().to_owned(), meant]
            })
            .collect();
        output::table(console, &["name", "size", "layer", "similar missing file"], &[1], rows)?;
    }
    Ok(if unused.is_empty() { Exit::Done } else { Exit::NotFound })
}
