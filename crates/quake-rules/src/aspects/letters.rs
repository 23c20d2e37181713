//! Compares letters, by tables or by functions of the program.

use std::sync::OnceLock;

struct Letters {
    decompose: fn(&str) -> String,
    capitals: fn(&str) -> String,
}

static LETTERS: OnceLock<Letters> = OnceLock::new();

/// Only the first call has an effect.
pub(super) fn by(decompose: fn(&str) -> String, capitals: fn(&str) -> String) {
    LETTERS.get_or_init(|| Letters { decompose, capitals });
}

pub(super) fn decomposed(text: &str) -> String {
    LETTERS.get().map_or_else(|| tables::decomposed(text), |letters| (letters.decompose)(text))
}

pub(super) fn capitals(text: &str) -> String {
    LETTERS.get().map_or_else(|| tables::capitals(text), |letters| (letters.capitals)(text))
}

#[cfg(not(feature = "unicode"))]
mod tables {
    pub(super) fn decomposed(text: &str) -> String {
        text.to_owned()
    }

    pub(super) fn capitals(text: &str) -> String {
        text.to_ascii_uppercase()
    }
}

#[cfg(feature = "unicode")]
mod tables {
    use unicode_normalization::char::{canonical_combining_class, decompose_canonical};

    /// Not the crate's iterator, which would link the tables of the other forms.
    pub(super) fn decomposed(text: &str) -> String {
        let mut characters = Vec::with_capacity(text.len());
        for letter in text.chars() {
            decompose_canonical(letter, |part| characters.push(part));
        }
        // the marks of a letter are sorted by class
        for marks in characters.chunk_by_mut(|_, next| canonical_combining_class(*next) != 0) {
            marks.sort_by_key(|mark| canonical_combining_class(*mark));
        }
        characters.into_iter().collect()
    }

    pub(super) fn capitals(text: &str) -> String {
        text.chars().map(capital).collect()
    }

    fn capital(letter: char) -> char {
        let mut capitals = letter.to_uppercase();
        match (capitals.next(), capitals.next()) {
            (Some(capital), None) => capital,
            _ => letter,
        }
    }
}

#[cfg(all(test, feature = "unicode"))]
mod tests {
    use super::*;

    #[test]
    fn characters_are_decomposed_as_unicode_says() {
        use unicode_normalization::UnicodeNormalization as _;

        // each character between marks of two classes; no character of a higher plane decomposes
        for letter in char::MIN..='\u{2ffff}' {
            let text = format!("{letter}a\u{301}{letter}\u{323}\u{5b0}");
            assert_eq!(decomposed(&text), text.nfd().collect::<String>(), "{text:?}");
        }
    }
}
