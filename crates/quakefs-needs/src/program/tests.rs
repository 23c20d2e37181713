//! Programs that spawn the entities of a level.

use std::sync::LazyLock;

use proptest::prelude::*;
use quakefs::Engine;
use quakefs::rules::{Fact, QuakeC};
use testutils::program::{FIRST, Program as Written, SECOND, THIRD, op, small};

use crate::budget::{Budget, Spent};
use crate::configs::Cvars;

use super::builtins::places;
use super::{Call, Executable, Incident, IncidentKind, Mode, Setting, Spawned, spawn};

static DARKPLACES: LazyLock<QuakeC> = LazyLock::new(|| of(Engine::DarkPlaces));
static QUAKESPASM: LazyLock<QuakeC> = LazyLock::new(|| of(Engine::QuakeSpasm));

/// An engine that loads any program, and of which no table of functions exists.
static UNKNOWN: LazyLock<QuakeC> = LazyLock::new(|| {
    let mut unknown = of(Engine::QuakeSpasm);
    (unknown.checksums, unknown.builtins) = (Vec::new().into(), Fact::Unknown);
    unknown
});

fn of(engine: Engine) -> QuakeC {
    engine.rules().program.quake_c().unwrap().clone()
}

fn run_with(program: &[u8], entities: &str, mode: Mode, server: &QuakeC, chance: f32) -> Spawned {
    let program = Executable::parse(program).unwrap();
    let budget = &Budget::of_input(0);
    spawn(&program, &setting(entities.as_bytes(), mode, server, budget, chance))
}

fn no_cvars() -> &'static Cvars {
    static NONE: std::sync::LazyLock<Cvars> = std::sync::LazyLock::new(Cvars::default);
    &NONE
}

fn run_in(program: &Executable<'_>, entities: &[u8], budget: &Budget) -> Spawned {
    spawn(program, &setting(entities, Mode::single(1), &UNKNOWN, budget, 0.5))
}

fn setting<'a>(
    entities: &'a [u8],
    mode: Mode,
    server: &'a QuakeC,
    budget: &'a Budget,
    chance: f32,
) -> Setting<'a> {
    Setting {
        map: b"maps/a.bsp",
        entities,
        models: &[],
        mode,
        server,
        search_path: None,
        cvars: no_cvars(),
        budget,
        chance,
    }
}

fn run(program: &[u8], entities: &str) -> Spawned {
    run_with(program, entities, Mode::single(1), &UNKNOWN, 0.5)
}

/// The incident at which the engine gives up the level.
fn end(spawned: &Spawned) -> Option<&Incident> {
    spawned.incidents.iter().find(|incident| incident.ends)
}

fn names(spawned: &Spawned) -> Vec<(Call, String)> {
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    spawned.asked.iter().map(|asked| (asked.call, text(&asked.name))).collect()
}

fn kinds(spawned: &Spawned) -> Vec<&'static str> {
    spawned.incidents.iter().map(|incident| incident.kind.name()).collect()
}

#[test]
fn spawn_functions_name_files_once_with_their_origin() {
    let spawned = run(&small(), "{ classname worldspawn } { classname light_lamp } { classname light_lamp }");
    let asked =
        [(Call::Model, "progs/player.mdl"), (Call::Model, "progs/lamp.mdl"), (Call::Sound, "lamp/hum.wav")];
    assert_eq!(names(&spawned), asked.map(|(call, name)| (call, name.to_owned())));
    assert_eq!(spawned.asked[1].entity, 1);
    assert_eq!(*spawned.asked[1].class, *b"light_lamp");
    assert_eq!(*spawned.asked[1].function, *b"light_lamp");
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
        let count = |flags| run_with(&small(), &lamp(flags), mode, &UNKNOWN, 0.5).asked.len();
        assert_eq!((count(flags), count(3840 - flags)), (1, 3), "{mode:?}");
    }
}

