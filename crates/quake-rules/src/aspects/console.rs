//! Changing the game at the console of a running engine.

use std::fmt;

use super::command_line::CommandLine;
use super::names::PLACEHOLDER;
use crate::documented::documented;
use crate::fault::Faults;
use crate::{List, Rules, Text};

documented! {
    /// The console command that changes the game. The new search path is the same as for a command line with
    /// these games.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct GameCommand {
        /// The words of the command before the games: `game`, `set game`.
        pub command: Text,
        /// The most games in one command. None: no limit. If it is 1, the first word is the game, even if it
        /// begins with a dash.
        pub most_games with "crate::forms::or_none": Option<u32>,
        /// The mission flags that the command takes after a game other than the base game, such as
        /// `hipnotic`. `{}`: any name, also alone.
        pub missions: List<Text>,
        /// Whether the mission flags of the command line stay in effect.
        pub keeps_missions: bool,
        /// Whether the command refuses a game that has no directory.
        pub must_exist: bool,
    }
}

/// Why the engine refuses a line of the console.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConsoleRefusal {
    /// No command of this engine is known to change the game.
    UnknownCommand,
    /// The line is another command.
    OtherCommand {
        /// The command that changes the game.
        command: Text,
    },
    /// No game is named.
    NoGame,
    /// More games than the command takes.
    TooManyGames {
        /// The limit.
        most: u32,
    },
    /// The command takes no such flag.
    Flag {
        /// The flag.
        flag: String,
    },
    /// The command takes no flag with the base game.
    BaseGame {
        /// The base game.
        game: String,
    },
}

impl fmt::Display for ConsoleRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConsoleRefusal::UnknownCommand => {
                f.write_str("no command of this engine is known to change the game")
            }
            ConsoleRefusal::OtherCommand { command } => {
                write!(f, "the command that changes the game is \"{command}\"")
            }
            ConsoleRefusal::NoGame => f.write_str("no game is named"),
            ConsoleRefusal::TooManyGames { most: 1 } => f.write_str("the command takes one game"),
            ConsoleRefusal::TooManyGames { most } => write!(f, "the command takes {most} games at most"),
            ConsoleRefusal::Flag { flag } => write!(f, "the command does not take {flag}"),
            ConsoleRefusal::BaseGame { game } => {
                write!(f, "the command takes no mission pack with {game}")
            }
        }
    }
}

impl std::error::Error for ConsoleRefusal {}

impl Rules {
    /// Parses a line of the console.
    ///
    /// ```
    /// use quake_rules::Engine;
    /// let read = |line| Engine::QuakeSpasm.rules().at_console(line);
    /// let asked = read("game ad -hipnotic").unwrap();
    /// assert_eq!((asked.games, asked.missions), (vec!["ad".to_owned()], vec!["hipnotic".to_owned()]));
    /// assert_eq!(read("game -rogue").unwrap().games, ["-rogue"]);
    /// assert_eq!(read("game a b").unwrap_err().to_string(), "the command takes one game");
    /// let error = read("game id1 -rogue").unwrap_err();
    /// assert_eq!(error.to_string(), "the command takes no mission pack with id1");
    /// ```
    ///
    /// # Errors
    /// Returns the reason why the engine refuses the line.
    pub fn at_console(&self, line: &str) -> Result<CommandLine, ConsoleRefusal> {
        let command = self.console.known().and_then(Option::as_ref).ok_or(ConsoleRefusal::UnknownCommand)?;
        command.read(line, &self.directories.base)
    }
}

