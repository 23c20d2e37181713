//! Decomposes letters and makes capitals of them.

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

#[cfg(test)]
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
