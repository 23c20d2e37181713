//! What to do about an error or a finding, chosen from its kind.

use std::error::Error as _;
use std::io;

use pak_format::Layout;
use quakefs::rules::{NotLoaded, NotUsed, Stop};
use quakefs::{Error, ErrorKind, FindingKind, WrongBase, ZipFault};

use crate::text::command_line;

/// What to do about an error of a mount, a lookup or a read, if anything is known.
pub(crate) fn of_error(error: &Error) -> Option<&'static str> {
    Some(match error.kind() {
        ErrorKind::NoBaseDirectory => "name the folder that holds the game directories, not one of them",
        ErrorKind::NoGameDirectory { .. } => {
            "name the folder that holds the game directories by --basedir, or an archive by --mount"
        }
        ErrorKind::BadGame { .. } => "give the folder's name alone, such as mymod",
        ErrorKind::NothingToMount => "name a base directory by --basedir, or an archive by --mount",
        ErrorKind::PathNotUtf8 => "rename the file or the folder",
        ErrorKind::Request { .. } => REQUEST,
        ErrorKind::NotWritable { .. } => "write to a plain relative name, such as saves/a.sav",
        ErrorKind::Pak(kind) => of_pak_error(kind),
        ErrorKind::Zip(fault) => of_zip_fault(fault),
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
        #[cfg(unix)]
        (_, Some(libc::EMFILE | libc::ENFILE)) => Some(TOO_MANY_OPEN),
        #[cfg(unix)]
        (_, Some(libc::EIO)) => {
            Some("the disk cannot read it: look at the disk, and for another copy of the file")
        }
        _ => None,
    }
}

#[cfg(unix)]
const TOO_MANY_OPEN: &str = "close other programs, or raise the limit on open files: `ulimit -n 4096`";

/// What to do about a base directory without the engine's game directories.
pub(crate) fn of_wrong_base(wrong: &WrongBase) -> String {
    let option = |option, value: &str| command_line([option, value]);
    match wrong {
        WrongBase::Case { renames } => {
            let renames: Vec<_> = renames.iter().map(|(from, to)| format!("{from} to {to}")).collect();
            format!("rename {}", listed(&renames, "and"))
        }
        WrongBase::Above { base, game: None } => {
            format!("it is a game directory: name the folder above by {}", option("--basedir", base.as_str()))
        }
        WrongBase::Above { base, game: Some(game) } => {
            let (base, game) = (option("--basedir", base.as_str()), option("--game", game));
            format!("it is in the folder of a game: ask by {base} {game}")
        }
        WrongBase::Below { base } => {
            format!("the game directories are one folder deeper: {}", option("--basedir", base.as_str()))
        }
        WrongBase::OtherEngine { directory, engines } => {
            let engines: Vec<_> = engines.iter().map(ToString::to_string).collect();
            format!("this folder has {directory}: ask by --engine {}", one_of(&engines))
        }
        _ => "name the folder that holds the game directories by --basedir".to_owned(),
    }
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn one_of(items: &[String]) -> String {
    listed(items, "or")
}

fn listed(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// How to ask for a file.
pub(crate) const REQUEST: &str = "ask for a relative name with / between its parts, such as maps/start.bsp";

/// What to do about an archive of the PACK family that cannot be read, written or changed.
pub(crate) fn of_pak_error(kind: &pak_format::ErrorKind) -> &'static str {
    use pak_format::ErrorKind;

    match kind {
        ErrorKind::ShortHeader { .. } | ErrorKind::DirectoryOutside { .. } => {
            "the file is probably a cut-off download: get it again"
        }
        ErrorKind::WrongMagic { found, .. } if Layout::with_magic(*found).next().is_some() => {
            "leave --layout out, or name the layout that its magic stands for"
        }
        ErrorKind::WrongMagic { found, .. } | ErrorKind::UnknownMagic { found }
            if found.starts_with(b"PK") =>
        {
            "it is a ZIP, which quakefs reads and does not change: extract it, then use `quakefs pak create`"
        }
        ErrorKind::WrongMagic { .. } | ErrorKind::UnknownMagic { .. } => {
            "it is another kind of file, whatever its name says: look at it with `file`"
        }
        ErrorKind::DirectoryInHeader { .. } => "the header is damaged: get the archive again",
        ErrorKind::PartialRow { .. } => {
            "the header is damaged: get the archive again; if you named a layout, leave it out"
        }
        ErrorKind::AmbiguousLayout { .. } => "name the layout by --layout: quake or daikatana",
        ErrorKind::EntryOutside { .. } => {
            "the file is probably a cut-off download: get it again; the other entries can be read"
        }
        ErrorKind::Expansion { .. } | ErrorKind::Codec(_) => DAMAGED_ENTRY,
        ErrorKind::Name(_) | ErrorKind::Duplicate { .. } => "choose another name",
        ErrorKind::TooLarge { .. } => "split the files over several archives",
        ErrorKind::Several { .. } => "see each of them; nothing was written",
        ErrorKind::NoEntry { .. } | ErrorKind::NoSuchRow { .. } => {
            "names are compared byte for byte: look at the list of entries"
        }
        ErrorKind::ContentChanged { .. } => "try again when nothing else writes to it",
        ErrorKind::EntryInHeader { .. } => "remove the entry, or repack the archive first",
        ErrorKind::Locked => "try again when the other program is done",
        ErrorKind::ArchiveChanged => "look at the archive, then try again",
        ErrorKind::OtherArchive => "open the archive again",
        ErrorKind::Stopped => "start it again: nothing was changed",
        ErrorKind::NotDurable { .. } => "look at the disk: the new archive is in its place",
        ErrorKind::Io { kind, .. } => of_system_error(*kind),
        _ => "get the archive again",
    }
}

const DAMAGED_ENTRY: &str = "the entry is damaged: get the archive again; the other entries can be read";

const LOOK_AT_PATH: &str = "look at the path";

const LOOK_AT_DISK: &str = "look at the disk and at the path";

/// What to do about an error of the system where a file is written.
pub(crate) fn of_system_error(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::NotFound => LOOK_AT_PATH,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "look at who owns the file and its folder, and who may write to them"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "make room on the disk"
        }
        io::ErrorKind::AlreadyExists => "replace it with --overwrite",
        _ => LOOK_AT_DISK,
    }
}

