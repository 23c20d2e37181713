//! Why a name is not found, and what may have been meant.

use crate::content::ContentType;
use crate::{EntryName, File};

use super::advice::request;
use super::{Reader, Said, Say, findings, one_of};
use crate::why::{Differs, Folders, Missing, MissingBecause, There};

/// What is said of a file that the engine passes over.
pub const PASSED_OVER: &str = "its name differs in case";

impl Say for Missing<'_> {
    /// The sentence begins with the name that was asked for.
    fn say_to(&self, reader: Reader<'_>) -> Said {
        let asked = self.name();
        let shown = if asked.as_bytes().is_empty() { "\"\"".to_owned() } else { asked.to_string() };
        let Some(because) = self.because.first() else {
            let help = match reader {
                Reader::Shell(shell) => format!("`{}` lists the names", shell.command("ls")),
                Reader::Window => "look at the list of files".to_owned(),
            };
            return Said::new(format!("{shown}: not found"), help);
        };
        let (reason, help) = said(because, asked, &self.engine, reader);
        let sentence = match reason {
            Some(reason) => format!("{shown}: not found: {reason}"),
            None => format!("{shown}: not found"),
        };
        Said::new(sentence, help)
    }
}

fn said(
    because: &MissingBecause<'_>,
    asked: EntryName<'_>,
    engine: &str,
    reader: Reader<'_>,
) -> (Option<String>, String) {
    let ask_for = |file: &File<'_>| format!("ask for {}", file.name());
    let (reason, help) = match because {
        MissingBecause::Refused(reason) => (reason.to_string(), request().to_owned()),
        MissingBecause::NoFile(fault) => (fault.to_string(), "give the file another name".to_owned()),
        MissingBecause::There { at, name } => {
            (there(at, *name, asked, engine), help(at, *name, asked, reader))
        }
        MissingBecause::HiddenBySpelling { by: file } => {
            let (layer, stored) = (file.layer().name(), file.stored());
            (format!("{layer} has {stored}, which hides other spellings in {engine}"), ask_for(file))
        }
        MissingBecause::TooDeep { archive, folder, directory } => (
            format!("{archive} has it, and {engine} looks for archives straight in {directory}"),
            findings::move_up(folder, directory),
        ),
        MissingBecause::Folder => {
            let asked = asked.to_string();
            let asked = asked.trim_end_matches('/');
            let help = match reader {
                Reader::Shell(shell) => {
                    let below = shell.quoted(&[&format!("{asked}/**")]);
                    format!("`{} {below}` lists what is in it", shell.command("ls"))
                }
                Reader::Window => format!("ask for a file in it: {asked}/..."),
            };
            ("it is a folder".to_owned(), help)
        }
        MissingBecause::Nearest { files } => {
            let names: Vec<_> = files.iter().map(|file| file.name().to_string()).collect();
            return (None, format!("did you mean {}?", one_of(&names)));
        }
    };
    (Some(reason), help)
}

/// Where the file is, how its name differs, and why the engine does not look there.
fn there(at: &There<'_>, name: Differs, asked: EntryName<'_>, engine: &str) -> String {
    let (layer, stored) = (at.layer(), at.stored());
    let there = match name {
        Differs { folders: Folders::Same, spelling: false, extension: false } => format!("{layer} has it"),
        Differs { folders: Folders::Same, .. } => format!("{layer} has {stored}"),
        _ => format!("{layer} has it as {stored}"),
    };
    match at {
        There::Served(_) if name.spelling && !name.extension => {
            format!("{there}, and {engine} finds it by this exact spelling alone")
        }
        There::Served(file) if name.folders == Folders::Shallower && begins_above(file, asked) => {
            format!("{there}: names begin below the game directory")
        }
        There::Served(_) => there,
        There::LeftOut { finding, .. } => {
            format!("{there}, but {engine} does not load that archive: {}", findings::cause(finding))
        }
        There::OtherGame { game, .. } => {
            let directory = &game.directory;
            format!("{there}, but {engine} searches {directory}/ only when it is started with that game")
        }
    }
}

/// The first folder of a name.
fn first_folder(asked: EntryName<'_>) -> &[u8] {
    asked.as_bytes().split(|&byte| byte == b'/').next().unwrap_or_default()
}

