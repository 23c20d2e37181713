//! What is wrong with a command line, in our words.

use std::error::Error as _;
use std::ffi::OsString;

use camino::Utf8Path;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use quakefs::Engine;
use quakefs::content::ContentType;
use quakefs::rules::{ArchiveKind, spelling};
use quakefs::sentences::listed;

use super::{NAME, asks_about_a_game, is_of_game};
use crate::console::Message;
use crate::text::command_line;

/// The error of a command line. `path` is the name of its command, if it names one.
pub(super) fn message(error: &Error, declared: &Command, path: &[String], words: &[OsString]) -> Message {
    let in_usage = path_in_usage(error);
    let path = if path.is_empty() { &in_usage } else { path };
    let mut command = declared;
    for name in path {
        command = command.find_subcommand(name).unwrap_or(command);
    }
    let name = if path.is_empty() { NAME.to_owned() } else { path.join(" ") };
    let full = [&[NAME.to_owned()], path].concat().join(" ");
    let argument = |kind| of(error, kind).iter().map(|text| plain_argument(text)).collect::<Vec<_>>();
    let arg = listed(&argument(ContextKind::InvalidArg), "and");
    let value = of(error, ContextKind::InvalidValue).concat();
    let (text, help) = match error.kind() {
        ErrorKind::MissingRequiredArgument if !arg.is_empty() => {
            let last = path.last().map_or("", |name| name);
            let mut own =
                words.iter().skip_while(|word| *word != last).skip(1).filter_map(|word| word.to_str());
            let help = own.find(|word| !word.starts_with('-')).and_then(|word| lacking(&name, word));
            (format!("{name} needs {arg}"), help)
        }
        ErrorKind::MissingSubcommand => {
            (format!("{name} needs the name of a command"), Some(format!("`{full} -h` lists the commands")))
        }
        ErrorKind::InvalidSubcommand => {
            let word = of(error, ContextKind::InvalidSubcommand).concat();
            let names = command.get_subcommands().map(Command::get_name).chain(["help"]);
            let near = || Some(format!("did you mean `{full} {}`?", similar(&word, names)?));
            let all = || format!("`{full}` lists the commands");
            let help = meant(&word, declared, path).or_else(near).unwrap_or_else(all);
            (format!("'{word}' is no command of {name}"), Some(help))
        }
        ErrorKind::UnknownArgument if !arg.starts_with('-') => {
            (format!("'{arg}' is one word too many for {name}"), too_many(&arg, &name, command))
        }
        ErrorKind::UnknownArgument => {
            // what another command has was not mistyped
            let is_ours = leaves(declared).iter().any(|(_, command)| has(command, &arg));
            let long = arg.strip_prefix("--").filter(|_| !is_ours);
            let names = command.get_arguments().filter_map(Arg::get_long);
            let near = || Some(format!("did you mean --{}?", similar(long?, names)?));
            let help = habit(&name, &arg, command).or_else(|| takers(&arg, declared, command, path));
            (format!("{arg} is no option of {name}"), help.or_else(near))
        }
        ErrorKind::InvalidValue if value.is_empty() => (format!("{arg} needs a value"), expected(error)),
        ErrorKind::InvalidValue => {
            let compares = name == "compare" && Utf8Path::new(&value).exists();
            let archives = || format!("`{NAME} pak diff` compares archives and folders");
            let help = if compares { Some(archives()) } else { expected(error) };
            (format!("'{value}' is no value of {arg}"), help)
        }
        ErrorKind::ValueValidation => {
            let reason = |error: &(dyn std::error::Error + 'static)| match error.downcast_ref() {
                Some(std::num::ParseIntError { .. }) => "expected a whole number".to_owned(),
                None => within(&error.to_string()),
            };
            (format!("'{value}' is no value of {arg}"), error.source().map(reason))
        }
        ErrorKind::ArgumentConflict => {
            let prior = argument(ContextKind::PriorArg);
            if prior.iter().all(|prior| *prior == arg) {
                (format!("{arg} is there more than once"), None)
            } else {
                let prior = listed(&prior, "and");
                (format!("{arg} excludes {prior}"), Some("leave one of them out".to_owned()))
            }
        }
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            let wanted = of(error, ContextKind::MinValues).concat()
                + &of(error, ContextKind::ExpectedNumValues).concat();
            (format!("{name} needs {wanted} or more of {arg}"), None)
        }
        _ => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            (first.trim_start_matches("error: ").to_owned(), None)
        }
    };
    Message::new(text, help.unwrap_or_else(|| usage(command, &full)))
}

