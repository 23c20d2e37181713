//! `pak catalog`: a row for every entry of every archive.

use std::borrow::Cow;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::name::escape_path;
use quakefs_archives::{
    Catalog as Rows, CatalogError, CatalogFormat, Catalogued, DigestOptions, ExistingCatalog, Sums,
    is_archive,
};

use serde::Serialize;

use super::selection::Selection;
use super::write::{check_target, is_stdout};
use crate::args::Catalog;
use crate::console::{Console, Exit, Failure, Message};
use crate::output;
use crate::text::{printable, with_slashes};

/// The sum of a catalog.
#[derive(Serialize)]
struct CatalogRow<'c> {
    file: Cow<'c, str>,
    archives: u64,
    kept: u64,
    entries: u64,
    faulty: u64,
    not_opened: usize,
    /// The size of the catalog that it replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    overwritten: Option<u64>,
}

pub(super) fn run(args: &Catalog, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let output = args.output.as_deref().filter(|output| !is_stdout(output));
    if args.update && output.is_none() {
        let text = "--update keeps rows of a file, and standard output is none";
        return Err(Message::new(text, "name the catalog, such as -o mods.jsonl").into());
    }
    let format = format(output, args.format)?;
    let selection = Selection::listed(&args.archives, console)?.strict(&args.strict);
    if selection.collection.archives().is_empty() {
        return Ok(selection.exit);
    }
    // no progress bar if the rows go to the terminal
    let shown = console.progress;
    console.progress &= output.is_some() || console.columns.is_none();
    let selection = selection.observed(console).nested(&args.nested, args.digests.decode.limit(), console);
    console.progress = shown;
    let sums = Sums::of(&args.sums);
    let digests = DigestOptions { sums, ..args.digests.options(args.archives.layout) };
    let rows = Rows { format, digests, without_hashes: args.no_hash, prefix: args.prefix.clone() };
    let Some(file) = output else {
        if format == CatalogFormat::Parquet && console.columns.is_some() {
            let text = "a catalog as Parquet is not text, so it is not printed to a terminal";
            return Err(Message::new(text, "name a file, such as -o mods.parquet").into());
        }
        let catalogued = rows.write(&selection.collection, console.out)?;
        selection.finish()?;
        let damaged = selection.damaged().add_all(&catalogued.faults, console);
        return Ok(selection
            .exit
            .max(damaged.end(catalogued.archives > catalogued.faults.len() as u64, console)));
    };
    if is_archive(file) {
        let text = format!("{file}: it is an archive, so a catalog does not replace it");
        return Err(Message::new(text, "name the catalog, such as -o mods.jsonl").into());
    }
    let is_folder = is_folder(file);
    let existing = match (args.update, args.overwrite) {
        (true, _) => ExistingCatalog::Update,
        (false, true) => ExistingCatalog::Replace,
        (false, false) => ExistingCatalog::Refuse,
    };
    if existing == ExistingCatalog::Refuse {
        check_target(file, false)?;
    }
    let partial = Utf8PathBuf::from_path_buf(Rows::partial(file)).unwrap_or_default();
    if !is_folder && is_archive(&partial) {
        let text = format!("{partial}: it is an archive, but an interrupted run would keep its rows here");
        return Err(Message::new(text, "give the catalog another name").into());
    }
    let replaced = if existing == ExistingCatalog::Replace { output::size_of_replaced(file) } else { None };
    let written = if is_folder {
        rows.write_folder(&selection.collection, file, args.per_file, existing)
    } else {
        rows.write_file(&selection.collection, file, existing)
    };
    let written = written.map_err(|error| not_written(file, &error, &selection))?;
    let damaged = selection.damaged().add_all(&written.faults, console);
    let exit = selection.exit.max(damaged.end(written.archives > written.faults.len() as u64, console));
    let printed = print(file, &written, replaced, console);
    console.after(&format!("{file}: the catalog is written"), printed)?;
    Ok(exit)
}

/// Whether the catalog is a folder of files.
fn is_folder(path: &Utf8Path) -> bool {
    path.is_dir() || path.as_str().ends_with(std::path::is_separator)
}

fn format(output: Option<&Utf8Path>, named: Option<CatalogFormat>) -> Result<CatalogFormat, Failure> {
    match (output, named) {
        (_, Some(format)) => Ok(format),
        (None, None) => Ok(CatalogFormat::JsonLines),
        (Some(file), None) if is_folder(file) => Ok(CatalogFormat::JsonLines),
        (Some(file), None) => CatalogFormat::of_path(file).ok_or_else(|| {
            let help = "name it .jsonl, .csv or .parquet, or use --format";
            Message::new(format!("{file}: no catalog format has this extension"), help).into()
        }),
    }
}

fn not_written(file: &Utf8Path, error: &CatalogError, selection: &Selection) -> Message {
    let help = match error {
        CatalogError::Stopped { done, all, kept } => {
            let (done, all) = (output::grouped(*done), output::counted(*all, "archive", "archives"));
            let text = format!("{file}: {}, {done} of {all}", selection.interrupted());
            return match kept {
                Some(kept) => {
                    let text = format!("{text}: their rows are in {}", escape_path(kept));
                    Message::new(text, "continue with --update")
                }
                None => Message::new(text, "nothing was changed: start it again"),
            };
        }
        CatalogError::Interrupted(_) => "continue with --update, or start again with --overwrite",
        CatalogError::Partial(..) => "move that file away, or give the catalog another name",
        CatalogError::Earlier(_) => "write a new one with --overwrite instead of --update",
        CatalogError::Write(error) => match error.kind() {
            io::ErrorKind::WouldBlock => "try again when the other program is done",
            io::ErrorKind::NotFound => "create its folder, or name another one",
            io::ErrorKind::DirectoryNotEmpty => "name a new folder",
            _ => "check the disk and the path",
        },
        _ => "check the file",
    };
    Message::new(format!("{file}: {error}"), help)
}

fn print(
    file: &Utf8Path,
    catalogued: &Catalogued,
    overwritten: Option<u64>,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let Catalogued { archives, kept, rows, faulty, faults, .. } = catalogued;
    let row = CatalogRow {
        file: with_slashes(file.as_str()),
        archives: *archives,
        kept: *kept,
        entries: *rows,
        faulty: *faulty,
        not_opened: faults.len(),
        overwritten,
    };
    output::answer(console, "catalog", [row], |console| {
        let all = output::counted(*archives, "archive", "archives");
        let entries = output::counted(*rows, "entry", "entries");
        write!(console.out, "{}: {all}", printable(file.as_str()))?;
        if *kept > 0 {
            write!(console.out, ", {} unchanged; {entries} in the others", output::grouped(*kept))?;
        } else {
            write!(console.out, ", {entries}")?;
        }
        if *faulty > 0 {
            write!(console.out, ", {} with a fault", output::grouped(*faulty))?;
        }
        Ok(writeln!(console.out, "{}", output::replaced("replaced", overwritten))?)
    })
}
