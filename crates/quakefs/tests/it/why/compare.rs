//! Comparing search paths.

use std::collections::BTreeSet;

use quakefs::why::{Because, compare};
use quakefs::{Engine, File, LooseFiles, SearchPath};
use testutils::game;

use testutils::search_path::{Mount as _, with_games};

const TREE: &str = r"id1/pak0.pak: a Maps/B.bsp c\d /e ./f g g; id1/pak1.pak: a h; id1/pak3.pak: a i; id1/x.pak: a j;
    id1/: a g Maps/M.bsp n; mod/pak0.pak: a o; mod/PAK1.PAK: p; mod/: A maps/b.bsp .q; two/: a";

/// The names for which lookups find different copies, looked up one at a time.
fn differing(search_paths: &[SearchPath]) -> BTreeSet<Vec<u8>> {
    let files = search_paths.iter().flat_map(SearchPath::files);
    let mut names: BTreeSet<Vec<u8>> = files.map(|file| file.name().as_bytes().to_vec()).collect();
    let places = |name: &[u8]| -> Vec<_> {
        search_paths.iter().map(|search_path| search_path.find(name).as_ref().map(File::location)).collect()
    };
    // another spelling does not matter if every engine treats both as equal
    let lower = names.iter().map(|name| (name, name.to_ascii_lowercase()));
    let lower = lower.filter(|(name, lower)| places(name) != places(lower)).map(|(_, lower)| lower);
    let lower: Vec<_> = lower.collect();
    names.extend(lower);
    let differs = |name: &Vec<u8>| places(name).windows(2).any(|pair| pair[0] != pair[1]);
    names.into_iter().filter(differs).collect()
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn a_comparison_finds_the_names_for_which_lookups_differ() {
    let folder = game(TREE);
    let mount = |engine: Engine, loose| {
        let builder = folder.builder().engine(engine).loose_files(loose);
        with_games(builder, "mod two").mount()
    };
    let mut causes = BTreeSet::new();
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        // engines of other games have no directory here
        let search_paths: Vec<_> =
            Engine::ALL.iter().filter_map(|engine| mount(*engine, loose).ok()).collect();
        assert!(search_paths.len() > 9);
        for one in &search_paths {
            for other in &search_paths {
                let pair = [one.clone(), other.clone()];
                let comparison = compare(&pair, |_| true);
                let found = comparison.causes.iter().flat_map(|cause| &cause.names);
                let found: Vec<_> = found.map(|name| name.as_bytes().to_vec()).collect();
                let set: BTreeSet<_> = found.iter().cloned().collect();
                let about = format!("{} {}", one.rules().name, other.rules().name);
                assert_eq!(found.len(), set.len(), "{about}");
                assert_eq!(set, differing(&pair), "{about}");
                causes.extend(comparison.causes.iter().map(|cause| cause.because.name()));
                for cause in &comparison.causes {
                    assert!(cause.names.is_sorted(), "{about}");
                    let winners = comparison.search_paths.iter().map(|quake| quake.find(&cause.names[0]));
                    let places: Vec<_> = winners.map(|file| file.as_ref().map(File::location)).collect();
                    assert_ne!(places[0], places[1], "{about}");
                }
            }
        }
    }
    assert!(causes.iter().all(|name| Because::NAMES.contains(name)), "{causes:?}");
    for name in ["skipped", "case", "request", "loose", "equal-rows", "spelling"] {
        assert!(causes.contains(name), "{name} {causes:?}");
    }
}

#[test]
fn the_cause_of_most_names_comes_first() {
    let folder = game("id1/pak0.pak: a B C; id1/: a");
    let search_paths =
        [Engine::WinQuake, Engine::DarkPlaces].map(|engine| folder.builder().engine(engine).mount().unwrap());
    let comparison = compare(&search_paths, |_| true);
    let causes = comparison.causes.iter().map(|cause| (cause.because.name(), cause.names.len()));
    assert_eq!(causes.collect::<Vec<_>>(), [("case", 2), ("loose", 1)]);
}
