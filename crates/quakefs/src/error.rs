//! Why a mount, a lookup, a read or a write fails.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::{EntryName, EntryNameBuf};

use crate::rules::{Engine, RequestError, RulesFault, ZipForm};

/// A mount, a read or a write that failed.
///
/// [`kind`](Error::kind) says what failed, and [`archive`](Error::archive), [`entry`](Error::entry) and
/// [`path`](Error::path) say where. `Display` prints one line with the place; [`source`](std::error::Error::source)
/// is what the system said.
///
/// ```
/// use std::io;
/// use quakefs::{Builder, ErrorKind};
/// # let pak = pak_format::Builder::new(pak_format::Layout::Quake).finish()?;
/// let quake = Builder::new().memory("empty.pak", pak).mount()?;
/// let error = quake.read("maps/start.bsp").unwrap_err();
/// assert!(error.is_not_found());
/// assert!(matches!(error.kind(), ErrorKind::NotFound { .. }));
/// assert_eq!(io::Error::from(error).kind(), io::ErrorKind::NotFound);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Error(Box<Inner>);

/// A derived one would be compiled anew in each crate that copies errors.
impl Clone for Error {
    fn clone(&self) -> Self {
        Error(self.0.clone())
    }
}

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    archive: Option<Box<str>>,
    entry: Option<(usize, Box<[u8]>)>,
    path: Option<Utf8PathBuf>,
    cause: Option<Cause>,
}

#[derive(Clone)]
enum Cause {
    Io(Arc<io::Error>),
    Pak(pak_format::Error),
}

/// What failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The system refused; the path is [`Error::path`] and the reason [`source`](std::error::Error::source).
    #[error("{doing} failed")]
    Io {
        /// What was tried: `open`, `read`, `list`.
        doing: &'static str,
        /// What the system said, as a kind.
        kind: io::ErrorKind,
    },
    /// A path is not UTF-8: quakefs handles paths on disk as UTF-8 alone.
    #[error("the path is not UTF-8")]
    PathNotUtf8,
    /// A path that was given is the empty text.
    #[error("the path is empty: expected that of a folder or a file")]
    EmptyPath,
    /// The base directory is a file. [`Builder::archive`](crate::Builder::archive) puts an archive on top of a game.
    #[error("the base directory is a file: expected a folder")]
    BaseIsFile,
    /// The base directory does not exist.
    #[error("the base directory does not exist")]
    NoBaseDirectory,
    /// The base directory holds none of the engine's game directories.
    #[error("{}", no_game_directory(.expected))]
    NoGameDirectory {
        /// The game directories that the engine looks for.
        expected: Vec<String>,
        /// What is probably wrong, if anything near the base directory shows it.
        because: Option<WrongBase>,
    },
    /// The name of a game is not the name of a folder in the base directory.
    #[error("{game:?} cannot be a game directory: expected the name of a folder in the base directory")]
    BadGame {
        /// The name given.
        game: String,
    },
    /// Rules of a caller's own that would search, or write, outside of the base directory.
    #[error("these rules cannot be used: {0}")]
    Rules(RulesFault),
    /// The builder has neither a base directory nor a layer.
    #[error("there is nothing to mount: expected a base directory or a layer")]
    NothingToMount,
    /// More layers than the index can number: layers have 16 bits.
    #[error("there are {found} layers: expected at most {}", u16::MAX)]
    TooManyLayers {
        /// How many layers there are.
        found: usize,
    },
    /// No layer of the stack has this name.
    #[error("no layer is called \"{name}\"")]
    NoSuchLayer {
        /// The name given.
        name: String,
    },
    /// No layer has the file.
    #[error("{name}: no layer has this file")]
    NotFound {
        /// The name asked for.
        name: EntryNameBuf,
    },
    /// No folder of this name is in the tree.
    #[error("{name}: no layer has this folder")]
    NoSuchFolder {
        /// The name asked for.
        name: EntryNameBuf,
    },
    /// The name cannot be asked for.
    #[error("{name}: {reason}")]
    Request {
        /// The name asked for.
        name: EntryNameBuf,
        /// What is wrong with the name.
        reason: RequestError,
    },
    /// The archive has fewer entries than the number given.
    #[error("there is no entry {entry}: the archive has {entries}")]
    NoSuchEntry {
        /// The number given.
        entry: usize,
        /// How many entries the archive has.
        entries: usize,
    },
    /// An archive of the PACK family, or an entry of one, is damaged.
    #[error("{0}")]
    Pak(pak_format::ErrorKind),
    /// A ZIP archive, or an entry of one, is damaged.
    #[error("{0}")]
    Zip(ZipFault),
    /// A WAD, or a level whose textures are asked for, is damaged.
    #[error("{0}")]
    Wad(quake_content::Error),
    /// The file cannot be written or removed.
    #[error("{name}: not written: {why}")]
    NotWritable {
        /// The name given.
        name: EntryNameBuf,
        /// Why not.
        why: NotWritable,
    },
    /// An extraction claims more than its limit.
    #[error("nothing was written: {0}")]
    TooMuch(TooMuch),
    /// The pattern is not a valid glob.
    #[error("\"{pattern}\" is not a pattern: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// Why not.
        reason: String,
    },
}

