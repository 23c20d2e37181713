//! What is wrong or unexpected about a search path or an archive.

use std::fmt;

use pak_format::{EntryNameBuf, Layout, Severity};

use crate::advice::{Advice, beside, in_words, own_name};
use crate::companion::CompanionBecause;
use crate::content::Leftover;
use crate::damage;
use crate::error::{Error, ErrorKind, ZipFault};
use crate::location::Location;
use crate::no_path::NoPath;
use crate::precedence::Precedence;
use crate::rules::{EngineStop, Games, NotLoaded, NotUsed, RefusedEdition, RequestError, Skipped, Text};
use crate::sentences::{Help, Shell, grouped, many, sentences};

/// A non-fatal problem that is reported with an answer: a skipped archive, a file that is overridden by its
/// own mod, an entry that cannot be read.
///
/// [`SearchPath::findings`] has the findings of the mount. [`why::check`] also reads the files and adds
/// findings about them. [`Archive::verify`] examines one archive. `Display` prints the location and the
/// sentence, [`Help::help`] gives the advice, and [`FindingKind::name`] is stable for programs.
///
/// [`SearchPath::findings`]: crate::SearchPath::findings
/// [`why::check`]: crate::why::check
/// [`Archive::verify`]: crate::Archive::verify
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// How severe the finding is.
    pub severity: Severity,
    /// Where it is.
    pub location: Location,
    /// What it is.
    pub kind: FindingKind,
    /// The engine whose rules found it; `None` for a finding about an archive by itself.
    pub engine: Option<Text>,
    /// Whether the engine stops with an error because of this.
    pub stops_engine: bool,
}

