//! The file that is written before it is moved to its place.

use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

const PREFIX: &str = ".quakefs-";
const SUFFIX: &str = ".tmp";

/// Makes a file in a folder, with the mode that a new file has. It is gone when this is, unless it is moved.
pub(crate) fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut options = tempfile::Builder::new();
    options.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    let readable = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    options.permissions(readable);
    // the whole error names the temporary file, which nobody knows
    options.tempfile_in(folder).map_err(|error| error.kind().into())
}

/// Whether a file is one that a killed command left behind.
pub(crate) fn is_temporary(file_name: &str) -> bool {
    file_name.starts_with(PREFIX) && file_name.ends_with(SUFFIX)
}
