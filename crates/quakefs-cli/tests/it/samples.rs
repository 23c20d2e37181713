//! A sample of every sentence of the project, and a check that outputs contain only such sentences.
//!
//! Values in a sample are in `‹›`. Suites that look at behaviour replace the sentences that they know by the
//! names of their kinds, so that a sentence is asserted in one place.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::OnceLock;

use pak_format::folder::SkipReason;
use pak_format::{EntryName, FindingKind as PakFinding, Layout, NameFault};
use quakefs::findings::{FindingKind, Location, NoPath, Severity};
use quakefs::rules::{Host, RequestError, SubstituteKind};
use quakefs::sentences::{Help, Shell, with_causes};
use quakefs::why::{Explanation, Registration, explain};
use quakefs::{Engine, Error, ErrorKind, Finding};
use quakefs_cli::words::{MayHaveIt, TooManyFor, TooMuchWritten};
use quakefs_extract::{NotWritten, Refusal};
use quakefs_game::words::{MixedEditions, Registered, not_selected};
use quakefs_game::{FileRow, SubstituteRow};
use quakefs_installed::Known;
use quakefs_installed::Nothing;
use quakefs_installed::Selection;
use quakefs_needs::{By, Incident, IncidentKind, Kind, Need, Trouble};
use regex::Regex;

/// The texts of one kind.
#[derive(Debug)]
pub(crate) struct Sample {
    /// What the kind is one of: `finding`, `precedence`.
    pub(crate) subject: &'static str,
    /// The name of the kind.
    pub(crate) name: String,
    /// The severity of a finding.
    pub(crate) severity: Option<Severity>,
    /// The sentence.
    pub(crate) sentence: String,
    /// The cause without the engine's reaction, if that is a different sentence.
    pub(crate) cause: Option<String>,
    /// The advice for a reader without a command line.
    pub(crate) help: Option<String>,
    /// The advice for a reader with a command line, if it differs.
    pub(crate) help_in_shell: Option<String>,
}

struct Line;

impl Shell for Line {
    fn command(&self, name: &str, other: Option<(&str, &str)>) -> String {
        let other = other.map_or_else(String::new, |(_, game)| format!("--game {game} "));
        format!("quakefs ‹options› {other}{name}")
    }

    fn quoted(&self, words: &[&str]) -> String {
        words.join(" ")
    }
}

fn sample(subject: &'static str, name: impl Into<String>, thing: &impl Help) -> Sample {
    let help = thing.help(None);
    let help_in_shell = thing.help(Some(&Line)).filter(|in_shell| help.as_ref() != Some(in_shell));
    let sentence = thing.to_string();
    Sample { subject, name: name.into(), severity: None, sentence, cause: None, help, help_in_shell }
}

#[expect(clippy::needless_pass_by_value, reason = "callers pass what they just made")]
fn sentence(subject: &'static str, name: impl Into<String>, sentence: impl ToString) -> Sample {
    let sentence = sentence.to_string();
    Sample {
        subject,
        name: name.into(),
        severity: None,
        sentence,
        cause: None,
        help: None,
        help_in_shell: None,
    }
}

/// A text of a table, with `‹name›` for `{name}`.
fn marked(template: &str) -> String {
    static VALUE: OnceLock<Regex> = OnceLock::new();
    let value = VALUE.get_or_init(|| Regex::new(r"\{(\w+)(:[^}]*)?\}").unwrap());
    let text = template.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let text = value.replace_all(&text, |found: &regex::Captures<'_>| {
        match found.get(2).map(|form| form.as_str()) {
            Some(":?") => format!("\"‹{}›\"", &found[1]),
            _ => format!("‹{}›", &found[1]),
        }
    });
    text.replace('\u{1}', "{").replace('\u{2}', "}")
}

