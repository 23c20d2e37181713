//! Wrong use, and completions. The help texts are in `binary.rs`, since their width is that of the terminal.

use insta::assert_snapshot;
use quakefs_cli::Exit;

use crate::{check, game, run, run_with, words};

#[test]
fn no_arguments_give_the_help_as_an_error() {
    let answer = run(&[]);
    assert_eq!(answer.exit, Exit::Failed);
    assert!(answer.out.is_empty());
    assert!(answer.err().contains("Usage: quakefs"));
}

/// The names of all commands, as the manual pages have them.
pub(crate) fn commands() -> Vec<String> {
    let folder = testutils::Folder::new();
    run(&["man", folder.path().as_str()]);
    let pages = folder.names("");
    assert!(pages.len() > 25, "{pages:?}");
    let names = pages.iter().filter_map(|page| page.strip_prefix("quakefs-")?.strip_suffix(".1"));
    names
        .map(|name| name.strip_prefix("pak-").map_or(name.to_owned(), |name| format!("pak {name}")))
        .collect()
}

#[test]
fn each_command_prints_its_help_and_takes_no_arguments_without_a_failure_of_its_own() {
    for command in commands() {
        let line = |more: &str| run(&words(&format!("{command} {more}")));
        for help in ["-h", "--help", "--no-such-option -h"] {
            let answer = line(help);
            let is_wrong = help.starts_with("--no");
            assert_eq!(
                answer.exit,
                if is_wrong { Exit::Failed } else { Exit::Done },
                "{command} {help}: {}",
                answer.err()
            );
            assert!(
                is_wrong || answer.out().contains(&format!("Usage: quakefs {command}")),
                "{command} {help}"
            );
        }
        let answer = run_with(|console| console.environment.folder = Some("/".into()), &words(&command));
        assert!(!answer.err().contains("a value is required for"), "{command}: {}", answer.err());
        if answer.err().contains("the following required arguments") {
            assert!(
                answer.err().contains(&format!("Usage: quakefs {command}")),
                "{command}: {}",
                answer.err()
            );
        }
    }
}

#[test]
fn version_is_printed() {
    let answer = run(&["--version"]);
    assert_eq!(answer.exit, Exit::Done);
    assert!(answer.out().starts_with("quakefs 0."), "{}", answer.out());
}

