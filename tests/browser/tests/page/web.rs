//! The npm package in Chromium, from a server that answers byte ranges.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use quakefs_browser::{Page, browse, installed};
use serde_json::{Value, json};
use testutils::{Folder, sample};

use crate::dropped::HOUSE;

tests! {
    the_package_mounts_files_and_urls_in_a_browser_and_in_a_worker,
    the_package_mounts_handles_of_folders_and_files,
}

pub(crate) const TESTS_WITH_THREE: &[(&str, fn())] =
    &[("a_model_is_shown_with_its_skin_by_three_js", a_model_is_shown_with_its_skin_by_three_js)];

/// The package: the one that the tests in Node used, or built once.
fn package() -> &'static Path {
    static PACKAGE: OnceLock<PathBuf> = OnceLock::new();
    PACKAGE.get_or_init(|| {
        if let Some(made) = std::env::var_os("QUAKEFS_WEB") {
            return Path::new(HOUSE).join(made);
        }
        let target = Path::new(HOUSE).canonicalize().unwrap().join("target");
        let folder = target.join("web");
        let mut command = Command::new(format!("{HOUSE}/.ci/web"));
        let made =
            command.arg(&folder).env("CARGO_TARGET_DIR", target.join("integrations")).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        folder
    })
}

/// The folder with three.js, installed once.
fn three() -> Result<&'static Path, &'static str> {
    static THREE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let installed = THREE.get_or_init(|| installed("three", "0.187.0"));
    installed.as_deref().ok_or("three.js is not installed: the registry of npm is not reached")
}

pub(crate) fn no_three() -> Option<String> {
    three().err().map(str::to_owned)
}

/// A server of a folder with the package, the example and the sample.
struct Server(Child, String, Folder);

