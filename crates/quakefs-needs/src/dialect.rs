//! The needs of each family of engines.

use quakefs::{Engine, EntryName};

use crate::need::Kind;
use crate::program::server::{self, Server};

/// How a family of engines loads levels and programs.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// The program of the game; `None` if the game's code is native.
    pub(crate) program: Option<&'static str>,
    /// The engine's interface to the program.
    pub(crate) server: Server,
    /// The files beside a level that replace its entities.
    pub(crate) entities: EntityFiles,
    /// Endings of other files beside a level.
    pub(crate) companions: &'static [&'static str],
    /// The folders in which the engine looks for WADs; `None` if it loads no textures from WADs.
    pub(crate) wads: Option<&'static [&'static str]>,
    /// Keys of entities that name files.
    pub(crate) keys: &'static [Key],
    /// The files that the engine tries for an image of a shader, by the first folder of its name; the last row is for all others. Empty if the
    /// rules for textures apply.
    pub(crate) images: &'static [(&'static str, &'static [(&'static str, &'static str)])],
    /// Whether a sound may be Ogg Vorbis in the place of WAV, and lie outside of `sound/`.
    pub(crate) takes_ogg: bool,
    /// Whether the engine requires the pictures that a model names.
    pub(crate) needs_skins: bool,
    /// The list beside a level of the files for players.
    pub(crate) list: Option<ServerList>,
    /// The files that the engine needs whatever the level.
    pub(crate) own: &'static [(Kind, &'static [&'static str])],
}

/// A list of files beside a level that players download.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ServerList {
    /// `maps/x.res` of Half-Life. The server reads it and tells players the files.
    Resources,
    /// `maps/x.filelist` of Quake II. Players download it from the web server that the server names: `HTTP_QueueDownload` in
    /// Q2PRO's `http.c`, `CL_QueueHTTPDownload` in Yamagi's `download.c`.
    FileList,
}

impl ServerList {
    /// The end of the list's name.
    pub(crate) const fn ending(self) -> &'static [u8] {
        match self {
            ServerList::Resources => b".res",
            ServerList::FileList => b".filelist",
        }
    }

    /// The line for a file; `None` for a file that players would refuse.
    pub(crate) fn line(self, name: EntryName<'_>) -> Option<String> {
        /// `CL_CheckDownloadExtension` in Q2PRO's `download.c`, `CL_CheckAndQueueDownload` in Yamagi's.
        const ACCEPTED: &[&str] =
            &["pcx", "wal", "wav", "md2", "sp2", "tga", "png", "jpg", "bsp", "ent", "txt", "dm2", "loc"];
        /// `MAX_QPATH`, with the NUL.
        const LENGTH: usize = 64;
        match self {
            ServerList::Resources => Some(format!("\"{name}\"\r\n")),
            ServerList::FileList => {
                let name = std::str::from_utf8(name.as_bytes()).ok().filter(|name| name.len() < LENGTH)?;
                let extension = name.rsplit_once('.')?.1.to_ascii_lowercase();
                // Yamagi's would count a CR to the name
                let is_accepted = name.contains('/')
                    && ACCEPTED.contains(&&*extension)
                    && !name.contains(['\\', '\n', '\r']);
                is_accepted.then(|| format!("{name}\n"))
            }
        }
    }
}

/// A key whose value names a file.
#[derive(Debug)]
pub(crate) struct Key {
    /// The class of the entity; empty for any class.
    pub(crate) class: &'static str,
    /// The keys with this meaning.
    pub(crate) keys: &'static [&'static str],
    pub(crate) names: Names,
}

/// The kind of file that a value names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Names {
    /// A level in `maps/`. In Quake II, the value may name several levels in turn, each with a spawn point.
    Level,
    /// A sound in this folder. The engine adds the extension if the value has none.
    Sound(&'static str),
    /// The name of a piece of music.
    Music,
    /// The number of a music track.
    Track,
    /// The full name of a model or a sprite.
    Model,
    /// The pictures of a sky.
    Sky,
}

/// The files beside a level that replace its entities.
#[derive(Clone, Copy, Debug)]
pub(crate) enum EntityFiles {
    /// No file; the engine reads only the level.
    None,
    /// `maps/start.ent`.
    Plain,
    /// `maps/start@1234.ent` with the checksum of the entities in the level, then `maps/start.ent`.
    Checksum,
}

/// The exits of Quake's game code.
const EXIT: Key = Key { class: "trigger_changelevel", keys: &["map"], names: Names::Level };

/// Keys of the world that set a sky (`Sky_NewMap`).
const SKY: &[&str] = &["sky", "skyname", "qlsky"];

/// Keys of the world that set a sky and name a track.
const SKY_AND_TRACK: &[Key] = &[
    EXIT,
    Key { class: "worldspawn", keys: SKY, names: Names::Sky },
    Key { class: "worldspawn", keys: &["sounds"], names: Names::Track },
];

