//! What a lookup and a mounted entry cost in memory.

use std::alloc::{GlobalAlloc, Layout as MemoryLayout, System};
use std::cell::Cell;
use std::hint::black_box;

use quakefs::{Backslash, Case, Engine, Layout, LooseCase, LooseFiles, QPath, Reading, Rules, SearchPath};

use crate::{game, pack};

/// Counts by thread, so that tests beside this one do not disturb.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static LIVE_BYTES: Cell<isize> = const { Cell::new(0) };
}

fn count(allocations: usize, bytes: isize) {
    // a thread that ends may free after its counters are gone
    let _ = ALLOCATIONS.try_with(|counter| counter.set(counter.get() + allocations));
    let _ = LIVE_BYTES.try_with(|counter| counter.set(counter.get() + bytes));
}

#[expect(unsafe_code, reason = "an allocator is unsafe to be one; this one hands every call on")]
// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: MemoryLayout) -> *mut u8 {
        count(1, layout.size().cast_signed());
        // SAFETY: the caller's promise is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: MemoryLayout) {
        count(0, -layout.size().cast_signed());
        // SAFETY: the caller's promise is handed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: MemoryLayout, size: usize) -> *mut u8 {
        count(1, size.cast_signed() - layout.size().cast_signed());
        // SAFETY: the caller's promise is handed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// How often this thread asked for memory meanwhile.
fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(black_box(vec![0u8; 100]))), 1);
    assert_eq!(allocations(|| ()), 0);
}

const TREE: &str =
    "id1/pak0.pak: maps/start.bsp MAPS/E1M1.BSP progs/a_name_that_fills_most_of_its_field_of_56_bytes;
    id1/: config.cfg maps/mine.bsp; mod/pak0.pak: maps/start.bsp; mod/: autoexec.cfg";

fn check(rules: &Rules, loose: LooseFiles, requests: &[&str]) {
    let game = game(TREE);
    let quake = game.builder().rules(rules.clone()).loose_files(loose).game("mod").mount().unwrap();
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
fn a_lookup_allocates_nothing_where_folders_are_listed() {
    let unusual = ["./config.cfg", "maps//mine.bsp", "/autoexec.cfg"];
    for engine in Engine::ALL {
        check(engine.rules(), LooseFiles::Listed, &HITS);
        check(engine.rules(), LooseFiles::Listed, &MISSES);
        check(engine.rules(), LooseFiles::Listed, &unusual);
    }
    let ignored = rules(|rules| rules.case = Case::Ignored);
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
        rules.requests.leading_slash = Reading::Dropped;
        rules.requests.dot_component = Reading::Dropped;
        rules.requests.empty_component = Reading::Dropped;
    });
    check(&dropped, LooseFiles::Listed, &["maps\\start.bsp", "./maps//start.bsp", "\\config.cfg"]);
    check(&dropped, LooseFiles::Listed, &MISSES);
}

#[cfg(unix)]
#[test]
fn a_lookup_allocates_nothing_where_the_disk_is_asked() {
    // to find a name in any case, the folder is listed
    let asks =
        |engine: &&Engine| matches!(engine.rules().loose.case, LooseCase::Exact | LooseCase::ExactThenLower);
    for engine in Engine::ALL.iter().filter(asks) {
        check(engine.rules(), LooseFiles::Live, &HITS);
        check(engine.rules(), LooseFiles::Live, &MISSES);
    }
    let ignored = rules(|rules| rules.case = Case::Ignored);
    check(&ignored, LooseFiles::Live, &HITS);
    check(&ignored, LooseFiles::Live, &MISSES);
    let lower = rules(|rules| rules.loose.case = LooseCase::ExactThenLower);
    check(&lower, LooseFiles::Live, &HITS);
    check(&lower, LooseFiles::Live, &MISSES);
}

#[test]
fn a_request_is_read_without_memory() {
    let requests = Engine::WinQuake.rules().requests;
    for request in HITS.into_iter().chain(MISSES) {
        let found = allocations(|| {
            let _ = black_box(QPath::new(black_box(request), &requests));
        });
        assert_eq!(found, 0, "{request:?}");
    }
}

#[test]
fn reading_a_mapped_file_copies_nothing() {
    let game = game("id1/pak0.pak: a");
    let quake = game.mount("");
    assert_eq!(allocations(|| drop(black_box(quake.read("a")))), 0);
}

/// Bytes of memory that a mounted entry takes: eight archives of 20,000 each.
fn bytes_an_entry(name: impl Fn(usize, usize) -> String) -> f64 {
    const ARCHIVES: usize = 8;
    const ENTRIES: usize = 20_000;
    let game = game("id1/: x");
    for archive in 0..ARCHIVES {
        let names = (0..ENTRIES).map(|entry| (name(archive, entry), ""));
        std::fs::write(game.path(&format!("id1/pak{archive}.pak")), pack(Layout::Quake, names)).unwrap();
    }
    let before = LIVE_BYTES.get();
    let quake: SearchPath = game.mount("");
    let taken = LIVE_BYTES.get() - before;
    assert_eq!(quake.layers().filter_map(quakefs::Layer::entries).sum::<usize>(), ARCHIVES * ENTRIES);
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
