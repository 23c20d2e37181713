//! Writes the page as one file. Its content security policy blocks everything else.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use quakefs::Engine;
use sha2::{Digest as _, Sha256};

use crate::json::json;
use crate::page::Page;

/// The first bytes of every page.
pub const START: &[u8; 15] = b"<!doctype html>";

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// One script made of modules, in the order in which their top-level statements run. They share one scope,
/// and the compiler joins them: neither a bundler nor a build script is needed.
const SCRIPT: &str = concat!(
    include_str!("script/elements.js"),
    include_str!("script/focus.js"),
    include_str!("script/data.js"),
    include_str!("script/pictures.js"),
    include_str!("script/renderer.js"),
    include_str!("script/model.js"),
    include_str!("script/walk.js"),
    include_str!("script/large.js"),
    include_str!("script/level.js"),
    include_str!("script/sound.js"),
    include_str!("script/readers.js"),
    include_str!("script/preview.js"),
    include_str!("script/diff.js"),
    include_str!("script/differences.js"),
    include_str!("script/head.js"),
    include_str!("script/verdict.js"),
    include_str!("script/layers.js"),
    include_str!("script/conflicts.js"),
    include_str!("script/findings.js"),
    include_str!("script/renames.js"),
    include_str!("script/tree.js"),
    include_str!("script/chosen.js"),
    include_str!("script/filters.js"),
    include_str!("script/show.js"),
    include_str!("script/messages.js"),
    include_str!("script/mounting.js"),
    include_str!("script/handles.js"),
    include_str!("script/drop.js"),
    include_str!("script/opened.js"),
    include_str!("script/drops.js"),
    include_str!("script/choices.js"),
    include_str!("script/command.js"),
    include_str!("script/save.js"),
    include_str!("script/report.js"),
    include_str!("script/answers.js"),
    include_str!("script/address.js"),
    include_str!("script/start.js"),
);

/// The page with its data. Text from the game is only in the data, never in the markup; the script shows it
/// as text.
#[must_use]
pub fn render(page: &Page<'_>) -> String {
    let head = Head { title: "quakefs report", heading: "quakefs report", ..Head::default() };
    assemble(&head, "", &json(page), [""; 3])
}

/// The page with a WebAssembly module (gzip), which makes the data from dropped files. `worker` is the script
/// that runs it. `sample` is a game to try it with: a line with paths and sizes in JSON, then the contents
/// (gzip).
#[must_use]
pub fn render_with_module(worker: &str, module: &[u8], sample: &[u8]) -> String {
    // complete as it stands, so that nothing moves when the module arrives
    let head = Head {
        title: "quakefs: What does my Quake load?",
        description: "\n<meta name=\"description\" content=\"Drop a game folder to see which files an engine \
            loads, which copies they override, and what is missing. No file leaves your computer.\">",
        state: " class=\"live waiting\"",
        heading: "What does my Quake load?",
        summary: "Whether it starts, which files it loads, which copies they override, and which archives \
            it skips and why.",
    };
    // the module runs in a worker, started from a script inside the page
    assemble(
        &head,
        " 'wasm-unsafe-eval'; worker-src blob:",
        "null",
        [worker, &BASE64.encode(module), &BASE64.encode(sample)],
    )
}

/// What the page shows before its script runs.
#[derive(Default)]
struct Head {
    title: &'static str,
    description: &'static str,
    /// The classes of the body: `live` with a module, and `waiting` for a drop.
    state: &'static str,
    heading: &'static str,
    summary: &'static str,
}

fn assemble(head: &Head, policy: &str, data: &str, [worker, module, sample]: [&str; 3]) -> String {
    let hash = |part: &str| format!("'sha256-{}'", BASE64.encode(Sha256::digest(part)));
    let policy = format!(
        "default-src 'none'; style-src {}; img-src data:; media-src data:; base-uri 'none'; form-action \
            'none'; script-src {}{policy}",
        hash(STYLE),
        hash(SCRIPT),
    );
    let title = format!("<title>{}</title>{}", head.title, head.description);
    let engines = Engine::ALL.len().to_string();
    let parts = [
        ("{{policy}}", &*policy),
        ("{{title}}", &title),
        ("{{style}}", STYLE),
        ("{{state}}", head.state),
        ("{{heading}}", head.heading),
        ("{{summary}}", head.summary),
        ("{{engines}}", &engines),
        ("{{data}}", data),
        ("{{worker}}", worker),
        ("{{script}}", SCRIPT),
        ("{{module}}", module),
        ("{{sample}}", sample),
    ];
    let mut html =
        String::with_capacity(parts.iter().map(|(_, part)| part.len()).sum::<usize>() + PAGE.len());
    let mut rest = PAGE;
    for (mark, part) in parts {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        html.push_str(before);
        html.push_str(part);
        rest = after;
    }
    html.push_str(rest);
    html
}
