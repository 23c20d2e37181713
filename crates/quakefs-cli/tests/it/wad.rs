//! WADs that the command makes, changes, merges and extracts.

use quakefs_cli::Exit;
use testutils::Folder;
use testutils::content::{level, lump, palette, texture, wad};

use crate::Commands as _;

fn done(folder: &Folder, line: &str) {
    let answer = folder.run(line);
    assert_eq!(answer.exit, Exit::Done, "{line}: {}", answer.err());
}

fn listed(folder: &Folder, file: &str) -> Vec<String> {
    let lines = folder.run(&format!("pak list --json [DIR]/{file}")).json();
    lines.iter().map(|line| line["name"].as_str().unwrap().to_owned()).collect()
}

fn textures() -> Vec<(&'static str, u8, Vec<u8>)> {
    vec![
        ("brick1", 0x44, texture("brick1", 16, 16, None)),
        ("*lava", 0x44, texture("*lava", 32, 16, None)),
        ("num_0", 0x42, lump(24, 24)),
    ]
}

#[test]
fn a_wad_is_extracted_as_png_and_made_of_png_again() {
    let folder = Folder::with([("a.wad", wad(b"WAD2", &textures()))]);
    done(&folder, "pak extract [DIR]/a.wad -o [DIR]/out");
    for file in ["brick1.png", "#lava.png", "num_0.pic.png"] {
        assert!(std::fs::read(folder.join("out").join(file)).unwrap().starts_with(b"\x89PNG"), "{file}");
    }
    done(&folder, "pak create [DIR]/b.wad -C [DIR]/out .");
    assert_eq!(listed(&folder, "b.wad"), ["*lava", "brick1", "num_0"]);
    assert_eq!(folder.run("pak cat [DIR]/b.wad num_0").out, textures()[2].2);
    done(&folder, "pak extract [DIR]/b.wad -o [DIR]/again");
    for file in ["brick1.png", "#lava.png"] {
        let read = |dir: &str| std::fs::read(folder.join(dir).join(file)).unwrap();
        assert_eq!(read("out"), read("again"), "{file}");
    }
    done(&folder, "pak extract [DIR]/a.wad brick1 --raw -o [DIR]/raw");
    assert_eq!(std::fs::read(folder.join("raw/brick1")).unwrap(), textures()[0].2);
    done(&folder, "pak create [DIR]/c.wad -C [DIR]/raw brick1");
    assert_eq!(folder.run("pak cat [DIR]/c.wad brick1").out, textures()[0].2);
}

#[test]
fn a_wad_is_changed_and_merged_and_textures_of_a_level_become_one() {
    let folder = Folder::with([
        ("a.wad", wad(b"WAD2", &textures())),
        (
            "start.bsp",
            level([29, 0, 0, 0], "{}", &[texture("wall", 16, 16, None), texture("BRICK1", 16, 16, None)]),
        ),
    ]);
    done(&folder, "pak extract [DIR]/a.wad brick1 -o [DIR]/out");
    done(&folder, "pak add [DIR]/a.wad -C [DIR]/out brick1.png --as brick2");
    done(&folder, "pak rename [DIR]/a.wad brick2 *slime");
    done(&folder, "pak remove [DIR]/a.wad num_*");
    assert_eq!(listed(&folder, "a.wad"), ["brick1", "*lava", "*slime"]);
    assert_eq!(folder.run("pak cat [DIR]/a.wad *slime").out[..7], *b"*slime\0");
    assert_eq!(folder.run("pak add [DIR]/a.wad -C [DIR]/out brick1.png").exit, Exit::Failed);
    done(&folder, "pak add [DIR]/a.wad -C [DIR]/out brick1.png --overwrite");
    done(&folder, "pak convert [DIR]/start.bsp -o [DIR]/start.wad");
    assert_eq!(folder.run("pak cat [DIR]/start.wad wall").out, texture("wall", 16, 16, None));
    // engines take names without case, so that one of the two bricks is left
    done(&folder, "pak merge -o [DIR]/all.wad [DIR]/a.wad [DIR]/start.bsp");
    assert_eq!(listed(&folder, "all.wad"), ["*lava", "*slime", "BRICK1", "wall"]);
    done(&folder, "pak extract [DIR]/start.bsp -o [DIR]/level");
    assert!(folder.join("level/wall.png").is_file());
    assert_eq!(folder.run("pak remove [DIR]/start.bsp wall").exit, Exit::Failed);
}

#[test]
fn a_wad_of_half_life_has_palettes() {
    let colours = palette();
    let folder =
        Folder::with([("a.wad", wad(b"WAD3", &[("wall", 0x43, texture("wall", 16, 16, Some(&colours)))]))]);
    done(&folder, "pak extract [DIR]/a.wad -o [DIR]/out");
    done(&folder, "pak create [DIR]/b.wad --wad3 -C [DIR]/out wall.png");
    done(&folder, "pak merge -o [DIR]/c.wad [DIR]/a.wad");
    for made in ["b.wad", "c.wad"] {
        let bytes = folder.run(&format!("pak cat [DIR]/{made} wall")).out;
        assert_eq!(bytes[..texture("wall", 16, 16, None).len() + 2 + 768].len(), 40 + 340 + 2 + 768);
        assert_eq!(bytes[40..296], texture("wall", 16, 16, None)[40..296]);
        assert_eq!(bytes[382..382 + 768], *colours);
    }
}

