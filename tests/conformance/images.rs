//! The pictures that engines loaded for the textures of a level and for its sky, as recorded.

use std::collections::BTreeMap;

use libtest_mimic::Trial;
use quakefs::disk::MemoryDisk;
use quakefs::rules::SubstituteKind;
use quakefs::{Engine, Layout, SearchPath};
use serde::Deserialize;
use testutils::{pack, testdata};

use crate::recorded::read_gz;

#[derive(Deserialize)]
struct Recording {
    seed: u64,
    games: Vec<String>,
    level: Level,
    textures: Vec<String>,
    sky: String,
    /// The directories whose files are in an archive.
    packed: BTreeMap<String, bool>,
    files: BTreeMap<String, Vec<String>>,
    /// The place of each loaded picture, by its name without extension.
    images: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Level {
    dir: String,
    how: String,
}

const LEVEL: &str = "maps/lvl.bsp";

pub(crate) fn trials() -> Vec<Trial> {
    let path = |engine: Engine| testdata("conformance/images").join(format!("{engine}.json.gz"));
    let recorded = Engine::ALL.iter().copied().filter(move |engine| path(*engine).is_file());
    let trial = |engine: Engine| {
        Trial::test(format!("images::{engine}"), move || {
            let recordings: Vec<Recording> = read_gz(&path(engine));
            let wrong: Vec<_> = recordings.iter().filter_map(|recording| recording.wrong(engine)).collect();
            assert!(!recordings.is_empty());
            assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
            Ok(())
        })
    };
    recorded.map(trial).collect()
}

impl Recording {
    fn mount(&self, engine: Engine) -> SearchPath {
        let disk = MemoryDisk::new();
        disk.insert("/quake/id1/quake.rc", "").unwrap();
        for (dir, files) in &self.files {
            let mut packed: Vec<_> = files.iter().map(String::as_str).filter(|_| self.packed[dir]).collect();
            let mut loose: Vec<_> = files.iter().map(String::as_str).filter(|_| !self.packed[dir]).collect();
            if *dir == self.level.dir {
                if self.level.how == "pak" { packed.push(LEVEL) } else { loose.push(LEVEL) }
            }
            for name in loose {
                disk.insert(format!("/quake/{dir}/{name}"), name.to_owned()).unwrap();
            }
            if !packed.is_empty() {
                let pak = pack(Layout::Quake, packed.into_iter().map(|name| (name, name)));
                disk.insert(format!("/quake/{dir}/pak0.pak"), pak).unwrap();
            }
        }
        let builder = SearchPath::builder("/quake").disk(disk).engine(engine);
        self.games.iter().fold(builder, quakefs::Builder::game).mount().unwrap()
    }

    /// The difference to the engine.
    fn wrong(&self, engine: Engine) -> Option<String> {
        let quake = self.mount(engine);
        let textures = self.textures.iter().map(|name| (SubstituteKind::Texture, name));
        let named = textures.chain([(SubstituteKind::Sky, &self.sky)]);
        let mut chosen = BTreeMap::new();
        for (kind, name) in named {
            let files = quake.substitutes(kind, name, Some(LEVEL.as_bytes())).unwrap();
            for copy in files.iter().filter_map(|file| file.copies.first()) {
                let name = copy.name.to_string();
                let directory = copy.file.layer().game_directory().unwrap().name.to_string();
                let stem = name.rsplit_once('.').unwrap().0.to_owned();
                chosen.insert(stem, format!("{directory}/{name}"));
            }
        }
        let is_file = |(_, place): &(&String, &String)| *place != "(level)";
        let loaded: BTreeMap<_, _> =
            self.images.iter().filter(is_file).map(|(name, place)| (name.clone(), place.clone())).collect();
        (chosen != loaded).then(|| format!("seed {}: {engine} {loaded:?}, quakefs {chosen:?}", self.seed))
    }
}