fn of_zip_fault(fault: &ZipFault) -> &'static str {
    match fault {
        ZipFault::Unsupported => "use a quakefs that is built with the feature `zip`",
        ZipFault::NoDirectory(_) | ZipFault::Directory { .. } => {
            "the file is probably a cut-off download, or not a ZIP archive: get it again"
        }
        ZipFault::Pack => "rename it to .pak",
        ZipFault::Memory { .. } => "unpack the archive with another program",
        ZipFault::Encrypted => "no engine reads it: repack it without a password",
        ZipFault::OtherDisk => "join the disks into one archive",
        ZipFault::Method(_) => "repack it with deflate",
        _ => DAMAGED_ENTRY,
    }
}

/// What to do about a finding.
pub(crate) fn of_finding(kind: &FindingKind) -> String {
    let advice = match kind {
        FindingKind::MissingDirectory { of_game: true, nearest: Some(nearest), .. } => {
            return format!("did you mean --game {nearest}?");
        }
        FindingKind::MissingDirectory { directory, nearest: Some(nearest), .. } => {
            return format!("rename {nearest} to {directory}");
        }
        FindingKind::MissingDirectory { .. } => "look at its spelling and case",
        FindingKind::NotUsed(NotUsed::UnknownFlag | NotUsed::BaseGame | NotUsed::BaseDirectory) => {
            "leave it out, or name another engine"
        }
        FindingKind::NotUsed(_) => "name one game, or another engine",
        FindingKind::NotLoaded(why) => return of_not_loaded(why),
        FindingKind::StopsAt(stop) => of_stop(*stop),
        FindingKind::DiskOrder { .. } => "give them numbers, or leave one of them out",
        FindingKind::NotRegular => "replace it with an archive, or rename it",
        FindingKind::LinkLoop | FindingKind::ManyLinks => "remove the link",
        FindingKind::NotUtf8 | FindingKind::Unreachable(_) => "rename it",
        FindingKind::WrongArchive { error, .. } => return of_wrong_archive(error),
        FindingKind::TooManyEntries { .. } => "split it into two archives",
        FindingKind::OtherLayout { read_as, .. } => return format!("repack it in the {read_as} layout"),
        FindingKind::PartialRow { .. } => "the archive is damaged: get it again, or repack it",
        FindingKind::Entry(error)
        | FindingKind::Damaged(error)
        | FindingKind::NotAnArchive(error)
        | FindingKind::Unreadable(error) => of_error(error).unwrap_or(LOOK_AT_DISK),
        FindingKind::LongName { .. } => "give it a shorter name",
        FindingKind::UnlikelyName(_) => "name it in lower case, with / between the parts",
        FindingKind::CaseTwin { .. } => "give both one spelling, or two names",
        FindingKind::SameBytes { .. } => "leave one of them out",
        FindingKind::Hidden { .. } => "remove the one that is not meant, or change that one",
        FindingKind::Shareware { .. } => "add the archives of the registered version",
        FindingKind::WrongRegistered { .. } => "remove the file that stands in its place",
        FindingKind::Archive(kind) => of_archive_finding(kind),
        _ => "look at the file",
    };
    advice.to_owned()
}

