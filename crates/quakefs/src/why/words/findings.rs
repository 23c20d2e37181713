//! What is wrong or unexpected about a stack or an archive.

use crate::findings::{FindingKind, Place, Portability, Unreachable};
use crate::rules::{Games, NotLoaded, NotUsed, TooMany};
use crate::{Error, ErrorKind, Finding};
use pak_format::Layout;

use super::advice::{LOOK_AT_DISK, of_error};
use super::{Reader, Said, Say, counted, grouped, stops};

impl Say for Finding {
    fn say_to(&self, reader: Reader<'_>) -> Said {
        Said::new(sentence(self), help(&self.kind, &self.place, reader))
    }
}

/// What is wrong, without what the engine does then: why an archive is not loaded, or what stops the engine.
#[must_use]
pub fn cause(finding: &Finding) -> String {
    match &finding.kind {
        FindingKind::NotLoaded(why) => not_loaded(why, engine(finding)),
        FindingKind::NotRegular => "it is not a regular file".to_owned(),
        FindingKind::WrongArchive { error, .. } => error.reason(),
        FindingKind::StopsAt(stop) => stops::cause(*stop).to_owned(),
        FindingKind::MissingDirectory { .. } => "there is no such folder".to_owned(),
        _ => sentence(finding),
    }
}

/// A finding in one line, with its place: `id1/pak2.pak: the archive is not loaded: pak1.pak is missing`.
#[must_use]
pub fn in_place(finding: &Finding) -> String {
    format!("{}: {}", finding.place, sentence(finding))
}

/// What keeps an engine from starting, by the findings that [`starts`](crate::why::starts) gives, the first of them in full.
/// `None` where nothing does.
#[must_use]
pub fn does_not_start(engine: &str, stops: &[Finding]) -> Option<String> {
    let (first, more) = stops.split_first()?;
    let text = format!("{engine} does not start: {}: {}", first.place, cause(first));
    Some(match more.len() {
        0 => text,
        more => format!("{text}; and for {} more", counted(more as u64, "cause", "causes")),
    })
}

fn engine(finding: &Finding) -> &str {
    if finding.engine.is_empty() { "the engine" } else { &finding.engine }
}

