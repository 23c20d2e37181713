//! ZIPs that are written and changed.

use std::collections::BTreeMap;
use std::fs;

use pak_format::{Builder, ErrorKind, Source, WriteOptions};
use proptest::prelude::*;
use quakefs::{Archive, FileData};
use quakefs_archives::Editor;

fn files_of(archive: &Archive) -> Vec<(String, Vec<u8>)> {
    let entries = archive.entries();
    entries.map(|entry| (entry.name().to_string(), entry.read().unwrap().to_vec())).collect()
}

fn contents() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..300),
        (any::<u8>(), 0..9000_usize).prop_map(|(byte, count)| vec![byte; count]),
    ]
}

#[derive(Clone, Debug)]
enum Step {
    Put(String, Vec<u8>),
    Remove(String),
    Rename(String, String),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let name = || "[ab]/[abc]";
    let step = prop_oneof![
        (name(), contents()).prop_map(|(name, content)| Step::Put(name, content)),
        name().prop_map(Step::Remove),
        (name(), name()).prop_map(|(old, new)| Step::Rename(old, new)),
    ];
    proptest::collection::vec(step, 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn built_archives_read_back(files in proptest::collection::btree_map("[a-z\u{e9}]{1,70}", contents(), 0..12), level in 0..10_u32) {
        let mut builder = Builder::zip();
        builder.level(level);
        for (name, content) in &files {
            builder.add(name, content).unwrap();
        }
        let archive = Archive::from_data(FileData::from(builder.finish().unwrap())).unwrap();
        let expected: Vec<_> = files.into_iter().collect();
        prop_assert_eq!(files_of(&archive), expected);
    }

    #[test]
    fn an_editor_behaves_like_a_map(steps in steps()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pk3");
        let mut model: BTreeMap<String, Vec<u8>> = BTreeMap::from([("a/a".to_owned(), b"first".to_vec())]);
        let mut builder = Builder::zip();
        builder.add("a/a", "first").unwrap();
        builder.write_file(&path, &WriteOptions::default()).unwrap();
        let mut editor = Editor::open(&path).unwrap();
        for step in steps {
            match step {
                Step::Put(name, content) => {
                    let source = Source::bytes(content.clone());
                    if model.insert(name.clone(), content).is_some() {
                        editor.replace(&name, source).unwrap();
                    } else {
                        editor.add(&name, source).unwrap();
                    }
                }
                Step::Remove(name) => {
                    let gone = editor.remove_where(|other| other == *name);
                    prop_assert_eq!(gone, usize::from(model.remove(&name).is_some()));
                }
                Step::Rename(old, new) => match model.get(&old).cloned() {
                    Some(content) if old == new || !model.contains_key(&new) => {
                        editor.rename(&old, &new).unwrap();
                        model.remove(&old);
                        model.insert(new, content);
                    }
                    _ => prop_assert!(editor.rename(&old, &new).is_err()),
                },
            }
        }
        prop_assert!(editor.check().is_empty());
        let report = editor.commit(None).unwrap();
        prop_assert_eq!(report.entries, model.len());
        let mut found = files_of(&Archive::open(&path).unwrap());
        found.sort();
        prop_assert_eq!(found, model.into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn sizes_come_before_the_payload_and_nothing_follows_it() {
    let mut builder = Builder::zip();
    builder.add("a.txt", vec![b'a'; 1000]).unwrap();
    builder.add("b.bin", "short").unwrap();
    let zip = builder.finish().unwrap();
    let word = |at: usize| u32::from_le_bytes(zip[at..at + 4].try_into().unwrap());
    let half = |at: usize| u16::from_le_bytes(zip[at..at + 2].try_into().unwrap());
    assert_eq!((word(0), half(6), half(8), word(22)), (0x0403_4b50, 0, 8, 1000));
    let second = 30 + 5 + word(18) as usize;
    // what deflate does not make smaller is stored
    assert_eq!((word(second), half(second + 8), word(second + 18)), (0x0403_4b50, 0, 5));
    assert_eq!(word(second + 30 + 5 + 5), 0x0201_4b50);
}

#[test]
fn the_same_files_give_the_same_bytes() {
    let make = || {
        let mut builder = Builder::zip();
        builder.add("a.txt", "content").unwrap();
        builder.finish().unwrap()
    };
    assert_eq!(make(), make());
}

#[test]
fn more_entries_than_a_zip_counts_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pk3");
    let mut builder = Builder::zip();
    for number in 0..65_534 {
        builder.push(number.to_string(), Source::bytes([]));
    }
    assert!(builder.check().is_empty());
    builder.push("one more", Source::bytes([]));
    let error = builder.write_file(&path, &WriteOptions::default()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooManyEntries { entries: 65_535, most: 65_534 }), "{error}");
    assert!(!path.exists());
}

#[test]
fn a_zip_has_one_writer_at_a_time_and_stays_if_an_entry_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pk3");
    let mut builder = Builder::zip();
    builder.add("a.txt", "stored").unwrap();
    builder.add("b.txt", "stored too").unwrap();
    let mut zip = builder.finish().unwrap();
    zip[35] ^= 1;
    fs::write(&path, &zip).unwrap();
    let mut editor = Editor::open(&path).unwrap();
    assert!(Editor::open(&path).is_err());
    editor.rename("b.txt", "c.txt").unwrap();
    let error = editor.commit(None).unwrap_err();
    assert_eq!(error.entry().map(|(_, name)| name.to_string()), Some("a.txt".to_owned()));
    assert_eq!(fs::read(&path).unwrap(), zip);
    // the damaged entry can be removed
    let mut editor = Editor::open(&path).unwrap();
    editor.remove_where(|name| name == "a.txt");
    editor.commit(None).unwrap();
    assert_eq!(files_of(&Archive::open(&path).unwrap()), [("b.txt".to_owned(), b"stored too".to_vec())]);
}

#[test]
fn names_that_an_archive_has_are_kept_and_new_ones_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pk3");
    let mut builder = Builder::zip();
    builder.keep("../up.txt", Source::bytes("up"));
    builder.write_file(&path, &WriteOptions::default()).unwrap();
    let mut editor = Editor::open(&path).unwrap();
    editor.add("a.txt", Source::bytes("a")).unwrap();
    assert!(editor.check().is_empty());
    editor.commit(None).unwrap();
    let names: Vec<_> =
        Archive::open(&path).unwrap().entries().map(|entry| entry.name().to_string()).collect();
    assert_eq!(names, ["../up.txt", "a.txt"]);
    let mut editor = Editor::open(&path).unwrap();
    editor.add("../over.txt", Source::bytes("a")).unwrap();
    assert!(matches!(editor.check()[..], [ref error] if matches!(error.kind(), ErrorKind::Name(_))));
}
