//! Wrong use, and completions. `binary.rs` tests the help texts, because their width depends on the terminal.

use insta::assert_snapshot;
use quakefs_cli::Exit;

use crate::{check, game, run, run_with, words};

#[test]
fn no_arguments_give_the_overview() {
    let answer = run(&[]);
    assert_eq!((answer.exit, answer.err()), (Exit::Done, ""));
    assert!(answer.out().contains("Usage: quakefs"));
}

/// The names of all commands, as the manual pages have them.
pub(crate) fn commands() -> Vec<String> {
    let folder = testutils::Folder::new();
    run(&["man", "--to", folder.path().as_str()]);
    let pages = folder.names("");
    assert!(pages.len() > 25, "{pages:?}");
    let names = pages.iter().filter_map(|page| page.strip_prefix("quakefs-")?.strip_suffix(".1"));
    names
        .map(|name| name.strip_prefix("pak-").map_or(name.to_owned(), |name| format!("pak {name}")))
        .collect()
}

#[test]
fn each_command_prints_its_help_and_its_usage_errors() {
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
        if answer.err().contains(&format!("{command} needs ")) {
            let help = format!("quakefs {command} -h` explains it");
            assert!(answer.err().contains(&help), "{command}: {}", answer.err());
        }
    }
}

#[test]
fn what_works_at_an_engines_command_line_works_here() {
    let folder = testutils::game("id1/: a; pd/: maps/start.bsp");
    let same = |line: &str, other: &str| {
        let [one, two] = [line, other].map(|line| crate::Commands::run(&folder, line));
        assert_eq!((one.out(), one.err()), (two.out(), two.err()), "{line}");
    };
    same("-basedir [DIR] -game pd which maps/start.bsp", "--basedir [DIR] --game pd which maps/start.bsp");
    same("which -basedir [DIR] --game pd +map start", "which --basedir [DIR] --game pd maps/start.bsp");
    same("path --basedir [DIR] -hipnotic", "path --basedir [DIR] --hipnotic");
    same("which --basedir [DIR] -- -game", "which --basedir [DIR] -- -game");
    let line = "-basedir [DIR] --engine ioquake3 +set dedicated 2 +set fs_game pd +exec s.cfg path";
    let answer = crate::Commands::run(&folder, line);
    assert!(answer.out().contains("pd/"), "{}", answer.out());
    let note = "note: left out, because it changes no search path: +set dedicated, +exec s.cfg";
    assert!(answer.err().contains(note), "{}", answer.err());
    let answer = crate::Commands::run(&folder, "-basedir [DIR] --engine ioquake3 +set fs_gme pd path");
    assert!(answer.err().contains("did you mean fs_game"), "{}", answer.err());
    let tip = |line: &str| {
        let answer = run(&words(line));
        assert_eq!(answer.exit, Exit::Failed);
        answer.err().lines().find(|line| line.contains("help: ")).unwrap_or_default().trim().to_owned()
    };
    assert_snapshot!(tip("find maps/start.bsp"), @"help: `quakefs which` and `quakefs ls` find files of the game, `quakefs pak find` searches archives");
    assert_snapshot!(tip("verify pak0.pak"), @"help: it is a command of pak: `quakefs pak verify`");
    assert_snapshot!(tip("-game pd +map pd1"), @"help: `quakefs needs maps/pd1.bsp` lists the missing files of the level");
}

#[test]
fn a_game_with_separators_is_named_without_them() {
    for game in ["mymod/", "mymod\\", ".\\mymod", "./mymod/"] {
        let answer = run(&["--basedir", testutils::testdata("game").as_str(), "--game", game, "path"]);
        assert!(answer.err().contains("did you mean --game mymod?"), "{game}: {}", answer.err());
    }
}

#[test]
fn a_quote_that_windows_keeps_in_a_folder_is_named_and_one_in_a_pattern_is_not() {
    let help = |args: &[&str]| run(args).err().to_owned();
    let kept = "a \\ stands before the closing quote of Quake: leave it out";
    assert!(help(&["--basedir", "Quake\" path"]).contains(kept));
    assert!(help(&["--basedir", "\"Quake\"", "path"]).contains("help: leave out the quotes around Quake\n"));
    let plain = help(&["grep", "\"classname\"", "--nosuch"]);
    assert!(plain.contains("--nosuch is no option of grep") && !plain.contains("closing quote"), "{plain}");
}

