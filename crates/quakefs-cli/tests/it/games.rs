//! `games`, and `--basedir steam:quake`.

// names in another case, and paths as Linux writes them
#![cfg(target_os = "linux")]

use insta::assert_snapshot;
use serde_json::Value;
use testutils::{Folder, stores};

use crate::{Commands as _, brief, check, layers};

/// The width of columns depends on the paths of this computer, so two spaces match any number of spaces.
fn squeezed(text: &str) -> String {
    let columns = |line: &str| {
        let columns = line.split("  ").map(str::trim).filter(|column| !column.is_empty());
        columns.collect::<Vec<_>>().join("  ")
    };
    text.lines().map(columns).collect::<Vec<_>>().join("\n")
}

#[test]
fn games_are_listed_with_the_problems_for_an_engine() {
    let answer = squeezed(&stores().check_at_home("games"));
    let (games, said): (Vec<_>, Vec<_>) = answer.lines().partition(|line| !line.starts_with('!'));
    assert_eq!(games.len(), 15, "{answer}");
    assert_snapshot!([&games[..2], &said].concat().join("\n"), @"
    name  game  expansions  base directory
    steam:quake-remaster  Quake (remaster)  dopa mg1 mg3  [DIR]/home/.local/share/Steam/steamapps/common/Quake/rerelease
    ! warning: steam:quake: quakespasm does not start: [no-game-directory]
    !  help: rename Id1 to id1, PAK0.PAK to pak0.pak and PAK1.PAK to pak1.pak
    ! warning: steam:quake2-remaster: yquake2 does not start: baseq2/pics/colormap.pcx: [engine-stops missing-file]; and for 1 cause more +help
    ! warning: steam:quake2: quake2 does not start: baseq2/pics/colormap.pcx: [engine-stops missing-file]; and for 1 cause more
    ! warning: steam:hexen2: hexen2 does not start: data1/: [engine-stops wrong-edition] pak0.pak and pak1.pak of data1 are not those of a known edition
    !  help: add the archives of Hexen II 1.11 to data1/
    ! warning: gog:quake3: ioquake3 does not start: baseq3/pak1.pk3: [engine-stops missing-archives] others from pak2.pk3 to pak8.pk3 +help
    ! warning: system:openarena: openarena does not start: baseoa/default.cfg: [engine-stops missing-file] +help
    ! warning: [DIR]/home/.local/share/Steam/steamapps/appmanifest_70.acf: read failed: it is not in Steam's form
    ! warning: [DIR]/home/.config/legendary/installed.json: read failed: it is not JSON: key must be a string at line 1 column 3
    ");
}

#[test]
fn the_named_engine_is_used_if_it_runs_the_game() {
    let answer = stores().check_at_home("--engine quakespasm --json games");
    let lines: Vec<_> = answer.lines().collect();
    assert_snapshot!([&lines[..2], &lines[14..]].concat().join("\n"), @r#"
    {"type":"game","name":"steam:quake-remaster","store":"steam","title":"Quake","edition":"remaster","path":"[DIR]/home/.local/share/Steam/steamapps/common/Quake/rerelease","downloads":"[DIR]/home/.local/share/Steam/steamapps/compatdata/2310/pfx/drive_c/users/steamuser/Saved Games/Nightdive Studios/Quake","expansions":{"dopa":"Dimension of the Past","mg1":"Dimension of the Machine","mg3":"Dawn of the Machine"},"engine":"quakespasm","starts":true,"problems":[],"known":{}}
    {"type":"game","name":"steam:quake","store":"steam","title":"Quake","edition":"original","path":"[DIR]/home/.local/share/Steam/steamapps/common/Quake","downloads":null,"expansions":{"hipnotic":"Scourge of Armagon","rogue":"Dissolution of Eternity"},"engine":"quakespasm","starts":false,"problems":[{"reason":"quakespasm does not start: [no-game-directory]","help":"rename Id1 to id1, PAK0.PAK to pak0.pak and PAK1.PAK to pak1.pak"}],"known":{}}
    {"type":"unread","reason":"[DIR]/home/.local/share/Steam/steamapps/appmanifest_70.acf: read failed: it is not in Steam's form","help":null}
    {"type":"unread","reason":"[DIR]/home/.config/legendary/installed.json: read failed: it is not JSON: key must be a string at line 1 column 3","help":null}
    "#);
    let engines = lines.iter().filter_map(|line| line.split(r#""engine":""#).nth(1)?.split('"').next());
    assert_eq!(
        engines.collect::<Vec<_>>().join(" "),
        "quakespasm quakespasm yquake2 quake2 hexen2 sin daikatana ioquake3 quakespasm quakespasm xonotic \
            nexuiz goldsrc openarena"
    );
}

#[test]
fn no_game_at_all_is_a_miss() {
    assert_snapshot!(brief(check("games")), @"exit 1: error: no game was found in Steam, GOG, Epic or the system's packages; help: name the folder of a game with --basedir");
    assert_snapshot!(brief(check("--json games")), @"exit 1: error: no game was found in Steam, GOG, Epic or the system's packages; help: name the folder of a game with --basedir");
}

#[test]
fn a_word_that_is_no_folder_leads_to_the_installed_games_of_such_a_name() {
    let answer = brief(stores().check_at_home("--basedir quake3 path"));
    assert_snapshot!(answer, @"exit 2: error: quake3: [no-base-directory]; help: name the folder of the game, or gog:quake3, with --basedir, or once for all with `quakefs config basedir NAME`");
}

#[test]
fn options_that_name_one_game_are_refused() {
    assert_snapshot!(brief(check("--basedir . games")), @"exit 2: error: --basedir is no option of games; help: it is an option of the game, and games asks about none");
}

#[test]
fn the_name_of_an_installed_game_is_its_base_directory() {
    let folder = stores();
    let line = |line: &str| squeezed(&folder.check_at_home(line));
    assert_snapshot!(layers(line("--basedir system:quake --game hipnotic path")), @"hipnotic/pak0.pak > hipnotic/ > id1/pak0.pak > id1/; user directory: [DIR]/home/.quakespasm (missing)");
    assert_snapshot!(line("--basedir steam:quake path"), @"
    exit: 2
    ! error: [DIR]/home/.local/share/Steam/steamapps/common/Quake: [no-game-directory]
    !  help: rename Id1 to id1, PAK0.PAK to pak0.pak and PAK1.PAK to pak1.pak
    ");
    assert_snapshot!(brief(line("--basedir system:quake which nope")), @"exit 1: error: nope: not found +help");
    let second = "--basedir [DIR] --basedir system:quake --engine ironwail --game hipnotic path";
    assert_snapshot!(layers(line(second)), @"system/usr/share/games/quake/hipnotic/pak0.pak > system/usr/share/games/quake/hipnotic/ > system/usr/share/games/quake/id1/pak0.pak > system/usr/share/games/quake/id1/; user directory: [DIR]/home/.ironwail (missing); warning: ironwail does not start: id1/: [engine-stops missing-first-archive] +help");
    assert_snapshot!(brief(check("--basedir [GAME] --basedir gog:quake --engine ironwail path")), @"exit 2: error: gog:quake: no such game is installed; help: no installed game was found: name the folder of the game");
}

#[test]
fn naming_a_missing_game_lists_the_installed_ones() {
    let folder = stores();
    assert_snapshot!(brief(folder.check_at_home("--basedir steam:daikatana path")), @"exit 2: error: steam:daikatana: no such game is installed; help: name one of steam:quake-remaster, steam:quake, steam:quake2-remaster, steam:quake2, steam:hexen2, gog:sin, gog:daikatana, gog:quake3, epic:quake-remaster, system:quake, system:xonotic, system:nexuiz, system:half-life, system:openarena; `quakefs games` lists them with their folders");
    assert_snapshot!(brief(check("--basedir gog:quake path")), @"exit 2: error: gog:quake: no such game is installed; help: no installed game was found: name the folder of the game");
    // no store: a path
    assert_snapshot!(brief(check("--basedir itch:quake path")), @"exit 2: error: itch:quake: [no-base-directory] +help");
}

#[test]
fn two_installs_of_one_name_are_told_apart_by_their_paths() {
    let folder = Folder::new();
    for place in ["one", "two"] {
        folder.write(&format!("home/GOG Games/{place}/id1/pak0.pak"), crate::archive(&[(b"a", b"")]));
    }
    assert_snapshot!(brief(folder.check_at_home("--basedir gog:quake path")), @"exit 2: error: gog:quake: 2 installs have this name; help: name the folder: [DIR]/home/GOG Games/one or [DIR]/home/GOG Games/two");
}

#[test]
fn a_hostile_name_in_a_list_is_printed_escaped() {
    let folder = Folder::new();
    let base = "elsewhere/\u{1b}[31mred";
    folder.write(&format!("{base}/id1/pak0.pak"), crate::archive(&[(b"a", b"")]));
    let list = serde_json::json!({ "a": { "install_path": folder.join(base).as_str() } });
    folder.write("home/.config/legendary/installed.json", list.to_string());
    assert_snapshot!(squeezed(&folder.check_at_home("games")), @r"
    name  game  expansions  base directory
    epic:quake  Quake (original)  -  [DIR]/elsewhere/\x1B[31mred
    ");
}

/// The names and folders of the mods that are listed.
fn mods(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    lines.map(|line| (word(&line["name"]), word(&line["folders"][0]))).collect()
}

#[test]
fn a_game_of_a_store_includes_its_engines_downloads() {
    let folder = stores();
    let user = "steamapps/compatdata/2310/pfx/drive_c/users/steamuser";
    let downloads = format!("[DIR]/home/.local/share/Steam/{user}/Saved Games/Nightdive Studios/Quake");
    let line = |line: &str| folder.check_at_home(line);
    for engine in ["ironwail", "vkquake"] {
        let game = format!("--basedir steam:quake-remaster --engine {engine}");
        let listed = mods(&line(&format!("{game} --json mods")));
        assert!(
            listed.contains(&("addon1".to_owned(), format!("{downloads}/addon1"))),
            "{engine}: {listed:?}"
        );
        let which = line(&format!("{game} --game addon1 which -a default.cfg"));
        assert!(which.contains(&format!("default.cfg: {downloads}/addon1/pak0.pak ")), "{which}");
    }
    // an engine that looks for no store, and a base directory that is named
    let path = format!("[DIR]/home{}", "/.local/share/Steam/steamapps/common/Quake/rerelease");
    for game in
        ["--basedir steam:quake-remaster --engine quakespasm", &format!("--basedir {path} --engine ironwail")]
    {
        let listed = mods(&line(&format!("{game} --json mods")));
        assert!(!listed.is_empty() && listed.iter().all(|(name, _)| name != "addon1"), "{game}: {listed:?}");
    }
    let without = line("--basedir [DIR]/epic/Quake/rerelease --engine ironwail --game addon1 --json path");
    assert!(without.contains(r#""kind":"missing-directory""#), "{without}");
}

#[test]
fn ironwail_has_another_user_directory_for_a_game_of_a_store() {
    let folder = stores();
    folder.write("home/.ironwail/id1/a.cfg", "");
    folder.write("home/.ironwail/.rerelease/id1/b.cfg", "");
    folder.write("home/.ironwail/.original/id1/c.cfg", "");
    let served = |game: &str| {
        let text = folder.check_at_home(&format!("--engine ironwail {game} --json which a.cfg b.cfg c.cfg"));
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let found = lines.filter(|line| line["found"] == true);
        found.map(|line| line["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(served("--basedir steam:quake-remaster"), ["b.cfg"]);
    assert_eq!(served("--basedir system:quake"), ["c.cfg"]);
    assert_eq!(served("--basedir [DIR]/epic/Quake/rerelease"), ["a.cfg"]);
    assert!(served("--basedir steam:quake-remaster --no-userdir").is_empty());
}

#[test]
fn the_one_engine_for_a_folder_is_used_without_a_name() {
    let folder = stores();
    let game = |name: &str| {
        folder.check_at_home(&format!("--basedir [DIR]/system/usr/share/games/{name} ls --names"))
    };
    assert_snapshot!(game("openarena"), @"
    exit: 1
    default.cfg
    ! warning: openarena does not start: baseoa/default.cfg: [engine-stops missing-file] +help
    ");
    assert_snapshot!(game("nexuiz"), @"default.cfg");
    // of the engines of Quake II, the one that most players have
    let quake2 = folder.check_at_home("--basedir steam:quake2 --json path");
    assert!(quake2.contains(r#""engine":"yquake2""#) && quake2.contains(r#""because":"game""#), "{quake2}");
}
