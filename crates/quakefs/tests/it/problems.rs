//! Findings of a mount: skipped archives and unreadable entries.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use quakefs::archive::OpenOptions;
use quakefs::disk::{Content, Disk, Item, MemoryDisk, Opened, ReadAt, Stat};
use quakefs::findings::FindingKind;
use quakefs::rules::EngineStop;
use quakefs::{Access, Builder, Engine, FileData, Layout, LooseFiles, SearchPath};
use testutils::search_path::named;
use testutils::{Folder, game, pack};

use crate::Mount as _;

/// Every problem, and what to do about it.
fn findings_with(game: &Folder, set: impl Fn(Builder) -> Builder) -> String {
    findings_of(game, &set(game.builder()).mount().unwrap())
}

fn findings_of(game: &Folder, quake: &SearchPath) -> String {
    let lines = quake.findings().map(named);
    game.redact(&lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn a_right_game_has_no_problems() {
    let game = game("id1/pak0.pak: a a ./b /c d//e f\\g; id1/pak1.pak: h; id1/: x readme.txt; mod/: x");
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        assert_eq!(findings_with(&game, |quake| quake.game("mod").loose_files(loose)), "");
    }
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn archives_that_are_not_loaded_are_reported_with_the_reason() {
    let game = game(
        "id1/pak0.pak: a; id1/PAK1.PAK: a; id1/pak2.pak: a; id1/pak3.pak: a; id1/maps.pak: a; id1/pak01.pak: a;
         mod/: x",
    );
    game.write("id1/extra.pk3", "a ZIP");
    game.write("mod/pak0.pak", "To do: make this an archive");
    game.write("mod/pak1.pak", "PACK");
    insta::assert_snapshot!(findings_with(&game, |quake| quake.game("mod")), @"
    id1/PAK1.PAK: archive-case
    id1/extra.pk3: wrong-archive
    id1/maps.pak: archive-skipped
    id1/pak01.pak: archive-skipped
    id1/pak2.pak: gap
    id1/pak3.pak: gap
    mod/pak0.pak: wrong-archive
    mod/pak1.pak: wrong-archive
    ");
}

#[test]
fn a_file_that_is_not_an_archive_is_skipped_if_the_rules_tell_so() {
    let game = game("id1/: x");
    game.write("id1/pak0.pak", "no archive at all");
    let mut rules = Engine::WinQuake.rules().clone();
    rules.stops = Vec::new().into();
    insta::assert_snapshot!(findings_with(&game, |quake| quake.rules(rules.clone())), @"id1/pak0.pak: wrong-archive");
}

#[test]
fn an_empty_pak_ends_the_run_only_in_quakespasm() {
    let game = game("id1/pak0.pak: a; id1/pak1.pak: ; id1/pak2.pak: a; id1/: x");
    insta::assert_snapshot!(findings_with(&game, |quake| quake.engine(Engine::QuakeSpasm)), @r"
    id1/pak1.pak: empty-archive
    id1/pak2.pak: empty-archive
    ");
    assert_eq!(findings_with(&game, |quake| quake.engine(Engine::WinQuake)), "");
}

#[test]
fn directories_and_flags_without_effect_are_reported() {
    let game = game("id1/: x; mod/: x");
    insta::assert_snapshot!(
        findings_with(&game, |quake| quake.game("mod").game("other").mission("nehahra").mission("hipnotic")),
        @r"
        -nehahra: unknown-flag
        other/: game-ignored
        hipnotic/: missing-directory
        "
    );
    insta::assert_snapshot!(findings_with(&game, |quake| quake.game("mdo")), @"mdo/: missing-directory");
    insta::assert_snapshot!(
        findings_with(&game, |quake| quake.engine(Engine::WinQuake).mission("quoth")),
        @"-quoth: unknown-flag"
    );
}

#[test]
fn games_without_effect_are_reported_by_the_rule_of_the_engine() {
    let game = game("id1/: x; mod/: x; two/: x");
    let mut rules = Engine::WinQuake.rules().clone();
    rules.directories.games = quakefs::rules::Games::Last;
    insta::assert_snapshot!(findings_with(&game, |quake| quake.rules(rules.clone()).game("mod").game("two")), @"mod/: game-ignored");
    rules.directories.games = quakefs::rules::Games::Ignored;
    insta::assert_snapshot!(findings_with(&game, |quake| quake.rules(rules.clone()).game("mod")), @"mod/: game-ignored");
}

#[test]
fn an_archive_number_that_is_too_high_is_reported() {
    let game = game("id1/pak10.pak: a; id1/: x");
    let mut rules = Engine::WinQuake.rules().clone();
    rules.name = "quake2".into();
    rules.archives.sets = vec![quakefs::rules::ArchiveSet::Numbered {
        stem: quakefs::rules::STEM.into(),
        case: quakefs::rules::NumberedCase::Lower,
        extensions: vec!["pak".into()].into(),
        count: Some(10),
        gaps: quakefs::rules::Gaps::Skip,
    }]
    .into();
    insta::assert_snapshot!(findings_with(&game, |quake| quake.rules(rules.clone())), @"id1/pak10.pak: number-too-high");
}

/// Writes `id1/pak0.pak`, with `change` made to its bytes.
fn with_pak(layout: Layout, names: &[&[u8]], change: impl FnOnce(&mut Vec<u8>)) -> Folder {
    let game = game("id1/: x");
    let mut image = pack(layout, names.iter().map(|name| (name, "content")));
    change(&mut image);
    game.write("id1/pak0.pak", image);
    game
}

#[test]
fn entries_that_cannot_be_read_are_reported() {
    let game = with_pak(Layout::Quake, &[b"maps/a.bsp", b"maps/b.bsp"], |image| {
        let length = image.len();
        image[length - 4..].copy_from_slice(&1000u32.to_le_bytes());
    });
    insta::assert_snapshot!(findings_with(&game, |quake| quake), @"id1/pak0.pak: entry 1 (maps/b.bsp): outside");
    let quake = game.mount("");
    let problem = quake.findings().next().unwrap();
    let (row, name) = (problem.location.entry().unwrap(), problem.location.name().unwrap());
    assert_eq!(
        (problem.location.layer_name(), row, name.as_bytes()),
        ("id1/pak0.pak", 1, &b"maps/b.bsp"[..])
    );
    assert!(matches!(problem.kind, FindingKind::Entry(_)));
}

#[test]
fn entries_that_no_request_reaches_are_reported() {
    let names: [&[u8]; 7] = [b"../x", b"a/../b", b"", b"maps/", b"maps/..", b"caf\xe9/../x", b"\x1b[2J/.."];
    let game = with_pak(Layout::Quake, &names, |_| {});
    insta::assert_snapshot!(findings_with(&game, |quake| quake), @r"
    id1/pak0.pak: entry 0 (../x): unreachable
    id1/pak0.pak: entry 1 (a/../b): unreachable
    id1/pak0.pak: entry 2 (): unreachable
    id1/pak0.pak: entry 4 (maps/..): unreachable
    id1/pak0.pak: entry 5 (caf\xE9/../x): unreachable
    id1/pak0.pak: entry 6 (\x1B[2J/..): unreachable
    ");

    let mut rules = Engine::WinQuake.rules().clone();
    rules.requests.backslash = quakefs::rules::Backslash::Slash;
    rules.requests.dot_component = quakefs::rules::PathRule::Refused;
    rules.requests.leading_slash = quakefs::rules::PathRule::Dropped;
    rules.requests.empty_component = quakefs::rules::PathRule::Refused;
    let game = with_pak(Layout::Quake, &[b"maps\\a", b"./a", b"/a", b"a//b"], |_| {});
    insta::assert_snapshot!(findings_with(&game, |quake| quake.rules(rules.clone())), @r"
    id1/pak0.pak: entry 0 (maps\a): unreachable
    id1/pak0.pak: entry 1 (./a): unreachable
    id1/pak0.pak: entry 2 (/a): unreachable
    id1/pak0.pak: entry 3 (a//b): unreachable
    ");
}

#[test]
fn a_directory_that_is_not_whole_rows_is_reported() {
    let game = with_pak(Layout::Quake, &[b"a.cfg", b"b.cfg"], |image| {
        image.extend([0; 7]);
        let size = u32::from_le_bytes(image[8..12].try_into().unwrap()) + 7;
        image[8..12].copy_from_slice(&size.to_le_bytes());
    });
    insta::assert_snapshot!(findings_with(&game, |quake| quake), @"id1/pak0.pak: partial-row");
    assert!(game.mount("").find("b.cfg").is_some());
    let mut rules = Engine::WinQuake.rules().clone();
    rules.paks.refuses_partial_row = true;
    insta::assert_snapshot!(findings_with(&game, |quake| quake.rules(rules.clone())), @"id1/pak0.pak: wrong-archive");
}

#[test]
fn rows_of_another_layout_are_reported() {
    let game = with_pak(Layout::Daikatana, &[b"maps/a.bsp", b"maps/b.bsp", b"maps/c.bsp"], |_| {});
    let text = findings_with(&game, |quake| quake);
    insta::assert_snapshot!(text.lines().take(2).collect::<Vec<_>>().join("\n"), @"id1/pak0.pak: other-layout");
    let game = with_pak(Layout::Sin, &[b"maps/a.bsp"], |_| {});
    insta::assert_snapshot!(findings_with(&game, |quake| quake), @"id1/pak0.pak: wrong-archive");
}

// elsewhere the system has no room for such a path
#[cfg(unix)]
#[test]
fn listed_loose_files_that_no_request_reaches_are_reported() {
    let game = game("id1/: x");
    game.write(&format!("id1/{}/{}", "d".repeat(200), "e".repeat(100)), "");
    let listed = findings_with(&game, |quake| quake.loose_files(LooseFiles::Listed));
    let listed = listed.replace(&"d".repeat(200), "ddd…").replace(&"e".repeat(100), "eee…");
    insta::assert_snapshot!(listed, @"id1/ddd…/eee…: unreachable");
}

#[cfg(unix)]
#[test]
fn a_listed_link_in_a_circle_is_reported() {
    let game = game("id1/maps/: x");
    std::os::unix::fs::symlink(game.join("id1"), game.join("id1/maps/up")).unwrap();
    insta::assert_snapshot!(findings_with(&game, |quake| quake.loose_files(LooseFiles::Listed)), @"id1/maps/up: link-loop");
}

#[cfg(target_os = "linux")]
#[test]
fn an_archive_whose_name_is_not_utf8_is_reported() {
    use std::os::unix::ffi::OsStrExt;

    let game = game("id1/pak0.pak: a");
    let path = game.join("id1").into_std_path_buf().join(std::ffi::OsStr::from_bytes(b"caf\xe9.pak"));
    fs::write(path, "").unwrap();
    insta::assert_snapshot!(findings_with(&game, |quake| quake), @r"id1/caf\xE9.pak: not-utf8");
}

#[test]
fn an_engine_stops_at_more_archives_than_it_has_handles_for() {
    let stops = |engine: Engine, count: usize| {
        let archives: Vec<_> = (0..count).map(|number| format!("id1/pak{number}.pak: a")).collect();
        let quake = game(&archives.join("; ")).builder().engine(engine).mount().unwrap();
        let mut stops = quake
            .findings()
            .filter(|finding| matches!(finding.kind, FindingKind::StopsAt(EngineStop::TooManyArchives)));
        stops.next().map(|finding| finding.location.layer_name().to_owned())
    };
    assert_eq!(stops(Engine::QuakeSpasm, 30), None);
    assert_eq!(stops(Engine::QuakeSpasm, 31).as_deref(), Some("id1/pak30.pak"));
    assert_eq!(stops(Engine::Ironwail, 31).as_deref(), Some("id1/pak30.pak"));
    assert_eq!(stops(Engine::DarkPlaces, 31), None);
}

#[cfg(windows)]
#[test]
fn a_file_that_another_program_holds_open_is_named_as_the_cause() {
    use quakefs::sentences::Help as _;
    for code in [32, 33, 1224] {
        let error = quakefs::Error::from(std::io::Error::from_raw_os_error(code));
        assert!(error.help(None).unwrap().contains("another program"), "{error}");
    }
}

/// A disk with one read of archives that fails.
#[derive(Debug)]
struct Failing {
    inner: MemoryDisk,
    reads: Arc<AtomicUsize>,
    fails_at: usize,
}

#[derive(Debug)]
struct FailingFile {
    bytes: FileData,
    reads: Arc<AtomicUsize>,
    fails_at: usize,
}

impl ReadAt for FailingFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self.reads.fetch_add(1, Ordering::Relaxed) {
            read if read == self.fails_at => Err(io::Error::other("the disk is broken")),
            _ => self.bytes.read_at(buffer, offset),
        }
    }
}

impl Disk for Failing {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        self.inner.list(folder)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.inner.stat(path)
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        let opened = self.inner.open(path, access)?;
        let Content::Bytes(bytes) = opened.content else { unreachable!() };
        let (reads, fails_at) = (Arc::clone(&self.reads), self.fails_at);
        Ok(Opened { content: Content::At(Arc::new(FailingFile { bytes, reads, fails_at })), ..opened })
    }
}

/// Whichever read fails, the archive is whole or its error is reported: it is never taken for another one.
#[test]
fn a_failed_read_while_an_archive_is_opened_is_reported() {
    let zip = testutils::zip_deflated((0..40).map(|number| (format!("maps/{number}.txt"), "text")));
    let wad =
        testutils::content::wad(b"WAD2", &[("a", 0x44, testutils::content::texture("a", 16, 16, None))]);
    let pak = pack(Layout::Quake, [("progs.dat", "x")]);
    for (name, archive) in [("pak0.pk3", zip), ("pak0.pak", pak), ("gfx.wad", wad)] {
        for engine in [Some(Engine::Fte), Some(Engine::DarkPlaces), None] {
            let mut failed = 0;
            for fails_at in 0..100 {
                let inner = MemoryDisk::new();
                inner.insert(format!("quake/id1/{name}"), archive.clone()).unwrap();
                let reads = Arc::new(AtomicUsize::new(0));
                let disk = Failing { inner, reads: Arc::clone(&reads), fails_at };
                let error = if let Some(engine) = engine {
                    let quake = SearchPath::builder("quake").engine(engine).disk(disk).mount().unwrap();
                    let is_read = quake.findings().any(|finding| finding.to_string().contains("broken"));
                    assert_eq!(
                        is_read,
                        reads.load(Ordering::Relaxed) > fails_at,
                        "{name} {engine} {fails_at}"
                    );
                    is_read
                } else {
                    let disk: Arc<dyn Disk> = Arc::new(disk);
                    let path = camino::Utf8PathBuf::from(format!("quake/id1/{name}"));
                    let opened = OpenOptions::new().access(Access::Read).open_on(&disk, &path);
                    let is_read = opened.is_err_and(|error| error.reason().contains("broken"));
                    assert_eq!(is_read, reads.load(Ordering::Relaxed) > fails_at, "{name} {fails_at}");
                    is_read
                };
                failed += usize::from(error);
                if !error {
                    break;
                }
            }
            assert!(failed > 0 || engine.is_some(), "{name}");
        }
    }
}
