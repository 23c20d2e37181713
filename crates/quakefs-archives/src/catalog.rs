//! Catalogs: a row for every entry of every archive, for databases and spreadsheets.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};

use atomic_file::{AtomicFile, CommitError, Options};
#[cfg(feature = "parquet")]
use atomic_file::{Disk as _, NamedTempFile, RealDisk};
use camino::{Utf8Path, Utf8PathBuf};
#[cfg(feature = "parquet")]
use parquet::errors::ParquetError;
use quakefs::archive::{ArchiveEntry, Method};
use quakefs::disk::Disk;
use quakefs::{Error, FileData};
use rayon::prelude::*;

#[cfg(feature = "parquet")]
use crate::columns::write_lines;
#[cfg(feature = "parquet")]
use crate::digest::Sums;
use crate::digest::{Digest, NoDigest};
use crate::digested::{DigestOptions, Digested, each_digested};
use crate::earlier::{EarlierCatalog, EarlierCatalogs};
use crate::row::{
    CatalogFormat, CatalogRow, OF_SYSTEM, OVER_LIMIT, Rows, SCHEMA, Stamp, cell, place, printable_name,
};
use crate::search::Collection;
use crate::sums::BadLine;
use crate::table::Table;

/// The options of a catalog.
///
/// Its columns are in [the guide](https://github.com/quakefs/quakefs/blob/main/docs/archives.md#columns).
/// Their types never change from row to row, and a column `schema` has their version.
///
/// ```
/// use quakefs_archives::{Catalog, Collection};
/// # let folder = testutils::game("a.pak: maps/start.bsp");
/// # let mods = folder.path();
/// let mut out = Vec::new();
/// let catalogued = Catalog::default().write(&Collection::search([mods]), &mut out)?;
/// assert_eq!((catalogued.archives, catalogued.rows), (1, 1));
/// assert!(out.starts_with(br#"{"type":"row","schema":1,"archive":"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Catalog {
    /// The format of the rows.
    pub format: CatalogFormat,
    /// How to read and hash contents.
    pub digests: DigestOptions,
    /// Whether to read only directories, so that no row has a hash.
    pub without_hashes: bool,
    /// A text before the path of each archive in its rows, such as `disk1/`.
    pub prefix: String,
}

/// What to do about an existing catalog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExistingCatalog {
    /// Keep it, and return an error.
    #[default]
    Refuse,
    /// Replace it, and remove the rows of an interrupted run.
    Replace,
    /// Replace it, but copy its rows for archives with unchanged size and time, also from the file
    /// [`partial`](Catalog::partial) of an interrupted run. The old and the new catalog need the same format.
    Update,
}

/// Why a catalog was not written. An existing file is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// The file to update is not a catalog.
    #[error("{0}")]
    Earlier(#[from] BadLine),
    /// The file [`partial`](Catalog::partial), for rows of an interrupted run, is not a catalog.
    #[error(
        "{path} should contain rows of an interrupted run, but is not a catalog: {reason}",
        path = .0.display(),
        reason = .1
    )]
    Partial(PathBuf, #[source] BadLine),
    /// This file or folder may have the rows of an interrupted run: [`ExistingCatalog::Refuse`].
    #[error("{path} contains the rows of an interrupted run", path = .0.display())]
    Interrupted(PathBuf),
    /// The work was stopped: [`Collection::observed_by`].
    #[error("{done} of {all} archives were read")]
    Stopped {
        /// Archives that have rows.
        done: u64,
        /// The number of archives.
        all: u64,
        /// The file with these rows, if there are any.
        kept: Option<PathBuf>,
    },
    /// The system returned an error.
    #[error("the catalog cannot be written: {0}")]
    Write(#[from] io::Error),
}

/// Totals of a catalog.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Catalogued {
    /// The number of archives. If the work [was stopped](Collection::is_stopped), only archives with rows
    /// count.
    pub archives: u64,
    /// How many archives kept their rows of the earlier catalog.
    pub kept: u64,
    /// How many entries were read. Entries of kept archives do not count.
    pub rows: u64,
    /// How many of these entries have a fault.
    pub faulty: u64,
    /// The archives that cannot be opened. Each has one row.
    pub faults: Vec<Error>,
}

