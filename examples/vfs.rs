//! A search path as a read-only file system of vfs.
//!
//! `cargo run --example vfs`

use std::time::SystemTime;

use quakefs::{Engine, SearchPath};
use vfs::error::VfsErrorKind::{FileNotFound, NotSupported};
use vfs::{FileSystem, SeekAndRead, SeekAndWrite, VfsFileType, VfsMetadata, VfsPath, VfsResult};

#[derive(Debug)]
struct Quake(SearchPath);

/// vfs begins a path with `/`.
fn name(path: &str) -> &str {
    path.trim_start_matches('/')
}

impl FileSystem for Quake {
    fn read_dir(&self, path: &str) -> VfsResult<Box<dyn Iterator<Item = String> + Send>> {
        let entries = self.0.read_dir(name(path)).map_err(|_| FileNotFound)?;
        let utf8 = |entry: quakefs::tree::DirEntry<'_>| String::from_utf8(entry.name.as_bytes().into()).ok();
        Ok(Box::new(entries.into_iter().filter_map(utf8).collect::<Vec<_>>().into_iter()))
    }

    fn open_file(&self, path: &str) -> VfsResult<Box<dyn SeekAndRead + Send>> {
        Ok(Box::new(self.0.open(name(path)).map_err(std::io::Error::from)?))
    }

    fn metadata(&self, path: &str) -> VfsResult<VfsMetadata> {
        let entry = |file_type, len, modified: Option<SystemTime>| {
            Ok(VfsMetadata { file_type, len, created: None, modified, accessed: None })
        };
        match self.0.find(name(path)) {
            Some(file) => entry(VfsFileType::File, file.size(), file.modified()),
            None if self.0.is_dir(name(path)) => entry(VfsFileType::Directory, 0, None),
            None => Err(FileNotFound.into()),
        }
    }

    fn exists(&self, path: &str) -> VfsResult<bool> {
        Ok(self.0.exists(name(path)))
    }

    fn create_dir(&self, _: &str) -> VfsResult<()> {
        Err(NotSupported.into())
    }

    fn create_file(&self, _: &str) -> VfsResult<Box<dyn SeekAndWrite + Send>> {
        Err(NotSupported.into())
    }

    fn append_file(&self, _: &str) -> VfsResult<Box<dyn SeekAndWrite + Send>> {
        Err(NotSupported.into())
    }

    fn remove_file(&self, _: &str) -> VfsResult<()> {
        Err(NotSupported.into())
    }

    fn remove_dir(&self, _: &str) -> VfsResult<()> {
        Err(NotSupported.into())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let base = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/game");
    let quake = SearchPath::builder(base).engine(Engine::QuakeSpasm).game("mymod").mount()?;
    let root = VfsPath::new(Quake(quake));
    assert_eq!(root.join("maps/start.bsp")?.metadata()?.len, 203);
    let files = root.walk_dir()?.collect::<VfsResult<Vec<_>>>()?;
    assert!(files.iter().any(|file| file.as_str() == "/maps/e1m1.bsp"));
    let overlay = vfs::OverlayFS::new(&[vfs::MemoryFS::new().into(), root]);
    let text = VfsPath::new(overlay).join("quake.rc")?.read_to_string()?;
    assert!(text.contains("exec"), "{text}");
    Ok(())
}
