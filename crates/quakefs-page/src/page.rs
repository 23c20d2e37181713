//! What the page shows, as data.

use std::collections::HashMap;
use std::ops::ControlFlow;

use quakefs::content::ContentType;
use quakefs::findings::{FindingKind, Place};
use quakefs::why::words::{self, Say as _};
use quakefs::why::{Amount, Explanation, LayerAmounts, Registration, Shadow};
use quakefs::{File, Finding, Layer, SearchPath};
use quakefs_needs::{Levels, Options};
use serde::{Serialize, Serializer};

use crate::previews::{self, LeftOut, Made, Previews, Wanted};

/// What a page shows.
#[derive(Serialize)]
pub struct Page<'a> {
    made_by: &'static str,
    engine: &'a str,
    /// The game directories that are there, highest first.
    game: Vec<String>,
    /// Whether the engine would start.
    starts: bool,
    registration: Option<&'static str>,
    layers: Vec<PageLayer>,
    /// Archives that the engine leaves out.
    not_loaded: Vec<NotLoaded>,
    /// The words for what files hold, which a file names by number.
    types: Vec<&'static str>,
    folders: Vec<Folder>,
    conflicts: Vec<Conflict>,
    /// The rules between copies, which a copy names by number.
    rules: Vec<String>,
    findings: Vec<PageFinding>,
    /// Files that levels ask for and nothing serves.
    missing: Vec<PageMissing>,
    /// Findings that are counted alone, by kind.
    more_findings: Vec<(&'static str, usize)>,
    previews: Previews,
    left_out: LeftOut,
    /// The files of each folder.
    #[serde(skip)]
    files: Vec<Vec<File<'a>>>,
    /// The copies of each conflict.
    #[serde(skip)]
    copies: Vec<Vec<File<'a>>>,
}

#[derive(Serialize)]
struct PageLayer {
    name: String,
    kind: &'static str,
    /// Whether the folder is on disk.
    there: bool,
    entries: Option<usize>,
    /// Files and bytes.
    serves: (u64, u64),
    hides: (u64, u64),
    hidden: (u64, u64),
    problems: usize,
}

#[derive(Serialize)]
struct NotLoaded {
    name: String,
    /// The number of the layer that is the loose files beside it.
    beside: Option<usize>,
    reason: String,
    help: String,
    /// The name and the size of each entry.
    files: Vec<(String, u64)>,
}

#[derive(Serialize)]
struct Folder {
    name: String,
    files: Vec<FileRow>,
}

/// A served file; an array in the page, as there are many.
struct FileRow {
    name: String,
    layer: usize,
    holds: usize,
    size: u64,
    entry: Option<usize>,
    conflict: Option<usize>,
    /// Of a file with a conflict, the preview is that of its first copy.
    preview: Option<usize>,
}

impl Serialize for FileRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let FileRow { name, layer, holds, size, entry, conflict, preview } = self;
        (name, layer, holds, size, entry, conflict, preview).serialize(serializer)
    }
}

#[derive(Serialize)]
struct Conflict {
    name: String,
    /// The copy that is served, then those that it hides, from the highest down.
    copies: Vec<CopyRow>,
}

/// A copy of a file; an array in the page.
struct CopyRow {
    layer: usize,
    entry: Option<usize>,
    size: u64,
    /// Whether its bytes are those of the copy that is served; `None` for that one, and where they were not compared.
    same: Option<bool>,
    rule: Option<usize>,
    preview: Option<usize>,
    /// The name as stored, where that is another.
    stored: Option<String>,
}

impl CopyRow {
    /// The same bytes have the same preview.
    fn is_same(&self) -> bool {
        self.same == Some(true)
    }
}

impl Serialize for CopyRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let CopyRow { layer, entry, size, same, rule, preview, stored } = self;
        (layer, entry, size, same, rule, preview, stored).serialize(serializer)
    }
}