impl Catalog {
    /// Writes the rows of every archive, in order.
    ///
    /// # Errors
    /// Errors of `out`. An archive that cannot be opened has a row and is in [`Catalogued::faults`].
    pub fn write(&self, collection: &Collection, out: &mut dyn Write) -> io::Result<Catalogued> {
        self.write_since(&[], collection, out)
    }

    /// The path for the rows of an interrupted run: the path of the catalog with `.partial` appended.
    #[must_use]
    pub fn partial(path: impl AsRef<Path>) -> PathBuf {
        let mut path = OsString::from(path.as_ref());
        path.push(".partial");
        path.into()
    }

    /// Writes the rows to a file completely or not at all. If the [work is stopped](Collection::observed_by),
    /// the finished rows go to the file [`partial`](Self::partial), to which `existing` applies too. When a
    /// catalog is complete, the partial file is removed.
    ///
    /// # Errors
    /// The work was stopped, the file cannot be written, or an existing file is not a catalog of this format.
    pub fn write_file(
        &self,
        collection: &Collection,
        path: impl AsRef<Path>,
        existing: ExistingCatalog,
    ) -> Result<Catalogued, CatalogError> {
        let path = path.as_ref();
        // locked before it is read, because two concurrent updates would lose rows
        let out = AtomicFile::create(path, &Options::new().replace(existing != ExistingCatalog::Refuse))?;
        let partial = Self::partial(path);
        if existing == ExistingCatalog::Refuse && partial.symlink_metadata().is_ok() {
            return Err(CatalogError::Interrupted(partial));
        }
        let read = |path: &Path| -> Result<Option<EarlierCatalog>, CatalogError> {
            let is_read = existing != ExistingCatalog::Refuse && path.exists();
            is_read.then(|| self.earlier(path)).transpose()
        };
        let begun = read(&partial).map_err(|error| match error {
            CatalogError::Earlier(reason) => CatalogError::Partial(partial.clone(), reason),
            error => error,
        })?;
        let earlier: Vec<EarlierCatalog> = if existing == ExistingCatalog::Update {
            // rows of the interrupted run are newer
            begun.into_iter().chain(read(path)?).collect()
        } else {
            drop(begun);
            Vec::new()
        };
        let mut out = BufWriter::with_capacity(1 << 18, out);
        let catalogued = self.write_since(&earlier, collection, &mut out)?;
        let out = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        // Windows cannot replace a mapped file
        drop(earlier);
        if collection.is_stopped() {
            let Catalogued { archives, kept, .. } = catalogued;
            let is_new = archives > kept;
            if is_new {
                let replace = existing != ExistingCatalog::Refuse;
                let mut rows = AtomicFile::create(&partial, &Options::new().replace(replace))?;
                let mut written = out.as_file();
                written.rewind()?;
                io::copy(&mut written, &mut rows)?;
                committed(rows)?;
            }
            let kept = (is_new || partial.exists()).then_some(partial);
            return Err(CatalogError::Stopped {
                done: archives,
                all: collection.archives().len() as u64,
                kept,
            });
        }
        committed(out)?;
        if existing != ExistingCatalog::Refuse {
            // a remaining file is harmless: its rows are used only for unchanged archives
            let _ = fs::remove_file(partial);
        }
        Ok(catalogued)
    }

    fn write_since(
        &self,
        earlier: &[EarlierCatalog],
        collection: &Collection,
        out: &mut dyn Write,
    ) -> io::Result<Catalogued> {
        let mut table = Table::begin(self.format, self.digests.sums, out)?;
        let catalogued = self.write_rows(earlier, collection, |_, rows| table.write_all(rows))?;
        table.finish()?;
        Ok(catalogued)
    }

    /// Reads an earlier catalog in the format of this one.
    pub(crate) fn earlier(&self, path: &Path) -> Result<EarlierCatalog, CatalogError> {
        let bytes = FileData::map(path).map_err(|error| {
            let text = format!("{}: {}", path.display(), error.reason());
            io::Error::new(io::Error::from(error).kind(), text)
        })?;
        #[cfg(feature = "parquet")]
        if self.format == CatalogFormat::Parquet {
            return of_columns(bytes, path, self.digests.sums);
        }
        Ok(EarlierCatalog::read(bytes, self.format, self.digests.sums)?)
    }

