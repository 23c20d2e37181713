//! The types of the package have the names of all engines and systems.

use quakefs::Engine;
use quakefs::rules::Host;

#[test]
fn the_types_of_the_package_name_all_engines_and_systems() {
    let types = include_str!("../types.d.ts");
    let union = |names: Vec<&str>| format!("\"{}\";\n", names.join("\" | \""));
    let engines = union(Engine::ALL.iter().map(|engine| engine.name()).collect());
    let hosts = union(Host::ALL.iter().map(|host| host.name()).collect());
    assert!(types.contains(&format!("export type Engine = {engines}")), "{engines}");
    assert!(types.contains(&format!("export type Host = {hosts}")), "{hosts}");
}
