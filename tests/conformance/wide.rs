//! The recorded answers to hand-made layouts: odd names, damaged archives, links, user directories.
//!
//! `testdata/README.md` describes the fields of a layout. Layouts of Windows run twice: in a plain folder
//! with the rules of Windows, and on a disk that ignores case.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;

use camino::{Utf8Path, Utf8PathBuf};
use flate2::read::ZlibDecoder;
use libtest_mimic::{Failed, Trial};
use pak_format::Layout;
use quakefs::findings::FindingKind;
use quakefs::rules::{EngineStop, Host};
use quakefs::{Access, Builder, Engine, ErrorKind, Finding, LooseFiles, SearchPath};
use serde::Deserialize;
use testutils::{pack, testdata};

use crate::exceptions::{BETTER, EXCEPTIONS, NO_RULE, POLICY, Why};
use crate::recorded::read_gz;
use crate::runner::{Question, engine_line};

#[derive(Deserialize)]
pub(crate) struct Wide {
    #[serde(default = "linux")]
    host: Host,
    direction: String,
    case: String,
    /// With their dash: `-hipnotic`.
    flags: Vec<String>,
    games: Vec<String>,
    userdir: bool,
    as_nobody: bool,
    tree: Vec<Item>,
    stops: bool,
    /// The answer depended on uninitialised memory, so that no rule can predict it.
    #[serde(default)]
    memory: bool,
    answers: BTreeMap<String, Option<String>>,
    /// Several contents; one of them was the answer.
    #[serde(default)]
    any: BTreeMap<String, Vec<Option<String>>>,
    /// Lines at the console after the start.
    #[serde(default)]
    console: Vec<String>,
    /// What the engine printed for each of them.
    #[serde(default)]
    says: Vec<String>,
    /// The file, or the archive and its row, of each copy by its number.
    #[serde(default)]
    copies: BTreeMap<String, String>,
    /// Names whose bytes are the Latin-1 values of their characters.
    #[serde(default)]
    raw_names: Vec<String>,
}

#[derive(Deserialize)]
struct Item {
    path: String,
    #[serde(default)]
    raw: bool,
    mode: Option<String>,
    data: Option<String>,
    generate: Option<Generate>,
    link: Option<String>,
    #[serde(default)]
    dir: bool,
    #[serde(default)]
    fifo: bool,
    #[serde(default)]
    socket: bool,
}

/// A generated PACK: row `i` contains the line of copy `first + i`.
#[derive(Deserialize)]
struct Generate {
    entries: usize,
    names: Vec<String>,
    then: String,
    first: usize,
}

fn linux() -> Host {
    Host::Linux
}

/// The user, who owns no file of a layout.
const NOBODY: u32 = 65_534;

/// The prefix for the user directory in an item's path.
const USER: &str = "USER";

/// A difference from the engine.
struct Difference(String);

pub(crate) fn trials() -> Vec<Trial> {
    let of = |kind: &'static str| {
        let asked = Engine::ALL.iter().copied().filter(move |engine| file_of(kind, *engine).exists());
        asked.map(move |engine| Trial::test(format!("{kind}::{engine}"), move || check(kind, engine)))
    };
    let counted = Trial::test("wide::exceptions_are_counted_by_reason", count_exceptions);
    of("wide")
        .chain(of("hostile"))
        .chain(of("releases"))
        .chain(of("rows"))
        .chain(of("starts"))
        .chain(of("windows"))
        .chain(of("console"))
        .chain([counted])
        .chain(ignoring_case())
        .collect()
}

/// The layouts of Windows on a disk that ignores case.
#[cfg(target_os = "linux")]
fn ignoring_case() -> Option<Trial> {
    let disk = testutils::IgnoringCase::new();
    let can_mount = disk.is_some();
    drop(disk);
    let trial = Trial::test("windows::on_a_disk_that_ignores_case", || {
        let disk = testutils::IgnoringCase::new().unwrap();
        let disk = Utf8Path::from_path(disk.path()).unwrap();
        let engines = Engine::ALL.iter().filter(|engine| file_of("windows", **engine).exists());
        for engine in engines {
            let layouts = layouts("windows", *engine);
            // every third, because each file is made and looked up through user space
            let asked = layouts.iter().enumerate().step_by(3);
            let found = asked.map(|(number, layout)| {
                let folder = disk.join(format!("{engine}-{number}"));
                (layout, layout.differences_in(*engine, &folder))
            });
            report(*engine, found.collect())?;
        }
        Ok(())
    });
    Some(trial.with_ignored_flag(!can_mount))
}

