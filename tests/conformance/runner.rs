//! Holds another program against the recorded answers. `testdata/conformance/README.md` has the form of its
//! answers.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Seek as _, Write as _};
use std::process::{Command, Stdio};

use camino::Utf8Path;
use flate2::read::GzDecoder;
use libtest_mimic::Trial;
use serde_json::Value;

use crate::layout::is_same;
use crate::recorded::Recording;
use crate::wide::Wide;

/// Writes a layout below a base directory and a user directory.
type LayOut = Box<dyn Fn(&Utf8Path, &Utf8Path)>;

/// The bytes of a file, if there is one.
pub(crate) type Content = Option<Vec<u8>>;

/// A layout, and what an engine loaded for each name.
pub(crate) struct Question {
    /// The name of the layout.
    pub(crate) layout: String,
    /// The options of the engine: flags and games.
    pub(crate) line: Vec<String>,
    /// Values of `+set`. Those whose name ends in `path` are folders of the layout.
    pub(crate) settings: BTreeMap<String, String>,
    pub(crate) has_user: bool,
    /// Whether the engine ends with an error instead.
    pub(crate) stops: bool,
    /// For each name, the contents that may be the answer; `None` if there is no such file.
    pub(crate) answers: BTreeMap<Vec<u8>, Vec<Content>>,
    /// Writes the layout below a base directory and a user directory.
    pub(crate) lay_out: LayOut,
}

/// The flags and games as options of an engine.
pub(crate) fn engine_line(flags: &[String], games: &[String]) -> Vec<String> {
    let games = games.iter().flat_map(|game| ["-game".to_owned(), game.clone()]);
    flags.iter().cloned().chain(games).collect()
}

/// The result of a run.
#[derive(Default)]
pub(crate) struct Report {
    /// One sentence each.
    pub(crate) differences: Vec<String>,
    /// The number of answers compared, and of layouts whose answer cannot be repeated here.
    pub(crate) compared: usize,
    pub(crate) skipped: usize,
}

/// Asks a program about every layout of a recording.
pub(crate) fn run(program: &Utf8Path, recording: Vec<Value>) -> Result<Report, String> {
    let mut report = Report::default();
    for (number, layout) in recording.into_iter().enumerate() {
        let unknown = |error: serde_json::Error| format!("layout {number}: {error}");
        // a console changes the game after the start, and pictures are no answers
        let question = if layout.get("console").is_some() || layout.get("answers").is_none() {
            None
        } else if layout.get("direction").is_some() {
            serde_json::from_value::<Wide>(layout).map_err(unknown)?.question()
        } else {
            Some(serde_json::from_value::<Recording>(layout).map_err(unknown)?.question())
        };
        match question {
            Some(question) => question.put_to(program, &mut report)?,
            None => report.skipped += 1,
        }
    }
    Ok(report)
}

/// Reads a recording, compressed or not.
pub(crate) fn read(path: &Utf8Path) -> Result<Vec<Value>, String> {
    let bytes = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let mut text = Vec::new();
    let read = if path.extension() == Some("gz") {
        GzDecoder::new(&*bytes).read_to_end(&mut text).map(|_| ())
    } else {
        text = bytes;
        Ok(())
    };
    read.map_err(|error| format!("{path}: {error}"))?;
    serde_json::from_slice(&text).map_err(|error| format!("{path}: {error}"))
}

impl Question {
    fn put_to(&self, program: &Utf8Path, report: &mut Report) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let folder = Utf8Path::from_path(folder.path()).ok_or("the folder for layouts is not UTF-8")?;
        let [base, home, user] = ["base", "home", "user"].map(|name| folder.join(name));
        fs::create_dir(&home).map_err(|error| error.to_string())?;
        (self.lay_out)(&base, &user);
        // random layouts keep the user directory beside the game
        let user = if base.join("USER").is_dir() { base.join("USER") } else { user };

        let mut command = Command::new(program);
        command.arg(&base).args(&self.line).env("HOME", &home);
        for (name, value) in &self.settings {
            let value = if name.ends_with("path") { base.join(value).into_string() } else { value.clone() };
            command.args(["+set", name, &value]);
        }
        if self.has_user {
            command.env("USERDIR", &user);
        }
        let mut names = tempfile::tempfile().map_err(|error| error.to_string())?;
        for name in self.answers.keys() {
            names.write_all(&[name, &b"\n"[..]].concat()).map_err(|error| error.to_string())?;
        }
        names.rewind().map_err(|error| error.to_string())?;
        let output = command.stdin(Stdio::from(names)).stderr(Stdio::inherit()).output();
        let output = output.map_err(|error| format!("{program}: {error}"))?;

