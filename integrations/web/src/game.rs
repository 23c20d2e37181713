//! The class of JavaScript for a mounted game.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use js_sys::Uint8Array;
use quakefs::disk::{Disk, MemoryDisk, on_host};
use quakefs::pak_format::name::unescape;
use quakefs::rules::Host;
use quakefs::sentences::with_causes;
use quakefs::{Access, Builder, Engine, File, SearchPath};
use serde::{Deserialize, Serialize};
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::rows::{Explanation, Extent, Failure, Finding, Mounted, Need, Needs, QuakeFile};
use crate::{Reader, Source, Sources, asked, preview};

/// A game. A failure is thrown as a row.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Game {
    reader: Reader,
    quake: Option<SearchPath>,
}

type Answer<T = JsValue> = Result<T, JsValue>;

/// The options of a mount. The sources are numbered in their order.
#[derive(Deserialize)]
struct Options {
    /// Paths and sizes.
    sources: Vec<(String, u64)>,
    engine: Option<String>,
    on: Option<String>,
    games: Option<Vec<String>>,
    missions: Option<Vec<String>>,
}

/// A copy of a file. Without an index, it is the winner.
#[derive(Deserialize)]
struct Copy {
    name: String,
    index: Option<usize>,
    entry: Option<usize>,
}

fn row(answer: &impl Serialize) -> Answer {
    Ok(answer.serialize(&Serializer::new().serialize_missing_as_null(true))?)
}

fn failed(failure: impl Into<Failure>) -> JsValue {
    row(&failure.into()).unwrap_or_else(|error| error)
}

fn rows<T: Into<R>, R: Serialize>(all: impl IntoIterator<Item = T>) -> Answer {
    row(&all.into_iter().map(Into::into).collect::<Vec<R>>())
}

#[wasm_bindgen]
impl Game {
    /// A game before the mount.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new(reader: Reader) -> Game {
        crate::throw_panics();
        Game { reader, quake: None }
    }

    fn quake(&self) -> Answer<&SearchPath> {
        self.quake.as_ref().ok_or_else(|| failed(Failure::new("no game is mounted")))
    }

    /// The copy that a question names.
    fn file(&self, copy: JsValue) -> Answer<File<'_>> {
        let copy: Copy = serde_wasm_bindgen::from_value(copy)?;
        let name = unescape(&copy.name);
        let found = match copy.index {
            None => self.quake()?.find(&*name),
            Some(layer) => {
                let is_meant = |file: &File<'_>| file.layer().index() == layer && file.entry() == copy.entry;
                self.quake()?.copies(&*name).into_iter().find(is_meant)
            }
        };
        found.ok_or_else(|| failed(Failure::new(format!("{} is missing", copy.name))))
    }

    /// Mounts the sources.
    ///
    /// # Errors
    /// The sources contain no game.
    pub fn mount(&mut self, options: JsValue) -> Answer {
        let options: Options = serde_wasm_bindgen::from_value(options)?;
        let (quake, mounted) = mount(&self.reader, options).map_err(failed)?;
        self.quake = Some(quake);
        row(&mounted)
    }

    /// The copy that the engine loads, or null.
    ///
    /// # Errors
    /// No game is mounted, as for all questions.
    pub fn find(&self, name: &str) -> Answer {
        row(&self.quake()?.find(&*unescape(name)).map(QuakeFile::from))
    }

    /// All copies of a file.
    ///
    /// # Errors
    /// See `find`.
    pub fn copies(&self, name: &str) -> Answer {
        rows::<_, QuakeFile>(self.quake()?.copies(&*unescape(name)))
    }

    /// The winner of each name.
    ///
    /// # Errors
    /// See `find`.
    pub fn files(&self) -> Answer {
        rows::<_, QuakeFile>(self.quake()?.files())
    }

    /// The files that match a pattern.
    ///
    /// # Errors
    /// The pattern is none.
    pub fn glob(&self, pattern: &str) -> Answer {
        rows::<_, QuakeFile>(self.quake()?.glob(pattern).map_err(failed)?)
    }

    /// The content of a copy.
    ///
    /// # Errors
    /// The copy is missing, or cannot be read.
    pub fn read(&self, copy: JsValue) -> Answer<Uint8Array> {
        let bytes = self.file(copy)?.read().map_err(failed)?;
        Ok(Uint8Array::from(&*bytes))
    }

    /// Where the plain bytes of a copy are, or null.
    ///
    /// # Errors
    /// The copy is missing.
    pub fn extent(&self, copy: JsValue) -> Answer {
        row(&self.file(copy)?.extent().map(Extent::from))
    }

    /// The problems of the mount.
    ///
    /// # Errors
    /// See `find`.
    pub fn findings(&self) -> Answer {
        rows::<_, Finding>(self.quake()?.findings())
    }

    /// These, and the problems of the files.
    ///
    /// # Errors
    /// See `find`.
    pub fn check(&self) -> Answer {
        rows::<_, Finding>(&quakefs::why::check(self.quake()?))
    }

    /// Why a copy wins, or none.
    ///
    /// # Errors
    /// See `find`.
    pub fn explain(&self, name: &str) -> Answer {
        row(&Explanation::from(quakefs::why::explain(self.quake()?, unescape(name))))
    }

    /// The files that a level needs.
    ///
    /// # Errors
    /// See `find`.
    pub fn needs(&self, level: &str) -> Answer {
        let (asked, troubles) = asked(self.quake()?, &unescape(level));
        row(&Needs { asked: asked.iter().map(Need::from).collect(), troubles })
    }

    /// What a copy shows, or null.
    ///
    /// # Errors
    /// The copy is missing, or cannot be read.
    pub fn preview(&self, copy: JsValue) -> Answer {
        row(&preview::of(self.quake()?, &self.file(copy)?).map_err(failed)?)
    }
}

