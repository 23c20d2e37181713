//! Replacements that the engine loads for textures, skies, tracks, models and skins.

use std::cmp::Reverse;

use pak_format::EntryNameBuf;

use super::companions::level_parts;
use super::file::File;
use super::surface::SearchPath;
use crate::rules::{Rank, Substitute, SubstituteBy, SubstituteKind, Text};

/// A replacement that the engine may load.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Substitution<'a> {
    /// The names that the engine requests, in its search order.
    pub tried: Vec<EntryNameBuf>,
    /// The matches. The engine loads the first, and each other one only if the previous ones were missing.
    pub copies: Vec<SubstituteCopy<'a>>,
    /// Matches that the engine skips because they rank too low: see [`Substitute::rank`].
    pub skipped: Vec<SubstituteCopy<'a>>,
    /// Whether this is an optional addition to another replacement, such as a glow texture.
    pub beside: bool,
}

/// The winning copy of a replacement's name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SubstituteCopy<'a> {
    /// The name.
    pub name: EntryNameBuf,
    /// The copy.
    pub file: File<'a>,
}

impl SearchPath {
    /// Finds the files that replace a texture, a sky, a track, a model or a skin: see
    /// [`Rules::substitutes`](crate::Rules::substitutes). A sky has six files. The result is `None` if the
    /// engine replaces nothing of this kind. `level` is the path or the bare name of the current level:
    /// `maps/e1m1.bsp` or `e1m1`.
    ///
    /// ```
    /// # use quakefs::{Engine, SearchPath, disk::MemoryDisk, rules::SubstituteKind};
    /// # let disk = MemoryDisk::new();
    /// disk.insert("quake/id1/textures/brick1.tga", "")?;
    /// disk.insert("quake/mod/textures/brick1.pcx", "")?;
    /// let quake = SearchPath::builder("quake").disk(disk).engine(Engine::QuakeSpasm).game("mod").mount()?;
    /// let files = quake.substitutes(SubstituteKind::Texture, "brick1", Some(b"maps/e1m1.bsp")).unwrap();
    /// assert_eq!(files[0].copies[0].name.to_string(), "textures/brick1.tga"); // the extension decides
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn substitutes(
        &self,
        kind: SubstituteKind,
        name: impl AsRef<[u8]>,
        level: Option<&[u8]>,
    ) -> Option<Vec<Substitution<'_>>> {
        let name = name.as_ref();
        let level = level.map(|level| level_parts(level).1);
        let rule = self.rules().substitute(kind, name)?;
        if kind == SubstituteKind::Music {
            if let Some(folders) = &self.rules().music_folders {
                return Some(vec![self.track(folders, rule, name)]);
            }
            if !rule.numbered.is_empty()
                && let Some(number) = Substitute::number(name)
            {
                let track = self.name_of_track(rule, number);
                let found = track.map(|track| self.look(rule, rule.names_for(&track, level, ""), None).0);
                return Some(vec![found.unwrap_or_default()]);
            }
        }
        let floor = self.floor(rule, name, level);
        let mut found: Vec<(Substitution<'_>, Option<usize>)> = Vec::new();
        let mut chosen = None;
        for parts in &*rule.parts {
            let of_part = |part| self.look(rule, rule.names_for(name, level, part), floor.as_ref());
            let mut set: Vec<_> = parts.iter().map(|part| of_part(part)).collect();
            // the engine tried the names of the previous sets too
            for ((file, _), (before, _)) in set.iter_mut().zip(found) {
                file.tried.splice(..0, before.tried);
                file.skipped.splice(..0, before.skipped);
            }
            found = set;
            if found.iter().any(|(file, _)| !file.copies.is_empty()) {
                chosen = Some(parts);
                break;
            }
        }
        let none_beside = rule.none_beside.iter().any(|start| name.starts_with(start.as_bytes()));
        let mut files = Vec::new();
        for (index, (file, pattern)) in found.into_iter().enumerate() {
            files.push(file);
            let part = chosen.and_then(|parts| parts.get(index));
            if let (Some(part), Some(pattern), false) = (part, pattern, none_beside || rule.beside.is_empty())
            {
                let stem = |at: usize| Some(rule.names.get(at)?.rsplit_once('.')?.0);
                // the patterns up to the match that differ from it in their extensions
                let is_beside = |at: usize| {
                    at == pattern || (at < pattern && stem(at).is_some() && stem(at) == stem(pattern))
                };
                let with = |suffix: &Text| {
                    let names = rule.names_for(&[name, suffix.as_bytes()].concat(), level, part);
                    // an engine that compares layers tries every name
                    let is_tried = |at: usize| rule.decides == SubstituteBy::Layer || is_beside(at);
                    let names = names.into_iter().enumerate().filter(move |(at, _)| is_tried(*at));
                    names.map(|(_, names)| names)
                };
                files.extend(rule.beside.iter().map(|of_one| {
                    let names = of_one.iter().flat_map(with).collect();
                    Substitution { beside: true, ..self.look(rule, names, floor.as_ref()).0 }
                }));
            }
        }
        Some(files)
    }

