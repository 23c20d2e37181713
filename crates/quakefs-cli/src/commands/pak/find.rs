//! `pak find`: which archives hold a file.

use std::io::Write as _;

use quakefs::findings::Place;
use quakefs::rules::Case;
use quakefs::{Archive, Error, Pattern};
use quakefs_archives::{Collection, DigestOptions, NoDigest};

use super::asked::{Asked, json_entry};
use crate::args::{Find, by_position, pattern_text};
use crate::console::{Console, Exit, Failure, Message};
use crate::line::Line;
use crate::output;
use crate::text::printable;

/// What an archive answers: the lines to print, and the entries that cannot be read.
struct Answer {
    lines: Vec<u8>,
    faults: Vec<Message>,
}

pub(super) fn run(args: &Find, json: bool, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let case = if args.ignore_case { Case::Ignored } else { Case::Exact };
    let word = pattern_text(&args.name);
    let pattern = Pattern::new(&word, case)?;
    let asked = Asked::archives(&args.archives, console)?;
    let mut exit = asked.exit();
    let mut found = false;
    let mut take = |answer: Result<Answer, Error>| {
        match answer {
            Err(error) => {
                console.error(&Message::from(&error));
                exit = Exit::Failed;
            }
            Ok(Answer { lines, faults }) => {
                found |= !lines.is_empty();
                console.out.write_all(&lines)?;
                for fault in &faults {
                    console.error(fault);
                    exit = Exit::Failed;
                }
            }
        }
        Ok::<(), Failure>(())
    };
    let select = |archive: &Archive| select(&pattern, archive);
    let collection: &Collection = &asked.collection;
    match args.hash {
        None => {
            // a map of each of many small archives costs more than a read of its directory
            let options = by_position().layout(args.archives.layout);
            collection.each(
                &options,
                |path, archive| {
                    let archive = archive?;
                    let rows = select(&archive);
                    let lines = lines(args, json, path.as_str(), &archive, &rows);
                    Ok(Answer { lines, faults: Vec::new() })
                },
                &mut take,
            )?;
        }
        Some(hash) => {
            let options = DigestOptions::new().kind(hash.kind()).layout(args.archives.layout);
            collection.each_digested(
                &options.limit(args.decode.limit()),
                select,
                |path, digested| {
                    let digested = digested?;
                    let (mut rows, mut faults) = (Vec::new(), Vec::new());
                    for (row, digest) in digested.entries {
                        match digest {
                            Ok(digest) if digest == hash => rows.push(row),
                            Ok(_) => {}
                            Err(why) => faults.extend(not_read(&why, path.as_str(), &digested.archive, row)),
                        }
                    }
                    Ok(Answer { lines: lines(args, json, path.as_str(), &digested.archive, &rows), faults })
                },
                &mut take,
            )?;
        }
    }
    if !found && exit == Exit::Done {
        let archives = output::counted(collection.archives().len() as u64, "archive", "archives");
        let text = match args.hash {
            None => format!("{word}: not found in {archives}"),
            Some(_) => format!("no file that {word} finds in {archives} has this hash"),
        };
        let help = if args.hash.is_some() {
            "`quakefs pak catalog` writes the hash of each file: XXH3-128, or BLAKE3 with --blake3"
        } else if word.contains(['*', '?', '[', '{']) {
            "* stops at /: \"**/*.wav\" matches in every folder"
        } else if args.ignore_case {
            "\"**/NAME\" finds it in every folder"
        } else {
            "-i finds it in upper and lower case, and \"**/NAME\" in every folder"
        };
        console.error(&Message::new(text, help));
        return Ok(Exit::NotFound);
    }
    Ok(exit)
}

/// Why the content of an entry is not known.
fn not_read(why: &NoDigest, path: &str, archive: &Archive, row: usize) -> Option<Message> {
    let entry = archive.entry(row)?;
    Some(match why {
        NoDigest::Unreadable(error) => Message::from(error),
        why => {
            let place = Place::entry(path, row, entry.name());
            Message::new(format!("{place}: {why}"), "allow more by --max-output")
        }
    })
}

fn select(pattern: &Pattern, archive: &Archive) -> Vec<usize> {
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the lifetime of the method's answer is that of the archive"
    )]
    let entries = pattern.select(archive.entries(), |entry| entry.name());
    entries.into_iter().filter(|entry| !entry.is_folder()).map(|entry| entry.index()).collect()
}

/// What is printed about an archive. Writing to memory does not fail.
fn lines(args: &Find, json: bool, path: &str, archive: &Archive, rows: &[usize]) -> Vec<u8> {
    let mut out = Vec::new();
    let alone = args.archives_alone || args.null;
    if alone && !json {
        if !rows.is_empty() {
            let _ = if args.null { write!(out, "{path}\0") } else { writeln!(out, "{}", printable(path)) };
        }
        return out;
    }
    let mut line = Line::default();
    for entry in rows.iter().filter_map(|row| archive.entry(*row)) {
        if json {
            let object = json_entry(&mut line, "found", Some(path), entry);
            let _ = object.map(|object| object.end(&mut out));
        } else {
            let place = Place::entry(path, entry.index(), entry.name()).to_string();
            let _ = writeln!(out, "{}, {}", printable(&place), output::bytes(entry.size()));
        }
    }
    out
}
