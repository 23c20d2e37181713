//! Questions of the page and their answers.

use std::fmt;
use std::sync::Arc;

use quakefs::archive::OpenOptions;
use quakefs::disk::{Disk, MemoryDisk, ReadAt};
use quakefs::pak_format::name::unescape;
use quakefs::rules::Mission;
use quakefs::sentences::with_causes;
use quakefs::{Archive, Engine, File, SearchPath};
use quakefs_game::{CauseRow, Compared, DifferenceRow, EngineOn, Game, WhichRow};
use quakefs_page::{Page, View, json, preview, preview_alone, users, walk};
use serde::{Deserialize, Serialize};

use crate::changes::changes;
use crate::dropped::{Choice, Dropped, ErrorRow, Mounted, PlacedRow, Stretch};

/// A question of the page.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Question {
    Engines {},
    /// Files, each with its path, its size and the number of its drop.
    Drop {
        files: Vec<(String, u64, usize)>,
    },
    Mount {
        /// Empty if the files decide.
        engine: String,
        #[serde(flatten)]
        choice: Choice,
    },
    Page {},
    /// The game with and without a drop.
    Changes {
        drop: usize,
        choice: Choice,
    },
    Preview {
        #[serde(flatten)]
        copy: Copy,
        #[serde(flatten)]
        view: View,
    },
    /// The preview of a file by its number, which need not be in the game.
    Alone {
        name: String,
        file: u32,
        size: usize,
        #[serde(flatten)]
        view: View,
    },
    /// The names and sizes of the files in an archive by its number, or the bytes of one of them.
    Unpack {
        file: u32,
        size: u64,
        entry: Option<usize>,
    },
    Source(Copy),
    /// A level to walk through; its corners and its light are the bytes beside the answer.
    Walk(Copy),
    /// The levels with a texture.
    Users {
        texture: String,
    },
    Which {
        name: String,
    },
    Needs {
        name: String,
    },
    Compare {
        engines: Vec<String>,
        #[serde(flatten)]
        choice: Choice,
    },
}

/// The copy that a row of the page describes.
#[derive(Deserialize)]
struct Copy {
    name: String,
    layer: Option<usize>,
    entry: Option<usize>,
}

/// The answer to a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// JSON. After a failure it is an object with `error` and `help`.
    pub text: String,
    /// The bytes of a file.
    pub bytes: Vec<u8>,
}

#[derive(Serialize)]
struct EngineRow {
    name: &'static str,
    version: &'static str,
    date: &'static str,
    /// The family of games that it is for.
    game: &'static str,
    /// The flags of missions with their titles.
    missions: Vec<(&'static str, &'static str)>,
    /// Other engines for the same games.
    comparable: Vec<&'static str>,
}

#[derive(Serialize)]
struct MountRow<'a> {
    engine: &'static str,
    because: &'a str,
    known: &'a [String],
    folders: &'a [String],
    games: &'a [String],
    missions: &'a [String],
    placed: &'a [PlacedRow],
    line: &'a [String],
    page: Page<'a>,
}

#[derive(Serialize)]
struct SourceRow {
    /// The path to save the file at; `None` if the name is not a path.
    path: Option<String>,
    stretch: Option<Stretch>,
}

#[derive(Serialize)]
struct FoundRow {
    #[serde(flatten)]
    which: WhichRow,
    /// The name that finds the winner.
    path: Option<String>,
}

#[derive(Serialize)]
struct CompareRow {
    /// The number of compared names.
    names: usize,
    causes: Vec<CauseOnPage>,
}

#[derive(Serialize)]
struct CauseOnPage {
    #[serde(flatten)]
    cause: CauseRow,
    /// The first names.
    differences: Vec<DifferenceRow>,
}

/// The most names of one cause in an answer.
const NAMES: usize = 500;

