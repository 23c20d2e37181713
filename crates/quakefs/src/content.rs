//! Content types of the Quake family, by file extension.
//!
//! The table comes from the Unofficial Quake Specs 3.1.3, with extensions of Quake II, Half-Life, SiN,
//! Daikatana and later engines.

use std::fmt;

macro_rules! contents {
    ($($(#[doc = $doc:literal])+ $variant:ident = $word:literal: $($extension:literal)*;)*) => {
        /// The type of a file's content.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum ContentType {
            $($(#[doc = $doc])+ $variant,)*
            /// A file of another kind, or without an extension.
            Other,
        }

        const UNSORTED: &[(u128, ContentType)] =
            &[$($((key($extension.as_bytes()), ContentType::$variant),)*)*];

        impl ContentType {
            /// One lower-case word for it, such as `level`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(ContentType::$variant => $word,)*
                    ContentType::Other => "other",
                }
            }
        }
    };
}

contents! {
    /// A compiled level.
    Level = "level": "bsp";
    /// The source of a level, as an editor saves it.
    Map = "map": "map" "rmf" "vmf";
    /// Data of a level in a separate file: light, visibility, entities, ways for bots.
    LevelData = "level data": "lit" "vis" "ent" "way" "nav" "aas" "lin" "pts" "prt" "loc" "wpt" "rtlights"
        "dlit" "nod";
    /// A model of vertices and frames.
    Model = "model": "mdl" "md2" "md3" "md5mesh" "iqm" "dkm" "sam" "sbm" "def" "mdr" "skin";
    /// An animation that belongs to a model.
    Animation = "animation": "md5anim" "framegroups" "anim";
    /// A flat picture in the world.
    Sprite = "sprite": "spr" "sp2" "spr32";
    /// A sound.
    Sound = "sound": "wav" "ogg" "mp3" "flac" "opus";
    /// Compiled QuakeC, or a library of game code.
    Program = "program": "dat" "dll" "so" "dylib" "qvm";
    /// The source of a program, or a file for a debugger.
    Source = "source": "qc" "qh" "src" "c" "h" "lno";
    /// A picture, a palette or a colour map, without a header to tell them apart.
    Lump = "lump": "lmp";
    /// A picture or texture.
    Texture = "texture": "wal" "pcx" "tga" "png" "jpg" "jpeg" "bmp" "swl" "dds" "mip" "m8" "m32" "ktx";
    /// A picture in a WAD, such as a digit of the status bar. No extension tells it.
    Picture = "picture": ;
    /// Many textures in one file.
    TextureArchive = "textures": "wad";
    /// A shader or material script.
    Shader = "shader": "shader" "mtr" "glsl" "mat" "fx";
    /// Commands and settings for the console.
    Config = "config": "cfg" "rc" "res" "gam" "lst" "arena" "bot" "menu";
    /// A script that the game interprets.
    Script = "script": "scr" "script" "lua" "tdr" "csv" "ai" "cs";
    /// A recorded game.
    Demo = "demo": "dem" "dm2" "dm3" "dm_26" "dm_66" "dm_67" "dm_68" "dm_71" "dm_83" "dm_84" "mvd" "qwd"
        "qwz" "dz";
    /// A film.
    Film = "film": "cin" "roq" "bik" "avi" "ogv";
    /// A saved game.
    Save = "save": "sav" "sv2" "ssv" "gip";
    /// A font.
    Font = "font": "ttf" "otf" "fnt";
    /// An archive inside the archive.
    Archive = "archive": "pak" "pk2" "pk3" "pk4" "pkz" "sin" "zip" "kpf";
    /// Text for people, or for the game to show.
    Text = "text": "txt" "md" "html" "htm" "doc" "log" "str";
}

/// The extensions, sorted for a binary search because a listing classifies every entry.
#[expect(clippy::indexing_slicing, reason = "the compiler runs it, and would stop at a wrong index")]
const TABLE: [(u128, ContentType); UNSORTED.len()] = {
    let mut table = [(0, ContentType::Other); UNSORTED.len()];
    table.copy_from_slice(UNSORTED);
    let mut end = 1;
    while end < table.len() {
        let mut place = end;
        while place > 0 && table[place].0 < table[place - 1].0 {
            table.swap(place, place - 1);
            place -= 1;
        }
        end += 1;
    }
    table
};

/// The longest extension that [`key`] accepts.
const LONGEST: usize = 15;

/// An extension without case as one number: a 1, then the bytes. Comparing it takes a tenth of the time for
/// text.
const fn key(extension: &[u8]) -> u128 {
    let mut key = 1;
    let mut rest = extension;
    while let [byte, others @ ..] = rest {
        key = key << 8 | byte.to_ascii_lowercase() as u128;
        rest = others;
    }
    key
}

/// The [`key`] of a name's extension, read from the end; `None` if it has no extension or one that is too
/// long.
fn key_of_name(name: &[u8]) -> Option<u128> {
    let mut key = 0;
    for (count, &byte) in name.iter().rev().take(LONGEST + 1).enumerate() {
        let place = 8 * count;
        match byte {
            b'.' => return Some(key | 1 << place),
            b'/' => return None,
            byte => key |= u128::from(byte.to_ascii_lowercase()) << place,
        }
    }
    None
}

impl ContentType {
    /// The content type of a file with this name, by its extension in any case.
    ///
    /// ```
    /// use quakefs::content::ContentType;
    /// assert_eq!(ContentType::of(b"maps/START.BSP"), ContentType::Level);
    /// assert_eq!(ContentType::of(b"gfx/pop.lmp").name(), "lump");
    /// assert_eq!(ContentType::of(b"maps/dat"), ContentType::Other);
    /// ```
    #[must_use]
    pub fn of(name: &[u8]) -> ContentType {
        let Some(extension) = key_of_name(name) else { return ContentType::Other };
        let found = TABLE.binary_search_by_key(&extension, |(known, _)| *known);
        found.ok().and_then(|place| TABLE.get(place)).map_or(ContentType::Other, |&(_, content)| content)
    }

    /// Whether games request such files by name: people read texts and sources, and engines look for archives
    /// by rules.
    pub(crate) fn is_requested(self) -> bool {
        use ContentType::{Archive, Map, Source, Text};
        !matches!(self, Archive | Map | Source | Text)
    }
}

impl fmt::Display for ContentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Folders at the root of the game directories of Quake, Quake II, Hexen II, Half-Life and Quake III, from
/// their archives.
const FOLDERS: &[&str] = &[
    "addons",
    "botfiles",
    "cl_dlls",
    "dlls",
    "env",
    "events",
    "gfx",
    "levelshots",
    "locs",
    "maps",
    "midi",
    "models",
    "music",
    "overviews",
    "particles",
    "pics",
    "players",
    "progs",
    "resource",
    "scripts",
    "skins",
    "sound",
    "sprites",
    "textures",
    "video",
    "videos",
    "vm",
];

/// Files there.
const FILES: &[&str] = &["autoexec.cfg", "config.cfg", "default.cfg", "gfx.wad", "progs.dat", "quake.rc"];

/// Whether a folder with this name is at the root of a game directory, in any case: `maps`, `sound`, `progs`.
#[must_use]
pub fn is_content_folder(name: &str) -> bool {
    FOLDERS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// What a file is that a system or a program left behind, and that no game needs. `Display` tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Leftover {
    /// What macOS adds to ZIPs and folders.
    OfMac,
    /// What Windows Explorer adds to folders.
    OfWindows,
    /// Files of version control.
    OfVersionControl,
    /// A backup of an editor or a person.
    Backup,
    /// A download that is not complete.
    Unfinished,
    /// A second copy, named by the program that made it.
    Copy,
    /// A journal of this project, with which an undo removes files.
    Journal,
    /// A file that this project removes when a command that wrote it was killed.
    Temporary,
}

/// Where a word of [`LEFTOVERS`] stands in a name.
enum Is {
    /// It is a part of the path.
    Part,
    /// A part of the path begins with it.
    Start,
    /// The name begins with it.
    NameStart,
    /// The name ends with it.
    End,
    /// The name without its extension and a number ends with it.
    StemEnd,
}

const LEFTOVERS: &[(Leftover, Is, &[&str])] = &[
    (Leftover::OfMac, Is::Part, &["__macosx", ".ds_store"]),
    (Leftover::OfMac, Is::Start, &["._"]),
    (Leftover::OfWindows, Is::Part, &["thumbs.db", "ehthumbs.db", "desktop.ini"]),
    (Leftover::OfVersionControl, Is::Part, &[".git", ".gitignore", ".gitattributes", ".svn", ".hg"]),
    (Leftover::Backup, Is::End, &["~", ".bak", ".old", ".orig", ".swp"]),
    (Leftover::Backup, Is::StemEnd, &[".bak", ".old", ".orig", "_backup", "-backup", " backup"]),
    (Leftover::Backup, Is::NameStart, &["~"]),
    (Leftover::Unfinished, Is::End, &[".part", ".crdownload", ".partial", ".download", ".!ut"]),
    (Leftover::Copy, Is::NameStart, &["copy of ", "kopie von "]),
    (Leftover::Copy, Is::StemEnd, &[" - copy", " copy", "(copy)", " - kopie", " ()"]),
    (Leftover::Journal, Is::NameStart, &["quakefs-place-", "quakefs-fix-"]),
    (Leftover::Temporary, Is::NameStart, &[".quakefs-"]),
];

impl Leftover {
    /// What the file of this path is; `None` if it may be a file of a game.
    #[must_use]
    pub fn of(path: &str) -> Option<Leftover> {
        let path = path.to_ascii_lowercase();
        let name = path.rsplit('/').next().unwrap_or_default();
        let (stem, _) = unnumbered(name);
        let is = |place: &Is, word: &str| match place {
            Is::Part => path.split('/').any(|part| part == word),
            Is::Start => path.split('/').any(|part| part.starts_with(word)),
            Is::NameStart => name.starts_with(word),
            Is::End => name.ends_with(word),
            Is::StemEnd => stem.ends_with(word),
        };
        let row = LEFTOVERS.iter().find(|(_, place, words)| words.iter().any(|word| is(place, word)));
        row.map(|(leftover, ..)| *leftover)
    }

    /// The path, in lower case, of the file of which this one is a second copy by its name: `id1/pak0.pak`
    /// for `id1/pak0 (2).pak`. If there is no such file, the copy is the only one.
    #[must_use]
    pub fn original(path: &str) -> Option<String> {
        let path = path.to_ascii_lowercase();
        let (folder, name) = path.split_at(path.rfind('/').map_or(0, |slash| slash + 1));
        let (stem, extension) = unnumbered(name);
        let of_copies = LEFTOVERS.iter().filter(|(of, ..)| *of == Leftover::Copy);
        let original = of_copies.flat_map(|(_, place, words)| words.iter().map(move |word| (place, word)));
        let mut original = original.filter_map(|(place, word)| match place {
            Is::NameStart => name.strip_prefix(word).map(str::to_owned),
            _ => stem.strip_suffix(word).map(|stem| format!("{}{extension}", stem.trim_end())),
        });
        Some(format!("{folder}{}", original.next()?))
    }

    /// Whether nobody made it, so that nothing is lost if it is removed.
    #[must_use]
    pub fn is_of_nobody(self) -> bool {
        matches!(self, Leftover::OfMac | Leftover::OfWindows | Leftover::Unfinished)
    }
}

/// A name without its extension and the number of a copy, and the extension with its dot: `pak0 (2)` and
/// `pak0 copy 2` are copies, and `pak0` is none.
fn unnumbered(name: &str) -> (String, &str) {
    let (stem, extension) = name.split_at(name.rfind('.').unwrap_or(name.len()));
    let is_digit = |letter: char| letter.is_ascii_digit();
    let stem = match stem.strip_suffix(')').and_then(|start| start.rsplit_once('(')) {
        Some((start, number)) if !number.is_empty() && number.chars().all(is_digit) => format!("{start}()"),
        _ => stem.trim_end_matches(is_digit).trim_end().to_owned(),
    };
    (stem, extension)
}

impl fmt::Display for Leftover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Leftover::OfMac => "a file that macOS adds to ZIPs and folders",
            Leftover::OfWindows => "a file that Windows Explorer adds to folders",
            Leftover::OfVersionControl => "a file of version control",
            Leftover::Backup => "a backup",
            Leftover::Unfinished => "an unfinished download",
            Leftover::Copy => "a second copy",
            Leftover::Journal => "a journal of quakefs for an undo",
            Leftover::Temporary => "a temporary file of quakefs, which a later command removes",
        })
    }
}

