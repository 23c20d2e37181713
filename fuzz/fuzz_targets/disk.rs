//! An archive as a disk, by itself and over a game in memory. Each entry is at its path or has a finding, and
//! the disks keep the contract. No mount opens a path outside of the base directory, and the search path
//! equals that of the unpacked archive.
#![no_main]

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use quakefs::Finding;
use quakefs::archive::OpenOptions;
use quakefs::camino::Utf8Path;
use quakefs::disk::{ArchiveDisk, Content, Disk, FileKind, Item, MemoryDisk, Opened, Overlay, Stat};
use quakefs::{Access, Archive, Engine, EntryName, FileData, LooseFiles, SearchPath, contract};
use quakefs_fuzz::{DiskName, Image, Name, pick};

#[derive(Arbitrary, Debug)]
struct Input {
    engines: [u8; 3],
    games: Vec<u8>,
    /// The files of the base directory, each in one of its folders.
    below: Vec<(u8, DiskName, Bytes)>,
    download: Download,
    requests: Vec<Name>,
}

#[derive(Arbitrary, Debug)]
enum Download {
    Any(Vec<u8>),
    /// A download as people pack it, in the folders of a game.
    Packed(Packed, Vec<(u8, DiskName, Bytes)>),
    /// Names that no download has.
    Image(Image),
}

#[derive(Arbitrary, Debug)]
enum Packed {
    Pak,
    Stored,
}

#[derive(Arbitrary, Debug)]
enum Bytes {
    Plain(Vec<u8>),
    Archive(Image),
}

const FOLDERS: [&str; 5] = ["id1", "mod", "MOD", "baseq2", "."];
const GAMES: [&str; 4] = ["mod", "MOD", "d", "none"];
const BASE: &str = "quake";

fuzz_target!(|input: Input| {
    let image = input.download.to_bytes();
    let Ok(archive) = Archive::from_data(image.clone().into()) else { return };
    let download = ArchiveDisk::new(archive.clone(), "mod.zip");
    let unpacked = unpack(&archive, &download);
    check_disk(&download, &input.requests);
    let files = walk(&download, Path::new(""));
    assert!(files.keys().eq(unpacked.keys()), "{files:?} {unpacked:?}");
    for (path, row) in &unpacked {
        assert_eq!(files[path], archive.read(*row).ok(), "{}", path.display());
    }
    // the same archive, read by position
    let downloads = MemoryDisk::new();
    let size = image.len() as u64;
    downloads.insert_at("mod.zip", FileData::from(image), size).unwrap();
    let options = OpenOptions::new().access(Access::Read);
    let by_position = options.open_on(&(Arc::new(downloads) as _), Utf8Path::new("mod.zip")).unwrap();
    let by_position = ArchiveDisk::new(by_position, "mod.zip");
    check_disk(&by_position, &[]);
    assert_eq!(walk(&by_position, Path::new("")), files);

    let (game, together) = (MemoryDisk::new(), MemoryDisk::new());
    for disk in [&game, &together] {
        disk.make_folder(Path::new(BASE), Path::new(BASE)).unwrap();
        for (folder, DiskName(name), bytes) in &input.below {
            // a file may stand in the way of a folder, or the other way round
            let _ = disk.insert(path_in(*folder, name), bytes.to_bytes());
        }
    }
    let mut alike = true;
    for (path, content) in files {
        let content = content.map(|content| together.insert(Path::new(BASE).join(path), content));
        alike &= matches!(content, Some(Ok(())));
    }
    for folder in folders(&download, Path::new("")) {
        alike &= together.make_folder(Path::new(BASE), &Path::new(BASE).join(folder)).is_ok();
    }
    let over = Arc::new(Below(Overlay::new(download, game, BASE).unwrap()));
    check_disk(&*over, &[]);
    let reached = walk(&over.0, Path::new(""));
    if alike {
        assert_eq!(reached, walk(&together, Path::new("")));
    }
    // every file that is found is also listed
    for (folder, DiskName(name), _) in &input.below {
        let path = path_in(*folder, name);
        if over.0.stat(&path).is_ok_and(|stat| stat.kind == FileKind::File) {
            assert!(reached.contains_key(&path), "{}", path.display());
        }
    }

    let together = Arc::new(together);
    for (engine, loose) in
        input.engines.iter().zip([LooseFiles::Live, LooseFiles::Listed].into_iter().cycle())
    {
        let mount = |disk: Arc<dyn Disk>| {
            let builder = SearchPath::builder(BASE).disk(disk).engine(*pick(Engine::ALL, *engine));
            let games = input.games.iter().map(|game| *pick(&GAMES, *game));
            games.fold(builder.loose_files(loose), |builder, game| builder.game(game)).mount()
        };
        let quake = mount(Arc::clone(&over) as _);
        let files = quake.as_ref().map(|quake| listed(quake, &input.requests)).ok();
        if alike {
            let unpacked = mount(Arc::clone(&together) as _);
            assert_eq!(files, unpacked.map(|unpacked| listed(&unpacked, &input.requests)).ok());
        }
        let Ok(quake) = quake else { continue };
        for layer in quake.layers() {
            assert!(layer.path().is_some_and(|path| path.starts_with(BASE)), "{layer:?}");
            assert_eq!(layer.system_path(), None);
        }
        quake.findings().for_each(|finding| drop(finding.to_string()));
    }
});

