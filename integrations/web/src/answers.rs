//! Questions about a mounted game: which files it has, and their bytes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use quakefs::disk::{Disk, MemoryDisk, ReadAt, on_host};
use quakefs::pak_format::name::unescape;
use quakefs::rules::Host;
use quakefs::sentences::with_causes;
use quakefs::{Access, Builder, Engine, File, SearchPath};

use crate::rows::{json, rows};
use crate::sources::Sources;

/// A question: fields and values, each followed by a zero byte. The field `question` is its kind.
#[derive(Debug)]
pub struct Question<'q>(&'q str);

impl<'q> Question<'q> {
    /// Reads a question.
    #[must_use]
    pub fn new(text: &'q str) -> Self {
        Question(text)
    }

    /// The values of a field.
    pub fn all(&self, field: &str) -> impl Iterator<Item = &'q str> {
        let mut parts = self.0.split('\0');
        let pairs = std::iter::from_fn(move || Some((parts.next()?, parts.next()?)));
        pairs.filter(move |(known, _)| *known == field).map(|(_, value)| value)
    }

    /// All values of a field.
    #[must_use]
    pub fn list(&self, field: &str) -> Vec<String> {
        self.all(field).map(str::to_owned).collect()
    }

    /// The first value of a field; empty if there is none.
    #[must_use]
    pub fn one(&self, field: &str) -> &'q str {
        self.all(field).next().unwrap_or_default()
    }
}

/// The answer to a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// JSON. After a failure it is an object with `error` and `help`.
    pub text: String,
    /// The bytes of a file, or of pictures and shapes.
    pub bytes: Vec<u8>,
}

rows! {
    /// A copy of a file in a layer.
    QuakeFile {
        /// The name that finds the file. A byte that is not UTF-8 is `\xNN`.
        name: String,
        /// The name of the layer that has it, such as `id1/pak0.pak`.
        layer: String,
        /// The index of the layer, 0 for the highest.
        index: usize,
        /// The number of the entry in the archive; null for a loose file.
        entry: Option<usize>,
        /// The size of the content in bytes.
        size: u64,
    }

    /// A layer of the search path: an archive, or the loose files of a game directory.
    Layer {
        /// Its name: the path from the base directory, with `/` at the end for loose files. Without a base directory, the path of the
        /// source.
        name: String,
        /// `pak`, `zip` or another kind of archive; `dir` for loose files.
        kind: &'static str,
        /// The number of entries; null for loose files.
        entries: Option<usize>,
    }

    /// A mounted game.
    Mounted {
        /// The engine's name.
        engine: Engine,
        /// The folder of the sources that contains the game directories; empty for the top, null if only archives are mounted.
        base: Option<String>,
        /// The layers, highest first.
        layers: Vec<Layer>,
    }

    /// Where the plain bytes of a file are.
    Extent {
        /// The path of the source.
        path: String,
        /// The offset of the first byte.
        start: u64,
        /// The offset behind the last byte.
        end: u64,
    }

    /// Why there is no answer.
    Failure {
        /// The reason.
        error: String,
        /// What to do; empty if nothing is known.
        help: String,
    }
}

impl QuakeFile {
    pub(crate) fn of(file: &File<'_>) -> Self {
        QuakeFile {
            name: file.name().to_string(),
            layer: file.layer().name().to_owned(),
            index: file.layer().index(),
            entry: file.entry(),
            size: file.size(),
        }
    }

    fn list(files: &mut dyn Iterator<Item = File<'_>>) -> String {
        json(&files.map(|file| QuakeFile::of(&file)).collect::<Vec<_>>())
    }
}

impl Failure {
    pub(crate) fn new(error: impl Into<String>) -> Self {
        Failure { error: error.into(), help: String::new() }
    }

    pub(crate) fn of(error: &quakefs::Error) -> Self {
        Failure { error: without_root(&with_causes(error)), help: error.help(None).unwrap_or_default() }
    }
}

/// The folder that contains the sources, because a path of a disk is never empty.
const ROOT: &str = ".";

/// The path of the source at a path of the disk.
fn source(path: &Path) -> PathBuf {
    path.strip_prefix(ROOT).unwrap_or(path).to_owned()
}

fn without_root(sentence: &str) -> String {
    let below =
        sentence.strip_prefix(ROOT).and_then(|rest| rest.strip_prefix('/').or(rest.strip_prefix(": ")));
    below.unwrap_or(sentence).to_owned()
}

/// A mounted game. `R` reads a source by its number.
#[derive(Debug)]
pub struct Session<R> {
    read: fn(u32) -> R,
    quake: Option<SearchPath>,
}

