//! Shaders of Quake III, and the messages of ioquake3 about three levels.

use std::collections::{BTreeMap, BTreeSet};

use quakefs::Engine;
use quakefs::disk::MemoryDisk;
use quakefs_needs::{Kind, Levels, Presence};

use crate::{mount, named, needs};

/// A level of shaders, each on one surface.
fn level(shaders: &[&str]) -> Vec<u8> {
    let mut map = b"IBSP\x2e\0\0\0".to_vec();
    map.resize(8 + 17 * 8, 0);
    let mut rows = Vec::new();
    for shader in shaders {
        rows.extend(shader.bytes());
        rows.resize(rows.len().next_multiple_of(72), 0);
    }
    add_lump(&mut map, 1, &rows);
    draw(map, |_| true)
}

fn add_lump(map: &mut Vec<u8>, number: usize, bytes: &[u8]) {
    let at = u32::try_from(map.len()).unwrap();
    map[8 + number * 8..][..4].copy_from_slice(&at.to_le_bytes());
    map[12 + number * 8..][..4].copy_from_slice(&u32::try_from(bytes.len()).unwrap().to_le_bytes());
    map.extend(bytes);
}

/// Gives each of some shaders of a level a surface.
fn draw(mut map: Vec<u8>, is_drawn: impl Fn(&str) -> bool) -> Vec<u8> {
    let [at, size] = [16, 20].map(|at| u32::from_le_bytes(map[at..at + 4].try_into().unwrap()) as usize);
    let mut surfaces = Vec::new();
    for (number, shader) in (0_u32..).zip(map[at..at + size].chunks_exact(72)) {
        let name = shader.split(|byte| *byte == 0).next().unwrap();
        if is_drawn(str::from_utf8(name).unwrap()) {
            surfaces.extend(number.to_le_bytes());
            surfaces.resize(surfaces.len() + 100, 0);
        }
    }
    add_lump(&mut map, 13, &surfaces);
    map
}

/// The shaders of the recorded levels that no surface of the whole levels has; the levels there have no
/// surfaces.
const NOT_DRAWN: [&str; 6] = [
    "full_bk",
    "noshader",
    "textures/NULL",
    "textures/gothic_ceiling/ceilingtech02_d",
    "textures/gothic_trim/skullsvert01b",
    "textures/gothic_wall/streetbricks10",
];

/// A sound of the game's own code (`SP_target_push`), which no key names.
const OF_THE_CODE: &str = "sound/misc/windfly.wav";

#[test]
fn a_shader_needs_its_images_and_a_name_without_one_is_an_image() {
    let script = "textures/lava\n{\n{\nmap textures/lava1.tga\n}\n{\nmap $lightmap\n}\n}\n";
    let files = [
        ("mod/maps/a.bsp", level(&["textures/LAVA", "textures/wall"])),
        ("BASE/scripts/a.shader", script.into()),
        ("BASE/textures/lava1.jpg", Vec::new()),
    ];
    let needs = needs(&mount(Engine::IoQuake3, files), "maps/a.bsp");
    let images = named(&needs, |need| need.kind == Kind::Image);
    assert_eq!(images, [("textures/lava1.jpg".to_owned(), true), ("textures/wall".to_owned(), false)]);
}

#[test]
fn darkplaces_tries_its_own_endings_and_folders_for_an_image_of_a_shader() {
    let script = "textures/sky\n{\nskyparms env/sky - -\n}\n";
    let files = [
        (
            "mod/maps/a.bsp",
            level(&["textures/a", "textures/b.jpg", "textures/c", "models/d", "textures/sky"]),
        ),
        ("BASE/textures/a.wal", Vec::new()),
        ("BASE/textures/b.png", Vec::new()),
        ("BASE/override/textures/c.tga", Vec::new()),
        ("BASE/textures/models/d.jpg", Vec::new()),
        ("BASE/scripts/a.shader", script.into()),
        ("BASE/env/sky_rt.jpg", Vec::new()),
    ];
    let needs = needs(&mount(Engine::Nexuiz, files), "maps/a.bsp");
    let images = named(&needs, |need| need.kind == Kind::Image);
    let found: Vec<_> = images.iter().filter(|(_, found)| *found).map(|(name, _)| &**name).collect();
    assert_eq!(found, ["env/sky_rt.jpg", "textures/a.wal", "textures/b.png", "textures/models/d.jpg"]);
    // five sides of the sky, and the texture that is only in override/
    assert_eq!(images.len(), 4 + 5 + 1);
}

/// A model with one surface of this name, whose own shader is another.
fn worn(surface: &str) -> Vec<u8> {
    let mut model = testutils::content::solid_md3("models/own");
    model[112..112 + surface.len()].copy_from_slice(surface.as_bytes());
    model
}

