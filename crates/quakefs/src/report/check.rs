//! What is wrong or unexpected about a stack, also in its files.

use std::collections::HashMap;

use pak_format::EntryName;

use super::{Registration, Shadow};
use crate::content::ContentType;
use crate::error::{Error, ErrorKind};
use crate::finding::{Finding, FindingKind, HiddenPair, Place, Unlikely};
use crate::rules::{Case, LooseCase, Stop};
use crate::stack::{Hit, LayerKind, SearchPath};

impl SearchPath {
    /// Everything that is wrong or that an author is likely to have meant otherwise, the most severe first.
    ///
    /// To the [`findings`](Self::findings) of the mount, the check adds: names that differ in case alone; loose files
    /// hidden by an archive of their game directory, and the reverse; copies that hold the same bytes as those that they
    /// hide; names too long for the engine; and a shareware copy that is started with a game. The check lists the folders
    /// and reads the hidden copies.
    #[must_use]
    pub fn check(&self) -> Vec<Finding> {
        // listing finds what cannot be listed or reached, which a live stack has not looked at
        let files = self.files();
        let mut findings: Vec<_> = self.findings().chain(files.findings()).cloned().collect();
        let files: Vec<_> = files.collect();
        self.check_names(&files, &mut findings);
        for shadow in self.shadows() {
            findings.extend(self.of_shadow(&shadow));
        }
        findings.extend(self.of_registration());
        self.check_reads(&files, &mut findings);
        findings.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.place.cmp(&b.place)));
        findings
    }

    /// Whether the engine would start on this stack, as far as the archives show: a file that is no archive, or an
    /// archive of too many entries, stops some engines. [`Finding::stops_engine`] marks such findings.
    ///
    /// # Errors
    /// The findings that stop the engine.
    pub fn starts(&self) -> Result<(), Vec<Finding>> {
        // a copy without the file is taken for one that is not whole, unless the shareware is there
        let registration = self
            .of_registration()
            .filter(|_| self.registration() != Some(Registration::Shareware) || self.is_shareware());
        let findings = self.findings().chain(&registration);
        let stopping: Vec<_> = findings.filter(|finding| finding.stops_engine()).cloned().collect();
        if stopping.is_empty() { Ok(()) } else { Err(stopping) }
    }

    fn finding(&self, place: Place, kind: FindingKind) -> Finding {
        Finding::new(&self.rules().name, place, kind)
    }

    fn check_names(&self, files: &[Hit<'_>], findings: &mut Vec<Finding>) {
        let rules = self.rules();
        let most = rules.limits.name;
        let mut spellings: HashMap<Vec<u8>, &Hit<'_>> = HashMap::new();
        for file in files {
            let name = file.name();
            let content = ContentType::of(name.as_bytes());
            // an archive that is not loaded is a finding already, and not asked for by its name
            if is_loose_archive(file) {
                continue;
            }
            let length = name.as_bytes().len();
            if length > most as usize {
                findings.push(self.finding(file.place(), FindingKind::LongName { length, most }));
            }
            let case = if file.entry().is_some() || rules.loose.case == LooseCase::Ignored {
                rules.case
            } else {
                Case::Exact
            };
            // people may name their notes as they like
            let loaded = file.entry().is_some() || !matches!(content, ContentType::Text | ContentType::Other);
            if let Some(why) = unlikely(name, case).filter(|_| loaded) {
                findings.push(self.finding(file.place(), FindingKind::UnlikelyName(why)));
            }
            if rules.case == Case::Ignored && rules.loose.case == LooseCase::Ignored {
                continue;
            }
            if let Some(other) = spellings.insert(name.as_bytes().to_ascii_lowercase(), file) {
                findings.push(self.finding(file.place(), FindingKind::CaseTwin { other: other.place() }));
            }
        }
    }

    fn of_shadow(&self, shadow: &Shadow<'_>) -> Option<Finding> {
        let Shadow { winner, hidden } = shadow;
        if shadow.is_same_content().unwrap_or(false) {
            return Some(self.finding(winner.place(), FindingKind::SameBytes { hidden: hidden.place() }));
        }
        let one_directory = winner.layer().game_directory().is_some()
            && winner.layer().game_directory() == hidden.layer().game_directory();
        let pair = match (winner.entry(), hidden.entry()) {
            (Some(_), None) if one_directory => HiddenPair::LooseByEntry,
            (None, Some(_)) if one_directory => HiddenPair::EntryByLoose,
            (Some(_), Some(_)) if std::ptr::eq(winner.layer(), hidden.layer()) => HiddenPair::EqualNames,
            _ => return None,
        };
        let rule = self.precedence(winner, hidden);
        Some(self.finding(hidden.place(), FindingKind::Hidden { pair, by: winner.place(), rule }))
    }

    /// What stops the engine when it is read.
    fn check_reads(&self, files: &[Hit<'_>], findings: &mut Vec<Finding>) {
        let stops = |stop| self.rules().stops_at.contains(&stop);
        for file in files {
            // an archive is not asked for by its name
            let stop = if is_loose_archive(file) {
                None
            } else if file.size() == 0 {
                Some(Stop::EmptyFile)
            } else if file.entry().is_some() {
                let error = file.to_file().check().err();
                let bad = || (!file.is_opened_by_minizip()).then_some(Stop::BadZipEntry);
                error.as_ref().and_then(stop_of).or_else(bad)
            } else {
                None
            };
            if let Some(stop) = stop.filter(|stop| stops(*stop)) {
                findings.push(self.finding(file.place(), FindingKind::StopsAt(stop)));
            }
        }
        if !stops(Stop::FolderAsFile) && !stops(Stop::Pipe) {
            return;
        }
        for layer in self.layers() {
            for (name, is_pipe) in layer.folders_and_pipes() {
                let stop = if is_pipe { Stop::Pipe } else { Stop::FolderAsFile };
                // a folder is no fault unless a file has its name
                if stops(stop) && (is_pipe || self.find(&name).is_some()) {
                    let place = Place::loose(layer.name(), EntryName::from_bytes(&name));
                    findings.push(self.finding(place, FindingKind::StopsAt(stop)));
                }
            }
        }
    }

    fn of_registration(&self) -> Option<Finding> {
        let registered = self.rules().registered_by.as_ref()?;
        let file = registered.file.to_string();
        let registration = self.registration()?;
        let stops = |stop| self.rules().stops_at.contains(&stop);
        let kind = match registration {
            Registration::Registered => return None,
            Registration::Shareware
                if stops(Stop::Unregistered)
                    && (self.has_game() || (self.is_shareware() && !self.is_whole_shareware())) =>
            {
                FindingKind::StopsAt(Stop::Unregistered)
            }
            Registration::Corrupt if stops(Stop::WrongRegistered) => {
                FindingKind::StopsAt(Stop::WrongRegistered)
            }
            Registration::Shareware if !self.has_game() => return None,
            Registration::Shareware => FindingKind::Shareware { file },
            Registration::Corrupt => FindingKind::WrongRegistered { file },
        };
        let lowest = self.layers().rfind(|layer| layer.kind() == LayerKind::Folder);
        let lowest = lowest.map_or("", |layer| layer.name());
        Some(self.finding(Place::loose(lowest, EntryName::from(&*registered.file)), kind))
    }
}

fn is_loose_archive(file: &Hit<'_>) -> bool {
    file.entry().is_none() && ContentType::of(file.name().as_bytes()) == ContentType::Archive
}

/// The reading of an entry that stops some engines.
fn stop_of(error: &Error) -> Option<Stop> {
    use pak_format::ErrorKind as Pak;
    match error.kind() {
        ErrorKind::Pak(Pak::EntryOutside { offset, image_size, .. }) => {
            Some(if u64::from(*offset) < *image_size { Stop::CutEntry } else { Stop::EntryOutside })
        }
        _ => None,
    }
}

/// Why games do not ask for a name, though a request would find the file.
fn unlikely(name: EntryName<'_>, case: Case) -> Option<Unlikely> {
    let name = name.as_bytes();
    if name.contains(&b'\\') {
        return Some(Unlikely::Backslash);
    }
    if name.split(|&byte| byte == b'/').any(|part| part.is_empty() || part == b".") {
        return Some(Unlikely::DotComponent);
    }
    (case == Case::Exact && name.iter().any(u8::is_ascii_uppercase)).then_some(Unlikely::Capitals)
}
