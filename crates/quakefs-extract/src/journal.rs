//! Journals: lists of changes below a base directory, written before the first change, and how to undo them.
//!
//! A journal is a file of JSON lines in the base directory that it describes. Its paths are relative to its
//! own folder, with `/` between parts, so a copied or moved game has a journal that works there. `quakefs fix
//! --write` writes `quakefs-fix-1.jsonl` with the [`Renamed`](Step::Renamed) steps:
//!
//! ```text
//! {"journal":"fix","version":1}
//! {"step":"renamed","path":"id1/Maps","name":"maps"}
//! {"step":"renamed","path":"id1/PAK0.PAK","name":"pak0.pak"}
//! ```
//!
//! `quakefs place --write` writes `quakefs-place-1.jsonl` with the other steps:
//!
//! ```text
//! {"journal":"place","version":1,"of":"pd.zip"}
//! {"step":"made-folder","path":"pd"}
//! {"step":"wrote","path":"pd/pak0.pak","size":11534336,"crc":3632233996}
//! ```
//!
//! # Installing a mod so that it can be removed
//! Create the journal, write exactly the files that it lists and replace none. Keep its path for the day when
//! the player removes the mod.
//!
//! ```
//! use quakefs_extract::journal::{Journal, Undone};
//! # let game = testutils::Folder::with([("id1/pak0.pak", "")]);
//! # let base = game.path();
//!
//! // the path of each file below the base directory, its size and the CRC-32 of its content
//! let files = [("pd/readme.txt".to_owned(), 9, 0xcbf4_3926)];
//! let journal = Journal::place(base, "pd.zip", files)?.expect("one of the files is new");
//! std::fs::create_dir(base.join("pd"))?;
//! std::fs::write(base.join("pd/readme.txt"), "123456789")?;
//!
//! // later, perhaps in another process
//! let [journal] = &*Journal::placed_in(base)? else { panic!() };
//! assert_eq!(journal.download(), Some("pd.zip"));
//! let complete = journal.undo(&mut |step, undone| {
//!     if let Undone::Left(error) = undone {
//!         eprintln!("{}: {}", step.path(), error.reason());
//!     }
//! })?;
//! assert!(complete && !base.join("pd").exists() && !journal.path().exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! If a file exists already because another journal wrote it, the step is `found`. Its undo changes nothing,
//! and the undo of the other journal keeps the file as long as this journal exists.
//!
//! # What an undo does, and what it never does
//! - It undoes the last step first. A step that never happened has nothing to undo, so the journal of a
//!   killed process works.
//! - It removes only a regular file with the size and the CRC-32 of the journal, and only an empty folder.
//!   Everything else stays, and so does a file that another journal beside it lists.
//! - It renames only within one folder, and only to a name that differs in nothing but case. No file is
//!   replaced.
//! - It changes nothing outside of the journal's folder, whatever the journal says: see [`Journal::open`].
//!   Links below the folder are never followed. On Unix this holds even while other programs change the
//!   folder, because each step starts at the handle of an open folder.
//! - On Windows, a folder with a temporary file of a killed process stays, and the outcome tells so.
//! - After a complete undo it removes the journal. After an incomplete one the journal stays as it is, so
//!   that a second undo can finish.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use atomic_file::{AtomicFile, Identity, Options};
use camino::{Utf8Path, Utf8PathBuf};
use crc32fast::Hasher;
use quakefs::errors::utf8;
use quakefs::rules::Spelling;
use quakefs::{Error, ErrorKind};
use serde::{Deserialize, Serialize};

use crate::rename::between;
use crate::step::Occupant;
use crate::write::flush;
use crate::{ExtractPlan, Folders, PlannedFile, Root};

/// The version of the format.
const VERSION: u32 = 1;
/// The most bytes of a journal: it is read into memory.
const MOST_BYTES: u64 = 64 << 20;

/// A list of changes below a base directory, in a file there.
#[derive(Clone, Debug)]
pub struct Journal {
    path: Utf8PathBuf,
    command: &'static str,
    download: Option<String>,
    steps: Vec<Step>,
    /// The file that was written or read.
    identity: Identity,
}

