//! Why a name is served from where it is, or why it is not found.

#[cfg(feature = "fs")]
use crate::archive::Archive;
use crate::finding::{Finding, Place};
use crate::precedence::Precedence;
use crate::rules::{Case, LooseCase, QPath, RequestError};
use crate::stack::{Hit, SearchPath};

/// Why a lookup serves one copy rather than another, or why it finds none.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Explanation<'a> {
    /// The engine would load a copy.
    Served {
        /// The copy.
        winner: Hit<'a>,
        /// The copies that it hides, from the highest down, each with the rule that puts the winner above.
        hidden: Vec<(Hit<'a>, Precedence)>,
    },
    /// The engine would find nothing. The most likely cause comes first; empty where nothing like the name is known.
    Missing(Vec<MissingBecause<'a>>),
}

/// Why a name is not found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum MissingBecause<'a> {
    /// The engine refuses such a request.
    Refused(RequestError),
    /// An archive has the name, and the engine does not load that archive.
    LeftOut {
        /// The entry that has the name.
        entry: Place,
        /// Why the archive is not loaded.
        finding: &'a Finding,
    },
    /// A loose file whose name differs in case alone hides every copy below.
    HiddenBySpelling {
        /// The loose file.
        by: Hit<'a>,
    },
    /// A file is there whose name differs in case, or has `/` for `\`.
    OtherSpelling {
        /// The file.
        file: Hit<'a>,
    },
}

impl SearchPath {
    /// Why the engine would load this copy of a name, or why it finds none.
    ///
    /// A name that is found costs what [`copies`](Self::copies) costs. For one that is not, the archives that the
    /// engine leaves out are opened, and the loose files are listed.
    #[must_use]
    pub fn explain(&self, name: impl AsRef<[u8]>) -> Explanation<'_> {
        let name = name.as_ref();
        let mut copies = self.copies(name).into_iter();
        if let Some(winner) = copies.next() {
            let hidden = copies.map(|copy| (self.precedence(&winner, &copy), copy));
            let hidden = hidden.map(|(rule, copy)| (copy, rule)).collect();
            return Explanation::Served { winner, hidden };
        }
        let mut because = Vec::new();
        if let Err(refused) = QPath::new(name, &self.rules().requests) {
            because.push(MissingBecause::Refused(refused));
            return Explanation::Missing(because);
        }
        because.extend(self.in_left_out(name));
        let wanted: Vec<u8> = name.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }).collect();
        let like = |hit: &Hit<'_>| hit.stored().as_bytes().eq_ignore_ascii_case(&wanted);
        let hides = self.rules().loose.case == LooseCase::ExactHidesOthers;
        if let Some(file) = self.files().filter(like).last() {
            let hidden = hides && file.entry().is_none() && self.rules().case != Case::Exact;
            because.push(if hidden {
                MissingBecause::HiddenBySpelling { by: file }
            } else {
                MissingBecause::OtherSpelling { file }
            });
        }
        Explanation::Missing(because)
    }

    /// The entries of archives that the rules leave out, and that a request for the name would find there.
    #[cfg(feature = "fs")]
    fn in_left_out(&self, name: &[u8]) -> Vec<MissingBecause<'_>> {
        let found = self.left_out().iter().filter_map(|(layer, path)| {
            let archive = Archive::open(path).ok()?;
            let case = self.rules().case;
            let row = (0..archive.rows()).find(|row| archive.is_named(*row, name, case))?;
            let entry = archive.entry(row as usize)?;
            let finding = self.findings().find(|finding| finding.place == Place::layer(&**layer))?;
            let entry = Place::entry(&**layer, entry.index(), entry.name());
            Some(MissingBecause::LeftOut { entry, finding })
        });
        found.collect()
    }

    #[cfg(not(feature = "fs"))]
    #[expect(clippy::unused_self, reason = "without folders, no archive is left out")]
    fn in_left_out(&self, _: &[u8]) -> Vec<MissingBecause<'_>> {
        Vec::new()
    }
}
