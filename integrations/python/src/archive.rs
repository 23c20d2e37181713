//! One archive of any kind, the native half of `PakFile`.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pak_format::{Builder, Layout, Source, WriteOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyMemoryView, PyString};
use quakefs::archive::{ArchiveEntry, ArchiveKind, OpenOptions};
use quakefs::disk::Disk;
use quakefs::{Access, EntryName, File, FileData, Layer};
use quakefs_archives::Editor;
use quakefs_extract::{Existing, ExtractOptions, ExtractPlan, ExtractSink, NotWritten, Outcome, PlannedFile};
use quakefs_game::Problem;

use crate::errors::detached;
use crate::position::{Filesystem, Positioned};
use crate::rows::rows;
use crate::{contents, errors, names};

static OPENED: AtomicU64 = AtomicU64::new(0);

/// An open archive, as numbered entries.
#[pyclass(frozen, module = "quakefs._quakefs")]
pub(crate) struct Archive {
    opened: quakefs::Archive,
    /// The name for errors.
    name: Option<String>,
    /// A number for this opened archive. A `PakInfo` keeps the number, because a reference would keep the
    /// archive open.
    number: u64,
}

#[pymethods]
impl Archive {
    #[staticmethod]
    #[pyo3(signature = (path, layout=None, mapped=true))]
    fn open(py: Python<'_>, path: PathBuf, layout: Option<&str>, mapped: bool) -> PyResult<Self> {
        let access = if mapped { Access::Map } else { Access::Read };
        let options = OpenOptions::new().access(access).layout(layout_of(layout)?);
        let opened = detached(py, || options.open(&path))?;
        Archive::new(py, opened, Some(path.display().to_string()))
    }

    /// Keeps the bytes.
    #[staticmethod]
    #[pyo3(signature = (content, layout=None, name=None))]
    fn of_bytes(
        py: Python<'_>,
        content: PyBackedBytes,
        layout: Option<&str>,
        name: Option<String>,
    ) -> PyResult<Self> {
        let options = OpenOptions::new().layout(layout_of(layout)?);
        let opened = detached(py, || options.open_data(FileData::new(content)))?;
        Archive::new(py, opened, name)
    }

    /// Reads a file object by position.
    #[staticmethod]
    #[pyo3(signature = (file, layout=None, name=None))]
    fn of_file(file: &Bound<'_, PyAny>, layout: Option<&str>, name: Option<String>) -> PyResult<Self> {
        let options = OpenOptions::new().layout(layout_of(layout)?);
        let positioned = Positioned::of_object(file)?;
        let opened = detached(file.py(), || positioned.open(&options, name.as_deref().unwrap_or("archive")))?;
        Archive::new(file.py(), opened, name)
    }

    /// Reads a path in a filesystem of fsspec by position.
    #[staticmethod]
    #[pyo3(signature = (filesystem, path, layout=None))]
    fn on(filesystem: &Bound<'_, PyAny>, path: String, layout: Option<&str>) -> PyResult<Self> {
        let options = OpenOptions::new().layout(layout_of(layout)?);
        let disk: Arc<dyn Disk> = Arc::new(Filesystem::at_once(filesystem, false)?);
        let opened = detached(filesystem.py(), || options.open_on(&disk, (&*path).into()))?;
        Archive::new(filesystem.py(), opened, Some(path))
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.opened.kind().name()
    }

