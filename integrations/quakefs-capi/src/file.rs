//! Finding files, loading them into the caller's memory, and reading them as streams.

use std::ffi::{c_char, c_int, c_void};
use std::io::{Seek as _, SeekFrom};
use std::ops::Range;
#[cfg(unix)]
use std::{
    ffi::OsStr,
    fs::File,
    os::{fd::IntoRawFd as _, unix::ffi::OsStrExt, unix::fs::OpenOptionsExt as _},
    path::Path,
};

#[cfg(unix)]
use libc::FILE;

use quakefs::{Archive, Error, FileReader, SearchPath};

use crate::border::{Failure, give, guard, guard_free, quakefs_status, reference};
use crate::search_path::{entry_of, layer_of, quakefs_search_path, question};

/// The location of a file. The struct has the same fields in all versions.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct quakefs_found {
    /// Length of the content.
    pub size: u64,
    /// The offset of the content in the file at the path; 0 unless `plain`.
    pub offset: u64,
    /// The number of the entry in its archive; -1 for a loose file.
    pub entry: i64,
    /// The number of the layer, 0 for the highest.
    pub layer: u32,
    /// The rank of the game directory, or 0. QuakeSpasm ignores a .lit file if its path_id is lower than the
    /// .bsp file's.
    pub path_id: u32,
    /// Length of the path, with its NUL.
    pub path_size: usize,
    /// Whether the content is `size` plain bytes from `offset` of the file at the path, for fopen and fseek.
    /// If not, it is compressed or damaged: use quakefs_load or quakefs_open.
    pub plain: bool,
}

const NOTHING: quakefs_found =
    quakefs_found { size: 0, offset: 0, entry: -1, layer: 0, path_id: 0, path_size: 0, plain: false };

/// Finds the file that the engine would load.
///
/// `plain`, the offset and the size of an entry were read at the mount. They are wrong if another program has
/// since replaced or changed the archive; quakefs_descriptor and quakefs_fopen check that.
///
/// `found` may be NULL. `path` receives the path of the loose file or the archive, in bytes of the system,
/// and a NUL. It has room for `path_size` bytes, and may be NULL. If the path does not fit, the call fills
/// `found` and returns QUAKEFS_STATUS_TOO_SMALL. A miss returns QUAKEFS_STATUS_NOT_FOUND and changes neither.
///
/// # Safety
/// `search_path` was mounted and not freed; `name` ends with NUL; the others are NULL or point to memory for
/// them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_find(
    search_path: *const quakefs_search_path,
    name: *const c_char,
    found: *mut quakefs_found,
    path: *mut c_char,
    path_size: usize,
) -> quakefs_status {
    // SAFETY: C passes the arguments of a search
    unsafe { find(search_path, name, found, path, path_size, |search_path, name| search_path.find(name)) }
}

/// Finds the copy in one layer by its number, 0 for the highest, even if a higher layer overrides it.
/// Otherwise like quakefs_find.
///
/// # Safety
/// As quakefs_find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_find_layer(
    search_path: *const quakefs_search_path,
    number: u32,
    name: *const c_char,
    found: *mut quakefs_found,
    path: *mut c_char,
    path_size: usize,
) -> quakefs_status {
    // SAFETY: C passes the arguments of a search
    unsafe {
        find(search_path, name, found, path, path_size, |search_path, name| {
            of_layer(search_path, number, name)
        })
    }
}

/// The copy of a name in one layer.
fn of_layer<'s>(search_path: &'s SearchPath, number: u32, name: &[u8]) -> Option<quakefs::File<'s>> {
    search_path.copies(name).into_iter().find(|copy| layer_of(copy).0 == number)
}

/// Finds the chosen copy of a name.
///
/// # Safety
/// As quakefs_find.
#[inline]
unsafe fn find(
    search_path: *const quakefs_search_path,
    name: *const c_char,
    found: *mut quakefs_found,
    path: *mut c_char,
    path_size: usize,
    choose: impl for<'s> FnOnce(&'s SearchPath, &[u8]) -> Option<quakefs::File<'s>>,
) -> quakefs_status {
    guard(|| {
        // SAFETY: C passes a live search path and a name
        let (search_path, name) = unsafe { question(search_path, name) }?;
        let file = choose(search_path.mounted(), name).ok_or_else(Failure::miss)?;
        let value = found_of(search_path, &file);
        // SAFETY: C passes memory for it, or NULL
        unsafe { give(found, value) };
        if path.is_null() {
            return Ok(());
        }
        if value.path_size > path_size {
            let text = format!("the path takes {} bytes: there is room for {path_size}", value.path_size);
            return Err(Failure::new(quakefs_status::TooSmall, text));
        }
        let mut at = path.cast::<u8>();
        let parts = path_of(search_path, &file);
        for part in parts.iter().chain([&&b"\0"[..]]) {
            // SAFETY: there is room for the path and its NUL
            unsafe {
                at.copy_from_nonoverlapping(part.as_ptr(), part.len());
                at = at.add(part.len());
            }
        }
        Ok(())
    })
}