#[test]
fn an_unknown_command_of_pak_leads_to_those_of_pak() {
    assert_snapshot!(check("pak lsit a.pak"), @"
    exit: 2
    ! error: 'lsit' is no command of pak +help
    ");
    assert!(run(&["pak", "lsit"]).err().contains("did you mean `quakefs pak list`?"));
    assert!(run(&["wich"]).err().contains("did you mean `quakefs which`?"));
    assert_snapshot!(check("pak nothing-like-it"), @"
    exit: 2
    ! error: 'nothing-like-it' is no command of pak
    !   help: `quakefs pak` lists the commands
    ");
    assert_snapshot!(check("nothing-like-it"), @"
    exit: 2
    ! error: 'nothing-like-it' is no command of quakefs
    !   help: `quakefs` lists the commands
    ");
}

#[test]
fn version_is_printed() {
    let answer = run(&["--version"]);
    assert_eq!(answer.exit, Exit::Done);
    assert!(answer.out().starts_with("quakefs 0."), "{}", answer.out());
}

/// What wrong command lines answer, without the exit code 2. `''` is an empty word.
fn refused(lines: &[&str]) -> String {
    let answer = |line: &&str| {
        let words: Vec<_> = line.split(' ').map(|word| if word == "''" { "" } else { word }).collect();
        let answer = run(&words).text();
        let lines = answer.strip_prefix("exit: 2\n").unwrap_or_else(|| panic!("{line}: {answer}")).lines();
        format!("$ {line}\n{}\n", lines.collect::<Vec<_>>().join("\n"))
    };
    lines.iter().map(answer).collect()
}

#[test]
fn wrong_words_are_refused_with_a_tip() {
    assert_snapshot!(refused(&[
        "wich maps/start.bsp",
        "--once watch",
        "which --al maps/start.bsp",
        "--engine winquake pak list a.pak",
        "--engine quakespasn path",
        "pak list --layout doom a.pak",
        "completions tcsh",
        "pak cat --entry first a.pak",
        "extract -o x --max-output lots",
        "extract -o x --max-output 5X",
        "extract -o x --overwrite --skip-existing",
        "pak cat --entry 1 a.pak b",
        "pak ls nowhere.pak",
        "pak create -o a.pak b",
        "which -i maps/start.bsp",
        "which --once maps/start.bsp",
        "ls --mod mymod",
        "path -e ironwail",
        "check --os windows",
        "pak find . -name x",
        "release start",
        "companions start",
        "install mymod.zip",
    ]), @"
    $ wich maps/start.bsp
    ! error: 'wich' is no command of quakefs +help
    $ --once watch
    ! error: --once is no option of quakefs
    !   help: it goes after the name of its command: watch
    $ which --al maps/start.bsp
    ! error: --al is no option of which +help
    $ --engine winquake pak list a.pak
    ! error: --engine is no option of pak list
    !   help: it is an option of the game, and pak list asks about none
    $ --engine quakespasn path
    ! error: 'quakespasn' is no value of --engine NAME
    !   help: […] `quakefs engines` lists all engines
    $ pak list --layout doom a.pak
    ! error: 'doom' is no value of --layout LAYOUT
    !   help: expected quake, sin, hrot, daikatana
    $ completions tcsh
    ! error: 'tcsh' is no value of SHELL
    !   help: expected bash, elvish, fish, powershell, zsh
    $ pak cat --entry first a.pak
    ! error: 'first' is no value of --entry N
    !   help: expected a whole number
    $ extract -o x --max-output lots
    ! error: 'lots' is no value of --max-output SIZE
    !   help: expected a number with K, M, G or T after it, such as 500M
    $ extract -o x --max-output 5X
    ! error: '5X' is no value of --max-output SIZE
    !   help: expected a number with K, M, G or T after it, such as 500M
    $ extract -o x --overwrite --skip-existing
    ! error: --overwrite excludes --skip-existing
    !   help: leave one of them out
    $ pak cat --entry 1 a.pak b
    ! error: both names and a number select entries
    !   help: name an entry, or give its number with --entry
    $ pak ls nowhere.pak
    ! error: nowhere.pak: open failed: No such file or directory (os error 2) +help
    $ pak create -o a.pak b
    ! error: -o is no option of pak create
    !   help: the archive comes first, then its files
    $ which -i maps/start.bsp
    ! error: -i is no option of which
    !   help: quakefs which [OPTIONS] NAME...; `quakefs which -h` explains it
    $ which --once maps/start.bsp
    ! error: --once is no option of which
    !   help: it is an option of: watch
    $ ls --mod mymod
    ! error: --mod is no option of ls
    !   help: here it is --game
    $ path -e ironwail
    ! error: -e is no option of path
    !   help: here it is --engine
    $ check --os windows
    ! error: --os is no option of check
    !   help: here it is --on, such as --on windows
    $ pak find . -name x
    ! error: -n is no option of pak find
    !   help: the name or pattern comes first, then where to search: quakefs pak find '**/*.bsp' .
    $ release start
    ! error: 'release' is no command of quakefs
    !   help: here the word for it is `quakefs pack LEVEL -o FILE`
    $ companions start
    ! error: 'companions' is no command of quakefs
    !   help: here the word for it is `quakefs which --as companion LEVEL`
    $ install mymod.zip
    ! error: 'install' is no command of quakefs
    !   help: here the word for it is `quakefs place --write`
    ");
}

/// An empty word may be a variable of a script that is not set: it must not mean the current folder.
#[test]
fn missing_and_empty_words_are_refused() {
    assert_snapshot!(refused(&[
        "which",
        "cat",
        "extract",
        "extract -o",
        "extract pak0.pak",
        "pack start",
        "pack src",
        "pak create src",
        "pak list",
        "pak cat a.pak",
        "completions",
        "--basedir '' path",
        "--mount '' path",
        "--userdir '' path",
        "--mission '' path",
        "pak list ''",
        "pak extract a.pak -o ''",
    ]), @"
    $ which
    ! error: which needs NAME...
    !   help: quakefs which [OPTIONS] NAME...; `quakefs which -h` explains it
    $ cat
    ! error: cat needs NAME...
    !   help: quakefs cat [OPTIONS] NAME...; `quakefs cat -h` explains it
    $ extract
    ! error: extract needs --output DIR
    !   help: quakefs extract [OPTIONS] --output DIR [PATTERN]...; `quakefs extract -h` explains it
    $ extract -o
    ! error: --output DIR needs a value
    !   help: quakefs extract [OPTIONS] --output DIR [PATTERN]...; `quakefs extract -h` explains it
    $ extract pak0.pak
    ! error: extract needs --output DIR
    !   help: `quakefs pak extract pak0.pak -o pak0` extracts an archive, `quakefs extract` files of the game
    $ pack start
    ! error: pack needs --output FILE|DIR/
    !   help: `quakefs pack start -o start.pak` names the archive
    $ pack src
    ! error: pack needs --output FILE|DIR/
    !   help: `quakefs pak create src.pak -C src .` archives the folder
    $ pak create src
    ! error: pak create needs PATH...
    !   help: `quakefs pak create src.pak -C src .` archives the folder
    $ pak list
    ! error: pak list needs PATH...
    !   help: quakefs pak list [OPTIONS] PATH... [NAME|PATTERN]...; `quakefs pak list -h` explains it
    $ pak cat a.pak
    ! error: no entry is named
    !   help: name an entry, or give its number with --entry
    $ completions
    ! error: completions needs SHELL
    !   help: quakefs completions [OPTIONS] SHELL; `quakefs completions -h` explains it
    $ --basedir '' path
    ! error: --basedir DIR needs a value
    !   help: quakefs path [OPTIONS]; `quakefs path -h` explains it
    $ --mount '' path
    ! error: --mount PATH needs a value
    !   help: quakefs path [OPTIONS]; `quakefs path -h` explains it
    $ --userdir '' path
    ! error: --userdir DIR needs a value
    !   help: quakefs path [OPTIONS]; `quakefs path -h` explains it
    $ --mission '' path
    ! error: --mission NAME needs a value
    !   help: quakefs path [OPTIONS]; `quakefs path -h` explains it
    $ pak list ''
    ! error: '' is no value of PATH...
    !   help: expected a path or a name
    $ pak extract a.pak -o ''
    ! error: --output DIR needs a value
    !   help: quakefs pak extract [OPTIONS] PATH... [NAME|PATTERN]...; `quakefs pak extract -h` explains it
    ");
    assert!(check("pak").starts_with("Inspect, create and change archives"));
}

#[test]
fn options_of_a_game_are_refused_for_an_archive() {
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
            answer.err().starts_with(&format!("error: {} is no option of pak list", words(option)[0])),
            "{}",
            answer.err()
        );
    }
}

#[test]
fn an_option_goes_before_or_after_the_name_and_the_last_value_wins() {
    let twice = game("--engine nothing --json ls --json quake.rc --engine winquake");
    assert!(twice.contains("'nothing' is no value of --engine"), "{twice}");
    let twice = game("--engine darkplaces --json path --json --engine winquake");
    assert_eq!(twice, game("--engine winquake --json path"));
    assert_eq!(game("--game mymod path --game gapmod"), game("path --game mymod --game gapmod"));
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

#[test]
fn a_file_or_a_folder_in_the_place_of_a_command_leads_to_its_commands() {
    let folder = testutils::Folder::with([("my game/id1/pak0.pak", "PACK")]);
    for (name, command) in
        [("my game", "path"), ("my game/id1/pak0.pak", "pak list"), ("my mod.zip", "place")]
    {
        let path = folder.join(name);
        let answer = run(&[path.as_str()]);
        let help = answer.err().lines().nth(1).unwrap();
        let quoted = if cfg!(windows) { format!("\"{path}\"") } else { format!("'{path}'") };
        assert!(help.contains(command) && help.contains(&quoted), "{help}");
    }
}

#[test]
fn a_number_outside_of_its_range_is_told_the_range() {
    let answer = run(&words("pak repack a.pk3 --level 99"));
    assert!(answer.err().contains("expected a number from 0 to 9"), "{}", answer.err());
}

#[test]
#[cfg_attr(windows, ignore = "Windows shells quote differently")]
fn an_archive_where_a_game_is_asked_leads_to_the_command_of_pak() {
    let folder = testutils::game("q/id1/pak0.pak: a; d/my.pak: maps/start.bsp");
    folder.write("d/my.zip", testutils::zip([("a", "b")]));
    let help = |line: &str| {
        let (_, _, err) = crate::run_in(&folder, &format!("--basedir q {line}"));
        let line =
            err.lines().find_map(|line| line.trim().strip_prefix("help: ")).unwrap_or_default().to_owned();
        line.strip_prefix("for an archive it is ").map_or(line.clone(), str::to_owned)
    };
    for (line, expected) in [
        ("cat d/my.pak", "`quakefs pak cat ./d/my.pak NAME`; `quakefs pak list ./d/my.pak` lists the names"),
        ("cat d/my.pak maps/start.bsp", "`quakefs pak cat ./d/my.pak maps/start.bsp`"),
        ("ls -l d/my.pak", "`quakefs pak list -l ./d/my.pak`"),
        ("grep -i --engine fte WORD d/my.pak", "`quakefs pak grep -i WORD ./d/my.pak`"),
        (
            "extract d/my.pak maps/*.bsp --overwrite --output out --json",
            "`quakefs pak extract -o out --overwrite --json ./d/my.pak 'maps/*.bsp'`",
        ),
        ("extract d/my.zip -o out", "`quakefs pak extract -o out ./d/my.zip`"),
        ("grep -F -- -x d/my.pak", "`quakefs pak list ./d/my.pak` lists its files"),
        ("which d/my.pak", "`quakefs pak list ./d/my.pak` lists its files"),
        ("which d/my.zip", "`quakefs place ./d/my.zip` tells where its files go"),
        ("check d/my.pak", "`quakefs pak verify d/my.pak`"),
    ] {
        assert_eq!(help(line), expected, "{line}");
    }
}

#[test]
fn what_people_type_from_habit_leads_to_the_command() {
    let quake = testutils::game("id1/pak0.pak: a; id1/: maps/a.bsp b.wad; mod/: a; a.7z:");
    let tip = |line: &str| {
        let (code, _, err) = crate::run_in(&quake, line);
        assert_eq!(code, 2, "{line}: {err}");
        err.lines().find_map(|line| line.trim().strip_prefix("help: ")).unwrap_or_default().to_owned()
    };
    for (line, expected) in [
        ("where a", "here the word for it is `quakefs which`"),
        ("ren a b", "here the word for it is `quakefs pak rename`"),
        ("dir", "here the word for it is `quakefs ls` for a game, or `quakefs pak list`"),
        ("start", "no command starts an engine: `quakefs check` tells whether the game would start"),
        ("WHICH a", "did you mean `quakefs which`?"),
        ("pak create -r b.pak id1", "folders are taken whole: leave it out"),
        ("pak extract id1/pak0.pak -C out", "-o DIR names the folder"),
        ("place --dry-run a.zip", "nothing is written without --write"),
        ("compare id1/pak0.pak mod", "`quakefs pak diff` compares archives and folders"),
        ("a.7z", "`quakefs place a.7z` tells where it goes"),
        (
            "id1/b.wad",
            "`quakefs place id1/b.wad` tells where it goes, `quakefs pak list id1/b.wad` lists its textures",
        ),
        (
            "tar xf a",
            "here the word for it is `quakefs pak create`, `quakefs pak extract` or `quakefs pak list`",
        ),
        (
            "id1/maps",
            "`quakefs place id1/maps` tells where its files go, \
                `quakefs pak list id1/maps` lists its archives",
        ),
        ("mod", "`quakefs --basedir . --game mod path` shows what an engine loads of this mod"),
    ] {
        assert_eq!(tip(line), expected, "{line}");
    }
    for line in ["/?", "-?", "/h", "help /?"] {
        assert_eq!(run(&words(line)).out(), run(&[]).out(), "{line}");
    }
    assert_eq!(run(&["-version"]).out(), run(&["--version"]).out());
}

/// The tip for a wrong command line, without what every tip about a word begins with.
fn tip(line: &str) -> String {
    let answer = run(&words(line));
    assert_eq!(answer.exit, Exit::Failed, "{line}");
    let help = answer.err().lines().find_map(|line| line.trim().strip_prefix("help: ")).unwrap_or_default();
    help.strip_prefix("here the word for it is ").unwrap_or(help).to_owned()
}

#[test]
fn only_a_name_that_is_really_similar_is_suggested() {
    for (line, meant) in [
        ("wich a", "`quakefs which`"),
        ("hlep", "`quakefs help`"),
        ("pka list", "`quakefs pak`"),
        ("mod", "`quakefs mods`"),
        ("config_", "`quakefs config`"),
        ("pak extrat a.pak", "`quakefs pak extract`"),
        ("pak dupl a.pak", "`quakefs pak duplicates`"),
        ("which --al a", "--all"),
        ("pak extract --overwite a.pak", "--overwrite"),
        ("--gmae ad which a", "--game"),
        ("which a --gmae ad", "--game"),
        ("needs --mision x", "--mission"),
    ] {
        assert_eq!(tip(line), format!("did you mean {meant}?"), "{line}");
    }
    for line in [
        "mop",
        "sip",
        "client",
        "pak sha1 a.pak",
        "pak as a.pak",
        "pak ren2 a.pak",
        "pak re a.pak",
        "check --remove",
        "pak verify --verbose a.pak",
        "needs --count",
    ] {
        assert!(!tip(line).contains("did you mean"), "{line}: {}", tip(line));
    }
    assert!(!tip("--engine ktx path").contains("did you mean"));
    assert!(tip("--engine ironwal path").starts_with("did you mean ironwail?"));
}

#[test]
fn a_word_of_other_tools_leads_to_a_command_that_takes_it() {
    for (line, expected) in [
        ("uninstall a", "`quakefs place --undo JOURNAL`"),
        ("maps", "`quakefs ls maps`"),
        ("levels", "`quakefs ls maps`"),
        ("list mods", "`quakefs ls` for a game, `quakefs mods` for its mods, or `quakefs pak list`"),
        ("conflicts", "`quakefs shadows`"),
        ("overrides", "`quakefs shadows`"),
        ("entities start", "`quakefs grep . maps/NAME.bsp`"),
        ("deps start", "`quakefs needs`"),
        ("md5 a.pak", "`quakefs pak catalog --hash md5 PATH`, and for a game `quakefs needs --archives`"),
        ("Checksums", "`quakefs pak catalog --hash sha256 PATH`, and for a game `quakefs needs --archives`"),
        ("sv_pure", "`quakefs needs --archives`"),
        ("clients", "`quakefs needs --archives`"),
        ("fastdl", "`quakefs pack LEVEL --list -o DIR/`"),
        ("unzip -l a.zip", "`quakefs pak extract`, and for -l `quakefs pak list`"),
        ("pakextract a.pak", "`quakefs pak extract`"),
        ("rg a", "`quakefs grep`"),
        ("tree", "`quakefs ls`"),
        ("strings progs.dat", "`quakefs grep`"),
        ("verify a.pak", "it is a command of pak: `quakefs pak verify`"),
        (
            "pak sha256 a.pak",
            "`quakefs pak catalog --hash sha256 PATH`, and for a game `quakefs needs --archives`",
        ),
        ("pak recompress a.pak", "`quakefs pak repack`"),
        ("pak dedup a.pak", "`quakefs pak duplicates`"),
        ("pak validate a.pak", "`quakefs pak verify`"),
        ("pak check a.pak", "`quakefs pak verify`"),
        ("pak search a", "`quakefs pak find` for names, or `quakefs pak grep`"),
        ("pak compare a.pak b.pak", "`quakefs pak diff`"),
        ("pak rg a", "`quakefs pak grep`"),
        ("pak i a.pak", "`quakefs pak info`"),
        ("pak p a.pak b", "`quakefs pak cat`"),
        ("pak count a.pak", "`quakefs pak info`"),
        ("pak CAT a.pak b", "it is a command of pak: `quakefs pak cat`"),
        ("pak which a", "did you mean `quakefs which`?"),
        ("pak uninstall a", "`quakefs place --undo JOURNAL`"),
    ] {
        let tip = tip(line);
        assert_eq!(tip, expected, "{line}");
        for advised in tip.split('`').skip(1).step_by(2) {
            let line = advised.strip_prefix("quakefs ").unwrap();
            let answer = run(&words(&format!("{line} -h")));
            assert_eq!(answer.exit, Exit::Done, "{advised}: {}", answer.err());
        }
    }
}

#[test]
fn an_option_or_a_word_in_the_wrong_place_leads_to_the_right_one() {
    const LEFT_OUT: &str = "leave out -r, -n, -H, -E, -P and -e: it searches all files, prints their names \
        and the numbers of lines, and takes a regular expression, such as 'A|B'";
    const TAKEN: &str = "of the options of grep it takes -i, -l and -F; \\bWORD\\b finds a whole word, and \
        where to search goes after the pattern";
    for (line, expected) in [
        ("grep -rin a", LEFT_OUT),
        ("grep -e a -e b", LEFT_OUT),
        ("grep --line-number a", LEFT_OUT),
        ("pak grep -r a id1", LEFT_OUT),
        ("grep -c a", TAKEN),
        ("grep --count a", TAKEN),
        ("grep --include=*.cfg a", TAKEN),
        ("pak grep -A 2 a", TAKEN),
        ("needs start --missing", "only missing files are listed anyway: leave it out"),
        ("pak catalog --csv a.pak", "here it is --format csv"),
        ("check --sarif", "here it is --format sarif"),
        ("ls --colour never", "here it is --color"),
        ("check maps/start.bsp", "`quakefs needs maps/start.bsp` lists the missing files of the level"),
        ("pak convert a.pak b.zip", "-o b.zip names the new archive"),
        ("--engine ioquake3ded path", "the server has the rules of ioquake3: `--engine ioquake3`"),
        ("--engine q3ded path", "the server has the rules of ioquake3: `--engine ioquake3`"),
    ] {
        assert_eq!(tip(line), expected, "{line}");
    }
    let folder = testutils::game("a.pak: a; b.pak: b");
    let (_, _, err) = crate::run_in(&folder, "pak convert a.pak b.pak");
    assert!(err.contains("it takes one archive at a time"), "{err}");
}

#[test]
fn a_path_in_the_place_of_the_pattern_is_named() {
    let folder = testutils::game("arc/a.pak: maps/start.bsp; b.pak: b");
    let hash = "--hash 99aa06d3014798d86001c324468d497f";
    for line in
        [format!("pak find {hash} arc"), format!("pak find {hash} b.pak"), "pak grep b.pak".to_owned()]
    {
        let (_, _, err) = crate::run_in(&folder, &line);
        let word = line.rsplit(' ').next().unwrap();
        let note = format!("{word} is read as what to find, and the current folder is searched");
        assert!(err.contains(&note), "{line}: {err}");
        assert!(err.contains(&format!("write a pattern before {word}")), "{err}");
    }
    let (_, _, err) = crate::run_in(&folder, "pak find *.bsp arc");
    assert!(err.contains("pak find '**/*.bsp'") || cfg!(windows), "{err}");
    let (_, _, err) = crate::run_in(&folder, "pak find b");
    assert!(!err.contains("what to find"), "{err}");
}