/// The dropped files and the current mount. `R` reads a file of the page by its number.
pub struct Session<R> {
    read: Box<dyn Fn(u32) -> R>,
    dropped: Option<Dropped>,
    mounted: Option<Mounted>,
}

impl<R> fmt::Debug for Session<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("dropped", &self.dropped).field("mounted", &self.mounted).finish()
    }
}

impl<R: ReadAt + 'static> Session<R> {
    /// A session without files.
    #[must_use]
    pub fn new(read: impl Fn(u32) -> R + 'static) -> Self {
        Session { read: Box::new(read), dropped: None, mounted: None }
    }

    /// Answers a question in JSON, such as `{"which": {"name": "maps/start.bsp"}}`.
    #[must_use]
    pub fn answer(&mut self, question: &str) -> Answer {
        let mut bytes = Vec::new();
        let question = serde_json::from_str(question).map_err(|error| failed(&error));
        let answered = question.and_then(|question| self.answer_to(question, &mut bytes));
        let text = answered.unwrap_or_else(|error| json(&error));
        Answer { text, bytes }
    }

    fn answer_to(&mut self, question: Question, bytes: &mut Vec<u8>) -> Result<String, ErrorRow> {
        Ok(match question {
            Question::Engines {} => json(&engines()),
            Question::Drop { files } => {
                self.mounted = None;
                let dropped = Dropped::new(files, &self.read);
                self.dropped = Some(dropped.map_err(|error| failed(&error))?);
                "{}".to_owned()
            }
            Question::Mount { engine, choice } => {
                let mounted = self.mount(&engine, &choice)?;
                let Mounted { engine, because, game, known, folders, placed, line, .. } =
                    self.mounted.insert(mounted);
                json(&MountRow {
                    engine: engine.name(),
                    because,
                    known,
                    folders,
                    games: &game.options.games,
                    missions: &game.options.missions,
                    placed,
                    line,
                    page: Page::mounted(&game.search_path),
                })
            }
            // as `quakefs report`: this reads overridden copies and levels
            Question::Page {} => {
                let mounted = self.mounted()?;
                json(&Page::new(&mounted.game, mounted.checked(), None))
            }
            Question::Changes { drop, choice } => {
                let (with, dropped) = (self.mounted()?, self.dropped()?);
                json(&changes(&dropped.mount_without(drop, with.engine, &choice)?, with))
            }
            Question::Preview { copy, view } => {
                preview(self.search_path()?, &find(self.search_path()?, &copy)?, view)
            }
            Question::Alone { name, file, size, view } => {
                let bytes = self.content(file, size)?;
                let search_path = self.mounted.as_ref().map(|mounted| &mounted.game.search_path);
                preview_alone(search_path, name.as_bytes(), &bytes, view)
            }
            Question::Unpack { file, size, entry } => {
                let archive = self.archive(file, size)?;
                if let Some(entry) = entry {
                    *bytes = archive.read(entry).map_err(|error| error_row(&error))?.to_vec();
                    return Ok("{}".to_owned());
                }
                let names = archive.entries().map(|entry| (entry.name().to_string(), entry.size()));
                json(&names.collect::<Vec<_>>())
            }
            Question::Source(copy) => {
                let file = find(self.search_path()?, &copy)?;
                let stretch = Stretch::of(&file);
                if stretch.is_none() {
                    *bytes = file.read().map_err(|error| error_row(&error))?.to_vec();
                }
                let path = file.name().to_disk_path().ok();
                json(&SourceRow {
                    path: path.and_then(|path| String::from_utf8(path.into_owned()).ok()),
                    stretch,
                })
            }
            Question::Walk(copy) => {
                let level = walk(self.search_path()?, &find(self.search_path()?, &copy)?);
                let (text, data) = level.map_err(|error| failed(&error))?;
                *bytes = data;
                text
            }
            Question::Users { texture } => json(&users(self.search_path()?, &unescape(&texture))),
            Question::Which { name } => json(&which(self.game()?, &unescape(&name))),
            Question::Needs { name } => {
                let needs = self.game()?.needs(&[unescape(&name)]).map_err(|error| failed(&error))?;
                json(&needs)
            }
            Question::Compare { engines, choice } => json(&self.compare(&engines, &choice)?),
        })
    }

    fn mount(&self, engine: &str, choice: &Choice) -> Result<Mounted, ErrorRow> {
        let dropped = self.dropped()?;
        let engine = match engine {
            "" => None,
            named => Some(named.parse().map_err(|error: quakefs::rules::UnknownName| failed(&error))?),
        };
        dropped.mount(engine, choice)
    }

    /// The content of a file of the page.
    fn content(&self, file: u32, size: usize) -> Result<Vec<u8>, ErrorRow> {
        let file = (self.read)(file);
        let mut bytes = vec![0; size];
        let filled = file.fill_at(&mut bytes, 0).map_err(|error| failed(&error))?;
        bytes.truncate(filled);
        Ok(bytes)
    }

    /// An archive of the page, which need not be in the game.
    fn archive(&self, file: u32, size: u64) -> Result<Archive, ErrorRow> {
        let disk = MemoryDisk::new();
        disk.insert_at("archive", (self.read)(file), size).map_err(|error| failed(&error))?;
        let opened = OpenOptions::new().open_on(&(Arc::new(disk) as Arc<dyn Disk>), "archive".into());
        opened.map_err(|error| error_row(&error))
    }

    fn dropped(&self) -> Result<&Dropped, ErrorRow> {
        self.dropped.as_ref().ok_or_else(|| failed(&"no files were dropped yet"))
    }

    fn mounted(&self) -> Result<&Mounted, ErrorRow> {
        self.mounted.as_ref().ok_or_else(|| failed(&"no game is mounted"))
    }

    fn game(&self) -> Result<&Game, ErrorRow> {
        Ok(&self.mounted()?.game)
    }

    fn search_path(&self) -> Result<&SearchPath, ErrorRow> {
        Ok(&self.game()?.search_path)
    }

    fn compare(&self, engines: &[String], choice: &Choice) -> Result<CompareRow, ErrorRow> {
        let mounted = engines.iter().map(|engine| self.mount(engine, choice));
        let mounted = mounted.collect::<Result<Vec<_>, ErrorRow>>()?;
        let engines =
            mounted.iter().map(|one| EngineOn { engine: one.engine, on: one.game.options.on }).collect();
        let games = mounted.into_iter().map(|mounted| mounted.game).collect();
        let compared = Compared::with(engines, games, |_| true);
        let mut rows = compared.differences();
        let causes = compared.comparison.causes.iter().map(|cause| {
            let of_cause = rows.by_ref().take(cause.names.len());
            let mut differences: Vec<_> = of_cause.collect();
            differences.truncate(NAMES);
            CauseOnPage { cause: cause.into(), differences }
        });
        Ok(CompareRow { names: compared.comparison.names, causes: causes.collect() })
    }
}