/// `99 is not in 0..=9` as an expectation.
fn within(reason: &str) -> String {
    match reason.split_once(" is not in ").and_then(|(_, range)| range.split_once("..=")) {
        Some((least, most)) => format!("expected a number from {least} to {most}"),
        None => reason.to_owned(),
    }
}

/// The name of the command in the usage of an error, such as `pak`.
fn path_in_usage(error: &Error) -> Vec<String> {
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else { return Vec::new() };
    let usage = usage.to_string();
    let words = usage.split_whitespace().skip_while(|word| *word != NAME).skip(1);
    let is_name = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    words.take_while(is_name).map(str::to_owned).collect()
}

/// What a command line of this command looks like.
fn usage(command: &Command, full: &str) -> String {
    let usage = command.clone().render_usage().to_string();
    format!("{}; `{full} -h` explains it", plain(&usage).replacen("Usage: ", "", 1))
}

/// What an error says of one of its parts.
fn of(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![plain(text)],
        Some(ContextValue::Strings(texts)) => texts.iter().map(|text| plain(text)).collect(),
        Some(ContextValue::StyledStrs(texts)) => texts.iter().map(ToString::to_string).collect(),
        Some(ContextValue::Number(number)) => vec![number.to_string()],
        _ => Vec::new(),
    }
}

/// A word without the brackets that clap puts around what stands for a value.
fn plain(text: &str) -> String {
    text.replace(['<', '>'], "")
}

/// An argument as the usage names it, without brackets. Clap names one that takes two values or more twice.
fn plain_argument(text: &str) -> String {
    let text = plain(text);
    let inner = text.strip_prefix('[').map_or(text.clone(), |inner| inner.replacen(']', "", 1));
    match inner.split_once(' ') {
        Some((first, rest)) if rest.strip_suffix("...") == Some(first) => rest.to_owned(),
        _ => inner,
    }
}

/// The values that an option takes, or what was probably meant.
fn expected(error: &Error) -> Option<String> {
    let tips = of(error, ContextKind::Suggested);
    let values = of(error, ContextKind::ValidValue);
    match values.len() {
        _ if !tips.is_empty() => Some(tips.concat()),
        0 => None,
        1..=12 => Some(format!("expected {}", values.join(", "))),
        // only the list of engines is that long
        _ => Some(format!("`{NAME} engines` lists all engines")),
    }
}

/// The name that was probably meant: the only one that begins with the word, or else the most similar one.
/// Names of one or two letters are similar to none.
fn similar<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let names: Vec<_> = names.filter(|name| name.len() > 2).collect();
    let mut begun = names.iter().filter(|name| word.len() > 1 && name.starts_with(word));
    match (begun.next(), begun.next()) {
        (Some(name), None) => Some(name),
        _ => spelling::nearest(word, names.into_iter().filter(|name| !is_another(word, name))),
    }
}

/// Whether two similar names are surely not one mistyped: they begin with different letters, or have three
/// letters and different ones. Count is not mount, map is not man, and pka is pak.
pub(super) fn is_another(word: &str, name: &str) -> bool {
    let sorted = |name: &str| {
        let mut letters = name.to_ascii_lowercase().into_bytes();
        letters.sort_unstable();
        letters
    };
    let first = |name: &str| name.bytes().next().map(|first| first.to_ascii_lowercase());
    first(word) != first(name) || (word.len() == 3 && name.len() == 3 && sorted(word) != sorted(name))
}

