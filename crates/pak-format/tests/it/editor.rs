//! Changing archives on disk. `src/edit/faults.rs` tests what a fault at each operation leaves.

use std::cell::Cell;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pak_format::record::{Header, Row};
use pak_format::{
    Archive, Builder, Editor, EntryName, Error, ErrorKind, Layout, NameFault, ParseOptions, RepackOptions,
    Source, name, repack,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tempfile::TempDir;
use testutils::Pack;

use crate::{names_in, parse_as};

/// An archive in a separate folder.
struct Place {
    folder: TempDir,
    path: PathBuf,
}

fn place(image: &[u8]) -> Place {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pak0.pak");
    fs::write(&path, image).unwrap();
    Place { folder, path }
}

fn built(layout: Layout, files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = Builder::new(layout);
    for (name, content) in files {
        builder.add(name, content).unwrap();
    }
    builder.finish().unwrap()
}

const FILES: &[(&str, &[u8])] =
    &[("default.cfg", b"bind w +forward\n"), ("maps/e1m1.bsp", &[7; 900]), ("progs.dat", b"rules")];

fn small() -> Place {
    place(&built(Layout::Quake, FILES))
}

impl Place {
    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).unwrap()
    }

    fn archive(&self) -> Archive<Vec<u8>> {
        Archive::parse(self.bytes()).unwrap()
    }

    fn names(&self) -> Vec<String> {
        self.archive().entries().map(|entry| entry.name().to_string()).collect()
    }

    fn edit(&self) -> Editor<'static> {
        Editor::open(&self.path).unwrap()
    }

    /// The names of all other files in the folder.
    fn others(&self) -> Vec<String> {
        let mut names = names_in(self.folder.path());
        names.retain(|name| name != "pak0.pak");
        names
    }
}

type Model = Vec<(Vec<u8>, Vec<u8>)>;

fn contents(path: &Path, layout: Layout) -> Model {
    let archive = parse_as(fs::read(path).unwrap(), layout).unwrap();
    let read = |entry: pak_format::Entry<'_>| {
        (entry.name().as_bytes().to_vec(), archive.read(&entry).unwrap().into_owned())
    };
    archive.entries().map(read).collect()
}

#[derive(Clone, Debug)]
enum Step {
    Add(String, Vec<u8>),
    Replace(String, Vec<u8>),
    Remove(String),
    RemoveRow(usize),
    RemoveWhere(u8),
    Rename(String, String),
    Commit,
    GiveUp,
    Repack,
    Convert(Layout),
}

fn steps() -> impl Strategy<Value = Step> {
    // few names, so that they meet
    let name =
        || select(vec!["a", "b.tga", "maps/c.bsp", "d", "E", "e", "../up", ""]).prop_map(str::to_owned);
    let content = || {
        prop_oneof![vec(any::<u8>(), 0..40), (any::<u8>(), 0..600_usize).prop_map(|(byte, n)| vec![byte; n])]
    };
    prop_oneof![
        6 => (name(), content()).prop_map(|(name, content)| Step::Add(name, content)),
        3 => (name(), content()).prop_map(|(name, content)| Step::Replace(name, content)),
        3 => name().prop_map(Step::Remove),
        1 => (0..5_usize).prop_map(Step::RemoveRow),
        1 => any::<u8>().prop_map(Step::RemoveWhere),
        4 => (name(), name()).prop_map(|(old, new)| Step::Rename(old, new)),
        2 => Just(Step::Commit),
        1 => Just(Step::GiveUp),
        1 => Just(Step::Repack),
        1 => select(Layout::ALL.to_vec()).prop_map(Step::Convert),
    ]
}

