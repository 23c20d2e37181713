//! The files of a download.

use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use camino::Utf8Path;
use quakefs::archive::{ArchiveEntry, ArchiveKind, OpenOptions};
use quakefs::content::{ContentType, Leftover, is_content_folder};
use quakefs::disk::{ArchiveDisk, Content, Disk, FileKind, Opened};
use quakefs::errors::ZipFault;
use quakefs::findings::{FindingKind, NoPath};
use quakefs::pak_format::NameFault;
use quakefs::pak_format::name::escape;
use quakefs::rules::Family;
use quakefs::{Access, Archive, Engine, Error, ErrorKind, Finding};

use super::folders::{halves, with_slash};
use super::nothing::Nothing;
use super::signs::{Votes, is_junk, is_mark, is_text, number_of};
use super::texts::{self, Said};

/// The largest text that is read for the author's words, in bytes.
const TEXT: u64 = 256 << 10;
/// The most bytes of all texts together.
const TEXTS: u64 = 4 << 20;
/// The most levels and models whose first bytes are read.
const HEADS: usize = 64;

/// What somebody downloaded: an archive, a file, or a folder that was unpacked somewhere.
#[derive(Clone, Debug)]
pub struct Download {
    pub(super) name: String,
    pub(super) disk: Arc<dyn Disk>,
    /// The files, without what systems and tools left.
    pub(super) files: Vec<DownloadedFile>,
    /// The files in an archive that is placed as one file.
    pub(super) within: Option<Box<Download>>,
    /// Whether it is a folder, whose archives are files that can be named.
    is_folder: bool,
    /// The size of the archive or of all files in bytes.
    pub(super) size: u64,
    /// The files that cannot be decoded, by their paths in the archive.
    pub(super) undecodable: Vec<(String, Error)>,
    /// The files that cannot be placed, by their paths, and why: names that are no paths, and links.
    pub(super) unplaceable: Vec<(String, String)>,
    /// The archive as one file, if an engine loads such archives.
    whole: Option<Box<Download>>,
    budget: Budget,
}

/// The bytes of archives inside archives that may be decoded, in all downloads of a search. Archives up to
/// twice the size of their download do not count.
#[derive(Clone, Debug)]
pub(super) struct Budget(Arc<AtomicU64>);

impl Default for Budget {
    fn default() -> Self {
        const BYTES: u64 = 256 << 20;
        Budget(Arc::new(AtomicU64::new(BYTES)))
    }
}

impl Budget {
    fn take(&self, count: u64) -> bool {
        let take = |left: u64| left.checked_sub(count);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    }
}

/// A file of a download.
#[derive(Clone, Debug)]
pub(super) struct DownloadedFile {
    /// The path in the download, with `/` between parts.
    pub(super) path: String,
    /// The path on the disk of the download.
    pub(super) on_disk: PathBuf,
}

impl Download {
    /// Looks at a file or a folder. A ZIP counts as unpacked. So does another archive if all of its files are
    /// in a game's folder, like `pd/progs.dat`. Any other archive is one file that an engine loads, like
    /// `pak0.pak`.
    ///
    /// # Errors
    /// The path does not exist or cannot be opened, or the archive is damaged.
    pub fn open(disk: &Arc<dyn Disk>, path: &Utf8Path) -> Result<Download, Error> {
        Download::open_within(disk, path, &Budget::default())
    }

    /// The same as one of several.
    pub(super) fn open_within(
        disk: &Arc<dyn Disk>,
        path: &Utf8Path,
        budget: &Budget,
    ) -> Result<Download, Error> {
        let mut download = Download::open_one(disk, path)?;
        download.budget = budget.clone();
        Ok(download)
    }

