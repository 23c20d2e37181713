//! What a lookup and a mounted entry cost in memory.

use std::hint::black_box;

use quakefs::rules::Case;
use quakefs::rules::{Backslash, LooseCase, PathRule};
use quakefs::{Engine, Layout, LooseFiles, QPath, Rules, SearchPath};
use testutils::{Folder, game, pack};

use crate::{allocations, held};

const TREE: &str =
    "id1/pak0.pak: maps/start.bsp MAPS/E1M1.BSP progs/a_name_that_fills_most_of_its_field_of_56_bytes;
    id1/: config.cfg maps/mine.bsp; mod/pak0.pak: maps/start.bsp; mod/: autoexec.cfg";

fn mount(game: &Folder) -> SearchPath {
    SearchPath::builder(game.path()).mount().unwrap()
}

fn check(rules: &Rules, loose: LooseFiles, requests: &[&str]) {
    let game = game(TREE);
    let quake =
        SearchPath::builder(game.path()).rules(rules.clone()).loose_files(loose).game("mod").mount().unwrap();
    for request in requests {
        let found = allocations(|| {
            black_box(quake.find(black_box(*request)));
        });
        assert_eq!(found, 0, "{request:?} {loose:?}");
    }
}

const HITS: [&str; 5] = [
    "maps/start.bsp",
    "MAPS/E1M1.BSP",
    "progs/a_name_that_fills_most_of_its_field_of_56_bytes",
    "config.cfg",
    "autoexec.cfg",
];
const MISSES: [&str; 11] = [
    "maps/none.bsp",
    "maps/start.bsp/a",
    "maps",
    "./maps/none.bsp",
    "maps//none.bsp",
    "/maps/./none.bsp",
    "maps\\none.bsp",
    "../config.cfg",
    "C:\\config.cfg",
    "maps/",
    "",
];

fn rules(change: impl FnOnce(&mut Rules)) -> Rules {
    let mut rules = Engine::WinQuake.rules().clone();
    change(&mut rules);
    rules
}

#[test]
#[cfg_attr(windows, ignore = "on Windows the list ignores case and compares names in another form")]
fn a_lookup_allocates_nothing_with_listed_folders() {
    let unusual = ["./config.cfg", "maps//mine.bsp", "/autoexec.cfg"];
    for engine in Engine::ALL {
        check(engine.rules(), LooseFiles::Listed, &HITS);
        check(engine.rules(), LooseFiles::Listed, &MISSES);
        check(engine.rules(), LooseFiles::Listed, &unusual);
    }
    let ignored = rules(|rules| rules.archives.case = Case::Ignored);
    check(&ignored, LooseFiles::Listed, &HITS);
    check(&ignored, LooseFiles::Listed, &["maps/START.bsp", "maps/e1m1.bsp", "maps/NONE.bsp"]);
    check(&ignored, LooseFiles::Listed, &MISSES);
    for case in [LooseCase::ExactThenLower, LooseCase::Ignored, LooseCase::ExactHidesOthers] {
        let rules = rules(|rules| rules.loose.case = case);
        check(&rules, LooseFiles::Listed, &HITS);
        check(&rules, LooseFiles::Listed, &["CONFIG.cfg", "maps/MINE.bsp"]);
        check(&rules, LooseFiles::Listed, &MISSES);
    }
    let dropped = rules(|rules| {
        rules.requests.backslash = Backslash::Slash;
        rules.requests.leading_slash = PathRule::Dropped;
        rules.requests.dot_component = PathRule::Dropped;
        rules.requests.empty_component = PathRule::Dropped;
    });
    check(&dropped, LooseFiles::Listed, &["maps\\start.bsp", "./maps//start.bsp", "\\config.cfg"]);
    check(&dropped, LooseFiles::Listed, &MISSES);
}

#[cfg(unix)]
#[test]
fn a_lookup_allocates_nothing_with_live_folders() {
    // to find a name in any case, the folder is listed
    let asks =
        |engine: &&Engine| matches!(engine.rules().loose.case, LooseCase::Exact | LooseCase::ExactThenLower);
    for engine in Engine::ALL.iter().filter(asks) {
        check(engine.rules(), LooseFiles::Live, &HITS);
        check(engine.rules(), LooseFiles::Live, &MISSES);
    }
    let ignored = rules(|rules| rules.archives.case = Case::Ignored);
    check(&ignored, LooseFiles::Live, &HITS);
    check(&ignored, LooseFiles::Live, &MISSES);
    let lower = rules(|rules| rules.loose.case = LooseCase::ExactThenLower);
    check(&lower, LooseFiles::Live, &HITS);
    check(&lower, LooseFiles::Live, &MISSES);
}

#[test]
fn parsing_a_request_allocates_nothing() {
    let requests = &Engine::WinQuake.rules().requests;
    for request in HITS.into_iter().chain(MISSES) {
        let found = allocations(|| {
            let _ = black_box(QPath::new(black_box(request), requests));
        });
        assert_eq!(found, 0, "{request:?}");
    }
}

#[test]
fn reading_a_mapped_file_allocates_nothing() {
    let game = game("id1/pak0.pak: a");
    let quake = mount(&game);
    assert_eq!(allocations(|| drop(black_box(quake.read("a")))), 0);
}

/// Bytes of memory that a mounted entry takes: eight archives of 20,000 each.
fn bytes_an_entry(name: impl Fn(usize, usize) -> String) -> f64 {
    const ARCHIVES: usize = 8;
    const ENTRIES: usize = 20_000;
    let game = game("id1/: x");
    for archive in 0..ARCHIVES {
        let names = (0..ENTRIES).map(|entry| (name(archive, entry), ""));
        game.write(&format!("id1/pak{archive}.pak"), pack(Layout::Quake, names));
    }
    let (quake, taken) = held(|| mount(&game));
    let entries = quake.layers().filter_map(|layer| Some(layer.archive()?.entries().len()));
    assert_eq!(entries.sum::<usize>(), ARCHIVES * ENTRIES);
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let bytes = taken as f64 / (ARCHIVES * ENTRIES) as f64;
    bytes
}

#[test]
fn a_mounted_entry_takes_at_most_32_bytes() {
    let distinct = bytes_an_entry(|archive, entry| format!("maps/level_{archive}_{entry}.bsp"));
    let shadowed = bytes_an_entry(|_, entry| format!("maps/level_{entry}.bsp"));
    println!(
        "bytes an entry: {distinct:.1} of distinct names, {shadowed:.1} where seven of eight are shadowed"
    );
    assert!(distinct <= 32.0, "{distinct}");
    assert!(shadowed <= 32.0, "{shadowed}");
}
