//! What a level asks for.

use pyo3::prelude::*;
use pyo3::types::PyString;
use quakefs::why::words::Say as _;
use quakefs_needs::words;

use crate::names;

/// A file that something in a level asks for.
#[pyclass(frozen, module = "quakefs")]
pub(crate) struct Need(quakefs_needs::Need);

#[pymethods]
impl Need {
    /// The name, as the engine asks for it.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        names::text(py, self.0.name.as_bytes())
    }

    /// The names that do equally well, in the order in which the engine asks.
    #[getter]
    fn others<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyString>>> {
        self.0.others.iter().map(|name| names::text(py, name.as_bytes())).collect()
    }

    /// What the file is, such as "model" or "sound".
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    /// "required", "optional", or "packed" for a file that packers are asked for and engines are not.
    #[getter]
    fn presence(&self) -> &'static str {
        self.0.presence.name()
    }

    /// Who asks: the level, an entity, a function of the program, in one line.
    #[getter]
    fn by(&self) -> String {
        words::chain(&self.0)
    }

    /// The games in which the file is asked for, such as "skill 3, coop"; empty for all.
    #[getter]
    fn games(&self) -> String {
        words::games(&self.0.modes)
    }

    /// Whether the name is served, or one that does equally well.
    #[getter]
    fn found(&self) -> bool {
        self.0.is_found
    }

    /// Whether the file must be there and is not.
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

/// What one level asks for.
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

    /// The files that the level asks for, by kind and name.
    #[getter]
    fn asked(&self) -> Vec<Need> {
        self.needs.asked.iter().cloned().map(Need).collect()
    }

    /// The files that must be there and are not.
    #[getter]
    fn missing(&self) -> Vec<Need> {
        self.needs.missing().cloned().map(Need).collect()
    }

    /// What the program does at the start of the level that its authors cannot mean, in sentences.
    #[getter]
    fn incidents(&self) -> Vec<String> {
        self.needs.incidents.iter().map(|(incident, _)| words::of_incident(incident).to_string()).collect()
    }

    /// What could not be looked at, so that the answer is not whole, in sentences.
    #[getter]
    fn troubles(&self) -> Vec<String> {
        self.needs.troubles.iter().map(|trouble| trouble.say().to_string()).collect()
    }

    fn __repr__(&self) -> String {
        let level = quakefs::EntryName::from_bytes(&self.level);
        format!(
            "<quakefs.Needs {level}: {} asked, {} missing>",
            self.needs.asked.len(),
            self.needs.missing().count()
        )
    }
}
