//! What to do about a finding or a missing name.

use std::path::is_separator;

use pak_format::Layout;
use pak_format::name::with_slashes;

use crate::content::ContentType;
use crate::location::Location;
use crate::rules::{Host, Text};
use crate::shell::{Shell, listed, one_of};

/// What to do about a finding or a missing name, as data that a program can carry out.
///
/// A location has the names of layers: relative to the base directory, with `/` at the end of a folder.
/// [`Advice::sentence`] puts it into words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advice {
    /// Give files, archives or folders new names. An archive or a folder stays where it is; a loose file or
    /// an entry gets a whole name, with folders.
    Rename(Vec<(Location, String)>),
    /// Move the contents of a folder, or a loose file, to another folder; or unpack an archive or an entry
    /// there, and remove the archive.
    Move {
        /// The folder, the archive, the loose file or the entry.
        what: Location,
        /// The folder.
        to: String,
    },
    /// Pack an archive again.
    Pack {
        /// The archive.
        archive: String,
        /// A folder in it whose files are packed without that folder; empty for none.
        from: String,
        /// Another layout of the PACK family.
        layout: Option<Layout>,
    },
    /// Add something: a file to a folder or an archive, or a line to a text.
    Add {
        /// The name of the file, or the line; empty for any file.
        what: String,
        /// The content of the file, if it is known.
        content: Option<Text>,
        /// The folder, the archive or the text.
        to: Location,
    },
    /// Remove one of these.
    Remove(Vec<Location>),
    /// Replace something by a whole copy, or add it.
    Get {
        /// The file, the archive, the entry, or the folder of the game's archives.
        what: Location,
        /// What it has to be, such as `the registered version`.
        of: Option<Text>,
    },
    /// Choose another value of an option.
    Choose {
        /// The option, such as `--game`, or a flag.
        option: Text,
        /// The value; `None` to leave the option out, or for any larger number.
        value: Option<String>,
    },
    /// Ask for one of these names instead.
    Ask {
        /// The names.
        names: Vec<String>,
        /// Whether it is only likely that one of them was meant.
        is_guess: bool,
        /// The option and its value that choose the game which has it.
        game: Option<(&'static str, String)>,
    },
    /// Run a command of quakefs.
    Run {
        /// The command.
        command: &'static str,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// What only a person can do.
    Tell(Text),
}

impl Advice {
    /// A stable word for the kind, for programs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Advice::Rename(_) => "rename",
            Advice::Move { .. } => "move",
            Advice::Pack { .. } => "pack",
            Advice::Add { .. } => "add",
            Advice::Remove(_) => "remove",
            Advice::Get { .. } => "get",
            Advice::Choose { .. } => "choose",
            Advice::Ask { .. } => "ask",
            Advice::Run { .. } => "run",
            Advice::Tell(_) => "tell",
        }
    }

    /// The advice in words. In advice about something, "it" is that thing.
    #[must_use]
    pub fn sentence(&self, about: Option<&Location>, shell: Option<&dyn Shell>) -> String {
        let name = |what: &Location| named(what, about);
        match self {
            Advice::Rename(names) => {
                // among others, "it" is not clear
                let is_one = names.len() == 1;
                let name = |what: &Location| if is_one { name(what) } else { named_beside(what, about) };
                let renames = names.iter().map(|(what, to)| format!("{} to {to}", name(what)));
                format!("rename {}", few(&renames.collect::<Vec<_>>()))
            }
            Advice::Move { what: Location::Folder(folder), to } => {
                format!("move the contents of {folder} to {to}")
            }
            Advice::Move { what: what @ Location::File { .. }, to } => format!("move {} to {to}", name(what)),
            Advice::Move { what, to } => format!("unpack {} into {to}", name(what)),
            Advice::Pack { layout: Some(layout), .. } => format!("repack it in the {layout} layout"),
            Advice::Pack { from, .. } if from.is_empty() => "repack it".to_owned(),
            Advice::Pack { from, .. } => format!("pack the contents of {from} without that folder"),
            Advice::Add { what, to, .. } if what.is_empty() => format!("put a file into {}", name(to)),
            Advice::Add { what, content: None, to } => format!("add {what} to {}", name(to)),
            Advice::Add { what, content: Some(text), .. } => {
                format!("add a {what} with the line: {}", text.trim_end())
            }
            Advice::Remove(of) => match &of[..] {
                [only] => format!("remove {}", name(only)),
                _ => "remove the copy that you do not want".to_owned(),
            },
            Advice::Get { what, of } => get(what, of.as_deref(), about),
            Advice::Choose { option, value } => match (value, shell) {
                (Some(engine), _) if option == "--engine" => {
                    format!("choose an engine that loads it, such as {engine}")
                }
                (Some(value), Some(shell)) => format!("did you mean {}?", shell.quoted(&[option, value])),
                (Some(value), None) => format!("did you mean {value}?"),
                (None, Some(_)) if option == MORE => format!("allow more with {MORE}"),
                (None, None) if option == MORE => "allow more bytes".to_owned(),
                (None, _) if option == GAME => "check its spelling and case, or leave it out".to_owned(),
                (None, _) => "leave it out, or choose another engine".to_owned(),
            },
            Advice::Ask { names, is_guess: true, .. } => {
                format!("did you mean {}?", one_of(names))
            }
            Advice::Ask { names, game, .. } => ask(names, game.as_ref(), shell),
            Advice::Run { command: "ls", arguments } => list(arguments, shell),
            Advice::Run { command, arguments } => {
                let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                match shell {
                    Some(shell) => {
                        let line = format!("{} {}", shell.command(command, None), shell.quoted(&arguments));
                        format!("run `{}`", line.trim_end())
                    }
                    None => format!("run quakefs {command} {}", arguments.join(" ")).trim_end().to_owned(),
                }
            }
            Advice::Tell(text) => text.clone().into_owned(),
        }
    }

    /// Give one thing a new name.
    pub(crate) fn rename(what: &Location, to: impl Into<String>) -> Self {
        Advice::Rename(vec![(what.clone(), to.into())])
    }

    /// Give it a name of at most so many bytes that every engine finds on every system.
    pub(crate) fn clean(what: &Location, most: usize) -> Self {
        let own = own_name(what);
        Advice::rename(what, clean_name(what.name().map_or(own.as_bytes(), |name| name.as_bytes()), most))
    }

    /// Give it a name that no engine takes for an archive or a file of the game.
    pub(crate) fn aside(what: &Location) -> Self {
        Advice::rename(what, format!("{}.old", own_name(what)))
    }

    /// Give it its name in lower case.
    pub(crate) fn lower_case(what: &Location) -> Self {
        Advice::rename(what, own_name(what).to_ascii_lowercase())
    }

    pub(crate) fn ask(name: impl Into<String>) -> Self {
        Advice::Ask { names: vec![name.into()], is_guess: false, game: None }
    }

    /// Give it a clean name that is not its own one in another spelling.
    pub(crate) fn distinct(what: &Location) -> Self {
        Advice::rename(what, with_underscore(plain_name(own_name(what).as_bytes(), usize::MAX)))
    }

    /// Give it another name that engines load in the same place.
    pub(crate) fn with_suffix(what: &Location) -> Self {
        let own = own_name(what);
        let (stem, extension) = own.rsplit_once('.').unwrap_or((&own, ""));
        Advice::rename(what, format!("{stem}-2.{extension}"))
    }

    /// Unpack it into the folder that has the archive.
    pub(crate) fn unpack(what: &Location) -> Self {
        Advice::Move { what: what.clone(), to: beside(what, "").layer_name().to_owned() }
    }

    /// Pack an archive again, without a folder in it.
    pub(crate) fn pack(archive: &Location, from: impl Into<String>) -> Self {
        let archive = archive.layer_name().to_owned();
        Advice::Pack { archive, from: from.into(), layout: None }
    }

    /// Pack an archive again in another layout.
    pub(crate) fn in_layout(archive: &Location, layout: &Layout) -> Self {
        let archive = archive.layer_name().to_owned();
        Advice::Pack { archive, from: String::new(), layout: Some(*layout) }
    }

    /// Put any file into an archive.
    pub(crate) fn fill(to: Location) -> Self {
        Advice::Add { what: String::new(), content: None, to }
    }

    /// Add the archives of an edition to a folder.
    pub(crate) fn archives(folder: &str, of: impl Into<Text>) -> Self {
        Advice::Get { what: Location::layer(folder), of: Some(of.into()) }
    }

    pub(crate) fn get(what: Location) -> Self {
        Advice::Get { what, of: None }
    }

    /// Get another copy of the archive of an entry.
    pub(crate) fn get_archive(of: &Location) -> Self {
        Advice::get(Location::layer(of.layer_name()))
    }

    /// The same name of a game without the separators that made the engine refuse it, if that is all.
    pub(crate) fn plain_game(what: &Location) -> Self {
        let own = typed_game(what);
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        if own.bytes().any(|byte| byte.is_ascii_alphanumeric()) && own.bytes().all(is_plain) {
            return Advice::Choose { option: GAME.into(), value: Some(own) };
        }
        Advice::other_game(what)
    }

    /// The part of a name that can be a game's, or none.
    pub(crate) fn other_game(what: &Location) -> Self {
        let own = typed_game(what);
        let value = Some(own).filter(|own| {
            own.bytes().any(|byte| byte.is_ascii_alphanumeric())
                && what.layer_name().trim_end_matches('/') != own
        });
        Advice::Choose { option: GAME.into(), value }
    }
}

