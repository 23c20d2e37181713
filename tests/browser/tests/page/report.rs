//! The page of `quakefs report`.

use std::path::PathBuf;

use fantoccini::Locator;
use pak_format::Layout;
use quakefs_browser::{Page, report};
use serde_json::json;
use testutils::{Folder, content, pack};

use crate::{no_barriers, open};

tests! {
    the_head_names_the_game_and_its_layers,
    a_reason_that_stops_the_engine_comes_first,
    a_search_finds_files_and_filters_narrow_them,
    skipped_archives_are_grey_and_searched,
    the_lines_that_differ_in_two_texts_are_marked,
    a_conflict_opens_with_its_copies_side_by_side,
    a_picture_has_its_pixels_and_a_level_its_title,
    a_missing_file_is_in_the_tree_and_on_the_level_that_needs_it,
    a_model_turns_by_itself_by_keys_and_by_a_drag,
    a_model_has_the_pictures_that_it_names,
    a_level_is_shown_from_above_with_its_entities_by_class,
    a_texture_archive_shows_all_its_textures,
    damaged_models_and_levels_tell_why_they_have_no_shape,
    a_sound_shows_its_length_and_plays,
    hostile_names_and_texts_become_text,
    the_keyboard_opens_folders_files_and_conflicts,
    the_page_fits_a_phone_and_follows_the_scheme,
    the_address_keeps_the_search_and_the_open_file,
}

pub(crate) const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/game");

/// Opens the report of a game. The browser logs no errors.
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

fn skipped_archives_are_grey_and_searched() {
    page_of(&["--basedir", GAME, "--game", "gapmod"], async |page| {
        let verdict = page.text("#verdict").await;
        assert!(verdict.contains("gapmod/pak3.pak"), "{verdict}");
        let rows = page.text("#layer-table").await;
        assert!(rows.contains("pak2.pak is missing"), "{rows}");
        page.click("#search").await;
        page.keys("gap3").await;
        let found = page.text("#found").await;
        assert!(found.contains("1 in skipped archives"), "{found}");
        page.click("#tree .skipped").await;
        let details = page.text("#details").await;
        assert!(details.contains("gapmod/pak3.pak") && details.contains("pak2.pak is missing"), "{details}");
    });
}

/// Chooses the only file that a search finds.
async fn choose(page: &Page, words: &str) {
    page.open_file(words).await;
    assert!(page.text("#found").await.starts_with("1 file,"), "{}", page.text("#found").await);
}

/// The size of a loaded picture, and one pixel.
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

fn the_head_names_the_game_and_its_layers() {
    page_of(&["--basedir", GAME, "--game", "mymod"], async |page| {
        assert_eq!(page.client().title().await.unwrap(), "mymod over id1: quakefs report");
        assert_eq!(
            page.text("#verdict").await.lines().take(2).collect::<Vec<_>>(),
            [
                "QuakeSpasm 0.96.3 would not start with only these files.",
                "The rest of the page shows what it would load without the problems listed here. It skips 1 \
                    archive: mymod/notes.pak."
            ]
        );
        let layers = page.run(
            "return [...document.querySelectorAll('#layer-table tbody .name')].map((name) => name.innerText)",
        );
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
        assert_eq!(page.text("#layer-table .skipped .name").await, "mymod/notes.pak");
        assert_eq!(page.text("#findings li").await.lines().next().unwrap(), "stops");
    });
}