    /// `take` gets the rows of each archive with its number.
    pub(crate) fn write_rows(
        &self,
        earlier: &[EarlierCatalog],
        collection: &Collection,
        mut take: impl FnMut(usize, &[u8]) -> io::Result<()>,
    ) -> io::Result<Catalogued> {
        let archives = collection.archives();
        let disk = collection.observer().disk();
        let stamps: Vec<Stamp> = archives.par_iter().map(|path| Stamp::of(disk, path)).collect();
        let earlier = EarlierCatalogs::new(earlier);
        let hashes = (!self.without_hashes).then_some(&self.digests);
        let kept = |(path, stamp): (&Utf8PathBuf, &Stamp)| {
            let (archive, container) = place(disk, path, &self.prefix);
            let is_csv = self.format == CatalogFormat::Csv;
            let [archive, container] =
                [archive, container].map(|text| if is_csv { cell(text) } else { text });
            earlier.rows((&archive, &container), stamp, hashes)
        };
        let plan: Vec<Option<&[u8]>> = archives.iter().zip(&stamps).map(kept).collect();
        let anew = plan.iter().zip(archives).enumerate().filter(|(_, (kept, _))| kept.is_none());
        let (places, paths): (Vec<usize>, Vec<Utf8PathBuf>) =
            anew.map(|(place, (_, path))| (place, path.clone())).unzip();

        let mut sum = Catalogued::default();
        let mut written = 0;
        let mut take_kept = |until: usize, sum: &mut Catalogued, take: &mut dyn FnMut(usize, &[u8]) -> _| {
            let kept = plan.iter().enumerate().take(until).skip(written);
            for (place, rows) in kept.filter_map(|(place, rows)| Some((place, (*rows)?))) {
                sum.archives += 1;
                sum.kept += 1;
                take(place, rows)?;
            }
            written = until;
            io::Result::Ok(())
        };
        each_digested(
            &paths,
            collection.observer(),
            &self.digests,
            false,
            |archive| {
                let entries =
                    archive.entries().filter(|entry| !self.without_hashes && !entry.row().is_folder);
                entries.map(|entry| entry.index()).collect()
            },
            |number, path, digested| {
                let place = places.get(number).copied().unwrap_or_default();
                let stamp = stamps.get(place).copied().unwrap_or_default();
                (place, Written::of(digested, path, stamp, disk, self))
            },
            |(place, rows)| {
                take_kept(place, &mut sum, &mut take)?;
                sum.archives += 1;
                sum.rows += rows.count;
                sum.faulty += rows.faulty;
                sum.faults.extend(rows.fault);
                take(place, &rows.bytes)
            },
        )?;
        take_kept(plan.len(), &mut sum, &mut take)?;
        Ok(sum)
    }
}

/// Reads a catalog by columns at this path. Its rows are copied to a temporary file beside it, because memory
/// may not have the space.
#[cfg(feature = "parquet")]
fn of_columns(bytes: FileData, path: &Path, sums: Sums) -> Result<EarlierCatalog, CatalogError> {
    // the next writer in the folder removes it if this process is killed
    let mut lines = RealDisk.temporary(above(path), true)?;
    write_lines(bytes, sums, &mut lines).map_err(|error| match error {
        ParquetError::External(error) => io::Error::other(error).into(),
        error => CatalogError::from(BadLine { line: 0, reason: format!("this is not a catalog: {error}") }),
    })?;
    let rows = FileData::map(lines.path()).map_err(io::Error::from)?;
    let rows = FileData::new(Temporary { rows, _file: lines });
    let of_row = |BadLine { line, reason }| BadLine { line: 0, reason: format!("row {line}: {reason}") };
    Ok(EarlierCatalog::read(rows, CatalogFormat::JsonLines, sums).map_err(of_row)?)
}

/// A temporary file in memory. It is removed after it is unmapped.
#[cfg(feature = "parquet")]
struct Temporary {
    rows: FileData,
    _file: NamedTempFile,
}

#[cfg(feature = "parquet")]
impl AsRef<[u8]> for Temporary {
    fn as_ref(&self) -> &[u8] {
        &self.rows
    }
}

