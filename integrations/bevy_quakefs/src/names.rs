//! Converts names of files to paths of Bevy, and back.

use std::path::Path;

/// The name for a path of Bevy; `None` if it is not UTF-8.
pub(crate) fn name_of(path: &Path) -> Option<String> {
    let name = path.to_str()?;
    Some(if cfg!(windows) { name.replace('\\', "/") } else { name.to_owned() })
}

/// The path of Bevy for a name; `None` if Bevy would read it as something else.
pub(crate) fn asset_path(name: &[u8]) -> Option<&str> {
    // `#` begins a label, and `://` ends a source
    std::str::from_utf8(name).ok().filter(|name| !name.contains('#') && !name.contains("://"))
}
