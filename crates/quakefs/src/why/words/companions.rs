//! Whether an engine loads the companion of a level.

use crate::search_path::{CompanionBecause, CompanionCopy};

use super::{Reader, Said, Say, counted};

impl Say for CompanionBecause {
    fn say_to(&self, _: Reader<'_>) -> Said {
        match self {
            CompanionBecause::Loaded => Said::without_help("loaded"),
            CompanionBecause::BelowLevel { directory, level } => Said::new(
                format!("ignored: {directory} is below {level}, which has the level"),
                format!("put it into {level}, or into a game directory above"),
            ),
            CompanionBecause::OtherName { layer, name } => Said::new(
                format!("ignored: {layer} has {name}, so this file is never read"),
                format!("name it {name}"),
            ),
            CompanionBecause::OtherSize { found, expected } => Said::new(
                format!(
                    "ignored: it has {}, and the lights of the level take {}",
                    counted(*found, "byte", "bytes"),
                    counted(*expected, "byte", "bytes")
                ),
                "make it anew from this copy of the level",
            ),
            CompanionBecause::NoLevel => Said::without_help("ignored: the level is not there"),
            CompanionBecause::UnreadLevel => {
                Said::without_help("ignored: the lights of the level cannot be read")
            }
        }
    }
}

impl Say for CompanionCopy<'_> {
    fn say_to(&self, reader: Reader<'_>) -> Said {
        let (sentence, help) = self.because.say_to(reader).into_parts();
        match &self.setting {
            Some(setting) if self.because == CompanionBecause::Loaded => {
                Said::without_help(format!("loaded with {setting}, and not by default"))
            }
            _ => Said::with_help(sentence, help),
        }
    }
}
