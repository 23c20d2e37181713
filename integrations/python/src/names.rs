//! Names are bytes in archives and text in Python. Bytes that are not UTF-8 are escaped like Python's file
//! names (`surrogateescape`), so every listed name can be looked up.

use std::borrow::Cow;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use pak_format::name::escape;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

/// Python's error handler for bytes that are not UTF-8.
const ESCAPED: (&str, &str) = ("utf-8", "surrogateescape");

/// The bytes of a name that Python gives as `str`, `bytes`, a path in a game or a file of one.
pub(crate) fn bytes<'a>(name: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(text) = name.cast::<PyString>() {
        return match text.to_str() {
            Ok(text) => Ok(Cow::Borrowed(text.as_bytes())),
            Err(_) => Ok(Cow::Owned(text.call_method1("encode", ESCAPED)?.extract()?)),
        };
    }
    if let Ok(bytes) = name.cast::<PyBytes>() {
        return Ok(Cow::Borrowed(bytes.as_bytes()));
    }
    // a `quakefs.Path` or a `quakefs.File`
    match name.getattr("at").or_else(|_| name.getattr("name")) {
        Ok(named) if named.is_instance_of::<PyString>() => Ok(Cow::Owned(bytes(&named)?.into_owned())),
        _ => Err(PyTypeError::new_err("a name is a str, bytes, a quakefs.Path or a quakefs.File")),
    }
}

/// A name as a Python string.
pub(crate) fn text<'py>(py: Python<'py>, name: &[u8]) -> PyResult<Bound<'py, PyString>> {
    match std::str::from_utf8(name) {
        Ok(text) => Ok(PyString::new(py, text)),
        Err(_) => Ok(PyBytes::new(py, name).call_method1("decode", ESCAPED)?.cast_into()?),
    }
}

/// A name as a relative path.
pub(crate) fn path(name: &[u8]) -> PathBuf {
    #[cfg(unix)]
    return <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name).into();
    // on Windows only UTF-8 names get here
    #[cfg(not(unix))]
    return String::from_utf8_lossy(name).into_owned().into();
}

/// A pattern for the library, which writes bytes that are not UTF-8 as `\xFF`.
pub(crate) fn pattern(pattern: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(pattern).map_or_else(|_| escape(pattern), Cow::Borrowed)
}

/// A pattern that matches only this name.
pub(crate) fn literal(name: &[u8]) -> String {
    let mut pattern = String::with_capacity(name.len());
    for letter in escape(name).chars() {
        match letter {
            '*' | '?' | '[' | ']' | '{' | '}' => pattern.extend(['[', letter, ']']),
            _ => pattern.push(letter),
        }
    }
    pattern
}

/// The attributes of an object as a dictionary.
pub(crate) fn fields<'py, T>(of: &Bound<'py, T>, names: &[&str]) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(of.py());
    for name in names {
        fields.set_item(name, of.as_any().getattr(*name)?)?;
    }
    Ok(fields)
}

/// A word for a value, such as an engine. Raises ValueError for an unknown one.
pub(crate) fn parsed<T: FromStr<Err: Display>>(word: &str) -> PyResult<T> {
    word.parse().map_err(|error: T::Err| PyValueError::new_err(error.to_string()))
}
