//! A catalog as a folder of files.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, BufWriter, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use atomic_file::{AtomicFile, Disk as _, Lock, Options, RealDisk};

use crate::catalog::{Catalog, CatalogError, Catalogued, ExistingCatalog, above, committed};
use crate::row::{CatalogFormat, start_of};
use crate::search::Collection;
use crate::table::Table;

impl Catalog {
    /// Writes the rows to files in a folder, each with the rows of this many archives. Their names sort in
    /// the order of the archives: `00000.jsonl`, `00001.jsonl`.
    ///
    /// The folder is written completely or not at all, like a [file](Self::write_file). Until then its
    /// files, and the rows of an interrupted run, are in a hidden folder beside it:
    /// `.quakefs-mods.catalog`. A folder that contains anything but a catalog is never replaced. If the
    /// folder is a link, the catalog is written where the link leads.
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
        let folders = CatalogFolders::lock(folder.as_ref(), self.format)?;
        let (folder, new, partial) = (&folders.folder, folders.next(), folders.partial());
        if existing == ExistingCatalog::Refuse {
            if folder.exists() {
                return Err(io::Error::from(io::ErrorKind::AlreadyExists).into());
            }
            if partial.exists() {
                return Err(CatalogError::Interrupted(partial));
            }
        }
        folders.check()?;
        let mut known = Vec::new();
        if existing == ExistingCatalog::Update {
            known = folders.files(&partial)?;
            known.extend(folders.files(folder)?);
            known.retain(|path| path.extension().is_some_and(|found| found == self.format.name()));
        }
        let earlier = known.iter().map(|path| self.earlier(path)).collect::<Result<Vec<_>, _>>()?;
        fs::create_dir(&new)?;
        let mut shard: Option<Shard> = None;
        let written = self.write_rows(&earlier, collection, |archive, rows| {
            let number = archive / archives;
            if shard.as_ref().is_some_and(|shard| shard.number != number) {
                shard.take().map_or(Ok(()), Shard::finish)?;
            }
            let open = || Shard::begin(self, &new, number);
            let current = match &mut shard {
                Some(shard) => shard,
                None => shard.insert(open()?),
            };
            current.table.write_all(rows)
        });
        let catalogued = written.and_then(|written| shard.map_or(Ok(()), Shard::finish).map(|()| written));
        // Windows cannot rename a folder with a mapped file
        drop(earlier);
        let catalogued = catalogued.inspect_err(|_| drop(folders.remove(&new)))?;
        if !collection.is_stopped() {
            folders.replace()?;
            folders.remove(&partial)?;
            return Ok(catalogued);
        }
        let Catalogued { archives: done, kept, .. } = catalogued;
        if done > kept {
            folders.remove(&partial)?;
            fs::rename(&new, &partial)?;
        } else {
            folders.remove(&new)?;
        }
        Err(CatalogError::Stopped {
            done,
            all: collection.archives().len() as u64,
            kept: partial.exists().then_some(partial),
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

/// The folder of a catalog, and the folder beside it in which a run works.
struct CatalogFolders {
    folder: PathBuf,
    /// The folder of this program, with the lock.
    work: PathBuf,
    format: CatalogFormat,
    /// Excludes other runs.
    _lock: Lock,
    /// After the lock: Windows keeps the name of an open file that is removed.
    _emptied: Emptied,
}

/// The lock in the folder of a run. Its text marks the folder as one of this program.
const LOCK: &str = "lock";
const MARK: &str = "quakefs pak catalog works here. If no such command is running, remove this folder.\n";

impl Drop for CatalogFolders {
    fn drop(&mut self) {
        let names = fs::read_dir(&self.work).map(Iterator::count);
        // the lock marks what is left, such as the rows of an interrupted run
        if matches!(names, Ok(1)) {
            // a power failure would bring back a folder without the mark
            let _ = RealDisk.sync_folder(&self.work);
            let _ = fs::remove_file(self.work.join(LOCK));
        }
    }
}

/// Removes the folder of a run if it is empty.
struct Emptied(PathBuf);

impl Drop for Emptied {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

impl CatalogFolders {
    /// Excludes other runs, and ends a replacement that was interrupted.
    fn lock(folder: &Path, format: CatalogFormat) -> Result<CatalogFolders, CatalogError> {
        // without the slash at its end, which would follow a link
        let mut folder: PathBuf = folder.components().collect();
        if folder.file_name().is_none() || folder.is_symlink() {
            folder = fs::canonicalize(folder)?;
        }
        let mut name = OsString::from(".quakefs-");
        name.push(folder.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?);
        name.push(".catalog");
        let work = folder.with_file_name(name);
        let lock = take(&work)?;
        let emptied = Emptied(work.clone());
        let folders = CatalogFolders { folder, work, format, _lock: lock, _emptied: emptied };
        let old = folders.old();
        if old.exists() && !folders.folder.exists() {
            fs::rename(&old, &folders.folder)?;
        }
        folders.remove(&old)?;
        folders.remove(&folders.next())?;
        Ok(folders)
    }

    /// The folder that is being written.
    fn next(&self) -> PathBuf {
        self.work.join("new")
    }

    /// The folder while another takes its place.
    fn old(&self) -> PathBuf {
        self.work.join("old")
    }

    /// The rows of an interrupted run.
    fn partial(&self) -> PathBuf {
        self.work.join("partial")
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
            let is_shard = is_numbered && path.extension().is_some_and(|found| found == self.format.name());
            if !is_shard && !is_temporary(path) {
                return Err(not_of_catalog(path));
            }
        }
        Ok(files)
    }

    /// Returns an error if the folder contains anything but a catalog: numbered files of somebody else have
    /// other rows.
    fn check(&self) -> io::Result<()> {
        let files = self.files(&self.folder)?;
        let mut shards = files.iter().filter(|path| !is_temporary(path));
        match shards.find(|path| !is_catalog(self.format, path)) {
            Some(other) => Err(not_of_catalog(other)),
            None => Ok(()),
        }
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

    /// Puts the new folder in its place.
    fn replace(&self) -> io::Result<()> {
        self.check()?;
        let old = self.old();
        if self.folder.exists() {
            fs::rename(&self.folder, &old)?;
        }
        fs::rename(self.next(), &self.folder).inspect_err(|_| drop(fs::rename(&old, &self.folder)))?;
        // after a power failure, the old files would be gone and the new folder not yet there
        for renamed in [self.work.as_path(), above(&self.folder)] {
            RealDisk.sync_folder(renamed)?;
        }
        self.remove(&old)
    }
}

/// Creates the folder of a run if it is missing, and locks it.
fn take(work: &Path) -> io::Result<Lock> {
    let path = work.join(LOCK);
    let is_new = match fs::create_dir(work) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let found = work.symlink_metadata()?;
            // a power failure leaves the folder of a run that was beginning
            let names = fs::read_dir(work)?.collect::<io::Result<Vec<_>>>()?;
            found.is_dir() && names.iter().all(|entry| is_temporary(&entry.path()))
        }
        made => made.map(|()| true)?,
    };
    // the run before may remove its folder at this moment
    let taken = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::new(io::ErrorKind::WouldBlock, "another run is ending"),
        io::ErrorKind::AlreadyExists => io::Error::new(io::ErrorKind::WouldBlock, "another run is beginning"),
        _ => error,
    };
    if is_new {
        let options = Options::new().replace(false).follow_links(false);
        let mut file = AtomicFile::create(&path, &options).map_err(taken)?;
        file.write_all(MARK.as_bytes())?;
        committed(file).map_err(taken)?;
    } else if !is_marked(work, &path) {
        let text = format!("{} is not a folder of quakefs: move it away", work.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
    }
    Lock::exclusive(&path).map_err(taken)
}

/// Whether a lock, which is a regular file in a folder and no link, has the text of this program. A killed
/// run of an earlier version may have written a part of it.
fn is_marked(work: &Path, path: &Path) -> bool {
    let is =
        |path: &Path, is: fn(&fs::Metadata) -> bool| path.symlink_metadata().is_ok_and(|found| is(&found));
    is(work, fs::Metadata::is_dir)
        && is(path, fs::Metadata::is_file)
        && start_of(path, MARK.len() + 1).is_ok_and(|start| MARK.as_bytes().starts_with(&start))
}

fn is_temporary(path: &Path) -> bool {
    path.file_name().and_then(OsStr::to_str).is_some_and(atomic_file::is_temporary)
}

fn not_of_catalog(path: &Path) -> io::Error {
    let text = format!("{} is not a file of a catalog", path.display());
    io::Error::new(io::ErrorKind::DirectoryNotEmpty, text)
}

/// Whether a file is a catalog of any version, by its beginning or its columns.
fn is_catalog(format: CatalogFormat, path: &Path) -> bool {
    let begins = |text: &str| start_of(path, text.len()).is_ok_and(|start| start == text.as_bytes());
    match format {
        CatalogFormat::JsonLines => begins(r#"{"type":"row","schema":"#),
        CatalogFormat::Csv => begins("schema,archive,archive_size,"),
        #[cfg(feature = "parquet")]
        CatalogFormat::Parquet => crate::columns::is_catalog(path),
    }
}