#[test]
fn a_branch_on_chance_is_known_and_goes_both_ways() {
    let entities = "{ classname worldspawn } { classname misc_trap }";
    let at = |chance| run_with(&small(), entities, Mode::single(1), &UNKNOWN, chance);
    assert!(at(0.5).depends_on_chance);
    assert_eq!(names(&at(0.1))[1].1, "progs/low.mdl");
    assert_eq!(names(&at(0.9))[1].1, "progs/high.mdl");
    assert!(!run(&small(), "{ classname worldspawn } { classname light_lamp }").depends_on_chance);
}

#[test]
fn a_variable_that_the_world_sets_decides_which_entities_spawn_after_it() {
    let mut program = Written::new();
    let (set, model) = (program.builtin("cvar_set", 72), program.builtin("precache_model", 20));
    let (name, one, lamp) =
        (program.constant("deathmatch"), program.constant("1"), program.constant("lamp.mdl"));
    program.function(
        "worldspawn",
        &[[op::STORE_F, name, FIRST, 0], [op::STORE_F, one, SECOND, 0], [op::CALL2, set, 0, 0]],
    );
    program.calls("light_lamp", &[(model, lamp)]);
    let program = program.finish();
    let count = |flags| {
        run(&program, &format!("{{ classname worldspawn }} {{ classname light_lamp spawnflags {flags} }}"))
            .asked
            .len()
    };
    // not in deathmatch; not at normal skill
    assert_eq!([count(2048), count(512)], [0, 1]);
}

#[test]
fn a_key_that_names_an_unknown_function_ends_the_level() {
    let mut program = Written::new();
    program.field("th_run", 6);
    program.calls("worldspawn", &[]);
    program.calls("light_lamp", &[]);
    let program = program.finish();
    let spawn = |value| {
        run(&program, &format!("{{ classname worldspawn }} {{ classname light_lamp th_run {value} }}"))
    };
    assert!(end(&spawn("light_lamp")).is_none());
    assert_eq!(end(&spawn("lamp_run")).unwrap().kind, IncidentKind::UnknownFunction(b"lamp_run"[..].into()));
}

#[test]
fn a_program_without_names_has_the_variables_of_the_engine_at_their_places() {
    let mut program = Written::stripped();
    let (model, noise) = (program.builtin("precache_sound", 19), program.field_at("noise", 1, 101));
    let (this, spare) = (28, program.spare());
    program.calls("worldspawn", &[]);
    program.function(
        "light_lamp",
        &[[op::LOAD_S, this, noise, spare], [op::STORE_F, spare, FIRST, 0], [op::CALL1, model, 0, 0]],
    );
    let entities = "{ classname worldspawn } { classname light_lamp noise a.wav }";
    assert_eq!(names(&run(&program.finish(), entities)), [(Call::Sound, "a.wav".to_owned())]);
}

#[test]
fn likely_mistakes_of_the_author_are_incidents() {
    let spawned = run(&small(), "{ classname worldspawn } { origin \"0 0 0\" } { classname light_lmap }");
    assert_eq!(kinds(&spawned), ["no-class", "no-spawn-function"]);
    assert!(end(&spawned).is_none());
    assert_eq!(*spawned.incidents[1].class, *b"light_lmap");
}

#[test]
fn a_loop_ends_at_the_budget_and_with_it_the_level() {
    let entities = "{ classname worldspawn } { classname misc_loop } { classname light_lamp }";
    let spawned = run(&small(), entities);
    assert_eq!(kinds(&spawned), ["budget"]);
    assert_eq!(end(&spawned).unwrap().entity, 1);
    assert_eq!(names(&spawned).len(), 1);
}