/// Every row of the tables.
fn rows() -> Vec<Sample> {
    let mut all = Vec::new();
    let at = Location::layer("‹folder›/‹name›");
    for (subject, rows) in quakefs::why::sentences(&at) {
        // a sentence that contains another one has separate samples
        for row in rows.iter().filter(|row| subject == "finding" || literal_length(&marked(row.sentence)) > 0)
        {
            let text = marked(row.sentence);
            let advice = |shell: Option<&dyn Shell>| {
                row.advice.as_ref().map(|advice| marked(&advice.sentence(Some(&at), shell)))
            };
            let whole = match row.label.name.split_once(' ') {
                Some(("engine-stops", _)) => format!("‹engine› stops with an error: {text}"),
                _ if row.label.skips => format!("skipped: {text}"),
                _ if subject == "not writable" => format!("‹name›: not written: {text}"),
                _ => text.clone(),
            };
            all.push(Sample {
                subject,
                name: if matches!(subject, "zip" | "not writable" | "too much") {
                    subject.replace(' ', "-")
                } else {
                    row.label.name.to_owned()
                },
                severity: row.label.severity,
                cause: Some(text).filter(|text| *text != whole),
                sentence: whole,
                help: row.help.map(marked).or_else(|| advice(None)),
                help_in_shell: row.help_in_shell.map(marked).or_else(|| {
                    advice(Some(&Line)).filter(|in_shell| Some(in_shell) != advice(None).as_ref())
                }),
            });
        }
    }
    all
}

/// A sample of each kind that has a sentence.
pub(crate) fn samples() -> Vec<Sample> {
    let mut all = rows();
    all.extend(archive_findings());
    let asked = [text("asked")];
    let substitute = |tried: &[String], skipped| SubstituteRow {
        engine: "‹engine›".to_owned(),
        kind: SubstituteKind::Skin.name(),
        name: "‹name›".to_owned(),
        level: None,
        loaded: None,
        tried: tried.to_vec(),
        overridden: Vec::new(),
        skipped,
        is_addition: false,
    };
    all.push(sample("substitute", "missing", &substitute(&asked, Vec::new())));
    let many: Vec<_> = (1..=8).map(|number| format!("‹asked {number}›")).collect();
    for asked in [&many[..], &[]] {
        all.push(sample("substitute", "missing", &substitute(asked, Vec::new())));
    }
    let below = FileRow {
        name: "‹file›".to_owned(),
        layer: "‹layer›".to_owned(),
        index: 0,
        kind: "pak",
        stored: "‹file›".to_owned(),
        entry: None,
        size: 0,
        content_type: "other",
    };
    all.push(sample("substitute", "below", &substitute(&asked, vec![below])));
    let unknown = quakefs_game::Error::NoSubstitutes {
        engine: "‹engine›".to_owned(),
        kind: SubstituteKind::Texture,
    };
    all.push(sample("substitute", "unknown", &unknown));
    all.extend(misses());
    all.extend(not_written());
    all.extend(games());
    all.extend(errors());
    all.extend(needs());
    all.extend(downloads());
    all
}

/// Downloads that go nowhere, and files at a wrong place.
fn downloads() -> Vec<Sample> {
    let nothing = [
        Nothing::Empty,
        Nothing::Texts,
        Nothing::Loose,
        Nothing::Music,
        Nothing::Config,
        Nothing::Textures,
        Nothing::Source,
        Nothing::Unknown,
        Nothing::BadName,
    ];
    let mut all: Vec<_> = nothing.iter().map(|nothing| sample("nothing", nothing.name(), nothing)).collect();
    let game = testutils::Folder::with([("id1/config.cfg", "x"), ("maps/‹level›.bsp", "x")]);
    game.write("‹download›.zip", testutils::zip([("‹mod›/progs.dat", "x")]));
    let search_path = quakefs::SearchPath::builder(game.path()).mount().unwrap();
    all.extend(quakefs_installed::misplaced(&search_path).iter().map(|found| {
        let mut sample = sample("misplaced", found.name(), found);
        sample.help_in_shell = sample.help_in_shell.map(|help| game.redact(&help));
        sample
    }));
    all
}

