//! Sentences and advice about a missing name.

use std::fmt;

use super::explain::{Depth, Differs, Match, Missing, Reason};
use crate::content::ContentType;
use crate::error::RELATIVE_NAME;
use crate::sentences::{Help, Shell, one_of};
use crate::{EntryName, File};

impl fmt::Display for Missing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.as_name();
        if name.as_bytes().is_empty() {
            f.write_str("\"\": not found")?;
        } else {
            write!(f, "{name}: not found")?;
        }
        match self.reasons.first().and_then(|reason| sentence(reason, name, &self.engine)) {
            Some(reason) => write!(f, ": {reason}"),
            None => Ok(()),
        }
    }
}

impl Help for Missing<'_> {
    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        Some(match self.reasons.first() {
            Some(reason) => help(reason, self.name.as_name(), shell),
            None => match shell {
                Some(shell) => format!("`{}` lists the names", shell.command("ls", None)),
                None => "look for it in the list of files".to_owned(),
            },
        })
    }
}

fn sentence(reason: &Reason<'_>, name: EntryName<'_>, engine: &str) -> Option<String> {
    Some(match reason {
        Reason::Refused(fault) => fault.to_string(),
        Reason::NoFile(fault) => fault.to_string(),
        Reason::Elsewhere { at, name: differs } => elsewhere(at, *differs, name, engine),
        Reason::OtherSpelling { by: file } => {
            let (layer, stored) = (file.layer().name(), file.stored());
            format!("{layer} has {stored}, which overrides other spellings in {engine}")
        }
        Reason::TooDeep { archive, directory, .. } => {
            format!("{archive} has it, but {engine} looks for archives only in {directory} itself")
        }
        Reason::Folder => "it is a folder".to_owned(),
        Reason::Nearest { .. } => return None,
    })
}

fn help(reason: &Reason<'_>, name: EntryName<'_>, shell: Option<&dyn Shell>) -> String {
    match reason {
        Reason::Refused(_) => RELATIVE_NAME.to_owned(),
        Reason::NoFile(_) => "give the file another name".to_owned(),
        Reason::Elsewhere { at, name: differs } => help_elsewhere(at, *differs, name, shell),
        Reason::OtherSpelling { by: file } => format!("request {}", file.name()),
        Reason::TooDeep { folder, directory, .. } => move_up(folder, directory),
        Reason::Folder => {
            let name = name.to_string();
            let name = name.trim_end_matches('/');
            match shell {
                Some(shell) => {
                    let below = shell.quoted(&[&format!("{name}/**")]);
                    format!("`{} {below}` lists its files", shell.command("ls", None))
                }
                None => format!("request a file in it: {name}/..."),
            }
        }
        Reason::Nearest { files } => {
            let names: Vec<_> = files.iter().map(|file| file.name().to_string()).collect();
            format!("did you mean {}?", one_of(&names))
        }
    }
}

/// Advice to move files one folder up, or out of an archive.
fn move_up(folder: &str, directory: &str) -> String {
    if folder.ends_with('/') {
        format!("move the contents of {folder} to {directory}")
    } else {
        format!("unpack {folder} into {directory}")
    }
}

/// The place of the file, how its name differs, and why the engine does not find it.
fn elsewhere(at: &Match<'_>, name: Differs, asked: EntryName<'_>, engine: &str) -> String {
    let (layer, stored) = (at.layer(), at.stored());
    let there = match name {
        Differs { folders: Depth::Same, spelling: false, extension: false } => format!("{layer} has it"),
        Differs { folders: Depth::Same, .. } => format!("{layer} has {stored}"),
        _ => format!("{layer} has it as {stored}"),
    };
    match at {
        Match::Served(_) if name.spelling && !name.extension => {
            format!("{there}, and {engine} finds it only by this exact spelling")
        }
        Match::Served(file) if name.folders == Depth::Shallower && begins_above(file, asked) => {
            format!("{there}: names do not include the game directory")
        }
        Match::Served(_) => there,
        Match::Skipped { finding, .. } => {
            format!("{there}, but {engine} skips that archive: {}", finding.reason())
        }
        Match::OtherGame { game, .. } => {
            let directory = &game.directory;
            format!("{there}, but {engine} searches {directory}/ only when it is started with that game")
        }
    }
}

/// The first folder of a name.
fn first_folder(asked: EntryName<'_>) -> &[u8] {
    asked.as_bytes().split(|&byte| byte == b'/').next().unwrap_or_default()
}

