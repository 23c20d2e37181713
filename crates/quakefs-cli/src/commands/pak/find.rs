//! `pak find`: the archives that contain a file.

use quakefs_game::Caveats;
use std::io::Write as _;

use quakefs::rules::Case;
use quakefs::{Archive, Error, Pattern};
use quakefs_archives::{Collection, DigestOptions, NoDigest, nested_rows};

use super::selection::{EntryRow, Selection};
use crate::args::{Find, by_position, pattern_text};
use crate::console::{Console, Exit, Failure, Message};
use crate::output;
use crate::text::{command_line, printable};

/// The result for an archive: the lines to print, and the unreadable entries.
#[derive(Default)]
struct Answer {
    lines: Vec<u8>,
    faults: Vec<Message>,
    /// The number of archives inside it that were not searched.
    not_searched: usize,
    /// The number of entries in folders that the pattern for all folders would find too.
    deeper: usize,
}

pub(super) fn run(args: &Find, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let json = console.json;
    let case = if args.ignore_case { Case::Ignored } else { Case::Exact };
    let word = pattern_text(&args.name);
    let pattern = Pattern::new(&word, case)?;
    let in_wads = Pattern::new(&word, Case::Ignored)?;
    let selection = Selection::searched(&word, "find", &args.archives, console)?.observed(console);
    let selection = selection.strict(&args.strict).nested(&args.nested, args.decode.limit(), console);
    let mut damaged = selection.damaged();
    let everywhere = (!word.contains('/') && args.hash.is_none()).then(|| format!("**/{word}"));
    let everywhere = everywhere.and_then(|all| Some((Pattern::new(&all, case).ok()?, all)));
    let (mut found, mut within, mut searched, mut deeper) = (false, 0, 0, 0);
    let mut take = |answer: Result<Answer, Error>| {
        let Answer { lines, faults, not_searched, deeper: below } = match answer {
            Ok(answer) => answer,
            Err(error) => {
                return selection.print(console, |console| {
                    damaged.add_error(&error, console);
                    Ok(())
                });
            }
        };
        searched += 1;
        found |= !lines.is_empty();
        within += not_searched;
        deeper += below;
        if lines.is_empty() && faults.is_empty() {
            return Ok(());
        }
        selection.print(console, |console| {
            console.out.write_all(&lines)?;
            for fault in &faults {
                damaged.add(fault, console);
            }
            Ok::<(), Failure>(())
        })
    };
    let select = |archive: &Archive| {
        select(if archive.case() == Case::Ignored { &in_wads } else { &pattern }, archive)
    };
    let collection: &Collection = &selection.collection;
    match args.hash {
        None => {
            // mapping each of many small archives costs more than reading its directory
            let options = by_position().layout(args.archives.layout);
            collection.each(
                &options,
                |path, archive| {
                    let archive = archive?;
                    let rows = select(&archive);
                    let lines = lines(args, json, path.as_str(), &archive, &rows);
                    // the archive has the name, so the archives inside it do not matter
                    let not_searched = if lines.is_empty() { not_searched(args, &archive) } else { 0 };
                    let all = everywhere.as_ref().map_or(0, |(all, _)| self::select(all, &archive).len());
                    let deeper = all.saturating_sub(rows.len());
                    Ok(Answer { lines, not_searched, deeper, faults: lost(path.as_str(), &archive) })
                },
                &mut take,
            )?;
        }
        Some(hash) => {
            let (kind, layout, limit) = (hash.kind(), args.archives.layout, args.decode.limit());
            collection.each_digested(
                &DigestOptions { kind, layout, limit, ..DigestOptions::default() },
                select,
                |path, digested| {
                    let digested = digested?;
                    let (mut rows, mut faults) = (Vec::new(), lost(path.as_str(), &digested.archive));
                    for (row, digest) in digested.entries {
                        match digest {
                            Ok(digest) if digest == hash => rows.push(row),
                            Ok(_) => {}
                            Err(why) => faults.extend(not_read(&why, path.as_str(), &digested.archive, row)),
                        }
                    }
                    Ok(Answer {
                        lines: lines(args, json, path.as_str(), &digested.archive, &rows),
                        faults,
                        not_searched: not_searched(args, &digested.archive),
                        deeper: 0,
                    })
                },
                &mut take,
            )?;
        }
    }
    selection.finish()?;
    let exit = selection.exit.max(damaged.end(found, console));
    if found {
        tell_of_more(everywhere.map(|(_, all)| all).filter(|_| deeper > 0), deeper, within, console);
    }
    if found || searched == 0 {
        return Ok(exit);
    }
    let other = if args.hash.is_none() { other_search(&word, args, collection) } else { None };
    console.error(&not_found(&word, searched, within, args, other));
    Ok(exit.max(Exit::NotFound))
}

