//! Whether the engine starts.

use md4::{Digest as _, Md4};
use pak_format::{EntryName, Severity};

use super::registration::{Registration, is_modified, is_shareware, shown};
use super::skipped::skipped_archives;
use crate::archive::ArchiveKind;
use crate::findings::{FindingKind, Location};
use crate::rules::{Editions, EngineStop, NeededArchives};
use crate::{Archive, Finding, Layer, SearchPath};

/// Whether the engine would start, and otherwise what stops it: a missing game, a broken archive, an archive
/// with too many entries, a mod on top of the shareware, a missing file or archive of the base game, an
/// edition that it refuses. Lookups answer as if this were repaired. [`Finding::stops_engine`] marks such
/// findings.
///
/// If the file of the registered version is missing, the game may still be an unfinished mod. This function
/// then reports nothing, unless the game contains the shareware archive; and nothing about other missing
/// files if nothing of the base game is there. [`check`](super::check) reports them in any case.
///
/// # Errors
/// The findings that stop the engine, in the order of the mount.
pub fn starts(search_path: &SearchPath) -> Result<(), Vec<Finding>> {
    let is_complete =
        || registration(search_path) != Some(Registration::Shareware) || is_shareware(search_path);
    let registration = of_registration(search_path).filter(|_| is_complete());
    let needed = if has_base_game(search_path) { of_needed(search_path) } else { Vec::new() };
    let late = with_causes(search_path, registration.into_iter().chain(needed).collect());
    let mount = search_path.findings().filter(|found| found.stops_engine);
    let mut stopping: Vec<Finding> = mount.cloned().collect();
    let is_new = |late: &Finding| stopping.iter().all(|found| found.location != late.location);
    let late: Vec<_> = late.into_iter().filter(|late| late.stops_engine && is_new(late)).collect();
    stopping.extend(late);
    if stopping.is_empty() { Ok(()) } else { Err(stopping) }
}

/// Whether this is a registered copy of the game. Returns `None` if the engine does not check it, no game
/// directory is mounted, or nobody knows because the engine leaves out an archive that has the file. The
/// rules name the file: [`Rules::registered`](crate::Rules::registered).
#[must_use]
pub fn registration(search_path: &SearchPath) -> Option<Registration> {
    let is_known = |found: &Registration| {
        *found != Registration::Shareware || left_out(search_path, &registered(search_path)).is_empty()
    };
    shown(search_path).filter(is_known)
}

/// Findings about files that are missing, or in their place the archives of the game that the engine leaves
/// out, if they have such a file or cannot be read.
fn with_causes(search_path: &SearchPath, findings: Vec<Finding>) -> Vec<Finding> {
    let mut missing: Vec<String> = Vec::new();
    for found in &findings {
        match &found.kind {
            FindingKind::MissingToStart { others, more } if more.is_empty() => {
                missing.extend(found.location.name().map(|name| name.to_string()));
                missing.extend_from_slice(others);
            }
            FindingKind::StopsAt(EngineStop::Unregistered) | FindingKind::Shareware { .. } => {
                missing.extend(registered(search_path));
            }
            _ => {}
        }
    }
    let causes = if missing.is_empty() { Vec::new() } else { left_out(search_path, &missing) };
    if causes.is_empty() { findings } else { causes }
}

/// The file that marks a registered copy, if the engine looks for one.
fn registered(search_path: &SearchPath) -> Vec<String> {
    let registered = search_path.rules().registered.as_ref();
    registered.map(|registered| registered.file.to_string()).into_iter().collect()
}

/// The archives that the engine leaves out although they have one of these files, and those of the base game
/// at which it stops.
fn left_out(search_path: &SearchPath, names: &[String]) -> Vec<Finding> {
    let case = search_path.rules().archives.case;
    let has = |archive: &Archive| {
        let mut entries = archive.entries().filter(|entry| entry.size() > 0);
        entries.any(|entry| names.iter().any(|name| entry.is_named(name.as_bytes(), case)))
    };
    let with_one = skipped_archives(search_path).filter(|(.., archive)| has(archive));
    let base = &search_path.rules().directories.base;
    let is_unread = |found: &&Finding| {
        let folder = found.location.layer_name().split_once('/').map(|(folder, _)| folder);
        folder.is_some_and(|folder| base.iter().any(|base| base == folder))
            && matches!(found.location, Location::Archive(_))
            && found.stops_engine
    };
    let unread = search_path.findings().filter(is_unread);
    let mut causes: Vec<_> = unread.chain(with_one.map(|(_, finding, _)| finding)).cloned().collect();
    causes.sort_by(|one, other| one.location.cmp(&other.location));
    causes.dedup_by(|one, other| one.location == other.location);
    for cause in &mut causes {
        (cause.severity, cause.stops_engine) = (Severity::Error, true);
    }
    causes
}