/// The folder that contains the sources, because a path of a disk is never empty.
const ROOT: &str = ".";

/// The path of the source at a path of the disk.
fn source(path: &Path) -> PathBuf {
    path.strip_prefix(ROOT).unwrap_or(path).to_owned()
}

impl From<quakefs::Error> for Failure {
    fn from(error: quakefs::Error) -> Self {
        let sentence = with_causes(&error);
        let below = sentence.strip_prefix(ROOT);
        let below = below.and_then(|rest| rest.strip_prefix('/').or(rest.strip_prefix(": ")));
        let help = error.help(None).unwrap_or_default();
        Failure { error: below.unwrap_or(&sentence).to_owned(), help }
    }
}

fn mount(reader: &Reader, options: Options) -> Result<(SearchPath, Mounted), Failure> {
    let memory = MemoryDisk::new();
    let (mut folders, mut tops) = (Vec::new(), Vec::new());
    for (number, (path, size)) in (0..).zip(&options.sources) {
        let inserted = memory.insert_at(path, Source::new(reader.clone(), number), *size);
        inserted.map_err(|error| Failure::new(format!("{path}: {error}")))?;
        folders.extend(path.match_indices('/').filter_map(|(at, _)| path.get(..at)));
        if !path.contains('/') {
            tops.push(&**path);
        }
    }
    folders.sort_unstable();
    folders.dedup();
    let engine = options
        .engine
        .map(|named| named.parse::<Engine>())
        .transpose()
        .map_err(|error| Failure::new(error.to_string()))?;
    let host = options
        .on
        .map(|named| named.parse::<Host>())
        .transpose()
        .map_err(|error| Failure::new(error.to_string()))?;
    let mut engines = std::iter::once(Engine::default()).chain(Engine::ALL.iter().copied());
    let (engine, base) = if let Some(engine) = engine {
        (engine, base_of(&folders, engine))
    } else {
        let found = engines.find_map(|engine| Some((engine, Some(base_of(&folders, engine)?))));
        found.unwrap_or_default()
    };
    tops.retain(|path| engine.rules().archives.is_archive_name(path));
    let root = base.filter(|base| !base.is_empty()).unwrap_or(ROOT);
    let mut disk: Arc<dyn Disk> = Arc::new(Sources::new(memory, |path| Some(source(path))));
    if let Some(host) = host {
        disk = on_host(disk, host, [root]);
    }
    let has_base = base.is_some() || tops.is_empty();
    let mut builder = if has_base { SearchPath::builder(root) } else { Builder::new() };
    builder = builder.disk(disk).access(Access::Read).engine(engine);
    if let Some(host) = host {
        builder = builder.host(host);
    }
    for game in options.games.iter().flatten() {
        builder = builder.game(game);
    }
    for mission in options.missions.iter().flatten() {
        builder = builder.mission(mission);
    }
    if !has_base {
        for path in tops {
            builder = builder.archive(path);
        }
    }
    let quake = builder.mount()?;
    let mounted = Mounted {
        engine: engine.name(),
        base: base.map(str::to_owned).filter(|_| has_base),
        layers: quake.layers().map(Into::into).collect(),
    };
    Ok((quake, mounted))
}

/// The topmost folder that contains a game directory of the engine.
fn base_of<'p>(folders: &[&'p str], engine: Engine) -> Option<&'p str> {
    let names = &engine.rules().directories.base;
    let found = folders.iter().filter_map(|folder| {
        let (base, name) = folder.rsplit_once('/').unwrap_or(("", folder));
        names.iter().any(|known| **known != *"." && known.eq_ignore_ascii_case(name)).then_some(base)
    });
    found.min_by_key(|base| (base.matches('/').count(), base.len()))
}
