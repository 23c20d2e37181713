//! `quakefs engines`, and rules from a file.

use insta::assert_snapshot;
use quakefs::rules::{Family, LoosePosition};
use quakefs::{Engine, Rules};
use quakefs_cli::Exit;
use testutils::Folder;

use crate::{Commands as _, brief, check, engine_names, run};

/// The README shows the table, and its suite compares the two.
#[test]
fn the_table_has_a_row_for_each_engine() {
    let answer = run(&["engines"]);
    assert_eq!((answer.exit, answer.err()), (Exit::Done, ""));
    let table = answer.out();
    assert!(table.lines().all(|line| line.chars().count() <= 100), "for a terminal of 100 columns: {table}");
    let rows: Vec<_> = table.lines().skip(1).take_while(|line| !line.is_empty()).collect();
    let of_engines = || rows.iter().filter(|row| row.starts_with(' ') && !row.starts_with("  "));
    let named: Vec<_> = of_engines().map(|row| row.split_whitespace().next().unwrap()).collect();
    let expected: Vec<Engine> = Family::engines().into_iter().flat_map(|(_, engines)| engines).collect();
    assert_eq!(named, expected.iter().map(|engine| engine.name()).collect::<Vec<_>>());
    let games: Vec<_> = rows.iter().copied().filter(|row| !row.starts_with(' ')).collect();
    let families = Family::known().iter().map(|family| &*family.name);
    assert_eq!(games, families.chain(["one game alone"]).collect::<Vec<_>>());
    let header = table.lines().next().unwrap();
    let columns: Vec<_> = header.split("  ").map(str::trim).filter(|column| !column.is_empty()).collect();
    assert_eq!(columns, ["engine", "game directories", "archives, low to high", "loose", "case", "as of"]);
    let dates = of_engines().map(|row| row.rsplit(' ').next().unwrap());
    assert!(dates.zip(expected).all(|(date, engine)| engine.as_of().date.starts_with(date)), "{table}");
    let documented = Engine::ALL.iter().filter(|engine| engine.as_of().run.is_empty());
    let documented: Vec<_> = documented.map(|engine| engine.name()).collect();
    let words: Vec<_> = table.split_whitespace().collect();
    let expected = format!("Known from documents and source: {}.", documented.join(", "));
    assert!(words.join(" ").contains(&expected), "{table}");
}

#[test]
fn the_rules_of_one_engine_are_a_rule_file_with_comments() {
    assert_snapshot!("winquake.toml", run(&["engines", "winquake"]).out());
    for engine in Engine::ALL {
        let answer = run(&["engines", engine.name()]);
        assert_eq!((answer.exit, answer.err()), (Exit::Done, ""), "{engine}");
        assert_eq!(Rules::from_toml(answer.out()).as_ref(), Ok(engine.rules()), "{engine}");
        assert_eq!(run(&["engines", "--toml", engine.name()]).out(), answer.out(), "{engine}");
        let as_of = engine.as_of();
        let first = answer.out().lines().next().unwrap();
        let parts = [as_of.version, as_of.commit, as_of.date];
        assert!(parts.iter().all(|part| first.contains(part)), "{engine}: {first}");
    }
}

#[test]
fn the_rules_of_one_engine_are_one_object_of_json() {
    let answer = run(&["--json", "engines", "fte"]);
    let [engine] = &answer.json()[..] else { panic!("{}", answer.out()) };
    assert_eq!(
        (&engine["type"], &engine["name"], &engine["evidence"]),
        (&"engine".into(), &"fte".into(), &"recorded".into())
    );
    assert_eq!((&engine["as_of"], &engine["commit"]), (&"2026-01-05".into(), &"93257c1a".into()));
    let has = |list: &str, key: &str| engine[list].as_array().unwrap().contains(&key.into());
    assert!(has("run", "text") && has("read", "substitutes") && !has("read", "text"), "{engine}");
    let sentences = engine["sentences"].as_array().unwrap();
    let texts = |topic: &str| {
        let of_topic = sentences.iter().filter(|one| one["topic"] == topic);
        of_topic.map(|one| one["text"].as_str().unwrap()).collect::<Vec<_>>()
    };
    assert!(texts("engine")[0].starts_with("name = \"fte\" The engine's name"), "{sentences:?}");
    let games = texts("directories").into_iter().find(|text| text.starts_with("most-games = 4 "));
    assert!(games.is_some(), "{sentences:?}");
    assert!(texts("archives.sets").len() > 5, "{sentences:?}");
}