/// The same step on a list. Entries of the archive as opened know their row.
fn model(
    list: &mut Vec<(Option<usize>, Vec<u8>, Vec<u8>)>,
    step: &Step,
    layout: Layout,
) -> Result<usize, ()> {
    let before = list.len();
    let named = |list: &Vec<(_, Vec<u8>, _)>, name: &str| {
        list.iter().filter(|(_, found, _)| found == name.as_bytes()).count()
    };
    let may_be_new = |list: &Vec<_>, name: &str| {
        if name::writable(name.as_bytes(), layout).is_ok() && named(list, name) == 0 {
            Ok(())
        } else {
            Err(())
        }
    };
    let require = |list: &Vec<_>, name: &str| Some(named(list, name)).filter(|&count| count > 0).ok_or(());
    match step {
        Step::Add(name, content) => {
            may_be_new(list, name)?;
            list.push((None, name.clone().into_bytes(), content.clone()));
        }
        Step::Replace(name, content) => {
            require(list, name)?;
            for entry in list.iter_mut().filter(|entry| entry.1 == name.as_bytes()) {
                entry.2.clone_from(content);
            }
        }
        Step::Remove(name) => {
            require(list, name)?;
            list.retain(|entry| entry.1 != name.as_bytes());
        }
        Step::RemoveRow(row) => list.retain(|entry| entry.0 != Some(*row)),
        Step::RemoveWhere(byte) => list.retain(|entry| !entry.1.contains(byte)),
        Step::Rename(old, new) => {
            let count = require(list, old)?;
            if old != new {
                may_be_new(list, new)?;
            }
            for entry in list.iter_mut().filter(|entry| entry.1 == old.as_bytes()) {
                entry.1 = new.clone().into_bytes();
            }
            return Ok(count);
        }
        _ => {}
    }
    Ok(before - list.len().min(before))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edited_archive_equals_a_list_with_the_same_edits(
        mut layout in select(Layout::ALL.to_vec()),
        start in vec((select(vec!["a", "b.tga", "a", "maps/c.bsp"]), vec(any::<u8>(), 0..50)), 0..6),
        steps in vec(steps(), 0..40),
    ) {
        let start: Vec<_> = start.iter().map(|(name, content)| (*name, &content[..])).collect();
        let place = place(&built(layout, &start));
        let list = |model: &Model| -> Vec<_> {
            let rows = model.iter().cloned().enumerate();
            rows.map(|(row, (name, content))| (Some(row), name, content)).collect()
        };
        let open = |layout| {
            Editor::open_with(&place.path, &ParseOptions::new().layout(layout)).unwrap()
        };
        let mut committed = contents(&place.path, layout);
        let mut expected = list(&committed);
        let mut editor = open(layout);
        for step in steps {
            let returned: Result<usize, Error> = match &step {
                Step::Add(name, content) => editor.add(name, Source::bytes(content.clone())).map(|()| 0),
                Step::Replace(name, content) => {
                    let content = content.clone();
                    let open = move || -> std::io::Result<Box<dyn std::io::Read>> {
                        Ok(Box::new(std::io::Cursor::new(content)))
                    };
                    let Step::Replace(_, content) = &step else { unreachable!() };
                    editor.replace(name, Source::reader(content.len() as u64, open)).map(|()| 0)
                }
                Step::Remove(name) => editor.remove(name),
                Step::RemoveRow(row) => Ok(usize::from(editor.remove_row(*row))),
                Step::RemoveWhere(byte) => Ok(editor.remove_where(|name| name.as_bytes().contains(byte))),
                Step::Rename(old, new) => editor.rename(old, new),
                Step::Commit => {
                    let report = editor.commit(None).unwrap();
                    prop_assert_eq!(report.after, fs::metadata(&place.path).unwrap().len());
                    prop_assert_eq!(report.entries, expected.len());
                    let named = expected.iter();
                    committed = named.map(|(_, name, content)| (name.clone(), content.clone())).collect();
                    editor = open(layout);
                    Ok(0)
                }
                Step::GiveUp => {
                    drop(editor);
                    editor = open(layout);
                    Ok(0)
                }
                Step::Repack | Step::Convert(_) => {
                    drop(editor);
                    let to = if let Step::Convert(to) = step { to } else { layout };
                    let options = RepackOptions {
                        read_as: ParseOptions::new().layout(layout),
                        layout: Some(to),
                        ..RepackOptions::default()
                    };
                    let report = repack(&place.path, &options).unwrap();
                    prop_assert!(to != layout || report.after == report.before - report.dropped);
                    prop_assert_eq!(report.after, fs::metadata(&place.path).unwrap().len());
                    layout = to;
                    editor = open(layout);
                    Ok(0)
                }
            };
            match step {
                Step::Commit | Step::GiveUp | Step::Repack | Step::Convert(_) => expected = list(&committed),
                _ => {
                    let modelled = model(&mut expected, &step, layout);
                    prop_assert_eq!(returned.map_err(drop), modelled, "{:?}", step);
                }
            }
            prop_assert_eq!(editor.len(), expected.len());
            let names = expected.iter().map(|entry| &entry.1[..]);
            prop_assert!(editor.names().map(EntryName::as_bytes).eq(names));
            // uncommitted changes are not on disk
            prop_assert_eq!(contents(&place.path, layout), committed.clone());
        }
        prop_assert!(place.others().is_empty());
    }
}

