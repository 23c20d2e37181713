//! The first screen, an answer saved as a page, and folders that a reload brings back.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use quakefs_browser::{Page, report};
use serde_json::{Value, json};

use crate::dropped::{HOUSE, dropped, page_file, read};
use crate::open;
use crate::report::{GAME, pictures, pixel};

tests! {
    the_first_screen_shows_an_answer_and_has_a_sample,
    an_answer_is_saved_as_a_page,
    a_saved_page_keeps_the_system,
    a_reload_brings_the_folder_back_after_one_click,
    a_hosted_copy_installs_and_works_without_a_network,
}

fn the_first_screen_shows_an_answer_and_has_a_sample() {
    open(page_file(), async |page| {
        let label = page.run("return document.querySelector('.example').ariaLabel").await;
        assert!(label.as_str().unwrap().contains("which archives win"), "{label}");
        let shown = page.text("#drop").await;
        assert!(shown.contains("Quake III Arena"), "{shown}");
        page.wait("return engines.length > 0").await;
        let count = page.run("return `as ${engines.length} engines`").await;
        assert!(shown.contains(count.as_str().unwrap()), "before the module arrives: {shown}");
        for width in [390, 1280] {
            page.screen(width, 844).await;
            assert_eq!(page.overflow().await, json!(0), "{width}");
        }
        // everything but the head and the foot is in the main landmark
        assert_eq!(
            page.run(
                "return [...document.body.children].filter((one) => \
            one.checkVisibility()).map((one) => one.tagName)"
            )
            .await,
            json!(["HEADER", "MAIN", "FOOTER"])
        );
        // while the module arrives there is nothing to stop
        page.run(
            "worker.terminate();
            ask({ question: { engines: {} } }).catch(() => {});
            setTimeout(() => { window.hidden = byId('stop').hidden; }, 1300)",
        )
        .await;
        page.wait("return window.hidden === true").await;
        page.run("ask({ question: { page: {} } }).catch(() => {})").await;
        page.wait("return !byId('stop').hidden").await;
        page.click("#stop").await;
        page.wait("return byId('stop').hidden").await;
        page.click("#try").await;
        read(page).await;
        assert!(page.text("#game").await.ends_with("on Linux, with cellar"));
        assert!(page.text("#verdict").await.contains("missing"), "{}", page.text("#verdict").await);
        assert_eq!(
            page.run("return document.querySelector('.example').getBoundingClientRect().height").await,
            json!(0)
        );
        page.open_file("maps/cellar2").await;
        page.wait("return document.querySelector('#details .outline')").await;
        page.wait_count("#details img.picture", 2).await;
    });
}

/// Clicks "Save this answer as a page" and returns the saved text.
async fn saved(page: &Page) -> String {
    page.run(
        "URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return \
        'data:,'; }; HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; };",
    )
    .await;
    page.click("#save-page").await;
    page.wait("return window.saved != null").await.to_string();
    page.run("return window.saved").await.as_str().unwrap().to_owned()
}

fn an_answer_is_saved_as_a_page() {
    let folder = pictures();
    let room = tempfile::tempdir().unwrap();
    let file = room.path().join("saved.html");
    let args = ["--basedir", folder.path().as_str(), "--engine", "quakespasm"];
    let html = report(&args, &room.path().join("report.html"));
    let data = |html: &str| -> Value {
        let (_, data) = html.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
        serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
    };
    dropped(&[folder.path().as_std_path()], async |page| {
        fs::write(&file, saved(page).await).unwrap();
        assert_eq!(page.run("return window.savedAs").await, json!("id1-quakespasm.html"));
        assert_eq!(page.run("return byId('save-page').disabled").await, json!(false));
    });
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.len() < html.len() + 20_000, "without the module: {} bytes", text.len());
    for html in [&html, &text] {
        assert!(
            html.contains("<h1 id=\"game\">quakefs report</h1>"),
            "what a reader without JavaScript sees"
        );
        assert!(html.contains("<p id=\"summary\"></p>"));
    }
    let (mut expected, mut found) = (data(&html), data(&text));
    assert_eq!(found["on"], "linux");
    // the same files have a preview, in another order
    let kinds = |data: &Value| {
        let mut kinds: Vec<_> =
            data["previews"].as_array().unwrap().iter().map(|one| one["type"].to_string()).collect();
        kinds.sort_unstable();
        kinds
    };
    assert_eq!(kinds(&found), kinds(&expected));
    found.as_object_mut().unwrap().remove("on");
    for data in [&mut expected, &mut found] {
        crate::dropped::without_previews(data);
    }
    assert_eq!(found, expected);
    open(&file, async |page| {
        assert_eq!(page.text("#game").await, "As QuakeSpasm 0.96.3 on Linux, with id1");
        page.click("#conflicts summary").await;
        page.wait_count(".copy img.picture", 2).await;
        assert_eq!(pixel(page, ".copy:first-child img", 1, 1).await, json!([8, 4, 9, 18, 246, 255]));
        page.open_file("e1m1").await;
        page.wait_text("#details", "The <b>Slipgate</b> Complex").await;
        assert_eq!(
            page.run(
                "return [byId('open').checkVisibility(), \
            document.querySelector('meta[http-equiv]').content.includes('wasm'), document.scripts.length]"
            )
            .await,
            json!([false, false, 3])
        );
    });
}

