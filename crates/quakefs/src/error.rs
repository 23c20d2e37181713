//! Why a mount, a lookup, a read or a write fails.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::{EntryName, EntryNameBuf};

use crate::pak_help::{self, DAMAGED_ENTRY, HELD, is_held};
use crate::rules::{ConsoleRefusal, Engine, NotUsed, RequestError, RulesFault, UnknownName, ZipForm};
use crate::sentences::{Help, Shell, listed, one_of, sentences};

/// Numbers of errors that have no [`io::ErrorKind`], from `errno.h`. They are the same on every Unix.
const EIO: i32 = 5;
const ENFILE: i32 = 23;
const EMFILE: i32 = 24;

/// How to request a file.
pub(crate) const RELATIVE_NAME: &str =
    "request a relative name with / between its parts, such as maps/start.bsp";

/// A mount, a read or a write that failed.
///
/// [`kind`](Error::kind) tells what failed, and [`archive`](Error::archive), [`entry`](Error::entry) and
/// [`path`](Error::path) tell where. `Display` prints one line with the place;
/// [`source`](std::error::Error::source) is the system's error.
///
/// ```
/// use std::io;
/// use quakefs::ErrorKind;
/// # let quake = testutils::search_path::game_in_memory("id1/: autoexec.cfg").mount()?;
/// let error = quake.read("maps/start.bsp").unwrap_err();
/// assert!(error.is_not_found());
/// assert!(matches!(error.kind(), ErrorKind::NotFound { .. }));
/// assert_eq!(io::Error::from(error).kind(), io::ErrorKind::NotFound);
/// # Ok::<(), quakefs::Error>(())
/// ```
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: Arc<ErrorKind>,
    archive: Option<Box<str>>,
    entry: Option<(usize, Box<[u8]>)>,
    path: Option<Utf8PathBuf>,
    cause: Option<Arc<Cause>>,
}

enum Cause {
    Io(io::Error),
    Pak(pak_format::Error),
}

/// What failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The system refused; the path is [`Error::path`] and the reason [`source`](std::error::Error::source).
    Io {
        /// The operation: `open`, `read`, `list`.
        doing: &'static str,
        /// The kind of the system's error.
        kind: io::ErrorKind,
    },
    /// A path is not UTF-8. quakefs supports only UTF-8 paths on disk.
    PathNotUtf8,
    /// A path is empty.
    EmptyPath,
    /// The base directory is a file. [`Builder::archive`](crate::Builder::archive) puts an archive on top of
    /// a game.
    BaseIsFile,
    /// The base directory does not exist.
    NoBaseDirectory,
    /// The base directory, or the folder of a game in it, is a link to something that does not exist.
    BrokenLink {
        /// Where the link leads, as it is written in the link.
        target: String,
    },
    /// The base directory holds none of the engine's game directories.
    NoGameDirectory {
        /// The game directories that the engine looks for.
        expected: Vec<String>,
        /// The probable mistake, if something near the base directory shows it.
        because: Option<WrongBase>,
    },
    /// The name of a game is not the name of a folder in the base directory.
    BadGame {
        /// The name given.
        game: String,
    },
    /// A game has no folder in any base directory, and the builder
    /// [refuses missing games](crate::Builder::refuse_missing_games).
    MissingGame {
        /// The name of the folder.
        game: String,
        /// The folder with the most similar name.
        nearest: Option<String>,
    },
    /// The engine does not use a game, and the builder [refuses such
    /// games](crate::Builder::refuse_missing_games).
    UnusedGame {
        /// The game.
        game: String,
        /// Why not.
        why: NotUsed,
    },
    /// The engine's console refuses a line, or it is another command.
    Console(ConsoleRefusal),
    /// The engine has no setting of a name that [`Builder::set`](crate::Builder::set) gave.
    UnknownSetting(UnknownName),
    /// The caller's rules would search or write outside of the base directory.
    Rules(RulesFault),
    /// The builder has neither a base directory nor a layer.
    NothingToMount,
    /// More layers than the index can number: layers have 16 bits.
    TooManyLayers {
        /// How many layers there are.
        found: usize,
    },
    /// No layer has the file.
    NotFound {
        /// The requested name.
        name: EntryNameBuf,
    },
    /// No folder of this name is in the tree.
    NoSuchFolder {
        /// The requested name.
        name: EntryNameBuf,
    },
    /// The engine refuses a request for this name.
    Request {
        /// The requested name.
        name: EntryNameBuf,
        /// What is wrong with the name.
        reason: RequestError,
    },
    /// The archive has fewer entries than the number given.
    NoSuchEntry {
        /// The number given.
        entry: usize,
        /// How many entries the archive has.
        entries: usize,
    },
    /// An archive of the PACK family, or an entry of one, is damaged.
    Pak(pak_format::ErrorKind),
    /// A ZIP archive, or an entry of one, is damaged.
    Zip(ZipFault),
    /// The directory of a WAD or of an archive of Anachronox cannot be read, or a level that was opened as an
    /// archive of textures.
    Directory(quake_content::Error),
    /// The file cannot be written or removed.
    NotWritable {
        /// The name given.
        name: EntryNameBuf,
        /// Why not.
        why: NotWritable,
    },
    /// An extraction claims more bytes of content than its limit.
    TooManyBytes {
        /// Bytes that the files claim.
        claimed: u64,
        /// The limit.
        most: u64,
        /// Bytes on disk of the archives and loose files that the files come from.
        source_size: u64,
    },
    /// An extraction would make more folders than its limit.
    TooManyFolders {
        /// Folders that the files are in.
        claimed: u64,
        /// The limit.
        most: u64,
        /// How many files there are.
        files: u64,
    },
    /// A journal is damaged, or lists a change that it may not list.
    Journal {
        /// The line in the file. `None` for a journal that is not written yet.
        line: Option<usize>,
        /// What is wrong.
        reason: String,
    },
    /// The pattern is not a valid glob.
    Pattern {
        /// The pattern.
        pattern: String,
        /// Why not.
        reason: String,
    },
}

