//! Where engines load different files, and the rule that decides.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::archive::ArchiveKind;
use crate::findings::{Location, Precedence};
use crate::rules::{Loads, LooseCase, NotLoaded};
use crate::search_path::FileId;
use crate::{Archive, File, Finding, Layer, SearchPath};
use pak_format::{EntryNameBuf, Layout};
use quake_content::Format;

use crate::sentences::{grouped, sentences};
use crate::why::content::{examine, wrong_in};
use crate::why::cores::on_all_cores;
use crate::why::precedence::precedence;

/// The result of a comparison: where search paths load different copies, and why.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// How many names were compared.
    pub names: usize,
    /// Why the search paths load different copies. The cause with the most names comes first.
    pub causes: Vec<Cause>,
    /// The search paths in the order given, with their folders listed.
    pub search_paths: Vec<SearchPath>,
    /// The names of one winner whose content engines may refuse.
    alike: Vec<EntryNameBuf>,
}

/// A reason why search paths load different copies, and the names that it affects.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Cause {
    /// The rule that decides between the first search path and the first one that differs from it.
    pub because: Because,
    /// The names, sorted.
    pub names: Vec<EntryNameBuf>,
}

/// The rule that makes two search paths load different copies of a name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Because {
    /// A search path skips the layer that has the other one's winner.
    Skipped {
        /// Its engine.
        engine: String,
        /// Why the engine skips the layer.
        finding: Box<Finding>,
    },
    /// A search path does not have the layer of the other one's winner.
    NotSearched {
        /// Its engine.
        engine: String,
        /// The layer.
        layer: String,
    },
    /// A search path does not find the other one's winner because its engine compares case.
    Case {
        /// Its engine.
        engine: String,
    },
    /// In one search path, a loose file in another case overrides the other one's winner.
    OtherSpelling {
        /// Its engine.
        engine: String,
    },
    /// The engine of one search path turns the request into another name.
    ReadDifferently {
        /// Its engine.
        engine: String,
    },
    /// Both have both copies, but rank them differently.
    Order {
        /// Its engine.
        engine: String,
        /// The rule.
        rule: Precedence,
    },
    /// The order of the layers, which no single rule explains.
    Layers,
    /// All find the same file, but an engine does not load it: it is of another version, or larger than the
    /// engine has room for.
    NotLoaded {
        /// Its engine.
        engine: String,
        /// Why, for the first such file.
        why: NotLoaded,
    },
}

impl Cause {
    /// The file that a search path's engine loads for a name of this cause.
    #[must_use]
    pub fn winner<'s>(&self, search_path: &'s SearchPath, name: &EntryNameBuf) -> Option<File<'s>> {
        let is_loaded = |file: &File<'_>| match self.because {
            Because::NotLoaded { .. } => wrong_in(search_path, file).is_none(),
            _ => true,
        };
        search_path.find(name).filter(is_loaded)
    }
}

impl Because {
    /// Every word that [`name`](Self::name) gives.
    pub const NAMES: &[&str] = &[
        "skipped",
        "case",
        "spelling",
        "request",
        "on-top",
        "game-directory",
        "loose",
        "archive-order",
        "equal-rows",
        "layers",
        "content-limit",
    ];

    /// A stable word for the cause, for programs: `skipped`, `case`, `loose`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Because::Order { rule, .. } => rule.name(),
            _ => causes::label(self).kind(),
        }
    }
}

sentences! {
    causes(because: Because; shell)

    "skipped" : Because::Skipped { engine, finding, .. }
        => ("{engine} skips {location}: {reason}", location = finding.location, reason = finding.reason());
    "skipped" : Because::NotSearched { engine, layer, .. } => "{engine} does not load {layer}";
    "case" : Because::Case { engine, .. } => "{engine} compares case";
    "spelling" : Because::OtherSpelling { engine, .. } =>
        "in {engine}, a loose file with another spelling overrides it";
    "request" : Because::ReadDifferently { engine, .. } => "{engine} reads the name as another one";
    "order" : Because::Order { engine, rule, .. } => "in {engine}, {rule}";
    "layers" : Because::Layers => "the layers are in a different order";
    "content-limit" : Because::NotLoaded { engine, why: NotLoaded::Version { of, loaded, .. } }
        => "{engine} loads {of}s of version {loaded}";
    "content-limit" : Because::NotLoaded { engine, why: NotLoaded::TooMany { of, what, most, .. } }
        => ("{engine} loads {of}s with at most {most} {what}", most = grouped((*most).into()));
    "content-limit" : Because::NotLoaded { engine, .. } => "{engine} does not load it";
}