    #[getter]
    fn layout(&self) -> Option<&'static str> {
        self.opened.layout().map(Layout::name)
    }

    fn infos(slf: &Bound<'_, Self>) -> PyResult<Vec<PakInfo>> {
        slf.get().opened.entries().map(|entry| PakInfo::of(slf, entry)).collect()
    }

    /// Raises KeyError if the entry does not exist.
    fn info(slf: &Bound<'_, Self>, entry: &Bound<'_, PyAny>) -> PyResult<PakInfo> {
        PakInfo::of(slf, Archive::entry(slf, entry)?)
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.opened.find(&*names::bytes(name)?).is_some())
    }

    fn read<'py>(slf: &Bound<'py, Self>, entry: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        contents::bytes(slf.py(), &Archive::content(slf, entry)?)
    }

    fn view<'py>(slf: &Bound<'py, Self>, entry: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyMemoryView>> {
        contents::view(slf.py(), Archive::content(slf, entry)?)
    }

    fn verify<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let name = self.name.as_deref().unwrap_or("archive");
        let found = detached(py, || self.opened.verify(name, None))?.into_iter();
        rows(py, "FindingRow", &found.map(|found| Problem::from(found).row(None)).collect::<Vec<_>>())
    }

    /// The name of the first entry that cannot be read.
    fn damaged<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        for entry in self.opened.entries().filter(|entry| !entry.row().is_folder) {
            py.check_signals()?;
            let passed_on = |entry: &ArchiveEntry<'_>| io::copy(&mut entry.open()?, &mut io::sink());
            if detached(py, || passed_on(&entry))?.is_err() {
                return names::text(py, entry.name().as_bytes()).map(Some);
            }
        }
        Ok(None)
    }

    /// Writes entries below a folder, over existing files, and returns entry numbers with paths. `limit` is
    /// the largest sum of sizes that the entries may claim.
    fn extract(
        slf: &Bound<'_, Self>,
        entries: Vec<Bound<'_, PyAny>>,
        folder: PathBuf,
        limit: Option<u64>,
    ) -> PyResult<Vec<(usize, PathBuf)>> {
        let py = slf.py();
        let mut layer = None;
        let mut files = Vec::with_capacity(entries.len());
        let mut seen = HashSet::with_capacity(entries.len());
        for entry in &entries {
            let entry = Archive::entry(slf, entry)?;
            if !entry.row().is_folder && seen.insert(entry.index()) {
                let name = slf.get().name.as_deref().unwrap_or("archive");
                let layer = layer.get_or_insert_with(|| Layer::of_archive(name, entry.archive().clone()));
                files.extend(layer.file(entry.index()).map(File::into_owned));
            }
        }
        let options =
            ExtractOptions { existing: Existing::Overwrite, max_output: limit, ..ExtractOptions::default() };
        let extracted = detached(py, || extract(&ExtractPlan::unpacked(&folder, files), &folder, &options))?;
        let (written, refused) = extracted.map_err(|error| errors::of_extraction(py, &error))?;
        match errors::of_files(py, &refused) {
            Some(error) => Err(error),
            None => Ok(written),
        }
    }
}

impl Archive {
    fn new(
        py: Python<'_>,
        opened: Result<quakefs::Archive, quakefs::Error>,
        name: Option<String>,
    ) -> PyResult<Self> {
        let opened = opened.map_err(|error| errors::raised_in(py, &error, name.as_deref()))?;
        Ok(Archive { opened, name, number: OPENED.fetch_add(1, Ordering::Relaxed) })
    }

    /// The entry of a PakInfo, or the first entry with a name.
    fn entry<'a>(slf: &'a Bound<'_, Self>, wanted: &Bound<'_, PyAny>) -> PyResult<ArchiveEntry<'a>> {
        let (py, Archive { opened: archive, number, .. }) = (slf.py(), slf.get());
        let found = match wanted.cast::<PakInfo>() {
            Ok(info) => {
                let info = info.get();
                match info.of.filter(|(of, _)| of == number) {
                    Some((_, row)) => archive.entry(row).ok_or_else(Vec::new),
                    // a PakInfo of another archive counts as its name
                    None => first(archive, info.filename.bind(py))?,
                }
            }
            Err(_) => first(archive, wanted)?,
        };
        found.map_err(|name| {
            let missing = pak_format::ErrorKind::NoEntry { name: name.into() };
            errors::of_writer(py, &missing.into())
        })
    }

    fn content(slf: &Bound<'_, Self>, entry: &Bound<'_, PyAny>) -> PyResult<FileData> {
        let (py, entry) = (slf.py(), Archive::entry(slf, entry)?);
        detached(py, || entry.read())?
            .map_err(|error| errors::raised_in(py, &error, slf.get().name.as_deref()))
    }
}

/// The first entry with a name, or else the name itself as the error.
fn first<'a>(
    archive: &'a quakefs::Archive,
    name: &Bound<'_, PyAny>,
) -> PyResult<Result<ArchiveEntry<'a>, Vec<u8>>> {
    let name = names::bytes(name)?;
    Ok(archive.find(&*name).ok_or_else(|| name.into_owned()))
}

