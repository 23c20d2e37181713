//! The commands by name. A start declares the options of the one command that is asked for: to declare those of all takes
//! longer than a short command runs.

use std::cell::LazyCell;
use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgMatches, Command, Error};

/// A command, or several below one name. `A` is what the arguments are read into.
pub(crate) struct Row<A: 'static> {
    pub(super) name: &'static str,
    /// Other names that mean the same.
    pub(super) aliases: &'static [&'static str],
    /// Declares the arguments and the help.
    pub(super) declare: fn(Command) -> Command,
    pub(super) kind: Kind<A>,
}

pub(super) enum Kind<A: 'static> {
    Command { read: fn(&mut ArgMatches) -> Result<A, Error> },
    Group { rows: &'static [Row<A>] },
}

impl<A> Row<A> {
    fn declared(&self) -> Command {
        let command = (self.declare)(Command::new(self.name)).visible_aliases(self.aliases);
        match &self.kind {
            Kind::Command { .. } => command,
            Kind::Group { rows } => group(command, rows),
        }
    }

    fn is_called(&self, name: &OsStr) -> bool {
        name == self.name || self.aliases.iter().any(|alias| name == *alias)
    }

    /// The commands of the row with the words before their own name, such as `pak list`.
    fn flat(&self) -> Vec<(String, Command)> {
        match &self.kind {
            Kind::Command { .. } => vec![(self.name.to_owned(), self.declared())],
            Kind::Group { rows } => {
                let below = rows.iter().flat_map(Row::flat);
                below.map(|(name, command)| (format!("{} {name}", self.name), command)).collect()
            }
        }
    }
}

/// A command line: the options that may stand before the name of a command, and the commands.
pub(crate) struct CommandLine<A: 'static> {
    /// Declares the options that may stand before the name of a command.
    pub(super) root: fn() -> Command,
    pub(super) rows: &'static [Row<A>],
}

/// The one command that a command line names.
struct Selected<A: 'static> {
    /// Its declaration.
    command: Command,
    read: fn(&mut ArgMatches) -> Result<A, Error>,
    /// The program's name, and the words without the command's.
    words: Vec<OsString>,
}

impl<A> CommandLine<A> {
    /// Reads the words of a command line, the program's name first.
    pub(crate) fn read(&self, words: &[OsString]) -> Result<A, Error> {
        if let Some(Selected { mut command, read, words }) = self.select(words) {
            let found = command.try_get_matches_from_mut(words);
            return found
                .and_then(|mut found| read(&mut found))
                .map_err(|error| self.with_takers(error, &mut command, "is an option of"));
        }
        // no command: an answer about all of them, or wrong use
        if let Err(error) = (self.root)().try_get_matches_from(words)
            && error.kind() == ErrorKind::DisplayVersion
        {
            return Err(error);
        }
        let mut whole = self.whole();
        match whole.try_get_matches_from_mut(words) {
            Err(error) => Err(self.with_takers(error, &mut whole, "stands after the name of its command")),
            Ok(_) => Err(whole.error(ErrorKind::MissingSubcommand, "no command is named")),
        }
    }

    /// The command that is asked for and what is known of its arguments, where the words are not complete yet.
    pub(crate) fn read_unfinished(&self, words: &[OsString]) -> Option<(Command, ArgMatches)> {
        let (command, words) = match self.select(words) {
            Some(selected) => (selected.command, selected.words),
            None => ((self.root)(), words.to_owned()),
        };
        let found = command.clone().ignore_errors(true).try_get_matches_from(words).ok()?;
        Some((command, found))
    }

    /// The command line with all commands, for completions and manual pages.
    pub(crate) fn built(&self) -> Command {
        let mut whole = self.whole();
        // gives each command its name with those above it, and each positional argument its place
        whole.build();
        whole
    }

    fn whole(&self) -> Command {
        // the name without the extension of programs
        group((self.root)().bin_name(NAME), self.rows)
    }

    /// The command that the words name. Options before its name are moved after it. `None` where no command is reached.
    fn select(&self, words: &[OsString]) -> Option<Selected<A>> {
        // most command lines have no options there
        let root = LazyCell::new(self.root);
        let (program, mut rest) = words.split_first()?;
        let mut moved = vec![program.clone()];
        let mut path = vec![NAME];
        let mut rows = self.rows;
        loop {
            let word = next(&mut rest)?;
            if word.len() > 1 && word.as_encoded_bytes().starts_with(b"-") {
                moved.push(word.clone());
                if takes_next_word(&root, word)? {
                    moved.push(next(&mut rest)?.clone());
                }
                continue;
            }
            let row = rows.iter().find(|row| row.is_called(word))?;
            path.push(row.name);
            match &row.kind {
                Kind::Group { rows: below } => rows = below,
                Kind::Command { read } => {
                    moved.extend_from_slice(rest);
                    // a later value counts, so that an alias of a shell may name options that its user names again
                    let command = row.declared().bin_name(path.join(" ")).args_override_self(true);
                    return Some(Selected { command, read: *read, words: moved });
                }
            }
        }
    }

