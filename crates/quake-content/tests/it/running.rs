//! Programs that spawn the entities of a level.

use quake_content::Program;
use quake_content::run::{Call, IncidentKind, Mode, Server, Setting, Spawned, spawn};
use testutils::program::{FIRST, Program as Written, SECOND, op, small};

const ALL: &[(u32, u32)] = &[(1, 200)];

fn run_with(program: &[u8], entities: &str, mode: Mode, server: &Server<'_>, chance: f32) -> Spawned {
    let program = Program::parse(program).unwrap();
    let entities = entities.as_bytes();
    spawn(&program, &Setting { map: b"maps/a.bsp", entities, models: &[], mode, server, chance })
}

fn run(program: &[u8], entities: &str) -> Spawned {
    run_with(program, entities, Mode::single(1), &Server::new(ALL), 0.5)
}

fn names(spawned: &Spawned) -> Vec<(Call, String)> {
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    spawned.asked.iter().map(|asked| (asked.call, text(&asked.name))).collect()
}

fn kinds(spawned: &Spawned) -> Vec<&'static str> {
    spawned.incidents.iter().map(|incident| incident.kind.name()).collect()
}

#[test]
fn spawn_functions_ask_for_files_once_and_say_who_asks() {
    let spawned = run(&small(), "{ classname worldspawn } { classname light_lamp } { classname light_lamp }");
    let asked =
        [(Call::Model, "progs/player.mdl"), (Call::Model, "progs/lamp.mdl"), (Call::Sound, "lamp/hum.wav")];
    assert_eq!(names(&spawned), asked.map(|(call, name)| (call, name.to_owned())));
    assert_eq!(spawned.asked[1].by.entity, 1);
    assert_eq!(*spawned.asked[1].by.class, *b"light_lamp");
    assert_eq!(*spawned.asked[1].by.function, *b"light_lamp");
    assert_eq!(spawned.incidents, []);
}

#[test]
fn values_of_an_entity_reach_the_program_with_their_escapes() {
    let spawned = run(&small(), r#"{ classname worldspawn } { classname func_door noise "doors/a\\b.wav" }"#);
    assert_eq!(names(&spawned)[1], (Call::Sound, r"doors/a\b.wav".to_owned()));
}

#[test]
fn entities_of_another_skill_or_kind_of_game_are_left_out() {
    let lamp =
        |flags: u32| format!("{{ classname worldspawn }} {{ classname light_lamp spawnflags {flags} }}");
    let modes = [
        (256, Mode::single(0)),
        (512, Mode::single(1)),
        (1024, Mode::single(2)),
        (1024, Mode::single(3)),
        (512, Mode::single(1).coop()),
        (2048, Mode::single(1).deathmatch()),
    ];
    for (flags, mode) in modes {
        let count = |flags| run_with(&small(), &lamp(flags), mode, &Server::new(ALL), 0.5).asked.len();
        assert_eq!((count(flags), count(3840 - flags)), (1, 3), "{mode:?}");
    }
}

#[test]
fn a_branch_on_chance_is_known_and_goes_both_ways() {
    let entities = "{ classname worldspawn } { classname misc_trap }";
    let at = |chance| run_with(&small(), entities, Mode::single(1), &Server::new(ALL), chance);
    assert!(at(0.5).depends_on_chance);
    assert_eq!(names(&at(0.1))[1].1, "progs/low.mdl");
    assert_eq!(names(&at(0.9))[1].1, "progs/high.mdl");
    assert!(!run(&small(), "{ classname worldspawn } { classname light_lamp }").depends_on_chance);
}

#[test]
fn what_an_author_does_not_mean_is_an_incident() {
    let spawned = run(&small(), "{ classname worldspawn } { origin \"0 0 0\" } { classname light_lmap }");
    assert_eq!(kinds(&spawned), ["no-class", "no-spawn-function"]);
    assert!(spawned.end().is_none());
    assert_eq!(*spawned.incidents[1].at.class, *b"light_lmap");
}

#[test]
fn a_loop_ends_at_the_budget_and_with_it_the_level() {
    let entities = "{ classname worldspawn } { classname misc_loop } { classname light_lamp }";
    let spawned = run(&small(), entities);
    assert_eq!(kinds(&spawned), ["budget"]);
    assert_eq!(spawned.end().unwrap().at.entity, 1);
    assert_eq!(names(&spawned).len(), 1);
}

#[test]
fn a_function_that_the_engine_does_not_have_ends_the_level() {
    let mut program = Written::new();
    let (missing, name) = (program.builtin("checkextension", 99), program.constant("FRIK_FILE"));
    program.calls("worldspawn", &[(missing, name)]);
    let spawned = run_with(
        &program.finish(),
        "{ classname worldspawn }",
        Mode::default(),
        &Server::new(&[(1, 78)]),
        0.5,
    );
    assert_eq!(spawned.end().unwrap().kind, IncidentKind::UnknownBuiltin(99));
}

#[test]
fn a_model_that_is_not_precached_ends_the_level_or_is_loaded_late() {
    let mut program = Written::new();
    let (set, name) = (program.builtin("setmodel", 3), program.constant("progs/late.mdl"));
    let this = program.named("self");
    program.function(
        "worldspawn",
        &[[op::STORE_F, this, FIRST, 0], [op::STORE_F, name, SECOND, 0], [op::CALL2, set, 0, 0]],
    );
    let program = program.finish();
    let mut server = Server::new(ALL);
    let at =
        |server: &Server<'_>| run_with(&program, "{ classname worldspawn }", Mode::default(), server, 0.5);
    assert_eq!((at(&server).asked.len(), at(&server).end().is_some()), (0, true));
    server.loads_late = true;
    assert_eq!(names(&at(&server)), [(Call::Model, "progs/late.mdl".to_owned())]);
    assert_eq!((kinds(&at(&server)), at(&server).end().is_some()), (vec!["not-precached"], false));
}