#[test]
fn a_change_costs_as_much_as_it_adds() {
    let place = small();
    let before = place.bytes();
    let mut editor = place.edit();
    editor.add("new.cfg", Source::bytes("echo\n")).unwrap();
    let report = editor.commit(None).unwrap();
    let after = place.bytes();
    assert_eq!(report.after - report.before, 5 + 4 * 64);
    assert_eq!((report.after, report.dropped, report.entries), (after.len() as u64, 0, 4));
    assert_eq!(after[12..before.len()], before[12..]);
}

#[test]
fn a_commit_without_a_change_writes_nothing() {
    let place = small();
    let modified = |place: &Place| fs::metadata(&place.path).unwrap().modified().unwrap();
    let (before, time) = (place.bytes(), modified(&place));
    let mut editor = place.edit();
    assert_eq!(editor.rename("progs.dat", "progs.dat").unwrap(), 1);
    assert!(!editor.is_changed());
    editor.commit(None).unwrap();
    assert_eq!((place.bytes(), modified(&place)), (before, time));
}

#[test]
fn a_missing_name_and_a_name_that_may_not_be_stored_are_refused() {
    let place = small();
    let mut editor = place.edit();
    let shown = place.path.display().to_string();
    let text = |error: Error| error.to_string().replace(&shown, "PAK");
    let error = editor.remove("x").unwrap_err();
    assert!(error.is_not_found());
    assert_eq!(error.path(), Some(&*place.path));
    assert_eq!(text(error), "PAK: no entry is called \"x\"");
    assert_eq!(
        text(editor.add("progs.dat", Source::bytes("")).unwrap_err()),
        "PAK: entry 3 (progs.dat): entry 2 has the same name"
    );
    assert_eq!(
        text(editor.rename("progs.dat", "default.cfg").unwrap_err()),
        "PAK: entry 2 (default.cfg): entry 0 has the same name"
    );
    assert_eq!(
        text(editor.rename("progs.dat", "a/../b").unwrap_err()),
        "PAK: entry 2 (a/../b): the name cannot be stored: the name has a \"..\" component"
    );
    assert!(!editor.is_changed() && editor.contains("progs.dat") && !editor.contains("x"));
}

/// Rows as old packers leave them.
fn odd_rows() -> Vec<u8> {
    let mut garbage = b"progs/ogre.mdl\0".to_vec();
    garbage.extend(0x80..0xa9);
    let names: [&[u8]; 4] = [&garbage, &[b'n'; 56], b"..\\escape", b"plain"];
    let mut pack = Pack::new(Layout::Quake);
    let offset = pack.payload(b"abc");
    for name in names {
        pack.row(name, offset, 3);
    }
    pack.finish()
}

