//! Names of entries: what they compare as, and comparing them byte for byte or without ASCII case, eight bytes at a
//! time.

use std::collections::HashMap;

use super::Archive;
use crate::rules::Case;
use crate::rules::LongZipName;
use crate::rules::{NameParts, QPath, Rules, Unterminated};

/// The rows that an engine finds by another name than the stored one; by none where the name is empty.
pub(super) fn renamed(archive: &Archive, rules: &Rules) -> HashMap<u32, Box<[u8]>> {
    let mut renamed: HashMap<u32, Box<[u8]>> = HashMap::new();
    let unterminated = rules.paks.unterminated;
    if let Some(pak) = archive.as_pak().filter(|_| unterminated != Unterminated::Whole) {
        for row in 0..archive.rows() {
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
    if let Some(zip) = archive.as_zip() {
        let limit = rules.zips.longest_name;
        let longest = limit.map_or(usize::MAX, |limit| limit.most as usize);
        let then = limit.map_or(LongZipName::Dropped, |limit| limit.then);
        let mut ended = false;
        for row in 0..archive.rows() {
            let name = archive.name(row);
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
    }
    let parts = match archive.as_pak() {
        Some(_) => rules.paks.parts,
        None => rules.zips.parts,
    };
    if parts != NameParts::AsStored {
        for row in 0..archive.rows() {
            let name = renamed.get(&row).map_or_else(|| archive.name(row), |name| &**name);
            if name.is_empty() || QPath::is_plain(name) {
                continue;
            }
            let clean = match parts {
                NameParts::Cleaned => cleaned(name),
                _ => name.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }).collect(),
            };
            if clean != name {
                renamed.insert(row, clean.into());
            }
        }
    }
    renamed
}

/// A name with `/` between its parts and no unusual part.
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

/// The bit of each byte that makes a small letter of a large one.
pub(crate) const SMALL: u64 = 0x2020_2020_2020_2020;

/// Whether a name field holds exactly this name: as many bytes, then a NUL or the end of the field. What follows
/// a NUL is no part of the name, even for a request that has the same NUL.
#[inline]
pub(crate) fn holds_name(field: &[u8], name: &[u8], case: Case) -> bool {
    let Some((start, rest)) = field.split_at_checked(name.len()) else { return false };
    if rest.first().is_some_and(|&byte| byte != 0) {
        return false;
    }
    // sixteen or eight bytes at a time, the last of them overlapping those before: half the time of two library calls
    if case == Case::Exact
        && let (Some(start_end), Some(name_end)) = (start.last_chunk::<16>(), name.last_chunk::<16>())
    {
        let sixteen = |start: &[u8; 16], name: &[u8; 16]| {
            // a loop of no branches becomes vector instructions
            let mut has_nul = false;
            for &byte in name {
                has_nul |= byte == 0;
            }
            start == name && !has_nul
        };
        let (starts, _) = start.as_chunks::<16>();
        let (names, _) = name.as_chunks::<16>();
        return starts.iter().zip(names).all(|(start, name)| sixteen(start, name))
            && sixteen(start_end, name_end);
    }
    let (Some(start_end), Some(name_end)) = (start.last_chunk::<8>(), name.last_chunk::<8>()) else {
        return start.iter().zip(name).all(|(&a, &b)| b != 0 && (a == b || folds_to(case, a, b)));
    };
    let eight = |start: &[u8; 8], name: &[u8; 8]| {
        let word = u64::from_le_bytes(*name);
        let has_nul = word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080 != 0;
        let equal = match case {
            Case::Exact => start == name,
            Case::Ignored => differ_in_case_alone(*start, *name),
        };
        equal && !has_nul
    };
    let (starts, _) = start.as_chunks::<8>();
    let (names, _) = name.as_chunks::<8>();
    starts.iter().zip(names).all(|(start, name)| eight(start, name)) && eight(start_end, name_end)
}

fn folds_to(case: Case, a: u8, b: u8) -> bool {
    case == Case::Ignored && a.eq_ignore_ascii_case(&b)
}

/// Whether two times eight bytes differ in the case of letters, or in nothing.
#[inline]
fn differ_in_case_alone(a: [u8; 8], b: [u8; 8]) -> bool {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let (a, b) = (u64::from_le_bytes(a), u64::from_le_bytes(b));
    let differing = a ^ b;
    if differing == 0 {
        return true;
    }
    // the top bit of each byte says whether it is a letter: at least `a`, not above `z`, ASCII
    let small = (a | SMALL) & (0x7f * EACH);
    let letters = (small + (0x80 - 0x61) * EACH) & !(small + (0x7f - 0x7a) * EACH) & !a;
    differing & !SMALL == 0 && (differing << 2) & !letters == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_holds_a_name_of_its_length_without_a_nul() {
        for length in 1..=40 {
            let name = vec![b'x'; length];
            let mut field = name.clone();
            field.resize(56, 0);
            for case in [Case::Exact, Case::Ignored] {
                assert!(holds_name(&field, &name, case), "{length}");
                assert!(!holds_name(&field, &name[..length - 1], case), "{length}");
                assert!(!holds_name(&field, &field[..=length], case), "{length}");
                for place in 0..length {
                    let mut other = name.clone();
                    other[place] = b'y';
                    assert!(!holds_name(&field, &other, case), "{length} {place}");
                    let mut with_nul = field.clone();
                    with_nul[place] = 0;
                    assert!(!holds_name(&with_nul, &with_nul[..length], case), "{length} {place}");
                }
            }
        }
    }

    #[test]
    fn case_is_that_of_ascii_letters() {
        for a in 0..=255_u8 {
            for b in 0..=255_u8 {
                for other in [0, b'A', b'z', 0x7f, 0x80, 0xff] {
                    let [mut left, mut right] = [[other; 8]; 2];
                    (left[3], right[3]) = (a, b);
                    let expected = left.eq_ignore_ascii_case(&right);
                    assert_eq!(differ_in_case_alone(left, right), expected, "{left:?} {right:?}");
                }
            }
        }
    }
}
