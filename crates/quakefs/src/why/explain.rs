//! Why a copy wins, or why a name is not found.

use std::fmt;

use crate::content::ContentType;
use crate::findings::{FindingKind, Location, Precedence};
use crate::pak_format::{EntryNameBuf, NameFault};
use crate::rules::spelling::Comparisons;
use crate::rules::{Case, LooseCase, QPath, RequestError, Text};
use crate::search_path::near::Candidate;
use crate::search_path::{CompanionCopy, Hidden, OtherGame};
use crate::{EntryName, File, Finding, SearchPath};

use crate::why::companion::companion_of;
use crate::why::hidden::hidden_archives;
use crate::why::precedence::precedence;
use crate::why::skipped::{SkippedCopy, beside, skipped_archives};

/// Why one copy of a name wins, or why the engine finds none.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "nobody keeps many of them")]
pub enum Explanation<'a> {
    /// The engine finds the name.
    #[non_exhaustive]
    Served {
        /// The copy that it loads.
        winner: File<'a>,
        /// The overridden copies, highest first, each with the rule that ranks the winner above it.
        overridden: Vec<(File<'a>, Precedence)>,
        /// Whether the engine may load another copy, because it goes by the order in which the disk lists the
        /// archives of a folder, and quakefs by their names. [`FindingKind::DiskOrder`] names the archives.
        disk_decides: bool,
        /// Copies that the engine does not look at: those in skipped archives, and a loose file above the
        /// winner whose name differs in case, such as `PROGS.DAT` of a mod.
        /// [`copies_elsewhere`](super::copies_elsewhere) finds more.
        skipped: Vec<SkippedCopy<'a>>,
        /// For a file beside a level: the level, and whether the engine loads the file for it.
        companion: Option<(EntryNameBuf, CompanionCopy<'a>)>,
    },
    /// The engine does not find the name.
    Missing(Missing<'a>),
}

/// Prints the winner and each overridden copy on a line, or why the name is missing.
impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// `id1/pak0.pak (entry 3, 812 bytes)`.
        fn copy(file: &File<'_>) -> String {
            let entry = file.entry().map_or_else(String::new, |entry| format!("entry {entry}, "));
            format!("{} ({entry}{} bytes)", file.layer().name(), file.size())
        }
        match self {
            Explanation::Served { winner, overridden, .. } => {
                write!(f, "{}: {}", winner.name(), copy(winner))?;
                overridden.iter().try_for_each(|(overridden, rule)| {
                    write!(f, "\n  overrides {}: {}", copy(overridden), rule)
                })
            }
            Explanation::Missing(missing) => missing.fmt(f),
        }
    }
}

/// A missing name, and the probable reasons. `Display` prints the most likely one; `help()` suggests a
/// remedy.
#[derive(Clone)]
#[non_exhaustive]
pub struct Missing<'a> {
    /// The requested name.
    pub name: EntryNameBuf,
    /// The engine that does not find it.
    pub engine: Text,
    /// A stable word for the most likely cause, for programs: `refused`, `skipped`; `not-there` if none is
    /// known.
    pub cause: &'static str,
    /// A file that the engine would load and that was probably meant.
    pub nearest_file: Option<File<'a>>,
    /// The causes, the most likely first; empty if nothing like the name is known.
    pub(super) reasons: Vec<Reason<'a>>,
}

impl<'a> Missing<'a> {
    /// Whether anything is known of why it is missing: a similar name, a copy that the engine does not find.
    #[must_use]
    pub fn is_explained(&self) -> bool {
        !self.reasons.is_empty()
    }

    fn new(search_path: &SearchPath, name: &[u8], reasons: Vec<Reason<'a>>) -> Self {
        let first = reasons.first();
        Missing {
            name: name.into(),
            engine: search_path.rules().name.clone(),
            cause: first.map_or("not-there", Reason::name),
            nearest_file: first.and_then(Reason::file).cloned(),
            reasons,
        }
    }
}

/// Prints every reason, the most likely first.
impl fmt::Debug for Missing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Missing({}", self.name.as_name())?;
        self.reasons.iter().try_for_each(|reason| write!(f, "; {reason:?}"))?;
        f.write_str(")")
    }
}

