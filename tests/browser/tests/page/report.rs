//! What a person sees and does on the page of `quakefs report`, in headless Chromium.

use std::path::PathBuf;

use fantoccini::Locator;
use pak_format::Layout;
use quakefs_browser::{Page, report};
use serde_json::json;
use testutils::{Folder, content, pack};

use crate::open;

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("the_page_opens_and_says_what_the_game_is", the_page_opens_and_says_what_the_game_is),
    ("what_stops_the_engine_stands_first", what_stops_the_engine_stands_first),
    ("a_search_finds_files_and_filters_narrow_them", a_search_finds_files_and_filters_narrow_them),
    ("archives_that_are_not_loaded_are_grey_and_found", archives_that_are_not_loaded_are_grey_and_found),
    ("of_two_texts_the_lines_that_differ_are_marked", of_two_texts_the_lines_that_differ_are_marked),
    ("a_conflict_opens_with_its_copies_side_by_side", a_conflict_opens_with_its_copies_side_by_side),
    ("a_picture_has_its_pixels_and_a_level_its_title", a_picture_has_its_pixels_and_a_level_its_title),
    (
        "a_missing_file_is_in_the_tree_and_on_the_level_that_asks",
        a_missing_file_is_in_the_tree_and_on_the_level_that_asks,
    ),
    ("a_sound_says_its_length_and_plays", a_sound_says_its_length_and_plays),
    ("hostile_names_and_texts_are_shown_and_do_nothing", hostile_names_and_texts_are_shown_and_do_nothing),
    (
        "the_keyboard_alone_opens_folders_files_and_conflicts",
        the_keyboard_alone_opens_folders_files_and_conflicts,
    ),
    ("the_page_fits_a_phone_and_follows_the_scheme", the_page_fits_a_phone_and_follows_the_scheme),
];

pub(crate) const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/game");

/// Opens the page of a game. The browser has nothing to complain of, before or after.
fn page_of(args: &[&str], work: impl AsyncFnOnce(&Page)) {
    let folder = tempfile::tempdir().unwrap();
    let file: PathBuf = folder.path().join("report.html");
    report(args, &file);
    open(&file, work);
}

/// A base directory with pictures, a level and a sound, in two layers.
pub(crate) fn pictures() -> Folder {
    let entities = r#"{ "classname" "worldspawn" "message" "The <b>Slipgate</b> Complex" }"#;
    let level = content::level([29, 0, 0, 0], entities, &[content::texture("floor", 16, 16, None)]);
    let folder = Folder::new();
    folder.write(
        "id1/pak0.pak",
        pack(
            Layout::Quake,
            [
                ("gfx/palette.lmp", content::palette()),
                ("gfx/menu.lmp", content::lump(16, 16)),
                ("maps/e1m1.bsp", level),
                ("sound/tone.wav", content::wav(11_025, 22_050)),
            ],
        ),
    );
    folder.write("id1/pak1.pak", pack(Layout::Quake, [("gfx/menu.lmp", content::lump(8, 4))]));
    folder
}

fn game(folder: &Folder) -> [&str; 2] {
    ["--basedir", folder.path().as_str()]
}

fn archives_that_are_not_loaded_are_grey_and_found() {
    page_of(&["--basedir", GAME, "--game", "gapmod"], async |page| {
        let verdict = page.text("#verdict").await;
        assert!(verdict.contains("gapmod/pak3.pak"), "{verdict}");
        let rows = page.text("#stack").await;
        assert!(rows.contains("pak2.pak is missing"), "{rows}");
        page.click("#search").await;
        page.keys("gap3").await;
        let found = page.text("#found").await;
        assert!(found.contains("1 in archives that are not loaded"), "{found}");
        page.click("#tree .absent").await;
        let details = page.text("#details").await;
        assert!(details.contains("gapmod/pak3.pak") && details.contains("pak2.pak is missing"), "{details}");
    });
}