fn a_reason_that_stops_the_engine_comes_first() {
    page_of(&["--basedir", GAME, "--engine", "ironwail", "--game", "mymdo"], async |page| {
        let verdict = page.text("#verdict").await;
        assert!(verdict.starts_with("Ironwail after 0.8.2 does not start on this folder."), "{verdict}");
        assert!(page.text("#verdict li").await.contains(" mymod?"), "{verdict}");
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
        page.choose("state", "same").await;
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
        page.wait_count(".copy", 2).await;
        let names = page.texts(".copy h3").await;
        assert_eq!(names, json!(["id1/pak1.pak", "id1/pak0.pak"]));
        let words = page.text(".copy:last-child").await;
        assert!(words.contains("because: pak1.pak "), "{words}");
        let places = "const [a, b] = [...document.querySelectorAll('.copy')].map((copy) => \
            copy.getBoundingClientRect()); return a.top === b.top && a.right < b.left";
        assert_eq!(page.run(places).await, json!(true));
        assert_eq!(pixel(page, ".copy:first-child img", 1, 1).await, json!([8, 4, 9, 18, 246, 255]));
        assert_eq!(pixel(page, ".copy:last-child img", 1, 1).await, json!([16, 16, 17, 34, 238, 255]));
    });
}

fn the_lines_that_differ_in_two_texts_are_marked() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", pack(Layout::Quake, [("a.cfg", "bind x\nfov 90\n")]));
    folder.write("id1/pak1.pak", pack(Layout::Quake, [("a.cfg", "fov 110\nbind x\n")]));
    page_of(&game(&folder), async |page| {
        page.click("#conflicts summary").await;
        page.wait_count(".copy", 2).await;
        let marked =
            "return [...document.querySelectorAll('.copy mark')].map((mark) => mark.textContent.trim())";
        assert_eq!(page.run(marked).await, json!(["fov 110", "fov 90"]));
        assert_eq!(page.text(".copy pre").await, "fov 110\nbind x\n");
    });
}

fn a_missing_file_is_in_the_tree_and_on_the_level_that_needs_it() {
    let lamps = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/lamps");
    page_of(&["--basedir", lamps, "--engine", "quakespasm", "--game", "dusk"], async |page| {
        page.choose("state", "missing").await;
        assert!(page.text("#found").await.ends_with("; 2 missing"), "{}", page.text("#found").await);
        let rows = page.texts("#tree .name").await;
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
        page.run(
            "document.querySelector('#view input[value=pictures]').click(); \
            document.getElementById('search').value = ''; \
            document.getElementById('search').dispatchEvent(new Event('input', { bubbles: true }))",
        )
        .await;
        assert_eq!(page.count("#gallery img").await, 3);
    });
}

/// Models, a level and an archive of textures.
pub(crate) fn shapes() -> Folder {
    let entities = r#"{ "classname" "worldspawn" "message" "A Room" }
{ "classname" "light" "origin" "0 0 8" } { "classname" "light" "origin" "64 64 8" }
{ "classname" "monster_ogre" "origin" "-128 64 0" } { "classname" "<img src=x>" "origin" "100 0 0" }"#;
    let textures: Vec<_> = (0..60)
        .map(|number| format!("wall{number}"))
        .map(|name| (name.clone(), content::texture(&name, 16, 16, None)))
        .collect();
    let textures: Vec<_> = textures.iter().map(|(name, texture)| (&**name, 0x44, texture.clone())).collect();
    let folder = Folder::new();
    let files = [
        ("gfx/palette.lmp", content::palette()),
        ("maps/room.bsp", content::room(&[29, 0, 0, 0], entities, &[])),
        ("maps/damaged.bsp", content::room(&[29, 0, 0, 0], "{ }", &[])[..500].to_vec()),
        ("models/a/skin.pcx", content::pcx(16, 16, &content::palette())),
        ("progs/solid.mdl", content::solid_mdl()),
        ("progs/solid.md2", content::solid_md2("models/a/skin.pcx")),
        ("progs/solid.md3", content::solid_md3("models/a/skin.pcx")),
        ("progs/bare.md3", content::solid_md3("<img src=x>")),
        ("progs/damaged.mdl", content::solid_mdl()[..400].to_vec()),
        ("walls.wad", content::wad(b"WAD2", &textures)),
    ];
    folder.write("id1/pak0.pak", pack(Layout::Quake, files));
    folder
}

/// The colours that a model is drawn in, each with a position.
async fn drawn(page: &Page) -> serde_json::Value {
    drawn_in(page, "#details canvas").await
}