/// The probable reason why a base directory has none of the engine's game directories.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WrongBase {
    /// A game directory is spelled in another case, for example because it was copied from Windows to Linux.
    Case {
        /// Old and new names: of the folder, then of archives in it.
        renames: Vec<(String, String)>,
    },
    /// A folder above contains the game directories: the base directory is one of them, or is inside one.
    Above {
        /// The folder above, as a path like the caller's base directory: relative or absolute.
        base: Utf8PathBuf,
        /// The mod's directory, if the caller's base directory is in one.
        game: Option<String>,
    },
    /// A folder in the base directory contains the game directories.
    Below {
        /// That folder, as a path like the caller's base directory: relative or absolute.
        base: Utf8PathBuf,
    },
    /// The base directory contains a game directory of another engine.
    OtherEngine {
        /// The game directory.
        directory: String,
        /// The engines that search it, the one that many players use first.
        engines: Vec<Engine>,
    },
}

/// Why a name cannot be written below the write directory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotWritable {
    /// No base directory is mounted.
    NoDirectory,
    /// The name cannot be a path on disk.
    Name(pak_format::NameFault),
    /// The name is not UTF-8. quakefs supports only UTF-8 paths on disk.
    NotUtf8,
    /// The search path is on a disk that cannot be written, such as an archive. A caller that needs a path of
    /// this computer gets this error for every disk except the system's.
    Disk {
        /// The path on that disk.
        path: Utf8PathBuf,
    },
    /// An engine would load or run the file: a server may not send it.
    Download,
    /// A symbolic link on the way leads out of the write directory.
    LeadsOut {
        /// The link.
        link: Utf8PathBuf,
        /// The write directory.
        root: Utf8PathBuf,
    },
}