type Written = Vec<(usize, PathBuf)>;
type Refused = Vec<(String, NotWritten)>;

/// Extracts a plan. Returns the files that exist now, and why the others were not written.
pub(crate) fn extract(
    plan: &ExtractPlan,
    folder: &Path,
    options: &ExtractOptions,
) -> Result<(Written, Refused), quakefs::Error> {
    struct Sink<'a>(&'a Path, Mutex<(Written, Refused)>);
    impl ExtractSink for Sink<'_> {
        fn file(&self, file: &PlannedFile, outcome: &Outcome) {
            let mut found = self.1.lock().unwrap_or_else(PoisonError::into_inner);
            if let Outcome::Failed(why) = outcome {
                found.1.push((file.file.location().to_string(), why.clone()));
            } else {
                let path = self.0.join(names::path(file.path.as_bytes()));
                found.0.extend(file.file.entry().map(|row| (row, path)));
            }
        }
    }
    let sink = Sink(folder, Mutex::default());
    plan.write(folder, options, &sink)?;
    let (mut written, mut refused) = sink.1.into_inner().unwrap_or_else(PoisonError::into_inner);
    written.sort();
    let without_path = plan.without_path().iter();
    refused.extend(
        without_path.map(|left| (left.file.location().to_string(), NotWritten::NoPath(left.because.clone()))),
    );
    refused.sort_by(|one, other| one.0.cmp(&other.0));
    Ok((written, refused))
}

/// The row of an entry in its archive.
///
/// >>> quakefs.PakFile("testdata/game/id1/pak0.pak").getinfo("maps/start.bsp")
/// <quakefs.PakInfo maps/start.bsp 201 bytes>
#[pyclass(frozen, module = "quakefs")]
pub(crate) struct PakInfo {
    /// The name.
    #[pyo3(get)]
    filename: Py<PyString>,
    /// Size of the content in bytes.
    #[pyo3(get)]
    file_size: u64,
    /// Size in the archive in bytes, after compression.
    #[pyo3(get)]
    compress_size: u64,
    /// Offset of the stored content from the start of the archive; in a ZIP, the offset of its local header.
    #[pyo3(get)]
    file_offset: u64,
    /// The numbers of the archive and of the entry; `None` if the entry is not written yet.
    of: Option<(u64, usize)>,
}

#[pymethods]
impl PakInfo {
    #[new]
    #[pyo3(signature = (filename, file_offset=0, file_size=0))]
    fn new(filename: Py<PyString>, file_offset: u64, file_size: u64) -> Self {
        PakInfo { filename, file_size, compress_size: file_size, file_offset, of: None }
    }

    /// Whether the name is a path below a folder: no `..`, and no longer than any system allows.
    fn _is_path(&self, py: Python<'_>) -> PyResult<bool> {
        const LONGEST: usize = 1023;
        let name = names::bytes(self.filename.bind(py).as_any())?;
        let name = name.strip_suffix(b"/").unwrap_or(&name);
        let path = EntryName::from_bytes(name).to_disk_path();
        Ok(name.len() <= LONGEST && path.is_ok_and(|path| *path == *name))
    }

    /// Whether the entry is a folder. Only ZIP archives have such entries.
    fn is_dir(&self, py: Python<'_>) -> PyResult<bool> {
        self.filename.bind(py).call_method1("endswith", ("/",))?.extract()
    }

    /// The fields by name, as of a named tuple: a row of a table.
    fn _asdict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        names::fields(slf, &["filename", "file_size", "compress_size", "file_offset"])
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<quakefs.PakInfo {} {} bytes>", self.filename.bind(py).to_string_lossy(), self.file_size)
    }
}

impl PakInfo {
    fn of(archive: &Bound<'_, Archive>, entry: ArchiveEntry<'_>) -> PyResult<Self> {
        Ok(PakInfo {
            filename: names::text(archive.py(), entry.name().as_bytes())?.unbind(),
            file_size: entry.size(),
            compress_size: entry.row().stored_size,
            file_offset: entry.row().offset,
            of: Some((archive.get().number, entry.index())),
        })
    }
}

/// A name, its content, and the type number for a WAD.
type New<'py> = (Bound<'py, PyAny>, PyBackedBytes, Option<u8>);

