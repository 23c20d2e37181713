//! A program without a library: it maps its paks and puts all names into a `HashMap`.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use memmap2::Mmap;
use pak_format::Archive;

/// Names, each with its archive and its row.
pub struct ByHand {
    archives: Vec<Archive<Mmap>>,
    names: HashMap<Box<[u8]>, (usize, usize), foldhash::fast::RandomState>,
}

impl ByHand {
    /// Mounts paks, the highest last.
    pub fn mount(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Self {
        let mut mounted = ByHand { archives: Vec::new(), names: HashMap::default() };
        for path in paths {
            // SAFETY: nothing changes the archives of a benchmark.
            let map = unsafe { Mmap::map(&File::open(path).unwrap()).unwrap() };
            let archive = Archive::parse(map).unwrap();
            mounted.names.reserve(archive.len());
            for entry in archive.entries() {
                let place = (mounted.archives.len(), entry.index());
                mounted.names.insert(entry.name().as_bytes().into(), place);
            }
            mounted.archives.push(archive);
        }
        mounted
    }

    pub fn find(&self, name: &[u8]) -> Option<(usize, usize)> {
        self.names.get(name).copied()
    }

    pub fn read(&self, name: &[u8]) -> Vec<u8> {
        let (archive, row) = self.names[name];
        let archive = &self.archives[archive];
        archive.read(&archive.entry(row).unwrap()).unwrap().into_owned()
    }
}
