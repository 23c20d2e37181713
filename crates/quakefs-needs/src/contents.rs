//! The names of other files in models, textures and WADs.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use quake_content::model::{AliasModel, Md2, Md3, Sprite, Studio};
use quake_content::picture::Wal;
use quake_content::{Error, Level, Wad};
use quakefs::pak_format::name::with_slashes;
use quakefs::{File, FileData, Finding, SearchPath};

use crate::budget::Budget;
use crate::listed::straight_in;
use crate::need::Trouble;

/// `MAX_SKINS` of `gl_model.h`.
const MOST_SKINS: usize = 32;

/// `MAXSTUDIOGROUPS` of `studio.h`.
const MOST_GROUPS: usize = 16;

/// In the names of a model of Half-Life: the name of the model without its extension.
pub(crate) const STEM: &[u8] = b"{}";

/// What the names in a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum NameKind {
    /// The textures of a WAD, in lower case.
    Wad,
    /// The next texture of an animation.
    Wal,
    /// The textures of a brush model.
    Brushes,
    /// `_0`, `_1` and so on, for each skin in a model.
    Skins,
    /// The pictures that a model names.
    Md2,
    /// The shaders that a model names.
    Md3,
    /// The pictures that a sprite names.
    Sprite,
    /// The textures, sequences, sounds and sprites of a model of Half-Life.
    Studio {
        /// Whether sequences have the names in the model.
        recorded: bool,
    },
}

/// The names in a file, each once, in byte order.
type ReadNames = Result<Arc<Vec<Vec<u8>>>, Trouble>;

/// A layer, the stored name of a file in it, and what its names are.
type Key = (usize, Box<[u8]>, NameKind);

/// A layer, and the stored name of a file in it.
type Place = (usize, Box<[u8]>);

/// The names in files. Each file is read once, however many levels need it.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    names: Mutex<HashMap<Key, ReadNames>>,
    examined: Mutex<HashMap<Place, Option<Box<Finding>>>>,
    scripts: OnceLock<Vec<Script>>,
}

/// The name of a script of shaders, and its text or the reason why it cannot be read.
type Script = (Box<[u8]>, Result<FileData, String>);

impl Contents {
    /// The names in a file.
    pub(crate) fn names(&self, file: &File<'_>, content: NameKind, budget: &Budget) -> ReadNames {
        let key = (file.layer().index(), Box::from(file.stored().as_bytes()), content);
        if let Some(names) = self.names.lock().get(&key) {
            return names.clone();
        }
        let names = read(file, content, budget);
        // another command has another budget
        if !matches!(names, Err(Trouble::Budget | Trouble::Stopped)) {
            self.names.lock().insert(key, names.clone());
        }
        names
    }

    /// Why the engine cannot load a file; `None` if it can.
    pub(crate) fn not_loaded(&self, search_path: &SearchPath, file: &File<'_>) -> Option<Box<Finding>> {
        let key = (file.layer().index(), Box::from(file.stored().as_bytes()));
        if let Some(found) = self.examined.lock().get(&key) {
            return found.clone();
        }
        let found = quakefs::why::wrong_in(search_path, file).map(Box::new);
        self.examined.lock().insert(key, found.clone());
        found
    }

    /// The scripts of shaders, in the order of the engine: it joins the scripts, last file first, and uses
    /// the first shader of a name (`ScanAndLoadShaderFiles`).
    pub(crate) fn scripts(&self, search_path: &SearchPath) -> &[Script] {
        self.scripts.get_or_init(|| {
            let mut scripts: Vec<_> = straight_in(search_path, b"scripts/", b".shader").collect();
            scripts.sort_by_key(|file| (file.layer().index(), file.entry()));
            let read = |file: &File<'_>| file.read().map_err(|error| error.to_string());
            scripts.iter().rev().map(|file| (file.name().as_bytes().into(), read(file))).collect()
        })
    }
}

fn read(file: &File<'_>, content: NameKind, budget: &Budget) -> ReadNames {
    let unreadable = |reason: String| Trouble::Unreadable { name: file.name().as_bytes().into(), reason };
    let bytes = file.read().map_err(|error| unreadable(error.to_string()))?;
    budget.work(bytes.len() as u64 / 4)?;
    let names = named(content, &bytes).map_err(|error| unreadable(error.to_string()))?;
    budget.keep(names.iter().map(|name| name.len() + 48).sum())?;
    Ok(names.into())
}

/// The names in the bytes of a file.
fn named(content: NameKind, bytes: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
    let mut names = Vec::new();
    let mut add = |name: &[u8]| {
        if !name.is_empty() {
            names.push(name.to_vec());
        }
    };
    match content {
        NameKind::Wad => Wad::parse(bytes)?.entries().for_each(|entry| add(&entry.name.to_ascii_lowercase())),
        NameKind::Wal => add(Wal::parse(bytes)?.next),
        NameKind::Brushes => Level::parse(bytes)?.surface_names()?.into_iter().for_each(add),
        // engines recognise a model by its first bytes, so the ending may be wrong
        NameKind::Skins => {
            let skins = AliasModel::parse(bytes).into_iter().flat_map(|model| model.skins());
            let skins = skins.filter_map(Result::ok).take(MOST_SKINS).enumerate();
            skins.for_each(|(number, _)| add(format!("_{number}").as_bytes()));
        }
        NameKind::Md2 => Md2::parse(bytes)?.skins().for_each(add),
        NameKind::Md3 => Md3::parse(bytes)?.shaders()?.into_iter().for_each(add),
        NameKind::Sprite => Sprite::parse(bytes)?.pictures()?.for_each(add),
        // the engine loads other models too
        NameKind::Studio { .. } if !bytes.starts_with(b"IDST") => {}
        NameKind::Studio { recorded } => {
            let model = Studio::parse(bytes)?;
            if model.textures()? == 0 {
                add(&[STEM, b"T.mdl"].concat());
            }
            for (number, name) in model.groups()?.take(MOST_GROUPS - 1).enumerate() {
                if recorded {
                    add(&with_slashes(name));
                } else {
                    add(&[STEM, format!("{:02}.mdl", number + 1).as_bytes()].concat());
                }
            }
            for event in model.events()? {
                // `dlls/scriptevent.h` and `cl_dll/entity.cpp`, `HUD_StudioEvent`, of the Half-Life SDK
                match event.event {
                    1004 | 1008 | 5004 if !event.options.is_empty() => {
                        add(&[b"sound/", &*with_slashes(event.options)].concat());
                    }
                    5001 | 5011 | 5021 | 5031 => {
                        let kind = std::str::from_utf8(event.options).ok();
                        let kind: u32 = kind.and_then(|kind| kind.trim().parse().ok()).unwrap_or_default();
                        add(format!("sprites/muzzleflash{}.spr", kind % 10 % 3 + 1).as_bytes());
                    }
                    _ => {}
                }
            }
        }
    }
    names.sort_unstable();
    names.dedup();
    Ok(names)
}
