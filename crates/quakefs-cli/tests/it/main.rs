//! The command line: exit code, standard output and error stream of each command, good and bad.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "a suite: what panics fails a test, and measurements are printed"
)]

#[cfg(target_os = "linux")]
mod action;
mod add;
#[cfg(target_os = "linux")]
mod advice;
mod against;
mod archives;
mod bases;
mod binary;
mod cat;
mod check;
mod choices;
mod clashes;
mod companions;
mod compare;
mod config;
mod copied_row;
mod create;
#[cfg(unix)]
mod edit;
mod engines;
mod extract;
mod extract_game;
#[cfg(target_os = "linux")]
mod faults;
mod fix;
mod formats;
mod games;
mod grep;
mod hostile;
mod limits;
mod ls;
mod manners;
mod missing;
mod mods;
mod mount;
#[cfg(all(target_os = "linux", feature = "mount"))]
mod mount_refused;
mod needs;
mod output;
mod over;
mod pak;
mod pak_damaged;
mod path;
mod pk3;
mod place;
mod place_hostile;
mod remove;
mod rename;
mod repack;
mod report;
mod samples;
mod schema;
mod sentences;
mod shadows;
mod size;
mod starts;
#[cfg(unix)]
mod story;
mod substitutes;
mod usage;
mod userdir;
mod verdict;
mod verify;
mod versions;
mod wad;
mod watch;
mod which;

use std::process::Command;

use pak_format::Layout;
use quakefs::Engine;
use quakefs_cli::{Console, Exit};
use samples::by_name;
use testutils::{Folder, pack, redacted, system_errors, zip_deflated};

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/game");
const BINARY: &str = env!("CARGO_BIN_EXE_quakefs");
const PAK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/pak");

/// What a command answered.
struct Answer {
    exit: Exit,
    out: Vec<u8>,
    err: Vec<u8>,
}

/// Runs a command line for a user without a home folder. `[GAME]` and `[PAK]` are replaced by folders of
/// `testdata`.
fn run(args: &[&str]) -> Answer {
    run_with(|_| (), args)
}

