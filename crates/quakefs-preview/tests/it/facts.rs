//! What files without a picture tell.

use quakefs_preview::{Error, Preview};
use testutils::program::Program;

use crate::look;

fn facts(name: &str, bytes: &[u8]) -> Vec<String> {
    match look(name, bytes).unwrap() {
        Preview::Facts(facts) => facts.iter().map(|fact| format!("{}: {}", fact.about, fact.value)).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_program_tells_the_functions_that_it_needs_from_the_engine() {
    let mut program = Program::new();
    for (name, number) in [("ambientsound", 74), ("sqrt", 62), ("strlen", 114)] {
        program.builtin(name, number);
    }
    let found = facts("progs.dat", &program.finish());
    assert!(found[0].starts_with("Program for: Quake (CRC 5927"), "{found:?}");
    assert_eq!(found[2], "Builtins: sqrt #62, ambientsound #74, strlen #114");
    assert_eq!(found[3], "Of newer engines: strlen #114");
}

#[test]
fn a_saved_game_and_light_tell_their_level_and_points() {
    let entities = "{ \"time\" \"61\" }\n{ \"classname\" \"worldspawn\" }\n{ }\n";
    let text = format!("5\nthe_Slipgate_Complex__\n{}1\ne1m1\n61.5\nm\nm\n{entities}", "0\n".repeat(16));
    assert_eq!(
        facts("s0.sav", text.as_bytes()),
        ["Level: e1m1", "Comment: the Slipgate Complex", "Skill: 1", "Time: 61.5 s", "Entities: 2"]
    );
    let light = [&b"QLIT\x01\0\0\0"[..], &[7; 30]].concat();
    assert_eq!(
        facts("maps/a.lit", &light),
        ["Light of: a level of the same name", "Version: 1", "Points: 10"]
    );
}

#[test]
fn files_of_other_formats_tell_nothing() {
    for name in ["a.dem", "a.dm2", "a.qwd", "a.mvd", "a.sav", "a.lit", "progs.dat"] {
        assert!(matches!(look(name, b"7\n"), Err(Error::Content(_))), "{name}");
    }
}
