//! Archives as large as the format allows.

use std::fs::{self, File};
use std::io::{BufWriter, Seek, SeekFrom, Write};

use pak_format::record::{Header, Row};
use pak_format::{Archive, Builder, Editor, ErrorKind, Layout, Source, verify};

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
    let report = editor.commit().unwrap();
    assert_eq!((report.entries, report.before), (count + 1, before));
    let mut editor = Editor::open(&path).unwrap();
    assert_eq!(editor.remove(name(middle)).unwrap(), 1);
    editor.commit().unwrap();

    let archive = Archive::parse(fs::read(&path).unwrap()).unwrap();
    assert_eq!(archive.len(), count);
    assert_eq!(archive.entry(count - 1).unwrap().name().as_bytes(), b"one/more.cfg");
    assert_eq!(archive.entry(middle).unwrap().name().to_string(), name(middle + 1));
}

/// A sparse file: its holes take no disk, and reading only the directory takes no memory.
#[test]
fn an_archive_of_nearly_4_gib_accepts_a_small_file_and_refuses_a_large_one() {
    const SIZE: u64 = 3900 << 20;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pak0.pak");
    let mut file = File::create(&path).unwrap();
    let directory_offset = u32::try_from(SIZE - 64).unwrap();
    let header = Header { magic: *b"PACK", directory_offset, directory_size: 64 };
    file.write_all(&header.encode()).unwrap();
    let size = directory_offset - 12;
    let mut row = Vec::new();
    let name = b"maps/huge.bsp";
    Row { name, offset: 12, size, compressed_size: size, compression: 0 }.encode(Layout::Quake, &mut row);
    file.seek(SeekFrom::Start(u64::from(directory_offset))).unwrap();
    file.write_all(&row).unwrap();
    drop(file);

    let room = u64::from(u32::MAX) - SIZE - 2 * 64;
    let add = |size: u64| {
        let mut editor = Editor::open(&path).unwrap();
        let source =
            Source::reader(size, move || Ok(Box::new(std::io::Read::take(std::io::repeat(7), size))));
        editor.add("maps/more.bsp", source).unwrap();
        editor.check()
    };
    assert!(add(room).is_empty(), "as much as there is room for");
    assert!(matches!(add(room + 1)[..], [ref error] if matches!(error.kind(), ErrorKind::TooLarge { .. })));

    let mut editor = Editor::open(&path).unwrap();
    editor.add("quake.rc", Source::bytes(b"exec default.cfg\n")).unwrap();
    assert_eq!(editor.commit().unwrap().after, SIZE + 17 + 2 * 64);
}
