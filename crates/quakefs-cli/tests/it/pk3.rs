//! `quakefs pak` on a ZIP.

use insta::assert_snapshot;
use quakefs_cli::Exit;
use testutils::Folder;

use crate::{Commands as _, brief, layers, zip};

const FILES: [(&[u8], &[u8]); 4] = [
    (b"maps/", b""),
    (b"maps/start.bsp", b"a level, a level, a level, a level, a level"),
    (b"up/CREDITS", b"those who made it"),
    (b"scripts/a.shader", b"a shader"),
];

/// A pk3 with changed bytes.
fn pk3(change: impl FnOnce(&mut Vec<u8>)) -> Folder {
    let folder = Folder::new();
    let mut image = zip(&FILES);
    change(&mut image);
    folder.write("a.pk3", image);
    folder
}

/// The positions of a text in the archive: in the local header, then in the directory.
fn places(image: &[u8], text: &[u8]) -> Vec<usize> {
    (0..image.len()).filter(|at| image[*at..].starts_with(text)).collect()
}

/// The writer leaves `../` out; the world does not.
fn climbing(image: &mut [u8]) {
    for at in places(image, b"up/CREDITS") {
        image[at..at + 2].copy_from_slice(b"..");
    }
}

/// Sets the flag of a password on the last entry.
fn encrypted(image: &mut [u8]) {
    if let Some(at) = places(image, b"PK\x01\x02").last() {
        image[at + 8] |= 1;
    }
}

/// Changes the CRC of the level in its descriptor and in the directory.
fn bad_crc(image: &mut [u8]) {
    let at = places(image, b"PK\x01\x02")[1];
    let crc: [u8; 4] = image[at + 16..at + 20].try_into().unwrap();
    for at in places(image, &crc) {
        image[at] ^= 0xff;
    }
}