impl fmt::Debug for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Refused(_) => f.write_str("refused"),
            Reason::NoFile(_) => f.write_str("no file"),
            Reason::TooDeep { archive, .. } => write!(f, "too deep {archive}"),
            Reason::BrokenLink { at, .. } => write!(f, "broken link {at}"),
            Reason::OtherSpelling { by } => write!(f, "other spelling {}", by.location()),
            Reason::GameDirectory { game, .. } => write!(f, "game directory {}", game.directory),
            Reason::Folder => f.write_str("folder"),
            Reason::Nearest { files } => {
                f.write_str("nearest")?;
                files.iter().try_for_each(|file| write!(f, " {}", file.name()))
            }
            Reason::Elsewhere { at, name } => {
                match at {
                    Match::Served(_) => {}
                    Match::Skipped { entry, .. } => write!(f, "skipped {} ", entry.layer_name())?,
                    Match::OtherGame { game, .. } => write!(f, "in {} ", game.directory)?,
                }
                f.write_str(match name.folders {
                    Depth::Deeper => "deeper ",
                    Depth::Shallower => "shallower ",
                    Depth::Same => "",
                })?;
                f.write_str(if name.spelling { "spelling " } else { "" })?;
                f.write_str(if name.extension { "extension " } else { "" })?;
                write!(f, "{}", at.stored())
            }
        }
    }
}

impl<'a> Reason<'a> {
    /// The file that was probably meant, if the engine would load it.
    #[must_use]
    pub(super) fn file(&self) -> Option<&File<'a>> {
        match self {
            Reason::OtherSpelling { by: file } | Reason::Elsewhere { at: Match::Served(file), .. } => {
                Some(file)
            }
            Reason::Nearest { files } => files.first(),
            _ => None,
        }
    }

    /// A stable word for the reason, for programs. A skipped archive or another game takes precedence over a
    /// different folder, and that over a different spelling.
    #[must_use]
    pub(super) fn name(&self) -> &'static str {
        match self {
            Reason::Refused(_) => "refused",
            Reason::NoFile(_) => "no-file",
            Reason::Elsewhere { at: Match::Skipped { .. }, .. } => "skipped",
            Reason::Elsewhere { at: Match::OtherGame { .. }, .. } | Reason::GameDirectory { .. } => {
                "other-game"
            }
            Reason::Elsewhere { name, .. } => match name.folders {
                Depth::Deeper => "deeper",
                Depth::Shallower => "shallower",
                Depth::Same if name.extension => "other-extension",
                Depth::Same => "other-spelling",
            },
            Reason::OtherSpelling { .. } => "other-spelling",
            Reason::TooDeep { .. } => "too-deep",
            Reason::BrokenLink { .. } => "broken-link",
            Reason::Folder => "folder",
            Reason::Nearest { .. } => "nearest",
        }
    }
}

/// Why a name is not found.
#[derive(Clone)]
pub(super) enum Reason<'a> {
    /// The engine refuses such a request.
    Refused(RequestError),
    /// The system does not allow a file of this name, and no archive has it.
    NoFile(NameFault),
    /// An archive inside a subfolder or inside another archive has the name: a download that was unpacked one
    /// folder too deep.
    TooDeep {
        /// The archive, named like a layer.
        archive: String,
        /// The folder or archive that contains it, named like a layer.
        folder: String,
        /// The game directory.
        directory: String,
    },
    /// A game directory has a link of this name that leads nowhere.
    BrokenLink {
        /// The link, named like a layer.
        at: String,
        /// Where it leads, as it is written in the link.
        target: String,
    },
    /// A loose file whose name differs only in case overrides every lower copy.
    OtherSpelling {
        /// The loose file.
        by: File<'a>,
    },
    /// The file that was probably meant exists, but under a different name, in a place that the engine does
    /// not search, or both.
    Elsewhere {
        /// Where it is.
        at: Match<'a>,
        /// How its name differs from the requested name.
        name: Differs,
    },
    /// The name begins with the directory of another game.
    GameDirectory {
        /// The game.
        game: &'a OtherGame,
        /// The rest of the name.
        name: EntryNameBuf,
    },
    /// The name is a folder of the merged tree.
    Folder,
    /// Files with a similar spelling exist.
    Nearest {
        /// At most three files, the most similar first.
        files: Vec<File<'a>>,
    },
}