    fn open_one(disk: &Arc<dyn Disk>, path: &Utf8Path) -> Result<Download, Error> {
        let name = path.file_name().unwrap_or("download");
        let at = |error: Error| error.in_archive(path.as_str());
        let stat = disk.stat(path.as_std_path()).map_err(|error| at(error.into()))?;
        if stat.kind == FileKind::Folder {
            return Ok(Download { is_folder: true, ..Download::of(Arc::clone(disk), path, name) });
        }
        let mut file = Download {
            name: name.to_owned(),
            disk: Arc::clone(disk),
            files: vec![DownloadedFile { path: name.to_owned(), on_disk: path.into() }],
            within: None,
            is_folder: false,
            size: stat.size,
            undecodable: Vec::new(),
            unplaceable: Vec::new(),
            whole: None,
            budget: Budget::default(),
        };
        match OpenOptions::new().access(Access::Read).open_on(disk, path) {
            Ok(archive) if matches!(archive.kind(), ArchiveKind::Zip | ArchiveKind::Pak) => {
                let mut unpacked = Download::archive(&archive, name);
                if !is_zip(name) {
                    file.within = (!unpacked.files.is_empty()).then(|| Box::new(unpacked.clone()));
                    unpacked.whole = Some(Box::new(file));
                }
                Ok(unpacked)
            }
            Err(error)
                if ContentType::of(name.as_bytes()) == ContentType::Archive && !file.is_known_otherwise() =>
            {
                Err(at(error))
            }
            Ok(_) | Err(_) => Ok(file),
        }
    }

    /// An archive as if it were unpacked. `name` is its file name.
    #[must_use]
    pub fn archive(archive: &Archive, name: &str) -> Download {
        use ZipFault::{Encrypted, Method, NoLocalHeader};
        let disk = ArchiveDisk::new(archive.clone(), name);
        let why_not = |finding: &Finding| match &finding.kind {
            FindingKind::NotUnpacked(why) => {
                let entry = archive.entry(finding.location.entry()?)?;
                (!entry.row().is_folder).then(|| (entry.name().to_string(), why.to_string()))
            }
            _ => None,
        };
        let mut unplaceable: Vec<_> = disk.findings().iter().filter_map(why_not).collect();
        let mut unpacked = Download::of(Arc::new(disk), Utf8Path::new(""), name);
        unplaceable.retain(|(path, _)| !is_junk(path));
        unpacked.unplaceable.append(&mut unplaceable);
        let is_lost = |error: &Error| {
            matches!(error.kind(), ErrorKind::Zip(Method(_) | Encrypted | NoLocalHeader { .. }))
        };
        // the row does not show whether the local header is there, and of a stored entry the range does
        let opened = |entry: &ArchiveEntry<'_>| entry.range().is_none().then(|| entry.open().err())?;
        let fault = |entry: &ArchiveEntry<'_>| entry.check().err().or_else(|| opened(entry));
        let undecodable = archive
            .entries()
            .filter_map(|entry| Some((entry.name().to_string(), fault(&entry).filter(is_lost)?)));
        Download { size: archive.size(), undecodable: undecodable.collect(), ..unpacked }
    }

    fn of(disk: Arc<dyn Disk>, root: &Utf8Path, name: &str) -> Download {
        let Walked { files, unplaceable, size } = Walked::below(&*disk, root);
        let on_disk = |path: String| DownloadedFile { on_disk: root.join(&path).into(), path };
        Download {
            name: name.to_owned(),
            disk,
            files: files.into_iter().map(on_disk).collect(),
            within: None,
            is_folder: false,
            size,
            undecodable: Vec::new(),
            unplaceable,
            whole: None,
            budget: Budget::default(),
        }
    }

    /// A name for a new game directory, from the file name.
    #[must_use]
    pub fn folder_name(&self) -> String {
        super::folders::guess(&self.name)
    }

    /// The archive as one file, unless all of its files are in folders of games.
    pub(super) fn as_loaded(&self, directories: &[String]) -> &Download {
        let Some(whole) = &self.whole else { return self };
        let roots = super::folders::roots(self.files.iter().map(|found| &*found.path), directories);
        if roots.is_empty() || roots.contains("") { whole } else { self }
    }

    /// Why none of its files goes anywhere, by the first bytes and the names of these that are not the
    /// author's words.
    pub(super) fn why_nothing(&self) -> Option<Nothing> {
        let mut files = self.files.iter().filter(|found| self.files.len() == 1 || !is_text(&found.path));
        files.by_ref().take(HEADS).find_map(|found| self.why_not(found))
    }

