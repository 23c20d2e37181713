//! The exports of the module. They pass only numbers; paths, bytes and answers are in one buffer.

#![expect(unsafe_code, reason = "imports and exports of a module need it")]

use std::io;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use quakefs::SearchPath;
use quakefs::disk::{MemoryDisk, ReadAt};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Reads at most `length` bytes of a file at an offset into the memory of the module. Returns their number, or a negative number on
    /// failure.
    fn read(file: u32, offset: u64, room: *mut u8, length: usize) -> isize;
}

#[derive(Default)]
struct Module {
    disk: Arc<MemoryDisk>,
    buffer: Vec<u8>,
    mounted: Option<SearchPath>,
}

static MODULE: LazyLock<Mutex<Module>> = LazyLock::new(Mutex::default);

fn module() -> MutexGuard<'static, Module> {
    MODULE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that the host knows by number, such as a browser's `File`.
#[derive(Debug)]
struct HostFile(u32);

impl ReadAt for HostFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // SAFETY: the host writes at most `len` bytes into the slice, and only during the call
        let count = unsafe { read(self.0, offset, buffer.as_mut_ptr(), buffer.len()) };
        usize::try_from(count).map_err(|_| io::ErrorKind::Other.into())
    }
}

/// The address of a new buffer of this length, which replaces the last one.
#[unsafe(no_mangle)]
extern "C" fn buffer(length: usize) -> *mut u8 {
    let mut module = module();
    module.buffer = vec![0; length];
    module.buffer.as_mut_ptr()
}

/// The address of the buffer.
#[unsafe(no_mangle)]
extern "C" fn address() -> *const u8 {
    module().buffer.as_ptr()
}

/// Makes a file in memory. The buffer contains its path, of length `path`, and its bytes.
#[unsafe(no_mangle)]
extern "C" fn insert(path: usize) -> bool {
    let Module { disk, buffer, .. } = &mut *module();
    let bytes = buffer.split_off(path.min(buffer.len()));
    std::str::from_utf8(buffer).is_ok_and(|path| disk.insert(path, bytes).is_ok())
}

/// Makes a file that the host reads by position. The buffer contains its path.
#[unsafe(no_mangle)]
extern "C" fn insert_at(file: u32, size: u64) -> bool {
    let Module { disk, buffer, .. } = &mut *module();
    std::str::from_utf8(buffer).is_ok_and(|path| disk.insert_at(path, HostFile(file), size).is_ok())
}

/// Mounts the base directory in the first line of the buffer, with the engine and games in the second. On failure writes a message into the
/// buffer and returns its length, otherwise 0.
#[unsafe(no_mangle)]
extern "C" fn mount() -> usize {
    let Module { disk, buffer, mounted } = &mut *module();
    let query = String::from_utf8_lossy(buffer).into_owned();
    let (base, case) = query.split_once('\n').unwrap_or_default();
    let result = crate::mount(Arc::clone(disk), base, case);
    buffer.clear();
    match result {
        Ok(quake) => *mounted = Some(quake),
        Err(message) => *buffer = message.into_bytes(),
    }
    buffer.len()
}

/// Writes the answers into the buffer and returns their length.
#[unsafe(no_mangle)]
extern "C" fn answers() -> usize {
    let Module { buffer, mounted, .. } = &mut *module();
    *buffer = mounted.as_ref().map(crate::answers).unwrap_or_default().into_bytes();
    buffer.len()
}

/// Reads the file with the name in the buffer into the buffer. Returns its length, or -1 if it is missing.
#[unsafe(no_mangle)]
extern "C" fn read_file() -> isize {
    let Module { buffer, mounted, .. } = &mut *module();
    let bytes = mounted.as_ref().and_then(|quake| quake.read(&*buffer).ok());
    let Some(bytes) = bytes else { return -1 };
    *buffer = bytes.to_vec();
    buffer.len().try_into().unwrap_or(-1)
}
