//! `quakefs companions`, and `which` for such files.

use serde_json::{Value, json};
use testutils::Folder;

use crate::Commands as _;

/// A level of Quake without entities, with two bytes of light.
fn level() -> Vec<u8> {
    let mut level = 29_u32.to_le_bytes().to_vec();
    for lump in 0..15_u32 {
        level.extend(124_u32.to_le_bytes());
        level.extend((if lump == 8 { 2_u32 } else { 0 }).to_le_bytes());
    }
    level.extend([0; 2]);
    level
}

pub(crate) fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("mod/maps/ab.bsp", level());
    folder.write("mod/maps/ab.lit", [0; 14]);
    folder.write("id1/maps/ab.ent", "{}");
    folder
}

const GAME: &str = "--basedir [DIR] --engine quakespasm --game mod";

fn keys(lines: &[Value], keys: &[&str]) -> Vec<Value> {
    lines.iter().map(|line| keys.iter().map(|key| line[*key].clone()).collect()).collect()
}

#[test]
fn each_copy_is_listed_with_whether_it_is_loaded() {
    let folder = folder();
    let lines = folder.run(&format!("{GAME} --json which --as companion maps/ab.bsp")).json();
    let asked = ["type", "level", "name", "layer", "kind", "stored", "entry", "loaded", "because"];
    assert_eq!(
        keys(&lines, &asked),
        [
            json!([
                "companion",
                "maps/ab.bsp",
                "maps/ab.lit",
                "mod/",
                "dir",
                "maps/ab.lit",
                null,
                true,
                "loaded"
            ]),
            json!([
                "companion",
                "maps/ab.bsp",
                "maps/ab.ent",
                "id1/",
                "dir",
                "maps/ab.ent",
                null,
                false,
                "below-level"
            ]),
        ]
    );
    let text = folder.check(&format!("{GAME} which --as companion maps/ab.bsp"));
    assert!(text.starts_with("maps/ab.bsp: mod/\n  maps/ab.lit (mod/): "), "{text}");
}

#[test]
fn a_level_that_is_missing_is_not_found() {
    let text = folder().check(&format!("{GAME} which --as companion maps/none.bsp"));
    assert!(text.starts_with("exit: 1\n! "), "{text}");
}

#[test]
fn which_says_whether_the_file_is_loaded_beside_its_level() {
    let folder = folder();
    let lines = folder.run(&format!("{GAME} --json which maps/ab.lit maps/ab.ent maps/ab.bsp")).json();
    let companions = keys(&lines, &["name", "companion"]);
    assert_eq!(companions[0][1]["loaded"], json!(true));
    assert_eq!(companions[1][1]["because"], json!("below-level"));
    assert_eq!(companions[1][1]["level"], json!("maps/ab.bsp"));
    assert_eq!(companions[2][1], json!(null));
    // an engine that compares no rank loads the copy from below
    let lines = folder.run("--basedir [DIR] --engine darkplaces --game mod --json which maps/ab.ent").json();
    assert_eq!(lines[0]["companion"]["loaded"], json!(true));
}

#[test]
fn check_and_the_page_report_skipped_companions() {
    let folder = folder();
    let kinds = |lines: &[Value]| keys(lines, &["kind", "location"]);
    let findings = folder.run(&format!("{GAME} --json check")).json();
    let ignored: Vec<_> = findings.into_iter().filter(|line| line["kind"] == "companion-skipped").collect();
    assert_eq!(kinds(&ignored), [json!(["companion-skipped", "id1/maps/ab.ent"])]);
    folder.run(&format!("{GAME} report -o [DIR]/page.html"));
    let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.contains(r#""kind":"companion-skipped","location":"id1/maps/ab.ent""#), "{page}");
    // an engine that compares no rank ignores none
    let findings = folder.run("--basedir [DIR] --engine darkplaces --game mod --json check").json();
    assert!(findings.iter().all(|line| line["kind"] != "companion-skipped"), "{findings:?}");
}

#[test]
fn shadows_lists_skipped_companions() {
    let folder = folder();
    let lines = folder.run(&format!("{GAME} --json shadows")).json();
    assert_eq!(
        keys(&lines, &["type", "name", "because"]),
        [json!(["companion", "maps/ab.ent", "below-level"])]
    );
    assert!(folder.run(&format!("{GAME} --json shadows maps/*.lit")).json().is_empty());
    let text = folder.check(&format!("{GAME} shadows"));
    assert!(text.contains("id1/  maps/ab.ent  beside maps/ab.bsp: "), "{text}");
    assert!(folder.check(&format!("{GAME} shadows --names")).contains("maps/ab.ent\n"));
}
