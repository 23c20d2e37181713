//! Sentences for people.

mod rules;

pub use self::rules::{InShort, Sentence, in_short, sentences};