/// What to do about something at which an engine stops.
fn of_stop(stop: Stop) -> &'static str {
    match stop {
        Stop::OddGame => "give the folder's name alone, such as mymod",
        Stop::MissingGame => "look at its spelling and case",
        Stop::UnreadableGame => PERMISSIONS,
        Stop::MissingFirstArchive => "add the archives of the game",
        Stop::NotAFile => "replace it with an archive, or rename it",
        Stop::WrongArchive | Stop::NegativeDirectory | Stop::CutDirectory | Stop::BytesInFront => {
            "the file is probably a cut-off download: get it again"
        }
        Stop::EmptyArchive => "put a file into it, or remove it and renumber",
        Stop::LongZipName => "give the file in it a shorter name",
        Stop::CutEntry | Stop::EntryOutside | Stop::BadZipEntry => DAMAGED_ENTRY,
        Stop::TooManyEntries => "split it into two archives",
        Stop::EmptyFile => "put something into it, or remove it",
        Stop::FolderAsFile => "rename the folder",
        Stop::Pipe => "remove the pipe",
        Stop::Unregistered => "add the archives of the registered version",
        Stop::WrongRegistered => "remove the file that stands in its place",
    }
}

const PERMISSIONS: &str = "look at its permissions";

fn of_not_loaded(why: &NotLoaded) -> String {
    match why {
        NotLoaded::AfterGap { missing, free } if missing == free => {
            format!("rename it to {free}, or add one of that name")
        }
        NotLoaded::AfterGap { missing, free } => format!("rename it to {free} when {missing} is there"),
        NotLoaded::AfterEmpty { empty } => format!("put a file into {empty}, or remove it and renumber"),
        NotLoaded::EmptyEndsRun => "remove it, or put a file into it".to_owned(),
        NotLoaded::BeyondLast { .. } => "give it a lower number".to_owned(),
        NotLoaded::WrongCase { expected } => format!("rename it to {expected}"),
        NotLoaded::AlikeLoaded { .. } => "give it a name of its own".to_owned(),
        NotLoaded::NotNumbered => "rename it to the next free pakN.pak".to_owned(),
        NotLoaded::AfterUnusable { unusable } => format!("mend {unusable} or remove it"),
        NotLoaded::NoneLoaded => "name it by --mount, as the tool's -path would".to_owned(),
        _ => "repack it, or use an engine that reads it".to_owned(),
    }
}

/// A player of a game names no layouts.
fn of_wrong_archive(error: &Error) -> String {
    match error.kind() {
        ErrorKind::Pak(pak_format::ErrorKind::WrongMagic { layout, found })
            if Layout::with_magic(*found).next().is_some() =>
        {
            format!("repack it in the {layout} layout")
        }
        ErrorKind::Pak(pak_format::ErrorKind::PartialRow { .. }) => {
            "the header is damaged: get the archive again".to_owned()
        }
        _ => of_error(error).unwrap_or(LOOK_AT_DISK).to_owned(),
    }
}

fn of_archive_finding(kind: &pak_format::FindingKind) -> &'static str {
    use pak_format::FindingKind;

    match kind {
        FindingKind::InHeader | FindingKind::InDirectory => {
            "the row is probably damaged: read the entry and see"
        }
        FindingKind::Overlap { .. } => "one of the rows is probably damaged: read both entries and see",
        FindingKind::Shared { .. } => "nothing: it saves room",
        FindingKind::Duplicate { .. } => "remove all but one",
        FindingKind::SameWithoutCase { .. } | FindingKind::SameOnWindows { .. } => {
            "rename one of them: extracted to such a disk, one replaces the other"
        }
        FindingKind::FileAndFolder { .. } => "rename it: a disk has no room for both",
        FindingKind::UnsafeName(_) | FindingKind::DottedName => "rename it",
        FindingKind::NoNul { .. } => "rename it to something shorter",
        FindingKind::NotAscii => "rename it if it is not found",
        FindingKind::GarbageAfterNul { .. } => "nothing: old packers leave it there",
        FindingKind::Holes { .. } | FindingKind::Tail { .. } => "repack the archive to drop them",
        FindingKind::Expansion { .. } => "see that the disk has room before extracting it",
        FindingKind::NotDecoded { .. } => "allow more by --max-output",
        _ => "get the archive again",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_the_system_says_decides_the_advice() {
        let advice = |code| of_error(&Error::from(io::Error::from_raw_os_error(code)));
        assert_eq!(advice(libc::EACCES), Some(PERMISSIONS));
        assert_eq!(advice(libc::ENOENT), Some(LOOK_AT_PATH));
        assert_eq!(advice(libc::EMFILE), Some(TOO_MANY_OPEN));
        assert!(advice(libc::EIO).is_some_and(|advice| advice.starts_with("the disk cannot read it")));
        assert_eq!(advice(libc::EBUSY), None);
    }
}