/// The location of a file.
fn found_of(search_path: &quakefs_search_path, file: &quakefs::File<'_>) -> quakefs_found {
    let (layer, path_id) = layer_of(file);
    let path = path_of(search_path, file);
    let offset = plain_offset(file).filter(|_| path.iter().any(|part| !part.is_empty()));
    quakefs_found {
        size: file.size(),
        offset: offset.unwrap_or(0),
        entry: entry_of(file),
        layer,
        path_id,
        path_size: path.iter().map(|part| part.len()).sum::<usize>() + 1,
        plain: offset.is_some(),
    }
}

/// The path of a loose file or of the archive on this computer, in parts; empty if other programs cannot open
/// it.
fn path_of<'h>(search_path: &'h quakefs_search_path, file: &'h quakefs::File<'_>) -> [&'h [u8]; 3] {
    let layer = search_path.path_of(layer_of(file).0);
    match file.entry() {
        None if !layer.is_empty() => [layer, b"/", file.name().as_bytes()],
        _ => [layer, b"", b""],
    }
}

/// The offset of the content in its file, if it is plain bytes.
fn plain_offset(file: &quakefs::File<'_>) -> Option<u64> {
    let Some(entry) = file.entry() else { return Some(0) };
    Some(file.layer().archive()?.entry(entry)?.range()?.start)
}

/// The range of an entry that its PACK stores uncompressed, and so without a checksum.
fn stored_in_pack<'a>(file: &'a quakefs::File<'_>) -> Result<Option<(&'a Archive, Range<u64>)>, Error> {
    let archive = file.layer().archive().filter(|archive| archive.layout().is_some());
    let (Some(archive), Some(entry)) = (archive, file.entry()) else { return Ok(None) };
    file.check()?;
    Ok(archive.entry(entry).and_then(|entry| entry.range()).map(|range| (archive, range)))
}

/// Returns memory for `size` bytes, aligned as the caller likes, or NULL. It may end the program, as
/// allocators of engines do when memory runs out. Otherwise it must return: neither longjmp nor an exception
/// may leave it.
pub type quakefs_alloc = Option<unsafe extern "C" fn(context: *mut c_void, size: usize) -> *mut c_void>;

/// Loads a file into memory of the caller's allocator. The call allocates once, for the content and a NUL
/// after it. The memory belongs to the caller from then on, even if reading into it fails. `found` may be
/// NULL; it receives the location as in quakefs_find, with the number of bytes read as the size, without the
/// NUL. On failure, `*bytes` is NULL unless memory was allocated, and the size is 0.
///
/// # Safety
/// `search_path` was mounted and not freed; `name` ends with NUL; `bytes` points to memory for the pointer,
/// and `found` to memory for the location or is NULL; `alloc` returns memory of the requested size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_load(
    search_path: *const quakefs_search_path,
    name: *const c_char,
    alloc: quakefs_alloc,
    context: *mut c_void,
    bytes: *mut *mut c_void,
    found: *mut quakefs_found,
) -> quakefs_status {
    // SAFETY: C passes the arguments of a load
    unsafe {
        load(search_path, name, alloc, context, bytes, found, |search_path, name| search_path.find_open(name))
    }
}

/// Loads the copy in one layer by its number, 0 for the highest, even if a higher layer overrides it: for
/// example each autoexec.cfg. Otherwise like quakefs_load.
///
/// # Safety
/// As quakefs_load.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_load_layer(
    search_path: *const quakefs_search_path,
    number: u32,
    name: *const c_char,
    alloc: quakefs_alloc,
    context: *mut c_void,
    bytes: *mut *mut c_void,
    found: *mut quakefs_found,
) -> quakefs_status {
    // SAFETY: C passes the arguments of a load
    unsafe {
        load(search_path, name, alloc, context, bytes, found, |search_path, name| {
            of_layer(search_path, number, name)
        })
    }
}

