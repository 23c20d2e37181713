//! `quakefs which --as`

use serde_json::{Value, json};
use testutils::Folder;

use crate::Commands as _;

pub(crate) fn folder() -> Folder {
    Folder::with([
        ("id1/textures/brick1.tga", "1"),
        ("mod/textures/brick1.pcx", "2"),
        ("mod/textures/e1m1/#lava.tga", "3"),
        ("mod/textures/e1m1/#lava_luma.tga", "4"),
        ("id1/music/track02.ogg", "5"),
        ("mod/music/track02.wav", "6"),
        ("mod/gfx/env/moon_rt.tga", "7"),
        ("id1/progs/ogre.mdl", "8"),
        ("id1/progs/ogre.md5mesh", "9"),
        ("id1/progs/dog.md5mesh", "10"),
        ("mod/progs/dog.mdl", "11"),
    ])
}

/// The loaded files, and the number of other existing ones.
fn loaded(folder: &Folder, engine: &str, line: &str) -> Vec<(Value, usize)> {
    let line = format!("--basedir [DIR] --engine {engine} --game mod --json which {line}");
    let lines = folder.run(&line).json();
    let of = |line: &Value| (line["loaded"]["name"].clone(), line["overridden"].as_array().unwrap().len());
    lines.iter().map(of).collect()
}

#[test]
fn the_extension_or_the_directory_decides_as_in_the_engine() {
    let folder = folder();
    let brick = |engine| loaded(&folder, engine, "--as texture brick1 --level maps/e1m1.bsp");
    assert_eq!(brick("quakespasm"), [(json!("textures/brick1.tga"), 1)]);
    assert_eq!(brick("vkquake"), [(json!("textures/brick1.pcx"), 1)]);
    assert_eq!(loaded(&folder, "quakespasm", "--as music 2"), [(json!("music/track02.wav"), 1)]);
    let models = loaded(&folder, "vkquake", "--as model progs/ogre.mdl progs/dog.mdl");
    assert_eq!(models, [(json!("progs/ogre.md5mesh"), 1), (json!("progs/dog.mdl"), 0)]);
    // in FTE, every archive and folder is a separate layer
    let folder =
        Folder::with([("id1/textures/a.tga", "1"), ("mod/override/a.png", "2"), ("mod/dds/a.dds", "3")]);
    assert_eq!(loaded(&folder, "fte", "--as texture a"), [(json!("dds/a.dds"), 2)]);
}

#[test]
fn a_file_below_the_model_is_ignored() {
    let folder = Folder::with([
        ("id1/progs/dog.md5mesh", "1"),
        ("mod/progs/dog.mdl", "2"),
        ("id1/progs/dog.mdl_0.png", "3"),
        ("mod/progs/dog.mdl_1.pcx", "4"),
    ]);
    let ignored = |engine: &str, line: &str| {
        let line = format!("--basedir [DIR] --engine {engine} --game mod --json which {line}");
        folder.run(&line).json().iter().map(|line| line["skipped"][0]["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(ignored("vkquake", "--as model progs/dog.mdl"), [json!("progs/dog.md5mesh")]);
    assert_eq!(ignored("vkquake", "--as skin progs/dog.mdl_0"), [json!("progs/dog.mdl_0.png")]);
    assert_eq!(loaded(&folder, "vkquake", "--as skin progs/dog.mdl_1"), [(json!("progs/dog.mdl_1.pcx"), 0)]);
    assert_eq!(ignored("darkplaces", "--as skin progs/dog.mdl_0"), [Value::Null]);
    let text = folder.check("--basedir [DIR] --engine vkquake --game mod which --as skin progs/dog.mdl_0");
    assert!(text.starts_with("exit: 1\n") && text.contains("progs/dog.mdl_0: [below]"), "{text}");
}

#[test]
fn a_sky_is_the_first_set_with_an_existing_picture() {
    let folder = Folder::with([("mod/gfx/env/moon_rt.tga", "1"), ("id1/env/moon_negx.jpg", "2")]);
    let sky = loaded(&folder, "darkplaces", "--as sky moon_");
    let found: Vec<_> = sky.iter().map(|(name, _)| name.clone()).filter(|name| !name.is_null()).collect();
    assert_eq!((sky.len(), found), (6, vec![json!("env/moon_negx.jpg")]));
}

#[test]
fn the_folder_of_a_level_wins_and_water_has_no_glow_texture() {
    let folder = folder();
    let lava = loaded(&folder, "quakespasm", "--as texture *lava --level e1m1");
    assert_eq!(lava, [(json!("textures/e1m1/#lava.tga"), 0)]);
    assert_eq!(loaded(&folder, "quakespasm", "--as texture *lava"), [(Value::Null, 0)]);
}

#[test]
fn a_sky_has_six_files() {
    let folder = folder();
    let sky = loaded(&folder, "quakespasm", "--as sky moon_");
    assert_eq!(
        (sky.len(), sky[0].0.clone(), sky[1].0.clone()),
        (6, json!("gfx/env/moon_rt.tga"), Value::Null)
    );
    let text = folder.check("--basedir [DIR] --engine quakespasm --game mod which --as sky moon_");
    assert!(text.starts_with("exit: 1\ngfx/env/moon_rt.tga: mod/ (1 byte)\n! "), "{text}");
}

#[test]
fn an_engine_without_such_rules_is_a_failure_and_so_is_a_wrong_kind() {
    let folder = folder();
    let exit = |line: &str| folder.run(&format!("--basedir [DIR] {line}")).exit as u8;
    assert_eq!(exit("--engine quake-kex which --as texture brick1"), 2);
    assert_eq!(exit("--engine quakespasm which --as lava brick1"), 2);
    assert_eq!(exit("--engine quakespasm which --as skin progs/ogre.mdl_0"), 1);
    assert_eq!(exit("--engine fte which --as skin progs/ogre.mdl_0"), 2);
    let help = |engine: &str| {
        let line = format!("--basedir [DIR] --engine {engine} which --as skin progs/ogre.mdl_0");
        folder.run(&line).err().lines().last().unwrap().trim().to_owned()
    };
    // quakespasm has no replacements of skins
    for engine in ["fte", "quakespasm"] {
        assert_eq!(help(engine), "help: choose another engine with --engine, such as qss");
    }
    assert_eq!(exit("--engine quakespasm which --level e1m1 brick1"), 2);
    assert_eq!(exit("--engine quakespasm which -a --as texture brick1"), 0);
    assert_eq!(exit("--engine quakespasm which --as texture ../../brick1"), 1);
}