#[test]
fn rows_that_nothing_is_done_to_are_kept_to_the_byte() {
    let image = odd_rows();
    let rows = |image: &[u8]| {
        let archive = parse_as(image, Layout::Quake).unwrap();
        image[archive.directory_range()].to_vec()
    };
    let place = place(&image);
    let mut editor = place.edit();
    editor.remove("plain").unwrap();
    editor.add("new", Source::bytes("new")).unwrap();
    editor.replace([b'n'; 56], Source::bytes("other")).unwrap();
    editor.commit(None).unwrap();
    let edited = place.bytes();
    assert_eq!(rows(&edited)[..64], rows(&image)[..64]);
    assert_eq!(rows(&edited)[64..64 + 56], rows(&image)[64..64 + 56]);
    assert_eq!(rows(&edited)[128..192], rows(&image)[128..192]);

    let report = repack(&place.path, &RepackOptions::default()).unwrap();
    assert_eq!(report.dropped, 256);
    let names = |image: &[u8]| rows(image).chunks(64).map(|row| row[..56].to_vec()).collect::<Vec<_>>();
    assert_eq!(names(&place.bytes()), names(&edited));

    // if the width of the field changes, only the name is copied
    repack(&place.path, &RepackOptions { layout: Some(Layout::Sin), ..RepackOptions::default() }).unwrap();
    let archive = place.archive();
    let fields: Vec<_> = archive.entries().map(|entry| entry.row().name.to_vec()).collect();
    assert_eq!(fields[0], [&b"progs/ogre.mdl"[..], &[0; 106]].concat());
    assert_eq!(fields[1], [&[b'n'; 56][..], &[0; 64]].concat());
    assert_eq!(archive.entry(2).unwrap().name().as_bytes(), b"..\\escape");
}

#[test]
fn a_second_editor_is_refused() {
    let place = small();
    let first = place.edit();
    let second = Editor::open(&place.path).unwrap_err();
    assert_eq!(second.kind(), &ErrorKind::Locked);
    assert_eq!(
        second.to_string(),
        format!("{}: another program is writing the archive", place.path.display())
    );
    assert_eq!(repack(&place.path, &RepackOptions::default()).unwrap_err().kind(), &ErrorKind::Locked);
    let elsewhere = RepackOptions { output: Some(place.folder.path().join("x")), ..RepackOptions::default() };
    assert_eq!(repack(&place.path, &elsewhere).unwrap_err().kind(), &ErrorKind::Locked);
    drop(first);
    place.edit().commit(None).unwrap();
    assert!(place.others().is_empty());
}

/// What another program does to a file, and its name.
type Change<'c> = (&'static str, &'c dyn Fn(&Path));

#[test]
#[cfg_attr(windows, ignore = "on Windows no other program writes to a file that is being changed")]
fn a_file_that_others_changed_is_not_touched() {
    let edit_row = |path: &Path, keep_time: bool| {
        let time = fs::metadata(path).unwrap().modified().unwrap();
        let mut file = OpenOptions::new().read(true).write(true).open(path).unwrap();
        file.seek(SeekFrom::End(-64)).unwrap();
        file.write_all(b"P").unwrap();
        if keep_time {
            file.set_modified(time).unwrap();
        }
    };
    let changes: [Change<'_>; 5] = [
        ("longer", &|path| OpenOptions::new().append(true).open(path).unwrap().write_all(b"x").unwrap()),
        ("shorter", &|path| OpenOptions::new().write(true).open(path).unwrap().set_len(500).unwrap()),
        ("a row, of the same length", &|path| edit_row(path, false)),
        ("a row, of the same length and time", &|path| edit_row(path, true)),
        ("another file", &|path| {
            let other = path.with_extension("tmp");
            fs::copy(path, &other).unwrap();
            fs::rename(other, path).unwrap();
        }),
    ];
    for (what, change) in changes {
        let place = small();
        let mut editor = place.edit();
        editor.add("new", Source::bytes("new")).unwrap();
        change(&place.path);
        let after = place.bytes();
        let error = editor.commit(None).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::ArchiveChanged, "{what}");
        assert_eq!(place.bytes(), after, "{what}");
    }
    let place = small();
    let mut editor = place.edit();
    editor.remove("progs.dat").unwrap();
    fs::remove_file(&place.path).unwrap();
    assert_eq!(editor.commit(None).unwrap_err().kind(), &ErrorKind::ArchiveChanged);
}