/// What is wrong with a ZIP archive or an entry of one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ZipFault {
    /// The archive has no central directory that can be read.
    NoDirectory(String),
    /// The file begins like a PACK archive, despite its extension or a ZIP directory at its end.
    Pack,
    /// The archive has a form that the engine does not load.
    Refused(ZipForm),
    /// The central directory ends before its last record, or is damaged.
    Directory {
        /// Entries that were read.
        read: u64,
        /// Entries that the archive claims.
        expected: u64,
    },
    /// The end record states a wrong offset or size of the directory, and engines count back from it.
    NotCountedBack,
    /// The entry is encrypted.
    Encrypted,
    /// The entry is on another disk of a set.
    OtherDisk,
    /// The entry is compressed by another method than deflate.
    Method(u16),
    /// The central directory's offset does not lead to a local header.
    NoLocalHeader {
        /// Where the local header should be.
        offset: u64,
    },
    /// The payload is not inside the archive.
    Outside {
        /// Where the payload would start, or its local header.
        offset: u64,
        /// Bytes of the payload.
        stored_size: u64,
        /// Bytes in the archive.
        image_size: u64,
    },
    /// An entry claims more bytes than its payload could give.
    Expansion {
        /// Bytes that the directory claims.
        size: u64,
        /// Bytes of the payload.
        stored_size: u64,
        /// The most that the payload could decode to.
        limit: u64,
    },
    /// The size of the content differs from the size in the directory.
    Size {
        /// Bytes that the directory claims.
        expected: u64,
        /// Bytes that were decoded. Decoding may stop before the end.
        found: u64,
    },
    /// The checksum of the content differs from the checksum in the directory.
    Checksum {
        /// The checksum in the directory.
        expected: u32,
        /// The checksum of the content.
        found: u32,
    },
    /// There is not enough memory for the content.
    Memory {
        /// Bytes that the directory claims.
        size: u64,
    },
    /// The deflate stream is damaged.
    Deflate,
}