/// A change below the folder of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Step {
    /// A file or a folder got a name that differs in nothing but case.
    Renamed {
        /// The old path.
        path: String,
        /// The new name in the same folder.
        name: String,
    },
    /// A file was created.
    Wrote {
        /// Its path.
        path: String,
        /// Its size in bytes.
        size: u64,
        /// The CRC-32 of its content.
        crc: u32,
    },
    /// A file that another journal wrote was there already.
    Found {
        /// Its path.
        path: String,
        /// Its size in bytes.
        size: u64,
        /// The CRC-32 of its content.
        crc: u32,
    },
    /// A folder was created.
    MadeFolder {
        /// Its path.
        path: String,
    },
}

/// The outcome of undoing one step.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Undone {
    /// The step was undone.
    Done,
    /// There was nothing to undo: the step never happened, or it was undone before.
    Nothing,
    /// The folder stays, because it contains other files; the file, because another download brought it.
    Shared,
    /// The step was not undone. The error tells why; nothing was changed.
    Left(Error),
}

/// The first line of a journal.
#[derive(Serialize, Deserialize)]
struct Header {
    journal: String,
    version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    of: Option<String>,
}

const FIX: &str = "fix";
const PLACE: &str = "place";

impl Journal {
    /// Writes the journal of a download's files that will be created below a base directory: the file name of
    /// the download, and of each file the path with `/` between parts, the size, and the CRC-32. The folders
    /// that are missing for them are in the journal too. Files that exist already are not, because an undo
    /// must not remove them, unless another journal wrote them: then they are [`Found`](Step::Found). Returns
    /// `None` and writes nothing if there is no step, or if another journal has these files already.
    ///
    /// The journal survives a power failure before this function returns. Then write the files without
    /// replacing any.
    ///
    /// # Errors
    /// [`ErrorKind::Journal`] for a path that is not below the base directory, and [`ErrorKind::Io`] if the
    /// journal cannot be written.
    pub fn place(
        base: impl AsRef<Path>,
        download: &str,
        files: impl IntoIterator<Item = (String, u64, u32)>,
    ) -> Result<Option<Journal>, Error> {
        let base = utf8(base.as_ref())?;
        let is_new = |path: &str| {
            let found = base.join(path).symlink_metadata();
            found.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
        };
        let (files, found): (Vec<_>, Vec<_>) = files.into_iter().partition(|(path, ..)| is_new(path));
        let mut folders = BTreeSet::new();
        for (path, ..) in &files {
            let above = Utf8Path::new(path).ancestors().skip(1).map(Utf8Path::as_str);
            // if a folder was seen, all above it were seen too
            above
                .take_while(|folder| !folder.is_empty() && folders.insert((*folder).to_owned()))
                .for_each(drop);
        }
        folders.retain(|folder| is_new(folder));
        let others = if found.is_empty() { Vec::new() } else { Journal::placed_in(base)? };
        let is_written = |path: &str| {
            let mut steps = others.iter().flat_map(|other| &other.steps);
            steps.any(|step| matches!(step, Step::Wrote { path: written, .. } if written == path))
        };
        let found: Vec<_> = found.into_iter().filter(|(path, ..)| is_written(path)).collect();
        // the texts of a download stay in it if its game is there
        let has_all = |other: &Journal| {
            let listed: HashSet<&str> = other.files().collect();
            let is_same = listed.len() == found.len() || other.download.as_deref() == Some(download);
            is_same && found.iter().all(|(path, ..)| listed.contains(&**path))
        };
        if files.is_empty() && others.iter().any(has_all) {
            return Ok(None);
        }
        let folders = folders.into_iter().map(|path| Step::MadeFolder { path });
        let found = found.into_iter().map(|(path, size, crc)| Step::Found { path, size, crc });
        let files = files.into_iter().map(|(path, size, crc)| Step::Wrote { path, size, crc });
        let steps: Vec<_> = found.chain(folders).chain(files).collect();
        if steps.is_empty() {
            return Ok(None);
        }
        Journal::create(base, PLACE, Some(download.to_owned()), steps).map(Some)
    }

