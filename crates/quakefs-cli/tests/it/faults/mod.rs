//! Commands that are killed, interrupted, refused by the disk or without power in the middle: what they write
//! is the old or the new file, whole. `strace` brings that about, at each system call that changes something.

mod disk;
mod journal;
mod power;
mod refused;
mod standard_input;
mod stopped;

use std::ffi::OsString;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use pak_format::{Archive, Builder, Layout, Severity, verify};
use testutils::{command, interruptible};

use crate::{BINARY, unprivileged};

/// Each command that writes an archive, for `a.pak` and `new` in a [`Scene`].
const COMMANDS: [&str; 5] = [
    "pak create a.pak -C new . --overwrite",
    "pak add a.pak -C new . --overwrite",
    "pak remove a.pak maps/*",
    "pak rename a.pak quake.rc autoexec.cfg",
    "pak repack a.pak",
];
const EXTRACT: &str = "pak extract a.pak -o out";

/// A folder with an archive `a.pak`, and files for another in `new`.
struct Scene {
    folder: tempfile::TempDir,
    old: Vec<u8>,
}

/// Longer than a single write.
const LONG: usize = 700_000;

impl Scene {
    fn empty() -> Scene {
        Scene { folder: tempfile::tempdir().unwrap(), old: Vec::new() }
    }

