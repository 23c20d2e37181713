//! The servers of each family of engines, for a program.

use super::builtin::{self, Builtins};

/// An engine's interface to a program.
#[derive(Debug)]
pub(crate) struct Server {
    /// Values of console variables, the first list with a name first. All others are 0.
    pub(super) cvars: &'static [&'static [(&'static str, f32)]],
    /// The extensions that `checkextension` confirms.
    pub(super) extensions: &'static [&'static str],
    /// The built-in functions of the engine. A program that calls a missing one ends the level.
    pub(super) builtins: &'static Builtins,
    /// `setmodel` loads a model that was not precached. In other engines this ends the level.
    pub(super) loads_late: bool,
    /// `objerror` ends the level. In other engines it removes the entity.
    pub(super) ends_at_objerror: bool,
}

/// id's own server.
pub(crate) const WINQUAKE: Server = Server { ends_at_objerror: true, ..QUAKESPASM };

pub(crate) const QUAKESPASM: Server = Server {
    cvars: &[CVARS],
    extensions: &[],
    builtins: &builtin::QUAKE,
    loads_late: false,
    ends_at_objerror: false,
};

pub(crate) const IRONWAIL: Server =
    Server { extensions: OF_IRONWAIL, builtins: &builtin::IRONWAIL, ..EXTENDED };

pub(crate) const VKQUAKE: Server = Server { extensions: OF_VKQUAKE, builtins: &builtin::VKQUAKE, ..EXTENDED };

pub(crate) const DARKPLACES: Server = Server { builtins: &builtin::DARKPLACES, loads_late: true, ..EXTENDED };

/// For engines with extensions, if quakefs has no table of their functions.
pub(crate) const EXTENDED: Server =
    Server { cvars: &[CVARS_EXTENDED, CVARS], extensions: OF_DARKPLACES, ..UNKNOWN };

/// For engines of which quakefs has no tables at all.
pub(crate) const UNKNOWN: Server = Server { builtins: &builtin::ANY, ..QUAKESPASM };

/// The defaults of the cvars that programs read.
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

/// The defaults that differ in engines with `checkextension`.
const CVARS_EXTENDED: &[(&str, f32)] = &[("pr_checkextension", 1.0), ("sv_aim", 2.0)];

/// `vm_sv_extensions` of DarkPlaces' `svvm_cmds.c`, as far as a server's program checks for them.
const OF_DARKPLACES: &[&str] = &[
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

/// `QCEXTENSIONS_ALL` of Ironwail's `progs.h`.
const OF_IRONWAIL: &[&str] = &[
    "DP_QC_ASINACOSATANATAN2TAN",
    "DP_QC_ETOS",
    "DP_QC_MINMAXBOUND",
    "DP_QC_SINCOSSQRTPOW",
    "DP_QC_SPRINTF",
    "DP_QC_STRFTIME",
    "DP_QC_STRING_CASE_FUNCTIONS",
    "DP_QC_TOKENIZE_CONSOLE",
    "DP_QC_VECTORVECTORS",
    "FRIK_FILE",
    "FTE_QC_CHECKCOMMAND",
    "FTE_STRINGS",
    "KRIMZON_SV_PARSECLIENTCOMMAND",
];

/// `qcextensions` of vkQuake's `pr_ext.c`. The list applies to its default protocol.
const OF_VKQUAKE: &[&str] = &[
    "DP_CON_SET",
    "DP_CON_SETA",
    "DP_EF_NOSHADOW",
    "DP_ENT_ALPHA",
    "DP_ENT_COLORMOD",
    "DP_ENT_SCALE",
    "DP_ENT_TRAILEFFECTNUM",
    "DP_INPUTBUTTONS",
    "DP_QC_ASINACOSATANATAN2TAN",
    "DP_QC_COPYENTITY",
    "DP_QC_CRC16",
    "DP_QC_CVAR_DEFSTRING",
    "DP_QC_CVAR_STRING",
    "DP_QC_CVAR_TYPE",
    "DP_QC_EDICT_NUM",
    "DP_QC_ENTITYDATA",
    "DP_QC_ETOS",
    "DP_QC_FINDCHAIN",
    "DP_QC_FINDCHAINFLAGS",
    "DP_QC_FINDCHAINFLOAT",
    "DP_QC_FINDFLAGS",
    "DP_QC_FINDFLOAT",
    "DP_QC_GETLIGHT",
    "DP_QC_GETSURFACE",
    "DP_QC_GETSURFACEPOINTATTRIBUTE",
    "DP_QC_GETSURFACETRIANGLE",
    "DP_QC_MINMAXBOUND",
    "DP_QC_MULTIPLETEMPSTRINGS",
    "DP_QC_RANDOMVEC",
    "DP_QC_SINCOSSQRTPOW",
    "DP_QC_SPRINTF",
    "DP_QC_STRFTIME",
    "DP_QC_STRINGBUFFERS",
    "DP_QC_STRINGCOLORFUNCTIONS",
    "DP_QC_STRING_CASE_FUNCTIONS",
    "DP_QC_STRREPLACE",
    "DP_QC_TOKENIZEBYSEPARATOR",
    "DP_QC_TRACEBOX",
    "DP_QC_TRACETOSS",
    "DP_QC_TRACE_MOVETYPES",
    "DP_QC_URI_ESCAPE",
    "DP_QC_VECTOANGLES_WITH_ROLL",
    "DP_QC_VECTORVECTORS",
    "DP_QC_WHICHPACK",
    "DP_REGISTERCVAR",
    "DP_SV_BOTCLIENT",
    "DP_SV_DROPCLIENT",
    "DP_SV_POINTSOUND",
    "DP_SV_PRINT",
    "DP_SV_SPAWNFUNC_PREFIX",
    "DP_SV_WRITEUNTERMINATEDSTRING",
    "DP_TE_PARTICLERAIN",
    "DP_TE_PARTICLESNOW",
    "DP_TE_STANDARDEFFECTBUILTINS",
    "DP_VIEWZOOM",
    "EXT_BITSHIFT",
    "FTE_ENT_SKIN_CONTENTS",
    "FTE_PART_NAMESPACES",
    "FTE_PART_SCRIPT",
    "FTE_QC_CHECKCOMMAND",
    "FTE_QC_CROSSPRODUCT",
    "FTE_QC_INFOKEY",
    "FTE_QC_INTCONV",
    "FTE_QC_MULTICAST",
    "FTE_STRINGS",
    "FTE_SV_POINTPARTICLES",
    "KRIMZON_SV_PARSECLIENTCOMMAND",
    "ZQ_QC_STRINGS",
];