#[test]
fn a_players_model_needs_what_its_skins_name() {
    let script = "models/players/a/shine\n{\n{\nmap models/players/a/metal.tga\n}\n}\n";
    let skin = "tag_head,\nU_Torso,models/players/a/shine\nu_belt,models/players/a/belt.tga\n";
    let files = [
        ("mod/models/players/a/upper.md3", worn("u_torso")),
        ("mod/models/players/a/head.md3", worn("h_head")),
        ("mod/models/players/a/head_red.skin", "h_head,models/players/a/helmet.tga\n".into()),
        ("mod/models/players/a/header_blue.skin", "h_head,models/players/a/not.tga\n".into()),
        ("mod/models/players/a/upper_default.skin", skin.into()),
        ("BASE/models/players/a/upper_Blue.skin", "u_torso,models/players/a/blue.tga\n".into()),
        ("BASE/scripts/a.shader", script.into()),
        ("BASE/models/players/a/metal.jpg", vec![0xff, 0xd8, 0xff]),
    ];
    let search_path = mount(Engine::IoQuake3, files);
    let needs = needs(&search_path, "models/players/a/upper.md3");
    assert!(needs.troubles.is_empty(), "{:?}", needs.troubles);
    // each part has a text for each skin, and its own shaders do not count
    let expected = [
        ("models/players/a/head.md3", true),
        ("models/players/a/lower.md3", false),
        ("models/players/a/blue.tga", false),
        ("models/players/a/helmet.tga", false),
        ("models/players/a/metal.jpg", true),
        ("models/players/a/head_Blue.skin", false),
        ("models/players/a/head_default.skin", false),
        ("models/players/a/head_red.skin", true),
        ("models/players/a/icon_Blue.tga", false),
        ("models/players/a/icon_default.tga", false),
        ("models/players/a/icon_red.tga", false),
        ("models/players/a/lower_Blue.skin", false),
        ("models/players/a/lower_default.skin", false),
        ("models/players/a/lower_red.skin", false),
        ("models/players/a/upper_Blue.skin", true),
        ("models/players/a/upper_default.skin", true),
        ("models/players/a/upper_red.skin", false),
        ("models/players/a/animation.cfg", false),
        ("scripts/a.shader", true),
    ];
    let expected = expected.map(|(name, found)| (name.to_owned(), found));
    assert_eq!(named(&needs, |need| need.kind != Kind::Sound), expected);
    assert_eq!(named(&needs, |need| need.kind == Kind::Sound).len(), 13);
}

#[test]
fn a_model_by_itself_names_its_pictures() {
    let files = [("mod/models/barrel.md2", testutils::content::solid_md2("models/skin.pcx"))];
    let search_path = mount(Engine::Quake2, files);
    let needs = needs(&search_path, "models/barrel.md2");
    assert_eq!(named(&needs, |_| true), [("models/skin.pcx".to_owned(), false)]);
}

#[test]
fn a_player_of_quake_2_needs_a_weapon_and_a_picture_for_each_skin() {
    let md2 = testutils::content::solid_md2;
    let files = [
        ("mod/players/ogre/tris.md2", md2("players/ogre/red.pcx")),
        ("mod/players/ogre/weapon.md2", md2("players/ogre/w.pcx")),
        ("mod/players/ogre/red.pcx", Vec::new()),
        ("mod/players/ogre/red_i.pcx", Vec::new()),
        ("mod/players/ogre/w.pcx", Vec::new()),
        ("mod/players/ogre/{a,b}.pcx", Vec::new()),
        ("mod/players/ogre/{a,b}_i.pcx", Vec::new()),
        ("mod/players/ogre/w_bfg.md2", md2("players/ogre/w.pcx")),
        ("mod/players/ogre/death1.wav", Vec::new()),
    ];
    let search_path = mount(Engine::Quake2, files);
    let needs = needs(&search_path, "players/ogre/tris.md2");
    let all = named(&needs, |need| need.presence == Presence::Required);
    let expected = [
        ("players/ogre/weapon.md2", true),
        ("players/ogre/red.pcx", true),
        ("players/ogre/red_i.pcx", true),
        ("players/ogre/w.pcx", true),
        ("players/ogre/{a,b}.pcx", true),
        ("players/ogre/{a,b}_i.pcx", true),
    ];
    assert_eq!(all, expected.map(|(name, found)| (name.to_owned(), found)));
    let optional = named(&needs, |need| need.presence == Presence::Optional);
    assert_eq!(optional.len(), 18);
    for name in ["players/ogre/death1.wav", "players/ogre/w_bfg.md2"] {
        assert!(optional.contains(&(name.to_owned(), true)), "{name}");
    }
    // without a skin, it is the one that the engine takes
    let bare = mount(Engine::Quake2, [("mod/players/x/tris.md2", md2(""))]);
    let needs = crate::needs(&bare, "players/x/tris.md2");
    let missing = named(&needs, quakefs_needs::Need::is_missing).into_iter().map(|(name, _)| name);
    let expected = ["players/x/weapon.md2", "players/x/grunt.pcx", "players/x/grunt_i.pcx"];
    assert_eq!(missing.collect::<Vec<_>>(), expected);
}

