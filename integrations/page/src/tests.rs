//! What a drop gives: the base directory, the engine, the games and the place of each download.

use std::cell::RefCell;
use std::collections::BTreeSet;

use quakefs::FileData;
use quakefs::pak_format::Layout;
use serde_json::{Value, json};
use testutils::{hostile, pack, zip};

use crate::Session;

thread_local! {
    /// The contents of the dropped files by their numbers.
    static FILES: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

fn read(number: u32) -> FileData {
    FILES.with_borrow(|files| FileData::from(files[number as usize].clone()))
}

/// The page: the dropped files and the choices.
struct Page {
    session: Session<FileData>,
    /// The files, each with the number of its drop.
    dropped: Vec<(String, Vec<u8>, usize)>,
    drops: usize,
    on: &'static str,
    /// The engine that the person chose.
    engine: &'static str,
    games: Vec<String>,
}

impl Page {
    fn on(on: &'static str) -> Page {
        let session = Session::new(read);
        Page { session, dropped: Vec::new(), drops: 0, on, engine: "", games: Vec::new() }
    }

    fn ask(&mut self, question: &Value) -> Value {
        serde_json::from_str(&self.session.answer(&question.to_string()).text).unwrap()
    }

    /// Drops more files, and returns the answer.
    fn drop<C: AsRef<[u8]>>(&mut self, files: &[(&str, C)]) -> Value {
        let drop = self.drops;
        self.drops += 1;
        let top = |path: &str| path.split('/').next().unwrap().to_owned();
        let fresh: BTreeSet<_> = files.iter().map(|(path, _)| top(path)).collect();
        // as on the page, a later drop of the same name replaces an earlier one
        self.dropped.retain(|(path, ..)| !fresh.contains(&top(path)));
        let files = files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.as_ref().to_vec(), drop));
        self.dropped.extend(files);
        self.mount(&fresh)
    }

    /// Takes a drop back, and returns the answer.
    fn take_back(&mut self, drop: usize) -> Value {
        let gone = self.dropped.extract_if(.., |(_, _, of)| *of == drop);
        let fresh = gone.map(|(path, ..)| path.split('/').next().unwrap().to_owned()).collect();
        self.mount(&fresh)
    }

    fn mount(&mut self, fresh: &BTreeSet<String>) -> Value {
        let dropped = self.dropped.clone();
        FILES.with_borrow_mut(|all| *all = dropped.iter().map(|(_, bytes, _)| bytes.clone()).collect());
        let rows: Vec<_> = dropped.iter().map(|(path, bytes, drop)| (path, bytes.len(), drop)).collect();
        assert_eq!(self.ask(&json!({ "drop": { "files": rows } })), json!({}));
        let choice = json!({ "engine": self.engine, "on": self.on, "games": self.games, "fresh": fresh });
        let answer = self.ask(&json!({ "mount": choice }));
        self.games = texts(&answer["games"]);
        answer
    }
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// What the page says about each download, and about a game that is left.
fn placed(answer: &Value) -> Vec<String> {
    let rows = answer["placed"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let rows = rows.iter().filter(|row| row["says"] != "the game");
    let said = |row: &Value| format!("{}: {}", row["name"].as_str().unwrap(), row["says"].as_str().unwrap());
    rows.map(said).collect()
}

fn line(answer: &Value) -> String {
    texts(&answer["line"]).join(" ")
}

/// An archive of Quake's base game.
fn base_pak() -> Vec<u8> {
    let files = ["gfx.wad", "gfx/palette.lmp", "gfx/colormap.lmp", "quake.rc", "maps/start.bsp"];
    pack(Layout::Quake, files.map(|name| (name, "x")))
}

fn level_zip() -> Vec<u8> {
    zip([("bg.bsp", b"\x1d\0\0\0level")])
}

fn quake3_pak() -> Vec<u8> {
    zip([("maps/q3dm1.bsp", b"IBSP\x2e\0\0\0"), ("scripts/a.shader", b"textures")])
}

#[test]
fn a_folder_with_a_base_folder_in_any_case_is_the_base_directory() {
    let gog = [
        ("gog/Id1/PAK0.PAK", base_pak()),
        ("gog/Id1/PAK1.PAK", base_pak()),
        ("gog/hipnotic/pak0.pak", base_pak()),
        ("gog/rogue/pak0.pak", base_pak()),
        ("gog/ironwail.exe", b"MZ".to_vec()),
    ];
    let mut page = Page::on("windows");
    let answer = page.drop(&gog);
    assert_eq!((&answer["engine"], placed(&answer)), (&"ironwail".into(), vec![]));
    assert_eq!(texts(&answer["folders"]), ["Id1", "hipnotic", "rogue"]);
    assert_eq!(texts(&answer["known"]), [""; 0]);
    assert_eq!(line(&answer), "--basedir gog --engine ironwail --on windows");
    // a level goes into the folder that exists
    let answer = page.drop(&[("level.zip", level_zip())]);
    assert_eq!(
        placed(&answer),
        ["level.zip: placed in Id1/maps/, where levels, demos and archives without a folder go"]
    );
    // a system that compares exactly: the answer of the command
    let caps = [("caps/ID1/PAK0.PAK", base_pak())];
    for (engine, expected) in [("darkplaces", "no folder id1"), ("", "no folder id1")] {
        let mut page = Page::on("linux");
        page.engine = engine;
        let answer = page.drop(&caps);
        let (error, help) = (answer["error"].as_str().unwrap(), answer["help"].as_str().unwrap());
        assert!(error.ends_with(expected) && error.starts_with("caps: "), "{error}");
        assert!(help.starts_with("rename ID1 to id1"), "{help}");
    }
    // the rename of the folder
    let mut page = Page::on("windows");
    page.drop(&caps);
    let answer = page.ask(&json!({ "page": {} }));
    let findings = answer["findings"].as_array().unwrap();
    let renames = findings.iter().map(|one| &one["advice"][0]).filter(|step| step["step"] == "rename");
    let of = |step: &Value| (step["of"][0].clone(), step["to"].clone());
    assert!(renames.map(of).any(|step| step == ("ID1".into(), "id1".into())), "{answer}");
}

#[test]
fn a_folder_gives_the_same_engine_and_base_in_every_tongue() {
    let rows: Vec<Value> = serde_json::from_str(include_str!("../../../testdata/choices.json")).unwrap();
    for row in rows.iter().filter(|row| row["files"] != json!([])) {
        let files = texts(&row["files"]).into_iter().map(|path| {
            let content = match path.to_ascii_lowercase().rsplit_once('.') {
                Some((_, "pak")) => pack(Layout::Quake, [("default.cfg", "bind")]),
                Some((_, "pk3")) => zip([("default.cfg", b"bind")]),
                _ => b"content".to_vec(),
            };
            (format!("folder/{path}"), content)
        });
        let files: Vec<_> = files.collect();
        let files: Vec<_> = files.iter().map(|(path, bytes)| (&**path, bytes)).collect();
        let mut page = Page::on(row["on"].as_str().map_or("linux", |_| "windows"));
        let answer = page.drop(&files);
        // a folder without a game is a download
        if row["refused"] == true || row["base"].is_null() {
            continue;
        }
        assert_eq!(answer["engine"], row["engine"], "{row}");
        let base = match row["base"].as_str().unwrap() {
            "." => "folder".to_owned(),
            below => format!("folder/{below}"),
        };
        assert!(line(&answer).starts_with(&format!("--basedir {base} ")), "{row}: {}", line(&answer));
        assert_eq!(page.ask(&json!({ "page": {} }))["verdict"]["verdict"], row["verdict"], "{row}");
    }
}

#[test]
fn each_drop_decides_the_engine_again_unless_the_person_chose_one() {
    let level = [("level.zip", level_zip())];
    let game = [("quake/id1/pak0.pak", base_pak()), ("quake/ironwail.exe", b"MZ".to_vec())];
    let quake3 = [("q3/baseq3/pak0.pk3", quake3_pak())];
    for (drops, engine) in [
        ([&level[..], &game[..]], "ironwail"),
        ([&game, &level], "ironwail"),
        ([&level, &quake3], "ioquake3"),
        ([&quake3, &level], "ioquake3"),
    ] {
        let mut page = Page::on("linux");
        page.drop(drops[0]);
        let answer = page.drop(drops[1]);
        assert_eq!((&answer["engine"], texts(&answer["games"])), (&engine.into(), vec![]));
        page.engine = "darkplaces";
        assert_eq!(page.drop(drops[1])["engine"], "darkplaces");
    }
}

#[test]
fn no_mod_of_another_family_is_selected() {
    let quake3 = [("q3/baseq3/pak0.pk3", quake3_pak())];
    let vektar = [("vektar/progs.dat", b"x".to_vec()), ("vektar/maps/bg.bsp", b"\x1d\0\0\0level".to_vec())];
    let quake = [
        &[("lq/id1/pak0.pak", base_pak())][..],
        &vektar.clone().map(|(path, bytes)| {
            (if path.ends_with("dat") { "lq/vektar/progs.dat" } else { "lq/vektar/maps/bg.bsp" }, bytes)
        }),
    ]
    .concat();
    let mut page = Page::on("linux");
    page.engine = "ioquake3";
    page.drop(&quake3);
    let answer = page.drop(&quake);
    assert_eq!((&answer["engine"], texts(&answer["games"])), (&"ioquake3".into(), vec![]));
    // the mod was selected by the engine before
    let mut page = Page::on("linux");
    assert_eq!(texts(&page.drop(&vektar)["games"]), ["vektar"]);
    let answer = page.drop(&quake3);
    assert_eq!((&answer["engine"], texts(&answer["games"])), (&"ioquake3".into(), vec![]));
    // the folder is not searched, and another engine searches it
    let row = &answer["placed"][0];
    assert_eq!((&row["name"], &row["other"]), (&"vektar".into(), &"quakespasm".into()));
}

#[test]
fn the_program_in_the_folder_decides_about_the_engine() {
    for (programs, engine, reason) in [
        (&["fteqw64.exe"][..], "fte", "its program fteqw64.exe is in the base directory"),
        // every copy of a store contains it
        (&["WINQUAKE.EXE"], "quakespasm", "the default, because nothing shows another engine"),
        (&["Quake_x64_steam.exe"], "quake-kex", "its program Quake_x64_steam.exe is in the base directory"),
        (
            &["ironwail.exe", "darkplaces.exe"],
            "ironwail",
            "a guess: its program ironwail.exe is in the base directory, and so is darkplaces.exe",
        ),
        (&[], "quakespasm", "the default, because nothing shows another engine"),
    ] {
        let mut files = vec![("quake/id1/pak0.pak".to_owned(), base_pak())];
        files.extend(programs.iter().map(|program| (format!("quake/{program}"), b"MZ".to_vec())));
        let files: Vec<_> = files.iter().map(|(path, bytes)| (&**path, bytes)).collect();
        let answer = Page::on("windows").drop(&files);
        assert_eq!((&answer["engine"], &answer["because"]), (&engine.into(), &reason.into()));
    }
}

#[test]
fn single_archives_choose_the_engine_of_their_family_or_layout() {
    let quake2: &[(&str, &[u8])] =
        &[("pics/a.pcx", b"x"), ("maps/base1.bsp", b"IBSP\x26\0\0\0"), ("models/a/tris.md2", b"IDP2")];
    for (name, bytes, engine) in [
        ("mine.pak", pack(Layout::Quake, quake2.iter().copied()), "yquake2"),
        ("zz.pk3", quake3_pak(), "ioquake3"),
        ("dk.pak", pack(Layout::Daikatana, [("a.cfg", "x")]), "daikatana"),
        ("mine.sin", pack(Layout::Sin, [("a.cfg", "x")]), "sin"),
    ] {
        let answer = Page::on("linux").drop(&[(name, bytes)]);
        assert_eq!(answer["engine"], engine, "{name}: {}", answer["because"]);
    }
    // no engine here loads it
    let answer = Page::on("linux").drop(&[("hrot.pak", pack(Layout::Hrot, [("a.cfg", "x")]))]);
    let note = "quakespasm does not read the hrot layout of this archive";
    assert_eq!(
        (&answer["engine"], texts(&answer["placed"][0]["notes"])),
        (&"quakespasm".into(), vec![note.to_owned()])
    );
}

#[test]
fn archives_of_the_base_game_are_mounted_as_the_base_game() {
    let mut page = Page::on("linux");
    let second = pack(Layout::Quake, [("gfx/pop.lmp", "x"), ("maps/e2m1.bsp", "x")]);
    let answer = page.drop(&[("pak1.pak", second), ("pak0.pak", base_pak())]);
    assert_eq!(
        placed(&answer),
        [
            "pak0.pak: placed in id1/, a guess: it is an archive of the base game",
            "pak1.pak: placed in id1/, a guess: it is an archive of the base game"
        ]
    );
    assert_eq!(
        line(&answer),
        "--basedir . --over pak0.pak --over id1=pak1.pak --engine quakespasm --on linux"
    );
    let quake2 = pack(Layout::Quake, ["default.cfg", "pics/colormap.pcx"].map(|name| (name, "x")));
    let answer = Page::on("linux").drop(&[("pak0.pak", quake2)]);
    let says = "pak0.pak: placed in baseq2/, a guess: it is an archive of the base game";
    assert_eq!((&answer["engine"], placed(&answer)), (&"yquake2".into(), vec![says.to_owned()]));
    // a mod with files of its own is above the game, as before
    let answer = Page::on("linux").drop(&[("pak0.pak", pack(Layout::Quake, [("gfx.wad", "x")]))]);
    assert_eq!(placed(&answer), ["pak0.pak: mounted above the game"]);
}

#[test]
fn loose_files_have_the_name_of_one_that_is_placed() {
    let level = b"\x1d\0\0\0level".to_vec();
    let answer = Page::on("linux").drop(&[
        ("aaa.jpg", b"x".to_vec()),
        ("bg.txt", b"by me".to_vec()),
        ("bg.bsp", level.clone()),
    ]);
    assert_eq!(
        placed(&answer),
        ["bg.bsp: placed in id1/maps/, where levels, demos and archives without a folder go"]
    );
    assert_eq!(answer["placed"][0]["own"], "bg");
    let answer = Page::on("linux").drop(&[
        ("a.exe", b"MZ".to_vec()),
        ("ogre.mdl", b"IDPO".to_vec()),
        ("progs.dat", b"x".to_vec()),
    ]);
    assert_eq!(texts(&answer["games"]), ["download"]);
}

#[test]
fn a_loose_file_after_a_level_has_a_row_of_its_own() {
    let mut page = Page::on("linux");
    page.drop(&[("quake/id1/pak0.pak", base_pak())]);
    page.drop(&[("one.bsp", b"\x1d\0\0\0level")]);
    let answer = page.drop(&[("two.bsp", &b"\x1d\0\0\0level"[..]), ("notes.txt", b"by me")]);
    let rows = |answer: &Value| {
        let rows = answer["placed"].as_array().unwrap();
        let row = |row: &Value| [&row["drop"], &row["name"], &row["to"], &row["left"]].map(Clone::clone);
        rows.iter().map(row).collect::<Vec<_>>()
    };
    let game = [json!(0), json!("quake"), json!([]), json!("")];
    let one = [json!(1), json!("one.bsp"), json!(["id1/maps/one.bsp"]), json!("")];
    let two = [json!(2), json!("two.bsp"), json!(["id1/maps/two.bsp"]), json!("notes.txt")];
    assert_eq!(rows(&answer), [game.clone(), one, two.clone()]);
    assert_eq!(rows(&page.take_back(1)), [game, two]);
}

#[test]
fn a_folder_of_levels_and_zips_loses_none() {
    let mut page = Page::on("linux");
    page.drop(&[("quake/id1/pak0.pak", base_pak())]);
    let mut files = vec![("maps/a.bsp".to_owned(), b"\x1d\0\0\0a".to_vec())];
    files.push(("maps/b.bsp".to_owned(), b"\x1d\0\0\0b".to_vec()));
    let inner = |number| zip([(format!("z{number}.bsp"), b"\x1d\0\0\0z")]);
    files.extend((0..8).map(|number| (format!("maps/{number}.zip"), inner(number))));
    let files: Vec<_> = files.iter().map(|(path, bytes)| (&**path, bytes)).collect();
    let answer = page.drop(&files);
    let row = &answer["placed"][1];
    assert_eq!((row["to"].as_array().unwrap().len(), &row["left"]), (10, &json!("")), "{row}");
}

#[test]
fn another_game_is_no_mod_of_the_first() {
    let first = [("one/id1/pak0.pak", base_pak()), ("one/arcane/pak0.pak", base_pak())];
    let second = [("two/id1/pak0.pak", base_pak())];
    let mut page = Page::on("linux");
    page.drop(&first);
    assert_eq!(page.games, ["arcane"]);
    let answer = page.drop(&second);
    assert_eq!((&answer["line"][1], texts(&answer["games"])), (&json!("two"), vec![]));
    assert_eq!(placed(&answer), ["one: another game, which is left"]);
    assert_eq!(answer["placed"][0]["help"], "take back two to see it");
    let answer = page.take_back(1);
    assert_eq!((&answer["line"][1], placed(&answer)), (&json!("one"), vec![]));
    // of another family, under an engine that the person chose
    page.engine = "quakespasm";
    let files = ["default.cfg", "vm/qagame.qvm", "productid.txt"].map(|name| (name, b"x"));
    let answer = page.drop(&[("q3/baseq3/pak0.pk3", zip(files))]);
    assert_eq!(placed(&answer), ["q3: another game, which is left"]);
    assert_eq!(answer["placed"][1]["help"], "choose an engine of its game, such as ioquake3");
    // a folder for the first game is a download
    let answer = page.drop(&[("extra/id1/maps/a.bsp", level_zip())]);
    assert_eq!(placed(&answer)[1..], ["extra: placed in id1/, its own folder"]);
}

#[test]
fn what_a_drop_changes_is_the_game_with_and_without_it() {
    let mod_of = |name: &str, file: &str| [(format!("{name}.zip"), zip([(format!("{name}/{file}"), b"x")]))];
    let mut page = Page::on("linux");
    page.drop(&[("quake/id1/pak0.pak", base_pak())]);
    for (name, file) in [("first", "progs.dat"), ("second", "quake.rc")] {
        page.drop(&mod_of(name, file).each_ref().map(|(name, bytes)| (&**name, bytes)));
    }
    // the engine loads one of the two, and the other is not blamed on the drop
    assert_eq!(page.games, ["second"]);
    let choice = json!({ "on": "linux", "games": page.games });
    let answer = page.ask(&json!({ "changes": { "drop": 2, "choice": choice } }));
    assert_eq!(answer["overridden"]["shown"], json!([["quake.rc", "id1/pak0.pak", "second/"]]), "{answer}");
    assert_eq!((&answer["lost"]["count"], &answer["added"]["count"]), (&json!(0), &json!(0)));
}

/// `testdata/hostile.json`, as in the suites of all doors.
#[test]
fn every_door_treats_hostile_names_alike() {
    let (rows, archive) = hostile();
    let mut page = Page::on("linux");
    page.engine = "darkplaces";
    page.drop(&[("quake/id1/pak0.pak", archive)]);
    for (index, row) in rows.iter().enumerate() {
        let found = page.ask(&json!({ "which": { "name": row.entry } }));
        assert_eq!(found["found"] == true, row.asked, "{:?}: {found}", row.entry);
        let copy = json!({ "name": row.entry, "layer": 0, "entry": index });
        let answer = page.session.answer(&json!({ "preview": copy }).to_string());
        assert!(
            !answer.text.contains(|letter: char| letter.is_control()),
            "{:?}: {}",
            row.entry,
            answer.text
        );
        let is_read = answer.text.contains(row.text.as_deref().unwrap_or("no text"));
        assert!(row.asked || !is_read, "{:?}: {}", row.entry, answer.text);
    }
}

#[test]
fn a_game_is_checked_once() {
    use std::cell::Cell;
    use std::io;

    use quakefs::disk::ReadAt;

    thread_local!(static READS: Cell<usize> = const { Cell::new(0) });
    #[derive(Debug)]
    struct Counted(Vec<u8>);
    impl ReadAt for Counted {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            READS.set(READS.get() + 1);
            FileData::from(self.0.clone()).read_at(buffer, offset)
        }
    }
    let files = [base_pak(), level_zip()];
    let sizes = files.each_ref().map(Vec::len);
    let mut session = Session::new(move |number| Counted(files[number as usize].clone()));
    let drop = json!([["quake/id1/pak0.pak", sizes[0], 0], ["level.zip", sizes[1], 1]]);
    let choice = json!({ "engine": "quakespasm", "on": "linux" });
    let mut reads = |question: Value| {
        READS.set(0);
        let answer = session.answer(&question.to_string()).text;
        assert!(!answer.contains("\"error\":"), "{answer}");
        READS.get()
    };
    reads(json!({ "drop": { "files": drop } }));
    reads(json!({ "mount": choice }));
    assert!(reads(json!({ "page": {} })) > 0);
    assert_eq!(reads(json!({ "page": {} })), 0);
}