/// The place of a file that was probably meant.
#[derive(Clone)]
pub(super) enum Match<'a> {
    /// The engine would load it by its exact name.
    Served(File<'a>),
    /// It is in an archive that the engine skips.
    Skipped {
        /// The entry.
        entry: Location,
        /// Why the engine skips the archive.
        finding: &'a Finding,
    },
    /// It is in another game.
    OtherGame {
        /// The game.
        game: &'a OtherGame,
        /// The file.
        file: File<'a>,
    },
}

impl Match<'_> {
    /// The layer of the file, or the skipped archive, named like a layer.
    #[must_use]
    pub(super) fn layer(&self) -> &str {
        match self {
            Match::Served(file) | Match::OtherGame { file, .. } => file.layer().name(),
            Match::Skipped { entry, .. } => entry.layer_name(),
        }
    }

    /// Where it is.
    #[must_use]
    pub(super) fn location(&self) -> Location {
        match self {
            Match::Served(file) | Match::OtherGame { file, .. } => file.location(),
            Match::Skipped { entry, .. } => entry.clone(),
        }
    }

    /// The stored name of the file.
    #[must_use]
    pub(super) fn stored(&self) -> EntryName<'_> {
        match self {
            Match::Served(file) | Match::OtherGame { file, .. } => file.stored(),
            Match::Skipped { entry, .. } => entry.name().unwrap_or(EntryName::from_bytes(b"")),
        }
    }

    /// Whether the file is an entry of an archive.
    #[must_use]
    pub(super) fn is_entry(&self) -> bool {
        match self {
            Match::Served(file) | Match::OtherGame { file, .. } => file.entry().is_some(),
            Match::Skipped { .. } => true,
        }
    }
}

/// The differences between a file's name and the requested name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Differs {
    /// Whether one name has an extra folder at its front.
    pub folders: Depth,
    /// Whether they differ in `/` and `\`, or in case if the engine compares case.
    pub spelling: bool,
    /// Whether their extensions differ, or one has none.
    pub extension: bool,
}

/// The folders of a file's name, compared with the requested name. The most likely comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Depth {
    /// The same folders.
    #[default]
    Same,
    /// The first folder is missing: the request probably began with the game directory, which names do not
    /// include.
    Shallower,
    /// Extra folders in front, as in an archive that was packed one folder too deep.
    Deeper,
}

/// Explains which copy of a name the engine loads and why, or why it finds none.
///
/// If the name is found, this costs a little more than [`SearchPath::copies`]: it also lists the folders
/// above the winner, and reads the level that a companion belongs to.
///
/// If the name is missing, this opens the skipped archives, compares the name with those in all archives, and
/// lists a few folders. The first missing name also opens the archives of the other games in the same base
/// directories.
#[must_use]
pub fn explain(search_path: &SearchPath, name: impl AsRef<[u8]>) -> Explanation<'_> {
    of_name(search_path, name.as_ref())
}

fn of_name<'s>(search_path: &'s SearchPath, name: &[u8]) -> Explanation<'s> {
    let mut copies = search_path.copies(name).into_iter();
    if let Some(winner) = copies.next() {
        let overridden = copies.map(|copy| (precedence(search_path, &winner, &copy), copy));
        return Explanation::Served {
            overridden: overridden.map(|(rule, copy)| (copy, rule)).collect(),
            disk_decides: disk_decides(search_path, &winner),
            skipped: beside(search_path, &winner),
            companion: companion_of(search_path, name),
            winner,
        };
    }
    if let Err(refused) = QPath::new(name, &search_path.rules().requests) {
        return Explanation::Missing(Missing::new(search_path, name, vec![Reason::Refused(refused)]));
    }
    if search_path.rules().requests.host.name_on_disk(name).is_none()
        && let Err(fault) = EntryName::from_bytes(name.strip_suffix(b"/").unwrap_or(name)).to_windows_path()
    {
        return Explanation::Missing(Missing::new(search_path, name, vec![Reason::NoFile(fault)]));
    }
    let mut wanted = Wanted::new(name);
    search_path.candidates(&wanted.name.clone(), |near| wanted.add(&near));
    let mut because = in_left_out(search_path, &wanted.name);
    because.extend(too_deep(search_path, &wanted.name));
    because.extend(broken_link(search_path, &wanted.name));
    because.extend(in_other_games(search_path, &wanted.name));
    because.extend(wanted.because(search_path));
    because.sort_by_key(Reason::rank);
    Explanation::Missing(Missing::new(search_path, name, because))
}

