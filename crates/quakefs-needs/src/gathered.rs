//! Collects the needs of a level, each once.

use std::collections::BTreeMap;

use quakefs::SearchPath;
use quakefs::pak_format::EntryNameBuf;

use crate::dialect::Dialect;
use crate::need::{By, Kind, Need, Presence, Trouble};

/// The needs of a level found so far.
pub(crate) struct Gathered<'n> {
    pub(crate) search_path: &'n SearchPath,
    pub(crate) dialect: &'static Dialect,
    /// The name of the level.
    pub(crate) level: &'n [u8],
    pub(crate) asked: BTreeMap<(Kind, Vec<u8>), Need>,
    pub(crate) troubles: Vec<Trouble>,
}

impl Gathered<'_> {
    /// The steps that lead to a need, with the level as the first step.
    pub(crate) fn by(&self, parts: impl IntoIterator<Item = By>) -> Vec<By> {
        std::iter::once(By::File(self.level.into())).chain(parts).collect()
    }

    /// Adds a need, or merges it with the same earlier one. It is required if either is.
    pub(crate) fn add(&mut self, need: Need) -> &mut Need {
        let key = (need.kind, need.name.as_name().as_bytes().to_vec());
        let required = need.presence == Presence::Required;
        let kept = self.asked.entry(key).or_insert(need);
        if required {
            kept.presence = Presence::Required;
        }
        kept
    }

    /// The level's name without its extension.
    pub(crate) fn stem(&self) -> &[u8] {
        self.level.strip_suffix(b".bsp").unwrap_or(self.level)
    }

    /// The last part of [`stem`](Self::stem).
    pub(crate) fn map(&self) -> &[u8] {
        self.stem().rsplit(|byte| *byte == b'/').next().unwrap_or_default()
    }

    /// Reads a file that the level needs, and records it if it cannot be read.
    pub(crate) fn read(&mut self, name: &[u8]) -> Option<quakefs::FileData> {
        let hit = self.search_path.find(name)?;
        hit.read().map_err(|error| self.unreadable(name, &error)).ok()
    }

    pub(crate) fn unreadable(&mut self, name: &[u8], reason: &impl ToString) {
        self.troubles.push(Trouble::Unreadable { name: name.into(), reason: reason.to_string() });
    }
}

/// A need that any of these names satisfies; `None` without names.
pub(crate) fn any_of(names: Vec<EntryNameBuf>, kind: Kind, by: Vec<By>) -> Option<Need> {
    let mut names = names.into_iter();
    let mut need = Need::new(names.next()?.as_bytes(), kind, by);
    need.others = names.collect();
    Some(need)
}
