//! The files that the engine loads in the place of what a level or a model names.

use std::cmp::Reverse;

use pak_format::EntryNameBuf;

use super::hit::Hit;
use super::search_path::SearchPath;
use crate::rules::{Substitute, SubstituteBy, SubstituteKind};

/// A file that the engine may load in the place of another thing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Substitution<'a> {
    /// The names that the engine asks for, in its order.
    pub asked: Vec<EntryNameBuf>,
    /// What the search path serves under these names: the copy that the engine loads, and then those that it would load
    /// without the ones before.
    pub copies: Vec<SubstituteCopy<'a>>,
    /// Whether the engine goes on as well without the file: it lies beside another one, such as a texture that glows.
    pub beside: bool,
}

/// What the search path serves under a name that the engine asks for in the place of another thing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SubstituteCopy<'a> {
    /// The name.
    pub name: EntryNameBuf,
    /// The copy.
    pub hit: Hit<'a>,
}

impl SearchPath {
    /// The files that the engine asks for in the place of a texture, a sky, a track or a model: see
    /// [`Rules::substitutes`](crate::Rules::substitutes). A sky has six. `None` where the rules say nothing of the kind.
    ///
    /// ```
    /// # use quakefs::{Engine, SearchPath, disk::MemoryDisk, rules::SubstituteKind};
    /// # let disk = MemoryDisk::new();
    /// disk.insert("quake/id1/textures/brick1.tga", "")?;
    /// disk.insert("quake/mod/textures/brick1.pcx", "")?;
    /// let quake = SearchPath::builder("quake").disk(disk).engine(Engine::QuakeSpasm).game("mod").mount()?;
    /// let files = quake.substitutes(SubstituteKind::Texture, "brick1", Some("e1m1")).unwrap();
    /// assert_eq!(files[0].copies[0].name.to_string(), "textures/brick1.tga"); // the extension decides
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn substitutes(
        &self,
        kind: SubstituteKind,
        name: &str,
        level: Option<&str>,
    ) -> Option<Vec<Substitution<'_>>> {
        let rules = self.rules();
        let rule = rules.substitutes.iter().find(|rule| rule.of == kind)?;
        let mut files = Vec::new();
        for part in &*rule.parts {
            let found = self.substitution(rule, &rule.stems(name, level, part), false);
            let loaded = found.copies.first().map(|copy| copy.name.to_string());
            files.push(found);
            let stem = loaded.as_deref().and_then(|name| Some(name.rsplit_once('.')?.0));
            if let Some(stem) = stem.filter(|_| !rule.beside.is_empty()) {
                let stems: Vec<_> = rule.beside.iter().map(|suffix| format!("{stem}{suffix}")).collect();
                files.push(self.substitution(rule, &stems, true));
            }
        }
        Some(files)
    }

    fn substitution(&self, rule: &Substitute, stems: &[String], beside: bool) -> Substitution<'_> {
        let (mut asked, mut copies) = (Vec::new(), Vec::new());
        for stem in stems {
            let names: Vec<_> =
                rule.extensions.iter().map(|extension| format!("{stem}.{extension}")).collect();
            let hits = names.iter().filter_map(|name| Some((name, self.find(name)?)));
            let mut hits: Vec<_> = hits.collect();
            if rule.decides == SubstituteBy::Directory {
                // the sort keeps the order of the extensions
                hits.sort_by_key(|(_, hit)| Reverse(self.rank(hit.layer())));
            }
            copies.extend(
                hits.into_iter().map(|(name, hit)| SubstituteCopy { name: name.as_bytes().into(), hit }),
            );
            asked.extend(names.iter().map(|name| EntryNameBuf::from(name.as_bytes())));
        }
        Substitution { asked, copies, beside }
    }
}