#[cfg(unix)]
#[test]
fn mode_owner_and_link_are_kept() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
    let place = small();
    let link = place.folder.path().join("link.pak");
    symlink("pak0.pak", &link).unwrap();
    fs::set_permissions(&place.path, fs::Permissions::from_mode(0o664)).unwrap();
    // root alone may
    let given = chown(&place.path, Some(4321), Some(1234)).is_ok();
    let state = || {
        let metadata = fs::metadata(&place.path).unwrap();
        (metadata.mode() & 0o7777, metadata.uid(), metadata.gid(), fs::read_link(&link).unwrap())
    };
    let before = state();
    assert!(!given || before.1 == 4321);
    let mut editor = Editor::open(&link).unwrap();
    editor.remove("progs.dat").unwrap();
    editor.commit(None).unwrap();
    assert_eq!(state(), before);
    repack(&link, &RepackOptions::default()).unwrap();
    assert_eq!(state(), before);
    assert_eq!(place.names(), ["default.cfg", "maps/e1m1.bsp"]);
    assert_eq!(place.others(), ["link.pak"]);

    // a new file gets the mode of the archive, a replaced file keeps its mode
    let output = place.folder.path().join("out.pak");
    let options = RepackOptions { output: Some(output.clone()), overwrite: true, ..RepackOptions::default() };
    repack(&link, &options).unwrap();
    let mode = || fs::metadata(&output).unwrap().mode() & 0o7777;
    assert_eq!(mode(), 0o664);
    fs::set_permissions(&output, fs::Permissions::from_mode(0o600)).unwrap();
    repack(&link, &options).unwrap();
    assert_eq!(mode(), 0o600);
}

#[test]
fn an_existing_output_is_kept_without_an_option() {
    let place = small();
    let output = place.folder.path().join("out.pak");
    fs::write(&output, "mine").unwrap();
    let mut options = RepackOptions { output: Some(output.clone()), ..RepackOptions::default() };
    let error = repack(&place.path, &options).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io { kind: std::io::ErrorKind::AlreadyExists, .. }), "{error}");
    assert_eq!(fs::read(&output).unwrap(), b"mine");
    options.overwrite = true;
    repack(&place.path, &options).unwrap();
    assert_eq!(fs::read(&output).unwrap(), place.bytes());

    // the archive itself, by name
    let options =
        RepackOptions { output: Some(place.path.clone()), overwrite: true, ..RepackOptions::default() };
    repack(&place.path, &options).unwrap();
    assert_eq!(place.names().len(), 3);
    assert_eq!(place.others(), ["out.pak"]);
}

#[test]
fn an_unreadable_file_is_reported() {
    let place = small();
    let kind = |path: &Path| match Editor::open(path).unwrap_err().kind() {
        ErrorKind::Io { kind, .. } => *kind,
        kind => panic!("{kind}"),
    };
    assert_eq!(kind(&place.folder.path().join("none.pak")), std::io::ErrorKind::NotFound);
    assert_eq!(kind(place.folder.path()), std::io::ErrorKind::IsADirectory);
    fs::write(&place.path, "PAC").unwrap();
    assert_eq!(Editor::open(&place.path).unwrap_err().kind(), &ErrorKind::ShortHeader { found: 3 });
    let nowhere = place.folder.path().join("none/out.pak");
    fs::write(&place.path, built(Layout::Quake, FILES)).unwrap();
    let error =
        repack(&place.path, &RepackOptions { output: Some(nowhere.clone()), ..RepackOptions::default() })
            .unwrap_err();
    assert!(error.is_not_found(), "{error}");
    assert_eq!(error.path(), Some(&*nowhere));
    assert!(place.others().is_empty());
}

#[test]
fn entries_outside_the_archive_must_be_removed_first() {
    // the directory in front, and the end cut off
    let mut directory = Vec::new();
    for (name, offset, size) in [("whole", 140, 3), ("cut", 143, 100)] {
        let row = Row { name: name.as_bytes(), offset, size, compressed_size: size, compression: 0 };
        row.encode(Layout::Quake, &mut directory);
    }
    let header = Header { magic: *b"PACK", directory_offset: 12, directory_size: 128 };
    let image = [&header.encode()[..], &directory, b"abcde"].concat();
    let place = place(&image);
    let mut editor = place.edit();
    editor.add("new", Source::bytes([1; 500])).unwrap();
    // otherwise it would read the added bytes
    let error = editor.commit(None).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::EntryOutside { image_size: 145, .. }), "{error}");
    assert_eq!(error.entry().unwrap().0, 1);
    assert!(repack(&place.path, &RepackOptions::default()).is_err());
    assert_eq!(place.bytes(), image);

    let mut editor = place.edit();
    let bad: Vec<_> = editor.directory().problems().filter_map(|error| Some(error.entry()?.0)).collect();
    assert!(bad.iter().all(|&row| editor.remove_row(row)));
    editor.add("new", Source::bytes([1; 500])).unwrap();
    editor.commit(None).unwrap();
    assert_eq!(place.names(), ["whole", "new"]);
    let report = repack(&place.path, &RepackOptions::default()).unwrap();
    assert_eq!(report.dropped, 128 + 2);
}

