//! `games`, and `--basedir steam:quake`.

// names in another case, and paths as Linux writes them
#![cfg(target_os = "linux")]

use insta::assert_snapshot;
use testutils::{Folder, stores};

use crate::{Commands as _, check};

/// Columns are as wide as a path on this computer: two spaces stand for any number.
fn squeezed(text: &str) -> String {
    let columns = |line: &str| {
        let columns = line.split("  ").map(str::trim).filter(|column| !column.is_empty());
        columns.collect::<Vec<_>>().join("  ")
    };
    text.lines().map(columns).collect::<Vec<_>>().join("\n")
}

#[test]
fn games_are_listed_with_what_an_engine_would_complain_of() {
    assert_snapshot!(squeezed(&stores().check_at_home("games")), @"");
}

#[test]
fn the_engine_that_is_named_is_asked_where_it_is_one_of_the_game() {
    assert_snapshot!(stores().check_at_home("--engine quakespasm --json games"), @"");
}

#[test]
fn no_game_at_all_is_a_miss() {
    assert_snapshot!(check("games"), @"");
    assert_snapshot!(check("--json games"), @"");
}

#[test]
fn options_that_name_one_game_are_refused() {
    assert_snapshot!(check("--basedir . games"), @"");
}

#[test]
fn the_name_of_an_installed_game_stands_for_its_base_directory() {
    let folder = stores();
    let line = |line: &str| squeezed(&folder.check_at_home(line));
    assert_snapshot!(line("--basedir system:quake --game hipnotic path"), @"");
    assert_snapshot!(line("--basedir steam:quake path"), @"");
    assert_snapshot!(line("--basedir system:quake which nope"), @"");
}

#[test]
fn a_game_that_is_not_installed_lists_what_is() {
    let folder = stores();
    assert_snapshot!(folder.check_at_home("--basedir steam:daikatana path"), @"");
    assert_snapshot!(check("--basedir gog:quake path"), @"");
    // no store: a path
    assert_snapshot!(check("--basedir itch:quake path"), @"");
}

#[test]
fn two_installs_of_one_name_are_told_apart_by_their_paths() {
    let folder = Folder::new();
    for place in ["one", "two"] {
        folder.write(&format!("home/GOG Games/{place}/id1/pak0.pak"), crate::archive(&[(b"a", b"")]));
    }
    assert_snapshot!(folder.check_at_home("--basedir gog:quake path"), @"");
}

#[test]
fn a_hostile_name_in_a_list_is_printed_escaped() {
    let folder = Folder::new();
    let base = "elsewhere/\u{1b}[31mred";
    folder.write(&format!("{base}/id1/pak0.pak"), crate::archive(&[(b"a", b"")]));
    let list = serde_json::json!({ "a": { "install_path": folder.join(base).as_str() } });
    folder.write("home/.config/legendary/installed.json", list.to_string());
    assert_snapshot!(squeezed(&folder.check_at_home("games")), @"");
}
