//! For any search path and any rules, the index gives the same answers as a scan of all names.
//!
//! The model is written here from the rules' documentation, and calls nothing of quakefs.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use quakefs::rules::Case;
use quakefs::rules::{
    ArchiveSet, Backslash, Duplicates, EmptyArchive, Games, Gaps, LooseCase, LoosePosition, Order, PathRule,
};
use quakefs::{Access, Engine, Layout, LooseFiles, Rules, SearchPath};
use testutils::{game, pack};

use crate::{Mount as _, place};

type Name = &'static [u8];

/// Names that are files on disk too.
const PLAIN: [Name; 12] = [
    b"a", b"A", b"b.cfg", b"B.cfg", b"d/a", b"D/a", b"d/A", b"d/b.cfg", b"d\\a", b"e/f/a", b"caf\xe9",
    b"CAF\xe9",
];

/// Names for rows and requests, some of which no engine accepts.
const AWKWARD: [Name; 16] = [
    b"./a", b"d/./a", b"d//a", b"/a", b"//A", b".\\a", b"D\\a", b"d\\", b"d/", b"", b"../a", b"d/../a",
    b"..\\a", b"C:a", b".", b"a\0b",
];

const ARCHIVES: [&str; 10] = [
    "pak0.pak",
    "pak1.pak",
    "pak01.pak",
    "pak2.pak",
    "pak4.pak",
    "pak10.pak",
    "Pak3.pak",
    "maps.pak",
    "B.PAK",
    "c.pak",
];

#[derive(Clone, Debug)]
struct Directory {
    archives: BTreeMap<&'static str, Vec<Name>>,
    loose: BTreeSet<Name>,
}

fn directory() -> impl Strategy<Value = Directory> {
    let names = vec(select([&PLAIN[..], &AWKWARD].concat()), 0..6);
    let archives = btree_map(select(&ARCHIVES[..]), names, 0..5);
    let loose = btree_set(select(&PLAIN[..]), 0..5);
    (archives, loose).prop_map(|(archives, loose)| Directory { archives, loose })
}

/// Rules as in real engines: a `.` or `//` is literal only if requests are not rewritten otherwise.
fn rules() -> impl Strategy<Value = Rules> {
    let names = (
        select(&[Case::Exact, Case::Ignored][..]),
        select(&[Duplicates::First, Duplicates::Last, Duplicates::Searched][..]),
    );
    let loose = (
        select(&[LoosePosition::Below, LoosePosition::Above, LoosePosition::Lowest][..]),
        select(
            [LooseCase::Exact, LooseCase::ExactThenLower, LooseCase::Ignored, LooseCase::ExactHidesOthers]
                .as_slice(),
        ),
    );
    let requests = (
        select(&[Backslash::Literal, Backslash::Slash, Backslash::Refused][..]),
        any::<bool>(),
        vec(any::<bool>(), 3),
    );
    let orders = select(&[Order::Bytes, Order::IgnoreCase, Order::NumberThenName][..]);
    let archives =
        (subsequence(vec![0, 1], 1..=2), any::<bool>(), any::<bool>(), orders, select(&[None, Some(3)][..]));
    (names, loose, requests, archives).prop_map(|(names, loose, requests, archives)| {
        let mut rules = Engine::WinQuake.rules().clone();
        rules.directories.games = Games::Every;
        (rules.archives.case, rules.archives.duplicates) = names;
        (rules.loose.position, rules.loose.case) = loose;
        let (backslash, literal, dropped) = requests;
        let reading = |place: usize| match (literal && backslash == Backslash::Literal, dropped[place]) {
            (true, _) => PathRule::Literal,
            (_, true) => PathRule::Dropped,
            (_, false) => PathRule::Refused,
        };
        rules.requests.backslash = backslash;
        rules.requests.leading_slash = reading(0);
        rules.requests.dot_component = reading(1);
        rules.requests.empty_component = reading(2);
        let (sets, stop, extension_exact, order, count) = archives;
        let extensions = vec!["pak".into()];
        let sets = sets.into_iter().map(|set| match set {
            0 => ArchiveSet::Numbered {
                stem: quakefs::rules::STEM.into(),
                extensions: extensions.clone().into(),
                count,
                case: quakefs::rules::NumberedCase::Lower,
                gaps: if stop { Gaps::Stop { empty: EmptyArchive::Loaded } } else { Gaps::Skip },
            },
            _ => ArchiveSet::Others {
                alike: quakefs::rules::LoadOrderCase::Loaded,
                extensions: extensions.clone().into(),
                extension_case: if extension_exact { Case::Exact } else { Case::Ignored },
                order,
            },
        });
        rules.archives.sets = sets.collect::<Vec<_>>().into();
        rules
    })
}