pub(crate) async fn drawn_in(page: &Page, selector: &str) -> serde_json::Value {
    page.wait(&format!(
        "const canvas = document.querySelector('{selector}');
        if (!canvas) return null;
        const context = new OffscreenCanvas(320, 320).getContext('2d', {{ willReadFrequently: true }});
        context.drawImage(canvas, 0, 0);
        const pixels = [...new Uint32Array(context.getImageData(0, 0, 320, 320).data.buffer).entries()];
        const drawn = pixels.filter(([place, pixel]) => place % 97 === 0 && pixel);
        return drawn.length > 0 && drawn",
    ))
    .await
}

/// Whether a model soon has colours, not only the grey of a model without a picture.
pub(crate) async fn has_colours(page: &Page) -> bool {
    has_colours_in(page, "#details canvas").await
}

/// Whether the model on a canvas soon has colours.
pub(crate) async fn has_colours_in(page: &Page, selector: &str) -> bool {
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let is_colour = |pixel: &serde_json::Value| {
        let [red, green, blue, _] = u32::try_from(pixel[1].as_u64().unwrap()).unwrap().to_le_bytes();
        red.abs_diff(blue).max(red.abs_diff(green)) > 40
    };
    drawn_in(page, selector).await.as_array().unwrap().iter().any(is_colour)
}

fn a_model_turns_by_itself_by_keys_and_by_a_drag() {
    let folder = shapes();
    page_of(&game(&folder), async |page| {
        let wait = async || tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        page.still(true).await;
        choose(page, "solid.mdl").await;
        assert!(has_colours(page).await);
        let first = drawn(page).await;
        wait().await;
        assert_eq!(drawn(page).await, first, "nothing moves if the user prefers that");
        page.run("document.querySelector('#details canvas').focus()").await;
        page.keys("\u{e014}").await;
        wait().await;
        let turned = drawn(page).await;
        assert_ne!(turned, first);
        let slider = "const { role, ariaValueText, ariaLabel } = document.activeElement; return [role, \
            ariaValueText, ariaLabel]";
        assert_eq!(
            page.run(slider).await,
            json!(["slider", "turned by 40 degrees, seen from 12 degrees above", "Turn progs/solid.mdl"])
        );
        page.keys("\u{e013}\u{e012}").await;
        wait().await;
        assert_ne!(drawn(page).await, turned);
        page.keys("\u{e015}").await;
        wait().await;
        assert_eq!(drawn(page).await, first);
        page.drag("#details canvas", 60, -20).await;
        wait().await;
        let dragged = drawn(page).await;
        assert_ne!(dragged, first);
        // the space bar turns it, unless the user prefers no motion
        page.keys(" ").await;
        wait().await;
        assert_eq!(drawn(page).await, dragged);
        page.still(false).await;
        page.keys("  ").await;
        wait().await;
        assert_ne!(drawn(page).await, dragged);
        // a visible model turns by itself
        choose(page, "solid.md2").await;
        let first = drawn(page).await;
        wait().await;
        assert_ne!(drawn(page).await, first);
        assert!(page.text("#details").await.contains("Triangles\n4\n"), "{}", page.text("#details").await);
    });
}

fn a_model_has_the_pictures_that_it_names() {
    let folder = shapes();
    page_of(&game(&folder), async |page| {
        for (name, pictures) in [("solid.md2", 1), ("solid.md3", 1), ("bare.md3", 0)] {
            choose(page, name).await;
            assert_eq!(has_colours(page).await, pictures > 0, "{name}");
            let count = "return document.querySelectorAll('#details img.picture').length";
            assert_eq!(page.run(count).await, json!(pictures), "{name}");
        }
        choose(page, "solid.md3").await;
        assert_eq!(page.text("#details figcaption").await, "models/a/skin.pcx, 16 × 16");
    });
}

fn a_level_is_shown_from_above_with_its_entities_by_class() {
    let folder = shapes();
    page_of(&game(&folder), async |page| {
        choose(page, "room.bsp").await;
        check_outline(page).await;
        page.screen(360, 740).await;
        let overflow = "return document.documentElement.scrollWidth - window.innerWidth";
        assert_eq!(page.run(overflow).await, json!(0));
    });
}