/// What is probably wrong with a base directory that holds none of the engine's game directories.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WrongBase {
    /// A game directory is there in other case, as on a disk that was copied from a system which ignores case.
    Case {
        /// What has to be renamed, and to what: the folder, then archives in it.
        renames: Vec<(String, String)>,
    },
    /// A folder above holds the game directories: the base directory is one of them, or is in one.
    Above {
        /// The folder above, as the base directory was given.
        base: Utf8PathBuf,
        /// The folder in it that leads to the base directory given, if that is a mod's.
        game: Option<String>,
    },
    /// A folder in the base directory holds the game directories.
    Below {
        /// That folder, as the base directory was given.
        base: Utf8PathBuf,
    },
    /// The game directory of another engine is there.
    OtherEngine {
        /// The game directory.
        directory: String,
        /// The engines that search it.
        engines: Vec<Engine>,
    },
}

/// Why a name cannot be written below the write directory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotWritable {
    /// No base directory is mounted.
    #[error("there is no game directory to write to")]
    NoDirectory,
    /// The name cannot be a path on disk.
    #[error("{0}")]
    Name(pak_format::NameFault),
    /// The name is not UTF-8: quakefs handles paths on disk as UTF-8 alone.
    #[error("the name is not UTF-8")]
    NotUtf8,
    /// The stack stands on a disk that is not written to, such as an archive; or, where a path of the system is asked for, on
    /// another disk than the system's.
    #[error("the disk of {path} is not written to")]
    Disk {
        /// The path on that disk.
        path: Utf8PathBuf,
    },
    /// A symbolic link on the way leads out of the write directory.
    #[error("{link} is a link that leads out of {root}")]
    LeadsOut {
        /// The link.
        link: Utf8PathBuf,
        /// The write directory.
        root: Utf8PathBuf,
    },
}

/// What an extraction claims too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TooMuch {
    /// Bytes of content.
    #[error("the files claim {claimed} bytes: expected at most {most}")]
    Bytes {
        /// Bytes that the files claim.
        claimed: u64,
        /// The limit.
        most: u64,
        /// Bytes on disk of the archives and loose files that the files come from.
        source_size: u64,
    },
    /// Folders to make.
    #[error("the files claim {claimed} folders: expected at most {most}")]
    Folders {
        /// Folders that the files are in.
        claimed: u64,
        /// The limit.
        most: u64,
        /// How many files there are.
        files: u64,
    },
}

fn no_game_directory(expected: &[String]) -> String {
    match expected {
        [] => "the rules name no game directory".to_owned(),
        names => format!("the base directory has no folder {}", names.join(" or ")),
    }
}

fn zip_form(form: ZipForm) -> &'static str {
    match form {
        ZipForm::Zip64 => "of the form ZIP64",
        ZipForm::BytesInFront => "with other bytes in front",
        ZipForm::LongComment => "with so long a comment",
        ZipForm::CountTooLarge => "that counts more entries than it has",
        ZipForm::EntryOutside => "with an entry past its end",
    }
}

/// What is wrong with a ZIP archive or an entry of one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ZipFault {
    /// The archive has no central directory that can be read.
    #[error("the file is not a ZIP archive: {0}")]
    NoDirectory(String),
    /// The file begins as an archive of the PACK family, whatever its name or its tail says.
    #[error("the file is not a ZIP archive: it begins as a PACK")]
    Pack,
    /// The archive has a form that the engine does not load.
    #[error("the engine does not load a ZIP {}", zip_form(*.0))]
    Refused(ZipForm),
    /// The central directory ends before its last record, or is damaged.
    #[error("the central directory is damaged after {read} entries: expected {expected}")]
    Directory {
        /// Entries that were read.
        read: u64,
        /// Entries that the archive claims.
        expected: u64,
    },
    /// The entry is encrypted.
    #[error("the entry is encrypted")]
    Encrypted,
    /// The entry is on another disk of a set.
    #[error("the entry is on another disk of a set")]
    OtherDisk,
    /// The entry is compressed by another method than deflate.
    #[error("the entry is compressed by method {0}: expected 0 (stored) or 8 (deflate)")]
    Method(u16),
    /// There is no local header where the central directory says.
    #[error("there is no local header at {offset}, where the directory says")]
    NoLocalHeader {
        /// Where the local header should be.
        offset: u64,
    },
    /// The payload is not inside the archive.
    #[error(
        "the payload is not where the directory says: expected it inside {image_size} bytes, found offset {offset} + size {stored_size}"
    )]
    Outside {
        /// Where the payload would start, or its local header.
        offset: u64,
        /// Bytes of the payload.
        stored_size: u64,
        /// Bytes in the archive.
        image_size: u64,
    },
    /// An entry claims more bytes than its payload could give.
    #[error("{stored_size} bytes give at most {limit}, the directory claims {size}")]
    Expansion {
        /// Bytes that the directory claims.
        size: u64,
        /// Bytes of the payload.
        stored_size: u64,
        /// The most that the payload could decode to.
        limit: u64,
    },
    /// The content is longer or shorter than the directory says.
    #[error("the content has another size: expected {expected} bytes, found {found}")]
    Size {
        /// Bytes that the directory claims.
        expected: u64,
        /// Bytes that the content has, or had when decoding stopped.
        found: u64,
    },
    /// The content does not have the checksum that the directory says.
    #[error("the content is damaged: expected the CRC {expected:08x}, found {found:08x}")]
    Checksum {
        /// What the directory says.
        expected: u32,
        /// What the content has.
        found: u32,
    },
    /// There is not enough memory for the content.
    #[error("there is no memory for the {size} bytes of its content")]
    Memory {
        /// Bytes that the directory claims.
        size: u64,
    },
    /// The deflate stream is damaged.
    #[error("the deflate stream is damaged")]
    Deflate,
}

