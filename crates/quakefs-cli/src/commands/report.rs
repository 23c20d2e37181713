//! `report`: one page about a game, to open in a browser.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use atomic_file::{AtomicFile, Options, find_target};
use camino::{Utf8Path, Utf8PathBuf};
use quakefs::SearchPath;
use quakefs_archives::is_archive;
use quakefs_game::{CheckOptions, Game};
use quakefs_page::{Counts, Page, START, render};
use serde::Serialize;

use crate::args::{GameArgs, Report};
use crate::console::{Console, Exit, Failure, Message};
use crate::output;
use crate::progress::{Progress, Unit};
use crate::text::slashed;

#[derive(Serialize)]
struct JsonReport<'a> {
    #[serde(serialize_with = "slashed")]
    file: &'a str,
    size: u64,
    /// The size of the page that it replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    overwritten: Option<u64>,
    #[serde(flatten)]
    contents: Counts,
}

pub(crate) fn run(game: &GameArgs, args: &Report, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let options = Options::new().replace(args.overwrite);
    let to_stdout = args.file == "-";
    if !to_stdout {
        // fails before the work if the page cannot be written
        find_target(&args.file, &options).map_err(|error| not_written(&error, &args.file))?;
    }
    let game = game.open(console)?;
    if !to_stdout {
        check_kept(&args.file, &game)?;
    }
    let (home, most) = (console.environment.home.clone(), args.max_size);
    let looked_at = Progress::of_time("reading the game", console);
    let made = looked_at.attend(move |progress| make(&game, home.as_deref(), most, progress));
    let (contents, html) = made.map_err(|failure| failure.about(&args.file))?;
    if to_stdout {
        console.out.write_all(html.as_bytes())?;
        return Ok(Exit::Done);
    }
    let replaced = output::size_of_replaced(&args.file);
    write(&args.file, &options, html.as_bytes())?;
    let printed = print(contents, html.len() as u64, replaced, args, console);
    console.after(&format!("{}: the page was written", args.file), printed)?;
    Ok(Exit::Done)
}

/// The page, of at most `most` bytes. After an interrupt some previews are missing.
fn make(game: &Game, home: Option<&Path>, most: u64, progress: &Progress) -> (Counts, String) {
    let checked = game.check(&CheckOptions::default());
    let mut page = Page::new(game, &checked, home.and_then(Path::to_str));
    let without_previews = render(&page).len() as u64;
    let room = usize::try_from(most.saturating_sub(without_previews)).unwrap_or(usize::MAX);
    // the caller, who waits for the page, sees the interrupt
    let _ = page.add_previews(&game.search_path, room, &mut |done, all| {
        if done == 0 {
            progress.go_on_with(Unit::Files, all);
        }
        progress.show(done, all)
    });
    (page.counts(), render(&page))
}

fn write(file: &Utf8Path, options: &Options, html: &[u8]) -> Result<(), Failure> {
    let written = AtomicFile::create(file, options).and_then(|mut page| {
        page.write_all(html)?;
        page.commit().map_err(io::Error::from)
    });
    written.map_err(|error| not_written(&error, file))
}

/// Refuses to replace an archive or a file of the game with a page.
fn check_kept(file: &Utf8Path, game: &Game) -> Result<(), Failure> {
    let Ok(real) = file.canonicalize_utf8() else { return Ok(()) };
    let is_real = |path: &Utf8PathBuf| path.canonicalize_utf8().is_ok_and(|path| path == real);
    let what = if is_archive(&real) || game.archives().iter().any(is_real) {
        "is an archive"
    } else if is_of_game(&real, &game.search_path) && !is_page(&real) {
        "is a file of the game"
    } else {
        return Ok(());
    };
    let text = format!("{file} {what}, so a page does not replace it");
    Err(Message::new(text, "name the page to write, such as -o report.html").into())
}

/// Whether a file is one of the loose files of a game.
fn is_of_game(file: &Utf8Path, search_path: &SearchPath) -> bool {
    let folders = search_path.layers().filter(|layer| layer.archive().is_none());
    let folders = folders.filter_map(|layer| layer.system_path()?.canonicalize_utf8().ok());
    let mut names = folders.filter_map(|folder| Some(file.strip_prefix(folder).ok()?.as_str().to_owned()));
    names.any(|name| {
        search_path.copies(name.as_bytes()).iter().any(|found| {
            found.system_path().is_some_and(|path| path.canonicalize_utf8().is_ok_and(|path| path == file))
        })
    })
}

/// Whether a file is a page, which a new page may replace.
fn is_page(file: &Utf8Path) -> bool {
    let mut start = [0; START.len()];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == *START
}

fn not_written(error: &io::Error, file: &Utf8Path) -> Failure {
    if error.kind() == io::ErrorKind::AlreadyExists {
        let text = format!("{file}: the file already exists");
        return Message::new(text, "replace it with --overwrite").into();
    }
    let help = match error.kind() {
        io::ErrorKind::IsADirectory | io::ErrorKind::InvalidInput => {
            "name the page to write, such as -o report.html"
        }
        kind => pak_format::ErrorKind::Io { doing: "write", kind }.help(),
    };
    Message::new(format!("{file}: cannot be written: {error}"), help).into()
}

fn print(
    contents: Counts,
    size: u64,
    overwritten: Option<u64>,
    args: &Report,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let row = JsonReport { file: args.file.as_str(), size, overwritten, contents };
    output::answer(console, "report", [row], |console| {
        let count = |number: usize, one, many| output::counted(number as u64, one, many);
        let mut parts = vec![
            count(contents.layers, "layer", "layers"),
            count(contents.files, "file", "files"),
            count(contents.conflicts, "conflict", "conflicts"),
            count(contents.findings, "finding", "findings"),
            count(contents.previews, "preview", "previews"),
        ];
        if contents.missing > 0 {
            parts.push(count(contents.missing, "missing file", "missing files"));
        }
        let file = crate::text::printable(args.file.as_str());
        let replaced = output::replaced("replaced", overwritten);
        writeln!(console.out, "{file}: {}, {}{replaced}", parts.join(", "), megabytes(size))?;
        let omitted = contents.previews_omitted + contents.sounds_omitted;
        if omitted > 0 {
            let omitted = count(omitted, "preview and sound", "previews and sounds");
            writeln!(console.out, "{omitted} did not fit: --max-size makes room")?;
        }
        Ok(())
    })
}

/// `4.9 MB`, rounded up.
fn megabytes(size: u64) -> String {
    let tenths = size.div_ceil(100_000);
    format!("{}.{} MB", tenths / 10, tenths % 10)
}
