//! Where the files of a download go, why, and how it is started.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::disk::{Disk, FileKind, Moved};
use quakefs::rules::{Family, Text};
use quakefs::sentences::{counted, printable};
use quakefs::{Access, Error, Rules};

use super::download;
use super::nothing::Nothing;

/// How [`place`](super::place()) decides.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// The rules of the engine that will load the download. Its base game is used if the download does not
    /// show its family.
    pub engine: Option<&'a Rules>,
    /// The name of the game directory, instead of the name that is found.
    pub name: Option<&'a str>,
    /// The game directories that exist already. A folder of the download with such a name belongs there.
    pub directories: &'a [String],
    /// The number for a `.pak` that has no number in its name.
    pub pak: u32,
    /// Whether the ZIPs of a folder are [`downloads`](Placement::downloads) of their own.
    pub splits: bool,
}

/// Where the files of a download go, and how it is started.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Placement {
    /// The family of games that the download is for.
    pub family: Family,
    /// The parts that go somewhere. If it and `downloads` are empty, `nothing` tells why.
    pub parts: Vec<Part>,
    /// The files of all parts.
    pub files: Vec<Placed>,
    /// The files that stay in the download, such as a text beside the folder of a mod.
    pub left: Vec<String>,
    /// The ZIPs of a folder that are not placed with it, because each is a download of its own.
    pub downloads: Vec<Utf8PathBuf>,
    /// Why nothing is placed.
    pub nothing: Option<Nothing>,
    /// What is unclear or could not be read.
    pub notes: Vec<Note>,
    /// How to start each game directory of it.
    pub starts: Vec<Start>,
    /// The size of the download in bytes.
    pub(super) size: u64,
}

/// Files that go to one folder for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// The folder in the download, such as `progs_dump/pd/`; empty for the download itself.
    pub from: String,
    /// The folder below the base directory, such as `pd/`, or `id1/maps/` for levels.
    pub to: String,
    /// Why they go there.
    pub by: By,
    /// The number of files.
    pub files: usize,
    /// The game directory, if an option of the engine selects it.
    pub game: Option<String>,
}

/// The evidence for a place, the strongest first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum By {
    /// The caller named the game directory.
    Caller,
    /// A folder of the download holds files of a game.
    Folder,
    /// A text of the author names the game directory.
    Text {
        /// The line.
        line: String,
    },
    /// The base game is not there, and the archive has the files that each engine needs at its start: a
    /// guess. The caller of [`place`](super::place()) may also know this of other archives.
    Base,
    /// Levels, demos, or an archive with levels and no program, without a folder: they go into the base game.
    Levels,
    /// The names of its levels begin like the ones of a game that is there: a guess.
    LevelName {
        /// How they begin, such as `de_`.
        prefix: String,
        /// The full name of the game.
        game: String,
    },
    /// Only the file name of the download suggests it: a guess.
    Name,
}

impl By {
    /// A stable word: `as`, `folder`, `text`, `base`, `levels`, `level-name` or
    /// `name`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            By::Caller => "as",
            By::Folder => "folder",
            By::Text { .. } => "text",
            By::Base => "base",
            By::Levels => "levels",
            By::LevelName { .. } => "level-name",
            By::Name => "name",
        }
    }

    /// The evidence in words. With an `option`, they are for somebody who named the game directory with it,
    /// such as `--as`.
    #[must_use]
    pub fn sentence(&self, option: Option<&str>) -> String {
        match (self, option) {
            (By::Caller, Some(option)) => format!("as named by {option}"),
            (By::Caller, None) => "as named".to_owned(),
            (By::Folder, _) => "its own folder".to_owned(),
            (By::Text { line }, _) => format!("as its text says: {line}"),
            (By::Base, _) => "a guess: it is an archive of the base game".to_owned(),
            (By::Levels, _) => "where levels, demos and archives without a folder go".to_owned(),
            (By::LevelName { prefix, game }, _) => {
                format!("a guess: levels of {game} have names that begin with {prefix}")
            }
            (By::Name, _) => "a guess: no folder and no text names a place".to_owned(),
        }
    }

    /// The line of the author's text, if that is the evidence.
    #[must_use]
    pub fn line(&self) -> Option<&str> {
        match self {
            By::Text { line } => Some(line),
            _ => None,
        }
    }
}

/// A file and its place.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Placed {
    /// The path in the download. The path of a file in an archive inside begins with that archive's.
    pub from: String,
    /// The path below the base directory.
    pub to: String,
    /// The number of its part.
    pub part: usize,
    pub(super) disk: Arc<dyn Disk>,
    pub(super) on_disk: PathBuf,
}

/// The options that start a download.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Start {
    /// Mission flags without a dash: `quoth`.
    pub missions: Vec<String>,
    /// Game directories.
    pub games: Vec<String>,
    /// The level, such as `start`, if one is known.
    pub level: Option<String>,
    /// The file name of the demo, if there is one and no level.
    pub demo: Option<String>,
}

