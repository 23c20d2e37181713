//! The console blocks of the README and of `docs`, each as a terminal shows it. The blocks `console NAME` of
//! a page are one story: a shell on a terminal runs its `$` lines in `testdata/game` of a checkout, for a
//! user who has nothing else. `UPDATE=1` writes the output to the page.

use std::process::{Command, Stdio};

use testutils::{Folder, testdata};

use crate::BINARY;

/// The folder that a page starts in.
const START: &str = "quakefs/testdata/game";

/// A program without variables but these, for a user whose home folder this is.
fn program(name: &str, home: &Folder) -> Command {
    let binaries = std::path::Path::new(BINARY).parent().unwrap().to_str().unwrap();
    let mut program = Command::new(name);
    program.env_clear().env("PATH", format!("{binaries}:/usr/bin:/bin")).env("HOME", home.path());
    // neither colours nor progress bars
    program.env("TERM", "dumb").env("SHELL", "/bin/bash").stdin(Stdio::null()).current_dir(home.path());
    program
}

/// A home folder with a checkout.
fn home() -> Folder {
    let home = Folder::new();
    std::fs::create_dir_all(home.join("quakefs/testdata")).unwrap();
    for name in ["game", "lamps"] {
        let copy = home.join("quakefs/testdata").join(name);
        let copied =
            Command::new("cp").args(["-r", testdata(name).as_str(), copy.as_str()]).status().unwrap();
        assert!(copied.success());
    }
    home
}

/// What a terminal shows after each command, if one shell runs all of them.
fn answers(commands: &[&str]) -> Vec<String> {
    let home = home();
    // otherwise the terminal ends a line with a carriage return, too
    let mut script = format!("stty -onlcr rows 50 cols 200\ncd {START}\n");
    for command in commands {
        script.extend([command, "\nprintf '\x1e'\n"]);
    }
    home.write("script", script);
    let mut terminal = program("script", &home);
    let answer = terminal.args(["-qec", "bash --norc ~/script", "/dev/null"]).output().unwrap();
    let text = String::from_utf8(answer.stdout).unwrap().replace(home.path().as_str(), "~");
    let mut answers: Vec<_> = text.split('\x1e').map(str::to_owned).collect();
    // the shell's exit is not shown
    answers.truncate(commands.len());
    answers
}

#[testneeds::program("script")]
#[test]
fn the_console_blocks_of_the_guide_are_what_a_terminal_shows() {
    testutils::check_pages("-p quakefs-cli --test it story", answers);
}

/// The block of `docs/needs.md` in this language.
fn block(language: &str) -> String {
    let page = std::fs::read_to_string(testdata("../docs/needs.md")).unwrap();
    page.split(&format!("```{language}\n")).nth(1).unwrap().split("```").next().unwrap().to_owned()
}

/// The command lines of `docs/needs.md` about lists, for a level of Quake II.
#[test]
fn the_lists_of_the_page_name_the_file_and_the_archive() {
    let home = home();
    home.write("baseq2/pics/colormap.pcx", "");
    let entities = "{ classname worldspawn } { classname target_speaker noise dusk/gate.wav }";
    home.write("mymod/maps/dusk.bsp", crate::needs::level_of_quake2(entities));
    home.write("mymod/sound/dusk/gate.wav", testutils::content::wav(11_025, 10));
    for (line, list) in block("sh").lines().zip(["sound/dusk/gate.wav\n", "dusk.pak\n"]) {
        // the engine needs more files to start, so the exit code is 1
        program("sh", &home).args(["-c", line]).status().unwrap();
        assert_eq!(std::fs::read_to_string(home.join("web/mymod/maps/dusk.filelist")).unwrap(), list);
    }
    assert!(home.join("web/mymod/dusk.pak").exists());
}

/// The rule of `docs/needs.md` for `make`, in the folder of its mod.
#[testneeds::program("make")]
#[test]
fn make_fails_until_no_file_is_missing() {
    let home = home();
    home.write("quakefs/testdata/lamps/dusk/Makefile", block("make"));
    let folder = home.join("quakefs/testdata/lamps/dusk");
    let make = || program("make", &home).current_dir(&folder).status().unwrap().success();
    assert_eq!([make(), make()], [false, false]);
    assert!(!folder.join("release.pak").exists());
    for (from, to) in [("progs/Lamp.mdl", "progs/lamp.mdl"), ("sound/dusk/gaet.wav", "sound/dusk/gate.wav")] {
        std::fs::rename(folder.join(from), folder.join(to)).unwrap();
    }
    assert!(make() && folder.join("release.pak").exists());
}
