//! Lookup names of entries that differ from the stored names.

use pak_format::name::with_slashes;

use super::{Files, Pak, Zip};
use crate::rules::{LongZipName, NameParts, QPath, Rules, Unterminated};

/// The rows whose lookup name differs from the stored one, sorted. An empty name cannot be found.
pub(super) type Renamed = Vec<(u32, Box<[u8]>)>;

pub(super) fn renamed_in_pak(pak: &Pak, rules: &Rules) -> Renamed {
    let unterminated = rules.paks.unterminated;
    renamed(pak, rules.paks.parts, &mut |row| {
        if unterminated == Unterminated::Whole {
            return None;
        }
        let field = pak.name_field(row);
        if field.last().is_none_or(|last| *last == 0) || field.contains(&0) {
            return None;
        }
        Some(match unterminated {
            Unterminated::RunsOn => {
                let after = pak.after_name(row).split(|byte| *byte == 0).next();
                [field, after.unwrap_or_default()].concat()
            }
            _ => field.split_last().map(|(_, rest)| rest.to_vec()).unwrap_or_default(),
        })
    })
}

pub(super) fn renamed_in_zip(zip: &Zip, rules: &Rules) -> Renamed {
    let limit = rules.zips.longest_name;
    let longest = limit.map_or(usize::MAX, |limit| limit.most as usize);
    let then = limit.map_or(LongZipName::Dropped, |limit| limit.then);
    let mut ended = false;
    renamed(zip, rules.zips.parts, &mut |row| {
        let name = zip.name(row);
        let is_long = name.len() > longest;
        ended |= is_long && then == LongZipName::EndsDirectory;
        if ended
            || (is_long && then != LongZipName::Cut)
            || rules.zips.dropped.iter().any(|form| zip.is_entry_of(row, *form))
        {
            return Some(Vec::new());
        }
        is_long.then(|| name.get(..longest).unwrap_or_default().to_vec())
    })
}

/// The names after `rename` and in the form of `parts`.
fn renamed(files: &dyn Files, parts: NameParts, rename: &mut dyn FnMut(u32) -> Option<Vec<u8>>) -> Renamed {
    let rows = (0..files.len()).filter_map(|row| {
        let renamed = rename(row);
        let name = || renamed.as_deref().unwrap_or_else(|| files.name(row));
        let clean = if parts == NameParts::AsStored { None } else { in_parts(name(), parts) };
        Some((row, clean.or(renamed)?.into()))
    });
    rows.collect()
}

/// The name in the form of `parts`, if it has another one.
fn in_parts(name: &[u8], parts: NameParts) -> Option<Vec<u8>> {
    if name.is_empty() || QPath::is_plain(name) {
        return None;
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
        NameParts::WithoutParents => without_parents(with_slashes(name)),
        _ => with_slashes(name),
    };
    (clean != name).then_some(clean)
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