/// The problem that a finding reports.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum FindingKind {
    /// A game directory that the user, a mission flag or the engine needs does not exist.
    MissingDirectory {
        /// The directory.
        directory: String,
        /// Whether the user chose it as a game. Otherwise the engine or a mission flag needs it.
        of_game: bool,
        /// The folder that was probably meant. For a game its spelling is similar; for other directories it
        /// differs only in case.
        nearest: Option<String>,
        /// Where it leads if it is a link to something that does not exist, as it is written in the link.
        link: Option<String>,
    },
    /// The engine ignores a game, a mission flag or a base directory of the command line.
    NotUsed(NotUsed),
    /// An archive that the engine skips by its rules.
    Skipped(Skipped),
    /// Something that ends the engine with an error, crashes it or makes it hang.
    StopsAt(EngineStop),
    /// Two archives whose load order depends on the order in which the disk lists the folder.
    DiskOrder {
        /// The other archive.
        other: String,
    },
    /// A folder or a pipe that has the name of an archive.
    NotRegular,
    /// A link to something that does not exist.
    BrokenLink {
        /// Where the link leads, as it is written in the link.
        target: String,
    },
    /// A file that a system or a program left behind, and that the engine does not load.
    Leftover(Leftover),
    /// A link to a folder that contains the link.
    LinkLoop,
    /// A folder with so many links to it that not every path is listed. If loose files are
    /// [`Live`](crate::LooseFiles::Live), a lookup still finds its files by each path.
    ManyLinks,
    /// A file name that is not UTF-8.
    NotUtf8,
    /// An entry that cannot be extracted into the folder that the archive covers.
    NotUnpacked(NoPath),
    /// A file or folder that cannot be read.
    Unreadable(Error),
    /// A file that has the name of an archive but is not one.
    WrongArchive {
        /// Why not.
        error: Error,
        /// Whether the engine would open a file of this name.
        opened: bool,
    },
    /// An archive with more entries than the engine has room for.
    TooManyEntries {
        /// Entries in the archive.
        entries: usize,
        /// The engine's limit.
        most: u32,
        /// What the engine does with such an archive.
        skips: bool,
    },
    /// A directory whose rows make sense in another layout than the engine's.
    OtherLayout {
        /// The layout in which the rows make sense.
        found: Layout,
        /// The layout that the engine reads.
        read_as: Layout,
    },
    /// An archive whose files are all inside an extra folder, or a game directory with one, where the engine
    /// does not look.
    FolderTooMany {
        /// The folder.
        folder: String,
    },
    /// A file that engines cannot load: it is empty, cut off, of another format or version, or a part of it
    /// is outside the file.
    WrongContent(quake_content::Error),
    /// A file that the engine does not load, although it is not damaged: it is of another version, or larger
    /// than the engine has room for.
    NotLoaded {
        /// Why.
        why: NotLoaded,
        /// Another engine for the game that loads it.
        by: Option<Text>,
    },
    /// Files or archives without which the engine does not start are missing: the one at the location, and
    /// these.
    MissingToStart {
        /// The other names that would do as well.
        others: Vec<String>,
        /// Further archives that are missing.
        more: Vec<String>,
    },
    /// The archives are of an edition that the engine refuses.
    WrongEdition(RefusedEdition),
    /// An archive of the game that the engine refuses, by [`pk3_checksum`](crate::why::pk3_checksum).
    WrongChecksum {
        /// The checksum of the archive.
        found: u32,
        /// The only one that the engine accepts.
        accepted: u32,
    },
    /// A directory whose size is not a multiple of the row size. The engine ignores the partial row.
    PartialRow {
        /// The size of the partial row in bytes.
        ignored: usize,
    },
    /// A damaged archive that still has readable entries.
    Damaged(Error),
    /// An entry that cannot be read.
    Entry(Error),
    /// An entry or a loose file whose name no request can reach.
    Unreachable(Unreachable),
    /// A name that is too long for the engine.
    LongName {
        /// Bytes in the name.
        length: usize,
        /// The engine's limit.
        most: u32,
    },
    /// A name that games do not request, although the engine would find the file.
    UnlikelyName(Unreachable),
    /// Two names in the merged tree differ only in case.
    CaseTwin {
        /// The other file.
        other: Location,
    },
    /// A name that works differently on another system.
    Portability(Portability),
    /// A copy with the same bytes as the copy that it overrides.
    SameBytes {
        /// The overridden copy.
        overridden: Location,
    },
    /// A loose file that an archive of the same game directory overrides with other bytes.
    OverriddenLoose {
        /// The winner.
        by: Location,
        /// The rule that puts it above.
        rule: Precedence,
    },
    /// An entry that a loose file of the same game directory overrides with other bytes.
    OverriddenEntry {
        /// The winner.
        by: Location,
        /// The rule that puts it above.
        rule: Precedence,
    },
    /// An entry that another entry of the same archive and name overrides with other bytes.
    EqualNames {
        /// The winner.
        by: Location,
        /// The rule by which it wins.
        rule: Precedence,
    },
    /// A companion of a level, such as its lights, that the engine ignores.
    Companion {
        /// The level.
        level: EntryNameBuf,
        /// Why the file is ignored.
        because: CompanionBecause,
    },
    /// An archive inside a subfolder or inside another archive, where the engine does not look: a download
    /// that was packed or unpacked one folder too deep.
    TooDeep {
        /// The folder or archive that contains it, named like a layer.
        folder: String,
        /// The game directory.
        directory: String,
    },
    /// A mod on top of the shareware, which id's engines refuse to start.
    Shareware {
        /// The file that a registered copy has.
        file: String,
    },
    /// The file that marks a registered copy has other bytes: id's engines stop.
    WrongRegistered {
        /// The file.
        file: String,
    },
    /// A file that is not an archive of a known kind.
    NotAnArchive(Error),
    /// A problem that verifying an archive found.
    Archive(pak_format::FindingKind),
}

/// Why a game does not load a stored name: no request finds the file, or no game makes that request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unreachable {
    /// The engine refuses a request for the name.
    Refused(RequestError),
    /// The engine turns a request for the name into another name.
    ReadDifferently,
    /// The engine skips such an entry when it loads the archive.
    Dropped,
    /// The engine does not look for such an entry in this archive.
    Skipped,
    /// The engine loads a file of this name only from a folder, and this one is an entry.
    LooseOnly,
    /// The system that the engine runs on does not allow the name, for example because it names a device.
    NoFileName,
    /// A request would find the file, but its name contains a backslash.
    Backslash,
    /// A request would find the file, but its name has an empty or `.` component.
    DotComponent,
    /// A request would find the file, but its name has capital letters, and the engine compares case.
    Capitals,
}

/// How a name works differently on another system.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Portability {
    /// The engine loads the archive or folder only if the disk ignores case.
    OtherCase {
        /// The name that the engine looks for.
        expected: String,
    },
    /// A disk that ignores case finds the loose file in any spelling; other disks only by its exact capitals.
    Capitals,
    /// On a disk that ignores case, this and another file are one.
    OneFile {
        /// The other file.
        other: Location,
    },
    /// No file on Windows can have the name.
    NoWindowsName,
}

impl Finding {
    /// A finding about a search path that is mounted under an engine's rules.
    #[must_use]
    pub fn new(engine: &Text, location: Location, kind: FindingKind) -> Self {
        Finding { engine: Some(engine.clone()), ..Finding::of_archive(location, kind) }
    }