/// The option for the most bytes that are decoded.
pub(crate) const MORE: &str = "--max-output";

/// The option that names a game.
pub(crate) const GAME: &str = "--game";

/// Advice in the words of a table of sentences. With `raw`, values stay the names in braces.
macro_rules! advise {
    ($mode:ident $at:ident; rename $to:literal) => {
        $crate::findings::Advice::rename($at, $crate::advice::value!($mode $to))
    };
    ($mode:ident $at:ident; rename $from:literal => $to:literal) => {
        $crate::findings::Advice::rename(
            &Location::layer($crate::advice::value!($mode $from)),
            $crate::advice::value!($mode $to),
        )
    };
    ($mode:ident $at:ident; move $to:literal) => {
        $crate::findings::Advice::Move { what: $at.clone(), to: $crate::advice::value!($mode $to) }
    };
    ($mode:ident $at:ident; move $from:literal => $to:literal) => {
        $crate::findings::Advice::Move {
            what: Location::layer($crate::advice::value!($mode $from)),
            to: $crate::advice::value!($mode $to),
        }
    };
    ($mode:ident $at:ident; pack $from:literal) => {
        $crate::findings::Advice::pack($at, $crate::advice::value!($mode $from))
    };
    ($mode:ident $at:ident; fill) => { $crate::findings::Advice::fill($at.clone()) };
    ($mode:ident $at:ident; fill $name:literal) => {
        $crate::findings::Advice::fill($crate::advice::beside($at, &$crate::advice::value!($mode $name)))
    };
    ($mode:ident $at:ident; remove) => { $crate::findings::Advice::Remove(vec![$at.clone()]) };
    ($mode:ident $at:ident; get) => { $crate::findings::Advice::get($at.clone()) };
    (raw $at:ident; get file) => { $crate::findings::Advice::get(Location::file("", "file".into())) };
    (format $at:ident; get file) => { $crate::findings::Advice::get($at.clone()) };
    ($mode:ident $at:ident; get beside $name:literal) => {
        $crate::findings::Advice::get($crate::advice::beside($at, &$crate::advice::value!($mode $name)))
    };
    ($mode:ident $at:ident; get archive) => { $crate::findings::Advice::get_archive($at) };
    (raw $at:ident; archives of $of:literal) => {
        $crate::findings::Advice::archives("{folder}/", $of)
    };
    (format $at:ident; archives of $of:literal) => {
        $crate::findings::Advice::archives($at.layer_name(), $of)
    };
    ($mode:ident $at:ident; leave) => {
        $crate::findings::Advice::Choose { option: $at.layer_name().to_owned().into(), value: None }
    };
    ($mode:ident $at:ident; leave $option:literal) => {
        $crate::findings::Advice::Choose { option: $option.into(), value: None }
    };
    ($mode:ident $at:ident; choose $option:literal => $value:literal) => {
        $crate::findings::Advice::Choose {
            option: $option.into(),
            value: Some($crate::advice::value!($mode $value)),
        }
    };
    ($mode:ident $at:ident; tell $text:literal) => {
        $crate::findings::Advice::Tell($crate::advice::value!($mode $text).into())
    };
    // of a function, an example
    (raw $at:ident; $function:path $(, $value:ident)* => $($example:tt)+) => {
        $crate::advice::advise!(raw $at; $($example)+)
    };
    (format $at:ident; $function:path $(, $value:ident)* => $($example:tt)+) => {
        $function($at $(, $value)*)
    };
}

