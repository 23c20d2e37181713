//! What to do about archives that are damaged or odd.

use pak_format::{ErrorKind as PakError, FindingKind, Layout};

use crate::advice::{Advice, MORE, own_name};
use crate::error::{Error, ErrorKind, ZipFault};
use crate::location::Location;

/// What to do about an archive, an entry or a file that cannot be read.
pub(crate) fn advice_of_error(error: &Error, at: &Location) -> Advice {
    match error.kind() {
        ErrorKind::Pak(PakError::WrongMagic { layout, found })
            if Layout::with_magic(*found).next().is_some() =>
        {
            Advice::in_layout(at, layout)
        }
        ErrorKind::Pak(PakError::UnknownMagic { found } | PakError::WrongMagic { found, .. })
            if found.starts_with(b"PK") =>
        {
            Advice::unpack(at)
        }
        ErrorKind::Pak(kind) if kind.is_foreign() => told(error),
        ErrorKind::Zip(ZipFault::Pack) => with_extension(at, "pak"),
        // a text that has the name of an archive
        ErrorKind::Pak(PakError::UnknownMagic { found } | PakError::WrongMagic { found, .. })
            if found.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r')) && found[0] != b'<' =>
        {
            with_extension(at, "txt")
        }
        ErrorKind::Zip(ZipFault::Refused(_) | ZipFault::NotCountedBack) => Advice::pack(at, ""),
        ErrorKind::Pak(PakError::Io { .. })
        | ErrorKind::Io { .. }
        | ErrorKind::Zip(ZipFault::Method(_) | ZipFault::Encrypted | ZipFault::Memory { .. }) => told(error),
        _ => Advice::get_archive(at),
    }
}

/// What to do about a finding of one archive.
pub(crate) fn advice_of_finding(kind: &FindingKind, at: &Location) -> Advice {
    match kind {
        FindingKind::Unreadable(_)
        | FindingKind::InHeader
        | FindingKind::InDirectory
        | FindingKind::Overlap { .. } => Advice::get_archive(at),
        FindingKind::Duplicate { .. } => Advice::Remove(vec![at.clone()]),
        FindingKind::SameWithoutCase { .. }
        | FindingKind::SameOnWindows { .. }
        | FindingKind::FileAndFolder { .. } => Advice::distinct(at),
        FindingKind::NoNul { length } => Advice::clean(at, length.saturating_sub(1)),
        FindingKind::UnsafeName(_) | FindingKind::DottedName | FindingKind::NotAscii => {
            Advice::clean(at, usize::MAX)
        }
        FindingKind::LocalHeader { .. }
        | FindingKind::TwoDirectories { .. }
        | FindingKind::Holes { .. }
        | FindingKind::Tail { .. } => Advice::pack(at, ""),
        FindingKind::NotDecoded { .. } => Advice::Choose { option: MORE.into(), value: None },
        _ => Advice::Tell(kind.help().into()),
    }
}

fn told(error: &Error) -> Advice {
    Advice::Tell(error.help(None).unwrap_or_else(|| "check the disk and the path".to_owned()).into())
}

fn with_extension(at: &Location, extension: &str) -> Advice {
    let own = own_name(at);
    Advice::rename(at, format!("{}.{extension}", own.rsplit_once('.').map_or(&*own, |(stem, _)| stem)))
}
