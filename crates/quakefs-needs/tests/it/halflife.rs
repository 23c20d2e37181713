//! Levels of Half-Life: the parts of models, the keys of the SDK, and texts beside a level.

use quakefs::Engine;
use quakefs_needs::{Kind, Needs, Presence};
use testutils::content::{level, texture, wad};

use crate::{mount, named, needs};

const HALF_LIFE: [u8; 4] = [30, 0, 0, 0];

/// A model with these names of groups, and one sequence with these events. Without `textures`, these are in a
/// file of their own.
fn studio(textures: u32, groups: &[&str], events: &[(u32, &str)]) -> Vec<u8> {
    let mut model = b"IDST\x0a\0\0\0".to_vec();
    model.resize(244, 0);
    let put = |model: &mut Vec<u8>, at: usize, number: usize| {
        model[at..at + 4].copy_from_slice(&u32::try_from(number).unwrap().to_le_bytes());
    };
    let text = |model: &mut Vec<u8>, text: &str, size: usize| {
        model.extend(text.as_bytes());
        model.resize(model.len() + size - text.len(), 0);
    };
    put(&mut model, 172, groups.len() + 1);
    put(&mut model, 176, 244);
    for name in std::iter::once(&"").chain(groups) {
        text(&mut model, "group", 32);
        text(&mut model, name, 72);
    }
    let sequence = model.len();
    put(&mut model, 164, 1);
    put(&mut model, 168, sequence);
    model.resize(sequence + 176, 0);
    let start = model.len();
    put(&mut model, sequence + 48, events.len());
    put(&mut model, sequence + 52, start);
    for (event, options) in events {
        model.extend([0; 4]);
        model.extend(event.to_le_bytes());
        model.extend([0; 4]);
        text(&mut model, options, 64);
    }
    put(&mut model, 180, textures as usize);
    let size = model.len();
    put(&mut model, 72, size);
    model
}

fn of(engine: Engine, entities: &str, files: &[(&str, Vec<u8>)]) -> Needs {
    let entities = format!("{{ classname worldspawn }} {entities}");
    let wall = texture("wall", 16, 16, Some(&[0; 768]));
    let mut all = vec![
        ("mod/liblist.gam", b"game mod".to_vec()),
        ("mod/maps/a.bsp", level(HALF_LIFE, entities, &[wall])),
    ];
    all.extend(files.iter().cloned());
    needs(&mount(engine, all), "maps/a.bsp")
}

