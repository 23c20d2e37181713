//! Globs over names.

use pak_format::EntryName;
use pak_format::name::spell;

use crate::error::{Error, ErrorKind};
use crate::rules::Case;

/// A glob over the names of files: `maps/*.bsp`, `**/*.wav`.
///
/// `*` and `?` stop at `/`; `**` does not; `{a,b}` and `[a-z]` are as in a shell; a backslash is itself. A name is
/// matched as it is [`spell`]ed, so `*\\xE9*` finds a name with that byte.
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

impl Pattern {
    /// Reads a pattern. Fails with [`ErrorKind::Pattern`].
    pub fn new(pattern: &str, case: Case) -> Result<Pattern, Error> {
        let glob = globset::GlobBuilder::new(pattern)
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
            None => self.0.is_match(spell(name.as_bytes()).as_ref()),
        }
    }
}