    fn why_not(&self, found: &DownloadedFile) -> Option<Nothing> {
        let start = self.start(&found.on_disk, 512).unwrap_or_default();
        let name = found.path.to_ascii_lowercase();
        let ends = |extensions: &[&str]| extensions.iter().any(|extension| name.ends_with(extension));
        if ends(&[".part", ".crdownload", ".opdownload", ".download", ".partial"]) {
            return Some(Nothing::Unfinished);
        }
        if is_web_page(&start) {
            return Some(Nothing::WebPage);
        }
        if ends(&[".pk4"]) {
            return Some(Nothing::OtherGame("Doom 3 or a game on its engine"));
        }
        if let Some(packed) = packed(&start, &name) {
            return Some(Nothing::Packed(packed));
        }
        let is_program = matches!(&*start, [b'M', b'Z', ..] | [0x7f, b'E', b'L', b'F', ..])
            || start.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) && ends(&[".msi"]);
        (is_program && !ends(&[".dll", ".so"])).then_some(Nothing::Program)
    }

    /// Whether it is no archive, whatever its name: a web page that a failed download left.
    fn is_known_otherwise(&self) -> bool {
        self.files.iter().any(|found| is_web_page(&self.start(&found.on_disk, 512).unwrap_or_default()))
    }

    /// The engine that it is: it has the program, and neither levels nor a mod.
    pub(super) fn engine(&self) -> Option<Engine> {
        let mut files = self.files.iter().map(|found| halves(&found.path));
        let (engine, program) = files.find_map(|(_, name)| Some((Engine::of_program(name)?, name)))?;
        let program = program.split(['.', '-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        // an engine's own archives are in a game's folder, or have its name
        let is_own = |at: &str, name: &str| {
            let folder = at.rsplit('/').next().unwrap_or_default();
            let begins = |word: &str| word.to_ascii_lowercase().starts_with(&program);
            begins(name) || begins(folder) || Family::comes_with_one(folder)
        };
        let is_game = |found: &DownloadedFile| {
            let (at, name) = halves(&found.path);
            match ContentType::of(name.as_bytes()) {
                ContentType::Level => true,
                ContentType::Program => name.to_ascii_lowercase().ends_with(".dat"),
                ContentType::Archive => {
                    !is_zip(name) && (number_of(name, "pak").is_some() || !is_own(at, name))
                }
                _ => false,
            }
        };
        (!self.files.iter().any(is_game)).then_some(engine)
    }

    /// The archives of a folder that is no mod and has several, each of which somebody downloaded.
    pub(super) fn own_downloads(&self) -> Vec<DownloadedFile> {
        let is_other = |name: &str| {
            let is_whole = ContentType::of(name.as_bytes()) == ContentType::Archive;
            is_whole || packed(&[], name).is_some() || [".7z", ".rar"].iter().any(|end| name.ends_with(end))
        };
        let is_archive = |found: &&DownloadedFile| {
            let name = found.path.to_ascii_lowercase();
            is_only_zip(&name) || !name.contains('/') && is_other(&name)
        };
        let (own, others): (Vec<_>, Vec<_>) = self.files.iter().partition(is_archive);
        let has_zip = own.iter().any(|found| is_only_zip(&found.path));
        let roots = super::folders::roots(others.iter().map(|found| &*found.path), &[]);
        let is_of_mod =
            |found: &&DownloadedFile| super::folders::above(&found.path).any(|folder| roots.contains(folder));
        let is_only_levels = |found: &&DownloadedFile| match found.path.split_once('/') {
            Some((folder, _)) => folder.eq_ignore_ascii_case("maps") || !is_content_folder(folder),
            None => !is_mark(&found.path),
        };
        if !self.is_folder || !has_zip || own.len() < 2 || !others.iter().all(is_only_levels) {
            return Vec::new();
        }
        own.into_iter().filter(|found| !is_of_mod(found)).cloned().collect()
    }

    /// The same without these files.
    pub(super) fn without(&self, files: &[DownloadedFile]) -> Download {
        let gone: HashSet<&str> = files.iter().map(|file| &*file.path).collect();
        let mut rest = self.clone();
        rest.files.retain(|found| !gone.contains(&*found.path));
        rest
    }

    /// The archives that the download contains, opened, each with its path or the error.
    pub(super) fn inner(&self) -> Vec<(String, Result<Download, Error>)> {
        self.opened(is_zip)
    }

    /// The archives of the download whose paths are such ones, opened, each with its path or the error.
    pub(super) fn opened(&self, is_one: impl Fn(&str) -> bool) -> Vec<(String, Result<Download, Error>)> {
        let archives = self.files.iter().filter(|found| is_one(&found.path));
        let open = |found: &DownloadedFile| {
            let name = found.path.rsplit('/').next().unwrap_or(&found.path);
            let path = quakefs::errors::utf8(&found.on_disk)?;
            let size = self.disk.stat(&found.on_disk)?.size;
            if size > self.size.saturating_mul(2) && !self.budget.take(size) {
                let text = format!("its {size} bytes are too many to decode");
                return Err(Error::io(path, "open", io::Error::new(io::ErrorKind::QuotaExceeded, text)));
            }
            let opened = OpenOptions::new().access(Access::Read).open_on(&self.disk, path)?;
            Ok(Download::archive(&opened, name))
        };
        archives.take(INNER).map(|found| (found.path.clone(), open(found))).collect()
    }

    /// The family that names and first bytes show, and whether only extensions do. An archive that stays one
    /// file is read only if its names show none.
    pub(super) fn family(&self, of_engine: Option<&Family>) -> Option<(&'static Family, bool)> {
        match &self.within {
            Some(within) => within.votes(0).best(of_engine).or_else(|| within.votes(HEADS).best(of_engine)),
            None => self.votes(HEADS).best(of_engine),
        }
    }

    /// What names and the first bytes of some files say about the family.
    fn votes(&self, mut heads: usize) -> Votes {
        let mut votes = Votes::new();
        for found in &self.files {
            let content = ContentType::of(found.path.as_bytes());
            let has_head = matches!(content, ContentType::Level | ContentType::Model) && heads > 0;
            heads -= usize::from(has_head);
            let head = if has_head { self.start(&found.on_disk, 8).unwrap_or_default() } else { Vec::new() };
            votes.count(&found.path, &head);
        }
        votes
    }

    /// The paths in an archive that stays one file.
    pub(super) fn paths_within(&self) -> impl Iterator<Item = &str> {
        self.within.iter().flat_map(|within| &within.files).map(|found| &*found.path)
    }

    /// What the texts say.
    pub(super) fn said(&self) -> Vec<Said> {
        let mut said = Vec::new();
        let mut left = TEXTS;
        for found in self.files.iter().filter(|found| is_text(&found.path)) {
            let size = self.disk.stat(&found.on_disk).map_or(u64::MAX, |stat| stat.size);
            if size > TEXT.min(left) {
                continue;
            }
            left -= size;
            texts::read(&self.start(&found.on_disk, TEXT).unwrap_or_default(), &mut said);
        }
        said
    }

    /// The first bytes of a file.
    fn start(&self, path: &Path, most: u64) -> Option<Vec<u8>> {
        self.disk.start(path, usize::try_from(most).ok()?).ok()
    }
}

/// What is below the folder of a download.
#[derive(Default)]
struct Walked {
    /// The regular files, in byte order, without what systems and tools left.
    files: Vec<String>,
    unplaceable: Vec<(String, String)>,
    size: u64,
}

/// The longest path in bytes, which also limits the nesting of folders.
const LONGEST: usize = 1023;
/// The most folders of a download: a disk of a caller may have folders without an end.
const MOST_FOLDERS: usize = 1 << 19;

impl Walked {
    /// No link is followed, because a download may contain one to any file of its user.
    fn below(disk: &dyn Disk, root: &Utf8Path) -> Walked {
        let mut walked = Walked::default();
        let mut folders = vec![String::new()];
        let mut entered = 0;
        while let Some(folder) = folders.pop() {
            let items = match disk.list(root.join(&folder).as_std_path()) {
                Ok(items) => items,
                Err(error) => {
                    walked.leave(folder, error.to_string());
                    continue;
                }
            };
            for item in items {
                let path = format!("{}{}", with_slash(&folder), escape(&item.name));
                if is_junk(&path) {
                    continue;
                }
                let why = match item.kind {
                    _ if std::str::from_utf8(&item.name).is_err() => NameFault::NotUtf8.to_string(),
                    _ if path.len() > LONGEST => {
                        NoPath::LongPath { found: path.len(), most: LONGEST }.to_string()
                    }
                    FileKind::Folder if entered == MOST_FOLDERS => "there are too many folders".to_owned(),
                    FileKind::Folder => {
                        entered += 1;
                        folders.push(path);
                        continue;
                    }
                    FileKind::File => {
                        let own = Leftover::of(&path);
                        let own = own.filter(|own| matches!(own, Leftover::Journal | Leftover::Temporary));
                        let Some(own) = own else {
                            let size = disk.stat(root.join(&path).as_std_path()).map_or(0, |stat| stat.size);
                            walked.size = walked.size.saturating_add(size);
                            walked.files.push(path);
                            continue;
                        };
                        // an undo would remove what the journal lists, and a later command a temporary file
                        format!("it is {own}")
                    }
                    FileKind::Link => "it is a link, which is not followed".to_owned(),
                    _ => "it is not a regular file".to_owned(),
                };
                walked.leave(path, why);
            }
        }
        walked.files.sort_unstable();
        walked.unplaceable.sort_unstable();
        walked
    }

    fn leave(&mut self, path: String, why: String) {
        self.unplaceable.push((path, why));
    }
}

/// A range of an open file.
pub(super) fn block<'b>(file: &'b Opened, range: Range<u64>, buffer: &'b mut Vec<u8>) -> Option<&'b [u8]> {
    let range = usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?;
    match &file.content {
        Content::Bytes(bytes) => bytes.get(range),
        Content::At(at) => {
            buffer.resize(range.len(), 0);
            let filled = at.fill_at(buffer, range.start as u64).ok()?;
            (filled == buffer.len()).then_some(&**buffer)
        }
    }
}

/// The most archives in a download that are opened.
const INNER: usize = 16;

/// Whether a file is a ZIP by its name.
fn is_only_zip(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("zip"))
}

