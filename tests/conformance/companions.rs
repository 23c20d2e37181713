//! Compares the companions of a level that engines loaded with the answers of quakefs: recorded answers, and
//! live ones of QuakeSpasm.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use camino::Utf8Path;
use libtest_mimic::{Completion, Failed, Trial};
use quakefs::disk::{Disk as _, MemoryDisk};
use quakefs::rules::{Rank, Rules, entities_crc};
use quakefs::search_path::CompanionBecause;
use quakefs::{Builder, Engine, File, SearchPath};
use serde::Deserialize;
use testutils::{data, data_or_reason, pack, scaled, testdata, zip_deflated};

use crate::layout::{Archive, Folder, Form, is_pak};
use crate::live::{Asked, run};
use crate::random::Random;
use crate::recorded::read_gz;

#[derive(Default, Deserialize)]
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

/// The ingredients of a copy's bytes.
#[derive(Deserialize)]
struct Copy {
    number: u32,
    /// The size of the light lump in a level; for lights, the size that they fit.
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
    let live = Trial::ignorable_test("live::quakespasm::loads_the_companions_that_are_listed", || {
        let games = data_or_reason("references/games");
        match games.and_then(|_| Asked::new(Engine::QuakeSpasm095, "quakespasm")) {
            Ok(asked) => compare_live(&asked).map(|()| Completion::Completed),
            Err(missing) => Ok(Completion::ignored_with(missing)),
        }
    });
    recorded.map(trial).chain([live]).collect()
}

