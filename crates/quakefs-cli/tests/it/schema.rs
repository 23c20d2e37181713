//! The JSON Schema in `docs` holds each object that the command prints about a game.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;
use testutils::Folder;

use crate::{Commands as _, companions, needs, place, substitutes};
#[cfg(target_os = "linux")]
use crate::{Console, run_with};

static SCHEMA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../../docs/answers.schema.json")).unwrap());
static VALIDATOR: LazyLock<Validator> = LazyLock::new(|| jsonschema::validator_for(&SCHEMA).unwrap());

/// Checks each line of an output that is an object. Each answer in this suite passes here.
pub(crate) fn check(out: &[u8]) {
    let lines = out.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{\"type\":"));
    for object in lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok()) {
        if let Err(error) = VALIDATOR.validate(&object) {
            panic!("{object}\nis not what the schema says: {error}");
        }
    }
}

#[test]
fn each_type_of_the_schema_is_printed() {
    let of_schema = |row: &Value| row["if"]["properties"]["type"]["const"].as_str().unwrap().to_owned();
    let expected: BTreeSet<String> = SCHEMA["allOf"].as_array().unwrap().iter().map(of_schema).collect();
    let mut printed = BTreeSet::new();
    let mut run = |folder: &Folder, lines: &[&str]| {
        for line in lines {
            let objects = folder.run(&format!("--json {line}")).json();
            printed.extend(objects.iter().map(|object| object["type"].as_str().unwrap().to_owned()));
        }
    };
    run(
        &Folder::new(),
        &[
            "--basedir [GAME] --game mymod path",
            "--basedir [GAME] --game gapmod --userdir [DIR] path",
            "--basedir [GAME] --game mymod which default.cfg",
            "--basedir [GAME] ls",
            "--basedir [GAME] mods",
            "--basedir [GAME] --game mymod shadows",
            "--basedir [GAME] --game gapmod check",
            "--basedir [GAME] --game mymod compare winquake fte",
        ],
    );
    run(&companions::folder(), &["--basedir [DIR] --game mod which --as companion maps/ab.bsp"]);
    run(&substitutes::folder(), &["--basedir [DIR] --game mod which --as model progs/ogre.mdl"]);
    run(
        &needs::mod_of_a_lmap(),
        &[
            "--basedir [DIR] --game mod needs",
            "--basedir [DIR] --game mod unused",
            "--basedir [DIR] --game mod compare quakespasm goldsrc --needs --force",
        ],
    );
    run(
        &place::scene(),
        &[
            "--basedir [DIR]/quake place [DIR]/pd.zip --changes",
            "--basedir [DIR]/quake place [DIR]/pd.zip --write",
            "--basedir [DIR]/quake place [DIR]/pd.zip",
            "--basedir [DIR]/quake place --list",
            "place --undo [DIR]/quake/quakefs-place-1.jsonl",
        ],
    );
    let gap =
        Folder::with(["id1/pak0.pak", "mod/pak2.pak"].map(|pak| (pak, crate::archive(&[(b"a.cfg", b"")]))));
    run(&gap, &["--basedir [DIR] --engine quakespasm --game mod shadows"]);
    let lists = Folder::with([("id1/pak.lst", "a.pak")]);
    run(&lists, &["--basedir [DIR] --engine ezquake path"]);
    #[cfg(target_os = "linux")]
    {
        let stores = testutils::stores();
        let home = |console: &mut Console<'_>| console.environment.home = Some(stores.join("home").into());
        let games = run_with(home, &["--json", "games"]).json();
        printed.extend(games.iter().map(|game| game["type"].as_str().unwrap().to_owned()));
    }
    // the stores are those of Linux
    let expected = expected.iter().filter(|word| cfg!(target_os = "linux") || **word != "game");
    let missing: Vec<_> = expected.filter(|word| !printed.contains(*word)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
