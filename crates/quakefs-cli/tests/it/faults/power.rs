//! Power cuts. `strace` records what a command writes. Then the disk is made as a power cut can leave it: a
//! call is on the disk if the file or the folder was flushed since, and any of the others may be. What is
//! found is the old or the new state, or an undo makes it the old one.
//!
//! The model is that of ALICE (Pillai and others, OSDI 2014): the names of a folder are its content, a rename
//! is one step, a write is torn at a sector.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::Path;

use testutils::command;

use super::journal::{FIX, PLACE, Pair, game};
use super::{COMMANDS, Scene, undisturbed};
use crate::BINARY;

const SECTOR: usize = 512;
/// All subsets of so many calls are tried. Of more, these: each beginning, each single one, all but each
/// single one.
const ALL_SUBSETS: usize = 8;

type Node = usize;
const ROOT: Node = 0;

/// A folder as the disk has it: names, and the bytes of files.
#[derive(Clone, Default)]
struct Tree {
    names: BTreeMap<(Node, Vec<u8>), Node>,
    files: HashMap<Node, Vec<u8>>,
}

/// All paths below a folder. A folder has no bytes.
type Picture = BTreeMap<String, Option<Vec<u8>>>;

/// A change of a disk, or the flush of a file or a folder.
enum Call {
    Write {
        file: Node,
        offset: usize,
        bytes: Vec<u8>,
    },
    Length {
        file: Node,
        length: usize,
    },
    /// Names that come and go in one step.
    Names(Vec<(Node, Vec<u8>, Option<Node>)>),
    Flush(Node),
}

impl Call {
    /// The files and folders whose flush puts the call on the disk.
    fn changes(&self) -> Vec<Node> {
        match self {
            Call::Write { file, .. } | Call::Length { file, .. } => vec![*file],
            Call::Names(names) => names.iter().map(|(folder, ..)| *folder).collect(),
            Call::Flush(_) => Vec::new(),
        }
    }
}

impl Tree {
    /// Reads a folder. `next` is the next number that no file has.
    fn read(path: &Path, folder: Node, next: &mut Node, tree: &mut Tree) {
        for entry in fs::read_dir(path).unwrap().map(Result::unwrap) {
            *next += 1;
            let node = *next;
            tree.names.insert((folder, entry.file_name().into_encoded_bytes()), node);
            if entry.file_type().unwrap().is_dir() {
                Tree::read(&entry.path(), node, next, tree);
            } else {
                tree.files.insert(node, fs::read(entry.path()).unwrap());
            }
        }
    }

    fn apply(&mut self, call: &Call) {
        match call {
            Call::Write { file, offset, bytes } => {
                let content = self.files.entry(*file).or_default();
                content.resize(content.len().max(offset + bytes.len()), 0);
                content[*offset..offset + bytes.len()].copy_from_slice(bytes);
            }
            Call::Length { file, length } => self.files.entry(*file).or_default().resize(*length, 0),
            Call::Names(names) => {
                for (folder, name, node) in names {
                    match node {
                        Some(node) => self.names.insert((*folder, name.clone()), *node),
                        None => self.names.remove(&(*folder, name.clone())),
                    };
                }
            }
            Call::Flush(_) => {}
        }
    }

    fn picture(&self) -> Picture {
        let mut picture = Picture::new();
        let mut open = vec![(ROOT, String::new())];
        while let Some((folder, path)) = open.pop() {
            let from = (folder, Vec::new());
            for ((_, name), node) in self.names.range(from..).take_while(|((found, _), _)| *found == folder) {
                let path = format!("{path}{}", std::str::from_utf8(name).unwrap());
                let file = self.files.get(node).cloned();
                if file.is_none() {
                    open.push((*node, format!("{path}/")));
                }
                picture.insert(path, file);
            }
        }
        // the next writer sweeps them
        picture.retain(|path, _| !path.ends_with(".tmp"));
        picture
    }
}

/// What a command did to a folder.
struct Recording {
    before: Tree,
    calls: Vec<Call>,
}

