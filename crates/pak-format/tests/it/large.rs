//! Archives with as many entries as large mods have.

use std::fs::{self, File};
use std::io::BufWriter;

use pak_format::{Archive, Builder, Editor, Layout, Source, verify};

#[test]
fn very_many_entries_are_made_listed_verified_and_changed() {
    let count = testutils::scaled(100_000, 1_000_000);
    let middle = count / 2;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pak0.pak");
    let name = |number: usize| format!("d{:03}/f{number:07}.cfg", number % 1000);

    let mut builder = Builder::new(Layout::Quake);
    for number in 0..count {
        builder.push(name(number), Source::bytes(b"x"));
    }
    builder.write_to(&mut BufWriter::new(File::create(&path).unwrap())).unwrap();

    let archive = Archive::parse(fs::read(&path).unwrap()).unwrap();
    assert_eq!(archive.len(), count);
    assert_eq!(archive.entries().map(|entry| u64::from(entry.size())).sum::<u64>(), count as u64);
    assert_eq!(verify(&archive), []);

    let before = fs::metadata(&path).unwrap().len();
    let mut editor = Editor::open(&path).unwrap();
    editor.add("one/more.cfg", Source::bytes(b"more")).unwrap();
    let report = editor.commit(None).unwrap();
    assert_eq!((report.entries, report.before), (count + 1, before));
    let mut editor = Editor::open(&path).unwrap();
    assert_eq!(editor.remove(name(middle)).unwrap(), 1);
    editor.commit(None).unwrap();

    let archive = Archive::parse(fs::read(&path).unwrap()).unwrap();
    assert_eq!(archive.len(), count);
    assert_eq!(archive.entry(count - 1).unwrap().name().as_bytes(), b"one/more.cfg");
    assert_eq!(archive.entry(middle).unwrap().name().to_string(), name(middle + 1));
}
