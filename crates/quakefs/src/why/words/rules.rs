//! Rules in words: short ones for a table, and sentences for each field.

use crate::rules::{
    Alike, ArchiveKind, ArchiveSet, Backslash, BaseGames, Case, Companion, CompanionFit, CompanionName,
    CompanionRank, CutDirectory, Duplicates, EmptyArchive, GameCommand, GameName, GameText, Games, Gaps,
    Hidden, LongZipName, LooseBytes, LooseCase, LoosePosition, LooseWithout, MissionsTaken, MoreBases,
    MostEntries, NameParts, NamedAgain, NestedPaks, ORIGINAL, OddGame, Order, OwnPlace, PLACEHOLDER,
    PartialRow, ProgramFolder, RERELEASE, Reading, Registered, Rules, STEM, Stop, Substitute, SubstituteBy,
    SubstituteRank, Text, TooMany, USER, Unterminated, UserLookedAt, WrongArchive, ZipEntryForm, ZipForm,
    ZipNames,
};

use super::substitutes::thing;

/// A sentence about a part of some rules.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sentence {
    /// The part: `game directories`, `archives`.
    pub topic: &'static str,
    /// The sentence.
    pub text: String,
}

/// Rules in a few words each, as a table shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InShort {
    /// The game directories, low to high.
    pub directories: String,
    /// The archives of a game directory, low to high; empty where none is loaded.
    pub archives: Vec<String>,
    /// Where loose files stand: `above` or `below` the archives of their directory.
    pub loose: &'static str,
    /// How names in archives compare: `exact` or `any`.
    pub case: &'static str,
}

/// These rules in a few words each.
#[must_use]
pub fn in_short(rules: &Rules) -> InShort {
    InShort {
        directories: directories_in_short(rules),
        archives: archives_in_short(rules),
        loose: match rules.loose.position {
            LoosePosition::Below => "below",
            LoosePosition::Above => "above",
            LoosePosition::Lowest => "lowest",
        },
        case: match rules.archives.case {
            Case::Exact => "exact",
            Case::Ignored => "any",
        },
    }
}

fn directories_in_short(rules: &Rules) -> String {
    let named = |name: &Text| match &**name {
        PLACEHOLDER => "missions".to_owned(),
        USER => "user".to_owned(),
        name => name.to_owned(),
    };
    let directories = &rules.directories;
    let mut words: Vec<String> = directories.base.iter().map(named).collect();
    if !directories.missions.is_empty() && !directories.base.iter().any(|base| base == PLACEHOLDER) {
        words.push("missions".to_owned());
    }
    words.extend(match directories.games {
        Games::Ignored => None,
        Games::First => Some("1st game".to_owned()),
        Games::Last => Some("game".to_owned()),
        Games::Every => Some("games".to_owned()),
    });
    words.join(" ")
}

/// Neighbours that differ in their extensions alone are one line.
fn archives_in_short(rules: &Rules) -> Vec<String> {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for (place, set) in rules.archives.sets.iter().enumerate() {
        let which = match set {
            ArchiveSet::Numbered { count, gaps, .. } => {
                let end = match gaps {
                    Gaps::Skip => "",
                    Gaps::Stop { empty: EmptyArchive::Loaded } => " to the gap",
                    Gaps::Stop { empty: EmptyArchive::EndsRun | EmptyArchive::EndsRunUnlessFirst } => {
                        " to the gap or an empty one"
                    }
                };
                match count {
                    Some(count) => format!("{STEM}0 to {STEM}{}{end}", count.saturating_sub(1)),
                    None => format!("{STEM}N{end}"),
                }
            }
            ArchiveSet::Others { order, .. } => {
                let numbered = |set: &ArchiveSet| matches!(set, ArchiveSet::Numbered { .. });
                let others = rules.archives.sets.iter().take(place).any(numbered);
                let order = match order {
                    Order::Bytes => "by bytes",
                    Order::Listed => "in disk order",
                    Order::IgnoreCase => "by name",
                    Order::Capitals => "by name in capitals",
                    Order::NumberThenName => "by number, then name",
                };
                format!("{} {order}", if others { "others" } else { "all" })
            }
        };
        let extensions = set.extensions().join("+");
        match lines.last_mut() {
            Some((last, sets)) if *last == which => sets.push(extensions),
            _ => lines.push((which, vec![extensions])),
        }
    }
    let wrapped = lines.into_iter().flat_map(|(which, sets)| {
        let sets = sets.join(", ");
        if which.len() + sets.len() > WIDEST {
            vec![format!("{which}:"), format!("  {sets}")]
        } else {
            vec![format!("{which}: {sets}")]
        }
    });
    wrapped.collect()
}

/// The most letters in a line of the table, so that the table fits a terminal of 100 columns.
const WIDEST: usize = 34;

