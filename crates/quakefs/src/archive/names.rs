//! Lookup names of entries that differ from the stored names.

use std::collections::HashMap;

use super::{Files, Pak, Zip};
use crate::rules::{LongZipName, NameParts, QPath, Rules, Unterminated};

/// The rows whose lookup name differs from the stored one. An empty name cannot be found.
type Renamed = HashMap<u32, Box<[u8]>>;

pub(super) fn renamed_in_pak(pak: &Pak, rules: &Rules) -> Renamed {
    let mut renamed = Renamed::new();
    let unterminated = rules.paks.unterminated;
    if unterminated != Unterminated::Whole {
        for row in 0..pak.len() {
            let field = pak.name_field(row);
            if field.last().is_none_or(|last| *last == 0) || field.contains(&0) {
                continue;
            }
            let name = match unterminated {
                Unterminated::RunsOn => {
                    let after = pak.after_name(row).iter().copied().take_while(|byte| *byte != 0);
                    field.iter().copied().chain(after).collect()
                }
                _ => field.split_last().map(|(_, rest)| rest.to_vec()).unwrap_or_default(),
            };
            renamed.insert(row, name.into());
        }
    }
    rename_parts(pak, rules.paks.parts, &mut renamed);
    renamed
}

pub(super) fn renamed_in_zip(zip: &Zip, rules: &Rules) -> Renamed {
    let mut renamed = Renamed::new();
    let limit = rules.zips.longest_name;
    let longest = limit.map_or(usize::MAX, |limit| limit.most as usize);
    let then = limit.map_or(LongZipName::Dropped, |limit| limit.then);
    let mut ended = false;
    for row in 0..zip.len() {
        let name = zip.name(row);
        let is_long = name.len() > longest;
        ended |= is_long && then == LongZipName::EndsDirectory;
        if ended
            || (is_long && then != LongZipName::Cut)
            || rules.zips.dropped.iter().any(|form| zip.is_entry_of(row, *form))
        {
            renamed.insert(row, Box::default());
        } else if is_long {
            renamed.insert(row, name.get(..longest).unwrap_or_default().into());
        }
    }
    rename_parts(zip, rules.zips.parts, &mut renamed);
    renamed
}

fn rename_parts(files: &impl Files, parts: NameParts, renamed: &mut Renamed) {
    if parts == NameParts::AsStored {
        return;
    }
    for row in 0..files.len() {
        let name = renamed.get(&row).map_or_else(|| files.name(row), |name| &**name);
        if name.is_empty() || QPath::is_plain(name) {
            continue;
        }
        let is_open = matches!(name.last(), Some(b'/' | b'\\'));
        let clean = match parts {
            NameParts::Cleaned => cleaned(name),
            NameParts::CleanedButEnd => {
                let mut name = cleaned(name);
                if is_open && !name.is_empty() {
                    name.push(b'/');
                }
                name
            }
            NameParts::WithoutParents => without_parents(slashes(name)),
            _ => slashes(name),
        };
        if clean != name {
            renamed.insert(row, clean.into());
        }
    }
}

/// A name with single `/` between its parts and without `.` and `..` parts.
fn cleaned(name: &[u8]) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in name.split(|byte| matches!(byte, b'/' | b'\\')) {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join(&b'/')
}

fn slashes(name: &[u8]) -> Vec<u8> {
    name.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }).collect()
}

/// Removes each `..` together with the preceding text from its last `/`, and a `/` at the start.
fn without_parents(mut name: Vec<u8>) -> Vec<u8> {
    while let Some(dots) = name.windows(2).position(|pair| pair == b"..") {
        let before = name.get(..dots).unwrap_or_default();
        let from = before.iter().rposition(|byte| *byte == b'/').unwrap_or(dots);
        name.drain(from..dots + 2);
    }
    let start = name.iter().position(|byte| *byte != b'/').unwrap_or(name.len());
    name.split_off(start)
}