/// Whether a name that is asked for begins with the game directory of a file, or with a drive.
fn begins_above(file: &File<'_>, asked: EntryName<'_>) -> bool {
    let first = first_folder(asked);
    let directory = file.layer().game_directory().and_then(|directory| directory.name.rsplit('/').next());
    first.contains(&b':') || directory.is_some_and(|name| first.eq_ignore_ascii_case(name.as_bytes()))
}

/// What to do: where the engine does not look, and what differs in the name.
fn help(at: &There<'_>, name: Differs, asked: EntryName<'_>, reader: Reader<'_>) -> String {
    let stored = at.stored().to_string();
    let found_as = match at {
        There::Served(file) | There::OtherGame { file, .. } => file.name().to_string(),
        There::LeftOut { .. } => stored.clone(),
    };
    let first = match at {
        There::Served(_) => None,
        There::LeftOut { finding, .. } => finding.say_to(reader).help().map(str::to_owned),
        There::OtherGame { game, .. } => Some(match reader {
            Reader::Shell(shell) => {
                format!("`{} {}` asks there", shell.other_game(game, "which"), shell.quoted(&[&found_as]))
            }
            Reader::Window => match &game.mission {
                Some(flag) => format!("start the engine with -{flag}"),
                None => format!("start the engine with the game {}", game.directory),
            },
        }),
    };
    let mut above = at.layer().trim_end_matches('/').rsplit('/');
    let above = above.nth(usize::from(at.is_entry())).unwrap_or_default();
    let in_archive = stored.strip_prefix(above).and_then(|rest| Some((above, rest.strip_prefix('/')?)));
    // a name without a folder lacks the one that is there
    let is_whole = at.is_entry() && asked.as_bytes().contains(&b'/');
    let inside = stored.len().checked_sub(asked.as_bytes().len() + 1).filter(|_| is_whole);
    let in_folder = || Some((stored.get(..inside?)?, stored.get(inside? + 1..)?));
    let too_deep = in_archive.or_else(in_folder).filter(|_| name.folders == Folders::Deeper);
    // where names are in lower case, as most games ask for them, they are right in all engines
    let is_lower = !asked.as_bytes().iter().any(|byte| byte.is_ascii_uppercase() || *byte == b'\\');
    let is_level = ContentType::of(asked.as_bytes()) == ContentType::Level;
    let is_beside = matches!(at, There::Served(file) if !begins_above(file, asked));
    let second = match (too_deep, name) {
        (Some((folder, rest)), _) => {
            let step = if at.is_entry() {
                format!("pack what is in {folder}, without that folder")
            } else {
                findings::move_up(&format!("{folder}/{folder}/"), &format!("{folder}/"))
            };
            let why =
                if first.is_none() && at.is_entry() { "it is packed one folder too deep: " } else { "" };
            let named = if rest.len() > asked.as_bytes().len() {
                format!(", and ask for {rest}")
            } else if name.spelling && is_lower {
                format!(", and name the file {asked}")
            } else {
                String::new()
            };
            Some(format!("{why}{step}{named}"))
        }
        (None, Differs { folders: Folders::Same, spelling: true, extension: false })
            if is_level && stored.bytes().any(|byte| byte.is_ascii_uppercase()) =>
        {
            let right = found_as.to_ascii_lowercase();
            Some(format!("rename it to {right}: a level is asked for in lower case"))
        }
        (None, Differs { folders: Folders::Same, spelling: true, extension: false }) if is_lower => {
            Some(format!(
                "rename {} to {asked}, or ask for {found_as}",
                if first.is_some() { "the file" } else { "it" }
            ))
        }
        (None, Differs { folders: Folders::Same, spelling: false, extension: false }) => None,
        _ if matches!(at, There::OtherGame { .. }) => None,
        (None, Differs { folders: Folders::Shallower, extension: false, .. }) if is_beside => {
            let folder = EntryName::from_bytes(first_folder(asked));
            Some(if at.is_entry() {
                format!("pack it in the folder {folder}")
            } else {
                format!("move it into {}{folder}", at.layer())
            })
        }
        _ => Some(format!("ask for {found_as}")),
    };
    first.into_iter().chain(second).collect::<Vec<_>>().join("; then ")
}
