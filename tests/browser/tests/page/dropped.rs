//! Files that are dropped on the page of `.ci/page`.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use pak_format::Layout;
use quakefs_browser::{Page, report};
use serde_json::{Value, json};
use testutils::{Folder, content, pack, zip_mixed};

use crate::open;
use crate::report::{GAME, all_textures, has_colours, pictures, pixel, seen_from_above, shapes};

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("a_dropped_folder_has_the_data_of_the_report", a_dropped_folder_has_the_data_of_the_report),
    ("the_choosers_take_what_cannot_be_dropped", the_choosers_take_what_cannot_be_dropped),
    (
        "a_folder_is_dropped_where_a_browser_has_no_handles",
        a_folder_is_dropped_where_a_browser_has_no_handles,
    ),
    ("pk3s_alone_are_shown", pk3s_alone_are_shown),
    ("models_turn_and_levels_and_textures_are_shown", models_turn_and_levels_and_textures_are_shown),
    ("a_mod_as_downloaded_lies_over_the_game", a_mod_as_downloaded_lies_over_the_game),
    ("archives_and_a_mod_alone_are_shown", archives_and_a_mod_alone_are_shown),
    ("each_question_is_answered_by_a_click", each_question_is_answered_by_a_click),
    ("letters_compare_as_on_the_chosen_system", letters_compare_as_on_the_chosen_system),
    ("saved_files_have_their_bytes", saved_files_have_their_bytes),
    ("large_compressed_files_are_read", large_compressed_files_are_read),
    ("drops_are_taken_one_after_another", drops_are_taken_one_after_another),
    ("what_stops_at_any_moment_leaves_the_game", what_stops_at_any_moment_leaves_the_game),
    ("what_is_not_known_is_said", what_is_not_known_is_said),
    ("a_choice_that_cannot_be_is_taken_back", a_choice_that_cannot_be_is_taken_back),
    ("commands_hold_names_that_begin_with_a_dash", commands_hold_names_that_begin_with_a_dash),
    ("files_that_went_are_said", files_that_went_are_said),
    ("a_folder_of_130000_files_is_shown", a_folder_of_130000_files_is_shown),
    ("previews_are_made_when_they_are_looked_at", previews_are_made_when_they_are_looked_at),
    ("a_fault_ends_one_answer_and_not_the_page", a_fault_ends_one_answer_and_not_the_page),
    ("hostile_files_are_shown_and_do_nothing", hostile_files_are_shown_and_do_nothing),
    ("the_page_of_files_fits_a_phone", the_page_of_files_fits_a_phone),
    ("large_paks_are_mounted_by_their_directories", large_paks_are_mounted_by_their_directories),
];

const HOUSE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The page, which is made once.
fn page_file() -> &'static Path {
    static PAGE: OnceLock<PathBuf> = OnceLock::new();
    PAGE.get_or_init(|| {
        let target = Path::new(HOUSE).canonicalize().unwrap().join("target");
        fs::create_dir_all(&target).unwrap();
        let file = target.join("quakefs.html");
        let mut command = Command::new(format!("{HOUSE}/.ci/page"));
        let made = command.arg(&file).env("CARGO_TARGET_DIR", target.join("integrations")).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        file
    })
}

/// Drops files and folders on a fresh page.
fn dropped(paths: &[&Path], work: impl AsyncFnOnce(&Page)) {
    open(page_file(), async |page| {
        page.drop("#drop", paths).await;
        read(page).await;
        work(page).await;
    });
}

/// Waits until all is read.
async fn read(page: &Page) {
    page.wait("return document.getElementById('status').innerText.includes('compared and checked in')").await;
}

async fn texts(page: &Page, selector: &str) -> Value {
    page.run(&format!("return [...document.querySelectorAll({selector:?})].map((one) => one.innerText)"))
        .await
}

/// Chooses in a list, or ticks a box.
async fn choose(page: &Page, id: &str, value: &str) {
    page.run(&format!(
        "const place = document.getElementById({id:?});
        const box = [...place.querySelectorAll('input')].find((one) => one.value === {value:?});
        if (box) box.click();
        else {{ place.value = {value:?}; place.dispatchEvent(new Event('change', {{ bubbles: true }})); }}"
    ))
    .await;
}

/// Searches, and chooses the first that is found.
async fn search(page: &Page, words: &str) {
    page.run("const search = document.getElementById('search'); search.value = ''; search.scrollIntoView()")
        .await;
    page.click("#search").await;
    page.keys(words).await;
}

