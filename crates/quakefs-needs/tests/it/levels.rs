//! Levels of each family of games.

use quakefs::Engine;
use quakefs::rules::{Program as GameCode, SubstituteKind};
use quakefs_needs::Mode;
use quakefs_needs::{By, Kind, Levels, Presence, Trouble};
use testutils::content::{level, model, room, texture, wad, wal};
use testutils::program::{FIRST, Program, RETURNED, op, small};

use crate::{mount, named, needs};

const QUAKE: [u8; 4] = [29, 0, 0, 0];

#[test]
fn the_chain_of_a_need_leads_from_the_level_to_the_function_of_the_program() {
    let level = level(QUAKE, "{ classname worldspawn } { classname light_lamp }", &[]);
    let search_path = mount(
        Engine::QuakeSpasm,
        [("mod/maps/a.bsp", level), ("BASE/progs.dat", small()), ("BASE/progs/player.mdl", Vec::new())],
    );
    let needs = needs(&search_path, "maps/a.bsp");
    let missing: Vec<_> = needs.missing().collect();
    assert_eq!(missing.len(), 2);
    assert_eq!(missing[0].name, "progs/lamp.mdl");
    assert_eq!(missing[1].name, "sound/lamp/hum.wav");
    assert_eq!(
        missing[0].by,
        [
            By::File(b"maps/a.bsp"[..].into()),
            By::Entity { number: 1, class: b"light_lamp"[..].into() },
            By::Function(b"light_lamp"[..].into()),
        ]
    );
    assert_eq!(missing[0].modes, []);
}

/// A program that asks for an extension, and calls function 103 when a player fires.
fn calls_during_play(asks_first: bool) -> Vec<u8> {
    let mut program = Program::new();
    let (read, name) = (program.builtin("cvar_string", 103), program.constant("sv_gamedir"));
    program.calls("worldspawn", &[]);
    if asks_first {
        let (asks, wanted) = (program.builtin("checkextension", 99), program.constant("QSG_CVARSTRING"));
        let (cvar, allowed) = (program.builtin("cvar", 45), program.constant("pr_checkextension"));
        program.calls("StartFrame", &[(cvar, allowed), (asks, wanted)]);
    }
    program.calls("W_Attack", &[(read, name)]);
    program.finish()
}

#[test]
fn what_a_program_uses_during_play_and_the_engine_lacks_is_known() {
    let unsupported = |engine, asks_first| {
        let search_path = mount(engine, [("BASE/progs.dat", calls_during_play(asks_first))]);
        let incidents = Levels::new(&search_path).unsupported();
        assert!(incidents.iter().all(|incident| !incident.ends));
        incidents.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let call = "W_Attack() calls built-in function 103, which this engine does not have";
    let question = "StartFrame() asks for the extension QSG_CVARSTRING, which this engine does not have";
    for engine in
        [Engine::WinQuake, Engine::QuakeSpasm, Engine::Ironwail, Engine::VkQuake, Engine::DarkPlaces]
    {
        assert_eq!(unsupported(engine, false), [call], "{engine}");
        // the answer decides whether the program calls the function
        assert_eq!(unsupported(engine, true), [question], "{engine}");
    }
    // FTE has both, and quakefs has no table of its functions
    assert_eq!(unsupported(Engine::Fte, false), [""; 0]);
    assert_eq!(unsupported(Engine::Fte, true), [""; 0]);
}

#[test]
fn a_need_of_some_games_says_in_which() {
    let level = level(QUAKE, "{ classname worldspawn } { classname light_lamp spawnflags 2816 }", &[]);
    let search_path = mount(Engine::QuakeSpasm, [("mod/maps/a.bsp", level), ("BASE/progs.dat", small())]);
    let needs = needs(&search_path, "maps/a.bsp");
    let lamp = needs.needed.iter().find(|need| need.name == "progs/lamp.mdl").unwrap();
    assert_eq!(lamp.modes, [Mode::single(2), Mode::single(3)]);
}

#[test]
fn both_sides_of_a_random_branch_are_needed() {
    let level = level(QUAKE, "{ classname worldspawn } { classname misc_trap }", &[]);
    let search_path = mount(Engine::QuakeSpasm, [("mod/maps/a.bsp", level), ("BASE/progs.dat", small())]);
    let models = named(&needs(&search_path, "maps/a.bsp"), |need| need.kind == Kind::Model);
    let names: Vec<_> = models.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["progs/high.mdl", "progs/low.mdl", "progs/player.mdl"]);
}