/// The names of an archive and its scripts. All other files exist but are empty.
#[testneeds::data("references/static/quake3")]
#[test]
#[cfg_attr(windows, ignore = "needs tar and xz")]
fn the_images_that_ioquake3_misses_are_missing_and_no_others() {
    let folder = testutils::data("references/static/quake3");
    let unpacked = testutils::Folder::new();
    let archive = folder.join("pk3s.tar.xz");
    let tar = std::process::Command::new("tar")
        .args(["xf", archive.as_str(), "-C", unpacked.path().as_str()])
        .status();
    assert!(tar.is_ok_and(|status| status.success()), "tar and xz are needed");
    let truth = testutils::gunzip(&testutils::testdata("needs/quake3.json.gz"));
    let truth: serde_json::Value = serde_json::from_slice(&truth).unwrap();
    let mount = |without: &str| {
        let disk = MemoryDisk::new();
        for pk3 in unpacked.path().read_dir_utf8().unwrap() {
            let pk3 = pk3.unwrap();
            if pk3.file_name() == without {
                continue;
            }
            let names = std::fs::read_to_string(pk3.path().join("names.txt")).unwrap();
            let mut files = BTreeMap::new();
            for name in names.lines().filter(|name| !name.ends_with('/')) {
                files.insert(name.to_owned(), std::fs::read(pk3.path().join(name)).unwrap_or_default());
            }
            for map in folder.join("maps").read_dir_utf8().unwrap().map(Result::unwrap) {
                let name = format!("maps/{}", map.file_name());
                if files.contains_key(&name) {
                    let map = std::fs::read(map.path()).unwrap();
                    files.insert(name, draw(map, |shader| !NOT_DRAWN.contains(&shader)));
                }
            }
            disk.insert(format!("/game/baseq3/{}", pk3.file_name()), testutils::zip(files)).unwrap();
        }
        disk
    };
    let texts = |value: &serde_json::Value| -> BTreeSet<String> {
        value.as_array().into_iter().flatten().map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    let mut wrong = Vec::new();
    for (without, part) in [("", "all_pk3s"), ("pak4-textures.pk3", "without_pak4-textures.pk3")] {
        let disk = mount(without);
        let search_path =
            quakefs::SearchPath::builder("/game").disk(disk).engine(Engine::IoQuake3).mount().unwrap();
        for (map, said) in truth["maps"].as_object().unwrap() {
            let said = &said[part];
            let needs = Levels::new(&search_path).of(&[format!("maps/{map}.bsp")]).remove(0);
            let missing: BTreeSet<_> = needs
                .missing()
                .filter(|need| need.kind == Kind::Image)
                .map(|need| need.name.to_string())
                .collect();
            let game = texts(&said["of_these_for_every_map"]);
            let expected =
                &(&texts(&said["missing_shader_images"]) | &texts(&said["missing_stage_images"])) - &game;
            let silent: Vec<_> = expected.difference(&missing).collect();
            // the engine drops a shader at its first missing image, and does not report the next ones
            let first: BTreeSet<_> = first_of_shaders(&needs).intersection(&missing).cloned().collect();
            let alarms: Vec<_> = first.difference(&expected).filter(|name| !game.contains(*name)).collect();
            if !silent.is_empty() || !alarms.is_empty() {
                wrong.push(format!("{map} {part}: silent {silent:?}, false alarms {alarms:?}"));
            }
            let sounds: BTreeSet<_> = needs
                .missing()
                .filter(|need| matches!(need.kind, Kind::Sound | Kind::Music))
                .map(|need| need.name.to_string())
                .collect();
            let mut expected = texts(&said["missing_sounds"]);
            expected.remove(OF_THE_CODE);
            if part == "all_pk3s" && sounds != expected {
                wrong.push(format!("{map}: sounds {sounds:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first missing image of each shader.
fn first_of_shaders(needs: &quakefs_needs::Needs) -> BTreeSet<String> {
    let mut first: BTreeMap<Vec<String>, (usize, String)> = BTreeMap::new();
    for need in needs.missing().filter(|need| need.kind == Kind::Image) {
        let shader: Vec<_> = need.by.iter().take(2).map(ToString::to_string).collect();
        let line = need.by.iter().find_map(|by| match by {
            quakefs_needs::By::Line(line) => Some(*line),
            _ => None,
        });
        let found = (line.unwrap_or_default(), need.name.to_string());
        let kept = first.entry(shader).or_insert_with(|| found.clone());
        if found.0 < kept.0 {
            *kept = found;
        }
    }
    first.into_values().map(|(_, name)| name).collect()
}
