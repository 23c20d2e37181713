//! Why no file of a download goes anywhere, and what to do.

use std::fmt;

use quakefs::Engine;
use quakefs::content::ContentType;
use quakefs::sentences::{Help, Shell};

use super::signs::is_text;

/// Why no file of a download goes anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Nothing {
    /// It has no files.
    Empty,
    /// It has only texts.
    Texts,
    /// It has models, skins, sounds or pictures without a folder.
    Loose,
    /// It has tracks of music, such as `track02.ogg`.
    Music,
    /// It has only settings for the console.
    Config,
    /// It has a WAD of textures.
    Textures,
    /// It has the source of a level.
    Source,
    /// Nothing tells a place for its files.
    Unknown,
    /// It is an archive of a kind that quakefs does not open, such as `a 7-Zip archive`.
    Packed(&'static str),
    /// It is an engine.
    Engine(Engine),
    /// It is a program, perhaps an installer.
    Program,
    /// It is a web page.
    WebPage,
    /// A browser has not finished it.
    Unfinished,
    /// It is for another game, such as `Doom 3`.
    OtherGame(&'static str),
    /// It has files that are compressed or encrypted in a way that no engine reads.
    Undecodable,
    /// The caller's name cannot name a game directory.
    BadName,
}

impl Nothing {
    pub(super) fn of(left: &[String]) -> Nothing {
        use ContentType::{
            Animation, Config, Lump, Map, Model, Sound, Source, Sprite, Texture, TextureArchive,
        };

        let has = |wanted: &[ContentType]| {
            left.iter().any(|path| wanted.contains(&ContentType::of(path.as_bytes())))
        };
        if left.is_empty() {
            Nothing::Empty
        } else if left.iter().any(|path| is_track(path)) {
            Nothing::Music
        } else if has(&[Model, Animation, Sprite, Sound, Lump, Texture])
            || left.iter().any(|path| path.eq_ignore_ascii_case("gfx.wad"))
        {
            Nothing::Loose
        } else if has(&[TextureArchive]) {
            Nothing::Textures
        } else if has(&[Map, Source]) {
            Nothing::Source
        } else if has(&[Config]) {
            Nothing::Config
        } else if left.iter().all(|path| is_text(path)) {
            Nothing::Texts
        } else {
            Nothing::Unknown
        }
    }

    /// A stable word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Nothing::Empty => "empty",
            Nothing::Texts => "texts",
            Nothing::Loose => "loose",
            Nothing::Music => "music",
            Nothing::Config => "config",
            Nothing::Textures => "textures",
            Nothing::Source => "source",
            Nothing::Unknown => "unknown",
            Nothing::Packed(_) => "packed",
            Nothing::Engine(_) => "engine",
            Nothing::Program => "program",
            Nothing::WebPage => "web-page",
            Nothing::Unfinished => "unfinished",
            Nothing::OtherGame(_) => "other-game",
            Nothing::Undecodable => "undecodable",
            Nothing::BadName => "bad-name",
        }
    }
}

impl Help for Nothing {
    fn help(&self, _: Option<&dyn Shell>) -> Option<String> {
        let help = match self {
            Nothing::Loose => {
                "put models into progs/ or models/, sounds into sound/, pictures into gfx/ or textures/"
            }
            Nothing::Engine(engine) => {
                let base = engine.rules().directories.first_name().unwrap_or_default();
                return Some(format!("unpack it into the folder that contains {base}, and start it there"));
            }
            Nothing::Program => "if it is an installer, run it, or unpack it with 7-Zip or innoextract",
            Nothing::WebPage => "download the file itself: the link leads to a page",
            Nothing::Unfinished => "wait for the browser, or download it again",
            Nothing::Music => "put it into music/ of the game whose levels play it",
            Nothing::Config => {
                "put it into the folder of the game, and run it at the console: exec and its name"
            }
            Nothing::Textures => "name it in your level editor; engines read textures from the level",
            Nothing::Source => "compile it, and place the result",
            Nothing::Packed(_) => "unpack it with 7-Zip or another program, and place the folder",
            Nothing::Undecodable => {
                "download it again, or unpack it with 7-Zip or another program, and place the folder"
            }
            Nothing::BadName => "give the name of one folder, without `/` and `..`",
            Nothing::Empty | Nothing::Texts | Nothing::Unknown | Nothing::OtherGame(_) => return None,
        };
        Some(help.to_owned())
    }
}

impl fmt::Display for Nothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Nothing::Packed(kind) => return write!(f, "it is {kind}, which quakefs does not open"),
            Nothing::Engine(engine) => return write!(f, "it is the engine {engine}, and no mod"),
            Nothing::OtherGame(game) => return write!(f, "it is for {game}, which quakefs does not know"),
            Nothing::Program => "it is a program",
            Nothing::WebPage => "it is a web page: the download has failed",
            Nothing::Unfinished => "the download is not finished",
            Nothing::Undecodable => {
                "files of it are damaged, or compressed or encrypted in a way that engines do not read"
            }
            Nothing::Empty => "it has no files",
            Nothing::Texts => "it has only texts",
            Nothing::Loose => "it has models, sounds or pictures without a folder",
            Nothing::Music => "it has tracks of music without a folder",
            Nothing::Config => "it has only settings for the console",
            Nothing::Textures => "it has only textures for level editors",
            Nothing::Source => "it has only source code",
            Nothing::Unknown => "quakefs does not know where its files go",
            Nothing::BadName => "the given name cannot name a folder",
        })
    }
}

/// Whether a file is a track of a CD, which no level asks for by a name: `track02.ogg`.
fn is_track(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let number = stem.strip_prefix("track").unwrap_or_default().trim_start_matches(['-', '_', ' ']);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number && ["ogg", "mp3", "flac", "wav", "opus"].contains(&extension)
}