fn engines() -> Vec<EngineRow> {
    let row = |engine: &Engine| {
        let directories = &engine.rules().directories;
        let others = Engine::ALL.iter().filter(|other| *other != engine);
        let comparable = others.filter(|other| directories.share_base(&other.rules().directories));
        let family = engine.rules().family.as_ref();
        let titles = family.map(|family| &family.engine().rules().titles);
        let mission = |mission: &'static Mission| {
            let known = titles.into_iter().flat_map(|titles| titles.iter());
            let mut known = known.flat_map(|title| title.expansions.iter());
            let own = known.find(|own| own.directory.eq_ignore_ascii_case(&mission.directory));
            (&*mission.flag, own.map_or(&*mission.flag, |own| &*own.name))
        };
        EngineRow {
            name: engine.name(),
            version: engine.as_of().version,
            date: engine.as_of().date,
            game: family.map_or("Others", |family| &*family.name),
            missions: directories.missions.iter().map(mission).collect(),
            comparable: comparable.map(|other| other.name()).collect(),
        }
    };
    Engine::ALL.iter().map(row).collect()
}

fn find<'s>(search_path: &'s SearchPath, copy: &Copy) -> Result<File<'s>, ErrorRow> {
    let is_meant = |file: &File<'_>| Some(file.layer().index()) == copy.layer && file.entry() == copy.entry;
    let found = search_path.copies(&*unescape(&copy.name)).into_iter().find(is_meant);
    found.ok_or_else(|| failed(&format!("{} is missing", copy.name)))
}