impl Download {
    fn to_bytes(&self) -> Vec<u8> {
        match self {
            Download::Any(bytes) => bytes.clone(),
            Download::Image(image) => image.to_bytes(),
            Download::Packed(packed, files) => {
                let files = files.iter().map(|(folder, DiskName(name), bytes)| {
                    let folder = *pick(&FOLDERS, *folder);
                    let name = if folder == "." { name.clone() } else { format!("{folder}/{name}") };
                    (name, bytes.to_bytes())
                });
                match packed {
                    Packed::Pak => testutils::pack(quakefs::Layout::Quake, files),
                    Packed::Stored => testutils::zip(files),
                }
            }
        }
    }
}

impl Bytes {
    fn to_bytes(&self) -> Vec<u8> {
        match self {
            Bytes::Plain(bytes) => bytes.clone(),
            Bytes::Archive(image) => image.to_bytes(),
        }
    }
}

fn path_in(folder: u8, name: &str) -> PathBuf {
    let folder = Path::new(BASE).join(pick(&FOLDERS, folder)).join(name);
    // without the `.`
    folder.components().collect()
}

/// The row at each path: the later row if two have one path, and no rows with a finding.
fn unpack(archive: &Archive, disk: &ArchiveDisk) -> BTreeMap<PathBuf, usize> {
    let skipped: BTreeSet<_> =
        disk.findings().iter().filter_map(|finding| finding.location.entry()).collect();
    let mut paths = BTreeMap::new();
    for entry in archive.entries().filter(|entry| !skipped.contains(&entry.index())) {
        let name = entry.name().as_bytes();
        // a name that is no path has one only as its writer on Windows meant it
        let name = match entry.name().to_disk_path() {
            Err(_) => name.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }).collect(),
            Ok(_) => name.to_vec(),
        };
        if !(entry.row().is_folder || (name.ends_with(b"/") && entry.size() == 0)) {
            let path = EntryName::from_bytes(&name).to_disk_path().unwrap();
            paths.insert(PathBuf::from(OsStr::from_bytes(&path)), entry.index());
        }
    }
    paths
}

fn check_disk(disk: &dyn Disk, requests: &[Name]) {
    assert_eq!(contract::of_disk(disk, ""), Vec::<String>::new());
    for Name(request) in requests {
        let path = Path::new(OsStr::from_bytes(request));
        let found = disk.stat(path);
        if path.components().any(|part| part == Component::ParentDir) {
            assert!(found.is_err() && disk.open(path, Access::Map).is_err());
        }
    }
}

/// The readable files below a folder, with their bytes.
fn walk(disk: &dyn Disk, folder: &Path) -> BTreeMap<PathBuf, Option<FileData>> {
    let mut files = BTreeMap::new();
    for folder in folders(disk, folder).into_iter().chain([folder.to_owned()]) {
        for item in disk.list(&folder).unwrap() {
            if item.kind == FileKind::File {
                let path = folder.join(OsStr::from_bytes(&item.name));
                let content = disk.open(&path, Access::Map).ok().map(content);
                files.insert(path, content);
            }
        }
    }
    files
}

fn folders(disk: &dyn Disk, folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut next = vec![folder.to_owned()];
    while let Some(folder) = next.pop() {
        let items = disk.list(&folder).unwrap().into_iter().filter(|item| item.kind == FileKind::Folder);
        let below: Vec<_> = items.map(|item| folder.join(OsStr::from_bytes(&item.name))).collect();
        next.extend_from_slice(&below);
        found.extend(below);
    }
    found
}

fn content(opened: Opened) -> FileData {
    match opened.content {
        Content::Bytes(bytes) => bytes,
        Content::At(file) => {
            let mut bytes = vec![0; usize::try_from(opened.stat.size).unwrap()];
            assert_eq!(file.read_at(&mut bytes, 0).unwrap(), bytes.len());
            bytes.into()
        }
    }
}

/// The winners: layer and bytes of each file.
fn listed(quake: &SearchPath, requests: &[Name]) -> Vec<(String, Option<FileData>)> {
    let asked = requests.iter().filter_map(|Name(name)| quake.find(name));
    let files = quake.files().into_iter().chain(asked);
    files.map(|file| (format!("{} {:?}", file.layer().name(), file.stored()), file.read().ok())).collect()
}

/// A disk that refuses to open files outside of the base directory. A mount may look above it, but only for
/// advice.
#[derive(Debug)]
struct Below(Overlay);

impl Below {
    fn check(path: &Path) {
        let up = path.components().any(|part| part == Component::ParentDir);
        // the contract opens folders from the root on, in vain
        assert!(!up && (path.as_os_str().is_empty() || path.starts_with(BASE)), "{}", path.display());
    }
}

impl Disk for Below {
    fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        self.0.list(folder)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.0.stat(path)
    }

    fn open(&self, path: &Path, access: Access) -> io::Result<Opened> {
        Below::check(path);
        self.0.open(path, access)
    }

    fn can_read(&self, path: &Path) -> bool {
        Below::check(path);
        self.0.can_read(path)
    }

    fn findings(&self) -> Vec<Finding> {
        self.0.findings()
    }
}
