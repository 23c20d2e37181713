//! What is wrong or odd about one archive, of any kind.

use pak_format::verify::DecodeBudget;
use pak_format::{FindingKind as PakFinding, verify};

use super::{Archive, Pak};
use crate::error::Error;
use crate::finding::{Finding, FindingKind, Place};

impl Archive {
    /// Everything that is odd or wrong about the archive: names, places, and whether each entry can be read. Findings
    /// about entries come first, in the order of the rows, then those about the whole archive.
    ///
    /// Compressed entries are decoded, and the entries of a ZIP are held against their checksums. What an archive
    /// claims beyond the default [`DecodeBudget`] is reported and not decoded. `name` names the archive in the
    /// findings.
    #[must_use]
    pub fn verify(&self, name: &str) -> Vec<Finding> {
        self.verify_within(name, DecodeBudget::for_archive(self.size()))
    }

    /// The same with another budget than [`DecodeBudget::for_archive`].
    #[must_use]
    pub fn verify_within(&self, name: &str, budget: DecodeBudget) -> Vec<Finding> {
        match self.as_pak() {
            Some(pak) => of_pak(pak, name, budget).unwrap_or_else(|error| {
                vec![Finding::of_archive(Place::layer(name), FindingKind::Damaged(error))]
            }),
            None => self.of_entries(name, budget),
        }
    }

    /// For an archive whose entries alone are known: names, sizes, and reading each.
    fn of_entries(&self, name: &str, mut budget: DecodeBudget) -> Vec<Finding> {
        let files = || self.entries().filter(|entry| !entry.is_folder());
        let names = pak_format::verify::names(files().map(|entry| (entry.index(), entry.name())));
        let mut findings: Vec<_> = names.iter().map(|finding| of_format(finding, name)).collect();
        let (mut content, mut not_decoded) = (0_u64, 0);
        for entry in files() {
            content = content.saturating_add(entry.size());
            let read = match entry.check() {
                Ok(()) if !budget.take(entry.size()) => {
                    not_decoded += 1;
                    continue;
                }
                Ok(()) => entry.read().map(drop),
                Err(error) => Err(error),
            };
            if let Err(error) = read {
                let place = Place::entry(name, entry.index(), entry.name());
                findings.push(Finding::of_archive(place, FindingKind::Entry(error)));
            }
        }
        findings.sort_by_key(|finding| finding.place.entry);
        let mut of_all = Vec::new();
        of_all.extend(self.damage().map(FindingKind::Damaged));
        if content > budget.limit() {
            of_all.push(FindingKind::Archive(PakFinding::Expansion { content, archive: self.size() }));
        }
        if not_decoded > 0 {
            of_all.push(FindingKind::Archive(PakFinding::NotDecoded { entries: not_decoded }));
        }
        findings.extend(of_all.into_iter().map(|kind| Finding::of_archive(Place::layer(name), kind)));
        findings
    }
}

fn of_pak(pak: &Pak, name: &str, budget: DecodeBudget) -> Result<Vec<Finding>, Error> {
    let image = pak.image().bytes(0..pak.image().size())?;
    let options = pak_format::ParseOptions::new().layout(pak.directory().layout()).allow_partial_row(true);
    let archive = pak_format::Archive::parse_with(image, &options)?;
    let findings = verify::verify_within(&archive, budget);
    Ok(findings.iter().map(|finding| of_format(finding, name)).collect())
}

/// A finding of the format's crate as one of this crate.
fn of_format(finding: &pak_format::Finding, name: &str) -> Finding {
    let place = match finding.entry() {
        Some((entry, entry_name)) => Place::entry(name, entry, entry_name),
        None => Place::layer(name),
    };
    let kind = match finding.kind() {
        PakFinding::Unreadable(kind) => FindingKind::Entry(pak_format::Error::from(kind.clone()).into()),
        kind => FindingKind::Archive(kind.clone()),
    };
    Finding::of_archive(place, kind)
}
