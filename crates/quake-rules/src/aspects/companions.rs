//! Files that an engine loads with a level: lights, entities and visibility.

use super::names::Rank;
use crate::documented::documented;
use crate::fault::Faults;
use crate::{List, Text};

documented! {
    /// A file that an engine loads with a level. The engine takes the first name that it finds. If it
    /// then ignores that copy, it tries no other name and no lower copy.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub struct Companion {
        /// The names, in the order in which the engine tries them. `{level}`, `{name}`, `{crc}` and `{game}`
        /// are replaced.
        pub names: List<Text>,
        /// Whether the engine uses a copy that ranks below the level.
        pub rank: Rank,
        /// The kind of file.
        pub kind: CompanionKind,
        /// The shortest name of a level, without folder and extension, for which the engine looks for this
        /// file.
        pub shortest_level: u32,
        /// The setting that enables this; none if it is the default.
        pub setting with "crate::forms::or_none": Option<Text>,
    }
}

documented! {
    /// The kind of a file beside a level.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub enum CompanionKind {
        /// A file that adds something to the level.
        Addition,
        /// Lights. The engine ignores a file of another size than 8 bytes, and 3 for each byte of the level's
        /// light lump.
        Lights,
        /// Entities, instead of the entities in the level.
        Entities,
        /// The pictures of details on textures, each in a line: the texture, the picture below `gfx/`, and
        /// two numbers.
        Details,
        /// A description of a picture of the whole level, which it names after the word `image`.
        Overview,
        /// A list of the level's files. A server or a player reads it to get them; the level looks the same
        /// without it.
        List {
            /// The line for a file; `{name}` is its name.
            line: Text,
            /// Whether lines end in CR and LF, and not only in LF.
            crlf: bool,
            /// The extensions of files that players accept. Empty for all.
            extensions: List<Text>,
            /// The extensions of archives that players accept, by a name without a folder. Empty for none.
            archives: List<Text>,
            /// The longest name that players accept. 0 if there is no limit.
            longest: u32,
        },
    }
}

impl Companion {
    /// The names for a level, in the order in which the engine tries them. A name is skipped if `crc` is
    /// missing and the name contains `{crc}`.
    ///
    /// `level` replaces `{level}`: the level's path without its extension, `maps/e1m1`. Its name without
    /// folders, `e1m1`, replaces `{name}`. `crc` replaces `{crc}`, as four lower-case hex digits: see
    /// [`entities_crc`]. `game` replaces `{game}`: the highest game directory.
    ///
    /// ```
    /// let entities = &quake_rules::Engine::QuakeSpasm.rules().companions.items()[1];
    /// let names = entities.names_for("maps/e1m2", Some(0x0caa), "id1");
    /// assert!(names.eq(["maps/e1m2@0caa.ent", "maps/e1m2.ent"]));
    /// ```
    pub fn names_for(&self, level: &str, crc: Option<u16>, game: &str) -> impl Iterator<Item = String> {
        let name = level.rsplit(['/', '\\']).next().unwrap_or(level);
        self.names.iter().filter_map(move |pattern| {
            let mut text = pattern.to_string();
            if text.contains("{crc}") {
                text = text.replace("{crc}", &format!("{:04x}", crc?));
            }
            Some(text.replace("{level}", level).replace("{name}", name).replace("{game}", game))
        })
    }
}

/// The parts of names that [`Companion::names_for`] replaces.
const PARTS: &[&str] = &["level", "name", "crc", "game"];

/// The CRC that the name of an entity file contains. It is the CRC-16 CCITT (start value 0xffff) of the
/// level's entity lump without its last byte.
///
/// Source: QuakeSpasm, `Quake/gl_model.c`, `Mod_LoadEntities`; yquake2, `src/common/collision.c`,
/// `CMod_LoadEntityString`.
#[must_use]
pub fn entities_crc(lump: &[u8]) -> u16 {
    crc16(lump.split_last().map_or(lump, |(_, bytes)| bytes))
}

