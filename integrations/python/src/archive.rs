//! One archive of any kind: what `PakFile` is made of.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pak_format::{Builder, Editor, Layout, Source, WriteOptions};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView, PyString};
use quakefs::archive::{ArchiveKind, OpenOptions};
use quakefs::extract::{Existing, ExtractOptions, ExtractPlan, ExtractSink, Outcome, PlannedFile};
use quakefs::{Access, FileData};
use quakefs_archives::Rewriter;
use quakefs_report::words::Say as _;

use crate::said::Finding;
use crate::{contents, errors, names};

/// An open archive, as numbered entries.
#[pyclass(frozen, module = "quakefs._quakefs")]
pub(crate) struct Archive(quakefs::Archive);

#[pymethods]
impl Archive {
    #[staticmethod]
    #[pyo3(signature = (path, layout=None, mapped=true))]
    fn open(py: Python<'_>, path: PathBuf, layout: Option<&str>, mapped: bool) -> PyResult<Self> {
        let access = if mapped { Access::Map } else { Access::Read };
        let options = OpenOptions::new().access(access).layout(layout_of(layout)?);
        let opened = py.detach(|| quakefs::Archive::open_with(path, &options));
        opened.map(Archive).map_err(|error| errors::raised(py, &error))
    }

    /// Keeps the bytes.
    #[staticmethod]
    #[pyo3(signature = (content, layout=None))]
    fn of_bytes(py: Python<'_>, content: PyBackedBytes, layout: Option<&str>) -> PyResult<Self> {
        let options = OpenOptions::new().layout(layout_of(layout)?);
        let opened = py.detach(|| quakefs::Archive::from_data_with(FileData::new(content), &options));
        opened.map(Archive).map_err(|error| errors::raised(py, &error))
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind().name()
    }

    #[getter]
    fn layout(&self) -> Option<&'static str> {
        self.0.layout().map(Layout::name)
    }

    fn infos(&self, py: Python<'_>) -> PyResult<Vec<PakInfo>> {
        self.0.entries().map(|entry| PakInfo::of(py, entry)).collect()
    }

    /// The number of the first entry of a name.
    fn row(&self, name: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        Ok(self.0.find(&*names::bytes(name)?).map(|entry| entry.index()))
    }

    fn read<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.content(py, row)?))
    }

    fn view<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyMemoryView>> {
        contents::view(py, self.content(py, row)?)
    }

    fn verify(&self, py: Python<'_>, name: &str) -> Vec<Finding> {
        py.detach(|| self.0.verify(name)).into_iter().map(Finding).collect()
    }

    /// Writes entries below a folder, in the place of files that are there, and gives the path of each by its number.
    fn extract(&self, py: Python<'_>, rows: Vec<usize>, folder: PathBuf) -> PyResult<Vec<(usize, PathBuf)>> {
        let name: Arc<str> = self.0.place().map_or("archive", |place| place.as_str()).into();
        let extracted = py.detach(|| {
            let entries = rows.iter().filter_map(|row| self.0.entry(*row)).filter(|entry| !entry.is_folder());
            extract(entries.map(|entry| entry.to_file(Arc::clone(&name))), &folder)
        });
        let (written, refused) = extracted.map_err(|error| errors::raised(py, &error))?;
        match errors::of_files(py, &refused) {
            Some(error) => Err(error),
            None => Ok(written),
        }
    }
}

impl Archive {
    fn content(&self, py: Python<'_>, row: usize) -> PyResult<FileData> {
        if row >= self.0.len() {
            return Err(PyIndexError::new_err("the archive has no entry of this number"));
        }
        py.detach(|| self.0.read(row)).map_err(|error| errors::raised(py, &error))
    }
}

type Written = Vec<(usize, PathBuf)>;
type Refused = Vec<(String, String)>;

/// The files that were written, and why the others were not.
fn extract(
    files: impl Iterator<Item = quakefs::File>,
    folder: &Path,
) -> Result<(Written, Refused), quakefs::Error> {
    struct Sink<'a>(&'a Path, Mutex<(Written, Refused)>);
    impl ExtractSink for Sink<'_> {
        fn file(&self, file: &PlannedFile, outcome: &Outcome) {
            let mut found = self.1.lock().unwrap_or_else(PoisonError::into_inner);
            if let Outcome::Failed(why) = outcome {
                found.1.push((file.file.place().to_string(), why.say().to_string()));
            } else {
                let path = self.0.join(file.path.to_string());
                found.0.extend(file.file.entry().map(|row| (row, path)));
            }
        }
    }
    let plan = ExtractPlan::for_folder(folder, files);
    let sink = Sink(folder, Mutex::default());
    plan.write(folder, &ExtractOptions::new().existing(Existing::Overwrite), &sink)?;
    let (mut written, mut refused) = sink.1.into_inner().unwrap_or_else(PoisonError::into_inner);
    written.sort();
    refused.sort();
    let left_out = plan.left_out().iter();
    refused.extend(
        left_out.map(|left| (left.file.place().to_string(), format!("not written: {}", left.because))),
    );
    Ok((written, refused))
}

