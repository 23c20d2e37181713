//! Globs over names.

use pak_format::EntryName;
use pak_format::name::{escape, unescape};

use crate::error::{Error, ErrorKind};
use crate::glob::Glob;
use crate::rules::Case;

/// A glob over the names of files: `maps/*.bsp`, `**/*.wav`.
///
/// `*` and `?` stop at `/`; `**` does not. `{a,b}` and `[a-z]` work as in a shell. A backslash is an ordinary
/// character. The pattern is matched against the bytes of the [`escape`](escape())d name: `?` matches one of
/// the two bytes of `é`, and `*\xE9*` finds names with the byte E9.
///
/// ```
/// use quakefs::{EntryName, Pattern};
/// use quakefs::rules::Case;
/// let levels = Pattern::new("maps/*.bsp", Case::Ignored)?;
/// assert!(levels.matches(EntryName::from_bytes(b"MAPS/START.BSP")));
/// assert!(!levels.matches(EntryName::from_bytes(b"maps/old/start.bsp")));
/// # Ok::<(), quakefs::Error>(())
/// ```
///
/// A pattern can also name a folder: `maps` and `maps/` match all files in that folder and below. If a name
/// equals the pattern literally, [`select`](Self::select) returns only that name.
#[derive(Clone, Debug)]
pub struct Pattern {
    glob: Glob,
    /// The literal name, if no character of the pattern is special.
    spelled: Vec<u8>,
    case: Case,
}

/// The longest pattern in bytes: longer than the escaped form of any name in a PACK archive. The glob needs
/// some bytes of memory for each.
const LONGEST: usize = 1024;

/// The deepest nesting of braces. The glob's parser recurses once for each level.
const DEEPEST: usize = 16;

/// The reason to refuse a pattern before it is compiled.
fn refused(pattern: &str) -> Option<String> {
    if pattern.len() > LONGEST {
        return Some(format!("it has {} bytes; the limit is {LONGEST}", pattern.len()));
    }
    let (mut open, mut deepest) = (0_usize, 0);
    for byte in pattern.bytes() {
        match byte {
            b'{' => open += 1,
            b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    (deepest > DEEPEST).then(|| format!("{deepest} braces are open at once; the limit is {DEEPEST}"))
}

/// The pattern with `\xe9` in capitals, `\xE9`, like escaped names.
fn as_spelled(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(at) = rest.find("\\x") {
        let (before, escape) = rest.split_at(at + 2);
        out.push_str(before);
        let digits = escape.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        out.push_str(&digits.unwrap_or_default().to_ascii_uppercase());
        rest = escape.get(digits.map_or(0, str::len)..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// [`ErrorKind::Pattern`].
    pub fn new(pattern: &str, case: Case) -> Result<Pattern, Error> {
        let fail = |reason| {
            // the start of a long pattern is enough in a message
            let pattern = pattern.chars().take(80).collect();
            Error::from(ErrorKind::Pattern { pattern, reason })
        };
        if let Some(reason) = refused(pattern) {
            return Err(fail(reason));
        }
        let glob = Glob::new(&as_spelled(pattern), case).map_err(fail)?;
        Ok(Pattern { glob, spelled: unescape(pattern).into_owned(), case })
    }

    /// Whether a name matches, or is inside a folder with the pattern's literal name.
    #[must_use]
    pub fn matches(&self, name: EntryName<'_>) -> bool {
        if self.is_above(name.as_bytes()) {
            return true;
        }
        match name.as_printable() {
            Some(text) => self.glob.is_match(text.as_bytes()),
            None => self.glob.is_match(escape(name.as_bytes()).as_bytes()),
        }
    }

    /// The items that at least one of the patterns selects, in their order, each once. If a name equals a
    /// pattern literally, the pattern selects only items of that name: `a[1].txt` selects `a[1].txt`, and
    /// `a1.txt` only if the former is missing.
    ///
    /// ```
    /// use quakefs::{EntryName, Pattern};
    /// use quakefs::rules::Case;
    /// let patterns = [Pattern::new("maps", Case::Exact)?, Pattern::new("a[1].rc", Case::Exact)?];
    /// let names = ["maps/e1m1.bsp", "a[1].rc", "a1.rc"];
    /// let selected = Pattern::select(&patterns, names, |name| EntryName::from(*name));
    /// assert_eq!(selected.items, ["maps/e1m1.bsp", "a[1].rc"]);
    /// # Ok::<(), quakefs::Error>(())
    /// ```
    pub fn select<'p, T>(
        patterns: impl IntoIterator<Item = &'p Pattern>,
        items: impl IntoIterator<Item = T>,
        name: impl for<'t> Fn(&'t T) -> EntryName<'t>,
    ) -> Selected<T> {
        let patterns: Vec<&Pattern> = patterns.into_iter().collect();
        let items: Vec<T> = items.into_iter().collect();
        let is_spelled = |pattern: &&Pattern| items.iter().any(|item| pattern.spells(name(item)));
        let spelled: Vec<bool> = patterns.iter().map(is_spelled).collect();
        let mut matched = vec![false; patterns.len()];
        let mut is_selected = |item: &T| {
            let mut any = false;
            for ((pattern, spelled), matched) in patterns.iter().zip(&spelled).zip(&mut matched) {
                let found = if *spelled { pattern.spells(name(item)) } else { pattern.matches(name(item)) };
                *matched |= found;
                any |= found;
            }
            any
        };
        let items = items.into_iter().filter(|item| is_selected(item)).collect();
        let idle = matched.iter().enumerate().filter(|(_, matched)| !**matched);
        Selected { items, idle: idle.map(|(index, _)| index).collect() }
    }

    /// Whether a name is inside a folder with the pattern's literal name.
    fn is_above(&self, name: &[u8]) -> bool {
        let folder = self.spelled.strip_suffix(b"/").unwrap_or(&self.spelled);
        let Some((start, [b'/', _, ..])) = name.split_at_checked(folder.len()) else { return false };
        !folder.is_empty()
            && match self.case {
                Case::Exact => start == folder,
                Case::Ignored => start.eq_ignore_ascii_case(folder),
            }
    }

    fn spells(&self, name: EntryName<'_>) -> bool {
        match self.case {
            Case::Exact => name.as_bytes() == self.spelled,
            Case::Ignored => name.as_bytes().eq_ignore_ascii_case(&self.spelled),
        }
    }
}

/// The selection by several patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Selected<T> {
    /// The selected items, in their order.
    pub items: Vec<T>,
    /// The numbers of the patterns that select nothing, counted from 0.
    pub idle: Vec<usize>,
}