/// What is unclear about a download.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Note {
    /// Its texts name several game directories.
    SeveralNames {
        /// The names.
        names: Vec<String>,
    },
    /// It is for another family of games than the engine's.
    OtherFamily {
        /// The download's.
        family: Text,
        /// The engine.
        engine: String,
    },
    /// The name of a level begins like the ones of a game that is there, and it goes into the base game: a
    /// guess.
    LevelOf {
        /// The level.
        level: String,
        /// The full name of the game.
        game: String,
        /// Its directory.
        directory: String,
    },
    /// It starts with a game that is not in the base directory, and does not bring its program.
    NeedsGame {
        /// The game's full name, or else its directory.
        game: String,
        /// Its directory.
        directory: String,
    },
    /// An archive in the download was placed as if it were the download.
    Inside {
        /// Its path.
        archive: String,
    },
    /// An archive in the download cannot be opened.
    Unread {
        /// Its path.
        archive: String,
        /// Why.
        error: Error,
    },
    /// Files that cannot be decoded.
    Undecodable {
        /// The first of them.
        first: String,
        /// Why.
        error: Error,
        /// How many others there are.
        more: usize,
    },
    /// Files that stay in the download because they cannot be written.
    Unplaceable {
        /// The first of them.
        first: String,
        /// Why.
        reason: String,
        /// How many others there are.
        more: usize,
    },
    /// A name that is no plain word on an engine's command line, so no way to start it is given.
    NotPlain {
        /// The name of a level or of a game directory.
        name: String,
    },
    /// A path that the download has twice, or both as a file and as a folder.
    Twice {
        /// The path below the base directory.
        to: String,
    },
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(None))
    }
}

impl fmt::Display for Placement {
    /// Where the download goes, or why it goes nowhere.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(None))
    }
}

impl Placement {
    /// Where the download goes, or why it goes nowhere. With an `option`, the sentence is for somebody who
    /// named the game directory with it, such as `--over`.
    #[must_use]
    pub fn sentence(&self, option: Option<&str>) -> String {
        if let Some(nothing) = self.nothing {
            return format!("nothing of it goes into a game: {nothing}");
        }
        let mut parts: Vec<_> = (self.parts.iter())
            .map(|part| format!("{}, {}", printable(&part.to), part.by.sentence(option)))
            .collect();
        // archives of a collection go to one place
        parts.dedup();
        if parts.is_empty() {
            let downloads = counted(self.downloads.len() as u64, "download", "downloads");
            return format!("it has {downloads}, each to be placed by itself");
        }
        format!("placed in {}", parts.join("; "))
    }

    /// The placed files as a disk whose root is the base directory, for [`Overlay`](quakefs::disk::Overlay).
    #[must_use]
    pub fn disk(&self) -> Moved {
        let mut moved = Moved::default();
        for file in &self.files {
            // `place` keeps only files whose paths agree
            let _ = moved.insert(&file.to, &file.disk, &*file.on_disk);
        }
        moved
    }

    /// The files that exist already in a base directory, by their numbers, and whether each has the same
    /// content there.
    #[must_use]
    pub fn existing(&self, disk: &dyn Disk, base: &Utf8Path) -> Vec<(usize, bool)> {
        let exists = |(number, file): (usize, &Placed)| {
            let there = base.join(&file.to);
            let stat = match disk.stat(there.as_std_path()) {
                // a link that leads nowhere is no file, but takes its place
                Err(_) if disk.link_target(there.as_std_path()).is_some() => return Some((number, false)),
                stat => stat.ok()?,
            };
            Some((
                number,
                stat.kind == FileKind::File && is_same(&file.disk, &file.on_disk, disk, there.as_std_path()),
            ))
        };
        self.files.iter().enumerate().filter_map(exists).collect()
    }

    /// The number of files that cannot be placed, because of their names or because they are links.
    #[must_use]
    pub fn unplaceable(&self) -> usize {
        let notes = self.notes.iter().filter_map(|note| match note {
            Note::Unplaceable { more, .. } => Some(more + 1),
            _ => None,
        });
        notes.sum()
    }

    /// The first part whose place only a name suggests.
    #[must_use]
    pub fn guess(&self) -> Option<&Part> {
        self.parts.iter().find(|part| matches!(part.by, By::Name | By::LevelName { .. }))
    }
}

/// Whether two files have the same bytes. A file that cannot be read equals no other.
fn is_same(one: &dyn Disk, at: &Path, other: &dyn Disk, there: &Path) -> bool {
    let size = |disk: &dyn Disk, path| disk.stat(path).ok().map(|stat| stat.size);
    // before anything is decoded
    if size(one, at) != size(other, there) {
        return false;
    }
    let open = |disk: &dyn Disk, path| disk.open(path, Access::Read).ok();
    let (Some(one), Some(other)) = (open(one, at), open(other, there)) else { return false };
    let size = one.stat.size;
    let mut buffers = (Vec::new(), Vec::new());
    let mut start = 0;
    while size == other.stat.size && start < size {
        let end = size.min(start + BLOCK);
        let blocks = (
            download::block(&one, start..end, &mut buffers.0),
            download::block(&other, start..end, &mut buffers.1),
        );
        if !matches!(blocks, (Some(one), Some(other)) if one == other) {
            return false;
        }
        start = end;
    }
    size == other.stat.size
}

