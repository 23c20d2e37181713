//! Collects the needs of a level, each once.

use std::collections::HashMap;
use std::sync::Arc;

use quakefs::pak_format::EntryNameBuf;
use quakefs::{Rules, SearchPath};

use crate::budget::{Budget, Spent};
use crate::configs::Cvars;
use crate::contents::{Contents, NameKind};
use crate::need::{By, Kind, Need, Presence, Trouble};

/// The needs of a level found so far.
pub(crate) struct Gathered<'n> {
    pub(crate) search_path: &'n SearchPath,
    /// Whether the files are examined.
    pub(crate) examines: bool,
    pub(crate) contents: &'n Contents,
    pub(crate) cvars: &'n Cvars,
    pub(crate) budget: &'n Budget,
    /// The name of the level.
    pub(crate) level: &'n [u8],
    /// The same name, shared by all needs.
    pub(crate) file: By,
    pub(crate) needed: Vec<Need>,
    /// Their places.
    pub(crate) places: HashMap<(Kind, EntryNameBuf), usize>,
    pub(crate) troubles: Vec<Trouble>,
}

impl Gathered<'_> {
    pub(crate) fn rules(&self) -> &Rules {
        self.search_path.rules()
    }

    /// The steps that lead to a need, with the level as the first step.
    pub(crate) fn by(&self, parts: impl IntoIterator<Item = By>) -> Vec<By> {
        std::iter::once(self.file.clone()).chain(parts).collect()
    }

    /// Adds a need, or merges it with the same earlier one. It is required if either is.
    pub(crate) fn add(&mut self, need: Need) {
        let key = (need.kind, need.name.clone());
        if let Some(kept) = self.asked_of(&key) {
            if need.presence == Presence::Required {
                kept.presence = Presence::Required;
            }
        } else if self.can_keep(need.size()) {
            self.places.insert(key, self.needed.len());
            self.needed.push(need);
        }
    }

    /// An earlier need.
    pub(crate) fn asked(&mut self, kind: Kind, name: &[u8]) -> Option<&mut Need> {
        self.asked_of(&(kind, name.into()))
    }

    fn asked_of(&mut self, key: &(Kind, EntryNameBuf)) -> Option<&mut Need> {
        self.needed.get_mut(*self.places.get(key)?)
    }

    /// Makes an earlier need required.
    pub(crate) fn require(&mut self, kind: Kind, name: &EntryNameBuf) {
        if let Some(need) = self.asked(kind, name.as_bytes()) {
            need.presence = Presence::Required;
        }
    }

    /// Pays for bytes that are kept; false if the work has ended.
    pub(crate) fn can_keep(&mut self, bytes: usize) -> bool {
        !self.is_ended() && self.goes_on(self.budget.keep(bytes))
    }

    /// Pays for steps; false if the work has ended.
    pub(crate) fn can_work(&mut self, steps: usize) -> bool {
        !self.is_ended() && self.goes_on(self.budget.work(steps as u64))
    }

    /// Whether the budget is used up, or the caller stopped the work. Nothing more is read or added then.
    pub(crate) fn is_ended(&self) -> bool {
        matches!(self.troubles.last(), Some(Trouble::Budget | Trouble::Stopped))
    }

    fn goes_on(&mut self, result: Result<(), Spent>) -> bool {
        result.map_err(|spent| self.troubles.push(spent.into())).is_ok()
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
        let file = self.search_path.find(name).filter(|_| !self.is_ended())?;
        let bytes = file.read().map_err(|error| self.unreadable(name, &error)).ok()?;
        self.can_work(bytes.len() / 16).then_some(bytes)
    }

    /// The names in a file, and records it if it cannot be read. Every file is read once for all levels.
    pub(crate) fn names_in(&mut self, name: &[u8], content: NameKind) -> Option<Arc<Vec<Vec<u8>>>> {
        let file = self.search_path.find(name).filter(|_| !self.is_ended())?;
        let names = self.contents.names(&file, content, self.budget);
        names.map_err(|trouble| self.troubles.push(trouble)).ok()
    }

    pub(crate) fn unreadable(&mut self, name: &[u8], reason: &impl ToString) {
        if !self.is_ended() {
            self.troubles.push(Trouble::Unreadable { name: name.into(), reason: reason.to_string() });
        }
    }
}

/// A need that any of these names satisfies; `None` without names.
pub(crate) fn any_of(names: Vec<EntryNameBuf>, kind: Kind, by: Vec<By>) -> Option<Need> {
    let mut names = names.into_iter();
    let mut need = Need::new(names.next()?.as_bytes(), kind, by);
    need.others = names.collect();
    Some(need)
}
