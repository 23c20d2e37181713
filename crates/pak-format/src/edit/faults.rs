//! Lets each operation on the disk fail. In a first run only this operation fails, in a second run also all
//! later ones. Afterwards the file must be the complete old archive or the complete new one.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use atomic_file::{Disk, NamedTempFile, PersistError, RealDisk};

use super::opened::read_at;
use super::repack::repack_on;
use super::{Editor, RepackOptions, Report};
use crate::{Archive, Builder, Error, ErrorKind, Layout, ParseOptions, Source};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// This operation and all later ones fail.
    Stop,
    /// The same, but this operation writes half of its bytes.
    StopHalfWay,
    /// This operation fails, and all others work.
    Fail,
}

/// A file as it was when it was last synced, and the changes since then. A power failure may leave any part
/// of the changes.
#[derive(Default)]
struct Journal {
    synced: Vec<u8>,
    pending: Vec<Change>,
}

#[derive(Clone)]
enum Change {
    Write(u64, Vec<u8>),
    Length(u64),
}

impl Change {
    fn apply(&self, image: &mut Vec<u8>) {
        match self {
            Change::Write(offset, bytes) => {
                let start = usize::try_from(*offset).unwrap();
                let end = start + bytes.len();
                image.resize(image.len().max(end), 0);
                image[start..end].copy_from_slice(bytes);
            }
            Change::Length(length) => image.resize(usize::try_from(*length).unwrap(), 0),
        }
    }
}

impl Journal {
    fn images(&self) -> impl Iterator<Item = Vec<u8>> {
        assert!(self.pending.len() <= 12, "too many to try all parts");
        (0..1_u32 << self.pending.len()).map(|part| {
            let mut image = self.synced.clone();
            let kept = self.pending.iter().enumerate().filter(|(number, _)| part >> number & 1 == 1);
            kept.for_each(|(_, change)| change.apply(&mut image));
            image
        })
    }
}

struct FaultyDisk {
    fault: Fault,
    /// The number of operations before the fault.
    left: usize,
    stopped: bool,
    /// Whether the fault has happened.
    happened: bool,
    journals: HashMap<u64, Journal>,
}

fn number(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

impl FaultyDisk {
    fn new(fault: Fault, left: usize) -> Self {
        FaultyDisk { fault, left, stopped: false, happened: false, journals: HashMap::new() }
    }

    /// Counts an operation, and fails if its turn has come.
    fn step(&mut self) -> io::Result<()> {
        let fails = || Err(io::Error::from(io::ErrorKind::StorageFull));
        if self.stopped {
            return fails();
        }
        if self.left > 0 || self.happened {
            self.left = self.left.saturating_sub(1);
            return Ok(());
        }
        self.happened = true;
        self.stopped = self.fault != Fault::Fail;
        fails()
    }

    fn journal(&mut self, file: &File) -> &mut Journal {
        self.journals.entry(number(&file.metadata().unwrap())).or_insert_with(|| {
            let synced = read_at(file, 0, file.metadata().unwrap().len()).unwrap();
            Journal { synced, pending: Vec::new() }
        })
    }
}

impl Disk for FaultyDisk {
    fn write_at(&mut self, file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let was_stopped = self.stopped;
        let stepped = self.step();
        let written = match stepped {
            Ok(()) => bytes,
            // a header is within one sector, which a disk writes whole or not at all
            Err(_) if self.fault == Fault::StopHalfWay && !was_stopped && bytes.len() > 12 => {
                &bytes[..bytes.len() / 2]
            }
            Err(_) => return stepped,
        };
        self.journal(file).pending.push(Change::Write(offset, written.to_vec()));
        RealDisk.write_at(file, offset, written)?;
        stepped
    }

    fn set_len(&mut self, file: &File, length: u64) -> io::Result<()> {
        self.step()?;
        self.journal(file).pending.push(Change::Length(length));
        RealDisk.set_len(file, length)
    }

    fn sync(&mut self, file: &File) -> io::Result<()> {
        self.step()?;
        let journal = self.journal(file);
        for change in std::mem::take(&mut journal.pending) {
            change.apply(&mut journal.synced);
        }
        Ok(())
    }

    fn temporary(&mut self, folder: &Path, private: bool) -> io::Result<NamedTempFile> {
        self.step()?;
        RealDisk.temporary(folder, private)
    }

    fn persist(&mut self, file: NamedTempFile, target: &Path, replace: bool) -> Result<(), PersistError> {
        if let Err(error) = self.step() {
            return Err(PersistError { error, file });
        }
        RealDisk.persist(file, target, replace)
    }

    fn sync_folder(&mut self, _: &Path) -> io::Result<()> {
        self.step()
    }
}

type Contents = Vec<(Vec<u8>, Vec<u8>)>;

/// The names and contents of an archive, if it is whole.
fn contents(image: &[u8], layout: Layout) -> Result<Contents, Error> {
    let archive = Archive::parse_with(image, &ParseOptions::new().layout(layout))?;
    let read =
        |entry: crate::Entry<'_>| Ok((entry.name().as_bytes().to_vec(), archive.read(&entry)?.into_owned()));
    archive.entries().map(read).collect()
}

fn old_archive() -> Vec<u8> {
    let mut builder = Builder::new(Layout::Daikatana);
    builder.add("default.cfg", "bind w +forward\n").unwrap();
    builder.add("textures/floor.tga", [7; 5000]).unwrap();
    builder.add("maps/e1m1.bsp", b"a level".repeat(300)).unwrap();
    builder.finish().unwrap()
}

/// Makes the change once without a fault, and then with a fault at each operation.
fn check(new_layout: Layout, change: impl Fn(&Path, &mut dyn Disk) -> Result<Report, Error>) {
    let old_bytes = old_archive();
    let old = contents(&old_bytes, Layout::Daikatana).unwrap();
    let run = |disk: &mut dyn Disk| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pak0.pak");
        fs::write(&path, &old_bytes).unwrap();
        let result = change(&path, disk);
        let names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names, ["pak0.pak"]);
        (result, fs::read(&path).unwrap(), number(&fs::metadata(&path).unwrap()))
    };
    let (report, new_bytes, _) = run(&mut RealDisk);
    assert_eq!(report.unwrap().after, new_bytes.len() as u64);
    let new = contents(&new_bytes, new_layout).unwrap();
    for fault in [Fault::Stop, Fault::StopHalfWay, Fault::Fail] {
        for operation in 0.. {
            let place = format!("{fault:?} at {operation}");
            let mut disk = FaultyDisk::new(fault, operation);
            let (result, bytes, file) = run(&mut disk);
            if !disk.happened {
                assert!(operation >= 3 && result.is_ok() && bytes == new_bytes, "{place}");
                break;
            }
            let error = result.unwrap_err();
            let in_place = matches!(error.kind(), ErrorKind::NotDurable { .. });
            assert!(in_place || matches!(error.kind(), ErrorKind::Io { .. }), "{place}: {error}");
            assert!(error.path().is_some_and(|path| path.ends_with("pak0.pak")), "{place}: {error:?}");
            let whole = |image: &[u8]| {
                contents(image, Layout::Daikatana).is_ok_and(|found| found == old)
                    || contents(image, new_layout).is_ok_and(|found| found == new)
            };
            assert!(whole(&bytes), "{place}");
            if fault == Fault::Fail {
                // the error tells which of the two it is
                let expected = if in_place { &new_bytes } else { &old_bytes };
                assert!(bytes == *expected, "{place}: {} bytes", bytes.len());
            }
            for image in disk.journals.get(&file).map(Journal::images).into_iter().flatten() {
                assert!(whole(&image), "{place}, and then no power");
            }
        }
    }
}

