//! Where engines load different files, and the rule that decides.

use std::collections::BTreeSet;
use std::fmt;

use pak_format::EntryNameBuf;

use crate::finding::{Finding, Place};
use crate::precedence::Precedence;
use crate::rules::LooseCase;
use crate::stack::{Hit, SearchPath};

/// What a comparison of stacks found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comparison<'a> {
    /// How many names were compared.
    pub names: usize,
    /// The names for which the stacks serve different copies, sorted by name.
    pub differences: Vec<Difference<'a>>,
}

/// A name for which stacks serve different copies.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Difference<'a> {
    /// The name that was asked for.
    pub name: EntryNameBuf,
    /// The copy that each stack serves, in the order of the stacks.
    pub winners: Vec<Option<Hit<'a>>>,
    /// The rule that decides between the first stack and the first that differs from it.
    pub because: Because,
}

/// The rule by which two stacks serve different copies of a name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Because {
    /// A stack does not find the copy that another one serves.
    NotSeen {
        /// The number of the stack.
        stack: usize,
        /// The engine whose rules it has.
        engine: String,
        /// Why not.
        why: NotSeen,
    },
    /// Both find both copies, and rank them differently.
    Order {
        /// The number of the stack whose rule it is.
        stack: usize,
        /// The engine whose rules it has.
        engine: String,
        /// The rule.
        rule: Precedence,
    },
    /// The order of the layers, which no single rule explains.
    Layers,
}

/// Why a stack does not find a copy.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NotSeen {
    /// The layer is left out for this reason.
    LeftOut(Box<Finding>),
    /// The layer is not one of the stack.
    NotLoaded {
        /// The layer.
        layer: String,
    },
    /// The engine compares case.
    Case,
    /// A loose file whose name differs in case alone hides the copy.
    HiddenBySpelling,
    /// The engine reads the request as another name.
    ReadDifferently,
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Because::NotSeen { engine, why, .. } => match why {
                NotSeen::LeftOut(finding) => write!(f, "{} {}", finding.place, finding.reason()),
                NotSeen::NotLoaded { layer } => write!(f, "{engine} does not load {layer}"),
                NotSeen::Case => write!(f, "case: {engine} takes a name as it is spelled"),
                NotSeen::HiddenBySpelling => {
                    write!(f, "case: in {engine} a loose file of another spelling hides it")
                }
                NotSeen::ReadDifferently => write!(f, "{engine} reads the name in another way"),
            },
            Because::Order { engine, rule: rule @ Precedence::GameDirectory { .. }, .. } => {
                write!(f, "game directories: {rule} in {engine}")
            }
            Because::Order { engine, rule, .. } => write!(f, "{rule} in {engine}"),
            Because::Layers => f.write_str("the order of the layers"),
        }
    }
}

/// Compares what several stacks serve: as a rule those of one base directory, mounted under the rules of several engines.
///
/// Every stack is asked for each name that one of them serves and for which `wanted` returns true, and for that name in
/// lower case, since games ask so. Copies are compared by their place (layer, entry and stored name), not by their bytes.
///
/// ```
/// # use quakefs::{Engine, SearchPath, compare};
/// # let pak = |name: &str| {
/// #     let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
/// #     pak.add(name, "").unwrap();
/// #     pak.finish().unwrap()
/// # };
/// let mount = |engine| SearchPath::layers_only().engine(engine).memory("a.pak", pak("MAPS/E1M1.BSP")).mount();
/// let engines = [mount(Engine::WinQuake)?, mount(Engine::DarkPlaces)?];
/// let comparison = compare(&engines, |_| true);
/// let difference = &comparison.differences[0];
/// assert_eq!(difference.name.as_bytes(), b"maps/e1m1.bsp");
/// assert!(difference.winners[0].is_none());
/// assert_eq!(difference.because.to_string(), "case: winquake takes a name as it is spelled");
/// # Ok::<(), quakefs::Error>(())
/// ```
pub fn compare(stacks: &[SearchPath], wanted: impl Fn(&[u8]) -> bool) -> Comparison<'_> {
    let mut names: BTreeSet<Vec<u8>> = BTreeSet::new();
    for stack in stacks {
        let files = stack.files().filter(|hit| wanted(hit.name().as_bytes()));
        names.extend(files.map(|hit| hit.name().as_bytes().to_vec()));
    }
    // a game asks in lower case, however a file is spelled
    let differs = |name: &[u8], lower: &[u8]| {
        stacks.iter().any(|stack| place_of(stack.find(lower).as_ref()) != place_of(stack.find(name).as_ref()))
    };
    let lower: Vec<_> = names
        .iter()
        .filter_map(|name| {
            let lower = name.to_ascii_lowercase();
            (lower != *name && differs(name, &lower)).then_some(lower)
        })
        .collect();
    names.extend(lower);
    let differences = names.iter().filter_map(|name| difference(stacks, name)).collect();
    Comparison { names: names.len(), differences }
}