/// The extra folder around all names, perhaps with others around it: an engine looks for `maps/start.bsp`,
/// not for `mods/mymod/maps/start.bsp`. `None` if a name is outside the folder, or nothing in the folder
/// belongs to the root of a game directory.
#[must_use]
pub fn folder_too_deep<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let is_at_root =
        |part: &str| is_content_folder(part) || FILES.iter().any(|known| part.eq_ignore_ascii_case(known));
    let mut folder: Option<&str> = None;
    // the length of the shortest folder with something of the root in it
    let mut shortest = usize::MAX;
    for name in names {
        // up to the part that belongs to the root, or else the file
        let root = name.split('/').position(is_at_root);
        let before = |parts: usize| name.match_indices('/').nth(parts.checked_sub(1)?).map(|(end, _)| end);
        let around = name.get(..root.map_or_else(|| name.rfind('/'), before)?)?;
        shortest = shortest.min(root.map_or(usize::MAX, |_| around.len()));
        folder = Some(common(folder.unwrap_or(around), around)?);
    }
    folder.filter(|folder| folder.len() == shortest)
}

/// The folder that two folders share.
fn common<'n>(one: &'n str, other: &str) -> Option<&'n str> {
    let shared = one.split('/').zip(other.split('/')).take_while(|(one, other)| one == other);
    let length: usize = shared.map(|(part, _)| part.len() + 1).sum();
    one.get(..length.checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extra_folder_may_be_inside_others() {
        let folder = |names: &[&'static str]| folder_too_deep(names.iter().copied());
        assert_eq!(folder(&["mod/maps/a.bsp", "mod/readme.txt"]), Some("mod"));
        assert_eq!(folder(&["g/mod/progs.dat", "g/mod/maps/a.bsp", "g/mod/x/y"]), Some("g/mod"));
        assert_eq!(folder(&["g/mod/maps/a.bsp", "g/mod/maps/b.bsp"]), Some("g/mod"));
        assert_eq!(folder(&["g/a/maps/a.bsp", "g/b/maps/b.bsp"]), None);
        assert_eq!(folder(&["mod/docs/maps/a.txt", "mod/readme.txt"]), None);
        assert_eq!(folder(&["mod/maps/a.bsp", "readme.txt"]), None);
        assert_eq!(folder(&["maps/mod/maps/a.bsp"]), None);
        assert_eq!(folder(&["mod/a", "mod/b"]), None);
        assert_eq!(folder(&[]), None);
    }

    #[test]
    fn each_extension_of_the_table_is_found_and_unique() {
        assert!(TABLE.is_sorted_by(|(one, _), (other, _)| one < other));
        for &(extension, content) in UNSORTED {
            let bytes = extension.to_be_bytes();
            let letters: Vec<u8> = bytes.into_iter().skip_while(|byte| *byte == 0).skip(1).collect();
            assert_eq!(ContentType::of(&[b"a.", &*letters].concat()), content);
        }
    }

    #[test]
    fn only_whole_extensions_are_in_the_table() {
        assert_eq!(ContentType::of(b"a.FrameGroups"), ContentType::Animation);
        assert_eq!(ContentType::of(b"a.dm_68"), ContentType::Demo);
        for name in [&b"a.\0bsp"[..], b"a.bsp\0", b"a.", b"a.0000000000000bsp", b"a.\x010000000000000bsp"] {
            assert_eq!(ContentType::of(name), ContentType::Other, "{name:?}");
        }
    }
}
