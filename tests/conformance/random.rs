//! Random layouts, one for each seed and engine. Some archives are empty, damaged or equal except for case.
//! There are engines' own archives, folders named like archives, and odd names of games.

use std::collections::BTreeMap;

use quakefs::Engine;

use crate::layout::{Archive, Folder, Form, Layout, is_pak};

/// Xorshift: a seed must give the same layout on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        // neighbouring seeds would begin alike, and 0 would stay 0
        let mut random = Random(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from((self.next() >> 16) % end as u64).unwrap()
    }

    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    fn some(&mut self, from: &[&str], chance: usize) -> Vec<String> {
        from.iter().filter(|_| self.percent(chance)).map(|&name| name.to_owned()).collect()
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

/// Names of files. An engine never loads them by itself, and none is the folder of another.
const NAMES: [&str; 24] = [
    "a.cfg",
    "A.cfg",
    "b.cfg",
    "c.cfg",
    "mixed.cfg",
    "Mixed.cfg",
    "upper.cfg",
    "UPPER.cfg",
    "only0.cfg",
    "only1.cfg",
    "progs.cfg",
    "cfg/a.cfg",
    "Cfg/a.cfg",
    "cfg/b.cfg",
    "cfg/Mixed.cfg",
    "cfg/MIXED.cfg",
    "cfg/x/y.cfg",
    "maps/start.cfg",
    "maps/START.cfg",
    "MAPS/start.cfg",
    "maps/e1m1.cfg",
    "d1/d2/d3/deep.cfg",
    "snd/nnnnnnnnnnnnnnnnnnnnnnnn.cfg",
    // as long as a name of an entry can be
    "snd/nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn.cfg",
];

const MISSING: [&str; 3] = ["missing.cfg", "cfg/missing.cfg", "a.cf"];

/// Names that are only in archives. Layouts of DarkPlaces have none, as with [`UNUSUAL`].
const ODD: [&str; 10] = [
    "./dot.cfg",
    "cfg/./a.cfg",
    "x//y.cfg",
    "/a.cfg",
    "../a.cfg",
    "maps/../b.cfg",
    "cfg\\a.cfg",
    "a..b.cfg",
    "cfg/",
    "cfg/.hidden.cfg",
];

/// Files under names that are folders in [`NAMES`].
const NO_FOLDERS: [&str; 2] = ["d1", "snd"];

/// Links to themselves: one under the name of a file, and one under the name of a folder.
const LINKS: [&str; 2] = ["progs.cfg", "maps"];

/// Not for DarkPlaces: its lookups for models bypass the check that refuses these.
const UNUSUAL: [&str; 17] = [
    "./dot.cfg",
    "dot.cfg",
    "x//y.cfg",
    "x/y.cfg",
    "a..b.cfg",
    "cfg/.hidden.cfg",
    "d1",
    "/a.cfg",
    "./a.cfg",
    "cfg/./a.cfg",
    "cfg//a.cfg",
    "cfg\\a.cfg",
    "maps\\start.cfg",
    "cfg\\x/y.cfg",
    "cfg",
    "maps",
    "cfg/",
];

const OTHER_PAKS: [&str; 9] = [
    "pak01.pak",
    "Pak3.pak",
    "PAK4.PAK",
    "pak7.PAK",
    "pakx.pak",
    "alpha.pak",
    "Beta.pak",
    "maps.pak",
    "zeta.pak",
];

const FOLDERS: [&str; 2] = ["mid.pk3dir", "Zed.PK3DIR"];

/// Engines' own archives, in the base directory.
const OWN: [&str; 2] = ["quakespasm.pak", "ironwail.pak"];

const PK3S: [&str; 6] = ["pak0.pk3", "pak1.pk3", "alpha.pk3", "mid.pk3", "Zed.pk3", "ODD.PK3"];

/// Every name of a file.
pub(crate) fn requests(engine: Engine) -> Vec<&'static str> {
    let unusual: &[&str] = if engine == Engine::DarkPlaces { &[] } else { &UNUSUAL };
    names(engine).chain(MISSING).chain(unusual.iter().copied()).collect()
}

