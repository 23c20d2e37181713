//! `quakefs needs`, `unused` and `pack`

use insta::assert_snapshot;
use pak_format::{Archive, Layout};
use quakefs_cli::Exit;
use testutils::content::{level, solid_mdl, wav};
use testutils::program::{Program, small};
use testutils::{Folder, pack};

use crate::{Commands as _, brief};

const QUAKE: [u8; 4] = [29, 0, 0, 0];

/// A mod whose level needs a model that exists in another case, a sound with a similar name, and a missing
/// level.
fn mod_of_a_lamp() -> Folder {
    mod_with("progs/Lamp.mdl")
}

/// The same on any disk: the model has a similar name.
pub(crate) fn mod_of_a_lmap() -> Folder {
    mod_with("progs/lmap.mdl")
}

fn mod_with(model: &str) -> Folder {
    let entities = "{ classname worldspawn } { classname light_lamp } { classname light_lmap }\
        { classname trigger_changelevel map gone }\
        { classname func_door noise doors/new.wav spawnflags 1792 }";
    Folder::with([
        ("id1/progs.dat", small()),
        ("id1/progs/player.mdl", solid_mdl()),
        ("id1/maps/base.bsp", level(QUAKE, "{ classname worldspawn } { classname light_lamp }", &[])),
        ("mod/maps/a.bsp", level(QUAKE, entities, &[])),
        (&*format!("mod/{model}"), solid_mdl()),
        ("mod/sound/lamp/hmu.wav", wav(11_025, 10)),
        ("mod/readme.txt", b"read me".to_vec()),
    ])
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn needs_lists_missing_files_with_their_origin_and_similar_names() {
    let folder = mod_of_a_lamp();
    assert_snapshot!(folder.check("--basedir [DIR] --game mod --engine quakespasm needs maps/a.bsp"), @"
    exit: 1
    missing level: maps/gone.bsp: not found
      needed by maps/a.bsp, trigger_changelevel #3, map
    missing model: progs/lamp.mdl: [other-spelling]
      needed by maps/a.bsp, light_lamp #1, light_lamp() +help
    missing sound: sound/doors/new.wav: not found
      needed by maps/a.bsp, func_door #4, func_door() (deathmatch)
    missing sound: sound/lamp/hum.wav: not found
      needed by maps/a.bsp, light_lamp #1, light_lamp() +help
    1 level needs 5 files; 4 are missing
    ! warning: maps/a.bsp: light_lmap #2: [no-spawn-function] +help
    ");
}

#[test]
fn a_damaged_level_and_a_missing_program_of_a_server_are_no_zero_of_needs() {
    let folder = Folder::with([
        ("id1/progs.dat", small()),
        ("id1/maps/cut.bsp", level(QUAKE, "{ classname worldspawn }", &[])[..60].to_vec()),
        ("qw/maps/a.bsp", level(QUAKE, "{ classname worldspawn }", &[])),
    ]);
    assert_snapshot!(folder.check("--basedir [DIR] --engine quakespasm needs cut"), @"
    exit: 1
    1 level needs 0 files; 0 are missing; the needs of 1 level are not known
    ! error: id1/maps/cut.bsp: [wrong-content] off: entities would end at byte 148, and the file ends at 60 +help
    ");
    assert_snapshot!(folder.check("--basedir [DIR] --engine mvdsv needs a"), @"
    exit: 1
    1 level needs 0 files; 0 are missing; the needs of 1 level are not known
    ! note: quakefs does not know of mvdsv: the extensions that it has for programs; the functions that it has for programs
    [no-program] +help
    ");
    let check = folder.run("--basedir [DIR] --engine mvdsv check");
    assert!(check.out().contains("qwprogs.dat: not found, so no level loads"), "{}", check.text());
    assert!(!check.text().contains("mvdsv starts, and no file"), "{}", check.text());
}

#[test]
fn needs_notes_what_the_program_uses_during_play_and_the_engine_lacks() {
    let mut program = Program::new();
    let (asks, wanted) = (program.builtin("checkextension", 99), program.constant("QSG_CVARSTRING"));
    program.calls("worldspawn", &[]);
    program.calls("StartFrame", &[(asks, wanted)]);
    let folder = Folder::with([
        ("id1/progs.dat", program.finish()),
        ("id1/maps/a.bsp", level(QUAKE, "{ classname worldspawn }", &[])),
    ]);
    assert_snapshot!(folder.check("--basedir [DIR] --engine quakespasm needs maps/a.bsp"), @"
    1 level needs 0 files; 0 are missing
    ! note: progs.dat: [unknown-builtin]
    ");
    let github = folder.check("--basedir [DIR] --engine quakespasm needs maps/a.bsp --format github");
    assert_snapshot!(github.replace("C%3A", ""), @"
    ::notice file=[DIR]/id1/progs.dat,title=unknown-builtin::id1/progs.dat: [unknown-builtin]%0Ahelp: […]
    0 errors, 0 warnings, 1 note
    ");
    assert_snapshot!(
        folder.check("--basedir [DIR] --engine darkplaces needs maps/a.bsp --json"),
        @r#"{"type":"incident","file":"progs.dat","kind":"missing-extension","entity":null,"class":null,"function":"StartFrame","ends":false,"reason":"[missing-extension]"}"#
    );
}

/// The names of the missing files, with the file that was probably meant.
fn missing(folder: &Folder, line: &str) -> Vec<(String, Option<String>)> {
    let lines = folder.run(&format!("--basedir [DIR] --engine quakespasm --json {line}")).json();
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let needs = lines.iter().filter(|line| line["type"] == "need");
    needs.map(|need| (text(&need["name"]).unwrap(), text(&need["instead"]))).collect()
}

/// Ironwail's issue 530: the start map of MAPJAMX names a sound without its extension.
#[test]
fn a_sound_without_its_extension_is_missing_and_the_file_is_suggested() {
    let door = "{ classname worldspawn } { classname func_door noise break/pd_metal1 }";
    let folder = Folder::with([
        ("id1/progs.dat", small()),
        ("id1/progs/player.mdl", Vec::new()),
        ("mapjamx/maps/start.bsp", level(QUAKE, door, &[])),
        ("mapjamx/sound/break/pd_metal1.wav", b"metal".to_vec()),
    ]);
    let name = |name: &str| name.to_owned();
    let sound = (name("sound/break/pd_metal1"), Some(name("sound/break/pd_metal1.wav")));
    assert_eq!(missing(&folder, "--game mapjamx needs start"), [sound]);
    let check = folder.run("--basedir [DIR] --engine quakespasm --game mapjamx check");
    let lines: Vec<_> = check.out().lines().skip_while(|line| !line.contains("pd_metal1")).take(2).collect();
    assert_snapshot!(lines.join("\n"), @r#"
    error    mapjamx/sound/break/pd_metal1.wav: quakespasm cannot load it: expected a sound (RIFF and WAVE), found "metal"
    warning  mapjamx/maps/start.bsp: sound/break/pd_metal1 is missing (needed by func_door #1, func_door())
    "#);
}

/// LibreQuake's issue 387: the list of the build names neither the sounds of a boss nor, with the right
/// letters, the sound of a burn by slime.
#[test]
fn the_sounds_that_a_build_forgot_are_missing_with_what_needs_them() {
    let mut program = Program::new();
    let sound = program.builtin("precache_sound", 19);
    let burn = program.constant("player/slimbrn2.wav");
    program.calls("worldspawn", &[(sound, burn)]);
    let boss = ["death", "idle", "sight", "pop2"].map(|name| program.constant(&format!("boss2/{name}.wav")));
    program.calls("monster_oldone", &boss.map(|name| (sound, name)));
    let end = level(QUAKE, "{ classname worldspawn } { classname monster_oldone }", &[]);
    let files: [(&[u8], &[u8]); 3] =
        [(b"progs.dat", &program.finish()), (b"maps/end.bsp", &end), (b"sound/player/slmbrn2.wav", b"slime")];
    let folder = Folder::with([("id1/pak0.pak", crate::archive(&files))]);
    let mut names = missing(&folder, "needs end");
    names.sort();
    let boss = ["death", "idle", "pop2", "sight"].map(|name| (format!("sound/boss2/{name}.wav"), None));
    let burn = ("sound/player/slimbrn2.wav".to_owned(), Some("sound/player/slmbrn2.wav".to_owned()));
    assert_eq!(names, [&boss[..], &[burn]].concat());
    let answer = folder.run("--basedir [DIR] --engine quakespasm needs end");
    assert!(answer.out().contains("needed by maps/end.bsp, monster_oldone #1, monster_oldone()"));
}

/// What another game has, and an archive that the engine does not load.
#[test]
fn needs_tells_where_else_a_missing_file_is() {
    let folder = mod_of_a_lmap();
    folder.write("ad/sound/lamp/hum.wav", "a hum");
    folder.write("mod/pak1.pak", pack(Layout::Quake, [("maps/gone.bsp", "a level")]));
    let lines = folder.run("--basedir [DIR] --game mod --engine quakespasm --json needs maps/a.bsp").json();
    let because = |name: &str| {
        let need = lines.iter().find(|line| line["name"] == name).unwrap();
        need["because"].as_str().unwrap().to_owned()
    };
    assert_eq!(because("sound/lamp/hum.wav"), "other-game");
    assert_eq!(because("maps/gone.bsp"), "skipped");
}

#[test]
fn needs_of_a_single_game_has_only_its_own_files() {
    let folder = mod_of_a_lmap();
    let names = |options: &str| -> Vec<String> {
        let line =
            format!("--basedir [DIR] --game mod --engine quakespasm --json needs {options} maps/a.bsp");
        let lines = folder.run(&line).json();
        let needs = lines.iter().filter(|line| line["type"] == "need");
        needs.map(|line| line["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(!names("--skill 2").contains(&"sound/doors/new.wav".to_owned()));
    assert!(names("--deathmatch").contains(&"sound/doors/new.wav".to_owned()));
    assert!(names("--skill 1 --coop").contains(&"progs/lamp.mdl".to_owned()));
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn needs_in_json_has_the_chain_and_the_file_that_may_be_meant() {
    let folder = mod_of_a_lamp();
    let answer = folder.run("--basedir [DIR] --game mod --engine quakespasm --json needs maps/a.bsp");
    assert_eq!(answer.exit, Exit::NotFound);
    let lines = answer.json();
    let lamp = lines.iter().find(|line| line["name"] == "progs/lamp.mdl").unwrap();
    assert_eq!(lamp["type"], "need");
    assert_eq!(lamp["kind"], "model");
    assert_eq!(lamp["missing"], true);
    assert_eq!(lamp["presence"], "required");
    assert_eq!(lamp["instead"], "progs/Lamp.mdl");
    assert_eq!(lamp["because"], "other-spelling");
    assert_eq!(lamp["by"], serde_json::json!(["maps/a.bsp", "light_lamp #1", "light_lamp()"]));
    let incident = lines.iter().find(|line| line["type"] == "incident").unwrap();
    assert_eq!(
        (incident["kind"].as_str(), incident["class"].as_str()),
        (Some("no-spawn-function"), Some("light_lmap"))
    );
}

#[test]
fn needs_of_all_levels_is_that_of_the_mod_and_of_the_engine() {
    let folder = mod_of_a_lamp();
    let line = "--basedir [DIR] --game mod --engine quakespasm --json needs --all";
    let lines = folder.run(line).json();
    let by: Vec<_> =
        lines.iter().filter(|line| line["type"] == "need").map(|line| line["by"][0].clone()).collect();
    assert!(by.iter().any(|by| by == "maps/a.bsp") && by.iter().any(|by| by == "quakespasm"));
    assert!(!by.iter().any(|by| by == "maps/base.bsp"));
}

#[test]
fn needs_of_a_missing_level_is_not_found() {
    let folder = mod_of_a_lamp();
    let answer = folder.run("--basedir [DIR] --game mod needs maps/b.bsp");
    assert_eq!((answer.exit, answer.out()), (Exit::NotFound, ""));
    assert!(answer.err().contains("maps/b.bsp"));
}

#[test]
fn needs_of_a_file_that_is_not_a_level_names_it_once() {
    let folder = Folder::with([("id1/maps/b.bsp", b"no level".to_vec()), ("id1/progs.dat", small())]);
    let answer = folder.run("--basedir [DIR] --engine quakespasm needs maps/b.bsp");
    let error = answer.err().lines().find(|line| line.contains("error")).unwrap();
    assert_eq!(error.matches("maps/b.bsp").count(), 1, "{error}");
    assert!(error.contains("quakespasm cannot load it"), "{error}");
}

#[test]
fn check_lists_missing_files_of_a_mods_levels_only() {
    let folder = mod_of_a_lmap();
    let missing = |options: &str| -> Vec<String> {
        let lines = folder.run(&format!("--basedir [DIR] --engine quakespasm --json {options} check")).json();
        let missing = lines.iter().filter(|line| line["kind"] == "missing-file");
        missing.map(|line| line["location"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(missing("--game mod"), ["mod/maps/a.bsp"; 4]);
    let is_one_line = |all: &str| {
        let answer = folder.run(&format!("--basedir [DIR] --engine quakespasm --game mod check {all}"));
        answer.out().contains("mod/maps/a.bsp: it needs 4 files that are missing")
    };
    assert!(is_one_line("") && !is_one_line("--all"));
    assert_eq!(missing(""), [""; 0]);
}

#[test]
fn compare_of_needs_lists_what_one_engine_finds_and_another_misses() {
    let folder = mod_of_a_lamp();
    assert_snapshot!(folder.check("--basedir [DIR] --game mod compare quakespasm darkplaces --needs"), @"they find the same files for the levels: 5 files compared");
}

#[test]
fn unused_lists_unneeded_files_with_a_similar_missing_name() {
    let folder = mod_of_a_lmap();
    assert_snapshot!(folder.check("--basedir [DIR] --game mod --engine quakespasm unused"), @"
    exit: 1
    name                size  layer  similar missing file
    progs/lmap.mdl       500  mod/   progs/lamp.mdl
    sound/lamp/hmu.wav    54  mod/   sound/lamp/hum.wav
    ");
    let answer = folder.run("--basedir [DIR] --game mod --engine quakespasm unused --names");
    assert_eq!(answer.out(), "progs/lmap.mdl\nsound/lamp/hmu.wav\n");
}

#[test]
fn unused_without_a_program_gives_advice() {
    let folder = mod_of_a_lmap();
    folder.write("mod/progs.dat", "cut");
    assert_snapshot!(brief(folder.check("--basedir [DIR] --game mod --engine quakespasm unused")), @r#"exit 2: error: the unused files are unknown: [unreadable] expected a program (version 6, or 7 of FTE), found "cut" +help"#);
    assert_snapshot!(folder.check("--basedir [DIR] --game mod --engine yquake2 unused"), @"
    exit: 2
    ! warning: baseq2/: [engine-stops|missing-directory] +help
    ! error: the unused files are unknown: [native-code]
    ");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn a_program_in_capitals_is_named_as_the_cause() {
    let folder = mod_of_a_lmap();
    std::fs::rename(folder.join("id1/progs.dat"), folder.join("mod/PROGS.DAT")).unwrap();
    let line = "--basedir [DIR] --game mod --engine quakespasm";
    assert_snapshot!(folder.run(&format!("{line} unused")).err(), @"
    error: the unused files are unknown: progs.dat: not found: mod/ has PROGS.DAT, and quakespasm finds it only by this exact spelling, so no level loads; the files that it needs cannot be listed
      help: rename it to progs.dat
    ");
    let needs = folder.run(&format!("{line} needs maps/a.bsp"));
    assert_snapshot!(needs.err(), @"
    error: maps/a.bsp: progs.dat: not found: mod/ has PROGS.DAT, and quakespasm finds it only by this exact spelling, so no level loads; the files that it needs cannot be listed
      help: rename it to progs.dat
    ");
}

#[test]
fn pack_writes_nothing_if_a_file_is_missing_and_then_the_rest_with_an_option() {
    let folder = mod_of_a_lmap();
    folder.write("mod/sound/lamp/hum.wav", wav(11_025, 10));
    let line = "--basedir [DIR] --game mod --engine quakespasm pack maps/a.bsp --also readme.txt -o \
        [DIR]/release.pak";
    for output in ["release.pak", "release/"] {
        let answer = folder.run(&line.replace("release.pak", output));
        assert_eq!(answer.exit, Exit::NotFound);
        assert!(answer.err().contains("not written, because files are missing"), "{}", answer.err());
        assert!(answer.out().contains("missing model: progs/lamp.mdl"), "{}", answer.out());
        assert!(!folder.join(output).exists());
    }
    let json = folder.run(&format!("{line} --json")).json();
    assert!(json.iter().all(|line| line["type"] == "need"));
    let line = format!("{line} --incomplete");
    assert_snapshot!(folder.check(&line), @"
    missing level: maps/gone.bsp: not found
      needed by maps/a.bsp, trigger_changelevel #3, map
    missing model: progs/lamp.mdl: not found
      needed by maps/a.bsp, light_lamp #1, light_lamp() +help
    missing sound: sound/doors/new.wav: not found
      needed by maps/a.bsp, func_door #4, func_door() (deathmatch)
    [DIR]/release.pak contains 3 files for 1 level, without 2 files that players have
    ");
    let archive = Archive::parse(std::fs::read(folder.join("release.pak")).unwrap()).unwrap();
    let names: Vec<_> = archive.entries().map(|entry| entry.name().to_string()).collect();
    assert_eq!(names, ["maps/a.bsp", "readme.txt", "sound/lamp/hum.wav"]);
    // another game with only the base and the release misses the same files and no others
    let played = Folder::new();
    for name in ["id1/progs.dat", "id1/progs/player.mdl"] {
        played.write(name, std::fs::read(folder.join(name)).unwrap());
    }
    played.write("mod/pak0.pak", std::fs::read(folder.join("release.pak")).unwrap());
    let missing = |folder: &Folder| -> Vec<String> {
        let lines =
            folder.run("--basedir [DIR] --game mod --engine quakespasm --json needs maps/a.bsp").json();
        let missing = lines.iter().filter(|line| line["type"] == "need");
        missing.map(|line| line["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(missing(&played), missing(&folder));
}

#[test]
fn a_level_has_its_bare_name_too() {
    let folder = mod_of_a_lamp();
    for (name, same) in [("a", "maps/a.bsp"), ("a.bsp", "maps/a.bsp")] {
        let needs = |name: &str| folder.run(&format!("--basedir [DIR] --game mod needs {name}"));
        assert_eq!(needs(name).out(), needs(same).out());
        assert_eq!(needs(name).exit, needs(same).exit);
    }
    let pack = folder.run("--basedir [DIR] --game mod pack a --incomplete -o [DIR]/a.pak");
    assert_eq!(pack.exit, Exit::Done, "{}", pack.err());
}

#[test]
fn pack_writes_only_archives_that_the_engine_loads() {
    let folder = mod_of_a_lamp();
    let line = "--basedir [DIR] --game mod pack maps/a.bsp --incomplete";
    let answer = folder.run(&format!("{line} --engine ironwail -o [DIR]/x.pk3"));
    assert!(answer.err().contains("x.pk3: ironwail loads no .pk3"), "{}", answer.err());
    let answer = folder.run(&format!("{line} --engine quakespasm -o [DIR]/x.zip"));
    assert!(answer.err().contains("x.zip: quakespasm loads no .zip"), "{}", answer.err());
    assert!(answer.err().contains("help: for a download, pack with -o "), "{}", answer.err());
    assert_snapshot!(brief(folder.check(&format!("{line} --engine quakespasm -o [DIR]/x.7z"))), @"exit 2: error: [DIR]/x.7z: the extension is of no known kind of archive; help: name .pak, or a folder that ends in /");
    assert_snapshot!(brief(folder.check(&format!("{line} --engine darkplaces -o [DIR]/x"))), @"exit 2: error: [DIR]/x: the extension is of no known kind of archive; help: name .pak, .pk3, or a folder that ends in /");
    assert_eq!(folder.run(&format!("{line} --engine darkplaces -o [DIR]/x.PK3")).exit, Exit::Done);
}

#[test]
fn pack_to_a_folder_and_without_named_directories() {
    let folder = mod_of_a_lamp();
    let answer = folder.run(
        "--basedir [DIR] --game mod --engine darkplaces pack maps/a.bsp --incomplete --without id1 -o \
            [DIR]/release/",
    );
    assert_eq!(answer.exit, Exit::Done, "{}", answer.err());
    assert!(folder.join("release/maps/a.bsp").is_file());
    assert!(!folder.join("release/progs.dat").exists());
    let answer = folder.run("--basedir [DIR] --game mod pack maps/a.bsp --without id2 -o [DIR]/other.pak");
    assert_eq!(answer.exit, Exit::Failed);
    assert!(!folder.join("other.pak").exists());
}

#[test]
fn a_loose_level_in_the_base_game_is_packed_without_what_that_games_archives_have() {
    let quake = pak_format::Layout::Quake;
    let (program, model) = (small(), solid_mdl());
    let files = [("progs.dat", &*program), ("progs/player.mdl", &*model)];
    let folder = Folder::with([
        ("id1/pak0.pak", testutils::pack(quake, files)),
        ("id1/maps/own.bsp", level(QUAKE, "{ classname worldspawn }", &[])),
    ]);
    let line = "--basedir [DIR] --engine quakespasm pack own --incomplete -o [DIR]/own.pak";
    let answer = folder.run(line);
    assert_eq!(answer.exit, Exit::Done, "{}", answer.err());
    assert!(answer.out().contains("contains 1 file for 1 level, without "), "{}", answer.out());
    // the directory may be named too, unless the level is in one of its archives
    let named = folder.run(&format!("{line} --without id1 --overwrite"));
    assert!(named.out().contains("contains 1 file for 1 level, without "), "{}", named.text());
    let own = std::fs::read(folder.join("id1/maps/own.bsp")).unwrap();
    folder.write("id1/pak1.pak", testutils::pack(quake, [("maps/in.bsp", &*own)]));
    let line = "--basedir [DIR] --engine quakespasm pack in --incomplete --without id1 -o [DIR]/in.pak";
    assert_snapshot!(brief(folder.check(line)), @"exit 2: error: maps/in.bsp: it is itself in a game directory that --without names; help: leave out --without, or name another game directory");
    assert!(!folder.join("in.pak").exists());
    let grep = folder.run("--basedir [DIR] --engine quakespasm grep worldspawn own");
    assert_eq!(grep.exit, Exit::Done, "{}", grep.err());
}

/// A level of Quake II with only entities.
pub(crate) fn level_of_quake2(entities: &str) -> Vec<u8> {
    let mut map = b"IBSP\x26\0\0\0".to_vec();
    map.resize(8 + 19 * 8, 0);
    let [at, length] = [map.len(), entities.len()].map(|number| u32::try_from(number).unwrap().to_le_bytes());
    map[8..16].copy_from_slice(&[at, length].concat());
    [&map, entities.as_bytes()].concat()
}

/// Q2PRO and yquake2 take lines that end with LF, and only archives without a folder and some kinds of files
/// in folders, with less than 64 bytes. Players read the list on a web server, and not in the archive.
#[test]
fn pack_writes_the_lists_of_servers() {
    let entities = "{ classname worldspawn message Dusk } { classname target_speaker noise dusk/gate.wav }
        { classname target_speaker noise dusk/gate.ogg } { classname target_speaker noise world/base.wav }";
    let long = format!("sound/{}.wav", "n".repeat(60));
    let entities = format!("{entities} {{ classname target_speaker noise {} }}", &long["sound/".len()..]);
    let folder = Folder::with([
        ("baseq2/maps/base1.bsp", level_of_quake2(&entities)),
        ("baseq2/sound/world/base.wav", Vec::new()),
        ("mod/maps/dusk.bsp", level_of_quake2(&entities)),
        ("mod/sound/dusk/gate.wav", Vec::new()),
        ("mod/sound/dusk/gate.ogg", Vec::new()),
        (&*format!("mod/{long}"), Vec::new()),
    ]);
    for (engine, kind) in [("q2pro", "pkz"), ("q2rtx", "pkz"), ("yquake2", "pk3")] {
        let line = format!("--basedir [DIR] --engine {engine} --game mod pack dusk --list --incomplete");
        assert_eq!(folder.run(&format!("{line} -o [DIR]/{engine}/")).exit, Exit::Done);
        let list = std::fs::read_to_string(folder.join(engine).join("maps/dusk.filelist")).unwrap();
        assert_eq!(list, "sound/dusk/gate.wav\n", "{engine}");
        std::fs::create_dir(folder.join(engine).join("web")).unwrap();
        let answer = folder.run(&format!("{line} -o [DIR]/{engine}/web/dusk.{kind}"));
        assert_eq!(answer.exit, Exit::Done, "{}", answer.err());
        let names = folder.run(&format!("pak list [DIR]/{engine}/web/dusk.{kind}"));
        assert!(!names.out().contains("filelist"), "{}", names.out());
        let list = std::fs::read_to_string(folder.join(engine).join("web/maps/dusk.filelist")).unwrap();
        assert_eq!(list, format!("dusk.{kind}\n"), "{engine}");
        // a list that is there stays
        folder.write(&format!("{engine}/other/maps/dusk.filelist"), "mine");
        assert_eq!(folder.run(&format!("{line} -o [DIR]/{engine}/other/dusk.{kind}")).exit, Exit::Failed);
        assert_eq!(folder.names(&format!("{engine}/other")), ["maps"]);
    }
    // a PACK of this engine has no room for the long name
    std::fs::create_dir(folder.join("cut")).unwrap();
    let line =
        "--basedir [DIR] --engine q2pro --game mod pack dusk --list --incomplete -o [DIR]/cut/dusk.pak";
    assert_eq!((folder.run(line).exit, folder.names("cut").len()), (Exit::Failed, 0));
    let line = "--basedir [DIR] --engine yquake2 --game mod pack dusk --list --incomplete -o [DIR]/x.pkz";
    assert_snapshot!(brief(folder.check(line)), @"exit 2: error: --list: players of yquake2 get no archive x.pkz from a list; help: name .pak, .pk2, .pk3, .zip with less than 64 letters, or a folder that ends in /");
    let without =
        folder.run("--basedir [DIR] --engine q2pro --game mod pack dusk --incomplete -o [DIR]/none/");
    assert_eq!((without.exit, folder.join("none/maps/dusk.filelist").exists()), (Exit::Done, false));
    let line = "--basedir [DIR] --engine quake2 --game mod pack dusk --list --incomplete -o [DIR]/x.pak";
    assert_snapshot!(brief(folder.check(line)), @"exit 2: error: --list: quake2 reads no lists of files; help: name goldsrc, q2pro, q2rtx or yquake2 with --engine");
}

#[test]
fn pack_writes_the_lists_of_half_life() {
    let entities = "{ classname worldspawn } { classname ambient_generic message ambience/hum.wav }";
    let folder = Folder::with([
        ("mod/maps/dusk.bsp", level([30, 0, 0, 0], entities, &[])),
        ("mod/maps/dawn.bsp", level([30, 0, 0, 0], entities, &[])),
        ("mod/maps/dawn.res", b"mine".to_vec()),
        ("mod/sound/ambience/hum.wav", wav(11_025, 10)),
        ("valve/liblist.gam", b"game \"Half-Life\"".to_vec()),
        ("mod/liblist.gam", b"game \"Dusk\"".to_vec()),
    ]);
    let line = "--basedir [DIR] --engine goldsrc --game mod pack dusk dawn --list -o [DIR]/out/";
    let answer = folder.run(line);
    assert_eq!(answer.exit, Exit::Done, "{}", answer.err());
    let list = |name: &str| std::fs::read_to_string(folder.join("out/maps").join(name)).unwrap();
    assert_eq!(list("dusk.res"), "\"sound/ambience/hum.wav\"\r\n");
    // the author's own list is kept
    assert_eq!(list("dawn.res"), "mine");
}

#[test]
fn pack_replaces_no_archive_of_the_game() {
    let folder = mod_of_a_lamp();
    let pak = crate::archive(&[(b"a.cfg", b"bind")]);
    folder.write("mod/pak0.pak", &pak);
    let line = "--basedir [DIR] --game mod pack maps/a.bsp --overwrite -o [DIR]/mod/pak0.pak";
    assert_eq!(folder.run(line).exit, Exit::Failed);
    assert!(std::fs::read(folder.join("mod/pak0.pak")).unwrap() == pak);
}

#[test]
fn pack_replaces_nothing_without_an_option() {
    let folder = mod_of_a_lamp();
    let other = crate::archive(&[(b"a.cfg", b"something else")]);
    folder.write("release.pak", &other);
    let line = "--basedir [DIR] --game mod pack maps/a.bsp --incomplete -o [DIR]/release.pak";
    assert_eq!(folder.run(line).exit, Exit::Failed);
    assert_eq!(std::fs::read(folder.join("release.pak")).unwrap(), other);
    assert_eq!(folder.run(&format!("{line} --overwrite")).exit, Exit::Done);
}

/// `testdata/lamps`: the game of `docs/needs.md`. It is made here; `UPDATE=1` rewrites it.
#[test]
fn the_game_of_the_guide_is_made_here() {
    let dusk = "{\n\"classname\" \"worldspawn\"\n\"message\" \"Dusk\"\n}\n\
        {\n\"classname\" \"light_lamp\"\n\"origin\" \"64 0 40\"\n}\n\
        {\n\"classname\" \"light_lmap\"\n\"origin\" \"-64 0 40\"\n}\n\
        {\n\"classname\" \"func_door\"\n\"noise\" \"dusk/gate.wav\"\n}\n\
        {\n\"classname\" \"trigger_changelevel\"\n\"map\" \"start\"\n}\n";
    let start = "{\n\"classname\" \"worldspawn\"\n}\n{\n\"classname\" \"info_player_start\"\n}\n";
    let files: [(&str, Vec<u8>); 9] = [
        ("id1/progs.dat", small()),
        ("id1/progs/player.mdl", solid_mdl()),
        ("id1/maps/start.bsp", level(QUAKE, start, &[])),
        ("dusk/maps/dusk.bsp", level(QUAKE, dusk, &[])),
        ("dusk/maps/dusk.lit", "the light of dusk.bsp\n".into()),
        ("dusk/progs/Lamp.mdl", solid_mdl()),
        ("dusk/sound/dusk/gaet.wav", wav(11_025, 20)),
        ("dusk/sound/lamp/hum.wav", wav(11_025, 10)),
        ("dusk/readme.txt", "Dusk, a level for one player.\n".into()),
    ];
    let folder = testutils::testdata("lamps");
    if testutils::update() {
        let _ = std::fs::remove_dir_all(&folder);
        for (name, content) in &files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
    }
    for (name, content) in &files {
        assert!(std::fs::read(folder.join(name)).unwrap() == *content, "{name}");
    }
}

#[test]
fn a_server_sees_which_archives_its_levels_need() {
    let folder = Folder::with([("id1/progs.dat", small())]);
    let entities = "{ classname worldspawn } { classname light_lamp }";
    let lamp = level(QUAKE, entities, &[]);
    folder.write("mod/pak0.pak", pack(Layout::Quake, [("maps/a.bsp", lamp.clone())]));
    folder.write("mod/pak1.pak", pack(Layout::Quake, [("progs/lamp.mdl", solid_mdl())]));
    folder.write("mod/pak2.pak", pack(Layout::Quake, [("maps/b.bsp", lamp)]));
    folder.write("mod/sound/lamp/hum.wav", wav(11_025, 10));
    assert_snapshot!(folder.check("--basedir [DIR] --game mod needs --archives a"), @"
    exit: 1
    archive       files needed  bytes  pk3 checksum  sha-256
    mod/pak2.pak             0    253             -  95096f0638306f2d60e63d9c032d47e20e2cfadca5c650c5a886c0d6fac40d04
    mod/pak1.pak             1    576             -  b5a9da8d17615f86dedfbc39d23878343a83ea3de8f7798c40912b784ad2b9b9
    mod/pak0.pak             1    253             -  8761cec33c658f82bb3006268ff15161059d59846e8b9f89dd5dc16d2ad5e80a

    1 level needs 3 files; [gap after-gap]; 3 archives, 1 without any of them; 2 files are loose
    ! note: `quakefs --basedir [DIR] --game mod needs a` lists the missing files
    ! note: `quakefs --basedir [DIR] --game mod pack a -o FILE` archives the loose files too
    ");
    let rows = folder.run("--basedir [DIR] --game mod needs --archives a --json").json();
    let needed: Vec<_> = rows.iter().map(|row| (row["layer"].as_str(), row["needed"].as_u64())).collect();
    assert_eq!(needed[0], (Some("mod/pak2.pak"), Some(0)));
    assert_eq!(rows[0]["sha256"].as_str().map(str::len), Some(64));
}

#[test]
fn an_answer_without_rows_has_no_head_of_a_table() {
    let folder = testutils::game("id1/: readme.txt");
    for line in ["needs", "needs --archives", "unused", "pak duplicates [DIR]", "--json unused"] {
        let answer = folder.run(&format!("--basedir [DIR] {line}").replace("--basedir [DIR] pak", "pak"));
        assert!(
            !answer.out().contains("name  ") && !answer.out().starts_with('\n'),
            "{line}: {}",
            answer.out()
        );
    }
}