    /// A finding about an archive by itself.
    #[must_use]
    pub fn of_archive(location: Location, kind: FindingKind) -> Self {
        let stops_engine = matches!(
            kind,
            FindingKind::StopsAt(_)
                | FindingKind::MissingToStart { .. }
                | FindingKind::WrongEdition(_)
                | FindingKind::WrongChecksum { .. }
        );
        Finding { severity: kind.severity(), location, kind, engine: None, stops_engine }
    }

    /// Whether the engine stops because of this before it plays, and not only when it reads the file.
    #[must_use]
    pub fn stops_start(&self) -> bool {
        use EngineStop::{BadZipEntry, CutEntry, EmptyFile, EntryOutside, FolderAsFile, Pipe};
        let of_a_file = matches!(
            self.kind,
            FindingKind::StopsAt(EmptyFile | CutEntry | EntryOutside | BadZipEntry | FolderAsFile | Pipe)
        );
        self.stops_engine && !of_a_file
    }

    /// The problem and the engine's reaction, without the location: `skipped: pak1.pak is missing`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let engine = self.engine_name();
        let label = findings::label(&self.kind, engine, &self.location, self.stops_engine);
        match self.reason() {
            reason if self.stops_engine => format!("{engine} stops with an error: {reason}"),
            reason if label.skips => format!("skipped: {reason}"),
            reason => reason,
        }
    }

    /// The problem without the engine's reaction: `pak1.pak is missing`.
    #[must_use]
    pub fn reason(&self) -> String {
        findings::sentence(&self.kind, self.engine_name(), &self.location, self.stops_engine)
    }

    fn engine_name(&self) -> &str {
        self.engine.as_deref().unwrap_or("the engine")
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.sentence())
    }
}

impl Help for Finding {
    fn advice(&self) -> Vec<Advice> {
        let advice = findings::advice(
            &self.kind,
            self.engine_name(),
            &self.location,
            self.stops_engine,
            &self.location,
        );
        advice.into_iter().collect()
    }

    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        in_words(&self.advice(), Some(&self.location), shell)
    }
}

impl FindingKind {
    /// A stable word for the kind, for programs: `gap`, `overridden-loose`, `case`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            FindingKind::Archive(kind) => kind.name(),
            _ => findings::label(self, "", &Location::Folder(String::new()), false).kind(),
        }
    }

    /// How severe such a finding is.
    fn severity(&self) -> Severity {
        let label = findings::label(self, "", &Location::Folder(String::new()), false);
        match self {
            FindingKind::Archive(kind) => kind.severity(),
            _ => label.severity.unwrap_or(Severity::Warning),
        }
    }
}

use FindingKind as Kind;

