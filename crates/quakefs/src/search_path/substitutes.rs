//! Replacements that the engine loads for textures, skies, tracks, models and skins.

use std::cmp::Reverse;

use pak_format::EntryNameBuf;

use super::companions::level_parts;
use super::file::File;
use super::surface::SearchPath;
use crate::rules::{MusicFolders, Rank, Substitute, SubstituteBy, SubstituteKind, Text, TrackProbe};

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
                && let Some(number) = number(name)
            {
                let track = self.numbered(rule, number);
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
                let stem = |pattern: &Text| pattern.rsplit_once('.').map(|(stem, _)| stem.to_owned());
                let stems: Vec<_> = rule.names.iter().take(pattern + 1).map(stem).collect();
                let is_beside = |at: usize| {
                    at == pattern
                        || stems.get(at).is_some_and(|one| one.is_some() && Some(one) == stems.last())
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

    /// The name of a track by its number.
    fn numbered(&self, rule: &Substitute, number: u32) -> Option<Vec<u8>> {
        let place = usize::try_from(number.checked_sub(1)?).ok()?;
        let text = (!rule.numbered_in.is_empty()).then(|| self.read(&*rule.numbered_in).ok()).flatten();
        let name = match &text {
            Some(text) => {
                let line = text.split(|byte| *byte == b'\n').nth(place)?.trim_ascii();
                let name =
                    line.split(|byte| matches!(byte, b'"' | b' ' | b'\t')).find(|word| !word.is_empty())?;
                match name.strip_prefix(b"/") {
                    Some(below_game) => below_game.to_vec(),
                    None => [b"media/", name].concat(),
                }
            }
            None => rule.numbered.get(place)?.as_bytes().to_vec(),
        };
        (!name.is_empty() && name != b"media/blank").then_some(name)
    }

    /// A track from the folders beside the search path.
    fn track(&self, folders: &MusicFolders, rule: &Substitute, name: &[u8]) -> Substitution<'_> {
        let builder = &self.0.mounted.builder;
        let game = builder.line.server_game.as_ref().or(builder.line.games.last());
        let game = game.map_or(&*folders.game, |game| game.trim_end_matches('/'));
        let tried_for = |number: Option<u32>, pattern: usize| {
            let of = number.map_or_else(|| name.to_vec(), |number| number.to_string().into_bytes());
            rule.names_for(&of, None, "").into_iter().nth(pattern).unwrap_or_default()
        };
        let asked = number(name);
        let track = |probe: Option<&TrackProbe>, number: u32| {
            let is_renumbered = probe.is_none_or(|probe| probe.renumbered);
            if is_renumbered { folders.track(game, number) } else { number }
        };
        let patterns = 0..rule.names.len();
        let names_of = |pattern: usize| {
            let number = asked.map(|number| track(folders.probes.get(pattern), number));
            tried_for(number, pattern)
        };
        let tried = patterns.clone().flat_map(names_of).map(EntryNameBuf::from).collect();
        let copies = self.music().and_then(|music| {
            // highest first
            let layers = 0..music.layers.0.len();
            let in_layer = |layer: usize, names: Vec<Vec<u8>>| {
                let copy_of = |name: Vec<u8>| {
                    let found = music.locate_all(music.listing.as_ref(), &name);
                    let mut files = found.into_iter().filter_map(|found| music.file(found, &name));
                    let file = files.find(|file| file.layer().index() == layer)?;
                    Some(SubstituteCopy { name: name.into(), file })
                };
                names.into_iter().find_map(copy_of)
            };
            if asked.is_some() && !folders.probes.is_empty() {
                let probed = |(layer, pattern): (usize, usize)| {
                    let probe = folders.probes.get(pattern)?;
                    let first = tried_for(Some(track(Some(probe), probe.track)), pattern);
                    in_layer(layer, first).map(|_| (layer, pattern))
                };
                let places = layers.flat_map(|layer| patterns.clone().map(move |pattern| (layer, pattern)));
                let (layer, pattern) = { places }.find_map(probed)?;
                return in_layer(layer, names_of(pattern));
            }
            let places =
                patterns.clone().flat_map(|pattern| layers.clone().map(move |layer| (layer, pattern)));
            { places }.find_map(|(layer, pattern)| in_layer(layer, names_of(pattern)))
        });
        Substitution { tried, copies: copies.into_iter().collect(), ..Substitution::default() }
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

/// The number of a track; `None` for a name.
fn number(name: &[u8]) -> Option<u32> {
    std::str::from_utf8(name).ok().and_then(|name| name.parse::<u8>().ok()).map(u32::from)
}
