//! Names: bytes in archives, text in Python. What is no UTF-8 is escaped as in file names of Python (`surrogateescape`), so
//! that each name that Python is given can be asked for.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// How Python escapes bytes that are no UTF-8.
const ESCAPED: (&str, &str) = ("utf-8", "surrogateescape");

/// The bytes of a name that Python gives as `str` or `bytes`.
pub(crate) fn bytes<'a>(name: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(text) = name.cast::<PyString>() {
        return match text.to_str() {
            Ok(text) => Ok(Cow::Borrowed(text.as_bytes())),
            Err(_) => Ok(Cow::Owned(text.call_method1("encode", ESCAPED)?.extract()?)),
        };
    }
    match name.cast::<PyBytes>() {
        Ok(bytes) => Ok(Cow::Borrowed(bytes.as_bytes())),
        Err(_) => Err(PyTypeError::new_err("a name is a str, or bytes")),
    }
}

/// A name as Python reads it.
pub(crate) fn text<'py>(py: Python<'py>, name: &[u8]) -> PyResult<Bound<'py, PyString>> {
    match std::str::from_utf8(name) {
        Ok(text) => Ok(PyString::new(py, text)),
        Err(_) => Ok(PyBytes::new(py, name).call_method1("decode", ESCAPED)?.cast_into()?),
    }
}
