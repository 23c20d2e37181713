//! The page as one file: its parts, its data, and the policy by which a browser runs nothing else.

use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use pak_format::name::steers;
use serde::Serialize as _;
use serde_json::ser::Formatter;
use sha2::{Digest as _, Sha256};

use super::page::Page;
use crate::text::printable;

/// How a page begins.
pub(super) const START: &[u8; 15] = b"<!doctype html>";

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The whole file. Nothing of a game stands in the markup: it is data, which the script shows as text.
pub(super) fn render(page: &Page<'_>) -> String {
    // a page of numbers and text has a form in JSON
    let mut data = Vec::new();
    let _ = page.serialize(&mut serde_json::Serializer::with_formatter(&mut data, Shown));
    let data = String::from_utf8(data).unwrap_or_default().replace('<', "\\u003c");
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

/// Text in which what steers a terminal, reorders a line or is invisible stands as `\xNN`, as the command prints it.
struct Shown;

impl Formatter for Shown {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for part in fragment.split_inclusive(steers) {
            match part.chars().next_back().filter(|last| steers(*last)) {
                Some(last) => {
                    let before = part.strip_suffix(last).unwrap_or_default();
                    let last = printable(last.encode_utf8(&mut [0; 4])).replace('\\', "\\\\");
                    write!(out, "{before}{last}")?;
                }
                None => out.write_all(part.as_bytes())?,
            }
        }
        Ok(())
    }
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
