//! Replacement files for textures, skies, music, models and skins.

use std::fmt;
use std::str::FromStr;

use super::names::{Rank, UnknownName, split_at_braces};
use crate::documented::documented;
use crate::fault::Faults;
use crate::{List, Rules, Text};

documented! {
    /// The replacement files that an engine tries for a texture, a sky, a track, a model or a skin.
    ///
    /// The rows come from source code. QuakeSpasm was also run. The tests contain the file that it loads, and
    /// the names that it tried on 80 levels.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub struct Substitute {
        /// The kind of thing that is replaced.
        pub of = "as": SubstituteKind,
        /// The first folder of the originals that this row is about; empty for all. The first row that fits
        /// counts.
        pub folder: Text,
        /// The extensions of the original that can be replaced. A file with another extension is not
        /// replaced. Empty for all.
        pub named: List<Text>,
        /// The names, in the order in which the engine tries them. Parts in braces, such as `{name}`, are
        /// replaced. Empty if the engine tries no file.
        pub names: List<Text>,
        /// Sets of files that belong together, such as the six sides of a sky. The engine uses the first set
        /// with an existing file. A single file has one set with one empty part.
        pub parts: List<List<Text>>,
        /// How the engine chooses between the names.
        pub decides: SubstituteBy,
        /// Whether the engine uses a replacement that ranks below the original.
        pub rank: Rank,
        /// Endings of other files beside the replacement, such as its glowing parts: of each list, the engine
        /// uses the first that exists. They have the folder of the replacement, and the extensions of its
        /// pattern in `names` and of those before it in that folder.
        pub beside: List<List<Text>>,
        /// The names that numbers stand for, from 1 on; empty for a number without one. Empty if numbers are
        /// names. Only goldsrc has these, for tracks of music.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub numbered: List<Text>,
        /// A text of such names, one in each line, which comes in the place of `numbered`; empty for none.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "str::is_empty"))]
        pub numbered_in: Text,
        /// Starts of names with nothing beside their replacement, such as `*` of water.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "<[_]>::is_empty"))]
        pub none_beside: List<Text>,
    }
}

documented! {
    /// The kind of thing that a file replaces.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum SubstituteKind {
        /// A texture of a level.
        Texture,
        /// The sky around a level.
        Sky,
        /// A track of music.
        Music,
        /// A model.
        Model,
        /// A skin of a model, by the engine's name for it: the model's name and the skin's number,
        /// `progs/ogre.mdl_0`, or in Quake II the name in the model.
        Skin,
        /// An image of a shader, or a texture without a shader. Without rows of this kind, the rows of
        /// textures apply.
        Image,
        /// A sound, by its name below `sound/`.
        Sound,
    }
}

impl SubstituteKind {
    /// Every kind.
    pub const ALL: &[SubstituteKind] = &[
        SubstituteKind::Texture,
        SubstituteKind::Sky,
        SubstituteKind::Music,
        SubstituteKind::Model,
        SubstituteKind::Skin,
        SubstituteKind::Image,
        SubstituteKind::Sound,
    ];

    /// The word for the kind: `texture`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SubstituteKind::Texture => "texture",
            SubstituteKind::Sky => "sky",
            SubstituteKind::Music => "music",
            SubstituteKind::Model => "model",
            SubstituteKind::Skin => "skin",
            SubstituteKind::Image => "image",
            SubstituteKind::Sound => "sound",
        }
    }
}

impl fmt::Display for SubstituteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SubstituteKind {
    type Err = UnknownName;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let mut kinds = SubstituteKind::ALL.iter().copied();
        kinds.find(|kind| kind.name() == word).ok_or_else(|| {
            let kinds = "texture, sky, music, model, skin, image or sound";
            UnknownName(format!("nothing is called \"{word}\": expected {kinds}"))
        })
    }
}

documented! {
    /// How an engine chooses between the names of a replacement.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum SubstituteBy {
        /// By name: an earlier name in a lower game directory wins over a later name above.
        Extension,
        /// By game directory among the extensions of one name, then by extension.
        Directory,
        /// By game directory among all names, then by name.
        Directories,
        /// By layer among all names, then by name.
        Layer,
    }
}

