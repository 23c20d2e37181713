//! The data of the page.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::ControlFlow;

use quakefs::content::ContentType;
use quakefs::findings::{FindingKind, Location};
use quakefs::sentences::Help as _;
use quakefs::why::{Explanation, Overridden, Registration};
use quakefs::{EntryName, File, Finding, Layer, SearchPath};
use quakefs_game::{AdviceRow, Checked, FindingRow, Game, Needed, Problem, VerdictRow, known};
use quakefs_needs::{Kind, Trouble};
use serde::{Serialize, Serializer};

use crate::previews::{self, Made, Omitted, Previews, Wanted};

/// The data of a page: layers, files, conflicts, findings and previews.
#[derive(Serialize)]
pub struct Page<'a> {
    made_by: &'static str,
    engine: &'a str,
    /// The version that the engine's rules describe; `None` for a caller's rules.
    as_of: Option<String>,
    /// A sentence about facts that are not known of the engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_known: Option<String>,
    /// The game directories on disk, highest first.
    game: Vec<String>,
    /// The directories of the base game.
    base: Vec<&'a str>,
    /// Whether the engine would start.
    starts: bool,
    /// What all findings come to; none before the files are read.
    verdict: Option<VerdictRow>,
    registration: Option<&'static str>,
    layers: Vec<PageLayer>,
    /// The skipped archives.
    skipped: Vec<SkippedArchive>,
    /// Names of content types. A file refers to one by number.
    types: Vec<&'static str>,
    folders: Vec<FolderRow<'a>>,
    conflicts: Vec<Conflict<'a>>,
    /// Reasons why a copy is overridden. A copy refers to one by number.
    rules: Vec<String>,
    findings: Vec<FindingRow>,
    missing: Vec<PageMissing>,
    /// For each kind, the number of findings beyond [`FINDINGS`].
    more_findings: Vec<(&'static str, usize)>,
    previews: Previews,
    omitted: Omitted,
}

#[derive(Serialize)]
struct PageLayer {
    name: String,
    kind: &'static str,
    /// Whether the folder is on disk.
    there: bool,
    entries: Option<usize>,
    /// The game and edition of a known archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<String>,
    /// Files and bytes of winners, of the copies that they override, and of overridden copies in this layer.
    serves: (u64, u64),
    overrides: (u64, u64),
    overridden: (u64, u64),
    problems: usize,
}

/// A skipped archive.
#[derive(Serialize)]
struct SkippedArchive {
    name: String,
    /// The number of the layer with the loose files of the same folder.
    beside: Option<usize>,
    reason: String,
    help: String,
    /// The name and the size of each entry.
    files: Vec<(String, u64)>,
}

#[derive(Serialize)]
struct FolderRow<'a> {
    name: String,
    files: Vec<FileRow<'a>>,
}

/// The winner of a name. In JSON it is an array, because there are many.
struct FileRow<'a> {
    file: File<'a>,
    content: usize,
    conflict: Option<usize>,
    /// The number of its preview. If the file has a conflict, its copies have the previews instead.
    preview: Option<usize>,
}

impl Serialize for FileRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let FileRow { file, content, conflict, preview } = self;
        let name = EntryName::from_bytes(split(file.name().as_bytes()).1).to_string();
        (name, file.layer().index(), content, file.size(), file.entry(), conflict, preview)
            .serialize(serializer)
    }
}

#[derive(Serialize)]
struct Conflict<'a> {
    name: String,
    /// The winner, then the copies that it overrides, highest first.
    copies: Vec<CopyRow<'a>>,
}

/// A copy of a file. In JSON it is an array.
struct CopyRow<'a> {
    file: File<'a>,
    /// Whether its bytes equal the winner's. `None` for the winner and for copies that were not compared.
    same: Option<bool>,
    rule: Option<usize>,
    preview: Option<usize>,
}

impl CopyRow<'_> {
    /// Whether it shares the preview of the winner.
    fn is_same(&self) -> bool {
        self.same == Some(true)
    }
}

