//! The interfaces of engines to QuakeC programs, and what Quake's game code names.

use super::prelude::*;

/// The files that Quake itself shows and plays, and more.
///
/// Source: WinQuake, `WinQuake/host.c`, `Host_Init`; `WinQuake/draw.c`, `Draw_Init`; `WinQuake/screen.c`,
/// `SCR_Init`; `WinQuake/menu.c`, `M_Init`; `WinQuake/cl_tent.c`, `CL_InitTEnts`; `WinQuake/snd_dma.c`,
/// `S_Init`.
macro_rules! to_play {
    ($($more:literal),*) => {
        texts![
            $($more,)*
            "quake.rc", "default.cfg", "gfx/conback.lmp", "gfx/complete.lmp", "gfx/inter.lmp",
            "gfx/finale.lmp", "gfx/pause.lmp", "gfx/loading.lmp", "gfx/qplaque.lmp", "gfx/ttl_main.lmp",
            "gfx/mainmenu.lmp", "gfx/menudot1.lmp", "gfx/menudot2.lmp", "gfx/menudot3.lmp",
            "gfx/menudot4.lmp", "gfx/menudot5.lmp", "gfx/menudot6.lmp", "gfx/ttl_sgl.lmp", "gfx/sp_menu.lmp",
            "gfx/p_load.lmp", "gfx/p_save.lmp", "gfx/p_multi.lmp", "gfx/mp_menu.lmp", "gfx/p_option.lmp",
            "gfx/ttl_cstm.lmp", "gfx/box_tl.lmp", "gfx/box_tm.lmp", "gfx/box_tr.lmp", "gfx/box_ml.lmp",
            "gfx/box_mm.lmp", "gfx/box_mm2.lmp", "gfx/box_mr.lmp", "gfx/box_bl.lmp", "gfx/box_bm.lmp",
            "gfx/box_br.lmp", "sound/ambience/water1.wav", "sound/ambience/wind2.wav", "sound/wizard/hit.wav",
            "sound/hknight/hit.wav", "sound/weapons/tink1.wav", "sound/weapons/ric1.wav",
            "sound/weapons/ric2.wav", "sound/weapons/ric3.wav", "sound/weapons/r_exp3.wav",
            "sound/misc/menu1.wav", "sound/misc/menu2.wav", "sound/misc/menu3.wav", "sound/misc/talk.wav"
        ]
    };
}

pub(super) use to_play;

