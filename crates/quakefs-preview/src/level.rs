//! `.bsp`: the title of a level, the files that its entities name, its textures, and its outline from above.

use crate::{Error, Options, Outline, Pictures, entities, outline, texture};

/// A compiled level.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Level {
    /// The title, from the `message` of its world.
    pub title: Option<String>,
    /// The number of entities.
    pub entities: usize,
    /// The files that its entities name, by use: `models`, `sounds`, `WADs`, `sky` and `exits`. Each name
    /// occurs once, sorted, with Quake's console characters as letters.
    pub uses: Vec<(&'static str, Vec<String>)>,
    /// The textures in the level. Quake II keeps textures in separate files.
    pub textures: Pictures,
    /// The outline from above, or why its faces cannot be read.
    pub outline: Result<Outline, Error>,
}

pub(crate) fn read(bytes: &[u8], options: &Options<'_>) -> Result<Level, Error> {
    let level = quake_content::Level::parse(bytes)?;
    options.take(level.entity_text()?.len() as u64)?;
    let found = entities::read(level.entities()?);
    let textures = match level.textures() {
        Ok(textures) => {
            // textures that the compiler did not find are not in the file
            let held = || textures.clone().flatten();
            let pictures = held().map(|texture| texture::show(&texture?, options));
            Pictures::first(options.pictures, held().count(), pictures)?
        }
        // a level that is truncated after its entities still has a title
        Err(_) => Pictures { damaged: 1, ..Pictures::default() },
    };
    let outline = Error::of_part(outline::of(level, &found.origins, options))?;
    Ok(Level { title: found.title, entities: found.count, uses: found.uses, textures, outline })
}
