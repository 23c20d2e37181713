//! Archives: which files of a game directory are loaded, in which order, and why others are skipped.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use super::host::Spelling;
use super::names::Case;
#[cfg(doc)]
use super::stops::EngineStop;
use crate::documented::documented;
use crate::fault::Faults;
use crate::order::sort_by_name;
use crate::{List, Text};

/// The usual start of the name of a numbered archive.
///
/// Source: WinQuake, `WinQuake/common.c`, `COM_AddGameDirectory`: `"%s/pak%i.pak"`.
pub const STEM: &str = "pak";

documented! {
    /// Which archives are loaded, and how the names in them compare.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Archives {
        /// The sets of archives in a game directory, low to high. Within a set, an archive that is loaded
        /// later is higher.
        pub sets: List<ArchiveSet>,
        /// The engine's own archives in the base directory.
        pub own: List<OwnArchive>,
        /// Whether the engine skips archives with names that begin with a dot, as fte, mvdsv and q2pro do.
        pub skips_hidden: bool,
        /// Archives whose names begin with a text, and which the engine skips or sorts under another name.
        /// The first match decides. Numbered archives are not looked at.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub prefixes: List<ArchivePrefix>,
        /// Entries that the engine does not find, as `ARCHIVE/*END` or `ARCHIVE/START*` in any case:
        /// `pak0.pk3/*.bsp` in iortcw. The archive `*` is every archive: `*/save/*` in kmquake2.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub skipped_entries: List<Text>,
        /// The start of names, in any case, whose entries the engine skips if the same game directory has the
        /// loose file when it opens the archive: `players/` in kmquake2.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub loose_instead: List<Text>,
        /// Whether PACK archives inside an archive are loaded.
        pub nested_paks: NestedPaks,
        /// Whether a file that is not an archive despite its extension also hides all archives above it in
        /// the same game directory, as in trenchbroom. If [`EngineStop::WrongArchive`] is set, the engine
        /// exits, and a search path mounts without the archive.
        pub wrong_ends_directory: bool,
        /// How a request compares with names in archives.
        pub case: Case,
        /// Which row wins if two rows of one archive have equal names.
        pub duplicates: Duplicates,
    }
}

impl Archives {
    /// Finds the archives among the files of a game directory, in load order. `probe` reads a file, and is
    /// called only if the content can change the order. `is_first_base` is true for the first base directory.
    ///
    /// Each set of the rules takes its archives from the files that no earlier set has loaded. If several
    /// sets skip a file, the last one gives the reason.
    ///
    /// An engine opens a numbered archive by its name, so the folder decides about case: `spelling`. It finds
    /// other archives by listing the folder, and compares their names itself.
    ///
    /// ```
    /// use quake_rules::{Engine, Probe, Spelling};
    /// let files = ["pak0.pak", "PAK1.PAK", "pak3.pak"].map(str::to_owned).to_vec();
    /// let archives = &Engine::WinQuake.rules().archives;
    /// let order = archives.load_order(files.clone(), false, Spelling::Exact, |_| Probe::Usable);
    /// assert!(order.archives.iter().map(|loaded| &*loaded.file).eq(["pak0.pak"]));
    /// let order = archives.load_order(files, false, Spelling::IgnoresCase, |_| Probe::Usable);
    /// assert!(order.archives.iter().map(|loaded| &*loaded.file).eq(["pak0.pak", "PAK1.PAK"]));
    /// ```
    pub fn load_order(
        &self,
        files: Vec<String>,
        is_first_base: bool,
        spelling: Spelling,
        mut probe: impl FnMut(&str) -> Probe,
    ) -> LoadOrder {
        self.load_order_by(files, is_first_base, spelling, &mut probe)
    }

    fn load_order_by(
        &self,
        mut files: Vec<String>,
        is_first_base: bool,
        spelling: Spelling,
        probe: &mut dyn FnMut(&str) -> Probe,
    ) -> LoadOrder {
        sort_by_name(&mut files, String::as_bytes);
        let mut states = vec![State::Open; files.len()];
        // positions in `files`, with their sets, in load order
        let mut loaded: Vec<(usize, usize)> = Vec::new();
        let mut listed: Vec<(usize, usize)> = Vec::new();
        let mut names: Vec<String> = files.iter().map(|file| file.to_ascii_lowercase()).collect();
        sort_by_name(&mut names, String::as_bytes);
        names.dedup();
        // for each name without case: the first loaded archive and its set
        let mut firsts: Vec<Option<(usize, usize)>> = vec![None; names.len()];
        for (set, archives) in self.sets.iter().enumerate() {
            let mut candidates = Candidates { files: &files, states: &mut states };
            let (found, skip_second, by_disk) = match archives {
                ArchiveSet::Numbered { stem, extensions, count, gaps, case } => {
                    let run = Run { stem, extensions, count: *count, gaps: *gaps, case: *case, spelling };
                    let found = candidates.numbered(&run, &mut |number, file| match (probe(file), gaps) {
                        (Probe::Empty, Gaps::Skip | Gaps::Stop { empty: EmptyArchive::Loaded }) => {
                            Probe::Usable
                        }
                        (Probe::Empty, Gaps::Stop { empty: EmptyArchive::EndsRunUnlessFirst })
                            if number == 0 && is_first_base =>
                        {
                            Probe::Usable
                        }
                        (probed, _) => probed,
                    });
                    (found, false, false)
                }
                ArchiveSet::Others { extensions, extension_case, alike, order } => {
                    let numbered = Run::of(STEM, extensions);
                    let key = |file: &str| sort_key(*order, &self.sorted_as(file));
                    let found = candidates.others(*order, &mut listed, key, |file| {
                        let same = |wanted: &Text, found: &str| match extension_case {
                            Case::Exact => wanted == found,
                            Case::Ignored => wanted.eq_ignore_ascii_case(found),
                        };
                        extension(file)
                            .is_some_and(|found| extensions.iter().any(|wanted| same(wanted, found)))
                            && !(*alike == LoadOrderCase::SkipNumbered && numbered.has_in_other_case(file))
                            && !self.passes_over(file)
                    });
                    (found, *alike == LoadOrderCase::SkipSecond, *order != Order::Bytes)
                }
            };
            for place in found {
                let (Some(file), Some(state)) = (files.get(place), states.get_mut(place)) else { continue };
                let name = names.binary_search(&file.to_ascii_lowercase());
                let Some(first) = name.ok().and_then(|name| firsts.get_mut(name)) else { continue };
                if let Some((first, of_set)) = *first
                    && skip_second
                {
                    let loaded = files.get(first).cloned().unwrap_or_default();
                    *state = State::Skipped(Skipped::AlikeLoaded { loaded });
                    // a tie of sorted names was added before
                    if by_disk && of_set == set && !listed.contains(&(place, first)) {
                        listed.push((place, first));
                    }
                    continue;
                }
                first.get_or_insert((place, set));
                *state = State::Loaded;
                loaded.push((place, set));
            }
        }
        let name = |place: usize| files.get(place).cloned().unwrap_or_default();
        let listed = listed.into_iter().map(|(one, other)| (name(one), name(other))).collect();
        let archives = loaded.into_iter().filter_map(|(place, set)| {
            let file = files.get(place)?.clone();
            let kind = ArchiveKind::of(&file).unwrap_or(ArchiveKind::Pak);
            let requested = match self.sets.get(set) {
                Some(ArchiveSet::Numbered { stem, extensions, .. }) => Run::of(stem, extensions).asked(&file),
                _ => None,
            };
            let requested = requested.filter(|requested| *requested != file);
            Some(Loaded { file, requested, set, kind })
        });
        let skipped = files.iter().zip(&states).filter_map(|(file, state)| match state {
            State::Loaded => None,
            State::Skipped(why) => Some((file.clone(), why.clone())),
            State::Open => Some((file.clone(), self.why_not(file, &files)?)),
        });
        let mut skipped: Vec<_> = skipped.collect();
        let mut free = LazyCell::new(|| self.free(&names));
        for (_, why) in &mut skipped {
            if let Skipped::NotNumbered { free: name } | Skipped::BeyondLast { free: name, .. } = why {
                *name = free.next();
            }
        }
        LoadOrder { archives: archives.collect(), skipped, listed }
    }