/// The extensions of vkQuake, which comes from QuakeSpasm-Spiked, and more.
macro_rules! of_spiked {
    ($($more:literal),* $(,)?) => {
        texts![
            "DP_CON_SET", "DP_CON_SETA", "DP_EF_NOSHADOW", "DP_ENT_ALPHA", "DP_ENT_COLORMOD", "DP_ENT_SCALE",
            "DP_ENT_TRAILEFFECTNUM", "DP_INPUTBUTTONS", "DP_QC_ASINACOSATANATAN2TAN", "DP_QC_COPYENTITY",
            "DP_QC_CRC16", "DP_QC_CVAR_DEFSTRING", "DP_QC_CVAR_STRING", "DP_QC_CVAR_TYPE", "DP_QC_EDICT_NUM",
            "DP_QC_ENTITYDATA", "DP_QC_ETOS", "DP_QC_FINDCHAIN", "DP_QC_FINDCHAINFLAGS",
            "DP_QC_FINDCHAINFLOAT", "DP_QC_FINDFLAGS", "DP_QC_FINDFLOAT", "DP_QC_GETLIGHT",
            "DP_QC_GETSURFACE", "DP_QC_GETSURFACEPOINTATTRIBUTE", "DP_QC_GETSURFACETRIANGLE",
            "DP_QC_MINMAXBOUND", "DP_QC_MULTIPLETEMPSTRINGS", "DP_QC_RANDOMVEC", "DP_QC_SINCOSSQRTPOW",
            "DP_QC_SPRINTF", "DP_QC_STRFTIME", "DP_QC_STRINGBUFFERS", "DP_QC_STRINGCOLORFUNCTIONS",
            "DP_QC_STRING_CASE_FUNCTIONS", "DP_QC_STRREPLACE", "DP_QC_TOKENIZEBYSEPARATOR", "DP_QC_TRACEBOX",
            "DP_QC_TRACETOSS", "DP_QC_TRACE_MOVETYPES", "DP_QC_URI_ESCAPE", "DP_QC_VECTOANGLES_WITH_ROLL",
            "DP_QC_VECTORVECTORS", "DP_QC_WHICHPACK", "DP_REGISTERCVAR", "DP_SV_BOTCLIENT",
            "DP_SV_DROPCLIENT", "DP_SV_POINTSOUND", "DP_SV_PRINT", "DP_SV_SPAWNFUNC_PREFIX",
            "DP_SV_WRITEUNTERMINATEDSTRING", "DP_TE_PARTICLERAIN", "DP_TE_PARTICLESNOW",
            "DP_TE_STANDARDEFFECTBUILTINS", "DP_VIEWZOOM", "EXT_BITSHIFT", "FTE_ENT_SKIN_CONTENTS",
            "FTE_PART_NAMESPACES", "FTE_PART_SCRIPT", "FTE_QC_CHECKCOMMAND", "FTE_QC_CROSSPRODUCT",
            "FTE_QC_INFOKEY", "FTE_QC_INTCONV", "FTE_QC_MULTICAST", "FTE_STRINGS", "FTE_SV_POINTPARTICLES",
            "KRIMZON_SV_PARSECLIENTCOMMAND", "ZQ_QC_STRINGS",
            $($more),*
        ]
    };
}

/// The extensions of QuakeSpasm-Spiked, and more.
macro_rules! of_qss {
    ($($more:literal),* $(,)?) => {
        of_spiked![
            "DP_CSQC_QUERYRENDERENTITY", "DP_QC_AUTOCVARS", "DP_QC_RENDER_SCENE", "DP_SV_SETCOLOR",
            "FRIK_FILE", "FTE_CSQC_SERVERBROWSER", "FTE_PART_NAMESPACE_EFFECTINFO", "FTE_QC_HARDWARECURSORS",
            $($more),*
        ]
    };
}

