//! What is installed: games of stores, and the game directories of a base directory.

use std::fmt::Write as _;
#[cfg(unix)]
use std::fs;
#[cfg(unix)]
use std::process::Command;

use insta::assert_snapshot;
use quakefs::{Engine, Rules};
use quakefs_installed::{Installs, Places, Selection, Store, games_in};
use testutils::{Folder, game, stores};

use testutils::search_path::Mount as _;

fn text(folder: &Folder, found: &Installs) -> String {
    let mut text = String::new();
    for game in &found.games {
        let expansions: Vec<_> = game.expansions.iter().map(|expansion| &*expansion.name).collect();
        let title = format!("{} ({})", game.title.name, game.title.edition());
        let path = folder.redact(game.path.as_str());
        writeln!(text, "{game}: {title} {}", if cfg!(windows) { path.replace('\\', "/") } else { path })
            .unwrap();
        if !expansions.is_empty() {
            writeln!(text, "  with {}", expansions.join(", ")).unwrap();
        }
        if let Some(downloads) = &game.downloads {
            writeln!(text, "  downloads {}", folder.redact(downloads.as_str())).unwrap();
        }
    }
    for error in &found.unread {
        writeln!(text, "unread: {error}").unwrap();
    }
    folder.redact(&text)
}

fn in_home(folder: &Folder) -> Places {
    Places { home: Some(folder.join("home").into()), ..Places::default() }
}