/// What a word that is no command of `path` was meant for.
fn meant(word: &str, declared: &Command, path: &[String]) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    let is_of_pak = || declared.find_subcommand("pak")?.find_subcommand(&lower);
    let other = match path {
        [] if declared.find_subcommand(&lower).is_some() => None,
        [] => of_games(&lower).or_else(|| of_archives(&lower)),
        _ => of_archives(&lower).or_else(|| of_games(&lower)),
    };
    if let Some(other) = other {
        return Some(format!("here the word for it is `{NAME} {other}`"));
    }
    let is_zip =
        ArchiveKind::of(word) == Some(ArchiveKind::Zip) && word.to_ascii_lowercase().ends_with(".zip");
    let quoted = command_line([word]);
    Some(if is_zip {
        let lists = format!("`{NAME} pak list {quoted}` lists them");
        format!("`{NAME} place {quoted}` tells where the files of a download go, {lists}")
    } else if ContentType::of(word.as_bytes()) == ContentType::Archive {
        format!("`{NAME} pak list {quoted}` lists the files of an archive")
    } else if Utf8Path::new(word).is_file() {
        let lists = format!("`{NAME} pak list {quoted}` lists its textures");
        let goes = format!("`{NAME} place {quoted}` tells where it goes");
        match ContentType::of(word.as_bytes()) {
            ContentType::Level => format!("{goes}, and what it lacks, {lists}"),
            ContentType::TextureArchive => format!("{goes}, {lists}"),
            _ => goes,
        }
    } else if let Some((base, game)) = mod_folder(word) {
        let line = command_line([NAME, "--basedir", &base, "--game", &game, "path"]);
        format!("`{line}` shows what an engine loads of this mod")
    } else if Utf8Path::new(word).is_dir() {
        let lists = format!("`{NAME} pak list {quoted}` lists its archives");
        if !has_base(Utf8Path::new(word)) {
            return Some(format!("`{NAME} place {quoted}` tells where its files go, {lists}"));
        }
        format!("`{NAME} --basedir {quoted} path` shows what an engine loads of a game, {lists}")
    } else if word == "find" {
        format!("`{NAME} which` and `{NAME} ls` find files of the game, `{NAME} pak find` searches archives")
    } else if word.starts_with("maps/") {
        lists_missing(word)
    } else if ["start", "launch", "run", "play"].contains(&word) {
        format!("no command starts an engine: `{NAME} check` tells whether the game would start")
    } else if declared.find_subcommand(&lower).is_some() && (path.is_empty() || is_of_pak().is_none()) {
        format!("did you mean `{NAME} {lower}`?")
    } else {
        is_of_pak()?;
        format!("it is a command of pak: `{NAME} pak {lower}`")
    })
}

fn lists_missing(level: &str) -> String {
    format!("`{NAME} needs {}` lists the missing files of the level", command_line([level]))
}

/// Whether a folder contains the directory of an engine's base game.
fn has_base(folder: &Utf8Path) -> bool {
    let mut base = Engine::ALL.iter().flat_map(|engine| engine.rules().directories.base.iter());
    base.any(|base| &**base != "." && folder.join(&**base).is_dir())
}

/// The base directory and the name of a mod, if a word is its folder.
fn mod_folder(word: &str) -> Option<(String, String)> {
    let folder = Utf8Path::new(word);
    let base = folder.parent().filter(|base| folder.is_dir() && !has_base(folder) && has_base(base))?;
    let base = if base.as_str().is_empty() { "." } else { base.as_str() };
    Some((base.to_owned(), folder.file_name()?.to_owned()))
}

/// Advice for a folder that is to become an archive.
pub(crate) fn archives_folder(folder: &str) -> String {
    let archive = format!("{}.pak", folder.trim_end_matches(['/', '\\']));
    format!("`{}` archives the folder", command_line([NAME, "pak", "create", &archive, "-C", folder, "."]))
}

/// What a command that lacks its output or its files was meant for, by its first word.
fn lacking(name: &str, word: &str) -> Option<String> {
    let path = Utf8Path::new(word);
    let stem = path.file_stem().unwrap_or(word);
    let line = |words: &[&str]| command_line([NAME].iter().chain(words).copied());
    match name {
        "pack" | "pak create" if path.is_dir() => Some(archives_folder(word)),
        "pack" => {
            Some(format!("`{}` names the archive", line(&["pack", word, "-o", &format!("{stem}.pak")])))
        }
        "extract" if ContentType::of(word.as_bytes()) == ContentType::Archive => {
            let line = line(&["pak", "extract", word, "-o", stem]);
            Some(format!("`{line}` extracts an archive, `{NAME} extract` files of the game"))
        }
        _ => None,
    }
}

