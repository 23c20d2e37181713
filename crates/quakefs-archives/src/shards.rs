//! A catalog as a folder of files.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use atomic_file::{AtomicFile, Lock, Options};

use crate::catalog::{Catalog, CatalogError, Catalogued, ExistingCatalog, committed};
use crate::search::Collection;
use crate::table::Table;

impl Catalog {
    /// Writes the rows to files in a folder, each with the rows of this many archives. Their names sort in
    /// the order of the archives: `00000.jsonl`, `00001.jsonl`.
    ///
    /// The folder is written completely or not at all, like a [file](Self::write_file): beside it as `.new`,
    /// and the rows of an interrupted run remain in a folder [`partial`](Self::partial). A folder that
    /// contains anything else is never replaced.
    ///
    /// # Errors
    /// The errors of [`write_file`](Self::write_file).
    pub fn write_folder(
        &self,
        collection: &Collection,
        folder: impl AsRef<Path>,
        archives: NonZeroUsize,
        existing: ExistingCatalog,
    ) -> Result<Catalogued, CatalogError> {
        let folders = CatalogFolders::lock(folder.as_ref(), self.format.name())?;
        let CatalogFolders { folder, new, partial, .. } = &folders;
        let mut known = folders.files(partial)?;
        known.extend(folders.files(folder)?);
        known.retain(|path| path.extension().is_some_and(|found| found == folders.extension));
        if existing == ExistingCatalog::Refuse && (folder.exists() || partial.exists()) {
            return Err(io::Error::from(io::ErrorKind::AlreadyExists).into());
        }
        if existing != ExistingCatalog::Update {
            known.clear();
        }
        let earlier = known.iter().map(|path| self.earlier(path)).collect::<Result<Vec<_>, _>>()?;
        folders.remove(new)?;
        fs::create_dir(new)?;
        let mut shard: Option<Shard> = None;
        let written = self.write_rows(&earlier, collection, |archive, rows| {
            let number = archive / archives;
            if shard.as_ref().is_some_and(|shard| shard.number != number) {
                shard.take().map_or(Ok(()), Shard::finish)?;
            }
            let open = || Shard::begin(self, new, number);
            let current = match &mut shard {
                Some(shard) => shard,
                None => shard.insert(open()?),
            };
            current.table.write_all(rows)
        });
        let catalogued = written.and_then(|written| shard.map_or(Ok(()), Shard::finish).map(|()| written));
        // Windows cannot rename a folder with a mapped file
        drop(earlier);
        let catalogued = catalogued.inspect_err(|_| drop(folders.remove(new)))?;
        if !collection.is_stopped() {
            folders.replace(folder)?;
            folders.remove(partial)?;
            return Ok(catalogued);
        }
        let Catalogued { archives: done, kept, .. } = catalogued;
        if done > kept {
            folders.replace(partial)?;
        } else {
            folders.remove(new)?;
        }
        Err(CatalogError::Stopped {
            done,
            all: collection.archives().len() as u64,
            kept: partial.exists().then(|| partial.clone()),
        })
    }
}

/// A file of the folder that is being written.
struct Shard {
    number: usize,
    table: Table<BufWriter<AtomicFile>>,
}

impl Shard {
    fn begin(catalog: &Catalog, folder: &Path, number: usize) -> io::Result<Shard> {
        let path = folder.join(format!("{number:05}.{}", catalog.format.name()));
        let out = AtomicFile::create(path, &Options::new())?;
        let table =
            Table::begin(catalog.format, catalog.digests.sums, BufWriter::with_capacity(1 << 18, out))?;
        Ok(Shard { number, table })
    }

    fn finish(self) -> io::Result<()> {
        committed(self.table.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?)
    }
}

/// The folder of a catalog, and the folders beside it that a run uses.
struct CatalogFolders {
    folder: PathBuf,
    /// The folder that is being written.
    new: PathBuf,
    /// The rows of an interrupted run.
    partial: PathBuf,
    /// The folder while another takes its place.
    old: PathBuf,
    /// The extension of the files.
    extension: &'static str,
    /// Excludes other runs. Removed with this value.
    lock: (PathBuf, Lock),
}

impl Drop for CatalogFolders {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.lock.0);
    }
}

impl CatalogFolders {
    /// Excludes other runs, and ends a replacement that was interrupted.
    fn lock(folder: &Path, extension: &'static str) -> Result<CatalogFolders, CatalogError> {
        // without the slash at its end
        let folder: PathBuf = folder.components().collect();
        let beside = |extension: &str| {
            let mut path = OsString::from(&folder);
            path.push(extension);
            PathBuf::from(path)
        };
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let lock = folder.with_file_name(format!(".quakefs-{name}.lock"));
        File::options().create(true).append(true).open(&lock)?;
        let held = Lock::exclusive(&lock)?;
        if !held.is_in_place() {
            return Err(io::Error::from(io::ErrorKind::WouldBlock).into());
        }
        let (new, partial, old) = (beside(".new"), Catalog::partial(&folder), beside(".old"));
        let folders = CatalogFolders { folder, new, partial, old, extension, lock: (lock, held) };
        if !folders.files(&folders.old)?.is_empty() && !folders.folder.exists() {
            fs::rename(&folders.old, &folders.folder)?;
        }
        folders.remove(&folders.old)?;
        Ok(folders)
    }

    /// The files of a catalog, and temporary files of a killed run. Empty if the folder is missing.
    ///
    /// # Errors
    /// The folder contains anything else.
    fn files(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let listing = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            listing => listing?,
        };
        let mut files = listing.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        files.sort_unstable();
        for path in &files {
            let stem = path.file_stem().unwrap_or_default().as_encoded_bytes();
            let is_numbered = stem.len() >= 5 && stem.iter().all(u8::is_ascii_digit);
            let is_shard = is_numbered && path.extension().is_some_and(|found| found == self.extension);
            let is_temporary =
                path.file_name().and_then(OsStr::to_str).is_some_and(atomic_file::is_temporary);
            if !is_shard && !is_temporary {
                let text = format!("{} is not a file of a catalog", path.display());
                return Err(io::Error::new(io::ErrorKind::DirectoryNotEmpty, text));
            }
        }
        Ok(files)
    }

    /// Removes a folder that contains only files of a catalog.
    fn remove(&self, folder: &Path) -> io::Result<()> {
        for file in self.files(folder)? {
            fs::remove_file(file)?;
        }
        match fs::remove_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// Puts the new folder in the place of another.
    fn replace(&self, folder: &Path) -> io::Result<()> {
        self.files(folder)?;
        if folder.exists() {
            fs::rename(folder, &self.old)?;
        }
        fs::rename(&self.new, folder)?;
        self.remove(&self.old)
    }
}
