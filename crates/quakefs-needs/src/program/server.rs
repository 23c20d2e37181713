//! The servers of each family of engines, for a program.

use super::builtin::{self, Builtins};

/// An engine's interface to a program.
#[derive(Debug)]
pub(crate) struct Server {
    /// Values of console variables, the first list with a name first. All others are 0.
    pub(super) cvars: &'static [&'static [(&'static str, f32)]],
    /// The extensions that `checkextension` confirms.
    pub(super) extensions: &'static [&'static str],
    /// The only checksum of programs that the engine loads; `None` if it loads others too.
    pub(crate) checksum: Option<u32>,
    /// The built-in functions of the engine, if quakefs has a table of them. A program that calls a missing one ends the level.
    pub(super) builtins: Option<&'static Builtins>,
    /// `setmodel` loads a model that was not precached. In other engines this ends the level.
    pub(super) loads_late: bool,
    /// A model called `null` needs no file (`DP_NULL_MODEL`).
    pub(super) has_null_model: bool,
    /// `objerror` ends the level. In other engines it removes the entity.
    pub(super) ends_at_objerror: bool,
}

impl Server {
    /// Whether the engine has a function of this number.
    pub(super) fn has(&self, number: u32) -> bool {
        self.builtins.map_or((1..=MOST_BUILTINS).contains(&number), |table| table.has(number))
    }

    pub(super) fn has_extension(&self, name: &[u8]) -> bool {
        self.extensions.iter().any(|known| known.as_bytes() == name)
    }

    /// The engine's default of a console variable.
    pub(super) fn cvar(&self, name: &[u8]) -> Option<f32> {
        let mut known = self.cvars.iter().copied().flatten();
        known.find(|(other, _)| other.as_bytes() == name).map(|(_, value)| *value)
    }

