//! What the author's texts say about the game directory.

use quakefs::pak_format::name::steers;
use quakefs::rules::Family;

use super::signs::is_flag;
use crate::titles::ANY_FOLDER;

/// A game directory or a mission that a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// In lower case.
    pub(super) name: String,
    pub(super) what: What,
    /// How often the texts say so.
    pub(super) times: usize,
    /// The first line with this name.
    pub(super) line: String,
}

/// How a text names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// An option of the engine: `-game X`, `+set game X`.
    Game,
    /// An instruction: a folder called X.
    Folder,
    /// A mission flag, such as `-hipnotic`.
    Mission,
}

/// Words after `-game` that replace a name.
const PLACEHOLDERS: &[&str] = &[
    "and",
    "command",
    "dir",
    "directory",
    "dirname",
    "folder",
    "game",
    "is",
    "line",
    "mod",
    "modname",
    "name",
    "option",
    "or",
    "parameter",
    "switch",
    "the",
    "to",
    "with",
    "your",
];

/// The most names that are kept.
const MOST: usize = 64;

/// The longest line that is kept.
const LONGEST: usize = 160;

/// The lines of a text in UTF-16 with a byte order mark, or else in an encoding with the letters of ASCII.
fn decoded(bytes: &[u8]) -> String {
    let wide = |of: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).filter_map(|pair| pair.first_chunk().copied()).map(of);
        char::decode_utf16(units.skip(1)).map(|letter| letter.unwrap_or('\u{fffd}')).collect()
    };
    match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Adds the names in a text.
pub(super) fn read(bytes: &[u8], said: &mut Vec<Said>) {
    let text = decoded(bytes);
    for line in text.lines() {
        let lower = line.to_ascii_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        for (place, _) in words.iter().enumerate() {
            let rest = words.get(place..).unwrap_or_default();
            let Some((name, what)) = said_by(rest) else { continue };
            let is_full = said.len() >= MOST;
            match said.iter_mut().find(|known| known.name == name && known.what == what) {
                Some(known) => known.times += 1,
                None if is_full => {}
                None => {
                    let line = line.trim().chars().filter(|letter| !steers(*letter)).take(LONGEST).collect();
                    said.push(Said { name, what, times: 1, line });
                }
            }
        }
    }
}

/// The name at the start of these words.
fn said_by(words: &[&str]) -> Option<(String, What)> {
    let bare = |word: &str| {
        word.trim_start_matches(['"', '\'', '(', '`', '*']).trim_end_matches(['.', ',']).to_owned()
    };
    let first = bare(words.first()?);
    let word = |place: usize| words.get(place).copied().unwrap_or_default();
    match &*first {
        "-game" | "+game" | "+gamedir" | "-gamedir" => Some((name(word(1))?, What::Game)),
        "+set" if matches!(word(1), "game" | "fs_game" | "gamedir") => Some((name(word(2))?, What::Game)),
        "directory" | "folder" | "dir" | "subdirectory" | "subdir" | "subfolder"
            if matches!(word(1), "called" | "named") =>
        {
            Some((name(word(2))?, What::Folder))
        }
        "into" | "to" | "in" => Some((below_quake(word(1)).or_else(|| below_quake(word(2)))?, What::Folder)),
        // a folder that every copy of a game has
        known if is_folder_word(word(1)) && !ANY_FOLDER.contains(&known) && Family::comes_with_one(known) => {
            Some((known.to_owned(), What::Folder))
        }
        flag => {
            let flag = flag.strip_prefix('-')?.trim_end_matches(|end: char| !end.is_ascii_alphanumeric());
            is_flag(flag).then(|| (flag.to_owned(), What::Mission))
        }
    }
}

fn is_folder_word(word: &str) -> bool {
    ["directory", "folder", "dir"].contains(&word.trim_end_matches(['.', ',', ')', '"', '\'']))
}

/// A word as the name of a game directory.
fn name(word: &str) -> Option<String> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
    let name = word.trim_start_matches(['"', '\'', '`', '*']);
    let end = name.find(|letter| !is_letter(letter)).unwrap_or(name.len());
    // `-game <name>` and `-game quake/mod` name no directory
    let is_more = |rest: char| rest.is_alphanumeric() || matches!(rest, '/' | '\\' | '<' | '>' | '%');
    if name.get(end..).is_some_and(|rest| rest.starts_with(is_more)) {
        return None;
    }
    let name = name.get(..end)?.trim_end_matches(['.', '-']);
    let is_name = (2..=20).contains(&name.len()) && !PLACEHOLDERS.contains(&name);
    is_name.then(|| name.to_owned())
}

/// The folder below the game's folder in a path such as `c:\quake\frikbot`.
fn below_quake(path: &str) -> Option<String> {
    let mut parts = path.trim_matches(['"', '\'', '`', '(', ')', ',']).split(['/', '\\']);
    parts.find(|part| part.starts_with("quake"))?;
    name(parts.next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &[u8]) -> String {
        let mut said = Vec::new();
        read(text, &mut said);
        said.iter()
            .map(|said| format!("{:?} {}x{}", said.what, said.name, said.times))
            .collect::<Vec<_>>()
            .join(", ")
    }

    #[test]
    fn texts_name_game_directories_in_many_ways() {
        for (text, expected) in [
            ("start it with: quake -game frikbot", "Game frikbotx1"),
            ("quake2 +set game Eraser +map base1\r\nOr +SET GAME eraser.", "Game eraserx2"),
            ("(\"-game pd\")", "Game pdx1"),
            ("winquake -hipnotic +map start", "Mission hipnoticx1"),
            ("make a directory called \"frik_bot\".", "Folder frik_botx1"),
            ("Unzip into c:\\quake\\omicron and run", "Folder omicronx1"),
            ("put the map into your quake/id1/maps folder", "Folder id1x1"),
            ("Put everything in the baseq2 folder.", "Folder baseq2x1"),
            ("use -game <name of the mod>, or -game directory", ""),
            ("the game is over; -gamey", ""),
            ("copy it to the base directory, or to the main folder", ""),
            ("put the pk3 into your etmain folder", "Folder etmainx1"),
        ] {
            assert_eq!(said(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn texts_in_other_encodings_are_read() {
        let wide: Vec<u8> =
            "\u{feff}-game größe\r\n-game pd".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(said(&wide), "Game pdx1");
        assert_eq!(said(b"f\xfcr Quake: -game pd"), "Game pdx1");
        assert_eq!(said(&[0xfe, 0xff, 0]), "");
    }
}
