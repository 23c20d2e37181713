//! `.map`: the source of a level.

use crate::Entity;
use crate::lexer::{Token, Tokens};

/// The entities of a `.map` file, with the textures of their brushes.
///
/// Sources: `qbsp` of Quake (`map.c`), Valve's format 220, `parsepatch` of Quake III's `q3map`.
///
/// ```
/// use quake_content::map::MapEntities;
/// let text = b"{ \"classname\" \"worldspawn\" { ( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) WBRICK 0 0 0 1 1 } }";
/// let world = MapEntities::new(text).next().expect("the world");
/// assert_eq!(world.entity.class(), b"worldspawn");
/// assert_eq!(world.textures, [&b"WBRICK"[..]]);
/// ```
#[derive(Clone, Debug)]
pub struct MapEntities<'a> {
    tokens: Tokens<'a>,
}

/// An entity of a `.map` file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MapEntity<'a> {
    /// Its keys and values.
    pub entity: Entity<'a>,
    /// The textures of its surfaces, each once, in the order of the text.
    pub textures: Vec<&'a [u8]>,
}

impl<'a> MapEntities<'a> {
    /// The entities of a text.
    #[must_use]
    pub fn new(text: &'a [u8]) -> Self {
        MapEntities { tokens: Tokens::of_words(text) }
    }
}

impl<'a> Iterator for MapEntities<'a> {
    type Item = MapEntity<'a>;

    fn next(&mut self) -> Option<MapEntity<'a>> {
        let start = self.tokens.next().filter(|token| token.is(b"{"))?;
        let mut found = MapEntity::default();
        found.entity.line = start.line;
        let mut seen = std::collections::HashSet::new();
        let (mut depth, mut key, mut last) = (1_usize, None, None::<Token<'a>>);
        while depth > 0 {
            let Some(token) = self.tokens.next() else { break };
            if token.is(b"{") {
                depth += 1;
            } else if token.is(b"}") {
                depth -= 1;
                key = None;
            } else if depth == 1 {
                match key.take() {
                    None => key = Some(token.text),
                    Some(key) => found.entity.pairs.push((key, token.text)),
                }
            } else {
                // the texture follows the three points of a face, or the opening brace of a patch
                let after = last.filter(|last| last.is(b")") && depth == 2 || last.is(b"{") && depth > 2);
                if after.is_some() && !token.is(b"(") && seen.insert(token.text) {
                    found.textures.push(token.text);
                }
            }
            last = Some(token);
        }
        Some(found)
    }
}