sentences! {
    errors(kind: ErrorKind; shell)

    "io" : ErrorKind::Io { doing, .. } => "{doing} failed";
    "path-not-utf8" : ErrorKind::PathNotUtf8 => "the path is not UTF-8", help "rename the file or the folder";
    "empty-path" : ErrorKind::EmptyPath
        => "the path is empty: expected a folder or a file",
        help "name a folder; the base directory is the one that contains the game directories";
    "base-is-file" : ErrorKind::BaseIsFile
        => "the base directory is a file: expected a folder",
        help "name the folder that contains the game directories; an archive is a layer above them",
        shell "name the folder that contains the game directories with --basedir, and an archive with \
            --mount";
    "no-base-directory" : ErrorKind::NoBaseDirectory
        => "the base directory does not exist",
        help "name the folder that contains the game directories, not one of them";
    "broken-link" : ErrorKind::BrokenLink { target }
        => "it is a link to {target}, which does not exist",
        help "put the folder there again, or name the folder that contains the game directories";
    "no-game-directory case" :
        ErrorKind::NoGameDirectory { expected, because: Some(WrongBase::Case { renames }) }
        => ("the base directory has no folder {expected}", expected = one_of(expected)),
        help ("rename {renames}", renames = renamed(renames));
    "no-game-directory above" :
        ErrorKind::NoGameDirectory { expected, because: Some(WrongBase::Above { base, game: None }) }
        => ("the base directory has no folder {expected}", expected = one_of(expected)),
        help "this is a game directory: name the folder above it, {base}",
        shell ("this is a game directory: name the folder above it with {option}",
            option = shell.quoted(&["--basedir", base.as_str()]));
    "no-game-directory above-game" :
        ErrorKind::NoGameDirectory { expected, because: Some(WrongBase::Above { base, game: Some(game) }) }
        => ("the base directory has no folder {expected}", expected = one_of(expected)),
        help "this folder is inside a game: name the base directory {base} and the game {game}",
        shell ("this folder is inside a game: use {options}",
            options = shell.quoted(&["--basedir", base.as_str(), "--game", game]));
    "no-game-directory below" :
        ErrorKind::NoGameDirectory { expected, because: Some(WrongBase::Below { base }) }
        => ("the base directory has no folder {expected}", expected = one_of(expected)),
        help "the game directories are one folder deeper: name that folder, {base}",
        shell ("the game directories are one folder deeper: name that folder with {option}",
            option = shell.quoted(&["--basedir", base.as_str()]));
    "no-game-directory other-engine" :
        ErrorKind::NoGameDirectory { expected, because: Some(WrongBase::OtherEngine { directory, engines }) }
        => ("the base directory has no folder {expected}", expected = one_of(expected)),
        help ("this folder contains {directory}: choose its engine, such as {engine}",
            engine = first(engines)),
        shell ("this folder contains {directory}: choose its engine, such as --engine {engine}",
            engine = first(engines));
    "no-game-directory no-expected" :
        ErrorKind::NoGameDirectory { expected, because: None } if expected.is_empty()
        => "the rules name no game directory",
        help "name the folder that contains the game directories",
        shell "name the folder that contains the game directories with --basedir, or an archive with --mount";
    "no-game-directory" : ErrorKind::NoGameDirectory { expected, because: None }
        => ("the base directory has no folder {expected}", expected = one_of(expected)),
        help "name the folder that contains the game directories",
        shell "name the folder that contains the game directories with --basedir, or an archive with --mount";
    "bad-game" : ErrorKind::BadGame { game }
        => "{game:?} cannot be a game directory: expected the name of a folder in the base directory",
        help "give only the folder's name, such as mymod";
    "missing-game" : ErrorKind::MissingGame { game, nearest: Some(nearest) }
        => "no base directory has a folder {game}",
        help "did you mean {nearest}?",
        shell ("did you mean {option}?", option = shell.quoted(&["--game", nearest]));
    "missing-game" : ErrorKind::MissingGame { game, nearest: None }
        => "no base directory has a folder {game}", help "check its spelling and case";
    "unused-game" : ErrorKind::UnusedGame { game, .. }
        => "the engine does not use the game {game}",
        help "name one game by its folder, such as mymod, or choose another engine";
    "console" : ErrorKind::Console(refusal) => "{refusal}";
    "rules" : ErrorKind::Rules(fault) => "these rules cannot be used: {fault}";
    "unknown-setting" : ErrorKind::UnknownSetting(what) => "{what}",
        help "`quakefs engines NAME` explains the settings";
    "nothing-to-mount" : ErrorKind::NothingToMount
        => "nothing to mount: expected a base directory or a layer",
        help "name a base directory or an archive",
        shell "name a base directory with --basedir, or an archive with --mount";
    "too-many-layers" : ErrorKind::TooManyLayers { found }
        => ("{found} layers; the limit is {most}", most = u16::MAX);
    "not-found" : ErrorKind::NotFound { name } => "{name}: no layer has this file";
    "no-such-folder" : ErrorKind::NoSuchFolder { name } => "{name}: no layer has this folder";
    "request" : ErrorKind::Request { name, reason } => "{name}: {reason}",
        help ("{help}", help = RELATIVE_NAME);
    "no-such-entry" : ErrorKind::NoSuchEntry { entry, entries }
        => "entry {entry} does not exist: the archive has {entries}";
    "pak" : ErrorKind::Pak(kind) => "{kind}", help { Some(pak_help::of_error(kind, shell).to_owned()) };
    "zip" : ErrorKind::Zip(fault) => "{fault}", help { zip_faults::help(fault, shell) };
    "directory" : ErrorKind::Directory(error) => "{error}",
        help "the file is probably cut off: download it again";
    "not-writable" : ErrorKind::NotWritable { name, why }
        => "{name}: not written: {why}", help "write to a plain relative name, such as saves/a.sav";
    "too-much bytes" : ErrorKind::TooManyBytes { claimed, most, .. }
        => "nothing was written: the files would have {claimed} bytes; the limit is {most}",
        help "extract less, by a pattern";
    "too-much folders" : ErrorKind::TooManyFolders { claimed, most, .. }
        => "nothing was written: the extraction would create {claimed} folders; the limit is {most}",
        help "extract less, by a pattern";
    "journal line" : ErrorKind::Journal { line: Some(line), reason }
        => "line {line}: {reason}",
        help "name a journal that `quakefs fix --write` or `quakefs place --write` wrote";
    "journal" : ErrorKind::Journal { line: None, reason } => "no journal can be written: {reason}";
    "pattern" : ErrorKind::Pattern { pattern, reason }
        => "\"{pattern}\" is not a pattern: {reason}", help "write [*] for a star, and close every [ and {{";
}

sentences! {
    not_writable(why: NotWritable; shell)

    "no-directory" : NotWritable::NoDirectory => "there is no game directory to write to";
    "name" : NotWritable::Name(fault) => "{fault}";
    "not-utf8" : NotWritable::NotUtf8 => "the name is not UTF-8";
    "disk" : NotWritable::Disk { path } => "the disk of {path} is read-only";
    "download" : NotWritable::Download =>
        "an engine would load or run such a file, so a server may not send it";
    "leads-out" : NotWritable::LeadsOut { link, root } => "{link} is a link that leads out of {root}";
}

