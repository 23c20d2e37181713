//! What an engine loads in the place of another thing.

use crate::Engine;
use crate::rules::SubstituteKind;

use super::{Reader, Said, Say};

/// Why nothing is loaded in the place of a thing.
#[derive(Clone, Copy, Debug)]
pub enum NoSubstitute<'a> {
    /// None of the names is there.
    Missing {
        /// The engine.
        engine: &'a str,
        /// What was named.
        name: &'a str,
        /// The names that the engine asks for.
        asked: &'a [String],
    },
    /// Files are there under its names, and each ranks below the model.
    Below {
        /// The engine.
        engine: &'a str,
        /// What was named.
        name: &'a str,
        /// The first of the files.
        file: &'a str,
        /// Where it is.
        place: &'a str,
    },
    /// The rules of the engine do not say what it loads.
    Unknown {
        /// The engine.
        engine: &'a str,
        /// In the place of what.
        kind: SubstituteKind,
    },
}

/// What a kind is called in a sentence.
pub(super) fn thing(kind: SubstituteKind) -> &'static str {
    match kind {
        SubstituteKind::Texture => "a texture",
        SubstituteKind::Sky => "a sky",
        SubstituteKind::Music => "a track of music",
        SubstituteKind::Model => "a model",
        SubstituteKind::Skin => "a skin",
    }
}

/// The first of many names.
fn few(names: &[String]) -> String {
    const FEW: usize = 6;
    match names.get(..FEW) {
        Some(first) if names.len() > FEW => {
            format!("{} and {} more", first.join(", "), names.len() - FEW)
        }
        _ => names.join(", "),
    }
}

impl Say for NoSubstitute<'_> {
    fn say_to(&self, reader: Reader<'_>) -> Said {
        match self {
            NoSubstitute::Missing { engine, name, asked: [] } => Said::new(
                format!("{name}: no file is loaded in its place: {engine} asks for none"),
                "name another engine",
            ),
            NoSubstitute::Missing { engine, name, asked } => Said::new(
                format!("{name}: no file is loaded in its place: {engine} asks for {}", few(asked)),
                "give the file one of these names; the first that is there counts",
            ),
            NoSubstitute::Below { engine, name, file, place } => Said::new(
                format!(
                    "{name}: no file is loaded in its place: {engine} ignores {file} of {place}, which is below the model"
                ),
                "put the file beside the model, or in a game above it",
            ),
            NoSubstitute::Unknown { engine, kind } => {
                let has_row = |other: &&Engine| other.rules().substitutes.iter().any(|row| row.of == *kind);
                let another = match (reader, Engine::ALL.iter().find(has_row)) {
                    (Reader::Shell(_), Some(other)) => format!(" by --engine, such as {other}"),
                    _ => String::new(),
                };
                Said::new(
                    format!("it is not known what {engine} loads in the place of {}", thing(*kind)),
                    format!("name another engine{another}"),
                )
            }
        }
    }
}
