//! Globs over names.

use pak_format::EntryName;
use pak_format::name::{escape, unescape};

use crate::error::{Error, ErrorKind};
use crate::rules::{Case, Rules};

/// A glob over the names of files: `maps/*.bsp`, `**/*.wav`.
///
/// `*` and `?` stop at `/`; `**` does not. `{a,b}` and `[a-z]` work as in a shell. A backslash is an ordinary character.
/// The pattern is matched against the bytes of the [`escape`](escape())d name: `?` matches one of the two bytes of `é`, and
/// `*\xE9*` finds names with the byte E9.
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
/// A pattern can also name a folder: `maps` and `maps/` match all files in that folder and below. If a name equals the
/// pattern literally, [`select`](Self::select) returns only that name.
#[derive(Clone, Debug)]
pub struct Pattern {
    glob: globset::GlobMatcher,
    /// The literal name, if no character of the pattern is special.
    spelled: Vec<u8>,
    case: Case,
}

/// The most bytes of a pattern: more than any name that an archive of the PACK family holds, in its escaped form. The
/// glob's automaton takes a multiple of them.
const LONGEST: usize = 1024;

/// The most braces in one another. The compiler of the glob calls itself for each.
const DEEPEST: usize = 16;

/// Why a pattern is not compiled.
fn refused(pattern: &str) -> Option<String> {
    if pattern.len() > LONGEST {
        return Some(format!("it has {} bytes, and {LONGEST} is the most", pattern.len()));
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
    (deepest > DEEPEST).then(|| format!("{deepest} braces are open at once, and {DEEPEST} is the most"))
}

/// The pattern with `\xe9` in capitals, `\xE9`, as escaped names are.
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
            // a long pattern is known by its start
            let pattern = pattern.chars().take(80).collect();
            Error::from(ErrorKind::Pattern { pattern, reason })
        };
        if let Some(reason) = refused(pattern) {
            return Err(fail(reason));
        }
        let glob = globset::GlobBuilder::new(&as_spelled(pattern))
            .literal_separator(true)
            .backslash_escape(false)
            .case_insensitive(case == Case::Ignored)
            .build()
            .map_err(|error| fail(error.kind().to_string()))?;
        Ok(Pattern { glob: glob.compile_matcher(), spelled: unescape(pattern).into_owned(), case })
    }

    /// Reads a pattern for the names of a search path. It ignores case if the engine or the disk does.
    ///
    /// # Errors
    /// [`ErrorKind::Pattern`].
    pub fn for_rules(pattern: &str, rules: &Rules) -> Result<Pattern, Error> {
        let case = if rules.loose.case.is_ignored() { Case::Ignored } else { rules.archives.case };
        Pattern::new(pattern, case)
    }

    /// Whether a name matches, or is inside a folder with the pattern's literal name.
    #[must_use]
    pub fn matches(&self, name: EntryName<'_>) -> bool {
        if self.is_above(name.as_bytes()) {
            return true;
        }
        match name.as_printable() {
            Some(text) => self.glob.is_match(text),
            None => self.glob.is_match(escape(name.as_bytes()).as_ref()),
        }
    }

    /// The items whose names match. If a name equals the pattern literally, only items of that name are selected:
    /// `a[1].txt` selects `a[1].txt`, and `a1.txt` only if the former is missing.
    pub fn select<T>(
        &self,
        items: impl IntoIterator<Item = T>,
        name: impl for<'t> Fn(&'t T) -> EntryName<'t>,
    ) -> Vec<T> {
        Pattern::select_any(std::slice::from_ref(self), items, name).items
    }

    /// The items whose names one of several patterns selects, in their order, each once.
    ///
    /// ```
    /// use quakefs::{EntryName, Pattern};
    /// use quakefs::rules::Case;
    /// let patterns = [Pattern::new("maps", Case::Exact)?, Pattern::new("*.rc", Case::Exact)?];
    /// let names = ["maps/e1m1.bsp", "quake.rc", "progs.dat"];
    /// let selected = Pattern::select_any(&patterns, names, |name| EntryName::from(*name));
    /// assert_eq!(selected.items, ["maps/e1m1.bsp", "quake.rc"]);
    /// # Ok::<(), quakefs::Error>(())
    /// ```
    pub fn select_any<T>(
        patterns: &[Pattern],
        items: impl IntoIterator<Item = T>,
        name: impl for<'t> Fn(&'t T) -> EntryName<'t>,
    ) -> Selected<T> {
        let items: Vec<T> = items.into_iter().collect();
        let is_spelled = |pattern: &Pattern| items.iter().any(|item| pattern.spells(name(item)));
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

/// What several patterns select.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Selected<T> {
    /// The items, in the order that they had.
    pub items: Vec<T>,
    /// Which of the patterns, counted from 0, select nothing.
    pub idle: Vec<usize>,
}