/// The names that an engine can look up.
pub(crate) fn names(engine: Engine) -> impl Iterator<Item = &'static str> {
    // the `exec` of mvdsv 0.35 overruns a buffer and dies
    let longest = if engine == Engine::Mvdsv { 40 } else { 55 };
    NAMES.into_iter().filter(move |name| name.len() <= longest)
}

pub(crate) fn layout(engine: Engine, seed: u64) -> Layout {
    let mut random = Random::new(seed);
    let flags: &[&[&str]] = match engine {
        Engine::Mvdsv => &[&[]],
        // which of two missions counts is not a matter of files
        Engine::DarkPlaces => &[&[], &[], &[], &["-rogue"], &["-hipnotic"], &["-quoth"]],
        _ => &[&[], &[], &[], &["-rogue"], &["-hipnotic"], &["-quoth"], &["-hipnotic", "-rogue"]],
    };
    let games: &[&[&str]] = &[
        &[],
        &["mod"],
        &["mod"],
        &["mod"],
        &["moda", "modb"],
        &["moda", "modb", "moda"],
        &["ghost", "mod"],
        &["rogue"],
        &["qw"],
        &["id1"],
        &["ghost"],
        &["MOD"],
        &["mod/"],
        &[".mod"],
        &["my mod"],
        &["a/b"],
    ];
    let strings = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let flags = strings(random.pick(flags));
    let games = strings(random.pick(games));

    let mut dirs = vec!["id1".to_owned()];
    let wanted =
        flags.iter().map(|flag| &flag[1..]).chain(games.iter().map(|game| game.trim_end_matches('/')));
    for dir in wanted.chain(["qw", "mod", "rogue"]) {
        // some folders are of no game, and some games have no folder
        let chance = if ["ghost", "MOD"].contains(&dir) { 0 } else { 60 + 10 * dirs.len().min(3) };
        if !dirs.iter().any(|there| there == dir) && random.percent(chance) {
            dirs.push(dir.to_owned());
        }
    }
    let own = random.some(&OWN, 30);
    let archives = archives(&mut random, engine, own);
    let own = Folder { dir: ".".to_owned(), archives, loose: Vec::new(), links: Vec::new() };
    let (files, user) = (BTreeMap::new(), Vec::new());
    let mut layout = Layout { flags, games, tree: vec![own], files, user, ..Layout::default() };
    for dir in dirs {
        loop {
            layout.tree.push(folder(&mut random, engine, dir.clone()));
            if is_defined(engine, &layout) {
                break;
            }
            layout.tree.pop();
        }
    }
    layout
}

/// The same with a user directory, from a distant seed.
pub(crate) fn with_user(engine: Engine, seed: u64) -> Layout {
    let mut with_user = layout(engine, seed);
    for folder in layout(engine, seed.wrapping_add(1 << 32)).tree {
        with_user.user.push(folder);
        if !is_defined(engine, &with_user) {
            with_user.user.pop();
        }
    }
    with_user
}

fn folder(random: &mut Random, engine: Engine, dir: String) -> Folder {
    let run = match random.below(10) {
        0..7 => random.below(4),
        7..9 => 4 + random.below(3),
        _ => 11 + random.below(2),
    };
    let mut files: Vec<String> = (0..run).map(|number| format!("pak{number}.pak")).collect();
    if random.percent(30) {
        files.push(format!("pak{}.pak", run + 1 + random.below(9)));
    }
    let (others, pk3s) = match engine {
        Engine::DarkPlaces => (15, 25),
        Engine::Mvdsv => (6, 4),
        _ => (15, 4),
    };
    files.extend(random.some(&OTHER_PAKS, others));
    files.extend(random.some(&PK3S, pk3s));
    files.extend(random.some(&FOLDERS, pk3s));
    let twins = files.iter().map(|file| file.to_ascii_uppercase()).collect::<Vec<_>>();
    for twin in twins {
        if random.percent(2) && !files.contains(&twin) {
            files.push(twin);
        }
    }
    random.shuffle(&mut files);
    let archives = archives(random, engine, files);
    let chance = random.below(50);
    let mut loose = random.some(&NAMES, chance);
    let mut links = random.some(&LINKS, 10);
    let is_in =
        |name: &String, folder: &str| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    links.retain(|link| !loose.iter().any(|name| name == link || is_in(name, link)));
    let mut files = random.some(&NO_FOLDERS, 10);
    files.retain(|file| !loose.iter().any(|name| is_in(name, file)));
    loose.append(&mut files);
    Folder { dir, archives, loose, links }
}

