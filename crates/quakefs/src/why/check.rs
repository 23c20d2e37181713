//! Checks a search path and its files for faults and likely mistakes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use crate::content::{ContentType, Leftover, folder_too_deep};
use crate::findings::{FindingKind, Location, Portability, Unreachable};
use crate::rules::{Case, EngineStop, Skipped};
use crate::search_path::{LooseFolder, NotAFile};
use crate::{Error, ErrorKind, File, Finding, Layer, SearchPath};
use pak_format::verify::DecodeBudget;
use pak_format::{EntryName, Severity};

use crate::why::companion::ignored_among;
use crate::why::explain::case_of;
use crate::why::hidden::{folder_of, packed_archives};
use crate::why::overridden::{Overridden, decode_budget, overridden};
use crate::why::portability::{is_like_needed, is_of_engine, portability};
use crate::why::start::at_start;

/// Everything that is wrong or probably a mistake, the most severe first. Findings that stop the engine come
/// before all others.
///
/// The result has the [`findings`](SearchPath::findings) of the mount, and in addition: names that differ
/// only in case; loose files overridden by an archive of their game directory, and the reverse; copies with
/// the same bytes as the winner; names that are too long for the engine;
/// [`skipped_companions`](super::skipped_companions); archives that are packed one folder too deep; cut-off
/// levels; files that load only on disks that ignore case; and a mod on top of the shareware. The check lists
/// the folders, and reads overridden copies within [`decode_budget`].
#[must_use]
pub fn check(search_path: &SearchPath) -> Vec<Finding> {
    check_within(search_path, decode_budget(search_path))
}

/// Like [`check`], with a budget other than [`decode_budget`].
#[must_use]
pub fn check_within(search_path: &SearchPath, mut budget: DecodeBudget) -> Vec<Finding> {
    // only a listing finds unreadable folders and unreachable loose files; a live search path has none yet
    let listed = search_path.listed();
    let mut findings: Vec<_> = listed.findings().cloned().collect();
    let inner = inner_folders(&listed);
    let is_of_inner = |at: &Location| {
        !inner.is_empty() && {
            let text = at.to_string();
            inner.iter().any(|(outer, folder)| {
                text.starts_with(folder)
                    && (at.layer_name() == *outer || listed.layers().all(|layer| layer.name() != folder))
            })
        }
    };
    let files: Vec<_> = listed.files().filter(|file| !is_of_inner(&file.location())).collect();
    check_names(&listed, &files, &mut findings);
    findings.extend(too_deep(&listed, &files));
    findings.extend(in_archives(&listed));
    let mut not_read = vec![0; listed.layers().len()];
    for pair in overridden(&listed) {
        let same = pair.is_same_content(&mut budget).unwrap_or(Some(false));
        if same.is_none() {
            *not_read.get_mut(pair.copy.layer().index()).unwrap_or(&mut 0) += 1;
        }
        findings.extend(of_overridden(&listed, &pair, same.unwrap_or(false)));
    }
    let ignored = ignored_among(&listed, files.iter().cloned(), &mut budget);
    findings.extend(ignored.into_iter().map(|(level, copy)| {
        let kind = FindingKind::Companion { level, because: copy.because };
        finding(&listed, copy.file.location(), kind)
    }));
    findings.extend(of_link_loops(&listed));
    let portability = portability(&listed, &files);
    let mut said: Vec<&Location> = portability.iter().map(|finding| &finding.location).collect();
    said.sort_unstable();
    let pairs = portability.iter().filter_map(|pair| match &pair.kind {
        FindingKind::Portability(Portability::OneFile { other }) => Some(other),
        _ => None,
    });
    let mut of_pairs: Vec<&Location> = said.iter().copied().chain(pairs).collect();
    of_pairs.sort_unstable();
    // the portability findings tell more about the same file or archive, and a name of a pair is taken
    findings.retain(|finding| match &finding.kind {
        FindingKind::Skipped(Skipped::WrongCase { .. }) | FindingKind::CaseTwin { .. } => {
            said.binary_search(&&finding.location).is_err()
        }
        FindingKind::UnlikelyName(Unreachable::Capitals) => {
            of_pairs.binary_search(&&finding.location).is_err()
        }
        _ => true,
    });
    findings.extend(portability);
    check_reads(&listed, &files, &mut findings);
    let wrong = super::content::wrong_content(&listed, &files, &mut budget, &mut not_read);
    add_wrong_content(wrong, &mut findings);
    let not_read = listed.layers().zip(not_read).filter(|(_, entries)| *entries > 0);
    findings.extend(not_read.map(|(layer, entries)| {
        let kind = pak_format::FindingKind::NotDecoded { entries };
        finding(search_path, Location::layer(layer.name()), FindingKind::Archive(kind))
    }));
    say_leftovers(&listed, &files, &mut findings);
    // what keeps the engine from starting says all about its archive
    let at_start = at_start(&listed);
    findings.retain(|found| {
        !matches!(found.location, Location::Archive(_))
            || at_start.iter().all(|start| start.location != found.location)
    });
    findings.extend(at_start);
    findings.retain(|found| !is_of_inner(&found.location));
    let order = |finding: &Finding| (!finding.stops_engine, Reverse(finding.severity));
    findings.sort_by(|a, b| order(a).cmp(&order(b)).then_with(|| a.location.cmp(&b.location)));
    findings
}