    /// The numbered names that would be loaded above all others, and then those as far above as there is
    /// room. `names` are those of all files, sorted and in lower case.
    fn free<'n>(&'n self, names: &'n [String]) -> Box<dyn Iterator<Item = String> + 'n> {
        let free = self.sets.iter().find_map(|set| {
            let ArchiveSet::Numbered { stem, extensions, count, gaps, .. } = set else { return None };
            let run = Run { count: *count, gaps: *gaps, ..Run::of(stem, extensions) };
            let last = run.last()?;
            let numbers = names.iter().filter_map(|name| Some(run.number(&run.asked(name)?)?.0));
            let highest = numbers.filter(|number| *number <= last).max();
            let from = if run.gaps == Gaps::Skip { highest.unwrap_or(0) } else { 0 };
            let ends_at_gap = run.gaps != Gaps::Skip;
            let free = (from..=last).chain((0..from).rev()).map(move |number| run.name(number));
            let mut free = free.filter(|name| names.binary_search(&name.to_ascii_lowercase()).is_err());
            // one that comes after another free name is behind a gap
            let first = if ends_at_gap { free.next() } else { None };
            Some(first.into_iter().cycle().chain(free))
        });
        Box::new(free.into_iter().flatten())
    }

    fn passes_over(&self, file: &str) -> bool {
        (self.skips_hidden && file.starts_with('.'))
            || self.prefix_of(file).is_some_and(|prefix| prefix.sorts_as.is_none())
    }

    fn prefix_of(&self, file: &str) -> Option<&ArchivePrefix> {
        self.prefixes.iter().find(|prefix| prefix.is_of(file))
    }

    /// The name under which an archive is sorted.
    fn sorted_as<'f>(&self, file: &'f str) -> Cow<'f, str> {
        let renamed = self.prefix_of(file).and_then(|prefix| {
            let rest = file.get(prefix.starts.len()..)?;
            Some(format!("{}{rest}", prefix.sorts_as.as_ref()?))
        });
        renamed.map_or(Cow::Borrowed(file), Cow::Owned)
    }

    /// Whether the engine passes over an entry of an archive with this file name.
    #[must_use]
    pub fn passes_over_entry(&self, archive: &str, entry: &[u8]) -> bool {
        self.skipped_entries.iter().filter_map(|skipped| SkippedEntries::of(skipped)).any(|skipped| {
            (skipped.archive == "*" || skipped.archive.eq_ignore_ascii_case(archive))
                && starts_with(entry, skipped.start)
                && ends_with(entry, skipped.end)
        })
    }

    /// Whether the engine passes over an entry with this name if the game directory has the loose file.
    #[must_use]
    pub fn is_loose_instead(&self, entry: &[u8]) -> bool {
        self.loose_instead.iter().any(|start| starts_with(entry, start))
    }

    /// The extensions that the sets take.
    pub(crate) fn extensions(&self) -> impl Iterator<Item = &str> {
        self.sets.iter().flat_map(ArchiveSet::extensions).map(|extension| &**extension)
    }

    /// The kinds of archives that the engine loads, including its own archives. A kind may appear several
    /// times.
    pub fn kinds(&self) -> impl Iterator<Item = ArchiveKind> {
        let own = self.own.iter().filter_map(|own| ArchiveKind::of(&own.file));
        self.extensions().filter_map(ArchiveKind::of_extension).chain(own)
    }

    /// Whether a file has an extension of the sets, in any case.
    #[must_use]
    pub fn loads(&self, file: &str) -> bool {
        extension(file)
            .is_some_and(|found| self.extensions().any(|wanted| wanted.eq_ignore_ascii_case(found)))
    }

    /// The reason why no set took a file; `None` if its name is not an archive's.
    fn why_not(&self, file: &str, files: &[String]) -> Option<Skipped> {
        if !self.loads(file) {
            let why = if self.sets.is_empty() { Skipped::NoneLoaded } else { Skipped::OtherKind };
            return self.is_archive_name(file).then_some(why);
        }
        if self.passes_over(file) {
            let starts = self.prefix_of(file).map(|prefix| prefix.starts.to_string());
            return Some(starts.map_or(Skipped::Hidden, |starts| Skipped::Prefix { starts }));
        }
        let found = extension(file)?;
        let is_there = |other: &String| files.binary_search(other).is_ok();
        let expected = self.sets.iter().find_map(|set| {
            if !set.extensions().iter().any(|wanted| wanted.eq_ignore_ascii_case(found)) {
                return None;
            }
            let expected = match set {
                ArchiveSet::Numbered { stem, extensions, .. } => Run::of(stem, extensions).asked(file),
                ArchiveSet::Others { .. } => {
                    file.strip_suffix(found).map(|start| format!("{start}{}", found.to_ascii_lowercase()))
                }
            };
            expected.filter(|expected| !is_there(expected))
        });
        Some(match expected {
            Some(expected) => Skipped::WrongCase { expected },
            None => Skipped::NotNumbered { free: None },
        })
    }

    pub(crate) fn validate(&self, base: &[Text], faults: &mut Faults) {
        for (set, archives) in self.sets.iter().enumerate() {
            let key = |field: &str| format!("archives.sets[{set}].{field}");
            if archives.extensions().is_empty() {
                faults.empty(key("extensions"));
            }
            for (index, extension) in archives.extensions().iter().enumerate() {
                check_extension(key(&format!("extensions[{index}]")), extension, faults);
            }
            faults.twice(&key("extensions"), archives.extensions());
            if let ArchiveSet::Numbered { stem, .. } = archives
                && stem.contains('/')
            {
                faults.no_effect(key("stem"), "a file's name has no slash");
            }
            if let ArchiveSet::Numbered { count: Some(0), .. } = archives {
                faults.no_effect(format!("archives.sets[{set}]"), "its count is 0");
            }
        }
        faults.twice("archives.sets", &self.sets);
        let mut files = HashSet::new();
        for (index, own) in self.own.iter().enumerate() {
            let key = format!("archives.own[{index}]");
            faults.below(format!("{key}.file"), &own.file, "base directory");
            check_extension(format!("{key}.file"), extension(&own.file).unwrap_or_default(), faults);
            if own.instead_of.as_ref().is_some_and(|instead| !base.contains(instead)) {
                faults.no_effect(format!("{key}.instead-of"), "directories.base does not have it");
            }
            if !files.insert(&own.file) {
                faults.no_effect(key, "it is in the list already");
            }
        }
        for (index, prefix) in self.prefixes.iter().enumerate() {
            let mut before = self.prefixes.iter().take(index);
            if before.any(|before| before.is_of(&prefix.starts)) {
                faults
                    .no_effect(format!("archives.prefixes[{index}]"), "an earlier prefix matches its names");
            }
        }
        for (index, skipped_entries) in self.skipped_entries.iter().enumerate() {
            if SkippedEntries::of(skipped_entries).is_none() {
                let what = format!("{skipped_entries:?} has not the form ARCHIVE/*END or ARCHIVE/START*");
                faults.add(format!("archives.skipped-entries[{index}]"), what);
            }
        }
        for (index, _) in self.loose_instead.iter().enumerate().filter(|(_, start)| start.is_empty()) {
            faults.empty(format!("archives.loose-instead[{index}]"));
        }
        faults.twice("archives.loose-instead", &self.loose_instead);
        let is_others = |set: &ArchiveSet| matches!(set, ArchiveSet::Others { .. });
        if !self.prefixes.is_empty() && !self.sets.iter().any(is_others) {
            faults.no_effect("archives.prefixes", "no set lists a folder");
        }
        if self.skips_hidden && !self.sets.iter().any(is_others) {
            faults.no_effect("archives.hidden", "no set lists a folder");
        }
        let mut kinds = self.extensions().filter_map(ArchiveKind::of_extension);
        if self.nested_paks != NestedPaks::Ignored && !kinds.any(|kind| kind == ArchiveKind::Pak) {
            faults.no_effect("archives.nested-paks", "no set has PACK archives");
        }
        if self.wrong_ends_directory && self.sets.is_empty() {
            faults.no_effect("archives.wrong", "no archive of a game directory is loaded");
        }
    }
}

