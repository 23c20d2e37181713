//! The library as an outside program uses it: only public items.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a suite: what panics fails a test")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead as _, Read as _, Seek as _, SeekFrom};
use std::thread;

use quakefs::archive::{Files, Row};
use quakefs::search_path::Extent;
use quakefs::tree::TreeNode;
use quakefs::watch::ChangeKind;
use quakefs::{
    Access, Builder, Engine, Error, ErrorKind, File, FileData, Layout, LooseFiles, Rules, SearchPath,
};
use testutils::{game, pack, zip_deflated};

/// An engine's loader: it builds the name and returns the file.
fn level<'a>(quake: &'a SearchPath, name: &str) -> Option<File<'a>> {
    quake.find(format!("maps/{name}.bsp"))
}

#[test]
fn a_function_returns_the_file_for_a_name_that_it_built() {
    let game = game("id1/pak0.pak: maps/e1m1.bsp; id1/: maps/start.bsp");
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        let quake = SearchPath::builder(game.path()).loose_files(loose).mount().unwrap();
        assert_eq!(level(&quake, "e1m1").unwrap().read().unwrap(), "id1/pak0.pak:0");
        assert_eq!(level(&quake, "start").unwrap().read().unwrap(), "id1/maps/start.bsp");
        assert!(level(&quake, "end").is_none());
    }
}

/// A loader that returns `io::Result`, as most programs do.
fn load(quake: &SearchPath, name: &str) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    quake.open(name)?.read_to_end(&mut content)?;
    Ok(content)
}

#[test]
fn errors_become_io_errors_and_keep_their_cause() {
    let game = game("id1/pak0.pak: a");
    let quake = SearchPath::builder(game.path()).mount().unwrap();
    assert_eq!(load(&quake, "a").unwrap(), b"id1/pak0.pak:0");
    for name in ["b", "../a"] {
        let error = load(&quake, name).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound, "{name}");
        let error: Error = error.downcast().unwrap();
        assert!(error.is_not_found(), "{error}");
    }
    let error = quakefs::Archive::from_data(FileData::from(b"no archive".to_vec())).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Pak(_)));
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::InvalidData);
    assert_eq!(
        format!("{:?}", quake.read("caf\u{7f}").unwrap_err()),
        r"Error(caf\x7F: no layer has this file)"
    );
}

#[test]
fn an_owned_file_outlives_its_search_path_and_moves_to_other_threads() {
    let game = game("id1/pak0.pak: a b; id1/: c=0123456789");
    let files: Vec<File> = {
        let quake = SearchPath::builder(game.path()).mount().unwrap();
        ["a", "c"].map(|name| quake.find(name).unwrap().into_owned()).into()
    };
    let copies = files.clone();
    let contents = thread::spawn(move || copies.iter().map(|file| file.read().unwrap()).collect::<Vec<_>>());
    assert_eq!(contents.join().unwrap(), ["id1/pak0.pak:0", "0123456789"]);

    let loose = &files[1];
    assert_eq!((loose.name().to_string(), loose.size(), loose.entry()), ("c".to_owned(), 10, None));
    assert_eq!(
        loose.modified(),
        game.join("c").parent().map(|id1| id1.join("id1/c").metadata().unwrap().modified().unwrap())
    );
    let mut part = [0; 4];
    assert_eq!(loose.read_at(8, &mut part).unwrap(), 2);
    assert_eq!(part, *b"89\0\0");
    assert_eq!(loose.read_at(99, &mut part).unwrap(), 0);
}

#[test]
fn an_extent_is_the_range_of_plain_bytes_on_disk() {
    let game = game("id1/pak0.pak: a b; id1/: c");
    let packed: Vec<u8> = b"echo ".repeat(100);
    game.write("id1/pak1.pk3", zip_deflated([("packed.cfg", &packed)]));
    let quake = SearchPath::builder(game.path()).engine(Engine::Qss).mount().unwrap();
    for name in ["a", "b", "c"] {
        let file = quake.find(name).unwrap().into_owned();
        let Extent { path, range, .. } = file.extent().unwrap();
        let mut on_disk = std::fs::File::open(path).unwrap();
        on_disk.seek(SeekFrom::Start(range.start)).unwrap();
        let mut bytes = Vec::new();
        on_disk.take(range.end - range.start).read_to_end(&mut bytes).unwrap();
        assert_eq!(file.read().unwrap(), *bytes, "{name}");
    }
    let file = quake.find("packed.cfg").unwrap().into_owned();
    assert_eq!(file.extent(), None);
    let mut part = [0; 7];
    assert_eq!(file.read_at(493, &mut part).unwrap(), 7);
    assert_eq!(part, *b"o echo ");
}

