//! `testdata/game`: a base directory to ask questions of. It is made here; `UPDATE=1` rewrites it.

use std::collections::BTreeMap;
use std::fs;
use std::sync::LazyLock;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::{Builder, Layout};
use quakefs::SearchPath;
use testutils::{content, program, testdata};

use crate::{layers, place, places};

enum Made {
    Loose(&'static str),
    Pak(&'static [(&'static str, &'static str)]),
}
use Made::{Loose, Pak};

const FILES: &[(&str, Made)] = &[
    (
        "id1/pak0.pak",
        Pak(&[
            ("quake.rc", "exec default.cfg\nexec config.cfg\nexec autoexec.cfg\n"),
            ("default.cfg", "bind ESCAPE togglemenu\n"),
            ("progs.dat", "the game's rules, as id1/pak0.pak has them\n"),
            ("gfx/conback.lmp", "a picture: behind the console\n"),
            ("maps/start.bsp", "a level: start, as id1/pak0.pak has it\n"),
            ("maps/e1m1.bsp", "a level: e1m1, as id1/pak0.pak has it\n"),
            ("progs/ogre.mdl", "a model: an ogre, as id1/pak0.pak has it\n"),
            ("progs/player.mdl", "a model: the player, as id1/pak0.pak has it\n"),
            ("sound/misc/secret.wav", "a sound: a secret is found, as id1/pak0.pak has it\n"),
            ("sound/ogre/ogdrag.wav", "a sound: an ogre drags its chainsaw, as id1/pak0.pak has it\n"),
        ]),
    ),
    (
        "id1/pak1.pak",
        Pak(&[
            ("default.cfg", "bind ESCAPE togglemenu\nbind TAB +showscores\n"),
            ("maps/e2m1.bsp", "a level: e2m1, as id1/pak1.pak has it\n"),
            ("progs/shambler.mdl", "a model: a shambler, as id1/pak1.pak has it\n"),
        ]),
    ),
    ("id1/config.cfg", Loose("sensitivity 3\n")),
    ("id1/autoexec.cfg", Loose("echo as id1/ has it\n")),
    ("id1/maps/start.bsp", Loose("a level: start, loose in id1/ and hidden by id1/pak0.pak\n")),
    ("id1/maps/mine.bsp", Loose("a level: mine, loose in id1/\n")),
    (
        "mymod/pak0.pak",
        Pak(&[
            ("progs.dat", "the game's rules, as mymod/pak0.pak has them\n"),
            ("maps/start.bsp", "a level: start, as mymod/pak0.pak has it\n"),
            ("gfx/conback.lmp", "a picture: behind the console\n"),
            ("sound/misc/secret.wav", "a sound: a secret is found, as mymod/pak0.pak has it\n"),
        ]),
    ),
    (
        "mymod/pak1.pak",
        Pak(&[
            ("maps/start.bsp", "a level: start, as mymod/pak1.pak has it\n"),
            ("maps/mymod1.bsp", "a level: mymod1, as mymod/pak1.pak has it\n"),
        ]),
    ),
    ("mymod/config.cfg", Loose("sensitivity 5\n")),
    ("mymod/progs.dat", Loose("the game's rules, loose in mymod/ and hidden by mymod/pak0.pak\n")),
    ("mymod/progs/ogre.mdl", Loose("a model: an ogre, loose in mymod/\n")),
    ("mymod/notes.pak", Loose("To do: a better ogre. This is a text, whatever its name says.\n")),
    ("gapmod/pak0.pak", Pak(&[("maps/start.bsp", "a level: start, as gapmod/pak0.pak has it\n")])),
    ("gapmod/pak1.pak", Pak(&[("maps/gap1.bsp", "a level: gap1, as gapmod/pak1.pak has it\n")])),
    ("gapmod/PAK2.PAK", Pak(&[("maps/gap2.bsp", "a level: gap2, as gapmod/PAK2.PAK has it\n")])),
    (
        "gapmod/pak3.pak",
        Pak(&[
            ("maps/gap3.bsp", "a level: gap3, as gapmod/pak3.pak has it\n"),
            ("maps/start.bsp", "a level: start, as gapmod/pak3.pak has it\n"),
        ]),
    ),
    ("gapmod/config.cfg", Loose("sensitivity 4\n")),
];

fn made() -> BTreeMap<Utf8PathBuf, Vec<u8>> {
    let bytes = |path: &str, made: &Made| match made {
        Loose(text) => file(path, text),
        Pak(entries) => {
            let mut pak = Builder::new(Layout::Quake);
            entries.iter().for_each(|(name, text)| pak.add(name, file(name, text)).unwrap());
            pak.finish().unwrap()
        }
    };
    FILES.iter().map(|(path, made)| (path.into(), bytes(path, made))).collect()
}

/// A file that an engine can load, with a text that tells it from the others: the title of a level, and at
/// the end of another file.
fn file(name: &str, text: &str) -> Vec<u8> {
    let small = match name.rsplit_once('.').unwrap().1 {
        "bsp" => {
            let entities = format!("{{ classname worldspawn message \"{}\" }}", text.trim_end());
            return content::level([29, 0, 0, 0], entities, &[]);
        }
        "dat" => program::small(),
        "mdl" => content::solid_mdl(),
        "wav" => content::wav(11_025, 10),
        "lmp" => content::lump(8, 8),
        _ => Vec::new(),
    };
    [small, text.as_bytes().to_vec()].concat()
}

fn folder() -> &'static Utf8Path {
    static FOLDER: LazyLock<Utf8PathBuf> = LazyLock::new(|| {
        let folder = testdata("game");
        if testutils::update() {
            fs::remove_dir_all(&folder).unwrap();
            for (path, bytes) in made() {
                let path = folder.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
        }
        folder
    });
    &FOLDER
}

fn on_disk(within: &Utf8Path, found: &mut BTreeMap<Utf8PathBuf, Vec<u8>>) {
    for entry in within.read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        if path.is_dir() {
            on_disk(&path, found);
        } else {
            let name = path.strip_prefix(folder()).unwrap().components();
            let name = name.map(|part| part.as_str()).collect::<Vec<_>>().join("/");
            found.insert(name.into(), fs::read(&path).unwrap());
        }
    }
}

#[test]
fn the_game_on_disk_equals_the_generated_one() {
    let made = made();
    let mut found = BTreeMap::new();
    on_disk(folder(), &mut found);
    let names = |files: &BTreeMap<Utf8PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&made), "UPDATE=1 rewrites testdata/game");
    for (path, bytes) in &made {
        assert!(found[path] == *bytes, "{path} differs: UPDATE=1 rewrites testdata/game");
    }
}

