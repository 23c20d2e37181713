//! Which companions of a level the engines loaded, held against those that quakefs says they load.

use std::collections::BTreeMap;

use camino::Utf8Path;
use libtest_mimic::Trial;
use quakefs::disk::MemoryDisk;
use quakefs::stack::CompanionBecause;
use quakefs::{Engine, Hit, SearchPath};
use serde::Deserialize;
use testutils::{pack, testdata, zip_deflated};

use crate::layout::{Folder, is_pak};
use crate::recorded::read_gz;

#[derive(Deserialize)]
struct Recording {
    seed: u64,
    flags: Vec<String>,
    games: Vec<String>,
    userdir: bool,
    tree: Vec<Folder>,
    copies: BTreeMap<String, Copy>,
    level: String,
    companions: BTreeMap<String, Option<String>>,
}

/// What makes the bytes of a copy.
#[derive(Deserialize)]
struct Copy {
    number: u32,
    /// The size of the light lump: of a level its own, of lights that for which they are made.
    #[serde(default)]
    light: usize,
}

const LEVEL: &str = "maps/lvl.bsp";
const USER: &str = "USER";

pub(crate) fn trials() -> Vec<Trial> {
    let path = |engine: Engine| testdata("conformance/companions").join(format!("{engine}.json.gz"));
    let recorded = Engine::ALL.iter().copied().filter(|engine| path(*engine).is_file());
    let trial = |engine: Engine| {
        Trial::test(format!("companions::{engine}"), move || {
            let recordings: Vec<Recording> = read_gz(&path(engine));
            assert!(!recordings.is_empty());
            let wrong: Vec<_> = recordings.iter().flat_map(|recording| recording.wrong(engine)).collect();
            assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
            Ok(())
        })
    };
    recorded.map(trial).collect()
}

impl Recording {
    fn wrong(&self, engine: Engine) -> Vec<String> {
        let disk = MemoryDisk::new();
        self.lay_out(&disk, engine);
        let mut builder = SearchPath::builder("/root").disk(disk).engine(engine);
        if self.userdir {
            builder = builder.user_directory("/user");
        }
        for flag in &self.flags {
            builder = builder.mission(flag.trim_start_matches('-'));
        }
        for game in &self.games {
            builder = builder.game(game);
        }
        let quake = builder.mount().unwrap();
        let found = quake.companions(LEVEL);
        let mut wrong = Vec::new();
        let mut compare = |name: &str, recorded: Option<&str>, found: Option<&Hit<'_>>| {
            // darkplaces names the archive without the entry
            let entry = recorded.is_some_and(|recorded| recorded.contains(':'));
            let found = found.map(|hit| place(hit, entry));
            if found.as_deref() != recorded {
                wrong.push(format!("seed {} {name}: engine {recorded:?}, quakefs {found:?}", self.seed));
            }
        };
        compare(LEVEL, Some(&self.level), found.level.as_ref());
        for (name, recorded) in &self.companions {
            let loaded = found.copies.iter().find(|copy| {
                copy.name.as_bytes() == name.as_bytes() && copy.because == CompanionBecause::Loaded
            });
            compare(name, recorded.as_deref(), loaded.map(|copy| &copy.hit));
        }
        wrong
    }

    fn lay_out(&self, disk: &MemoryDisk, engine: Engine) {
        for Folder { dir, archives, loose } in &self.tree {
            let folder = match dir.strip_prefix(USER) {
                Some(inside) => Utf8Path::new("/user").join(inside.trim_start_matches('/')),
                None => Utf8Path::new("/root").join(dir),
            };
            disk.insert_folder(&folder).unwrap();
            let prefix = if dir.is_empty() { String::new() } else { format!("{dir}/") };
            for archive in archives {
                let entries = archive.entries.iter().enumerate();
                let files = entries.map(|(entry, name)| {
                    let copy = &self.copies[&format!("{prefix}{}:{entry}", archive.file)];
                    (name.as_str(), copy.content(name, engine))
                });
                let bytes = if is_pak(&archive.file) {
                    pack(pak_format::Layout::Quake, files)
                } else {
                    zip_deflated(files)
                };
                disk.insert(folder.join(&archive.file), bytes).unwrap();
            }
            for name in loose {
                let content = self.copies[&format!("{prefix}{name}")].content(name, engine);
                disk.insert(folder.join(name), content).unwrap();
            }
        }
    }
}

/// Where a copy is, as the recordings say it.
fn place(hit: &Hit<'_>, with_entry: bool) -> String {
    let layer = hit.layer().name().replace("/user", USER);
    match hit.entry() {
        Some(entry) if with_entry => format!("{layer}:{entry}"),
        Some(_) => layer,
        None => format!("{layer}{}", hit.stored()),
    }
}

impl Copy {
    fn content(&self, name: &str, engine: Engine) -> Vec<u8> {
        let of_quake2 = matches!(engine, Engine::YQuake2 | Engine::Q2Pro);
        match Utf8Path::new(name).extension() {
            Some("bsp") if of_quake2 => self.level(b"IBSP\x26\0\0\0", 19, None),
            Some("bsp") => self.level(&29_u32.to_le_bytes(), 15, Some(8)),
            Some("lit") => vec![b'x'; 8 + 3 * self.light],
            _ => b"text".to_vec(),
        }
    }

    /// A level of entities, and lights where it has some.
    fn level(&self, magic: &[u8], lumps: usize, light: Option<usize>) -> Vec<u8> {
        let entities = format!(
            "{{\n\"classname\" \"worldspawn\"\n\"bs{}\" \"1\"\n}}\n{{\n\"classname\" \"info_player_start\"\n\"origin\" \"0 0 0\"\n}}\n\0",
            self.number
        );
        let mut level = magic.to_vec();
        let start = magic.len() + 8 * lumps;
        for lump in 0..lumps {
            let (at, size) = match lump {
                0 => (start, entities.len()),
                lump if Some(lump) == light => (start + entities.len(), self.light),
                _ => (start, 0),
            };
            level.extend(u32::try_from(at).unwrap().to_le_bytes());
            level.extend(u32::try_from(size).unwrap().to_le_bytes());
        }
        level.extend(entities.bytes());
        level.resize(level.len() + self.light, 0);
        level
    }
}