/// Whether the engine may load another copy, because it goes by the order in which the disk lists the
/// archives of a folder.
fn disk_decides(search_path: &SearchPath, served: &File<'_>) -> bool {
    let layer = served.layer();
    let mut others = search_path.findings().filter_map(|finding| match &finding.kind {
        FindingKind::DiskOrder { other } if layer.contains(&finding.location) => {
            Some(Location::layer(&**other))
        }
        FindingKind::DiskOrder { other } if layer.contains(&Location::layer(&**other)) => {
            Some(finding.location.clone())
        }
        _ => None,
    });
    others.any(|other| {
        // of two archives whose names differ only in case, the engine loads one
        !search_path.layers().any(|layer| layer.contains(&other))
            || search_path.copies(served.name()).iter().any(|copy| copy.layer().contains(&other))
    })
}

/// The most similar entry of each skipped archive.
fn in_left_out<'s>(search_path: &'s SearchPath, wanted: &[u8]) -> Vec<Reason<'s>> {
    let case = search_path.rules().archives.case;
    let found = skipped_archives(search_path).filter_map(|(layer, finding, archive)| {
        let alike = archive.entries().filter_map(|entry| {
            let name = Differs::of(entry.name().as_bytes(), wanted, case)?;
            (!name.extension).then(|| (entry.index(), entry.name(), name))
        });
        let (index, stored, name) =
            alike.min_by_key(|(_, stored, name)| (name.count(), stored.as_bytes().len()))?;
        let entry = Location::of_entry(layer, index, stored);
        Some(Reason::Elsewhere { at: Match::Skipped { entry, finding }, name })
    });
    found.collect()
}

/// The highest loose file of this name that is a link to nothing.
fn broken_link<'s>(search_path: &'s SearchPath, name: &[u8]) -> Option<Reason<'s>> {
    let name = std::str::from_utf8(name).ok()?;
    search_path.layers().rev().filter(|layer| layer.archive().is_none()).find_map(|layer| {
        let path = layer.system_path()?.join(name);
        let target = crate::disk::broken_link(search_path.disk(), path.as_std_path())?;
        Some(Reason::BrokenLink { at: format!("{}{name}", layer.name()), target })
    })
}

/// The first archive with the name where the engine does not look: in a direct subfolder of a game directory,
/// or inside another archive.
pub(super) fn too_deep<'s>(search_path: &'s SearchPath, name: &[u8]) -> Option<Reason<'s>> {
    let name = search_path.rules().archives.case.fold(name);
    let found = hidden_archives(search_path).iter().find(|hidden| hidden.names.contains(&name))?;
    let Hidden { archive, folder, directory, .. } = found;
    let [archive, folder, directory] = [archive, folder, directory].map(String::clone);
    Some(Reason::TooDeep { archive, folder, directory })
}

/// How the engine compares the name of a file.
pub(crate) fn case_of(file: &File<'_>, search_path: &SearchPath) -> Case {
    match file.entry() {
        Some(_) => search_path.rules().archives.case,
        None if search_path.loose().case.is_ignored() => Case::Ignored,
        None => Case::Exact,
    }
}

/// Files of this name in other games. The name may begin with the directory of the other game.
pub(super) fn in_other_games<'s>(
    search_path: &'s SearchPath,
    wanted: &[u8],
) -> impl Iterator<Item = Reason<'s>> {
    search_path.other_games().iter().filter_map(|game| {
        let elsewhere = |file, folders| {
            let name = Differs { folders, ..Differs::default() };
            Reason::Elsewhere { at: Match::OtherGame { game, file }, name }
        };
        let found = |name: &[u8]| game.search_path.find(name);
        if let Some(file) = found(wanted) {
            return Some(elsewhere(file, Depth::Same));
        }
        let (first, rest) = wanted.split_at_checked(first_part(wanted))?;
        let (_, rest) = rest.split_first()?;
        if !first.eq_ignore_ascii_case(game.directory.as_bytes()) {
            return None;
        }
        let below = found(rest).map(|file| elsewhere(file, Depth::Shallower));
        Some(below.unwrap_or_else(|| Reason::GameDirectory { game, name: rest.into() }))
    })
}

