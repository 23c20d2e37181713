//! The options of an engine's command line that choose the game.

use super::suffix::Suffix;
use crate::Rules;

/// The base directories, games, missions and settings that a command line names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CommandLine {
    /// Base directories, in the order of the `-basedir` options.
    pub bases: Vec<String>,
    /// The directories of the `-basegame` options, low to high.
    pub base_games: Vec<String>,
    /// Mission flags without their dash.
    pub missions: Vec<String>,
    /// Games, low to high.
    pub games: Vec<String>,
    /// The game that a server names, in place of [`games`](Self::games).
    pub server_game: Option<String>,
    /// Names and values of settings. [`Directories::settings`](crate::Directories::settings) lists the
    /// engine's.
    pub settings: Vec<(String, String)>,
}

impl CommandLine {
    /// Reads the words after the program's name, as `COM_InitFilesystem` in Quake's `common.c` does:
    /// `-basedir`, `-basegame`, the option for a game (`-game`, or `-path` in ericw-tools), the engine's
    /// mission flags, its [console command](Rules::console) after a `+`, such as `+set game xatrix`, and
    /// `+set` with one of its settings. It ignores all other words, and an option at the end without a value.
    /// [`Rules::directories`] decide which of the games and base directories count.
    ///
    /// ```
    /// use quake_rules::{CommandLine, Engine};
    /// let line = "-basedir /games/quake -hipnotic -game mymod -width 800 +map start";
    /// let line = CommandLine::read(Engine::QuakeSpasm.rules(), line.split(' '));
    /// assert_eq!(line.bases, ["/games/quake"]);
    /// assert_eq!((line.missions, line.games), (vec!["hipnotic".to_owned()], vec!["mymod".to_owned()]));
    /// ```
    #[must_use]
    pub fn read<W: AsRef<str>>(rules: &Rules, words: impl IntoIterator<Item = W>) -> CommandLine {
        let words: Vec<W> = words.into_iter().collect();
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        let missions = rules.directories.missions.iter().map(|mission| &mission.flag);
        let suffixes = rules.directories.suffixes.iter().flat_map(Suffix::flags);
        let flags: Vec<&str> = missions.chain(suffixes).map(|flag| &**flag).collect();
        let mut line = CommandLine::default();
        for (at, word) in words.iter().enumerate() {
            if let Some(command) = word.strip_prefix('+') {
                // `Cmd_StuffCmds_f` in Quake's `cmd.c`: a command ends at the next word with a plus or a dash
                let rest = words.iter().skip(at + 1).take_while(|word| !word.starts_with(['+', '-']));
                let command = rest.fold(command.to_owned(), |command, word| command + " " + word);
                if let Ok(asked) = rules.at_console(&command) {
                    line.games.extend(asked.games);
                }
                // `Com_StartupVariable` in Quake III's `common.c`: `+set`, `+seta` and the like take two
                // words
                if let [set, name, value, ..] = words.get(at..).unwrap_or_default()
                    && matches!(*set, "+set" | "+seta" | "+sets" | "+setu")
                    && rules.directories.settings.iter().any(|setting| setting.is_called(name))
                {
                    line.settings.push(((*name).to_owned(), (*value).to_owned()));
                }
                continue;
            }
            let Some(option) = word.strip_prefix('-') else { continue };
            // `COM_CheckParm` looks at every word, also at the value of another option
            if flags.contains(&option) {
                line.missions.push(option.to_owned());
            }
            let values = match option {
                "basedir" => &mut line.bases,
                "basegame" => &mut line.base_games,
                _ if rules.directories.game_option.first().is_some_and(|own| own == word) => &mut line.games,
                _ => continue,
            };
            values.extend(words.get(at + 1).map(|value| (*value).to_owned()));
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;

    fn read(engine: Engine, line: &str) -> String {
        let CommandLine { bases, base_games, missions, games, settings, .. } =
            CommandLine::read(engine.rules(), line.split_whitespace());
        let settings = settings.iter().map(|(name, value)| format!(" | {name}={value}"));
        let settings: String = settings.collect();
        [bases, base_games, missions, games].map(|words| words.join(" ")).join(" | ") + &settings
    }

    #[test]
    fn each_engine_reads_its_own_options() {
        let quakespasm = |line| read(Engine::QuakeSpasm, line);
        assert_eq!(
            quakespasm("-basedir /q -game a -game b -hipnotic -rogue"),
            "/q |  | hipnotic rogue | a b"
        );
        assert_eq!(quakespasm("-basedir a -basedir b -basegame c"), "a b | c |  | ");
        assert_eq!(quakespasm("-nosound -GAME a -hd +map start -game"), " |  |  | ");
        assert_eq!(quakespasm("-game -rogue"), " |  | rogue | -rogue");
        assert_eq!(quakespasm("+game a -hipnotic +map b"), " |  | hipnotic | a");
        assert_eq!(read(Engine::YQuake2, "+set game xatrix +map a"), " |  |  | xatrix");
        assert_eq!(read(Engine::EricwTools, "-path a -game b -path c map.bsp"), " |  |  | a c");
        assert_eq!(read(Engine::WinQuake, "-quoth -game a"), " |  |  | a");
        let line = "+set sv_pure 0 +set FS_GAME mod +seta fs_steampath /s +map q3dm1 +set fs_game";
        assert_eq!(read(Engine::IoQuake3, line), " |  |  |  | FS_GAME=mod | fs_steampath=/s");
        assert_eq!(read(Engine::WinQuake, "+set fs_game mod"), " |  |  | ");
    }
}
