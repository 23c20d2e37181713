//! Sentences and advice about a missing name.

use std::fmt;

use super::explain::{Depth, Differs, Match, Missing, Reason, is_slash};
use crate::advice::{Advice, GAME, in_words};
use crate::content::{ContentType, is_content_folder};
use crate::error::RELATIVE_NAME;
use crate::location::Location;
use crate::search_path::OtherGame;
use crate::sentences::{Help, Shell};
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
    fn advice(&self) -> Vec<Advice> {
        let name = self.name.as_name();
        match self.reasons.first() {
            Some(reason) => advice(reason, name),
            None => vec![Advice::Run { command: "ls", arguments: Vec::new() }],
        }
    }

    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        let about = match self.reasons.first() {
            Some(Reason::Elsewhere { at, .. }) => Some(at.location()),
            _ => None,
        };
        in_words(&self.advice(), about.as_ref(), shell)
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
        Reason::BrokenLink { at, target } => format!("{at} is a link to {target}, which does not exist"),
        Reason::GameDirectory { game, .. } => {
            format!("{} is a game directory, and names do not include it", game.directory)
        }
        Reason::Folder => "it is a folder".to_owned(),
        Reason::Nearest { .. } => return None,
    })
}

fn advice(reason: &Reason<'_>, name: EntryName<'_>) -> Vec<Advice> {
    vec![match reason {
        Reason::Refused(_) => Advice::Tell(RELATIVE_NAME.into()),
        Reason::NoFile(_) => Advice::Tell("give the file another name".into()),
        Reason::Elsewhere { at, name: differs } => return advice_elsewhere(at, *differs, name),
        Reason::OtherSpelling { by: file } => Advice::ask(file.name().to_string()),
        Reason::TooDeep { folder, directory, .. } => {
            Advice::Move { what: Location::layer(&**folder), to: directory.clone() }
        }
        Reason::GameDirectory { game, name } => in_game(game, name.to_string()),
        Reason::BrokenLink { .. } => Advice::Tell("put the file there again, or remove the link".into()),
        Reason::Folder => {
            let name = String::from_utf8_lossy(name.as_bytes()).replace('\\', "/");
            let below = format!("{}/**", name.trim_end_matches('/'));
            Advice::Run { command: "ls", arguments: vec![below] }
        }
        Reason::Nearest { files } => {
            let names = files.iter().map(|file| file.name().to_string()).collect();
            Advice::Ask { names, game: None, is_guess: true }
        }
    }]
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
    asked.as_bytes().split(|&byte| is_slash(byte)).next().unwrap_or_default()
}

/// Whether the requested name begins with the file's game directory, or with a drive.
fn begins_above(file: &File<'_>, asked: EntryName<'_>) -> bool {
    let first = first_folder(asked);
    let directory = file.layer().game_directory().and_then(|directory| directory.name.rsplit('/').next());
    first.contains(&b':') || directory.is_some_and(|name| first.eq_ignore_ascii_case(name.as_bytes()))
}

/// Ask for a name in another game.
fn in_game(game: &OtherGame, name: String) -> Advice {
    let option = match &game.mission {
        Some(flag) => ("--mission", flag.clone()),
        None => (GAME, game.directory.clone()),
    };
    Advice::Ask { names: vec![name], game: Some(option), is_guess: false }
}

