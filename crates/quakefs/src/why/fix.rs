//! Renames that make a game work on every system.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::rules::{Host, LooseCase};
use crate::{Error, Layer, SearchPath};
use camino::{Utf8Path, Utf8PathBuf};

use crate::why::portability::{is_asked_with_capitals, is_to_be_renamed};

/// Renames after which a game works the same whether or not the disk ignores case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// The renames, in this order: the contents of a folder before the folder.
    pub renames: Vec<Rename>,
    /// Renames whose new name is taken, sorted by path.
    pub taken: Vec<Rename>,
}

/// A rename within one folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Rename {
    /// The old path.
    pub from: Utf8PathBuf,
    /// The new path.
    pub to: Utf8PathBuf,
}

impl Rename {
    /// Renames a file or folder within its folder.
    #[must_use]
    pub fn new(from: impl Into<Utf8PathBuf>, name: &str) -> Rename {
        let from = from.into();
        let to = from.with_file_name(name);
        Rename { from, to }
    }
}

/// The renames that [`check`](crate::why::check) advises for files on this computer: archives and folders
/// get the name that the engine looks for, and loose files get lower case. This function renames nothing.
///
/// # Errors
/// The search path cannot be mounted as on Windows.
pub fn fix(stack: &SearchPath) -> Result<Fix, Error> {
    let ignoring = stack.remount_with(|builder| builder.host(Host::Windows))?;
    let mut names: BTreeMap<Utf8PathBuf, String> = BTreeMap::new();
    for layer in ignoring.layers() {
        if let (Some(asked), Some(path)) =
            (layer.expected_name().filter(|asked| is_to_be_renamed(layer, asked)), layer.system_path())
        {
            names.insert(path, asked.to_owned());
        }
    }
    let exact = stack.remount_with(|builder| builder.host(Host::Linux)).ok();
    let finds_any_case = exact.as_ref().is_some_and(|exact| exact.rules().loose.case == LooseCase::Ignored);
    // of two names that differ only in case, a mount as on Windows has only one
    for stack in std::iter::once(&ignoring).chain(&exact).filter(|_| !finds_any_case) {
        let listed = stack.listed();
        let roots: Vec<_> = listed.layers().map(Layer::system_path).collect();
        for file in listed.files().filter(is_asked_with_capitals) {
            let (Some(Some(root)), Ok(stored)) =
                (roots.get(file.layer().index()), std::str::from_utf8(file.stored().as_bytes()))
            else {
                continue;
            };
            for path in Utf8Path::new(stored).ancestors().filter(|path| !path.as_str().is_empty()) {
                let name = path.file_name().unwrap_or_default();
                if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
                    names.insert(root.join(path), name.to_ascii_lowercase());
                }
            }
        }
    }
    Ok(Fix::new(names.iter().map(|(from, name)| Rename::new(from.clone(), name))))
}

impl Fix {
    fn new(renames: impl Iterator<Item = Rename>) -> Fix {
        let mut fix = Fix::default();
        let mut targets = HashSet::new();
        let mut listed: HashMap<Utf8PathBuf, HashSet<String>> = HashMap::new();
        for rename in renames {
            let (folder, name) = (rename.to.parent().unwrap_or(&rename.to), rename.to.file_name());
            let listed = listed.entry(folder.to_owned()).or_insert_with(|| names_in(folder));
            let is_listed = name.is_some_and(|name| listed.contains(name));
            let is_free = targets.insert(rename.to.clone()) && !is_listed;
            if is_free { fix.renames.push(rename) } else { fix.taken.push(rename) }
        }
        let depth = |rename: &Rename| rename.from.components().count();
        fix.renames.sort_by(|a, b| depth(b).cmp(&depth(a)).then_with(|| a.cmp(b)));
        fix
    }
}

/// The names in a folder, in its own spelling.
fn names_in(folder: &Utf8Path) -> HashSet<String> {
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_owned()).collect()
}