/// What an option that people bring from other tools is called here, or why there is none.
fn habit(name: &str, option: &str, command: &Command) -> Option<String> {
    let is_grep = name.ends_with("grep");
    let text = match option {
        "-r" | "-R" | "--recursive" | "-n" | "--line-number" | "-H" | "--with-filename" | "-E" | "-e"
        | "-P" | "--extended-regexp" | "--regexp" | "--perl-regexp"
            if is_grep =>
        {
            "leave out -r, -n, -H, -E, -P and -e: it searches all files, prints their names and the numbers \
                of lines, and takes a regular expression, such as 'A|B'"
        }
        "-c" | "--count" | "-o" | "--only-matching" | "-v" | "--invert-match" | "-w" | "--word-regexp"
        | "-x" | "--line-regexp" | "-A" | "-B" | "-C" | "--context" | "-g" | "--glob" | "--include"
        | "--exclude"
            if is_grep =>
        {
            "of the options of grep it takes -i, -l and -F; \\bWORD\\b finds a whole word, and where to \
                search goes after the pattern"
        }
        "--missing" if name == "needs" => "only missing files are listed anyway: leave it out",
        "--colour" => "here it is --color",
        "--mod" | "--gamedir" => "here it is --game",
        "-e" if has(command, "--engine") => "here it is --engine",
        "--os" | "--system" | "--platform" | "--windows" => "here it is --on, such as --on windows",
        "-n" | "--name" if name == "pak find" => {
            "the name or pattern comes first, then where to search: quakefs pak find '**/*.bsp' ."
        }
        "-o" | "--output" if name == "pak create" => "the archive comes first, then its files",
        "-a" | "-A" | "-1" | "-R" | "-t" | "-S" if name == "ls" || name == "pak list" => {
            "all names are listed, one in a line: leave it out; -l adds sizes"
        }
        "-n" if has(command, "--dry-run") => "here it is --dry-run",
        "-r" | "-R" if has(command, "--all") || name.starts_with("pak") => {
            "folders are taken whole: leave it out"
        }
        "-y" | "-f" | "--force" if has(command, "--overwrite") => "--overwrite replaces files",
        "-C" | "--to" | "--directory" if name.ends_with("extract") => "-o DIR names the folder",
        "--to" if name == "place" => "--basedir DIR names the folder of the game, --as NAME that of the mod",
        "--dry-run" | "-n" if has(command, "--write") => "nothing is written without --write",
        _ => {
            let format = command.get_arguments().find(|arg| arg.get_long() == Some("format"))?;
            let values = format.get_possible_values();
            let value = values.iter().find(|value| option.strip_prefix("--") == Some(value.get_name()))?;
            return Some(format!("here it is --format {}", value.get_name()));
        }
    };
    Some(text.to_owned())
}

/// The command of `pak` for a word of other tools: of 7-Zip, unzip, tar, pakextract, pakka and shells.
fn of_archives(word: &str) -> Option<&'static str> {
    Some(match word {
        "l" | "ls" | "dir" | "tree" => "pak list",
        "x" | "e" | "unpack" | "pakextract" | "decompress" => "pak extract",
        "unzip" => "pak extract`, and for -l `quakefs pak list",
        "t" | "test" | "check" | "validate" => "pak verify",
        "d" | "delete" | "rm" | "del" => "pak remove",
        "a" | "append" | "update" | "u" => "pak add",
        "c" | "pack" | "new" | "zip" => "pak create",
        "compress" | "recompress" | "optimize" => "pak repack",
        "dedup" | "dupes" => "pak duplicates",
        "compare" | "cmp" => "pak diff",
        "i" | "count" => "pak info",
        "p" | "show" | "print" | "type" => "pak cat",
        "fd" | "locate" => "pak find",
        "search" => "pak find` for names, or `quakefs pak grep",
        "rg" | "strings" | "findstr" | "entities" | "ents" => "pak grep",
        "tar" | "7z" => "pak create`, `quakefs pak extract` or `quakefs pak list",
        "mv" | "move" | "ren" => "pak rename",
        "md5" | "md5sum" => "pak catalog --hash md5 PATH`, and for a game `quakefs needs --archives",
        "crc" | "crc32" => "pak catalog --hash crc32 PATH`, and for a game `quakefs needs --archives",
        "h" | "hash" | "checksum" | "checksums" | "sum" | "sums" | "sha256" | "sha256sum" => {
            "pak catalog --hash sha256 PATH`, and for a game `quakefs needs --archives"
        }
        _ => return None,
    })
}