/// A world that calls a function of the engine once with three texts.
fn calling(builtin: i32, texts: [&str; 3]) -> Vec<u8> {
    let mut program = Written::new();
    let called = program.builtin("called", builtin);
    let texts = texts.map(|text| program.constant(text));
    let [first, second, third] = texts;
    program.function(
        "worldspawn",
        &[
            [op::STORE_F, first, FIRST, 0],
            [op::STORE_F, second, SECOND, 0],
            [op::STORE_F, third, THIRD, 0],
            [op::CALL3, called, 0, 0],
        ],
    );
    program.finish()
}

#[test]
fn work_on_texts_is_paid_for_by_their_bytes_and_not_by_their_product() {
    let steps = |builtin, size: usize| {
        let (long, part) = ("a".repeat(size), format!("{}b", "a".repeat(size / 2)));
        let texts = if builtin == 484 { [&*part, "c", &*long] } else { [&*long, &*part, &*long] };
        run(&calling(builtin, texts), "{ classname worldspawn }").steps
    };
    // strlen, strcat, substring, strstrofs, strncmp, strcasecmp, strncasecmp, tokenize, strtolower,
    // strtoupper, strreplace
    for builtin in [114, 115, 116, 221, 228, 229, 230, 441, 480, 481, 484] {
        let [small, large] = [16_384, 32_768].map(|size| steps(builtin, size));
        assert!(small > 16_384 / 16, "{builtin} costs {small}");
        assert!(large <= small * 2 && large > small * 3 / 2, "{builtin} costs {small} and {large}");
    }
}