/// Loads the chosen copy of a name.
///
/// # Safety
/// As quakefs_load.
unsafe fn load(
    search_path: *const quakefs_search_path,
    name: *const c_char,
    alloc: quakefs_alloc,
    context: *mut c_void,
    bytes: *mut *mut c_void,
    found: *mut quakefs_found,
    choose: impl for<'s> FnOnce(&'s SearchPath, &[u8]) -> Option<quakefs::File<'s>>,
) -> quakefs_status {
    guard(|| {
        if bytes.is_null() {
            return Err(Failure::argument("bytes is NULL"));
        }
        // SAFETY: C gives places for both
        unsafe {
            give(bytes, std::ptr::null_mut());
            give(found, NOTHING);
        }
        // SAFETY: C passes a live search path and a name
        let (search_path, name) = unsafe { question(search_path, name) }?;
        let alloc = alloc.ok_or_else(|| Failure::argument("alloc is NULL"))?;
        let file = choose(search_path.mounted(), name).ok_or_else(Failure::miss)?;
        let memory = |length: usize| {
            let room = length.checked_add(1).ok_or_else(|| no_memory(length))?;
            // SAFETY: C passes a function of this type, and its context
            let memory = unsafe { alloc(context, room) }.cast::<u8>();
            if memory.is_null() {
                return Err(no_memory(length));
            }
            // SAFETY: the allocator returned that many bytes, which nobody else uses and which hold some
            // value for Rust because they come from outside of it
            let slice = unsafe {
                memory.add(length).write(0);
                std::slice::from_raw_parts_mut(memory, room)
            };
            // SAFETY: C gives a place for it
            unsafe { give(bytes, memory.cast()) };
            Ok(slice)
        };
        let length = if let Some((archive, range)) = stored_in_pack(&file)? {
            // straight into the caller's memory
            let length = usize::try_from(range.end - range.start).map_err(|_| no_memory(usize::MAX))?;
            let (room, _) = memory(length)?.split_at_mut(length);
            if archive.read_at(range.start, room)? < length {
                let text = format!("{}: the archive was cut short", file.location());
                return Err(Failure::new(quakefs_status::Io, text));
            }
            length
        } else if file.entry().is_some() {
            // decoded, or checked against its checksum
            let data = file.read()?;
            memory(data.len())?.split_at_mut(data.len()).0.copy_from_slice(&data);
            data.len()
        } else {
            // straight into the caller's memory; the size may have changed since the listing
            let mut reader = file.open()?;
            let length = usize::try_from(reader.len()).map_err(|_| no_memory(usize::MAX))?;
            let room = memory(length)?;
            // a file that grew overwrites the NUL
            let read = reader.fill(room).map_err(Error::from)?;
            if read > length {
                let text = format!("{}: the file grew while it was read", file.location());
                return Err(Failure::new(quakefs_status::Io, text));
            }
            // the file may be shorter than when it was opened
            room.iter_mut().skip(read).for_each(|byte| *byte = 0);
            read
        };
        let value = quakefs_found { size: length as u64, ..found_of(search_path, &file) };
        // SAFETY: C passes a place for it, or NULL
        unsafe { give(found, value) };
        Ok(())
    })
}

/// Opens the file on disk that contains a file, positioned at its first byte, for code that reads and streams
/// by descriptor. The caller closes the descriptor. The content is the next `found->size` bytes; later bytes
/// of an archive belong to other files. Returns -1 for a compressed file (use quakefs_open), and for an
/// archive that was replaced or changed since the mount. quakefs_last_error tells which. A miss returns -1
/// too, without a message. Not on Windows.
///
/// # Safety
/// `search_path` was mounted and not freed; `name` ends with NUL; `found` points to memory for it or is NULL.
#[cfg(unix)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_descriptor(
    search_path: *const quakefs_search_path,
    name: *const c_char,
    found: *mut quakefs_found,
) -> c_int {
    let mut descriptor = -1;
    guard(|| {
        // SAFETY: C passes a live search path and a name
        let (search_path, name) = unsafe { question(search_path, name) }?;
        if let Some((file, value)) = on_disk(search_path, name)? {
            // SAFETY: C passes a place for it, or NULL
            unsafe { give(found, value) };
            descriptor = file.into_raw_fd();
        }
        Ok(())
    });
    descriptor
}

