//! An Arrow stream that several threads may read at the same time. The crate's own stream has no lock, and
//! its readers would end the process.

use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::{Mutex, OnceLock, PoisonError};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array as _, RecordBatchReader, StructArray};
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;

/// What the callbacks share. Only the reader changes, behind its lock.
struct Shared {
    reader: Mutex<Box<dyn RecordBatchReader + Send>>,
    /// The first error, after which the stream has no more rows. It stays until the stream is released.
    failed: OnceLock<CString>,
}

/// `EIO`, and the number of each failure: the text tells more.
const FAILED: c_int = 5;

/// The stream of a reader.
#[expect(unsafe_code, reason = "the C stream interface is made of pointers")]
pub(crate) fn stream(reader: Box<dyn RecordBatchReader + Send>) -> FFI_ArrowArrayStream {
    let shared = Box::new(Shared { reader: Mutex::new(reader), failed: OnceLock::new() });
    let data = Box::into_raw(shared).cast::<c_void>();
    // SAFETY: the callbacks are those for this data, which `release` frees once
    unsafe {
        FFI_ArrowArrayStream::new_unchecked(
            Some(get_schema),
            Some(get_next),
            Some(get_last_error),
            Some(release),
            data,
        )
    }
}

impl Shared {
    /// # Safety
    /// The stream is one of [`stream`], and is not released.
    #[expect(unsafe_code, reason = "a caller in C has a pointer")]
    unsafe fn of<'s>(stream: *mut FFI_ArrowArrayStream) -> &'s Shared {
        // SAFETY: the data of such a stream, to which there are only shared references
        unsafe { &*(*stream).private_data().cast::<Shared>() }
    }

    fn fail(&self, error: &dyn std::error::Error) -> c_int {
        let text = error.to_string().replace('\0', " ");
        self.failed.get_or_init(|| CString::new(text).unwrap_or_default());
        FAILED
    }

    fn next(&self) -> Result<FFI_ArrowArray, c_int> {
        if self.failed.get().is_some() {
            return Err(FAILED);
        }
        // a caller may hold the lock of the interpreter, which the reader needs
        let batch = Python::attach(|py| {
            let mut reader = self.reader.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
            let reader = &mut *reader;
            py.detach(|| reader.next())
        });
        match batch.transpose() {
            Ok(None) => Ok(FFI_ArrowArray::empty()),
            Ok(Some(batch)) => Ok(FFI_ArrowArray::new(&StructArray::from(batch).to_data())),
            Err(error) => Err(self.fail(&error)),
        }
    }

    fn schema(&self) -> Result<FFI_ArrowSchema, c_int> {
        let schema = Python::attach(|py| {
            self.reader.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner).schema()
        });
        FFI_ArrowSchema::try_from(&*schema).map_err(|error| self.fail(&error))
    }
}

#[expect(unsafe_code, reason = "a callback of C")]
unsafe extern "C" fn get_schema(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowSchema) -> c_int {
    // SAFETY: callers pass the stream, and room for a schema
    let shared = unsafe { Shared::of(stream) };
    match shared.schema() {
        Ok(schema) => {
            // SAFETY: as above
            unsafe { out.write(schema) };
            0
        }
        Err(code) => code,
    }
}

#[expect(unsafe_code, reason = "a callback of C")]
unsafe extern "C" fn get_next(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowArray) -> c_int {
    // SAFETY: callers pass the stream, and room for an array
    let shared = unsafe { Shared::of(stream) };
    match shared.next() {
        Ok(array) => {
            // SAFETY: as above
            unsafe { out.write_unaligned(array) };
            0
        }
        Err(code) => code,
    }
}

#[expect(unsafe_code, reason = "a callback of C")]
unsafe extern "C" fn get_last_error(stream: *mut FFI_ArrowArrayStream) -> *const c_char {
    // SAFETY: callers pass the stream
    let failed = unsafe { Shared::of(stream) }.failed.get();
    failed.map_or(std::ptr::null(), |failed| failed.as_ptr())
}

#[expect(unsafe_code, reason = "a callback of C")]
unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: callers pass the stream, and use it no more. An empty stream has no callbacks.
    unsafe {
        let data = (*stream).set_private_data(std::ptr::null_mut()).cast::<Shared>();
        let _ = (*stream).set_release(None);
        if !data.is_null() {
            drop(Box::from_raw(data));
        }
    }
}