fn a_dropped_folder_has_the_data_of_the_report() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["mymod", "gapmod"] {
        let args = ["--basedir", GAME, "--engine", "winquake", "--game", game];
        let html = report(&args, &folder.path().join(format!("{game}.html")));
        let (_, data) = html.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
        let mut expected: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        dropped(&[Path::new(GAME)], async |page| {
            assert_eq!(texts(page, "#games label").await, json!(["gapmod", "mymod"]));
            choose(page, "games", game).await;
            page.wait(&format!("return data.game[0] === {game:?} && previews.size === 0")).await;
            read(page).await;
            let mut found = page.run("return data").await;
            // a page of files makes previews when they are looked at
            for data in [&mut expected, &mut found] {
                without_previews(data);
            }
            assert_eq!(found, expected);
            assert_eq!(
                page.text("#line").await,
                format!("quakefs --basedir game --engine winquake --game {game} path")
            );
        });
    }
}

fn without_previews(data: &mut Value) {
    let fields = data.as_object_mut().unwrap();
    fields.remove("previews");
    fields.remove("left_out");
    let last = |row: &mut Value, at: usize| row[at] = Value::Null;
    for folder in fields["folders"].as_array_mut().unwrap() {
        folder["files"].as_array_mut().unwrap().iter_mut().for_each(|row| last(row, 6));
    }
    for conflict in fields["conflicts"].as_array_mut().unwrap() {
        conflict["copies"].as_array_mut().unwrap().iter_mut().for_each(|row| last(row, 5));
    }
}

fn the_choosers_take_what_cannot_be_dropped() {
    open(page_file(), async |page| {
        page.choose_files("#folder", &[Path::new(GAME)]).await;
        read(page).await;
        assert_eq!(texts(page, "#layer-table .name").await, json!(["id1/pak1.pak", "id1/pak0.pak", "id1/"]));
        page.click("#over").await;
        page.wait("return document.body.classList.contains('waiting')").await;
        page.choose_files("#several", &[&Path::new(GAME).join("id1/pak0.pak")]).await;
        read(page).await;
        assert_eq!(texts(page, "#layer-table .name").await, json!(["pak0.pak"]));
        assert_eq!(page.text("#line").await, "quakefs --engine winquake --mount pak0.pak path");
    });
}

/// As Firefox has it: `webkitGetAsEntry`, which Chromium has for pages of a server alone.
fn a_folder_is_dropped_where_a_browser_has_no_handles() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", server.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in server.incoming() {
            serve(&stream.unwrap());
        }
    });
    open(page_file(), async |page| {
        page.client().goto(&address).await.unwrap();
        page.run("delete DataTransferItem.prototype.getAsFileSystemHandle").await;
        page.drop("#drop", &[Path::new(GAME)]).await;
        read(page).await;
        assert_eq!(texts(page, "#layer-table .name").await, json!(["id1/pak1.pak", "id1/pak0.pak", "id1/"]));
        assert_eq!(texts(page, "#games label").await, json!(["gapmod", "mymod"]));
        assert_eq!(page.text("#line").await, "quakefs --basedir game --engine winquake path");
    });
}

/// Answers a request with the page.
fn serve(mut stream: &TcpStream) {
    let mut lines = BufReader::new(stream).lines();
    while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
    let page = fs::read(page_file()).unwrap();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        page.len()
    );
    // a browser may look ahead and go
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&page));
}

fn pk3s_alone_are_shown() {
    let folder = Folder::new();
    folder.write("first.pk3", zip_mixed([("a.cfg", "first", true), ("b.cfg", "b", false)]));
    folder.write("second.pk3", zip_mixed([("a.cfg", "second", true)]));
    let pk3s = ["first.pk3", "second.pk3"].map(|name| folder.path().join(name).into_std_path_buf());
    for chosen in [true, false] {
        open(page_file(), async |page| {
            if chosen {
                page.choose_files("#several", &[&pk3s[0], &pk3s[1]]).await;
            } else {
                page.drop("#drop", &[&pk3s[0], &pk3s[1]]).await;
            }
            read(page).await;
            assert_eq!(texts(page, "#layer-table .name").await, json!(["second.pk3", "first.pk3"]));
            let line = page.text("#line").await;
            assert!(line.contains(" --mount first.pk3 --mount second.pk3 "), "{line}");
            search(page, "a.cfg").await;
            page.click("#tree [role=treeitem]").await;
            page.wait("return document.querySelector('#details pre')?.innerText === 'second'").await;
        });
    }
}

fn models_turn_and_levels_and_textures_are_shown() {
    let folder = shapes();
    dropped(&[folder.path().as_std_path()], async |page| {
        for (name, pictures) in
            [("solid.mdl", true), ("solid.md2", true), ("solid.md3", true), ("bare.md3", false)]
        {
            search(page, name).await;
            page.click("#tree [role=treeitem]").await;
            page.wait(&format!(
                "return document.querySelector('#details canvas')?.ariaLabel === 'Turn progs/{name}'"
            ))
            .await;
            assert_eq!(has_colours(page).await, pictures, "{name}");
        }
        search(page, "room.bsp").await;
        page.click("#tree [role=treeitem]").await;
        seen_from_above(page).await;
        search(page, "walls.wad").await;
        page.click("#tree [role=treeitem]").await;
        all_textures(page).await;
    });
}