/// These rules in sentences, by topic. Every field is in one of them, except what says nothing: an empty list, no
/// limit.
#[must_use]
pub fn sentences(rules: &Rules) -> Vec<Sentence> {
    let parts: [(&'static str, Vec<String>); 15] = [
        ("game directories", of_directories(rules)),
        ("bases", of_bases(rules)),
        ("texts", rules.text.iter().map(of_text).collect()),
        ("archives", of_archives(rules)),
        ("own archives", of_own_archives(rules)),
        ("bytes of archives", of_bytes(rules)),
        ("loose files", of_loose(rules)),
        ("names", of_names(rules)),
        ("requests", of_requests(rules)),
        ("companions", of_companions(rules)),
        ("substitutes", rules.substitutes.iter().map(of_substitute).collect()),
        ("console", rules.console.iter().map(of_console).collect()),
        ("limits", of_limits(rules)),
        ("stops at", rules.stops.iter().map(|stop| format!("{}.", stop_words(*stop))).collect()),
        ("registered copy", of_registered(rules).into_iter().collect()),
    ];
    let sentences = |(topic, texts): (&'static str, Vec<String>)| {
        texts.into_iter().map(move |text| Sentence { topic, text })
    };
    parts.into_iter().flat_map(sentences).collect()
}

fn of_companions(rules: &Rules) -> Vec<String> {
    let name = CompanionName { level: "maps/LEVEL", name: "LEVEL", crc: None, game: "GAME" };
    let of = |companion: &Companion| {
        let names = companion.names.iter().map(|pattern| pattern.replace("{crc}", "CRC"));
        let names = names.filter_map(|pattern| name.of(&pattern)).collect::<Vec<_>>().join(", else ");
        let rank = match companion.rank {
            CompanionRank::Any => "",
            CompanionRank::NotBelowLevel => "; not from a game directory below that of the level",
        };
        let fits = match companion.fits {
            CompanionFit::Any => "",
            CompanionFit::LightLump => "; its size has to fit the lights of the level",
        };
        let shortest = match companion.shortest_level {
            0 | 1 => String::new(),
            shortest => format!("; for a level whose name has {shortest} letters or more"),
        };
        let setting = companion.setting.as_ref();
        let setting = setting.map(|setting| format!("; with {setting}, and not by default"));
        format!("Beside maps/LEVEL.bsp: {names}{rank}{fits}{shortest}{}.", setting.unwrap_or_default())
    };
    rules.companions.iter().map(of).collect()
}

fn of_console(console: &GameCommand) -> String {
    let games = match console.most_games {
        Some(1) => "one game".to_owned(),
        Some(most) => format!("at most {most} games"),
        None => "any number of games".to_owned(),
    };
    let missions = if console.missions { " and mission flags" } else { "" };
    let kept = if console.keeps_missions { "stay" } else { "are dropped" };
    format!("{} takes {games}{missions}; the mission flags of the command line {kept}.", console.command)
}

fn of_substitute(substitute: &Substitute) -> String {
    let names = substitute.names.iter().map(|pattern| {
        let filled = [
            ("{name}", "NAME"),
            ("{base}", "BASENAME"),
            ("{stem}", "NAME"),
            ("{file}", "NAME"),
            ("{bare}", "NAME"),
            ("{level}", "LEVEL"),
            ("{nnn}", "NNN"),
            ("{nn}", "NN"),
        ];
        filled.iter().fold(pattern.to_string(), |text, (part, word)| text.replace(part, word))
    });
    let ending = match &*substitute.named {
        [] => String::new(),
        extensions => {
            let extensions: Vec<_> = extensions.iter().map(|extension| format!(".{extension}")).collect();
            format!(" whose name ends in {}", extensions.join(" or "))
        }
    };
    let parts =
        match substitute.parts.iter().map(|parts| parts.join(", ")).collect::<Vec<_>>().join("; else ") {
            one if one.is_empty() => one,
            sets => format!("; {{part}} is {sets}"),
        };
    let decides = match substitute.decides {
        SubstituteBy::Extension => {
            "the name that stands first hides the others, also from a lower game directory"
        }
        SubstituteBy::Directory => {
            "the copy of the highest game directory counts, and there the extension that stands first"
        }
        SubstituteBy::Layer => "the copy of the highest layer counts, and there the name that stands first",
    };
    let rank = match substitute.rank {
        SubstituteRank::Any => "",
        SubstituteRank::NotBelowDirectory => "; not from a game directory below that of the model",
        SubstituteRank::NotBelowLayer => "; not from a layer below that of the model",
    };
    let beside = match substitute.beside.join(" or ") {
        none if none.is_empty() => none,
        suffixes => format!(" Beside it, {suffixes} is asked for."),
    };
    let thing = thing(substitute.of);
    if matches!(&*substitute.names, []) || matches!(&*substitute.names, [name] if name == "{name}") {
        return format!("In the place of {thing}: no other file.");
    }
    format!(
        "In the place of {thing}{ending}: {}{parts}; {decides}{rank}.{beside}",
        names.collect::<Vec<_>>().join(", else ")
    )
}

fn of_text(text: &GameText) -> String {
    match text {
        GameText::Manifest { files } => format!(
            "{} in the base directory names all game directories: those of its lines basegame, and above them those of its lines gamedir. With a mission flag it is not read.",
            files.join(", else ")
        ),
        GameText::GameInfo { files, base_in } => format!(
            "{} in the directory of the game names one below it as fallback_dir; {base_in} also as basedir, in the place of the last directory always searched.",
            files.join(", else ")
        ),
        GameText::ArchiveList { file, skipped } => format!(
            "Where a game directory has {file}, the archives that its lines name stand above the numbered ones, and no others are loaded. A line that begins with {skipped} does not count."
        ),
    }
}

fn of_directories(rules: &Rules) -> Vec<String> {
    let (rules, stops) = (&rules.directories, &rules.stops);
    let folder = |name: &Text| match &**name {
        PLACEHOLDER => "the directories of missions".to_owned(),
        "." => "the base directory itself".to_owned(),
        USER => "the user's directory itself".to_owned(),
        name => name.to_owned(),
    };
    let mut texts = vec![format!("Always searched, low to high: {}.", join(rules.base.iter().map(folder)))];
    for stand_in in &*rules.stand_ins {
        texts
            .push(format!("Where {} is missing, {} stands in for it.", stand_in.missing, stand_in.directory));
    }
    if !rules.missions.is_empty() {
        let missions = rules.missions.iter().map(|mission| {
            if mission.flag == mission.directory {
                format!("-{}", mission.flag)
            } else {
                format!("-{} for {}", mission.flag, mission.directory)
            }
        });
        let taken = match rules.missions_taken {
            MissionsTaken::Every => "all that are given count",
            MissionsTaken::Highest => "the highest that is given counts",
            MissionsTaken::HighestUnlessGame => {
                "the highest that is given counts, unless a game is the directory of a mission or one that is always searched"
            }
        };
        texts.push(format!("Mission flags, low to high: {}; {taken}.", join(missions)));
    }
    texts.push(
        match rules.games {
            Games::Ignored => "No game is taken from the command line.",
            Games::First => "Of several games, the first counts.",
            Games::Last => "Of several games, the last counts.",
            Games::Every => "Every game counts, each above the one before.",
        }
        .to_owned(),
    );
    texts.extend(rules.most_games.map(|most| format!("At most {most} games count.")));
    texts.push(
        match rules.game_case {
            Case::Exact => "The folder of a game has the spelling that was given.",
            Case::Ignored => "The folder of a game is found in any case.",
        }
        .to_owned(),
    );
    if rules.game_folders.iter().any(|folder| folder != PLACEHOLDER) {
        let folders = rules.game_folders.iter().map(|folder| folder.replace(PLACEHOLDER, "MOD"));
        texts.push(format!("The game MOD stands for these, low to high: {}.", join(folders)));
    }
    if !rules.suffixes.is_empty() {
        let flags = rules.suffixes.iter().map(|flag| match &**flag {
            PLACEHOLDER => "the name of a language".to_owned(),
            flag => flag.to_owned(),
        });
        texts.push(format!(
            "Mission flags that add a directory above each game directory, as MOD_FLAG above MOD, low to high: {}.",
            join(flags)
        ));
    }
    if !rules.read_only.is_empty() {
        let folders = rules.read_only.iter().map(|folder| folder.replace(PLACEHOLDER, "MOD"));
        texts.push(format!("Never written to: {}.", join(folders)));
    }
    let (mut ignored, mut refused) = (Vec::new(), Vec::new());
    for odd in &*rules.odd_games {
        match odd {
            OddGame::Ignored(name) => ignored.push(odd_name(name)),
            OddGame::Refused(name) => refused.push(odd_name(name)),
            OddGame::CutAt(text) => texts.push(format!("The engine cuts the name of a game at \"{text}\".")),
        }
    }
    let stops = stops.contains(&Stop::OddGame);
    let at_refused = if stops {
        "The engine stops at a game if its name"
    } else {
        "The engine refuses a game if its name"
    };
    for (names, what) in [(ignored, "The engine ignores a game if its name"), (refused, at_refused)] {
        if !names.is_empty() {
            texts.push(format!("{what} {}.", names.join(", or ")));
        }
    }
    let again = match rules.named_again {
        NamedAgain::MovesUp => "stands where it is named last",
        NamedAgain::LooseMoveUp => {
            "has its loose files, and folders that are mounted as archives, where it is named last, and its archives where it is named first"
        }
        NamedAgain::MissionsStay => {
            "stands where it is named last, but that of a mission where its flag puts it"
        }
        NamedAgain::Stays => "stands where it is named first",
    };
    texts.push(format!("A directory that is named again {again}."));
    texts
}

fn of_bases(rules: &Rules) -> Vec<String> {
    let user = &rules.user;
    let rules = &rules.directories;
    let mut texts = Vec::new();
    texts.extend(match rules.base_games {
        BaseGames::Ignored => None,
        BaseGames::Every => Some(
            "Base games that are named stand in the place of the directories always searched.".to_owned(),
        ),
    });
    texts.push(
        match rules.more_bases {
            MoreBases::Ignored => "One base directory counts: the first.",
            MoreBases::Above => "Each further base directory stands above the one before.",
            MoreBases::Below => "Further base directories stand below the first one.",
        }
        .to_owned(),
    );
    texts.extend(rules.program_folder.map(|folder| {
        match folder {
            ProgramFolder::OwnArchives => {
                "The engine's own archives are looked for in the folder of its program first.".to_owned()
            }
            ProgramFolder::Base => {
                "The folder of the program is a base directory too, above the others and below the user's."
                    .to_owned()
            }
        }
    }));
    texts.push(match user {
        None => "No directory of the user's own is searched.".to_owned(),
        Some(user) => {
            let looked_at = match user.looked_at {
                UserLookedAt::Always => "",
                UserLookedAt::InSomeBuilds => ", in builds that have this option",
                UserLookedAt::WhereThere => ", where it is there",
            };
            let place = |place: &Text| format!("~/{place}");
            let places = user.linux.iter().map(place).collect::<Vec<_>>().join(" or ");
            let in_store = user.in_store.as_ref().map_or_else(String::new, |in_store| {
                let place = |edition: &str| format!("~/{}", in_store.linux.replace(PLACEHOLDER, edition));
                let (original, rerelease) = (place(ORIGINAL), place(RERELEASE));
                format!(" In a game of a store it is {original}, and {rerelease} for Nightdive's edition.")
            });
            if rules.base.iter().any(|base| base == USER) {
                format!("The user's directory is {places}{looked_at}; it has no copies of game directories.")
            } else {
                format!("Just above each game directory stands its copy in {places}{looked_at}.{in_store}")
            }
        }
    });
    texts
}

fn of_archives(rules: &Rules) -> Vec<String> {
    let mut texts: Vec<String> = rules.archives.sets.iter().map(|set| of_set(rules, set)).collect();
    if texts.is_empty() {
        return vec!["No archive of a game directory is loaded.".to_owned()];
    }
    texts.push("Each of these stands above the one before.".to_owned());
    texts.push(
        match rules.archives.hidden {
            Hidden::Seen => "An archive whose name begins with a dot is loaded like any other.",
            Hidden::Skipped => "An archive whose name begins with a dot is not loaded.",
        }
        .to_owned(),
    );
    texts.push(
        match rules.archives.nested_paks {
            NestedPaks::Ignored => "A pak inside an archive is an entry like any other.",
            NestedPaks::Below => "A pak inside an archive is loaded just below that archive.",
            NestedPaks::Above => "A pak inside an archive is loaded just above that archive.",
        }
        .to_owned(),
    );
    texts
}

fn of_set(rules: &Rules, set: &ArchiveSet) -> String {
    match set {
        ArchiveSet::Numbered { extensions, count, gaps, capitals } => {
            let names = extensions.iter().map(|extension| format!("{STEM}0.{extension}"));
            let last = count.map(|count| format!(" to number {}", count.saturating_sub(1)));
            let (gaps, empty) = match gaps {
                Gaps::Skip => ("those that are there", ""),
                Gaps::Stop { empty } => {
                    let empty = match empty {
                        EmptyArchive::Loaded => "",
                        EmptyArchive::EndsRun => "; an archive without entries counts as missing",
                        EmptyArchive::EndsRunUnlessFirst => {
                            "; an archive without entries counts as missing, but not number 0 of the first base directory"
                        }
                    };
                    ("up to the first number that is missing", empty)
                }
            };
            let (names, last) = (join(names), last.unwrap_or_default());
            let capitals = if *capitals { "; one that is missing is taken in capitals" } else { "" };
            format!("{names} and so on{last}, {gaps}{capitals}{empty}.")
        }
        ArchiveSet::Others { extensions, extension_case, alike, order } => {
            let is_first = rules.archives.sets.first() == Some(set);
            let all = if is_first { "All files" } else { "All other files" };
            let kinds = extensions.iter().map(|extension| format!(".{extension} ({})", kind_of(extension)));
            let case = match extension_case {
                Case::Exact => "in lower case alone",
                Case::Ignored => "in any case",
            };
            let order = match order {
                Order::Bytes => "by the bytes of the names",
                Order::Listed => "as the disk lists them",
                Order::IgnoreCase => "by name without case",
                Order::Capitals => "by name in capitals",
                Order::NumberThenName => "by the number after the stem, then by name without case",
            };
            let alike = match alike {
                Alike::Loaded => "",
                Alike::SkipNumbered => "; without those whose numbered name is spelled in another case",
                Alike::SkipSecond => "; of names that differ in case alone, the first",
            };
            format!("{all} with {}, {case}, {order}{alike}.", join(kinds))
        }
    }
}

fn kind_of(extension: &str) -> &'static str {
    match ArchiveKind::of(&format!(".{extension}")) {
        Some(ArchiveKind::Pak) | None => "PACK",
        Some(ArchiveKind::Zip) => "ZIP",
        Some(ArchiveKind::Folder) => "a folder",
        Some(_) => "files",
    }
}