/// Advice: first about the location, then about the name.
fn advice_elsewhere(at: &Match<'_>, name: Differs, asked: EntryName<'_>) -> Vec<Advice> {
    let stored = at.stored().to_string();
    let location = at.location();
    let found_as = match at {
        Match::Served(file) | Match::OtherGame { file, .. } => file.name().to_string(),
        Match::Skipped { .. } => stored.clone(),
    };
    let first = match at {
        Match::Served(_) => Vec::new(),
        Match::Skipped { finding, .. } => finding.advice(),
        Match::OtherGame { game, .. } => vec![in_game(game, found_as.clone())],
    };
    let mut above = at.layer().trim_end_matches('/').rsplit('/');
    let above = above.nth(usize::from(at.is_entry())).unwrap_or_default();
    let in_archive = stored.strip_prefix(above).and_then(|rest| Some((above, rest.strip_prefix('/')?)));
    // a request without a folder does not tell which folder is the extra one
    let is_whole = at.is_entry() && asked.as_bytes().contains(&b'/');
    let inside = stored.len().checked_sub(asked.as_bytes().len() + 1).filter(|_| is_whole);
    let in_folder = || Some((stored.get(..inside?)?, stored.get(inside? + 1..)?));
    let too_deep = in_archive.or_else(in_folder).filter(|_| name.folders == Depth::Deeper);
    // engines add folders such as sound/ to a name
    let is_of_engine = |folder: &str| is_content_folder(folder.rsplit('/').next().unwrap_or_default());
    let too_deep = too_deep.filter(|(folder, _)| !is_of_engine(folder));
    // most games request names in lower case, and every engine finds a lower-case file
    let is_lower = !asked.as_bytes().iter().any(|byte| byte.is_ascii_uppercase() || *byte == b'\\');
    // no file can have such a name
    let is_name = asked.as_bytes().split(|&byte| byte == b'/').all(|part| !part.is_empty() && part != b".");
    let is_level = ContentType::of(asked.as_bytes()) == ContentType::Level;
    // another folder is no part of a name that engines request
    let has_folder = str::from_utf8(first_folder(asked)).is_ok_and(is_content_folder);
    let is_beside = has_folder && matches!(at, Match::Served(file) if !begins_above(file, asked));
    let is_known = |name: EntryName<'_>| ContentType::of(name.as_bytes()) != ContentType::Other;
    let in_its_folder = |name: String| {
        let folder = stored.rsplit_once('/').map_or("", |(folder, _)| folder);
        let own = name.rsplit('/').next().unwrap_or_default();
        if folder.is_empty() { own.to_owned() } else { format!("{folder}/{own}") }
    };
    // `progs/progs/a.mdl`: what a level asks for stays as it is
    let doubled = stored.as_bytes().strip_suffix(asked.as_bytes()).and_then(|rest| rest.strip_suffix(b"/"));
    let is_doubled = doubled == Some(first_folder(asked));
    let second = match (too_deep, name) {
        _ if is_doubled && is_lower && is_name => vec![Advice::rename(&location, asked.to_string())],
        (Some((folder, rest)), _) => {
            let step = if at.is_entry() {
                Advice::pack(&location, folder)
            } else {
                let what = Location::layer(format!("{folder}/{folder}/"));
                Advice::Move { what, to: format!("{folder}/") }
            };
            let named = if rest.len() > asked.as_bytes().len() {
                Some(Advice::ask(rest))
            } else if name.spelling && is_lower {
                Some(Advice::rename(&location, asked.to_string()))
            } else {
                None
            };
            std::iter::once(step).chain(named).collect()
        }
        (None, Differs { folders: Depth::Same, spelling: true, extension: false })
            if is_level && stored.bytes().any(|byte| byte.is_ascii_uppercase()) =>
        {
            vec![Advice::rename(&location, found_as.to_ascii_lowercase())]
        }
        (None, Differs { folders: Depth::Same, spelling: true, extension: false }) if is_lower && is_name => {
            vec![Advice::rename(&location, asked.to_string())]
        }
        (None, Differs { folders: Depth::Same, spelling: false, extension: false }) => Vec::new(),
        _ if matches!(at, Match::OtherGame { .. }) => Vec::new(),
        (None, Differs { folders: Depth::Same, extension: true, .. })
            if is_known(asked) && !is_known(at.stored()) =>
        {
            vec![Advice::rename(&location, in_its_folder(asked.to_string()))]
        }
        (None, Differs { folders: Depth::Shallower, extension: false, .. }) if is_beside => {
            let folder = EntryName::from_bytes(first_folder(asked));
            vec![if at.is_entry() {
                Advice::rename(&location, format!("{folder}/{stored}"))
            } else {
                Advice::Move { what: location.clone(), to: format!("{}{folder}/", at.layer()) }
            }]
        }
        _ => vec![Advice::ask(found_as)],
    };
    first.into_iter().chain(second).collect()
}
