//! The files that a level needs.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::names;

/// A file that a level needs.
#[pyclass(frozen, module = "quakefs")]
pub(crate) struct Need(quakefs_needs::Need);

#[pymethods]
impl Need {
    /// The name that the engine looks up.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        names::text(py, self.0.name.as_bytes())
    }

    /// Alternative names, in the order in which the engine tries them.
    #[getter]
    fn others<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyString>>> {
        self.0.others.iter().map(|name| names::text(py, name.as_bytes())).collect()
    }

    /// The kind of file, such as "model" or "sound".
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    /// "required", "optional", or "packed" for a file that belongs into a release although engines do not load it.
    #[getter]
    fn presence(&self) -> &'static str {
        self.0.presence.name()
    }

    /// The origin of the need in one line: the level, an entity, or a function of the program.
    #[getter]
    fn by(&self) -> String {
        self.0.chain()
    }

    /// The game modes that need the file, such as "skill 3, coop"; empty for all.
    #[getter]
    fn games(&self) -> String {
        self.0.games()
    }

    /// Whether the name or an alternative name is found.
    #[getter]
    fn found(&self) -> bool {
        self.0.is_found
    }

    /// Whether the file is required and was not found.
    #[getter]
    fn missing(&self) -> bool {
        self.0.is_missing()
    }

    fn __repr__(&self) -> String {
        format!(
            "<quakefs.Need {} {}{}>",
            self.kind(),
            self.0.name,
            if self.0.is_found { "" } else { " not found" }
        )
    }
}

/// The needs of one level.
///
/// >>> (needs,) = quakefs.mount("testdata/lamps", engine="quakespasm", game="dusk").needs("maps/dusk.bsp")
/// >>> [(need.kind, need.name) for need in needs.missing]
/// [('model', 'progs/lamp.mdl'), ('sound', 'sound/dusk/gate.wav')]
#[pyclass(frozen, module = "quakefs")]
pub(crate) struct Needs {
    level: Vec<u8>,
    needs: quakefs_needs::Needs,
}

impl Needs {
    pub(crate) fn new(level: Vec<u8>, needs: quakefs_needs::Needs) -> Self {
        Needs { level, needs }
    }
}

#[pymethods]
impl Needs {
    /// The name of the level.
    #[getter]
    fn level<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        names::text(py, &self.level)
    }

    /// The files that the level needs, sorted by kind and name.
    #[getter]
    fn needed(&self) -> Vec<Need> {
        self.needs.asked.iter().cloned().map(Need).collect()
    }

    /// The required files that were not found.
    #[getter]
    fn missing(&self) -> Vec<Need> {
        self.needs.missing().cloned().map(Need).collect()
    }

    /// Likely mistakes in the program that show at the start of the level, one sentence each.
    #[getter]
    fn incidents(&self) -> Vec<String> {
        self.needs.incidents.iter().map(|(incident, _)| incident.to_string()).collect()
    }

    /// Reasons why the answer is incomplete, one sentence each.
    #[getter]
    fn troubles(&self) -> Vec<String> {
        self.needs.troubles.iter().map(ToString::to_string).collect()
    }

    fn __repr__(&self) -> String {
        let level = quakefs::EntryName::from_bytes(&self.level);
        format!(
            "<quakefs.Needs {level}: {} needed, {} missing>",
            self.needs.asked.len(),
            self.needs.missing().count()
        )
    }
}
