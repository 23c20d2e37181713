//! The merged tree: the files of a search path by folder, for browsers, mounts and engines that list folders.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::ops::Range;

use pak_format::{EntryName, EntryNameBuf, NameFault};

use super::file::File;
use super::index::{FileId, Names as _};
use super::layer::Layer;
use super::listing::Listing;
use super::lookup::Core;
use super::mounted::Layers;
use super::names::SortedNames;
use super::surface::SearchPath;
use crate::error::{Error, ErrorKind};
use crate::no_path::NoPath;
use crate::rules::{Case, QPath, Rules};

/// A file or a folder in the list of [`SearchPath::read_dir`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DirEntry<'a> {
    /// The name in the folder, without a `/`.
    pub name: EntryNameBuf,
    /// The file; `None` for a folder.
    pub file: Option<File<'a>>,
}

impl DirEntry<'_> {
    /// Whether the entry is a folder.
    #[must_use]
    pub fn is_dir(&self) -> bool {
        self.file.is_none()
    }
}

impl SearchPath {
    /// Whether the merged tree has a file or a folder of this name.
    #[must_use]
    pub fn exists(&self, name: impl AsRef<[u8]>) -> bool {
        let name = name.as_ref();
        self.find(name).is_some() || self.is_dir(name)
    }

    /// Whether a layer has a folder of this name. The root is the empty name. A `/` at the end is ignored.
    #[must_use]
    pub fn is_dir(&self, folder: impl AsRef<[u8]>) -> bool {
        let folder = folder.as_ref();
        self.is_dir_as_spelled(folder) || self.is_dir_in_other_case(folder)
    }

    /// Whether an archive has a folder of this name, or a loose folder in exactly this spelling.
    fn is_dir_as_spelled(&self, folder: &[u8]) -> bool {
        let Some(folder) = FolderName::new(folder, self.rules()) else { return false };
        let names = self.names();
        folder.in_archives().is_empty()
            || has_path(names, names.starting_with(&folder.prefix(self.rules().archives.case)))
            // the root exists in every folder
            || (!folder.in_folders().is_empty()
                && self
                    .layers()
                    .filter_map(Layer::folder)
                    .any(|on_disk| on_disk.has_folder(folder.in_folders())))
    }

    /// Whether a loose folder has this name in another case, if the engine ignores case. This lists each
    /// parent folder.
    fn is_dir_in_other_case(&self, folder: &[u8]) -> bool {
        self.rules().archives.case == Case::Ignored
            && self
                .folder(folder)
                .is_some_and(|folder| folder.loose.iter().any(|(_, found)| !found.is_empty()))
    }

