//! The recorded answers: random layouts, and the file that an engine loaded for every name.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use libtest_mimic::Trial;
use quakefs::findings::FindingKind;
use quakefs::rules::EngineStop;
use quakefs::{Engine, LooseFiles, SearchPath, why};
use serde::Deserialize;
use testutils::testdata;

use crate::layout::{Layout, copy, is_same, served};
use crate::runner::{Question, engine_line};

#[derive(Deserialize)]
pub(crate) struct Recording {
    engine: String,
    seed: u64,
    #[serde(flatten)]
    layout: Layout,
    answers: BTreeMap<String, Option<String>>,
}

/// A trial for each recorded engine, and one that compares the files with the list of recorded engines.
pub(crate) fn trials() -> Vec<Trial> {
    let recorded = || Engine::ALL.iter().copied().filter(|engine| !engine.as_of().run.is_empty());
    let path = |engine: Engine| testdata("conformance").join(format!("{engine}.json.gz"));
    let answers = recorded().filter(move |engine| path(*engine).is_file()).map(move |engine| {
        Trial::test(format!("recorded::{engine}"), move || {
            check(engine, &read_gz::<Vec<_>>(&path(engine)));
            Ok(())
        })
    });
    // a fifth of the archives in these layouts are empty
    let path = |engine: Engine| testdata("conformance/empty").join(format!("{engine}.json.gz"));
    let empty = recorded().filter(move |engine| path(*engine).is_file()).map(move |engine| {
        Trial::test(format!("recorded::empty::{engine}"), move || {
            check(engine, &read_gz::<Vec<_>>(&path(engine)));
            Ok(())
        })
    });
    // with texts that change the search path
    let path = |engine: Engine| testdata("conformance/texts").join(format!("{engine}.json.gz"));
    let texts = recorded().filter(move |engine| path(*engine).is_file()).map(move |engine| {
        Trial::test(format!("recorded::texts::{engine}"), move || {
            check(engine, &read_gz::<Vec<_>>(&path(engine)));
            Ok(())
        })
    });
    let complete = Trial::test("recorded::the_engines_that_were_run_have_a_file_each", move || {
        let expected: BTreeSet<_> = recorded().map(|engine| format!("{engine}.json.gz")).collect();
        let folders = ["conformance", "conformance/releases", "conformance/rows"].map(testdata);
        let files = folders.iter().flat_map(|folder| folder.read_dir_utf8().unwrap());
        let found = files.map(|file| file.unwrap().file_name().to_owned());
        let found: BTreeSet<_> = found.filter(|file| file.ends_with(".json.gz")).collect();
        assert_eq!(found, expected);
        assert!(!expected.is_empty());
        Ok(())
    });
    let aspects = Trial::test("recorded::what_is_marked_run_has_recorded_answers", move || {
        for engine in Engine::ALL {
            for (key, folder) in
                [("paks", "wide"), ("companions", "companions"), ("text", "texts"), ("console", "console")]
            {
                let is_in =
                    |folder| testdata("conformance").join(folder).join(format!("{engine}.json.gz")).is_file();
                let was_run = engine.as_of().run.iter().any(|keys| keys.contains(&key));
                // the layouts of a release have damaged archives too
                let is_recorded = is_in(folder) || (key == "paks" && is_in("releases"));
                assert_eq!(was_run, is_recorded, "{engine}: {key}");
            }
            let starts = testdata("conformance/starts").join(format!("{engine}.json.gz")).is_file();
            let was_run = engine.as_of().run.iter().any(|keys| keys.contains(&"needed"));
            assert!(!starts || was_run, "{engine}: needed");
            let has_images = testdata("conformance/images").join(format!("{engine}.json.gz")).is_file();
            assert!(!has_images || engine.aspects().contains(&("substitutes", true)), "{engine}");
        }
        Ok(())
    });
    answers.chain(empty).chain(texts).chain([complete, aspects]).collect()
}

fn check(engine: Engine, recordings: &[Recording]) {
    let mut compared = 0;
    let mut wrong = Vec::new();
    for Recording { engine: recorded_from, seed, layout, answers } in recordings {
        // the row of a release has a number
        assert!(engine.name().starts_with(recorded_from.as_str()), "seed {seed}");
        assert!(!answers.is_empty(), "seed {seed}");
        let folder = testutils::folder_in_memory();
        let base = Utf8Path::from_path(folder.path()).unwrap();
        layout.lay_out(base, &[]);
        // with listed folders the disk makes no difference, so this is tested only in memory
        let on_system = layout.set(SearchPath::builder(base), base);
        let in_memory = on_system.clone().disk(layout.in_memory(base));
        let mounts = [
            ("live", layout.mount_with(on_system, LooseFiles::Live, engine)),
            ("live in memory", layout.mount_with(in_memory.clone(), LooseFiles::Live, engine)),
            ("listed in memory", layout.mount_with(in_memory, LooseFiles::Listed, engine)),
        ];
        // the files without which an engine does not start are left out
        let is_left_out = |kind: &FindingKind| {
            use EngineStop::{MissingGameInfo, Unregistered};
            matches!(
                kind,
                FindingKind::StopsAt(MissingGameInfo | Unregistered)
                    | FindingKind::MissingToStart { .. }
                    | FindingKind::WrongChecksum { .. }
                    | FindingKind::WrongEdition(_)
            )
        };
        // an engine that answers does not stop
        let [(_, live), ..] = &mounts;
        let stopping = why::check(live).into_iter().filter(|finding| finding.stops_engine);
        wrong.extend(
            stopping
                .filter(|finding| !is_left_out(&finding.kind))
                .map(|finding| format!("seed {seed}: {engine} does not stop at {finding}")),
        );
        for (how, search_path) in mounts {
            for (name, recorded) in answers {
                compared += 1;
                let given = served(&search_path, name);
                if !is_same(recorded.as_deref(), given.as_deref()) {
                    wrong.push(format!(
                        "seed {seed} {name:?} {how}: {engine} serves {recorded:?}, quakefs {given:?}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let recorded: usize = recordings.iter().map(|recording| recording.answers.len()).sum();
    assert_eq!(compared, 3 * recorded);
    assert!(recorded > 0, "no answers of {engine} are recorded");
}

impl Recording {
    /// The layout as a question to another program.
    pub(crate) fn question(self) -> Question {
        let bytes = |served: &Option<String>| vec![served.as_ref().map(|place| copy(place).into_bytes())];
        let answers =
            self.answers.iter().map(|(name, served)| (name.clone().into_bytes(), bytes(served))).collect();
        Question {
            layout: format!("seed {}", self.seed),
            line: engine_line(&self.layout.flags, &self.layout.games),
            settings: self.layout.settings.clone(),
            has_user: self.layout.has_user,
            stops: false,
            answers,
            lay_out: Box::new(move |base, _| self.layout.lay_out(base, &[])),
        }
    }
}

/// Reads a compressed recording.
pub(crate) fn read_gz<T: serde::de::DeserializeOwned>(path: &Utf8Path) -> T {
    serde_json::from_slice(&testutils::gunzip(path)).unwrap()
}
