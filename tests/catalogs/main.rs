//! Runs the queries and the scripts of `docs/archives.md` on a catalog of known archives.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use pak_format::{Builder, Layout};
use quakefs_cli::{Console, Exit, run};
use testutils::raw_zip::{Member, deflated, zip, zip64_extra};
use testutils::{Pack, pack};

/// The answers of the page's queries for the folder of [`mods`], in the order of the queries.
const ANSWERS: [(&str, &[&str]); 3] = [
    ("which_mods_ship_this_file", &["a.pak", "b.pak"]),
    ("what_is_shipped_twice", &["2", "1000", "[a.pak, b.pak]"]),
    ("what_changed_between_two_catalogs", &["b.pak", "maps/start.bsp", "c.pak", "quake.rc"]),
];

fn main() -> ExitCode {
    let queries = queries();
    assert_eq!(queries.len(), ANSWERS.len(), "the page has other queries");
    let queries = queries.into_iter().zip(ANSWERS).map(|(query, (name, expected))| {
        Trial::ignorable_test(format!("{name}_in_duckdb"), move || in_duckdb(&query, expected))
    });
    let scripts = scripts().into_iter().map(|script| {
        let module = module(&script);
        Trial::ignorable_test(format!("the_script_of_the_page_in_{module}"), move || in_python(&script))
    });
    let databases = DATABASES.into_iter().map(|database| {
        Trial::ignorable_test(format!("{database}_reads_late_faults_and_hostile_numbers"), move || {
            in_database(database)
        })
    });
    libtest_mimic::run(&Arguments::from_args(), queries.chain(scripts).chain(databases).collect()).exit_code()
}

/// Modules of Python that read a catalog, as in `databases.py`.
const DATABASES: [&str; 4] = ["duckdb", "polars", "datafusion", "spark"];

/// Rows before the first fault: more than any of the databases reads to infer the types.
const SOUND: u32 = 25_000;

/// The answer of every database for the folder of [`awkward`].
const AWKWARD: &str = r#"25006|125009|1|1
|25002|
entry-outside|1|the payload ends past the end of the archive: expected at most 144, found offset 9000 + size 5
outside|1|the payload is outside the archive: expected it inside 254 bytes, found offset 0 + size 18446744073709551615
too-large|1|the stored size is 18446744073709551615; the limit is 9223372036854775807
unknown-magic|1|the file is not an archive: expected the magic PACK, SPAK or HROT, found "<htm"
/mods/b.pak||0|sound/\xFF.wav||5|5
/mods/c.pak||None|||None|None
/mods/e.zip||0|maps/bomb.bsp||None|None
/mods/e.zip||1|maps/||None|None
sound/\xFF.wav||sound|quake|stored
maps/\xFF\x1B.bsp|9b0a3f9d2c4382eba8095b48b0126a69|level|quake|stored
None|6
0|12
"#;

/// A folder of archives that databases stumble over: the first fault is late, sizes are impossible, names are
/// not UTF-8.
fn awkward(folder: &Path) {
    fs::create_dir(folder).unwrap();
    let numbered = (0..SOUND).map(|number| (format!("sound/{number}.wav"), [1; 5]));
    fs::write(folder.join("a.pak"), pack(Layout::Quake, numbered)).unwrap();
    let mut cut = Pack::new(Layout::Quake);
    cut.row(b"sound/\xff.wav", 9000, 5);
    let at = cut.payload(b"here");
    cut.row(b"maps/\xff\x1b.bsp", at, 4);
    fs::write(folder.join("b.pak"), cut.finish()).unwrap();
    fs::write(folder.join("c.pak"), "<html>").unwrap();
    fs::write(folder.join("d.pak"), pack(Layout::Quake, [("", ""); 0])).unwrap();
    let claims = ["maps/bomb.bsp", "maps/"].map(|name| Member {
        size: u32::MAX,
        stored_size: u32::MAX,
        extra: zip64_extra(&[u64::MAX, u64::MAX]),
        ..deflated(name, b"\x03\x00", "")
    });
    fs::write(folder.join("e.zip"), zip(&claims)).unwrap();
}

/// Why a test that needs a module of Python is ignored.
fn without(module: &str) -> Option<Completion> {
    let there = Command::new("python3").args(["-c", &format!("import {module}")]).output();
    let is_there = there.is_ok_and(|answer| answer.status.success());
    (!is_there).then(|| Completion::ignored_with(format!("{module} is not installed: pip install {module}")))
}