/// Where a copy is, for stacks of different engines.
fn place_of(hit: Option<&Hit<'_>>) -> Option<Place> {
    hit.map(Hit::place)
}

fn difference<'a>(stacks: &'a [SearchPath], name: &[u8]) -> Option<Difference<'a>> {
    let winners: Vec<_> = stacks.iter().map(|stack| stack.find(name)).collect();
    let places: Vec<_> = winners.iter().map(|winner| place_of(winner.as_ref())).collect();
    let other = places.iter().position(|place| Some(place) != places.first())?;
    let because = deciding(stacks, &winners, other, name);
    Some(Difference { name: name.into(), winners, because })
}

/// The rule between the first stack and another, as the one that serves a copy would say it.
fn deciding(stacks: &[SearchPath], winners: &[Option<Hit<'_>>], other: usize, name: &[u8]) -> Because {
    let winner = |stack: usize| winners.get(stack).and_then(Option::as_ref);
    let missed = |by: usize, served: usize| {
        let (stack, hit) = (stacks.get(by)?, winner(served)?);
        let why = not_seen(stack, hit, name)?;
        Some(Because::NotSeen { stack: by, engine: stack.rules().name.to_string(), why })
    };
    let order = |by: usize, lower: usize| {
        let (stack, upper, lower) = (stacks.get(by)?, winner(by)?, winner(lower)?);
        let rule = order(stack, upper, lower, name)?;
        Some(Because::Order { stack: by, engine: stack.rules().name.to_string(), rule })
    };
    missed(other, 0)
        .or_else(|| missed(0, other))
        .or_else(|| order(0, other))
        .or_else(|| order(other, 0))
        .unwrap_or(Because::Layers)
}

/// Why a stack does not find a copy that another one serves; `None` if it does.
fn not_seen(stack: &SearchPath, hit: &Hit<'_>, name: &[u8]) -> Option<NotSeen> {
    let layer = hit.layer().name();
    if !stack.layers().any(|other| other.name() == layer) {
        let finding = stack.findings().find(|finding| finding.place == Place::layer(layer));
        return Some(match finding {
            Some(finding) => NotSeen::LeftOut(Box::new(finding.clone())),
            None => NotSeen::NotLoaded { layer: layer.to_owned() },
        });
    }
    let place = hit.place();
    if stack.copies(name).iter().any(|copy| copy.place() == place) {
        return None;
    }
    if hit.stored().as_bytes() != name && hit.stored().as_bytes().eq_ignore_ascii_case(name) {
        return Some(NotSeen::Case);
    }
    if stack.find(name).is_none() && stack.rules().loose.case == LooseCase::ExactHidesOthers {
        return Some(NotSeen::HiddenBySpelling);
    }
    Some(NotSeen::ReadDifferently)
}

/// Why one stack puts its winner above the copy that another one serves.
fn order(stack: &SearchPath, winner: &Hit<'_>, other: &Hit<'_>, name: &[u8]) -> Option<Precedence> {
    let copies = stack.copies(name);
    let same = |copy: &&Hit<'_>, hit: &Hit<'_>| {
        copy.layer().name() == hit.layer().name() && copy.entry() == hit.entry()
    };
    let upper = copies.iter().find(|copy| same(copy, winner))?;
    let lower = copies.iter().find(|copy| same(copy, other))?;
    Some(stack.precedence(upper, lower))
}