impl Reason<'_> {
    /// How likely the reason is; the lowest rank is the most likely.
    fn rank(&self) -> (u8, usize) {
        match self {
            Reason::Refused(_) | Reason::NoFile(_) => (0, 0),
            Reason::Elsewhere { at: Match::Skipped { .. }, name } => {
                (if name.count() == 0 { 1 } else { 3 }, name.count())
            }
            Reason::BrokenLink { .. } => (1, 0),
            Reason::TooDeep { .. } => (1, 1),
            Reason::OtherSpelling { .. } => (2, 0),
            Reason::Elsewhere { at: Match::Served(_), name } if name.extension => (6, 0),
            Reason::Elsewhere { at: Match::Served(_), name } => (2, name.folders as usize),
            Reason::Elsewhere { at: Match::OtherGame { .. }, name } if name.folders == Depth::Shallower => {
                (1, 2)
            }
            Reason::GameDirectory { .. } => (1, 3),
            Reason::Elsewhere { at: Match::OtherGame { .. }, name } => (4, name.count()),
            Reason::Folder => (5, 0),
            Reason::Nearest { .. } => (7, 0),
        }
    }
}

impl Differs {
    /// How a name differs from the wanted name. Returns `None` if the two do not resemble each other.
    fn of(name: &[u8], wanted: &[u8], case: Case) -> Option<Differs> {
        let below = |below: &[u8], name: &[u8]| {
            let end =
                name.len().checked_sub(below.len() + 1).and_then(|start| name.get(start..)?.split_first());
            end.is_some_and(|(slash, end)| is_slash(*slash) && is_alike(end, below))
        };
        let (folders, extension) = if is_alike(name, wanted) {
            (Depth::Same, false)
        } else if below(wanted, name) {
            (Depth::Deeper, false)
        } else if !name.is_empty()
            && below(name, wanted)
            && wanted.len() - name.len() - 1 == first_part(wanted)
        {
            (Depth::Shallower, false)
        } else if has_stem(name, without_extension(wanted)) {
            (Depth::Same, true)
        } else {
            return None;
        };
        // the longer name ends with the other
        let (a, b) = if extension {
            (without_extension(name), without_extension(wanted))
        } else {
            let shared = name.len().min(wanted.len());
            (name.get(name.len() - shared..)?, wanted.get(wanted.len() - shared..)?)
        };
        Some(Differs { folders, spelling: case.fold(a) != case.fold(b), extension })
    }

    /// The number of differences.
    fn count(self) -> usize {
        usize::from(self.folders != Depth::Same) + usize::from(self.spelling) + usize::from(self.extension)
    }
}

/// A missing name, and the names that may have been meant: for each kind of difference the shortest.
struct Wanted {
    /// The name with `/` between its parts, and no empty ones.
    name: Vec<u8>,
    spelling: Option<Vec<u8>>,
    deeper: Option<Vec<u8>>,
    shallower: Option<Vec<u8>>,
    extension: Option<Vec<u8>>,
    is_folder: bool,
    /// The most similar names with their edit distances, the nearest first.
    nearest: Vec<(usize, Vec<u8>)>,
    compared: Comparisons,
}

impl Wanted {
    fn new(name: &[u8]) -> Self {
        let parts = name.split(|byte| is_slash(*byte)).filter(|part| !part.is_empty() && *part != b".");
        let name = parts.collect::<Vec<_>>().join(&b'/');
        let (spelling, deeper, shallower, extension) = (None, None, None, None);
        Wanted {
            name,
            spelling,
            deeper,
            shallower,
            extension,
            is_folder: false,
            nearest: Vec::new(),
            compared: Comparisons::default(),
        }
    }