    /// The file that a replacement must not rank below.
    fn floor(&self, rule: &Substitute, name: &[u8], level: Option<&[u8]>) -> Option<File<'_>> {
        if rule.rank == Rank::Any {
            return None;
        }
        if matches!(rule.of, SubstituteKind::Texture | SubstituteKind::Sky) {
            return self.find([b"maps/", level?, b".bsp"].concat());
        }
        let is_model = |at: &usize| rule.of == SubstituteKind::Skin && *at > 0;
        let number = name.iter().rposition(|byte| *byte == b'_').filter(is_model);
        self.find(number.and_then(|at| name.get(..at)).unwrap_or(name))
    }

    pub(super) fn is_below(&self, rank: Rank, found: &File<'_>, floor: &File<'_>) -> bool {
        let of = |file: &File<'_>| (self.rank(file.layer()), file.layer().index());
        rank.ignores(of(found), of(floor))
    }

    /// Looks up the names of each pattern, and returns the first pattern with a match.
    fn look(
        &self,
        rule: &Substitute,
        names: Vec<Vec<Vec<u8>>>,
        floor: Option<&File<'_>>,
    ) -> (Substitution<'_>, Option<usize>) {
        let (mut tried, mut copies, mut skipped) = (Vec::<EntryNameBuf>::new(), Vec::new(), Vec::new());
        for (pattern, names) in names.into_iter().enumerate() {
            let mut of_pattern = Vec::new();
            for name in names.into_iter().map(EntryNameBuf::from) {
                if tried.contains(&name) {
                    continue;
                }
                tried.push(name.clone());
                let Some(file) = self.find(&name) else { continue };
                if floor.is_some_and(|floor| self.is_below(rule.rank, &file, floor)) {
                    skipped.push(SubstituteCopy { name, file });
                } else {
                    of_pattern.push((pattern, SubstituteCopy { name, file }));
                }
            }
            if rule.decides == SubstituteBy::Directory {
                // a stable sort, which keeps the order of the extensions
                of_pattern.sort_by_key(|(_, copy)| Reverse(self.rank(copy.file.layer())));
            }
            copies.extend(of_pattern);
        }
        if rule.decides == SubstituteBy::Directories {
            copies
                .sort_by_key(|(_, copy): &(usize, SubstituteCopy<'_>)| Reverse(self.rank(copy.file.layer())));
        }
        if rule.decides == SubstituteBy::Layer {
            copies.sort_by_key(|(_, copy)| copy.file.layer().index());
        }
        let pattern = copies.first().map(|(pattern, _)| *pattern);
        let copies = copies.into_iter().map(|(_, copy)| copy).collect();
        (Substitution { tried, copies, skipped, beside: false }, pattern)
    }
}
