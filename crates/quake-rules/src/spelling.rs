//! Measures how similar two names are, for suggestions. Without the feature `spelling`, no two names are.

/// The number of edits between two names, ignoring case: insertions, deletions, replacements and swaps.
/// Returns `None` if the names are too different for a typing error.
#[must_use]
pub fn distance(wanted: &[u8], other: &[u8]) -> Option<usize> {
    Comparisons(1).distance(wanted, other)
}

/// Compares one name with many, and letter by letter with 256 of them at most.
#[derive(Clone, Copy, Debug)]
pub struct Comparisons(u32);

impl Default for Comparisons {
    fn default() -> Self {
        Comparisons(256)
    }
}

impl Comparisons {
    /// The [`distance`]; `None` also if there were too many names.
    pub fn distance(&mut self, wanted: &[u8], other: &[u8]) -> Option<usize> {
        let (wanted, other, most) = rest(wanted, other)?;
        self.0 = self.0.checked_sub(1)?;
        Some(edits(wanted, other)).filter(|edits| *edits <= most)
    }
}

#[cfg(feature = "spelling")]
fn edits(wanted: &[u8], other: &[u8]) -> usize {
    let folded = |name: &[u8]| String::from_utf8_lossy(name).to_ascii_lowercase();
    strsim::osa_distance(&folded(wanted), &folded(other))
}

#[cfg(not(feature = "spelling"))]
fn edits(_wanted: &[u8], _other: &[u8]) -> usize {
    usize::MAX
}

/// The rest of two names without their common ends, and the most edits between them, unless more are needed.
fn rest<'a>(wanted: &'a [u8], other: &'a [u8]) -> Option<(&'a [u8], &'a [u8], usize)> {
    let most = match wanted.len() {
        0..3 => return None,
        3..7 => 1,
        7..20 => 2,
        _ => 3,
    };
    if wanted.len().abs_diff(other.len()) > most {
        return None;
    }
    // the ends already show that most names of a large archive are too different
    let alike = |(a, b): &(&u8, &u8)| a.eq_ignore_ascii_case(b);
    let start = wanted.iter().zip(other).take_while(alike).count();
    let (wanted, other) = (wanted.get(start..)?, other.get(start..)?);
    let end = wanted.iter().rev().zip(other.iter().rev()).take_while(alike).count();
    let (wanted, other) = (wanted.get(..wanted.len() - end)?, other.get(..other.len() - end)?);
    // a letter beyond ASCII is several bytes
    let has_letters = !wanted.is_ascii() || only_letters(wanted, other) <= most;
    (wanted.len() <= MIDDLE && has_letters).then_some((wanted, other, most))
}

/// The longest differing part that is compared, because typing errors are close together.
const MIDDLE: usize = 12;

/// How many letters one text has and the other lacks: no more than the edits between them.
fn only_letters(one: &[u8], other: &[u8]) -> usize {
    let mut counts = [0_i32; 256];
    for (text, by) in [(one, 1), (other, -1)] {
        for byte in text {
            counts.get_mut(usize::from(byte.to_ascii_lowercase())).into_iter().for_each(|count| *count += by);
        }
    }
    counts.iter().filter(|count| **count > 0).map(|count| count.unsigned_abs() as usize).sum()
}

/// The name with the smallest distance to `wanted`. Of several, the first in byte order.
#[must_use]
pub fn nearest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let far = |name: &str| distance(wanted.as_bytes(), name.as_bytes());
    names.filter_map(|name| Some((far(name)?, name))).min().map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_one_or_two_letters_typed_wrong_are_near() {
        let far = |wanted: &str, other: &str| distance(wanted.as_bytes(), other.as_bytes());
        assert_eq!(far("maps/start.bsp", "maps/start.bsp"), Some(0));
        assert_eq!(far("maps/strat.bsp", "maps/start.bsp"), Some(1));
        assert_eq!(far("map/start.bsp", "MAPS/START.BSP"), Some(1));
        assert_eq!(far("maps/satrt.bps", "maps/start.bsp"), Some(2));
        assert_eq!(far("adx", "ad"), Some(1));
        assert_eq!(far("id1", "qw"), None);
        assert_eq!(far("maps/e1m1.bsp", "progs/player.mdl"), None);
        assert_eq!(far("a", "b"), None);
        assert_eq!(far("maps/\u{e9}t\u{e9}.bsp", "maps/ete.bsp"), Some(2));
    }

    #[test]
    fn one_name_is_compared_letter_by_letter_with_some_names_only() {
        let mut compared = Comparisons::default();
        let other = b"progs/aaaaaaabcdaaaa.mdl";
        // too different without a comparison
        assert!((0..1000).all(|_| compared.distance(b"progs/aaaaaaaxyzwaaaa.mdl", other).is_none()));
        let alike =
            |compared: &mut Comparisons| compared.distance(b"progs/aaaaaaadcbaaaa.mdl", other).is_some();
        assert_eq!((0..1000).filter(|_| alike(&mut compared)).count(), 256);
    }

    #[test]
    fn the_nearest_name_is_the_first_of_equals() {
        assert_eq!(nearest("mymodd", ["id1", "mymods", "mymod", "mymode"].into_iter()), Some("mymod"));
        assert_eq!(nearest("mymodd", ["id1"].into_iter()), None);
    }
}
