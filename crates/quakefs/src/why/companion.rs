//! Whether a file is a companion of a level, and whether the engine loads it for that level.

use crate::pak_format::EntryNameBuf;
use crate::search_path::{CompanionBecause, CompanionCopy};
use crate::{File, SearchPath};
use std::fmt;

use pak_format::verify::DecodeBudget;

use crate::advice::{Advice, in_words};
use crate::sentences::{Help, Shell};

/// The level that a companion file belongs to, and whether the engine loads it: [`CompanionCopy::because`].
/// Returns `None` if the engine has no such companions or the level is missing.
pub(crate) fn companion_of<'s>(
    search_path: &'s SearchPath,
    name: &[u8],
) -> Option<(EntryNameBuf, CompanionCopy<'s>)> {
    let level = level_of(search_path, name)?;
    let companions = search_path.companions(&level);
    companions.level.as_ref()?;
    let of_name = |copy: &CompanionCopy<'_>| copy.name.as_bytes().eq_ignore_ascii_case(name);
    Some((level.as_bytes().into(), companions.copies.into_iter().find(of_name)?))
}

/// Each companion file that the engine ignores, with its level and sorted by level. The budget limits how
/// many levels are read from archives.
#[must_use]
pub fn skipped_companions<'a>(
    search_path: &'a SearchPath,
    budget: &mut DecodeBudget,
) -> Vec<(EntryNameBuf, CompanionCopy<'a>)> {
    if search_path.rules().companions.items().is_empty() {
        return Vec::new();
    }
    ignored_among(search_path, search_path.files(), budget)
}

/// Like [`skipped_companions`], of a search path's files.
pub(crate) fn ignored_among<'a>(
    search_path: &'a SearchPath,
    files: impl Iterator<Item = File<'a>>,
    budget: &mut DecodeBudget,
) -> Vec<(EntryNameBuf, CompanionCopy<'a>)> {
    let mut ignored = Vec::new();
    let mut levels: Vec<String> =
        files.filter_map(|file| level_of(search_path, file.name().as_bytes())).collect();
    levels.sort_unstable();
    levels.dedup();
    for level in levels {
        let served = search_path.find(&level);
        let affordable = |served: &File<'_>| served.entry().is_none() || budget.take(served.size());
        if !served.as_ref().is_some_and(affordable) {
            continue;
        }
        let is_of_level =
            |copy: &CompanionCopy<'_>| level_of(search_path, copy.name.as_bytes()).as_ref() == Some(&level);
        let copies = search_path.companions(&level).copies.into_iter();
        let copies = copies.filter(|copy| is_skipped(&copy.because) && is_of_level(copy));
        ignored.extend(copies.map(|copy| (level.as_bytes().into(), copy)));
    }
    ignored
}

/// Whether the engine ignores the copy although the level exists and is readable.
fn is_skipped(because: &CompanionBecause) -> bool {
    use CompanionBecause as Because;
    matches!(because, Because::BelowLevel { .. } | Because::OtherName { .. } | Because::OtherSize { .. })
}

/// The level that a file of this name belongs to.
fn level_of(search_path: &SearchPath, name: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(name).ok()?;
    let (path, extension) = name.rsplit_once('.')?;
    let ends_so = |pattern: &str| pattern.rsplit('.').next() == Some(extension);
    let mut patterns = search_path.rules().companions.items().iter().flat_map(|companion| &*companion.names);
    if !patterns.any(|pattern| ends_so(pattern)) {
        return None;
    }
    let level = path.rsplit('/').next()?.split('@').next()?;
    Some(format!("maps/{level}.bsp"))
}

impl fmt::Display for CompanionCopy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.setting {
            Some(setting) if self.because == CompanionBecause::Loaded => {
                write!(f, "loaded with {setting}, and not by default")
            }
            _ => self.because.fmt(f),
        }
    }
}

impl Help for CompanionCopy<'_> {
    fn advice(&self) -> Vec<Advice> {
        self.because.advice(&self.file.location()).into_iter().collect()
    }

    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        in_words(&self.advice(), Some(&self.file.location()), shell)
    }
}
