//! What to do about an error, chosen from its kind. The error says itself what is wrong.

use std::error::Error as _;
use std::io;

use crate::error::ZipFault;
use crate::{Error, ErrorKind};
use pak_format::Layout;
#[cfg(all(unix, feature = "fs"))]
use rustix::io::Errno;

use super::{Reader, Said, Say, mount, with_causes};

impl Say for Error {
    /// The sentence is the error's own, with its place and its causes.
    fn say_to(&self, reader: Reader<'_>) -> Said {
        let help = match self.kind() {
            ErrorKind::NoGameDirectory { because: Some(wrong), .. } => Some(mount::help(wrong, reader)),
            _ => of_error(self, reader).map(str::to_owned),
        };
        Said::with_help(with_causes(self), help)
    }
}

impl Say for pak_format::Error {
    fn say_to(&self, reader: Reader<'_>) -> Said {
        Said::new(with_causes(self), of_pak_error(self.kind(), reader))
    }
}

/// What to do if the system refuses to write a file.
#[must_use]
pub fn of_system_error(kind: io::ErrorKind, reader: Reader<'_>) -> &'static str {
    of_pak_error(&pak_format::ErrorKind::Io { doing: "", kind }, reader)
}

/// How to ask for a file.
pub(super) const fn request() -> &'static str {
    "ask for a relative name with / between its parts, such as maps/start.bsp"
}

pub(super) const DAMAGED_ENTRY: &str =
    "the entry is damaged: get the archive again; the other entries can be read";

const LOOK_AT_PATH: &str = "check the path";

pub(super) const LOOK_AT_DISK: &str = "check the disk and the path";

pub(super) const PERMISSIONS: &str = "check its permissions";

/// What to do about an error of a mount, a lookup or a read, if anything is known.
pub(super) fn of_error(error: &Error, reader: Reader<'_>) -> Option<&'static str> {
    Some(match error.kind() {
        ErrorKind::NoBaseDirectory => "name the folder that holds the game directories, not one of them",
        ErrorKind::EmptyPath => "name a folder: for the base directory, the one that holds the game directories",
        ErrorKind::BaseIsFile => reader.either(
            "name the folder that holds the game directories by --basedir; an archive goes on top of them by --mount",
            "name the folder that holds the game directories; an archive goes on top of them",
        ),
        ErrorKind::NoGameDirectory { .. } => reader.either(
            "name the folder that holds the game directories by --basedir, or an archive by --mount",
            "name the folder that holds the game directories",
        ),
        ErrorKind::BadGame { .. } => "give the folder's name alone, such as mymod",
        ErrorKind::NothingToMount => reader.either(
            "name a base directory by --basedir, or an archive by --mount",
            "name a base directory or an archive",
        ),
        ErrorKind::PathNotUtf8 => "rename the file or the folder",
        ErrorKind::Request { .. } => request(),
        ErrorKind::NotWritable { .. } => "write to a plain relative name, such as saves/a.sav",
        ErrorKind::Pak(kind) => of_pak_error(kind, reader),
        ErrorKind::Zip(fault) => of_zip_fault(fault),
        ErrorKind::Wad(_) => "the file is probably a cut-off download: get it again",
        ErrorKind::TooMuch(_) => "extract less by a pattern",
        ErrorKind::Pattern { .. } => "write [*] for a star, and close every [ and {",
        ErrorKind::Io { kind, .. } => return of_refusal(error, *kind),
        _ => return None,
    })
}

/// What to do where the system refuses to open or to read a file.
fn of_refusal(error: &Error, kind: io::ErrorKind) -> Option<&'static str> {
    let mut causes = std::iter::successors(error.source(), |cause| (*cause).source());
    let code = causes.find_map(|cause| cause.downcast_ref::<io::Error>()?.raw_os_error());
    match (kind, code) {
        (io::ErrorKind::NotFound, _) => Some(LOOK_AT_PATH),
        (io::ErrorKind::PermissionDenied, _) => Some(PERMISSIONS),
        #[cfg(all(unix, feature = "fs"))]
        (_, Some(code)) if is_one_of(code, [Errno::MFILE, Errno::NFILE]) => Some(TOO_MANY_OPEN),
        #[cfg(all(unix, feature = "fs"))]
        (_, Some(code)) if is_one_of(code, [Errno::IO]) => {
            Some("the disk cannot read it: look at the disk, and for another copy of the file")
        }
        _ => None,
    }
}

#[cfg(all(unix, feature = "fs"))]
fn is_one_of<const N: usize>(code: i32, errors: [Errno; N]) -> bool {
    errors.into_iter().any(|error| error.raw_os_error() == code)
}

#[cfg(all(unix, feature = "fs"))]
const TOO_MANY_OPEN: &str = "close other programs, or raise the limit on open files: `ulimit -n 4096`";

/// What to do about a PACK archive that cannot be read, written or changed.
fn of_pak_error(kind: &pak_format::ErrorKind, reader: Reader<'_>) -> &'static str {
    use pak_format::ErrorKind;

    let in_shell = match kind {
        ErrorKind::WrongMagic { found, .. } if Layout::with_magic(*found).next().is_some() => {
            "leave --layout out, or name the layout that has this magic"
        }
        ErrorKind::WrongMagic { found, .. } | ErrorKind::UnknownMagic { found }
            if found.starts_with(b"PK") =>
        {
            "it is a ZIP: `quakefs pak convert` with its path and new.pak makes a PACK archive of it"
        }
        ErrorKind::AmbiguousLayout { .. } => "name the layout by --layout: quake or daikatana",
        ErrorKind::Io { kind: io::ErrorKind::AlreadyExists, .. } => "replace it with --overwrite",
        _ => kind.help(),
    };
    reader.either(in_shell, kind.help())
}

fn of_zip_fault(fault: &ZipFault) -> &'static str {
    match fault {
        ZipFault::NoDirectory(_) | ZipFault::Directory { .. } => {
            "the file is probably a cut-off download, or not a ZIP archive: get it again"
        }
        ZipFault::Refused(_) => "repack it as a plain ZIP",
        ZipFault::Pack => "rename it to .pak",
        ZipFault::Memory { .. } => "unpack the archive with another program",
        ZipFault::Encrypted => "no engine reads it: repack it without a password",
        ZipFault::OtherDisk => "join the disks into one archive",
        ZipFault::Method(_) => "repack it with deflate",
        _ => DAMAGED_ENTRY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(unix, feature = "fs"))]
    #[test]
    fn what_the_system_says_decides_the_advice() {
        let advice = |code: Errno| of_error(&Error::from(io::Error::from(code)), Reader::Window);
        assert_eq!(advice(Errno::ACCESS), Some(PERMISSIONS));
        assert_eq!(advice(Errno::NOENT), Some(LOOK_AT_PATH));
        assert_eq!(advice(Errno::MFILE), Some(TOO_MANY_OPEN));
        assert!(advice(Errno::IO).is_some_and(|advice| advice.starts_with("the disk cannot read it")));
        assert_eq!(advice(Errno::BUSY), None);
    }
}
