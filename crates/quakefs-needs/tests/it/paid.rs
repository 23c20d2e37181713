//! Time and memory are paid for by input: counts of reads, of kept texts and of calls.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};

use quakefs::disk::{Disk, Item, MemoryDisk, Opened, Stat};
use quakefs::{Access, Engine, SearchPath};
use quakefs_needs::{By, Levels, Needs, Trouble};
use testutils::content::{level, room, texture, wad, wal};
use testutils::program::{FIRST, Program, RETURNED, op, small};

use crate::mount;

const QUAKE: [u8; 4] = [29, 0, 0, 0];

/// A disk that counts how often each file is opened.
#[derive(Debug, Default)]
struct Counting {
    disk: MemoryDisk,
    opened: Mutex<BTreeMap<String, u32>>,
}

impl Disk for Counting {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        self.disk.list(folder)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.disk.stat(path)
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        *self.opened.lock().unwrap().entry(name).or_default() += 1;
        self.disk.open(path, access)
    }
}

#[test]
fn a_wad_and_a_model_are_read_twice_however_often_levels_name_them() {
    let mut outside = texture("brick", 16, 16, None);
    outside.truncate(40);
    outside[24..].fill(0);
    let entities = format!("{{ classname worldspawn wad \"{}\" }}", "one.wad;ONE.WAD;".repeat(1000));
    let map = level(QUAKE, entities, &[outside]);
    let mut program = Program::new();
    let (model, brick) = (program.builtin("precache_model", 20), program.constant("progs/a.mdl"));
    program.calls("worldspawn", &[(model, brick)]);
    let disk = Arc::new(Counting::default());
    for (name, bytes) in [
        ("progs.dat", program.finish()),
        ("one.wad", wad(b"WAD2", &[("BRICK", 0x44, Vec::new())])),
        ("progs/a.mdl", testutils::content::model(8, 8, 1)),
        ("maps/a.bsp", map.clone()),
        ("maps/b.bsp", map),
    ] {
        disk.disk.insert(format!("/quake/id1/{name}"), bytes).unwrap();
    }
    let disk_of_quake: Arc<Counting> = Arc::clone(&disk);
    let quake = SearchPath::builder("/quake").disk(disk_of_quake).engine(Engine::VkQuake).mount().unwrap();
    let levels = Levels::new(&quake);
    // one level after the other, because two at once may both begin
    let missing: usize =
        ["maps/a.bsp", "maps/b.bsp"].iter().map(|map| levels.of(&[map])[0].missing().count()).sum();
    let opened = disk.opened.lock().unwrap();
    // for the names in them, and to see whether the engine can load them
    assert_eq!([opened["one.wad"], opened["a.mdl"], opened["progs.dat"]], [2, 2, 1]);
    assert_eq!(missing, 0);
}

#[test]
fn each_frame_of_an_animation_is_needed_by_the_frame_before_it() {
    let frame = |number: u32| {
        let mut bytes = wal(8, 8);
        let next = (number + 1).to_string();
        bytes[56..56 + next.len()].copy_from_slice(next.as_bytes());
        (format!("mod/textures/{number}.wal"), bytes)
    };
    let mut map = b"IBSP\x26\0\0\0".to_vec();
    map.resize(8 + 19 * 8, 0);
    map[48..56].copy_from_slice(&[160, 0, 0, 0, 76, 0, 0, 0]);
    map.resize(160 + 76, 0);
    map[160 + 40] = b'0';
    let files = (0..500).map(frame).chain([("mod/maps/a.bsp".to_owned(), map)]);
    let needs = Levels::new(&mount(Engine::Quake2, files)).of(&["maps/a.bsp"]).remove(0);
    let steps: usize = needs.needed.iter().map(|need| need.by.len()).sum();
    assert_eq!((needs.needed.len(), steps), (501, 1001));
    let last = needs.missing().next().unwrap();
    let before = By::File(b"textures/499.wal"[..].into());
    assert_eq!((last.name.to_string().as_str(), &last.by[1]), ("textures/500.wal", &before));
}

/// A program whose world loads models that it names at run time, without end.
fn endless() -> Vec<u8> {
    let mut program = Program::new();
    let (model, text) = (program.builtin("precache_model", 20), program.builtin("ftos", 26));
    let (number, one) = (program.number(0.0), program.number(1.0));
    program.function(
        "worldspawn",
        &[
            [op::ADD_F, number, one, number],
            [op::STORE_F, number, FIRST, 0],
            [op::CALL1, text, 0, 0],
            [op::STORE_F, RETURNED, FIRST, 0],
            [op::CALL1, model, 0, 0],
            [op::GOTO, (-5_i16).cast_unsigned(), 0, 0],
        ],
    );
    program.finish()
}

