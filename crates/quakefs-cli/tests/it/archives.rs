//! The `pak` commands that read, on several archives and on folders of them.

use std::fs;

use insta::assert_snapshot;
use pak_format::Layout;
use quakefs_archives::{Digest, DigestKind};
use quakefs_cli::Exit;
use testutils::{Folder, Pack, anachronox, command, system_errors};

use crate::{BINARY, Commands as _, archive, brief, corpus, run, zip};

/// Two archives, a third one in a subfolder, a broken one, and another file.
fn mods() -> Folder {
    Folder::with([
        ("mods/a.pak", archive(&[(b"maps/start.bsp", b"a"), (b"progs.dat", b"same bytes")])),
        ("mods/b.pk3", zip(&[(b"maps/", b""), (b"maps/b.bsp", b"bb"), (b"old/progs.dat", b"same bytes")])),
        ("mods/deep/er/PAK0.PAK", archive(&[(b"progs.dat", b"other")])),
        ("mods/bad.pak", b"To do".to_vec()),
        ("mods/notes.txt", b"hello".to_vec()),
    ])
}

#[test]
fn archives_below_a_folder_are_listed_each_under_its_path() {
    let folder = mods();
    assert_snapshot!(folder.check("pak list [DIR]/mods"), @"
    [DIR]/mods/a.pak:
    maps/start.bsp
    progs.dat

    [DIR]/mods/b.pk3:
    maps/
    maps/b.bsp
    old/progs.dat

    [DIR]/mods/deep/er/PAK0.PAK:
    progs.dat
    ! warning: [DIR]/mods/bad.pak: [unknown-magic] +help
    ");
    assert_snapshot!(folder.check("pak ls -l [DIR]/mods/deep [DIR]/mods/a.pak"), @"
    [DIR]/mods/deep/er/PAK0.PAK:
      entry      offset        size      stored  type        name
          0          12           5           5  program     progs.dat

    [DIR]/mods/a.pak:
      entry      offset        size      stored  type        name
          0          12           1           1  level       maps/start.bsp
          1          13          10          10  program     progs.dat
    ");
    assert_snapshot!(folder.check("pak l --json [DIR]/mods/deep [DIR]/mods/a.pak progs.dat"), @r#"
    {"type":"entry","archive":"[DIR]/mods/deep/er/PAK0.PAK","entry":0,"name":"progs.dat","offset":12,"size":5,"stored_size":5,"compressed":false,"content_type":"program"}
    {"type":"entry","archive":"[DIR]/mods/a.pak","entry":1,"name":"progs.dat","offset":13,"size":10,"stored_size":10,"compressed":false,"content_type":"program"}
    "#);
}

#[test]
fn names_without_columns_are_for_pipes() {
    let folder = mods();
    assert_snapshot!(folder.check("pak list --names [DIR]/mods/deep [DIR]/mods/a.pak"), @"
    progs.dat
    maps/start.bsp
    progs.dat
    ");
    let answer = folder.run("pak list -0 [DIR]/mods/deep [DIR]/mods/a.pak");
    assert_eq!(answer.out(), "progs.dat\0maps/start.bsp\0progs.dat\0");
}

#[test]
fn paths_come_before_names() {
    let folder = mods();
    folder.write("pack", archive(&[(b"in-it", b"")]));
    folder.write("progs.dat", "a file that is no archive");
    folder.write("maps/x", "a folder");
    // by its first bytes
    assert_snapshot!(folder.check("pak list [DIR]/mods/a.pak [DIR]/pack"), @"
    [DIR]/mods/a.pak:
    maps/start.bsp
    progs.dat

    [DIR]/pack:
    in-it
    ");
    // after an archive a folder is a name, and after -- everything is
    assert_snapshot!(brief(folder.check("pak list [DIR]/mods/a.pak [DIR]/maps")), @"exit 1: error: [DIR]/mods/a.pak: [DIR]/maps: not found among 2 entries; help: name folders to search before the names");
    assert_snapshot!(folder.check("pak list [DIR]/mods/a.pak -- [DIR]/pack progs.dat"), @"
    exit: 1
    progs.dat
    ! error: [DIR]/mods/a.pak: [DIR]/pack: not found among 2 entries
    !   help: `quakefs pak list [DIR]/mods/a.pak` lists the names
    ");
    assert_snapshot!(folder.check("pak list -- [DIR]/mods/a.pak progs.dat"), @"progs.dat");
    // a path that leads nowhere is the first argument, or a name
    assert_snapshot!(brief(folder.check("pak list [DIR]/none.pak progs.dat")), @"exit 2: error: [DIR]/none.pak: open failed: No such file or directory (os error 2) +help");
    assert_snapshot!(brief(folder.check("pak list [DIR]/mods/a.pak [DIR]/none.pak")), @"exit 1: error: [DIR]/mods/a.pak: [DIR]/none.pak: not found among 2 entries; help: no file has this name, so it counts as a name in the archives");
}

/// The error stream and the output of the command, run in a folder.
fn run_in(folder: &Folder, line: &str) -> String {
    let output = command(BINARY).args(crate::words(line)).current_dir(folder.path()).output().unwrap();
    String::from_utf8([output.stderr, output.stdout].concat()).unwrap()
}

#[test]
fn an_entry_is_never_taken_for_an_archive_of_the_same_name() {
    let folder = Folder::with([
        ("pak0.pak", archive(&[(b"gfx.wad", b"the entry"), (b"progs.dat", b"")])),
        ("gfx.wad", archive(&[(b"inside", b"of the file")])),
    ]);
    assert_snapshot!(run_in(&folder, "pak cat pak0.pak gfx.wad"), @"
    note: gfx.wad is read as the entry of pak0.pak; write ./gfx.wad for the file
    the entry
    ");
    assert_snapshot!(run_in(&folder, "pak extract -o out pak0.pak gfx.wad"), @"
    note: gfx.wad is read as the entry of pak0.pak; write ./gfx.wad for the file
    wrote 1 file (9 bytes) to out
    ");
    assert_snapshot!(run_in(&folder, "pak list pak0.pak ./gfx.wad"), @"
    pak0.pak:
    gfx.wad
    progs.dat

    ./gfx.wad:
    inside
    ");
    // the shell makes the file before the command starts
    folder.write("gfx.wad", "");
    assert_snapshot!(run_in(&folder, "pak cat -q pak0.pak gfx.wad"), @"the entry");
}

#[test]
fn several_names_and_folders_select_each_entry_once() {
    let folder = mods();
    assert_snapshot!(folder.check("pak list [DIR]/mods/a.pak maps progs.dat *.dat nope"), @"
    exit: 1
    maps/start.bsp
    progs.dat
    ! error: [DIR]/mods/a.pak: nope: not found among 2 entries
    !   help: `quakefs pak list [DIR]/mods/a.pak` lists the names
    ");
    assert_snapshot!(folder.check("pak list [DIR]/mods maps/"), @"
    [DIR]/mods/a.pak:
    maps/start.bsp

    [DIR]/mods/b.pk3:
    maps/b.bsp
    ! warning: [DIR]/mods/bad.pak: [unknown-magic] +help
    ");
    assert_snapshot!(folder.check("pak list [DIR]/mods nope **/*.wav"), @r#"
    exit: 2
    ! warning: [DIR]/mods/bad.pak: [unknown-magic] +help
    ! error: nope: not found among 6 entries
    !   help: `quakefs pak list` with the same paths lists the names
    ! error: nothing matches "**/*.wav"
    "#);
}

#[test]
fn info_of_several_archives_is_a_table() {
    let folder = mods();
    assert_snapshot!(folder.check("pak info [DIR]/mods"), @"
    layout  entries  bytes  content  problems  archive
    quake         2    151       11         0  [DIR]/mods/a.pak
    zip           3    366       12         0  [DIR]/mods/b.pk3
    quake         1     81        5         0  [DIR]/mods/deep/er/PAK0.PAK
    ! warning: [DIR]/mods/bad.pak: [unknown-magic] +help
    ");
}

#[test]
fn cat_writes_several_entries_of_several_archives() {
    let folder = mods();
    assert_snapshot!(folder.check("pak cat [DIR]/mods/a.pak progs.dat maps"), @"same bytesa[no line end]");
    assert_snapshot!(folder.check("pak cat --json [DIR]/mods/deep [DIR]/mods/a.pak progs.dat"), @r#"
    {"type":"content","archive":"[DIR]/mods/deep/er/PAK0.PAK","entry":0,"name":"progs.dat","offset":12,"size":5,"stored_size":5,"compressed":false,"content_type":"program","content":"other"}
    {"type":"content","archive":"[DIR]/mods/a.pak","entry":1,"name":"progs.dat","offset":13,"size":10,"stored_size":10,"compressed":false,"content_type":"program","content":"same bytes"}
    "#);
    assert_snapshot!(folder.check("pak cat [DIR]/mods/b.pk3 nope old/progs.dat"), @"
    exit: 1
    same bytes[no line end]
    ! error: [DIR]/mods/b.pk3: nope: not found among 3 entries
    !   help: `quakefs pak list [DIR]/mods/b.pk3` lists the names
    ");
}

#[test]
fn several_archives_are_extracted_to_a_folder_each() {
    let folder = mods();
    assert_snapshot!(folder.check("pak extract [DIR]/mods -o [DIR]/out"), @"
    wrote 2 files (11 bytes) to [DIR]/out/a
    wrote 2 files (12 bytes) to [DIR]/out/b
    wrote 1 file (5 bytes) to [DIR]/out/deep/er/PAK0
    ! warning: [DIR]/mods/bad.pak: [unknown-magic] +help
    ");
    assert_snapshot!(folder.tree("out"), @"
    a/maps/start.bsp: a
    a/progs.dat: same bytes
    b/maps/b.bsp: bb
    b/old/progs.dat: same bytes
    deep/er/PAK0/progs.dat: other
    ");
    assert_snapshot!(folder.check("pak extract [DIR]/mods progs.dat -o [DIR]/dry --dry-run"), @"
    [DIR]/mods/a.pak, to [DIR]/dry/a:
               10  progs.dat
    dry run: 1 file would be written
    [DIR]/mods/deep/er/PAK0.PAK, to [DIR]/dry/deep/er/PAK0:
                5  progs.dat
    dry run: 1 file would be written
    ! warning: [DIR]/mods/bad.pak: [unknown-magic] +help
    ");
    assert!(!folder.join("dry").exists());
}

#[test]
fn an_archive_is_extracted_to_a_folder_of_its_name() {
    let folder = mods();
    let extract = |args: &[&str]| {
        let output =
            command(BINARY).args(["pak", "x"]).args(args).current_dir(folder.join("mods")).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        format!(
            "exit: {}\n{}",
            output.status.code().unwrap(),
            system_errors(&String::from_utf8(text).unwrap()).replace('\\', "/")
        )
    };
    assert_snapshot!(extract(&["a.pak"]), @"
    exit: 0
    wrote 2 files (11 bytes) to a
    ");
    // never over something else
    assert_snapshot!(extract(&["a.pak"]), @"
    exit: 2
    error: a.pak: not extracted: the folder a exists and is not empty
      help: name a folder with -o, or continue with --overwrite or --skip-existing
    ");
    assert_snapshot!(extract(&["a.pak", "maps", "--overwrite"]), @"
    exit: 0
    replaced  maps/start.bsp
    wrote 1 file (1 byte) to a; replaced 1 file
    ");
    assert_snapshot!(extract(&["deep/er/PAK0.PAK", "a.pak", "--skip-existing"]), @"
    exit: 0
    wrote 1 file (5 bytes) to deep/er/PAK0
    wrote 0 files (0 bytes) to a; 2 files were there already
    ");
    assert_snapshot!(folder.tree("mods/deep"), @r"
    er/PAK0/progs.dat: other
    er/PAK0.PAK: PACK\x11\x00\x00\x00@\x00\x00\x00otherprogs.dat\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x0c\x00\x00\x00\x05\x00\x00\x00
    ");
    // a file of the same name
    fs::copy(folder.join("mods/a.pak"), folder.join("mods/noext")).unwrap();
    assert_snapshot!(extract(&["noext"]), @"
    exit: 2
    error: noext: cannot create the folder: File exists (os error 17)
      help: name another folder with -o
    ");
}

#[test]
fn archives_that_claim_too_much_together_are_not_extracted() {
    let folder = Folder::new();
    let big = vec![0_u8; 6 << 20];
    for number in 0..3 {
        folder.write(&format!("in/{number}.pk3"), zip(&[(b"zeros", &big)]));
    }
    let answer = folder.run("pak extract [DIR]/in -o [DIR]/out --max-output 16M");
    assert_eq!(answer.exit, Exit::Failed);
    assert!(answer.err().contains("the files would have 18 874 368 bytes"), "{}", answer.err());
    assert!(!folder.join("out").exists());
    assert_eq!(folder.run("pak extract [DIR]/in -o [DIR]/out --max-output 18M").exit, Exit::Done);
}

#[test]
fn find_says_which_archives_hold_a_file() {
    let folder = mods();
    fs::remove_file(folder.join("mods/bad.pak")).unwrap();
    assert_snapshot!(folder.check("pak find progs.dat [DIR]/mods"), @r#"
    [DIR]/mods/a.pak: entry 1 (progs.dat), 10 bytes
    [DIR]/mods/deep/er/PAK0.PAK: entry 0 (progs.dat), 5 bytes
    ! note: 1 entry in folders: "**/progs.dat" finds them too
    "#);
    assert_snapshot!(folder.check("pak find **/PROGS.dat -i [DIR]/mods"), @"
    [DIR]/mods/a.pak: entry 1 (progs.dat), 10 bytes
    [DIR]/mods/b.pk3: entry 2 (old/progs.dat), 10 bytes
    [DIR]/mods/deep/er/PAK0.PAK: entry 0 (progs.dat), 5 bytes
    ");
    assert_snapshot!(folder.check("pak find maps [DIR]/mods --json"), @r#"
    {"type":"found","archive":"[DIR]/mods/a.pak","entry":0,"name":"maps/start.bsp","offset":12,"size":1,"stored_size":1,"compressed":false,"content_type":"level"}
    {"type":"found","archive":"[DIR]/mods/b.pk3","entry":1,"name":"maps/b.bsp","offset":35,"size":2,"stored_size":10,"compressed":true,"content_type":"level"}
    "#);
    assert_snapshot!(folder.check("pak find **/*.dat [DIR]/mods --archives"), @"
    [DIR]/mods/a.pak
    [DIR]/mods/b.pk3
    [DIR]/mods/deep/er/PAK0.PAK
    ");
    assert_snapshot!(brief(folder.check("pak find Progs.dat [DIR]/mods")), @"exit 1: error: Progs.dat: not found in 3 archives; help: `quakefs pak find -i Progs.dat` finds it in these archives");
    let answer = folder.run("pak find -0 maps [DIR]/mods");
    assert_eq!(folder.redact(answer.out()), "[DIR]/mods/a.pak\0[DIR]/mods/b.pk3\0");
}

#[test]
fn find_searches_nested_archives_with_an_option_and_else_mentions_them() {
    let folder = Folder::new();
    let inner = archive(&[(b"maps/a.bsp", b"level"), (b"progs.dat", b"code")]);
    let middle = zip(&[(b"id1/pak0.pak", &inner), (b"readme.txt", b"text")]);
    folder.write(
        "mods/mod.zip",
        zip(&[(b"mod/pak0.pak", &inner), (b"more.pk3", &middle), (b"bad.pak", b"no archive")]),
    );
    folder.write("mods/sum.pak", archive(&[(b"maps/sum.bsp", b"level")]));
    assert_snapshot!(brief(folder.check("pak find maps/a.bsp [DIR]/mods")), @"exit 1: error: maps/a.bsp: not found in 2 archives; 3 archives inside them are not searched; help: --nested searches archives inside archives");
    assert_snapshot!(folder.check("pak find --nested maps/a.bsp [DIR]/mods"), @"
    [DIR]/mods/mod.zip/mod/pak0.pak: entry 0 (maps/a.bsp), 5 bytes
    [DIR]/mods/mod.zip/more.pk3/id1/pak0.pak: entry 0 (maps/a.bsp), 5 bytes
    ! warning: [DIR]/mods/mod.zip/bad.pak: [unknown-magic] +help
    ");
    assert_snapshot!(folder.check("pak find --nested --json progs.dat [DIR]/mods/mod.zip"), @r#"
    exit: 2
    {"type":"found","archive":"[DIR]/mods/mod.zip/mod/pak0.pak","entry":1,"name":"progs.dat","offset":17,"size":4,"stored_size":4,"compressed":false,"content_type":"program"}
    {"type":"found","archive":"[DIR]/mods/mod.zip/more.pk3/id1/pak0.pak","entry":1,"name":"progs.dat","offset":17,"size":4,"stored_size":4,"compressed":false,"content_type":"program"}
    ! error: [DIR]/mods/mod.zip/bad.pak: [unknown-magic] +help
    "#);
    assert_snapshot!(brief(folder.check("pak find --nested maps/none.bsp [DIR]/mods/sum.pak")), @"exit 1: error: maps/none.bsp: not found in 1 archive; help: `quakefs pak list` with the same paths lists the names");
    let hash = Digest::of_bytes(DigestKind::Xxh3, b"level");
    assert_snapshot!(folder.check(&format!("pak find --nested ** --hash {hash} [DIR]/mods")), @"
    [DIR]/mods/mod.zip/mod/pak0.pak: entry 0 (maps/a.bsp), 5 bytes
    [DIR]/mods/mod.zip/more.pk3/id1/pak0.pak: entry 0 (maps/a.bsp), 5 bytes
    [DIR]/mods/sum.pak: entry 0 (maps/sum.bsp), 5 bytes
    ! warning: [DIR]/mods/mod.zip/bad.pak: [unknown-magic] +help
    ");
    // their claims are limited: for one archive, the command reports that it was not decoded
    let answer = folder.run("pak find --nested maps/a.bsp [DIR]/mods/mod.zip --max-output 100");
    assert_eq!(answer.exit, Exit::Failed);
    assert!(answer.err().contains("mod.zip/mod/pak0.pak: not decoded"), "{}", answer.err());
}

#[test]
fn archives_inside_archives_are_catalogued_compared_and_verified_with_an_option() {
    let folder = Folder::new();
    let inner = archive(&[(b"maps/a.bsp", b"level"), (b"\xff.dat", b"code")]);
    let middle = zip(&[(b"id1/pak0.pak", &inner)]);
    folder.write("mods/mod.zip", zip(&[(b"more.pk3", &middle), (b"bad.pak", b"no archive")]));
    let twice = [(&b"pak0.pak"[..], &inner[..]), (b"pak0.pak", &archive(&[(b"b", b"other")]))];
    folder.write("mods/twice.pak", archive(&twice));
    let places = |rows: Vec<serde_json::Value>| {
        let place = |row: &serde_json::Value| {
            let [archive, container, name, kind] = ["archive", "container", "name", "fault_kind"]
                .map(|key| folder.redact(row[key].as_str().unwrap()));
            format!("{archive} {container} {} {name} {kind}", row["entry"])
        };
        rows.iter().map(place).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(places(folder.run("pak catalog --nested [DIR]/mods").json()), @r"
    [DIR]/mods/mod.zip  0 more.pk3 
    [DIR]/mods/mod.zip  1 bad.pak 
    [DIR]/mods/mod.zip more.pk3 0 id1/pak0.pak 
    [DIR]/mods/mod.zip more.pk3/id1/pak0.pak 0 maps/a.bsp 
    [DIR]/mods/mod.zip more.pk3/id1/pak0.pak 1 \xFF.dat 
    [DIR]/mods/mod.zip bad.pak null  unknown-magic
    [DIR]/mods/twice.pak  0 pak0.pak 
    [DIR]/mods/twice.pak  1 pak0.pak 
    [DIR]/mods/twice.pak pak0.pak 0 maps/a.bsp 
    [DIR]/mods/twice.pak pak0.pak 1 \xFF.dat 
    [DIR]/mods/twice.pak pak0.pak (2) 0 b
    ");
    for file in ["c.jsonl", "c.parquet"] {
        let update = format!("pak catalog [DIR]/mods -o [DIR]/{file} --update");
        let said = |options: &str| folder.redact(folder.run(&format!("{update} {options}")).out());
        assert_eq!(said(""), format!("[DIR]/{file}: 2 archives, 4 entries\n"));
        // one cannot be opened, and is read again
        assert!(said("--nested").ends_with(": 7 archives, 2 unchanged; 6 entries in the others\n"));
        assert!(said("--nested").ends_with(": 7 archives, 6 unchanged; 0 entries in the others\n"));
        assert_eq!(said(""), format!("[DIR]/{file}: 2 archives, 2 unchanged; 0 entries in the others\n"));
    }
    assert_snapshot!(folder.check("pak verify --nested [DIR]/mods/twice.pak"), @r"
    exit: 1
    warning  [DIR]/mods/twice.pak: entry 1 (pak0.pak): [duplicate]
             help: remove it
    0 errors, 1 warning, 0 notes for [DIR]/mods/twice.pak
    note     [DIR]/mods/twice.pak/pak0.pak: entry 1 (\xFF.dat): [not-ascii] +help
    0 errors, 0 warnings, 1 note for [DIR]/mods/twice.pak/pak0.pak
    ok       [DIR]/mods/twice.pak/pak0.pak (2): 1 entry
    0 errors, 0 warnings, 0 notes for [DIR]/mods/twice.pak/pak0.pak (2)
    ");
    assert_snapshot!(folder.check("pak duplicates --nested [DIR]/mods"), @r"
    149 bytes, 2 times; 149 bytes could be saved
      [DIR]/mods/mod.zip/more.pk3: entry 0 (id1/pak0.pak)
      [DIR]/mods/twice.pak: entry 0 (pak0.pak)
    5 bytes, 2 times; 5 bytes could be saved
      [DIR]/mods/mod.zip/more.pk3/id1/pak0.pak: entry 0 (maps/a.bsp)
      [DIR]/mods/twice.pak/pak0.pak: entry 0 (maps/a.bsp)
    4 bytes, 2 times; 4 bytes could be saved
      [DIR]/mods/mod.zip/more.pk3/id1/pak0.pak: entry 1 (\xFF.dat)
      [DIR]/mods/twice.pak/pak0.pak: entry 1 (\xFF.dat)
    3 contents are in 6 places among 10 entries of 6 archives; 158 bytes could be saved
    ! warning: [DIR]/mods/mod.zip/bad.pak: [unknown-magic] +help
    ");
    let other = zip(&[(b"id1/pak0.pak", &archive(&[(b"maps/a.bsp", b"other")]))]);
    folder.write("new.zip", zip(&[(b"more.pk3", &other), (b"bad.pak", b"no archive")]));
    assert_snapshot!(folder.check("pak diff --nested [DIR]/mods/mod.zip [DIR]/new.zip"), @r"
    exit: 1
    changed  more.pk3: 184 bytes, before 205 bytes
    changed  more.pk3/id1/pak0.pak: 81 bytes, before 149 bytes
    changed  more.pk3/id1/pak0.pak/maps/a.bsp: 5 bytes, which differ
    removed  more.pk3/id1/pak0.pak/\xFF.dat: 4 bytes
    1 removed, 3 changed, 1 file is the same
    ");
}

#[test]
fn endlessly_nested_archives_are_searched_to_a_depth() {
    let folder = Folder::new();
    let mut pak = archive(&[(b"maps/deep.bsp", b"level")]);
    for _ in 0..20 {
        pak = archive(&[(b"pak0.pak", &pak)]);
    }
    folder.write("a.pak", &pak);
    let answer = folder.run("pak find --nested maps/deep.bsp [DIR]/a.pak");
    assert!(answer.err().contains("nested too deep"), "{}", answer.err());
    assert_eq!(answer.exit, Exit::Failed);
}

#[test]
fn merge_of_a_folder_of_archives_merges_their_contents() {
    let folder = Folder::new();
    folder.write("mods/b.pak", archive(&[(b"maps/b.bsp", b"b"), (b"progs.dat", b"of b")]));
    folder.write("mods/a.pak", archive(&[(b"maps/a.bsp", b"a"), (b"progs.dat", b"of a")]));
    folder.write("mods/deep/c.pk3", zip(&[(b"maps/c.bsp", b"c")]));
    assert_snapshot!(folder.check("pak merge --dry-run -o [DIR]/all.pak [DIR]/mods"), @"
    exit: 0
                1  maps/a.bsp  from [DIR]/mods/a.pak: entry 0 (maps/a.bsp)
                1  maps/b.bsp  from [DIR]/mods/b.pak: entry 0 (maps/b.bsp)
                1  maps/c.bsp  from [DIR]/mods/deep/c.pk3: entry 0 (maps/c.bsp)
                4  progs.dat  from [DIR]/mods/b.pak: entry 1 (progs.dat)
    dry run: 4 files would be written
    ! note: [DIR]/mods: 3 archives, merged in the order of their names
    ");
    folder.write("mods/bad.pak", "no archive");
    let answer = folder.run("pak merge -o [DIR]/all.pak [DIR]/mods");
    assert_eq!(answer.exit, Exit::Failed);
    assert!(!folder.join("all.pak").exists(), "{}", answer.err());
    // a folder with a file of a game is a game directory, as before
    fs::remove_file(folder.join("mods/bad.pak")).unwrap();
    folder.write("mods/autoexec.cfg", "bind");
    let answer = folder.run("pak merge --dry-run -o [DIR]/all.pak [DIR]/mods");
    assert!(answer.out().contains("  b.pak  from"), "{}", answer.out());
}

#[test]
fn find_goes_on_after_a_bad_archive() {
    let folder = mods();
    assert_snapshot!(folder.check("pak find progs.dat [DIR]/mods [DIR]/none.pak"), @r#"
    exit: 2
    [DIR]/mods/a.pak: entry 1 (progs.dat), 10 bytes
    [DIR]/mods/deep/er/PAK0.PAK: entry 0 (progs.dat), 5 bytes
    ! warning: [DIR]/mods/bad.pak: [unknown-magic] +help
    ! error: [DIR]/none.pak: open failed: No such file or directory (os error 2) +help
    ! note: 1 entry in folders: "**/progs.dat" finds them too
    "#);
    assert_snapshot!(brief(folder.check("pak find nope [DIR]/mods")), @"exit 2: warning: [DIR]/mods/bad.pak: [unknown-magic] +help");
}

#[test]
fn damaged_archives_among_others_are_counted_and_do_not_fail_a_command() {
    let folder = mods();
    for number in 0..8 {
        folder.write(&format!("mods/{number}.pak"), "cut");
    }
    for line in ["find progs.dat", "list", "info", "duplicates", "catalog", "extract --dry-run"] {
        let answer = folder.run(&format!("pak {line} [DIR]/mods"));
        assert_eq!(answer.exit, Exit::Done, "{line}: {}", answer.err());
        assert_eq!(answer.err().matches("warning: ").count(), 6, "{line}: {}", answer.err());
        assert!(answer.err().contains("warning: 4 more cannot be read\n"), "{}", answer.err());
        let quiet = folder.run(&format!("pak -q {line} [DIR]/mods"));
        assert_eq!((quiet.err(), quiet.exit), ("", Exit::Done), "{line}");
        let strict = folder.run(&format!("pak {line} --strict [DIR]/mods"));
        assert_eq!(strict.exit, Exit::Failed, "{line}");
        assert_eq!(strict.err().matches("error: ").count(), 6, "{line}: {}", strict.err());
    }
    // the answer may be in an archive that cannot be read
    for line in ["find nope [DIR]/mods", "list [DIR]/mods nope", "cat [DIR]/mods nope"] {
        assert_eq!(folder.run(&format!("pak {line}")).exit, Exit::Failed, "{line}");
    }
    assert_eq!(folder.run("pak list [DIR]/mods/1.pak").exit, Exit::Failed);
}

#[test]
fn find_finds_a_content_by_its_hash() {
    let folder = mods();
    fs::remove_file(folder.join("mods/bad.pak")).unwrap();
    let rows = folder.run("pak catalog [DIR]/mods/a.pak").json();
    let hash = rows[1]["hash"].as_str().unwrap().to_owned();
    assert_snapshot!(folder.check(&format!("pak find ** --hash {hash} [DIR]/mods")), @"
    [DIR]/mods/a.pak: entry 1 (progs.dat), 10 bytes
    [DIR]/mods/b.pk3: entry 2 (old/progs.dat), 10 bytes
    ");
    assert_snapshot!(folder.check(&format!("pak find progs.dat --hash {hash} [DIR]/mods")), @"[DIR]/mods/a.pak: entry 1 (progs.dat), 10 bytes");
    let rows = folder.run("pak catalog --blake3 [DIR]/mods/a.pak").json();
    let hash = rows[1]["hash"].as_str().unwrap().to_uppercase();
    assert_eq!(folder.run(&format!("pak find ** --hash {hash} [DIR]/mods")).out().lines().count(), 2);
    assert_snapshot!(brief(folder.check("pak find ** --hash 0 [DIR]/mods")), @"exit 2: error: '0' is no value of --hash HASH; help: expected 32 hexadecimal digits of XXH3-128, 64 of BLAKE3 or 8 of CRC-32, or sha256: or md5: and digits");
    let nothing = "0".repeat(32);
    assert_snapshot!(brief(folder.check(&format!("pak find ** --hash {nothing} [DIR]/mods"))), @"exit 1: error: no file that ** finds in 3 archives has this hash; help: `quakefs pak catalog` writes the hash of each file: XXH3-128, or BLAKE3 with --blake3");
    assert_snapshot!(folder.check(&format!("pak find ** --hash {nothing} --max-output 1 [DIR]/mods/b.pk3")), @"
    exit: 2
    ! error: [DIR]/mods/b.pk3: entry 1 (maps/b.bsp): not decoded: the archives claim more than the limit +help
    ! error: [DIR]/mods/b.pk3: entry 2 (old/progs.dat): not decoded: the archives claim more than the limit
    ! error: no file that ** finds in 1 archive has this hash
    !   help: `quakefs pak catalog` writes the hash of each file: XXH3-128, or BLAKE3 with --blake3
    ");
}

#[test]
fn a_folder_without_archives_is_reported() {
    let folder = Folder::with([("docs/readme.txt", "hello")]);
    assert_snapshot!(brief(folder.check("pak find progs.dat [DIR]/docs")), @"exit 1: error: [DIR]/docs: this folder contains no archive; help: archives are known by their extensions: .pak, .pk2, .pk3, .pk4, .pkz, .sin, .zip, .kpf, .wad");
    assert_snapshot!(brief(folder.check("pak catalog [DIR]/docs")), @"exit 1: error: [DIR]/docs: this folder contains no archive; help: archives are known by their extensions: .pak, .pk2, .pk3, .pk4, .pkz, .sin, .zip, .kpf, .wad");
}

#[test]
fn verify_says_one_verdict_a_line() {
    let folder = mods();
    assert_snapshot!(folder.check("pak verify [DIR]/mods"), @"
    exit: 1
    ok       [DIR]/mods/a.pak: 2 entries
    ok       [DIR]/mods/b.pk3: 3 entries
    error    [DIR]/mods/bad.pak: [unknown-magic]
    ok       [DIR]/mods/deep/er/PAK0.PAK: 1 entry
    4 archives: 3 ok, 1 with errors
    ");
    assert_snapshot!(folder.check("pak verify --long [DIR]/mods"), @"
    exit: 1
    ok       [DIR]/mods/a.pak: 2 entries
    ok       [DIR]/mods/b.pk3: 3 entries
    error    [DIR]/mods/bad.pak: [unknown-magic] +help
    1 error, 0 warnings, 0 notes for [DIR]/mods/bad.pak
    ok       [DIR]/mods/deep/er/PAK0.PAK: 1 entry
    4 archives: 3 ok, 1 with errors
    ");
    assert_snapshot!(folder.check("pak verify --json [DIR]/mods/a.pak"), @r#"{"type":"verdict","archive":"[DIR]/mods/a.pak","verdict":"ok","errors":0,"warnings":0,"notes":0,"entries":2}"#);
}

#[test]
fn small_archives_that_claim_much_do_not_hold_verify_up() {
    let folder = Folder::new();
    let big = vec![0_u8; 6 << 20];
    for number in 0..3 {
        folder.write(&format!("{number}.pk3"), zip(&[(b"zeros", &big)]));
    }
    assert_snapshot!(folder.check("pak verify --max-output 13M [DIR]"), @"
    exit: 1
    ok       [DIR]/0.pk3: 1 entry
    ok       [DIR]/1.pk3: 1 entry
    warning  [DIR]/2.pk3: [expansion] (and 1 finding more)
    3 archives: 2 ok, 1 with warnings
    --long lists all findings of each
    ");
}

#[cfg(unix)]
#[test]
fn links_to_archives_are_followed_and_links_to_folders_are_not() {
    let folder = mods();
    fs::remove_file(folder.join("mods/bad.pak")).unwrap();
    std::os::unix::fs::symlink(folder.join("mods/a.pak"), folder.join("mods/deep/link.pak")).unwrap();
    std::os::unix::fs::symlink(folder.join("mods"), folder.join("mods/deep/again")).unwrap();
    std::os::unix::fs::symlink(folder.join("mods"), folder.join("mods/deep/again.pak")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.join("mods/deep/none.pak")).unwrap();
    assert_snapshot!(folder.check("pak find progs.dat [DIR]/mods"), @r#"
    exit: 2
    [DIR]/mods/a.pak: entry 1 (progs.dat), 10 bytes
    [DIR]/mods/deep/er/PAK0.PAK: entry 0 (progs.dat), 5 bytes
    [DIR]/mods/deep/link.pak: entry 1 (progs.dat), 10 bytes
    ! error: [DIR]/mods/deep/none.pak: open failed: No such file or directory (os error 2) +help
    ! note: 1 entry in folders: "**/progs.dat" finds them too
    "#);
    // a content that appears twice only through a link counts once
    assert_snapshot!(folder.check("pak duplicates [DIR]/mods/deep [DIR]/mods/a.pak"), @"
    exit: 2
    no content repeats among 3 entries of 2 archives
    ! note: [DIR]/mods/deep/link.pak and [DIR]/mods/a.pak are the same file, byte for byte
    ! error: [DIR]/mods/deep/none.pak: open failed: No such file or directory (os error 2) +help
    ");
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_listed_is_reported() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = mods();
    let closed = folder.join("mods/closed");
    fs::create_dir(&closed).unwrap();
    for path in [folder.path(), &folder.join("mods")] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let mut command = crate::unprivileged(folder.path().as_std_path());
    let output = command.args(["pak", "find", "maps"]).arg(folder.join("mods")).output().unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(folder.redact(&err).starts_with("error: [DIR]/mods/closed: list failed: "), "{err}");
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn diff_lists_added_removed_changed_and_moved_files() {
    let folder = Folder::with([
        (
            "old.pak",
            archive(&[
                (b"same.cfg", b"1"),
                (b"progs.dat", b"old"),
                (b"gone.wav", b"gone"),
                (b"a.wav", b"sound"),
                (b"size.lmp", b"1"),
                (b"twice", b"1"),
            ]),
        ),
        (
            "new.pak",
            archive(&[
                (b"same.cfg", b"1"),
                (b"progs.dat", b"new"),
                (b"sound/a.wav", b"sound"),
                (b"size.lmp", b"12"),
                (b"new.bsp", b"new level"),
                (b"twice", b"1"),
                (b"twice", b"22"),
            ]),
        ),
    ]);
    assert_snapshot!(folder.check("pak diff [DIR]/old.pak [DIR]/new.pak"), @"
    exit: 1
    removed  gone.wav: 4 bytes
    added    new.bsp: 9 bytes
    changed  progs.dat: 3 bytes, which differ
    changed  size.lmp: 2 bytes, before 1 byte
    moved    sound/a.wav: from a.wav
    added    twice: 2 bytes
    2 added, 1 removed, 2 changed, 1 moved, 2 files are the same
    ");
    assert_snapshot!(folder.check("pak diff --json [DIR]/old.pak [DIR]/new.pak"), @r#"
    exit: 1
    {"type":"entry-difference","kind":"removed","name":"gone.wav","old":{"name":"gone.wav","from":"[DIR]/old.pak: entry 2 (gone.wav)","size":4},"new":null}
    {"type":"entry-difference","kind":"added","name":"new.bsp","old":null,"new":{"name":"new.bsp","from":"[DIR]/new.pak: entry 4 (new.bsp)","size":9}}
    {"type":"entry-difference","kind":"changed","name":"progs.dat","old":{"name":"progs.dat","from":"[DIR]/old.pak: entry 1 (progs.dat)","size":3},"new":{"name":"progs.dat","from":"[DIR]/new.pak: entry 1 (progs.dat)","size":3}}
    {"type":"entry-difference","kind":"changed","name":"size.lmp","old":{"name":"size.lmp","from":"[DIR]/old.pak: entry 4 (size.lmp)","size":1},"new":{"name":"size.lmp","from":"[DIR]/new.pak: entry 3 (size.lmp)","size":2}}
    {"type":"entry-difference","kind":"moved","name":"sound/a.wav","old":{"name":"a.wav","from":"[DIR]/old.pak: entry 3 (a.wav)","size":5},"new":{"name":"sound/a.wav","from":"[DIR]/new.pak: entry 2 (sound/a.wav)","size":5}}
    {"type":"entry-difference","kind":"added","name":"twice","old":null,"new":{"name":"twice","from":"[DIR]/new.pak: entry 6 (twice)","size":2}}
    {"type":"diff","old":"[DIR]/old.pak","new":"[DIR]/new.pak","same":2,"added":2,"removed":1,"changed":2,"moved":1,"not_compared":0,"unreadable":0}
    "#);
    assert_snapshot!(folder.check("pak diff [DIR]/old.pak [DIR]/old.pak"), @"no difference: 6 files are the same");
    assert_snapshot!(brief(folder.check("pak diff [DIR]/old.pak [DIR]/none.pak")), @"exit 2: error: [DIR]/none.pak: open failed: No such file or directory (os error 2) +help");
    let limited = folder.check("pak diff [DIR]/old.pak [DIR]/new.pak --max-output 6");
    assert_snapshot!(limited.lines().skip(7).collect::<Vec<_>>().join("\n"), @"
    3 added, 2 removed, 1 changed, 1 file is the same
    ! error: [DIR]/new.pak: entry 1 (progs.dat): not compared, because the archives claim too many bytes: 4 files like this +help
    ");
    assert!(limited.starts_with("exit: 2\nremoved  a.wav: 5 bytes\n"), "{limited}");
}

#[test]
fn diff_compares_the_winners_of_folders() {
    let folder = Folder::with([
        ("1/id1/pak0.pak", archive(&[(b"progs.dat", b"one"), (b"quake.rc", b"rc")])),
        ("2/id1/pak0.pak", archive(&[(b"progs.dat", b"one")])),
        ("2/id1/pak1.pak", archive(&[(b"Progs.dat", b"two"), (b"quake.rc", b"rc")])),
        ("2/id1/other.pak", archive(&[(b"quake.rc", b"hidden")])),
        ("my mod/progs.dat", b"two".to_vec()),
    ]);
    // games, and a game directory and an archive
    assert_snapshot!(folder.check("pak diff [DIR]/1 [DIR]/2"), @"
    exit: 1
    added    Progs.dat: 3 bytes
    added    other.pak: 82 bytes
    2 added, 2 files are the same
    ");
    assert_snapshot!(folder.check("--engine darkplaces pak diff [DIR]/1 [DIR]/2"), @"
    exit: 1
    added    Progs.dat: 3 bytes
    removed  progs.dat: 3 bytes
    1 added, 1 removed, 1 file is the same
    ");
    assert_snapshot!(folder.check("pak diff [DIR]/1/id1/pak0.pak [DIR]/2/id1"), @"
    exit: 1
    added    Progs.dat: 3 bytes
    added    other.pak: 82 bytes
    2 added, 2 files are the same
    ");
    let mod_folder = folder.join("my mod");
    let answer = run(&["pak", "diff", folder.join("1/id1/pak0.pak").as_str(), mod_folder.as_str()]);
    assert_snapshot!(folder.redact(&answer.text()), @"
    exit: 1
    changed  progs.dat: 3 bytes, which differ
    removed  quake.rc: 2 bytes
    1 removed, 1 changed, 0 files are the same
    ");
}

#[test]
fn diff_reports_a_file_that_cannot_be_read() {
    let line =
        "pak diff [PAK]/malformed/payload-past-end-by-one.pak [PAK]/malformed/payload-past-end-by-one.pak";
    assert_snapshot!(crate::check(line), @"
    exit: 2
    2 files are the same
    ! error: [PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b): [entry-outside|outside] +help
    ! error: [PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b): [entry-outside|outside]
    ");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn merge_puts_later_over_earlier() {
    let folder = Folder::with([
        (
            "a.pak",
            archive(&[(b"maps/start.bsp", b"a"), (b"progs.dat", b"a"), (b"x", b"first"), (b"x", b"second")]),
        ),
        ("b.pk3", zip(&[(b"maps/", b""), (b"maps/start.bsp", b"b"), (b"MAPS/START.BSP", b"B")])),
        ("c/pak0.pak", archive(&[(b"progs.dat", b"c0")])),
        ("c/pak1.pak", archive(&[(b"progs.dat", b"c1")])),
        ("c/autoexec.cfg", b"loose".to_vec()),
    ]);
    assert_snapshot!(folder.check("pak merge --dry-run -o [DIR]/out.pak [DIR]/a.pak [DIR]/b.pk3 [DIR]/c"), @"
    exit: 0
                1  MAPS/START.BSP  from [DIR]/b.pk3: entry 2 (MAPS/START.BSP)
                5  autoexec.cfg  from c/autoexec.cfg
                1  maps/start.bsp  from [DIR]/b.pk3: entry 1 (maps/start.bsp)
                2  progs.dat  from c/pak1.pak: entry 0 (progs.dat)
                5  x  from [DIR]/a.pak: entry 2 (x)
    dry run: 5 files would be written
    ");
    assert_snapshot!(folder.check("pak merge -o [DIR]/out.pak [DIR]/a.pak [DIR]/b.pk3 [DIR]/c"), @"
    added     MAPS/START.BSP
    added     autoexec.cfg
    added     maps/start.bsp
    added     progs.dat
    added     x
    [DIR]/out.pak: 5 entries, 346 bytes
    ");
    folder.run("pak extract [DIR]/out.pak -o [DIR]/out");
    assert_snapshot!(folder.tree("out"), @"
    MAPS/START.BSP: B
    autoexec.cfg: loose
    maps/start.bsp: b
    progs.dat: c1
    x: first
    ");
    assert_snapshot!(brief(folder.check("pak merge -o [DIR]/out.pak [DIR]/b.pk3")), @"exit 2: error: [DIR]/out.pak: the file exists already; help: replace it with --overwrite");
    // an engine that ignores case loads one of the two, and another engine loads the other
    assert_snapshot!(folder.check("--engine darkplaces pak merge --overwrite --layout sin -o [DIR]/out.pak [DIR]/a.pak [DIR]/b.pk3"), @"
    added     maps/start.bsp
    added     progs.dat
    added     x
    [DIR]/out.pak: 3 entries, 403 bytes; replaced a file of 346 bytes
    ");
    assert_snapshot!(folder.check("pak list -l [DIR]/out.pak"), @"
    exit: 0
      entry      offset        size      stored  type        name
          0          12           1           1  level       maps/start.bsp
          1          13           1           1  program     progs.dat
          2          14           5           5  other       x
    ");
}

#[test]
fn merge_writes_nothing_after_an_error() {
    let long = "n".repeat(60);
    let folder = Folder::with([
        ("a.pak", archive(&[(b"a", b"a")])),
        ("long.pk3", zip(&[(long.as_bytes(), b"")])),
        ("bad.pak", b"To do".to_vec()),
    ]);
    assert_snapshot!(folder.check("pak merge -o [DIR]/out.pak [DIR]/a.pak [DIR]/bad.pak [DIR]/none.pak"), @"
    exit: 2
    ! error: [DIR]/bad.pak: [unknown-magic] +help
    ! error: [DIR]/none.pak: open failed: No such file or directory (os error 2) +help
    ! error: nothing was written
    ");
    assert_snapshot!(brief(folder.check("pak merge -o [DIR]/out.pak [DIR]/a.pak [DIR]/long.pk3")), @"exit 2: error: [DIR]/out.pak: entry 1 (nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn): [name] +help");
    let damaged = "pak merge -o [DIR]/out.pak [DIR]/a.pak [PAK]/malformed/payload-past-end-by-one.pak";
    assert_snapshot!(folder.check(damaged), @"
    exit: 2
    ! warning: [PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b): [entry-outside|outside] +help
    ! error: [PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b): [entry-outside|outside] +help
    ! error: nothing was written
    ");
    assert_snapshot!(brief(folder.check("pak merge -o [DIR]/out.pak [DIR]/a.pak --max-output 0")), @"exit 2: error: nothing was written: the files would have 1 byte, and the archives have 77 bytes +help");
    assert_eq!(folder.names(""), ["a.pak", "bad.pak", "long.pk3"]);
}

#[test]
fn duplicates_says_how_many_bytes_copies_waste() {
    let folder = mods();
    fs::remove_file(folder.join("mods/bad.pak")).unwrap();
    let mut shared = Pack::new(Layout::Quake);
    let place = shared.payload(b"shared by two rows");
    shared.row(b"one", place, 18);
    shared.row(b"two", place, 18);
    folder.write("mods/shared.pak", shared.finish());
    assert_snapshot!(folder.check("pak duplicates [DIR]/mods"), @"
    10 bytes, 2 times; 18 bytes could be saved
      [DIR]/mods/a.pak: entry 1 (progs.dat)
      [DIR]/mods/b.pk3: entry 2 (old/progs.dat)
    1 content is in 2 places among 7 entries of 4 archives; 18 bytes could be saved
    ");
    folder.write("mods/z.pak", archive(&[(b"three", b"shared by two rows")]));
    assert_snapshot!(folder.check("pak duplicates --json [DIR]/mods"), @r#"
    {"type":"duplicate","hash":"859a05b889753e8c6d48127be32122ca","size":10,"saved":18,"copies":[{"archive":"[DIR]/mods/a.pak","entry":1,"name":"progs.dat","stored_size":10},{"archive":"[DIR]/mods/b.pk3","entry":2,"name":"old/progs.dat","stored_size":18}]}
    {"type":"duplicate","hash":"af67aa2605421d0512b0f9f82fd3cffa","size":18,"saved":18,"copies":[{"archive":"[DIR]/mods/shared.pak","entry":0,"name":"one","stored_size":18},{"archive":"[DIR]/mods/shared.pak","entry":1,"name":"two","stored_size":18},{"archive":"[DIR]/mods/z.pak","entry":0,"name":"three","stored_size":18}]}
    {"type":"duplicates","contents":2,"copies":5,"saved":36,"entries":8,"archives":5,"not_compared":0}
    "#);
    assert_snapshot!(folder.check("pak duplicates --blake3 [DIR]/mods/a.pak"), @"no content repeats among 2 entries of 1 archive");
    assert_snapshot!(folder.check("pak duplicates [DIR]/mods --max-output 20"), @"
    exit: 2
    10 bytes, 2 times; 18 bytes could be saved
      [DIR]/mods/a.pak: entry 1 (progs.dat)
      [DIR]/mods/b.pk3: entry 2 (old/progs.dat)
    1 content is in 2 places among 8 entries of 5 archives; 18 bytes could be saved
    ! error: 3 entries were not compared, because the archives claim too many bytes +help
    ");
}

#[test]
fn catalog_has_a_row_for_every_entry() {
    let folder = mods();
    folder.write("mods/empty.pak", archive(&[]));
    let answer = folder.run("pak catalog [DIR]/mods");
    let times = without_times(&folder.redact(&answer.text()));
    assert_snapshot!(times, @r#"
    {"type":"row","schema":1,"archive":"[DIR]/mods/a.pak","archive_size":151,"archive_modified":TIME,"container":"","archive_entries":2,"layout":"quake","entry":0,"name":"maps/start.bsp","offset":12,"stored_size":1,"size":1,"method":"stored","content_type":"level","hash":"a96faf705af16834e6c632b61e964e1f","fault":"","fault_kind":""}
    {"type":"row","schema":1,"archive":"[DIR]/mods/a.pak","archive_size":151,"archive_modified":TIME,"container":"","archive_entries":2,"layout":"quake","entry":1,"name":"progs.dat","offset":13,"stored_size":10,"size":10,"method":"stored","content_type":"program","hash":"859a05b889753e8c6d48127be32122ca","fault":"","fault_kind":""}
    {"type":"row","schema":1,"archive":"[DIR]/mods/b.pk3","archive_size":366,"archive_modified":TIME,"container":"","archive_entries":3,"layout":"zip","entry":0,"name":"maps/","offset":0,"stored_size":0,"size":0,"method":"stored","content_type":"folder","hash":"","fault":"","fault_kind":""}
    {"type":"row","schema":1,"archive":"[DIR]/mods/b.pk3","archive_size":366,"archive_modified":TIME,"container":"","archive_entries":3,"layout":"zip","entry":1,"name":"maps/b.bsp","offset":35,"stored_size":10,"size":2,"method":"deflate","content_type":"level","hash":"db1de4b3da6c7871b776d5cb968aa5a4","fault":"","fault_kind":""}
    {"type":"row","schema":1,"archive":"[DIR]/mods/b.pk3","archive_size":366,"archive_modified":TIME,"container":"","archive_entries":3,"layout":"zip","entry":2,"name":"old/progs.dat","offset":101,"stored_size":18,"size":10,"method":"deflate","content_type":"program","hash":"859a05b889753e8c6d48127be32122ca","fault":"","fault_kind":""}
    {"type":"row","schema":1,"archive":"[DIR]/mods/bad.pak","archive_size":5,"archive_modified":TIME,"container":"","archive_entries":null,"layout":"","entry":null,"name":"","offset":null,"stored_size":null,"size":null,"method":"","content_type":"","hash":"","fault":"[unknown-magic]","fault_kind":"unknown-magic"}
    {"type":"row","schema":1,"archive":"[DIR]/mods/deep/er/PAK0.PAK","archive_size":81,"archive_modified":TIME,"container":"","archive_entries":1,"layout":"quake","entry":0,"name":"progs.dat","offset":12,"stored_size":5,"size":5,"method":"stored","content_type":"program","hash":"f1a1ded183edeef2cabd112d58b4f1e9","fault":"","fault_kind":""}
    {"type":"row","schema":1,"archive":"[DIR]/mods/empty.pak","archive_size":12,"archive_modified":TIME,"container":"","archive_entries":0,"layout":"quake","entry":null,"name":"","offset":null,"stored_size":null,"size":null,"method":"","content_type":"","hash":"","fault":"","fault_kind":""}
    ! warning: [DIR]/mods/bad.pak: [unknown-magic] +help
    "#);
    let csv = folder.run("pak catalog --format csv [DIR]/mods");
    let csv = without_times(&folder.redact(&csv.text()));
    let lines: Vec<_> = csv.trim_end().lines().collect();
    assert_eq!(lines.len(), 10, "{csv}");
    assert_snapshot!([lines[0], lines[1], lines[3], lines[6], lines[8]].join("\n"), @r#"
    schema,archive,archive_size,archive_modified,container,archive_entries,layout,entry,name,offset,stored_size,size,method,content_type,hash,fault,fault_kind
    1,[DIR]/mods/a.pak,151,TIME,,2,quake,0,maps/start.bsp,12,1,1,stored,level,a96faf705af16834e6c632b61e964e1f,,
    1,[DIR]/mods/b.pk3,366,TIME,,3,zip,0,maps/,0,0,0,stored,folder,,,
    1,[DIR]/mods/bad.pak,5,TIME,,,,,,,,,,,,"[unknown-magic]To d""",unknown-magic
    1,[DIR]/mods/empty.pak,12,TIME,,0,quake,,,,,,,,,,
    "#);
}

/// The text with `TIME` instead of each time of a file, a number with 19 digits.
fn without_times(text: &str) -> String {
    let mut out = String::new();
    let mut digits = String::new();
    for letter in text.chars().chain([' ']) {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        out.push_str(if digits.len() == 19 { "TIME" } else { &digits });
        digits.clear();
        out.push(letter);
    }
    out
}

#[test]
fn catalog_keeps_the_rows_of_archives_that_did_not_change() {
    for form in ["jsonl", "csv", "parquet"] {
        let folder = mods();
        fs::remove_file(folder.join("mods/bad.pak")).unwrap();
        let file = format!("c.{form}");
        let update = format!("pak catalog [DIR]/mods -o [DIR]/{file} --update");
        let said = |line: &str| folder.redact(folder.run(line).out());
        assert_eq!(said(&update), format!("[DIR]/{file}: 3 archives, 6 entries\n"));
        let first = fs::read(folder.join(&file)).unwrap();
        assert_eq!(
            said(&update),
            format!("[DIR]/{file}: 3 archives, 3 unchanged; 0 entries in the others\n")
        );
        assert_eq!(fs::read(folder.join(&file)).unwrap(), first);
        // one more, one other, one gone
        folder.write("mods/c.pak", archive(&[(b"c", b"")]));
        folder.write("mods/a.pak", archive(&[(b"maps/start.bsp", b"longer")]));
        fs::remove_dir_all(folder.join("mods/deep")).unwrap();
        assert_eq!(
            said(&update),
            format!("[DIR]/{file}: 3 archives, 1 unchanged; 2 entries in the others\n")
        );
        let updated = fs::read(folder.join(&file)).unwrap();
        folder.run(&format!("pak catalog [DIR]/mods -o [DIR]/anew --format {form}"));
        assert_eq!(updated, fs::read(folder.join("anew")).unwrap());
        // rows with another hash are not kept
        assert!(said(&format!("{update} --blake3")).ends_with(": 3 archives, 5 entries\n"));
        assert!(said(&update).ends_with(": 3 archives, 5 entries\n"));
        // rows that were not decoded are tried again
        let limited = folder.run(&format!("{update} --blake3 --max-output 8"));
        assert!(limited.out().ends_with(", 5 entries, 1 with a fault\n"), "{}", limited.out());
        assert!(said(&format!("{update} --blake3")).contains("3 archives, "), "{form}");
        folder.run(&format!("pak catalog [DIR]/mods -o [DIR]/anew --format {form} --blake3 --overwrite"));
        assert_eq!(fs::read(folder.join(&file)).unwrap(), fs::read(folder.join("anew")).unwrap(), "{form}");
    }
}

#[test]
fn a_catalog_that_lost_lines_is_made_whole() {
    for form in ["jsonl", "csv"] {
        let folder = mods();
        fs::remove_file(folder.join("mods/bad.pak")).unwrap();
        let file = format!("c.{form}");
        let update = format!("pak catalog [DIR]/mods -o [DIR]/{file} --update");
        folder.run(&update);
        let whole = fs::read_to_string(folder.join(&file)).unwrap();
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let columns = usize::from(form == "csv");
        for lost in columns..lines.len() {
            let mut rest = lines.clone();
            rest.remove(lost);
            folder.write(&file, rest.concat());
            let answer = folder.run(&update);
            assert_eq!(fs::read_to_string(folder.join(&file)).unwrap(), whole, "{form} {lost}");
            assert!(answer.out().contains(": 3 archives, 2 unchanged"), "{form} {lost}: {}", answer.out());
        }
    }
}

#[test]
fn catalogs_of_parts_are_one_table() {
    let folder = mods();
    folder.write("mods/empty.pak", archive(&[]));
    for form in ["jsonl", "csv"] {
        let rows = |line: &str| {
            let answer = folder.run(&format!("pak catalog --format {form} {line}"));
            folder.redact(answer.out()).replace("[DIR]/", "")
        };
        let whole = rows("[DIR]/mods");
        let paths = |range: std::ops::Range<usize>, end: &str| {
            let names = ["a.pak", "b.pk3", "bad.pak", "deep/er/PAK0.PAK", "empty.pak"];
            let path = |name: &&str| format!("{}/{name}{end}", folder.join("mods"));
            names[range].iter().map(path).collect::<Vec<_>>().concat()
        };
        folder.write("lines", paths(0..3, "\r\n"));
        folder.write("zeros", paths(3..5, "\0"));
        let columns = if form == "csv" { whole.split_inclusive('\n').next().unwrap() } else { "" };
        let two = rows("--from [DIR]/zeros -0").replacen(columns, "", 1);
        assert_eq!(rows("--from [DIR]/lines") + &two, whole);
        assert_eq!(rows("[DIR]/mods --prefix disk1/").replace("disk1/", ""), whole);

        // a folder with a file for each two archives
        let line = format!("pak catalog --format {form} [DIR]/mods -o [DIR]/{form}/ --per-file 2");
        folder.run(&line);
        assert_eq!(folder.names(form), ["0", "1", "2"].map(|number| format!("0000{number}.{form}")));
        let parts = folder.names(form).into_iter().enumerate().map(|(number, name)| {
            let part = fs::read_to_string(folder.join(form).join(name)).unwrap();
            if number == 0 { part } else { part.strip_prefix(columns).unwrap().to_owned() }
        });
        assert_eq!(folder.redact(&parts.collect::<String>()).replace("[DIR]/", ""), whole);
        assert_eq!(folder.run(&line).exit, Exit::Failed, "it exists");
        let update = format!("{line} --update");
        assert!(folder.run(&update).out().contains("5 archives, 4 unchanged"), "bad.pak is read again");
    }
    folder.write("none", "\n\n");
    assert_snapshot!(brief(folder.check("pak catalog --from [DIR]/none")), @"exit 2: error: [DIR]/none: the list contains no path; help: write one path in each line");
    assert_snapshot!(brief(folder.check("pak catalog --from [DIR]/missing")), @"exit 2: error: [DIR]/missing: cannot read the list: No such file or directory (os error 2) +help");
    assert_snapshot!(brief(folder.check("pak catalog [DIR]/mods -o [DIR]/mods/")), @"exit 2: error: [DIR]/mods/: the file exists already; help: replace it with --overwrite");
    assert_snapshot!(brief(folder.check("pak catalog [DIR]/mods -o [DIR]/mods --overwrite")), @"exit 2: error: [DIR]/mods: the catalog cannot be written: [DIR]/mods/a.pak is not a file of a catalog; help: name a new folder");
}

#[test]
fn a_catalog_without_hashes_reads_only_directories() {
    let folder = mods();
    // the content of the second entry is beyond the end
    let mut cut = archive(&[(b"a", b"content"), (b"b", b"x")]);
    cut[12 + 8 + 64 + 60..][..4].copy_from_slice(&9001_u32.to_le_bytes());
    folder.write("mods/cut.pak", cut);
    let line = "pak catalog [DIR]/mods -o [DIR]/c.jsonl";
    folder.run(&format!("{line} --no-hash"));
    let rows = || folder.run("pak catalog --no-hash [DIR]/mods").json();
    assert!(rows().iter().all(|row| row["hash"] == ""));
    let faults = |rows: Vec<serde_json::Value>| {
        rows.iter().map(|row| (row["name"].clone(), row["fault_kind"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(faults(rows()), faults(folder.run("pak catalog [DIR]/mods").json()));
    // rows with and without hashes do not replace each other
    let kept = |options: &str| folder.run(&format!("{line} --update {options}")).out().contains("unchanged");
    assert_eq!([kept("--no-hash"), kept(""), kept(""), kept("--no-hash")], [true, false, true, false]);
}

#[test]
fn no_cell_of_a_catalog_is_a_formula() {
    let folder = Folder::new();
    let names = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "a=1"];
    folder.write("=mods/=a.pak", archive(&names.map(|name| (name.as_bytes(), &b""[..]))));
    let update = "pak catalog =mods --format csv -o c.csv --update";
    let said = |line: &str| {
        let quakefs = command(BINARY).args(line.split(' ')).current_dir(folder.path()).output().unwrap();
        String::from_utf8(quakefs.stdout).unwrap()
    };
    said(update);
    let catalog = fs::read_to_string(folder.join("c.csv")).unwrap();
    let cells: Vec<_> = catalog
        .lines()
        .skip(1)
        .flat_map(|line| line.split(',').map(|cell| cell.trim_start_matches('"')))
        .collect();
    assert!(!cells.iter().any(|cell| cell.starts_with(['=', '+', '-', '@'])), "{catalog}");
    assert!(
        cells.contains(&r"\x3dmods/=a.pak") && cells.contains(&r"\x2b1") && cells.contains(&"a=1"),
        "{catalog}"
    );
    assert_eq!(said(update), "c.csv: 1 archive, 1 unchanged; 0 entries in the others\n");
    // in the escaped form of the commands
    assert_eq!(said(r"pak list =mods/=a.pak \x2b1"), "+1\n");
}

#[test]
fn an_archive_that_two_paths_lead_to_counts_once() {
    let folder = mods();
    let rows = folder.run("pak catalog [DIR]/mods/deep [DIR]/mods/deep/er/PAK0.PAK [DIR]/./mods/deep").json();
    assert_eq!(rows.len(), 1);
    let found = folder.run("pak find progs.dat [DIR]/mods [DIR]/mods/a.pak");
    assert_eq!(found.out().lines().count(), 2);
}

#[test]
fn catalog_replaces_nothing_without_an_option() {
    let folder = mods();
    folder.write("c.jsonl", "mine\n");
    folder.write("c.csv", "a,b\n1,2\n");
    folder.write("c.parquet", "PAR1");
    folder.write(
        "d.jsonl",
        folder.run("pak catalog [DIR]/mods/a.pak").out().replace("\"schema\":1", "\"schema\":2"),
    );
    for line in [
        "pak catalog [DIR]/mods/a.pak -o [DIR]/c.jsonl",
        "pak catalog [DIR]/mods/a.pak -o [DIR]/c.jsonl --update",
        "pak catalog [DIR]/mods/a.pak -o [DIR]/c.csv --update",
        "pak catalog [DIR]/mods/a.pak -o [DIR]/c.parquet",
        "pak catalog [DIR]/mods/a.pak -o [DIR]/c.parquet --update",
        "pak catalog [DIR]/mods/a.pak -o [DIR]/c.xlsx",
        "pak catalog [DIR]/mods/a.pak -o [DIR]/none/c.jsonl",
        "pak catalog [DIR]/mods/a.pak --update",
    ] {
        assert_eq!(folder.run(line).exit, Exit::Failed, "{line}");
    }
    assert_snapshot!(brief(folder.check("pak catalog [DIR]/mods/a.pak -o [DIR]/c.jsonl --update")), @"exit 2: error: [DIR]/c.jsonl: line 1: this is not a row of a catalog: expected value at line 1 column 1; help: write a new one with --overwrite instead of --update");
    assert_snapshot!(brief(folder.check("pak catalog [DIR]/mods/a.pak -o [DIR]/c.csv --update")), @"exit 2: error: [DIR]/c.csv: line 1: this is not a row of a catalog: expected the columns schema,archive,archive_size,archive_modified,container,archive_entries,layout,entry,name,offset,stored_size,size,method,content_type,hash,fault,fault_kind; help: write a new one with --overwrite instead of --update");
    assert_snapshot!(brief(folder.check("pak catalog [DIR]/mods/a.pak -o [DIR]/c.parquet --update")), @"exit 2: error: [DIR]/c.parquet: this is not a catalog: EOF: Parquet file too small. Size is 4 but need 8; help: write a new one with --overwrite instead of --update");
    assert_snapshot!(brief(folder.check("pak catalog [DIR]/mods/a.pak -o [DIR]/c.xlsx")), @"exit 2: error: [DIR]/c.xlsx: no catalog format has this extension; help: name it .jsonl, .csv or .parquet, or use --format");
    assert_snapshot!(brief(folder.check("pak catalog [DIR]/mods/a.pak -o [DIR]/d.jsonl --update")), @"exit 2: error: [DIR]/d.jsonl: line 1: this is not a row of a catalog: expected the schema 1, found 2; help: write a new one with --overwrite instead of --update");
    assert_eq!(fs::read_to_string(folder.join("c.jsonl")).unwrap(), "mine\n");
    assert_eq!(folder.run("pak catalog [DIR]/mods/a.pak -o [DIR]/c.jsonl --overwrite").exit, Exit::Done);
    assert_eq!(folder.names(""), ["c.csv", "c.jsonl", "c.parquet", "d.jsonl", "mods"]);
}

/// Whatever the defect: no panic, nothing that steers a terminal, and the other archives are answered about.
#[test]
fn every_malformed_archive_at_once() {
    let count = corpus("malformed").len();
    for command in [
        "list --strict [PAK]/malformed",
        "list -l --strict [PAK]/malformed **",
        "info --strict [PAK]/malformed",
        "find ** --strict [PAK]/malformed",
        "duplicates --strict [PAK]/malformed",
        "catalog --strict [PAK]/malformed --format csv",
        "verify --long [PAK]/malformed",
    ] {
        let answer = run(&crate::words(&format!("pak {command}")));
        assert_ne!(answer.exit, Exit::Done, "{command}");
        for text in [answer.out(), answer.err()] {
            assert!(!text.chars().any(|letter| letter.is_control() && letter != '\n'), "{command}");
        }
    }
    let verdicts = run(&crate::words("pak verify --json [PAK]/malformed")).json();
    assert_eq!(verdicts.iter().filter(|line| line["type"] == "verdict").count(), count);
    let rows = run(&crate::words("pak catalog [PAK]/malformed")).json();
    let archives: std::collections::BTreeSet<_> = rows.iter().map(|row| row["archive"].to_string()).collect();
    assert_eq!(archives.len(), count);
}

#[test]
fn a_word_that_is_an_entry_is_refused_by_the_commands_about_whole_archives() {
    let folder = Folder::with_archive(&[(b"gfx/a.lmp", b"1")]);
    for command in ["info", "verify"] {
        for name in ["gfx", "gfx/*", "gfx/a.lmp"] {
            let answer = folder.run(&format!("pak {command} [DIR]/a.pak {name}"));
            let text = answer.err();
            assert_eq!((answer.exit, answer.out()), (Exit::Failed, ""), "{text}");
            assert!(text.contains("it is an entry of") && text.contains("pak list"), "{text}");
        }
        assert!(folder.run(&format!("pak {command} [DIR]/a.pak b.pak")).err().contains("open failed"));
    }
}

#[test]
fn an_archive_that_cannot_be_read_hides_no_answer() {
    let folder = Folder::with_archive(&[(b"a.cfg", b"bind")]);
    folder.write("bad.pak", "PACK");
    for line in ["-q pak find b.cfg [DIR]", "-q pak grep impulse [DIR]"] {
        let answer = folder.run(line);
        assert_eq!((answer.exit, answer.out()), (Exit::Failed, ""), "{line}");
        assert!(answer.err().contains("1 archive"), "{line}: {}", answer.err());
    }
    let answer = folder.run("pak find b.cfg [DIR]");
    assert!(
        answer.err().contains("bad.pak") && answer.err().contains("`quakefs pak list`"),
        "{}",
        answer.err()
    );
    assert_eq!(folder.run("-q pak find a.cfg [DIR]").exit, Exit::Done);
}

#[test]
fn an_archive_that_cannot_be_converted_is_named() {
    let folder = Folder::with([("bad.pk3", "PK\x03\x04 and no more"), ("bad.pak", "PACK")]);
    for file in ["bad.pk3", "bad.pak"] {
        let answer = folder.run(&format!("pak convert [DIR]/{file} -o [DIR]/out.pak"));
        assert!(answer.err().contains(file), "{}", answer.err());
    }
}

#[test]
fn archives_of_other_programs_in_a_folder_are_counted() {
    let folder = Folder::with_archive(&[(b"a.cfg", b"bind")]);
    folder.write("b.7z", "7z");
    folder.write("sub/c.tar.gz", "");
    assert_snapshot!(folder.check("pak verify [DIR]"), @"
    ok       [DIR]/a.pak: 1 entry
    1 archive: 1 ok
    ! warning: 2 files are archives that quakefs does not open: b.7z, c.tar.gz
    !   help: unpack them, and name the folder; `quakefs place [DIR]/b.7z` tells more
    ");
}

#[test]
#[cfg_attr(windows, ignore = "Windows shells quote differently")]
fn a_name_that_is_not_found_leads_to_the_one_that_is_meant() {
    let folder = Folder::with_archive(&[(b"maps/start.bsp", b"level"), (b"progs/PLAYER.MDL", b"IDPO")]);
    let help = |line: &str| {
        let answer = folder.run(line);
        answer.err().lines().find_map(|line| line.trim().strip_prefix("help: ").map(str::to_owned)).unwrap()
    };
    assert_eq!(help("pak cat [DIR]/a.pak start.bsp"), "did you mean maps/start.bsp?");
    assert_eq!(help("pak list [DIR]/a.pak Maps/Start.bsp"), "did you mean maps/start.bsp?");
    assert_eq!(help("pak cat [DIR]/a.pak maps/strat.bsp"), "did you mean maps/start.bsp?");
    for line in
        ["remove [DIR]/a.pak start.bsp", "rename [DIR]/a.pak maps/strat.bsp b", "edit [DIR]/a.pak start.bsp"]
    {
        assert_eq!(help(&format!("pak {line}")), "did you mean maps/start.bsp?");
    }
    assert_eq!(help("pak extract [DIR]/a.pak out/"), "-o DIR names a folder to write to");
    let finds = |words: &str| format!("`quakefs pak find {words}` finds it in these archives");
    assert_eq!(help("pak find progs/player.mdl [DIR]"), finds("-i progs/player.mdl"));
    assert_eq!(help("pak find start.bsp [DIR]"), finds("'**/start.bsp'"));
    folder.write("twin.pak", archive(&[(b"START.BSP", b"level")]));
    assert_eq!(help("pak find start.bsp [DIR]"), finds("'**/start.bsp'"));
    assert_eq!(help("pak list [DIR]/a.pak id1/maps/start.bsp"), "did you mean maps/start.bsp?");
    assert_eq!(help("pak find *.mdl [DIR]"), finds("-i '**/*.mdl'"));
    assert_eq!(help("pak find nothing [DIR]"), "`quakefs pak list` with the same paths lists the names");
}

#[test]
fn an_archive_of_anachronox_is_read_and_not_changed() {
    let files: [(&str, &[u8], bool); 2] = [("maps/bar.bsp", &[7; 3000], true), ("../up.cfg", b"bind", false)];
    let folder = Folder::with([("a.dat", anachronox(&files))]);
    assert_snapshot!(folder.check("pak list -l [DIR]/a.dat"), @"
    exit: 0
      entry      offset        size      stored  type        name
          0          16        3000          27  level       maps/bar.bsp
          1          43           4           4  config      ../up.cfg
    ! note: [DIR]/a.dat: an archive of Anachronox, which no engine here loads
    ");
    assert_snapshot!(folder.check("pak info [DIR]/a.dat"), @"
    file       [DIR]/a.dat
    layout     anachronox (by its first bytes)
    size       335 bytes
    directory  288 bytes at 47
    entries    2, 1 compressed
    content    3 004 bytes, stored in 31 bytes
    problems   0

    type    entries  bytes
    level         1   3000
    config        1      4
    ");
    assert_snapshot!(folder.check("pak cat [DIR]/a.dat ../up.cfg"), @"bind[no line end]");
    assert_snapshot!(folder.check("pak verify [DIR]/a.dat"), @"
    exit: 1
    error    [DIR]/a.dat: entry 1 (../up.cfg): [not-unpacked] [request] +help
    1 error, 0 warnings, 0 notes for [DIR]/a.dat
    ");
    assert_snapshot!(folder.check("pak extract [DIR]/a.dat -o [DIR]/out"), @"
    exit: 2
    wrote 1 file (3 000 bytes) to [DIR]/out; 1 file could not be written
    ! error: [DIR]/a.dat: entry 1 (../up.cfg): [not-writable]
    ");
    assert_eq!(folder.names("out/maps"), ["bar.bsp"]);
    folder.write("b.dat", anachronox(&files[..1]));
    assert_snapshot!(folder.check("pak verify [DIR]/b.dat"), @"
    ok       [DIR]/b.dat: 1 entry
    0 errors, 0 warnings, 0 notes for [DIR]/b.dat
    ");
    assert_snapshot!(folder.check("pak convert [DIR]/b.dat -o [DIR]/b.pk3"), @"[DIR]/b.pk3: 1 entry, 143 bytes");
    assert_snapshot!(folder.check("pak list [DIR]/b.pk3"), @"maps/bar.bsp");
    assert_snapshot!(folder.check("pak remove [DIR]/b.dat maps/bar.bsp"), @"
    exit: 2
    ! error: [DIR]/b.dat: read failed: an archive of Anachronox cannot be changed: make a pk3 with `quakefs pak convert`
    ");
}

#[test]
fn equal_archives_are_named() {
    let folder = Folder::with_archive(&[(b"a.cfg", b"bind")]);
    std::fs::copy(folder.join("a.pak"), folder.join("b.pak")).unwrap();
    let mut other = std::fs::read(folder.join("a.pak")).unwrap();
    *other.last_mut().unwrap() += 1;
    folder.write("c.pak", other);
    // two files without an archive are not read, however large they are
    folder.write("d.pak", "nothing");
    folder.write("e.pak", "nothing");
    let said = folder.run("pak duplicates [DIR]");
    let notes: Vec<_> = said.err().lines().filter(|line| line.starts_with("note: ")).collect();
    let [note] = notes[..] else { panic!("{notes:?}") };
    assert!(note.ends_with("b.pak are the same file, byte for byte"), "{note}");
    let rows = folder.run("pak duplicates --json [DIR]").json();
    let equal = rows.iter().filter(|row| row["type"] == "equal-archive");
    let equal: Vec<_> =
        equal.map(|row| ["archive", "equal_to"].map(|key| row[key].as_str().unwrap())).collect();
    let path = |name: &str| folder.path().join(name).into_string().replace('\\', "/");
    assert_eq!(equal, [[&*path("b.pak"), &*path("a.pak")]]);
}

#[test]
fn backslashes_of_old_tools_are_folders_when_an_archive_is_unpacked() {
    // the crate that writes ZIPs makes it a slash
    let mut zip = testutils::zip([("mod/progs.dat", "x")]);
    for start in 0..zip.len() - 4 {
        if zip[start..].starts_with(b"mod/") {
            zip[start + 3] = b'\\';
        }
    }
    let folder = Folder::with([("b.zip", zip)]);
    let said = |line: &str| folder.run(line).err().to_owned();
    assert_eq!(said("pak extract [DIR]/b.zip -o [DIR]/out"), "");
    assert_eq!(std::fs::read(folder.join("out/mod/progs.dat")).unwrap(), b"x");
    let hostile = ["..\\up.cfg", "\\\\host\\share.cfg", "maps\\..\\..\\up.cfg", "nul\\a.cfg", "fine\\a.cfg"];
    folder.write("c.pak", archive(&hostile.map(|name| (name.as_bytes(), &b"x"[..]))));
    assert_eq!(said("pak extract [DIR]/c.pak -o [DIR]/in/out").lines().count(), 4);
    assert!(folder.join("in/out/fine/a.cfg").exists() && !folder.join("in/up.cfg").exists());
}

#[test]
fn duplicates_say_nothing_about_what_was_not_read() {
    let folder = Folder::with([("a.pak", "PACK")]);
    for line in ["pak duplicates [DIR]", "pak duplicates --names [DIR]/a.pak"] {
        let answer = folder.run(line);
        assert_eq!((answer.exit, answer.out()), (Exit::Failed, ""), "{line}");
    }
}

#[test]
fn a_difference_is_no_warning() {
    let folder =
        Folder::with([("x/a.zip", testutils::zip([("a", "x")])), ("y/a.zip", testutils::zip([("a", "yy")]))]);
    assert_eq!(folder.run("pak diff [DIR]/x [DIR]/y").err(), "");
}
