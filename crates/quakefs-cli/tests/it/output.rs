//! What happens when the output cannot be written.

use std::io::{self, Write};

use quakefs_cli::{Console, Exit, run};
use testutils::Folder;

use crate::{Commands as _, GAME, PAK};

/// Takes some bytes, then fails.
struct Ends {
    room: usize,
    error: io::ErrorKind,
}

impl Write for Ends {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room == 0 {
            return Err(self.error.into());
        }
        let taken = bytes.len().min(self.room);
        self.room -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn answer(args: &[&str], room: usize, error: io::ErrorKind) -> (Exit, String) {
    let (mut out, mut err) = (Ends { room, error }, Vec::new());
    let args = std::iter::once("quakefs").chain(args.iter().copied());
    let exit = run(args, &mut Console::plain(&mut out, &mut err));
    (exit, String::from_utf8(err).unwrap())
}

#[test]
fn a_closed_pipe_is_not_a_failure_but_other_errors_are() {
    let archive = format!("{PAK}/ok/daikatana-dkpak.pak");
    for args in [
        &["--help"][..],
        &["completions", "bash"],
        &["--basedir", GAME, "path"],
        &["--basedir", GAME, "--json", "path"],
        &["--basedir", GAME, "which", "quake.rc"],
        &["--basedir", GAME, "--json", "which", "quake.rc"],
        &["--basedir", GAME, "ls"],
        &["--basedir", GAME, "ls", "-l"],
        &["--basedir", GAME, "--json", "ls"],
        &["--basedir", GAME, "cat", "quake.rc"],
        &["--basedir", GAME, "--json", "cat", "quake.rc"],
        &["--basedir", GAME, "shadows"],
        &["--basedir", GAME, "--json", "shadows"],
        &["pak", "list", &archive],
        &["pak", "list", "-l", &archive],
        &["pak", "list", "--json", &archive],
        &["pak", "info", &archive],
        &["pak", "info", "--json", &archive],
        &["pak", "cat", &archive, "notes.txt"],
        &["pak", "cat", "--json", &archive, "notes.txt"],
    ] {
        for room in [0, 7] {
            let (exit, err) = answer(args, room, io::ErrorKind::BrokenPipe);
            assert_eq!((exit, err.as_str()), (Exit::Done, ""), "{args:?} with room for {room}");
            let (exit, err) = answer(args, room, io::ErrorKind::StorageFull);
            assert_eq!(exit, Exit::Failed, "{args:?} with room for {room}");
            assert!(err.starts_with("error: the output cannot be written: "), "{args:?}: {err}");
        }
    }
}

#[test]
fn a_closed_pipe_does_not_stop_an_extraction() {
    let folder = Folder::with_archive(&[(b"a", b"1"), (b"../b", b"2")]);
    let (archive, out) = (folder.join("a.pak"), folder.join("out"));
    let args = ["pak", "extract", archive.as_str(), "--overwrite", "-o", out.as_str(), "--json"];
    for args in [&args[..], &args[..6]] {
        let (exit, err) = answer(args, 0, io::ErrorKind::BrokenPipe);
        assert_eq!(folder.tree("out"), "a: 1\n");
        assert!(err.contains("\"..\" component"), "{err}");
        assert_eq!(exit, Exit::Failed, "a file that was not written is a failure, also without a reader");
    }
}

/// Then only the exit code reports the failure.
#[test]
fn a_closed_error_stream_changes_no_exit_code() {
    let mut out = Vec::new();
    let mut err = Ends { room: 0, error: io::ErrorKind::BrokenPipe };
    let exit = run(["quakefs", "--basedir", GAME, "which", "nope"], &mut Console::plain(&mut out, &mut err));
    assert_eq!(exit, Exit::NotFound);
    let exit = run(["quakefs", "--nonsense"], &mut Console::plain(&mut out, &mut err));
    assert_eq!(exit, Exit::Failed);
}

#[test]
fn each_json_object_begins_with_its_type() {
    let folder = Folder::with_archive(&[(b"a", b"1"), (b"../b", b"2")]);
    let of_game = |command: &str| format!("--basedir [GAME] --game mymod {command} --json");
    for (line, types) in [
        (of_game("path"), &["chosen", "layer", "registration", "finding"][..]),
        (of_game("which -a quake.rc nope"), &["which"]),
        (of_game("ls -l"), &["file"]),
        (of_game("cat quake.rc"), &["content"]),
        (of_game("extract -o [DIR]/o --dry-run"), &["planned"]),
        (of_game("extract -o [DIR]/o"), &["extracted"]),
        (of_game("shadows"), &["overridden"]),
        (of_game("check"), &["finding", "verdict-of-game"]),
        (of_game("compare winquake fte"), &["cause", "difference"]),
        ("engines --json".to_owned(), &["engine"]),
        ("pak list --json -l [DIR]/a.pak".to_owned(), &["entry"]),
        ("pak info --json [DIR]/a.pak".to_owned(), &["info"]),
        ("pak cat --json [DIR]/a.pak a".to_owned(), &["content"]),
        ("pak verify --json [DIR]/a.pak".to_owned(), &["finding", "verdict"]),
        ("pak find --json a [DIR]".to_owned(), &["found"]),
        ("pak diff --json [DIR]/a.pak [DIR]".to_owned(), &["entry-difference", "diff"]),
        ("pak duplicates --json [DIR]".to_owned(), &["duplicates"]),
        ("pak catalog --json [DIR]/a.pak".to_owned(), &["row"]),
        ("pak catalog --json [DIR]/a.pak -o [DIR]/c.csv".to_owned(), &["catalog"]),
        ("pak merge --json -o [DIR]/m.pak [DIR]/a.pak --dry-run".to_owned(), &["planned"]),
        ("pak merge --json -o [DIR]/m.pak [DIR]/a.pak".to_owned(), &["written"]),
        ("pak extract --json [DIR]/a.pak -o [DIR]/p --dry-run".to_owned(), &["planned"]),
        ("pak extract --json [DIR]/a.pak -o [DIR]/p".to_owned(), &["extracted"]),
        ("pak create --json [DIR]/b.pak -C [DIR]/o . --dry-run".to_owned(), &["planned"]),
        ("pak create --json [DIR]/b.pak -C [DIR]/o .".to_owned(), &["written"]),
        ("pak add --json [DIR]/b.pak -C [DIR]/p a".to_owned(), &["written"]),
        ("pak rename --json [DIR]/b.pak a c".to_owned(), &["written"]),
        ("pak remove --json [DIR]/b.pak c".to_owned(), &["written"]),
        ("pak repack --json [DIR]/b.pak".to_owned(), &["written"]),
    ] {
        let line = line.replace("[GAME]", GAME);
        let answer = folder.run(&line);
        let mut found: Vec<_> =
            answer.json().iter().map(|line| line["type"].as_str().unwrap().to_owned()).collect();
        found.dedup();
        assert_eq!(found, types, "{line}: {}", answer.err());
        assert!(answer.out().lines().all(|line| line.starts_with(r#"{"type":""#)), "{}", answer.out());
    }
}

#[test]
fn objects_win_over_names_alone_in_every_command() {
    let folder = Folder::with_archive(&[(b"a", b"1")]);
    let of_game = |command: &str| format!("--basedir {GAME} --game mymod {command}");
    for line in [
        of_game("ls"),
        of_game("shadows"),
        of_game("mods"),
        of_game("compare winquake fte"),
        "engines".to_owned(),
        "pak list [DIR]/a.pak".to_owned(),
    ] {
        let objects = folder.run(&format!("{line} --json"));
        assert!(objects.out().starts_with(r#"{"type":""#), "{line}: {}", objects.err());
        assert_eq!(folder.run(&format!("{line} --json -0")).out(), objects.out(), "{line}");
    }
}
