//! The files that engines did not find, as recorded in `testdata/needs`. The programs and levels are not part
//! of the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use camino::Utf8Path;
use quakefs::disk::MemoryDisk;
use quakefs::rules::SubstituteKind;
use quakefs::{Engine, LooseFiles, SearchPath};
use quakefs_needs::Mode;
use quakefs_needs::{Kind, Levels, Need, Needs};
use serde::Deserialize;
use testutils::{data, gunzip, testdata};

#[derive(Deserialize)]
struct Truth {
    program: String,
    have: Vec<String>,
    maps: BTreeMap<String, Map>,
}

#[derive(Deserialize)]
struct Map {
    /// The missing files by engine, mode and kind.
    missing: BTreeMap<String, BTreeMap<String, Missing>>,
}

#[derive(Deserialize)]
struct Missing {
    model: Option<BTreeSet<String>>,
    sound: Option<BTreeSet<String>>,
}

fn recorded<T: serde::de::DeserializeOwned>(path: &Utf8Path) -> T {
    serde_json::from_slice(&gunzip(path)).unwrap()
}

fn mode(name: &str) -> Mode {
    match name {
        "coop" => Mode::single(1).coop(),
        "dm" => Mode::single(1).deathmatch(),
        skill => Mode::single(skill.strip_prefix("sp").unwrap().parse().unwrap()),
    }
}

/// A game whose files are empty, except the program and its levels.
fn mount(engine: Engine, truth: &Truth) -> SearchPath {
    let disk = MemoryDisk::new();
    let base = fs::read_to_string(testdata("needs/base.txt")).unwrap();
    let names = base.lines().map(|name| format!("id1/{name}"));
    for name in names.chain(truth.have.iter().map(|name| format!("mod/{name}"))) {
        disk.insert(format!("/quake/{name}"), b"".to_vec()).unwrap();
    }
    let game = data("references/games").join(&truth.program);
    disk.insert("/quake/mod/progs.dat", fs::read(game.join("progs.dat")).unwrap()).unwrap();
    for map in truth.maps.keys() {
        let level = fs::read(game.join(format!("maps/{map}.bsp"))).unwrap();
        disk.insert(format!("/quake/mod/maps/{map}.bsp"), level).unwrap();
    }
    let builder = SearchPath::builder("/quake").disk(disk).engine(engine).game("mod");
    builder.loose_files(LooseFiles::Listed).mount().unwrap()
}

fn missing(needs: &Needs, kind: Kind) -> BTreeSet<String> {
    let of_kind = |need: &&Need| need.kind == kind;
    needs.missing().filter(of_kind).map(|need| need.name.to_string()).collect()
}