/// Chooses the only file that a search finds.
async fn choose(page: &Page, words: &str) {
    page.click("#search").await;
    page.run("document.getElementById('search').value = ''").await;
    page.keys(words).await;
    assert!(page.text("#found").await.starts_with("1 file,"), "{}", page.text("#found").await);
    page.click("#tree [role=treeitem]").await;
}

/// The pixel of a picture as it was loaded.
pub(crate) async fn pixel(page: &Page, selector: &str, x: u32, y: u32) -> serde_json::Value {
    page.wait(&format!("return document.querySelector('{selector}')?.complete")).await;
    page.run(&format!(
        "const image = document.querySelector('{selector}');
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        return [canvas.width, canvas.height, ...context.getImageData({x}, {y}, 1, 1).data];"
    ))
    .await
}

fn the_page_opens_and_says_what_the_game_is() {
    page_of(&["--basedir", GAME, "--game", "mymod"], async |page| {
        assert_eq!(page.client().title().await.unwrap(), "mymod over id1: quakefs report");
        assert_eq!(
            page.text("#verdict").await.lines().next().unwrap(),
            "As a whole game, winquake would not start on this folder. The page shows what it would load if that were mended. \
             It does not load 1 archive there: mymod/notes.pak."
        );
        let layers = page
            .run("return [...document.querySelectorAll('#stack tbody .name')].map((name) => name.innerText)");
        let expected = [
            "mymod/pak1.pak",
            "mymod/pak0.pak",
            "mymod/notes.pak",
            "mymod/",
            "id1/pak1.pak",
            "id1/pak0.pak",
            "id1/",
        ];
        assert_eq!(layers.await, json!(expected));
        assert_eq!(page.text("#stack .absent .name").await, "mymod/notes.pak");
        assert_eq!(page.text("#findings li").await.lines().next().unwrap(), "stops");
    });
}

fn what_stops_the_engine_stands_first() {
    page_of(&["--basedir", GAME, "--engine", "ironwail", "--game", "mymdo"], async |page| {
        let verdict = page.text("#verdict").await;
        assert!(verdict.starts_with("ironwail does not start on this folder."), "{verdict}");
        assert!(verdict.contains(" mymod?"), "{verdict}");
    });
}

fn a_search_finds_files_and_filters_narrow_them() {
    page_of(&["--basedir", GAME, "--game", "mymod"], async |page| {
        page.keys("/").await;
        page.keys("MAPS start").await;
        assert!(page.text("#found").await.starts_with("1 file,"));
        assert!(page.text("#tree").await.starts_with("maps/start.bsp"));
        page.client().find(Locator::Id("search")).await.unwrap().clear().await.unwrap();
        page.run("document.getElementById('search').dispatchEvent(new Event('input', { bubbles: true }))")
            .await;
        let all = page.text("#found").await;
        page.run("const state = document.getElementById('state'); state.value = 'same'; state.dispatchEvent(new Event('input', { bubbles: true }))").await;
        assert_ne!(page.text("#found").await, all);
        assert!(page.text("#tree").await.starts_with("gfx/conback.lmp"));
        page.click("#search").await;
        page.keys("no such name").await;
        assert_eq!(page.text("#found").await, "No file matches.");
    });
}

fn a_conflict_opens_with_its_copies_side_by_side() {
    let folder = pictures();
    page_of(&game(&folder), async |page| {
        page.click("#conflicts summary").await;
        page.wait("return document.querySelectorAll('.copy').length === 2").await;
        let names =
            page.run("return [...document.querySelectorAll('.copy h3')].map((name) => name.innerText)").await;
        assert_eq!(names, json!(["id1/pak1.pak", "id1/pak0.pak"]));
        let words = page.text(".copy:last-child").await;
        assert!(words.contains("because: pak1.pak "), "{words}");
        let places = "const [a, b] = [...document.querySelectorAll('.copy')].map((copy) => copy.getBoundingClientRect()); return a.top === b.top && a.right < b.left";
        assert_eq!(page.run(places).await, json!(true));
        assert_eq!(pixel(page, ".copy:first-child img", 1, 1).await, json!([8, 4, 9, 18, 246, 255]));
        assert_eq!(pixel(page, ".copy:last-child img", 1, 1).await, json!([16, 16, 17, 34, 238, 255]));
    });
}