fn a_mod_as_downloaded_lies_over_the_game() {
    let folder = Folder::new();
    let pak = String::from_utf8(pack(Layout::Quake, [("maps/start.bsp", "a level")])).unwrap();
    folder.write(
        "arcane.zip",
        zip_mixed([("arcane/pak0.pak", &*pak, true), ("arcane/readme.txt", "text", false)]),
    );
    folder.write(
        "loose.zip",
        zip_mixed([("maps/loose.bsp", "no level", false), ("loose.cfg", "fov 90", true)]),
    );
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    dropped(&[Path::new(GAME)], async |page| {
        page.run("document.getElementById('status').textContent = ''").await;
        page.drop("#drop", &[&file("arcane.zip")]).await;
        read(page).await;
        let layers = texts(page, "#layer-table .name").await;
        assert_eq!(layers, json!(["arcane/pak0.pak", "arcane/", "id1/pak1.pak", "id1/pak0.pak", "id1/"]));
        let line = "quakefs --basedir game --over arcane.zip --engine winquake --game arcane path";
        assert_eq!(page.text("#line").await, line);
        page.run("document.getElementById('status').textContent = ''").await;
        page.drop("#drop", &[&file("loose.zip")]).await;
        read(page).await;
        assert!(texts(page, "#games label").await.as_array().unwrap().contains(&json!("loose")));
        // a damaged one costs nothing that is there
        folder.write("cut.zip", "PK\x03\x04");
        page.drop("#drop", &[&file("cut.zip")]).await;
        page.wait("return document.getElementById('status').innerText.includes('cut.zip')").await;
        assert!(texts(page, "#layer-table .name").await.as_array().unwrap().len() > 3);
    });
}

fn archives_and_a_mod_alone_are_shown() {
    let mymod = Path::new(GAME).join("mymod");
    dropped(&[&mymod], async |page| {
        let verdict = page.text("#verdict").await;
        assert!(verdict.contains("not start on this folder"), "{verdict}");
        assert!(texts(page, "#layer-table .name").await.as_array().unwrap().contains(&json!("mymod/pak1.pak")));
        assert!(page.text("#line").await.ends_with("--game mymod path"));
    });
    let paks = ["pak0.pak", "pak1.pak"].map(|pak| mymod.join(pak));
    dropped(&[&paks[0], &paks[1]], async |page| {
        assert_eq!(texts(page, "#layer-table .name").await, json!(["pak1.pak", "pak0.pak"]));
        page.click("#conflicts summary").await;
        page.wait("return document.querySelectorAll('.copy').length === 2").await;
    });
}

fn each_question_is_answered_by_a_click() {
    dropped(&[Path::new(GAME)], async |page| {
        choose(page, "games", "gapmod").await;
        page.wait("return data.game[0] === 'gapmod'").await;
        read(page).await;
        // which, of a name that is in an archive that is not loaded and of one that is nowhere
        search(page, "maps/gap4.bsp").await;
        page.wait("return document.getElementById('which').innerText.includes('not found')").await;
        search(page, "MAPS\\start.bsp").await;
        page.wait("return document.getElementById('which').innerText !== ''").await;
        // compare
        choose(page, "against", "darkplaces").await;
        page.wait("return document.querySelectorAll('#compared details').length === 2").await;
        page.click("#compared summary").await;
        let compared = page.text("#compared").await;
        assert!(compared.contains("maps/gap3.bsp") && compared.contains("gapmod/pak3.pak"), "{compared}");
        page.run("filterBy({})").await;
        // the commands
        for (selector, command) in [
            ("#options [data-command]", " --engine winquake --game gapmod path"),
            ("#findings [data-command]", " --engine winquake --game gapmod check"),
            ("#conflicts [data-command]", " --engine winquake --game gapmod shadows"),
            ("#files [data-command]", " --engine winquake --game gapmod ls"),
            ("#compare [data-command]", " --game gapmod compare winquake darkplaces"),
        ] {
            page.click(selector).await;
            page.wait(&format!("return document.getElementById('line').innerText.endsWith({command:?})"))
                .await;
        }
        // other choices
        choose(page, "engine", "fte").await;
        page.wait("return data.engine === 'fte' && document.getElementById('missions').innerText.includes('hipnotic')").await;
        choose(page, "missions", "hipnotic").await;
        page.wait("return mounted.line.includes('--mission')").await;
        choose(page, "on", "windows").await;
        page.wait("return mounted.line.includes('windows')").await;
        read(page).await;
    });
    let lamps = Path::new(HOUSE).join("testdata/lamps");
    dropped(&[&lamps.canonicalize().unwrap()], async |page| {
        choose(page, "games", "dusk").await;
        page.wait("return data.missing.length === 2").await;
        search(page, "maps/dusk.bsp").await;
        page.click("#tree [role=treeitem]").await;
        page.run("[...document.querySelectorAll('#details button')].find((one) => one.innerText === 'Files it needs').click()").await;
        page.wait("return document.querySelectorAll('#details .rows tbody tr').length > 2").await;
        assert!(
            page.text("#details .rows tbody").await.starts_with("progs/lamp.mdl"),
            "what is missing is first"
        );
    });
}

