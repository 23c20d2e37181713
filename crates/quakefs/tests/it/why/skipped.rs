//! Copies that the engine does not look at.

use quakefs::why::{Explanation, copies_elsewhere, explain, skipped_copies};
use quakefs::{Engine, SearchPath};
use testutils::game;

use testutils::search_path::Mount as _;

fn beside(quake: &SearchPath, name: &str) -> Vec<String> {
    let Explanation::Served { skipped, .. } = explain(quake, name) else { panic!("{name} is found") };
    let copies = skipped.into_iter().chain(copies_elsewhere(quake, name.as_bytes()));
    copies.map(|copy| format!("{} {}: {}", copy.because.name(), copy.location, copy.because)).collect()
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn a_winner_names_the_copies_that_were_skipped_and_why() {
    let folder = game(
        "id1/pak0.pak: a.cfg b.cfg; mod/pak0.pak: a.cfg; mod/pak2.pak: a.cfg; mod/PAK1.PAK: a.cfg; \
        mod/: B.CFG; mod/mod/: a.cfg; mod/sub/pak0.pak: a.cfg; other/: a.cfg",
    );
    let quake = folder.builder().engine(Engine::QuakeSpasm).game("mod").mount().unwrap();
    let expected = "skipped mod/PAK1.PAK: entry 0 (a.cfg): quakespasm looks for pak1.pak
skipped mod/pak2.pak: entry 0 (a.cfg): pak1.pak is missing
too-deep mod/mod/a.cfg: the engine looks only in mod/ itself
too-deep mod/sub/pak0.pak: the engine looks only in mod/ itself
other-game other/a.cfg: it is in another game, other";
    assert_eq!(beside(&quake, "a.cfg").join("\n"), expected);
    // quakespasm finds a loose file below its archives
    assert_eq!(
        beside(&folder.builder().engine(Engine::Qss).game("mod").mount().unwrap(), "b.cfg"),
        ["other-case mod/B.CFG: its name differs in case"]
    );
    let all: Vec<_> = skipped_copies(&quake).iter().map(|copy| copy.location.to_string()).collect();
    assert_eq!(all, ["mod/PAK1.PAK: entry 0 (a.cfg)", "mod/pak2.pak: entry 0 (a.cfg)"]);
}

#[test]
fn where_nothing_was_skipped_nothing_is_told() {
    let folder = game("id1/pak0.pak: a.cfg; mod/pak0.pak: a.cfg");
    let quake = folder.builder().game("mod").mount().unwrap();
    assert_eq!(beside(&quake, "a.cfg"), [""; 0]);
    assert!(skipped_copies(&quake).is_empty());
}
