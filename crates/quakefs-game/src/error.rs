//! Why a game is not opened, or a question not answered.

use std::fmt;

use quakefs::content::ContentType;
use quakefs::rules::SubstituteKind;
use quakefs::sentences::{Help, Shell, listed, with_causes};
use quakefs::{Engine, Rules};

/// Why a game is not opened, or a question not answered. `Display` prints the sentence.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// Of the library below.
    Quake(quakefs::Error),
    /// No such game is installed.
    NotInstalled {
        /// The name, such as `steam:quake`.
        name: String,
        /// The names of the installed games.
        installed: Vec<String>,
    },
    /// The current folder is in no game, and others are installed.
    NoGameHere {
        /// Why.
        error: quakefs::Error,
        /// The names of the installed games, such as `steam:quake`.
        installed: Vec<String>,
    },
    /// Several installed games have the name.
    SeveralInstalled {
        /// The name.
        name: String,
        /// Their base directories.
        paths: Vec<String>,
    },
    /// A download is laid over the base directory, but there is none.
    OverWithoutBase,
    /// The engines of a comparison play different games.
    OtherGames {
        /// An engine with its base game directories.
        one: (String, String),
        /// An engine of another game.
        other: (String, String),
    },
    /// It is not known what the engine loads instead of such things.
    NoSubstitutes {
        /// The engine.
        engine: String,
        /// The kind of thing.
        kind: SubstituteKind,
    },
    /// A level is asked for that no layer has, or a file that is no level.
    NotALevel {
        /// The name.
        name: String,
        /// What the file is; `None` if no layer has it.
        content: Option<ContentType>,
        /// Why it is missing, and what to do.
        missing: Option<(String, Option<String>)>,
    },
    /// The unused files are not known.
    NotUsed {
        /// Why.
        reason: String,
        /// The advice.
        help: Option<String>,
    },
    /// Nothing of a download is written, or undone.
    NotPlaced {
        /// The download.
        file: String,
        /// Why, a word that stays the same in all versions: `nothing`, `no-game`, `guess`, `differs`; for an
        /// undo by name also `not-placed` and `several`.
        because: &'static str,
        /// The same as a sentence.
        reason: String,
        /// The advice.
        help: Option<String>,
    },
}

impl Error {
    /// There is no game that a download could go into, or was placed in.
    pub(crate) fn no_game(file: String, reason: &str, shell: Option<&dyn Shell>) -> Error {
        let help = match shell {
            Some(_) => "name the folder of the game with --basedir",
            None => "name the folder of the game",
        };
        let (reason, help) = (reason.to_owned(), Some(help.to_owned()));
        Error::NotPlaced { file, because: "no-game", reason, help }
    }
}

impl From<quakefs::Error> for Error {
    fn from(error: quakefs::Error) -> Self {
        Error::Quake(error)
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Quake(error) | Error::NoGameHere { error, .. } => f.write_str(&with_causes(error)),
            Error::NotInstalled { name, .. } => write!(f, "{name}: no such game is installed"),
            Error::SeveralInstalled { name, paths } => {
                write!(f, "{name}: {} installs have this name", paths.len())
            }
            Error::OverWithoutBase => f.write_str("a download over the game needs a base directory"),
            Error::OtherGames { one: (one, base), other: (other, of_other) } => {
                write!(
                    f,
                    "{one} and {other} are for different games: {one} looks in {base}; {other} in {of_other}"
                )
            }
            Error::NoSubstitutes { engine, kind } => {
                write!(f, "quakefs does not know what {engine} loads instead of {}", thing(*kind))
            }
            Error::NotALevel { missing: Some((reason, _)), .. } => f.write_str(reason),
            Error::NotALevel { name, content, .. } => {
                let what = match content {
                    Some(ContentType::Map) => "the source of a level, which no engine loads".to_owned(),
                    Some(content) => format!("not a level: {}", a_file_of(*content)),
                    None => "not a level".to_owned(),
                };
                write!(f, "{name}: {what}")
            }
            Error::NotUsed { reason, .. } => write!(f, "the unused files are unknown: {reason}"),
            Error::NotPlaced { file, reason, .. } => write!(f, "{file}: {reason}"),
        }
    }
}

impl Help for Error {
    fn help(&self, shell: Option<&dyn Shell>) -> Option<String> {
        Some(match self {
            Error::Quake(error) => return error.help(shell),
            Error::NoGameHere { installed, .. } => {
                let games = listed(installed, "or");
                match shell {
                    Some(_) => format!(
                        "name the folder of the game, or {games}, with --basedir, or once for all with \
                            `quakefs config basedir NAME`"
                    ),
                    None => format!("name the folder of the game, or {games}"),
                }
            }
            Error::NotInstalled { installed, .. } if installed.is_empty() => {
                "no installed game was found: name the folder of the game".to_owned()
            }
            Error::NotInstalled { installed, .. } => match shell {
                Some(_) => format!(
                    "name one of {}; `quakefs games` lists them with their folders",
                    installed.join(", ")
                ),
                None => format!("name one of {}", installed.join(", ")),
            },
            Error::SeveralInstalled { paths, .. } => format!("name the folder: {}", paths.join(" or ")),
            Error::OverWithoutBase => match shell {
                Some(_) => "name the base directory with --basedir".to_owned(),
                None => "name the base directory".to_owned(),
            },
            Error::OtherGames { .. } => match shell {
                Some(_) => "name engines of one game, or add --force".to_owned(),
                None => "name engines of one game".to_owned(),
            },
            Error::NotUsed { help, .. }
            | Error::NotPlaced { help, .. }
            | Error::NotALevel { missing: Some((_, help)), .. } => return help.clone(),
            Error::NotALevel { content: Some(ContentType::Map), .. } => {
                "compile it, for example with ericw-tools, and name the .bsp".to_owned()
            }
            Error::NotALevel { content: Some(ContentType::Program), .. } => match shell {
                Some(shell) => {
                    format!("`{}` lists what the levels need that it runs", shell.command("needs", None))
                }
                None => "name a level: its program is run for it".to_owned(),
            },
            Error::NotALevel { .. } => "name a level, such as maps/start.bsp".to_owned(),
            Error::NoSubstitutes { kind, .. } => other_engine(*kind, shell),
        })
    }
}

/// The advice to choose an engine whose substitutes of a kind are known.
pub(crate) fn other_engine(kind: SubstituteKind, shell: Option<&dyn Shell>) -> String {
    let has_row = |rules: &Rules| {
        let mut rows = rules.substitutes.items().iter();
        rows.any(|row| row.of == kind && !row.names.is_empty())
    };
    match (shell, Engine::with(has_row).next()) {
        (Some(_), Some(other)) => format!("choose another engine with --engine, such as {other}"),
        _ => "choose another engine".to_owned(),
    }
}

/// A file of a content type, in words.
fn a_file_of(content: ContentType) -> String {
    match content {
        ContentType::TextureArchive => "a WAD of textures".to_owned(),
        ContentType::Other => "a file of an unknown kind".to_owned(),
        ContentType::Archive => "an archive".to_owned(),
        content => format!("a {content}"),
    }
}

/// A kind of thing that files replace.
fn thing(kind: SubstituteKind) -> &'static str {
    match kind {
        SubstituteKind::Texture => "a texture",
        SubstituteKind::Sky => "a sky",
        SubstituteKind::Music => "a track of music",
        SubstituteKind::Model => "a model",
        SubstituteKind::Skin => "a skin",
        SubstituteKind::Image => "an image of a shader",
        SubstituteKind::Sound => "a sound",
    }
}