fn sentence(finding: &Finding) -> String {
    let engine = engine(finding);
    match &finding.kind {
        FindingKind::MissingDirectory { fatal: false, .. } => cause(finding),
        FindingKind::StopsAt(_) | FindingKind::MissingDirectory { fatal: true, .. } => {
            format!("{}, and {engine} stops with an error", cause(finding))
        }
        FindingKind::NotUsed(why) => not_used(*why, engine),
        FindingKind::NotLoaded(_)
        | FindingKind::NotRegular
        | FindingKind::WrongArchive { fatal: false, .. } => {
            format!("the archive is not loaded: {}", cause(finding))
        }
        FindingKind::WrongArchive { fatal: true, .. } => {
            format!("{engine} stops with an error: {}", cause(finding))
        }
        FindingKind::DiskOrder { other } => {
            format!("{engine} loads this archive and {other} in the order in which the disk lists the folder")
        }
        FindingKind::LinkLoop => "the link leads to a folder that contains it, and is not listed".to_owned(),
        FindingKind::ManyLinks => "the folder is not listed again: 16 other links lead to it".to_owned(),
        FindingKind::NotUtf8 => "the file is not listed: its name is not UTF-8".to_owned(),
        FindingKind::NotUnpacked(why) => {
            format!("the entry would be no file if the archive were unpacked: {}", why.say())
        }
        FindingKind::Unreadable(error) => format!("it cannot be read: {}", error.reason()),
        FindingKind::TooManyEntries { entries, most, then, fatal } => {
            let then = match then {
                _ if *fatal => "stops with an error above",
                TooMany::Loaded => "prints a warning above",
                TooMany::Skipped => "loads no archive with more than",
            };
            format!("the archive has {entries} entries, and {engine} {then} {most}")
        }
        FindingKind::OtherLayout { found, read_as } => format!(
            "the rows have {} bytes each, as in the {found} layout; {engine} reads rows of {} bytes, and finds other \
             names",
            found.row_size(),
            read_as.row_size()
        ),
        FindingKind::FolderTooMany { folder } => {
            format!("everything lies in {folder}/, and names begin below the game directory")
        }
        FindingKind::CutOff { expected, found } => format!(
            "the file is cut off: its header needs {}, and the file has {}",
            counted(*expected, "byte", "bytes"),
            grouped(*found)
        ),
        FindingKind::PartialRow { ignored } => {
            format!("the last {ignored} bytes of the directory are no whole row, and {engine} ignores them")
        }
        FindingKind::Entry(error) | FindingKind::Damaged(error) | FindingKind::NotAnArchive(error) => {
            error.reason()
        }
        FindingKind::Unreachable(why) => match why {
            Unreachable::Refused(reason) => format!("no request finds it: {reason}"),
            Unreachable::ReadDifferently => {
                format!("no request finds it: {engine} reads the name as another one")
            }
            Unreachable::Dropped => format!("no request finds it: {engine} ignores such an entry"),
            Unreachable::LooseOnly => {
                format!("no request finds it: {engine} takes a file of this name from a folder alone")
            }
            Unreachable::NoFileName => {
                "no request finds it: on Windows no file can have this name".to_owned()
            }
            _ => unlikely(*why, engine),
        },
        FindingKind::UnlikelyName(why) => unlikely(*why, engine),
        FindingKind::LongName { length, most } => {
            format!("the name has {length} bytes, and {engine} has room for {most}")
        }
        FindingKind::CaseTwin { other } => {
            format!("{other} differs from it in case alone, and {engine} serves both")
        }
        FindingKind::Portability(portability) => match portability {
            Portability::OtherCase { expected } => format!(
                "{engine} loads it on Windows and macOS; on Linux it does not, and looks for {expected}"
            ),
            Portability::Capitals => format!(
                "{engine} finds it in any case here, and on Linux by this exact spelling alone; most games ask in lower case"
            ),
            Portability::OneFile { other } => format!("on Windows and macOS it and {other} are one file"),
            Portability::NoWindowsName => "on Windows no file can have this name".to_owned(),
        },
        FindingKind::SameBytes { hidden } => format!("it holds the same bytes as {hidden}, which it hides"),
        FindingKind::Hidden { by, rule, .. } => format!("{by} hides it: {}", rule.say()),
        FindingKind::Companion { level, because } => {
            format!("beside {} it is {}", level.as_name(), because.say())
        }
        FindingKind::TooDeep { directory, .. } => {
            format!("the archive is not loaded: {engine} looks for archives straight in {directory}")
        }
        FindingKind::Shareware { file } => format!("this is the shareware, which has no {file}"),
        FindingKind::WrongRegistered { file } => {
            format!("{file} is not the file of the registered version")
        }
        FindingKind::Archive(kind) => kind.to_string(),
    }
}

fn unlikely(why: Unreachable, engine: &str) -> String {
    let games = match why {
        Unreachable::Backslash => "no game writes a backslash",
        Unreachable::DotComponent => "no game writes an empty or \".\" component",
        _ => "most games ask in lower case",
    };
    format!("{engine} finds it by this exact spelling alone, and {games}")
}

pub(super) fn not_used(why: NotUsed, engine: &str) -> String {
    match why {
        NotUsed::UnknownFlag => format!("{engine} has no flag of this name"),
        NotUsed::OddGame => format!("{engine} accepts no game of this name"),
        NotUsed::TooManyGames => format!("{engine} has no room for another game"),
        NotUsed::OtherMission => {
            format!("{engine} uses one mission flag, and another one stands before this one")
        }
        NotUsed::GameInstead => {
            format!(
                "{engine} ignores the flag, as a game names the directory of a mission or a base directory"
            )
        }
        NotUsed::BaseGame => format!("{engine} accepts no other base game"),
        NotUsed::BaseDirectory => format!("{engine} uses the first base directory alone"),
        NotUsed::Game { taken } => {
            let taken = match taken {
                Games::Ignored => "no game of its command line",
                Games::First => "the first game alone",
                Games::Last => "the last game alone",
                Games::Every => "every game",
            };
            format!("{engine} uses {taken}")
        }
    }
}

