//! Behaviour that a user expects of every command: where it looks, how its lists pipe, how it uses a
//! terminal.

use std::io::Write as _;
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use quakefs_cli::Console;
use testutils::{Folder, command, game};

use crate::{Answer, BINARY, Commands as _, brief, check, printed, run, run_with, words};

fn quake() -> Folder {
    game(
        "id1/pak0.pak: progs.dat maps/start.bsp sound/a.wav=RIFF; \
         ad/pak0.pak: progs.dat maps/ad_start.bsp; ad/maps/src/: x.map; elsewhere/: x",
    )
}

/// The command, run in a folder with some variables.
fn command_in(folder: &Folder, current: &str, variables: &[(&str, &str)], line: &str) -> Command {
    let mut command = command(BINARY);
    command.args(words(&line.replace("[DIR]", folder.path().as_str())));
    command.current_dir(folder.join(current));
    command
        .envs(variables.iter().map(|(name, value)| (name, value.replace("[DIR]", folder.path().as_str()))));
    command
}

/// What the command prints there: both streams.
fn run_in(folder: &Folder, current: &str, variables: &[(&str, &str)], line: &str) -> String {
    let answer = command_in(folder, current, variables, line).output().unwrap();
    let part = |bytes| String::from_utf8(bytes).unwrap();
    let code = answer.status.code().unwrap();
    folder.redact(&printed(code, &part(answer.stdout), &part(answer.stderr)))
}

/// What a command prints on a terminal.
fn on_terminal(columns: usize, line: &str) -> Answer {
    run_with(|console| console.columns = Some(columns), &words(line))
}