/// Checks the chosen level of [`shapes`].
pub(crate) async fn check_outline(page: &Page) {
    page.wait("return document.querySelector('#details .outline')").await;
    let details = page.text("#details").await;
    assert!(details.contains("512 × 256 units"), "{details}");
    let lines = "return document.querySelector('.outline path').getAttribute('d').split('M').length - 1";
    assert_eq!(page.run(lines).await, json!(4));
    let marks = page.texts(".mark").await;
    assert_eq!(marks, json!(["monster_ogre 1", "<img src=x> 1", "light 2"]));
    let titles = "return [...document.querySelectorAll('.outline g')].map((group) => \
        [group.querySelector('title').textContent, group.querySelectorAll('circle').length])";
    let expected = json!([["light: 2", 2], ["<img src=x>: 1", 1], ["monster_ogre: 1", 1]]);
    assert_eq!(page.run(titles).await, expected);
    // a class is highlighted while it is pointed at, focused or pressed
    let lit = "return [...document.querySelectorAll('.outline .lit')].map((group) => \
        group.querySelector('title').textContent)";
    assert_eq!(page.run(lit).await, json!([]));
    page.run("document.querySelectorAll('.mark')[0].focus()").await;
    assert_eq!(page.run(lit).await, json!(["monster_ogre: 1"]));
    page.keys("\u{e004}").await;
    page.keys("\u{e004} ").await;
    page.run("document.activeElement.blur()").await;
    assert_eq!(page.run(lit).await, json!(["light: 2"]));
    assert_eq!(
        page.run("return document.querySelector('.mark[aria-pressed=true]').innerText").await,
        json!("light 2")
    );
}

fn a_texture_archive_shows_all_its_textures() {
    let folder = shapes();
    page_of(&game(&folder), async |page| {
        choose(page, "walls.wad").await;
        check_textures(page).await;
    });
}

/// Checks the chosen texture archive of [`shapes`].
pub(crate) async fn check_textures(page: &Page) {
    page.wait_count("#details img.picture", 60).await;
    let last = "return document.querySelector('#details figure:last-child figcaption').innerText";
    assert_eq!(page.run(last).await, json!("wall59, 16 × 16"));
    page.run("document.querySelector('#details figure:last-child').scrollIntoView()").await;
    page.wait("return document.querySelector('#details figure:last-child img').naturalWidth === 16").await;
}

fn damaged_models_and_levels_tell_why_they_have_no_shape() {
    let folder = shapes();
    page_of(&game(&folder), async |page| {
        choose(page, "damaged.mdl").await;
        let details = page.text("#details").await;
        assert!(details.contains("Its shape is not shown: cut off: "), "{details}");
        assert_eq!(page.count("#details canvas").await, 0);
        choose(page, "damaged.bsp").await;
        let details = page.text("#details").await;
        assert!(details.contains("It is not shown from above: cut off: "), "{details}");
    });
}