        let mut differs = |text: String| report.differences.push(format!("{}: {text}", self.layout));
        let stops = !output.status.success();
        if stops != self.stops {
            let [engine, other] =
                [self.stops, stops].map(|stops| if stops { "stops" } else { "does not stop" });
            differs(format!("the engine {engine}, the program {other} ({})", output.status));
        }
        if stops || self.stops {
            report.compared += 1;
            return Ok(());
        }
        let given = answers(&output.stdout);
        for (name, expected) in &self.answers {
            report.compared += 1;
            let shown = name.escape_ascii();
            match given.get(name) {
                None => differs(format!("{shown}: the program has no line for it")),
                Some(given) if expected.iter().any(|one| is_equal(one.as_deref(), given.as_deref())) => {}
                Some(given) => {
                    let expected: Vec<_> = expected.iter().map(|one| content(one.as_deref())).collect();
                    let given = content(given.as_deref());
                    differs(format!(
                        "{shown}: the engine has {}, the program {given}",
                        expected.join(" or ")
                    ));
                }
            }
        }
        Ok(())
    }
}

fn content(bytes: Option<&[u8]>) -> String {
    bytes.map_or_else(|| "nothing".to_owned(), |bytes| format!("\"{}\"", bytes.escape_ascii()))
}

/// The answers of a program: a name, a tab and the bytes on each line, or only the name if there is no such
/// file.
fn answers(output: &[u8]) -> BTreeMap<Vec<u8>, Option<Vec<u8>>> {
    let lines = output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let answer = |line: &[u8]| match line.iter().position(|byte| *byte == b'\t') {
        Some(tab) => (line[..tab].to_vec(), Some(unescaped(&line[tab + 1..]))),
        None => (line.to_vec(), None),
    };
    lines.map(answer).collect()
}

/// The bytes behind the escapes `\\`, `\n`, `\t` and `\xNN`.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let [first, after @ ..] = rest {
        let hex = after.get(1..3).and_then(|digits| std::str::from_utf8(digits).ok());
        let hex = hex.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let (byte, taken) = match (first, after.first(), hex) {
            (b'\\', Some(b'\\'), _) => (b'\\', 2),
            (b'\\', Some(b'n'), _) => (b'\n', 2),
            (b'\\', Some(b't'), _) => (b'\t', 2),
            (b'\\', Some(b'x'), Some(hex)) => (hex, 4),
            _ => (*first, 1),
        };
        bytes.push(byte);
        rest = &rest[taken..];
    }
    bytes
}

/// Whether two contents are of one copy. Its first line names the copy, and the engines print no more of it.
fn is_equal(recorded: Option<&[u8]>, given: Option<&[u8]>) -> bool {
    let line = |bytes: &[u8]| {
        let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        String::from_utf8_lossy(line).trim_start_matches("echo @@").to_owned()
    };
    let (recorded, given) = (recorded.map(line), given.map(line));
    is_same(recorded.as_deref(), given.as_deref())
}

pub(crate) fn trials() -> Vec<Trial> {
    let loose = |name: &str| {
        serde_json::json!({
            "engine": "quakespasm", "seed": 1, "flags": [], "games": ["mod"],
            "tree": [
                {"dir": "id1", "loose": ["b.cfg"], "paks": [{"file": "pak0.pak", "entries": ["a.cfg"]}]},
                {"dir": "mod", "paks": [], "loose": []}
            ],
            "answers": {"b.cfg": "id1/b.cfg", "no.cfg": null, name: "id1/pak0.pak:0"},
        })
    };
    // reads loose files of id1 and no archive
    let script = "#!/bin/sh\nwhile read -r name; do\n\
        [ -f \"$1/id1/$name\" ] && printf '%s\\t%s\\n' \"$name\" \"$(cat \"$1/id1/$name\")\" || echo \"$name\"\n\
        done\n";
    let trial = Trial::test("runner::a_program_that_reads_no_archive_is_reported", move || {
        let folder = tempfile::tempdir().unwrap();
        let program = Utf8Path::from_path(folder.path()).unwrap().join("ask.sh");
        fs::write(&program, script).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&program, mode).unwrap();
        let rows = program.with_file_name("rows.json");
        fs::write(&rows, serde_json::json!([loose("a.cfg")]).to_string()).unwrap();
        let report = run(&program, read(&rows)?)?;
        assert_eq!(report.compared, 3);
        let expected = r#"seed 1: a.cfg: the engine has "echo @@id1/pak0.pak:0\n", the program nothing"#;
        assert_eq!(report.differences, [expected]);
        Ok(())
    });
    vec![trial]
}