fn letters_compare_as_on_the_chosen_system() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", pack(Layout::Quake, [("a.cfg", b"a")]));
    folder.write("id1/cafe\u{301}.cfg", "bind");
    folder.write("id1/stra\u{df}e_\u{e4}.cfg", "bind");
    dropped(&[folder.path().as_std_path()], async |page| {
        let accent = "caf\u{e9}.cfg";
        let capitals = "STRA\u{df}E_\u{c4}.CFG";
        for (on, name, is_found) in [
            ("macos", accent, true),
            ("windows", accent, false),
            ("macos", capitals, true),
            ("windows", capitals, true),
            ("linux", capitals, false),
            // two characters are no capital of one
            ("windows", "STRASSE_\u{c4}.CFG", false),
        ] {
            choose(page, "on", on).await;
            page.wait(&format!("return mounted.line.includes({on:?})")).await;
            read(page).await;
            page.run(&format!("window.which = null; question('which', {{ name: {name:?} }}).then((answer) => {{ window.which = answer; }})")).await;
            page.wait("return window.which").await;
            let found = if is_found { json!(name) } else { Value::Null };
            assert_eq!(page.run("return window.which.found").await, found, "{name} on {on}");
        }
    });
}

fn saved_files_have_their_bytes() {
    let folder = Folder::new();
    folder.write(
        "quake/id1/pak0.pak",
        pack(Layout::Quake, [("a.cfg", "stored"), ("../up.cfg", "outside"), ("maps/b.bsp", "level")]),
    );
    folder.write("quake/id1/c.pk3", zip_mixed([("c.cfg", &*"long ".repeat(500), true)]));
    folder.write("quake/id1/loose.cfg", "loose");
    dropped(&[folder.path().join("quake").as_std_path()], async |page| {
        choose(page, "engine", "darkplaces").await;
        page.wait("return data.engine === 'darkplaces'").await;
        read(page).await;
        let text = |name: &str| {
            format!(
            "const done = arguments[arguments.length - 1];
            ask({{ source: copyKey(byPath.get({name:?})) }}).then(({{ blob }}) => blob.text()).then((text) => {{ window.saved = text; }})"
        )
        };
        for (name, expected) in
            [("a.cfg", "stored"), ("c.cfg", &*"long ".repeat(500)), ("loose.cfg", "loose")]
        {
            page.run(&text(name)).await;
            page.wait("return window.saved != null").await;
            assert_eq!(
                page.run("const { saved } = window; window.saved = null; return saved").await,
                json!(expected)
            );
        }
        // the button saves what the search shows: here all that the engine serves
        page.run("window.blobs = []; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { window.blobs.push(blob); return make(blob); }").await;
        page.click("#save-all").await;
        page.wait("return window.blobs.length === 1").await;
        assert_eq!(page.text("#status").await, "4 files saved.");
        page.run(
            "window.blobs[0].arrayBuffer().then((buffer) => { window.zip = [...new Uint8Array(buffer)]; })",
        )
        .await;
        let zip = page.wait("return window.zip").await;
        let zip: Vec<u8> = serde_json::from_value(zip).unwrap();
        let file = folder.path().join("saved.pk3");
        fs::write(&file, zip).unwrap();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let exit = quakefs_cli::run(
            ["quakefs", "pak", "verify", file.as_str()],
            &mut quakefs_cli::Console::plain(&mut out, &mut err),
        );
        assert_eq!(
            exit,
            quakefs_cli::Exit::Done,
            "{}{}",
            String::from_utf8_lossy(&out),
            String::from_utf8_lossy(&err)
        );
        let read = quakefs::Archive::open(&file).unwrap();
        assert_eq!(read.find("c.cfg").unwrap().read().unwrap(), &*"long ".repeat(500));
        assert_eq!(read.len(), 4);
        page.click("#tree [role=treeitem][aria-expanded] ~ [role=treeitem]:last-child").await;
        page.click("#details .actions button").await;
        page.wait("return window.blobs.length === 2").await;
    });
}

/// A text that deflates to a fourth, and not into nothing.
fn long_text(length: usize) -> String {
    let words = (0_u32..).map(|number| format!("{:x} ", number.wrapping_mul(0x9e37_79b9)));
    let mut text: String = words.take(length / 8 + 1).collect();
    text.truncate(length);
    text
}