#[test]
fn the_rules_of_a_file_are_printed_with_the_inherited_ones() {
    let folder = Folder::with([(
        "mine.toml",
        "inherit = \"winquake\"\nname = \"mine\"\nloose.position = \"above\"\n",
    )]);
    let printed = folder.run("--rules [DIR]/mine.toml engines");
    assert_eq!((printed.exit, printed.err()), (Exit::Done, ""));
    let mut expected = Engine::WinQuake.rules().clone();
    expected.name = "mine".into();
    expected.loose.position = LoosePosition::Above;
    assert_eq!(Rules::from_toml(printed.out()), Ok(expected));
    let json = folder.run("--json --rules [DIR]/mine.toml engines").json();
    assert_eq!(
        (json.len(), &json[0]["name"], &json[0]["evidence"]),
        (1, &"mine".into(), &serde_json::Value::Null)
    );
}

#[test]
fn engines_refuses_arguments_that_it_would_ignore() {
    assert_snapshot!(brief(check("--game mymod engines")), @"exit 2: error: --game is no option of engines; help: it is an option of the game, and engines asks about none");
    assert_snapshot!(brief(check("--engine fte engines")), @"exit 2: error: --engine is no option of engines; help: it is an option of the game, and engines asks about none");
    assert_snapshot!(brief(check("--rules mine.toml engines fte")), @"exit 2: error: --rules FILE excludes NAME; help: leave one of them out");
    assert_snapshot!(brief(check("--json engines --toml fte")), @"exit 2: error: --toml prints TOML, and --json objects; help: leave one out: `quakefs --json engines fte`");
    assert_snapshot!(brief(check("engines fte --toml qss")), @"exit 2: error: NAME excludes --toml NAME; help: leave one of them out");
    let help = run(&["engines", "--help"]);
    assert!(help.out().contains("--rules") && !help.out().contains("--basedir"), "{}", help.out());
}

#[test]
fn engines_prints_the_rules_as_json_and_the_guide_has_their_versions() {
    let documented: Vec<_> = include_str!("../../../../docs/exact.md").lines().collect();
    let answer = run(&["--json", "engines"]);
    let engines = answer.json();
    assert_eq!(engines.len(), Engine::ALL.len());
    for (engine, mut rules) in Engine::ALL.iter().zip(engines) {
        assert_eq!(rules["name"], engine.name());
        let documented = documented.iter().find(|row| row.starts_with(&format!("| `{engine}` |"))).unwrap();
        let read: Vec<_> =
            rules["read"].as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect();
        let read = if engine.as_of().run.is_empty() { "it was not run".to_owned() } else { read.join(", ") };
        for part in [engine.as_of().version, engine.as_of().date, engine.as_of().commit, &read] {
            assert!(documented.contains(part), "docs/exact.md lacks {part:?}: {documented}");
        }
        rules.as_object_mut().unwrap().remove("commit");
        rules.as_object_mut().unwrap().remove("next");
        for key in ["type", "evidence", "version", "as_of", "run", "read", "depth", "sentences"] {
            rules.as_object_mut().unwrap().remove(key).unwrap();
        }
        assert_eq!(serde_json::from_value::<quakefs::Rules>(rules).unwrap(), *engine.rules());
    }
}