#[test]
fn reading_past_the_end_returns_no_bytes() {
    let game = game("id1/pak0.pak: stored; id1/: loose");
    game.write("id1/pak1.pk3", zip_deflated([("deflated", "deflated")]));
    for access in [Access::Map, Access::Read] {
        let quake = SearchPath::builder(game.path()).engine(Engine::Qss).access(access).mount().unwrap();
        for name in ["stored", "loose", "deflated"] {
            let file = quake.find(name).unwrap().into_owned();
            for offset in [file.size(), file.size() + 1, (1 << 63) - 1, 1 << 63, u64::MAX] {
                assert_eq!(file.read_at(offset, &mut [0; 9]).unwrap(), 0, "{name} {offset}");
            }
        }
    }
}

#[test]
fn an_error_of_a_partial_read_names_the_damaged_entry() {
    let mut archive = zip_deflated([("a.txt", vec![7; 200_000])]);
    archive[50] ^= 0xff;
    let quake = Builder::new().memory("a.pk3", archive).mount().unwrap();
    let file = quake.find("a.txt").unwrap().into_owned();
    let error = file.read_at(199_990, &mut [0; 10]).unwrap_err();
    assert_eq!(error.to_string(), "a.pk3: entry 0 (a.txt): the deflate stream is damaged");
    assert_eq!(error.to_string(), file.read().unwrap_err().to_string());
}

#[test]
fn a_compressed_entry_can_be_sought_and_read_by_lines() {
    let mut text = String::new();
    (0..50_000).for_each(|line| writeln!(text, "line {line}").unwrap());
    let archive = zip_deflated([("a.txt", text.as_bytes())]);
    let quake = Builder::new().memory("a.pk3", archive).mount().unwrap();
    let mut reader = quake.open("a.txt").unwrap();
    assert_eq!(reader.len(), text.len() as u64);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    assert_eq!(line, "line 0\n");
    for place in [400_000_u64, 12, 0, 300_001, text.len() as u64, text.len() as u64 + 5] {
        assert_eq!(reader.seek(SeekFrom::Start(place)).unwrap(), place);
        let mut found = [0; 20];
        let count = reader.read(&mut found).unwrap();
        let expected = text.as_bytes().get(usize::try_from(place).unwrap()..).unwrap_or_default();
        assert!(expected.starts_with(&found[..count]), "{place}");
        assert_eq!(count == 0, expected.is_empty(), "{place}");
        assert_eq!(reader.stream_position().unwrap(), place + count as u64);
    }
    reader.seek(SeekFrom::End(-7)).unwrap();
    let mut end = String::new();
    reader.read_to_string(&mut end).unwrap();
    assert_eq!(end, " 49999\n");
}

fn walk(node: TreeNode<'_>, depth: usize, text: &mut String) {
    for child in node.children() {
        let counts = child.counts;
        let what = match child.file {
            Some(file) => format!("{} bytes from {}", file.size(), file.layer().name()),
            None => format!("{} files, {} folders, {} bytes", counts.files, counts.folders, counts.bytes),
        };
        writeln!(text, "{}{}: {what}", "  ".repeat(depth), child.name).unwrap();
        walk(child, depth + 1, text);
    }
}