fn names(needs: &Needs, kind: Kind) -> Vec<String> {
    named(needs, |need| need.kind == kind).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_model_needs_its_textures_its_sequences_and_the_sounds_of_its_events() {
    let events =
        [(1004, "barney\\step.wav"), (5004, "common/npc.wav"), (5001, "21"), (1003, "door"), (1008, "")];
    let dog = studio(0, &["models\\old01.mdl", "models/old02.mdl"], &events);
    let files = [("mod/models/pets/dog.mdl", dog)];
    let entities = "{ classname monster_generic model models/pets/dog.mdl }";
    let needs = of(Engine::GoldSrc, entities, &files);
    let parts =
        ["models/pets/dog.mdl", "models/pets/dog01.mdl", "models/pets/dog02.mdl", "models/pets/dogT.mdl"];
    assert_eq!(names(&needs, Kind::Model)[..4], parts);
    assert_eq!(names(&needs, Kind::Model)[4..], ["sprites/muzzleflash2.spr"]);
    assert_eq!(names(&needs, Kind::Sound), ["sound/barney/step.wav", "sound/common/npc.wav"]);
    let missing: Vec<_> = needs.missing().map(|need| need.name.to_string()).collect();
    assert_eq!(missing, parts[1..]);
    // GoldSrc's own code takes the names in the model
    let needs = of(Engine::GoldSrc2023, entities, &files);
    let models = names(&needs, Kind::Model);
    assert!(
        models.contains(&"models/old01.mdl".to_owned()) && models.contains(&"models/old02.mdl".to_owned())
    );
    // a model with textures and without further groups is alone
    let whole = [("mod/models/pets/dog.mdl", studio(1, &[], &[]))];
    assert_eq!(names(&of(Engine::GoldSrc, entities, &whole), Kind::Model), parts[..1]);
}

#[test]
fn a_damaged_model_is_a_trouble_and_costs_no_other() {
    let mut cut = studio(0, &["models/a01.mdl"], &[(1004, "a.wav")]);
    cut.truncate(300);
    let endless = {
        let mut model = studio(0, &[], &[(1004, "a.wav")]);
        // all sequences share the events
        model[164..168].copy_from_slice(&u32::MAX.to_le_bytes());
        model
    };
    for bad in [cut, endless, b"IDST".to_vec(), Vec::new()] {
        let entities = "{ classname cycler model models/bad.mdl } { classname cycler model models/a.mdl }";
        let files = [("mod/models/bad.mdl", bad), ("mod/models/a.mdl", studio(0, &[], &[]))];
        let needs = of(Engine::GoldSrc, entities, &files);
        assert!(needs.troubles.iter().any(|trouble| trouble.to_string().contains("models/bad.mdl")));
        assert!(names(&needs, Kind::Model).contains(&"models/aT.mdl".to_owned()));
    }
}

#[test]
fn keys_of_the_sdk_name_files_by_name_and_by_number() {
    let of = |entities: &str| {
        let needs = of(Engine::GoldSrc, entities, &[]);
        let mut all = names(&needs, Kind::Model);
        all.extend(names(&needs, Kind::Sound));
        all.join(" ")
    };
    assert_eq!(of("{ classname monster_furniture model models/desk.mdl }"), "models/desk.mdl");
    let laser = "{ classname env_laser EndSprite sprites/end.spr texture sprites/beam.spr }";
    assert_eq!(of(laser), "sprites/beam.spr sprites/end.spr");
    assert_eq!(
        of("{ classname func_door movesnd 3 stopsnd 2 locked_sound 12 unlocked_sound 0 sounds 5 }"),
        "sound/buttons/latchlocked1.wav sound/doors/doormove3.wav sound/doors/doorstop2.wav"
    );
    assert_eq!(of("{ classname func_tracktrain sounds 5 }"), "sound/plats/ttrain6.wav");
    // an unknown number is that of another sound
    assert_eq!(of("{ classname func_button sounds 17 }"), "sound/buttons/button9.wav");
    // a text wins over the number
    assert_eq!(of("{ classname func_rotating sounds 2 message fans/own.wav }"), "sound/fans/own.wav");
    // a missing material is glass; other pieces come in the place of the material's
    let glass = "models/glassgibs.mdl sound/debris/bustglass1.wav sound/debris/bustglass2.wav \
                 sound/debris/glass1.wav sound/debris/glass2.wav sound/debris/glass3.wav";
    assert_eq!(of("{ classname func_breakable }"), glass);
    assert!(of("{ classname func_breakable gibmodel models/own.mdl }").starts_with("models/own.mdl sound/"));
    // a pushable thing breaks only with its flag
    assert_eq!(of("{ classname func_pushable material 1 }"), "");
    assert!(of("{ classname func_pushable material 1 spawnflags 129 }").starts_with("models/woodgibs.mdl "));
    // a star marks a stream, and an exclamation mark a sentence
    assert_eq!(of("{ classname ambient_generic message *ambience/wind.wav }"), "sound/ambience/wind.wav");
    assert_eq!(of("{ classname ambient_generic message !HG_ALERT }"), "");
}

#[test]
fn a_sprite_of_quake_is_none_for_half_lifes_own_engine() {
    let mut sprite = b"IDSP\x01\0\0\0".to_vec();
    sprite.resize(36, 0);
    let files = [("mod/sprites/a.spr", sprite)];
    let entities = "{ classname env_sprite model sprites/a.spr }";
    let refused = |engine| {
        let needs = of(engine, entities, &files);
        needs.troubles.iter().any(|trouble| trouble.to_string().contains("sprites/a.spr"))
    };
    assert_eq!([Engine::GoldSrc, Engine::GoldSrc2023].map(refused), [false, true]);
}

#[test]
fn what_the_mods_own_code_may_load_is_listed_and_is_not_missing() {
    let entities = "{ classname env_model model models/lamp.mdl noise vox/hello.wav target t.txt }";
    let needs = of(Engine::GoldSrc, entities, &[]);
    assert_eq!(names(&needs, Kind::Model), ["models/lamp.mdl"]);
    assert_eq!(names(&needs, Kind::Sound), ["sound/vox/hello.wav"]);
    assert!(needs.needed.iter().all(|need| need.presence == Presence::Optional));
    assert_eq!(
        needs.needed.iter().find(|need| need.kind == Kind::Model).unwrap().chain(),
        "maps/a.bsp, env_model #1, model, if the game's own code loads it"
    );
}

#[test]
fn a_decal_that_no_wad_of_the_games_has_is_missing() {
    let shot = wad(b"WAD3", &[("{SHOT1", 0x43, texture("{shot1", 16, 16, Some(&[0; 768])))]);
    let entities = "{ classname infodecal texture {shot1 }";
    let missing = |entities: &str, files: &[(&str, Vec<u8>)]| {
        let needs = of(Engine::GoldSrc, entities, files);
        needs.missing().map(|need| need.name.to_string()).collect::<Vec<_>>()
    };
    let quoted = entities.replace("{shot1", "\"{shot1\"");
    assert_eq!(missing(&quoted, &[("valve/decals.wad", shot.clone())]), [""; 0]);
    let other = quoted.replace("shot1", "shot9");
    assert_eq!(missing(&other, &[("valve/decals.wad", shot)]), ["{shot9"]);
    assert_eq!(missing(&other, &[]), [""; 0]);
}

#[test]
fn a_list_for_clients_names_files() {
    let list = b"sound/my/res.wav\r\n\"sprites/res.spr\" // of the mod\r\n// sound/no.wav\r\n".to_vec();
    let needs = of(Engine::GoldSrc, "", &[("mod/maps/a.res", list), ("mod/sprites/res.spr", b"".to_vec())]);
    assert_eq!(names(&needs, Kind::File), ["sound/my/res.wav", "sprites/res.spr"]);
    assert!(needs.missing().all(|need| need.name != "sound/my/res.wav"), "no level fails without it");
}

#[test]
fn texts_beside_a_level_name_pictures() {
    let needs = of(
        Engine::GoldSrc,
        "",
        &[
            ("mod/maps/a_detail.txt", b"WALL detail/brick 4 4\r\nother detail/none 4 4\r\n".to_vec()),
            ("mod/overviews/a.txt", b"global\n{\n}\nlayer { IMAGE \"overviews/a.bmp\" HEIGHT 0 }\n".to_vec()),
            ("mod/gfx/detail/brick.tga", b"".to_vec()),
        ],
    );
    assert_eq!(names(&needs, Kind::Image), ["gfx/detail/brick.tga", "overviews/a.bmp"]);
    let beside = ["maps/a.txt", "maps/a_detail.txt", "maps/graphs/a.nod", "overviews/a.txt"];
    assert!(beside.iter().all(|name| names(&needs, Kind::Companion).contains(&(*name).to_owned())));
}
