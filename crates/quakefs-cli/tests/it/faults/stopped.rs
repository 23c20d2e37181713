//! Killed or interrupted, at each system call that changes something.

use std::fs;
use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pak_format::Layout;
use testutils::{Pack, interruptible};

use super::{COMMANDS, EXTRACT, Scene, at_each, undisturbed};
use crate::BINARY;

pub(super) const CALLS: [&str; 13] = [
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "ftruncate",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "unlink",
    "fchmod",
    "openat",
];

fn killed(line: &str) {
    let new = undisturbed(line);
    let runs = at_each(line, &CALLS, "signal=SIGKILL", |scene, ended| {
        assert_eq!(ended.status.signal(), Some(9), "{}", ended.place);
        scene.is_new(&new, &ended.place);
    });
    // loading the binary, the writes and the syncs
    assert!(runs > 10, "{runs}");
}

#[testneeds::program("strace")]
#[test]
fn killing_a_command_leaves_the_old_or_the_new_archive() {
    std::thread::scope(|scope| COMMANDS.map(|line| scope.spawn(move || killed(line))).map(drop));
}

#[testneeds::program("strace")]
#[test]
fn killing_extract_leaves_whole_files() {
    let most = std::cell::Cell::new(0);
    at_each(EXTRACT, &[&CALLS[..], &["mkdir"]].concat(), "signal=SIGKILL", |scene, ended| {
        assert_eq!(ended.status.signal(), Some(9), "{}", ended.place);
        most.set(most.get().max(scene.extracted(&ended.place)));
        scene.assert_unchanged(&ended.place);
    });
    assert_eq!(most.get(), 4);
}

/// An interrupt stops the command or comes too late, and leaves no temporary file.
#[testneeds::program("strace")]
#[test]
fn an_interrupt_leaves_the_old_or_the_new_archive_and_no_temporary_file() {
    for line in COMMANDS {
        let new = undisturbed(line);
        at_each(line, &["write", "fsync", "ftruncate", "rename"], "signal=SIGINT", |scene, ended| {
            let done = scene.is_new(&new, &ended.place);
            assert_eq!(ended.status.code(), Some(if done { 0 } else { 2 }), "{}: {}", ended.place, ended.err);
            if !done {
                assert!(ended.err.contains("interrupted"), "{}: {}", ended.place, ended.err);
                scene.assert_unchanged(&ended.place);
            }
            scene.assert_no_temporaries(&ended.place);
        });
    }
}

pub(crate) fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

fn interrupted_with(child: Child, name: &str) {
    let answer = child.wait_with_output().unwrap();
    let err = String::from_utf8(answer.stderr).unwrap();
    assert_eq!(answer.status.code(), Some(2), "{name}: {err}");
    assert!(err.contains("interrupted after "), "{name}: {err}");
}

/// Waits until `a.pak` has more than `before` bytes, or a temporary file has some.
pub(crate) fn wait_for_growth(folder: &Path, before: usize) {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(20) {
        for file in fs::read_dir(folder).into_iter().flatten().map(Result::unwrap) {
            let size = file.metadata().map_or(0, |found| found.len());
            let name = file.file_name();
            let is_temporary = name.to_string_lossy().ends_with(".tmp");
            if (is_temporary && size > 0) || (name == "a.pak" && size > before as u64) {
                return;
            }
        }
    }
    panic!("nothing was written");
}

/// An interrupt comes in time, however late.
const LARGE: u64 = 3 << 30;

#[test]
fn an_interrupt_stops_a_long_create() {
    for name in ["TERM", "INT"] {
        let scene = Scene::new();
        // a sparse file, which needs no room until it is packed
        fs::File::create(scene.path("new/large")).unwrap().set_len(LARGE).unwrap();
        for line in &COMMANDS[..2] {
            let child = scene.heedful(line).spawn().unwrap();
            wait_for_growth(scene.folder.path(), scene.old.len());
            signal(&child, name);
            interrupted_with(child, name);
            scene.assert_unchanged(line);
            scene.assert_no_temporaries(line);
        }
    }
}

