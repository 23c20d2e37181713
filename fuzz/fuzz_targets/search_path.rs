//! A search path over a folder on disk. Live and listed folders, mapped and read archives give the same
//! answers. The index agrees with a scan of the entries, and the lists agree with the lookups.
#![no_main]

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use quakefs::rules::Case;
use quakefs::rules::{Duplicates, NameParts, Unterminated};
use quakefs::{Access, Builder, Engine, File, LooseFiles, QPath, SearchPath};
use quakefs_fuzz::{DiskName, Image, Name, pick};
use testutils::Folder;

#[derive(Arbitrary, Debug)]
struct Input {
    engine: u8,
    directories: [Directory; 3],
    games: Vec<u8>,
    requests: Vec<Name>,
}

#[derive(Arbitrary, Debug)]
struct Directory {
    archives: Vec<(u8, Image)>,
    loose: Vec<(DiskName, Vec<u8>)>,
}

const ARCHIVES: [&str; 8] = ["pak0", "pak1", "pak2", "PAK3", "pak10", "a", "B", ".c"];
const GAMES: [&str; 3] = ["mod", "two", "none"];

fuzz_target!(|input: Input| {
    let engine = *pick(Engine::ALL, input.engine);
    let game = Folder::new();
    let base = engine.rules().directories.base.iter().find(|base| !matches!(&***base, "." | "{}"));
    let first = base.map_or("id1", |base| &**base);
    let mut requests: BTreeSet<Vec<u8>> = input.requests.into_iter().map(|Name(name)| name).collect();
    for (directory, folder) in input.directories.into_iter().zip([first, GAMES[0], GAMES[1]]) {
        std::fs::create_dir_all(game.join(folder)).unwrap();
        for (number, image) in directory.archives {
            let archive = format!("{}.{}", pick(&ARCHIVES, number), image.extension());
            std::fs::write(game.join(folder).join(archive), image.to_bytes()).unwrap();
            requests.extend(image.files.into_iter().map(|(Name(name), _)| name));
        }
        for (DiskName(name), content) in directory.loose {
            let path = game.join(folder).join(&name);
            // a file may stand in the way of a folder, or the other way round
            let _ = path.parent().map(std::fs::create_dir_all);
            let _ = std::fs::write(path, content);
            requests.insert(name.into());
        }
    }
    let games = input.games.iter().map(|number| *pick(&GAMES, *number));
    let builder =
        games.fold(SearchPath::builder(&game.path()).engine(engine), |builder, game| builder.game(game));
    let mount = |loose, access| builder.clone().loose_files(loose).access(access).mount();
    let Ok(quake) = mount(LooseFiles::Live, Access::Map) else { return };
    let others = [
        mount(LooseFiles::Live, Access::Read).unwrap(),
        mount(LooseFiles::Listed, Access::Map).unwrap(),
        mount(LooseFiles::Listed, Access::Read).unwrap(),
    ];
    let archives = quake.layers().filter_map(|layer| layer.archive()?.system_path()).collect::<Vec<_>>();
    let archives_alone = archives
        .iter()
        .rev()
        .fold(Builder::new().engine(engine), |builder, archive| builder.archive(archive))
        .mount()
        .ok();

    let files = of_hits(quake.files());
    requests.extend(files.iter().map(|file| file.name.clone()));
    for request in &requests {
        let copies = of_hits(quake.copies(request));
        assert_eq!(of_hits(quake.find(request)), copies[..copies.len().min(1)]);
        let found: Vec<_> = copies.iter().filter(|copy| copy.row.is_some()).map(Copy::place).collect();
        if let Some(expected) = scan(&quake, request) {
            // a loose file or a folder may hide the lower copies
            assert!(expected.starts_with(&found), "{expected:?} {found:?}");
        }
        if let Some(alone) = &archives_alone
            && let Some(expected) = scan(alone, request)
        {
            let copies = of_hits(alone.copies(request));
            assert_eq!(copies.iter().map(Copy::place).collect::<Vec<_>>(), expected);
        }
        for other in &others {
            assert_eq!(of_hits(other.copies(request)), copies, "{}", request.escape_ascii());
            assert_eq!(of_hits(other.find(request)), copies[..copies.len().min(1)]);
            assert_eq!(other.exists(request), quake.exists(request));
        }
    }
    for other in &others {
        assert_eq!(of_hits(other.files()), files);
        // a copy that cannot be read counts as changed
        for change in other.changes_since(&quake) {
            assert!(change.after.is_some_and(|file| file.read().is_err()));
        }
    }
    for file in &files {
        assert_eq!(quake.find(&file.name).map(of_hit).as_ref(), Some(file));
    }
    check_tree(&quake, &files);
});

/// A copy of a file: its name, layer, row, size and bytes.
#[derive(Debug, PartialEq)]
struct Copy {
    name: Vec<u8>,
    layer: String,
    row: Option<usize>,
    size: u64,
    content: Option<Vec<u8>>,
}