/// What an archive says of an entry.
///
/// >>> quakefs.PakFile("testdata/game/id1/pak0.pak").getinfo("maps/start.bsp")
/// <quakefs.PakInfo maps/start.bsp 39 bytes>
#[pyclass(frozen, get_all, module = "quakefs")]
pub(crate) struct PakInfo {
    /// The name.
    filename: Py<PyString>,
    /// Bytes of the content.
    file_size: u64,
    /// Bytes that the content takes in the archive.
    compress_size: u64,
    /// Where they are.
    file_offset: u64,
    /// The number of the entry; None for one that is not written yet.
    row: Option<usize>,
}

#[pymethods]
impl PakInfo {
    #[new]
    #[pyo3(signature = (filename, file_offset=0, file_size=0))]
    fn new(filename: Py<PyString>, file_offset: u64, file_size: u64) -> Self {
        PakInfo { filename, file_size, compress_size: file_size, file_offset, row: None }
    }

    /// Whether the entry stands for a folder, as some of a ZIP do.
    fn is_dir(&self, py: Python<'_>) -> PyResult<bool> {
        self.filename.bind(py).call_method1("endswith", ("/",))?.extract()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<quakefs.PakInfo {} {} bytes>", self.filename.bind(py).to_string_lossy(), self.file_size)
    }
}

impl PakInfo {
    fn of(py: Python<'_>, entry: quakefs::archive::ArchiveEntry<'_>) -> PyResult<Self> {
        Ok(PakInfo {
            filename: names::text(py, entry.name().as_bytes())?.unbind(),
            file_size: entry.size(),
            compress_size: entry.stored_size(),
            file_offset: entry.offset(),
            row: Some(entry.index()),
        })
    }
}

/// A name, its content, and the number by which a WAD says what it is.
type New<'py> = (Bound<'py, PyAny>, PyBackedBytes, Option<u8>);

/// Writes an archive whole, to a path or to memory.
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
    let mut builder = match kind {
        "pak" => Builder::new(layout_of(layout)?.unwrap_or(Layout::Quake)),
        "zip" => Builder::zip(),
        "wad" => Builder::wad2(),
        _ => {
            return Err(PyValueError::new_err(format!(
                "\"{kind}\" is no kind of archive: expected pak, zip or wad"
            )));
        }
    };
    for (name, content, number) in entries {
        builder.push(&*names::bytes(&name)?, Source::bytes(content));
        if let Some(number) = number {
            builder.kind(number);
        }
    }
    let written = match path {
        Some(path) => {
            py.detach(|| builder.write_file(path, &WriteOptions::new().overwrite(overwrite))).map(|_| None)
        }
        None => py.detach(|| builder.finish()).map(Some),
    };
    let written = written.map_err(|error| errors::of_writer(py, &error))?;
    Ok(written.map(|bytes| PyBytes::new(py, &bytes)))
}

/// Adds entries to an archive on disk, in the place of those that have their names.
#[pyfunction]
pub(crate) fn change_archive(
    py: Python<'_>,
    path: PathBuf,
    entries: Vec<New<'_>>,
    kind: &str,
) -> PyResult<()> {
    let mut new = Vec::with_capacity(entries.len());
    for (name, content, number) in entries {
        new.push((names::bytes(&name)?.into_owned(), content, number));
    }
    let changed = match kind {
        "pak" => py.detach(|| change_pak(&path, new)).map_err(quakefs::Error::from),
        _ => py.detach(|| change_other(&path, new)),
    };
    changed.map_err(|error| errors::raised(py, &error))
}

type Named = (Vec<u8>, PyBackedBytes, Option<u8>);

fn change_pak(path: &Path, entries: Vec<Named>) -> Result<(), pak_format::Error> {
    let mut editor = Editor::open(path)?;
    for (name, content, _) in entries {
        let source = Source::bytes(content);
        if editor.contains(&name) { editor.replace(&name, source) } else { editor.add(&name, source) }?;
    }
    editor.commit().map(drop)
}

fn change_other(path: &Path, entries: Vec<Named>) -> Result<(), quakefs::Error> {
    let mut rewriter = Rewriter::open(path)?;
    for (name, content, number) in entries {
        let source = Source::bytes(content);
        if rewriter.contains(&name) { rewriter.replace(&name, source) } else { rewriter.add(&name, source) }?;
        if let Some(number) = number {
            rewriter.set_kind(&name, number);
        }
    }
    rewriter.commit(None)?;
    Ok(())
}

/// The kind of archive that a path stands for by its name: "zip" for a .pk3, "wad", else "pak".
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
