//! What all findings come to, and what was not read: the inputs of `cases`, as people met them.

use pak_format::Layout;
use quakefs_cli::Exit;
use testutils::content::{level, solid_mdl, texture, wad};
use testutils::program::small;
use testutils::{Folder, pack};

use crate::Commands as _;

const QUAKE: [u8; 4] = [29, 0, 0, 0];

/// A base game, and a mod with one level and these files.
fn game_with(files: &[(&str, Vec<u8>)]) -> Folder {
    let folder = Folder::with([("id1/progs.dat", small()), ("id1/progs/player.mdl", solid_mdl())]);
    folder.write("mod/maps/m.bsp", level(QUAKE, "{ classname worldspawn }", &[]));
    for (name, bytes) in files {
        folder.write(&format!("mod/{name}"), bytes);
    }
    folder
}

#[test]
fn what_was_not_read_is_not_good() {
    let program = small();
    let mut other = program.clone();
    other[0] = 5;
    let cut = program[..program.len() / 2].to_vec();
    let whole = game_with(&[]);
    assert_eq!(whole.run("--basedir [DIR] --engine darkplaces --game mod needs m").exit, Exit::Done);
    for (name, bytes) in [
        ("progs.dat", cut),
        ("progs.dat", Vec::new()),
        ("progs.dat", other),
        ("maps/m.bsp", b"no level".to_vec()),
        ("maps/m.bsp", Vec::new()),
        ("progs/player.mdl", Vec::new()),
    ] {
        let folder = game_with(&[(name, bytes)]);
        let line = "--basedir [DIR] --engine darkplaces --game mod";
        let check = folder.run(&format!("{line} check"));
        assert_eq!(check.exit, Exit::NotFound, "{name}: {}", check.out());
        assert!(check.out().contains("darkplaces starts, but not all is right\n"), "{}", check.out());
        assert_eq!(folder.run(&format!("{line} needs m")).exit, Exit::NotFound, "{name}");
        let pack = folder.run(&format!("{line} pack m -o [DIR]/m.pak"));
        assert_eq!((pack.exit, folder.join("m.pak").exists()), (Exit::NotFound, false), "{name}");
        let json = folder.run(&format!("{line} --json check")).json();
        let verdict = json.iter().find(|row| row["type"] == "verdict-of-game").unwrap();
        assert!(verdict["verdict"] == "starts-but" && verdict["good"] == false, "{verdict}");
    }
    assert_eq!(
        whole.run("--basedir [DIR] --engine darkplaces --game mod pack m -o [DIR]/m.pak").exit,
        Exit::Done
    );
}

#[test]
fn needs_of_what_is_no_level_says_what_it_is() {
    let folder = game_with(&[("maps/source.map", b"{}".to_vec()), ("a.wad", wad(b"WAD2", &[]))]);
    for (name, said) in [
        ("maps/source.map", "the source of a level"),
        ("a.wad", "not a level: a WAD of textures"),
        ("progs.dat", "not a level: a program"),
    ] {
        let answer = folder.run(&format!("--basedir [DIR] --game mod needs {name}"));
        assert!(answer.exit == Exit::NotFound && answer.err().contains(said), "{}", answer.err());
    }
}

#[test]
fn an_engine_that_does_not_start_says_so_in_path_and_exits_with_1() {
    let folder = Folder::with([("baseq2/default.cfg", "x"), ("baseq3/default.cfg", "x"), ("id1/a.cfg", "x")]);
    for (engine, file) in [("yquake2", "baseq2/pics/colormap.pcx"), ("ioquake3", "baseq3/pak0.pk3")] {
        let path = folder.run(&format!("--basedir [DIR] --engine {engine} path"));
        assert!(
            path.exit == Exit::NotFound && path.err().contains(&format!("{engine} does not start: {file}: "))
        );
        let which = folder.run(&format!("--basedir [DIR] --engine {engine} which default.cfg"));
        assert!(
            which.err().starts_with(&format!("warning: {engine} does not start: {file}")),
            "{}",
            which.err()
        );
    }
    let path = folder.run("--basedir [DIR] --engine winquake path");
    assert_eq!(path.exit, Exit::Done, "nothing of the game is there: {}", path.err());
}

#[test]
fn the_name_of_an_archive_leads_to_the_command_for_it() {
    let folder = Folder::with([
        ("id1/pak0.pak", pack(Layout::Quake, [("a.cfg", "a")])),
        ("mod.zip", testutils::zip([("mod/progs.dat", "x")])),
    ]);
    for (line, command) in [
        ("ls id1/pak0.pak", "quakefs pak list "),
        ("ls pak0.pak", "quakefs pak list "),
        ("which id1/pak0.pak", "quakefs pak list "),
        ("cat id1/pak0.pak", "quakefs pak cat "),
    ] {
        let answer = folder.run(&format!("--basedir [DIR] {line}"));
        assert!(answer.exit == Exit::NotFound && answer.err().contains(command), "{}", answer.err());
    }
    let zip = folder.run("--basedir [DIR] which mod.zip");
    assert!(zip.err().contains("quakefs place "), "{}", zip.err());
    let said = |line: &str| folder.run(line).err().to_owned();
    assert!(said("id1/pak0.pak").contains("`quakefs pak list id1/pak0.pak`"));
    assert!(said("mod.zip").contains("`quakefs place mod.zip`"));
    for (word, ours) in [("delete", "remove"), ("t", "verify"), ("unpack", "extract"), ("hash", "catalog")] {
        assert!(said(&format!("pak {word} a.pak")).contains(&format!("`quakefs pak {ours}")), "{word}");
    }
}