/// Like quakefs_descriptor, but returns a FILE, to close with fclose, or NULL. docs/porting.md has a version
/// for Windows.
///
/// # Safety
/// As quakefs_descriptor.
#[cfg(unix)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_fopen(
    search_path: *const quakefs_search_path,
    name: *const c_char,
    found: *mut quakefs_found,
) -> *mut FILE {
    // SAFETY: C passes the arguments of a descriptor
    let descriptor = unsafe { quakefs_descriptor(search_path, name, found) };
    if descriptor < 0 {
        return std::ptr::null_mut();
    }
    let mut stream = std::ptr::null_mut();
    guard(|| {
        // SAFETY: the descriptor is open, and ours
        stream = unsafe { libc::fdopen(descriptor, c"rb".as_ptr()) };
        if stream.is_null() {
            // SAFETY: as above
            unsafe { libc::close(descriptor) };
            return Err(Failure::new(quakefs_status::NotOpened, std::io::Error::last_os_error().to_string()));
        }
        Ok(())
    });
    stream
}

/// The file on disk that contains a file, at its first byte; `None` for a miss.
#[cfg(unix)]
fn on_disk(search_path: &quakefs_search_path, name: &[u8]) -> Result<Option<(File, quakefs_found)>, Failure> {
    let Some(found) = search_path.mounted().find(name) else { return Ok(None) };
    let value = found_of(search_path, &found);
    let place = found.location();
    if !value.plain {
        let text = format!("{place}: the file is compressed, or not on disk: quakefs_open reads it");
        return Err(Failure::argument(text));
    }
    let path = path_of(search_path, &found).concat();
    let path = Path::new(<OsStr as OsStrExt>::from_bytes(&path));
    let not_opened = |error: std::io::Error| {
        Failure::new(quakefs_status::NotOpened, format!("{place}: cannot be opened: {error}"))
    };
    // a pipe may have replaced the file: do not wait for its writer
    let options = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path);
    let mut file = options.map_err(not_opened)?;
    let metadata = file.metadata().map_err(not_opened)?;
    let is_other = found.layer().archive().is_some_and(|archive| {
        metadata.len() != archive.size() || metadata.modified().ok() != archive.modified()
    });
    if is_other || !metadata.is_file() {
        let text = format!("{place}: the file on disk is another one than at the mount");
        return Err(Failure::new(quakefs_status::Io, text));
    }
    file.seek(SeekFrom::Start(value.offset)).map_err(not_opened)?;
    let size = if value.entry < 0 { metadata.len() } else { value.size };
    Ok(Some((file, quakefs_found { size, ..value })))
}

fn no_memory(length: usize) -> Failure {
    Failure::new(quakefs_status::NoMemory, format!("the caller's allocator has no memory for {length} bytes"))
}

/// A file that is open for reading. One thread at a time may use it. It stays open after its search path is
/// freed.
pub struct quakefs_file {
    reader: FileReader,
}

impl std::fmt::Debug for quakefs_file {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.reader.fmt(f)
    }
}

/// Opens a file of any layer for reading, compressed or not. A deflated entry is decoded as it is read;
/// seeking backwards starts again. On success, close `*file` with quakefs_close; on failure it is NULL.
/// `found` may be NULL; it receives the location as in quakefs_find, with the size of the open file.
///
/// # Safety
/// `search_path` was mounted and not freed; `name` ends with NUL; `file` points to memory for the pointer,
/// and `found` to memory for the location or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_open(
    search_path: *const quakefs_search_path,
    name: *const c_char,
    file: *mut *mut quakefs_file,
    found: *mut quakefs_found,
) -> quakefs_status {
    // SAFETY: C passes the arguments of an open
    unsafe { open(search_path, name, file, found, |search_path, name| search_path.find_open(name)) }
}

/// Opens the copy in one layer by its number, 0 for the highest, even if a higher layer overrides it.
/// Otherwise like quakefs_open.
///
/// # Safety
/// As quakefs_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_open_layer(
    search_path: *const quakefs_search_path,
    number: u32,
    name: *const c_char,
    file: *mut *mut quakefs_file,
    found: *mut quakefs_found,
) -> quakefs_status {
    // SAFETY: C passes the arguments of an open
    unsafe { open(search_path, name, file, found, |search_path, name| of_layer(search_path, number, name)) }
}

