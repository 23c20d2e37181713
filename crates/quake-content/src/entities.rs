//! The text of a level's entities: pairs of keys and values between braces.

use crate::lexer::Tokens;

/// The entities of a level, in the order of the text.
///
/// ```
/// use quake_content::Entities;
/// let text = b"{ \"classname\" \"worldspawn\" \"message\" \"the Slipgate Complex\" }";
/// let mut entities = Entities::new(text);
/// let world = entities.next().expect("one entity");
/// assert_eq!(world.value(b"message"), Some(&b"the Slipgate Complex"[..]));
/// ```
#[derive(Clone, Debug)]
pub struct Entities<'a> {
    tokens: Tokens<'a>,
}

/// One entity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entity<'a> {
    /// The keys and values in the order of the text.
    pub pairs: Vec<(&'a [u8], &'a [u8])>,
}

impl<'a> Entity<'a> {
    /// The value of a key. If a key is repeated, the last value counts, as in the engines.
    #[must_use]
    pub fn value(&self, key: &[u8]) -> Option<&'a [u8]> {
        self.pairs.iter().rev().find(|(other, _)| *other == key).map(|(_, value)| *value)
    }

    /// The `classname`; empty if missing.
    #[must_use]
    pub fn class(&self) -> &'a [u8] {
        self.value(b"classname").unwrap_or_default()
    }
}

impl<'a> Entities<'a> {
    /// The entities of a text.
    #[must_use]
    pub fn new(text: &'a [u8]) -> Self {
        // the lump of a level ends in a NUL
        let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        Entities { tokens: Tokens::of_quake(text.get(..end).unwrap_or(text)) }
    }
}

impl<'a> Iterator for Entities<'a> {
    type Item = Entity<'a>;

    /// The next entity; `None` at the end of the text and at anything that is not an entity.
    fn next(&mut self) -> Option<Entity<'a>> {
        self.tokens.next().filter(|token| token.is(b"{"))?;
        let mut entity = Entity::default();
        while let Some(key) = self.tokens.next() {
            // the engines compare only the text, quoted or not
            if key.text.first() == Some(&b'}') {
                break;
            }
            let Some(value) = self.tokens.next() else { break };
            if value.text.first() == Some(&b'}') && !value.is_quoted {
                break;
            }
            entity.pairs.push((key.text, value.text));
        }
        Some(entity)
    }
}
