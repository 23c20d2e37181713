//! Writes the page with the module and the glue in a folder: `quakefs-page FOLDER PAGE`. `.ci/page` builds
//! both and calls this.

#![expect(clippy::disallowed_methods, reason = "a program reads its arguments")]

use std::io::{self, Write as _};
use std::num::NonZeroU64;
use std::path::Path;

/// The worker's script after the glue of the module: modules that are joined into one script, like those of
/// the page.
const WORKER: &str = concat!(include_str!("../../web/cached.js"), include_str!("worker.js"));

fn main() -> io::Result<()> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [folder, page] = &*arguments else {
        return Err(io::Error::other("usage: quakefs-page FOLDER PAGE"));
    };
    let folder = Path::new(folder);
    let module = std::fs::read(folder.join("quakefs.wasm"))?;
    let glue = std::fs::read_to_string(folder.join("glue.js"))?;
    let mut compressed = Vec::new();
    // slow but small: the page is made once and downloaded often. More than three iterations save a
    // thousandth.
    let iteration_count = NonZeroU64::MIN.saturating_add(2);
    let options = zopfli::Options { iteration_count, ..zopfli::Options::default() };
    zopfli::compress(options, zopfli::Format::Gzip, &*module, &mut compressed)?;
    let mut packed = Vec::new();
    zopfli::compress(options, zopfli::Format::Gzip, &*sample(), &mut packed)?;
    let worker = format!("\"use strict\";\n{glue}{WORKER}").replace("\nexport ", "\n");
    let html = quakefs_page::render_with_module(&worker, &compressed, &packed);
    std::fs::write(page, &html)?;
    let (page, html, module, compressed) = (page.display(), html.len(), module.len(), compressed.len());
    writeln!(io::stdout(), "{page}: {html} bytes; the module has {module}, {compressed} compressed")
}

/// The sample: a line with the paths and sizes in JSON, then the contents.
fn sample() -> Vec<u8> {
    let mut files = testutils::sample::files();
    // the page takes the engine whose program is in the folder
    files.push(("darkplaces.exe", Vec::new()));
    let rows: Vec<_> = files.iter().map(|(path, bytes)| (path, bytes.len())).collect();
    let mut sample = quakefs_page::json(&rows).into_bytes();
    sample.push(b'\n');
    sample.extend(files.into_iter().flat_map(|(_, bytes)| bytes));
    sample
}
