//! Globs over names.

use pak_format::EntryName;
use pak_format::name::escape;

use crate::error::{Error, ErrorKind};
use crate::rules::Case;

/// A glob over the names of files: `maps/*.bsp`, `**/*.wav`.
///
/// `*` and `?` stop at `/`; `**` does not; `{a,b}` and `[a-z]` are as in a shell; a backslash stands for itself. A
/// pattern is compared with the bytes of the [`escape`](escape())d name: `?` matches one byte, of which `é` has two, and
/// `*\xE9*` finds a name with the byte E9 in it.
///
/// ```
/// use quakefs::{Case, EntryName, Pattern};
/// let levels = Pattern::new("maps/*.bsp", Case::Ignored)?;
/// assert!(levels.matches(EntryName::from_bytes(b"MAPS/START.BSP")));
/// assert!(!levels.matches(EntryName::from_bytes(b"maps/old/start.bsp")));
/// # Ok::<(), quakefs::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern(globset::GlobMatcher);

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
        let glob = globset::GlobBuilder::new(&as_spelled(pattern))
            .literal_separator(true)
            .backslash_escape(false)
            .case_insensitive(case == Case::Ignored)
            .build()
            .map_err(|error| ErrorKind::Pattern {
                pattern: pattern.to_owned(),
                reason: error.kind().to_string(),
            })?;
        Ok(Pattern(glob.compile_matcher()))
    }

    /// Whether a name matches.
    #[must_use]
    pub fn matches(&self, name: EntryName<'_>) -> bool {
        match name.as_printable() {
            Some(text) => self.0.is_match(text),
            None => self.0.is_match(escape(name.as_bytes()).as_ref()),
        }
    }
}