/// A text of [`Archives::skipped_entries`]. The start or the end of the names is empty.
struct SkippedEntries<'t> {
    archive: &'t str,
    start: &'t str,
    end: &'t str,
}

impl<'t> SkippedEntries<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let (archive, names) = text.split_once('/')?;
        let (start, end) = names.split_once('*')?;
        (!archive.is_empty() && start.is_empty() != end.is_empty()).then_some(SkippedEntries {
            archive,
            start,
            end,
        })
    }
}

fn starts_with(name: &[u8], start: &str) -> bool {
    name.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start.as_bytes()))
}

fn ends_with(name: &[u8], end: &str) -> bool {
    let at = name.len().checked_sub(end.len());
    at.and_then(|at| name.get(at..)).is_some_and(|found| found.eq_ignore_ascii_case(end.as_bytes()))
}

documented! {
    /// Archives whose names begin with a text.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct ArchivePrefix {
        /// The start of the names: `mp_`.
        pub starts: Text,
        /// Whether `MP_` counts as `mp_`.
        pub case: Case,
        /// The text that replaces it when archives are sorted: `zz_` for `mp_` in iortcw. None: the archives
        /// are skipped.
        pub sorts_as with "crate::forms::or_none": Option<Text>,
    }
}

impl ArchivePrefix {
    fn is_of(&self, file: &str) -> bool {
        file.get(..self.starts.len()).is_some_and(|start| match self.case {
            Case::Exact => *start == *self.starts,
            Case::Ignored => start.eq_ignore_ascii_case(&self.starts),
        })
    }
}

documented! {
    /// A set of archives in a game directory.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub enum ArchiveSet by "set" {
        /// `pak0`, `pak1`, … in lower case.
        Numbered {
            /// The start of the names, by default `pak`: `Htic2-` in heretic2r, as it is written.
            #[cfg_attr(feature = "serde", serde(default = "stem", skip_serializing_if = "is_usual"))]
            stem: Text,
            /// The extensions, low to high. Each number is tried with all of them before the next number.
            extensions: List<Text>,
            /// How many numbers the engine tries. None: no limit.
            count with "crate::forms::or_none": Option<u32>,
            /// The effect of a missing number.
            gaps: Gaps,
            /// Which names replace a missing one in lower case. By default none.
            #[cfg_attr(feature = "serde", serde(default))]
            case: NumberedCase,
        },
        /// Every archive with one of these extensions that no earlier set loads.
        Others {
            /// The extensions.
            extensions: List<Text>,
            /// Whether `.PAK` counts as `.pak`. By default it does.
            #[cfg_attr(feature = "serde", serde(default = "ignored"))]
            extension_case: Case,
            /// Which names that differ only in case exclude each other. By default none.
            #[cfg_attr(feature = "serde", serde(default))]
            alike: LoadOrderCase,
            /// The load order. By default `ignore-case`.
            #[cfg_attr(feature = "serde", serde(default))]
            order: Order,
        },
    }
}

fn ignored() -> Case {
    Case::Ignored
}

#[cfg(feature = "serde")]
fn stem() -> Text {
    STEM.into()
}

#[cfg(feature = "serde")]
fn is_usual(stem: &Text) -> bool {
    **stem == *STEM
}

impl ArchiveSet {
    /// [`Others`](ArchiveSet::Others) with these extensions in any case, sorted by lower-case names.
    pub fn others<E: Into<Text>>(extensions: impl IntoIterator<Item = E>) -> ArchiveSet {
        ArchiveSet::Others {
            extensions: extensions.into_iter().map(Into::into).collect(),
            extension_case: ignored(),
            alike: LoadOrderCase::default(),
            order: Order::default(),
        }
    }

    /// The extensions of the set's archives.
    #[must_use]
    pub fn extensions(&self) -> &[Text] {
        match self {
            ArchiveSet::Numbered { extensions, .. } | ArchiveSet::Others { extensions, .. } => extensions,
        }
    }

    /// Whether a file of the set is the archive with the number 0 of a numbered run.
    #[must_use]
    pub fn is_first(&self, file: &str) -> bool {
        let ArchiveSet::Numbered { stem, .. } = self else { return false };
        // some folders ignore case
        after_stem(file, stem).is_some_and(|rest| rest.starts_with("0."))
    }
}

documented! {
    /// The effect of a missing number in a numbered run.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Gaps {
        /// The run ends.
        Stop {
            /// The effect of an archive without entries.
            empty: EmptyArchive,
        },
        /// The run goes on with the next number.
        Skip,
    }
}

documented! {
    /// The effect of an archive without entries in a numbered run that stops at a gap.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum EmptyArchive {
        /// The archive is loaded like any other.
        Loaded,
        /// The archive counts as missing: the run ends, unless it tries another extension with the same
        /// number.
        EndsRun,
        /// The same, unless the archive has the number 0 and is in the first base directory. As in vkquake.
        EndsRunUnlessFirst,
    }
}

documented! {
    /// Which name counts as `pak3.pak` if the folder has no file of that name.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum NumberedCase {
        /// None.
        #[default]
        Lower,
        /// `PAK3.PAK`, as in ezquake.
        Capitals,
        /// Any that differs only in case, the first in byte order. As in goldsrc-2023.
        Ignored,
    }
}

documented! {
    /// Which archives are skipped because their names differ only in case from another name.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum LoadOrderCase {
        /// None.
        #[default]
        Loaded,
        /// An archive that would be a numbered one if its name were in lower case, whether or not that one
        /// exists. As in yquake2.
        SkipNumbered,
        /// An archive whose name differs only in case from an archive of the same game directory that is
        /// already loaded.
        SkipSecond,
    }
}

documented! {
    /// The order of a set of archives, low to high.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Order {
        /// By the bytes of the names.
        Bytes,
        /// In the order in which the disk lists the folder. quakefs sorts by bytes instead, and reports it if
        /// the folder has two or more archives.
        Listed,
        /// By lower-case names, so `_` is below the letters.
        #[default]
        IgnoreCase,
        /// By upper-case names, so `_` is above the letters. ioquake3 sorts like this, and Windows lists
        /// folders like this.
        Capitals,
        /// Names that begin with `pak` first, by the number that follows (as C's `strtoul` reads it) and then
        /// by the rest of the name. Then all others. Case is ignored, as in q2pro.
        NumberThenName,
    }
}

documented! {
    /// An archive in the base directory that belongs to the engine.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct OwnArchive {
        /// The file in the base directory: `quakespasm.pak`.
        pub file: Text,
        /// The position in the search path.
        pub place: OwnPlace,
        /// A directory of `directories.base` that the engine skips if it finds the archive: `qw` in fte.
        pub instead_of with "crate::forms::or_none": Option<Text>,
        /// The stored names that the engine reads from it; empty for all. An archive with such a list is open
        /// only during a read.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub only: List<Text>,
    }
}

documented! {
    /// The position of an engine's own archive.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum OwnPlace {
        /// Below everything, as in fte.
        Lowest,
        /// Just below the first game directory. Each base directory or user directory that has the file loads
        /// it, below its own copy of that game directory. As in q2pro.
        BelowEachFirst,
        /// Just above archive number 0 of the first game directory, or in its position if it is missing. If
        /// several base directories or user directories have the file, the lowest one is used. As in
        /// ironwail.
        AboveFirst,
        /// Like `above-first`, but each base directory or user directory that has the file loads it, in its
        /// own copy of the first game directory.
        AboveEachFirst,
    }
}

documented! {
    /// Whether PACK archives inside an archive are loaded.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum NestedPaks {
        /// They are ordinary entries.
        Ignored,
        /// They are loaded just below the archive that contains them, as in fte.
        Below,
        /// They are loaded just above the archive that contains them, also from its folders. As in mvdsv.
        Above,
    }
}

documented! {
    /// Which row wins if two rows of one archive have equal names.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Duplicates {
        /// The first row.
        First,
        /// The last row.
        Last,
        /// The row that is nearest to the root of a red-black tree of the archive's rows. The tree compares
        /// names by their numbers in a table of all names, in the order in which archives are opened.
        InTree,
        /// The row that a binary search finds. Names are sorted, equal names keep the order of their rows,
        /// and the search starts at `(count - 1) / 2`, rounded down.
        Searched,
    }
}