sentences! {
    findings(kind: &FindingKind, engine: &str, location: &Location, stops: bool; shell)

    "missing-directory broken-link" Warning: Kind::MissingDirectory { link: Some(target), .. }
        => "it is a link to {target}, which does not exist",
        advice [tell "put the folder there again, or remove the link"];
    "missing-directory" Warning: Kind::MissingDirectory { of_game: true, nearest: Some(nearest), .. }
        => "the folder is missing",
        advice [choose "--game" => "{nearest}"];
    "missing-directory" Warning: Kind::MissingDirectory { directory, nearest: Some(nearest), .. }
        => "the folder is missing", advice [rename "{nearest}/" => "{directory}"];
    "missing-directory" Warning: Kind::MissingDirectory { of_game: true, .. }
        => "the folder is missing", advice [Advice::other_game => leave "--game"];
    "missing-directory" Warning: Kind::MissingDirectory { .. }
        => "the folder is missing", advice [archives of "the game"];

    "unknown-flag unknown-flag" Warning: Kind::NotUsed(NotUsed::UnknownFlag)
        => "{engine} has no such flag", advice [leave];
    "game-ignored odd-game" Warning: Kind::NotUsed(NotUsed::OddGame)
        => "{engine} does not accept a game of this name", advice [Advice::other_game => leave "--game"];
    "game-ignored too-many-games" Warning: Kind::NotUsed(NotUsed::TooManyGames)
        => "{engine} has no room for another game", advice [leave];
    "game-ignored other-mission" Warning: Kind::NotUsed(NotUsed::OtherMission)
        => "{engine} uses only one mission flag, and another one comes first",
        advice [leave];
    "game-ignored game-instead" Warning: Kind::NotUsed(NotUsed::GameInstead)
        => "{engine} ignores the flag because a game names the directory of a mission or a base directory",
        advice [leave];
    "game-ignored base-game" Warning: Kind::NotUsed(NotUsed::BaseGame)
        => "{engine} accepts no other base game", advice [leave];
    "base-directory-ignored base-directory" Warning: Kind::NotUsed(NotUsed::BaseDirectory)
        => "{engine} uses only the first base directory", advice [leave];
    "game-ignored ignored" Warning: Kind::NotUsed(NotUsed::Game { taken: Games::Ignored })
        => "{engine} ignores games on its command line", advice [leave];
    "game-ignored first" Warning: Kind::NotUsed(NotUsed::Game { taken: Games::First })
        => "{engine} uses only the first game", advice [leave];
    "game-ignored last" Warning: Kind::NotUsed(NotUsed::Game { taken: Games::Last })
        => "{engine} uses only the last game", advice [leave];
    "game-ignored every" Warning: Kind::NotUsed(NotUsed::Game { taken: Games::Every })
        => "{engine} uses every game", advice [leave];

    "gap after-gap" Warning skips: Kind::Skipped(Skipped::AfterGap { missing, renames })
        => "{missing} is missing", advice [renumber, renames => rename "{free}"];
    "empty-archive after-empty" Warning skips: Kind::Skipped(Skipped::AfterEmpty { empty })
        => "{empty} has no entries, and {engine} loads no archive after it",
        advice [fill "{empty}"];
    "empty-archive empty-ends-run" Warning skips: Kind::Skipped(Skipped::EmptyEndsRun)
        => "it has no entries, and {engine} loads neither it nor any archive after it",
        advice [fill];
    "after-wrong-archive after-unusable" Warning skips: Kind::Skipped(Skipped::AfterUnusable { unusable })
        => "{unusable} cannot be used, and {engine} loads no archive after it",
        advice [get beside "{unusable}"];
    "archive-skipped hidden" Warning skips: Kind::Skipped(Skipped::Hidden)
        => "{engine} ignores files whose names begin with a dot", advice [without_dot => rename "{name}"];
    "archive-skipped prefix" Warning skips: Kind::Skipped(Skipped::Prefix { starts })
        => "{engine} ignores archives whose names begin with {starts}",
        advice [without_prefix, starts => rename "{name}"];
    "number-too-high beyond-last" Warning skips: Kind::Skipped(Skipped::BeyondLast { last, free })
        => "{last} has the highest number that {engine} looks for",
        advice [number, free => rename "{free}"];
    "archive-case wrong-case" Warning skips: Kind::Skipped(Skipped::WrongCase { expected })
        => "{engine} looks for {expected}", advice [rename "{expected}"];
    "archive-case alike-loaded" Warning skips: Kind::Skipped(Skipped::AlikeLoaded { loaded })
        => "{engine} loads {loaded}, whose name differs only in case",
        advice [Advice::with_suffix => rename "{name}-2"];
    "archive-skipped long-path" Warning skips: Kind::Skipped(Skipped::LongPath)
        => "its path is too long for {engine}",
        advice [tell "give it a shorter name, or move the game to a shorter path"];
    "archive-skipped not-numbered" Warning skips: Kind::Skipped(Skipped::NotNumbered { free })
        => "{engine} loads only numbered archives", advice [number, free => rename "{free}"];
    "archive-skipped other-kind" Warning skips: Kind::Skipped(Skipped::OtherKind)
        => "{engine} does not read archives of this kind", advice [Advice::unpack => move "{folder}/"];
    "archive-skipped none-loaded" Warning skips: Kind::Skipped(Skipped::NoneLoaded)
        => "{engine} loads no archives from game directories",
        advice [Advice::unpack => move "{folder}/"];
    "archive-skipped not-listed" Warning skips: Kind::Skipped(Skipped::NotListed { list })
        => "{list} does not name it", advice [add_to_list, list => fill "{list}"];

    "engine-stops odd-game" Error: Kind::StopsAt(EngineStop::OddGame)
        => "this cannot be the name of a game", advice [Advice::plain_game => leave "--game"];
    "engine-stops missing-game" Error: Kind::StopsAt(EngineStop::MissingGame)
        => "the folder is missing", advice [Advice::other_game => leave "--game"];
    "engine-stops other-game" Error: Kind::StopsAt(EngineStop::OtherGame)
        => "it mounts every game of the base directory when it starts, and cannot read this archive",
        advice [get];
    "engine-stops unreadable-game" Error: Kind::StopsAt(EngineStop::UnreadableGame)
        => "the game's folder cannot be listed", advice [tell "check its permissions"];
    "engine-stops missing-game-info" Error: Kind::StopsAt(EngineStop::MissingGameInfo)
        => "the game's folder has neither gameinfo.txt nor liblist.gam",
        advice [{
            Advice::Add {
                what: "liblist.gam".to_owned(),
                content: Some("game \"NAME\"\n".into()),
                to: location.clone(),
            }
        }];
    "engine-stops missing-first-archive" Error: Kind::StopsAt(EngineStop::MissingFirstArchive)
        => "the archive with the number 0 is missing", advice [archives of "the game"];
    "engine-stops odd-file-name" Error: Kind::StopsAt(EngineStop::OddFileName)
        => "it deletes this when it starts, because the name has other characters than ASCII",
        advice [clean => rename "{name}"];
    "engine-stops missing-file" Error: Kind::MissingToStart { more, .. } if more.is_empty()
        => "the file is missing", advice [archives of "the game"];
    "engine-stops missing-archives" Error: Kind::MissingToStart { more, .. }
        => ("the archive is missing, as well as {more}", more = many(more)),
        advice [archives of "the game and of its last patch"];
    "engine-stops wrong-edition" Error: Kind::WrongEdition(edition)
        => ("it refuses this edition of the game: {because}", because = edition.because),
        advice [of_edition, edition => archives of "{edition}"];
    "engine-stops wrong-checksum" Error: Kind::WrongChecksum { found, accepted }
        => "it is not the game's: its checksum is {found}, and {engine} accepts only {accepted}",
        advice [get];
    "engine-stops not-a-file" Error: Kind::StopsAt(EngineStop::NotAFile)
        => "it is not a regular file", advice [Advice::aside => rename "{name}.old"];
    "engine-stops wrong-archive" Error: Kind::StopsAt(EngineStop::WrongArchive)
        => "the file is not an archive", advice [get];
    "engine-stops too-many-entries" Error: Kind::StopsAt(EngineStop::TooManyEntries)
        => "the archive has too many entries", advice [tell "split it into two archives"];
    "engine-stops too-many-archives" Error: Kind::StopsAt(EngineStop::TooManyArchives)
        => "the game has more archives than the engine can open", advice [tell "merge some of the archives \
            into one"];
    "engine-stops negative-directory" Error: Kind::StopsAt(EngineStop::NegativeDirectory)
        => "the directory has a negative offset", advice [get];
    "engine-stops cut-directory" Error: Kind::StopsAt(EngineStop::CutDirectory)
        => "the directory ends past the end of the archive",
        advice [get];
    "engine-stops far-entry" Error: Kind::StopsAt(EngineStop::FarEntry)
        => "an entry ends past the highest offset that it reads",
        advice [get];
    "engine-stops empty-archive" Error: Kind::StopsAt(EngineStop::EmptyArchive)
        => "the archive has no entries", advice [fill];
    "engine-stops bytes-in-front" Error: Kind::StopsAt(EngineStop::BytesInFront)
        => "this ZIP has bytes in front that its offsets do not count",
        advice [get];
    "engine-stops long-zip-name" Error: Kind::StopsAt(EngineStop::LongZipName)
        => "a name in this ZIP is too long", advice [tell "give the file in it a shorter name"];
    "engine-stops cut-entry" Error: Kind::StopsAt(EngineStop::CutEntry)
        => "the entry ends past the end of the archive",
        advice [get archive];
    "engine-stops entry-outside" Error: Kind::StopsAt(EngineStop::EntryOutside)
        => "the entry starts past the end of the archive",
        advice [get archive];
    "engine-stops bad-zip-entry" Error: Kind::StopsAt(EngineStop::BadZipEntry)
        => "the entry cannot be decoded",
        advice [get archive];
    "engine-stops empty-file" Error: Kind::StopsAt(EngineStop::EmptyFile)
        => "the file is empty", advice [remove];
    "engine-stops folder-as-file" Error: Kind::StopsAt(EngineStop::FolderAsFile)
        => "a folder has the name of a file", advice [Advice::aside => rename "{name}.old"];
    "engine-stops pipe" Error: Kind::StopsAt(EngineStop::Pipe)
        => "the file is a pipe", advice [remove];
    "engine-stops link-loop" Error: Kind::StopsAt(EngineStop::LinkLoop)
        => "it follows this link to a folder that contains the link, and often crashes",
        advice [remove];
    "engine-stops unregistered" Error: Kind::StopsAt(EngineStop::Unregistered)
        => "the file of the registered version is missing", advice [archives of "the registered version"];
    "engine-stops wrong-registered" Error: Kind::StopsAt(EngineStop::WrongRegistered)
        => "the file that marks the registered version is another one",
        advice [wrong_registered => remove];

    "disk-order" Warning: Kind::DiskOrder { other }
        => "{engine} loads this archive and {other} in the order in which the disk lists them",
        advice [Advice::with_suffix => rename "{name}-2"];
    "not-a-file" Warning skips: Kind::NotRegular
        => "it is not a regular file", advice [Advice::aside => rename "{name}.old"];
    "broken-link" Warning skips: Kind::BrokenLink { target }
        => "it is a link to {target}, which does not exist",
        advice [tell "put the file there again, or remove the link"];
    "leftover" Note: Kind::Leftover(leftover)
        => "it is {leftover}, and the game does not need it",
        advice [leave_or_remove, leftover => remove];
    "link-loop" Warning: Kind::LinkLoop
        => "this link leads to a folder that contains it, so it is not followed", advice [remove];
    "many-links" Warning: Kind::ManyLinks
        => "16 other links lead to this folder, so it is not listed again", advice [remove];
    "not-utf8" Warning: Kind::NotUtf8
        => "the file is not listed because its name is not UTF-8",
        advice [tell "rename it, in ASCII letters"];
    "not-unpacked" Warning: Kind::NotUnpacked(reason)
        => "this entry cannot be extracted: {reason}", advice [clean => rename "{name}"];
    "unreadable" Error: Kind::Unreadable(error)
        => ("it cannot be read: {reason}", reason = error.reason()),
        advice [{ damage::advice_of_error(error, location) }];
    "wrong-archive" Error skips: Kind::WrongArchive { error, opened: true }
        => ("{reason}", reason = error.reason()), advice [{ damage::advice_of_error(error, location) }];
    "wrong-archive" Warning skips: Kind::WrongArchive { error, opened: false }
        => ("{reason}", reason = error.reason()), advice [{ damage::advice_of_error(error, location) }];
    "too-many-entries" Error: Kind::TooManyEntries { entries, most, .. } if stops
        => "the archive has {entries} entries; the limit is {most}",
        advice [tell "split it into two archives"];
    "too-many-entries loaded" Error: Kind::TooManyEntries { entries, most, skips: false }
        => "the archive has {entries} entries, and {engine} prints a warning above {most}",
        advice [tell "split it into two archives"];
    "too-many-entries skipped" Error skips: Kind::TooManyEntries { entries, most, skips: true }
        => "the archive has {entries} entries, and {engine} loads at most {most}",
        advice [tell "split it into two archives"];
    "other-layout" Error: Kind::OtherLayout { found, read_as }
        => ("the rows have {size} bytes each, as in the {found} layout; {engine} reads {own_size}-byte rows, \
            so every name comes out wrong", size = found.row_size(), own_size = read_as.row_size()),
        advice [Advice::in_layout, read_as => pack ""];
    "folder-too-many" Warning: Kind::FolderTooMany { folder } if matches!(location, Location::Folder(_))
        => "files of the game are inside an extra folder {folder}/; the engine expects them without it",
        advice [move "{location}{folder}/" => "{location}"];
    "folder-too-many" Warning: Kind::FolderTooMany { folder }
        => "all files are inside an extra folder {folder}/; the engine expects them without it",
        advice [pack "{folder}"];
    "wrong-content" Error: Kind::WrongContent(error)
        => "{engine} cannot load it: {error}", advice [get file];
    "content-limit version" Error: Kind::NotLoaded { why: NotLoaded::Version { of, found, loaded, .. }, by }
        => "{engine} loads {of}s of version {loaded}, and this is {found}",
        advice [choose_engine, by => choose "--engine" => "{engine}"];
    "content-limit sound" Warning:
        Kind::NotLoaded { why: NotLoaded::TooMany { of: "sound", what, found, most, .. }, .. }
        => "{engine} plays sounds with at most {most} {what}, and this has {found}",
        advice [{ Advice::Get { what: location.clone(), of: Some(PLAIN_SOUND.into()) } }];
    "content-limit too-many" Error:
        Kind::NotLoaded { why: NotLoaded::TooMany { of, what, found, most, .. }, by }
        => ("{engine} loads {of}s with at most {most} {what}, and this has {found}",
            most = grouped((*most).into()), found = grouped(*found)),
        advice [choose_engine, by => choose "--engine" => "{engine}"];
    "content-limit" Error: Kind::NotLoaded { by, .. }
        => "{engine} does not load it", advice [choose_engine, by => choose "--engine" => "{engine}"];
    "partial-row" Warning: Kind::PartialRow { ignored }
        => "the last {ignored} bytes of the directory are not a full row, and {engine} ignores them",
        advice [get];
    "damaged-archive" Error: Kind::Damaged(error)
        => ("{reason}", reason = error.reason()), advice [{ damage::advice_of_error(error, location) }];
    "outside" Error: Kind::Entry(error) if is_outside(error)
        => ("{reason}", reason = error.reason()), advice [{ damage::advice_of_error(error, location) }];
    "damaged" Error: Kind::Entry(error)
        => ("{reason}", reason = error.reason()), advice [{ damage::advice_of_error(error, location) }];
    "unreachable refused" Warning: Kind::Unreachable(Unreachable::Refused(reason))
        => "no request finds it: {reason}", advice [clean => rename "{name}"];
    "unreachable read-differently" Warning: Kind::Unreachable(Unreachable::ReadDifferently)
        => "no request finds it: {engine} reads the name as another one", advice [clean => rename "{name}"];
    "unreachable dropped" Warning: Kind::Unreachable(Unreachable::Dropped)
        => "no request finds it: {engine} ignores such an entry", advice [clean => rename "{name}"];
    "unreachable skipped" Note: Kind::Unreachable(Unreachable::Skipped)
        => "{engine} looks for such a file in other archives only",
        advice [Advice::unpack => move "{folder}/"];
    "unreachable loose-only" Warning: Kind::Unreachable(Unreachable::LooseOnly)
        => "no request finds it: {engine} reads a file of this name only from a folder",
        advice [Advice::unpack => move "{folder}/"];
    "unreachable no-file-name" Warning: Kind::Unreachable(Unreachable::NoFileName)
        => "no request finds it: no file on Windows can have this name", advice [clean => rename "{name}"];
    "unreachable" Warning: Kind::Unreachable(_)
        => "no request finds it", advice [clean => rename "{name}"];
    "unlikely-name backslash" Warning: Kind::UnlikelyName(Unreachable::Backslash)
        => "{engine} finds it only by this exact spelling, and no game writes a backslash",
        advice [clean => rename "{name}"];
    "unlikely-name dot-component" Warning: Kind::UnlikelyName(Unreachable::DotComponent)
        => "{engine} finds it only by this exact spelling, and no game writes an empty or \".\" component",
        advice [clean => rename "{name}"];
    "unlikely-name capitals" Warning: Kind::UnlikelyName(_)
        => "{engine} finds it only by this exact spelling, and most games request names in lower case",
        advice [clean => rename "{name}"];
    "long-name" Warning: Kind::LongName { length, most }
        => "the name has {length} bytes, and {engine} has room for {most}",
        advice [shorten, most => rename "{name}"];
    "case" Warning: Kind::CaseTwin { other }
        => "{other} differs only in case, and {engine} loads both",
        advice [one_of, other => tell "remove the copy that you do not want"];
    "portability other-case" Warning: Kind::Portability(Portability::OtherCase { expected })
        => "{engine} loads it on Windows and macOS; on Linux it looks for {expected}",
        advice [rename "{expected}"];
    "portability capitals" Warning: Kind::Portability(Portability::Capitals)
        => "{engine} finds it in any case here, but on Linux only by this exact spelling; most games request \
            names in lower case",
        advice [Advice::lower_case => rename "{name}"];
    "portability one-file" Warning: Kind::Portability(Portability::OneFile { other })
        => "on Windows and macOS, this and {other} are one file", advice [one_file, other => rename "{name}"];
    "portability no-windows-name" Warning: Kind::Portability(Portability::NoWindowsName)
        => "no file on Windows can have this name", advice [clean => rename "{name}"];
    "same-bytes" Note: Kind::SameBytes { overridden }
        => "it has the same bytes as {overridden}, which it overrides";
    "overridden-loose" Warning: Kind::OverriddenLoose { by, rule }
        => "{by} overrides it: {rule}", advice [one_of, by => tell "remove the copy that you do not want"];
    "overridden-entry" Warning: Kind::OverriddenEntry { by, rule }
        => "{by} overrides it: {rule}", advice [one_of, by => tell "remove the copy that you do not want"];
    "equal-names" Warning: Kind::EqualNames { by, rule }
        => "{by} overrides it: {rule}", advice [one_of, by => tell "remove the copy that you do not want"];
    "companion-skipped" Warning: Kind::Companion { level, because }
        => ("for {level}: {because}", level = level.as_name()),
        advice [{ because.advice(location) }];
    "too-deep" Warning skips: Kind::TooDeep { folder, directory }
        => "{engine} looks for archives only in {directory} itself",
        advice [move "{folder}" => "{directory}"];
    "shareware" Warning: Kind::Shareware { file }
        => "this is the shareware version, which has no {file}",
        advice [archives of "the registered version"];
    "corrupt" Warning: Kind::WrongRegistered { file }
        => "{file} differs from the registered version's", advice [wrong_registered => remove];
    "not-an-archive" Error: Kind::NotAnArchive(error)
        => ("{reason}", reason = error.reason()), advice [{ damage::advice_of_error(error, location) }];
    "archive" Warning: Kind::Archive(kind)
        => "{kind}", advice [{ damage::advice_of_finding(kind, location) }];
}

