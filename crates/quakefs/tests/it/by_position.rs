//! Archives on a disk that reads by position.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pak_format::{Builder, Layout};
use quakefs::disk::{MemoryDisk, ReadAt};
use quakefs::{Engine, Error, ErrorKind, SearchPath};
use testutils::raw_zip;

/// Bytes, and how many of them were read.
#[derive(Debug)]
struct Counted(Vec<u8>, Arc<AtomicU64>);

impl ReadAt for Counted {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.0.get(offset..)).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.1.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

#[test]
fn a_mount_of_large_paks_reads_only_their_directories() {
    const FILES: usize = 500;
    let payload = vec![0x51; 34 * 1024];
    let (disk, read) = (MemoryDisk::new(), Arc::new(AtomicU64::new(0)));
    let mut all = 0;
    for pak in 0..2 {
        let mut builder = Builder::new(Layout::Quake);
        for file in 0..FILES {
            builder.add(format!("progs/p{pak}f{file}.mdl"), payload.clone()).unwrap();
        }
        let image = builder.finish().unwrap();
        let size = image.len() as u64;
        all += size;
        disk.insert_at(format!("quake/id1/pak{pak}.pak"), Counted(image, Arc::clone(&read)), size).unwrap();
    }
    disk.insert("quake/id1/config.cfg", "").unwrap();
    assert!(all > 34_000_000);

    let quake = SearchPath::builder("quake").disk(disk).engine(Engine::QuakeSpasm).mount().unwrap();
    let at_mount = read.swap(0, Ordering::Relaxed);
    println!("{at_mount} of {all} bytes read at the mount");
    // a row takes 64 bytes
    assert!(at_mount < 2 * FILES as u64 * 64 + 1000 && at_mount < 100_000, "{at_mount} of {all}");

    let mut names = quake.files().map(|file| file.name().to_string()).collect::<Vec<_>>();
    names.sort();
    assert_eq!(names.len(), 2 * FILES + 1);
    assert_eq!(read.load(Ordering::Relaxed), 0, "names and sizes are known");

    assert_eq!(quake.read("progs/p1f499.mdl").unwrap(), payload.as_slice());
    assert_eq!(read.load(Ordering::Relaxed), payload.len() as u64);
}

/// Bytes of a disk that cannot read some of them.
#[derive(Debug)]
struct Failing(Vec<u8>, Range<usize>);

impl ReadAt for Failing {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap();
        let end = self.0.len().min(start + buffer.len());
        if start < self.1.end && end > self.1.start {
            return Err(io::ErrorKind::TimedOut.into());
        }
        buffer[..end - start].copy_from_slice(&self.0[start..end]);
        Ok(end - start)
    }
}

#[test]
fn an_error_of_a_stream_names_the_file() {
    let disk = MemoryDisk::new();
    let mut pak = Builder::new(Layout::Quake);
    pak.add("a.wav", "first").unwrap();
    pak.add("music/track02.wav", vec![1; 40_000]).unwrap();
    let pak = pak.finish().unwrap();
    let size = pak.len() as u64;
    // the directory is at the end, and is read at the mount
    disk.insert_at("quake/id1/pak0.pak", Failing(pak, 20_000..30_000), size).unwrap();
    disk.insert_at("quake/id1/music/loose.wav", Failing(vec![1; 40_000], 20_000..30_000), 40_000).unwrap();
    let zip = raw_zip::zip(&[
        raw_zip::stored("b.wav", "first"),
        raw_zip::deflated("music/track03.wav", &[0xff; 20], "a track"),
    ]);
    disk.insert("quake/id1/pak1.pk3", zip).unwrap();
    let quake = SearchPath::builder("quake").disk(disk).engine(Engine::DarkPlaces).mount().unwrap();
    let streamed = |name: &str| {
        let kept = quake.find(name).unwrap().into_owned();
        [quake.open(name).unwrap(), kept.open().unwrap()].map(|mut reader| {
            let error = io::copy(&mut reader, &mut io::sink()).unwrap_err();
            let kind = error.kind();
            let text = error.to_string();
            let error = Error::from(error);
            assert_eq!(text, error.to_string());
            (text.replace('\\', "/"), kind, error)
        })
    };
    for (text, kind, error) in streamed("music/track02.wav") {
        assert_eq!(text, "quake/id1/pak0.pak: entry 1 (music/track02.wav): read failed");
        assert_eq!((kind, error.reason()), (io::ErrorKind::TimedOut, "timed out".to_owned()));
    }
    for (text, kind, error) in streamed("music/track03.wav") {
        assert_eq!(text, "id1/pak1.pk3: entry 1 (music/track03.wav): the deflate stream is damaged");
        assert_eq!(kind, io::ErrorKind::InvalidData);
        assert!(matches!(error.kind(), ErrorKind::Zip(_)));
    }
    for (text, kind, _) in streamed("music/loose.wav") {
        assert_eq!(text, "quake/id1/music/loose.wav: read failed");
        assert_eq!(kind, io::ErrorKind::TimedOut);
    }
}
