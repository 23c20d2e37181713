//! PhysicsFS, which has one set of mounted archives per process.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

#[link(name = "physfs")]
unsafe extern "C" {
    fn PHYSFS_init(program: *const c_char) -> c_int;
    fn PHYSFS_mount(path: *const c_char, at: *const c_char, append: c_int) -> c_int;
    fn PHYSFS_unmount(path: *const c_char) -> c_int;
    fn PHYSFS_exists(name: *const c_char) -> c_int;
    fn PHYSFS_openRead(name: *const c_char) -> *mut c_void;
    fn PHYSFS_fileLength(file: *mut c_void) -> i64;
    fn PHYSFS_readBytes(file: *mut c_void, bytes: *mut c_void, length: u64) -> i64;
    fn PHYSFS_close(file: *mut c_void) -> c_int;
    fn PHYSFS_enumerateFiles(folder: *const c_char) -> *mut *mut c_char;
    fn PHYSFS_isDirectory(name: *const c_char) -> c_int;
    fn PHYSFS_freeList(list: *mut c_void);
}

/// Archives and folders, mounted until the value is dropped.
pub struct Mounted(Vec<CString>);

/// Mounts paths, the highest last.
pub fn mount(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Mounted {
    static INIT: std::sync::Once = std::sync::Once::new();
    // SAFETY: called once, with a string that ends in NUL.
    INIT.call_once(|| unsafe { assert!(PHYSFS_init(c"peers".as_ptr()) != 0) });
    let paths = paths.into_iter().map(|path| CString::new(path.as_ref().as_os_str().as_bytes()).unwrap());
    let paths: Vec<_> = paths.collect();
    for path in &paths {
        // SAFETY: the path ends in NUL, and the library copies it.
        assert!(unsafe { PHYSFS_mount(path.as_ptr(), std::ptr::null(), 0) } != 0);
    }
    Mounted(paths)
}

impl Drop for Mounted {
    fn drop(&mut self) {
        for path in &self.0 {
            // SAFETY: the path ends in NUL.
            unsafe { PHYSFS_unmount(path.as_ptr()) };
        }
    }
}

impl Mounted {
    pub fn exists(&self, name: &CStr) -> bool {
        // SAFETY: the name ends in NUL.
        unsafe { PHYSFS_exists(name.as_ptr()) != 0 }
    }

    pub fn read(&self, name: &CStr) -> Vec<u8> {
        // SAFETY: the name ends in NUL, the file is open, and the vector has room for as many bytes as are
        // read.
        unsafe {
            let file = PHYSFS_openRead(name.as_ptr());
            assert!(!file.is_null());
            let length = PHYSFS_fileLength(file);
            let mut bytes = vec![0; length as usize];
            assert_eq!(PHYSFS_readBytes(file, bytes.as_mut_ptr().cast(), length as u64), length);
            PHYSFS_close(file);
            bytes
        }
    }

    /// The number of files below a folder.
    pub fn count(&self, folder: &CStr) -> usize {
        let mut files = 0;
        // SAFETY: the folder ends in NUL, and so does each name of the list, which ends in a null pointer.
        unsafe {
            let list = PHYSFS_enumerateFiles(folder.as_ptr());
            let mut at = list;
            while !(*at).is_null() {
                let path = [folder.to_bytes(), CStr::from_ptr(*at).to_bytes()].join(&b'/');
                let path = CString::new(path).unwrap();
                let is_folder = PHYSFS_isDirectory(path.as_ptr()) != 0;
                files += if is_folder { self.count(&path) } else { 1 };
                at = at.add(1);
            }
            PHYSFS_freeList(list.cast());
        }
        files
    }
}