/// The search path that the words describe.
struct Model<'m> {
    rules: &'m Rules,
    /// Highest first.
    layers: Vec<Layer>,
}

enum Layer {
    Archive(String, Vec<Name>),
    Loose(String, BTreeSet<Vec<u8>>),
}

/// The archives of a directory that are loaded, low to high.
fn in_order(rules: &Rules, present: &BTreeMap<&'static str, Vec<Name>>) -> Vec<&'static str> {
    let mut order = Vec::new();
    let mut left: Vec<&str> = present.keys().copied().collect();
    for set in &*rules.archives.sets {
        match set {
            ArchiveSet::Numbered { count, gaps, .. } => {
                let numbered = (0..count.unwrap_or(20)).map(|number| format!("pak{number}.pak"));
                for wanted in numbered {
                    match left.iter().find(|name| **name == wanted) {
                        Some(found) => order.push(*found),
                        None if *gaps != Gaps::Skip => break,
                        None => {}
                    }
                }
                // a number that is not loaded may still be among the others
                left.retain(|name| !order.contains(name));
            }
            ArchiveSet::Others { extension_case, order: by, .. } => {
                let takes = |name: &&str| name.ends_with(".pak") || *extension_case == Case::Ignored;
                let mut others: Vec<&str> = left.iter().copied().filter(takes).collect();
                left.retain(|name| !takes(name));
                others.sort_by_key(|name| {
                    let lower = name.to_ascii_lowercase();
                    let number: String = lower.chars().skip(3).take_while(char::is_ascii_digit).collect();
                    let first = (!lower.starts_with("pak"), number.parse::<u32>().unwrap_or(0));
                    match by {
                        Order::Bytes => ((false, 0), (*name).to_owned()),
                        Order::IgnoreCase => ((false, 0), lower),
                        Order::NumberThenName if first.0 => ((true, 0), lower),
                        _ => (first, lower),
                    }
                });
                order.extend(others);
            }
        }
    }
    order
}

/// The row that a binary search of the sorted names meets.
fn searched(names: &[Name], name: &[u8], case: Case) -> usize {
    let folded = |name: &[u8]| if case == Case::Exact { name.to_vec() } else { name.to_ascii_lowercase() };
    let mut sorted: Vec<usize> = (0..names.len()).collect();
    sorted.sort_by_key(|row| (folded(names[*row]), *row));
    let (mut left, mut right) = (0, sorted.len() - 1);
    loop {
        let middle = usize::midpoint(left, right);
        match folded(names[sorted[middle]]).cmp(&folded(name)) {
            Ordering::Equal => return sorted[middle],
            Ordering::Greater => right = middle - 1,
            Ordering::Less => left = middle + 1,
        }
    }
}

impl<'m> Model<'m> {
    fn new(rules: &'m Rules, directories: &[(String, Directory)]) -> Model<'m> {
        let mut layers = Vec::new();
        let (mut lowest, mut highest) = (0, Vec::new());
        for (directory, Directory { archives, loose }) in directories {
            let mut loose: BTreeSet<Vec<u8>> = loose.iter().map(|name| name.to_vec()).collect();
            loose.extend(archives.keys().map(|name| name.as_bytes().to_vec()));
            let loose = Layer::Loose(directory.clone(), loose);
            let archives = in_order(rules, archives)
                .into_iter()
                .map(|name| Layer::Archive(format!("{directory}{name}"), archives[name].clone()));
            match rules.loose.position {
                LoosePosition::Below => {
                    layers.push(loose);
                    layers.extend(archives);
                }
                LoosePosition::Above => {
                    layers.extend(archives);
                    layers.push(loose);
                }
                LoosePosition::Lowest => {
                    layers.insert(lowest, loose);
                    lowest += 1;
                    layers.extend(archives);
                }
                LoosePosition::Highest => {
                    highest.push(loose);
                    layers.extend(archives);
                }
            }
        }
        layers.extend(highest);
        layers.reverse();
        Model { rules, layers }
    }

    /// The name requested from archives, and the name requested from folders.
    fn read(&self, request: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
        let requests = &self.rules.requests;
        let drive =
            cfg!(windows) && request.len() > 1 && request[0].is_ascii_alphabetic() && request[1] == b':';
        let parent = request.split(|byte| b"/\\".contains(byte)).any(|part| part == b"..");
        if request.contains(&0) || drive || parent {
            return None;
        }
        let request: Vec<u8> = match requests.backslash {
            Backslash::Refused if request.contains(&b'\\') => return None,
            Backslash::Slash => request.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }).collect(),
            _ => request.to_vec(),
        };
        let parts: Vec<&[u8]> = request.split(|&byte| byte == b'/').collect();
        let usual = |part: &[u8]| !part.is_empty() && part != b".";
        let last = parts.len() - 1;
        let is_open = parts[last].is_empty() && parts.iter().any(|part| usual(part));
        if !usual(parts[last]) && !is_open {
            return None;
        }
        let mut kept: Vec<&[u8]> = Vec::new();
        for (place, part) in parts.iter().enumerate() {
            let reading = match (place, *part) {
                _ if usual(part) => PathRule::Literal,
                (place, _) if place == last => requests.trailing_slash,
                (_, b".") => requests.dot_component,
                (0, _) => requests.leading_slash,
                _ if kept.is_empty() && requests.leading_slash == PathRule::Dropped => PathRule::Dropped,
                _ => requests.empty_component,
            };
            match reading {
                PathRule::Refused => return None,
                PathRule::Dropped => {}
                _ => kept.push(part),
            }
        }
        let clean = parts.iter().copied().filter(|part| usual(part)).collect::<Vec<_>>().join(&b'/');
        let is_folder = is_open && requests.trailing_slash != PathRule::Dropped;
        Some((kept.join(&b'/'), if is_folder { Vec::new() } else { clean }))
    }

    /// Every copy, the winner first, by looking at every name of every layer.
    fn copies(&self, request: &[u8]) -> Vec<String> {
        let mut copies = Vec::new();
        let Some((in_archives, in_folders)) = self.read(request) else { return copies };
        for layer in &self.layers {
            match layer {
                Layer::Archive(archive, names) => {
                    let stored = |name: Name| name.split(|&byte| byte == 0).next().unwrap();
                    let equal = |name: Name| match self.rules.archives.case {
                        Case::Exact => stored(name) == in_archives,
                        Case::Ignored => stored(name).eq_ignore_ascii_case(&in_archives),
                    };
                    let rows = names.iter().enumerate().filter(|(_, name)| equal(name));
                    let mut rows: Vec<_> = rows.map(|(row, _)| row).collect();
                    match self.rules.archives.duplicates {
                        Duplicates::Last => rows.reverse(),
                        Duplicates::Searched if !rows.is_empty() => {
                            let names: Vec<_> = names.iter().map(|name| stored(name)).collect();
                            let met = searched(&names, &in_archives, self.rules.archives.case);
                            rows.sort_by_key(|row| *row != met);
                        }
                        _ => {}
                    }
                    copies.extend(rows.iter().map(|row| format!("{archive}:{row}")));
                }
                Layer::Loose(directory, names) => {
                    let exact = names.get(&in_folders);
                    let any_case = || names.iter().find(|name| name.eq_ignore_ascii_case(&in_folders));
                    let found = match self.rules.loose.case {
                        LooseCase::ExactThenLower => {
                            exact.or_else(|| names.get(&in_folders.to_ascii_lowercase()))
                        }
                        LooseCase::Ignored => exact.or_else(any_case),
                        LooseCase::ExactHidesOthers if exact.is_none() && any_case().is_some() => {
                            if copies.is_empty() {
                                return copies;
                            }
                            None
                        }
                        _ => exact,
                    };
                    copies.extend(found.map(|name| loose_place(directory, name)));
                }
            }
        }
        copies
    }

    /// Each stored name that a request finds, sorted, with its winner.
    fn files(&self) -> BTreeMap<Vec<u8>, String> {
        let archives: BTreeSet<String> = self
            .layers
            .iter()
            .filter_map(|layer| match layer {
                Layer::Archive(archive, _) => Some(archive.clone()),
                Layer::Loose(..) => None,
            })
            .collect();
        let mut files = BTreeMap::new();
        for layer in &self.layers {
            let (stored, archive): (Vec<(Vec<u8>, String)>, _) = match layer {
                Layer::Archive(archive, names) => {
                    let stored = |name: &Name| name.split(|&byte| byte == 0).next().unwrap().to_vec();
                    let rows = names.iter().enumerate();
                    (rows.map(|(row, name)| (stored(name), format!("{archive}:{row}"))).collect(), true)
                }
                Layer::Loose(directory, names) => {
                    (names.iter().map(|name| (name.clone(), loose_place(directory, name))).collect(), false)
                }
            };
            for (name, place) in stored {
                let served = self.copies(&name).first() == Some(&place);
                if served && (archive || !archives.contains(&place)) {
                    assert_eq!(files.insert(name, place), None, "each name once");
                }
            }
        }
        files
    }
}

