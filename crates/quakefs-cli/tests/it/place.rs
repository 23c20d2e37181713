//! `quakefs place`: where a download goes, how it is started, and what it changes.

use std::fs;

use insta::assert_snapshot;
use quakefs_cli::Exit;
use testutils::{Folder, pack, zip};

use crate::Commands as _;

const LEVEL: &[u8] = b"\x1d\0\0\0";

/// A game with a mod, and downloads beside it.
pub(crate) fn scene() -> Folder {
    let folder = Folder::new();
    let quake = pak_format::Layout::Quake;
    folder.write("quake/id1/pak0.pak", pack(quake, [("maps/start.bsp", "id1"), ("gfx/a.lmp", "id1")]));
    folder.write("quake/ad/pak0.pak", pack(quake, [("progs.dat", "ad")]));
    let pd: [(&str, &[u8]); 3] =
        [("pd-3/pd/progs.dat", b"pd"), ("pd-3/pd/maps/start.bsp", LEVEL), ("pd-3/readme.txt", b"x")];
    folder.write("pd.zip", zip(pd));
    folder.write("mymap.zip", zip([("mymap.bsp", LEVEL), ("mymap.txt", b"by me")]));
    folder.write("skin.zip", zip([("ogre.mdl", "IDPO")]));
    folder.write("flat.zip", zip([("progs.dat", "flat"), ("sound/a.wav", "x")]));
    folder
}

