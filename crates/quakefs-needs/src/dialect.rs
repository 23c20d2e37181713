//! What engines ask for, a row a family.

use quake_content::run::Server;
use quakefs::Engine;

/// What an engine does with levels and programs.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// The program of the game; `None` where the game's code is native.
    pub(crate) program: Option<&'static str>,
    /// What the engine offers to the program.
    pub(crate) server: Server<'static>,
}

/// Quake's functions. Those that id left out end the level (`PF_Fixme` of `pr_cmds.c`).
const QUAKE: &[(u32, u32)] = &[(1, 4), (6, 32), (34, 38), (40, 41), (43, 49), (51, 59), (67, 70), (72, 78)];

/// DarkPlaces' (`vm_sv_builtins` of `svvm_cmds.c`).
const DARKPLACES: &[(u32, u32)] = &[
    (1, 4),
    (6, 32),
    (34, 38),
    (40, 41),
    (43, 49),
    (51, 79),
    (81, 81),
    (90, 119),
    (218, 232),
    (240, 240),
    (276, 284),
    (335, 337),
    (400, 642),
];

/// All that may be there in an engine whose table is not known.
const ANY: &[(u32, u32)] = &[(1, 1023)];

/// Cvars that programs ask for at their engines' defaults.
const CVARS: &[(&str, f32)] = &[
    ("registered", 1.0),
    ("sv_gravity", 800.0),
    ("sv_maxspeed", 320.0),
    ("sv_friction", 4.0),
    ("sv_stopspeed", 100.0),
    ("sv_maxvelocity", 2000.0),
    ("sv_aim", 0.93),
    ("volume", 0.7),
    ("viewsize", 100.0),
];

/// The same of engines that say which extensions they have.
const CVARS_EXTENDED: &[(&str, f32)] = &[
    ("pr_checkextension", 1.0),
    ("registered", 1.0),
    ("sv_gravity", 800.0),
    ("sv_maxspeed", 320.0),
    ("sv_friction", 4.0),
    ("sv_stopspeed", 100.0),
    ("sv_maxvelocity", 2000.0),
    ("sv_aim", 2.0),
    ("volume", 0.7),
    ("viewsize", 100.0),
];

/// `vm_sv_extensions` of DarkPlaces' `svvm_cmds.c`, those that a program of a server asks for.
const EXTENSIONS: &[&str] = &[
    "DP_BUTTONUSE",
    "DP_CON_SET",
    "DP_EF_ADDITIVE",
    "DP_EF_BLUE",
    "DP_EF_DOUBLESIDED",
    "DP_EF_FLAME",
    "DP_EF_FULLBRIGHT",
    "DP_EF_NODEPTHTEST",
    "DP_EF_NODRAW",
    "DP_EF_NOSHADOW",
    "DP_EF_RED",
    "DP_EF_STARDUST",
    "DP_ENT_ALPHA",
    "DP_ENT_COLORMOD",
    "DP_ENT_GLOW",
    "DP_ENT_SCALE",
    "DP_ENT_VIEWMODEL",
    "DP_GFX_EXTERNALTEXTURES",
    "DP_GFX_FOG",
    "DP_GFX_SKYBOX",
    "DP_HALFLIFE_MAP",
    "DP_INPUTBUTTONS",
    "DP_LITSPRITES",
    "DP_LITSUPPORT",
    "DP_MONSTERWALK",
    "DP_MOVETYPEBOUNCEMISSILE",
    "DP_MOVETYPEFOLLOW",
    "DP_QC_CHANGEPITCH",
    "DP_QC_COPYENTITY",
    "DP_QC_CVAR_STRING",
    "DP_QC_ETOS",
    "DP_QC_FINDCHAIN",
    "DP_QC_FINDCHAINFLAGS",
    "DP_QC_FINDCHAINFLOAT",
    "DP_QC_FINDFLAGS",
    "DP_QC_FINDFLOAT",
    "DP_QC_GETLIGHT",
    "DP_QC_MINMAXBOUND",
    "DP_QC_MULTIPLETEMPSTRINGS",
    "DP_QC_RANDOMVEC",
    "DP_QC_SINCOSSQRTPOW",
    "DP_QC_TRACEBOX",
    "DP_QC_TRACETOSS",
    "DP_QC_VECTORVECTORS",
    "DP_QUAKE2_MODEL",
    "DP_QUAKE3_MODEL",
    "DP_REGISTERCVAR",
    "DP_SND_DIRECTIONLESSATTNNONE",
    "DP_SND_OGGVORBIS",
    "DP_SND_STEREOWAV",
    "DP_SOLIDCORPSE",
    "DP_SPRITE32",
    "DP_SV_EFFECT",
    "DP_SV_PRECACHEANYTIME",
    "DP_SV_ROTATINGBMODEL",
    "DP_SV_SETCOLOR",
    "DP_SV_SLOWMO",
    "DP_TE_STANDARDEFFECTBUILTINS",
    "DP_VIEWZOOM",
    "EXT_BITSHIFT",
    "FRIK_FILE",
    "FTE_STRINGS",
    "KRIMZON_SV_PARSECLIENTCOMMAND",
    "TENEBRAE_GFX_DLIGHTS",
];

const fn server(builtins: &'static [(u32, u32)]) -> Server<'static> {
    let mut server = Server::new(builtins);
    server.cvars = CVARS;
    server
}

const fn extended(builtins: &'static [(u32, u32)]) -> Server<'static> {
    let mut server = Server::new(builtins);
    server.cvars = CVARS_EXTENDED;
    server.extensions = EXTENSIONS;
    server
}

const WINQUAKE: Dialect = Dialect {
    program: Some("progs.dat"),
    server: {
        let mut server = server(QUAKE);
        server.ends_at_objerror = true;
        server
    },
};
const QUAKESPASM: Dialect = Dialect { server: server(QUAKE), ..WINQUAKE };
const EXTENDED: Dialect = Dialect { server: extended(ANY), ..WINQUAKE };
const DARKPLACES_: Dialect = Dialect {
    server: {
        let mut server = extended(DARKPLACES);
        server.loads_late = true;
        server
    },
    ..WINQUAKE
};
const QUAKEWORLD: Dialect = Dialect { program: Some("qwprogs.dat"), server: server(ANY) };
const NATIVE: Dialect = Dialect { program: None, server: server(ANY) };

impl Dialect {
    /// The row of the engine that some rules name; of other rules, one that knows no limit.
    pub(crate) fn of(rules: &str) -> &'static Dialect {
        match rules.parse() {
            Ok(Engine::WinQuake | Engine::Hexen2) => &WINQUAKE,
            Ok(Engine::QuakeSpasm) => &QUAKESPASM,
            Ok(Engine::DarkPlaces) => &DARKPLACES_,
            Ok(Engine::QuakeWorld | Engine::Mvdsv) => &QUAKEWORLD,
            Ok(
                Engine::Quake2
                | Engine::YQuake2
                | Engine::Q2Pro
                | Engine::GoldSrc
                | Engine::Sin
                | Engine::Daikatana
                | Engine::IoQuake3,
            ) => &NATIVE,
            _ => &EXTENDED,
        }
    }
}