#[test]
fn the_game_on_disk_is_small() {
    let made = made();
    assert!(made.len() < 30, "{} files", made.len());
    let size: usize = made.values().map(Vec::len).sum();
    assert!(size < 20_000, "{size} bytes");
}

#[test]
#[cfg_attr(windows, ignore = "needs a disk that compares case")]
fn the_game_on_disk_has_hidden_copies_and_a_gap() {
    let quake = SearchPath::builder(folder()).game("mymod").mount().unwrap();
    assert_eq!(
        layers(&quake),
        "mymod/pak1.pak > mymod/pak0.pak > mymod/ > id1/pak1.pak > id1/pak0.pak > id1/"
    );
    let start = "mymod/pak1.pak:0 > mymod/pak0.pak:1 > id1/pak0.pak:4 > id1/maps/start.bsp";
    assert_eq!(places(quake.copies("maps/start.bsp")), start);
    assert_eq!(places(quake.find("progs/ogre.mdl")), "mymod/progs/ogre.mdl");
    let same: Vec<_> = quakefs::why::overridden(&quake)
        .into_iter()
        .filter(|pair| pair.winner.is_same_content(&pair.copy).unwrap())
        .map(|pair| place(&pair.copy))
        .collect();
    assert_eq!(same, ["id1/pak0.pak:3"]);

    let gap = SearchPath::builder(folder()).game("gapmod").mount().unwrap();
    assert!(gap.find("maps/gap3.bsp").is_none());
    let skipped: Vec<_> = gap.findings().map(|finding| finding.location.layer_name()).collect();
    assert_eq!(skipped, ["gapmod/PAK2.PAK", "gapmod/pak3.pak"]);
}