impl Substitute {
    /// The names that the engine tries for an original: a list for each pattern, empty if the pattern is
    /// skipped.
    ///
    /// `name` is the name of the original. It replaces `{name}` (with `#` for `*`), `{base}` (without its
    /// folders) and `{stem}` (without a known extension). `{file}` applies only to a name with an extension,
    /// `{file:ogg,mp3}` only to one with one of these, `{bare}` only to one without; otherwise the pattern is
    /// skipped. A number from 0 to 255 replaces `{nn}`
    /// (two digits or more) and `{nnn}` (three). If a row has such patterns, numbers use only them, and other
    /// names use only the rest. `{stem:wav}` is the name without this extension; for other names the pattern
    /// is skipped. `level` is the name of the level and replaces `{level}`; without it, patterns with
    /// `{level}` are skipped. `part`, one of [`parts`](Self::parts), replaces `{part}`. `{tga,pcx}` and
    /// `{,.ogg}` are lists of choices.
    ///
    /// ```
    /// let texture = &quake_rules::Engine::QuakeSpasm.rules().substitutes.items()[0];
    /// let asked = texture.names_for(b"*lava1", Some(b"e1m1"), "");
    /// assert_eq!(asked[0], [&b"textures/e1m1/#lava1.tga"[..], b"textures/e1m1/#lava1.pcx"]);
    /// assert_eq!(asked[1], [&b"textures/#lava1.tga"[..], b"textures/#lava1.pcx"]);
    /// ```
    #[must_use]
    pub fn names_for(&self, name: &[u8], level: Option<&[u8]>, part: &str) -> Vec<Vec<Vec<u8>>> {
        Original { name, level, part }.names(self)
    }

    /// The number that a name is, from 0 to 255. `None` for any other name.
    #[must_use]
    pub fn number(name: &[u8]) -> Option<u8> {
        std::str::from_utf8(name).ok()?.parse().ok()
    }
}

impl Rules {
    /// The row for an original of a kind. `None` if it is not known what the engine loads instead of it.
    #[must_use]
    pub fn substitute(&self, kind: SubstituteKind, name: &[u8]) -> Option<&Substitute> {
        let of = |kind| self.substitutes.items().iter().filter(move |row| row.of == kind);
        let is_in = |row: &&Substitute| {
            let start =
                name.split_at_checked(row.folder.len()).filter(|(_, rest)| rest.first() == Some(&b'/'));
            row.folder.is_empty()
                || start.is_some_and(|(start, _)| start.eq_ignore_ascii_case(row.folder.as_bytes()))
        };
        let own = of(kind).find(is_in);
        if kind == SubstituteKind::Image {
            own.or_else(|| of(SubstituteKind::Texture).find(is_in))
        } else {
            own
        }
    }
}

struct Original<'a> {
    name: &'a [u8],
    level: Option<&'a [u8]>,
    part: &'a str,
}

