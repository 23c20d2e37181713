//! Inputs that are made to cost too much, and writers that meet.

use std::io::{self, Write};

use insta::assert_snapshot;
use pak_format::{Editor, Layout, Source};
use quakefs_cli::{Console, Exit};
use testutils::raw_zip::{deflated, stored, zip, zip64_extra};
use testutils::{Folder, Pack};

use crate::{Commands as _, archive, brief, image};

#[test]
fn an_archive_that_is_being_edited_is_replaced_by_no_command() {
    let folder = Folder::with_archive(&[(b"old", b"1")]);
    folder.write("b.pak", archive(&[(b"b", b"2")]));
    folder.write("new/c", "3");
    let mut editor = Editor::open(folder.join("a.pak")).unwrap();
    editor.add("added", Source::bytes(b"4")).unwrap();
    for line in [
        "create [DIR]/a.pak -C [DIR]/new c --overwrite",
        "repack [DIR]/b.pak -o [DIR]/a.pak --overwrite",
        "repack [DIR]/a.pak",
        "repack [DIR]/a.pak -o [DIR]/c.pak",
        "add [DIR]/a.pak -C [DIR]/new c",
        "remove [DIR]/a.pak old",
        "rename [DIR]/a.pak old older",
    ] {
        let answer = folder.run(&format!("pak {line}"));
        assert_eq!(answer.exit, Exit::Failed, "{line}");
        assert!(answer.err().contains("another program is writing the archive"), "{line}: {}", answer.err());
    }
    editor.commit(None).unwrap();
    assert_eq!(folder.run("pak list [DIR]/a.pak").out(), "old\nadded\n");
    assert_eq!(folder.names(""), ["a.pak", "b.pak", "new"]);
}

#[test]
fn the_next_writer_removes_the_temporaries_of_killed_processes() {
    for line in [
        "create [DIR]/b.pak -C [DIR]/new c",
        "add [DIR]/a.pak -C [DIR]/new c",
        "repack [DIR]/a.pak",
        "extract [DIR]/a.pak -o [DIR]",
    ] {
        let folder = Folder::with_archive(&[(b"old", b"1")]);
        folder.write("new/c", "3");
        folder.write(".quakefs-left.tmp", "half");
        assert_eq!(folder.run(&format!("pak {line}")).err(), "", "{line}");
        assert!(!folder.join(".quakefs-left.tmp").exists(), "{line}");
    }
}

#[test]
fn a_pattern_of_many_bytes_or_braces_is_refused() {
    let folder = Folder::with_archive(&[(b"a", b"")]);
    for pattern in ["*".repeat(87_380), format!("{}{}", "{".repeat(400), "}".repeat(400))] {
        let answer = folder.run(&format!("pak list [DIR]/a.pak {pattern}"));
        assert_eq!(answer.exit, Exit::Failed);
        assert!(answer.err().contains("the limit is") && answer.err().len() < 300, "{}", answer.err());
    }
    // stars do not multiply: a name is matched in the time that its length takes
    let answer = folder.run(&format!("pak list [DIR]/a.pak {}b", "*a".repeat(500)));
    assert_eq!(answer.exit, Exit::NotFound);
}

#[test]
fn a_name_that_equals_a_pattern_wins() {
    let folder = Folder::with_archive(&[(b"a1.txt", b"1"), (b"a[1].txt", b"22")]);
    assert_eq!(folder.run("pak list [DIR]/a.pak a[1].txt").out(), "a[1].txt\n");
    assert_eq!(folder.run("pak extract [DIR]/a.pak a[1].txt -o [DIR]/out").err(), "");
    assert_eq!(folder.names("out"), ["a[1].txt"]);
    assert!(folder.run("--mount [DIR]/a.pak ls a[1].txt").out().ends_with("/a.pak  a[1].txt\n"));
    folder.run("pak remove [DIR]/a.pak a[1].txt");
    assert_eq!(folder.run("pak list [DIR]/a.pak").out(), "a1.txt\n");
    // if no name is spelled like this, it is a pattern again
    assert_eq!(folder.run("pak list [DIR]/a.pak a[1].txt").out(), "a1.txt\n");
}

