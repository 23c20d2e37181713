//! Writing archives: they read back, and a broken one is refused before anything is written.

use std::cell::RefCell;
use std::error::Error as _;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{names_in, parse_as};
use pak_format::daikatana::EncodeOptions;
use pak_format::{Archive, Builder, ErrorKind, Layout, Source, WriteOptions, name};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Payloads that compress, and payloads that do not.
fn contents() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 0..80),
        (any::<u8>(), 0..700_usize).prop_map(|(byte, count)| vec![byte; count])
    ]
}

fn encodings() -> impl Strategy<Value = EncodeOptions> {
    (any::<bool>(), any::<bool>()).prop_map(|(smallest, allow_overlap)| {
        EncodeOptions::new().smallest(smallest).allow_overlap(allow_overlap)
    })
}

/// A reader that gives its bytes in small pieces.
fn dribble(content: &[u8]) -> Source<'_> {
    struct Dribble<'a>(&'a [u8]);
    impl Read for Dribble<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let most = out.len().min(7);
            self.0.read(&mut out[..most])
        }
    }
    Source::reader(content.len() as u64, move || Ok(Box::new(Dribble(content))))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn built_archives_read_back_for_all_sources_and_outputs(
        layout in select(Layout::ALL.to_vec()),
        files in vec(("[a-zA-Z0-9_é -]{1,9}(/[a-z0-9_é]{1,9}){0,3}(\\.(tga|BSP|b))?", contents()), 0..20),
        encoding in encodings(),
        sorted in any::<bool>(),
        before in 0..5_u64,
    ) {
        let mut files: Vec<_> =
            files.iter().filter(|(name, _)| name::writable(name.as_bytes(), layout).is_ok()).collect();
        let builder = |readers: bool| {
            let mut builder = Builder::new(layout);
            builder.encoding(encoding).sorted(sorted);
            for (name, content) in &files {
                if readers {
                    builder.push(name, dribble(content));
                } else {
                    builder.add(name, content).unwrap();
                }
            }
            builder
        };
        let most = builder(false).size();
        let image = builder(false).finish().unwrap();
        prop_assert_eq!(&image, &builder(true).finish().unwrap());
        prop_assert!(image.len() as u64 <= most);

        let mut out = Cursor::new(vec![b'x'; usize::try_from(before).unwrap()]);
        out.seek(SeekFrom::End(0)).unwrap();
        let written = builder(true).write_to(&mut out).unwrap();
        prop_assert_eq!((written, out.position()), (image.len() as u64, before + image.len() as u64));
        prop_assert_eq!(&out.get_ref()[usize::try_from(before).unwrap()..], &image[..]);

        if sorted {
            files.sort_by(|one, other| one.0.as_bytes().cmp(other.0.as_bytes()));
        }
        let archive = parse_as(&image, layout).unwrap();
        prop_assert_eq!(archive.len(), files.len());
        for (entry, (name, content)) in archive.entries().zip(&files) {
            prop_assert_eq!(entry.name().to_str(), Some(name.as_str()));
            prop_assert_eq!(&archive.read(&entry).unwrap()[..], &content[..]);
            prop_assert!(entry.stored_size() <= entry.size());
            let may = layout.compresses() && [".tga", ".BSP"].iter().any(|end| name.ends_with(end));
            prop_assert!(may || !entry.is_compressed());
            prop_assert_eq!(entry.is_compressed(), entry.stored_size() < entry.size());
            prop_assert_eq!(entry.row().compressed_size, entry.stored_size());
        }
        match Archive::parse(&image) {
            Ok(archive) => prop_assert!(files.is_empty() || archive.layout() == layout),
            Err(error) => prop_assert!(matches!(error.kind(), ErrorKind::AmbiguousLayout { .. }), "{error}"),
        }
    }
}

/// An output that nothing may be done to.
struct Untouched;

impl Write for Untouched {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        panic!("written to");
    }

    fn flush(&mut self) -> io::Result<()> {
        panic!("flushed");
    }
}

impl Seek for Untouched {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        panic!("moved");
    }
}

fn never_opened<'a>(size: u64) -> Source<'a> {
    Source::reader(size, || panic!("opened"))
}

