//! The numbers of the engines' functions, and the functions of each engine.
//!
//! Numbers up to 78 are Quake's (`pr_cmds.c`); those after it come from DarkPlaces and FTE (`dpextensions.qc`, `fteextensions.qc`).

use std::ops::RangeInclusive;

/// Declares the functions with their numbers.
macro_rules! builtins {
    ($($Name:ident = $number:literal),* $(,)?) => {
        /// A function that is simulated here, with its name in QuakeC.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Builtin { $($Name = $number),* }

        impl Builtin {
            /// The function with this number. Functions that are not simulated do nothing and return 0.
            pub(super) fn numbered(number: u32) -> Option<Self> {
                match number {
                    $($number => Some(Builtin::$Name),)*
                    _ => None,
                }
            }
        }
    };
}

builtins! {
    MakeVectors = 1, SetOrigin = 2, SetModel = 3, SetSize = 4, Random = 7, Normalize = 9, Error = 10,
    ObjError = 11, VLen = 12, VecToYaw = 13, Spawn = 14, Remove = 15, TraceLine = 16, Find = 18,
    PrecacheSound = 19, PrecacheModel = 20, FindRadius = 22, FToS = 26, VToS = 27, WalkMove = 32,
    DropToFloor = 34, RInt = 36, Floor = 37, Ceil = 38, CheckBottom = 40, PointContents = 41, FAbs = 43,
    Aim = 44, Cvar = 45, NextEnt = 47, VecToAngles = 51, Sin = 60, Cos = 61, Sqrt = 62, TraceToss = 64,
    EToS = 65, PrecacheFile = 68, MakeStatic = 69, ChangeLevel = 70, CvarSet = 72, PrecacheModel2 = 75,
    PrecacheSound2 = 76, PrecacheFile2 = 77, SToF = 81, TraceBox = 90, Min = 94, Max = 95, Bound = 96,
    Pow = 97, FindFloat = 98, CheckExtension = 99, FOpen = 110, FClose = 111, FGets = 112, StrLen = 114, StrCat = 115,
    SubString = 116, SToV = 117, StrZone = 118, BitShift = 218, StrStrOfs = 221, Str2Chr = 222,
    Chr2Str = 223, StrNCmp = 228, StrCaseCmp = 229, StrNCaseCmp = 230, FindChain = 402,
    FindChainFloat = 403, Tokenize = 441, ArgV = 442, CvarString = 448, FindFlags = 449,
    FindChainFlags = 450, StrToLower = 480, StrToUpper = 481, StrReplace = 484,
}

/// The functions of an engine: all functions of a base engine, and some more.
#[derive(Debug)]
pub(crate) struct Builtins {
    base: Option<&'static Builtins>,
    added: &'static [RangeInclusive<u32>],
}

impl Builtins {
    /// Whether the engine has a function of this number.
    pub(super) fn has(&self, number: u32) -> bool {
        self.added.iter().any(|range| range.contains(&number))
            || self.base.is_some_and(|base| base.has(number))
    }
}

/// Quake's functions. A call of an unused number ends the level (`PF_Fixme` of `pr_cmds.c`).
pub(super) const QUAKE: Builtins =
    Builtins { base: None, added: &[1..=4, 6..=32, 34..=38, 40..=41, 43..=49, 51..=59, 67..=70, 72..=78] };

/// `vm_sv_builtins` of DarkPlaces' `svvm_cmds.c` (commit c6b823caa of 2025-11-23). A call of an empty place ends the level.
pub(super) const DARKPLACES: Builtins = Builtins {
    base: Some(&QUAKE),
    added: &[
        60..=65,
        81..=81,
        90..=99,
        110..=119,
        218..=218,
        221..=230,
        232..=232,
        240..=240,
        245..=245,
        263..=277,
        333..=337,
        339..=339,
        350..=350,
        352..=354,
        400..=457,
        459..=469,
        471..=486,
        494..=501,
        503..=503,
        510..=519,
        529..=538,
        540..=542,
        566..=567,
        605..=607,
        613..=613,
        624..=624,
        627..=629,
        639..=639,
        642..=642,
    ],
};

/// `pr_builtindefs` of Ironwail's `pr_cmds.c` (documented), with the functions of the extensions that it claims.
pub(super) const IRONWAIL: Builtins = Builtins {
    base: Some(&QUAKE),
    added: &[
        60..=62,
        65..=65,
        79..=81,
        94..=97,
        99..=99,
        114..=119,
        222..=224,
        232..=232,
        245..=245,
        294..=294,
        432..=432,
        440..=442,
        471..=475,
        478..=478,
        480..=481,
        514..=514,
        627..=627,
    ],
};

/// `extensionbuiltins` of vkQuake's `pr_ext.c` (documented), including all of Ironwail's. It assigns numbers from 1023
/// downwards to functions without a fixed number.
pub(super) const VKQUAKE: Builtins = Builtins {
    base: Some(&IRONWAIL),
    added: &[
        64..=64,
        82..=82,
        90..=93,
        98..=98,
        100..=100,
        102..=102,
        110..=113,
        218..=219,
        221..=221,
        225..=230,
        234..=234,
        239..=240,
        259..=262,
        276..=277,
        279..=280,
        284..=284,
        333..=333,
        335..=337,
        339..=339,
        353..=353,
        400..=400,
        402..=403,
        405..=405,
        409..=410,
        418..=431,
        434..=439,
        443..=443,
        448..=450,
        453..=456,
        459..=469,
        476..=477,
        479..=479,
        482..=486,
        494..=500,
        503..=503,
        510..=513,
        515..=519,
        532..=532,
        605..=605,
        607..=607,
        613..=613,
        628..=629,
        639..=639,
        960..=1023,
    ],
};
