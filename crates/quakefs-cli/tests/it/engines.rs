//! `quakefs engines`, and rules from a file.

use insta::assert_snapshot;
use quakefs::Engine;
use quakefs_cli::Exit;
use testutils::Folder;

use crate::{Commands as _, GAME, check, run};

#[test]
fn the_table() {
    let table = check("engines");
    assert_snapshot!(table, @"
    exit: 0
    -- stdout
    engine       directories             archives, low to high                loose        names   twice
    winquake     id1 flags 1st game      pakN.pak                             below        exact   first
    quakespasm   id1 flags 1st game      pakN.pak, an empty one ends          below        exact   first
    ironwail     id1 flags games         pakN.pak, an empty one ends          below        exact   first
    qss          id1 flags games         pakN.pak+pk3 *.PAK *.PK3             above        exact+  first
    darkplaces   id1 flags games         *.PAK~ *.PK3~                        above        any     first
    fte          id1 qw fte flags games  pakN.pak pakN.pk3 *.PAK~ *.PK3~      above        any     first
    mvdsv        id1 qw 1st game         pakN.pak *.pak                       below/exact  any     first
    quake2       baseq2 game             pak0-9.pak                           below        any     first
    yquake2      baseq2 game             pak0-99.pak pak0-99.pk3 *.pak *.pk3  below/lower  any     first
    q2pro        baseq2 game             *.PAK+PKZ~, pakN first               below/lower  any     last
    goldsrc      . valve game            *.PAK *.PK3                          above/any    any     first
    quakeworld*  id1 qw                  pakN.pak                             below        exact   first
    vkquake*     id1 flags games         pakN.pak, an empty later one ends    below        exact   first
    hexen2*      data1 flags 1st game    pak0-9.pak                           above        exact   last
    sin*         base game               pak0-31.sin                          above        any     first
    daikatana*   data game               pak0-9.pak                           below        any     first
    ioquake3*    baseq3 game             *.PK3~                               above        any     last

    pakN: up to the first gap; pak0-9: gaps are skipped; *.PAK: in any case; ~: sorted without case
    loose: above or below the archives of their directory; /lower: the name, then in lower case;
      /any: in any case; /exact: as spelled, but another spelling hides the layers below
    names: how they compare; exact+: a ZIP's in lower case; twice: which of two equal rows counts
    *: known from documents; each answer of the others was recorded, and is a test
    -- stderr
    ");
    assert!(table.lines().all(|line| line.chars().count() <= 100), "for a terminal of 100 columns");
}

#[test]
fn for_programs() {
    let answer = run(&["--json", "engines"]);
    let engines = answer.json();
    assert_eq!(engines.len(), Engine::ALL.len());
    for (engine, told) in Engine::ALL.iter().zip(engines) {
        assert_eq!(told["name"], engine.name());
        let mut rules = told;
        rules.as_object_mut().unwrap().remove("evidence").unwrap();
        assert_eq!(serde_json::from_value::<quakefs::Rules>(rules).unwrap(), *engine.rules());
    }
}

#[test]
fn one_to_start_from() {
    assert_snapshot!(check("engines --toml quakespasm"), @r#"
    exit: 0
    -- stdout
    # what quakespasm does; change it and name the file by --rules
    name = "quakespasm"
    later-wins = true
    zip-names = "as-stored"
    case = "exact"
    duplicates = "first"
    registered-by = "gfx/pop.lmp"

    [directories]
    base = ["id1"]
    games = "first"
    game-folders = ["{}"]
    named-again = "missions-stay"

    [[directories.missions]]
    flag = "rogue"
    directory = "rogue"

    [[directories.missions]]
    flag = "hipnotic"
    directory = "hipnotic"

    [[directories.missions]]
    flag = "quoth"
    directory = "quoth"

    [[archives]]
    set = "numbered"
    extensions = ["pak"]
    gaps = "stop"
    empty = "ends-run"

    [paks]
    layout = "quake"
    partial-row = "ignored"
    wrong-archive = "fatal"

    [loose]
    position = "below"
    case = "exact"

    [requests]
    backslash = "literal"
    leading-slash = "literal"
    dot-component = "literal"
    empty-component = "literal"

    [limits]
    entries = 2048
    too-many = "fatal"
    name = 63
    -- stderr
    "#);
    assert_snapshot!(check("engines --toml q2pro"), @r#"
    exit: 0
    -- stdout
    # what q2pro does; change it and name the file by --rules
    name = "q2pro"
    later-wins = true
    zip-names = "as-stored"
    case = "ignored"
    duplicates = "last"

    [directories]
    base = ["baseq2"]
    missions = []
    games = "last"
    game-folders = ["{}"]
    named-again = "moves-up"

    [[archives]]
    set = "others"
    extensions = ["pak", "pkz"]
    extension-case = "ignored"
    alike = "loaded"
    order = "number-then-name"

    [paks]
    layout = "quake"
    partial-row = "ignored"
    wrong-archive = "skipped"

    [loose]
    position = "below"
    case = "exact-then-lower"

    [requests]
    backslash = "slash"
    leading-slash = "dropped"
    dot-component = "dropped"
    empty-component = "dropped"

    [limits]
    too-many = "skipped"
    name = 63
    -- stderr
    "#);
    assert_snapshot!(check("engines --toml quake"), @"
    exit: 2
    -- stdout
    -- stderr
    error: invalid value 'quake' for '--toml <NAME>'
      [possible values: winquake, quakespasm, ironwail, qss, darkplaces, fte, mvdsv, quake2, yquake2, q2pro, goldsrc, quakeworld, vkquake, hexen2, sin, daikatana, ioquake3]

      tip: a similar value exists: 'quake2'

    For more information, try '--help'.
    ");
}

#[test]
fn the_rules_that_are_printed_are_the_engines() {
    let folder = Folder::new();
    let mut compared = 0;
    for engine in Engine::ALL {
        let printed = run(&["engines", "--toml", engine.name()]);
        assert_eq!(printed.exit, Exit::Done);
        folder.write("mine.toml", printed.out());
        let own = folder.join("mine.toml");
        for games in [&[][..], &["--game", "mymod"], &["--game", "gapmod", "--game", "mymod", "--rogue"]] {
            for command in
                [&["--json", "ls"][..], &["--json", "which", "-a", "maps/start.bsp"], &["--json", "check"]]
            {
                let line = |which: &[&'static str], value: &str| {
                    let words = ["--basedir", GAME].into_iter().chain(which.iter().copied());
                    let words: Vec<_> = words
                        .chain([value])
                        .chain(games.iter().copied())
                        .chain(command.iter().copied())
                        .collect();
                    run(&words).text()
                };
                let (by_name, by_file) =
                    (line(&["--engine"], engine.name()), line(&["--rules"], own.as_str()));
                assert_eq!(by_name, by_file, "{engine} {games:?} {command:?}");
                compared += usize::from(by_name.contains("pak0.pak"));
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

/// The rules of an engine with one thing changed, as a file that is asked by `ls`.
fn changed(engine: &str, from: &str, to: &str) -> String {
    let folder = Folder::new();
    let text = run(&["engines", "--toml", engine]).out().to_owned();
    assert!(text.contains(from), "{text}");
    folder.write("mine.toml", text.replacen(from, to, 1));
    folder.check("--basedir [GAME] --rules [DIR]/mine.toml which maps/start.bsp")
}

#[test]
fn rules_of_ones_own() {
    assert_snapshot!(changed("winquake", "position = \"below\"", "position = \"above\""), @"
    exit: 0
    -- stdout
    maps/start.bsp: id1/ (57 bytes)
    -- stderr
    ");
}

#[test]
fn what_is_wrong_in_a_file_of_rules() {
    assert_snapshot!(changed("winquake", "position = \"below\"", "positon = \"below\""), @"
    exit: 2
    -- stdout
    -- stderr
    error: [DIR]/mine.toml: line 35: unknown field `positon`, expected `position` or `case`
      help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "position = \"below\"", "position = \"beneath\""), @"
    exit: 2
    -- stdout
    -- stderr
    error: [DIR]/mine.toml: line 35: unknown variant `beneath`, expected `below` or `above`
      help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "later-wins = true\n", ""), @"
    exit: 2
    -- stdout
    -- stderr
    error: [DIR]/mine.toml: line 1: missing field `later-wins`
      help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "later-wins = true", "later-wins = \"yes\""), @r#"
    exit: 2
    -- stdout
    -- stderr
    error: [DIR]/mine.toml: line 3: invalid type: string "yes", expected a boolean
      help: `quakefs engines --toml winquake` prints rules to start from
    "#);
    assert_snapshot!(changed("winquake", "games = \"first\"", "games = 1"), @"
    exit: 2
    -- stdout
    -- stderr
    error: [DIR]/mine.toml: line 11: wanted string or table
      help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "gaps = \"stop\"", "gaps = \"stopp\""), @"
    exit: 2
    -- stdout
    -- stderr
    error: [DIR]/mine.toml: line 23: unknown variant `stopp`, expected `stop` or `skip`
      help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "set = \"numbered\"", "set = \"number\""), @"
    exit: 2
    -- stdout
    -- stderr
    error: [DIR]/mine.toml: line 24: unknown variant `number`, expected `numbered` or `others`
      help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "layout = \"quake\"", "layout = \"quake2\""), @r#"
    exit: 2
    -- stdout
    -- stderr
    error: [DIR]/mine.toml: line 30: no layout is called "quake2": expected quake, sin, hrot or daikatana
      help: `quakefs engines --toml winquake` prints rules to start from
    "#);
    assert_snapshot!(changed("winquake", "name = 63", "name = -1"), @"
    exit: 2
    -- stdout
    -- stderr
    error: [DIR]/mine.toml: line 47: invalid value: integer `-1`, expected u32
      help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "[directories]", "[directories"), @"
    exit: 2
    -- stdout
    -- stderr
    error: [DIR]/mine.toml: line 9: unclosed table, expected `]`
      help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "name = \"winquake\"", "name = \"\""), @"
    exit: 0
    -- stdout
    maps/start.bsp: id1/pak0.pak (entry 4, 39 bytes)
    -- stderr
    ");
}

#[test]
fn no_file_of_rules() {
    assert_snapshot!(check("--rules [GAME]/none.toml ls"), @"
    exit: 2
    -- stdout
    -- stderr
    error: [GAME]/none.toml: cannot be read: No such file or directory (os error 2)
    ");
    assert_snapshot!(check("--rules [GAME]/id1/pak0.pak ls"), @"
    exit: 2
    -- stdout
    -- stderr
    error: [GAME]/id1/pak0.pak: cannot be read: stream did not contain valid UTF-8
    ");
    assert_snapshot!(check("--rules [GAME]/id1/config.cfg ls"), @"
    exit: 2
    -- stdout
    -- stderr
    error: [GAME]/id1/config.cfg: line 1: key with no value, expected `=`
      help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(check("--engine fte --rules [GAME]/id1/config.cfg ls"), @"
    exit: 2
    -- stdout
    -- stderr
    error: the argument '--engine <NAME>' cannot be used with '--rules <FILE>'

    Usage: quakefs --engine <NAME> <COMMAND>

    For more information, try '--help'.
    ");
}
