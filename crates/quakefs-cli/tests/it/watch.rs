//! `watch`.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use insta::assert_snapshot;
use testutils::{Folder, game, interruptible};

use crate::{BINARY, Commands as _, brief};

/// The command, with the folder as its base directory, and its output.
struct Watching(Child, BufReader<ChildStdout>);

impl Watching {
    fn of(game: &Folder, args: &[&str]) -> Watching {
        Watching::start(interruptible(BINARY).args(args).current_dir(game.path()), !args.contains(&"--json"))
    }

    fn start(command: &mut Command, with_note: bool) -> Watching {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        if with_note {
            // the folders are watched from here on
            let mut first = [0; 9];
            std::io::Read::read_exact(child.stderr.as_mut().unwrap(), &mut first).unwrap();
            assert_eq!(&first, b"note: wat");
        }
        let out = BufReader::new(child.stdout.take().unwrap());
        Watching(child, out)
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.1.read_line(&mut line).unwrap();
        line
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_change_is_printed_with_the_layer_of_the_winner() {
    let game = game("id1/pak0.pak: a b; mod/: a");
    let mut watching = Watching::of(&game, &["--engine", "darkplaces", "--game", "mod", "watch"]);
    game.write("mod/b", "1");
    assert_snapshot!(watching.line(), @"changed  mod/  b");
    fs::remove_file(game.join("mod/b")).unwrap();
    game.write("mod/maps/new", "1");
    assert_snapshot!(watching.line(), @"changed  id1/pak0.pak  b");
    assert_snapshot!(watching.line(), @"added    mod/          maps/new");
    fs::remove_file(game.join("mod/maps/new")).unwrap();
    assert_snapshot!(watching.line(), @"removed  mod/  maps/new");
}

#[test]
fn names_that_do_not_match_are_not_printed_and_once_ends_the_command() {
    let game = game("id1/pak0.pak: a");
    let mut watching = Watching::of(&game, &["watch", "--once", "sound", "maps/*.bsp"]);
    game.write("id1/b", "1");
    std::thread::sleep(std::time::Duration::from_millis(500));
    game.write("id1/maps/x.bsp", "1");
    assert_snapshot!(watching.line(), @"added    id1/  maps/x.bsp");
    assert_eq!(watching.0.wait().unwrap().code(), Some(0));
    assert_eq!(watching.line(), "");
}

#[test]
#[cfg_attr(windows, ignore = "Windows has no such file names")]
fn programs_see_when_the_watch_begins_and_when_a_burst_ends() {
    let game = game("id1/pak0.pak: a");
    let mut watching = Watching::of(&game, &["--json", "watch"]);
    assert_snapshot!(watching.line(), @r#"{"type":"watching","layers":3}"#);
    game.write("id1/\u{1b}[2Jb", "1");
    game.write("id1/pak1.pak", testutils::pack(pak_format::Layout::Quake, [("a", "new")]));
    assert_snapshot!(watching.line(), @r#"{"type":"change","name":"\u001b[2Jb","change":"added","before":null,"after":{"name":"\u001b[2Jb","layer":"id1/","index":3,"kind":"dir","stored":"\u001b[2Jb","entry":null,"size":1,"content_type":"other"}}"#);
    assert_snapshot!(watching.line(), @r#"{"type":"change","name":"a","change":"changed","before":{"name":"a","layer":"id1/pak0.pak","index":1,"kind":"pak","stored":"a","entry":0,"size":14,"content_type":"other"},"after":{"name":"a","layer":"id1/pak1.pak","index":1,"kind":"pak","stored":"a","entry":0,"size":3,"content_type":"other"}}"#);
    assert_snapshot!(watching.line(), @r#"{"type":"update","changes":2}"#);
}

#[test]
fn a_broken_archive_prints_a_warning() {
    let game = game("id1/pak0.pak: a");
    let mut watching = Watching::of(&game, &["watch", "--no-userdir"]);
    game.write("id1/pak1.pak", "no archive at all");
    let mut err = BufReader::new(watching.0.stderr.take().unwrap());
    let mut lines = String::new();
    for _ in 0..2 {
        err.read_line(&mut lines).unwrap();
    }
    assert_snapshot!(lines, @r#"
    ching 2 layers; Ctrl-C ends
    warning: id1/pak1.pak: quakespasm stops with an error: the archive does not have the quake layout: expected the magic PACK, found "no a"
    "#);
}

/// An unreadable folder is not watched, but the folders beside it are.
#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_may_not_be_read_keeps_no_other_from_being_watched() {
    use std::os::unix::fs::PermissionsExt as _;

    let game = game("id1/pak0.pak: a; id1/maps/: x; id1/locked/: y; id1/zzz/deep/: z");
    let set = |place: &str, mode| {
        fs::set_permissions(game.join(place), fs::Permissions::from_mode(mode)).unwrap();
    };
    set("", 0o755);
    set("id1/locked", 0o000);
    let mut command = crate::unprivileged(game.path().as_std_path());
    let mut watching = Watching::start(command.current_dir(game.path()).arg("watch"), true);
    game.write("id1/zzz/deep/new", "1");
    assert_snapshot!(watching.line(), @"added    id1/  zzz/deep/new");
    game.write("id1/zzz/later/new", "1");
    assert_snapshot!(watching.line(), @"added    id1/  zzz/later/new");
    game.write("id1/zzz/later/new", "2");
    assert_snapshot!(watching.line(), @"changed  id1/  zzz/later/new");
    set("id1/locked", 0o755);
}

/// Losing permissions does not end the watch: unreadable files disappear, and return with the permissions.
#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_loses_its_permissions_is_watched_again_when_it_has_them() {
    use std::os::unix::fs::PermissionsExt as _;

    let game = game("id1/pak0.pak: a; id1/maps/: x");
    let set = |place: &str, mode| {
        fs::set_permissions(game.join(place), fs::Permissions::from_mode(mode)).unwrap();
    };
    set("", 0o755);
    let mut command = crate::unprivileged(game.path().as_std_path());
    let mut watching = Watching::start(command.current_dir(game.path()).arg("watch"), true);
    set("id1/maps", 0o000);
    assert_snapshot!(watching.line(), @"removed  id1/  maps/x");
    set("id1/maps", 0o755);
    assert_snapshot!(watching.line(), @"added    id1/  maps/x");
    game.write("id1/maps/y", "1");
    assert_snapshot!(watching.line(), @"added    id1/  maps/y");
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_the_command() {
    let game = game("id1/pak0.pak: a");
    let mut watching = Watching::of(&game, &["watch"]);
    let process = watching.0.id().to_string();
    assert!(Command::new("kill").args(["-INT", &process]).status().unwrap().success());
    assert_eq!(watching.0.wait().unwrap().code(), Some(0));
}

#[test]
fn a_bad_pattern_and_a_missing_base_directory_are_errors() {
    let game = game("id1/pak0.pak: a");
    assert_snapshot!(brief(game.check("--basedir [DIR] watch {a")), @"exit 2: error: [pattern] unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?) +help");
    assert_snapshot!(brief(game.check("--basedir [DIR]/nowhere watch")), @"exit 2: error: [DIR]/nowhere: [no-base-directory] +help");
}

#[test]
fn saving_an_overridden_file_names_the_winner() {
    let game = game("id1/pak0.pak: a; mod/pak0.pak: a b; mod/: a");
    let mut watching = Watching::of(&game, &["--game", "mod", "watch"]);
    game.write("mod/a", "saved, and not what the engine loads");
    assert_snapshot!(watching.line(), @"overridden  mod/  a: changed, but mod/pak0.pak overrides it");
}
