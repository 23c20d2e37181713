//! `pak rename`: an entry, a folder, or all names that match a pattern.

use std::collections::HashSet;

use quakefs::EntryName;
use quakefs_archives::Editor;
use regex::bytes::Regex;

use super::write::{commit, nothing_matches, open, refuse};
use crate::args::{Rename, name_bytes};
use crate::changes::{Change, Deed};
use crate::console::{Console, Exit, Failure, Message};
use crate::progress::Progress;

pub(super) fn run(args: &Rename, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let file = &args.file;
    let mut editor = open(file, args.layout)?;
    let mut renames = renames(&name_bytes(&args.old), &name_bytes(&args.new), &editor)?;
    // entries of one name are renamed together
    let mut seen = HashSet::new();
    renames.retain(|(old, _)| seen.insert(old.clone()));
    if renames.is_empty() {
        console.error(&nothing_matches(args.old.display(), || editor.names(), file, args.layout));
        return Ok(Exit::NotFound);
    }
    for (old, new) in &renames {
        if let Err(error) = editor.rename(old, new) {
            if error.is_not_found() {
                console.error(&nothing_matches(args.old.display(), || editor.names(), file, args.layout));
                return Ok(Exit::NotFound);
            }
            console.error(&Message::from(&error));
            return Ok(Exit::Failed);
        }
    }
    refuse(&editor.check(), file, None, console)?;
    let names: Vec<_> = renames.iter().map(|(_, new)| EntryName::from_bytes(new).to_string()).collect();
    let changes: Vec<_> = names.iter().map(|name| Change { name, deed: Deed::Renamed }).collect();
    commit(editor, file, &changes, args.dry_run, &Progress::of_bytes(console), console)
}

/// An old and a new name.
type Renamed = (Vec<u8>, Vec<u8>);

/// The old and the new name of each entry that `old` means.
fn renames(old: &[u8], new: &[u8], editor: &Editor<'_>) -> Result<Vec<Renamed>, Failure> {
    let is_pattern = old.contains(&b'*') && !editor.contains(old);
    if is_pattern {
        return matching(old, new, editor);
    }
    let mut folder = old.strip_suffix(b"/").unwrap_or(old).to_vec();
    folder.push(b'/');
    let inside = editor.names().filter_map(|name| name.as_bytes().strip_prefix(&*folder));
    let inside: Vec<_> = inside.filter(|rest| !rest.is_empty()).collect();
    if inside.is_empty() || editor.contains(old) {
        let new = if new.ends_with(b"/") { [new, base(old)].concat() } else { new.to_vec() };
        return Ok(vec![(old.to_vec(), new)]);
    }
    let to = new.strip_suffix(b"/").unwrap_or(new);
    let to = if to.is_empty() { Vec::new() } else { [to, b"/"].concat() };
    let renamed = |rest: &[u8]| ([&*folder, rest].concat(), [&*to, rest].concat());
    Ok(inside.into_iter().map(renamed).collect())
}

/// The renames by a pattern: each `*` of `new` is what the same one of `old` stands for.
fn matching(old: &[u8], new: &[u8], editor: &Editor<'_>) -> Result<Vec<Renamed>, Failure> {
    let (pattern, parts) = (parts(old), parts(new));
    let stars = |parts: &[Part<'_>]| parts.iter().filter(|part| matches!(part, Part::Star(_))).count();
    let into_folder = new.ends_with(b"/");
    let (of_old, of_new) = (stars(&pattern), stars(&parts));
    if of_new > of_old || (of_new < of_old && !(into_folder && of_new == 0)) {
        let text = format!("the new name has {of_new} *, and the old one {of_old}");
        let help = "write each * of the old name in the new one, or a folder: \"maps/*.BSP\" \"maps/*.bsp\"";
        return Err(Message::new(text, help).into());
    }
    // WADs ignore case
    let mut regex = String::from(if editor.wad().is_some() { "(?is-u)^" } else { "(?s-u)^" });
    for part in &pattern {
        match part {
            Part::Star(true) => regex += "(.*)",
            Part::Star(false) => regex += "([^/]*)",
            Part::Text(text) => regex.extend(text.iter().map(|byte| format!("\\x{byte:02x}"))),
        }
    }
    regex.push('$');
    let regex = Regex::new(&regex).map_err(|error| Message::without_help(error.to_string()))?;
    let renamed = |name: EntryName<'_>| {
        let found = regex.captures(name.as_bytes())?;
        let mut captured = found.iter().skip(1).flatten();
        let mut renamed = Vec::new();
        for part in &parts {
            renamed.extend_from_slice(match part {
                Part::Text(text) => text,
                Part::Star(_) => captured.next()?.as_bytes(),
            });
        }
        if into_folder {
            renamed.extend_from_slice(base(name.as_bytes()));
        }
        Some((name.as_bytes().to_vec(), renamed))
    };
    Ok(editor.names().filter_map(renamed).collect())
}

/// A part of a pattern.
enum Part<'p> {
    Text(&'p [u8]),
    /// `*`, or `**` for true, which does not stop at `/`.
    Star(bool),
}

fn parts(pattern: &[u8]) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = pattern;
    while let Some(at) = rest.iter().position(|byte| *byte == b'*') {
        let (text, stars) = rest.split_at(at);
        let count = stars.iter().take_while(|byte| **byte == b'*').count();
        parts.extend([Part::Text(text), Part::Star(count > 1)]);
        rest = stars.get(count..).unwrap_or_default();
    }
    parts.push(Part::Text(rest));
    parts
}

/// The name of a file without its folder.
fn base(name: &[u8]) -> &[u8] {
    name.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}