impl Error {
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

    /// Whether the error says that a name, or a file on disk, does not exist. A name that no engine may be asked
    /// for, such as `../a`, is not found either.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(
            self.kind(),
            ErrorKind::NotFound { .. }
                | ErrorKind::NoSuchFolder { .. }
                | ErrorKind::Request { .. }
                | ErrorKind::NoBaseDirectory
                | ErrorKind::Io { kind: io::ErrorKind::NotFound, .. }
        )
    }

    /// What is wrong and why, without the place: the kind with its causes, in one line.
    #[must_use]
    pub fn reason(&self) -> String {
        match (&self.0.kind, std::error::Error::source(self)) {
            (ErrorKind::Io { .. }, Some(cause)) => cause.to_string(),
            (kind, Some(cause)) => format!("{kind}: {cause}"),
            (kind, None) => kind.to_string(),
        }
    }

    /// The same error, naming the archive that it is about.
    #[must_use]
    pub fn in_archive(mut self, archive: impl Into<Box<str>>) -> Self {
        self.0.archive = Some(archive.into());
        self
    }

    /// The same error, naming the entry that it is about.
    #[must_use]
    pub fn at_entry(mut self, index: usize, name: EntryName<'_>) -> Self {
        self.0.entry = Some((index, name.as_bytes().into()));
        self
    }

    /// The same error, naming the path on disk that it is about.
    #[must_use]
    pub fn at_path(mut self, path: &Utf8Path) -> Self {
        self.0.path = Some(path.to_owned());
        self
    }

    /// What the system says of a path.
    #[must_use]
    pub fn io(path: &Utf8Path, doing: &'static str, cause: io::Error) -> Self {
        Error::of_io(doing, cause).at_path(path)
    }

    pub(crate) fn of_io(doing: &'static str, cause: io::Error) -> Self {
        let mut error = Error::from(ErrorKind::Io { doing, kind: cause.kind() });
        error.0.cause = Some(Cause::Io(Arc::new(cause)));
        error
    }
}

/// A path that was given, as UTF-8.
/// # Errors
/// [`ErrorKind::PathNotUtf8`].
pub fn utf8(path: &Path) -> Result<&Utf8Path, Error> {
    Utf8Path::from_path(path).ok_or_else(|| {
        Error::from(ErrorKind::PathNotUtf8).at_path(Utf8Path::new(&pak_format::name::escape_path(path)))
    })
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error(Box::new(Inner { kind, archive: None, entry: None, path: None, cause: None }))
    }
}

impl From<ZipFault> for Error {
    fn from(fault: ZipFault) -> Self {
        ErrorKind::Zip(fault).into()
    }
}

impl From<TooMuch> for Error {
    fn from(much: TooMuch) -> Self {
        ErrorKind::TooMuch(much).into()
    }
}

impl From<pak_format::Error> for Error {
    fn from(error: pak_format::Error) -> Self {
        let mut own = Error::from(ErrorKind::Pak(error.kind().clone()));
        own.0.archive = error.archive().map(Into::into);
        own.0.entry = error.entry().map(|(index, name)| (index, name.as_bytes().into()));
        own.0.cause = Some(Cause::Pak(error));
        own
    }
}

/// For implementations of [`Files`](crate::archive::Files), and for readers: an error of the system becomes the source, and
/// one that holds an [`Error`] is that, as those of a [`FileReader`](crate::FileReader) do.
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
            ErrorKind::Pak(_) => match &error.0.cause {
                Some(Cause::Pak(cause)) => io::Error::from(cause.clone()).kind(),
                _ => io::ErrorKind::InvalidData,
            },
            ErrorKind::Zip(ZipFault::Memory { .. }) => io::ErrorKind::OutOfMemory,
            ErrorKind::Zip(ZipFault::Method(_) | ZipFault::Encrypted) => io::ErrorKind::Unsupported,
            ErrorKind::Zip(_) | ErrorKind::Wad(_) => io::ErrorKind::InvalidData,
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
        match self.0.cause.as_ref()? {
            Cause::Io(cause) => Some(&**cause),
            Cause::Pak(cause) => cause.source(),
        }
    }
}