impl Original<'_> {
    fn names(&self, substitute: &Substitute) -> Vec<Vec<Vec<u8>>> {
        let extension = extension(self.name);
        let is_named =
            |named: &Text| extension.is_some_and(|given| given.eq_ignore_ascii_case(named.as_bytes()));
        if !substitute.named.is_empty() && !substitute.named.iter().any(is_named) {
            return vec![vec![self.name.to_vec()]];
        }
        let number = Substitute::number(self.name);
        let has_numbers = substitute.names.iter().any(|pattern| pattern.contains(NUMBER));
        let is_asked = |pattern: &Text| !has_numbers || pattern.contains(NUMBER) == number.is_some();
        let names =
            |pattern: &Text| is_asked(pattern).then(|| self.fill(substitute, pattern, number)).flatten();
        substitute.names.iter().map(|pattern| names(pattern).unwrap_or_default()).collect()
    }

    /// The names of a pattern; `None` if it is skipped.
    fn fill(&self, substitute: &Substitute, pattern: &str, number: Option<u8>) -> Option<Vec<Vec<u8>>> {
        let mut names = vec![Vec::new()];
        let append = |text: &[u8], names: &mut Vec<Vec<u8>>| {
            for name in names {
                name.extend_from_slice(text);
            }
        };
        let mut rest = pattern;
        while let Some((before, inside, after)) = split_at_braces(rest) {
            append(before.as_bytes(), &mut names);
            match inside {
                "name" => append(&letters(self.name), &mut names),
                "base" => append(&letters(base(self.name)), &mut names),
                "stem" => append(self.stem(substitute, pattern), &mut names),
                "file" => append(extension(self.name).map(|_| self.name)?, &mut names),
                "bare" if extension(self.name).is_some() => return None,
                "bare" => append(self.name, &mut names),
                "level" => append(self.level?, &mut names),
                "part" => append(self.part.as_bytes(), &mut names),
                file if file.starts_with(FILE_OF) => {
                    let given = extension(self.name)?;
                    let mut known = file.trim_start_matches(FILE_OF).split(',');
                    known.find(|known| given.eq_ignore_ascii_case(known.as_bytes()))?;
                    append(self.name, &mut names);
                }
                stem if stem.starts_with(STEM_OF) => {
                    let (name, end) = self.name.split_at(self.name.len() - extension(self.name)?.len());
                    let is_it = end.eq_ignore_ascii_case(stem.trim_start_matches(STEM_OF).as_bytes());
                    append(name.strip_suffix(b".").filter(|_| is_it)?, &mut names);
                }
                "nn" => append(format!("{:02}", number?).as_bytes(), &mut names),
                "nnn" => append(format!("{:03}", number?).as_bytes(), &mut names),
                choices => {
                    let with = |name: &Vec<u8>| {
                        let choices = choices.split(',');
                        choices.map(|choice| [name, choice.as_bytes()].concat()).collect::<Vec<_>>()
                    };
                    names = names.iter().flat_map(with).take(MOST_CHOICES).collect();
                }
            }
            rest = after;
        }
        append(rest.as_bytes(), &mut names);
        Some(names)
    }

    /// The name without an extension that the row lists.
    fn stem(&self, substitute: &Substitute, pattern: &str) -> &[u8] {
        let known = |given: &&[u8]| {
            let choices = pattern.split(['{', '}']).flat_map(|part| part.split(','));
            let mut choices = choices.chain(substitute.named.iter().map(|named| &**named));
            choices.any(|choice| given.eq_ignore_ascii_case(choice.as_bytes()))
        };
        let length = extension(self.name).filter(known).map_or(0, |extension| extension.len() + 1);
        self.name.get(..self.name.len() - length).unwrap_or(self.name)
    }
}

/// The known parts of names, and an example of choices.
const PARTS: &[&str] = &[
    "name", "base", "stem", "stem:wav", "file", "file:ogg", "bare", "level", "part", "nn", "nnn", "tga,png",
];

/// The start of a part for names with some extensions.
const FILE_OF: &str = "file:";

/// The start of a part that takes an extension off.
const STEM_OF: &str = "stem:";

/// The start of a number in a pattern.
const NUMBER: &str = "{nn";

/// How many names a pattern may expand to, because several lists of choices multiply.
const MOST_CHOICES: usize = 64;

/// File names have `#` instead of `*`.
fn letters(name: &[u8]) -> Vec<u8> {
    name.iter().map(|byte| if *byte == b'*' { b'#' } else { *byte }).collect()
}

fn base(name: &[u8]) -> &[u8] {
    name.rsplit(|byte| *byte == b'/').next().unwrap_or(name)
}

fn extension(name: &[u8]) -> Option<&[u8]> {
    let base = base(name);
    let dot = base.iter().rposition(|byte| *byte == b'.')?;
    base.get(dot + 1..)
}