    /// Writes the journal of the files that a plan will write below a base directory. It reads each file
    /// once.
    ///
    /// # Errors
    /// The errors of [`place`](Self::place). A file cannot be read: without its checksum an undo could not
    /// remove it, so nothing is to be written.
    pub fn of_plan(
        base: impl AsRef<Path>,
        download: &str,
        plan: &ExtractPlan,
    ) -> Result<Option<Journal>, Error> {
        let file = |planned: &PlannedFile| {
            let path = String::from_utf8(planned.path.as_bytes().to_vec()).map_err(|_| {
                let reason = format!("{}: the path is not UTF-8", planned.path);
                Error::from(ErrorKind::Journal { line: None, reason })
            })?;
            let (size, crc) = size_and_crc(&mut planned.file.open()?)?;
            Ok((path, size, crc))
        };
        let files = plan.files().iter().map(file).collect::<Result<Vec<_>, Error>>()?;
        Journal::place(base, download, files)
    }

    /// The journals of [`place`](Self::place) in a base directory, in byte order of their names.
    ///
    /// # Errors
    /// The folder cannot be listed. One of them cannot be read, so nobody knows which files it needs.
    pub fn placed_in(base: impl AsRef<Path>) -> Result<Vec<Journal>, Error> {
        let base = utf8(base.as_ref())?;
        let listed = |error| Error::io(base, "list", error);
        let mut paths = Vec::new();
        for entry in base.read_dir_utf8().map_err(listed)? {
            let entry = entry.map_err(listed)?;
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if is_file && is_place(entry.file_name()) {
                paths.push(entry.into_path());
            }
        }
        paths.sort_unstable();
        let mut journals = Vec::new();
        for path in paths {
            match Journal::open(&path) {
                Ok(journal) => journals.extend(Some(journal).filter(|journal| journal.command == PLACE)),
                // another file with such a name has another first line
                Err(error) if matches!(error.kind(), ErrorKind::Journal { line: Some(1), .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(journals)
    }

    /// Writes the journal of renames.
    pub(crate) fn fix(base: &Utf8Path, steps: Vec<Step>) -> Result<Journal, Error> {
        Journal::create(base, FIX, None, steps)
    }

    fn create(
        base: &Utf8Path,
        command: &'static str,
        download: Option<String>,
        steps: Vec<Step>,
    ) -> Result<Journal, Error> {
        let text = text_of(command, download.as_deref(), &steps).map_err(|error| error.at_path(base))?;
        let tops: HashSet<_> = steps.iter().filter_map(|step| step.path().split('/').next()).collect();
        let mut number = 1_u64;
        loop {
            let name = format!("quakefs-{command}-{number}.jsonl");
            let path = base.join(&name);
            // a download may have a folder of this name
            if tops.iter().any(|top| top.eq_ignore_ascii_case(&name)) {
                number += 1;
                continue;
            }
            match write_new(&path, text.as_bytes()) {
                Ok(identity) => return Ok(Journal { path, command, download, steps, identity }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(Error::io(&path, "write", error)),
            }
        }
    }

    /// Reads a journal. Its folder is the base directory that an undo may change.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if it cannot be read, is not a regular file, is a link, or is larger than 64 MiB.
    /// [`ErrorKind::Journal`] if it is not a journal, or if a step would leave the folder or is of another
    /// command.
    pub fn open(path: impl AsRef<Path>) -> Result<Journal, Error> {
        let path = utf8(path.as_ref())?;
        let (identity, text) = read(path).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => other_file().at_path(path),
            _ => Error::io(path, "read", error),
        })?;
        let (command, download, steps) = parse(&text).map_err(|error| error.at_path(path))?;
        Ok(Journal { path: path.to_owned(), command, download, steps, identity })
    }

    /// The path of the journal.
    #[must_use]
    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// The command that writes such journals: `fix` or `place`.
    #[must_use]
    pub fn command(&self) -> &'static str {
        self.command
    }

    /// The file name of the download; `None` in a journal of `fix`, and of a version before this name.
    #[must_use]
    pub fn download(&self) -> Option<&str> {
        self.download.as_deref()
    }

    /// The changes, in the order in which they are done.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The folder of the journal.
    #[must_use]
    pub fn base(&self) -> &Utf8Path {
        split(&self.path).0
    }

    /// Undoes the changes, the last one first. `each` gets the outcome of each. Returns whether everything
    /// was undone; then the journal is removed too.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the folder cannot be opened, if a folder in it cannot be flushed to the disk, or
    /// if the journal cannot be removed at the end.
    pub fn undo(&self, each: &mut dyn FnMut(&Step, &Undone)) -> Result<bool, Error> {
        let root = self.open_base()?;
        let needed = self.needed_by_others()?;
        let mut walk = Walk { folders: Folders::existing(&root), names: HashMap::new(), needed };
        let mut complete = true;
        for step in self.steps.iter().rev() {
            let undone = walk.undo(step).unwrap_or_else(|error| {
                complete = false;
                Undone::Left(Error::io(&self.base().join(step.path()), "undo", error))
            });
            each(step, &undone);
        }
        if complete {
            // without the journal nobody could undo what a power failure brings back
            let folders = self.steps.iter().map(|step| halves(step.path()).0.as_bytes());
            flush(&root, folders).map_err(|error| Error::io(self.base(), "flush", error))?;
            self.remove()?;
        }
        Ok(complete)
    }

    /// The files that are written or found.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let is_file = |step: &&Step| matches!(step, Step::Wrote { .. } | Step::Found { .. });
        self.steps.iter().filter(is_file).map(Step::path)
    }

    /// The files that other journals beside this one list, each with the name of the journal.
    fn needed_by_others(&self) -> Result<HashMap<String, String>, Error> {
        if !self.steps.iter().any(|step| matches!(step, Step::Wrote { .. })) {
            return Ok(HashMap::new());
        }
        let mut needed = HashMap::new();
        for other in Journal::placed_in(self.base())?.iter().filter(|other| other.identity != self.identity) {
            let name = split(&other.path).1;
            needed.extend(other.files().map(|path| (path.to_owned(), name.to_owned())));
        }
        Ok(needed)
    }

    /// Does the renames of the journal. `each` gets the outcome of each.
    pub(crate) fn rename(&self, each: &mut dyn FnMut(Result<(), Error>)) {
        let root = self.open_base();
        let mut folders = root.as_ref().map(Folders::existing);
        for step in &self.steps {
            let Step::Renamed { path, name } = step else { continue };
            let (folder, old) = halves(path);
            each(match &mut folders {
                Ok(folders) => {
                    let folder = folders.enter(folder.as_bytes()).map_err(|(_, blocked)| blocked.into());
                    let renamed = folder.and_then(|folder| folder.change_case(old, name));
                    renamed.map_err(|error| Error::io(&self.base().join(path), "rename", error))
                }
                Err(error) => Err((*error).clone()),
            });
        }
    }

    /// Removes the journal, unless its name is another file by now.
    pub(crate) fn remove(&self) -> Result<(), Error> {
        let failed = |error| Error::io(&self.path, "remove", error);
        let root = self.open_base()?;
        let mut folders = Folders::existing(&root);
        let folder = folders.enter(b"").map_err(|(_, blocked)| failed(blocked.into()))?;
        let name = split(&self.path).1.as_bytes();
        let file = folder.open(name).map_err(failed)?;
        if Identity::of(&file).map_err(failed)? != self.identity {
            return Err(failed(io::Error::other("another program replaced it")));
        }
        folder.remove(name, &file).map_err(failed)
    }

    fn open_base(&self) -> Result<Root, Error> {
        Root::open(self.base()).map_err(|error| Error::io(self.base(), "open", error))
    }
}

impl Step {
    /// The path of the step below the base directory. For a rename it is the old path.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Step::Renamed { path, .. }
            | Step::Wrote { path, .. }
            | Step::Found { path, .. }
            | Step::MadeFolder { path } => path,
        }
    }

    /// Why the command cannot have done this step below a folder.
    fn fault(&self, command: &str) -> Option<&'static str> {
        if (command == FIX) != matches!(self, Step::Renamed { .. }) {
            return Some("this command does no such step");
        }
        if !is_below(self.path()) {
            return Some("the path is not below the base directory");
        }
        let Step::Renamed { path, name } = self else { return None };
        let old = halves(path).1;
        let is_other_case = old != name && Spelling::IgnoresCaseAndForm.same(old.as_bytes(), name.as_bytes());
        (!is_other_case || !is_below(name) || name.contains('/'))
            .then_some("the old and the new name differ in more than case")
    }
}