fn of_two_texts_the_lines_that_differ_are_marked() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", pack(Layout::Quake, [("a.cfg", "bind x\nfov 90\n")]));
    folder.write("id1/pak1.pak", pack(Layout::Quake, [("a.cfg", "fov 110\nbind x\n")]));
    page_of(&game(&folder), async |page| {
        page.click("#conflicts summary").await;
        page.wait("return document.querySelectorAll('.copy').length === 2").await;
        let marked =
            "return [...document.querySelectorAll('.copy mark')].map((mark) => mark.textContent.trim())";
        assert_eq!(page.run(marked).await, json!(["fov 110", "fov 90"]));
        assert_eq!(page.text(".copy pre").await, "fov 110\nbind x\n");
    });
}

fn a_missing_file_is_in_the_tree_and_on_the_level_that_asks() {
    let lamps = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/lamps");
    page_of(&["--basedir", lamps, "--engine", "quakespasm", "--game", "dusk"], async |page| {
        page.run("const state = document.getElementById('state'); state.value = 'missing'; state.dispatchEvent(new Event('input', { bubbles: true }))").await;
        assert!(page.text("#found").await.ends_with("; 2 missing"), "{}", page.text("#found").await);
        let rows = page
            .run("return [...document.querySelectorAll('#tree .name')].map((name) => name.innerText)")
            .await;
        assert_eq!(rows, json!(["maps/dusk.bsp", "progs/lamp.mdl", "sound/dusk/gate.wav"]));
        page.click("#tree > :nth-child(1)").await;
        assert!(page.text("#details").await.contains("2 missing"));
        page.click("#details li button").await;
        page.wait("return document.querySelector('#details h3').innerText.startsWith('progs/lamp.mdl')")
            .await;
        assert!(page.text("#details").await.contains("maps/dusk.bsp, light_lamp #1"));
    });
}

fn a_picture_has_its_pixels_and_a_level_its_title() {
    let folder = pictures();
    page_of(&game(&folder), async |page| {
        choose(page, "palette").await;
        assert_eq!(pixel(page, "#details img", 5, 2).await, json!([16, 16, 37, 74, 218, 255]));
        choose(page, "e1m1").await;
        assert!(page.text("#details").await.contains("The <b>Slipgate</b> Complex"));
        assert_eq!(pixel(page, "#details img", 3, 1).await, json!([16, 16, 19, 38, 236, 255]));
        page.run("document.querySelector('#view input[value=pictures]').click(); document.getElementById('search').value = ''; document.getElementById('search').dispatchEvent(new Event('input', { bubbles: true }))").await;
        assert_eq!(page.run("return document.querySelectorAll('#gallery img').length").await, json!(3));
    });
}

fn a_sound_says_its_length_and_plays() {
    let folder = pictures();
    page_of(&game(&folder), async |page| {
        choose(page, "tone").await;
        assert!(page.text("#details").await.contains("2.00 s"));
        let length = page.wait("return document.querySelector('#details audio').duration").await;
        assert!((length.as_f64().unwrap() - 2.0).abs() < 0.01);
        page.run("const audio = document.querySelector('#details audio'); audio.muted = true; audio.play()")
            .await;
        page.wait("return document.querySelector('#details audio').currentTime > 0.05").await;
    });
}