macro_rules! value {
    (raw $text:literal) => {
        $text.to_owned()
    };
    (format $text:literal) => {
        format!($text)
    };
}

pub(crate) use {advise, value};

/// The name that a rename changes: the whole name of a file or an entry, or the last part of a layer's.
pub(crate) fn own_name(what: &Location) -> String {
    if let Some(name) = what.name() {
        return name.to_string();
    }
    // a layer may be a path of the system
    let name = what.layer_name().trim_end_matches('/');
    name.rsplit(is_separator).next().unwrap_or_default().to_owned()
}

/// The last part of a game's name as somebody wrote it, on any system as in a shell of Windows: `.\mymod\`.
fn typed_game(what: &Location) -> String {
    let name = what.layer_name().trim_end_matches(['/', '\\']);
    name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()
}

/// Another name in the folder of a layer.
pub(crate) fn beside(at: &Location, name: &str) -> Location {
    let folder = at.layer_name().rsplit_once(is_separator).map_or("", |(folder, _)| folder);
    Location::layer(if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") })
}

fn named(what: &Location, about: Option<&Location>) -> String {
    if about == Some(what) { "it".to_owned() } else { named_beside(what, about) }
}

fn named_beside(what: &Location, about: Option<&Location>) -> String {
    match (about, what) {
        (Some(Location::Entry { archive: of, .. }), Location::Archive(name)) if of == name => {
            "the archive".to_owned()
        }
        (_, Location::Entry { name, .. }) => name.to_string(),
        // beside the thing that the advice is about
        (Some(Location::Archive(of)), Location::Archive(name)) => {
            let folder = of.rsplit_once('/').map_or("", |(folder, _)| folder);
            let beside = name.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
            beside.filter(|rest| !rest.contains('/')).unwrap_or(name).to_owned()
        }
        _ => what.to_string(),
    }
}

fn get(what: &Location, of: Option<&str>, about: Option<&Location>) -> String {
    match (what, of) {
        (Location::Folder(folder), of) => {
            format!("add the archives of {} to {folder}", of.unwrap_or("the game"))
        }
        (_, Some(of)) => format!("get {of}"),
        (Location::Archive(_), None) => format!("download {} again", named(what, about)),
        (_, None) => "get another copy of the file, or make it again".to_owned(),
    }
}

fn ask(names: &[String], game: Option<&(&'static str, String)>, shell: Option<&dyn Shell>) -> String {
    let name = one_of(names);
    match (game, shell) {
        (Some((option, value)), Some(shell)) => {
            let which = shell.command(shell.asking(&name), Some((option, value)));
            format!("`{which} {}` looks there", shell.quoted(&[&name]))
        }
        (Some((GAME, game)), None) => format!("start the engine with the game {game}"),
        (Some((_, flag)), None) => format!("start the engine with -{flag}"),
        (None, _) => format!("request {name}"),
    }
}

fn list(folder: &[String], shell: Option<&dyn Shell>) -> String {
    match (folder, shell) {
        ([below, ..], Some(shell)) => {
            format!("`{} {}` lists its files", shell.command("ls", None), shell.quoted(&[below]))
        }
        ([below, ..], None) => {
            format!("request a file in it: {}/...", below.trim_end_matches("/**"))
        }
        ([], Some(shell)) => format!("`{}` lists the names", shell.command("ls", None)),
        ([], None) => "look for it in the list of files".to_owned(),
    }
}

/// Steps in words, one after the other; `None` if there are none.
pub(crate) fn in_words(
    steps: &[Advice],
    about: Option<&Location>,
    shell: Option<&dyn Shell>,
) -> Option<String> {
    let words: Vec<_> = steps.iter().map(|step| step.sentence(about, shell)).collect();
    (!words.is_empty()).then(|| words.join("; then "))
}

/// Up to three texts, and of more the first and the last.
fn few(texts: &[String]) -> String {
    match texts {
        [first, _, _, .., last] => format!("{first}, and so on up to {last}"),
        _ => listed(texts, "and"),
    }
}

/// [`plain_name`], or another one if the name is plain already.
fn clean_name(name: &[u8], most: usize) -> String {
    let clean = plain_name(name, most);
    if clean.is_empty() || clean.as_bytes() == name { with_underscore(clean) } else { clean }
}

/// A name that every engine finds on every system: lower case, `/` between the parts, no byte that another
/// system reads differently, and at most so many bytes.
fn plain_name(name: &[u8], most: usize) -> String {
    let slashed = with_slashes(name);
    // people read a text in any case
    let keeps_case = ContentType::of(name) == ContentType::Text;
    let parts = slashed.split(|&byte| byte == b'/').filter(|part| !part.iter().all(|&byte| byte == b'.'));
    let parts = parts.map(|part| {
        let plain = part.iter().map(|&byte| match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_' | b'+' | b'!' | b'#' | b'(' | b')' => byte as char,
            b'A'..=b'Z' if keeps_case => byte as char,
            b'A'..=b'Z' => byte.to_ascii_lowercase() as char,
            _ => '_',
        });
        let plain = plain.collect::<String>();
        let plain = plain.trim_end_matches('.');
        // a device of Windows
        let is_plain = Host::Windows
            .name_on_disk(plain.as_bytes())
            .is_some_and(|read| read.as_bytes() == plain.as_bytes());
        if is_plain { plain.to_owned() } else { format!("_{plain}") }
    });
    let mut clean = parts.collect::<Vec<_>>().join("/");
    if clean.len() > most {
        let extension = clean.rfind('.').filter(|dot| clean.len() - dot < most.min(8));
        let end = extension.map(|dot| clean.split_off(dot)).unwrap_or_default();
        clean.truncate(most - end.len());
        clean.push_str(&end);
    }
    clean
}

/// `maps/a.bsp` is `maps/a_.bsp`.
fn with_underscore(mut name: String) -> String {
    let dot = name.rfind('.').unwrap_or(name.len());
    name.insert(dot, '_');
    name
}