/// The CRC-16 with polynomial 0x1021 and initial value 0xffff.
pub(super) fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xffff, |crc, byte| {
        (0..8).fold(
            crc ^ u16::from(*byte) << 8,
            |crc, _| {
                if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ 0x1021 }
            },
        )
    })
}

pub(crate) fn validate(companions: &[Companion], faults: &mut Faults) {
    for (index, companion) in companions.iter().enumerate() {
        let key = format!("companions[{index}].names");
        faults.list(&key, &companion.names);
        for (nth, name) in companion.names.iter().enumerate() {
            faults.parts(&format!("{key}[{nth}]"), name, PARTS);
        }
    }
    faults.twice("companions", companions);
}

#[cfg(test)]
mod tests {
    use crate::fault::tests::check;
    use crate::{Companion, Engine};

    fn names(engine: Engine) -> String {
        let companions = engine.rules().companions.items().iter();
        let of = companions.map(|companion| {
            companion.names_for("maps/a", Some(0xabc), "mod").collect::<Vec<_>>().join(" else ")
        });
        of.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn each_engine_has_its_companions() {
        let three = "maps/a.lit, maps/a@0abc.ent else maps/a.ent, maps/a.vis else mod.vis";
        for engine in [Engine::QuakeSpasm, Engine::Ironwail, Engine::VkQuake] {
            assert_eq!(names(engine), three, "{engine}");
        }
        let darkplaces = "maps/a.lit, maps/a.ent, maps/a.dlit, maps/a.rtlights, maps/a.loc else locs/a.loc";
        assert_eq!(names(Engine::DarkPlaces), darkplaces);
        assert_eq!(names(Engine::Qss), "maps/a.lit, maps/a.ent");
        assert_eq!(names(Engine::Fte), "maps/a.ent");
        assert_eq!(names(Engine::IoQuake3), "maps/a.aas");
        assert_eq!(
            names(Engine::GoldSrc),
            "maps/a.res, maps/a.txt, maps/a_detail.txt, overviews/a.txt, maps/graphs/a.nod"
        );
        assert_eq!(names(Engine::EzQuake), "maps/lits/a.lit else maps/a.lit else lits/a.lit");
        for engine in [Engine::YQuake2, Engine::Q2Pro] {
            assert_eq!(names(engine), "maps/a@0abc.ent else maps/a.ent, maps/a.filelist", "{engine}");
        }
        assert_eq!(names(Engine::WinQuake), "");
        // the check value of CRC-16/IBM-3740
        assert_eq!(crate::entities_crc(b"123456789\0"), 0x29b1);
    }

    #[test]
    fn a_companion_without_names_or_twice_in_the_list_is_a_fault() {
        check(
            |rules| {
                *rules = Engine::Fte.rules().clone();
                let first = rules.companions.items()[0].clone();
                let empty = Companion { names: Vec::new().into(), ..first.clone() };
                rules.companions = vec![first.clone(), first, empty].into();
            },
            &[
                "companions[2].names: the list is empty",
                "companions[1]: no effect, because it is in the list already",
            ],
        );
    }

    #[test]
    fn a_part_that_no_companion_has_is_a_fault() {
        check(
            |rules| {
                let mut companion = Engine::Fte.rules().companions.items()[0].clone();
                companion.names = ["{levl}.lit", "{level.lit", "{level}}.lit", "{lit,ent}", "a.lit"]
                    .map(Into::into)
                    .to_vec()
                    .into();
                rules.companions = vec![companion].into();
            },
            &[
                r#"companions[0].names[0]: "{levl}" is not a part of a name: expected {level}, {name}, {crc} or {game}"#,
                r#"companions[0].names[1]: "{level.lit" is not a part of a name: expected {level}, {name}, {crc} or {game}"#,
                r#"companions[0].names[2]: "}.lit" is not a part of a name: expected {level}, {name}, {crc} or {game}"#,
                r#"companions[0].names[3]: "{lit,ent}" is not a part of a name: expected {level}, {name}, {crc} or {game}"#,
            ],
        );
    }
}