fn hostile_names_and_texts_are_shown_and_do_nothing() {
    let attack = "</script><img src=x onerror=document.title='owned'>";
    let name = format!("maps/{}", attack.replace('/', "|"));
    let entities = format!(r#"{{ "classname" "worldspawn" "message" "{attack}" }}"#);
    let level = content::level([29, 0, 0, 0], &entities, &[]);
    let texture = content::texture("<img src=x>", 16, 16, None);
    let folder = Folder::new();
    let files = |extra: &str| {
        pack(
            Layout::Hrot,
            [
                (format!("{name}.bsp"), level.clone()),
                (format!("{name}.cfg"), format!("{attack} {{{{script}}}} {{{{data}}}} {extra}").into_bytes()),
                ("a.wad".to_owned(), content::wad(b"WAD2", &[("<img src=x>", 0x44, texture.clone())])),
                ("../up\u{202e}.cfg".to_owned(), b"bind x \x1b[2J".to_vec()),
            ],
        )
    };
    folder.write("a.pak", files("upper"));
    folder.write("b.pak", files("lower"));
    let paths = ["b.pak", "a.pak"].map(|file| folder.path().join(file));
    page_of(&["--mount", paths[0].as_str(), "--mount", paths[1].as_str()], async |page| {
        page.run("for (const one of document.querySelectorAll('details')) one.open = true").await;
        page.wait("return document.querySelectorAll('.copy').length > 4").await;
        for words in [".bsp", ".cfg maps", "a.wad"] {
            choose(page, words).await;
        }
        assert!(page.text("#conflicts").await.contains("<img src=x onerror"));
        assert_eq!(
            page.run("return document.querySelectorAll('img[onerror], img[src=x], #data ~ img').length")
                .await,
            json!(0)
        );
        assert_eq!(page.client().title().await.unwrap().contains("owned"), false);
        assert_eq!(page.run("return document.scripts.length").await, json!(4));
    });
}

fn the_keyboard_alone_opens_folders_files_and_conflicts() {
    let folder = pictures();
    page_of(&game(&folder), async |page| {
        let focus = "return document.activeElement.querySelector('.name')?.innerText";
        page.run("document.querySelector('#tree [tabindex=\"0\"]').focus()").await;
        assert_eq!(page.run(focus).await, json!("gfx/"));
        let expanded = "return document.activeElement.getAttribute('aria-expanded')";
        if page.run(expanded).await == json!("false") {
            page.keys("\u{e014}").await;
        }
        assert_eq!(page.run(expanded).await, json!("true"));
        page.keys("\u{e015}").await;
        page.keys("\u{e007}").await;
        assert_eq!(page.text("#details h3").await, "gfx/menu.lmp");
        page.keys("\u{e012}").await;
        page.keys("\u{e012}").await;
        assert_eq!(
            page.run("return document.querySelectorAll('[aria-expanded=false]').length").await,
            json!(1)
        );
        let outline = page.run("return getComputedStyle(document.activeElement).outlineStyle").await;
        assert_eq!(outline, json!("solid"), "what has the focus shows it");
        page.run("document.querySelector('#conflicts summary').focus()").await;
        page.keys(" ").await;
        page.wait("return document.querySelectorAll('.copy').length === 2").await;
    });
}

fn the_page_fits_a_phone_and_follows_the_scheme() {
    let folder = pictures();
    page_of(&game(&folder), async |page| {
        let background = "return getComputedStyle(document.body).backgroundColor";
        page.dark(false).await;
        let light = page.run(background).await;
        page.dark(true).await;
        assert_ne!(page.run(background).await, light);
        page.screen(360, 740).await;
        page.run("document.querySelector('#conflicts summary').click()").await;
        page.wait("return document.querySelectorAll('.copy').length === 2").await;
        let overflow = "return document.documentElement.scrollWidth - window.innerWidth";
        assert_eq!(page.run(overflow).await, json!(0));
        choose(page, "menu.lmp").await;
        assert_eq!(page.run(overflow).await, json!(0));
        let bottom =
            "return window.innerHeight - document.getElementById('details').getBoundingClientRect().bottom";
        assert_eq!(page.run(bottom).await, json!(0), "the file is shown at the foot of the screen");
        page.click("#details .close").await;
        page.wait("return !document.getElementById('details').classList.contains('chosen')").await;
    });
}