/// Missing files of levels, and problems while they load.
fn needs() -> Vec<Sample> {
    let at = |kind: IncidentKind| {
        let mut incident = Incident::new(kind);
        incident.entity = 7;
        incident.class = "‹class›".as_bytes().into();
        incident.function = "‹function›".as_bytes().into();
        incident
    };
    let incident = |kind: IncidentKind| {
        let incident = at(kind);
        sample("needs", incident.kind.name(), &incident)
    };
    let mut all: Vec<_> = IncidentKind::samples().into_iter().map(incident).collect();
    let mut ends = at(IncidentKind::EmptyName);
    ends.ends = true;
    all.push(sample("needs", "empty-name ends", &ends));
    let troubles = [
        Trouble::NoLevel,
        Trouble::NoProgram { name: "progs.dat".into(), reason: text("reason"), help: text("help") },
        Trouble::NativeCode { engine: text("engine").into() },
        Trouble::NoGame { engine: text("engine").into() },
        Trouble::Unreadable { name: text("name").into_bytes().into(), reason: text("reason") },
        Trouble::OtherProgram { name: "progs.dat".into(), checksum: 54730 },
        Trouble::Budget,
        Trouble::Stopped,
    ];
    all.extend(troubles.iter().map(|trouble| sample("needs", trouble.name(), trouble)));
    let by = vec![By::File(b"maps/a.bsp"[..].into()), By::Function(b"precache_ogre"[..].into())];
    all.push(sentence("needs", "missing-file", Need::new(self::text("file").into_bytes(), Kind::Sound, by)));
    all
}

