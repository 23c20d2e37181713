//! Copies of a name that the engine does not look at.

use std::fmt;

use crate::advice::{Advice, GAME, in_words};
use crate::archive::ArchiveEntry;
use crate::disk::{FileKind, split};
use crate::findings::Location;
use crate::pak_format::{EntryName, EntryNameBuf};
use crate::sentences::{Help, Shell};
use crate::{Archive, File, Finding, SearchPath};

/// A copy of a name that the engine does not look at. `Display` prints the reason.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SkippedCopy<'a> {
    /// The name of which it is a copy.
    pub name: EntryNameBuf,
    /// Where it is.
    pub location: Location,
    /// Why the engine skips it.
    pub because: SkippedBecause<'a>,
}

/// Why an engine does not look at a copy.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SkippedBecause<'a> {
    /// The engine skips its archive.
    Archive(&'a Finding),
    /// Its name differs in case.
    OtherCase,
    /// It is in a folder, or in an archive in a folder or in another archive, where the engine does not look.
    TooDeep {
        /// The folder in which the engine looks.
        directory: String,
    },
    /// It is in another game, which the engine searches only if it is started with it.
    OtherGame {
        /// The game.
        game: &'a str,
    },
}

impl SkippedBecause<'_> {
    /// A stable word for the reason: `skipped`, `other-case`, `too-deep` or `other-game`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            SkippedBecause::Archive(_) => "skipped",
            SkippedBecause::OtherCase => "other-case",
            SkippedBecause::TooDeep { .. } => "too-deep",
            SkippedBecause::OtherGame { .. } => "other-game",
        }
    }
}

impl fmt::Display for SkippedBecause<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SkippedBecause::Archive(finding) => f.write_str(&finding.reason()),
            SkippedBecause::OtherCase => f.write_str("its name differs in case"),
            SkippedBecause::TooDeep { directory } => write!(f, "the engine looks only in {directory} itself"),
            SkippedBecause::OtherGame { game } => write!(f, "it is in another game, {game}"),
        }
    }
}

impl fmt::Display for SkippedCopy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.because.fmt(f)
    }
}

impl Help for SkippedCopy<'_> {
    fn advice(&self) -> Vec<Advice> {
        match &self.because {
            SkippedBecause::Archive(finding) => finding.advice(),
            SkippedBecause::OtherCase => vec![Advice::lower_case(&self.location)],
            SkippedBecause::TooDeep { directory } => {
                vec![Advice::Move { what: self.location.clone(), to: directory.clone() }]
            }
            SkippedBecause::OtherGame { game } => {
                let names = vec![self.name.to_string()];
                vec![Advice::Ask { names, is_guess: false, game: Some((GAME, (*game).to_owned())) }]
            }
        }
    }

    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        match &self.because {
            SkippedBecause::Archive(finding) => finding.help(shell),
            _ => in_words(&self.advice(), Some(&self.location), shell),
        }
    }
}

/// The copies in skipped archives, and a loose one above the winner whose name differs in case. Nothing is
/// opened if the engine skips no archive.
pub(super) fn beside<'s>(search_path: &'s SearchPath, winner: &File<'_>) -> Vec<SkippedCopy<'s>> {
    let name = winner.name();
    let case = search_path.rules().archives.case;
    let mut copies =
        in_skipped_archives(search_path, |entry| entry.is_named(name.as_bytes(), case).then(|| name.into()));
    let other_case = other_case(search_path, winner);
    copies.extend(other_case.map(|location| SkippedCopy {
        name: name.into(),
        location,
        because: SkippedBecause::OtherCase,
    }));
    copies
}

/// Every copy in a skipped archive of a file that the engine finds elsewhere, by archive and entry.
#[must_use]
pub fn skipped_copies(search_path: &SearchPath) -> Vec<SkippedCopy<'_>> {
    in_skipped_archives(search_path, |entry| {
        let is_file = !entry.row().is_folder;
        is_file.then(|| search_path.find(entry.name()).map(|file| file.name().into())).flatten()
    })
}

/// The entries of skipped archives that are copies of a name.
fn in_skipped_archives(
    search_path: &SearchPath,
    of: impl Fn(&ArchiveEntry<'_>) -> Option<EntryNameBuf>,
) -> Vec<SkippedCopy<'_>> {
    let mut copies = Vec::new();
    for (layer, finding, archive) in skipped_archives(search_path) {
        copies.extend(archive.entries().filter_map(|entry| {
            let location = Location::of_entry(layer, entry.index(), entry.name());
            Some(SkippedCopy { name: of(&entry)?, location, because: SkippedBecause::Archive(finding) })
        }));
    }
    copies
}

/// The skipped archives that can be opened, each with its layer and the finding that tells why.
pub(super) fn skipped_archives(search_path: &SearchPath) -> impl Iterator<Item = (&str, &Finding, Archive)> {
    let mut findings: Vec<_> = search_path.findings().collect();
    findings.sort_by_key(|finding| &finding.location);
    search_path.skipped().iter().filter_map(move |(layer, path)| {
        let place = Location::layer(&**layer);
        let first = findings.partition_point(|finding| finding.location < place);
        let finding = *findings.get(first).filter(|finding| finding.location == place)?;
        Some((&**layer, finding, search_path.open_skipped(path).ok()?))
    })
}

/// A loose file above the winner that the engine ignores because its name differs in case.
fn other_case(search_path: &SearchPath, served: &File<'_>) -> Option<Location> {
    let name = served.name().as_bytes();
    let (folder, file) = split(name);
    let folder = std::str::from_utf8(folder).ok()?;
    let mut above = search_path.layers().take_while(|layer| layer.index() < served.layer().index());
    above.find_map(|layer| {
        let path = layer.system_path().filter(|_| layer.archive().is_none())?;
        let items = search_path.disk().list_any_case(path.join(folder).as_std_path(), file).ok()?;
        let other = items.into_iter().find(|item| {
            item.name != file && item.name.eq_ignore_ascii_case(file) && item.kind == FileKind::File
        })?;
        let slash: &[u8] = if folder.is_empty() { b"" } else { b"/" };
        let stored = [folder.as_bytes(), slash, &other.name].concat();
        Some(Location::file(layer.name(), EntryName::from_bytes(&stored)))
    })
}
