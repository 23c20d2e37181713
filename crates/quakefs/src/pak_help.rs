//! Advice about the errors and findings of pak-format. It is pak-format's advice, except that a reader in a
//! shell gets options and commands.

use std::io;

use pak_format::{ErrorKind as PakError, Layout};

use crate::sentences::{Help, Shell};

pub(crate) const DAMAGED_ENTRY: &str =
    "the entry is damaged: download the archive again; the other entries can be read";

impl Help for pak_format::Error {
    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        if is_held(self) {
            return Some(HELD.to_owned());
        }
        Some(of_error(self.kind(), shell).to_owned())
    }
}

pub(crate) const HELD: &str = "another program, such as the game, has the file open: close it, and try again";

/// Whether Windows refuses because another program has the file open, has locked a part of it, or has mapped
/// it.
pub(crate) fn is_held(error: &(dyn std::error::Error + 'static)) -> bool {
    const SHARING_VIOLATION: i32 = 32;
    const LOCK_VIOLATION: i32 = 33;
    const USER_MAPPED_FILE: i32 = 1224;
    let mut causes = std::iter::successors(Some(error), |cause| cause.source());
    let code = causes.find_map(|cause| cause.downcast_ref::<io::Error>()?.raw_os_error());
    cfg!(windows) && matches!(code, Some(SHARING_VIOLATION | LOCK_VIOLATION | USER_MAPPED_FILE))
}

/// What to do about a PACK archive that cannot be read, written or changed.
pub(crate) fn of_error(kind: &PakError, shell: Option<&dyn Shell>) -> &'static str {
    let in_shell = match kind {
        PakError::WrongMagic { found, .. } if Layout::with_magic(*found).next().is_some() => {
            "leave out --layout, or name the layout with this magic"
        }
        PakError::WrongMagic { found, .. } | PakError::UnknownMagic { found } if found.starts_with(b"PK") => {
            "this is a ZIP: `quakefs pak convert` with its path and `-o new.pak` makes a PACK archive of it"
        }
        PakError::AmbiguousLayout { .. } => "name the layout with --layout: quake or daikatana",
        PakError::Io { kind: io::ErrorKind::AlreadyExists, .. } => "replace it with --overwrite",
        _ => kind.help(),
    };
    if shell.is_some() { in_shell } else { kind.help() }
}