    /// The error with the names of the commands that take an option which the one that was asked for does not.
    fn with_takers(&self, mut error: Error, asked: &mut Command, how: &str) -> Error {
        let option = match (error.kind(), error.get(ContextKind::InvalidArg)) {
            (ErrorKind::UnknownArgument, Some(ContextValue::String(option))) => option.clone(),
            _ => return error,
        };
        let commands = self.rows.iter().flat_map(Row::flat);
        let takers =
            commands.filter(|(_, command)| command.get_arguments().any(|arg| is_spelled(arg, &option)));
        let takers: Vec<_> = takers.map(|(name, _)| name).collect();
        if !takers.is_empty() {
            let tip = format!("'{option}' {how}: {}", takers.join(", "));
            // clap suggests another option that is spelled nearly so, there and in the usage
            error.remove(ContextKind::SuggestedArg);
            error.insert(ContextKind::Usage, ContextValue::StyledStr(asked.render_usage()));
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
        error
    }
}

pub(super) const NAME: &str = "quakefs";

fn group<A>(command: Command, rows: &[Row<A>]) -> Command {
    command.subcommands(rows.iter().map(Row::declared)).subcommand_required(true).arg_required_else_help(true)
}

fn next<'w>(words: &mut &'w [OsString]) -> Option<&'w OsString> {
    let (first, rest) = words.split_first()?;
    *words = rest;
    Some(first)
}

/// Whether the value of an option is the next word. `None` where the option is not declared.
fn takes_next_word(declared: &Command, word: &OsStr) -> Option<bool> {
    let takes_value = |is_meant: &dyn Fn(&Arg) -> bool| {
        let option = declared.get_arguments().find(|arg| is_meant(arg))?;
        Some(option.get_action().takes_values())
    };
    let word = word.as_encoded_bytes();
    if let Some(long) = word.strip_prefix(b"--") {
        let name = long.split(|byte| *byte == b'=').next()?;
        let takes = takes_value(&|arg| arg.get_long().is_some_and(|long| long.as_bytes() == name))?;
        return Some(takes && name.len() == long.len());
    }
    // letters may stand together, and what follows a letter that takes a value is the value
    let mut letters = word.strip_prefix(b"-")?.iter();
    while let Some(letter) = letters.next() {
        if takes_value(&|arg| arg.get_short() == Some(char::from(*letter)))? {
            return Some(letters.len() == 0);
        }
    }
    Some(false)
}