#[test]
fn a_folder_extracted_from_a_wad_becomes_the_same_wad_again() {
    let colours = palette();
    let mut font = vec![0; 16 + 1024 + 256 * 16];
    font.extend([0, 1].iter().chain(&colours));
    let mut decal = texture("{LOGO", 16, 16, Some(&colours));
    decal.extend([0, 3]);
    // in the order in which files of a folder are added
    let wads = [
        ("fonts", wad(b"WAD3", &[("font0", 0x46, font)])),
        ("tempdecal", wad(b"WAD3", &[("tempdecal", 0x40, decal)])),
        (
            "x",
            wad(
                b"WAD3",
                &[
                    ("wall", 0x43, texture("wall", 16, 16, Some(&colours))),
                    ("{a", 0x43, texture("{a", 16, 32, Some(&colours))),
                ],
            ),
        ),
        ("quake", wad(b"WAD2", &textures()[..1])),
    ];
    for (name, bytes) in wads {
        let folder = Folder::with([(format!("{name}.wad"), bytes.clone())]);
        done(&folder, &format!("pak extract [DIR]/{name}.wad -o [DIR]/out"));
        done(&folder, "pak create [DIR]/again.wad -C [DIR]/out .");
        let again = std::fs::read(folder.join("again.wad")).unwrap();
        assert!(again == bytes, "{name}: {:?}", listed(&folder, "again.wad"));
        done(&folder, "pak create [DIR]/other.wad --wad2 -C [DIR]/out .");
        assert_eq!(std::fs::read(folder.join("other.wad")).unwrap()[..4], *b"WAD2");
    }
}

/// GoldSrc's textures that light a level have names like an editor's backups.
#[test]
fn textures_with_a_tilde_come_back() {
    let folder = Folder::new();
    let row = |name| (name, 0x44, texture("wall", 16, 16, None));
    folder.write("l.wad", wad(b"WAD2", &[row("~light1"), row("+0~tnnl"), row("wall")]));
    done(&folder, "pak extract [DIR]/l.wad -o [DIR]/l");
    done(&folder, "pak create [DIR]/2.wad -C [DIR]/l .");
    assert_eq!(listed(&folder, "2.wad").len(), 3, "{:?}", listed(&folder, "2.wad"));
}

/// The pictures got Quake's palette, and nobody said so.
#[test]
fn a_picture_is_not_made_with_another_palette_than_the_one_of_its_wad() {
    let folder = Folder::new();
    let mut bytes =
        wad(b"WAD2", &[("wall", 0x44, texture("wall", 16, 16, None)), ("PALETTE", 0x40, vec![9; 768])]);
    let row = bytes.len() - 32;
    bytes[row..row + 4].copy_from_slice(&0x7fff_ff00_u32.to_le_bytes());
    folder.write("bad.wad", bytes);
    let answer = folder.run("pak extract [DIR]/bad.wad wall -o [DIR]/w");
    assert_eq!(answer.exit, Exit::Failed, "{}", answer.out());
    assert!(answer.err().contains("PALETTE"), "{}", answer.err());
    done(&folder, "pak extract [DIR]/bad.wad wall --raw -o [DIR]/raw");
}

#[test]
fn colours_that_the_palette_lacks_are_reported_and_files_that_no_wad_has_are_refused() {
    let folder = Folder::with([("a.wad", wad(b"WAD2", &textures())), ("mod/readme.txt", b"hello".to_vec())]);
    let grey: Vec<u8> = (0..=255).flat_map(|shade| [shade; 3]).collect();
    folder.write("grey.lmp", &grey);
    done(&folder, "pak extract [DIR]/a.wad -o [DIR]/out --palette [DIR]/grey.lmp");
    let answer = folder.run("pak create [DIR]/b.wad -C [DIR]/out brick1.png");
    assert_eq!(answer.exit, Exit::Done);
    assert!(answer.err().contains("not in the palette"), "{}", answer.err());
    let answer = folder.run("pak create [DIR]/c.wad -C [DIR]/out brick1.png --palette [DIR]/grey.lmp");
    assert_eq!((answer.exit, answer.err()), (Exit::Done, ""));
    for line in [
        "pak create [DIR]/d.wad -C [DIR]/mod readme.txt",
        "pak create [DIR]/d.wad -C [DIR]/out brick1.png --palette [DIR]/mod/readme.txt",
        "pak create [DIR]/d.wad -C [DIR]/out brick1.png --palette [DIR]/none.lmp",
        "pak add [DIR]/a.wad -C [DIR]/mod readme.txt",
        "pak extract [DIR]/a.wad --raw --palette [DIR]/grey.lmp",
    ] {
        assert_eq!(folder.run(line).exit, Exit::Failed, "{line}");
    }
    let long = "a_texture_of_21_bytes.png";
    folder.write(&format!("out/{long}"), std::fs::read(folder.join("out/brick1.png")).unwrap());
    let answer = folder.run(&format!("pak create [DIR]/d.wad -C [DIR]/out {long}"));
    assert!(answer.err().contains("help: give the file a shorter name"), "{}", answer.err());
    assert!(!folder.join("d.wad").exists());
    assert_eq!(std::fs::read(folder.join("a.wad")).unwrap(), wad(b"WAD2", &textures()));
}