    fn add(&mut self, near: &Candidate<'_>) {
        let wanted = &*self.name;
        let name = match near {
            Candidate::File(name) => *name,
            Candidate::Folder(name) => {
                self.is_folder |= is_alike(name, wanted);
                return;
            }
        };
        let place = match Differs::of(name, wanted, Case::Exact) {
            // the picture of a model often has its name
            Some(Differs { extension: true, .. })
                if is_shape_of(name, wanted) || is_shape_of(wanted, name) =>
            {
                return;
            }
            Some(Differs { extension: true, .. }) => &mut self.extension,
            Some(Differs { folders: Depth::Deeper, .. }) => &mut self.deeper,
            Some(Differs { folders: Depth::Shallower, .. }) => &mut self.shallower,
            Some(_) => &mut self.spelling,
            None => {
                let starts = name.get(..wanted.len()).is_some_and(|start| is_alike(start, wanted));
                self.is_folder |= starts && name.get(wanted.len()).is_some_and(|byte| is_slash(*byte));
                self.add_nearest(name);
                return;
            }
        };
        // if two names are equally long, the later one is in the higher layer
        if place.as_ref().is_none_or(|kept| name.len() <= kept.len()) {
            *place = Some(name.to_vec());
        }
    }

    fn add_nearest(&mut self, name: &[u8]) {
        /// How many names are suggested at most.
        const MOST: usize = 3;
        let Some(distance) = self.compared.distance(&self.name, name) else { return };
        let found = (distance, name.to_vec());
        if let Err(place) = self.nearest.binary_search(&found) {
            self.nearest.insert(place, found);
            self.nearest.truncate(MOST);
        }
    }

    /// The reasons that follow from similar names that the engine finds.
    fn because(self, search_path: &SearchPath) -> Vec<Reason<'_>> {
        let rules = search_path.rules();
        let served = |name: &Vec<u8>| {
            let file = search_path.find(name)?;
            let mut name = Differs::of(name, &self.name, case_of(&file, search_path))?;
            let is_same = name.folders == Depth::Same && !name.extension;
            let hides = search_path.loose().case == LooseCase::ExactHidesOthers;
            if is_same && hides && file.entry().is_none() && rules.archives.case != Case::Exact {
                return Some(Reason::OtherSpelling { by: file });
            }
            // a name that is not found must differ in spelling
            name.spelling |= is_same;
            Some(Reason::Elsewhere { at: Match::Served(file), name })
        };
        let names = [&self.spelling, &self.shallower, &self.deeper, &self.extension];
        let mut because: Vec<_> = names.into_iter().flatten().filter_map(served).collect();
        because.extend(self.is_folder.then_some(Reason::Folder));
        let files: Vec<_> = self.nearest.iter().filter_map(|(_, name)| search_path.find(name)).collect();
        because.extend((!files.is_empty()).then_some(Reason::Nearest { files }));
        because
    }
}

/// Whether one name is that of a model or a sprite, and the other that of a picture.
fn is_shape_of(name: &[u8], picture: &[u8]) -> bool {
    use ContentType::{Lump, Model, Sprite, Texture};
    matches!(ContentType::of(name), Model | Sprite) && matches!(ContentType::of(picture), Lump | Texture)
}

/// Whether two names are equal apart from case and slashes.
fn is_alike(a: &[u8], b: &[u8]) -> bool {
    let alike = |(a, b): (&u8, &u8)| a.eq_ignore_ascii_case(b) || (is_slash(*a) && is_slash(*b));
    a.len() == b.len() && a.iter().zip(b).all(alike)
}

pub(super) fn is_slash(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

/// The length of the first part of a name.
fn first_part(name: &[u8]) -> usize {
    name.iter().position(|byte| is_slash(*byte)).unwrap_or(name.len())
}

/// Whether a name without its extension is this stem.
fn has_stem(name: &[u8], stem: &[u8]) -> bool {
    // most names differ from their first bytes on
    name.get(..stem.len()).is_some_and(|start| is_alike(start, stem))
        && without_extension(name).len() == stem.len()
}

/// A name without the extension of its last part.
fn without_extension(name: &[u8]) -> &[u8] {
    let dot = name.iter().rposition(|&byte| byte == b'.' || is_slash(byte));
    dot.filter(|dot| name.get(*dot) == Some(&b'.')).and_then(|dot| name.get(..dot)).unwrap_or(name)
}
