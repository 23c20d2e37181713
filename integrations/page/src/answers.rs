//! Questions of the page and their answers.

use std::collections::HashSet;
use std::fmt;

use quakefs::disk::ReadAt;
use quakefs::pak_format::name::unescape;
use quakefs::sentences::{Help as _, with_causes};
use quakefs::why::{Explanation, compare};
use quakefs::{Engine, File, SearchPath};
use quakefs_needs::{Levels, Need};
use quakefs_page::{Page, json, preview, preview_alone};
use serde::{Deserialize, Serialize};

use crate::dropped::{Choice, Dropped, ErrorRow, Mounted, PlacedRow, Stretch};

/// A question of the page.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Question {
    Engines {},
    /// Files, each with its path and size.
    Drop {
        files: Vec<(String, u64)>,
    },
    Mount {
        /// Empty if the files decide.
        engine: String,
        #[serde(flatten)]
        choice: Choice,
    },
    Page {},
    Preview {
        #[serde(flatten)]
        copy: Copy,
        #[serde(default)]
        frame: usize,
    },
    /// The preview of a file by its number, which need not be in the game.
    Alone {
        name: String,
        file: u32,
        size: usize,
        #[serde(default)]
        frame: usize,
    },
    Source(Copy),
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
    missions: Vec<&'static str>,
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
struct WhichRow {
    /// The name of the file that the engine finds.
    found: Option<String>,
    reason: String,
    help: String,
}

#[derive(Serialize)]
struct NeedsRow {
    asked: Vec<NeedRow>,
    /// Problems that make the answer incomplete.
    troubles: Vec<String>,
}

#[derive(Serialize)]
struct NeedRow {
    name: String,
    kind: &'static str,
    presence: &'static str,
    layer: Option<String>,
    missing: bool,
    by: String,
}

#[derive(Serialize)]
struct CompareRow {
    /// The number of compared names.
    names: usize,
    causes: Vec<CauseRow>,
}

#[derive(Serialize)]
struct CauseRow {
    cause: &'static str,
    because: String,
    /// The number of names.
    all: usize,
    /// The first names, each with the layer that each engine loads it from.
    names: Vec<(String, Vec<Option<String>>)>,
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
                let Mounted { engine, because, stack, known, folders, games, missions, placed, line } =
                    self.mounted.insert(mounted);
                let page = Page::mounted(stack);
                json(&MountRow {
                    engine: engine.name(),
                    because,
                    known,
                    folders,
                    games,
                    missions,
                    placed,
                    line,
                    page,
                })
            }
            // as `quakefs report`: this reads overridden copies and levels
            Question::Page {} => json(&Page::new(self.stack()?, None)),
            Question::Preview { copy, frame } => preview(self.stack()?, &find(self.stack()?, &copy)?, frame),
            Question::Alone { name, file, size, frame } => {
                let bytes = self.content(file, size)?;
                let stack = self.mounted.as_ref().map(|mounted| &mounted.stack);
                preview_alone(stack, name.as_bytes(), &bytes, frame)
            }
            Question::Source(copy) => {
                let file = find(self.stack()?, &copy)?;
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
            Question::Which { name } => json(&which(self.stack()?, &unescape(&name))),
            Question::Needs { name } => json(&needs(self.stack()?, &unescape(&name))),
            Question::Compare { engines, choice } => json(&self.compare(&engines, &choice)?),
        })
    }

    fn mount(&self, engine: &str, choice: &Choice) -> Result<Mounted, ErrorRow> {
        let dropped = self.dropped.as_ref().ok_or_else(|| failed(&"no files were dropped yet"))?;
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

    fn stack(&self) -> Result<&SearchPath, ErrorRow> {
        self.mounted.as_ref().map(|mounted| &mounted.stack).ok_or_else(|| failed(&"no game is mounted"))
    }

    fn compare(&self, engines: &[String], choice: &Choice) -> Result<CompareRow, ErrorRow> {
        let stack = |engine: &String| Ok(self.mount(engine, choice)?.stack);
        let stacks = engines.iter().map(stack).collect::<Result<Vec<_>, ErrorRow>>()?;
        let comparison = compare(&stacks, |_| true);
        let causes = comparison.causes.iter().map(|cause| {
            let row = |name: &quakefs::pak_format::EntryNameBuf| {
                let winners = comparison.search_paths.iter();
                let winners = winners.map(|stack| Some(stack.find(name)?.layer().name().to_owned()));
                (name.to_string(), winners.collect())
            };
            CauseRow {
                cause: cause.because.name(),
                because: cause.because.to_string(),
                all: cause.names.len(),
                names: cause.names.iter().take(NAMES).map(row).collect(),
            }
        });
        Ok(CompareRow { names: comparison.names, causes: causes.collect() })
    }
}

