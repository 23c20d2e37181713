//! Texts of a game that change the search path.

use super::directories::Directories;
use super::names::{PLACEHOLDER, is_below};
use crate::documented::documented;
use crate::fault::Faults;
use crate::{List, Text};

documented! {
    /// A text file of the game that changes the search path.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub enum GameText by "text" {
        /// A text in the base directory that lists all game directories: the `basegame` lines, and above them
        /// the `gamedir` lines. It is ignored with a mission flag. As in fte.
        Manifest {
            /// The names of the text, in exact case. The engine reads the first that exists.
            files: List<Text>,
        },
        /// A text in the game's directory that names the directories below it. `basedir` replaces the last of
        /// `directories.base`, and `fallback_dir` is just above. With `directories.default-game`, only
        /// `fallback_dir` counts. As in goldsrc.
        GameInfo {
            /// The names of the text, in any case. The engine reads the first that exists.
            files: List<Text>,
            /// The only one of `files` in which the engine obeys `basedir`.
            base_in: Text,
        },
        /// A text in a game directory that names one archive per line. After the numbered archives, the
        /// engine loads only these. As in ezquake.
        ArchiveList {
            /// The name of the text.
            file: Text,
            /// Lines that begin with this are ignored, in any case.
            skipped: Text,
        },
    }
}

/// The most directories in a manifest.
///
/// Source: FTE, `engine/common/fs.h`, `ftemanifest_t`, `gamepath`.
const MOST_DIRECTORIES: usize = 8;

impl GameText {
    pub(crate) fn validate(&self, faults: &mut Faults) {
        match self {
            GameText::Manifest { files } | GameText::GameInfo { files, .. } if files.is_empty() => {
                faults.empty("text.files");
            }
            GameText::GameInfo { files, base_in } if !files.contains(base_in) => {
                faults.no_effect("text.base-in", "text.files does not have it");
            }
            _ => {}
        }
    }

    /// Whether the engine reads the text from a file of this name, in any case.
    pub(super) fn is_read_from(&self, name: &str) -> bool {
        let files = match self {
            GameText::Manifest { files } | GameText::GameInfo { files, .. } => &**files,
            GameText::ArchiveList { file, .. } => std::slice::from_ref(file),
        };
        files.iter().any(|file| file.eq_ignore_ascii_case(name))
    }

    /// The archives in a game directory's list. Returns `None` for another kind of text.
    ///
    /// ```
    /// use quake_rules::Engine;
    /// let list = Engine::EzQuake.rules().text.as_ref().unwrap();
    /// assert_eq!(list.archives(b"b.pak\r\nsoftware.pk3\na.pk3\n").unwrap(), ["b.pak", "a.pk3"]);
    /// ```
    #[must_use]
    pub fn archives(&self, text: &[u8]) -> Option<Vec<String>> {
        let GameText::ArchiveList { skipped, .. } = self else { return None };
        let text = String::from_utf8_lossy(text);
        let counts = |line: &&str| {
            let start = line.as_bytes().get(..skipped.len());
            !line.is_empty() && !start.is_some_and(|start| start.eq_ignore_ascii_case(skipped.as_bytes()))
        };
        Some(text.lines().map(str::trim_end).filter(counts).map(str::to_owned).collect())
    }
}

impl Directories {
    /// The directories of a manifest, in place of `base`. Returns `None` if it names none. Names outside the
    /// base directory and names that the engine refuses are skipped.
    ///
    /// ```
    /// use quake_rules::Engine;
    /// let manifest = b"gamedir mod\nbasegame \"/id1\"\nbasegame ../x";
    /// let named = Engine::Fte.rules().directories.named_by_manifest(manifest);
    /// assert_eq!(named.unwrap(), ["id1", "mod"]);
    /// ```
    #[must_use]
    pub fn named_by_manifest(&self, text: &[u8]) -> Option<Vec<Text>> {
        let text = String::from_utf8_lossy(text);
        let mut base: Vec<Text> = Vec::new();
        for key in ["basegame", "gamedir"] {
            for value in values(&text, key) {
                let name = value.trim_start_matches(['/', '*']);
                let is_taken = is_below(name) && self.takes(name) && base.iter().all(|there| there != name);
                if is_taken && base.len() < MOST_DIRECTORIES {
                    base.push(name.to_owned().into());
                }
            }
        }
        (!base.is_empty()).then_some(base)
    }