#[test]
fn pak_list_shows_the_entries_of_a_zip() {
    let folder = pk3(|_| {});
    assert_snapshot!(folder.check("pak list [DIR]/a.pk3"), @"
    maps/
    maps/start.bsp
    up/CREDITS
    scripts/a.shader
    ");
    assert_snapshot!(folder.check("pak list -l [DIR]/a.pk3"), @"
    exit: 0
      entry      offset        size      stored  type        name
          0           0           0           0  other       maps/
          1          35          43          20  level       maps/start.bsp
          2         115          17          25  other       up/CREDITS
          3         196           8          16  shader      scripts/a.shader
    ");
    assert_snapshot!(folder.check("pak list [DIR]/a.pk3 maps/*"), @"
    maps/
    maps/start.bsp
    ");
    assert_snapshot!(folder.check("pak list --json [DIR]/a.pk3 **/*.bsp"), @r#"{"type":"entry","entry":1,"name":"maps/start.bsp","offset":35,"size":43,"stored_size":20,"compressed":true,"content_type":"level"}"#);
}

#[test]
fn pak_info_summarises_a_zip() {
    let folder = pk3(|_| {});
    assert_snapshot!(folder.check("pak info --json [DIR]/a.pk3"), @r#"{"type":"info","file":"[DIR]/a.pk3","layout":"zip","because":"by its end record","size":525,"directory_offset":274,"directory_size":229,"entries":4,"compressed":3,"content_size":68,"stored_size":61,"problems":0,"types":[{"type":"level","entries":1,"size":43},{"type":"shader","entries":1,"size":8},{"type":"other","entries":2,"size":17}]}"#);
}

#[test]
fn pak_cat_writes_the_bytes_of_a_zip_entry() {
    let folder = pk3(|_| {});
    assert_snapshot!(folder.check("pak cat [DIR]/a.pk3 scripts/a.shader"), @"a shader[no line end]");
    assert_snapshot!(folder.check("pak cat --entry 2 [DIR]/a.pk3"), @"those who made it[no line end]");
    assert_snapshot!(folder.check("pak cat --entry 0 [DIR]/a.pk3"), @"exit: 0");
    assert_snapshot!(brief(folder.check("pak cat [DIR]/a.pk3 Scripts/a.shader")), @"exit 1: error: [DIR]/a.pk3: Scripts/a.shader: not found among 4 entries +help");
    assert_snapshot!(brief(folder.check("pak cat --entry 4 [DIR]/a.pk3")), @"exit 1: error: [DIR]/a.pk3: entry 4: not found among 4 entries; help: `quakefs pak list [DIR]/a.pk3` lists the names");
}

#[test]
fn pak_extract_writes_the_entries_of_a_zip() {
    let folder = pk3(|_| {});
    assert_snapshot!(folder.check("pak extract [DIR]/a.pk3 -o [DIR]/out"), @"wrote 3 files (68 bytes) to [DIR]/out");
    assert_snapshot!(folder.tree("out"), @"
    maps/start.bsp: a level, a level, a level, a level, a level
    scripts/a.shader: a shader
    up/CREDITS: those who made it
    ");
}

#[test]
fn pak_verify_reads_a_zip() {
    assert_snapshot!(pk3(|_| {}).check("pak verify [DIR]/a.pk3"), @"
    ok       [DIR]/a.pk3: 4 entries
    0 errors, 0 warnings, 0 notes for [DIR]/a.pk3
    ");
}

#[test]
fn a_zip_name_with_two_dots_is_not_extracted() {
    let folder = pk3(|image| climbing(image));
    assert_snapshot!(folder.check("pak list [DIR]/a.pk3"), @"
    maps/
    maps/start.bsp
    ../CREDITS
    scripts/a.shader
    ");
    assert_snapshot!(folder.check("pak extract [DIR]/a.pk3 -o [DIR]/out"), @"
    exit: 2
    wrote 2 files (51 bytes) to [DIR]/out; 1 file could not be written
    ! error: [DIR]/a.pk3: entry 2 (../CREDITS): [not-writable]
    ");
    assert_snapshot!(folder.tree("out"), @"
    maps/start.bsp: a level, a level, a level, a level, a level
    scripts/a.shader: a shader
    ");
    assert!(!folder.join("CREDITS").exists());
    assert_snapshot!(folder.check("pak cat --entry 2 [DIR]/a.pk3"), @"those who made it[no line end]");
    assert_snapshot!(folder.check("pak verify [DIR]/a.pk3"), @"
    exit: 1
    error    [DIR]/a.pk3: entry 2 (../CREDITS): [not-unpacked] [request] +help
    1 error, 0 warnings, 0 notes for [DIR]/a.pk3
    ");
}

#[test]
fn an_encrypted_zip_entry_is_reported() {
    let folder = pk3(|image| encrypted(image));
    assert_snapshot!(folder.check("pak list [DIR]/a.pk3"), @"
    maps/
    maps/start.bsp
    up/CREDITS
    scripts/a.shader
    ! warning: [DIR]/a.pk3: entry 3 (scripts/a.shader): [zip]
    !   help: unpack it with 7-Zip or another program, and use the folder, or pack it again with Deflate
    ");
    assert_snapshot!(brief(folder.check("pak cat [DIR]/a.pk3 scripts/a.shader")), @"exit 2: error: [DIR]/a.pk3: entry 3 (scripts/a.shader): [zip]; help: unpack it with 7-Zip or another program, and use the folder, or pack it again with Deflate");
    assert_snapshot!(folder.check("pak verify [DIR]/a.pk3"), @"
    exit: 1
    error    [DIR]/a.pk3: entry 3 (scripts/a.shader): [zip]
             help: unpack it with 7-Zip or another program, and use the folder, or pack it again with Deflate
    1 error, 0 warnings, 0 notes for [DIR]/a.pk3
    ");
}

#[test]
fn a_zip_entry_with_a_wrong_crc_is_reported() {
    let folder = pk3(|image| bad_crc(image));
    assert_snapshot!(folder.check("pak info [DIR]/a.pk3").lines().filter(|line| line.contains("problems")).collect::<String>(), @"problems   0");
    assert_snapshot!(brief(folder.check("pak cat [DIR]/a.pk3 maps/start.bsp")), @"exit 2: error: [DIR]/a.pk3: entry 1 (maps/start.bsp): [zip] +help");
    assert_snapshot!(folder.check("pak verify --json [DIR]/a.pk3"), @r#"
    exit: 1
    {"type":"finding","severity":"error","kind":"damaged","location":"[DIR]/a.pk3: entry 1 (maps/start.bsp)","layer":"[DIR]/a.pk3","entry":1,"name":"maps/start.bsp","reason":"[zip]","help":"[…]","stops":false,"advice":[{"step":"get","of":["[DIR]/a.pk3"],"to":null,"content":null,"entry":null}]}
    {"type":"verdict","archive":"[DIR]/a.pk3","verdict":"error","errors":1,"warnings":0,"notes":0,"entries":4}
    "#);
}

#[test]
fn a_cut_off_zip_is_refused() {
    let folder = pk3(|image| image.truncate(image.len() - 30));
    assert_snapshot!(brief(folder.check("pak list [DIR]/a.pk3")), @"exit 2: error: [DIR]/a.pk3: [zip] it has no end record +help");
    assert_snapshot!(brief(folder.check("pak list --layout quake [DIR]/a.pk3")), @"exit 2: error: [DIR]/a.pk3: [wrong-magic] +help");
}

#[test]
fn a_zip_is_a_layer_of_a_game() {
    let folder = pk3(|image| encrypted(image));
    folder.write("id1/pak0.pk3", std::fs::read(folder.join("a.pk3")).unwrap());
    assert_snapshot!(layers(folder.check("--basedir [DIR] --engine darkplaces path")), @"id1/ > id1/pak0.pk3; warning: id1/pak0.pk3: entry 3 (scripts/a.shader): [unreachable dropped] +help");
    assert_snapshot!(folder.check("--basedir [DIR] --engine darkplaces --json which MAPS/START.bsp"), @r#"{"type":"which","name":"MAPS/START.bsp","found":true,"layer":"id1/pak0.pk3","index":1,"kind":"zip","stored":"maps/start.bsp","entry":1,"size":43,"content_type":"level","overridden":[],"problem":null,"disk_decides":false,"skipped":[],"companion":null,"because":null,"reason":null,"help":null,"advice":[]}"#);
    assert_snapshot!(folder.check("--basedir [DIR] --engine darkplaces cat maps/start.bsp"), @"a level, a level, a level, a level, a level[no line end]");
    assert_snapshot!(folder.check("--basedir [DIR] --engine darkplaces ls -l"), @"
    exit: 0
               43  level       id1/pak0.pk3  maps/start.bsp
               17  other       id1/pak0.pk3  up/CREDITS
    ");
}

/// The names in an archive, as the command lists them.
fn listed(folder: &Folder, file: &str) -> Vec<String> {
    let lines = folder.run(&format!("pak list --json [DIR]/{file}")).json();
    lines.iter().map(|line| line["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_pk3_is_made_changed_merged_and_converted() {
    let folder = Folder::with([("mod/maps/a.bsp", "a level"), ("mod/b.cfg", "bind"), ("mod/c.cfg", "exec")]);
    let done = |line: &str| {
        let answer = folder.run(line);
        assert_eq!(answer.exit, Exit::Done, "{line}: {}", answer.err());
    };
    done("pak create [DIR]/a.pk3 -C [DIR]/mod maps b.cfg");
    assert_eq!(listed(&folder, "a.pk3"), ["maps/a.bsp", "b.cfg"]);
    done("pak add [DIR]/a.pk3 -C [DIR]/mod c.cfg");
    done("pak rename [DIR]/a.pk3 b.cfg d.cfg");
    done("pak remove [DIR]/a.pk3 maps/*");
    assert_eq!(listed(&folder, "a.pk3"), ["d.cfg", "c.cfg"]);
    done("pak convert [DIR]/a.pk3 -o [DIR]/b.pak");
    done("pak convert [DIR]/b.pak -o [DIR]/c.pk3 --level 9");
    done("pak diff [DIR]/a.pk3 [DIR]/c.pk3");
    done("pak create [DIR]/d.pk3 -C [DIR]/mod maps");
    done("pak merge -o [DIR]/e.pk3 [DIR]/b.pak [DIR]/d.pk3");
    assert_eq!(listed(&folder, "e.pk3"), ["c.cfg", "d.cfg", "maps/a.bsp"]);
    assert_eq!(folder.run("pak cat [DIR]/e.pk3 maps/a.bsp").out(), "a level");
}

#[test]
fn a_refused_change_leaves_a_pk3_unchanged() {
    let folder = Folder::with([("mod/b.cfg", "bind")]);
    assert_eq!(folder.run("pak create [DIR]/a.pk3 -C [DIR]/mod b.cfg").exit, Exit::Done);
    let before = std::fs::read(folder.join("a.pk3")).unwrap();
    for line in [
        "pak add [DIR]/a.pk3 -C [DIR]/mod b.cfg",
        "pak add [DIR]/a.pk3 -C [DIR]/mod b.cfg --overwrite --dry-run",
        "pak rename [DIR]/a.pk3 none.cfg c.cfg",
        "pak rename [DIR]/a.pk3 b.cfg ../c.cfg",
        "pak remove [DIR]/a.pk3 *.bsp",
        "pak convert [DIR]/a.pk3 -o [DIR]/a.pk3 --overwrite",
        "pak create [DIR]/a.pk3 -C [DIR]/mod b.cfg",
    ] {
        let answer = folder.run(line);
        assert_eq!(answer.exit == Exit::Done, line.contains("--dry-run"), "{line}: {}", answer.out());
        assert_eq!(std::fs::read(folder.join("a.pk3")).unwrap(), before, "{line}");
    }
}

/// A ZIP of one entry, not compressed.
fn stored_zip(size: usize) -> Vec<u8> {
    let mut builder = pak_format::Builder::zip();
    builder.level(0);
    builder.add("a.txt", vec![b'a'; size]).unwrap();
    builder.finish().unwrap()
}

#[test]
fn a_zip_is_repacked_in_its_place_and_elsewhere() {
    let folder = Folder::with([("a.pk3", stored_zip(5000))]);
    let size = |file: &str| std::fs::metadata(folder.join(file)).unwrap().len();
    let before = size("a.pk3");
    let answer = folder.run("pak repack [DIR]/a.pk3 --dry-run");
    assert_eq!((answer.exit, size("a.pk3")), (Exit::Done, before));
    assert_eq!(folder.run("pak repack [DIR]/a.pk3 -o [DIR]/b.zip --level 9").exit, Exit::Done);
    assert_eq!(size("a.pk3"), before);
    assert!(size("b.zip") < 200);
    assert!(std::fs::read(folder.join("b.zip")).unwrap().starts_with(b"PK"));
    assert_eq!(folder.run("pak repack [DIR]/a.pk3 -o [DIR]/b.zip").exit, Exit::Failed);
    let lines = folder.run("pak repack [DIR]/a.pk3 --json").json();
    assert_eq!(
        (lines[0]["before"].as_u64(), lines[0]["after"].as_u64()),
        (Some(before), Some(size("a.pk3")))
    );
    assert!(size("a.pk3") < 200);
    assert_eq!(folder.run("pak cat [DIR]/a.pk3 a.txt").out.len(), 5000);
    assert_eq!(folder.run("pak repack [DIR]/a.pk3 --layout quake -o [DIR]/c.pak").exit, Exit::Failed);
}

#[test]
fn a_zip_with_a_damaged_entry_is_not_repacked() {
    let mut zip = stored_zip(100);
    zip[60] ^= 1;
    let folder = Folder::with([("a.pk3", zip.clone())]);
    let answer = folder.run("pak repack [DIR]/a.pk3");
    assert_eq!(answer.exit, Exit::Failed);
    assert!(answer.err().contains("a.txt"), "{}", answer.err());
    assert_eq!(std::fs::read(folder.join("a.pk3")).unwrap(), zip);
}
