//! The real binary: what a function cannot show.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Output, Stdio};

use insta::assert_snapshot;
use testutils::{Folder, command};

use crate::{BINARY, Commands as _, GAME};

pub(crate) fn quakefs(args: &[&str]) -> Command {
    let mut command = command(BINARY);
    command.args(args).current_dir(GAME).stdin(Stdio::null());
    command
}

fn output(args: &[&str]) -> Output {
    quakefs(args).output().unwrap()
}

#[test]
fn the_current_folder_is_the_base_directory() {
    let answer = output(&["which", "maps/start.bsp"]);
    assert_eq!(answer.stdout, b"maps/start.bsp: id1/pak0.pak (entry 4, 201 bytes)\n");
    assert_eq!(answer.status.code(), Some(0));
}

#[test]
fn a_mount_is_on_top_of_the_game_in_the_current_folder_if_there_is_one() {
    let folder = Folder::with_archive(&[(b"new", b"")]);
    let archive = folder.join("a.pak");
    let layers = |command: &mut Command| {
        let table = String::from_utf8(command.output().unwrap().stdout).unwrap();
        let rows = table.lines().skip_while(|line| !line.starts_with("layer")).skip(1);
        rows.take_while(|line| !line.is_empty()).count()
    };
    let args = ["--mount", archive.as_str(), "path"];
    assert_eq!(layers(&mut quakefs(&args)), 4);
    assert_eq!(layers(quakefs(&args).current_dir(folder.path())), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn the_home_folder_comes_from_the_environment() {
    let home = Folder::with([(".quakespasm/id1/mine.cfg", "mine")]);
    let args = ["--engine", "quakespasm", "cat", "mine.cfg"];
    assert_eq!(quakefs(&args).env("HOME", home.path()).output().unwrap().stdout, b"mine");
    assert_eq!(output(&args).status.code(), Some(1));
    // what the engine leaves there is no game
    let empty = Folder::new();
    let mut command = quakefs(&args);
    let answer = command.current_dir(empty.path()).env("HOME", home.path()).output().unwrap();
    assert_eq!(answer.status.code(), Some(2));
}

// the folder of downloads is one of Proton's
#[cfg(target_os = "linux")]
#[test]
fn the_folder_of_a_store_includes_its_engines_downloads() {
    let folder = testutils::stores();
    let here = folder.join("home/.local/share/Steam/steamapps/common/Quake/rerelease/id1");
    let mut command = quakefs(&["--engine", "ironwail", "mods", "--names"]);
    let answer = command.current_dir(&here).env("HOME", folder.join("home")).output().unwrap();
    let names = String::from_utf8(answer.stdout).unwrap();
    assert_eq!(names.lines().collect::<Vec<_>>(), ["addon1", "dopa", "id1", "mg1", "mg3"]);
}

/// The suites that start the binary, run again by somebody who plays, and has set variables.
#[test]
#[cfg_attr(windows, ignore = "the home folder has another variable there")]
fn the_suites_read_no_home_folder_and_no_variable() {
    let folders =
        [".darkplaces", ".quakespasm", ".ironwail", ".local/share/ironwail", ".vkquake", ".fte", ".q3a"];
    let files = folders.iter().flat_map(|folder| {
        ["id1/pak9.pak", "id1/mine.cfg", "mod/x.cfg"].map(|file| format!("{folder}/{file}"))
    });
    let home = Folder::with(files.map(|file| (file, crate::archive(&[(b"default.cfg", b"mine")]))));
    let suites = ["binary::", "manners::", "story::", "watch::"];
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(suites).args(["--skip", "the_suites_read_no_home_folder_and_no_variable"]);
    again.env("HOME", home.path()).env("QUAKEFS_ENGINE", "ironwail").env("QUAKEFS_BASEDIR", home.path());
    let answer = again.output().unwrap();
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stdout));
}

#[test]
fn exit_codes_are_0_1_and_2() {
    let code = |args: &[&str]| output(args).status.code();
    assert_eq!(code(&["which", "quake.rc"]), Some(0));
    assert_eq!(code(&["which", "nope"]), Some(1));
    assert_eq!(code(&["--nonsense"]), Some(2));
    assert_eq!(code(&["--basedir", "nowhere", "path"]), Some(2));
}

#[test]
fn a_variable_prints_what_each_mount_opens() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", crate::archive(&[(b"a.cfg", b"a")]));
    let log = |level: &str| {
        let mut command = quakefs(&["which", "a.cfg"]);
        let answer = command.current_dir(folder.path()).env("QUAKEFS_LOG", level).output().unwrap();
        assert!(answer.status.success());
        String::from_utf8(answer.stderr).unwrap()
    };
    let info = log("info");
    for part in ["mounted an archive", "opened=1 layers=", "entries=1 findings=0"] {
        assert!(info.contains(part), "{part}: {info}");
    }
    assert!(!log("error").contains("mounted"));
    assert!(log("all").contains("QUAKEFS_LOG: expected error"));
}

