//! Reads and compares names many bytes at a time.
//!
//! Names have 10 to 55 bytes. Reading them in chunks of 16 or 8 bytes, the last of which overlaps the
//! previous one, takes half the time of the standard library's functions.

/// The bit of each byte that turns an upper-case ASCII letter into lower case.
pub(crate) const SMALL: u64 = 0x2020_2020_2020_2020;

const EACH: u64 = 0x0101_0101_0101_0101;
const TOP: u64 = 0x8080_8080_8080_8080;

/// Not 0 if one of the eight bytes is NUL; the lowest set bit is in the first NUL.
#[inline]
pub(crate) const fn nuls(word: u64) -> u64 {
    word.wrapping_sub(EACH) & !word & TOP
}

/// The index of the first NUL.
#[inline]
pub(crate) fn find_nul(bytes: &[u8]) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    let nul_in = |word: &[u8; 8]| {
        let nuls = nuls(u64::from_le_bytes(*word));
        (nuls != 0).then(|| nuls.trailing_zeros() as usize / 8)
    };
    let in_words = words.iter().enumerate().find_map(|(index, word)| Some(8 * index + nul_in(word)?));
    in_words.or_else(|| Some(8 * words.len() + rest.iter().position(|&byte| byte == 0)?))
}

/// Whether `test` holds for all chunks of `N` bytes. The last chunk overlaps the previous one. Returns `None`
/// if there are fewer bytes.
#[inline]
pub(crate) fn all<const N: usize>(bytes: &[u8], test: impl Fn(&[u8; N]) -> bool) -> Option<bool> {
    let last = bytes.last_chunk()?;
    let (chunks, _) = bytes.as_chunks();
    Some(chunks.iter().all(&test) && test(last))
}

/// Whether `test` holds for all chunks of `N` bytes of two names with equal length. The last chunk overlaps
/// the previous one. Returns `None` if there are fewer bytes.
#[inline]
pub(crate) fn all_pairs<const N: usize>(
    left: &[u8],
    right: &[u8],
    test: impl Fn(&[u8; N], &[u8; N]) -> bool,
) -> Option<bool> {
    let (last_left, last_right) = (left.last_chunk()?, right.last_chunk()?);
    let (lefts, _) = left.as_chunks();
    let (rights, _) = right.as_chunks();
    Some(lefts.iter().zip(rights).all(|(left, right)| test(left, right)) && test(last_left, last_right))
}

/// Whether two words of eight bytes are equal except for ASCII case.
#[inline]
pub(crate) const fn eq_ignoring_case(left: [u8; 8], right: [u8; 8]) -> bool {
    let (left, right) = (u64::from_le_bytes(left), u64::from_le_bytes(right));
    let differing = left ^ right;
    if differing == 0 {
        return true;
    }
    // the top bit of each byte tells whether it is a letter: at least `a`, at most `z`, ASCII
    let small = (left | SMALL) & (0x7f * EACH);
    let letters = (small + (0x80 - 0x61) * EACH) & !(small + (0x7f - 0x7a) * EACH) & !left;
    differing & !SMALL == 0 && (differing << 2) & !letters == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_is_that_of_ascii_letters() {
        for a in 0..=255_u8 {
            for b in 0..=255_u8 {
                for other in [0, b'A', b'z', 0x7f, 0x80, 0xff] {
                    let [mut left, mut right] = [[other; 8]; 2];
                    (left[3], right[3]) = (a, b);
                    let expected = left.eq_ignore_ascii_case(&right);
                    assert_eq!(eq_ignoring_case(left, right), expected, "{left:?} {right:?}");
                }
            }
        }
    }

    #[test]
    fn the_first_nul_is_found_in_bytes_of_any_length() {
        for length in 0..40 {
            let mut bytes = vec![1; length];
            assert_eq!(find_nul(&bytes), None);
            for place in (0..length).rev() {
                bytes[place] = 0;
                assert_eq!(find_nul(&bytes), Some(place), "{length}");
            }
        }
    }

    #[test]
    fn every_byte_is_tested() {
        for length in 0..40 {
            for place in 0..length {
                let mut bytes = vec![0; length];
                bytes[place] = 1;
                let is_zero = |bytes: &[u8; 8]| *bytes == [0; 8];
                let expected = (length >= 8).then_some(false);
                assert_eq!(all(&bytes, is_zero), expected, "{length} {place}");
                assert_eq!(all_pairs(&bytes, &vec![0; length], |a: &[u8; 8], b| a == b), expected);
            }
        }
    }
}
