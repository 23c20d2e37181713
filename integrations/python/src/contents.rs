//! Lets Python use the bytes of a file without a copy.

use std::ffi::c_int;
use std::ptr;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};
use quakefs::FileData;

/// Bytes behind a memoryview. If the entry is stored uncompressed, they are a part of the mapped archive,
/// which stays mapped as long as a view of it exists.
#[pyclass(frozen, module = "quakefs._quakefs")]
struct Contents(FileData);

#[pymethods]
impl Contents {
    #[expect(unsafe_code, reason = "the buffer protocol is made of pointers")]
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let bytes: &[u8] = &slf.get().0;
        let (start, length) = (bytes.as_ptr().cast_mut().cast(), isize::try_from(bytes.len())?);
        // SAFETY: Python passes a view to fill. The view owns a reference to `slf`, which owns the bytes and
        // never moves or changes them; being read-only, the view writes nothing through the pointer.
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

/// Copies of at least this size release the interpreter's lock, because a mapped archive may have to be read
/// from disk.
const LARGE: usize = 1 << 20;

/// The bytes as a Python object. Raises MemoryError if they do not fit in memory.
pub(crate) fn bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    if bytes.len() < LARGE {
        return Ok(PyBytes::new(py, bytes));
    }
    let length = isize::try_from(bytes.len())?;
    // SAFETY: Python gives a new object with this many bytes of its own, which nobody else knows before it is
    // returned.
    #[expect(
        unsafe_code,
        reason = "what is made by safe functions is filled with zeros first, which takes as long as the copy"
    )]
    unsafe {
        let made = Bound::from_owned_ptr_or_err(py, ffi::PyBytes_FromStringAndSize(ptr::null(), length))?;
        let room = ffi::PyBytes_AsString(made.as_ptr()).expose_provenance();
        py.detach(|| {
            ptr::copy_nonoverlapping(bytes.as_ptr(), ptr::with_exposed_provenance_mut(room), bytes.len());
        });
        Ok(made.cast_into_unchecked())
    }
}
