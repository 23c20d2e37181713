//! The kinds of files that have a preview.

use quake_content::DemoFormat;

/// The kind of a preview.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// `.lmp`: a picture, a palette or a colour map.
    Lump,
    /// `.wad`: WAD2 and WAD3.
    TextureArchive,
    /// `.bsp`.
    Level,
    /// `.mdl` of Quake, `.md2` of Quake II, `.md3` of Quake III.
    Model,
    /// `.spr` of Quake and Half-Life.
    Sprite,
    /// `.wal` of Quake II.
    Wal,
    /// `.m8` of Heretic II.
    M8,
    /// `.m32` of Heretic II.
    M32,
    /// `.pcx`.
    Pcx,
    /// `.tga`.
    Tga,
    /// `.png`.
    Png,
    /// `.jpg`.
    Jpeg,
    /// `.wav`.
    Wav,
    /// `.ogg`: Vorbis and Opus.
    Ogg,
    /// `.dem`, `.dm2`, `.qwd` and `.mvd`.
    Demo(DemoFormat),
    /// `.sav` of Quake.
    SavedGame,
    /// `.dat`: a program of QuakeC.
    Program,
    /// `.lit`: coloured light of a level.
    Light,
    /// Text for people, for the console or for a compiler.
    Text,
}

const TEXTS: [&str; 42] = [
    "ai", "arena", "bot", "c", "cfg", "cs", "csv", "def", "ent", "fx", "gam", "glsl", "h", "htm", "html",
    "lin", "loc", "log", "lst", "lua", "map", "mat", "md", "menu", "mtr", "pts", "qc", "qh", "rc", "res",
    "rtlights", "scr", "script", "shader", "skin", "src", "str", "tdr", "txt", "vmf", "way", "wpt",
];

impl Kind {
    /// The kind for a file name, by its extension in any case; `None` if it has no preview.
    #[must_use]
    pub fn of(name: &[u8]) -> Option<Kind> {
        let dot = name
            .iter()
            .rposition(|&byte| matches!(byte, b'.' | b'/'))
            .filter(|&dot| name.get(dot) == Some(&b'.'))?;
        let extension = std::str::from_utf8(name.get(dot + 1..)?).ok()?.to_ascii_lowercase();
        Some(match &*extension {
            "lmp" => Kind::Lump,
            "wad" => Kind::TextureArchive,
            "bsp" => Kind::Level,
            "mdl" | "md2" | "md3" => Kind::Model,
            "spr" | "spr32" => Kind::Sprite,
            "wal" => Kind::Wal,
            "m8" => Kind::M8,
            "m32" => Kind::M32,
            "pcx" => Kind::Pcx,
            "tga" => Kind::Tga,
            "png" => Kind::Png,
            "jpg" | "jpeg" => Kind::Jpeg,
            "wav" => Kind::Wav,
            "ogg" | "opus" => Kind::Ogg,
            "sav" => Kind::SavedGame,
            "dat" => Kind::Program,
            "lit" => Kind::Light,
            text if TEXTS.contains(&text) => Kind::Text,
            _ => Kind::Demo(DemoFormat::of(name)?),
        })
    }
}