/// Whether a path stays below the folder that it is relative to.
fn is_below(path: &str) -> bool {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..");
    // a drive, a device and a backslash have a meaning only there
    let is_path = |path| pak_format::EntryName::from(path).to_windows_path().is_ok();
    path.split('/').all(is_plain) && (!cfg!(windows) || is_path(path))
}

/// The folder and the name of a relative path.
fn halves(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// The folder and the name of a journal.
fn split(path: &Utf8Path) -> (&Utf8Path, &str) {
    let folder = path.parent().filter(|folder| !folder.as_str().is_empty());
    (folder.unwrap_or(Utf8Path::new(".")), path.file_name().unwrap_or_default())
}

/// The number of the first step that the command cannot have done, and why not.
fn fault(command: &str, steps: &[Step]) -> Option<(usize, String)> {
    // each file is read once, whatever a journal says
    let mut paths = HashSet::new();
    steps.iter().enumerate().find_map(|(index, step)| {
        let twice = (!paths.insert(step.path())).then_some("the path is in the journal twice");
        let reason = step.fault(command).or(twice)?;
        Some((index, format!("{}: {reason}", step.path())))
    })
}

fn text_of(command: &str, download: Option<&str>, steps: &[Step]) -> Result<String, Error> {
    let of = download.map(str::to_owned);
    let header = Header { journal: command.to_owned(), version: VERSION, of };
    let mut text = serde_json::to_string(&header).map_err(io::Error::from)? + "\n";
    if let Some((_, reason)) = fault(command, steps) {
        return Err(ErrorKind::Journal { line: None, reason }.into());
    }
    for step in steps {
        text += &serde_json::to_string(step).map_err(io::Error::from)?;
        text.push('\n');
    }
    if text.len() as u64 > MOST_BYTES { Err(too_large().into()) } else { Ok(text) }
}

/// Whether a file has the name of a journal of `place`: `quakefs-place-1.jsonl`.
fn is_place(file_name: &str) -> bool {
    let number = file_name.strip_prefix("quakefs-place-").and_then(|rest| rest.strip_suffix(".jsonl"));
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Writes a new file that survives a power failure. A link at its path is not followed, because it may lead
/// anywhere.
fn write_new(path: &Utf8Path, content: &[u8]) -> io::Result<Identity> {
    let mut file = AtomicFile::create(path, &Options::new().replace(false).follow_links(false))?;
    file.write_all(content)?;
    let identity = Identity::of(file.as_file())?;
    file.commit().map_err(|error| {
        if error.is_in_place() {
            // no step of it will be done
            let _ = std::fs::remove_file(path);
        }
        error.into_cause()
    })?;
    Ok(identity)
}

fn read(path: &Utf8Path) -> io::Result<(Identity, String)> {
    let (base, name) = split(path);
    let root = Root::open(base)?;
    let mut folders = Folders::existing(&root);
    let folder = folders.enter(b"").map_err(|(_, blocked)| io::Error::from(blocked))?;
    let file = folder.open(name.as_bytes())?;
    if file.metadata()?.len() > MOST_BYTES {
        return Err(too_large());
    }
    let identity = Identity::of(&file)?;
    let mut text = String::new();
    // another program may be writing it
    file.take(MOST_BYTES).read_to_string(&mut text)?;
    Ok((identity, text))
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "the journal is larger than 64 MiB")
}

/// The error of a file that is no journal.
fn other_file() -> Error {
    ErrorKind::Journal { line: Some(1), reason: "this file is not a journal of quakefs".to_owned() }.into()
}

fn parse(text: &str) -> Result<(&'static str, Option<String>, Vec<Step>), Error> {
    let wrong = |line: usize, reason: String| Error::from(ErrorKind::Journal { line: Some(line), reason });
    let mut lines = text.lines();
    let header: Header = serde_json::from_str(lines.next().unwrap_or_default()).map_err(|_| other_file())?;
    if header.version != VERSION {
        return Err(wrong(1, format!("version {}: expected {VERSION}", header.version)));
    }
    let command = match header.journal.as_str() {
        FIX => FIX,
        PLACE => PLACE,
        other => return Err(wrong(1, format!("{other:?}: expected a journal of fix or of place"))),
    };
    let step = |(index, line)| {
        serde_json::from_str::<Step>(line).map_err(|error| {
            let text = error.to_string();
            wrong(index + 2, text.split(" at line ").next().unwrap_or(&text).to_owned())
        })
    };
    let steps = lines.enumerate().map(step).collect::<Result<Vec<_>, _>>()?;
    if let Some((index, reason)) = fault(command, &steps) {
        return Err(wrong(index + 2, reason));
    }
    Ok((command, header.of, steps))
}

/// The state of an undo.
struct Walk<'r> {
    folders: Folders<'r>,
    /// The exact names in each folder in which something is renamed. A disk that ignores case does not tell
    /// them otherwise.
    names: HashMap<String, HashSet<String>>,
    /// The files that other journals list, each with the name of the journal.
    needed: HashMap<String, String>,
}