fn of_own_archives(rules: &Rules) -> Vec<String> {
    let own = rules.archives.own.iter().map(|own| {
        let place = match own.place {
            OwnPlace::Lowest => "below everything",
            OwnPlace::AboveFirst => "just above number 0 of the first game directory",
            OwnPlace::AboveEachFirst => {
                "just above number 0 of the first game directory, and so does that of the user directory"
            }
        };
        let instead = own.instead_of.as_ref().map(|instead| format!(", and {instead} is not searched then"));
        let only = if own.only.is_empty() {
            String::new()
        } else {
            format!("; of its files only {} can be found", join(own.only.iter().map(ToString::to_string)))
        };
        format!("{} in the base directory stands {place}{}{only}.", own.file, instead.unwrap_or_default())
    });
    own.collect()
}

/// Whether these rules load ZIP archives.
fn has_zips(rules: &Rules) -> bool {
    rules.archives.kinds().any(|kind| kind == ArchiveKind::Zip)
}

fn of_bytes(rules: &Rules) -> Vec<String> {
    let paks = &rules.paks;
    let layout = paks
        .layout
        .map_or("the layout that its bytes show".to_owned(), |layout| format!("the layout {layout}"));
    let partial = match paks.partial_row {
        PartialRow::Ignored => "the whole rows are read",
        PartialRow::Refused => "the archive is not loaded",
    };
    let cut = match paks.cut_directory {
        CutDirectory::WholeRows => "the whole rows that are there are read",
        CutDirectory::Refused => "the archive is not loaded",
    };
    let wrong = match rules.archives.wrong {
        _ if rules.stops.contains(&Stop::WrongArchive) => "stops the engine",
        WrongArchive::Skipped => "is skipped",
        WrongArchive::EndsDirectory => {
            "is skipped, and so are the archives of its directory that would stand above it"
        }
    };
    let mut texts = vec![
        format!("A PACK archive is read in {layout}."),
        format!(
            "Where its directory ends inside a row, {partial}; where it ends past the end of the file, {cut}."
        ),
        format!("A file that is no archive {wrong}."),
    ];
    texts.extend(
        paks.furthest_entry
            .map(|most| format!("An archive with an entry that ends after byte {most} is not loaded.")),
    );
    if !has_zips(rules) {
        return texts;
    }
    let zips = &rules.zips;
    let refused: Vec<_> = zips.refused.iter().map(|form| zip_form(*form)).collect();
    if !refused.is_empty() {
        texts.push(format!("A ZIP is not loaded if it is {}.", refused.join(", or ")));
    }
    let dropped: Vec<_> = zips.dropped.iter().map(|form| zip_entry_form(*form)).collect();
    if !dropped.is_empty() {
        texts.push(format!("An entry of a ZIP is skipped if it is {}.", dropped.join(", or ")));
    }
    texts.extend(zips.longest_name.map(|longest| {
        let then = match longest.then {
            LongZipName::Cut => "is cut",
            LongZipName::Dropped => "is skipped",
            LongZipName::EndsDirectory => "is skipped, and so is every entry after it",
        };
        format!("An entry of a ZIP with a name of more than {} bytes {then}.", longest.most)
    }));
    texts
}

