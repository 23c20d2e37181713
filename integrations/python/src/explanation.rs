//! Findings, and explanations why a name is loaded from its layer.

use pyo3::prelude::*;
use pyo3::types::PyString;
use quakefs::sentences::Help as _;
use quakefs::why::Explanation as Explained;

use crate::file::File;
use crate::names;

/// A problem of a game.
///
/// >>> finding = quakefs.mount("testdata/game", game="gapmod").findings[0]
/// >>> finding.kind, finding.layer
/// ('archive-case', 'gapmod/PAK2.PAK')
#[pyclass(frozen, module = "quakefs")]
pub(crate) struct Finding(pub(crate) quakefs::Finding);

#[pymethods]
impl Finding {
    /// The kind, as a word that stays the same in all versions, such as "gap" or "hidden-loose".
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    /// "error", "warning" or "note".
    #[getter]
    fn severity(&self) -> &'static str {
        self.0.severity.name()
    }

    /// The layer or archive with the problem.
    #[getter]
    fn layer(&self) -> &str {
        self.0.location.layer_name()
    }

    /// The name of the file with the problem, or None.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.0.location.name().map(|name| names::text(py, name.as_bytes())).transpose()
    }

    /// One sentence: where, and what.
    #[getter]
    fn text(&self) -> String {
        self.0.to_string()
    }

    /// Advice, or None.
    #[getter]
    fn help(&self) -> Option<String> {
        self.0.help(None)
    }

    /// Whether the engine stops with an error because of this.
    #[getter]
    fn stops_engine(&self) -> bool {
        self.0.stops_engine
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<quakefs.Finding {}: {}>", self.kind(), self.text())
    }
}

/// Which copy of a name wins and which ones it overrides, or why none is found. Its text has the same lines as `quakefs
/// which -a`.
///
/// >>> quake = quakefs.mount("testdata/game", game="gapmod")
/// >>> explanation = quake.explain("maps/gap3.bsp")
/// >>> explanation.cause
/// 'left-out'
/// >>> explanation.help
/// 'add pak2.pak; then this archive loads too'
#[pyclass(frozen, get_all, module = "quakefs")]
pub(crate) struct Explanation {
    /// The winner, or None.
    file: Option<Py<File>>,
    /// The overridden copies, the highest first, each with the rule that ranks the winner above it.
    overridden: Vec<(Py<File>, String)>,
    /// Why no file is found, as a word that stays the same in all versions, such as "left-out". None if a file is
    /// found.
    cause: Option<&'static str>,
    /// Advice if no file is found, or None.
    help: Option<String>,
    /// The explanation as lines of text.
    text: String,
}

impl Explanation {
    pub(crate) fn new(py: Python<'_>, explained: &Explained<'_>) -> PyResult<Self> {
        let text = explained.to_string();
        Ok(match explained {
            Explained::Served { winner, hidden, .. } => {
                let overridden =
                    hidden.iter().map(|(file, rule)| Ok((Py::new(py, File::from(file))?, rule.to_string())));
                Explanation {
                    file: Some(Py::new(py, File::from(winner))?),
                    overridden: overridden.collect::<PyResult<_>>()?,
                    cause: None,
                    help: None,
                    text,
                }
            }
            Explained::Missing(missing) => Explanation {
                file: None,
                overridden: Vec::new(),
                cause: Some(missing.cause),
                help: missing.help(None),
                text,
            },
        })
    }
}

#[pymethods]
impl Explanation {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<quakefs.Explanation {:?}>", self.text)
    }
}