const WINQUAKE: Dialect = Dialect {
    program: Some("progs.dat"),
    server: server::WINQUAKE,
    entities: EntityFiles::None,
    companions: &[],
    wads: None,
    keys: &[EXIT],
    images: &[],
    takes_ogg: false,
    needs_skins: false,
    list: None,
    own: QUAKES_OWN,
};

const HEXEN2: Dialect = Dialect { server: server::HEXEN2, ..WINQUAKE };

/// `Mod_LoadEntities`, `Mod_LoadLighting` of `gl_model.c`.
const QUAKESPASM: Dialect = Dialect {
    server: server::QUAKESPASM,
    entities: EntityFiles::Checksum,
    companions: &["lit", "vis"],
    keys: SKY_AND_TRACK,
    ..WINQUAKE
};

/// Engines after QuakeSpasm.
const EXTENDED: Dialect =
    Dialect { server: server::EXTENDED, companions: &["lit", "vis", "loc"], ..QUAKESPASM };

/// `W_LoadWadList` looks in the game directory, then in `gfx`.
const VKQUAKE: Dialect = Dialect { server: server::VKQUAKE, wads: Some(&["", "gfx/"]), ..EXTENDED };

const OF_IRONWAIL: Dialect = Dialect { server: server::IRONWAIL, ..EXTENDED };

/// `CL_ParseEntityLump`, `Mod_Q1BSP_LoadEntities`, `Mod_Q1BSP_LoadLighting`.
const OF_DARKPLACES: Dialect = Dialect {
    server: server::DARKPLACES,
    entities: EntityFiles::Plain,
    companions: &["lit", "dlit", "rtlights", "vis", "loc"],
    keys: &[
        EXIT,
        Key { class: "worldspawn", keys: &["sky", "skyname"], names: Names::Sky },
        Key { class: "worldspawn", keys: &["sounds"], names: Names::Track },
    ],
    images: IMAGES_OF_DARKPLACES,
    takes_ogg: true,
    ..WINQUAKE
};

/// DarkPlaces for games that have none of Quake's own files.
const OF_XONOTIC: Dialect = Dialect { own: &[], ..OF_DARKPLACES };

/// `imageformats_textures`, `_gfx` and `_other` of `image.c`: what stands before and after the name without extension.
const IMAGES_OF_DARKPLACES: &[(&str, &[(&str, &str)])] = &[
    ("textures", &[("", ".tga"), ("", ".png"), ("", ".jpg"), ("", ".pcx"), ("", ".wal")]),
    ("gfx", &[("", ".tga"), ("", ".png"), ("", ".jpg"), ("", ".pcx"), ("", ".lmp")]),
    (
        "",
        &[
            ("override/", ".tga"),
            ("override/", ".png"),
            ("override/", ".jpg"),
            ("textures/", ".tga"),
            ("textures/", ".png"),
            ("textures/", ".jpg"),
            ("", ".tga"),
            ("", ".png"),
            ("", ".jpg"),
            ("", ".pcx"),
            ("", ".lmp"),
        ],
    ),
];

const QUAKEWORLD: Dialect = Dialect { program: Some("qwprogs.dat"), server: server::UNKNOWN, ..WINQUAKE };

/// The game code is native, so only keys count: `g_target.c`, `g_spawn.c`, `CL_PrepRefresh` of Quake II.
const QUAKE2: Dialect = Dialect {
    program: None,
    server: server::UNKNOWN,
    keys: &[
        Key { class: "target_changelevel", keys: &["map"], names: Names::Level },
        Key { class: "target_speaker", keys: &["noise"], names: Names::Sound("sound/") },
        Key { class: "worldspawn", keys: &["sky"], names: Names::Sky },
    ],
    needs_skins: true,
    own: &[],
    ..WINQUAKE
};

const QUAKE2_BY_HTTP: Dialect = Dialect { list: Some(ServerList::FileList), ..QUAKE2 };

/// The Half-Life SDK's `sound.cpp`, `effects.cpp`, `triggers.cpp`, `world.cpp`; `TEX_InitFromWad`.
const GOLDSRC: Dialect = Dialect {
    program: None,
    server: server::UNKNOWN,
    companions: &["res"],
    list: Some(ServerList::Resources),
    wads: Some(&[""]),
    keys: &[
        EXIT,
        Key { class: "ambient_generic", keys: &["message"], names: Names::Sound("sound/") },
        Key { class: "env_sprite", keys: &["model"], names: Names::Model },
        Key { class: "env_glow", keys: &["model"], names: Names::Model },
        Key { class: "env_shooter", keys: &["shootmodel"], names: Names::Model },
        Key { class: "env_beam", keys: &["texture"], names: Names::Model },
        Key { class: "env_laser", keys: &["texture"], names: Names::Model },
        Key { class: "cycler", keys: &["model"], names: Names::Model },
        Key { class: "cycler_sprite", keys: &["model"], names: Names::Model },
        Key { class: "monster_generic", keys: &["model"], names: Names::Model },
        Key { class: "worldspawn", keys: &["skyname"], names: Names::Sky },
    ],
    own: &[],
    ..WINQUAKE
};

