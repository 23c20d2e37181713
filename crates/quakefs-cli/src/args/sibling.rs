//! The commands of `pak` that do with an archive what others do with a game.

use std::ffi::{OsStr, OsString};

use clap::parser::ValueSource;
use quakefs::content::ContentType;

use super::parse::{as_for_an_engine, built, parse_unfinished};
use super::wrong::has;
use super::{NAME, is_of_game, name_bytes};
use crate::text::command_line;

/// The command of `pak` that does with an archive what a command line asks of a game, if there is one. `name`
/// is the word of the archive, and `archive` its path.
pub(crate) fn under_pak(line: &[OsString], name: &[u8], archive: &str) -> Option<String> {
    let (command, found) = parse_unfinished(&as_for_an_engine(line).0)?;
    let declared = built();
    let sibling = declared.find_subcommand("pak")?.find_subcommand(command.get_name())?;
    let text = |word: &OsStr| word.to_str().map(str::to_owned);
    let (mut words, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
    for arg in command.get_arguments().filter(|arg| !is_of_game(arg)) {
        let id = arg.get_id().as_str();
        if found.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let mut values = found.get_raw(id)?.map(text).collect::<Option<Vec<_>>>()?;
        let short = arg.get_short().map(|short| format!("-{short}"));
        match short.or_else(|| Some(format!("--{}", arg.get_long()?))) {
            Some(option) if has(sibling, &option) => {
                words.push(option);
                words.extend(values.into_iter().filter(|_| arg.get_action().takes_values()));
            }
            Some(_) => {}
            None if sibling.get_positionals().any(|other| other.get_id() == id) => before.append(&mut values),
            None if sibling.get_positionals().all(|other| other.get_id() != "words") => {}
            None => {
                values.retain(|word| {
                    name_bytes(OsStr::new(word)) != name
                        && ContentType::of(word.as_bytes()) != ContentType::Archive
                });
                // the same command cannot do without a name
                let wanted = (arg.is_required_set() && values.is_empty()).then(|| "NAME".to_owned());
                after.extend(values.into_iter().chain(wanted));
            }
        }
    }
    if before.iter().chain(&after).any(|word| word.starts_with('-')) {
        return None;
    }
    let start = [NAME, "pak", sibling.get_name()].map(str::to_owned).into_iter();
    let all: Vec<String> =
        start.chain(words).chain(before).chain([archive.to_owned()]).chain(after).collect();
    Some(command_line(all.iter().map(String::as_str)))
}
