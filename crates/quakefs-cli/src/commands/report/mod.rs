//! `report`: one page about a game, to open in a browser.

mod html;
mod page;
mod previews;

use std::fs::File;
use std::io::{self, Read as _, Write as _};

use atomic_file::{AtomicFile, Options, Target};
use camino::{Utf8Path, Utf8PathBuf};
use quakefs::SearchPath;
use quakefs_archives::is_archive;
use quakefs_report::words;
use serde::Serialize;

use crate::args::{Game, Report};
use crate::console::{Console, Exit, Failure, Message};
use crate::output;
use crate::progress::Progress;
use crate::text::{SHELL, slashed};
use page::Page;

#[derive(Serialize)]
struct JsonReport<'a> {
    #[serde(serialize_with = "slashed")]
    file: &'a str,
    size: u64,
    layers: usize,
    files: usize,
    conflicts: usize,
    findings: usize,
    missing: usize,
    previews: usize,
    previews_left_out: usize,
    sounds: usize,
    sounds_left_out: usize,
}

pub(crate) fn run(game: &Game, args: &Report, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let options = Options::new().replace(args.overwrite);
    let to_stdout = args.file == "-";
    if !to_stdout {
        // nothing is worked out for a page that cannot be written
        Target::find(&args.file, &options).map_err(|error| not_written(&error, &args.file))?;
    }
    let search_path = game.mount(console)?;
    if !to_stdout {
        check_kept(&args.file, game, &search_path)?;
    }
    let page = make(&search_path, args, console);
    let (page, html) = page
        .ok_or_else(|| Message::without_help(format!("{}: interrupted: nothing was written", args.file)))?;
    if to_stdout {
        console.out.write_all(html.as_bytes())?;
        return Ok(Exit::Done);
    }
    write(&args.file, &options, html.as_bytes())?;
    let printed = print(&page, html.len() as u64, args, console);
    console.after(&format!("{}: the page is written", args.file), printed)?;
    Ok(Exit::Done)
}

/// The page, and its data; `None` after an interrupt.
fn make<'a>(search_path: &'a SearchPath, args: &Report, console: &Console<'_>) -> Option<(Page<'a>, String)> {
    let mut page = Page::new(search_path, console.environment.home.as_deref());
    let without_previews = html::render(&page).len() as u64;
    let room = args.max_size.saturating_sub(without_previews);
    // up to here an interrupt ends the process, which has written nothing
    let progress = Progress::of_files(console);
    page.add_previews(search_path, usize::try_from(room).unwrap_or(usize::MAX), &progress)
        .is_continue()
        .then_some(())?;
    let html = html::render(&page);
    Some((page, html))
}

fn write(file: &Utf8Path, options: &Options, html: &[u8]) -> Result<(), Failure> {
    let written = AtomicFile::create(file, options).and_then(|mut page| {
        page.write_all(html)?;
        page.commit().map_err(io::Error::from)
    });
    written.map_err(|error| not_written(&error, file))
}

/// Refuses a page in the place of an archive, or of a file that the game reads.
fn check_kept(file: &Utf8Path, game: &Game, search_path: &SearchPath) -> Result<(), Failure> {
    let Ok(real) = file.canonicalize_utf8() else { return Ok(()) };
    let is_real = |path: &Utf8PathBuf| path.canonicalize_utf8().is_ok_and(|path| path == real);
    let what = if is_archive(&real) || game.archives(search_path).iter().any(is_real) {
        "it is an archive"
    } else if is_of_game(&real, search_path) && !is_page(&real) {
        "it is a file of the game"
    } else {
        return Ok(());
    };
    let text = format!("{file}: {what}, which a page does not replace");
    Err(Message::new(text, "name the page that is to be written, such as -o report.html").into())
}

/// Whether a file is one of the loose files of a game.
fn is_of_game(file: &Utf8Path, search_path: &SearchPath) -> bool {
    let folders = search_path.layers().filter(|layer| layer.archive().is_none());
    let folders = folders.filter_map(|layer| layer.path()?.canonicalize_utf8().ok());
    let mut names = folders.filter_map(|folder| Some(file.strip_prefix(folder).ok()?.as_str().to_owned()));
    names.any(|name| {
        search_path
            .copies(name.as_bytes())
            .iter()
            .any(|hit| hit.path().is_some_and(|path| path.canonicalize_utf8().is_ok_and(|path| path == file)))
    })
}

/// Whether a file begins as a page does: one that is made again replaces the one before.
fn is_page(file: &Utf8Path) -> bool {
    let mut start = [0; html::START.len()];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == *html::START
}

fn not_written(error: &io::Error, file: &Utf8Path) -> Failure {
    if error.kind() == io::ErrorKind::AlreadyExists {
        let text = format!("{file}: the file is there already");
        return Message::new(text, "replace it with --overwrite").into();
    }
    let help = match error.kind() {
        io::ErrorKind::IsADirectory | io::ErrorKind::InvalidInput => {
            "name the page that is to be written, such as -o report.html"
        }
        kind => words::of_system_error(kind, SHELL),
    };
    Message::new(format!("{file}: cannot be written: {error}"), help).into()
}

fn print(page: &Page<'_>, size: u64, args: &Report, console: &mut Console<'_>) -> Result<(), Failure> {
    let counts = page.counts();
    if console.json {
        let line = JsonReport {
            file: args.file.as_str(),
            size,
            layers: counts.layers,
            files: counts.files,
            conflicts: page.conflicts.len(),
            findings: counts.findings,
            missing: page.missing.len(),
            previews: counts.previews,
            previews_left_out: page.left_out.previews,
            sounds: counts.sounds,
            sounds_left_out: page.left_out.sounds,
        };
        return output::json(console, "report", &line);
    }
    let count = |number: usize, one, many| output::counted(number as u64, one, many);
    let mut parts = vec![
        count(counts.layers, "layer", "layers"),
        count(counts.files, "file", "files"),
        count(page.conflicts.len(), "conflict", "conflicts"),
        count(counts.findings, "finding", "findings"),
        count(counts.previews, "preview", "previews"),
    ];
    if !page.missing.is_empty() {
        parts.push(count(page.missing.len(), "missing file", "missing files"));
    }
    let file = crate::text::printable(args.file.as_str());
    writeln!(console.out, "{file}: {}, {}", parts.join(", "), megabytes(size))?;
    let left_out = page.left_out.previews + page.left_out.sounds;
    if left_out > 0 {
        let left_out = count(left_out, "preview and sound", "previews and sounds");
        writeln!(console.out, "{left_out} left out: --max-size makes room")?;
    }
    Ok(())
}

/// `4.9 MB`, rounded up.
fn megabytes(size: u64) -> String {
    let tenths = size.div_ceil(100_000);
    format!("{}.{} MB", tenths / 10, tenths % 10)
}
