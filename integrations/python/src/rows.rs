//! Answers as the dataclasses of `quakefs._rows`.

use pyo3::prelude::*;
use pythonize::pythonize;
use serde::Serialize;

/// A row of this name, or several, as Python has them.
pub(crate) fn rows<'py>(py: Python<'py>, name: &str, of: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    py.import("quakefs._answers")?.call_method1("made", (name, pythonize(py, of)?))
}