impl Walk<'_> {
    fn undo(&mut self, step: &Step) -> io::Result<Undone> {
        let (path, name) = halves(step.path());
        let is_missing = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        let entered = self.folders.enter(path.as_bytes()).map_err(|(_, blocked)| io::Error::from(blocked));
        let folder = match entered {
            Err(error) if is_missing(&error) => return Ok(Undone::Nothing),
            entered => entered?,
        };
        let undone = match step {
            Step::Renamed { name: new, .. } => {
                if !self.names.contains_key(path) {
                    self.names.insert(path.to_owned(), folder.names()?);
                }
                let Some(names) = self.names.get_mut(path) else { return Ok(Undone::Nothing) };
                let between = between(new);
                let now = match (names.contains(new), names.contains(name)) {
                    (true, false) => new,
                    (false, false) if names.contains(&between) => &between,
                    (false, _) => return Ok(Undone::Nothing),
                    (true, true) => {
                        let text = format!("the name {name} is taken");
                        return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
                    }
                };
                folder.change_case(now, name)?;
                names.remove(now);
                names.insert(name.to_owned());
                Ok(())
            }
            Step::Wrote { path, size, crc } => folder.open(name.as_bytes()).and_then(|mut file| {
                if file.metadata()?.len() != *size
                    || size_and_crc(&mut io::BufReader::new(&mut file))? != (*size, *crc)
                {
                    return Err(io::Error::other("it was changed since it was written"));
                }
                if let Some(other) = self.needed.get(path) {
                    let text = format!("{other} needs it: undo that one first");
                    return Err(io::Error::other(text));
                }
                folder.remove(name.as_bytes(), &file)
            }),
            Step::Found { .. } => {
                let is_there = !matches!(folder.find(name.as_bytes())?, Occupant::Nothing);
                return Ok(if is_there { Undone::Shared } else { Undone::Nothing });
            }
            Step::MadeFolder { .. } => folder.remove_folder(name.as_bytes()),
        };
        match undone {
            Err(error) if is_missing(&error) => Ok(Undone::Nothing),
            // another download's, or what the game has written
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(Undone::Shared),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                Err(io::Error::new(error.kind(), "it is not a folder"))
            }
            undone => undone.map(|()| Undone::Done),
        }
    }
}

/// The size and the CRC-32 of a content.
fn size_and_crc(reader: &mut impl io::BufRead) -> io::Result<(u64, u32)> {
    let (mut size, mut crc) = (0, Hasher::new());
    loop {
        let read = match reader.fill_buf() {
            Ok([]) => return Ok((size, crc.finalize())),
            Ok(bytes) => {
                crc.update(bytes);
                bytes.len()
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        size += read as u64;
        reader.consume(read);
    }
}
