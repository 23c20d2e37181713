//! `--format github` and `--format sarif`: findings for CI. `--fail-on`: which findings make it fail.

use insta::assert_snapshot;
use quakefs_cli::Exit;
use testutils::Folder;
use testutils::program::small;

use crate::{Answer, Commands as _, archive, brief, check, corpus, run, words};

fn lamps(line: &str) -> Answer {
    let folder = testutils::testdata("lamps");
    run(&words(&format!("--basedir {folder} --engine quakespasm --game dusk {line}")))
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn an_annotation_has_the_file_the_kind_and_the_advice() {
    let needs = lamps("needs --format github maps/dusk.bsp");
    let missing = needs.out().lines().nth(2).unwrap().replace(testutils::testdata("lamps").as_str(), "[DIR]");
    assert_snapshot!(missing, @"::warning file=[DIR]/dusk/maps/dusk.bsp,title=missing-file::dusk/maps/dusk.bsp: sound/dusk/gate.wav is missing (needed by func_door #3, func_door())%0Ahelp: did you mean sound/dusk/gaet.wav?");
    assert_eq!(needs.out().lines().last(), Some("0 errors, 2 warnings, 1 note"));
    assert_snapshot!(check("--basedir [GAME] --game mymod check --format github"), @"
    exit: 1
    ::error file=[GAME]/id1/gfx/pop.lmp,title=engine-stops::id1/gfx/pop.lmp: [engine-stops unregistered]%0Ahelp: […]
    ::warning file=[GAME]/mymod/progs.dat,title=overridden-loose::mymod/progs.dat: [equal-names|overridden-entry|overridden-loose] [loose below]%0Ahelp: […]
    ::warning file=[GAME]/mymod/notes.pak,title=wrong-archive::mymod/notes.pak: skipped: [unknown-magic]%0Ahelp: […]
    ::notice file=[GAME]/mymod/pak0.pak,title=same-bytes::mymod/pak0.pak: entry 2 (gfx/conback.lmp): it has the same bytes as id1/pak0.pak: entry 3 (gfx/conback.lmp), which it overrides
    1 error, 2 warnings, 1 note
    ");
    assert_snapshot!(check("pak verify --format github [PAK]/malformed/payload-past-end-by-one.pak [PAK]/none.pak"), @"
    exit: 2
    ::error file=[PAK]/malformed/payload-past-end-by-one.pak,title=outside::[PAK]/malformed/payload-past-end-by-one.pak: entry 1 (b): [entry-outside|outside]%0Ahelp: […]
    ::warning file=[PAK]/malformed/payload-past-end-by-one.pak,title=in-directory::[PAK]/malformed/payload-past-end-by-one.pak: entry 2 (c): [in-directory]%0Ahelp: […]
    1 error, 1 warning, 0 notes
    ! ::error::[PAK]/none.pak: open failed: No such file or directory (os error 2)%0Ahelp: […]
    ");
}

/// How GitHub's runner reads a line of a log (`src/Runner.Common/ActionCommand.cs`): the command and its
/// properties.
fn command(line: &str) -> Option<(String, Vec<(String, String)>)> {
    let unescaped = |text: &str| {
        let codes = [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")];
        codes.iter().fold(text.to_owned(), |text, (code, letter)| text.replace(code, letter))
    };
    let second = line.trim_start().strip_prefix("::").and_then(|line| line.split_once("::"));
    let first = || line.split_once("##[").and_then(|(_, line)| line.split_once(']'));
    let (command, _) = second.or_else(first)?;
    let (name, properties) = command.split_once(' ').unwrap_or((command, ""));
    let properties = properties.split(',').filter_map(|pair| pair.split_once('='));
    let properties = properties.map(|(name, value)| (name.to_owned(), unescaped(value)));
    Some((name.to_owned(), properties.collect()))
}

#[test]
#[cfg_attr(windows, ignore = "Windows has no such file names")]
fn no_name_becomes_a_command_of_the_runner() {
    let hostile = [
        "##[add-mask]quake.pak",
        "::stop-commands::x.pak",
        "a\n::set-output name=x::1.pak",
        "a,title=b%0A::error::c:d.pak",
        "\x1b[2J\u{202e}.pak",
    ];
    let folder = Folder::new();
    for name in hostile {
        let mut image = archive(&[(&name.as_bytes()[..name.len() - 4], b"1"), (b"b", b"2")]);
        let end = image.len();
        // the last entry ends outside of the archive
        image[end - 4] = 200;
        folder.write(&format!("mod/{name}"), &image);
        folder.write(&format!("mod/##[add-mask]/{name}.bsp"), "");
    }
    folder.write("mod/unreadable ##[group]x.pak", "");
    let mut files = Vec::new();
    for line in [
        "pak verify [DIR]/mod [DIR]/##[group]missing.pak",
        "--basedir [DIR] --game mod check",
        "--basedir [DIR] --game mod needs",
    ] {
        let answer = folder.run(&format!("{line} --format github"));
        assert_ne!(answer.exit, Exit::Done);
        let lines = [answer.out(), answer.err()].into_iter().flat_map(str::lines);
        for line in lines.filter(|line| line.contains("::") || line.contains("##[")) {
            let (name, properties) = command(line).unwrap_or_else(|| panic!("{line}"));
            assert!(["error", "warning", "notice"].contains(&&*name), "{line}");
            assert!(properties.iter().all(|(name, _)| name == "file" || name == "title"), "{line}");
            assert!(!line.chars().any(char::is_control) && !line.contains('\u{202e}'), "{line}");
            files.extend(properties.into_iter().filter(|(name, _)| name == "file").map(|(_, file)| file));
        }
    }
    // the name of the archive is whole
    let file = folder.join("mod/a,title=b%0A::error::c:d.pak");
    assert!(files.iter().any(|name| name == file.as_str()), "{files:?}");
}

/// The results of a log.
fn results(answer: &Answer) -> Vec<serde_json::Value> {
    let log: serde_json::Value = serde_json::from_str(answer.out()).unwrap();
    log["runs"][0]["results"].as_array().unwrap().clone()
}

#[test]
fn a_sarif_log_has_the_findings_of_json() {
    let archives = corpus("malformed").join(" ");
    for line in [format!("pak verify {archives}"), "--basedir [GAME] --game gapmod check".to_owned()] {
        let json = run(&words(&format!("{line} --json")));
        let log = run(&words(&format!("{line} --format sarif")));
        assert_eq!(json.exit, log.exit);
        assert!(!log.out().chars().any(|letter| letter.is_control() && letter != '\n'));
        let findings = json.json().into_iter().filter(|line| line["type"] == "finding");
        let findings: Vec<_> =
            findings.map(|line| (line["kind"].clone(), line["severity"].clone())).collect();
        let results = results(&log);
        let of_log = results.iter().map(|result| (result["ruleId"].clone(), result["level"].clone()));
        assert_eq!(findings, of_log.collect::<Vec<_>>());
        // GitHub takes results with one hash for the same
        let hashes: std::collections::BTreeSet<_> =
            results.iter().map(|result| result["partialFingerprints"].to_string()).collect();
        assert_eq!(hashes.len(), results.len());
    }
}

#[test]
#[cfg_attr(windows, ignore = "Windows has no such file names")]
fn the_places_in_a_sarif_log_are_uris() {
    let folder = Folder::with([("id1/a b%,\u{e9}#.pak", "no archive")]);
    let answer = folder.run("--basedir [DIR] --engine darkplaces check --format sarif");
    let place = |result: &serde_json::Value| {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap().to_owned()
    };
    let places: Vec<_> = results(&answer).iter().map(place).collect();
    let expected = format!("file://{}/id1/a%20b%25%2C%C3%A9%23.pak", folder.path());
    assert!(places.contains(&expected), "{places:?}");
}

#[test]
fn a_log_without_findings_and_a_log_of_a_failure_are_complete() {
    let log = run(&words("pak verify --format sarif [PAK]/ok/hrot.pak"));
    assert_eq!((log.exit, results(&log).len()), (Exit::Done, 0));
    let log = run(&words("pak verify --format sarif [PAK]/ok/hrot.pak [PAK]/none.pak"));
    assert_eq!((log.exit, results(&log).len()), (Exit::Failed, 0));
    assert!(log.out().contains(r#""executionSuccessful":false"#));
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn fail_on_error_ignores_warnings_in_each_format() {
    let folder = Folder::with_archive(&[(b"quake.rc", b"1"), (b"./a", b"2")]);
    folder.write("id1/pak0.pak", archive(&[(b"quake.rc", b"1"), (b"progs.dat", &*small())]));
    folder.write("id1/quake.rc", "2");
    let check = "--basedir [DIR] --engine fte check".to_owned();
    let error = "pak verify [PAK]/malformed/payload-past-end-by-one.pak".to_owned();
    let lamps = testutils::testdata("lamps");
    let needs = format!("--basedir {lamps} --engine quakespasm --game dusk needs maps/dusk.bsp");
    let verify = "pak verify [DIR]/a.pak".to_owned();
    for format in ["", "--json", "--format json", "--format text", "--format github", "--format sarif"] {
        let exit = |line: &str, more: &str| folder.run(&format!("{line} {format} {more}")).exit;
        for line in [&check, &verify, &needs] {
            assert_eq!(exit(line, ""), Exit::NotFound, "{line} {format}");
            assert_eq!(exit(line, "--fail-on warning"), Exit::NotFound, "{line} {format}");
            assert_eq!(exit(line, "--fail-on error"), Exit::Done, "{line} {format}");
        }
        assert_eq!(exit(&error, "--fail-on error"), Exit::NotFound, "{format}");
    }
    assert_eq!(folder.check(&format!("{check} --json")), folder.check(&format!("{check} --format json")));
    assert_snapshot!(brief(folder.check("check --json --format sarif")), @"exit 2: error: --json excludes --format FORMAT; help: leave one of them out");
    assert_snapshot!(brief(folder.check("pak verify --against a --fail-on error b")), @"exit 2: error: --against LIST excludes --fail-on SEVERITY; help: leave one of them out");
}

/// A log that is empty or cut off stops the program that reads it.
#[cfg(unix)]
#[test]
fn a_command_that_fails_prints_a_log_too() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;

    let folder = Folder::with_archive(&[(b"a", b"1")]);
    let path = |name: &[u8]| OsString::from_vec([folder.path().as_str().as_bytes(), b"/", name].concat());
    std::fs::create_dir(path(b"base\xff")).unwrap();
    std::fs::write(path(b"x\xfe.pak"), archive(&[(b"a", b"1")])).unwrap();
    let lines: [&[OsString]; 4] = [
        &["--basedir".into(), path(b"base\xff"), "check".into(), "--format".into(), "sarif".into()],
        &["--basedir".into(), path(b"missing"), "check".into(), "--format=sarif".into()],
        &["pak".into(), "verify".into(), "--format=sarif".into(), path(b"x\xfe.pak")],
        &["pak".into(), "verify".into(), "--format=sarif".into(), path(b"missing.pak")],
    ];
    for line in lines {
        let mut streams = (Vec::new(), Vec::new());
        let mut console = quakefs_cli::Console::plain(&mut streams.0, &mut streams.1);
        let words = [OsString::from("quakefs")].into_iter().chain(line.iter().cloned());
        let exit = quakefs_cli::run(words, &mut console);
        drop(console);
        assert_eq!(exit, Exit::Failed, "{line:?}");
        let log: serde_json::Value = serde_json::from_slice(&streams.0).unwrap();
        assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false, "{line:?}");
    }
}