/// Runs a command line on a console that is set up first.
fn run_with(set_up: impl FnOnce(&mut Console<'_>), args: &[&str]) -> Answer {
    let args = std::iter::once("quakefs".to_owned())
        .chain(args.iter().map(|arg| arg.replace("[GAME]", GAME).replace("[PAK]", PAK)));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut console = Console::plain(&mut out, &mut err);
    console.environment.temporary = Some(std::env::temp_dir());
    set_up(&mut console);
    let exit = quakefs_cli::run(args, &mut console);
    schema::check(&out);
    Answer { exit, out, err }
}

impl Answer {
    /// The content of snapshots, in the form of [`printed`]. The sentences in it are the names of their
    /// kinds.
    fn text(&self) -> String {
        let text = printed(self.exit as i32, self.out(), self.err());
        let text = if cfg!(windows) { system_errors(&text) } else { text };
        // a pattern, as the shells of Windows have it quoted
        let text = if cfg!(windows) { text.replace("\"maps/**\"", "'maps/**'") } else { text };
        // a command of Linux
        let text = text.replace(", mods, mount", ", mods");
        let text = by_name(&redacted(&redacted(&text, GAME, "[GAME]"), PAK, "[PAK]"));
        with_short_help(&text)
    }

    fn out(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    fn err(&self) -> &str {
        std::str::from_utf8(&self.err).unwrap()
    }

    /// Every line as JSON.
    fn json(&self) -> Vec<serde_json::Value> {
        self.out().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// The exit code unless it is 0, standard output, and the lines of the error stream after `! `.
fn printed(exit: i32, out: &str, err: &str) -> String {
    let mut text = String::new();
    // a first line that is indented keeps its indentation after another line
    if exit != 0 || out.is_empty() && err.is_empty() || out.starts_with(' ') {
        text.extend(["exit: ", &exit.to_string(), "\n"]);
    }
    text += out;
    if !out.is_empty() && !out.ends_with('\n') {
        text += "[no line end]\n";
    }
    for line in err.lines() {
        text += format!("! {line}").trim_end();
        text += "\n";
    }
    text
}

/// A text with `+help` instead of a known line of advice.
fn with_short_help(text: &str) -> String {
    let lines = text.lines().map(|line| match line.trim_start_matches(['!', ' ']) {
        "help: […]" => " +help".to_owned(),
        _ => format!("\n{line}"),
    });
    lines.collect::<String>().trim_start_matches('\n').to_owned() + "\n"
}

/// Every engine, as messages list them.
fn engine_names() -> String {
    Engine::ALL.iter().map(|engine| engine.name()).collect::<Vec<_>>().join(", ")
}

/// The exit code of an answer, its first message, and the advice for it: enough where a library's suite shows
/// the rest.
fn brief(answer: impl AsRef<str>) -> String {
    let mut lines = answer.as_ref().lines();
    let (exit, message) = (lines.next().unwrap(), lines.next().unwrap());
    let advice = lines.next().and_then(|line| line.strip_prefix("!   "));
    let advice = advice.map_or_else(String::new, |advice| format!("; {advice}"));
    format!("{}: {}{advice}", exit.replace(": ", " "), message.trim_start_matches("! "))
}

/// The layers in the table of `path`, highest first, and the lines after it.
fn layers(answer: impl AsRef<str>) -> String {
    // the first line names the engine
    let lines = || answer.as_ref().lines().skip_while(|line| !line.starts_with("layer")).skip(1);
    let table = lines().take_while(|line| !line.is_empty() && !line.starts_with('!'));
    let layers: Vec<_> = table.map(|line| words(line)[0]).collect();
    let rest = lines().skip(layers.len()).filter(|line| !line.is_empty() && !line.starts_with("shareware"));
    let rest = rest.map(|line| line.trim_start_matches(['!', ' ']));
    std::iter::once(&*layers.join(" > ")).chain(rest).collect::<Vec<_>>().join("; ")
}

/// The width of columns depends on the paths of this computer, so one space matches any number of spaces.
fn squeezed(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(|line| crate::words(line).join(" ")).collect();
    lines.join("\n")
}

/// Runs a command line whose arguments contain no spaces.
fn check(line: &str) -> String {
    run(&words(line)).text()
}

/// The exit code, the output and the errors of the program in a folder of nobody's home.
fn run_in(folder: &Folder, line: &str) -> (i32, String, String) {
    let mut quakefs = testutils::command(env!("CARGO_BIN_EXE_quakefs"));
    let output = quakefs.args(words(line)).current_dir(folder.path()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The same for `testdata/game`.
fn game(line: &str) -> String {
    check(&format!("--basedir [GAME] {line}"))
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// The binary, run by a user whom the modes of files and folders stop. If the tests run as root, the user
/// 65534 runs a copy of the command in `folder` instead.
#[cfg(unix)]
fn unprivileged(folder: &std::path::Path) -> Command {
    use std::os::unix::fs::MetadataExt as _;
    use std::os::unix::process::CommandExt as _;

    if std::fs::metadata(folder).unwrap().uid() != 0 {
        return testutils::command(BINARY);
    }
    // other users may not be able to read the binary's folder. A copy made by this process could still be
    // open in another thread's child, and would then not run.
    let copy = folder.join("quakefs");
    assert!(Command::new("cp").arg(BINARY).arg(&copy).status().unwrap().success());
    let mut command = testutils::command(copy);
    command.uid(65534).gid(65534);
    command
}

/// Runs command lines in a folder. `[DIR]` is replaced by its path.
trait Commands {
    /// A folder with an archive `a.pak` in it.
    fn with_archive(rows: &[(&[u8], &[u8])]) -> Self;

    fn run(&self, line: &str) -> Answer;

    fn check(&self, line: &str) -> String;

    /// The same for a user whose home folder is `home` in the folder, on a system whose root is `root` there.
    fn check_at_home(&self, line: &str) -> String;
}

impl Commands for Folder {
    fn with_archive(rows: &[(&[u8], &[u8])]) -> Self {
        Folder::with([("a.pak", archive(rows))])
    }

    fn run(&self, line: &str) -> Answer {
        run(&strs(&in_folder(self, line)))
    }

    fn check(&self, line: &str) -> String {
        self.redact(&self.run(line).text())
    }

    fn check_at_home(&self, line: &str) -> String {
        let set_up = |console: &mut Console<'_>| {
            console.environment.home = Some(self.join("home").into());
            console.environment.system = Some(self.join("system").into());
        };
        self.redact(&run_with(set_up, &strs(&in_folder(self, line))).text())
    }
}

/// The words of a command line, where `[DIR]` is the folder.
fn in_folder(folder: &Folder, line: &str) -> Vec<String> {
    words(line).iter().map(|word| word.replace("[DIR]", folder.path().as_str())).collect()
}

fn strs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// The paths of the archives in a folder of `testdata/pak`.
fn corpus(folder: &str) -> Vec<String> {
    let files = std::fs::read_dir(format!("{PAK}/{folder}")).unwrap();
    let files = files.map(|file| file.unwrap().path().into_os_string().into_string().unwrap());
    let files = files.map(|file| file.replace('\\', "/"));
    let mut files: Vec<_> = files.filter(|file| file.ends_with(".pak")).collect();
    files.sort_unstable();
    files
}

/// The bytes of the archive `a.pak` in a folder.
fn image(folder: &Folder) -> Vec<u8> {
    std::fs::read(folder.join("a.pak")).unwrap()
}

/// A Quake archive of any names.
fn archive(rows: &[(&[u8], &[u8])]) -> Vec<u8> {
    pack(Layout::Quake, rows.iter().copied())
}

/// A ZIP of deflated files.
fn zip(files: &[(&[u8], &[u8])]) -> Vec<u8> {
    zip_deflated(files.iter().copied())
}