fn of_loose(rules: &Rules) -> Vec<String> {
    let loose = &rules.loose;
    let position = match loose.position {
        LoosePosition::Below => "below the archives of their directory",
        LoosePosition::Above => "above the archives of their directory",
        LoosePosition::Lowest => "below the archives of every game directory",
    };
    let case = match loose.case {
        LooseCase::Exact => "A loose file is found as it is spelled.",
        LooseCase::ExactThenLower => "A loose file is looked for as it was asked for, then in lower case.",
        LooseCase::Ignored => "A loose file is found in any case, and the requested spelling goes first.",
        LooseCase::IgnoredByDisk => "A loose file is found in any case, as the disk ignores case.",
        LooseCase::ExactHidesOthers => {
            "A loose file is found as it is spelled, and one of another spelling hides every lower copy."
        }
    };
    let mut texts = vec![format!("Loose files stand {position}."), case.to_owned()];
    if loose.hidden == Hidden::Skipped {
        texts.push("A file or folder whose name begins with a dot is not found.".to_owned());
    }
    if loose.bytes == LooseBytes::Ascii {
        texts.push("A name with a byte that is neither a space nor visible ASCII is not found.".to_owned());
    }
    let hides = [
        (loose.hides.folder, "a folder"),
        (loose.hides.special, "a socket or a device"),
        (loose.hides.dangling_link, "a link that leads nowhere"),
        (loose.hides.unreachable, "a path that cannot be looked up"),
        (loose.hides.unreadable, "a file that cannot be opened"),
    ];
    let hides: Vec<_> = hides.into_iter().filter_map(|(hides, what)| hides.then_some(what)).collect();
    if !hides.is_empty() {
        let what = hides.join(", or ");
        texts.push(format!("In a higher layer, {what} also hides the copies of its name."));
    }
    if let Some(Registered { file, shareware: Some(shareware), .. }) = &rules.registered
        && shareware.loose == LooseWithout::TopLevel
    {
        texts.push(format!("In the shareware, without {file}, loose files in folders are not found."));
    }
    texts
}

