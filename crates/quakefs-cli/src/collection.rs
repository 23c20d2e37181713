//! The files that go into an archive: paths and folders on disk, as names and sources.

use atomic_file::is_temporary;
use camino::{Utf8Path, Utf8PathBuf};
use pak_format::Source;

use crate::console::{Console, Failure, Message};

/// A file to pack.
pub(crate) struct Collected {
    /// Its name in the archive.
    pub(crate) name: String,
    pub(crate) path: Utf8PathBuf,
    pub(crate) size: u64,
}

/// Finds the files of some paths. Names are relative to `root`, or to the current folder; what is in a folder
/// comes in byte order. Links and devices in a folder are reported and left out; the archive itself is left out.
pub(crate) fn collect(
    root: Option<&Utf8Path>,
    paths: &[Utf8PathBuf],
    archive: &Utf8Path,
    // the name of the one file, where it does not follow from its path
    named: Option<&str>,
    console: &mut Console<'_>,
) -> Result<Vec<Collected>, Failure> {
    let archive = archive.canonicalize_utf8().ok();
    let mut files = Vec::new();
    let mut failed = false;
    for path in paths {
        // without the "." parts, which messages need not show
        let start: Utf8PathBuf = root.unwrap_or(Utf8Path::new("")).join(path).components().collect();
        let mut fail = |error: &dyn std::fmt::Display| {
            failed = true;
            console.error(&Message::without_help(format!("{start}: {error}")));
        };
        let Some(name) = named.map(str::to_owned).or_else(|| name_of(root, path)) else {
            fail(&"not in the folder that names are relative to, so it has no name; name that folder by -C");
            continue;
        };
        let metadata = match start.metadata() {
            Ok(metadata) => metadata,
            Err(error) => {
                fail(&error);
                continue;
            }
        };
        if metadata.is_file() {
            if archive.is_some() && start.canonicalize_utf8().ok() == archive {
                fail(&"it is the archive itself");
                continue;
            }
            files.push(Collected { name, path: start, size: metadata.len() });
            continue;
        }
        if !metadata.is_dir() {
            fail(&"it is neither a file nor a folder");
            continue;
        }
        // a link that was named is followed; those that are met are not
        let walk = walkdir::WalkDir::new(start.join("")).sort_by_file_name().min_depth(1);
        for entry in walk {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    failed = true;
                    console.error(&Message::without_help(error.to_string()));
                    continue;
                }
            };
            let Some(path) = Utf8Path::from_path(entry.path()) else {
                failed = true;
                let message = format!("{}: the name is not UTF-8", entry.path().to_string_lossy());
                console.error(&Message::new(message, "rename it"));
                continue;
            };
            let file_name = entry.file_name().to_string_lossy();
            if is_temporary(&file_name) {
                let text = format!("{path}: left out: it is the temporary file of an interrupted command");
                console.warn(&Message::new(text, "remove it"));
                continue;
            }
            let kind = entry.file_type();
            if kind.is_dir() {
                continue;
            }
            if !kind.is_file() {
                let what = if kind.is_symlink() { "a symbolic link" } else { "not a regular file" };
                console.warn(&Message::without_help(format!("{path}: left out: it is {what}")));
                continue;
            }
            if archive.is_some() && path.canonicalize_utf8().ok() == archive {
                continue;
            }
            let below = path.strip_prefix(&start).unwrap_or(path);
            let parts = name.split('/').chain(below.components().map(|part| part.as_str()));
            let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
            let size = entry.metadata().map_or(0, |metadata| metadata.len());
            files.push(Collected { name: parts.join("/"), path: path.to_owned(), size });
        }
    }
    if failed {
        return Err(Message::without_help("nothing was written").into());
    }
    Ok(files)
}

/// A path as a name: relative, `/` between its parts, without `.`; `..` stays for the checks to refuse.
fn name_of(root: Option<&Utf8Path>, path: &Utf8Path) -> Option<String> {
    let relative = if path.is_absolute() {
        let root = root.map_or_else(|| Utf8PathBuf::from("."), Utf8Path::to_owned);
        path.strip_prefix(camino::absolute_utf8(root).ok()?).ok()?
    } else {
        path
    };
    let parts = relative.components().map(|part| part.as_str());
    Some(parts.filter(|part| *part != ".").collect::<Vec<_>>().join("/"))
}

impl Collected {
    /// The content, which is read when the entry is written.
    pub(crate) fn source(&self) -> Result<Source<'static>, Message> {
        Source::file(&self.path).map_err(|error| Message::without_help(format!("{}: {error}", self.path)))
    }
}