#[testneeds::data("references/games")]
#[test]
fn the_missing_files_are_exactly_the_ones_that_the_engine_misses() {
    let files = testdata("needs/missing").read_dir_utf8().unwrap();
    let mut files: Vec<_> = files.map(|entry| entry.unwrap().into_path()).collect();
    files.sort();
    let (mut compared, mut wrong) = (0, Vec::new());
    for file in files {
        let truth: Truth = recorded(&file);
        for engine in [Engine::DarkPlaces, Engine::QuakeSpasm] {
            let search_path = mount(engine, &truth);
            let modes = ["sp0", "sp1", "sp2", "sp3", "coop", "dm"];
            for name in modes {
                let answered = |map: &Map| map.missing.get(engine.name())?.get(name).map(|_| ());
                let maps: Vec<_> = truth.maps.iter().filter(|(_, map)| answered(map).is_some()).collect();
                let levels: Vec<_> = maps.iter().map(|(map, _)| format!("maps/{map}.bsp")).collect();
                let needs = Levels::new(&search_path).modes([mode(name)]).of(&levels);
                for ((map, row), needs) in maps.iter().zip(&needs) {
                    let said = &row.missing[engine.name()][name];
                    for (kind, expected) in [(Kind::Model, &said.model), (Kind::Sound, &said.sound)] {
                        let Some(expected) = expected else { continue };
                        compared += 1;
                        let found = missing(needs, kind);
                        if found != *expected {
                            let file = file.file_stem().unwrap();
                            wrong.push(format!("{file} {map} {engine} {name}: {found:?} for {expected:?}"));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 1000, "{compared}");
}

/// The names that QuakeSpasm tried on disk when all substitutes of textures and tracks were missing.
#[test]
fn the_substitutes_of_quakespasm_equal_the_names_that_it_tried() {
    #[derive(Deserialize)]
    struct Asked {
        other: BTreeSet<String>,
        sounds: BTreeSet<String>,
    }
    let rules = Engine::QuakeSpasm.rules();
    let names = |kind, name: &str, level: &str| -> Vec<String> {
        let row = rules.substitutes.items().iter().find(|row| row.of == kind).unwrap();
        let names = row.names_for(name.as_bytes(), Some(level.as_bytes()), "");
        names.into_iter().flatten().map(|name| String::from_utf8(name).unwrap()).collect()
    };
    let mut compared = 0;
    for program in ["lq", "pd", "qcc", "slowjam", "vektar"] {
        let asked = testdata(&format!("needs/asked/{program}.json.gz"));
        let asked: BTreeMap<String, BTreeMap<String, Asked>> = recorded(&asked);
        for (map, Asked { other, sounds }) in
            asked.iter().flat_map(|(map, modes)| modes.values().map(move |asked| (map, asked)))
        {
            let folder = format!("textures/{map}/");
            let of_level =
                other.iter().filter_map(|name| Some(name.strip_prefix(&folder)?.rsplit_once('.')?.0));
            let textures = of_level.map(|name| (SubstituteKind::Texture, name));
            let tracks =
                sounds.iter().filter_map(|name| name.strip_prefix("music/track")?.strip_suffix(".wav"));
            let tracks = tracks.map(|number| (SubstituteKind::Music, number.trim_start_matches('0')));
            let tracks = tracks.map(|(kind, number)| (kind, if number.is_empty() { "0" } else { number }));
            for (kind, name) in textures.chain(tracks) {
                for name in names(kind, name, map) {
                    compared += 1;
                    assert!(other.contains(&name) || sounds.contains(&name), "{program} {map}: {name}");
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// The names that QuakeSpasm tried on disk, except models and sounds.
#[testneeds::data("references/games")]
#[test]
fn quakespasm_opens_exactly_the_listed_companions() {
    #[derive(Deserialize)]
    struct Asked {
        models: BTreeSet<String>,
        other: BTreeSet<String>,
        sounds: BTreeSet<String>,
    }
    let (mut compared, mut wrong) = (0, Vec::new());
    for program in ["lq", "pd", "qcc", "slowjam", "vektar"] {
        let asked = testdata(&format!("needs/asked/{program}.json.gz"));
        let asked: BTreeMap<String, BTreeMap<String, Asked>> = recorded(&asked);
        let truth: Truth = recorded(&testdata(&format!("needs/missing/{program}-full.json.gz")));
        let search_path = mount(Engine::QuakeSpasm, &truth);
        for (map, modes) in &asked {
            for (name, asked) in modes {
                let levels = Levels::new(&search_path).modes([mode(name)]);
                let needs = levels.of(&[format!("maps/{map}.bsp")]).remove(0);
                let names = |kinds: &[Kind]| -> BTreeSet<String> {
                    let of_kind = needs.needed.iter().filter(|need| kinds.contains(&need.kind));
                    let all = of_kind.flat_map(|need| std::iter::once(&need.name).chain(&need.others));
                    all.map(ToString::to_string).collect()
                };
                let starts = |start: &str| -> BTreeSet<String> {
                    asked.other.iter().filter(|name| name.starts_with(start)).cloned().collect()
                };
                let mut check = |what: &str, said: BTreeSet<String>, found: BTreeSet<String>| {
                    compared += 1;
                    if said != found {
                        let (more, less) = (&said - &found, &found - &said);
                        wrong.push(format!("{program} {map} {name} {what}: more {more:?}, less {less:?}"));
                    }
                };
                check("models", names(&[Kind::Model]), asked.models.clone());
                // files of the mod as a whole are not the level's
                let beside = |name: &String| name.starts_with(&format!("maps/{map}"));
                let companions: BTreeSet<_> = starts("maps/").into_iter().filter(beside).collect();
                let ours = names(&[Kind::Companion]).into_iter().filter(beside).collect();
                check("companions", ours, companions);
                // boxes of ammunition are levels with textures too
                let own = |names: BTreeSet<String>| -> BTreeSet<String> {
                    names.into_iter().filter(|name| name.starts_with(&format!("textures/{map}/"))).collect()
                };
                check("textures", own(names(&[Kind::Texture])), own(starts("textures/")));
                check("skies", names(&[Kind::Sky]), starts("gfx/env/"));
                let sounds: BTreeSet<_> = names(&[Kind::Sound]);
                assert!(
                    sounds.is_subset(&asked.sounds),
                    "{program} {map} {name}: {:?}",
                    &sounds - &asked.sounds
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 500, "{compared}");
}

/// A level of Quake II and one of Half-Life, whose files were listed by hand.
#[test]
fn levels_of_quake_2_and_half_life_name_their_textures_and_wads() {
    #[derive(Deserialize)]
    struct Listed {
        maps: BTreeMap<String, Named>,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Named {
        textures: BTreeSet<String>,
        wad: BTreeSet<String>,
    }
    let folder = testdata("needs/levels");
    let listed: Listed = serde_json::from_slice(&fs::read(folder.join("listed.json")).unwrap()).unwrap();
    assert_eq!(listed.maps.len(), 2);
    for (map, Named { textures, wad }) in listed.maps {
        let engine = if wad.is_empty() { Engine::Quake2 } else { Engine::GoldSrc };
        let search_path =
            crate::mount(engine, [(format!("mod/maps/{map}"), fs::read(folder.join(&map)).unwrap())]);
        let needs = crate::needs(&search_path, &format!("maps/{map}"));
        assert_eq!((missing(&needs, Kind::Texture), missing(&needs, Kind::Wad)), (textures, wad), "{map}");
    }
}