#[derive(Serialize)]
struct PageFinding {
    severity: &'static str,
    kind: &'static str,
    place: String,
    reason: String,
    help: String,
    stops: bool,
    /// The name of the served file that it is about.
    name: Option<String>,
    layer: Option<usize>,
}

/// A file that levels ask for and nothing serves.
#[derive(Serialize)]
struct PageMissing {
    name: String,
    kind: &'static str,
    /// The first who asks, as a chain.
    by: String,
    levels: Vec<String>,
    reason: String,
    help: String,
}

/// What the levels of the game ask for and nothing serves, each file once. The base game's levels are left out.
fn missing(stack: &SearchPath) -> Vec<PageMissing> {
    let levels = Levels::new(stack, Options::default());
    let names = if levels.is_base_game() { Vec::new() } else { levels.own() };
    let mut found: Vec<PageMissing> = Vec::new();
    let mut places: HashMap<Vec<u8>, usize> = HashMap::new();
    for (level, needs) in names.iter().zip(levels.of(&names)) {
        let level = level.to_string();
        for need in needs.missing() {
            let place = *places.entry(need.name.as_bytes().to_vec()).or_insert(found.len());
            if place == found.len() {
                let said = match quakefs::why::explain(stack, &need.name) {
                    Explanation::Missing(missing) => Some(missing.say()),
                    Explanation::Served { .. } => None,
                };
                found.push(PageMissing {
                    name: need.name.to_string(),
                    kind: need.kind.name(),
                    by: quakefs_needs::words::chain(need),
                    levels: Vec::new(),
                    help: said.as_ref().and_then(|said| said.help()).unwrap_or_default().to_owned(),
                    reason: said.map(|said| said.to_string()).unwrap_or_default(),
                });
            }
            if let Some(missing) =
                found.get_mut(place).filter(|missing| missing.levels.last() != Some(&level))
            {
                missing.levels.push(level.clone());
            }
        }
    }
    found
}

/// How much is in a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Counts {
    /// Layers that are there.
    pub layers: usize,
    /// Files that are served.
    pub files: usize,
    /// Names with several copies.
    pub conflicts: usize,
    /// Findings of the mount and of the check.
    pub findings: usize,
    /// Files that levels ask for and nothing serves.
    pub missing: usize,
    /// Previews that show something.
    pub previews: usize,
    /// Previews for which there was no room.
    pub previews_left_out: usize,
    /// Sounds that can be played.
    pub sounds: usize,
    /// Sounds whose bytes had no room.
    pub sounds_left_out: usize,
}

/// The most findings of one kind that are written out.
const FINDINGS: usize = 500;

impl<'a> Page<'a> {
    /// Everything but the previews. In sentences the folder `home` is `~`.
    #[must_use]
    pub fn new(search_path: &'a SearchPath, home: Option<&str>) -> Self {
        Page::of(search_path, home, &quakefs::why::check(search_path), missing(search_path), true)
    }

    /// What is known after the mount, before a file is read: hidden copies are not compared, and no level is asked what it needs.
    #[must_use]
    pub fn mounted(search_path: &'a SearchPath) -> Self {
        let findings: Vec<_> = search_path.findings().cloned().collect();
        Page::of(search_path, None, &findings, Vec::new(), false)
    }

    fn of(
        search_path: &'a SearchPath,
        home: Option<&str>,
        findings: &[Finding],
        missing: Vec<PageMissing>,
        compares: bool,
    ) -> Self {
        let shown = Shown::new(home);
        let mut page = Page {
            made_by: concat!("quakefs ", env!("CARGO_PKG_VERSION")),
            engine: &search_path.rules().name,
            game: game_directories(search_path),
            starts: quakefs::why::starts(search_path).is_ok(),
            registration: quakefs::why::registration(search_path).map(Registration::name),
            layers: layers(search_path, findings, &shown),
            not_loaded: not_loaded(search_path, &shown),
            types: Vec::new(),
            folders: Vec::new(),
            conflicts: Vec::new(),
            rules: Vec::new(),
            findings: Vec::new(),
            missing,
            more_findings: Vec::new(),
            previews: Previews::default(),
            left_out: LeftOut::default(),
            files: Vec::new(),
            copies: Vec::new(),
        };
        let mut same = SameBytes::known(search_path, findings, compares);
        page.add_conflicts(search_path, &mut same, &shown);
        page.add_files(search_path);
        page.add_findings(search_path, findings, &shown);
        page
    }