proptest! {
    #[test]
    fn the_places_of_a_part_are_those_of_a_plain_search(text in "[ab]{0,40}", part in "[ab]{1,5}") {
        let expected: Vec<_> = text.match_indices(&*part).map(|(at, _)| at).collect();
        prop_assert_eq!(places(text.as_bytes(), part.as_bytes()).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn an_entity_with_many_fields_costs_its_cells_each_time_that_it_is_created() {
    let steps = |fields: usize| {
        let mut program = Written::new();
        for number in 0..fields {
            program.field(&number.to_string(), 3);
        }
        let spawn = program.builtin("spawn", 14);
        program.function("worldspawn", &[[op::CALL0, spawn, 0, 0]; 100]);
        run(&program.finish(), "{ classname worldspawn }").steps
    };
    assert!(steps(4000) > 100 * 4000 / 2);
}

#[test]
fn levels_share_one_budget() {
    let (program, budget) = (small(), Budget::new(1 << 20, 0));
    let program = Executable::parse(&program).unwrap();
    let run = |entities: &[u8]| run_in(&program, entities, &budget);
    let short = b"{ classname worldspawn } { classname light_lamp }";
    // what a level does not need is left for the others
    assert!((0..100).all(|_| run(short).trouble.is_none()));
    let looped = run(b"{ classname worldspawn } { classname misc_loop }");
    assert!(matches!(looped.trouble, Some(Spent::Budget)), "{:?}", looped.trouble);
    assert!(looped.steps < (1 << 20) + 2);
    // the level makes no mistake
    assert_eq!(looped.incidents, []);
    assert!(matches!(run(b"{ classname worldspawn } { classname misc_loop }").trouble, Some(Spent::Budget)));
}

#[test]
fn an_endless_loop_can_be_stopped() {
    let calls = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let seen = std::sync::Arc::clone(&calls);
    let report = move |_, _| match seen.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
        3 => std::ops::ControlFlow::Break(()),
        _ => std::ops::ControlFlow::Continue(()),
    };
    let (program, budget) = (small(), Budget::of_input(0).observed_by(Box::new(report)));
    let program = Executable::parse(&program).unwrap();
    let looped = run_in(&program, b"{ classname worldspawn } { classname misc_loop }", &budget);
    assert!(matches!(looped.trouble, Some(Spent::Stopped)));
    // a fraction of a millisecond between two calls
    assert!(looped.steps < 4 << 17, "{}", looped.steps);
    assert_eq!(calls.load(std::sync::atomic::Ordering::Relaxed), 4);
}

#[test]
fn texts_of_a_program_are_kept_once_and_shortened() {
    let mut program = Written::new();
    let (error, model) = (program.builtin("objerror", 11), program.builtin("precache_model", 20));
    let (long, one, two) =
        (program.constant(&"e".repeat(60_000)), program.constant("1.mdl"), program.constant("2.mdl"));
    program.calls("worldspawn", &[(model, one), (model, two), (error, long)]);
    // the engine uses the second key and ignores the spaces after it
    let entities = format!("{{ classname {} \"classname \" worldspawn }}", "c".repeat(60_000));
    let spawned = run(&program.finish(), &entities);
    let IncidentKind::ObjectError(text) = &spawned.incidents[0].kind else { panic!() };
    let class = &spawned.incidents[0].class;
    assert_eq!((text.len(), class.len()), (256, 256));
    assert!(spawned.asked.iter().all(|asked| std::sync::Arc::ptr_eq(&asked.class, class)));
}

#[test]
fn a_function_that_the_engine_does_not_have_ends_the_level() {
    let mut program = Written::new();
    let (missing, name) = (program.builtin("checkextension", 99), program.constant("FRIK_FILE"));
    program.calls("worldspawn", &[(missing, name)]);
    let spawned = run_with(&program.finish(), "{ classname worldspawn }", Mode::default(), &QUAKESPASM, 0.5);
    assert_eq!(end(&spawned).unwrap().kind, IncidentKind::UnknownBuiltin(99));
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
    let at = |server| run_with(&program, "{ classname worldspawn }", Mode::default(), server, 0.5);
    assert_eq!((at(&UNKNOWN).asked.len(), end(&at(&UNKNOWN)).is_some()), (0, true));
    assert_eq!(names(&at(&DARKPLACES)), [(Call::Model, "progs/late.mdl".to_owned())]);
    assert_eq!((kinds(&at(&DARKPLACES)), end(&at(&DARKPLACES)).is_some()), (vec!["not-precached"], false));
}

/// Instructions of FTE's compiler, by their names there.
mod fte {
    pub(super) const MULSTORE_F: u16 = 66;
    pub(super) const ADDSTORE_V: u16 = 73;
    pub(super) const SUBSTOREP_F: u16 = 78;
    pub(super) const FETCH_GBL_S: u16 = 82;
    pub(super) const SWITCH_F: u16 = 98;
    pub(super) const SWITCH_S: u16 = 100;
    pub(super) const CASE: u16 = 103;
    pub(super) const CASERANGE: u16 = 104;
    pub(super) const STORE_FI: u16 = 115;
    pub(super) const STOREP_I: u16 = 127;
    pub(super) const EQ_I: u16 = 134;
    pub(super) const GLOBALADDRESS: u16 = 143;
    pub(super) const ADD_PIW: u16 = 144;
    pub(super) const LOADA_S: u16 = 147;
    pub(super) const LOADP_S: u16 = 156;
    pub(super) const MUL_FI: u16 = 180;
    pub(super) const GT_FI: u16 = 172;
}

/// The models that a world with these instructions requests. The instruction before each request loads its
/// name.
fn models_of(write: impl Fn(&mut Written, u16) -> Vec<[u16; 4]>) -> Vec<String> {
    let mut program = Written::new();
    let model = program.builtin("precache_model", 20);
    let statements = write(&mut program, model);
    program.function("worldspawn", &statements);
    let spawned = run(&program.finish(), "{ classname worldspawn }");
    assert_eq!(spawned.incidents, []);
    names(&spawned).into_iter().map(|(_, name)| name).collect()
}

#[test]
fn values_are_changed_in_their_place() {
    let asked = models_of(|program, model| {
        let (six, minus, zero) = (program.number(6.0), program.number(-1.0), program.number(0.0));
        let (value, seven, spare, address) =
            (program.number(1.0), program.number(7.0), program.spare(), program.spare());
        let (yes, no) = (program.constant("yes.mdl"), program.constant("no.mdl"));
        let [vector, _, z] = [1.0, 2.0, 3.0].map(|part| program.number(part));
        let [more, ..] = [4.0, 5.0, 6.0].map(|part| program.number(part));
        let nine = program.number(9.0);
        // the value is 1 * 6, then minus -1 by its address; the last component of the vector is 3 + 6
        vec![
            [fte::MULSTORE_F, six, value, 0],
            [fte::GLOBALADDRESS, value, zero, address],
            [fte::SUBSTOREP_F, minus, address, spare],
            [fte::ADDSTORE_V, more, vector, 0],
            [op::STORE_F, no, FIRST, 0],
            [op::EQ_F, value, seven, spare],
            [op::IFNOT, spare, 4, 0],
            [op::EQ_F, z, nine, spare],
            [op::IFNOT, spare, 2, 0],
            [op::STORE_F, yes, FIRST, 0],
            [op::CALL1, model, 0, 0],
        ]
    });
    assert_eq!(asked, ["yes.mdl"]);
}

#[test]
fn elements_of_arrays_are_found_by_number_and_by_address() {
    let asked = models_of(|program, model| {
        let (one, zero) = (program.number(1.0), program.number(0.0));
        let (whole, two) = (program.spare(), program.number(2.0));
        let (address, text) = (program.spare(), program.spare());
        // the last index comes before the elements, as a whole number
        let last = program.number(f32::from_bits(2));
        let first = program.constant("0.mdl");
        program.constant("1.mdl");
        program.constant("2.mdl");
        let new = program.constant("new.mdl");
        let _ = last;
        vec![
            [fte::FETCH_GBL_S, first, two, FIRST],
            [op::CALL1, model, 0, 0],
            [fte::STORE_FI, one, whole, 0],
            [fte::LOADA_S, first, whole, FIRST],
            [op::CALL1, model, 0, 0],
            [fte::GLOBALADDRESS, first, zero, address],
            [fte::ADD_PIW, address, whole, address],
            [fte::STOREP_I, new, address, 0],
            [fte::LOADP_S, address, zero, text],
            [op::STORE_F, text, FIRST, 0],
            [op::CALL1, model, 0, 0],
            [fte::LOADA_S, first, whole, FIRST],
            [op::CALL1, model, 0, 0],
        ]
    });
    assert_eq!(asked, ["2.mdl", "1.mdl", "new.mdl"]);
}

#[test]
fn an_index_outside_an_array_ends_the_level() {
    let mut program = Written::new();
    let three = program.number(3.0);
    program.number(f32::from_bits(2));
    let first = program.constant("0.mdl");
    program.function("worldspawn", &[[fte::FETCH_GBL_S, first, three, FIRST]]);
    let spawned = run(&program.finish(), "{ classname worldspawn }");
    assert_eq!(kinds(&spawned), ["broken"]);
}

#[test]
fn a_switch_goes_to_its_case() {
    let choose = |switch: u16, value: f32| {
        models_of(|program, model| {
            let number = program.number(value);
            let (text, other) = (program.constant("ogre"), program.constant("ogre"));
            let (one, five, nine) = (program.number(1.0), program.number(5.0), program.number(9.0));
            let names = ["one.mdl", "range.mdl", "text.mdl", "none.mdl"].map(|name| program.constant(name));
            let put = |name: u16| [[op::STORE_F, name, FIRST, 0], [op::GOTO, 0, 0, 0]];
            // each jumps to the call at 13; the cases come after the bodies
            let mut body = vec![[switch, if switch == fte::SWITCH_S { text } else { number }, 9, 0]];
            for (index, name) in (0_u16..).zip(names) {
                let [store, mut go] = put(name);
                go[1] = 13 - (2 + 2 * index);
                body.extend([store, go]);
            }
            body.push([fte::CASE, one, (-8_i16).cast_unsigned(), 0]);
            body.push([fte::CASERANGE, five, nine, (-7_i16).cast_unsigned()]);
            body.push([fte::CASE, other, (-6_i16).cast_unsigned(), 0]);
            body.push([op::GOTO, (-5_i16).cast_unsigned(), 0, 0]);
            body.push([op::CALL1, model, 0, 0]);
            body
        })
    };
    assert_eq!(choose(fte::SWITCH_F, 1.0), ["one.mdl"]);
    assert_eq!(choose(fte::SWITCH_F, 7.0), ["range.mdl"]);
    assert_eq!(choose(fte::SWITCH_F, 3.0), ["none.mdl"]);
    assert_eq!(choose(fte::SWITCH_S, 0.0), ["text.mdl"]);
}

#[test]
fn whole_numbers_and_others_are_compared_and_multiplied() {
    let asked = models_of(|program, model| {
        let (two, half, spare, whole) =
            (program.number(2.0), program.number(2.5), program.spare(), program.spare());
        let (truth, one) = (program.spare(), program.number(f32::from_bits(1)));
        let (yes, no) = (program.constant("yes.mdl"), program.constant("no.mdl"));
        vec![
            [op::STORE_F, no, FIRST, 0],
            [fte::STORE_FI, two, whole, 0],
            // 2.5 * 2 > 2
            [fte::MUL_FI, half, whole, spare],
            [fte::GT_FI, spare, whole, truth],
            // a comparison of whole numbers is a whole number
            [fte::EQ_I, truth, one, truth],
            [op::IFNOT, truth, 2, 0],
            [op::STORE_F, yes, FIRST, 0],
            [op::CALL1, model, 0, 0],
        ]
    });
    assert_eq!(asked, ["yes.mdl"]);
}

/// Runs damaged bytes as a program; it ends at most once.
fn run_damaged(bytes: &[u8], entities: &[u8]) {
    let Ok(program) = Executable::parse(bytes) else { return };
    let mode = Mode::single(1);
    let budget = &Budget::of_input(0);
    let setting = setting(entities, mode, &UNKNOWN, budget, 0.5);
    let spawned = spawn(&program, &setting);
    assert!(spawned.incidents.iter().filter(|incident| incident.ends).count() <= 1);
    let again = spawn(&program, &setting);
    assert_eq!(
        (spawned.asked, spawned.incidents, spawned.steps),
        (again.asked, again.incidents, again.steps)
    );
}

const ENTITIES: &[u8] =
    b"{ classname worldspawn } { classname light_lamp noise a.wav } { classname misc_trap }";

#[test]
fn a_program_cut_off_anywhere_is_harmless() {
    let program = small();
    (0..program.len()).for_each(|length| run_damaged(&program[..length], ENTITIES));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testutils::scaled(100, 5000)))]

    #[test]
    fn a_program_with_changed_bytes_does_no_harm(
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let mut program = small();
        for (at, byte) in changes {
            let length = program.len();
            program[at.index(length)] = byte;
        }
        run_damaged(&program, ENTITIES);
    }
}

/// Real programs with changed bytes, each over a real level.
#[testneeds::data("references/games")]
#[test]
fn damaged_programs_end_without_a_panic() {
    let games = testutils::data("references/games");
    let mut seed = 1_u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed >> 16).unwrap()
    };
    for (game, map) in [("pd", "pd_gallery"), ("vektar", "bg"), ("qcc", "qcc1m1")] {
        let program = std::fs::read(games.join(game).join("progs.dat")).unwrap();
        let level = std::fs::read(games.join(format!("{game}/maps/{map}.bsp"))).unwrap();
        let entities = quake_content::Level::parse(&level).unwrap().entity_text().unwrap();
        for _ in 0..testutils::scaled(4, 84) {
            let mut program = program.clone();
            for _ in 0..=(random() % 200) {
                let at = random() % program.len();
                program[at] = u8::try_from(random() % 256).unwrap();
            }
            run_damaged(&program, entities);
        }
    }
}