fn is_outside(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Pak(pak_format::ErrorKind::EntryOutside { .. }) | ErrorKind::Zip(ZipFault::Outside { .. })
    )
}

/// The most renames in one advice: each archive behind a gap has all of them.
const MOST_RENAMES: usize = 64;

fn renumber(at: &Location, renames: &[(String, String)]) -> Advice {
    if renames.is_empty() {
        return Advice::archives(beside(at, "").layer_name(), "the game");
    }
    if let [(first, to), ..] = renames
        && renames.len() > MOST_RENAMES
    {
        return Advice::Tell(
            format!("number the archives from {first} on without a gap, as {to} and so on").into(),
        );
    }
    Advice::Rename(renames.iter().map(|(from, to)| (beside(at, from), to.clone())).collect())
}

#[expect(clippy::ref_option, reason = "as the table has it")]
fn number(at: &Location, free: &Option<String>) -> Advice {
    let own = own_name(at);
    match free {
        // a copy under the name of an original that is there
        free if Leftover::of(&own).is_some() && Leftover::original(&own).as_ref() != free.as_ref() => {
            Advice::Tell("give it a name of its own if the game is to load it".into())
        }
        Some(free) => Advice::rename(at, free),
        None => Advice::unpack(at),
    }
}

fn leave_or_remove(at: &Location, leftover: &Leftover) -> Advice {
    if leftover.is_of_nobody() {
        Advice::Remove(vec![at.clone()])
    } else {
        Advice::Tell("remove it if you do not need it".into())
    }
}

