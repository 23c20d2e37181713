//! `quakefs engines`, and rules from a file.

use insta::assert_snapshot;
use quakefs::Engine;
use quakefs::rules::Evidence;
use quakefs_cli::Exit;
use testutils::Folder;

use crate::{Commands as _, GAME, check, engine_names, run};

/// The README shows the table, and its suite compares the two.
#[test]
fn the_table_has_a_row_for_each_engine() {
    let answer = run(&["engines"]);
    assert_eq!((answer.exit, answer.err()), (Exit::Done, ""));
    let table = answer.out();
    assert!(table.lines().all(|line| line.chars().count() <= 100), "for a terminal of 100 columns: {table}");
    let rows: Vec<_> = table.lines().skip(1).take_while(|line| !line.is_empty()).collect();
    let named = rows.iter().filter(|row| !row.starts_with(' '));
    let named: Vec<_> = named.map(|row| row.split(' ').next().unwrap()).collect();
    let expected: Vec<_> = Engine::ALL.iter().map(|engine| engine.name()).collect();
    assert_eq!(named, expected);
    let header = table.lines().next().unwrap();
    let columns: Vec<_> = header.split("  ").map(str::trim).filter(|column| !column.is_empty()).collect();
    assert_eq!(columns, ["engine", "game directories", "archives, low to high", "loose", "case"]);
    let documented = Engine::ALL.iter().filter(|engine| engine.evidence() == Evidence::Documented);
    let documented: Vec<_> = documented.map(|engine| engine.name()).collect();
    assert!(
        table.contains(&format!("Known from documents and source: {}.", documented.join(", "))),
        "{table}"
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "the snapshot is every sentence about the rules of an engine")]
fn the_rules_of_one_engine_are_said_in_sentences() {
    assert_snapshot!(check("engines quakespasm"), @r#"
    quakespasm
      Recorded: the engine was run, and every answer that it gave is a test.

    game directories
      Always searched, low to high: id1.
      Mission flags, low to high: -rogue, -hipnotic and -quoth; all that are given count.
      Of several games, the first counts.
      The folder of a game has the spelling that was given.
      The engine stops at a game if its name is empty, or is ".", or holds "..", or holds "/", or holds "\", or holds ":".
      A directory that is named again stands where it is named last, but that of a mission where its flag puts it.

    bases
      One base directory counts: the first.
      Just above each game directory stands its copy in ~/.quakespasm, in builds that have this option.

    archives
      pak0.pak and so on, up to the first number [gap after-gap]; an archive without entries counts as missing.
      Each of these stands above the one before.
      An archive whose name begins with a dot is loaded like any other.
      A pak inside an archive is an entry like any other.

    own archives
      quakespasm.pak in the base directory stands just above number 0 of the first game directory, and so does that of the user directory.
      QuakeEX.kpf in the base directory stands below everything; of its files only localization/loc_english.txt can be found.

    bytes of archives
      A PACK archive is read in the layout quake.
      Where its directory ends inside a row, the whole rows are read; where it ends past the end of the file, the whole rows that are there are read.
      A file that is no archive stops the engine.

    loose files
      Loose files stand below the archives of their directory.
      A loose file is found as it is spelled.
      In a higher layer, a file that cannot be opened also hides the copies of its name.

    names
      Names in archives compare byte for byte.
      Of two equal names in one archive, the first row counts.
      A name in a PACK that fills its field runs on into the bytes after it.

    requests
      A backslash is a byte like any other.
      A / at the start stays as it is, and for loose files the system reads it.
      A part that is a dot stays as it is, and for loose files the system reads it.
      An empty part stays as it is, and for loose files the system reads it.
      A part that begins with a dot stays as it is, and for loose files the system reads it.
      A / at the end stays as it is, and no loose file is found.
      A request has at most 255 bytes.

    companions
      Beside maps/LEVEL.bsp: maps/LEVEL.lit; not from a game directory below that of the level; its size has to fit the lights of the level.
      Beside maps/LEVEL.bsp: maps/LEVEL@CRC.ent, else maps/LEVEL.ent; not from a game directory below that of the level.
      Beside maps/LEVEL.bsp: maps/LEVEL.vis, else GAME.vis; not from a game directory below that of the level; for a level whose name has 2 letters or more.

    substitutes
      In the place of a texture: textures/LEVEL/NAME.{tga,pcx}, else textures/NAME.{tga,pcx}; the name that stands first hides the others, also from a lower game directory. Beside it, _glow or _luma is asked for.
      In the place of a sky: gfx/env/NAME{part}.{tga,pcx}; {part} is rt, bk, lf, ft, up, dn; the name that stands first hides the others, also from a lower game directory.
      In the place of a track of music: music/trackNN.{ogg,opus,mp3,flac,wav}, else music/NAME, else music/NAME.ogg, else music/NAME.opus, else music/NAME.mp3, else music/NAME.flac, else music/NAME.wav, else music/NAME.it, else music/NAME.s3m, else music/NAME.xm, else music/NAME.mod, else music/NAME.umx; the copy of the highest game directory counts, and there the extension that stands first.
      In the place of a model: no other file.
      In the place of a skin: no other file.

    console
      game takes one game and mission flags; the mission flags of the command line are dropped.

    limits
      A PACK of more than 2048 entries stops the engine.
      A name has at most 63 bytes.
      The game has at most 30 archives.

    stops at
      A file with the name of a PACK that is none.
      A PACK of more entries than it has room for.
      A game whose name the engine refuses.
      A PACK whose directory has a negative offset.
      More archives than it has handles for.
      A game without the file of a registered copy.
      A file of a registered copy that holds other bytes.

    registered copy
      A registered copy has the file gfx/pop.lmp with the bytes of id's. The shareware, an archive of 339 entries, runs without it.
    "#);
    assert_snapshot!(check("engines trenchbroom"), @"
    trenchbroom
      Documented: these rules follow documents and source, and no run.

    game directories
      Always searched, low to high: id1.
      Every game counts, each above the one before.
      The folder of a game is found in any case.
      A directory that is named again stands where it is named last.

    bases
      One base directory counts: the first.
      No directory of the user's own is searched.

    archives
      All files with .pak (PACK), in any case, by the bytes of the names.
      Each of these stands above the one before.
      An archive whose name begins with a dot is loaded like any other.
      A pak inside an archive is an entry like any other.

    bytes of archives
      A PACK archive is read in the layout quake.
      Where its directory ends inside a row, the whole rows are read; where it ends past the end of the file, the archive is not loaded.
      A file that is no archive is skipped, and so are the archives of its directory that would stand above it.

    loose files
      Loose files stand below the archives of their directory.
      A loose file is found in any case, and the requested spelling goes first.
      In a higher layer, a folder, or a file that cannot be opened also hides the copies of its name.

    names
      Names in archives compare without case.
      Of two equal names in one archive, the last row counts.
      A name in a PACK that fills its field is the whole field.

    requests
      A backslash is a byte like any other.
      A / at the start makes the request find nothing.
      A part that is a dot stays as it is, and for loose files the system reads it.
      An empty part stays as it is, and for loose files the system reads it.
      A part that begins with a dot stays as it is, and for loose files the system reads it.
      A / at the end stays as it is, and no loose file is found.
      A request has at most 255 bytes.

    limits
      A name has at most 63 bytes.
    ");
    for engine in Engine::ALL {
        let answer = run(&["engines", engine.name()]);
        assert_eq!((answer.exit, answer.err()), (Exit::Done, ""), "{engine}");
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
    let sentences: Vec<_> =
        engine["sentences"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    let expected = quakefs::why::words::sentences(Engine::Fte.rules());
    assert_eq!(sentences, expected.iter().map(|one| &*one.text).collect::<Vec<_>>());
}

#[test]
fn the_rules_of_a_file_are_said_in_sentences() {
    let folder = Folder::with([(
        "mine.toml",
        "inherit = \"winquake\"\nname = \"mine\"\nloose.position = \"above\"\n",
    )]);
    let said = folder.run("--rules [DIR]/mine.toml engines");
    assert_eq!((said.exit, said.err()), (Exit::Done, ""));
    assert!(said.out().starts_with("mine\n\ngame directories\n"), "{}", said.out());
    assert!(
        said.out().contains("Loose files stand above the archives of their directory."),
        "{}",
        said.out()
    );
    let json = folder.run("--json --rules [DIR]/mine.toml engines").json();
    assert_eq!(
        (json.len(), &json[0]["name"], &json[0]["evidence"]),
        (1, &"mine".into(), &serde_json::Value::Null)
    );
}

#[test]
fn engines_refuses_what_it_would_ignore() {
    assert_snapshot!(check("--game mymod engines"), @"
    exit: 2
    ! error: unexpected argument '--game' found
    !   tip: '--game' is an option of: path, which, ls, watch, cat, extract, shadows, check, fix, companions, compare, needs, unused, pack, report, mods
    ! Usage: quakefs engines [OPTIONS] [NAME]
    ");
    assert_snapshot!(check("--engine fte engines"), @"
    exit: 2
    ! error: unexpected argument '--engine' found
    !   tip: '--engine' is an option of: path, which, ls, watch, cat, extract, shadows, check, fix, companions, needs, unused, pack, report, games, mods, pak diff, pak merge
    ! Usage: quakefs engines [OPTIONS] [NAME]
    ");
    assert_snapshot!(check("--rules mine.toml engines fte"), @"
    exit: 2
    ! error: the argument '--rules <FILE>' cannot be used with '[NAME]'
    ! Usage: quakefs engines --rules <FILE> [NAME]
    ");
    assert_snapshot!(check("--json engines --toml fte"), @"
    exit: 2
    ! error: --toml prints TOML, and --json objects
    !   help: leave one out: `quakefs --json engines fte`
    ");
    assert_snapshot!(check("engines fte --toml qss"), @"
    exit: 2
    ! error: the argument '[NAME]' cannot be used with '--toml <NAME>'
    ! Usage: quakefs engines <NAME>
    ");
    let help = run(&["engines", "--help"]);
    assert!(help.out().contains("--rules") && !help.out().contains("--basedir"), "{}", help.out());
}

#[test]
fn engines_prints_the_rules_as_json() {
    let answer = run(&["--json", "engines"]);
    let engines = answer.json();
    assert_eq!(engines.len(), Engine::ALL.len());
    for (engine, mut rules) in Engine::ALL.iter().zip(engines) {
        assert_eq!(rules["name"], engine.name());
        for key in ["type", "evidence", "sentences"] {
            rules.as_object_mut().unwrap().remove(key).unwrap();
        }
        assert_eq!(serde_json::from_value::<quakefs::Rules>(rules).unwrap(), *engine.rules());
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "the snapshot is a whole file of rules")]
fn engines_prints_the_rules_of_one_as_toml() {
    assert_snapshot!(check("engines --toml quakespasm"), @r#"
    # The rules of quakespasm: change them, and name this file by --rules.
    # A file may also begin with inherit = "quakespasm" and hold only the keys that differ.
    name = "quakespasm"
    stops = ["wrong-archive", "too-many-entries", "odd-game", "negative-directory", "too-many-archives", "unregistered", "wrong-registered"]

    [directories]
    base = ["id1"]
    games = "first"
    game-case = "exact"
    game-folders = ["{}"]
    read-only = []
    named-again = "missions-stay"
    missions-taken = "every"
    base-games = "ignored"
    more-bases = "ignored"

    [[directories.odd-games]]

    [directories.odd-games.refused]
    is = ""

    [[directories.odd-games]]

    [directories.odd-games.refused]
    is = "."

    [[directories.odd-games]]

    [directories.odd-games.refused]
    holds = ".."

    [[directories.odd-games]]

    [directories.odd-games.refused]
    holds = "/"

    [[directories.odd-games]]

    [directories.odd-games.refused]
    holds = '\'

    [[directories.odd-games]]

    [directories.odd-games.refused]
    holds = ":"

    [[directories.missions]]
    flag = "rogue"
    directory = "rogue"

    [[directories.missions]]
    flag = "hipnotic"
    directory = "hipnotic"

    [[directories.missions]]
    flag = "quoth"
    directory = "quoth"

    [archives]
    hidden = "seen"
    nested-paks = "ignored"
    wrong = "skipped"
    case = "exact"
    duplicates = "first"

    [[archives.sets]]
    set = "numbered"
    extensions = ["pak"]

    [archives.sets.gaps.stop]
    empty = "ends-run"

    [[archives.own]]
    file = "quakespasm.pak"
    place = "above-each-first"

    [[archives.own]]
    file = "QuakeEX.kpf"
    place = "lowest"
    only = ["localization/loc_english.txt"]

    [paks]
    layout = "quake"
    partial-row = "ignored"
    cut-directory = "whole-rows"
    parts = "as-stored"
    unterminated = "runs-on"

    [zips]
    refused = []
    dropped = []
    names = "as-stored"
    parts = "as-stored"

    [loose]
    position = "below"
    case = "exact"
    hidden = "seen"
    bytes = "any"

    [loose.hides]
    folder = false
    special = false
    dangling-link = false
    unreachable = false
    unreadable = true

    [requests]
    backslash = "literal"
    leading-slash = "literal"
    dot-component = "literal"
    empty-component = "literal"
    hidden-component = "literal"
    trailing-slash = "archives-only"
    end-on-windows = "literal"
    refused = []
    loose-only = []
    longest = 255
    instead = []

    [limits]
    name = 63
    archives = 30

    [limits.entries]
    most = 2048
    then = "loaded"

    [registered]
    file = "gfx/pop.lmp"
    size = 256
    crc32 = 2747834354

    [registered.shareware]
    entries = 339
    crc = 32981
    loose = "all"

    [user]
    linux = [".quakespasm"]
    macos = ["Library/Application Support/QuakeSpasm"]
    windows = []
    looked-at = "in-some-builds"

    [[companions]]
    names = ["{level}.lit"]
    rank = "not-below-level"
    fits = "light-lump"
    shortest-level = 1

    [[companions]]
    names = ["{level}@{crc}.ent", "{level}.ent"]
    rank = "not-below-level"
    fits = "any"
    shortest-level = 1

    [[companions]]
    names = ["maps/{name}.vis", "{game}.vis"]
    rank = "not-below-level"
    fits = "any"
    shortest-level = 2

    [[substitutes]]
    as = "texture"
    named = []
    names = ["textures/{level}/{name}.{tga,pcx}", "textures/{name}.{tga,pcx}"]
    parts = [[""]]
    decides = "extension"
    rank = "any"
    beside = ["_glow", "_luma"]

    [[substitutes]]
    as = "sky"
    named = []
    names = ["gfx/env/{name}{part}.{tga,pcx}"]
    parts = [["rt", "bk", "lf", "ft", "up", "dn"]]
    decides = "extension"
    rank = "any"
    beside = []

    [[substitutes]]
    as = "music"
    named = []
    names = ["music/track{nn}.{ogg,opus,mp3,flac,wav}", "music/{file}", "music/{bare}.ogg", "music/{bare}.opus", "music/{bare}.mp3", "music/{bare}.flac", "music/{bare}.wav", "music/{bare}.it", "music/{bare}.s3m", "music/{bare}.xm", "music/{bare}.mod", "music/{bare}.umx"]
    parts = [[""]]
    decides = "directory"
    rank = "any"
    beside = []

    [[substitutes]]
    as = "model"
    named = []
    names = ["{name}"]
    parts = [[""]]
    decides = "extension"
    rank = "any"
    beside = []

    [[substitutes]]
    as = "skin"
    named = []
    names = []
    parts = [[""]]
    decides = "extension"
    rank = "any"
    beside = []

    [console]
    command = "game"
    most-games = 1
    missions = true
    keeps-missions = false
    "#);
}

#[test]
#[expect(clippy::too_many_lines, reason = "the snapshot is a whole file of rules")]
fn the_rules_of_an_engine_with_two_sets_of_archives_are_printed() {
    assert_snapshot!(check("engines --toml q2pro"), @r#"
    # The rules of q2pro: change them, and name this file by --rules.
    # A file may also begin with inherit = "q2pro" and hold only the keys that differ.
    name = "q2pro"
    stops = ["pipe"]

    [directories]
    base = ["baseq2"]
    games = "last"
    game-case = "exact"
    game-folders = ["{}"]
    read-only = []
    named-again = "moves-up"
    missions = []
    missions-taken = "every"
    base-games = "ignored"
    more-bases = "ignored"

    [[directories.odd-games]]

    [directories.odd-games.ignored]
    is = ""

    [[directories.odd-games]]

    [directories.odd-games.ignored]
    other-than = "_-"

    [[directories.odd-games]]

    [directories.odd-games.ignored]
    longer = 63

    [archives]
    own = []
    hidden = "skipped"
    nested-paks = "ignored"
    wrong = "skipped"
    case = "ignored"
    duplicates = "last"

    [[archives.sets]]
    set = "others"
    extensions = ["pak", "pkz"]
    extension-case = "ignored"
    alike = "loaded"
    order = "number-then-name"

    [paks]
    layout = "quake"
    partial-row = "refused"
    cut-directory = "refused"
    furthest-entry = 2147483647
    parts = "cleaned"
    unterminated = "whole"

    [zips]
    refused = ["count-too-large"]
    dropped = ["empty"]
    names = "as-stored"
    parts = "cleaned"

    [loose]
    position = "below"
    case = "exact-then-lower"
    hidden = "seen"
    bytes = "ascii"

    [loose.hides]
    folder = true
    special = true
    dangling-link = false
    unreachable = true
    unreadable = true

    [requests]
    backslash = "slash"
    leading-slash = "dropped"
    dot-component = "dropped"
    empty-component = "dropped"
    hidden-component = "literal"
    trailing-slash = "dropped"
    end-on-windows = "literal"
    refused = []
    loose-only = []
    longest = 255
    instead = []

    [limits]
    name = 63

    [user]
    linux = [".q2pro"]
    macos = [".q2pro"]
    windows = []
    looked-at = "in-some-builds"

    [[companions]]
    names = ["{level}@{crc}.ent", "{level}.ent"]
    rank = "any"
    fits = "any"
    shortest-level = 1
    setting = "map_override_path maps"

    [[substitutes]]
    as = "sky"
    named = []
    names = ["env/{name}{part}.{tga,pcx}"]
    parts = [["rt", "bk", "lf", "ft", "up", "dn"]]
    decides = "extension"
    rank = "any"
    beside = []
    "#);
    assert_snapshot!(check("engines --toml quakes"), @"
    exit: 2
    ! error: invalid value 'quakes' for '--toml <NAME>'
    !   [possible values: ENGINES]
    !   tip: a similar value exists: 'quake2'
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
fn rules_from_a_file_count() {
    assert_snapshot!(changed("winquake", "position = \"below\"", "position = \"above\""), @"maps/start.bsp: id1/ (57 bytes)");
}

/// A file of rules that is asked by `which`.
fn own_rules(text: impl AsRef<[u8]>) -> String {
    let folder = Folder::with([("mine.toml", text)]);
    folder.check("--basedir [GAME] --rules [DIR]/mine.toml which maps/start.bsp")
}

#[test]
fn rules_from_a_file_inherit_those_of_an_engine() {
    let text = "inherit = \"winquake\"\nname = \"mine\"\nloose.position = \"above\"\n";
    assert_snapshot!(own_rules(text), @"maps/start.bsp: id1/ (57 bytes)");
    assert_snapshot!(own_rules("inherit = \"quake9\"").replace(&engine_names(), "ENGINES"), @r#"
    exit: 2
    ! error: [DIR]/mine.toml: line 1: inherit: no engine is called "quake9" ([…]): expected ENGINES
    !   help: `quakefs engines --toml winquake` prints rules to start from
    "#);
}

#[test]
fn rules_that_no_engine_could_follow_are_refused_with_each_fault() {
    assert_snapshot!(own_rules(
        "inherit = \"winquake\"\n[directories]\nbase = [\"../id1\", \"..\"]\n"
    ), @r#"
    exit: 2
    ! error: [DIR]/mine.toml: line 3: directories.base[0]: the directory "../id1" is not below the base directory; directories.base[1]: the directory ".." is not below the base directory
    !   help: `quakefs engines --toml winquake` prints rules to start from
    "#);
}

#[test]
fn a_file_of_rules_has_a_limit() {
    let large = "#".repeat(1 << 20);
    assert_snapshot!(own_rules(&large), @r#"
    exit: 2
    ! error: [DIR]/mine.toml: missing key `name`: begin the file with `inherit = "quakespasm"`, or another engine, and say what differs
    !   help: `quakefs engines --toml winquake` prints rules to start from
    "#);
    assert_snapshot!(own_rules(format!("{large}#")), @"
    exit: 2
    ! error: [DIR]/mine.toml: larger than 1 MiB, the limit for a rule file
    !   help: `quakefs engines --toml winquake` prints rules to start from
    ");
}

/// The file never ends.
#[cfg(unix)]
#[test]
fn a_device_is_not_read_to_its_end() {
    assert_snapshot!(check("--basedir [GAME] --rules /dev/zero path"), @"
    exit: 2
    ! error: /dev/zero: not a regular file
    !   help: `quakefs engines --toml winquake` prints rules to start from
    ");
}

#[test]
fn a_wrong_file_of_rules_is_reported_with_its_line() {
    assert_snapshot!(changed("winquake", "position = \"below\"", "positon = \"below\""), @"
    exit: 2
    ! error: [DIR]/mine.toml: line 55: loose.positon: unknown key `positon`, expected one of `position`, `case`, `hidden`, `bytes`, `hides`
    !   help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "position = \"below\"", "position = \"beneath\""), @"
    exit: 2
    ! error: [DIR]/mine.toml: line 55: loose.position: unknown word `beneath`, expected one of `below`, `above`, `lowest`
    !   help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "named-again = \"moves-up\"\n", ""), @r#"
    exit: 2
    ! error: [DIR]/mine.toml: line 6: directories: missing key `named-again`: begin the file with `inherit = "quakespasm"`, or another engine, and say what differs
    !   help: `quakefs engines --toml winquake` prints rules to start from
    "#);
    assert_snapshot!(changed("winquake", "folder = false", "folder = \"no\""), @r#"
    exit: 2
    ! error: [DIR]/mine.toml: line 61: loose.hides.folder: invalid type: string "no", expected true or false
    !   help: `quakefs engines --toml winquake` prints rules to start from
    "#);
    assert_snapshot!(changed("winquake", "games = \"first\"", "games = 1"), @"
    exit: 2
    ! error: [DIR]/mine.toml: line 8: directories.games: invalid type, expected a word
    !   help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "empty = \"loaded\"", "empty = \"load\""), @"
    exit: 2
    ! error: [DIR]/mine.toml: line 34: archives.sets[0]: unknown word `load`, expected one of `loaded`, `ends-run`, `ends-run-unless-first`
    !   help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "set = \"numbered\"", "set = \"number\""), @"
    exit: 2
    ! error: [DIR]/mine.toml: line 35: archives.sets[0].set: unknown word `number`, expected `numbered` or `others`
    !   help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "layout = \"quake\"", "layout = \"quake2\""), @"
    exit: 2
    ! error: [DIR]/mine.toml: line 42: paks.layout: [unknown-layout]
    !   help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "name = 63", "name = -1"), @"
    exit: 2
    ! error: [DIR]/mine.toml: line 81: limits.name: invalid value: integer `-1`, expected a whole number from 0 to 4294967295
    !   help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "[directories]", "[directories"), @"
    exit: 2
    ! error: [DIR]/mine.toml: line 6: unclosed table, expected `]`
    !   help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(changed("winquake", "name = \"winquake\"", "name = \"\""), @"maps/start.bsp: id1/pak0.pak (entry 4, 39 bytes)");
}

#[test]
fn a_file_of_rules_that_cannot_be_read_is_reported() {
    assert_snapshot!(check("--rules [GAME]/none.toml ls"), @"
    exit: 2
    ! error: [GAME]/none.toml: cannot be read: No such file or directory (os error 2)
    ");
    assert_snapshot!(check("--rules [GAME]/id1/pak0.pak ls"), @"
    exit: 2
    ! error: [GAME]/id1/pak0.pak: the rules are not UTF-8: invalid utf-8 sequence of 1 bytes from index 4
    !   help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(check("--rules [GAME]/id1/config.cfg ls"), @"
    exit: 2
    ! error: [GAME]/id1/config.cfg: line 1: key with no value, expected `=`
    !   help: `quakefs engines --toml winquake` prints rules to start from
    ");
    assert_snapshot!(check("--engine fte --rules [GAME]/id1/config.cfg ls"), @"
    exit: 2
    ! error: the argument '--engine <NAME>' cannot be used with '--rules <FILE>'
    ! Usage: quakefs ls --engine <NAME> [PATTERN]...
    ");
}
