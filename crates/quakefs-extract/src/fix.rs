//! Renames that make a game work on every system.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use camino::{Utf8Path, Utf8PathBuf};
use quakefs::rules::{Host, LooseCase};
use quakefs::why::{portable_layer, portable_name};
use quakefs::{Error, Layer, SearchPath};
use walkdir::{DirEntry, WalkDir};

use crate::journal::{Journal, Step};

/// Renames after which a game works the same whether or not the disk ignores case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// The renames, in this order: the contents of a folder before the folder.
    pub renames: Vec<Rename>,
    /// Renames that cannot be done, sorted by path.
    pub refused: Vec<(Rename, Refusal)>,
}

/// A rename within one folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Rename {
    /// The old path. No folder in it below the base directory is a link.
    pub from: Utf8PathBuf,
    /// The new path.
    pub to: Utf8PathBuf,
    /// The base directory or the user directory.
    root: Utf8PathBuf,
}

/// Why a rename is not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The new name is taken.
    #[error("the name {name} is taken")]
    Taken {
        /// The new name.
        name: String,
    },
    /// A link would lead nowhere afterwards.
    #[error("the link {link} leads through it: remove the link, or make it lead to the new name")]
    Linked {
        /// The link.
        link: Utf8PathBuf,
    },
    /// The file is not in the base directory or the user directory, or only a link there leads to it.
    #[error("it is outside of the base directory, in {folder}")]
    Outside {
        /// Its folder, without links.
        folder: Utf8PathBuf,
    },
}

