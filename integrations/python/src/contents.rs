//! The bytes of a file, lent to Python.

use std::ffi::c_int;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};
use quakefs::FileData;

/// Bytes that a memoryview lends. They are those of the mapped archive where an entry is stored as plain bytes, and the archive
/// stays mapped for as long as a view of them is there.
#[pyclass(frozen, module = "quakefs._quakefs")]
struct Contents(FileData);

#[pymethods]
impl Contents {
    #[expect(unsafe_code, reason = "the buffer protocol is made of pointers")]
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let bytes: &[u8] = &slf.get().0;
        let (start, length) = (bytes.as_ptr().cast_mut().cast(), isize::try_from(bytes.len())?);
        // SAFETY: Python gives a view to fill. The view owns a reference to `slf`, which owns the bytes and never moves or changes
        // them; being read-only, the view writes nothing through the pointer.
        match unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, length, 1, flags) } {
            0 => Ok(()),
            _ => Err(PyErr::fetch(slf.py())),
        }
    }
}

/// A read-only view of bytes, without a copy.
pub(crate) fn view(py: Python<'_>, bytes: FileData) -> PyResult<Bound<'_, PyMemoryView>> {
    PyMemoryView::from(Bound::new(py, Contents(bytes))?.as_any())
}

/// From here on a copy is made without the interpreter's lock: a mapped archive may first have to come from the disk.
const LARGE: usize = 1 << 20;

/// The bytes as an object of Python; MemoryError where there is no room for them.
pub(crate) fn bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    if bytes.len() < LARGE {
        return Ok(PyBytes::new(py, bytes));
    }
    PyBytes::new_with(py, bytes.len(), |room| {
        py.detach(|| room.copy_from_slice(bytes));
        Ok(())
    })
}
