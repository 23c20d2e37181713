//! `quakefs pak verify`: reads every entry, and reports the unreadable ones.

use insta::assert_snapshot;
use pak_format::Layout;
use quakefs::Engine;
use quakefs_cli::Exit;
use testutils::Folder;

use crate::{BINARY, Commands as _, archive, brief, check, corpus, run};

#[test]
fn verify_of_whole_archives_finds_nothing() {
    let files = corpus("ok");
    let args: Vec<_> = ["pak", "verify"].into_iter().chain(files.iter().map(String::as_str)).collect();
    assert_snapshot!(run(&args).text(), @"
    exit: 1
    ok       [PAK]/ok/daikatana-dkpak.pak: 4 entries
    ok       [PAK]/ok/hrot.pak: 2 entries
    ok       [PAK]/ok/quake-directory-first-2.pak: 1 entry
    ok       [PAK]/ok/quake-directory-first.pak: 3 entries
    warning  [PAK]/ok/quake-dot-names.pak: entry 0 (./test_data/test.mdl): [dotted-name] (and 1 finding more)
    ok       [PAK]/ok/quake-one-entry.pak: 1 entry
    note     [PAK]/ok/quake-zip-polyglot.pak: [holes] (and 1 finding more)
    ok       [PAK]/ok/quake2-minimal.pak: 2 entries
    8 archives: 6 ok, 1 with warnings, 1 with notes
    --long lists all findings of each
    ");
}

#[test]
fn verify_reports_damaged_archives() {
    let (mut codes, mut count) = ([0; 3], 0);
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
        let mut findings = json.json();
        let verdict = findings.pop().unwrap();
        assert_eq!((&verdict["type"], &verdict["archive"]), (&"verdict".into(), &(&*file).into()));
        let notes = findings.iter().filter(|finding| finding["severity"] == "note").count();
        assert_eq!(answer.exit == Exit::Done, findings.len() == notes, "{file}");
        count += findings.len();
    }
    assert_snapshot!(format!("{codes:?}, {count} findings"), @"[21, 56, 0], 80 findings");
}

