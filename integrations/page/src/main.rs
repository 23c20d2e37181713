//! Writes the page around a module: `quakefs-page MODULE PAGE`. `.ci/page` builds the module and calls this.

#![expect(clippy::disallowed_methods, reason = "a program reads its arguments")]

use std::io::{self, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;

/// The most bytes of the module, and of it compressed: growth is a decision. wasm-opt takes a fifth of them away, where it is.
const LIMITS: (usize, usize) = (1_950_000, 720_000);

fn main() -> io::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(module), Some(page)) = (arguments.next(), arguments.next()) else {
        return Err(io::Error::other("quakefs-page MODULE PAGE: name the module, and the page to write"));
    };
    let module = std::fs::read(module)?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&module)?;
    let compressed = encoder.finish()?;
    let html = quakefs_page::render_with_module(&compressed);
    std::fs::write(&page, &html)?;
    let (size, packed) = (module.len(), compressed.len());
    writeln!(
        io::stdout(),
        "{}: {} bytes; the module has {size}, {packed} compressed",
        page.display(),
        html.len()
    )?;
    if size > LIMITS.0 || packed > LIMITS.1 {
        return Err(io::Error::other(format!(
            "the module may have {} bytes, {} compressed",
            LIMITS.0, LIMITS.1
        )));
    }
    Ok(())
}
