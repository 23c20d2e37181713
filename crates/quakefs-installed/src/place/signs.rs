//! What names and first bytes tell about a file of a download.

use std::sync::LazyLock;

use quakefs::content::{ContentType, Leftover};
use quakefs::rules::{Family, Text};
use quakefs::{Engine, Rules};

use crate::titles::ANY_FOLDER;

/// The families, each with the directory of its base game.
pub(super) static FAMILIES: LazyLock<Vec<(&Family, &str)>> =
    LazyLock::new(|| Family::known().iter().map(|family| (*family, family.base())).collect());

/// The family of most downloads that show none.
#[expect(clippy::expect_used, reason = "a test of the rows looks at it")]
pub(super) fn usual() -> &'static Family {
    let family = Engine::default().rules().family.as_ref();
    family.or(Family::known().first().copied()).expect("the rows of engines have families")
}

/// Whether a folder is a base game's.
pub(super) fn is_base(folder: &str) -> bool {
    FAMILIES.iter().any(|(_, base)| folder.eq_ignore_ascii_case(base))
}

/// Whether a folder is a part of a base game: `valve_hd`, `valve_french`.
pub(super) fn is_beside_base(folder: &str) -> bool {
    let of = |family: &Family| family.engine().rules().directories.game_beside(folder).is_some_and(is_base);
    folder.contains('_') && FAMILIES.iter().any(|(family, _)| of(family))
}

/// Whether a word is the flag of a mission in any engine, without its dash.
pub(super) fn is_flag(word: &str) -> bool {
    Engine::with(|rules| rules.directories.missions.iter().any(|mission| mission.flag == word))
        .next()
        .is_some()
}

/// Whether a name is one plain word on an engine's command line. Engines join the words again, take what
/// follows a `+` for a command of the console and split commands at `;`, whatever quotes a shell has seen.
pub(super) fn is_plain(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.!#()[]~^@'/".contains(letter);
    // a comment of the console
    let is_comment = name.contains("//");
    name.starts_with(|first: char| first != '-' && first != '/') && name.chars().all(is_plain) && !is_comment
}

/// How many files speak for each family: by their first bytes, by their name or a folder around them, and by
/// their extension.
pub(super) struct Votes(Vec<(usize, usize, usize)>);

impl Votes {
    pub(super) fn new() -> Self {
        Votes(vec![(0, 0, 0); FAMILIES.len()])
    }

    pub(super) fn count(&mut self, path: &str, head: &[u8]) {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let owner = |folder: &str| match Family::with_directory(folder) {
            [only] if ANY_FOLDER.iter().all(|any| !folder.eq_ignore_ascii_case(any)) => Some(*only),
            _ => None,
        };
        let owners: Vec<&Family> = folders.split('/').filter_map(owner).collect();
        for ((family, base), votes) in FAMILIES.iter().zip(&mut self.0) {
            let named = |known: &[Text], name: &str| known.iter().any(|one| name.eq_ignore_ascii_case(one));
            votes.0 += usize::from(family.heads.iter().any(|known| head.starts_with(known.as_bytes())));
            let is_base = |folder: &str| folder.eq_ignore_ascii_case(base);
            let is_folder = owners.contains(family) || folders.split('/').any(is_base);
            votes.1 += usize::from(named(&family.files, name) || is_folder);
            votes.2 += usize::from(named(&family.extensions, extension));
        }
    }

    /// The family with the best votes, if any file shows one. First bytes count most, extensions least. Of
    /// equal ones it is the given one: Wolfenstein's games share a format of levels.
    /// Also whether only extensions show it.
    pub(super) fn best(&self, of_engine: Option<&Family>) -> Option<(&'static Family, bool)> {
        let votes = FAMILIES.iter().zip(&self.0).rev();
        let best = votes.max_by_key(|((family, _), votes)| (**votes, Some(*family) == of_engine))?;
        let is_weak = (best.1.0, best.1.1) == (0, 0);
        (*best.1 != (0, 0, 0)).then_some((best.0.0, is_weak))
    }
}

/// Whether only a game directory directly contains a file of this name.
pub(super) fn is_mark(name: &str) -> bool {
    const LIBRARIES: &[&str] = &["dll", "so", "dylib"];
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let is = |known: &&str| extension.eq_ignore_ascii_case(known);
    let begins = |start: &str| stem.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start));
    FAMILIES.iter().any(|(family, _)| family.files.iter().any(|known| name.eq_ignore_ascii_case(known)))
        || is(&"pk3")
        || is(&"pak")
        || (begins("game") && LIBRARIES.iter().any(is))
}

/// The number in `pak0.pak`, or in a name like it with another extension.
pub(super) fn number_of(name: &str, extension: &str) -> Option<u32> {
    let (stem, found) = name.rsplit_once('.')?;
    let (start, number) = stem.split_at_checked(3)?;
    let is_pak = start.eq_ignore_ascii_case("pak") && found.eq_ignore_ascii_case(extension);
    number.parse().ok().filter(|_| is_pak && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a file is left by a system or a tool, and no part of a download.
pub(super) fn is_junk(path: &str) -> bool {
    use Leftover::{OfMac, OfVersionControl, OfWindows};
    matches!(Leftover::of(path), Some(OfMac | OfWindows | OfVersionControl))
}

/// Whether a file may hold the author's words.
pub(super) fn is_text(path: &str) -> bool {
    const EXTENSIONS: &[&str] =
        &["txt", "doc", "me", "1st", "nfo", "htm", "html", "diz", "bat", "cmd", "sh", "md", "rtf"];
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    name.contains("readme") || name.rsplit_once('.').is_some_and(|(_, end)| EXTENSIONS.contains(&end))
}

/// The folder of a game directory in which an engine looks for a file without a folder, if it looks for such
/// files at all.
pub(super) fn loose_folder<'f>(path: &str, family: &'f Family) -> Option<&'f str> {
    match ContentType::of(path.as_bytes()) {
        ContentType::Level => Some("maps"),
        ContentType::LevelData => {
            let extension = path.rsplit_once('.')?.1;
            let is_loaded = |name: &Text| {
                name.rsplit('.').next().is_some_and(|known| extension.eq_ignore_ascii_case(known))
            };
            let beside = |rules: &Rules| {
                rules.companions.items().iter().any(|companion| companion.names.iter().any(is_loaded))
            };
            FAMILIES.iter().any(|(family, _)| beside(family.engine().rules())).then_some("maps")
        }
        ContentType::Demo => Some(&family.demos),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn a_plain_word_is_no_command_of_a_console() {
        for name in ["start", "e1m1", "ad_v1_80p1final", "dm3-(b)", "sub/map", "1.5!"] {
            assert!(is_plain(name), "{name}");
        }
        let names = [
            "",
            "+quit",
            "a+quit",
            "pd +exec evil",
            "-game",
            "a;quit",
            "a\"b",
            "a$b",
            "a//b",
            "a\nb",
            "\u{e9}",
        ];
        for name in names {
            assert!(!is_plain(name), "{name}");
        }
    }
}