/// The folder that contains a file or a folder.
pub(crate) fn above(path: &Path) -> &Path {
    path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

pub(crate) fn committed(out: AtomicFile) -> io::Result<()> {
    out.commit().map_err(|error| {
        let is_conflict = error.is_conflict();
        let cause = CommitError::into_cause(error);
        if is_conflict {
            io::Error::new(io::ErrorKind::WouldBlock, "another program has written it meanwhile")
        } else {
            cause
        }
    })
}

/// The rows of one archive in their final form.
#[derive(Default)]
struct Written {
    bytes: Vec<u8>,
    count: u64,
    faulty: u64,
    fault: Option<Error>,
}

impl Written {
    fn of(
        digested: Result<Digested, Error>,
        path: &Utf8Path,
        stamp: Stamp,
        disk: &dyn Disk,
        catalog: &Catalog,
    ) -> Written {
        let sums = catalog.digests.sums;
        let (archive, container) = place(disk, path, &catalog.prefix);
        let mut archive = CatalogRow {
            schema: SCHEMA,
            archive,
            container,
            archive_size: stamp.size,
            archive_modified: stamp.modified,
            ..CatalogRow::default()
        }
        .with_sums(sums);
        let kinds: Vec<_> = sums.kinds().collect();
        let whole = match &digested {
            _ if kinds.is_empty() => Ok(Vec::new()),
            Ok(Digested { archive, .. }) => {
                Digest::several_of_archive(&kinds, archive).map_err(|error| fault(&error))
            }
            Err(_) => Digest::several_on(disk, &kinds, path.as_std_path())
                .map_err(|error| (OF_SYSTEM, error.to_string())),
        };
        let unread = whole.as_ref().err().cloned();
        for (kind, digest) in kinds.into_iter().zip(whole.unwrap_or_default()) {
            *archive.sum(kind, true) = Some(digest.to_string().into());
        }
        let mut rows = Rows::new(catalog.format);
        let mut written = Written::default();
        match digested {
            Err(error) => {
                rows.push(&archive.faulty(fault(&error)));
                written.fault = Some(error);
            }
            Ok(Digested { archive: opened, entries, sums: of_entries }) => {
                let damage = opened.damage().map(|error| fault(&error)).or(unread);
                let archive_entries = i64::try_from(opened.entries().len()).ok();
                let of_archive = CatalogRow { archive_entries, layout: opened.format().into(), ..archive };
                if let Some(damage) = damage {
                    rows.push(&of_archive.clone().faulty(damage));
                } else if archive_entries == Some(0) {
                    rows.push(&of_archive);
                }
                let mut digests = entries.into_iter().zip(of_entries).peekable();
                for entry in opened.entries() {
                    let digests = digests.next_if(|((row, _), _)| *row == entry.index());
                    let (digest, of_entry_sums) =
                        digests.map_or((None, Vec::new()), |((_, digest), sums)| (Some(digest), sums));
                    let mut row = of_entry(of_archive.clone(), &entry, digest);
                    for digest in of_entry_sums {
                        *row.sum(digest.kind(), false) = Some(digest.to_string().into());
                    }
                    written.count += 1;
                    written.faulty += u64::from(!row.fault_kind.is_empty());
                    rows.push(&row);
                }
            }
        }
        written.bytes = rows.finish();
        written
    }
}

/// The kind of an error and its sentence, as in a row.
fn fault(error: &Error) -> (&'static str, String) {
    (error.kind().name(), error.reason())
}

fn of_entry<'a>(
    archive: CatalogRow<'a>,
    entry: &ArchiveEntry<'a>,
    digest: Option<Result<Digest, NoDigest>>,
) -> CatalogRow<'a> {
    let mut row = match digest {
        None => match entry.check() {
            Err(error) if !entry.row().is_folder => archive.faulty(fault(&error)),
            _ => archive,
        },
        Some(Ok(digest)) => CatalogRow { hash: digest.to_string().into(), ..archive },
        Some(Err(NoDigest::Unreadable(error))) => archive.faulty(fault(&error)),
        Some(Err(over)) => archive.faulty((OVER_LIMIT, over.to_string())),
    };
    let content = if entry.row().is_folder { "folder" } else { entry.content_type().name() };
    CatalogRow {
        entry: i64::try_from(entry.index()).ok(),
        name: printable_name(entry.name()),
        offset: row.number("offset", entry.row().offset),
        stored_size: row.number("stored size", entry.row().stored_size),
        size: row.number("size", entry.size()),
        method: match entry.row().method {
            Method::Stored => "stored".into(),
            Method::Daikatana => "daikatana".into(),
            Method::Deflate => "deflate".into(),
            Method::Other(number) => number.to_string().into(),
            method => format!("{method:?}").to_lowercase().into(),
        },
        content_type: content.into(),
        ..row
    }
}