    /// Lists a folder of the merged tree, sorted by name: its winning files and its subfolders. The root is
    /// the empty name. Loose folders are read from disk even if files are
    /// [`Listed`](crate::LooseFiles::Listed).
    ///
    /// A folder hides a file of the same name; [`tree`](Self::tree) reports such files. If the engine ignores
    /// case, folders that differ only in case are merged. The full name of a file in such a folder may be
    /// spelled differently from `folder`: [`File::name`] of its [`file`](DirEntry::file) always finds it.
    ///
    /// ```
    /// # let quake = testutils::search_path::game_in_memory("id1/pak0.pak: maps/start.bsp").mount()?;
    /// for entry in quake.read_dir("maps")? {
    ///     println!("{}{}", entry.name, if entry.is_dir() { "/" } else { "" });
    /// }
    /// assert_eq!(quake.read_dir("")?[0].name, "maps");
    /// # Ok::<(), quakefs::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchFolder`].
    pub fn read_dir(&self, folder: impl AsRef<[u8]>) -> Result<Vec<DirEntry<'_>>, Error> {
        let asked = folder.as_ref();
        let missing = || Error::from(ErrorKind::NoSuchFolder { name: asked.into() });
        if !self.is_dir(asked) {
            return Err(missing());
        }
        let folder = self.folder(asked).ok_or_else(missing)?;
        let case = self.rules().archives.case;
        let mut found = Children { case, folders: HashMap::new(), files: HashMap::new() };
        self.children_in_archives(&folder.name, &mut found);
        for (on_disk, spellings) in &folder.loose {
            for spelling in spellings {
                for (name, is_folder) in on_disk.children(spelling) {
                    let mut path = spelling.clone();
                    if !path.is_empty() {
                        path.push(b'/');
                    }
                    path.extend_from_slice(&name);
                    if is_folder {
                        found.folder(&name);
                    } else if let Some(file) = self.served_as(&path) {
                        found.file(name, file, folder.name.in_folders());
                    }
                }
            }
        }
        Ok(found.sorted())
    }

    /// Returns the file or folder at a path of the merged tree. As in [`read_dir`](Self::read_dir), a folder
    /// hides a file of the same name, and archives that are layers are left out. The root is the empty path.
    ///
    /// A path in the spelling of `read_dir` needs no listing of folders on disk.
    #[must_use]
    pub fn dir_entry(&self, path: impl AsRef<[u8]>) -> Option<DirEntry<'_>> {
        let path = path.as_ref();
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        let entry = |file| DirEntry { name: name.to_vec().into(), file };
        if self.is_dir_as_spelled(path) {
            return Some(entry(None));
        }
        match self.find(path) {
            Some(found)
                if found.entry().is_none() && self.0.is_layer(found.layer(), found.name().as_bytes()) =>
            {
                None
            }
            Some(found) => Some(entry(Some(found))),
            None => self.is_dir_in_other_case(path).then(|| entry(None)),
        }
    }

    /// Builds the whole merged tree, with counts. Folders without files are left out. Winners whose paths
    /// collide or are invalid are in [`Tree::without_path`].
    #[must_use]
    pub fn tree(&self) -> Tree {
        self.0.with_listing(|listing| Tree::new(&self.0, listing))
    }

    fn names(&self) -> &SortedNames {
        self.0.names.get_or_init(|| {
            SortedNames::of_winners(&self.0.archives, &self.0.layers, self.0.rules.archives.case)
        })
    }

    /// The winner of exactly this name, unless it is an archive that is a layer.
    fn served_as(&self, name: &[u8]) -> Option<File<'_>> {
        let file = self.find(name)?;
        (file.name().as_bytes() == name && !(file.entry().is_none() && self.0.is_layer(file.layer(), name)))
            .then_some(file)
    }

    fn children_in_archives<'a>(&'a self, folder: &FolderName<'_>, found: &mut Children<'a>) {
        let prefix = folder.prefix(self.rules().archives.case);
        let names = self.names();
        let mut rest = names.starting_with(&prefix);
        while let Some((range, id)) = rest.first() {
            let below = names.name(range).get(prefix.len()..).unwrap_or_default();
            let stored = Layers::name(&self.0.layers, *id);
            let spelled = stored.get(prefix.len()..).unwrap_or_default();
            let inside = if let Some(end) = below.iter().position(|&byte| byte == b'/') {
                let inside = [&prefix, below.get(..=end).unwrap_or_default()].concat();
                let count = rest.partition_point(|(name, _)| names.name(name).starts_with(&inside));
                if has_path(names, rest.get(..count).unwrap_or_default()) {
                    found.folder(spelled.get(..end).unwrap_or_default());
                }
                count
            } else {
                if is_component(below)
                    && let Some(file) = self.served_as(stored)
                {
                    found.file(spelled.to_vec(), file, folder.in_archives());
                }
                1
            };
            rest = rest.get(inside.max(1)..).unwrap_or_default();
        }
    }

    /// A folder, with its name in each layer. Returns `None` if the name is not a valid request.
    fn folder<'n>(&self, name: &'n [u8]) -> Option<TreeFolder<'_, 'n>> {
        let name = FolderName::new(name, self.rules())?;
        let in_folders = name.in_folders();
        let folders = self.layers().filter_map(Layer::folder).map(|on_disk| {
            let spellings = match self.rules().archives.case {
                _ if name.is_root() => vec![Vec::new()],
                _ if in_folders.is_empty() => Vec::new(),
                Case::Exact if on_disk.has_folder(in_folders) => vec![in_folders.to_vec()],
                Case::Exact => Vec::new(),
                Case::Ignored => {
                    in_folders.split(|&byte| byte == b'/').fold(vec![Vec::new()], |within, part| {
                        within.iter().flat_map(|path| spellings_of(on_disk, path, part)).collect()
                    })
                }
            };
            (on_disk, spellings)
        });
        let loose = folders.collect();
        Some(TreeFolder { name, loose })
    }
}

