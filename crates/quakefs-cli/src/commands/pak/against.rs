//! `pak verify --against`: compares archives and their entries with a list of checksums.

use std::collections::{HashMap, HashSet};

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::name::with_slashes;
use quakefs::archive::OpenOptions;
use quakefs::{Access, Archive, EntryName, Error, Layer};
use quakefs_archives::{Budgeted, Collection, Digest, DigestKind, Sum};
use serde::Serialize;

use super::selection::Selection;
use crate::args::{Archives, Decode};
use crate::bounded;
use crate::console::{Console, Exit, Failure, Message};
use crate::output;
use crate::text::{escaped, printable};

/// The largest list in bytes: about a million names.
const LIST_SIZE: u64 = 256 << 20;

/// An archive or entry that the list names.
struct Found {
    place: String,
    digests: Result<Vec<Digest>, String>,
}

impl Found {
    fn verdict(&self, sum: &Sum) -> &'static str {
        match &self.digests {
            Ok(digests) if digests.iter().any(|digest| sum.any_of.contains(digest)) => "ok",
            Ok(_) => "differs",
            Err(_) => "unreadable",
        }
    }
}

/// A name of the list.
#[derive(Serialize)]
struct SumRow {
    name: String,
    location: Option<String>,
    verdict: &'static str,
    hash: Option<&'static str>,
    expected: String,
    found: Option<String>,
    reason: Option<String>,
}

/// How many archives are not in a list of archives.
#[derive(Serialize)]
struct NotListedRow {
    archives: u64,
}

/// The names in a list, each with the kinds of its sums. Many lines may have one name, whose files are hashed
/// once.
type Wanted = HashMap<Vec<u8>, Vec<DigestKind>>;

pub(super) fn run(
    archives: &Archives,
    list: &Utf8Path,
    long: bool,
    decode: &Decode,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let sums = read(list)?;
    let selection = Selection::archives(archives, console)?.observed(console);
    let mut wanted = wanted(&sums);
    let mut found: HashMap<Vec<u8>, Vec<Found>> = HashMap::new();
    let of_archives = named_archives(&wanted, list, &selection.collection);
    let lists_archives = !of_archives.is_empty();
    for (name, path) in of_archives {
        if selection.is_interrupted() {
            break;
        }
        let kinds = wanted.remove(&name).unwrap_or_default();
        let digests = Digest::several_at(&kinds, path).map_err(|error| error.to_string());
        found.insert(name, vec![Found { place: path.to_string(), digests }]);
    }
    let mut exit = selection.exit;
    if !wanted.is_empty() {
        let named = |archive: &Archive| {
            let is_named = |name: EntryName<'_>| wanted.contains_key(&in_tree(name.as_bytes()));
            archive.entries().filter(|entry| is_named(entry.name())).map(|entry| entry.index()).collect()
        };
        let options = OpenOptions::new().layout(archives.layout).access(Access::Read);
        let compare =
            |path: &Utf8Path, budgeted: Result<Budgeted, Error>| Ok(entries(path, budgeted?, &wanted));
        let take = |entries: Result<Vec<(Vec<u8>, Found)>, Error>| {
            match entries {
                Ok(entries) => {
                    for (name, entry) in entries {
                        found.entry(name).or_default().push(entry);
                    }
                }
                Err(error) => {
                    exit = Exit::Failed;
                    return selection.print(console, |console| {
                        console.error(&Message::from(&error));
                        Ok(())
                    });
                }
            }
            Ok::<(), Failure>(())
        };
        selection.collection.each_within(&options, decode.limit(), named, compare, take)?;
    }
    selection.finish()?;
    let exit = exit.max(print(list, &sums, &found, long, console)?);
    let listed: HashSet<_> =
        found.values().flatten().filter_map(|found| found.place.split(ENTRY).next()).collect();
    let archives = selection.collection.archives().iter();
    let not_listed = archives.filter(|path| !listed.contains(path.as_str())).count();
    if lists_archives && not_listed > 0 {
        print_not_listed(not_listed as u64, console)?;
    }
    Ok(exit)
}

/// The text between an archive and its entry in a place.
const ENTRY: &str = ": entry ";

/// Prints how many archives are not in a list of archives.
fn print_not_listed(archives: u64, console: &mut Console<'_>) -> Result<(), Failure> {
    output::answer(console, "not-listed", [NotListedRow { archives }], |console| {
        let archives = output::counted(archives, "archive is", "archives are");
        Ok(writeln!(console.out, "{archives} not in the list")?)
    })
}