#[test]
fn a_payload_in_the_header_is_safe_from_an_edit_after_a_repack() {
    let place = place(&fs::read(crate::testdata("malformed/payload-in-header.pak")).unwrap());
    let mut editor = place.edit();
    editor.add("b", Source::bytes("b")).unwrap();
    let error = editor.commit(None).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::EntryInHeader { offset: 0 });
    repack(&place.path, &RepackOptions::default()).unwrap();
    let mut editor = place.edit();
    editor.add("b", Source::bytes("b")).unwrap();
    editor.commit(None).unwrap();
    let archive = place.archive();
    assert_eq!(&*archive.read(&archive.find("a").unwrap()).unwrap(), b"PACK");
}

#[test]
fn payloads_that_share_bytes_share_them_after_a_repack() {
    let mut pack = Pack::new(Layout::Quake);
    pack.payload(&(0..200).collect::<Vec<u8>>());
    let extents = [(100, 50), (100, 50), (120, 60), (20, 10), (0, 0), (5000, 0)];
    for (number, (offset, size)) in extents.into_iter().enumerate() {
        pack.row(number.to_string().as_bytes(), offset, size);
    }
    let place = place(&[&pack.finish()[..], b"tail"].concat());
    let before = contents(&place.path, Layout::Quake);
    let report = repack(&place.path, &RepackOptions::default()).unwrap();
    assert_eq!(contents(&place.path, Layout::Quake), before);
    assert_eq!(report.after, 12 + 80 + 10 + 6 * 64);
    assert_eq!(report.dropped, report.before - report.after);
}

#[test]
fn a_conversion_reports_all_problems_and_writes_nothing() {
    let long = "n".repeat(56);
    let longer = "m".repeat(119);
    let place = place(&built(Layout::Sin, &[(&long, b"1"), ("fits", b"2"), (&longer, b"3")]));
    let before = place.bytes();
    let options = RepackOptions { layout: Some(Layout::Daikatana), ..RepackOptions::default() };
    let error = repack(&place.path, &options).unwrap_err();
    let entries: Vec<_> = error.problems().iter().map(|problem| problem.entry().unwrap().0).collect();
    assert_eq!(entries, [0, 2]);
    let too_long = ErrorKind::Name(NameFault::TooLong);
    assert!(
        error.problems().iter().all(|problem| problem.kind() == &too_long && problem.archive().is_some())
    );
    assert_eq!(place.bytes(), before);
    assert!(place.others().is_empty());
}

#[test]
fn damaged_streams_stop_a_conversion_and_not_a_repack() {
    let stream = [1, b'a', b'b', 254, 255];
    let mut directory = Vec::new();
    for name in ["a.tga", "b.tga", "c.txt"] {
        let compression = u32::from(name != "c.txt");
        let row = Row { name: name.as_bytes(), offset: 12, size: 2, compressed_size: 5, compression };
        row.encode(Layout::Daikatana, &mut directory);
    }
    let header = Header { magic: *b"PACK", directory_offset: 17, directory_size: 216 };
    let image = [&header.encode()[..], &stream, &directory].concat();
    let place = place(&image);
    for dry_run in [true, false] {
        let options = RepackOptions { layout: Some(Layout::Quake), dry_run, ..RepackOptions::default() };
        let error = repack(&place.path, &options).unwrap_err();
        assert_eq!(error.problems().len(), 2);
        assert!(matches!(error.problems()[1].kind(), ErrorKind::Codec(_)));
        assert_eq!(place.bytes(), image);
        assert!(place.others().is_empty());
    }
    let options =
        RepackOptions { read_as: ParseOptions::new().layout(Layout::Daikatana), ..RepackOptions::default() };
    repack(&place.path, &options).unwrap();
    assert_eq!(place.bytes(), image);
}