/// The subfolders on disk with this name in any case.
fn spellings_of(on_disk: &super::folder::LooseFolder, within: &[u8], part: &[u8]) -> Vec<Vec<u8>> {
    let children = on_disk.children_any_case(within, part).into_iter();
    let alike = children.filter(|(_, is_folder)| *is_folder).map(|(name, _)| name);
    alike.map(|name| if within.is_empty() { name } else { [within, b"/", &name].concat() }).collect()
}

/// The name of a folder, as requested from each kind of layer.
struct FolderName<'n>(Option<QPath<'n>>);

impl<'n> FolderName<'n> {
    /// Returns `None` if it is not a valid request.
    fn new(name: &'n [u8], rules: &Rules) -> Option<Self> {
        let name = name.strip_suffix(b"/").unwrap_or(name);
        if name.is_empty() {
            Some(FolderName(None))
        } else {
            Some(FolderName(Some(QPath::new(name, &rules.requests).ok()?)))
        }
    }

    fn is_root(&self) -> bool {
        self.0.is_none()
    }

    fn in_archives(&self) -> &[u8] {
        self.0.as_ref().map_or(&[], QPath::in_archives)
    }

    fn in_folders(&self) -> &[u8] {
        self.0.as_ref().map_or(&[], QPath::in_folders)
    }

    /// The prefix of the folder's entries in the sorted names.
    fn prefix(&self, case: Case) -> Vec<u8> {
        let mut prefix = case.fold(self.in_archives());
        if !prefix.is_empty() {
            prefix.push(b'/');
        }
        prefix
    }
}

/// A folder of the merged tree.
struct TreeFolder<'a, 'n> {
    name: FolderName<'n>,
    /// The layers of loose files, with the spellings of the folder on disk.
    loose: Vec<(&'a super::folder::LooseFolder, Vec<Vec<u8>>)>,
}

/// The children of a folder, while they are collected.
struct Children<'a> {
    case: Case,
    /// The displayed spelling, by the name for comparison.
    folders: HashMap<Vec<u8>, Vec<u8>>,
    files: HashMap<Vec<u8>, File<'a>>,
}

impl<'a> Children<'a> {
    fn folder(&mut self, name: &[u8]) {
        let shown = self.folders.entry(self.case.fold(name)).or_default();
        // the last spelling in byte order, which prefers lower case
        if name > &**shown {
            *shown = name.to_vec();
        }
    }

    /// Adds a file. If merged folders have two files of the same name, the file in the requested spelling
    /// wins, else the last in byte order, as in a [`Tree`].
    fn file(&mut self, name: Vec<u8>, file: File<'a>, asked: &[u8]) {
        let in_asked = |file: &File<'a>| file.name().as_bytes().starts_with(asked);
        match self.files.entry(name) {
            Entry::Vacant(place) => {
                place.insert(file);
            }
            Entry::Occupied(mut place) => {
                let kept = place.get();
                if (in_asked(kept), kept.name()) < (in_asked(&file), file.name()) {
                    place.insert(file);
                }
            }
        }
    }

    fn sorted(self) -> Vec<DirEntry<'a>> {
        let Children { case, folders, files } = self;
        let files = files.into_iter().filter(|(name, _)| !folders.contains_key(&case.fold(name)));
        let mut entries: Vec<_> =
            files.map(|(name, file)| DirEntry { name: name.into(), file: Some(file) }).collect();
        entries.extend(folders.values().map(|name| DirEntry { name: name.clone().into(), file: None }));
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        entries
    }
}

/// Whether one of these entries has a valid path.
fn has_path(names: &SortedNames, entries: &[(Range<usize>, FileId)]) -> bool {
    entries.iter().any(|(range, _)| is_path(names.name(range)))
}

/// Whether a name is a valid path.
fn is_path(name: &[u8]) -> bool {
    name.split(|&byte| byte == b'/').all(is_component)
}

fn is_component(part: &[u8]) -> bool {
    !part.is_empty() && part != b"." && part != b".."
}

/// The number of files, folders and bytes in a folder and below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Counts {
    /// Files.
    pub files: u64,
    /// Folders, without the folder itself.
    pub folders: u64,
    /// Bytes of content, according to rows and the disk.
    pub bytes: u64,
}

