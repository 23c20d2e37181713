//! Runs Debian's engines on a mounted folder instead of the real one.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read as _, Seek as _};
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use libtest_mimic::{Completion, Trial};
use testutils::{Folder, game};

use crate::running::{Mounted, quakefs, trial};

/// They take a twentieth of a second.
const TIMEOUT: Duration = Duration::from_secs(20);

pub(crate) fn trials() -> Vec<Trial> {
    let trial_of = |engine, program: &str| {
        let name = format!("{engine}_runs_on_the_mounted_folder");
        match find(program).and_then(|program| Ok((program, start_up(engine)?))) {
            Ok((program, files)) => trial(&name, move || check(engine, &program, &files)),
            Err(missing) => Trial::ignorable_test(name, move || Ok(Completion::ignored_with(missing))),
        }
    };
    vec![trial_of("quakespasm", "quakespasm"), trial_of("darkplaces", "darkplaces-server")]
}

fn find(program: &str) -> Result<Utf8PathBuf, String> {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut programs = path.split(':').chain(["/usr/games"]).map(|dir| Utf8Path::new(dir).join(program));
    programs.find(|path| path.is_file()).ok_or(format!("{program} is not installed"))
}

/// What an engine does not start without. QuakeSpasm accepts commands on its command line only in a
/// registered game, and the file that proves it is id's.
fn start_up(engine: &str) -> Result<Vec<(&'static str, Vec<u8>)>, String> {
    if engine != "quakespasm" {
        return Ok(Vec::new());
    }
    let pop = testutils::data_or_reason("conformance/pop.lmp")?;
    let pop = fs::read(pop).map_err(|error| error.to_string())?;
    Ok(vec![("gfx/pop.lmp", pop), ("gfx.wad", b"WAD2\0\0\0\0\x0c\0\0\0".to_vec())])
}

const NAMES: &[&str] = &["a.cfg", "b.cfg", "c.cfg", "maps/d.cfg", "e.cfg", "nope.cfg"];

/// The merged game and mod are mounted as another `id1`, and the engine loads the same files there.
fn check(engine: &str, program: &Utf8Path, start_up: &[(&str, Vec<u8>)]) {
    let folder = base();
    for (name, content) in start_up {
        folder.write(&format!("id1/{name}"), content);
    }
    let options = format!("--engine {engine} --game mymod");
    let mounted = Mounted::new(&folder, &options);
    let other = Folder::new();
    symlink(&mounted.path, other.join("id1")).unwrap();
    let output = run(program, &other, engine);
    let mut sections = output.split("@?").skip(1);
    for name in NAMES {
        let section = sections.next().unwrap_or_else(|| panic!("{engine} does not answer:\n{output}"));
        let expected = quakefs(folder.path(), &options).arg("cat").arg(name).output().unwrap().stdout;
        let expected = String::from_utf8(expected).unwrap();
        let served = section.lines().find_map(|line| line.split_once("@@")).map(|(_, copy)| copy.trim_end());
        let expected = expected.strip_prefix("echo @@").map(str::trim_end);
        assert_eq!(served, expected, "{engine}: {name}:\n{section}");
        assert_eq!(expected.is_none(), *name == "nope.cfg");
    }
}

fn base() -> Folder {
    let folder = game("id1/: readme.txt; mymod/: readme.txt");
    let echo = |place: &str| format!("echo @@{place}\n");
    let pak = |files: &[(&str, String)]| {
        testutils::pack(
            pak_format::Layout::Quake,
            files.iter().map(|(name, content)| (*name, content.as_bytes())),
        )
    };
    folder.write(
        "id1/pak0.pak",
        pak(&[("a.cfg", echo("0/a")), ("b.cfg", echo("0/b")), ("maps/d.cfg", echo("0/d"))]),
    );
    folder.write("id1/pak1.pak", pak(&[("b.cfg", echo("1/b"))]));
    folder.write("id1/c.cfg", echo("loose c"));
    folder.write("mymod/pak0.pak", pak(&[("a.cfg", echo("mod/a")), ("e.cfg", echo("mod/e"))]));
    folder.write("mymod/e.cfg", echo("loose e"));
    let mut probe = String::new();
    for name in NAMES {
        writeln!(probe, "echo @?\nexec \"{name}\"").unwrap();
    }
    folder.write("mymod/probe.cfg", probe + "echo @?\n");
    folder
}

/// What an engine prints in a base directory.
fn run(program: &Utf8Path, base: &Folder, engine: &str) -> String {
    fs::create_dir(base.join("home")).unwrap();
    let mut command = Command::new(program);
    if engine == "quakespasm" {
        command.args(["-dedicated", "-port", "0"]);
    }
    command.args(["-ip", "127.0.0.1", "-basedir", base.path().as_str(), "+exec", "probe.cfg", "+quit"]);
    command.env("HOME", base.join("home")).current_dir(base.join("home"));
    // a file: a pipe would fill while the test waits for the program
    let mut output = tempfile::tempfile().unwrap();
    let stream = || Stdio::from(output.try_clone().unwrap());
    let mut child = command.stdin(Stdio::null()).stdout(stream()).stderr(stream()).spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > TIMEOUT {
            child.kill().unwrap();
        }
        thread::sleep(Duration::from_millis(5));
    }
    let mut bytes = Vec::new();
    output.rewind().unwrap();
    output.read_to_end(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}