#[test]
fn a_daikatana_archive_becomes_a_quake_archive_and_comes_back() {
    let place = place(&fs::read(crate::testdata("ok/daikatana-dkpak.pak")).unwrap());
    let before = contents(&place.path, Layout::Daikatana);
    let to = |layout| RepackOptions { layout: Some(layout), ..RepackOptions::default() };
    let dry_run = RepackOptions { dry_run: true, ..to(Layout::Quake) };
    let planned = repack(&place.path, &dry_run).unwrap();
    assert_eq!(place.archive().layout(), Layout::Daikatana);
    assert_eq!(repack(&place.path, &to(Layout::Quake)).unwrap(), planned);
    assert_eq!(planned.after, place.bytes().len() as u64);
    assert_eq!(contents(&place.path, Layout::Quake), before);
    repack(&place.path, &to(Layout::Daikatana)).unwrap();
    assert_eq!(contents(&place.path, Layout::Daikatana), before);
    let archive = place.archive();
    let compressed: Vec<_> = archive.entries().map(|entry| entry.is_compressed()).collect();
    assert_eq!(compressed, [false, false, true, true]);
}

#[test]
fn a_repack_may_be_stopped() {
    let place = small();
    let before = place.bytes();
    let calls = Cell::new(0);
    let stop = |done, all| {
        calls.set(calls.get() + 1);
        assert!(done <= all);
        ControlFlow::Break(())
    };
    let options = RepackOptions { progress: Some(&stop), ..RepackOptions::default() };
    assert_eq!(repack(&place.path, &options).unwrap_err().kind(), &ErrorKind::Stopped);
    assert_eq!((calls.get(), place.bytes(), place.others().len()), (1, before, 0));
    let last = Cell::new((0, 1));
    let watch = |done, all| {
        last.set((done, all));
        ControlFlow::Continue(())
    };
    repack(&place.path, &RepackOptions { progress: Some(&watch), ..RepackOptions::default() }).unwrap();
    assert_eq!(last.get().0, last.get().1);
}

#[test]
fn more_than_4_gib_is_refused_before_anything_is_written() {
    let place = small();
    let before = place.bytes();
    let room = u64::from(u32::MAX) - before.len() as u64 - 4 * 64;
    for (size, fits) in [(room, true), (room + 1, false)] {
        let mut editor = place.edit();
        editor.add("big", Source::reader(size, || panic!("opened"))).unwrap();
        assert_eq!(editor.check().is_empty(), fits);
        if !fits {
            let error = editor.commit(None).unwrap_err();
            assert_eq!(error.kind(), &ErrorKind::TooLarge { size: 1 << 32 });
        }
    }
    // one that was removed again does not count
    let mut editor = place.edit();
    editor.add("big", Source::reader(room + 1, || panic!("opened"))).unwrap();
    editor.remove("big").unwrap();
    editor.commit(None).unwrap();
    assert_eq!(place.names().len(), 3);
}

#[test]
fn a_sparse_archive_of_almost_4_gib_is_edited_in_place() {
    let place = small();
    let length = u64::from(u32::MAX) - 10_000;
    // the directory at the far end
    let archive = place.archive();
    let rows = place.bytes()[archive.directory_range()].to_vec();
    let mut file = OpenOptions::new().write(true).open(&place.path).unwrap();
    file.seek(SeekFrom::Start(length)).unwrap();
    file.write_all(&rows).unwrap();
    let directory_offset = u32::try_from(length).unwrap();
    file.seek(SeekFrom::Start(0)).unwrap();
    file.write_all(&Header { magic: *b"PACK", directory_offset, directory_size: 192 }.encode()).unwrap();
    drop(file);

    let mut editor = place.edit();
    editor.add("new.cfg", Source::bytes("echo\n")).unwrap();
    editor.remove("progs.dat").unwrap();
    let report = editor.commit(None).unwrap();
    assert_eq!(report.after, length + 192 + 5 + 192);
    let mut header = [0; 12];
    File::open(&place.path).unwrap().read_exact(&mut header).unwrap();
    assert_eq!(u64::from(Header::parse(&header).unwrap().directory_offset), length + 192 + 5);
    let room = u64::from(u32::MAX) - report.after - 4 * 64;
    for (size, fits) in [(room, true), (room + 1, false)] {
        let mut editor = place.edit();
        editor.add("big", Source::reader(size, || panic!("opened"))).unwrap();
        assert_eq!(editor.check().is_empty(), fits);
    }
    let output = place.folder.path().join("out.pak");
    // nothing of the hole is read
    repack(&place.path, &RepackOptions { output: Some(output.clone()), ..RepackOptions::default() }).unwrap();
    assert_eq!(fs::metadata(output).unwrap().len(), 12 + 16 + 900 + 5 + 192);
}