#[cfg(unix)]
#[test]
fn folders_with_two_links_each_are_listed_in_little_time() {
    let folder = Folder::new();
    for level in 0..27 {
        let path = |name: &str| folder.join(&format!("id1/d{level}/{name}"));
        folder.write(&format!("id1/d{level}/file"), "x");
        if level < 26 {
            for link in ["a", "b"] {
                std::os::unix::fs::symlink(format!("../d{}", level + 1), path(link)).unwrap();
            }
        }
    }
    let names = folder.run("--basedir [DIR] ls").out().to_owned();
    for name in ["id1/  d26/file\n", "id1/  d0/a/file\n", "id1/  d0/b/a/file\n"] {
        assert!(names.contains(name), "{name}");
    }
    assert!(names.lines().count() < 27 * 20, "{}", names.lines().count());
    let check = folder.run("--basedir [DIR] check");
    assert!(check.text().contains("[many-links]"), "{}", check.out());
}

/// Many rows of one payload, in two archives of one game.
fn shared_payload() -> Folder {
    let content = vec![0; 1 << 16];
    // a stored block of deflate for each 65,535 bytes
    let block = |bytes: &[u8]| {
        let size = u16::try_from(bytes.len()).unwrap();
        [&[0][..], &size.to_le_bytes(), &(!size).to_le_bytes(), bytes].concat()
    };
    let blocks = content.chunks(0xffff).flat_map(block);
    let stream: Vec<u8> = blocks.chain([1, 0, 0, 0xff, 0xff]).collect();
    let first = deflated("0", &stream, &content);
    let others = (1..50).map(|number| {
        deflated(number.to_string(), &[], []).with(|member| {
            (member.crc, member.size, member.stored_size) = (first.crc, first.size, first.stored_size);
            member.offset = Some(0);
        })
    });
    let image = zip(&std::iter::once(first.clone()).chain(others).collect::<Vec<_>>());
    Folder::with([("baseq3/pak0.pk3", &image), ("baseq3/pak1.pk3", &image)])
}

#[test]
fn rows_that_share_a_payload_are_decoded_within_one_budget() {
    let folder = shared_payload();
    let game = "--basedir [DIR] --engine ioquake3";
    let answer = folder.run(&format!("{game} check --max-output 1280K"));
    let not_decoded = "baseq3/pak0.pk3: 40 entries were not decoded because it would take too long";
    assert!(answer.out().contains(not_decoded), "{}{}", answer.out(), answer.err());
    assert!(answer.out().contains("help: allow more with --max-output"), "{}", answer.out());
    let answer = folder.run(&format!("{game} shadows --max-output 1280K"));
    assert_eq!(answer.out().matches("not read").count(), 40);
    assert_snapshot!(answer.err(), @"
    warning: ioquake3 does not start: baseq3/pak2.pk3: the archive is missing, as well as 6 others from pak3.pk3 to pak8.pk3
      help: add the archives of the game and of its last patch to baseq3/
    warning: 40 pairs were not compared: it would take too long
      help: allow more bytes with --max-output
    ");
    let answer = folder.run("pak verify [DIR]/baseq3/pak0.pk3 --max-output 1280K");
    assert!(answer.out().contains("30 entries were not decoded"), "{}", answer.out());
    let whole = folder.run(&format!("{game} check"));
    assert!(!whole.out().contains("not decoded"), "{}", whole.out());
}

#[test]
fn sums_of_claimed_sizes_do_not_wrap() {
    let folder = Folder::new();
    let claim = zip64_extra(&[u64::MAX - 8, u64::MAX - 8]);
    let members = ["a", "b"].map(|name| {
        stored(name, "").with(|member| {
            (member.size, member.stored_size) = (u32::MAX, u32::MAX);
            member.extra.clone_from(&claim);
        })
    });
    folder.write("a.pk3", zip(&members));
    assert!(folder.run("pak info [DIR]/a.pk3").out().contains("18 446 744 073 709 551 615 bytes"));
    assert_eq!(folder.run("pak verify [DIR]/a.pk3").exit, Exit::NotFound);
}

#[test]
fn errors_of_an_extraction_are_grouped_and_capped() {
    let folder = Folder::new();
    let mut pack = Pack::new(Layout::Quake);
    let at = pack.payload(b"x");
    for number in 0..100 {
        pack.row(format!("../{number}").as_bytes(), at, 1);
        pack.row(format!("out/{number}").as_bytes(), 1 << 30, 1);
    }
    folder.write("a.pak", pack.finish());
    let answer = folder.run("pak extract [DIR]/a.pak -o [DIR]/out");
    assert_eq!(answer.err().lines().filter(|line| line.starts_with("error")).count(), 42);
    assert!(answer.err().contains("80 more files: not written: the name has a \"..\" component"));
    assert!(answer.err().contains("80 more files: not written: the entry cannot be read"));
    assert!(answer.out().ends_with("200 files could not be written\n"));
}

#[test]
fn a_dry_run_of_an_extraction_refuses_the_same_as_the_extraction() {
    let folder = Folder::new();
    let mut pack = Pack::new(Layout::Quake);
    pack.row(b"outside", 1 << 30, 4);
    let at = pack.payload(b"fine");
    pack.row(b"fine", at, 4);
    folder.write("a.pak", pack.finish());
    let answer = folder.run("pak extract [DIR]/a.pak -o [DIR]/out --dry-run");
    assert_eq!(answer.exit, Exit::Failed);
    assert_eq!(answer.out(), "            4  fine\ndry run: 1 file would be written\n");
    assert!(answer.err().contains("(outside): the payload ends past the end"), "{}", answer.err());
}

#[test]
fn an_extraction_of_a_game_mentions_entries_that_no_request_reaches() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", archive(&[(b"../x", b"1"), (b"a", b"2")]));
    let answer = folder.run("--basedir [DIR] extract -o [DIR]/out");
    assert!(answer.err().contains("(../x)"), "{}", answer.err());
    assert_eq!(folder.names("out"), ["a"]);
}

