//! What DarkPlaces misses when it loads levels, asked here and now, of games of which other files are there than in the recorded
//! ones.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use camino::Utf8Path;
use libtest_mimic::{Completion, Failed, Trial};
use quake_content::run::Mode;
use quakefs::{Engine, SearchPath};
use quakefs_needs::{Kind, Levels, Options};
use testutils::{Folder, content, scaled, shared};

use crate::live::{Asked, run};
use crate::random::Random;

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::ignorable_test("live::darkplaces::misses_the_models_that_needs_calls_missing", || {
        if !shared("references/games").is_dir() {
            return Ok(Completion::ignored_with("../shared/references is not there"));
        }
        match Asked::new(Engine::DarkPlaces, "darkplaces-server") {
            Ok(asked) => compare(&asked).map(|()| Completion::Completed),
            Err(missing) => Ok(Completion::ignored_with(missing)),
        }
    })]
}

/// Programs with some of their levels.
const LEVELS: [(&str, [&str; 3]); 4] = [
    ("pd", ["pd_breakables", "pd_gallery", "prefab_trains"]),
    ("lq", ["lq_e0m1", "lq_e2m3", "lqdm1"]),
    ("qcc", ["qcc1m1", "lq_e3m3", "qcdm_insomnia"]),
    ("vektar", ["bg", "start", "start"]),
];

fn compare(asked: &Asked) -> Result<(), Failed> {
    let references = shared("references");
    let names = |file: &str| fs::read_to_string(references.join(file)).unwrap();
    let modes = [
        ("+skill 0 +deathmatch 0 +coop 0", Mode::single(0)),
        ("+skill 2 +deathmatch 0 +coop 0", Mode::single(2)),
        ("+skill 1 +deathmatch 1 +coop 0", Mode::single(1).deathmatch()),
    ];
    let mut wrong = Vec::new();
    for seed in 0..scaled(1, 8) {
        for (program, levels) in LEVELS {
            let mut random = Random::new(seed);
            let folder = Folder::new();
            let have = names(&format!("games/{program}/have.txt"));
            let base = names("base.txt");
            for name in base.lines() {
                folder.write(&format!("id1/{name}"), stub(name));
            }
            for name in have.lines().filter(|_| random.percent(60)) {
                folder.write(&format!("mod/{name}"), stub(name));
            }
            let game = references.join("games").join(program);
            folder.write("id1/gfx/pop.lmp", fs::read(shared("conformance/pop.lmp")).unwrap());
            folder.write("mod/progs.dat", fs::read(game.join("progs.dat")).unwrap());
            for level in levels {
                let name = format!("maps/{level}.bsp");
                folder.write(&format!("mod/{name}"), fs::read(game.join(&name)).unwrap());
            }
            let stack = SearchPath::builder(folder.path()).engine(Engine::DarkPlaces).game("mod").mount()?;
            for (level, (option, mode)) in levels.into_iter().zip(modes) {
                let Some(expected) = missed(asked, folder.path(), level, option)? else { continue };
                let needs =
                    Levels::new(&stack, Options::default().modes([mode])).of(&[format!("maps/{level}.bsp")]);
                let missing = needs.iter().flat_map(|needs| needs.missing());
                let models = missing.filter(|need| need.kind == Kind::Model);
                let found: BTreeSet<_> = models.map(|need| need.name.to_string()).collect();
                if found != expected {
                    let (more, less) = (&found - &expected, &expected - &found);
                    wrong.push(format!(
                        "seed {seed}, {program}, {level} {option}: more {more:?}, less {less:?}"
                    ));
                }
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// The models that the engine reports as missing; `None` where it does not load the level.
fn missed(
    asked: &Asked,
    base: &Utf8Path,
    level: &str,
    option: &str,
) -> Result<Option<BTreeSet<String>>, Failed> {
    let home = tempfile::tempdir()?;
    let mut command = Command::new(&asked.program);
    command.current_dir(home.path()).env("HOME", home.path());
    command.args(["-basedir", base.as_str(), "-game", "mod", "-developer", "1"]);
    command.args(option.split(' ')).args(["+map", level, "+quit"]);
    let text = run(command)?;
    let Some((_, after)) = text.split_once("SpawnServer: ") else { return Ok(None) };
    if after.contains("Host_Error") {
        return Ok(None);
    }
    let name =
        |line: &str| Some(line.strip_prefix("Mod_LoadModel: ")?.strip_suffix(" not found")?.to_owned());
    Ok(Some(after.lines().filter_map(|line| name(line.trim())).collect()))
}

/// The bytes of a small valid file for a name, by its ending.
fn stub(name: &str) -> Vec<u8> {
    let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    let one = 1.0_f32.to_bits();
    match name.rsplit('.').next().unwrap_or_default() {
        // one skin of 8 x 8, one triangle, one frame
        "mdl" => {
            let header =
                words(&[6, one, one, one, 0, 0, 0, 8.0_f32.to_bits(), 0, 0, 0, 1, 8, 8, 3, 1, 1, 0, 0, one]);
            let triangle = words(&[0, 0, 0, 0, 7, 0, 0, 0, 7, 1, 0, 1, 2]);
            let mut frame = [words(&[0]), vec![0, 0, 0, 0, 8, 8, 8, 0]].concat();
            frame.extend(b"frame1\0\0\0\0\0\0\0\0\0\0");
            frame.extend([0, 0, 0, 0, 8, 0, 0, 0, 0, 8, 8, 0]);
            [b"IDPO".to_vec(), header, words(&[0]), vec![0; 64], triangle, frame].concat()
        }
        // one frame of 8 x 8
        "spr" => {
            let header = words(&[1, 2, 8.0_f32.to_bits(), 8, 8, 1, 0, 0]);
            let frame = words(&[0, (-4_i32).cast_unsigned(), 4, 8, 8]);
            [b"IDSP".to_vec(), header, frame, vec![0; 64]].concat()
        }
        "wav" => content::wav(11025, 64),
        "bsp" => fs::read(shared("references/games/vektar/maps/bg.bsp")).unwrap(),
        _ => vec![0],
    }
}
