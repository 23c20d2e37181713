//! `pak merge`: merges several archives into one.

use std::io;

use camino::Utf8Path;
use pak_format::Source;
use pak_format::verify::DecodeBudget;
use quakefs::File;
use quakefs::rules::Case;
use quakefs_archives::{Collection, Contents, merge};

use super::wad;
use super::write::{builder_of, check_new, refuse, refuse_unreadable, write_new};
use crate::args::{Decode, Merge, by_position, expanded};
use crate::changes::{Change, Deed};
use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, Planned};
use crate::text::{escaped, printable};
use crate::words::TooMuchWritten;

pub(super) fn run(args: &Merge, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let out = &args.output;
    check_new(out, args.layout, args.overwrite, console)?;
    // the output may replace one of the inputs
    let before = out.metadata().ok();
    let mut rules = args.engine.rules(&console.environment)?;
    if wad::is_wad(out, args.layout) {
        // engines ignore case in WADs
        rules.archives.case = Case::Ignored;
    }
    let (mut contents, mut failed) = (Vec::new(), false);
    for path in args.paths.iter().flat_map(|path| expanded(path.as_std_path(), None)) {
        let options = by_position().layout(args.from);
        match Contents::served_of(&path, &rules, &options) {
            Ok(content) if path.is_dir() && content.is_of_archives() => {
                let found = Collection::search([&path]);
                let count = output::counted(found.archives().len() as u64, "archive", "archives");
                console.note(format!("{}: {count}, merged in the order of their names", path.display()));
                for path in found.archives() {
                    match Contents::served_of(path, &rules, &options) {
                        Ok(content) => contents.push(content),
                        Err(error) => {
                            console.error(&Message::from(&error));
                            failed = true;
                        }
                    }
                }
            }
            Ok(content) => contents.push(content),
            // without this archive, another copy would win in the merged one
            Err(error) => {
                console.error(&Message::from(&error));
                failed = true;
            }
        }
    }
    if failed {
        return Err(Message::without_help("nothing was written").into());
    }
    let merged = merge(contents, &rules);
    output::warn_of(console, &merged.findings);
    // without its lost entries, another copy would win in the merged one
    if merged.is_damaged() {
        return Err(Message::without_help("nothing was written").into());
    }
    check_size(&merged, args)?;
    let mut builder = if wad::is_wad(out, args.layout) {
        let (version, lumps) = wad::of_entries(&merged.files, &args.wad, console)?;
        wad::builder(version, lumps)
    } else {
        let mut builder = builder_of(out, args.layout, &args.encoding);
        for file in &merged.files {
            let content = file.clone();
            let open = move || -> io::Result<Box<dyn io::Read>> { Ok(Box::new(content.open()?)) };
            builder.push(stored_name(file), Source::reader(file.size(), open));
        }
        builder
    };
    builder.unique_names(true);
    refuse(&builder.check(), out, None, console)?;
    refuse_unreadable(merged.files.iter().filter_map(|file| file.check().err()), console)?;
    if args.dry_run {
        return planned(&merged.files, out, console);
    }
    // the output may replace an input, and Windows cannot replace a mapped file
    let names: Vec<String> = merged.files.iter().map(|file| file.name().to_string()).collect();
    drop(merged);
    let changes: Vec<_> = names.iter().map(|name| Change { name, deed: Deed::Added }).collect();
    write_new(builder, out, args.overwrite, before.as_ref(), &changes, 0, console)
}

/// The stored name of a file, which an engine may compare in another form.
fn stored_name(file: &File<'_>) -> Vec<u8> {
    let entry = file.layer().archive().zip(file.entry()).and_then(|(archive, entry)| archive.entry(entry));
    entry.map_or(file.name(), |entry| entry.name()).as_bytes().to_vec()
}

fn check_size(merged: &Contents, args: &Merge) -> Result<(), Failure> {
    let claimed = merged.files.iter().fold(0_u64, |sum, file| sum.saturating_add(file.size()));
    within(claimed, merged.source_size, &args.decode)
}

/// Refuses content that is too large for the size of the archives.
pub(super) fn within(claimed: u64, source_size: u64, decode: &Decode) -> Result<(), Failure> {
    if decode.budget(DecodeBudget::for_archive(source_size)).take(claimed) {
        return Ok(());
    }
    let text = TooMuchWritten { claimed, source_size, limit: None }.to_string();
    Err(Message::new(text, "allow more with --max-output").into())
}

fn planned(files: &[File<'static>], out: &Utf8Path, console: &mut Console<'_>) -> Result<Exit, Failure> {
    for file in files {
        let from = file.location().to_string();
        let text = format!("{}  from {}", file.name(), printable(&from));
        let line = Planned {
            name: escaped(file.name()),
            from: Some(from),
            path: None,
            size: file.size(),
            replaces: false,
        };
        output::planned(&line, &text, console)?;
    }
    output::end_dry_run(files.len() as u64, output::size_of_replaced(out), console)?;
    Ok(Exit::Done)
}
