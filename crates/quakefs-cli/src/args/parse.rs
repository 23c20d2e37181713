//! Parses a command line. An option may precede the name of the command that takes it.

use std::ffi::{OsStr, OsString};

use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command, Error, FromArgMatches as _, Subcommand as _};
use quakefs::Engine;
use quakefs::rules::{Setting, spelling};

use super::{CommandLine, NAME, Printing, declare_root, wrong};
use crate::console::Message;

/// Declares the options that may precede the name of a command.
fn root() -> Command {
    let root = declare_root(Command::new(NAME).bin_name(NAME)).args_override_self(true);
    root.subcommand_required(true).arg_required_else_help(true)
}

/// Declares all commands.
fn declared() -> Command {
    Printing::declare(super::Command::augment_subcommands(root()))
}

/// Declares only the command that the words name, which takes a third of the time; `None` if they name none.
fn declared_for(words: &[OsString]) -> Option<Command> {
    let (root, mut rest) = (root(), words.get(1..)?);
    let name = next_name(&root, &mut rest, &mut Vec::new())?;
    Some(Printing::declare(root.subcommand(super::Command::one(name)?)))
}

/// All commands with their full names, for completions and manual pages.
pub(crate) fn built() -> Command {
    let mut command = declared();
    command.build();
    command
}

/// Why a command line is not carried out.
#[derive(Debug)]
pub(crate) enum Other {
    /// It asks for help or for the version, which is this text.
    Help(StyledStr),
    /// Wrong use.
    Wrong(Message),
}

/// Parses the words of a command line, the program's name first.
pub(crate) fn parse(words: &[OsString]) -> Result<CommandLine, Other> {
    let (words, ignored) = as_for_an_engine(words);
    if let Some(mut declared) = declared_for(&words)
        && let (Ok(line), _) = parse_as(&mut declared, &words)
    {
        return Ok(CommandLine { ignored, ..line });
    }
    // help and errors name other commands too
    let mut declared = declared();
    let (parsed, path) = parse_as(&mut declared, &words);
    parsed.map(|line| CommandLine { ignored, ..line }).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Other::Help(error.render()),
        _ => {
            let message = wrong::message(&error, &declared, &path, &words);
            let base = words.iter().skip_while(|word| *word != "--basedir").nth(1);
            let help = base.and_then(|word| kept_quote(word.to_str()?));
            Other::Wrong(Message { help: help.or(message.help), ..message })
        }
    })
}

/// Help for a folder with a quote: Windows takes `\"` for one that belongs to the word, and for no end of it.
/// Other quotes were quoted themselves.
pub(crate) fn kept_quote(folder: &str) -> Option<String> {
    let (before, _) = folder.split_once('"')?;
    if before.is_empty() {
        let inner = Some(folder.trim_matches('"')).filter(|inner| !inner.is_empty())?;
        return Some(format!("leave out the quotes around {inner}"));
    }
    Some(format!("a \\ stands before the closing quote of {before}: leave it out"))
}

/// Parses the words of a command line by these commands, and returns the name of the one that they name.
fn parse_as(declared: &mut Command, words: &[OsString]) -> (Result<CommandLine, Error>, Vec<String>) {
    let (words, path) = with_options_last(declared, words);
    let parsed = declared.try_get_matches_from_mut(words).and_then(|mut found| {
        let mut leaf = &found;
        while let Some((_, below)) = leaf.subcommand() {
            leaf = below;
        }
        let printing = Printing::of(leaf)?;
        let command = super::Command::from_arg_matches_mut(&mut found)?;
        Ok(CommandLine { printing, command, ignored: Vec::new() })
    });
    (parsed, path)
}

/// Parses an unfinished command line: the named command, and its arguments so far.
pub(crate) fn parse_unfinished(words: &[OsString]) -> Option<(Command, ArgMatches)> {
    let mut command = declared();
    let (words, _) = with_options_last(&command, words);
    let mut found = command.clone().ignore_errors(true).try_get_matches_from(words).ok()?;
    while let Some((name, below)) = found.remove_subcommand() {
        command = command.find_subcommand(name)?.clone();
        found = below;
    }
    Some((command, found))
}

/// Moves options from before the name of a command to behind it, and returns the name, which is empty if the
/// words name no command.
fn with_options_last(declared: &Command, words: &[OsString]) -> (Vec<OsString>, Vec<String>) {
    try_with_options_last(declared, words).unwrap_or_else(|| (words.to_owned(), Vec::new()))
}