sentences! {
    zip_faults(fault: ZipFault; shell)

    "no-directory" : ZipFault::NoDirectory(reason)
        => "the file is not a ZIP archive: {reason}",
        help "it is probably cut off, or one part of a split archive: get all of it, and join the parts";
    "pack" : ZipFault::Pack => "the file is not a ZIP archive: it begins like a PACK",
        help "rename it to .pak";
    "refused zip64" : ZipFault::Refused(ZipForm::Zip64)
        => "the engine does not load a ZIP64 archive", help "repack it as a plain ZIP";
    "refused bytes-in-front" : ZipFault::Refused(ZipForm::BytesInFront)
        => "the engine does not load a ZIP with other bytes in front", help "repack it as a plain ZIP";
    "refused long-comment" : ZipFault::Refused(ZipForm::LongComment)
        => "the engine does not load a ZIP with such a long comment", help "repack it as a plain ZIP";
    "refused count-too-large" : ZipFault::Refused(ZipForm::CountTooLarge)
        => "the engine does not load a ZIP that counts more entries than it has",
        help "repack it as a plain ZIP";
    "refused entry-outside" : ZipFault::Refused(ZipForm::EntryOutside)
        => "the engine does not load a ZIP with an entry past its end", help "repack it as a plain ZIP";
    "directory" : ZipFault::Directory { read, expected }
        => "the central directory is damaged after {read} entries: expected {expected}",
        help "the file is probably cut off, or not a ZIP archive: download it again";
    "not-counted-back" : ZipFault::NotCountedBack
        => "the end record states a wrong offset or size of the directory: engines count back from it and \
            find no files",
        help "pack the files again";
    "encrypted" : ZipFault::Encrypted
        => "the entry is encrypted with a password", help ("{help}", help = UNPACK);
    "other-disk" : ZipFault::OtherDisk
        => "the entry is on another disk of a set", help "join the disks into one archive";
    "method deflate64" : ZipFault::Method(9)
        => "the entry is compressed with Deflate64, which Windows Explorer uses for large files; engines \
            read Deflate", help ("{help}", help = UNPACK);
    "method" : ZipFault::Method(method)
        => ("the entry is compressed with {method}; engines read Deflate", method = method_name(*method)),
        help ("{help}", help = UNPACK);
    "no-local-header" : ZipFault::NoLocalHeader { offset }
        => "the local header at {offset} is missing", help ("{help}", help = DAMAGED_ENTRY);
    "outside" : ZipFault::Outside { offset, stored_size, image_size }
        => "the payload is outside the archive: expected it inside {image_size} bytes, found offset {offset} \
            + size {stored_size}",
        help ("{help}", help = DAMAGED_ENTRY);
    "expansion" : ZipFault::Expansion { size, stored_size, limit }
        => "{stored_size} bytes decode to at most {limit}, but the directory claims {size}",
        help ("{help}", help = DAMAGED_ENTRY);
    "size" : ZipFault::Size { expected, found }
        => "the content has the wrong size: expected {expected} bytes, found {found}",
        help ("{help}", help = DAMAGED_ENTRY);
    "checksum" : ZipFault::Checksum { expected, found }
        => "the content is damaged: expected the CRC {expected:08x}, found {found:08x}",
        help ("{help}", help = DAMAGED_ENTRY);
    "memory" : ZipFault::Memory { size }
        => "not enough memory for the {size} bytes of its content",
        help "unpack the archive with another program";
    "deflate" : ZipFault::Deflate => "the deflate stream is damaged", help ("{help}", help = DAMAGED_ENTRY);
}

/// The way out of a ZIP that engines do not read.
const UNPACK: &str =
    "unpack it with 7-Zip or another program, and use the folder, or pack it again with Deflate";

/// A compression method of ZIPs in a user's words (APPNOTE 6.3.10, section 4.4.5).
fn method_name(method: u16) -> String {
    let known = match method {
        1..=6 => "a method of PKZIP 1",
        12 => "BZip2",
        14 => "LZMA",
        93 => "Zstandard",
        94 => "MP3",
        95 => "XZ",
        96 => "JPEG",
        97 => "WavPack",
        98 => "PPMd",
        99 => "AES encryption",
        _ => return format!("the unknown method {method}"),
    };
    known.to_owned()
}

