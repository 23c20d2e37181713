//! The recorded answers: layouts made at random, given to an engine, and every name asked for.

use std::collections::BTreeMap;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use libtest_mimic::Trial;
use quakefs::{Engine, Evidence};
use serde::Deserialize;

use crate::layout::{Layout, served};

#[derive(Deserialize)]
struct Recording {
    seed: u64,
    #[serde(flatten)]
    layout: Layout,
    answers: BTreeMap<String, Option<String>>,
}

/// The engines that were run and how many answers each of them gave.
const RECORDED: [(Engine, usize); 11] = [
    (Engine::WinQuake, 1160),
    (Engine::QuakeSpasm, 1044),
    (Engine::Qss, 1160),
    (Engine::DarkPlaces, 1040),
    (Engine::Fte, 1160),
    (Engine::Ironwail, 1160),
    (Engine::Quake2, 1160),
    (Engine::Q2Pro, 1160),
    (Engine::Mvdsv, 1160),
    (Engine::YQuake2, 1160),
    (Engine::GoldSrc, 1160),
];

pub(crate) fn trials() -> Vec<Trial> {
    let answers = RECORDED.into_iter().map(|(engine, answers)| {
        Trial::test(format!("recorded::{engine}"), move || {
            check(engine, answers);
            Ok(())
        })
    });
    let complete = Trial::test("recorded::every_engine_that_was_run_is_compared", || {
        for engine in Engine::ALL {
            let compared = RECORDED.iter().any(|(recorded, _)| recorded == engine);
            assert_eq!(compared, engine.evidence() == Evidence::Recorded, "{engine}");
        }
        Ok(())
    });
    answers.chain([complete]).collect()
}

fn check(engine: Engine, expected: usize) {
    let path = Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/conformance"));
    let text = fs::read_to_string(path.join(format!("{engine}.json"))).unwrap();
    let recordings: Vec<Recording> = serde_json::from_str(&text).unwrap();
    let mut compared = 0;
    let mut wrong = Vec::new();
    for Recording { seed, layout, answers } in &recordings {
        let folder = tempfile::tempdir().unwrap();
        let base = Utf8Path::from_path(folder.path()).unwrap();
        layout.lay_out(base, &[]);
        compared += answers.len();
        for (how, search_path) in layout.mount(base, engine) {
            for (name, recorded) in answers {
                let given = served(&search_path, engine, name);
                if given != *recorded {
                    wrong.push(format!(
                        "seed {seed} {name:?} {how}: {engine} serves {recorded:?}, quakefs {given:?}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(compared, expected, "answers compared");
}