fn not_loaded(why: &NotLoaded, engine: &str) -> String {
    match why {
        NotLoaded::AfterGap { missing, .. } => format!("{missing} is missing"),
        NotLoaded::AfterEmpty { empty } => {
            format!("{empty} has no entries, and {engine} loads no archive after it")
        }
        NotLoaded::AfterUnusable { unusable } => {
            format!("{unusable} cannot be used, and {engine} loads no archive after it")
        }
        NotLoaded::LongPath => format!("its path is longer than {engine} has room for"),
        NotLoaded::Hidden => format!("{engine} ignores files whose names begin with a dot"),
        NotLoaded::EmptyEndsRun => {
            format!("it has no entries, and {engine} loads neither it nor an archive after it")
        }
        NotLoaded::BeyondLast { last } => format!("{engine} looks for no number above that of {last}"),
        NotLoaded::WrongCase { expected } => format!("{engine} looks for {expected}"),
        NotLoaded::AlikeLoaded { loaded } => {
            format!("{loaded} is loaded, and {engine} loads one of two names that differ in case alone")
        }
        NotLoaded::NotNumbered => format!("{engine} loads numbered archives alone"),
        NotLoaded::KindIgnored => format!("{engine} does not read archives of this kind"),
        NotLoaded::NoneLoaded => format!("{engine} loads no archive of a game directory"),
        NotLoaded::NotListed { list } => format!("{list} does not name it"),
    }
}

fn help(kind: &FindingKind, place: &Place, reader: Reader<'_>) -> String {
    let advice = match kind {
        FindingKind::MissingDirectory { of_game: true, nearest: Some(nearest), .. } => {
            return match reader {
                Reader::Shell(shell) => format!("did you mean {}?", shell.quoted(&["--game", nearest])),
                Reader::Window => format!("did you mean {nearest}?"),
            };
        }
        FindingKind::MissingDirectory { directory, nearest: Some(nearest), .. } => {
            return format!("rename {nearest} to {directory}");
        }
        FindingKind::MissingDirectory { .. } => "look at its spelling and case",
        FindingKind::NotUsed(NotUsed::OddGame) => "give the folder's name alone, such as mymod",
        FindingKind::NotUsed(NotUsed::Game { taken: Games::First | Games::Last }) => {
            "name one game, or another engine"
        }
        FindingKind::NotUsed(_) => "leave it out, or name another engine",
        FindingKind::NotLoaded(why) => return of_not_loaded(why, place, reader),
        FindingKind::StopsAt(stop) => stops::help(*stop),
        FindingKind::DiskOrder { .. } => "give them numbers, or leave one of them out",
        FindingKind::NotRegular => "replace it with an archive, or rename it",
        FindingKind::LinkLoop | FindingKind::ManyLinks => "remove the link",
        FindingKind::Unreachable(Unreachable::LooseOnly) => "put it into the folder beside the archive",
        FindingKind::WrongArchive { error, .. } => return of_wrong_archive(error, reader),
        FindingKind::TooManyEntries { .. } => "split it into two archives",
        FindingKind::OtherLayout { read_as, .. } => return format!("repack it in the {read_as} layout"),
        FindingKind::FolderTooMany { folder } if place.layer.ends_with('/') => {
            return move_up(&format!("{}{folder}/", place.layer), &place.layer);
        }
        FindingKind::FolderTooMany { folder } => {
            return format!("pack what is in {folder}, without that folder");
        }
        FindingKind::CutOff { .. } => "the file is probably a cut-off download: get it again",
        FindingKind::PartialRow { .. } => "the archive is damaged: get it again, or repack it",
        FindingKind::Entry(error)
        | FindingKind::Damaged(error)
        | FindingKind::NotAnArchive(error)
        | FindingKind::Unreadable(error) => of_error(error, reader).unwrap_or(LOOK_AT_DISK),
        FindingKind::LongName { .. } => "give it a shorter name",
        FindingKind::UnlikelyName(_) => "name it in lower case, with / between the parts",
        FindingKind::CaseTwin { .. } => "give both one spelling, or two names",
        FindingKind::Portability(Portability::OtherCase { expected }) => {
            return format!("rename it to {expected}; {}", of_fix(reader));
        }
        FindingKind::Portability(Portability::Capitals) => {
            return format!("name it in lower case; {}", of_fix(reader));
        }
        FindingKind::Portability(_)
        | FindingKind::NotUtf8
        | FindingKind::NotUnpacked(_)
        | FindingKind::Unreachable(_) => "rename it",
        FindingKind::SameBytes { .. } => "leave one of them out",
        FindingKind::Hidden { .. } => "remove the copy that is not wanted",
        FindingKind::Companion { because, .. } => {
            return because.say_to(reader).into_parts().1.unwrap_or_else(|| LOOK_AT_FILE.to_owned());
        }
        FindingKind::TooDeep { folder, directory } => return move_up(folder, directory),
        FindingKind::Shareware { .. } => "add the archives of the registered version",
        FindingKind::WrongRegistered { .. } => "remove the file that stands in its place",
        FindingKind::Archive(kind) => of_archive(kind, reader),
    };
    advice.to_owned()
}