// names in another case, and paths as Linux writes them
#[cfg(target_os = "linux")]
#[test]
fn games_are_found_where_each_store_keeps_them() {
    let folder = stores();
    let places = Places { system: Some(folder.join("system").into()), ..in_home(&folder) };
    assert_snapshot!(text(&folder, &games_in(&places)), @"
    steam:quake-remaster: Quake (remaster) [DIR]/home/.local/share/Steam/steamapps/common/Quake/rerelease
      with Dimension of the Past, Dimension of the Machine, Dawn of the Machine
      downloads [DIR]/home/.local/share/Steam/steamapps/compatdata/2310/pfx/drive_c/users/steamuser/Saved Games/Nightdive Studios/Quake
    steam:quake: Quake (original) [DIR]/home/.local/share/Steam/steamapps/common/Quake
      with Scourge of Armagon, Dissolution of Eternity
    steam:quake2-remaster: Quake II (remaster) [DIR]/disk/SteamLibrary/steamapps/common/Quake 2/rerelease
    steam:quake2: Quake II (original) [DIR]/disk/SteamLibrary/steamapps/common/Quake 2
      with The Reckoning
    steam:hexen2: Hexen II (original) [DIR]/home/.var/app/com.valvesoftware.Steam/.local/share/Steam/steamapps/common/Hexen 2
      with Portal of Praevus
    gog:sin: SiN (original) [DIR]/home/GOG Games/SiN Gold
      with Wages of Sin
    gog:daikatana: Daikatana (original) [DIR]/home/GOG Games/Daikatana/game
    gog:quake3: Quake III Arena (original) [DIR]/heroic/Quake 3
      with Team Arena
    epic:quake-remaster: Quake (remaster) [DIR]/epic/Quake/rerelease
    system:quake: Quake (original) [DIR]/system/usr/share/games/quake
      with Scourge of Armagon
    system:xonotic: Xonotic (original) [DIR]/system/usr/share/games/xonotic
    system:nexuiz: Nexuiz (original) [DIR]/system/usr/share/games/nexuiz
    system:half-life: Half-Life (original) [DIR]/system/usr/share/games/half-life
      with Opposing Force
    system:openarena: OpenArena (original) [DIR]/system/usr/share/games/openarena
      with Mission Pack
    unread: [DIR]/home/.local/share/Steam/steamapps/appmanifest_70.acf: read failed
    unread: [DIR]/home/.config/legendary/installed.json: read failed
    ");
}

#[test]
fn only_the_given_places_are_searched() {
    let folder = stores();
    assert!(games_in(&Places::default()).games.is_empty());
    let of_system =
        games_in(&Places { system: Some(folder.join("system").into()), ..Places::default() }).games;
    assert!(of_system.iter().all(|game| game.store != Store::Steam && game.store != Store::Gog));
}

#[test]
fn a_store_may_be_named_by_its_folders() {
    let folder = stores();
    let places = Places {
        steam: vec![folder.join("disk/SteamLibrary").into()],
        installs: vec![
            (Store::Gog, folder.join("epic/Quake").into()),
            (Store::Epic, folder.join("epic/Quake").into()),
            (Store::Epic, folder.join("nowhere").into()),
        ],
        ..Places::default()
    };
    assert_snapshot!(text(&folder, &games_in(&places)), @"
    steam:quake2-remaster: Quake II (remaster) [DIR]/disk/SteamLibrary/steamapps/common/Quake 2/rerelease
    steam:quake2: Quake II (original) [DIR]/disk/SteamLibrary/steamapps/common/Quake 2
      with The Reckoning
    gog:quake-remaster: Quake (remaster) [DIR]/epic/Quake/rerelease
    ");
}

#[cfg(windows)]
#[test]
#[ignore = "writes into the registry: run by .ci/run wine"]
fn the_registry_lists_the_folders_of_games() {
    use winreg::RegKey;
    use winreg::enums::{HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE};

    let folder = stores();
    let (steam, gog) = (r"SOFTWARE\Valve\Steam", r"SOFTWARE\WOW6432Node\GOG.com\Games\1435827232");
    let (user, machine) = (RegKey::predef(HKEY_CURRENT_USER), RegKey::predef(HKEY_LOCAL_MACHINE));
    let write = |root: &RegKey, key: &str, value: &str, path: &str| {
        // as Steam writes it
        root.create_subkey(key)
            .unwrap()
            .0
            .set_value(value, &folder.join(path).as_str().replace('\\', "/"))
            .unwrap();
    };
    write(&user, steam, "SteamPath", "disk/SteamLibrary");
    write(&machine, gog, "path", "epic/Quake");
    let found = games_in(&Places::default().registry());
    user.delete_subkey_all(steam).unwrap();
    machine.delete_subkey_all(gog).unwrap();
    let found: Vec<_> =
        found.games.iter().map(|game| format!("{game} {}", folder.redact(game.path.as_str()))).collect();
    let steam = "[DIR]/disk/SteamLibrary/steamapps/common/Quake 2";
    assert_eq!(
        found,
        [
            format!(r"steam:quake2-remaster {steam}\rerelease"),
            format!("steam:quake2 {steam}"),
            "gog:quake-remaster [DIR]/epic/Quake/rerelease".to_owned(),
        ]
    );
}

#[test]
fn a_nested_or_huge_list_is_refused() {
    let folder = Folder::new();
    let deep = "\"a\"{".repeat(100_000);
    folder.write("home/.steam/steam/steamapps/libraryfolders.vdf", &deep);
    folder.write("home/.steam/steam/steamapps/appmanifest_1.acf", &deep);
    folder.write("home/.steam/steam/steamapps/appmanifest_2.acf", vec![b' '; (1 << 20) + 1]);
    folder.write("home/.config/legendary/installed.json", "[".repeat(100_000));
    let found = games_in(&in_home(&folder));
    let mut unread: Vec<_> = found.unread.iter().map(|error| testutils::report(error)).collect();
    unread.sort();
    assert_snapshot!(folder.redact(&unread.concat()), @"
    error: [DIR]/home/.config/legendary/installed.json: read failed
    cause: it is not JSON: recursion limit exceeded at line 1 column 128
    error: [DIR]/home/.steam/steam/steamapps/appmanifest_1.acf: read failed
    cause: it is nested too deep
    error: [DIR]/home/.steam/steam/steamapps/appmanifest_2.acf: read failed
    cause: it has more than 1048576 bytes
    error: [DIR]/home/.steam/steam/steamapps/libraryfolders.vdf: read failed
    cause: it is nested too deep
    ");
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_list_is_not_waited_for() {
    let folder = Folder::with([("home/.steam/steam/steamapps/appmanifest_2.acf", "")]);
    fs::create_dir_all(folder.join("home/.config/legendary")).unwrap();
    for pipe in ["home/.steam/steam/steamapps/appmanifest_1.acf", "home/.config/legendary/installed.json"] {
        assert!(Command::new("mkfifo").arg(folder.join(pipe)).status().unwrap().success());
    }
    let found = games_in(&in_home(&folder));
    assert_eq!((found.games.len(), found.unread.len()), (0, 2));
}

#[test]
fn the_default_engine_is_one_of_the_game() {
    let folder = stores();
    let places =
        Places { installs: vec![(Store::Gog, folder.join("epic/Quake").into())], ..Places::default() };
    let found = games_in(&places);
    let quake = found.games.first().unwrap();
    assert_eq!(quake.engine_or(None), Engine::Ironwail);
    assert_eq!(quake.engine_or(Some(Engine::Fte)), Engine::Fte);
    assert_eq!(quake.engine_or(Some(Engine::Quake2)), Engine::Ironwail);
    assert!(quakefs::why::starts(&quake.builder().mount().unwrap()).is_ok());
}

#[test]
fn game_directories_are_listed_with_their_contents() {
    let folder = game(
        "id1/pak0.pak: maps/start.bsp maps/b_bh25.bsp progs.dat default.cfg; id1/: maps/START.bsp maps/mine.bsp;
         mymod/pak0.pak: maps/a.bsp; mymod/b.pk3: maps/b.bsp; mymod/: progs.dat csprogs.dat readme.txt deep/er/x.dat;
         maps-alone/maps/: a.bsp; texts/: readme.txt; empty/sub/: a.txt; hipnotic/: autoexec.cfg",
    );
    folder.write("broken/pak0.pak", "not a pak");
    let quake = folder.mount("");
    let mut text = String::new();
    for found in quakefs_installed::mods(&quake) {
        let programs: Vec<_> = found.programs.iter().map(ToString::to_string).collect();
        writeln!(
            text,
            "{}: {:?}, {} archives, {} levels, {programs:?}, {} files, {} bytes, {} unread",
            found.name,
            found.selection,
            found.archives,
            found.levels,
            found.files,
            found.bytes,
            found.unread.len()
        )
        .unwrap();
    }
    assert_snapshot!(text, @r#"
    broken: Game, 1 archives, 0 levels, [], 1 files, 9 bytes, 1 unread
    hipnotic: Mission("hipnotic"), 0 archives, 0 levels, [], 1 files, 21 bytes, 0 unread
    id1: Always, 1 archives, 2 levels, ["progs.dat"], 3 files, 359 bytes, 0 unread
    maps-alone: Game, 0 archives, 1 levels, [], 1 files, 21 bytes, 0 unread
    mymod: Game, 2 archives, 2 levels, ["csprogs.dat", "progs.dat"], 6 files, 306 bytes, 0 unread
    "#);
}

#[test]
fn a_mod_of_the_user_directory_is_listed_too_and_one_in_both_once() {
    let folder = game("base/id1/: a.cfg; base/both/: a.cfg; user/both/: b.cfg; user/mine/: c.cfg");
    let quake = quakefs::SearchPath::builder(folder.join("base")).user_directory(folder.join("user"));
    let mods = quakefs_installed::mods(&quake.engine(Engine::QuakeSpasm).mount().unwrap());
    let found: Vec<_> = mods.iter().map(|found| (&*found.name, found.folders.len(), found.files)).collect();
    assert_eq!(found, [("both", 2, 2), ("id1", 1, 1), ("mine", 1, 1)]);
}

#[test]
fn the_name_of_a_mod_is_checked_against_the_limits_of_the_engine() {
    let selection = |engine: Engine, name: &str| Selection::of(name, engine.rules());
    assert_eq!(selection(Engine::QuakeSpasm, "mymod"), Selection::Game);
    assert_eq!(selection(Engine::QuakeSpasm, "id1"), Selection::Always);
    assert_eq!(selection(Engine::QuakeSpasm, "quoth"), Selection::Mission("quoth".to_owned()));
    assert_eq!(selection(Engine::QuakeSpasm, "a..b"), Selection::Stops);
    assert_eq!(selection(Engine::Fte, ".hidden"), Selection::Ignored);
    assert_eq!(selection(Engine::YQuake2, "one;two"), Selection::Part("one".to_owned()));
    assert_eq!(selection(Engine::QuakeWorld, "mymod"), Selection::NoGames);
    assert_eq!(selection(Engine::GoldSrc, "valve"), Selection::Always);
    for engine in Engine::ALL {
        let rules: &Rules = engine.rules();
        assert!(!Selection::of("a\nb", rules).is_selectable(), "{engine}");
    }
}