impl<R: ReadAt + 'static> Session<R> {
    /// A session before the mount.
    #[must_use]
    pub const fn new(read: fn(u32) -> R) -> Self {
        Session { read, quake: None }
    }

    /// Answers a question, such as `question=find&name=maps/start.bsp` with zero bytes for `=` and `&`.
    #[must_use]
    pub fn answer(&mut self, question: &str) -> Answer {
        let mut bytes = Vec::new();
        let text = self.answer_to(&Question::new(question), &mut bytes);
        Answer { text: text.unwrap_or_else(|failure| json(&failure)), bytes }
    }

    pub(crate) fn quake(&self) -> Result<&SearchPath, Failure> {
        self.quake.as_ref().ok_or_else(|| Failure::new("no game is mounted"))
    }

    fn answer_to(&mut self, question: &Question<'_>, bytes: &mut Vec<u8>) -> Result<String, Failure> {
        let name = unescape(question.one("name"));
        Ok(match question.one("question") {
            "mount" => json(&self.mount(question)?),
            "find" => json(&self.quake()?.find(&*name).map(|file| QuakeFile::of(&file))),
            "copies" => QuakeFile::list(&mut self.quake()?.copies(&*name).into_iter()),
            "files" => QuakeFile::list(&mut self.quake()?.files()),
            "glob" => {
                let found = self.quake()?.glob(question.one("pattern"));
                QuakeFile::list(&mut found.map_err(|error| Failure::of(&error))?)
            }
            "read" => {
                let read = file(self.quake()?, question)?.read();
                *bytes = read.map_err(|error| Failure::of(&error))?.to_vec();
                "null".to_owned()
            }
            "extent" => json(&file(self.quake()?, question)?.extent().map(|extent| Extent {
                path: extent.path.into(),
                start: extent.range.start,
                end: extent.range.end,
            })),
            unknown => return Err(Failure::new(format!("unknown question \"{unknown}\""))),
        })
    }

    fn mount(&mut self, question: &Question<'_>) -> Result<Mounted, Failure> {
        self.quake = None;
        let memory = MemoryDisk::new();
        let (mut folders, mut tops) = (Vec::new(), Vec::new());
        for ((number, path), size) in (0..).zip(question.all("path")).zip(question.all("size")) {
            let size = size.parse().map_err(|_| Failure::new(format!("{path}: {size} is not a size")))?;
            let inserted = memory.insert_at(path, (self.read)(number), size);
            inserted.map_err(|error| Failure::new(format!("{path}: {error}")))?;
            folders.extend(path.match_indices('/').filter_map(|(at, _)| path.get(..at)));
            if !path.contains('/') {
                tops.push(path);
            }
        }
        folders.sort_unstable();
        folders.dedup();
        let engine = match question.one("engine") {
            "" => None,
            named => Some(
                named
                    .parse()
                    .map_err(|error: quakefs::rules::UnknownName| Failure::new(error.to_string()))?,
            ),
        };
        let on = question.one("on");
        let host = Host::ALL.iter().copied().find(|host| host.name() == on);
        if !on.is_empty() && host.is_none() {
            return Err(Failure::new(format!("unknown system \"{on}\"")));
        }
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
        for game in question.all("game") {
            builder = builder.game(game);
        }
        for mission in question.all("mission") {
            builder = builder.mission(mission);
        }
        if !has_base {
            for path in tops {
                builder = builder.archive(path);
            }
        }
        let quake = builder.mount().map_err(|error| Failure::of(&error))?;
        let layer = |layer: &quakefs::Layer| Layer {
            name: layer.name().to_owned(),
            kind: layer.kind().name(),
            entries: layer.archive().map(|archive| archive.entries().len()),
        };
        let mounted = Mounted {
            engine,
            base: base.map(str::to_owned).filter(|_| has_base),
            layers: quake.layers().map(layer).collect(),
        };
        self.quake = Some(quake);
        Ok(mounted)
    }
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

/// The copy that a question names: the winner, or the copy in a layer.
pub(crate) fn file<'q>(quake: &'q SearchPath, question: &Question<'_>) -> Result<File<'q>, Failure> {
    let name = question.one("name");
    let number = |field| question.one(field).parse::<usize>().ok();
    let found = match number("index") {
        None => quake.find(&*unescape(name)),
        Some(layer) => {
            let is_meant = |file: &File<'_>| file.layer().index() == layer && file.entry() == number("entry");
            quake.copies(&*unescape(name)).into_iter().find(is_meant)
        }
    };
    found.ok_or_else(|| Failure::new(format!("{name} is missing")))
}