fn a_sound_shows_its_length_and_plays() {
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

/// Names and texts that would run as markup, in archives that override each other.
pub(crate) fn hostile() -> Folder {
    let attack = "</script><img src=x onerror=document.title='owned'>";
    let name = format!("maps/{}", attack.replace('/', "|"));
    let entities = format!(r#"{{ "classname" "worldspawn" "message" "{attack}" }}"#);
    let level = content::level([29, 0, 0, 0], &entities, &[]);
    let svg = format!("<svg xmlns='http://www.w3.org/2000/svg' onload=\"document.title='owned'\"/>{attack}");
    let texture = content::texture("<img src=x>", 16, 16, None);
    let folder = Folder::new();
    for (pak, extra) in [("a.pak", "upper"), ("b.pak", "lower")] {
        let files = [
            (format!("{name}.bsp"), level.clone()),
            (format!("{name}.cfg"), format!("{attack} {{{{script}}}} {{{{data}}}} {extra}").into_bytes()),
            ("a.wad".to_owned(), content::wad(b"WAD2", &[("<img src=x>", 0x44, texture.clone())])),
            ("a.png".to_owned(), svg.clone().into_bytes()),
            ("../up\u{202e}.cfg".to_owned(), b"bind x \x1b[2J".to_vec()),
        ];
        folder.write(pak, pack(Layout::Hrot, files));
    }
    folder
}

/// Opens all that is in [`hostile`], and looks for elements that its texts describe.
pub(crate) async fn nothing_runs(page: &Page) {
    page.run("for (const one of document.querySelectorAll('details')) one.open = true").await;
    page.wait("return document.querySelectorAll('.copy').length > 4").await;
    for words in [".bsp", ".cfg maps", "a.wad", "a.png"] {
        choose(page, words).await;
    }
    assert!(page.text("#conflicts").await.contains("<img src=x onerror"));
    assert_eq!(page.count("img[onerror], img[src=x], svg, #data ~ img").await, 0);
    assert!(!page.client().title().await.unwrap().contains("owned"));
    assert_eq!(page.run("return document.scripts.length").await, json!(5));
}

fn hostile_names_and_texts_become_text() {
    let folder = hostile();
    let paths = ["b.pak", "a.pak"].map(|file| folder.path().join(file));
    page_of(&["--mount", paths[0].as_str(), "--mount", paths[1].as_str()], nothing_runs);
}

fn the_keyboard_opens_folders_files_and_conflicts() {
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
        assert_eq!(page.count("[aria-expanded=false]").await, 1);
        let outline = page.run("return getComputedStyle(document.activeElement).outlineStyle").await;
        assert_eq!(outline, json!("solid"), "the focused element has an outline");
        page.run("document.querySelector('#conflicts summary').focus()").await;
        page.keys(" ").await;
        page.wait_count(".copy", 2).await;
    });
}

fn the_address_keeps_the_search_and_the_open_file() {
    page_of(&["--basedir", GAME, "--game", "mymod"], async |page| {
        assert_eq!(page.run("return location.hash").await, json!(""));
        choose(page, "MAPS start").await;
        assert_eq!(page.run("return location.hash").await, json!("#search=MAPS+start&file=maps%2Fstart.bsp"));
        page.client().refresh().await.unwrap();
        page.wait_text("#details h3", "maps/start.bsp").await;
        assert!(page.text("#found").await.starts_with("1 file,"));
        page.client().back().await.unwrap();
        page.wait("return !chosen && filters.search.value === 'MAPS start'").await;
        page.run("location.hash = ''").await;
        page.wait("return filters.search.value === '' && filters.type.value === ''").await;
    });
}

fn an_element_without_a_name_is_a_barrier() {
    page_of(&["--basedir", GAME], async |page| {
        page.run("document.querySelector('main').append(document.createElement('button'))").await;
        let found = page.barriers().await;
        assert!(found.iter().any(|barrier| barrier.starts_with("button-name: ")), "{found:?}");
        page.run("document.querySelector('main').lastChild.remove()").await;
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
        page.wait_count(".copy", 2).await;
        let overflow = "return document.documentElement.scrollWidth - window.innerWidth";
        assert_eq!(page.run(overflow).await, json!(0));
        choose(page, "menu.lmp").await;
        assert_eq!(page.run(overflow).await, json!(0));
        let bottom =
            "return window.innerHeight - document.getElementById('details').getBoundingClientRect().bottom";
        assert_eq!(page.run(bottom).await, json!(0), "the file is at the foot of the screen");
        no_barriers(page).await;
        page.click("#details .close").await;
        page.wait("return !document.getElementById('details').classList.contains('chosen')").await;
    });
}

/// The test of axe itself, where it is installed.
pub(crate) const TESTS_WITH_AXE: &[(&str, fn())] =
    &[("an_element_without_a_name_is_a_barrier", an_element_without_a_name_is_a_barrier)];