/// Writes a complete archive to a path or to memory.
#[pyfunction]
#[pyo3(signature = (path, entries, kind, layout=None, overwrite=true))]
pub(crate) fn write_archive<'py>(
    py: Python<'py>,
    path: Option<PathBuf>,
    entries: Vec<New<'py>>,
    kind: &str,
    layout: Option<&str>,
    overwrite: bool,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let mut builder = builder_of(kind, layout)?;
    for (name, content, number) in entries {
        builder.push(&*names::bytes(&name)?, Source::bytes(content));
        if let Some(number) = number {
            builder.kind(number);
        }
    }
    let written = match path {
        Some(path) => {
            let write = || builder.write_file(path, &WriteOptions { overwrite, ..WriteOptions::default() });
            detached(py, write)?.map(|_| None)
        }
        None => detached(py, || builder.finish())?.map(Some),
    };
    let written = written.map_err(|error| errors::of_writer(py, &error))?;
    written.map(|bytes| contents::bytes(py, &bytes)).transpose()
}

/// Raises ValueError for a name that cannot be stored, and for an unknown kind or layout. `name` may be
/// `None`.
#[pyfunction]
#[pyo3(signature = (kind, layout=None, name=None))]
pub(crate) fn check_new(
    py: Python<'_>,
    kind: &str,
    layout: Option<&str>,
    name: Option<Bound<'_, PyAny>>,
) -> PyResult<()> {
    let mut builder = builder_of(kind, layout)?;
    if let Some(name) = name {
        builder.push(&*names::bytes(&name)?, Source::bytes([]));
    }
    builder.check().first().map_or(Ok(()), |error| Err(errors::of_writer(py, error)))
}

fn builder_of<'a>(kind: &str, layout: Option<&str>) -> PyResult<Builder<'a>> {
    let layout = layout_of(layout)?;
    match (kind, layout) {
        ("pak", layout) => Ok(Builder::new(layout.unwrap_or(Layout::Quake))),
        ("zip", None) => Ok(Builder::zip()),
        ("wad", None) => Ok(Builder::wad2()),
        ("zip" | "wad", Some(_)) => Err(PyValueError::new_err("only a pak has a layout")),
        _ => {
            Err(PyValueError::new_err(format!("\"{kind}\" is no kind of archive: expected pak, zip or wad")))
        }
    }
}

/// Adds entries to an archive on disk. They replace entries with the same names.
#[pyfunction]
#[pyo3(signature = (path, entries, layout=None))]
pub(crate) fn change_archive(
    py: Python<'_>,
    path: PathBuf,
    entries: Vec<New<'_>>,
    layout: Option<&str>,
) -> PyResult<()> {
    let layout = layout_of(layout)?;
    let mut new = Vec::with_capacity(entries.len());
    for (name, content, number) in entries {
        new.push((names::bytes(&name)?.into_owned(), content, number));
    }
    detached(py, || change(&path, layout, new))?.map_err(|error| errors::raised(py, &error))
}

type Named = (Vec<u8>, PyBackedBytes, Option<u8>);

fn change(path: &Path, layout: Option<Layout>, entries: Vec<Named>) -> Result<(), quakefs::Error> {
    let mut editor = Editor::open_with(path, layout)?;
    for (name, content, number) in entries {
        let source = Source::bytes(content);
        if editor.contains(&name) { editor.replace(&name, source) } else { editor.add(&name, source) }?;
        if let Some(number) = number {
            editor.set_kind(&name, number);
        }
    }
    editor.commit(None)?;
    Ok(())
}

/// The kind of archive by a path's extension: "zip" for .pk3 and .zip, "wad" for .wad, else "pak".
#[pyfunction]
pub(crate) fn kind_of(path: PathBuf) -> &'static str {
    let name = path.to_string_lossy();
    match ArchiveKind::of(&name) {
        Some(kind) => kind.name(),
        None if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wad")) => "wad",
        None => "pak",
    }
}

fn layout_of(layout: Option<&str>) -> PyResult<Option<Layout>> {
    let parsed = layout.map(str::parse::<Layout>).transpose();
    parsed.map_err(|error| PyValueError::new_err(error.to_string()))
}
