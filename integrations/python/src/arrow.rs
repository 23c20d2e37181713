//! Tables by the C interface of Arrow (<https://arrow.apache.org/docs/format/CDataInterface.html> and CStreamInterface.html), which
//! pyarrow, Polars, DuckDB and pandas read without a copy.
#![expect(unsafe_code, reason = "the interface is made of pointers")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;

use pyo3::ffi;
use pyo3::prelude::*;

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnType {
    /// A number that every row has.
    Number,
    /// A number, or null.
    OptionalNumber,
    /// UTF-8 that every row has.
    Text,
}

impl ColumnType {
    const fn format(self) -> &'static CStr {
        match self {
            ColumnType::Number | ColumnType::OptionalNumber => c"l",
            ColumnType::Text => c"u",
        }
    }
}

/// The columns of a table: names and types.
pub(crate) type Columns = &'static [(&'static CStr, ColumnType)];

/// The values of a column.
#[derive(Default)]
pub(crate) struct Column {
    numbers: Vec<i64>,
    /// A bit for each number.
    valid: Vec<u8>,
    nulls: i64,
    text: Vec<u8>,
    ends: Vec<i32>,
}

impl Column {
    pub(crate) fn push_number(&mut self, number: Option<i64>) {
        let bit = self.numbers.len() % 8;
        if bit == 0 {
            self.valid.push(0);
        }
        if let Some(last) = self.valid.last_mut() {
            *last |= u8::from(number.is_some()) << bit;
        }
        self.nulls += i64::from(number.is_none());
        self.numbers.push(number.unwrap_or_default());
    }

    pub(crate) fn push_text(&mut self, text: &str) {
        if self.ends.is_empty() {
            self.ends.push(0);
        }
        self.text.extend_from_slice(text.as_bytes());
        // a batch has far less than 2 GiB of text
        self.ends.push(i32::try_from(self.text.len()).unwrap_or(i32::MAX));
    }
}

/// Some rows, by columns.
pub(crate) struct Batch {
    pub(crate) rows: usize,
    pub(crate) columns: Vec<Column>,
}

/// Batches of a table, one after another.
pub(crate) trait Batches: Send {
    /// The next rows; `None` at the end.
    fn next(&mut self) -> Result<Option<Batch>, String>;
}

#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

const NULLABLE: i64 = 2;

#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

/// What the pointers of an array lead to.
struct Held {
    _column: Column,
    _buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
}

struct State {
    columns: Columns,
    batches: Box<dyn Batches>,
    error: CString,
}

impl Schema {
    fn of(columns: Columns) -> Schema {
        let child = |(name, kind): &(&'static CStr, ColumnType)| {
            let flags = if *kind == ColumnType::OptionalNumber { NULLABLE } else { 0 };
            Box::into_raw(Box::new(Schema::new(kind.format(), name, flags, Vec::new())))
        };
        Schema::new(c"+s", c"", 0, columns.iter().map(child).collect())
    }

    fn new(format: &'static CStr, name: &'static CStr, flags: i64, children: Vec<*mut Schema>) -> Schema {
        let mut children = Box::new(children);
        Schema {
            format: format.as_ptr(),
            name: name.as_ptr(),
            metadata: ptr::null(),
            flags,
            n_children: i64::try_from(children.len()).unwrap_or_default(),
            children: children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_schema),
            private_data: Box::into_raw(children).cast(),
        }
    }
}

unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: the consumer calls this once, with a schema of `Schema::new`, which owns these boxes.
    unsafe {
        for child in *Box::from_raw((*schema).private_data.cast::<Vec<*mut Schema>>()) {
            release_child(child, |child| (*child).release);
        }
        (*schema).release = None;
    }
}

impl Array {
    fn of(columns: Columns, batch: Batch) -> Array {
        let kinds = columns.iter().map(|(_, kind)| *kind);
        let child = |(kind, column)| Box::into_raw(Box::new(Array::of_column(kind, column, batch.rows)));
        let children = kinds.zip(batch.columns).map(child).collect();
        Array::new(Column::default(), vec![ptr::null()], children, batch.rows)
    }