#[test]
fn an_unknown_engine_is_an_error_with_a_similar_name() {
    assert_snapshot!(check("engines --toml quakes"), @"
    exit: 2
    ! error: 'quakes' is no value of --toml NAME
    !   help: […] `quakefs engines` lists all engines
    ");
}

/// Runs `ls` with a rule file that changes one thing of an engine's rules.
fn changed(engine: &str, from: &str, to: &str) -> String {
    let folder = Folder::new();
    let answer = run(&["engines", engine]);
    let is_rule = |line: &&str| !line.trim_start().starts_with('#') && !line.is_empty();
    let text: String = answer.out().lines().filter(is_rule).flat_map(|line| [line, "\n"]).collect();
    assert!(text.contains(from), "{text}");
    folder.write("mine.toml", text.replacen(from, to, 1));
    folder.check("--basedir [GAME] --rules [DIR]/mine.toml which maps/start.bsp")
}

#[test]
fn rules_from_a_file_count() {
    assert_snapshot!(changed("winquake", "position = \"below\"", "position = \"above\""), @"maps/start.bsp: id1/ (219 bytes)");
}

/// Runs `which` with a rule file.
fn own_rules(text: impl AsRef<[u8]>) -> String {
    let folder = Folder::with([("mine.toml", text)]);
    folder.check("--basedir [GAME] --rules [DIR]/mine.toml which maps/start.bsp")
}

#[test]
fn rules_from_a_file_inherit_an_engines_rules() {
    let text = "inherit = \"winquake\"\nname = \"mine\"\nloose.position = \"above\"\n";
    assert_snapshot!(own_rules(text), @"maps/start.bsp: id1/ (219 bytes)");
    assert_snapshot!(brief(own_rules("inherit = \"quake9\"").replace(&engine_names(), "ENGINES")), @r#"exit 2: error: [DIR]/mine.toml: line 1: inherit: no engine is called "quake9" ([…]): expected ENGINES; help: `quakefs engines quakespasm` prints rules to start from"#);
}

#[test]
fn rules_that_no_engine_could_follow_are_refused_with_each_fault() {
    assert_snapshot!(own_rules(
        "inherit = \"winquake\"\n[directories]\nbase = [\"../id1\", \"..\"]\n"
    ), @r#"
    exit: 2
    ! error: [DIR]/mine.toml: line 3: directories.base[0]: the directory "../id1" is not below the base directory; directories.base[1]: the directory ".." is not below the base directory
    !   help: `quakefs engines quakespasm` prints rules to start from
    "#);
}

#[test]
fn a_file_of_rules_has_a_limit() {
    let large = "#".repeat(1 << 20);
    assert_snapshot!(brief(own_rules(&large)), @r#"exit 2: error: [DIR]/mine.toml: missing key `name`: begin the file with `inherit = "quakespasm"`, or another engine, and say what differs; help: `quakefs engines quakespasm` prints rules to start from"#);
    assert_snapshot!(brief(own_rules(format!("{large}#"))), @"exit 2: error: [DIR]/mine.toml: cannot be read: it is larger than 1 MiB");
}

/// The file never ends.
#[cfg(unix)]
#[test]
fn a_device_is_not_read_to_its_end() {
    assert_snapshot!(brief(check("--basedir [GAME] --rules /dev/zero path")), @"exit 2: error: /dev/zero: not a regular file; help: `quakefs engines quakespasm` prints rules to start from");
}

#[test]
fn engines_tells_how_much_is_known_of_each() {
    let answer = run(&["engines", "--depth"]);
    let table = answer.out();
    let row =
        |engine: &str| table.lines().find(|line| line.trim_start().starts_with(engine)).unwrap().to_owned();
    let words = |engine: &str| row(engine).split_whitespace().skip(1).collect::<Vec<_>>().join(" ");
    assert_eq!(words("quakespasm-0.95 "), "run run read run read");
    assert_eq!(words("yquake2 "), "run run read read read");
    assert_eq!(words("openjk "), "run run read read read");
    assert_eq!(table.lines().take_while(|line| !line.is_empty()).count(), 13 + Engine::ALL.len());
}

#[test]
fn a_wrong_file_of_rules_is_reported_with_its_line() {
    assert_snapshot!(brief(changed("winquake", "position = \"below\"", "positon = \"below\"")), @"exit 2: error: [DIR]/mine.toml: line 56: loose.positon: unknown key `positon`, expected one of `position`, `case`, `skips-hidden`, `only-ascii`, `hides`; help: `quakefs engines quakespasm` prints rules to start from");
    assert_snapshot!(brief(changed("winquake", "[directories]", "[directories")), @"exit 2: error: [DIR]/mine.toml: line 15: unclosed table, expected `]`; help: `quakefs engines quakespasm` prints rules to start from");
    assert_snapshot!(changed("winquake", "name = \"winquake\"", "name = \"\""), @"maps/start.bsp: id1/pak0.pak (entry 4, 201 bytes)");
}

#[test]
fn a_file_of_rules_that_cannot_be_read_is_reported() {
    assert_snapshot!(brief(check("--rules [GAME]/none.toml ls")), @"exit 2: error: [GAME]/none.toml: cannot be read: No such file or directory (os error 2)");
    assert_snapshot!(brief(check("--rules [GAME]/id1/pak0.pak ls")), @"exit 2: error: [GAME]/id1/pak0.pak: the rules are not UTF-8: invalid utf-8 sequence of 1 bytes from index 4; help: `quakefs engines quakespasm` prints rules to start from");
    assert_snapshot!(brief(check("--rules [GAME]/id1/config.cfg ls")), @"exit 2: error: [GAME]/id1/config.cfg: line 1: key with no value, expected `=`; help: `quakefs engines quakespasm` prints rules to start from");
    assert_snapshot!(brief(check("--engine fte --rules [GAME]/id1/config.cfg ls")), @"exit 2: error: --engine NAME excludes --rules FILE; help: leave one of them out");
}