#[cfg(not(target_os = "linux"))]
fn ignoring_case() -> Option<Trial> {
    None
}

fn file_of(kind: &str, engine: Engine) -> Utf8PathBuf {
    testdata("conformance").join(kind).join(format!("{engine}.json.gz"))
}

fn layouts(kind: &str, engine: Engine) -> Vec<Wide> {
    read_gz(&file_of(kind, engine))
}

/// The game after a console line; `None` if the engine refuses it.
fn at_console(engine: Engine, start: &Builder, line: &str) -> Option<Builder> {
    let command = engine.rules().console.known()?.as_ref()?;
    let asked = engine.rules().at_console(line).ok()?;
    let mut builder = start.clone();
    if command.must_exist {
        builder = builder.refuse_missing_games();
    }
    builder = asked.games.iter().fold(asked.missions.iter().fold(builder, Builder::mission), Builder::game);
    let stops = |quake: &SearchPath| {
        let mut kinds = quake.findings().map(|finding| &finding.kind);
        kinds.any(|kind| matches!(kind, FindingKind::StopsAt(EngineStop::OddGame)))
    };
    (!stops(&builder.clone().mount().ok()?)).then_some(builder)
}

/// The number of answers in which quakefs differs on purpose, by reason. Count a new one here.
fn count_exceptions() -> Result<(), Failed> {
    let count = |why: Why| {
        let of = EXCEPTIONS.iter().filter(move |exception| exception.why == why);
        of.flat_map(|exception| exception.answers).map(|(_, answers)| answers).sum::<usize>()
    };
    assert_eq!(count(Why::Policy), POLICY);
    assert_eq!(count(Why::BetterThanTheEngine), BETTER);
    assert_eq!(count(Why::NoRule), NO_RULE);
    Ok(())
}

fn check(kind: &str, engine: Engine) -> Result<(), Failed> {
    let layouts = layouts(kind, engine);
    assert!(!layouts.is_empty());
    let asked = layouts.iter().filter(|layout| !layout.memory);
    report(engine, asked.map(|layout| (layout, layout.differences(engine))).collect())
}

/// The unexpected differences.
fn report(engine: Engine, found: Vec<(&Wide, Vec<Difference>)>) -> Result<(), Failed> {
    let mut report = String::new();
    for (layout, differences) in found {
        let name = layout.name();
        let known = EXCEPTIONS.iter().filter(|exception| exception.layout == name);
        let known = known.flat_map(|exception| exception.answers).find(|(of, _)| *of == engine);
        match known {
            Some((_, expected)) if differences.len() == *expected => {}
            Some((_, expected)) => {
                let found = differences.len();
                writeln!(report, "{engine} {name}: {found} answers differ, expected {expected}").unwrap();
            }
            None => {
                for Difference(text) in differences {
                    writeln!(report, "{engine} {name}: {text}").unwrap();
                }
            }
        }
    }
    if report.is_empty() { Ok(()) } else { Err(report.into()) }
}

impl Wide {
    fn name(&self) -> String {
        let host = if self.host == Host::Linux { "" } else { "windows/" };
        format!("{host}{}/{}", self.direction, self.case)
    }

    fn differences(&self, engine: Engine) -> Vec<Difference> {
        let folder = testutils::folder_in_memory();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        set_mode(folder, 0o755);
        self.differences_in(engine, folder)
    }

    fn differences_in(&self, engine: Engine, folder: &Utf8Path) -> Vec<Difference> {
        let (base, user) = (folder.join("root"), folder.join("user"));
        self.lay_out(&base, &user);
        let texts = if self.as_nobody && rustix::process::geteuid().is_root() {
            std::thread::scope(|scope| {
                scope
                    .spawn(|| {
                        let (nobody, group) =
                            (rustix::thread::Uid::from_raw(NOBODY), rustix::thread::Gid::from_raw(NOBODY));
                        rustix::thread::set_thread_res_gid(group, group, group).unwrap();
                        rustix::thread::set_thread_res_uid(nobody, nobody, nobody).unwrap();
                        self.compare(engine, &base, &user)
                    })
                    .join()
                    .unwrap()
            })
        } else {
            self.compare(engine, &base, &user)
        };
        for item in self.tree.iter().filter(|item| item.dir) {
            set_mode(item.place(&base, &user), 0o755);
        }
        texts.into_iter().map(Difference).collect()
    }