#[test]
fn an_interrupt_stops_a_long_extract() {
    const SIZE: u32 = 1 << 20;
    let scene = Scene::new();
    // one payload, many times over
    let rows = u32::try_from(LARGE).unwrap() / SIZE;
    let mut pack = Pack::new(Layout::Quake);
    let offset = pack.payload(&vec![0; SIZE as usize]);
    for number in 0..rows {
        pack.row(format!("large/{number}").as_bytes(), offset, SIZE);
    }
    fs::write(scene.path("large.pak"), pack.finish()).unwrap();
    for name in ["TERM", "INT"] {
        let out = scene.path(name).join("large");
        let line = format!("pak extract large.pak --max-output 4G -o {name}");
        let child = scene.heedful(&line).spawn().unwrap();
        wait_for_reads(&child, 64 << 20);
        signal(&child, name);
        interrupted_with(child, name);
        scene.assert_no_temporaries(name);
        let written: Vec<_> = fs::read_dir(out).unwrap().map(Result::unwrap).collect();
        assert!(written.len() < rows as usize, "{name}: it was not stopped");
        assert!(written.iter().all(|file| file.metadata().unwrap().len() == u64::from(SIZE)), "{name}");
    }
}

/// An archive with two entries that share one large content. It needs no room on the disk.
pub(crate) fn write_large(path: &Path) {
    const SIZE: u32 = 1 << 30;
    let mut rows = Pack::new(Layout::Quake);
    for name in ["large/one", "large/two"] {
        rows.row(name.as_bytes(), 12, SIZE);
    }
    let mut bytes = rows.finish();
    let rows = bytes.split_off(12);
    bytes[4..8].copy_from_slice(&(12 + SIZE).to_le_bytes());
    let mut file = fs::File::create(path).unwrap();
    file.write_all(&bytes).unwrap();
    file.seek(std::io::SeekFrom::Start((12 + SIZE).into())).unwrap();
    file.write_all(&rows).unwrap();
}

/// Waits until a process has read so much.
fn wait_for_reads(child: &Child, bytes: u64) {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(20) {
        let counts = fs::read_to_string(format!("/proc/{}/io", child.id())).unwrap();
        let read = counts.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap();
        if read.parse::<u64>().unwrap() > bytes {
            return;
        }
    }
    panic!("nothing was read");
}

#[test]
fn an_interrupt_stops_work_within_a_large_archive_and_says_how_far_it_came() {
    let scene = Scene::new();
    write_large(&scene.path("large.pak"));
    for line in [
        "pak find ** . --hash 99aa06d3014798d86001c324468d497f --max-output 4G",
        "pak duplicates . --max-output 4G",
        "pak verify . --deep",
        "pak catalog . --max-output 4G",
        "pak extract large.pak -o out --max-output 4G",
    ] {
        let child = scene.heedful(line).spawn().unwrap();
        wait_for_reads(&child, 64 << 20);
        signal(&child, "INT");
        let answer = child.wait_with_output().unwrap();
        let err = String::from_utf8(answer.stderr).unwrap();
        assert_eq!(answer.status.code(), Some(2), "{line}: {err}");
        assert!(err.contains("interrupted after ") && err.contains(" of "), "{line}: {err}");
        scene.assert_no_temporaries(line);
    }
}