/// Compares the winners of several search paths: usually one base directory, mounted under the rules of
/// several engines.
///
/// It looks up every name of every search path for which `wanted` returns true. It also looks up the name in
/// lower case, because games request names so. Two copies are equal if layer, entry and stored name are
/// equal; their bytes are not compared. Folders are listed once, at the start.
pub fn compare(search_paths: &[SearchPath], wanted: impl Fn(&[u8]) -> bool) -> Comparison {
    let search_paths: Vec<_> = search_paths.iter().map(SearchPath::listed).collect();
    // each name with its winner in the first search path, if that has it under this name
    let mut served: HashMap<&[u8], Option<FileId>> = HashMap::new();
    for (place, search_path) in search_paths.iter().enumerate() {
        for (name, winner) in search_path.served() {
            served.entry(name).or_insert((place == 0).then_some(winner));
        }
    }
    let sides = Sides::new(&search_paths);
    let mut names = 0;
    let mut alike = Vec::new();
    let mut causes: HashMap<Key, Cause> = HashMap::new();
    let mut compare_one = |name: &[u8], winner: Option<FileId>| {
        names += 1;
        let Some(other) = sides.other(name, winner) else {
            if Format::of(name).is_some() {
                alike.push(name.into());
            }
            return;
        };
        let key = sides.deciding(other, name);
        let cause = causes.entry(key);
        let cause = cause.or_insert_with(|| Cause { because: sides.because(key, name), names: Vec::new() });
        cause.names.push(name.into());
    };
    // games request names in lower case, whatever the spelling of the file
    let mut lower_case: HashSet<Vec<u8>> = HashSet::new();
    let mut lower = Vec::new();
    for (name, winner) in served.iter().filter(|(name, _)| wanted(name)) {
        compare_one(name, *winner);
        lower.clear();
        lower.extend(name.iter().map(u8::to_ascii_lowercase));
        if lower != *name
            && !served.contains_key(&*lower)
            && !lower_case.contains(&lower)
            && sides.sides.iter().any(|side| side.search_path.locate(&lower) != side.search_path.locate(name))
        {
            compare_one(&lower, None);
            lower_case.insert(lower.clone());
        }
    }
    drop(served);
    let mut causes: Vec<Cause> = causes.into_values().collect();
    for cause in &mut causes {
        cause.names.sort_unstable();
    }
    causes.sort_by_cached_key(|cause| {
        (Reverse(cause.names.len()), cause.because.name(), cause.because.to_string())
    });
    Comparison { names, causes, search_paths, alike }
}

/// Adds the files that all search paths find, and that not all of their engines load by what is in them. This
/// reads every file of a kind with such limits, unless the engines have the same.
pub fn compare_content(comparison: &mut Comparison) {
    let Comparison { causes, search_paths, alike, .. } = comparison;
    let Some(first) = search_paths.first() else { return };
    let known = |of: &SearchPath| Some((of.rules().name.to_string(), of.rules().loads.known()?.clone()));
    let all: Vec<_> = search_paths.iter().filter_map(known).collect();
    if all.windows(2).all(|pair| matches!(pair, [(_, one), (_, other)] if one == other)) {
        return;
    }
    // a second call finds nothing new
    let alike = std::mem::take(alike);
    let files: Vec<_> = alike.iter().filter_map(|name| first.find(name)).collect();
    let refused = on_all_cores(&files, |file| {
        let examined = examine(file)?.ok()?;
        let name = file.name().as_bytes();
        let format = Format::of(name)?.name();
        let of = |(engine, loads): &(String, Loads)| {
            let counts = examined.counts.iter().copied();
            Some((engine.clone(), loads.refused(name, (format, &examined.version), counts)?))
        };
        let refused: Vec<_> = all.iter().filter_map(of).collect();
        // what no engine loads is no difference
        refused.first().filter(|_| refused.len() < all.len()).cloned()
    });
    let mut found: BTreeMap<String, Cause> = BTreeMap::new();
    for (file, refused) in files.iter().zip(refused) {
        let Some((engine, why)) = refused else { continue };
        let because = Because::NotLoaded { engine, why };
        let cause = found.entry(because.to_string());
        cause.or_insert_with(|| Cause { because, names: Vec::new() }).names.push(file.name().into());
    }
    for mut cause in found.into_values() {
        cause.names.sort_unstable();
        causes.push(cause);
    }
    causes.sort_by_key(|cause| Reverse(cause.names.len()));
}

/// The search paths of a comparison.
struct Sides<'s> {
    sides: Vec<Side<'s>>,
    /// The names of all layers. Their positions are the numbers that all sides share.
    layers: Vec<&'s str>,
}

struct Side<'s> {
    search_path: &'s SearchPath,
    /// The shared number of each layer, lowest layer first.
    layers: Vec<usize>,
}

/// The reason why two search paths differ on a name, used as the grouping key. Search paths and layers are
/// numbers of [`Sides`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    search_path: usize,
    what: What,
}

/// What one search path does differently.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    /// It does not have the layer.
    Lacks(usize),
    Case,
    OtherSpelling,
    ReadDifferently,
    /// It ranks the first layer above the second.
    Order(usize, usize),
    Layers,
}