    fn add_conflicts(&mut self, search_path: &'a SearchPath, same: &mut SameBytes<'_>, shown: &Shown) {
        let shadows = quakefs::why::shadows(search_path);
        let mut rules: HashMap<String, usize> = HashMap::new();
        for group in shadows.chunk_by(|a, b| a.winner.is_same_file(&b.winner)) {
            let Some(Shadow { winner, .. }) = group.first() else { continue };
            let name = winner.name().to_string();
            let row = |hit: &File<'_>, same, rule| {
                let stored = Some(hit.stored().to_string()).filter(|stored| *stored != name);
                CopyRow {
                    layer: hit.layer().index(),
                    entry: hit.entry(),
                    size: hit.size(),
                    same,
                    rule,
                    preview: None,
                    stored,
                }
            };
            let mut copies = vec![row(winner, None, None)];
            for shadow in group {
                let rule = quakefs::why::precedence(search_path, winner, &shadow.hidden);
                let rule = shown.text(rule.say().to_string());
                let next = rules.len();
                let rule = *rules.entry(rule).or_insert(next);
                copies.push(row(&shadow.hidden, same.of(shadow), Some(rule)));
            }
            self.conflicts.push(Conflict { name, copies });
            let hidden = group.iter().map(|shadow| shadow.hidden.clone());
            self.copies.push(std::iter::once(winner.clone()).chain(hidden).collect());
        }
        let mut sorted: Vec<_> = rules.into_iter().collect();
        sorted.sort_unstable_by_key(|(_, number)| *number);
        self.rules = sorted.into_iter().map(|(rule, _)| rule).collect();
    }

    fn add_files(&mut self, search_path: &'a SearchPath) {
        let conflicts: HashMap<_, _> = (self.conflicts.iter().enumerate())
            .map(|(number, conflict)| (conflict.name.clone(), number))
            .collect();
        let mut folders: HashMap<Vec<u8>, usize> = HashMap::new();
        for hit in search_path.files() {
            let (path, last) = split(hit.name().as_bytes());
            let next = folders.len();
            let folder = *folders.entry(path.to_vec()).or_insert(next);
            if folder == next {
                let name = quakefs::EntryName::from_bytes(path).to_string();
                self.folders.push(Folder { name, files: Vec::new() });
                self.files.push(Vec::new());
            }
            let content = ContentType::of(last).name();
            let holds = self.types.iter().position(|known| *known == content).unwrap_or(self.types.len());
            if holds == self.types.len() {
                self.types.push(content);
            }
            let conflict = conflicts.get(&hit.name().to_string()).copied();
            let name = quakefs::EntryName::from_bytes(last).to_string();
            let row = FileRow {
                name,
                layer: hit.layer().index(),
                holds,
                size: hit.size(),
                entry: hit.entry(),
                conflict,
                preview: None,
            };
            if let (Some(folder), Some(hits)) = (self.folders.get_mut(folder), self.files.get_mut(folder)) {
                folder.files.push(row);
                hits.push(hit);
            }
        }
    }

    fn add_findings(&mut self, search_path: &SearchPath, findings: &[Finding], shown: &Shown) {
        let mut of_kind: Vec<(&'static str, usize)> = Vec::new();
        for finding in findings {
            let (kind, place, said) = (finding.kind.name(), &finding.place, finding.say());
            let known = of_kind.iter().position(|(known, _)| *known == kind).unwrap_or_else(|| {
                of_kind.push((kind, 0));
                of_kind.len() - 1
            });
            let Some((_, count)) = of_kind.get_mut(known) else { continue };
            *count += 1;
            if *count > FINDINGS {
                continue;
            }
            self.findings.push(PageFinding {
                severity: finding.severity.name(),
                kind,
                name: place.name().map(|name| name.to_string()),
                layer: search_path.layers().position(|layer| layer.has(place)),
                place: shown.text(place.to_string()),
                help: shown.text(said.help().unwrap_or_default().to_owned()),
                reason: shown.text(said.to_string()),
                stops: finding.stops_engine(),
            });
        }
        let more = of_kind.into_iter().map(|(kind, count)| (kind, count.saturating_sub(FINDINGS)));
        self.more_findings = more.filter(|(_, more)| *more > 0).collect();
    }

    /// Fills so many bytes with previews: copies beside each other first. `progress` is given how many files are done of all, from 0; a
    /// break of it ends the work, and is given back.
    pub fn add_previews(
        &mut self,
        search_path: &SearchPath,
        room: usize,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let base = &search_path.rules().directories.base;
        let of_base = |hit: &File<'_>| {
            let directory = hit.layer().game_directory();
            directory.is_some_and(|directory| base.iter().any(|base| *base == *last(&directory.name)))
        };
        let mut wanted = Vec::new();
        for (conflict, hits) in self.conflicts.iter().zip(&self.copies) {
            let copies = conflict.copies.iter().zip(hits).filter(|(copy, _)| !copy.is_same());
            let of_base = hits.first().is_some_and(of_base);
            wanted.extend(copies.map(|(_, hit)| Wanted { hit, compared: true, of_base }));
        }
        for (folder, hits) in self.folders.iter().zip(&self.files) {
            let files = folder.files.iter().zip(hits).filter(|(file, _)| file.conflict.is_none());
            wanted.extend(files.map(|(_, hit)| Wanted { hit, compared: false, of_base: of_base(hit) }));
        }
        let Made { previews, numbers, left_out } = previews::make(search_path, &wanted, room, progress)?;
        let mut numbers = numbers.into_iter();
        for conflict in &mut self.conflicts {
            let mut copies = conflict.copies.iter_mut();
            let Some(served) = copies.next() else { continue };
            served.preview = numbers.next().flatten();
            for copy in copies {
                copy.preview = if copy.is_same() { served.preview } else { numbers.next().flatten() };
            }
        }
        let files = self.folders.iter_mut().flat_map(|folder| &mut folder.files);
        for file in files.filter(|file| file.conflict.is_none()) {
            file.preview = numbers.next().flatten();
        }
        (self.previews, self.left_out) = (previews, left_out);
        ControlFlow::Continue(())
    }

    /// How much is in the page.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts {
            conflicts: self.conflicts.len(),
            missing: self.missing.len(),
            previews_left_out: self.left_out.previews,
            sounds_left_out: self.left_out.sounds,
            layers: self.layers.iter().filter(|layer| layer.there).count(),
            files: self.files.iter().map(Vec::len).sum(),
            findings: self.findings.len() + self.more_findings.iter().map(|(_, more)| more).sum::<usize>(),
            previews: self.previews.shown(),
            sounds: self.previews.sounds(),
        }
    }
}