#[test]
fn entities_in_a_file_beside_the_level_count_in_the_place_of_its_own() {
    let held = level(QUAKE, "{ classname worldspawn }", &[]);
    let beside = "{ classname worldspawn } { classname light_lamp }";
    for (engine, folder, counts) in [
        (Engine::QuakeSpasm, "mod", true),
        (Engine::QuakeSpasm, "BASE", false),
        (Engine::DarkPlaces, "mod", true),
        (Engine::WinQuake, "mod", false),
    ] {
        let file = format!("{folder}/maps/a.ent");
        let files = [("mod/maps/a.bsp", held.clone()), (&*file, beside.into()), ("BASE/progs.dat", small())];
        let models = named(&needs(&mount(engine, files), "maps/a.bsp"), |need| need.kind == Kind::Model);
        assert_eq!(models.len() == 2, counts, "{engine} {folder}");
    }
}

#[test]
fn exits_skies_and_music_are_named_by_keys() {
    let entities = "{ classname worldspawn sky stars sounds 7 } { classname trigger_changelevel map next }";
    let files = [("mod/maps/a.bsp", level(QUAKE, entities, &[])), ("mod/gfx/env/starsup.tga", Vec::new())];
    let needs = needs(&mount(Engine::QuakeSpasm, files), "maps/a.bsp");
    assert_eq!(named(&needs, |need| need.kind == Kind::Level), [("maps/next.bsp".to_owned(), false)]);
    let skies = named(&needs, |need| need.kind == Kind::Sky);
    assert_eq!((skies.len(), skies.iter().filter(|(_, found)| *found).count()), (6, 1));
    let music = needs.needed.iter().find(|need| need.kind == Kind::Music).unwrap();
    assert_eq!((music.name == "music/track07.ogg", music.presence), (true, Presence::Optional));
    let no_program = |trouble: &Trouble| matches!(trouble, Trouble::NoProgram { .. });
    assert!(needs.troubles.iter().any(no_program));
    // the empty picture
    assert!(needs.troubles.iter().any(|trouble| trouble.name() == "wrong-content"), "{:?}", needs.troubles);
}