/// The command for a word of other tools, of package managers and of servers, if it is about games.
fn of_games(word: &str) -> Option<&'static str> {
    Some(match word {
        "dir" => "ls` for a game, or `quakefs pak list",
        "list" => "ls` for a game, `quakefs mods` for its mods, or `quakefs pak list",
        "fd" | "tree" => "ls",
        "map" | "maps" | "levels" => "ls maps",
        "show" | "print" | "type" => "cat` for a game, or `quakefs pak cat",
        "rg" | "search" | "strings" | "findstr" => "grep",
        "entities" | "ents" => "grep . maps/NAME.bsp",
        "where" | "why" | "locate" => "which",
        "conflict" | "conflicts" | "override" | "overrides" | "overridden" => "shadows",
        "missing" | "deps" | "dependencies" | "uses" | "requires" => "needs",
        "pure" | "sv_pure" | "allow" | "whitelist" | "clients" | "server" => "needs --archives",
        "res" | "fastdl" => "pack LEVEL --list -o DIR/",
        "copy" | "cp" => "extract",
        "release" | "package" => "pack LEVEL -o FILE",
        "undo" | "uninstall" => "place --undo JOURNAL",
        "install" => "place --write",
        "companion" | "companions" => "which --as companion LEVEL",
        "version" => "--version",
        _ => return None,
    })
}

/// What a word was meant for that a command has no place for: a level, a folder, an archive.
fn too_many(word: &str, name: &str, command: &Command) -> Option<String> {
    let quoted = command_line([word]);
    let content = ContentType::of(word.as_bytes());
    if !asks_about_a_game(command) {
        let is_new = !Utf8Path::new(word).exists();
        let new = || format!("-o {quoted} names the new archive");
        let tip = || if is_new { new() } else { "it takes one archive at a time".to_owned() };
        return (has(command, "-o") && content == ContentType::Archive).then(tip);
    }
    if content == ContentType::Level {
        return Some(lists_missing(word));
    }
    if let Some(other) = of_archives(name).filter(|_| content == ContentType::Archive) {
        return Some(format!("for an archive it is `{NAME} {other} {quoted}`"));
    }
    let quoted = command_line([word.trim_end_matches(['/', '\\'])]);
    let base = format!("`{NAME} --basedir {quoted} {name}` asks about the game in this folder");
    let is_folder = Utf8Path::new(word).is_dir();
    is_folder.then(|| format!("{base}, `{NAME} --game {quoted} {name}` about the mod of this name"))
}

/// The few commands that take an option, which this command of this name does not take. A letter means
/// something else in each command.
fn takers(option: &str, declared: &Command, command: &Command, path: &[String]) -> Option<String> {
    let is_of_the_game = declared.get_arguments().any(|arg| is_of_game(arg) && is_spelled(arg, option));
    if path == ["config"] && matches!(option, "--basedir" | "--engine") {
        return Some(format!(
            "`{NAME} config {} VALUE` sets it once for all",
            option.trim_start_matches('-')
        ));
    }
    if is_of_the_game && !path.is_empty() && !asks_about_a_game(command) {
        return Some(format!("it is an option of the game, and {} asks about none", path.join(" ")));
    }
    let all = leaves(declared).into_iter().filter(|(_, command)| has(command, option));
    let names: Vec<_> = all.map(|(name, _)| name).collect();
    let (how, most) = match path {
        [] => ("goes after the name of its command", usize::MAX),
        _ if option.starts_with("--") => ("is an option of", 4),
        _ => return None,
    };
    (1..=most).contains(&names.len()).then(|| format!("it {how}: {}", names.join(", ")))
}

/// The commands without subcommands, by full name, such as `pak list`.
pub(super) fn leaves(command: &Command) -> Vec<(String, &Command)> {
    let below = command.get_subcommands().filter(|below| below.get_name() != "help");
    let leaves = below.flat_map(|below| {
        let name = below.get_name();
        if below.has_subcommands() {
            leaves(below).into_iter().map(|(leaf, command)| (format!("{name} {leaf}"), command)).collect()
        } else {
            vec![(name.to_owned(), below)]
        }
    });
    leaves.collect()
}

pub(super) fn has(command: &Command, option: &str) -> bool {
    command.get_arguments().any(|arg| is_spelled(arg, option))
}

/// Whether an argument has this spelling, with dashes.
fn is_spelled(arg: &Arg, option: &str) -> bool {
    match option.strip_prefix("--") {
        Some(long) => arg.get_long() == Some(long),
        None => arg
            .get_short()
            .is_some_and(|short| option.strip_prefix('-') == Some(short.encode_utf8(&mut [0; 4]))),
    }
}