impl Serialize for CopyRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let CopyRow { file, same, rule, preview } = self;
        let name = file.name().to_string();
        let stored = Some(file.stored().to_string()).filter(|stored| *stored != name);
        (file.layer().index(), file.entry(), file.size(), same, rule, preview, stored).serialize(serializer)
    }
}

/// A file that levels need and no layer has.
#[derive(Serialize)]
struct PageMissing {
    name: String,
    kind: &'static str,
    /// The chain of files and entities that first needs it.
    by: String,
    levels: Vec<String>,
    reason: String,
    help: String,
}

/// How much a page contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Counts {
    /// Layers that exist on disk.
    pub layers: usize,
    /// Names, each with its winner.
    pub files: usize,
    /// Names with several copies.
    pub conflicts: usize,
    /// Findings of the mount and of the check.
    pub findings: usize,
    /// Files that levels need and no layer has.
    pub missing: usize,
    /// Previews, without the ones that contain only an error.
    pub previews: usize,
    /// Previews that did not fit.
    pub previews_omitted: usize,
    /// Sounds that can be played.
    pub sounds: usize,
    /// Sounds that cannot be played because their bytes did not fit.
    pub sounds_omitted: usize,
}

/// The most findings of one kind that the page contains.
const FINDINGS: usize = 500;

impl<'a> Page<'a> {
    /// Everything except the previews, of a game and its check. Sentences contain `~` for the folder `home`.
    #[must_use]
    pub fn new(game: &'a Game, checked: &Checked, home: Option<&str>) -> Self {
        let search_path = &game.search_path;
        let missing = missing(search_path, &checked.needed);
        let mut page = Page::of(search_path, home, &checked.problems, missing, true);
        for (row, layer) in page.layers.iter_mut().zip(search_path.layers()) {
            row.known = layer.archive().and_then(known);
        }
        let (verdict, shown) = (game.verdict_of(checked), WithoutHome::new(home));
        page.verdict = Some(VerdictRow { reason: shown.text(verdict.reason.clone()), ..verdict });
        page
    }

    /// The facts known after a mount, without reading files: copies are not compared, and missing files are
    /// not searched.
    #[must_use]
    pub fn mounted(search_path: &'a SearchPath) -> Self {
        let problems: Vec<_> = search_path.findings().cloned().map(Problem::from).collect();
        Page::of(search_path, None, &problems, Vec::new(), false)
    }

    fn of(
        search_path: &'a SearchPath,
        home: Option<&str>,
        problems: &[Problem],
        missing: Vec<PageMissing>,
        compares: bool,
    ) -> Self {
        let shown = WithoutHome::new(home);
        let overridden = quakefs::why::overridden(search_path);
        let mut page = Page {
            made_by: concat!("quakefs ", env!("CARGO_PKG_VERSION")),
            engine: &search_path.rules().name,
            as_of: quakefs::Engine::of(search_path.rules()).map(|engine| engine.as_of().to_string()),
            not_known: search_path.rules().not_known(&["needed", "companions", "program", "keys"]),
            game: game_directories(search_path),
            base: search_path.rules().directories.base.iter().map(|name| &**name).collect(),
            starts: quakefs::why::starts(search_path).is_ok(),
            verdict: None,
            registration: quakefs::why::registration(search_path).map(Registration::name),
            layers: layers(search_path, &overridden, problems, &shown),
            skipped: skipped(search_path, &shown),
            types: Vec::new(),
            folders: Vec::new(),
            conflicts: Vec::new(),
            rules: Vec::new(),
            findings: Vec::new(),
            missing,
            more_findings: Vec::new(),
            previews: Previews::default(),
            omitted: Omitted::default(),
        };
        let mut same = SameBytes::known(search_path, problems, compares);
        page.add_conflicts(&overridden, &mut same, &shown);
        page.add_files(search_path);
        page.add_findings(problems, &shown);
        page
    }

