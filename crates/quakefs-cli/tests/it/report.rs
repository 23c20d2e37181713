//! `report`: the page, its data, and the printed summary.

use insta::assert_snapshot;
use pak_format::Layout;
use serde_json::Value;
use testutils::{Folder, content, pack};

use crate::samples::by_name;
use crate::{Commands as _, brief, run};

/// The page of a game, written to a separate folder.
fn page(args: &str) -> String {
    page_of_size(args, "5M")
}

fn page_of_size(args: &str, most: &str) -> String {
    let folder = Folder::new();
    let file = folder.path().join("report.html");
    let report = ["report", "-o", file.as_str(), "--max-size", most];
    let args: Vec<_> = args.split_whitespace().chain(report).collect();
    let answer = run(&args);
    std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("{}", answer.err()))
}

/// The data in a page.
fn data(page: &str) -> Value {
    let (_, data) = page.split_once(r#"<script type="application/json" id="data">"#).unwrap();
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

/// A part of the data, one item a line, with names for sentences.
fn lines(data: &Value, part: &str) -> String {
    by_name(&match &data[part] {
        Value::Array(items) => items.iter().map(Value::to_string).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    })
}

#[test]
fn the_page_has_the_layers_conflicts_files_and_findings_of_a_game() {
    let data = data(&page("--basedir [GAME] --game mymod"));
    assert_eq!((&data["engine"], &data["starts"]), (&"quakespasm".into(), &true.into()));
    assert_eq!(data["as_of"], "QuakeSpasm 0.96.3, 2024-07-31");
    let on_windows = self::data(&page("--basedir [GAME] --on windows"));
    assert_eq!(on_windows["as_of"], data["as_of"]);
    assert_eq!(data["game"], serde_json::json!(["mymod", "id1"]));
    assert_snapshot!(lines(&data, "layers"), @r#"
    {"entries":2,"kind":"pak","name":"mymod/pak1.pak","overridden":[0,0],"overrides":[3,623],"problems":0,"serves":[2,407],"there":true}
    {"entries":4,"kind":"pak","name":"mymod/pak0.pak","overridden":[1,203],"overrides":[4,4477],"problems":1,"serves":[3,2336],"there":true}
    {"entries":null,"kind":"dir","name":"mymod/","overridden":[1,2145],"overrides":[2,555],"problems":1,"serves":[3,610],"there":true}
    {"entries":3,"kind":"pak","name":"id1/pak1.pak","overridden":[0,0],"overrides":[1,23],"problems":0,"serves":[3,788],"there":true}
    {"entries":10,"kind":"pak","name":"id1/pak0.pak","overridden":[6,3097],"overrides":[0,0],"problems":0,"serves":[4,909],"there":true}
    {"entries":null,"kind":"dir","name":"id1/","overridden":[2,233],"overrides":[0,0],"problems":1,"serves":[2,211],"there":true}
    "#);
    let types = ["config", "lump", "level", "archive", "program", "model", "sound"];
    assert_eq!(data["types"], serde_json::json!(types));
    assert_snapshot!(lines(&data, "rules"), @r#"
    "[game-directory]"
    "[archive-order number]"
    "[loose below]"
    "#);
    assert_snapshot!(lines(&data, "conflicts"), @r#"
    {"copies":[[2,null,14,null,null,4,null],[5,null,14,false,0,5,null]],"name":"config.cfg"}
    {"copies":[[3,0,44,null,null,15,null],[4,1,23,false,1,14,null]],"name":"default.cfg"}
    {"copies":[[1,2,102,null,null,6,null],[4,3,102,true,0,6,null]],"name":"gfx/conback.lmp"}
    {"copies":[[0,0,203,null,null,1,null],[1,1,203,false,1,2,null],[4,4,201,false,0,0,null],[5,null,219,false,0,3,null]],"name":"maps/start.bsp"}
    {"copies":[[1,0,2127,null,null,12,null],[2,null,2145,false,2,13,null],[4,2,2125,false,0,11,null]],"name":"progs.dat"}
    {"copies":[[2,null,534,null,null,9,null],[4,6,541,false,0,10,null]],"name":"progs/ogre.mdl"}
    {"copies":[[1,3,107,null,null,8,null],[4,8,105,false,0,7,null]],"name":"sound/misc/secret.wav"}
    "#);
    assert_snapshot!(lines(&data, "folders"), @r#"
    {"files":[["autoexec.cfg",5,0,20,null,null,20],["config.cfg",2,0,14,null,0,null],["default.cfg",3,0,44,0,1,null],["notes.pak",2,3,62,null,null,null],["progs.dat",1,4,2127,0,4,null],["quake.rc",4,0,51,0,null,21]],"name":""}
    {"files":[["conback.lmp",1,1,102,2,2,null]],"name":"gfx"}
    {"files":[["e1m1.bsp",4,2,200,5,null,18],["e2m1.bsp",3,2,200,1,null,19],["mine.bsp",5,2,191,null,null,17],["mymod1.bsp",0,2,204,1,null,16],["start.bsp",0,2,203,0,3,null]],"name":"maps"}
    {"files":[["ogre.mdl",2,5,534,null,5,null],["player.mdl",4,5,544,7,null,23],["shambler.mdl",3,5,544,2,null,24]],"name":"progs"}
    {"files":[["secret.wav",1,6,107,3,6,null]],"name":"sound/misc"}
    {"files":[["ogdrag.wav",4,6,114,9,null,22]],"name":"sound/ogre"}
    "#);
    assert_snapshot!(lines(&data, "findings"), @r#"
    {"advice":[{"content":null,"entry":null,"of":["id1/"],"step":"get","to":"the registered version"}],"entry":null,"help":"[…]","kind":"engine-stops","layer":"id1/","location":"id1/gfx/pop.lmp","name":"gfx/pop.lmp","reason":"[engine-stops unregistered]","severity":"error","stops":true}
    {"advice":[{"content":null,"entry":null,"of":["mymod/progs.dat","mymod/pak0.pak/progs.dat"],"step":"remove","to":null}],"entry":null,"help":"[…]","kind":"overridden-loose","layer":"mymod/","location":"mymod/progs.dat","name":"progs.dat","reason":"[equal-names|overridden-entry|overridden-loose] [loose below]","severity":"warning","stops":false}
    {"advice":[{"content":null,"entry":null,"of":["mymod/notes.pak"],"step":"rename","to":"mymod/notes.txt"}],"entry":null,"help":"[…]","kind":"wrong-archive","layer":"mymod/notes.pak","location":"mymod/notes.pak","name":null,"reason":"skipped: [unknown-magic]","severity":"warning","stops":false}
    {"advice":[],"entry":2,"help":null,"kind":"same-bytes","layer":"mymod/pak0.pak","location":"mymod/pak0.pak: entry 2 (gfx/conback.lmp)","name":"gfx/conback.lmp","reason":"it has the same bytes as id1/pak0.pak: entry 3 (gfx/conback.lmp), which it overrides","severity":"note","stops":false}
    "#);
    let previews = data["previews"].as_array().unwrap();
    let count = |kind: &str| previews.iter().filter(|preview| preview["type"] == kind).count();
    assert_eq!((count("error"), count("text"), previews.len()), (0, 6, 25));
    assert_eq!(previews[14]["text"], "bind ESCAPE togglemenu\n");
}

/// A base directory with a picture, a level, a sound and two skins of one name.
fn pictures() -> Folder {
    let entities = r#"{ "classname" "worldspawn" "message" "The Slipgate Complex" } { "noise" "buzz.wav" }"#;
    let folder = Folder::new();
    let level = content::level([29, 0, 0, 0], entities, &[content::texture("floor", 16, 16, None)]);
    folder.write(
        "id1/pak0.pak",
        pack(
            Layout::Quake,
            [
                ("gfx/palette.lmp", content::palette()),
                ("maps/e1m1.bsp", level),
                ("progs/ogre.mdl", content::model(8, 8, 1)),
                ("sound/tone.wav", content::wav(11_025, 22_050)),
            ],
        ),
    );
    folder.write("id1/pak1.pak", pack(Layout::Quake, [("progs/ogre.mdl", content::model(4, 4, 2))]));
    folder
}

#[test]
fn previews_contain_pictures_facts_and_the_bytes_of_sounds() {
    let folder = pictures();
    let data = data(&page(&format!("--basedir {}", folder.path())));
    let mut previews = data["previews"].as_array().unwrap().clone();
    for preview in &mut previews {
        let of_part = ["textures", "pictures"].iter().find_map(|part| preview[part]["shown"].as_array());
        let shown = of_part.or_else(|| preview["shown"].as_array()).cloned().unwrap_or_default();
        assert!(
            shown
                .iter()
                .all(|picture| picture["source"].as_str().unwrap().starts_with("data:image/png;base64,"))
        );
        if preview["type"] == "sound" {
            assert_eq!(preview["source"].as_str().unwrap().len(), 22 + (22_050_usize + 44).div_ceil(3) * 4);
        }
    }
    let kinds: Vec<_> = previews.iter().map(|preview| preview["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["model", "model", "level", "pictures", "sound"]);
    assert_eq!(previews[2]["title"], "The Slipgate Complex");
    assert_eq!(previews[2]["uses"], serde_json::json!([["sounds", ["buzz.wav"], 0]]));
    assert_eq!(previews[4]["milliseconds"], 2000);
    assert_eq!(data["omitted"], serde_json::json!({ "previews": 0, "sounds": 0, "grey": 0 }));
}

#[test]
fn a_preview_larger_than_an_eighth_of_the_page_keeps_few_pictures() {
    let folder = Folder::new();
    let texture = |number| content::texture(&format!("wall{number}"), 64, 64, None);
    let textures: Vec<_> = (0..60).map(|number| ("wall", 0x44, texture(number))).collect();
    folder.write("id1/pak0.pak", pack(Layout::Quake, [("walls.wad", content::wad(b"WAD2", &textures))]));
    for (size, shown) in [("300K", 4), ("4M", 60)] {
        let data = data(&page_of_size(&format!("--basedir {}", folder.path()), size));
        let preview = &data["previews"][0];
        assert_eq!((&preview["all"], preview["shown"].as_array().unwrap().len()), (&60.into(), shown));
        assert_eq!(data["omitted"]["previews"], 0);
    }
}

#[test]
fn previews_fill_the_page_up_to_its_size_and_the_rest_is_counted() {
    let folder = pictures();
    let size = |most: &str| {
        let file = folder.path().join(format!("{most}.html"));
        let line = [
            "--json",
            "--basedir",
            folder.path().as_str(),
            "report",
            "-o",
            file.as_str(),
            "--max-size",
            most,
        ];
        let answer = run(&line).json().remove(0);
        let size = usize::try_from(answer["size"].as_u64().unwrap()).unwrap();
        assert_eq!(size, std::fs::read(file).unwrap().len());
        (
            size,
            ["previews", "previews_omitted", "sounds", "sounds_omitted"]
                .map(|key| answer[key].as_u64().unwrap()),
        )
    };
    let (bare, counts) = size("0");
    assert_eq!(counts, [0, 5, 0, 1]);
    let (whole, counts) = size("5M");
    assert_eq!(counts, [5, 0, 1, 0]);
    let without_sound = whole - 22_050;
    let (some, counts) = size(&without_sound.to_string());
    assert_eq!(counts, [5, 0, 0, 1], "the sound is too large");
    assert!(bare < some && some <= without_sound, "{bare} {some} {without_sound}");
}

#[test]
fn files_with_the_same_bytes_share_a_preview() {
    let files = |names: &[&str]| -> Vec<(String, Vec<u8>)> {
        let lumps = names.iter().map(|name| (format!("gfx/{name}.lmp"), content::lump(8, 8)));
        lumps
            .chain(names.iter().map(|name| (format!("sound/{name}.wav"), content::wav(11_025, 22_050))))
            .collect()
    };
    let folder = Folder::new();
    folder.write("id1/pak0.pak", pack(Layout::Quake, files(&["a", "b", "c"])));
    let args = format!("--basedir {}", folder.path());
    let one = page(&args);
    let previews = data(&one);
    let kinds: Vec<_> =
        previews["previews"].as_array().unwrap().iter().map(|preview| &preview["type"]).collect();
    assert_eq!(kinds, ["pictures", "sound"]);
    let shown =
        previews["folders"].as_array().unwrap().iter().flat_map(|folder| folder["files"].as_array().unwrap());
    assert_eq!(
        shown.map(|file| file[6].as_u64()).collect::<Vec<_>>(),
        [Some(0), Some(0), Some(0), Some(1), Some(1), Some(1)]
    );
    folder.write("id1/pak0.pak", pack(Layout::Quake, files(&["a", "b", "c", "d", "e"])));
    let more = page(&args);
    assert!(more.len() < one.len() + 1000, "{} {}", one.len(), more.len());
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn the_page_lists_skipped_archives_with_the_reason_and_their_entries() {
    let data = data(&page("--basedir [GAME] --game gapmod"));
    assert_snapshot!(lines(&data, "skipped"), @r#"
    {"beside":2,"files":[["maps/gap2.bsp",203]],"help":"[…]","name":"gapmod/PAK2.PAK","reason":"[archive-case wrong-case]"}
    {"beside":2,"files":[["maps/gap3.bsp",203],["maps/start.bsp",204]],"help":"rename PAK2.PAK to pak2.pak","name":"gapmod/pak3.pak","reason":"[gap after-gap]"}
    "#);
}

#[test]
#[cfg_attr(windows, ignore = "Windows has another user directory")]
fn the_title_names_existing_folders_and_never_a_home_folder() {
    let folder = Folder::new();
    let pak = pack(Layout::Quake, [("maps/a.bsp", "a level")]);
    for path in ["quake/id1/pak0.pak", "home/.ironwail/id1/pak0.pak", "home/mine/try.pak"] {
        folder.write(path, &pak);
    }
    let home = folder.join("home");
    let file = folder.join("report.html");
    let line = format!(
        "--basedir {0}/quake --engine ironwail --game none --mount {1}/mine/try.pak report -o {file}",
        folder.path(),
        home
    );
    let set_home =
        |console: &mut quakefs_cli::Console<'_>| console.environment.home = Some(home.clone().into());
    let answer = crate::run_with(set_home, &crate::words(&line));
    let page = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("{}", answer.err()));
    let data = data(&page);
    assert_eq!(data["game"], serde_json::json!(["try.pak", "id1"]));
    assert!(!page.contains(home.as_str()), "{data}");
    assert_snapshot!(lines(&data, "layers"), @r#"
    {"entries":1,"kind":"pak","name":"~/mine/try.pak","overridden":[0,0],"overrides":[2,14],"problems":4,"serves":[1,7],"there":true}
    {"entries":1,"kind":"pak","name":"~/.ironwail/id1/pak0.pak","overridden":[1,7],"overrides":[0,0],"problems":0,"serves":[0,0],"there":true}
    {"entries":null,"kind":"dir","name":"~/.ironwail/id1/","overridden":[0,0],"overrides":[0,0],"problems":0,"serves":[0,0],"there":true}
    {"entries":1,"kind":"pak","name":"id1/pak0.pak","overridden":[1,7],"overrides":[0,0],"problems":0,"serves":[0,0],"there":true}
    {"entries":null,"kind":"dir","name":"id1/","overridden":[0,0],"overrides":[0,0],"problems":1,"serves":[0,0],"there":true}
    "#);
}

#[test]
fn the_files_of_the_mod_get_previews_first() {
    let folder = Folder::new();
    let entities = r#"{ "classname" "worldspawn" }"#;
    let texture = || content::texture("floor", 64, 64, None);
    let level = |name: &str| content::level([29, 0, 0, 0], format!("{entities} {name}"), &[texture()]);
    folder.write(
        "id1/pak0.pak",
        pack(Layout::Quake, [("maps/e1m1.bsp", level("base")), ("gfx/palette.lmp", content::palette())]),
    );
    folder.write(
        "mod/pak0.pak",
        pack(Layout::Quake, [("gfx/own.lmp", content::lump(32, 32)), ("maps/own.bsp", level("own"))]),
    );
    let shown = |most: &str| {
        let data = data(&page_of_size(&format!("--basedir {} --game mod", folder.path()), most));
        let mut shown: Vec<(u64, String)> = Vec::new();
        for folder in data["folders"].as_array().unwrap() {
            for file in folder["files"].as_array().unwrap() {
                shown.extend(file[6].as_u64().map(|number| (number, file[0].as_str().unwrap().to_owned())));
            }
        }
        shown.sort();
        shown.into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(shown("5M"), "own.bsp own.lmp e1m1.bsp palette.lmp");
}

#[test]
fn pictures_are_grey_only_if_nothing_tells_the_palette() {
    let folder = Folder::new();
    let grey = |base: &str, files: Vec<(&str, Vec<u8>)>| {
        folder.write(&format!("{base}/pak0.pak"), pack(Layout::Quake, files));
        let engine = if base == "id1" { "quakespasm" } else { "hexen2" };
        let data = data(&page(&format!("--basedir {} --engine {engine}", folder.path())));
        let mut each = Vec::new();
        for preview in data["previews"].as_array().unwrap() {
            for shown in preview["shown"].as_array().into_iter().flatten() {
                each.push(shown["grey"] == true);
            }
        }
        (data["omitted"]["grey"].as_u64().unwrap(), each)
    };
    let lump = || ("gfx/a.lmp", content::lump(8, 8));
    assert_eq!(grey("data1", vec![lump()]), (1, vec![true]));
    // the palette is a picture in its own colours
    let palette = ("gfx/palette.lmp", content::palette());
    assert_eq!(grey("data1", vec![lump(), palette]), (0, vec![false, false]));
    // a part of a game for Quake is for its palette
    assert_eq!(grey("id1", vec![lump()]), (0, vec![false]));
    let own =
        content::wad(b"WAD3", &[("wall", 0x43, content::texture("wall", 16, 16, Some(&content::palette())))]);
    assert_eq!(grey("data1", vec![("own.wad", own)]), (0, vec![false]));
}

#[test]
fn text_from_a_game_never_becomes_markup() {
    let attack = "</script><script>alert(1)</script><!--";
    let name = format!("{}.cfg", attack.replace('/', "|"));
    let folder = Folder::new();
    folder.write("a.pak", pack(Layout::Hrot, [(name.as_str(), format!("{attack} {{{{script}}}}"))]));
    let page = page(&format!("--mount {}/a.pak", folder.path()));
    assert!(!page.contains("alert(1)</") && !page.contains("<!--"));
    folder.write("b.pak", pack(Layout::Hrot, [("a.cfg", "")]));
    let plain = self::page(&format!("--mount {}/b.pak", folder.path()));
    assert_eq!(page.matches("<script").count(), plain.matches("<script").count());
    let data = data(&page);
    assert_eq!(data["folders"][0]["files"][0][0], name.as_str());
    assert_eq!(data["previews"][0]["text"], format!("{attack} {{{{script}}}}"));
}

#[test]
fn characters_that_reorder_a_line_or_are_invisible_are_escaped() {
    let evil = "a\u{202e}fdp\u{200b}\u{2066}";
    let folder = Folder::new();
    let palette = content::palette();
    let pak = |name: &str| pack(Layout::Quake, [(name, palette.as_slice()), ("gfx/palette.lmp", &palette)]);
    folder.write("id1/pak0.pak", pak(&format!("{evil}.lmp")));
    folder.write(&format!("{evil}/pak0.pak"), pak(&format!("{evil}/{evil}.cfg")));
    folder.write(&format!("{evil}/gfx/palette.lmp"), "short");
    folder.write(&format!("{evil}/{evil}.pak"), "no archive");
    folder.write("mine.toml", format!("inherit = \"winquake\"\nname = \"{evil}\"\n"));
    let file = folder.path().join("report.html");
    let base = folder.path().as_str();
    let answer = run(&[
        "--basedir",
        base,
        "--rules",
        &format!("{base}/mine.toml"),
        "--game",
        evil,
        "report",
        "-o",
        file.as_str(),
    ]);
    let page = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("{}", answer.err()));
    let data = data(&page);
    let text = data.to_string();
    assert!(!text.chars().any(pak_format::name::steers), "{text}");
    assert_eq!(data["game"][0], r"a\xE2\x80\xAEfdp\xE2\x80\x8B\xE2\x81\xA6");
    assert!(text.matches("fdp").count() > 8, "{text}");
}

#[test]
fn an_existing_page_is_replaced_only_with_overwrite() {
    let folder = Folder::new();
    let game = ["--basedir", "[GAME]", "report", "-o"];
    let file = folder.path().join("report.html");
    folder.write("report.html", "mine");
    let answer = run(&[&game[..], &[file.as_str()]].concat());
    assert_snapshot!(brief(folder.redact(&answer.text())), @"exit 2: error: [DIR]/report.html: the file already exists; help: replace it with --overwrite");
    assert_eq!(std::fs::read(&file).unwrap(), b"mine");
    let answer = run(&[&game[..], &[file.as_str(), "--overwrite"]].concat());
    assert_snapshot!(folder.redact(&answer.text()), @"[DIR]/report.html: 3 layers, 15 files, 2 conflicts, 2 findings, 17 previews, 0.2 MB; replaced a file of 4 bytes");
    let answer = run(&[&game[..], &[folder.path().as_str(), "--overwrite"]].concat());
    assert_snapshot!(brief(folder.redact(&answer.text())), @"exit 2: error: [DIR]: cannot be written: it is a folder; help: name the page to write, such as -o report.html");
    let answer = run(&[&game[..], &[folder.path().join("no/such/report.html").as_str()]].concat());
    assert_snapshot!(brief(folder.redact(&answer.text())), @"exit 2: error: [DIR]/no/such/report.html: cannot be written: its folder does not exist +help");
}

#[test]
fn the_page_of_a_game_that_would_not_start_tells_so() {
    let folder = Folder::new();
    let file = folder.path().join("report.html");
    let answer = run(&[
        "--basedir",
        "[GAME]",
        "--engine",
        "ironwail",
        "--game",
        "mymdo",
        "report",
        "-o",
        file.as_str(),
    ]);
    assert_snapshot!(folder.redact(&answer.text()), @"
    exit: 1
    [DIR]/report.html: 3 layers, 15 files, 2 conflicts, 3 findings, 17 previews, 0.2 MB
    ! warning: ironwail does not start: mymdo/: [engine-stops|missing-directory] +help
    ");
    let data = data(&std::fs::read_to_string(file).unwrap());
    assert_eq!((&data["starts"], &data["findings"][0]["stops"]), (&false.into(), &true.into()));
}

#[test]
fn a_dash_writes_the_page_to_standard_output() {
    let answer = run(&["--basedir", "[GAME]", "report", "-o", "-"]);
    assert!(answer.out().starts_with("<!doctype html>") && answer.out().ends_with("</html>\n"));
    assert_eq!(answer.err(), "");
}

#[test]
fn the_same_game_gives_the_same_page() {
    let folder = pictures();
    let args = format!("--basedir {}", folder.path());
    assert!(page(&args) == page(&args));
}

#[test]
fn the_page_lists_files_that_levels_need_and_no_layer_has() {
    let level = |entities: &str| content::level([29, 0, 0, 0], entities, &[]);
    let lamp = "{ classname worldspawn } { classname light_lamp }";
    let folder = Folder::with([
        ("id1/progs.dat", testutils::program::small()),
        ("id1/maps/base.bsp", level(lamp)),
        ("mod/maps/a.bsp", level(lamp)),
        ("mod/maps/b.bsp", level(&format!("{lamp} {{ classname trigger_changelevel map gone }}"))),
        ("mod/progs/player.mdl", Vec::new()),
        ("mod/sound/lamp/hum.wav", b"a hum".to_vec()),
    ]);
    let line = format!("--basedir {} --game mod --engine quakespasm", folder.path());
    let data = data(&page(&line));
    let missing = data["missing"].as_array().unwrap();
    let rows: Vec<_> = missing.iter().map(|row| (&row["name"], &row["kind"], &row["levels"])).collect();
    assert_eq!(
        rows,
        [
            (&"progs/lamp.mdl".into(), &"model".into(), &serde_json::json!(["maps/a.bsp", "maps/b.bsp"])),
            (&"maps/gone.bsp".into(), &"level".into(), &serde_json::json!(["maps/b.bsp"])),
        ]
    );
    assert_eq!(missing[0]["by"], "maps/a.bsp, light_lamp #1, light_lamp()");
}

#[test]
fn a_players_model_of_quake3_wears_its_default_skin() {
    let mut model = content::solid_md3("nothing");
    model[112..119].copy_from_slice(b"u_torso");
    let tga = [&[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 0, 24, 0][..], &[7; 48]].concat();
    let files: [(&str, &[u8]); 4] = [
        ("default.cfg", b"bind a b"),
        ("models/players/a/upper.md3", &model),
        ("models/players/a/upper_default.skin", b"tag_head,\nu_torso,models/players/a/body\n"),
        ("models/players/a/body.tga", &tga),
    ];
    let folder = Folder::with([("baseq3/pak0.pk3", testutils::zip(files))]);
    let line = format!("--basedir {} --engine ioquake3", folder.path());
    let data = data(&page(&line));
    let models = data["previews"].as_array().unwrap().iter().filter(|preview| preview["type"] == "model");
    let names: Vec<_> = models.map(|model| model["pictures"]["shown"][0]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["models/players/a/body"]);
    let needs =
        folder.check("--basedir [DIR] --engine ioquake3 --quiet needs --all models/players/a/upper.md3");
    assert_snapshot!(needs, @"
    exit: 1
    name                                 kind       presence  layer            needed by
    models/players/a/head.md3            model      required  missing          models/players/a/upper.md3
    models/players/a/lower.md3           model      required  missing          models/players/a/upper.md3
    models/players/a/head_default.skin   skin       required  missing          models/players/a/upper.md3
    models/players/a/icon_default.tga    skin       required  missing          models/players/a/upper.md3
    models/players/a/lower_default.skin  skin       required  missing          models/players/a/upper.md3
    models/players/a/animation.cfg       companion  required  missing          models/players/a/upper.md3
    sound/player/a/death1.wav            sound      optional  -                models/players/a/upper.md3
    sound/player/a/death2.wav            sound      optional  -                models/players/a/upper.md3
    sound/player/a/death3.wav            sound      optional  -                models/players/a/upper.md3
    sound/player/a/drown.wav             sound      optional  -                models/players/a/upper.md3
    sound/player/a/fall1.wav             sound      optional  -                models/players/a/upper.md3
    sound/player/a/falling1.wav          sound      optional  -                models/players/a/upper.md3
    sound/player/a/gasp.wav              sound      optional  -                models/players/a/upper.md3
    sound/player/a/jump1.wav             sound      optional  -                models/players/a/upper.md3
    sound/player/a/pain100_1.wav         sound      optional  -                models/players/a/upper.md3
    sound/player/a/pain25_1.wav          sound      optional  -                models/players/a/upper.md3
    sound/player/a/pain50_1.wav          sound      optional  -                models/players/a/upper.md3
    sound/player/a/pain75_1.wav          sound      optional  -                models/players/a/upper.md3
    sound/player/a/taunt.wav             sound      optional  -                models/players/a/upper.md3
    models/players/a/body.tga            image      required  baseq3/pak0.pk3  models/players/a/upper.md3, models/players/a/upper_default.skin, shader models/players/a/body
    models/players/a/upper_default.skin  skin       required  baseq3/pak0.pk3  models/players/a/upper.md3
    1 file needs 8 files; 6 are missing
    ");
}