fn read(list: &Utf8Path) -> Result<Vec<Sum>, Failure> {
    let help = "name a list from sha256sum, md5sum or a program for .sfv";
    let unreadable = |error| Message::new(format!("{list}: cannot be read: {error}"), help);
    // a pipe may never have a writer
    if list.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(Message::new(format!("{list}: it is not a regular file"), help).into());
    }
    let text = bounded::read(list, LIST_SIZE).map_err(unreadable)?;
    let sums = Sum::list(&text).map_err(|error| Message::new(format!("{list}: {error}"), help))?;
    if sums.is_empty() {
        return Err(Message::new(format!("{list}: it contains no checksum"), help).into());
    }
    Ok(sums)
}

/// A name with `/` between its parts, and without a leading `./`.
fn in_tree(name: &[u8]) -> Vec<u8> {
    let name = with_slashes(name);
    name.strip_prefix(b"./").map(<[u8]>::to_vec).unwrap_or(name)
}

fn wanted(sums: &[Sum]) -> Wanted {
    let mut wanted = Wanted::new();
    for sum in sums {
        let kinds = wanted.entry(in_tree(&sum.name)).or_default();
        for kind in sum.any_of.iter().map(Digest::kind) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    for kinds in wanted.values_mut() {
        kinds.sort_by_key(|kind| DigestKind::ALL.iter().position(|other| other == kind));
    }
    wanted
}

/// The names of whole archives. A name finds an archive by its path, from the current folder or the list's
/// folder, or else by the end of its path: the list may have been made in another folder.
fn named_archives<'c>(
    wanted: &Wanted,
    list: &Utf8Path,
    collection: &'c Collection,
) -> Vec<(Vec<u8>, &'c Utf8PathBuf)> {
    let mut by_path: HashMap<String, &Utf8PathBuf> = HashMap::new();
    let mut by_end: HashMap<String, Vec<&Utf8PathBuf>> = HashMap::new();
    let beside = list.parent().unwrap_or_else(|| Utf8Path::new(""));
    for path in collection.archives() {
        let whole = String::from_utf8_lossy(&in_tree(path.as_str().as_bytes())).into_owned();
        for end in ends(&whole) {
            by_end.entry(end.to_owned()).or_default().push(path);
        }
        for known in [path.as_str(), path.strip_prefix(beside).unwrap_or(path).as_str()] {
            let known = in_tree(known.as_bytes());
            by_path.insert(String::from_utf8_lossy(&known).into_owned(), path);
        }
    }
    let by_end = |name: &str| match ends(name).find_map(|end| by_end.get(end)).map(Vec::as_slice) {
        Some([one]) => Some(*one),
        _ => None,
    };
    let matched = wanted.keys().filter_map(|name| {
        let text = std::str::from_utf8(name).ok()?;
        let by_path = by_path.get(text).map(|path| (*path, true));
        let (path, is_whole) = by_path.or_else(|| Some((by_end(text)?, !text.contains('/'))))?;
        Some((name, path, is_whole))
    });
    let matched: Vec<_> = matched.collect();
    // of two names with the same end, neither is known to be the archive
    let mut by_archive: HashMap<&Utf8PathBuf, usize> = HashMap::new();
    for (_, path, _) in matched.iter().filter(|(.., is_whole)| !is_whole) {
        *by_archive.entry(path).or_default() += 1;
    }
    let is_clear = |path, is_whole| is_whole || by_archive.get(path).is_none_or(|names| *names == 1);
    let archives = matched.iter().filter(|(_, path, is_whole)| is_clear(*path, *is_whole));
    let mut archives: Vec<_> = archives.map(|(name, path, _)| ((*name).clone(), *path)).collect();
    archives.sort_unstable();
    archives
}

/// A path, the path without its first folder, and so on to the file name.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.split_once('/').map(|(_, rest)| rest))
}

