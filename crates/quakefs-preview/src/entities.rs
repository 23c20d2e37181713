//! The text of a level's entities: pairs of quoted strings between braces.

use std::collections::{BTreeMap, BTreeSet};

use crate::text::readable;

/// What an entity names a file for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Use {
    /// A model.
    Model,
    /// A sound or music.
    Sound,
    /// An archive of textures, which the compiler read.
    Textures,
    /// A sky.
    Sky,
    /// Another level, to which an exit leads.
    Map,
}

impl Use {
    /// A word for several of it, such as `models`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Use::Model => "models",
            Use::Sound => "sounds",
            Use::Textures => "WADs",
            Use::Sky => "sky",
            Use::Map => "exits",
        }
    }

    /// What a key of an entity names.
    fn of(key: &[u8], class: &[u8]) -> Option<Use> {
        Some(match key {
            b"model" | b"model2" | b"weaponmodel" | b"mdl" | b"mdl_body" | b"mdl_head" => Use::Model,
            b"noise" | b"noise1" | b"noise2" | b"noise3" | b"noise4" | b"music" | b"sound" => Use::Sound,
            b"wad" | b"_wad" => Use::Textures,
            b"sky" | b"skyname" | b"_sky" => Use::Sky,
            b"map" if class.ends_with(b"_changelevel") => Use::Map,
            _ => return None,
        })
    }
}

/// The names of files by what they are for, each once and sorted, with Quake's console characters as letters.
pub type Uses = BTreeMap<Use, BTreeSet<String>>;

#[derive(Default)]
pub(crate) struct Entities {
    pub(crate) title: Option<String>,
    pub(crate) count: usize,
    pub(crate) uses: Uses,
}

pub(crate) fn read(text: &[u8]) -> Entities {
    let mut entities = Entities::default();
    let mut rest = text;
    while past(&mut rest, |byte| byte == b'{').is_some() {
        let mut pairs = Vec::new();
        while let Some(pair) = pair(&mut rest) {
            pairs.push(pair);
        }
        entities.add(&pairs);
    }
    entities
}

impl Entities {
    fn add(&mut self, pairs: &[(&[u8], &[u8])]) {
        self.count += 1;
        let value = |wanted: &[u8]| pairs.iter().find(|(key, _)| *key == wanted).map(|(_, value)| *value);
        let class = value(b"classname").unwrap_or_default();
        if class == b"worldspawn" && self.title.is_none() {
            self.title = value(b"message").map(readable).filter(|title| !title.trim().is_empty());
        }
        for (key, value) in pairs {
            let Some(kind) = Use::of(key, class) else { continue };
            // a model of the level itself has a number, and a list of WADs stands between semicolons
            let names = value.split(|&byte| kind == Use::Textures && byte == b';');
            let names = names.filter(|name| !name.is_empty() && !name.starts_with(b"*"));
            self.uses.entry(kind).or_default().extend(names.map(readable));
        }
        self.uses.retain(|_, names| !names.is_empty());
    }
}

/// The next key and value of an entity; `None` at its end.
fn pair<'a>(rest: &mut &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    Some((quoted(rest)?, quoted(rest)?))
}

fn quoted<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (_, found) = past(rest, |byte| matches!(byte, b'"' | b'}'))?;
    if found == b'}' {
        return None;
    }
    past(rest, |byte| byte == b'"').map(|(text, _)| text)
}

/// Takes the bytes up to one that is wanted, and that one. Where there is none all are taken, so each byte is read once.
fn past<'a>(rest: &mut &'a [u8], is_wanted: impl Fn(u8) -> bool) -> Option<(&'a [u8], u8)> {
    let all = std::mem::take(rest);
    let end = all.iter().position(|&byte| is_wanted(byte))?;
    *rest = all.get(end + 1..)?;
    Some((all.get(..end)?, *all.get(end)?))
}