fn large_compressed_files_are_read() {
    let folder = Folder::new();
    let lengths = [100, 1 << 20, (1 << 20) + 1, 3_000_000, 5 << 20];
    let texts: Vec<_> = lengths.iter().map(|length| (format!("t{length}.cfg"), long_text(*length))).collect();
    let pk3 = zip_mixed(texts.iter().map(|(name, text)| (name, text, true)));
    folder.write("quake/id1/pak0.pak", pack(Layout::Quake, [("a.cfg", "a")]));
    folder.write("quake/id1/large.pk3", pk3);
    // the inflater of the module decodes 32 KiB at a time: contents that end at such a border
    let zeros: Vec<_> = (1..4_usize)
        .flat_map(|times| (0..60).map(move |more| (32 << 10) * times + more))
        .chain([66_564])
        .map(|length| (format!("z{length}"), "\0".repeat(length)))
        .collect();
    folder.write("quake/id1/zeros.pk3", zip_mixed(zeros.iter().map(|(name, text)| (name, text, true))));
    let large = pack(Layout::Quake, [("big.cfg", long_text(2_000_000))]);
    folder.write("arcane.zip", zip_mixed([("arcane/pak0.pak", large, true)]));
    dropped(&[folder.path().join("quake").as_std_path()], async |page| {
        choose(page, "engine", "darkplaces").await;
        page.wait("return data.engine === 'darkplaces'").await;
        read(page).await;
        page.run("document.getElementById('status').textContent = ''").await;
        page.drop("#drop", &[folder.path().join("arcane.zip").as_std_path()]).await;
        read(page).await;
        assert_eq!(page.run("return data.not_loaded").await, json!([]));
        page.run("window.wrong = null;
            Promise.all(files.filter((file) => file.path[0] === 'z').map(async (file) => {
                const { answer, blob } = await ask({ source: copyKey(file) });
                return [file.path, blob ? `z${blob.size}` : answer.error];
            })).then((all) => { window.wrong = [all.length, ...all.filter(([name, size]) => name !== size)]; })").await;
        assert_eq!(page.wait("return window.wrong").await, json!([zeros.len()]));
        let big = ("big.cfg".to_owned(), long_text(2_000_000));
        for (name, text) in texts.iter().chain([&big]) {
            page.run(&format!(
                "window.saved = null;
                ask({{ source: copyKey(byPath.get({name:?})) }}).then(async ({{ answer, blob }}) => {{ window.saved = blob ? await blob.text() : answer.error; }})"
            ))
            .await;
            page.wait("return window.saved != null").await;
            let found = page
                .run("return [window.saved.length, window.saved.slice(0, 80), window.saved.slice(-80)]")
                .await;
            assert_eq!(found, json!([text.len(), text[..80], text[text.len() - 80..]]), "{name}");
        }
    });
}

fn drops_are_taken_one_after_another() {
    let folder = Folder::new();
    for number in 0..4 {
        folder.write(&format!("p{number}.pak"), pack(Layout::Quake, [(format!("{number}.cfg"), "x")]));
    }
    folder.write("bad.pak", "no archive");
    let many = (0..20_000_u32).map(|number| (format!("a/{number}"), vec![]));
    folder.write("many.pak", pack(Layout::Quake, many));
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    open(page_file(), async |page| {
        for name in ["p0.pak", "bad.pak", "many.pak", "p1.pak", "bad.pak", "p2.pak"] {
            page.drop("#drop", &[&file(name)]).await;
        }
        page.wait("return data?.layers.length === 4 && unread === '' && !waitingTurns").await;
        let status = page.text("#status").await;
        assert!(
            status.starts_with("bad.pak: ") && status.ends_with("No file of this drop was added."),
            "{status}"
        );
        assert_eq!(texts(page, "#layer-table .name").await, json!(["p2.pak", "p1.pak", "many.pak", "p0.pak"]));
        page.drop("#drop", &[&file("bad.pak")]).await;
        page.wait("return /bad.pak.*not an archive.*No file of this drop was added/.test(document.getElementById('status').innerText)").await;
        page.drop("#drop", &[&file("p3.pak")]).await;
        page.wait("return data.layers.length === 5").await;
        read(page).await;
        assert_eq!(
            page.run("return [...dropped.keys()]").await,
            json!(["p0.pak", "many.pak", "p1.pak", "p2.pak", "p3.pak"])
        );
    });
}

fn what_stops_at_any_moment_leaves_the_game() {
    let folder = Folder::new();
    folder.write("a.pak", pack(Layout::Quake, [("a.cfg", "a")]));
    folder.write("b.pak", pack(Layout::Quake, [("b.cfg", "b")]));
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    let answers = "window.which = null; question('which', { name: 'a.cfg' }).then((answer) => { window.which = answer.found; })";
    dropped(&[&file("a.pak")], async |page| {
        // a stop for each message that the worker gets, and for what brings the game back
        page.run("window.stops = 0; const send = Worker.prototype.postMessage;
            Worker.prototype.postMessage = function (message) {
                send.call(this, message);
                if (window.stops && !message.module) { window.stops -= 1; setTimeout(() => byId('stop').click()); }
            }").await;
        for stops in 1..6 {
            page.run(&format!("window.stops = {stops}")).await;
            choose(page, "on", ["linux", "windows"][stops % 2]).await;
            page.wait("return !window.stops && !messages.length && !waitingTurns").await;
            page.run(answers).await;
            assert_eq!(page.wait("return window.which").await, json!("a.cfg"), "{stops}");
            assert_eq!(
                page.run("return byId('on').value === choice.on && mounted.line.join().includes(choice.on)")
                    .await,
                json!(true)
            );
        }
        for stops in 1..6 {
            page.run(&format!("window.stops = {stops}")).await;
            page.drop("#drop", &[&file("b.pak")]).await;
            page.wait("return !window.stops && !messages.length && !waitingTurns").await;
            page.run(answers).await;
            assert_eq!(page.wait("return window.which").await, json!("a.cfg"), "{stops}");
        }
        page.drop("#drop", &[&file("b.pak")]).await;
        page.wait("return data.layers.length === 2").await;
        read(page).await;
    });
    // the first question of all
    open(page_file(), async |page| {
        page.wait("return engines.length > 0").await;
        page.run("engines = []; byId('engine').replaceChildren()").await;
        // and what is dropped first counts first, however long its files take to be found
        page.run("const find = filesOf; let slow = true; filesOf = async (items) => { const found = find(items); if (slow) { slow = false; await found; await new Promise((done) => setTimeout(done, 300)); } return found; }").await;
        page.drop("#drop", &[&file("a.pak")]).await;
        page.drop("#drop", &[&file("b.pak")]).await;
        page.wait("return data?.layers.length === 2").await;
        read(page).await;
        assert_eq!(texts(page, "#layer-table .name").await, json!(["b.pak", "a.pak"]));
        assert!(page.run("return byId('engine').options.length").await.as_u64().unwrap() > 20);
    });
}

fn what_is_not_known_is_said() {
    let folder = Folder::new();
    let pak = pack(Layout::Quake, [("maps/cut.bsp", &b"\x1d\0\0\0cut"[..]), ("quake.rc", b"")]);
    folder.write("quake/id1/pak0.pak", &pak);
    folder.write("quake/id1/pak1.pak", &pak);
    dropped(&[folder.path().join("quake").as_std_path()], async |page| {
        search(page, "cut.bsp").await;
        page.click("#tree [role=treeitem]").await;
        page.run("[...document.querySelectorAll('#details button')].find((one) => one.innerText === 'Files it needs').click()").await;
        page.wait(
            "return document.getElementById('details').innerText.includes('maps/cut.bsp cannot be read')",
        )
        .await;
        assert!(!page.text("#details").await.contains("It needs no other file"));
        assert!(
            page.text("#verdict").await.contains("No reason is known why winquake would not start")
        );
        // an answer that is stopped is no answer
        page.run("inTurn(async () => { await mount(restoring[0]); byId('stop').click(); })").await;
        page.wait(
            "return document.getElementById('findings-note').innerText.includes('Reading was stopped')",
        )
        .await;
        assert!(!page.text("#findings-note").await.contains("No problems found"));
        assert_eq!(page.text("#status").await, "Stopped.");
        choose(page, "on", "linux").await;
        read(page).await;
        assert!(!page.text("#findings-note").await.contains("stopped"));
    });
    // archives alone are no game that starts
    dropped(&[folder.path().join("quake/id1/pak0.pak").as_std_path()], async |page| {
        assert_eq!(page.text("#verdict").await, "");
    });
}

fn a_choice_that_cannot_be_is_taken_back() {
    dropped(&[Path::new(GAME)], async |page| {
        let line = page.text("#line").await;
        choose(page, "engine", "quake2").await;
        page.wait("return /^The choice was undone: .*baseq2 → drop the folder/.test(document.getElementById('status').innerText) && unread === ''").await;
        assert_eq!(
            page.run("return [byId('engine').value, data.engine, choice.engine]").await,
            json!(["winquake", "winquake", "winquake"])
        );
        assert_eq!(page.text("#line").await, line);
        let status = page.text("#status").await;
        assert!(!status.contains("dropped/"), "{status}");
        choose(page, "against", "darkplaces").await;
        page.wait("return document.querySelectorAll('#compared details').length").await;
    });
    // nothing that is a game
    let folder = Folder::new();
    folder.write("notes/readme.txt", "text");
    open(page_file(), async |page| {
        page.drop("#drop", &[folder.path().join("notes").as_std_path()]).await;
        page.wait("return /^the base directory has no folder id1 → drop the folder/.test(document.getElementById('status').innerText)").await;
        page.drop("#drop", &[Path::new(GAME)]).await;
        read(page).await;
    });
}

fn commands_hold_names_that_begin_with_a_dash() {
    let folder = Folder::new();
    folder.write("-dash/id1/pak0.pak", pack(Layout::Quake, [("-f.cfg", "x"), ("a.cfg", "x")]));
    dropped(&[folder.path().join("-dash").as_std_path()], async |page| {
        assert_eq!(page.text("#line").await, "quakefs --basedir=-dash --engine winquake path");
        let shown = page
            .run(
                "return [whichLine('-f.cfg'), whichLine('a.cfg')].map((line) => line.split(' winquake ')[1])",
            )
            .await;
        assert_eq!(shown, json!(["which -a -- -f.cfg", "which -a a.cfg"]));
        page.click("#compare [data-command]").await;
        assert!(page.text("#status").await.contains("Choose the engine to compare with"));
        // no command says the same of a search
        assert_eq!(
            page.run("return document.querySelector('#files [data-command]').hidden").await,
            json!(false)
        );
        search(page, "a.cfg").await;
        assert_eq!(
            page.run("return document.querySelector('#files [data-command]').hidden").await,
            json!(true)
        );
    });
}

fn files_that_went_are_said() {
    let folder = Folder::new();
    folder.write("a.pak", pack(Layout::Quake, [("a.cfg", "a")]));
    folder.write("b.pak", pack(Layout::Quake, [("b.cfg", "b")]));
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    dropped(&[&file("a.pak"), &file("b.pak")], async |page| {
        page.run("window.saves = 0; HTMLAnchorElement.prototype.click = () => { window.saves += 1; }").await;
        fs::remove_file(file("a.pak")).unwrap();
        page.click("#save-all").await;
        page.wait("return /^1 file saved; 1 skipped.*a\\.cfg\\.$/.test(document.getElementById('status').innerText)").await;
        search(page, "a.cfg").await;
        page.click("#tree [role=treeitem]").await;
        page.wait("return document.querySelector('#details .actions button')").await;
        page.click("#details .actions button").await;
        page.wait("return /a.pak cannot be read: it was changed or removed/.test(document.getElementById('status').innerText)").await;
        assert_eq!(page.run("return window.saves").await, json!(1));
        // the other one is there as before
        search(page, "b.cfg").await;
        page.click("#tree [role=treeitem]").await;
        page.wait("return document.querySelector('#details pre')?.innerText === 'b'").await;
    });
}

fn a_folder_of_130000_files_is_shown() {
    let folder = Folder::new();
    let files = (0..130_000_u32).map(|number| (format!("{number}"), vec![]));
    folder.write("flat.pak", pack(Layout::Quake, files));
    dropped(&[folder.path().join("flat.pak").as_std_path()], async |page| {
        assert_eq!(page.run("return rows.length").await, json!(130_000));
        assert!(page.text("#findings-note").await.contains("No problems found"));
        page.click("#save-all").await;
        assert!(page.text("#status").await.contains("65535 files"));
    });
}

fn previews_are_made_when_they_are_looked_at() {
    let folder = pictures();
    dropped(&[folder.path().as_std_path()], async |page| {
        assert_eq!(page.run("return previews.size").await, json!(0));
        page.click("#conflicts summary").await;
        page.wait("return document.querySelectorAll('.copy img.picture').length === 2").await;
        search(page, "palette").await;
        page.click("#tree [role=treeitem]").await;
        page.wait("return document.querySelector('#details img')?.naturalWidth === 16").await;
        assert_eq!(pixel(page, "#details img", 5, 2).await, json!([16, 16, 37, 74, 218, 255]));
        search(page, "e1m1").await;
        page.click("#tree [role=treeitem]").await;
        page.wait(
            "return document.getElementById('details').innerText.includes('The <b>Slipgate</b> Complex')",
        )
        .await;
        search(page, "tone").await;
        page.click("#tree [role=treeitem]").await;
        page.wait("return document.querySelector('#details audio')?.duration > 1.9").await;
        search(page, " ").await;
        page.run("document.querySelector('#view input[value=pictures]').click()").await;
        page.wait("return document.querySelectorAll('#gallery img[src]').length === 3").await;
        page.click("#gallery button").await;
        page.wait("return document.querySelector('#gallery [aria-pressed=true]')").await;
    });
}

fn a_fault_ends_one_answer_and_not_the_page() {
    open(page_file(), async |page| {
        // the module is asked for more memory than there is when a word stands in a question
        page.wait("return engines.length > 0").await;
        page.run("const script = document.getElementById('worker');
            script.textContent = script.textContent.replace('function ask(question) {', 'function ask(question) { if (question.which?.name === \"break it\") exports.room(0xffffffff);');
            restart('');").await;
        page.drop("#drop", &[Path::new(GAME)]).await;
        read(page).await;
        search(page, "break it").await;
        page.wait("return /fault of quakefs ended this answer\\. Please report it: .*unreachable, at wasm-function.*:0x[0-9a-f]+\\./.test(document.getElementById('status').innerText)").await;
        // the next questions are answered
        search(page, "progs.dat").await;
        choose(page, "games", "mymod").await;
        page.wait("return data.game[0] === 'mymod'").await;
        read(page).await;
        page.click("#tree [role=treeitem]").await;
        page.wait("return document.getElementById('details').innerText.includes('mymod/')").await;
        page.run("ask({ question: { page: {} } }).catch(() => { window.ended = true; }); document.getElementById('stop').click()").await;
        page.wait("return window.ended").await;
    });
}

fn hostile_files_are_shown_and_do_nothing() {
    let attack = "</script><img src=x onerror=document.title='owned'>";
    let name = attack.replace('/', "|");
    let folder = Folder::new();
    let level = content::level(
        [29, 0, 0, 0],
        &format!(r#"{{ "classname" "worldspawn" "message" "{attack}" }}"#),
        &[],
    );
    let files = |extra: &str| {
        pack(
            Layout::Hrot,
            [
                (format!("maps/{name}.bsp"), level.clone()),
                (format!("maps/{name}.cfg"), format!("{attack} {extra}").into_bytes()),
                ("../up\u{202e}.cfg".to_owned(), b"bind x \x1b[2J".to_vec()),
                (
                    "a.png".to_owned(),
                    format!(
                        "<svg xmlns='http://www.w3.org/2000/svg' onload=\"document.title='owned'\"/>{attack}"
                    )
                    .into_bytes(),
                ),
            ],
        )
    };
    folder.write("a.pak", files("upper"));
    folder.write("b.pak", files("lower"));
    folder.write("<img src=x onerror=document.title='owned'>.pak", "no archive");
    let paths = ["a.pak", "b.pak", "<img src=x onerror=document.title='owned'>.pak"]
        .map(|file| folder.path().join(file).into_std_path_buf());
    dropped(&[&paths[0], &paths[1]], async |page| {
        page.run("for (const one of document.querySelectorAll('details')) one.open = true").await;
        page.wait("return document.querySelectorAll('.copy').length > 4").await;
        for words in [".bsp", ".cfg maps", "a.png", "no such <img src=x onerror=document.title='owned'>"] {
            search(page, words).await;
            page.run("document.querySelector('#tree [role=treeitem]')?.click()").await;
        }
        page.wait("return document.getElementById('which').innerText.includes('<img')").await;
        page.drop("#drop", &[&paths[2]]).await;
        page.wait("return document.getElementById('status').innerText.includes('<img')").await;
        assert_eq!(
            page.run("return document.querySelectorAll('img[onerror], img[src=x], svg').length").await,
            json!(0)
        );
        assert!(!page.client().title().await.unwrap().contains("owned"));
        assert_eq!(page.run("return document.scripts.length").await, json!(4));
    });
}

fn the_page_of_files_fits_a_phone() {
    dropped(&[Path::new(GAME)], async |page| {
        choose(page, "games", "gapmod").await;
        page.wait("return data.game[0] === 'gapmod'").await;
        choose(page, "against", "darkplaces").await;
        page.wait("return document.querySelectorAll('#compared details').length === 2").await;
        page.run("document.querySelector('#compared summary').click()").await;
        for width in [360, 768, 1280] {
            page.screen(width, 740).await;
            let overflow = page.run("return document.documentElement.scrollWidth - window.innerWidth").await;
            assert_eq!(overflow, json!(0), "{width}");
        }
        // by keyboard alone: a folder is chosen by a button that has the focus, a box by the space bar
        page.run("document.querySelector('#games input').focus()").await;
        page.keys(" ").await;
        page.wait("return data.game[0] === 'id1'").await;
    });
}

fn large_paks_are_mounted_by_their_directories() {
    let folder = Folder::new();
    for pak in 0..2 {
        let files = (0..17_u8).map(|file| (format!("maps/p{pak}m{file}.bin"), vec![file ^ 0x55; 1 << 20]));
        folder.write(&format!("quake/id1/pak{pak}.pak"), pack(Layout::Quake, files));
    }
    dropped(&[folder.path().join("quake").as_std_path()], async |page| {
        println!("{}", page.text("#status").await);
        let figures = page.run("return mounted.figures").await;
        println!("{figures}");
        assert!(figures["read"].as_u64().unwrap() < 100_000, "{figures}");
        assert!(figures["memory"].as_u64().unwrap() <= 4 << 20, "{figures}");
    });
}
