//! All files that levels need, for a release.

use std::collections::{BTreeMap, HashSet};

use quakefs::pak_format::EntryNameBuf;
use quakefs::{File, Layer};

use crate::levels::Levels;
use crate::need::{Kind, Need, Needs};

/// All files that some levels need.
#[derive(Debug)]
#[non_exhaustive]
pub struct Closure<'s> {
    /// The named levels, and with `exits` the levels that they lead to.
    pub levels: Vec<(EntryNameBuf, Needs)>,
    /// The files to ship, by name. Each is the winning copy.
    pub files: BTreeMap<EntryNameBuf, File<'s>>,
    /// The number of needed files that players already have.
    pub players_have: usize,
}

impl Closure<'_> {
    /// The missing files, each once.
    #[must_use]
    pub fn missing(&self) -> Vec<&Need> {
        let mut seen = HashSet::new();
        let missing = self.levels.iter().flat_map(|(_, needs)| needs.missing());
        missing.filter(|need| seen.insert(&need.name)).collect()
    }
}

impl Levels {
    /// Collects all files that some levels need, except files in layers that players have. With `exits`, this
    /// includes the levels that these lead to and players do not have.
    #[must_use]
    pub fn closure(
        &self,
        levels: &[impl AsRef<[u8]>],
        exits: bool,
        players_have: impl Fn(&Layer) -> bool,
    ) -> Closure<'_> {
        let mut closure = Closure { levels: Vec::new(), files: BTreeMap::new(), players_have: 0 };
        let mut had = HashSet::new();
        let mut next: Vec<EntryNameBuf> = levels.iter().map(|name| name.as_ref().into()).collect();
        let mut seen: HashSet<EntryNameBuf> = next.iter().cloned().collect();
        let program = self.executable();
        while !next.is_empty() {
            let found: Vec<_> = next.iter().cloned().zip(self.with(program.as_ref(), &next)).collect();
            next.clear();
            for (name, needs) in &found {
                let program = self.program().and_then(|program| self.search_path.find(program));
                let own = self.search_path.find(name).into_iter().chain(program);
                let asked = needs.needed.iter().filter(|need| need.kind != Kind::Level);
                let asked = asked.filter_map(|need| need.find(&self.search_path));
                for file in own.chain(asked) {
                    let name: EntryNameBuf = file.name().into();
                    if players_have(file.layer()) {
                        had.insert(name);
                    } else {
                        closure.files.insert(name, file);
                    }
                }
                let leads =
                    needs.needed.iter().filter(|need| exits && need.kind == Kind::Level && need.is_found);
                for level in leads {
                    let is_new =
                        level.find(&self.search_path).is_some_and(|file| !players_have(file.layer()));
                    if is_new && seen.insert(level.name.clone()) {
                        next.push(level.name.clone());
                    }
                }
            }
            closure.levels.extend(found);
        }
        closure.players_have = had.len();
        closure
    }
}