/// The name of a variant as `Debug` prints it, in the form of the names of kinds: `AfterGap { .. }` is
/// `after-gap`.
fn kebab(debug: &str) -> String {
    let variant = debug.split([' ', '(']).next().unwrap();
    let mut name = String::new();
    for letter in variant.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

fn text(name: &str) -> String {
    format!("‹{name}›")
}

fn reason() -> Error {
    Error::from(io::Error::other("‹reason›"))
}

/// What verifying an archive finds.
fn archive_findings() -> Vec<Sample> {
    let finding = |kind| {
        let archive = "a.pak".to_owned();
        let entry = Location::Entry { archive, entry: 9, name: b"Maps/A.bsp"[..].into() };
        let finding = Finding::of_archive(entry, FindingKind::Archive(kind));
        let sample = sample("finding", finding.kind.name(), &finding);
        Sample { severity: Some(finding.severity), sentence: finding.sentence(), ..sample }
    };
    of_archives().into_iter().map(finding).collect()
}

/// Names that are not found, in small games.
fn misses() -> Vec<Sample> {
    let cases = [
        ("id1/: a", "", Engine::WinQuake),
        ("id1/: a", "../b", Engine::WinQuake),
        ("id1/: a", "nul.cfg", Engine::WinQuake),
        ("id1/: a; id1/pak1.pak: ‹name›", "‹name›", Engine::WinQuake),
        ("id1/pak0.pak: ‹stored›", "‹STORED›", Engine::WinQuake),
        ("id1/pak0.pak: b/‹name›; qw/: b/‹NAME›", "b/‹name›", Engine::Mvdsv),
        ("id1/pak0.pak: ‹name›", "id1/‹name›", Engine::WinQuake),
        ("id1/pak0.pak: ‹folder›/‹name›", "‹name›", Engine::WinQuake),
        ("id1/pak0.pak: id1/‹name›", "‹name›", Engine::WinQuake),
        ("id1/: id1/‹name›", "‹name›", Engine::WinQuake),
        ("id1/: a; id1/‹folder›/pak7.pak: ‹name›", "‹name›", Engine::WinQuake),
        ("id1/pak0.pak: a; id1/pak2.pak: id1/‹NAME›", "‹name›", Engine::QuakeSpasm),
        ("id1/pak0.pak: a; id1/pak2.pak: ‹folder›/‹name›", "‹name›", Engine::QuakeSpasm),
        ("id1/pak0.pak: ‹folder›/‹NAME›", "‹name›", Engine::QuakeSpasm),
        ("id1/pak0.pak: id1/‹NAME›", "‹name›", Engine::QuakeSpasm),
        ("id1/pak0.pak: id1/‹folder›/‹NAME›", "‹name›", Engine::QuakeSpasm),
        ("id1/pak0.pak: a; ‹game›/pak0.pak: ‹name›", "‹name›", Engine::QuakeSpasm),
        ("id1/pak0.pak: a; ‹game›/pak0.pak: ‹name›", "‹game›/‹name›", Engine::QuakeSpasm),
        ("id1/pak0.pak: a; hipnotic/pak0.pak: ‹name›", "‹name›", Engine::QuakeSpasm),
        ("id1/pak0.pak: ‹folder›/‹name›", "‹folder›", Engine::WinQuake),
        ("id1/pak0.pak: ‹name›.tga", "‹name›.lmp", Engine::WinQuake),
        ("id1/pak0.pak: ‹name› ‹nome›", "‹mome›", Engine::WinQuake),
        ("id1/pak0.pak: maps/start.bsp", "‹name›", Engine::WinQuake),
    ];
    let values = [
        ("id1/‹folder›/pak7.pak", "‹archive›"),
        ("straight in id1/", "straight in ‹directory›"),
        ("id1/pak0.pak", "‹layer›"),
        ("id1/pak1.pak", "‹layer›"),
        ("qw/ has", "‹layer› has"),
        ("id1/ has", "‹layer› has"),
        ("pak0.pak is missing", "‹reason›"),
        ("id1/pak2.pak", "‹layer›"),
        ("‹game›/pak0.pak", "‹layer›"),
        ("pak1.pak is missing", "‹reason›"),
        ("winquake", "‹engine›"),
        ("quakespasm", "‹engine›"),
        ("mvdsv", "‹engine›"),
    ];
    let general = |text: String| values.iter().fold(text, |text, (value, mark)| text.replace(value, mark));
    let miss = |(tree, asked, engine): (&str, &str, Engine)| {
        let game = testutils::game(tree);
        let builder = quakefs::SearchPath::builder(game.path()).engine(engine);
        // Windows devices
        let builder = if asked == "nul.cfg" { builder.host(Host::Windows) } else { builder };
        let quake = builder.mount().unwrap();
        match explain(&quake, asked) {
            Explanation::Missing(missing) => {
                let said = sample("miss", missing.cause, &missing);
                Some(Sample { sentence: general(said.sentence), ..said })
            }
            Explanation::Served { .. } => None,
        }
    };
    cases.into_iter().filter_map(miss).collect()
}

fn not_written() -> Vec<Sample> {
    let path = || EntryName::from_bytes("‹path›".as_bytes()).into();
    let much = |limit| TooMuchWritten { claimed: 9001, source_size: 9003, limit };
    let refused = |name, why: Refusal| sentence("fix", name, why);
    let not_written = |name, why: NotWritten| sentence("not written", name, format!("not written: {why}"));
    let all = vec![
        refused("taken", Refusal::Taken { name: text("name") }),
        refused("linked", Refusal::Linked { link: text("link").into() }),
        refused("outside", Refusal::Outside { folder: text("folder").into() }),
        not_written("already-there", NotWritten::AlreadyThere),
        not_written("folder-there", NotWritten::FolderThere),
        not_written("link-in-the-way", NotWritten::LinkInTheWay { folder: path() }),
        not_written("not-a-folder", NotWritten::NotAFolder { folder: path() }),
        not_written("source-archive", NotWritten::SourceArchive { archive: text("archive").into() }),
        not_written("no-path", NotWritten::NoPath(NoPath::LongPath { found: 9001, most: 9002 })),
        not_written("read", NotWritten::Read(reason())),
        not_written("write", NotWritten::Write(reason())),
        sample("not written", "too-much", &much(None)),
        sample("not written", "too-much", &much(Some(9004))),
    ];
    all
}

/// What is known of a game or an archive as a whole.
fn games() -> Vec<Sample> {
    let mut rules = Engine::WinQuake.rules().clone();
    rules.name = text("engine").into();
    let mut all = Vec::new();
    for stops in [false, true] {
        for registration in [Registration::Registered, Registration::Shareware, Registration::Corrupt] {
            all.push(sample(
                "registration",
                registration.name(),
                &Registered { registration, rules: &rules },
            ));
        }
        if !stops {
            rules.stops = Vec::new().into();
        }
    }
    let engines = vec![(text("engine"), 9001), (text("engine"), 9002)];
    let no_game = |name: &str, selection: Selection| Sample {
        severity: None,
        subject: "game",
        name: name.to_owned(),
        sentence: not_selected(&selection, &text("engine")).unwrap(),
        cause: None,
        help: None,
        help_in_shell: None,
    };
    all.extend([
        no_game("part", Selection::Part(text("part"))),
        no_game("ignored", Selection::Ignored),
        no_game("stops", Selection::Stops),
        no_game("no-games", Selection::NoGames),
    ]);
    let [known, of_other] = ["data1/pak0.pak", "data1/pak1.pak"]
        .map(|file| Known::all().find(|known| known.file == file).unwrap());
    let mixed = MixedEditions { known, other: text("other"), of_other, at: Location::layer(text("archive")) };
    all.push(sample("check", MixedEditions::NAME, &mixed));
    all.push(sample("archive", "too-many-entries", &TooManyFor { entries: 9003, engines }));
    all.push(sample("game", "problems", &MayHaveIt(1)));
    all.push(sample("game", "problems", &MayHaveIt(9001)));
    all.extend(not_packed());
    all
}

fn of_archives() -> Vec<PakFinding> {
    let number = 9001;
    let kinds = vec![
        PakFinding::Unreadable(pak_format::ErrorKind::EntryOutside {
            offset: 9001,
            stored_size: 9002,
            image_size: 9003,
        }),
        PakFinding::InHeader,
        PakFinding::InDirectory,
        PakFinding::Overlap { other: number },
        PakFinding::Shared { entries: number, first: number, bytes: 9002 },
        PakFinding::Duplicate { first: number },
        PakFinding::SameWithoutCase { first: number },
        PakFinding::SameOnWindows { first: number },
        PakFinding::FileAndFolder { entry: number },
        PakFinding::UnsafeName(NameFault::Colon),
        PakFinding::DottedName,
        PakFinding::NoNul { length: number },
        PakFinding::NotAscii,
        PakFinding::LocalHeader { fields: vec!["name", "CRC"] },
        PakFinding::TwoDirectories { read: 9001, other: 9002 },
        PakFinding::GarbageAfterNul { entries: number, first: number },
        PakFinding::Holes { count: number, bytes: 9002 },
        PakFinding::Tail { bytes: 9002 },
        PakFinding::Expansion { content: 9001, archive: 9002 },
        PakFinding::NotDecoded { entries: number },
    ];
    assert_all(&kinds, PakFinding::VARIANTS, &[]);
    kinds
}

/// The samples contain each variant, except the ones in `without`.
fn assert_all(kinds: &[impl std::fmt::Debug], variants: &[&str], without: &[&str]) {
    let debug: Vec<_> = kinds.iter().map(|kind| format!("{kind:?}")).collect();
    let has = |variant: &&&str| debug.iter().any(|kind| kind.split(['(', ' ']).next() == Some(**variant));
    let missing: Vec<_> =
        variants.iter().filter(|variant| !has(variant) && !without.contains(variant)).collect();
    assert!(missing.is_empty(), "no sample of {missing:?}");
}

fn not_packed() -> Vec<Sample> {
    let reasons = [
        SkipReason::Link,
        SkipReason::NotRegular,
        SkipReason::Archive,
        SkipReason::Temporary,
        SkipReason::Unwanted,
        SkipReason::NoName,
        SkipReason::NotUtf8,
    ];
    assert_eq!(reasons.len() + 1, SkipReason::VARIANTS.len(), "all but Io");
    let sample = |reason: SkipReason| Sample {
        severity: None,
        subject: "not packed",
        name: reason.name().to_owned(),
        sentence: format!("not packed: {reason}"),
        cause: None,
        help: Some(reason.help().to_owned()),
        help_in_shell: match reason {
            SkipReason::Unwanted => Some("--all packs it too".to_owned()),
            SkipReason::NoName => Some("name that folder with -C".to_owned()),
            _ => None,
        },
    };
    reasons.into_iter().map(sample).collect()
}

fn errors() -> Vec<Sample> {
    let name = || EntryName::from_bytes("‹name›".as_bytes()).into();
    let requests = [
        RequestError::Empty,
        RequestError::TooLong,
        RequestError::NoRoom,
        RequestError::Parent,
        RequestError::Nul,
        RequestError::Drive,
        RequestError::Folder,
        RequestError::Backslash,
        RequestError::LeadingSlash,
        RequestError::Dot,
        RequestError::Hidden,
        RequestError::EmptyComponent,
    ];
    let wad =
        quake_content::Wad::parse(b"WAD2").err().map(|error| ("directory", ErrorKind::Directory(error)));
    let requests = requests.map(|reason| ("request", ErrorKind::Request { name: name(), reason }));
    let kinds = requests.into_iter().chain(wad);
    let mut all: Vec<_> = kinds.map(|(name, kind)| sample("error", name, &Error::from(kind))).collect();
    let codes = [("not-found", 2), ("permissions", 13), ("too-many-open", 24), ("disk", 5)];
    all.extend(codes.map(|(name, code)| {
        let error = Error::from(io::Error::from_raw_os_error(code));
        Sample { sentence: with_causes(&error), ..sample("error", format!("io {name}"), &error) }
    }));
    all.extend(pak_errors().into_iter().map(|kind| {
        let name = kebab(&format!("{kind:?}"));
        sample("archive error", name, &pak_format::Error::from(kind))
    }));
    all
}

fn pak_errors() -> Vec<pak_format::ErrorKind> {
    use pak_format::ErrorKind;

    let name = || EntryName::from_bytes("‹name›".as_bytes()).into();
    let kinds = vec![
        ErrorKind::ShortHeader { found: 9001 },
        ErrorKind::UnknownMagic { found: *b"????" },
        ErrorKind::UnknownMagic { found: *b"PK\x03\x04" },
        ErrorKind::UnknownMagic { found: *b"WAD2" },
        ErrorKind::WrongMagic { layout: Layout::Quake, found: *b"????" },
        ErrorKind::WrongMagic { layout: Layout::Quake, found: *b"SPAK" },
        ErrorKind::DirectoryInHeader { offset: 9001 },
        ErrorKind::DirectoryOutside { offset: 9001, size: 9002, image_size: 9003 },
        ErrorKind::PartialRow { size: 9001, layout: Some(Layout::Quake) },
        ErrorKind::PartialRow { size: 9001, layout: None },
        ErrorKind::AmbiguousLayout { rows_quake: 9001, rows_daikatana: 9002 },
        ErrorKind::EntryOutside { offset: 9001, stored_size: 9002, image_size: 9003 },
        ErrorKind::Expansion { size: 9001, compressed_size: 9002, limit: 9003 },
        ErrorKind::Name(NameFault::Empty),
        ErrorKind::Name(NameFault::Parent),
        ErrorKind::Name(NameFault::Absolute),
        ErrorKind::Name(NameFault::Folder),
        ErrorKind::Name(NameFault::Colon),
        ErrorKind::Name(NameFault::Backslash),
        ErrorKind::Name(NameFault::Control),
        ErrorKind::Name(NameFault::Device),
        ErrorKind::Name(NameFault::TooLong),
        ErrorKind::Name(NameFault::EmptyComponent),
        ErrorKind::TooLarge { size: 9001 },
        ErrorKind::TooManyEntries { entries: 9001, most: 9000 },
        ErrorKind::Several { count: 9001 },
        ErrorKind::Duplicate { first: 9001 },
        ErrorKind::NoEntry { name: name() },
        ErrorKind::NoSuchRow { row: 9001, rows: 9002 },
        ErrorKind::OtherArchive,
        ErrorKind::ContentChanged { expected: 9001, found: 9002 },
        ErrorKind::EntryInHeader { offset: 9001 },
        ErrorKind::Locked,
        ErrorKind::ArchiveChanged,
        ErrorKind::Stopped,
        ErrorKind::NotDurable { kind: io::ErrorKind::Other },
        ErrorKind::UnknownLayout { name: text("name") },
    ];
    // their sentences have causes
    assert_all(&kinds, ErrorKind::VARIANTS, &["Codec", "Io"]);
    kinds
}

/// A text in which each sentence that has a sample is the name of its kind in brackets, and each advice is
/// `[…]`.
///
/// A line of JSON keeps its form: the sentences in its texts are replaced.
pub(crate) fn by_name(text: &str) -> String {
    static KNOWN: OnceLock<Vec<(Regex, String)>> = OnceLock::new();
    let known = KNOWN.get_or_init(known);
    let lines = text.split('\n').map(|line| {
        let line = line.to_owned();
        known.iter().fold(line, |line, (sentence, name)| {
            if sentence.is_match(&line) {
                sentence.replace_all(&line, name.as_str()).into_owned()
            } else {
                line
            }
        })
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The patterns of all sentences with the names for them, the most specific first.
fn known() -> Vec<(Regex, String)> {
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut add = |text: String, name: &str| {
        // the name that a message begins with is not the sentence's
        let named = text.strip_prefix('‹').and_then(|text| text.split_once("›: "));
        let text = match named {
            Some((name, sentence)) if !name.contains('‹') => sentence.to_owned(),
            _ => text,
        };
        known.entry(text).or_default().insert(name.to_owned());
    };
    for Sample { name, sentence, cause, help, help_in_shell, .. } in samples() {
        add(sentence, &name);
        if let Some(cause) = cause {
            add(cause, &name);
        }
        for help in [help, help_in_shell].into_iter().flatten() {
            add(help, "…");
        }
    }
    let mut known: Vec<_> = known.into_iter().filter(|(text, _)| literal_length(text) >= 10).collect();
    known.sort_by_key(|(text, _)| std::cmp::Reverse(literal_length(text)));
    let known = known.into_iter().map(|(text, names)| {
        // kinds with the same sentence differ only in the first words of their names
        let names: BTreeSet<_> = match names.len() {
            1 => names,
            _ => names.iter().map(|name| name.split(' ').next().unwrap().to_owned()).collect(),
        };
        let names = format!("[{}]", names.into_iter().collect::<Vec<_>>().join("|"));
        // what a longer sentence ends with may be a sentence too
        let inner = ["‹reason›", "‹rule›", "‹because›", "‹fault›", "‹kind›"];
        match inner.iter().find_map(|inner| text.strip_suffix(inner)) {
            Some(start) => (Regex::new(&pattern(start)).unwrap(), format!("{names} ")),
            None => (Regex::new(&pattern(&text)).unwrap(), names),
        }
    });
    known.collect()
}

/// How much of a sentence stands outside of its values.
pub(crate) fn literal_length(text: &str) -> usize {
    let ends = |part: &str| part.split_once('›').map_or(part.len(), |(_, rest)| rest.len());
    text.split('‹').map(ends).sum()
}

fn pattern(text: &str) -> String {
    let mut pattern = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('‹') {
        let (name, after) = after.split_once('›').unwrap();
        literal(before, &mut pattern);
        pattern.push_str(match name {
            "engine" => r"[\w-]+",
            "place" | "location" | "other" | "hidden" | "by" | "winner" => {
                r#"[^\s:"]+(?:: entry \d+ \([^)]*\))?"#
            }
            "reason" | "options" | "option" | "why" | "fault" | "rule" | "because" | "help" | "fix"
            | "renames" | "engines" => r#"(?:[^"\\]|\\.)+?"#,
            _ => r#"[^\s:"]+(?:(?: \d{3})*(?: bytes?)?)"#,
        });
        rest = after;
    }
    literal(rest, &mut pattern);
    if text.ends_with('›') {
        pattern = pattern.trim_end_matches('?').to_owned();
    }
    pattern
}

/// A number matches any number, and quotes may be escaped as in JSON.
fn literal(text: &str, pattern: &mut String) {
    static NUMBER: OnceLock<Regex> = OnceLock::new();
    let number = NUMBER.get_or_init(|| Regex::new(r"9 ?00\d").unwrap());
    let escaped = regex::escape(text).replace('"', r#"\\?""#);
    pattern.push_str(&number.replace_all(&escaped, r"\d[\d ]*").replace(r"\?\?\?\?", r#"[^"]*?"#));
}