fn in_database(database: &'static str) -> Result<Completion, Failed> {
    if let Some(ignored) = without(if database == "spark" { "pyspark" } else { database }) {
        return Ok(ignored);
    }
    let folder = tempfile::tempdir().unwrap();
    awkward(&folder.path().join("mods"));
    for (output, options) in [
        ("mods.jsonl", &[][..]),
        ("mods.parquet", &[]),
        ("parts/", &["--format", "parquet", "--per-file", "2"]),
    ] {
        let output = folder.path().join(output);
        catalog(folder.path(), &[&["-o", output.to_str().unwrap()], options].concat());
        let files = match fs::read_dir(&output) {
            Ok(parts) => parts.map(|part| part.unwrap().path()).collect(),
            Err(_) => vec![output.clone()],
        };
        assert_eq!(files.len(), if options.is_empty() { 1 } else { 3 });
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/catalogs/databases.py");
        let answer = Command::new("python3").args([script, database]).args(&files).output().unwrap();
        assert!(answer.status.success(), "{output:?}: {}", String::from_utf8_lossy(&answer.stderr));
        let answer = String::from_utf8(answer.stdout).unwrap();
        assert_eq!(answer.replace(folder.path().to_str().unwrap(), ""), AWKWARD, "{output:?}");
    }
    Ok(Completion::Completed)
}

/// Catalogs the folder `mods`.
fn catalog(folder: &Path, options: &[&str]) {
    let archives = folder.join("mods").to_str().unwrap().to_owned();
    let line = ["quakefs", "pak", "catalog", &archives].into_iter().chain(options.iter().copied());
    let (mut printed, mut errors) = (Vec::new(), Vec::new());
    let exit = run(line, &mut Console::plain(&mut printed, &mut errors));
    assert_eq!(exit, Exit::Done, "{}", String::from_utf8_lossy(&errors));
}

fn page() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/archives.md")).unwrap()
}

/// The command lines of the page that use DuckDB.
fn queries() -> Vec<String> {
    page().lines().filter(|line| line.starts_with("duckdb ")).map(str::to_owned).collect()
}

/// The scripts of the page.
fn scripts() -> Vec<String> {
    let page = page();
    let blocks = page.split("```python\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

/// The module that a script imports first.
fn module(script: &str) -> String {
    script.split([' ', '.', '\n']).nth(1).unwrap().to_owned()
}

/// Runs a script of the page, which counts the faults.
fn in_python(script: &str) -> Result<Completion, Failed> {
    if let Some(ignored) = without(&module(script)) {
        return Ok(ignored);
    }
    let folder = tempfile::tempdir().unwrap();
    mods(folder.path());
    catalog(folder.path(), &["-o", folder.path().join("mods.parquet").to_str().unwrap()]);
    let answer = Command::new("python3").args(["-c", script]).current_dir(folder.path()).output().unwrap();
    assert!(answer.status.success(), "{script}: {}", String::from_utf8_lossy(&answer.stderr));
    let answer = String::from_utf8(answer.stdout).unwrap();
    let count = answer.lines().find(|line| line.contains("unknown-magic"));
    assert!(count.is_some_and(|line| line.contains(" 1 ") || line.contains("1|")), "{script}: {answer}");
    Ok(Completion::Completed)
}

fn pak(path: &Path, files: &[(&str, &[u8])]) {
    let mut builder = Builder::new(Layout::Quake);
    files.iter().for_each(|(name, content)| builder.add(name, *content).unwrap());
    fs::write(path, builder.finish().unwrap()).unwrap();
}

/// A folder with two catalogs of archives. Between the two, one archive changed and another was added.
fn mods(folder: &Path) {
    let catalog = |name: &str| catalog(folder, &["-o", folder.join(name).to_str().unwrap()]);
    let shared = [7; 1000];
    fs::create_dir(folder.join("mods")).unwrap();
    pak(&folder.join("mods/a.pak"), &[("maps/start.bsp", b"one"), ("progs.dat", &shared)]);
    pak(&folder.join("mods/b.pak"), &[("maps/start.bsp", b"two"), ("old/progs.dat", &shared)]);
    // neither a name twice nor an archive that cannot be read is a change
    fs::write(folder.join("mods/bad.pak"), "no archive").unwrap();
    fs::write(folder.join("mods/twice.pak"), pack(Layout::Quake, [("x.cfg", "1"), ("x.cfg", "2")])).unwrap();
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
    for part in expected {
        assert!(answer.contains(part), "{query}: {part} is not in:\n{answer}");
    }
    for part in ["a.pak", "b.pak", "c.pak", "twice.pak", "bad.pak"]
        .iter()
        .filter(|part| !expected.concat().contains(**part))
    {
        assert!(!answer.contains(part), "{query}: {part} is in:\n{answer}");
    }
    Ok(Completion::Completed)
}