fn engines() -> Vec<EngineRow> {
    let row = |engine: &Engine| {
        let directories = &engine.rules().directories;
        let others = Engine::ALL.iter().filter(|other| *other != engine);
        let comparable = others.filter(|other| directories.share_base(&other.rules().directories));
        EngineRow {
            name: engine.name(),
            version: engine.as_of().version,
            date: engine.as_of().date,
            missions: directories.missions.iter().map(|mission| &*mission.flag).collect(),
            comparable: comparable.map(|other| other.name()).collect(),
        }
    };
    Engine::ALL.iter().map(row).collect()
}

fn find<'s>(stack: &'s SearchPath, copy: &Copy) -> Result<File<'s>, ErrorRow> {
    let is_meant = |file: &File<'_>| Some(file.layer().index()) == copy.layer && file.entry() == copy.entry;
    let found = stack.copies(&*unescape(&copy.name)).into_iter().find(is_meant);
    found.ok_or_else(|| failed(&format!("{} is missing", copy.name)))
}

fn which(stack: &SearchPath, name: &[u8]) -> WhichRow {
    match quakefs::why::explain(stack, name) {
        Explanation::Served { winner, companion, .. } => {
            let reason = companion.map_or_else(String::new, |(_, copy)| copy.to_string());
            WhichRow { found: Some(winner.name().to_string()), reason, help: String::new() }
        }
        Explanation::Missing(missing) => {
            // without a known cause the advice is to look into the list, which the page shows
            let help = missing.help(None).filter(|_| missing.cause != "not-there");
            WhichRow { found: None, reason: missing.to_string(), help: help.unwrap_or_default() }
        }
    }
}

fn needs(stack: &SearchPath, level: &[u8]) -> NeedsRow {
    let (rows, troubles) = asked(stack, level);
    let row = |need: &Need| NeedRow {
        name: need.name.to_string(),
        kind: need.kind.name(),
        presence: need.presence.name(),
        layer: need.find(stack).map(|file| file.layer().name().to_owned()),
        missing: need.is_missing(),
        by: need.chain(),
    };
    NeedsRow { asked: rows.iter().map(row).collect(), troubles }
}

/// The files that a level needs, each once, missing files first; and the problems that make the answer incomplete.
fn asked(quake: &SearchPath, level: &[u8]) -> (Vec<Need>, Vec<String>) {
    let (mut asked, mut troubles) = (Vec::new(), Vec::new());
    for needs in Levels::new(quake).of(&[level]) {
        asked.extend(needs.asked);
        troubles.extend(needs.troubles.iter().map(ToString::to_string));
    }
    let mut seen = HashSet::new();
    asked.retain(|need| seen.insert(need.name.as_bytes().to_vec()));
    asked.sort_by_key(|need| !need.is_missing());
    (asked, troubles)
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

    const DROP: &str = r#"{"drop": {"files": [["quake/id1/autoexec.cfg", 14], ["quake/id1/a b.cfg", 14]]}}"#;
    const MOUNT: &str = r#"{"mount": {"engine": "winquake", "on": "linux"}}"#;

    #[test]
    fn dropped_files_are_mounted_and_answer_questions() {
        let mut session = Session::new(autoexec);
        let mut ask = |question: &str| session.answer(question).text;
        assert_eq!(ask(DROP), "{}");
        let mounted = ask(MOUNT);
        assert!(mounted.contains(r#""engine":"winquake""#) && mounted.contains("autoexec.cfg"), "{mounted}");
        let which = ask(r#"{"which": {"name": "a b.cfg"}}"#);
        assert!(which.contains(r#""found":"a b.cfg""#), "{which}");
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
