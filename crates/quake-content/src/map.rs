//! `.map`: the source of a level.

use crate::Entity;
use crate::lexer::{Token, Tokens};

/// Reads the entities in the source of a level, with the textures of their brushes.
///
/// Sources: `qbsp` of Quake (`map.c`), Valve's format 220, `parsepatch` of Quake III's `q3map`.
///
/// ```
/// let text = b"{ \"classname\" \"worldspawn\" { ( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) WBRICK 0 0 0 1 1 } }";
/// let world = quake_content::map::entities(text).next().expect("the world");
/// assert_eq!(world.entity.class(), b"worldspawn");
/// assert_eq!(world.textures, [&b"WBRICK"[..]]);
/// ```
pub fn entities(text: &[u8]) -> impl Iterator<Item = MapEntity<'_>> + Clone {
    MapEntities { tokens: Tokens::of_words(text) }
}

#[derive(Clone, Debug)]
struct MapEntities<'a> {
    tokens: Tokens<'a>,
}

/// An entity in the source of a level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MapEntity<'a> {
    /// The keys and values.
    pub entity: Entity<'a>,
    /// The textures of its faces, each once, in the order of the text.
    pub textures: Vec<&'a [u8]>,
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
                // the texture of a face follows three points, that of a patch an opening brace
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
