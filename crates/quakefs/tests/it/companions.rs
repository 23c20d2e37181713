//! The files that an engine loads beside a level.

use quakefs::disk::MemoryDisk;
use quakefs::rules::SubstituteKind;
use quakefs::search_path::CompanionBecause;
use quakefs::{Engine, SearchPath};

/// A level of Quake with these entities and as many bytes of light.
fn level(entities: &str, light: usize) -> Vec<u8> {
    let mut level = 29_u32.to_le_bytes().to_vec();
    let start = 4 + 8 * 15;
    for lump in 0..15 {
        let (at, size) = match lump {
            0 => (start, entities.len()),
            8 => (start + entities.len(), light),
            _ => (start, 0),
        };
        level.extend(u32::try_from(at).unwrap().to_le_bytes());
        level.extend(u32::try_from(size).unwrap().to_le_bytes());
    }
    level.extend(entities.bytes());
    level.resize(level.len() + light, 0);
    level
}

fn mount(engine: Engine, files: &[(&str, Vec<u8>)]) -> SearchPath {
    let disk = MemoryDisk::new();
    for (name, content) in files {
        disk.insert(format!("quake/{name}"), content.clone()).unwrap();
    }
    SearchPath::builder("quake").disk(disk).engine(engine).game("mod").mount().unwrap()
}

/// The companions of `maps/a.bsp`, each with the reason's name.
fn companions(quake: &SearchPath, level: &str) -> String {
    let copies = quake.companions(level).copies;
    let copies = copies
        .iter()
        .map(|copy| format!("{}{} {}", copy.file.layer().name(), copy.name.as_name(), copy.because.name()));
    copies.collect::<Vec<_>>().join(", ")
}

#[test]
fn a_file_for_these_entities_hides_the_general_one() {
    let files = [
        ("id1/maps/a.bsp", level("123456789\0", 0)),
        ("id1/maps/a@29b1.ent", b"{}".to_vec()),
        ("mod/maps/a.ent", b"{}".to_vec()),
    ];
    let found = companions(&mount(Engine::QuakeSpasm, &files), "maps/a.bsp");
    assert_eq!(found, "id1/maps/a@29b1.ent loaded, mod/maps/a.ent other-name");
    // if the level belongs to the mod, the first is ignored, but still hides the other
    let mut files = files.to_vec();
    files[0].0 = "mod/maps/a.bsp";
    let found = companions(&mount(Engine::QuakeSpasm, &files), "maps/a.bsp");
    assert_eq!(found, "id1/maps/a@29b1.ent below-level, mod/maps/a.ent other-name");
    assert_eq!(companions(&mount(Engine::DarkPlaces, &files), "maps/a.bsp"), "mod/maps/a.ent loaded");
}

#[test]
fn lights_fit_the_winning_level() {
    let lights = |size| {
        mount(
            Engine::Ironwail,
            &[
                ("id1/pak0.pak", Vec::new()),
                ("id1/maps/ab.bsp", level("", 2)),
                ("mod/maps/ab.lit", vec![0; size]),
            ],
        )
    };
    assert_eq!(companions(&lights(14), "maps/ab.bsp"), "mod/maps/ab.lit loaded");
    let other = lights(15);
    let because = other.companions("maps/ab.bsp").copies.remove(0).because;
    assert_eq!(because, CompanionBecause::OtherSize { found: 15, expected: 14 });
}

#[test]
fn a_missing_or_broken_level_has_companions_of_unknown_fit() {
    let lights = ("id1/maps/a.lit", vec![0; 8]);
    let quake = mount(Engine::DarkPlaces, std::slice::from_ref(&lights));
    assert_eq!(companions(&quake, "maps/a.bsp"), "id1/maps/a.lit no-level");
    assert!(quake.companions("maps/a.bsp").level.is_none());
    for bytes in [
        b"".to_vec(),
        b"text".to_vec(),
        level("", 0)[..20].to_vec(),
        [29, 0, 0, 0, 255, 255, 255, 255].to_vec(),
    ] {
        let quake = mount(Engine::DarkPlaces, &[("id1/maps/a.bsp", bytes), lights.clone()]);
        assert_eq!(companions(&quake, "maps/a.bsp"), "id1/maps/a.lit unread-level");
    }
    for name in ["", "a", ".", "..", "/", "maps/", "\\", "maps/a.bsp.bsp"] {
        assert!(quake.companions(name).level.is_none(), "{name}");
    }
}

