//! What the author's texts say about the game directory.

use quakefs::content::is_content_folder;
use quakefs::pak_format::name::steers;
use quakefs::rules::{Expansion, Family, Title};

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
    /// An instruction with a name that may be any folder's: into the X folder.
    Maybe,
    /// A mission flag, such as `-hipnotic`.
    Mission,
    /// A mod that the levels need: requires Arcane Dimensions.
    Needs,
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
        let verb = words.iter().position(|word| VERBS.iter().any(|verb| word.starts_with(verb)));
        let by_words = (0..words.len()).filter(|place| !is_negated(&words, *place)).filter_map(|place| {
            let is_told = verb.is_some_and(|verb| verb < place);
            said_by(words.get(place..).unwrap_or_default(), is_told)
        });
        for (name, what) in by_words.chain(needed(line)) {
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

/// How words begin that tell where to put files.
const VERBS: &[&str] = &[
    "copy",
    "create",
    "decompress",
    "drop",
    "extract",
    "install",
    "make",
    "move",
    "place",
    "put",
    "unpack",
    "unzip",
];

/// How many words before a place are read as its sentence: a hostile text has no end of one.
const SENTENCE: usize = 50;

/// Whether a word of the same sentence before a place turns it around, or names another choice: `do not put
/// it into hipnotic`.
fn is_negated(words: &[&str], place: usize) -> bool {
    const NEGATIONS: [&str; 7] = ["not", "never", "don't", "dont", "nor", "cannot", "without"];
    let begins = |word: &&str| word.starts_with('(');
    let ends = |word: &&&str| word.ends_with(['.', ';', '!', '?', ')', ':']);
    let before = words.get(place.saturating_sub(SENTENCE)..place).unwrap_or_default();
    let start = before.iter().rposition(|word| ends(&word)).map_or(0, |end| end + 1);
    let bracket = before.iter().rposition(begins).unwrap_or_default();
    let own = before.get(start.max(bracket)..).unwrap_or_default();
    // "into the id1 or ctf folder"
    if own.len() > 1 && own.last() == Some(&"or") {
        return true;
    }
    let negation = own.iter().position(|word| NEGATIONS.contains(&word.trim_start_matches(['(', '"'])));
    // "do not forget to unzip it"
    negation.is_some_and(|at| own.get(at + 1).is_none_or(|next| !next.starts_with("forget")))
}

/// Words before the name of a folder.
const ARTICLES: &[&str] = &["a", "an", "my", "the", "this", "your"];

/// The mods and missions that a line says the levels need.
fn needed(line: &str) -> Vec<(String, What)> {
    const VERBS: [&str; 7] = ["require", "need", "must have", "made for", "runs under", "runs on", "mod:"];
    const DENIED: [&str; 4] = ["not ", "n't ", "no need", "without "];
    let lower = line.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if !has(&VERBS) || has(&DENIED) {
        return Vec::new();
    }
    let mods = Family::known().iter().flat_map(|family| &*family.mods);
    let missions = Title::known().iter().flat_map(|(_, title)| &*title.expansions);
    // the short name of Arcane Dimensions is a word only in capitals
    let is_short = |name: &str| {
        let is_it = |word: &str| word == "AD" && name == "Arcane Dimensions";
        line.split(|letter: char| !letter.is_ascii_alphanumeric()).any(is_it)
    };
    let is_named = |known: &&Expansion| {
        // any game has a mission pack
        let is_telling = known.directory != "missionpack";
        is_telling && (lower.contains(&known.name.to_ascii_lowercase()) || is_short(&known.name))
    };
    let mut names: Vec<_> =
        mods.chain(missions).filter(is_named).map(|known| known.directory.to_string()).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|name| (name, What::Needs)).collect()
}