fn of_names(rules: &Rules) -> Vec<String> {
    let case = match rules.archives.case {
        Case::Exact => "Names in archives compare byte for byte.",
        Case::Ignored => "Names in archives compare without case.",
    };
    let row = match rules.archives.duplicates {
        Duplicates::First => "the first row counts",
        Duplicates::Last => "the last row counts",
        Duplicates::Searched => "the row counts that a binary search of the sorted names meets",
    };
    let unterminated = match rules.paks.unterminated {
        Unterminated::Whole => "is the whole field",
        Unterminated::Cut => "loses its last byte",
        Unterminated::RunsOn => "runs on into the bytes after it",
    };
    let mut texts = vec![
        case.to_owned(),
        format!("Of two equal names in one archive, {row}."),
        format!("A name in a PACK that fills its field {unterminated}."),
    ];
    texts.extend(parts(rules.paks.parts).map(|parts| format!("In the names of a PACK {parts}.")));
    if has_zips(rules) {
        texts.extend(parts(rules.zips.parts).map(|parts| format!("In the names of a ZIP {parts}.")));
        match rules.zips.names {
            ZipNames::AsStored => {}
            ZipNames::LowerCased => {
                texts.push("The names of a ZIP are read in lower case, and a request is not.".to_owned());
            }
        }
    }
    texts
}

fn of_requests(rules: &Rules) -> Vec<String> {
    let requests = &rules.requests;
    let backslash = match requests.backslash {
        Backslash::Literal => "is a byte like any other",
        Backslash::Slash => "is a /",
        Backslash::Refused => "makes the request find nothing",
    };
    let mut texts = vec![format!("A backslash {backslash}.")];
    for (what, reading) in [
        ("A / at the start", requests.leading_slash),
        ("A part that is a dot", requests.dot_component),
        ("An empty part", requests.empty_component),
        ("A part that begins with a dot", requests.hidden_component),
        ("A / at the end", requests.trailing_slash),
    ] {
        let does = match reading {
            Reading::Literal => "stays as it is, and for loose files the system reads it",
            Reading::Dropped => "is dropped",
            Reading::FirstDropped => "is dropped once",
            Reading::ArchivesOnly => "stays as it is, and no loose file is found",
            Reading::GameFolder => "leaves a loose file of the highest game directory alone",
            Reading::Refused => "makes the request find nothing",
        };
        texts.push(format!("{what} {does}."));
    }
    if requests.end_on_windows == Reading::ArchivesOnly {
        texts.push("A name that ends in a dot or a space is no loose file's on Windows.".to_owned());
    }
    let refused = requests.refused.iter();
    texts.extend(refused.map(|text| format!("Nothing is found for a name with {text} in it.")));
    let loose_only = requests.loose_only.iter();
    texts.extend(loose_only.map(|name| format!("{name} is not looked for in archives.")));
    texts.push(format!("A request has at most {} bytes.", requests.longest));
    let instead = requests.instead.iter();
    texts.extend(instead.map(|instead| {
        format!("For {}, the loose file {} is served where it is there.", instead.of, instead.file)
    }));
    texts
}