#[test]
fn all_levels_together_keep_no_more_than_their_files_pay_for() {
    let names: Vec<_> = (0..20).map(|number| format!("maps/{number}.bsp")).collect();
    let map = level(QUAKE, "{ classname worldspawn }", &[]);
    let files = names.iter().map(|name| (format!("mod/{name}"), map.clone()));
    let files = files.chain([("mod/progs.dat".to_owned(), endless())]);
    let search_path = mount(Engine::QuakeSpasm, files);
    let all = Levels::new(&search_path).of(&names);
    let kept: usize = all.iter().map(|needs| needs.needed.len()).sum();
    assert!(kept < 32 * 1024 * 1024 / 256, "{kept}");
    let is_over = |needs: &Needs| needs.troubles.iter().any(|trouble| matches!(trouble, Trouble::Budget));
    // nothing is left out in silence
    assert!(all.iter().filter(|needs| is_over(needs)).count() >= 10);
    assert!(all.iter().all(|needs| is_over(needs) || needs.needed.len() > 5000));
}

#[test]
fn the_caller_can_stop_the_work_while_a_program_runs() {
    let names: Vec<_> = (0..20).map(|number| format!("maps/{number}.bsp")).collect();
    let map = level(QUAKE, "{ classname worldspawn } { classname misc_loop }", &[]);
    let files = names.iter().map(|name| (format!("mod/{name}"), map.clone()));
    let files = files.chain([("mod/progs.dat".to_owned(), small())]);
    let search_path = mount(Engine::QuakeSpasm, files);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    let levels = Levels::new(&search_path).observed_by(move |done, all| {
        let mut seen = kept.lock().unwrap();
        seen.push((done, all));
        if seen.len() < 50 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let all = levels.of(&names);
    assert!(all.iter().all(|needs| matches!(needs.troubles[..], [Trouble::Stopped])));
    let seen = seen.lock().unwrap();
    // the program of the first levels was running
    assert_eq!((seen.len(), seen[49]), (50, (0, 20)));
}

/// 1 MB of text with a folder of 300 KB and 30,000 pieces in it took gigabytes; with a short folder, and
/// thousands of entities that play the set, minutes.
#[test]
fn a_level_keeps_and_compares_no_more_pieces_of_music_than_its_files_pay_for() {
    for (folder, pieces, entities) in [(300_000, 30_000, 1), (1, 20_000, 5_000)] {
        let folder = "a".repeat(folder);
        let exits = |count| {
            let exits = (0..count).map(|number| format!("exit\n{{\nnextfile n{number}\n}}\n"));
            format!("{{\nentry\n{{\nmark 0\n}}\n{}}}\n", exits.collect::<String>())
        };
        let sets = format!(
            "musicfiles\n{{\ncalm\n{}fight\n{}}}\nlevelmusic\n{{\nm\n{{\nuses {folder}\n}}\n\
            {folder}\n{{\nexplore calm\naction fight\n}}\n}}\n",
            exits(pieces),
            exits(1),
        );
        let level = room(b"IBSP\x2e\0\0\0", &"{ classname target_play_music music m }".repeat(entities), &[]);
        let search_path =
            mount(Engine::OpenJk, [("mod/maps/a.bsp", level), ("mod/ext_data/dms.dat", sets.into_bytes())]);
        let all = Levels::new(&search_path).of(&["maps/a.bsp".to_owned()]);
        let kept: usize = all[0].needed.iter().map(|need| need.name.as_bytes().len()).sum();
        assert!(kept < 64 << 20, "{kept}");
        assert!(all[0].troubles.iter().any(|trouble| matches!(trouble, Trouble::Budget)));
    }
}

/// A value of 40 MB, which an archive holds in 39 KB, took gigabytes; one of 2 MB with pieces of music took
/// 46 seconds.
#[test]
fn a_value_names_no_more_files_than_its_level_pays_for() {
    for (engine, magic, key) in [
        (Engine::YQuake2, b"IBSP\x26\0\0\0", "\"classname\" \"target_changelevel\" \"map\" \"+a"),
        (Engine::IoQuake3, b"IBSP\x2e\0\0\0", "\"classname\" \"worldspawn\" \"music\" \"a "),
    ] {
        let more = key[key.len() - 2..].repeat(200_000);
        let level = room(magic, &format!("{{ \"classname\" \"worldspawn\" }} {{ {key}{more}\" }}"), &[]);
        let search_path = mount(engine, [("mod/maps/a.bsp", level)]);
        let all = Levels::new(&search_path).of(&["maps/a.bsp".to_owned()]);
        assert!(all[0].needed.len() < 20_000, "{}", all[0].needed.len());
        assert!(all[0].troubles.iter().any(|trouble| matches!(trouble, Trouble::Budget)), "{engine}");
    }
}

/// Sixteen games, each with a program that uses up a budget, took 31 seconds.
#[test]
fn several_games_can_have_one_budget() {
    let names: Vec<_> = (0..20).map(|number| format!("maps/{number}.bsp")).collect();
    let map = level(QUAKE, "{ classname worldspawn }", &[]);
    let files = names.iter().map(|name| (format!("mod/{name}"), map.clone()));
    let files = files.chain([("mod/progs.dat".to_owned(), endless())]);
    let search_path = mount(Engine::QuakeSpasm, files);
    let is_over = |needs: &Needs| needs.troubles.iter().any(|trouble| matches!(trouble, Trouble::Budget));
    let first = Levels::new(&search_path);
    assert!(first.of(&names).iter().any(is_over));
    let second = Levels::new(&search_path).with_budget_of(&first).of(&names);
    assert!(second.iter().all(is_over));
}