fn of_registration(search_path: &SearchPath) -> Option<Finding> {
    let registered = search_path.rules().registered.as_ref()?;
    let file = registered.file.to_string();
    let registration = shown(search_path)?;
    let stops = |stop| search_path.rules().stops.contains(&stop);
    let kind = match registration {
        Registration::Registered => return None,
        Registration::Shareware
            if stops(EngineStop::Unregistered) && (search_path.has_game() || is_modified(search_path)) =>
        {
            FindingKind::StopsAt(EngineStop::Unregistered)
        }
        Registration::Corrupt if stops(EngineStop::WrongRegistered) => {
            FindingKind::StopsAt(EngineStop::WrongRegistered)
        }
        Registration::Shareware if !search_path.has_game() => return None,
        Registration::Shareware => FindingKind::Shareware { file },
        Registration::Corrupt => FindingKind::WrongRegistered { file },
    };
    let place = match &search_path.copies(&*registered.file)[..] {
        // it may override the right one
        [winner, _, ..] => winner.location(),
        [only] => Location::layer(only.layer().name()),
        [] => {
            let lowest = search_path.layers().rfind(|layer| layer.kind() == ArchiveKind::Folder);
            Location::file(lowest.map_or("", |layer| layer.name()), EntryName::from(&*registered.file))
        }
    };
    Some(finding(search_path, place, kind))
}

fn finding(search_path: &SearchPath, place: Location, kind: FindingKind) -> Finding {
    Finding::new(&search_path.rules().name, place, kind)
}

/// What stops the engine before it plays: its registration, or else missing files and archives of the base
/// game, or their edition.
pub(super) fn at_start(search_path: &SearchPath) -> Vec<Finding> {
    let findings = match of_registration(search_path) {
        // an engine that stops there does not come to the others
        Some(found) if found.stops_engine => vec![found],
        found => found.into_iter().chain(of_needed(search_path)).collect(),
    };
    with_causes(search_path, findings)
}

/// Whether enough of the base game is here to expect the rest: a file that the engine needs or that is known
/// of the game, or an archive by which the engine tells editions apart. A folder with a download for the game
/// has none of these.
#[must_use]
pub fn has_base_game(search_path: &SearchPath) -> bool {
    let rules = search_path.rules();
    let Some(needed) = rules.needed.known() else { return false };
    let of_family = rules.family.iter().flat_map(|family| family.base_files.iter());
    let names = needed.choices_to_start().flatten().chain(of_family.map(ToString::to_string));
    let names: Vec<String> = names.chain(registered(search_path)).collect();
    names.iter().any(|name| search_path.find(name).is_some())
        || !left_out(search_path, &names).is_empty()
        || mounted(search_path).any(|(directory, file, _)| {
            let is_needed = |needed: &NeededArchives| {
                needed.directory == directory
                    && needed.files.iter().any(|name| name.eq_ignore_ascii_case(file))
            };
            needed.archives.iter().any(is_needed)
                || (needed.editions.is_some() && rules.directories.base.iter().any(|base| base == directory))
        })
}

/// The archives and files without which the engine stops, and the edition at which it does.
fn of_needed(search_path: &SearchPath) -> Vec<Finding> {
    let Some(needed) = search_path.rules().needed.known() else { return Vec::new() };
    // without the folder of the base game there is not enough to say
    let first = search_path.rules().directories.first_name();
    let is_base = |layer: &&Layer| {
        is_folder(layer) && layer.game_directory().is_some_and(|of| Some(&*of.game) == first)
    };
    let Some(lowest) = search_path.layers().rfind(is_base) else { return Vec::new() };
    let archives = needed.archives.iter();
    let mut findings: Vec<_> = archives.clone().filter_map(|of| other_archive(search_path, of)).collect();
    if findings.is_empty() {
        findings.extend(archives.filter_map(|of| missing_archives(search_path, of)));
    }
    if findings.is_empty() {
        let edition = needed.editions.as_ref();
        findings.extend(edition.and_then(|editions| of_edition(search_path, editions, lowest)));
    }
    // the files are in the archives
    if !findings.is_empty() {
        return findings;
    }
    let is_there = |name: &String| {
        search_path.find(name).is_some_and(|file| file.size() > 0 || ArchiveKind::of(name).is_some())
    };
    let missing = needed.choices_to_start().filter(|choices| !choices.iter().any(is_there));
    findings.extend(missing.filter_map(|choices| {
        let (first, others) = choices.split_first()?;
        let kind = FindingKind::MissingToStart { others: others.to_vec(), more: Vec::new() };
        Some(finding(search_path, Location::file(lowest.name(), EntryName::from(&**first)), kind))
    }));
    findings
}

/// Whether a layer has the loose files of a game directory, and not those of a folder like `pak0.pk3dir`.
fn is_folder(layer: &Layer) -> bool {
    layer.archive().is_none() && layer.set().is_none()
}

/// The archives of game directories with entries, each with its directory and the name of its file.
fn mounted(search_path: &SearchPath) -> impl Iterator<Item = (&str, &str, &Archive)> {
    search_path.layers().filter_map(|layer| {
        let archive = layer.archive().filter(|archive| !archive.is_empty())?;
        let file = layer.name().rsplit('/').next()?;
        Some((&*layer.game_directory()?.game, file, archive))
    })
}