#[test]
fn all_problems_are_reported_at_once_and_nothing_is_written() {
    let mut builder = Builder::new(Layout::Quake);
    builder.unique_names(true);
    builder.push("a", Source::bytes("fine"));
    builder.push("../b", Source::bytes("x"));
    builder.push([b'n'; 56], never_opened(3));
    builder.push("a", never_opened(u64::MAX));
    builder.push("", Source::bytes("x"));
    let expected = "\
entry 1 (../b): the name cannot be stored: the name has a \"..\" component
entry 2 (nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn): the name cannot be stored: the name is too long for its field
entry 3 (a): entry 0 has the same name
entry 4 (): the name cannot be stored: the name is empty
the archive would have 18446744073709551615 bytes; the limit is 4294967295, because offsets have 32 bits";
    let lines = |problems: &[pak_format::Error]| {
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(lines(&builder.check()), expected);
    let error = builder.write_to(&mut Untouched).unwrap_err();
    assert_eq!(lines(error.problems()), expected);
    assert_eq!(error.kind(), &ErrorKind::Several { count: 5 });
    assert_eq!(
        error.to_string(),
        "5 problems, the first with entry 1 (../b): the name cannot be stored: the name has a \"..\" \
            component"
    );
    let error = error.in_archive("pak0.pak");
    assert!(error.problems().iter().all(|problem| problem.archive() == Some("pak0.pak")));
}

#[test]
fn one_problem_is_the_error_itself() {
    let mut builder = Builder::new(Layout::Quake);
    builder.push("a\\b", Source::bytes("x"));
    let error = builder.finish().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Name(_)));
    assert_eq!(error.problems().len(), 1);
    assert_eq!(error.problems()[0].to_string(), error.to_string());
}

#[test]
fn four_gib_less_a_byte_fit_and_one_more_is_refused() {
    for layout in Layout::ALL {
        let room = u64::from(u32::MAX) - 12 - 2 * layout.row_size() as u64;
        let mut builder = Builder::new(layout);
        builder.push("a.bsp", never_opened(room - 5)).push("b", never_opened(5));
        assert_eq!((builder.check().len(), builder.size()), (0, u64::from(u32::MAX)));

        let mut builder = Builder::new(layout);
        builder.push("a.bsp", never_opened(room - 5)).push("b", never_opened(6));
        let error = builder.write_to(&mut Untouched).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::TooLarge { size: 1 << 32 });
    }
}

#[test]
fn a_file_that_does_not_fit_is_refused_as_it_is_added() {
    let mut builder = Builder::new(Layout::Quake);
    builder.push("a", never_opened(u64::from(u32::MAX) - 12 - 64 - 64));
    assert!(builder.add("b", "").is_ok());
    let error = builder.add("c", "").unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::TooLarge { size: u64::from(u32::MAX) + 64 });
    assert_eq!(builder.len(), 2);
}

#[test]
fn a_file_that_grows_or_shrinks_is_an_error() {
    for (layout, name) in
        [(Layout::Quake, "a.tga"), (Layout::Daikatana, "a.tga"), (Layout::Daikatana, "a.txt")]
    {
        for (announced, found) in [(10_u64, 9_u64), (10, 11), (0, 1), (300_000, 0), (300_000, 700_000)] {
            let mut builder = Builder::new(layout);
            builder.add("first", "x").unwrap();
            let content = vec![7; usize::try_from(found).unwrap()];
            builder.push(name, Source::reader(announced, || Ok(Box::new(Cursor::new(content)))));
            let mut out = Cursor::new(Vec::new());
            let error = builder.write_to(&mut out).unwrap_err();
            let found = found.min(announced + 1);
            assert_eq!(error.kind(), &ErrorKind::ContentChanged { expected: announced, found });
            assert_eq!(error.entry().unwrap().0, 1);
            assert!(Archive::parse(out.into_inner()).is_err(), "what is left has no header");
        }
    }
    let error = {
        let mut builder = Builder::new(Layout::Quake);
        builder.push("a", Source::reader(1, || Ok(Box::new(&b"xyz"[..]))));
        builder.finish().unwrap_err()
    };
    assert_eq!(
        error.to_string(),
        "entry 0 (a): the content changed while it was read: expected 1 bytes, found 2 or more"
    );
}

#[test]
fn the_error_of_a_source_is_the_cause_of_the_error() {
    let mut builder = Builder::new(Layout::Quake);
    builder.push("a", Source::reader(1, || Err(io::Error::new(io::ErrorKind::NotFound, "it is gone"))));
    let error = builder.finish().unwrap_err();
    assert_eq!(error.to_string(), "entry 0 (a): cannot open the content");
    assert_eq!(error.source().unwrap().to_string(), "it is gone");
}