#[test]
fn cat_writes_each_byte_unchanged() {
    let folder = Folder::new();
    let bytes: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    folder.write("id1/pak0.pak", crate::archive(&[(b"packed", &bytes)]));
    folder.write("id1/loose", &bytes);
    for name in ["packed", "loose"] {
        let answer = quakefs(&["cat", name]).current_dir(folder.path()).output().unwrap();
        assert!(answer.stdout == bytes, "{name}");
    }
}

#[test]
fn a_reader_that_closes_the_pipe_is_not_a_failure() {
    let folder = Folder::new();
    let names: Vec<_> = (0..20_000).map(|number| format!("a/file/with/a/long/name/{number}")).collect();
    let rows: Vec<_> = names.iter().map(|name| (name.as_bytes(), &b""[..])).collect();
    folder.write("id1/pak0.pak", crate::archive(&rows));
    let mut child = quakefs(&["ls", "--engine", "darkplaces"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first, "id1/pak0.pak  a/file/with/a/long/name/0\n");
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}

#[test]
fn colour_is_only_written_to_a_terminal() {
    for args in [&["--help"][..], &["which", "nope"], &["--nonsense"], &["--game", "gapmod", "path"]] {
        for command in [&mut quakefs(args), quakefs(args).env("NO_COLOR", "1")] {
            let answer = command.output().unwrap();
            assert!(!answer.stdout.contains(&0x1b) && !answer.stderr.contains(&0x1b), "{args:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_to_a_full_disk_is_reported() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let answer = quakefs(&["ls"]).stdout(full).output().unwrap();
    assert_eq!(answer.status.code(), Some(2));
    let err = String::from_utf8(answer.stderr).unwrap();
    assert_snapshot!(err, @"error: the output cannot be written: No space left on device (os error 28)");
}

#[cfg(unix)]
#[test]
fn files_have_the_mode_that_the_umask_leaves() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new();
    for (umask, mode) in [("022", 0o644), ("077", 0o600)] {
        let script = format!("umask {umask}; exec \"$0\" extract quake.rc -o \"$1\"");
        let out = folder.join(umask);
        let status = command("sh")
            .args(["-c", &script])
            .arg(BINARY)
            .arg(&out)
            .current_dir(GAME)
            .stdout(Stdio::null())
            .status();
        assert!(status.unwrap().success());
        let found = std::fs::metadata(out.join("quake.rc")).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode, "{umask}");
    }
}

fn help(args: &[&str]) -> String {
    let answer = output(args);
    assert_eq!((answer.status.code(), answer.stderr.len()), (Some(0), 0), "{args:?}");
    String::from_utf8(answer.stdout).unwrap()
}

#[test]
#[cfg_attr(windows, ignore = "`mount` exists only on Linux")]
fn quakefs_alone_prints_one_screen_with_every_command() {
    let page = help(&[]);
    assert_eq!([help(&["-h"]), help(&["help"])], [page.clone(), page.clone()]);
    assert!(page.lines().count() <= 30 && page.lines().all(|line| line.chars().count() <= 80), "{page}");
    let listed: Vec<_> = section(&page, "All commands")
        .flat_map(|line| line.get(18..).unwrap_or_default().split_whitespace())
        .map(str::to_owned)
        .collect();
    let mut all = crate::usage::commands();
    all.retain(|command| !["completions", "man", "pak", "help"].contains(&&**command));
    let names: Vec<_> = all.iter().map(|command| command.strip_prefix("pak ").unwrap_or(command)).collect();
    let sorted = |mut names: Vec<_>| {
        names.sort_unstable();
        names
    };
    assert_eq!(sorted(listed), sorted(names.into_iter().map(str::to_owned).collect()));
}

#[test]
#[cfg_attr(windows, ignore = "`mount` exists only on Linux")]
fn the_long_page_of_help_lists_the_commands_with_their_summaries() {
    let (page, of_pak) = (help(&["--help"]), help(&["pak", "-h"]));
    for command in crate::usage::commands() {
        let summary =
            help(&[&crate::words(&command)[..], &["-h"]].concat()).lines().next().unwrap().to_owned();
        let name = command.strip_prefix("pak ").unwrap_or(&command);
        let page = if name == command { &page } else { &of_pak };
        let line = section(page, "Commands").find(|line| line.split_whitespace().next() == Some(name));
        assert!(line.is_some_and(|line| line.contains(&summary)), "{command}: {summary}");
    }
    for shown in
        ["[aliases: ls, l]", "[alias: x]", "[alias: a]", "[alias: rm]", "[alias: mv]", "--json", "--quiet"]
    {
        assert!(of_pak.contains(shown), "{shown}");
    }
    assert!(!of_pak.contains("--basedir"), "{of_pak}");
}

#[test]
fn the_short_help_of_a_command_fits_a_screen_and_names_no_option_of_the_game() {
    for command in crate::usage::commands() {
        let mut asked = testutils::command(env!("CARGO_BIN_EXE_quakefs"));
        let answer = asked.env("COLUMNS", "80").args(crate::words(&command)).arg("-h").output().unwrap();
        let page = String::from_utf8(answer.stdout).unwrap();
        assert!(page.lines().count() <= 40, "{command}: {page}");
        assert!(!page.contains("\nThe game:"), "{command}: {page}");
        let of_game = page.contains("`quakefs help game`");
        assert_eq!(
            of_game,
            help(&[&crate::words(&command)[..], &["--help"]].concat()).contains("\nThe game:")
        );
    }
    assert!(help(&["help", "game"]).contains("--engine <NAME>"));
}

/// The lines below a title, as far as an empty line or another title.
fn section<'p>(page: &'p str, title: &str) -> impl Iterator<Item = &'p str> {
    let start = format!("{title}:");
    page.lines()
        .skip_while(move |line| *line != start)
        .skip(1)
        .take_while(|line| line.is_empty() || line.starts_with(' '))
}

