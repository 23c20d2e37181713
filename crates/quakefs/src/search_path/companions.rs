//! The files that an engine loads beside a level.

use pak_format::EntryNameBuf;

use super::file::File;
use super::layer::Layer;
use super::surface::SearchPath;
use crate::companion::CompanionBecause;
use crate::error::Error;
use crate::rules::{Companion, CompanionKind, entities_crc};

/// A level and the files beside it that may belong to it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Companions<'a> {
    /// The winning copy of the level.
    pub level: Option<File<'a>>,
    /// The error if the level cannot be read. The CRC of its entities and the size of its lights are then
    /// unknown.
    pub unread: Option<Error>,
    /// The companions, in the engine's search order.
    pub copies: Vec<CompanionCopy<'a>>,
}

/// The winning copy of a companion's name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CompanionCopy<'a> {
    /// The name that the engine requests.
    pub name: EntryNameBuf,
    /// The copy.
    pub file: File<'a>,
    /// The setting that the engine needs to load such files.
    pub setting: Option<String>,
    /// Whether the engine loads the copy for this level (with the setting, if there is one), or why not.
    pub because: CompanionBecause,
}

impl SearchPath {
    /// Finds the files that the engine loads beside a level, and the ones that it ignores: see
    /// [`Rules::companions`](crate::Rules::companions). This reads the level at the path `level` for its
    /// entities and the size of its lights.
    ///
    /// ```
    /// # use quakefs::{Engine, SearchPath, disk::MemoryDisk, search_path::CompanionBecause};
    /// # let disk = MemoryDisk::new();
    /// disk.insert("quake/mod/maps/a.bsp", "no level")?;
    /// disk.insert("quake/id1/maps/a.ent", "{}")?;
    /// let quake = SearchPath::builder("quake").disk(disk).engine(Engine::QuakeSpasm).game("mod").mount()?;
    /// let companions = quake.companions("maps/a.bsp");
    /// assert_eq!(companions.copies[0].because.name(), "below-level");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn companions(&self, level: impl AsRef<[u8]>) -> Companions<'_> {
        let request = level.as_ref();
        let level = self.find(request);
        let mut unread = None;
        let needs_lumps = |companion: &Companion| {
            companion.kind == CompanionKind::Lights
                || companion.names.iter().any(|name| name.contains("{crc}"))
        };
        let is_read = self.rules().companions.items().iter().any(needs_lumps);
        let lumps = level.as_ref().filter(|_| is_read).and_then(|level| match level.read() {
            Ok(bytes) => Lumps::of(&bytes),
            Err(error) => {
                unread = Some(error);
                None
            }
        });
        let mut found = Companions { level, unread, copies: Vec::new() };
        let Ok(path) = std::str::from_utf8(level_parts(request).0) else { return found };
        let crc = lumps.map(|lumps| lumps.crc);
        for companion in self.rules().companions.items() {
            let is_list = matches!(companion.kind, CompanionKind::List { .. });
            if !is_list {
                let names = names_beside(self, companion, path, crc).into_iter();
                let copies = self.copies_of(companion, names, found.level.as_ref(), lumps);
                found.copies.extend(copies);
            }
        }
        found
    }

    fn copies_of<'a>(
        &'a self,
        companion: &Companion,
        names: impl Iterator<Item = String>,
        level: Option<&File<'a>>,
        lumps: Option<Lumps>,
    ) -> Vec<CompanionCopy<'a>> {
        let files = names.filter_map(|name| Some((self.find(&name)?, name)));
        let mut first: Option<(String, String)> = None;
        let copies = files.map(|(file, name)| {
            let because = match (level, &first) {
                (None, _) => CompanionBecause::NoLevel,
                (_, Some((layer, name))) => {
                    CompanionBecause::OtherName { layer: layer.clone(), name: name.clone() }
                }
                (Some(level), None) => self.verdict(companion, &file, level, lumps),
            };
            first.get_or_insert_with(|| (file.layer().name().to_owned(), name.clone()));
            let setting = companion.setting.as_deref().map(str::to_owned);
            CompanionCopy { name: name.as_bytes().into(), file, setting, because }
        });
        copies.collect()
    }

    fn verdict(
        &self,
        companion: &Companion,
        file: &File<'_>,
        level: &File<'_>,
        lumps: Option<Lumps>,
    ) -> CompanionBecause {
        if self.is_below(companion.rank, file, level) {
            let (directory, level) = (file.layer().directory_name(), level.layer().directory_name());
            return CompanionBecause::BelowLevel { directory, level };
        }
        match (&companion.kind, lumps) {
            (CompanionKind::Lights, None) => CompanionBecause::UnreadLevel,
            (CompanionKind::Lights, Some(lumps)) => {
                let expected = 8 + 3 * u64::from(lumps.light);
                let found = file.size();
                if found == expected {
                    CompanionBecause::Loaded
                } else {
                    CompanionBecause::OtherSize { found, expected }
                }
            }
            _ => CompanionBecause::Loaded,
        }
    }

    /// The rank of a layer's game directory, from 1 up. Layers that the caller added on top rank above all
    /// game directories; other layers without a game directory rank below.
    #[must_use]
    pub fn rank(&self, layer: &Layer) -> u16 {
        let of = |layer: &Layer| layer.game_directory().map(|directory| directory.rank);
        let has_directory_above = || self.layers().take(layer.index()).any(|above| of(above).is_some());
        of(layer).unwrap_or_else(|| if has_directory_above() { 0 } else { u16::MAX })
    }
}