#[test]
fn the_merged_tree_counts_files_folders_and_bytes() {
    let game =
        game("id1/pak0.pak: maps/start.bsp=12 maps/e1m1.bsp=345 a.cfg=6; mod/: maps/start.bsp=7890 b.cfg=0");
    let quake = SearchPath::builder(game.path()).game("mod").mount().unwrap();
    let tree = quake.tree();
    let mut text = String::new();
    walk(tree.root(), 0, &mut text);
    insta::assert_snapshot!(text, @r"
    a.cfg: 1 bytes from id1/pak0.pak
    b.cfg: 1 bytes from mod/
    maps: 2 files, 0 folders, 7 bytes
      e1m1.bsp: 3 bytes from id1/pak0.pak
      start.bsp: 4 bytes from mod/
    ");
    let counts = tree.root().counts;
    assert_eq!((counts.files, counts.folders, counts.bytes), (4, 1, 9));
    let start = tree.get("maps/start.bsp").unwrap();
    assert_eq!(start.file.unwrap().read().unwrap(), "7890");
    assert_eq!(start.path(), b"maps/start.bsp");
}

/// Every folder, by `read_dir`.
fn listed(quake: &SearchPath, folder: &str, paths: &mut Vec<String>) {
    for entry in quake.read_dir(folder).unwrap() {
        let path =
            if folder.is_empty() { entry.name.to_string() } else { format!("{folder}/{}", entry.name) };
        if entry.is_dir() {
            assert!(quake.is_dir(&path) && quake.exists(&path), "{path}");
            listed(quake, &path, paths);
        } else {
            assert!(quake.exists(&path) && !quake.is_dir(&path), "{path}");
            paths.push(path);
        }
    }
}

#[test]
fn listing_folder_by_folder_gives_the_files_of_the_tree() {
    let game = game(
        "id1/pak0.pak: maps/start.bsp sound/a/b/c.wav sound/a/d.wav a.cfg; id1/: maps/mine.bsp sound/x.wav \
            top.cfg; mod/pak0.pak: maps/start.bsp; mod/: gfx/deep/er/b.lmp",
    );
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        let quake = SearchPath::builder(game.path()).game("mod").loose_files(loose).mount().unwrap();
        let mut paths = Vec::new();
        listed(&quake, "", &mut paths);
        paths.sort();
        let files: Vec<_> = quake.files().map(|file| file.name().to_string()).collect();
        assert_eq!(paths, files);
        assert!(quake.is_dir("sound/a/") && quake.is_dir("") && quake.is_dir("gfx/deep"));
        assert!(!quake.is_dir("soun") && !quake.is_dir("../id1") && !quake.is_dir("a.cfg"));
        let error = quake.read_dir("nowhere").unwrap_err();
        assert_eq!(error.to_string(), "nowhere: no layer has this folder");
        assert!(error.is_not_found());
    }
}

#[test]
fn the_tree_reports_names_without_a_place() {
    let game = game("id1/pak0.pak: a a/b x//y ./z c");
    let quake = SearchPath::builder(game.path()).mount().unwrap();
    let tree = quake.tree();
    let mut without_path: Vec<_> =
        tree.without_path().iter().map(|left| (left.file.name().to_string(), left.because.name())).collect();
    without_path.sort_by(|a, b| a.0.cmp(&b.0));
    let (folder, path) = ("folder-of-that-name", "name");
    assert_eq!(without_path, [("./z".to_owned(), path), ("a".to_owned(), folder), ("x//y".to_owned(), path)]);
    assert_eq!(tree.root().counts.files, 2);
    let names: Vec<_> = quake.read_dir("").unwrap().iter().map(|entry| entry.name.to_string()).collect();
    assert_eq!(names, ["a", "c"]);
}

#[test]
fn folders_that_differ_in_case_are_merged_if_the_engine_ignores_case() {
    let game = game("id1/pak0.pak: MAPS/start.bsp; id1/pak1.pak: maps/e1m1.bsp Maps/e1m2.bsp");
    let count = |engine| {
        let quake = SearchPath::builder(game.path()).engine(engine).mount().unwrap();
        let tree = quake.tree();
        let folders: Vec<_> = tree.root().children().map(|child| child.name.to_string()).collect();
        let below = quake.read_dir("maps").unwrap().len();
        (folders.join(" "), below)
    };
    assert_eq!(count(Engine::DarkPlaces), ("maps".to_owned(), 3));
    assert_eq!(count(Engine::WinQuake), ("MAPS Maps maps".to_owned(), 1));
}