/// The folder that an instruction names: `into your quake\\frikbot`, `to half-life/cstrike`, `in id1/progs`,
/// `into baseq3`, `in the ktx folder`.
fn told(words: &[&str]) -> Option<(String, What)> {
    let skipped = words.iter().take_while(|word| ARTICLES.contains(word)).count();
    let words = words.get(skipped..)?;
    // "to the Quake III Arena/baseq3 folder"
    let path = words.iter().take(4).find_map(|word| in_path(word));
    let first = name(words.first()?);
    let is_folder = words.get(1).is_some_and(|word| is_folder_word(word));
    let plain = match first {
        // "the baseq2 folder" is read as such
        Some(name) if is_of_game(&name) => (!is_folder).then_some((name, What::Folder)),
        Some(name) => {
            let is_any = ANY_FOLDER.contains(&&*name) || is_title(&name);
            (is_folder && !is_any).then_some((name, What::Maybe))
        }
        None => None,
    };
    let plain = titled(words).map(|name| (name, What::Folder)).or(plain);
    path.map(|name| (name, What::Folder)).or(plain)
}

/// The directory of the game whose full name and "folder" these words begin with.
fn titled(words: &[&str]) -> Option<String> {
    let words: Vec<&str> = words.iter().take(6).copied().collect();
    if !words.iter().any(|word| is_folder_word(word)) {
        return None;
    }
    let text = words.join(" ");
    let titles = Title::known().iter().flat_map(|(_, title)| &*title.expansions);
    let mut games = titles.chain(Family::known().iter().flat_map(|family| &*family.mods));
    let is_named = |game: &&Expansion| {
        let rest = text.strip_prefix(&game.name.to_ascii_lowercase()).and_then(|rest| rest.strip_prefix(' '));
        rest.and_then(|rest| rest.split(' ').next()).is_some_and(is_folder_word)
    };
    games.find(is_named).map(|game| game.directory.to_string())
}

/// The game directory in a path: one that a game has, or a folder around one of files of games.
fn in_path(path: &str) -> Option<String> {
    let parts: Vec<&str> =
        path.trim_matches(EDGES).split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    if parts.len() < 2 {
        return None;
    }
    let of_game = parts.iter().find(|part| is_of_game(part)).map(|part| (*part).to_owned());
    let before = |pair: &[&str]| match pair {
        [folder, inside] if is_content_folder(inside) => name(folder).filter(|name| !begins_with_game(name)),
        _ => None,
    };
    of_game.or_else(|| parts.windows(2).find_map(before))
}

const EDGES: [char; 8] = ['"', '\'', '`', '(', ')', ',', '.', ':'];

/// Whether a folder comes with a game, and has no name of any folder.
fn is_of_game(name: &str) -> bool {
    // `~` is a home folder in texts, whatever an engine calls so
    let is_word = name.starts_with(|first: char| first.is_ascii_alphanumeric());
    is_word && !ANY_FOLDER.contains(&name) && Family::comes_with_one(name)
}

/// Whether a folder has a name like one that contains game directories.
fn begins_with_game(folder: &str) -> bool {
    ["quake", "half-life", "halflife", "heretic", "hexen"].iter().any(|game| folder.starts_with(game))
}