fn of_limits(rules: &Rules) -> Vec<String> {
    let limits = &rules.limits;
    let entries = limits.entries.map(|MostEntries { most, then }| {
        let then = match then {
            _ if rules.stops.contains(&Stop::TooManyEntries) => "stops the engine",
            TooMany::Skipped => "is not loaded",
            TooMany::Loaded => "is loaded with a message",
        };
        format!("A PACK of more than {most} entries {then}.")
    });
    let path = limits.path.map(|most| format!("A path on disk of more than {most} bytes is not found."));
    let name = Some(format!("A name has at most {} bytes.", limits.name));
    let archives = limits.archives.map(|most| format!("The game has at most {most} archives."));
    [entries, name, path, archives].into_iter().flatten().collect()
}

fn of_registered(rules: &Rules) -> Option<String> {
    let Registered { file, size, crc32, shareware, .. } = rules.registered.as_ref()?;
    let content = match (size, crc32) {
        (_, Some(_)) => " with the bytes of id's",
        (Some(_), None) => " with the size of id's",
        (None, None) => "",
    };
    let shareware = shareware.map(|shareware| {
        format!(" The shareware, an archive of {} entries, runs without it.", shareware.entries)
    });
    Some(format!("A registered copy has the file {file}{content}.{}", shareware.unwrap_or_default()))
}
fn odd_name(name: &GameName) -> String {
    match name {
        GameName::Is(text) if text.is_empty() => "is empty".to_owned(),
        GameName::Is(text) => format!("is \"{text}\""),
        GameName::Holds(text) => format!("holds \"{text}\""),
        GameName::Starts(text) => format!("begins with \"{text}\""),
        GameName::Ends(text) => format!("ends in \"{text}\""),
        GameName::Longer(most) => format!("has more than {most} bytes"),
        GameName::OtherThan(others) => {
            format!("holds anything but ASCII letters, digits and the characters of \"{others}\"")
        }
    }
}

fn parts(parts: NameParts) -> Option<&'static str> {
    match parts {
        NameParts::AsStored => None,
        NameParts::Slashes => Some("a backslash is a /"),
        NameParts::Cleaned => {
            Some("a backslash is a /, empty and . parts are dropped, and .. removes the part before it")
        }
        NameParts::WithoutParents => {
            Some("a backslash is a /, and .. is removed with what stands before it from the last / on")
        }
    }
}

fn zip_form(form: ZipForm) -> &'static str {
    match form {
        ZipForm::Zip64 => "a ZIP64",
        ZipForm::BytesInFront => "one that does not begin with an entry",
        ZipForm::LongComment => "one whose comment fills its last 65,535 bytes",
        ZipForm::CountTooLarge => "one that counts more rows than it has",
        ZipForm::EntryOutside => "one with an entry that starts past its end",
    }
}

fn zip_entry_form(form: ZipEntryForm) -> &'static str {
    match form {
        ZipEntryForm::Encrypted => "encrypted",
        ZipEntryForm::OtherMethod => "compressed by another method than deflate",
        ZipEntryForm::Utf8Flag => "marked as UTF-8",
        ZipEntryForm::NotAscii => "not ASCII and not marked as UTF-8",
        ZipEntryForm::Empty => "empty",
        ZipEntryForm::Link => "a symbolic link",
        ZipEntryForm::DosFolder => "marked as a folder of DOS",
        ZipEntryForm::FolderName => "of a name that ends in /",
    }
}

fn stop_words(stop: Stop) -> &'static str {
    match stop {
        Stop::OddGame => "A game whose name the engine refuses",
        Stop::MissingGame => "A game that is not there",
        Stop::OtherGame => {
            "An archive at which it stops in any other game of the base directories, as it mounts each of them once"
        }
        Stop::UnreadableGame => "A game directory that cannot be listed",
        Stop::MissingGameInfo => "A game directory without the text that names it as one",
        Stop::MissingFirstArchive => "A first base directory without the archive number 0",
        Stop::NotAFile => "A folder or a device with the name of a numbered archive",
        Stop::WrongArchive => "A file with the name of a PACK that is none",
        Stop::TooManyEntries => "A PACK of more entries than it has room for",
        Stop::TooManyArchives => "More archives than it has handles for",
        Stop::NegativeDirectory => "A PACK whose directory has a negative offset",
        Stop::CutDirectory => "A PACK with a directory that ends past the end of the file",
        Stop::EmptyArchive => "An archive without entries",
        Stop::BytesInFront => "A ZIP with bytes in front of it that its offsets do not count",
        Stop::LongZipName => "A name in a ZIP that is too long",
        Stop::CutEntry => "A read of an entry that ends past the end of its PACK",
        Stop::EntryOutside => "A read of an entry that starts past the end of its archive",
        Stop::BadZipEntry => "A read of an entry of a ZIP that cannot be decoded",
        Stop::EmptyFile => "A read of a file of 0 bytes",
        Stop::FolderAsFile => "A read of a name that is a folder's",
        Stop::Pipe => "A read of a pipe, where the engine hangs",
        Stop::Unregistered => "A game without the file of a registered copy",
        Stop::WrongRegistered => "A file of a registered copy that holds other bytes",
    }
}