    fn new() -> Scene {
        let Scene { folder, .. } = Scene::empty();
        let mut builder = Builder::new(Layout::Quake);
        builder.add("quake.rc", "exec default.cfg\n").unwrap();
        builder.add("maps/start.bsp", vec![7; LONG]).unwrap();
        builder.add("maps/e1m1.bsp", b"a level".repeat(300)).unwrap();
        builder.add("progs.dat", [1; 5000]).unwrap();
        let mut old = builder.finish().unwrap();
        // for a repack to drop
        old.extend([0; 300]);
        fs::write(folder.path().join("a.pak"), &old).unwrap();
        fs::create_dir_all(folder.path().join("new/maps")).unwrap();
        fs::write(folder.path().join("new/maps/start.bsp"), vec![8; LONG]).unwrap();
        fs::write(folder.path().join("new/maps/e1m2.bsp"), "another level").unwrap();
        fs::write(folder.path().join("new/empty.txt"), "").unwrap();
        Scene { folder, old }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn quakefs(&self, line: &str) -> Command {
        let mut command = command(BINARY);
        command.args(line.split_whitespace());
        self.here(command)
    }

    /// The same, in a process that interrupts reach.
    fn heedful(&self, line: &str) -> Command {
        let mut command = interruptible(BINARY);
        command.args(line.split_whitespace());
        self.here(command)
    }

    fn here(&self, mut command: Command) -> Command {
        // cargo's, which the loader would search call by call
        command.env_remove("LD_LIBRARY_PATH");
        command.env("EDITOR", "sh -c 'echo more >> \"$1\"' sh");
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// Runs a command with `fault` at a system call of this name, when it comes for the `count`-th time.
    /// `None`: it does not come so often.
    fn run_with(&self, line: &str, call: &str, fault: &str, count: usize) -> Option<Ended> {
        let trace = tempfile::NamedTempFile::new().unwrap();
        let mut strace = command("strace");
        // system calls that exist only on another architecture are skipped
        let (name, inject) = (format!("trace=?{call}"), format!("inject=?{call}:{fault}:when={count}"));
        strace.args(["-f", "-qq", "-e", &name, "-e", &inject, "-o"]).arg(trace.path()).arg(BINARY);
        strace.args(line.split_whitespace());
        let answer = self.here(strace).output().unwrap();
        let trace = String::from_utf8_lossy(&fs::read(trace.path()).unwrap()).into_owned();
        let err = String::from_utf8(answer.stderr).unwrap();
        assert!(!err.starts_with("strace:"), "{err}");
        let happened = trace.contains("(INJECTED)")
            || trace.lines().any(|line| line.contains("--- SIG") && !line.contains("SIGCHLD"))
            || answer.status.signal().is_some();
        happened.then(|| Ended {
            status: answer.status,
            err,
            place: format!("{line}, {fault} at {call} {count}"),
        })
    }

    /// `a.pak` is the old archive or `new`, whole; gives whether it is `new`.
    fn is_new(&self, new: &[u8], place: &str) -> bool {
        self.is_whole(&fs::read(self.path("a.pak")).unwrap(), new, place)
    }

    /// An archive is the old one or `new`, whole; gives whether it is `new`.
    fn is_whole(&self, found: &[u8], new: &[u8], place: &str) -> bool {
        let archive = Archive::parse(found).unwrap_or_else(|error| panic!("{place}: {error}"));
        let errors: Vec<_> =
            verify(&archive).into_iter().filter(|found| found.severity() == Severity::Error).collect();
        assert!(errors.is_empty(), "{place}: {errors:?}");
        if found == new {
            return true;
        }
        assert!(found.starts_with(&self.old), "{place}: neither the old archive nor the new one");
        assert_eq!(contents(found), contents(&self.old), "{place}");
        false
    }

    /// `a.pak` is unchanged to the byte.
    fn assert_unchanged(&self, place: &str) {
        assert!(fs::read(self.path("a.pak")).unwrap() == self.old, "{place}: the file was changed");
    }

    /// The folder contains only the old files and the requested one.
    fn assert_no_temporaries(&self, place: &str) {
        let mut names = Vec::new();
        files(self.folder.path(), &mut |path| names.extend(path.file_name().map(OsString::from)));
        names.retain(|name| name.to_string_lossy().ends_with(".tmp"));
        assert!(names.is_empty(), "{place}: {names:?}");
    }

    /// Each file in `out` is whole; gives how many there are.
    fn extracted(&self, place: &str) -> usize {
        let root = self.path("out");
        let expected = contents(&self.old);
        let mut count = 0;
        files(&root, &mut |path| {
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            if !name.ends_with(".tmp") {
                let (_, content) = expected.iter().find(|(found, _)| *found == name).unwrap();
                assert!(fs::read(path).unwrap() == *content, "{place}: half of {name}");
                count += 1;
            }
        });
        count
    }
}

/// How a command ended in which there was a fault.
struct Ended {
    status: ExitStatus,
    err: String,
    place: String,
}

/// What a command makes of the archive when nothing disturbs it.
fn undisturbed(line: &str) -> Vec<u8> {
    let scene = Scene::new();
    let answer = scene.quakefs(line).output().unwrap();
    assert!(answer.status.success(), "{line}: {}", String::from_utf8_lossy(&answer.stderr));
    fs::read(scene.path("a.pak")).unwrap()
}

/// Runs a command with `fault` at each of these system calls in turn, and returns the number of runs.
fn at_each(line: &str, calls: &[&str], fault: &str, look: impl Fn(&Scene, &Ended)) -> usize {
    let mut runs = 0;
    for call in calls {
        for count in 1.. {
            let scene = Scene::new();
            let Some(ended) = scene.run_with(line, call, fault, count) else { break };
            look(&scene, &ended);
            runs += 1;
        }
    }
    println!("{line}: {fault} at {runs} system calls");
    runs
}

fn contents(image: &[u8]) -> Vec<(String, Vec<u8>)> {
    let archive = Archive::parse(image).unwrap();
    let read = |entry| (Archive::read(&archive, &entry).unwrap().into_owned(), entry.name().to_string());
    archive.entries().map(read).map(|(content, name)| (name, content)).collect()
}

fn files(folder: &Path, look: &mut dyn FnMut(&Path)) {
    let Ok(found) = fs::read_dir(folder) else { return };
    for entry in found.map(Result::unwrap) {
        if entry.path().is_dir() { files(&entry.path(), look) } else { look(&entry.path()) }
    }
}