/// An output on a disk that is full.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_output_after_a_write_is_reported_together_with_the_write() {
    let folder = Folder::with_archive(&[(b"a", b"1")]);
    let dir = folder.path().as_str();
    for (line, done) in [
        ("pak rename [DIR]/a.pak a b", "a.pak: the archive is written, but the output cannot be written"),
        (
            "pak extract [DIR]/a.pak -o [DIR]/out",
            "out: the files were written, but the output cannot be written",
        ),
    ] {
        let mut err = Vec::new();
        let line = line.replace("[DIR]", dir);
        let args = std::iter::once("quakefs").chain(line.split(' '));
        let exit = quakefs_cli::run(args, &mut Console::plain(&mut Full, &mut err));
        let err = String::from_utf8(err).unwrap();
        assert_eq!(exit, Exit::Failed, "{err}");
        assert!(err.contains(done), "{err}");
    }
    assert!(image(&folder).windows(2).any(|bytes| bytes == b"b\0"));
}

#[cfg(unix)]
#[testneeds::program("mkfifo")]
#[test]
fn a_pipe_is_not_waited_for_as_a_rule_file() {
    let folder = Folder::new();
    assert!(std::process::Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap().success());
    assert_snapshot!(brief(folder.check("--rules [DIR]/pipe path")), @"exit 2: error: [DIR]/pipe: not a regular file; help: `quakefs engines quakespasm` prints rules to start from");
}

/// Lists, palettes and rules are read into memory, and a device or a large file has no end.
#[cfg(unix)]
#[test]
fn a_file_without_an_end_is_no_list() {
    let folder = Folder::with_archive(&[(b"a", b"1")]);
    std::fs::File::create(folder.join("large")).unwrap().set_len(1 << 40).unwrap();
    for line in [
        "pak catalog --from /dev/zero",
        "pak catalog --from [DIR]/large",
        "pak verify --against [DIR]/large [DIR]/a.pak",
        "pak create [DIR]/new.wad --palette /dev/zero -C [DIR] large",
        "--rules [DIR]/large path",
    ] {
        let answer = folder.run(line);
        assert_eq!(answer.exit, Exit::Failed, "{line}");
        assert!(answer.err().contains("larger than"), "{line}: {}", answer.err());
    }
}