/// The names of a companion for a level on a search path, as [`Companion::names_for`] has them. None if the
/// name of the level is too short for it.
#[must_use]
pub fn names_beside(
    search_path: &SearchPath,
    companion: &Companion,
    level: &str,
    crc: Option<u16>,
) -> Vec<String> {
    let name = level.rsplit(['/', '\\']).next().unwrap_or(level);
    if name.len() < companion.shortest_level as usize {
        return Vec::new();
    }
    let directories = search_path.layers().filter_map(Layer::game_directory);
    let highest = directories.max_by_key(|directory| directory.rank);
    let game = highest.map_or("", |directory| directory.name.rsplit('/').next().unwrap_or_default());
    companion.names_for(level, crc, game).collect()
}

/// The path of a level without its extension, and its bare name.
pub(super) fn level_parts(level: &[u8]) -> (&[u8], &[u8]) {
    let end = level.len().checked_sub(b".bsp".len()).and_then(|at| level.split_at_checked(at));
    let path = end.filter(|(_, end)| end.eq_ignore_ascii_case(b".bsp")).map_or(level, |(path, _)| path);
    (path, path.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or(path))
}

/// The parts of a level that companions depend on.
#[derive(Clone, Copy)]
struct Lumps {
    /// The CRC of the entities.
    crc: u16,
    /// The size of the light lump; 0 in Quake II.
    light: u32,
}

impl Lumps {
    /// Reads a level of Quake, of its larger variants, or of Quake II.
    ///
    /// Source: Quake, `WinQuake/bspfile.h`, `LUMP_ENTITIES` and `LUMP_LIGHTING`; Quake II,
    /// `qcommon/qfiles.h`; ericw-tools, `common/bspfile.hh` for `BSP2` and `2PSB`.
    fn of(level: &[u8]) -> Option<Lumps> {
        let (table, has_light) = match level.get(..4)? {
            b"IBSP" => (8, false),
            b"BSP2" | b"2PSB" | [29 | 30, 0, 0, 0] => (4, true),
            _ => return None,
        };
        let number = |at: usize| Some(u32::from_le_bytes(level.get(at..at + 4)?.try_into().ok()?));
        let (start, size) = (number(table)? as usize, number(table + 4)? as usize);
        let entities = level.get(start..start.checked_add(size)?)?;
        let light = if has_light { number(table + LIGHT * 8 + 4)? } else { 0 };
        Some(Lumps { crc: entities_crc(entities), light })
    }
}

/// The number of the light lump.
const LIGHT: usize = 8;