/// Whether the requested name begins with the file's game directory, or with a drive.
fn begins_above(file: &File<'_>, asked: EntryName<'_>) -> bool {
    let first = first_folder(asked);
    let directory = file.layer().game_directory().and_then(|directory| directory.name.rsplit('/').next());
    first.contains(&b':') || directory.is_some_and(|name| first.eq_ignore_ascii_case(name.as_bytes()))
}

/// Advice: first about the place, then about the name.
fn help_elsewhere(at: &Match<'_>, name: Differs, asked: EntryName<'_>, shell: Option<&dyn Shell>) -> String {
    let stored = at.stored().to_string();
    let found_as = match at {
        Match::Served(file) | Match::OtherGame { file, .. } => file.name().to_string(),
        Match::Skipped { .. } => stored.clone(),
    };
    let first = match at {
        Match::Served(_) => None,
        Match::Skipped { finding, .. } => finding.help(shell),
        Match::OtherGame { game, .. } => Some(match shell {
            Some(shell) => {
                let option = match &game.mission {
                    Some(flag) => ("--mission", &**flag),
                    None => ("--game", &*game.directory),
                };
                let which = shell.command("which", Some(option));
                format!("`{which} {}` looks there", shell.quoted(&[&found_as]))
            }
            None => match &game.mission {
                Some(flag) => format!("start the engine with -{flag}"),
                None => format!("start the engine with the game {}", game.directory),
            },
        }),
    };
    let mut above = at.layer().trim_end_matches('/').rsplit('/');
    let above = above.nth(usize::from(at.is_entry())).unwrap_or_default();
    let in_archive = stored.strip_prefix(above).and_then(|rest| Some((above, rest.strip_prefix('/')?)));
    // a request without a folder does not tell which folder is the extra one
    let is_whole = at.is_entry() && asked.as_bytes().contains(&b'/');
    let inside = stored.len().checked_sub(asked.as_bytes().len() + 1).filter(|_| is_whole);
    let in_folder = || Some((stored.get(..inside?)?, stored.get(inside? + 1..)?));
    let too_deep = in_archive.or_else(in_folder).filter(|_| name.folders == Depth::Deeper);
    // most games request names in lower case, and every engine finds a lower-case file
    let is_lower = !asked.as_bytes().iter().any(|byte| byte.is_ascii_uppercase() || *byte == b'\\');
    // no file can have such a name
    let is_name = asked.as_bytes().split(|&byte| byte == b'/').all(|part| !part.is_empty() && part != b".");
    let is_level = ContentType::of(asked.as_bytes()) == ContentType::Level;
    let has_folder = first_folder(asked) != b".";
    let is_beside = has_folder && matches!(at, Match::Served(file) if !begins_above(file, asked));
    let is_known = |name: EntryName<'_>| ContentType::of(name.as_bytes()) != ContentType::Other;
    let second = match (too_deep, name) {
        (Some((folder, rest)), _) => {
            let step = if at.is_entry() {
                format!("pack the contents of {folder} without that folder")
            } else {
                move_up(&format!("{folder}/{folder}/"), &format!("{folder}/"))
            };
            let why =
                if first.is_none() && at.is_entry() { "it is packed one folder too deep: " } else { "" };
            let named = if rest.len() > asked.as_bytes().len() {
                format!(", and request {rest}")
            } else if name.spelling && is_lower {
                format!(", and name the file {asked}")
            } else {
                String::new()
            };
            Some(format!("{why}{step}{named}"))
        }
        (None, Differs { folders: Depth::Same, spelling: true, extension: false })
            if is_level && stored.bytes().any(|byte| byte.is_ascii_uppercase()) =>
        {
            let right = found_as.to_ascii_lowercase();
            Some(format!("rename it to {right}: levels are requested in lower case"))
        }
        (None, Differs { folders: Depth::Same, spelling: true, extension: false }) if is_lower && is_name => {
            Some(format!(
                "rename {} to {asked}, or request {found_as}",
                if first.is_some() { "the file" } else { "it" }
            ))
        }
        (None, Differs { folders: Depth::Same, spelling: false, extension: false }) => None,
        _ if matches!(at, Match::OtherGame { .. }) => None,
        (None, Differs { folders: Depth::Same, extension: true, .. })
            if is_known(asked) && !is_known(at.stored()) =>
        {
            Some(format!("rename it to {asked}"))
        }
        (None, Differs { folders: Depth::Shallower, extension: false, .. }) if is_beside => {
            let folder = EntryName::from_bytes(first_folder(asked));
            Some(if at.is_entry() {
                format!("pack it in the folder {folder}")
            } else {
                format!("move it into {}{folder}", at.layer())
            })
        }
        _ => Some(format!("request {found_as}")),
    };
    first.into_iter().chain(second).collect::<Vec<_>>().join("; then ")
}