fn edit(change: impl Fn(&mut Editor<'_>)) {
    check(Layout::Daikatana, |path, disk| {
        let mut editor = Editor::open(path)?;
        change(&mut editor);
        editor.commit_on(disk, None)
    });
}

#[test]
fn an_added_entry_is_complete_or_missing() {
    edit(|editor| {
        // more than one chunk
        let noise: Vec<u8> =
            (0..600_000_u32).map(|number| number.wrapping_mul(number).to_le_bytes()[1]).collect();
        editor.add("sound/noise.wav", Source::bytes(noise)).unwrap();
        editor.add("textures/wall.tga", Source::bytes([9; 3000])).unwrap();
    });
}

#[test]
fn an_entry_that_is_replaced_has_the_old_or_the_new_content() {
    edit(|editor| editor.replace("default.cfg", Source::bytes("unbindall\n")).unwrap());
}

#[test]
fn a_removed_entry_is_complete_or_missing() {
    edit(|editor| assert_eq!(editor.remove("textures/floor.tga").unwrap(), 1));
}

#[test]
fn all_entries_are_removed_or_none() {
    edit(|editor| assert_eq!(editor.remove_where(|_| true), 3));
}

#[test]
fn an_entry_that_is_renamed_has_the_old_or_the_new_name() {
    edit(|editor| assert_eq!(editor.rename("maps/e1m1.bsp", "maps/start.bsp").unwrap(), 1));
}

#[test]
fn a_repack_leaves_the_old_or_the_new_archive() {
    check(Layout::Daikatana, |path, disk| repack_on(path, &RepackOptions::default(), disk));
}

#[test]
fn a_conversion_leaves_the_old_or_the_new_archive() {
    let options = RepackOptions { layout: Some(Layout::Quake), ..RepackOptions::default() };
    check(Layout::Quake, |path, disk| repack_on(path, &options, disk));
}

#[test]
fn a_source_that_fails_leaves_the_old_archive_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pak0.pak");
    fs::write(&path, old_archive()).unwrap();
    let mut editor = Editor::open(&path).unwrap();
    editor.add("a", Source::bytes(vec![1; 600_000])).unwrap();
    editor.add("b", Source::reader(4, || Err(io::ErrorKind::NotFound.into()))).unwrap();
    let error = editor.commit(None).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Io { doing: "open the content", kind: io::ErrorKind::NotFound });
    assert_eq!(error.entry().unwrap().0, 4);
    assert!(fs::read(&path).unwrap() == old_archive());
}
