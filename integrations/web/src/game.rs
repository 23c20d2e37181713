//! The class of JavaScript for a mounted game: it translates questions and answers of `quakefs_game`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use js_sys::{Array, BigInt, Object, Uint8Array};
use quakefs::File;
use quakefs::disk::MemoryDisk;
use quakefs::pak_format::name::unescape;
use quakefs::rules::{SubstituteKind, UnknownName};
use quakefs::sentences::Help;
use quakefs_game::{
    CheckOptions, Compared, EffectsRow, EngineOn, LayerRow, Note, Options, Over, PlaceAnswer, Placed,
    ReasonRow, Surroundings, WhichRow,
};
use serde::de::value::MapDeserializer;
use serde::{Deserialize, Serialize};
use serde_wasm_bindgen::{Deserializer, Error, Serializer};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};

use crate::failure::{Failure, ROOT};
use crate::{Reader, Source, Sources, content};

/// A game. A failure is thrown as a row.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Game {
    reader: Reader,
    mounted: Option<(quakefs_game::Game, Surroundings)>,
    /// Whether bytes were asked for that are not here yet.
    lacked: Arc<AtomicBool>,
}

type Answer<T = JsValue> = Result<T, JsValue>;

/// A copy of a file. Without an index, it is the winner.
#[derive(Deserialize)]
struct Copy {
    name: String,
    index: Option<usize>,
    entry: Option<usize>,
}

/// What is known at once after a mount.
#[derive(Serialize)]
struct Mounted {
    engine: String,
    base: Option<String>,
    layers: Vec<LayerRow>,
    notes: Vec<ReasonRow>,
}

/// Where the plain bytes of a file are.
#[derive(Serialize)]
struct Extent {
    /// The path of the source.
    path: String,
    start: u64,
    /// The offset behind the last byte.
    end: u64,
}

#[derive(Serialize)]
struct Place {
    place: PlaceAnswer,
    effects: Option<EffectsRow>,
}

fn row(answer: &impl Serialize) -> Answer {
    let serializer = Serializer::new().serialize_missing_as_null(true).serialize_maps_as_objects(true);
    answer.serialize(&serializer).or_else(|_| {
        // a hostile archive claims sizes that no number of JavaScript has
        let exact = serializer.serialize_large_number_types_as_bigints(true);
        Ok(with_numbers(answer.serialize(&exact)?))
    })
}

/// A value whose integers are the nearest numbers.
fn with_numbers(value: JsValue) -> JsValue {
    if let Some(integer) = value.dyn_ref::<BigInt>() {
        let text = integer.to_string(10).ok().and_then(|text| text.as_string());
        return text.and_then(|text| text.parse::<f64>().ok()).map_or(JsValue::NULL, JsValue::from);
    }
    if let Some(items) = value.dyn_ref::<Array>() {
        return items.iter().map(with_numbers).collect::<Array>().into();
    }
    if let Some(fields) = value.dyn_ref::<Object>() {
        let fields = Object::entries(fields).into_iter().map(|field| {
            let field = Array::from(&field);
            Array::of2(&field.get(0), &with_numbers(field.get(1)))
        });
        let fields = Object::from_entries(&fields.collect::<Array>());
        return fields.map_or(JsValue::NULL, JsValue::from);
    }
    value
}

/// An argument of JavaScript, which may have any type.
fn argument<T: for<'de> Deserialize<'de>>(value: JsValue) -> Answer<T> {
    serde_wasm_bindgen::from_value(value).map_err(misread)
}

/// The failure of an argument or an option of another type.
fn misread(error: Error) -> JsValue {
    failed(Failure::new(js_sys::Error::from(JsValue::from(error)).message()))
}

fn failed(failure: impl Into<Failure>) -> JsValue {
    row(&failure.into()).unwrap_or_else(|error| error)
}

/// A value of an object of JavaScript by its names. Unlike an object itself, it shows names that nothing
/// knows.
fn named<'de, T: Deserialize<'de>>(object: &Object) -> Result<T, JsValue> {
    let entries = Object::entries(object).into_iter().map(|entry| {
        let entry = Array::from(&entry);
        (entry.get(0).as_string().unwrap_or_default(), Deserializer::from(entry.get(1)))
    });
    T::deserialize(MapDeserializer::<_, Error>::new(entries)).map_err(misread)
}