#[test]
fn the_base_directory_is_looked_for_above_the_current_folder() {
    let folder = quake();
    assert_snapshot!(run_in(&folder, "", &[], "which progs.dat"), @"progs.dat: id1/pak0.pak (entry 0, 14 bytes)");
    assert_snapshot!(run_in(&folder, "ad/maps/src", &[], "which progs.dat"), @"
    progs.dat: ad/pak0.pak (entry 0, 13 bytes)
    ! note: the base directory is [DIR], and the game ad
    ");
    assert_snapshot!(run_in(&folder, "id1", &[], "which progs.dat"), @"
    progs.dat: id1/pak0.pak (entry 0, 14 bytes)
    ! note: the base directory is [DIR]
    ");
}

#[test]
fn a_named_game_replaces_the_one_of_the_current_folder() {
    let folder = quake();
    folder.write("other/progs.dat", "1");
    assert_snapshot!(run_in(&folder, "ad", &[], "--game other which progs.dat"), @"
    progs.dat: other/ (1 byte)
    ! note: the base directory is [DIR]
    ");
    assert_snapshot!(run_in(&folder, "ad", &[], "--basedir .. which progs.dat"), @"progs.dat: id1/pak0.pak (entry 0, 14 bytes)");
}

#[cfg(unix)]
#[test]
fn a_mod_that_is_linked_into_the_base_directory_is_a_game_there() {
    let folder = quake();
    let source = Folder::with([("progs.dat", "mine")]);
    std::os::unix::fs::symlink(source.path(), folder.join("mine")).unwrap();
    let logical = folder.join("mine");
    assert_snapshot!(run_in(&folder, "mine", &[("PWD", logical.as_str())], "which progs.dat"), @"
    progs.dat: mine/ (4 bytes)
    ! note: the base directory is [DIR], and the game mine
    ");
    // a variable that is not true is not believed
    assert_snapshot!(run_in(&folder, "ad", &[("PWD", logical.as_str())], "which progs.dat"), @"
    progs.dat: ad/pak0.pak (entry 0, 13 bytes)
    ! note: the base directory is [DIR], and the game ad
    ");
}

#[test]
fn a_comparison_notes_the_base_directory_once() {
    let folder = quake();
    assert_snapshot!(run_in(&folder, "ad", &[], "compare winquake darkplaces"), @"
    they load the same files: 5 names compared
    ! note: the base directory is [DIR], and the game ad
    ");
}

#[test]
fn variables_set_the_base_directory_and_the_engine() {
    let folder = quake();
    let variables = [("QUAKEFS_BASEDIR", "[DIR]"), ("QUAKEFS_ENGINE", "DP")];
    assert_snapshot!(run_in(&folder, "elsewhere", &variables, "which PROGS.DAT"), @"PROGS.DAT: id1/pak0.pak (as progs.dat, entry 0, 14 bytes)");
    assert_snapshot!(brief(run_in(&folder, "elsewhere", &variables, "--engine qs which PROGS.DAT")), @"exit 1: error: PROGS.DAT: not found: id1/pak0.pak has progs.dat, and quakespasm finds it only by this exact spelling; help: request progs.dat");
    assert_snapshot!(run_in(&folder, "elsewhere", &[("QUAKEFS_BASEDIR", "")], "pak list [DIR]/ad/pak0.pak"), @"
    progs.dat
    maps/ad_start.bsp
    ");
}

#[test]
fn a_variable_that_names_no_engine_is_refused_by_its_name() {
    let folder = quake();
    let answer = run_in(&folder, "", &[("QUAKEFS_ENGINE", "quakes\u{1b}[2J")], "which progs.dat");
    let answer = answer.replace(&crate::engine_names(), "ENGINES");
    assert_snapshot!(brief(answer), @r#"exit 2: error: QUAKEFS_ENGINE: no engine is called "quakes\x1B[2J": expected ENGINES; help: set the variable to one of them"#);
}

#[test]
fn engines_are_known_in_any_case_and_by_the_words_that_people_type() {
    let first_line = |word: &str| {
        let answer = crate::run(&["engines", word]);
        answer.out().lines().next().unwrap_or_else(|| answer.err()).to_owned()
    };
    for (word, name) in [
        ("QuakeSpasm", "quakespasm"),
        ("qs", "quakespasm"),
        ("dp", "darkplaces"),
        ("yq2", "yquake2"),
        ("q2", "quake2"),
        ("Q3", "ioquake3"),
        ("quake", "winquake"),
    ] {
        assert_eq!(first_line(word), first_line(name), "{word}");
    }
}

#[test]
fn quiet_suppresses_warnings_and_notes_but_not_errors() {
    let folder = quake();
    assert_snapshot!(run_in(&folder, "ad", &[], "-q which progs.dat nothing.dat"), @"
    exit: 1
    progs.dat: ad/pak0.pak (entry 0, 13 bytes)
    ! error: nothing.dat: not found
    !   help: `quakefs ls` lists the names
    ");
    assert_snapshot!(folder.check("--basedir [DIR] --game adx -q which progs.dat"), @"
    exit: 1
    progs.dat: id1/pak0.pak (entry 0, 14 bytes)
    ! warning: adx/: [engine-stops|missing-directory] +help
    ");
}

#[test]
fn color_turns_colours_on_and_off() {
    let colourful = crate::run(&["--color", "always", "--basedir", crate::GAME, "which", "x"]);
    assert!(colourful.err().starts_with("\u{1b}[1;31merror:\u{1b}[0m"), "{}", colourful.err());
    let winner = crate::run(&["--color", "always", "--basedir", crate::GAME, "which", "maps/start.bsp"]);
    assert!(winner.out().starts_with("\u{1b}[1mmaps/start.bsp\u{1b}[0m: \u{1b}[32m"), "{}", winner.out());
    let plain = |console: &mut quakefs_cli::Console<'_>| console.colour_err = true;
    let plain = run_with(plain, &["--color", "never", "--basedir", crate::GAME, "which", "x"]);
    assert!(plain.err().starts_with("error:"), "{}", plain.err());
}

#[test]
#[cfg_attr(windows, ignore = "Windows has no such file names")]
fn a_list_of_names_pipes_into_another_command() {
    let folder = quake();
    folder.write("id1/odd\nname\\x41.txt", "");
    assert_snapshot!(folder.check("--basedir [DIR] ls --names"), @r"
    maps/start.bsp
    odd\x0Aname\x5Cx41.txt
    progs.dat
    sound/a.wav
    ");
    let nul = folder.run("--basedir [DIR] ls -0");
    assert_eq!(nul.out.split(|byte| *byte == 0).filter(|name| name.starts_with(b"odd")).count(), 1);
    for (list, read) in [(&nul, "which -0 -"), (&folder.run("--basedir [DIR] ls --names"), "which -")] {
        let mut command = command_in(&folder, "", &[], read);
        let mut command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        command.stdin.take().unwrap().write_all(&list.out).unwrap();
        let answer = command.wait_with_output().unwrap();
        assert!(answer.status.success());
        let answer = String::from_utf8(answer.stdout).unwrap();
        assert_eq!(answer.lines().count(), 4, "{answer}");
        assert!(answer.contains("odd\\x0Aname\\x5Cx41.txt: id1/ (0 bytes)\n"), "{answer}");
    }
}

#[test]
fn a_name_without_end_on_standard_input_is_refused() {
    let folder = quake();
    let mut command = command_in(&folder, "", &[], "which -");
    command.stdin(std::fs::File::open("/dev/zero").unwrap());
    let answer = command.output().unwrap();
    assert_eq!(answer.status.code(), Some(2));
    assert_snapshot!(String::from_utf8(answer.stderr).unwrap(), @"error: standard input: a name of more than 65 536 bytes");
}

#[test]
fn shadows_mods_and_compare_print_lists_of_names_too() {
    let folder = quake();
    let line = |line: &str| folder.check(&format!("--basedir [DIR] --game ad {line}"));
    assert_snapshot!(line("shadows --names"), @"progs.dat");
    assert_eq!(line("mods --names"), "ad\nid1\n");
    assert_eq!(folder.run("engines -0").out.split(|byte| *byte == 0).count(), quakefs::Engine::ALL.len() + 1);
    assert_snapshot!(line("compare quakespasm mvdsv --names"), @"exit: 0");
}

#[test]
fn a_pattern_without_a_match_does_not_affect_the_others() {
    let folder = quake();
    assert_snapshot!(folder.check("--basedir [DIR] ls maps nothing/*.wav *.dat progs.dax"), @r#"
    exit: 1
    id1/pak0.pak  maps/start.bsp
    id1/pak0.pak  progs.dat
    ! error: nothing matches "nothing/*.wav" +help
    ! error: progs.dax: not found: id1/pak0.pak has progs.dat
    !   help: request progs.dat
    "#);
    assert_snapshot!(folder.check("--basedir [DIR] extract sound nothing -o [DIR]/out"), @"
    exit: 1
    wrote 1 file (4 bytes) to [DIR]/out
    ! error: nothing: not found +help
    ");
    assert_snapshot!(folder.tree("out"), @"sound/a.wav: RIFF");
    assert_snapshot!(folder.check("--basedir [DIR] --game ad shadows maps/start.bsp progs.dat nothing"), @"
    exit: 1
    ad/pak0.pak  overrides  id1/pak0.pak  different   progs.dat
    ! error: nothing: not found +help
    ");
}

#[test]
fn sizes_have_spaces_only_on_a_terminal() {
    let folder = Folder::new();
    folder.write("id1/big.txt", [b'x'; 12_345]);
    let line = format!("--basedir {} ls -l", folder.path());
    assert_snapshot!(on_terminal(80, &line).out(), @"       12 345  text        id1/  big.txt");
    assert_snapshot!(crate::run(&words(&line)).out(), @"        12345  text        id1/  big.txt");
}

#[test]
fn what_a_user_copies_is_whole_on_a_terminal_of_each_width() {
    let folder = game(
        "id1/pak0.pak: gfx.wad textures/a_long_folder/and_another/a_texture.tga; id1/: gfx.wad; \
         a_mission_with_a_long_name/pak0.pak: progs.dat maps/start.bsp",
    );
    let base = folder.path();
    let name = "textures/a_long_folder/and_another/a_texture.tga";
    let commands = [
        ("ls", name),
        ("ls -l", name),
        ("mods", "-game a_mission_with_a_long_name"),
        ("compare quakespasm qss", "id1/pak0.pak:0"),
        ("compare quakespasm qss winquake darkplaces vkquake", "id1/pak0.pak:0"),
        ("path --game a_mission_with_a_long_name", "a_mission_with_a_long_name/pak0.pak"),
    ];
    for columns in [40, 56, 80, 120] {
        for (command, copied) in commands {
            let answer = on_terminal(columns, &format!("--basedir {base} {command}"));
            assert!(answer.out().contains(copied), "{command} at {columns}: {}", answer.out());
        }
        assert!(on_terminal(columns, "engines").out().contains(" darkplaces-2024"));
    }
    let wide = on_terminal(80, "engines");
    assert!(wide.out().lines().take(20).all(|line| line.chars().count() <= 80), "{}", wide.out());
    // a name alone is wider than this terminal
    assert_snapshot!(on_terminal(24, &format!("--basedir {base} mods")).out(), @"
    a_mission_with_a_long_name
      --game a_mission_with_a_long_name
      archives: 1
      maps: 1
      files: 1
      bytes: 214
      programs: progs.dat
    id1
      always
      archives: 1
      maps: -
      files: 2
      bytes: 179
      programs: -
    ");
}

#[test]
fn a_terminal_gets_only_text() {
    let folder = Folder::new();
    folder.write("id1/a.txt", "caf\u{e9}\r\n\tok\n");
    folder.write("id1/b.bsp", b"\x1d\0\0\0\x1b]0;title\x07");
    folder.write("id1/long.txt", format!("a{}", "\u{e9}".repeat(70_000)));
    let cat = |name: &str| on_terminal(80, &format!("--basedir {} cat {name}", folder.path()));
    assert_snapshot!(folder.redact(&cat("a.txt").text()), @"
    café
    	ok
    ! note: using the rules of quakespasm: the default; --engine names another
    ");
    assert_snapshot!(folder.redact(&cat("b.bsp").text()), @"
    exit: 2
    ! note: using the rules of quakespasm: the default; --engine names another
    ! error: id1/b.bsp: not a text file; its bytes could control the terminal
    !   help: `quakefs --basedir [DIR] extract b.bsp -o DIR` writes it to a folder
    ");
    assert_eq!(cat("long.txt").out().len(), 140_001);
    // each command about one engine names it
    for command in ["check", "mods", "fix", "ls"] {
        let line = format!("--basedir {} {command}", folder.path());
        assert!(on_terminal(80, &line).err().contains("note: using the rules of quakespasm"), "{command}");
        assert!(
            !on_terminal(80, &format!("{line} --engine fte")).err().contains("using the rules"),
            "{command}"
        );
    }
    let piped = folder.run("--basedir [DIR] cat b.bsp");
    assert_eq!(piped.out, b"\x1d\0\0\0\x1b]0;title\x07");
}

/// What bash offers for the last word of a line that is typed in a folder.
fn completed_by_bash(folder: &Folder, line: &str) -> Vec<String> {
    let script = r#"
        source <(quakefs completions bash)
        read -ra COMP_WORDS <<< "$LINE"
        [[ $LINE == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _clap_complete_quakefs quakefs "${COMP_WORDS[COMP_CWORD]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let binaries = std::path::Path::new(BINARY).parent().unwrap().to_str().unwrap();
    let mut bash = command("bash");
    bash.args(["--norc", "-c", script]).current_dir(folder.path()).env_remove("PWD");
    bash.env("PATH", format!("{binaries}:/usr/bin:/bin"));
    bash.env("LINE", line.replace("[DIR]", folder.path().as_str()));
    let answer = bash.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&answer.stderr), "", "{line}");
    let lines = String::from_utf8(answer.stdout).unwrap();
    lines.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[testneeds::program("bash")]
#[test]
#[cfg_attr(windows, ignore = "runs a Unix program")]
fn a_shell_completes_names_in_the_game_and_in_the_archive() {
    let folder = quake();
    let completed = |line: &str| completed_by_bash(&folder, line);
    // options follow the names
    assert_eq!(completed("quakefs which ")[..3], ["maps/", "progs.dat", "sound/"]);
    assert_eq!(
        completed("quakefs --game ad which maps/"),
        ["maps/ad_start.bsp", "maps/src/", "maps/start.bsp"]
    );
    assert_eq!(completed("quakefs ls so"), ["sound/"]);
    assert_eq!(completed("quakefs --game a"), ["ad"]);
    assert_eq!(completed("quakefs --engine iron"), ["ironwail"]);
    assert_eq!(completed("quakefs compare --game a"), ["ad"]);
    assert_eq!(completed("quakefs compare iron"), ["ironwail"]);
    assert_eq!(completed("quakefs --game ad needs ")[..2], ["ad_start", "start"]);
    assert_eq!(completed("quakefs --game ad pack maps/s"), ["maps/src/", "maps/start.bsp"]);
    assert_eq!(completed("quakefs --basedir [DIR]/a"), [folder.join("ad/")]);
    assert_eq!(completed("quakefs which --ba"), ["--basedir", "--basegame"]);
    assert_eq!(completed("quakefs pak list --ba"), Vec::<String>::new());
    assert_eq!(completed("quakefs pak remove [DIR]/ad/pak0.pak p"), ["progs.dat"]);
    assert_eq!(completed("quakefs pak x [DIR]/ad/pak0.pak maps/"), ["maps/ad_start.bsp"]);
    assert_eq!(completed("quakefs pak list [DIR]/ad/pak"), [folder.join("ad/pak0.pak")]);
    assert_eq!(completed("quakefs shad"), ["shadows"]);
    // with a line that is not whole yet, or no game at all
    assert_eq!(completed("quakefs --engine nothing cat pro"), ["progs.dat"]);
    assert_eq!(completed("quakefs --basedir /nowhere cat pro"), Vec::<String>::new());
}

#[testneeds::program("bash")]
#[test]
#[cfg_attr(windows, ignore = "Windows has no such file names")]
fn a_name_that_a_shell_would_run_is_not_offered() {
    let folder = quake();
    for name in
        ["$(reboot).cfg", "a;b.cfg", "`id`.cfg", "with space.cfg", "-rf.cfg", "\u{1b}[2J.cfg", "fine.cfg"]
    {
        folder.write(&format!("id1/odd/{name}"), "");
    }
    assert_eq!(completed_by_bash(&folder, "quakefs which odd/"), ["odd/-rf.cfg", "odd/fine.cfg"]);
    folder.write("id1/-rf.cfg", "");
    assert!(!completed_by_bash(&folder, "quakefs which ").contains(&"-rf.cfg".to_owned()));
}

#[test]
fn a_level_has_its_name_of_the_console_in_each_command() {
    let folder = quake();
    let same = |line: &str| {
        let [short, long] = ["ad_start", "maps/ad_start.bsp"]
            .map(|level| folder.run(&format!("--basedir [DIR] --game ad {}", line.replace("LEVEL", level))));
        assert_eq!((short.out(), short.err()), (long.out(), long.err()), "{line}");
        let said = short.out().to_owned() + short.err();
        assert!(said.contains("maps/ad_start.bsp"), "{line}: {said}");
    };
    // a folder of this name, as in a base directory, is not meant
    std::fs::create_dir(folder.join("ad_start")).unwrap();
    let [short, long] = ["ad_start", "maps/ad_start.bsp"].map(|level| {
        crate::run_in(&folder, &format!("--basedir [DIR] --game ad pack {level} -o a.pak --dry-run"))
    });
    assert_eq!(short, long);
    same("which LEVEL");
    same("which -a LEVEL --json");
    same("which --as companion LEVEL");
    same("needs LEVEL --json");
    same("pack LEVEL -o [DIR]/a.pak --dry-run");
}

/// Without the game that has it, or with a misspelling, as for the path.
#[test]
fn a_level_that_is_not_found_is_explained_by_its_name_of_the_console() {
    let folder = quake();
    for level in ["ad_start", "strat"] {
        for command in ["needs", "which", "pack -o [DIR]/a.pak"] {
            let [short, long] = [level.to_owned(), format!("maps/{level}.bsp")]
                .map(|level| folder.run(&format!("--basedir [DIR] {command} {level}")));
            assert_eq!(short.err(), long.err());
            assert!(short.err().contains("  help: "), "{command}: {}", short.err());
        }
    }
    let bare = folder.run("--basedir [DIR] which nothing");
    assert!(bare.err().starts_with("error: nothing: not found\n"), "{}", bare.err());
}

#[test]
fn a_folder_of_the_base_directory_leads_to_its_game() {
    let folder = quake();
    let said = |line: &str| folder.redact(folder.run(&format!("--basedir [DIR] {line}")).err());
    assert_snapshot!(said("ls ad"), @"
    error: ad: not found: it is a folder of the base directory, and names begin below it
      help: `quakefs --basedir [DIR] --game ad ls` lists the files below it
    ");
    assert_snapshot!(said("which id1"), @"
    error: id1: not found: it is a folder of the base directory, and names begin below it
      help: `quakefs --basedir [DIR] ls` lists the files below it
    ");
    assert_snapshot!(crate::run_in(&folder, "check ad").2, @"
    error: 'ad' is one word too many for check
      help: `quakefs --basedir ad check` asks about the game in this folder, `quakefs --game ad check` about the mod of this name
    ");
}

#[test]
fn a_path_before_the_word_to_look_for_is_put_right() {
    let folder = quake();
    assert_snapshot!(crate::run_in(&folder, "pak find ad progs.dat").2, @"
    error: progs.dat: there is no such file or folder, and ad is one
      help: the path comes last: `quakefs pak find progs.dat ad`
    ");
    assert_snapshot!(crate::run_in(&folder, "pak grep . worldspawn").2, @"
    error: worldspawn: there is no such file or folder, and . is one
      help: the path comes last: `quakefs pak grep worldspawn .`
    ");
    // Windows has another quote
    assert_snapshot!(crate::run_in(&folder, "pak find .dat").2.replace('"', "'"), @"
    error: .dat: not found in 2 archives
      help: `quakefs pak find '**/*.dat'` finds it in these archives
    ");
}

#[test]
fn find_without_a_path_searches_the_current_folder() {
    let folder = quake();
    let answer = crate::run_in(&folder, "pak find progs.dat");
    let paths: Vec<_> =
        answer.1.lines().map(|line| line.split(':').next().unwrap().replace('\\', "/")).collect();
    assert_eq!((answer.0, paths), (0, vec!["ad/pak0.pak".to_owned(), "id1/pak0.pak".to_owned()]));
    assert_eq!(crate::run_in(&folder, "pak find nothing.dat").0, 1);
    assert!(on_terminal(80, "pak list").err().contains("pak list needs PATH..."));
}

#[test]
fn each_command_that_changes_an_archive_lists_the_entries() {
    let folder = Folder::with_archive(&[(b"a.cfg", b"1"), (b"b.cfg", b"2"), (b"c.cfg", b"3")]);
    let said = |line: &str| folder.run(line).out().lines().next().unwrap().to_owned();
    assert_eq!(said("pak rm [DIR]/a.pak a.cfg"), "removed   a.cfg");
    assert_eq!(said("pak rename [DIR]/a.pak b.cfg d.cfg"), "renamed   d.cfg");
    folder.write("c.cfg", "4");
    assert_eq!(said("pak add [DIR]/a.pak -C [DIR] c.cfg --overwrite"), "replaced  c.cfg");
    let rows = folder.run("pak rm --json [DIR]/a.pak *.cfg").json();
    assert_eq!(rows[0]["removed"], serde_json::json!(["c.cfg", "d.cfg"]));
}

/// A manual page as `man` renders it, without bold.
fn rendered(page: &[u8]) -> String {
    let mut groff = Command::new("groff");
    groff.args(["-man", "-ww", "-Tutf8", "-P-cbou", "-rLL=120n"]);
    let mut groff =
        groff.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    groff.stdin.take().unwrap().write_all(page).unwrap();
    let answer = groff.wait_with_output().unwrap();
    assert_eq!((answer.status.code(), String::from_utf8_lossy(&answer.stderr).as_ref()), (Some(0), ""));
    String::from_utf8(answer.stdout).unwrap()
}

#[testneeds::program("groff")]
#[test]
#[cfg_attr(windows, ignore = "runs a Unix program")]
fn each_manual_page_has_a_text_for_each_option_and_the_examples_as_they_stand() {
    let folder = Folder::new();
    assert_eq!(folder.run("man --to [DIR]/man").exit, quakefs_cli::Exit::Done);
    let pages = folder.names("man");
    assert!(pages.len() > 35 && pages.contains(&"quakefs-pak-list.1".to_owned()), "{pages:?}");
    for page in pages {
        let bytes = std::fs::read(folder.join("man").join(&page)).unwrap();
        let text = rendered(&bytes);
        let lines: Vec<_> = text.lines().filter(|line| !line.is_empty()).collect();
        let name = page.trim_end_matches(".1").replace('-', " ");
        let has = |heading: &str| lines.contains(&heading);
        assert!(has("SYNOPSIS") && has("EXIT STATUS") && has("ENVIRONMENT"), "{page}: {text}");
        assert_eq!(text.contains("QUAKEFS_BASEDIR"), text.contains("--basedir <DIR>"), "{page}");
        // an option begins at the first stop, and its text, on the same line or below, at the second
        let options = lines.split(|line| ["EXAMPLES", "NOTES"].contains(line)).next().unwrap();
        for pair in options.windows(2) {
            if pair[0].starts_with("       -") {
                let alone = pair[1].starts_with("              ");
                assert!(alone || pair[0].chars().nth(13) == Some(' '), "{page}: no text: {}", pair[0]);
            }
        }
        let help = run(&words(&format!("{} --help", name.trim_start_matches("quakefs")))).out().to_owned();
        let examples = help.split("Examples:\n").nth(1).unwrap_or_default();
        let examples: Vec<_> =
            examples.lines().take_while(|line| line.starts_with("  ")).map(str::trim).collect();
        let shown: Vec<_> =
            lines.iter().skip_while(|line| **line != "EXAMPLES").map(|line| line.trim()).collect();
        for example in examples {
            assert!(shown.contains(&example), "{page}: {example}\n{text}");
        }
    }
}

#[test]
fn the_manual_page_of_one_command_is_printed() {
    let page = run(&["man", "pak", "list"]);
    assert!(page.out().contains(".SH EXAMPLES"), "{}", page.out());
    assert_eq!(page.out(), run(&["man", "quakefs-pak-list"]).out());
    assert!(run(&["man"]).out().contains("quakefs"));
    assert!(on_terminal(80, "man which").out().contains("Usage: quakefs which [OPTIONS] <NAME>..."));
    assert_snapshot!(check("man no\u{1b}such"), @r"
    exit: 2
    ! error: no\x1Bsuch: no such command
    !   help: `quakefs` lists the commands; `quakefs man --to DIR` writes all pages to a folder
    ");
}

#[test]
fn quiet_still_reports_a_misspelt_game() {
    for line in
        ["-q --basedir [GAME] --game mymdo which maps/start.bsp", "--basedir [GAME] --game mymdo ls -q maps"]
    {
        let answer = run_with(|_| (), &words(line));
        assert!(answer.err().contains("mymdo"), "{line}: {}", answer.err());
    }
}

#[test]
fn a_terminal_shows_whose_rules_apply_if_no_engine_is_named() {
    let line = "--basedir [GAME] which maps/start.bsp";
    assert_eq!(on_terminal(80, line).err().matches("using the rules of quakespasm").count(), 1);
    assert_eq!(on_terminal(80, &format!("--engine fte {line}")).err(), "");
    let variable = |console: &mut Console<'_>| {
        console.columns = Some(80);
        console.environment.engine = Some("fte".into());
    };
    assert!(
        run_with(variable, &words(line)).err().contains("using the rules of fte: QUAKEFS_ENGINE names it")
    );
    // a program reads what it always read
    assert_eq!(run_with(|_| (), &words(line)).err(), "");
    // the first line of `path` tells it
    let path = on_terminal(80, "-q --basedir [GAME] path");
    assert!(path.out().contains("the default; --engine"), "{}", path.out());
    assert!(!on_terminal(80, "--basedir [GAME] path").err().contains("using the rules of"));
}
