//! Any program over any entities: the machine ends within its budget, asks for each name once, and gives the same twice.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quake_content::Program;
use quake_content::run::{Mode, Server, Setting, spawn};

/// What stands between a program and the entities.
const MARK: &[u8] = b"ENTITIES";

fuzz_target!(|input: &[u8]| {
    let at = input.windows(MARK.len()).position(|window| window == MARK);
    let (bytes, entities) = match at {
        Some(at) => (&input[..at], &input[at + MARK.len()..]),
        None => (input, &b"{ classname worldspawn } { classname light_lamp } { classname misc_trap }"[..]),
    };
    let Ok(program) = Program::parse(bytes) else { return };
    let mut server = Server::new(&[(1, 700)]);
    server.loads_late = entities.len() % 2 == 0;
    let mode = Mode::single(1);
    let setting = Setting { map: b"maps/a.bsp", entities, models: &[], mode, server: &server, chance: 0.5 };
    let spawned = spawn(&program, &setting);
    assert!(spawned.incidents.iter().filter(|incident| incident.ends).count() <= 1);
    let mut names: Vec<_> = spawned.asked.iter().map(|asked| (asked.call, &asked.name)).collect();
    names.sort();
    assert!(names.is_sorted_by(|one, other| one < other));
    let again = spawn(&program, &setting);
    assert_eq!(
        (spawned.asked, spawned.incidents, spawned.steps),
        (again.asked, again.incidents, again.steps)
    );
});
