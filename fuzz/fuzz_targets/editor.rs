//! An archive after edits and a repack contains the entries of a list after the same changes.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use pak_format::name::writable;
use pak_format::{Archive, Builder, Editor, EntryName, Layout, ParseOptions, RepackOptions, Source, repack};
use quakefs_fuzz::{Name, pick};
use testutils::Folder;

#[derive(Arbitrary, Debug)]
struct Input {
    layout: u8,
    files: Vec<(Name, Vec<u8>)>,
    sessions: Vec<Session>,
}

/// The changes of one editor, and then of the archive.
#[derive(Arbitrary, Debug)]
struct Session {
    changes: Vec<Change>,
    commit: bool,
    repack: Option<u8>,
}

#[derive(Arbitrary, Debug)]
enum Change {
    Add(Name, Vec<u8>),
    Replace(Name, Vec<u8>),
    Remove(Name),
    Rename(Name, Name),
}

/// Names and contents, in the order of the rows. Names may repeat.
type Model = Vec<(Vec<u8>, Vec<u8>)>;

fuzz_target!(|input: Input| {
    let mut layout = *pick(&Layout::ALL, input.layout);
    let folder = Folder::new();
    let path = folder.join("a.pak");
    let mut model = Model::new();
    let mut builder = Builder::new(layout);
    for (Name(name), content) in input.files {
        let added = builder.add(&name, content.clone()).is_ok();
        assert_eq!(added, writable(&name, layout).is_ok());
        if added {
            model.push((name, content));
        }
    }
    std::fs::write(&path, builder.finish().unwrap()).unwrap();
    check(&std::fs::read(&path).unwrap(), layout, &model);

    for session in input.sessions {
        let read_as = ParseOptions::new().layout(layout);
        let mut editor = Editor::open_with(&path, &read_as).unwrap();
        let mut changed = model.clone();
        for change in session.changes {
            apply(change, layout, &mut editor, &mut changed);
        }
        assert_eq!(editor.len(), changed.len());
        assert!(editor.names().map(EntryName::as_bytes).eq(changed.iter().map(|(name, _)| &**name)));
        if session.commit {
            let report = editor.commit(None).unwrap();
            assert_eq!(report.after, std::fs::metadata(&path).unwrap().len());
            model = changed;
        } else {
            drop(editor);
        }
        check(&std::fs::read(&path).unwrap(), layout, &model);
        if let Some(target) = session.repack {
            let target = *pick(&Layout::ALL, target);
            let options = RepackOptions { read_as, layout: Some(target), ..RepackOptions::default() };
            let repacked = repack(&path, &options);
            let fits = model.iter().all(|(name, _)| writable(name, target).is_ok());
            assert_eq!(repacked.is_ok(), fits, "{repacked:?}");
            if fits {
                layout = target;
                let again = RepackOptions {
                    read_as: ParseOptions::new().layout(layout),
                    dry_run: true,
                    ..RepackOptions::default()
                };
                assert_eq!(repack(&path, &again).unwrap().dropped, 0);
            }
            check(&std::fs::read(&path).unwrap(), layout, &model);
        }
    }
    assert_eq!(folder.names(""), ["a.pak"]);
});

/// Makes a change in the editor and in the list, and compares whether both accept it.
fn apply(change: Change, layout: Layout, editor: &mut Editor<'_>, model: &mut Model) {
    let has = |model: &Model, name: &Name| model.iter().any(|(found, _)| *found == name.0);
    let can_be_new = |model: &Model, name: &Name| writable(&name.0, layout).is_ok() && !has(model, name);
    match change {
        Change::Add(name, content) => {
            let expected = can_be_new(model, &name);
            assert_eq!(editor.add(&name, Source::bytes(content.clone())).is_ok(), expected);
            if expected {
                model.push((name.0, content));
            }
        }
        Change::Replace(name, content) => {
            let replaced = editor.replace(&name, Source::bytes(content.clone())).is_ok();
            assert_eq!(replaced, has(model, &name));
            model
                .iter_mut()
                .filter(|(found, _)| *found == name.0)
                .for_each(|(_, old)| old.clone_from(&content));
        }
        Change::Remove(name) => {
            let before = model.len();
            model.retain(|(found, _)| *found != name.0);
            assert_eq!(editor.remove(&name).unwrap_or(0), before - model.len());
        }
        Change::Rename(old, new) => {
            let expected = has(model, &old) && (old == new || can_be_new(model, &new));
            assert_eq!(editor.rename(&old, &new).is_ok(), expected);
            if expected {
                model
                    .iter_mut()
                    .filter(|(found, _)| *found == old.0)
                    .for_each(|(found, _)| found.clone_from(&new.0));
            }
        }
    }
}

fn check(image: &[u8], layout: Layout, model: &Model) {
    let archive = Archive::parse_with(image, &ParseOptions::new().layout(layout)).unwrap();
    let entries = archive.entries();
    let entries: Model = entries
        .map(|entry| (entry.name().as_bytes().to_vec(), archive.read(&entry).unwrap().into()))
        .collect();
    assert_eq!(entries, *model);
}