#[rustfmt::skip] // a row for each word or range would be 600 lines
const OF_DARKPLACES: List<Text> = texts![
    "BX_WAL_SUPPORT", "DP_BUTTONCHAT", "DP_BUTTONUSE", "DP_CL_LOADSKY", "DP_CON_ALIASPARAMETERS",
    "DP_CON_BESTWEAPON", "DP_CON_EXPANDCVAR", "DP_CON_SET", "DP_CON_SETA", "DP_CON_STARTMAP", "DP_COVERAGE",
    "DP_CSQC_BINDMAPS", "DP_CSQC_BOXPARTICLES", "DP_CSQC_ENTITYMODELLIGHT",
    "DP_CSQC_ENTITYTRANSPARENTSORTING_OFFSET", "DP_CSQC_ENTITYWORLDOBJECT", "DP_CSQC_MAINVIEW",
    "DP_CSQC_MINFPS_QUALITY", "DP_CSQC_MULTIFRAME_INTERPOLATION", "DP_CSQC_QUERYRENDERENTITY",
    "DP_CSQC_ROTATEMOVES", "DP_CSQC_SETPAUSE", "DP_CSQC_SPAWNPARTICLE", "DP_CSQC_V_CALCREFDEF_WIP1",
    "DP_CSQC_V_CALCREFDEF_WIP2", "DP_EF_ADDITIVE", "DP_EF_BLUE", "DP_EF_DOUBLESIDED",
    "DP_EF_DYNAMICMODELLIGHT", "DP_EF_FLAME", "DP_EF_FULLBRIGHT", "DP_EF_NODEPTHTEST", "DP_EF_NODRAW",
    "DP_EF_NOGUNBOB", "DP_EF_NOSELFSHADOW", "DP_EF_NOSHADOW", "DP_EF_RED", "DP_EF_RESTARTANIM_BIT",
    "DP_EF_STARDUST", "DP_EF_TELEPORT_BIT", "DP_ENT_ALPHA", "DP_ENT_COLORMOD", "DP_ENT_CUSTOMCOLORMAP",
    "DP_ENT_EXTERIORMODELTOCLIENT", "DP_ENT_GLOW", "DP_ENT_GLOWMOD", "DP_ENT_LOWPRECISION", "DP_ENT_SCALE",
    "DP_ENT_TRAILEFFECTNUM", "DP_ENT_VIEWMODEL", "DP_FONT_VARIABLEWIDTH", "DP_GFX_EXTERNALTEXTURES",
    "DP_GFX_EXTERNALTEXTURES_PERMAP", "DP_GFX_FOG", "DP_GFX_FONTS", "DP_GFX_FONTS_FREETYPE",
    "DP_GFX_MODEL_INTERPOLATION", "DP_GFX_QUAKE3MODELTAGS", "DP_GFX_SKINFILES", "DP_GFX_SKYBOX",
    "DP_HALFLIFE_MAP", "DP_HALFLIFE_MAP_CVAR", "DP_HALFLIFE_SPRITE", "DP_INPUTBUTTONS",
    "DP_LIGHTSTYLE_STATICVALUE", "DP_LITSPRITES", "DP_LITSUPPORT", "DP_MONSTERWALK",
    "DP_MOVETYPEBOUNCEMISSILE", "DP_MOVETYPEFLYWORLDONLY", "DP_MOVETYPEFOLLOW", "DP_NULL_MODEL",
    "DP_QC_ASINACOSATANATAN2TAN", "DP_QC_AUTOCVARS", "DP_QC_CHANGEPITCH", "DP_QC_CMD", "DP_QC_COPYENTITY",
    "DP_QC_CRC16", "DP_QC_CVAR_DEFSTRING", "DP_QC_CVAR_DESCRIPTION", "DP_QC_CVAR_STRING", "DP_QC_CVAR_TYPE",
    "DP_QC_DIGEST", "DP_QC_DIGEST_SHA256", "DP_QC_EDICT_NUM", "DP_QC_ENTITYDATA", "DP_QC_ENTITYSTRING",
    "DP_QC_ETOS", "DP_QC_EXTRESPONSEPACKET", "DP_QC_FINDBOX", "DP_QC_FINDCHAIN", "DP_QC_FINDCHAINFLAGS",
    "DP_QC_FINDCHAINFLOAT", "DP_QC_FINDCHAIN_TOFIELD", "DP_QC_FINDFLAGS", "DP_QC_FINDFLOAT",
    "DP_QC_FS_SEARCH", "DP_QC_FS_SEARCH_PACKFILE", "DP_QC_GETLIGHT", "DP_QC_GETSURFACE",
    "DP_QC_GETSURFACEPOINTATTRIBUTE", "DP_QC_GETSURFACETRIANGLE", "DP_QC_GETTAGINFO",
    "DP_QC_GETTAGINFO_BONEPROPERTIES", "DP_QC_GETTIME", "DP_QC_GETTIME_CDTRACK", "DP_QC_I18N", "DP_QC_LOG",
    "DP_QC_MINMAXBOUND", "DP_QC_MULTIPLETEMPSTRINGS", "DP_QC_NUDGEOUTOFSOLID", "DP_QC_NUM_FOR_EDICT",
    "DP_QC_RANDOMVEC", "DP_QC_SINCOSSQRTPOW", "DP_QC_SPRINTF", "DP_QC_STRFTIME", "DP_QC_STRINGBUFFERS",
    "DP_QC_STRINGBUFFERS_CVARLIST", "DP_QC_STRINGBUFFERS_EXT_WIP", "DP_QC_STRINGCOLORFUNCTIONS",
    "DP_QC_STRING_CASE_FUNCTIONS", "DP_QC_STRREPLACE", "DP_QC_TOKENIZEBYSEPARATOR", "DP_QC_TOKENIZE_CONSOLE",
    "DP_QC_TRACEBOX", "DP_QC_TRACETOSS", "DP_QC_TRACE_MOVETYPE_HITMODEL", "DP_QC_TRACE_MOVETYPE_WORLDONLY",
    "DP_QC_UNLIMITEDTEMPSTRINGS", "DP_QC_URI_ESCAPE", "DP_QC_URI_GET", "DP_QC_URI_POST",
    "DP_QC_VECTOANGLES_WITH_ROLL", "DP_QC_VECTORVECTORS", "DP_QC_WHICHPACK", "DP_QUAKE2_MODEL",
    "DP_QUAKE2_SPRITE", "DP_QUAKE3_MAP", "DP_QUAKE3_MODEL", "DP_REGISTERCVAR", "DP_RM_CLIPGROUP",
    "DP_SKELETONOBJECTS", "DP_SND_DIRECTIONLESSATTNNONE", "DP_SND_FAKETRACKS", "DP_SND_GETSOUNDTIME",
    "DP_SND_OGGVORBIS", "DP_SND_SETPARAMS", "DP_SND_SOUND7_WIP1", "DP_SND_SOUND7_WIP2", "DP_SND_STEREOWAV",
    "DP_SOLIDCORPSE", "DP_SPRITE32", "DP_SV_BOTCLIENT", "DP_SV_BOUNCEFACTOR", "DP_SV_CLIENTCAMERA",
    "DP_SV_CLIENTCOLORS", "DP_SV_CLIENTNAME", "DP_SV_CMD", "DP_SV_CUSTOMIZEENTITYFORCLIENT",
    "DP_SV_DISABLECLIENTPREDICTION", "DP_SV_DISCARDABLEDEMO", "DP_SV_DRAWONLYTOCLIENT", "DP_SV_DROPCLIENT",
    "DP_SV_EFFECT", "DP_SV_ENTITYCONTENTSTRANSITION", "DP_SV_MODELFLAGS_AS_EFFECTS",
    "DP_SV_MOVETYPESTEP_LANDEVENT", "DP_SV_NETADDRESS", "DP_SV_NODRAWTOCLIENT",
    "DP_SV_ONENTITYNOSPAWNFUNCTION", "DP_SV_ONENTITYPREPOSTSPAWNFUNCTION", "DP_SV_PING",
    "DP_SV_PING_PACKETLOSS", "DP_SV_PLAYERPHYSICS", "DP_SV_POINTPARTICLES", "DP_SV_POINTSOUND",
    "DP_SV_PRECACHEANYTIME", "DP_SV_PRINT", "DP_SV_PUNCHVECTOR", "DP_SV_QCSTATUS", "DP_SV_ROTATINGBMODEL",
    "DP_SV_SETCOLOR", "DP_SV_SHUTDOWN", "DP_SV_SLOWMO", "DP_SV_SPAWNFUNC_PREFIX", "DP_SV_WRITEPICTURE",
    "DP_SV_WRITEUNTERMINATEDSTRING", "DP_TE_BLOOD", "DP_TE_BLOODSHOWER", "DP_TE_CUSTOMFLASH",
    "DP_TE_EXPLOSIONRGB", "DP_TE_FLAMEJET", "DP_TE_PARTICLECUBE", "DP_TE_PARTICLERAIN", "DP_TE_PARTICLESNOW",
    "DP_TE_PLASMABURN", "DP_TE_QUADEFFECTS1", "DP_TE_SMALLFLASH", "DP_TE_SPARK",
    "DP_TE_STANDARDEFFECTBUILTINS", "DP_TRACE_HITCONTENTSMASK_SURFACEINFO", "DP_USERMOVETYPES", "DP_UTF8",
    "DP_VIDEO_DPV", "DP_VIDEO_SUBTITLES", "DP_VIEWZOOM", "EXT_BITSHIFT", "FRIK_FILE",
    "FTE_CSQC_SKELETONOBJECTS", "FTE_QC_CHECKPVS", "FTE_STRINGS", "KRIMZON_SV_PARSECLIENTCOMMAND",
    "NEH_CMD_PLAY2", "NEH_RESTOREGAME", "NEXUIZ_PLAYERMODEL", "NXQ_GFX_LETTERBOX",
    "PRYDON_CLIENTCURSOR", "TENEBRAE_GFX_DLIGHTS", "TW_SV_STEPCONTROL", "ZQ_PAUSE"
];