/// Tells what the search did not reach: entries in folders, which `everywhere` finds, and archives inside
/// others.
fn tell_of_more(everywhere: Option<String>, deeper: usize, within: usize, console: &mut Console<'_>) {
    if let Some(all) = everywhere {
        let more = output::counted(deeper as u64, "entry", "entries");
        console.note(format!("{more} in folders: \"{}\" finds them too", printable(&all)));
    }
    if within > 0 {
        let within = output::counted(within as u64, "archive inside others is", "archives inside others are");
        console.note(format!("{within} not searched: --nested searches them"));
    }
}

/// Another search that finds the name, with its option.
fn other_search(word: &str, args: &Find, collection: &Collection) -> Option<String> {
    let star = if word.starts_with('.') { "*" } else { "" };
    let everywhere = format!("**/{star}{word}");
    let is_part = word.len() > 2 && !word.contains(['/', '*', '?', '[', '{']);
    let part = if is_part { format!("**/*{word}*") } else { everywhere.clone() };
    let mut others = Vec::new();
    // the case of the letters is what people type as they mean it
    for (pattern, case) in [
        (&*everywhere, Case::Exact),
        (word, Case::Ignored),
        (&everywhere, Case::Ignored),
        (&part, Case::Exact),
        (&part, Case::Ignored),
    ] {
        let is_asked = args.ignore_case && (case == Case::Exact || pattern == word);
        if !is_asked && let Ok(compiled) = Pattern::new(pattern, case) {
            let option = if case == Case::Ignored { "-i " } else { "" };
            others.push((compiled, format!("{option}{}", command_line([pattern]))));
        }
    }
    let options = by_position().layout(args.archives.layout);
    let mut found = others.len();
    let first = |_: &_, archive: Result<Archive, Error>| {
        archive
            .ok()
            .and_then(|archive| others.iter().position(|(other, _)| !select(other, &archive).is_empty()))
    };
    let take = |first: Option<usize>| {
        found = found.min(first.unwrap_or(found));
        Ok::<(), Failure>(())
    };
    collection.each(&options, first, take).ok()?;
    let (_, words) = others.get(found)?;
    Some(format!("`quakefs pak find {words}` finds it in these archives"))
}

/// The message if no archive has the name. It tells if archives inside them were not searched.
fn not_found(word: &str, archives: u64, within: usize, args: &Find, other: Option<String>) -> Message {
    let archives = output::counted(archives, "archive", "archives");
    let text = match args.hash {
        None => format!("{word}: not found in {archives}"),
        Some(_) => format!("no file that {word} finds in {archives} has this hash"),
    };
    let text = match within {
        0 => text,
        count => format!(
            "{text}; {} not searched",
            output::counted(count as u64, "archive inside them is", "archives inside them are")
        ),
    };
    let help = if let Some(other) = other {
        other
    } else if within > 0 {
        "--nested searches archives inside archives".to_owned()
    } else if args.hash.is_some() {
        "`quakefs pak catalog` writes the hash of each file: XXH3-128, or BLAKE3 with --blake3".to_owned()
    } else {
        "`quakefs pak list` with the same paths lists the names".to_owned()
    };
    Message::new(text, help)
}

/// Why some entries of an archive are not searched.
fn lost(path: &str, archive: &Archive) -> Vec<Message> {
    archive.damage().iter().map(|damage| Message::from(&damage.clone().in_archive(path))).collect()
}

/// How many archives inside an archive are not searched.
fn not_searched(args: &Find, archive: &Archive) -> usize {
    if args.nested.nested { 0 } else { nested_rows(archive).len() }
}

/// Why the content of an entry is unknown.
fn not_read(why: &NoDigest, path: &str, archive: &Archive, row: usize) -> Option<Message> {
    let entry = archive.entry(row)?;
    Some(match why {
        NoDigest::Unreadable(error) => Message::from(error),
        why => {
            let place = entry.location(path);
            Message::new(format!("{place}: {why}"), "allow more with --max-output")
        }
    })
}

fn select(pattern: &Pattern, archive: &Archive) -> Vec<usize> {
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the result lives as long as the archive")]
    let entries = Pattern::select([pattern], archive.entries(), |entry| entry.name());
    entries.items.into_iter().filter(|entry| !entry.row().is_folder).map(|entry| entry.index()).collect()
}

/// The printed lines of an archive. Writing to memory does not fail.
fn lines(args: &Find, json: bool, path: &str, archive: &Archive, rows: &[usize]) -> Vec<u8> {
    let mut out = Vec::new();
    let alone = args.archives_alone || args.null;
    if alone && !json {
        if !rows.is_empty() {
            let _ = if args.null { write!(out, "{path}\0") } else { writeln!(out, "{}", printable(path)) };
        }
        return out;
    }
    for entry in rows.iter().filter_map(|row| archive.entry(*row)) {
        if json {
            let _ = output::object(&mut out, "found", &EntryRow::new(Some(path), entry), &Caveats::default());
        } else {
            let place = entry.location(path).to_string();
            let _ = writeln!(out, "{}, {}", printable(&place), output::bytes(entry.size()));
        }
    }
    out
}