#[test]
#[cfg_attr(windows, ignore = "needs two files whose names differ only in case")]
fn a_tree_with_merged_folders_has_each_path_once() {
    let game = game("id1/: MAPS/start.bsp=upper maps/start.bsp=lower maps/e1m1.bsp readme README/a.txt");
    let quake = SearchPath::builder(game.path()).engine(Engine::DarkPlaces).mount().unwrap();
    // the disk has both spellings, and each request finds its own
    assert_eq!(quake.read("MAPS/start.bsp").unwrap(), "upper");
    let tree = quake.tree();
    let names: Vec<_> = tree.get("maps").unwrap().children().map(|child| child.name.to_string()).collect();
    assert_eq!(names, ["e1m1.bsp", "start.bsp"]);
    assert_eq!(tree.get("maps/start.bsp").unwrap().file.unwrap().read().unwrap(), "lower");
    let without_path: BTreeMap<_, _> =
        tree.without_path().iter().map(|left| (left.file.name().to_string(), left.because.name())).collect();
    let (folder, path) = ("folder-of-that-name", "same-path");
    assert_eq!(without_path, [("MAPS/start.bsp".to_owned(), path), ("readme".to_owned(), folder)].into());
    for (asked, content) in [("maps", "lower"), ("MAPS", "upper")] {
        let mut listed = quake.read_dir(asked).unwrap().into_iter();
        let start = listed.find(|entry| entry.name == "start.bsp").unwrap();
        assert_eq!(start.file.unwrap().read().unwrap(), content);
    }
    let root: Vec<_> = quake.read_dir("").unwrap().iter().map(|entry| entry.name.to_string()).collect();
    assert_eq!(root, ["README", "maps"]);
}

/// An archive format of the program.
struct Constants(Vec<(&'static str, &'static str)>);

impl Files for Constants {
    fn len(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap()
    }

    fn name(&self, file: u32) -> &[u8] {
        self.0[file as usize].0.as_bytes()
    }

    fn row(&self, file: u32) -> Row {
        Row::stored(self.0[file as usize].1.len() as u64)
    }

    fn read(&self, file: u32) -> Result<FileData, Error> {
        match self.0[file as usize].1 {
            "broken" => Err(io::Error::other("it is broken").into()),
            content => Ok(content.as_bytes().into()),
        }
    }
}

#[test]
fn an_archive_format_of_the_program_is_a_layer() {
    let game = game("id1/pak0.pak: default.cfg autoexec.cfg");
    let constants = Constants(vec![("autoexec.cfg", "echo hi"), ("bad.cfg", "broken"), ("x/y", "deep")]);
    let quake = SearchPath::builder(game.path()).files("builtin", constants).mount().unwrap();
    assert_eq!(quake.read("autoexec.cfg").unwrap(), "echo hi");
    assert_eq!(quake.copies("autoexec.cfg").len(), 2);
    let error = quake.read("bad.cfg").unwrap_err();
    assert_eq!(error.reason(), "it is broken");
    assert_eq!(error.archive(), Some("builtin"));
    assert_eq!(quake.tree().get("x/y").unwrap().file.unwrap().read().unwrap(), "deep");
    assert!(quake.find("x/y").unwrap().into_owned().extent().is_none());
}

#[test]
fn a_remount_lists_the_changes() {
    let game = game("id1/pak0.pak: same gone moved; id1/: edited=1 other=2");
    let builder = || SearchPath::builder(game.path()).loose_files(LooseFiles::Listed).game("mod");
    let old = builder().mount().unwrap();
    game.write("id1/edited", b"3");
    std::fs::remove_file(game.join("id1/other")).unwrap();
    game.write("mod/new", b"4");
    game.write("mod/moved", b"id1/pak0.pak:2");
    let new = old.remount().unwrap();
    let changes = |new: &SearchPath, old: &SearchPath| {
        let changes = new.changes_since(old);
        changes.iter().map(|change| format!("{} {:?}", change.name(), change.kind)).collect::<Vec<_>>()
    };
    assert_eq!(changes(&new, &old), ["edited Changed", "moved Moved", "new Added", "other Removed"]);
    assert_eq!(changes(&new, &new.remount().unwrap()), [""; 0]);
    assert_eq!(new.changes_since(&old)[0].kind, ChangeKind::Changed);
    assert_eq!(old.read("same").unwrap(), "id1/pak0.pak:0", "the old search path stays as it was");
}

#[test]
#[cfg_attr(windows, ignore = "Windows cannot replace a mapped file")]
fn a_replaced_archive_changes_only_entries_that_differ() {
    let game = game("id1/pak0.pak: a=1 b=2 c=3");
    let old = SearchPath::builder(game.path()).mount().unwrap();
    let mut pak = pak_format::Builder::new(pak_format::Layout::Quake);
    for (name, content) in [("new", "0"), ("a", "1"), ("b", "two"), ("c", "4")] {
        pak.add(name, content).unwrap();
    }
    // a new file, as every safe program writes it: the old map keeps the old bytes
    pak.write_file(
        game.join("id1/pak0.pak"),
        &pak_format::WriteOptions { overwrite: true, ..Default::default() },
    )
    .unwrap();
    let new = old.remount().unwrap();
    let changes = new.changes_since(&old);
    let changes: Vec<_> =
        changes.iter().map(|change| format!("{} {:?}", change.name(), change.kind)).collect();
    assert_eq!(changes, ["b Changed", "c Changed", "new Added"]);
}