/// The name at the start of these words, which follow a verb like `unzip` if `is_told`.
fn said_by(words: &[&str], is_told: bool) -> Option<(String, What)> {
    let bare = |word: &str| {
        word.trim_start_matches(['"', '\'', '(', '`', '*']).trim_end_matches(['.', ',', '"', '\'']).to_owned()
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
        "directory" | "folder" if is_told && word(1).starts_with('"') => {
            Some((name(word(1)).filter(|name| !is_content_folder(name))?, What::Folder))
        }
        "into" | "to" | "in" => {
            let below = below_game(words.get(1..)?);
            let told = || told(words.get(1..)?).filter(|_| is_told);
            below.map(|name| (name, What::Folder)).or_else(told)
        }
        // a folder that every copy of a game has
        known if is_folder_word(word(1)) && is_of_game(known) => Some((known.to_owned(), What::Folder)),
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

/// The folder below the game's folder in a path such as `c:\quake\frikbot` or `Quake III Arena\cpma`, above
/// that of its files, as in `quake/mods/copper/maps`.
fn below_game(words: &[&str]) -> Option<String> {
    let text = words.iter().take(8).copied().collect::<Vec<_>>().join(" ");
    let mut parts = text.trim_start_matches(EDGES).split(['/', '\\']);
    parts.find(|part| is_title(part))?;
    let folders = parts.map(|part| part.split(' ').next().unwrap_or_default().trim_end_matches(EDGES));
    let folders: Vec<&str> = folders.take_while(|folder| !is_content_folder(folder)).collect();
    match &*folders {
        ["mods", rest @ ..] => name(rest.first()?),
        folders => name(folders.first()?),
    }
}

/// Whether words are the name of a game's folder, such as `your quake iii arena`.
fn is_title(part: &str) -> bool {
    let mut words = part.split(' ').skip_while(|word| ARTICLES.contains(word));
    words.next().is_some_and(|first| begins_with_game(first.trim_start_matches(EDGES)))
        && words.all(|word| ["2", "3", "arena", "ii", "iii", "world"].contains(&word))
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
            ("Extract to your half-life/cstrike directory.", "Folder cstrikex1"),
            ("Unzip to svencoop folder", "Maybe svencoopx1"),
            ("KTX mod, put it in ktx folder", "Folder ktxx1"),
            ("extract to portals", "Folder portalsx1"),
            ("Put the pk3 into baseq3", "Folder baseq3x1"),
            ("Unzip it into your Quake III Arena/baseq3.", "Folder baseq3x1"),
            ("HD textures, unpack into id1", "Folder id1x1"),
            ("Put into id1/progs.", "Folder id1x1"),
            ("put in cstrike/models", "Folder cstrikex1"),
            ("Requires the Copper mod. Extract the bsp into copper/maps.", "Folder copperx1, Needs copperx1"),
            ("This map requires Arcane Dimensions v1.80", "Needs adx1"),
            ("You need Quoth to play it", "Needs quothx1"),
            ("It does not need Quoth", ""),
            ("Quoth 2 is required", "Needs quothx1"),
            ("Made for Quoth", "Needs quothx1"),
            ("this map runs under Arcane Dimensions", "Needs adx1"),
            ("Requires AD", "Needs adx1"),
            ("It needs no ad", ""),
            ("Requires mission pack 1 (Scourge of Armagon)", "Needs hipnoticx1"),
            ("You need The Reckoning", "Needs xatrixx1"),
            ("unzip to quake/maps", ""),
            ("Copy to Quake III Arena\\cpma\\", "Folder cpmax1"),
            ("Extract to C:\\Program Files (x86)\\Quake III Arena\\baseq3", "Folder baseq3x1"),
            ("It is in your quake. See c:\\games\\foo", ""),
            ("Create a folder \"mymod\" in your Quake directory", "Folder mymodx1"),
            ("the folder \"mymod\" is empty", ""),
            ("Unzip into your Counter-Strike folder.", "Folder cstrikex1"),
            ("Unzip into Quake/mods/copper/maps", "Folder copperx1"),
            ("Unzip it into quake/id1/maps. Do not put it into hipnotic.", "Folder id1x1"),
            ("Put it in \"id1/maps\" (not into rogue/maps!)", "Folder id1x1"),
            ("Put the bsp into id1/maps; never into the ad folder", "Folder id1x1"),
            ("Not for use with -game ad", ""),
            ("Do not forget to unzip it into baseq2", "Folder baseq2x1"),
            ("Put into the id1 or hipnotic folder", "Folder id1x1"),
            ("Copy the pk3 into your baseq3 folder (Linux: ~/.q3a/baseq3)", "Folder baseq3x2"),
            ("unzip into ~/.quakespasm/id1/maps", "Folder id1x1"),
            ("Extract in the \"ctf\" folder", "Folder ctfx1"),
            ("there are bugs in portals and in the maps folder", ""),
            ("put them in the same folder", "Maybe samex1"),
        ] {
            assert_eq!(said(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn one_line_of_many_words_takes_no_square_of_time() {
        let text = "into ".repeat(testutils::scaled(2_000, 50_000));
        assert_eq!(said(text.as_bytes()), "");
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
