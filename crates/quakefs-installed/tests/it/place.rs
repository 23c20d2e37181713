//! Where downloads go, and files that lie where no engine looks.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::{fmt, io};

use insta::assert_snapshot;
use quakefs::disk::{Disk, Item, MemoryDisk, Opened, Stat};
use quakefs::{Access, Archive, Engine, SearchPath};
use quakefs_installed::{Download, PlaceOptions, Placement, misplaced, place};
use testutils::raw_zip::stored;
use testutils::{Folder, game, pack, raw_zip, zip};

const LEVEL: &[u8] = b"\x1d\0\0\0";

fn placed_with(name: &str, bytes: Vec<u8>, options: &PlaceOptions<'_>) -> Placement {
    let disk = MemoryDisk::new();
    disk.insert(name, bytes).unwrap();
    let disk: Arc<dyn Disk> = Arc::new(disk);
    place(&Download::open(&disk, name.into()).unwrap(), options)
}

/// The decision about a download in a few lines.
fn said(placement: &Placement) -> String {
    let mut lines = vec![placement.family.name.to_string()];
    lines.extend(placement.parts.iter().map(|part| {
        let from = if part.from.is_empty() { "." } else { &part.from };
        format!("{from} -> {} ({}) by {}", part.to, part.files, part.by.name())
    }));
    lines.extend(
        placement.starts.iter().map(|start| format!("start: {}", start.words(&placement.family).join(" "))),
    );
    lines.extend((!placement.left.is_empty()).then(|| format!("left: {}", placement.left.join(" "))));
    lines.extend(placement.nothing.map(|nothing| format!("nothing: {nothing}")));
    lines.extend(placement.notes.iter().map(|note| format!("note: {note}")));
    lines.join("\n")
}

fn placed(name: &str, files: &[(&str, &[u8])]) -> String {
    said(&placed_with(name, zip(files.iter().copied()), &PlaceOptions::default()))
}

