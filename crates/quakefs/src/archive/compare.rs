//! Compares names of entries exactly or without regard to ASCII case.

use pak_format::wide;

use crate::rules::Case;

/// Whether a name field contains exactly this name, followed by a NUL or the end of the field. Bytes after a NUL never match, even
/// if the request contains the same NUL.
#[inline]
pub(crate) fn holds_name(field: &[u8], name: &[u8], case: Case) -> bool {
    let Some((start, rest)) = field.split_at_checked(name.len()) else { return false };
    if rest.first().is_some_and(|&byte| byte != 0) {
        return false;
    }
    if case == Case::Exact {
        let sixteen = |start: &[u8; 16], name: &[u8; 16]| {
            // without branches the loop compiles to vector instructions
            let mut has_nul = false;
            for &byte in name {
                has_nul |= byte == 0;
            }
            start == name && !has_nul
        };
        if let Some(equal) = wide::all_pairs(start, name, sixteen) {
            return equal;
        }
    }
    let eight = |start: &[u8; 8], name: &[u8; 8]| {
        let equal = match case {
            Case::Exact => start == name,
            Case::Ignored => wide::eq_ignoring_case(*start, *name),
        };
        equal && wide::nuls(u64::from_le_bytes(*name)) == 0
    };
    let one_by_one = || start.iter().zip(name).all(|(&a, &b)| b != 0 && (a == b || folds_to(case, a, b)));
    wide::all_pairs(start, name, eight).unwrap_or_else(one_by_one)
}

fn folds_to(case: Case, a: u8, b: u8) -> bool {
    case == Case::Ignored && a.eq_ignore_ascii_case(&b)
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
}