#[test]
fn added_entries_are_compressed_and_old_ones_stay() {
    let place = place(&fs::read(crate::testdata("ok/daikatana-dkpak.pak")).unwrap());
    let before = place.bytes();
    let mut editor = place.edit();
    editor.add("new.tga", Source::bytes([7; 5000])).unwrap();
    editor.add("new.txt", Source::bytes([7; 5000])).unwrap();
    editor.rename("textures/striped.tga", "textures/plain.tga").unwrap();
    editor.commit(None).unwrap();
    let archive = place.archive();
    let compressed: Vec<_> = archive.entries().map(|entry| entry.is_compressed()).collect();
    assert_eq!(compressed, [false, false, true, true, true, false]);
    assert_eq!(
        archive.entry(2).unwrap().offset(),
        Archive::parse(before).unwrap().entry(2).unwrap().offset()
    );
}

#[test]
fn an_entry_that_is_renamed_there_and_back_is_one_entry() {
    let place = small();
    let mut editor = place.edit();
    for (old, new) in [("progs.dat", "a"), ("a", "progs.dat"), ("progs.dat", "b"), ("b", "progs.dat")] {
        assert_eq!(editor.rename(old, new).unwrap(), 1);
        assert!(!editor.contains(old));
    }
    assert_eq!((editor.remove("progs.dat").unwrap(), editor.len()), (1, 2));
    editor.add("progs.dat", Source::bytes("new")).unwrap();
    assert_eq!(editor.remove("progs.dat").unwrap(), 1);
}

#[test]
fn an_archive_of_equal_names_is_edited_without_comparing_all_pairs() {
    let count = 200_000;
    let mut builder = Builder::new(Layout::Quake);
    for _ in 0..count {
        builder.push("a", Source::bytes(b""));
    }
    let place = place(&builder.finish().unwrap());
    // all pairs would take minutes
    let mut editor = place.edit();
    assert_eq!(editor.rename("a", "b").unwrap(), count);
    assert_eq!(editor.remove_where(|name| name == "b"), count);
    assert!(!editor.contains("b"));
}

#[test]
fn a_commit_may_be_stopped() {
    let place = small();
    let before = place.bytes();
    let mut editor = place.edit();
    editor.add("big", Source::bytes(vec![7; 600_000])).unwrap();
    let calls = Cell::new(0);
    let stop = |done, all| {
        calls.set(calls.get() + 1);
        assert!(done <= all && all == 600_000);
        if calls.get() == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let error = editor.commit(Some(&stop)).unwrap_err();
    assert_eq!((error.kind(), error.entry(), calls.get()), (&ErrorKind::Stopped, None, 2));
    assert_eq!(place.bytes(), before);
}

#[test]
fn bytes_after_the_last_row_are_dropped_if_the_caller_allows_it() {
    let mut image = built(Layout::Quake, FILES);
    image.extend_from_slice(b"ragged");
    let size = u32::try_from(3 * 64 + 6).unwrap();
    image[8..12].copy_from_slice(&size.to_le_bytes());
    let options = ParseOptions::new().layout(Layout::Quake).allow_partial_row(true);
    let place = place(&image);
    assert!(Editor::open(&place.path).is_err());
    let report =
        repack(&place.path, &RepackOptions { read_as: options, dry_run: true, ..RepackOptions::default() })
            .unwrap();
    assert_eq!((report.dropped, report.after), (6, report.before - 6));
    let mut editor = Editor::open_with(&place.path, &options).unwrap();
    editor.remove("progs.dat").unwrap();
    editor.commit(None).unwrap();
    assert_eq!(place.names(), ["default.cfg", "maps/e1m1.bsp"]);
}