fn without_dot(at: &Location) -> Advice {
    without_prefix(at, ".")
}

fn without_prefix(at: &Location, prefix: &str) -> Advice {
    Advice::rename(at, own_name(at).trim_start_matches(prefix))
}

fn clean(at: &Location) -> Advice {
    Advice::clean(at, usize::MAX)
}

fn shorten(at: &Location, most: &u32) -> Advice {
    Advice::clean(at, *most as usize)
}

#[expect(clippy::ref_option, reason = "as the table has it")]
fn choose_engine(_: &Location, by: &Option<Text>) -> Advice {
    match by {
        Some(by) => Advice::Choose { option: "--engine".into(), value: Some(by.to_string()) },
        None => Advice::Tell("make it smaller, or convert it".into()),
    }
}

fn of_edition(at: &Location, edition: &RefusedEdition) -> Advice {
    Advice::archives(at.layer_name(), edition.needed.clone())
}

fn add_to_list(at: &Location, list: &str) -> Advice {
    Advice::Add { what: own_name(at), content: None, to: beside(at, list) }
}

/// Which of two copies a person wants is not known.
fn one_of(at: &Location, other: &Location) -> Advice {
    Advice::Remove(vec![at.clone(), other.clone()])
}

fn one_file(at: &Location, other: &Location) -> Advice {
    match (at, other) {
        (Location::Folder(_), Location::Folder(to)) => Advice::Move { what: at.clone(), to: to.clone() },
        // the other name is the one that games request
        _ => Advice::distinct(if has_capitals(other) { other } else { at }),
    }
}

fn has_capitals(of: &Location) -> bool {
    of.to_string().bytes().any(|byte| byte.is_ascii_uppercase())
}

fn wrong_registered(at: &Location) -> Advice {
    match at {
        Location::File { .. } | Location::Entry { .. } => Advice::Remove(vec![at.clone()]),
        _ => Advice::archives(beside(at, "").layer_name(), "the registered version"),
    }
}

/// What every engine of the family plays.
const PLAIN_SOUND: &str = "it as a WAV file with one channel and 16 bits";
