//! Runs the queries of `docs/archives.md` on a catalog of known archives.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use pak_format::{Builder, Layout};
use quakefs_cli::{Console, Exit, run};

/// The answers of the page's queries for the folder of [`mods`], in the order of the queries.
const ANSWERS: [(&str, &[&str]); 4] = [
    ("which_mods_ship_this_file", &["a.pak", "b.pak"]),
    ("what_is_shipped_twice", &["2", "1000", "[a.pak, b.pak]"]),
    ("what_changed_between_two_catalogs", &["b.pak", "maps/start.bsp", "c.pak", "quake.rc"]),
    ("the_catalog_as_parquet", &[]),
];

fn main() -> ExitCode {
    let queries = queries();
    assert_eq!(queries.len(), ANSWERS.len(), "the page has other queries");
    let trials = queries.into_iter().zip(ANSWERS).map(|(query, (name, expected))| {
        Trial::ignorable_test(format!("{name}_in_duckdb"), move || in_duckdb(&query, expected))
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// The command lines of the page that use DuckDB.
fn queries() -> Vec<String> {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/archives.md")).unwrap();
    page.lines().filter(|line| line.starts_with("duckdb ")).map(str::to_owned).collect()
}

fn pak(path: &Path, files: &[(&str, &[u8])]) {
    let mut builder = Builder::new(Layout::Quake);
    files.iter().for_each(|(name, content)| builder.add(name, *content).unwrap());
    fs::write(path, builder.finish().unwrap()).unwrap();
}

/// A folder with two catalogs of archives. Between the two, one archive changed and another was added.
fn mods(folder: &Path) {
    let catalog = |name: &str| {
        let [out, archives] =
            [folder.join(name), folder.join("mods")].map(|path| path.to_str().unwrap().to_owned());
        let (mut printed, mut errors) = (Vec::new(), Vec::new());
        let mut console = Console::plain(&mut printed, &mut errors);
        let exit = run(["quakefs", "pak", "catalog", &archives, "-o", &out], &mut console);
        assert_eq!(exit, Exit::Done, "{}", String::from_utf8_lossy(&errors));
    };
    let shared = [7; 1000];
    fs::create_dir(folder.join("mods")).unwrap();
    pak(&folder.join("mods/a.pak"), &[("maps/start.bsp", b"one"), ("progs.dat", &shared)]);
    pak(&folder.join("mods/b.pak"), &[("maps/start.bsp", b"two"), ("old/progs.dat", &shared)]);
    catalog("old.jsonl");
    pak(&folder.join("mods/b.pak"), &[("maps/start.bsp", b"other"), ("old/progs.dat", &shared)]);
    pak(&folder.join("mods/c.pak"), &[("quake.rc", b"exec default.cfg\n")]);
    catalog("mods.jsonl");
}

fn duckdb(folder: &Path, query: &str) -> String {
    let answer = Command::new("sh").args(["-c", query]).current_dir(folder).output().unwrap();
    assert!(answer.status.success(), "{query}: {}", String::from_utf8_lossy(&answer.stderr));
    String::from_utf8(answer.stdout).unwrap()
}

fn in_duckdb(query: &str, expected: &[&str]) -> Result<Completion, Failed> {
    let there = Command::new("duckdb").arg("--version").output();
    if !there.is_ok_and(|answer| answer.status.success()) {
        return Ok(Completion::ignored_with("duckdb is not installed: pip install duckdb-cli"));
    }
    let folder = tempfile::tempdir().unwrap();
    mods(folder.path());
    let whole = format!("{}/mods/", folder.path().display());
    // the line itself, except the format of the answer
    let answer =
        duckdb(folder.path(), &query.replacen("duckdb", "duckdb -csv -noheader", 1)).replace(&whole, "");
    if expected.is_empty() {
        let rows =
            |file: &str| duckdb(folder.path(), &format!("duckdb -csv -c \"FROM '{file}' ORDER BY ALL\""));
        assert_eq!(rows("mods.parquet"), rows("mods.jsonl"));
        assert!(rows("mods.parquet").contains("quake.rc"));
        return Ok(Completion::Completed);
    }
    for part in expected {
        assert!(answer.contains(part), "{query}: {part} is not in:\n{answer}");
    }
    for part in ["a.pak", "b.pak", "c.pak"].iter().filter(|part| !expected.concat().contains(**part)) {
        assert!(!answer.contains(part), "{query}: {part} is in:\n{answer}");
    }
    Ok(Completion::Completed)
}