#[test]
fn a_full_disk_leaves_no_archive_and_names_no_entry() {
    struct Full(Cursor<Vec<u8>>);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0.position() + bytes.len() as u64 > 500_000 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.0.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    impl Seek for Full {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }
    let mut builder = Builder::new(Layout::Quake);
    builder.add("a", vec![1; 400_000]).unwrap();
    builder.add("b", vec![1; 400_000]).unwrap();
    let mut out = Full(Cursor::new(Vec::new()));
    let error = builder.write_to(&mut out).unwrap_err();
    assert_eq!(error.to_string(), "cannot write the archive");
    assert!(matches!(error.kind(), ErrorKind::Io { kind: io::ErrorKind::StorageFull, .. }));
    assert!(Archive::parse(out.0.into_inner()).is_err());
}

#[test]
fn files_are_opened_one_at_a_time() {
    struct Counted(Cursor<Vec<u8>>, Arc<AtomicUsize>);
    impl Read for Counted {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.0.read(out)
        }
    }
    impl Drop for Counted {
        fn drop(&mut self) {
            self.1.fetch_sub(1, Ordering::Relaxed);
        }
    }
    let open = Arc::new(AtomicUsize::new(0));
    let mut builder = Builder::new(Layout::Daikatana);
    for number in 0..50 {
        let open = Arc::clone(&open);
        let name = format!("{number}.{}", if number % 2 == 0 { "tga" } else { "txt" });
        builder.push(
            name,
            Source::reader(1000, move || {
                assert_eq!(open.fetch_add(1, Ordering::Relaxed), 0);
                Ok(Box::new(Counted(Cursor::new(vec![7; 1000]), open)))
            }),
        );
    }
    let archive = Archive::parse(builder.finish().unwrap()).unwrap();
    assert_eq!((archive.len(), archive.entries().filter(pak_format::Entry::is_compressed).count()), (50, 25));
}

#[test]
fn names_are_compressed_by_extension() {
    let is_compressed = |name: &str| {
        let mut builder = Builder::new(Layout::Daikatana);
        builder.push(name, Source::bytes([7; 100]));
        let image = builder.finish().unwrap();
        let archive = parse_as(&image, Layout::Daikatana).unwrap();
        archive.entry(0).unwrap().is_compressed()
    };
    for name in ["a.tga", "maps/a.BSP", "a.b.wal", ".pcx", "x/y.bmp"] {
        assert!(is_compressed(name), "{name}");
    }
    for name in ["a.wav", "tga", "a.tga/b", "a.tga.bak", "a.", "maps/atga"] {
        assert!(!is_compressed(name), "{name}");
    }
}

#[test]
fn the_same_name_twice_is_kept_in_order_unless_names_have_to_be_unique() {
    let build = |sorted, unique| {
        let mut builder = Builder::new(Layout::Quake);
        builder.sorted(sorted).unique_names(unique);
        for (name, content) in [("b", "1"), ("a", "2"), ("b", "3"), ("a", "4")] {
            builder.add(name, content).unwrap();
        }
        builder.finish().map(|image| {
            let archive = Archive::parse(image).unwrap();
            archive.entries().map(|entry| archive.read(&entry).unwrap()[0]).collect::<Vec<_>>()
        })
    };
    assert_eq!(build(false, false).unwrap(), b"1234");
    assert_eq!(build(true, false).unwrap(), b"2413");
    assert_eq!(build(true, true).unwrap_err().problems().len(), 2);
}

fn one_file(name: &str) -> Builder<'static> {
    let mut builder = Builder::new(Layout::Quake);
    builder.push(name, Source::bytes("content"));
    builder
}

#[test]
fn a_file_is_written_completely_and_replaced_only_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pak0.pak");
    let size = one_file("a").write_file(&path, &WriteOptions::default()).unwrap();
    let first = std::fs::read(&path).unwrap();
    assert_eq!((first.clone(), first.len() as u64), (one_file("a").finish().unwrap(), size));

    let error = one_file("b").write_file(&path, &WriteOptions::default()).unwrap_err();
    assert_eq!(
        error.kind(),
        &ErrorKind::Io { doing: "write the archive", kind: io::ErrorKind::AlreadyExists }
    );
    assert_eq!((error.path(), error.archive()), (Some(&*path), path.to_str()));
    assert_eq!(std::fs::read(&path).unwrap(), first);

    one_file("b").write_file(&path, &WriteOptions { overwrite: true, ..WriteOptions::default() }).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), one_file("b").finish().unwrap());
    assert_eq!(names_in(folder.path()), ["pak0.pak"]);
}