fn loose_place(directory: &str, name: &[u8]) -> String {
    format!("{directory}{}", pak_format::EntryName::from_bytes(name))
}

fn check(rules: &Rules, directories: Vec<Directory>) {
    let game = game("");
    let directories: Vec<_> =
        ["id1/", "mod/", "two/"].map(str::to_owned).into_iter().zip(directories).collect();
    for (directory, Directory { archives, loose }) in &directories {
        std::fs::create_dir_all(game.join(directory)).unwrap();
        for (archive, names) in archives {
            let contents = (0..names.len()).map(|row| format!("{directory}{archive}:{row}"));
            let image = pack(Layout::Quake, names.iter().zip(contents));
            std::fs::write(game.join(directory).join(archive), image).unwrap();
        }
        for name in loose {
            let path =
                game.join(directory).into_std_path_buf().join(Path::new(std::ffi::OsStr::from_bytes(name)));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, loose_place(directory, name)).unwrap();
        }
    }
    let model = Model::new(rules, &directories);
    let ways = [
        (LooseFiles::Live, Access::Map),
        (LooseFiles::Live, Access::Read),
        (LooseFiles::Listed, Access::Map),
        (LooseFiles::Listed, Access::Read),
    ];
    for (loose, access) in ways {
        let builder = game.builder().rules(rules.clone()).loose_files(loose).access(access);
        let quake = builder.game("mod").game("two").mount().unwrap();
        check_mounted(&model, &quake);
    }
}