/// The kind of an archive or layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ArchiveKind {
    /// An archive of the PACK family, in one of the layouts of [`Layout`](pak_format::Layout).
    Pak,
    /// A ZIP.
    Zip,
    /// A WAD of textures and pictures, or the textures inside a level. No engine mounts one.
    Wad,
    /// An archive of Anachronox. No engine that quakefs knows mounts one.
    Anachronox,
    /// Loose files of a game directory, or of a folder that is mounted as an archive, such as
    /// `textures.pk3dir`.
    Folder,
    /// Files that the caller supplies. It has no extension.
    Own,
}

impl fmt::Display for ArchiveKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl ArchiveKind {
    /// A stable word for the kind: `pak`, `zip`, `wad`, `anachronox`, `dir` or `files`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ArchiveKind::Pak => "pak",
            ArchiveKind::Zip => "zip",
            ArchiveKind::Wad => "wad",
            ArchiveKind::Anachronox => "anachronox",
            ArchiveKind::Folder => "dir",
            ArchiveKind::Own => "files",
        }
    }

    /// The kind of archive for a file name's extension. [`Archives::sets`] tells whether an engine loads it.
    #[must_use]
    pub fn of(file_name: &str) -> Option<ArchiveKind> {
        ArchiveKind::of_extension(extension(file_name)?)
    }

    pub(crate) fn of_extension(found: &str) -> Option<ArchiveKind> {
        let known = KINDS.iter().find(|(extension, _)| extension.eq_ignore_ascii_case(found));
        known.map(|(_, kind)| *kind)
    }
}

fn check_extension(key: String, extension: &str, faults: &mut Faults) {
    if ArchiveKind::of_extension(extension).is_none() {
        faults.add(key, format!("no archive format has the extension {extension:?}"));
    }
}

/// The known extensions.
///
/// Sources: FTE, `engine/common/fs.c`, `FS_RegisterDefaultFileSystems` (pak, pk3, pk4, zip); yquake2,
/// `src/common/filesystem.c`, `fs_packtypes` (pk2, pkz); DarkPlaces, `fs.c`, `FS_AddGameDirectory` (pk3dir,
/// and since 2021 dpk, dpkdir, obb); QSS-M (pakdir); QuakeSpasm-Spiked, `Quake/common.c`,
/// `COM_InitFilesystem` (kpf); SiN's `base/pak0.sin`.
const KINDS: &[(&str, ArchiveKind)] = &[
    ("dpk", ArchiveKind::Zip),
    ("dpkdir", ArchiveKind::Folder),
    ("kpf", ArchiveKind::Zip),
    ("obb", ArchiveKind::Zip),
    ("pak", ArchiveKind::Pak),
    ("pakdir", ArchiveKind::Folder),
    ("pk2", ArchiveKind::Zip),
    ("pk3", ArchiveKind::Zip),
    ("pk3dir", ArchiveKind::Folder),
    ("pk4", ArchiveKind::Zip),
    ("pkz", ArchiveKind::Zip),
    ("sin", ArchiveKind::Pak),
    ("zip", ArchiveKind::Zip),
];

impl Archives {
    /// Applies a text that lists archives, [`GameText::ArchiveList`](crate::GameText::ArchiveList). Archives
    /// of sets without numbers are removed; listed archives that exist are put on top, in the order of the
    /// list.
    pub fn follow_list(
        &self,
        order: &mut LoadOrder,
        list: &str,
        listed: &[String],
        is_there: impl Fn(&str) -> bool,
    ) {
        let others = |set: usize| matches!(self.sets.get(set), Some(ArchiveSet::Others { .. }));
        let (numbered, rest) =
            std::mem::take(&mut order.archives).into_iter().partition(|loaded: &Loaded| !others(loaded.set));
        order.archives = numbered;
        order.listed.clear();
        let rest =
            rest.into_iter().map(|loaded: Loaded| (loaded.file, Skipped::NotListed { list: list.into() }));
        order.skipped.extend(rest);
        for file in listed {
            let takes = |set: &ArchiveSet| {
                let of_file = |taken: &Text| {
                    extension(file).is_some_and(|extension| extension.eq_ignore_ascii_case(taken))
                };
                matches!(set, ArchiveSet::Others { .. }) && set.extensions().iter().any(of_file)
            };
            let set = self.sets.iter().position(takes);
            let is_loaded = order.archives.iter().any(|loaded| loaded.file == *file);
            if let (Some(set), Some(kind), false) = (set, ArchiveKind::of(file), is_loaded)
                && is_there(file)
            {
                order.skipped.retain(|(skipped, _)| skipped != file);
                order.archives.push(Loaded { file: file.clone(), requested: None, set, kind });
            }
        }
        sort_by_name(&mut order.skipped, |(file, _)| file.as_bytes());
    }
}

/// The archives of a game directory in load order, and the skipped ones.
#[derive(Debug, Default)]
pub struct LoadOrder {
    /// The archives that are loaded, low to high.
    pub archives: Vec<Loaded>,
    /// The skipped files with names of archives, sorted by bytes.
    pub skipped: Vec<(String, Skipped)>,
    /// Archives whose order depends on the disk, each with its lower neighbour or the archive that replaced
    /// it.
    pub listed: Vec<(String, String)>,
}

/// The content of a file that has an archive's extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// An archive with entries.
    Usable,
    /// An archive without entries.
    Empty,
    /// Not an archive that the engine can use. In a numbered run, the file counts as missing.
    Unusable,
    /// A file at which the engine stops. The run goes on, as if the file were repaired.
    Fatal,
}

/// A loaded archive.
#[derive(Debug)]
pub struct Loaded {
    /// The file's name in the game directory.
    pub file: String,
    /// The name that the engine opens, if it differs from the file's in case.
    pub requested: Option<String>,
    /// The number of the set, in [`Archives::sets`], that the archive belongs to.
    pub set: usize,
    /// How the archive is read.
    pub kind: ArchiveKind,
}

/// Why the engine skips a file with the name of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// A missing number below this file ended the run.
    AfterGap {
        /// The file that is missing.
        missing: String,
        /// The renames, old and new name, after which every archive above the gap is loaded, in the same
        /// order.
        renames: Arc<[(String, String)]>,
    },
    /// An archive without entries below this file ended the run.
    AfterEmpty {
        /// The archive without entries.
        empty: String,
    },
    /// The archive has no entries, so the run ends before it.
    EmptyEndsRun,
    /// An unreadable archive below this file ended the run.
    AfterUnusable {
        /// The unreadable archive.
        unusable: String,
    },
    /// The file's name begins with a dot, and the engine ignores such files.
    Hidden,
    /// The engine skips archives whose names begin so.
    Prefix {
        /// The start of the name.
        starts: String,
    },
    /// The number is higher than the highest one that the engine tries.
    BeyondLast {
        /// The file with the highest number that the engine tries.
        last: String,
        /// A name that would be loaded, and that no file has.
        free: Option<String>,
    },
    /// The engine would load the file under a name that differs only in case.
    WrongCase {
        /// The name that the engine looks for.
        expected: String,
    },
    /// The path of the file is longer than the engine has room for.
    LongPath,
    /// A loaded archive has the same name in another case.
    AlikeLoaded {
        /// The loaded archive.
        loaded: String,
    },
    /// The engine loads only numbered archives of this kind.
    NotNumbered {
        /// A name that would be loaded, and that no file has.
        free: Option<String>,
    },
    /// The engine does not read this kind of archive.
    OtherKind,
    /// The engine loads no archives from game directories.
    NoneLoaded,
    /// The text that lists the archives does not name it:
    /// [`GameText::ArchiveList`](crate::GameText::ArchiveList).
    NotListed {
        /// The name of the text.
        list: String,
    },
}

/// The part of a file name after the last dot.
pub(crate) fn extension(file: &str) -> Option<&str> {
    file.rsplit_once('.').map(|(_, extension)| extension)
}