fn try_with_options_last(declared: &Command, words: &[OsString]) -> Option<(Vec<OsString>, Vec<String>)> {
    let (program, mut rest) = words.split_first()?;
    let (mut command, mut path, mut options) = (declared, Vec::new(), Vec::new());
    while command.has_subcommands() {
        command = command.find_subcommand(next_name(declared, &mut rest, &mut options)?)?;
        path.push(command.get_name().to_owned());
    }
    let names = path.iter().map(OsString::from);
    let words = std::iter::once(program.clone()).chain(names).chain(options).chain(rest.iter().cloned());
    Some((words.collect(), path))
}

/// The next word that is no option; those before it are added to `options`. `None` if an option is unknown.
fn next_name<'w>(
    declared: &Command,
    rest: &mut &'w [OsString],
    options: &mut Vec<OsString>,
) -> Option<&'w OsString> {
    loop {
        let word = next(rest)?;
        if word.len() < 2 || !word.as_encoded_bytes().starts_with(b"-") {
            return Some(word);
        }
        options.push(word.clone());
        if takes_next_word(declared, word)? {
            options.push(next(rest)?.clone());
        }
    }
}

/// The words of a command line with what an engine's command line has: `-game`, `+set` and `+map` are
/// `--game`, `--set` and a level. `/?` asks for help, as on Windows. Also what changes no search path, and is
/// left out: commands and settings of a server.
pub(super) fn as_for_an_engine(words: &[OsString]) -> (Vec<OsString>, Vec<String>) {
    const COMMANDS: &[&str] = &["+exec", "+connect", "+skill", "+deathmatch", "+maxplayers"];
    const FLAGS: &[&str] = &["-basedir", "-basegame", "-game", "-hipnotic", "-quoth", "-rogue", "-version"];
    let (mut all, mut ignored) = (Vec::new(), Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let level = || words.as_slice().first()?.to_str();
        match (word.to_str(), level()) {
            (Some("--"), _) => {
                all.push(word.clone());
                break;
            }
            (Some("+map"), Some(level)) => {
                all.push(format!("maps/{}.bsp", level.strip_suffix(".bsp").unwrap_or(level)).into());
                words.next();
            }
            (Some("+set"), Some(name)) if words.len() > 1 && !is_setting(name) => {
                ignored.push(format!("+set {name}"));
                words.next();
                words.next();
            }
            (Some(command), Some(value)) if COMMANDS.contains(&command) => {
                ignored.push(format!("{command} {value}"));
                words.next();
            }
            (Some("+set"), Some(name)) if words.len() > 1 => {
                let mut setting = OsString::from(format!("--set={name}="));
                words.next();
                words.next().into_iter().for_each(|value| setting.push(value));
                all.push(setting);
            }
            (Some("/?" | "-?" | "/h" | "/help"), _) => all.push("-h".into()),
            (Some(flag), _) if FLAGS.contains(&flag) => all.push(format!("-{flag}").into()),
            _ => all.push(word.clone()),
        }
    }
    all.extend(words.cloned());
    (all, ignored)
}

/// Whether a setting may be one that changes the search path of an engine, also mistyped.
fn is_setting(name: &str) -> bool {
    let rules = Engine::ALL.iter().map(|engine| engine.rules());
    let known = rules.flat_map(|rules| rules.directories.settings.iter().map(Setting::name));
    name.starts_with("fs_") || spelling::nearest(name, known).is_some()
}

fn next<'w>(words: &mut &'w [OsString]) -> Option<&'w OsString> {
    let (first, rest) = words.split_first()?;
    *words = rest;
    Some(first)
}