/// quakestarter #84, `QuakeInjector` #146: Windows Explorer packs large files with Deflate64.
#[test]
fn a_download_that_cannot_be_decoded_is_named_and_not_written() {
    let folder = Folder::with([("game/id1/a.cfg", b"x".to_vec())]);
    let mut zip = testutils::zip([("qj/progs.dat", "the program"), ("qj/readme.txt", "read me")]);
    // the method of the first file, in its local header and in the directory
    let directory = zip.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    for at in [8, directory + 10] {
        zip[at..at + 2].copy_from_slice(&9_u16.to_le_bytes());
    }
    folder.write("qj.zip", &zip);
    let place = folder.run("--basedir [DIR]/game --engine quakespasm place [DIR]/qj.zip --write");
    assert_eq!(place.exit, Exit::NotFound);
    assert!(place.err().contains("Deflate64, which Windows Explorer uses"), "{}", place.err());
    assert!(!folder.join("game/qj").exists());
    let over = folder.run("--basedir [DIR]/game --over [DIR]/qj.zip --game qj which progs.dat");
    assert!(over.exit == Exit::NotFound && over.err().contains("compressed"), "{}", over.err());
}

#[test]
fn another_installation_in_the_folder_is_right_where_it_is() {
    let folder = Folder::with([
        ("id1/pak0.pak", pack(Layout::Quake, [("a.cfg", "a")])),
        ("rerelease/id1/pak0.pak", pack(Layout::Quake, [("a.cfg", "b")])),
        ("rerelease/mg1/pak0.pak", pack(Layout::Quake, [("maps/mg1.bsp", "c")])),
    ]);
    for line in ["check", "mods"] {
        let answer = folder.run(&format!("--basedir [DIR] {line}"));
        assert!(!format!("{}{}", answer.out(), answer.err()).contains("rerelease"), "{}", answer.out());
    }
    let which = folder.run("--basedir [DIR] which maps/mg1.bsp").err().to_owned();
    assert!(which.contains("rerelease/ has it") && which.contains("--basedir"), "{which}");
}

/// QuakeSpasm ends the game at a model of more than 2,000 vertices, which Ironwail loads.
#[test]
fn a_model_that_one_engine_has_no_room_for_is_an_error_of_that_engine() {
    let mut model = solid_mdl();
    let vertices = u32::from_le_bytes(model[60..64].try_into().unwrap());
    // the points of the skin follow the skins, and each frame has a row for each vertex
    model.extend(vec![0; 2001 * 16]);
    model[60..64].copy_from_slice(&2001_u32.to_le_bytes());
    assert!(vertices < 2000);
    let folder = game_with(&[("progs/big.mdl", model)]);
    let findings = |engine: &str| {
        let json = folder.run(&format!("--basedir [DIR] --engine {engine} --game mod --json check")).json();
        json.iter()
            .filter(|row| row["name"] == "progs/big.mdl")
            .map(|row| row["kind"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!((findings("quakespasm"), findings("ironwail")), (vec!["content-limit".into()], Vec::new()));
    let answer = folder.run("--basedir [DIR] --game mod compare quakespasm ironwail --only content-limit");
    assert_eq!(answer.exit, Exit::NotFound);
    assert!(answer.out().contains("quakespasm loads models with at most 2 000 vertices"), "{}", answer.out());
    let lines: Vec<_> = answer.out().lines().skip(3).map(|line| line.split_whitespace().count()).collect();
    assert_eq!(lines, [3], "{}", answer.out());
}

#[test]
fn a_texture_that_reaches_past_its_wad_is_named() {
    let mut glass = texture("glass_big", 16, 16, None);
    glass[16..20].copy_from_slice(&100_000_000_u32.to_le_bytes());
    let folder = Folder::with([("a.wad", wad(b"WAD2", &[("glass_big", 0x44, glass)]))]);
    folder.write(
        "mod/pak0.pak",
        pack(Layout::Quake, [("gfx/a.wad", std::fs::read(folder.join("a.wad")).unwrap())]),
    );
    for line in [
        "pak verify --json [DIR]/a.wad",
        "pak verify --json [DIR]/mod",
        "pak extract [DIR]/a.wad -o [DIR]/out",
    ] {
        let answer = folder.run(line);
        // the sentence of a finding stands for itself here
        let said = format!("{}{}", answer.out(), answer.err());
        assert!(
            answer.exit != Exit::Done && (said.contains("glass_big") || said.contains("wrong-content")),
            "{line}: {said}"
        );
    }
}