    pub(crate) fn has_cvar(&self, name: &[u8]) -> bool {
        self.cvar(name).is_some()
    }
}

/// The highest number of a function in engines without a table here.
const MOST_BUILTINS: u32 = 1023;

/// id's own server.
pub(crate) const WINQUAKE: Server = Server { ends_at_objerror: true, ..QUAKESPASM };

/// Hexen II's programs have variables of their own.
pub(crate) const HEXEN2: Server = Server { checksum: None, ..WINQUAKE };

/// `PROGHEADER_CRC` of `progdefs.h`; `PR_LoadProgs` ends the game at any other.
pub(crate) const QUAKES_CHECKSUM: u32 = 5927;
/// `PROGHEADER_CRC` of `QuakeWorld`'s `progdefs.h`.
pub(crate) const QUAKEWORLDS_CHECKSUM: u32 = 54730;

pub(crate) const QUAKESPASM: Server = Server {
    cvars: &[CVARS],
    extensions: &[],
    checksum: Some(QUAKES_CHECKSUM),
    builtins: Some(&builtin::QUAKE),
    loads_late: false,
    has_null_model: false,
    ends_at_objerror: false,
};

pub(crate) const IRONWAIL: Server = Server {
    extensions: OF_IRONWAIL,
    checksum: Some(QUAKES_CHECKSUM),
    builtins: Some(&builtin::IRONWAIL),
    ..EXTENDED
};

pub(crate) const VKQUAKE: Server =
    Server { extensions: OF_VKQUAKE, builtins: Some(&builtin::VKQUAKE), ..IRONWAIL };

pub(crate) const DARKPLACES: Server =
    Server { builtins: Some(&builtin::DARKPLACES), loads_late: true, has_null_model: true, ..EXTENDED };

/// For engines with extensions, if quakefs has no table of their functions.
pub(crate) const EXTENDED: Server =
    Server { cvars: &[CVARS_EXTENDED, CVARS], extensions: OF_DARKPLACES, ..UNKNOWN };

/// For engines of which quakefs has no tables at all.
pub(crate) const UNKNOWN: Server = Server { checksum: None, builtins: None, ..QUAKESPASM };

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

/// `vm_sv_extensions` of DarkPlaces' `svvm_cmds.c` (commit c6b823caa of 2025-11-23), except those that depend on other libraries.
const OF_DARKPLACES: &[&str] = &[
    "BX_WAL_SUPPORT",
    "DP_BUTTONCHAT",
    "DP_BUTTONUSE",
    "DP_CL_LOADSKY",
    "DP_CON_ALIASPARAMETERS",
    "DP_CON_BESTWEAPON",
    "DP_CON_EXPANDCVAR",
    "DP_CON_SET",
    "DP_CON_SETA",
    "DP_CON_STARTMAP",
    "DP_COVERAGE",
    "DP_CSQC_BINDMAPS",
    "DP_CSQC_BOXPARTICLES",
    "DP_CSQC_ENTITYMODELLIGHT",
    "DP_CSQC_ENTITYTRANSPARENTSORTING_OFFSET",
    "DP_CSQC_ENTITYWORLDOBJECT",
    "DP_CSQC_MAINVIEW",
    "DP_CSQC_MINFPS_QUALITY",
    "DP_CSQC_MULTIFRAME_INTERPOLATION",
    "DP_CSQC_QUERYRENDERENTITY",
    "DP_CSQC_ROTATEMOVES",
    "DP_CSQC_SETPAUSE",
    "DP_CSQC_SPAWNPARTICLE",
    "DP_CSQC_V_CALCREFDEF_WIP1",
    "DP_CSQC_V_CALCREFDEF_WIP2",
    "DP_EF_ADDITIVE",
    "DP_EF_BLUE",
    "DP_EF_DOUBLESIDED",
    "DP_EF_DYNAMICMODELLIGHT",
    "DP_EF_FLAME",
    "DP_EF_FULLBRIGHT",
    "DP_EF_NODEPTHTEST",
    "DP_EF_NODRAW",
    "DP_EF_NOGUNBOB",
    "DP_EF_NOSELFSHADOW",
    "DP_EF_NOSHADOW",
    "DP_EF_RED",
    "DP_EF_RESTARTANIM_BIT",
    "DP_EF_STARDUST",
    "DP_EF_TELEPORT_BIT",
    "DP_ENT_ALPHA",
    "DP_ENT_COLORMOD",
    "DP_ENT_CUSTOMCOLORMAP",
    "DP_ENT_EXTERIORMODELTOCLIENT",
    "DP_ENT_GLOW",
    "DP_ENT_GLOWMOD",
    "DP_ENT_LOWPRECISION",
    "DP_ENT_SCALE",
    "DP_ENT_TRAILEFFECTNUM",
    "DP_ENT_VIEWMODEL",
    "DP_FONT_VARIABLEWIDTH",
    "DP_GFX_EXTERNALTEXTURES",
    "DP_GFX_EXTERNALTEXTURES_PERMAP",
    "DP_GFX_FOG",
    "DP_GFX_FONTS",
    "DP_GFX_FONTS_FREETYPE",
    "DP_GFX_MODEL_INTERPOLATION",
    "DP_GFX_QUAKE3MODELTAGS",
    "DP_GFX_SKINFILES",
    "DP_GFX_SKYBOX",
    "DP_HALFLIFE_MAP",
    "DP_HALFLIFE_MAP_CVAR",
    "DP_HALFLIFE_SPRITE",
    "DP_INPUTBUTTONS",
    "DP_LIGHTSTYLE_STATICVALUE",
    "DP_LITSPRITES",
    "DP_LITSUPPORT",
    "DP_MONSTERWALK",
    "DP_MOVETYPEBOUNCEMISSILE",
    "DP_MOVETYPEFLYWORLDONLY",
    "DP_MOVETYPEFOLLOW",
    "DP_NULL_MODEL",
    "DP_QC_ASINACOSATANATAN2TAN",
    "DP_QC_AUTOCVARS",
    "DP_QC_CHANGEPITCH",
    "DP_QC_CMD",
    "DP_QC_COPYENTITY",
    "DP_QC_CRC16",
    "DP_QC_CVAR_DEFSTRING",
    "DP_QC_CVAR_DESCRIPTION",
    "DP_QC_CVAR_STRING",
    "DP_QC_CVAR_TYPE",
    "DP_QC_DIGEST",
    "DP_QC_DIGEST_SHA256",
    "DP_QC_EDICT_NUM",
    "DP_QC_ENTITYDATA",
    "DP_QC_ENTITYSTRING",
    "DP_QC_ETOS",
    "DP_QC_EXTRESPONSEPACKET",
    "DP_QC_FINDBOX",
    "DP_QC_FINDCHAIN",
    "DP_QC_FINDCHAINFLAGS",
    "DP_QC_FINDCHAINFLOAT",
    "DP_QC_FINDCHAIN_TOFIELD",
    "DP_QC_FINDFLAGS",
    "DP_QC_FINDFLOAT",
    "DP_QC_FS_SEARCH",
    "DP_QC_FS_SEARCH_PACKFILE",
    "DP_QC_GETLIGHT",
    "DP_QC_GETSURFACE",
    "DP_QC_GETSURFACEPOINTATTRIBUTE",
    "DP_QC_GETSURFACETRIANGLE",
    "DP_QC_GETTAGINFO",
    "DP_QC_GETTAGINFO_BONEPROPERTIES",
    "DP_QC_GETTIME",
    "DP_QC_GETTIME_CDTRACK",
    "DP_QC_I18N",
    "DP_QC_LOG",
    "DP_QC_MINMAXBOUND",
    "DP_QC_MULTIPLETEMPSTRINGS",
    "DP_QC_NUDGEOUTOFSOLID",
    "DP_QC_NUM_FOR_EDICT",
    "DP_QC_RANDOMVEC",
    "DP_QC_SINCOSSQRTPOW",
    "DP_QC_SPRINTF",
    "DP_QC_STRFTIME",
    "DP_QC_STRINGBUFFERS",
    "DP_QC_STRINGBUFFERS_CVARLIST",
    "DP_QC_STRINGBUFFERS_EXT_WIP",
    "DP_QC_STRINGCOLORFUNCTIONS",
    "DP_QC_STRING_CASE_FUNCTIONS",
    "DP_QC_STRREPLACE",
    "DP_QC_TOKENIZEBYSEPARATOR",
    "DP_QC_TOKENIZE_CONSOLE",
    "DP_QC_TRACEBOX",
    "DP_QC_TRACETOSS",
    "DP_QC_TRACE_MOVETYPE_HITMODEL",
    "DP_QC_TRACE_MOVETYPE_WORLDONLY",
    "DP_QC_UNLIMITEDTEMPSTRINGS",
    "DP_QC_URI_ESCAPE",
    "DP_QC_URI_GET",
    "DP_QC_URI_POST",
    "DP_QC_VECTOANGLES_WITH_ROLL",
    "DP_QC_VECTORVECTORS",
    "DP_QC_WHICHPACK",
    "DP_QUAKE2_MODEL",
    "DP_QUAKE2_SPRITE",
    "DP_QUAKE3_MAP",
    "DP_QUAKE3_MODEL",
    "DP_REGISTERCVAR",
    "DP_RM_CLIPGROUP",
    "DP_SKELETONOBJECTS",
    "DP_SND_DIRECTIONLESSATTNNONE",
    "DP_SND_FAKETRACKS",
    "DP_SND_GETSOUNDTIME",
    "DP_SND_OGGVORBIS",
    "DP_SND_SETPARAMS",
    "DP_SND_SOUND7_WIP1",
    "DP_SND_SOUND7_WIP2",
    "DP_SND_STEREOWAV",
    "DP_SOLIDCORPSE",
    "DP_SPRITE32",
    "DP_SV_BOTCLIENT",
    "DP_SV_BOUNCEFACTOR",
    "DP_SV_CLIENTCAMERA",
    "DP_SV_CLIENTCOLORS",
    "DP_SV_CLIENTNAME",
    "DP_SV_CMD",
    "DP_SV_CUSTOMIZEENTITYFORCLIENT",
    "DP_SV_DISABLECLIENTPREDICTION",
    "DP_SV_DISCARDABLEDEMO",
    "DP_SV_DRAWONLYTOCLIENT",
    "DP_SV_DROPCLIENT",
    "DP_SV_EFFECT",
    "DP_SV_ENTITYCONTENTSTRANSITION",
    "DP_SV_MODELFLAGS_AS_EFFECTS",
    "DP_SV_MOVETYPESTEP_LANDEVENT",
    "DP_SV_NETADDRESS",
    "DP_SV_NODRAWTOCLIENT",
    "DP_SV_ONENTITYNOSPAWNFUNCTION",
    "DP_SV_ONENTITYPREPOSTSPAWNFUNCTION",
    "DP_SV_PING",
    "DP_SV_PING_PACKETLOSS",
    "DP_SV_PLAYERPHYSICS",
    "DP_SV_POINTPARTICLES",
    "DP_SV_POINTSOUND",
    "DP_SV_PRECACHEANYTIME",
    "DP_SV_PRINT",
    "DP_SV_PUNCHVECTOR",
    "DP_SV_QCSTATUS",
    "DP_SV_ROTATINGBMODEL",
    "DP_SV_SETCOLOR",
    "DP_SV_SHUTDOWN",
    "DP_SV_SLOWMO",
    "DP_SV_SPAWNFUNC_PREFIX",
    "DP_SV_WRITEPICTURE",
    "DP_SV_WRITEUNTERMINATEDSTRING",
    "DP_TE_BLOOD",
    "DP_TE_BLOODSHOWER",
    "DP_TE_CUSTOMFLASH",
    "DP_TE_EXPLOSIONRGB",
    "DP_TE_FLAMEJET",
    "DP_TE_PARTICLECUBE",
    "DP_TE_PARTICLERAIN",
    "DP_TE_PARTICLESNOW",
    "DP_TE_PLASMABURN",
    "DP_TE_QUADEFFECTS1",
    "DP_TE_SMALLFLASH",
    "DP_TE_SPARK",
    "DP_TE_STANDARDEFFECTBUILTINS",
    "DP_TRACE_HITCONTENTSMASK_SURFACEINFO",
    "DP_USERMOVETYPES",
    "DP_UTF8",
    "DP_VIDEO_DPV",
    "DP_VIDEO_SUBTITLES",
    "DP_VIEWZOOM",
    "EXT_BITSHIFT",
    "FRIK_FILE",
    "FTE_CSQC_SKELETONOBJECTS",
    "FTE_QC_CHECKPVS",
    "FTE_STRINGS",
    "KRIMZON_SV_PARSECLIENTCOMMAND",
    "NEH_CMD_PLAY2",
    "NEH_RESTOREGAME",
    "NEXUIZ_PLAYERMODEL",
    "NXQ_GFX_LETTERBOX",
    "PRYDON_CLIENTCURSOR",
    "TENEBRAE_GFX_DLIGHTS",
    "TW_SV_STEPCONTROL",
    "ZQ_PAUSE",
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