/// All files of a search path by folder. The tree is `'static`, and its files can be read.
///
/// ```
/// # let game = "id1/pak0.pak: maps/start.bsp=level maps/e1m1.bsp=level";
/// # let quake = testutils::search_path::game_in_memory(game).mount()?;
/// let tree = quake.tree();
/// let maps = tree.get("maps").expect("the pak has it");
/// assert_eq!((maps.counts.files, maps.counts.bytes), (2, 10));
/// let names: Vec<_> = maps.children().map(|child| child.name.to_string()).collect();
/// assert_eq!(names, ["e1m1.bsp", "start.bsp"]);
/// # Ok::<(), quakefs::Error>(())
/// ```
#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    without_path: Vec<WithoutPath>,
}

#[derive(Debug, Default)]
struct Node {
    name: Vec<u8>,
    parent: usize,
    /// Sorted by name.
    children: Vec<usize>,
    file: Option<File<'static>>,
    counts: Counts,
}

/// A file without a path of its own: in the merged tree, in an extraction or in a mounted folder.
#[derive(Clone, Debug)]
pub struct WithoutPath {
    /// The file.
    pub file: File<'static>,
    /// The reason.
    pub because: NoPath,
}

impl Tree {
    fn new(search_path: &Core, listing: &Listing) -> Tree {
        let mut tree = Tree { nodes: vec![Node::default()], without_path: Vec::new() };
        let mut folders: HashMap<(usize, Vec<u8>), usize> = HashMap::new();
        let mut files = Vec::new();
        let names = search_path.names_served(listing);
        for file in search_path.files_of(&names, listing) {
            let name = file.name().as_bytes().to_vec();
            if !is_path(&name) {
                // extraction drops empty components, but a tree cannot contain them
                let fault = file.name().to_disk_path().err().unwrap_or(NameFault::EmptyComponent);
                tree.without_path.push(WithoutPath { file: file.into_owned(), because: NoPath::Name(fault) });
                continue;
            }
            let (path, last) = match name.iter().rposition(|&byte| byte == b'/') {
                Some(slash) => (name.get(..slash), name.get(slash + 1..).unwrap_or_default()),
                None => (None, &*name),
            };
            let parts = path.into_iter().flat_map(|path| path.split(|&byte| byte == b'/'));
            let parent = parts.fold(0, |parent, part| {
                let next = tree.nodes.len();
                let node =
                    *folders.entry((parent, search_path.rules.archives.case.fold(part))).or_insert(next);
                if node == next {
                    tree.nodes.push(Node { parent, ..Node::default() });
                }
                if let Some(node) = tree.nodes.get_mut(node).filter(|node| part > &*node.name) {
                    node.name = part.to_vec();
                }
                node
            });
            files.push((parent, last.to_vec(), file.into_owned()));
        }
        tree.place(files, &folders, search_path.rules.archives.case);
        tree.link();
        tree
    }

    /// Puts each file into its folder, unless its path is taken.
    fn place(
        &mut self,
        files: Vec<(usize, Vec<u8>, File<'static>)>,
        folders: &HashMap<(usize, Vec<u8>), usize>,
        case: Case,
    ) {
        let mut taken: HashMap<(usize, Vec<u8>), usize> = HashMap::with_capacity(files.len());
        for (parent, name, mut file) in files {
            if folders.contains_key(&(parent, case.fold(&name))) {
                self.without_path
                    .push(WithoutPath { file, because: NoPath::FolderOfThatName { winner: None } });
                continue;
            }
            let number = self.nodes.len();
            let first = *taken.entry((parent, name.clone())).or_insert(number);
            if first == number {
                self.nodes.push(Node { name, parent, file: Some(file), ..Node::default() });
                continue;
            }
            // of several, the last in byte order: the path in the tree finds this one, if it finds any
            if let Some(kept) = self.nodes.get_mut(first).and_then(|node| node.file.as_mut())
                && kept.name() < file.name()
            {
                std::mem::swap(kept, &mut file);
            }
            self.without_path.push(WithoutPath { file, because: NoPath::SamePath { winner: None } });
        }
    }

    /// Links each node to its children, and counts files and bytes. A folder has a lower number than its
    /// children.
    fn link(&mut self) {
        for number in (1..self.nodes.len()).rev() {
            let Some(node) = self.nodes.get(number) else { continue };
            let (parent, is_folder) = (node.parent, node.file.is_none());
            let mut counts = node.counts;
            match &node.file {
                Some(file) => (counts.files, counts.bytes) = (1, file.size()),
                None => counts.folders += 1,
            }
            if let Some(node) = self.nodes.get_mut(number).filter(|_| !is_folder) {
                node.counts = counts;
            }
            if let Some(parent) = self.nodes.get_mut(parent) {
                parent.children.push(number);
                parent.counts.files += counts.files;
                parent.counts.folders += counts.folders;
                parent.counts.bytes = parent.counts.bytes.saturating_add(counts.bytes);
            }
        }
        for number in 0..self.nodes.len() {
            let Some(node) = self.nodes.get_mut(number) else { continue };
            let mut children = std::mem::take(&mut node.children);
            let name = |child: &usize| self.nodes.get(*child).map(|child| &*child.name);
            children.sort_unstable_by(|a, b| name(a).cmp(&name(b)));
            if let Some(node) = self.nodes.get_mut(number) {
                node.children = children;
            }
        }
    }

    /// The root folder. Its name is empty.
    #[must_use]
    pub fn root(&self) -> TreeNode<'_> {
        self.node(0)
    }

