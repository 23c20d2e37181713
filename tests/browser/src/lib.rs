//! The page in headless Chromium, driven by chromedriver.

use std::future::Future;
use std::io::{BufRead as _, BufReader};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

/// Writes the report of a game and returns its text.
pub fn report(args: &[&str], file: &Path) -> String {
    let args = ["quakefs"].iter().chain(args).copied().chain(["report", "-o", file.to_str().unwrap()]);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    quakefs_cli::run(args, &mut quakefs_cli::Console::plain(&mut out, &mut err));
    std::fs::read_to_string(file).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&err)))
}

/// The folder of a package of npm, installed by `.ci/npm`. There is none without npm, or if its registry is
/// not reached.
pub fn installed(name: &str, version: &str) -> Option<PathBuf> {
    let npm = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.ci/npm");
    let answer = Command::new(npm).arg(format!("{name}@{version}")).output().ok()?;
    let modules = String::from_utf8(answer.stdout).ok().filter(|_| answer.status.success())?;
    Some(Path::new(modules.trim_end()).join(name))
}

/// The script of axe, which finds what hinders people who do not see or point. There is none if it cannot be
/// installed.
pub fn axe() -> Option<&'static str> {
    static AXE: OnceLock<Option<String>> = OnceLock::new();
    let read = || std::fs::read_to_string(installed("axe-core", "4.14.1")?.join("axe.min.js")).ok();
    AXE.get_or_init(read).as_deref()
}

/// Opens a page and works with it. The browser ends after the work, also after a panic.
pub fn browse(file: &Path, work: impl AsyncFnOnce(&Page)) {
    let mut driver = Driver::start();
    let profile = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let page = runtime.block_on(Page::open(file, driver.port, profile.path()));
    let worked = catch_unwind(AssertUnwindSafe(|| runtime.block_on(work(&page))));
    let closed = runtime.block_on(page.0.close());
    driver.stop();
    if let Err(panic) = worked {
        resume_unwind(panic);
    }
    closed.unwrap();
}

/// A chromedriver on a separate port.
struct Driver {
    process: Child,
    port: u16,
}

impl Driver {
    fn start() -> Self {
        let mut process =
            Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            line.split_once("started successfully on port ")?.1.trim_end_matches('.').parse().ok()
        });
        Driver { process, port: port.expect("chromedriver prints its port") }
    }

    fn stop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.stop();
    }
}

/// An open page.
pub struct Page(Client);