/// A traced process.
struct Recorder<'s> {
    root: &'s str,
    next: Node,
    now: Tree,
    calls: Vec<Call>,
    /// The new files, which are empty before the first write.
    made: Vec<Node>,
    handles: HashMap<String, (Option<Node>, usize)>,
}

impl Recording {
    fn of(scene: &Scene, line: &str) -> Recording {
        // each by its name on some architecture
        const TRACED: &str = "trace=?open,openat,?creat,?mkdir,mkdirat,write,pwrite64,writev,pwritev,\
            ftruncate,fallocate,fsync,fdatasync,sync,syncfs,?rename,renameat,renameat2,?link,linkat,\
            ?symlink,symlinkat,?unlink,unlinkat,?rmdir,lseek,copy_file_range,sendfile,splice";
        let trace = tempfile::NamedTempFile::new().unwrap();
        let mut strace = command("strace");
        strace.args(["-f", "-qq", "-xx", "-s", "1000000", "-e", TRACED]);
        // copies go through the memory of the process, which the trace shows
        strace.args(["-e", "inject=copy_file_range,sendfile,splice:error=ENOSYS", "-o"]);
        strace.arg(trace.path()).arg(BINARY).args(line.split_whitespace());
        let root = scene.folder.path().canonicalize().unwrap();
        let (mut before, mut next) = (Tree::default(), ROOT);
        Tree::read(&root, ROOT, &mut next, &mut before);
        let answer = scene.here(strace).output().unwrap();
        let err = String::from_utf8_lossy(&answer.stderr);
        assert!(answer.status.success(), "{line}: {err}");
        let mut recorder = Recorder {
            root: root.to_str().unwrap(),
            next,
            now: before.clone(),
            calls: Vec::new(),
            made: Vec::new(),
            handles: HashMap::new(),
        };
        let trace = fs::read_to_string(trace.path()).unwrap();
        // a call that another thread's interrupts stands in two lines
        let mut begun = HashMap::new();
        for text in trace.lines() {
            let (process, text) = text.split_once(' ').unwrap();
            let text = text.trim_start();
            if let Some(start) = text.strip_suffix(" <unfinished ...>") {
                begun.insert(process, start);
            } else if let Some((_, end)) = text.split_once(" resumed>") {
                recorder.call(&format!("{}{end}", begun.remove(process).unwrap()));
            } else {
                recorder.call(text);
            }
        }
        let mut there = Tree::default();
        Tree::read(&root, ROOT, &mut ROOT.clone(), &mut there);
        let (now, there) = (recorder.now.picture(), there.picture());
        assert!(now == there, "{line}: traced {:?}, found {:?}", now.keys(), there.keys());
        before.files.extend(recorder.made.into_iter().map(|file| (file, Vec::new())));
        Recording { before, calls: recorder.calls }
    }

    /// Each state of the disk after a power cut, with a word about where it was.
    fn cuts(&self, line: &str, mut look: impl FnMut(&Picture, &str)) -> usize {
        let mut seen = HashSet::new();
        for cut in 0..=self.calls.len() {
            let is_flushed = |index: usize| {
                let flushed = |node: &Node| {
                    let after = &self.calls[index..cut];
                    after.iter().any(|call| matches!(call, Call::Flush(flushed) if flushed == node))
                };
                self.calls[index].changes().iter().all(flushed)
            };
            let (on_disk, free): (Vec<_>, Vec<_>) = (0..cut).partition(|&index| is_flushed(index));
            for chosen in subsets(&free) {
                let mut tree = self.before.clone();
                let done = |index: &usize| on_disk.binary_search(index).is_ok() || chosen.contains(index);
                (0..cut).filter(done).for_each(|index| tree.apply(&self.calls[index]));
                let picture = tree.picture();
                if seen.insert(picture.clone()) {
                    look(
                        &picture,
                        &format!("{line}, a power cut after call {cut}, of {free:?} with {chosen:?}"),
                    );
                }
            }
        }
        println!("{line}: {} states of the disk after {} calls", seen.len(), self.calls.len());
        seen.len()
    }
}