    fn compare(&self, engine: Engine, base: &Utf8Path, user: &Utf8Path) -> Vec<String> {
        let mut texts: Vec<(&str, String)> = Vec::new();
        let ways = [("live", LooseFiles::Live, Access::Map), ("listed", LooseFiles::Listed, Access::Read)];
        // a list has no file of a folder that cannot be listed, which an engine may find by its name
        let closed = self.tree.iter().any(|item| item.dir && item.mode.is_some());
        for (how, loose, access) in ways.into_iter().take(if closed { 1 } else { 2 }) {
            let mut start = SearchPath::builder(base).engine(engine).loose_files(loose).access(access);
            if self.host != Host::Linux {
                start = start.host(self.host);
            }
            if self.userdir {
                start = start.user_directory(user);
            }
            let flags = self.flags.iter().map(|flag| flag.trim_start_matches('-'));
            let mut builder =
                self.games.iter().fold(flags.fold(start.clone(), Builder::mission), Builder::game);
            for (line, said) in self.console.iter().zip(&self.says) {
                let taken = at_console(engine, &start, line);
                if taken.is_some() != said.starts_with("\"game\" ") {
                    texts.push((how, format!("{line:?}: engine {said:?}")));
                }
                builder = taken.unwrap_or(builder);
            }
            let quake = match builder.mount() {
                Ok(quake) => quake,
                Err(error) => {
                    texts.push((how, format!("not mounted: {error}")));
                    continue;
                }
            };
            // many layouts were answered by the engine's code for files, without the rest of the engine, so
            // they leave out what it needs to start
            let is_left_out = |finding: &Finding| {
                let kind = &finding.kind;
                !(self.stops || self.direction == "starts")
                    && matches!(kind, FindingKind::MissingToStart { .. } | FindingKind::WrongEdition(_))
            };
            let stops = |finding: &Finding| finding.stops_engine && !is_left_out(finding);
            let stopping: Vec<_> = quakefs::why::check(&quake).into_iter().filter(stops).collect();
            match (self.stops, stopping.first()) {
                (true, None) => texts.push((how, "the engine stops, and no finding says so".to_owned())),
                (false, Some(finding)) => texts.push((how, format!("the engine does not stop at {finding}"))),
                _ => {}
            }
            let one = self.answers.iter().map(|(name, served)| (name, std::slice::from_ref(served)));
            let any = self.any.iter().map(|(name, served)| (name, &**served));
            for (name, engine_serves) in one.chain(any) {
                let given = self.serve(&quake, &self.bytes(name));
                let same = |served: &Option<String>| match (&given, served) {
                    (Ok(None), None) => true,
                    (Ok(Some(given)), Some(served)) => {
                        // of a broken entry only the first line is known
                        let broken = matches!(&*self.direction, "damaged" | "zip" | "hostile");
                        given == served || (broken && copy(given).is_some() && copy(given) == copy(served))
                    }
                    _ => false,
                };
                let is_same = engine_serves.iter().any(same)
                    || (self.direction == "hostile" && self.is_in_archive(&quake, name, engine_serves));
                if !is_same {
                    texts.push((how, format!("{name:?}: engine {engine_serves:?}, quakefs {given:?}")));
                }
            }
        }
        // what differs in both ways is one answer
        let mut once: Vec<String> = Vec::new();
        for (how, text) in texts {
            let text = format!("live: {text}");
            if how == "live" || !once.contains(&text) {
                once.push(if how == "live" { text } else { text.replacen("live", how, 1) });
            }
        }
        once
    }

    /// Whether the winner is in the archive of the copies, of which the engine named only the archive.
    fn is_in_archive(&self, quake: &SearchPath, name: &String, served: &[Option<String>]) -> bool {
        let copies = served.iter().flatten().filter_map(|served| self.copies.get(copy(served)?));
        let archives = copies.filter_map(|copy| copy.split_once(':')).map(|(archive, _)| archive);
        let layer = quake.find(self.bytes(name)).map(|file| file.layer().name().to_owned());
        layer.is_some_and(|layer| {
            let mut archives = archives.map(|archive| archive.trim_start_matches(USER));
            archives.any(|archive| layer == archive || layer.ends_with(archive))
        })
    }

    fn serve(&self, quake: &SearchPath, name: &[u8]) -> Result<Option<String>, String> {
        let [seen, open] =
            [quake.find(name), quake.find_open(name)].map(|file| file.map(|file| file.location()));
        if seen != open {
            return Err(format!("found at {seen:?}, and at {open:?} where it is opened"));
        }
        match quake.read(name) {
            Ok(data) => Ok(Some(data.iter().map(|byte| char::from(*byte)).collect())),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound { .. } | ErrorKind::Request { .. }) => {
                Ok(None)
            }
            Err(error) => Err(error.to_string()),
        }
    }

    fn bytes(&self, name: &String) -> Vec<u8> {
        raw(name, self.raw_names.contains(name))
    }
}