#[wasm_bindgen]
impl Game {
    /// A game before the mount.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new(reader: Reader) -> Game {
        crate::throw_panics();
        Game { reader, mounted: None, lacked: Arc::default() }
    }

    fn mounted(&self) -> Answer<&(quakefs_game::Game, Surroundings)> {
        self.mounted.as_ref().ok_or_else(|| failed(Failure::new("no game is mounted")))
    }

    fn game(&self) -> Answer<&quakefs_game::Game> {
        Ok(&self.mounted()?.0)
    }

    /// The copy that a question names.
    fn file(&self, copy: JsValue) -> Answer<File<'_>> {
        let copy: Copy = argument(copy)?;
        let name = unescape(&copy.name);
        let quake = &self.game()?.search_path;
        let found = match copy.index {
            None => quake.find(&*name),
            Some(layer) => {
                let is_meant = |file: &File<'_>| file.layer().index() == layer && file.entry() == copy.entry;
                quake.copies(&*name).into_iter().find(is_meant)
            }
        };
        found.ok_or_else(|| match self.game().map(|game| game.which(&*name)) {
            Ok(WhichRow { reason: Some(reason), help, .. }) => {
                failed(Failure::with_help(reason, help.unwrap_or_default()))
            }
            _ => failed(Failure::new(format!("{} is missing", copy.name))),
        })
    }

    /// Mounts sources, numbered in their order, each with its path and its size. `folder` is where a game is
    /// looked for.
    ///
    /// # Errors
    /// The sources contain no game.
    pub fn mount(&mut self, options: &Object, sources: JsValue, folder: &str) -> Answer {
        let sources: Vec<(String, u64)> = argument(sources)?;
        let options: Options = named(options)?;
        let memory = MemoryDisk::new();
        for (number, (path, size)) in (0..).zip(&sources) {
            let source = Source::new(self.reader.clone(), number, Arc::clone(&self.lacked));
            let inserted = memory.insert_at(path, source, *size);
            inserted.map_err(|error| failed(Failure::new(format!("{path}: {error}"))))?;
        }
        let disk = Arc::new(Sources::new(memory, |path| Some(source(path))));
        let surroundings = Surroundings { folder: Some(folder.into()), ..Surroundings::of(disk) };
        let game = quakefs_game::Game::open(&options, &surroundings).map_err(failed)?;
        let note = |note: &Note| ReasonRow { reason: note.to_string(), help: note.help(None) };
        let mounted = Mounted {
            engine: game.rules().name.to_string(),
            base: game.choices.base.as_ref().map(ToString::to_string),
            layers: game.mounted_layers(),
            notes: game.notes.iter().map(note).collect(),
        };
        self.mounted = Some((game, surroundings));
        row(&mounted)
    }

    /// The copy that the engine loads, or null.
    ///
    /// # Errors
    /// No game is mounted, as for all questions.
    pub fn find(&self, name: &str) -> Answer {
        row(&self.game()?.find(&*unescape(name)))
    }

    /// All copies of a file.
    ///
    /// # Errors
    /// See `find`.
    pub fn copies(&self, name: &str) -> Answer {
        row(&self.game()?.copies(&*unescape(name)))
    }

    /// The winner of each name.
    ///
    /// # Errors
    /// See `find`.
    pub fn files(&self) -> Answer {
        row(&self.game()?.list().collect::<Vec<_>>())
    }

    /// The files that match a pattern.
    ///
    /// # Errors
    /// The pattern is wrong.
    pub fn glob(&self, pattern: &str) -> Answer {
        row(&self.game()?.glob(pattern).map_err(failed)?)
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
        let extent = self.file(copy)?.extent();
        row(&extent.map(|extent| Extent {
            path: extent.path.into(),
            start: extent.range.start,
            end: extent.range.end,
        }))
    }

    /// The content of a copy: its `model`, `level`, `entities`, `sound`, `pictures`, or else its facts.
    ///
    /// # Errors
    /// The copy is missing, cannot be read, or has another format.
    pub fn content(&self, kind: &str, copy: JsValue) -> Answer {
        let (quake, file) = (&self.game()?.search_path, &self.file(copy)?);
        match kind {
            "model" => row(&content::model(quake, file).map_err(failed)?),
            "level" => row(&content::level(quake, file).map_err(failed)?),
            // maps, so that any key is one
            "entities" => Ok(content::entities(file).map_err(failed)?.serialize(&Serializer::new())?),
            "sound" => row(&content::sound(file).map_err(failed)?),
            "pictures" => row(&content::pictures(quake, file).map_err(failed)?),
            _ => row(&content::facts(file).map_err(failed)?),
        }
    }

    /// The problems of the mount.
    ///
    /// # Errors
    /// See `find`.
    pub fn findings(&self) -> Answer {
        row(&self.game()?.findings())
    }

    /// The search path.
    ///
    /// # Errors
    /// See `find`.
    pub fn path(&self) -> Answer {
        row(&self.game()?.path())
    }

    /// Why a copy wins, or none.
    ///
    /// # Errors
    /// See `find`.
    pub fn which(&mut self, name: &str) -> Answer {
        // the game keeps an archive of another game that lacked bytes as one that cannot be read
        if self.lacked.swap(false, Relaxed) {
            let again = self.game()?.remount().map_err(failed)?;
            if let Some((game, _)) = &mut self.mounted {
                *game = again;
            }
        }
        row(&self.game()?.which(&*unescape(name)))
    }

    /// Every overridden copy.
    ///
    /// # Errors
    /// See `find`.
    pub fn overridden(&self) -> Answer {
        row(&self.game()?.overridden())
    }

    /// Everything that is wrong.
    ///
    /// # Errors
    /// See `find`.
    pub fn check(&self, all: bool) -> Answer {
        let checked = self.game()?.check(&CheckOptions { all, ..CheckOptions::default() });
        row(&checked.rows(None))
    }

    /// Whether the engine starts, and whether anything is wrong.
    ///
    /// # Errors
    /// See `find`.
    pub fn verdict(&self) -> Answer {
        row(&self.game()?.verdict())
    }

    /// The names that other engines load differently.
    ///
    /// # Errors
    /// An engine is unknown, plays another game, or its game cannot be mounted.
    pub fn compare(&self, engines: Vec<String>) -> Answer {
        let (game, surroundings) = self.mounted()?;
        let engines = engines.into_iter().map(|engine| engine.parse());
        let engines: Vec<EngineOn> = engines.collect::<Result<_, UnknownName>>().map_err(failed)?;
        let compared = Compared::of(&game.options, surroundings, &engines, false, |_| true);
        row(&compared.map_err(failed)?.differences().collect::<Vec<_>>())
    }

    /// The files beside a level.
    ///
    /// # Errors
    /// See `find`.
    pub fn companions(&self, level: &str) -> Answer {
        row(&self.game()?.companions(&*unescape(level)))
    }

    /// What replaces a thing.
    ///
    /// # Errors
    /// The kind is unknown, or it is not known what the engine loads.
    #[expect(clippy::needless_pass_by_value, reason = "wasm-bindgen passes no reference in an option")]
    pub fn substitutes(&self, kind: &str, name: &str, level: Option<String>) -> Answer {
        let kind: SubstituteKind = kind.parse().map_err(|error: UnknownName| failed(error))?;
        let found = self.game()?.substitutes(kind, &*unescape(name), level.as_deref());
        row(&found.map_err(failed)?)
    }

    /// The files that levels need; without levels, those of the game.
    ///
    /// # Errors
    /// See `find`. A level is missing, or the file is not a level.
    pub fn needs(&self, levels: Vec<String>) -> Answer {
        let levels: Vec<_> = levels.into_iter().map(|level| unescape(&level).into_owned()).collect();
        row(&self.game()?.needs(&levels).map_err(failed)?)
    }

    /// The files that nothing needs.
    ///
    /// # Errors
    /// The program cannot be read.
    pub fn unused(&self) -> Answer {
        row(&self.game()?.unused().map_err(failed)?)
    }

    /// The game directories of the base directory.
    ///
    /// # Errors
    /// See `find`.
    pub fn mods(&self) -> Answer {
        row(&self.game()?.mods())
    }

    /// Where a download among the sources goes, perhaps into the game directory of a name, and what it
    /// changes.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn place(&self, file: &str, name: Option<String>) -> Answer {
        let (game, surroundings) = self.mounted()?;
        let over = Over { name, file: file.into() };
        let placed = Placed::of(&game.options, surroundings, &over).map_err(failed)?;
        let effects = placed.effects().map_err(failed)?;
        row(&Place { place: placed.answer, effects })
    }
}

/// The path of the source at a path of the disk.
fn source(path: &Path) -> PathBuf {
    path.strip_prefix(ROOT).unwrap_or(path).to_owned()
}