#[test]
fn each_page_of_help_has_a_summary_a_usage_and_a_text_for_each_option() {
    for command in crate::usage::commands() {
        let words = crate::words(&command);
        let [short, long] = ["-h", "--help"].map(|option| help(&[&words[..], &[option]].concat()));
        let summary = short.lines().next().unwrap();
        assert!(summary.starts_with(char::is_uppercase) && !summary.ends_with('.'), "{command}: {summary}");
        assert!(summary.chars().count() <= 100, "{command}: {summary}");
        assert_eq!(long.lines().next(), Some(summary), "{command}");
        for page in [&short, &long] {
            assert!(page.contains(&format!("\nUsage: quakefs {command} ")), "{page}");
            let titles = page.lines().filter_map(|line| line.strip_suffix(':'));
            let titles: Vec<_> = titles.filter(|title| !title.starts_with(' ')).collect();
            let known = ["Arguments", "Options", "The game", "Examples"];
            let places: Vec<_> =
                titles.iter().filter_map(|title| known.iter().position(|k| k == title)).collect();
            assert!(places.is_sorted() && places.contains(&1), "{command}: {titles:?}");
            for title in ["Arguments", "Options", "The game"] {
                let mut lines = section(page, title).peekable();
                while let Some(line) = lines.next() {
                    // further lines of a text are indented more
                    let item = line.trim_start();
                    let is_option = item.starts_with('-') && line.len() - item.len() <= 6;
                    let has_text =
                        item.contains("  ") || lines.peek().is_some_and(|next| !next.trim().is_empty());
                    assert!(!is_option || has_text, "{command}: {line}");
                }
            }
        }
    }
}

#[test]
fn each_example_of_the_help_is_a_valid_command_line() {
    let mut count = 0;
    for command in crate::usage::commands().iter().map(String::as_str).chain([""]) {
        let page = help(&[&crate::words(command)[..], &["--help"]].concat());
        let examples = page.lines().map(|line| line.strip_prefix("Example: ").unwrap_or(line).trim_start());
        for example in examples.filter_map(|line| line.strip_prefix("quakefs ")) {
            // a remark stands three spaces behind, and other programs behind a sign of the shell
            let example = example.split("   ").next().unwrap();
            let example = example.split(['|', '>', '&']).next().unwrap().replace(['"', '\''], "");
            let mut words = crate::words(&example);
            words.push("--help");
            let answer = crate::run(&words);
            assert_eq!(answer.exit, quakefs_cli::Exit::Done, "{example}: {}", answer.err());
            count += 1;
        }
    }
    assert!(count > 80, "{count}");
}

#[test]
fn help_lists_the_exit_codes() {
    let codes = |page: &str| {
        let text = page.split("Exit codes: ").nth(1).unwrap_or_else(|| panic!("{page}"));
        ["0 ", "1 ", "2 "].map(|code| text.contains(code))
    };
    for command in ["", "which", "check", "compare", "fix", "needs", "pak verify", "pak diff", "pak find"] {
        let page = help(&[&crate::words(command)[..], &["--help"]].concat());
        assert_eq!(codes(&page), [true; 3], "{command}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_program_of_the_engine_is_looked_for_on_the_path() {
    let folder = Folder::with_archive(&[(b"own.cfg", b"mine")]);
    std::fs::create_dir_all(folder.join("opt")).unwrap();
    std::fs::rename(folder.join("a.pak"), folder.join("opt/ironwail.pak")).unwrap();
    folder.write("opt/ironwail", "");
    folder.write("bin/other", "");
    std::os::unix::fs::symlink(folder.join("opt/ironwail"), folder.join("bin/ironwail")).unwrap();
    let args = ["--engine", "ironwail", "cat", "own.cfg"];
    assert_eq!(quakefs(&args).env("PATH", folder.join("bin")).output().unwrap().stdout, b"mine");
    assert_eq!(output(&args).status.code(), Some(1));
}
