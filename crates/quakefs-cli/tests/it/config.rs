//! `quakefs config`: the base directory and the engine for commands that name none.

use insta::assert_snapshot;
use quakefs_cli::{Console, Exit};
use testutils::Folder;

use crate::{Answer, in_folder, run_with, strs};

/// Runs a command line for a user with a configuration, who is in the folder `here`.
fn configured(folder: &Folder, line: &str) -> Answer {
    let set_up = |console: &mut Console<'_>| {
        console.environment.configuration = Some(folder.join("config/config.toml").into());
    };
    run_with(set_up, &strs(&in_folder(folder, line)))
}

#[test]
fn config_stores_a_base_directory_and_an_engine() {
    let folder = testutils::game("quake/id1/pak0.pak: a");
    let check = |line: &str| folder.redact(&configured(&folder, line).text());
    assert_snapshot!(check("config"), @"
    file     [DIR]/config/config.toml (missing)
    basedir  not set
    engine   not set
    ");
    assert_snapshot!(check("config basedir [DIR]/quake"), @"
    file     [DIR]/config/config.toml
    basedir  [DIR]/quake
    engine   not set
    ");
    assert_snapshot!(check("config engine DarkPlaces"), @"
    file     [DIR]/config/config.toml
    basedir  [DIR]/quake
    engine   darkplaces
    ");
    assert_snapshot!(check("--json config"), @r#"{"type":"configuration","file":"[DIR]/config/config.toml","basedir":"[DIR]/quake","engine":"darkplaces"}"#);
    assert_snapshot!(check("config engine"), @"darkplaces");
    assert_snapshot!(check("config --unset engine"), @"
    file     [DIR]/config/config.toml
    basedir  [DIR]/quake
    engine   not set
    ");
    assert_snapshot!(check("config engine"), @"
    exit: 1
    ! error: engine is not set
    !   help: `quakefs config NAME VALUE` sets it
    ");
    let wrong =
        ["engine darkplases", "basedir [DIR]/nope", "basedir steam:quake", "color red", "--unset color"];
    for line in wrong {
        let answer = configured(&folder, &format!("config {line}"));
        assert_eq!((answer.exit, answer.err().contains("help: ")), (Exit::Failed, true), "{}", answer.err());
    }
}

/// Of two that set something at once, one used to lose its setting although it reported success.
#[test]
fn two_that_configure_at_once_lose_no_setting() {
    for _ in 0..300 {
        let folder = testutils::game("quake/id1/pak0.pak: a");
        let lines = ["config engine darkplaces", "config basedir [DIR]/quake"];
        let exits = std::thread::scope(|scope| {
            let of = |line| {
                let folder = &folder;
                scope.spawn(move || configured(folder, line).exit)
            };
            lines.map(of).map(|started| started.join().unwrap())
        });
        let stored = std::fs::read_to_string(folder.join("config/config.toml")).unwrap();
        for (exit, setting) in exits.into_iter().zip(["engine =", "basedir ="]) {
            assert_eq!(exit == Exit::Done, stored.contains(setting), "{exits:?} {stored}");
        }
    }
}

#[test]
fn an_option_or_a_variable_ranks_above_the_configuration() {
    let folder = testutils::game("quake/id1/pak0.pak: a; other/id1/pak0.pak: b");
    configured(&folder, "config engine darkplaces");
    let because = |line: &str, variable: Option<&str>| {
        let set_up = |console: &mut Console<'_>| {
            console.environment.configuration = Some(folder.join("config/config.toml").into());
            console.environment.engine = variable.map(Into::into);
        };
        let answer =
            run_with(set_up, &strs(&in_folder(&folder, &format!("--json --basedir [DIR]/quake {line}"))));
        let chosen = &answer.json()[0];
        format!("{}: {}", chosen["engine"].as_str().unwrap(), chosen["because"].as_str().unwrap())
    };
    assert_eq!(because("path", None), "darkplaces: configured");
    assert_eq!(because("path", Some("fte")), "fte: environment");
    assert_eq!(because("--engine ironwail path", Some("fte")), "ironwail: named");
    let path = configured(&folder, "--basedir [DIR]/quake path");
    assert!(path.out().contains("`quakefs config` names it"), "{}", path.out());
}

#[test]
fn a_configuration_that_cannot_be_read_is_named() {
    let folder = testutils::game("id1/pak0.pak: a");
    for text in ["engine = ", "color = 1", "engine = \"nope\"", "\u{0}"] {
        folder.write("config/config.toml", text);
        let answer = configured(&folder, "--basedir [DIR] path");
        assert_eq!(answer.exit, Exit::Failed, "{text}");
        assert!(answer.err().contains("config.toml") || answer.err().contains("nope"), "{}", answer.err());
        assert_eq!(configured(&folder, "pak list [DIR]/id1/pak0.pak").exit, Exit::Done);
    }
}

#[test]
#[cfg(unix)]
fn a_configuration_that_cannot_be_reached_is_no_missing_one() {
    let folder = testutils::game("quake/id1/pak0.pak: a");
    std::fs::create_dir(folder.join("config")).unwrap();
    std::os::unix::fs::symlink("config.toml", folder.join("config/config.toml")).unwrap();
    for line in ["--basedir [DIR]/quake which a", "config"] {
        let answer = configured(&folder, line);
        assert!(answer.exit == Exit::Failed && answer.err().contains("cannot be read: "), "{}", answer.err());
    }
    std::fs::remove_file(folder.join("config/config.toml")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.join("config/config.toml")).unwrap();
    assert_eq!(configured(&folder, "--basedir [DIR]/quake which a").exit, Exit::Done);
}