#[test]
fn a_catalog_that_was_interrupted_is_kept_and_gone_on_from() {
    let scene = Scene::new();
    write_large(&scene.path("large.pak"));
    let line = "pak catalog . -o mods.jsonl --max-output 4G";
    let child = scene.heedful(line).spawn().unwrap();
    wait_for_reads(&child, 64 << 20);
    signal(&child, "INT");
    let answer = child.wait_with_output().unwrap();
    let err = String::from_utf8(answer.stderr).unwrap();
    assert_eq!(answer.status.code(), Some(2), "{err}");
    assert!(err.contains("1 of 2 archives") && err.contains("mods.jsonl.partial"), "{err}");
    assert!(!scene.path("mods.jsonl").exists());
    let kept = fs::read_to_string(scene.path("mods.jsonl.partial")).unwrap();
    assert!(kept.lines().count() == 4 && kept.lines().all(|line| line.contains("a.pak")), "{kept}");

    // without a word about them, rows that were worked for are not thrown away
    let refused = scene.heedful(line).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("--update"));

    let update = format!("{line} --update --json");
    let updated = scene.heedful(&update).stdout(Stdio::piped()).output().unwrap();
    let answer = String::from_utf8(updated.stdout).unwrap();
    assert!(answer.contains(r#""archives":2,"kept":1,"#), "{answer}");
    assert!(!scene.path("mods.jsonl.partial").exists());
    let at_once = scene.heedful(&line.replace("mods", "other")).status().unwrap();
    assert!(at_once.success());
    assert!(fs::read(scene.path("mods.jsonl")).unwrap() == fs::read(scene.path("other.jsonl")).unwrap());
}

/// `timeout` sends its signal to the command and to the group of the command.
#[test]
fn two_signals_at_once_are_one_interrupt() {
    let scene = Scene::new();
    write_large(&scene.path("large.pak"));
    for round in 0..4 {
        let child = scene.heedful("pak catalog . -o mods.jsonl --overwrite --max-output 4G").spawn().unwrap();
        wait_for_reads(&child, 64 << 20);
        let line = format!("kill -s INT {0}; kill -s TERM {0}", child.id());
        assert!(Command::new("sh").args(["-c", &line]).status().unwrap().success());
        let answer = child.wait_with_output().unwrap();
        let err = String::from_utf8(answer.stderr).unwrap();
        assert!(err.contains("interrupted after "), "{round}: {err}");
        assert!(scene.path("mods.jsonl.partial").exists(), "{round}");
    }
}

/// A command that does not end is ended by the next interrupt.
#[test]
fn an_interrupt_after_another_one_ends_the_command() {
    let scene = Scene::new();
    let mut rows = Pack::new(Layout::Quake);
    for number in 0..5000 {
        rows.row(format!("maps/{number}.bsp").as_bytes(), 12, 0);
    }
    fs::write(scene.path("many.pak"), rows.finish()).unwrap();
    // nobody reads the rest of what it prints, and it waits
    let mut child = scene.heedful("pak catalog many.pak").stdout(Stdio::piped()).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    signal(&child, "INT");
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(child.try_wait().unwrap(), None);
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

/// What takes long: each of some system calls takes a while.
enum Slow {
    /// Those that read, of a large file.
    Reads,
    /// These, of a game of many files.
    Calls(&'static str),
}

/// Runs a command on a terminal, presses Ctrl-C when it shows a bar that matches, and gives all that was
/// shown. It is strace whose exit code is to be had.
fn interrupted_on_terminal(scene: &Scene, line: &str, slow: &Slow, bar: &str) -> String {
    let call = match slow {
        Slow::Reads => "pread64,?read,?copy_file_range",
        Slow::Calls(call) => call,
    };
    let delay = format!("-e trace=?{call} -e inject=?{call}:delay_enter=20000");
    // At Ctrl-C a terminal signals first, and then forgets what was printed and not yet shown: the answer
    // too, where it is quick. A shell that waited would end, and the terminal with it.
    let line = format!("stty noflsh && exec strace -f -qq -o /dev/null {delay} {BINARY} {line}");
    let mut script = interruptible("script");
    script.args(["-qefc", &line, "/dev/null"]);
    let mut child = scene.here(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut out, mut shown) = (child.stdout.take().unwrap(), Vec::new());
    let mut buffer = [0; 4096];
    let mut pressed = false;
    loop {
        let count = out.read(&mut buffer).unwrap();
        if count == 0 {
            break;
        }
        shown.extend(&buffer[..count]);
        if !pressed && String::from_utf8_lossy(&shown).contains(bar) {
            child.stdin.as_mut().unwrap().write_all(b"\x03").unwrap();
            pressed = true;
        }
    }
    let shown = String::from_utf8_lossy(&shown).into_owned();
    assert!(pressed, "{line}: no bar: {shown}");
    child.wait().unwrap();
    shown
}

/// A game with many archives and many pictures in each, for an engine that loads them all: QuakeSpasm stops
/// at the thirtieth.
fn write_game(scene: &Scene) {
    fs::create_dir(scene.path("id1")).unwrap();
    for number in 0..200_u32 {
        let mut pack = Pack::new(Layout::Quake);
        for picture in 0..3 {
            let mut lump = [8_u32.to_le_bytes(), 8_u32.to_le_bytes()].concat();
            lump.extend([number.to_le_bytes().as_slice(), &[picture; 60]].concat());
            let offset = pack.payload(&lump);
            pack.row(
                format!("gfx/{number}_{picture}.lmp").as_bytes(),
                offset,
                u32::try_from(lump.len()).unwrap(),
            );
        }
        fs::write(scene.path(&format!("id1/pak{number}.pak")), pack.finish()).unwrap();
        fs::create_dir_all(scene.path(&format!("id1/maps/{number}"))).unwrap();
        fs::write(scene.path(&format!("id1/maps/{number}/a.bsp")), "").unwrap();
    }
}

#[track_caller]
fn shows_a_bar_that_ctrl_c_ends(line: &str, slow: &Slow, bar: &str) {
    let scene = Scene::new();
    match slow {
        Slow::Reads => {
            write_large(&scene.path("large.pak"));
            fs::File::create(scene.path("new/large")).unwrap().set_len(LARGE).unwrap();
        }
        Slow::Calls(_) => write_game(&scene),
    }
    let shown = interrupted_on_terminal(&scene, line, slow, bar);
    assert!(shown.contains("interrupted after ") && shown.contains("help: "), "{line}: {shown}");
    scene.assert_unchanged(line);
    scene.assert_no_temporaries(line);
}

#[testneeds::program("script", "strace")]
#[test]
fn a_terminal_shows_a_bar_over_the_bytes_of_archives_that_ctrl_c_ends() {
    const BAR: &str = "iB/";
    for line in [
        "pak catalog . -o mods.jsonl --hash sha256,md5 --max-output 4G",
        "pak find '**' . --hash 99aa06d3014798d86001c324468d497f --max-output 4G",
        "pak duplicates . --max-output 4G",
        "pak verify . --deep",
        "pak create b.pak -C new .",
    ] {
        shows_a_bar_that_ctrl_c_ends(line, &Slow::Reads, BAR);
    }
}

#[testneeds::program("script", "strace")]
#[test]
fn a_terminal_shows_a_bar_over_extracted_files_that_ctrl_c_ends() {
    shows_a_bar_that_ctrl_c_ends("pak extract large.pak -o out --max-output 4G", &Slow::Reads, "/2 files");
}

#[testneeds::program("script", "strace")]
#[test]
fn a_terminal_shows_a_bar_while_a_game_is_mounted_that_ctrl_c_ends() {
    for command in ["mount mounted", "ls", "report -o page.html", "extract -o out"] {
        let line = format!("--engine darkplaces --basedir . {command}");
        shows_a_bar_that_ctrl_c_ends(&line, &Slow::Calls("openat"), "archives");
    }
}

#[testneeds::program("script", "strace")]
#[test]
fn a_terminal_shows_the_slow_steps_of_a_cold_game_and_ctrl_c_ends_them() {
    let shows = |command: &str, call, bar| {
        let line = format!("--engine darkplaces --basedir . {command}");
        shows_a_bar_that_ctrl_c_ends(&line, &Slow::Calls(call), bar);
    };
    shows("mount mounted", "getdents64", "the files are listed");
    shows("report -o page.html", "getdents64", "reading the game");
    shows("report -o page.html", "pread64", " files");
    // what gives a file its name, by kernel
    shows("extract -o out", "renameat2,?linkat", " files");
}

#[testneeds::program("script", "strace")]
#[test]
fn a_terminal_shows_that_folders_are_searched_for_archives_and_ctrl_c_ends_it() {
    shows_a_bar_that_ctrl_c_ends("pak find '*.lmp' .", &Slow::Calls("getdents64"), "searched for archives");
}

/// A pipe gets only the answer and its warnings.
#[test]
fn a_pipe_gets_no_bar() {
    let scene = Scene::new();
    write_large(&scene.path("large.pak"));
    let answer = scene.quakefs("pak verify large.pak --deep --max-output 4G").output().unwrap();
    assert!(answer.status.success());
    assert_eq!(String::from_utf8(answer.stderr).unwrap(), "");
}
