//! The options of an engine's command line that choose the game.

use crate::{Launch, PLACEHOLDER, Rules};

/// The base directories, games and missions that a command line names.
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
}

impl CommandLine {
    /// Reads the words after the program's name, as `COM_InitFilesystem` in Quake's `common.c` does: `-basedir`, `-game`, `-basegame`, the
    /// engine's mission flags, and its [console command](Rules::console) after a `+`, such as `+set game xatrix`. It ignores all other
    /// words, and an option at the end without a value. [`Rules::directories`] decide which of the games and base directories count.
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
        let flags: Vec<&str> = missions.chain(&*rules.directories.suffixes).map(|flag| &**flag).collect();
        let mut line = CommandLine::default();
        for (at, word) in words.iter().enumerate() {
            if let Some(command) = word.strip_prefix('+') {
                // `Cmd_StuffCmds_f` in Quake's `cmd.c`: a command ends at the next word with a plus or a dash
                let rest = words.iter().skip(at + 1).take_while(|word| !word.starts_with(['+', '-']));
                let command = rest.fold(command.to_owned(), |command, word| command + " " + word);
                if let Some(Ok(asked)) = rules.console.as_ref().map(|console| console.read(&command)) {
                    line.games.extend(asked.games);
                }
                continue;
            }
            let Some(option) = word.strip_prefix('-') else { continue };
            // `COM_CheckParm` looks at every word, also at the value of another option
            if flags.contains(&option) && option != PLACEHOLDER {
                line.missions.push(option.to_owned());
            }
            let values = match option {
                "basedir" => &mut line.bases,
                "basegame" => &mut line.base_games,
                "game" => &mut line.games,
                _ => continue,
            };
            values.extend(words.get(at + 1).map(|value| (*value).to_owned()));
        }
        line
    }

    /// The games and flags, for [`Directories::plan`](crate::Directories::plan).
    #[must_use]
    pub fn launch(&self) -> Launch<'_> {
        Launch { base_games: &self.base_games, missions: &self.missions, games: &self.games }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;

    fn read(engine: Engine, line: &str) -> String {
        let CommandLine { bases, base_games, missions, games } =
            CommandLine::read(engine.rules(), line.split_whitespace());
        [bases, base_games, missions, games].map(|words| words.join(" ")).join(" | ")
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
        assert_eq!(read(Engine::WinQuake, "-quoth -game a"), " |  |  | a");
    }
}