fn check_mounted(model: &Model<'_>, quake: &SearchPath) {
    let at = |winner: &quakefs::File<'_>| place(winner);
    for request in PLAIN.iter().chain(&AWKWARD) {
        let expected = model.copies(request);
        let copies = quake.copies(*request);
        assert_eq!(
            copies.iter().map(at).collect::<Vec<_>>(),
            expected,
            "{:?}",
            request.escape_ascii().to_string()
        );
        let found = quake.find(*request);
        assert_eq!(
            found.as_ref().map(at),
            expected.first().cloned(),
            "{:?}",
            request.escape_ascii().to_string()
        );
        for copy in copies {
            let bytes = copy.read().unwrap();
            assert_eq!(*bytes, *at(&copy).as_bytes());
            assert_eq!(copy.size(), bytes.len() as u64);
        }
    }

    let files: Vec<_> = quake.files().map(|file| (file.stored().as_bytes().to_vec(), at(&file))).collect();
    assert_eq!(files, model.files().into_iter().collect::<Vec<_>>());

    let overridden: Vec<_> =
        quakefs::why::overridden(quake).iter().map(|pair| (at(&pair.winner), at(&pair.copy))).collect();
    let expected = model.files().into_iter().flat_map(|(name, winner)| {
        model.copies(&name).into_iter().skip(1).map(move |copy| (winner.clone(), copy))
    });
    assert_eq!(overridden, expected.collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lookups_equal_a_linear_scan_of_every_name(rules in rules(), directories in vec(directory(), 1..4)) {
        check(&rules, directories);
    }
}