pub(crate) fn validate(substitutes: &[Substitute], faults: &mut Faults) {
    for (index, substitute) in substitutes.iter().enumerate() {
        let key = |field: &str| format!("substitutes[{index}].{field}");
        faults.twice(&key("names"), &substitute.names);
        for (nth, name) in substitute.names.iter().enumerate() {
            faults.parts(&key(&format!("names[{nth}]")), name, PARTS);
        }
        faults.list(&key("parts"), &substitute.parts);
        for (set, parts) in substitute.parts.iter().enumerate() {
            faults.list(&key(&format!("parts[{set}]")), parts);
        }
    }
    let kinds: Vec<_> = substitutes.iter().map(|substitute| (substitute.of, &substitute.folder)).collect();
    faults.twice("substitutes", &kinds);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use crate::fault::tests::check;

    /// The names that an engine requests, with a line for each pattern.
    fn asked(engine: Engine, kind: SubstituteKind, name: &str, level: Option<&str>) -> Vec<String> {
        let row = engine.rules().substitute(kind, name.as_bytes()).unwrap();
        let level = level.map(str::as_bytes);
        let of = |part: &Text| row.names_for(name.as_bytes(), level, part);
        let patterns = row.parts.iter().flat_map(|parts| of(&parts[0]));
        let lines = patterns.filter(|names| !names.is_empty()).map(|names| {
            let names: Vec<_> = names.iter().map(|name| String::from_utf8_lossy(name)).collect();
            names.join(" ")
        });
        lines.collect()
    }

    #[test]
    fn textures_are_tried_in_the_order_of_the_engine() {
        let of = |engine, level| asked(engine, SubstituteKind::Texture, "*lava", level);
        assert_eq!(of(Engine::QuakeSpasm, None), ["textures/#lava.tga textures/#lava.pcx"]);
        assert_eq!(
            of(Engine::QuakeSpasm, Some("e1m1")),
            ["textures/e1m1/#lava.tga textures/e1m1/#lava.pcx", "textures/#lava.tga textures/#lava.pcx"]
        );
        let five =
            "textures/#lava.png textures/#lava.tga textures/#lava.jpg textures/#lava.pcx textures/#lava.lmp";
        assert_eq!(of(Engine::Ironwail, None), [five]);
        assert_eq!(of(Engine::VkQuake, None), [five]);
        let four = "textures/#lava.tga textures/#lava.png textures/#lava.jpg textures/#lava.pcx";
        assert_eq!(of(Engine::EzQuake, None), [four]);
        let six = |stem: &str| {
            let extensions = ["dds", "tga", "png", "jpeg", "jpg", "pcx"];
            extensions.map(|extension| format!("{stem}.{extension}")).join(" ")
        };
        assert_eq!(
            of(Engine::Qss, Some("a")),
            [
                six("textures/a/#lava"),
                six("textures/textures/a/#lava"),
                six("textures/#lava"),
                "textures/a/#lava.lmp".to_owned(),
                six("textures/textures/#lava"),
                "textures/#lava.lmp".to_owned(),
            ]
        );
        assert_eq!(
            of(Engine::DarkPlaces, Some("a")),
            [
                "textures/#lava.tga textures/#lava.png textures/#lava.jpg",
                "textures/a/#lava.tga textures/a/#lava.png textures/a/#lava.jpg",
                "textures/#lava.pcx textures/#lava.wal",
                "textures/a/#lava.pcx textures/a/#lava.wal",
            ]
        );
        let fte = of(Engine::Fte, Some("a"));
        assert_eq!((fte.len(), &*fte[0], &*fte[5]), (6, "dds/#lava.dds", "#lava.lmp"));
        assert_eq!(
            fte[1],
            "textures/a/#lava.dds textures/a/#lava.ktx textures/a/#lava.tga textures/a/#lava.png \
             textures/a/#lava.jpg textures/a/#lava.pcx"
        );
        assert_eq!(
            asked(Engine::YQuake2, SubstituteKind::Texture, "e1u1/a", None),
            ["textures/e1u1/a.tga textures/e1u1/a.png textures/e1u1/a.jpg textures/e1u1/a.wal"]
        );
        assert_eq!(
            asked(Engine::IoQuake3, SubstituteKind::Texture, "textures/a.b/c.jpg", None)[..2],
            [
                "textures/a.b/c.jpg",
                "textures/a.b/c.tga textures/a.b/c.jpg textures/a.b/c.jpeg textures/a.b/c.png \
                    textures/a.b/c.pcx textures/a.b/c.bmp",
            ]
        );
        let bare = asked(Engine::IoQuake3, SubstituteKind::Texture, "textures/a.b/c", None);
        assert!(bare.len() == 1 && bare[0].starts_with("textures/a.b/c.tga "), "{bare:?}");
    }

    #[test]
    fn skies_are_tried_in_the_order_of_the_engine() {
        let of = |engine| asked(engine, SubstituteKind::Sky, "moon", None);
        assert_eq!(of(Engine::QuakeSpasm), ["gfx/env/moonrt.tga gfx/env/moonrt.pcx"]);
        assert_eq!(of(Engine::YQuake2), ["env/moonrt.tga env/moonrt.pcx"]);
        assert_eq!(of(Engine::GoldSrc), ["gfx/env/moonrt.tga gfx/env/moonrt.bmp"]);
        assert_eq!(of(Engine::Qss).len(), 4);
        let darkplaces = of(Engine::DarkPlaces);
        assert_eq!(
            (darkplaces.len(), &*darkplaces[0], &*darkplaces[18]),
            (
                30,
                "override/moon_px.tga override/moon_px.png override/moon_px.jpg",
                "env/moonposx.tga env/moonposx.png env/moonposx.jpg env/moonposx.pcx env/moonposx.lmp"
            )
        );
        assert_eq!(
            of(Engine::Fte)[0],
            "moon_rt.dds moon_rt.ktx moon_rt.tga moon_rt.png moon_rt.jpg moon_rt.pcx"
        );
    }

    #[test]
    fn tracks_are_tried_by_number_or_by_name() {
        let of = |engine, name| asked(engine, SubstituteKind::Music, name, None);
        assert_eq!(
            of(Engine::QuakeSpasm, "2"),
            ["music/track02.ogg music/track02.opus music/track02.mp3 music/track02.flac music/track02.wav"]
        );
        assert!(of(Engine::QuakeSpasm, "200")[0].starts_with("music/track200.ogg "));
        // by name, it takes the first one that it can play, whatever the directory
        let named = of(Engine::QuakeSpasm, "theme");
        assert_eq!((named.len(), &*named[0], &*named[9]), (10, "music/theme.ogg", "music/theme.umx"));
        assert_eq!(of(Engine::QuakeSpasm, "theme.wav"), ["music/theme.wav"]);
        assert_eq!(
            of(Engine::DarkPlaces, "2"),
            [
                "sound/cdtracks/track002.wav sound/cdtracks/track002.ogg",
                "music/track002.ogg",
                "music/cdtracks/track002.ogg",
                "sound/cdtracks/track02.wav sound/cdtracks/track02.ogg",
                "music/track02.ogg",
                "music/cdtracks/track02.ogg",
            ]
        );
        assert_eq!(of(Engine::DarkPlaces, "theme")[0], "theme theme.wav theme.ogg");
        assert_eq!(of(Engine::Fte, "2")[0].split(' ').next(), Some("music/track002"));
        assert_eq!(of(Engine::IoQuake3, "music/a.wav")[..1], ["music/a.wav"]);
        for engine in [Engine::OpenJk, Engine::OpenJkSp, Engine::OpenJoSp] {
            assert_eq!(of(engine, "music/yavin1/calm"), ["music/yavin1/calm.mp3"]);
            assert_eq!(of(engine, "music/mp/duel.wav"), ["music/mp/duel.wav"]);
        }
    }

    #[test]
    fn a_model_of_another_kind_is_not_replaced() {
        let of = |engine, name| asked(engine, SubstituteKind::Model, name, None);
        for engine in [Engine::VkQuake, Engine::Ironwail] {
            assert_eq!(of(engine, "progs/ogre.mdl"), ["progs/ogre.md3 progs/ogre.md5mesh", "progs/ogre.mdl"]);
            assert_eq!(of(engine, "progs/s_light.spr"), ["progs/s_light.spr"]);
        }
        assert_eq!(of(Engine::Fte, "progs/ogre.mdl"), ["progs/ogre.md3 progs/ogre.md2", "progs/ogre.mdl"]);
        assert_eq!(of(Engine::Fte, "progs/s_light.spr"), ["progs/s_light.spr"]);
        assert_eq!(of(Engine::QuakeSpasm, "progs/ogre.mdl"), ["progs/ogre.mdl"]);
        assert_eq!(of(Engine::DarkPlaces, "progs/ogre.mdl"), ["progs/ogre.mdl"]);
    }

    #[test]
    fn skins_are_tried_by_the_name_of_the_model_and_a_number() {
        let of = |engine, name| asked(engine, SubstituteKind::Skin, name, None);
        let vkquake = of(Engine::VkQuake, "progs/ogre.mdl_0");
        assert_eq!(vkquake.len(), 3);
        assert!(vkquake[1].starts_with("progs/progs/ogre.mdl_0.png "), "{vkquake:?}");
        let qss = of(Engine::Qss, "progs/ogre.mdl_0");
        assert!(qss[2].starts_with("textures/ogre.mdl_0.dds "), "{qss:?}");
        assert_eq!(
            of(Engine::DarkPlaces, "progs/ogre.mdl_0"),
            ["progs/ogre.mdl_0.tga progs/ogre.mdl_0.png progs/ogre.mdl_0.jpg progs/ogre.mdl_0.pcx"]
        );
        assert_eq!(
            of(Engine::YQuake2, "models/a/skin.pcx"),
            ["models/a/skin.tga models/a/skin.png models/a/skin.jpg models/a/skin.pcx"]
        );
        let quake3 = of(Engine::IoQuake3, "models/players/sarge/lower.md3");
        assert_eq!(quake3, ["models/players/sarge/lower_default.skin"]);
        assert_eq!(of(Engine::IoQuake3, "models/players/sarge/band.tga"), [""; 0]);
    }

    #[test]
    fn choices_after_choices_do_not_grow_without_end() {
        let mut row = Engine::QuakeSpasm.rules().substitutes.items()[0].clone();
        row.names = vec![format!("{{name}}{}", "{a,b}".repeat(100)).into()].into();
        let names = row.names_for(b"x", None, "");
        assert_eq!(names[0].len(), MOST_CHOICES);
    }

    #[test]
    fn a_kind_is_found_by_its_name() {
        for kind in SubstituteKind::ALL {
            assert_eq!(kind.name().parse(), Ok(*kind));
        }
        assert!("lava".parse::<SubstituteKind>().is_err());
    }

    #[test]
    fn a_row_without_parts_or_of_a_repeated_kind_is_a_fault() {
        check(
            |rules| {
                let mut row = Engine::QuakeSpasm.rules().substitutes.items()[0].clone();
                rules.substitutes = vec![row.clone(), {
                    row.parts = vec![Vec::new().into()].into();
                    row
                }]
                .into();
            },
            &[
                "substitutes[1].parts[0]: the list is empty",
                "substitutes[1]: no effect, because it is in the list already",
            ],
        );
    }

    #[test]
    fn a_part_that_no_substitute_has_is_a_fault() {
        let parts = "{name}, {base}, {stem}, {stem:wav}, {file}, {file:ogg}, {bare}, {level}, {part}, \
                     {nn}, {nnn} or {tga,png}";
        let fault = |at: usize, part: &str| {
            format!("substitutes[0].names[{at}]: {part:?} is not a part of a name: expected {parts}")
        };
        check(
            |rules| {
                let mut row = Engine::QuakeSpasm.rules().substitutes.items()[0].clone();
                row.names = ["music/{track}.ogg", "music/{name.ogg", "{}", "{a,{b}", "{name}{,.ogg}{part}"]
                    .map(Into::into)
                    .to_vec()
                    .into();
                rules.substitutes = vec![row].into();
            },
            &[&*fault(0, "{track}"), &*fault(1, "{name.ogg"), &*fault(2, "{}"), &*fault(3, "{a,{b}")],
        );
    }

    #[test]
    fn each_part_is_replaced() {
        let mut row = Engine::QuakeSpasm.rules().substitutes.items()[0].clone();
        for part in PARTS {
            row.names = vec![format!("{{{part}}}").into()].into();
            let name = if part.starts_with("nn") { "2" } else { "wall" };
            let name = match *part {
                "file" | "stem:wav" => "a.wav",
                "file:ogg" => "a.ogg",
                _ => name,
            };
            let names = row.names_for(name.as_bytes(), Some(b"e1m1"), "rt");
            assert!(!names[0].is_empty() && names[0][0] != part.as_bytes(), "{part}");
        }
    }
}