/// The checksum of an archive as Quake III's engines compute it, such as those that `sv_paks` lists: an MD4
/// over the CRC-32 of each entry that is not empty, its four words xored. With a `feed`
/// (`sv_paks` has none, `cl_paks` that of the server) it is the one by which a client proves its archives.
/// `None` if the archive states no CRCs, as a PAK.
///
/// The source is `FS_LoadZipFile` and `Com_BlockChecksum` of ioquake3.
#[must_use]
pub fn pk3_checksum(archive: &Archive, feed: Option<u32>) -> Option<u32> {
    let mut hash = Md4::new();
    if let Some(feed) = feed {
        hash.update(feed.to_le_bytes());
    }
    for entry in archive.entries() {
        let row = entry.row();
        let crc = row.crc?;
        if row.size > 0 {
            hash.update(crc.to_le_bytes());
        }
    }
    let digest: [u8; 16] = hash.finalize().into();
    let words = digest.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
    Some(words.fold(0, |all, word| all ^ word))
}

/// The first archive of a list that is another one than the engine accepts.
fn other_archive(search_path: &SearchPath, needed: &NeededArchives) -> Option<Finding> {
    let accepted = |name: &str| {
        let number = needed.files.iter().position(|file| file.eq_ignore_ascii_case(name))?;
        needed.checksums.get(number).copied().filter(|sum| *sum != 0)
    };
    search_path.layers().find_map(|layer| {
        layer.game_directory().filter(|directory| directory.game == *needed.directory)?;
        let accepted = accepted(layer.name().rsplit('/').next()?)?;
        let found = pk3_checksum(layer.archive()?, None).filter(|found| *found != accepted)?;
        let kind = FindingKind::WrongChecksum { found, accepted };
        Some(finding(search_path, Location::layer(layer.name()), kind))
    })
}

/// The archives of a list that are not mounted, if the engine looks for them.
fn missing_archives(search_path: &SearchPath, needed: &NeededArchives) -> Option<Finding> {
    let folder = search_path.layers().rfind(|layer| {
        let directory = layer.game_directory().filter(|_| is_folder(layer));
        directory.is_some_and(|directory| directory.game == *needed.directory)
    })?;
    let base = &search_path.rules().directories.base;
    let mut games = search_path.layers().filter_map(|layer| Some(&*layer.game_directory()?.game));
    let game = games.find(|game| base.iter().all(|base| base != game)).unwrap_or_default();
    if !needed.games.is_empty() && !needed.games.iter().any(|of| of.eq_ignore_ascii_case(game)) {
        return None;
    }
    let has = |directory: &str, file: &str| {
        let is_one = |(of, name, _): (&str, &str, _)| of == directory && name.eq_ignore_ascii_case(file);
        mounted(search_path).any(is_one)
    };
    if needed.instead.split_once('/').is_some_and(|(directory, file)| has(directory, file)) {
        return None;
    }
    let missing = needed.files.iter().filter(|file| !has(&needed.directory, file));
    let mut missing = missing.map(ToString::to_string);
    let first = missing.next()?;
    let kind = FindingKind::MissingToStart { others: Vec::new(), more: missing.collect() };
    Some(finding(search_path, Location::file(folder.name(), EntryName::from(&*first)), kind))
}

/// The edition that the engine refuses.
fn of_edition(search_path: &SearchPath, editions: &Editions, lowest: &Layer) -> Option<Finding> {
    let rules = search_path.rules();
    let known = |(directory, file, archive): (&str, &str, &Archive)| {
        let path = format!("{directory}/{file}");
        let rows = archive.bytes(archive.directory_range()).ok()?;
        let crc = quake_rules::directory_crc(&rows);
        let is_it = |known: &&quake_rules::KnownArchive| {
            known.file == path && known.entries as usize == archive.len() && known.crc == crc
        };
        editions.archives.iter().find(is_it).map(|known| &*known.word)
    };
    let is_base = |directory: &str| rules.directories.base.iter().any(|base| base == directory);
    // the user's copies count with those of the base directory
    let archives: Vec<_> = mounted(search_path).map(|of| (is_base(of.0), known(of))).collect();
    let is_mission =
        |game: &&str| rules.directories.missions.iter().any(|mission| mission.directory == *game);
    let mut games: Vec<_> =
        search_path.layers().filter_map(|layer| Some(&*layer.game_directory()?.game)).collect();
    games.retain(|game| !is_base(game));
    let has_mission = games.iter().any(is_mission);
    let has_other = games.iter().any(|game| !is_mission(game));
    let has = |word: &str| match word {
        "modified" => archives.iter().any(|(is_base, known)| *is_base && known.is_none()),
        "game" => has_other || (search_path.has_game() && !has_mission),
        "mission" => has_mission,
        "registered" => registration(search_path) == Some(Registration::Registered),
        word => archives.iter().any(|(_, known)| *known == Some(word)),
    };
    let refused = editions.refused(has)?;
    Some(finding(search_path, Location::layer(lowest.name()), FindingKind::WrongEdition(refused.clone())))
}