    /// The file or folder at a path, in the tree's spelling. The empty path is the root.
    #[must_use]
    pub fn get(&self, path: impl AsRef<[u8]>) -> Option<TreeNode<'_>> {
        let path = path.as_ref();
        let mut parts = path.split(|&byte| byte == b'/').filter(|part| !part.is_empty());
        parts.try_fold(self.root(), |node, part| node.child(part))
    }

    fn node(&self, number: usize) -> TreeNode<'_> {
        let node = self.nodes.get(number);
        TreeNode {
            name: EntryName::from_bytes(node.map_or(&[], |node| &node.name)),
            file: node.and_then(|node| node.file.as_ref()),
            counts: node.map_or_else(Counts::default, |node| node.counts),
            tree: self,
            number,
        }
    }

    /// Winners without a path: the name is not a valid path, is also a folder's, or collides with another
    /// file's path.
    #[must_use]
    pub fn without_path(&self) -> &[WithoutPath] {
        &self.without_path
    }
}

/// A file or a folder in a [`Tree`].
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct TreeNode<'t> {
    /// The name in the folder above, without a `/`. The root's is empty.
    pub name: EntryName<'t>,
    /// The file; `None` for a folder.
    pub file: Option<&'t File<'static>>,
    /// The number of files, folders and bytes in the folder and below. A file counts itself.
    pub counts: Counts,
    tree: &'t Tree,
    number: usize,
}

impl<'t> TreeNode<'t> {
    fn node(&self) -> Option<&'t Node> {
        self.tree.nodes.get(self.number)
    }

    /// The path from the root, in the tree's spelling. A request should use [`File::name`] instead.
    #[must_use]
    pub fn path(&self) -> Vec<u8> {
        let parent = self.node().map_or(0, |node| node.parent);
        if parent == 0 {
            return self.name.as_bytes().to_vec();
        }
        [&self.tree.node(parent).path(), &b"/"[..], self.name.as_bytes()].concat()
    }

    /// Whether this is a folder.
    #[must_use]
    pub fn is_dir(&self) -> bool {
        self.file.is_none()
    }

    /// The children of the folder, sorted by name; empty for a file.
    #[must_use]
    pub fn children(
        &self,
    ) -> impl DoubleEndedIterator<Item = TreeNode<'t>> + ExactSizeIterator + Clone + use<'t> {
        let (tree, children) = (self.tree, self.node().map_or(&[][..], |node| &node.children));
        children.iter().map(move |&number| tree.node(number))
    }

    /// The child of this name, in the tree's spelling.
    fn child(&self, name: &[u8]) -> Option<TreeNode<'t>> {
        let node = self.node()?;
        let name_of = |number: &usize| self.tree.nodes.get(*number).map(|node| &*node.name);
        let place = node.children.binary_search_by(|child| name_of(child).cmp(&Some(name))).ok()?;
        Some(self.tree.node(*node.children.get(place)?))
    }
}

impl fmt::Debug for TreeNode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreeNode").field("name", &self.name).field("counts", &self.counts).finish()
    }
}