#[test]
fn a_level_is_named_for_substitutes_by_its_path_or_by_its_name() {
    let quake = mount(Engine::QuakeSpasm, &[("id1/textures/e1.m1/brick1.tga", Vec::new())]);
    for level in ["e1.m1", "maps/e1.m1.bsp", r"maps\e1.m1.BSP", "e1.m1.bsp"] {
        let files = quake.substitutes(SubstituteKind::Texture, "brick1", Some(level.as_bytes())).unwrap();
        assert_eq!(files[0].tried[0].to_string(), "textures/e1.m1/brick1.tga", "{level}");
        assert_eq!(files[0].copies.len(), 1, "{level}");
    }
}

/// The textures that the engine loads for `brick1`, and what lies beside them.
fn textures(engine: Engine, files: &[&str]) -> Vec<String> {
    let files: Vec<_> = files.iter().map(|file| (*file, Vec::new())).collect();
    let quake = mount(engine, &files);
    let loaded = quake.substitutes(SubstituteKind::Texture, "brick1", Some(b"e1m1")).unwrap();
    loaded.iter().filter_map(|file| Some(file.copies.first()?.name.to_string())).collect()
}

#[test]
fn darkplaces_loads_pictures_of_a_level_and_what_lies_beside_them_in_the_order_of_its_time() {
    let both = ["id1/textures/brick1.jpg", "id1/textures/e1m1/brick1.tga"];
    assert_eq!(textures(Engine::DarkPlaces, &both), ["textures/brick1.jpg"]);
    assert_eq!(textures(Engine::DarkPlaces2024, &both), ["textures/e1m1/brick1.tga"]);
    // a PCX comes after all others, and so do those beside other pictures
    let pcx = ["id1/textures/e1m1/brick1.pcx", "id1/textures/brick1.png", "id1/textures/brick1_norm.pcx"];
    for engine in [Engine::DarkPlaces, Engine::DarkPlaces2024] {
        assert_eq!(textures(engine, &pcx), ["textures/brick1.png"]);
        let beside =
            ["id1/textures/brick1.pcx", "id1/textures/brick1_norm.pcx", "id1/textures/brick1_luma.png"];
        let names = ["textures/brick1.pcx", "textures/brick1_norm.pcx", "textures/brick1_luma.png"];
        assert_eq!(textures(engine, &beside), names);
    }
    // of each kind the first: heights only without a normal map
    let maps = ["", "_norm", "_bump", "_glow", "_luma", "_gloss", "_pants"];
    let maps = maps.map(|end| format!("id1/textures/brick1{end}.tga"));
    let maps: Vec<&str> = maps.iter().map(String::as_str).collect();
    let loaded = ["", "_norm", "_glow", "_gloss", "_pants"].map(|end| format!("textures/brick1{end}.tga"));
    assert_eq!(textures(Engine::DarkPlaces, &maps), loaded);
}

#[test]
fn visibility_is_looked_up_by_level_and_then_by_game() {
    let files = [
        ("mod/maps/ab.bsp", level("", 0)),
        ("mod/maps/a.bsp", level("", 0)),
        ("mod/maps/a.vis", Vec::new()),
        ("mod/mod.vis", Vec::new()),
    ];
    let quake = mount(Engine::QuakeSpasm, &files);
    assert_eq!(companions(&quake, "maps/ab.bsp"), "mod/mod.vis loaded");
    // a name of one letter is lost
    assert_eq!(companions(&quake, "maps/a.bsp"), "");
}