/// How many bytes are compared at a time.
const BLOCK: u64 = 1 << 20;

impl Placement {
    /// Leaves all files in the download.
    pub(super) fn go_nowhere(&mut self, nothing: Nothing) {
        let placed = std::mem::take(&mut self.files);
        self.left.extend(placed.into_iter().map(|file| file.from));
        (self.parts, self.starts) = (Vec::new(), Vec::new());
        self.nothing = Some(nothing);
    }

    /// Forgets a file of the download.
    fn take_out(&mut self, path: &str) {
        self.left.retain(|left| left != path);
        for file in self.files.extract_if(.., |file| file.from == path) {
            self.parts.get_mut(file.part).into_iter().for_each(|part| part.files -= 1);
        }
    }

    /// Adds the placement of an archive in the download.
    pub(super) fn add(&mut self, inner: Placement, archive: &str) {
        let within = |path: &str| format!("{archive}/{path}");
        if self.parts.is_empty() {
            self.family = inner.family;
        }
        // what was unpacked is not placed as a file too
        self.take_out(archive);
        let taken: HashSet<_> = self.files.iter().map(|file| file.to.to_ascii_lowercase()).collect();
        let is_taken = |file: &Placed| taken.contains(&file.to.to_ascii_lowercase());
        let (twice, mut files): (Vec<_>, Vec<_>) = inner.files.into_iter().partition(is_taken);
        for file in twice {
            self.left.push(within(&file.from));
            self.notes.push(Note::Twice { to: file.to });
        }
        for (number, part) in inner.parts.into_iter().enumerate() {
            let of_part = files.extract_if(.., |file| file.part == number);
            let (part_number, from) = (self.parts.len(), within(&part.from));
            let before = self.files.len();
            self.files.extend(of_part.map(|file| Placed {
                from: within(&file.from),
                part: part_number,
                ..file
            }));
            let files = self.files.len() - before;
            if files > 0 {
                self.parts.push(Part { from, files, ..part });
            }
        }
        self.left.extend(inner.left.iter().map(|path| within(path)));
        self.notes.push(Note::Inside { archive: archive.to_owned() });
        self.notes.extend(inner.notes);
        self.starts.extend(inner.starts);
    }
}

impl Start {
    /// The words for an engine's command line: `-hipnotic -game mymod +map start`.
    #[must_use]
    pub fn words(&self, family: &Family) -> Vec<String> {
        let missions = self.missions.iter().map(|flag| format!("-{flag}"));
        let option = family.engine().rules().directories.game_option.iter().map(ToString::to_string);
        let games = self.games.iter().flat_map(|game| option.clone().chain([game.clone()]));
        let level = self.level.iter().flat_map(|level| ["+map".to_owned(), level.clone()]);
        let demo = self.demo.iter().flat_map(|demo| [format!("+{}", family.plays), demo.clone()]);
        missions.chain(games).chain(level).chain(demo).collect()
    }
}

impl Note {
    /// Whether it only tells how the download was read.
    #[must_use]
    pub const fn is_remark(&self) -> bool {
        matches!(self, Note::Inside { .. } | Note::SeveralNames { .. } | Note::LevelOf { .. })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::SeveralNames { names } => {
                write!(f, "its texts name several game directories: {}", printable(&names.join(", ")))
            }
            Note::OtherFamily { family, engine } => {
                write!(f, "it is for {family}, and {engine} is an engine of another game")
            }
            Note::LevelOf { level, game, directory } => write!(
                f,
                "{} is named like a level of {game}, so the start line names {directory} (a guess); \
                    every game also finds the files of the base game",
                printable(level)
            ),
            Note::NeedsGame { game, directory } => {
                let (game, directory) = (printable(game), printable(directory));
                write!(
                    f,
                    "it needs {game}, whose folder {directory}/ is not in the base directory: get that first"
                )
            }
            Note::Inside { archive } => {
                write!(f, "{} is an archive in the archive, and was unpacked too", printable(archive))
            }
            Note::Unread { archive, error } => {
                write!(f, "{}: not opened: {}", printable(archive), error.reason())
            }
            Note::Undecodable { first, error, more: 0 } => {
                write!(f, "{}: {}", printable(first), error.reason())
            }
            Note::Undecodable { first, error, more } => {
                let more = counted(*more as u64, "other file", "other files");
                write!(f, "{}: {}; and so of {more}", printable(first), error.reason())
            }
            Note::Unplaceable { first, reason, more: 0 } => {
                write!(f, "{}: not placed: {reason}", printable(first))
            }
            Note::Unplaceable { first, reason, more } => {
                let more = counted(*more as u64, "other file", "other files");
                write!(f, "{}: not placed: {reason}; nor {more}", printable(first))
            }
            Note::NotPlain { name } => {
                let name = printable(name);
                write!(f, "an engine may run the name {name} as commands, so nothing starts it: rename it")
            }
            Note::Twice { to } => write!(f, "two files would be {}: the first was taken", printable(to)),
        }
    }
}
