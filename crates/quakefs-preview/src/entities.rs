//! The files that the entities of a level name.

use quake_content::Entity;

use crate::text::readable;

/// The use of a file that an entity names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    Model,
    Sound,
    /// A texture archive for the map compiler.
    Textures,
    Sky,
    /// The target of an exit.
    Map,
}

impl Use {
    const fn name(self) -> &'static str {
        match self {
            Use::Model => "models",
            Use::Sound => "sounds",
            Use::Textures => "WADs",
            Use::Sky => "sky",
            Use::Map => "exits",
        }
    }

    /// The use of the file in an entity's key.
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

#[derive(Default)]
pub(crate) struct Entities<'a> {
    pub(crate) title: Option<String>,
    pub(crate) count: usize,
    /// Names of the files that the level uses, grouped as in [`Level::uses`](crate::Level::uses).
    pub(crate) uses: Vec<(&'static str, Vec<String>)>,
    /// The names in the order of the text.
    named: Vec<(Use, String)>,
    /// The positions of entities, each with its class.
    pub(crate) origins: Vec<(&'a [u8], [f32; 3])>,
}

pub(crate) fn read(found: quake_content::Entities<'_>) -> Entities<'_> {
    let mut entities = Entities::default();
    found.for_each(|entity| entities.add(&entity));
    entities.sort();
    entities
}

impl<'a> Entities<'a> {
    fn add(&mut self, entity: &Entity<'a>) {
        self.count += 1;
        let class = entity.class();
        if class == b"worldspawn" && self.title.is_none() {
            self.title = entity.value(b"message").map(readable).filter(|title| !title.trim().is_empty());
        }
        if let Some(origin) = entity.value(b"origin").and_then(origin) {
            self.origins.push((class, origin));
        }
        for (key, value) in &entity.pairs {
            let Some(kind) = Use::of(key, class) else { continue };
            // names of the level's own models are numbers; semicolons separate WADs
            let names = value.split(|&byte| kind == Use::Textures && byte == b';');
            let names = names.filter(|name| !name.is_empty() && !name.starts_with(b"*"));
            self.named.extend(names.map(|name| (kind, readable(name))));
        }
    }

    fn sort(&mut self) {
        self.named.sort_unstable();
        self.named.dedup();
        for (kind, name) in self.named.drain(..) {
            match self.uses.last_mut() {
                Some((last, names)) if *last == kind.name() => names.push(name),
                _ => self.uses.push((kind.name(), vec![name])),
            }
        }
    }
}

/// The position in an `origin` value.
fn origin(value: &[u8]) -> Option<[f32; 3]> {
    let mut numbers = value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).map(|word| {
        let whole = word.split(|byte| *byte == b'.').next().unwrap_or_default();
        std::str::from_utf8(whole).ok()?.parse::<i16>().ok().map(f32::from)
    });
    Some([numbers.next()??, numbers.next()??, 0.0])
}