/// Source: WinQuake, `WinQuake/pr_edict.c`, `PR_LoadProgs`; `WinQuake/progdefs.h`, `PROGHEADER_CRC`;
/// `WinQuake/host.c`, `Host_Init`; `WinQuake/pr_cmds.c`, `pr_builtin`, in which a call of `PF_Fixme` ends the
/// level. The variables are the ones that id's and other known programs read, from the same source.
pub(super) const QUAKE: QuakeC = QuakeC {
    interface: Borrowed("Quake"),
    file: Borrowed("progs.dat"),
    required: true,
    checksums: list![5927],
    configs: texts!["quake.rc"],
    exec_case: Case::Exact,
    cvars: texts![
        "registered 1",
        "sv_gravity 800",
        "sv_maxspeed 320",
        "sv_friction 4",
        "sv_stopspeed 100",
        "sv_maxvelocity 2000",
        "sv_aim 0.93",
        "volume 0.7",
        "viewsize 100"
    ],
    extensions: Known(texts![]),
    builtins: Known(list![[1, 4], [6, 32], [34, 38], [40, 41], [43, 49], [51, 59], [67, 70], [72, 78]]),
    loads_late: false,
    has_null_model: false,
    ends_at_objerror: false,
};

/// id's own server.
///
/// Source: WinQuake, `WinQuake/pr_cmds.c`, `PF_objerror`.
pub(super) const WINQUAKE: QuakeC = QuakeC { ends_at_objerror: true, ..QUAKE };