/// The folders of layers that lie in another layer's folder, with the name of that layer and as paths in it:
/// `./cstrike/` in goldsrc, whose lowest layer is the base directory. Their files have findings in their own
/// layer.
fn inner_folders(search_path: &SearchPath) -> Vec<(&str, String)> {
    let roots = || search_path.layers().filter_map(|layer| Some((layer.name(), layer.folder()?.root())));
    let inner = roots().flat_map(|(outer, around)| {
        let below = roots().filter_map(move |(_, root)| root.strip_prefix(around).ok());
        let below = below.filter(|path| !path.as_str().is_empty());
        below.map(move |path| {
            let path = path.components().fold(outer.to_owned(), |inner, part| format!("{inner}{part}/"));
            (outer, path)
        })
    });
    inner.collect()
}

fn finding(search_path: &SearchPath, place: Location, kind: FindingKind) -> Finding {
    Finding::new(&search_path.rules().name, place, kind)
}

/// Replaces the findings about files that a system or a program left behind.
fn say_leftovers(search_path: &SearchPath, files: &[File<'_>], findings: &mut Vec<Finding>) {
    let loose = files.iter().filter(|file| file.entry().is_none()).map(File::location);
    let archives = search_path.skipped().iter().map(|(name, _)| Location::layer(&**name));
    // an archive of the game is none, whatever its name
    let layers: HashSet<&str> = search_path.layers().map(Layer::name).collect();
    let leftovers = loose.chain(archives).filter_map(|at| {
        let name = at.to_string();
        let leftover = Leftover::of(&name).filter(|_| !layers.contains(&*name))?;
        // the only copy of an archive is no leftover
        let is_archive = search_path.rules().archives.is_archive_name(&name);
        let original = Leftover::original(&name).filter(|_| is_archive);
        if original.is_some_and(|original| !layers.iter().any(|layer| layer.eq_ignore_ascii_case(&original)))
        {
            return None;
        }
        Some((name, finding(search_path, at, FindingKind::Leftover(leftover))))
    });
    let leftovers: BTreeMap<_, _> = leftovers.collect();
    findings.retain(|found| !leftovers.contains_key(&found.location.to_string()));
    findings.extend(leftovers.into_values());
}

fn check_names(search_path: &SearchPath, files: &[File<'_>], findings: &mut Vec<Finding>) {
    let rules = search_path.rules();
    let most = rules.limits.name;
    // a download that was unpacked into the game directory, and brought a folder of the same name
    for file in files.iter().filter(|file| is_loose_archive(file)) {
        let place = file.location();
        let Some(directory) = file.layer().game_directory().map(|directory| &*directory.name) else {
            continue;
        };
        let last = directory.rsplit('/').next().unwrap_or_default();
        let name = file.name().to_string();
        let in_folder = name.split_once('/').filter(|(folder, file)| {
            folder.eq_ignore_ascii_case(last) && rules.archives.is_archive_name(file)
        });
        if let Some((folder, _)) = in_folder {
            let directory = file.layer().name().to_owned();
            let kind = FindingKind::TooDeep { folder: format!("{directory}{folder}/"), directory };
            findings.push(finding(search_path, place, kind));
        }
    }
    // loose archives have their own finding, and games do not request them by name
    let files = files.iter().filter(|file| !is_loose_archive(file));
    for file in files.clone() {
        let name = file.name();
        let length = name.as_bytes().len();
        if length > most as usize {
            findings.push(finding(search_path, file.location(), FindingKind::LongName { length, most }));
        }
        // the spelling of readme files does not matter
        let is_loaded = || {
            let is_note = |content| matches!(content, ContentType::Text | ContentType::Other);
            file.entry().is_some() || !is_note(ContentType::of(name.as_bytes()))
        };
        let why = unlikely(name, case_of(file, search_path));
        let why = why.filter(|_| is_loaded() && !is_of_engine(rules, file) && !is_like_needed(rules, name));
        if let Some(why) = why {
            findings.push(finding(search_path, file.location(), FindingKind::UnlikelyName(why)));
        }
    }
    if rules.archives.case == Case::Exact || !search_path.loose().case.is_ignored() {
        let twins = twins(files);
        let twins = twins.map(|(file, other)| {
            finding(search_path, file.location(), FindingKind::CaseTwin { other: other.location() })
        });
        findings.extend(twins);
    }
}

/// Archives whose files are all inside an extra folder, and game directories that contain a folder with the
/// same name.
fn too_deep(search_path: &SearchPath, files: &[File<'_>]) -> Vec<Finding> {
    let found = |layer: &str, folder: &str| {
        finding(search_path, Location::layer(layer), FindingKind::FolderTooMany { folder: folder.to_owned() })
    };
    let of_layer = search_path.layers().filter_map(|layer| {
        if let Some(archive) = layer.archive() {
            let names: Vec<_> = archive.entries().map(|entry| entry.name()).collect();
            return folder_too_deep(names.iter().filter_map(|name| name.to_str()))
                .map(|folder| found(layer.name(), folder));
        }
        // the layer of the user directory has a path for its name
        let again = format!("{}/", layer.game_directory()?.name.rsplit('/').next()?);
        let here = files.iter().filter(|file| file.layer().index() == layer.index());
        let names: Vec<_> = here.map(File::stored).collect();
        let below = names.iter().filter_map(|name| name.to_str()).filter(|name| name.starts_with(&again));
        folder_too_deep(below).map(|folder| found(layer.name(), folder))
    });
    of_layer.collect()
}

/// Archives inside other archives, where the engine does not look.
fn in_archives(search_path: &SearchPath) -> Vec<Finding> {
    let of_layer = search_path.layers().flat_map(|layer| {
        packed_archives(search_path, layer).map(move |entry| {
            let place = entry.location(layer.name());
            let (folder, directory) = (layer.name().to_owned(), folder_of(layer).to_owned());
            finding(search_path, place, FindingKind::TooDeep { folder, directory })
        })
    });
    of_layer.collect()
}

fn of_overridden(search_path: &SearchPath, pair: &Overridden<'_>, same: bool) -> Option<Finding> {
    let Overridden { winner, copy, .. } = pair;
    let by = winner.location();
    if same {
        return Some(finding(search_path, by, FindingKind::SameBytes { overridden: copy.location() }));
    }
    let one_directory = winner.layer().game_directory().is_some()
        && winner.layer().game_directory() == copy.layer().game_directory();
    let kind = match (winner.entry(), copy.entry()) {
        (Some(_), None) if one_directory => FindingKind::OverriddenLoose { by, rule: pair.rule() },
        (None, Some(_)) if one_directory => FindingKind::OverriddenEntry { by, rule: pair.rule() },
        (Some(_), Some(_)) if winner.layer().index() == copy.layer().index() => {
            FindingKind::EqualNames { by, rule: pair.rule() }
        }
        _ => return None,
    };
    Some(finding(search_path, copy.location(), kind))
}

/// Whether one copy of a file stops the engine or cannot be read. Returns `None` if the check finds no fault
/// without decoding the content.
#[must_use]
pub fn check_file(search_path: &SearchPath, file: &File<'_>) -> Option<Finding> {
    let above = search_path.layers().take_while(|layer| layer.index() < file.layer().index());
    let obstacles =
        above.filter_map(|layer| Some((layer, layer.folder()?.folder_or_pipe(file.name().as_bytes())?)));
    let mut stopping =
        obstacles.map(|(layer, kind)| (Location::file(layer.name(), file.name()), stop_of(kind)));
    let stopping = stopping.find(|(_, stop)| search_path.rules().stops.contains(stop));
    if let Some((place, stop)) = stopping {
        return Some(finding(search_path, place, FindingKind::StopsAt(stop)));
    }
    let error = || file.check().err().map(FindingKind::Entry);
    let kind = stop_at(search_path, file).map(FindingKind::StopsAt).or_else(error)?;
    Some(finding(search_path, file.location(), kind))
}

/// The fault at which the engine stops when it reads a copy: one of [`OF_FILES`].
fn stop_at(search_path: &SearchPath, file: &File<'_>) -> Option<EngineStop> {
    let bad = || (!file.is_opened_by_minizip()).then_some(EngineStop::BadZipEntry);
    let stop = match file.entry() {
        // games do not request archives by name
        _ if is_loose_archive(file) => None,
        _ if file.size() == 0 => Some(EngineStop::EmptyFile),
        Some(_) => file.check().err().as_ref().and_then(stop_of_error).or_else(bad),
        None => None,
    };
    stop.filter(|stop| search_path.rules().stops.contains(stop))
}

/// Adds the files that stop the engine when it reads them.
fn check_reads(search_path: &SearchPath, files: &[File<'_>], findings: &mut Vec<Finding>) {
    let stops = |stop| search_path.rules().stops.contains(&stop);
    if OF_FILES.into_iter().any(stops) {
        let stopping = files.iter().filter_map(|file| Some((file, stop_at(search_path, file)?)));
        let stopping =
            stopping.map(|(file, stop)| finding(search_path, file.location(), FindingKind::StopsAt(stop)));
        findings.extend(stopping);
    }
    if !stops(EngineStop::FolderAsFile) && !stops(EngineStop::Pipe) {
        return;
    }
    for layer in search_path.layers() {
        for (name, kind) in layer.folder().map(LooseFolder::folders_and_pipes).unwrap_or_default() {
            let stop = stop_of(kind);
            if !stops(stop) {
                continue;
            }
            let is_archive = ContentType::of(&name) == ContentType::Archive;
            let is_reached = match (search_path.find(&name), kind) {
                // the engine opens archives when it starts
                (_, NotAFile::Pipe) if is_archive => true,
                (Some(winner), _) => winner.layer().index() > layer.index() && !is_archive,
                // games request a folder only if a file has its name
                (None, kind) => kind == NotAFile::Pipe,
            };
            if is_reached {
                let place = Location::file(layer.name(), EntryName::from_bytes(&name));
                findings.push(finding(search_path, place, FindingKind::StopsAt(stop)));
            }
        }
    }
}

/// Adds the files that the engine cannot load. What stops it at such a file is told already.
fn add_wrong_content(wrong: Vec<Finding>, findings: &mut Vec<Finding>) {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    let mut told: Vec<_> = errors.map(|finding| finding.location.clone()).collect();
    told.sort_unstable();
    findings.extend(wrong.into_iter().filter(|found| told.binary_search(&found.location).is_err()));
}

/// The links to folders that contain them, if the engine follows these until it crashes.
fn of_link_loops(search_path: &SearchPath) -> Vec<Finding> {
    let rules = search_path.rules();
    let first =
        search_path.layers().rfind(|layer| layer.game_directory().is_some() && layer.archive().is_none());
    let Some(first) = first.filter(|_| rules.stops.contains(&EngineStop::LinkLoop)) else {
        return Vec::new();
    };
    let is_loop = |found: &&Finding| {
        matches!(found.kind, FindingKind::LinkLoop) && found.location.layer_name().starts_with(first.name())
    };
    let loops = search_path.findings().filter(is_loop);
    let stop = FindingKind::StopsAt(EngineStop::LinkLoop);
    loops.map(|found| finding(search_path, found.location.clone(), stop.clone())).collect()
}

/// Faults of a file that stop some engines when they read it.
const OF_FILES: [EngineStop; 4] =
    [EngineStop::EmptyFile, EngineStop::CutEntry, EngineStop::EntryOutside, EngineStop::BadZipEntry];

/// Each file whose name differs only in case from an earlier file's, and that earlier file.
fn twins<'f, 'a>(
    files: impl Iterator<Item = &'f File<'a>> + Clone,
) -> impl Iterator<Item = (&'f File<'a>, &'f File<'a>)>
where
    'a: 'f,
{
    // of two names that differ only in case, at least one has capitals, and few names do
    let with_capitals =
        files.clone().filter(|file| file.name().as_bytes().iter().any(u8::is_ascii_uppercase));
    let mut names: Vec<Vec<u8>> =
        with_capitals.map(|file| file.name().as_bytes().to_ascii_lowercase()).collect();
    names.sort_unstable();
    names.dedup();
    let mut last: Vec<Option<&File<'_>>> = vec![None; names.len()];
    let mut lower = Vec::new();
    files.filter_map(move |file| {
        if names.is_empty() {
            return None;
        }
        lower.clear();
        lower.extend(file.name().as_bytes().iter().map(u8::to_ascii_lowercase));
        let place = names.binary_search(&lower).ok()?;
        Some((file, last.get_mut(place)?.replace(file)?))
    })
}

fn is_loose_archive(file: &File<'_>) -> bool {
    file.entry().is_none() && ContentType::of(file.name().as_bytes()) == ContentType::Archive
}

/// The fault at which some engines stop if this is where they expect a file.
fn stop_of(kind: NotAFile) -> EngineStop {
    match kind {
        NotAFile::Folder => EngineStop::FolderAsFile,
        NotAFile::Pipe => EngineStop::Pipe,
    }
}

/// The damage to an entry that stops some engines.
fn stop_of_error(error: &Error) -> Option<EngineStop> {
    let ErrorKind::Pak(pak_format::ErrorKind::EntryOutside { offset, image_size, .. }) = error.kind() else {
        return None;
    };
    let begins_inside = u64::from(*offset) < *image_size;
    Some(if begins_inside { EngineStop::CutEntry } else { EngineStop::EntryOutside })
}

/// Why games do not request a name, although the engine would find the file.
fn unlikely(name: EntryName<'_>, case: Case) -> Option<Unreachable> {
    let name = name.as_bytes();
    if name.contains(&b'\\') {
        return Some(Unreachable::Backslash);
    }
    if name.split(|&byte| byte == b'/').any(|part| part.is_empty() || part == b".") {
        return Some(Unreachable::DotComponent);
    }
    let is_wrong = case == Case::Exact
        && name.iter().any(u8::is_ascii_uppercase)
        && ContentType::of(name).is_requested();
    is_wrong.then_some(Unreachable::Capitals)
}