/// The state of a file during the search.
#[derive(Clone, Debug)]
enum State {
    /// No set has looked at the file.
    Open,
    Loaded,
    Skipped(Skipped),
}

/// The files that no earlier set has loaded.
struct Candidates<'f> {
    files: &'f [String],
    states: &'f mut [State],
}

impl Candidates<'_> {
    /// The positions and names of these files.
    fn files(&self) -> impl Iterator<Item = (usize, &String)> {
        let files = self.files.iter().zip(&*self.states).enumerate();
        files
            .filter(|(_, (_, state))| !matches!(state, State::Loaded))
            .map(|(place, (file, _))| (place, file))
    }

    /// The positions of a numbered run's archives, low to high. Sets the states of the run's other files.
    fn numbered(&mut self, run: &Run<'_>, probe: &mut dyn FnMut(u32, &str) -> Probe) -> Vec<usize> {
        let Some(last) = run.last() else { return Vec::new() };
        let is_second = |file: &str| {
            let asked = (run.case != NumberedCase::Lower).then(|| run.asked(file)).flatten();
            asked.is_some_and(|asked| asked != file && self.files.binary_search(&asked).is_ok())
        };
        let numbered = self.files().filter(|(_, file)| !is_second(file));
        let numbered = numbered.filter_map(|(place, file)| Some((run.number(file)?, place)));
        let mut numbered: Vec<((u32, usize), usize)> = numbered.collect();
        numbered.sort_unstable();
        let mut found = Vec::new();
        let mut next = 0;
        let mut end: Option<Skipped> = None;
        let mut renames: Vec<(String, String)> = Vec::new();
        // the last number that was tried, and why none of its files is part of the run
        let mut unusable: Option<(u32, Skipped)> = None;
        for ((number, _), place) in numbered {
            let Some(file) = self.files.get(place) else { continue };
            if run.gaps != Gaps::Skip && end.is_none() {
                if unusable.as_ref().is_some_and(|(of, _)| *of != number) {
                    end = unusable.take().map(|(_, end)| end);
                } else if number > next {
                    end = Some(Skipped::AfterGap { missing: run.name(next), renames: Arc::default() });
                }
            }
            let why = if number > last {
                Skipped::BeyondLast { last: run.name(last), free: None }
            } else {
                match end.clone() {
                    Some(why @ Skipped::AfterGap { .. }) => {
                        loop {
                            let name = run.name(next);
                            // a file whose name differs only in case comes first
                            let is_alike = |other: &&String| {
                                **other != name && *other != file && other.eq_ignore_ascii_case(&name)
                            };
                            let alike = self.files.iter().find(is_alike).filter(|_| next < number);
                            next = next.saturating_add(1);
                            renames.extend((*file != name).then(|| (alike.unwrap_or(file).clone(), name)));
                            if alike.is_none() {
                                break;
                            }
                        }
                        why
                    }
                    Some(why) => why,
                    None if run.gaps == Gaps::Skip => {
                        found.push(place);
                        continue;
                    }
                    None => {
                        let probed = probe(number, file);
                        // another file with this number continued the run
                        let goes_on = next > number;
                        match probed {
                            Probe::Usable | Probe::Fatal => {
                                next = number.saturating_add(1);
                                unusable = None;
                                found.push(place);
                                continue;
                            }
                            Probe::Empty => {
                                if !goes_on {
                                    unusable = Some((number, Skipped::AfterEmpty { empty: file.clone() }));
                                    next = number;
                                }
                                Skipped::EmptyEndsRun
                            }
                            Probe::Unusable => {
                                if !goes_on {
                                    unusable =
                                        Some((number, Skipped::AfterUnusable { unusable: file.clone() }));
                                    next = number;
                                }
                                // the file is opened again later, and reported then
                                found.push(place);
                                continue;
                            }
                        }
                    }
                }
            };
            if let Some(state) = self.states.get_mut(place) {
                *state = State::Skipped(why);
            }
        }
        let all: Arc<[(String, String)]> = renames.into();
        for state in &mut *self.states {
            if let State::Skipped(Skipped::AfterGap { renames, .. }) = state
                && renames.is_empty()
            {
                *renames = all.clone();
            }
        }
        found
    }

    /// The positions of the files in a set, low to high. Adds pairs whose order depends on the disk to
    /// `listed`.
    fn others(
        &self,
        order: Order,
        listed: &mut Vec<(usize, usize)>,
        key: impl Fn(&str) -> SortKey,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Vec<usize> {
        let wanted = self.files().filter(|(_, file)| is_wanted(file));
        let mut wanted: Vec<_> = wanted.map(|(place, file)| (key(file), place)).collect();
        // the files are in byte order already
        wanted.sort_unstable();
        for pair in wanted.windows(2) {
            if let [(below, one), (above, other)] = pair
                && order != Order::Bytes
                && below == above
            {
                listed.push((*other, *one));
            }
        }
        wanted.into_iter().map(|(_, place)| place).collect()
    }
}

/// Whether the name does not begin with the stem, the number after it, and the rest.
type SortKey = (bool, u64, String);

fn sort_key(order: Order, file: &str) -> SortKey {
    match order {
        Order::Bytes | Order::Listed => (false, 0, String::new()),
        Order::IgnoreCase => (false, 0, file.to_ascii_lowercase()),
        Order::Capitals => (false, 0, file.to_ascii_uppercase()),
        Order::NumberThenName => match after_stem(file, STEM) {
            Some(rest) => {
                let (number, rest) = strtoul(rest);
                (false, number, rest.to_ascii_lowercase())
            }
            None => (true, 0, file.to_ascii_lowercase()),
        },
    }
}

/// The rest of a name that begins with the stem in any case.
fn after_stem<'f>(file: &'f str, stem: &str) -> Option<&'f str> {
    let (start, rest) = file.split_at_checked(stem.len())?;
    start.eq_ignore_ascii_case(stem).then_some(rest)
}

/// The number at the start of a text and the rest, as C's `strtoul` reads them. A minus sign wraps around.
fn strtoul(text: &str) -> (u64, &str) {
    let blank = |c: char| matches!(c, ' ' | '\t'..='\r');
    let unsigned = text.trim_start_matches(blank);
    let (is_negative, digits) = match unsigned.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, unsigned.strip_prefix('+').unwrap_or(unsigned)),
    };
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let read = digits.strip_suffix(rest).unwrap_or_default();
    if read.is_empty() {
        return (0, text);
    }
    let number = read
        .bytes()
        .try_fold(0_u64, |number, digit| number.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
    match number {
        // out of range, whatever the sign
        None => (u64::MAX, rest),
        Some(number) if is_negative => (number.wrapping_neg(), rest),
        Some(number) => (number, rest),
    }
}

/// The names of a numbered run.
struct Run<'r> {
    stem: &'r str,
    extensions: &'r [Text],
    count: Option<u32>,
    gaps: Gaps,
    case: NumberedCase,
    spelling: Spelling,
}