/// `a`, `a and b`, `a, b and c`.
fn join(words: impl IntoIterator<Item = String>) -> String {
    let words: Vec<String> = words.into_iter().collect();
    match &words[..] {
        [first @ .., one, last] if !first.is_empty() => format!("{}, {one} and {last}", first.join(", ")),
        words => words.join(" and "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Engine, InStore, List, LongestZipName, OwnArchive, UserDirectory};

    fn texts(rules: &Rules) -> Vec<String> {
        sentences(rules).into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn every_engine_has_sentences_and_short_words() {
        for engine in Engine::ALL {
            let rules = engine.rules();
            for Sentence { topic, text } in sentences(rules) {
                assert!(text.ends_with('.') && !text.contains("..."), "{engine}: {topic}: {text}");
            }
            let short = in_short(rules);
            assert_eq!(short.archives.is_empty(), rules.archives.sets.is_empty(), "{engine}");
            assert!(!short.directories.is_empty() && !short.directories.contains('{'), "{engine}");
        }
    }

    #[test]
    fn engines_with_other_rules_have_other_sentences() {
        for one in Engine::ALL {
            for other in Engine::ALL {
                let mut renamed = one.rules().clone();
                renamed.name.clone_from(&other.rules().name);
                let same = texts(&renamed) == texts(other.rules());
                assert_eq!(same, renamed == *other.rules(), "{one} {other}");
            }
        }
    }

    /// Every variant of a field gives other sentences.
    fn check<T>(variants: impl IntoIterator<Item = T>, set: fn(&mut Rules, T)) {
        let mut seen = Vec::new();
        for variant in variants {
            // an engine that reads ZIP archives
            let mut rules = Engine::DarkPlaces.rules().clone();
            set(&mut rules, variant);
            let texts = texts(&rules);
            assert!(!seen.contains(&texts), "{texts:#?}");
            seen.push(texts);
        }
        assert!(seen.len() > 1);
    }

    fn one<T: Clone>(item: T) -> List<T> {
        vec![item].into()
    }

    fn set_of(rules: &mut Rules, gaps: Gaps) {
        let extensions = one(Text::from("pak"));
        rules.archives.sets = one(ArchiveSet::Numbered { extensions, count: None, gaps, capitals: false });
    }

    fn others_of(rules: &mut Rules, extension_case: Case, alike: Alike, order: Order) {
        let extensions = one(Text::from("pak"));
        rules.archives.sets = one(ArchiveSet::Others { extensions, extension_case, alike, order });
    }

    fn texture() -> Substitute {
        Engine::QuakeSpasm.rules().substitutes[0].clone()
    }

    #[test]
    fn every_variant_of_directories_and_archives_has_words() {
        check([Games::Ignored, Games::First, Games::Last, Games::Every], |r, v| r.directories.games = v);
        check([MissionsTaken::Every, MissionsTaken::Highest, MissionsTaken::HighestUnlessGame], |r, v| {
            r.directories.missions_taken = v;
        });
        check([Case::Exact, Case::Ignored], |r, v| r.directories.game_case = v);
        check(
            [NamedAgain::MovesUp, NamedAgain::LooseMoveUp, NamedAgain::MissionsStay, NamedAgain::Stays],
            |r, v| r.directories.named_again = v,
        );
        let name = GameName::Is("".into());
        let odd = [OddGame::Ignored(name.clone()), OddGame::Refused(name), OddGame::CutAt(";".into())];
        check(odd, |r, odd| r.directories.odd_games = one(odd));
        let names = [
            GameName::Is("".into()),
            GameName::Is("a".into()),
            GameName::Holds("a".into()),
            GameName::Starts("a".into()),
            GameName::Ends("a".into()),
            GameName::Longer(1),
            GameName::OtherThan("a".into()),
        ];
        check(names, |r, name| r.directories.odd_games = one(OddGame::Refused(name)));
        let empty = [EmptyArchive::Loaded, EmptyArchive::EndsRun, EmptyArchive::EndsRunUnlessFirst];
        check(empty.map(|empty| Gaps::Stop { empty }).into_iter().chain([Gaps::Skip]), set_of);
        check([Case::Exact, Case::Ignored], |r, v| others_of(r, v, Alike::Loaded, Order::Bytes));
        check([Alike::Loaded, Alike::SkipNumbered, Alike::SkipSecond], |r, v| {
            others_of(r, Case::Exact, v, Order::Bytes);
        });
        check(
            [Order::Bytes, Order::Listed, Order::IgnoreCase, Order::Capitals, Order::NumberThenName],
            |r, v| {
                others_of(r, Case::Exact, Alike::Loaded, v);
            },
        );
        check([BaseGames::Ignored, BaseGames::Every], |r, v| r.directories.base_games = v);
        check([None, Some(ProgramFolder::OwnArchives), Some(ProgramFolder::Base)], |r, v| {
            r.directories.program_folder = v;
        });
        check([MoreBases::Ignored, MoreBases::Above, MoreBases::Below], |r, v| r.directories.more_bases = v);
        check(
            [UserLookedAt::Always, UserLookedAt::InSomeBuilds, UserLookedAt::WhereThere],
            |r, looked_at| {
                let places = one(Text::from(".quake"));
                let (linux, macos, windows) = (places.clone(), places.clone(), places);
                r.user = Some(UserDirectory { linux, macos, windows, looked_at, in_store: None });
            },
        );
        check([".a/{}", ".b/{}"], |r, place| {
            let in_store = InStore { linux: place.into(), macos: place.into(), windows: place.into() };
            r.user.as_mut().unwrap().in_store = Some(in_store);
        });
        check([None, Some(1), Some(2)], |r, most_games| {
            r.console = Some(GameCommand { most_games, ..Engine::Fte.rules().console.clone().unwrap() });
        });
        check([SubstituteBy::Extension, SubstituteBy::Directory, SubstituteBy::Layer], |r, decides| {
            let mut row = texture();
            row.decides = decides;
            r.substitutes = one(row);
        });
        let ranks = [SubstituteRank::Any, SubstituteRank::NotBelowDirectory, SubstituteRank::NotBelowLayer];
        check(ranks, |r, rank| {
            let mut row = texture();
            row.rank = rank;
            r.substitutes = one(row);
        });
        let texts = [
            GameText::Manifest { files: one("a.fmf".into()) },
            GameText::GameInfo { files: one("a.txt".into()), base_in: "a.txt".into() },
            GameText::ArchiveList { file: "a.lst".into(), skipped: "b".into() },
        ];
        check(texts, |r, text| r.text = Some(text));
        check([Hidden::Seen, Hidden::Skipped], |r, v| r.archives.hidden = v);
        check([NestedPaks::Ignored, NestedPaks::Below, NestedPaks::Above], |r, v| r.archives.nested_paks = v);
        check([OwnPlace::Lowest, OwnPlace::AboveFirst, OwnPlace::AboveEachFirst], |r, place| {
            r.archives.own =
                one(OwnArchive { file: "a.pak".into(), place, instead_of: None, only: List::default() });
        });
    }

    #[test]
    fn every_variant_of_bytes_and_names_has_words() {
        check([PartialRow::Ignored, PartialRow::Refused], |r, v| r.paks.partial_row = v);
        check([CutDirectory::WholeRows, CutDirectory::Refused], |r, v| r.paks.cut_directory = v);
        check([WrongArchive::Skipped, WrongArchive::EndsDirectory], |r, v| r.archives.wrong = v);
        let forms = [
            ZipForm::Zip64,
            ZipForm::BytesInFront,
            ZipForm::LongComment,
            ZipForm::CountTooLarge,
            ZipForm::EntryOutside,
        ];
        check(forms, |r, v| r.zips.refused = one(v));
        let forms = [
            ZipEntryForm::Encrypted,
            ZipEntryForm::OtherMethod,
            ZipEntryForm::Utf8Flag,
            ZipEntryForm::NotAscii,
            ZipEntryForm::Empty,
            ZipEntryForm::Link,
            ZipEntryForm::DosFolder,
            ZipEntryForm::FolderName,
        ];
        check(forms, |r, v| r.zips.dropped = one(v));
        check([LongZipName::Cut, LongZipName::Dropped, LongZipName::EndsDirectory], |r, v| {
            r.zips.longest_name = Some(LongestZipName { most: 9, then: v });
        });
        let parts = [NameParts::AsStored, NameParts::Slashes, NameParts::Cleaned, NameParts::WithoutParents];
        check(parts, |r, v| r.zips.parts = v);
        check(parts, |r, v| r.paks.parts = v);
        check([Unterminated::Whole, Unterminated::Cut, Unterminated::RunsOn], |r, v| {
            r.paks.unterminated = v;
        });
        check([ZipNames::AsStored, ZipNames::LowerCased], |r, v| r.zips.names = v);
        check([Case::Exact, Case::Ignored], |r, v| r.archives.case = v);
        let duplicates = [Duplicates::First, Duplicates::Last, Duplicates::Searched];
        check(duplicates, |r, v| r.archives.duplicates = v);
    }

    #[test]
    fn every_variant_of_loose_files_requests_and_stops_has_words() {
        check([LoosePosition::Below, LoosePosition::Above, LoosePosition::Lowest], |r, v| {
            r.loose.position = v;
        });
        let case = [
            LooseCase::Exact,
            LooseCase::ExactThenLower,
            LooseCase::Ignored,
            LooseCase::IgnoredByDisk,
            LooseCase::ExactHidesOthers,
        ];
        check(case, |r, v| r.loose.case = v);
        check([Hidden::Seen, Hidden::Skipped], |r, v| r.loose.hidden = v);
        check([LooseBytes::Any, LooseBytes::Ascii], |r, v| r.loose.bytes = v);
        check([LooseWithout::All, LooseWithout::TopLevel], |r, v| {
            r.registered.as_mut().unwrap().shareware.as_mut().unwrap().loose = v;
        });
        check([Backslash::Literal, Backslash::Slash, Backslash::Refused], |r, v| r.requests.backslash = v);
        let readings = [
            Reading::Literal,
            Reading::Dropped,
            Reading::FirstDropped,
            Reading::ArchivesOnly,
            Reading::GameFolder,
            Reading::Refused,
        ];
        check(readings, |r, v| r.requests.leading_slash = v);
        check([TooMany::Skipped, TooMany::Loaded], |r, then| {
            r.limits.entries = Some(MostEntries { most: 9, then });
        });
        check(Stop::ALL.iter().copied(), |r, v| r.stops = one(v));
    }
}