impl std::fmt::Debug for Page<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Page").field("game", &self.game).field("counts", &self.counts()).finish()
    }
}

/// The folder and the last part of a name.
fn split(name: &[u8]) -> (&[u8], &[u8]) {
    match name.iter().rposition(|&byte| byte == b'/') {
        Some(slash) => (name.get(..slash).unwrap_or_default(), name.get(slash + 1..).unwrap_or_default()),
        None => (&[], name),
    }
}

/// The last part of a path.
fn last(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// The game directories that are there, and what was put on top of them, each once, highest first.
fn game_directories(search_path: &SearchPath) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for layer in search_path.layers().filter(|layer| layer.is_there()) {
        // where those of the user lie is of the machine
        let name = last(layer.game_directory().map_or(layer.name(), |directory| &directory.name));
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// Text in which the home folder of the person who makes the page is `~`.
struct Shown {
    home: Option<String>,
}

impl Shown {
    fn new(home: Option<&str>) -> Self {
        let home = home.map(|home| format!("{}/", home.replace('\\', "/").trim_end_matches('/')));
        Shown { home: home.filter(|home| home.len() > 1) }
    }

    fn text(&self, text: String) -> String {
        match &self.home {
            Some(home) if text.contains(home) => text.replace(home, "~/"),
            _ => text,
        }
    }
}

/// The archives that the rules leave out, and what is in those that can be read.
fn not_loaded(search_path: &SearchPath, shown: &Shown) -> Vec<NotLoaded> {
    let archive = |(name, path): &(String, camino::Utf8PathBuf)| {
        let place = Place::layer(&**name);
        let finding = search_path.findings().find(|finding| finding.place == place);
        let folder = name.rsplit_once('/').map(|(folder, _)| format!("{folder}/"));
        let opened = search_path.open_left_out(path).ok();
        let files = opened.iter().flat_map(quakefs::Archive::entries);
        NotLoaded {
            name: shown.text(name.clone()),
            beside: search_path.layers().position(|layer| Some(layer.name()) == folder.as_deref()),
            reason: shown.text(finding.map(words::cause).unwrap_or_default()),
            help: shown
                .text(finding.and_then(|finding| Some(finding.say().help()?.to_owned())).unwrap_or_default()),
            files: files.map(|entry| (entry.name().to_string(), entry.size())).collect(),
        }
    };
    search_path.left_out().iter().map(archive).collect()
}

fn layers(search_path: &SearchPath, findings: &[Finding], shown: &Shown) -> Vec<PageLayer> {
    let pair = |amount: Amount| (amount.files, amount.bytes);
    let problems = |layer: &Layer| findings.iter().filter(|finding| layer.has(&finding.place)).count();
    let layer = |(layer, amounts): (&Layer, LayerAmounts)| PageLayer {
        name: shown.text(layer.name().to_owned()),
        kind: layer.kind().name(),
        there: layer.is_there(),
        entries: layer.entries(),
        serves: pair(amounts.serves),
        hides: pair(amounts.hides),
        hidden: pair(amounts.hidden),
        problems: problems(layer),
    };
    search_path.layers().zip(quakefs::why::layer_amounts(search_path)).map(layer).collect()
}

/// Which hidden copies hold the bytes of the one that is served: the check has compared them already.
struct SameBytes<'f> {
    /// Each with the copy that is served, sorted.
    pairs: Vec<(&'f Place, &'f Place)>,
    /// `None` where nothing is to be read.
    budget: Option<pak_format::verify::DecodeBudget>,
}

impl<'f> SameBytes<'f> {
    fn known(search_path: &SearchPath, findings: &'f [Finding], compares: bool) -> Self {
        let pairs = findings.iter().filter_map(|finding| match &finding.kind {
            FindingKind::SameBytes { hidden } => Some((hidden, &finding.place)),
            _ => None,
        });
        let budget = compares.then(|| quakefs::why::decode_budget(search_path));
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        SameBytes { pairs, budget }
    }

    /// `None` where a copy cannot be read, or would take too long.
    fn of(&mut self, shadow: &Shadow<'_>) -> Option<bool> {
        let hidden = shadow.hidden.place();
        if self.pairs.binary_search(&(&hidden, &shadow.winner.place())).is_ok() {
            return Some(true);
        }
        // those of one size that the check did not report differ, or were not read
        shadow.is_same_content_within(self.budget.as_mut()?).ok().flatten()
    }
}
