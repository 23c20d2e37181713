//! Archives on a disk that reads by position.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pak_format::{Builder, Layout};
use quakefs::disk::{MemoryDisk, ReadAt};
use quakefs::{Engine, SearchPath};

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
fn a_mount_of_large_paks_reads_their_directories_alone() {
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