fn subsets(free: &[usize]) -> Vec<HashSet<usize>> {
    let pick =
        |takes: &dyn Fn(usize) -> bool| (0..free.len()).filter(|&at| takes(at)).map(|at| free[at]).collect();
    if free.len() <= ALL_SUBSETS {
        return (0..1_usize << free.len()).map(|mask| pick(&|at| mask >> at & 1 == 1)).collect();
    }
    let each = 0..=free.len();
    each.flat_map(|one| [pick(&|at| at < one), pick(&|at| at == one), pick(&|at| at != one)]).collect()
}

impl Recorder<'_> {
    /// A line of the trace: `openat(AT_FDCWD, "\x61", O_RDONLY) = 3`.
    fn call(&mut self, text: &str) {
        let Some((name, rest)) = text.split_once('(') else { return };
        let Some((arguments, result)) = rest.split_once(" = ") else { return };
        let result = result.split(' ').next().unwrap();
        if result.starts_with('-') || result == "?" {
            return;
        }
        let args: Vec<_> = arguments.trim_end().trim_end_matches(')').split(", ").collect();
        let here = "AT_FDCWD";
        match name {
            "open" => self.open(here, args[0], args[1], result),
            "creat" => self.open(here, args[0], "O_CREAT|O_TRUNC", result),
            "openat" => self.open(args[0], args[1], args[2], result),
            "mkdir" => self.make_folder(here, args[0]),
            "mkdirat" => self.make_folder(args[0], args[1]),
            "write" => {
                let offset = self.handles.get(args[0]).map_or(0, |(_, offset)| *offset);
                self.write(args[0], &bytes(args[1]), offset);
                if let Some((_, offset)) = self.handles.get_mut(args[0]) {
                    *offset += number(result);
                }
            }
            "pwrite64" => self.write(args[0], &bytes(args[1]), number(args[3])),
            "ftruncate" => {
                if let Some(file) = self.node(args[0]) {
                    self.push(Call::Length { file, length: number(args[1]) });
                }
            }
            "lseek" => {
                if let Some((_, offset)) = self.handles.get_mut(args[0]) {
                    *offset = number(result);
                }
            }
            "fsync" | "fdatasync" => {
                if let Some(node) = self.node(args[0]) {
                    self.push(Call::Flush(node));
                }
            }
            "rename" => self.rename((here, args[0]), (here, args[1])),
            "renameat" | "renameat2" => self.rename((args[0], args[1]), (args[2], args[3])),
            "link" => self.link((here, args[0]), (here, args[1])),
            "linkat" => self.link((args[0], args[1]), (args[2], args[3])),
            "unlink" | "rmdir" => self.unlink(here, args[0]),
            "unlinkat" => self.unlink(args[0], args[1]),
            // its calls below the folder are not modelled
            _ => assert!(args.iter().all(|arg| self.node(arg).is_none()), "{text}"),
        }
    }

    fn push(&mut self, call: Call) {
        self.now.apply(&call);
        self.calls.push(call);
    }

    fn node(&self, handle: &str) -> Option<Node> {
        self.handles.get(handle).and_then(|(node, _)| *node)
    }

    /// The folder and the name of a path, if it is below the root. The root itself has no name.
    fn place(&self, folder: &str, path: &str) -> Option<(Node, Vec<u8>)> {
        let path = String::from_utf8(bytes(path)).unwrap();
        let (mut at, path) = match path.strip_prefix('/') {
            Some(_) => (ROOT, path.strip_prefix(self.root)?),
            None if folder == "AT_FDCWD" => (ROOT, &*path),
            None => (self.node(folder)?, &*path),
        };
        let parts: Vec<_> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        let Some((name, above)) = parts.split_last() else { return Some((at, Vec::new())) };
        for part in above {
            at = *self.now.names.get(&(at, part.as_bytes().to_vec()))?;
        }
        Some((at, name.as_bytes().to_vec()))
    }

    fn at(&self, place: &(Node, Vec<u8>)) -> Option<Node> {
        if place.1.is_empty() { Some(place.0) } else { self.now.names.get(place).copied() }
    }

    fn new_file(&mut self) -> Node {
        self.next += 1;
        self.now.files.insert(self.next, Vec::new());
        self.made.push(self.next);
        self.next
    }

    fn open(&mut self, folder: &str, path: &str, flags: &str, handle: &str) {
        let node = self.place(folder, path).and_then(|place| {
            if flags.contains("O_TMPFILE") {
                return Some(self.new_file());
            }
            match self.at(&place) {
                Some(file) => {
                    if flags.contains("O_TRUNC") {
                        self.push(Call::Length { file, length: 0 });
                    }
                    Some(file)
                }
                None if flags.contains("O_CREAT") => {
                    let file = self.new_file();
                    self.push(Call::Names(vec![(place.0, place.1, Some(file))]));
                    Some(file)
                }
                None => None,
            }
        });
        self.handles.insert(handle.to_owned(), (node, 0));
    }

    fn make_folder(&mut self, folder: &str, path: &str) {
        if let Some((at, name)) = self.place(folder, path) {
            self.next += 1;
            self.push(Call::Names(vec![(at, name, Some(self.next))]));
        }
    }

    /// A sector is written whole. A longer write may be torn in the middle, and a file may grow without its
    /// bytes.
    fn write(&mut self, handle: &str, bytes: &[u8], offset: usize) {
        let Some(file) = self.node(handle) else { return };
        let length = offset + bytes.len();
        if self.now.files[&file].len() < length {
            self.push(Call::Length { file, length });
        }
        let middle =
            (offset + bytes.len() / 2).next_multiple_of(SECTOR).saturating_sub(offset).min(bytes.len());
        let (first, second) = bytes.split_at(middle);
        for (bytes, offset) in [(first, offset), (second, offset + middle)] {
            if !bytes.is_empty() {
                self.push(Call::Write { file, offset, bytes: bytes.to_vec() });
            }
        }
    }

    fn rename(&mut self, from: (&str, &str), to: (&str, &str)) {
        let (Some(from), Some(to)) = (self.place(from.0, from.1), self.place(to.0, to.1)) else { return };
        let node = self.at(&from);
        self.push(Call::Names(vec![(from.0, from.1, None), (to.0, to.1, node)]));
    }

    fn link(&mut self, from: (&str, &str), to: (&str, &str)) {
        let Some(to) = self.place(to.0, to.1) else { return };
        let node = if bytes(from.1).is_empty() {
            self.node(from.0)
        } else {
            self.place(from.0, from.1).and_then(|place| self.at(&place))
        };
        self.push(Call::Names(vec![(to.0, to.1, node)]));
    }

    fn unlink(&mut self, folder: &str, path: &str) {
        if let Some((at, name)) = self.place(folder, path) {
            self.push(Call::Names(vec![(at, name, None)]));
        }
    }
}