/// Source: `QW/server/pr_edict.c`, `PR_LoadProgs`. Only servers load it.
pub(super) const QUAKEWORLD: QuakeC = QuakeC {
    interface: Borrowed("QuakeWorld"),
    file: Borrowed("qwprogs.dat"),
    required: false,
    checksums: list![54730],
    extensions: Unknown,
    builtins: Unknown,
    ..QUAKE
};

/// Source: MVDSV, `src/pr_edict.c`, `PR1_LoadProgs`.
pub(super) const QUAKEWORLD_SERVER: QuakeC = QuakeC { required: true, ..QUAKEWORLD };

/// Source: Hammer of Thyrion, `engine/h2shared/pr_edict.c`, `PR_LoadProgs`, with `PROGS_V103_CRC` to
/// `PROGS_V112_CRC`; `engine/hexen2/host.c`, `Host_Init`.
pub(super) const HEXEN2: QuakeC = QuakeC {
    interface: Borrowed("Hexen II"),
    checksums: list![14046, 38488, 26905],
    configs: texts!["hexen.rc"],
    builtins: Unknown,
    ..WINQUAKE
};

/// Source: `JoeQuake`, `trunk/pr_cmds.c`, `pr_builtin`; `trunk/pr_edict.c`, `PR_LoadProgs`.
pub(super) const JOEQUAKE: QuakeC = QuakeC {
    builtins: Known(list![
        [1, 4],
        [6, 32],
        [34, 38],
        [40, 41],
        [43, 49],
        [51, 65],
        [67, 70],
        [72, 80],
        [90, 91]
    ]),
    ..QUAKE
};

/// The variables in engines with `checkextension`.
const CVARS: List<Text> = texts![
    "pr_checkextension 1",
    "sv_aim 2",
    "registered 1",
    "sv_gravity 800",
    "sv_maxspeed 320",
    "sv_friction 4",
    "sv_stopspeed 100",
    "sv_maxvelocity 2000",
    "volume 0.7",
    "viewsize 100"
];

/// An engine whose extensions nobody has listed.
pub(super) const EXTENDED: QuakeC =
    QuakeC { cvars: CVARS, checksums: list![], extensions: Unknown, builtins: Unknown, ..QUAKE };