fn compare_live(asked: &Asked) -> Result<(), Failed> {
    let mut without_rank = Engine::QuakeSpasm095.rules().clone();
    let mut companions = without_rank.companions.items().to_vec();
    for companion in &mut companions {
        companion.rank = Rank::Any;
    }
    without_rank.companions = companions.into();
    let (mut wrong, mut loaded, mut caught) = (Vec::new(), 0, 0);
    let count = scaled(25, 200);
    for seed in 1..=count {
        let mut recording = Recording::random(seed);
        recording.ask(asked)?;
        loaded += recording.companions.values().flatten().count();
        wrong.extend(recording.wrong(Engine::QuakeSpasm095));
        caught += recording.wrong_under(Engine::QuakeSpasm095, &without_rank).len();
    }
    assert!(caught > 0, "a wrong rule is not noticed");
    if loaded < usize::try_from(count)? / 2 {
        return Err("too few companions are loaded for this to tell anything".into());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

impl Recording {
    fn wrong(&self, engine: Engine) -> Vec<String> {
        self.wrong_under(engine, engine.rules())
    }

    fn wrong_under(&self, engine: Engine, rules: &Rules) -> Vec<String> {
        let disk = MemoryDisk::new();
        self.lay_out(engine, Lights::Good, &mut |path, content| match content {
            Some(content) => disk.insert(path, content).unwrap(),
            None => disk.make_folder(path.as_ref(), path.as_ref()).unwrap(),
        });
        let mut builder = SearchPath::builder("/root").disk(disk).rules(rules.clone());
        if self.userdir {
            builder = builder.user_directory("/user");
        }
        let flags = self.flags.iter().map(|flag| flag.trim_start_matches('-'));
        builder = self.games.iter().fold(flags.fold(builder, Builder::mission), Builder::game);
        let quake = builder.mount().unwrap();
        let found = quake.companions(LEVEL);
        let mut wrong = Vec::new();
        let mut compare = |name: &str, recorded: Option<&str>, found: Option<&File<'_>>| {
            // darkplaces names the archive without the entry
            let entry = recorded.is_some_and(|recorded| recorded.contains(':'));
            let found = found.map(|file| place(file, entry));
            if found.as_deref() != recorded {
                wrong.push(format!("seed {} {name}: engine {recorded:?}, quakefs {found:?}", self.seed));
            }
        };
        compare(LEVEL, Some(&self.level), found.level.as_ref());
        for (name, recorded) in &self.companions {
            let loaded = found.copies.iter().find(|copy| {
                copy.name.as_bytes() == name.as_bytes() && copy.because == CompanionBecause::Loaded
            });
            compare(name, recorded.as_deref(), loaded.map(|copy| &copy.file));
        }
        wrong
    }

    /// Calls `each` for every file, and for every folder without content.
    fn lay_out(&self, engine: Engine, form: Lights, put: &mut dyn FnMut(&Utf8Path, Option<Vec<u8>>)) {
        for Folder { dir, archives, loose, .. } in &self.tree {
            let folder = match dir.strip_prefix(USER) {
                Some(inside) => Utf8Path::new("/user").join(inside.trim_start_matches('/')),
                None => Utf8Path::new("/root").join(dir),
            };
            put(&folder, None);
            let prefix = if dir.is_empty() { String::new() } else { format!("{dir}/") };
            for archive in archives {
                let entries = archive.entries.iter().enumerate();
                let files = entries.map(|(entry, name)| {
                    let copy = &self.copies[&format!("{prefix}{}:{entry}", archive.file)];
                    (name.as_str(), copy.content(name, engine, form))
                });
                let bytes = if is_pak(&archive.file) {
                    pack(pak_format::Layout::Quake, files)
                } else {
                    zip_deflated(files)
                };
                put(&folder.join(&archive.file), Some(bytes));
            }
            for name in loose {
                let content = self.copies[&format!("{prefix}{name}")].content(name, engine, form);
                put(&folder.join(name), Some(content));
            }
        }
    }

    /// A layout for QuakeSpasm, without answers. Each seed has one layout.
    fn random(seed: u64) -> Recording {
        let mut random = Random::new(seed);
        let mut recording = Recording { seed, games: vec!["mod".to_owned()], ..Recording::default() };
        let dirs: &[&str] = if random.percent(30) { &["id1", "hipnotic", "mod"] } else { &["id1", "mod"] };
        if dirs.len() == 3 {
            recording.flags.push("-hipnotic".to_owned());
        }
        // the level first: other files are named by its CRC
        let mut copies: Vec<(&str, String)> = Vec::new();
        let mut crcs = Vec::new();
        let levels = if random.percent(50) { 1 } else { 2 };
        let names = ["maps/lvl.lit", "maps/lvl.ent", "maps/lvl@", "maps/lvl.vis", "mod.vis"];
        for number in 1..=levels {
            crcs.push(entities_crc(entities("bs", number).as_bytes()));
            copies.push((random.pick(dirs), LEVEL.to_owned()));
        }
        let places: Vec<&str> = dirs.iter().copied().chain([""]).collect();
        for name in names {
            for place in &places {
                if random.percent(if place.is_empty() { 20 } else { 40 }) {
                    let crc = crcs[usize::from(random.percent(50)) % crcs.len()];
                    let name =
                        if name.ends_with('@') { format!("{name}{crc:04x}.ent") } else { name.to_owned() };
                    copies.push((place, name));
                }
            }
        }
        let mut number = 0;
        for dir in &places {
            // an archive without files would end the run
            let archive = |file: &str| Archive {
                file: file.to_owned(),
                entries: vec!["pad.txt".to_owned()],
                form: Form::default(),
            };
            let archives = match *dir {
                "" => vec![archive("quakespasm.pak")],
                _ => vec![archive("pak0.pak"), archive("pak1.pak")],
            };
            recording.tree.push(Folder {
                dir: (*dir).to_owned(),
                archives,
                loose: Vec::new(),
                links: Vec::new(),
            });
        }
        for (dir, name) in copies {
            number += 1;
            let light = if random.percent(70) { 16 } else { 32 };
            let folder = recording.tree.iter_mut().find(|folder| folder.dir == dir).unwrap();
            let prefix = if dir.is_empty() { String::new() } else { format!("{dir}/") };
            let key = if !dir.is_empty() && random.percent(40) && !folder.loose.contains(&name) {
                folder.loose.push(name.clone());
                format!("{prefix}{name}")
            } else {
                let last = folder.archives.len() - 1;
                let archive = &mut folder.archives[if random.percent(50) { last } else { 0 }];
                archive.entries.push(name.clone());
                format!("{prefix}{}:{}", archive.file, archive.entries.len() - 1)
            };
            recording.companions.insert(name, None);
            recording.copies.insert(key, Copy { number, light });
        }
        for Folder { dir, archives, .. } in &recording.tree {
            for archive in archives {
                let prefix = if dir.is_empty() { String::new() } else { format!("{dir}/") };
                recording.copies.insert(format!("{prefix}{}:0", archive.file), Copy { number: 0, light: 0 });
            }
        }
        recording.companions.remove(LEVEL);
        recording
    }

    /// Loads the level in QuakeSpasm and records the files that it took.
    fn ask(&mut self, asked: &Asked) -> Result<(), Failed> {
        let inside = self.start(asked, Lights::Marked, "0")?;
        let outside = self.start(asked, Lights::Good, "1")?;
        let number = |text: &str, before: &str| {
            let digits = text.split_once(before)?.1;
            let digits = digits.split(|digit: char| !digit.is_ascii_digit()).next()?;
            digits.parse::<u32>().ok()
        };
        let place = |number: u32| {
            let is_of_number = |(_, copy): &(&String, &Copy)| copy.number == number;
            self.copies.iter().find(is_of_number).map(|(place, _)| place.clone())
        };
        let level = number(&inside, "\"bs").and_then(place);
        self.level = level.ok_or_else(|| format!("seed {}: no level is loaded:\n{inside}", self.seed))?;
        let lights = number(&inside, "Unknown .lit file version (").map(|version| version - MARK);
        let lights = lights.filter(|_| outside.contains("maps/lvl.lit loaded")).and_then(place);
        let entities = number(&outside, "\"en").and_then(place);
        let visible = outside.split_once(" bytes visibility data").and_then(|(before, _)| {
            let bytes: u32 = before.rsplit("...").next()?.parse().ok()?;
            place(bytes - MARK)
        });
        for taken in [lights, entities, visible].into_iter().flatten() {
            let name = match taken.rsplit_once(':') {
                Some((archive, entry)) => {
                    let (dir, file) = archive.rsplit_once('/').unwrap_or(("", archive));
                    let folder = self.tree.iter().find(|folder| folder.dir == dir).unwrap();
                    let archive = folder.archives.iter().find(|archive| archive.file == file).unwrap();
                    archive.entries[entry.parse::<usize>()?].clone()
                }
                None => taken.split_once('/').unwrap().1.to_owned(),
            };
            self.companions.insert(name, Some(taken));
        }
        Ok(())
    }

    /// The output of the engine while it loads the level.
    fn start(&self, asked: &Asked, form: Lights, outside: &str) -> Result<String, Failed> {
        let folder = tempfile::tempdir()?;
        let base = Utf8Path::from_path(folder.path()).unwrap();
        let below = |path: &Utf8Path| base.join(path.as_str().trim_start_matches('/'));
        self.lay_out(Engine::QuakeSpasm095, form, &mut |path, content| match content {
            Some(content) => write(&below(path), &content),
            None => fs::create_dir_all(below(path)).unwrap(),
        });
        let base = base.join("root");
        for (name, content) in &asked.start_up {
            write(&base.join("id1").join(name), content);
        }
        write(&base.join("id1/progs.dat"), &fs::read(data("references/games/qcc/progs.dat"))?);
        let mut command = Command::new(&asked.program);
        command.args(["-dedicated", "-ip", "127.0.0.1", "-port", "0", "-basedir", base.as_str()]);
        command.args(&self.flags).args(["-game", "mod", "+developer", "2", "+external_ents", outside]);
        command.args(["+map", "lvl", "+quit"]);
        command.env("HOME", folder.path()).current_dir(folder.path());
        Ok(run(command)?)
    }
}

fn write(path: &Utf8Path, content: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// The purpose of a file of lights.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lights {
    /// The engine should load it.
    Good,
    /// The engine should refuse it, by a version number that identifies the copy.
    Marked,
}

/// The offset of a copy's number as a version or a size.
const MARK: u32 = 1000;

/// The place of a copy, in the words of the recordings.
fn place(file: &File<'_>, with_entry: bool) -> String {
    let layer = file.layer().name().replace("/user", USER);
    match file.entry() {
        Some(entry) if with_entry => format!("{layer}:{entry}"),
        Some(_) => layer,
        None => format!("{layer}{}", file.stored()),
    }
}

impl Copy {
    fn content(&self, name: &str, engine: Engine, form: Lights) -> Vec<u8> {
        let of_quake2 = matches!(engine, Engine::YQuake2 | Engine::Q2Pro);
        match Utf8Path::new(name).extension() {
            Some("bsp") if of_quake2 => bytes_of_level(b"IBSP\x26\0\0\0", &self.lumps(19)),
            Some("bsp") => bytes_of_level(&29_u32.to_le_bytes(), &self.lumps(15)),
            Some("lit") => {
                let version = if form == Lights::Good { 1 } else { MARK + self.number };
                [&b"QLIT"[..], &version.to_le_bytes(), &vec![b'x'; 3 * self.light]].concat()
            }
            Some("ent") => entities("en", self.number).trim_end_matches('\0').into(),
            Some("vis") => {
                let visible = MARK + self.number;
                let leaves = &self.lumps(15)[10];
                let rest = [
                    &visible.to_le_bytes()[..],
                    &vec![0xff; visible as usize],
                    &u32::try_from(leaves.len()).unwrap().to_le_bytes(),
                    leaves,
                ];
                let rest = rest.concat();
                let mut name = b"lvl.bsp".to_vec();
                name.resize(32, 0);
                [&name[..], &u32::try_from(rest.len()).unwrap().to_le_bytes(), &rest].concat()
            }
            _ => b"text".to_vec(),
        }
    }

    /// The lumps of a level that Quake can load: one plane between a solid leaf and an empty one. For Quake
    /// II only the entities.
    fn lumps(&self, count: usize) -> Vec<Vec<u8>> {
        let mut lumps = vec![Vec::new(); count];
        lumps[0] = entities("bs", self.number).into();
        if count != 15 {
            return lumps;
        }
        let shorts = |words: &[i16]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
        let longs = |words: &[i32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
        let floats = |words: &[f32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
        let bounds = shorts(&[-64, -64, -64, 64, 64, 64]);
        let children = shorts(&[-1, -2]);
        lumps[1] = [floats(&[1.0, 0.0, 0.0, 0.0]), longs(&[0])].concat();
        lumps[5] = [longs(&[0]), children.clone(), bounds.clone(), shorts(&[0, 0])].concat();
        lumps[8] = vec![b'x'; self.light];
        lumps[9] = [longs(&[0]), children].concat();
        let leaf = |contents| [longs(&[contents, -1]), bounds.clone(), shorts(&[0; 4])].concat();
        lumps[10] = [leaf(-2), leaf(-1)].concat();
        let size = [-64.0, -64.0, -64.0, 64.0, 64.0, 64.0, 0.0, 0.0, 0.0];
        lumps[14] = [floats(&size), longs(&[0, 0, 0, 0, 1, 0, 0])].concat();
        lumps
    }
}

/// Entities with a key that identifies the copy.
fn entities(mark: &str, number: u32) -> String {
    format!(
        "{{\n\"classname\" \"worldspawn\"\n\"{mark}{number}\" \"1\"\n}}\n{{\n\"classname\" \
            \"info_player_start\"\n\"origin\" \"0 0 0\"\n}}\n\0"
    )
}

fn bytes_of_level(magic: &[u8], lumps: &[Vec<u8>]) -> Vec<u8> {
    let mut level = magic.to_vec();
    let mut start = magic.len() + 8 * lumps.len();
    for lump in lumps {
        level.extend(u32::try_from(start).unwrap().to_le_bytes());
        level.extend(u32::try_from(lump.len()).unwrap().to_le_bytes());
        start += lump.len().next_multiple_of(4);
    }
    for lump in lumps {
        level.extend(lump);
        level.resize(level.len().next_multiple_of(4), 0);
    }
    level
}