#[test]
fn a_file_that_cannot_be_written_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pak0.pak");
    let mut builder = one_file("a");
    builder.push("b", Source::reader(3, || Ok(Box::new(&b"four"[..]))));
    let error = builder.write_file(&path, &WriteOptions::default()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ContentChanged { .. }), "{error}");
    let error = one_file("../a").write_file(&path, &WriteOptions::default()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Name(_)), "{error}");
    assert!(names_in(folder.path()).is_empty());

    let error =
        one_file("a").write_file(folder.path().join("none/pak0.pak"), &WriteOptions::default()).unwrap_err();
    assert!(error.is_not_found());
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::NotFound);
}

#[test]
fn progress_counts_the_content_and_can_stop_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pak0.pak");
    let content = vec![7; 700_000];
    let build = |layout| {
        let mut builder = Builder::new(layout);
        builder.push("a.bsp", Source::bytes(&content)).push("b.txt", dribble(b"a few bytes more"));
        builder
    };
    for layout in [Layout::Quake, Layout::Daikatana] {
        let seen = RefCell::new(Vec::new());
        let watch = |done, all| {
            seen.borrow_mut().push((done, all));
            ControlFlow::Continue(())
        };
        build(layout)
            .write_file(
                &path,
                &WriteOptions { overwrite: true, progress: Some(&watch), ..WriteOptions::default() },
            )
            .unwrap();
        let seen = seen.into_inner();
        assert!(seen.len() > 3 && seen.is_sorted());
        assert_eq!(seen.last(), Some(&(700_016, 700_016)));

        let before = std::fs::read(&path).unwrap();
        let stop = |done, _| if done > 300_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let options = WriteOptions { overwrite: true, progress: Some(&stop), ..WriteOptions::default() };
        let error = build(layout).write_file(&path, &options).unwrap_err();
        assert_eq!((error.kind(), error.entry()), (&ErrorKind::Stopped, None));
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert_eq!(names_in(folder.path()), ["pak0.pak"]);
    }
}

#[test]
fn a_file_on_disk_is_a_source_of_the_size_that_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, "ten bytes.").unwrap();
    let build = || {
        let mut builder = Builder::new(Layout::Quake);
        builder.push("notes.txt", Source::file(&path).unwrap());
        builder
    };
    let archive = Archive::parse(build().finish().unwrap()).unwrap();
    assert_eq!(&*archive.read(&archive.entry(0).unwrap()).unwrap(), b"ten bytes.");

    let builder = build();
    std::fs::write(&path, "eleven bytes").unwrap();
    let error = builder.finish().unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ContentChanged { expected: 10, found: 11 });
    assert_eq!((error.entry().unwrap().0, error.path()), (0, Some(&*path)));

    let builder = build();
    std::fs::remove_file(&path).unwrap();
    let error = builder.write_file(folder.path().join("pak0.pak"), &WriteOptions::default()).unwrap_err();
    assert!(error.is_not_found());
    assert_eq!(error.path(), Some(&*path), "the file is named and not the archive");
    assert_eq!(Source::file(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
}

#[test]
fn a_builder_can_be_sent_to_another_thread() {
    let mut builder = one_file("a");
    builder.push("b", Source::file("Cargo.toml").unwrap());
    let image = std::thread::spawn(move || builder.finish().unwrap()).join().unwrap();
    assert_eq!(Archive::parse(image).unwrap().len(), 2);
}

#[test]
fn a_folder_is_not_a_source() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Source::file(folder.path()).unwrap_err().kind(), io::ErrorKind::IsADirectory);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_a_source_and_does_not_block() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    std::fs::write(&path, "a file").unwrap();
    let mut builder = Builder::new(Layout::Quake);
    builder.push("a", Source::file(&path).unwrap());
    std::fs::remove_file(&path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());

    assert_eq!(Source::file(&path).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    let error = builder.finish().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io { kind: io::ErrorKind::InvalidInput, .. }), "{error}");
    // an editor neither
    let error = pak_format::Editor::open(&path).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io { kind: io::ErrorKind::InvalidInput, .. }), "{error}");
}
