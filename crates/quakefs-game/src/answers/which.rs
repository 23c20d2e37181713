//! Which copy wins and why, or why a name is missing.

use std::cell::OnceCell;
use std::fmt;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use quakefs::content::ContentType;
use quakefs::disk::FileKind;
use quakefs::findings::Precedence;
use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::ArchiveKind;
use quakefs::sentences::{Help as _, Shell, counted};
use quakefs::why::{Explanation, Missing, SkippedCopy, check_file, copies_elsewhere, explain, taken};
use quakefs::{EntryName, Layer};
use quakefs_installed::{Misplaced, misplaced};
use serde::Serialize;

use super::companions::CompanionRow;
use super::finding::{AdviceRow, FindingRow, Problem, is_taken, steps};
use super::list::FileRow;
use super::text;
use crate::game::Game;
use quakefs::findings::Advice;

/// Which copy of a name wins and which ones it overrides, or why none is found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WhichRow {
    /// The name.
    pub name: String,
    /// Whether the engine finds a file.
    pub found: bool,
    /// The winner. In JSON its keys are those of this row.
    #[serde(flatten, serialize_with = "super::list::location")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<super::list::Location<'static>>"))]
    pub file: Option<FileRow>,
    /// The overridden copies, the highest first.
    pub overridden: Vec<CopyRow>,
    /// Why the winner cannot be read, or why the engine stops on it.
    pub problem: Option<FindingRow>,
    /// Whether the winner depends on the order in which the disk lists the archives.
    pub disk_decides: bool,
    /// Copies that the engine does not look at, the most relevant first.
    pub skipped: Vec<SkippedRow>,
    /// For a file beside a level: whether the engine loads it.
    pub companion: Option<CompanionRow>,
    /// Why no file is found, a word that stays the same in all versions, such as `skipped`; null if one is
    /// found.
    pub because: Option<&'static str>,
    /// The same as a sentence.
    pub reason: Option<String>,
    /// What to do if no file is found.
    pub help: Option<String>,
    /// The same as steps that a program can carry out; empty if only a person can.
    pub advice: Vec<AdviceRow>,
}

/// An overridden copy.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CopyRow {
    /// The copy. In JSON its keys are those of this row.
    #[serde(flatten)]
    pub file: FileRow,
    /// The rule that ranks the winner above it, a word that stays the same in all versions.
    pub because: &'static str,
    /// The same as a sentence.
    pub rule: String,
}

/// A copy that the engine does not look at.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SkippedRow {
    /// The name.
    pub name: String,
    /// Where it is.
    pub location: String,
    /// The archive or the folder.
    pub layer: String,
    /// Why, a word that stays the same in all versions: `skipped`, `other-case`, `too-deep`, `other-game`.
    pub because: &'static str,
    /// The same as a sentence.
    pub reason: String,
    /// What to do.
    pub help: Option<String>,
    /// The same as steps that a program can carry out; empty if only a person can.
    pub advice: Vec<AdviceRow>,
}

/// `mymod/pak2.pak: entry 0 (maps/start.bsp): pak1.pak is missing`.
impl fmt::Display for SkippedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.reason)
    }
}

/// `id1/pak0.pak (entry 3, 812 bytes): pak1.pak loads after pak0.pak, by number`.
impl fmt::Display for CopyRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file.place(&self.file.name), self.rule)
    }
}

/// The winner and each overridden copy on a line, or why the name is missing.
impl fmt::Display for WhichRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(file) = &self.file else { return f.write_str(self.reason.as_deref().unwrap_or_default()) };
        write!(f, "{}: {}", file.name, file.place(&self.name))?;
        self.overridden.iter().try_for_each(|copy| write!(f, "\n  overrides {copy}"))?;
        self.skipped.iter().try_for_each(|copy| write!(f, "\n  skips {copy}"))
    }
}

impl FileRow {
    /// `id1/pak0.pak (entry 3, 812 bytes)`, with the stored name if it differs from the one asked for.
    #[must_use]
    pub fn place(&self, asked: &str) -> String {
        let stored = if self.stored == asked { String::new() } else { format!("as {}, ", self.stored) };
        let entry = self.entry.map_or_else(String::new, |entry| format!("entry {entry}, "));
        format!("{} ({stored}{entry}{})", self.layer, counted(self.size, "byte", "bytes"))
    }
}