fn archives(random: &mut Random, engine: Engine, files: Vec<String>) -> Vec<Archive> {
    let archives = files.into_iter().map(|file| {
        let count = if random.percent(6) { 0 } else { 1 + random.below(18) };
        let mut entries: Vec<_> = (0..count).map(|_| random.pick(&NAMES[..]).to_owned()).collect();
        let form = if FOLDERS.iter().any(|folder| file.eq_ignore_ascii_case(folder)) {
            Form::Folder
        } else if random.percent(95) {
            Form::Whole
        } else {
            [Form::CutOff, Form::WrongMagic, Form::PartialRow, Form::Folder][random.below(4)]
        };
        if form != Form::Folder && engine != Engine::DarkPlaces {
            entries.extend(random.some(&ODD, 4));
        }
        Archive { file, entries, form }
    });
    archives.collect()
}

/// Whether the layout and the order of the disk determine the winners.
pub(crate) fn is_defined(engine: Engine, layout: &Layout) -> bool {
    let archives = |folder: &Folder| folder.archives.len();
    let folders = || layout.tree.iter().chain(&layout.user);
    let id1_again = folders().filter(|folder| folder.dir == "id1").map(archives).sum::<usize>();
    // QuakeSpasm stops if it has more than about 30 paks open
    engine != Engine::QuakeSpasm095 || folders().map(archives).sum::<usize>() + id1_again <= 30
}

/// A layout for one question: whether the engine reads archives from the builder of quakefs.
pub(crate) fn one_archive(file: &str) -> Layout {
    let archive = |file: &str, entries: &[&str]| Archive {
        file: file.to_owned(),
        entries: entries.iter().map(|&name| name.to_owned()).collect(),
        form: Form::Whole,
    };
    let mut archives = vec![archive(file, &NAMES)];
    if !is_pak(file) {
        archives.push(archive("pak0.pak", &[]));
    }
    let id1 = Folder { dir: "id1".to_owned(), archives, loose: Vec::new(), links: Vec::new() };
    let (flags, games, files, user) = (Vec::new(), Vec::new(), BTreeMap::new(), Vec::new());
    Layout { flags, games, tree: vec![id1], files, user, ..Layout::default() }
}

/// A layout of several archives with one name each.
pub(crate) fn many_archives(count: usize) -> Layout {
    let archive = |number: usize| Archive {
        file: format!("pak{number}.pak"),
        entries: vec![NAMES[number % NAMES.len()].to_owned()],
        form: Form::Whole,
    };
    let archives = (0..count).map(archive).collect();
    let id1 = Folder { dir: "id1".to_owned(), archives, loose: Vec::new(), links: Vec::new() };
    Layout { tree: vec![id1], ..one_archive("pak0.pak") }
}

/// A layout of several games and missions, each with its own files and some of another one, started with
/// these.
pub(crate) fn of_games(games: &[&str], flags: &[&str]) -> Layout {
    let strings = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let dirs = ["id1", "hipnotic", "rogue", "moda", "modb"];
    let folder = |(number, dir): (usize, &&str)| {
        let of = |from: usize| NAMES.iter().skip(from).step_by(dirs.len()).map(|name| (*name).to_owned());
        let entries = of(number).chain(of(number + 1)).collect();
        let archives = vec![Archive { file: "pak0.pak".to_owned(), entries, form: Form::Whole }];
        let loose = of((number + 2) % dirs.len()).collect();
        Folder { dir: (*dir).to_owned(), archives, loose, links: Vec::new() }
    };
    let tree = dirs.iter().enumerate().map(folder).collect();
    Layout { games: strings(games), flags: strings(flags), tree, ..one_archive("pak0.pak") }
}