/// Opens the chosen copy of a name.
///
/// # Safety
/// As quakefs_open.
unsafe fn open(
    search_path: *const quakefs_search_path,
    name: *const c_char,
    file: *mut *mut quakefs_file,
    found: *mut quakefs_found,
    choose: impl for<'s> FnOnce(&'s SearchPath, &[u8]) -> Option<quakefs::File<'s>>,
) -> quakefs_status {
    guard(|| {
        if file.is_null() {
            return Err(Failure::argument("file is NULL"));
        }
        // SAFETY: C passes a place for the pointer
        unsafe { give(file, std::ptr::null_mut()) };
        // SAFETY: C passes a live search path and a name
        let (search_path, name) = unsafe { question(search_path, name) }?;
        let winner = choose(search_path.mounted(), name).ok_or_else(Failure::miss)?;
        let reader = winner.open()?;
        let value = quakefs_found { size: reader.len(), ..found_of(search_path, &winner) };
        // SAFETY: C passes a place for it, or NULL
        unsafe { give(found, value) };
        // SAFETY: not NULL
        unsafe { give(file, Box::into_raw(Box::new(quakefs_file { reader }))) };
        Ok(())
    })
}

/// Reads up to `size` bytes and returns their number, which is lower only at the end of the file. Returns -1
/// on failure, which quakefs_last_error explains. Some bytes may then be in the buffer.
///
/// # Safety
/// `file` was opened and not closed, and no other thread uses it; `buffer` has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_read(file: *mut quakefs_file, buffer: *mut c_void, size: usize) -> i64 {
    let mut filled = 0;
    let status = guard(|| {
        // SAFETY: C passes an open file, and no other thread uses it
        let file = unsafe { file.as_mut() }.ok_or_else(|| Failure::argument("file is NULL"))?;
        if size == 0 {
            return Ok(());
        }
        if buffer.is_null() || isize::try_from(size).is_err() {
            return Err(Failure::argument("buffer is NULL, or size is no size of a buffer"));
        }
        // SAFETY: C passes room for that many bytes, which hold some value for Rust because they come from
        // outside
        let buffer = unsafe { std::slice::from_raw_parts_mut(buffer.cast::<u8>(), size) };
        filled = file.reader.fill(buffer).map_err(Error::from)?;
        Ok(())
    });
    if status == quakefs_status::Ok { i64::try_from(filled).unwrap_or(i64::MAX) } else { -1 }
}

/// Moves to another position: `whence` is SEEK_SET (0), SEEK_CUR (1) or SEEK_END (2). Returns the new
/// position, or -1 on failure. As in engines, and unlike fseek, a position past the end becomes the end.
///
/// # Safety
/// `file` was opened and not closed, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_seek(file: *mut quakefs_file, offset: i64, whence: c_int) -> i64 {
    let mut place = 0;
    let status = guard(|| {
        // SAFETY: C passes an open file, and no other thread uses it
        let file = unsafe { file.as_mut() }.ok_or_else(|| Failure::argument("file is NULL"))?;
        let to = match whence {
            0 => {
                let start =
                    u64::try_from(offset).map_err(|_| Failure::argument("the place is before the start"))?;
                SeekFrom::Start(start)
            }
            1 => SeekFrom::Current(offset),
            2 => SeekFrom::End(offset),
            _ => return Err(Failure::argument("whence is not SEEK_SET, SEEK_CUR or SEEK_END")),
        };
        let failed = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::InvalidInput => Failure::argument("the place is before the start"),
            _ => Error::from(error).into(),
        };
        place = file.reader.seek(to).map_err(failed)?;
        // `FS_fseek` in QuakeSpasm's `common.c`
        if place > file.reader.len() {
            place = file.reader.seek(SeekFrom::End(0)).map_err(failed)?;
        }
        Ok(())
    });
    if status == quakefs_status::Ok { i64::try_from(place).unwrap_or(i64::MAX) } else { -1 }
}

/// The size of an open file; 0 for NULL.
///
/// # Safety
/// `file` is NULL, or was opened and not closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_size(file: *const quakefs_file) -> u64 {
    // SAFETY: C passes an open file
    unsafe { reference(file, "file") }.map_or(0, |file| file.reader.len())
}

/// Closes a file. Ignores NULL.
///
/// # Safety
/// `file` is NULL, or was opened and not closed, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quakefs_close(file: *mut quakefs_file) {
    guard_free(|| {
        if !file.is_null() {
            // SAFETY: the pointer came from `Box::into_raw`, and returns once
            drop(unsafe { Box::from_raw(file) });
        }
        Ok(())
    });
}