/// Why a name is not found: the stable word, the sentence, the advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    pub(crate) because: &'static str,
    pub(crate) reason: String,
    pub(crate) help: Option<String>,
    pub(crate) advice: Vec<AdviceRow>,
}

/// The causes that are nearer than a folder where the engine does not look: they name the move themselves, or
/// a file that the engine has.
const NEARER: [&str; 3] = ["deeper", "shallower", "other-spelling"];

/// A path without `.` and `..`, by its words alone. Its parts never leave a folder.
#[must_use]
pub fn plain(path: &Utf8Path) -> Utf8PathBuf {
    let mut plain = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

impl Game {
    /// Which copy of a name wins and why, or why the name is missing.
    #[must_use]
    pub fn which(&self, name: impl AsRef<[u8]>) -> WhichRow {
        self.which_of(name, true, &OnceCell::new())
    }

    /// Like [`which`](Self::which) for many names. Without `all`, copies are not looked for in folders that
    /// the engine does not search and in other games. `known` keeps the misplaced files of the game from one
    /// name to the next.
    #[must_use]
    pub fn which_of(&self, name: impl AsRef<[u8]>, all: bool, known: &OnceCell<Vec<Misplaced>>) -> WhichRow {
        let name = name.as_ref();
        let asked = EntryName::from_bytes(name);
        let mut row = WhichRow {
            name: text(asked),
            found: false,
            file: None,
            overridden: Vec::new(),
            problem: None,
            disk_decides: false,
            skipped: Vec::new(),
            companion: None,
            because: None,
            reason: None,
            help: None,
            advice: Vec::new(),
        };
        match explain(&self.search_path, name) {
            Explanation::Missing(missing) => {
                let Cause { because, reason, help, advice } = self.cause(&missing, known);
                (row.because, row.reason, row.help, row.advice) = (Some(because), Some(reason), help, advice);
            }
            Explanation::Served { winner, overridden, disk_decides, skipped, companion, .. } => {
                row.found = true;
                let problem = check_file(&self.search_path, &winner);
                row.problem = problem.map(|finding| Problem::from(finding).row(self.shell()));
                row.file = Some(FileRow::from(&winner));
                row.overridden = overridden
                    .iter()
                    .map(|(copy, rule)| CopyRow {
                        file: FileRow::from(copy),
                        because: rule.name(),
                        rule: match (rule, self.shell()) {
                            (Precedence::Pushed, Some(_)) => "it was added with --mount".to_owned(),
                            (rule, _) => rule.to_string(),
                        },
                    })
                    .collect();
                row.disk_decides = disk_decides;
                let elsewhere = if all { copies_elsewhere(&self.search_path, name) } else { Vec::new() };
                let skipped = skipped.iter().chain(&elsewhere);
                row.skipped = skipped.map(|copy| self.skipped_row(copy)).collect();
                let of: Option<(EntryNameBuf, _)> = companion;
                row.companion = of.map(|(level, copy)| CompanionRow::new(level.as_name(), &copy));
            }
        }
        row
    }

    /// A skipped copy as a row.
    #[must_use]
    pub fn skipped_row(&self, copy: &SkippedCopy<'_>) -> SkippedRow {
        SkippedRow {
            name: text(copy.name.as_name()),
            location: copy.location.to_string(),
            layer: copy.location.layer_name().to_owned(),
            because: copy.because.name(),
            reason: copy.because.to_string(),
            help: copy.help(self.shell()),
            advice: steps(&copy.advice()),
        }
    }

    /// The answer for a name that a listing does not have, always with a reason.
    #[must_use]
    pub fn not_listed(&self, name: &[u8]) -> WhichRow {
        let mut row = self.which(name);
        if row.reason.is_none() {
            // archives are not listed among the files of the game
            let (reason, help) = if let Some(cause) = self.archive_asked(name) {
                (cause.reason, cause.help)
            } else {
                let text = format!("{}: not found: it was not there when the folder was listed", row.name);
                (text, Some("ask again".to_owned()))
            };
            (row.reason, row.help) = (Some(reason), help);
        }
        row
    }

    /// Why a name is not one of a file, if it is that of an archive: of the game, or on the disk.
    pub(crate) fn archive_asked(&self, name: &[u8]) -> Option<Cause> {
        let name = str::from_utf8(name).ok()?;
        if ContentType::of(name.as_bytes()) != ContentType::Archive {
            return None;
        }
        let is_it =
            |layer: &str| layer == name || layer.strip_suffix(name).is_some_and(|rest| rest.ends_with('/'));
        let layers = self.search_path.layers().filter(|layer| layer.archive().is_some());
        let loaded = layers.filter_map(|layer| Some((layer.name(), layer.system_path()?)));
        let skipped = self.search_path.skipped().iter().map(|(layer, path)| (&**layer, path.clone()));
        let of_game = loaded.chain(skipped).find(|(layer, _)| is_it(layer)).map(|(_, path)| path);
        let is_download = of_game.is_none() && ArchiveKind::of(name) == Some(ArchiveKind::Zip);
        let path = match of_game {
            Some(path) => path,
            None => self.on_disk(name)?,
        };
        let (what, command, does) = if is_download {
            ("a ZIP archive, and not a file of the game", "place", "tells where its files go")
        } else {
            ("an archive, and a name is that of a file in it", "pak list", "lists its files")
        };
        let reason = format!("{name}: not found: it is {what}");
        let help =
            |shell: &dyn Shell| format!("`quakefs {command} {}` {does}", shell.quoted(&[path.as_str()]));
        let advice = steps(&[Advice::Run { command, arguments: vec![path.to_string()] }]);
        Some(Cause { because: "archive", reason, help: self.shell().map(help), advice })
    }

    /// Why a name is not one of a file, if nothing else is known and it is that of a game directory.
    fn directory_asked(&self, missing: &Missing<'_>) -> Option<Cause> {
        let name = missing.name.as_name();
        let folder = name.to_str()?.trim_end_matches('/');
        let is_folder = |base: &Utf8PathBuf| {
            let stat = self.surroundings.disk.stat(base.join(folder).as_std_path());
            stat.is_ok_and(|stat| stat.kind == FileKind::Folder)
        };
        let is_name = !folder.is_empty() && !folder.contains(['/', '\\', ':']) && folder != "..";
        if !is_name || missing.is_explained() || !self.choices.base.iter().any(is_folder) {
            return None;
        }
        let mut directories = self.search_path.layers().filter_map(Layer::game_directory);
        let other = (!directories.any(|directory| directory.name == folder)).then_some(("--game", folder));
        let reason =
            format!("{name}: not found: it is a folder of the base directory, and names begin below it");
        let help = |shell: &dyn Shell| format!("`{}` lists the files below it", shell.command("ls", other));
        let advice = match other {
            Some((option, game)) => Advice::Choose { option: option.into(), value: Some(game.to_owned()) },
            None => Advice::Run { command: "ls", arguments: Vec::new() },
        };
        Some(Cause { because: "directory", reason, help: self.shell().map(help), advice: steps(&[advice]) })
    }

    /// Why a name is not one of a file in the game, if it is the path of a file on the disk.
    fn file_asked(&self, missing: &Missing<'_>) -> Option<Cause> {
        let name = missing.name.as_name();
        if missing.is_explained() && missing.cause != "refused" {
            return None;
        }
        let folder = self.surroundings.folder_name.as_ref().or(self.surroundings.folder.as_ref())?;
        let path = plain(&folder.join(self.on_disk(&name.to_str()?.replace('\\', "/"))?));
        let below = self.choices.base.iter().find_map(|base| {
            Some(path.strip_prefix(plain(&folder.join(base))).ok()?.as_str().replace('\\', "/"))
        });
        let (reason, help, advice) = match below {
            Some(below) if below.as_bytes() == name.as_bytes() => return None,
            Some(below) => {
                // below a game directory it is a name
                let answer = self.which(below);
                let advice = answer.advice.clone();
                ("names begin below the game directory", answer.help, advice)
            }
            None if ContentType::of(path.as_str().as_bytes()) == ContentType::Level => {
                let level = path.file_stem().unwrap_or_default();
                let help = |shell: &dyn Shell| {
                    let command = shell.command(shell.asking(path.as_str()), Some(("--over", path.as_str())));
                    format!("`{command} {}` lays it over the game", shell.quoted(&[level]))
                };
                let advice = Advice::Choose { option: "--over".into(), value: Some(path.to_string()) };
                ("it is outside of the game", self.shell().map(help), steps(&[advice]))
            }
            None => return None,
        };
        Some(Cause { because: "path", reason: format!("{name}: not found: {reason}"), help, advice })
    }

    /// The path of a file in the current folder or in the base directory.
    fn on_disk(&self, name: &str) -> Option<Utf8PathBuf> {
        let disk = &self.surroundings.disk;
        let folders = self.surroundings.folder.iter().chain(&self.choices.base);
        let mut paths = folders.map(|folder| folder.join(name));
        paths.find(|path| disk.stat(path.as_std_path()).is_ok_and(|stat| stat.kind == FileKind::File))
    }

    /// Why a name is not found, with the advice that fits best.
    fn cause(&self, missing: &Missing<'_>, known: &OnceCell<Vec<Misplaced>>) -> Cause {
        let name = missing.name.as_name();
        let is_one =
            |text: &String| self.search_path.glob(text).is_ok_and(|mut found| found.next().is_some());
        let listed = |because, reason: &str, pattern: String| {
            let reason = format!("{name}: not found: {reason}");
            let help = self.shell().map(|shell| {
                format!("`{} {}` lists what it matches", shell.command("ls", None), shell.quoted(&[&pattern]))
            });
            let advice = steps(&[Advice::Run { command: "ls", arguments: vec![pattern] }]);
            Cause { because, reason, help, advice }
        };
        // these characters may also be part of a name
        let patterns = name.to_str().filter(|text| text.contains(['*', '?', '[', '{']));
        let mut patterns = patterns.into_iter().flat_map(|text| [text.to_owned(), format!("**/{text}")]);
        if let Some(pattern) = patterns.find(is_one) {
            return listed("pattern", "it is a pattern, but only a name is taken here", pattern);
        }
        if let Some(cause) = self.archive_asked(name.as_bytes()) {
            return cause;
        }
        if let Some(cause) = self.directory_asked(missing).or_else(|| self.file_asked(missing)) {
            return cause;
        }
        let known = || known.get_or_init(|| misplaced(&self.search_path)).iter();
        let target = taken(&self.search_path, &[missing.advice()]).pop().flatten();
        if let Some(target) = target {
            let (reason, help) = (missing.to_string(), Some(is_taken(&target)));
            return Cause { because: missing.cause, reason, help, advice: Vec::new() };
        }
        // a level's name without its folder
        let is_bare =
            !name.as_bytes().contains(&b'/') && ContentType::of(name.as_bytes()) == ContentType::Level;
        let in_maps = is_bare.then(|| [b"maps/", name.as_bytes()].concat());
        let has = |found: &&Misplaced| {
            found.has(name.as_bytes()) || in_maps.as_ref().is_some_and(|level| found.has(level))
        };
        if !NEARER.contains(&missing.cause)
            && let Some(found) = known().find(has)
        {
            let reason = format!("{name}: not found: {found}");
            let help = found.help(self.shell());
            return Cause { because: found.name(), reason, help, advice: steps(&found.advice()) };
        }
        let quoted = || name.to_str()?.strip_prefix('\'')?.strip_suffix('\'');
        if let Some(inner) = quoted() {
            let reason = format!("{name}: not found: the single quotes are a part of it");
            let help = self.shell().map(|_| format!("write \"{inner}\""));
            let advice = Advice::Ask { names: vec![inner.to_owned()], game: None, is_guess: true };
            return Cause { because: "quoted", reason, help, advice: steps(&[advice]) };
        }
        let is_part = |text: &&str| text.len() > 2 && !text.contains(['/', '\\', '*', '?', '[', '{']);
        let part = name.to_str().filter(is_part).filter(|_| !missing.is_explained());
        if let Some(pattern) = part.map(|part| format!("**/*{part}*")).filter(is_one) {
            return listed("part", "it is only a part of other names", pattern);
        }
        Cause {
            because: missing.cause,
            reason: missing.to_string(),
            help: missing.help(self.shell()),
            advice: steps(&missing.advice()),
        }
    }
}