/// Whether the value of an option is the next word. `None` if the option is unknown.
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
    // letters may be joined; the text after a letter that takes a value is the value
    let mut letters = word.strip_prefix(b"-")?.iter();
    while let Some(letter) = letters.next() {
        if takes_value(&|arg| arg.get_short() == Some(char::from(*letter)))? {
            return Some(letters.len() == 0);
        }
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::super::{asks_about_a_game, is_of_game};
    use super::*;

    /// The words of a name, such as `quakefs pak list`.
    fn named(name: &str) -> Vec<String> {
        std::iter::once(NAME).chain(name.split(' ')).map(str::to_owned).collect()
    }

    fn read(words: &[String]) -> Result<String, Other> {
        let words: Vec<_> = words.iter().map(OsString::from).collect();
        parse(&words).map(|line| format!("{line:?}"))
    }

    /// The help that a command line asks for.
    fn help(words: &[String]) -> String {
        match read(words) {
            Err(Other::Help(text)) => text.to_string(),
            other => panic!("{words:?}: {other:?}"),
        }
    }

    fn commands() -> Vec<(String, Command)> {
        let declared = declared();
        wrong::leaves(&declared).into_iter().map(|(name, command)| (name, command.clone())).collect()
    }

    /// The options that may precede the name of a command.
    fn options() -> Vec<Arg> {
        declared().get_arguments().cloned().collect()
    }

    fn takes(command: &Command, option: &Arg) -> bool {
        command.get_arguments().any(|arg| arg.get_id() == option.get_id())
    }

    /// A value that an argument takes.
    fn value_of(arg: &Arg) -> String {
        // the first one may be the default
        let values = arg.get_possible_values();
        let any = if arg.get_id() == "set" { "x=y" } else { "x" };
        values.last().map_or(any, |value| value.get_name()).to_owned()
    }

    fn spelled(option: &Arg) -> Vec<String> {
        let name = format!("--{}", option.get_long().unwrap());
        let value = option.get_action().takes_values().then(|| value_of(option));
        std::iter::once(name).chain(value).collect()
    }

    /// The arguments that a command needs.
    fn required(command: &Command) -> Vec<String> {
        let needed = |arg: &&Arg| {
            arg.is_required_set() || ["words", "files", "paths"].contains(&arg.get_id().as_str())
        };
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
                let Err(Other::Wrong(message)) = read(&words) else { panic!("{words:?}") };
                let name = name.join(" ");
                assert_eq!(message.text, format!("--{} is no option of {name}", option.get_long().unwrap()));
                // of an option that many commands take, how this one is used
                let tips = if is_of_game(option) && !asks_about_a_game(&command) {
                    let sets = format!("`{NAME} config ");
                    vec![format!("it is an option of the game, and {name} asks about none"), sets]
                } else {
                    vec!["it is an option of: ".to_owned(), format!("quakefs {name} ")]
                };
                let help = message.help.as_deref().unwrap_or_default();
                assert!(tips.iter().any(|tip| help.starts_with(tip)), "{message:?}");
            }
        }
    }

    #[test]
    fn the_help_of_a_command_lists_exactly_its_options() {
        for (name, command) in commands() {
            let text = help(&[&named(&name)[..], &["--help".to_owned()]].concat());
            let mut listed: Vec<_> =
                text.lines().filter_map(|line| line.trim_start().split_once("--")).collect();
            listed.retain(|(short, _)| short.is_empty() || short.starts_with('-'));
            let listed = listed.iter().map(|(_, option)| option.split(' ').next().unwrap());
            let taken = command.get_arguments().filter(|option| !option.is_hide_set());
            let taken = taken.filter_map(Arg::get_long).chain(["help"]);
            let (mut listed, mut taken): (Vec<_>, Vec<_>) = (listed.collect(), taken.collect());
            // a line of a text may begin with an option too
            listed.sort_unstable();
            listed.dedup();
            taken.sort_unstable();
            assert_eq!(listed, taken, "{name}");

            let mut asked = named(&name);
            asked.insert(asked.len() - 1, "help".to_owned());
            assert_eq!(help(&asked), text);
            let mut asked = named(&name);
            asked.insert(1, "help".to_owned());
            assert_eq!(help(&asked), text);
        }
    }

    #[test]
    fn a_command_that_is_declared_alone_is_declared_as_among_the_others() {
        for command in declared().get_subcommands() {
            let alone = declared_for(&[NAME, command.get_name()].map(OsString::from)).unwrap();
            // not their places among the others
            let text = |command: &Command| format!("{:?}", command.clone().display_order(0));
            let same = text(alone.find_subcommand(command.get_name()).unwrap()) == text(command);
            assert!(same, "{}", command.get_name());
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
    fn options_before_the_name_move_behind_it() {
        let moved = |line: &str| {
            let words: Vec<_> = line.split(' ').map(OsString::from).collect();
            let (words, _) = try_with_options_last(&declared(), &words)?;
            Some(words.join(OsStr::new(" ")).into_string().unwrap())
        };
        let some = |line: &str| Some(line.to_owned());
        assert_eq!(moved("quakefs --game which which -a x"), some("quakefs which --game which -a x"));
        assert_eq!(moved("quakefs --game=ad --json -q which x"), some("quakefs which --game=ad --json -q x"));
        assert_eq!(moved("quakefs --json pak -q l --names x"), some("quakefs pak list --json -q --names x"));
        assert_eq!(moved("quakefs --json cat -- --game"), some("quakefs cat --json -- --game"));
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
