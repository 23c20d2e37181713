//! What the library says about a stack: findings, and why a name is served from where it is.

use pyo3::prelude::*;
use pyo3::types::PyString;
use quakefs::why::Explanation as Explained;
use quakefs::why::words::{self, Say as _};

use crate::file::File;
use crate::names;

/// What is wrong, or odd, about a game.
///
/// >>> finding = quakefs.mount("testdata/game", game="gapmod").findings[0]
/// >>> finding.kind, finding.layer
/// ('archive-case', 'gapmod/PAK2.PAK')
#[pyclass(frozen, module = "quakefs")]
pub(crate) struct Finding(pub(crate) quakefs::Finding);

#[pymethods]
impl Finding {
    /// A word for the kind that stays the same in all versions, such as "gap" or "hidden-loose".
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    /// "error", "warning" or "note".
    #[getter]
    fn severity(&self) -> &'static str {
        self.0.severity.name()
    }

    /// The layer or the archive that this is about.
    #[getter]
    fn layer(&self) -> &str {
        &self.0.place.layer
    }

    /// The name of the file that this is about, if it is about one.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.0.place.name().map(|name| names::text(py, name.as_bytes())).transpose()
    }

    /// A sentence: where it is, and what.
    #[getter]
    fn text(&self) -> String {
        words::in_place(&self.0)
    }

    /// What to do about it, if anything is known.
    #[getter]
    fn help(&self) -> Option<String> {
        self.0.say().help().map(str::to_owned)
    }

    /// Whether the engine stops with an error because of it.
    #[getter]
    fn stops_engine(&self) -> bool {
        self.0.stops_engine()
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<quakefs.Finding {}: {}>", self.kind(), self.text())
    }
}

/// Which copy of a name is served and what it hides, or why none is. As text, the lines of `quakefs which -a`.
///
/// >>> quake = quakefs.mount("testdata/game", game="gapmod")
/// >>> explanation = quake.explain("maps/gap3.bsp")
/// >>> explanation.cause
/// 'left-out'
/// >>> explanation.help
/// 'add pak2.pak, and this one is loaded after it'
#[pyclass(frozen, get_all, module = "quakefs")]
pub(crate) struct Explanation {
    /// The file that is served; None where there is none.
    file: Option<Py<File>>,
    /// The copies that it hides, the highest first, each with the rule that puts the served one above.
    hidden: Vec<(Py<File>, String)>,
    /// Why no file is served: a word that stays the same in all versions, such as "left-out". None where one is.
    cause: Option<&'static str>,
    /// What to do where no file is served, if anything is known.
    help: Option<String>,
    /// The lines.
    text: String,
}

impl Explanation {
    pub(crate) fn new(py: Python<'_>, explained: &Explained<'_>) -> PyResult<Self> {
        let text = explained.to_string();
        Ok(match explained {
            Explained::Served { winner, hidden, .. } => {
                let hidden = hidden
                    .iter()
                    .map(|(hit, rule)| Ok((Py::new(py, File::from(hit))?, rule.say().sentence().to_owned())));
                Explanation {
                    file: Some(Py::new(py, File::from(winner))?),
                    hidden: hidden.collect::<PyResult<_>>()?,
                    cause: None,
                    help: None,
                    text,
                }
            }
            Explained::Missing(missing) => Explanation {
                file: None,
                hidden: Vec::new(),
                cause: Some(missing.cause()),
                help: missing.say().help().map(str::to_owned),
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
