//! Advice about the errors and findings of pak-format. It is pak-format's advice, except that a reader in a shell gets
//! options and commands.

use std::io;

use pak_format::{ErrorKind, FindingKind, Layout};

use crate::error::{HELD, is_held};
use crate::sentences::{Help, Shell};

pub(crate) const DAMAGED_ENTRY: &str =
    "the entry is damaged: get the archive again; the other entries can be read";

impl Help for pak_format::Error {
    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        if is_held(self) {
            return Some(HELD.to_owned());
        }
        Some(of_error(self.kind(), shell).to_owned())
    }
}

/// What to do about a PACK archive that cannot be read, written or changed.
pub(crate) fn of_error(kind: &ErrorKind, shell: Option<&dyn Shell>) -> &'static str {
    let in_shell = match kind {
        ErrorKind::WrongMagic { found, .. } if Layout::with_magic(*found).next().is_some() => {
            "leave out --layout, or name the layout with this magic"
        }
        ErrorKind::WrongMagic { found, .. } | ErrorKind::UnknownMagic { found }
            if found.starts_with(b"PK") =>
        {
            "this is a ZIP: `quakefs pak convert` with its path and new.pak makes a PACK archive of it"
        }
        ErrorKind::AmbiguousLayout { .. } => "name the layout with --layout: quake or daikatana",
        ErrorKind::Io { kind: io::ErrorKind::AlreadyExists, .. } => "replace it with --overwrite",
        _ => kind.help(),
    };
    if shell.is_some() { in_shell } else { kind.help() }
}

/// What to do about a finding of one archive.
pub(crate) fn of_finding(kind: &FindingKind, shell: Option<&dyn Shell>) -> &'static str {
    match kind {
        FindingKind::NotDecoded { .. } if shell.is_some() => "allow more with --max-output",
        _ => kind.help(),
    }
}
