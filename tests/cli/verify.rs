//! `quakefs pak verify`: reads every entry, and says which cannot be.

use std::fs;

use insta::assert_snapshot;
use quakefs_cli::Exit;

use crate::{Folder, PAK, archive, check, run};

fn corpus(folder: &str) -> Vec<String> {
    let files = fs::read_dir(format!("{PAK}/{folder}")).unwrap();
    let files = files.map(|file| file.unwrap().path().into_os_string().into_string().unwrap());
    let mut files: Vec<_> = files.filter(|file| file.ends_with(".pak")).collect();
    files.sort_unstable();
    files
}

#[test]
fn archives_that_are_whole() {
    let files = corpus("ok");
    let args: Vec<_> = ["pak", "verify"].into_iter().chain(files.iter().map(String::as_str)).collect();
    assert_snapshot!(run(&args).text(), @"
    exit: 0
    -- stdout
    [PAK]/ok/daikatana-dkpak.pak: 4 entries read, 1 825 bytes
    [PAK]/ok/hrot.pak: 2 entries read, 7 352 bytes
    [PAK]/ok/quake-directory-first-2.pak: 1 entry read, 63 bytes
    [PAK]/ok/quake-directory-first.pak: 3 entries read, 133 bytes
    [PAK]/ok/quake-dot-names.pak: 2 entries read, 63 152 bytes
    [PAK]/ok/quake-one-entry.pak: 1 entry read, 768 bytes
    [PAK]/ok/quake-zip-polyglot.pak: 1 entry read, 21 bytes
    [PAK]/ok/quake2-minimal.pak: 2 entries read, 28 bytes
    -- stderr
    ");
}

#[test]
fn archives_that_are_not() {
    let (mut codes, mut told) = ([0; 3], 0);
    for file in corpus("malformed") {
        let answer = run(&["pak", "verify", &file]);
        let code = match answer.exit {
            Exit::Done => 0,
            Exit::NotFound => 1,
            Exit::Failed => 2,
        };
        codes[code] += 1;
        let json = run(&["pak", "verify", "--json", &file]);
        assert_eq!(json.exit, answer.exit, "{file}");
        let errors = answer.err().lines().filter(|line| line.starts_with("error: ")).count();
        assert_eq!(json.json().len(), errors, "{file}");
        assert_eq!(answer.exit == Exit::Done, errors == 0, "{file}");
        told += errors;
    }
    assert_snapshot!(format!("{codes:?}, {told} findings"), @"[42, 35, 0], 35 findings");
}

#[test]
fn some() {
    assert_snapshot!(check("pak verify [PAK]/malformed/payload-past-end-by-one.pak"), @"
    exit: 1
    -- stdout
    -- stderr
    error: [PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b): the payload ends past the end of the archive: expected at most 207, found offset 204 + size 4
      help: the file is probably a cut-off download: get it again; the other entries can be read
    ");
    assert_snapshot!(check("pak verify [PAK]/malformed/codec-truncated-in-run.pak"), @"
    exit: 1
    -- stdout
    -- stderr
    error: [PAK]/malformed/codec-truncated-in-run.pak: entry 0 (packed.tga): the compressed payload is damaged: the stream is cut short, at byte 2 of the stream, after 1 bytes of output
      help: the entry is damaged: get the archive again; the other entries can be read
    ");
    assert_snapshot!(check("pak verify [PAK]/malformed/rows-ambiguous-all-text.pak"), @"
    exit: 1
    -- stdout
    -- stderr
    error: [PAK]/malformed/rows-ambiguous-all-text.pak: the layout is ambiguous: 9 rows of 64 bytes and 8 rows of 72 read equally well
      help: name the layout by --layout: quake or daikatana
    ");
    assert_snapshot!(check("pak verify --layout daikatana [PAK]/malformed/rows-ambiguous-all-text.pak"), @"
    exit: 1
    -- stdout
    -- stderr
    error: [PAK]/malformed/rows-ambiguous-all-text.pak: entry 0 (a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.): the payload ends past the end of the archive: expected at most 588, found offset 778186593 + size 778186593
      help: the file is probably a cut-off download: get it again; the other entries can be read
    error: [PAK]/malformed/rows-ambiguous-all-text.pak: entry 1 (a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.): the payload ends past the end of the archive: expected at most 588, found offset 778186593 + size 778186593
    error: [PAK]/malformed/rows-ambiguous-all-text.pak: entry 2 (a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.): the payload ends past the end of the archive: expected at most 588, found offset 778186593 + size 778186593
    error: [PAK]/malformed/rows-ambiguous-all-text.pak: entry 3 (a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.): the payload ends past the end of the archive: expected at most 588, found offset 778186593 + size 778186593
    error: [PAK]/malformed/rows-ambiguous-all-text.pak: entry 4 (a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.): the payload ends past the end of the archive: expected at most 588, found offset 778186593 + size 778186593
    error: [PAK]/malformed/rows-ambiguous-all-text.pak: entry 5 (a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.): the payload ends past the end of the archive: expected at most 588, found offset 778186593 + size 778186593
    error: [PAK]/malformed/rows-ambiguous-all-text.pak: entry 6 (a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.): the payload ends past the end of the archive: expected at most 588, found offset 778186593 + size 778186593
    error: [PAK]/malformed/rows-ambiguous-all-text.pak: entry 7 (a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.a/b.): the payload ends past the end of the archive: expected at most 588, found offset 778186593 + size 778186593
    ");
}

#[test]
fn several_at_once() {
    let line = "pak verify [PAK]/ok/hrot.pak [PAK]/malformed/header-11-bytes.pak
        [PAK]/malformed/payload-past-end-by-one.pak [PAK]/none.pak [PAK]/ok/quake2-minimal.pak";
    assert_snapshot!(check(line), @"
    exit: 2
    -- stdout
    [PAK]/ok/hrot.pak: 2 entries read, 7 352 bytes
    [PAK]/ok/quake2-minimal.pak: 2 entries read, 28 bytes
    -- stderr
    error: [PAK]/malformed/header-11-bytes.pak: the header is cut short: expected 12 bytes, found 11
      help: the file is probably a cut-off download: get it again
    error: [PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b): the payload ends past the end of the archive: expected at most 207, found offset 204 + size 4
      help: the file is probably a cut-off download: get it again; the other entries can be read
    error: [PAK]/none.pak: open failed: No such file or directory (os error 2)
    ");
    assert_snapshot!(check(&format!("--json {line}")), @r#"
    exit: 2
    -- stdout
    {"file":"[PAK]/malformed/header-11-bytes.pak","entry":null,"name":null,"reason":"the header is cut short: expected 12 bytes, found 11"}
    {"file":"[PAK]/malformed/payload-past-end-by-one.pak","entry":1,"name":"b","reason":"entry 1 (b): the payload ends past the end of the archive: expected at most 207, found offset 204 + size 4"}
    {"file":"[PAK]/none.pak","entry":null,"name":null,"reason":"[PAK]/none.pak: open failed: No such file or directory (os error 2)"}
    -- stderr
    "#);
}

#[test]
fn no_archive() {
    assert_snapshot!(check("pak verify"), @"
    exit: 2
    -- stdout
    -- stderr
    error: the following required arguments were not provided:
      <FILE>...

    Usage: quakefs pak verify <FILE>...

    For more information, try '--help'.
    ");
    assert_snapshot!(check("pak verify [PAK]/none.pak"), @"
    exit: 2
    -- stdout
    -- stderr
    error: [PAK]/none.pak: open failed: No such file or directory (os error 2)
    ");
    assert_snapshot!(check("pak verify [PAK]"), @"
    exit: 2
    -- stdout
    -- stderr
    error: [PAK]: open failed: it is not a regular file
    ");
}

#[test]
fn a_name_that_would_steer_a_terminal() {
    let folder = Folder::new();
    let mut image = archive(&[(b"\x1b[2J", b"1")]);
    let end = image.len();
    image[end - 4] = 200;
    folder.write("\x1b[2J.pak", &image);
    let path = folder.path.join("\x1b[2J.pak");
    let answer = run(&["pak", "verify", path.as_str()]);
    assert!(!answer.err.contains(&0x1b), "{}", answer.text());
    folder.write("\x1b.pak", archive(&[]));
    let answer = run(&["pak", "verify", folder.path.join("\x1b.pak").as_str()]);
    assert!(!answer.out.contains(&0x1b), "{}", answer.text());
}