/// Whether a file is a ZIP by its name, or a program that may be a ZIP that unpacks itself.
fn is_zip(name: &str) -> bool {
    let is_program = |(_, extension): (_, &str)| extension.eq_ignore_ascii_case("exe");
    is_only_zip(name) || name.rsplit_once('.').is_some_and(is_program)
}

/// Whether a file begins like a web page.
fn is_web_page(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start().to_ascii_lowercase();
    [&b"<!doctype html"[..], b"<html", b"<head"].iter().any(|page| start.starts_with(page))
}

/// The kind of an archive that is not opened, by its first bytes and its name in lower case.
fn packed(start: &[u8], name: &str) -> Option<&'static str> {
    let ends = |extension: &str| name.ends_with(extension);
    let is_tar = start.get(257..262) == Some(b"ustar");
    Some(match start {
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => "a 7-Zip archive",
        [b'R', b'a', b'r', b'!', 0x1a, 0x07, ..] => "a RAR archive",
        [0x1f, 0x8b, ..] if ends(".tar.gz") || ends(".tgz") => "a tar archive, compressed with gzip",
        [0x1f, 0x8b, ..] => "a file compressed with gzip",
        [b'B', b'Z', b'h', ..] => "a file compressed with bzip2",
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => "a file compressed with xz",
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "a file compressed with Zstandard",
        [b'M', b'S', b'C', b'F', ..] => "a cabinet file",
        _ if is_tar => "a tar archive",
        _ if start.starts_with(b"!<arch>\ndebian") => "a package of Debian",
        _ if ends(".dmg") => "a disk image of macOS",
        _ if ends(".lzh") || ends(".lha") => "an LHA archive",
        _ if ends(".001") || ends(".z01") => "one part of a split archive",
        _ => return None,
    })
}