fn number(text: &str) -> usize {
    text.parse().unwrap()
}

/// The bytes of a string of the trace: `"\x61\x62"`.
fn bytes(text: &str) -> Vec<u8> {
    let hex = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let hex = hex.unwrap_or_else(|| panic!("a string that is cut off: {text}"));
    hex.split("\\x").skip(1).map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

/// Makes a folder as in the picture.
fn restored(picture: &Picture) -> Scene {
    let scene = Scene::empty();
    for (path, content) in picture {
        match content {
            Some(bytes) => fs::write(scene.path(path), bytes).unwrap(),
            None => fs::create_dir(scene.path(path)).unwrap(),
        }
    }
    date(&scene);
    scene
}

/// Gives the archives a date, which a catalog has.
fn date(scene: &Scene) {
    for name in ["a.pak", "b.pak"] {
        if let Ok(file) = fs::File::options().write(true).open(scene.path(name)) {
            file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000)).unwrap();
        }
    }
}

/// What is there, without the files that the next writer sweeps.
fn there(scene: &Scene) -> Picture {
    let mut tree = Tree::default();
    Tree::read(scene.folder.path(), ROOT, &mut ROOT.clone(), &mut tree);
    tree.picture()
}

#[testneeds::program("strace")]
#[test]
fn a_power_cut_leaves_the_old_or_the_new_archive() {
    for line in COMMANDS {
        let new = undisturbed(line);
        let scene = Scene::new();
        let recording = Recording::of(&scene, line);
        let mut ends = HashSet::new();
        let states = recording.cuts(line, |picture, place| {
            let found = picture["a.pak"].as_ref().unwrap();
            ends.insert(scene.is_whole(found, &new, place));
        });
        assert!(states > 1 && ends.len() == 2, "{line}: {states}");
    }
}