/// Whether an option is spelled so, with its dashes.
fn is_spelled(arg: &Arg, option: &str) -> bool {
    match option.strip_prefix("--") {
        Some(long) => arg.get_long() == Some(long),
        None => arg
            .get_short()
            .is_some_and(|short| option.strip_prefix('-') == Some(short.encode_utf8(&mut [0; 4]))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::COMMAND_LINE;
    use super::*;

    /// The words of a name, such as `pak list`, the program's first.
    fn named(name: &str) -> Vec<String> {
        std::iter::once(NAME).chain(name.split(' ')).map(str::to_owned).collect()
    }

    fn read(words: &[String]) -> Result<String, Error> {
        let words: Vec<_> = words.iter().map(OsString::from).collect();
        COMMAND_LINE.read(&words).map(|asked| format!("{asked:?}"))
    }

    fn commands() -> Vec<(String, Command)> {
        COMMAND_LINE.rows.iter().flat_map(Row::flat).collect()
    }

    /// The options that may stand before the name of a command.
    fn options() -> Vec<Arg> {
        (COMMAND_LINE.root)().get_arguments().cloned().collect()
    }

    fn takes(command: &Command, option: &Arg) -> bool {
        command.get_arguments().any(|arg| arg.get_id() == option.get_id())
    }

    /// A value that an argument takes.
    fn value_of(arg: &Arg) -> String {
        // the first one may be the default
        let values = arg.get_possible_values();
        values.last().map_or("x", |value| value.get_name()).to_owned()
    }

    fn spelled(option: &Arg) -> Vec<String> {
        let name = format!("--{}", option.get_long().unwrap());
        let value = option.get_action().takes_values().then(|| value_of(option));
        std::iter::once(name).chain(value).collect()
    }

    /// The arguments that a command does not do without.
    fn required(command: &Command) -> Vec<String> {
        let needed = |arg: &&Arg| arg.is_required_set() || arg.get_id() == "words";
        let words = command.get_arguments().filter(needed).flat_map(|arg| {
            let count = arg.get_num_args().map_or(1, |count| count.min_values().max(1));
            if arg.is_positional() { vec![value_of(arg); count] } else { spelled(arg) }
        });
        words.collect()
    }

    #[test]
    fn an_option_means_the_same_before_and_after_the_name_of_a_command() {
        for (name, command) in commands() {
            let (name, rest) = (named(&name), required(&command));
            for option in options().iter().filter(|option| takes(&command, option)) {
                let after = read(&[&name[..], &spelled(option), &rest].concat()).unwrap();
                assert_ne!(after, read(&[&name[..], &rest].concat()).unwrap());
                for place in 1..name.len() {
                    let (front, back) = name.split_at(place);
                    let words = [front, &spelled(option), back, &rest].concat();
                    assert_eq!(read(&words).unwrap(), after, "{words:?}");
                }
            }
        }
    }

    #[test]
    fn a_command_refuses_the_options_that_it_does_not_take() {
        for (name, command) in commands() {
            for option in options().iter().filter(|option| !takes(&command, option)) {
                let rest = required(&command);
                let (program, name) =
                    named(&name).split_first().map(|(a, b)| (a.clone(), b.to_vec())).unwrap();
                let words = [&[program][..], &spelled(option), &name, &rest].concat();
                let error = read(&words).unwrap_err();
                assert_eq!((error.kind(), error.exit_code()), (ErrorKind::UnknownArgument, 2), "{words:?}");
                let text = error.to_string();
                assert!(text.contains(&format!("Usage: quakefs {} ", name.join(" "))), "{text}");
                assert!(
                    text.contains(&format!("'--{}' is an option of: ", option.get_long().unwrap())),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn the_help_of_a_command_lists_the_options_that_it_takes_and_no_others() {
        for (name, command) in commands() {
            let help = read(&[&named(&name)[..], &["--help".to_owned()]].concat()).unwrap_err();
            assert_eq!(help.kind(), ErrorKind::DisplayHelp);
            let help = help.to_string();
            let mut listed: Vec<_> =
                help.lines().filter_map(|line| line.trim_start().split_once("--")).collect();
            listed.retain(|(short, _)| short.is_empty() || short.starts_with('-'));
            let listed = listed.iter().map(|(_, option)| option.split(' ').next().unwrap());
            let taken = command.get_arguments().filter_map(Arg::get_long).chain(["help"]);
            let (mut listed, mut taken): (Vec<_>, Vec<_>) = (listed.collect(), taken.collect());
            // a line of a text may begin with an option too
            listed.sort_unstable();
            listed.dedup();
            taken.sort_unstable();
            assert_eq!(listed, taken, "{name}");

            let mut asked = named(&name);
            asked.insert(asked.len() - 1, "help".to_owned());
            assert_eq!(read(&asked).unwrap_err().to_string(), help);
            let mut asked = named(&name);
            asked.insert(1, "help".to_owned());
            assert_eq!(read(&asked).unwrap_err().to_string(), help);
        }
    }

    #[test]
    fn each_option_before_the_name_takes_one_value_at_most() {
        for option in options() {
            assert!(option.get_num_args().is_none_or(|count| count.max_values() <= 1), "{option}");
            assert!(!option.is_positional());
        }
    }

    #[test]
    fn words_before_the_name_are_told_apart() {
        let moved = |line: &str| {
            let words: Vec<_> = line.split(' ').map(OsString::from).collect();
            let selected = COMMAND_LINE.select(&words)?;
            Some(selected.words.join(OsStr::new(" ")).into_string().unwrap())
        };
        let some = |line: &str| Some(line.to_owned());
        assert_eq!(moved("quakefs --game which which -a x"), some("quakefs --game which -a x"));
        assert_eq!(moved("quakefs --game=ad --json -q which x"), some("quakefs --game=ad --json -q x"));
        assert_eq!(moved("quakefs --json pak -q list --names x"), some("quakefs --json -q --names x"));
        assert_eq!(moved("quakefs --json cat -- --game"), some("quakefs --json -- --game"));
        for line in [
            "quakefs",
            "quakefs --game",
            "quakefs --game ad",
            "quakefs pak",
            "quakefs -h which",
            "quakefs -qh which",
            "quakefs --all which x",
            "quakefs -- which x",
            "quakefs - which",
            "quakefs --gam ad which x",
        ] {
            assert_eq!(moved(line), None, "{line}");
        }
    }
}