/// Source: Ironwail, `Quake/progs.h`, `QCEXTENSIONS_ALL`; `Quake/pr_cmds.c`, `pr_builtindefs`, with the
/// functions of the extensions that it claims.
pub(super) const IRONWAIL: QuakeC = QuakeC {
    cvars: CVARS,
    extensions: Known(texts![
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
        "KRIMZON_SV_PARSECLIENTCOMMAND"
    ]),
    builtins: Known(FUNCTIONS_OF_IRONWAIL),
    ..QUAKE
};

/// Source: vkQuake, `Quake/pr_ext.c`, `qcextensions` (for its default protocol) and `extensionbuiltins`. It
/// assigns numbers from 1023 downwards to functions without a number.
pub(super) const VKQUAKE: QuakeC =
    QuakeC { extensions: Known(of_spiked![]), builtins: Known(FUNCTIONS_OF_VKQUAKE), ..IRONWAIL };

/// Source: QuakeSpasm-Spiked, `quakespasm/Quake/pr_ext.c`, `qcextensions` and `extensionbuiltins`.
pub(super) const QSS: QuakeC =
    QuakeC { extensions: Known(of_qss![]), builtins: Known(FUNCTIONS_OF_QSS), ..IRONWAIL };

/// Source: QSS-M, `Quake/pr_ext.c`, `qcextensions` and `extensionbuiltins`.
pub(super) const QSS_M: QuakeC = QuakeC {
    extensions: Known(of_qss![
        "DP_EF_BLUE",
        "DP_EF_RED",
        "DP_ENT_EXTERIORMODELTOCLIENT",
        "DP_ENT_VIEWMODEL",
        "DP_SV_CUSTOMIZEENTITYFORCLIENT",
        "DP_SV_DRAWONLYTOCLIENT",
        "DP_SV_NODRAWTOCLIENT",
        "DP_SV_PRECACHEANYTIME",
        "DP_SV_ROTATINGBMODEL",
        "EXT_CSQC",
        "EX_EXTENDED_EF",
        "EX_MOVETYPE_GIB",
        "FTE_SOLID_BSPTRIGGER"
    ]),
    builtins: Known(FUNCTIONS_OF_QSS_M),
    ..QSS
};

/// Source: DarkPlaces, `svvm_cmds.c`, `vm_sv_extensions` (of November 2025), except those that depend on
/// other libraries, and `vm_sv_builtins`, in which a call of an empty place ends the level; `host.c`,
/// `Host_Init`.
pub(super) const DARKPLACES: QuakeC = QuakeC {
    cvars: CVARS,
    checksums: list![],
    configs: texts!["quake.rc", "default.cfg", "config.cfg", "autoexec.cfg"],
    // cmd.c, Cmd_Exec_f: FS_Search without case
    exec_case: Case::Ignored,
    extensions: Known(OF_DARKPLACES),
    builtins: Known(FUNCTIONS_OF_DARKPLACES),
    loads_late: true,
    has_null_model: true,
    ..QUAKE
};

#[rustfmt::skip]
const FUNCTIONS_OF_IRONWAIL: List<[u16; 2]> = list![
    [1, 4], [6, 32], [34, 38], [40, 41], [43, 49], [51, 62], [65, 65], [67, 70], [72, 81], [94, 97],
    [99, 99], [114, 119], [222, 224], [232, 232], [245, 245], [294, 294], [432, 432], [440, 442],
    [471, 475], [478, 478], [480, 481], [514, 514], [627, 627]
];

#[rustfmt::skip]
const FUNCTIONS_OF_VKQUAKE: List<[u16; 2]> = list![
    [1, 4], [6, 32], [34, 38], [40, 41], [43, 49], [51, 62], [64, 65], [67, 70], [72, 82], [90, 100],
    [102, 102], [110, 119], [218, 219], [221, 230], [232, 232], [234, 234], [239, 240], [245, 245],
    [259, 262], [276, 277], [279, 280], [284, 284], [294, 294], [333, 333], [335, 337], [339, 339],
    [353, 353], [400, 400], [402, 403], [405, 405], [409, 410], [418, 432], [434, 443], [448, 450],
    [453, 456], [459, 469], [471, 486], [494, 500], [503, 503], [510, 519], [532, 532], [605, 605],
    [607, 607], [613, 613], [627, 629], [639, 639], [960, 1023]
];