/// After a power cut, the journal undoes what was done, and what was half undone.
fn is_undone_after_a_power_cut(pair: &Pair) {
    let before = there(&game());
    for undoes in [false, true] {
        let scene = game();
        if undoes {
            assert!(scene.quakefs(pair.write).status().unwrap().success());
        }
        let line = if undoes { pair.undo } else { pair.write };
        let states = Recording::of(&scene, line).cuts(line, |picture, place| {
            let scene = restored(picture);
            if scene.path(pair.journal).exists() {
                let undone = scene.quakefs(pair.undo).output().unwrap();
                let err = String::from_utf8_lossy(&undone.stderr);
                assert_eq!(undone.status.code(), Some(0), "{place}: {err}");
            }
            let after = there(&scene);
            assert!(after == before, "{place}: {:?}", after.keys());
        });
        assert!(states > 1, "{line}: {states}");
    }
}

#[testneeds::program("strace")]
#[test]
fn renames_are_undone_after_a_power_cut() {
    is_undone_after_a_power_cut(&FIX);
}

#[testneeds::program("strace")]
#[test]
fn a_placed_download_is_removed_after_a_power_cut() {
    is_undone_after_a_power_cut(&PLACE);
}

/// A catalog is the old or the new one, or the next run puts it in its place.
#[testneeds::program("strace")]
#[test]
fn a_power_cut_leaves_the_old_or_the_new_catalog() {
    for output in ["mods.jsonl", "mods/"] {
        let scene = Scene::new();
        let line = format!("pak catalog a.pak b.pak -o {output} --per-file 1 --update");
        let line = if output.ends_with('/') { line } else { line.replace(" --per-file 1", "") };
        let catalog = |picture: &Picture| -> Picture {
            let kept = |path: &str| path.starts_with("mods") || path.starts_with(".quakefs");
            picture
                .iter()
                .filter(|(path, _)| kept(path))
                .map(|(path, file)| (path.clone(), file.clone()))
                .collect()
        };
        fs::copy(scene.path("a.pak"), scene.path("b.pak")).unwrap();
        assert!(scene.quakefs(&line).status().unwrap().success(), "{line}");
        let old = catalog(&there(&scene));
        fs::write(scene.path("b.pak"), testutils::pack(pak_format::Layout::Quake, [("new.cfg", "new")]))
            .unwrap();
        date(&scene);
        let recording = Recording::of(&scene, &line);
        let new = catalog(&there(&scene));
        assert!(old != new && old.len() == new.len());
        let states = recording.cuts(&line, |picture, place| {
            let found = catalog(picture);
            let is_whole = found == old || found == new;
            assert!(is_whole || output.ends_with('/'), "{place}");
            if !is_whole {
                let of_user: Picture =
                    found.into_iter().filter(|(path, _)| path.starts_with("mods")).collect();
                assert!(
                    of_user.is_empty() || of_user == old || of_user == new,
                    "{place}: {:?}",
                    of_user.keys()
                );
            }
            let scene = restored(picture);
            let again = scene.quakefs(&line).output().unwrap();
            assert!(again.status.success(), "{place}: {}", String::from_utf8_lossy(&again.stderr));
            assert!(catalog(&there(&scene)) == new, "{place}: {:?}", there(&scene).keys());
        });
        assert!(states > 1, "{line}: {states}");
    }
}
