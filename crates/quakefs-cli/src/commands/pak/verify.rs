//! `pak verify`: everything that is odd or wrong about archives.

use std::collections::HashMap;

use camino::Utf8PathBuf;
use pak_format::{Archive as PakArchive, ParseOptions, verify};
use quakefs::{Archive, ArchiveEntry, ArchiveFormat, Engine, ErrorKind, FileData, Layout};

use super::{Opened, not_opened};
use crate::console::{Console, Exit, Failure, Told};
use crate::output::{self, Finding};

pub(crate) fn run(
    files: &[Utf8PathBuf],
    layout: Option<Layout>,
    json: bool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let mut findings = Vec::new();
    for file in files {
        let opened = match Opened::open_as(file, layout) {
            Ok(opened) => opened,
            Err(error) if matches!(error.kind(), ErrorKind::Io { .. }) => {
                // a file that is not there is no finding about it
                exit = Exit::Failed;
                console.error(&not_opened(error, file, layout));
                continue;
            }
            Err(error) => {
                let told = Told::from(&error);
                findings.push(Finding {
                    severity: "error",
                    kind: "not-an-archive",
                    place: file.to_string(),
                    reason: told.message,
                    help: told.help.unwrap_or_default(),
                });
                continue;
            }
        };
        if let ArchiveFormat::Pak(detection) = opened.archive.format() {
            let options = ParseOptions { layout: Some(detection.layout), ..ParseOptions::default() };
            let archive = PakArchive::parse_with(FileData::map(file)?, &options)?;
            findings.extend(verify(&archive).iter().map(|finding| of_pak(file.as_str(), finding)));
            findings.extend(too_many(file.as_str(), archive.len(), detection.layout));
        } else {
            findings.extend(names_of_zip(file.as_str(), &opened.archive));
            findings.extend(of_zip(file.as_str(), &opened.archive));
        }
    }
    let about = match files {
        [file] => file.to_string(),
        files => format!("{} archives", output::grouped(files.len() as u64)),
    };
    Ok(output::findings(&findings, &about, json, console)?.max(exit))
}

/// Which engines of this layout have no room for so many entries.
fn too_many(file: &str, entries: usize, layout: Layout) -> Option<Finding> {
    let full = Engine::ALL.iter().filter_map(|engine| {
        let rules = engine.rules();
        let most = rules.limits.entries.filter(|most| entries > *most as usize)?;
        (rules.paks.layout == Some(layout)).then(|| format!("{engine} takes {most}"))
    });
    let full: Vec<_> = full.collect();
    (!full.is_empty()).then(|| Finding {
        severity: "note",
        kind: "too-many-entries",
        place: file.to_owned(),
        reason: format!("it has {} entries; {}", output::grouped(entries as u64), full.join(", ")),
        help: "split it for these engines".to_owned(),
    })
}

fn of_pak(file: &str, finding: &pak_format::Finding) -> Finding {
    let entry = finding.entry().map_or_else(String::new, |(entry, name)| format!(": entry {entry} ({name})"));
    Finding {
        severity: finding.severity().name(),
        kind: finding.kind().name(),
        place: format!("{file}{entry}"),
        reason: finding.kind().to_string(),
        help: finding.help().to_owned(),
    }
}

/// A ZIP says of each entry what it should hold: reading is enough.
fn of_zip<'a>(file: &'a str, archive: &'a Archive) -> impl Iterator<Item = Finding> + 'a {
    let whole = archive.damage().map(|error| (String::new(), error));
    let entries = archive.entries().filter(|entry| entry.size() <= DECODED).filter_map(|entry| {
        let error = archive.read(entry.index()).err()?;
        Some((format!(": entry {} ({})", entry.index(), entry.name()), error))
    });
    whole.into_iter().chain(entries).map(move |(entry, error)| Finding {
        severity: "error",
        kind: "damaged",
        place: format!("{file}{entry}"),
        reason: error.reason(),
        help: error.help().unwrap_or_default().to_owned(),
    })
}

/// The most bytes of one file that are decoded to see whether they can be.
const DECODED: u64 = 1 << 30;

/// What is wrong with the names in a ZIP, and with the sizes it claims.
fn names_of_zip(file: &str, archive: &Archive) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut names: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut tell = |entry: ArchiveEntry<'_>, severity, kind, reason: String, help: &str| {
        let place = format!("{file}: entry {} ({})", entry.index(), entry.name());
        findings.push(Finding { severity, kind, place, reason, help: help.to_owned() });
    };
    for entry in archive.entries().filter(|entry| !entry.is_folder()) {
        let name = entry.name();
        if let Err(fault) = name.to_disk_path() {
            tell(entry, "error", "unsafe-name", format!("it cannot be extracted: {fault}"), "rename it");
        }
        let folded = name.as_bytes().to_ascii_lowercase();
        if let Some(first) = names.get(&folded) {
            let reason = format!("the name is that of entry {first}, or differs from it in case alone");
            tell(entry, "warning", "duplicate", reason, "rename or remove one of them");
        } else {
            names.insert(folded, entry.index());
        }
        if entry.size() > DECODED {
            let reason = format!("{} bytes, which were not decoded", output::grouped(entry.size()));
            tell(entry, "note", "not-decoded", reason, "see that the disk has room before extracting it");
        }
    }
    let content: u64 = archive.entries().map(|entry| entry.size()).sum();
    if content > DECODED && content > archive.size().saturating_mul(100) {
        let (content, size) = (output::grouped(content), output::grouped(archive.size()));
        findings.push(Finding {
            severity: "warning",
            kind: "expansion",
            place: file.to_owned(),
            reason: format!("{size} bytes of archive hold {content} bytes of files"),
            help: "see that the disk has room before extracting it".to_owned(),
        });
    }
    findings
}
