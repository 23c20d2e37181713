//! Temporary folders, from text and as text.

use std::fmt::Write as _;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use pak_format::Layout;
use tempfile::TempDir;

use crate::{pack, zip};

/// A folder for one test. Dropping it removes it.
#[derive(Debug)]
pub struct Folder {
    path: Utf8PathBuf,
    _guard: TempDir,
}

impl Default for Folder {
    fn default() -> Self {
        Folder::new()
    }
}

impl Folder {
    /// An empty folder.
    #[must_use]
    pub fn new() -> Self {
        let guard = tempfile::tempdir().unwrap();
        // the temporary folder may be below a link, but answers contain the resolved path
        let real = Utf8PathBuf::from_path_buf(guard.path().canonicalize().unwrap()).unwrap();
        // Windows does not accept `/` after this prefix
        let path = real.as_str().strip_prefix(r"\\?\").map_or(real.clone(), Utf8PathBuf::from);
        Folder { path, _guard: guard }
    }

    /// A folder with these files.
    pub fn with<N: AsRef<str>, C: AsRef<[u8]>>(files: impl IntoIterator<Item = (N, C)>) -> Self {
        let folder = Folder::new();
        files.into_iter().for_each(|(name, content)| folder.write(name.as_ref(), content));
        folder
    }

    /// The absolute path of the folder.
    #[must_use]
    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// The absolute path of a name in the folder.
    #[must_use]
    pub fn join(&self, name: &str) -> Utf8PathBuf {
        self.path.join(name)
    }

    /// Writes a file, and makes the folders that its name needs.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// A text with `[DIR]` instead of the path of the folder, so that it is the same in each run and on each
    /// system.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        redacted(text, self.path.as_str(), "[DIR]")
    }

    /// The names in the folder of a name, sorted. The empty name is the folder itself.
    #[must_use]
    pub fn names(&self, name: &str) -> Vec<String> {
        let entries = self.path.join(name).read_dir_utf8().unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().to_owned()).collect();
        names.sort();
        names
    }

    /// The tree below a name: a line for each file with its content, for each link, and for each empty
    /// folder.
    #[must_use]
    pub fn tree(&self, name: &str) -> String {
        let mut text = String::new();
        tree(&self.path.join(name), "", &mut text);
        self.redact(&text)
    }
}

/// A text with a word for a path.
#[must_use]
pub fn redacted(text: &str, path: &str, word: &str) -> String {
    let text = portable(text).replace(&portable(path), word);
    // messages may contain the path itself or its absolute form
    match std::path::absolute(path) {
        Ok(whole) if cfg!(windows) => text.replace(&portable(whole.to_str().unwrap()), word),
        _ => text,
    }
}

/// A text with the paths of Windows in the form of other systems: `C:\mods\a.pak` becomes `/mods/a.pak`.
#[must_use]
pub fn portable(text: &str) -> String {
    if !cfg!(windows) {
        return text.to_owned();
    }
    let mut portable = String::new();
    let mut rest = text;
    while let Some(colon) = rest.find(r":\").into_iter().chain(rest.find(":/")).min() {
        let drive = rest.get(..colon).and_then(|before| before.chars().next_back());
        let (before, path) = rest.split_at(colon);
        // the text in brackets is the name of an entry
        let is_name = before.len() > 1 && before.as_bytes()[before.len() - 2] == b'(';
        let Some(drive) = drive.filter(|letter| letter.is_ascii_uppercase() && !is_name) else {
            portable.extend([before, ":"]);
            rest = &path[1..];
            continue;
        };
        portable.push_str(before.strip_suffix(drive).unwrap());
        let ends =
            |letter: char| letter.is_whitespace() || letter.is_control() || "\"'`,;:|>)".contains(letter);
        let end = path[1..].find(ends).map_or(path.len(), |end| end + 1);
        portable.push_str(&path[1..end].replace(r"\\", "/").replace('\\', "/"));
        rest = &path[end..];
    }
    portable + rest
}

/// A text with the system's errors in the words and numbers of Linux.
#[must_use]
pub fn system_errors(text: &str) -> String {
    const END: &str = " (os error ";
    let mut parts = text.split(END);
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once(')').unwrap();
        let words = match std::io::Error::from_raw_os_error(number.parse().unwrap()).kind() {
            std::io::ErrorKind::NotFound => "No such file or directory (os error 2)",
            std::io::ErrorKind::AlreadyExists => "File exists (os error 17)",
            _ => {
                result.extend([END, part]);
                continue;
            }
        };
        let start = result.rfind([':', '\n']).map_or(0, |colon| colon + 1);
        result.truncate(start);
        result.extend([" ", words, rest]);
    }
    result
}

fn tree(folder: &Utf8Path, prefix: &str, text: &mut String) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    if entries.is_empty() {
        writeln!(text, "{} is empty", if prefix.is_empty() { "./" } else { prefix }).unwrap();
    }
    for entry in entries {
        let path = Utf8PathBuf::from_path_buf(entry.path()).unwrap();
        let name = format!("{prefix}{}", path.file_name().unwrap());
        if path.is_symlink() {
            writeln!(text, "{name} -> {}", path.read_link_utf8().unwrap()).unwrap();
        } else if path.is_dir() {
            tree(&path, &format!("{name}/"), text);
        } else {
            writeln!(text, "{name}: {}", fs::read(&path).unwrap().escape_ascii()).unwrap();
        }
    }
}

/// Makes a base directory from text: `id1/pak0.pak: a.cfg b.cfg; mod/: c.cfg`.
///
/// The content of a file is its location, `id1/pak0.pak:1` or `mod/c.cfg`, so a test sees which copy it read.
/// `a.cfg=hello` gives the file other bytes. The extension of an archive decides its kind.
#[must_use]
pub fn game(text: &str) -> Folder {
    let folder = Folder::new();
    for (path, content) in game_files(text) {
        match content {
            Some(content) => folder.write(&path, content),
            None => fs::create_dir_all(folder.join(&path)).unwrap(),
        }
    }
    folder
}

/// The files and the empty folders of a base directory, from text as [`game`] parses it.
pub(crate) fn game_files(text: &str) -> Vec<(String, Option<Vec<u8>>)> {
    let mut files = Vec::new();
    for layer in text.split(';').map(str::trim).filter(|layer| !layer.is_empty()) {
        let (place, names) = layer.split_once(':').unwrap();
        let names = names.split_whitespace().enumerate().map(|(row, name)| match name.split_once('=') {
            Some((name, content)) => (name, content.to_owned()),
            None if place.ends_with('/') => (name, format!("{place}{name}")),
            None => (name, format!("{place}:{row}")),
        });
        if place.ends_with('/') {
            files.push((place.to_owned(), None));
            files.extend(names.map(|(name, content)| (format!("{place}{name}"), Some(content.into_bytes()))));
        } else {
            let image = match place.rsplit('.').next() {
                Some("pk3" | "pkz" | "PK3") => zip(names),
                Some("sin") => pack(Layout::Sin, names),
                _ => pack(Layout::Quake, names),
            };
            files.push((place.to_owned(), Some(image)));
        }
    }
    files
}
