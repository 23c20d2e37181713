//! Why a name is served from where it is, or why it is not found.

use std::fmt;
use std::path::Path;

use quakefs::disk::FileKind;
use quakefs::findings::{FindingKind, Place, Precedence};
use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::{Case, LooseCase, QPath, RequestError, Text};
use quakefs::stack::Near;
use quakefs::{EntryName, Finding, Hit, SearchPath, spelling};

use crate::precedence::precedence;
use crate::words::Say as _;

/// Why a lookup serves one copy rather than another, or why it finds none.
#[derive(Clone, Debug)]
pub enum Explanation<'a> {
    /// The engine would load a copy.
    #[non_exhaustive]
    Served {
        /// The copy.
        winner: Hit<'a>,
        /// The copies that it hides, from the highest down, each with the rule that puts the winner above.
        hidden: Vec<(Hit<'a>, Precedence)>,
    },
    /// The engine would find nothing.
    Missing(Missing<'a>),
}

/// A name that is not found, and why. [`Say`](crate::words::Say) gives the sentence and what may have been meant.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Missing<'a> {
    /// The engine whose rules were asked.
    pub engine: Text,
    /// Why: the most likely cause comes first; empty where nothing like the name is known.
    pub because: Vec<MissingBecause<'a>>,
    name: EntryNameBuf,
}

impl<'a> Missing<'a> {
    fn new(stack: &SearchPath, name: &[u8], because: Vec<MissingBecause<'a>>) -> Self {
        Missing { engine: stack.rules().name.clone(), because, name: name.into() }
    }

    /// The name that was asked for.
    #[must_use]
    pub fn name(&self) -> EntryName<'_> {
        self.name.as_name()
    }

    /// A word for the most likely cause that stays the same, for programs: `refused`, `left-out`; `not-there` where none
    /// is known.
    #[must_use]
    pub fn cause(&self) -> &'static str {
        self.because.first().map_or("not-there", MissingBecause::name)
    }
}

impl fmt::Display for Missing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.say().fmt(f)
    }
}

impl<'a> MissingBecause<'a> {
    /// A file that is there and may be meant, the nearest of several.
    #[must_use]
    pub fn file(&self) -> Option<&Hit<'a>> {
        match self {
            MissingBecause::HiddenBySpelling { by: file }
            | MissingBecause::OtherSpelling { file }
            | MissingBecause::Deeper { file }
            | MissingBecause::Shallower { file }
            | MissingBecause::OtherExtension { file } => Some(file),
            MissingBecause::Nearest { files } => files.first(),
            MissingBecause::Refused(_)
            | MissingBecause::LeftOut { .. }
            | MissingBecause::TooDeep { .. }
            | MissingBecause::Folder => None,
        }
    }

    /// A word for the cause that stays the same, for programs.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            MissingBecause::Refused(_) => "refused",
            MissingBecause::LeftOut { .. } => "left-out",
            MissingBecause::HiddenBySpelling { .. } | MissingBecause::OtherSpelling { .. } => {
                "other-spelling"
            }
            MissingBecause::TooDeep { .. } => "too-deep",
            MissingBecause::Deeper { .. } => "deeper",
            MissingBecause::Shallower { .. } => "shallower",
            MissingBecause::OtherExtension { .. } => "other-extension",
            MissingBecause::Folder => "folder",
            MissingBecause::Nearest { .. } => "nearest",
        }
    }
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
    /// An archive in a folder of a game directory has the name, as of a download that was unpacked one folder too deep.
    TooDeep {
        /// The archive, as layers are named.
        archive: String,
        /// The folder in which it lies.
        folder: String,
        /// The game directory.
        directory: String,
    },
    /// A loose file whose name differs in case alone hides every copy below.
    HiddenBySpelling {
        /// The loose file.
        by: Hit<'a>,
    },
    /// A file is there whose name differs in case, or in `/` and `\`.
    OtherSpelling {
        /// The file.
        file: Hit<'a>,
    },
    /// A file of the name is there below another folder, as in an archive that was packed one folder too deep.
    Deeper {
        /// The file.
        file: Hit<'a>,
    },
    /// A file is there whose name is the rest after the first folder. A name inside the tree does not begin with the
    /// game directory.
    Shallower {
        /// The file.
        file: Hit<'a>,
    },
    /// A file is there that has another extension, or none.
    OtherExtension {
        /// The file.
        file: Hit<'a>,
    },
    /// The name is that of a folder in the tree.
    Folder,
    /// Files are there whose names are spelled almost so.
    Nearest {
        /// The files, the nearest first; at most three.
        files: Vec<Hit<'a>>,
    },
}

