//! Names that would leave the folder, steer the terminal, or cannot be a file.

use std::collections::BTreeSet;
use std::fs;

use insta::assert_snapshot;
use quakefs_cli::Exit;
use testutils::{Folder, Hostile, hostile};

use crate::{Commands as _, archive};

const UNSAFE: [(&[u8], &[u8]); 19] = [
    (b"fine/before", b"1"),
    (b"../parent", b"bad"),
    (b"fine/../../parent", b"bad"),
    (b"..", b"bad"),
    (b"fine/.. /space", b"bad"),
    (b"/absolute", b"bad"),
    (b"//absolute", b"bad"),
    (b"C:/drive", b"bad"),
    (b"C:drive", b"bad"),
    (b"stream:ads", b"bad"),
    (b"..\\parent", b"bad"),
    (b"back\\slash", b"bad"),
    (b"line\nfeed", b"bad"),
    (b"\x1b]0;title\x07", b"bad"),
    (b"fine/con.txt", b"bad"),
    (b"folder/", b"bad"),
    (b"", b"bad"),
    (b"./fine/./dot", b"2"),
    (b"fine/after", b"3"),
];

#[test]
fn unsafe_names_are_skipped_and_the_others_written() {
    let folder = Folder::new();
    folder.write("in/a.pak", archive(&UNSAFE));
    let answer = folder.check("pak extract [DIR]/in/a.pak -o [DIR]/deep/out");
    let summary = "exit: 2\nwrote 3 files (3 bytes) to [DIR]/deep/out; 16 files could not be written\n";
    assert!(answer.starts_with(summary) && answer.matches("): [not-writable]").count() == 16, "{answer}");
    assert_snapshot!(folder.tree("deep"), @"
    out/fine/after: 3
    out/fine/before: 1
    out/fine/dot: 2
    ");
    let names = folder.names("");
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
#[cfg_attr(windows, ignore = "a name with a drive letter is not a request on Windows")]
fn unsafe_names_of_a_game_are_skipped_and_the_others_written() {
    let folder = Folder::new();
    folder.write("game/id1/pak0.pak", archive(&UNSAFE));
    let answer = folder.run("--basedir [DIR]/game extract -o [DIR]/deep/out");
    assert_eq!(answer.exit, Exit::Failed);
    assert_snapshot!(folder.tree("deep"), @"
    out/fine/after: 3
    out/fine/before: 1
    out/fine/dot: 2
    ");
    let names = folder.names("");
    assert_eq!(names.len(), 2, "{names:?}");
    let listed = folder.check("--basedir [DIR]/game ls");
    assert!(listed.lines().count() == 14 && !listed.contains("../"), "{listed}");
}

/// `testdata/hostile.json`, as in the suites of all doors.
#[test]
#[cfg_attr(windows, ignore = "Windows allows fewer names")]
fn every_door_treats_hostile_names_alike() {
    let (rows, archive) = hostile();
    let folder = Folder::new();
    folder.write("game/id1/pak0.pak", archive);
    let [base, out] = ["game", "deep/out"].map(|path| folder.join(path));
    let answer = |words: &[&str]| {
        let game = ["--basedir", base.as_str(), "--engine", "darkplaces", "--on", "linux"];
        crate::run(&[&game, words].concat())
    };
    let listed = answer(&["ls", "--json"]).json();
    for row in &rows {
        let is_listed = listed.iter().any(|line| line["name"] == row.entry);
        assert_eq!(is_listed, row.asked, "{:?}", row.entry);
        assert_eq!(answer(&["which", "--", &row.entry]).exit == Exit::Done, row.asked, "{:?}", row.entry);
        let read = answer(&["cat", "--", &row.entry]);
        let content = row.text.as_deref().filter(|_| row.asked);
        assert_eq!(read.out(), content.unwrap_or_default(), "{:?}", row.entry);
        assert_eq!(read.exit == Exit::Done, content.is_some(), "{:?}", row.entry);
        assert!(
            !read.err().contains(|letter: char| letter.is_control() && letter != '\n'),
            "{:?}",
            row.entry
        );
    }
    assert_eq!(answer(&["extract", "-o", out.as_str()]).exit, Exit::Failed);
    let line = |row: &Hostile| format!("{}: {}", row.entry, row.text.as_deref().unwrap_or_default());
    let written: BTreeSet<_> = rows.iter().filter(|row| row.written).map(line).collect();
    let tree = folder.tree("deep/out");
    assert_eq!(tree.lines().map(str::to_owned).collect::<BTreeSet<_>>(), written);
    assert_eq!(folder.names(""), ["deep", "game"]);
}

#[test]
fn extract_prints_json_for_each_unsafe_name() {
    let folder = Folder::new();
    folder.write("a.pak", archive(&UNSAFE));
    let lines = folder.run("pak extract --json [DIR]/a.pak -o [DIR]/out").json();
    let written: Vec<_> = lines.iter().filter(|line| line["written"] == true).collect();
    assert_eq!((lines.len(), written.len()), (UNSAFE.len(), 3));
    assert!(lines.iter().all(|line| line["written"] == true || line["error"].is_string()));
}

#[test]
fn control_bytes_of_entry_names_are_escaped() {
    // ESC, BEL, DEL, and CSI as one letter of UTF-8
    let names: [&[u8]; 4] = [b"a\x1b[2J", b"b\x07", b"c\x7f", b"d\xc2\x9b2J"];
    let rows = names.map(|name| (name, &b"x"[..]));
    let folder = Folder::new();
    folder.write("id1/pak0.pak", archive(&rows));
    folder.write("id1/pak1.pak", archive(&rows));
    for line in [
        "--basedir [DIR] path",
        "--basedir [DIR] ls",
        "--basedir [DIR] ls -l",
        "--basedir [DIR] shadows",
        r"--basedir [DIR] which -a a\x1B[2J b\x07 c\x7F d\xC2\x9B2J e\x1B",
        "--basedir [DIR] extract -o [DIR]/out",
        "--basedir [DIR] extract -o [DIR]/out",
        "pak list [DIR]/id1/pak0.pak",
        "pak list -l [DIR]/id1/pak0.pak",
        "pak extract [DIR]/id1/pak0.pak -o [DIR]/out",
        r"pak cat [DIR]/id1/pak0.pak x\x1B",
    ] {
        let answer = folder.run(line);
        let all = format!("{}{}", answer.out(), answer.err());
        assert!(!all.chars().any(|letter| letter.is_control() && letter != '\n'), "{line}: {all:?}");
        assert!(all.contains("\\x") || line.ends_with("path"), "{line}: {all}");
    }
}

#[cfg(unix)]
#[test]
fn control_bytes_of_file_names_are_escaped() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", archive(&[(b"a", b"x")]));
    folder.write("id1/pak\u{1b}[2J.pak", "");
    folder.write("id1/loose\u{1b}[2J", "");
    for line in ["--basedir [DIR] path", "--basedir [DIR] ls", "pak info [DIR]/id1/pak\u{1b}[2J.pak"] {
        let answer = folder.run(line);
        let all = format!("{}{}", answer.out(), answer.err());
        assert!(all.contains(r"\x1B[2J"), "{line}: {all}");
        assert!(!all.contains('\u{1b}'), "{line}: {all:?}");
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_are_written_byte_by_byte() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::with_archive(&[(b"caf\xe9.wav", b"x")]);
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out"), @"wrote 1 file (1 byte) to [DIR]/out");
    let path = folder.path().as_std_path().join("out").join(OsStr::from_bytes(b"caf\xe9.wav"));
    assert_eq!(fs::read(path).unwrap(), b"x");
    assert_snapshot!(folder.check("pak extract [DIR]/a.pak -o [DIR]/out"), @r"
    exit: 2
    wrote 0 files (0 bytes) to [DIR]/out; 1 file could not be written
    ! error: [DIR]/out/caf\xE9.wav: [already-there]
    !   help: replace such files with --overwrite, or keep them with --skip-existing
    ");
    assert_snapshot!(folder.check(r"pak list [DIR]/a.pak *\xE9*"), @r"caf\xE9.wav");
    assert_snapshot!(folder.check(r"pak cat [DIR]/a.pak caf\xE9.wav"), @"x[no line end]");
}

/// U+009B starts a sequence in many terminals as ESC [ does, U+202E reverses the text after it.
#[cfg(unix)]
#[test]
fn names_of_layers_paths_and_arguments_cannot_control_the_terminal() {
    let folder = Folder::new();
    let (game, pak) = ("mod\u{1b}[2J\u{9b}m", "a\u{202e}\u{7f}.pak");
    folder.write(&format!("base/{game}/pak0.pak"), archive(&[(b"a.cfg", b"1")]));
    folder.write("base/id1/pak0.pak", archive(&[(b"a.cfg", b"22")]));
    folder.write(pak, archive(&[(b"a.cfg", b"1"), (b"../b", b"2")]));
    let (base, pak, out) = (folder.join("base"), folder.join(pak), folder.join("o\u{9b}m"));
    let (base, pak, out) = (base.as_str(), pak.as_str(), out.as_str());
    let of_game = |command: &[&'static str]| {
        let mut line = vec!["--basedir", base, "--game", game, "--mount", pak];
        line.extend(command);
        line
    };
    let lines = [
        of_game(&["path"]),
        of_game(&["ls"]),
        [of_game(&["ls"]), vec![game]].concat(),
        of_game(&["shadows"]),
        of_game(&["check"]),
        of_game(&["which", "-a", "a.cfg"]),
        [of_game(&["which"]), vec![game]].concat(),
        of_game(&["compare", "winquake", "fte"]),
        [of_game(&["extract", "--dry-run", "-o"]), vec![out]].concat(),
        [of_game(&["extract", "-o"]), vec![out]].concat(),
        vec!["--basedir", game, "path"],
        vec!["--rules", game, "path"],
        vec!["--engine", game, "path"],
        vec!["--mission", game, "path"],
        vec![game],
        vec!["which", "--\u{9b}m"],
        vec!["pak", "info", pak],
        vec!["pak", "list", pak, game],
        vec!["pak", "verify", pak],
        vec!["pak", "extract", pak, "-o", out, "--overwrite"],
        vec!["pak", "cat", pak, game],
        vec!["pak", "create", pak, game],
        vec!["pak", "remove", pak, game],
        vec!["pak", "rename", pak, game, "b"],
        vec!["pak", "add", pak, "-", "--as", game, "--layout", game],
        vec!["pak", "repack", pak, "-o", out, "--dry-run"],
    ];
    for line in lines {
        for json in [false, true] {
            let line = [&line[..], if json { &["--json"] } else { &[] }].concat();
            let answer = crate::run(&line);
            let printed = format!("{}{}", answer.out(), answer.err());
            assert!(!printed.is_empty(), "{line:?}");
            let is_control = |letter: char| letter.is_control() && letter != '\n';
            assert!(!printed.contains(is_control), "{line:?}: {printed:?}");
            assert!(!printed.contains('\u{202e}'), "{line:?}: {printed:?}");
        }
    }
}

#[test]
fn json_contains_the_escaped_name() {
    let folder = Folder::with_archive(&[("a\u{9b}\u{7f}\u{80}".as_bytes(), b"\x7f")]);
    let answer = folder.run("pak list --json [DIR]/a.pak");
    assert!(answer.out().contains(r#""name":"a\u009b\u007f\u0080""#), "{}", answer.out());
    assert_eq!(answer.json()[0]["name"], "a\u{9b}\u{7f}\u{80}");
    assert_eq!(folder.run("pak cat --json [DIR]/a.pak --entry 0").json()[0]["content"], "\u{7f}");
}
