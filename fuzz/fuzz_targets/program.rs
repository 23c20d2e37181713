//! Any program over any entities: the run ends within its budget, names each file once, and gives the same
//! answer twice.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quakefs::SearchPath;
use quakefs::disk::MemoryDisk;
use quakefs_needs::{Levels, Mode, Needs};
use testutils::content;

/// Separates the program from the entities.
const MARK: &[u8] = b"ENTITIES";

fuzz_target!(|input: &[u8]| {
    let at = input.windows(MARK.len()).position(|window| window == MARK);
    let (program, entities) = match at {
        Some(at) => (&input[..at], &input[at + MARK.len()..]),
        None => (input, &b"{ classname worldspawn } { classname light_lamp } { classname misc_trap }"[..]),
    };
    let engine = ["darkplaces", "quakespasm", "ironwail", "winquake"][entities.len() % 4];
    let disk = MemoryDisk::new();
    let files =
        [("progs.dat", program.to_vec()), ("maps/a.bsp", content::level([29, 0, 0, 0], entities, &[]))];
    for (name, bytes) in files {
        disk.insert(format!("/quake/id1/{name}"), bytes).expect("the disk is empty");
    }
    let engine = engine.parse().expect("the engine has this name");
    let quake = SearchPath::builder("/quake").disk(disk).engine(engine).mount().expect("id1 is a folder");
    // each run has a budget of its own
    let run = || Levels::new(&quake).modes([Mode::single(1)]).of(&["maps/a.bsp"]).remove(0);
    let needs = run();
    let ends = |needs: &Needs| needs.incidents.iter().filter(|(incident, _)| incident.ends).count();
    // a branch on chance runs three times
    assert!(ends(&needs) <= 3);
    let mut names: Vec<_> = needs.needed.iter().map(|need| (need.kind, need.name.as_bytes())).collect();
    names.sort();
    assert!(names.is_sorted_by(|one, other| one < other));
    let again = run();
    assert_eq!((&needs.needed, &needs.incidents), (&again.needed, &again.incidents));
});
