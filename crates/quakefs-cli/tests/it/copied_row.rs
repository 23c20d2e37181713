//! An engine is one row: thecopy under another name answers as the engine does, in every command.

use quakefs::{Engine, Layout};
use testutils::Folder;
use testutils::content::{level, model, pcx, texture, wad, wal};
use testutils::program::small;

use crate::{pack, run, zip_deflated};

const ENTITIES: &str = "{ classname worldspawn sky moon skyname moon sounds 4 music theme wad x.wad } \
    { classname trigger_changelevel map e1m2 } { classname target_changelevel map base2 } \
    { classname target_speaker noise world/hum } { classname ambient_generic message hum.wav } \
    { classname light_lamp model2 models/door.md3 }";

/// A level of each format: of Quake, Half-Life, Quake II and Quake III.
fn levels() -> Vec<Vec<u8>> {
    let outside = |version| {
        let textures = [texture("wall", 16, 16, None), texture("*water1", 16, 16, None)];
        level(version, ENTITIES, &textures)
    };
    vec![
        outside([29, 0, 0, 0]),
        outside([30, 0, 0, 0]),
        testutils::content::room(b"IBSP\x26\0\0\0", ENTITIES, &[]),
        testutils::content::room(b"IBSP\x2e\0\0\0", ENTITIES, &[]),
    ]
}

/// A base directory with the engine's own game and a mod with this level.
fn folder(engine: Engine, map: &[u8]) -> Folder {
    let base = engine.rules().directories.first_name().unwrap();
    let layout = engine.rules().paks.layout.unwrap_or(Layout::Quake);
    let download = zip_deflated([
        ("frog/maps/frog.bsp", map),
        ("frog/progs.dat", b""),
        ("readme.txt", b"unpack into quake/frog and start with -game frog"),
    ]);
    Folder::with([
        (format!("{base}/pak0.pak"), pack(layout, [("progs/lamp.mdl", model(8, 8, 1))])),
        (
            format!("{base}/pak0.pk3"),
            zip_deflated([("scripts/a.shader", "wall\n{\n{\nmap textures/a.tga\n}\n}\n")]),
        ),
        (format!("{base}/progs.dat"), small()),
        (format!("{base}/gfx.wad"), wad(b"WAD2", &[])),
        (format!("{base}/default.cfg"), Vec::new()),
        (format!("{base}/x.wad"), wad(b"WAD3", &[])),
        ("mod/liblist.gam".to_owned(), b"game \"mod\"".to_vec()),
        ("mod/maps/a.bsp".to_owned(), map.to_vec()),
        ("mod/maps/a.lit".to_owned(), b"QLIT".to_vec()),
        ("mod/maps/a.ent".to_owned(), b"{ classname worldspawn }".to_vec()),
        ("mod/maps/a.rtlights".to_owned(), Vec::new()),
        ("mod/textures/wall.tga".to_owned(), Vec::new()),
        ("mod/textures/wall.wal".to_owned(), wal(16, 16)),
        ("mod/textures/wall_luma.png".to_owned(), Vec::new()),
        ("mod/gfx/env/moonrt.tga".to_owned(), Vec::new()),
        ("mod/env/moonrt.pcx".to_owned(), pcx(8, 8, &[0; 768])),
        ("mod/music/track04.ogg".to_owned(), Vec::new()),
        ("mod/progs/spare.mdl".to_owned(), model(8, 8, 1)),
        ("mod/sound/misc/null.wav".to_owned(), Vec::new()),
        ("frog.zip".to_owned(), download),
    ])
}

#[test]
fn a_copy_of_a_row_under_another_name_answers_as_the_engine_does() {
    let rules = Folder::new();
    let mut answers = 0;
    let levels = levels();
    for (engine, (number, map)) in
        Engine::ALL.iter().flat_map(|engine| levels.iter().enumerate().map(|level| (*engine, level)))
    {
        let file = rules.join("copy.toml");
        rules.write("copy.toml", format!("inherit = \"{engine}\"\nname = \"thecopy\""));
        let folder = folder(engine, map);
        let base = folder.path().as_str();
        let download = folder.join("frog.zip");
        for command in [
            vec!["path"],
            vec!["check"],
            vec!["needs", "--all"],
            vec!["needs"],
            vec!["unused"],
            vec!["which", "--as", "companion", "maps/a.bsp"],
            vec!["which", "--as", "texture", "wall", "--level", "maps/a.bsp"],
            vec!["which", "--as", "sky", "moon"],
            vec!["which", "--as", "music", "4"],
            vec!["which", "--as", "skin", "progs/lamp.mdl_0"],
            vec!["which", "--as", "image", "textures/wall"],
            vec!["which", "--as", "sound", "misc/null.wav"],
            vec!["place", download.as_str()],
        ] {
            // the others read no level
            if number > 0
                && !["check", "needs", "unused"].contains(&command[0])
                && !command.contains(&"maps/a.bsp")
            {
                continue;
            }
            let ask = |option: &str, value: &str, name: &str| {
                let game = if command[0] == "place" { vec![] } else { vec!["--game", "mod"] };
                let line = [&["--basedir", base, option, value], &*game, &*command].concat();
                let answer = run(&line);
                let text = format!("{:?}\n{}\n{}", answer.exit, answer.out(), answer.err());
                let option = format!("{option} {value}");
                words(&text.replace(&option, "[OPTION]"), name)
            };
            let own = ask("--engine", engine.name(), engine.name());
            let copied = ask("--rules", file.as_str(), "thecopy");
            assert_eq!(own, copied, "{engine}: {}", command.join(" "));
            answers += 1;
        }
    }
    assert!(answers > 1000, "{answers}");
}

/// The words of a text without the engine's name and without why it was chosen: where lines break depends on
/// the length of a name.
fn words(text: &str, name: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.ends_with("names it"));
    let words = lines.flat_map(str::split_whitespace).filter(|word| !word.bytes().all(|byte| byte == b'-'));
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_ascii_alphanumeric()) == name;
    words.map(|word| if bare(word) { word.replace(name, "[ENGINE]") } else { word.to_owned() }).collect()
}