#[test]
fn an_unknown_command_is_refused() {
    assert_snapshot!(check("wich maps/start.bsp"), @"
    exit: 2
    ! error: unrecognized subcommand 'wich'
    !   tip: some similar subcommands exist: 'watch', 'which'
    ! Usage: quakefs [OPTIONS] <COMMAND>
    ");
    assert_snapshot!(check("pak ls a.pak"), @"
    exit: 2
    ! error: a.pak: open failed: No such file or directory (os error 2) +help
    ");
}

#[test]
fn an_unknown_engine_is_refused() {
    assert_snapshot!(game("--engine quakespasn path"), @"
    exit: 2
    ! error: invalid value 'quakespasn' for '--engine <NAME>'
    !   [possible values: ENGINES]
    !   tip: a similar value exists: 'quakespasm'
    ");
}

#[test]
fn an_unknown_option_is_refused() {
    assert_snapshot!(game("which --al maps/start.bsp"), @"
    exit: 2
    ! error: unexpected argument '--al' found
    !   tip: a similar argument exists: '--all'
    ! Usage: quakefs which --basedir <DIR> --all <NAME>...
    ");
}

#[test]
fn a_missing_argument_is_refused() {
    assert_snapshot!(game("which"), @"
    exit: 2
    ! error: the following required arguments were not provided:
    !   <NAME>...
    ! Usage: quakefs which --basedir <DIR> <NAME>...
    ");
    assert_snapshot!(game("cat"), @"
    exit: 2
    ! error: the following required arguments were not provided:
    !   <NAME>...
    ! Usage: quakefs cat --basedir <DIR> <NAME>...
    ");
    assert_snapshot!(game("extract"), @"
    exit: 2
    ! error: the following required arguments were not provided:
    !   --output <DIR>
    ! Usage: quakefs extract --output <DIR> --basedir <DIR> [PATTERN]...
    ");
    assert_snapshot!(game("extract -o"), @"
    exit: 2
    ! error: a value is required for '--output <DIR>' but none was supplied
    ");
    assert!(check("pak").starts_with("exit: 2\n! Look at archives"));
    assert_snapshot!(check("pak list"), @"
    exit: 2
    ! error: the following required arguments were not provided:
    !   <PATH>...
    ! Usage: quakefs pak list [OPTIONS] <PATH>... [NAME|PATTERN]...
    ");
    assert_snapshot!(check("pak cat a.pak"), @"
    exit: 2
    ! error: no entry is named
    !   help: name an entry, or give its number by --entry
    ");
    assert_snapshot!(check("completions"), @"
    exit: 2
    ! error: the following required arguments were not provided:
    !   <SHELL>
    ! Usage: quakefs completions <SHELL>
    ");
}

/// A script's variable that is not set must not become the current folder.
#[test]
fn empty_paths_are_refused() {
    assert_snapshot!(run(&["--basedir", "", "path"]).text(), @"
    exit: 2
    ! error: a value is required for '--basedir <DIR>' but none was supplied
    ");
    assert_snapshot!(run(&["--mount", "", "path"]).text(), @"
    exit: 2
    ! error: a value is required for '--mount <PATH>' but none was supplied
    ");
    assert_snapshot!(run(&["pak", "list", ""]).text(), @"
    exit: 2
    ! error: invalid value '' for '[PATH]...': expected a path or a name
    ");
}

#[test]
fn arguments_that_exclude_each_other_are_refused() {
    assert_snapshot!(game("extract -o x --overwrite --skip-existing"), @"
    exit: 2
    ! error: the argument '--overwrite' cannot be used with '--skip-existing'
    ! Usage: quakefs extract --output <DIR> --basedir <DIR> --overwrite [PATTERN]...
    ");
    assert_snapshot!(check("pak cat --entry 1 a.pak b"), @"
    exit: 2
    ! error: entries are named and numbered
    !   help: name an entry, or give its number by --entry
    ");
}

#[test]
fn values_without_a_meaning_are_refused() {
    assert_snapshot!(game("extract -o x --max-output lots"), @"
    exit: 2
    ! error: invalid value 'lots' for '--max-output <SIZE>': expected a number with K, M, G or T after it, such as 500M
    ");
    assert_snapshot!(game("extract -o x --max-output 5X"), @"
    exit: 2
    ! error: invalid value '5X' for '--max-output <SIZE>': expected a number with K, M, G or T after it, such as 500M
    ");
    assert_snapshot!(check("pak list --layout doom a.pak"), @"
    exit: 2
    ! error: invalid value 'doom' for '--layout <LAYOUT>'
    !   [possible values: quake, sin, hrot, daikatana]
    ");
    assert_snapshot!(check("pak cat --entry first a.pak"), @"
    exit: 2
    ! error: invalid value 'first' for '--entry <N>': invalid digit found in string
    ");
    assert_snapshot!(check("completions tcsh"), @"
    exit: 2
    ! error: invalid value 'tcsh' for '<SHELL>'
    !   [possible values: bash, elvish, fish, powershell, zsh]
    !   tip: a similar value exists: 'zsh'
    ");
}

#[test]
fn options_of_a_game_are_refused_for_an_archive() {
    assert_snapshot!(check("--engine winquake pak list [PAK]/ok/hrot.pak"), @"
    exit: 2
    ! error: unexpected argument '--engine' found
    !   tip: '--engine' is an option of: path, which, ls, watch, cat, extract, shadows, check, fix, companions, needs, unused, pack, report, games, mods, pak diff, pak merge
    ! Usage: quakefs pak list [OPTIONS] <PATH>... [NAME|PATTERN]...
    ");
    for option in [
        "--basedir x",
        "--game x",
        "--hipnotic",
        "--rogue",
        "--quoth",
        "--mission x",
        "--mount x",
        "--userdir x",
        "--no-userdir",
    ] {
        let answer = run(&words(&format!("pak list [PAK]/ok/hrot.pak {option}")));
        assert_eq!(answer.exit, Exit::Failed);
        assert!(answer.out.is_empty());
        assert!(
            answer.err().starts_with(&format!("error: unexpected argument '{}' found", words(option)[0])),
            "{}",
            answer.err()
        );
    }
}

#[test]
fn an_option_may_stand_on_both_sides_of_the_name_and_the_later_value_counts() {
    let twice = game("--engine nothing --json ls --json quake.rc --engine winquake");
    assert!(twice.contains("invalid value 'nothing'"), "{twice}");
    let twice = game("--engine darkplaces --json path --json --engine winquake");
    assert_eq!(twice, game("--engine winquake --json path"));
    assert_eq!(game("--game mymod path --game gapmod"), game("path --game mymod --game gapmod"));
}

#[test]
fn an_option_of_one_command_stands_after_its_name() {
    assert_snapshot!(check("--once watch"), @"
    exit: 2
    ! error: unexpected argument '--once' found
    !   tip: '--once' goes after the name of its command: watch
    ! Usage: quakefs [OPTIONS] <COMMAND>
    ");
}

#[test]
fn completions_are_printed_for_each_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let answer = run(&["completions", shell]);
        assert_eq!(answer.exit, Exit::Done);
        assert!(answer.err.is_empty());
        assert!(answer.out().contains("COMPLETE"), "{shell}");
    }
}