    /// The directories of a game's text, one of the files of [`GameText::GameInfo`], in place of these.
    /// `has_base` tells whether the engine obeys `basedir` in it. `game` is `None` if no game was requested.
    #[must_use]
    pub fn named_by_game_info(
        &self,
        base: &[Text],
        text: &[u8],
        has_base: bool,
        game: Option<&str>,
    ) -> Vec<Text> {
        let text = String::from_utf8_lossy(text);
        let value = |key| values(&text, key).last().filter(|name| !name.is_empty() && is_below(name));
        if let Some(default) = &self.default_game {
            let is_other = |name: &String| !name.eq_ignore_ascii_case(game.unwrap_or(default));
            let fallback = value("fallback_dir").filter(is_other).map(Text::from);
            return base.iter().cloned().chain(fallback).collect();
        }
        let Some((default, lower)) = base.split_last() else { return Vec::new() };
        let game = game.unwrap_or(default);
        let basedir = value("basedir").filter(|_| has_base).unwrap_or_else(|| default.to_string());
        let fallback = value("fallback_dir").filter(|name| !name.eq_ignore_ascii_case(&basedir));
        let is_other = |name: &String| !name.eq_ignore_ascii_case(game);
        let named = [Some(basedir), fallback].into_iter().flatten().filter(is_other);
        let named = named.map(Text::from);
        let own = (game == default).then(|| default.clone());
        lower.iter().cloned().chain(named).chain(own).collect()
    }

    /// Whether the engine accepts a game's name.
    #[must_use]
    pub fn takes(&self, name: &str) -> bool {
        name != PLACEHOLDER && self.taken_name(name, &[]).is_ok()
    }
}

/// The values of a key. Each line is `key value` or `key "value"`.
fn values<'t>(text: &'t str, key: &'t str) -> impl Iterator<Item = String> + 't {
    text.lines().filter_map(move |line| {
        let (found, value) = line.trim().split_once(|letter: char| letter.is_whitespace())?;
        let value = value.trim_start();
        let value = match value.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next(),
            None => value.split_whitespace().next(),
        };
        let is_key = found.trim_matches(['*', '"']).eq_ignore_ascii_case(key);
        is_key.then(|| value.unwrap_or_default().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use crate::fault::tests::check;

    fn manifest(text: &str) -> String {
        let named = Engine::Fte.rules().directories.named_by_manifest(text.as_bytes());
        named.map_or_else(|| "unchanged".to_owned(), |named| named.join(" "))
    }

    #[test]
    fn a_manifest_names_the_directories_base_games_first() {
        assert_eq!(
            manifest("FTEMANIFEST 1\ngamedir tb\nbasegame *ta\r\nbasegame \"id1\" // \n"),
            "ta id1 tb"
        );
        assert_eq!(manifest("gamedir tb\nbasegame tb\nbasegame tb\n"), "tb");
        assert_eq!(manifest("FTEMANIFEST 1\nname \"A test\"\n"), "unchanged");
        // paths, names that the engine refuses, and more names than it has room for
        assert_eq!(
            manifest("basegame ../x\nbasegame a/b\nbasegame .hidden\nbasegame\nbasegame \"\n"),
            "unchanged"
        );
        let many: Vec<_> = (0..100).map(|number| format!("basegame a{number}")).collect();
        assert_eq!(manifest(&many.join("\n")), "a0 a1 a2 a3 a4 a5 a6 a7");
        assert_eq!(manifest("\u{0}\u{ffff}basegame"), "unchanged");
    }

    fn game_info(text: &str, has_base: bool, game: Option<&str>) -> String {
        let directories = &Engine::GoldSrc.rules().directories;
        directories.named_by_game_info(&directories.base, text.as_bytes(), has_base, game).join(" ")
    }

    #[test]
    fn the_text_of_a_game_names_the_directories_below_it() {
        let text = "basedir \"Gearbox\"\nfallback_dir \"czero\"";
        assert_eq!(game_info(text, true, Some("mod")), ". Gearbox czero");
        assert_eq!(game_info(text, false, Some("mod")), ". valve czero");
        assert_eq!(game_info("basedir mod\nfallback_dir mod", true, Some("mod")), ".");
        assert_eq!(game_info("fallback_dir valve", false, Some("mod")), ". valve");
        assert_eq!(game_info("fallback_dir \"\"\nbasedir ../x", true, Some("mod")), ". valve");
        assert_eq!(game_info("fallback_dir czero", false, None), ". czero valve");
        assert!(!Engine::GoldSrc.rules().directories.takes("a/b"));
    }

    #[test]
    fn a_text_without_names_is_a_fault() {
        check(
            |rules| rules.text = Some(GameText::Manifest { files: Vec::new().into() }),
            &["text.files: the list is empty"],
        );
        check(
            |rules| {
                let files = vec!["a.txt".into()].into();
                rules.text = Some(GameText::GameInfo { files, base_in: "b.txt".into() });
            },
            &["text.base-in: no effect, because text.files does not have it"],
        );
    }
}