    fn add_conflicts(
        &mut self,
        overridden: &[Overridden<'a>],
        same: &mut SameBytes<'_>,
        shown: &WithoutHome,
    ) {
        let mut rules = Numbered::default();
        for group in overridden.chunk_by(|a, b| a.winner.name() == b.winner.name()) {
            let Some(Overridden { winner, .. }) = group.first() else { continue };
            let row = |file: &File<'a>, same, rule| CopyRow { file: file.clone(), same, rule, preview: None };
            let mut copies = vec![row(winner, None, None)];
            for pair in group {
                let rule = shown.text(pair.rule().to_string());
                let number = rules.number(rule.clone());
                if number == self.rules.len() {
                    self.rules.push(rule);
                }
                copies.push(row(&pair.copy, same.of(pair), Some(number)));
            }
            self.conflicts.push(Conflict { name: winner.name().to_string(), copies });
        }
    }

    fn add_files(&mut self, search_path: &'a SearchPath) {
        let conflicts: HashMap<_, _> = (self.conflicts.iter().enumerate())
            .map(|(number, conflict)| (conflict.name.clone(), number))
            .collect();
        let mut folders = Numbered::default();
        for file in search_path.files() {
            let (path, last) = split(file.name().as_bytes());
            let folder = folders.number(path.to_vec());
            if folder == self.folders.len() {
                let name = EntryName::from_bytes(path).to_string();
                self.folders.push(FolderRow { name, files: Vec::new() });
            }
            let content = ContentType::of(last).name();
            let known = self.types.iter().position(|known| *known == content);
            let content = known.unwrap_or_else(|| {
                self.types.push(content);
                self.types.len() - 1
            });
            let conflict = conflicts.get(&file.name().to_string()).copied();
            if let Some(folder) = self.folders.get_mut(folder) {
                folder.files.push(FileRow { file, content, conflict, preview: None });
            }
        }
    }

    fn add_findings(&mut self, problems: &[Problem], shown: &WithoutHome) {
        let mut of_kind: Vec<(&'static str, usize)> = Vec::new();
        for problem in problems {
            let kind = problem.kind();
            let known = of_kind.iter().position(|(known, _)| *known == kind).unwrap_or_else(|| {
                of_kind.push((kind, 0));
                of_kind.len() - 1
            });
            let Some((_, count)) = of_kind.get_mut(known) else { continue };
            *count += 1;
            if *count > FINDINGS {
                continue;
            }
            let row = problem.row(None);
            let step = |step: AdviceRow| AdviceRow {
                of: step.of.into_iter().map(|path| shown.text(path)).collect(),
                to: step.to.map(|path| shown.text(path)),
                ..step
            };
            self.findings.push(FindingRow {
                location: shown.text(row.location),
                layer: shown.text(row.layer),
                reason: shown.text(row.reason),
                help: row.help.map(|help| shown.text(help)),
                advice: row.advice.into_iter().map(step).collect(),
                ..row
            });
        }
        let more = of_kind.into_iter().map(|(kind, count)| (kind, count.saturating_sub(FINDINGS)));
        self.more_findings = more.filter(|(_, more)| *more > 0).collect();
    }

    /// Adds previews of at most `room` bytes, beginning with conflicts. `progress` gets the number of
    /// finished files and of all files. If it breaks, the work stops and the break is returned.
    pub fn add_previews(
        &mut self,
        search_path: &SearchPath,
        room: usize,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let base = &search_path.rules().directories.base;
        let is_of_base = |file: &File<'_>| {
            let directory = file.layer().game_directory();
            directory.is_some_and(|directory| base.iter().any(|base| *base == *last(&directory.name)))
        };
        let mut wanted = Vec::new();
        for Conflict { copies, .. } in &self.conflicts {
            let of_base = copies.first().is_some_and(|winner| is_of_base(&winner.file));
            let copies = copies.iter().filter(|copy| !copy.is_same());
            wanted.extend(copies.map(|copy| Wanted { file: &copy.file, compared: true, of_base }));
        }
        let files = self.folders.iter().flat_map(|folder| &folder.files);
        let files = files.filter(|row| row.conflict.is_none()).map(|row| &row.file);
        wanted.extend(files.map(|file| Wanted { file, compared: false, of_base: is_of_base(file) }));
        let Made { previews, numbers, omitted } = previews::make(search_path, &wanted, room, progress)?;
        let mut numbers = numbers.into_iter();
        for conflict in &mut self.conflicts {
            let mut copies = conflict.copies.iter_mut();
            let Some(winner) = copies.next() else { continue };
            winner.preview = numbers.next().flatten();
            for copy in copies {
                copy.preview = if copy.is_same() { winner.preview } else { numbers.next().flatten() };
            }
        }
        let files = self.folders.iter_mut().flat_map(|folder| &mut folder.files);
        for row in files.filter(|row| row.conflict.is_none()) {
            row.preview = numbers.next().flatten();
        }
        (self.previews, self.omitted) = (previews, omitted);
        ControlFlow::Continue(())
    }

    /// How much the page contains.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts {
            conflicts: self.conflicts.len(),
            missing: self.missing.len(),
            previews_omitted: self.omitted.previews,
            sounds_omitted: self.omitted.sounds,
            layers: self.layers.iter().filter(|layer| layer.there).count(),
            files: self.folders.iter().map(|folder| folder.files.len()).sum(),
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

/// Distinct values, numbered in the order in which they first appear.
#[derive(Default)]
struct Numbered<T>(HashMap<T, usize>);

impl<T: Eq + Hash> Numbered<T> {
    fn number(&mut self, value: T) -> usize {
        let next = self.0.len();
        *self.0.entry(value).or_insert(next)
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

/// The game directories and single archives that exist, each once, highest first.
fn game_directories(search_path: &SearchPath) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for layer in search_path.layers().filter(|layer| layer.exists()) {
        // only the last part: the path of a user directory tells about this computer
        let name = last(layer.game_directory().map_or(layer.name(), |directory| &directory.name));
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// Replaces the home folder by `~` in text.
struct WithoutHome {
    home: Option<String>,
}

impl WithoutHome {
    fn new(home: Option<&str>) -> Self {
        let home = home.map(|home| format!("{}/", home.replace('\\', "/").trim_end_matches('/')));
        WithoutHome { home: home.filter(|home| home.len() > 1) }
    }

    fn text(&self, text: String) -> String {
        match &self.home {
            Some(home) if text.contains(home) => text.replace(home, "~/"),
            _ => text,
        }
    }
}

/// The skipped archives. Readable ones include their entries.
fn skipped(search_path: &SearchPath, shown: &WithoutHome) -> Vec<SkippedArchive> {
    let archive = |(name, path): &(String, camino::Utf8PathBuf)| {
        let place = Location::layer(&**name);
        let finding = search_path.findings().find(|finding| finding.location == place);
        let folder = name.rsplit_once('/').map(|(folder, _)| format!("{folder}/"));
        let opened = search_path.open_skipped(path).ok();
        let files = opened.iter().flat_map(quakefs::Archive::entries);
        SkippedArchive {
            name: shown.text(name.clone()),
            beside: search_path.layers().position(|layer| Some(layer.name()) == folder.as_deref()),
            reason: shown.text(finding.map(Finding::reason).unwrap_or_default()),
            help: shown.text(finding.and_then(|finding| finding.help(None)).unwrap_or_default()),
            files: files.map(|entry| (entry.name().to_string(), entry.size())).collect(),
        }
    };
    search_path.skipped().iter().map(archive).collect()
}

fn layers(
    search_path: &SearchPath,
    overridden: &[Overridden<'_>],
    problems: &[Problem],
    shown: &WithoutHome,
) -> Vec<PageLayer> {
    let layer = |(layer, [serves, overrides, overridden]): (&Layer, [(u64, u64); 3])| PageLayer {
        name: shown.text(layer.name().to_owned()),
        kind: layer.kind().name(),
        there: layer.exists(),
        entries: layer.archive().map(|archive| archive.entries().len()),
        known: None,
        serves,
        overrides,
        overridden,
        problems: problems.iter().filter(|problem| problem.location().layer_name() == layer.name()).count(),
    };
    search_path.layers().zip(amounts(search_path, overridden)).map(layer).collect()
}

/// For each layer, files and bytes of winners, of the copies that they override, and of overridden copies.
fn amounts(search_path: &SearchPath, overridden: &[Overridden<'_>]) -> Vec<[(u64, u64); 3]> {
    let mut amounts = vec![[(0, 0_u64); 3]; search_path.layers().len()];
    let mut add = |kind: usize, file: &File<'_>, size: u64| {
        let amount = amounts.get_mut(file.layer().index()).and_then(|amounts| amounts.get_mut(kind));
        if let Some((files, bytes)) = amount {
            *files += 1;
            *bytes = bytes.saturating_add(size);
        }
    };
    for file in search_path.files() {
        add(0, &file, file.size());
    }
    for Overridden { winner, copy, .. } in overridden {
        add(1, winner, copy.size());
        add(2, copy, copy.size());
    }
    amounts
}

/// Files that levels need and no layer has, each once, and the program.
fn missing(search_path: &SearchPath, needed: &Needed) -> Vec<PageMissing> {
    let mut found: Vec<PageMissing> = Vec::new();
    let mut numbers = Numbered::default();
    for (level, needs) in &needed.levels {
        let level = level.to_string();
        for need in needs.missing() {
            let number = numbers.number(need.name.as_bytes().to_vec());
            if number == found.len() {
                let missing_here = match quakefs::why::explain(search_path, &need.name) {
                    Explanation::Missing(missing) => Some(missing),
                    Explanation::Served { .. } => None,
                };
                found.push(PageMissing {
                    name: need.name.to_string(),
                    kind: need.kind.name(),
                    by: need.chain(),
                    levels: Vec::new(),
                    help: missing_here.as_ref().and_then(|missing| missing.help(None)).unwrap_or_default(),
                    reason: missing_here.map(|missing| missing.to_string()).unwrap_or_default(),
                });
            }
            let missing = found.get_mut(number).filter(|missing| missing.levels.last() != Some(&level));
            if let Some(missing) = missing {
                missing.levels.push(level.clone());
            }
        }
    }
    if let Some(Trouble::NoProgram { name, reason, help }) = &needed.trouble {
        let (name, by) = (name.to_string(), "every level".to_owned());
        let (reason, help) = (reason.clone(), help.clone());
        found.push(PageMissing { name, kind: Kind::Program.name(), by, levels: Vec::new(), reason, help });
    }
    found
}

/// Compares overridden copies with their winners. The check has already found some equal pairs.
struct SameBytes<'f> {
    /// Overridden copies and winners with equal bytes, sorted.
    pairs: Vec<(&'f Location, &'f Location)>,
    /// `None` if nothing is read.
    budget: Option<pak_format::verify::DecodeBudget>,
}

impl<'f> SameBytes<'f> {
    fn known(search_path: &SearchPath, problems: &'f [Problem], compares: bool) -> Self {
        let pairs = problems.iter().filter_map(|problem| match problem {
            Problem::Found(Finding { kind: FindingKind::SameBytes { overridden }, location, .. }) => {
                Some((overridden, location))
            }
            _ => None,
        });
        let budget = compares.then(|| quakefs::why::decode_budget(search_path));
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        SameBytes { pairs, budget }
    }

    /// `None` if a copy cannot be read or is beyond the budget.
    fn of(&mut self, pair: &Overridden<'_>) -> Option<bool> {
        let overridden = pair.copy.location();
        if self.pairs.binary_search(&(&overridden, &pair.winner.location())).is_ok() {
            return Some(true);
        }
        // a pair that the check did not report differs or was not read
        pair.is_same_content(self.budget.as_mut()?).ok().flatten()
    }
}
