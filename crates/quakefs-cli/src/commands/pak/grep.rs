//! `pak grep`: the lines of texts, entities and programs in archives that match a pattern.

use camino::Utf8Path;
use quakefs::archive::OpenOptions;
use quakefs::content::ContentType;
use quakefs::{Access, Archive, EntryName, Error, Layer};
use quakefs_archives::Budgeted;

use super::selection::Selection;
use crate::args::GrepArchives;
use crate::commands::grep::{MatchRow, end, matches, may_have_text, print};
use crate::console::{Console, Exit, Failure};

/// The matches of each entry with its place, what could not be read, and the number of entries not read.
type Answer = (Vec<(String, Vec<MatchRow>)>, Vec<Error>, usize);

pub(super) fn run(args: &GrepArchives, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let pattern = args.searched.compiled()?;
    let selection = Selection::searched(&args.searched.pattern, "grep", &args.archives, console)?;
    let selection = selection.observed(console);
    let selection = selection.strict(&args.strict).nested(&args.nested, args.decode.limit(), console);
    let mut damaged = selection.damaged();
    let (mut found, mut not_read, mut searched) = (false, 0, 0);
    let wanted = |archive: &Archive| {
        let entries = archive.entries().filter(|entry| may_have_text(entry.name()) && !entry.row().is_folder);
        entries.map(|entry| entry.index()).collect()
    };
    let options = OpenOptions::new().layout(args.archives.layout).access(Access::Read);
    let work = |path: &Utf8Path, budgeted: Result<Budgeted, Error>| {
        let Budgeted { archive, entries, mut budget, .. } = budgeted?;
        let layer = Layer::of_archive(path.as_str(), archive.clone());
        let damage = archive.damage().map(|damage| damage.in_archive(path.as_str()));
        let (mut rows, mut errors, mut not_read) = (Vec::new(), Vec::from_iter(damage), 0);
        let found_in = |name: EntryName<'_>, bytes: &[u8], place: &dyn Fn() -> String| {
            let found = matches(&pattern, path.as_str(), name, bytes);
            (!found.is_empty()).then(|| (place(), found))
        };
        // the entries of a level are its textures, and its text is outside of them
        if ContentType::of(path.as_str().as_bytes()) == ContentType::Level {
            if !budget.take(archive.size()) {
                return Ok((rows, errors, 1));
            }
            let bytes = archive.bytes(0..archive.size())?;
            rows.extend(found_in(EntryName::from(path.as_str()), &bytes, &|| path.to_string()));
            return Ok((rows, errors, 0));
        }
        for row in entries {
            let Some((entry, file)) = archive.entry(row).zip(layer.file(row)) else { continue };
            if file.check().is_ok() && !budget.take(file.size()) {
                not_read += 1;
                continue;
            }
            match file.read() {
                Ok(bytes) => {
                    let place = || entry.location(path.as_str()).to_string();
                    rows.extend(found_in(file.name(), &bytes, &place));
                }
                Err(error) => errors.push(error),
            }
        }
        Ok((rows, errors, not_read))
    };
    let take = |answer: Result<Answer, Error>| {
        selection.print(console, |console| {
            let (rows, errors, more) = match answer {
                Ok(answer) => answer,
                Err(error) => {
                    damaged.add_error(&error, console);
                    return Ok(());
                }
            };
            searched += 1;
            found |= !rows.is_empty();
            not_read += more;
            for error in &errors {
                damaged.add_error(error, console);
            }
            rows.iter().try_for_each(|(place, rows)| print(&args.searched, place, rows, console))
        })
    };
    selection.collection.each_within(&options, args.decode.limit(), wanted, work, take)?;
    selection.finish()?;
    let exit = selection.exit.max(damaged.end(found, console));
    let searched = (searched, ["archive", "archives"]);
    Ok(end(&args.searched, found, not_read, searched, exit, console))
}
