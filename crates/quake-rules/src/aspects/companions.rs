//! Files that an engine loads with a level: lights, entities and visibility.

use serde::{Deserialize, Serialize};

use crate::documented::documented;
use crate::fault::Faults;
use crate::forms::or_none;
use crate::{List, Text};

documented! {
    /// A file that an engine loads with a level. The engine takes the first name that it finds. If it
    /// then ignores that copy, it tries no other name and no lower copy.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[non_exhaustive]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    pub struct Companion {
        /// The names, in the order in which the engine tries them. `{level}`, `{name}`, `{crc}` and `{game}`
        /// are replaced.
        pub names: List<Text>,
        /// Whether the engine uses a copy from a lower game directory than the level's.
        pub rank: CompanionRank,
        /// The required size.
        pub fits: CompanionFit,
        /// The shortest name of a level, without folder and extension, for which the engine looks for this file.
        pub shortest_level: u32,
        /// The setting that enables this; none if it is the default.
        pub setting with "or_none": Option<Text>,
    }
}

documented! {
    /// Whether the engine uses a companion from a lower game directory than the level's.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum CompanionRank {
        /// A copy from any game directory is used.
        Any,
        /// A copy from a lower game directory is ignored.
        NotBelowLevel,
    }
}

documented! {
    /// The required size of a companion.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum CompanionFit {
        /// Any size.
        Any,
        /// 8 bytes, and 3 for each byte of the level's light lump.
        LightLump,
    }
}

impl Companion {
    /// The names for a level, in the order in which the engine tries them. A name is skipped if `crc` is missing and
    /// the name contains `{crc}`.
    ///
    /// `level` replaces `{level}`: the level's path without its extension, `maps/e1m1`. Its name without folders, `e1m1`,
    /// replaces `{name}`. `crc` replaces `{crc}`, as four lower-case hex digits: see [`entities_crc`]. `game` replaces
    /// `{game}`: the highest game directory.
    ///
    /// ```
    /// let entities = &quake_rules::Engine::QuakeSpasm.rules().companions[1];
    /// assert!(entities.names_for("maps/e1m2", Some(0x0caa), "id1").eq(["maps/e1m2@0caa.ent", "maps/e1m2.ent"]));
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

/// The CRC that the name of an entity file contains. It is the CRC-16 CCITT (start value 0xffff) of the level's entity
/// lump without its last byte.
///
/// Source: QuakeSpasm, `Quake/gl_model.c`, `Mod_LoadEntities`; yquake2, `src/common/collision.c`, `CMod_LoadEntityString`.
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
    use crate::Engine;
    use crate::fault::tests::check;

    fn names(engine: Engine) -> String {
        let companions = engine.rules().companions.iter();
        let of = companions.map(|companion| {
            companion.names_for("maps/a", Some(0xabc), "mod").collect::<Vec<_>>().join(" else ")
        });
        of.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn each_engine_has_its_companions() {
        let three = "maps/a.lit, maps/a@0abc.ent else maps/a.ent, maps/a.vis else mod.vis";
        for engine in [Engine::QuakeSpasm, Engine::Ironwail, Engine::VkQuake, Engine::Qss, Engine::QssM] {
            assert_eq!(names(engine), three, "{engine}");
        }
        assert_eq!(names(Engine::DarkPlaces), "maps/a.lit, maps/a.ent");
        assert_eq!(names(Engine::Fte), "maps/a.ent");
        assert_eq!(names(Engine::EzQuake), "maps/lits/a.lit else maps/a.lit else lits/a.lit");
        for engine in [Engine::YQuake2, Engine::Q2Pro] {
            assert_eq!(names(engine), "maps/a@0abc.ent else maps/a.ent", "{engine}");
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
                let mut empty = rules.companions[0].clone();
                empty.names = Vec::new().into();
                rules.companions =
                    vec![rules.companions[0].clone(), rules.companions[0].clone(), empty].into();
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
                let mut companion = Engine::Fte.rules().companions[0].clone();
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