impl<'r> Run<'r> {
    /// A run of all numbers, whose names compare exactly.
    fn of(stem: &'r str, extensions: &'r [Text]) -> Run<'r> {
        Run {
            stem,
            extensions,
            count: None,
            gaps: Gaps::Skip,
            case: NumberedCase::Lower,
            spelling: Spelling::Exact,
        }
    }

    /// The highest number that the engine tries, if any.
    fn last(&self) -> Option<u32> {
        self.count.map_or(Some(u32::MAX), |count| count.checked_sub(1))
    }

    fn name(&self, number: u32) -> String {
        match self.extensions.first() {
            Some(extension) => format!("{}{number}.{extension}", self.stem),
            None => format!("{}{number}", self.stem),
        }
    }

    /// The number in `pak12.pak` and the position of its extension, if the folder finds the file by the name
    /// that the engine opens.
    fn number(&self, file: &str) -> Option<(u32, usize)> {
        let (stem, rest) = file.split_at_checked(self.stem.len())?;
        let (digits, extension) = rest.rsplit_once('.')?;
        let in_other_case = match self.case {
            NumberedCase::Lower => false,
            NumberedCase::Capitals => !file.bytes().any(|byte| byte.is_ascii_lowercase()),
            NumberedCase::Ignored => true,
        };
        let same = |one: &str, other: &str| {
            self.spelling.same(one.as_bytes(), other.as_bytes())
                || in_other_case && one.eq_ignore_ascii_case(other)
        };
        let number: u32 = digits.parse().ok().filter(|_| same(stem, self.stem))?;
        let place = self.extensions.iter().position(|wanted| same(wanted, extension))?;
        // `01` and `+1` parse too
        (number.to_string() == digits).then_some((number, place))
    }

    /// The name that the engine asks for, if a file has it in some case.
    fn asked(&self, file: &str) -> Option<String> {
        let asked = format!("{}{}", self.stem, after_stem(file, self.stem)?.to_ascii_lowercase());
        self.number(&asked).map(|_| asked)
    }

    /// Whether a file is not numbered, but would be if its name were in the right case.
    fn has_in_other_case(&self, file: &str) -> bool {
        self.asked(file).is_some_and(|asked| asked != file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use crate::Rules;
    use crate::fault::tests::check as faults;

    /// Compares the loaded archives, low to high, and the skipped ones; `pak2.pak` has no entries.
    fn check(rules: &Rules, files: &str, archives: &str, skipped: &[&str]) {
        let files = files.split_whitespace().map(str::to_owned).collect();
        let probe = |file: &str| if file == "pak2.pak" { Probe::Empty } else { Probe::Usable };
        let order = rules.archives.load_order(files, false, Spelling::Exact, probe);
        let found: Vec<_> = order.archives.iter().map(|loaded| &*loaded.file).collect();
        assert_eq!(found.join(" "), archives);
        let found: Vec<_> = order.skipped.iter().map(|(file, why)| format!("{file}: {why:?}")).collect();
        assert_eq!(found, skipped);
    }

    fn others(
        extensions: &[&'static str],
        extension_case: Case,
        alike: LoadOrderCase,
        order: Order,
    ) -> ArchiveSet {
        let extensions: Vec<Text> = extensions.iter().map(|&extension| extension.into()).collect();
        ArchiveSet::Others { extensions: extensions.into(), extension_case, alike, order }
    }

    fn with_sets(sets: Vec<ArchiveSet>) -> Rules {
        let mut rules = Engine::WinQuake.rules().clone();
        rules.archives.sets = sets.into();
        rules
    }

    #[test]
    fn each_engine_loads_its_archives_in_its_order() {
        const FILES: &str = "pak0.pak pak1.pak pak3.pak pak10.pak PAK4.PAK zoo.pak Bee.PAK pak0.pk3 pak1.pk3 \
            ant.pk3 Cat.PK3 pak5.pkz pak0.sin";
        let table = "
            winquake   = pak0.pak pak1.pak
            quakespasm = pak0.pak pak1.pak
            quakespasm-0.95 = pak0.pak pak1.pak
            ironwail   = pak0.pak pak1.pak
            qss        = pak0.pak pak0.pk3 pak1.pak pak1.pk3 Bee.PAK PAK4.PAK pak10.pak pak3.pak zoo.pak Cat.PK3 ant.pk3
            qss-m      = pak0.pak pak0.pk3 pak1.pak pak1.pk3 Bee.PAK PAK4.PAK pak10.pak pak3.pak zoo.pak Cat.PK3 ant.pk3
            joequake   = pak0.pak pak1.pak
            darkplaces = Bee.PAK pak0.pak pak1.pak pak10.pak pak3.pak PAK4.PAK zoo.pak ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            darkplaces-2024 = Bee.PAK pak0.pak pak1.pak pak10.pak pak3.pak PAK4.PAK zoo.pak ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            xonotic    = Bee.PAK pak0.pak pak1.pak pak10.pak pak3.pak PAK4.PAK zoo.pak ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            nexuiz     = Bee.PAK pak0.pak pak1.pak pak10.pak pak3.pak PAK4.PAK zoo.pak ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            fte        = pak0.pak pak1.pak pak0.pk3 pak1.pk3 Bee.PAK pak10.pak pak3.pak PAK4.PAK zoo.pak ant.pk3 Cat.PK3
            mvdsv      = pak0.pak pak1.pak pak10.pak pak3.pak zoo.pak
            ezquake    = pak0.pak pak1.pak pak10.pak pak3.pak zoo.pak pak0.pk3 pak1.pk3 ant.pk3
            quake2     = pak0.pak pak1.pak pak3.pak
            yquake2    = pak0.pak pak1.pak pak3.pak pak10.pak pak0.pk3 pak1.pk3 pak5.pkz zoo.pak ant.pk3
            kmquake2   = pak0.pak pak1.pak pak3.pak pak10.pak pak0.pk3 pak1.pk3 zoo.pak ant.pk3
            q2pro      = pak0.pak pak1.pak pak3.pak PAK4.PAK pak5.pkz pak10.pak Bee.PAK zoo.pak
            q2rtx      = pak0.pak pak1.pak pak3.pak PAK4.PAK pak5.pkz pak10.pak Bee.PAK zoo.pak
            goldsrc    = Bee.PAK PAK4.PAK pak0.pak pak1.pak pak10.pak pak3.pak zoo.pak Cat.PK3 ant.pk3 pak0.pk3 pak1.pk3
            goldsrc-2023 = pak0.pak pak1.pak
            quakeworld = pak0.pak pak1.pak
            vkquake    = pak0.pak pak1.pak
            vkquake-1.35 = pak0.pak pak1.pak
            vkquake-1.34 = pak0.pak pak1.pak
            vkquake-1.32 = pak0.pak pak1.pak
            hexen2     = pak0.pak pak1.pak pak3.pak
            heretic2r  =
            sin        = pak0.sin
            daikatana  = pak0.pak pak1.pak pak3.pak
            ioquake3   = ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            quake3e    = ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            openarena  = ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            etlegacy   = ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            openjk     = ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            openjk-sp  = ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            openjo-sp  = ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            iortcw     = ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            iortcw-sp  = ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            urban-terror = ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            padman     = ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            smokin-guns = ant.pk3 Cat.PK3 pak0.pk3 pak1.pk3
            quake-kex  = pak0.pak pak1.pak
            quake2-kex = pak0.pak pak1.pak pak3.pak
            trenchbroom = Bee.PAK PAK4.PAK pak0.pak pak1.pak pak10.pak pak3.pak zoo.pak
            ericw-tools =
        ";
        let mut engines = Vec::new();
        for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (engine, expected) = line.split_once('=').unwrap();
            let engine: Engine = engine.trim().parse().unwrap();
            engines.push(engine);
            let files: Vec<_> = FILES.split_whitespace().map(str::to_owned).collect();
            let count = files.len();
            let order = engine.rules().archives.load_order(files, false, Spelling::Exact, |_| Probe::Usable);
            let found: Vec<_> = order.archives.iter().map(|loaded| &*loaded.file).collect();
            assert_eq!(found.join(" "), expected.trim(), "{engine}");
            assert_eq!(order.archives.len() + order.skipped.len(), count, "{engine}");
        }
        assert_eq!(engines, Engine::ALL);
    }

    #[test]
    fn a_numbered_run_ends_at_the_gap_and_each_file_after_it_is_reported() {
        check(
            Engine::WinQuake.rules(),
            "pak10.pak pak1.pak pak0.pak pak3.pak PAK2.PAK pak01.pak pak+4.pak maps.pak a.pk3 notes.txt",
            "pak0.pak pak1.pak",
            &[
                r#"PAK2.PAK: WrongCase { expected: "pak2.pak" }"#,
                "a.pk3: OtherKind",
                r#"maps.pak: NotNumbered { free: Some("pak4.pak") }"#,
                r#"pak+4.pak: NotNumbered { free: Some("pak4.pak") }"#,
                r#"pak01.pak: NotNumbered { free: Some("pak4.pak") }"#,
                r#"pak10.pak: AfterGap { missing: "pak2.pak", renames: [("PAK2.PAK", "pak2.pak"), ("pak10.pak", "pak4.pak")] }"#,
                r#"pak3.pak: AfterGap { missing: "pak2.pak", renames: [("PAK2.PAK", "pak2.pak"), ("pak10.pak", "pak4.pak")] }"#,
            ],
        );
    }

    #[test]
    fn an_archive_without_entries_ends_the_run_of_the_engines_that_stop_there() {
        check(
            Engine::QuakeSpasm.rules(),
            "pak0.pak pak1.pak pak2.pak pak3.pak",
            "pak0.pak pak1.pak",
            &["pak2.pak: EmptyEndsRun", r#"pak3.pak: AfterEmpty { empty: "pak2.pak" }"#],
        );
        check(Engine::WinQuake.rules(), "pak0.pak pak1.pak pak2.pak", "pak0.pak pak1.pak pak2.pak", &[]);
        let all_empty = |engine: Engine| {
            let files = vec!["pak0.pak".to_owned(), "pak1.pak".to_owned()];
            engine.rules().archives.load_order(files, true, Spelling::Exact, |_| Probe::Empty).archives.len()
        };
        assert_eq!((all_empty(Engine::Ironwail), all_empty(Engine::VkQuake)), (0, 1));
    }

    #[test]
    fn numbers_end_where_the_engine_stops_counting() {
        check(
            Engine::Quake2.rules(),
            "pak3.pak pak9.pak pak10.pak pak4294967296.pak",
            "pak3.pak pak9.pak",
            &[
                r#"pak10.pak: BeyondLast { last: "pak9.pak", free: Some("pak8.pak") }"#,
                r#"pak4294967296.pak: NotNumbered { free: Some("pak7.pak") }"#,
            ],
        );
        let numbered = |count| {
            let extensions: Vec<Text> = vec!["pak".into()];
            let extensions = extensions.into();
            with_sets(vec![ArchiveSet::Numbered {
                stem: STEM.into(),
                extensions,
                count,
                gaps: Gaps::Skip,
                case: NumberedCase::Lower,
            }])
        };
        check(&numbered(None), "pak0.pak pak4294967295.pak", "pak0.pak pak4294967295.pak", &[]);
        check(&numbered(Some(0)), "pak0.pak", "", &["pak0.pak: NotNumbered { free: None }"]);
    }

    #[test]
    fn archives_with_a_prefix_are_skipped_or_sorted_under_another_name() {
        check(
            Engine::IoRtcw.rules(),
            "mp_a.pk3 MP_b.pk3 sp_a.pk3 SP_b.pk3 zz_c.pk3 pak0.pk3 zza.pk3 ~.pk3",
            "MP_b.pk3 pak0.pk3 SP_b.pk3 zza.pk3 mp_a.pk3 ~.pk3",
            &[r#"sp_a.pk3: Prefix { starts: "sp_" }"#, r#"zz_c.pk3: Prefix { starts: "zz_" }"#],
        );
        let skipped = &[r#"DL_a.pk3: Prefix { starts: "dl_" }"#, r#"dl_b.pk3: Prefix { starts: "dl_" }"#];
        check(Engine::OpenJk.rules(), "DL_a.pk3 dl.pk3 dl_b.pk3", "dl.pk3", skipped);
    }

    #[test]
    fn an_entry_of_one_archive_may_be_passed_over() {
        let archives = &Engine::IoRtcw.rules().archives;
        assert!(archives.passes_over_entry("Pak0.PK3", b"maps/a.BSP"));
        assert!(!archives.passes_over_entry("pak1.pk3", b"maps/a.bsp"));
        assert!(!archives.passes_over_entry("pak0.pk3", b"sp"));
        let archives = &Engine::KmQuake2.rules().archives;
        assert!(archives.passes_over_entry("a.pk3", b"SAVE/a.sav"));
        assert!(archives.passes_over_entry("pak0.pak", b"autoexec.cfg.old"));
        assert!(!archives.passes_over_entry("pak0.pak", b"x/autoexec.cfg"));
        let form = |text: &'static str| {
            move |rules: &mut Rules| rules.archives.skipped_entries = vec![text.into()].into()
        };
        for text in ["pak0.pk3", "/*.bsp", "maps/a/*.bsp"] {
            let fault = format!(
                "archives.skipped-entries[0]: {text:?} has not the form ARCHIVE/*END or ARCHIVE/START*"
            );
            faults(form(text), &[&fault]);
        }
    }

    #[test]
    fn a_name_in_capitals_replaces_a_missing_number_if_the_engine_accepts_it() {
        check(
            Engine::EzQuake.rules(),
            "pak0.pak PAK0.PAK PAK1.PAK Pak2.pak PAK2.PAK",
            "pak0.pak PAK1.PAK PAK2.PAK",
            &[
                r#"PAK0.PAK: WrongCase { expected: "PAK0.pak" }"#,
                r#"Pak2.pak: AlikeLoaded { loaded: "PAK2.PAK" }"#,
            ],
        );
    }

    #[test]
    fn a_later_set_loads_archives_that_an_earlier_run_skipped() {
        check(Engine::Fte.rules(), "pak0.pak pak2.pak", "pak0.pak pak2.pak", &[]);
        check(Engine::Mvdsv.rules(), "pak5.pak pak0.pak", "pak0.pak pak5.pak", &[]);
        check(
            Engine::YQuake2.rules(),
            "pak3.pak Pak3.pak Pak4.pak pak100.pak x.PAK",
            "pak3.pak pak100.pak",
            &[
                r#"Pak3.pak: NotNumbered { free: Some("pak5.pak") }"#,
                r#"Pak4.pak: WrongCase { expected: "pak4.pak" }"#,
                r#"x.PAK: WrongCase { expected: "x.pak" }"#,
            ],
        );
    }

    #[test]
    fn of_two_names_that_differ_only_in_case_the_second_may_be_skipped() {
        check(
            Engine::DarkPlaces.rules(),
            "a.pak A.PAK b.pak A.pk3",
            "A.PAK b.pak A.pk3",
            &[r#"a.pak: AlikeLoaded { loaded: "A.PAK" }"#],
        );
        check(
            Engine::Fte.rules(),
            "pak0.PAK pak0.pak",
            "pak0.pak",
            &[r#"pak0.PAK: AlikeLoaded { loaded: "pak0.pak" }"#],
        );
        check(Engine::IoQuake3.rules(), "a.pk3 A.PK3", "A.PK3 a.pk3", &[]);
        // of two reasons, the last set's counts
        let mut sets = Engine::WinQuake.rules().archives.sets.to_vec();
        sets.push(others(&["pak"], Case::Ignored, LoadOrderCase::SkipSecond, Order::Bytes));
        check(
            &with_sets(sets),
            "PAK3.pak pak3.pak",
            "PAK3.pak",
            &[r#"pak3.pak: AlikeLoaded { loaded: "PAK3.pak" }"#],
        );
    }

    #[test]
    fn the_rules_choose_the_order() {
        let with = |order| with_sets(vec![others(&["pak"], Case::Ignored, LoadOrderCase::Loaded, order)]);
        check(&with(Order::Bytes), "pak10.pak pak2.pak b.pak A.PAK", "A.PAK b.pak pak10.pak pak2.pak", &[]);
        check(
            &with(Order::IgnoreCase),
            "pak10.pak pak2.pak B.pak a.PAK",
            "a.PAK B.pak pak10.pak pak2.pak",
            &[],
        );
        let rules = with(Order::NumberThenName);
        check(&rules, "pak10.pak pak2.pak b.pak pakx.pak", "pakx.pak pak2.pak pak10.pak b.pak", &[]);
    }

    #[test]
    fn a_number_is_read_like_strtoul_and_the_rest_decides_between_equal_ones() {
        check(
            Engine::Q2Pro.rules(),
            "pak-1.pak pak2.pak pak01b.pak pak1.pak pak1a.pak a.pak .x.pak",
            "pak1.pak pak1a.pak pak01b.pak pak2.pak pak-1.pak a.pak",
            &[".x.pak: Hidden"],
        );
        assert_eq!(strtoul(" +7x"), (7, "x"));
        assert_eq!(strtoul("-1."), (u64::MAX, "."));
        assert_eq!(strtoul("-x"), (0, "-x"));
        assert_eq!(strtoul("99999999999999999999."), (u64::MAX, "."));
    }

    #[test]
    fn a_file_that_is_not_an_archive_is_missing_in_a_run_unless_the_engine_stops() {
        let order = |rules: &Rules, of_one: Probe| {
            let files = ["pak0.pak", "pak1.pak", "pak2.pak"].map(str::to_owned).to_vec();
            let order = rules.archives.load_order(files, false, Spelling::Exact, |file| {
                if file == "pak1.pak" { of_one } else { Probe::Usable }
            });
            let names: Vec<_> = order.archives.iter().map(|loaded| loaded.file.clone()).collect();
            (names.join(" "), order.skipped.len())
        };
        // the file itself is opened again, and reported
        assert_eq!(order(Engine::WinQuake.rules(), Probe::Unusable), ("pak0.pak pak1.pak".to_owned(), 1));
        assert_eq!(order(Engine::WinQuake.rules(), Probe::Fatal).0, "pak0.pak pak1.pak pak2.pak");
        assert_eq!(order(Engine::Fte.rules(), Probe::Unusable).0, "pak0.pak pak1.pak pak2.pak");
        assert_eq!(order(Engine::QuakeSpasm.rules(), Probe::Empty), ("pak0.pak".to_owned(), 2));
    }

    #[test]
    fn an_extension_continues_the_run_if_another_one_is_missing() {
        let files = ["pak0.pak", "pak0.pk3", "pak1.pk3", "pak3.pak"].map(str::to_owned).to_vec();
        let order = Engine::Qss.rules().archives.load_order(files, false, Spelling::Exact, |file| {
            if file == "pak0.pak" { Probe::Empty } else { Probe::Usable }
        });
        let names: Vec<_> = order.archives.iter().map(|loaded| &*loaded.file).collect();
        assert_eq!(names, ["pak0.pk3", "pak1.pk3", "pak0.pak", "pak3.pak"]);
        assert_eq!(order.listed, [("pak3.pak".to_owned(), "pak0.pak".to_owned())]);
    }

    #[test]
    fn the_extension_decides_the_kind_of_archive() {
        let kinds = |rules: &Rules| {
            let files = ["a.KPF", "b.zip", "c.pak", "d.pk3", "e.wad"].map(str::to_owned).to_vec();
            let kinds = rules
                .archives
                .load_order(files, false, Spelling::Exact, |_| Probe::Usable)
                .archives
                .into_iter();
            kinds.map(|loaded| format!("{} {:?}", loaded.file, loaded.kind)).collect::<Vec<_>>().join(", ")
        };
        let set =
            others(&["kpf", "zip", "pak", "pk3", "wad"], Case::Ignored, LoadOrderCase::Loaded, Order::Bytes);
        let expected = "a.KPF Zip, b.zip Zip, c.pak Pak, d.pk3 Zip, e.wad Pak";
        assert_eq!(kinds(&with_sets(vec![set])), expected);
    }

    #[test]
    fn files_named_like_an_archive_of_any_engine_or_of_own_rules_are_reported() {
        check(
            &with_sets(vec![others(&["wad"], Case::Exact, LoadOrderCase::Loaded, Order::Bytes)]),
            "a.wad B.WAD c.pkz d.sin e.txt f.zip sin pak",
            "a.wad",
            &[
                r#"B.WAD: WrongCase { expected: "B.wad" }"#,
                "c.pkz: OtherKind",
                "d.sin: OtherKind",
                "f.zip: OtherKind",
            ],
        );
        let archives = &Engine::WinQuake.rules().archives;
        assert!(archives.is_archive_name("x.PAK") && archives.is_archive_name(".pk3"));
        assert!(!archives.is_archive_name("pak") && !archives.is_archive_name("x.pak.bak"));
        assert!(archives.sets[0].is_first("pak0.pak") && !archives.sets[0].is_first("pak1.pak"));
        assert_eq!(ArchiveKind::of("pak0.PK3"), Some(ArchiveKind::Zip));
        assert_eq!(ArchiveKind::of("maps.wad"), None);
    }

    #[test]
    fn a_numbered_run_has_the_names_that_the_engine_asks_for() {
        check(
            Engine::Heretic2R.rules(),
            "Htic2-0.pak Htic2-2.pak htic2-1.pak HTIC2-2.PAK Htic2-10.pak pak0.pak",
            "Htic2-0.pak Htic2-2.pak",
            &[
                r#"HTIC2-2.PAK: NotNumbered { free: Some("Htic2-3.pak") }"#,
                r#"Htic2-10.pak: BeyondLast { last: "Htic2-9.pak", free: Some("Htic2-4.pak") }"#,
                r#"htic2-1.pak: WrongCase { expected: "Htic2-1.pak" }"#,
                r#"pak0.pak: NotNumbered { free: Some("Htic2-5.pak") }"#,
            ],
        );
    }

    #[test]
    fn without_files_or_sets_no_archive_is_loaded() {
        check(Engine::WinQuake.rules(), "", "", &[]);
        check(&with_sets(Vec::new()), "pak0.pak", "", &["pak0.pak: NoneLoaded"]);
    }

    #[test]
    fn many_files_take_time_in_proportion() {
        let files: Vec<String> = (0..7_000)
            .flat_map(|number| {
                [format!("pak{number}.pak"), format!("Pak{number}.pak"), format!("x{number}.PK3")]
            })
            .collect();
        for engine in Engine::ALL {
            let order =
                engine.rules().archives.load_order(files.clone(), false, Spelling::Exact, |_| Probe::Usable);
            assert_eq!(order.archives.len() + order.skipped.len(), files.len(), "{engine}");
        }
    }

    #[test]
    fn a_set_that_loads_nothing_is_a_fault() {
        let numbered = ArchiveSet::Numbered {
            stem: "a/pak".into(),
            extensions: Vec::new().into(),
            count: Some(0),
            gaps: Gaps::Skip,
            case: NumberedCase::Lower,
        };
        faults(
            |rules| {
                let others = others(&["ZIP", "wad", "ZIP"], Case::Exact, LoadOrderCase::Loaded, Order::Bytes);
                rules.archives.sets = vec![numbered, others].into();
                rules.stops = Vec::new().into();
            },
            &[
                "archives.sets[0].extensions: the list is empty",
                "archives.sets[0].stem: no effect, because a file's name has no slash",
                "archives.sets[0]: no effect, because its count is 0",
                r#"archives.sets[1].extensions[1]: no archive format has the extension "wad""#,
                "archives.sets[1].extensions[2]: no effect, because it is in the list already",
            ],
        );
        let others = others(&["pak"], Case::Exact, LoadOrderCase::Loaded, Order::Bytes);
        faults(
            |rules| rules.archives.sets = vec![others.clone(), others].into(),
            &["archives.sets[1]: no effect, because it is in the list already"],
        );
    }

    #[test]
    fn a_rule_about_archives_that_are_not_loaded_is_a_fault() {
        faults(
            |rules| rules.archives.skips_hidden = true,
            &["archives.hidden: no effect, because no set lists a folder"],
        );
        faults(
            |rules| {
                rules.archives.sets = Vec::new().into();
                rules.archives.nested_paks = NestedPaks::Above;
                rules.archives.wrong_ends_directory = true;
                rules.stops = Vec::new().into();
            },
            &[
                "archives.nested-paks: no effect, because no set has PACK archives",
                "archives.wrong: no effect, because no archive of a game directory is loaded",
            ],
        );
        let own = |file: &'static str, instead_of: Option<&'static str>| OwnArchive {
            file: file.into(),
            place: OwnPlace::Lowest,
            instead_of: instead_of.map(Text::from),
            only: List::default(),
        };
        faults(
            |rules| {
                let list = vec![
                    own("a.pak", Some("qw")),
                    own("../b.pak", None),
                    own("c", Some("id1")),
                    own("c", None),
                ];
                rules.archives.own = list.into();
            },
            &[
                "archives.own[0].instead-of: no effect, because directories.base does not have it",
                r#"archives.own[1].file: the directory "../b.pak" is not below the base directory"#,
                r#"archives.own[2].file: no archive format has the extension """#,
                r#"archives.own[3].file: no archive format has the extension """#,
                "archives.own[3]: no effect, because it is in the list already",
            ],
        );
    }
}
