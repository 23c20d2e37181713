//! The page as one file: its parts, its data, and the policy by which a browser runs nothing else.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

use super::page::Page;

/// How a page begins.
pub(super) const START: &[u8; 15] = b"<!doctype html>";

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The whole file. Nothing of a game stands in the markup: it is data, which the script shows as text.
pub(super) fn render(page: &Page<'_>) -> String {
    // a page of numbers and text has a form in JSON
    let data = serde_json::to_string(page).unwrap_or_default().replace('<', "\\u003c");
    let parts =
        [("{{policy}}", &*policy()), ("{{style}}", STYLE), ("{{data}}", &data), ("{{script}}", SCRIPT)];
    let mut html = String::with_capacity(PAGE.len() + STYLE.len() + SCRIPT.len() + data.len());
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

/// The page runs and loads what is in it, and nothing else.
fn policy() -> String {
    let hash = |part: &str| format!("'sha256-{}'", BASE64.encode(Sha256::digest(part)));
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; media-src data:; base-uri 'none'; \
         form-action 'none'",
        hash(SCRIPT),
        hash(STYLE),
    )
}