fn a_saved_page_keeps_the_system() {
    let room = tempfile::tempdir().unwrap();
    let file = room.path().join("saved.html");
    open(page_file(), async |page| {
        page.on_windows().await;
        page.drop(&[Path::new(GAME)]).await;
        read(page).await;
        fs::write(&file, saved(page).await).unwrap();
    });
    open(&file, async |page| {
        assert_eq!(page.text("#game").await, "As QuakeSpasm 0.96.3 on Windows, with id1");
    });
}

fn a_reload_brings_the_folder_back_after_one_click() {
    let address = crate::dropped::served();
    open(page_file(), async |page| {
        page.client().goto(&address).await.unwrap();
        // a folder in the browser's own storage, whose handle nobody has to allow, but which is dropped like
        // any other
        let write = "
            const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('quake', { create: true });
            for (const game of ['id1', 'mymod', 'other']) {
                const maps = await (await folder.getDirectoryHandle(game, { create: true })).getDirectoryHandle('maps', { create: true });
                const file = await maps.getFileHandle('a.ent', { create: true });
                const stream = await file.createWritable();
                await stream.write(`echo ${game}`);
                await stream.close();
            }
            addFiles(filesOf([{ kind: 'file', getAsFileSystemHandle: async () => folder }]));";
        page.run(&format!("(async () => {{ {write} }})()")).await;
        read(page).await;
        page.choose("games", "mymod").await;
        page.wait("return data.game[0] === 'mymod'").await;
        read(page).await;
        page.client().refresh().await.unwrap();
        page.wait("return !byId('reopen').hidden").await;
        assert_eq!(page.text("#reopen").await, "Open quake again");
        page.click("#reopen").await;
        read(page).await;
        assert_eq!(page.run("return [data.game[0], drops[0].files.length]").await, json!(["mymod", 3]));
        // a refusal is told
        page.client().refresh().await.unwrap();
        page.wait("return !byId('reopen').hidden").await;
        page.run("FileSystemHandle.prototype.requestPermission = async () => 'denied'").await;
        page.click("#reopen").await;
        page.wait_text("#status", "the browser does not allow to read quake").await;
        // a fresh start forgets it
        page.client().refresh().await.unwrap();
        page.click("#reopen").await;
        read(page).await;
        page.click("#over").await;
        page.wait("return document.body.classList.contains('waiting') && engines.length > 0").await;
        assert_eq!(page.run("return byId('reopen').hidden").await, json!(true));
    });
}

/// The folder of `.ci/hosted` on a server, which ends when the flag is set.
fn hosted(folder: &Path) -> (String, Arc<AtomicBool>) {
    let made = Command::new(format!("{HOUSE}/.ci/hosted")).arg(page_file()).arg(folder).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", server.local_addr().unwrap());
    let (ended, folder) = (Arc::new(AtomicBool::new(false)), folder.to_owned());
    let is_ended = Arc::clone(&ended);
    thread::spawn(move || {
        for stream in server.incoming() {
            if !is_ended.load(Ordering::SeqCst) {
                let (folder, stream) = (folder.clone(), stream.unwrap());
                thread::spawn(move || serve(&folder, &stream));
            }
        }
    });
    (address, ended)
}

/// Answers a request with a file of the folder.
fn serve(folder: &Path, mut stream: &TcpStream) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    while lines.next().is_some_and(|line| !line.is_empty()) {}
    let name = first.split(' ').nth(1).unwrap_or("/").trim_start_matches('/');
    let file = if name.is_empty() { "index.html" } else { name };
    let kind = match file.rsplit('.').next() {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    };
    let (status, bytes) = match fs::read(folder.join(file)) {
        Ok(bytes) => ("200 OK", bytes),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        bytes.len()
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes));
}

fn a_hosted_copy_installs_and_works_without_a_network() {
    let folder = tempfile::tempdir().unwrap();
    let (address, ended) = hosted(folder.path());
    open(page_file(), async |page| {
        page.client().goto(&address).await.unwrap();
        page.wait("return engines.length > 0").await;
        assert_eq!(page.client().title().await.unwrap(), "quakefs: What does my Quake load?");
        page.run(
            "window.active = false; navigator.serviceWorker.ready.then(() => { window.active = true; })",
        )
        .await;
        page.wait("return window.active").await;
        let manifest = page.devtools("Page.getAppManifest", json!({})).await;
        assert_eq!(manifest["errors"], json!([]));
        let manifest: Value = serde_json::from_str(manifest["data"].as_str().unwrap()).unwrap();
        let accepted: Vec<_> =
            manifest["file_handlers"][0]["accept"].as_object().unwrap().values().map(|one| &one[0]).collect();
        assert_eq!(accepted, [".pak", ".pk3", ".wad"]);
        assert_eq!(
            page.devtools("Page.getInstallabilityErrors", json!({})).await["installabilityErrors"],
            json!([])
        );
        // without the server
        ended.store(true, Ordering::SeqCst);
        page.client().refresh().await.unwrap();
        page.wait("return engines.length > 0").await;
        page.drop(&[Path::new(GAME)]).await;
        read(page).await;
        // a saved answer asks for nothing of the hosted copy
        let text = saved(page).await;
        for name in ["manifest", "icon.svg", "og:", "'self'"] {
            assert!(!text.split("id=\"data\"").next().unwrap().contains(name), "{name}");
        }
    });
}