impl Copy {
    fn place(&self) -> (String, usize) {
        (file_name(&self.layer).to_owned(), self.row.unwrap_or_default())
    }
}

fn of_hit(file: File<'_>) -> Copy {
    let content = file.read().ok().map(|content| content.to_vec());
    let (name, layer) = (file.name().as_bytes().to_vec(), file.layer().name().to_owned());
    Copy { name, layer, row: file.entry(), size: file.size(), content }
}

fn of_hits<'a>(files: impl IntoIterator<Item = File<'a>>) -> Vec<Copy> {
    files.into_iter().map(of_hit).collect()
}

/// The name of a layer without its folders: without a base directory, layers are named by their paths.
fn file_name(layer: &str) -> &str {
    layer.rsplit('/').next().unwrap_or(layer)
}

/// Every copy in the archives, from a scan of all stored names. `None` if the engine finds entries by other
/// names, or searches for one of several.
fn scan(quake: &SearchPath, request: &[u8]) -> Option<Vec<(String, usize)>> {
    let rules = quake.rules();
    if rules.paks.parts != NameParts::AsStored {
        return None;
    }
    let Ok(request) = QPath::new(request, &rules.requests) else { return Some(Vec::new()) };
    let wanted = request.in_archives();
    if wanted.is_empty() {
        // archives are not searched, and may contain an entry without a name
        return Some(Vec::new());
    }
    let is_wanted = |name: &[u8]| match rules.archives.case {
        Case::Exact => name == wanted,
        Case::Ignored => name.eq_ignore_ascii_case(wanted),
    };
    let mut found = Vec::new();
    for layer in quake.layers() {
        let Some(archive) = layer.archive() else { continue };
        let Some(layout) = archive.layout() else { return None };
        // a name that fills its field has no end, and some engines find it by another name
        let width = layout.name_width();
        if rules.paks.unterminated != Unterminated::Whole
            && archive.entries().any(|entry| entry.name().as_bytes().len() == width)
        {
            return None;
        }
        let entries = archive.entries().filter(|entry| is_wanted(entry.name().as_bytes()));
        let mut rows: Vec<_> =
            entries.map(|entry| (file_name(layer.name()).to_owned(), entry.index())).collect();
        match rules.archives.duplicates {
            Duplicates::Last => rows.reverse(),
            // which of several rows a binary search finds is tested elsewhere
            Duplicates::Searched if rows.len() > 1 => return None,
            _ => {}
        }
        found.extend(rows);
    }
    Some(found)
}

/// Each file is in the tree or in its list of skipped files, and a walk by `read_dir` finds the files of the
/// tree.
fn check_tree(quake: &SearchPath, files: &[Copy]) {
    let tree = quake.tree();
    // if case is ignored, the two may spell a folder differently
    let fold = |path: Vec<u8>| match quake.rules().archives.case {
        Case::Exact => path,
        Case::Ignored => path.to_ascii_lowercase(),
    };
    let mut by_path = BTreeMap::new();
    let mut folders = vec![tree.root()];
    while let Some(folder) = folders.pop() {
        for child in folder.children() {
            match child.file {
                Some(file) => drop(by_path.insert(child.path(), file.location().to_string())),
                None => folders.push(child),
            }
        }
    }
    assert_eq!(tree.root().counts.files, by_path.len() as u64);
    assert_eq!(by_path.len() + tree.without_path().len(), files.len());
    let bytes = by_path.keys().map(|path| tree.get(path).map_or(0, |node| node.counts.bytes));
    assert_eq!(tree.root().counts.bytes, bytes.sum::<u64>());

    let mut walked = BTreeMap::new();
    let mut folders = vec![Vec::new()];
    while let Some(folder) = folders.pop() {
        for child in quake.read_dir(&folder).unwrap() {
            let mut path = folder.clone();
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(child.name.as_bytes());
            match child.file {
                Some(file) => drop(walked.insert(path, file.location().to_string())),
                None => folders.push(path),
            }
        }
    }
    // a walk shows empty folders, which a tree does not contain
    by_path.retain(|path, _| !quake.is_dir(path));
    let folded = |paths: BTreeMap<Vec<u8>, String>| {
        paths.into_iter().map(|(path, file)| (fold(path.clone()), (path, file))).collect::<BTreeMap<_, _>>()
    };
    let (walked, by_path) = (folded(walked), folded(by_path));
    assert!(walked.keys().eq(by_path.keys()), "{walked:?} {by_path:?}");
    for (one, other) in walked.values().zip(by_path.values()) {
        // each shows the file that its spelling finds
        let is_found = |(path, file): &(Vec<u8>, String)| {
            quake.find(path).is_some_and(|found| found.location().to_string() == *file)
        };
        assert!(
            one.1 == other.1 || one.0 != other.0 && is_found(one) && is_found(other),
            "{one:?} {other:?}"
        );
    }
}