fn renamed(renames: &[(String, String)]) -> String {
    let renames: Vec<_> = renames.iter().map(|(from, to)| format!("{from} to {to}")).collect();
    listed(&renames, "and")
}

fn first(engines: &[Engine]) -> &'static str {
    engines.first().map_or("", |engine| engine.name())
}

impl std::error::Error for ErrorKind {}
impl std::error::Error for NotWritable {}
impl std::error::Error for ZipFault {}

impl Help for Error {
    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        self.help(shell)
    }
}

/// What to do if the system refuses to open or to read a file.
impl Error {
    fn help_of_system(&self, kind: io::ErrorKind) -> Option<&'static str> {
        let mut causes =
            std::iter::successors(std::error::Error::source(self), |cause| std::error::Error::source(*cause));
        let code = causes.find_map(|cause| cause.downcast_ref::<io::Error>()?.raw_os_error());
        match (kind, code) {
            _ if is_held(self) => Some(HELD),
            (io::ErrorKind::NotFound, _) => Some("check the path"),
            (io::ErrorKind::PermissionDenied, _) => Some("check its permissions"),
            (_, Some(ENFILE | EMFILE)) if cfg!(unix) => {
                Some("close other programs, or raise the limit on open files: `ulimit -n 4096`")
            }
            (_, Some(EIO)) if cfg!(unix) => {
                Some("the disk cannot read it: check the disk, and look for another copy of the file")
            }
            _ => None,
        }
    }
}

impl ErrorKind {
    /// A stable word for the kind, for programs: `io`, `unknown-magic`, `checksum`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            ErrorKind::Pak(kind) => kind.name(),
            ErrorKind::Zip(fault) => zip_faults::label(fault).kind(),
            _ => errors::label(self).kind(),
        }
    }
}

impl Error {
    /// What to do about it, if anything is known. With the `shell` of somebody who runs `quakefs`, the advice
    /// names options and commands.
    #[must_use]
    pub fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        match self.kind() {
            ErrorKind::Io { kind, .. } => self.help_of_system(*kind).map(str::to_owned),
            kind => errors::help(kind, shell),
        }
    }

    /// What failed.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The name of the archive that the error is about, as layers are named.
    #[must_use]
    pub fn archive(&self) -> Option<&str> {
        self.0.archive.as_deref()
    }

    /// The number and the name of the entry that the error is about.
    #[must_use]
    pub fn entry(&self) -> Option<(usize, EntryName<'_>)> {
        self.0.entry.as_ref().map(|(index, name)| (*index, EntryName::from_bytes(name)))
    }

    /// The path on disk that the error is about.
    #[must_use]
    pub fn path(&self) -> Option<&Utf8Path> {
        self.0.path.as_deref()
    }

    /// Whether a name, or a file on disk, does not exist. A name that no engine accepts, such as `../a`,
    /// counts as not found too.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(
            self.kind(),
            ErrorKind::NotFound { .. }
                | ErrorKind::NoSuchFolder { .. }
                | ErrorKind::Request { .. }
                | ErrorKind::NoBaseDirectory
                | ErrorKind::BrokenLink { .. }
                | ErrorKind::MissingGame { .. }
                | ErrorKind::Io { kind: io::ErrorKind::NotFound, .. }
        )
    }

    /// What is wrong and why, without the place: the kind with its causes, in one line.
    #[must_use]
    pub fn reason(&self) -> String {
        match (self.kind(), std::error::Error::source(self)) {
            (ErrorKind::Io { .. }, Some(cause)) => cause.to_string(),
            (kind, Some(cause)) => format!("{kind}: {cause}"),
            (kind, None) => kind.to_string(),
        }
    }

    /// The same error, with the name of the archive.
    #[must_use]
    pub fn in_archive(mut self, archive: impl Into<Box<str>>) -> Self {
        self.0.archive = Some(archive.into());
        self
    }

    /// The same error, with the number and name of the entry.
    #[must_use]
    pub fn at_entry(mut self, index: usize, name: EntryName<'_>) -> Self {
        self.0.entry = Some((index, name.as_bytes().into()));
        self
    }

    /// The same error, with the path on disk.
    #[must_use]
    pub fn at_path(mut self, path: &Utf8Path) -> Self {
        self.0.path = Some(path.to_owned());
        self
    }

    /// An error of the system about a path.
    #[must_use]
    pub fn io(path: &Utf8Path, doing: &'static str, cause: io::Error) -> Self {
        Error::of_io(doing, cause).at_path(path)
    }

    pub(crate) fn of_io(doing: &'static str, cause: io::Error) -> Self {
        let mut error = Error::from(ErrorKind::Io { doing, kind: cause.kind() });
        error.0.cause = Some(Arc::new(Cause::Io(cause)));
        error
    }
}

