//! `pak verify`: everything that is odd or wrong about archives.

use std::fs::File;
use std::io::{self, Read as _};

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::verify::DecodeBudget;
use quakefs::{Access, ArchiveFormat, Engine, ErrorKind, FindingKind, Layout, Place, Severity};

use super::Opened;
use crate::args::Decode;
use crate::console::{Console, Exit, Failure, Message};
use crate::output::{self, Reported};

pub(crate) fn run(
    files: &[Utf8PathBuf],
    layout: Option<Layout>,
    deep: bool,
    decode: &Decode,
    json: bool,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let mut findings = Vec::new();
    let mut looked_at = Vec::new();
    for file in files {
        if deep && let Err(message) = read_through(file) {
            exit = Exit::Failed;
            console.error(&message);
            continue;
        }
        looked_at.push(file);
        match Opened::open_as(file, layout, Access::Map) {
            Ok(Opened { name, archive, .. }) => {
                let budget = decode.budget(DecodeBudget::for_archive(archive.size()));
                findings.extend(archive.verify_within(name, budget).iter().map(Reported::from));
                if let ArchiveFormat::Pak(detection) = archive.format() {
                    findings.extend(too_many(name, archive.len(), detection.layout));
                }
            }
            // a file that is not there is a failure, not a finding
            Err(error) if matches!(error.kind(), ErrorKind::Io { .. }) => {
                exit = Exit::Failed;
                looked_at.pop();
                console.error(&Message::from(&error));
            }
            Err(error) => {
                let reason = error.reason();
                let kind = FindingKind::NotAnArchive(error);
                findings.push(Reported::new(Place::layer(file.as_str()), &kind, reason));
            }
        }
    }
    let about = match looked_at.as_slice() {
        [] => return Ok(exit),
        [file] => file.to_string(),
        files => format!("{} archives", output::grouped(files.len() as u64)),
    };
    Ok(output::findings(&findings, &about, json, console)?.max(exit))
}

/// Reads a file from its start to its end.
fn read_through(file: &Utf8Path) -> Result<(), Message> {
    let mut read = 0;
    let mut buffer = vec![0; 1 << 20];
    // what is no regular file is refused when it is opened as an archive: a pipe would wait for a writer
    if !file.is_file() {
        return Ok(());
    }
    let failed = |error, at| {
        let text = format!("{file}: cannot be read at byte {}: {error}", output::grouped(at));
        Message::new(text, "the disk may be damaged: copy the archive anew from where it came from")
    };
    let mut opened = File::open(file).map_err(|error| failed(error, 0))?;
    loop {
        match opened.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => read += count as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(failed(error, read)),
        }
    }
}

/// Which engines of this layout have no room for so many entries.
fn too_many(file: &str, entries: usize, layout: Layout) -> Option<Reported> {
    let full = Engine::ALL.iter().filter_map(|engine| {
        let rules = engine.rules();
        let most = rules.limits.entries.filter(|most| entries > *most as usize)?;
        (rules.paks.layout == Some(layout)).then(|| format!("{engine} takes {most}"))
    });
    let full: Vec<_> = full.collect();
    (!full.is_empty()).then(|| Reported {
        severity: Severity::Note,
        kind: "too-many-entries",
        place: Place::layer(file),
        reason: format!("it has {} entries; {}", output::grouped(entries as u64), full.join(", ")),
        help: "split it for these engines".to_owned(),
    })
}