/// The renames that [`check`](quakefs::why::check) advises for files on this computer: archives and folders
/// get the name that the engine looks for, and loose files get lower case. Nothing outside of the base
/// directories and the user directory is renamed, and nothing that a symbolic link in them leads through.
/// This function renames nothing.
///
/// # Errors
/// The search path cannot be mounted as on Windows.
pub fn fix(search_path: &SearchPath) -> Result<Fix, Error> {
    let ignoring = search_path.remount_with(|builder| builder.host(Host::Windows))?;
    let mut names: BTreeMap<Utf8PathBuf, String> = BTreeMap::new();
    for layer in ignoring.layers() {
        if let (Some(asked), Some(path)) = (portable_layer(layer), layer.system_path()) {
            names.insert(path, asked.to_owned());
        }
    }
    let exact = search_path.remount_with(|builder| builder.host(Host::Linux)).ok();
    let finds_any_case = exact.as_ref().is_some_and(|exact| exact.loose().case == LooseCase::Ignored);
    // of two names that differ only in case, a mount as on Windows has only one
    for search_path in std::iter::once(&ignoring).chain(&exact).filter(|_| !finds_any_case) {
        let listed = search_path.listed();
        let roots: Vec<_> = listed.layers().map(Layer::system_path).collect();
        for file in listed.files().filter(|file| portable_name(listed.rules(), file).is_some()) {
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
    let layers = ignoring.layers().chain(exact.iter().flat_map(SearchPath::layers));
    let game: Vec<_> = layers.filter_map(Layer::system_path).filter(|path| path.is_dir()).collect();
    Ok(Fix::new(&roots(search_path), &game, &names))
}

impl Fix {
    fn new(roots: &[Root], game: &[Utf8PathBuf], names: &BTreeMap<Utf8PathBuf, String>) -> Fix {
        let mut fix = Fix::default();
        if names.is_empty() {
            return fix;
        }
        let linked = linked(roots, game);
        let mut folders: HashMap<&Utf8Path, RenameFolder> = HashMap::new();
        // links may show one file under several names
        let mut seen = HashSet::new();
        let mut targets = HashSet::new();
        for (from, name) in names {
            let (Some(parent), Some(old)) = (from.parent(), from.file_name()) else { continue };
            let folder = folders.entry(parent).or_insert_with(|| RenameFolder::find(parent, roots));
            let real = folder.real.join(old);
            if !seen.insert(real.clone()) {
                continue;
            }
            let Some((root, path)) = &folder.below else {
                let rename =
                    Rename { from: from.clone(), to: from.with_file_name(name), root: parent.to_owned() };
                fix.refused.push((rename, Refusal::Outside { folder: folder.real.clone() }));
                continue;
            };
            let folder_path = path.iter().fold(root.clone(), |folder, name| folder.join(name));
            let rename =
                Rename { from: folder_path.join(old), to: folder_path.join(name), root: root.clone() };
            let is_free = targets.insert(folder.real.join(name)) && !folder.names.contains(name);
            if !is_free {
                fix.refused.push((rename, Refusal::Taken { name: name.clone() }));
            } else if let Some(link) = linked.get(real.as_std_path()) {
                fix.refused.push((rename, Refusal::Linked { link: link.clone() }));
            } else {
                fix.renames.push(rename);
            }
        }
        let depth = |rename: &Rename| rename.from.components().count();
        fix.renames.sort_by(|a, b| depth(b).cmp(&depth(a)).then_with(|| a.cmp(b)));
        fix.refused.sort_by(|(a, _), (b, _)| a.cmp(b));
        fix
    }

    /// Does the renames and returns the journals that undo them: one in the base directory, and one in each
    /// other folder of game directories that has renames. `each` gets the outcome of each rename. No file is
    /// replaced. If the process is killed, the journals undo what was done.
    ///
    /// # Errors
    /// A journal cannot be written. Then no file was renamed.
    pub fn write(&self, each: &mut dyn FnMut(&Rename, Result<(), Error>)) -> Result<Vec<Journal>, Error> {
        let mut by_root: BTreeMap<&Utf8Path, Vec<&Rename>> = BTreeMap::new();
        for rename in &self.renames {
            by_root.entry(&rename.root).or_default().push(rename);
        }
        let mut journals: Vec<Journal> = Vec::new();
        for (root, renames) in &by_root {
            match Journal::fix(root, renames.iter().map(|rename| rename.step()).collect()) {
                Ok(journal) => journals.push(journal),
                Err(error) => {
                    // a journal of renames that never happened is harmless
                    for journal in &journals {
                        let _ = journal.remove();
                    }
                    return Err(error);
                }
            }
        }
        for (renames, journal) in by_root.values().zip(&journals) {
            let mut renames = renames.iter();
            journal.rename(&mut |outcome| {
                if let Some(rename) = renames.next() {
                    each(rename, outcome);
                }
            });
        }
        Ok(journals)
    }
}

impl Rename {
    fn step(&self) -> Step {
        let path = self.from.strip_prefix(&self.root).unwrap_or(&self.from);
        let path = path.components().map(|part| part.as_str()).collect::<Vec<_>>().join("/");
        Step::Renamed { path, name: self.to.file_name().unwrap_or_default().to_owned() }
    }
}

/// A folder of game directories.
struct Root {
    path: Utf8PathBuf,
    /// Its path without links.
    real: Utf8PathBuf,
}

fn roots(search_path: &SearchPath) -> Vec<Root> {
    let root = |path: Utf8PathBuf| Some(Root { real: path.canonicalize_utf8().ok()?, path });
    search_path.roots().into_iter().filter_map(root).collect()
}

/// A folder in which something may be renamed.
struct RenameFolder {
    /// Its path without links.
    real: Utf8PathBuf,
    /// The root that it is in, and the names of the folders from there.
    below: Option<(Utf8PathBuf, Vec<String>)>,
    /// The exact names in it.
    names: HashSet<String>,
}

impl RenameFolder {
    fn find(path: &Utf8Path, roots: &[Root]) -> RenameFolder {
        let real = path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
        let below = roots.iter().filter_map(|root| Some((root, real.strip_prefix(&root.real).ok()?)));
        // the innermost, if one root is inside another
        let below = below.min_by_key(|(_, path)| path.as_str().len());
        let names_of = |path: &Utf8Path| path.components().map(|part| part.as_str().to_owned()).collect();
        let below = below.map(|(root, path)| (root.path.clone(), names_of(path)));
        let entries = real.read_dir_utf8().into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_owned()).collect();
        RenameFolder { real, below, names }
    }
}

/// Linux follows at most 40 symbolic links (`path_resolution(7)`).
const LINKS: usize = 40;

/// Every path, without links, that a link leads through, and one such link. Looks for links below the roots,
/// below the folders that a link directly in a root leads to, which may be other mods, and wherever links
/// lead from the game's own folders.
fn linked(roots: &[Root], game: &[Utf8PathBuf]) -> HashMap<PathBuf, Utf8PathBuf> {
    let mut linked = HashMap::new();
    let mut seen = HashSet::new();
    let folder_at = |path: &Path| path.canonicalize().ok().filter(|path| path.is_dir());
    let mut todo: Vec<(PathBuf, Follow)> =
        roots.iter().map(|root| (root.real.clone().into(), Follow::First)).collect();
    todo.extend(game.iter().filter_map(|path| Some((folder_at(path.as_std_path())?, Follow::All))));
    // from the end: the game's folders are first
    while let Some((folder, followed)) = todo.pop() {
        let is_new = |entry: &DirEntry| !entry.file_type().is_dir() || seen.insert(entry.path().to_owned());
        let below = WalkDir::new(&folder).into_iter().filter_entry(is_new).flatten();
        for link in below.filter(DirEntry::path_is_symlink) {
            let in_root = roots.iter().find_map(|root| link.path().strip_prefix(&root.real).ok());
            let name = Utf8PathBuf::from(in_root.unwrap_or(link.path()).to_string_lossy().into_owned());
            follow(link.path(), &mut |path| {
                linked.entry(path.to_owned()).or_insert_with(|| name.clone());
            });
            let next = match followed {
                Follow::All => Follow::All,
                Follow::First if link.depth() == 1 => Follow::None,
                Follow::First | Follow::None => continue,
            };
            todo.extend(folder_at(link.path()).map(|folder| (folder, next)));
        }
    }
    linked
}

/// The links to folders whose targets are searched too.
#[derive(Clone, Copy)]
enum Follow {
    All,
    /// Those directly in the folder.
    First,
    None,
}

/// Calls `each` with every path that the system looks up after a link, without links in front of its last
/// part.
fn follow(link: &Path, each: &mut dyn FnMut(&Path)) {
    let mut path = link.to_owned();
    // the rest of the way, the last part first
    let mut rest: Vec<PathBuf> = Vec::new();
    let mut links = 0;
    loop {
        if let Ok(to) = path.read_link() {
            links += 1;
            if links > LINKS {
                return;
            }
            path.pop();
            rest.extend(to.components().rev().map(|part| PathBuf::from(part.as_os_str())));
        }
        let Some(part) = rest.pop() else { return };
        match part.components().next() {
            Some(Component::ParentDir) => drop(path.pop()),
            Some(Component::Normal(name)) => {
                path.push(name);
                each(&path);
            }
            // a prefix or a root replaces the path
            Some(Component::RootDir | Component::Prefix(_)) => path.push(&part),
            Some(Component::CurDir) | None => {}
        }
    }
}
