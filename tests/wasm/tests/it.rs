//! The module, run by Node.js, gives the same answers as the library on disk.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a panic fails a test, and measurements are printed"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;
use std::{fs, io};

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use quakefs::disk::SystemDisk;
use serde_json::Value;
use testutils::zip_mixed;

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");
const TARGET: &str = "wasm32-unknown-unknown";

/// Engines of several families, with the games of `testdata/game` and a missing one.
const CASES: [&str; 8] = [
    "quakespasm mymod",
    "quakespasm gapmod",
    "darkplaces mymod",
    "darkplaces gapmod mymod",
    "fte mymod",
    "winquake missing",
    "mvdsv",
    "yquake2 mymod",
];

fn main() -> ExitCode {
    let trials = [
        trial("files_in_memory_answer_as_those_on_disk", || answers_as_on_disk("memory")),
        trial("files_by_position_answer_as_those_on_disk", || answers_as_on_disk("position")),
        trial("archives_of_each_kind_answer_as_those_on_disk", archives_as_on_disk),
        trial("a_mount_reads_little_of_large_paks", reads_little),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials.into()).exit_code()
}

fn trial(name: &str, check: fn() -> Result<(), Failed>) -> Trial {
    Trial::ignorable_test(name, move || match missing() {
        Some(missing) => Ok(Completion::ignored_with(missing)),
        None => check().map(|()| Completion::Completed),
    })
}

/// The reason why the module cannot be built or run here.
fn missing() -> Option<&'static str> {
    let runs = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    if !cfg!(target_os = "linux") {
        Some("the disk may compare names differently from the disk in memory")
    } else if !runs(Command::new("node").arg("--version")) {
        Some("node is not installed")
    } else if !runs(target().args(["has", TARGET])) {
        Some(
            "the standard library for wasm32-unknown-unknown is not here: .ci/target add wasm32-unknown-unknown",
        )
    } else {
        None
    }
}

fn target() -> Command {
    Command::new(Path::new(PACKAGE).join("../../.ci/target"))
}

/// Builds the module, once.
fn module() -> Result<&'static Path, Failed> {
    static MODULE: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let build = || {
        let mut command = target();
        command.args([
            TARGET,
            "build",
            "--locked",
            "--message-format=json-render-diagnostics",
            "--manifest-path",
        ]);
        let output = command.arg(Path::new(PACKAGE).join("Cargo.toml")).output();
        let output = output.map_err(|error| error.to_string())?;
        // cargo prints the paths of its output
        let lines = output.stdout.split(|&byte| byte == b'\n');
        let made = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
        let mut files = made.filter_map(|message| message["filenames"].as_array().cloned()).flatten();
        let is_module = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "wasm");
        let file = files.find_map(|file| file.as_str().map(PathBuf::from).filter(is_module));
        file.filter(|_| output.status.success())
            .ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())
    };
    MODULE.get_or_init(build).as_deref().map_err(Failed::from)
}

/// The answers of the module about a folder, with files in memory or read by position.
fn host(how: &str, base: &Path, asked: &[&str]) -> Result<Value, Failed> {
    let script = Path::new(PACKAGE).join("host.mjs");
    let output = Command::new("node").arg(script).arg(module()?).arg(how).arg(base).args(asked).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn answers_as_on_disk(how: &str) -> Result<(), Failed> {
    check(how, &Path::new(PACKAGE).join("../../testdata/game").canonicalize()?, &CASES)
}

/// A ZIP with stored and deflated entries, a ZIP without a directory, a PAK with an entry beyond its end.
fn archives_as_on_disk() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join("id1").join(name), bytes);
    fs::create_dir(folder.path().join("id1"))?;
    let long = "a line that repeats\n".repeat(1000);
    let zip = zip_mixed([("maps/Start.bsp", &*long, true), ("maps/end.bsp", "stored", false)]);
    write("maps.pk3", &zip)?;
    write("cut.pk3", &zip[..zip.len() / 2])?;
    let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    pak.add("maps/end.bsp", "in a pak").map_err(io::Error::other)?;
    pak.add("progs.dat", "outside").map_err(io::Error::other)?;
    let mut pak = pak.finish().map_err(io::Error::other)?;
    let size = pak.len() - 4;
    pak[size..].fill(0x7F);
    write("pak0.pak", &pak)?;
    for how in ["memory", "position"] {
        check(how, folder.path(), &["darkplaces", "fte", "ironwail"])?;
    }
    Ok(())
}

/// Compares the answers of the module with the answers on disk.
fn check(how: &str, base: &Path, cases: &[&str]) -> Result<(), Failed> {
    let asked: Vec<_> = ["answers"].into_iter().chain(cases.iter().copied()).collect();
    let said = host(how, base, &asked)?;
    assert_eq!(said["imports"], serde_json::json!(["host.read"]), "the imports of the module");
    let base = base.to_str().ok_or("the path of the folder is not UTF-8")?;
    for (number, case) in cases.iter().enumerate() {
        let on_disk = match quakefs_wasm::mount(SystemDisk, base, case) {
            Ok(quake) => quakefs_wasm::answers(&quake),
            Err(message) => message,
        };
        let in_module = said["answers"][number].as_str().unwrap_or_default();
        let differs = on_disk.lines().zip(in_module.lines()).find(|(disk, module)| disk != module);
        assert_eq!(differs, None, "{case}: the first line that differs, on disk and in the module");
        assert_eq!(on_disk, in_module, "{case}");
        println!("{how}: {case}: {} lines", on_disk.lines().count());
    }
    Ok(())
}

/// Two paks of 17 MB each are mounted, and one file of the first is read.
fn reads_little() -> Result<(), Failed> {
    const FILE: usize = 1 << 20;
    let folder = tempfile::tempdir()?;
    fs::create_dir(folder.path().join("id1"))?;
    let bytes = |pak: u8, file: u8| -> Vec<u8> {
        // a period that differs from every block size
        (0..=u8::MAX)
            .cycle()
            .map(|at| at ^ pak ^ file)
            .zip((0..251).cycle())
            .map(|(a, b)| a ^ b)
            .take(FILE)
            .collect()
    };
    for pak in 0..2 {
        let mut builder = pak_format::Builder::new(pak_format::Layout::Quake);
        for file in 0..17 {
            builder.add(format!("maps/p{pak}m{file}.bsp"), bytes(pak, file)).map_err(io::Error::other)?;
        }
        let image = builder.finish().map_err(io::Error::other)?;
        fs::write(folder.path().join(format!("id1/pak{pak}.pak")), image)?;
    }
    let said = host("position", folder.path(), &["read", "maps/p0m16.bsp", "quakespasm"])?;
    let number = |key: &str| said[key].as_u64().ok_or(format!("no {key} in {said}"));
    println!(
        "{} of {} bytes read at the mount, {} for a file of {FILE}",
        said["atMount"], said["size"], said["atRead"]
    );
    assert!(number("size")? > 34 << 20);
    assert!(number("atMount")? < 100_000, "{said}");
    assert_eq!(number("length")?, FILE as u64);
    assert!(number("atRead")? < FILE as u64 + 100_000, "{said}");
    let sum = bytes(0, 16).iter().fold(0u32, |sum, &byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    assert_eq!(number("sum")?, u64::from(sum));
    Ok(())
}