/// What to do with what lies in a folder or an archive that is one too many.
pub(super) fn move_up(folder: &str, directory: &str) -> String {
    if folder.ends_with('/') {
        format!("move what is in {folder} to {directory}")
    } else {
        format!("unpack {folder} into {directory}")
    }
}

const LOOK_AT_FILE: &str = "look at the file";

/// What renames the names of which case is wrong.
fn of_fix(reader: Reader<'_>) -> String {
    match reader {
        Reader::Shell(shell) => format!("`{}` lists such names", shell.command("fix")),
        Reader::Window => "`quakefs fix` lists such names".to_owned(),
    }
}

fn of_not_loaded(why: &NotLoaded, place: &Place, reader: Reader<'_>) -> String {
    match why {
        NotLoaded::AfterGap { missing, free } if missing == free => {
            format!("rename it to {free}, or add one of that name")
        }
        NotLoaded::AfterGap { missing, free } if place.layer.rsplit('/').next() == Some(free) => {
            format!("add {missing}, and this one is loaded after it")
        }
        NotLoaded::AfterGap { missing, free } => format!("add {missing}, and rename this one to {free}"),
        NotLoaded::AfterEmpty { empty } => format!("put a file into {empty}, or remove it and renumber"),
        NotLoaded::EmptyEndsRun => "remove it, or put a file into it".to_owned(),
        NotLoaded::BeyondLast { .. } => "give it a lower number".to_owned(),
        NotLoaded::WrongCase { expected } => format!("rename it to {expected}"),
        NotLoaded::AlikeLoaded { .. } => "give it a name of its own".to_owned(),
        NotLoaded::NotNumbered => "rename it to the next free pakN.pak".to_owned(),
        NotLoaded::AfterUnusable { unusable } => format!("replace {unusable} or remove it"),
        NotLoaded::NoneLoaded => reader
            .either(
                "name it by --mount, as the tool's -path would",
                "put it on top, as the tool's -path does",
            )
            .to_owned(),
        NotLoaded::NotListed { list } => format!("add its name to {list}"),
        NotLoaded::LongPath => "give it a shorter name, or move the game to a shorter path".to_owned(),
        NotLoaded::Hidden => "give it a name without the dot".to_owned(),
        NotLoaded::KindIgnored => "repack it, or use an engine that reads it".to_owned(),
    }
}

/// A player of a game names no layouts.
fn of_wrong_archive(error: &Error, reader: Reader<'_>) -> String {
    match error.kind() {
        ErrorKind::Pak(pak_format::ErrorKind::WrongMagic { layout, found })
            if Layout::with_magic(*found).next().is_some() =>
        {
            format!("repack it in the {layout} layout")
        }
        ErrorKind::Pak(pak_format::ErrorKind::PartialRow { .. }) => {
            "the header is damaged: get the archive again".to_owned()
        }
        _ => of_error(error, reader).unwrap_or(LOOK_AT_DISK).to_owned(),
    }
}

fn of_archive(kind: &pak_format::FindingKind, reader: Reader<'_>) -> &'static str {
    match kind {
        pak_format::FindingKind::NotDecoded { .. } => {
            reader.either("allow more by --max-output", kind.help())
        }
        _ => kind.help(),
    }
}
