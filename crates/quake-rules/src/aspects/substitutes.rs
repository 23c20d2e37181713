//! Files that an engine loads in the place of what a level or a model names.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::fault::{FaultKind, Faults};
use crate::{List, Text};

/// What an engine asks for where a level, a model or a console command names a texture, a sky, a track or a model.
///
/// The rows are known from source; what QuakeSpasm asked its game directory for on 80 levels was traced too.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Substitute {
    /// In the place of what.
    #[serde(rename = "as")]
    pub of: SubstituteKind,
    /// The names without extension, in the order in which the engine asks for them. `{name}` stands for what is named, with
    /// `#` for `*`; `{level}` for the level's name, without which the pattern is passed over; `{part}` for one of `parts`;
    /// `{stem}` for the name without its extension; `{nn}` for a number of two digits, `{nnn}` for one of three. A number is asked for by the patterns with one of these
    /// alone, and anything else by the others.
    pub names: List<Text>,
    /// The files that belong together, as the six sides of a sky; one that is empty where there is one file.
    pub parts: List<Text>,
    /// The extensions, in the order in which the engine asks for them.
    pub extensions: List<Text>,
    /// What decides between two extensions of a name.
    pub decides: SubstituteBy,
    /// What is added to the name that was found for a further file; the first that is there counts.
    pub beside: List<Text>,
}

/// In the place of what an engine loads a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SubstituteKind {
    /// A texture of a level.
    Texture,
    /// The sky around a level.
    Sky,
    /// A track of music.
    Music,
    /// A model.
    Model,
}

impl SubstituteKind {
    /// Every kind.
    pub const ALL: &[SubstituteKind] =
        &[SubstituteKind::Texture, SubstituteKind::Sky, SubstituteKind::Music, SubstituteKind::Model];

    /// The word for the kind: `texture`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SubstituteKind::Texture => "texture",
            SubstituteKind::Sky => "sky",
            SubstituteKind::Music => "music",
            SubstituteKind::Model => "model",
        }
    }
}

impl fmt::Display for SubstituteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SubstituteKind {
    type Err = UnknownSubstitute;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let mut kinds = SubstituteKind::ALL.iter().copied();
        kinds.find(|kind| kind.name() == word).ok_or_else(|| UnknownSubstitute(word.to_owned()))
    }
}

/// The word given is not the name of a [`SubstituteKind`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSubstitute(String);

impl fmt::Display for UnknownSubstitute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nothing is called \"{}\": expected texture, sky, music or model", self.0)
    }
}

impl std::error::Error for UnknownSubstitute {}

/// What decides between two extensions of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SubstituteBy {
    /// The extension that is asked for first: a copy in a lower game directory hides one of a later extension above.
    Extension,
    /// The higher game directory, and in one game directory the extension that is asked for first.
    Directory,
}

impl Substitute {
    /// The names without extension that the engine asks for.
    ///
    /// ```
    /// use quake_rules::Engine;
    /// let texture = &Engine::QuakeSpasm.rules().substitutes[0];
    /// assert_eq!(texture.stems("*lava1", Some("e1m1"), ""), ["textures/e1m1/#lava1", "textures/#lava1"]);
    /// ```
    #[must_use]
    pub fn stems(&self, name: &str, level: Option<&str>, part: &str) -> Vec<String> {
        let number: Option<u8> = name.parse().ok().filter(|number| *number < 100);
        let has_numbers = self.names.iter().any(|pattern| pattern.contains(NUMBER));
        let of = |pattern: &Text| {
            if has_numbers && pattern.contains(NUMBER) != number.is_some() {
                return None;
            }
            let mut stem = pattern.replace("{part}", part);
            if stem.contains(LEVEL) {
                stem = stem.replace(LEVEL, level?);
            }
            if let Some(number) = number {
                stem =
                    stem.replace("{nn}", &format!("{number:02}")).replace("{nnn}", &format!("{number:03}"));
            }
            let without = name.rsplit_once('.').map_or(name, |(without, _)| without);
            Some(stem.replace("{stem}", without).replace("{name}", &name.replace('*', "#")))
        };
        self.names.iter().filter_map(of).collect()
    }
}

const LEVEL: &str = "{level}";
/// How patterns with a number begin to say so.
const NUMBER: &str = "{nn";

pub(crate) fn validate(substitutes: &[Substitute], faults: &mut Faults) {
    for (index, substitute) in substitutes.iter().enumerate() {
        let lists = [
            ("names", &substitute.names),
            ("parts", &substitute.parts),
            ("extensions", &substitute.extensions),
        ];
        for (field, list) in lists {
            let key = format!("substitutes[{index}].{field}");
            if list.is_empty() {
                faults.add(&*key, FaultKind::Empty);
            }
            faults.twice(&key, list);
        }
    }
    let kinds: Vec<_> = substitutes.iter().map(|substitute| substitute.of).collect();
    faults.twice("substitutes", &kinds);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use crate::fault::tests::check;

    fn stems(engine: Engine, kind: SubstituteKind, name: &str, level: Option<&str>) -> String {
        let mut rows = engine.rules().substitutes.iter();
        let row = rows.find(|row| row.of == kind).unwrap();
        row.stems(name, level, &row.parts[0]).join(" ")
    }

    #[test]
    fn each_thing_is_asked_for_by_its_names() {
        let quakespasm = |kind, name, level| stems(Engine::QuakeSpasm, kind, name, level);
        assert_eq!(quakespasm(SubstituteKind::Texture, "brick1", None), "textures/brick1");
        assert_eq!(quakespasm(SubstituteKind::Texture, "7", Some("a")), "textures/a/7 textures/7");
        assert_eq!(quakespasm(SubstituteKind::Sky, "moon_", None), "gfx/env/moon_rt");
        assert_eq!(quakespasm(SubstituteKind::Music, "2", None), "music/track02");
        assert_eq!(quakespasm(SubstituteKind::Music, "200", None), "music/200");
        assert_eq!(quakespasm(SubstituteKind::Music, "theme", None), "music/theme");
    }

    #[test]
    fn a_kind_is_found_by_its_name() {
        for kind in SubstituteKind::ALL {
            assert_eq!(kind.name().parse(), Ok(*kind));
        }
        assert!("skin".parse::<SubstituteKind>().is_err());
    }

    #[test]
    fn a_row_without_names_or_of_a_kind_that_is_there_is_a_fault() {
        check(
            |rules| {
                let mut row = Engine::QuakeSpasm.rules().substitutes[0].clone();
                rules.substitutes = vec![row.clone(), {
                    row.names = Vec::new().into();
                    row
                }]
                .into();
            },
            &[
                "substitutes[1].names: the list is empty",
                "substitutes[1]: no effect, as it is in the list already",
            ],
        );
    }
}