/// Converts a caller's path to UTF-8.
/// # Errors
/// [`ErrorKind::PathNotUtf8`].
pub fn utf8(path: &Path) -> Result<&Utf8Path, Error> {
    Utf8Path::from_path(path).ok_or_else(|| {
        Error::from(ErrorKind::PathNotUtf8).at_path(Utf8Path::new(&pak_format::name::escape_path(path)))
    })
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error(Box::new(Inner { kind: Arc::new(kind), archive: None, entry: None, path: None, cause: None }))
    }
}

impl From<ZipFault> for Error {
    fn from(fault: ZipFault) -> Self {
        ErrorKind::Zip(fault).into()
    }
}

impl From<pak_format::Error> for Error {
    fn from(error: pak_format::Error) -> Self {
        let mut own = Error::from(ErrorKind::Pak(error.kind().clone()));
        own.0.archive = error.archive().map(Into::into);
        own.0.entry = error.entry().map(|(index, name)| (index, name.as_bytes().into()));
        own.0.cause = Some(Arc::new(Cause::Pak(error)));
        own
    }
}

/// For implementations of [`Files`](crate::archive::Files), and for readers. An error that wraps an
/// [`Error`], as a [`FileReader`](crate::FileReader) returns it, is unwrapped; any other becomes the source.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        error.downcast().unwrap_or_else(|error| Error::of_io("read", error))
    }
}

impl From<Error> for io::Error {
    /// Keeps the whole error as the inner error of the result.
    fn from(error: Error) -> Self {
        let kind = match error.kind() {
            ErrorKind::Io { kind, .. } => *kind,
            ErrorKind::Pak(_) => match error.0.cause.as_deref() {
                Some(Cause::Pak(cause)) => io::Error::from(cause.clone()).kind(),
                _ => io::ErrorKind::InvalidData,
            },
            ErrorKind::Zip(ZipFault::Memory { .. }) => io::ErrorKind::OutOfMemory,
            ErrorKind::Zip(ZipFault::Method(_) | ZipFault::Encrypted) => io::ErrorKind::Unsupported,
            ErrorKind::Zip(_) | ErrorKind::Directory(_) => io::ErrorKind::InvalidData,
            ErrorKind::NotWritable { .. } => io::ErrorKind::PermissionDenied,
            ErrorKind::BaseIsFile => io::ErrorKind::NotADirectory,
            _ if error.is_not_found() => io::ErrorKind::NotFound,
            _ => io::ErrorKind::InvalidInput,
        };
        io::Error::new(kind, error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.path(), self.archive()) {
            (Some(path), _) => write!(f, "{path}: ")?,
            (None, Some(archive)) => write!(f, "{archive}: ")?,
            (None, None) => {}
        }
        if let Some((index, name)) = self.entry() {
            write!(f, "entry {index} ({name}): ")?;
        }
        self.kind().fmt(f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Error").field(&format_args!("{self}")).finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.0.cause.as_deref()? {
            Cause::Io(cause) => Some(cause),
            Cause::Pak(cause) => cause.source(),
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    #[test]
    fn the_error_of_the_system_decides_the_advice() {
        use super::*;

        let of = |error: io::Error| Error::from(error).help(None).unwrap_or_default();
        let help = |code| of(io::Error::from_raw_os_error(code));
        assert_eq!(of(io::ErrorKind::PermissionDenied.into()), "check its permissions");
        assert_eq!(of(io::ErrorKind::NotFound.into()), "check the path");
        assert!(help(EMFILE).starts_with("close other programs"));
        assert!(help(EIO).starts_with("the disk cannot read it"));
        assert_eq!(of(io::ErrorKind::ResourceBusy.into()), "");
    }
}