#[test]
fn a_texture_without_pixels_comes_from_a_wad_in_engines_that_read_wads() {
    let mut outside = texture("brick", 16, 16, None);
    outside.truncate(40);
    outside[24..].fill(0);
    let entities = "{ classname worldspawn wad \"C:\\wads\\one.wad;/two.wad\" }";
    let map = level(QUAKE, entities, std::slice::from_ref(&outside));
    let brick = wad(b"WAD2", &[("BRICK", 0x44, texture("BRICK", 16, 16, None))]);
    let of = |engine, files: &[(&str, &[u8])]| {
        let mut all = vec![("mod/maps/a.bsp", &*map)];
        all.extend(files);
        let needs = needs(&mount(engine, all), "maps/a.bsp");
        needs.missing().map(|need| need.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(of(Engine::VkQuake, &[]), ["one.wad", "two.wad"]);
    assert_eq!(of(Engine::VkQuake, &[("mod/gfx/one.wad", &brick)]), [""; 0]);
    assert_eq!(of(Engine::GoldSrc, &[("mod/one.wad", &brick)]), [""; 0]);
    let empty = wad(b"WAD2", &[]);
    assert_eq!(of(Engine::VkQuake, &[("mod/one.wad", &empty), ("mod/two.wad", &empty)]), ["brick"]);
    assert_eq!(of(Engine::QuakeSpasm, &[]), [""; 0]);
}

/// A level of Quake II with one texture.
fn level_of_quake2(texture: &str) -> Vec<u8> {
    let mut map = b"IBSP\x26\0\0\0".to_vec();
    map.resize(8 + 19 * 8, 0);
    let at = u32::try_from(map.len()).unwrap();
    map[48..52].copy_from_slice(&at.to_le_bytes());
    map[52..56].copy_from_slice(&76_u32.to_le_bytes());
    map.resize(map.len() + 76, 0);
    map[at as usize + 40..at as usize + 40 + texture.len()].copy_from_slice(texture.as_bytes());
    map
}

#[test]
fn animations_of_quake_ii_are_followed_to_their_start() {
    let chained = |next: &str| {
        let mut bytes = wal(16, 8);
        bytes[56..56 + next.len()].copy_from_slice(next.as_bytes());
        bytes
    };
    let map = level_of_quake2("e1u1/a");
    let files = [
        ("mod/maps/a.bsp", map),
        ("BASE/textures/e1u1/a.wal", chained("e1u1/b")),
        ("BASE/textures/e1u1/b.wal", chained("e1u1/c")),
    ];
    let needs = needs(&mount(Engine::Quake2, files), "maps/a.bsp");
    let found = named(&needs, |need| need.kind == Kind::Texture);
    let expected = [("a", true), ("b", true), ("c", false)];
    assert_eq!(found, expected.map(|(name, found)| (format!("textures/e1u1/{name}.wal"), found)));
}

#[test]
fn a_texture_of_quake_ii_is_each_file_that_the_engine_takes_for_it() {
    let map = level_of_quake2("e1u1/a");
    let of = |engine, texture: &str| {
        let files = [("mod/maps/a.bsp", &map[..]), (texture, b"x")];
        named(&needs(&mount(engine, files), "maps/a.bsp"), |need| need.kind == Kind::Texture)
    };
    let is = |name: &str, found| [(format!("textures/e1u1/a.{name}"), found)];
    assert_eq!(of(Engine::YQuake2, "mod/textures/e1u1/a.tga"), is("tga", true));
    assert_eq!(of(Engine::Quake2, "mod/textures/e1u1/a.tga"), is("wal", false));
    assert_eq!(of(Engine::YQuake2, "mod/other"), is("wal", false));
    assert_eq!(of(Engine::Heretic2R, "mod/textures/e1u1/a.m8"), is("m8", true));
    assert_eq!(of(Engine::Heretic2R, "mod/textures/e1u1/a.wal"), is("m8", false));
}

#[test]
fn the_game_code_of_other_families_is_native() {
    let native = Engine::with(|rules| rules.program == GameCode::Native);
    let native: Vec<_> = native.map(Engine::name).collect();
    let expected = "quake2 yquake2 kmquake2 q2pro q2rtx goldsrc goldsrc-2023 heretic2r sin daikatana \
        ioquake3 quake3e openarena etlegacy openjk openjk-sp openjo-sp iortcw iortcw-sp urban-terror \
        padman smokin-guns quake2-kex";
    assert_eq!(native.join(" "), expected);
}

#[test]
fn a_missing_or_broken_level_is_reported() {
    let search_path =
        mount(Engine::QuakeSpasm, [("mod/maps/a.bsp", b"PACK".to_vec()), ("BASE/progs.dat", small())]);
    let levels = Levels::new(&search_path);
    let [gone, broken] = &levels.of(&["maps/gone.bsp", "maps/a.bsp"])[..] else { panic!() };
    assert!(matches!(gone.troubles[..], [Trouble::NoLevel]));
    assert!(matches!(&broken.troubles[..], [Trouble::NotLoaded(_)]));
}

#[test]
fn the_engine_itself_needs_files_whatever_the_level() {
    let search_path = mount(Engine::WinQuake, [("BASE/gfx.wad", b"")]);
    let asked = Levels::new(&search_path).engine();
    let found: Vec<_> = asked.iter().filter(|need| need.is_found).map(|need| need.name.to_string()).collect();
    assert_eq!(found, ["gfx.wad", "default.cfg"]);
    assert!(asked.iter().any(|need| need.is_missing() && need.name == "gfx/palette.lmp"));
}

/// A program whose lamp calls a function of the engine.
fn calling(builtin: i32) -> Vec<u8> {
    let mut program = Program::new();
    let (called, model) = (program.builtin("extension", builtin), program.builtin("precache_model", 20));
    let (effect, lamp) = (program.constant("lamp.light"), program.constant("progs/lamp.mdl"));
    program.calls("worldspawn", &[]);
    program.calls("light_lamp", &[(called, effect), (model, lamp)]);
    program.finish()
}

#[test]
fn a_level_ends_at_a_function_that_the_engine_does_not_have() {
    let loads = |engine, builtin| {
        let level = level([29, 0, 0, 0], "{ classname worldspawn } { classname light_lamp }", &[]);
        let files = [("BASE/progs.dat", calling(builtin)), ("mod/maps/a.bsp", level)];
        let needs = needs(&mount(engine, files), "maps/a.bsp");
        let ends = needs.incidents.iter().any(|(incident, _)| incident.ends);
        let asked = needs.needed.iter().any(|need| need.name.as_bytes() == b"progs/lamp.mdl");
        assert_eq!(ends, !asked);
        asked
    };
    let all = [
        Engine::WinQuake,
        Engine::QuakeSpasm,
        Engine::Ironwail,
        Engine::VkQuake,
        Engine::DarkPlaces,
        Engine::Fte,
    ];
    // particleeffectnum, of FTE
    let has = all.map(|engine| loads(engine, 335));
    assert_eq!(has, [false, false, false, true, true, true]);
    // strlen, of FRIK_FILE
    let has = all.map(|engine| loads(engine, 114));
    assert_eq!(has, [false, false, true, true, true, true]);
}

/// A program whose world loads a model if a variable is 1.
fn if_set(variable: &str) -> Vec<u8> {
    let mut program = Program::new();
    let (cvar, model) = (program.builtin("cvar", 45), program.builtin("precache_model", 20));
    let (variable, name) = (program.constant(variable), program.constant("progs/set.mdl"));
    program.function(
        "worldspawn",
        &[
            [op::STORE_F, variable, FIRST, 0],
            [op::CALL1, cvar, 0, 0],
            [op::IFNOT, RETURNED, 3, 0],
            [op::STORE_F, name, FIRST, 0],
            [op::CALL1, model, 0, 0],
        ],
    );
    program.finish()
}

#[test]
fn a_program_sees_the_variables_that_the_games_own_configs_set() {
    let is_set = |configs: &[(&str, &str)]| {
        let mut files = vec![
            ("mod/maps/a.bsp", level(QUAKE, "{ classname worldspawn }", &[])),
            ("mod/progs.dat", if_set("g_mode")),
        ];
        files.extend(configs.iter().map(|(name, text)| (*name, text.as_bytes().to_vec())));
        needs(&mount(Engine::Nexuiz, files), "maps/a.bsp").missing().count() == 1
    };
    let default = "mod/default.cfg";
    assert!(!is_set(&[]));
    assert!(is_set(&[(default, "seta g_mode 1 \"a description; no command\"")]));
    assert!(!is_set(&[(default, "set g_mode 1 // as before\ng_mode 0")]));
    assert!(!is_set(&[(default, "g_mode 1\n// set g_mode 1; set g_mode 1\necho \"; set g_mode 1\"")]));
    assert!(is_set(&[(default, "set file b.cfg; exec $file"), ("mod/b.cfg", "set g_mode 0; set g_mode 1")]));
    // darkplaces looks for the config in any case
    assert!(is_set(&[(default, "exec B.CFG"), ("mod/b.cfg", "set g_mode 1")]));
    assert!(is_set(&[(default, "alias on \"set g_mode 1\"\non")]));
    // commands compare without case, and variables do not
    assert!(is_set(&[(default, "EXEC b.cfg"), ("mod/b.cfg", "Set g_mode 1")]));
    assert!(is_set(&[(default, "Alias ON \"set g_mode 1\"\non")]));
    assert!(!is_set(&[(default, "set G_MODE 1")]));
    // `quake.rc` comes in the place of the other configs
    assert!(!is_set(&[(default, "set g_mode 1"), ("mod/quake.rc", "exec other.cfg")]));
    // configs that execute themselves, and an alias that calls itself
    assert!(!is_set(&[(default, "exec default.cfg; exec default.cfg\nalias a \"a;a\"; a; a")]));
}

#[test]
fn darkplaces_plays_a_sound_of_another_format_or_folder() {
    let sounds = |engine| {
        let files = [
            ("mod/maps/a.bsp", level(QUAKE, "{ classname worldspawn } { classname light_lamp }", &[])),
            ("mod/progs.dat", small()),
            ("BASE/lamp/hum.ogg", Vec::new()),
        ];
        named(&needs(&mount(engine, files), "maps/a.bsp"), |need| need.kind == Kind::Sound)
    };
    assert_eq!(sounds(Engine::DarkPlaces), [("lamp/hum.ogg".to_owned(), true)]);
    assert_eq!(sounds(Engine::QuakeSpasm), [("sound/lamp/hum.wav".to_owned(), false)]);
}

#[test]
fn a_program_reads_the_lines_of_the_games_files() {
    let mut program = Program::new();
    let (open, line, model) =
        (program.builtin("fopen", 110), program.builtin("fgets", 112), program.builtin("precache_model", 20));
    let (file, number) = (program.constant("maps/a.mapinfo"), program.spare());
    let mut statements =
        vec![[op::STORE_F, file, FIRST, 0], [op::CALL1, open, 0, 0], [op::STORE_F, RETURNED, number, 0]];
    for _ in 0..2 {
        statements.extend([
            [op::STORE_F, number, FIRST, 0],
            [op::CALL1, line, 0, 0],
            [op::STORE_F, RETURNED, FIRST, 0],
            [op::CALL1, model, 0, 0],
        ]);
    }
    program.function("worldspawn", &statements);
    let files = [
        ("mod/maps/a.bsp", level(QUAKE, "{ classname worldspawn }", &[])),
        ("mod/progs.dat", program.finish()),
        ("mod/maps/a.mapinfo", b"one.mdl\r\nnull".to_vec()),
    ];
    let needs = needs(&mount(Engine::Nexuiz, files), "maps/a.bsp");
    // a model of that name needs no file
    assert_eq!(named(&needs, |need| need.kind == Kind::Model), [("one.mdl".to_owned(), false)]);
}

#[test]
fn a_program_for_another_engine_is_reported_and_does_not_run() {
    let mut program = small();
    program[4..8].copy_from_slice(&54730_u32.to_le_bytes());
    let map = level(QUAKE, "{ classname worldspawn }", &[]);
    for (engine, name, loads) in [
        (Engine::QuakeSpasm, "progs.dat", false),
        (Engine::VkQuake, "progs.dat", false),
        (Engine::DarkPlaces, "progs.dat", true),
        (Engine::QuakeWorld, "qwprogs.dat", true),
    ] {
        let files = [("mod/maps/a.bsp", map.clone()), (&*format!("mod/{name}"), program.clone())];
        let needs = needs(&mount(engine, files), "maps/a.bsp");
        let trouble = needs.troubles.iter().find(|trouble| trouble.name() == "other-program");
        assert_eq!(trouble.is_none(), loads, "{engine}");
        assert!(loads || needs.missing().count() == 0, "{engine}");
    }
}

#[test]
fn textures_of_a_box_of_ammunition_have_pictures_in_their_place_too() {
    let mut program = Program::new();
    let (model, ammo) = (program.builtin("precache_model", 20), program.constant("maps/b_shell0.bsp"));
    program.calls("worldspawn", &[(model, ammo)]);
    let level = |textures: &[Vec<u8>]| level([29, 0, 0, 0], "{ classname worldspawn }", textures);
    let files = [
        ("BASE/progs.dat", program.finish()),
        ("mod/maps/a.bsp", level(&[texture("wall", 16, 16, None)])),
        ("mod/maps/b_shell0.bsp", level(&[texture("box", 16, 16, None)])),
        ("mod/textures/b_shell0/box.tga", Vec::new()),
    ];
    let needs = needs(&mount(Engine::QuakeSpasm, files), "maps/a.bsp");
    let pictures = named(&needs, |need| need.kind == Kind::Texture);
    assert_eq!(
        pictures,
        [("textures/a/wall.tga".to_owned(), false), ("textures/b_shell0/box.tga".to_owned(), true)]
    );
    let of_box =
        needs.needed.iter().find(|need| need.name.as_bytes() == b"textures/b_shell0/box.tga").unwrap();
    assert_eq!(of_box.by.last(), Some(&By::File("maps/b_shell0.bsp".as_bytes().into())));
    assert_eq!(needs.missing().count(), 0);
}

/// Substitutes in the game and below it, for which choosing by extension and by directory gives different
/// files.
#[test]
fn a_need_is_the_file_that_the_engine_loads_instead_of_the_named_one() {
    let mut program = Program::new();
    let (precache, ogre) = (program.builtin("precache_model", 20), program.constant("progs/ogre.mdl"));
    program.calls("worldspawn", &[(precache, ogre)]);
    let entities = "{ classname worldspawn sky moon sounds 7 }";
    let map = level(QUAKE, entities, &[texture("wall", 16, 16, None)]);
    let program = program.finish();
    let mut compared = 0;
    for engine in Engine::ALL {
        let rules = engine.rules();
        let things = [
            (Kind::Texture, SubstituteKind::Texture, "wall"),
            (Kind::Sky, SubstituteKind::Sky, "moon"),
            (Kind::Music, SubstituteKind::Music, "7"),
            (Kind::Skin, SubstituteKind::Skin, "progs/ogre.mdl_0"),
        ];
        for (kind, of, name) in things {
            let Some(row) = rules.substitutes.items().iter().find(|row| row.of == of) else { continue };
            // its files are not on the search path, or have a table
            if of == SubstituteKind::Music && (rules.music_folders.is_some() || !row.numbered.is_empty()) {
                continue;
            }
            let part = &row.parts[row.parts.len() - 1][0];
            let asked = row.names_for(name.as_bytes(), Some(b"a"), part).concat();
            let names: Vec<_> = asked.into_iter().map(|name| String::from_utf8(name).unwrap()).collect();
            // each name below the one after it, and the last below the first
            for (low, high) in names.iter().zip(names.iter().cycle().skip(1)) {
                let files = [
                    ("mod/maps/a.bsp".to_owned(), map.clone()),
                    ("BASE/progs.dat".to_owned(), program.clone()),
                    ("BASE/qwprogs.dat".to_owned(), program.clone()),
                    ("BASE/progs/ogre.mdl".to_owned(), model(8, 8, 1)),
                    (format!("BASE/{low}"), Vec::new()),
                    (format!("mod/{high}"), Vec::new()),
                ];
                let search_path = mount(*engine, files);
                let loaded = search_path.substitutes(of, name, Some(b"a")).unwrap();
                let loaded = loaded.iter().find_map(|file| Some(file.copies.first()?.name.clone())).unwrap();
                let needs = needs(&search_path, "maps/a.bsp");
                let mut found = needs.needed.iter().filter(|need| need.kind == kind && need.is_found);
                // engines of other families do not read the key, or the level
                let Some(need) = found.next() else { continue };
                assert_eq!(need.name, loaded, "{engine} {kind:?}: {low} below {high}");
                assert_eq!(need.find(&search_path).unwrap().name(), loaded.as_name(), "{engine} {kind:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 400, "{compared}");
}

#[test]
fn a_glow_picture_is_a_need_if_it_exists() {
    let map = level(QUAKE, "{ classname worldspawn }", &[texture("wall", 16, 16, None)]);
    let files = [
        ("mod/maps/a.bsp", map),
        ("mod/textures/wall.tga", Vec::new()),
        ("mod/textures/wall_luma.pcx", Vec::new()),
    ];
    let needs = needs(&mount(Engine::QuakeSpasm, files), "maps/a.bsp");
    let pictures = named(&needs, |need| need.kind == Kind::Texture);
    let expected = [("textures/wall.tga", true), ("textures/wall_luma.pcx", true)];
    assert_eq!(pictures, expected.map(|(name, found)| (name.to_owned(), found)));
    assert!(
        needs.needed.iter().all(|need| need.kind != Kind::Texture || need.presence == Presence::Optional)
    );
}

#[test]
fn each_engine_of_a_family_reads_the_keys_and_programs_of_its_family() {
    let map = level(QUAKE, "{ classname worldspawn sky moon }", &[]);
    let of = |engine| {
        let search_path = mount(engine, [("mod/maps/a.bsp", map.clone()), ("BASE/progs.dat", small())]);
        (needs(&search_path, "maps/a.bsp").needed.len(), search_path.rules().program.clone())
    };
    for (engine, others) in [
        (Engine::DarkPlaces, [Engine::DarkPlaces2024, Engine::Xonotic, Engine::Nexuiz]),
        (Engine::IoQuake3, [Engine::Quake3e, Engine::OpenArena, Engine::IoQuake3]),
    ] {
        for other in others {
            assert_eq!(of(engine), of(other), "{other}");
        }
    }
}

#[test]
fn music_of_jedi_academy_is_a_file_or_the_set_of_a_level() {
    let piece =
        |name| format!("{name}\n{{\nentry\n{{\nmarker1 0\n}}\nexit\n{{\nnextfile {name}_tr\n}}\n}}\n");
    let (calm, fight) = (piece("calm"), piece("fight"));
    let levels = "levelmusic\n{\na\n{\nexplore calm\naction fight\n}\n}\n";
    let sets = format!("musicfiles\n{{\n{calm}{fight}}}\n{levels}");
    let found = |music: &str| {
        let level =
            room(b"IBSP\x2e\0\0\0", &format!("{{ classname worldspawn {music} }} {{ classname x }}"), &[]);
        let files = [
            ("mod/maps/a.bsp", level.clone()),
            ("mod/maps/b.bsp", level),
            ("mod/ext_data/dms.dat", sets.clone().into()),
            ("mod/music/mp/duel.mp3", Vec::new()),
            ("mod/music/a/calm.mp3", Vec::new()),
        ];
        let search_path = mount(Engine::OpenJkSp, files);
        ["maps/a.bsp", "maps/b.bsp"].map(|level| {
            let needs = needs(&search_path, level);
            let mut music = named(&needs, |need| need.kind == Kind::Music);
            music.sort();
            music.iter().map(|(name, found)| format!("{name} {found}")).collect::<Vec<_>>().join(", ")
        })
    };
    let set = "music/a/calm.mp3 true, music/a/calm_tr.mp3 false, music/a/fight.mp3 false, \
        music/a/fight_tr.mp3 false, music/death_music.mp3 false";
    assert_eq!(found(""), [set, ""]);
    assert_eq!(found("music music/mp/duel"), ["music/mp/duel.mp3 true"; 2]);
    assert_eq!(found("music a"), [set; 2]);
    assert_eq!(found("music music/mp/none"), ["music/mp/none false"; 2]);
}