impl GameCommand {
    fn read(&self, line: &str, base: &[Text]) -> Result<CommandLine, ConsoleRefusal> {
        let mut words = line.split_whitespace();
        let is_command = self
            .command
            .split_whitespace()
            .all(|word| words.next().is_some_and(|given| given.eq_ignore_ascii_case(word)));
        if !is_command {
            return Err(ConsoleRefusal::OtherCommand { command: self.command.clone() });
        }
        let takes_any = self.missions.iter().any(|flag| flag == PLACEHOLDER);
        let mut asked = CommandLine::default();
        for (index, word) in words.enumerate() {
            let word = word.trim_matches('"');
            let is_game = index == 0 && self.most_games == Some(1);
            match word.strip_prefix('-').filter(|_| !is_game) {
                Some(flag) if takes_any || self.missions.iter().any(|known| known == flag) => {
                    asked.missions.push(flag.to_owned());
                }
                Some(_) => return Err(ConsoleRefusal::Flag { flag: word.to_owned() }),
                None => asked.games.push(word.to_owned()),
            }
        }
        if asked.games.is_empty() && asked.missions.is_empty() {
            return Err(ConsoleRefusal::NoGame);
        }
        let is_base = |game: &&String| base.iter().any(|base| base.eq_ignore_ascii_case(game));
        if let Some(game) =
            asked.games.iter().find(is_base).filter(|_| !takes_any && !asked.missions.is_empty())
        {
            return Err(ConsoleRefusal::BaseGame { game: game.clone() });
        }
        match self.most_games {
            Some(most) if asked.games.len() > most as usize => Err(ConsoleRefusal::TooManyGames { most }),
            _ => Ok(asked),
        }
    }

    pub(crate) fn validate(&self, faults: &mut Faults) {
        if self.command.trim().is_empty() {
            faults.empty("console.command");
        }
        if self.most_games == Some(0) && self.missions.is_empty() {
            faults.no_effect("console", "the command takes neither games nor missions");
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Engine;
    use crate::fault::tests::check;

    fn read(engine: Engine, line: &str) -> String {
        match engine.rules().at_console(line) {
            Ok(asked) => format!("{} | {}", asked.missions.join(" "), asked.games.join(" ")),
            Err(refusal) => format!("refused: {refusal}"),
        }
    }

    #[test]
    fn each_engine_reads_its_own_command() {
        for engine in [Engine::Ironwail, Engine::VkQuake, Engine::Qss] {
            assert_eq!(read(engine, "game a b -rogue"), "rogue | a b", "{engine}");
        }
        assert_eq!(read(Engine::QuakeSpasm, "GAME \"a\""), " | a");
        assert_eq!(read(Engine::QuakeSpasm, "game a -quoth"), "quoth | a");
        assert_eq!(read(Engine::QuakeSpasm, "game -quoth"), " | -quoth");
        assert_eq!(read(Engine::QuakeSpasm, "game a -QUOTH"), "refused: the command does not take -QUOTH");
        assert_eq!(
            read(Engine::QuakeSpasm, "game ID1 -quoth"),
            "refused: the command takes no mission pack with ID1"
        );
        assert_eq!(read(Engine::Ironwail, "game id1 -other"), "other | id1");
        assert_eq!(read(Engine::DarkPlaces, "gamedir a b"), " | a b");
        assert_eq!(read(Engine::DarkPlaces, "gamedir -rogue a"), "refused: the command does not take -rogue");
        assert_eq!(read(Engine::Mvdsv, "gamedir a b"), "refused: the command takes one game");
        assert_eq!(read(Engine::YQuake2, "set game x"), " | x");
        assert_eq!(
            read(Engine::YQuake2, "game x"),
            "refused: the command that changes the game is \"set game\""
        );
        assert_eq!(read(Engine::Fte, "gamedir"), "refused: no game is named");
        assert_eq!(read(Engine::Fte, ""), "refused: the command that changes the game is \"gamedir\"");
    }

    #[test]
    fn a_command_without_words_is_a_fault() {
        check(
            |rules| {
                let mut command = Engine::Fte.rules().console.known().unwrap().clone().unwrap();
                (command.command, command.most_games) = (" ".into(), Some(0));
                rules.console = crate::Fact::Known(Some(command));
            },
            &[
                "console.command: the list is empty",
                "console: no effect, because the command takes neither games nor missions",
            ],
        );
    }
}
