//! `cat`: the bytes of a file.

use std::io;

use serde::Serialize;

use crate::args::{Cat, Game, name_bytes};
use crate::commands::which::missing;
use crate::console::{Console, Exit, Failure, Told};
use crate::output::{self, JsonCopy};

#[derive(Serialize)]
struct JsonContent {
    name: String,
    #[serde(flatten)]
    copy: JsonCopy,
    /// As names are spelled: `\xNN` for what is not UTF-8.
    content: String,
}

pub(crate) fn run(game: &Game, args: &Cat, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let search_path = game.mount(console)?;
    let name = name_bytes(&args.name);
    let Some(hit) = search_path.find(&name) else {
        console.error(&missing(&search_path, &name));
        output::mention_problems(console, &search_path);
        return Ok(Exit::NotFound);
    };
    if game.json {
        let content = pak_format::name::spell(&hit.read()?).into_owned();
        let name = output::spelled(quakefs::EntryName::from_bytes(&name));
        output::json(console, &JsonContent { name, copy: (&hit).into(), content })?;
        return Ok(Exit::Done);
    }
    let mut reader = hit.open()?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = match io::Read::read(&mut reader, &mut buffer) {
            Ok(0) => return Ok(Exit::Done),
            Ok(read) => read,
            Err(error) => {
                let path = hit.path().map_or_else(String::new, camino::Utf8PathBuf::into_string);
                return Err(Told { message: format!("{path}: read failed: {error}"), help: None }.into());
            }
        };
        console.out.write_all(buffer.get(..read).unwrap_or_default())?;
    }
}