/// Why the engine would load this copy of a name, or why it finds none.
///
/// A name that is found costs what [`SearchPath::copies`] costs. For one that is not, the archives that the
/// engine leaves out are opened, the names in all archives are compared with it, and a few folders are listed.
#[must_use]
pub fn explain(stack: &SearchPath, name: impl AsRef<[u8]>) -> Explanation<'_> {
    let name = name.as_ref();
    let mut copies = stack.copies(name).into_iter();
    if let Some(winner) = copies.next() {
        let hidden = copies.map(|copy| (precedence(stack, &winner, &copy), copy));
        let hidden = hidden.map(|(rule, copy)| (copy, rule)).collect();
        return Explanation::Served { winner, hidden };
    }
    if let Err(refused) = QPath::new(name, &stack.rules().requests) {
        return Explanation::Missing(Missing::new(stack, name, vec![MissingBecause::Refused(refused)]));
    }
    let mut because = in_left_out(stack, name);
    because.extend(too_deep(stack, name));
    let mut candidates = Candidates::new(name);
    let wanted = candidates.wanted.clone();
    stack.names_near(&wanted, |near| candidates.add(&near));
    because.extend(candidates.because(stack));
    Explanation::Missing(Missing::new(stack, name, because))
}

/// Whether another copy may be served in the place of this one, since the engine goes by the order in which the
/// disk lists the archives of a folder, and quakefs by their names. [`FindingKind::DiskOrder`] names the archives.
#[must_use]
pub fn disk_decides(stack: &SearchPath, served: &Hit<'_>) -> bool {
    let layer = served.layer();
    let mut others = stack.findings().filter_map(|finding| match &finding.kind {
        FindingKind::DiskOrder { other } if layer.has(&finding.place) => Some(Place::layer(&**other)),
        FindingKind::DiskOrder { other } if layer.has(&Place::layer(&**other)) => Some(finding.place.clone()),
        _ => None,
    });
    others.any(|other| {
        // of two that are alike, one is not loaded
        !stack.layers().any(|layer| layer.has(&other))
            || stack.copies(served.name()).iter().any(|copy| copy.layer().has(&other))
    })
}

/// A loose file above the copy that is served, which the engine passes over as its name differs in case: `PROGS.DAT` of a mod.
#[must_use]
pub fn passed_over(stack: &SearchPath, served: &Hit<'_>) -> Option<Place> {
    let name = served.name().as_bytes();
    let (folder, file) = match name.iter().rposition(|&byte| byte == b'/') {
        Some(slash) => (name.get(..slash).unwrap_or_default(), name.get(slash + 1..).unwrap_or_default()),
        None => (&b""[..], name),
    };
    let folder = std::str::from_utf8(folder).ok()?;
    let mut above = stack.layers().take_while(|layer| layer.index() < served.layer().index());
    above.find_map(|layer| {
        let path = layer.path().filter(|_| layer.archive().is_none())?;
        let items = stack.disk().alike(path.join(folder).as_std_path(), file).ok()?;
        let other = items.into_iter().find(|item| item.name != file && item.kind == FileKind::File)?;
        let slash: &[u8] = if folder.is_empty() { b"" } else { b"/" };
        let stored = [folder.as_bytes(), slash, &other.name].concat();
        Some(Place::loose(layer.name(), EntryName::from_bytes(&stored)))
    })
}

/// The entries of archives that the rules leave out, and that a request for the name would find there.
fn in_left_out<'s>(stack: &'s SearchPath, name: &[u8]) -> Vec<MissingBecause<'s>> {
    let found = stack.left_out().iter().filter_map(|(layer, path)| {
        let archive = stack.open_left_out(path).ok()?;
        let case = stack.rules().archives.case;
        let entry = archive.entries().find(|entry| entry.is_named(name, case))?;
        let finding = stack.findings().find(|finding| finding.place == Place::layer(&**layer))?;
        let entry = Place::entry(&**layer, entry.index(), entry.name());
        Some(MissingBecause::LeftOut { entry, finding })
    });
    found.collect()
}

/// How many folders of a game directory are looked into, and how many archives of them are opened.
const MOST_FOLDERS: usize = 64;

/// The first archive that has the name in a folder straight in a game directory, where the engine looks for none.
fn too_deep<'s>(stack: &'s SearchPath, name: &[u8]) -> Option<MissingBecause<'s>> {
    let rules = stack.rules();
    let disk = stack.disk();
    let mut left = MOST_FOLDERS;
    for layer in stack.layers().filter(|layer| layer.game_directory().is_some() && layer.archive().is_none())
    {
        let Some(path) = layer.path() else { continue };
        let names = |folder: &Path| {
            let items = disk.list(folder).unwrap_or_default();
            let mut names: Vec<_> =
                items.into_iter().filter_map(|item| String::from_utf8(item.name).ok()).collect();
            names.sort_unstable();
            names
        };
        for child in names(path.as_std_path()) {
            let folder = path.join(&child);
            for file in
                names(folder.as_std_path()).into_iter().filter(|file| rules.archives.is_archive_name(file))
            {
                left = left.checked_sub(1)?;
                let Ok(archive) = stack.open_left_out(&folder.join(&file)) else { continue };
                if archive.entries().any(|entry| entry.is_named(name, rules.archives.case)) {
                    let directory = layer.name().to_owned();
                    let folder = format!("{directory}{child}/");
                    return Some(MissingBecause::TooDeep {
                        archive: format!("{folder}{file}"),
                        folder,
                        directory,
                    });
                }
            }
        }
    }
    None
}