impl Page {
    async fn open(file: &Path, port: u16, profile: &Path) -> Page {
        let flags = "--headless --no-sandbox --disable-dev-shm-usage --disable-gpu --disable-quic \
            --enable-unsafe-swiftshader \
            --no-first-run --hide-scrollbars --disable-background-networking --disable-component-update \
            --disable-sync";
        let profile = format!("--user-data-dir={}", profile.to_str().unwrap());
        let flags: Vec<_> = flags.split_whitespace().chain([&*profile]).collect();
        let wanted = json!({
            "goog:chromeOptions": { "args": flags },
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(wanted.as_object().unwrap().clone());
        let client = builder.connect(&format!("http://127.0.0.1:{port}")).await.unwrap();
        let page = Page(client);
        page.screen(1280, 900).await;
        page.0.goto(&format!("file://{}", file.canonicalize().unwrap().display())).await.unwrap();
        page
    }

    pub fn client(&self) -> &Client {
        &self.0
    }

    /// The value that a script returns.
    pub async fn run(&self, script: &str) -> Value {
        self.0.execute(script, Vec::new()).await.unwrap()
    }

    /// Waits until a script returns a value other than null and false, and returns it.
    pub async fn wait(&self, script: &str) -> Value {
        let start = Instant::now();
        loop {
            let found = self.run(script).await;
            if !matches!(found, Value::Null | Value::Bool(false)) {
                return found;
            }
            if start.elapsed() > Duration::from_secs(30) {
                let status = self.run("return document.getElementById('status')?.innerText").await;
                panic!("not within 30 seconds: {script}; the status is {status}");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The text that an element shows.
    pub async fn text(&self, selector: &str) -> String {
        let found = self.run(&format!("return document.querySelector({selector:?})?.innerText")).await;
        found.as_str().unwrap_or_else(|| panic!("no element {selector}")).to_owned()
    }

    /// The texts that all matching elements show.
    pub async fn texts(&self, selector: &str) -> Value {
        let texts = "].map((element) => element.innerText)";
        self.run(&format!("return [...document.querySelectorAll({selector:?}){texts}")).await
    }

    /// The number of matching elements.
    pub async fn count(&self, selector: &str) -> u64 {
        let count = self.run(&format!("return document.querySelectorAll({selector:?}).length")).await;
        count.as_u64().unwrap()
    }

    /// Waits until so many elements match.
    pub async fn wait_count(&self, selector: &str, count: usize) {
        self.wait(&format!("return document.querySelectorAll({selector:?}).length === {count}")).await;
    }

    /// Waits until an element shows a text that contains this one.
    pub async fn wait_text(&self, selector: &str, part: &str) {
        self.wait(&format!("return document.querySelector({selector:?})?.innerText.includes({part:?})"))
            .await;
    }

    /// Chooses in a list, types into an empty field, or ticks the box of this value in a group.
    pub async fn choose(&self, id: &str, value: &str) {
        self.run(&format!(
            "const element = document.getElementById({id:?});
            const box = [...element.querySelectorAll('input')].find((one) => one.value === {value:?});
            if (box) {{ box.click(); return; }}
            element.value = {value:?};
            for (const event of ['input', 'change']) element.dispatchEvent(new Event(event, {{ bubbles: true }}));"
        ))
        .await;
    }

    /// Searches, and chooses the first row.
    pub async fn open_file(&self, words: &str) {
        self.choose("search", words).await;
        self.click("#tree [role=treeitem]").await;
    }

    /// How much wider the page is than the window.
    pub async fn overflow(&self) -> Value {
        self.run("return document.documentElement.scrollWidth - window.innerWidth").await
    }

    pub async fn click(&self, selector: &str) {
        self.0.find(fantoccini::Locator::Css(selector)).await.unwrap().click().await.unwrap();
    }

    /// Types into the focused element.
    pub async fn keys(&self, keys: &str) {
        self.0.active_element().await.unwrap().send_keys(keys).await.unwrap();
    }

    /// The messages in the browser's log: errors, and violations of the page's policy. What it tells about a
    /// computer without a graphics processor is none.
    pub async fn complaints(&self) -> Vec<String> {
        let log = self.command("se/log", json!({ "type": "browser" })).await;
        let log = log.as_array().unwrap().iter().filter(|entry| entry["source"] != "rendering");
        log.map(ToString::to_string).collect()
    }

    /// What axe finds in the page as it is now: the rule, the elements, and how each is to be mended. Empty
    /// without axe.
    pub async fn barriers(&self) -> Vec<String> {
        let Some(axe) = axe() else { return Vec::new() };
        self.run(&format!("if (!window.axe) {{ {axe} }}")).await;
        let found = "const done = arguments[0];
            axe.run(document, { resultTypes: ['violations'] }).then(
                ({ violations }) => done(violations.flatMap(({ id, nodes }) =>
                    nodes.map((node) => `${id}: ${node.target} ${node.failureSummary} ${node.html}`))),
                (error) => done([`axe: ${error}`]));";
        let found = self.0.execute_async(found, Vec::new()).await.unwrap();
        found.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    }

    /// The size of the window, in pixels of the page.
    pub async fn screen(&self, width: u32, height: u32) {
        let screen =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700 });
        self.devtools("Emulation.setDeviceMetricsOverride", screen).await;
    }

    /// Sets whether the user prefers a dark page.
    pub async fn dark(&self, dark: bool) {
        let scheme = json!({ "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } });
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": [scheme] })).await;
    }

    /// Sets whether the user prefers a page without motion.
    pub async fn still(&self, still: bool) {
        let motion = if still { "reduce" } else { "no-preference" };
        let motion = json!({ "name": "prefers-reduced-motion", "value": motion });
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": [motion] })).await;
    }

    /// Drags an element from its middle by some pixels of the page.
    pub async fn drag(&self, selector: &str, right: i32, down: i32) {
        let place = self
            .run(&format!(
                "const place = document.querySelector({selector:?});
                place.scrollIntoView({{ block: 'center' }});
                const {{ left, top, width, height }} = place.getBoundingClientRect();
                return [Math.round(left + width / 2), Math.round(top + height / 2)]"
            ))
            .await;
        let [x, y] = [0, 1].map(|axis| i32::try_from(place[axis].as_i64().unwrap()).unwrap());
        for (kind, x, y) in [
            ("mousePressed", x, y),
            ("mouseMoved", x + right, y + down),
            ("mouseReleased", x + right, y + down),
        ] {
            let event =
                json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
            self.devtools("Input.dispatchMouseEvent", event).await;
        }
    }

    /// Opens the page again as a browser on Windows.
    pub async fn on_windows(&self) {
        let metadata = json!({ "platform": "Windows", "platformVersion": "10.0.0", "architecture": "x86",
            "model": "", "mobile": false });
        let agent = json!({
            "userAgent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                Chrome/140.0.0.0 Safari/537.36",
            "platform": "Win32",
            "userAgentMetadata": metadata,
        });
        self.devtools("Emulation.setUserAgentOverride", agent).await;
        self.0.refresh().await.unwrap();
    }

    /// Writes a screenshot of the window.
    pub async fn screenshot(&self, file: &Path) {
        std::fs::write(file, self.0.screenshot().await.unwrap()).unwrap();
    }

    /// Drops files and folders of the system on the page, whose status and figures are empty until they are
    /// looked at.
    pub async fn drop(&self, paths: &[&Path]) {
        let place = self
            .run(
                "for (const id of ['status', 'figures']) document.getElementById(id).textContent = '';
                const place = document.getElementById('drop');
                place.scrollIntoView({ block: 'center' });
                const { left, top } = place.getBoundingClientRect();
                return [left + 5, top + 5]",
            )
            .await;
        let paths: Vec<_> = paths.iter().map(|path| path.canonicalize().unwrap()).collect();
        let data = json!({ "items": [], "files": paths, "dragOperationsMask": 1 });
        let before = self.drops().await;
        // a busy page may answer too late whether it takes the drop, and the browser then cancels it
        for _ in 0..10 {
            for kind in ["dragEnter", "dragOver", "drop"] {
                let event = json!({ "type": kind, "x": place[0], "y": place[1], "data": data });
                self.devtools("Input.dispatchDragEvent", event).await;
            }
            for _ in 0..25 {
                if self.drops().await > before {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        panic!("the page did not take the drop");
    }

    /// The number of drops since the first call.
    async fn drops(&self) -> i64 {
        let count = "if (window.dropCount == null) {
                window.dropCount = 0;
                document.addEventListener('drop', () => { window.dropCount += 1; }, true);
            }
            return window.dropCount";
        self.run(count).await.as_i64().unwrap()
    }

    /// Chooses files or a folder in a file input.
    pub async fn choose_files(&self, selector: &str, paths: &[&Path]) {
        let paths: Vec<_> = paths.iter().map(|path| path.canonicalize().unwrap()).collect();
        let found = self.command(
            "goog/cdp/execute",
            json!({
                "cmd": "Runtime.evaluate",
                "params": { "expression": format!("document.querySelector({selector:?})") },
            }),
        );
        let object = found.await["result"]["objectId"].clone();
        self.devtools("DOM.setFileInputFiles", json!({ "files": paths, "objectId": object })).await;
    }

    /// A command of the browser's developer tools.
    pub async fn devtools(&self, command: &str, params: Value) -> Value {
        self.command("goog/cdp/execute", json!({ "cmd": command, "params": params })).await
    }

    fn command(&self, path: &'static str, body: Value) -> impl Future<Output = Value> {
        let command = self.0.issue_cmd(Extension { path, body });
        async { command.await.unwrap() }
    }
}

/// A command of chromedriver outside of the standard.
#[derive(Debug)]
struct Extension {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Extension {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _url: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}