fn which(game: &Game, name: &[u8]) -> FoundRow {
    let which = game.which(name);
    FoundRow { path: which.file.as_ref().map(|file| file.name.clone()), which }
}

fn failed(error: &impl ToString) -> ErrorRow {
    ErrorRow { error: error.to_string(), ..ErrorRow::default() }
}

fn error_row(error: &quakefs::Error) -> ErrorRow {
    let (error, help) = (with_causes(error), error.help(None));
    ErrorRow { error, help: help.unwrap_or_default(), nothing: false }
}

#[cfg(test)]
mod tests {
    use quakefs::FileData;

    use super::*;

    fn autoexec(_: u32) -> FileData {
        FileData::from(b"sensitivity 3\n".to_vec())
    }

    const DROP: &str =
        r#"{"drop": {"files": [["quake/id1/autoexec.cfg", 14, 0], ["quake/id1/a b.cfg", 14, 0]]}}"#;
    const MOUNT: &str = r#"{"mount": {"engine": "winquake", "on": "linux"}}"#;

    #[test]
    fn dropped_files_are_mounted_and_answer_questions() {
        let mut session = Session::new(autoexec);
        let mut ask = |question: &str| session.answer(question).text;
        assert_eq!(ask(DROP), "{}");
        let mounted = ask(MOUNT);
        assert!(mounted.contains(r#""engine":"winquake""#) && mounted.contains("autoexec.cfg"), "{mounted}");
        let which = ask(r#"{"which": {"name": "a b.cfg"}}"#);
        assert!(which.contains(r#""path":"a b.cfg""#), "{which}");
        let copy = ask(r#"{"source": {"name": "autoexec.cfg", "layer": 0, "entry": null}}"#);
        assert!(copy.contains(r#""path":"autoexec.cfg""#), "{copy}");
        let games = ask(r#"{"mount": {"engine": "winquake", "on": "linux", "games": ["mymod"]}}"#);
        assert!(games.contains(r#""games":["mymod"]"#), "{games}");
    }

    #[test]
    fn a_wrong_question_is_answered_by_an_error() {
        let mut session = Session::new(autoexec);
        let mut error = |question: &str| {
            let text = session.answer(question).text;
            let answer: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            answer.get("error").and_then(|error| Some(error.as_str()?.to_owned())).unwrap_or(text)
        };
        assert_eq!(error(MOUNT), "no files were dropped yet");
        assert_eq!(error(DROP), "{}");
        assert_eq!(error(r#"{"page": {}}"#), "no game is mounted");
        assert!(error(MOUNT).starts_with(r#"{"engine""#));
        for (question, wanted) in [
            ("", "EOF while parsing"),
            (r#"{"a": {}}"#, "unknown variant `a`"),
            (r#"{"source": {}}"#, "missing field `name`"),
            (r#"{"source": {"name": "autoexec.cfg"}}"#, "autoexec.cfg is missing"),
            (r#"{"source": {"name": "autoexec.cfg", "layer": 0, "entry": 7}}"#, "autoexec.cfg is missing"),
            (r#"{"mount": {"engine": "doom"}}"#, "no engine is called"),
        ] {
            let found = error(question);
            assert!(found.starts_with(wanted), "{question}: {found}");
        }
    }
}
