//! Answers as the dataclasses of `quakefs._rows`, each under the name of its row.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping, PyString};
use pythonize::{PythonizeNamedMappingType, PythonizeTypes, pythonize_custom};
use serde::Serialize;

/// A row, or several, as Python has them.
pub(crate) fn rows<'py>(py: Python<'py>, of: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    Ok(pythonize_custom::<Rows, _>(py, of)?)
}

struct Rows;

impl PythonizeTypes for Rows {
    type Map = PyDict;
    type NamedMap = Row;
    type List = PyList;
}

struct Row;

impl PythonizeNamedMappingType for Row {
    type Builder<'py> = (Bound<'py, PyAny>, Bound<'py, PyDict>);

    fn builder<'py>(py: Python<'py>, _: usize, name: &'static str) -> PyResult<Self::Builder<'py>> {
        Ok((py.import("quakefs._rows")?.getattr(name)?, PyDict::new(py)))
    }

    fn push_field<'py>(
        (_, fields): &mut Self::Builder<'py>,
        name: Bound<'py, PyString>,
        value: Bound<'py, PyAny>,
    ) -> PyResult<()> {
        // keywords of Python
        match name.to_str()? {
            "class" => fields.set_item("class_", value),
            "from" => fields.set_item("from_", value),
            _ => fields.set_item(name, value),
        }
    }

    #[expect(unsafe_code, reason = "pythonize takes every object of a struct for a mapping")]
    fn finish((class, fields): Self::Builder<'_>) -> PyResult<Bound<'_, PyMapping>> {
        let row = class.call((), Some(&fields))?;
        // SAFETY: a `PyMapping` is any object, whose methods raise an exception if it is no mapping. pythonize calls none.
        Ok(unsafe { row.cast_into_unchecked() })
    }
}