fn entries(path: &Utf8Path, budgeted: Budgeted, wanted: &Wanted) -> Vec<(Vec<u8>, Found)> {
    let Budgeted { archive, entries, mut budget, .. } = budgeted;
    let layer = Layer::of_archive(path.as_str(), archive.clone());
    let mut found = Vec::new();
    for entry in entries.into_iter().filter_map(|row| archive.entry(row)) {
        let name = in_tree(entry.name().as_bytes());
        let kinds = wanted.get(&name).map_or(&[][..], Vec::as_slice);
        let Some(file) = layer.file(entry.index()) else { continue };
        let digests = if file.check().is_ok() && !budget.take(file.size()) {
            Err("not decoded, because the archives claim too many bytes: --max-output allows more".to_owned())
        } else {
            Digest::several_of_file(kinds, &file).map_err(|error| quakefs::sentences::with_causes(&error))
        };
        found.push((name, Found { place: entry.location(path.as_str()).to_string(), digests }));
    }
    found
}

fn print(
    list: &Utf8Path,
    sums: &[Sum],
    found: &HashMap<Vec<u8>, Vec<Found>>,
    long: bool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let (mut ok, mut differ, mut missing, mut unreadable) = (0, 0, 0, 0);
    for sum in sums {
        let of = found.get(&in_tree(&sum.name)).map_or(&[][..], Vec::as_slice);
        if of.is_empty() {
            missing += 1;
            line(sum, None, "missing", long, console)?;
        }
        for found in of {
            let verdict = found.verdict(sum);
            match verdict {
                "ok" => ok += 1,
                "differs" => differ += 1,
                _ => unreadable += 1,
            }
            line(sum, Some(found), verdict, long, console)?;
        }
    }
    output::for_people(console, |console| {
        let mut text = format!("{}: {ok} ok", printable(list.as_str()));
        let parts = [(differ, "different"), (missing, "not there"), (unreadable, "not read")];
        for (count, word) in parts.into_iter().filter(|(count, _)| *count > 0) {
            text.push_str(", ");
            text.push_str(&output::grouped(count));
            text.push(' ');
            text.push_str(word);
        }
        Ok(writeln!(console.out, "{text}")?)
    })?;
    Ok(match (unreadable, differ + missing) {
        (0, 0) => Exit::Done,
        (0, _) => Exit::NotFound,
        _ => Exit::Failed,
    })
}

fn line(
    sum: &Sum,
    found: Option<&Found>,
    verdict: &'static str,
    long: bool,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    // of two hashes with the same number of digits, the one that such lists contain
    let expected = sum.any_of.last().map(ToString::to_string).unwrap_or_default();
    let digest = found.and_then(|found| {
        let digests = found.digests.as_ref().ok()?;
        digests.iter().find(|digest| sum.any_of.contains(digest)).or_else(|| {
            digests.iter().rfind(|digest| sum.any_of.iter().any(|other| other.kind() == digest.kind()))
        })
    });
    let reason = found.and_then(|found| found.digests.as_ref().err());
    let row = SumRow {
        name: escaped(EntryName::from_bytes(&sum.name)),
        location: found.map(|found| found.place.clone()),
        verdict,
        hash: digest.map(|digest| digest.kind().name()),
        expected: expected.clone(),
        found: digest.map(ToString::to_string),
        reason: reason.cloned(),
    };
    output::answer(console, "sum", [row], |console| {
        if verdict == "ok" && !long {
            return Ok(());
        }
        let place =
            found.map_or_else(|| EntryName::from_bytes(&sum.name).to_string(), |found| found.place.clone());
        let place = printable(&place);
        match (verdict, digest, reason) {
            ("ok", ..) => writeln!(console.out, "ok       {place}")?,
            (_, Some(digest), _) => {
                let kind = digest.kind().name();
                writeln!(
                    console.out,
                    "error    {place}: its {kind} is {digest}, and the list has {expected}"
                )?;
            }
            (_, _, Some(reason)) => writeln!(console.out, "error    {place}: {}", printable(reason))?,
            _ => writeln!(console.out, "error    {place}: no archive and no entry has this name")?,
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_hashed_once_however_many_lines_name_it() {
        let folder = testutils::Folder::new();
        folder.write("a.pak", testutils::pack(quakefs::Layout::Quake, [("a", "a")]));
        let lines = ["00000000", "11111111"].map(|crc| format!("a.pak {crc}\n")).concat().repeat(500);
        let wanted = wanted(&Sum::list(lines.as_bytes()).unwrap());
        let collection = Collection::search([folder.join("a.pak")]);
        let named = named_archives(&wanted, Utf8Path::new("list"), &collection);
        assert_eq!((named.len(), &wanted[&b"a.pak"[..]]), (1, &vec![DigestKind::Crc32]));
    }
}
