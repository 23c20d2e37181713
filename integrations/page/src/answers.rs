//! Questions of the page and their answers.

use quakefs::disk::ReadAt;
use quakefs::pak_format::name::unescape;
use quakefs::sentences::{Help as _, with_causes};
use quakefs::why::{Explanation, compare};
use quakefs::{Engine, File, SearchPath};
use quakefs_installed::Known;
use quakefs_needs::Need;
use quakefs_page::{Page, json, preview, preview_alone};
use quakefs_web::{Answer, Question, asked};
use serde::Serialize;

use crate::dropped::{Choice, Dropped, ErrorRow, Mounted, PlacedRow, Stretch};

fn choice(question: &Question<'_>) -> Choice {
    Choice {
        on: question.one("on").to_owned(),
        games: question.list("games"),
        missions: question.list("missions"),
        places: question.list("place").into_iter().zip(question.list("as")).collect(),
        fresh: question.list("fresh"),
    }
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
#[derive(Debug)]
pub struct Session<R> {
    read: fn(u32) -> R,
    dropped: Option<Dropped>,
    mounted: Option<Mounted>,
}

impl<R: ReadAt + 'static> Session<R> {
    /// A session without files.
    #[must_use]
    pub const fn new(read: fn(u32) -> R) -> Self {
        Session { read, dropped: None, mounted: None }
    }

    /// Answers a question, such as `question=which&name=maps/start.bsp` with zero bytes for `=` and `&`.
    #[must_use]
    pub fn answer(&mut self, question: &str) -> Answer {
        let mut bytes = Vec::new();
        let answered = self.answer_to(&Question::new(question), &mut bytes);
        let text = answered.unwrap_or_else(|error| json(&error));
        Answer { text, bytes }
    }

    fn answer_to(&mut self, question: &Question<'_>, bytes: &mut Vec<u8>) -> Result<String, ErrorRow> {
        Ok(match question.one("question") {
            "engines" => json(&engines()),
            "drop" => {
                self.mounted = None;
                let sizes = question.list("size").into_iter().map(|size| size.parse().unwrap_or_default());
                let dropped = Dropped::new(question.list("path"), sizes, self.read);
                self.dropped = Some(dropped.map_err(|error| failed(&error))?);
                "{}".to_owned()
            }
            "mount" => {
                let mounted = self.mount(question.one("engine"), &choice(question))?;
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
            "page" => {
                let mut page = Page::new(self.stack()?, None);
                page.name_archives(self.stack()?, |archive| Some(Known::of(archive).ok()??.to_string()));
                json(&page)
            }
            "preview" => preview(
                self.stack()?,
                &find(self.stack()?, question)?,
                question.one("frame").parse().unwrap_or_default(),
            ),
            "alone" => self.alone(question)?,
            "source" => {
                let file = find(self.stack()?, question)?;
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
            "which" => json(&which(self.stack()?, &unescape(question.one("name")))),
            "needs" => json(&needs(self.stack()?, &unescape(question.one("name")))),
            "compare" => json(&self.compare(&question.list("engine"), &choice(question))?),
            unknown => return Err(failed(&format!("unknown question \"{unknown}\""))),
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

    /// The preview of a file of the page, which need not be in the game.
    fn alone(&self, question: &Question<'_>) -> Result<String, ErrorRow> {
        let file = (self.read)(question.one("file").parse().unwrap_or(u32::MAX));
        let mut bytes = vec![0; question.one("size").parse().unwrap_or_default()];
        let mut filled = 0;
        while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match file.read_at(rest, filled as u64).map_err(|error| failed(&error))? {
                0 => break,
                read => filled += read,
            }
        }
        bytes.truncate(filled);
        let stack = self.mounted.as_ref().map(|mounted| &mounted.stack);
        Ok(preview_alone(
            stack,
            question.one("name").as_bytes(),
            &bytes,
            question.one("frame").parse().unwrap_or_default(),
        ))
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

/// The copy that a row of the page describes.
fn find<'s>(stack: &'s SearchPath, copy: &Question<'_>) -> Result<File<'s>, ErrorRow> {
    let name = copy.one("name");
    let nowhere = || failed(&format!("{name} is missing"));
    let number = |name| copy.all(name).next().map(str::parse::<usize>);
    let (Some(Ok(layer)), Ok(entry)) = (number("layer"), number("entry").transpose()) else {
        return Err(nowhere());
    };
    let is_meant = |file: &File<'_>| file.layer().index() == layer && file.entry() == entry;
    stack.copies(&*unescape(name)).into_iter().find(is_meant).ok_or_else(nowhere)
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

    /// The answer to a question with `=` and `&` for zero bytes.
    fn ask(session: &mut Session<FileData>, question: &str) -> String {
        session.answer(&format!("{}\0", question.replace(['=', '&'], "\0"))).text
    }

    const DROP: &str = "question=drop&path=quake/id1/autoexec.cfg&path=quake/id1/a b.cfg&size=14&size=14";
    const MOUNT: &str = "question=mount&engine=winquake&on=linux";

    #[test]
    fn dropped_files_are_mounted_and_answer_questions() {
        let mut session = Session::new(autoexec);
        assert_eq!(ask(&mut session, DROP), "{}");
        let mounted = ask(&mut session, MOUNT);
        assert!(mounted.contains(r#""engine":"winquake""#) && mounted.contains("autoexec.cfg"), "{mounted}");
        let which = ask(&mut session, "question=which&name=a b.cfg");
        assert!(which.contains(r#""found":"a b.cfg""#), "{which}");
        let copy = ask(&mut session, "question=source&name=autoexec.cfg&layer=0");
        assert!(copy.contains(r#""path":"autoexec.cfg""#), "{copy}");
        let games = ask(&mut session, &format!("{MOUNT}&games=mymod"));
        assert!(games.contains(r#""games":["mymod"]"#), "{games}");
    }

    #[test]
    fn a_wrong_question_is_answered_by_an_error() {
        let mut session = Session::new(autoexec);
        let error = |session: &mut Session<FileData>, question: &str| {
            let text = ask(session, question);
            let start = text.strip_prefix(r#"{"error":""#).unwrap_or_else(|| panic!("{question}: {text}"));
            start.split('"').next().unwrap_or_default().to_owned()
        };
        assert_eq!(error(&mut session, MOUNT), "no files were dropped yet");
        assert_eq!(ask(&mut session, DROP), "{}");
        assert_eq!(error(&mut session, "question=page"), "no game is mounted");
        assert!(ask(&mut session, MOUNT).starts_with(r#"{"engine""#));
        for (question, wanted) in [
            ("", "unknown question \\"),
            ("question=", "unknown question \\"),
            ("question=%00%ff&&&==", "unknown question \\"),
            ("question=source", " is missing"),
            ("question=source&name=autoexec.cfg&layer=-1", "autoexec.cfg is missing"),
            (
                "question=source&name=autoexec.cfg&layer=0&entry=99999999999999999999",
                "autoexec.cfg is missing",
            ),
            ("question=mount&engine=doom", "no engine is called"),
        ] {
            let found = error(&mut session, question);
            assert!(found.starts_with(wanted), "{question}: {found}");
        }
    }
}