#[test]
fn levels_without_a_folder_go_into_the_base_game() {
    let files = [
        ("mymap.bsp", LEVEL),
        ("mymap.lit", b"QLIT"),
        ("mymap.txt", b"by me"),
        ("__MACOSX/._mymap.bsp", b"x"),
    ];
    assert_snapshot!(placed("mymap.zip", &files), @r"
    Quake
    . -> id1/maps/ (2) by levels
    start: +map mymap
    left: mymap.txt
    ");
    let files =
        [("maps/a.bsp", LEVEL), ("maps/b.bsp", LEVEL), ("readme.txt", b"needs quoth: quake -quoth +map a")];
    assert_snapshot!(placed("two.zip", &files), @"
    Quake
    . -> id1/ (2) by levels
    start: -quoth +map a
    left: readme.txt
    ");
}

#[test]
fn a_flat_mod_goes_where_its_text_says_or_to_a_guess() {
    let text: &[u8] = b"Frogbot\r\n\r\nStart it with: quake -game FrogBot +map dm4\r\n";
    let files =
        |text| [("PROGS.DAT", &b"x"[..]), ("readme.txt", text), ("sound/a.wav", b"x"), ("dm9.bsp", LEVEL)];
    assert_snapshot!(placed("frog200.zip", &files(text)), @r"
    Quake
    . -> frogbot/ (3) by text
    . -> frogbot/maps/ (1) by text
    start: -game frogbot +map dm9
    ");
    assert_snapshot!(placed("Frog 200.zip", &files(b"nothing")), @r"
    Quake
    . -> frog_200/ (3) by name
    . -> frog_200/maps/ (1) by name
    start: -game frog_200 +map dm9
    ");
    let options = PlaceOptions { name: Some("frog"), ..PlaceOptions::default() };
    let asked = placed_with("frog200.zip", zip(files(text)), &options);
    assert_eq!((&*asked.parts[0].to, asked.parts[0].by.name()), ("frog/", "as"));
    // the texts of a mod also name the mods that it was made from
    let text = b"like quake -game ctf and quake -game rail +map q2dm1";
    assert_snapshot!(placed("rail12.zip", &files(text)), @r"
    Quake
    . -> rail/ (3) by text
    . -> rail/maps/ (1) by text
    start: -game rail +map dm9
    note: its texts name several game directories: ctf, rail
    ");
}

#[test]
fn texts_in_latin_1_and_utf_16_are_read() {
    let wide: Vec<u8> =
        "\u{feff}Gr\u{fc}\u{df}e: -game pd\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for text in [&b"Gr\xfc\xdfe: -game pd\r\n"[..], &wide] {
        let files = [("progs.dat", &b"x"[..]), ("liesmich.txt", text)];
        assert!(placed("x.zip", &files).contains("-> pd/ (2) by text"));
    }
}

#[test]
fn what_lies_around_the_folder_of_a_game_is_wrapping() {
    let files: [(&str, &[u8]); 4] = [
        ("progs_dump-3.0.1/release/pd/progs.dat", b"x"),
        ("progs_dump-3.0.1/release/pd/maps/start.bsp", LEVEL),
        ("progs_dump-3.0.1/release/pd/maps/test.bsp", LEVEL),
        ("progs_dump-3.0.1/readme.txt", b"or use -game other"),
    ];
    assert_snapshot!(placed("progs_dump-3.0.1.zip", &files), @r"
    Quake
    progs_dump-3.0.1/release/pd/ -> pd/ (3) by folder
    start: -game pd +map start
    left: progs_dump-3.0.1/readme.txt
    ");
    // a version in the folder's name, and the name in the text
    let files = [("mymod-1.2/progs.dat", &b"x"[..]), ("mymod-1.2/readme.txt", b"quake -game mymod")];
    assert!(placed("mymod-1.2.zip", &files).contains("mymod-1.2/ -> mymod/ (2) by text"));
}

#[test]
fn several_games_and_missions_are_several_places() {
    let files: [(&str, &[u8]); 5] = [
        ("Quake/ID1/maps/a.bsp", LEVEL),
        ("Quake/Hipnotic/pak1.pak", b"x"),
        ("Quake/one/progs.dat", b"x"),
        ("Quake/two/pak0.pak", b"x"),
        ("Quake/readme.txt", b"x"),
    ];
    assert_snapshot!(placed("all.zip", &files), @r"
    Quake
    Quake/Hipnotic/ -> hipnotic/ (1) by folder
    Quake/ID1/ -> id1/ (1) by folder
    Quake/one/ -> one/ (1) by folder
    Quake/two/ -> two/ (1) by folder
    start: -hipnotic
    start: +map a
    start: -game one
    start: -game two
    left: Quake/readme.txt
    ");
}

#[test]
fn backslashes_of_old_tools_are_folders() {
    let members =
        [stored(r"pd\progs.dat", "x"), stored(r"pd\maps\start.bsp", LEVEL), stored("readme.txt", "x")];
    let placement = placed_with("pd.zip", raw_zip::zip(&members), &PlaceOptions::default());
    assert_snapshot!(said(&placement), @r"
    Quake
    pd/ -> pd/ (2) by folder
    start: -game pd +map start
    left: readme.txt
    ");
    assert_eq!(placement.files[0].to, "pd/maps/start.bsp");
}

#[test]
fn a_collection_of_levels_and_archives_is_placed_as_a_whole() {
    let (level, pd) = (zip([("one.bsp", LEVEL), ("b.bsp", LEVEL)]), zip([("pd/progs.dat", "x")]));
    let files: [(&str, &[u8]); 6] = [
        ("a.bsp", LEVEL),
        ("b.bsp", LEVEL),
        ("one.zip", &level),
        ("pd.zip", &pd),
        ("notes.zip", &zip([("readme.txt", "x")])),
        ("bad.zip", b"x"),
    ];
    assert_snapshot!(placed("collection.zip", &files), @r"
    Quake
    . -> id1/maps/ (2) by levels
    one.zip/ -> id1/maps/ (1) by levels
    pd.zip/pd/ -> pd/ (1) by folder
    start: +map a
    start: +map b
    start: -game pd
    left: bad.zip notes.zip one.zip/b.bsp
    note: bad.zip: not opened: the header is cut short: expected 12 bytes, found 1
    note: two files would be id1/maps/b.bsp: the first was taken
    note: one.zip is an archive in the archive, and was unpacked too
    note: pd.zip is an archive in the archive, and was unpacked too
    ");
    let in_maps: [(&str, &[u8]); 2] = [("maps/a.bsp", LEVEL), ("maps/one.zip", &level)];
    assert_snapshot!(placed("collection.zip", &in_maps), @r"
    Quake
    . -> id1/ (1) by levels
    maps/one.zip/ -> id1/maps/ (2) by levels
    start: +map a
    start: +map b
    note: maps/one.zip is an archive in the archive, and was unpacked too
    ");
}

#[test]
fn the_zips_of_a_folder_are_downloads_of_their_own_unless_it_is_one_mod() {
    let (level, pd) = (zip([("one.bsp", LEVEL)]), zip([("pd/progs.dat", "x")]));
    let placed = |more: &[(&str, &[u8])]| {
        let disk = MemoryDisk::new();
        for (name, bytes) in [("pd.zip", &*pd), ("readme.txt", b"x")].iter().chain(more) {
            disk.insert(format!("all/{name}"), bytes.to_vec()).unwrap();
        }
        let disk: Arc<dyn Disk> = Arc::new(disk);
        let options = PlaceOptions { splits: true, ..PlaceOptions::default() };
        place(&Download::open(&disk, "all".into()).unwrap(), &options)
    };
    let own = |placement: &Placement| {
        let names = placement.downloads.iter().map(|path| path.as_str().replace('\\', "/"));
        names.collect::<Vec<_>>().join(" ")
    };
    let one = placed(&[]);
    assert_eq!((&*own(&one), one.files.len()), ("", 1));
    let mut several: Vec<(&str, &[u8])> = vec![("maps/one.ZIP", &level), ("notes.zip", b"no archive")];
    let only = placed(&several);
    assert_eq!(own(&only), "all/maps/one.ZIP all/notes.zip all/pd.zip");
    assert_eq!((only.files.len(), &*only.left.join(" "), only.nothing), (0, "readme.txt", None));
    several.push(("maps/a.bsp", LEVEL));
    let with_level = placed(&several);
    assert_eq!((own(&with_level), with_level.files.len()), (own(&only), 1));
    several.push(("progs.dat", b"x"));
    assert_eq!(own(&placed(&several)), "");
}

#[test]
fn an_archive_in_the_archive_is_placed_if_nothing_else_is() {
    let inner = zip([("pd/progs.dat", "x")]);
    let mut unpacks_itself = b"MZ a program".to_vec();
    unpacks_itself.extend(&inner);
    for (name, bytes) in [("pd.zip", &inner), ("SETUP.EXE", &unpacks_itself)] {
        let outer = placed("release.zip", &[("readme.txt", b"x"), (name, bytes), ("bad.zip", b"x")]);
        assert!(outer.contains(&format!("{name}/pd/ -> pd/ (1) by folder")), "{outer}");
        assert!(outer.contains(&format!("{name} is an archive in the archive")), "{outer}");
        assert!(outer.contains("note: bad.zip: not opened"), "{outer}");
    }
    let own = placed("pd.zip", &[("pd/progs.dat", b"x"), ("pd/src.zip", &inner)]);
    assert!(own.contains("pd/ -> pd/ (2) by folder") && !own.contains("note"), "{own}");
}

#[test]
fn each_family_has_its_base_game_and_its_option() {
    let quake3 = [("q3map.pk3", &b"x"[..]), ("readme.txt", b"x")];
    assert_snapshot!(placed("q3map.zip", &quake3), @"
    Quake III
    . -> baseq3/ (1) by name
    start: 
    left: readme.txt
    ");
    let half_life: [(&str, &[u8]); 3] =
        [("opfor/liblist.gam", b"x"), ("opfor/dlls/hl.dll", b"x"), ("opfor/maps/a.bsp", b"\x1e\0\0\0")];
    assert_snapshot!(placed("mod.zip", &half_life), @r"
    Half-Life
    opfor/ -> opfor/ (3) by folder
    start: -game opfor +map a
    ");
    assert_snapshot!(placed("q2.zip", &[("map.bsp", b"IBSP\x26\0\0\0")]), @r"
    Quake II
    . -> baseq2/maps/ (1) by levels
    start: +map map
    ");
    assert_snapshot!(placed("demos.zip", &[("a.dm2", b"x"), ("b.wal", b"x")]), @"
    Quake II
    . -> baseq2/demos/ (1) by levels
    start: +demomap a.dm2
    left: b.wal
    ");
}

#[test]
fn a_level_of_wolfenstein_is_for_the_game_of_the_engine() {
    let level = zip([("maps/mp_test.bsp", &b"IBSP\x2f\0\0\0"[..])]);
    let place = |engine: Option<Engine>| {
        let options = PlaceOptions { engine: engine.map(Engine::rules), ..PlaceOptions::default() };
        said(&placed_with("mp_test.pk3", level.clone(), &options))
    };
    let lines = [None, Some(Engine::EtLegacy), Some(Engine::IoRtcw), Some(Engine::IoRtcwSp)]
        .map(|engine| place(engine).lines().take(2).collect::<Vec<_>>().join(": "));
    assert_snapshot!(lines.join("\n"), @"
    Enemy Territory: . -> etmain/ (1) by levels
    Enemy Territory: . -> etmain/ (1) by levels
    Wolfenstein: . -> main/ (1) by levels
    Wolfenstein: . -> main/ (1) by levels
    ");
    let jedi = zip([("maps/ffa.bsp", &b"RBSP\x01\0\0\0"[..])]);
    let said = said(&placed_with("ffa.pk3", jedi, &PlaceOptions::default()));
    assert!(said.starts_with("Jedi Knight\n. -> base/ (1) by levels"), "{said}");
}

#[test]
fn engines_with_one_folder_for_their_game_are_told_apart_by_its_archives() {
    let engine = |files: &str| {
        let folder = game(files);
        quakefs_installed::engine_in(&quakefs::disk::SystemDisk, folder.path()).map(Engine::name)
    };
    assert_eq!(engine("base/assets0.pk3: a; base/assets3.pk3: a"), Some("openjk"));
    assert_eq!(engine("base/assets0.pk3: a; base/assets5.pk3: a"), Some("openjo-sp"));
    assert_eq!(engine("base/Htic2-0.pak: a"), Some("heretic2r"));
    assert_eq!(engine("base/pak0.sin: a"), Some("sin"));
    assert_eq!(engine("main/pak0.pk3: a"), Some("iortcw"));
    assert_eq!(engine("etmain/pak0.pk3: a"), Some("etlegacy"));
    // nobody can tell
    assert_eq!(engine("base/assets0.pk3: a"), None);
    assert_eq!(engine("base/maps/a.bsp: a"), None);
    // a folder that anybody may have
    assert_eq!(engine("main/maps/a.bsp: a"), None);
    assert_eq!(engine("etmain/maps/a.bsp: a"), Some("etlegacy"));
}

const OF_HALF_LIFE: &[u8] = b"\x1e\0\0\0";

/// The decision about a download for a base directory with these games.
fn placed_among(games: &[&str], name: &str, files: &[(&str, &[u8])]) -> String {
    let directories: Vec<String> = games.iter().map(|game| (*game).to_owned()).collect();
    let options = PlaceOptions {
        engine: Some(Engine::GoldSrc.rules()),
        directories: &directories,
        ..PlaceOptions::default()
    };
    said(&placed_with(name, zip(files.iter().copied()), &options))
}

#[test]
fn a_level_of_half_life_takes_along_what_engines_read_beside_it() {
    let files = [
        ("boot.bsp", OF_HALF_LIFE),
        ("boot.wad", b"WAD3"),
        ("boot.res", b"boot.wad"),
        ("Boot.txt", b"about it"),
        ("boot_detail.txt", b"x"),
        ("readme.txt", b"by me"),
    ];
    assert_snapshot!(placed_among(&["valve"], "boot.zip", &files), @"
    Half-Life
    . -> valve/maps/ (4) by levels
    . -> valve/ (1) by levels
    start: +map boot
    left: readme.txt
    ");
}

#[test]
fn levels_of_half_life_are_of_the_game_whose_levels_have_such_names() {
    let alone = [("de_a.bsp", OF_HALF_LIFE)];
    assert_snapshot!(placed_among(&["valve", "CStrike"], "de_a.zip", &alone), @"
    Half-Life
    . -> valve/maps/ (1) by levels
    start: -game CStrike +map de_a
    note: de_a is named like a level of Counter-Strike, so the start line names CStrike (a guess); every game also finds the files of the base game
    ");
    // without the game it is a level of the base game
    assert_snapshot!(placed_among(&["valve"], "de_a.zip", &alone), @"
    Half-Life
    . -> valve/maps/ (1) by levels
    start: +map de_a
    ");
    let tree = [("maps/dod_a.bsp", OF_HALF_LIFE), ("overviews/dod_a.txt", b"x"), ("sound/a.wav", b"x")];
    assert_snapshot!(placed_among(&["valve", "dod"], "dod_a.zip", &tree), @"
    Half-Life
    . -> dod/ (3) by level-name
    start: -game dod +map dod_a
    ");
    let mixed = [("maps/dod_a.bsp", OF_HALF_LIFE), ("maps/b.bsp", OF_HALF_LIFE), ("sound/a.wav", b"x")];
    assert_snapshot!(placed_among(&["valve", "dod"], "mixed.zip", &mixed), @"
    Half-Life
    . -> valve/ (3) by name
    start: +map b
    ");
    // a folder that no engine takes for a game
    let wrapped = [("pack/maps/de_a.bsp", OF_HALF_LIFE), ("pack/de_a.wad", b"WAD3")];
    assert_snapshot!(placed_among(&["valve", "cstrike"], "pack.zip", &wrapped), @"
    Half-Life
    pack/ -> cstrike/ (2) by level-name
    start: -game cstrike +map de_a
    ");
}

#[test]
fn folders_beside_a_game_of_half_life_are_parts_of_it() {
    let files: [(&str, &[u8]); 4] = [
        ("valve_hd/models/a.mdl", b"IDST"),
        ("valve_german/sound/a.wav", b"x"),
        ("cstrike_downloads/maps/de_a.bsp", OF_HALF_LIFE),
        ("mymod_addon/resource/a.txt", b"x"),
    ];
    let placement = |games: &[&str]| placed_among(games, "extra.zip", &files);
    assert_snapshot!(placement(&["valve"]), @"
    Half-Life
    cstrike_downloads/ -> cstrike_downloads/ (1) by folder
    mymod_addon/ -> valve/ (1) by name
    valve_german/ -> valve_german/ (1) by folder
    valve_hd/ -> valve_hd/ (1) by folder
    start: -game cstrike +map de_a
    start:
    ");
    assert_eq!(placement(&["valve", "valve_hd", "cstrike_downloads"]), placement(&["valve"]));
}

#[test]
fn a_mod_of_half_life_goes_beside_the_base_game() {
    let files: [(&str, &[u8]); 3] =
        [("mymod/gameinfo.txt", b"x"), ("mymod/dlls/hl.dll", b"x"), ("mymod_lv/models/a.mdl", b"IDST")];
    assert_snapshot!(placed_among(&["valve"], "a.zip", &files), @"
    Half-Life
    mymod/ -> mymod/ (2) by folder
    mymod_lv/ -> mymod_lv/ (1) by folder
    start: -game mymod
    ");
}

#[test]
fn an_archive_of_a_game_is_one_file_unless_it_holds_the_folder_of_a_game() {
    let options = PlaceOptions::default();
    let pak = |names: [(&str, &str); 2]| pack(pak_format::Layout::Quake, names);
    let placement = placed_with("ogre.pak", pak([("progs/ogre.mdl", "x"), ("a.cfg", "x")]), &options);
    assert_eq!((&*placement.parts[0].to, placement.parts[0].by.name()), ("ogre/", "name"));
    assert_eq!(placement.files[0].to, "ogre/pak0.pak");
    let placement = placed_with("pak7.pak", pak([("progs/ogre.mdl", "x"), ("a.cfg", "x")]), &options);
    assert_eq!(placement.files[0].to, "pak7/pak7.pak");
    let placement = placed_with("release.pak", pak([("pd/progs.dat", "x"), ("pd/a.cfg", "x")]), &options);
    assert_eq!(placement.parts[0].to, "pd/");
    // levels tell the family if no name does
    let level: &[u8] = b"IBSP\x26\0\0\0";
    let base1 = pack(pak_format::Layout::Quake, [("maps/base1.bsp", level)]);
    assert_eq!(placed_with("base1.pak", base1, &options).family.name, "Quake II");
    let dm17 = zip([("maps/dm17.bsp", b"IBSP\x2e\0\0\0")]);
    assert_eq!(placed_with("dm17.pk3", dm17, &options).family.name, "Quake III");
    let known = ["pd".to_owned()];
    let options = PlaceOptions { directories: &known, ..PlaceOptions::default() };
    let placement = placed_with("patch.pak", pak([("PD/a.cfg", "x"), ("PD/b.cfg", "x")]), &options);
    assert_eq!((&*placement.files[0].to, placement.parts[0].by.name()), ("pd/a.cfg", "folder"));
}

#[test]
fn an_archive_of_the_base_game_goes_there_unless_the_game_is_there() {
    let part = |files: &[&str], directories: &[&str]| {
        let pak = pack(pak_format::Layout::Quake, files.iter().map(|name| (*name, "x")));
        let directories: Vec<String> = directories.iter().map(|name| (*name).to_owned()).collect();
        let options = PlaceOptions { directories: &directories, ..PlaceOptions::default() };
        let placement = placed_with("pak0.pak", pak, &options);
        format!("{} by {}", placement.files[0].to, placement.parts[0].by.name())
    };
    let files = ["gfx.wad", "gfx/palette.lmp", "maps/start.bsp"];
    assert_eq!(part(&files, &[]), "id1/pak0.pak by base");
    assert_eq!(part(&files, &["Id1"]), "pak0/pak0.pak by name");
    assert_eq!(part(&files[..1], &[]), "pak0/pak0.pak by name");
    assert_eq!(part(&["pics/colormap.pcx", "default.cfg"], &[]), "baseq2/pak0.pak by base");
}

#[test]
fn levels_go_into_the_base_game_as_its_folder_is_spelled() {
    let directories = ["Id1".to_owned()];
    let options = PlaceOptions { directories: &directories, ..PlaceOptions::default() };
    let placement = placed_with("mymap.bsp", LEVEL.to_vec(), &options);
    assert_eq!((&*placement.parts[0].to, &placement.parts[0].game), ("Id1/maps/", &None));
}

#[test]
fn a_download_that_goes_nowhere_says_why() {
    for (files, reason) in [
        (
            &[("ogre.mdl", &b"IDPO"[..]), ("readme.txt", b"")][..],
            "it has models, sounds or pictures without a folder",
        ),
        (&[("quake.wad", b"WAD2")], "it has only textures for level editors"),
        (&[("mymap.map", b"{}")], "it has only source code"),
        (&[("readme.txt", b"x")], "it has only texts"),
        // the engine's pictures
        (&[("gfx.wad", b"WAD2")], "it has models, sounds or pictures without a folder"),
        (&[("a.xyz", b"x")], "quakefs does not know where its files go"),
        (&[], "it has no files"),
    ] {
        let said = placed("x.zip", files);
        assert!(said.contains(&format!("nothing: {reason}")), "{said}");
    }
}

#[test]
fn an_unpacked_folder_is_a_download_too() {
    let folder = Folder::with([("dl/x/pd/progs.dat", "x"), ("dl/x/readme.txt", "x")]);
    let disk: Arc<dyn Disk> = Arc::new(quakefs::disk::SystemDisk);
    let download = Download::open(&disk, &folder.join("dl")).unwrap();
    let placement = place(&download, &PlaceOptions::default());
    assert_eq!((&*placement.parts[0].from, &*placement.parts[0].to), ("x/pd/", "pd/"));
    assert!(Download::open(&disk, &folder.join("missing.zip")).is_err());
    folder.write("bad.zip", "no archive");
    assert!(Download::open(&disk, &folder.join("bad.zip")).is_err());
}

#[test]
fn an_engine_of_another_game_is_noted() {
    let options = PlaceOptions { engine: Some(Engine::YQuake2.rules()), ..PlaceOptions::default() };
    let said = said(&placed_with("x.zip", zip([("x.bsp", LEVEL)]), &options));
    assert!(said.contains("note: it is for Quake, and yquake2 is an engine of another game"), "{said}");
    let options = PlaceOptions { engine: Some(Engine::Hexen2.rules()), ..PlaceOptions::default() };
    assert_eq!(placed_with("x.zip", zip([("x.bsp", LEVEL)]), &options).parts[0].to, "data1/maps/");
}

#[test]
fn a_name_that_leads_elsewhere_places_nothing() {
    for name in ["..", ".", "", "a/b", "../evil", "/etc", r"a\b", "C:", "con", "a ", "a\n"] {
        let options = PlaceOptions { name: Some(name), ..PlaceOptions::default() };
        let said = said(&placed_with("x.zip", zip([("progs.dat", "x")]), &options));
        assert!(said.contains("nothing: the given name") && !said.contains("->"), "{name}: {said}");
    }
}

/// A disk that keeps the paths of the files that were opened.
#[derive(Debug)]
struct Watched(MemoryDisk, Mutex<Vec<String>>);

impl Disk for Watched {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        self.0.list(folder)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.0.stat(path)
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        self.1.lock().unwrap().push(path.file_name().unwrap().to_string_lossy().into_owned());
        self.0.open(path, access)
    }
}

#[test]
fn only_short_texts_levels_and_models_are_opened() {
    let disk = MemoryDisk::new();
    let long = vec![b' '; (256 << 10) + 1];
    let files: [(&str, &[u8]); 6] = [
        ("dl/progs.dat", b"x"),
        ("dl/readme.txt", b"-game pd"),
        ("dl/long.txt", &long),
        ("dl/maps/a.bsp", LEVEL),
        ("dl/progs/ogre.mdl", b"IDPO"),
        ("dl/sound/a.wav", b"x"),
    ];
    for (name, bytes) in files {
        disk.insert(name, bytes.to_vec()).unwrap();
    }
    let disk = Arc::new(Watched(disk, Mutex::default()));
    let shared: Arc<dyn Disk> = Arc::<Watched>::clone(&disk);
    let placement = place(&Download::open(&shared, "dl".into()).unwrap(), &PlaceOptions::default());
    assert_eq!(placement.parts[0].to, "pd/");
    let mut opened = disk.1.lock().unwrap().clone();
    opened.sort();
    assert_eq!(opened, ["a.bsp", "ogre.mdl", "readme.txt"]);
}

#[test]
fn a_hostile_archive_of_many_names_is_placed_and_leaves_no_folder() {
    let members = ["../maps/a.bsp", "a/../../maps/b.bsp", "/maps/c.bsp", "C:/maps/d.bsp", r"..\maps\e.bsp"];
    let members = members.map(|name| stored(name, LEVEL));
    let placement = placed_with("out.zip", raw_zip::zip(&members), &PlaceOptions::default());
    assert!(placement.parts.is_empty(), "{}", said(&placement));
    let many = testutils::scaled(20_000, 200_000);
    let names = (0..many)
        .map(|number| (format!("g{number}/{}", ["maps/a.bsp", "maps/a.dem", "qwprogs.dat"][number % 3]), ""));
    let placement = placed_with("many.zip", zip(names), &PlaceOptions::default());
    assert_eq!((placement.parts.len(), placement.files.len()), (many, many));
    // an engine that knows games by a text, and folders beside them
    let names = (0..20_000)
        .flat_map(|number| ["", "_hd"].map(|end| (format!("g{number}{end}/maps/a{number}{end}.bsp"), "")));
    let info = [("cs/liblist.gam".to_owned(), ""), ("cs/maps/a.bsp".to_owned(), "\x1e\0\0\0")];
    let placement = placed_with("many.zip", zip(info.into_iter().chain(names)), &PlaceOptions::default());
    assert_eq!((placement.family.name.as_ref(), placement.parts.len()), ("Half-Life", 40_001));
    let twice =
        placed("twice.zip", &[("a/x.bsp", LEVEL), ("b/x.bsp", LEVEL), ("pak0.pak/maps/a.bsp", LEVEL)]);
    assert!(!twice.is_empty());
}

#[test]
fn two_files_for_one_path_are_noted() {
    let said = placed("twice.zip", &[("a/x.bsp", LEVEL), ("b/x.bsp", LEVEL)]);
    assert!(said.contains("note: two files would be id1/maps/x.bsp: the first was taken"), "{said}");
}

fn misplacements(folder: &Folder) -> String {
    struct Line(String);
    impl fmt::Display for Line {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(&self.0)
        }
    }
    let search_path = SearchPath::builder(folder.path()).engine(Engine::QuakeSpasm).mount().unwrap();
    let found = misplaced(&search_path)
        .into_iter()
        .map(|found| Line(format!("{} {} -> {}", found.name(), found.from, found.to)));
    let mut lines: Vec<_> = found.map(|line| line.to_string()).collect();
    lines.sort();
    lines.join("\n")
}

#[test]
fn the_usual_misplacements_are_found_with_the_move_that_mends_them() {
    let folder = game("id1/pak0.pak: gfx.wad; ad/pak0.pak: progs.dat");
    assert_eq!(misplacements(&folder), "");
    let zipped = zip([("pd/progs.dat", "x")]);
    for (path, bytes) in [
        ("maps/one.bsp", LEVEL),
        ("two.bsp", LEVEL),
        ("arcane/arcane/progs.dat", b"x"),
        ("mods/quoth/pak0.pak", b"x"),
        ("id1/download.zip", &zipped),
        ("beside.zip", &zipped),
        ("ad/three.bsp", LEVEL),
        ("id1/copper/progs.dat", b"x"),
        ("docs/readme.txt", b"x"),
        ("textures/readme.txt", b"x"),
        ("ad/sounds/music/end.wav", b"x"),
    ] {
        folder.write(path, bytes);
    }
    assert_snapshot!(misplacements(&folder), @r"
    misplaced ad/three.bsp -> ad/maps/
    misplaced arcane/arcane/ -> arcane/
    misplaced id1/copper/ -> copper/
    misplaced maps/ -> id1/maps/
    misplaced mods/quoth/ -> quoth/
    misplaced two.bsp -> id1/maps/
    not-unpacked beside.zip -> pd/
    not-unpacked id1/download.zip -> pd/
    ");
    let search_path = SearchPath::builder(folder.path()).engine(Engine::QuakeSpasm).mount().unwrap();
    for (name, from) in
        [("maps/one.bsp", "maps/"), ("MAPS/TWO.BSP", "two.bsp"), ("maps/three.bsp", "ad/three.bsp")]
    {
        let found = misplaced(&search_path).into_iter().find(|found| found.has(name.as_bytes())).unwrap();
        assert_eq!(found.from, from);
    }
}

#[test]
fn a_game_inside_another_folder_is_not_misplaced_if_it_is_the_game() {
    let folder = game("id1/pak0.pak: gfx.wad; mods/quoth/pak0.pak: progs.dat");
    assert_eq!(misplacements(&folder), "misplaced mods/quoth/ -> quoth/");
    let of_game = SearchPath::builder(folder.path()).engine(Engine::DarkPlaces).game("mods/quoth");
    assert_eq!(misplaced(&of_game.mount().unwrap()), []);
}

#[test]
fn files_keep_their_bytes_at_their_places() {
    let archive =
        Archive::from_data(zip([("x/pd/progs.dat", "the program"), ("x/pd/maps/a.bsp", "the level")]).into());
    let placement = place(&Download::archive(&archive.unwrap(), "pd.zip"), &PlaceOptions::default());
    let base = Folder::with([("pd/progs.dat", "the program")]);
    let existing = placement.existing(&quakefs::disk::SystemDisk, base.path());
    let same: Vec<_> = existing.iter().map(|(number, same)| (&*placement.files[*number].to, *same)).collect();
    assert_eq!(same, [("pd/progs.dat", true)]);
    base.write("pd/progs.dat", "the Program");
    assert!(!placement.existing(&quakefs::disk::SystemDisk, base.path())[0].1);
    let quake = SearchPath::builder("").game("pd").disk(placement.disk()).mount().unwrap();
    assert_eq!(quake.read("maps/a.bsp").unwrap(), "the level");
}

#[test]
fn every_placed_file_is_in_the_plan_that_writes_it() {
    let names =
        ["pd/progs.dat", "pd/maps/\u{e9}t\u{e9}.bsp", "pd/a b/c.d.", "pd/UPPER/lower.TXT", "pd/maps/q.bsp"];
    let archive = Archive::from_data(zip(names.map(|name| (name, name))).into()).unwrap();
    let placement = place(&Download::archive(&archive, "pd.zip"), &PlaceOptions::default());
    let folder = Folder::new();
    let plan = placement.plan(folder.path()).unwrap();
    assert_eq!(plan.files().len() + plan.without_path().len(), names.len());
    plan.write(folder.path(), &placement.limits(), &()).unwrap();
    assert_eq!(std::fs::read_to_string(folder.join("pd/maps/q.bsp")).unwrap(), "pd/maps/q.bsp");
}

/// Sixteen archives that claim 60 MB each were decoded, in every download of a base directory.
#[test]
fn archives_in_a_download_are_decoded_within_a_budget() {
    let inner = |number: u8| {
        // claims 300 MiB, as much as this stream could have
        let stream = vec![0; 310 << 10];
        let name = format!("{number}.zip");
        testutils::raw_zip::deflated(name, &stream, "x").with(|member| member.size = 300 << 20)
    };
    let placement =
        placed_with("many.zip", testutils::raw_zip::zip(&[inner(0), inner(1)]), &PlaceOptions::default());
    let notes: Vec<_> = placement.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes.len(), 2);
    assert!(notes.iter().all(|note| note.contains("too many to decode")), "{notes:?}");
}

/// Engines join the words of their command line: `+map +quit` quits, and `-game 'pd +exec evil'` runs a file.
#[test]
fn no_name_of_a_download_becomes_a_command() {
    let words = |files: &[(&str, &[u8])]| {
        let placement = placed_with("x.zip", zip(files.iter().copied()), &PlaceOptions::default());
        let starts = placement.starts.iter().flat_map(|start| start.words(&placement.family));
        let is_told = placement.notes.iter().any(|note| note.to_string().contains("commands"));
        (starts.collect::<Vec<_>>(), is_told)
    };
    assert_eq!(words(&[("maps/+quit.bsp", LEVEL)]), (vec![], true));
    assert_eq!(words(&[("maps/a;quit.bsp", LEVEL)]), (vec![], true));
    assert_eq!(words(&[("pd +exec evil/progs.dat", b"x")]), (vec![], true));
    let (game, level) = (("pd/progs.dat", &b"x"[..]), ("pd/maps/start -x.bsp", LEVEL));
    assert_eq!(words(&[game, level]), (vec!["-game".to_owned(), "pd".to_owned()], true));
    assert_eq!(words(&[("maps/ok.bsp", LEVEL)]), (vec!["+map".to_owned(), "ok".to_owned()], false));
}

/// U+009B begins a control sequence, and U+202E and U+2066 turn the text around them.
#[test]
fn sentences_about_a_download_have_no_letter_that_steers_a_terminal() {
    let text = "\u{feff}\u{202e}quake -game \u{2066} pdx\r\nquake -game pdx \u{202e}\u{9b}2J";
    let text: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let files: [(&str, &[u8]); 4] = [
        ("p\u{202e}d/progs.dat", b"x"),
        ("q\u{2066}.zip", b"PK"),
        ("a\u{9b}/maps/a.bsp", LEVEL),
        ("r.txt", &text),
    ];
    let flat: [(&str, &[u8]); 2] = [("progs.dat", b"x"), ("r.txt", &text)];
    for bytes in [zip(files), zip(flat)] {
        let placement = placed_with("x.zip", bytes, &PlaceOptions::default());
        let notes = placement.notes.iter().map(ToString::to_string);
        let parts = placement.parts.iter().map(|part| part.by.to_string());
        let sentences: Vec<_> = notes.chain(parts).chain([placement.to_string()]).collect();
        assert!(!sentences.concat().contains(quakefs::pak_format::name::steers), "{sentences:?}");
    }
}