    fn of_column(kind: ColumnType, column: Column, rows: usize) -> Array {
        let numbers = column.numbers.as_ptr().cast();
        let buffers = match kind {
            ColumnType::Number => vec![ptr::null(), numbers],
            ColumnType::OptionalNumber => vec![column.valid.as_ptr().cast(), numbers],
            ColumnType::Text => vec![ptr::null(), column.ends.as_ptr().cast(), column.text.as_ptr().cast()],
        };
        Array::new(column, buffers, Vec::new(), rows)
    }

    fn new(
        column: Column,
        mut buffers: Vec<*const c_void>,
        mut children: Vec<*mut Array>,
        rows: usize,
    ) -> Array {
        let count = |length: usize| i64::try_from(length).unwrap_or_default();
        Array {
            length: count(rows),
            null_count: column.nulls,
            offset: 0,
            n_buffers: count(buffers.len()),
            n_children: count(children.len()),
            buffers: buffers.as_mut_ptr(),
            children: children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_array),
            // moving the vectors does not move what they point to
            private_data: Box::into_raw(Box::new(Held { _column: column, _buffers: buffers, children }))
                .cast(),
        }
    }
}

unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: the consumer calls this once, with an array of `Array::new`, which owns these boxes.
    unsafe {
        let held = Box::from_raw((*array).private_data.cast::<Held>());
        for child in &held.children {
            release_child(*child, |child| (*child).release);
        }
        (*array).release = None;
    }
}

/// Frees a child. A consumer may have moved it out, which it marks.
unsafe fn release_child<T>(child: *mut T, release: impl Fn(*mut T) -> Option<unsafe extern "C" fn(*mut T)>) {
    // SAFETY: the child is a box of its parent.
    unsafe {
        if let Some(release) = release(child) {
            release(child);
        }
        drop(Box::from_raw(child));
    }
}

const EIO: c_int = 5;

unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: `stream` is one of `capsule` that is not released, and `out` has room for a schema.
    unsafe {
        let state = &*(*stream).private_data.cast::<State>();
        out.write(Schema::of(state.columns));
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: `stream` is one of `capsule` that is not released, and used by one thread at a time. `out` has room for an array.
    unsafe {
        let state = &mut *(*stream).private_data.cast::<State>();
        match state.batches.next() {
            Ok(Some(batch)) => out.write(Array::of(state.columns, batch)),
            // the end is an array that is released already
            Ok(None) => (*out).release = None,
            Err(error) => {
                state.error = CString::new(error.replace('\0', " ")).unwrap_or_default();
                return EIO;
            }
        }
    }
    0
}

unsafe extern "C" fn get_last_error(stream: *mut Stream) -> *const c_char {
    // SAFETY: `stream` is one of `capsule` that is not released.
    unsafe { (*(*stream).private_data.cast::<State>()).error.as_ptr() }
}

unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: the consumer calls this once, with a stream of `capsule`.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<State>()));
        (*stream).release = None;
    }
}

const STREAM: &CStr = c"arrow_array_stream";

/// A stream of a table as a capsule of Python.
pub(crate) fn capsule(
    py: Python<'_>,
    columns: Columns,
    batches: Box<dyn Batches>,
) -> PyResult<Bound<'_, PyAny>> {
    let state = Box::new(State { columns, batches, error: CString::default() });
    let stream = Box::into_raw(Box::new(Stream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: Box::into_raw(state).cast(),
    }));
    // SAFETY: the pointer is a valid one, its destructor is for it, and the name is static.
    unsafe {
        Bound::from_owned_ptr_or_err(
            py,
            ffi::PyCapsule_New(stream.cast(), STREAM.as_ptr(), Some(release_capsule)),
        )
    }
}

unsafe extern "C" fn release_capsule(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls this once, with the capsule of `capsule`. A consumer that moved the stream out marked it.
    unsafe {
        let stream = ffi::PyCapsule_GetPointer(capsule, STREAM.as_ptr()).cast::<Stream>();
        release_child(stream, |stream| (*stream).release);
    }
}