impl Wide {
    /// Writes the layout below the two folders.
    fn lay_out(&self, base: &Utf8Path, user: &Utf8Path) {
        make_folder(base);
        for item in &self.tree {
            item.make(base, user);
        }
        // modes last, and from the deepest folder: one of them may close the way
        for item in self.tree.iter().rev().filter(|item| item.dir) {
            if let Some(mode) = &item.mode {
                set_mode(item.place(base, user), u32::from_str_radix(mode, 8).unwrap());
            }
        }
    }

    /// The layout as a question to another program; `None` if its answer cannot be repeated here.
    pub(crate) fn question(self) -> Option<Question> {
        if self.memory || self.as_nobody || self.host != Host::Linux {
            return None;
        }
        let one = self.answers.iter().map(|(name, served)| (name, std::slice::from_ref(served)));
        let any = self.any.iter().map(|(name, served)| (name, &**served));
        let bytes = |served: &Option<String>| served.as_ref().map(|text| raw(text, true));
        let answers =
            one.chain(any).map(|(name, served)| (self.bytes(name), served.iter().map(bytes).collect()));
        Some(Question {
            layout: self.name(),
            line: engine_line(&self.flags, &self.games),
            settings: BTreeMap::new(),
            has_user: self.userdir,
            stops: self.stops,
            answers: answers.collect(),
            lay_out: Box::new(move |base, user| self.lay_out(base, user)),
        })
    }
}

/// The number of a copy, from its first line `echo @@NUMBER@`.
fn copy(content: &str) -> Option<&str> {
    content.split_once("@@")?.1.split_once('@').map(|(number, _)| number)
}

impl Item {
    fn place(&self, base: &Utf8Path, user: &Utf8Path) -> std::path::PathBuf {
        let bytes = raw(&self.path, self.raw);
        let path = |bytes: &[u8]| std::path::PathBuf::from(std::ffi::OsStr::from_bytes(bytes));
        match bytes.strip_prefix(USER.as_bytes()) {
            Some([]) => user.into(),
            Some([b'/', rest @ ..]) => user.as_std_path().join(path(rest)),
            _ => base.as_std_path().join(path(&bytes)),
        }
    }

    fn make(&self, base: &Utf8Path, user: &Utf8Path) {
        let place = self.place(base, user);
        if self.dir {
            return make_folder(place);
        }
        make_folder(place.parent().unwrap());
        if let Some(target) = &self.link {
            return std::os::unix::fs::symlink(target, place).unwrap();
        }
        if self.fifo {
            let mode = rustix::fs::Mode::from_raw_mode(0o644);
            return rustix::fs::mknodat(rustix::fs::CWD, &place, rustix::fs::FileType::Fifo, mode, 0)
                .unwrap();
        }
        if self.socket {
            std::os::unix::net::UnixListener::bind(place).unwrap();
            return;
        }
        let content = match (&self.generate, &self.data) {
            (Some(generate), _) => generate.pack(),
            (None, data) => {
                let mut content = Vec::new();
                let compressed = base64(data.as_deref().unwrap());
                ZlibDecoder::new(&*compressed).read_to_end(&mut content).unwrap();
                content
            }
        };
        fs::write(&place, content).unwrap();
        let mode = self.mode.as_deref().unwrap_or("644");
        set_mode(&place, u32::from_str_radix(mode, 8).unwrap());
    }
}

impl Generate {
    fn pack(&self) -> Vec<u8> {
        let files = (0..self.entries).map(|row| {
            let name = match self.names.get(row) {
                Some(name) => name.clone(),
                None => self.then.replacen("%d", &(row - self.names.len()).to_string(), 1),
            };
            (name, format!("echo @@{}@\n", self.first + row))
        });
        pack(Layout::Quake, files)
    }
}

fn raw(text: &str, latin1: bool) -> Vec<u8> {
    if latin1 { text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect() } else { text.into() }
}

fn make_folder(path: impl AsRef<std::path::Path>) {
    fs::create_dir_all(path).unwrap();
}

fn set_mode(path: impl AsRef<std::path::Path>, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.bytes().filter_map(|byte| DIGITS.iter().position(|digit| *digit == byte));
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for digit in digits {
        bits = bits << 6 | u32::try_from(digit).unwrap();
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).unwrap());
        }
    }
    bytes
}