#[test]
fn an_archive_overwritten_in_place_changes_every_entry() {
    let game = game("id1/pak0.pak: a=1 b=2");
    let old = SearchPath::builder(game.path()).access(Access::Read).mount().unwrap();
    // the old search path reads the same file, so equal bytes prove nothing
    game.write("id1/pak0.pak", pack(Layout::Quake, [("a", "1"), ("b", "3")]));
    let new = old.remount().unwrap();
    let changes: Vec<_> = new.changes_since(&old).iter().map(|change| change.name().to_string()).collect();
    assert_eq!(changes, ["a", "b"]);
}

#[test]
fn without_a_layer_the_overridden_copy_wins() {
    let game = game("id1/pak0.pak: a; mod/pak0.pak: a");
    let quake = SearchPath::builder(game.path()).game("mod").mount().unwrap();
    let without = quake.keep_layers(|layer| layer.name() != "mod/pak0.pak").unwrap();
    assert_eq!(without.read("a").unwrap(), "id1/pak0.pak:0");
    let ranks: Vec<_> = quake
        .layers()
        .filter_map(|layer| Some(format!("{} {}", layer.game_directory()?.rank, layer.name())))
        .collect();
    assert_eq!(ranks, ["2 mod/pak0.pak", "2 mod/", "1 id1/pak0.pak", "1 id1/"]);
    assert!(matches!(quake.keep_layers(|_| false).unwrap_err().kind(), ErrorKind::NothingToMount));
}

#[test]
fn reading_past_the_last_entry_is_an_error() {
    let game = game("id1/pak0.pak: a");
    let archive = quakefs::Archive::open(game.join("id1/pak0.pak")).unwrap();
    let error = archive.read(1).unwrap_err();
    assert_eq!(error.to_string(), "entry 1 does not exist: the archive has 1");
    assert!(archive.entry(1).is_none());
}

#[test]
fn mount_refuses_rules_that_leave_the_base_directory() {
    let game = game("id1/pak0.pak: a; base/id1/pak0.pak: a; base/mod/pak0.pak: b");
    let mut rules = Engine::WinQuake.rules().clone();
    rules.directories.game_folders = vec!["{}/../..".into()].into();
    let error = SearchPath::builder(game.join("base")).rules(rules).game("mod").mount().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Rules(_)), "{error}");
}

#[test]
fn access_applies_to_archives_added_before_and_after_it() {
    let game = game("id1/pak0.pak: a; new.pak: b");
    let builder = || SearchPath::builder(game.path());
    for builder in [
        builder().archive(game.join("new.pak")).access(Access::Read),
        builder().access(Access::Read).archive(game.join("new.pak")),
    ] {
        let quake = builder.mount().unwrap();
        let (one, other) = (quake.read("b").unwrap(), quake.read("b").unwrap());
        assert!(!std::ptr::eq(&raw const *one, &raw const *other), "each is read");
    }
}

#[test]
fn rules_with_another_extension_load_a_zip() {
    let game = game("id1/pak0.pak: a");
    game.write("id1/extra.kpf", zip_deflated([("b.cfg", b"echo b")]));
    let rules = Rules::from_toml(
        "inherit = \"darkplaces\"\nname = \"mine\"\n[[archives.sets]]\nset = \"others\"\nextensions = [\"pak\", \"kpf\"]\n\
         extension-case = \"ignored\"\nalike = \"loaded\"\norder = \"bytes\"\n",
    );
    let quake = SearchPath::builder(game.path()).rules(rules.unwrap()).mount().unwrap();
    assert_eq!(quake.read("b.cfg").unwrap(), "echo b");
}

#[test]
fn a_base_directory_that_is_not_utf8_is_an_error() {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let path = std::ffi::OsStr::from_bytes(b"/nowhere/\xff");
        let error = SearchPath::builder(path).mount().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::PathNotUtf8), "{error}");
    }
}