/// The names that may have been meant by one that is not found: the shortest of each kind.
struct Candidates {
    /// The name with `/` between its parts, and no empty ones.
    wanted: Vec<u8>,
    spelling: Option<Vec<u8>>,
    deeper: Option<Vec<u8>>,
    shallower: Option<Vec<u8>>,
    extension: Option<Vec<u8>>,
    is_folder: bool,
    /// With the distance of each, the nearest first.
    nearest: Vec<(usize, Vec<u8>)>,
}

impl Candidates {
    fn new(name: &[u8]) -> Self {
        let parts = name.split(|byte| is_slash(*byte)).filter(|part| !part.is_empty() && *part != b".");
        let wanted = parts.collect::<Vec<_>>().join(&b'/');
        let (spelling, deeper, shallower, extension) = (None, None, None, None);
        Candidates { wanted, spelling, deeper, shallower, extension, is_folder: false, nearest: Vec::new() }
    }

    fn add(&mut self, near: &Near<'_>) {
        let wanted = &*self.wanted;
        let name = match near {
            Near::File(name) => *name,
            Near::Folder(name) => {
                self.is_folder |= is_alike(name, wanted);
                return;
            }
        };
        let is_below = |below: &[u8], name: &[u8]| {
            let start = name.len().checked_sub(below.len() + 1);
            start
                .and_then(|start| name.get(start..)?.split_first())
                .is_some_and(|(slash, end)| is_slash(*slash) && is_alike(end, below))
        };
        let place = if is_alike(name, wanted) {
            &mut self.spelling
        } else if is_below(wanted, name) {
            &mut self.deeper
        } else if is_below(name, wanted)
            && !name.is_empty()
            && wanted.len() - name.len() - 1 == first_part(wanted)
        {
            &mut self.shallower
        } else if is_alike(without_extension(name), without_extension(wanted)) {
            &mut self.extension
        } else {
            let starts = name.get(..wanted.len()).is_some_and(|start| is_alike(start, wanted));
            self.is_folder |= starts && name.get(wanted.len()).is_some_and(|byte| is_slash(*byte));
            self.add_nearest(name);
            return;
        };
        // of names that are equally long the last is of the highest layer
        if place.as_ref().is_none_or(|kept| name.len() <= kept.len()) {
            *place = Some(name.to_vec());
        }
    }

    fn add_nearest(&mut self, name: &[u8]) {
        /// How many names are suggested.
        const MOST: usize = 3;
        let Some(distance) = spelling::distance(&self.wanted, name) else { return };
        let found = (distance, name.to_vec());
        if let Err(place) = self.nearest.binary_search(&found) {
            self.nearest.insert(place, found);
            self.nearest.truncate(MOST);
        }
    }

    /// The causes, best first, of the names that the engine finds.
    fn because(self, stack: &SearchPath) -> impl Iterator<Item = MissingBecause<'_>> {
        let served = |name: Option<Vec<u8>>| stack.find(name?);
        let spelling = served(self.spelling).map(|file| {
            let hides = stack.rules().loose.case == LooseCase::ExactHidesOthers;
            if hides && file.entry().is_none() && stack.rules().archives.case != Case::Exact {
                MissingBecause::HiddenBySpelling { by: file }
            } else {
                MissingBecause::OtherSpelling { file }
            }
        });
        let deeper = served(self.deeper).map(|file| MissingBecause::Deeper { file });
        let shallower = served(self.shallower).map(|file| MissingBecause::Shallower { file });
        let folder = self.is_folder.then_some(MissingBecause::Folder);
        let extension = served(self.extension).map(|file| MissingBecause::OtherExtension { file });
        let files: Vec<_> = self.nearest.into_iter().filter_map(|(_, name)| stack.find(name)).collect();
        let nearest = (!files.is_empty()).then_some(MissingBecause::Nearest { files });
        [spelling, shallower, deeper, folder, extension, nearest].into_iter().flatten()
    }
}

/// Whether two names differ at most in case and in their slashes.
fn is_alike(a: &[u8], b: &[u8]) -> bool {
    let alike = |(a, b): (&u8, &u8)| a.eq_ignore_ascii_case(b) || (is_slash(*a) && is_slash(*b));
    a.len() == b.len() && a.iter().zip(b).all(alike)
}

fn is_slash(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

/// How long the first part of a name is.
fn first_part(name: &[u8]) -> usize {
    name.iter().position(|byte| is_slash(*byte)).unwrap_or(name.len())
}

/// A name up to the last dot of its last part.
fn without_extension(name: &[u8]) -> &[u8] {
    let dot = name.iter().rposition(|&byte| byte == b'.' || is_slash(byte));
    dot.filter(|dot| name.get(*dot) == Some(&b'.')).and_then(|dot| name.get(..dot)).unwrap_or(name)
}