impl<'s> Sides<'s> {
    fn new(search_paths: &'s [SearchPath]) -> Self {
        // a layer that is read in another layout has other entries
        let mut known: Vec<(&str, ArchiveKind, Option<Layout>)> = Vec::new();
        let mut number = |layer: &'s Layer| {
            let layer = (layer.name(), layer.kind(), layer.archive().and_then(Archive::layout));
            known.iter().position(|other| *other == layer).unwrap_or_else(|| {
                known.push(layer);
                known.len() - 1
            })
        };
        let side = |search_path: &'s SearchPath| Side {
            search_path,
            layers: search_path.layers().rev().map(&mut number).collect(),
        };
        let sides = search_paths.iter().map(side).collect();
        Sides { sides, layers: known.into_iter().map(|(name, ..)| name).collect() }
    }

    /// The first search path whose winner differs from that in search path 0, which may be known.
    fn other(&self, name: &[u8], winner: Option<FileId>) -> Option<usize> {
        let (first, others) = self.sides.split_first()?;
        let served = winner.or_else(|| first.search_path.locate(name));
        let differs = |side: &Side<'_>| !first.is_same(served, side, side.search_path.locate(name));
        others.iter().position(differs).map(|place| place + 1)
    }

    /// The reason why search path 0 and another one differ.
    fn deciding(&self, other: usize, name: &[u8]) -> Key {
        self.missed(other, 0, name)
            .or_else(|| self.missed(0, other, name))
            .or_else(|| self.ranked(0, other, name))
            .or_else(|| self.ranked(other, 0, name))
            .unwrap_or(Key { search_path: 0, what: What::Layers })
    }

    /// Why a search path does not find another one's winner. Returns `None` if it finds it.
    fn missed(&self, by: usize, other: usize, name: &[u8]) -> Option<Key> {
        let (side, other) = (self.sides.get(by)?, self.sides.get(other)?);
        let key = |what| Some(Key { search_path: by, what });
        let served = other.search_path.locate(name)?;
        let layer = other.layer(served)?;
        if !side.layers.contains(&layer) {
            return key(What::Lacks(layer));
        }
        let copies = side.search_path.locate_all(name);
        if copies.iter().any(|copy| other.is_same(Some(served), side, Some(*copy))) {
            return None;
        }
        let found = other.search_path.name_of(served);
        if found != name && found.eq_ignore_ascii_case(name) {
            return key(What::Case);
        }
        let hides = side.search_path.loose().case == LooseCase::ExactHidesOthers;
        if copies.is_empty() && hides {
            return key(What::OtherSpelling);
        }
        key(What::ReadDifferently)
    }

    /// The layers of both winners, if this search path ranks its own above the other.
    fn ranked(&self, by: usize, other: usize, name: &[u8]) -> Option<Key> {
        let (side, other) = (self.sides.get(by)?, self.sides.get(other)?);
        let upper = side.layer(side.search_path.locate(name)?)?;
        let lower = other.layer(other.search_path.locate(name)?)?;
        Some(Key { search_path: by, what: What::Order(upper, lower) })
    }

    /// The cause, worked out for one of its names.
    fn because(&self, Key { search_path, what }: Key, name: &[u8]) -> Because {
        let side = self.sides.get(search_path);
        let engine = side.map(|side| side.search_path.rules().name.to_string()).unwrap_or_default();
        match what {
            What::Lacks(layer) => self.why_absent(search_path, engine, layer),
            What::Case => Because::Case { engine },
            What::OtherSpelling => Because::OtherSpelling { engine },
            What::ReadDifferently => Because::ReadDifferently { engine },
            What::Order(_, lower) => match self.rule(search_path, lower, name) {
                Some(rule) => Because::Order { engine, rule },
                None => Because::Layers,
            },
            What::Layers => Because::Layers,
        }
    }

    fn why_absent(&self, search_path: usize, engine: String, layer: usize) -> Because {
        let layer = self.layers.get(layer).copied().unwrap_or_default();
        let mut findings =
            self.sides.get(search_path).into_iter().flat_map(|side| side.search_path.findings());
        match findings.find(|finding| finding.location == Location::layer(layer)) {
            Some(finding) => Because::Skipped { engine, finding: Box::new(finding.clone()) },
            None => Because::NotSearched { engine, layer: layer.to_owned() },
        }
    }

    /// The rule that ranks a search path's winner above the copy in a lower layer.
    fn rule(&self, search_path: usize, lower: usize, name: &[u8]) -> Option<Precedence> {
        let side = self.sides.get(search_path)?;
        let lower = *self.layers.get(lower)?;
        let copies = side.search_path.copies(name);
        let (upper, rest) = copies.split_first()?;
        let lower = rest.iter().find(|copy| copy.layer().name() == lower)?;
        Some(precedence(side.search_path, upper, lower))
    }
}

impl Side<'_> {
    fn layer(&self, file: FileId) -> Option<usize> {
        self.layers.get(usize::from(file.layer)).copied()
    }

    /// Whether a file of this search path and one of another are the same copy.
    fn is_same(&self, file: Option<FileId>, side: &Side<'_>, other: Option<FileId>) -> bool {
        match (file, other) {
            (Some(file), Some(other)) => {
                self.layer(file) == side.layer(other)
                    && if self.search_path.is_loose(file) {
                        self.search_path.name_of(file) == side.search_path.name_of(other)
                    } else {
                        file.file == other.file
                    }
            }
            (file, other) => file.is_none() && other.is_none(),
        }
    }
}