#[test]
fn pack_writes_no_wad() {
    let folder = Folder::with([("id1/maps/a.bsp", level([29, 0, 0, 0], "{}", &[]))]);
    let answer = folder.run("--basedir [DIR] pack maps/a.bsp -o [DIR]/a.wad");
    assert_eq!(answer.exit, Exit::Failed);
    assert!(!folder.join("a.wad").exists());
}

#[test]
fn a_name_of_different_pixels_is_found_in_a_folder_of_wads() {
    let mut other = texture("brick1", 16, 16, None);
    other[60] ^= 1;
    let folder = Folder::with([
        ("wads/a.wad", wad(b"WAD2", &textures())),
        (
            "wads/b.wad",
            wad(b"WAD2", &[("BRICK1", 0x44, other), ("*lava", 0x44, texture("*lava", 32, 16, None))]),
        ),
        ("start.bsp", level([29, 0, 0, 0], "{}", &[texture("brick1", 16, 16, None)])),
    ]);
    let answer = folder.run("pak duplicates --json --names [DIR]/wads [DIR]/start.bsp");
    let lines = answer.json();
    assert_eq!((answer.exit, lines.len()), (Exit::Done, 2));
    assert_eq!((&lines[0]["type"], &lines[0]["name"]), (&"differing".into(), &"brick1".into()));
    let places: Vec<usize> = lines[0]["contents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|content| content.as_array().unwrap().len())
        .collect();
    assert_eq!(places, [2, 1]);
    assert_eq!((&lines[1]["differing"], &lines[1]["shared"]), (&1.into(), &2.into()));
    let answer = folder.run("pak diff [DIR]/wads/a.wad [DIR]/wads/b.wad --json");
    assert_eq!(answer.exit, Exit::NotFound);
    let answer = folder.run("pak find -i *brick* [DIR]/wads [DIR]/start.bsp --json");
    assert_eq!((answer.exit, answer.json().len()), (Exit::Done, 3));
}

#[test]
fn of_many_unusable_files_the_first_are_named_and_a_cut_off_wad_is_recognised() {
    let folder = Folder::with((0..30).map(|number| (format!("mod/{number}.txt"), b"hello".to_vec())));
    let answer = folder.run("pak create [DIR]/a.wad -C [DIR]/mod .");
    assert_eq!((answer.exit, answer.err().matches(".txt").count()), (Exit::Failed, 20));
    let whole = wad(b"WAD2", &textures());
    folder.write("cut.wad", &whole[..100]);
    folder.write("mod/a.mip", texture("a", 16, 16, None));
    for line in
        ["pak add [DIR]/cut.wad -C [DIR]/mod a.mip", "pak repack [DIR]/cut.wad", "pak remove [DIR]/cut.wad a"]
    {
        let answer = folder.run(line);
        assert_eq!(answer.exit, Exit::Failed);
        assert!(answer.err().contains("directory"), "{line}: {}", answer.err());
    }
}

#[test]
fn names_in_a_wad_ignore_case_and_entries_have_their_type() {
    let folder = Folder::with([("a.wad", wad(b"WAD2", &textures()))]);
    assert_eq!(folder.run("pak cat [DIR]/a.wad BRICK1").out, textures()[0].2);
    for line in ["list [DIR]/a.wad Brick*", "extract --dry-run [DIR]/a.wad NUM_0", "find BRICK1 [DIR]/a.wad"]
    {
        done(&folder, &format!("pak {line}"));
    }
    let types = |rows: Vec<serde_json::Value>| -> Vec<String> {
        rows.iter().map(|row| row["content_type"].as_str().unwrap().to_owned()).collect()
    };
    let expected = ["texture", "texture", "picture"];
    assert_eq!(types(folder.run("pak list -l --json [DIR]/a.wad").json()), expected);
    assert_eq!(types(folder.run("pak catalog [DIR]/a.wad").json()), expected);
    assert!(folder.run("pak info [DIR]/a.wad").out().contains("picture        1"));
    done(&folder, "pak remove [DIR]/a.wad *LAVA");
    assert_eq!(listed(&folder, "a.wad"), ["brick1", "num_0"]);
}