#[rustfmt::skip]
const FUNCTIONS_OF_QSS: List<[u16; 2]> = list![
    [1, 4], [6, 32], [34, 38], [40, 41], [43, 49], [51, 62], [64, 65], [67, 70], [72, 78], [80, 82],
    [90, 100], [102, 102], [110, 119], [213, 213], [218, 219], [221, 230], [232, 234], [239, 240],
    [245, 245], [259, 262], [276, 277], [279, 280], [284, 284], [294, 294], [333, 333], [335, 337],
    [339, 339], [353, 353], [400, 450], [453, 456], [459, 469], [471, 486], [494, 500], [503, 503],
    [510, 519], [532, 532], [535, 536], [605, 607], [613, 613], [627, 629], [639, 639], [960, 1023]
];

#[rustfmt::skip]
const FUNCTIONS_OF_QSS_M: List<[u16; 2]> = list![
    [1, 4], [6, 32], [34, 38], [40, 41], [43, 49], [51, 62], [64, 65], [67, 70], [72, 78], [80, 82],
    [90, 100], [102, 102], [110, 119], [213, 213], [218, 219], [221, 230], [232, 234], [239, 240],
    [245, 245], [259, 262], [276, 277], [279, 280], [284, 284], [294, 294], [333, 337], [339, 339],
    [347, 347], [353, 354], [400, 450], [453, 456], [459, 469], [471, 486], [494, 500], [503, 503],
    [510, 519], [532, 532], [535, 536], [605, 607], [613, 613], [627, 629], [639, 639], [960, 1023]
];

#[rustfmt::skip]
const FUNCTIONS_OF_DARKPLACES: List<[u16; 2]> = list![
    [1, 4], [6, 32], [34, 38], [40, 41], [43, 49], [51, 65], [67, 70], [72, 78], [81, 81], [90, 99],
    [110, 119], [218, 218], [221, 230], [232, 232], [240, 240], [245, 245], [263, 277], [333, 337],
    [339, 339], [350, 350], [352, 354], [400, 457], [459, 469], [471, 486], [494, 501], [503, 503],
    [510, 519], [529, 538], [540, 542], [566, 567], [605, 607], [613, 613], [624, 624], [627, 629],
    [639, 639], [642, 642]
];

/// The exits of Quake's game code, `triggers.qc`, `trigger_changelevel`.
pub(super) const EXIT: EntityKey = key("trigger_changelevel", texts!["map"], KeyNames::Level);

/// A key of any class; each row has its names.
pub(super) const KEY: EntityKey = EntityKey {
    class: Borrowed(""),
    keys: texts![],
    names: KeyNames::Model,
    default: Borrowed(""),
    unless: Borrowed(""),
    with_flags: 0,
};

pub(super) const fn key(class: &'static str, keys: List<Text>, names: KeyNames) -> EntityKey {
    EntityKey {
        class: Borrowed(class),
        keys,
        names,
        default: Borrowed(""),
        unless: Borrowed(""),
        with_flags: 0,
    }
}

/// A sound below a folder.
pub(super) const fn sound(folder: &'static str) -> KeyNames {
    KeyNames::Sound { folder: Borrowed(folder), streams: false }
}

/// The files without which Quake does not start.
///
/// Source: WinQuake, `WinQuake/host.c`, `Host_Init`; `WinQuake/wad.c`, `W_LoadWadFile`.
pub(super) const TO_START: List<Text> = texts!["gfx.wad", "gfx/palette.lmp", "gfx/colormap.lmp"];

/// The files that Quake itself needs.
pub(super) const NEEDED: Needed = Needed { to_start: TO_START, to_play: to_play![], ..Needed::NOTHING };