/// `g_target.c`, `g_spawn.c` and `cg_main.c` of Quake III.
const QUAKE3: Dialect = Dialect {
    program: None,
    server: server::UNKNOWN,
    keys: &[
        Key { class: "target_speaker", keys: &["noise"], names: Names::Sound("") },
        Key { class: "worldspawn", keys: &["music"], names: Names::Music },
        Key { class: "", keys: &["model2"], names: Names::Model },
    ],
    own: &[],
    ..WINQUAKE
};

/// The files that Quake itself needs: `Host_Init`, `Draw_Init`, `SCR_Init`, `M_Init`, `CL_InitTEnts`, `S_Init`.
const QUAKES_OWN: &[(Kind, &[&str])] = &[
    (Kind::File, &["gfx.wad", "quake.rc", "default.cfg"]),
    (
        Kind::Image,
        &[
            "gfx/palette.lmp",
            "gfx/colormap.lmp",
            "gfx/conback.lmp",
            "gfx/complete.lmp",
            "gfx/inter.lmp",
            "gfx/finale.lmp",
            "gfx/pause.lmp",
            "gfx/loading.lmp",
            "gfx/qplaque.lmp",
            "gfx/ttl_main.lmp",
            "gfx/mainmenu.lmp",
            "gfx/menudot1.lmp",
            "gfx/menudot2.lmp",
            "gfx/menudot3.lmp",
            "gfx/menudot4.lmp",
            "gfx/menudot5.lmp",
            "gfx/menudot6.lmp",
            "gfx/ttl_sgl.lmp",
            "gfx/sp_menu.lmp",
            "gfx/p_load.lmp",
            "gfx/p_save.lmp",
            "gfx/p_multi.lmp",
            "gfx/mp_menu.lmp",
            "gfx/p_option.lmp",
            "gfx/ttl_cstm.lmp",
            "gfx/box_tl.lmp",
            "gfx/box_tm.lmp",
            "gfx/box_tr.lmp",
            "gfx/box_ml.lmp",
            "gfx/box_mm.lmp",
            "gfx/box_mm2.lmp",
            "gfx/box_mr.lmp",
            "gfx/box_bl.lmp",
            "gfx/box_bm.lmp",
            "gfx/box_br.lmp",
        ],
    ),
    (
        Kind::Sound,
        &[
            "sound/ambience/water1.wav",
            "sound/ambience/wind2.wav",
            "sound/wizard/hit.wav",
            "sound/hknight/hit.wav",
            "sound/weapons/tink1.wav",
            "sound/weapons/ric1.wav",
            "sound/weapons/ric2.wav",
            "sound/weapons/ric3.wav",
            "sound/weapons/r_exp3.wav",
            "sound/misc/menu1.wav",
            "sound/misc/menu2.wav",
            "sound/misc/menu3.wav",
            "sound/misc/talk.wav",
        ],
    ),
];

impl Dialect {
    /// The row for the engine with this name. For other names, an engine that has every function.
    pub(crate) fn of(rules: &str) -> &'static Dialect {
        match rules.parse() {
            Ok(Engine::WinQuake) => &WINQUAKE,
            Ok(Engine::Hexen2) => &HEXEN2,
            Ok(Engine::QuakeSpasm | Engine::QuakeSpasm095) => &QUAKESPASM,
            Ok(Engine::VkQuake | Engine::VkQuake135 | Engine::VkQuake134 | Engine::VkQuake132) => &VKQUAKE,
            Ok(Engine::Ironwail) => &OF_IRONWAIL,
            Ok(Engine::DarkPlaces | Engine::DarkPlaces2024) => &OF_DARKPLACES,
            Ok(Engine::Xonotic | Engine::Nexuiz) => &OF_XONOTIC,
            Ok(Engine::QuakeWorld | Engine::Mvdsv) => &QUAKEWORLD,
            Ok(Engine::Quake2 | Engine::Quake2Kex | Engine::Sin | Engine::Daikatana) => &QUAKE2,
            Ok(Engine::YQuake2 | Engine::Q2Pro | Engine::Q2Rtx) => &QUAKE2_BY_HTTP,
            Ok(Engine::GoldSrc | Engine::GoldSrc2023) => &GOLDSRC,
            Ok(
                Engine::IoQuake3
                | Engine::Quake3e
                | Engine::OpenArena
                | Engine::EtLegacy
                | Engine::OpenJk
                | Engine::OpenJkSp
                | Engine::IoRtcw
                | Engine::IoRtcwSp
                | Engine::UrbanTerror
                | Engine::Padman
                | Engine::SmokinGuns,
            ) => &QUAKE3,
            _ => &EXTENDED,
        }
    }
}