#[test]
fn verify_counts_errors_and_warnings() {
    assert_snapshot!(check("pak verify [PAK]/malformed/payload-past-end-by-one.pak"), @"
    exit: 1
    error    [PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b): [entry-outside|outside] +help
    warning  [PAK]/malformed/payload-past-end-by-one.pak: entry 2 (c): [in-directory]
    1 error, 1 warning, 0 notes for [PAK]/malformed/payload-past-end-by-one.pak
    ");
    assert_snapshot!(check("pak verify [PAK]/malformed/codec-truncated-in-run.pak"), @"
    exit: 1
    error    [PAK]/malformed/codec-truncated-in-run.pak: entry 0 (packed.tga): the compressed payload is damaged: the stream is cut short, at byte 2 of the stream, after 1 bytes of output +help
    1 error, 0 warnings, 0 notes for [PAK]/malformed/codec-truncated-in-run.pak
    ");
    assert_snapshot!(check("pak verify [PAK]/malformed/rows-ambiguous-all-text.pak"), @"
    exit: 1
    error    [PAK]/malformed/rows-ambiguous-all-text.pak: [ambiguous-layout] +help
    1 error, 0 warnings, 0 notes for [PAK]/malformed/rows-ambiguous-all-text.pak
    ");
    let named = check("pak verify --layout daikatana [PAK]/malformed/rows-ambiguous-all-text.pak");
    assert!(named.contains("\n8 errors, 16 warnings, 0 notes for [PAK]/malformed/"), "{named}");
}

#[test]
fn verify_reads_several_archives() {
    let line = "pak verify [PAK]/ok/hrot.pak [PAK]/malformed/header-11-bytes.pak
        [PAK]/malformed/payload-past-end-by-one.pak [PAK]/none.pak [PAK]/ok/quake2-minimal.pak";
    assert_snapshot!(check(line), @"
    exit: 2
    ok       [PAK]/ok/hrot.pak: 2 entries
    error    [PAK]/malformed/header-11-bytes.pak: [short-header]
    error    [PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b): [entry-outside|outside](and 1 finding more)
    ok       [PAK]/ok/quake2-minimal.pak: 2 entries
    4 archives: 2 ok, 2 with errors
    --long lists all findings of each
    ! error: [PAK]/none.pak: open failed: No such file or directory (os error 2) +help
    ");
    assert_snapshot!(check(&format!("--json {line}")), @r#"
    exit: 2
    {"type":"verdict","archive":"[PAK]/ok/hrot.pak","verdict":"ok","errors":0,"warnings":0,"notes":0,"entries":2}
    {"type":"finding","severity":"error","kind":"not-an-archive","location":"[PAK]/malformed/header-11-bytes.pak","layer":"[PAK]/malformed/header-11-bytes.pak","entry":null,"name":null,"reason":"[short-header]","help":"[…]","stops":false,"advice":[{"step":"get","of":["[PAK]/malformed/header-11-bytes.pak"],"to":null,"content":null,"entry":null}]}
    {"type":"verdict","archive":"[PAK]/malformed/header-11-bytes.pak","verdict":"error","errors":1,"warnings":0,"notes":0,"entries":0}
    {"type":"finding","severity":"error","kind":"outside","location":"[PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b)","layer":"[PAK]/malformed/payload-past-end-by-one.pak","entry":1,"name":"b","reason":"[entry-outside|outside]","help":"[…]","stops":false,"advice":[{"step":"get","of":["[PAK]/malformed/payload-past-end-by-one.pak"],"to":null,"content":null,"entry":null}]}
    {"type":"finding","severity":"warning","kind":"in-directory","location":"[PAK]/malformed/payload-past-end-by-one.pak: entry 2 (c)","layer":"[PAK]/malformed/payload-past-end-by-one.pak","entry":2,"name":"c","reason":"[in-directory]","help":"[…]","stops":false,"advice":[{"step":"get","of":["[PAK]/malformed/payload-past-end-by-one.pak"],"to":null,"content":null,"entry":null}]}
    {"type":"verdict","archive":"[PAK]/malformed/payload-past-end-by-one.pak","verdict":"error","errors":1,"warnings":1,"notes":0,"entries":3}
    {"type":"verdict","archive":"[PAK]/ok/quake2-minimal.pak","verdict":"ok","errors":0,"warnings":0,"notes":0,"entries":2}
    ! error: [PAK]/none.pak: open failed: No such file or directory (os error 2) +help
    "#);
}

#[test]
fn verify_reports_a_file_that_is_not_an_archive() {
    assert_snapshot!(check("pak verify"), @"
    exit: 2
    ! error: pak verify needs PATH...
    !   help: quakefs pak verify [OPTIONS] PATH...; `quakefs pak verify -h` explains it
    ");
    assert_snapshot!(brief(check("pak verify [PAK]/none.pak")), @"exit 2: error: [PAK]/none.pak: open failed: No such file or directory (os error 2) +help");
    assert_snapshot!(brief(check("pak verify [GAME]/id1/maps")), @"exit 1: error: [GAME]/id1/maps: this folder contains no archive; help: archives are known by their extensions: .pak, .pk2, .pk3, .pk4, .pkz, .sin, .zip, .kpf, .wad");
}

#[test]
#[cfg_attr(windows, ignore = "Windows has no such file names")]
fn verify_escapes_control_bytes() {
    let folder = Folder::new();
    let mut image = archive(&[(b"\x1b[2J", b"1")]);
    let end = image.len();
    image[end - 4] = 200;
    folder.write("\x1b[2J.pak", &image);
    let path = folder.join("\x1b[2J.pak");
    let answer = run(&["pak", "verify", path.as_str()]);
    assert!(!answer.err.contains(&0x1b), "{}", answer.text());
    folder.write("\x1b.pak", archive(&[]));
    let answer = run(&["pak", "verify", folder.join("\x1b.pak").as_str()]);
    assert!(!answer.out.contains(&0x1b), "{}", answer.text());
}

#[test]
fn verify_names_the_engines_that_take_fewer_entries() {
    let folder = Folder::new();
    let mut builder = pak_format::Builder::new(Layout::Quake);
    for number in 0..2049 {
        builder.add(format!("f{number}.cfg"), "x").unwrap();
    }
    folder.write("a.pak", builder.finish().unwrap());
    let full = Engine::ALL.iter().filter_map(|engine| {
        let rules = engine.rules();
        let most = rules.limits.entries.filter(|limit| limit.most < 2049)?.most;
        (rules.paks.layout == Some(Layout::Quake)).then(|| format!("{engine} takes {most}"))
    });
    let full = full.collect::<Vec<_>>().join(", ");
    assert!(full.starts_with("winquake takes 2048, quakespasm takes 2048, "), "{full}");
    assert_snapshot!(folder.check("pak verify [DIR]/a.pak").replace(&full, "ENGINES"), @"
    note     [DIR]/a.pak: [too-many-entries], quakespasm-0.95 has room for 2048, ironwail has room for 2048, joequake has room for 2048, quakeworld has room for 2048, vkquake has room for 2048, vkquake-1.35 has room for 2048, vkquake-1.34 has room for 2048, vkquake-1.32 has room for 2048, hexen2 has room for 2048 +help
    0 errors, 0 warnings, 1 note for [DIR]/a.pak
    ");
}

#[test]
fn verify_deep_reads_archives_and_finds_the_same() {
    // the levels and pictures of these are noise, or texts
    let is_noise = |file: &String| file.ends_with("daikatana-dkpak.pak");
    for file in corpus("ok").into_iter().filter(|file| !is_noise(file)) {
        assert_eq!(run(&["pak", "verify", "--deep", &file]).text(), run(&["pak", "verify", &file]).text());
    }
}

/// Linux has a file there that is found and that no read succeeds on.
#[cfg(target_os = "linux")]
#[test]
fn verify_deep_reports_a_place_that_cannot_be_read() {
    let answer = run(&["pak", "verify", "--deep", "/proc/self/mem"]);
    assert_eq!(answer.exit, Exit::Failed);
    let text = answer.text();
    assert!(text.contains("/proc/self/mem: cannot be read at byte 0: "), "{text}");
}

#[test]
fn bytes_that_align_a_payload_are_no_note() {
    // a.cfg has 1 byte, and b.cfg begins at a multiple of 4
    let aligned = |at: u32| {
        let mut image = b"PACK".to_vec();
        let (rows, size) = (at + 4, 128_u32);
        image.extend([rows.to_le_bytes(), size.to_le_bytes()].concat());
        image.push(b'a');
        image.resize(at as usize, 0);
        image.extend(b"bind");
        for (name, offset, size) in [("a.cfg", 12, 1), ("b.cfg", at, 4)] {
            let mut row = name.as_bytes().to_vec();
            row.resize(56, 0);
            row.extend([offset, size].map(u32::to_le_bytes).concat());
            image.extend(row);
        }
        image
    };
    let folder = Folder::with([("a.pak", aligned(16)), ("b.pak", aligned(19))]);
    assert_snapshot!(folder.check("pak verify [DIR]/a.pak"), @"
    ok       [DIR]/a.pak: 2 entries
    0 errors, 0 warnings, 0 notes for [DIR]/a.pak
    ");
    assert_snapshot!(folder.check("pak verify [DIR]/b.pak"), @"
    note     [DIR]/b.pak: [holes]
             help: repack it
    0 errors, 0 warnings, 1 note for [DIR]/b.pak
    ");
}

#[test]
fn an_archive_of_another_program_gets_no_advice_of_a_text() {
    let folder = Folder::with([("b.pak", "Rar!0123"), ("d.pak", "a text")]);
    let helps = ["b.pak", "d.pak"].map(|file| {
        let output = testutils::command(BINARY).args(["pak", "verify", folder.join(file).as_str()]).output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        let help = text.lines().find_map(|line| line.trim_start().strip_prefix("help: "));
        help.unwrap_or_default().to_owned()
    });
    assert_snapshot!(helps.join("\n"), @"
    it is a RAR archive: unpack it with 7-Zip or another program
    rename it to d.txt
    ");
}