impl Server {
    fn start() -> Self {
        let folder = Folder::new();
        let root = folder.path().as_std_path();
        let copy = |from: &Path, to: &str| {
            fs::create_dir_all(root.join(to)).unwrap();
            for item in fs::read_dir(from).unwrap().map(Result::unwrap).filter(|item| item.path().is_file()) {
                fs::copy(item.path(), root.join(to).join(item.file_name())).unwrap();
            }
        };
        copy(package(), "node_modules/quakefs");
        copy(&Path::new(HOUSE).join("integrations/web/examples"), ".");
        if let Ok(three) = three() {
            copy(&three.join("build"), "node_modules/three/build");
        }
        for (path, bytes) in sample::files() {
            folder.write(path, bytes);
        }
        folder.write("empty.html", "<!doctype html><title>empty</title><link rel=icon href=data:,>");
        let server = format!("{HOUSE}/integrations/web/tests/server.js");
        let mut node = Command::new("node").arg(server).arg(root).stdout(Stdio::piped()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(node.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Server(node, address.trim().to_owned(), folder)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn visit(page: &str, work: impl AsyncFnOnce(&Page)) {
    let server = Server::start();
    browse(server.2.path().join("empty.html").as_std_path(), async |browser| {
        browser.client().goto(&format!("{}/{page}", server.1)).await.unwrap();
        work(browser).await;
        // a browser without a graphics card warns
        let severe = browser.complaints().await.into_iter().filter(|complaint| complaint.contains("SEVERE"));
        assert_eq!(severe.collect::<Vec<_>>(), Vec::<String>::new());
    });
}

/// The answer of a script, which is the same in a worker. `base` is the server's address.
async fn ask(page: &Page, script: &str) -> Value {
    page.run(&format!(
        "const ask = async (base) => {{ {script} }};
        ask(location.origin).catch((error) => error.search_path).then((here) => {{
            const script = `const ask = ${{ask}}; ask('${{location.origin}}').then(postMessage, (error) => postMessage(error.search_path));`;
            const worker = new Worker(URL.createObjectURL(new Blob([script], {{ type: 'text/javascript' }})));
            worker.onmessage = ({{ data }}) => {{ window.answers = [here, data]; }};
        }});"
    ))
    .await;
    let answers = page.wait("return window.answers").await;
    assert_eq!(answers[0], answers[1]);
    answers[0].clone()
}

fn the_package_mounts_files_and_urls_in_a_browser_and_in_a_worker() {
    /// Answers with the layers, a content, the size of a blob, an explanation and what a model has.
    const ASK: &str = "
        const { mount } = await import(`${base}/node_modules/quakefs/index.js`);
        const names = ['id1/pak0.pak', 'cellar/pak0.pak', 'cellar/pak1.pak'];
        const urls = Object.fromEntries(names.map((name) => [name, `${base}/${name}`]));
        const files = [];
        for (const name of names) files.push([name, new File([await (await fetch(urls[name])).arrayBuffer()], 'a.pak')]);
        const answers = [];
        for (const sources of [urls, files]) {
            const quake = await mount({ sources, engine: 'quakespasm', games: ['cellar'], on: 'windows' });
            const text = new TextDecoder().decode(await quake.read('quake.rc'));
            const model = await quake.model('progs/crystal.mdl');
            const why = await quake.which('maps/start.bsp');
            const found = await quake.check();
            answers.push([quake.layers.map(({ layer }) => layer), text, (await quake.blob('gfx/palette.lmp')).size,
                why.overridden.map((one) => one.layer), model.surfaces.length, found.map((one) => one.kind)]);
        }
        return answers;";
    visit("empty.html", async |page| {
        let here = ask(page, ASK).await;
        assert_eq!(here[0], here[1], "{here}");
        let layers = ["cellar/pak1.pak", "cellar/pak0.pak", "cellar/", "id1/pak0.pak", "id1/"];
        assert_eq!(here[0][0], json!(layers));
        assert!(here[0][1].as_str().unwrap().contains("exec cellar.cfg"), "{here}");
        assert_eq!(
            (&here[0][2], &here[0][3], &here[0][4]),
            (&json!(768), &json!(["id1/pak0.pak"]), &json!(1))
        );
    });
}

fn the_package_mounts_handles_of_folders_and_files() {
    /// Fills the page's own file system, and answers for each form of the same sources with the layers, the
    /// copy that wins, two contents and the size of a blob.
    const ASK: &str = "
        const { mount } = await import(`${base}/node_modules/quakefs/index.js`);
        const own = await navigator.storage.getDirectory();
        const folder = await own.getDirectoryHandle('game', { create: true });
        const write = async (path, bytes) => {
            const parts = path.split('/');
            let below = folder;
            for (const part of parts.slice(0, -1)) below = await below.getDirectoryHandle(part, { create: true });
            const file = await below.getFileHandle(parts.at(-1), { create: true });
            const to = await file.createWritable();
            await to.write(bytes);
            await to.close();
            return file;
        };
        const archive = await write('id1/pak0.pak', await (await fetch(`${base}/id1/pak0.pak`)).arrayBuffer());
        const notes = await write('id1/maps/deep/notes.txt', 'loose');
        await folder.getDirectoryHandle('empty', { create: true });
        const id1 = await folder.getDirectoryHandle('id1');
        const forms = {
            folder, root: own, id1, list: [folder], named: [['quake', folder]], slash: [['/quake/', folder]], object: { quake: folder },
            parts: [['id1', id1]], files: [['id1/pak0.pak', archive], ['id1/maps/deep/notes.txt', notes]],
            mixed: { 'id1/pak0.pak': archive, 'id1/maps/deep': await (await id1.getDirectoryHandle('maps')).getDirectoryHandle('deep') },
        };
        const answers = {};
        for (const [form, sources] of Object.entries(forms)) {
            const quake = await mount({ sources, engine: 'quakespasm', on: 'linux' });
            const text = async (name) => new TextDecoder().decode(await quake.read(name));
            answers[form] = [quake.layers.map(({ layer }) => layer), quake.find('quake.rc').layer,
                (await text('quake.rc')).slice(0, 16), await text('maps/deep/notes.txt'),
                (await quake.blob('gfx/palette.lmp')).size, quake.find('maps/deep/notes.txt').layer];
        }
        // without a game directory, an archive is mounted by itself
        for (const [form, sources] of Object.entries({ archive, archives: [archive] })) {
            const quake = await mount({ sources, engine: 'quakespasm' });
            answers[form] = [quake.layers.map(({ layer }) => layer), (await quake.blob('gfx/palette.lmp')).size];
        }
        return answers;";
    visit("empty.html", async |page| {
        let answers = ask(page, ASK).await;
        let game =
            json!([["id1/pak0.pak", "id1/"], "id1/pak0.pak", "exec default.cfg", "loose", 768, "id1/"]);
        for form in ["folder", "root", "id1", "list", "named", "slash", "object", "parts", "files", "mixed"] {
            assert_eq!(answers[form], game, "{form}: {answers}");
        }
        for form in ["archive", "archives"] {
            assert_eq!(answers[form], json!([["pak0.pak"], 768]), "{form}: {answers}");
        }
    });
}

fn a_model_is_shown_with_its_skin_by_three_js() {
    visit("three.html", async |page| {
        page.run("location.hash = `${location.origin}/id1/pak0.pak`; location.reload()").await;
        page.wait_text("#said", "progs/crystal.mdl from id1/pak0.pak").await;
        // more colours than a model without a skin has
        page.wait(
            "const from = document.querySelector('canvas');
            const canvas = document.createElement('canvas');
            canvas.width = canvas.height = 480;
            const context = canvas.getContext('2d');
            context.drawImage(from, 0, 0);
            const pixels = new Uint32Array(context.getImageData(0, 0, 480, 480).data.buffer);
            return new Set(pixels).size > 5",
        )
        .await;
    });
}
