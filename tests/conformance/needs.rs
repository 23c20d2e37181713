//! Live comparison of missing files, for games with other files than the recorded ones. DarkPlaces reports
//! missing models; as a server it loads no sounds. QuakeSpasm reports missing sounds; it stops at a missing
//! model.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use camino::Utf8Path;
use libtest_mimic::{Completion, Failed, Trial};
use quakefs::{Engine, SearchPath};
use quakefs_needs::Mode;
use quakefs_needs::{Kind, Levels};
use testutils::{Folder, content, data, data_or_reason, scaled, testdata};

use crate::live::{Asked, run};
use crate::random::Random;

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |name: &str, ask: fn() -> Result<Asks, String>| {
        Trial::ignorable_test(name, move || match data_or_reason("references/games").and_then(|_| ask()) {
            Ok(asks) => compare(&asks).map(|()| Completion::Completed),
            Err(missing) => Ok(Completion::ignored_with(missing)),
        })
    };
    vec![
        trial("live::darkplaces::misses_the_models_that_needs_calls_missing", || {
            let asked = Asked::new(Engine::DarkPlaces, "darkplaces-server")?;
            Ok(Asks { asked, engine: Engine::DarkPlaces, kind: Kind::Model })
        }),
        trial("live::quakespasm::misses_the_sounds_that_needs_calls_missing", || {
            let asked = Asked::with_window()?;
            Ok(Asks { asked, engine: Engine::QuakeSpasm095, kind: Kind::Sound })
        }),
    ]
}

/// An engine, and the kind of files to compare.
struct Asks {
    asked: Asked,
    engine: Engine,
    kind: Kind,
}

/// Programs with some of their levels.
const LEVELS: [(&str, [&str; 3]); 4] = [
    ("pd", ["pd_breakables", "pd_gallery", "prefab_trains"]),
    ("lq", ["lq_e0m1", "lq_e2m3", "lqdm1"]),
    ("qcc", ["qcc1m1", "lq_e3m3", "qcdm_insomnia"]),
    ("vektar", ["bg", "start", "start"]),
];

fn compare(asks: &Asks) -> Result<(), Failed> {
    let games = data("references/games");
    let names = |file: &Utf8Path| fs::read_to_string(file).unwrap();
    let modes = [
        ("+skill 0 +deathmatch 0 +coop 0", Mode::single(0)),
        ("+skill 2 +deathmatch 0 +coop 0", Mode::single(2)),
        ("+skill 1 +deathmatch 1 +coop 0", Mode::single(1).deathmatch()),
    ];
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for seed in 0..scaled(1, 8) {
        for (program, levels) in LEVELS {
            let mut random = Random::new(seed);
            let folder = Folder::new();
            let have = names(&games.join(program).join("have.txt"));
            asks.lay_out_base(&folder, &names(&testdata("needs/base.txt")));
            for name in have.lines().filter(|_| random.percent(60)) {
                folder.write(&format!("mod/{name}"), stub(name));
            }
            let game = games.join(program);
            folder.write("id1/gfx/pop.lmp", fs::read(data("conformance/pop.lmp")).unwrap());
            folder.write("mod/progs.dat", fs::read(game.join("progs.dat")).unwrap());
            for level in levels {
                let name = format!("maps/{level}.bsp");
                folder.write(&format!("mod/{name}"), fs::read(game.join(&name)).unwrap());
            }
            let mount = || SearchPath::builder(folder.path()).engine(asks.engine).game("mod").mount();
            let mut search_path = mount()?;
            if asks.kind != Kind::Model {
                // this engine stops at the first model that is missing
                for need in Levels::new(&search_path).of(&levels.map(|level| format!("maps/{level}.bsp"))) {
                    for need in need.missing().filter(|need| need.kind == Kind::Model) {
                        folder.write(&format!("mod/{}", need.name), stub(&need.name.to_string()));
                    }
                }
                search_path = mount()?;
            }
            for (level, (option, mode)) in levels.into_iter().zip(modes) {
                let Some(expected) = asks.missed(folder.path(), level, option)? else { continue };
                let needs = Levels::new(&search_path).modes([mode]).of(&[format!("maps/{level}.bsp")]);
                let missing = needs.iter().flat_map(|needs| needs.missing());
                let of_kind = missing.filter(|need| need.kind == asks.kind);
                let found: BTreeSet<_> = of_kind.map(|need| need.name.to_string()).collect();
                compared += 1;
                if found != expected {
                    let (more, less) = (&found - &expected, &expected - &found);
                    wrong.push(format!(
                        "seed {seed}, {program}, {level} {option}: more {more:?}, less {less:?}"
                    ));
                }
            }
        }
    }
    if compared < LEVELS.len() {
        wrong.push(format!("{compared} levels were loaded"));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

impl Asks {
    /// The base game: stubs for a server, and pictures for the screen of an engine with a window.
    fn lay_out_base(&self, folder: &Folder, base: &str) {
        if self.kind == Kind::Model {
            for name in base.lines() {
                folder.write(&format!("id1/{name}"), stub(name));
            }
            return;
        }
        for pak in ["pak0.pak", "pak1.pak"] {
            let from = data("paks/librequake/id1").join(pak);
            folder.write(&format!("id1/{pak}"), fs::read(from).unwrap());
        }
    }

    fn start(&self, home: &Utf8Path, args: &[&str]) -> Result<String, String> {
        let mut command = if self.kind == Kind::Model {
            let mut command = Command::new(&self.asked.program);
            command.current_dir(home).env("HOME", home);
            command
        } else {
            self.asked.windowed(home)
        };
        command.args(args);
        run(command)
    }

    /// The files that the engine reports as missing; `None` if it does not load the level.
    fn missed(&self, base: &Utf8Path, level: &str, option: &str) -> Result<Option<BTreeSet<String>>, Failed> {
        let home = tempfile::tempdir()?;
        let home = Utf8Path::from_path(home.path()).ok_or("the path is no UTF-8")?;
        let mut args = vec!["-basedir", base.as_str(), "-game", "mod", "-developer", "1"];
        args.extend(option.split(' '));
        args.extend(["+map", level, "+wait", "+quit"]);
        let text = self.start(home, &args)?;
        let (start, name): (_, fn(&str) -> Option<String>) = if self.kind == Kind::Model {
            ("SpawnServer: ", |line| {
                Some(line.strip_prefix("Mod_LoadModel: ")?.strip_suffix(" not found")?.to_owned())
            })
        } else {
            ("SERVER (", |line| Some(line.strip_prefix("Couldn't load ")?.to_owned()))
        };
        let Some((_, after)) = text.split_once(start) else { return Ok(None) };
        if after.contains("Host_Error") {
            return Ok(None);
        }
        Ok(Some(after.lines().filter_map(|line| name(line.trim())).collect()))
    }
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
        "bsp" => fs::read(data("references/games/vektar/maps/bg.bsp")).unwrap(),
        _ => vec![0],
    }
}