#[test]
fn a_mod_with_a_folder_tells_its_place_its_start_and_its_changes() {
    let folder = scene();
    assert_snapshot!(folder.check("--basedir [DIR]/quake place [DIR]/pd.zip --changes"), @r#"
    [DIR]/pd.zip: for Quake
      pd-3/pd/ -> [DIR]/quake/pd/ (2 files): its own folder
      1 file stays in the download: pd-3/readme.txt
      start it with: quakespasm -game pd +map start
        maps/start.bsp: pd/ overrides id1/pak0.pak
        progs.dat: pd/
      adds 1 name, overrides 1 of id1/pak0.pak
    ! warning: pd/maps/start.bsp: [wrong-content] a level (29, 30, BSP2, 2PSB, IBSP, QBSP, RBSP or FBSP), found "\x1d\x00\x00\x00" +help
    ! warning: pd/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found "pd"
    ! note: nothing is written yet: `quakefs --basedir [DIR]/quake place [DIR]/pd.zip --write` unpacks it
    "#);
    assert_snapshot!(folder.check("--basedir [DIR]/quake --engine ironwail --json place [DIR]/pd.zip"), @r#"
    {"type":"placed","from":"pd-3/pd/","to":"pd/","by":"folder","reason":"its own folder","text":null,"game":"pd","files":["pd-3/pd/maps/start.bsp","pd-3/pd/progs.dat"]}
    {"type":"start","words":["-game","pd","+map","start"],"missions":[],"games":["pd"],"level":"start","demo":null}
    {"type":"existing","same":0,"different":[]}
    {"type":"effects","added":1,"overridden":{"id1/pak0.pak":1},"changes":[],"problems":[{"severity":"error","kind":"wrong-content","location":"pd/maps/start.bsp","layer":"pd/","entry":null,"name":"maps/start.bsp","reason":"[wrong-content] a level (29, 30, BSP2, 2PSB, IBSP, QBSP, RBSP or FBSP), found \"\\x1d\\x00\\x00\\x00\"","help":"[…]","stops":false,"advice":[{"step":"get","of":["pd/maps/start.bsp"],"to":null,"content":null,"entry":null}]},{"severity":"error","kind":"wrong-content","location":"pd/progs.dat","layer":"pd/","entry":null,"name":"progs.dat","reason":"[wrong-content] a program (version 6, or 7 of FTE), found \"pd\"","help":"[…]","stops":false,"advice":[{"step":"get","of":["pd/progs.dat"],"to":null,"content":null,"entry":null}]}],"fits":[],"start":null,"not_tried":0}
    "#);
}

#[test]
fn a_level_goes_into_the_base_game_and_a_skin_nowhere() {
    let folder = scene();
    assert_snapshot!(folder.check("--basedir [DIR]/quake place [DIR]/mymap.zip [DIR]/skin.zip"), @r#"
    exit: 1
    [DIR]/mymap.zip: for Quake
      mymap.bsp -> [DIR]/quake/id1/maps/ (1 file): where levels, demos and archives without a folder go
      1 file stays in the download: mymap.txt
      start it with: quakespasm +map mymap
      adds 1 name

    outcome          goes to    download
    not written yet  id1/maps/  [DIR]/mymap.zip
    not placed       -          [DIR]/skin.zip
    ! warning: id1/maps/mymap.bsp: [wrong-content] a level (29, 30, BSP2, 2PSB, IBSP, QBSP, RBSP or FBSP), found "\x1d\x00\x00\x00" +help
    ! error: [DIR]/skin.zip: nothing of it goes into a game: [loose] +help
    ! note: nothing is written yet: `quakefs --basedir [DIR]/quake place [DIR]/mymap.zip [DIR]/skin.zip --write` unpacks it
    "#);
    fs::create_dir(folder.join("none")).unwrap();
    assert_snapshot!(folder.check("--basedir [DIR]/none place [DIR]/mymap.zip"), @"
    exit: 2
    ! error: [DIR]/mymap.zip: it is for Quake, and [DIR]/none: [no-game-directory]
    !   help: name the folder of the game with --basedir
    ");
    assert_snapshot!(folder.check("--basedir [DIR]/quake place"), @"
    exit: 2
    ! error: place needs FILE...
    !   help: quakefs place [OPTIONS] [FILE]...; `quakefs place -h` explains it
    ");
    let missing = folder.run("--basedir [DIR]/quake place [DIR]/missing.zip");
    assert_eq!(missing.exit, Exit::Failed);
    assert!(missing.err().contains("missing.zip: "), "{}", missing.err());
}

#[test]
fn a_guess_is_written_only_under_a_name() {
    let folder = scene();
    let before = folder.tree("");
    assert_snapshot!(folder.check("--basedir [DIR]/quake place [DIR]/flat.zip --write"), @r#"
    exit: 2
    [DIR]/flat.zip: for Quake
      everything -> [DIR]/quake/flat/ (2 files): a guess: no folder and no text names a place
      start it with: quakespasm -game flat
      adds 2 names
    ! warning: flat/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found "flat" +help
    ! warning: flat/sound/a.wav: [wrong-content] a sound (RIFF and WAVE), found "x"
    ! error: [DIR]/flat.zip: not unpacked: flat/ is a guess
    !   help: name the game directory with --as flat
    "#);
    assert_eq!(folder.tree(""), before);
    assert_snapshot!(folder.check("--basedir [DIR]/quake place [DIR]/flat.zip --as flat --write"), @r#"
    [DIR]/flat.zip: for Quake
      everything -> [DIR]/quake/flat/ (2 files): as named by --as
      start it with: quakespasm -game flat
      adds 2 names
    wrote 2 files (5 bytes) to [DIR]/quake
    ! warning: flat/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found "flat" +help
    ! warning: flat/sound/a.wav: [wrong-content] a sound (RIFF and WAVE), found "x"
    ! note: `quakefs place --undo [DIR]/quake/quakefs-place-1.jsonl` undoes this
    "#);
    assert_eq!(folder.names("quake/flat"), ["progs.dat", "sound"]);
    assert_snapshot!(folder.check("place --undo [DIR]/quake/quakefs-place-1.jsonl"), @"
    path              outcome
    flat/sound/a.wav  removed
    flat/progs.dat    removed
    flat/sound        removed
    flat              removed

    4 changes undone
    ");
    assert_eq!(folder.tree(""), before);
}

#[test]
fn what_was_placed_is_listed_and_undone_by_its_name() {
    let folder = scene();
    let before = folder.tree("");
    assert_snapshot!(folder.check("--basedir [DIR]/quake place --list"), @"
    exit: 1
    no download was placed here with --write
    ");
    assert_eq!(
        folder.run("--basedir [DIR]/quake place [DIR]/pd.zip [DIR]/mymap.zip --write").exit,
        Exit::Done
    );
    assert_snapshot!(folder.check("--basedir [DIR]/quake place --list"), @"
    download   files  folders  journal
    pd.zip         2  pd/      [DIR]/quake/quakefs-place-1.jsonl
    mymap.zip      1  id1/     [DIR]/quake/quakefs-place-2.jsonl
    ");
    assert_snapshot!(folder.check("--basedir [DIR]/quake --json place --list"), @r#"
    {"type":"journal","download":"pd.zip","folders":["pd/"],"files":2,"journal":"[DIR]/quake/quakefs-place-1.jsonl"}
    {"type":"journal","download":"mymap.zip","folders":["id1/"],"files":1,"journal":"[DIR]/quake/quakefs-place-2.jsonl"}
    "#);
    let is_undone = |name: &str| {
        let undone = folder.run(&format!("--basedir [DIR]/quake place --undo {name}"));
        assert_eq!(undone.exit, Exit::Done, "{name}: {}", undone.err());
        assert_eq!(folder.run("--basedir [DIR]/quake place [DIR]/pd.zip --write").exit, Exit::Done);
    };
    // the download is still there too
    ["pd", "PD.ZIP", "[DIR]/pd.zip", "pd/"].into_iter().for_each(is_undone);
    assert_snapshot!(folder.check("--basedir [DIR]/quake place --undo pak"), @"
    exit: 2
    ! error: pak: no download of this name was placed
    !   help: `quakefs --basedir [DIR]/quake place --list` lists what was placed
    ");
    assert_eq!(folder.run("--basedir [DIR]/quake place --undo pd").exit, Exit::Done);
    assert_eq!(
        folder.run("--basedir [DIR]/quake place --undo id1").exit,
        Exit::Done,
        "a folder is a name too"
    );
    assert_eq!(folder.tree(""), before);
}

#[test]
fn a_name_of_several_downloads_is_refused() {
    let folder = scene();
    for name in ["a.zip", "b.zip"] {
        folder.write(name, zip([(&*name.replace("zip", "bsp"), LEVEL)]));
        assert_eq!(folder.run(&format!("--basedir [DIR]/quake place [DIR]/{name} --write")).exit, Exit::Done);
    }
    assert_snapshot!(folder.check("--basedir [DIR]/quake place --undo id1"), @"
    exit: 2
    ! error: id1: 2 downloads have this name
    !   help: name the journal: [DIR]/quake/quakefs-place-1.jsonl, [DIR]/quake/quakefs-place-2.jsonl
    ");
}

#[test]
fn a_journal_without_a_name_is_listed_by_its_folders() {
    let folder = scene();
    let header = r#"{"journal":"place","version":1}"#;
    folder.write(
        "quake/quakefs-place-1.jsonl",
        format!("{header}\n{}\n", r#"{"step":"wrote","path":"pd/x","size":1,"crc":1}"#),
    );
    assert_snapshot!(folder.check("--basedir [DIR]/quake place --list"), @"
    download  files  folders  journal
    -             1  pd/      [DIR]/quake/quakefs-place-1.jsonl
    ");
}

#[test]
fn no_file_is_replaced_and_an_undo_keeps_what_was_there() {
    let folder = scene();
    let write = || folder.run("--basedir [DIR]/quake place [DIR]/pd.zip --write");
    folder.write("quake/pd/progs.dat", "another");
    let before = folder.tree("");
    let refused = write();
    assert_eq!(refused.exit, Exit::Failed);
    assert!(refused.err().contains("pd/progs.dat"), "{}", refused.err());
    assert_eq!(folder.tree(""), before);
    folder.write("quake/pd/progs.dat", "pd");
    let before = folder.tree("");
    assert_eq!(write().exit, Exit::Done);
    assert_eq!(write().exit, Exit::Done, "a second time is no error");
    assert_eq!(folder.names("quake").iter().filter(|name| name.contains("place")).count(), 1);
    folder.write("quake/pd/maps/new.bsp", "made later");
    let undone = folder.run("place --undo [DIR]/quake/quakefs-place-1.jsonl");
    assert_eq!(undone.exit, Exit::Done, "a folder with a new file stays: {}", undone.err());
    assert!(undone.out().contains("stays: it is also another's"), "{}", undone.out());
    assert_eq!(folder.names("quake/pd/maps"), ["new.bsp"]);
    std::fs::remove_dir_all(folder.join("quake/pd/maps")).unwrap();
    assert_eq!(folder.tree(""), before);
}

#[test]
#[cfg(unix)]
fn nothing_is_written_through_a_link() {
    let folder = scene();
    folder.write("out/kept", "");
    std::os::unix::fs::symlink(folder.join("out"), folder.join("quake/pd")).unwrap();
    let answer = folder.run("--basedir [DIR]/quake place [DIR]/pd.zip --write");
    assert_eq!(answer.exit, Exit::Failed, "{}", answer.err());
    assert_eq!(folder.names("out"), ["kept"]);
}

#[test]
fn a_download_that_claims_too_much_is_not_unpacked() {
    let folder = scene();
    let zeros = vec![0; 2 << 20];
    folder.write("bomb.zip", testutils::zip_deflated([("pd/pak0.pak", &zeros)]));
    let size = std::fs::metadata(folder.join("bomb.zip")).unwrap().len();
    assert!(size * 100 < zeros.len() as u64);
    // below 1 GiB it is allowed
    assert_eq!(folder.run("--basedir [DIR]/quake place [DIR]/bomb.zip --write").exit, Exit::Done);
}

#[test]
fn which_check_and_mods_name_the_move_that_mends_a_misplaced_file() {
    let folder = scene();
    folder.write("quake/maps/one.bsp", LEVEL);
    folder.write("quake/id1/mymap.zip", std::fs::read(folder.join("mymap.zip")).unwrap());
    let game = "--basedir [DIR]/quake --engine quakespasm";
    assert_snapshot!(folder.check(&format!("{game} which maps/one.bsp maps/mymap.bsp")), @"
    exit: 1
    ! error: maps/one.bsp: not found: [misplaced] +help
    ! error: maps/mymap.bsp: not found: [not-unpacked]
    !   help: `quakefs --basedir [DIR]/quake --engine quakespasm place [DIR]/quake/id1/mymap.zip --write` unpacks it to id1/maps/
    ");
    for command in ["check", "mods"] {
        let text = folder.check(&format!("{game} {command}"));
        assert!(text.contains("[misplaced]"), "{text}");
        assert!(text.contains("[not-unpacked]"), "{text}");
    }
    let json = folder.check(&format!("{game} --json which maps/one.bsp"));
    assert!(json.contains("\"because\":\"misplaced\""), "{json}");
}

#[test]
fn over_takes_a_download_as_place_does_and_says_so() {
    let folder = scene();
    let game = "--basedir [DIR]/quake --engine quakespasm";
    assert_snapshot!(folder.check(&format!("{game} --over [DIR]/mymap.zip which maps/mymap.bsp")), @"
    maps/mymap.bsp: id1/ (4 bytes)
    ! note: [DIR]/mymap.zip: placed in id1/maps/, where levels, demos and archives without a folder go
    ");
    assert_snapshot!(folder.check(&format!("{game} --over [DIR]/pd.zip which progs.dat")), @"
    exit: 1
    ! note: [DIR]/pd.zip: placed in pd/, its own folder
    ! warning: [DIR]/pd.zip: quakespasm does not search pd/
    !   help: name it with --game pd
    ! error: progs.dat: [other-game] +help
    ");
    assert_snapshot!(folder.check(&format!("{game} --over [DIR]/flat.zip --game flat ls --names sound")), @"
    sound/a.wav
    ! note: [DIR]/flat.zip: placed in flat/, a guess: no folder and no text names a place
    ");
    assert_snapshot!(folder.check(&format!("{game} --over frog=[DIR]/flat.zip --game frog which progs.dat")), @"
    progs.dat: frog/ (4 bytes)
    ! note: [DIR]/flat.zip: placed in frog/, as named by --over
    ");
    assert_snapshot!(folder.check(&format!("{game} --over [DIR]/skin.zip ls maps")), @"
    id1/pak0.pak  maps/start.bsp
    ! warning: [DIR]/skin.zip: nothing of it goes into a game: [loose] +help
    ");
    assert!(folder.check(&format!("{game} --over [DIR]/pd.zip mods")).contains("pd "));
}

#[test]
fn a_download_that_is_there_already_changes_nothing() {
    let folder = scene();
    folder.write("quake/pd/progs.dat", "pd");
    folder.write("quake/pd/maps/start.bsp", LEVEL);
    assert_snapshot!(folder.check("--basedir [DIR]/quake place [DIR]/pd.zip --changes"), @"
    [DIR]/pd.zip: for Quake
      pd-3/pd/ -> [DIR]/quake/pd/ (2 files): its own folder
      1 file stays in the download: pd-3/readme.txt
      start it with: quakespasm -game pd +map start
      2 files are there already, all the same
      adds 0 names
    ");
}

#[test]
fn each_zip_of_a_folder_is_placed_as_if_it_were_named() {
    let folder = scene();
    let files = ["mymap.zip", "pd.zip", "skin.zip"];
    for file in files {
        folder.write(&format!("all/{file}"), fs::read(folder.path().join(file)).unwrap());
    }
    let named = files.map(|file| format!("[DIR]/all/{file}")).join(" ");
    let place = |of: &str| folder.check(&format!("--basedir [DIR]/quake place {of}"));
    // the last line repeats the words of the user
    assert_eq!(place("[DIR]/all").replace("[DIR]/all --write", &format!("{named} --write")), place(&named));
    // a fault of one does not keep the others
    folder.write("all/a.zip", "no archive");
    folder.write("all/other.7z", b"7z\xbc\xaf\x27\x1c");
    assert_snapshot!(place("[DIR]/all"), @r#"
    exit: 2
    [DIR]/all/mymap.zip: for Quake
      mymap.bsp -> [DIR]/quake/id1/maps/ (1 file): where levels, demos and archives without a folder go
      1 file stays in the download: mymap.txt
      start it with: quakespasm +map mymap
      adds 1 name
    [DIR]/all/pd.zip: for Quake
      pd-3/pd/ -> [DIR]/quake/pd/ (2 files): its own folder
      1 file stays in the download: pd-3/readme.txt
      start it with: quakespasm -game pd +map start
      adds 1 name, overrides 1 of id1/pak0.pak

    outcome          goes to    download
    not placed       -          [DIR]/all/a.zip
    not written yet  id1/maps/  [DIR]/all/mymap.zip
    not placed       -          [DIR]/all/other.7z
    not written yet  pd/        [DIR]/all/pd.zip
    not placed       -          [DIR]/all/skin.zip
    ! error: [DIR]/all/a.zip: [unknown-magic] +help
    ! warning: id1/maps/mymap.bsp: [wrong-content] a level (29, 30, BSP2, 2PSB, IBSP, QBSP, RBSP or FBSP), found "\x1d\x00\x00\x00" +help
    ! error: [DIR]/all/other.7z: nothing of it goes into a game: it is a 7-Zip archive, which quakefs does not open
    !   help: unpack it with 7-Zip or another program, and place the folder
    ! warning: pd/maps/start.bsp: [wrong-content] a level (29, 30, BSP2, 2PSB, IBSP, QBSP, RBSP or FBSP), found "\x1d\x00\x00\x00" +help
    ! warning: pd/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found "pd"
    ! error: [DIR]/all/skin.zip: nothing of it goes into a game: [loose] +help
    ! note: nothing is written yet: `quakefs --basedir [DIR]/quake place [DIR]/all --write` unpacks them
    "#);
}

#[test]
fn each_game_directory_of_a_download_is_tried() {
    let folder = scene();
    folder.write("two/modx/progs.dat", "x");
    folder.write("two/mody/progs.dat", "y");
    assert_snapshot!(folder.check("--basedir [DIR]/quake place [DIR]/two --changes"), @r#"
    [DIR]/two: for Quake
      modx/progs.dat -> [DIR]/quake/modx/ (1 file): its own folder
      mody/progs.dat -> [DIR]/quake/mody/ (1 file): its own folder
      start it with: quakespasm -game modx
      start it with: quakespasm -game mody
        progs.dat: modx/
        progs.dat: mody/
      adds 2 names
    ! warning: modx/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found "x" +help
    ! warning: mody/progs.dat: [wrong-content] a program (version 6, or 7 of FTE), found "y"
    ! note: nothing is written yet: `quakefs --basedir [DIR]/quake place [DIR]/two --write` unpacks it
    "#);
}

#[test]
fn an_archive_that_the_engine_skips_is_no_file_of_the_game() {
    let folder = scene();
    folder.write("umod/umod/pak7.pak", pack(pak_format::Layout::Quake, [("a.cfg", "a")]));
    assert_snapshot!(folder.check("--basedir [DIR]/quake place [DIR]/umod --changes"), @"
    [DIR]/umod: for Quake
      umod/pak7.pak -> [DIR]/quake/umod/ (1 file): its own folder
      start it with: quakespasm -game umod
      adds 0 names
    ! warning: umod/pak7.pak: [gap after-gap] +help
    ! note: nothing is written yet: `quakefs --basedir [DIR]/quake place [DIR]/umod --write` unpacks it
    ");
}

#[test]
fn a_game_below_the_folder_is_named_and_not_written_to() {
    let folder = scene();
    let before = folder.tree("");
    let (code, _, said) = crate::run_in(&folder, "place --write pd.zip");
    assert_snapshot!(said, @r#"
    note: the base directory is quake
    warning: pd/maps/start.bsp: quakespasm cannot load it: expected a level (29, 30, BSP2, 2PSB, IBSP, QBSP, RBSP or FBSP), found "\x1d\x00\x00\x00"
      help: get another copy of the file, or make it again
    warning: pd/progs.dat: quakespasm cannot load it: expected a program (version 6, or 7 of FTE), found "pd"
    error: pd.zip: not unpacked: the base directory quake is a guess
      help: name it with --basedir quake
    "#);
    assert_eq!(code, 2);
    assert_eq!(folder.tree(""), before);
}

#[test]
fn an_engine_of_another_game_does_not_start_a_download() {
    let folder = scene();
    for (name, head) in [("maps/a.bsp", "IBSP\x26\0\0\0"), ("models/a.md2", "IDP2"), ("pics/a.pcx", "\n")] {
        folder.write(&format!("xatrix2/xatrix2/{name}"), head);
    }
    assert_snapshot!(folder.check("--engine quakespasm --basedir [DIR]/quake place [DIR]/xatrix2"), @"
    exit: 2
    ! error: [DIR]/xatrix2: it is for Quake II, and [DIR]/quake: [no-game-directory]
    !   help: name the folder of the game with --basedir
    ");
}

#[test]
fn games_that_are_not_tried_with_levels_are_counted() {
    let folder = scene();
    for number in 10..30 {
        folder.write(&format!("quake/m{number}/progs.dat"), "x");
    }
    let answer = folder.check("--basedir [DIR]/quake place [DIR]/mymap.zip");
    assert!(answer.contains("5 games were not tried: that would take too long"), "{answer}");
}

#[test]
fn the_start_line_names_a_program_that_is_there() {
    let level = testutils::content::level([30, 0, 0, 0], "{ }", &[]);
    for (program, expected) in
        [("hl.exe", "hl.exe"), ("xash3d", "xash3d"), ("Xash3D.exe", "Xash3D.exe"), ("steam.dll", "goldsrc")]
    {
        let folder = Folder::with([("valve/liblist.gam", "game \"Half-Life\"\n"), (program, "MZ")]);
        folder.write("a.zip", testutils::zip([("a.bsp", &level)]));
        let answer = folder.run("--basedir [DIR] place [DIR]/a.zip");
        assert!(answer.out().contains(&format!("start it with: {expected} +map a")), "{}", answer.out());
    }
}

#[test]
fn a_level_of_half_life_takes_its_wad_along_and_is_no_game_of_its_own() {
    let folder = Folder::with([("valve/liblist.gam", "game \"Half-Life\"\n")]);
    let level = testutils::content::level([30, 0, 0, 0], "{ }", &[]);
    let wad = testutils::content::wad(b"WAD3", &[]);
    folder.write("flat.zip", testutils::zip([("de_x.bsp", &level), ("de_x.wad", &wad)]));
    folder.write("tree.zip", testutils::zip([("maps/de_x.bsp", &level), ("de_x.wad", &wad)]));
    folder.write("hd.zip", testutils::zip([("valve_hd/models/a.mdl", "IDST")]));
    let placed = |file: &str| {
        let run = folder.run(&format!("--basedir [DIR] --engine goldsrc --json place [DIR]/{file}"));
        let of = |kind: &str, key: &str| -> Vec<String> {
            let rows = run.json().into_iter().filter(|row| row["type"] == kind);
            rows.map(|row| row[key].to_string()).collect()
        };
        (of("placed", "to"), of("start", "words").join(" "))
    };
    for file in ["flat.zip", "tree.zip"] {
        let (mut to, words) = placed(file);
        to.sort();
        to.dedup();
        assert!(to.iter().all(|to| to == "\"valve/\"" || to == "\"valve/maps/\""), "{file}: {to:?}");
        assert!(words.contains("+map") && !words.contains("tree"), "{words}");
    }
    assert_eq!(placed("hd.zip").1, "");
}

#[testneeds::data("references/games")]
#[test]
fn a_level_is_started_in_the_game_that_fits_it() {
    let folder = scene();
    let games = testutils::data("references/games");
    for (from, to) in [("progs.dat", "progs.dat"), ("maps/bg.bsp", "maps/bg.bsp")] {
        folder.write(&format!("quake/vektar/{to}"), std::fs::read(games.join("vektar").join(from)).unwrap());
    }
    folder.write("good.zip", zip([("good.bsp", std::fs::read(games.join("vektar/maps/bg.bsp")).unwrap())]));
    let answer = folder.check("--basedir [DIR]/quake --engine quakespasm place [DIR]/good.zip");
    assert!(answer.contains("start it with: quakespasm -game vektar +map good\n"), "{answer}");
    assert!(answer.contains("vektar fits its levels best"), "{answer}");
    // the game that the player names is the one that is started, and no other is tried
    let named = folder.check("--basedir [DIR]/quake --engine quakespasm --game ad place [DIR]/good.zip");
    assert!(named.contains("-game ad +map good") && !named.contains("vektar"), "{named}");
    // an engine that takes one game gets no second one beside the download's own
    let level = std::fs::read(games.join("vektar/maps/bg.bsp")).unwrap();
    let pak = pack(pak_format::Layout::Quake, [("maps/start.bsp", &*level)]);
    folder.write("two.zip", zip([("ad/pak0.pak", &*pak), ("id1/maps/good.bsp", &level)]));
    let both = folder.check("--basedir [DIR]/quake --engine quakespasm place [DIR]/two.zip");
    assert!(both.contains("-game ad") && !both.contains("-game vektar -game"), "{both}");
    // one that cannot be loaded fits nowhere
    folder.write("bad.zip", zip([("bad.bsp", "x")]));
    let answer = folder.check("--basedir [DIR]/quake --engine quakespasm place [DIR]/bad.zip");
    assert!(!answer.contains("find everything") && answer.contains("[wrong-content]"), "{answer}");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn sources_in_capitals_are_no_warnings_and_alike_ones_are_one() {
    let folder = scene();
    let sources = (0..40).map(|number| (format!("tf/Src{number}.QC"), "void() a;"));
    let models = (0..40).map(|number| (format!("tf/progs/M{number}.Mdl"), ""));
    folder.write("tf.zip", zip(sources.chain(models).chain([("tf/progs.dat".to_owned(), "")])));
    let answer = folder.check("--basedir [DIR]/quake --engine quakespasm place [DIR]/tf.zip");
    assert!(!answer.contains(".QC:"), "{answer}");
    assert!(answer.contains("[unlikely-name capitals]; the same is true of 39 other names"), "{answer}");
    assert_eq!(answer.matches(".Mdl: ").count(), 2, "{answer}");
}

#[test]
fn a_download_for_a_game_on_quake3_goes_into_that_game() {
    let level = testutils::content::room(b"IBSP\x2e\0\0\0", "{ classname worldspawn }", &[]);
    let map = zip([("maps/mymap.bsp", level)]);
    let folder = Folder::with([
        ("padman/wop/pak0.pk3", zip([("default.cfg", "bind a b")])),
        ("openarena/baseoa/pak0.pk3", zip([("default.cfg", "bind a b")])),
        ("mymap.pk3", map.clone()),
        ("wop.zip", zip([("wop/mymap.pk3", map)])),
    ]);
    assert_snapshot!(folder.check("--basedir [DIR]/padman place [DIR]/mymap.pk3 [DIR]/wop.zip"), @"
    [DIR]/mymap.pk3: for World of Padman
      mymap.pk3 -> [DIR]/padman/wop/ (1 file): where levels, demos and archives without a folder go
      start it with: padman +map mymap
      adds 1 name
    [DIR]/wop.zip: for World of Padman
      wop/mymap.pk3 -> [DIR]/padman/wop/ (1 file): its own folder
      start it with: padman
      adds 1 name

    outcome          goes to  download
    not written yet  wop/     [DIR]/mymap.pk3
    not written yet  wop/     [DIR]/wop.zip
    ! note: nothing is written yet: `quakefs --basedir [DIR]/padman place [DIR]/mymap.pk3 [DIR]/wop.zip --write` unpacks them
    ");
    assert_snapshot!(folder.check("--basedir [DIR]/openarena place [DIR]/mymap.pk3"), @"
    [DIR]/mymap.pk3: for OpenArena
      mymap.pk3 -> [DIR]/openarena/baseoa/ (1 file): where levels, demos and archives without a folder go
      start it with: openarena +map mymap
      adds 1 name
    ! note: nothing is written yet: `quakefs --basedir [DIR]/openarena place [DIR]/mymap.pk3 --write` unpacks it
    ");
    // of no game's folder: the level could be for any of them
    assert_snapshot!(folder.check("--basedir [DIR] --engine ioquake3 place [DIR]/mymap.pk3"), @"
    exit: 2
    ! error: [DIR]/mymap.pk3: it is for Quake III, and [DIR]: [no-game-directory]
    !   help: name the folder of the game with --basedir
    ");
}

#[test]
fn place_refuses_a_base_directory_that_does_not_exist() {
    let folder = scene();
    let answer = folder.run("--basedir [DIR]/nothere place [DIR]/mymap.zip");
    assert_eq!(answer.exit, Exit::Failed);
    assert!(answer.err().contains("the base directory does not exist"), "{}", answer.err());
}

#[test]
fn an_undo_of_another_file_is_refused() {
    let folder = scene();
    fs::rename(folder.join("mymap.zip"), folder.join("mymap.jsonl")).unwrap();
    let answer = folder.run("place --undo [DIR]/mymap.jsonl");
    assert_eq!(answer.exit, Exit::Failed);
    assert!(answer.err().contains("this file is not a journal of quakefs"), "{}", answer.err());
}

/// What `place` says of a ZIP with these files in the scene's game.
fn said_of(name: &str, files: &[(&str, &[u8])]) -> String {
    let folder = scene();
    folder.write(name, zip(files.to_vec()));
    folder.check(&format!("--basedir [DIR]/quake --engine quakespasm place [DIR]/{name}"))
}

#[test]
fn what_goes_into_no_game_gets_its_next_step() {
    let exe: &[u8] = b"MZ\x90\0";
    for (name, files, expected) in [
        (
            "ironwail-0.8.0-win64.zip",
            vec![("i/ironwail.exe", exe), ("i/ironwail.pak", b"PACK")],
            "the engine ironwail",
        ),
        (
            "ioquake3.zip",
            vec![("ioquake3.x86_64.exe", exe), ("baseq3/cgamex86_64.dll", exe)],
            "the engine ioquake3",
        ),
        ("ezquake.zip", vec![("ezquake.exe", exe), ("ezquake/ezquake.pk3", b"PK")], "the engine ezquake"),
        ("etl.zip", vec![("etl.exe", exe), ("legacy/legacy_v2.83.pk3", b"PK")], "the engine etlegacy"),
        ("xash.zip", vec![("xash3d.exe", exe), ("valve/extras.pk3", b"PK")], "the engine goldsrc"),
        (
            "mod.zip",
            vec![("readme.txt", b"unpack".as_slice()), ("mod.rar", b"Rar!\x1a\x07\0")],
            "a RAR archive",
        ),
        ("setup.zip", vec![("setup.exe", exe)], "it is a program"),
        ("doom.zip", vec![("mymod/pak000.pk4", b"PK\x03\x04".as_slice())], "it is for Doom 3"),
        ("doom.pk4", vec![("maps/a.map", b"Version 2".as_slice())], "it is for Doom 3"),
    ] {
        let said = said_of(name, &files);
        assert!(said.starts_with("exit: 1") && said.contains(expected), "{name}: {said}");
    }
    let folder = scene();
    for (name, content, expected) in [
        ("page.zip", "\u{feff}<!DOCTYPE html><html>", "it is a web page"),
        ("mod.zip.part", "PK\x03\x04", "the download is not finished"),
        ("mod.7z.crdownload", "7z", "the download is not finished"),
    ] {
        folder.write(name, content);
        let said = folder.check(&format!("--basedir [DIR]/quake place [DIR]/{name}"));
        assert!(
            said.starts_with("exit: 1") && said.contains(expected) && !said.contains("not opened"),
            "{said}"
        );
    }
    // a mod that brings its engine is a mod
    let said =
        said_of("tc.zip", &[("tc/ironwail.exe", exe), ("tc/progs.dat", b"x"), ("tc/maps/a.bsp", LEVEL)]);
    assert!(said.contains("start it with: quakespasm -game tc"), "{said}");
    let said = said_of("tc.zip", &[("tc/ironwail.exe", exe), ("tc/pak0.pak", b"PACK")]);
    assert!(said.contains("start it with: quakespasm -game tc"), "{said}");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn names_in_capitals_are_placed_in_small_letters() {
    let said = said_of("dos.zip", &[("E1CAP.BSP", LEVEL), ("README.TXT", b"by me")]);
    assert!(said.contains("start it with: quakespasm +map e1cap"), "{said}");
    let folder = scene();
    folder.write(
        "dos.zip",
        zip([("PD/MAPS/E1.BSP", LEVEL), ("PD/Maps/Mixed.bsp", LEVEL), ("PD/PAK0.PAK", b"PACK")]),
    );
    let line = "--basedir [DIR]/quake --engine quakespasm place [DIR]/dos.zip --write";
    assert_eq!(folder.run(line).exit, Exit::Done);
    let tree = folder.tree("quake/PD");
    for name in ["maps/e1.bsp", "maps/Mixed.bsp", "pak0.pak"] {
        assert!(tree.replace('\\', "/").contains(name), "{name}: {tree}");
    }
}

#[test]
fn a_folder_of_a_game_is_placed_as_engines_ask_for_it_and_a_licence_as_it_is() {
    let files: [(&str, &[u8]); 3] = [("m/Maps/A.bsp", LEVEL), ("m/Progs.dat", b"x"), ("m/LICENSE", b"free")];
    let folder = scene();
    folder.write("m.zip", zip(files));
    assert_eq!(folder.run("--basedir [DIR]/quake place [DIR]/m.zip --write").exit, Exit::Done);
    assert_eq!(folder.names("quake/m"), ["LICENSE", "maps", "progs.dat"]);
    assert_eq!(folder.names("quake/m/maps"), ["A.bsp"]);
}

#[test]
fn a_download_is_placed_once_however_often() {
    let folder = scene();
    folder.write("own.zip", zip([("pak0.pak", "PACK"), ("own.txt", "quake -game own")]));
    let line = "--basedir [DIR]/quake place [DIR]/own.zip --write";
    for _ in 0..2 {
        assert_eq!(folder.run(line).exit, Exit::Done);
    }
    let list = folder.run("--basedir [DIR]/quake place --list");
    assert_eq!(list.out().matches("own.zip").count(), 1, "{}", list.out());
    assert_eq!(folder.run("--basedir [DIR]/quake place --undo own.zip").exit, Exit::Done);
}

#[test]
fn an_undo_leaves_the_folder_of_another_download_and_ends() {
    let folder = scene();
    folder.write("a.zip", zip([("a.bsp", LEVEL)]));
    folder.write("b.zip", zip([("b.bsp", LEVEL)]));
    let run = |line: &str| folder.run(&format!("--basedir [DIR]/quake place {line}"));
    assert_eq!(run("[DIR]/a.zip [DIR]/b.zip --write").exit, Exit::Done);
    assert_eq!(run("--undo a").exit, Exit::Done);
    assert_eq!(folder.names("quake/id1/maps"), ["b.bsp"]);
    let list = run("--list");
    assert!(list.out().contains("b.zip") && !list.out().contains("a.zip"), "{}", list.out());
    assert_eq!(run("--undo b").exit, Exit::Done);
}

#[test]
fn an_archive_with_levels_in_a_download_goes_where_it_would_go_alone() {
    let folder = Folder::with([("q3/baseq3/pak0.pk3", zip([("default.cfg", "x")]))]);
    let level: &[u8] = b"IBSP\x2e\0\0\0";
    let inner = zip([("MAPS/BIG.BSP", level)]);
    folder.write("big.pk3", &inner);
    folder.write("big.zip", zip([("big.pk3", inner.as_slice()), ("big.txt", b"by me")]));
    for name in ["big.zip", "big.pk3"] {
        let answer = folder.run(&format!("--basedir [DIR]/q3 place [DIR]/{name}"));
        assert!(answer.out().contains("start it with: ioquake3 +map BIG\n"), "{}", answer.out());
        assert!(answer.out().contains("where levels, demos and archives"), "{}", answer.out());
    }
}

#[test]
fn a_mission_of_quake_2_is_a_game_and_no_flag() {
    let folder = Folder::with([("q2/baseq2/pak0.pak", pack(pak_format::Layout::Quake, [("a", "x")]))]);
    folder.write("d.zip", zip([("rogue/maps/lev.bsp", b"IBSP\x26\0\0\0".as_slice())]));
    let answer = folder.run("--basedir [DIR]/q2 place [DIR]/d.zip");
    assert!(answer.out().contains("start it with: yquake2 +set game rogue +map lev"), "{}", answer.out());
}

#[test]
fn what_is_for_quakeworld_gets_no_start_line_of_quake() {
    let text = b"Put it in your qw/skins folder".as_slice();
    let said = said_of("me.zip", &[("skins/me.pcx", b"x"), ("me.txt", text)]);
    assert!(said.contains("skins/me.pcx -> [DIR]/quake/qw/") && !said.contains("start it with"), "{said}");
    for program in ["qwprogs.dat", "qwprogs.so"] {
        let said = said_of("ktx.zip", &[(&*format!("ktx/{program}"), b"x"), ("ktx/ktx.cfg", b"x")]);
        assert!(said.contains("ktx/ -> [DIR]/quake/ktx/") && !said.contains("start it with"), "{said}");
    }
}

#[test]
fn the_level_that_starts_is_no_box_of_ammunition() {
    let said = said_of("m.zip", &[("maps/b_rock.bsp", LEVEL), ("maps/real.bsp", LEVEL)]);
    assert!(said.contains("start it with: quakespasm +map real"), "{said}");
}

#[test]
fn advice_about_a_download_names_the_folder_that_is_a_guess() {
    let folder = scene();
    folder.write("quake/tex.zip", zip([("textures/a.tga", "x")]));
    let answer = folder.run("--basedir [DIR]/quake check");
    assert!(answer.out().contains("tex.zip --as id1 --write` unpacks it"), "{}", answer.out());
}

#[test]
fn a_demo_starts_with_the_console_command_of_its_game() {
    let said = said_of("run.zip", &[("run.dem", b"0\n"), ("run.txt", b"by me")]);
    assert!(said.contains("start it with: quakespasm +playdemo run.dem\n"), "{said}");
    let several = said_of("runs.zip", &[("a.dem", b"0\n"), ("b.dem", b"0\n")]);
    assert!(several.contains("start it with: quakespasm\n"), "{several}");
}

#[test]
fn a_level_for_a_mod_that_is_not_there_tells_which() {
    for (text, start, needed) in [
        ("This map requires Arcane Dimensions v1.80.", "-game ad +map a", ""),
        (
            "Requires the Copper mod. Extract the bsp into copper/maps.",
            "-game copper +map a",
            "Copper, whose folder copper/",
        ),
        ("You need Quoth 2.", "-quoth +map a", "Quoth, whose folder quoth/"),
        ("Unzip it to your ad folder", "-game ad +map a", ""),
        ("It does not need Quoth.", "+map a", ""),
        ("Unzip into c:\\quake\\mymod", "-game mymod +map a", ""),
    ] {
        let said = said_of("a.zip", &[("a.bsp", LEVEL), ("a.txt", text.as_bytes())]);
        assert!(said.contains(&format!("start it with: quakespasm {start}\n")), "{text}: {said}");
        // the scene has ad/
        assert_eq!(said.contains("it needs "), !needed.is_empty(), "{text}: {said}");
        assert!(said.contains(needed), "{text}: {said}");
    }
}

#[test]
fn texts_stay_in_the_download_of_a_game_that_is_there() {
    let files: [(&str, &[u8]); 3] =
        [("textures/a.tga", b"x"), ("readme.txt", b"unpack into id1"), ("maps/a.txt", b"x")];
    let said = said_of("hd.zip", &files);
    assert!(
        said.contains("1 file stays in the download: readme.txt") && said.contains("quake/id1/ (2 files)"),
        "{said}"
    );
}

#[test]
fn a_base_directory_of_another_game_is_an_error() {
    let folder = scene();
    let place = |base: &str| folder.check(&format!("--basedir [DIR]/{base} place [DIR]/mymap.zip"));
    assert_snapshot!(place("quake/id1"), @"
    exit: 2
    ! error: [DIR]/mymap.zip: it is for Quake, and [DIR]/quake/id1: [no-game-directory] +help
    ");
    folder.write("q2/baseq2/pak0.pak", pack(pak_format::Layout::Quake, [("a.cfg", "")]));
    assert_snapshot!(place("q2"), @"
    exit: 2
    ! error: [DIR]/mymap.zip: it is for Quake, and [DIR]/q2: [no-game-directory]
    !   help: name the folder of the game with --basedir
    ");
}
